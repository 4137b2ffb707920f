"""Sentences and rule titles of this game, by key and language."""

from __future__ import annotations

from typing import Any

from grognard.kernel.rulebook import rulebook
from grognard.kernel.texts import texts_for


def say(key: str, lang: str, /, **facts: Any) -> str:
    """The sentence for a key."""
    return texts_for("surrender", lang).say(key, **facts)


def title_of(rule_id: str, lang: str) -> str:
    """The short title of a rule."""
    return rulebook("surrender")[rule_id].in_language(lang)[0]
