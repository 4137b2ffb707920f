"""The staff that chooses a manner of play: whole turns, too long to plan click by click, are played out in each style.

A game names its styles (`Game.styles`, names of minds): attack here, hold, shift. When a new spell of its own begins
(`Game.spell`) the player lets every style play on from redealt positions, the enemy as the steady judgement would, to
the end of the turn or further; the same deals for all, half of the styles dropped after each round. It then plays the
best style one decision at a time. The steady judgement itself is the first style, and is left only for one that was
better on the mean by more than the noise of the comparison. Work is counted in rollouts, never in seconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from grognard.ai.greedy import GreedyPlayer
from grognard.ai.player import Choice, Seat
from grognard.ai.steps import pick, rated_steps, take
from grognard.kernel.game import Mind

LONGEST = 4000  # steps of a rollout


@dataclass
class StylePlayer:
    """Chooses among the styles of a game at the start of each spell. A level is a set of these numbers."""

    rounds: tuple[int, ...] = (2, 2, 4)  # deals of each round; half of the styles go after each
    ahead: int = 1  # game turns after the current one that a rollout goes on
    patience: int = 200
    lead: int = 50  # hundredths of a standard error by which another style must be better
    spell: Any = None  # the spell that the style was chosen for
    style: str = "front"
    means: dict[str, int] = field(default_factory=dict)  # of the last comparison

    def choose(self, seat: Seat) -> Choice:
        """Think at the start of a spell; then play on in the style chosen."""
        if len(seat.legal) == 1:
            return Choice(seat.legal[0], [])
        spell = seat.game.spell(seat.sample(0), seat.side)
        if spell is not None and spell != self.spell:
            self.spell = spell
            self.style = self._compare(seat)
        return GreedyPlayer(samples=1, mind=self.style).choose(seat)

    def _compare(self, seat: Seat) -> str:
        """The style that did best on common deals."""
        styles = ["front", *seat.game.styles]
        found: dict[str, list[int]] = {style: [] for style in styles}
        deals = 0
        running = styles
        for number in self.rounds:
            for _ in range(number):
                deal = seat.sample(deals)
                for style in running:
                    found[style].append(self._play_on(seat, deal.copy(), style, deals))
                    if seat.tell:
                        seat.tell(deals, sum(self.rounds), seat.legal[0])
                deals += 1
            order = sorted(running, key=lambda style: -sum(found[style]))
            keep = order[: max(2, (len(order) + 1) // 2)]
            running = keep if "front" in keep else ["front", *keep[:-1]]
        best = max(running, key=lambda style: sum(found[style]))
        self.means = {style: sum(values) // max(1, len(values)) for style, values in found.items()}
        if best == "front":
            return best
        apart = [a - b for a, b in zip(found[best], found["front"])]
        mean = sum(apart) / len(apart)
        spread = (sum((x - mean) ** 2 for x in apart) / max(1, len(apart) - 1)) ** 0.5
        return best if 100 * mean > self.lead * spread / len(apart) ** 0.5 else "front"

    def _play_on(self, seat: Seat, s: Any, style: str, number: int) -> int:
        """Our side in a style, the others steadily, to the horizon; what the position is worth there."""
        game, start = seat.game, seat.game.clock(s)
        front = game.mind("front")
        minds: list[Mind] = [game.mind(style) if side == seat.side else front for side in range(len(game.sides))]
        luck = seat.luck()
        for _ in range(LONGEST):
            if not s.waiting or game.clock(s) > start + self.ahead:
                break
            side = s.waiting[0]
            take(seat, s, side, pick(rated_steps(seat, minds[side], s, side, self.patience), luck, 0.0, 0.0))
        return front.score(s, seat.side)
