"""Pass `owners`: whose land each hex is at the map's date, and the frontiers that follow."""

from __future__ import annotations

from typing import Any

import numpy as np
import shapely

from maps.compiler.grid import Cell
from maps.compiler.land import cell_polygons, split
from maps.compiler.model import HexMap
from maps.compiler.sources import World, polygons

SRC = "owners"


def owners(m: HexMap, world: World) -> HexMap:
    """Owner of the main place if there is one, else of the largest area; frontier sides between owners."""
    m = m.fork()
    column = m.config.owner_column
    if not m.config.sources.units or column is None:
        return m
    pieces: list[Any] = []
    codes: list[str] = []
    later: dict[str, list[str]] = {key: [] for key in m.config.owner_later}
    rename = m.config.owner_names
    for feature in world.all_features(m.config.sources.units):
        parts = split(polygons(feature.geometry), 4 * m.config.grid.km)
        pieces.extend(parts)
        codes.extend([rename.get(feature.props[column], feature.props[column])] * len(parts))
        for key, other in m.config.owner_later.items():
            later[key].extend([rename.get(feature.props[other], feature.props[other])] * len(parts))
    tree = shapely.STRtree(pieces)
    hexes = cell_polygons(m)
    which, part = tree.query(hexes, predicate="intersects")
    cut = shapely.area(shapely.intersection(hexes[which], np.array(pieces, dtype=object)[part]))
    area: list[dict[str, float]] = [{} for _ in m.cells]
    biggest: list[tuple[float, int]] = [(0.0, -1) for _ in m.cells]
    for index, piece, size in zip(which, part, cut):
        code = codes[int(piece)]
        biggest[int(index)] = max(biggest[int(index)], (float(size), int(piece)))
        area[int(index)][code] = area[int(index)].get(code, 0.0) + float(size)
    towns = {town.place: town for town in m.towns.values() if town.place}
    for index, cell in enumerate(m.cells):
        if not m.dry(cell):
            continue
        town = towns.get(m.hexes[cell].get("place", ""))
        if town is not None:
            nearest = int(tree.nearest(shapely.Point(town.x, town.y)))
            m.set_hex(cell, "country", codes[nearest], SRC)
            best_piece = nearest
        elif area[index]:
            best = max(sorted(area[index]), key=lambda code: area[index][code])
            m.set_hex(cell, "country", best, SRC)
            best_piece = biggest[index][1]
        else:
            continue
        for key, column_codes in later.items():
            if column_codes[best_piece] != codes[best_piece]:
                m.set_hex(cell, key, column_codes[best_piece], SRC)
    m.report[SRC] = _frontiers(m)
    return m


def lay_frontiers(m: HexMap, cell: Cell) -> None:
    """Write the frontier sides of one hex anew, after its country changed."""
    mine = m.hexes[cell].get("country")
    for other in m.near(cell):
        theirs = m.hexes[other].get("country")
        if mine and theirs and mine != theirs and m.config.frontiers:
            m.set_side(cell, other, "frontier", True, SRC)
        else:
            m.sides.get(m.pair(cell, other), {}).pop("frontier", None)


def _frontiers(m: HexMap) -> dict[str, int]:
    count: dict[str, int] = {}
    for one, other in m.mesh.edges.values():
        a, b = (m.hexes.get(cell, {}).get("country") for cell in (one, other))
        if a and b and a != b and m.config.frontiers:
            m.set_side(one, other, "frontier", True, SRC)
    for facts in m.hexes.values():
        if "country" in facts:
            count[facts["country"]] = count.get(facts["country"], 0) + 1
    return dict(sorted(count.items()))
