"""Pass `relief`: statistics of height and woods per hex, from rasters binned by cube rounding."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import ndimage

from maps.compiler.grid import Cell, Floats, Grid
from maps.compiler.model import HexMap
from maps.compiler.sources import World


def bin_means(grid: Grid, x: Floats, y: Floats, columns: list[Floats]) -> dict[Cell, list[float]]:
    """Mean of each column over the raster cells of each hex of the grid; the last number is the count."""
    u, v = grid.at(x, y)
    keys = (u + 4096) * 65536 + (v + 4096)
    order, inverse = np.unique(keys, return_inverse=True)
    counts = np.bincount(inverse)
    means = [np.bincount(inverse, weights=column) / counts for column in columns]
    out: dict[Cell, list[float]] = {}
    for index, key in enumerate(order):
        cell = int(key // 65536) - 4096, int(key % 65536) - 4096
        if grid.has(cell):
            out[cell] = [float(mean[index]) for mean in means] + [float(counts[index])]
    return out


def _merge(into: dict[Cell, list[float]], more: dict[Cell, list[float]]) -> None:
    """Combine means of two rasters by their counts."""
    for cell, values in more.items():
        old = into.get(cell)
        if old is None:
            into[cell] = values
            continue
        total = old[-1] + values[-1]
        into[cell] = [(a * old[-1] + b * values[-1]) / total for a, b in zip(old[:-1], values[:-1])] + [total]


def relief(m: HexMap, world: World) -> HexMap:
    """Mean height, ruggedness and wooded share of the land of each hex."""
    m = m.fork()
    heights: dict[Cell, list[float]] = {}
    for name in m.config.sources.elevation:
        x, y, z = world.raster(name)
        if not z.size:
            continue
        above = np.maximum(z, 0.0)
        rugged: Any = ndimage.maximum_filter(above, 3) - ndimage.minimum_filter(above, 3)
        land = z >= 0
        _merge(heights, bin_means(m.grid, x[land], y[land], [z[land], rugged[land]]))
    woods: dict[Cell, list[float]] = {}
    for name in m.config.sources.forest:
        x, y, p = world.raster(name)
        if p.size:
            dry = p > 0
            _merge(woods, bin_means(m.grid, x[dry], y[dry], [p[dry] / 100.0]))
    for cell in m.cells:
        mean, rugged_mean, _ = heights.get(cell, [0.0, 0.0, 0.0])
        m.stats[cell] |= {"height": mean, "rugged": rugged_mean, "woods": woods.get(cell, [0.0, 0.0])[0]}
    m.report["relief"] = {"hexes with heights": len(heights), "hexes with woods": len(woods)}
    return m
