"""A variant's numbers laid over the data files of a game: a copy of the folder with a few values changed.

`charts.toml:numbers.river_cost = 2` changes one value of a TOML file; `units.csv:us-4id.attack = 5` one cell of a CSV
file, in the line whose first cell is `us-4id`. Numbers that come from the printed rules may be changed too, in a
variant that says so: it is another game, and the file says which. A process serves one variant, since games read their
files once.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import shutil
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grognard.kernel.errors import LabError
from grognard.kit.files import data_folder

Value = int | bool | str


def overlay_digest(game: str, changes: Mapping[str, Value]) -> str:
    """A name for the changes, after each has been tried; empty for none."""
    if not changes:
        return ""
    for place, value in changes.items():
        changed_text(game, place, value)
    return hashlib.sha256(json.dumps([game, sorted(changes.items())]).encode()).hexdigest()[:12]


def lay_over(game: str, changes: Mapping[str, Value], folder: Path) -> Path:
    """The game's data with the changes, in a folder that `GROGNARD_DATA` can name; made once."""
    home = folder / overlay_digest(game, changes)
    if not home.exists():
        rough = home.with_name(f"{home.name}.part")
        shutil.rmtree(rough, ignore_errors=True)
        shutil.copytree(str(data_folder(game)), rough / game, ignore=shutil.ignore_patterns("art"))
        for place, value in changes.items():
            file = place.partition(":")[0]
            (rough / game / file).write_text(changed_text(game, place, value, rough / game), "utf-8")
        rough.rename(home)
    return home


def changed_text(game: str, place: str, value: Value, folder: Path | None = None) -> str:
    """The text of a file with one value changed; LabError if there is no such place or the kind differs."""
    name, colon, path = place.partition(":")
    file = (folder or Path(str(data_folder(game)))) / name
    if not colon or not path or ".." in name or not file.is_file():
        files = sorted(f.name for f in Path(str(data_folder(game))).iterdir() if f.suffix in (".toml", ".csv"))
        raise LabError("change", place=place, files=files)
    text = file.read_text("utf-8")
    return (
        changed_cell(game, place, text, path, value)
        if file.suffix == ".csv"
        else changed_key(game, place, text, path, value)
    )


def changed_key(game: str, place: str, text: str, path: str, value: Value) -> str:
    """One value of a TOML file: the line is found by its table and key, and the file is read again to be sure."""
    keys = path.split(".")
    before = tomllib.loads(text)
    old = look(game, place, before, keys)
    if type(old) is not type(value):
        raise LabError("change-kind", place=place, old=repr(old), new=repr(value))
    said = json.dumps(value, ensure_ascii=False)
    wanted = json.loads(json.dumps(before, default=str))
    look(game, place, wanted, keys[:-1])[keys[-1]] = value
    key, now = re.escape(keys[-1]), re.escape(json.dumps(old, ensure_ascii=False))
    for found in re.finditer(rf'(?m)(?<![\w."-])"?{key}"?\s*=\s*({now})(?![\w.])', text):
        new = text[: found.start(1)] + said + text[found.end(1) :]
        try:
            if json.loads(json.dumps(tomllib.loads(new), default=str)) == wanted:
                return new
        except tomllib.TOMLDecodeError:
            continue
    raise LabError("change-list", place=place)


def look(game: str, place: str, table: Any, keys: list[str]) -> Any:
    """The value at a path, through tables and numbered lists."""
    for key in keys:
        try:
            table = table[int(key)] if isinstance(table, list) else table[key]
        except (KeyError, IndexError, ValueError, TypeError):
            known = list(table)[:12] if isinstance(table, dict) else []
            raise LabError("change-key", place=place, key=key, known=known) from None
    return table


def changed_cell(game: str, place: str, text: str, path: str, value: Value) -> str:
    """One cell of a CSV file."""
    row, _, column = path.rpartition(".")
    rows = list(csv.reader(io.StringIO(text)))
    try:
        at = rows[0].index(column)
        line = next(n for n, cells in enumerate(rows) if cells and cells[0] == row and n)
    except (ValueError, StopIteration, IndexError):
        raise LabError("change-cell", place=place, row=row, column=column, columns=rows[0][1:]) from None
    rows[line][at] = str(value)
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()
