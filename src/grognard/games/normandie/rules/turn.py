"""Chapter 1 as functions: what happens at the seams of turns, phases and player phases."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.kernel import Decision, Frame, No, emit, no, rule

from ..frames import Combat, Opening, Phase, PlayerPhase
from ..nouns import HEX, UNIT
from ..state import NO_UNIT
from ..state import NormandieState as S
from ..world import (
    ALLIED,
    AT,
    CODES,
    COLUMN,
    COUNT,
    GERMAN,
    HEXES,
    HQS,
    INDEX,
    IS_HQ,
    LAND,
    LIMITS,
    RESERVE,
    SCENARIOS,
    SIDE,
    STEPS,
    TRACK,
    is_box,
)
from .air import aircraft_return, empty_the_sky, set_ships
from .command import refresh_hqs
from .definitions import is_there, name_of, put, why_not_stack
from .logistics import EDGE
from .losses import lift_confusion, occupy
from .movement_choices import wake_units
from .offmap import settle_boxes
from .victory import end_game, judge_turn


@rule("1.0a", "5.1c", "1.1.1.1j")
def begin_turn(s: S, c: Frame) -> None:
    """1.0a A new turn starts; 5.1c headquarters choose their units afresh; 1.1.1.1j a storm of phase B is over."""
    s.phase = "A"
    s.storm = 0
    s.air_assigned = s.air_supplied = 0
    s.helped = ()
    for u in range(COUNT):
        s.boss[u] = NO_UNIT
    for group in (0, 1):
        s.carpets[group] = 0
    for p in range(len(s.rubble)):
        s.rubble[p] = 0
    emit(s, "turn", "1.0a", turn=s.turn)


@rule("1.0b", "1.1.4b")
def begin_phase(s: S, c: Phase) -> None:
    """1.0b Phase A or B begins with the Allied air step; ships have all their points."""
    s.phase = c.name
    s.air_assigned = 0
    for d in range(len(s.landed)):
        s.landed[d] = 0
    set_ships(s)
    emit(s, "phase", "1.0b", phase=c.name)


@rule("1.0c", "1.0e", "4.1.1a")
def begin_player(s: S, c: PlayerPhase) -> None:
    """1.0c A side's part of the phase: its marks of movement and combat are cleared, its reinforcements arrive."""
    s.active = c.side
    for u in range(COUNT):
        s.fought[u] = 0
        if SIDE[u] == c.side:
            s.moved[u] = s.trips[u] = s.reserve[u] = 0
            s.convoy[u] = NO_UNIT
    emit(s, "player", "1.0c", side=c.side)
    bring_reinforcements(s, c.side)
    settle_boxes(s)


@rule("1.1.2.1d", "1.1.2.1e", "11.1-reinf-ger", "11.1-reinf-us", "11.2-reinf", "5.4e")
def bring_reinforcements(s: S, side: int) -> None:
    """1.1.2.1d Allied counters due come to the strategic reserve, 1.1.2.1e German ones to their box or entry hex."""
    came = []
    for u in range(COUNT):
        if SIDE[u] != side or s.place[u] != TRACK or not s.steps[u] or s.due[u] > s.turn:
            continue
        if s.due[u] == s.turn and s.due_phase[u] and s.phase == "A":
            continue
        goal = RESERVE if side == ALLIED else _german_door(s, u)
        if goal < 0:
            continue
        put(s, u, goal)
        if goal < HEXES and u not in HQS:
            occupy(s, side, goal)
        came.append(name_of(u))
    if came:
        emit(s, "reinforcements", "1.1.2.1d", side=side, units=came)


def _german_door(s: S, u: int) -> int:
    """1.1.2.1e Where a German counter appears now, or -1 to wait."""
    goal = s.due_at[u]
    if is_box(goal):
        return goal
    if SCENARIOS[s.scenario].raw["strategic"]:
        return AT["lemans"] if s.control[AT["lemans"]] == GERMAN + 1 else AT["paris"]
    for h in (goal, EDGE):
        if h < HEXES and LAND[h] and not is_there(s, ALLIED, h) and why_not_stack(s, GERMAN, h, [u]) is None:
            return h
    return -1


def end_movement(s: S, c: PlayerPhase) -> None:
    """2.1b The end of the movement: boxes are settled and sleepers woken."""
    settle_boxes(s)
    wake_units(s)


@rule("1.1.3d")
def end_combats(s: S, c: PlayerPhase) -> None:
    """1.1.3d All headquarters have acted."""
    settle_boxes(s)


@rule("6.11a", "6.11c")
def close_combat(s: S, c: Combat) -> None:
    """6.11c Confusion ends when one side is gone from the place; 1.1.1.3k sleepers next to the enemy wake."""
    if c.kind in ("drop", "assault") and is_there(s, ALLIED, c.target) and is_there(s, GERMAN, c.target):
        s.confusion[c.target] = 1
        emit(s, "confusion", "6.11a", place=CODES[c.target])
    elif c.target < HEXES:
        lift_confusion(s, c.target)
    if c.target >= HEXES:
        settle_boxes(s)
    wake_units(s)


@rule("1.1.4a", "1.1.4b", "1.1.4c", "1.1.4d", "10b", "6.5a")
def end_phase(s: S, c: Phase) -> None:
    """1.1.4 Aircraft and headquarters are ready again, ships too, and Affected marks go (10b not on turn 0)."""
    aircraft_return(s)
    refresh_hqs(s)
    if s.turn > 0:
        for u in range(COUNT):
            s.affected[u] = 0


