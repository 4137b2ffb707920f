"""What strategic maps add: beaches, shoals, closed countries, ridges, canals, sea zones, the rim."""

from __future__ import annotations

import math
from functools import partial

import shapely
from shapely.geometry import LineString, MultiPolygon
from shapely.geometry.base import BaseGeometry

from maps.draw import svg
from maps.draw.frame import RADIUS, Point
from maps.draw.ground import rings
from maps.draw.sheet import Sheet, number_point, once


def shores(sheet: Sheet) -> str:
    """Sand along beaches that have no name of their own, and dots on shoals."""
    style, sand = sheet.style, []
    for number in sheet.numbers:
        if "beach" in sheet.hex(number).get("tags", []):
            line = sheet.land_around(number).boundary.intersection(sheet.polygon(number, 0.97))
            pieces = [p for p in getattr(line, "geoms", [line]) if isinstance(p, LineString) and p.length > 6]
            sand += [[(float(x), float(y)) for x, y in piece.simplify(0.4).coords] for piece in pieces]
    shallow = [sheet.polygon(n).difference(sheet.land_around(n)) for n in sheet.numbers if sheet.hex(n).get("shoals")]
    body = [
        svg.path(
            svg.lines(sand, parts=2),
            fill="none",
            stroke=style.colour("beach_sand"),
            stroke_width=6,
            stroke_linecap="round",
        )
    ]
    if sand:
        dashes = {"stroke_width": 1.6, "stroke_dasharray": "0 4", "stroke_linecap": "round"}
        body.append(svg.path(svg.lines(sand, parts=2), fill="none", stroke=style.colour("border"), **dashes))
    if shallow:
        dots = svg.path(
            "M2 2h.1M8 6h.1M4 11h.1M11 13h.1", stroke=style.colour("soft_ink"), stroke_width=1.5, stroke_linecap="round"
        )
        body.append(svg.tag("pattern", dots, id="shoals", width=14, height=15, patternUnits="userSpaceOnUse"))
        area = shapely.union_all(shallow)
        body.append(
            svg.path(
                svg.lines(rings(area, 0.4, 20), closed=True, parts=2),
                fill="url(#shoals)",
                opacity=0.7,
                fill_rule="evenodd",
            )
        )
    return svg.layer("shores", body)


def closed(sheet: Sheet) -> str:
    """Countries that nobody may enter: hatched."""
    shut = [n for n in sheet.numbers if sheet.hex(n).get("closed") or "closed" in sheet.hex(n).get("tags", [])]
    shapes = [sheet.polygon(n).buffer(0.3) for n in shut if not sheet.is_water(n)]
    if not shapes:
        return svg.layer("closed", "")
    stroke = svg.path(
        "M0 12L12 0M-3 3L3-3M9 15L15 9", stroke=sheet.style.colour("soft_ink"), stroke_width=1.1, opacity=0.45
    )
    hatch = svg.tag("pattern", stroke, id="hatch", width=12, height=12, patternUnits="userSpaceOnUse")
    data = svg.lines(rings(shapely.union_all(shapes), 0.4, 20), closed=True, parts=2)
    body = hatch + svg.path(data, fill="url(#hatch)", fill_rule="evenodd")
    return svg.layer("closed", body, clip_path="url(#on-land)")


# ---------------------------------------------------------------- ridges, canals, zones
def ridges(sheet: Sheet) -> str:
    """Mountain hexsides: a brown wall with peaks, open at the passes; canals: a double line of water."""
    style = sheet.style
    walls, peaks = [], ""
    for a, b, _ in sheet.side_items("mountain"):
        one, two = (sheet.frame.corner_point(c) for c in sheet.frame.side(a, b))
        walls.append([one, two])
        for t in (0.2, 0.5, 0.8):
            x, y = one[0] + (two[0] - one[0]) * t, one[1] + (two[1] - one[1]) * t
            peaks += f"M{svg.number(x - 5)} {svg.number(y + 3)}l5-8.5 5 8.5z"
    ways = [
        pass_sign(*(sheet.frame.corner_point(c) for c in sheet.frame.side(a, b)))
        for a, b, _ in sheet.side_items("pass")
    ]
    canals = [[sheet.frame.corner_point(c) for c in sheet.frame.side(a, b)] for a, b, _ in sheet.side_items("canal")]
    return svg.layer(
        "ridges",
        [
            svg.path(
                svg.lines(walls), fill="none", stroke=style.colour("height"), stroke_width=4.2, stroke_linecap="round"
            ),
            svg.path(peaks, fill=style.colour("height"), stroke=style.colour("halo"), stroke_width=0.7),
            svg.path("".join(ways), fill="none", stroke=style.colour("halo"), stroke_width=5.2, stroke_linecap="round"),
            svg.path(
                "".join(ways), fill="none", stroke=style.colour("height"), stroke_width=2.4, stroke_linecap="round"
            ),
            svg.path(svg.lines(canals), fill="none", stroke=style.colour("river_case"), stroke_width=6),
            svg.path(svg.lines(canals), fill="none", stroke=style.colour("halo"), stroke_width=3.4),
            svg.path(svg.lines(canals), fill="none", stroke=style.colour("river"), stroke_width=1.6),
            *_canal_hexes(sheet),
        ],
    )


