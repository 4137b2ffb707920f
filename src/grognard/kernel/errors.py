"""Errors and refusals: each names the thing, the rule and the way out.

Inside the rules a refusal is a shared constant (`no`), so that `why_not(...) is None` is the whole permission and costs
nothing; a `Refusal` is the same with its facts, worked out for somebody who asked. An exception means that a file, a
name or the caller is wrong.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Facts: TypeAlias = "Callable[[Any, Any, int, int], dict[str, Any]]"  # (state, frame, side, noun)

LONGEST = 400  # letters of somebody's words that are repeated to them


class No:
    """Why not, as the rules answer: the rule that forbids and a text key. One object a reason, made once by `no`."""

    __slots__ = ("facts", "reason", "rule")

    def __init__(self, rule: str, reason: str, facts: Facts | None = None) -> None:
        self.rule, self.reason, self.facts = rule, reason, facts

    def __repr__(self) -> str:
        return f"no({self.rule!r}, {self.reason!r})"


_made: dict[tuple[str, str], No] = {}


def no(rule: str, reason: str, facts: Facts | None = None) -> No:
    """A refusal as a constant: `NO_ROOM = no("4.3", "stacking", facts=lambda s, c, side, hex: {"limit": 2})`.

    The sentence always knows the noun, under the name of its kind (`hex`, `unit`), and the frame's unit in hand as
    `unit`; `facts` is for what else it says, and is asked only when somebody reads it.
    """
    if facts is not None:
        return No(rule, reason, facts)
    if (rule, reason) not in _made:
        _made[rule, reason] = No(rule, reason)
    return _made[rule, reason]


@dataclass(slots=True)
class Refusal:
    """Why not: the rule that forbids, a text key and the facts that the sentence needs."""

    rule: str
    reason: str
    data: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Plain data for a client."""
        return {"rule": self.rule, "reason": self.reason, "data": self.data}


class GrognardError(Exception):
    """Base of every error that a user may see; its message is complete as it stands."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors travel between processes whole, whatever their constructor takes."""
        return _revive, (type(self), str(self), self.__dict__)


def _revive(kind: type[GrognardError], message: str, facts: dict[str, Any]) -> GrognardError:
    error = kind.__new__(kind, message)
    error.args = (message,)
    error.__dict__.update(facts)
    return error


class IllegalAction(GrognardError):
    """An action that the rules refuse; nothing has changed."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.reason} ({refusal.rule}) {refusal.data or ''}".strip())
        self.refusal = refusal


def shortened(text: str) -> str:
    """A text of somebody's that is to be repeated: what nobody would read is left out."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


class UnknownName(GrognardError, LookupError):
    """A name that stands for nothing here, with the nearest names that do."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        super().__init__(shortened(kind), shortened(name))
        self.kind, self.name, self.known = shortened(kind), shortened(name), tuple(known)

    @property
    def close(self) -> list[str]:
        """Names that may have been meant. Looking for them takes time, so it is done only for somebody who reads."""
        names = sorted(self.known)
        return difflib.get_close_matches(self.name, names, n=3, cutoff=0.5) or names[:8]

    def __str__(self) -> str:
        hint = f"did you mean: {', '.join(self.close)}?" if self.known else "none exist"
        return f"unknown {self.kind} {self.name!r}; {hint}"


class DataError(GrognardError):
    """A data file that does not hold what it should: file, place in the file, reason."""

    def __init__(self, file: str, where: str, reason: str) -> None:
        super().__init__(f"{file}: {where}: {reason}" if where else f"{file}: {reason}")
        self.file, self.where, self.reason = file, where, reason


class WordedError(GrognardError):
    """An error with a sentence in every language: a text key `SECTION.KEY` and facts, errors among them."""

    section = ""

    def __init__(self, key: str, /, **facts: Any) -> None:
        super().__init__(key)
        self.key, self.facts = key, facts

    def __str__(self) -> str:
        from .texts import texts_for

        facts = {key: shortened(fact) if isinstance(fact, str) else fact for key, fact in self.facts.items()}
        return texts_for("", "en").say(f"{self.section}.{self.key}", **facts)


class GameFileError(WordedError):
    """A game file that cannot be read, or that does not replay to what it says."""

    section = "file"


class LabError(WordedError):
    """What the laboratory refuses: a file that says something wrong, seeds that were used, a store that is none."""

    section = "lab-error"


class RunawayError(GrognardError):
    """A sequence that went round without ever asking anybody; carries the stack as rule labels."""
