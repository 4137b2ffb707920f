"""The sheet's list of ground combat modifiers and divisions, one predicate per line.

A predicate answers how often its line counts for a side of a case; the value of the line is in charts.toml.
"""

from __future__ import annotations

from grognard.games.surrender.rules.cases import ATTACKER, Army, GroundCase
from grognard.games.surrender.rules.tally import halving, line
from grognard.kernel.rulebook import rule


@rule("ground-drm-scope")
def principal(case: GroundCase, role: str) -> Army:
    """ground-drm-scope The first list looks at the principal attacker and at the defender, never at the others."""
    return case.unit(role)


@rule("ground-drm-german")
@line("ground-drm-german")
def german(case: GroundCase, role: str) -> int:
    """ground-drm-german A German principal unit."""
    return principal(case, role).nation == "germany"


@rule("ground-drm-fr-uk-us")
@line("ground-drm-fr-uk-us")
def french_british_or_american(case: GroundCase, role: str) -> int:
    """ground-drm-fr-uk-us A French, British or American principal unit."""
    return principal(case, role).nation in ("france", "uk", "usa")


@rule("ground-drm-elite")
@line("ground-drm-elite")
def elite(case: GroundCase, role: str) -> int:
    """ground-drm-elite A principal unit with a star."""
    return principal(case, role).elite


@rule("ground-drm-reduced")
@line("ground-drm-reduced")
def reduced(case: GroundCase, role: str) -> int:
    """ground-drm-reduced A principal unit on its weaker side."""
    return principal(case, role).reduced


@rule("ground-drm-low-supply")
@line("ground-drm-low-supply")
def low_supply(case: GroundCase, role: str) -> int:
    """ground-drm-low-supply A principal unit in low supply; an unsupplied one divides instead."""
    return principal(case, role).supply == "low"


@rule("ground-drm-shock-good")
@line("ground-drm-shock-good")
def shock_in_good_weather(case: GroundCase, role: str) -> int:
    """ground-drm-shock-good Shock troops when the defender's hex has good weather."""
    return principal(case, role).type == "shock" and case.weather == "good"


@rule("ground-drm-tank-good")
@line("ground-drm-tank-good")
def tank_in_good_weather(case: GroundCase, role: str) -> int:
    """ground-drm-tank-good Tanks when the defender's hex has good weather."""
    return principal(case, role).type == "tank" and case.weather == "good"


@rule("ground-drm-tank-poor")
@line("ground-drm-tank-poor")
def tank_in_poor_weather(case: GroundCase, role: str) -> int:
    """ground-drm-tank-poor Tanks when the defender's hex has poor weather."""
    return principal(case, role).type == "tank" and case.weather == "poor"


@rule("ground-drm-isolated")
@line("ground-drm-isolated")
def against_isolated(case: GroundCase, role: str) -> int:
    """ground-drm-isolated The attacker of an isolated defender, unless that one sits in a fort on an island."""
    return role == ATTACKER and case.isolated and not (case.fort and case.island)


@rule("ground-drm-attack-poor")
@line("ground-drm-attack-poor")
def into_poor_weather(case: GroundCase, role: str) -> int:
    """ground-drm-attack-poor The attacker of a hex with poor weather."""
    return role == ATTACKER and case.weather == "poor"


@rule("ground-drm-city-difficult")
@line("ground-drm-city-difficult")
def into_city_or_difficult(case: GroundCase, role: str) -> int:
    """ground-drm-city-difficult The attacker of a city, of difficult terrain or of both: one line in all."""
    return role == ATTACKER and (case.city or case.difficult)


@rule("ground-drm-strait")
@line("ground-drm-strait")
def across_strait(case: GroundCase, role: str) -> int:
    """ground-drm-strait The principal attacker across a strait."""
    return role == ATTACKER and case.hexside == "strait"


@rule("ground-drm-river-canal-mountain")
@line("ground-drm-river-canal-mountain")
def across_river_canal_or_mountain(case: GroundCase, role: str) -> int:
    """ground-drm-river-canal-mountain The principal attacker across such a hexside (R-10: its own hexside only).

    An airdrop marker takes away the river or canal line, not the mountain.
    """
    if role != ATTACKER or case.hexside not in ("river", "canal", "mountain"):
        return False
    bridged = any(marker.bridges for marker in case.events.get(ATTACKER, ()))
    return case.hexside == "mountain" or not bridged


