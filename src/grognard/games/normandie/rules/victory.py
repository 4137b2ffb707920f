"""Chapter 11: victory points, automatic victories and levels."""

from __future__ import annotations

from grognard.kernel import emit, finish, option, rule

from ..state import DESTROYED, FULL, REDUCED
from ..state import NormandieState as S
from ..world import (
    ALLIED,
    AMERICAN,
    AT,
    BOXES,
    CHERBOURG,
    COUNT,
    DEPOT_HEX,
    DEPOT_INDEX,
    DEPOTS,
    DIVISION,
    FIXED,
    GERMAN,
    GROUP,
    HEXES,
    IS_HQ,
    PARA,
    RANGER,
    ROAD_NEXT,
    SIDE,
    SUPPLY_NEXT,
    TOWNS,
)
from .definitions import in_enemy_zoc, is_there, units_in
from .losses import POINTS, is_held_by
from .offmap import PARIS, is_besieged
from .supply import _flood, sources
from .tables import victory_level

UTAH = AT["0617"]
ST_VAAST = AT[next(d.hex for d in DEPOTS if d.id == "st-vaast")]
FESTUNG_BOXES = tuple(AT[b.id] for b in BOXES if b.inside)
ATLANTIC = tuple(AT[code] for code in ("f-brest", "f-lorient", "f-stnazaire"))


def judge_turn(s: S) -> None:
    """1.2a What is scored and decided at the end of each turn."""
    if s.scenario == "cherbourg":
        judge_cherbourg(s)
    else:
        score_turn(s)
        judge_campaign(s)


def end_game(s: S) -> None:
    """1.2a The last turn has been played."""
    if s.scenario == "cherbourg":
        judge_last_cherbourg(s)
    else:
        score_end(s)
        winner, level = victory_level(s.points[ALLIED], s.points[GERMAN])
        emit(s, "points", "11.3-levels", allied=s.points[ALLIED], german=s.points[GERMAN])
        finish(s, {"allied": ALLIED, "german": GERMAN}.get(winner), level, "11.3-levels")


# --- 11.1 scenario 1 ------------------------------------------------------------------------------------------------


@rule("11.1-vic-us", "11.1-vic-ger-strat")
def judge_cherbourg(s: S) -> None:
    """11.1 Both hexes of Cherbourg in American hands: strategic by turn 2, operational by 3, marginal by 4.

    The German wins strategically with a unit in Utah (its depot lost) while he keeps Cherbourg and St-Vaast.
    """
    if all(is_held_by(s, ALLIED, h) for h in CHERBOURG):
        level = "strategic" if s.turn <= 2 else "operational" if s.turn == 3 else "marginal"
        finish(s, ALLIED, level, "11.1-vic-us")
    elif s.depot[DEPOT_INDEX["utah"]] == DESTROYED and units_in(s, UTAH, GERMAN):
        if all(is_held_by(s, GERMAN, h) for h in (*CHERBOURG, ST_VAAST)):
            finish(s, GERMAN, "strategic", "11.1-vic-ger-strat")


@rule("11.1-vic-ger-op", "11.1-vic-ger-marg", "11.1-length")
def judge_last_cherbourg(s: S) -> None:
    """11.1 After turn 4: operational for the German with two divisions linked to the south edge, the 17SS among them;
    marginal if he only keeps both hexes of Cherbourg; nobody wins if they are shared."""
    if not all(is_held_by(s, GERMAN, h) for h in CHERBOURG):
        finish(s, None, "draw", "11.1-length")
        return
    linked = divisions_linked_south(s)
    if "17ss" in linked and len(linked) >= 2:
        finish(s, GERMAN, "operational", "11.1-vic-ger-op")
    else:
        finish(s, GERMAN, "marginal", "11.1-vic-ger-marg")


