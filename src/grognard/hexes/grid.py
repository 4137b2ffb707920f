"""The grid: hexes, hexsides and corners as small integers, with every neighbour looked up once.

Hexes are numbered 0, 1, 2 ... in the order of their printed numbers, so an id means the same on every machine. The
sheet may have holes: only the hexes named exist. A hexside belongs to two hexes; the outer rim of the map has none.
Corners are shared by up to three hexes and let a river be followed from side to side.

>>> from grognard.hexes.numbering import Numbering
>>> grid = Grid(Numbering("pointy", 3, 4))
>>> a, b = grid.hex_named("0202"), grid.hex_named("0203")
>>> grid.distance(a, b), grid.hexes_of_side(grid.side_between(a, b)) == (a, b)
(1, True)
>>> [grid.names[hex] for hex in grid.neighbours[a]]
['0102', '0103', '0201', '0203', '0302', '0303']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from grognard.hexes import coords
from grognard.hexes.coords import COMPASS, DIRECTIONS, Axial, Orientation
from grognard.hexes.numbering import NumberError, Numbering

HexId = int
SideId = int
CornerId = int


class GridError(ValueError):
    """A hex, side or direction that this grid does not have."""


class Grid:
    """The hexes of one map and all that follows from their shape alone.

    Attributes, all read-only:
        numbering    how the sheet is printed
        names        printed number of each hex
        coords       axial coordinate of each hex
        around       for each hex its six neighbours by direction, -1 where there is none
        neighbours   for each hex its existing neighbours, sorted by id
        sides        for each hexside its two hexes, the lower id first
        side_around  for each hex its six hexsides by direction, -1 on the rim

    The last four are worked out when first asked for: a map that is only listed or looked at never needs them.
    """

    around: tuple[tuple[HexId, ...], ...]
    neighbours: tuple[tuple[HexId, ...], ...]
    sides: tuple[tuple[HexId, HexId], ...]
    side_around: tuple[tuple[SideId, ...], ...]

    def __init__(self, numbering: Numbering, names: Iterable[str] | None = None) -> None:
        """Build the grid of the named hexes, or of the full sheet."""
        self.numbering = numbering
        self.names: tuple[str, ...] = tuple(numbering.sheet() if names is None else sorted(names))
        self._by_name: dict[str, HexId] = {name: hex for hex, name in enumerate(self.names)}
        if len(self._by_name) != len(self.names):
            twice = next(a for a, b in pairwise(self.names) if a == b)
            raise GridError(f"hex {twice} is named twice")
        self.coords: tuple[Axial, ...] = tuple(numbering.axials(self.names))
        self._within: dict[tuple[HexId, int], tuple[HexId, ...]] = {}

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            """Called once for each of the four tables; afterwards they are plain attributes."""
            if name in ("around", "neighbours"):
                self._number_neighbours()
            elif name in ("sides", "side_around"):
                self._number_sides()
            else:
                raise AttributeError(f"a grid has no {name!r}")
            return self.__dict__[name]

    def _number_neighbours(self) -> None:
        """Look up each neighbour once."""
        # One whole number for each coordinate, wide enough that a step over the edge meets no other hex.
        width = 4 * (self.numbering.rows + self.numbering.cols + 2)
        find = {q * width + r: hex for hex, (q, r) in enumerate(self.coords)}.get
        a, b, c, d, e, f = (dq * width + dr for dq, dr in DIRECTIONS)
        self.around = tuple(
            [
                (find(at + a, -1), find(at + b, -1), find(at + c, -1),
                 find(at + d, -1), find(at + e, -1), find(at + f, -1))
                for at in [q * width + r for q, r in self.coords]
            ]
        )  # fmt: skip
        self.neighbours = tuple(
            [tuple(sorted([hex for hex in six if hex >= 0] if -1 in six else six)) for six in self.around]
        )

    def _number_sides(self) -> None:
        """Number the hexsides in the order of their two hexes, as map files list them."""
        sides: list[tuple[HexId, HexId]] = []
        side_around = [[-1] * 6 for _ in self.names]
        side = 0
        for hex, (near, six) in enumerate(zip(self.neighbours, self.around)):
            for other in near:
                if other > hex:
                    direction = six.index(other)
                    side_around[hex][direction] = side_around[other][direction - 3] = side
                    sides.append((hex, other))
                    side += 1
        self.sides = tuple(sides)
        self.side_around = tuple(map(tuple, side_around))

    @cached_property
    def _by_coord(self) -> dict[tuple[int, int], HexId]:
        return {coord: hex for hex, coord in enumerate(self.coords)}

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"<Grid of {len(self)} {self.orientation} hexes, {self.names[0]} to {self.names[-1]}>"

    @property
    def orientation(self) -> Orientation:
        """`pointy` or `flat`."""
        return self.numbering.orientation

    # Names and coordinates

    def hex_named(self, name: str) -> HexId:
        """The hex with that printed number; the error suggests close ones."""
        hex = self._by_name.get(name)
        if hex is None:
            raise GridError(self._why_no_hex(name))
        return hex

    def number_of(self, name: str) -> HexId:
        """The hex with that printed number, -1 when there is none."""
        return self._by_name.get(name, -1)

    def has_hex(self, name: str) -> bool:
        """Is there a hex with that printed number?"""
        return name in self._by_name

    def hex_at(self, coord: Axial) -> HexId:
        """The hex at a coordinate, -1 off the map."""
        return self._by_coord.get(coord, -1)

    def _why_no_hex(self, name: str) -> str:
        try:
            coord = self.numbering.axial_named(name)
        except NumberError as error:
            from difflib import get_close_matches

            close = get_close_matches(name, self.names, 3, 0.5)
            return f"{error}" + (f"; close: {', '.join(close)}" if close else "")
        near = sorted(range(len(self)), key=lambda hex: (coords.distance(coord, self.coords[hex]), hex))[:3]
        return f"{name} is not a hex of this map; close: {', '.join(self.names[hex] for hex in near)}"

    # Directions, distance, areas

    def direction(self, a: HexId, b: HexId) -> int:
        """The direction from a hex to a neighbour."""
        try:
            return self.around[a].index(b)
        except ValueError:
            raise GridError(f"{self.names[a]} and {self.names[b]} are not adjacent") from None

    def compass(self, a: HexId, b: HexId) -> str:
        """The direction from a hex to a neighbour, in words."""
        return COMPASS[self.orientation][self.direction(a, b)]

    def are_adjacent(self, a: HexId, b: HexId) -> bool:
        """Do the two hexes share a side?"""
        (aq, ar), (bq, br) = self.coords[a], self.coords[b]
        return (bq - aq, br - ar) in DIRECTIONS

    def distance(self, a: HexId, b: HexId) -> int:
        """Hexes from `a` to `b` as the crow flies, holes or not."""
        aq, ar = self.coords[a]
        bq, br = self.coords[b]
        dq = aq - bq
        dr = ar - br
        if dq < 0:
            dq, dr = -dq, -dr
        return dq + dr if dr > 0 else max(dq, -dr)

    def within(self, hex: HexId, radius: int) -> tuple[HexId, ...]:
        """The hexes at most that far away, itself included, sorted. Remembered."""
        found = self._within.get((hex, radius))
        if found is None:
            find = self._by_coord.get
            ids = (find(coord, -1) for coord in coords.disc(self.coords[hex], radius))
            found = self._within[hex, radius] = tuple(sorted(other for other in ids if other >= 0))
        return found

    def ring(self, hex: HexId, radius: int) -> tuple[HexId, ...]:
        """The hexes exactly that far away, clockwise, holes left out."""
        ids = map(self.hex_at, coords.ring(self.coords[hex], radius))
        return tuple(other for other in ids if other >= 0)

    def line(self, a: HexId, b: HexId) -> tuple[HexId, ...]:
        """A straight chain of hexes, both ends included, holes left out."""
        ids = map(self.hex_at, coords.line(self.coords[a], self.coords[b]))
        return tuple(hex for hex in ids if hex >= 0)

    def mask(self, holds: Callable[[HexId], object]) -> bytes:
        """One byte for each hex, 1 where the test holds: the form in which `paths` wants zones and obstacles."""
        return bytes(1 if holds(hex) else 0 for hex in range(len(self.names)))

    def zone(self, hexes: Iterable[HexId]) -> bytearray:
        """The mask of some hexes and their neighbours: the plain zones of control of who stands there."""
        mask, neighbours = bytearray(len(self.names)), self.neighbours
        for hex in hexes:
            mask[hex] = 1
            for other in neighbours[hex]:
                mask[other] = 1
        return mask

    # Hexsides

    def side_between(self, a: HexId, b: HexId) -> SideId:
        """The hexside that two adjacent hexes share."""
        return self.side_around[a][self.direction(a, b)]

    def hexes_of_side(self, side: SideId) -> tuple[HexId, HexId]:
        """The two hexes of a hexside, the lower id first."""
        return self.sides[side]

    def sides_of(self, hex: HexId) -> tuple[SideId, ...]:
        """The hexsides of a hex, clockwise, the rim left out."""
        return tuple(side for side in self.side_around[hex] if side >= 0)

    def side_name(self, side: SideId) -> str:
        """The two printed numbers, as in map files.

        >>> Grid(Numbering("flat", 2, 2, "col-row", shift="south")).side_name(0)
        '0101|0102'
        """
        a, b = self.sides[side]
        return f"{self.names[a]}|{self.names[b]}"

    # Corners

    @cached_property
    def corner_around(self) -> tuple[tuple[CornerId, ...], ...]:
        """For each hex its six corners; corner i lies between sides i and i + 1."""
        numbers: dict[Axial, CornerId] = {}
        return tuple(
            tuple(numbers.setdefault(coords.corner(hex, i), len(numbers)) for i in range(6)) for hex in self.coords
        )

    @cached_property
    def corner_count(self) -> int:
        """How many corners the map has."""
        return 1 + max(map(max, self.corner_around), default=-1)

    def corners_of(self, hex: HexId) -> tuple[CornerId, ...]:
        """The six corners of a hex, clockwise."""
        return self.corner_around[hex]

    def corners_of_side(self, side: SideId) -> tuple[CornerId, CornerId]:
        """The two ends of a hexside."""
        hex = self.sides[side][0]
        direction = self.side_around[hex].index(side)
        six = self.corner_around[hex]
        return six[direction - 1], six[direction]

    @cached_property
    def _sides_at(self) -> tuple[tuple[SideId, ...], ...]:
        found: list[list[SideId]] = [[] for _ in range(self.corner_count)]
        for side in range(len(self.sides)):
            for corner in self.corners_of_side(side):
                found[corner].append(side)
        return tuple(map(tuple, found))

    @cached_property
    def _hexes_at(self) -> tuple[tuple[HexId, ...], ...]:
        found: list[list[HexId]] = [[] for _ in range(self.corner_count)]
        for hex, six in enumerate(self.corner_around):
            for corner in six:
                found[corner].append(hex)
        return tuple(map(tuple, found))

    def sides_at(self, corner: CornerId) -> tuple[SideId, ...]:
        """The hexsides that meet in a corner."""
        return self._sides_at[corner]

    def hexes_at(self, corner: CornerId) -> tuple[HexId, ...]:
        """The hexes that meet in a corner."""
        return self._hexes_at[corner]

    def sides_touching(self, side: SideId) -> tuple[SideId, ...]:
        """The hexsides that share a corner with this one: where a river may go on."""
        ends = self.corners_of_side(side)
        return tuple(sorted({other for corner in ends for other in self._sides_at[corner]} - {side}))
