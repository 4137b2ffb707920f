"""Pass `barriers`: mountain sides, impassable water sides and the tag of islands, for maps that ask for them."""

from __future__ import annotations

from maps.compiler.grid import Cell
from maps.compiler.model import HexMap
from maps.compiler.sources import World

SRC = "barriers"
FIRST = {"strait", "mountain", "canal", "river"}
"""What a side may be that makes it passable although it is water."""


def barriers(m: HexMap, world: World) -> HexMap:
    """Write what map.toml asks for under `mountain_sides`, `water_is_impassable` and `islands`."""
    m = m.fork()
    if m.config.mountain_sides is not None:
        for one, other in m.mesh.edges.values():
            if _ridge(m, one, other, m.config.mountain_sides):
                m.set_side(one, other, "mountain", True, SRC)
    if m.config.water_is_impassable:
        for one, other in [pair for pair, facts in m.sides.items() if facts.get("water") and not FIRST & set(facts)]:
            m.set_side(one, other, "impassable", True, SRC)
    if m.config.islands is not None:
        for piece in land_pieces(m):
            if len(piece) <= m.config.islands:
                for cell in piece:
                    m.add_hex(cell, "tags", "island", SRC)
    return m


def _ridge(m: HexMap, one: Cell, other: Cell, height: float) -> bool:
    if not (one in m.hexes and other in m.hexes and m.dry(one) and m.dry(other)):
        return False
    high = (m.stats[one]["height"] + m.stats[other]["height"]) / 2
    return high >= height and m.hexes[one].get("cover") == m.hexes[other].get("cover") == "mountain"


def land_pieces(m: HexMap) -> list[list[Cell]]:
    """Connected pieces of dry hexes, in order of their first hex."""
    seen: set[Cell] = set()
    found = []
    for start in m.cells:
        if start in seen or not m.dry(start):
            continue
        piece, front = {start}, [start]
        while front:
            cell = front.pop()
            for other in m.near(cell):
                if other not in piece and m.dry(other) and not m.wet_side(cell, other):
                    piece.add(other)
                    front.append(other)
        seen |= piece
        found.append(sorted(piece))
    return found
