"""`grognard odds GAME`: exact chances of a case on standard input, or the game's wall chart.

The game answers through `games/<game>/odds.py`: `odds_case(case, lang) -> dict` and `render_case(answer, lang) -> str`;
games with a chart also give `odds_table(...)`, `render_table`, `table_svg` and `table_png`.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import click

from grognard.cli.main import language_option
from grognard.kernel.errors import GrognardError
from grognard.kernel.texts import texts_for

LARGEST = 1024 * 1024  # bytes of a case


def odds_module(game: str) -> Any:
    """The odds book of a game, or None if it has none."""
    name = f"grognard.games.{game}.odds"
    try:
        found = importlib.util.find_spec(name)
    except ModuleNotFoundError:
        return None
    return importlib.import_module(name) if found else None


def fail(message: str, as_json: bool) -> NoReturn:
    """Say what is wrong with the input and leave with code 1."""
    error: dict[str, Any] = {"error": {"rule": "input", "message": message}}
    click.echo(plain(error) if as_json else message, err=not as_json)
    sys.exit(1)


def plain(answer: Any) -> str:
    """JSON that every terminal and pipe can carry, whatever words came in."""
    text = json.dumps(answer, ensure_ascii=False, indent=1)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(answer, indent=1)
    return text


def read_case(as_json: bool, say: Callable[..., str]) -> Any:
    """One JSON value from standard input."""
    raw = sys.stdin.buffer.read(LARGEST + 1)
    if len(raw) > LARGEST:
        fail(say("cli.case-too-large", most=LARGEST // 1024), as_json)
    try:
        return json.loads(raw.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        fail(say("cli.not-json", why=f"{error.lineno}:{error.colno}: {error.msg}"), as_json)
    except (ValueError, RecursionError) as error:  # not UTF-8, a number of thousands of digits, endless nesting
        fail(say("cli.not-json", why=type(error).__name__), as_json)


@click.command("odds", epilog="Example: grognard odds surrender --json < case.json")
@click.argument("game")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.option("--table", is_flag=True, help="Print the law of the results for every pair of modifiers.")
@click.option("--low", type=click.IntRange(-10, 10), help="Lowest modifier of the table.")
@click.option("--high", type=click.IntRange(-10, 10), help="Highest modifier of the table.")
@click.option(
    "--halve",
    nargs=2,
    type=click.IntRange(0, 3),
    default=(0, 0),
    help="Divisions of attacker and defender in the table.",
)
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), help="Also write the table as an SVG picture.")
@click.option("--png", type=click.Path(dir_okay=False, path_type=Path), help="Also write the table as a PNG picture.")
@language_option
def odds_command(
    game: str, as_json: bool, table: bool, low: int | None, high: int | None, halve: tuple[int, int],
    svg: Path | None, png: Path | None, lang: str,
) -> None:  # fmt: skip
    """Exact chances of a combat CASE (JSON on standard input), by the game's own rules."""
    book = odds_module(game)
    if book is None:
        raise click.UsageError(f"{game} has no odds book; `grognard games` lists the games")
    if table or svg or png:
        if not hasattr(book, "odds_table"):
            raise click.UsageError(f"{game} has no table of odds")
        if low is not None and high is not None and low > high:
            raise click.UsageError(f"--low {low} is above --high {high}")
        _table(book, book.odds_table(low, high, halve), as_json, svg, png, lang)
        return
    answer = book.odds_case(read_case(as_json, texts_for(game, lang).say), lang)
    if as_json:
        click.echo(plain(answer))
    else:
        click.echo(book.render_case(answer, lang), err="error" in answer)
    sys.exit(1 if "error" in answer else 0)


def _table(book: Any, table: dict[str, Any], as_json: bool, svg: Path | None, png: Path | None, lang: str) -> None:
    try:
        if svg:
            svg.write_text(book.table_svg(table, lang), encoding="utf-8")
        if png:
            book.table_png(table, png, lang)
    except OSError as error:
        raise GrognardError(f"{error.filename or svg or png}: cannot be written: {error.strerror}") from error
    if as_json:
        click.echo(plain(table))
    else:
        click.echo(book.render_table(table, lang))
