"""Build the strategic map: boxes.toml checked, written as a map file of format 1 whose areas are the boxes.

The format wants a grid; this map has none to play on, so it carries one hex that is out of play.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyproj
from msgspec import Struct, field

from maps.compiler.config import ROOT, Bilingual
from maps.compiler.errors import MapError
from maps.compiler.tomlfile import read_toml, table_line
from maps.compiler.write import to_bytes

FOLDER = Path(__file__).parent
OUTPUT = ROOT / "src/grognard/games/normandie/data/boxes.json"
WIDTH, HEIGHT = 1180.0, 1040.0
BOX = (150.0, 96.0)


class Window(Struct, frozen=True, forbid_unknown_fields=True):
    """The part of the world that is drawn."""

    lat: tuple[float, float]
    lon: tuple[float, float]


class Box(Struct, frozen=True, forbid_unknown_fields=True):
    """One box."""

    id: str
    en: str
    fr: str
    at: tuple[float, float]
    number: int
    lines: list[str]
    src: str
    depot: int = 0
    allied: bool = False
    beyond_seine: bool = False
    maquis: bool = False
    entries: list[str] = field(default_factory=list)
    colour: str | None = None
    festungen: list[str] = field(default_factory=list)


class BoxFile(Struct, frozen=True, forbid_unknown_fields=True):
    """boxes.toml."""

    title: Bilingual
    window: Window
    box: list[Box]


def read_boxes(path: Path = FOLDER / "boxes.toml") -> BoxFile:
    """Read boxes.toml; a line that only one end knows, or an unknown box, is an error."""
    told = read_toml(path, BoxFile)
    by_id = {box.id: box for box in told.box}
    if len(by_id) != len(told.box):
        raise MapError("a box is listed twice", file=path)
    for number, box in enumerate(told.box):
        for other in box.lines:
            if other not in by_id:
                raise MapError(f"{box.id}: no box {other!r}", file=path, line=table_line(path, "box", number))
            if box.id not in by_id[other].lines:
                raise MapError(
                    f"{box.id}: {other} does not list it back", file=path, line=table_line(path, "box", number)
                )
    return told


class Place:
    """Longitude and latitude onto the strategic sheet."""

    def __init__(self, window: Window) -> None:
        lat, lon = sum(window.lat) / 2, sum(window.lon) / 2
        self._plane = pyproj.Transformer.from_crs(
            "EPSG:4326", f"+proj=laea +lat_0={lat} +lon_0={lon} +datum=WGS84 +units=km", always_xy=True
        )
        west, _ = self._plane.transform(window.lon[0], lat)
        east, _ = self._plane.transform(window.lon[1], lat)
        _, north = self._plane.transform(lon, window.lat[1])
        self.west, self.north, self.scale = west, north, WIDTH / (east - west)

    def array(self, lonlat: Any) -> Any:
        """Many points, to drawing units."""
        x, y = self._plane.transform(lonlat[:, 0], lonlat[:, 1])
        return np.column_stack([(np.asarray(x) - self.west) * self.scale, (self.north - np.asarray(y)) * self.scale])

    def back(self, points: Any) -> Any:
        """Drawing units to longitude and latitude."""
        x, y = points[:, 0] / self.scale + self.west, self.north - points[:, 1] / self.scale
        return np.column_stack(self._plane.transform(x, y, direction="INVERSE"))


def to_data(told: BoxFile) -> dict[str, Any]:
    """The map file."""
    place = Place(told.window)
    areas, links = {}, {}
    for box in told.box:
        x, y = place.array(np.array([[box.at[1], box.at[0]]]))[0]
        facts: dict[str, Any] = {
            "name": {"en": box.en, "fr": box.fr},
            "kind": "box",
            "links": sorted(box.lines),
            "number": box.number,
            "at": [round(float(x)), round(float(y))],
            "allied": box.allied,
            "src": box.src,
        }
        for key in ("depot", "beyond_seine", "maquis", "entries", "colour", "festungen"):
            if getattr(box, key):
                facts[key] = getattr(box, key)
        areas[box.id] = facts
        for other in box.lines:
            links["|".join(sorted((box.id, other)))] = {"line": 1, "src": {"line": "proposed"}}
    return {
        "format": 1,
        "name": "normandy_boxes",
        "title": {"en": told.title.en, "fr": told.title.fr},
        "grid": {
            "orientation": "pointy",
            "rows": 1,
            "cols": 1,
            "km": 100,
            "numbering": {
                "order": "row-col",
                "digits": [2, 2],
                "first": [1, 1],
                "rows_grow": "south",
                "cols_grow": "east",
            },
            "shifted": "odd",
            "shift": "west",
        },
        "terrain": {"out": {"en": "Out of play", "fr": "Hors jeu"}},
        "hexes": {"0101": {"kind": "out", "terrain": "out"}},
        "sides": {},
        "links": links,
        "places": {},
        "areas": areas,
        "labels": [],
        "art": {"size": [WIDTH, HEIGHT], "box": list(BOX)},
        "provenance": {"date": "1944-06"},
        "credits": [{"name": "Natural Earth: coast", "licence": "public domain"}],
    }


def build(output: Path = OUTPUT) -> bytes:
    """Write the strategic map."""
    data = to_bytes(to_data(read_boxes()))
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_bytes(data)
    return data
