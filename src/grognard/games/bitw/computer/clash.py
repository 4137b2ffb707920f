"""A whole battle before it is fought: what both sides bring, and whom they could still send."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from ..state import GROUNDED, BitwState
from ..theatre import MAJOR
from ..world import IS_AIR, IS_COMBAT, IS_FORT, IS_GROUND, UNITS, World, world
from .battles import Faces, air_value, ground_of
from .goals import HOLDER


def powers(
    s: BitwState, node: int, attackers: Iterable[int], defenders: Iterable[int], table: Faces, works: int
) -> tuple[int, int, int, int, bool]:
    """What `clash` asks: steps on the ground and power of both sides, and whether the attack crosses a river."""
    w, steps = world(s), s.steps
    malus, major, _ = ground_of(w)[node]
    strike = hold = men_a = men_d = 0
    wet = False
    for u in defenders:
        if s.flags[u] & GROUNDED:
            continue
        if IS_FORT[u]:
            works += 2 if steps[u] == 7 else 1
        if IS_GROUND[u]:
            men_d += steps[u] + (1 if IS_FORT[u] else 0)
    bonus = 2 * (major + works)
    for u in defenders:
        if not s.flags[u] & GROUNDED:
            hold += steps[u] * (table[u][1] + (bonus if IS_COMBAT[u] else 0))
    for u in attackers:
        power = steps[u] * table[u][0]
        if IS_COMBAT[u]:
            strike += power >> (malus + major + works)
            wet = wet or (s.place[u] == node and (s.origin[u], node) in w.theatre.rivers)
        else:
            strike += power >> works
        if IS_GROUND[u]:
            men_a += steps[u]
    return men_a, strike, men_d, hold, wet


def works_of(s: BitwState, node: int, attacker: int) -> int:
    """Bunkers and fortresses that count against an attacker."""
    return s.works[node] if HOLDER[s.owner[node]] != attacker else 0


def air_cost(s: BitwState, node: int, attackers: Sequence[int], defenders: Sequence[int], table: Faces) -> int:
    """What the air war over a battle is likely to bring the attacker."""
    t = world(s).theatre
    city = 2 * (1 + (t.city[node] == MAJOR)) * bool(t.city[node])
    return air_value(s, list(attackers), list(defenders), table, city)


def best_stack(s: BitwState, candidates: Iterable[int], table: Faces, room: tuple[int, int, int, int]) -> list[int]:
    """Who goes in, the strongest first: so many combat units, others on the ground, fighters, bombers."""
    combat, others, fighters, bombers = room
    found = []
    for u in sorted(candidates, key=lambda u: (-s.steps[u] * table[u][0], u)):
        if IS_COMBAT[u]:
            if combat > 0:
                combat -= 1
                found.append(u)
        elif IS_AIR[u]:
            if UNITS[u].is_bomber:
                if bombers > 0:
                    bombers -= 1
                    found.append(u)
            elif fighters > 0:
                fighters -= 1
                found.append(u)
        elif others > 0:
            others -= 1
            found.append(u)
    return found


@lru_cache(maxsize=4096)
def marches_to(w: World, node: int) -> dict[int, int]:
    """The hexes from which ground units can come to a hex in one march, with its price: nobody in the way."""
    exits, most = w.theatre.exits, 6
    cost, ring = {node: 0}, [node]
    for _ in range(most):
        following = []
        for here in ring:
            for other, _ in exits[here]:
                price = next((p for n, p in exits[other] if n == here), 99)
                total = cost[here] + price
                if total <= most and total < cost.get(other, 99):
                    cost[other] = total
                    following.append(other)
        ring = following
    return cost
