"""The sheet's list of air/naval combat modifiers and divisions, one predicate per line."""

from __future__ import annotations

from grognard.games.surrender.rules.cases import ATTACKER, DEFENDER, AirCase, Wing
from grognard.games.surrender.rules.tally import halving, line
from grognard.kernel.rulebook import rule


def enemy(case: AirCase, role: str) -> Wing:
    """The unit on the other side."""
    return case.unit(DEFENDER if role == ATTACKER else ATTACKER)


@rule("air-drm-german")
@line("air-drm-german")
def german_air(case: AirCase, role: str) -> int:
    """air-drm-german A German fighter or bomber."""
    return case.unit(role).nation == "germany" and case.unit(role).flies


@rule("air-drm-german-naval")
@line("air-drm-german-naval")
def german_naval(case: AirCase, role: str) -> int:
    """air-drm-german-naval A German warship, carrier or convoy."""
    return case.unit(role).nation == "germany" and not case.unit(role).flies


@rule("air-drm-uk-us-naval")
@line("air-drm-uk-us-naval")
def british_or_american_naval(case: AirCase, role: str) -> int:
    """air-drm-uk-us-naval A British or American warship, carrier or convoy."""
    return case.unit(role).nation in ("uk", "usa") and not case.unit(role).flies


@rule("air-drm-uk-us")
@line("air-drm-uk-us")
def british_or_american_air(case: AirCase, role: str) -> int:
    """air-drm-uk-us A British or American fighter or bomber."""
    return case.unit(role).nation in ("uk", "usa") and case.unit(role).flies


@rule("air-drm-french-naval")
@line("air-drm-french-naval")
def french_naval(case: AirCase, role: str) -> int:
    """air-drm-french-naval A French warship, carrier or convoy."""
    return case.unit(role).nation == "france" and not case.unit(role).flies


@rule("air-drm-england")
@line("air-drm-england")
def over_england(case: AirCase, role: str) -> int:
    """air-drm-england A Western air unit struck at its English base by a unit that is not based in England (R-16)."""
    unit = case.unit(role)
    struck = role == DEFENDER and case.mission == "air_strike" and not case.attacker.in_england
    return struck and unit.faction == "western" and unit.flies and unit.in_england


@rule("air-drm-carrier-good")
@line("air-drm-carrier-good")
def carrier_in_good_weather(case: AirCase, role: str) -> int:
    """air-drm-carrier-good A carrier; the weather is that of the combat hex (R-14)."""
    return case.unit(role).type == "carrier" and case.weather == "good"


@rule("air-drm-carrier-poor")
@line("air-drm-carrier-poor")
def carrier_in_poor_weather(case: AirCase, role: str) -> int:
    """air-drm-carrier-poor A carrier in poor weather."""
    return case.unit(role).type == "carrier" and case.weather == "poor"


@rule("air-drm-carrier-severe")
@line("air-drm-carrier-severe")
def carrier_in_severe_weather(case: AirCase, role: str) -> int:
    """air-drm-carrier-severe A carrier in severe weather."""
    return case.unit(role).type == "carrier" and case.weather == "severe"


@rule("air-drm-bomber")
@line("air-drm-bomber")
def bomber(case: AirCase, role: str) -> int:
    """air-drm-bomber A bomber, attacking or defending."""
    return case.unit(role).type == "bomber"


@rule("air-drm-convoy")
@line("air-drm-convoy")
def convoy(case: AirCase, role: str) -> int:
    """air-drm-convoy A convoy."""
    return case.unit(role).type == "convoy"


@rule("air-drm-low-supply")
@line("air-drm-low-supply")
def low_supply(case: AirCase, role: str) -> int:
    """air-drm-low-supply A unit in low supply; an unsupplied one divides instead."""
    return case.unit(role).supply == "low"


@rule("air-drm-air-vs-naval")
@line("air-drm-air-vs-naval")
def air_against_naval(case: AirCase, role: str) -> int:
    """air-drm-air-vs-naval An air unit fighting a naval unit; a carrier is a ship (R-13) unless the ruling says not."""
    unit = case.unit(role)
    flies = unit.flies or (unit.type == "carrier" and case.rulings.carrier_flies)
    return flies and not enemy(case, role).flies


@rule("air-drm-sea-poor")
@line("air-drm-sea-poor")
def at_sea_in_poor_weather(case: AirCase, role: str) -> int:
    """air-drm-sea-poor Both sides of a fight in a maritime zone hex with poor weather."""
    return case.maritime and case.weather == "poor"


@rule("air-drm-sorties")
@line("air-drm-sorties")
def sorties(case: AirCase, role: str) -> int:
    """air-drm-sorties One for each sortie the unit carries before the fight (R-17)."""
    return case.unit(role).sorties


@rule("air-halve-unsupplied")
@halving("air-halve-unsupplied")
def unsupplied(case: AirCase, role: str) -> int:
    """air-halve-unsupplied A side whose unit is unsupplied."""
    return case.unit(role).supply == "none"


@rule("air-halve-sea-severe")
@halving("air-halve-sea-severe")
def at_sea_in_severe_weather(case: AirCase, role: str) -> int:
    """air-halve-sea-severe Both sides of a fight in a maritime zone hex with severe weather."""
    return case.maritime and case.weather == "severe"


@rule("unit-air", "unit-naval")
def is_warship(kind: str) -> bool:
    """unit-naval A carrier counts as a warship (zone 13, stacking, escort); a convoy does not."""
    return kind in ("warship", "carrier")
