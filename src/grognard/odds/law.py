"""Laws of chance as exact fractions: mixing, adding up, writing them for programs and for people.

>>> half = Fraction(1, 2)
>>> as_fractions(mixture([(half, {"hit": Fraction(1)}), (half, {"hit": Fraction(1, 3), "miss": Fraction(2, 3)})]))
{'hit': '2/3', 'miss': '1/3'}
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
EIGHTHS = " ▏▎▍▌▋▊▉█"


def law_of(outcomes: Iterable[tuple[Fraction, K]]) -> dict[K, Fraction]:
    """Add up the chances of equal outcomes, in order of first appearance."""
    law: dict[K, Fraction] = {}
    for chance, key in outcomes:
        law[key] = law.get(key, Fraction(0)) + chance
    return law


def mixture(parts: Iterable[tuple[Fraction, Mapping[K, Fraction]]]) -> dict[K, Fraction]:
    """The law of a case that splits: each part's law weighted by the chance of that part."""
    return law_of((weight * chance, key) for weight, law in parts for key, chance in law.items())


def average(laws: Iterable[Mapping[K, Fraction]]) -> dict[K, Fraction]:
    """The law of cases that are equally likely."""
    cases = list(laws)
    return mixture((Fraction(1, len(cases)), law) for law in cases)


def successes(chances: Iterable[Fraction]) -> dict[int, Fraction]:
    """How many of some independent dice succeed, from the chance of each.

    >>> successes([Fraction(1, 2), Fraction(1, 2)])
    {0: Fraction(1, 4), 1: Fraction(1, 2), 2: Fraction(1, 4)}
    """
    law = {0: Fraction(1)}
    for p in chances:
        law = {n: law.get(n, 0) * (1 - p) + law.get(n - 1, 0) * p for n in range(len(law) + 1)}
    return law


def fraction_text(chance: Fraction) -> str:
    """`7/36`, reduced; certainty is `1/1`, impossibility `0/1`."""
    return f"{chance.numerator}/{chance.denominator}"


def as_fractions(law: Mapping[K, Fraction]) -> dict[K, str]:
    """The law with its chances written as reduced fractions."""
    return {key: fraction_text(chance) for key, chance in law.items()}


def by_number(law: Mapping[int, Fraction]) -> dict[str, str]:
    """The law of a number as plain data: in order, without what cannot be."""
    return {str(number): str(chance) for number, chance in sorted(law.items()) if chance}


def percent(chance: Fraction, decimal: str = ".") -> str:
    """One decimal; never `0.0 %` or `100.0 %` for something that may or may not happen.

    >>> percent(Fraction(1, 100000)), percent(Fraction(0)), percent(Fraction(7, 36)), percent(Fraction(99999, 100000))
    ('< 0.1 %', '0 %', '19.4 %', '> 99.9 %')
    """
    if chance.denominator == 1:
        return f"{chance.numerator * 100} %"
    tenths = (chance * 1000 + Fraction(1, 2)).__floor__()
    if tenths == 0:
        return f"< 0{decimal}1 %"
    if tenths == 1000:
        return f"> 99{decimal}9 %"
    return f"{tenths // 10}{decimal}{tenths % 10} %"


def bar(chance: Fraction, width: int = 24) -> str:
    """A bar of blocks; anything possible shows at least a sliver."""
    eighths = (chance * width * 8).__round__()
    if chance and not eighths:
        eighths = 1
    full, rest = divmod(eighths, 8)
    return "█" * full + (EIGHTHS[rest] if rest else "")
