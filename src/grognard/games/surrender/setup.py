"""Setting a scenario up: units in their places, control, hands of markers."""

from __future__ import annotations

from grognard.games.surrender.rules.board import at_war, has_room, hex_name, place, take_control
from grognard.games.surrender.state import AWAITED, ON_MAP, Position, world
from grognard.games.surrender.world import MARKERS, Unit
from grognard.kernel import DataError, rule


@rule(
    "scenario-fall-gelb",
    "scenario-barbarossa",
    "scenario-atlantic",
    "scenario-two-fronts",
    "fac-lost-start",
    "event-hand",
)
def set_up(s: Position) -> None:
    """fac-lost-start, event-hand The scenario's tracks, hands, control and units."""
    w = world(s)
    s.control[:] = bytearray(w.control)
    for index, value in enumerate(w.fac_lost):
        s.fac_lost[index] = value
    for faction, hand in enumerate(w.markers):
        for marker, count in enumerate(hand):
            s.markers[faction * len(MARKERS) + marker] = count
    order = sorted(range(len(w.units)), key=lambda n: (not w.units[n].ground, n))
    for unit in order:
        kind = w.units[unit]
        s.reduced[unit], s.sorties[unit] = int(kind.reduced), kind.sorties
        if kind.arrives > 0:
            s.fate[unit] = AWAITED
            continue
        hex = setup_hex(s, unit, kind)
        if kind.ground:
            take_control(s, hex, kind.faction)
        s.fate[unit] = ON_MAP
        place(s, unit, hex)


@rule("setup-fallback")
def setup_hex(s: Position, unit: int, kind: Unit) -> int:
    """setup-fallback The named hex; if it is taken, the nearest free friendly hex, away from the enemy.

    Among equally near ones the farthest from enemy armies is taken, then the lowest number.
    """
    if is_free(s, unit, kind, kind.hex):
        return kind.hex
    grid = world(s).theatre.grid
    foes = [s.at[u] for u, other in enumerate(world(s).units) if s.at[u] >= 0 and at_war(kind.faction, other.faction)]
    for radius in range(1, 12):
        ring = [h for h in grid.ring(kind.hex, radius) if is_free(s, unit, kind, h)]
        if ring:
            return min(ring, key=lambda h: (-min((grid.distance(h, f) for f in foes), default=0), h))
    raise DataError(f"scenarios/{s.scenario}.toml", kind.id, f"no free friendly hex near {hex_name(s, kind.hex)}")


def is_free(s: Position, unit: int, kind: Unit, hex: int) -> bool:
    """Friendly, with room, and fit for such a unit."""
    theatre = world(s).theatre
    if s.control[hex] != kind.faction + 1 or not theatre.land[hex] or not has_room(s, hex, unit):
        return False
    return bool(theatre.port[hex]) if kind.ship else True
