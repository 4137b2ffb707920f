"""The greedy player: one decision ahead, over redealt samples, by the game's own score.

A decision is often two clicks (pick a unit, pick a hex). A click that changes no score is therefore judged by the best
click that can follow it, so that picking a unit is worth what its best move is worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grognard.ai.player import Choice, Seat
from grognard.kernel.flow import Action
from grognard.kernel.game import Mind

SAMPLES = 3
FINALISTS = 12  # actions that are weighed on more than one deal of what is hidden


class GreedyPlayer:
    """Maximises a judgement of the game after its next decision.

    With the judgement `yardstick` it is `greedy-1`, which does not change. `slips` are the chances in a hundred that it
    acts without thinking.
    """

    def __init__(self, samples: int = SAMPLES, budget: int = 0, mind: str = "", slips: int = 0) -> None:
        self.samples, self.budget, self.mind, self.slips = samples, budget, mind, slips

    def choose(self, seat: Seat) -> Choice:
        """Weigh every legal action on a few positions that could be the true one."""
        if len(seat.legal) == 1:
            return Choice(seat.legal[0], [])
        if self.slips and (luck := seat.luck()).random() * 100 < self.slips:
            return Choice(seat.legal[int(luck.random() * len(seat.legal))], [])
        mind = seat.game.mind(self.mind)
        options = seat.promising(mind)
        if len(options) == 1:
            return Choice(options[0], [])
        samples = max(self.samples, mind.samples)
        first = seat.sample(0)
        judged = self._judge(seat, mind, first, options, range(len(options)))
        totals = [worth for worth, _ in judged.values()]
        running = sorted(judged, key=lambda i: -totals[i])
        for number in range(1, samples):
            position = seat.sample(number)
            if same_but_for_dice(position, first):  # then only what rolls dice can come out otherwise
                open_still = [i for i in running if judged[i][1]]
            else:  # another deal: what was far behind in the first will hardly win on the whole
                running = open_still = running[:FINALISTS]
            again = self._judge(seat, mind, position, options, open_still)
            for i in running:
                totals[i] += (again[i] if i in again else judged[i])[0]
        order = sorted(running, key=lambda i: (-totals[i], i))
        equal = [i for i in order if totals[i] == totals[order[0]]]
        chosen = equal[int(seat.luck().random() * len(equal))]
        weighed = [(options[i], totals[i] // samples) for i in order[:5]]
        return Choice(options[chosen], weighed, positions=seat.positions)

    def _judge(
        self, seat: Seat, mind: Mind, position: Any, options: list[Action], numbers: Sequence[int]
    ) -> dict[int, tuple[int, bool]]:
        """By number of the action: what it is worth, and whether dice were rolled to find out."""
        before = mind.score(position, seat.side) if numbers else 0
        return {i: self._worth(seat, mind, position, options[i], before) for i in numbers}

    def _worth(self, seat: Seat, mind: Mind, position: Any, action: Action, before: int) -> tuple[int, bool]:
        """The score after an action, looking through a mere picking-up."""
        game, side = seat.game, seat.side
        after = position.copy()
        game.apply(after, side, action, trusted=True)
        seat.positions += 1
        score = mind.score(after, side)
        if score != before or side not in after.waiting or after.draws != position.draws:
            return score, after.draws != position.draws
        follow = game.legal(after, side)
        if follow == seat.legal:  # nothing happened: no use in looking further
            return score, False
        follow = mind.promising(after, side, follow)
        step = max(1, len(follow) * len(seat.legal) // (self.budget or mind.patience or game.patience))
        best, rolled = None, False
        for next_action in follow[::step]:
            then = after.copy()
            game.apply(then, side, next_action, trusted=True)
            seat.positions += 1
            value = mind.score(then, side)
            best = value if best is None or value > best else best
            rolled = rolled or then.draws != after.draws
        return score if best is None else best, rolled


def same_but_for_dice(a: Any, b: Any) -> bool:
    """Are two samples the same position, apart from the dice to come?"""
    if any(getattr(a, name) != getattr(b, name) for name in a.fields if name not in ("seed", "loaded", "draws")):
        return False
    return [(f.at(), f.pack()) for f in a.frames] == [(f.at(), f.pack()) for f in b.frames]
