"""Answers remembered while what they follow from stays the same. It changes speed, never an answer.

Rules ask for supply networks, reach or bases many times between two changes. `remembered` looks an answer up by a key
that the rule names, mostly the bytes of some columns; `unchanged` gives the same object while the bytes are the same,
so that its hash is worked out once. `amended` reads an answer off the last one where few entries of columns differ.
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


def amended(
    key: Callable[..., Hashable], columns: Callable[..., tuple[bytes, ...]], amend: Callable[..., Any], few: int
) -> Callable[[F], F]:
    """Keep the last answer of `function(s, *args)`, by `args`, and read the next one off it where little is different.

    While `key(s, *args)` stays the same and at most `few` entries of the columns, two bytes each, differ,
    `amend(s, *args, last, entries)` says what the answer is now, without changing `last`; None means: work it out.
    """

    def remember(function: F) -> F:
        answers: dict[Any, tuple[Hashable, tuple[bytes, ...], Any]] = watched({})

        @wraps(function)
        def ask(s: Any, *args: Any) -> Any:
            now, read = key(s, *args), columns(s)
            last = answers.get(args)
            if last is not None and last[0] == now:
                entries = [entry for old, new in zip(last[1], read) for entry in differing(old, new, 2)]
                if len(entries) <= few and (answer := amend(s, *args, last[2], entries)) is not None:
                    return answer
            fresh = function(s, *args)
            answers[args] = (now, read, fresh)
            return fresh

        return cast("F", ask)

    return remember
