"""Texts from outside: what no text may hold."""

from __future__ import annotations

from typing import Any

from grognard.server.errors import Problem


def check_words(*values: Any) -> None:
    """No database and no file name takes a NUL or half a character; whoever sends one wants no answer."""
    for value in values:
        if isinstance(value, str):
            if "\0" in value or (not value.isascii() and any("\ud800" <= c <= "\udfff" for c in value)):
                raise Problem(400, "bad-text")
        elif isinstance(value, dict):
            check_words(*value, *value.values())
        elif isinstance(value, list):
            check_words(*value)
