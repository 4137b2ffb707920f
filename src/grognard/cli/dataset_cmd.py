"""`grognard dataset`: games as rows to learn from."""

from __future__ import annotations

from pathlib import Path

import click

from grognard.ai import LEVELS
from grognard.cli.main import language_option
from grognard.cli.seats import choose_scenario
from grognard.cli.selfplay_cmd import Told, progress_bar
from grognard.games import find_game
from grognard.kernel.errors import UnknownName
from grognard.kernel.gamefile import read
from grognard.kernel.texts import texts_for
from grognard.lab.dataset import Row, layout, matches, rows_of_file, rows_of_match, write


@click.command()
@click.argument("game")
@click.argument("scenario")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), required=True, help="A .parquet or .jsonl file."
)
@click.option("--games", "count", type=click.IntRange(1), default=20, show_default=True, help="How many games.")
@click.option("--level", default="greedy", show_default=True, help="Who plays all the sides.")
@click.option("--seed", type=int, default=1, show_default=True, help="Equal seeds give equal files.")
@click.option(
    "--file",
    "files",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Saved games of this scenario instead of new ones; may be repeated.",
)
@language_option
def dataset_command(
    game: str, scenario: str, out: Path, count: int, level: str, seed: int, files: tuple[Path, ...], lang: str
) -> None:
    """Write games as a data set: a row a decision, from what its side could know.

    Example: grognard dataset picket crossing --games 200 --level greedy --out picket.parquet
    """
    played = find_game(game)
    choose_scenario(played, scenario)
    if level not in LEVELS:
        raise UnknownName("level of play", level, LEVELS)
    for file in files:
        header = read(file).header
        if (header["game"], header["scenario"]) != (game, scenario):
            raise click.UsageError(f"{file} is a game of {header['game']} {header['scenario']}, not {game} {scenario}")
    total = len(files) or count
    with progress_bar(total, "dataset") as bar:
        told = Told(bar, total, "dataset")

        def counted(rows: list[Row]) -> list[Row]:
            told.update(1)
            return rows

        if files:
            games = (counted(rows_of_file(file)) for file in files)
        else:
            games = (counted(rows_of_match(match)) for match in matches(game, scenario, level, count, seed))
        rows = write(out, games, layout(played, scenario))
    click.echo(texts_for(game, lang).say("lab.dataset", file=str(out), games=total, rows=rows))
