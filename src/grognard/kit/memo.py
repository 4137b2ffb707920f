"""Answers remembered while what they follow from stays the same. It changes speed, never an answer.

Rules ask for supply networks, reach or bases many times between two changes. `remembered` looks an answer up by a key
that the rule names, mostly the bytes of some columns; `unchanged` gives the same object while the bytes are the same,
so that its hash is worked out once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, TypeVar, cast

from grognard.kernel import Column
from grognard.kernel.forgetting import watched

F = TypeVar("F", bound=Callable[..., Any])
KEPT = 512  # answers remembered per function, unless it says otherwise

_latest: dict[Hashable, bytes] = {}


def unchanged(what: Hashable, column: Column | bytes) -> bytes:
    """The bytes of a column; while they stay the same, the same object, whose hash need not be worked out again."""
    latest = _latest.get(what)
    if latest != column:
        latest = _latest[what] = bytes(column)
    return latest


def differing(a: bytes, b: bytes, width: int = 1) -> list[int]:
    """Which entries of two columns of equal length, so many bytes each, differ; the last first.

    >>> differing(bytes([1, 2, 3, 4]), bytes([1, 2, 9, 4])), differing(bytes([1, 2, 3, 4]), bytes([1, 2, 9, 4]), 2)
    ([2], [1])
    """
    if a == b:
        return []
    found, bits = [], 8 * width
    x = int.from_bytes(a, "little") ^ int.from_bytes(b, "little")
    while x:
        at = (x.bit_length() - 1) // bits
        found.append(at)
        x &= (1 << at * bits) - 1
    return found


def remembered(key: Callable[..., Hashable], kept: int = KEPT) -> Callable[[F], F]:
    """Remember what `function(s, *args)` says while `key(s, *args)` stays the same; the arguments must be hashable."""

    def remember(function: F) -> F:
        answers: dict[Any, Any] = watched({})

        @wraps(function)
        def ask(s: Any, *args: Any) -> Any:
            at = (key(s, *args), args)
            try:
                return answers[at]
            except KeyError:
                if len(answers) >= kept:
                    answers.clear()
                answer = answers[at] = function(s, *args)
                return answer

        return cast("F", ask)

    return remember
