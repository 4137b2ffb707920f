"""`grognard table`: check, look into, draw and make measured tables.

`check`, `info` and `make` need nothing else. `render` needs the repository (its `maps/` folder) and the extra `maps`
(numpy, scipy), which are imported only when asked for.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import sys
import tomllib
from collections import Counter
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import click

from grognard.cli.main import language_option
from grognard.kernel.errors import UnknownName, WordedError
from grognard.kernel.texts import error_text
from grognard.tabletop import (
    FACING_NAMES,
    FORBIDDEN,
    PER_CM,
    StepCosts,
    Table,
    Terrain,
    document_from_toml,
    legend,
    load_terrain,
    problems,
    sketch,
    table_from_document,
)
from grognard.tabletop.making import make, mirrored, to_toml

ROOT = Path(__file__).resolve().parents[3]
NOT_DRAWN = {"zone", "edge", "narrow", "objective", "label", "title", "source", "year", "theatre"}  # by the pictures
WORDS = {
    "points": "points", "features": "éléments", "zones": "zones", "objectives": "objectifs", "sound": "bonne",
    "ground": "sol", "level": "niveau", "feature": "élément", "closed": "fermé",
    "step costs in cm": "coût d'un pas en cm",
}  # fmt: skip


class TableCommandError(WordedError):
    """A table command that cannot be done: why, and what to do."""

    section = "table-error"


def table_files() -> dict[str, Traversable]:
    """Every table of the games by its name."""
    found: dict[str, Traversable] = {}
    for game in sorted((resources.files("grognard") / "games").iterdir(), key=lambda child: child.name):
        folder = game / "data" / "tables"
        if folder.is_dir():
            files = sorted(folder.iterdir(), key=lambda child: child.name)
            found |= {file.name.removesuffix(".toml"): file for file in files if file.name.endswith(".toml")}
    return found


@cache
def terrain() -> Terrain:
    """The kinds of terrain that the games' tables use."""
    return load_terrain(resources.files("grognard") / "games" / "blitzkrieg" / "data" / "terrain.toml")


def theatres() -> dict[str, Any]:
    """The theatres that tables can be made for."""
    file = resources.files("grognard") / "games" / "blitzkrieg" / "data" / "theatres.toml"
    found = tomllib.loads(file.read_text("utf-8"))
    return {name: row for name, row in found.items() if isinstance(row, dict)}


def find_document(name: str) -> tuple[str, dict[str, Any]]:
    """A table by name or file: the file's name and what it says, not checked."""
    path = Path(name)
    source: Traversable = path if path.suffix == ".toml" else table_files().get(name) or path
    if not source.is_file():
        if path.suffix == ".toml":
            raise TableCommandError("no-file", file=name)
        raise UnknownName("table", name, table_files())
    return source.name, document_from_toml(source.read_bytes(), source.name)


def find_table(name: str) -> Table:
    """A sound table by name or file."""
    file, document = find_document(name)
    return table_from_document(document, terrain(), file)


def _word(word: str, lang: str) -> str:
    return WORDS.get(word, word) if lang == "fr" else word


@click.group("table", help="Check, look into, draw and make measured tables.")
def table_group() -> None:
    """The group of table commands."""


@table_group.command("check")
@click.argument("names", nargs=-1)
@language_option
def check_command(names: tuple[str, ...], lang: str) -> None:
    """Everything that is wrong with tables, by name or file; with none named, with all of them.

    Example: grognard table check stonne40 my-table.toml
    """
    wrong = 0
    for name in names or table_files():
        file, document = find_document(name)
        found = problems(document, terrain(), file)
        wrong += len(found)
        if not found:
            table = table_from_document(document, terrain(), file)
            colon = " : " if lang == "fr" else ": "
            click.echo(f"{file}{colon}{_word('sound', lang)}, {len(table.points)} {_word('points', lang)}")
        for problem in found:
            click.echo(error_text(problem, lang))
    if wrong:
        raise TableCommandError("count-many" if wrong > 1 else "count-one", count=wrong)


