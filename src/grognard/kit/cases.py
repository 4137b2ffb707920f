"""Reading a battle typed in by hand: every word checked, every refusal naming its place in the case and a rule.

A case is plain data. What is left out, or null, has its usual value; words that nobody reads are refused, since a word
that is misspelt would change the answer in silence. The sentences of these refusals are common to all games (`case` in
the common texts); a game adds its own under the same head.
"""

from __future__ import annotations

import json
from typing import Any

from grognard.kernel import GrognardError
from grognard.kernel.texts import texts_for

REMARKS = ("id", "name", "title", "note", "comment")  # a case may carry them; nobody reads them
AS_WRITTEN = ("where", "value", "known")  # facts that quote the case: never through the table of names
LONGEST = 60  # characters of a value quoted in a refusal


class CaseError(GrognardError):
    """A case that the rules or the format refuse: the rule, a text key (`case.REASON`), the facts of the sentence."""

    def __init__(self, rule: str, reason: str, **facts: Any) -> None:
        super().__init__(f"{reason} ({rule}) {facts}")
        self.rule, self.reason, self.facts = rule, reason, facts


class Part(dict[str, Any]):
    """An object of the case that knows its place in it, so that a refusal can name `attacker.nation`."""

    where: str = ""

    def place(self, key: str) -> str:
        """The path of one of its fields."""
        return f"{self.where}.{key}" if self.where else key


def refused(game: str, error: CaseError, lang: str, **facts: Any) -> dict[str, Any]:
    """The answer to a case that is refused: the rule and the sentence. `facts` go over those of the error."""
    texts = texts_for(game, lang)
    facts = {key: value if key in AS_WRITTEN else texts.name(value) for key, value in error.facts.items()} | facts
    if "where" in facts:
        facts["where"] = facts["where"] or texts.say("case.whole")
    sentence = texts.find(f"case.{error.reason}")
    return {"error": {"rule": error.rule, "message": sentence.format_map(facts) if sentence else str(error)}}


def quoted(value: Any) -> str:
    """A value as the case writes it, cut where it grows long.

    >>> quoted("tank"), quoted(None), quoted([1, 2])
    ('"tank"', 'null', '[1, 2]')
    """
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def listing(known: tuple[str, ...]) -> str:
    """The words that could stand there."""
    return ", ".join(word for word in known if word)


def an_object(data: Any, where: str, rule: str, known: tuple[str, ...]) -> Part:
    """The object at `where` ("": the whole case), refused if it is none or holds a word that nobody reads."""
    if data is None and where:
        raise CaseError(rule, "missing-object", where=where, known=listing(known))
    if not isinstance(data, dict):
        raise CaseError(rule, "not-an-object", where=where, value=quoted(data))
    for key in data:
        if key not in known:
            raise CaseError(rule, "unknown-word", where=where, value=quoted(key), known=listing(known))
    part = Part(data)
    part.where = where
    return part


def a_part(data: dict[str, Any], key: str, rule: str, known: tuple[str, ...]) -> Part:
    """An object that may be left out."""
    value = data.get(key)
    return an_object({} if value is None else value, key, rule, known)


def a_list(data: Part, key: str, rule: str) -> list[Any]:
    """A list that may be left out."""
    value = data.get(key)
    if value is None:
        return []
    if not isinstance(value, list | tuple):
        raise CaseError(rule, "not-a-list", where=data.place(key), value=quoted(value))
    return list(value)


def a_word(data: Part, key: str, known: tuple[str, ...], rule: str, otherwise: str | None = None) -> str:
    """One of a few words; without a usual one it must be given."""
    value = data.get(key)
    if value is None:
        value = otherwise
    if value is None:
        raise CaseError(rule, "missing", where=data.place(key), known=listing(known))
    if not isinstance(value, str) or value.lower() not in known:
        raise CaseError(rule, "unknown-value", where=data.place(key), value=quoted(value), known=listing(known))
    return value.lower()


def a_flag(data: Part, key: str, rule: str, otherwise: bool = False) -> bool:
    """A yes or no."""
    value = data.get(key)
    if value is None:
        return otherwise
    if not isinstance(value, bool):
        raise CaseError(rule, "not-a-flag", where=data.place(key), value=quoted(value))
    return value


def a_number(data: Part, key: str, rule: str, least: int, most: int, otherwise: int | None = 0) -> int:
    """A whole number within limits; without a usual one it must be given."""
    value = data.get(key)
    if value is None and otherwise is not None:
        return otherwise
    facts = {"where": data.place(key), "least": least, "most": most}
    if value is None:
        raise CaseError(rule, "missing-number", **facts)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise CaseError(rule, "no-number", value=quoted(value), **facts)
    return value
