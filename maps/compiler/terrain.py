"""Pass `terrain`: one kind of terrain for each land hex, from relief, woods and hand-drawn polygons."""

from __future__ import annotations

from typing import Any

import numpy as np
import shapely

from maps.compiler.config import Layer, ReliefConfig
from maps.compiler.grid import Cell
from maps.compiler.land import cell_polygons, shares, split
from maps.compiler.model import HexMap
from maps.compiler.sources import World, polygons


def layer_shares(m: HexMap, world: World, layer: Layer) -> tuple[dict[Cell, float], Any]:
    """Share of each hex under a polygon layer, and the union of the layer."""
    shapes = [
        f.geometry for f in world.features(layer.source) if layer.kind is None or f.props.get("kind") == layer.kind
    ]
    union = shapely.union_all(shapes) if shapes else shapely.Polygon()
    found = shares(cell_polygons(m), split(polygons(union), 4 * m.config.grid.km))
    return {cell: float(found[i]) for i, cell in enumerate(m.cells)}, union


def by_relief(stats: dict[str, float], woods_hand: float, swamp: bool, desert: bool, settings: ReliefConfig) -> str:
    """Mountain, swamp, forest, hills, desert or clear."""
    rugged, height = stats["rugged"], stats["height"]
    woods = settings.forest_satellite * min(1.0, stats["woods"] * 1.5) + settings.forest_hand * woods_hand
    if any(rugged > r and height >= h for r, h in settings.mountain):
        return "mountain"
    if swamp:
        return "swamp"
    if woods > settings.forest_above and rugged < settings.forest_rugged_below:
        return "forest"
    if any(rugged > r and height >= h for r, h in settings.hills):
        return "hills"
    if woods > settings.forest_above:
        return "forest"
    return "desert" if desert else "clear"


def terrain(m: HexMap, world: World) -> HexMap:
    """Give each land hex its terrain."""
    m = m.fork()
    config = m.config.terrain
    layers = [(layer, *layer_shares(m, world, layer)) for layer in config.layers]
    for layer, share, _ in layers:
        for cell in m.cells:
            key = f"layer:{layer.terrain}"
            m.stats[cell][key] = max(m.stats[cell].get(key, 0.0), share[cell])
    for cell in m.cells:
        if not m.dry(cell):
            continue
        stats = m.stats[cell]
        land = max(stats["land"], 0.1)
        hits = [layer.terrain for layer, share, union in layers if _hit(m, cell, layer, share[cell] / land, union)]
        if config.relief is not None:
            hand = sum(share[cell] / land for layer, share, _ in layers if layer.terrain == "forest")
            found = by_relief(stats, hand, "swamp" in hits, "desert" in hits, config.relief)
            src = "relief" if found in {"mountain", "hills", "clear"} else f"terrain:{found}"
        else:
            found = hits[0] if hits else "clear"
            src = f"terrain:{found}" if hits else "terrain"
        m.set_hex(cell, "terrain", config.merge.get(found, found), src)
        if found in config.merge and config.merge[found] != "clear":
            m.set_hex(cell, "cover", found, "relief")
            m.hex_src[cell]["terrain"] = "relief"
    kinds = [facts["terrain"] for facts in m.hexes.values() if "terrain" in facts]
    m.report["terrain"] = {kind: kinds.count(kind) for kind in sorted(set(kinds))}
    return m


def _hit(m: HexMap, cell: Cell, layer: Layer, share: float, union: Any) -> bool:
    if layer.flat_below is not None and m.stats[cell].get("rugged", 0.0) >= layer.flat_below:
        return False
    if share > layer.share:
        return True
    if layer.centre_share is None or share <= layer.centre_share:
        return False
    return bool(shapely.contains_xy(union, *np.array(m.grid.centre(cell))))
