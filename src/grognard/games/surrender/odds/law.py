"""The exact law of a combat: every pair of dice through the very functions that the game uses."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from grognard.games.surrender.loading import CODES, setting
from grognard.games.surrender.rules import air_modifiers, ground_modifiers, strategic_modifiers  # noqa: F401
from grognard.games.surrender.rules.cases import ATTACKER, DEFENDER, Case
from grognard.games.surrender.rules.table import look_up
from grognard.games.surrender.rules.tally import Tally, final_value, tally

Law = dict[str, Fraction]


@lru_cache(maxsize=8192)
def _drm_law(attacker: tuple[int, int], defender: tuple[int, int], faces: int) -> tuple[tuple[str, Fraction], ...]:
    counts = dict.fromkeys(CODES, 0)
    rows = [final_value(face, *defender) for face in range(1, faces + 1)]
    for face in range(1, faces + 1):
        column = final_value(face, *attacker)
        for row in rows:
            counts[look_up(column, row)] += 1
    return tuple((code, Fraction(count, faces * faces)) for code, count in counts.items())


def drm_law(attacker: tuple[int, int], defender: tuple[int, int]) -> Law:
    """The law for each side's applied modifier and number of divisions."""
    return dict(_drm_law(attacker, defender, setting("die")))


def result_law(attacker: Tally, defender: Tally) -> Law:
    """NE, DR, DD, DE, AS, AA with their chances, for two tallies."""
    return drm_law((attacker.drm, len(attacker.halvings)), (defender.drm, len(defender.halvings)))


def case_law(case: Case) -> Law:
    """The law of a case."""
    return result_law(tally(case, ATTACKER), tally(case, DEFENDER))
