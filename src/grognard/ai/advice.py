"""Advice for a person: what a computer player would do here, why, in words, and how the game stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from grognard.ai.levels import offered, player_named
from grognard.ai.player import Choice, Seat
from grognard.ai.value import chance
from grognard.kernel.flow import Action
from grognard.kernel.game import Game
from grognard.kernel.record import Side

SLOW = ("patient",)  # not for a hint


@dataclass(frozen=True)
class Advice:
    """The action, its motive as a key and facts, the level asked, the chance of winning in hundredths if known."""

    action: Action
    motive: tuple[str, dict[str, Any]] | None
    level: str
    chance: int | None


def advise(game: Game[Any], s: Any, side: Side, seed: str) -> Advice:
    """What the best quick level offered here would do; from what the side may know."""
    level = [name for name in offered(game.name, s.scenario) if name not in SLOW][-1]
    choice: Choice = player_named(level).choose(Seat(game, s, side, seed))
    return Advice(choice.action, motive_of(game, s, side, choice), level, chance(game, s, side))


def motive_of(game: Game[Any], s: Any, side: Side, choice: Choice) -> tuple[str, dict[str, Any]] | None:
    """Why: of a mere picking-up, why what follows it."""
    found = game.motive(s, side, choice.action)
    if found is not None or not choice.plan:
        return found
    then = s.copy()
    game.apply(then, side, choice.action, trusted=True)
    return game.motive(then, side, choice.plan[0]) if choice.plan[0] in game.legal(then, side) else None
