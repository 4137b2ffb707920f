"""The doors by which a proposal touches the rules, so that its whole code stands in one place under its number.

A `Book` is the set of proposals in force with the few other readings that can be chosen; everything that depends on
them asks it. The rules themselves hold the game as it is without any proposal:

- `question`: a function with one answer. `answers(that, "207")` replaces the answer while proposal 207 is on.
- `lines`: a list of modifiers. `adds(that, "405")` gives one more line while proposal 405 is on.
- `limits`: a list of refusals. `forbids(that, "222")` gives one more while proposal 222 is on.
- verbs and rows that exist only with a proposal ask `book.has("111")`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from grognard.kernel import GrognardError, No, Tally

P = ParamSpec("P")
R = TypeVar("R")
Limit = Callable[Concatenate["Book", P], "R | None"]


class Book:
    """The proposals in force, and the readings that are neither on nor off."""

    def __init__(
        self,
        on: frozenset[str],
        destruction: str = "1d6",
        twice: str = "retreat",
        narrow_double: bool = True,
        per_gun: bool = False,
    ) -> None:
        self.on, self.destruction, self.twice = on, destruction, twice
        self.narrow_double, self.per_gun = narrow_double, per_gun
        self.found: dict[Any, Any] = {}

    def has(self, proposal: str) -> bool:
        """True if a proposal is in force."""
        return proposal in self.on


class Question(Generic[P, R]):
    """A function of a book whose answer a proposal may replace."""

    def __init__(self, base: Callable[Concatenate[Book, P], R]) -> None:
        self.base = base
        self.others: dict[str, Callable[Concatenate[Book, P], R]] = {}
        self.__name__, self.__doc__ = base.__name__, base.__doc__

    def __call__(self, book: Book, *args: P.args, **kwargs: P.kwargs) -> R:
        """The answer in force; looked for once a book."""
        answer = book.found.get(self) or self._choose(book)
        return answer(book, *args, **kwargs)

    def _choose(self, book: Book) -> Callable[Concatenate[Book, P], R]:
        found = [answer for proposal, answer in self.others.items() if book.has(proposal)]
        answer = found[-1] if found else self.base
        book.found[self] = answer
        return answer


def question(base: Callable[Concatenate[Book, P], R]) -> Question[P, R]:
    """Mark the answer that stands without proposals."""
    return Question(base)


Answer = Callable[Concatenate[Book, P], R]


def answers(asked: Question[P, R], proposal: str) -> Callable[[Answer[P, R]], Answer[P, R]]:
    """The answer while a proposal is on; one proposal a question, so that no order is needed."""

    def note(answer: Answer[P, R]) -> Answer[P, R]:
        if asked.others:
            raise GrognardError(
                f"{asked.__name__} is answered by {next(iter(asked.others))} already, not by {proposal}"
            )
        asked.others[proposal] = answer
        return answer

    return note


class Lines(Generic[P]):
    """A list of functions that add lines to a tally: those of the base game, then those of the proposals in force."""

    def __init__(self, base: Callable[Concatenate[Book, Tally, P], None]) -> None:
        self.base = base
        self.more: list[tuple[str, Callable[Concatenate[Book, Tally, P], None]]] = []
        self.__name__, self.__doc__ = base.__name__, base.__doc__

    def __call__(self, book: Book, tally: Tally, *args: P.args, **kwargs: P.kwargs) -> None:
        """All lines that count."""
        self.base(book, tally, *args, **kwargs)
        for proposal, add in self.more:
            if book.has(proposal):
                add(book, tally, *args, **kwargs)


Adder = Callable[Concatenate[Book, Tally, P], None]


def lines(base: Callable[Concatenate[Book, Tally, P], None]) -> Lines[P]:
    """Mark the lines that stand without proposals."""
    return Lines(base)


def adds(to: Lines[P], proposal: str) -> Callable[[Adder[P]], Adder[P]]:
    """One more line while a proposal is on."""

    def note(add: Adder[P]) -> Adder[P]:
        to.more.append((proposal, add))
        return add

    return note


class Limits(Generic[P, R]):
    """What forbids something: the base game's reasons, then those of the proposals in force.

    A reason is a refusal, or a `Bar` where many nouns are asked about: what the rule knows of the unit alone is then
    looked up once for all of them.
    """

    def __init__(self, base: Limit[P, R]) -> None:
        self.base = base
        self.more: list[tuple[str, Limit[P, R]]] = []
        self.__name__, self.__doc__ = base.__name__, base.__doc__

    def __call__(self, book: Book, *args: P.args, **kwargs: P.kwargs) -> R | None:
        """The first reason found."""
        for forbid in self._forbidding(book):
            why = forbid(book, *args, **kwargs)
            if why is not None:
                return why
        return None

    def each(self, book: Book, *args: P.args, **kwargs: P.kwargs) -> list[R]:
        """All reasons."""
        found = [forbid(book, *args, **kwargs) for forbid in self._forbidding(book)]
        return [why for why in found if why is not None]

    def _forbidding(self, book: Book) -> list[Limit[P, R]]:
        known: list[Limit[P, R]] | None = book.found.get(self)
        if known is None:
            known = [self.base, *(forbid for proposal, forbid in self.more if book.has(proposal))]
            book.found[self] = known
        return known


Bar = Callable[[int], "No | None"]  # why not this noun


def limits(base: Limit[P, R]) -> Limits[P, R]:
    """Mark the reasons that stand without proposals."""
    return Limits(base)


def forbids(what: Limits[P, R], proposal: str) -> Callable[[Limit[P, R]], Limit[P, R]]:
    """One more reason while a proposal is on."""

    def note(forbid: Limit[P, R]) -> Limit[P, R]:
        what.more.append((proposal, forbid))
        return forbid

    return note
