"""Answers that follow from who controls and stands where, remembered while a position keeps them.

Supply networks, rails and bases depend on who controls what and where the enemy stands, not on one's own moves; lanes
depend on where everybody stands, a unit's reach on where the enemy does. Rules ask for them many times between two
changes; `remembered` looks them up by the bytes that matter (`facing`, `foes`, `standing`). It changes speed, never an
answer.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, TypeVar, cast

from grognard.kernel import Column

F = TypeVar("F", bound=Callable[..., Any])
KEPT = 512  # answers remembered per function, unless it says otherwise
SOMEBODY = bytes([0]) + bytes([1]) * 255  # a count of blocks, or none


def facing(s: Any, side: int) -> Hashable:
    """What a side's rails, ports and bases depend on: who controls what, capitals, and where its enemies stand."""
    harbours = (s.harbour.tobytes(), bytes(s.harbour_hits)) if side else ()
    return (s.scenario, s.conditions, side, unchanged("owner", s.owner), foes(s, side), s.capital.tobytes(), harbours)


def foes(s: Any, side: int) -> bytes:
    """By node: 1 where enemies of a side stand or fly."""
    nodes = len(s.first_in)
    counts = unchanged(("present", side), s.present[nodes:] if side == 0 else s.present[:nodes])
    latest, where = _foes.get(side, (b"", b""))
    if counts is not latest:
        where = unchanged(("foes", side), counts.translate(SOMEBODY))
        _foes[side] = (counts, where)
    return where


def standing(s: Any) -> Hashable:
    """What zones of control and lanes depend on: where everybody stands."""
    there = (s.scenario, s.conditions, unchanged("present", s.present), unchanged("ground", s.ground))
    return (*there, unchanged("owner", s.owner), unchanged("works", s.works)) if s.conditions else there


_latest: dict[Hashable, bytes] = {}
_foes: dict[int, tuple[bytes, bytes]] = {}  # by side: counts of enemies by node, and what `foes` made of them


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
        answers: dict[Any, Any] = {}

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
