"""The charts of the game as frozen values, read once from data/charts.toml, data/countries.toml and data/crt.csv."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from grognard.kernel.errors import DataError
from grognard.kit import DataFiles

FILES = DataFiles("surrender")
WEATHERS = ("good", "poor", "severe")
SUPPLIES = ("full", "low", "none")
FACTIONS = ("axis", "western", "soviet")
GROUND_TYPES = ("infantry", "motorised", "shock", "tank")
AIR_TYPES = ("fighter", "bomber")
SHIP_TYPES = ("warship", "carrier", "convoy")
HEXSIDES = ("none", "river", "canal", "mountain", "strait")
NUMBERS = ("settings", "map", "movement", "ranges", "supply", "logistics", "weather")  # sections of charts.toml
CODES = ("NE", "DR", "DD", "DE", "AS", "AA")


@dataclass(frozen=True, slots=True)
class DrmRow:
    """One line of a list of modifiers: the rule that decides whether it applies, and what it is worth."""

    rule: str
    drm: int
    src: str
    zones: tuple[int, ...] = ()
    versus: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Country:
    """A country of the game and the faction it fights for."""

    id: str
    faction: str
    aliases: tuple[str, ...]
    src: str


@cache
def charts() -> dict[str, Any]:
    """Everything in charts.toml, as read; what should be numbers is."""
    found = FILES.toml("charts.toml")
    for section in NUMBERS:
        whole_numbers("charts.toml", section, found.get(section))
    return found


def whole_numbers(file: str, key: str, value: object) -> None:
    """Refuse anything but whole numbers at the ends of a table, `src` apart, naming the file and the key."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name != "src":
                whole_numbers(file, f"{key}.{name}", inner)
    elif isinstance(value, list):
        for inner in value:
            whole_numbers(file, key, inner)
    elif type(value) is not int:
        raise DataError(file, key, f"{value!r} is no whole number")


@cache
def setting(name: str) -> int:
    """A number of the settings section, for instance the faces of the die."""
    return int(charts()["settings"][name]["value"])


@cache
def drm_rows(kind: str) -> tuple[DrmRow, ...]:
    """The list of modifiers of one kind of combat, in the sheet's order."""
    rows = []
    for number, entry in enumerate(charts()["drm"][kind], 1):
        name, worth = entry.get("rule"), entry.get("drm")
        where = f"drm.{kind}, entry {number} ({name})"
        if not isinstance(name, str) or not isinstance(entry.get("src"), str):
            raise DataError("charts.toml", where, "rule and src are words; give both")
        if type(worth) is not int:
            raise DataError("charts.toml", f"{where}: drm", f"{worth!r} is no whole number")
        if worth == 0:
            raise DataError("charts.toml", f"{where}: drm", "a line that is worth 0; remove it or give it a value")
        zones, versus = (_list_of(entry, key, of, where) for key, of in (("zones", int), ("versus", str)))
        rows.append(DrmRow(name, worth, entry["src"], zones, versus))
    return tuple(rows)


def _list_of(entry: dict[str, Any], key: str, of: type, where: str) -> tuple[Any, ...]:
    """An optional list whose items are all of one type."""
    items = entry.get(key, [])
    if not isinstance(items, list) or any(type(item) is not of for item in items):
        raise DataError("charts.toml", f"{where}: {key}", f"{items!r} is no list of {of.__name__}")
    return tuple(items)


@cache
def halving_rules(kind: str) -> tuple[str, ...]:
    """The divisions after the roll of one kind of combat, in the sheet's order."""
    return tuple(charts()["halvings"][kind])


@cache
def countries() -> dict[str, Country]:
    """Every country by id."""
    return {
        c["id"]: Country(c["id"], c["faction"], tuple(c["aliases"]), c["src"])
        for c in FILES.toml("countries.toml")["country"]
    }


@cache
def country_words() -> dict[str, str]:
    """Every word a case may use for a country, in small letters, and the id it stands for."""
    words: dict[str, str] = {}
    for country in countries().values():
        for word in (country.id, *country.aliases):
            if words.setdefault(word, country.id) != country.id:
                raise DataError("countries.toml", word, f"names both {words[word]} and {country.id}")
    return words


@cache
def combat_table() -> tuple[tuple[tuple[str, int], ...], ...]:
    """The 16 by 16 table as rows (defender 1..16) of columns (attacker 1..16): code and number of sorties."""
    lines = list(csv.reader(FILES.read("crt.csv").splitlines()))
    rows = []
    for number, line in enumerate(lines[1:], start=1):
        if line[0] != str(number) or len(line) != 18:
            raise DataError("crt.csv", f"line {number + 1}", f"expected defender {number}, 16 cells and a source")
        rows.append(tuple(_cell(cell, number + 1) for cell in line[1:17]))
    if len(rows) != 16:
        raise DataError("crt.csv", "", f"{len(rows)} rows of 16")
    return tuple(rows)


def _cell(text: str, line: int) -> tuple[str, int]:
    if text == "♦":
        return "NE", 0
    code, plus, number = text.partition("+")
    if code not in CODES or not plus or not number.isdigit():
        raise DataError("crt.csv", f"line {line}", f"unknown result '{text}'; known: ♦, {', '.join(CODES[1:])} with +#")
    return code, int(number)


def chart_problems() -> list[DataError]:
    """What is wrong in the files that every scenario shares, one error for each."""
    readers: list[Callable[[], object]] = [charts, combat_table, country_words, *(
        partial(drm_rows, kind) for kind in ("ground", "air", "strategic")
    )]  # fmt: skip
    found = []
    for reader in readers:
        try:
            reader()
        except DataError as error:
            found.append(error)
    return found
