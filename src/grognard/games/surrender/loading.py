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
    """Everything in charts.toml, as read."""
    return FILES.toml("charts.toml")


@cache
def setting(name: str) -> int:
    """A number of the settings section, for instance the faces of the die."""
    return int(charts()["settings"][name]["value"])


@cache
def drm_rows(kind: str) -> tuple[DrmRow, ...]:
    """The list of modifiers of one kind of combat, in the sheet's order."""
    rows = []
    for entry in charts()["drm"][kind]:
        if entry["drm"] == 0:
            raise DataError(
                "charts.toml", f"drm.{kind}", f"line {entry['rule']} is worth 0; remove it or give it a value"
            )
        rows.append(DrmRow(entry["rule"], entry["drm"], entry["src"], tuple(entry.get("zones", ())),
                           tuple(entry.get("versus", ()))))  # fmt: skip
    return tuple(rows)


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
