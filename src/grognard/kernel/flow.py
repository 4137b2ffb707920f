"""The sequence of play as tables: rows of four kinds over a stack of plain-data frames.

`do` runs a function, `ask` waits for a decision while it is needed, `call` enters another sequence, `again` jumps back.
Each row's label is a rule id (with a letter where a rule has several rows); where the game stands is nothing but the
stack of frames, so it can be copied, saved and shown to players as rule numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from .errors import GrognardError, No, RunawayError
from .kinds import Kind
from .record import Frame, Side, State

Action: TypeAlias = "tuple[str, int]"  # verb and noun: one click
Order: TypeAlias = "tuple[str, str]"  # the same in words, as files, wire and people have it
Who: TypeAlias = "Callable[[Any, Any], Iterable[Side]]"
Test: TypeAlias = "Callable[[Any, Any], bool]"

RUNAWAY = 100_000  # rows without a decision: no rulebook needs so many


class Decision:
    """Something a side must choose. Subclasses say when it is needed, what may be chosen and what follows.

    `verbs` gives each verb the kind of its noun. A permission is written once, in `why_not`, for any noun of the kind:
    `explain` and `apply` ask it for the one noun that somebody named, legal lists keep the `nouns` without a refusal.
    A decision may override `legal_nouns` for speed; the contract suite then checks, for every noun of the kind, that
    the two agree.
    """

    verbs: ClassVar[Mapping[str, Kind]] = {}
    together: ClassVar[bool] = False  # True: all the sides asked decide at once, each in secret

    def needed(self, s: Any, c: Any, side: Side) -> bool:
        """True while this side still owes the decision: unless a game says otherwise, while it has a choice."""
        return any(self.legal_nouns(s, c, side, verb) for verb in self.verbs)

    def nouns(self, s: Any, c: Any, side: Side, verb: str) -> Iterable[int]:
        """Everything a player could reasonably try with a verb, in a stable order."""
        raise NotImplementedError

    def why_not(self, s: Any, c: Any, side: Side, verb: str, noun: int) -> No | None:
        """The rule that forbids this choice, or None: for any noun of the verb's kind, whether listed or not."""
        raise NotImplementedError

    def legal_nouns(self, s: Any, c: Any, side: Side, verb: str) -> list[int]:
        """The nouns that may be chosen with a verb, in a stable order, from what this side may know."""
        return [noun for noun in self.nouns(s, c, side, verb) if self.why_not(s, c, side, verb, noun) is None]

    def legal(self, s: Any, c: Any, side: Side) -> list[Action]:
        """Every legal choice: verbs in the order in which they are declared, nouns in theirs."""
        return [(verb, noun) for verb in self.verbs for noun in self.legal_nouns(s, c, side, verb)]

    def apply(self, s: Any, c: Any, side: Side, verb: str, noun: int) -> None:
        """Carry out a legal choice."""
        raise NotImplementedError

    def asks(self, s: Any, c: Any) -> dict[str, Any]:
        """Facts of the question, for the sentence that everybody reads: nothing that a side may not know."""
        return {}

    def wording(self, s: Any, c: Any) -> str:
        """Which sentence asks it, below `decision`: its own, unless the game at hand wants another."""
        return type(self).__name__

    def redeal(self, s: Any, c: Any, side: Side) -> None:
        """Make what others have chosen in secret anew, as far as this side cannot know it."""


@dataclass(frozen=True)
class Row:
    """One line of a sequence table."""

    kind: str  # do, ask, call, again
    label: str
    function: Callable[..., Any] | None = None
    decision: Decision | None = None
    who: Who | None = None
    when: Test | None = None
    back_to: str = ""


def _sides(who: Who | str | None) -> Who | None:
    return (lambda s, c: (getattr(c, who),)) if isinstance(who, str) else who


def do(label: str, function: Callable[..., None], who: Who | str | None = None, *, when: Test | None = None) -> Row:
    """Run `function(s, c)`, or `function(s, c, side)` for each side of `who(s, c)` or of the frame's field `who`."""
    return Row("do", label, function, who=_sides(who), when=when)


