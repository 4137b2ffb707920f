"""Laws as fractions: dice, saves, the worst of several, and how they are written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any, TypeVar

from grognard.games.blitzkrieg.doors import Book
from grognard.games.blitzkrieg.laws import destruction, quality
from grognard.kernel import Tally

K = TypeVar("K")
Law = dict[K, Fraction]
ONE = Fraction(1)


def of_dice(count: int, read: Callable[[tuple[int, ...]], K]) -> Law[K]:
    """The law of something read off so many dice."""
    found: Law[K] = {}
    share = Fraction(1, 6**count)
    for dice in product(range(1, 7), repeat=count):
        key = read(dice)
        found[key] = found.get(key, Fraction(0)) + share
    return found


def chance(count: int, test: Callable[[tuple[int, ...]], bool]) -> Fraction:
    """The chance that dice pass a test."""
    return of_dice(count, test).get(True, Fraction(0))


def reach(number: int | None) -> Fraction:
    """The chance of one die to reach a number."""
    return Fraction(0) if number is None else Fraction(max(0, min(6, 7 - number)), 6)


def binomial(count: int, p: Fraction) -> Law[int]:
    """How many of so many dice hit."""
    found = {k: comb(count, k) * p**k * (1 - p) ** (count - k) for k in range(count + 1)}
    return {k: v for k, v in found.items() if v}


def plus(a: Law[int], b: Law[int]) -> Law[int]:
    """The sum of two independent numbers."""
    found: Law[int] = {}
    for (x, p), (y, q) in product(a.items(), b.items()):
        found[x + y] = found.get(x + y, Fraction(0)) + p * q
    return found


def times(law: Law[int], count: int) -> Law[int]:
    """The sum of so many of the same."""
    found: Law[int] = {0: ONE}
    for _ in range(count):
        found = plus(found, law)
    return found


def worst(law: Law[int], count: int) -> Law[int]:
    """The highest of so many independent ones; 0 for none."""
    if not count:
        return {0: ONE}
    below, found, before = Fraction(0), Law[int](), Fraction(0)
    for key in sorted(law):
        below += law[key]
        found[key] = below**count - before
        before = below**count
    return {k: v for k, v in found.items() if v}


def mixed(parts: Iterable[tuple[Fraction, Mapping[K, Fraction]]]) -> Law[K]:
    """Laws with their chances, added up."""
    found: Law[K] = {}
    for p, law in parts:
        for key, value in law.items():
            if p * value:
                found[key] = found.get(key, Fraction(0)) + p * value
    return found


def save_law(book: Book, level: int, shaken: bool, modifier: int) -> Law[int]:
    """One hit, one save."""
    return of_dice(1, lambda dice: quality.saved(book, level, dice[0], modifier, shaken))


def saves(book: Book, level: int, shaken: bool, modifier: int, hits: Law[int]) -> Law[int]:
    """A save for each hit, the worst counts."""
    one = save_law(book, level, shaken, modifier)
    return mixed((p, worst(one, k)) for k, p in hits.items())


def experience(level: int, modifier: int = 0) -> Fraction:
    """The chance to pass an experience test."""
    return chance(1, lambda dice: quality.passes(level, dice[0], modifier))


def crew_law(level: int, lost: bool) -> Law[int]:
    """What becomes of a damaged vehicle: the crew stays, or gives it up."""
    stays = experience(level, -int(lost))
    return {k: v for k, v in ((destruction.IMMOBILISED, stays), (destruction.ABANDONED, 1 - stays)) if v}


def after_test(law: Law[int], level: int, lost: bool) -> Law[int]:
    """A destruction test with the crew's test where it damages."""
    return mixed((p, crew_law(level, lost) if r == destruction.DAMAGED else {r: ONE}) for r, p in law.items())


# How they are written


def text(value: Fraction | int) -> str:
    """A reduced fraction."""
    return str(Fraction(value))


def named(law: Mapping[int, Fraction], names: tuple[str, ...]) -> dict[str, str]:
    """A law by the names of its results."""
    found: dict[str, Fraction] = {}
    for key in sorted(law):
        found[names[key]] = found.get(names[key], Fraction(0)) + law[key]
    return {name: text(value) for name, value in found.items() if value}


def numbered(law: Mapping[int, Fraction]) -> dict[str, str]:
    """A law of numbers."""
    return {str(key): text(law[key]) for key in sorted(law) if law[key]}


def mean(law: Mapping[int, Fraction]) -> str:
    """The mean of a law of numbers."""
    return text(sum((key * value for key, value in law.items()), Fraction(0)))


def items(tally: Tally) -> list[dict[str, Any]]:
    """The lines of a tally."""
    return [{"rule": rule, "mod": mod} for rule, mod in tally.lines]
