"""Chapters 2.2, 3 and 4.1.1: how far a stack may go over the hexes, and what each step costs.

`reach` answers for a whole stack at once with a bucket queue over whole points; nothing here changes the position.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import compress

from grognard.kernel import No, no, rule

from ..state import TACTICAL
from ..state import NormandieState as S
from ..world import (
    AIR,
    BICYCLE,
    COLUMN,
    COMMANDO,
    ELITE,
    FIXED,
    FOOT,
    GERMAN,
    GROUP,
    HEXES,
    IS_HQ,
    LIMITS,
    MOTOR,
    PARA,
    PE,
    PLACE_COUNT,
    RANGER,
    SIDE,
    STEP,
    ZONE,
    ZONE_IDS,
)
from .definitions import ZOC_EXIT, allowance, counters_in, in_enemy_zoc, modes_of, west_of, why_not_stack


@rule("9.2a", "9.2b", "1.1.1.1n")
def interdicted_zones(s: S) -> tuple[bool, ...]:
    """9.2a The zones over which a fighter-bomber stands in tactical interdiction, 9.2b whoever flies it."""
    on = [False] * (len(ZONE_IDS) + 1)  # the last entry stands for "no zone" (-1)
    for a in range(len(AIR)):
        if s.air[a] == TACTICAL:
            on[s.air_at[a]] = True
    return tuple(on)


NEVER_MOVES, HAS_MOVED = no("0.1.2g", "never-moves"), no("4.1.1b", "already-moved")
RESTING, IN_RESERVE = no("1.1.1.3j", "resting"), no("4.1.1f", "in-reserve")
NOT_ON_MAP, IN_MELEE = no("0c", "off-map"), no("6.11c", "in-confusion")


@rule("1.1.1.3j", "6.11c")
def why_not_move(s: S, u: int) -> No | None:
    """Why a counter of the active side may not move now."""
    if FIXED[u]:
        return NEVER_MOVES
    if s.moved[u]:
        return HAS_MOVED
    if s.resting[u]:
        return RESTING
    if s.reserve[u] == 1:
        return IN_RESERVE
    place = s.place[u]
    if place >= HEXES:
        return NOT_ON_MAP
    if s.confusion[place] and not is_special(s, u):
        return IN_MELEE
    return None


@rule("4.4a")
def is_special(s: S, u: int) -> bool:
    """4.4a Rangers, commandos and elite parachutists in good order."""
    return (RANGER[u] or COMMANDO[u] or (PARA[u] and ELITE[u])) and not s.disorder[u]


def common_modes(s: S, units: Sequence[int]) -> list[int]:
    """2.2d The ways in which a whole stack can move together; on foot if any of its units walks."""
    modes = [modes_of(s, u) for u in units]
    shared = [m for m in (MOTOR, BICYCLE, FOOT) if all(m in ways for ways in modes)]
    return shared or ([FOOT] if all(ways != (MOTOR,) for ways in modes) else [])


UNREACHED = bytes([99] + [0] * 255)  # counters of the enemy in a hex: what is the least known price to enter it?


@rule("9.2c", "9.2d", "11.1-map")
@lru_cache(maxsize=48)
def prices(mode: int, zones: tuple[bool, ...], west: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """4.1.1c For each hex the neighbours that can be entered and the points for it, 9.2c dearer in interdicted zones;
    11.1-map without the columns that are not in play."""
    return tuple(
        tuple((n, slow if zones and zones[ZONE[n]] else easy) for n, easy, slow in row if COLUMN[n] >= west)
        for row in STEP[mode]
    )


def confused_hexes(s: S) -> list[int]:
    """6.11 The hexes in Confusion."""
    if s.confusion.count(0) == PLACE_COUNT:
        return []
    return list(compress(range(HEXES), s.confusion))


@rule("3b", "3c", "3e", "4.1.1c", "4.1.1d", "4.1.1e", "2.2b", "2.2c", "9.2c", "9.2d", "0.2.1e", "9.4e")
def spread(
    s: S, side: int, start: int, mode: int, points: int, exit_cost: int, zones: tuple[bool, ...] | None = None,
    *, lifted: Sequence[int] = (), shun_zoc: bool = False, one_free: bool = True, came: dict[int, int] | None = None,
    goal: int = -1,
) -> dict[int, int]:  # fmt: skip
    """Every hex within reach and the points spent to get there (the start is not in it).

    3b Entering an enemy zone ends the move; 3c so a step from zone to zone is one hex at most; 3e leaving one costs
    more. 4.1.1d One hex is always possible. 4.1.1e Enemy hexes are closed, but a hex in Confusion may be entered and
    ends the move. `lifted` are zones that do not count (4.3i), `shun_zoc` bars zones altogether, `one_free` allows the
    one hex of 4.1.1d, `came` receives the hex before each hex; with a `goal` the search ends when it is reached.
    """
    key = zones if side == GERMAN and zones is not None and any(zones) else ()
    enemy, zone_at = (1 - side) * PLACE_COUNT, (1 - side) * HEXES
    foes, zoc = bytes(s.there[enemy : enemy + HEXES]), s.zoc[zone_at : zone_at + HEXES]
    for h in lifted:
        zoc[h] = max(0, zoc[h] - 1)
    rubble = NO_RUBBLE if s.rubble.count(0) == PLACE_COUNT else bytes(s.rubble)
    ask = (mode, key, west_of(s), start, points, exit_cost, foes, bytes(zoc), rubble, tuple(confused_hexes(s)),
           shun_zoc, one_free)  # fmt: skip
    return _spread(*ask) if came is None and goal < 0 else _spread.__wrapped__(*ask, came, goal)


NO_RUBBLE = bytes(PLACE_COUNT)


@lru_cache(maxsize=1024)
def _spread(
    mode: int, zones: tuple[bool, ...], west: int, start: int, points: int, exit_cost: int, foes: bytes, zoc: bytes,
    rubble: bytes, confused: tuple[int, ...], shun_zoc: bool, one_free: bool, came: dict[int, int] | None = None,
    goal: int = -1,
) -> dict[int, int]:  # fmt: skip
    """The same of plain numbers, remembered: a stack is asked several times where it may go, a marker by each side."""
    table = prices(mode, zones, west)
    best, ends = bytearray(foes.translate(UNREACHED)), bytearray(zoc)  # an enemy hex is never improved; zones end moves
    for h in confused:
        best[h], ends[h] = 99, 1
    if shun_zoc:
        for h in compress(range(HEXES), zoc):
            best[h] = 0
    best[start] = 0
    touched: list[int] = []
    buckets: list[list[int]] = [[] for _ in range(points + 1)]
    buckets[0].append(start)
    forced: list[int] = []
    for spent in range(points + 1):
        if goal >= 0 and best[goal] <= spent:
            break
        for h in buckets[spent]:
            if best[h] != spent:
                continue
            at = spent + (exit_cost if h == start and zoc[h] else 0)
            for n, price in table[h]:
                if at + price >= best[n]:
                    continue
                cost = at + price + rubble[n]
                if cost > points:
                    if one_free and h == start:
                        forced.append(n)
                elif cost < best[n]:
                    if best[n] == 99:
                        touched.append(n)
                    best[n] = cost
                    if came is not None:
                        came[n] = h
                    if not ends[n]:
                        buckets[cost].append(n)
    out = {n: best[n] for n in touched}
    for n in forced:
        if n not in out:
            out[n] = points
            if came is not None:
                came[n] = start
    return out


def reach(
    s: S,
    units: Sequence[int],
    spent: int = 0,
    *,
    lifted: Sequence[int] = (),
    shun_zoc: bool = False,
    half: bool = False,
) -> dict[int, int]:
    """4.1.1a Where a stack that has already spent some points may go, with the points then spent in all."""
    side, start = SIDE[units[0]], s.place[units[0]]
    zones = interdicted_zones(s) if side == GERMAN else None
    exit_cost = max(ZOC_EXIT[u] for u in units) if in_enemy_zoc(s, side, start) and not spent else 0
    out: dict[int, int] = {}
    for mode in common_modes(s, units):
        points = min(allowance(s, u, mode) for u in units)
        points = (points // 2 if half else points) - spent
        if points <= 0:
            continue
        found = spread(s, side, start, mode, points, exit_cost, zones, lifted=lifted, shun_zoc=shun_zoc,
                       one_free=not spent)  # fmt: skip
        for h, cost in found.items():
            if spent + cost < out.get(h, 99):
                out[h] = spent + cost
    return out


def route(
    s: S, units: Sequence[int], goal: int, spent: int = 0, *, lifted: Sequence[int] = (), shun_zoc: bool = False,
    half: bool = False,
) -> tuple[int, list[int]]:  # fmt: skip
    """The points spent and the hexes crossed on the cheapest way to a goal, goal included."""
    side, start = SIDE[units[0]], s.place[units[0]]
    zones = interdicted_zones(s) if side == GERMAN else None
    exit_cost = max(ZOC_EXIT[u] for u in units) if not spent else 0
    best: tuple[int, list[int]] = (99, [goal])
    for mode in common_modes(s, units):
        points = min(allowance(s, u, mode) for u in units)
        points = (points // 2 if half else points) - spent
        came: dict[int, int] = {}
        if points <= 0:
            continue
        found = spread(s, side, start, mode, points, exit_cost, zones, lifted=lifted, shun_zoc=shun_zoc,
                       one_free=not spent, came=came, goal=goal)  # fmt: skip
        if goal in found and found[goal] < best[0]:
            path = [goal]
            while came[path[-1]] != start:
                path.append(came[path[-1]])
            best = (found[goal], path[::-1])
    return spent + best[0], best[1]


@rule("2.1b", "2.1d")
def why_not_end_in(s: S, units: Sequence[int], h: int) -> No | None:
    """2.1b Stacking is judged where a move ends, never on the way: full hexes may be crossed."""
    return why_not_stack(s, SIDE[units[0]], h, units)


def destinations(
    s: S,
    units: Sequence[int],
    spent: int = 0,
    *,
    lifted: Sequence[int] = (),
    shun_zoc: bool = False,
    half: bool = False,
) -> dict[int, int]:
    """The hexes in which a stack may end its move, in order of their numbers, with the points spent."""
    found = reach(s, units, spent, lifted=lifted, shun_zoc=shun_zoc, half=half)
    side = SIDE[units[0]]
    base, there = side * PLACE_COUNT, s.there
    alone = fits_alone(units)  # an empty hex needs no more questions
    return {
        h: found[h] for h in sorted(found)
        if (alone and not there[base + h]) or (there[base + h] and why_not_end_in(s, units, h) is None)
    }  # fmt: skip


def fits_alone(units: Sequence[int]) -> bool:
    """2.1a A stack that is legal by itself."""
    zero = sum(not PE[u] and not IS_HQ[u] for u in units)
    hqs = sum(IS_HQ[u] for u in units)
    return sum(PE[u] for u in units) <= LIMITS["stacking"] and zero <= LIMITS["zero_units"] and hqs <= LIMITS["hqs"]


def may_join(s: S, units: Sequence[int], u: int) -> bool:
    """4.1.1b A unit may move with a stack if it stands there, has not moved and is of the same group."""
    return (
        u not in units
        and s.place[u] == s.place[units[0]]
        and GROUP[u] == GROUP[units[0]]
        and why_not_move(s, u) is None
        and bool(common_modes(s, [*units, u]))
    )


def mates(s: S, units: Sequence[int]) -> list[int]:
    """The counters that may join a moving stack before it leaves."""
    return [u for u in counters_in(s, s.place[units[0]]) if may_join(s, units, u)]
