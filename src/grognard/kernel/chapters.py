"""The chapters of a rulebook: under which heading each rule is read (`text/chapters.toml`)."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from .errors import DataError
from .rulebook import rulebook

BEGINS = re.compile(r"\d+|[A-Za-z]+")
HUNDREDS = 3  # digits of a number whose first is its chapter


@dataclass(frozen=True)
class Chapter:
    """A heading, and the rules under it in the rulebook's order."""

    title: str
    titre: str
    rules: tuple[str, ...]

    def in_language(self, lang: str) -> str:
        """The heading."""
        return self.titre if lang == "fr" else self.title


@lru_cache(maxsize=16)
def chapters(game: str) -> tuple[Chapter, ...]:
    """The chapters of a game's rulebook; every rule is in exactly one. While nobody has written them all are one."""
    file = resources.files("grognard") / "games" / game / "text" / "chapters.toml"
    if not file.is_file():
        return (Chapter("Rules", "Règles", tuple(rulebook(game))),)
    try:
        rows = tomllib.loads(file.read_text("utf-8"))["chapter"]
    except (KeyError, tomllib.TOMLDecodeError) as error:
        raise DataError(str(file), "", str(error)) from error
    under: dict[int, list[str]] = {number: [] for number in range(len(rows))}
    for rule in rulebook(game):
        found = [number for number, row in enumerate(rows) if beginning(rule) in row["ids"]]
        if len(found) != 1:
            raise DataError(str(file), f"rule {rule}", f"stands in {len(found)} chapters")
        under[found[0]].append(rule)
    return tuple(Chapter(row["title"], row["titre"], tuple(under[n])) for n, row in enumerate(rows))


def beginning(rule: str) -> str:
    """By what a rule's id begins.

    >>> beginning("7.7.9a"), beginning("air-drm"), beginning("207bis-b")
    ('7', 'air', '2')
    """
    found = BEGINS.match(rule)
    word = found.group() if found else ""
    return word[0] if word.isdigit() and len(word) == HUNDREDS else word
