"""The mean course of a whole battle, by powers that wear each other down: who outlasts whom, and how likely that is.

Battles go on until one side is gone (7.7.12). The mean course of the rounds leaves one side with a share of its steps;
how likely that side is to win follows from this share almost alone (`CHANCES` was read off 500 fights of 2 to 12 steps
rolled 120 times each; at most 15 in a hundred off, mostly less than 8).
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

ROUNDS = 10
CHANCES = (0, 1, 7, 15, 24, 29, 36, 41, 45, 47, 48, 49, 53, 60, 66, 76, 83, 89, 95, 99, 100)  # by margin, -10 to 10


class Clash(NamedTuple):
    """In hundredths the attacker's chance; in twelfths the steps that each side is likely to lose."""

    chance: int
    loss_a: int
    loss_d: int


@lru_cache(maxsize=65_536)
def clash(men_a: int, strike: int, men_d: int, hold: int, wet: bool, ready: int = 0) -> Clash:
    """The mean course, the defender firing first: powers in twelfths of a hit a round at full strength.

    `wet`: the attacker's first round counts half; `ready`: what the defender has more in it.
    """
    if not men_a:
        return Clash(0, 0, min(12 * men_d, strike))
    if not men_d:
        return Clash(100, 0, 0)
    a, d = 12 * men_a, 12 * men_d
    left_a, left_d = a, d
    for number in range(ROUNDS):
        left_a -= (hold + (0 if number else ready)) * left_d // d
        if left_a <= 1:
            left_a = 0
            break
        left_d -= (strike * left_a // a) >> (wet and number == 0)
        if left_d <= 1:
            left_d = 0
            break
    margin = 100 * left_a // a - 100 * left_d // d
    tens, rest = divmod(margin + 100, 10)
    low = CHANCES[tens]
    chance = low + (CHANCES[min(20, tens + 1)] - low) * rest // 10
    return Clash(chance, a - left_a, d - left_d)
