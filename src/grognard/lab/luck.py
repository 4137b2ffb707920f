"""What the dice gave each side in a game: what came less what was to be expected, summed over all rolls.

An action that draws dice is done again on copies with other dice; the mean of what a position is then worth is what
was to be expected. A position is worth a chance of winning where one was fitted, else the computer's plain judgement.
So luck is no better than that judgement; it is unbiased whatever the judgement is. Dice whose effect somebody chooses
later (who takes the hits) count only as far as the judgement sees them at once.
"""

from __future__ import annotations

from typing import Any

from grognard.ai.value import chance_at, fitted
from grognard.kernel.dice import seed_from
from grognard.kernel.flow import Action
from grognard.kernel.game import Game
from grognard.kernel.record import Side

SAMPLES = 12
LUCK = "luck."


class DiceLuck:
    """Watches one game; `facts` tells thousandths of a win, or points of judgement, by side."""

    def __init__(self, game: Game[Any], s: Any) -> None:
        self.game = game
        self.sides = [side for side in game.playing(s) if side >= 0]
        self.chance = s.scenario in fitted(game.name)
        self.total = dict.fromkeys(self.sides, 0.0)
        self.rolls = 0

    def worth(self, s: Any, side: Side) -> float:
        """What a position is worth to a side."""
        if self.chance:
            first = chance_at(self.game, s)
            value = 500.0 if first is None else 1000 * first
            return value if side == self.sides[0] else 1000 - value
        return float(self.game.score(s, side))

    def apply(self, s: Any, side: Side, action: Action) -> None:
        """Carry an action out and weigh its dice. Ends are left out: their prize would dwarf all that led to them."""
        before = s.copy()
        s.drawn = []
        self.game.apply(s, side, action, trusted=True)
        drew, s.drawn = bool(s.drawn), None
        if not drew or s.outcome:
            return
        self.rolls += 1
        expected = dict.fromkeys(self.sides, 0.0)
        for number in range(SAMPLES):
            other = before.copy()
            other.seed, other.loaded, other.events = seed_from(f"luck {number} {s.digest()}"), (), None
            self.game.apply(other, side, action, trusted=True)
            if other.outcome:
                return
            for one in self.sides:
                expected[one] += self.worth(other, one) / SAMPLES
        for one in self.sides:
            self.total[one] += self.worth(s, one) - expected[one]

    def facts(self) -> dict[str, int]:
        """The sums, and how many actions drew dice."""
        told = {f"{LUCK}{self.game.sides[side]}": round(value) for side, value in self.total.items()}
        return told | {f"{LUCK}rolls": self.rolls}
