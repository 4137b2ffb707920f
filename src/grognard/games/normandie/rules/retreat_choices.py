"""Chapter 6.6 as decisions: hold on among houses, retreat hex by hex, give up what no hex can hold."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.kernel import Decision, No, emit, no, rule

from ..frames import Combat
from ..nouns import NOTHING, PLACE, UNIT
from ..state import NormandieState as S
from ..world import CODES, GERMAN, HEXES, IS_HQ, PE, SIDE
from .combat import order_retreat, settle
from .combat_choices import HELD
from .definitions import name_of, units_in, why_not_stack
from .losses import disorganise
from .retreat import EXTRA_LEGS, give_up, is_full_for, is_open_to_aircraft, retreat_hexes, step_back, survives

NOT_FIRST = no("6.4d", "not-first")
WHO_FIRST = no("6.4d", "who-first", lambda s, c, side, noun: {"place": CODES[c.target]})
MUST_BE_SPARED = no("4.3j", "must-be-spared", lambda s, c, side, noun: {"unit": name_of(c.retreating[0])})
NO_RETREAT_THERE = no("6.6b", "no-retreat-there", lambda s, c, side, noun: {"unit": name_of(c.retreating[0])})
NOT_IN_EXCESS = no("6.6d", "not-in-excess", lambda s, c, side, noun: {"place": CODES[c.crowded[0]]})


def retreat_owner(s: S, c: Combat) -> Iterable[int]:
    """6.4d Each side routes its own retreats, 4.3j but in an overrun the attacker does."""
    return (c.side if c.kind == "overrun" else 1 - c.side,)


@rule("6.6f", "2.2g")
class HoldGround(Decision):
    """6.6f In a town or village that he counted as such, the defender may ignore one hex of retreat."""

    verbs = {"hold": NOTHING, "fall-back": NOTHING}

    def needed(self, s: S, c: Combat, side: int) -> bool:
        """Once, if he must retreat from houses."""
        return bool(
            c.retreat and not c.asked & HELD and c.kind != "drop" and c.cover in ("village", "town")
            and units_in(s, c.target, side)
        )  # fmt: skip

    def nouns(self, s: S, c: Combat, side: int, verb: str) -> Iterable[int]:
        """Yes or no."""
        return (0,)

    def why_not(self, s: S, c: Combat, side: int, verb: str, noun: int) -> No | None:
        """Either may be chosen."""
        return None

    def apply(self, s: S, c: Combat, side: int, verb: str, noun: int) -> None:
        """6.6f One hex less."""
        c.asked |= HELD
        if verb == "hold":
            c.retreat -= 1
            emit(s, "held", "6.6f", place=CODES[c.target], cover=c.cover)


def begin_retreat(s: S, c: Combat) -> None:
    """6.6 Line up the units that must go; those that have nowhere to go are lost at once."""
    order_retreat(s, c)
    _drop_trapped(s, c)


def _drop_trapped(s: S, c: Combat) -> None:
    while c.retreating:
        u = c.retreating[0]
        if s.place[u] != c.target and c.leg == 0:  # lost meanwhile
            c.retreating = c.retreating[1:]
        elif not ways_back(s, c, u):
            give_up(s, u, "6.6a")
            c.retreating, c.leg, c.picked = c.retreating[1:], 0, 0
        else:
            return


@rule("6.6b", "4.3j")
def ways_back(s: S, c: Combat, u: int) -> list[int]:
    """6.6 Where the unit may go next; off-map to a box of its own side.

    4.3j In an overrun, where the attacker chooses, ways on which the unit would be lost are open only if all are so.
    """
    if c.target >= HEXES:
        from .offmap import boxes_to_retreat

        return boxes_to_retreat(s, u)
    ways = retreat_hexes(s, u, c.target, c.leg, free=c.kind == "drop")
    if c.kind == "overrun":
        ways = [h for h in ways if survives(s, u, c.target, h, c.leg + 1, c.retreat)] or ways
    return ways


@rule("6.6c", "6.4d")
def queue(s: S, c: Combat) -> list[int]:
    """6.6c The units of which one is to be chosen to go next; none where their order cannot matter.

    It matters while a hex in which they could end has no room for all of them, and there is another or a way on: who
    comes late goes further. The headquarters goes last; boxes have room for everybody.
    """
    if c.leg or c.picked or c.target >= HEXES:
        return []
    units = [u for u in c.retreating if not IS_HQ[u] and ways_back(s, c, u)]
    if len(units) < 2:
        return []
    ends = sorted({h for u in units for h in _ends(s, c, u)})
    if all(why_not_stack(s, 1 - c.side, h, units) is None for h in ends):
        return []
    goes_on = len(ends) > 1 or any(retreat_hexes(s, u, c.target, c.retreat, here=ends[0]) for u in units)
    return units if goes_on else []  # 6.6d in a dead end nobody goes further: whom it costs is asked later


def _ends(s: S, c: Combat, u: int) -> set[int]:
    """6.6 The hexes in which the unit could stand after as many hexes as it must go back."""
    found = set(ways_back(s, c, u))
    for leg in range(1, c.retreat):
        found = {n for h in found for n in retreat_hexes(s, u, c.target, leg, c.kind == "drop", here=h)} or found
    return found


@rule("6.6a", "6.6b", "6.6c", "6.6d", "6.4c", "6.4d", "4.3j", "9.1d", "6.6e")
class Retreat(Decision):
    """6.6 One unit after the other, hex by hex; 6.4c each by its own way, 6.4d in the order that the player likes."""

    verbs = {"first": UNIT, "retreat": PLACE}

    def needed(self, s: S, c: Combat, side: int) -> bool:
        """While units are still to go."""
        return bool(c.retreating)

    def nouns(self, s: S, c: Combat, side: int, verb: str) -> Iterable[int]:
        """Who goes next, where that matters; then the hexes open to that unit."""
        units = queue(s, c)
        if verb == "first":
            return units
        return () if units else ways_back(s, c, c.retreating[0])

    def legal_nouns(self, s: S, c: Combat, side: int, verb: str) -> list[int]:
        """All of them are legal by construction."""
        return list(self.nouns(s, c, side, verb))

    def why_not(self, s: S, c: Combat, side: int, verb: str, noun: int) -> No | None:
        """6.6 A better way exists, or none leads there; 4.3j or it would be the unit's end."""
        units = queue(s, c)
        if verb == "first":
            return None if noun in units else NOT_FIRST
        if units:
            return WHO_FIRST
        u = c.retreating[0]
        if noun in ways_back(s, c, u):
            return None
        if c.target < HEXES and noun in retreat_hexes(s, u, c.target, c.leg, free=c.kind == "drop"):
            return MUST_BE_SPARED
        return NO_RETREAT_THERE

    def apply(self, s: S, c: Combat, side: int, verb: str, noun: int) -> None:
        """6.6 One hex back; 6.6c further if the hex cannot hold the unit; 6.6d it stays if no way leads on."""
        if verb == "first":
            c.retreating, c.picked = (noun, *(u for u in c.retreating if u != noun)), 1
            return
        u, goal = c.retreating[0], noun
        step_back(s, u, goal)
        c.leg += 1
        if goal not in c.vacated:
            c.vacated = (*c.vacated, goal)
        if goal < HEXES and is_open_to_aircraft(goal):
            c.seen = 1
        if not s.steps[u] or s.place[u] != goal:
            _next_unit(s, c)
            return
        full = is_full_for(s, u)
        goes_on = goal < HEXES and (c.leg < c.retreat or full) and c.leg < c.retreat + EXTRA_LEGS
        if goes_on and ways_back(s, c, u):
            return
        if full and IS_HQ[u]:
            give_up(s, u, "6.6d")
        elif full and goal not in c.crowded:
            c.crowded = (*c.crowded, goal)
        _arrive(s, c, u)
        _next_unit(s, c)


