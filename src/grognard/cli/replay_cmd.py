"""`grognard replay` and `grognard verify`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from grognard.cli.main import language_option
from grognard.cli.screen import situation
from grognard.games import find_game
from grognard.kernel import where_are_we
from grognard.kernel.gamefile import load, read, save, verify
from grognard.kernel.narrate import Narrator
from grognard.kernel.record import REFEREE
from grognard.kernel.texts import error_text, texts_for

FILE = click.argument("file", type=click.Path(path_type=Path))
RECOVER = click.option("--recover", is_flag=True, help="Read what is whole of a damaged file.")


@click.command()
@FILE
@click.option("--at", type=int, default=None, help="After this action (0: the set-up). Default: the last.")
@click.option("--as", "side_name", default=None, help="A side, or spectator; referee (default) sees all.")
@click.option("--json", "as_json", is_flag=True, help="The view as JSON.")
@click.option("--out", type=click.Path(path_type=Path), default=None, help="Write the file again (.json for the twin).")
@RECOVER
@language_option
def replay_command(
    file: Path, at: int | None, side_name: str | None, as_json: bool, out: Path | None, recover: bool, lang: str
) -> None:
    """Show a position of a saved game as a side may see it.

    Example: grognard replay game.txt --at 40 --as blue --json
    """
    session = load(file, find_game, recover=recover)
    if out is not None:
        if out.exists():
            raise click.UsageError(f"{out} exists already; choose another --out")
        save(session, out)
    game = session.game
    side = game.side_named(side_name or "referee")
    number = len(session.entries) if at is None else at
    s = session.position(number)
    if as_json:
        view = game.view(s, side) | {"at": number}
        if side == REFEREE or session.result is not None:
            view["digest"] = s.digest()  # of the whole position, so not for a side while the game is on
        click.echo(json.dumps(view, ensure_ascii=False, indent=1))
        return
    narrator = Narrator(game, lang)
    click.echo(f"{game.name} {s.scenario}: {number}/{len(session.entries)}, {where_are_we(s)}")
    click.echo(situation(game, s, side, narrator))
    if number:
        heard = [event.to_json(side) for event in session.entries[number - 1].events if event.heard_by(side)]
        for sentence in narrator.looking_at(s, side).told(heard):
            click.echo(f"  {sentence}")


@click.command()
@FILE
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@language_option
def verify_command(file: Path, as_json: bool, lang: str) -> None:
    """Recompute every roll, event and position of a saved game; exit code 1 if anything differs.

    Example: grognard verify game.txt
    """
    verdict = verify(read(file), find_game)
    if as_json:
        click.echo(json.dumps({"file": str(file), "ok": not verdict.found} | verdict.to_json(), indent=1))
    else:
        texts = texts_for("", lang)
        for problem in verdict.found:
            click.echo(texts.say("file.in", path=file, what=error_text(problem, lang)))
        if not verdict.found:
            typed = texts.say("cli.typed", number=verdict.typed) if verdict.typed else ""
            click.echo(texts.say("cli.verified", file=file, actions=verdict.actions, rolls=verdict.rolls) + typed)
        for side in verdict.withheld:
            click.echo(texts.say("cli.withheld", side=side))
        for side, number in verdict.unsalted.items():
            click.echo(texts.say("cli.unsalted", side=side, number=number))
        if verdict.mark:
            click.echo(texts.say(f"cli.{verdict.mark}"))
    if verdict.found:
        sys.exit(1)
