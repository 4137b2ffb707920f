"""Symbols of a game that stand on hexes: landing beaches, drop zones, coastal batteries, entry letters, mulberries.

They are read from the `areas` of the map file by kind, so any map may use them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from shapely.geometry import LineString

from maps.draw import svg, towns
from maps.draw.boxes import Box, Index
from maps.draw.frame import RADIUS, Point
from maps.draw.metrics import Face, width
from maps.draw.sheet import EDGES, Sheet
from maps.draw.style import SANS

GUN = "m-7 4.5h12a6 6 0 0 0-12 0zm7.5-5.4l7.5-3.4m-6.6 5.4l7.5-3.4"
CHUTE = "m-8-1a8 7.6 0 0 1 16 0q-2-2.2-4 0-2-2.2-4 0-2-2.2-4 0-2-2.2-4 0zm0 0l8 8.6 8-8.6m-12 0l4 8.6 4-8.6"


@dataclass
class Markers:
    """What was drawn and which boxes names must leave free."""

    body: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    blocked: list[tuple[Box, str]] = field(default_factory=list)


def areas(sheet: Sheet, kind: str) -> list[tuple[str, dict[str, Any]]]:
    """Areas of one kind, in order of their keys."""
    return [(key, area) for key, area in sorted(sheet.data.get("areas", {}).items()) if area.get("kind") == kind]


def markers(sheet: Sheet, lang: str) -> Markers:
    """Draw them all; small symbols look for a free corner of their hex."""
    out, taken = Markers(), Index()
    for number, (_, spot) in towns.town_spots(sheet).items():
        taken.add(Box(spot.x, spot.y, spot.half, spot.half), f"town {number}")
    for number, _, spot in towns.port_spots(sheet):
        taken.add(Box(spot.x, spot.y, spot.half, spot.half), f"port {number}")
    _beaches(sheet, lang, out)
    for kind, shape, colour in (("battery", GUN, "battery"), ("drop-zone", CHUTE, "drop")):
        done: set[str] = set()
        for key, area in areas(sheet, kind):
            if area["hexes"][0] not in done:
                _small(sheet, out, taken, key, area, shape, colour)
            done.add(area["hexes"][0])
    _exits(sheet, lang, out)
    return out


def _beaches(sheet: Sheet, lang: str, out: Markers) -> None:
    """Sand along the shore of a beach hex, an arrow from the sea, and the name of the beach."""
    for key, area in areas(sheet, "beach"):
        colour = sheet.style.colour(
            {"US": "beach_us", "GB": "beach_gb", "CA": "beach_ca"}.get(str(area.get("nation")), "beach_gb")
        )
        shore, middles = [], list[Point]()
        for number in area["hexes"]:
            line = sheet.land.boundary.intersection(sheet.polygon(number, 0.98))
            pieces = [p for p in getattr(line, "geoms", [line]) if isinstance(p, LineString) and p.length > 8]
            shore += [[(float(x), float(y)) for x, y in piece.coords] for piece in pieces]
            middles += [(piece.centroid.x, piece.centroid.y) for piece in pieces]
        if not middles:
            middles = [sheet.nodes[n] for n in area["hexes"]]
        data = svg.lines(shore)
        out.body.append(
            svg.path(data, fill="none", stroke=sheet.style.colour("beach_sand"), stroke_width=7, stroke_linecap="round")
        )
        out.body.append(svg.path(data, fill="none", stroke=colour, stroke_width=2.6, stroke_linecap="round"))
        middle = sum(x for x, _ in middles) / len(middles), sum(y for _, y in middles) / len(middles)
        turn = math.radians(float(area.get("arrow", -80)))
        _arrow(sheet, lang, out, key, area, colour, middle, (math.cos(turn), math.sin(turn)))


def _arrow(
    sheet: Sheet, lang: str, out: Markers, key: str, area: dict[str, Any], colour: str, tip: Point, away: Point
) -> None:
    """A tapering arrow that points to the shore, with its name at the tail."""
    (dx, dy), length = away, 84.0
    x, y = tip[0] + dx * 9, tip[1] + dy * 9

    def at(along: float, across: float) -> Point:
        return x + dx * along - dy * across, y + dy * along + dx * across

    shape = [
        at(0, 0),
        at(20, 9),
        at(18, 4.2),
        at(length, 6.4),
        at(length - 7, 0),
        at(length, -6.4),
        at(18, -4.2),
        at(20, -9),
    ]
    out.body.append(
        svg.path(
            svg.line(shape, closed=True), fill=colour, stroke=sheet.style.colour("halo"), stroke_width=1.3, opacity=0.93
        )
    )
    name = str(area["name"][lang]).upper()
    face = Face("sans", 15.5, bold=True, spacing=1.0)
    tx, ty = at(length + 12 + abs(dx) * width(name, face) / 2, 0)
    out.texts.append(_text(sheet, name, tx, ty, face, colour, "shallow"))
    out.blocked.append((Box(tx, ty, width(name, face) / 2 + 2, 7.5), f"beach {key}"))
    mx, my = at(length / 2, 0)
    out.blocked.append((Box(mx, my, length / 2, 8, math.degrees(math.atan2(dy, dx))), f"arrow {key}"))


def _text(sheet: Sheet, text: str, x: float, y: float, face: Face, colour: str, halo: str = "halo") -> str:
    wide = width(text, face)
    return svg.tag(
        "text",
        text,
        x=svg.number(x - wide / 2),
        y=svg.number(y + face.size * 0.35),
        textLength=svg.number(wide),
        lengthAdjust="spacingAndGlyphs",
        font_family=SANS,
        font_size=face.size,
        font_weight="bold" if face.bold else None,
        fill=colour,
        stroke=sheet.style.colour(halo),
        stroke_width=2.6,
        paint_order="stroke",
        stroke_linejoin="round",
    )


def _small(sheet: Sheet, out: Markers, taken: Index, key: str, area: dict[str, Any], shape: str, colour: str) -> None:
    """A small symbol in the freest corner of its hex, with the initials of the beaches a battery reaches."""
    initials = " ".join(area.get("reaches", []))
    face = Face("sans", 8.6, bold=True)
    half = (7.5 + (width(initials, face) / 2 + 2 if initials else 0), 7.0)
    for number in area["hexes"][:1]:
        x, y = _corner(sheet, taken, number, half)
        left = x - half[0] + 7.5
        style = sheet.style
        data = f"M{svg.number(left)} {svg.number(y)}{shape}"
        out.body.append(
            svg.path(
                data,
                fill="none",
                stroke=style.colour("halo"),
                stroke_width=3.8,
                stroke_linecap="round",
                stroke_linejoin="round",
                opacity=0.9,
            )
        )
        out.body.append(
            svg.path(
                data,
                fill=style.colour("halo" if shape == CHUTE else colour),
                stroke=style.colour(colour),
                stroke_width=1.4,
                stroke_linecap="round",
                stroke_linejoin="round",
            )
        )
        box = Box(x, y, half[0], half[1])
        if initials:
            out.texts.append(
                _text(sheet, initials, left + 9.5 + width(initials, face) / 2, y, face, style.colour(colour))
            )
        taken.add(box, key)
        out.blocked.append((box, key))


def _corner(sheet: Sheet, taken: Index, number: str, half: tuple[float, float]) -> Point:
    """The position in a hex, off its node, with the fewest things around, on land if possible."""
    from shapely.geometry import Point as Dot

    x, y = sheet.frame.centre(number)
    best: tuple[float, Point] | None = None
    for reach in (0.42, 0.55):
        for step in range(12):
            a = math.radians(30 * step + 90)
            at = x + reach * RADIUS * math.cos(a), y + reach * RADIUS * math.sin(a)
            price = 10.0 * len(taken.hits(Box(*at, half[0] + 2, half[1] + 2)))
            price += 0 if sheet.land.contains(Dot(at)) else 3
            price += 0 if sheet.polygon(number).buffer(-6).contains(Dot(at[0] + half[0], at[1])) else 2
            price += 0 if sheet.polygon(number).buffer(-6).contains(Dot(at[0] - half[0], at[1])) else 2
            price += 0.5 * (at[1] < y - 20)
            if best is None or price < best[0]:
                best = price, at
    assert best is not None
    return best[1]


def _exits(sheet: Sheet, lang: str, out: Markers) -> None:
    """Entry and exit hexes: a letter in a ring near the edge of the sheet, and where it leads."""
    style = sheet.style
    for key, area in areas(sheet, "exit"):
        letter, number = str(area["letter"]), area["hexes"][0]
        x, y = sheet.frame.centre(number)
        dx, dy = EDGES[str(area.get("edge", "south"))]
        cx, cy = x + dx * RADIUS * 0.62, y + dy * RADIUS * 0.60
        tip = [
            (cx + dx * 17, cy + dy * 17),
            (cx + dx * 8 - dy * 6, cy + dy * 8 + dx * 6),
            (cx + dx * 8 + dy * 6, cy + dy * 8 - dx * 6),
        ]
        out.body.append(
            svg.path(svg.line(tip, closed=True), fill=style.colour("exit"), stroke=style.colour("halo"), stroke_width=1)
        )
        out.body.append(
            svg.tag(
                "circle",
                cx=svg.number(cx),
                cy=svg.number(cy),
                r="9",
                fill=style.colour(f"box_{area.get('colour', 'plain')}")
                if f"box_{area.get('colour', 'plain')}" in style.colours
                else style.colour("paper"),
                stroke=style.colour("exit"),
                stroke_width=1.6,
            )
        )
        out.texts.append(_text(sheet, letter, cx, cy, Face("sans", 12.5, bold=True), style.colour("ink"), "paper"))
        out.blocked.append((Box(cx, cy, 11, 11), f"exit {key}"))
