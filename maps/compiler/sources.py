"""The source layers of a map, read from maps/sources, put on the plane and cut to the window of the grid."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from shapely.geometry import shape

from maps.compiler.config import MAPS, MapConfig
from maps.compiler.errors import MapError
from maps.compiler.grid import Floats, Grid
from maps.compiler.project import Projection, project

SOURCES = MAPS / "sources"


@dataclass(frozen=True)
class Feature:
    """One feature of a source: its properties, and its geometry on the plane."""

    props: dict[str, Any]
    geometry: Any
    source: str


@dataclass
class World:
    """Everything a pass may look at besides the map itself."""

    config: MapConfig
    folder: Path
    grid: Grid
    projection: Projection
    root: Path = SOURCES
    _cache: dict[str, list[Feature]] = field(default_factory=dict)

    @property
    def window(self) -> Any:
        """The rectangle of the grid with a margin of two hexes."""
        west, south, east, north = self.grid.bounds()
        pad = 2 * self.config.grid.km
        return shapely.box(west - pad, south - pad, east + pad, north + pad)

    @property
    def segment(self) -> float:
        """Distance (degrees) of extra points so that long straight lines follow the projection."""
        return self.config.grid.km / 300.0

    def path(self, name: str) -> Path:
        """A file of maps/sources, or of the map's own folder if it starts with ``./``."""
        path = self.folder / name[2:] if name.startswith("./") else self.root / name
        if not path.is_file():
            told = self.folder / "map.toml"
            reason = f"source {name} is missing (looked for {path.name} in {path.parent.name}/)"
            raise MapError(reason, file=told, line=_line_naming(told, name))
        return path

    def features(self, name: str) -> list[Feature]:
        """The features of a GeoJSON file that touch the window, on the plane."""
        if name not in self._cache:
            path = self.path(name)
            try:
                data = json.loads(path.read_text(encoding="utf-8"))
                raw = data["features"]
            except (json.JSONDecodeError, KeyError, TypeError) as error:
                raise MapError(f"not a GeoJSON FeatureCollection: {error}", file=path) from None
            shapes = np.array([shape(feature["geometry"]) for feature in raw], dtype=object)
            near = shapely.intersects(shapes, self._lonlat_box())
            plane = project(shapes[near], self.projection, self.segment)
            plane = np.where(shapely.is_valid(plane), plane, shapely.make_valid(plane))
            inside = shapely.intersects(plane, self.window)
            kept = [feature for feature, keep in zip(raw, near) if keep]
            self._cache[name] = [
                Feature(feature["properties"], geometry, name)
                for feature, geometry, keep in zip(kept, plane, inside)
                if keep
            ]
        return self._cache[name]

    @cached_property
    def land(self) -> Any:
        """All land of the window in one geometry, lakes included."""
        return shapely.union_all([f.geometry for f in self.all_features(self.config.sources.land)])

    @cached_property
    def shore(self) -> Any:
        """The line where that land ends."""
        line = shapely.intersection(self.land.boundary, self.window)
        shapely.prepare(line)
        return line

    def all_features(self, names: list[str]) -> list[Feature]:
        """Several files, concatenated."""
        return [feature for name in names for feature in self.features(name)]

    def _lonlat_box(self) -> Any:
        """A generous box around the window in longitude and latitude."""
        ring = shapely.get_coordinates(shapely.segmentize(self.window.exterior, self.config.grid.km))
        lonlat = self.projection.inverse(ring)
        lonlat = lonlat[np.isfinite(lonlat).all(axis=1)]
        (west, south), (east, north) = lonlat.min(axis=0), lonlat.max(axis=0)
        return shapely.box(west - 1, south - 1, east + 1, north + 1)

    def raster(self, name: str) -> tuple[Floats, Floats, Floats]:
        """Plane x, plane y and value of the raster cells near the window (row order kept: 2-D arrays)."""
        with np.load(self.path(name)) as data:
            values = data["z" if "z" in data else "p"].astype(np.float64)
            west, north, step = float(data["west"]), float(data["north"]), float(data["step"])
        west_b, south_b, east_b, north_b = self._lonlat_box().bounds
        rows, cols = values.shape
        top, bottom = max(0, int((north - north_b) / step)), min(rows, int((north - south_b) / step) + 2)
        left, right = max(0, int((west_b - west) / step)), min(cols, int((east_b - west) / step) + 2)
        if top >= bottom or left >= right:
            empty = np.zeros((0, 0), dtype=np.float64)
            return empty, empty, empty
        values = values[top:bottom, left:right]
        lon = west + (np.arange(left, right) + 0.5) * step
        lat = north - (np.arange(top, bottom) + 0.5) * step
        mesh_lon, mesh_lat = np.meshgrid(lon, lat)
        plane = self.projection.forward(np.column_stack([mesh_lon.ravel(), mesh_lat.ravel()]))
        return plane[:, 0].reshape(values.shape), plane[:, 1].reshape(values.shape), values


def _line_naming(path: Path, word: str) -> int | None:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if f'"{word}"' in line:
            return number
    return None


def polygons(geometry: Any) -> list[Any]:
    """The polygons of any geometry."""
    parts = shapely.get_parts(geometry)
    flat = [part for part in parts if part.geom_type == "Polygon"]
    return flat + [piece for part in parts if hasattr(part, "geoms") for piece in polygons(part)]


def lines(geometry: Any) -> list[Any]:
    """The lines of any geometry."""
    parts = shapely.get_parts(geometry)
    flat = [part for part in parts if part.geom_type == "LineString"]
    return flat + [piece for part in parts if hasattr(part, "geoms") for piece in lines(part)]
