"""How good a position looks to a side: what the greedy player maximises.

Five things, in points: steps in play; cities and the scenario's own places held; the level of victory as things stand;
nearness to what is still to be won and guards for what must be held; and what the battles begun, or about to be
joined, are likely to bring. Whatever follows from who controls what is worked out once and remembered. Integers
throughout; some fifty microseconds.
"""

from __future__ import annotations

from functools import lru_cache
from heapq import heappop, heappush
from typing import NamedTuple

from grognard.kernel import Side

from .loading import charts
from .memo import remembered
from .rules.definitions import tech_of
from .rules.victory import level_now
from .state import FOUGHT, GROUNDED, MISSION, MOVED, OFF, OOS, BitwState, units_in
from .theatre import MAJOR
from .world import (
    BLOCKS_OF,
    IS_AIR,
    IS_COMBAT,
    IS_FORT,
    IS_GROUND,
    POWER_SIDE,
    SIDE_OF,
    UNITS,
    World,
    world,
    world_named,
)

WORTH = {"tank": 34, "tankette": 28, "fighter": 26, "bomber": 26, "strategic_bomber": 26, "artillery": 22, "fort": 12}
STEP_WORTH = tuple(WORTH.get(u.kind, 20) for u in UNITS)
MARCHES = bytes(u.is_ground and not u.is_fort and u.kind != "static" for u in UNITS)
LEVELS = {"decisive": 900, "marginal": 400}
FAR = 14  # hexes beyond which nearness no longer counts
NEARNESS = 5  # points for each hex nearer to a place that is still to be won
HOLDER = bytes(POWER_SIDE) + bytes([2]) * (256 - len(POWER_SIDE))  # by controlling power: the side, 2 nobody


class Aims(NamedTuple):
    """What a scenario is about: the places that decide it, every city with its weight, what surrounds the places."""

    goals: tuple[int, ...]
    cities: tuple[tuple[int, int], ...]
    around: tuple[tuple[int, tuple[int, ...]], ...]  # a goal and the hexes within two of it
    marked: frozenset[int]  # units that the conditions of victory count


@lru_cache(maxsize=64)
def aims_of(w: World) -> Aims:
    """The places named by the conditions of victory, and the capitals of the powers that they name."""
    t = w.theatre
    conditions = [c for level in w.scenario.levels for way in level.ways for c in way]
    goals = {n for c in conditions for n in c.nodes}
    for c in conditions:
        if c.kind in ("out", "in_play") and c.power < len(charts().powers):
            capital = charts().powers[c.power].capital
            goals |= {t.find(capital)} if t.has(capital) else set()
    goals = {g for g in goals if g < t.hexes}
    cities = []
    for node in range(t.hexes):
        weight = (60 if t.city[node] == MAJOR else 20 if t.city[node] else 0) + 30 * t.yellow[node]
        weight += 200 if node in goals else 0
        if weight:
            cities.append((node, weight))
    around = tuple((g, tuple(n for n in t.board.grid.within(g, 2) if t.playable[n])) for g in sorted(goals))
    return Aims(tuple(sorted(goals)), tuple(cities), around, frozenset(u for c in conditions for u in c.units))


class Outlook(NamedTuple):
    """What follows from who controls what: points for cities, the way to the places still wanted, those held."""

    control: int
    field: tuple[int, ...]  # by node: how far the nearest wanted place is, in movement points
    guarded: tuple[tuple[int, tuple[int, ...]], ...]


@lru_cache(maxsize=2048)
def outlook(scenario: str, side: Side, owner: bytes) -> Outlook:
    """Cities and places as a side sees them."""
    w = world_named(scenario)
    aims = aims_of(w)
    control = 0
    for node, weight in aims.cities:
        holder = HOLDER[owner[node]]
        control += weight if holder == side else -weight if holder < 2 else 0
    wanted = frozenset(g for g in aims.goals if HOLDER[owner[g]] != side)
    held = tuple(entry for entry in aims.around if entry[0] not in wanted)
    return Outlook(control, approach(w, wanted or frozenset(aims.goals)), held)


@lru_cache(maxsize=512)
def approach(w: World, wanted: frozenset[int]) -> tuple[int, ...]:
    """How many movement points each node is away from the nearest of some places, at most `FAR`."""
    t = w.theatre
    far = [FAR] * t.nodes
    queue = [(0, g) for g in sorted(wanted)]
    for _, g in queue:
        far[g] = 0
    while queue:
        spent, node = heappop(queue)
        if spent > far[node]:
            continue
        for other, price in t.exits[node]:
            if spent + price < far[other]:
                far[other] = spent + price
                heappush(queue, (spent + price, other))
    return tuple(far)


@remembered(lambda s: (s.scenario, bytes(s.owner), bytes(s.lost), bytes(s.status)))
def standing_points(s: BitwState) -> tuple[int, int]:
    """Points of each side for the level of victory as things stand."""
    winner, level = level_now(s)
    points = LEVELS.get(level, 0)
    return (0, 0) if winner < 0 else (points, -points) if winner == 0 else (-points, points)