@rule("ground-drm-air-good")
@line("ground-drm-air-good")
def air_support_in_good_weather(case: GroundCase, role: str) -> int:
    """ground-drm-air-good A side with air support over a hex with good weather."""
    return has_air_support(case, role) and case.weather == "good"


@rule("ground-drm-air-poor")
@line("ground-drm-air-poor")
def air_support_in_poor_weather(case: GroundCase, role: str) -> int:
    """ground-drm-air-poor A side with air support over a hex with poor weather; severe weather has no line."""
    return has_air_support(case, role) and case.weather == "poor"


def has_air_support(case: GroundCase, role: str) -> bool:
    """Did this side come out of step 3 with its aircraft over the battlefield?"""
    return case.air_attacker if role == ATTACKER else case.air_defender


def takes_armour_line(case: GroundCase, extra: Army) -> bool:
    """R-01 An extra tank or shock unit counts double in good and poor weather (or in good alone, by ruling)."""
    weathers = ("good", "poor") if case.rulings.extra_armour_poor == 2 else ("good",)
    return extra.type in ("tank", "shock") and case.weather in weathers


@rule("assault-drm-extra-tank-shock")
@line("assault-drm-extra-tank-shock")
def extra_tanks_and_shock(case: GroundCase, role: str) -> int:
    """assault-drm-extra-tank-shock Additional attackers that take the better line."""
    return sum(takes_armour_line(case, extra) for extra in additional(case, role))


@rule("assault-drm-extra-other")
@line("assault-drm-extra-other")
def other_extra_attackers(case: GroundCase, role: str) -> int:
    """assault-drm-extra-other Every other additional attacker."""
    return sum(not takes_armour_line(case, extra) for extra in additional(case, role))


@rule("assault-drm-add")
def additional(case: GroundCase, role: str) -> tuple[Army, ...]:
    """assault-drm-add Only the attacker of an assault or invasion has additional units; they add to the principal."""
    return case.additional if role == ATTACKER and is_assault(case) else ()


@rule("amphib-is-assault")
def is_assault(case: GroundCase) -> bool:
    """amphib-is-assault An invasion is an assault with three more lines."""
    return case.action in ("assault", "amphibious")


@rule("amphib-drm-base")
@line("amphib-drm-base")
def amphibious(case: GroundCase, role: str) -> int:
    """amphib-drm-base The attacker of an invasion."""
    return role == ATTACKER and case.action == "amphibious"


def has_naval_support(case: GroundCase, role: str) -> bool:
    """R-33 Ships support an invasion of a coastal hex and nothing else."""
    return role == ATTACKER and case.action == "amphibious" and case.naval_support and case.coastal


@rule("amphib-drm-naval-good")
@line("amphib-drm-naval-good")
def naval_support_in_good_weather(case: GroundCase, role: str) -> int:
    """amphib-drm-naval-good Naval support of an invasion in good weather."""
    return has_naval_support(case, role) and case.weather == "good"


@rule("amphib-drm-naval-poor")
@line("amphib-drm-naval-poor")
def naval_support_in_poor_weather(case: GroundCase, role: str) -> int:
    """amphib-drm-naval-poor Naval support of an invasion in poor weather."""
    return has_naval_support(case, role) and case.weather == "poor"


@rule("ground-halve-unsupplied")
@halving("ground-halve-unsupplied")
def unsupplied(case: GroundCase, role: str) -> int:
    """ground-halve-unsupplied A side with at least one unsupplied ground unit in the combat: once, however many."""
    units = (principal(case, role), *additional(case, role))
    return any(unit.supply == "none" for unit in units)


@rule("ground-halve-severe")
@halving("ground-halve-severe")
def severe_weather(case: GroundCase, role: str) -> int:
    """ground-halve-severe Both sides when the defender's hex has severe weather."""
    return case.weather == "severe"


@rule("ground-halve-fort")
@halving("ground-halve-fort")
def attacking_a_fort(case: GroundCase, role: str) -> int:
    """ground-halve-fort The attacker of a unit that occupies a fort."""
    return role == ATTACKER and case.fort