def divisions_linked_south(s: S) -> set[str]:
    """11.1 German divisions of which a unit can trace a supply line to the south edge."""
    edge = [h for h in sources(s, GERMAN) if not s.german_depot[h]]
    area = _flood(s, GERMAN, edge, SUPPLY_NEXT) | _flood(s, GERMAN, edge, ROAD_NEXT)
    return {DIVISION[u] for u in range(COUNT) if SIDE[u] == GERMAN and DIVISION[u] and s.place[u] in area}


# --- 11.3 the campaign, and scenario 2 ------------------------------------------------------------------------------


@rule("11.3-vp-ger-turn", "11.3-vp-airborne")
def score_turn(s: S) -> None:
    """11.3 Each turn played is worth 20 points to the German (from turn 1, ruling A27).

    After turn 5 the Allies lose one for each American airborne regiment or ranger unit still on the map (ruling A25).
    """
    if s.turn >= 1:
        s.points[GERMAN] += POINTS["german_turn"]
        if s.turn == 1 and s.scenario == "campaign" and option(s, "d-day-points") == "on":
            s.points[GERMAN] += POINTS["german_turn"]
    if s.turn >= POINTS["airborne_from_turn"]:
        kept = sum(s.place[u] < HEXES and GROUP[u] == AMERICAN and (PARA[u] or RANGER[u]) for u in range(COUNT))
        if option(s, "airborne-points") == "flat":
            kept = min(kept, 1)
        s.points[ALLIED] -= kept * POINTS["airborne_kept"]


@rule("11.3-auto-allied-1", "11.3-auto-allied-2", "11.3-auto-allied-3", "11.3-auto-german", "11.2-victory")
def judge_campaign(s: S) -> None:
    """11.3 Automatic victories, at the end of a turn."""
    paris, cherbourg = s.control[PARIS] == ALLIED + 1, all(is_held_by(s, ALLIED, h) for h in CHERBOURG)
    ports = sum(not units_in(s, box, GERMAN) for box in ATLANTIC)
    left = sum(s.place[u] < HEXES and SIDE[u] == GERMAN and not IS_HQ[u] and not FIXED[u] for u in range(COUNT))
    if s.beaches_lost >= POINTS["beach_depots"]:
        finish(s, GERMAN, "automatic", "11.3-auto-german")
    elif paris and cherbourg and ports >= 2:
        finish(s, ALLIED, "automatic", "11.3-auto-allied-1")
    elif paris and cherbourg and s.control[AT["pasdecalais"]] == ALLIED + 1:
        finish(s, ALLIED, "automatic", "11.3-auto-allied-3")
    elif s.turn >= 1 and left < POINTS["few_germans"]:
        finish(s, ALLIED, "automatic", "11.3-auto-allied-2")


@rule("11.3-vp-town", "11.3-vp-depot", "11.3-vp-siege", "11.3-vp-paris", "6.13c")
def score_end(s: S) -> None:
    """11.3 On the last turn: towns, Allied depots out of enemy zones, sieges, Paris (ruling A26)."""
    for h in TOWNS:
        for side in (ALLIED, GERMAN):
            if is_held_by(s, side, h):
                s.points[side] += POINTS["town"]
    for d in range(len(DEPOTS)):
        s.points[ALLIED] += depot_points(s, d)
    s.points[ALLIED] += POINTS["siege"] * sum(is_besieged(s, box) for box in FESTUNG_BOXES)
    if s.control[PARIS] == ALLIED + 1:
        s.points[ALLIED] += POINTS["paris"]


@rule("11.3-vp-depot")
def depot_points(s: S, d: int) -> int:
    """11.3 An Allied depot out of enemy zones (beaches too, ruling A5) is worth 3 and its Offensive capacity."""
    if s.depot[d] not in (REDUCED, FULL) or is_there(s, GERMAN, DEPOT_HEX[d]):
        return 0
    sheltered = DEPOTS[d].kind == "beach" and option(s, "beach-points") == "always"
    if in_enemy_zoc(s, ALLIED, DEPOT_HEX[d]) and not sheltered:
        return 0
    value: int = POINTS["depot"] + DEPOTS[d].offensive[0 if s.depot[d] == FULL else 1]
    return value
