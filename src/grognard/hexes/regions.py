"""Connected regions, and lanes traced from sources: supply, communication, withdrawal.

A lane is traced in *stages*, from its source outwards: each stage has its own steps (over hexes, along rails ...), its
own greatest length and its own obstacles, and begins where the stage before could end. "Any length by rail, then at
most three hexes overland" is two stages. A stage of no length is always allowed.

>>> from grognard.hexes.sketch import board_from_rows
>>> board = board_from_rows(". . . . . .", {".": "clear"}, links={"0101|0102": {"rail": 1}, "0102|0103": {"rail": 1}})
>>> rail, overland = Stage(over_links(board, "rail")), Stage(over_hexes(board.grid), limit=2)
>>> lanes = trace([0], rail, overland)
>>> lanes.nodes, lanes.lane(4), lanes.legs(4)
((0, 1, 2, 3, 4), (0, 1, 2, 3, 4), ((0, 1, 2), (2, 3, 4)))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from grognard.hexes.board import Board, NodeId
from grognard.hexes.grid import Grid, HexId, SideId
from grognard.hexes.paths import StepCosts

Steps = Callable[[NodeId], Iterable[tuple[NodeId, int]]]
MayEnter = Callable[[NodeId], object]
MayCross = Callable[[SideId], object]


# Regions


def region_of(grid: Grid, start: HexId, may_enter: MayEnter, may_cross: MayCross | None = None) -> tuple[HexId, ...]:
    """The hexes connected to `start` through hexes and sides that let pass, itself included, sorted."""
    found = {start}
    queue = [start]
    for hex in queue:
        for other, side in zip(grid.around[hex], grid.side_around[hex]):
            if other >= 0 and other not in found and (may_cross is None or may_cross(side)) and may_enter(other):
                found.add(other)
                queue.append(other)
    return tuple(sorted(found))


def regions(grid: Grid, belongs: MayEnter, may_cross: MayCross | None = None) -> tuple[tuple[HexId, ...], ...]:
    """Every connected region of the hexes that belong, each sorted, in the order of their first hexes."""
    members = {hex for hex in range(len(grid)) if belongs(hex)}
    found: list[tuple[HexId, ...]] = []
    seen: set[HexId] = set()
    for hex in range(len(grid)):
        if hex in members and hex not in seen:
            found.append(region_of(grid, hex, members.__contains__, may_cross))
            seen.update(found[-1])
    return tuple(found)


# What a stage may step on


def over_hexes(
    grid: Grid, may_cross: MayCross | None = None, cost: Callable[[HexId, HexId], int] | None = None
) -> Steps:
    """Steps from hex to hex. `cost(a, b)` is that of the step outwards, 1 if not given, negative when prohibited."""

    def steps(hex: NodeId) -> list[tuple[NodeId, int]]:
        found = []
        for other, side in zip(grid.around[hex], grid.side_around[hex]):
            if other >= 0 and (may_cross is None or may_cross(side)):
                price = 1 if cost is None else cost(hex, other)
                if price >= 0:
                    found.append((other, price))
        return found

    return lambda node: steps(node) if node < len(grid) else ()


def over_links(board: Board, *kinds: str) -> Steps:
    """Steps along links of these kinds, one point each."""
    return lambda node: [(other, 1) for kind in kinds for other in board.links_of(node, kind)]


def over_costs(costs: StepCosts) -> Steps:
    """Steps of a cost table."""
    return costs.exits.__getitem__


# Lanes


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of a lane.

    `limit` is the greatest length, None for any. `may_enter` bars nodes altogether. `may_pass` lets a lane reach a node
    but not go on from there, in this stage or the next: a unit in an enemy zone of control may draw supply, its
    neighbour may not draw it through that hex. Neither is asked of the sources; where a later stage begins, its
    `may_pass` is asked but its `may_enter` is not.
    """

    steps: Steps
    limit: int | None = None
    may_enter: MayEnter | None = None
    may_pass: MayEnter | None = None


