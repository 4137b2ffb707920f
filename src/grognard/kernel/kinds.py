"""Kinds of nouns: what the integer of an action or of a field means, and how it is written for people.

Inside the rules a noun is an integer. Words exist at the border only (session, file, wire, texts); they are made and
read here: one kind, one pair of functions. A verb declares the kind of its noun, a field by `names=` the kind of its
numbers, so legal lists tell a client what to light up, and what a number may tell whom follows from its kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

from .errors import UnknownName
from .record import REFEREE, Side

Names = Callable[[Any], Sequence[str]]
LARGEST = 9  # digits of a number that somebody types


class Kind:
    """A kind of noun. `name` is what clients are told: hex, side, area, unit, point, number, word, none."""

    name: str = ""

    def word(self, s: Any, side: Side, noun: int) -> str:
        """The noun as this side writes it."""
        raise NotImplementedError

    def read(self, s: Any, side: Side, word: str) -> int:
        """The noun that this side calls so; LookupError if it has no such word."""
        raise NotImplementedError

    def every(self, s: Any, side: Side) -> Iterable[int]:
        """Every noun of the kind there is, as far as this side can name it: what the suite tries."""
        raise NotImplementedError

    def has(self, s: Any, noun: int) -> bool:
        """True if there is such a noun."""
        raise NotImplementedError

    def shown(self, s: Any, side: Side, noun: int) -> Any:
        """The noun in a view; None for a number that stands for no noun (nobody, nowhere)."""
        return self.word(s, side, noun) if self.has(s, noun) else None

    def facts(self, s: Any, side: Side, noun: int) -> dict[str, Any]:
        """What a refusal says of the noun without being asked: its word, under the name of its kind."""
        return {self.name: self.word(s, side, noun)}

    def told(self) -> Any:
        """What a client is told of the kind."""
        return self.name


class Nothing(Kind):
    """The verb alone: its noun is 0 and has no word."""

    name = "none"

    def word(self, s: Any, side: Side, noun: int) -> str:
        """No word."""
        return ""

    def read(self, s: Any, side: Side, word: str) -> int:
        """Only the empty word."""
        if word:
            raise UnknownName("target", word, ())
        return 0

    def every(self, s: Any, side: Side) -> Iterable[int]:
        """The one that there is."""
        return (0,)

    def has(self, s: Any, noun: int) -> bool:
        """Only 0."""
        return noun == 0

    def facts(self, s: Any, side: Side, noun: int) -> dict[str, Any]:
        """Nothing to say."""
        return {}


class Number(Kind):
    """An amount. `most` bounds what the suite tries and what can be typed."""

    name = "number"

    def __init__(self, most: int = 99) -> None:
        self.most = most

    def word(self, s: Any, side: Side, noun: int) -> str:
        """Decimal digits."""
        return str(noun)

    def read(self, s: Any, side: Side, word: str) -> int:
        """Decimal digits, written as we write them."""
        if word.isascii() and word.isdecimal() and len(word) <= LARGEST and str(int(word)) == word:
            return int(word)
        raise UnknownName("number", word, ())

    def every(self, s: Any, side: Side) -> Iterable[int]:
        """From none to the most."""
        return range(self.most + 1)

    def has(self, s: Any, noun: int) -> bool:
        """No debts."""
        return noun >= 0


class Named(Kind):
    """Things with names of their own, known to everybody: hexes, hexsides, areas, powers, plans, sides of a map.

    `names` is a sequence, or a function of the position where scenarios differ. An empty name stands for nothing.
    """

    def __init__(self, name: str, names: Names | Sequence[str]) -> None:
        self.name = name
        fixed = () if callable(names) else tuple(names)
        self.names: Names = names if callable(names) else lambda s: fixed

    def word(self, s: Any, side: Side, noun: int) -> str:
        """Its name."""
        return self.names(s)[noun]

    def read(self, s: Any, side: Side, word: str) -> int:
        """By its name."""
        names = self.names(s)
        noun = _index(tuple(names)).get(word)
        if noun is None or not word:
            raise UnknownName(self.name, word, filter(None, names))
        return noun

    def every(self, s: Any, side: Side) -> Iterable[int]:
        """All that have a name."""
        return [noun for noun, name in enumerate(self.names(s)) if name]

    def has(self, s: Any, noun: int) -> bool:
        """Within the list, and named."""
        names = self.names(s)
        return 0 <= noun < len(names) and bool(names[noun])


@lru_cache(maxsize=256)
def _index(names: tuple[str, ...]) -> dict[str, int]:
    return {name: noun for noun, name in enumerate(names)}


class Units(Kind):
    """Units of a game with fog: by name for those who may know them, by token for the others.

    Rules offer a side only units that it knows (its own, or revealed): a list of hidden units in the order of their ids
    would tell which is which. What points at hidden units is of the kind `Tokens`.
    """

    name = "unit"

    def __init__(self, fog: Any) -> None:
        self.fog = fog

    def word(self, s: Any, side: Side, noun: int) -> str:
        """What this side calls it."""
        return str(self.fog.unit_names[noun] if side == REFEREE else self.fog.name_for(s, side, noun))

    def read(self, s: Any, side: Side, word: str) -> int:
        """The unit that this side calls so."""
        return int(self.fog.unit_ids[word] if side == REFEREE else self.fog.unit_named(s, side, word))

    def every(self, s: Any, side: Side) -> Iterable[int]:
        """All of them: those that the side knows by number, then the others in the order of their tokens."""
        units = range(len(self.fog.unit_names))
        if side == REFEREE:
            return units
        known = [u for u in units if self.fog.knows(s, side, u)]
        return [*known, *self.fog.in_token_order(s, set(units).difference(known))]

    def has(self, s: Any, noun: int) -> bool:
        """Within the catalogue."""
        return 0 <= noun < len(self.fog.unit_names)


class Tokens(Kind):
    """Units pointed at by those who may not know them: the noun is the token, which says nothing of the unit."""

    name = "unit"

    def __init__(self, fog: Any) -> None:
        self.fog = fog

    def word(self, s: Any, side: Side, noun: int) -> str:
        """The name for those who know the bearer, the token for the others."""
        return str(self.fog.name_for(s, side, self.fog.bearer(s, noun)))

    def read(self, s: Any, side: Side, word: str) -> int:
        """The token of the unit that this side calls so."""
        return int(s.token[self.fog.unit_named(s, side, word)])

    def every(self, s: Any, side: Side) -> Iterable[int]:
        """All tokens."""
        return range(len(self.fog.unit_names))

    def has(self, s: Any, noun: int) -> bool:
        """There are as many as units."""
        return 0 <= noun < len(self.fog.unit_names)


HALF = 16  # bits of the second noun of a pair
LOW = (1 << HALF) - 1


class Pair(Kind):
    """Two nouns in one act; the first is what the player points at. Made and read by `of` and `apart` only."""

    name = "pair"

    def __init__(self, first: Kind, second: Kind, mark: str = "/", then: str = "") -> None:
        self.first, self.second, self.mark = first, second, mark
        self.then = then or (second.name if second.name != first.name else "from")  # the fact's name of the second

    def of(self, first: int, second: int) -> int:
        """The pair as one integer."""
        return first << HALF | second

    def apart(self, noun: int) -> tuple[int, int]:
        """The two nouns of a pair."""
        return noun >> HALF, noun & LOW

    def word(self, s: Any, side: Side, noun: int) -> str:
        """Both words with the mark between them."""
        return self.first.word(s, side, noun >> HALF) + self.mark + self.second.word(s, side, noun & LOW)

    def read(self, s: Any, side: Side, word: str) -> int:
        """Two words with the mark between them."""
        first, mark, second = word.partition(self.mark)
        if not mark:
            raise UnknownName("pair", word, ())
        return self.of(self.first.read(s, side, first), self.second.read(s, side, second))

    def every(self, s: Any, side: Side) -> Iterable[int]:
        """Every combination."""
        seconds = list(self.second.every(s, side))
        return (self.of(first, second) for first in self.first.every(s, side) for second in seconds)

    def has(self, s: Any, noun: int) -> bool:
        """Both must exist."""
        return self.first.has(s, noun >> HALF) and self.second.has(s, noun & LOW)

    def facts(self, s: Any, side: Side, noun: int) -> dict[str, Any]:
        """Both, the second under the name `then`."""
        told = {self.then: self.second.word(s, side, noun & LOW)}
        return told | self.first.facts(s, side, noun >> HALF)

    def told(self) -> Any:
        """Both kinds, the one pointed at first, and the mark between the words."""
        return {"first": self.first.told(), "second": self.second.told(), "mark": self.mark}


NOTHING = Nothing()
NUMBER = Number()


def words(*choices: str) -> Named:
    """A choice between words: `verbs = {"plan": words("yellow", "d")}`."""
    return Named("word", choices)
