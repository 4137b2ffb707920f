"""The machinery of the report after a game: for each decision what it cost, and for each roll how lucky it was.

A decision is judged on deals of what the side could know then, with other dice: the chosen action's mean chance of
winning against that of the best action that the player would have weighed. Luck is what really came, less that mean.

`review` goes through a whole game: the curve at every decision, the luck of every roll, and the cost of those decisions
that are worth the work. Where no chance of winning was fitted the curve is `rough`, the score by its own spread, and
nothing is marked.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from grognard.ai.greedy import GreedyPlayer
from grognard.ai.player import Seat
from grognard.ai.value import chance_at, logistic
from grognard.kernel.dice import seed_from
from grognard.kernel.flow import Action
from grognard.kernel.game import Game
from grognard.kernel.record import Side

DEALS = 6
LUCK_DEALS = 4  # for a roll that is not judged
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
    after = of_side(game, s, chance_at(game, truth), side)
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
        total += of_side(game, deal, chance_at(game, then), side)
    return total / len(deals)


def of_side(game: Game[Any], s: Any, chance: float | None, side: Side) -> float:
    """From the first side's chance to this side's; who wins with the first side has its chance."""
    value = 0.5 if chance is None else chance
    return value if side == 0 or game.winner_over(s, side) == game.winner_over(s, 0) else 1 - value


@dataclass
class Review:
    """A whole game. `curve` has the first side's chance in hundredths before each decision and at the end."""

    curve: list[int] = field(default_factory=list)
    judged: dict[int, Judged] = field(default_factory=dict)  # by number of the decision
    luck: dict[int, tuple[Side, int]] = field(default_factory=dict)  # by number: whose roll, what it brought him
    rough: bool = False

    def luck_of(self, side: Side) -> int:
        """All that the dice brought a side when it was its to roll, in hundredths."""
        return sum(value for whose, value in self.luck.values() if whose == side)

    def marks(self, side: Side) -> dict[str, int]:
        """How many decisions of a side have each mark."""
        found = [judged.mark for judged in self.judged.values() if judged.side == side and judged.mark]
        return {name: found.count(name) for _, name in MARKS}


def review(
    game: Game[Any], s: Any, course: Iterable[tuple[Side, Action]], seed: str = "review", most: int = 80
) -> Review:
    """Go through a game from its first position (which is left alone); at most `most` decisions are judged.

    Those are judged at which the chance moved most: what a decision lost is mostly seen then, or at the die after it.
    """
    s, course = s.copy(), list(course)
    s.events = None
    before: list[Any] = []
    raw: list[float | None] = []
    scores: list[int] = []
    for side, action in course:
        before.append(s.copy())
        raw.append(chance_at(game, s))
        scores.append(game.score(s, 0))
        game.apply(s, side, action, trusted=True)
    raw.append(chance_at(game, s))
    scores.append(game.score(s, 0))
    if any(value is None for value in raw):
        return Review([round(100 * value) for value in rough_curve(raw, scores)], rough=True)
    curve = [value for value in raw if value is not None]
    found = Review([round(100 * value) for value in curve])
    swings = sorted(range(len(course)), key=lambda n: (-abs(curve[n + 1] - curve[n]), n))
    chosen = {n for n in swings if len(before[n].waiting) and len(game.legal(before[n], course[n][0])) > 1}
    chosen = set([n for n in swings if n in chosen][:most])
    for number, (side, action) in enumerate(course):
        here = before[number]
        after = before[number + 1] if number + 1 < len(before) else s
        if number in chosen:
            judged = judge(game, here, side, action, f"{seed} {number}")
            if judged is not None:
                found.judged[number] = judged
                if after.draws != here.draws:
                    found.luck[number] = side, judged.luck
        elif after.draws != here.draws:
            deals = [game.redeal(here, side, seed_from(f"{seed} {number} {n}")) for n in range(LUCK_DEALS)]
            came = of_side(game, here, curve[number + 1], side)
            found.luck[number] = side, round(100 * (came - mean_after(game, deals, side, action)))
    return found


def rough_curve(raw: list[float | None], scores: list[int]) -> list[float]:
    """A curve where nothing was fitted: the score against how far it strayed in this game; an ended game is certain."""
    first = scores[0]
    spread = math.sqrt(sum((score - first) ** 2 for score in scores[:-1]) / max(1, len(scores) - 1)) or 1.0
    return [logistic((score - first) / spread) if value is None else value for value, score in zip(raw, scores)]
