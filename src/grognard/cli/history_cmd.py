"""`grognard history`: play a scenario many times and put what happened beside it."""

from __future__ import annotations

import json

import click

from grognard.ai.levels import LEVELS
from grognard.cli.main import language_option
from grognard.cli.seats import choose_scenario
from grognard.cli.selfplay_cmd import Told, progress_bar
from grognard.games import find_game
from grognard.kernel.errors import UnknownName
from grognard.kernel.texts import texts_for
from grognard.lab.history import compare

WIDE = 40  # characters of the drawing


@click.command()
@click.argument("game")
@click.argument("scenario")
@click.option("--games", "count", type=click.IntRange(1), default=10, help="How many games.")
@click.option("--level", default="greedy", help="Who plays all the sides.")
@click.option("--seed", type=int, default=1, help="Equal seeds give equal tables.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@language_option
def history_command(game: str, scenario: str, count: int, level: str, seed: int, as_json: bool, lang: str) -> None:
    """Does the war look like the war? Facts beside what the games brought.

    Example: grognard history normandie campaign --games 10 --level steady
    """
    played = find_game(game)
    choose_scenario(played, scenario)
    if level not in LEVELS:
        raise UnknownName("level of play", level, LEVELS)
    say = texts_for(game, lang).say
    with progress_bar(count, "history") as bar:
        rows = compare(game, scenario, level, count, seed, Told(bar, count, "history").update)
    if as_json:
        click.echo(
            json.dumps([{"fact": r.fact.name, "value": r.fact.value, "values": r.values} for r in rows], indent=1)
        )
        return
    if not rows:
        click.echo(say("history.none", game=game, scenario=scenario))
    for row in rows:
        low, high = row.central
        key = "history.inside" if row.holds else "history.outside"
        click.echo(say(key, name=row.fact.called(lang), value=row.fact.value, low=low, high=high, source=row.fact.work))
        click.echo("    " + drawn(row.values, row.fact.value))


def drawn(values: tuple[int, ...], real: int) -> str:
    """The games as marks on a line, history as a caret: `|..oo^o.|`."""
    least, most = min(*values, real), max(*values, real)
    line = ["."] * (WIDE + 1)
    for value in values:
        at = (value - least) * WIDE // max(1, most - least)
        line[at] = "o" if line[at] == "." else "O"
    line[(real - least) * WIDE // max(1, most - least)] = "^"
    return f"{least} {''.join(line)} {most}"
