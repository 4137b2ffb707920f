"""The `rule` mark, in one place."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

F = TypeVar("F", bound=Callable[..., object])


def rule(*ids: str) -> Callable[[F], F]:
    """Names the rules that a function applies."""

    def mark(function: F) -> F:
        return function

    return mark