def ask(label: str, decision: type[Decision], who: Who | str, *, when: Test | None = None) -> Row:
    """Wait until none of the sides in `who` needs the decision any more."""
    return Row("ask", label, decision=decision(), who=_sides(who), when=when)


def call(label: str, frame: Callable[..., Frame], *, when: Test | None = None) -> Row:
    """Enter another sequence: a frame type with no variables to pass, or a function `(s, c) -> Frame`."""
    make = (lambda s, c: frame()) if isinstance(frame, type) else frame
    return Row("call", label, make, when=when)


def again(label: str, back_to: str, *, when: Test | None = None, unless: Test | None = None) -> Row:
    """Go back to an earlier row while `when` holds (or `unless` does not)."""
    if when is not None and unless is not None:
        raise GrognardError(f"row {label!r}: give `when` or `unless`, not both")
    test = when if unless is None else (lambda s, c: not unless(s, c))
    return Row("again", label, when=test, back_to=back_to)


@dataclass(frozen=True)
class Sequence:
    """A chapter of the sequence of play: a name, its kind of frame and its rows."""

    name: str
    frame: type[Frame]
    rows: tuple[Row, ...]
    jumps: tuple[int, ...]  # for `again` rows: where they lead


def sequence(frame: type[Frame], *rows: Row) -> Sequence:
    """Build a table; its name is the frame type's, in small letters."""
    name = re.sub(r"(?<!^)(?=[A-Z])", "_", frame.__name__).lower()
    labels = tuple(row.label for row in rows)
    for label in labels:
        if labels.count(label) > 1 or label == "end":
            raise GrognardError(f"sequence {name}: row label {label!r} stands twice or is `end`; add a letter")
    if "labels" in vars(frame):
        raise GrognardError(f"sequence {name}: {frame.__name__} has a sequence already; declare a frame of its own")
    for row in rows:
        if row.kind == "again" and row.back_to not in labels:
            raise GrognardError(f"sequence {name}: row {row.label!r} goes back to {row.back_to!r}, which is no row")
    frame.sequence_name, frame.labels = name, labels
    return Sequence(name, frame, rows, tuple(labels.index(r.back_to) if r.kind == "again" else -1 for r in rows))


def enter(s: State, frame: Frame) -> None:
    """Start another sequence now; the present one goes on when it ends."""
    s.frames.append(frame)


def leave(s: State) -> None:
    """End the present sequence early."""
    s.frames.pop()


def finish(s: State, winner: Side | None, level: str, rule: str) -> None:
    """End the game: who won, how well, under which rule."""
    s.outcome = (-1 if winner is None else winner, level, rule)
    s.frames.clear()


def run(sequences: dict[str, Sequence], s: State) -> None:
    """Go on until somebody owes a decision or the game is over."""
    frames = s.frames
    for _ in range(RUNAWAY):
        if not frames:
            s.waiting = ()
            return
        c = frames[-1]
        table = sequences.get(c.sequence_name)
        if table is None:
            raise GrognardError(f"{type(c).__name__} was entered, but the game's `sequences` hold no table for it")
        index = c.row
        for row in table.rows[index:]:
            if row.when is None or row.when(s, c):
                break
            c.row = index = index + 1
        else:
            frames.pop()
            continue
        kind = row.kind
        c.running = index
        if kind == "ask":
            decision = row.decision
            waiting = tuple([side for side in row.who(s, c) if decision.needed(s, c, side)])  # type: ignore
            if waiting:
                s.waiting = waiting if decision.together else waiting[:1]  # type: ignore[union-attr]
                return
            c.row = index + 1
            continue
        c.row = table.jumps[index] if kind == "again" else index + 1
        if kind == "do":
            if row.who is None:
                row.function(s, c)  # type: ignore[misc]
            else:
                for side in row.who(s, c):
                    if not s.outcome:
                        row.function(s, c, side)  # type: ignore[misc]
        elif kind == "call":
            frames.append(row.function(s, c))  # type: ignore[misc]
    raise RunawayError(f"no decision after {RUNAWAY} rows; the stack: {where_are_we(s)}")


def where_are_we(s: State) -> str:
    """The rows that are running, outermost first: `turn 3.1 > battle 7.2b`."""
    return " > ".join(f"{f.sequence_name} {f.runs()}" for f in s.frames) or "over"
