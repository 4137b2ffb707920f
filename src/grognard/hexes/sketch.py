"""Maps drawn with letters, for tests and small sample games: read from letters, and drawn with them.

>>> board = board_from_rows('''
...     . . ~
...      . f .
...     . - .
... ''', {".": "clear", "f": "forest", "~": "sea"})
>>> board.terrain_of(board.hex("0202")), len(board.grid), board.kind_of(board.hex("0103"))
('forest', 8, 'sea')
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from grognard.hexes.board import Board
from grognard.hexes.coords import Orientation
from grognard.hexes.loading import board_from_document

HOLE = "-"
WIDTH = 8  # letters a hex in a drawing


def board_from_rows(rows: str, key: Mapping[str, str], *, name: str = "sketch", **more: Any) -> Board:
    """The board of `document_from_rows`."""
    return board_from_document(document_from_rows(rows, key, name=name, **more), name)


def document_from_rows(
    rows: str,
    key: Mapping[str, str],
    *,
    orientation: Orientation = "pointy",
    hexes: Mapping[str, Mapping[str, Any]] | None = None,
    features: Mapping[str, Iterable[str]] | None = None,
    towns: Mapping[str, Mapping[str, str]] | None = None,
    name: str = "sketch",
    **sections: Any,
) -> dict[str, Any]:
    """A map in the file format: one letter a hex, one line a row (from 0101 in the north-west), `-` for a hole.

    `key` turns letters into terrain; the terrain `sea` also gives the kind. Even rows lie half a hex further east, on a
    flat grid even columns half a hex further south. `hexes` adds data to some hexes, `features` lists the hexsides of
    each kind (`{"river": ["0101|0102"]}`), `towns` the places of each class (`{"village": {"pont": "0405"}}`); other
    sections (`sides`, `links`, `places`, `areas` ...) are those of the map file.
    """
    letters = [line.split() for line in rows.strip("\n").splitlines() if line.strip()]
    drawn: dict[str, dict[str, Any]] = {}
    for row, line in enumerate(letters, 1):
        for col, letter in enumerate(line, 1):
            if letter != HOLE:
                terrain = key[letter]
                drawn[f"{row:02d}{col:02d}"] = {"terrain": terrain, "kind": "sea" if terrain == "sea" else "land"}
    for number, data in (hexes or {}).items():
        drawn.setdefault(number, {}).update(data)
    sheet = {
        "orientation": orientation,
        "rows": len(letters),
        "cols": max(map(len, letters)),
        "numbering": {
            "order": "row-col", "digits": [2, 2], "first": [1, 1], "rows_grow": "south", "cols_grow": "east",
        },
        "shifted": "even",
        "shift": "east" if orientation == "pointy" else "south",
    }  # fmt: skip
    terrain_names = {terrain: {"en": terrain, "fr": terrain, "letter": letter} for letter, terrain in key.items()}
    title = {"en": name, "fr": name}
    document: dict[str, Any] = {
        "format": 1,
        "name": name,
        "title": title,
        "grid": sheet,
        "terrain": terrain_names,
        "hexes": drawn,
    }
    for kind, sides in (features or {}).items():
        for side in sides:
            document.setdefault("sides", {}).setdefault(side, {})[kind] = True
    for rank, listed in (towns or {}).items():
        for place, hex in listed.items():
            facts = {"name": {"en": place.title(), "fr": place.title()}, "hexes": [hex], "class": rank}
            document.setdefault("places", {})[place] = facts
    return document | sections


def draw_with_letters(board: Board, top: Callable[[int], str], bottom: Callable[[int], str]) -> list[str]:
    """The lines of a pointy map from `document_from_rows`: two lines of text in each hex, and the rivers.

    Three lines a row of hexes: its number and `top`, then `bottom`, then the rivers down to the next row.
    """
    grid = board.grid
    where = [(3 * int(n[:2]) - 3, WIDTH * int(n[2:]) - (WIDTH if int(n[:2]) % 2 else WIDTH // 2)) for n in grid.names]
    height, width = max(where)[0] + 3, max(x for _, x in where) + WIDTH
    canvas = [[" "] * width for _ in range(height)]

    def put(y: int, x: int, text: str) -> None:
        canvas[y][x : x + len(text)] = text

    for river in board.sides_with("river"):
        (y, x), (below, right) = (where[hex] for hex in grid.hexes_of_side(river))
        if y == below:
            put(y, right - 1, "|")
            put(y + 1, right - 1, "|")
        else:
            put(y + 2, (x + right) // 2 + 2, "/" if right > x else "\\")
    for hex, (y, x) in enumerate(where):
        put(y, x, grid.names[hex] + top(hex))
        put(y + 1, x, bottom(hex))
    return ["".join(line).rstrip() for line in canvas[:-1]]


def draw_columns(names: Iterable[str], span: tuple[int, int, int, int], cell: Callable[[int], str]) -> list[str]:
    """The lines of a part of a flat map with numbers CCRR: every other column stands half a hex lower.

    `span` is the first and last column and row that are drawn, `cell` the four letters of a hex by its index.
    """
    left, right, top, bottom = span
    lines: dict[int, dict[int, str]] = {}
    for hex, name in enumerate(names):
        column, row = int(name[:2]), int(name[2:])
        if left <= column <= right and top <= row <= bottom:
            lines.setdefault(2 * row + (column % 2 == 0), {})[column] = cell(hex)
    drawn = ["   " + " ".join(f"{column:^4d}" for column in range(left, right + 1)).rstrip()]
    for line in sorted(lines):
        cells = [lines[line].get(column, "    ") for column in range(left, right + 1)]
        drawn.append(f"{line // 2:2d} " + " ".join(cells).rstrip())
    return drawn
