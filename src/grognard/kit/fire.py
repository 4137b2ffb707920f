"""Fire by dice: so many dice, each a hit if it shows enough."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from grognard.kernel import State, Tally, emit, roll


class Volley(NamedTuple):
    """The fire of one unit: its dice, the lowest face that hits once the tally is counted in, and the tally.

    >>> Volley(2, 5, Tally([("7.1", -1)])).chances()
    [Fraction(1, 3), Fraction(1, 3)]
    """

    dice: int
    lowest: int
    tally: Tally
    faces: int = 6

    def chances(self) -> list[Fraction]:
        """The chance of each die to hit, for the odds."""
        hitting = max(0, min(self.faces, self.faces + 1 - self.lowest))
        return [Fraction(hitting, self.faces)] * self.dice


def shoot(s: State, rule: str, unit: str, volley: Volley) -> int:
    """Roll the dice and tell the table: the event `fire` with the unit, its tally and its hits. Gives the hits."""
    hits = sum(die >= volley.lowest for die in roll(s, rule, volley.dice, volley.faces))
    emit(s, "fire", rule, unit=unit, tally=volley.tally.lines, modifier=volley.tally.total(), hits=hits)
    return hits
