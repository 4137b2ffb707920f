"""Self-play: many games between computer players, counted. Equal seeds give equal tables, byte for byte."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from time import process_time
from typing import Any

from grognard.ai import Seat
from grognard.ai.aftermath import strength_of
from grognard.games import find_game
from grognard.kernel.dice import seed_from
from grognard.kernel.errors import GrognardError
from grognard.kernel.game import Game
from grognard.lab.keyed import CHANCE, player_for
from grognard.lab.luck import DiceLuck

LONGEST = 200_000  # decisions: no game of ours comes near
CHUNK = 16


@dataclass(frozen=True)
class Match:
    """One game to be played."""

    game: str
    scenario: str
    players: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    seed: str
    chance: str = "stream"  # or `keyed`: the same luck at the same place, for games that are compared
    counted: bool = False  # what happened is counted too, for measures of events
    lucky: bool = False  # what the dice gave each side is noted too


@dataclass(frozen=True)
class Score:
    """How it went. `facts` are the game's own figures at the end of each turn."""

    scenario: str
    winner: str
    level: str
    rule: str
    decisions: int
    digest: str
    turns: int = 0
    facts: dict[int, dict[str, int]] = field(default_factory=dict)
    cpu: float = field(default=0.0, compare=False)


def facts_of(game: Game[Any], s: Any) -> dict[str, int]:
    """What the laboratory notes of a position: the game's own figures, how it looks to each side, who has how much."""
    sides = [side for side in game.playing(s) if side >= 0]
    scores = {f"score.{game.sides[side]}": game.score(s, side) for side in sides}
    steps = {f"steps.{name}": steps for name, steps in strength_of(game, s, sides).items()}
    return game.measures(s) | scores | steps


def keys_of(kind: str, rule: str, data: Mapping[str, Any]) -> list[str]:
    """What an event is counted as: its kind, with its rule, and with each fact of it that is true."""
    return [kind, f"{kind}@{rule}", *(f"{kind}+{key}" for key, value in data.items() if value is True)]


def play_match(match: Match) -> Score:
    """Play one game to its end."""
    game = find_game(match.game)
    players = [player_for(level, match.chance) for level in match.players]
    luck = CHANCE[match.chance](match.seed)
    s: Any = game.setup(match.scenario, dict(match.options), seed_from(match.seed))
    s.events = None
    happened: Counter[str] = Counter()
    dice = DiceLuck(game, s) if match.lucky else None
    start, turn, facts = process_time(), game.clock(s), {}
    for decisions in range(LONGEST):
        if not s.waiting:
            result = game.result(s)
            assert result is not None, f"nobody can act and there is no result: {match}"
            winner = "draw" if result.winner is None else game.sides[result.winner]
            facts[turn] = facts_of(game, s) | {f"event:{key}": n for key, n in sorted(happened.items())}
            facts[turn] |= dice.facts() if dice else {}
            end = (winner, result.level, result.rule, decisions, s.digest())
            return Score(match.scenario, *end, turn, facts, process_time() - start)
        if game.clock(s) != turn:
            facts[turn], turn = facts_of(game, s), game.clock(s)
        side = s.waiting[0]
        choice = players[side].choose(Seat(game, s, side, luck.whim(s, side)))
        luck.before(s, side, choice.action)
        s.events = [] if match.counted else None
        if dice:
            dice.apply(s, side, choice.action)
        else:
            game.apply(s, side, choice.action, trusted=True)
        for event in s.events or ():
            happened.update(keys_of(event.kind, event.rule, event.data))
        s.events = None
    raise GrognardError(f"{match.game} {match.scenario} seed {match.seed}: no end after {LONGEST} decisions")


def _play_chunk(matches: list[Match]) -> list[Score]:
    return [play_match(match) for match in matches]


def play_matches(matches: list[Match], jobs: int = 1, progress: Callable[[int], None] | None = None) -> Iterator[Score]:
    """Play them all, in order, on so many processes."""
    if jobs <= 1 or len(matches) <= CHUNK:
        for match in matches:
            yield play_match(match)
            if progress:
                progress(1)
        return
    chunks = [matches[i : i + CHUNK] for i in range(0, len(matches), CHUNK)]
    with ProcessPoolExecutor(min(jobs, len(chunks), os.cpu_count() or 1)) as pool:
        for scores in pool.map(_play_chunk, chunks):
            yield from scores
            if progress:
                progress(len(scores))


def matches_for(
    game: str, scenarios: tuple[str, ...], players: tuple[str, ...], options: dict[str, str], games: int, seed: int
) -> list[Match]:
    """The games of a run: each scenario in turn, each game with its own seed."""
    fixed = tuple(sorted(options.items()))
    return [
        Match(game, scenarios[n % len(scenarios)], players, fixed, f"selfplay {game} {seed} {n}") for n in range(games)
    ]


def table_of(scores: list[Score], sides: tuple[str, ...]) -> list[dict[str, Any]]:
    """Wins by scenario, side and level, with the mean length."""
    rows = []
    for scenario in sorted({score.scenario for score in scores}):
        mine = [score for score in scores if score.scenario == scenario]
        wins = Counter(score.winner for score in mine)
        levels = Counter(f"{score.winner} {score.level}" for score in mine)
        rows.append(
            {
                "scenario": scenario,
                "games": len(mine),
                "wins": {side: wins[side] for side in (*sides, "draw")},
                "levels": dict(sorted(levels.items())),
                "decisions": {
                    "least": min(score.decisions for score in mine),
                    "mean": sum(score.decisions for score in mine) // len(mine),
                    "most": max(score.decisions for score in mine),
                },
            }
        )
    return rows
