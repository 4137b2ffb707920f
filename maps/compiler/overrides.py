"""Pass `overrides`: the last word, hex by hex, from overrides.toml; every entry says why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct, field

from maps.compiler.errors import MapError
from maps.compiler.facts import check_facts
from maps.compiler.grid import Cell
from maps.compiler.model import HAND, HexMap
from maps.compiler.owners import lay_frontiers
from maps.compiler.sources import World
from maps.compiler.tomlfile import read_toml, table_line

SRC = HAND
Said = dict[tuple[str, str, str], int | None]
"""Which key of what was said, and in which line."""


class HexOverride(Struct, frozen=True, forbid_unknown_fields=True):
    """Set or drop facts of a hex."""

    at: str
    why: str
    set: dict[str, Any] = field(default_factory=dict)
    drop: list[str] = field(default_factory=list)


class PairOverride(Struct, frozen=True, forbid_unknown_fields=True):
    """Set or drop facts of a side or a link."""

    between: tuple[str, str]
    why: str
    set: dict[str, Any] = field(default_factory=dict)
    drop: list[str] = field(default_factory=list)


class PlaceOverride(Struct, frozen=True, forbid_unknown_fields=True):
    """Set or drop facts of a place."""

    id: str
    why: str
    set: dict[str, Any] = field(default_factory=dict)
    drop: list[str] = field(default_factory=list)


class Overrides(Struct, frozen=True, forbid_unknown_fields=True):
    """overrides.toml."""

    hex: list[HexOverride] = field(default_factory=list)
    side: list[PairOverride] = field(default_factory=list)
    link: list[PairOverride] = field(default_factory=list)
    place: list[PlaceOverride] = field(default_factory=list)


def overrides(m: HexMap, world: World) -> HexMap:
    """Apply overrides.toml; remember the line of each for the audits' messages."""
    path = m.folder / "overrides.toml"
    if not path.is_file():
        return m
    m = m.fork()
    told = read_toml(path, Overrides)
    lines: dict[str, str] = {}
    said: Said = {}
    for number, item in enumerate(told.hex):
        line = table_line(path, "hex", number)
        cell = _cell(m, item.at, path, line)
        _once(said, "hex", item.at, [*item.set, *item.drop], path, line)
        check_facts(m, "hex", item.set, path, line)
        for key, value in sorted(item.set.items()):
            m.set_hex(cell, key, value, SRC)
        for key in item.drop:
            m.hexes[cell].pop(key, None)
        if "country" in item.set:
            lay_frontiers(m, cell)
        lines[item.at] = f"overrides.toml:{line} ({item.why})"
    for header, pairs in (("side", told.side), ("link", told.link)):
        for number, entry in enumerate(pairs):
            line = table_line(path, header, number)
            name = "|".join(sorted(entry.between))
            _once(said, header, name, [*entry.set, *entry.drop], path, line)
            _override_pair(m, header, entry, path, line)
            lines[name] = f"overrides.toml:{line} ({entry.why})"
    for number, place in enumerate(told.place):
        line = table_line(path, "place", number)
        _once(said, "place", place.id, [*place.set, *place.drop], path, line)
        _override_place(m, place, path, line)
        lines[place.id] = f"overrides.toml:{line} ({place.why})"
    m.report["overrides"] = lines
    return m


def _once(said: Said, header: str, name: str, keys: list[str], path: Path, line: int | None) -> None:
    """Two entries that say the same key of the same thing are a mistake: which one is meant?"""
    for key in keys:
        if (header, name, key) in said:
            first = said[header, name, key]
            reason = f"{header} {name}: {key!r} is said already in line {first}; keep one of the two"
            raise MapError(reason, file=path, line=line)
        said[header, name, key] = line


def _override_pair(m: HexMap, header: str, entry: PairOverride, path: Path, line: int | None) -> None:
    one, other = (_cell(m, number, path, line) for number in entry.between)
    if header == "side" and other not in m.grid.neighbours(one):
        raise MapError(f"{entry.between[0]} and {entry.between[1]} are not neighbours", file=path, line=line)
    check_facts(m, header, entry.set, path, line)
    write = m.set_side if header == "side" else m.set_link
    for key, value in sorted(entry.set.items()):
        write(one, other, key, value, SRC)
    table = m.sides if header == "side" else m.links
    for key in entry.drop:
        facts = table.get(m.pair(one, other), {})
        if key not in facts:
            raise MapError(f"{header} {'|'.join(entry.between)} has no {key!r} to drop", file=path, line=line)
        del facts[key]


def _override_place(m: HexMap, place: PlaceOverride, path: Path, line: int | None) -> None:
    if place.id not in m.places:
        raise MapError(f"no place {place.id!r} on this map", file=path, line=line)
    check_facts(m, "place", place.set, path, line)
    for number in place.set.get("hexes", []):
        _cell(m, number, path, line)
    for key in place.drop:
        m.places[place.id].pop(key, None)
    m.places[place.id] |= place.set


def _cell(m: HexMap, number: str, path: Path, line: int | None) -> Cell:
    try:
        cell = m.grid.cell(number)
    except MapError as error:
        raise MapError(error.reason, file=path, line=line) from None
    if cell not in m.hexes:
        raise MapError(f"hex {number} is cut off this map", file=path, line=line)
    return cell
