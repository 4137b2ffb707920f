"""Pass `project`: from longitude and latitude to the plane of the grid, kilometres, x east, y north."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pyproj
import shapely

from maps.compiler.config import MapConfig
from maps.compiler.errors import MapError
from maps.compiler.grid import Floats


class Projection(Protocol):
    """Both ways between (n, 2) arrays of lon, lat and of plane coordinates."""

    def forward(self, lonlat: Floats) -> Floats:
        """Onto the plane."""

    def inverse(self, plane: Floats) -> Floats:
        """Back to longitude and latitude."""


@dataclass(frozen=True)
class Plane:
    """Equal-area plane around a centre, turned and shifted, with an optional rubber sheet."""

    transformer: Any
    turn: float = 0.0
    shift: tuple[float, float] = (0.0, 0.0)
    sheet: Callable[[Floats], Floats] | None = None

    def _rotation(self) -> Floats:
        c, s = math.cos(self.turn), math.sin(self.turn)
        return np.array([[c, -s], [s, c]], dtype=np.float64)

    def forward(self, lonlat: Floats) -> Floats:
        """Onto the plane, rounded to a millimetre so that rings stay closed."""
        a = np.asarray(lonlat, dtype=np.float64)
        xy = np.column_stack(self.transformer.transform(a[:, 0], a[:, 1]))
        p = (xy - np.array(self.shift)) @ self._rotation()
        if self.sheet is not None:
            p = p + self.sheet(p)
        rounded: Floats = np.round(p, 6)
        return rounded

    def inverse(self, plane: Floats) -> Floats:
        """Back to longitude and latitude (the rubber sheet is undone by iteration)."""
        target = np.asarray(plane, dtype=np.float64)
        p = target.copy()
        if self.sheet is not None:
            for _ in range(6):
                p = target - self.sheet(p)
        xy = p @ self._rotation().T + np.array(self.shift)
        return np.column_stack(self.transformer.transform(xy[:, 0], xy[:, 1], direction="INVERSE"))


def projection_of(config: MapConfig, folder: Path) -> Projection:
    """The projection that map.toml asks for."""
    spec = config.projection
    transformer = pyproj.Transformer.from_crs(
        "EPSG:4326", f"+proj=laea +lat_0={spec.lat} +lon_0={spec.lon} +datum=WGS84 +units=km", always_xy=True
    )
    if spec.fit is None:
        return Plane(transformer, math.radians(-spec.turn))
    path = folder / spec.fit
    if not path.is_file():
        raise MapError(f"projection.fit: {spec.fit} is missing", file=folder / "map.toml")
    fit = json.loads(path.read_text(encoding="utf-8"))
    sheet = None
    if fit.get("ctrl"):
        from scipy.interpolate import RBFInterpolator

        sheet = RBFInterpolator(
            np.array(fit["ctrl"]),
            np.array(fit["disp"]),
            kernel="thin_plate_spline",
            smoothing=fit.get("smoothing", 2.0),
        )
    return Plane(transformer, fit["theta"], (fit["tx"], fit["ty"]), sheet)


def project(geometry: Any, projection: Projection, segment: float | None) -> Any:
    """Put a geometry (or an array of them) on the plane, with extra points each `segment` degrees."""
    dense = shapely.segmentize(geometry, segment) if segment else geometry
    return shapely.transform(dense, projection.forward)
