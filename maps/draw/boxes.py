"""Boxes that may be turned, and a quick index of them: do two names overlap?"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from maps.draw.frame import Point

CELL = 80.0


@dataclass(frozen=True)
class Box:
    """A rectangle by its centre, half sizes and turn in degrees (clockwise on the sheet)."""

    x: float
    y: float
    half_wide: float
    half_high: float
    turn: float = 0.0

    @property
    def reach(self) -> float:
        """Radius of the circle around it."""
        return math.hypot(self.half_wide, self.half_high)

    def corners(self) -> list[Point]:
        """The four corners."""
        a = math.radians(self.turn)
        cos, sin = math.cos(a), math.sin(a)
        out = []
        for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            px, py = u * self.half_wide, v * self.half_high
            out.append((self.x + px * cos - py * sin, self.y + px * sin + py * cos))
        return out

    def overlaps(self, other: Box, slack: float = 0.0) -> bool:
        """Do the two share more than a strip of `slack` units? (separating axes)"""
        if math.hypot(self.x - other.x, self.y - other.y) >= self.reach + other.reach:
            return False
        mine, theirs = self.corners(), other.corners()
        for turn in {self.turn, self.turn + 90, other.turn, other.turn + 90}:
            a = math.radians(turn)
            cos, sin = math.cos(a), math.sin(a)
            one = [x * cos + y * sin for x, y in mine]
            two = [x * cos + y * sin for x, y in theirs]
            if max(one) <= min(two) + slack or max(two) <= min(one) + slack:
                return False
        return True


@dataclass
class Index:
    """Boxes by cells of the sheet."""

    cells: dict[tuple[int, int], list[tuple[Box, str]]] = field(default_factory=dict)

    def _cells(self, box: Box) -> list[tuple[int, int]]:
        xs, ys = zip(*box.corners())
        columns = range(math.floor(min(xs) / CELL), math.floor(max(xs) / CELL) + 1)
        rows = range(math.floor(min(ys) / CELL), math.floor(max(ys) / CELL) + 1)
        return [(i, j) for i in columns for j in rows]

    def add(self, box: Box, owner: str) -> None:
        """Remember a box and whose it is."""
        for cell in self._cells(box):
            self.cells.setdefault(cell, []).append((box, owner))

    def drop(self, owner: str) -> None:
        """Forget the boxes of an owner."""
        for key, found in self.cells.items():
            self.cells[key] = [item for item in found if item[1] != owner]

    def hits(self, box: Box, slack: float = 0.0, ignore: str = "") -> set[str]:
        """Owners of the boxes that overlap this one."""
        found: set[str] = set()
        for cell in self._cells(box):
            for other, owner in self.cells.get(cell, []):
                if owner != ignore and owner not in found and box.overlaps(other, slack):
                    found.add(owner)
        return found
