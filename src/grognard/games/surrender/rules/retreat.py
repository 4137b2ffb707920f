"""Where a beaten defender may go, and when it is isolated."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.surrender.rules.board import (
    army_in,
    at_war,
    has_room,
    in_ezoc,
    is_enemy_held,
    is_friendly,
    unit_of,
)  # fmt: skip
from grognard.games.surrender.state import Position, world
from grognard.games.surrender.theatre import IMPASSABLE
from grognard.games.surrender.world import NEUTRAL, OUT_OF_PLAY
from grognard.kernel import No, no, option, rule

OUTSIDE = no("move-bans", "outside")
NO_LAND = no("move-bans", "no-land")
IMPASSABLE_SIDE = no("move-bans", "impassable-side")
NEUTRAL_GROUND = no("move-bans", "neutral")
THIRD_FACTION = no("move-bans", "third-faction")
ENEMY_ARMY = no("move-bans", "enemy-army")
NOT_ADJACENT = no("retreat-one-hex", "not-adjacent")
NOT_AWAY = no("retreat-away", "not-away")
ENEMY_STRONGHOLD = no("retreat-enemy-city-fort", "enemy-stronghold")
NO_ROOM = no("retreat-limits-stack", "no-room")
IN_EZOC = no("retreat-ezoc", "ezoc")


@rule("retreat-one-hex", "retreat-limits-move", "move-bans")
def why_not_enter(s: Position, side: int, start: int, hex: int) -> No | None:
    """move-bans Sea, impassable ground or hexside, a neutral country, a third faction's hex, an enemy army.

    retreat-limits-move The same bans hold in retreat.
    """
    theatre = world(s).theatre
    if s.control[hex] == OUT_OF_PLAY:
        return OUTSIDE
    if not theatre.land[hex]:
        return NO_LAND
    if theatre.side(start, hex) == IMPASSABLE:
        return IMPASSABLE_SIDE
    if s.control[hex] == NEUTRAL:
        return NEUTRAL_GROUND
    holder = s.control[hex] - 1
    if holder != side and not at_war(side, holder):
        return THIRD_FACTION
    army = army_in(s, hex)
    return ENEMY_ARMY if army >= 0 and unit_of(s, army).faction != side else None


@rule("retreat-away", "retreat-any-attacker")
def is_away(s: Position, hex: int, attackers: Sequence[int]) -> bool:
    """retreat-away Two hexes from the attacker. retreat-any-attacker In an assault, from one of them (R-04, R-05).

    Invaders come from the sea and stand in no hex: any direction is away from them.
    """
    distance = world(s).theatre.grid.distance
    return not attackers or any(distance(hex, attacker) >= 2 for attacker in attackers)


@rule("retreat-enemy-city-fort", "retreat-ezoc", "retreat-ezoc-haven", "retreat-limits-stack", "retreat-one-hex")
def why_not_retreat(s: Position, unit: int, hex: int, attackers: Sequence[int]) -> No | None:
    """retreat-one-hex To a neighbour; then direction, bans, enemy cities and forts, stacking, zones of control.

    retreat-ezoc-haven A friendly city or fort shelters in EZOC if it also lies two hexes from the attacker (R-06).
    `attackers` are the attackers' hexes.
    """
    theatre = world(s).theatre
    side, start = unit_of(s, unit).faction, s.at[unit]
    if hex not in theatre.grid.neighbours[start]:
        return NOT_ADJACENT
    if not is_away(s, hex, attackers):
        return NOT_AWAY
    ban = why_not_enter(s, side, start, hex)
    if ban is not None:
        return ban
    stronghold = bool(theatre.city[hex] or theatre.fort[hex])
    if stronghold and is_enemy_held(s, hex, side):
        return ENEMY_STRONGHOLD
    if not has_room(s, hex, unit):
        return NO_ROOM
    return IN_EZOC if in_ezoc(s, hex, side) and not (stronghold and is_friendly(s, hex, side)) else None


def retreat_hexes(s: Position, unit: int, attackers: Sequence[int]) -> list[int]:
    """Every hex the unit may retreat to."""
    around = world(s).theatre.grid.neighbours[s.at[unit]]
    return [hex for hex in around if why_not_retreat(s, unit, hex, attackers) is None]


@rule("ground-isolated-def")
def is_isolated(s: Position, unit: int, attackers: Sequence[int]) -> bool:
    """ground-isolated-def No hex to retreat to, and no friendly fort, city or ground unit next to it (R-02, R-03).

    R-35 "Adjacent" across an impassable hexside: a friend who cannot come is no neighbour. The other reading (any of
    the six hexes) is the option `isolated-by`.
    """
    if retreat_hexes(s, unit, attackers):
        return False
    theatre = world(s).theatre
    side, here = unit_of(s, unit).faction, s.at[unit]
    near = theatre.grid.neighbours[here] if option(s, "isolated-by") == "hexes" else theatre.passable_neighbours(here)
    for hex in near:
        army = army_in(s, hex)
        if army >= 0 and unit_of(s, army).faction == side:
            return False
        if (theatre.city[hex] or theatre.fort[hex]) and is_friendly(s, hex, side):
            return False
    return True
