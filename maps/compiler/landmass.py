"""Pass `landmass`: sides between hexes whose land hangs together nowhere near are water, however narrow the strait.

Pass `land` measures sides; a strait narrower than a side (Gibraltar, the Øresund) escapes it. Here the land of each hex
is taken in pieces, pieces that touch across a side are joined, and two hexes belong together when a way over land
leads from the main piece of one to the main piece of the other without leaving the neighbourhood. Bridges and other
exceptions are told in features.toml (``[[join]]``), always with a reason.
"""

from __future__ import annotations

from typing import Any

import shapely

from maps.compiler.errors import Finding, MapError
from maps.compiler.features import read_features, spot_cell
from maps.compiler.grid import Cell
from maps.compiler.model import HexMap, Pair
from maps.compiler.sources import World, polygons
from maps.compiler.tomlfile import table_line

SRC = "landmass"
AROUND = 1
"""A way over land may go round by hexes at most this far from the pair."""
ISLAND_KM2 = 500.0
"""Smaller islands never give its landmass to a hex that also holds a part of a larger one."""
TOUCH_KM = 0.05

Piece = tuple[Cell, int]


def landmass(m: HexMap, world: World) -> HexMap:
    """Close the sides between hexes of different landmasses; open those that features.toml joins."""
    m = m.fork()
    found = parted(m)
    joined = declared(m, world)
    path = m.folder / "features.toml"
    for pair, number in joined.items():
        if pair not in found and not m.wet_side(*pair):
            reason = f"{m.pair_key(pair)} needs no join: its hexes belong to one landmass"
            raise MapError(reason, file=path, line=table_line(path, "join", number))
        m.sides.get(pair, {}).pop("water", None)
    closed = [pair for pair in sorted(found) if pair not in joined and not m.wet_side(*pair)]
    for one, other in closed:
        m.set_side(one, other, "water", True, SRC)
    m.report[SRC] = {"closed": [m.pair_key(pair) for pair in closed], "joined": len(joined)}
    return m


def crossings(m: HexMap, world: World) -> list[Finding]:
    """Audit `landmass`: two landmasses are joined only by water, straits, or what features.toml joins with a reason."""
    joined = declared(m, world)
    found = []
    for pair in sorted(parted(m)):
        side, link = m.sides.get(pair, {}), m.links.get(pair, {})
        said = side.get("strait") or side.get("impassable") or link.get("arrow")
        if not (m.wet_side(*pair) or said or pair in joined):
            found.append(Finding(SRC, m.pair_key(pair), "a dry side between two landmasses that nothing declares"))
    return found


def declared(m: HexMap, world: World) -> dict[Pair, int]:
    """The pairs that features.toml joins, with the number of the entry."""
    path = m.folder / "features.toml"
    pairs: dict[Pair, int] = {}
    for number, join in enumerate(read_features(m.folder).join):
        line = table_line(path, "join", number)
        one, other = (spot_cell(m, world, spot, (path, line)) for spot in join.between)
        if other not in m.grid.neighbours(one):
            raise MapError(f"{m.grid.id(one)} and {m.grid.id(other)} are not neighbours", file=path, line=line)
        pairs[m.pair(one, other)] = number
    return pairs


def parted(m: HexMap) -> set[Pair]:
    """Pairs of neighbouring dry hexes whose main pieces of land are not joined over land nearby."""
    pieces = {cell: polygons(ground) for cell, ground in m.ground.items() if cell in m.hexes}
    touching = _touching(m, pieces)
    main = _mains(m, pieces, touching)
    found = set()
    for one, other in m.mesh.edges.values():
        if one not in main or other not in main or main[other] in touching[main[one]]:
            continue
        near = {cell for cell in m.cells if min(m.grid.distance(cell, one), m.grid.distance(cell, other)) <= AROUND}
        if main[other] not in _reached(main[one], touching, near):
            found.add(m.pair(one, other))
    return found


def _touching(m: HexMap, pieces: dict[Cell, list[Any]]) -> dict[Piece, set[Piece]]:
    """Which pieces of land of neighbouring hexes meet at the side between them."""
    touching: dict[Piece, set[Piece]] = {(cell, i): set() for cell, parts in pieces.items() for i in range(len(parts))}
    for one, other in m.mesh.edges.values():
        for i, part in enumerate(pieces.get(one, [])):
            for j, beyond in enumerate(pieces.get(other, [])):
                if shapely.dwithin(part, beyond, TOUCH_KM):
                    touching[one, i].add((other, j))
                    touching[other, j].add((one, i))
    return touching


def _reached(start: Piece, touching: dict[Piece, set[Piece]], within: set[Cell] | None) -> set[Piece]:
    seen, front = {start}, [start]
    while front:
        for piece in touching[front.pop()]:
            if piece not in seen and (within is None or piece[0] in within):
                seen.add(piece)
                front.append(piece)
    return seen


def _mains(m: HexMap, pieces: dict[Cell, list[Any]], touching: dict[Piece, set[Piece]]) -> dict[Cell, Piece]:
    """The piece that counts in each dry hex: that of its main place, else the largest; small islands come last."""
    size: dict[Piece, float] = {}
    for piece in touching:
        if piece not in size:
            whole = _reached(piece, touching, None)
            area = sum(float(pieces[cell][i].area) for cell, i in whole)
            size |= dict.fromkeys(whole, area)
    towns = {town.place: shapely.Point(town.x, town.y) for town in m.towns.values() if town.place}
    mains: dict[Cell, Piece] = {}
    for cell, parts in pieces.items():
        if not parts or not m.dry(cell):
            continue
        large = [i for i in range(len(parts)) if size[cell, i] >= ISLAND_KM2] or list(range(len(parts)))
        town = towns.get(m.hexes[cell].get("place", ""))
        near = [i for i in large if town is not None and shapely.dwithin(parts[i], town, 0.1 * m.grid.radius)]
        best = min(near, key=lambda i: float(parts[i].distance(town))) if near else None
        mains[cell] = (cell, max(large, key=lambda i: float(parts[i].area)) if best is None else best)
    return mains
