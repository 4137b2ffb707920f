"""Chapter 15: new factories. Ten points in ten turns, then a die and a choice of city.

`s.works_begun` holds what is under construction, `s.plants` what has been finished: side, colour and so on as numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from grognard.kernel import Decision, No, Side, emit, enter, leave, no, roll, rule

from ..frames import Siting
from ..loading import ALLIES, AXIS, charts
from ..nouns import HEX, name_of
from ..scenarios import COLOURED
from ..state import BitwState, side_holding
from ..theatre import MAJOR
from ..world import LIMITS, POWERS, world
from .definitions import pool_of

IDS: Final = charts().power_ids
BUILDER: Final = (IDS["DE"], IDS["UK"])  # by side: who pays and owns

NO_FACTORIES, NO_OIL = no("15.0a", "no-factories"), no("15.0a", "no-oil-plant")
POINT_TOO_DEAR = no("7.3d", "too-dear", lambda s, c, side, noun: {"cost": 1, "points": s.pp[pool_of(s, BUILDER[side])]})
NOT_A_SITE = no("15.1b", "not-a-site")

Work = tuple[int, int, int, int]  # side, colour, points paid, turn of the last payment


def factories_count(s: BitwState) -> bool:
    """15.0 Whether the chapter is played."""
    return s.chosen.get("factories") == "on"


@rule("15.0a", "15.0b", "15.1a")
def why_not_work(s: BitwState, side: Side, colour: int) -> No | None:
    """15.0a A power builds red and blue factories, only Germany black ones, nobody white ones (15.0b: no deduction)."""
    if not factories_count(s) or BUILDER[side] not in world(s).scenario.in_play:
        return NO_FACTORIES
    if COLOURED[colour] == "black" and side != AXIS:
        return NO_OIL
    return POINT_TOO_DEAR if s.pp[pool_of(s, BUILDER[side])] < 1 else None


@rule("15.1a")
def work_on(s: BitwState, side: Side, colour: int) -> None:
    """15.1a One point for the work of this colour that is furthest on and has had none this turn, or for a new one."""
    s.pp[pool_of(s, BUILDER[side])] -= 1
    mine = [w for w in s.works_begun if w[:2] == (side, colour) and w[3] < s.turn]
    old: Work = max(mine, key=lambda w: w[2], default=(side, colour, 0, 0))
    others = list(s.works_begun)
    if old in others:
        others.remove(old)
    paid = old[2] + 1
    emit(s, "factory-work", "15.1a", power=POWERS[BUILDER[side]].id, colour=COLOURED[colour], paid=paid)
    if paid < LIMITS["factory_cost"]:
        s.works_begun = tuple(sorted([*others, (side, colour, paid, s.turn)]))
        return
    s.works_begun = tuple(others)
    enter(s, Siting(side=side, colour=colour, die=die_for_site(s, side, colour)))


@rule("15.1b")
def die_for_site(s: BitwState, side: Side, colour: int) -> int:
    """15.1b A die names two cities; where both are full it is rolled again; 0 where all are (15.1c)."""
    if all(not free_of(s, side, colour, die) for die in range(1, 7)):
        return 0
    while True:
        (die,) = roll(s, "15.1b", 1, side=side)
        if free_of(s, side, colour, die):
            return die


def free_of(s: BitwState, side: Side, colour: int, die: int) -> list[int]:
    """15.1b The cities of a die where another factory of this colour may stand: as many as the tracker names them."""
    t = world(s).theatre
    named = charts().tracker[side]
    found = []
    for city in named[die - 1]:
        node = t.find(city) if t.has(city) else -1
        limit = sum(city in pair for pair in named)
        built = sum(1 for p in s.plants if p[:3] == (side, colour, node))
        if node >= 0 and side_holding(s, node) == side and built < limit:
            found.append(node)
    return found


@rule("15.1b", "15.1c")
def sites(s: BitwState, c: Siting) -> list[int]:
    """15.1b The cities to choose from; 15.1c when the tracker is full any major city of one's own."""
    if c.die:
        return sorted(set(free_of(s, c.side, c.colour, c.die)))
    t = world(s).theatre
    home = POWERS[BUILDER[c.side]].home
    return [n for n in t.cities if t.city[n] == MAJOR and t.country[n] in home and side_holding(s, n) == c.side]


@rule("15.1b", "15.1c")
class Site(Decision):
    """15.1b The owner chooses where the factory stands."""

    verbs = {"at": HEX}

    def needed(self, s: BitwState, c: Siting, side: Side) -> bool:
        """Until it stands; with no city left it is lost."""
        return bool(sites(s, c))

    def nouns(self, s: BitwState, c: Siting, side: Side, verb: str) -> Iterable[int]:
        """The cities."""
        return sites(s, c)

    def why_not(self, s: BitwState, c: Siting, side: Side, verb: str, noun: int) -> No | None:
        """Only those that the die names."""
        return None if noun in sites(s, c) else NOT_A_SITE

    def apply(self, s: BitwState, c: Siting, side: Side, verb: str, noun: int) -> None:
        """It stands, and produces from the next turn (15.1d)."""
        leave(s)
        s.plants = (*s.plants, (c.side, c.colour, noun, s.turn))
        emit(s, "factory-built", "15.1b", hex=name_of(s, noun), colour=COLOURED[c.colour])


@rule("15.1d", "15.0a", "16.1")
def points_of_plants(s: BitwState, power: int, colour: str) -> int:
    """15.1d New factories give 1 point each, from the turn after; not those that the enemy took or destroyed (16.1)."""
    side = POWERS[power].side
    if not s.plants or power != pool_of(s, BUILDER[side]):
        return 0
    mine = [p for p in s.plants if p[0] == side and COLOURED[p[1]] == colour and p[3] < s.turn]
    return sum(side_holding(s, p[2]) == side and not s.burnt[p[2]] for p in mine)


def has_plant(s: BitwState, node: int, colour: str) -> bool:
    """7.3.1b A new factory of this colour stands here."""
    return any(p[2] == node and COLOURED[p[1]] == colour and p[3] < s.turn for p in s.plants) and not s.burnt[node]


def works_of(s: BitwState, side: Side) -> Iterable[int]:
    """The colours that a side may pay for."""
    return range(len(COLOURED)) if factories_count(s) and side in (AXIS, ALLIES) else ()
