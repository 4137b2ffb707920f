"""Measures: one number of a finished game. What is counted has a name and a sentence, and nothing else is counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grognard.kernel.errors import UnknownName
from grognard.kernel.game import Game
from grognard.lab.selfplay import Score

PLAIN: dict[str, Callable[[Score], float]] = {
    "decisions": lambda score: float(score.decisions),
    "turns": lambda score: float(score.turns),
    "draws": lambda score: float(score.winner == "draw"),
}
POINTS = "points"


def points(score: Score, side: str) -> float:
    """1 for a win of the side, a half for a draw, 0 for anything else."""
    return 0.5 if score.winner == "draw" else float(score.winner == side)


def check_measure(game: Game[Any], name: str, side: str) -> None:
    """UnknownName for a measure or side that does not exist."""
    if side and side not in game.sides:
        raise UnknownName("side", side, game.sides)
    known = [POINTS, *PLAIN, "level:LEVEL", *(f"fact:{fact}" for fact in facts_known(game))]
    if name not in known and not name.startswith("level:"):
        raise UnknownName("measure", name, known)


def facts_known(game: Game[Any]) -> list[str]:
    """The facts that a game tells of its first position, and the scores."""
    s = game.setup(game.scenarios[0], {}, "facts")
    return [*game.measures(s), *(f"score.{side}" for side in game.sides)]


def value_of(game: Game[Any], score: Score, name: str, side: str) -> float:
    """The measure of a game, for the first side unless another is named."""
    if name in PLAIN:
        return PLAIN[name](score)
    if name.startswith("level:"):
        return float(score.level == name.removeprefix("level:"))
    if name.startswith("fact:"):
        last = score.facts[max(score.facts)]
        return float(last.get(name.removeprefix("fact:"), 0))
    return points(score, side or game.sides[0])
