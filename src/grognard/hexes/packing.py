"""Map format 2: hexes, sides and links that are told the same share one entry, whose key names them all.

    "hexes": {"0101-0124 0203": {"terrain": "sea", "kind": "sea"}}      a run, and a single hex
    "sides": {"0617|0618 0618|0717": {"river": ["Douve", 1]}}           names of sides, spaces between

Everything else is as in format 1, where each key names one thing. Compiled maps are kept in format 2, a third of the
size and of the time to read; the rest of the program sees format 1 only. `pack` and `unpack` are each other's inverse.

>>> sea, land = {"terrain": "sea"}, {"terrain": "clear"}
>>> small = {"format": 1, "hexes": {"0101": sea, "0102": sea, "0103": land}}
>>> pack(small)["hexes"]
{'0101-0102': {'terrain': 'sea'}, '0103': {'terrain': 'clear'}}
>>> unpack(pack(small)) == small
True
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

PLAIN: Final = 1
PACKED: Final = 2
SECTIONS: Final = {"hexes": "hex", "sides": "side", "links": "link"}


class PackingError(ValueError):
    """A key of a packed map that cannot be read: where, and why."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"{where}: {reason}")
        self.where = where
        self.reason = reason


def unpack(document: Mapping[str, Any]) -> dict[str, Any]:
    """The same map in format 1. Things told together share one object: read it, do not change it."""
    plain = {**document, "format": PLAIN}
    for section, what in SECTIONS.items():
        if isinstance(entries := document.get(section), dict):
            plain[section] = _unpacked(entries, what)
    return plain


def _unpacked(entries: Mapping[str, Any], what: str) -> dict[str, Any]:
    """One section, a name at a time."""
    found: dict[str, Any] = {}
    told = 0
    for key, facts in entries.items():
        names = _names(key, what)
        found |= dict.fromkeys(names, facts)
        told += len(names)
        if len(found) != told:
            raise PackingError(f"{what} {_first_twice(entries, what)}", "is told twice")
    return found


def _names(key: str, what: str) -> list[str]:
    """The names in one key, runs of hexes written out."""
    names = key.split(" ")
    if what == "hex" and "-" in key:
        names = [name for word in names for name in (_run(word) if "-" in word else (word,))]
    if "" in names:
        raise PackingError(f"{what} {key[:40]!r}", "names in a key are separated by single spaces")
    return names


def _run(word: str) -> list[str]:
    """The hex numbers of a run: `0101-0103` is 0101, 0102, 0103."""
    first, _, last = word.partition("-")
    if len(first) != len(last) or not (first + last).isdigit() or not word.isascii() or first >= last:
        raise PackingError(f"hex {word}", "a run of hexes is two numbers of the same length, the lower first")
    if int(last) - int(first) > 10_000:
        raise PackingError(f"hex {word}", "a run of more than 10,000 hexes")
    one = 10 ** len(first)  # a digit in front keeps the leading zeros
    return [str(number)[1:] for number in range(one + int(first), one + int(last) + 1)]


def _first_twice(entries: Iterable[str], what: str) -> str:
    """The first name that stands in two keys, or twice in one."""
    seen: set[str] = set()
    for key in entries:
        for name in _names(key, what):
            if name in seen:
                return name
            seen.add(name)
    raise AssertionError("no name stands twice")


def pack(document: Mapping[str, Any]) -> dict[str, Any]:
    """The same map in format 2, entries in the order of their first names."""
    packed = {**document, "format": PACKED}
    for section, what in SECTIONS.items():
        if section in document:
            packed[section] = _packed(document[section], what)
    return packed


def _packed(entries: Mapping[str, Any], what: str) -> dict[str, Any]:
    """One section, what is told the same under one key."""
    groups: dict[str, list[str]] = {}
    for name in sorted(entries):
        groups.setdefault(json.dumps(entries[name], sort_keys=True), []).append(name)
    return {" ".join(_runs(names) if what == "hex" else names): entries[names[0]] for names in groups.values()}


def _runs(names: list[str]) -> Iterator[str]:
    """Sorted hex numbers, those that follow one another as runs."""
    first = last = names[0]
    for name in [*names[1:], ""]:
        if name and len(name) == len(last) and name.isdigit() and last.isdigit() and int(name) == int(last) + 1:
            last = name
            continue
        yield first if first == last else f"{first}-{last}"
        first = last = name
