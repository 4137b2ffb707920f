"""The registry: one folder per game, found by looking. Nothing else imports a game.

A folder with `game.py` holds a playable game, its `GAME` object; one with only `data/rulebook.toml` is a rulebook whose
rules can be read but not played yet.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module, resources
from typing import Any

from grognard.kernel.errors import UnknownName
from grognard.kernel.game import Game


@lru_cache(maxsize=1)
def rulebook_names() -> tuple[str, ...]:
    """Every game of which we have the rulebook, playable or not."""
    folders = resources.files("grognard.games").iterdir()
    return tuple(sorted(f.name for f in folders if (f / "data" / "rulebook.toml").is_file()))


@lru_cache(maxsize=1)
def playable_names() -> tuple[str, ...]:
    """Every game that can be played."""
    here = resources.files("grognard.games")
    return tuple(name for name in rulebook_names() if (here / name / "game.py").is_file())


@lru_cache(maxsize=16)
def find_game(name: str) -> Game[Any]:
    """The game of that name; UnknownName, with near names, if there is none."""
    if name not in playable_names():
        raise UnknownName("game", name, playable_names())
    game: Game[Any] = import_module(f"grognard.games.{name}.game").GAME
    return game
