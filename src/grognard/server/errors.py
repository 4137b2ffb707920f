"""Errors that reach a client, as JSON with a status."""

from __future__ import annotations

from typing import Any

from grognard.kernel.errors import GrognardError


class Told(GrognardError):
    """An error that another server has put into words already."""

    def __init__(self, status: int, error: dict[str, Any]) -> None:
        super().__init__(str(error.get("message", "")))
        self.status, self.error = status, error


class Problem(GrognardError):
    """A request that cannot be served; `code` is a text key `server.CODE`."""

    def __init__(self, status: int, code: str, **facts: Any) -> None:
        super().__init__(f"{code} {facts or ''}".strip())
        self.status, self.code, self.facts = status, code, facts
