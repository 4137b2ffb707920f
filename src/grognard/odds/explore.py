"""Exact laws by playing a position on with every die: the game's own sequences, nothing rewritten.

`run` carries a position to where the answer can be read; decisions on the way are made by a policy.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import Any, TypeVar

from grognard.kernel import Action, Decision, Side
from grognard.kernel.dice import explore
from grognard.odds.law import law_of

K = TypeVar("K", bound=Hashable)
Policy = Callable[[Any, int, list[Action]], Action]
MOST_DECISIONS = 200


def exact_law(
    game: Any, state: Any, policy: Policy, until: Callable[[Any], bool], read: Callable[[Any], K]
) -> dict[K, Fraction]:
    """The law of `read(position)` once `until(position)` holds, every die branched, decisions made by `policy`.

    `policy(position, side, legal)` answers each decision that the game asks on the way.
    """

    def play_on(s: Any) -> None:
        for _ in range(MOST_DECISIONS):
            if until(s) or not game.actors(s):
                return
            side = game.actors(s)[0]
            game.apply(s, side, policy(s, side, game.legal(s, side)))
        raise RuntimeError(f"no answer after {MOST_DECISIONS} decisions; give exact_law another `until`")

    return law_of((chance, read(s)) for chance, s in explore(state, play_on))


def settled(decision: Decision, s: Any, c: Any, side: Side) -> Any:
    """A copy of a position in which a side has answered a decision as long as it was asked, by the first choice."""
    twin, frame = s.copy(), c.copy()
    while choices := decision.legal(twin, frame, side):
        decision.apply(twin, frame, side, *choices[0])
    return twin
