"""Line of sight: what the straight line between two hex centres really crosses. Exact, in whole numbers.

The line is cut into *spans*: one hex each, or two where the line runs along the side between them. On a grid a span
also says which hexsides the line meets on entering it. Through a corner, that is the side between the hex left and the
hex entered; a third hex that is merely touched at the corner is no part of the line.

>>> [[tuple(hex) for hex in span] for span in spans(Axial(0, 0), Axial(2, -1))]
[[(0, 0)], [(1, -1), (1, 0)], [(2, -1)]]
>>> [[tuple(hex) for hex in span] for span in spans(Axial(0, 0), Axial(2, 0))]
[[(0, 0)], [(1, 0)], [(2, 0)]]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from grognard.hexes.coords import CORNERS, Axial, step
from grognard.hexes.grid import Grid, HexId, SideId


class Span(NamedTuple):
    """A stretch of a line on a grid; hexes and sides off the map are left out."""

    hexes: tuple[HexId, ...]  # one, or two when the line runs between them
    entered: tuple[SideId, ...]  # the sides met when entering this span
    along: SideId  # the side the line runs along, -1 for none


def spans(a: Axial, b: Axial) -> tuple[tuple[Axial, ...], ...]:
    """The line from `a` to `b` on the endless plane, span by span, both ends included.

    In each hex, ask of its corners on which side of the line they lie. Going clockwise, the line leaves where they
    change from left to right: between two corners, or through one that lies on the line itself.
    """
    dq, dr = b.q - a.q, b.r - a.r
    found: list[tuple[Axial, ...]] = [(a,)]
    hex = a
    while hex != b:
        # Thirds of a step make corners whole. Negative: left of the line; positive: right.
        from_q, from_r = 3 * (hex.q - a.q), 3 * (hex.r - a.r)
        lies = [dq * (from_r + corner.r) - dr * (from_q + corner.q) for corner in CORNERS]
        side = next((i for i in range(6) if lies[i - 1] < 0 < lies[i]), None)
        if side is not None:
            hex = step(hex, side)
        else:
            corner = next(i for i in range(6) if lies[i - 1] < 0 == lies[i] < lies[(i + 1) % 6])
            left, right = step(hex, corner), step(hex, corner + 1)
            # The side between those two leads straight on from the corner. Does the line follow it, or pass by?
            bend = dq * CORNERS[corner].r - dr * CORNERS[corner].q
            if bend == 0:
                found.append((left, right))
                hex = step(left, corner + 1)
            else:
                hex = left if bend > 0 else right
        found.append((hex,))
    return tuple(found)


def sight_line(grid: Grid, a: HexId, b: HexId) -> tuple[Span, ...]:
    """The line from `a` to `b` on a grid, both ends included."""
    found: list[Span] = []
    before: tuple[HexId, ...] = ()
    for span in spans(grid.coords[a], grid.coords[b]):
        hexes = tuple(hex for hex in map(grid.hex_at, span) if hex >= 0)
        entered = tuple(grid.side_between(old, new) for old in before for new in hexes)
        along = grid.side_between(*hexes) if len(hexes) == 2 else -1
        found.append(Span(hexes, entered, along))
        before = hexes
    return tuple(found)


def first_block(
    grid: Grid,
    a: HexId,
    b: HexId,
    hex_blocks: Callable[[HexId], object],
    side_blocks: Callable[[SideId], object] | None = None,
    between: Literal["both", "either"] = "both",
) -> Span | None:
    """The first span that stops the line of sight, None when it is clear.

    The end hexes never block. Where the line runs between two hexes, or enters over two sides at a corner, `both` must
    block to stop it, or `either` one, as the game says; where one of the two is off the map, the other decides alone.
    A side followed for its whole length blocks by itself. A hole in the map does not block.
    """
    enough = all if between == "both" else any
    line = sight_line(grid, a, b)
    for span in line[1:]:
        if side_blocks is not None:
            if span.entered and enough(side_blocks(side) for side in span.entered):
                return span
            if span.along >= 0 and side_blocks(span.along):
                return span
        if span is not line[-1] and span.hexes and enough(hex_blocks(hex) for hex in span.hexes):
            return span
    return None


def can_see(
    grid: Grid,
    a: HexId,
    b: HexId,
    hex_blocks: Callable[[HexId], object],
    side_blocks: Callable[[SideId], object] | None = None,
    between: Literal["both", "either"] = "both",
) -> bool:
    """Is the line from `a` to `b` clear? The answer is the same from `b` to `a`."""
    return first_block(grid, a, b, hex_blocks, side_blocks, between) is None
