"""Sentences: looked up by key in `text/en.toml` and `text/fr.toml`, filled with an event's or a refusal's facts."""

from __future__ import annotations

import tomllib
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from .errors import DataError, IllegalAction, UnknownName, WordedError, shortened
from .options import OptionConflict

LANGUAGES = ("en", "fr")


def plain(word: str) -> str:
    """A word as people type it in haste: small letters, no accents, no underscores.

    >>> plain("Évacuer"), plain("far_escort")
    ('evacuer', 'far-escort')
    """
    bare = unicodedata.normalize("NFD", word.casefold().replace("_", "-"))
    return "".join(letter for letter in bare if not unicodedata.combining(letter))


class _Facts(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return "{" + key + "}"


def _flatten(table: dict[str, Any], prefix: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            flat |= _flatten(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = str(value)
    return flat


def read_texts(file: Traversable) -> dict[str, str]:
    """A text file as flat keys: `event.moved`, `refusal.stacking`."""
    try:
        return _flatten(tomllib.loads(file.read_text("utf-8")))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataError(str(file), "", str(error)) from error


class Texts:
    """The words of one game in one language, over the common ones; English where a translation is missing."""

    def __init__(self, lang: str, tables: list[dict[str, str]]) -> None:
        self.lang, self.tables = lang, tables
        self.all: dict[str, str] = {}  # the first table that has a key is the one that counts
        for table in reversed(tables):
            self.all |= table

    def has(self, key: str) -> bool:
        """True if there is a sentence for this key."""
        return key in self.all

    def find(self, key: str) -> str | None:
        """The raw sentence."""
        return self.all.get(key)

    def say(self, key: str, /, **facts: Any) -> str:
        """The sentence for a key; names inside the facts are translated too."""
        sentence = self.find(key)
        if sentence is None:
            return f"{key} {self._plain(facts)}".strip()
        return sentence.format_map(_Facts({k: self.name(v) for k, v in facts.items()}))

    def name(self, value: Any) -> Any:
        """A thing's name in this language, if it has one (`name.<id>`); lists become enumerations."""
        if isinstance(value, list | tuple):
            names = [str(self.name(v)) for v in value]
            return ", ".join(counted(names) if all(isinstance(v, str) for v in value) else names) or "-"
        if value is None:
            return "-"
        return self.find(f"name.{value}") or value

    def _plain(self, facts: dict[str, Any]) -> str:
        return " ".join(f"{k}={self.name(v)}" for k, v in facts.items())


def counted(words: Sequence[str]) -> list[str]:
    """Each word once, in the order of its first place, with how often it stands there: "4 × Ground Support"."""
    return [word if times == 1 else f"{times} × {word}" for word, times in Counter(words).items()]


@lru_cache(maxsize=32)
def texts_for(game: str, lang: str) -> Texts:
    """The words of a game, over the kernel's."""
    if lang not in LANGUAGES:
        lang = "en"
    common = resources.files("grognard") / "text"
    own = resources.files("grognard") / "games" / game / "text"
    order = [lang] if lang == "en" else [lang, "en"]
    return Texts(lang, [read_texts(folder / f"{code}.toml") for code in order for folder in (own, common)])


def error_text(error: Exception, lang: str, game: str = "") -> str:
    """An error in the reader’s language, where it has a sentence there: names, options, refusals, files."""
    texts = texts_for(game, lang)
    if isinstance(error, WordedError):
        game = str(error.facts.get("game", game))
        facts = {key: _fact(fact, lang, game) for key, fact in error.facts.items()}
        return texts.say(f"{error.section}.{error.key}", **facts)
    if isinstance(error, IllegalAction) and texts.has(f"refusal.{error.refusal.reason}"):
        return f"{texts.say(f'refusal.{error.refusal.reason}', **error.refusal.data)} ({error.refusal.rule})"
    if isinstance(error, OptionConflict):
        option, other = _option(error.option, texts), _option(error.other, texts)
        return texts.say(
            "options.needs" if error.needs else "options.excludes", option=option, rule=error.rule, other=other
        )
    if lang == "en" or not isinstance(error, UnknownName):
        return str(error)
    kind = texts.find(f"unknown.{error.kind.replace(' ', '-')}")
    if kind is None:  # `rule of picket`, `direction in '0304'`
        kind, _, rest = error.kind.replace(" in ", " of ", 1).partition(" of ")
        kind = texts.find(f"unknown.{kind.replace(' ', '-')}") or kind
        kind += f" ({rest})" if rest else ""
    hint = texts.say("unknown.close", close=error.close) if error.known else texts.say("unknown.none")
    return texts.say("unknown.says", kind=kind, name=error.name, hint=hint)


def _option(name: str, texts: Texts) -> str:
    """An option as it is offered, and the name by which it is typed."""
    label = texts.find(f"option.{name}")
    return f"{label.partition(' (')[0].partition(':')[0].rstrip()} [{name}]" if label else f"[{name}]"


def _fact(fact: Any, lang: str, game: str) -> Any:
    if isinstance(fact, Exception):
        return error_text(fact, lang, game)
    return shortened(fact) if isinstance(fact, str) else fact
