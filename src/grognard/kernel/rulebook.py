"""The rule index: what each rule says, in our own words, and the mark that ties code to it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import TypeVar

from .errors import DataError, UnknownName

T = TypeVar("T")
NEEDED = ("id", "tier", "title", "titre", "text", "texte")


def rule(*ids: str) -> Callable[[T], T]:
    """Mark a function or class as the code of these rules; the index finds the mark in the source."""

    def mark(thing: T) -> T:
        return thing

    return mark


@dataclass(frozen=True)
class Rule:
    """One rule, in English and French."""

    id: str
    tier: str
    title: str
    titre: str
    text: str
    texte: str

    def in_language(self, lang: str) -> tuple[str, str]:
        """Title and text."""
        return (self.titre, self.texte) if lang == "fr" else (self.title, self.text)


@lru_cache(maxsize=16)
def rulebook(game: str) -> dict[str, Rule]:
    """The rules of a game by id, in the rulebook's order."""
    file = resources.files("grognard") / "games" / game / "data" / "rulebook.toml"
    try:
        table = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise DataError(str(file), "", "the game has no rulebook") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataError(str(file), "", str(error)) from error
    rules: dict[str, Rule] = {}
    for number, entry in enumerate(table.get("rule", []), 1):
        where = f"rule {entry.get('id', number)}"
        for key in NEEDED:
            if not isinstance(entry.get(key), str) or not entry[key].strip():
                raise DataError(str(file), where, f"{key!r} is missing or empty")
        if entry["id"] in rules:
            raise DataError(str(file), where, "stands twice")
        rules[entry["id"]] = Rule(*(entry[key] for key in NEEDED))
    return rules


def find_rule(game: str, rule_id: str) -> Rule:
    """One rule; suggests near ids for an unknown one."""
    rules = rulebook(game)
    if rule_id not in rules:
        raise UnknownName(f"rule of {game}", rule_id, rules)
    return rules[rule_id]
