"""Chapters 1.1.1.2, 7.1 and 7.2: ports, Offensive markers and the way they reach the headquarters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress

from grognard.kernel import Decision, Frame, No, emit, enter, no, roll, rule

from ..frames import MarkerMove
from ..nouns import FIRST_DEPOT, NOTHING, PLACE, SOURCE, UNIT
from ..state import BUILDING, CLEAR_SKY, FULL, NO_DEPOT, REDUCED
from ..state import NormandieState as S
from ..world import (
    ALLIED,
    AT,
    BOX_AT,
    CHARTS,
    CHERBOURG_PORT,
    CODES,
    DEPOT_HEX,
    DEPOTS,
    ENTRY_HEXES,
    FIRST_BOX,
    GERMAN,
    GROUP,
    HEXES,
    HQS,
    LAST_BOX,
    LIMITS,
    MOTOR,
    SCENARIOS,
    SIDE,
    STRATEGIC,
    distance,
)
from .command import BOXES_NEXT
from .definitions import hqs_in, in_enemy_zoc, is_there, name_of
from .departure import interdiction_blocks
from .movement import interdicted_zones, spread
from .supply import is_operational, is_usable, serves

EDGE = AT["2118"]  # 11.1: where German markers come in while the strategic map is not used (proposed)


# --- 7.1 ports ------------------------------------------------------------------------------------------------------


@rule("1.1.1.2b", "7.1d", "7.1e", "7.1g", "7.1.1b", "7.1.2a", "7.1.3a", "7.1.3b")
def build_ports(s: S, c: Frame) -> None:
    """1.1.1.2b Depots whose delay is over are opened, reduced ones grow; 7.1g an enemy zone delays a port by a turn.

    7.1.3b Germans in the port of Cherbourg for a turn halve it, for two turns close it.
    """
    for d, depot in enumerate(DEPOTS):
        s.landed[d] = s.passed[d] = 0
        h = DEPOT_HEX[d]
        if depot.kind == "cherbourg" and s.depot[d] in (REDUCED, FULL) and is_there(s, GERMAN, h):
            s.depot[d] = REDUCED if s.depot[d] == FULL else NO_DEPOT
            emit(s, "depot-halved", "7.1.3b", depot=depot.id)
            continue
        if s.depot[d] not in (BUILDING, REDUCED) or not s.depot_turn[d]:
            continue
        if in_enemy_zoc(s, ALLIED, h) and depot.kind != "beach":
            s.depot_turn[d] += 1
            emit(s, "depot-delayed", "7.1g", depot=depot.id, turn=s.depot_turn[d])
        elif s.depot_turn[d] <= s.turn:
            grows = s.depot[d] == BUILDING and depot.delay[1] > 0
            s.depot[d] = REDUCED if grows else FULL
            s.depot_turn[d] = s.turn + depot.delay[1] if grows else 0
            emit(s, "depot-open", "7.1d", depot=depot.id, full=int(not grows))


# --- 1.1.1.2 Offensive markers --------------------------------------------------------------------------------------


@rule("1.1.1.2d", "1.1.1.2e", "11.1-offensive", "7.2b")
def roll_markers(s: S, c: Frame) -> None:
    """1.1.1.2d One die a side on its table; 1.1.1.2e Allied markers go to the reserve.

    11.1-offensive Half of them, rounded up, in scenario 1; 7.2b one more for the German while he holds Cherbourg.
    """
    chart, raw = CHARTS["offensive"], SCENARIOS[s.scenario].raw
    for i in range(len(s.stuck)):
        s.stuck[i] = 0
    (allied,) = roll(s, "1.1.1.2d", side=ALLIED)
    (german,) = roll(s, "1.1.1.2d", side=GERMAN)
    row = next(r for r in chart["allied"] if r["from"] <= max(1, s.turn) <= r["to"])
    clear = s.weather == CLEAR_SKY
    gains = [row["die"][allied - 1] + (0 if clear else chart["allied_overcast"]),
             chart["german_clear" if clear else "german_overcast"][german - 1]]  # fmt: skip
    if raw["half_markers"]:
        gains = [(n + 1) // 2 for n in gains]
    s.allied_markers += gains[ALLIED]
    s.german_pool = gains[GERMAN]
    if s.german_depot[CHERBOURG_PORT] and s.offensive[CHERBOURG_PORT] < LIMITS["markers"]:
        s.offensive[CHERBOURG_PORT] += chart["cherbourg_bonus"]
        gains[GERMAN] += chart["cherbourg_bonus"]
    for side in (ALLIED, GERMAN):
        s.got[side] = gains[side]
    s.marker_turn = GERMAN if gains[GERMAN] > gains[ALLIED] else ALLIED
    s.marker_pass = 0
    emit(s, "markers", "1.1.1.2d", allied=gains[ALLIED], german=gains[GERMAN])


@rule("1.1.1.2f", "7.2d", "7.2f")
def marker_room(s: S, place: int) -> int:
    """1.1.1.2f How many new German markers a depot can still take; 7.2d none while it is blocked."""
    if not is_usable(s, place):
        return 0
    if place < HEXES:
        return max(0, LIMITS["markers"] - s.offensive[place])
    if CODES[place] not in STRATEGIC["markers"]["boxes"]:
        return 0
    return max(0, s.german_depot[place] - 1 - s.offensive[place])


DEPOT_FULL = no("1.1.1.2f", "depot-full")
MARKER_CANNOT_GO, NO_MARKER_THERE = no("1.1.1.2g", "marker-cannot-go"), no("1.1.1.2g", "no-marker-there")


@rule("1.1.1.2f")
class StoreMarkers(Decision):
    """1.1.1.2f The German puts his markers on usable depots, within their capacity; the rest is lost."""

    verbs = {"store": PLACE}

    def places(self, s: S) -> list[int]:
        """Depots with room: Cherbourg, then the boxes; in scenario 1 the south edge stands for these."""
        found = [CHERBOURG_PORT] if marker_room(s, CHERBOURG_PORT) else []
        if s.scenario != "cherbourg":
            return [*found, *(p for p in range(FIRST_BOX, LAST_BOX + 1) if marker_room(s, p))]
        if s.offensive[EDGE] < LIMITS["markers"] and not is_there(s, ALLIED, EDGE):
            found.append(EDGE)
        return found

    def needed(self, s: S, c: Frame, side: int) -> bool:
        """While there are markers and room for them."""
        return s.german_pool > 0 and bool(self.places(s))

    def nouns(self, s: S, c: Frame, side: int, verb: str) -> Iterable[int]:
        """Depots with room."""
        return self.places(s)

    def why_not(self, s: S, c: Frame, side: int, verb: str, noun: int) -> No | None:
        """1.1.1.2f Full, blocked or no depot."""
        return None if noun in self.places(s) else DEPOT_FULL

    def apply(self, s: S, c: Frame, side: int, verb: str, noun: int) -> None:
        """1.1.1.2f One marker there."""
        s.german_pool -= 1
        s.offensive[noun] += 1


@rule("0.2.1d", "0.2.1e", "0.2.1b", "7.3.2b", "1.1.1.1i")
def marker_roads(s: S, side: int, start: int) -> dict[int, int]:
    """0.2.1d Where a marker may go: 12 points as a motorised unit, 0.2.1e under interdiction (ruling A39)."""
    zones = interdicted_zones(s) if side == GERMAN else None
    found = spread(s, side, start, MOTOR, CHARTS["offensive"]["move"], 0, zones, one_free=False)
    return found | {start: 0}


def marker_goals(s: S, side: int, start: int, groups: Sequence[int] = (0, 1, 2)) -> list[int]:
    """7.3.2b The supplied headquarters of the side with room for a marker that one from here can reach."""
    wanted = [
        hq for hq in HQS
        if SIDE[hq] == side and s.place[hq] < HEXES and s.place[hq] != start and GROUP[hq] in groups
        and s.offensive[s.place[hq]] < LIMITS["markers"] and not s.unsupplied[hq]
        and distance(start, s.place[hq]) <= CHARTS["offensive"]["move"]
    ]  # fmt: skip
    if not wanted:
        return []
    found = marker_roads(s, side, start)
    return [hq for hq in wanted if s.place[hq] in found]


@rule("1.1.1.2g", "1.1.1.2e", "4.1.2j")
class MoveMarker(Decision):
    """1.1.1.2g The sides move one Offensive marker each in turn, whoever received more first.

    An Allied marker leaves the reserve by an operational depot of the headquarters' group, which passes as many a turn
    as its capacity (our reading); a German one leaves a box after an interdiction die, at most once a turn.
    """

    verbs = {"marker": UNIT, "no-more": NOTHING}

    def needed(self, s: S, c: Frame, side: int) -> bool:
        """The side whose turn it is, until both have finished."""
        return side == s.marker_turn and not s.marker_pass >> side & 1

    def nouns(self, s: S, c: Frame, side: int, verb: str) -> Iterable[int]:
        """The headquarters that a marker can reach."""
        return (0,) if verb == "no-more" else sorted(marker_sources(s, side))

    def legal_nouns(self, s: S, c: Frame, side: int, verb: str) -> list[int]:
        """All of them: they are looked for once."""
        return list(self.nouns(s, c, side, verb))

    def why_not(self, s: S, c: Frame, side: int, verb: str, noun: int) -> No | None:
        """1.1.1.2g Nothing to move there, or the headquarters cannot be reached."""
        return None if verb == "no-more" or noun in marker_sources(s, side) else MARKER_CANNOT_GO

    def apply(self, s: S, c: Frame, side: int, verb: str, noun: int) -> None:
        """1.1.1.2g Move it, and the other side is next; whence is asked where there are several."""
        if verb == "no-more":
            s.marker_pass |= 1 << side
        else:
            found = marker_sources(s, side)[noun]
            if len(found) > 1:
                enter(s, MarkerMove(side=side, unit=noun))
            else:
                move_marker(s, side, found[0], noun)
        if not s.marker_pass >> (1 - side) & 1:
            s.marker_turn = 1 - side


@rule("1.1.1.2g", "1.1.1.2e")
def marker_sources(s: S, side: int) -> dict[int, list[int]]:
    """1.1.1.2g By headquarters, where a marker can come from: depots (numbered after the places), hexes, boxes."""
    found: dict[int, list[int]] = {}
    if side == ALLIED and s.allied_markers and not s.storm:
        for d, depot in enumerate(DEPOTS):
            if is_operational(s, d) and s.passed[d] < depot.offensive[0 if s.depot[d] == FULL else 1]:
                for hq in _from_depot(s, d):
                    found.setdefault(hq, []).append(FIRST_DEPOT + d)
    for place in compress(range(LAST_BOX + 1), s.offensive):
        if s.offensive[place] <= s.stuck[place]:
            continue
        goals: Iterable[int] = ()
        if place < HEXES:
            goals = marker_goals(s, side, place) if owns_markers(s, side, place) else ()
        elif side == GERMAN and not s.confusion[place]:
            goals = box_routes(s, place)
        for hq in goals:
            found.setdefault(hq, []).append(place)
    return found


def _from_depot(s: S, d: int) -> list[int]:
    h = DEPOT_HEX[d]
    near = [hq for hq in hqs_in(s, h, ALLIED) if s.offensive[h] < LIMITS["markers"] and not s.unsupplied[hq]]
    goals = marker_goals(s, ALLIED, h, [group for group in (0, 1) if serves(d, group)])
    return [hq for hq in (*near, *goals) if serves(d, GROUP[hq])]


@rule("1.1.1.2g")
class PickSource(Decision):
    """1.1.1.2g Whence the marker comes."""

    verbs = {"from": SOURCE}

    def needed(self, s: S, c: MarkerMove, side: int) -> bool:
        """Once."""
        return not c.over

    def nouns(self, s: S, c: MarkerMove, side: int, verb: str) -> Iterable[int]:
        """The depots, hexes and boxes from which one can reach the headquarters."""
        return marker_sources(s, side).get(c.unit, ())

    def legal_nouns(self, s: S, c: MarkerMove, side: int, verb: str) -> list[int]:
        """All of them: they are looked for once."""
        return list(self.nouns(s, c, side, verb))

    def why_not(self, s: S, c: MarkerMove, side: int, verb: str, noun: int) -> No | None:
        """1.1.1.2g Only those."""
        return None if noun in marker_sources(s, side).get(c.unit, ()) else NO_MARKER_THERE

    def apply(self, s: S, c: MarkerMove, side: int, verb: str, noun: int) -> None:
        """1.1.1.2g Off it goes."""
        c.over = 1
        move_marker(s, side, noun, c.unit)


@rule("0.2.1c", "4.3l")
def owns_markers(s: S, side: int, place: int) -> bool:
    """0.2.1c Markers obey whoever holds their hex."""
    return is_there(s, side, place) or (not is_there(s, 1 - side, place) and s.control[place] == side + 1)


def box_goals(s: S, box: int) -> list[int]:
    """Headquarters that a marker leaving a box can reach at once: by its entry hexes, or in a box next to it."""
    out: list[int] = []
    for h in ENTRY_HEXES.get(box, ()):
        if not is_there(s, ALLIED, h):
            out += [hq for hq in (*hqs_in(s, h, GERMAN), *marker_goals(s, GERMAN, h)) if hq not in out]
    out += [hq for hq in HQS if SIDE[hq] == GERMAN and s.place[hq] in BOXES_NEXT[box] and not s.unsupplied[hq]]
    return [hq for hq in out if s.place[hq] >= HEXES or s.offensive[s.place[hq]] < LIMITS["markers"]]


@rule("1.1.1.2g", "4.1.2b")
def box_routes(s: S, box: int) -> dict[int, tuple[int, ...]]:
    """Ruling A39: the headquarters that a marker in a box can reach, each with the boxes to be left on the way.

    It goes up to two boxes, like a unit, through boxes that the German holds; where several lead there, the one that is
    easiest to leave.
    """
    out: dict[int, tuple[int, ...]] = dict.fromkeys(box_goals(s, box), (box,))
    for second in sorted(BOXES_NEXT[box], key=lambda b: (-BOX_AT[b].number, b)):
        if s.control[second] == GERMAN + 1 and not s.confusion[second]:
            for hq in box_goals(s, second):
                if s.place[hq] != box:
                    out.setdefault(hq, (box, second))
    return out


@rule("1.1.1.2g", "4.1.2j", "4.1.2k")
def move_marker(s: S, side: int, start: int, hq: int) -> None:
    """1.1.1.2g One marker to a headquarters; ruling A39: leaving a box needs an interdiction die, each of two boxes."""
    goal = s.place[hq]
    if start >= FIRST_DEPOT:
        s.allied_markers -= 1
        s.passed[start - FIRST_DEPOT] += 1
    else:
        place = start
        for box in box_routes(s, start)[hq] if start >= HEXES else ():
            if box != place:  # it has come as far as the second box
                s.offensive[place] -= 1
                s.offensive[box] += 1
                place = box
            if interdiction_blocks(s, box, "1.1.1.2g"):
                s.stuck[box] += 1
                emit(s, "marker-blocked", "4.1.2j", place=CODES[box])
                return
        s.offensive[place] -= 1
    s.offensive[goal] += 1
    s.stuck[goal] = min(s.offensive[goal], s.stuck[goal] + 1)
    emit(s, "marker-moved", "1.1.1.2g", start=SOURCE.word(s, side, start), hq=name_of(hq), place=CODES[goal])
