"""Games as a data set: a row a decision, for people who learn from games.

A row has what the side that decided could know (the integers of `Game.schema`, nothing hidden), what it might have
done, what it did, and how the game ended for it. Games come from computer players, each from its own seed, or from
saved files.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from grognard.ai import Seat, player_named
from grognard.games import find_game
from grognard.kernel.dice import seed_from
from grognard.kernel.errors import GrognardError, LabError
from grognard.kernel.game import Game
from grognard.kernel.gamefile import load
from grognard.kernel.schema import Schema, numbers_of
from grognard.lab.selfplay import LONGEST, Match

Row = dict[str, Any]
PART = "part-"  # before the name of a data set that is not finished


def row_of(game: Game[Any], schema: Schema, s: Any, side: int, action: tuple[str, int]) -> Row:
    """One decision, before it was carried out."""
    legal = game.legal(s, side)
    return {
        "side": game.sides[side],
        "clock": game.clock(s),
        "observation": numbers_of(game, schema, s, side),
        "verbs": [schema.verbs.index(verb) for verb, _ in legal],
        "nouns": [noun for _, noun in legal],
        "chosen": legal.index(action),
    }


def finished(rows: list[Row], name: str, game: Game[Any], scenario: str, s: Any) -> list[Row]:
    """The rows of a game with its name and, for each side, its end: 1 won, 0 drawn or not over, -1 lost."""
    result = game.result(s)
    winner = None if result is None or result.winner is None else game.sides[result.winner]
    for number, row in enumerate(rows):
        row |= {"game": name, "scenario": scenario, "number": number, "rules": game.version}
        row["outcome"] = 0 if winner is None else 1 if row["side"] == winner else -1
    return rows


def rows_of_match(match: Match) -> list[Row]:
    """A game between computer players, to its end."""
    game = find_game(match.game)
    schema = game.schema(match.scenario)
    players = [player_named(level) for level in match.players]
    s: Any = game.setup(match.scenario, dict(match.options), seed_from(match.seed))
    s.events = None
    rows: list[Row] = []
    while s.waiting:
        if len(rows) >= LONGEST:
            raise GrognardError(f"{match.game} {match.scenario} seed {match.seed}: no end after {LONGEST} decisions")
        side = s.waiting[0]
        action = players[side].choose(Seat(game, s, side, f"{match.seed}/{len(rows)}")).action
        rows.append(row_of(game, schema, s, side, action))
        game.apply(s, side, action, trusted=True)
    return finished(rows, match.seed, game, match.scenario, s)


def rows_of_file(path: Path) -> list[Row]:
    """A saved game, as it was played."""
    session = load(path, find_game)
    game, s, rows = session.game, session.position(0), list[Row]()
    scenario = s.scenario
    schema = game.schema(scenario)
    for number, entry in enumerate(session.entries, 1):
        if entry.side >= 0:
            rows.append(row_of(game, schema, s, entry.side, game.read(s, entry.side, entry.action)))
        s = session.after(s, number)
    return finished(rows, path.stem, game, scenario, s)


def layout(game: Game[Any], scenario: str) -> dict[str, Any]:
    """What the numbers of an observation are, to keep beside the rows."""
    schema = game.schema(scenario)
    return {
        "game": game.name,
        "rules": game.version,
        "scenario": scenario,
        "verbs": list(schema.verbs),
        "parts": [part._asdict() for part in schema.parts],
    }


def write(path: Path, games: Iterable[list[Row]], about: dict[str, Any]) -> int:
    """Write as Parquet or as JSON lines, game by game; how many rows. The file has its name when it is whole."""
    writers = {".parquet": write_parquet, ".jsonl": write_lines}
    if path.suffix not in writers:
        raise LabError("no-dataset", file=path.name)
    part = path.with_name(PART + path.name)
    try:
        count = writers[path.suffix](part, games, about)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return count


def write_lines(path: Path, games: Iterable[list[Row]], about: dict[str, Any]) -> int:
    """A line a row, after one with the layout."""
    count = 0
    with path.open("w", encoding="utf-8") as out:
        out.write(json.dumps({"layout": about}) + "\n")
        for rows in games:
            count += len(rows)
            out.writelines(json.dumps(row) + "\n" for row in rows)
    return count


def write_parquet(path: Path, games: Iterable[list[Row]], about: dict[str, Any]) -> int:
    """One group of rows a game; the layout is in the file's own description."""
    try:
        import pyarrow as arrow
        from pyarrow import parquet
    except ModuleNotFoundError:
        raise LabError("no-pyarrow") from None
    whole, many = arrow.int32(), arrow.list_(arrow.int32())
    fields = [("game", arrow.string()), ("scenario", arrow.string()), ("rules", whole), ("number", whole)]
    fields += [("side", arrow.string()), ("clock", whole), ("observation", many), ("verbs", many), ("nouns", many)]
    schema = arrow.schema([*fields, ("chosen", whole), ("outcome", whole)], {"grognard": json.dumps(about)})
    count = 0
    with parquet.ParquetWriter(path, schema, compression="zstd") as out:
        for rows in games:
            out.write_table(arrow.Table.from_pylist(rows, schema))
            count += len(rows)
    return count


def matches(game: str, scenario: str, level: str, games: int, seed: int) -> Iterator[Match]:
    """Games of a data set: seeds of their own, never those that anything is counted with."""
    players = (level,) * len(find_game(game).sides)
    return (Match(game, scenario, players, (), f"dataset {game} {scenario} {level} {seed} {n}") for n in range(games))
