"""Is it fair? Every scenario between players of the same level, counted, with intervals."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median
from typing import Any

from grognard import __version__
from grognard.kernel.game import Game
from grognard.lab.measures import points
from grognard.lab.plan import sources_digest
from grognard.lab.selfplay import Match, Score
from grognard.lab.stats import wilson


@dataclass(frozen=True)
class Balance:
    """One scenario at one level."""

    scenario: str
    players: str
    games: int
    points: dict[str, tuple[float, float, float]]  # by side: share with draws as halves, and its interval
    draws: int
    levels: dict[str, int]
    turns: float
    decisions: float
    lead_changes: float
    seconds: float


def balance_matches(
    game: str, scenario: str, level: str, seats: int, seeds: str, games: int, *, lucky: bool = False
) -> list[Match]:
    """The games of one row; `lucky` has what the dice gave noted too."""
    names = (f"{seeds} {scenario} {level} {n}" for n in range(games))
    return [Match(game, scenario, (level,) * seats, (), name, lucky=lucky) for name in names]


def balance_lock(
    game: Game[Any], scenario: str, level: str, seeds: str, *, lucky: bool = False
) -> tuple[str, dict[str, str]]:
    """The name of a run of balance, and what it is made of."""
    lock = {
        **{"game": game.name, "scenario": scenario, "level": level, "seeds": seeds},
        **{"rules": str(game.version), "sources": sources_digest(game.name), "grognard": __version__},
        **({"luck": "dice"} if lucky else {}),
    }
    return hashlib.sha256(json.dumps(lock, sort_keys=True).encode()).hexdigest()[:12], lock


def lead_changes(score: Score, sides: tuple[str, ...]) -> int:
    """How often another side was ahead at the end of a turn, by the computer's own judgement."""
    ahead: list[str] = []
    for turn in sorted(score.facts):
        worth = {side: score.facts[turn].get(f"score.{side}", 0) for side in sides}
        best = max(worth.values())
        leaders = [side for side, value in worth.items() if value == best]
        if len(leaders) == 1 and (not ahead or ahead[-1] != leaders[0]):
            ahead.append(leaders[0])
    return max(0, len(ahead) - 1)


def course_of(scores: Iterable[Score], side: str) -> list[tuple[int, float, float, float]]:
    """How the estimate of a side's share narrowed, game by game: games, share, interval."""
    course, total = [], 0.0
    for games, score in enumerate(scores, 1):
        total += points(score, side)
        course.append((games, total / games, *wilson(total, games)))
    return course


def thinned(course: list[tuple[int, float, float, float]], most: int = 120) -> list[tuple[int, float, float, float]]:
    """Not more points than a picture can show; the first and the last are among them."""
    kept = course[:: max(1, len(course) // most)]
    return kept if kept[-1:] == course[-1:] else [*kept, course[-1]]


def balance_of(game: Game[Any], scenario: str, players: str, scores: Iterable[Score]) -> Balance:
    """The row."""
    found = list(scores)
    s = game.setup(scenario, {}, "balance")
    sides = tuple(game.sides[side] for side in game.playing(s))
    shares = {}
    for side in sides:
        total = sum(points(score, side) for score in found)
        shares[side] = (total / len(found) if found else 0.0, *wilson(total, len(found)))
    return Balance(
        scenario,
        players,
        len(found),
        shares,
        sum(score.winner == "draw" for score in found),
        dict(sorted(Counter(f"{score.winner} {score.level}" for score in found).items())),
        median(score.turns for score in found) if found else 0.0,
        median(score.decisions for score in found) if found else 0.0,
        sum(lead_changes(score, sides) for score in found) / len(found) if found else 0.0,
        sum(score.cpu for score in found) / len(found) if found else 0.0,
    )
