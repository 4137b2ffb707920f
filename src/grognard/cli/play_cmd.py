"""`grognard play`: choose, sit down, play."""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path
from typing import Any

import click

from grognard.cli.main import language_option
from grognard.cli.seats import HUMAN, choose_scenario, read_options, read_seats
from grognard.cli.terminal import Terminal
from grognard.games import find_game, playable_names
from grognard.kernel.gamefile import load, save
from grognard.kernel.session import Session
from grognard.kernel.texts import texts_for


def saves_folder() -> Path:
    """Where games are kept unless the player says otherwise."""
    home = os.environ.get("GROGNARD_HOME")
    if home:
        return Path(home) / "saves"
    data = os.environ.get("XDG_DATA_HOME")
    return (Path(data) if data else Path.home() / ".local" / "share") / "grognard" / "saves"


def new_file(game: str, scenario: str) -> Path:
    """A file name that is not taken."""
    for number in range(1, 1_000_000):
        path = saves_folder() / f"{game}-{scenario}-{number}.txt"
        if not path.exists():
            return path
    raise click.ClickException("too many saved games")


def whole_copy(damaged: Path) -> Path:
    """Where the whole part of a damaged file goes: beside it, under a name that is not taken."""
    numbers = ("", *(f"-{n}" for n in range(2, 1_000_000)))
    names = (damaged.with_name(f"{damaged.stem}-recovered{n}.txt") for n in numbers)
    return next(path for path in names if not path.exists())


def pick(question: str, names: list[str], titles: list[str]) -> str:
    """Let a person choose by number or by name; the first on an empty line."""
    click.echo(question)
    for number, (name, title) in enumerate(zip(names, titles), 1):
        click.echo(f"  {number}. {name}" + (f" - {title}" if title != name else ""))
    while True:
        word = click.prompt("", default="1", prompt_suffix="> ", show_default=False).strip()
        if word in names:
            return word
        if word.isdigit() and 1 <= int(word) <= len(names):
            return names[int(word) - 1]
        click.echo(f"? 1-{len(names)}")


def choose(lang: str) -> tuple[str, str, tuple[str, ...]]:
    """Ask for a game, a scenario and a side; the computer takes the others."""
    common = texts_for("", lang)
    names = list(playable_names())
    game = pick(common.say("cli.choose-game"), names, [texts_for(n, lang).find("game.title") or n for n in names])
    texts = texts_for(game, lang)
    scenarios = list(find_game(game).scenarios)
    titles = [texts.find(f"scenario.{n}") or n for n in scenarios]
    scenario = pick(common.say("cli.choose-scenario"), scenarios, titles)
    sides = list(find_game(game).sides)
    titles = [texts.find(f"side.{n}") or n for n in sides] + [common.say("cli.hot-seat")]
    side = pick(common.say("cli.choose-side"), [*sides, "all"], titles)
    return game, scenario, tuple(HUMAN if side in (s, "all") else "greedy" for s in sides)


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("game", required=False)
@click.argument("scenario", required=False)
@click.argument("sides", nargs=-1, type=click.UNPROCESSED)
@click.option("--seed", default=None, help="Fix the dice (for tests and demonstrations).")
@click.option("--file", "path", type=click.Path(path_type=Path), default=None, help="Where to save.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="Play with an option.")
@click.option("--recover", is_flag=True, help="Read what is whole of a damaged file.")
@language_option
def play_command(
    game: str | None,
    scenario: str | None,
    sides: tuple[str, ...],
    seed: str | None,
    path: Path | None,
    options: tuple[str, ...],
    recover: bool,
    lang: str,
) -> None:
    """Play in the terminal: hot-seat or against the computer. Every action is saved as soon as it is made.

    GAME may also be a saved game file: it goes on where it stopped. Without anything, you are asked.

    Example: grognard play picket crossing --red human --blue ai:greedy --lang fr
    """
    if scenario is not None and scenario.startswith("--"):
        sides, scenario = (scenario, *sides), None
    if game is None:
        game, scenario, seats = choose(lang)
        sides = tuple(w for s, seat in zip(find_game(game).sides, seats) for w in (f"--{s}", seat))
    session: Session
    if game not in playable_names() and (Path(game).exists() or game.endswith((".txt", ".json"))):
        source = Path(game)
        session = load(source, find_game, recover=recover)
        path = path or (whole_copy(source) if recover else source)
        if path != source and path.exists():
            raise click.UsageError(f"{path} exists already; choose another --file")
    else:
        session = new_session(game, scenario, options, seed)
        path = path or new_file(session.game.name, session.state.scenario)
        if path.exists():
            raise click.UsageError(f"{path} exists already; `grognard play {path}` goes on with it")
    seats = read_seats(session.game, (*session.header.players.split(), *sides), HUMAN)
    session.header.players = " ".join(f"--{side}={seat}" for side, seat in zip(session.game.sides, seats))
    save(session, path)
    Terminal(session, path, seats, lang, sys.stdin, click.echo).run()


def new_session(game: str, scenario: str | None, options: tuple[str, ...], seed: str | None) -> Session:
    """A new game, with dice that nobody knows unless a seed is given."""
    found: Any = find_game(game)
    name = choose_scenario(found, scenario)
    secret = secrets.token_hex(32) if seed is None else seed
    if not secret.isprintable():
        raise click.UsageError("--seed takes a word of printable characters")
    return Session.new(found, name, read_options(options), seed=secret)
