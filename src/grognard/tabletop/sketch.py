"""A table drawn with letters, for the terminal: one letter for 5 x 5 cm, pieces on top, a scale around it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Final

from .ground import BORDER, Table

CELLS: Final = 2  # cells of the lattice in a letter, both ways
LETTERS: Final = {  # ground that has no letter here is drawn with the first of its name
    "open": ".",
    "hill": ".",
    "crops": '"',
    "light-wood": "t",
    "dense-wood": "T",
    "orchard": "o",
    "sand": ":",
    "paddy": "p",
    "marsh": "~",
    "water": "w",
    "steep-hill": "^",
    "rubble": ",",
    "ruins": "%",
    "building": "#",
    "road": "=",
    "sunken": "u",
    "bridge": "H",
}
LINES: Final = {
    "hedge": "h",
    "bocage": "b",
    "wall": "|",
    "stream": "s",
    "ditch": "d",
    "embankment": "m",
    "railway": "+",
}
UPHILL: Final = "'"  # open ground on a hill
EVERY: Final = 10  # letters between two numbers of the scale


def sketch(table: Table, marks: Mapping[int, str] | None = None) -> list[str]:
    """The rows of the picture, the scale in centimetres first. `marks` puts letters on points."""
    wide, deep = -(-table.cols // CELLS), -(-table.rows // CELLS)
    rows = [[_letter(table, col, row) for col in range(wide)] for row in range(deep)]
    for number, path in ((f.number, f.shapes[0]) for f in table.features if f.group == "line"):
        letter = LINES.get(table.features[number].kind, table.features[number].kind[0])
        for (ax, ay), (bx, by) in pairwise(path):
            legs = max(abs(bx - ax), abs(by - ay)) // 10 or 1
            for i in range(legs + 1):
                point = table.point_at(ax + (bx - ax) * i // legs, ay + (by - ay) * i // legs)
                col, row = _place(table, point)
                if rows[row][col] in ".':,\"":
                    rows[row][col] = letter
    for point, mark in (marks or {}).items():
        col, row = _place(table, point)
        rows[row][col] = mark[:1]
    scale = "".join(f"{5 * n:<{EVERY}}" for n in range(0, wide, EVERY))
    return [f"     {scale}".rstrip(), *(f"{5 * n:4} {''.join(row)}" for n, row in enumerate(rows))]


def _place(table: Table, point: int) -> tuple[int, int]:
    return (point % table.across - BORDER) // CELLS, (point // table.across - BORDER) // CELLS


def _letter(table: Table, col: int, row: int) -> str:
    """What most of the cells are; of equals what lies on top."""
    points = [
        (r + BORDER) * table.across + c + BORDER
        for r in range(row * CELLS, min((row + 1) * CELLS, table.rows))
        for c in range(col * CELLS, min((col + 1) * CELLS, table.cols))
    ]
    order = list(table.terrain.areas)
    kinds = [table.kind[p] for p in points]
    kind = max(set(kinds), key=lambda k: (kinds.count(k), order.index(k)))
    letter = LETTERS.get(kind, kind[0])
    return UPHILL if letter == "." and all(table.level[p] for p in points) else letter


def legend(table: Table) -> dict[str, str]:
    """The letters that a sketch of this table uses, with the kinds they stand for."""
    found = {LETTERS.get(kind, kind[0]): kind for kind in dict.fromkeys(table.kind[p] for p in table.points)}
    found |= {LINES.get(f.kind, f.kind[0]): f.kind for f in table.features if f.group == "line"}
    if any(table.level):
        found[UPHILL] = "hill"
    return found
