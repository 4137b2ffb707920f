"""Hex coordinates: one axial pair inside, exact integers, no printed numbers (those live in `numbering`).

Axial `(q, r)` with the implied third `s = -q - r`. The six directions are numbered clockwise and have the same vectors
for both orientations; only their compass names differ:

    direction      0    1    2    3    4    5
    pointy tops    NE   E    SE   SW   W    NW
    flat tops      NE   SE   S    SW   NW   N

Corner `i` of a hex lies between its sides `i` and `i + 1`; side `i` therefore joins corners `i - 1` and `i`.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

Orientation = Literal["pointy", "flat"]


class Axial(NamedTuple):
    """A hex of the endless plane."""

    q: int
    r: int

    @property
    def s(self) -> int:
        """The third cube coordinate: q + r + s is always 0."""
        return -self.q - self.r


ORIGIN: Final = Axial(0, 0)
DIRECTIONS: Final = (Axial(1, -1), Axial(1, 0), Axial(0, 1), Axial(-1, 1), Axial(-1, 0), Axial(0, -1))
COMPASS: Final[dict[Orientation, tuple[str, ...]]] = {
    "pointy": ("NE", "E", "SE", "SW", "W", "NW"),
    "flat": ("NE", "SE", "S", "SW", "NW", "N"),
}
# Corner i, in thirds of a hex step from the centre.
CORNERS: Final = tuple(
    Axial(DIRECTIONS[i].q + DIRECTIONS[(i + 1) % 6].q, DIRECTIONS[i].r + DIRECTIONS[(i + 1) % 6].r) for i in range(6)
)


def direction_named(name: str, orientation: Orientation) -> int:
    """The number of a compass direction.

    >>> direction_named("W", "pointy"), direction_named("S", "flat")
    (4, 2)
    """
    names = COMPASS[orientation]
    if name.upper() not in names:
        raise ValueError(f"no direction {name!r} on a {orientation} grid; use one of {', '.join(names)}")
    return names.index(name.upper())


def opposite(direction: int) -> int:
    """The direction that points back.

    >>> opposite(1)
    4
    """
    return (direction + 3) % 6


def step(hex: Axial, direction: int, times: int = 1) -> Axial:
    """The hex reached by so many steps in one direction."""
    vector = DIRECTIONS[direction % 6]
    return Axial(hex.q + vector.q * times, hex.r + vector.r * times)


def distance(a: Axial, b: Axial) -> int:
    """Steps between two hexes.

    >>> distance(Axial(0, 0), Axial(2, -1))
    2
    """
    dq = a.q - b.q
    dr = a.r - b.r
    return max(abs(dq), abs(dr), abs(dq + dr))


def direction_to(a: Axial, b: Axial) -> int | None:
    """The direction of an adjacent hex, or None when `b` is not adjacent to `a`."""
    vector = Axial(b.q - a.q, b.r - a.r)
    return DIRECTIONS.index(vector) if vector in DIRECTIONS else None


def rotate(hex: Axial, sixths: int, about: Axial = ORIGIN) -> Axial:
    """Turn clockwise by so many sixths of a circle (negative: the other way).

    >>> rotate(DIRECTIONS[0], 2) == DIRECTIONS[2]
    True
    """
    q, r = hex.q - about.q, hex.r - about.r
    for _ in range(sixths % 6):
        q, r = -r, q + r
    return Axial(q + about.q, r + about.r)


def ring(centre: Axial, radius: int) -> tuple[Axial, ...]:
    """The hexes at exactly that distance, clockwise.

    >>> len(ring(ORIGIN, 2)), ring(ORIGIN, 0)
    (12, (Axial(q=0, r=0),))
    """
    if radius < 0:
        raise ValueError(f"a ring needs a radius of 0 or more, not {radius}")
    if radius == 0:
        return (centre,)
    found: list[Axial] = []
    hex = step(centre, 0, radius)
    for side in range(6):
        for _ in range(radius):
            found.append(hex)
            hex = step(hex, side + 2)
    return tuple(found)


def disc(centre: Axial, radius: int) -> tuple[Axial, ...]:
    """The hexes within that distance, ring by ring, the centre first.

    >>> len(disc(ORIGIN, 3))
    37
    """
    return tuple(hex for n in range(radius + 1) for hex in ring(centre, n))


def cell(q: int, r: int, scale: int) -> Axial:
    """The hex that holds the point `(q / scale, r / scale)`; a point on a hexside always goes the same way.

    The point is nudged by (1, 2, -3) / 8 of the smallest unit: too little to change a clear case, enough to leave no
    tie. The nudge does not depend on who asks, so a line read backwards gives the same hexes.
    """
    q, r, scale = 8 * q + 1, 8 * r + 2, 8 * scale
    s = -q - r
    near_q = (2 * q + scale) // (2 * scale)
    near_r = (2 * r + scale) // (2 * scale)
    near_s = (2 * s + scale) // (2 * scale)
    off_q, off_r, off_s = abs(q - near_q * scale), abs(r - near_r * scale), abs(s - near_s * scale)
    if off_q > off_r and off_q > off_s:
        near_q = -near_r - near_s
    elif off_r > off_s:
        near_r = -near_q - near_s
    return Axial(near_q, near_r)


def line(a: Axial, b: Axial) -> tuple[Axial, ...]:
    """A straight chain of adjacent hexes from `a` to `b`, one for each step; the same chain backwards from `b` to `a`.

    For what a line of sight really crosses, see `sight`.

    >>> [tuple(hex) for hex in line(Axial(0, 0), Axial(3, 0))]
    [(0, 0), (1, 0), (2, 0), (3, 0)]
    """
    n = distance(a, b)
    if n == 0:
        return (a,)
    return tuple(cell(a.q * (n - k) + b.q * k, a.r * (n - k) + b.r * k, n) for k in range(n + 1))


def corner(hex: Axial, number: int) -> Axial:
    """A corner's own coordinate, in thirds: the same for the three hexes that meet there.

    >>> corner(ORIGIN, 0) == corner(DIRECTIONS[0], 2) == corner(DIRECTIONS[1], 4)
    True
    """
    offset = CORNERS[number % 6]
    return Axial(3 * hex.q + offset.q, 3 * hex.r + offset.r)
