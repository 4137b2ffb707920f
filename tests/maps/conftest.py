"""A tiny theatre, made in a temporary folder: a square of land by a sea, two countries, a river, a railway."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

MAP_TOML = """\
title = { en = "Tiny", fr = "Minuscule" }
output = "build/tiny.json"
date = "1940-05"
owner_column = "owner"

[projection]
lat = 50.0
lon = 10.0

[grid]
orientation = "flat"
rows = 9
cols = 10
km = 50.0
origin = [-200.0, 200.0]
shifted = "even"
shift = "south"

[grid.numbering]
order = "col-row"

[sources]
land = ["land.geojson"]
rivers = ["rivers.geojson"]
units = ["units.geojson"]
towns = ["towns.geojson"]

[terrain.names]
clear = { en = "Clear", fr = "Plaine" }
forest = { en = "Forest", fr = "Forêt" }

[towns]
classes = { capital = 100.0, major = 60.0 }

[rivers]
major = ["Stream"]
banks = ["banks.json"]

[[nets]]
name = "rail"
sources = ["rail.geojson"]
"""

OVERRIDES = "# nothing yet\n"


def collection(*features: tuple[dict[str, Any], str, Any]) -> dict[str, Any]:
    return {
        "type": "FeatureCollection",
        "features": [
            {"type": "Feature", "properties": props, "geometry": {"type": kind, "coordinates": coordinates}}
            for props, kind, coordinates in features
        ],
    }


def square(west: float, south: float, east: float, north: float) -> list[list[list[float]]]:
    return [[[west, south], [east, south], [east, north], [west, north], [west, south]]]


SOURCES: dict[str, Any] = {
    "land.geojson": collection(({}, "Polygon", square(8.6, 47.5, 14.0, 52.5))),
    "units.geojson": collection(
        ({"owner": "WES"}, "Polygon", square(8.0, 47.0, 10.5, 53.0)),
        ({"owner": "EAS"}, "Polygon", square(10.5, 47.0, 15.0, 53.0)),
    ),
    "towns.geojson": collection(
        ({"name": "Haven", "cls": "major", "port": "major", "pop1939_k": 90}, "Point", [8.75, 50.4]),
        ({"name": "Mid", "cls": "capital", "pop1939_k": 500}, "Point", [10.0, 50.6]),
        ({"name": "South", "cls": "major", "pop1939_k": 80}, "Point", [10.0, 49.3]),
        ({"name": "East", "cls": "major", "pop1939_k": 70}, "Point", [12.0, 50.5]),
    ),
    "rivers.geojson": collection(
        ({"name": "Stream"}, "LineString", [[13.0, 49.95], [11.0, 49.9], [10.0, 49.95], [8.5, 49.9]])
    ),
    "rail.geojson": collection(
        ({"a": "Haven", "b": "Mid", "class": "1"}, "LineString", [[8.75, 50.4], [10.0, 50.6]]),
        ({"a": "Mid", "b": "South", "class": "2"}, "LineString", [[10.0, 50.6], [10.0, 49.3]]),
    ),
    "banks.json": {"rivers": {"Stream": {"left": ["South"], "right": ["Mid"]}}},
}


class Tiny:
    """The folder and the sources of the tiny theatre; change a file, then compile."""

    def __init__(self, base: Path) -> None:
        self.folder, self.sources = base / "maps" / "tiny", base / "sources"
        self.folder.mkdir(parents=True)
        self.sources.mkdir()
        (self.folder / "map.toml").write_text(MAP_TOML, encoding="utf-8")
        for name, content in SOURCES.items():
            self.source(name, content)

    def source(self, name: str, content: Any) -> None:
        (self.sources / name).write_text(json.dumps(content), encoding="utf-8")

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def edit(self, old: str, new: str) -> None:
        path = self.folder / "map.toml"
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")

    def compile(self) -> Any:
        from maps.compiler.build import compile_folder
        from maps.compiler.gazetteer import read_gazetteer

        read_gazetteer.cache_clear()
        return compile_folder(self.folder, self.sources)[0]


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    pytest.importorskip("shapely")
    return Tiny(tmp_path)


@pytest.fixture
def refused(tiny: Tiny) -> Callable[[], str]:
    """Compile and return the message of the refusal."""

    def run() -> str:
        from maps.compiler.errors import MapError

        with pytest.raises(MapError) as caught:
            tiny.compile()
        return str(caught.value)

    return run
