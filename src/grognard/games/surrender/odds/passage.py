"""The chances of getting through: a bombing, a voyage or a landing that the enemy may intercept. All of it is open."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from grognard.games.surrender.frames import AirCombat, AirMove, Invasion, Mission, NavalMove
from grognard.games.surrender.odds.book import tally_json
from grognard.games.surrender.odds.effects import chance_of
from grognard.games.surrender.odds.law import Law, result_law
from grognard.games.surrender.rules import results
from grognard.games.surrender.rules.air_combat import air_case
from grognard.games.surrender.rules.air_operations import bombing_mission
from grognard.games.surrender.rules.board import unit_of
from grognard.games.surrender.rules.cases import ATTACKER, DEFENDER
from grognard.games.surrender.rules.interception import enemies, escort_combat, reactors, target_combat
from grognard.games.surrender.rules.naval_operations import invasion_mission, sailing_mission
from grognard.games.surrender.rules.tally import tally
from grognard.games.surrender.state import Position
from grognard.kernel import Action, rule
from grognard.odds.law import as_fractions, fraction_text


def passage_odds(s: Position, action: Action) -> dict[str, Any] | None:
    """What an interception would do: of the one that is sent, or of the most dangerous that could be."""
    c, (verb, noun) = s.frames[-1], action
    if isinstance(c, Mission):
        if verb == "intercept":
            return told(s, c, noun)
        if verb == "press":
            return told(s, c, c.interceptor, past_escort=True)
        return worst(s, c, noun if verb != "no_escort" else -1) if verb.endswith("escort") else None
    mission = mission_of(s, c, verb, noun)
    return None if mission is None else worst(s, mission, -1)


def mission_of(s: Position, c: Any, verb: str, noun: int) -> Mission | None:
    """The mission that an action would begin."""
    then = c.copy()
    if isinstance(then, AirMove) and verb == "bomb":
        then.target = noun
        return bombing_mission(s, then)
    if isinstance(then, NavalMove) and verb == "sail":
        then.start, then.target = s.at[c.unit], noun
        return sailing_mission(s, then)
    if isinstance(then, Invasion) and verb in ("launch", "lead"):
        then.principal = noun if verb == "lead" else then.principal
        twin = s.copy()
        twin.events = None
        return invasion_mission(twin, then)
    return None


def law_of_air(s: Position, combat: AirCombat) -> tuple[dict[str, Any], Law]:
    """Both tallies and the law of the results, nothing committed."""
    case = air_case(s, combat)
    sides = {role: tally_json(tally(case, role)) for role in (ATTACKER, DEFENDER)}
    return sides, result_law(tally(case, ATTACKER), tally(case, DEFENDER))


@rule("escort", "escort-fail", "escort-fail-sorties", "interdiction-success")
def stopping(s: Position, c: Mission, unit: int, past_escort: bool) -> tuple[dict[str, Any], dict[str, Fraction]]:
    """The first combat of an interceptor, and how likely it stops the mission in the end.

    escort-fail Past a beaten escort it attacks with the sorties that the first combat cost it, if they are under six.
    """
    then = c.copy()
    then.interceptor = unit
    if c.escort < 0 or past_escort:
        first, law = law_of_air(s, target_combat(s, then))
        stopped = chance_of(law, [code for code in law if results.interdicts(code)])
        return first | {"results": as_fractions(law)}, {"stopped": stopped, "gets_through": 1 - stopped}
    first, law = law_of_air(s, escort_combat(s, then))
    stopped = Fraction(0)
    for code, chance in law.items():
        carried = results.sorties_after(s.sorties[unit], results.sorties_added(code)[0])
        if chance and results.may_attack_after_escort(code, carried):
            twin = s.copy()
            twin.sorties[unit] = carried
            _, second = law_of_air(twin, target_combat(twin, then))
            stopped += chance * chance_of(second, [one for one in second if results.interdicts(one)])
    escort = chance_of(law, [code for code in law if not results.escort_fails(code)])
    effects = {"stopped": stopped, "gets_through": 1 - stopped, "escort_succeeds": escort, "escort_fails": 1 - escort}
    return first | {"results": as_fractions(law)}, effects


def told(s: Position, c: Mission, unit: int, past_escort: bool = False) -> dict[str, Any]:
    """The answer for one interceptor."""
    first, effects = stopping(s, c, unit, past_escort)
    shares = {key: fraction_text(chance) for key, chance in effects.items()}
    return {"kind": "passage", "interceptor": unit_of(s, unit).id} | first | {"effects": shares}


def worst(s: Position, c: Mission, escort: int) -> dict[str, Any] | None:
    """The answer for the interceptor that stops the mission most often; None if nobody can rise."""
    then = c.copy()
    then.escort = escort
    able = [u for enemy in enemies(s, then) for u in reactors(s, then, enemy)]
    if not able:
        return None
    return told(s, then, max(able, key=lambda u: (stopping(s, then, u, False)[1]["stopped"], -u)))
