"""How good a position looks to a side: what the greedy player maximises.

Six things, in points: steps in play; cities and the scenario's own places held; the level of victory as things stand;
nearness to what is still to be won and guards for what must be held; what the battles begun, or about to be joined, are
likely to bring; and units beyond the sea that no port will feed. Whatever follows from who controls what is worked out
once and remembered. Integers throughout.

A player judges hundreds of positions that differ from one another by a unit or two. `judge` adds a position up in full
and keeps the parts; `score_of` looks for the last such sum and replaces only the parts that the differences touch. The
points are the same either way.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterable
from typing import NamedTuple, cast

from grognard.kernel import Column, Side

from ..loading import ALLIES, HQ_KINDS
from ..memo import differing, facing, remembered, unchanged
from ..rules.supply import sources_of
from ..rules.victory import level_now, told_openly
from ..state import OFF, OOS, OUT, BitwState, is_battle, side_in
from ..world import (
    BLOCKS_OF,
    IS_AIR,
    LIMITS,
    POWER_SIDE,
    SIDE_OF,
    UNITS,
    world,
)
from .battles import battle_value, before_reserves, faces, is_landing, still_moving
from .goals import NEAR, Outlook, aims_of, harbours_of, in_france, invader, outlook
from .losses import toll
from .rations import doomed, hunger

WORTH = {"tank": 34, "tankette": 28, "fighter": 26, "bomber": 26, "strategic_bomber": 26, "artillery": 22, "fort": 12}
STEP_WORTH = tuple(WORTH.get(u.kind, 20) for u in UNITS)
MARCHES = bytes(u.is_ground and not u.is_fort and u.kind != "static" and u.kind not in HQ_KINDS for u in UNITS)
LEVELS = {"decisive": 900, "marginal": 400}
NEARNESS = 5  # points for each hex nearer to a place that is still to be won
GUARD, BOLD = 60, 15  # points of each guard that a place lacks; the same for those who came to take more
BARE = 120  # points of each guard that a Mulberry lacks: it feeds five
PORT = 40  # and of those who guard the ports that feed them
CUT_OFF, CUT_OFF_ABROAD = 30, 80  # points that a unit costs where no source is within a lane; beyond the sea


def _standing(s: BitwState) -> Hashable:
    """What the level of victory hangs on; in scenarios that count units or steps these too."""
    known = (s.scenario, unchanged("owner", s.owner), bytes(s.lost), bytes(s.status), bytes(s.radar))
    if told_openly(world(s).scenario):
        return known
    place = unchanged("place", s.place.tobytes())  # type: ignore[attr-defined]
    return (*known, place, bytes(s.steps), s.turn)


@remembered(_standing, kept=4096)
def standing_points(s: BitwState) -> tuple[int, int]:
    """Points of each side for the level of victory as things stand."""
    winner, level = level_now(s)
    points = LEVELS.get(level, 0)
    return (0, 0) if winner < 0 else (points, -points) if winner == 0 else (-points, points)


class When(NamedTuple):
    """What the points depend on besides the columns."""

    turn: int
    phasing: int
    powers: bytes
    fed: frozenset[int]
    moving: bool  # who may still join a battle
    reserves: bool  # whether they are still to come
    toll: tuple[int, int]  # losses that count


class Judged(NamedTuple):
    """A position added up in full: the columns that the points come from, and the points by unit and by place."""

    when: When
    of_hexes: tuple[bytes, ...]
    of_units: tuple[bytes, ...]
    place: Column
    units: list[int]
    battles: dict[int, int]
    exposed: list[int]  # by number among the places guarded
    total: int
    field: tuple[int, ...]  # how far everything was


_last: dict[tuple[str, Side, bool, frozenset[int], tuple[int, ...]], Judged] = {}  # by places wanted and held
MANY = 4  # different units beyond which a position is added up afresh


def score_of(s: BitwState, side: Side, wide: bool = False) -> int:
    """Positive is good for the side."""
    look = outlook(s.scenario, side, unchanged("owner", s.owner), wide)
    total = look.control + standing_points(s)[side] - hunger(s, side) - doomed(s, side) + toll(s)[side]
    total -= bare_harbours(s, side)
    if s.outcome:
        winner = s.outcome[0]
        total += 0 if winner < 0 else 20_000 if winner == side else -20_000
    key = s.scenario, side, wide, look.wanted, look.held
    last = _last.get(key)
    if last is not None and last.field is not look.field:  # other cities are on the way
        last = None
    difference = None if last is None else difference_from(last, s, side, look)
    if last is None or difference is None:
        last = _last[key] = judge(s, side, look)
        return total + last.total
    return total + last.total + difference


def judge(s: BitwState, side: Side, look: Outlook) -> Judged:
    """Everything that depends on where units stand, added up."""
    now = when(s, side)
    units = unit_points(s, side, range(len(UNITS)), look.field, now.fed)
    battles = battle_points(s, side, {s.place[u] for u in BLOCKS_OF[side]})
    exposed = [exposure(s, goal, near, side) for goal, near in look.guarded]
    total = sum(units) + sum(battles.values()) - sum(exposed)
    return Judged(now, hex_columns(s), unit_columns(s), s.place[:], units, battles, exposed, total, look.field)


def when(s: BitwState, side: Side) -> When:
    """What the points depend on besides the columns."""
    return When(s.turn, s.phasing, bytes(s.status), fed_hexes(s, side), still_moving(s), before_reserves(s), toll(s))


@remembered(lambda s, side: (facing(s, side), bytes(s.status)))
def fed_hexes(s: BitwState, side: Side) -> frozenset[int]:
    """4.3a The hexes within a lane of some source of the side; enemy zones count for those who came over the sea."""
    t, wary = world(s).theatre, invader(world(s)) == side
    powers = [p for p in sorted(world(s).scenario.in_play) if POWER_SIDE[p] == side and not s.status[p] & OUT]
    found = {n for p in powers for n in sources_of(s, p)}
    frontier = sorted(found)
    theirs = (1 - side) * len(s.first_in)
    for _ in range(LIMITS["lane"]):
        near = {n for node in frontier for n in t.touch[node] if n not in found}
        found |= near
        frontier = [n for n in near if not t.no_lane[n] and not s.present[theirs + n]]
        if wary:  # an enemy beside the lane cuts it; friends who would keep it open are left out of account
            frontier = [n for n in frontier if not any(s.ground[theirs + m] for m in t.touch[n])]
    return frozenset(found)


def hex_columns(s: BitwState) -> tuple[bytes, ...]:
    """What `battle_value` reads of hexes."""
    return bytes(s.owner), bytes(s.works)


def unit_columns(s: BitwState) -> tuple[bytes, ...]:
    """What `unit_points`, `battle_value` and `exposure` read of units, two bytes an entry and then one."""
    place, origin, orders = cast("array[int]", s.place), cast("array[int]", s.origin), cast("array[int]", s.orders)
    return place.tobytes(), origin.tobytes(), orders.tobytes(), bytes(s.steps), bytes(s.flags)


def difference_from(last: Judged, s: BitwState, side: Side, look: Outlook) -> int | None:
    """What to add to the points of the last position judged; None if too much is different."""
    now = when(s, side)
    if last.when != now:
        return None
    units: set[int] = set()
    for old, new, width in zip(last.of_units, unit_columns(s), (2, 2, 2, 1, 1)):
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
    if now.reserves:  # who is near a landing may be one
        nodes += [n for n in last.battles if n not in nodes and is_landing(s, n)]
    total = sum(battle_points(s, side, touched.union(nodes)).values()) - sum([last.battles[n] for n in nodes])
    for number in {i for n in touched for i in look.watched.get(n, ())}:
        total += last.exposed[number] - exposure(s, *look.guarded[number], side)
    return total + sum(unit_points(s, side, units, look.field, now.fed)) - sum([last.units[u] for u in units])


def unit_points(
    s: BitwState, side: Side, units: Iterable[int], field: tuple[int, ...], fed: frozenset[int]
) -> list[int]:
    """What units add to the points of a side: their steps, and outside battles how near they are to what is wanted."""
    w = world(s)
    marked, hexes = aims_of(w).marked, w.theatre.hexes
    cut_off = CUT_OFF if invader(w) != side else CUT_OFF_ABROAD
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
            points -= cut_off if MARCHES[unit] and at not in fed else 0
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
    w = world(s)
    each = GUARD if invader(w) != side else PORT if goal in harbours_of(w) else BOLD
    threat = 0
    for node in near if guards < 2 else ():
        threat += ground[theirs + node]
        if threat >= 2:
            return each * (2 - guards)
    return each * max(0, threat - guards)


def bare_harbours(s: BitwState, side: Side) -> int:
    """6.7.2b What the artificial ports lack in guards while the enemy is near: who enters one destroys it."""
    w = world(s)
    if side != ALLIES or not in_france(w):
        return 0
    nodes, hexes = len(s.first_in), w.theatre.hexes
    ground, total = s.ground, 0
    for node in s.harbour:
        guards = ground[nodes + node] if node < hexes else 2
        if guards < 2:
            threat = sum([ground[n] for n in w.theatre.board.grid.within(node, NEAR) if n < hexes])
            total += BARE * max(0, min(threat, 2) - guards)
    return total


# Battles
