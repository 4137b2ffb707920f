"""`grognard train`: fit the chance of winning from self-play and write it into the game's data."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import click

from grognard.cli.coverage import ROOT
from grognard.cli.main import language_option
from grognard.cli.seats import choose_scenario
from grognard.cli.selfplay_cmd import Told, progress_bar
from grognard.games import find_game
from grognard.kernel.texts import texts_for
from grognard.lab.train import train

HEAD = """# The chance of winning, fitted to self-play of plain players who slip now and then; weights in thousandths.
# `reliability`: what was said, what was won (both in hundredths) and of how many positions of games kept back.

source = "proposed"
"""


def written(rows: list[dict[str, Any]]) -> str:
    """The data file."""
    text = HEAD
    for row in rows:
        text += "\n[[fit]]\n"
        for key, value in row.items():
            if isinstance(value, dict):
                value = "{ " + ", ".join(f"{k} = {v}" for k, v in value.items()) + " }"
                text += f"{key} = {value}\n"
            else:
                text += f"{key} = {json.dumps(value)}\n"
    return text


@click.command()
@click.argument("game")
@click.argument("scenario", required=False)
@click.option("--games", "count", type=click.IntRange(6), default=120, help="How many games for each scenario.")
@click.option("--seed", type=int, default=1, help="Equal seeds give equal weights.")
@click.option("--write", is_flag=True, help="Put the weights into the game's data/chance.toml.")
@language_option
def train_command(game: str, scenario: str | None, count: int, seed: int, write: bool, lang: str) -> None:
    """Fit the chance of winning to self-play.

    Example: grognard train picket crossing --games 120 --seed 1
    """
    played, say = find_game(game), texts_for(game, lang).say
    path = Path(ROOT) / "src" / "grognard" / "games" / game / "data" / "chance.toml"
    for name in (choose_scenario(played, scenario),) if scenario else played.scenarios:
        with progress_bar(count, "train") as bar:
            row = train(game, name, count, seed, Told(bar, count, "train").update)
        click.echo(say("train.row", **{k: v for k, v in row.items() if isinstance(v, int | float | str)}))
        for said, won, number in row["reliability"]:
            click.echo(say("train.curve", said=said, won=won, number=number))
        if write:
            old = tomllib.loads(path.read_text("utf-8")).get("fit", []) if path.exists() else []
            rows = sorted([r for r in old if r["scenario"] != name] + [row], key=lambda r: str(r["scenario"]))
            path.write_text(written(rows), "utf-8")
