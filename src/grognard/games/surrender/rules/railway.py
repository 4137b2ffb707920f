"""The Strategic Movement Phase: a few units by rail behind the front."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.games.surrender.frames import Rail
from grognard.games.surrender.loading import setting
from grognard.games.surrender.rules.board import faction_name, has_room, hex_name, place, unit_of, units_on_map
from grognard.games.surrender.rules.lines import network
from grognard.games.surrender.rules.occupation import leave_behind, why_not_base
from grognard.games.surrender.state import Position, world
from grognard.kernel import Action, Decision, Refusal, Side, emit, rule


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


@rule("strategic-move")
def why_not_rail(s: Position, c: Rail, unit: int) -> Refusal | None:
    """strategic-move A ground or air unit of the faction, supplied, at or next to a city; not when unsupplied."""
    kind = unit_of(s, unit)
    facts = {"unit": kind.id}
    if kind.faction != c.side or s.at[unit] < 0 or kind.ship:
        return Refusal("strategic-move", "not-yours", facts)
    if kind.ground and world(s).data.get("no_ground"):
        return Refusal("scenario-atlantic", "no-ground-war", facts)
    if s.supply[unit] == 2:
        return Refusal("strategic-move", "unsupplied", facts)
    if not near_city(s, s.at[unit]):
        return Refusal("strategic-move", "no-city-near", facts)
    return None


@rule("strategic-move", "stacking", "air-base")
def why_not_rail_to(s: Position, c: Rail, hex: int) -> Refusal | None:
    """strategic-move A city or a hex next to one, with room; an air unit needs a base there.

    The way to it leads over connected friendly hexes free of EZOC.
    """
    facts = {"hex": hex_name(s, hex)}
    if hex == s.at[c.unit]:
        return Refusal("strategic-move", "already-there", facts)
    if not network(s, c.side).are_joined(s.at[c.unit], hex):
        return Refusal("strategic-move", "not-connected", facts)
    if not near_city(s, hex):
        return Refusal("strategic-move", "no-city-near", facts)
    if unit_of(s, c.unit).air:
        return why_not_base(s, c.unit, hex)
    return None if has_room(s, hex, c.unit) else Refusal("stacking", "no-room", facts)


@rule("strategic-move")
class RailOrder(Decision):
    """strategic-move Pick a unit, then where it goes; up to two a month; a moved unit may still be activated."""

    verbs = ("rail", "rail_to", "done")

    def needed(self, s: Position, c: Rail, side: Side) -> bool:
        """Until done, or nobody can move."""
        if c.finished or c.moved >= rail_limit(s):
            return False
        return c.unit >= 0 or any(why_not_rail(s, c, u) is None for u in units_on_map(s, side))

    def candidates(self, s: Position, c: Rail, side: Side) -> Iterator[Action]:
        """Units first, then hexes."""
        yield ("done", "")
        if c.unit < 0:
            yield from (("rail", unit.id) for unit in world(s).units)
        else:
            yield from (("rail_to", name) for name in world(s).theatre.grid.names)

    def why_not(self, s: Position, c: Rail, side: Side, verb: str, target: str) -> Refusal | None:
        """By verb."""
        if verb == "done":
            return None
        if verb == "rail":
            if c.unit >= 0:
                return Refusal("strategic-move", "unit-in-hand", {"unit": unit_of(s, c.unit).id})
            return why_not_rail(s, c, world(s).unit_number(target))
        if c.unit < 0:
            return Refusal("strategic-move", "no-unit-in-hand", {"hex": target})
        return why_not_rail_to(s, c, world(s).hex_ids[target])

    def legal(self, s: Position, c: Rail, side: Side) -> list[Action]:
        """The same, with the network searched once."""
        names = world(s).theatre.grid.names
        if c.unit < 0:
            ready = [u for u in units_on_map(s, side) if why_not_rail(s, c, u) is None]
            return [("done", ""), *(("rail", unit_of(s, u).id) for u in ready)]
        region, start, first = network(s, side).region, s.at[c.unit], s.first_in
        joined = [h for h in world(s).railheads if region[h] == region[start] and h != start] if region[start] else []
        if unit_of(s, c.unit).air:  # only cities and armies can be bases
            city = world(s).theatre.city
            ends = [h for h in joined if (city[h] or first[h] >= 0) and why_not_base(s, c.unit, h) is None]
        else:
            ends = [h for h in joined if first[h] < 0 or has_room(s, h, c.unit)]
        return [("done", ""), *(("rail_to", names[h]) for h in ends)]

    def apply(self, s: Position, c: Rail, side: Side, verb: str, target: str) -> None:
        """Take it in hand, move it, or finish."""
        if verb == "done":
            c.finished = 1
        elif verb == "rail":
            c.unit = world(s).unit_number(target)
        else:
            start = s.at[c.unit]
            place(s, c.unit, world(s).hex_ids[target])
            leave_behind(s, start)
            emit(s, "rail", "strategic-move", unit=unit_of(s, c.unit).id, hex=target, side=faction_name(side))
            c.unit, c.moved = -1, c.moved + 1
