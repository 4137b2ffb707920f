"""A game's data files, read and checked: whatever is wrong is refused with its file, its place there and the reason."""

from __future__ import annotations

import csv
import os
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

from grognard.kernel import DataError

T = TypeVar("T")
OVERLAY = "GROGNARD_DATA"  # a folder whose subfolder with a game's name stands in for the game's own data


def data_folder(game: str) -> Traversable:
    """Where a game's data are: its own folder, or for a variant of the laboratory a changed copy."""
    other = os.environ.get(OVERLAY)
    if other and (Path(other) / game).is_dir():
        return Path(other) / game
    return resources.files("grognard") / "games" / game / "data"


class Row(dict[str, str]):
    """One line of a CSV file, by the names of its columns; it knows where it stands."""

    def __init__(self, file: str, line: int, cells: dict[str, str]) -> None:
        super().__init__(cells)
        self.file, self.line = file, line

    def one_of(self, key: str, known: Iterable[str]) -> str:
        """A cell that must hold one of some words."""
        words = tuple(known)
        if self.get(key) not in words:
            reason = f"{key} is {self.get(key)!r}; known: {', '.join(words)}"
            raise DataError(self.file, f"line {self.line}", reason)
        return self[key]


def _is_toml(name: str) -> bool:
    return name.endswith(".toml")


class DataFiles:
    """The folder `data/` of a game."""

    def __init__(self, game: str) -> None:
        self.name = f"{game}/data"
        self.folder = data_folder(game)

    def read(self, name: str) -> str:
        """The text of a file."""
        try:
            return (self.folder / name).read_text("utf-8")
        except FileNotFoundError:
            raise DataError(f"{self.name}/{name}", "", "the file is missing") from None
        except UnicodeDecodeError as error:
            raise DataError(f"{self.name}/{name}", "", str(error)) from None

    def has(self, name: str) -> bool:
        """True if there is such a file."""
        return (self.folder / name).is_file()

    def names(self, folder: str) -> tuple[str, ...]:
        """The TOML files of a folder by name, in order."""
        return tuple(sorted(f.name.removesuffix(".toml") for f in (self.folder / folder).iterdir() if _is_toml(f.name)))

    def toml(self, name: str) -> dict[str, Any]:
        """A table."""
        try:
            return tomllib.loads(self.read(name))
        except tomllib.TOMLDecodeError as error:
            raise DataError(f"{self.name}/{name}", "", str(error)) from None

    def rows(self, name: str, columns: Sequence[str] = ()) -> list[Row]:
        """The lines of a CSV file under its first line, which names the columns; `columns`: it must be these."""
        lines = csv.DictReader(self.read(name).splitlines(), restval=None if columns else "")
        if columns and list(lines.fieldnames or ()) != list(columns):
            raise DataError(f"{self.name}/{name}", "line 1", f"columns must be {','.join(columns)}")
        rows = [Row(f"{self.name}/{name}", number, cells) for number, cells in enumerate(lines, 2)]
        for row in rows if columns else ():
            if None in row or None in row.values():
                raise DataError(row.file, f"line {row.line}", "a row with too many or too few cells")
        return rows

    def records(self, name: str, make: Callable[..., T], /, **known: Collection[str]) -> list[T]:
        """The lines of a CSV file as objects, made from their cells by name (all but `source`).

        A cell in `known` must hold one of its words. A list of words (`side=SIDES`) gives the word's number; a chart
        (`kind=KINDS`) keeps the word and adds what the chart says of it.
        """
        found = []
        for row in self.rows(name):
            facts: dict[str, Any] = {key: cell for key, cell in row.items() if key != "source"}
            for key, words in known.items():
                word = row.one_of(key, words)
                facts |= words[word] if isinstance(words, Mapping) else {key: list(words).index(word)}
            found.append(make(**facts))
        return found

    def scenarios(self, units: Sequence[str], hexes: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Every file of `scenarios/`, by name; its `setup`, a text `unit hex unit hex ...`, as pairs of numbers."""
        return {name: self.scenario(f"scenarios/{name}.toml", units, hexes) for name in self.names("scenarios")}

    def scenario(self, name: str, units: Sequence[str], hexes: Sequence[str]) -> dict[str, Any]:
        """One of them."""
        table = self.toml(name)
        words = str(table.get("setup", "")).split()
        if len(words) % 2:
            raise DataError(f"{self.name}/{name}", "setup", f"{words[-1]!r} has no place: write a unit, then its hex")
        setup: list[tuple[int, int]] = []
        for unit, hex in zip(words[::2], words[1::2]):
            if unit not in units or hex not in hexes:
                what, word = ("unit", unit) if unit not in units else ("hex", hex)
                raise DataError(f"{self.name}/{name}", "setup", f"unknown {what} {word!r} in '{unit} {hex}'")
            setup.append((units.index(unit), hexes.index(hex)))
        return table | {"setup": setup}
