"""From a compiled map to a drawing: geography of the sheet out of the compiler's world, and the pass for labels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import shapely
from msgspec import Struct, field
from scipy import ndimage

from maps.compiler.grid import Floats
from maps.compiler.land import land_pieces
from maps.compiler.model import HexMap
from maps.compiler.sources import World
from maps.compiler.tomlfile import read_toml
from maps.compiler.write import to_dict
from maps.draw.frame import RADIUS, Frame, Point, frame_of
from maps.draw.sheet import Art


class LabelEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """One free label of labels.toml."""

    en: str
    fr: str
    lat: float
    lon: float
    style: str
    """ocean, sea, bay, country, region or height."""
    rot: float = 0.0
    """Degrees, counter-clockwise."""
    size: float = 1.0


class LabelFile(Struct, frozen=True, forbid_unknown_fields=True):
    """labels.toml."""

    label: list[LabelEntry] = field(default_factory=list)


def map_frame(m: HexMap) -> Frame:
    """The drawing frame of a map under construction."""
    return frame_of(to_dict(m)["grid"])


class Placer:
    """From the compiler's plane (km, y north) to the sheet (drawing units, y down)."""

    def __init__(self, m: HexMap) -> None:
        self.frame = map_frame(m)
        self.scale = RADIUS / m.grid.radius
        cell = m.cells[0]
        (px, py), (sx, sy) = m.grid.centre(cell), self.frame.centre(m.grid.id(cell))
        self.shift = sx - px * self.scale, sy + py * self.scale

    def point(self, x: float, y: float) -> Point:
        """One point."""
        return x * self.scale + self.shift[0], -y * self.scale + self.shift[1]

    def array(self, plane: Floats) -> Floats:
        """Many points."""
        return np.column_stack([plane[:, 0] * self.scale + self.shift[0], -plane[:, 1] * self.scale + self.shift[1]])

    def back(self, sheet: Floats) -> Floats:
        """From the sheet to the plane."""
        return np.column_stack([(sheet[:, 0] - self.shift[0]) / self.scale, (self.shift[1] - sheet[:, 1]) / self.scale])

    def shape(self, geometry: Any) -> Any:
        """A geometry on the sheet."""
        return shapely.transform(geometry, self.array)


def labels(m: HexMap, world: World) -> HexMap:
    """Pass `labels`: names of waters, regions and heights from labels.toml, put on the sheet (`at`: drawing units)."""
    path = m.folder / "labels.toml"
    if not path.is_file():
        return m
    m = m.fork()
    placer = Placer(m)
    for entry in read_toml(path, LabelFile).label:
        plane = world.projection.forward(np.array([[entry.lon, entry.lat]]))[0]
        x, y = placer.point(float(plane[0]), float(plane[1]))
        label: dict[str, Any] = {
            "text": {"en": entry.en, "fr": entry.fr},
            "at": [round(x), round(y)],
            "style": entry.style,
        }
        if entry.rot:
            label["rot"] = -entry.rot
        if entry.size != 1.0:
            label["size"] = entry.size
        m.labels.append(label)
    return m


def art_of(m: HexMap, world: World) -> Art:
    """The geography of a compiled map on its sheet."""
    placer = Placer(m)
    land_parts, lake_parts = land_pieces(m, world)
    extra = m.config.extra
    return Art(
        land=placer.shape(shapely.union_all(land_parts, grid_size=0.001)),
        lakes=placer.shape(shapely.union_all(lake_parts)) if lake_parts else shapely.MultiPolygon(),
        deep=_layer(world, placer, extra.get("deep", _depths(m, world))),
        wetlands=_layer(world, placer, extra.get("wetlands", [])),
        heights=_heights(m, world, placer),
        points={town.place: placer.point(town.x, town.y) for town in m.towns.values() if town.place},
        rivers={
            name: [[placer.point(*m.grid.point(v)) for v in path] for path in paths] for name, paths in m.rivers.items()
        },
    )


def _depths(m: HexMap, world: World) -> list[str]:
    """Depth polygons that lie beside the land of the sources."""
    beside = [str(Path(name).with_name("bathymetry_200m.geojson")) for name in m.config.sources.land]
    return [name for name in beside if (world.root / name).is_file()]


def _layer(world: World, placer: Placer, names: list[str]) -> Any:
    shapes = [feature.geometry for feature in world.all_features(names)]
    return placer.shape(shapely.union_all(shapes)) if shapes else shapely.MultiPolygon()


def _heights(m: HexMap, world: World, placer: Placer, step: float = 6.0) -> Floats | None:
    """Heights on an even grid of the sheet, from every elevation source, smoothly interpolated."""
    if not m.config.sources.elevation:
        return None
    wide, high = int(placer.frame.width / step), int(placer.frame.height / step)
    x, y = np.meshgrid((np.arange(wide) + 0.5) * step, (np.arange(high) + 0.5) * step)
    lonlat = world.projection.inverse(placer.back(np.column_stack([x.ravel(), y.ravel()])))
    out, seen = np.zeros(wide * high), np.zeros(wide * high, dtype=bool)
    for name in m.config.sources.elevation:
        with np.load(world.path(name)) as data:
            z = np.maximum(data["z"].astype(np.float64), 0.0)
            west, north, cell = float(data["west"]), float(data["north"]), float(data["step"])
        row, col = (north - lonlat[:, 1]) / cell - 0.5, (lonlat[:, 0] - west) / cell - 0.5
        inside = (row > -1) & (row < z.shape[0]) & (col > -1) & (col < z.shape[1])
        if inside.any():
            found = ndimage.map_coordinates(z, [row[inside], col[inside]], order=3, mode="nearest")
            out[inside] = np.maximum(found, 0.0)
            seen |= inside
    found_heights, known = out.reshape(high, wide), seen.reshape(high, wide)
    if not known.all() and known.any():  # beyond the sources the ground runs on, or their rim would throw a shadow
        near = ndimage.distance_transform_edt(~known, return_distances=False, return_indices=True)
        return np.asarray(found_heights[tuple(near)], dtype=np.float64)
    return found_heights
