"""Where every hex lies on the drawn sheet: numbering, centres, corners and shared sides, in drawing units.

One drawing unit is one CSS pixel at 100 %; a hex has a circumradius of `RADIUS` units on every map, so that counters,
type sizes and line widths mean the same thing everywhere. x grows to the right, y grows downwards.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

Point = tuple[float, float]
RADIUS = 50.0
MARGIN = 30.0
SQRT3 = math.sqrt(3.0)
Corner = tuple[int, int]


@dataclass(frozen=True)
class Frame:
    """The geometry of one map: from hex numbers to points of the sheet."""

    flat: bool
    rows: int
    cols: int
    row_first: int
    col_first: int
    row_major: bool
    digits: tuple[int, int]
    rows_south: bool
    cols_east: bool
    shifted_odd: bool
    shift: str
    km: float
    centres: dict[str, Point] = field(default_factory=dict, compare=False)

    @property
    def width(self) -> float:
        """Width of the sheet, margins included."""
        if self.flat:
            return RADIUS * (1.5 * self.cols + 0.5) + 2 * MARGIN
        return RADIUS * SQRT3 * (self.cols + 0.5) + 2 * MARGIN

    @property
    def height(self) -> float:
        """Height of the sheet, margins included."""
        if self.flat:
            return RADIUS * SQRT3 * (self.rows + 0.5) + 2 * MARGIN
        return RADIUS * (1.5 * self.rows + 0.5) + 2 * MARGIN

    @property
    def units_per_km(self) -> float:
        """Drawing units for one kilometre; `km` is the distance between opposite sides of a hex."""
        return RADIUS * SQRT3 / self.km

    def split(self, number: str) -> tuple[int, int]:
        """The printed row and column of a hex number.

        >>> frame_of(EXAMPLE).split("0617")
        (6, 17)
        """
        first, second = int(number[: self.digits[0]]), int(number[self.digits[0] :])
        return (first, second) if self.row_major else (second, first)

    def _is_shifted(self, line: int) -> bool:
        return (line % 2 == 1) == self.shifted_odd

    def place(self, row: int, col: int) -> Point:
        """Centre of the hex in this printed row and column."""
        down = row - self.row_first if self.rows_south else self.rows - 1 - (row - self.row_first)
        right = col - self.col_first if self.cols_east else self.cols - 1 - (col - self.col_first)
        moved = self._is_shifted(col if self.flat else row)
        late = moved == (self.shift in ("south", "east"))
        if self.flat:
            x = RADIUS * (1.5 * right + 1.0)
            y = RADIUS * SQRT3 * (down + (1.0 if late else 0.5))
        else:
            x = RADIUS * SQRT3 * (right + (1.0 if late else 0.5))
            y = RADIUS * (1.5 * down + 1.0)
        return x + MARGIN, y + MARGIN

    def centre(self, number: str) -> Point:
        """Centre of a hex given by its printed number."""
        if number not in self.centres:
            self.centres[number] = self.place(*self.split(number))
        return self.centres[number]

    def corners(self, number: str, scale: float = 1.0) -> list[Point]:
        """The six corners, clockwise on the sheet; `scale` draws a smaller or larger hex around the same centre."""
        x, y = self.centre(number)
        turn = 0 if self.flat else 30
        angles = [math.radians(60 * i + turn) for i in range(6)]
        return [(x + RADIUS * scale * math.cos(a), y + RADIUS * scale * math.sin(a)) for a in angles]

    def corner_key(self, point: Point) -> Corner:
        """A whole-number name for a hex corner, the same from each of its three hexes."""
        x, y = point[0] - MARGIN, point[1] - MARGIN
        half = RADIUS / 2, RADIUS * SQRT3 / 2
        return (round(x / half[0]), round(y / half[1])) if self.flat else (round(x / half[1]), round(y / half[0]))

    def corner_point(self, key: Corner) -> Point:
        """The point of the sheet that bears this corner name."""
        half = RADIUS / 2, RADIUS * SQRT3 / 2
        if self.flat:
            return key[0] * half[0] + MARGIN, key[1] * half[1] + MARGIN
        return key[0] * half[1] + MARGIN, key[1] * half[0] + MARGIN

    def side(self, a: str, b: str) -> tuple[Corner, Corner]:
        """The two corners of the side that hexes `a` and `b` share."""
        ours = {self.corner_key(p) for p in self.corners(a)}
        shared = sorted(ours & {self.corner_key(p) for p in self.corners(b)})
        if len(shared) != 2:
            raise ValueError(f"hexes {a} and {b} share no side: a link or side of the map file joins them by mistake")
        return shared[0], shared[1]

    def middle(self, a: str, b: str) -> Point:
        """The middle of the side between two neighbours."""
        p, q = self.centre(a), self.centre(b)
        return (p[0] + q[0]) / 2, (p[1] + q[1]) / 2


def frame_of(grid: dict[str, Any]) -> Frame:
    """The frame described by the `grid` table of a map file (format 1)."""
    numbering = grid["numbering"]
    first = numbering.get("first", [1, 1])
    row_major = numbering["order"] == "row-col"
    return Frame(
        flat=grid["orientation"] == "flat",
        rows=grid["rows"],
        cols=grid["cols"],
        row_first=first[0] if row_major else first[1],
        col_first=first[1] if row_major else first[0],
        row_major=row_major,
        digits=(numbering["digits"][0], numbering["digits"][1]),
        rows_south=numbering["rows_grow"] == "south",
        cols_east=numbering["cols_grow"] == "east",
        shifted_odd=grid["shifted"] == "odd",
        shift=grid["shift"],
        km=float(grid["km"]),
    )


EXAMPLE: dict[str, Any] = {
    "orientation": "pointy",
    "rows": 23,
    "cols": 27,
    "km": 6.49,
    "numbering": {
        "order": "row-col",
        "digits": [2, 2],
        "first": [1, 1],
        "rows_grow": "south",
        "cols_grow": "west",
    },
    "shifted": "odd",
    "shift": "west",
}
