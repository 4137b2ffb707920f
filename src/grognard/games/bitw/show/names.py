"""What people call a hex, an attack or a month."""

from __future__ import annotations

from functools import lru_cache

from grognard.kernel.texts import texts_for

from ..theatre import western_europe


@lru_cache(maxsize=8192)
def place_noun(word: str, lang: str) -> str:
    """The town of a hex, if it has one: `2325` is Dinant, `2325/2425` Dinant and whence; `1940-05` is May 1940."""
    t = western_europe()
    parts = word.split("/")
    year, dash, number = word.partition("-")
    if dash and len(year) == 4 and len(number) == 2 and (year + number).isdecimal():
        return f"{texts_for('bitw', lang).say(f'month.{number}')} {year}"
    if not all(len(part) == 4 and part in t.node_ids for part in parts):
        return ""
    names = [t.place_name(t.node_ids[part], lang) for part in parts]
    return "" if names == parts else " / ".join(names)
