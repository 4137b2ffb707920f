"""`grognard force GAME`: what a nation may buy, and what the rules say to a force in a file.

The game answers through `games/<game>/forces.py`: `on_sale(nation, year)`, `judge(path, off, more)`, and for `--play`
`buyer(s, path)` and `fill(s, side, path)`.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import click

from grognard.ai.levels import player_named
from grognard.ai.player import Seat
from grognard.cli.main import language_option
from grognard.cli.play_cmd import new_file, new_session
from grognard.cli.seats import HUMAN
from grognard.cli.terminal import Terminal
from grognard.kernel.gamefile import save
from grognard.kernel.texts import texts_for


@click.command("force", epilog="Example: grognard force blitzkrieg --nation DE --year 1944")
@click.argument("game")
@click.argument("file", required=False, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--nation", help="List what this nation may buy.")
@click.option("--year", type=int, default=1944, show_default=True, help="In this year.")
@click.option("--off", multiple=True, help="A proposal that is switched off; may be given again.")
@click.option("--on", "more", multiple=True, help="A proposal that is switched on; may be given again.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.option("--play", "scenario", metavar="SCENARIO", help="Sit down with this force; the computer takes the others.")
@click.option("--seed", default=None, help="Fix the dice (with --play).")
@click.option("--save", "path", type=click.Path(path_type=Path), default=None, help="Where to save (with --play).")
@language_option
def force_command(
    game: str,
    file: Path | None,
    nation: str | None,
    year: int,
    off: tuple[str, ...],
    more: tuple[str, ...],
    as_json: bool,
    scenario: str | None,
    seed: str | None,
    path: Path | None,
    lang: str,
) -> None:
    """Price the force in FILE and say what the rules refuse in it; or list what a nation may buy.

    A force has `nation`, `year`, `points`, and lines `[[unit]]` (model, count, quality) and `[[support]]` (id, count).
    With `--play` the list is bought in a scenario that sells, and the game begins. Exit code 1: something is refused.
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
    if scenario is not None:
        _play(
            game,
            book,
            file,
            scenario,
            tuple(f"{name}=off" for name in off) + tuple(f"{n}=on" for n in more),
            seed,
            path,
            lang,
        )


def _play(
    game: str,
    book: Any,
    file: Path,
    scenario: str,
    options: tuple[str, ...],
    seed: str | None,
    path: Path | None,
    lang: str,
) -> None:
    """A new game in which the side of the list has bought it; the others buy first if it is their turn."""
    session = new_session(game, scenario, options, seed)
    s, texts = session.state, texts_for(game, lang)
    side = book.buyer(s, file)
    if side < 0 or not book.sells(s):
        raise click.UsageError(texts.say("force.not-here", scenario=scenario))
    player = player_named("greedy")
    while session.state.waiting and session.state.waiting[0] != side and book.sells(session.state):
        other = session.state.waiting[0]
        choice = player.choose(Seat(session.game, session.state, other, session.luck(other)))
        session.act(other, session.game.write(session.state, other, choice.action))
    orders, missing = book.fill(session.state, side, file)
    for line in missing:
        click.echo(texts.say("force.not-offered", line=line))
    if missing:
        sys.exit(1)
    for order in orders:
        session.act(side, session.game.write(session.state, side, order))
    session.act(side, ("mustered", ""))
    seats = tuple(HUMAN if n == side else "greedy" for n in range(len(session.game.sides)))
    session.header.players = " ".join(f"--{name}={seat}" for name, seat in zip(session.game.sides, seats))
    path = path or new_file(game, scenario)
    save(session, path)
    Terminal(session, path, seats, lang, sys.stdin, click.echo).run()
