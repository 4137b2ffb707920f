"""Movement ranges and shortest paths over whole-number costs.

`StepCosts` holds, for one class of movers, what each step costs: built once from terrain and hexsides, shared by every
unit of the class. `reach` then answers "where can this one go" by spreading through buckets of equal cost. What changes
from turn to turn comes as masks, one byte a hex (`Grid.mask`, or a column of the game state): enemy zones of control
and hexes barred. Half points are for the game to double; negative costs mean "prohibited".

>>> from grognard.hexes.sketch import board_from_rows
>>> board = board_from_rows(". f . .", {".": "clear", "f": "forest"})
>>> foot = StepCosts.of_steps(board.grid, lambda a, b, side: 2 if board.terrain_of(b) == "forest" else 1)
>>> found = reach(foot, 0, 3)
>>> found.costs(), found.path_to(2)
({0: 0, 1: 2, 2: 3}, (0, 1, 2))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Final

from grognard.hexes.board import NodeId
from grognard.hexes.grid import Grid, HexId, SideId

PROHIBITED: Final = -1
Exits = tuple[tuple[tuple[NodeId, int], ...], ...]


@dataclass(frozen=True, slots=True)
class StepCosts:
    """For each node the nodes one step away and the cost of that step; prohibited steps are simply absent."""

    exits: Exits
    cheapest: int = field(init=False, compare=False, repr=False)  # of all steps

    def __post_init__(self) -> None:
        least = min([cost for steps in self.exits for _, cost in steps], default=0)
        object.__setattr__(self, "cheapest", least)

    @classmethod
    def of_steps(cls, grid: Grid, cost: Callable[[HexId, HexId, SideId], int]) -> StepCosts:
        """Ask a function for the cost of each step: from, to, hexside crossed; negative when prohibited."""
        return cls.of_table(
            grid,
            [
                PROHIBITED if other < 0 else cost(hex, other, grid.side_around[hex][direction])
                for hex, six in enumerate(grid.around)
                for direction, other in enumerate(six)
            ],
        )

    @classmethod
    def of_table(cls, grid: Grid, table: Sequence[int]) -> StepCosts:
        """Read a flat table indexed by `hex * 6 + direction`; negative when prohibited."""
        if len(table) != 6 * len(grid):
            raise ValueError(f"a cost table for {len(grid)} hexes has {6 * len(grid)} entries, not {len(table)}")
        return cls(
            tuple(
                tuple(
                    (other, table[6 * hex + direction])
                    for direction, other in enumerate(six)
                    if other >= 0 and table[6 * hex + direction] >= 0
                )
                for hex, six in enumerate(grid.around)
            )
        )

    @classmethod
    def of_links(cls, nodes: int, links: Iterable[tuple[NodeId, NodeId, int]]) -> StepCosts:
        """Steps along links only (rail, road, sea lanes), the same cost both ways; see `Board.links`."""
        exits: list[dict[NodeId, int]] = [{} for _ in range(nodes)]
        for a, b, cost in links:
            if cost >= 0:
                for start, end in ((a, b), (b, a)):
                    exits[start][end] = min(cost, exits[start].get(end, cost))
        return cls(tuple(tuple(sorted(steps.items())) for steps in exits))

    def merged(self, other: StepCosts) -> StepCosts:
        """The cheaper of two ways for each step: roads laid over terrain."""
        size = max(len(self.exits), len(other.exits))
        merged: list[dict[NodeId, int]] = [{} for _ in range(size)]
        for exits in (self.exits, other.exits):
            for node, steps in enumerate(exits):
                for end, cost in steps:
                    merged[node][end] = min(cost, merged[node].get(end, cost))
        return StepCosts(tuple(tuple(steps.items()) for steps in merged))

    def backward(self) -> StepCosts:
        """The same steps walked the other way, for searches that begin at the goal."""
        back: list[list[tuple[NodeId, int]]] = [[] for _ in self.exits]
        for node, steps in enumerate(self.exits):
            for end, cost in steps:
                back[end].append((node, cost))
        return StepCosts(tuple(map(tuple, back)))

    def cost(self, a: NodeId, b: NodeId) -> int | None:
        """The cost of one step, None when prohibited or not a step."""
        return next((cost for end, cost in self.exits[a] if end == b), None)


@dataclass(frozen=True, slots=True)
class ZocRule:
    """What an enemy zone of control does to a mover. The hex it starts from never stops it."""

    stop: bool = True  # who enters a zone moves no further
    enter: int = 0  # extra cost of entering a zone
    leave: int = 0  # extra cost of leaving a zone
    within: int = 0  # extra cost of going from zone to zone; negative when forbidden


STOP: Final = ZocRule()
STOP_AND_NO_INFILTRATION: Final = ZocRule(within=PROHIBITED)


class Reach:
    """Where a mover can go: the hexes in order of cost, the cost of each, and the way there."""

    __slots__ = ("_best", "_came", "hexes", "points", "start")

    def __init__(self, start: NodeId, points: int, hexes: list[NodeId], best: list[int], came: list[NodeId]) -> None:
        self.start = start
        self.points = points
        self.hexes = hexes
        self._best = best
        self._came = came

    def __contains__(self, hex: NodeId) -> bool:
        return 0 <= self._best[hex] <= self.points

    def __len__(self) -> int:
        return len(self.hexes)

    def cost(self, hex: NodeId) -> int | None:
        """Points spent to get there, None when out of reach."""
        return self._best[hex] if hex in self else None

    def costs(self) -> dict[NodeId, int]:
        """Every hex in reach with its cost, cheapest first."""
        best = self._best
        return {hex: best[hex] for hex in self.hexes}

    def path_to(self, hex: NodeId) -> tuple[NodeId, ...]:
        """The cheapest way, both ends included; empty when out of reach."""
        return _walk_back(self._came, hex) if hex in self else ()


def reach(
    costs: StepCosts,
    start: NodeId,
    points: int,
    *,
    zoc: Sequence[int] | None = None,
    rule: ZocRule = STOP,
    barred: Sequence[int] | None = None,
    surcharge: Callable[[NodeId, NodeId], int] | None = None,
) -> Reach:
    """All that a mover can reach from `start` with so many points.

    `zoc` and `barred` are masks by node: zones of control that obey `rule`, and hexes that may not be entered.
    `surcharge(a, b)` is the escape for odd rules: an extra cost of one step, negative to forbid it. Slower.
    """
    exits = costs.exits
    best = [points + 1] * len(exits)
    came = [-1] * len(exits)
    best[start] = 0
    buckets: list[list[NodeId]] = [[] for _ in range(points + 1)]
    if points >= 0:
        buckets[0].append(start)
    nowhere = bytes(len(exits))
    zoc, barred = zoc or nowhere, barred or nowhere
    if surcharge is None and not (rule.enter or rule.leave or rule.within):
        hexes = _spread(costs, buckets, best, came, barred, zoc if rule.stop else nowhere)
    else:
        hexes = _spread_with_extras(costs, buckets, best, came, barred, zoc, rule, surcharge)
    return Reach(start, points, hexes, best, came)


def _spread(
    costs: StepCosts,
    buckets: list[list[NodeId]],
    best: list[int],
    came: list[NodeId],
    barred: Sequence[int],
    stops: Sequence[int],
) -> list[NodeId]:
    """Empty the buckets in order of cost. A barred hex gets a best below every offer; who enters `stops` stays."""
    start = buckets[0][0] if buckets else -1
    exits, last = costs.exits, len(buckets) - 1 - costs.cheapest
    reached: list[NodeId] = []
    for spent, bucket in enumerate(buckets):
        if spent > last:  # nobody can pay for another step
            reached += [hex for hex in bucket if best[hex] == spent]
            continue
        for hex in bucket:  # grows while we read it, when a step costs nothing
            if best[hex] != spent:
                continue
            reached.append(hex)
            if stops[hex] and hex != start:
                continue
            for other, cost in exits[hex]:
                total = spent + cost
                if total < best[other]:
                    if barred[other]:
                        best[other] = -1
                        continue
                    best[other] = total
                    came[other] = hex
                    buckets[total].append(other)
    return reached


def _spread_with_extras(
    costs: StepCosts,
    buckets: list[list[NodeId]],
    best: list[int],
    came: list[NodeId],
    barred: Sequence[int],
    zoc: Sequence[int],
    rule: ZocRule,
    surcharge: Callable[[NodeId, NodeId], int] | None,
) -> list[NodeId]:
    """The same with extra costs, which are looked at only for steps that would otherwise improve."""
    start = buckets[0][0] if buckets else -1
    stop, enter, leave, within = rule.stop, rule.enter, rule.leave, rule.within
    exits, last = costs.exits, len(buckets) - 1 - costs.cheapest
    reached: list[NodeId] = []
    for spent, bucket in enumerate(buckets):
        if spent > last:
            reached += [hex for hex in bucket if best[hex] == spent]
            continue
        for hex in bucket:
            if best[hex] != spent:
                continue
            reached.append(hex)
            in_zone = zoc[hex]
            if in_zone and stop and hex != start:
                continue
            base = spent + leave if in_zone else spent
            for other, cost in exits[hex]:
                total = base + cost
                if total < best[other]:
                    if barred[other]:
                        best[other] = -1
                        continue
                    if zoc[other]:
                        total += enter
                        if in_zone:
                            if within < 0:
                                continue
                            total += within
                    if surcharge is not None:
                        extra = surcharge(hex, other)
                        if extra < 0:
                            continue
                        total += extra
                    if total < best[other]:
                        best[other] = total
                        came[other] = hex
                        buckets[total].append(other)
    return reached


def _walk_back(came: Sequence[NodeId], end: NodeId) -> tuple[NodeId, ...]:
    path = [end]
    while (end := came[end]) >= 0:
        path.append(end)
    return tuple(reversed(path))


def shortest_path(
    costs: StepCosts, start: NodeId, goal: NodeId, *, barred: Sequence[int] | None = None
) -> tuple[NodeId, ...] | None:
    """The cheapest way of any length, both ends included; None when there is none.

    Ties are settled by node number, so that the answer is always the same.

    >>> rail = StepCosts.of_links(6, [(0, 1, 1), (1, 2, 1), (2, 5, 1), (0, 5, 4)])
    >>> shortest_path(rail, 0, 5), shortest_path(rail, 0, 3)
    ((0, 1, 2, 5), None)
    """
    best = {start: 0}
    came = {start: -1}
    queue = [(0, start)]
    while queue:
        spent, node = heappop(queue)
        if node == goal:
            break
        if spent > best[node]:
            continue
        for other, cost in costs.exits[node]:
            total = spent + cost
            if total < best.get(other, total + 1) and not (barred and barred[other]):
                best[other] = total
                came[other] = node
                heappush(queue, (total, other))
    if goal not in came:
        return None
    path = [goal]
    while (goal := came[goal]) >= 0:
        path.append(goal)
    return tuple(reversed(path))
