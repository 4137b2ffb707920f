"""`grognard data` and `grognard check`."""

from __future__ import annotations

import csv
import json
import sys
import tomllib
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import click

from grognard.cli.checks import crowded_marks, stale_docs, unmerged, untranslated
from grognard.cli.coverage import unknown_marks
from grognard.cli.main import language_option
from grognard.games import find_game, playable_names, rulebook_names
from grognard.kernel.errors import DataError, GrognardError, UnknownName
from grognard.kernel.rulebook import rulebook
from grognard.kernel.texts import LANGUAGES, read_texts, texts_for

KINDS = ("text", "historical", "proposed", "unmarked")
NOT_DATA = ("rulebook.toml", "proposals.toml", "figures.toml")


def data_files(game: str) -> list[tuple[str, Traversable]]:
    """The data files of a game by their path inside its folder; pictures and the rulebook are not counted."""
    found: list[tuple[str, Traversable]] = []

    def walk(folder: Traversable, path: str) -> None:
        for child in sorted(folder.iterdir(), key=lambda c: c.name):
            if child.is_dir() and child.name not in ("art", "__pycache__"):
                walk(child, f"{path}{child.name}/")
            elif child.name.endswith((".toml", ".csv", ".json")) and child.name not in NOT_DATA:
                found.append((path + child.name, child))

    folder = resources.files("grognard") / "games" / game / "data"
    if folder.is_dir():
        walk(folder, "")
    return found


def provenance_of(name: str, file: Traversable) -> Counter[str]:
    """How many values of a file come from where."""
    try:
        text = file.read_text("utf-8")
        if name.endswith(".csv"):
            rows = list(csv.DictReader(text.splitlines()))
            return Counter(_kind_of_cell(row, key) for row in rows for key, cell in row.items()
                           if cell not in (None, "") and not str(key).endswith(("source", "src")))  # fmt: skip
        tree = tomllib.loads(text) if name.endswith(".toml") else json.loads(text)
    except (tomllib.TOMLDecodeError, json.JSONDecodeError, UnicodeDecodeError) as error:
        raise DataError(name, "", str(error)) from error
    if name.endswith(".json") and "hexes" in tree:
        usual = tree.get("provenance", {}).get("default", {})
        parts = ("hexes", "sides", "links", "places", "areas")
        return Counter(_kind_of_map(entry, key, usual.get(part)) for part in parts
                       for entry in tree.get(part, {}).values() for key in entry if key != "src")  # fmt: skip
    return Counter(_kind(source) for source in _leaves(tree, tree.get("source")))


def _leaves(tree: Any, source: Any) -> Iterator[Any]:
    """The source of each value of a table: the nearest `source` (or `src`) above it.

    Where that is a table itself, it names the source key by key; a key that it leaves out counts with the weakest.
    """
    if isinstance(tree, dict):
        source = tree.get("source", tree.get("src", source))
        for key, value in tree.items():
            if key not in ("source", "src", "note", "why"):
                yield from _leaves(value, source.get(key, _weakest(source)) if isinstance(source, dict) else source)
    elif isinstance(tree, list):
        for value in tree:
            yield from _leaves(value, source)
    else:
        yield source


def _weakest(sources: dict[str, Any]) -> Any:
    return max(sources.values(), key=lambda source: KINDS.index(_kind(source)), default=None)


def _kind(source: Any) -> str:
    word = str(source or "").split(":")[0].split(" ")[0]
    return word if word in KINDS else "unmarked"


def _kind_of_cell(row: dict[str, Any], key: str) -> str:
    """A row says it once (`source`, `src`) or column by column (`name_src`); else its weakest counts."""
    sources = {name: value for name, value in row.items() if name and name.endswith(("source", "src"))}
    return _kind(sources.get(f"{key}_src") or _weakest(sources))


def _kind_of_map(entry: Any, key: str, usual: Any = None) -> str:
    """A compiled map says which pass wrote a value, or leaves it to the usual one; geography is history."""
    source = entry.get("src") if isinstance(entry, dict) else None
    if isinstance(source, dict):
        source = source.get(key, source.get("*"))
    if source is None and isinstance(usual, dict):
        source = usual.get(key)
    if source is None:
        return "historical"
    kind = _kind(source)
    return "historical" if kind == "unmarked" else kind


