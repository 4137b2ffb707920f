"""The Strategic Warfare Phase: the Axis against the West, then against the Soviets."""

from __future__ import annotations

from grognard.games.surrender.frames import Match, StrategicCombat
from grognard.games.surrender.rules.air_combat import resolve, rulings
from grognard.games.surrender.rules.air_modifiers import is_warship
from grognard.games.surrender.rules.board import faction_name, hex_name, unit_of, units_on_map
from grognard.games.surrender.rules.cases import StrategicCase
from grognard.games.surrender.rules.markers import case_events
from grognard.games.surrender.rules.results import fac_lost_after, fac_lost_change
from grognard.games.surrender.state import Position, world
from grognard.games.surrender.world import AXIS, FAC_LOST, SOVIET, WESTERN
from grognard.kernel import emit, rule

ORE_ROUTE = 13


@rule("map-zones")
def in_port_of_zone(s: Position, unit: int, zone: int) -> bool:
    """map-zones The unit is in a port of that maritime zone."""
    hex, theatre = s.at[unit], world(s).theatre
    return hex >= 0 and bool(theatre.port[hex]) and zone in theatre.zones[hex]


@rule("strategic-drm-axis-atlantic")
def axis_port_zones(s: Position) -> frozenset[int]:
    """Zones where the Axis has a port now, those beyond the map in play included."""
    w = world(s)
    control = s.control
    zones = {z for h in w.ports if control[h] == AXIS + 1 for z in w.theatre.zones[h]}
    beyond = {z for z, hex in w.off_map_ports.items() if hex < 0 or control[hex] == AXIS + 1}
    return frozenset(zones | beyond)


@rule("strategic-drm-west-bombed", "factory-germany", "bombed-effect")
def bombed_in_germany(s: Position) -> int:
    """factory-germany Bombed markers on factories inside Germany and Austria."""
    w = world(s)
    return sum(1 for h in w.factories if s.bombed[h] and w.theatre.country[h] == "germany")


@rule("strategic-drm-soviet-conquered", "conquest")
def conquered_allied(s: Position) -> int:
    """strategic-drm-soviet-conquered Allied countries conquered by the Axis, before the scenario and in it."""
    return int(world(s).data.get("conquered_allied", 0)) + sum(1 for value in s.conquered if value == AXIS + 1)


@rule("strategic-drm-west-13", "strategic-drm-soviet-13", "unit-naval")
def strategic_case(s: Position, c: StrategicCombat) -> StrategicCase:
    """The position as a case."""
    western = any(
        in_port_of_zone(s, u, ORE_ROUTE) and (unit_of(s, u).type == "fighter" or is_warship(unit_of(s, u).type))
        for u in units_on_map(s, WESTERN)
    )
    soviet = any(in_port_of_zone(s, u, ORE_ROUTE) and unit_of(s, u).air for u in units_on_map(s, SOVIET))
    return StrategicCase(
        versus=faction_name(c.versus),
        axis_port_zones=axis_port_zones(s),
        usa_western=bool(s.usa_western),
        western_in_13=western,
        soviet_air_in_13=soviet,
        conquered_allied=conquered_allied(s),
        bombed_german_factories=bombed_in_germany(s),
        events=case_events(s, c),
        rulings=rulings(s),
    )


@rule("strategic-when")
def versus_west(s: Position, c: Match) -> bool:
    """strategic-when Axis against West, if the West is in the war."""
    return WESTERN in world(s).factions


@rule("strategic-when")
def versus_soviets(s: Position, c: Match) -> bool:
    """strategic-when Axis against the Soviets, if they are in the war."""
    return SOVIET in world(s).factions or bool(s.soviet_at_war)


@rule("strategic-sides")
def western_combat(s: Position, c: Match) -> StrategicCombat:
    """strategic-sides One combat against each Allied faction."""
    return StrategicCombat(versus=WESTERN)


@rule("strategic-sides")
def soviet_combat(s: Position, c: Match) -> StrategicCombat:
    """strategic-sides One combat against each Allied faction."""
    return StrategicCombat(versus=SOVIET)


def fight(s: Position, c: StrategicCombat) -> None:
    """seq-order Steps 4 to 6 of a strategic combat."""
    emit(s, "strategic-combat", "strategic-when", versus=faction_name(c.versus))
    c.code = resolve(s, strategic_case(s, c))


@rule("strategic-result-NE", "strategic-result-DR", "strategic-result-AS", "strategic-fac-range")
def apply_result(s: Position, c: StrategicCombat) -> None:
    """strategic-result-DR Move Germany's marker and the Allied country's: the UK for the West, the USSR."""
    ally = 1 if c.versus == WESTERN else 2
    for index, change in zip((0, ally), fac_lost_change(c.code)):
        move_fac_lost(s, index, change, f"strategic-result-{c.code}")


def move_fac_lost(s: Position, index: int, change: int, why: str) -> None:
    """strategic-fac-range Move a marker within 1 to 9."""
    s.fac_lost[index] = fac_lost_after(s.fac_lost[index], change)
    emit(s, "fac-lost", why, country=FAC_LOST[index], now=s.fac_lost[index])


@rule("bombed-effect")
def clear_bombed(s: Position, c: Match) -> None:
    """bombed-effect Bombed markers go after the Strategic Warfare Phase."""
    for hex in world(s).factories:
        if s.bombed[hex]:
            s.bombed[hex] = 0
            emit(s, "bombed-removed", "bombed-effect", hex=hex_name(s, hex))
