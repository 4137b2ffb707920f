"""The grid on the plane: hex cells in doubled coordinates, corners with integer keys, printed numbers at the edge.

The plane is in kilometres, x east, y north, after projection, fit and warp; the grid is always axis-aligned.
A cell is ``(u, v)``: for a flat-top grid `u` counts columns and `v` half rows, for a pointy-top grid `u` counts half
columns and `v` rows; both grow east and south. So neighbours are fixed offsets and nothing depends on the stagger.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from grognard.hexes.numbering import NumberError, Numbering
from maps.compiler.config import GridConfig
from maps.compiler.errors import MapError

S3 = math.sqrt(3.0)
Cell = tuple[int, int]
Vertex = tuple[int, int]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_STEPS = {
    "flat": ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)),
    "pointy": ((1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1)),
}
_CORNERS = {
    "flat": ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1)),
    "pointy": ((1, 1), (0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1)),
}


def numbering_of(config: GridConfig) -> Numbering:
    """The engine's numbering for this grid, so that both sides read printed numbers with the same code."""
    numbers = config.numbering
    try:
        return Numbering(
            orientation=config.orientation,
            rows=config.rows,
            cols=config.cols,
            order=numbers.order,
            digits=numbers.digits,
            first=numbers.first,
            rows_grow=numbers.rows_grow,
            cols_grow=numbers.cols_grow,
            shifted=config.shifted,
            shift=config.shift,
        )
    except NumberError as error:
        raise MapError(f"grid: {error}") from None


@dataclass(frozen=True)
class Grid:
    """Geometry and numbering of one grid."""

    config: GridConfig
    x0: float = 0.0
    y0: float = 0.0
    _ids: dict[Cell, str] = field(default_factory=dict, repr=False)
    _cells: dict[str, Cell] = field(default_factory=dict, repr=False)

    @staticmethod
    def of(config: GridConfig) -> Grid:
        """The grid whose hex with the smallest row and column has its centre at ``origin``."""
        numbering = numbering_of(config)
        bare = Grid(config)
        for number, axial in numbering.sheet().items():
            cell = (
                (axial.q, 2 * axial.r + axial.q) if config.orientation == "flat" else (2 * axial.q + axial.r, axial.r)
            )
            bare._ids[cell] = number
            bare._cells[number] = cell
        x, y = bare.centre(bare._cells[numbering.name(numbering.first_row, numbering.first_col)])
        return Grid(config, config.origin[0] - x, config.origin[1] - y, bare._ids, bare._cells)

    # ------------------------------------------------------------------ numbering
    @property
    def cells(self) -> list[Cell]:
        """Every cell of the rectangle, in order of the printed numbers."""
        return [self._cells[number] for number in sorted(self._cells)]

    def id(self, cell: Cell) -> str:
        """The printed number of a cell."""
        return self._ids[cell]

    def has(self, cell: Cell) -> bool:
        """Is the cell inside the rectangle?"""
        return cell in self._ids

    def cell(self, number: str) -> Cell:
        """The cell of a printed number; off the grid is an error."""
        try:
            return self._cells[number]
        except KeyError:
            first, last = min(self._cells), max(self._cells)
            raise MapError(f"hex {number} is off the grid (numbers run from {first} to {last})") from None

    # ------------------------------------------------------------------ geometry
    @cached_property
    def radius(self) -> float:
        """Centre to corner, km."""
        return self.config.km / S3

    @cached_property
    def _unit(self) -> tuple[float, float]:
        """Plane size of one vertex-key unit."""
        half, tall = self.radius / 2, self.radius * S3 / 2
        return (half, tall) if self.config.orientation == "flat" else (tall, half)

    def _key(self, cell: Cell) -> Vertex:
        u, v = cell
        return (3 * u, -v) if self.config.orientation == "flat" else (u, -3 * v)

    def point(self, vertex: Vertex) -> tuple[float, float]:
        """Plane position of a corner key."""
        ux, uy = self._unit
        return self.x0 + vertex[0] * ux, self.y0 + vertex[1] * uy

    def centre(self, cell: Cell) -> tuple[float, float]:
        """Plane position of the centre."""
        return self.point(self._key(cell))

    def corners(self, cell: Cell) -> list[Vertex]:
        """The six corner keys, counter-clockwise."""
        x, y = self._key(cell)
        return [(x + a, y + b) for a, b in _CORNERS[self.config.orientation]]

    def neighbours(self, cell: Cell) -> list[Cell]:
        """The six neighbouring cells (on the map or not), clockwise from the north."""
        return [(cell[0] + a, cell[1] + b) for a, b in _STEPS[self.config.orientation]]

    def shared(self, one: Cell, other: Cell) -> tuple[Vertex, Vertex]:
        """The two corners of the side between neighbours."""
        a, b = sorted(set(self.corners(one)) & set(self.corners(other)))
        return a, b

    def distance(self, one: Cell, other: Cell) -> int:
        """Distance in hexes."""
        du, dv = abs(one[0] - other[0]), abs(one[1] - other[1])
        return du + max(0, (dv - du) // 2) if self.config.orientation == "flat" else dv + max(0, (du - dv) // 2)

    def at(self, x: Floats | float, y: Floats | float) -> tuple[Ints, Ints]:
        """Plane to cells, vectorised, by cube rounding."""
        px = (np.asarray(x, dtype=np.float64) - self.x0) / self.radius
        py = -(np.asarray(y, dtype=np.float64) - self.y0) / self.radius
        flat = self.config.orientation == "flat"
        q = 2 / 3 * px if flat else px / S3 - py / 3
        r = -px / 3 + py / S3 if flat else 2 / 3 * py
        s = -q - r
        rq, rr, rs = np.rint(q), np.rint(r), np.rint(s)
        dq, dr, ds = abs(rq - q), abs(rr - r), abs(rs - s)
        worst_q = (dq > dr) & (dq > ds)
        worst_r = ~worst_q & (dr > ds)
        rq = np.where(worst_q, -rr - rs, rq)
        rr = np.where(worst_r, -rq - rs, rr)
        iq, ir = rq.astype(np.int64), rr.astype(np.int64)
        return (iq, 2 * ir + iq) if flat else (2 * iq + ir, ir)

    def cell_at(self, x: float, y: float) -> Cell:
        """The cell that holds a point of the plane (it may be off the map)."""
        u, v = self.at(x, y)
        return int(u), int(v)

    @cached_property
    def _bounds(self) -> tuple[float, float, float, float]:
        xs, ys = zip(*(self.centre(cell) for cell in self._ids))
        pad = self.radius
        return min(xs) - pad, min(ys) - pad, max(xs) + pad, max(ys) + pad

    def bounds(self) -> tuple[float, float, float, float]:
        """West, south, east, north of all corners."""
        return self._bounds
