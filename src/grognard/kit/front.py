"""A sense of the front, for games on a map: who can reach what, what a line spares, what is threatened, who is cut off.

Pure functions over whole numbers; no game is imported. Two questions are asked of the same ground.

*How far could the enemy march next turn?* `flood` answers with every hex that his units can enter, zones of control
ending a move; `Line` asks again with a unit of ours here or there: what that spares us is what the unit is worth as a
link of the line. Closing a hole, guarding an empty town and staying where one is are all this one number.

*How dear is his way to what matters?* `approach` searches backwards from the objectives, through our positions as toll:
a zone of control, an army to be beaten. `threat` is then a share of each objective's worth by how cheap the nearest way
is; a gap, an empty capital and an open port are the same thing, a cheap way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

Steps = Sequence[Sequence[tuple[int, int]]]  # for each hex the neighbours, with the points of that step


# --- how far the enemy could march ----------------------------------------------------------------------------------


@dataclass
class March:
    """The units of one way of moving: the steps they can make, and the points that stand in each hex."""

    steps: Steps
    points: dict[int, int]


def flood(marches: Sequence[March], exits: Mapping[int, int], held: bytearray, zones: bytearray, most: int) -> set[int]:
    """The hexes that units can enter next turn: a zone ends a move, leaving one costs `exits`, one hex always goes.

    `held` hexes are closed to them. `most` is the most points that any of them has.
    """
    wet: set[int] = set()
    for march in marches:
        steps, starts = march.steps, march.points
        left = bytearray(len(held))  # points left on arrival, plus one
        rings: list[list[int]] = [[] for _ in range(most + 2)]
        for hex, points in starts.items():
            left[hex] = points + 1
            rings[points + 1].append(hex)
        for have in range(most + 1, 0, -1):
            for hex in rings[have]:
                if left[hex] != have:
                    continue
                first = hex in starts and have == starts[hex] + 1
                if zones[hex] and not first:
                    continue
                purse = have - (exits.get(hex, 0) if zones[hex] else 0)
                for other, price in steps[hex]:
                    then = max(1, purse - price) if first else purse - price
                    if then > left[other] and not held[other]:
                        left[other] = then
                        wet.add(other)
                        if then > 1:
                            rings[then].append(other)
    return wet


class Line:
    """The enemy's next march against a side, asked again and again with a unit of that side here or there."""

    def __init__(
        self,
        marches: Sequence[March],
        exits: Mapping[int, int],
        held: bytearray,
        zones: bytearray,
        worth: Sequence[int],
        around: Sequence[Sequence[int]],
        most: int,
    ) -> None:
        self.marches, self.exits, self.held, self.zones, self.most = marches, exits, held, zones, most
        self.worth, self.around = worth, around  # what each hex is worth to the enemy; the hexes a unit there controls
        self.wet = self._wet()
        self.before = sum(worth[hex] for hex in self.wet)
        self.near = self.wet | {other for hex in self.wet for other in around[hex]}
        self._spared: dict[tuple[int, bool], int] = {}
        self._far: list[int] | None = None

    def _wet(self) -> set[int]:
        return flood(self.marches, self.exits, self.held, self.zones, self.most)

    def spared(self, hex: int, zonal: bool = True) -> int:
        """What a unit in a hex would keep from the enemy."""
        if hex not in self.near:
            return 0
        found = self._spared.get((hex, zonal))
        if found is None:
            zone = self.around[hex] if zonal else ()
            self.held[hex] += 1
            for other in zone:
                self.zones[other] += 1
            found = self.before - sum(self.worth[n] for n in self._wet())
            self.held[hex] -= 1
            for other in zone:
                self.zones[other] -= 1
            self._spared[hex, zonal] = found
        return found

    def to_leak(self, hex: int, neighbours: Sequence[Sequence[int]], most: int = 12) -> int:
        """Hexes to the nearest one that the enemy can march into and that is worth something: where a reserve goes."""
        if self._far is None:
            far = [most] * len(self.held)
            edge = [n for n in sorted(self.wet) if self.worth[n]]
            for n in edge:
                far[n] = 0
            for n in edge:
                for other in neighbours[n]:
                    if other >= 0 and far[other] > far[n] + 1:
                        far[other] = far[n] + 1
                        edge.append(other)
            self._far = far
        return self._far[hex]