@rule("1.1.4e", "1.1.5a", "1.1.5b", "1.1.5c", "1.2a")
def end_turn(s: S, c: Frame) -> None:
    """1.1.5 The sky is emptied, disorder falls by one level, the marker advances; 1.2a or the game ends."""
    empty_the_sky(s)
    recover(s)
    settle_boxes(s)
    judge_turn(s)
    if s.outcome:
        return
    if s.turn >= SCENARIOS[s.scenario].last_turn:
        end_game(s)
        return
    s.turn += 1


@rule("1.1.5b", "6.5a")
def recover(s: S) -> None:
    """1.1.5b D1 is lifted, D2 becomes D1."""
    for u in range(COUNT):
        if s.disorder[u]:
            s.disorder[u] -= 1


# --- 11b free placement ---------------------------------------------------------------------------------------------


def unplaced(s: S, side: int) -> list[tuple[int, int, int]]:
    """The counters that a side may still place freely, with their columns."""
    return [
        (INDEX[name], low, high) for name, low, high in SCENARIOS[s.scenario].free
        if SIDE[INDEX[name]] == side and s.place[INDEX[name]] == TRACK
    ]  # fmt: skip


def weakened(s: S, side: int) -> list[int]:
    """11.2 The counters of the first division that has still to lose the step printed for it as a whole."""
    for names in SCENARIOS[s.scenario].raw.get("weakened", ()):
        units = [INDEX[name] for name in names]
        if SIDE[units[0]] == side and all(s.steps[u] == STEPS[u] for u in units):
            return units
    return []


NOT_WEAKENED = no("11.2-setup-ger", "not-weakened")
NOT_FREE, NOT_YOUR_GROUND = no("11b", "not-free"), no("11b", "not-your-ground")
WRONG_COLUMNS = no("11.2-setup-ger-free", "wrong-columns")
NOT_YOURS, MARKERS_FULL = no("11.2-offensive", "not-yours"), no("0.2.1b", "markers-full")


@rule("11.2-setup-ger", "11b")
class WeakenDivision(Decision):
    """11.2-setup-ger A step printed as lost on a whole division is taken from the counter its owner picks (A23)."""

    verbs = {"weaken": UNIT}

    def needed(self, s: S, c: Opening, side: int) -> bool:
        """While a division owes its step."""
        return bool(weakened(s, side))

    def nouns(self, s: S, c: Opening, side: int, verb: str) -> Iterable[int]:
        """The counters of the division."""
        return weakened(s, side)

    def why_not(self, s: S, c: Opening, side: int, verb: str, noun: int) -> No | None:
        """11.2-setup-ger Only those."""
        return None if noun in weakened(s, side) else NOT_WEAKENED

    def apply(self, s: S, c: Opening, side: int, verb: str, noun: int) -> None:
        """11.2-setup-ger It starts reduced, and nobody scores for it."""
        s.steps[noun] -= 1


def hand_out(s: S, c: Opening, side: int) -> None:
    """11b The next counter to be placed."""
    c.unit = next((u for u, _, _ in unplaced(s, side)), -1)


@rule("11.2-setup-ger-free", "11.2-setup-79", "11b")
class PlaceFreely(Decision):
    """11.2 The German reserve goes anywhere east of column 13, the 79th Armoured where the Allied player likes."""

    verbs = {"place": HEX}

    def needed(self, s: S, c: Opening, side: int) -> bool:
        """While counters are left."""
        return c.unit >= 0 and SIDE[c.unit] == side

    def nouns(self, s: S, c: Opening, side: int, verb: str) -> Iterable[int]:
        """The hexes held by the side."""
        return [h for h in range(HEXES) if LAND[h] and s.control[h] == side + 1]

    def why_not(self, s: S, c: Opening, side: int, verb: str, noun: int) -> No | None:
        """11.2 Columns, own ground, stacking."""
        for u, low, high in unplaced(s, side):
            if u == c.unit:
                if not low <= COLUMN[noun] <= high:
                    return WRONG_COLUMNS
                if s.control[noun] != side + 1 or not LAND[noun]:
                    return NOT_YOUR_GROUND
                return why_not_stack(s, side, noun, [u])
        return NOT_FREE

    def apply(self, s: S, c: Opening, side: int, verb: str, noun: int) -> None:
        """11b There."""
        put(s, c.unit, noun)
        hand_out(s, c, side)


@rule("11.2-offensive")
class PlaceMarkers(Decision):
    """11.2-offensive The Allied side starts with two Offensive markers, with the headquarters of its choice."""

    verbs = {"marker": UNIT}

    def needed(self, s: S, c: Opening, side: int) -> bool:
        """While markers are left."""
        return s.free_markers > 0

    def nouns(self, s: S, c: Opening, side: int, verb: str) -> Iterable[int]:
        """Headquarters on the map."""
        return [hq for hq in HQS if SIDE[hq] == side and s.place[hq] < HEXES]

    def why_not(self, s: S, c: Opening, side: int, verb: str, noun: int) -> No | None:
        """0.2.1b Two in a hex at most."""
        if SIDE[noun] != side or s.place[noun] >= HEXES or not IS_HQ[noun]:
            return NOT_YOURS
        return MARKERS_FULL if s.offensive[s.place[noun]] >= LIMITS["markers"] else None

    def apply(self, s: S, c: Opening, side: int, verb: str, noun: int) -> None:
        """11.2-offensive One there."""
        s.free_markers -= 1
        s.offensive[s.place[noun]] += 1
