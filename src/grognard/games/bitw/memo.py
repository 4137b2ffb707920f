"""Answers that follow from who controls and stands where, remembered while a position keeps them.

Supply networks, lanes and building sites depend on two columns only, `owner` and `place` (and the capital). Rules ask
for them many times between two moves; `remembered` looks them up by those bytes. It changes speed, never an answer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])
KEPT = 512  # answers remembered per function


def remembered(function: F) -> F:
    """Remember what `function(s, *args)` says about a position; the arguments must be hashable."""
    answers: dict[Any, Any] = {}

    @wraps(function)
    def ask(s: Any, *args: Any) -> Any:
        key = (s.scenario, bytes(s.owner), bytes(s.place), s.capital.tobytes(), args)
        try:
            return answers[key]
        except KeyError:
            if len(answers) >= KEPT:
                answers.clear()
            answer = answers[key] = function(s, *args)
            return answer

    return cast("F", ask)
