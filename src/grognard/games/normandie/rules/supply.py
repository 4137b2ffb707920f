"""Chapters 7, 7.3, 7.4 and 7.5: supply lines, headquarters, the unsupplied, supply from the air."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress

from grognard.hexes import flood
from grognard.kernel import Decision, Frame, No, emit, no, option, rule

from ..nouns import NOTHING, UNIT
from ..state import FULL, NO_UNIT, REDUCED
from ..state import NormandieState as S
from ..world import (
    ALLIED,
    AT,
    BATTERY,
    BOX_AT,
    BOX_NEXT,
    BOXES,
    COLUMN,
    COUNT,
    DEPOT_HEX,
    DEPOTS,
    DIVISION,
    ENTRY_HEXES,
    FIRST_BOX,
    FIXED,
    GARRISON,
    GERMAN,
    GROUP,
    GROUPS,
    HEXES,
    HQS,
    IS_HQ,
    LAST_BOX,
    LIMITS,
    PE,
    PLACE_COUNT,
    ROAD_NEXT,
    ROW,
    SIDE,
    SUPPLY_NEXT,
    distance,
    is_box,
)
from .command import is_in_range
from .definitions import in_enemy_zoc, is_infantry, is_supported, name_of, thirds_of, units_in, west_of


@rule("7.1b", "7.1e")
def is_operational(s: S, d: int) -> bool:
    """7.1b An Allied depot works when it is open and, unless it is a beach, out of enemy zones (ruling A5)."""
    if s.depot[d] not in (REDUCED, FULL):
        return False
    return DEPOTS[d].kind == "beach" or not in_enemy_zoc(s, ALLIED, DEPOT_HEX[d])


@rule("7.1a")
def serves(d: int, group: int) -> bool:
    """7.1a Utah and Omaha serve the Americans, Gold, Juno and Sword the Anglo-Canadians, a port either."""
    return DEPOTS[d].group in ("both", GROUPS[group])


@rule("7.3.1c", "7.3.1d")
def is_open_to_supply(s: S, side: int, h: int) -> bool:
    """7.3.1c A hex of a supply line is free of enemies and of enemy zones; 7.3.1d a friendly unit lifts the zone."""
    own, enemy = s.there[side * PLACE_COUNT + h], s.there[(1 - side) * PLACE_COUNT + h]
    if enemy:
        return bool(own and s.confusion[h])
    return not s.zoc[(1 - side) * HEXES + h] or bool(own and units_in(s, h, side))


def _flood(s: S, side: int, starts: Iterable[int], steps: tuple[tuple[int, ...], ...]) -> set[int]:
    west = west_of(s)
    first = [h for h in starts if is_open_to_supply(s, side, h)]
    return set(flood(first, steps, lambda h: COLUMN[h] >= west and is_open_to_supply(s, side, h)))


@rule("7.2d", "7.2f")
def is_usable(s: S, place: int) -> bool:
    """7.2d A German depot works unless its place is in Confusion, 7.2f or held by the enemy around its Festung."""
    return bool(s.german_depot[place] and not s.confusion[place] and s.control[place] == GERMAN + 1)


@rule("7.2a", "7.2d", "4.1.2a")
def supplied_boxes(s: S) -> set[int]:
    """7.2a The boxes joined to a German depot by lines; 7.2d a box in Confusion is blocked; 4.1.2a lines are roads."""
    starts = [b for b in range(FIRST_BOX, LAST_BOX + 1) if is_usable(s, b)]
    return set(flood(starts, BOX_NEXT, lambda b: s.control[b] == GERMAN + 1 and not s.confusion[b]))


@rule("7.2a", "7.1b", "7.3.2a")
def sources(s: S, side: int) -> list[int]:
    """7.3.2a The hexes from which a side's supply comes: Allied depots at work, whichever army's; or Cherbourg and the
    German way in."""
    if side == ALLIED:
        return sorted({DEPOT_HEX[d] for d in range(len(DEPOTS)) if is_operational(s, d)})
    out = {h for h in range(HEXES) if s.german_depot[h]}
    if s.scenario == "cherbourg":
        out |= {h for h in range(HEXES) if ROW[h] == 21 and ROAD_NEXT[h] and COLUMN[h] >= west_of(s)}
    boxes = supplied_boxes(s)
    out |= {h for box, hexes in ENTRY_HEXES.items() if box in boxes for h in hexes}
    return sorted(out)


def road_net(s: S, side: int) -> set[int]:
    """7.3.1a The open hexes that roads join to the depots of a side."""
    starts = sources(s, side)
    beside = [n for h in starts if is_open_to_supply(s, side, h) for n in SUPPLY_NEXT[h]]
    return _flood(s, side, [*starts, *beside], ROAD_NEXT)


@rule("7.3.2a", "7.3.1a", "7.3.1b")
def supplied_hqs(s: S, side: int) -> list[int]:
    """7.3.2a A headquarters is supplied if a road leads it to a depot, however far, or if it is Supported.

    7.3.1a "By way of a road": headquarters and depot stand on the road or next to it (our reading; the text does not
    say how they join it).
    """
    roads = road_net(s, side)
    boxes = supplied_boxes(s) if side == GERMAN else _allied_boxes(s, roads)
    out = []
    for hq in HQS:
        place = s.place[hq]
        if SIDE[hq] != side or (place >= HEXES and not is_box(place)):
            continue
        if place >= HEXES:
            linked = place in boxes
        else:
            linked = place in roads or any(n in roads for n in SUPPLY_NEXT[place])
        if linked or is_supported(s, hq):
            out.append(hq)
    return out


def _allied_boxes(s: S, roads: set[int]) -> set[int]:
    """4.1.2a The boxes held by the Allies that roads join to an operational depot through an exit hex."""
    held = {AT[b.id] for b in BOXES if s.control[AT[b.id]] == ALLIED + 1}
    starts = [box for box, hexes in ENTRY_HEXES.items() if box in held and any(h in roads for h in hexes)]
    return set(flood(starts, BOX_NEXT, held.__contains__))


@rule("7a", "7.3.1a", "7.3.1e", "7.3.1f", "5.1a", "0.1.2p", "5.1b")
def supplied_units(s: S, side: int) -> set[int]:
    """7a A unit is supplied by a supplied headquarters that it can reach and that controls it.

    7.3.1e The letter asks for a Supported one, which would starve most of an army: that is an option (ruling A6).

    Each headquarters takes the nearest units first, within its limits (ruling A9). 0.1.2p A Festung and its men never
    lack anything; garrisons and batteries live on their own stores (our reading).
    """
    hqs = supplied_hqs(s, side)
    if option(s, "strict-supply") == "on":
        hqs = [hq for hq in hqs if is_supported(s, hq)]
    happy = {u for u in range(COUNT) if SIDE[u] == side and not IS_HQ[u] and (FIXED[u] or GARRISON[u] or BATTERY[u])}
    lines = {hq: _flood(s, side, [s.place[hq]], SUPPLY_NEXT) if s.place[hq] < HEXES else set() for hq in hqs}
    wishes: list[tuple[int, int, int, int]] = []
    for u in range(COUNT):
        if SIDE[u] != side or IS_HQ[u] or u in happy or s.place[u] > LAST_BOX:
            continue
        place = s.place[u]
        if is_box(place) and BOX_AT[place].inside:
            happy.add(u)
            continue
        able = [hq for hq in hqs if GROUP[hq] == GROUP[u] and is_in_range(s, hq, u) and _joined(s, hq, u, lines)]
        able = [hq for hq in able if s.boss[u] in (NO_UNIT, hq)]
        wishes += [(len(able), distance(s.place[hq], place) if place < HEXES else 0, u, hq) for hq in able]
    led: dict[int, list[int]] = {hq: [] for hq in hqs}
    for _, _, u, hq in sorted(wishes):
        if u in happy:
            continue
        thirds, zero = thirds_of([*led[hq], u])
        if thirds <= LIMITS["control_thirds"] and zero <= LIMITS["control_zero"]:
            led[hq].append(u)
            happy.add(u)
    return happy


def _joined(s: S, hq: int, u: int, lines: dict[int, set[int]]) -> bool:
    place = s.place[u]
    if place >= HEXES or s.place[hq] >= HEXES:
        return place >= HEXES and s.place[hq] >= HEXES
    return place in lines[hq] or any(n in lines[hq] for n in SUPPLY_NEXT[place])


@rule("10c", "11.3b")
def is_free_supply(s: S) -> bool:
    """11.3b On turns 0 and 1 of the campaign everybody is supplied; scenario 1 opens on the same turn 1 (an option)."""
    if s.scenario == "cherbourg":
        return s.turn <= 1 and option(s, "first-supply") == "on"
    return s.scenario == "campaign" and s.turn <= 1


@rule("1.1.1.2c", "7b", "7.5a", "10c", "11.3b", "2.2e")
def check_supply(s: S, c: Frame) -> None:
    """1.1.1.2c Mark the unsupplied of both sides, once a turn; 7.5a the mark stays until the next check."""
    free = is_free_supply(s)
    for side in (ALLIED, GERMAN):
        hqs, units = supplied_hqs(s, side), supplied_units(s, side)
        short = []
        for u in range(COUNT):
            if SIDE[u] != side or s.place[u] > LAST_BOX:
                continue
            supplied = free or (u in hqs if IS_HQ[u] else u in units)
            s.unsupplied[u] = int(not supplied)
            if supplied and not free:
                s.unlinked[u] = 0
            if not supplied:
                short.append(name_of(u))
        if short:
            emit(s, "unsupplied", "1.1.1.2c", units=short)


NOT_INFANTRY, AIR_SUPPLY_FULL = no("7.4a", "not-infantry"), no("7.4a", "air-supply-full")


@rule("7.4a")
class AirSupply(Decision):
    """7.4a The Allied side supplies infantry from the air: 4 PE, or one whole division (ruling A30)."""

    verbs = {"air-supply": UNIT, "enough": NOTHING}

    def fits(self, s: S, u: int) -> bool:
        """7.4a Within 4 PE with those already helped, or all of one division."""
        chosen = [*s.helped, u]
        if sum(PE[v] for v in chosen) <= LIMITS["air_supply"]:
            return True
        whole = option(s, "air-supply") == "division"
        return whole and bool(DIVISION[u]) and len({DIVISION[v] for v in chosen}) == 1

    def needed(self, s: S, c: Frame, side: int) -> bool:
        """While somebody can be helped and the side has not said enough."""
        return not s.storm and not s.air_supplied and bool(self.legal_nouns(s, c, side, "air-supply"))

    def nouns(self, s: S, c: Frame, side: int, verb: str) -> Iterable[int]:
        """The unsupplied infantry."""
        return (0,) if verb == "enough" else compress(range(COUNT), s.unsupplied)

    def why_not(self, s: S, c: Frame, side: int, verb: str, noun: int) -> No | None:
        """7.4a Infantry only, and not too much of it."""
        if verb == "enough":
            return None
        if not s.unsupplied[noun] or SIDE[noun] != ALLIED or s.place[noun] > LAST_BOX or not is_infantry(noun):
            return NOT_INFANTRY
        return None if self.fits(s, noun) else AIR_SUPPLY_FULL

    def apply(self, s: S, c: Frame, side: int, verb: str, noun: int) -> None:
        """7.4a The mark is lifted."""
        if verb == "enough":
            s.air_supplied = 1
            return
        s.unsupplied[noun] = 0
        s.helped = (*s.helped, noun)
        emit(s, "air-supplied", "7.4a", unit=name_of(noun))
