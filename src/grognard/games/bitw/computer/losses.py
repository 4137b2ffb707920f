"""Blocks that a scenario counts: what it costs to lose one more, where the United States tire or a level asks for them.

A player who looks at steps alone spends the last block of a nation as gladly as the first. Here each loss costs more
than the one before, so that the whole of a level is paid by the time the count is full: 5.5 after ten American ground
units the United States leave the war, and some levels count fewer.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from grognard.kernel import Side

from ..loading import ALLIES, charts
from ..memo import remembered
from ..state import LANDED, OUT, BitwState
from ..world import IS_GROUND, LIMITS, SIDE_OF, UNITS, World, world

WHOLE = {"decisive": 900, "marginal": 400}  # points of a count that is full, by the level that it gives away
US = charts().power_ids["US"]
AMERICANS = frozenset(u.index for u in UNITS if u.nation == "US" and IS_GROUND[u.index])


class Count(NamedTuple):
    """So many of some units lost decide: by their own number, or by the marker of American morale."""

    units: frozenset[int]
    most: int
    morale: bool
    side: Side
    whole: int


@lru_cache(maxsize=64)
def counts(w: World) -> tuple[Count, ...]:
    """What the levels of a scenario count, and the war weariness of the United States; nothing without landings."""
    if "landings" not in w.scenario.rules:
        return ()
    found = []
    tired = LIMITS["us_morale"], WHOLE["decisive"]
    for level in w.scenario.levels:
        for condition in [c for way in level.ways for c in way]:
            if condition.kind == "morale":
                tired = min(tired, (condition.at_least, WHOLE.get(level.level, 0)))
            elif condition.kind == "lost" and condition.units and level.winner == 1 - SIDE_OF[condition.units[0]]:
                side = SIDE_OF[condition.units[0]]
                found.append(
                    Count(frozenset(condition.units), condition.at_least, False, side, WHOLE.get(level.level, 0))
                )
    if US in w.scenario.in_play:
        found.append(Count(AMERICANS, tired[0], True, ALLIES, tired[1]))
    return tuple(found)


def losses(s: BitwState, count: Count) -> int:
    """How far a count has come."""
    return min(count.most, s.us_losses if count.morale else sum(s.lost[u] > 0 for u in count.units))


def paid(number: int, count: Count) -> int:
    """The points that so many losses cost: each more than the one before."""
    return count.whole * number * number // (count.most * count.most)


def _tally(s: BitwState) -> tuple[object, ...]:
    return s.scenario, s.us_losses, bytes(s.lost), s.status[US] & OUT


@remembered(_tally)
def toll(s: BitwState) -> tuple[int, int]:
    """What the losses so far cost each side."""
    found = [0, 0]
    for count in counts(world(s)):
        points = paid(losses(s, count), count)
        found[count.side] -= points
        found[1 - count.side] += points
    return found[0], found[1]


@remembered(_tally)
def prices(s: BitwState) -> dict[int, int]:
    """By unit: what it costs its side to lose it now, beyond its steps; units that nobody counts are left out."""
    found: dict[int, int] = {}
    for count in counts(world(s)):
        number = losses(s, count)
        more = paid(min(count.most, number + 1), count) - paid(number, count)
        for u in count.units if more else ():
            if count.morale or not s.lost[u]:
                found[u] = found.get(u, 0) + more
    return found


def at_stake(s: BitwState, units: Iterable[int], chance: int, price: dict[int, int]) -> int:
    """What a battle is likely to cost in blocks that count, if so many in a hundred of such battles are won.

    Who landed has nowhere to go and is lost with the battle; others draw back in half of the cases.
    """
    total = 0
    for u in units:
        if IS_GROUND[u] and u in price:
            total += price[u] * (100 - chance) // (100 if s.orders[u] & LANDED else 200)
    return total
