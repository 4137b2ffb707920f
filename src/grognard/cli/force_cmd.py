"""`grognard force GAME`: what a nation may buy, and what the rules say to a force in a file.

The game answers through `games/<game>/forces.py`: `on_sale(nation, year)` and `judge(path, off, more)`.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import sys
from pathlib import Path

import click

from grognard.cli.main import language_option
from grognard.kernel.texts import texts_for


@click.command("force", epilog="Example: grognard force blitzkrieg --nation DE --year 1944")
@click.argument("game")
@click.argument("file", required=False, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--nation", help="List what this nation may buy.")
@click.option("--year", type=int, default=1944, show_default=True, help="In this year.")
@click.option("--off", multiple=True, help="A proposal that is switched off; may be given again.")
@click.option("--on", "more", multiple=True, help="A proposal that is switched on; may be given again.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@language_option
def force_command(
    game: str,
    file: Path | None,
    nation: str | None,
    year: int,
    off: tuple[str, ...],
    more: tuple[str, ...],
    as_json: bool,
    lang: str,
) -> None:
    """Price the force in FILE and say what the rules refuse in it; or list what a nation may buy.

    A force has `nation`, `year`, `points`, and lines `[[unit]]` (model, count, quality) and `[[support]]` (id, count).
    Exit code 1: something is refused.
    """
    name = f"grognard.games.{game}.forces"
    if importlib.util.find_spec(f"grognard.games.{game}") is None or importlib.util.find_spec(name) is None:
        raise click.UsageError(f"{game} has no forces by points")
    book, texts = importlib.import_module(name), texts_for(game, lang)
    if file is None:
        if nation is None:
            raise click.UsageError("give a FILE, or --nation")
        sale = book.on_sale(nation, year)
        if as_json:
            click.echo(json.dumps([{"sort": sort, "id": key, "points": points} for sort, key, points in sale]))
        for sort, key, points in [] if as_json else sale:
            click.echo(f"{sort:<8} {key:<18} {points:>4}")
        return
    found = book.judge(file, frozenset(off), frozenset(more))
    if as_json:
        click.echo(json.dumps(found, indent=1))
    else:
        click.echo(texts.say("force.sum", **{key: found[key] for key in ("nation", "year", "cost", "points", "left")}))
        for entry in found["refused"]:
            why = texts.say(f"refusal.{entry['reason']}")
            click.echo(texts.say("force.refused", line=entry["line"], rule=entry["rule"], why=why))
    if found["refused"]:
        sys.exit(1)
