"""`grognard ladder`: levels of play against each other, sides exchanged, with intervals."""

from __future__ import annotations

import json
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import click

from grognard.ai.levels import LEVELS, RUNGS, YARDSTICK, Level
from grognard.cli.coverage import ROOT
from grognard.cli.main import language_option
from grognard.cli.seats import choose_scenario
from grognard.games import find_game
from grognard.kernel.errors import UnknownName
from grognard.kernel.game import Game
from grognard.kernel.texts import texts_for
from grognard.lab.ladder import Standing, match

FILE_HEAD = """# How strong the levels of the computer are here: sides exchanged, draws half, 95 % intervals (Wilson).
# A level above `greedy` is offered only where `low`, the lower end against greedy-1, is above 50.
# Written by the commands below; each seed is used for measuring only.

source = "proposed"
"""


def rows_to_play(game: Game[Any], level: str | None, against: str | None) -> list[tuple[str, str]]:
    """The matches asked for; by default every rung against the one below and against the yardstick."""
    rungs: list[Level] = [r for r in RUNGS if r.listed and (not r.needs_mind or r.needs_mind in game.minds)]
    rungs = [r for r in rungs if game.styles or not r.needs_styles]
    names = [r.name for r in rungs]
    if level is not None:
        below = names[max(0, names.index(level) - 1)] if level in names else YARDSTICK
        return [(level, against or (YARDSTICK if below == "greedy" else below))]
    found = []
    for lower, upper in pairwise(names):
        found.append((upper, YARDSTICK if lower == "greedy" else lower))
        if upper not in ("careless", "greedy") and lower != "greedy":
            found.append((upper, YARDSTICK))
    return found


def record(path: Path, row: dict[str, Any]) -> None:
    """Put a row into the data file, in the place of an older one for the same match."""
    import tomllib

    old = tomllib.loads(path.read_text("utf-8")).get("match", []) if path.exists() else []
    key = ("scenario", "level", "against")
    rows = [r for r in old if any(r[k] != row[k] for k in key)] + [row]
    rows.sort(key=lambda r: (r["scenario"], list(LEVELS).index(r["level"]), r["against"]))
    text = FILE_HEAD
    for r in rows:
        text += "\n[[match]]\n" + "".join(f"{k} = {json.dumps(v)}\n" for k, v in r.items())
    path.write_text(text, "utf-8")


def row_of(scenario: str, level: str, against: str, seed: int, standing: Standing, game: Game[Any]) -> dict[str, Any]:
    """A match as the data file keeps it."""
    share, low, high = standing.share()
    turns = max(1, standing.turns)
    return {
        "scenario": scenario,
        "level": level,
        "against": against,
        "games": standing.games,
        "points": standing.halves / 2,
        "share": share,
        "low": low,
        "high": high,
        "as_side": [f"{side} {halves / 2:g} of {n}" for side, (halves, n) in standing.by_side.items()],
        "seconds_a_turn": round(standing.seconds.get(level, 0.0) / turns, 2),
        "slowest_turn": round(standing.slowest.get(level, 0.0), 1),
        "positions_a_turn": standing.positions.get(level, 0) // turns,
        "rules": game.version,
        "date": date.today().isoformat(),
        "command": f"grognard ladder {game.name} --scenario {scenario} --level {level} --against {against}"
        f" --games {standing.games} --seed {seed}",
    }


@click.command()
@click.argument("game")
@click.option("--scenario", "scenarios", multiple=True, help="Which; all of them without it.")
@click.option("--level", help="One level, against the one below.")
@click.option("--against", help="The other level.")
@click.option("--games", "count", type=click.IntRange(2), default=20, help="Games of a match; two for each seed.")
@click.option("--seed", type=int, default=1, help="Equal seeds give equal matches.")
@click.option("--write", is_flag=True, help="Put the figures into the game's data/computer.toml.")
@language_option
def ladder_command(
    game: str,
    scenarios: tuple[str, ...],
    level: str | None,
    against: str | None,
    count: int,
    seed: int,
    write: bool,
    lang: str,
) -> None:
    """Let the levels of the computer meet, sides exchanged, and count with intervals.

    Example: grognard ladder picket --scenario crossing --level planner --against greedy-1 --games 40 --seed 7
    """
    played, say = find_game(game), texts_for(game, lang).say
    for name in (level, against):
        if name is not None and name not in LEVELS:
            raise UnknownName("level of play", name, LEVELS)
    path = Path(ROOT) / "src" / "grognard" / "games" / game / "data" / "computer.toml"
    for scenario in [choose_scenario(played, name) for name in scenarios] or played.scenarios:
        for upper, lower in rows_to_play(played, level, against):
            standing = match(game, scenario, upper, lower, count, seed)
            row = row_of(scenario, upper, lower, seed, standing, played)
            click.echo(say("ladder.row", **row | {"as_side": ", ".join(row["as_side"])}))
            if write:
                record(path, row)
