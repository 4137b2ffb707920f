"""Titles of tables: what people typed stays as it is; what nobody typed is told to each in their own language."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from grognard.kernel.texts import LANGUAGES, texts_for
from grognard.teach.lesson import lesson_names, lesson_of

MOST_TITLE = 100


def plain_title(game: str, scenario: str, lang: str) -> str:
    """A title for a table that was given none: the game and the first words of its scenario's title."""
    texts = texts_for(game, lang)
    name = re.split(r" ?[:,(]", texts.find(f"scenario.{scenario}") or scenario, maxsplit=1)[0]
    return f"{texts.find('game.title') or game.capitalize()}, {name}"[:MOST_TITLE]


@lru_cache(maxsize=1024)
def titles_of(title: str, game: str, scenario: str) -> dict[str, str]:
    """The title by language, if it is one of ours; nothing if somebody typed it."""
    ours: list[dict[str, str]] = [{lang: plain_title(game, scenario, lang) for lang in LANGUAGES}]
    ours += lesson_titles(game)
    return next((found for found in ours if title in found.values()), {})


def lesson_titles(game: str) -> list[dict[str, str]]:
    """What the lessons of a game are called, by language."""
    return [dict(lesson_of(game, name).titles) for name in lesson_names(game)]


def title_again(title: str, game: str, scenario: str) -> str:
    """What the same is called when it is played again: after a lesson comes a game of one's own, no lesson."""
    lang = next((lang for titles in lesson_titles(game) for lang, said in titles.items() if said == title), "")
    return plain_title(game, scenario, lang) if lang else title


def entitled(title: str, game: str, scenario: str) -> dict[str, Any]:
    """The title as messages tell it, with `titles` by language where it is one of ours."""
    return {"title": title, "titles": titles_of(title, game, scenario)}
