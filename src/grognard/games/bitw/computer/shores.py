"""Which land a unit stands on, and whether there is anything to do there: armies beyond the sea wait for ships.

The way to a place that decides the scenario is counted over land. On an island it says nothing, and a player who looks
one step ahead would march his corps away from the ports. So units on a land without an enemy and without a place still
wanted stay where they are, but for what brings them over: landings, drops, voyages.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from grognard.kernel import Side

from ..memo import unchanged
from ..rules.headquarters import IS_HQ
from ..rules.landings import is_front_beach
from ..state import DROPPED, LANDED, BitwState, enemy_of, on_map, side_holding
from ..world import IS_COMBAT, IS_GROUND, LIMITS, World, world
from .goals import outlook

NEAR = 1  # hexes from one's own units within which a drop pays
ALONE = 1  # enemy blocks beside it that those who drop on an empty hex can stand
SEA = -1  # the number of no land


@lru_cache(maxsize=16)
def lands(w: World) -> tuple[int, ...]:
    """By node: the number of the land that it belongs to; straits part lands."""
    t = w.theatre
    found = [SEA] * t.nodes
    for start in range(t.hexes):
        if found[start] != SEA or not t.terrain[start] or not t.playable[start]:
            continue
        found[start], frontier = start, [start]
        while frontier:
            for n in t.touch[frontier.pop()]:
                if n < t.hexes and found[n] == SEA and t.terrain[n] and t.playable[n]:
                    found[n] = start
                    frontier.append(n)
    return tuple(found)


@lru_cache(maxsize=16)
def straits(w: World) -> tuple[int, ...]:
    """The hexes from which an arrow leads over a strait."""
    return tuple(n for n in range(w.theatre.hexes) if w.theatre.arrows[n])


def fronts(s: BitwState, side: Side) -> set[int]:
    """The lands where enemies stand, or places are still to be won."""
    land = lands(world(s))
    look = outlook(s.scenario, side, unchanged("owner", s.owner))
    foes = {land[s.place[u]] for u in on_map(s, enemy_of(side)) if IS_GROUND[u]}
    return (foes | {land[n] for n in look.wanted}) - {SEA}


def at_home(s: BitwState, side: Side, units: Iterable[int]) -> set[int]:
    """Of some ground units those on a land where there is nothing to do."""
    ground = [u for u in units if IS_GROUND[u]]
    if not ground:
        return set()
    land, war = lands(world(s)), fronts(s, side)
    war |= {land[a] for a, b in gates(s, side) if land[b] in war}
    return {u for u in ground if land[s.place[u]] not in war}


def gates(s: BitwState, side: Side) -> list[tuple[int, int]]:
    """7.5.5b The straits that a side could march over: this side is its own, and no enemy stands on the other."""
    t, theirs = world(s).theatre, enemy_of(side) * len(s.first_in)
    own = [n for n in straits(world(s)) if side_holding(s, n) == side]
    return [(n, other) for n in own for other in t.arrows[n] if other < t.hexes and not s.present[theirs + other]]


def crow(s: BitwState, side: Side, node: int) -> int:
    """How far the nearest place still wanted is as the crow flies; aircraft know no sea."""
    return flights(world(s), outlook(s.scenario, side, unchanged("owner", s.owner)).wanted)[node]


@lru_cache(maxsize=256)
def flights(w: World, wanted: frozenset[int]) -> tuple[int, ...]:
    """By node: how far the nearest of some places is as the crow flies."""
    t = w.theatre
    return tuple(map(min, zip(*map(t.distances, wanted)))) if wanted else (0,) * t.nodes


def drops_worth(s: BitwState, unit: int, side: Side, zones: Iterable[int]) -> set[int]:
    """23.0d Where a drop pays: into a battle of one's own; else on empty hexes beside units that came by land or sea.

    Not beside others who were dropped: a chain of drops leads where nobody is fed.
    """
    t, land = world(s).theatre, lands(world(s))
    units = [u for u in on_map(s, side) if IS_COMBAT[u] and u != unit and not s.orders[u] & DROPPED]
    mine = {s.place[u] for u in units if s.place[u] < t.hexes}
    theirs, own, zones = enemy_of(side) * len(s.first_in), side * len(s.first_in), list(zones)
    fights = {n for n in zones if s.present[theirs + n] and s.ground[own + n]}
    if fights:
        return fights
    empty = [n for n in zones if not s.present[theirs + n] and foes_beside(s, side, n) <= ALONE]
    return {n for n in empty if any(land[at] == land[n] and t.distance(at, n) <= NEAR for at in mine)}


def foes_beside(s: BitwState, side: Side, node: int) -> int:
    """How many enemy blocks on the ground stand beside a hex, those in battle with one's own apart."""
    theirs, own = enemy_of(side) * len(s.first_in), side * len(s.first_in)
    return sum([s.ground[theirs + n] for n in world(s).theatre.touch[node] if not s.ground[own + n]])


def followers(s: BitwState, side: Side, units: Iterable[int]) -> list[int]:
    """24.5-wave-b Units in port who could follow those that landed this turn, HQs apart, the strongest first."""
    t = world(s).theatre
    beaches = {s.place[u] for u in on_map(s, side) if s.orders[u] & LANDED}
    found = []
    for u in at_home(s, side, units):  # who has enemies on his own land has something to do
        if IS_HQ[u]:
            continue
        near = t.distances(s.place[u])
        if any(near[n] <= LIMITS["landing_range"] or is_front_beach(s, s.place[u], n) for n in beaches):
            found.append(u)
    return sorted(found, key=lambda u: (not IS_COMBAT[u], -s.steps[u], u))
