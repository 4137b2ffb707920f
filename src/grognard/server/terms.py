"""The terms of a table: who finds it in the lobby, who may watch, how far behind, who reads and writes its chat."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from grognard.server.errors import Problem

WATCHERS = ("anyone", "nobody")
CHAT = ("players", "all")
MOST_DELAY = 500
PATIENCE = 24 * 3600  # seconds that a table waits for a share in the dice, unless it was agreed otherwise
LEAST_PATIENCE, MOST_PATIENCE = 60, 30 * 24 * 3600


@dataclass(frozen=True)
class Terms:
    """What the owner of a table decided."""

    listed: bool = False  # in everybody's lobby; else only its players find it there
    watchers: str = "anyone"  # who knows the address, or nobody
    delay: int = 0  # watchers see the table as it was so many actions ago
    chat: str = "players"  # who reads and writes it: the players, or everybody who watches
    patience: int = PATIENCE  # see docs/dice.md
    rated: bool = False  # counts for the ratings; decided when the table is opened

    def kept(self) -> dict[str, Any]:
        """For the store; `listed` has a column of its own."""
        told = asdict(self)
        del told["listed"]
        return told


def terms_of(row: dict[str, Any]) -> Terms:
    """Terms as they are kept with a table."""
    return terms_from(json.loads(row["terms"]) | {"listed": bool(row["listed"])})


def terms_from(wish: Any, before: Terms | None = None) -> Terms:
    """Terms as asked for; what is not said stays as it was."""
    before = before or Terms()
    if wish is None:
        return before
    if not isinstance(wish, dict) or not set(wish) <= set(asdict(before)):
        raise Problem(422, "bad-terms")
    told = asdict(before) | wish
    whole = all(isinstance(told[key], int) and not isinstance(told[key], bool) for key in ("delay", "patience"))
    if not whole or not isinstance(told["listed"], bool) or not isinstance(told["rated"], bool):
        raise Problem(422, "bad-terms")
    if told["watchers"] not in WATCHERS or told["chat"] not in CHAT or not 0 <= told["delay"] <= MOST_DELAY:
        raise Problem(422, "bad-terms")
    if not LEAST_PATIENCE <= told["patience"] <= MOST_PATIENCE:
        raise Problem(422, "bad-terms")
    return Terms(**told)
