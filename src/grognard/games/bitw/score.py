"""How good a position looks to a side: what the greedy player maximises.

Five things, in points: steps in play; cities and the scenario's own places held; the level of victory as things stand;
nearness to what is still to be won and guards for what must be held; and what the battles begun, or about to be
joined, are likely to bring. Whatever follows from who controls what is worked out once and remembered. Integers
throughout.

A player judges hundreds of positions that differ from one another by a unit or two. `judge` adds a position up in full
and keeps the parts; `score_of` looks for the last such sum and replaces only the parts that the differences touch. The
points are the same either way.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from functools import lru_cache
from heapq import heappop, heappush
from typing import NamedTuple, cast

from grognard.kernel import Column, Side

from .loading import charts
from .memo import differing, facing, remembered, unchanged
from .rules.definitions import tech_of
from .rules.supply import sources_of
from .rules.victory import level_now
from .state import FOUGHT, GROUNDED, MISSION, MOVED, OFF, OOS, OUT, BitwState, is_battle, side_in, units_in
from .theatre import MAJOR
from .world import (
    BLOCKS_OF,
    IS_AIR,
    IS_COMBAT,
    IS_FORT,
    IS_GROUND,
    LIMITS,
    POWER_SIDE,
    POWERS,
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
CUT_OFF = 30  # points that a unit costs where no source is within a lane
HALF_AA = bytes(POWERS[u.power].half_aa for u in UNITS)
Faces = tuple[tuple[int, int, int], ...]
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
    wanted: frozenset[int]  # the places still to be won
    field: tuple[int, ...]  # by node: how far the nearest wanted place is, in movement points
    guarded: tuple[tuple[int, tuple[int, ...]], ...]
    watched: dict[int, list[int]]  # by node: the places, by number among `guarded`, that enemies there would threaten


@lru_cache(maxsize=4096)
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
    watched: dict[int, list[int]] = {}
    for number, (_, near) in enumerate(held):
        for node in near:
            watched.setdefault(node, []).append(number)
    return Outlook(control, wanted, approach(w, wanted or frozenset(aims.goals)), held, watched)


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


@remembered(lambda s: (s.scenario, unchanged("owner", s.owner), bytes(s.lost), bytes(s.status)), kept=4096)
def standing_points(s: BitwState) -> tuple[int, int]:
    """Points of each side for the level of victory as things stand."""
    winner, level = level_now(s)
    points = LEVELS.get(level, 0)
    return (0, 0) if winner < 0 else (points, -points) if winner == 0 else (-points, points)


class Judged(NamedTuple):
    """A position added up in full: the columns that the points come from, and the points by unit and by place."""

    when: tuple[int, int, bytes, frozenset[int]]  # turn, phasing side, status of the powers, hexes in supply
    of_hexes: tuple[bytes, ...]
    of_units: tuple[bytes, ...]
    place: Column
    units: list[int]
    battles: dict[int, int]
    exposed: list[int]  # by number among the places guarded
    total: int


_last: dict[tuple[str, Side, frozenset[int]], Judged] = {}  # by the places still wanted; replaced whole, never changed
MANY = 4  # different units beyond which a position is added up afresh


def score_of(s: BitwState, side: Side) -> int:
    """Positive is good for the side."""
    look = outlook(s.scenario, side, unchanged("owner", s.owner))
    total = look.control + standing_points(s)[side]
    if s.outcome:
        winner = s.outcome[0]
        total += 0 if winner < 0 else 20_000 if winner == side else -20_000
    last = _last.get((s.scenario, side, look.wanted))
    difference = None if last is None else difference_from(last, s, side, look)
    if last is None or difference is None:
        last = _last[s.scenario, side, look.wanted] = judge(s, side, look)
        return total + last.total
    return total + last.total + difference


def judge(s: BitwState, side: Side, look: Outlook) -> Judged:
    """Everything that depends on where units stand, added up."""
    now = when(s, side)
    units = unit_points(s, side, range(len(UNITS)), look.field, now[3])
    battles = battle_points(s, side, {s.place[u] for u in BLOCKS_OF[side]})
    exposed = [exposure(s, goal, near, side) for goal, near in look.guarded]
    total = sum(units) + sum(battles.values()) - sum(exposed)
    return Judged(now, hex_columns(s), unit_columns(s), s.place[:], units, battles, exposed, total)


def when(s: BitwState, side: Side) -> tuple[int, int, bytes, frozenset[int]]:
    """What the points depend on besides the columns."""
    return s.turn, s.phasing, bytes(s.status), fed_hexes(s, side)


@remembered(lambda s, side: (facing(s, side), bytes(s.status)))
def fed_hexes(s: BitwState, side: Side) -> frozenset[int]:
    """4.3a The hexes within a lane of some source of the side, enemy zones left out of account."""
    t = world(s).theatre
    powers = [p for p in sorted(world(s).scenario.in_play) if POWER_SIDE[p] == side and not s.status[p] & OUT]
    found = {n for p in powers for n in sources_of(s, p)}
    frontier = sorted(found)
    theirs = (1 - side) * len(s.first_in)
    for _ in range(LIMITS["lane"]):
        near = {n for node in frontier for n in t.touch[node] if n not in found}
        found |= near
        frontier = [n for n in near if not t.no_lane[n] and not s.present[theirs + n]]
    return frozenset(found)


def hex_columns(s: BitwState) -> tuple[bytes, ...]:
    """What `battle_value` reads of hexes."""
    return bytes(s.owner), bytes(s.works)


def unit_columns(s: BitwState) -> tuple[bytes, ...]:
    """What `unit_points`, `battle_value` and `exposure` read of units, two bytes an entry and then one."""
    place, origin = cast("array[int]", s.place), cast("array[int]", s.origin)
    return place.tobytes(), origin.tobytes(), bytes(s.steps), bytes(s.flags)


def difference_from(last: Judged, s: BitwState, side: Side, look: Outlook) -> int | None:
    """What to add to the points of the last position judged; None if too much is different."""
    now = when(s, side)
    if last.when != now:
        return None
    units: set[int] = set()
    for old, new, width in zip(last.of_units, unit_columns(s), (2, 2, 1, 1)):
        if old != new:
            units.update(differing(old, new, width))
    if len(units) > MANY:
        return None
    touched = {n for u in units for n in (s.place[u], last.place[u]) if n < OFF}
    for unit in [u for u in units if SIDE_OF[u] != side]:  # those whom an enemy joined or left
        for node in (s.place[unit], last.place[unit]):
            units.update(side_in(s, node, side) if node < OFF else ())
    owner, works = last.of_hexes
    touch = world(s).theatre.touch
    nodes = [
        n
        for n in last.battles
        if n in touched or owner[n] != s.owner[n] or works[n] != s.works[n] or not touched.isdisjoint(touch[n])
    ]
    total = sum(battle_points(s, side, touched.union(nodes)).values()) - sum([last.battles[n] for n in nodes])
    for number in {i for n in touched for i in look.watched.get(n, ())}:
        total += last.exposed[number] - exposure(s, *look.guarded[number], side)
    return total + sum(unit_points(s, side, units, look.field, now[3])) - sum([last.units[u] for u in units])


def unit_points(
    s: BitwState, side: Side, units: Iterable[int], field: tuple[int, ...], fed: frozenset[int]
) -> list[int]:
    """What units add to the points of a side: their steps, and outside battles how near they are to what is wanted."""
    w = world(s)
    marked, hexes = aims_of(w).marked, w.theatre.hexes
    place, steps, flags, present, theirs = s.place, s.steps, s.flags, s.present, (1 - side) * len(s.first_in)
    found = []
    for unit in units:
        at = place[unit]
        if at >= OFF:
            found.append(0)
            continue
        points = STEP_WORTH[unit] * steps[unit] + (60 if unit in marked else 10)
        if flags[unit] & OOS:
            points -= 40
        if SIDE_OF[unit] != side:
            points = -points
        elif at < hexes and not present[theirs + at]:
            points -= NEARNESS * field[at] if MARCHES[unit] else field[at] if IS_AIR[unit] else 0
            points -= CUT_OFF if MARCHES[unit] and at not in fed else 0
        found.append(points)
    return found


def battle_points(s: BitwState, side: Side, nodes: Iterable[int]) -> dict[int, int]:
    """What the battles among some hexes are likely to bring."""
    hexes = world(s).theatre.hexes
    fought = [n for n in nodes if n < hexes and is_battle(s, n)]
    table = faces(s) if fought else ()
    return {n: battle_value(s, n, side, table) for n in fought}


def exposure(s: BitwState, goal: int, near: tuple[int, ...], side: Side) -> int:
    """What a place that decides the scenario lacks in guards while the enemy is near."""
    nodes = len(s.first_in)
    ground, theirs = s.ground, (1 - side) * nodes
    guards = ground[side * nodes + goal]
    threat = 0
    for node in near if guards < 2 else ():
        threat += ground[theirs + node]
        if threat >= 2:
            return 60 * (2 - guards)
    return 60 * max(0, threat - guards)


# Battles


@remembered(lambda s: (s.scenario, s.turn, bytes(s.status)))
def faces(s: BitwState) -> Faces:
    """By unit: how many faces of a die hit in attack, in defence and in the air, in halves (TECH 0 rolls half)."""
    out = []
    for u in UNITS:
        tech, row = tech_of(s, u.index), charts().tech[u.kind]
        whole = 1 if tech == 0 else 2
        attack, defence = row.attack[tech], row.attack[tech] if u.is_air else row.defence[tech]
        duel = row.defence[tech] if u.is_air else 7
        out.append((whole * (7 - attack), whole * (7 - defence), whole * (7 - duel)))
    return tuple(out)


@lru_cache(maxsize=64)
def ground_of(w: World) -> tuple[tuple[int, int, int], ...]:
    """By hex: the malus of its terrain, whether it is a major city, and what it is worth to win."""
    t, goals = w.theatre, aims_of(w).goals
    return tuple(
        (
            charts().terrain[t.terrain[n]].malus if t.terrain[n] else 0,
            int(t.city[n] == MAJOR),
            50 + 30 * t.city[n] + (150 if n in goals else 0),
        )
        for n in range(t.hexes)
    )


def battle_value(s: BitwState, node: int, side: Side, table: Faces) -> int:
    """What a battle is likely to bring in three rounds: steps won and lost, and the hex if the enemy breaks."""
    w, phasing, steps = world(s), s.phasing, s.steps
    attackers: list[int] = []
    defenders: list[int] = []
    works = s.works[node] if HOLDER[s.owner[node]] != phasing else 0
    for u in units_in(s, node):
        if SIDE_OF[u] == phasing:
            attackers.append(u)
        else:
            defenders.append(u)
            works += (2 if steps[u] == 7 else 1) if IS_FORT[u] else 0
    if side == phasing:
        attackers += helpers(s, node, phasing, attackers)
    malus, major, prize = ground_of(w)[node]
    bonus = 2 * (major + works)
    strike = hold = men_a = men_d = 0  # halves of faces, steps
    wet = fought = False
    for u in attackers:
        power = steps[u] * table[u][0]
        if IS_COMBAT[u]:
            power >>= malus + major + works
            fought, wet = True, wet or (s.origin[u], node) in w.theatre.rivers
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
    if not men_a:  # a raid: one round of bombs
        gain = min(12 * men_d, strike)
    value = (22 * gain - 20 * loss) // 12 + (prize if broken and fought else 0)
    value += air_value(s, attackers, defenders, table, 2 * (1 + major) * bool(w.theatre.city[node]))
    return value if side == phasing else -value


def air_value(s: BitwState, attackers: list[int], defenders: list[int], table: Faces, city: int) -> int:
    """What a round of air combat and of anti-aircraft fire is likely to cost both sides in aircraft."""
    fliers = [[u for u in units if IS_AIR[u] and not s.flags[u] & GROUNDED] for units in (attackers, defenders)]
    if not fliers[0] and not fliers[1]:
        return 0
    lost = []
    for mine, theirs, flak in ((0, defenders, city), (1, attackers, 0)):
        for u in theirs:
            if IS_GROUND[u]:
                flak += s.steps[u] * table[u][1] >> HALF_AA[u]
        if any(UNITS[u].kind == "fighter" for u in (*fliers[0], *fliers[1])):
            for u in fliers[1 - mine]:
                flak += s.steps[u] * table[u][2]
        lost.append(min(flak, 12 * sum([s.steps[u] for u in fliers[mine]])))
    return 26 * (lost[1] - lost[0]) // 12


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
    room = 2 - sum([IS_COMBAT[u] for u in there])
    found: list[int] = []
    mine, ground, flags = side * len(s.first_in), s.ground, s.flags
    for near in world(s).theatre.touch[node] if room > 0 else ():
        if not ground[mine + near]:
            continue
        for u in units_in(s, near):
            if IS_COMBAT[u] and SIDE_OF[u] == side and not flags[u] & (MOVED | FOUGHT | OOS | MISSION):
                found.append(u)
                if len(found) == room:
                    return found
    return found
