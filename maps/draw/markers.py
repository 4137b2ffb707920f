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
from maps.draw.extras import zone_numbers
from maps.draw.frame import RADIUS, Point
from maps.draw.metrics import Face, width
from maps.draw.sheet import EDGES, Sheet, number_point
from maps.draw.style import SANS

FACTORY = "m-7 5.5v-6.5l4.6-3.4v3.4l4.6-3.4v3.4l4.6-3.4v9.9z"
FORT = "m-7 5.5v-9.5h3v2.6h2.5v-2.6h3v2.6h2.5v-2.6h3v9.5z"
RADAR = "m0 6v-8m-3.2 8h6.4m-6.4-9.6a4.4 4.4 0 0 1 6.4 0m-8.6-2.6a7.4 7.4 0 0 1 10.8 0"
OIL = "m-5 6l5-12.5 5 12.5m-8.2-5h6.4m-7.6 3.2h8.8"
MINE = "m-5.5 5.5l10-10m-10 0l11 10m-13-6.5q2.5-4.5 5.5-5m4.5 0q3.5.5 5.5 5"
PENNANT = "m-4 7v-14l10 3.6-8.4 3.6"
GUN = "m-7 4.5h12a6 6 0 0 0-12 0zm7.5-5.4l7.5-3.4m-6.6 5.4l7.5-3.4"
CHUTE = "m-8-1a8 7.6 0 0 1 16 0q-2-2.2-4 0-2-2.2-4 0-2-2.2-4 0-2-2.2-4 0zm0 0l8 8.6 8-8.6m-12 0l4 8.6 4-8.6"
BUNKER = "m-7 4.5v-3a7 5.5 0 0 1 14 0v3zm3.5-3.2v1.7h7v-1.7z"
TEETH = "m-8 4.5l2.6-8.5 2.6 8.5zm5.4 0l2.6-8.5 2.6 8.5zm5.4 0l2.6-8.5 2.6 8.5z"
BASTIONS = "m-7-7l3.5 1.8h7l3.5-1.8-1.8 3.5v7l1.8 3.5-3.5-1.8h-7l-3.5 1.8 1.8-3.5v-7z"
PERSON = "m0-6.4a2.7 2.7 0 1 1-.02 0zm-5.2 12.2c0-4 2.2-5.8 5.2-5.8s5.2 1.8 5.2 5.8z"
ICONS = {
    "battery": (GUN, "battery", "battery"),
    "drop-zone": (CHUTE, "drop", "halo"),
    "factory": (FACTORY, "ink", "ink"),
    "factory_black": (FACTORY, "ink", "ink"),
    "factory_white": (FACTORY, "ink", "port_freezing"),
    "factory_red": (FACTORY, "capital", "capital"),
    "factory_blue": (FACTORY, "beach_gb", "beach_gb"),
    "fort_hex": (FORT, "fort", "fort"),
    "fortress_hex": (FORT, "fort", "fort"),
    "bunker": (BUNKER, "fort", "fort"),
    "siegfried": (TEETH, "fort", "fort"),
    "festung": (BASTIONS, "fort", "fort"),
    "population": (PERSON, "soft_ink", "soft_ink"),
    "oil": (OIL, "ink", None),
    "mining": (MINE, "ink", None),
    "victory": (PENNANT, "ink", "port_major"),
    "radar": (RADAR, "ink", None),
}
"""Small symbols, on the map and in the legend: shape, colour of the line, colour inside."""


def icon(sheet: Sheet, item: str, x: float, y: float) -> str:
    """One small symbol around a point, over a light edge."""
    shape, line, inside = ICONS[item]
    style, data = sheet.style, f"M{svg.number(x)} {svg.number(y)}{shape}"
    look: dict[str, object] = {"stroke_linecap": "round", "stroke_linejoin": "round"}
    wide, fill = 0.8 if line == inside else 1.4, style.colour(inside) if inside else "none"
    halo = svg.path(data, fill="none", stroke=style.colour("halo"), stroke_width=3.6, opacity=0.9, **look)
    return halo + svg.path(data, fill=fill, stroke=style.colour(line), stroke_width=wide, **look)


def place_icons(place: dict[str, Any]) -> list[tuple[str, str]]:
    """What stands beside a place: each symbol with a few letters or a number."""
    made: dict[str, int] = {}
    for works in place.get("factories", []):
        made[works["colour"]] = made.get(works["colour"], 0) + int(works["n"])
    found = [(f"factory_{colour}", _count(n)) for colour, n in sorted(made.items())]
    found += [("factory", "")] if place.get("factory") else []
    found += [("festung" if place["fort"] == "fixed" else "fort_hex", "")] if place.get("fort") else []
    found += [(key, _count(place[key])) for key in ("oil", "mining") if place.get(key)]
    found += [("population", str(place["population"]))] if place.get("population") else []
    return found + ([("victory", "")] if place.get("victory") else [])


def hex_icons(facts: dict[str, Any]) -> list[tuple[str, str]]:
    """What stands in a hex whatever its place: permanent works and radar stations."""
    works = {"fortress": "fortress_hex", "bunker": "bunker", "siegfried": "siegfried"}.get(str(facts.get("fort")))
    found = [(works, "")] if works else []
    return found + ([("radar", _count(len(facts["radar"])))] if facts.get("radar") else [])


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
    for number in sheet.numbers:
        taken.add(Box(*number_point(sheet, number), 11, 4), f"number {number}")
    _beaches(sheet, lang, out)
    for kind in ("battery", "drop-zone"):
        done: set[str] = set()
        for key, area in areas(sheet, kind):
            if area["hexes"][0] not in done:
                _small(sheet, out, taken, key, area["hexes"][0], kind, " ".join(area.get("reaches", [])))
            done.add(area["hexes"][0])
    _exits(sheet, lang, out)
    _icons(sheet, out, taken)
    for zone, (x, y) in zone_numbers(sheet):
        out.texts.append(
            draw_text(sheet, zone, x, y, Face("serif", 34, bold=True), sheet.style.colour("sea_ink"), "shallow")
        )
        out.blocked.append((Box(x, y, 20, 16), f"zone {zone}"))
    return out


