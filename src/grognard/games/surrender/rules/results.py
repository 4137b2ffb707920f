"""What a result of the table does, as pure functions of the code and the few facts it depends on.

The game applies these outcomes to its state; the odds book adds up their chances.
"""

from __future__ import annotations

from dataclasses import dataclass

from grognard.games.surrender.loading import setting
from grognard.games.surrender.rules.table import sorties_of
from grognard.kernel.rulebook import rule

DEFENDER_HURT = ("DR", "DD", "DE")
ATTACKER_HURT = ("AS", "AA")


@dataclass(frozen=True, slots=True)
class GroundOutcome:
    """What happens to both sides of a ground combat."""

    attacker: str = "unharmed"  # or reduced, eliminated
    defender: str = "unharmed"  # or reduced, eliminated
    retreats: bool = False
    no_ezoc: bool = False
    activation_ends: bool = False


@rule("seq-6-type", "result-ignore-plus")
def ground_outcome(
    code: str, *, mobile: bool, attacker_reduced: bool, defender_reduced: bool, can_retreat: bool, holds_fort: bool,
    blocked_dd: str = "eliminated",
) -> GroundOutcome:  # fmt: skip
    """seq-6-type The ground list; the number behind the code plays no part.

    `holds_fort`: the defender occupies a fort and its faction chose to stay (result-DR-fort).
    """
    if code == "NE":
        return nothing_happens()
    if code == "AS":
        return attacker_stopped()
    if code == "AA":
        return attacker_attrition(attacker_reduced)
    if code == "DR":
        return defender_retreats(mobile, defender_reduced, can_retreat, holds_fort)
    if code == "DD":
        return defender_disrupted(mobile, defender_reduced, can_retreat, blocked_dd)
    return defender_eliminated(mobile)


@rule("result-NE")
def nothing_happens() -> GroundOutcome:
    """result-NE The combat is over; a mobile attacker may go on."""
    return GroundOutcome()


@rule("result-AS")
def attacker_stopped() -> GroundOutcome:
    """result-AS Nobody is harmed; the attackers' activation is over."""
    return GroundOutcome(activation_ends=True)


@rule("result-AA-reduced", "result-AA-full", "result-AA-end")
def attacker_attrition(reduced: bool) -> GroundOutcome:
    """result-AA-full The principal attacker loses a step: a full one is reduced, a reduced one is eliminated."""
    return GroundOutcome(attacker="eliminated" if reduced else "reduced", activation_ends=True)


@rule("result-DR", "result-DR-blocked", "result-DR-fort")
def defender_retreats(mobile: bool, reduced: bool, can_retreat: bool, holds_fort: bool) -> GroundOutcome:
    """result-DR The defender goes back one hex; blocked, or staying in its fort, it pays with a step."""
    if can_retreat and not holds_fort:
        return GroundOutcome(retreats=True)
    return cannot_retreat(mobile, reduced)


@rule("result-DD-reduced", "result-DD-mobile", "result-DD-full", "result-DD-fort", "result-DD-blocked")
def defender_disrupted(mobile: bool, reduced: bool, can_retreat: bool, blocked_dd: str) -> GroundOutcome:
    """result-DD-full A full defender is reduced and must go back, fort or not; a reduced one is eliminated.

    Blocked (R-07): the unit just reduced meets the cannot-retreat list as a reduced unit and is eliminated; the
    ruling "reduced" spares it.
    """
    if reduced:
        return defender_eliminated(mobile)
    if can_retreat:
        return GroundOutcome(defender="reduced", retreats=True)
    if blocked_dd == "reduced":
        return GroundOutcome(defender="reduced")
    return cannot_retreat(mobile, reduced=True)


@rule("result-DE", "result-DE-mobile")
def defender_eliminated(mobile: bool) -> GroundOutcome:
    """result-DE The defender is removed; a mobile attack leaves a No EZOC marker in its hex."""
    return GroundOutcome(defender="eliminated", no_ezoc=mobile)


@rule("noretreat-reduced", "noretreat-mobile", "noretreat-full")
def cannot_retreat(mobile: bool, reduced: bool) -> GroundOutcome:
    """noretreat-full A full defender is reduced and stays; a reduced one is eliminated, leaving the mobile marker."""
    if reduced:
        return GroundOutcome(defender="eliminated", no_ezoc=mobile)
    return GroundOutcome(defender="reduced")


# ---- strategic combat --------------------------------------------------------------------------------------------


@rule("strategic-result-NE", "strategic-result-DR", "strategic-result-DD", "strategic-result-DE",
      "strategic-result-AS", "strategic-result-AA")  # fmt: skip
def fac_lost_change(code: str) -> tuple[int, int]:
    """strategic-result-DR How far the Fac Lost markers of Germany and of the Allied country move."""
    if code == "NE":
        return -1, -1
    return (-1, 1) if code in DEFENDER_HURT else (1, -1)


@rule("strategic-fac-range")
def fac_lost_after(value: int, change: int) -> int:
    """strategic-fac-range A Fac Lost marker stays between 1 and 9 (R-23: the other one still moves)."""
    return max(1, min(9, value + change))


# ---- air/naval combat --------------------------------------------------------------------------------------------


@rule("air-result-steps", "air-sorties-none", "air-sorties-defender", "air-sorties-attacker")
def sorties_added(code: str) -> tuple[int, int]:
    """air-sorties-defender Sorties for attacker and defender: the loser takes the table's number, the other one 1."""
    if code == "NE":
        return 1, 1
    number = sorties_of(code)
    return (1, number) if code in DEFENDER_HURT else (number, 1)


@rule("sorties-max")
def sorties_after(carried: int, added: int) -> int:
    """sorties-max A unit carries six sorties at most; the rest is lost."""
    return min(setting("sortie_limit"), carried + added)


@rule("air-effect-route", "air-effect-strike")
def follow_up(mission: str) -> str:
    """air-effect-route What is read after the sorties: nothing, air support, escort or interdiction."""
    if mission == "air_strike":
        return "none"
    if mission == "ground_support":
        return "air_support"
    return "escort" if mission == "escort" else "interdiction"


@rule("air-support-both", "air-support-attacker", "air-support-defender")
def air_support(code: str) -> tuple[bool, bool]:
    """air-support-both Who keeps the ground support modifier: both on NE, DR, AS; one side after a heavy defeat."""
    return code != "AA", code not in ("DD", "DE")


@rule("escort", "escort-fail")
def escort_fails(code: str) -> bool:
    """escort-fail The escort is brushed aside on DR, DD and DE; otherwise it has done its duty."""
    return code in DEFENDER_HURT


@rule("escort-fail-sorties")
def may_attack_after_escort(code: str, interceptor_sorties: int) -> bool:
    """escort-fail-sorties Past a beaten escort, an interceptor attacks if it now carries fewer than 6 (R-28)."""
    return escort_fails(code) and interceptor_sorties < setting("sortie_limit")


@rule("interdiction-success", "interdiction-fail")
def interdicts(code: str) -> bool:
    """interdiction-success DR, DD and DE stop the interdicted action; anything else lets it pass."""
    return code in DEFENDER_HURT


@rule("interdiction-supply-level", "interdiction-supply-once")
def supply_after_failure(previous: int) -> int:
    """interdiction-supply-level One level below last month's state (R-31), however many traces failed."""
    return min(2, previous + 1)
