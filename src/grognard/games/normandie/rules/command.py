"""Chapters 0.1.1 and 5: headquarters, whom they control, what they support, how they are lost and come back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from grognard.kernel import No, emit, no, rule

from ..state import NO_UNIT
from ..state import NormandieState as S
from ..world import (
    AT,
    BOX_AT,
    BOXES,
    CODES,
    COUNT,
    COUNTERS,
    GROUP,
    HEXES,
    HQS,
    IS_HQ,
    LIMITS,
    SIDE,
    TRACK,
    distance,
    is_box,
)
from .definitions import counters_in, is_supported, name_of, put, thirds_of


@rule("5.1d", "5.1e", "5.1f")
def is_in_range(s: S, hq: int, u: int) -> bool:
    """5.1d A headquarters reaches 4 hexes on the map; 5.1e off-map its own box and the next, 5.1f its own only while
    its box is in Confusion."""
    here, there = s.place[hq], s.place[u]
    if here < HEXES and there < HEXES:
        return distance(here, there) <= LIMITS["control_range"]
    if is_box(here) and is_box(there):
        if here == there or BOX_AT[there].inside == BOX_AT[here].id:
            return True
        return not s.confusion[here] and there in BOXES_NEXT[here]
    return False


FIGHTERS = tuple(tuple(u for u in range(COUNT) if GROUP[u] == group and not IS_HQ[u]) for group in range(3))
BOXES_NEXT = {AT[b.id]: frozenset(AT[line] for line in b.lines) for b in BOXES}


def _leader(s: S, c: Any, side: int, noun: int) -> dict[str, str]:
    """Who leads, in the combat or activation under way."""
    return {"hq": name_of(c.hq)}


def _other_leader(s: S, c: Any, side: int, noun: int) -> dict[str, str]:
    """Whom the unit obeys."""
    return {"hq": name_of(s.boss[noun])}


OTHER_NATION, OTHER_HQ = no("5.1a", "other-nation", _leader), no("5.1c", "other-hq", _other_leader)
TOO_FAR, TOO_FAR_OFF_MAP = no("5.1d", "out-of-control", _leader), no("5.1e", "out-of-control", _leader)
HQ_FULL = no("5.1a", "hq-full", _leader)
NOT_IN_PLAY, HQ_FINISHED = no("0c", "not-in-play"), no("0.1.1b", "hq-finished")
HQ_UNSUPPLIED, HQ_NOT_SUPPORTED = no("7.3.2b", "hq-unsupplied"), no("1.1.3b", "hq-not-supported")


@rule("5.1a", "5.1b", "5.1c", "8b", "5a")
def why_not_control(s: S, hq: int, u: int, already: Iterable[int] = (), led: list[int] | None = None) -> No | None:
    """5.1a May a headquarters take this unit under control? Five divisions and three battalions of its own group.

    5.1c A unit obeys one headquarters a turn: the one that first led it into combat (ruling A9). 5.1b The 79th Armoured
    never counts.
    """
    if GROUP[hq] != GROUP[u]:
        return OTHER_NATION
    if s.boss[u] not in (NO_UNIT, hq):
        return OTHER_HQ
    if not is_in_range(s, hq, u):
        return TOO_FAR if s.place[u] < HEXES else TOO_FAR_OFF_MAP
    led = list(led_by(s, hq) if led is None else led)
    led += [v for v in already if v not in led]
    if u not in led:
        thirds, zero = thirds_of([*led, u])
        if thirds > LIMITS["control_thirds"] or zero > LIMITS["control_zero"]:
            return HQ_FULL
    return None


def led_by(s: S, hq: int) -> list[int]:
    """5.1c The units that already obey a headquarters this turn."""
    boss = s.boss
    return [v for v in FIGHTERS[GROUP[hq]] if boss[v] == hq]


def take_control(s: S, hq: int, u: int) -> None:
    """5.1c From now on, and for the turn, the unit obeys this headquarters."""
    s.boss[u] = hq


@rule("1.1.3b", "0.1.1b", "0.1.1c", "11.3c", "7.5d")
def why_not_activate(s: S, hq: int) -> No | None:
    """1.1.3b A headquarters fights if it is Available and Supported; 11.3c on turns 0 and 1 of the campaign it need not
    be Supported; ruling A42: never while unsupplied."""
    if s.place[hq] >= HEXES and not is_box(s.place[hq]):
        return NOT_IN_PLAY
    if s.finished[hq]:
        return HQ_FINISHED
    if s.unsupplied[hq]:
        return HQ_UNSUPPLIED
    if not is_supported(s, hq) and not is_free_turn(s):
        return HQ_NOT_SUPPORTED
    return None


def is_free_turn(s: S) -> bool:
    """11.3c Turns 0 and 1 of the campaign: no Offensive marker is needed."""
    return s.scenario == "campaign" and s.turn <= 1


@rule("0.1.1c", "0.2.1a", "11.3c")
def spend_marker(s: S, hq: int, why: str) -> None:
    """0.1.1c One Offensive marker lying with the headquarters is used up; 11.3c none on turns 0 and 1."""
    place = s.place[hq]
    if is_free_turn(s) or not s.offensive[place]:
        return
    s.offensive[place] -= 1
    emit(s, "marker-spent", why, hq=name_of(hq), left=s.offensive[place])


@rule("5.3a")
def is_in_support_range(s: S, hq: int, h: int) -> bool:
    """5.3a A headquarters supports combats up to 2 hexes away, measured to the hex attacked; off-map in its own box."""
    here = s.place[hq]
    if h >= HEXES:
        return here == h or (is_box(h) and CODES[here] == BOX_AT[h].inside)
    return here < HEXES and distance(here, h) <= LIMITS["support_range"]


@rule("5.3d", "5.3e", "5.3a", "0.1.1b")
def extra_attack_hqs(s: S, side: int, h: int, used: Iterable[int]) -> list[int]:
    """5.3e The other headquarters that the German may add to an attack: Available, Supported, within 2 hexes."""
    return [
        hq for hq in HQS
        if SIDE[hq] == side and hq not in used and not s.finished[hq] and not s.unsupplied[hq]
        and is_supported(s, hq) and is_in_support_range(s, hq, h) and COUNTERS[hq].bonus > 0
    ]  # fmt: skip


@rule("5.3f", "5.3h", "5.3a")
def defence_hqs(s: S, side: int, h: int, groups: Iterable[int]) -> list[int]:
    """5.3f The headquarters that may support a defence: Available, within 2 hexes, of the defenders' group."""
    return [
        hq for hq in HQS
        if SIDE[hq] == side and GROUP[hq] in groups and not s.finished[hq] and not s.unsupplied[hq]
        and is_in_support_range(s, hq, h)
    ]  # fmt: skip


@rule("5.4e", "5.4b")
def destroy_hq(s: S, hq: int, why: str) -> None:
    """5.4e A lost headquarters goes on the turn track: back one turn later, in the same phase."""
    s.due[hq], s.due_phase[hq] = s.turn + 1, int(s.phase == "B")
    put(s, hq, TRACK)
    s.finished[hq] = s.unsupplied[hq] = 0
    emit(s, "hq-destroyed", why, hq=name_of(hq), turn=s.due[hq], phase=s.phase)


@rule("5.4c", "5.4d")
def lose_widowed_hqs(s: S, side: int, place: int) -> None:
    """5.4c A headquarters whose escort has been destroyed is destroyed with it; 5.4d else it is never touched."""
    here = [u for u in counters_in(s, place) if SIDE[u] == side]
    if here and all(IS_HQ[u] for u in here):
        for hq in here:
            destroy_hq(s, hq, "5.4c")


@rule("0.1.1e", "1.1.4d")
def refresh_hqs(s: S) -> None:
    """0.1.1e At the end of a phase every headquarters is Available again."""
    for hq in HQS:
        s.finished[hq] = 0
