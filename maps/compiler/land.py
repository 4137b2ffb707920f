"""Pass `land`: how much of each hex is land or lake, what is sea or coast, and which sides are all water."""

from __future__ import annotations

from typing import Any

import numpy as np
import shapely

from maps.compiler.errors import MapError
from maps.compiler.grid import Cell
from maps.compiler.model import HexMap, Pair
from maps.compiler.sources import World, polygons

SRC = "land"


def cell_polygons(m: HexMap) -> Any:
    """The hexes as polygons, in the order of `m.cells`."""
    rings = np.array([[m.grid.point(corner) for corner in m.grid.corners(cell)] for cell in m.cells])
    return shapely.polygons(rings)


def split(parts: list[Any], size: float) -> list[Any]:
    """Cut large polygons into boxes of about `size` km, so that cutting by hexes is quick."""
    done: list[Any] = []
    todo = list(parts)
    while todo:
        part = todo.pop()
        west, south, east, north = part.bounds
        wide, tall = east - west, north - south
        if shapely.get_num_coordinates(part) < 80 or max(wide, tall) < size:
            done.append(part)
            continue
        if wide > tall:
            middle = (west + east) / 2
            halves = ((west, south, middle, north), (middle, south, east, north))
        else:
            middle = (south + north) / 2
            halves = ((west, south, east, middle), (west, middle, east, north))
        for box in halves:
            piece = shapely.clip_by_rect(part, *box)
            if not shapely.is_valid(piece):
                piece = shapely.make_valid(shapely.intersection(shapely.make_valid(part), shapely.box(*box)))
            todo.extend(polygons(piece))
    return done


def shares(hexes: Any, parts: list[Any]) -> Any:
    """The share of each hex covered by disjoint polygons."""
    areas = np.zeros(len(hexes))
    if parts:
        tree = shapely.STRtree(parts)
        which, part = tree.query(hexes, predicate="intersects")
        cut = shapely.area(shapely.intersection(hexes[which], np.array(parts, dtype=object)[part]))
        np.add.at(areas, which, cut)
    return areas / shapely.area(hexes)


def land_pieces(m: HexMap, world: World) -> tuple[list[Any], list[Any]]:
    """Land and lakes on the plane at the map's date, cut to the window and split."""
    size = 4 * m.config.grid.km
    lakes = [f.geometry for f in world.all_features(m.config.sources.lakes)]
    for feature in world.all_features(m.config.sources.corrections):
        if feature.props["in_1940"] == "land":
            lakes = [lake.difference(feature.geometry.buffer(2.0)) for lake in lakes]
        else:
            lakes.append(feature.geometry)
    big = [p for lake in lakes for p in polygons(lake) if p.area >= m.config.land.lake_km2]
    lake_union = shapely.union_all(big) if big else shapely.Polygon()
    window = world.window
    return split(polygons(world.land.intersection(window)), size), split(
        polygons(lake_union.intersection(window)), size
    )


def land(m: HexMap, world: World) -> HexMap:
    """Measure land and lake, class the hexes, find water sides."""
    m = m.fork()
    settings = m.config.land
    hexes = cell_polygons(m)
    land_parts, lake_parts = land_pieces(m, world)
    if not land_parts:
        raise MapError("no land in the window of the grid: check projection and origin", file=m.folder / "map.toml")
    lake = shares(hexes, lake_parts)
    tree = shapely.STRtree(land_parts)
    which, part = tree.query(hexes, predicate="intersects")
    cut = shapely.intersection(hexes[which], np.array(land_parts, dtype=object)[part])
    grouped: dict[int, list[Any]] = {}
    for index, piece in zip(which, cut):
        grouped.setdefault(int(index), []).append(piece)
    for index, cell in enumerate(m.cells):
        pieces = grouped.get(index, [])
        ground = shapely.union_all(pieces) if len(pieces) > 1 else (pieces[0] if pieces else shapely.Polygon())
        m.ground[cell] = ground
        share = ground.area / hexes[index].area
        m.stats[cell] = {"land": share, "lake": float(lake[index])}
    _classify(m, pinned_cells(m, world))
    for one, other in water_sides(m):
        m.set_side(one, other, "water", True, SRC)
    kinds = [facts["kind"] for facts in m.hexes.values()]
    m.report[SRC] = {kind: kinds.count(kind) for kind in sorted(set(kinds))} | {"water sides": len(m.sides)}
    assert settings.sea_below < settings.coast_above
    return m


def pinned_cells(m: HexMap, world: World) -> set[Cell]:
    """Cells that must stay above water because an important town or a place of the gazetteer lies there."""
    from maps.compiler.gazetteer import read_gazetteer
    from maps.compiler.places import source_towns

    towns = [
        t for t in source_towns(m, world) if t.facts["class"] in m.config.land.pin or t.facts.get("port") == "major"
    ]
    pinned = {town.cell for town in towns}
    for place in read_gazetteer(m.folder):
        if place.sea_hex:
            continue
        x, y = world.projection.forward(np.array([[place.lon, place.lat]]))[0]
        pinned.add(m.grid.cell(place.hex) if place.hex else m.grid.cell_at(float(x), float(y)))
    return pinned


def _classify(m: HexMap, pinned: set[Cell]) -> None:
    settings = m.config.land
    told = {m.grid.cell(number) for number in settings.sea}
    for cell in m.cells:
        share, lake = m.stats[cell]["land"], m.stats[cell]["lake"]
        drowned = cell in told or (share < settings.sea_below and not (cell in pinned and share > 0.0))
        kind = "sea" if drowned else "lake" if lake > settings.lake_above and cell not in pinned else "land"
        m.hexes[cell] = {}
        m.set_hex(cell, "kind", kind, SRC if share >= settings.sea_below or kind == "sea" else "land:town")
    for cell in m.cells:
        if m.kind(cell) == "land":
            beside = any(m.kind(other) == "sea" for other in m.near(cell))
            if beside or m.stats[cell]["land"] < settings.coast_above:
                m.hexes[cell]["kind"] = "coast"


def water_sides(m: HexMap) -> list[Pair]:
    """Sides between dry hexes that no piece of land crosses: straits, fjords, wide estuaries."""
    found = []
    settings, radius = m.config.land, m.grid.radius
    for edge, (one, other) in sorted(m.mesh.edges.items()):
        if not (m.dry(one) and m.dry(other)):
            continue
        if m.stats[one]["land"] > 0.985 and m.stats[other]["land"] > 0.985:
            continue
        strip = shapely.buffer(shapely.LineString([m.grid.point(edge[0]), m.grid.point(edge[1])]), radius * 0.01)
        both = shapely.union_all([m.ground[one], m.ground[other]])
        dry = strip.intersection(both).area / strip.area
        if dry > settings.water_side_below:
            continue
        if dry < settings.water_side_touch or not _joined(m, one, other, both):
            found.append(m.pair(one, other))
    return found


def _joined(m: HexMap, one: Cell, other: Cell, both: Any) -> bool:
    """Do the main pieces of land of both hexes belong to one piece?"""
    mains = []
    for cell in (one, other):
        parts = polygons(m.ground[cell])
        if not parts:
            return False
        mains.append(max(parts, key=lambda part: float(part.area)))
    for piece in polygons(both.buffer(m.grid.radius * 0.004)):
        if piece.intersects(mains[0]) and piece.intersects(mains[1]):
            return True
    return False
