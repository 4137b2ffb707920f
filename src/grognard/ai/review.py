"""The machinery of the report after a game: for each decision what it cost, and for each roll how lucky it was.

A decision is judged on deals of what the side could know then, with other dice: the chosen action's mean chance of
winning against that of the best action that the player would have weighed. Luck is what really came, less that mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from grognard.ai.greedy import GreedyPlayer
from grognard.ai.player import Seat
from grognard.ai.value import chance_at
from grognard.kernel.dice import seed_from
from grognard.kernel.flow import Action
from grognard.kernel.game import Game
from grognard.kernel.record import Side

DEALS = 6
MARKS = ((20, "blunder"), (10, "mistake"), (5, "inaccuracy"))  # hundredths of the game that a decision cost


@dataclass(frozen=True)
class Judged:
    """One decision of a game, in hundredths of the chance of winning, from its side."""

    side: Side
    action: Action
    better: Action  # the best of those weighed; the same where nothing was better
    cost: int  # what the best would have brought more, on the mean
    luck: int  # what came, less what was to be expected
    after: int  # the chance when it was done
    mark: str = ""


def judge(game: Game[Any], s: Any, side: Side, action: Action, seed: str = "review") -> Judged | None:
    """Judge one decision before it is carried out; None where no chance of winning was fitted."""
    if chance_at(game, s) is None:
        return None
    seat = Seat(game, s, side, seed)
    weighed = [a for a, _ in GreedyPlayer(samples=1).choose(seat).weighed][:3] if len(seat.legal) > 1 else []
    options = list(dict.fromkeys([action, *weighed]))
    deals = [game.redeal(s, side, seed_from(f"{seed} {n}")) for n in range(DEALS)]
    means = {option: mean_after(game, deals, side, option) for option in options}
    truth = s.copy()
    game.apply(truth, side, action, trusted=True)
    after = of_side(chance_at(game, truth), side)
    better = max(options, key=lambda option: means[option])
    cost = round(100 * (means[better] - means[action]))
    mark = next((name for least, name in MARKS if cost >= least), "")
    luck = round(100 * (after - means[action])) if truth.draws != s.draws else 0
    return Judged(side, action, better if cost else action, cost, luck, round(100 * after), mark)


def mean_after(game: Game[Any], deals: list[Any], side: Side, action: Action) -> float:
    """The mean chance of a side after an action, over deals."""
    total = 0.0
    for deal in deals:
        then = deal.copy()
        game.apply(then, side, action, trusted=True)
        total += of_side(chance_at(game, then), side)
    return total / len(deals)


def of_side(chance: float | None, side: Side) -> float:
    """From the first side's chance to this side's."""
    value = 0.5 if chance is None else chance
    return value if side == 0 else 1 - value
