"""What play uses: which rows of the sequence of play did something, which verbs were chosen.

A row counts when it did something: a `do` that ran, an `ask` that waited for somebody, a `call` entered, an `again`
taken. Keys are `"sequence label"` for rows and `"Decision.verb"` for verbs.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from grognard.kernel import Action, Game, State
from grognard.kernel.flow import Row


class Trace:
    """Counts what is used while a game is played; `with trace:` puts its ears into the tables and takes them out."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.used: Counter[str] = Counter()
        self.heard: list[str] = []  # since the last look
        self.wanted = [f"{name} {row.label}" for name, table in game.tables.items() for row in table.rows]
        asking = {
            f"{name} {r.label}": r.decision for name, table in game.tables.items() for r in table.rows if r.decision
        }
        self.deciders = {key: (type(decision).__name__,) for key, decision in asking.items()}
        self.wanted += sorted({f"{type(d).__name__}.{verb}" for d in asking.values() for verb in d.verbs})
        self.plain = game.tables
        self.traced = {
            name: dataclasses.replace(table, rows=tuple(self._row(name, row) for row in table.rows))
            for name, table in game.tables.items()
        }

    def __enter__(self) -> Trace:
        self.game.tables = self.traced
        return self

    def __exit__(self, *problem: object) -> None:
        self.game.tables = self.plain

    def _row(self, sequence: str, row: Row) -> Row:
        key = f"{sequence} {row.label}"
        heard = self.heard
        if row.kind in ("do", "call"):
            function: Any = row.function

            def run(*args: Any) -> Any:
                heard.append(key)
                return function(*args)

            return dataclasses.replace(row, function=run)
        if row.kind == "again":
            test = row.when

            def jumps(s: Any, c: Any) -> bool:
                taken = test is None or test(s, c)
                if taken:
                    heard.append(key)
                return taken

            return dataclasses.replace(row, when=jumps)
        return row

    @contextmanager
    def listening(self) -> Iterator[list[str]]:
        """The keys that come up meanwhile; nothing is counted."""
        self.heard.clear()
        found: list[str] = []
        yield found
        found.extend(self.heard)

    def choice(self, s: State, action: Action) -> list[str]:
        """The keys of an action that somebody is about to take: the row that asks, and the verb."""
        return [place_of(s), f"{type(self.game.decision(s)).__name__}.{action[0]}"]

    def missing(self) -> list[str]:
        """What has not been used yet."""
        return [key for key in self.wanted if not self.used[key]]


def place_of(s: State) -> str:
    """The row at which a game stands."""
    return f"{s.frames[-1].sequence_name} {s.frames[-1].at()}" if s.frames else "over"
