"""Printed hex numbers, read and written at the edges of the program only.

A `Numbering` says how a rectangular sheet is numbered: which field comes first, how many digits each has, where the
count begins, which way rows and columns grow, and which rows (pointy tops) or columns (flat tops) are set off by half a
hex, and to which side. `digits` and `first` are in printed order, like the number itself.

Inside, rows count from the north and columns from the west; `Axial(0, 0)` lies in the north-west.

>>> normandy = Numbering("pointy", 23, 27, "row-col", cols_grow="west", shifted="odd", shift="west")
>>> normandy.split("0617"), normandy.name_at(normandy.axial_named("0617"))
((6, 17), '0617')
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from grognard.hexes.coords import Axial, Orientation

Order = Literal["row-col", "col-row"]
Shift = Literal["west", "east", "south", "north"]


class NumberError(ValueError):
    """A printed number that is malformed or off the sheet."""


@dataclass(frozen=True, slots=True)
class Numbering:
    """How the hexes of a sheet of `rows` by `cols` are numbered."""

    orientation: Orientation
    rows: int
    cols: int
    order: Order = "row-col"
    digits: tuple[int, int] = (2, 2)
    first: tuple[int, int] = (1, 1)
    rows_grow: Literal["south", "north"] = "south"
    cols_grow: Literal["east", "west"] = "east"
    shifted: Literal["odd", "even"] = "even"
    shift: Shift = "east"

    def __post_init__(self) -> None:
        allowed: tuple[tuple[str, str, tuple[str, ...]], ...] = (
            ("orientation", self.orientation, ("pointy", "flat")),
            ("order", self.order, ("row-col", "col-row")),
            ("rows_grow", self.rows_grow, ("south", "north")),
            ("cols_grow", self.cols_grow, ("east", "west")),
            ("shifted", self.shifted, ("odd", "even")),
            ("shift", self.shift, ("west", "east") if self.orientation == "pointy" else ("south", "north")),
        )
        for field, value, choices in allowed:
            if value not in choices:
                raise NumberError(f"{field} is {value!r}; a {self.orientation} grid takes {' or '.join(choices)}")
        if self.rows < 1 or self.cols < 1:
            raise NumberError(f"a grid of {self.rows} rows and {self.cols} columns has no hex")
        for what, first, count, digits in (
            ("rows", self.first_row, self.rows, self.digits[self.row_field]),
            ("columns", self.first_col, self.cols, self.digits[1 - self.row_field]),
        ):
            if first < 0 or digits < 1:
                raise NumberError(f"{what} need at least one digit and may not begin below 0")
            if first + count - 1 >= 10**digits:
                raise NumberError(f"{what} run to {first + count - 1}, too long for {digits} digits")

    @property
    def row_field(self) -> int:
        """Where the row stands in a printed number: 0 first, 1 second."""
        return 0 if self.order == "row-col" else 1

    @property
    def first_row(self) -> int:
        """The lowest printed row."""
        return self.first[self.row_field]

    @property
    def first_col(self) -> int:
        """The lowest printed column."""
        return self.first[1 - self.row_field]

    def name(self, row: int, col: int) -> str:
        """The printed number of a printed row and column."""
        pair = (row, col) if self.order == "row-col" else (col, row)
        return f"{pair[0]:0{self.digits[0]}d}{pair[1]:0{self.digits[1]}d}"

    def split(self, name: str) -> tuple[int, int]:
        """Printed row and column of a printed number."""
        width = self.digits[0] + self.digits[1]
        if len(name) != width or not (name.isascii() and name.isdigit()):
            fields = "row then column" if self.order == "row-col" else "column then row"
            raise NumberError(f"{name!r} is not a hex number of this map: {width} digits, {fields}")
        pair = int(name[: self.digits[0]]), int(name[self.digits[0] :])
        row, col = pair if self.order == "row-col" else (pair[1], pair[0])
        first_row, first_col = self.first_row, self.first_col
        if not first_row <= row < first_row + self.rows:
            raise NumberError(f"{name} is off the grid: rows run from {first_row} to {first_row + self.rows - 1}")
        if not first_col <= col < first_col + self.cols:
            raise NumberError(f"{name} is off the grid: columns run from {first_col} to {first_col + self.cols - 1}")
        return row, col

    def axial(self, row: int, col: int) -> Axial:
        """The coordinate of a printed row and column."""
        down = row - self.first_row if self.rows_grow == "south" else self.first_row + self.rows - 1 - row
        right = col - self.first_col if self.cols_grow == "east" else self.first_col + self.cols - 1 - col
        if self.orientation == "pointy":
            return Axial((2 * right + self._offset(row) - down) // 2, down)
        return Axial(right, (2 * down + self._offset(col) - right) // 2)

    def printed(self, hex: Axial) -> tuple[int, int]:
        """Printed row and column of a coordinate, on the sheet or beyond its edge."""
        if self.orientation == "pointy":
            row = self._row(hex.r)
            return row, self._col((2 * hex.q + hex.r - self._offset(row)) // 2)
        col = self._col(hex.q)
        return self._row((2 * hex.r + hex.q - self._offset(col)) // 2), col

    def axial_named(self, name: str) -> Axial:
        """The coordinate of a printed number."""
        return self.axial(*self.split(name))

    def name_at(self, hex: Axial) -> str:
        """The printed number of a coordinate."""
        row, col = self.printed(hex)
        down, right = row - self.first_row, col - self.first_col
        if not (0 <= down < self.rows and 0 <= right < self.cols):
            raise NumberError(f"hex {hex.q},{hex.r} is off the grid of {self.rows} rows and {self.cols} columns")
        return self.name(row, col)

    def sheet(self) -> dict[str, Axial]:
        """Every printed number of the full sheet with its coordinate, in the order of the numbers."""
        rows, cols = self._row_texts(), self._col_texts()
        heads, tails = (rows, cols) if self.order == "row-col" else (cols, rows)
        names = [head + tail for head in heads for tail in tails]
        return dict(zip(names, self.axials(names)))

    def axials(self, names: Sequence[str]) -> list[Axial]:
        """The coordinates of many printed numbers: where each line of the sheet begins is worked out once."""
        rows, cols = self._row_texts(), self._col_texts()
        cut = self.digits[0]
        if self.orientation == "pointy":
            begins = {text: self.axial(row, self.first_col) for text, row in rows.items()}
            east = 1 if self.cols_grow == "east" else -1
            steps = {text: Axial(east * (col - self.first_col), 0) for text, col in cols.items()}
        else:
            begins = {text: self.axial(self.first_row, col) for text, col in cols.items()}
            south = 1 if self.rows_grow == "south" else -1
            steps = {text: Axial(0, south * (row - self.first_row)) for text, row in rows.items()}
        begin_first = (self.order == "row-col") == (self.orientation == "pointy")
        heads, tails = (begins, steps) if begin_first else (steps, begins)
        found: list[Axial] = []
        for name in names:
            head, tail = heads.get(name[:cut]), tails.get(name[cut:])
            if head is None or tail is None:
                self.split(name)
                raise NumberError(f"{name!r} is not a hex number of this map")
            found.append(Axial(head[0] + tail[0], head[1] + tail[1]))
        return found

    def _row_texts(self) -> dict[str, int]:
        """The printed rows, as written in a number."""
        digits = self.digits[self.row_field]
        return {f"{row:0{digits}d}": row for row in range(self.first_row, self.first_row + self.rows)}

    def _col_texts(self) -> dict[str, int]:
        """The printed columns, as written in a number."""
        digits = self.digits[1 - self.row_field]
        return {f"{col:0{digits}d}": col for col in range(self.first_col, self.first_col + self.cols)}

    def _row(self, down: int) -> int:
        """The printed row that lies so many rows from the north edge."""
        return self.first_row + (down if self.rows_grow == "south" else self.rows - 1 - down)

    def _col(self, right: int) -> int:
        """The printed column that lies so many columns from the west edge."""
        return self.first_col + (right if self.cols_grow == "east" else self.cols - 1 - right)

    def _offset(self, printed: int) -> int:
        """How far a printed row (pointy) or column (flat) is set off, in half hexes.

        Row 0 of the axial plane is never set off. Where the sheet's own first row is, everything moves along by half a
        hex, which changes no adjacency.
        """
        odd = 1 if self.shifted == "odd" else 0
        half = 1 if self.shift in ("east", "south") else -1
        edge = self._row(0) if self.orientation == "pointy" else self._col(0)
        return (half if printed % 2 == odd else 0) + (1 if edge % 2 == odd else 0)
