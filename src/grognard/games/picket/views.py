"""What a side may see, for the terminal: the board drawn with letters, and the odds of a battle."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


from grognard.kernel import Action, Side
from .state import Position


def situation(s: Position, side: Side, say: Callable[..., str]) -> str:
    return ""


def odds(s: Position, side: Side, action: Action) -> dict[str, Any] | None:
    return None
