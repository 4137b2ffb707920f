"""Chapters 6.5, 6.6g and 6.10: disorder, step losses, destruction, and the points they score."""

from __future__ import annotations

from grognard.kernel import emit, option, rule

from ..state import BUILDING, DESTROYED, FULL, NO_DEPOT, NO_UNIT
from ..state import NormandieState as S
from ..world import (
    ALLIED,
    AT,
    BEACH,
    BOX_AT,
    CADRE,
    CHARTS,
    CHERBOURG_PORT,
    CODES,
    DEPOT_HEX,
    DEPOTS,
    ELITE,
    FESTUNG,
    FFI,
    GARRISON,
    GERMAN,
    GONE,
    HEXES,
    IS_HQ,
    PARTISAN,
    SIDE,
    TOWNS,
)
from .definitions import counters_in, is_there, name_of, put
from .tables import more_affected, more_disorder

POINTS = CHARTS["victory"]
CHERBOURG_CAPACITY = CHARTS["offensive"]["cherbourg_bonus"]  # of the German depot (proposed)


@rule("11.3-vp-step", "11.3-vp-elite")
def score_steps(s: S, u: int, steps: int, why: str) -> None:
    """11.3 The enemy scores one point for each step lost, one more for each step of an elite unit."""
    gain = steps * (POINTS["step"] + (POINTS["elite"] if ELITE[u] else 0))
    s.points[1 - SIDE[u]] += gain


def _wipe(s: S, u: int) -> None:
    for column in (s.disorder, s.affected, s.unsupplied, s.resting, s.reserve, s.fought, s.moved, s.unlinked):
        column[u] = 0
    s.boss[u] = NO_UNIT


@rule("6.10a", "6.10b", "0.1.2h", "errata-a")
def lose_steps(s: S, u: int, steps: int, why: str) -> None:
    """6.10a A unit loses steps and is reduced; 6.10b the last one lost, it is destroyed and becomes a cadre."""
    if steps <= 0 or not s.steps[u]:
        return
    lost = min(steps, s.steps[u])
    s.steps[u] -= lost
    score_steps(s, u, lost, why)
    emit(s, "step-lost", why, unit=name_of(u), steps=lost, left=s.steps[u])
    if s.steps[u] == 0:
        _destroy(s, u, CADRE, why)


@rule("6.6a", "6.6g")
def capture(s: S, u: int, why: str) -> None:
    """6.6a A unit that must retreat and cannot is eliminated; 6.6g it is captured and never comes back."""
    score_steps(s, u, s.steps[u], why)
    s.steps[u] = 0
    _destroy(s, u, GONE, why)


@rule("4.1.2n", "7.1.2b", "10-A.1j", "11.3-vp-festung")
def _destroy(s: S, u: int, box: int, why: str) -> None:
    """6.10b Off the map; garrisons, guns and partisans are not rebuilt; 7.1.2b a beach garrison turns into a depot."""
    place = s.place[u]
    for_good = GARRISON[u] or FESTUNG[u] or PARTISAN[u] or FFI[u] or box == GONE
    put(s, u, GONE if for_good else CADRE)
    _wipe(s, u)
    if FESTUNG[u]:
        s.points[ALLIED] += POINTS["festung"]
    emit(s, "captured" if box == GONE else "destroyed", why, unit=name_of(u), place=CODES[place])
    if FESTUNG[u]:
        open_festung(s, place)
    if GARRISON[u] and place in BEACH:
        open_beach(s, place)


@rule("0.1.2m", "0.1.2o")
def open_festung(s: S, place: int) -> None:
    """0.1.2m When a Festung falls its box is gone: the men inside are in the box around it (our reading)."""
    if place < HEXES or not BOX_AT[place].inside:
        return
    around = AT[BOX_AT[place].inside]
    men = [u for u in counters_in(s, place) if SIDE[u] == GERMAN]
    for u in men:
        put(s, u, around)
    if men:
        emit(s, "festung-fallen", "0.1.2m", units=[name_of(u) for u in men], place=CODES[around])


@rule("6.5b", "6.5c", "6.5d")
def disorganise(s: S, u: int, level: int, why: str) -> None:
    """6.5 A unit takes a level of disorder; 5.4d headquarters never do."""
    if not level or IS_HQ[u] or not s.steps[u]:
        return
    new, steps = more_disorder(s.disorder[u], level)
    if s.disorder[u] + level > 2 and not steps and option(s, "disorder-adds") == "on":
        steps = 1  # ruling A8: D2 on a unit already at D1 costs nothing, unless the option counts every level
    s.disorder[u] = new
    emit(s, "disorganised", why, unit=name_of(u), level=new)
    lose_steps(s, u, steps, "6.5d")


@rule("6.5e", "6.5f", "6.5g", "6.2g")
def affect(s: S, units: list[int], level: int, why: str) -> None:
    """6.5e A bombardment touches a whole stack; 6.5g beyond A2 each unit gains a level of disorder instead."""
    for u in units:
        new, disorder = more_affected(s.affected[u], level)
        s.affected[u] = new
        disorganise(s, u, disorder, "6.5g")
    if level:
        emit(s, "affected", why, units=[name_of(u) for u in units], level=level)


