"""Between computer players, does the war look like the war? Dated facts as data, and what the games brought.

`data/history.toml` of a game has facts by scenario, each with its source: a measure of `Game.measures` at the end of a
turn (`turn`, `value`), or the turn in which a measure first reaches a number (`reaches`, `value`; a game in which it
never does counts as the turn after its last). The real value should be inside the central four fifths of the games.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from importlib import resources
from typing import Any

from grognard.ai import Seat, player_named
from grognard.games import find_game
from grognard.kernel.dice import seed_from

LONGEST = 200_000


@dataclass(frozen=True)
class Fact:
    """One thing that happened."""

    name: str
    measure: str
    value: int
    work: str  # the source
    turn: int = 0
    reaches: int = 0
    fr: str = ""  # its name in French

    def called(self, lang: str) -> str:
        """Its name in a language."""
        return self.fr if lang == "fr" and self.fr else self.name

    def seen_in(self, course: dict[int, dict[str, int]]) -> int:
        """What a game brought: `course` has the measures at the end of each turn."""
        if self.reaches:
            found = [turn for turn, row in sorted(course.items()) if row.get(self.measure, 0) >= self.reaches]
            return found[0] if found else max(course, default=0) + 1
        past = [turn for turn in course if turn <= self.turn]
        return course[max(past)].get(self.measure, 0) if past else 0


@dataclass(frozen=True)
class Drawn:
    """A fact beside what the games brought."""

    fact: Fact
    values: tuple[int, ...]

    @property
    def central(self) -> tuple[int, int]:
        """The ends of the central four fifths."""
        n = len(self.values)
        return self.values[n // 10], self.values[n - 1 - n // 10]

    @property
    def holds(self) -> bool:
        """Is the real value inside them?"""
        low, high = self.central
        return low <= self.fact.value <= high


def facts_of(game: str, scenario: str) -> list[Fact]:
    """The facts on record for a scenario."""
    try:
        text = resources.files(f"grognard.games.{game}").joinpath("data").joinpath("history.toml").read_text("utf-8")
    except (FileNotFoundError, ModuleNotFoundError):
        return []
    rows: list[dict[str, Any]] = [row for row in tomllib.loads(text).get("fact", ()) if row["scenario"] == scenario]
    return [Fact(**{key: value for key, value in row.items() if key != "scenario"}) for row in rows]


def course_of(game_name: str, scenario: str, level: str, seed: str, last: int) -> dict[int, dict[str, int]]:
    """Play one game, all sides at a level; the measures at the end of each turn, to a turn or the game's end."""
    game = find_game(game_name)
    players = [player_named(level) for _ in game.sides]
    s: Any = game.setup(scenario, {}, seed_from(seed))
    s.events = None
    course: dict[int, dict[str, int]] = {}
    now = game.clock(s)
    for number in range(LONGEST):
        if game.clock(s) != now:
            course[now] = game.measures(s)
            now = game.clock(s)
        if not s.waiting or now > last:
            break
        side = s.waiting[0]
        choice = players[side].choose(Seat(game, s, side, f"{seed}/{number}"))
        game.apply(s, side, choice.action, trusted=True)
    if not s.waiting:
        course[now] = game.measures(s)
    return course


def compare(
    game: str, scenario: str, level: str, games: int, seed: int, progress: Callable[[int], None] | None = None
) -> list[Drawn]:
    """Play and put the facts beside the games."""
    facts = facts_of(game, scenario)
    if not facts:
        return []
    last = max(max(fact.turn, fact.value + 1 if fact.reaches else 0) for fact in facts)
    courses = []
    for number in range(games):
        courses.append(course_of(game, scenario, level, f"history {game} {scenario} {seed} {number}", last))
        if progress:
            progress(1)
    return [Drawn(fact, tuple(sorted(fact.seen_in(course) for course in courses))) for fact in facts]
