"""Templates and neighbourhoods: squares and strips on the table, points within so many centimetres, who is nearest.

A template lies with its corner on a corner of the lattice and its edges along the table; a base is touched if any part
of it lies under the template.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .ground import Table
from .measure import CM, STEP, Base, Polygon, gap, gap_to_point, gap_to_shape


class Box(NamedTuple):
    """A rectangle along the table, in quarter centimetres; its upper left corner is a corner of the lattice."""

    x: int
    y: int
    wide: int
    deep: int

    @property
    def outline(self) -> Polygon:
        """Its corners, clockwise."""
        right, bottom = self.x + self.wide, self.y + self.deep
        return (self.x, self.y), (right, self.y), (right, bottom), (self.x, bottom)

    def covers(self, x: int, y: int) -> bool:
        """True if a place lies under it or on its edge."""
        return self.x <= x <= self.x + self.wide and self.y <= y <= self.y + self.deep

    def touches(self, base: Base, x: int, y: int, facing: int) -> bool:
        """True if a base lies under it, wholly or in part."""
        return gap_to_shape(base, x, y, facing, self.outline) == 0


def template(table: Table, middle: int, wide: int, deep: int) -> Box:
    """A template of so many centimetres about a point: its middle is as near to the point as the lattice allows.

    With an odd number of cells the point is the middle; with an even number the lower right of the four middle cells.
    """
    cells_wide, cells_deep = wide * CM // STEP, deep * CM // STEP
    x = table.x[middle] - STEP // 2 - cells_wide // 2 * STEP
    y = table.y[middle] - STEP // 2 - cells_deep // 2 * STEP
    return Box(x, y, wide * CM, deep * CM)


def points_under(table: Table, box: Box) -> list[int]:
    """The points of the table under a template, row by row."""
    return list(table.points_in(box.outline))


def points_within(table: Table, base: Base, at: int, facing: int, reach: int) -> list[int]:
    """The points at most so many quarter centimetres from the edge of a base, its own points included, row by row."""
    x, y = table.x[at], table.y[at]
    far = reach + base.radius + base.half
    box = Box(x - far, y - far, 2 * far, 2 * far)
    near = table.points_in(box.outline)
    return [p for p in near if gap_to_point(base, x, y, facing, table.x[p], table.y[p]) <= reach]


def between(table: Table, base_a: Base, a: int, facing_a: int, base_b: Base, b: int, facing_b: int) -> int:
    """From edge to edge of two bases on points, in quarter centimetres, rounded up."""
    return gap(base_a, table.x[a], table.y[a], facing_a, base_b, table.x[b], table.y[b], facing_b)


def nearest(
    table: Table, base: Base, at: int, facing: int, others: Iterable[tuple[int, Base, int, int]]
) -> tuple[int, list[int]]:
    """The smallest gap to others, given as (key, base, point, facing), and the keys of all so near; -1 if none."""
    best, found = -1, list[int]()
    for key, other, point, turned in others:
        far = between(table, base, at, facing, other, point, turned)
        if best < 0 or far < best:
            best, found = far, [key]
        elif far == best:
            found.append(key)
    return best, found


def to_feature(table: Table, number: int, base: Base, at: int, facing: int) -> int:
    """From the edge of a base to a feature of the table, in quarter centimetres, rounded up; 0 on it."""
    feature = table.features[number]
    closed = feature.group != "line"
    return min(gap_to_shape(base, table.x[at], table.y[at], facing, shape, closed) for shape in feature.shapes)