# --- what is threatened ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ferries:
    """Ways by sea for a side that can carry armies: the sea at each coast, its own ports on each sea, the price."""

    sea_at: Mapping[int, int]
    ports: Mapping[int, Sequence[int]]
    fare: int


@dataclass(frozen=True)
class Ways:
    """By hex: the cost of the cheapest way to an objective (beyond the search: more than any way) and which one."""

    cost: Sequence[int]
    goal: Sequence[int]


def tolls(zones: bytes | bytearray, zone: int, walls: Mapping[int, int]) -> bytearray:
    """What entering each hex costs a side: a flat price in an enemy zone of control, a wall's where an army stands.

    `zones` counts the armies that control a hex. Price both in movement points: what a side loses by stopping (half a
    move or more), and what it takes to beat the army (a whole move; more for ground and fort, less if weak). Where a
    side may not go at all is no matter of tolls: leave those steps out of the table of steps.
    """
    found = bytearray(zones.translate(bytes([0]) + bytes([zone]) * 255))
    for hex, price in walls.items():
        found[hex] = price
    return found


def approach(
    back: Steps,
    seeds: Mapping[int, int],
    toll: bytes | bytearray,
    wanted: Iterable[int],
    most: int,
    ferries: Ferries | None = None,
) -> Ways:
    """The cheapest ways to any of the objectives, searched backwards from them, once for all armies of a side.

    `back` gives for each hex those one can come from. `seeds` are the objectives with the cost they start at: more for
    what is worth less, so that a village beside the road does not hide the capital behind it. The search ends when
    every wanted hex is known or costs more than `most`.
    """
    cost, goal = [most + 1] * len(toll), [-1] * len(toll)
    rings: list[list[int]] = [[] for _ in range(most + 1)]
    for hex, start in seeds.items():
        if start <= most:
            cost[hex], goal[hex] = start, hex
            rings[start].append(hex)
    missing, sailed = set(wanted), set()
    for spent, ring in enumerate(rings):
        for hex in ring:
            if cost[hex] < spent:
                continue  # was reached more cheaply
            missing.discard(hex)
            if not missing:
                return Ways(cost, goal)
            before, objective = spent + toll[hex], goal[hex]
            for other, step in back[hex]:
                total = before + step
                if total < cost[other]:
                    cost[other], goal[other] = total, objective
                    rings[total].append(other)
            sea = ferries.sea_at.get(hex, -1) if ferries else -1
            if ferries and sea >= 0 and sea not in sailed:  # the first coast reached is the cheapest landing
                sailed.add(sea)
                total = before + ferries.fare
                for other in ferries.ports.get(sea, ()):
                    if total < cost[other]:
                        cost[other], goal[other] = total, objective
                        rings[total].append(other)
    return Ways(cost, goal)


def threat(armies: Iterable[int], ways: Ways, worth: Mapping[int, int], urgency: Sequence[int]) -> int:
    """What a side's armies threaten: for each objective a share of its worth, by how cheap the nearest army's way is.

    `urgency` is the share, parts of 100, by cost. The second army on the same objective counts half, the third a
    quarter: closing one of two gaps must show, and yet the whole stays below what losing the objective would cost,
    or a defender would rather lose it than see it menaced.
    """
    by_goal: dict[int, list[int]] = {}
    for hex in armies:
        if ways.goal[hex] >= 0 and ways.cost[hex] < len(urgency):
            by_goal.setdefault(ways.goal[hex], []).append(ways.cost[hex])
    total = 0
    for objective, costs in by_goal.items():
        for rank, cost in enumerate(sorted(costs)[:3]):
            total += worth[objective] * urgency[cost] >> rank
    return total // 100


def ramp(points: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """A table by cost from a few corners, straight between them; the first corner is at cost 0."""
    found = [points[0][1]]
    for (left, low), (right, high) in pairwise(points):
        found += [low + (high - low) * step // (right - left) for step in range(1, right - left + 1)]
    return tuple(found)


URGENCY = ramp([(0, 60), (4, 60), (10, 42), (18, 24), (26, 12), (32, 0)])  # for moves of 8 to 10 points
