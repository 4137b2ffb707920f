"""How good a position looks to a side: what the greedy player maximises.

Steps in play, cities and the scenario's own places, supply, nearness to what is still to be won, and what the battles
begun, or about to be joined, are likely to bring. Integers throughout; a few hundred microseconds.
"""

from __future__ import annotations

from functools import lru_cache

from grognard.kernel import Side

from .loading import Power, charts
from .state import FOUGHT, MISSION, MOVED, OFF, OOS, BitwState, is_battle, side_holding, units_in
from .theatre import MAJOR
from .world import IS_AIR, IS_COMBAT, IS_FORT, IS_GROUND, SIDE_OF, UNITS, World, world

WORTH = {"tank": 34, "tankette": 28, "fighter": 26, "bomber": 26, "strategic_bomber": 26, "artillery": 22, "fort": 12}
STEP_WORTH = tuple(WORTH.get(u.kind, 20) for u in UNITS)
FACE = tuple((7 - min(6, charts().tech[u.kind].attack[2]), 7 - min(6, charts().tech[u.kind].defence[2])) for u in UNITS)


@lru_cache(maxsize=64)
def _targets(w: World) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
    """The places that decide a scenario, and every city with its weight."""
    t = w.theatre
    goals = {n for level in w.scenario.levels for way in level.ways for c in way for n in c.nodes}
    goals |= {t.find(p.capital) for p in _powers(w) if t.has(p.capital) and t.find(p.capital) < t.hexes}
    cities = []
    for node in range(t.hexes):
        weight = (60 if t.city[node] == MAJOR else 20 if t.city[node] else 0) + 30 * t.yellow[node]
        weight += 300 if node in goals else 0
        if weight:
            cities.append((node, weight))
    return tuple(sorted(goals)), tuple(cities)


def _powers(w: World) -> list[Power]:
    return [p for p in charts().powers if p.index in w.scenario.in_play]


def score_of(s: BitwState, side: Side) -> int:
    """Positive is good for the side."""
    w = world(s)
    goals, cities = _targets(w)
    total = 0
    for node, weight in cities:
        holder = side_holding(s, node)
        total += weight if holder == side else -weight if holder >= 0 else 0
    wanted = [g for g in goals if side_holding(s, g) != side]
    battles: set[int] = set()
    place, steps, flags = s.place, s.steps, s.flags
    coords = w.theatre.board.grid.coords
    aims = [coords[g] for g in wanted]
    hexes = w.theatre.hexes
    for unit in range(len(place)):
        at = place[unit]
        if at >= OFF:
            continue
        worth = STEP_WORTH[unit] * steps[unit] + 10
        if flags[unit] & OOS:
            worth -= 40
        if SIDE_OF[unit] != side:
            total -= worth
            continue
        total += worth
        if at >= hexes:
            continue
        if is_battle(s, at):
            battles.add(at)
        elif IS_GROUND[unit] and aims and not IS_FORT[unit]:
            q, r = coords[at]
            total -= 4 * min(12, *(max(abs(q - a), abs(r - b), abs(q + r - a - b)) for a, b in aims))
    for node in sorted(battles):
        total += battle_value(s, node, side)
    if s.outcome:
        winner = s.outcome[0]
        total += 0 if winner < 0 else 20_000 if winner == side else -20_000
    return total


def battle_value(s: BitwState, node: int, side: Side) -> int:
    """What a battle is likely to bring in two rounds: steps won and lost, and the hex if the enemy breaks."""
    t = world(s).theatre
    mine = [u for u in units_in(s, node) if SIDE_OF[u] == side]
    theirs = [u for u in units_in(s, node) if SIDE_OF[u] != side]
    attacking = side == s.phasing
    attackers, defenders = (mine, theirs) if attacking else (theirs, mine)
    attackers = attackers + helpers(s, node, s.phasing, attackers) if attacking else attackers
    malus = 1 + charts().terrain[t.terrain[node]].malus + (t.city[node] == MAJOR) + s.works[node]
    power_a = sum(s.steps[u] * FACE[u][0] for u in attackers) * 2 // malus  # sixths of hits in two rounds
    power_d = sum(s.steps[u] * (FACE[u][1] + (malus > 1)) for u in defenders) * 2
    men_a, men_d = sum(s.steps[u] for u in attackers), sum(s.steps[u] for u in defenders)
    loss_d, loss_a = min(men_d * 6, power_a), min(men_a * 6, power_d)
    value = (22 * loss_d - 18 * loss_a) // 6
    if power_a >= men_d * 6 and any(IS_COMBAT[u] for u in attackers):
        value += 60 + 40 * t.city[node]
    return value if attacking else -value


def helpers(s: BitwState, node: int, side: Side, there: list[int]) -> list[int]:
    """Units next to a battle that could still join it this phase, as far as the stack allows."""
    room = 2 - sum(IS_COMBAT[u] for u in there)
    found: list[int] = []
    for near in world(s).theatre.touch[node]:
        for u in units_in(s, near):
            fresh = not s.flags[u] & (MOVED | FOUGHT | OOS | MISSION)
            if room > 0 and SIDE_OF[u] == side and IS_COMBAT[u] and not IS_AIR[u] and fresh and s.place[u] == near:
                found.append(u)
                room -= 1
    return found