# --- what changes hands when a combat unit enters a hex -------------------------------------------------------------


@rule("0.2.2a", "11.3-vp-ger-town", "7.1c", "7.1f", "4.3l", "0.2.1c")
def occupy(s: S, side: int, place: int) -> None:
    """0.2.2a A combat unit takes control of the place it enters, with everything that hangs on it.

    7.1f A German entering the hex of an Allied depot destroys it; 7.1c an Allied unit starts the building of a port;
    11.3 the German scores for each town that he retakes; 4.3l a marker lying there changes hands with the place.
    """
    if s.control[place] == side + 1:
        return
    before = s.control[place]
    s.control[place] = side + 1
    if place >= HEXES:
        return
    if place == CHERBOURG_PORT:
        cherbourg_port(s, side)
    if place in TOWNS:
        emit(s, "town-taken", "0.2.2a", place=CODES[place], side=side)
        if side == GERMAN and before == ALLIED + 1:
            s.points[GERMAN] += POINTS["retaken_town"]
    for d, h in enumerate(DEPOT_HEX):
        if h == place:
            if side == GERMAN:
                destroy_depot(s, d)
            elif s.depot[d] == NO_DEPOT:
                start_depot(s, d)


@rule("7.2b", "11.3-vp-gerdepot")
def cherbourg_port(s: S, side: int) -> None:
    """7.2b The German depot of Cherbourg goes with the port hex; 11.3 its capture is worth 5 points to the Allies."""
    if side == ALLIED and s.german_depot[CHERBOURG_PORT]:
        s.german_depot[CHERBOURG_PORT] = 0
        s.points[ALLIED] += POINTS["german_depot"]
        emit(s, "german-depot-lost", "7.2a", place=CODES[CHERBOURG_PORT])
    elif side == GERMAN:
        s.german_depot[CHERBOURG_PORT] = CHERBOURG_CAPACITY + 1


@rule("7.1c", "7.1.1b", "7.1.2a", "7.1.3a", "7.1.2b")
def start_depot(s: S, d: int) -> None:
    """7.1c The depot goes on the turn track after its own delay; turn 0 counts as turn 1; 7.1.2b a beach opens now."""
    if DEPOTS[d].kind == "beach":
        open_beach(s, DEPOT_HEX[d])
        return
    s.depot[d] = BUILDING
    s.depot_turn[d] = max(1, s.turn) + DEPOTS[d].delay[0]
    emit(s, "depot-started", "7.1c", depot=DEPOTS[d].id, turn=s.depot_turn[d])


@rule("7.1.2b")
def open_beach(s: S, place: int) -> None:
    """7.1.2b A beach depot works as soon as its garrison is gone."""
    for d, h in enumerate(DEPOT_HEX):
        if h == place and DEPOTS[d].kind == "beach" and s.depot[d] == NO_DEPOT:
            if any(GARRISON[u] and s.place[u] == place for u in range(len(s.place))):
                return
            s.depot[d] = FULL
            emit(s, "depot-open", "7.1.2b", depot=DEPOTS[d].id)


@rule("7.1f", "11.3-vp-ger-depot-small", "11.3-vp-ger-depot-big", "7.1.1d")
def destroy_depot(s: S, d: int, why: str = "7.1f") -> None:
    """7.1f An Allied depot is lost for good, except Cherbourg; the German scores 10 or 20 points by its capacity."""
    if DEPOTS[d].kind == "cherbourg":
        return
    if s.depot[d] == BUILDING:
        s.depot[d] = NO_DEPOT if why == "7.1f" else DESTROYED
        return
    if s.depot[d] in (NO_DEPOT, DESTROYED):
        return
    s.depot[d] = DESTROYED
    if why == "7.1f":
        big = DEPOTS[d].offensive[0] >= 2
        s.points[GERMAN] += POINTS["big_depot" if big else "small_depot"]
        s.beaches_lost += DEPOTS[d].kind == "beach"
    emit(s, "depot-destroyed", why, depot=DEPOTS[d].id)


@rule("6.11c", "6.11e")
def lift_confusion(s: S, place: int) -> bool:
    """6.11c Confusion ends when one side is gone from the place, which the other then holds."""
    if not s.confusion[place] or (is_there(s, ALLIED, place) and is_there(s, GERMAN, place)):
        return False
    s.confusion[place] = 0
    emit(s, "confusion-over", "6.11c", place=CODES[place])
    for side in (ALLIED, GERMAN):
        if is_there(s, side, place):
            occupy(s, side, place)
    return True


def is_held_by(s: S, side: int, place: int) -> bool:
    """0.2.2a The side controls a hex: it stands there, or passed there last and nobody else stands there."""
    if is_there(s, 1 - side, place):
        return False
    return is_there(s, side, place) or s.control[place] == side + 1