def _beaches(sheet: Sheet, lang: str, out: Markers) -> None:
    """Sand along the shore of a beach hex, an arrow from the sea, and the name of the beach."""
    for key, area in areas(sheet, "beach"):
        colour = sheet.style.colour(
            {"US": "beach_us", "GB": "beach_gb", "CA": "beach_ca"}.get(str(area.get("nation")), "beach_gb")
        )
        shore, middles = [], list[Point]()
        for number in area["hexes"]:
            line = sheet.land_around(number).boundary.intersection(sheet.polygon(number, 0.98))
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
    half = width(name, face) / 2 + 2
    for more in range(0, 30, 3):  # a little further out, where the name covers no hex number
        tx, ty = at(length + 12 + more + abs(dx) * width(name, face) / 2, 0)
        near = (number_point(sheet, number) for number in sheet.numbers)
        if all(abs(px - tx) > half + 12 or abs(py - ty) > 12 for px, py in near):
            break
    out.texts.append(draw_text(sheet, name, tx, ty, face, colour, "shallow"))
    out.blocked.append((Box(tx, ty, half, 7.5), f"beach {key}"))
    mx, my = at(length / 2, 0)
    out.blocked.append((Box(mx, my, length / 2, 8, math.degrees(math.atan2(dy, dx))), f"arrow {key}"))


def draw_text(sheet: Sheet, text: str, x: float, y: float, face: Face, colour: str, halo: str = "halo") -> str:
    """A few words or letters, centred on a point."""
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


def _small(sheet: Sheet, out: Markers, taken: Index, key: str, number: str, item: str, text: str) -> None:
    """A small symbol in the freest corner of its hex, with a few letters or a number beside it."""
    face = Face("sans", 8.6, bold=True)
    half = (7.5 + (width(text, face) / 2 + 2 if text else 0), 7.0)
    x, y = _corner(sheet, taken, number, half)
    left = x - half[0] + 7.5
    out.body.append(icon(sheet, item, left, y))
    if text:
        ink = sheet.style.colour(ICONS[item][1])
        out.texts.append(draw_text(sheet, text, left + 9.5 + width(text, face) / 2, y, face, ink))
    box = Box(x, y, half[0], half[1])
    taken.add(box, key)
    out.blocked.append((box, key))


def _icons(sheet: Sheet, out: Markers, taken: Index) -> None:
    """Factories, works, oil, mines, population, victory cities and radar stations of a strategic map."""
    for key, place in sorted(sheet.data.get("places", {}).items()):
        number = place["hexes"][0]
        if not sheet.is_water(number):
            for i, (item, text) in enumerate(place_icons(place)):
                _small(sheet, out, taken, f"icon {key} {i}", number, item, text)
    for number in sheet.numbers:
        facts = sheet.hex(number)
        for item, text in hex_icons(facts):
            _small(sheet, out, taken, f"{item} {number}", number, item, text)
        if facts.get("letter"):
            _ring(sheet, out, taken, number, str(facts["letter"]))


def _count(value: object) -> str:
    """How many, unless it is one."""
    return "" if str(value) in ("1", "True") else str(value)


def _ring(sheet: Sheet, out: Markers, taken: Index, number: str, letter: str) -> None:
    """A letter in a small ring: hexes that belong together."""
    style = sheet.style
    x, y = _corner(sheet, taken, number, (7.0, 7.0))
    look: dict[str, object] = {"fill": style.colour("paper"), "stroke": style.colour("ink"), "stroke_width": 1.2}
    out.body.append(svg.tag("circle", None, cx=svg.number(x), cy=svg.number(y), r=6.6, **look))
    out.texts.append(draw_text(sheet, letter, x, y, Face("sans", 9.0, bold=True), style.colour("ink"), "paper"))
    box = Box(x, y, 7, 7)
    taken.add(box, f"letter {number}")
    out.blocked.append((box, f"letter {number}"))


def _corner(sheet: Sheet, taken: Index, number: str, half: tuple[float, float]) -> Point:
    """The position in a hex, off its node, with the fewest things around, on land if possible."""
    from shapely.geometry import Point as Dot

    x, y = sheet.frame.centre(number)
    inside = sheet.polygon(number).buffer(-6)
    best: tuple[float, Point] | None = None
    for reach, steps in ((0.42, 12), (0.55, 12), (0.66, 24), (0.74, 24)):
        for step in range(steps):
            a = math.radians(360 / steps * step + 90)
            at = x + reach * RADIUS * math.cos(a), y + reach * RADIUS * math.sin(a)
            price = 10.0 * len(taken.hits(Box(*at, half[0] + 2, half[1] + 2)))
            price += 0 if sheet.is_dry(*at) else 3
            price += 0 if inside.contains(Dot(at[0] + half[0], at[1])) else 2
            price += 0 if inside.contains(Dot(at[0] - half[0], at[1])) else 2
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
        out.texts.append(draw_text(sheet, letter, cx, cy, Face("sans", 12.5, bold=True), style.colour("ink"), "paper"))
        out.blocked.append((Box(cx, cy, 11, 11), f"exit {key}"))
