"""A strategic map without hexes: boxes joined by lines, laid over the true coast and relief."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from scipy import ndimage
from shapely.geometry import shape

from maps.draw import ground, svg
from maps.draw.frame import Frame, Point
from maps.draw.metrics import Face, width
from maps.draw.render import Drawing
from maps.draw.sheet import Art, Floats, Sheet
from maps.draw.style import SANS, SERIF, Style, load_style
from maps.normandy_boxes.build import BOX, HEIGHT, WIDTH, BoxFile, Place

SOURCES = Path(__file__).resolve().parents[1] / "sources"


@dataclass(frozen=True)
class Board(Frame):
    """A sheet of fixed size without a grid."""

    @property
    def width(self) -> float:
        """Width of the sheet."""
        return WIDTH

    @property
    def height(self) -> float:
        """Height of the sheet."""
        return HEIGHT

    @property
    def units_per_km(self) -> float:
        """`km` is the width of the sheet here."""
        return WIDTH / self.km


def box_art(told: BoxFile) -> tuple[Art, float]:
    """Coast and heights of the window, and its width in kilometres."""
    place = Place(told.window)
    raw = json.loads((SOURCES / "europe/land.geojson").read_text(encoding="utf-8"))["features"]
    west, east, south, north = *told.window.lon, *told.window.lat
    window = shapely.box(west - 3, south - 2, east + 3, north + 2)
    parts = [shapely.make_valid(shape(feature["geometry"])).intersection(window) for feature in raw]
    land = shapely.transform(
        shapely.segmentize(shapely.union_all([p for p in parts if not p.is_empty]), 0.2), place.array
    )
    return Art(land=land, heights=_heights(place)), WIDTH / place.scale


def _heights(place: Place, step: float = 6.0) -> Floats:
    wide, high = int(WIDTH / step), int(HEIGHT / step)
    x, y = np.meshgrid((np.arange(wide) + 0.5) * step, (np.arange(high) + 0.5) * step)
    lonlat = place.back(np.column_stack([x.ravel(), y.ravel()]))
    with np.load(SOURCES / "europe/elevation_2min.npz") as data:
        z = np.maximum(data["z"].astype(np.float64), 0)
        at = [
            (float(data["north"]) - lonlat[:, 1]) / float(data["step"]) - 0.5,
            (lonlat[:, 0] - float(data["west"])) / float(data["step"]) - 0.5,
        ]
    found = ndimage.map_coordinates(z, at, order=1, mode="nearest")
    return np.asarray(ndimage.gaussian_filter(found.reshape(high, wide), 0.8), dtype=np.float64)


def render_boxes(data: dict[str, Any], told: BoxFile, style: str = "classic", lang: str = "en") -> Drawing:
    """Draw the strategic map; same file names as a hex map, with `boxes` in front."""
    art, km = box_art(told)
    frame = Board(False, 1, 1, 1, 1, True, (2, 2), True, True, True, "west", km)
    sheet = Sheet({**data, "hexes": {}}, frame, art, load_style(style))
    sheet.reach = sheet.whole
    defs = svg.tag("defs", ground.definitions(sheet))
    base = [defs, ground.sea(sheet), ground.land(sheet), ground.relief(sheet), ground.coast(sheet)]
    base += [_lines(sheet.style, data), _boxes(sheet.style, data)]
    words = [_words(sheet.style, data, lang)]
    title = str(data["title"][lang])
    files = {
        f"boxes.base.{style}.svg": svg.document(WIDTH, HEIGHT, base, str(data["title"]["en"])),
        f"boxes.labels.{style}.{lang}.svg": svg.document(WIDTH, HEIGHT, words, title),
        f"boxes.{style}.{lang}.svg": svg.document(WIDTH, HEIGHT, [*base, *words], title),
    }
    return Drawing(files, overlaps(data))


def overlaps(data: dict[str, Any]) -> list[str]:
    """Boxes that cover each other or leave the sheet."""
    shapes = {key: shapely.box(*_rectangle(area)) for key, area in data["areas"].items()}
    sheet = shapely.box(0, 0, WIDTH, HEIGHT)
    found = [f"box {key} leaves the sheet" for key, box in sorted(shapes.items()) if not sheet.contains(box)]
    keys = sorted(shapes)
    return found + [
        f"boxes {a} and {b} overlap"
        for i, a in enumerate(keys)
        for b in keys[i + 1 :]
        if shapes[a].intersects(shapes[b])
    ]


def _rectangle(area: dict[str, Any]) -> tuple[float, float, float, float]:
    x, y = area["at"]
    return x - BOX[0] / 2, y - BOX[1] / 2, x + BOX[0] / 2, y + BOX[1] / 2


def _lines(style: Style, data: dict[str, Any]) -> str:
    """The lines that units follow, from box to box."""
    ways: list[list[Point]] = []
    for pair in sorted(data["links"]):
        a, b = (data["areas"][key]["at"] for key in pair.split("|"))
        ways.append([(a[0], a[1]), (b[0], b[1])])
    path = svg.lines(ways)
    return svg.layer(
        "lines",
        [
            svg.path(path, fill="none", stroke=style.colour("halo"), stroke_width=12, opacity=0.75),
            svg.path(path, fill="none", stroke=style.colour("road_1_case"), stroke_width=8),
            svg.path(path, fill="none", stroke=style.colour("road_1"), stroke_width=5),
        ],
    )


def _boxes(style: Style, data: dict[str, Any]) -> str:
    """The boxes: paper, a header in the colour of their entry letters, a ring for the interdiction number."""
    body = []
    for _, area in sorted(data["areas"].items()):
        left, top, right, _ = _rectangle(area)
        colour = style.colour(f"box_{area['colour']}") if area.get("colour") else style.colour("out")
        frame = style.colour("frame")
        body.append(
            svg.tag("rect", None, x=left + 3, y=top + 4, width=BOX[0], height=BOX[1], rx=7, fill=frame, opacity=0.28)
        )
        body.append(svg.tag("rect", None, x=left, y=top, width=BOX[0], height=BOX[1], rx=7, fill=style.colour("paper")))
        header = (
            f"M{svg.number(left)} {svg.number(top + 30)}v-23a7 7 0 0 1 7-7h{svg.number(BOX[0] - 14)}a7 7 0 0 1 7 7v23z"
        )
        body.append(svg.path(header, fill=colour))
        body.append(
            svg.tag(
                "rect",
                None,
                x=left,
                y=top,
                width=BOX[0],
                height=BOX[1],
                rx=7,
                fill="none",
                stroke=frame,
                stroke_width=2,
            )
        )
        body.append(
            svg.tag(
                "circle",
                None,
                cx=right - 16,
                cy=top + 15,
                r=11.5,
                fill=style.colour("paper"),
                stroke=frame,
                stroke_width=1.6,
            )
        )
        if area.get("depot"):
            x, y = left + 18, top + BOX[1] - 18
            crate = f"M{svg.number(x - 9)} {svg.number(y - 7)}h18v14h-18zm0 0l18 14m0-14l-18 14"
            body.append(svg.path(crate, fill=style.colour("road_2"), stroke=frame, stroke_width=1.3))
    return svg.layer("boxes", body)


def _words(style: Style, data: dict[str, Any], lang: str) -> str:
    """Names, numbers, entry letters, depots and fortresses."""
    body = []

    def say(
        text: str, x: float, y: float, size: float, bold: bool = False, anchor: str = "middle", serif: bool = False
    ) -> None:
        face = Face("serif" if serif else "sans", size, bold=bold)
        wide = width(text, face)
        left = x - wide / 2 if anchor == "middle" else x - wide if anchor == "end" else x
        body.append(
            svg.tag(
                "text",
                text,
                x=svg.number(left),
                y=svg.number(y + size * 0.35),
                textLength=svg.number(wide),
                lengthAdjust="spacingAndGlyphs",
                font_family=SERIF if serif else SANS,
                font_size=size,
                font_weight="bold" if bold else None,
                fill=style.colour("ink"),
            )
        )

    fortress = {"en": "Festung", "fr": "Festung"}[lang]
    for _, area in sorted(data["areas"].items()):
        left, top, right, bottom = _rectangle(area)
        say(str(area["name"][lang]), left + 10, top + 15, 16, True, "start", True)
        say(str(area["number"]), right - 16, top + 15, 15, True)
        if area.get("entries"):
            say(" ".join(area["entries"]), right - 10, bottom - 18, 15, True, "end")
        if area.get("depot"):
            say(f"× {area['depot']}", left + 32, bottom - 18, 13, False, "start")
        for i, name in enumerate(area.get("festungen", [])):
            say(f"{fortress} {name}", left + 10, top + 43 + 16 * i, 11.5, False, "start")
        if area.get("maquis"):
            say("Maquis", left + 10, top + 43, 11.5, True, "start")
    say(str(data["title"][lang]).upper(), 190, HEIGHT - 60, 30, True, "middle", True)
    return svg.layer("names", body)
