"""The Strategic Movement Phase: a few units by rail behind the front."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.games.surrender.frames import Rail
from grognard.games.surrender.loading import setting
from grognard.games.surrender.nouns import HEX, UNIT
from grognard.games.surrender.rules.board import has_room, hex_name, place, unit_of, units_on_map
from grognard.games.surrender.rules.lines import network
from grognard.games.surrender.rules.occupation import leave_behind, why_not_base
from grognard.games.surrender.rules.refusals import NO_GROUND_WAR, NO_ROOM
from grognard.games.surrender.state import Position, world
from grognard.kernel import NOTHING, Decision, No, Side, emit, no, rule


def rail_limit(s: Position) -> int:
    """strategic-move Two units, unless the scenario says otherwise."""
    return int(world(s).data.get("rail_moves", setting("rail_moves")))


def railer(s: Position, c: Rail) -> tuple[Side, ...]:
    """The faction that moves."""
    return (c.side,)


@rule("strategic-move")
def near_city(s: Position, hex: int) -> bool:
    """strategic-move A city, or next to one."""
    return bool(world(s).theatre.near_city[hex])


NOT_YOURS = no("strategic-move", "not-yours")
UNSUPPLIED = no("strategic-move", "unsupplied")
NO_CITY_NEAR = no("strategic-move", "no-city-near")
ALREADY_THERE = no("strategic-move", "already-there")
NOT_CONNECTED = no("strategic-move", "not-connected")
NO_UNIT_IN_HAND = no("strategic-move", "no-unit-in-hand")
UNIT_IN_HAND = no("strategic-move", "unit-in-hand", lambda s, c, side, unit: {"unit": UNIT.word(s, side, c.unit)})


@rule("strategic-move")
def why_not_rail(s: Position, c: Rail, unit: int) -> No | None:
    """strategic-move A ground or air unit of the faction, supplied, at or next to a city; not when unsupplied."""
    kind = unit_of(s, unit)
    if kind.faction != c.side or s.at[unit] < 0 or kind.ship:
        return NOT_YOURS
    if kind.ground and world(s).data.get("no_ground"):
        return NO_GROUND_WAR
    if s.supply[unit] == 2:
        return UNSUPPLIED
    return None if near_city(s, s.at[unit]) else NO_CITY_NEAR


@rule("strategic-move", "stacking", "air-base")
def why_not_rail_to(s: Position, c: Rail, hex: int) -> No | None:
    """strategic-move A city or a hex next to one, with room; an air unit needs a base there.

    The way to it leads over connected friendly hexes free of EZOC.
    """
    if hex == s.at[c.unit]:
        return ALREADY_THERE
    if not network(s, c.side).are_joined(s.at[c.unit], hex):
        return NOT_CONNECTED
    if not near_city(s, hex):
        return NO_CITY_NEAR
    if unit_of(s, c.unit).air:
        return why_not_base(s, c.unit, hex)
    return None if has_room(s, hex, c.unit) else NO_ROOM


@rule("strategic-move")
class RailOrder(Decision):
    """strategic-move Pick a unit, then where it goes; up to two a month; a moved unit may still be activated."""

    verbs = {"done": NOTHING, "rail": UNIT, "rail_to": HEX}

    def needed(self, s: Position, c: Rail, side: Side) -> bool:
        """Until done, or nobody can move."""
        if c.finished or c.moved >= rail_limit(s):
            return False
        return c.unit >= 0 or any(why_not_rail(s, c, u) is None for u in units_on_map(s, side))

    def nouns(self, s: Position, c: Rail, side: Side, verb: str) -> Iterable[int]:
        """Units first, then the railheads of the network that the unit in hand is on."""
        if verb == "done":
            return (0,)
        if verb == "rail":
            return units_on_map(s, side) if c.unit < 0 else ()
        return self.railheads(s, c, side) if c.unit >= 0 else ()

    def railheads(self, s: Position, c: Rail, side: Side) -> list[int]:
        """The ends of a journey of the unit in hand, with the network searched once."""
        start = s.at[c.unit]
        joined = network(s, side).region_of(start)
        one = world(s).theatre.bits.one
        return [h for h in world(s).railheads if joined & one[h] and h != start] if joined else []

    def why_not(self, s: Position, c: Rail, side: Side, verb: str, noun: int) -> No | None:
        """By verb."""
        if verb == "done":
            return None
        if verb == "rail":
            return UNIT_IN_HAND if c.unit >= 0 else why_not_rail(s, c, noun)
        return NO_UNIT_IN_HAND if c.unit < 0 else why_not_rail_to(s, c, noun)

    def legal_nouns(self, s: Position, c: Rail, side: Side, verb: str) -> list[int]:
        """The same, with the network searched once."""
        if verb != "rail_to" or c.unit < 0:
            return super().legal_nouns(s, c, side, verb)
        first, joined = s.first_in, self.railheads(s, c, side)
        if unit_of(s, c.unit).air:  # only cities and armies can be bases
            city = world(s).theatre.city
            return [h for h in joined if (city[h] or first[h] >= 0) and why_not_base(s, c.unit, h) is None]
        return [h for h in joined if first[h] < 0 or has_room(s, h, c.unit)]

    def apply(self, s: Position, c: Rail, side: Side, verb: str, noun: int) -> None:
        """Take it in hand, move it, or finish."""
        if verb == "done":
            c.finished = 1
        elif verb == "rail":
            c.unit = noun
        else:
            start = s.at[c.unit]
            place(s, c.unit, noun)
            leave_behind(s, start)
            emit(s, "rail", "strategic-move", unit=unit_of(s, c.unit).id, hex=hex_name(s, noun))
            c.unit, c.moved = -1, c.moved + 1