@table_group.command("info")
@click.argument("name")
@click.argument("point", required=False)
@click.option("--json", "as_json", is_flag=True, help="For a program to read.")
@language_option
def info_command(name: str, point: str | None, as_json: bool, lang: str) -> None:
    """What is on a table, with a sketch; or what is at a POINT and what steps from it cost.

    Example: grognard table info stonne40 091-041
    """
    table = find_table(name)
    told = _summary(table) if point is None else _point_report(table, point)
    if as_json:
        click.echo(json.dumps(told, ensure_ascii=False, indent=1))
        return
    if point is not None:
        click.echo(f"{table.id} {told['point']}")
        for key in ("ground", "level", "feature", "zones", "objectives"):
            click.echo(
                f"  {_word(key, lang)}: {told[key] if not isinstance(told[key], list) else ', '.join(told[key])}"
            )
        click.echo(f"  {_word('step costs in cm', lang)}:")
        for drive, row in told["steps"].items():
            costs = (f"{way} {cost if cost is not None else _word('closed', lang)}" for way, cost in row.items())
            click.echo(f"    {drive:8} " + ", ".join(costs))
        return
    click.echo(f"{table.id}: {table.document['title'][lang]}, {table.size[0]} x {table.size[1]} cm")
    for key in ("points", "features", "zones", "objectives"):
        value = told[key]
        words = ", ".join(f"{k} {v}" for k, v in value.items()) if isinstance(value, dict) else value
        click.echo(f"  {_word(key, lang)}: {words}")
    click.echo("\n".join(sketch(table)))
    click.echo("  " + ", ".join(f"{letter} {kind}" for letter, kind in legend(table).items()))


def _summary(table: Table) -> dict[str, Any]:
    return {
        "table": table.id,
        "title": table.document["title"],
        "size": list(table.size),
        "points": len(table.points),
        "features": dict(sorted(Counter(feature.kind for feature in table.features).items())),
        "zones": {zone.id: len(zone.points) for zone in table.zones},
        "objectives": {goal.id: goal.facts["vp"] for goal in table.objectives},
    }


def _point_report(table: Table, word: str) -> dict[str, Any]:
    try:
        p = table.point_named(word)
    except KeyError:
        raise UnknownName("point", word, [n for n in table.names if n]) from None
    rows = {}
    for drive in table.terrain.drives:
        row = StepCosts(table, drive).row(p)
        rows[drive] = {FACING_NAMES[f]: None if c == FORBIDDEN else round(c / PER_CM, 1) for f, c in enumerate(row)}
    number = table.feature[p]
    return {
        "table": table.id,
        "point": word,
        "ground": table.kind[p],
        "level": table.level[p],
        "feature": table.features[number].id if number >= 0 else None,
        "zones": [zone.id for zone in (*table.zones, *table.narrows) if p in zone.points],
        "objectives": [goal.id for goal in table.objectives if p in goal.points],
        "steps": rows,
    }


@table_group.command("make")
@click.argument("theatre")
@click.option("--seed", default="1", help="The same theatre and seed give the same table.")
@click.option("--mirror", is_flag=True, help="Top and bottom exchanged, for paired games.")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path, dir_okay=False), help="Write the file instead of showing it."
)
@language_option
def make_command(theatre: str, seed: str, mirror: bool, out: Path | None, lang: str) -> None:
    """A new table of a theatre, drawn by lot; it passes `check`.

    Example: grognard table make west-1944 --seed 7 -o field.toml
    """
    known = theatres()
    if theatre not in known:
        raise UnknownName("theatre", theatre, known)
    document = make(theatre, known[theatre], seed, terrain())
    text = to_toml(mirrored(document) if mirror else document)
    if out is None:
        click.echo(text, nl=False)
    else:
        out.write_text(text, encoding="utf-8")
        click.echo(f"{out}: {document['id']}")


@table_group.command("render")
@click.argument("name")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="A picture (.webp or .png), or a folder for the layers."
)
@click.option("--scale", default=0, help="Pixels to a centimetre; 0 for the usual.")
@language_option
def render_command(name: str, out: Path | None, scale: int, lang: str) -> None:
    """Draw a table: one picture, or the two layers that the client uses.

    Example: grognard table render stonne40 -o stonne.webp
    """
    table = find_table(name)
    paint = _tools("maps.tables.paint")
    folder = ROOT / "src/grognard/games/blitzkrieg/data/art"
    for path in paint.write(table, out or folder, scale):
        click.echo(f"{path} {path.stat().st_size // 1024} kB")
    if out is None and not scale:
        note = folder / "drawn.json"
        drawn = json.loads(note.read_text("utf-8")) if note.exists() else {}
        drawn[table.id] = drawing_digest(table)
        note.write_text(json.dumps(dict(sorted(drawn.items())), indent=1) + "\n", "utf-8")


def drawing_digest(table: Table) -> str:
    """A digest of what is drawn of a table: all of its file but zones, edges and words."""
    shown = {key: value for key, value in table.document.items() if key not in NOT_DRAWN}
    return hashlib.blake2b(json.dumps(shown, sort_keys=True).encode(), digest_size=8).hexdigest()


def _tools(name: str) -> Any:
    """A module of the drawing tools; they live in the repository, not in the installed package."""
    if not (ROOT / "maps" / "tables").is_dir():
        raise TableCommandError("no-tools")
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise TableCommandError("no-extra", name=error.name) from error
