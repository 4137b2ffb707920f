"""Chances of the consequences of a combat: the outcomes of `results`, weighted by the law of the codes."""

from __future__ import annotations

from fractions import Fraction

from grognard.games.surrender.odds.law import Law
from grognard.games.surrender.rules import results
from grognard.games.surrender.rules.cases import AirCase, GroundCase, StrategicCase
from grognard.odds.law import law_of

Effects = dict[str, Fraction]


def ground_effects(case: GroundCase, law: Law, holds_fort: bool) -> Effects:
    """What a ground combat does to both sides. `holds_fort`: under DR the defender stays in its fort."""
    effects = dict.fromkeys(
        ("nothing", "defender_retreats", "defender_reduced", "defender_eliminated", "attacker_reduced",
         "attacker_eliminated", "attacker_activation_ends", "no_ezoc", "hex_emptied"), Fraction(0))  # fmt: skip
    for code, chance in law.items():
        outcome = results.ground_outcome(
            code, mobile=case.action == "mobile", attacker_reduced=case.attacker.reduced,
            defender_reduced=case.defender.reduced, can_retreat=case.can_retreat, holds_fort=case.fort and holds_fort,
            blocked_dd=case.rulings.blocked_dd,
        )  # fmt: skip
        gone = outcome.defender == "eliminated"
        happens = {
            "nothing": outcome == results.nothing_happens(),
            "defender_retreats": outcome.retreats,
            "defender_reduced": outcome.defender == "reduced",
            "defender_eliminated": gone,
            "attacker_reduced": outcome.attacker == "reduced",
            "attacker_eliminated": outcome.attacker == "eliminated",
            "attacker_activation_ends": outcome.activation_ends,
            "no_ezoc": outcome.no_ezoc,
            "hex_emptied": gone or outcome.retreats,
        }
        for key, true in happens.items():
            effects[key] += chance if true else 0
    return effects


def air_effects(case: AirCase, law: Law) -> dict[str, Effects | Fraction]:
    """Sorties added to each side, and what the mission's own list says."""
    sorties = {code: results.sorties_added(code) for code in law}
    effects: dict[str, Effects | Fraction] = {
        "attacker_sorties_added": _sorties(law, sorties, 0),
        "defender_sorties_added": _sorties(law, sorties, 1),
    }
    after = {code: results.sorties_after(case.attacker.sorties, sorties[code][0]) for code in law}
    kind = results.follow_up(case.mission)
    if kind == "air_support":
        support = {code: results.air_support(code) for code in law}
        effects["support_both"] = chance_of(law, [c for c in law if support[c] == (True, True)])
        effects["support_attacker_only"] = chance_of(law, [c for c in law if support[c] == (True, False)])
        effects["support_defender_only"] = chance_of(law, [c for c in law if support[c] == (False, True)])
    elif kind == "escort":
        effects["escort_succeeds"] = chance_of(law, [c for c in law if not results.escort_fails(c)])
        effects["escort_fails"] = chance_of(law, [c for c in law if results.escort_fails(c)])
        may = [c for c in law if results.may_attack_after_escort(c, after[c])]
        effects["interceptor_may_attack"] = chance_of(law, may)
    elif kind == "interdiction":
        effects["interdiction_succeeds"] = chance_of(law, [c for c in law if results.interdicts(c)])
        effects["interdiction_fails"] = chance_of(law, [c for c in law if not results.interdicts(c)])
    return effects


def _sorties(law: Law, sorties: dict[str, tuple[int, int]], index: int) -> Effects:
    added = law_of((chance, sorties[code][index]) for code, chance in law.items() if chance)
    return {str(number): added[number] for number in sorted(added)}


def chance_of(law: Law, codes: list[str]) -> Fraction:
    """The chance of any of these codes."""
    return sum((law[code] for code in codes), Fraction(0))


def strategic_effects(
    case: StrategicCase, law: Law, germany: int | None, ally: int | None
) -> dict[str, Effects | Fraction]:
    """How the two Fac Lost markers move and, when their values are given, where they end."""
    del case
    moves = {code: results.fac_lost_change(code) for code in law}
    effects: dict[str, Effects | Fraction] = {}
    for index, name in enumerate(("germany", "ally")):
        effects[f"{name}_up"] = chance_of(law, [c for c in law if moves[c][index] > 0])
        effects[f"{name}_down"] = chance_of(law, [c for c in law if moves[c][index] < 0])
    for index, (name, value) in enumerate((("germany", germany), ("ally", ally))):
        if value is not None:
            after = law_of((p, results.fac_lost_after(value, moves[c][index])) for c, p in law.items() if p)
            effects[f"{name}_fac_lost"] = {str(v): after[v] for v in sorted(after)}
    return effects
