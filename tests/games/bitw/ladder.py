"""Ladders: from a legal order one condition after another is taken away, and each refuses for its own reason."""

from __future__ import annotations

from collections.abc import Callable

from grognard.games.bitw.state import BitwState, put
from grognard.kernel import No

from .table import u

Change = Callable[[BitwState], object]


def reason(found: No | None) -> str | None:
    """The reason of a refusal."""
    return None if found is None else found.reason


def marked(column: str, unit: str, mark: int) -> Change:
    """Sets a mark of a unit."""

    def change(s: BitwState) -> None:
        getattr(s, column)[u(unit)] |= mark

    return change


def moved_to(unit: str, at: int) -> Change:
    """Puts a unit somewhere."""
    return lambda s: put(s, u(unit), at)


def given(column: str, index: int, value: int) -> Change:
    """Sets an entry of a column."""

    def change(s: BitwState) -> None:
        getattr(s, column)[index] = value

    return change


def made(field: str, value: object) -> Change:
    """Sets a field."""
    return lambda s: setattr(s, field, value)


def climb(s: BitwState, ask: Callable[[BitwState], No | None], rungs: list[tuple[Change, str | None]]) -> None:
    """Nothing forbids it; each change does, or does not, for its own reason."""
    assert ask(s) is None
    for number, (change, expected) in enumerate(rungs):
        after = s.copy()
        change(after)
        assert reason(ask(after)) == expected, (number, expected)
