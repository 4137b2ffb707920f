"""Pass `register`, done once by hand: slide the grid over one cell and score each place of it.

``python -m maps.compiler.register western-europe`` prints the best origins; the chosen one goes into map.toml. Numbers
of hexes depend on it, so it is not searched again at each compilation. Scored on a raster of a tenth of a hex: hexes
that hold two landmasses, slivers of land, places that want a hex alone and share it, ports in dry hexes, and the wishes
of ``[extra.register]``: pairs of places ``within`` or ``beyond`` a distance in hexes, and bounds on the printed
``columns`` and ``rows`` of places.
"""

from __future__ import annotations

import sys
from typing import Any

import msgspec
import numpy as np
import shapely

from maps.compiler.config import GridConfig, map_folder, read_config
from maps.compiler.gazetteer import Place, read_gazetteer
from maps.compiler.grid import Cell, Floats, Grid
from maps.compiler.land import split
from maps.compiler.project import projection_of
from maps.compiler.sources import World, polygons


def raster_step(km: float) -> float:
    """Size of a raster cell, km: about a hundred of them in a hex."""
    return km / 10


def land_raster(world: World) -> tuple[Floats, Floats, Any]:
    """Plane points of a raster on land with the number of their landmass (by size)."""
    parts = [p for f in world.all_features(world.config.sources.land) for p in polygons(f.geometry)]
    parts = sorted((p for p in parts if p.area > 25.0), key=lambda p: -float(p.area))
    pieces = [(number, piece) for number, part in enumerate(parts) for piece in split([part], 150.0)]
    step = raster_step(world.config.grid.km)
    west, south, east, north = world.window.bounds
    mesh_x, mesh_y = np.meshgrid(np.arange(west, east, step), np.arange(south, north, step))
    x, y = mesh_x.ravel(), mesh_y.ravel()
    number = np.full(len(x), -1)
    tree = shapely.STRtree([piece for _, piece in pieces])
    point, found = tree.query(shapely.points(x, y), predicate="intersects")
    number[point] = np.array([mass for mass, _ in pieces])[found]
    keep = number >= 0
    return x[keep], y[keep], number[keep]


class Scorer:
    """Scores one origin."""

    def __init__(self, world: World, places: tuple[Place, ...], wishes: dict[str, Any]) -> None:
        self.world, self.places, self.wishes = world, places, wishes
        self.x, self.y, self.mass = land_raster(world)
        xy = world.projection.forward(np.array([[p.lon, p.lat] for p in places]))
        self.at = {place.id: (float(a), float(b)) for place, (a, b) in zip(places, xy)}

    def score(self, config: GridConfig) -> tuple[float, dict[str, float]]:
        """Lower is better; the parts of the score for the reader."""
        grid = Grid.of(config)
        u, v = grid.at(self.x, self.y)
        area = grid.config.km**2 * 3**0.5 / 2 / raster_step(config.km) ** 2
        hexes, share_of = np.unique((u + 4096) * 65536 + v + 4096, return_inverse=True)
        total = np.bincount(share_of) / area
        key = share_of * 64 + np.minimum(self.mass, 63)
        pairs, counts = np.unique(key, return_counts=True)
        first: dict[int, list[float]] = {}
        for pair, count in zip(pairs, counts):
            if pair % 64 < 30:
                first.setdefault(int(pair) // 64, []).append(count / area)
        mixed = sum(min(6 * sorted(s)[-2], 1.0) for s in first.values() if len(s) > 1 and sorted(s)[-2] > 0.03)
        slivers = float(((total > 0.04) & (total < 0.16)).sum())
        land = {(int(h // 65536) - 4096, int(h % 65536) - 4096): float(t) for h, t in zip(hexes, total)}
        cells = {name: grid.cell_at(*xy) for name, xy in self.at.items()}
        alone: dict[Cell, list[float]] = {}
        for place in self.places:
            if place.alone:
                alone.setdefault(cells[place.id], []).append(place.weight)
        crowd = sum(sum(sorted(w)[:-1]) for w in alone.values()) / 60
        dry = 0.0
        for place in self.places:
            if place.facts.get("port") and not place.facts.get("inland"):
                around = [land.get(c, 0.0) for c in grid.neighbours(cells[place.id])]
                if land.get(cells[place.id], 0.0) > 0.96 and min(around) > 0.1:
                    dry += place.weight / 60
        parts = {"mixed": 4 * mixed, "slivers": 0.25 * slivers, "crowd": crowd, "dry ports": 2 * dry,
                 "wishes": self._wishes(grid, cells)}  # fmt: skip
        return sum(parts.values()), parts

    def _wishes(self, grid: Grid, cells: dict[str, Cell]) -> float:
        bad = 0.0
        for a, b, limit in self.wishes.get("within", []):
            bad += 4.0 * max(0, grid.distance(cells[a], cells[b]) - limit)
        for a, b, limit in self.wishes.get("beyond", []):
            bad += 4.0 * max(0, limit - grid.distance(cells[a], cells[b]))
        for name, low, high in self.wishes.get("columns", []):
            column = cells[name][0] + 1
            bad += 0.0 if low <= column <= high else 30.0
        for name, low, high in self.wishes.get("rows", []):
            row = int(grid.id(cells[name])[-2:]) if grid.has(cells[name]) else 0
            bad += 0.0 if low <= row <= high else 30.0
        return bad


def main(name: str, steps: int = 20) -> None:
    """Print the ten best origins near the one in map.toml."""
    folder = map_folder(name)
    config = read_config(folder)
    world = World(config, folder, Grid.of(config.grid), projection_of(config, folder))
    scorer = Scorer(world, read_gazetteer(folder), config.extra.get("register", {}))
    grid = config.grid
    found = []
    wide, tall = 3 * world.grid.radius / 2, grid.km
    for i in range(steps):
        for j in range(steps):
            origin = (
                round(grid.origin[0] + (i / steps - 0.5) * wide, 1),
                round(grid.origin[1] + (j / steps - 0.5) * tall, 1),
            )
            found.append((*scorer.score(msgspec.structs.replace(grid, origin=origin)), origin))
    found.sort(key=lambda row: (row[0], row[2]))
    for total, parts, origin in found[:10]:
        print(f"{total:7.1f} {origin} { ({key: round(value, 1) for key, value in parts.items()}) }")
    print("median", round(found[len(found) // 2][0], 1), "worst", round(found[-1][0], 1))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20)
