"""Chapter 6.6: retreats after combat."""

from __future__ import annotations

from grognard.kernel import emit, rule

from ..state import NormandieState as S
from ..world import (
    CODES,
    COLUMN,
    FIXED,
    FOREST,
    GARRISON,
    HEXES,
    IS_HQ,
    LIMITS,
    MARSH,
    OPEN_NEXT,
    PE,
    SETTLEMENT,
    SIDE,
    TERRAIN,
    TOWN_SIZE,
    distance,
)
from .definitions import in_enemy_zoc, is_there, name_of, put, west_of, why_not_stack
from .losses import capture, disorganise, lose_steps

EXTRA_LEGS = 4  # 6.6c A retreat that finds every hex full goes on at most this far


@rule("9.1b")
def is_open_to_aircraft(h: int) -> bool:
    """9.1b Towns and forests are closed to tactical air support."""
    return SETTLEMENT[h] != TOWN_SIZE and TERRAIN[h] != FOREST


@rule("0.1.2j", "4.1.2m")
def must_retreat(u: int) -> bool:
    """0.1.2j A garrison ignores every retreat; all others obey."""
    return not GARRISON[u]


@rule("6.6b", "6.6a", "6.4c")
def retreat_hexes(s: S, u: int, start: int, leg: int, free: bool = False, here: int = -1) -> list[int]:
    """6.6 The hexes into which a unit may retreat next, the best kind only (ruling A37).

    Never onto the enemy, into the sea, over an impassable side or back into the hex that was lost. Away from that hex
    and out of enemy zones if it can; a zone only when nothing else is left. `free` lifts the preference (10-O.1h).
    `here` asks the same as if the unit already stood elsewhere.
    """
    if FIXED[u] and not IS_HQ[u]:
        return []
    side, here = SIDE[u], s.place[u] if here < 0 else here
    best: dict[tuple[bool, bool], list[int]] = {}
    for n in OPEN_NEXT[here]:
        if n == start or is_there(s, 1 - side, n) or COLUMN[n] < west_of(s):
            continue
        if free:
            best.setdefault((False, False), []).append(n)
            continue
        away = distance(start, n) > min(leg, 2)
        best.setdefault((in_enemy_zoc(s, side, n), not away), []).append(n)
    return sorted(best[min(best)]) if best else []


@rule("4.3j")
def survives(s: S, u: int, start: int, h: int, leg: int, need: int, steps: int = -1) -> bool:
    """4.3j Could the unit, gone back to `h` as the hex number `leg` of `need`, end its retreat alive and with room?"""
    steps = s.steps[u] if steps < 0 else steps
    if not IS_HQ[u] and in_enemy_zoc(s, SIDE[u], h):
        steps -= 1
    if steps <= 0 and not IS_HQ[u]:
        return False
    full = why_not_stack(s, SIDE[u], h, [u]) is not None
    if leg >= need and not full:
        return True
    if leg >= need + EXTRA_LEGS:
        return False
    ways = retreat_hexes(s, u, start, leg, here=h)
    if not ways:
        return not full
    return any(survives(s, u, start, n, leg + 1, need, steps) for n in ways)


@rule("6.6b", "6.6f", "6.6e")
def step_back(s: S, u: int, h: int) -> None:
    """6.6b One hex of retreat: entering an enemy zone costs a step; 6.6f a marsh disorganises."""
    side, here = SIDE[u], s.place[u]
    if IS_HQ[u] and s.offensive[here] and not is_other_hq(s, u):
        room = LIMITS["markers"] - s.offensive[h] if h < HEXES else s.offensive[here]
        taken = max(0, min(room, s.offensive[here]))
        s.offensive[here] -= taken
        s.offensive[h] += taken
    put(s, u, h)
    emit(s, "retreated", "6.6a", unit=name_of(u), place=CODES[h])
    if IS_HQ[u] or h >= HEXES:
        return
    if in_enemy_zoc(s, side, h):
        lose_steps(s, u, 1, "6.6b")
    if s.steps[u] and TERRAIN[h] == MARSH:
        disorganise(s, u, 1, "6.6f")


def is_other_hq(s: S, hq: int) -> bool:
    """Another headquarters of the side stays in the hex and keeps the markers."""
    place = s.place[hq]
    return any(IS_HQ[v] and v != hq and SIDE[v] == SIDE[hq] and s.place[v] == place for v in range(len(s.place)))


@rule("6.6c", "6.6d", "2.1d")
def is_full_for(s: S, u: int) -> bool:
    """6.6c The hex reached cannot hold the unit, so its retreat goes on."""
    if s.place[u] >= HEXES:
        return False
    if IS_HQ[u]:
        return is_other_hq(s, u)
    refusal = why_not_stack(s, SIDE[u], s.place[u], ())
    return refusal is not None and (PE[u] > 0 or refusal.reason != "stacking")  # a battalion weighs nothing


@rule("6.6a", "6.6d")
def give_up(s: S, u: int, why: str) -> None:
    """6.6a No way back: captured; 6.6d the same for what no hex can hold. A headquarters is merely destroyed."""
    if IS_HQ[u]:
        from .command import destroy_hq

        destroy_hq(s, u, why)
    else:
        capture(s, u, why)
