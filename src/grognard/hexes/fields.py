"""Spreading over a map: all that is joined to some nodes, and how far every node is from the nearest of them.

`flood` and `rings` go by neighbours, one step each; `field` by exits with prices. What is farther than `far` counts as
`far`. Paths for movement, with zones of control, are in `paths`; supply lines in stages in `regions`.

>>> line = [(1,), (0, 2), (1, 3), (2,)]
>>> flood([0], line, lambda n: n < 3), rings({0: 0}, line, 9), field({3: 2}, [[(n, 2) for n in to] for to in line], 5)
({0: 0, 1: 0, 2: 1}, [0, 1, 2, 3], [5, 5, 4, 2])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

Links: TypeAlias = "Sequence[Iterable[int]] | Mapping[int, Iterable[int]]"


def flood(starts: Iterable[int], neighbours: Links, enters: Callable[[int], object] | None = None) -> dict[int, int]:
    """Every node joined to the starts by nodes that may be entered, nearest first, with the node it is reached from.

    Starts are taken as they are, and are reached from themselves. Without `enters` every node may be entered.
    """
    came = {node: node for node in starts}
    todo = list(came)
    for node in todo:
        for other in neighbours[node]:
            if other not in came and (enters is None or enters(other)):
                came[other] = node
                todo.append(other)
    return came


def way_back(came: Mapping[int, int], node: int) -> list[int]:
    """From a node of a flood to the start that it is joined to, both included."""
    path = [node]
    while came[path[-1]] != path[-1]:
        path.append(came[path[-1]])
    return path


def rings(seeds: Mapping[int, int], neighbours: Sequence[Iterable[int]], far: int) -> list[int]:
    """By node, how many steps it is away from seeds that are so far already."""
    table, found = _seeded(seeds, len(neighbours), far)
    for distance, ring in enumerate(found[:-1], 1):
        for node in ring:
            for other in neighbours[node]:
                if table[other] > distance:
                    table[other] = distance
                    found[distance].append(other)
    return table


def field(seeds: Mapping[int, int], exits: Sequence[Iterable[tuple[int, int]]], far: int) -> list[int]:
    """By node, what the cheapest way from seeds that cost so much already costs, over exits with prices above 0."""
    table, found = _seeded(seeds, len(exits), far)
    for spent, ring in enumerate(found):
        for node in ring:
            if table[node] == spent:
                for other, price in exits[node]:
                    if table[other] > spent + price:
                        table[other] = spent + price
                        found[spent + price].append(other)
    return table


def _seeded(seeds: Mapping[int, int], nodes: int, far: int) -> tuple[list[int], list[list[int]]]:
    """The table with the seeds in it, and the seeds by their distance."""
    table, found = [far] * nodes, [list[int]() for _ in range(far + 1)]
    for node, distance in seeds.items():
        if distance < far:
            table[node] = distance
            found[distance].append(node)
    return table, found
