"""The true lines of rivers: joined from their pieces, prolonged to the sea, turned downstream, cut to the map."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from shapely.ops import linemerge

from maps.compiler.errors import MapError
from maps.compiler.model import HexMap
from maps.compiler.sources import World, lines


@dataclass(frozen=True)
class River:
    """One line of one river, source to mouth, on the plane."""

    name: str
    size: int
    """1 main, 2 secondary, 3 stream."""
    line: Any


def join(pieces: list[Any], gap: float) -> list[Any]:
    """Join pieces whose ends are closer than `gap`, nearest first; longest line first."""
    merged = linemerge(shapely.MultiLineString(pieces)) if len(pieces) > 1 else pieces[0]
    rest = sorted(lines(merged), key=lambda line: (-line.length, line.coords[0]))
    while len(rest) > 1:
        best: tuple[float, int, int, bool, bool] | None = None
        for i in range(len(rest)):
            for j in range(i + 1, len(rest)):
                for end_i in (False, True):
                    for end_j in (False, True):
                        a = rest[i].coords[-1 if end_i else 0]
                        b = rest[j].coords[-1 if end_j else 0]
                        d = math.dist(a, b)
                        if d < gap and (best is None or d < best[0]):
                            best = (d, i, j, end_i, end_j)
        if best is None:
            break
        _, i, j, end_i, end_j = best
        first = list(rest[i].coords) if end_i else list(rest[i].coords)[::-1]
        second = list(rest[j].coords)[::-1] if end_j else list(rest[j].coords)
        joined = shapely.LineString(first + second)
        rest = [line for k, line in enumerate(rest) if k not in {i, j}] + [joined]
    return sorted(rest, key=lambda line: (-line.length, line.coords[0]))


def heights_under(m: HexMap, world: World) -> Any:
    """A function giving the lowest height near a point of the plane."""
    rasters = []
    for name in m.config.sources.elevation:
        with np.load(world.path(name)) as data:
            rasters.append((data["z"], float(data["west"]), float(data["north"]), float(data["step"])))

    def lowest(x: float, y: float) -> float:
        lon, lat = world.projection.inverse(np.array([[x, y]]))[0]
        for z, west, north, step in rasters:
            i, j = int((north - lat) / step), int((lon - west) / step)
            if 0 <= i < z.shape[0] and 0 <= j < z.shape[1]:
                near = z[max(0, i - 2) : i + 3, max(0, j - 2) : j + 3]
                return float(np.maximum(near, 0).min())
        return 0.0

    return lowest


def river_lines(m: HexMap, world: World) -> list[River]:
    """The rivers that map.toml asks for, main ones first."""
    config = m.config.rivers
    raw: dict[str, list[tuple[str, Any]]] = {}
    rank: dict[str, int] = {}
    for feature in world.all_features(m.config.sources.rivers):
        name = feature.props.get("name")
        name = config.rename.get(name, name) if name else None
        if name is None or name in config.skip:
            continue
        rank[name] = min(rank.get(name, 9), int(feature.props.get("rank", 2)))
        for line in lines(feature.geometry):
            raw.setdefault(name, []).append((str(feature.props.get("src", "hand")), line))
    if config.by_rank:
        order = sorted(raw, key=lambda n: (rank[n], -sum(line.length for _, line in raw[n]), n))
        sizes = {name: rank[name] for name in order}
    else:
        order = [*config.major, *config.minor]
        sizes = {name: 1 if name in config.major else 2 for name in order}
        missing = [name for name in order if name not in raw]
        if missing:
            raise MapError(f"rivers: no source line is named {', '.join(missing)}", file=m.folder / "map.toml")
    return [river for name in order for river in _prepare(m, world, name, sizes[name], raw[name])]


def _prepare(m: HexMap, world: World, name: str, size: int, pieces: list[tuple[str, Any]]) -> list[River]:
    """Join, prolong, cut; only lines longer than 1.2 R are kept."""
    config, radius = m.config.rivers, m.grid.radius
    long_source = {src: sum(line.length for s, line in pieces if s == src) for src, _ in pieces}
    if "hand" in long_source and long_source["hand"] > 0.5 * sum(long_source.values()) - long_source["hand"]:
        pieces = [(src, line) for src, line in pieces if src == "hand"]
    centre, minor = long_source.get("ne10 centerlines", 0.0), long_source.get("ne10 europe", 0.0)
    if centre > minor > 0:
        pieces = [(src, line) for src, line in pieces if src != "ne10 europe"]
    pieces = [(src, line) for src, line in pieces if line.length > 0.05 * radius]
    gap = config.gap.get(name, min(14.0, 0.35 * radius))
    west, south, east, north = m.grid.bounds()
    inside = shapely.box(west, south, east, north).buffer(-0.1 * radius)
    found: list[River] = []
    for line in join([line for _, line in pieces], gap):
        longer = _prolong(world, line, config.estuaries.get(name, []) if not found else [])
        cut = _longest_inside(longer, inside)
        if cut is not None and cut.length > 1.2 * radius:
            found.append(River(name, size, cut.simplify(radius * 0.02)))
    return found[: config.pieces.get(name, 1)]


def _longest_inside(line: Any, box: Any) -> Any | None:
    """The longest run of a line inside a box (a plain intersection would break a line that touches itself)."""
    coords = shapely.get_coordinates(shapely.segmentize(line, 5.0))
    inside = shapely.contains_xy(box, coords[:, 0], coords[:, 1])
    runs: list[Any] = []
    start = None
    for index, keep in enumerate([*inside, False]):
        if keep and start is None:
            start = index
        elif not keep and start is not None:
            if index - start > 1:
                runs.append(shapely.LineString(coords[start:index]))
            start = None
    return max(runs, key=lambda run: float(run.length), default=None)


def _prolong(world: World, line: Any, points: list[tuple[float, float]]) -> Any:
    if not points:
        return line
    tail = [tuple(p) for p in world.projection.forward(np.array(points, dtype=np.float64)).tolist()]
    coords = list(line.coords)
    if math.dist(coords[0], tail[0]) < math.dist(coords[-1], tail[0]):
        coords = coords[::-1]
    return shapely.LineString(coords + tail)


def read_banks(m: HexMap, world: World) -> dict[str, dict[str, int]]:
    """River -> town -> +1 (left bank, looking downstream) or -1 (right)."""
    table: dict[str, dict[str, int]] = {}
    for name in m.config.rivers.banks:
        path = world.path(name)
        data = json.loads(path.read_text(encoding="utf-8"))
        for river, banks in data["rivers"].items():
            row = table.setdefault(m.config.rivers.rename.get(river, river), {})
            for side, value in (("left", 1), ("right", -1)):
                for town in banks.get(side, []):
                    if row.get(town, value) != value:
                        raise MapError(f"{town} is on both banks of the {river}", file=path)
                    row[town] = value
    return table
