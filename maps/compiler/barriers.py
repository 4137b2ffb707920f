"""Pass `barriers`: mountain sides, impassable water sides and the tag of islands, for maps that ask for them."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import shapely

from maps.compiler.errors import MapError
from maps.compiler.features import Crest, read_features
from maps.compiler.grid import Cell
from maps.compiler.model import HexMap, Pair
from maps.compiler.snap import snap
from maps.compiler.sources import World

SRC = "barriers"
FIRST = {"strait", "mountain", "canal", "river"}
"""What a side may be that makes it passable although it is water."""


def barriers(m: HexMap, world: World) -> HexMap:
    """Write the crests of features.toml, and what map.toml asks for under `water_is_impassable` and `islands`."""
    m = m.fork()
    _crests(m, world)
    if m.config.water_is_impassable:
        for one, other in [pair for pair, facts in m.sides.items() if facts.get("water") and not FIRST & set(facts)]:
            m.set_side(one, other, "impassable", True, SRC)
    if m.config.islands is not None:
        for piece in land_pieces(m):
            if len(piece) <= m.config.islands:
                for cell in piece:
                    m.add_hex(cell, "tags", "island", SRC)
    return m


def _crests(m: HexMap, world: World) -> None:
    """Mountain sides along the crests, but where a main railway or a pass leads through."""
    told = read_features(m.folder)
    sides: dict[Pair, str] = {}
    for crest in told.crest:
        sides |= dict.fromkeys(_crest_sides(m, world, crest), crest.name)
    opened: dict[Pair, str] = {pair: "" for pair in sides if m.links.get(pair, {}).get("rail") == 1}
    for way in told.passes:
        pair, far = _nearest_side(m, world, list(sides), way.at)
        if far > 1.2:
            raise MapError(f"pass {way.name!r} lies {far:.1f} R from every crest", file=m.folder / "features.toml")
        opened[pair] = way.name
    for pair in sorted(sides):
        if pair not in opened:
            m.set_side(*pair, "mountain", True, SRC)
        elif opened[pair]:
            m.set_side(*pair, "pass", opened[pair], SRC)
    m.report["crests"] = {"crests": len(told.crest), "sides": len(sides) - len(opened), "passes": len(opened)}


def _crest_sides(m: HexMap, world: World, crest: Crest) -> list[Pair]:
    """The hexsides along a crest line, those between two dry hexes that are not water."""
    points = world.projection.forward(np.array([(lon, lat) for lat, lon in crest.line]))
    dry = {edge for edge, (one, other) in m.mesh.edges.items() if m.dry(one) and m.dry(other)}
    path = snap(m.mesh, shapely.LineString(points), [], dry, None)
    if path is None:
        raise MapError(f"crest {crest.name!r} finds no hexsides", file=m.folder / "features.toml")
    found = [m.pair(*m.mesh.edges[min(a, b), max(a, b)]) for a, b in pairwise(path)]
    return [pair for pair in found if not m.wet_side(*pair)]


def _nearest_side(m: HexMap, world: World, sides: list[Pair], at: tuple[float, float]) -> tuple[Pair, float]:
    """The side of a crest nearest to a point, and how far its middle lies from it, in R."""
    x, y = world.projection.forward(np.array([(at[1], at[0])]))[0]

    def far(pair: Pair) -> float:
        (ax, ay), (bx, by) = (m.grid.point(corner) for corner in m.grid.shared(*pair))
        return math.hypot((ax + bx) / 2 - x, (ay + by) / 2 - y) / m.grid.radius

    best = min(sides, key=lambda pair: (far(pair), pair))
    return best, far(best)


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
