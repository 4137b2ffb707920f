"""Operations in the air: Air Strikes, bombing, transfers."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.games.surrender.frames import AirCombat, AirMove, Mission
from grognard.games.surrender.loading import charts
from grognard.games.surrender.nouns import HEX, UNIT
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
from grognard.games.surrender.rules.refusals import OUT_OF_RANGE
from grognard.games.surrender.state import Position, world
from grognard.kernel import NOTHING, Decision, No, Side, emit, no, rule

NOT_AN_ENEMY = no("air-strike", "not-an-enemy")
GROUND_TARGET = no("air-strike", "ground-target")
NOT_A_BOMBER = no("bombing", "not-a-bomber")
NO_ENEMY_FACTORY = no("bombing", "no-enemy-factory")
ALREADY_BOMBED = no("bombing", "already-bombed")
SEVERE_WEATHER = no("bombing", "severe-weather")
ALREADY_THERE = no("air-action", "already-there")


@rule("air-strike", "air-range", "factions")
def why_not_strike(s: Position, c: AirMove, enemy: int) -> No | None:
    """air-strike An enemy air or naval unit in range."""
    kind = unit_of(s, enemy)
    if s.at[enemy] < 0 or not at_war(c.side, kind.faction):
        return NOT_AN_ENEMY
    if kind.ground:
        return GROUND_TARGET
    return None if in_range(s, c.unit, s.at[enemy]) else OUT_OF_RANGE


@rule("bombing")
def why_not_bomb(s: Position, c: AirMove, hex: int) -> No | None:
    """bombing A bomber, an enemy factory hex in range without a marker, no severe weather."""
    if unit_of(s, c.unit).type != "bomber":
        return NOT_A_BOMBER
    if not world(s).theatre.factory[hex] or not is_enemy_held(s, hex, c.side):
        return NO_ENEMY_FACTORY
    if s.bombed[hex]:
        return ALREADY_BOMBED
    if weather_in(s, hex) == "severe":
        return SEVERE_WEATHER
    return None if in_range(s, c.unit, hex) else OUT_OF_RANGE


@rule("air-action", "air-base")
def why_not_transfer(s: Position, c: AirMove, hex: int) -> No | None:
    """air-action A new base within twice the range."""
    if hex == s.at[c.unit]:
        return ALREADY_THERE
    return why_not_base(s, c.unit, hex) if in_range(s, c.unit, hex, transfer_range(s, c.unit)) else OUT_OF_RANGE


def transfer_range(s: Position, unit: int) -> int:
    """air-action How far an air unit may go to a new base."""
    return air_range(unit_of(s, unit).type) * int(charts()["ranges"]["transfer_factor"])


def bases(s: Position, side: Side) -> list[int]:
    """Hexes that may be air bases: friendly cities and friendly armies."""
    w, control, at = world(s), s.control, s.at
    spots = {h for h in w.cities if control[h] == side + 1}
    spots |= {at[u] for u in w.armies_of[side] if at[u] >= 0}
    return sorted(spots)


@rule("air-action")
class AirOrder(Decision):
    """air-action One voluntary action: Air Strike, Bombing or Transfer; or stand down."""

    verbs = {"stop": NOTHING, "strike": UNIT, "bomb": HEX, "transfer": HEX}

    def needed(self, s: Position, c: AirMove, side: Side) -> bool:
        """Until it has acted."""
        return not c.finished

    def nouns(self, s: Position, c: AirMove, side: Side, verb: str) -> Iterable[int]:
        """Enemy aircraft and ships, factories and bases within range."""
        if verb == "stop":
            return (0,)
        w, at = world(s), s.at
        near, base = w.theatre.grid.distance, at[c.unit]
        if verb == "strike":
            reach = air_range(unit_of(s, c.unit).type)
            enemies = sorted(u for f in w.foes_of[side] for u in w.others_of[f] if at[u] >= 0)
            return [u for u in enemies if near(base, at[u]) <= reach]
        if verb == "bomb":
            return w.factories if unit_of(s, c.unit).type == "bomber" else ()
        reach = transfer_range(s, c.unit)
        return [h for h in bases(s, side) if near(base, h) <= reach and h != base]

    def why_not(self, s: Position, c: AirMove, side: Side, verb: str, noun: int) -> No | None:
        """By verb."""
        if verb == "stop":
            return None
        if verb == "strike":
            return why_not_strike(s, c, noun)
        return why_not_bomb(s, c, noun) if verb == "bomb" else why_not_transfer(s, c, noun)

    def apply(self, s: Position, c: AirMove, side: Side, verb: str, noun: int) -> None:
        """Set out."""
        c.finished = 1
        s.done[c.unit] = 1
        if verb == "strike":
            c.enemy = noun
        elif verb == "bomb":
            c.target = noun
            emit(s, "bombing", "bombing", unit=unit_of(s, c.unit).id, hex=hex_name(s, noun))
        elif verb == "transfer":
            place(s, c.unit, noun)
            emit(s, "transfer", "air-action", unit=unit_of(s, c.unit).id, hex=hex_name(s, noun))
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
