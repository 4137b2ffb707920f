"""Steps: one decision of a player, a click or two, rated one deep. What plans are made of, and the quick policy.

A click that changes no score (picking a unit up) is joined with the click that follows it. Dice of such a look are
never those to come: the look takes another seed.
"""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from grognard.ai.player import Seat
from grognard.kernel.flow import Action
from grognard.kernel.game import Mind
from grognard.kernel.record import Side


class Step(NamedTuple):
    """One decision: a click, and the click that must follow it if it only picked something up."""

    first: Action
    then: Action | None = None


Plan = tuple[Step, ...]


def rated_steps(seat: Seat, mind: Mind, s: Any, side: Side, patience: int) -> list[tuple[int, Step]]:
    """Every step worth a look with the score after it, best first and stable."""
    game = seat.game
    legal = game.legal(s, side)
    options = mind.promising(s, side, legal) if len(legal) > 1 else legal
    if len(options) == 1:
        return [(0, Step(options[0]))]
    before, found = mind.score(s, side), []
    looks = 0
    for action in options:
        after = s.copy()
        after.seed, after.loaded = f"{s.seed}?"[-64:], ()
        game.apply(after, side, action, trusted=True)
        looks += 1
        score = mind.score(after, side)
        follow: list[Action] = []
        if score == before and side in after.waiting and after.draws == s.draws:
            follow = game.legal(after, side)
            follow = [] if follow == legal else mind.promising(after, side, follow)
        if not follow:
            found.append((score, Step(action)))
        for target in follow[:: max(1, len(follow) * len(options) // patience)]:
            then = after.copy()
            game.apply(then, side, target, trusted=True)
            looks += 1
            found.append((mind.score(then, side), Step(action, target)))
    seat.positions += looks
    return sorted(found, key=lambda pair: -pair[0])


def pick(rated: list[tuple[int, Step]], luck: random.Random, noise: float, slope: float) -> Step:
    """The best step, one of the equals by lot; with noise a worse one, down the ranking by a falling chance."""
    rank = 0
    if len(rated) > 1 and noise and luck.random() < noise:
        while rank < len(rated) - 1 and luck.random() < slope:
            rank += 1
        return rated[rank][1]
    equal = 1
    while equal < len(rated) and rated[equal][0] == rated[0][0]:
        equal += 1
    return rated[int(luck.random() * equal)][1] if equal > 1 else rated[0][1]


def take(seat: Seat, s: Any, side: Side, step: Step) -> Step | None:
    """Play as much of a step as is legal; that much of it is returned."""
    game = seat.game
    if side not in s.waiting or step.first not in game.legal(s, side):
        return None
    game.apply(s, side, step.first, trusted=True)
    if step.then is None or side not in s.waiting or step.then not in game.legal(s, side):
        return Step(step.first)
    game.apply(s, side, step.then, trusted=True)
    return step
