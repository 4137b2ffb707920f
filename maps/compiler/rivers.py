"""Pass `rivers`: rivers on hexsides, downstream, towns on their true banks; audits of gaps and banks."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import shapely

from maps.compiler.errors import Finding, MapError
from maps.compiler.grid import Vertex
from maps.compiler.model import HAND, HexMap
from maps.compiler.riverlines import River, heights_under, read_banks, river_lines
from maps.compiler.snap import Bank, Course, snap
from maps.compiler.sources import World

SRC = "rivers"
CORRIDOR_OF_BANKS = 1.6
"""Towns at most so far (in R) from a river have a bank."""


def wet_corners(m: HexMap) -> set[Vertex]:
    """Corners where a river can reach the sea: of sea hexes, under water, or of sides told to be water."""
    told = [pair for pair, facts in m.sides.items() if facts.get("water") and m.side_src[pair]["water"] == HAND]
    found = {vertex for pair in told for vertex in m.grid.shared(*pair)}
    for vertex, cells in m.mesh.touching.items():
        if any(m.kind(cell) in {"sea", "lake"} for cell in cells):
            found.add(vertex)
            continue
        x, y = m.grid.point(vertex)
        ground = [m.ground[cell] for cell in cells if cell in m.ground and not m.ground[cell].is_empty]
        if not any(shapely.Point(x, y).distance(land) < 0.01 * m.grid.radius for land in ground):
            found.add(vertex)
    return found


def open_sides(m: HexMap) -> set[tuple[Vertex, Vertex]]:
    """Sides where a river may run: both hexes on the map, at least one dry."""
    return {
        edge
        for edge, (one, other) in m.mesh.edges.items()
        if one in m.hexes and other in m.hexes and (m.dry(one) or m.dry(other))
    }


def rivers(m: HexMap, world: World) -> HexMap:
    """Lay every river of map.toml on the hexsides."""
    m = m.fork()
    table = read_banks(m, world)
    lowest = heights_under(m, world)
    to_sea = _distance_to_sea(m, world)
    wet, open_ = wet_corners(m), open_sides(m)
    lost: list[str] = []
    for river in river_lines(m, world):
        line, ends = _direct(m, river, lowest, to_sea, wet)
        towns = _banks(m, river, line, table)
        chosen = _one_per_hex(m, towns)
        path = snap(m.mesh, line, chosen, open_, ends)
        if path is None:
            lost.append(river.name)
            continue
        while (ends is wet or river.name in m.config.rivers.into) and len(path) > 2 and path[-2] in (ends or ()):
            path.pop()
        _lay(m, river, line, path)
        judged = [bank for bank in towns if m.towns[bank.town].place in m.places or _gate(m, bank)]
        m.banks.append((river.name, path, {bank.town: bank.side for bank in judged}))
    sides = sum(1 for facts in m.sides.values() if "river" in facts)
    m.report[SRC] = {"rivers": len(m.rivers), "sides": sides, "not laid": lost}
    m.findings.extend(_gaps(m, wet))
    return m


def _distance_to_sea(m: HexMap, world: World) -> Callable[[Any], float]:
    """How far a point is from open water: a sea hex, or the true shore."""
    cells = [cell for cell in m.cells if m.kind(cell) == "sea"]
    hexes = [shapely.Polygon([m.grid.point(c) for c in m.grid.corners(cell)]) for cell in cells]
    tree = shapely.STRtree(hexes)
    shapely.prepare(world.land)

    def distance(point: Any) -> float:
        if not world.land.contains(point):
            return 0.0
        far = float(world.shore.distance(point))
        if hexes:
            far = min(far, max(0.0, float(hexes[int(tree.nearest(point))].distance(point)) - 0.5))
        return far

    return distance


def _direct(m: HexMap, river: River, lowest: Any, sea_from: Any, wet: set[Vertex]) -> tuple[Any, set[Vertex] | None]:
    """Turn the line downstream (the lower end is the mouth) and say where it may end."""
    line, radius = river.line, m.grid.radius
    tips = [shapely.Point(line.coords[0]), shapely.Point(line.coords[-1])]
    others = {name: shapely.union_all(found) for name, found in m.river_lines.items() if name != river.name}
    to_sea = [sea_from(tip) for tip in tips]
    to_river = [min((float(other.distance(tip)) for other in others.values()), default=1e9) for tip in tips]
    heights = [lowest(tip.x, tip.y) for tip in tips] if m.config.sources.elevation else [0.0, 0.0]
    if abs(heights[0] - heights[1]) <= 25:
        heights = [min(to_sea[i], to_river[i]) for i in (0, 1)]
    backwards = heights[0] < heights[1] and not m.config.rivers.by_rank
    if backwards != (river.name in m.config.rivers.turn):
        line = shapely.reverse(line)
        to_sea, to_river, tips = to_sea[::-1], to_river[::-1], tips[::-1]
    told = m.config.rivers.into.get(river.name)
    if told is not None and told not in m.rivers:
        raise MapError(f"rivers.into: {river.name} ends in {told!r}, which is not laid before it", file=_map_toml(m))
    if told is not None or to_river[1] < min(0.8 * radius, to_sea[1] + 1e-6):
        trunk = told or min(sorted(others), key=lambda name: float(others[name].distance(tips[1])))
        return line, {vertex for path in m.rivers[trunk] for vertex in path}
    return line, wet if to_sea[1] < 1.3 * radius else None


def _banks(m: HexMap, river: River, line: Any, table: dict[str, dict[str, int]]) -> list[Bank]:
    """Towns near the line with the bank they stand on: by hand, or by geometry when well away from the line."""
    course, radius = Course(line, m.grid.radius), m.grid.radius
    known = table.get(river.name, {})
    found: list[Bank] = []
    west, south, east, north = shapely.buffer(line, radius * CORRIDOR_OF_BANKS).bounds
    for town in sorted(m.towns.values(), key=lambda town: (-town.weight, town.name)):
        if town.cell not in m.hexes or not (west <= town.x <= east and south <= town.y <= north):
            continue
        if town.place not in m.places and town.name not in known:
            continue
        if line.distance(shapely.Point(town.x, town.y)) > radius * CORRIDOR_OF_BANKS:
            continue
        if town.name in known:
            found.append(Bank(town.cell, town.name, known[town.name], True))
            continue
        side, far = course.side(np.array([town.x]), np.array([town.y]))
        if side[0] and far[0] > 0.10 * radius:
            found.append(Bank(town.cell, town.name, int(side[0]), False))
    return found


def _one_per_hex(m: HexMap, towns: list[Bank]) -> list[Bank]:
    """The towns that bend the course of the river: main places, and those whose bank is told by hand."""
    found: dict[Any, Bank] = {}
    for bank in towns:
        place = m.towns[bank.town].place
        if bank.cell not in found and (bank.sure or (place and m.hexes[bank.cell].get("place") == place)):
            found[bank.cell] = bank
    return list(found.values())


def _gate(m: HexMap, bank: Bank) -> bool:
    """A point set by hand to hold a bank? Other towns that are no places stand in no hex: nothing to judge."""
    return m.towns[bank.town].facts.get("class") == "gate"


def _map_toml(m: HexMap) -> Path:
    return m.folder / "map.toml"


def _lay(m: HexMap, river: River, line: Any, path: list[Vertex]) -> None:
    m.rivers[river.name] = [*m.rivers.get(river.name, []), path]
    m.river_lines[river.name] = [*m.river_lines.get(river.name, []), line]
    for a, b in pairwise(path):
        one, other = m.mesh.edges[(a, b) if a < b else (b, a)]
        here = m.sides.get(m.pair(one, other), {})
        if river.name in m.config.rivers.canals:
            if "river" not in here:
                m.set_side(one, other, "canal", river.name, SRC)
        elif "river" not in here:
            m.set_side(one, other, "river", [river.name, river.size], SRC)


def wrong_banks(m: HexMap) -> list[Finding]:
    """Audit `bank`: towns whose hexes, as they are in the end, lie wholly on the wrong side of a river.

    Sides that an override took from the river part nothing.
    """
    found = []
    for name, path, towns in m.banks:
        sides: dict[Any, set[int]] = {}
        for a, b in pairwise(path):
            if not _is_wet(m, a, b):
                continue
            left, right = m.mesh.left_right(a, b)
            sides.setdefault(left, set()).add(1)
            sides.setdefault(right, set()).add(-1)
        for town, side in towns.items():
            place = m.places.get(m.towns[town].place or "")
            cells = [m.grid.cell(number) for number in place["hexes"]] if place else [m.towns[town].cell]
            touched = [sides.get(cell, set()) for cell in cells]
            if all(len(banks) == 1 and side not in banks for banks in touched):
                where = "left" if side > 0 else "right"
                numbers = ", ".join(m.grid.id(cell) for cell in cells)
                found.append(Finding("bank", f"{town}/{name}", f"hex {numbers} is not on the {where} bank"))
    return found


def _is_wet(m: HexMap, a: Vertex, b: Vertex) -> bool:
    """Does a river or canal run between two corners in the end?"""
    facts = m.sides.get(m.pair(*m.mesh.edges[(a, b) if a < b else (b, a)]), {})
    return "river" in facts or "canal" in facts


def torn_rivers(m: HexMap) -> list[Finding]:
    """Audit `gap`: rivers that overrides have left in more pieces than they were laid in."""
    own: dict[str, set[tuple[Vertex, Vertex]]] = {}
    for edge, (one, other) in m.mesh.edges.items():
        if one in m.hexes and other in m.hexes and (told := m.sides.get(m.pair(one, other), {}).get("river")):
            own.setdefault(str(told[0]), set()).add(edge)
    found = []
    for name, paths in sorted(m.rivers.items()):
        laid = {(a, b) if a < b else (b, a) for path in paths for a, b in pairwise(path)}
        now = {edge for edge in laid if _is_wet(m, *edge)} | own.get(name, set())
        if _pieces(now) > _pieces(laid):
            found.append(Finding("gap", name, f"overrides leave it in {_pieces(now)} pieces"))
    return found


def _pieces(edges: set[tuple[Vertex, Vertex]]) -> int:
    """How many parts hang together."""
    near: dict[Vertex, list[Vertex]] = {}
    for a, b in edges:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    seen: set[Vertex] = set()
    count = 0
    for start in near:
        if start in seen:
            continue
        count += 1
        todo = [start]
        while todo:
            vertex = todo.pop()
            if vertex not in seen:
                seen.add(vertex)
                todo += near[vertex]
    return count


def _gaps(m: HexMap, wet: set[Vertex]) -> list[Finding]:
    """Audit `gap`: the sides of a river form one unbroken path that ends in water, in a river or at the rim."""
    found = []
    rim = {vertex for edge, (_, other) in m.mesh.edges.items() if other not in m.hexes for vertex in edge}
    for name, paths in sorted(m.rivers.items()):
        for path in paths:
            if any(b not in m.mesh.around[a] for a, b in pairwise(path)):
                found.append(Finding("gap", name, "the path of corners is broken"))
            joined = {v for other, ways in m.rivers.items() if other != name for way in ways for v in way}
            if path[-1] not in wet | rim | joined:
                near = ", ".join(m.grid.id(cell) for cell in m.mesh.touching[path[-1]] if m.grid.has(cell))
                found.append(Finding("gap", name, f"it ends inland, between {near}"))
    return found
