"""Form lines: thin brown contours on maps of a few kilometres a hex; heights show where tints hide the shade."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from scipy import ndimage

from maps.draw import svg
from maps.draw.curves import chaikin
from maps.draw.frame import Point
from maps.draw.sheet import Floats, Sheet, once

STEP = 50.0
"""Metres between two lines; every fourth is heavier."""
SHORTEST = 70.0
"""Shorter lines (in units) are noise of the source."""
_CASES: dict[int, list[tuple[int, int]]] = {
    1: [(3, 0)], 2: [(0, 1)], 3: [(3, 1)], 4: [(1, 2)], 5: [(3, 0), (1, 2)], 6: [(0, 2)], 7: [(3, 2)],
    8: [(2, 3)], 9: [(2, 0)], 10: [(0, 1), (2, 3)], 11: [(2, 1)], 12: [(1, 3)], 13: [(1, 0)], 14: [(0, 3)],
}  # fmt: skip
"""Sides of a square that a line joins, by the corners above the level (north-west 1, north-east 2, south-east 4, 8)."""


def forms(sheet: Sheet) -> str:
    """The layer: lines on land, none on maps whose hexes are larger than twenty kilometres."""
    if not sheet.is_small or sheet.art.heights is None or sheet.style.look["relief"] <= 0:
        return svg.layer("forms", "")
    look: dict[str, object] = {"fill": "none", "stroke": sheet.style.colour("form"), "stroke_linejoin": "round"}
    body = [
        svg.path(data, stroke_width=width, opacity=opacity, **look)
        for data, width, opacity in zip(_lines(sheet), (0.8, 1.3), (0.62, 0.75))
    ]
    return svg.layer("forms", body, clip_path="url(#on-land)")


@once
def _lines(sheet: Sheet) -> tuple[str, str]:
    """Path data of the plain and of the heavy lines."""
    assert sheet.art.heights is not None
    heights = ndimage.gaussian_filter(sheet.art.heights, 2.2)
    high, wide = heights.shape
    scale = sheet.frame.width / wide, sheet.frame.height / high
    plain: list[list[Point]] = []
    heavy: list[list[Point]] = []
    for number in range(1, int(float(heights.max()) / STEP) + 1):
        for line in contour(heights, number * STEP):
            points = [((x + 0.5) * scale[0], (y + 0.5) * scale[1]) for x, y in line]
            if sum(math.dist(a, b) for a, b in pairwise(points)) >= SHORTEST:
                (heavy if number % 4 == 0 else plain).append(chaikin(points[::2] + points[-1:], 1))
    return svg.lines(plain, parts=2), svg.lines(heavy, parts=2)


def contour(heights: Floats, level: float) -> list[list[Point]]:
    """The lines at one height, as chains of points (column, row), by marching squares.

    >>> grid = np.array([[0.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.0]])
    >>> [len(line) for line in contour(grid, 1.0)]
    [5]
    """
    above = heights > level
    code = above[:-1, :-1] * 1 + above[:-1, 1:] * 2 + above[1:, 1:] * 4 + above[1:, :-1] * 8
    after: dict[tuple[int, int, int], list[tuple[int, int, int]]] = {}
    for row, col in zip(*(where.tolist() for where in np.nonzero((code > 0) & (code < 15)))):
        for one, other in _CASES[int(code[row, col])]:
            a, b = _edge(row, col, one), _edge(row, col, other)
            after.setdefault(a, []).append(b)
            after.setdefault(b, []).append(a)
    chains = []
    for start in sorted(after, key=lambda edge: (len(after[edge]) != 1, edge)):
        while after[start]:
            chain = [start]
            while after[chain[-1]]:
                there = after[chain[-1]].pop()
                after[there].remove(chain[-1])
                chain.append(there)
            chains.append([_cross(heights, level, edge) for edge in chain])
    return chains


def _edge(row: int, col: int, side: int) -> tuple[int, int, int]:
    """An edge of the grid by its first corner and its direction (0 east, 1 south)."""
    return {0: (row, col, 0), 1: (row, col + 1, 1), 2: (row + 1, col, 0), 3: (row, col, 1)}[side]


def _cross(heights: Floats, level: float, edge: tuple[int, int, int]) -> Point:
    """Where the level crosses an edge."""
    row, col, down = edge
    one = float(heights[row, col])
    two = float(heights[row + down, col + 1 - down])
    t = (level - one) / (two - one)
    return (float(col), row + t) if down else (col + t, float(row))
