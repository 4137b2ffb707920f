"""The ladder: matches between levels with sides exchanged, counted with intervals.

A unit is a pair: the same seed, sides exchanged. Draws count half. Seeds of the ladder begin with the word `ladder` and
are used for nothing else; whoever tunes a player takes others.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from grognard.ai import Player, Seat, player_named
from grognard.games import find_game
from grognard.kernel.dice import seed_from
from grognard.kernel.errors import GrognardError
from grognard.kernel.game import Game

LONGEST = 200_000  # decisions: no game of ours comes near


@dataclass
class Played:
    """One game: who won (as a side, -1 for a draw), and the work of each level in seconds of the processor."""

    winner: int
    level: str
    turns: int
    seconds: dict[str, float] = field(default_factory=dict)
    positions: dict[str, int] = field(default_factory=dict)
    slowest: dict[str, float] = field(default_factory=dict)  # the longest turn
    digest: str = ""


def play_game(
    game: Game[Any],
    scenario: str,
    levels: tuple[str, ...],
    seed: str,
    watch: Callable[[Any], None] | None = None,
    players: list[Player] | None = None,
) -> Played:
    """Play one game to its end; `watch` sees every position before a decision."""
    players = players or [player_named(level) for level in levels]
    s: Any = game.setup(scenario, {}, seed_from(seed))
    s.events = None
    done = Played(-1, "", 0)
    turn, spent = game.clock(s), dict.fromkeys(levels, 0.0)
    for number in range(LONGEST):
        if watch is not None:
            watch(s)
        if not s.waiting:
            break
        if game.clock(s) != turn:
            turn, done.turns = game.clock(s), done.turns + 1
            for level, seconds in spent.items():
                done.slowest[level] = max(done.slowest.get(level, 0.0), seconds)
                spent[level] = 0.0
        side = s.waiting[0]
        seat = Seat(game, s, side, f"{seed}/{number}")
        began = time.process_time()
        choice = players[side].choose(seat)
        took, level = time.process_time() - began, levels[side]
        done.seconds[level] = done.seconds.get(level, 0.0) + took
        done.positions[level] = done.positions.get(level, 0) + seat.positions
        spent[level] += took
        game.apply(s, side, choice.action, trusted=True)
    else:
        raise GrognardError(f"{game.name} {scenario} seed {seed}: no end after {LONGEST} decisions")
    result = game.result(s)
    assert result is not None, f"nobody can act and there is no result: {game.name} {scenario} {seed}"
    done.winner, done.level, done.digest = (-1 if result.winner is None else result.winner), result.level, s.digest()
    done.turns += 1
    return done


@dataclass
class Standing:
    """A match so far, from the first level's side."""

    games: int = 0
    halves: int = 0  # points, in halves
    by_side: dict[str, list[int]] = field(default_factory=dict)  # halves and games of the first level as each side
    seconds: dict[str, float] = field(default_factory=dict)
    positions: dict[str, int] = field(default_factory=dict)
    slowest: dict[str, float] = field(default_factory=dict)
    turns: int = 0

    def add(self, game: Game[Any], side: int, level: str, played: Played) -> None:
        """Count a game that the first level played as a side."""
        won = 1 if played.winner < 0 else 2 * is_ours(game, side, played.winner)
        self.games, self.halves, self.turns = self.games + 1, self.halves + won, self.turns + played.turns
        row = self.by_side.setdefault(game.sides[side], [0, 0])
        row[0], row[1] = row[0] + won, row[1] + 1
        for key, value in played.seconds.items():
            self.seconds[key] = self.seconds.get(key, 0.0) + value
        for key, number in played.positions.items():
            self.positions[key] = self.positions.get(key, 0) + number
        for key, value in played.slowest.items():
            self.slowest[key] = max(self.slowest.get(key, 0.0), value)

    def share(self) -> tuple[int, int, int]:
        """Points in hundredths of all, with the ends of the 95 % interval."""
        low, high = wilson(self.halves / 2, self.games)
        return round(50 * self.halves / max(1, self.games)), math.floor(100 * low), math.ceil(100 * high)


def wilson(won: float, games: int, z: float = 1.96) -> tuple[float, float]:
    """The interval of a share that was won in so many games (Wilson); 0 to 1 without games."""
    if not games:
        return 0.0, 1.0
    p, n = won / games, games
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    wide = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return max(0.0, middle - wide), min(1.0, middle + wide)


def is_ours(game: Game[Any], side: int, winner: int) -> bool:
    """Does this winner make the level that plays `side` win? Side 0 stands alone; the others are together."""
    return (winner == 0) == (side == 0)


def levels_for(game: Game[Any], side: int, ours: str, theirs: str) -> tuple[str, ...]:
    """Who plays each side when the first level has `side`: side 0 alone, or all the others."""
    return tuple(ours if (n == 0) == (side == 0) else theirs for n in range(len(game.sides)))


def match(
    game_name: str,
    scenario: str,
    level: str,
    against: str,
    games: int,
    seed: int,
    progress: Callable[[Standing], None] | None = None,
    word: str = "ladder",
) -> Standing:
    """Two levels, sides exchanged on each seed."""
    game, standing = find_game(game_name), Standing()
    for n, side in pairs(games):
        levels = levels_for(game, side, level, against)
        played = play_game(game, scenario, levels, f"{word} {game_name} {scenario} {seed} {n}")
        standing.add(game, side, level, played)
        if progress:
            progress(standing)
    return standing


def pairs(games: int) -> Iterator[tuple[int, int]]:
    """Number of the seed and side of the first level, for so many games."""
    return ((n // 2, n % 2) for n in range(games))