class Lanes:
    """What was traced: which nodes have a lane, and hex by hex where it runs."""

    __slots__ = ("_came", "_costs", "_stage", "nodes")

    def __init__(self, costs: list[dict[NodeId, int]], came: list[dict[NodeId, NodeId]]) -> None:
        self._costs = costs
        self._came = came
        self._stage: dict[NodeId, int] = {}
        for stage, reached in enumerate(costs):
            for node in reached:
                self._stage.setdefault(node, stage)
        self.nodes: tuple[NodeId, ...] = tuple(sorted(self._stage))

    def __contains__(self, node: NodeId) -> bool:
        return node in self._stage

    def __len__(self) -> int:
        return len(self.nodes)

    def legs(self, node: NodeId) -> tuple[tuple[NodeId, ...], ...]:
        """The lane from source to node, cut into its stages; a leg of one node has no length. Empty without a lane."""
        if node not in self._stage:
            return ()
        found: list[tuple[NodeId, ...]] = []
        for stage in range(self._stage[node], -1, -1):
            leg = [node]
            while (node := self._came[stage][node]) >= 0:
                leg.append(node)
            node = leg[-1]
            found.append(tuple(reversed(leg)))
        return tuple(reversed(found))

    def lane(self, node: NodeId) -> tuple[NodeId, ...]:
        """The whole lane from source to node, both included; empty without a lane."""
        legs = self.legs(node)
        return tuple(step for i, leg in enumerate(legs) for step in (leg[1:] if i else leg))

    def source_of(self, node: NodeId) -> NodeId | None:
        """Where the lane begins, None without a lane."""
        legs = self.legs(node)
        return legs[0][0] if legs else None

    def stage_of(self, node: NodeId) -> int | None:
        """The first stage that gets there, counted from 0; None without a lane."""
        return self._stage.get(node)

    def last_leg(self, node: NodeId) -> int | None:
        """Length of the last leg; None without a lane."""
        stage = self._stage.get(node)
        return None if stage is None else self._costs[stage][node]

    def distance(self, node: NodeId) -> int | None:
        """Length of the whole lane; None without a lane."""
        legs = self.legs(node)
        return sum(self._costs[stage][leg[-1]] for stage, leg in enumerate(legs)) if legs else None


def trace(sources: Iterable[NodeId], *stages: Stage) -> Lanes:
    """Trace lanes from the sources through the stages, keeping the last leg as short as possible."""
    origins = frozenset(sources)
    starts = sorted(origins)
    costs: list[dict[NodeId, int]] = []
    came: list[dict[NodeId, NodeId]] = []
    for stage in stages:
        cost, back, starts = _spread(starts, origins, stage)
        costs.append(cost)
        came.append(back)
    return Lanes(costs, came)


def _spread(
    starts: list[NodeId], origins: frozenset[NodeId], stage: Stage
) -> tuple[dict[NodeId, int], dict[NodeId, NodeId], list[NodeId]]:
    """One stage: the length to each node, the node before it, and the nodes from which a lane may go on."""
    steps, limit, may_enter, may_pass = stage.steps, stage.limit, stage.may_enter, stage.may_pass
    best = dict.fromkeys(starts, 0)
    came = dict.fromkeys(starts, -1)
    refused: set[NodeId] = set()
    go_on: list[NodeId] = []
    buckets: dict[int, list[NodeId]] = {0: list(starts)}
    spent = 0
    while buckets:
        for node in buckets.get(spent, ()):  # grows while we read it, when a step costs nothing
            if best[node] != spent or (may_pass is not None and node not in origins and not may_pass(node)):
                continue
            go_on.append(node)
            for other, cost in steps(node):
                total = spent + cost
                if (limit is not None and total > limit) or total >= best.get(other, total + 1) or other in refused:
                    continue
                if may_enter is not None and other not in best and not may_enter(other):
                    refused.add(other)
                    continue
                best[other] = total
                came[other] = node
                buckets.setdefault(total, []).append(other)
        buckets.pop(spent, None)
        spent += 1
    return best, came, go_on
