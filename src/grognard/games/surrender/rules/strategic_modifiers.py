"""The sheet's list of strategic combat modifiers and divisions, one predicate per line.

A line names the factions it is used against (`versus` in charts.toml); the Axis is always the attacker.
"""

from __future__ import annotations

from grognard.games.surrender.loading import DrmRow
from grognard.games.surrender.rules.cases import ATTACKER, DEFENDER, StrategicCase
from grognard.games.surrender.rules.tally import halving, line
from grognard.kernel.rulebook import rule


@rule("strategic-drm-own-faction")
def concerns(case: StrategicCase, row: DrmRow) -> bool:
    """strategic-drm-own-faction A line is read only in the combat against a faction that it names."""
    return case.versus in row.versus


@rule("strategic-sides", "strategic-drm-axis-stack")
def axis_ports(case: StrategicCase, role: str, row: DrmRow) -> int:
    """strategic-drm-axis-stack Each port line counts once (R-18), and different lines add up, for the Axis only."""
    if role != ATTACKER or not concerns(case, row):
        return 0
    held = len(case.axis_port_zones.intersection(row.zones))
    return held if case.rulings.port_lines == "zone" else min(1, held)


@rule("strategic-drm-axis-atlantic")
@line("strategic-drm-axis-atlantic")
def ports_on_the_atlantic(case: StrategicCase, role: str, row: DrmRow) -> int:
    """strategic-drm-axis-atlantic A port in zone 1, 2, 7 or 9, against the West."""
    return axis_ports(case, role, row)


@rule("strategic-drm-axis-3-4")
@line("strategic-drm-axis-3-4")
def ports_in_norway(case: StrategicCase, role: str, row: DrmRow) -> int:
    """strategic-drm-axis-3-4 A port in zone 3 or 4, against both."""
    return axis_ports(case, role, row)


@rule("strategic-drm-axis-6")
@line("strategic-drm-axis-6")
def ports_on_the_white_sea(case: StrategicCase, role: str, row: DrmRow) -> int:
    """strategic-drm-axis-6 A port in zone 6, against the Soviets."""
    return axis_ports(case, role, row)


@rule("strategic-drm-axis-31")
@line("strategic-drm-axis-31")
def ports_at_suez(case: StrategicCase, role: str, row: DrmRow) -> int:
    """strategic-drm-axis-31 A port in zone 31, against the West."""
    return axis_ports(case, role, row)


@rule("strategic-drm-axis-32")
@line("strategic-drm-axis-32")
def ports_on_the_persian_gulf(case: StrategicCase, role: str, row: DrmRow) -> int:
    """strategic-drm-axis-32 A port in zone 32, against both."""
    return axis_ports(case, role, row)


@rule("strategic-drm-soviet-13")
@line("strategic-drm-soviet-13")
def soviet_air_on_the_ore_route(case: StrategicCase, role: str, row: DrmRow) -> int:
    """strategic-drm-soviet-13 A Soviet air unit in a zone 13 port where no Western fighter or warship is."""
    return role == DEFENDER and concerns(case, row) and case.soviet_air_in_13 and not case.western_in_13


@rule("strategic-drm-soviet-conquered")
@line("strategic-drm-soviet-conquered")
def conquered_countries(case: StrategicCase, role: str, row: DrmRow) -> int:
    """strategic-drm-soviet-conquered One for every three Allied countries the Axis conquered, rounded up (R-20)."""
    return -(-case.conquered_allied // 3) if role == DEFENDER and concerns(case, row) else 0


@rule("strategic-drm-west-usa")
@line("strategic-drm-west-usa")
def americans_at_war(case: StrategicCase, role: str, row: DrmRow) -> int:
    """strategic-drm-west-usa The USA is a Western country."""
    return role == DEFENDER and concerns(case, row) and case.usa_western


@rule("strategic-drm-west-13")
@line("strategic-drm-west-13")
def western_forces_on_the_ore_route(case: StrategicCase, role: str, row: DrmRow) -> int:
    """strategic-drm-west-13 A Western fighter or warship in a zone 13 port; several count once (R-34)."""
    return role == DEFENDER and concerns(case, row) and case.western_in_13


@rule("strategic-drm-west-bombed")
@line("strategic-drm-west-bombed")
def bombed_german_factories(case: StrategicCase, role: str, row: DrmRow) -> int:
    """strategic-drm-west-bombed One for each Bombed marker on a factory in Germany."""
    return case.bombed_german_factories if role == DEFENDER and concerns(case, row) else 0


@rule("strategic-halve-event")
@halving("strategic-halve-event")
def halving_markers(case: StrategicCase, role: str) -> int:
    """strategic-halve-event One for each committed marker that orders it on this side (R-21)."""
    return sum(marker.halve for marker in case.events.get(role, ()))