def pass_sign(one: Point, two: Point) -> str:
    """Two brows that leave a way between them, across the middle of a hexside."""
    (ax, ay), (bx, by) = one, two
    x, y, long = (ax + bx) / 2, (ay + by) / 2, math.dist(one, two)
    ux, uy = (bx - ax) / long, (by - ay) / long
    out = ""
    for hand in (-1, 1):
        spots = [(hand * reach, across) for reach, across in ((9, -8), (1, 0), (9, 8))]
        (px, py), (qx, qy), (rx, ry) = ((x + ux * t - uy * n, y + uy * t + ux * n) for t, n in spots)
        out += f"M{svg.number(px)} {svg.number(py)}Q{svg.number(qx)} {svg.number(qy)} {svg.number(rx)} {svg.number(ry)}"
    return out


def _canal_hexes(sheet: Sheet) -> list[str]:
    """Hexes that belong to a canal (areas of kind `canal`): one ring around them."""
    groups = [area["hexes"] for _, area in sorted(sheet.data.get("areas", {}).items()) if area.get("kind") == "canal"]
    shapes = [shapely.union_all([sheet.polygon(n).buffer(0.5) for n in hexes]).buffer(-4.5) for hexes in groups]
    return [canal_ring(sheet, svg.lines(rings(shape, 0.4, 20), closed=True)) for shape in shapes]


def canal_ring(sheet: Sheet, data: str) -> str:
    """A dashed blue ring over a light edge."""
    halo = svg.path(data, fill="none", stroke=sheet.style.colour("halo"), stroke_width=4.6, opacity=0.7)
    return halo + svg.path(
        data, fill="none", stroke=sheet.style.colour("river"), stroke_width=2.4, stroke_dasharray="7 3"
    )


def sea_zones(sheet: Sheet) -> str:
    """Bounds of maritime zones: long dashes along the hexsides between sea hexes of two zones."""
    strokes = []
    for (a, b), hexes in sorted(sheet.sides.items()):
        if len(hexes) != 2:
            continue
        one, two = (sheet.hex(n).get("zones") for n in hexes)
        wet = any(sheet.is_water(n) for n in hexes)
        if wet and one and two and not set(one) & set(two):
            strokes.append([sheet.frame.corner_point(a), sheet.frame.corner_point(b)])
    look: dict[str, object] = {"fill": "none", "stroke_linecap": "round", "stroke_dasharray": "14 5"}
    return svg.path(svg.lines(strokes), stroke=sheet.style.colour("sea_ink"), stroke_width=2.2, opacity=0.7, **look)


@once
def zone_numbers(sheet: Sheet) -> list[tuple[str, Point]]:
    """The number of each maritime zone and the middle of its largest patch of sea."""
    members: dict[int, list[str]] = {}
    for number in sheet.numbers:
        zones = sheet.hex(number).get("zones", [])
        if sheet.is_water(number) and len(zones) == 1:
            members.setdefault(zones[0], []).append(number)
    out = []
    for zone, hexes in sorted(members.items()):
        area = shapely.union_all([sheet.polygon(n).buffer(0.5) for n in hexes])
        patch = max(shapely.get_parts(area), key=lambda part: part.area)
        if patch.area > 6 * RADIUS * RADIUS:
            spot = shapely.maximum_inscribed_circle(patch, tolerance=10).coords[0]
            out.append((str(zone), _between_numbers(sheet, (float(spot[0]), float(spot[1])))))
    return out


def _between_numbers(sheet: Sheet, spot: Point) -> Point:
    """The nearest point where a large figure covers no hex number."""
    near = [p for p in map(partial(number_point, sheet), sheet.numbers) if math.dist(p, spot) < 2 * RADIUS]
    ways = sorted((abs(dx) + abs(dy), dx, dy) for dx in range(-48, 49, 6) for dy in range(-48, 49, 6))
    for _, dx, dy in ways:
        x, y = spot[0] + dx, spot[1] + dy
        if all(abs(px - x) > 32 or abs(py - y) > 22 for px, py in near):
            return x, y
    return spot


@once
def veiled(sheet: Sheet) -> BaseGeometry:
    """What lies inside the sheet but off the map, if it is more than a ragged rim; its narrow bays belong to it."""
    hexes = sheet.hexes
    outside = sheet.whole.difference(hexes)
    wide = outside.buffer(-RADIUS * 0.9).buffer(RADIUS * 0.9, join_style="mitre").intersection(outside)
    if wide.area < 12 * RADIUS * RADIUS:
        return MultiPolygon()
    rim = sheet.whole.exterior
    bays = [part for part in shapely.get_parts(outside.difference(wide)) if part.distance(rim) > 1]
    return shapely.union_all([wide, *(bay.buffer(0.2) for bay in bays)]).difference(hexes.buffer(1))


def veil(sheet: Sheet) -> str:
    """What is off the map fades into a grey that is no colour of the land."""
    data = svg.lines(rings(veiled(sheet), 0.5, 200.0), closed=True)
    return svg.layer("veil", svg.path(data, fill=sheet.style.colour("void"), opacity=0.94, fill_rule="evenodd"))
