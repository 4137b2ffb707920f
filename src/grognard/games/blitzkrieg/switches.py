"""The seventy-five proposals and four readings as options of a game, and the book of a position."""

from __future__ import annotations

from typing import Any

from grognard.kernel import Option, State, rule

from .doors import Book
from .loading import FILES, PROPOSALS

NEEDS = {"303bis": ("303",), "305": ("303",), "404": ("403",)}  # what cannot stand alone
READINGS = (
    Option("destruction", "base-destruction", ("1d6", "2d6"), "1d6", tier="base"),
    Option("twice", "base-save-again", ("retreat", "eliminated", "nothing"), "retreat", tier="base"),
    Option("narrow-double", "base-to-hit-modifiers", ("on", "off"), "on", tier="base"),  # ruling A-11
    Option("per-gun", "base-off-table-fire", ("off", "on"), "off", tier="base"),  # ruling A-36
)


def _covered() -> dict[str, tuple[str, ...]]:
    """The rules of each proposal, in the order of the rulebook."""
    table: dict[str, list[str]] = {}
    for entry in FILES.toml("rulebook.toml")["rule"]:
        table.setdefault(entry.get("proposal", ""), []).append(entry["id"])
    return {proposal: tuple(ids) for proposal, ids in table.items()}


COVERED = _covered()


@rule("base-toggle")
def _switch(proposal: dict[str, Any]) -> Option:
    """Base-toggle: a proposal is a switch, on unless it is still to be validated or defined."""
    name = str(proposal["id"])
    first, *rest = COVERED[name]
    default = "on" if proposal["default"] else "off"
    return Option(name, first, ("on", "off"), default, "proposal", NEEDS.get(name, ()), (), tuple(rest))


SWITCHES = tuple(_switch(proposal) for proposal in PROPOSALS)
NAMES = tuple(option.name for option in SWITCHES)
OPTIONS = SWITCHES + READINGS
BIT = {option.name: number for number, option in enumerate(SWITCHES)}
DEFAULTS = frozenset(option.name for option in SWITCHES if option.default == "on")

_books: dict[int, Book] = {}


def packed(s: State) -> int:
    """The options of a game in one number: a bit a proposal, then the readings."""
    value = 0
    for option in reversed(READINGS):
        value = value * 4 + option.choices.index(s.chosen[option.name])
    for name in reversed(NAMES):
        value = value * 2 + (s.chosen[name] == "on")
    return value


def book_of(s: Any) -> Book:
    """The proposals in force in a game."""
    return _books.get(s.packed) or _made(s)


def _made(s: Any) -> Book:
    on = frozenset(name for name in NAMES if s.chosen[name] == "on")
    readings = (
        s.chosen["destruction"],
        s.chosen["twice"],
        s.chosen["narrow-double"] == "on",
        s.chosen["per-gun"] == "on",
    )
    book = _books[s.packed] = Book(on, *readings)
    return book
