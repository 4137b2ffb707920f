"""One anatomy of a game: who knows the rooms of one finds their way in all (docs/writing-a-game.md, 10)."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import grognard.games
from grognard.games import playable_names

GAMES = Path(grognard.games.__file__).parent
DOCS = Path(__file__).parents[2] / "docs" / "writing-a-game.md"
SMALL = 10  # modules: a game that has not outgrown its few files
ROOMS = ("rules", "show", "odds", "computer")
INSIDE = {"show": {"views", "screen"}, "odds": {"position", "text"}, "computer": {"score"}}
ELSEWHERE = {  # what belongs into a room, under its own or an older name
    *("score", "scoring", "fronts", "goals", "hints", "aids", "prospects", "law", "cases"),
    *("views", "overlays", "screen", "about", "picture"),
}


def modules(game: str) -> set[str]:
    """The modules beside `game.py`."""
    return {path.stem for path in (GAMES / game).glob("*.py")} - {"__init__"}


def documented() -> list[str]:
    """The modules that the anatomy names."""
    chapter = DOCS.read_text().split("## 10. One anatomy")[1].split("## 11.")[0]
    return re.findall(r"^(\w+)\.py ", chapter, re.MULTILINE)


def test_the_page_names_the_rooms() -> None:
    chapter = DOCS.read_text().split("## 10. One anatomy")[1].split("## 11.")[0]
    assert documented() == ["game", "state", "frames", "sequence", "loading", "world", "setup"]
    assert all(f"{room}/" in chapter for room in ROOMS)


@pytest.mark.parametrize("game", playable_names())
def test_every_game_has_the_same_rooms(game: str) -> None:
    if len(modules(game)) < SMALL:  # game, state, sequence and loading will do; a room may be a module
        assert {"game", "state", "sequence", "loading"} <= modules(game)
    else:
        assert set(documented()) <= modules(game)
        for room, inside in INSIDE.items():
            there = {path.stem for path in (GAMES / game / room).glob("*.py")}
            assert "__init__" in there, f"{game} has no {room}/"
            assert inside <= there, f"{game}/{room} lacks {', '.join(sorted(inside - there))}"
    assert (GAMES / game / "rules").is_dir()
    assert (GAMES / game / "data").is_dir()
    assert {path.name for path in (GAMES / game / "text").glob("??.toml")} == {"en.toml", "fr.toml"}
    assert not modules(game) & ELSEWHERE, "these have a room of their own"


@pytest.mark.parametrize("game", playable_names())
def test_the_permission_of_one_noun_is_asked_without_listing_all(game: str) -> None:
    listing = []
    for path in sorted((GAMES / game).rglob("*.py")):
        for method in ast.walk(ast.parse(path.read_text())):
            if isinstance(method, ast.FunctionDef) and method.name == "why_not":
                called = [n.func for n in ast.walk(method) if isinstance(n, ast.Call)]
                if any(isinstance(f, ast.Attribute) and f.attr in ("nouns", "legal_nouns") for f in called):
                    listing.append(f"{path.relative_to(GAMES)}:{method.lineno}")
    assert not listing
