"""The greedy player: one decision ahead, over redealt samples, by the game's own score.

A decision is often two clicks (pick a unit, pick a hex). A click that changes no score is therefore judged by the best
click that can follow it, so that picking a unit is worth what its best move is worth.
"""

from __future__ import annotations

from typing import Any

from grognard.ai.player import Choice, Seat
from grognard.kernel.flow import Action

SAMPLES = 3
BUDGET = 600  # positions judged for one decision and sample


class GreedyPlayer:
    """Maximises `Game.score` after its next decision."""

    def __init__(self, samples: int = SAMPLES, budget: int = BUDGET) -> None:
        self.samples, self.budget = samples, budget

    def choose(self, seat: Seat) -> Choice:
        """Weigh every legal action on a few positions that could be the true one."""
        if len(seat.legal) == 1:
            return Choice(seat.legal[0], [])
        options = seat.promising()
        if len(options) == 1:
            return Choice(options[0], [])
        totals = [0] * len(options)
        for number in range(self.samples):
            position = seat.sample(number)
            before = seat.game.score(position, seat.side)
            for i, action in enumerate(options):
                totals[i] += self._worth(seat, position, before, action)
        best = max(totals)
        equal = [i for i, total in enumerate(totals) if total == best]
        chosen = equal[int(seat.luck().random() * len(equal))]
        order = sorted(range(len(totals)), key=lambda i: (-totals[i], i))
        return Choice(options[chosen], [(options[i], totals[i] // self.samples) for i in order[:5]])

    def _worth(self, seat: Seat, position: Any, before: int, action: Action) -> int:
        """The score after an action, looking through a mere picking-up."""
        game, side = seat.game, seat.side
        after = position.copy()
        game.apply(after, side, action, trusted=True)
        score = game.score(after, side)
        if score != before or side not in after.waiting or after.draws != position.draws:
            return score
        follow = game.legal(after, side)
        if follow == seat.legal:  # nothing happened: no use in looking further
            return score
        follow = game.promising(after, side, follow)
        step = max(1, len(follow) * len(seat.legal) // self.budget)
        best: int | None = None
        for next_action in follow[::step]:
            then = after.copy()
            game.apply(then, side, next_action, trusted=True)
            value = game.score(then, side)
            best = value if best is None or value > best else best
        return score if best is None else best
