"""Operations in the air: Air Strikes, bombing, transfers."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.games.surrender.frames import AirCombat, AirMove, Mission
from grognard.games.surrender.loading import charts
from grognard.games.surrender.rules.board import (
    add_sorties,
    at_war,
    hex_name,
    is_enemy_held,
    place,
    unit_of,
    weather_in,
)  # fmt: skip
from grognard.games.surrender.rules.commitment import air_range, in_range
from grognard.games.surrender.rules.occupation import why_not_base
from grognard.games.surrender.state import Position, world
from grognard.kernel import Action, Decision, Refusal, Side, emit, rule


@rule("air-strike", "air-range", "factions")
def why_not_strike(s: Position, c: AirMove, enemy: int) -> Refusal | None:
    """air-strike An enemy air or naval unit in range."""
    kind = unit_of(s, enemy)
    facts = {"unit": kind.id}
    if s.at[enemy] < 0 or not at_war(c.side, kind.faction):
        return Refusal("air-strike", "not-an-enemy", facts)
    if kind.ground:
        return Refusal("air-strike", "ground-target", facts)
    if not in_range(s, c.unit, s.at[enemy]):
        return Refusal("air-range", "out-of-range", facts)
    return None


@rule("bombing")
def why_not_bomb(s: Position, c: AirMove, hex: int) -> Refusal | None:
    """bombing A bomber, an enemy factory hex in range without a marker, no severe weather."""
    facts = {"hex": hex_name(s, hex), "unit": unit_of(s, c.unit).id}
    if unit_of(s, c.unit).type != "bomber":
        return Refusal("bombing", "not-a-bomber", facts)
    if not world(s).theatre.factory[hex] or not is_enemy_held(s, hex, c.side):
        return Refusal("bombing", "no-enemy-factory", facts)
    if s.bombed[hex]:
        return Refusal("bombing", "already-bombed", facts)
    if weather_in(s, hex) == "severe":
        return Refusal("bombing", "severe-weather", facts)
    if not in_range(s, c.unit, hex):
        return Refusal("air-range", "out-of-range", facts)
    return None


@rule("air-action", "air-base")
def why_not_transfer(s: Position, c: AirMove, hex: int) -> Refusal | None:
    """air-action A new base within twice the range."""
    facts = {"hex": hex_name(s, hex)}
    if hex == s.at[c.unit]:
        return Refusal("air-action", "already-there", facts)
    reach = air_range(unit_of(s, c.unit).type) * int(charts()["ranges"]["transfer_factor"])
    if not in_range(s, c.unit, hex, reach):
        return Refusal("air-range", "out-of-range", facts)
    return why_not_base(s, c.unit, hex)


def bases(s: Position, side: Side) -> list[int]:
    """Hexes that may be air bases: friendly cities and friendly armies."""
    w, control, at = world(s), s.control, s.at
    spots = {h for h in w.cities if control[h] == side + 1}
    spots |= {at[u] for u in w.armies_of[side] if at[u] >= 0}
    return sorted(spots)


@rule("air-action")
class AirOrder(Decision):
    """air-action One voluntary action: Air Strike, Bombing or Transfer; or stand down."""

    verbs = ("strike", "bomb", "transfer", "stop")

    def needed(self, s: Position, c: AirMove, side: Side) -> bool:
        """Until it has acted."""
        return not c.finished

    def candidates(self, s: Position, c: AirMove, side: Side) -> Iterator[Action]:
        """Every unit, every factory, every base."""
        yield ("stop", "")
        yield from (("strike", unit.id) for unit in world(s).units)
        theatre = world(s).theatre
        yield from (("bomb", name) for h, name in enumerate(theatre.grid.names) if theatre.factory[h])
        yield from (("transfer", hex_name(s, h)) for h in bases(s, side))

    def why_not(self, s: Position, c: AirMove, side: Side, verb: str, target: str) -> Refusal | None:
        """By verb."""
        if verb == "stop":
            return None
        if verb == "strike":
            return why_not_strike(s, c, world(s).unit_number(target))
        hex = world(s).hex_ids[target]
        return why_not_bomb(s, c, hex) if verb == "bomb" else why_not_transfer(s, c, hex)

    def legal(self, s: Position, c: AirMove, side: Side) -> list[Action]:
        """The same, from what is on the map."""
        w = world(s)
        names = w.theatre.grid.names
        actions: list[Action] = [("stop", "")]
        near, base = w.theatre.grid.distance, s.at[c.unit]
        reach = air_range(unit_of(s, c.unit).type)
        enemies = [u for f in w.factions if at_war(side, f) for u in w.others_of[f] if s.at[u] >= 0]
        actions += [("strike", w.units[u].id) for u in sorted(enemies) if near(base, s.at[u]) <= reach]
        if unit_of(s, c.unit).type == "bomber":
            actions += [("bomb", names[h]) for h in w.factories if why_not_bomb(s, c, h) is None]
        reach *= int(charts()["ranges"]["transfer_factor"])
        spots = [h for h in bases(s, side) if near(base, h) <= reach and h != base]
        return actions + [("transfer", names[h]) for h in spots if why_not_base(s, c.unit, h) is None]

    def apply(self, s: Position, c: AirMove, side: Side, verb: str, target: str) -> None:
        """Set out."""
        c.finished = 1
        s.done[c.unit] = 1
        if verb == "strike":
            c.enemy = world(s).unit_number(target)
        elif verb == "bomb":
            c.target = world(s).hex_ids[target]
            emit(s, "bombing", "bombing", unit=unit_of(s, c.unit).id, hex=target)
        elif verb == "transfer":
            place(s, c.unit, world(s).hex_ids[target])
            emit(s, "transfer", "air-action", unit=unit_of(s, c.unit).id, hex=target)
            add_sorties(s, c.unit, 1, "air-action")


def strikes(s: Position, c: AirMove) -> bool:
    """An Air Strike was ordered."""
    return c.enemy >= 0


@rule("air-strike")
def strike_combat(s: Position, c: AirMove) -> AirCombat:
    """air-strike One air/naval combat in the target's hex."""
    return AirCombat(mission="air_strike", hex=s.at[c.enemy], attacker=c.unit, defender=c.enemy)


def bombs(s: Position, c: AirMove) -> bool:
    """A bombing was ordered."""
    return c.target >= 0


@rule("intercept")
def bombing_mission(s: Position, c: AirMove) -> Mission:
    """intercept The bomber's way to its target may be intercepted."""
    route = tuple(h for h in world(s).theatre.grid.line(s.at[c.unit], c.target))
    return Mission(kind="bombing", side=c.side, unit=c.unit, route=route)


@rule("bombing", "interdiction-bombing")
def drop_bombs(s: Position, c: AirMove) -> None:
    """bombing If it gets through: a Bombed marker and a sortie. interdiction-bombing If not, no marker."""
    if c.stopped == "interdicted":
        emit(s, "bombing-stopped", "interdiction-bombing", hex=hex_name(s, c.target))
        return
    s.bombed[c.target] = 1
    emit(s, "bombed", "bombing", hex=hex_name(s, c.target))
    add_sorties(s, c.unit, 1, "bombing")
