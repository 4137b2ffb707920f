"""Measures: one number of a finished game. What is counted has a name and a sentence, and nothing else is counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from grognard.kernel.errors import UnknownName
from grognard.kernel.game import Game
from grognard.kernel.rulebook import rulebook
from grognard.kernel.texts import texts_for
from grognard.lab.selfplay import Score, facts_of

PLAIN: dict[str, Callable[[Score], float]] = {
    "decisions": lambda score: float(score.decisions),
    "turns": lambda score: float(score.turns),
    "draws": lambda score: float(score.winner == "draw"),
}
POINTS = "points"
EVENTS = "event:"


def points(score: Score, side: str) -> float:
    """1 for a win of the side, a half for a draw, 0 for anything else."""
    return 0.5 if score.winner == "draw" else float(score.winner == side)


def check_measure(game: Game[Any], scenarios: Sequence[str], name: str, side: str) -> None:
    """UnknownName for a measure or side that does not exist, in the game or in one of the scenarios."""
    if side and side not in game.sides:
        raise UnknownName("side", side, game.sides)
    head, _, rest = name.partition(":")
    if name.startswith(EVENTS):
        _check_events(game, name)
    elif head == "level" and rest:
        levels = [key.removeprefix("level.") for key in texts_for(game.name, "en").all if key.startswith("level.")]
        if rest not in levels:
            raise UnknownName("ending", rest, levels)
    elif head == "fact" and rest:
        for scenario in scenarios:
            facts = facts_known(game, scenario)
            if rest not in facts:
                raise UnknownName(f"fact of {scenario}", rest, facts)
    elif name not in (POINTS, *PLAIN):
        raise UnknownName("measure", name, [POINTS, *PLAIN, "level:NAME", "fact:NAME", "event:KIND"])


def _check_events(game: Game[Any], name: str) -> None:
    """Kinds that the game has a sentence for; a rule after `@` that its rulebook knows."""
    kinds = sorted(key.removeprefix("event.") for key in texts_for(game.name, "en").all if key.startswith("event."))
    for part in name.removeprefix(EVENTS).split("/", 1):
        kind, _, rule = part.partition("@")
        kind = kind.split("+")[0]
        if kind not in kinds:
            raise UnknownName("event", kind, kinds)
        if rule and rule not in rulebook(game.name):
            raise UnknownName("rule", rule, rulebook(game.name))


def events_of(facts: Mapping[str, float], name: str) -> float:
    """How often something happened, or how often for each time that something else did.

    >>> events_of({"event:shoots": 8, "event:shoots+hit": 6}, "event:shoots+hit/shoots")
    0.75
    """
    part, _, whole = name.removeprefix(EVENTS).partition("/")
    count = float(facts.get(f"{EVENTS}{part}", 0))
    return count if not whole else count / facts[f"{EVENTS}{whole}"] if facts.get(f"{EVENTS}{whole}") else 0.0


def facts_known(game: Game[Any], scenario: str) -> list[str]:
    """The facts that are told of a scenario's first position: the game's own, how it looks to each side, its steps."""
    return list(facts_of(game, game.setup(scenario, {}, "facts")))


def value_of(game: Game[Any], score: Score, name: str, side: str) -> float:
    """The measure of a game, for the first side unless another is named."""
    if name in PLAIN:
        return PLAIN[name](score)
    if name.startswith("level:"):
        return float(score.level == name.removeprefix("level:"))
    if name.startswith(EVENTS):
        return events_of(score.facts[max(score.facts)], name)
    if name.startswith("fact:"):
        last = score.facts[max(score.facts)]
        return float(last.get(name.removeprefix("fact:"), 0))
    return points(score, side or game.sides[0])
