"""Answers that follow from who controls and stands where, remembered while a position keeps them.

Supply networks, rails and bases depend on who controls what and where the enemy stands, not on one's own moves; lanes
depend on where everybody stands. Rules ask for them many times between two changes; `remembered` looks them up by the
bytes that matter (`facing`, `standing`). It changes speed, never an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])
KEPT = 512  # answers remembered per function
SOMEBODY = bytes([0]) + bytes([1]) * 255  # a count of blocks, or none


def facing(s: Any, side: int) -> Hashable:
    """What a side's rails, ports and bases depend on: who controls what, capitals, and where its enemies stand."""
    nodes = len(s.first_in)
    foes = s.present[nodes:] if side == 0 else s.present[:nodes]
    harbours = (s.harbour.tobytes(), bytes(s.harbour_hits)) if side else ()
    return (s.scenario, side, bytes(s.owner), bytes(foes).translate(SOMEBODY), s.capital.tobytes(), harbours)


def standing(s: Any) -> Hashable:
    """What zones of control and lanes depend on: where everybody stands."""
    return (s.scenario, bytes(s.present), bytes(s.ground))


def remembered(key: Callable[..., Hashable]) -> Callable[[F], F]:
    """Remember what `function(s, *args)` says while `key(s, *args)` stays the same; the arguments must be hashable."""

    def remember(function: F) -> F:
        answers: dict[Any, Any] = {}

        @wraps(function)
        def ask(s: Any, *args: Any) -> Any:
            at = (key(s, *args), args)
            try:
                return answers[at]
            except KeyError:
                if len(answers) >= KEPT:
                    answers.clear()
                answer = answers[at] = function(s, *args)
                return answer

        return cast("F", ask)

    return remember
