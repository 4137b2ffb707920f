"""Texts from outside: what no text may hold."""

from __future__ import annotations

from typing import Any

from grognard.server.errors import Problem

DEEPEST = 50  # lists in lists that anything of ours has, and many more


def check_message(text: str, message: dict[str, Any]) -> None:
    """The same for a message that came as JSON: without an escape no word of it can hold either."""
    if "\\u" in text or text.count("[") + text.count("{") > DEEPEST:
        check_words(message)


def check_words(*values: Any, depth: int = 0) -> None:
    """No database and no file name takes a NUL or half a character; whoever sends one wants no answer."""
    if depth > DEEPEST:
        raise Problem(400, "bad-message")
    for value in values:
        if isinstance(value, str):
            if "\0" in value or (not value.isascii() and any("\ud800" <= c <= "\udfff" for c in value)):
                raise Problem(400, "bad-text")
        elif isinstance(value, dict):
            check_words(*value, *value.values(), depth=depth + 1)
        elif isinstance(value, list):
            check_words(*value, depth=depth + 1)
