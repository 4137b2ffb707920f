"""Where one gets to on a table: costs of steps by drive, reach, the way there, straight back, and fields of distance.

Costs are in 1/48 of a centimetre (1/12 of a quarter), so that road rates of 2/3, 2/5, 3/8 and 1/2 stay whole. A path is
made of the sixteen steps. Going on, or bending by one facing, is free; a hull pays for more (`PIVOT` up to 90 degrees,
twice that beyond, only from a standstill).

A point is *plain* where all sixteen steps lead over the same ground and cross nothing. There a path only goes straight
on or bends by one facing, since every shortest way over plain ground is straight or has one bend; where the ground
changes it may turn by up to 90 degrees. That leaves three steps instead of nine over most of a table.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from heapq import heappop, heappush
from typing import Final

from .ground import FORBIDDEN, ROAD, Table
from .measure import AROUND, CM, FACINGS, STEP, Base, gap, rounded_root, turn_between

FINE: Final = 12  # parts of a quarter centimetre in which movement is paid
PER_CM: Final = CM * FINE
PIVOT: Final = 5 * PER_CM
LENGTHS: Final = tuple(rounded_root((dx * dx + dy * dy) * (STEP * FINE) ** 2) for dx, dy in FACINGS)
FAR: Final = 1 << 40
EIGHT: Final = 8
STRAIGHT: Final = 1  # a bend of one facing is part of driving
QUARTER: Final = 4  # ninety degrees
BENDS: Final = {  # by how far one may turn, then by facing: the ways on, and whether a hull pays for the turn
    widest: [
        [((facing + turn) % AROUND, abs(turn) > STRAIGHT) for turn in range(-widest, widest + 1)]
        for facing in range(AROUND)
    ]
    for widest in (STRAIGHT, QUARTER)
}

Step = tuple[int, int, int]  # offset, cost, facing
Reach = dict[int, int]  # point: cost * 16 + facing of arrival


def spent(found: Reach, point: int) -> int:
    """What the way to a point of a reach costs, in 1/48 cm."""
    return found[point] >> 4


def arrival(found: Reach, point: int) -> int:
    """The facing in which one comes to a point of a reach."""
    return found[point] & 15


class StepCosts:
    """What each step costs one drive at one road rate; worked out for a point when first asked for, then kept.

    `road` is what a centimetre of road costs as a fraction (60 cm on roads for 40 beside them: 2, 3). `hull` is false
    for who turns freely. `opened` are lines that no longer hinder (a breach); `afoot` kinds of ground that are entered
    as on foot, whatever the drive.
    """

    def __init__(
        self,
        table: Table,
        drive: str,
        road: tuple[int, int] = (1, 1),
        hull: bool = True,
        opened: Collection[int] = (),
        afoot: Collection[str] = (),
    ) -> None:
        if drive not in table.terrain.drives:
            raise KeyError(f"no drive {drive!r}; known: {', '.join(table.terrain.drives)}")
        self.table, self.drive, self.road, self.hull = table, drive, road, hull
        self.opened = frozenset(opened)
        areas = table.terrain.areas
        self.rate = [FORBIDDEN] * table.count
        self.enter = [0] * table.count
        for p in table.points:
            area = areas[table.kind[p]]
            self.rate[p] = area.rate["foot" if table.kind[p] in afoot else drive]
            self.enter[p] = area.enter * PER_CM
        self.fans: list[tuple[Step, ...] | None] = [None] * (table.count * AROUND)
        self._plain = bytearray(table.count)  # 0 not looked at, 1 no, 2 yes
        self._rows: dict[int, list[int]] = {}
        self._shared: dict[tuple[int, int], tuple[Step, ...]] = {}

    def is_plain(self, p: int) -> bool:
        """True for a point around which all ground is the same for this drive and nothing is crossed."""
        known = self._plain[p]
        if not known:
            known = self._plain[p] = 1 + self._looks_plain(p)
        return known == 2

    def _looks_plain(self, p: int) -> bool:
        rate, crossed = self.rate[p], self.table.crossed
        if rate < 0 or self.enter[p]:
            return False
        for off in self.table.offsets:
            if self.rate[p + off] != rate or self.enter[p + off]:
                return False
        for key in range(p << 4, p + 1 << 4):
            if key in crossed and not self.opened.issuperset(crossed[key]):
                return False
        return True

    def furthest(self, budget: int) -> int:
        """As the crow flies, in quarter centimetres: what a budget in 1/48 cm can never lead beyond."""
        above, below = self._swiftest
        return budget * above * 61 // (below * 60 * FINE) + 1  # a sixtieth for lengths that are rounded

    @cached_property
    def _swiftest(self) -> tuple[int, int]:
        """The best rate on this table: centimetres gone for centimetres paid, as a fraction."""
        best = min((rate for rate in self.rate if rate > 0), default=100)
        swift = self.road[1], self.road[0]
        return swift if ROAD in self.rate and swift[0] * best > 100 * swift[1] else (100, best)

    def cost(self, p: int, facing: int) -> int:
        """Of one step, or FORBIDDEN. The rate is the mean of both ends; lines crossed and houses entered are added."""
        table, offsets = self.table, self.table.offsets
        q = p + offsets[facing]
        here, there = self.rate[p], self.rate[q]
        if there == FORBIDDEN:
            return FORBIDDEN
        if (
            facing % 2
            and self.rate[p + offsets[facing - 1]] == self.rate[p + offsets[(facing + 1) % AROUND]] == FORBIDDEN
        ):
            return FORBIDDEN  # a knight's step does not slip between two obstacles
        if here == there == ROAD:
            cost = LENGTHS[facing] * self.road[0] // self.road[1]
        else:
            cost = LENGTHS[facing] * ((100 if here < 0 else here) + (100 if there < 0 else there)) // 200
        for number in table.crossed.get(p << 4 | facing, ()):
            if number not in self.opened:
                extra = table.terrain.lines[table.features[number].kind].cost[self.drive]
                if extra == FORBIDDEN:
                    return FORBIDDEN
                cost += extra * PER_CM
        if self.enter[q] and table.feature[p] != table.feature[q]:
            cost += self.enter[q]
        return cost

    def row(self, p: int) -> list[int]:
        """The costs of the sixteen steps from a point."""
        found = self._rows.get(p)
        if found is None:
            found = self._rows[p] = [self.cost(p, facing) for facing in range(AROUND)]
        return found

    def fan(self, p: int, facing: int) -> tuple[Step, ...]:
        """The steps from a point for who came in a facing."""
        if self.is_plain(p):
            key = self.rate[p], facing
            if key not in self._shared:
                self._shared[key] = self._fan(p, facing, STRAIGHT)
            found = self._shared[key]
        else:
            found = self._fan(p, facing, QUARTER)
        self.fans[p << 4 | facing] = found
        return found

    def _fan(self, p: int, facing: int, widest: int) -> tuple[Step, ...]:
        row, offsets, dear = self.row(p), self.table.offsets, PIVOT if self.hull else 0
        return tuple(
            [
                (offsets[way], row[way] + (dear if turned else 0), way)
                for way, turned in BENDS[widest][facing]
                if row[way] != FORBIDDEN
            ]
        )

    def first(self, p: int, facing: int | None) -> Iterator[Step]:
        """The steps from a standstill: every direction; a hull pays for its pivot."""
        for way, cost in enumerate(self.row(p)):
            if cost != FORBIDDEN:
                yield self.table.offsets[way], cost + self.pivot(facing, way), way

    def pivot(self, facing: int | None, way: int) -> int:
        """What turning on the spot costs: nothing for one facing, `PIVOT` to 90 degrees, twice that beyond."""
        if facing is None or not self.hull:
            return 0
        turn = turn_between(facing, way)
        return 0 if turn <= STRAIGHT else PIVOT if turn <= QUARTER else 2 * PIVOT

    def warm(self) -> None:
        """Work out every fan now, so that the first to ask does not wait."""
        for p in self.table.points:
            if self.rate[p] != FORBIDDEN:
                for facing in range(AROUND):
                    if self.fans[p << 4 | facing] is None:
                        self.fan(p, facing)


def reach(
    steps: StepCosts,
    start: int,
    facing: int | None,
    budget: int,
    walls: Collection[int] = (),
    passing: Mapping[int, int] | None = None,
) -> Reach:
    """Where one can get to for a budget in 1/48 cm: each point with its cost and the facing of arrival; not the start.

    `facing` is None for who has no front. `walls` are points that are not entered (enemies' bases); `passing` is what
    it costs to go on from a point on top of the step (a friend to drive around).
    """
    fans, fan = steps.fans, steps.fan
    best = [FAR] * steps.table.count
    best[start] = -1
    for wall in walls:
        best[wall] = -1
    buckets: list[list[int] | None] = [None] * (budget + 1)
    buckets[0] = [start]
    reached: Reach = {}
    onward: Iterable[Step] = tuple(steps.first(start, facing))
    for cost in range(budget + 1):
        bucket = buckets[cost]
        if bucket is None:
            continue
        for p in bucket:
            if cost:
                now = best[p]
                if now >> 4 != cost or p in reached:
                    continue
                reached[p] = now
                key = p << 4 | now & 15
                onward = fans[key] or fan(p, now & 15)
            paid = cost + passing[p] if passing and p in passing else cost
            for offset, price, way in onward:
                q = p + offset
                there = paid + price
                if there <= budget and best[q] > there << 4 | 15:
                    best[q] = there << 4 | way
                    found = buckets[there]
                    if found is None:
                        buckets[there] = [q]
                    else:
                        found.append(q)
    return reached


def path(table: Table, found: Reach, start: int, end: int) -> list[int]:
    """The points of the way to a point of a reach, start and end included."""
    way, p = [end], end
    while p != start:
        p -= table.offsets[found[p] & 15]
        way.append(p)
    return way[::-1]


def straight_back(steps: StepCosts, start: int, facing: int, budget: int, walls: Collection[int] = ()) -> Reach:
    """Where a hull gets to backwards along its own line at double cost, its facing kept."""
    found: Reach = {}
    back, p, cost = (facing + EIGHT) % AROUND, start, 0
    while True:
        step = steps.row(p)[back]
        p += steps.table.offsets[back]
        cost += 2 * step
        if step == FORBIDDEN or cost > budget or p in walls:
            return found
        found[p] = cost << 4 | facing


def field(steps: StepCosts, goals: Iterable[int], limit: int = FAR) -> dict[int, int]:
    """What the cheapest way from each point to the nearest goal costs, turns not counted: a map for planning."""
    best = dict.fromkeys(goals, 0)
    queue = [(0, goal) for goal in best]
    offsets = steps.table.offsets
    while queue:
        cost, p = heappop(queue)
        if cost > best[p]:
            continue
        for facing in range(AROUND):
            q = p - offsets[facing]
            if steps.rate[q] == FORBIDDEN:
                continue
            price = steps.row(q)[facing]
            if price != FORBIDDEN and cost + price < min(best.get(q, FAR), limit):
                best[q] = cost + price
                heappush(queue, (cost + price, q))
    return best


@lru_cache(maxsize=10_000)
def _touching(base_a: Base, facing_a: int, base_b: Base, facing_b: int) -> tuple[tuple[int, int], ...]:
    """Where A stands, in steps right of and below B, when their bases touch or overlap; the same on every table."""
    close = base_a.radius + base_b.radius
    far = close + base_a.half + base_b.half + 1
    near = far // STEP + 1
    found = []
    for r in range(-near, near + 1):
        for c in range(-near, near + 1):
            x, y = c * STEP, r * STEP
            square = x * x + y * y
            if square <= far * far and (
                square <= close * close or gap(base_a, x, y, facing_a, base_b, 0, 0, facing_b) == 0
            ):
                found.append((c, r))
    return tuple(found)


class Bases:
    """Which places two bases cannot both have: offsets worked out once for each pair of bases and facings."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._offsets: dict[tuple[Base, int, Base, int], frozenset[int]] = {}

    def overlap(self, base_a: Base, facing_a: int, base_b: Base, facing_b: int) -> frozenset[int]:
        """Offsets of A from B, as differences of points, at which their bases would touch or overlap."""
        key = base_a, facing_a if base_a.half else 0, base_b, facing_b if base_b.half else 0
        if key not in self._offsets:
            self._offsets[key] = frozenset(r * self.table.across + c for c, r in _touching(*key))
        return self._offsets[key]

    def overlap_any(self, base_a: Base, base_b: Base, facing_b: int) -> frozenset[int]:
        """Offsets at which they would overlap in some facing of A."""
        key = base_a, -1, base_b, facing_b if base_b.half else 0
        if key not in self._offsets:
            every = range(AROUND) if base_a.half else (0,)
            self._offsets[key] = frozenset().union(*(self.overlap(base_a, f, base_b, facing_b) for f in every))
        return self._offsets[key]

    def fits(self, base: Base, point: int, facing: int, others: Iterable[tuple[Base, int, int]]) -> bool:
        """True if a base at a point overlaps none of the others, given as (base, point, facing)."""
        return not any(point - at in self.overlap(base, facing, other, turned) for other, at, turned in others)

    def taken(self, base: Base, facing: int, others: Iterable[tuple[Base, int, int]]) -> set[int]:
        """The points at which a base in a facing would overlap one of the others: where `fits` says no."""
        found: set[int] = set()
        for other, at, turned in others:
            found.update(at + offset for offset in self.overlap(base, facing, other, turned))
        return found

    def stops(self, found: Reach, base: Base, others: Collection[tuple[Base, int, int]]) -> Reach:
        """The points of a reach where the base fits as it arrives."""
        close: dict[int, list[tuple[Base, int, int]]] = {}
        for other, at, turned in others:
            for offset in self.overlap_any(base, other, turned):
                if at + offset in found:
                    close.setdefault(at + offset, []).append((other, at, turned))
        if not close:
            return found
        if not base.half:  # a disc fits in every facing or in none
            return {p: v for p, v in found.items() if p not in close}
        return {p: v for p, v in found.items() if p not in close or self.fits(base, p, v & 15, close[p])}