@rule("9.1d", "6.6e")
def _arrive(s: S, c: Combat, u: int) -> None:
    """9.1d The retreat is over; a German seen from the air on the way is disorganised once more."""
    if IS_HQ[u]:
        return
    c.driven = (*c.driven, u)
    if c.plane >= 0 and SIDE[u] == GERMAN and c.seen:
        disorganise(s, u, 1, "9.1d")


def _next_unit(s: S, c: Combat) -> None:
    c.retreating, c.leg, c.seen, c.picked = c.retreating[1:], 0, 0, 0
    _drop_trapped(s, c)
    if not c.retreating:
        _drop_last_of_crowd(s, c)


@rule("6.6d")
def excess(s: S, c: Combat, h: int) -> list[int]:
    """6.6d The units of this retreat whose loss would ease a hex that is too full; none if it is not.

    Only units that have just retreated are lost, not those that stood there before (our reading): heavy ones where
    stacking points are too many, battalions where there are two of them, anybody where the two armies meet.
    """
    refusal = why_not_stack(s, 1 - c.side, h, ())
    if refusal is None:
        return []
    came = [u for u in c.driven if s.place[u] == h]
    if refusal.reason == "stacking":
        return [u for u in came if PE[u]]
    if refusal.reason == "stacking-battalions":
        return [u for u in came if not PE[u]]
    return came


def _drop_last_of_crowd(s: S, c: Combat) -> None:
    """6.6d Where only one unit can be meant, nobody is asked."""
    while c.crowded:
        found = excess(s, c, c.crowded[0])
        if len(found) > 1:
            return
        if found:
            give_up(s, found[0], "6.6d")
        else:
            c.crowded = c.crowded[1:]


@rule("6.6d", "6.6g")
class GiveUp(Decision):
    """6.6d What no hex can hold is lost, as the player who makes the retreat chooses."""

    verbs = {"give-up": UNIT}

    def needed(self, s: S, c: Combat, side: int) -> bool:
        """While a hex is too full."""
        return bool(c.crowded)

    def nouns(self, s: S, c: Combat, side: int, verb: str) -> Iterable[int]:
        """The units that have just retreated into it."""
        return excess(s, c, c.crowded[0])

    def why_not(self, s: S, c: Combat, side: int, verb: str, noun: int) -> No | None:
        """6.6d Only those."""
        return None if noun in excess(s, c, c.crowded[0]) else NOT_IN_EXCESS

    def apply(self, s: S, c: Combat, side: int, verb: str, noun: int) -> None:
        """6.6d, 6.6g Captured."""
        give_up(s, noun, "6.6d")
        _drop_last_of_crowd(s, c)


def end_of_retreat(s: S, c: Combat) -> None:
    """6.7 Who holds the hex now."""
    settle(s, c)