@click.command()
@click.argument("game")
@click.option("--provenance", is_flag=True, help="Count where the values come from.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@language_option
def data_command(game: str, provenance: bool, as_json: bool, lang: str) -> None:
    """List a game's data files and where their numbers come from.

    Owners of a printed game may replace our proposed numbers in these files; no code needs to change.

    Example: grognard data picket --provenance
    """
    if game not in rulebook_names():
        raise UnknownName("game", game, rulebook_names())
    files = data_files(game)
    counts = {name: provenance_of(name, file) for name, file in files}
    if as_json:
        click.echo(
            json.dumps({"game": game, "files": {n: {k: c[k] for k in KINDS} for n, c in counts.items()}}, indent=1)
        )
        return
    texts = texts_for(game, lang)
    if not provenance:
        for name, file in files:
            click.echo(f"{name:<36} {sum(counts[name].values()):>8}  {file}")
        return
    click.echo(f"{'':<36}" + "".join(f"{texts.say(f'cli.{kind}'):>13}" for kind in KINDS))
    total: Counter[str] = sum(counts.values(), Counter())
    for name, count in [*counts.items(), (texts.say("cli.all"), total)]:
        whole = sum(count.values()) or 1
        shares = [f"{count[kind]:>6} {1000 * count[kind] // whole / 10:>4.1f}%" for kind in KINDS]
        click.echo(f"{name:<36}" + "".join(f"{share:>13}" for share in shares))


def problems_of(game: str) -> list[str]:
    """Everything wrong with a game's data, rulebook, marks and texts; whatever a bad file causes becomes a line."""
    checks: list[Callable[[], list[str]]] = [
        lambda: unknown_marks(game) if rulebook(game) else [],
        lambda: crowded_marks(game),
        lambda: unmarked_values(game),
        lambda: [str(problem) for problem in find_game(game).check_data()] if game in playable_names() else [],
        lambda: text_problems(game),
        lambda: untranslated(game),
    ]
    found: list[str] = []
    for check in checks:
        try:
            found += check()
        except GrognardError as error:
            found.append(str(error))
        except Exception as error:  # a number that is not one, a key that is missing: the file is wrong, not the reader
            found.append(f"{game}: {where_of(error)}: {type(error).__name__}: {error}")
    return list(dict.fromkeys(found))


def where_of(error: Exception) -> str:
    """The place in the game's own code that could not go on: it names what it was reading."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "grognard" in f.filename]
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno} ({frames[-1].name})" if frames else "data"


def unmarked_values(game: str) -> list[str]:
    """Data files with values that do not say where they come from."""
    found = []
    for name, file in data_files(game):
        unmarked = provenance_of(name, file)["unmarked"]
        if unmarked:
            found.append(f"{game}/data/{name}: {unmarked} values do not say where they come from")
    return found


def text_problems(game: str) -> list[str]:
    """Sentences that exist in one language only; what is typed for a verb is the verb itself in English."""
    folder = resources.files("grognard") / "games" / game / "text" if game else resources.files("grognard") / "text"
    keys = {lang: set(read_texts(folder / f"{lang}.toml")) for lang in LANGUAGES}
    every = set().union(*keys.values())
    return [
        f"{game or 'common'}/text/{lang}.toml: {key} is missing"
        for lang in LANGUAGES
        for key in sorted(every - keys[lang])
        if lang != "en" or not key.startswith("order.")
    ]


@click.command()
@click.argument("games", nargs=-1)
def check_command(games: tuple[str, ...]) -> None:
    """Check every data file, scenario, rulebook, text and page of the docs; exit code 1 if anything is wrong.

    Example: grognard check picket
    """
    for game in games:
        if game not in rulebook_names():
            raise UnknownName("game", game, rulebook_names())
    found = text_problems("") + untranslated("") + ([] if games else [*unmerged(), *stale_docs()])
    for game in games or rulebook_names():
        mine = problems_of(game)
        click.echo(f"{game:<12} {'ok' if not mine else f'{len(mine)} problems'}")
        found += mine
    for problem in found:
        click.echo(f"  {problem}")
    if found:
        sys.exit(1)