def score_of(s: BitwState, side: Side) -> int:
    """Positive is good for the side."""
    w = world(s)
    look = outlook(s.scenario, side, bytes(s.owner))
    total = look.control + standing_points(s)[side]
    nodes, hexes = len(s.first_in), w.theatre.hexes
    theirs = (1 - side) * nodes
    place, steps, flags, present, field = s.place, s.steps, s.flags, s.present, look.field
    marked = aims_of(w).marked
    battles: set[int] = set()
    for unit in BLOCKS_OF[side]:
        at = place[unit]
        if at >= OFF:
            continue
        total += STEP_WORTH[unit] * steps[unit] + (60 if unit in marked else 10)
        if flags[unit] & OOS:
            total -= 40
        if at < hexes:
            if present[theirs + at]:
                battles.add(at)
            elif MARCHES[unit]:
                total -= NEARNESS * field[at]
            elif IS_AIR[unit]:
                total -= field[at]
    for unit in BLOCKS_OF[1 - side]:
        if place[unit] < OFF:
            total -= STEP_WORTH[unit] * steps[unit] + (60 if unit in marked else 10)
            if flags[unit] & OOS:
                total += 40
    for node in sorted(battles):
        total += battle_value(s, node, side)
    for goal, near in look.guarded:
        total -= exposure(s, goal, near, side)
    if s.outcome:
        winner = s.outcome[0]
        total += 0 if winner < 0 else 20_000 if winner == side else -20_000
    return total


def exposure(s: BitwState, goal: int, near: tuple[int, ...], side: Side) -> int:
    """What a place that decides the scenario lacks in guards while the enemy is near."""
    nodes = len(s.first_in)
    ground, theirs, mine = s.ground, (1 - side) * nodes, side * nodes
    threat = 0
    for node in near:
        threat += ground[theirs + node]
    if not threat:
        return 0
    guards = ground[mine + goal]
    return 60 * max(0, min(2, threat) - guards)


# Battles


@remembered(lambda s: (s.scenario, s.turn, bytes(s.status)))
def faces(s: BitwState) -> tuple[tuple[int, int], ...]:
    """By unit: how many faces of a die hit in attack and in defence, in halves of a face (TECH 0 rolls half)."""
    out = []
    for u in UNITS:
        tech, row = tech_of(s, u.index), charts().tech[u.kind]
        whole = 1 if tech == 0 else 2
        attack, defence = row.attack[tech], row.attack[tech] if u.is_air else row.defence[tech]
        out.append((whole * (7 - attack), whole * (7 - defence)))
    return tuple(out)


def battle_value(s: BitwState, node: int, side: Side) -> int:
    """What a battle is likely to bring in three rounds: steps won and lost, and the hex if the enemy breaks."""
    t = world(s).theatre
    table, phasing = faces(s), s.phasing
    attackers: list[int] = []
    defenders: list[int] = []
    for u in units_in(s, node):
        (attackers if SIDE_OF[u] == phasing else defenders).append(u)
    if side == phasing:
        attackers += helpers(s, node, phasing, attackers)
    works = s.works[node] if HOLDER[s.owner[node]] != phasing else 0
    works += sum(2 if s.steps[u] == 7 else 1 for u in defenders if IS_FORT[u])
    malus = charts().terrain[t.terrain[node]].malus + (t.city[node] == MAJOR)
    bonus = 2 * ((t.city[node] == MAJOR) + works)
    steps = s.steps
    strike = hold = men_a = men_d = 0  # halves of faces, steps
    wet = False
    for u in attackers:
        power = steps[u] * table[u][0]
        if IS_COMBAT[u]:
            power >>= malus + works
            wet = wet or (s.origin[u], node) in t.rivers
        else:
            power >>= works
        strike += power
        if IS_GROUND[u]:
            men_a += steps[u]
    for u in defenders:
        if s.flags[u] & GROUNDED:
            continue
        hold += steps[u] * (table[u][1] + (bonus if IS_COMBAT[u] else 0))
        if IS_GROUND[u]:
            men_d += steps[u] + (1 if IS_FORT[u] else 0)
    gain, loss, broken = exchange(men_a, strike, men_d, hold, wet)
    value = (22 * gain - 20 * loss) // 12
    if broken and any(IS_COMBAT[u] for u in attackers):
        value += 50 + 30 * t.city[node] + (150 if node in aims_of(world(s)).goals else 0)
    return value if side == phasing else -value


def exchange(men_a: int, strike: int, men_d: int, hold: int, wet: bool) -> tuple[int, int, bool]:
    """Three rounds on average, the defender firing first: twelfths of steps that each side loses, and who breaks."""
    a = left_a = 12 * men_a
    d = left_d = 12 * men_d
    for number in range(3):
        if left_a <= 0 or left_d <= 0:
            break
        left_a -= hold * left_d // d
        if left_a > 0:
            left_d -= (strike * left_a // a) >> (wet and number == 0)
    return min(d, d - left_d), min(a, a - left_a), left_d <= d // 5 and left_a > 0


def helpers(s: BitwState, node: int, side: Side, there: list[int]) -> list[int]:
    """Units next to a battle that could still join it this phase, as far as the stack allows."""
    room = 2 - sum(IS_COMBAT[u] for u in there)
    found: list[int] = []
    if room <= 0:
        return found
    mine = side * len(s.first_in)
    for near in world(s).theatre.touch[node]:
        if not s.ground[mine + near]:
            continue
        for u in units_in(s, near):
            if room > 0 and IS_COMBAT[u] and SIDE_OF[u] == side and not s.flags[u] & (MOVED | FOUGHT | OOS | MISSION):
                found.append(u)
                room -= 1
    return found
