"""What the tests at the edges of the rules and those of guns share."""

from __future__ import annotations

from typing import Any

from grognard.games.blitzkrieg.doors import Book
from grognard.games.blitzkrieg.switches import DEFAULTS
from grognard.kernel import No

BOOK, NONE = Book(DEFAULTS), Book(frozenset())
MORTAR, SECOND, OBSERVER, RIFLE = "uk-ml3-1", "uk-ml3-2", "uk-observer-1", "de-rifle-1"


def reason(why: No | None) -> str | None:
    """Why not, in one word; None if nothing stands against it."""
    return None if why is None else why.reason


def made_range(table: Any, **options: str) -> Any:
    """Two 3-inch mortars behind a hill's houses, an observer who sees a German group in the open."""
    made = table("lesson2", **options)
    made.put(MORTAR, 60, 117)
    made.put(SECOND, 65, 117)
    made.put(OBSERVER, 90, 112)
    made.put(RIFLE, 66, 92)
    return made
