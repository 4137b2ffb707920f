"""The pictures of a report as PNG, for slides and papers that take no SVG.

Only what `pictures.py` draws is understood: a new kind of stroke there fails here instead of vanishing. Everything is
drawn three times as large as it will be and shrunk, which makes edges smooth.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

from PIL import Image, ImageColor, ImageDraw, ImageFont

from grognard.kernel.errors import GrognardError

SHARP = 2  # pixels of the picture for a unit of the drawing
SMOOTH = 3  # drawn so much larger
Point = tuple[float, float]
ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}


def write_png(svg: str, path: Path) -> None:
    """An SVG picture of ours as a PNG file."""
    raster(svg).save(path, "PNG", optimize=True)


def raster(svg: str) -> Image.Image:
    """The picture in pixels."""
    top = ElementTree.fromstring(svg)
    wide, high = (float(v) for v in top.attrib["viewBox"].split()[2:])
    scale = SHARP * SMOOTH
    canvas = Canvas((round(wide * scale), round(high * scale)), scale, float(top.attrib.get("font-size", 13)))
    for part in top:
        canvas.draw(part.tag.rpartition("}")[2], part.attrib, part.text or "", top.attrib.get("fill", "#222"))
    return canvas.image.resize((round(wide * SHARP), round(high * SHARP)), Image.Resampling.LANCZOS)


class Canvas:
    """A sheet to draw on."""

    def __init__(self, size: tuple[int, int], scale: float, letters: float) -> None:
        self.image = Image.new("RGB", size, "#fff")
        self.scale = scale
        self.font = ImageFont.load_default(letters * scale)

    def draw(self, tag: str, a: dict[str, str], said: str, ink: str) -> None:
        """One part of the picture."""
        fill = a.get("fill", ink)
        match tag:
            case "title":
                return
            case "rect":
                wide, high = float(a["width"]), float(a["height"])
                self.shape([(0, 0), (wide, 0), (wide, high), (0, high)], fill, 1.0)
            case "line":
                self.stroke([(float(a["x1"]), float(a["y1"])), (float(a["x2"]), float(a["y2"]))], a)
            case "polyline":
                self.stroke(corners(a["points"]), a)
            case "polygon":
                self.shape(corners(a["points"]), fill, float(a.get("opacity", 1)))
            case "circle":
                x, y, r = (float(a[key]) for key in ("cx", "cy", "r"))
                ring = [(x + r * math.cos(n * math.pi / 24), y + r * math.sin(n * math.pi / 24)) for n in range(48)]
                self.shape(ring, fill, 1.0)
            case "path":
                self.shape(list(diamond(a["d"])), fill, 1.0)
            case "text":
                where = (float(a["x"]) * self.scale, float(a["y"]) * self.scale)
                anchor = ANCHORS[a.get("text-anchor", "start")]
                ImageDraw.Draw(self.image).text(where, said, fill, self.font, anchor)
            case _:
                raise GrognardError(f"the picture has a part that cannot be drawn as PNG: {tag}")

    def shape(self, points: Sequence[Point], fill: str, opacity: float) -> None:
        """A filled shape; a pale one lets what lies below shine through."""
        ink = (*ImageColor.getrgb(fill), round(255 * opacity))
        ImageDraw.Draw(self.image, "RGBA").polygon([(x * self.scale, y * self.scale) for x, y in points], ink)

    def stroke(self, points: Sequence[Point], a: dict[str, str]) -> None:
        """A line, whole or in dashes."""
        wide = max(1, round(float(a.get("stroke-width", 1)) * self.scale))
        pen = ImageDraw.Draw(self.image)
        for piece in dashed(points, [float(v) for v in a.get("stroke-dasharray", "").split()]):
            pen.line([(x * self.scale, y * self.scale) for x, y in piece], a["stroke"], wide, "curve")


def corners(said: str) -> list[Point]:
    """The points of a polygon.

    >>> corners("1,2 3,4.5")
    [(1.0, 2.0), (3.0, 4.5)]
    """
    return [(float(x), float(y)) for x, y in (pair.split(",") for pair in said.split())]


def diamond(said: str) -> Iterator[Point]:
    """The corners of a path of one start and relative steps.

    >>> list(diamond("M5 0l1 1 -1 1z"))
    [(5.0, 0.0), (6.0, 1.0), (5.0, 2.0)]
    """
    found = re.fullmatch(r"M([-\d.]+) ([-\d.]+)l((?:[-\d.]+ ?)+)z", said)
    if found is None:
        raise GrognardError(f"the picture has a path that cannot be drawn as PNG: {said}")
    x, y = float(found[1]), float(found[2])
    yield x, y
    steps = [float(v) for v in found[3].split()]
    for dx, dy in zip(steps[::2], steps[1::2]):
        x, y = x + dx, y + dy
        yield x, y


def dashed(points: Sequence[Point], pattern: Sequence[float]) -> Iterator[list[Point]]:
    """The pieces of a line that are drawn.

    >>> list(dashed([(0, 0), (10, 0)], [6, 3]))
    [[(0, 0), (6.0, 0.0)], [(9.0, 0.0), (10, 0)]]
    """
    if not pattern or not points:
        yield from [list(points)] if points else []
        return
    number, left, piece = 0, pattern[0], [points[0]]
    for a, b in pairwise(points):
        length, gone = math.dist(a, b), 0.0
        while length - gone > left:
            gone += left
            at = (a[0] + (b[0] - a[0]) * gone / length, a[1] + (b[1] - a[1]) * gone / length)
            if number % 2 == 0:
                yield [*piece, at]
            number += 1
            left, piece = pattern[number % len(pattern)], [at]
        left -= length - gone
        piece.append(b)
    if number % 2 == 0 and len(piece) > 1:
        yield piece
