"""Settlements by class, ports, heights and the other small symbols that stand on hexes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from maps.draw import svg
from maps.draw.curves import Chance
from maps.draw.frame import RADIUS, Point
from maps.draw.sheet import Sheet, number_point, once

SIZE = {
    "city": 0.42,
    "capital": 0.30,
    "major": 0.24,
    "fortress": 0.24,
    "town": 0.25,
    "minor": 0.17,
    "village": 0.11,
    "hamlet": 0.055,
}
ANCHOR = (
    "m0-5.6a1.5 1.5 0 1 1 .02 0zm0 0v10.4m-3-8.2h6m-7.6 4.2c.6 2.6 2.4 4 4.6 4s4-1.4 4.6-4"
    "m-9.2 0l-1 1.8m1-1.8l1.6 1.3m7.6-1.3l1 1.8m-1-1.8l-1.6 1.3"
)


@dataclass(frozen=True)
class Spot:
    """A symbol on the sheet that names must not cover: centre and half width."""

    x: float
    y: float
    half: float


def size_class(sheet: Sheet, place: dict[str, Any]) -> str:
    """How a place is drawn: its `size` if it has one, else its class in the rules.

    On a map of whole countries a town is a dot: only maps of a province draw it as a plan. A fortress whose hex has
    works of its own needs no second sign.
    """
    value = str(place.get("size") or place.get("class") or "village")
    if value == "town" and sheet.frame.km > 20:
        return "village"
    if value == "fortress" and any(sheet.hex(number).get("fort") for number in place.get("hexes", [])):
        return "village"
    return value if value in SIZE else "village"


@once
def town_spots(sheet: Sheet) -> dict[str, tuple[str, Spot]]:
    """Hex number to (place key, spot) for every place drawn."""
    out = {}
    for number, key in sorted(sheet.place_at.items()):
        if sheet.is_water(number):
            continue
        x, y = sheet.nodes[number]
        out[number] = key, Spot(x, y, SIZE[size_class(sheet, sheet.data["places"][key])] * RADIUS)
    return out


def towns(sheet: Sheet) -> str:
    """All settlements: cities and towns as plans of blocks, strategic-scale cities as rings, villages as dots."""
    style, body = sheet.style, []
    plans: dict[str, list[list[Point]]] = {"block": [], "block_2": []}
    plain = []
    for number, (key, spot) in town_spots(sheet).items():
        kind = size_class(sheet, sheet.data["places"][key])
        faded = 0.55 if sheet.is_out(number) else None
        if kind in ("city", "town"):
            edge = 1.3 if kind == "city" else 0.9
            body.append(
                svg.tag(
                    "circle",
                    cx=svg.number(spot.x),
                    cy=svg.number(spot.y),
                    r=svg.number(spot.half),
                    fill=style.colour("town"),
                    stroke=style.colour("town_edge"),
                    stroke_width=edge,
                    opacity=faded,
                )
            )
            for shade, blocks in _plan(spot, key + number, 5.2 if kind == "city" else 4.3).items():
                plans[shade] += blocks
        else:
            plain.append(_dot(sheet, kind, spot, faded))
    for shade, blocks in plans.items():
        body.append(svg.path(svg.lines(blocks, closed=True), fill=style.colour(shade)))
    return svg.layer("towns", body + plain)


def _dot(sheet: Sheet, kind: str, spot: Spot, faded: float | None) -> str:
    style = sheet.style
    at = {"cx": svg.number(spot.x), "cy": svg.number(spot.y)}
    ink = style.colour("ink")
    if kind in ("capital", "major", "fortress"):
        colour = style.colour({"capital": "capital", "major": "major"}.get(kind, "fort"))
        outer = svg.tag(
            "circle",
            r=svg.number(spot.half * 0.8),
            fill=style.colour("village"),
            stroke=ink,
            stroke_width=1.4,
            opacity=faded,
            **at,
        )
        if kind == "capital":
            return outer + svg.path(_star(spot, spot.half * 0.66), fill=colour, opacity=faded)
        inner = svg.tag("circle", r=svg.number(spot.half * 0.5), fill=colour, opacity=faded, **at)
        return outer + inner
    if kind == "hamlet":
        return svg.tag(
            "circle", None, r="1.9", fill=ink, stroke=style.colour("halo"), stroke_width=0.7, opacity=faded, **at
        )
    fill = style.colour("village") if kind == "village" else "#f2c230"
    outer = svg.tag(
        "circle", r=svg.number(spot.half * 0.85), fill=fill, stroke=ink, stroke_width=1.1, opacity=faded, **at
    )
    return outer + (
        svg.tag("circle", r="1.6", fill=style.colour("block"), opacity=faded, **at) if kind == "village" else ""
    )


def _star(spot: Spot, reach: float) -> str:
    """A five-pointed star: a capital is told by its shape as well as by its colour."""
    points = []
    for i in range(10):
        angle, far = math.radians(36 * i - 90), reach if i % 2 == 0 else reach * 0.46
        points.append((spot.x + far * math.cos(angle), spot.y + far * math.sin(angle)))
    return svg.line(points, closed=True)


def _plan(spot: Spot, seed: str, step: float) -> dict[str, list[list[Point]]]:
    """A little town plan: blocks on a turned street grid, thinning out towards the edge."""
    chance = Chance(seed)
    turn = chance.between(0, math.pi / 2)
    cos, sin = math.cos(turn), math.sin(turn)
    reach = spot.half - 1.6
    out: dict[str, list[list[Point]]] = {"block": [], "block_2": []}
    count = int(reach / step) + 1
    for i in range(-count, count + 1):
        for j in range(-count, count + 1):
            u = (i + chance.between(-0.16, 0.16)) * step
            v = (j + chance.between(-0.16, 0.16)) * step
            far = math.hypot(u, v) / reach
            if far > 0.93 or chance.unit() < (far - 0.35) * 0.75:
                continue
            w, h = step * chance.between(0.30, 0.42), step * chance.between(0.28, 0.42)
            corners = [(u - w, v - h), (u + w, v - h), (u + w, v + h), (u - w, v + h)]
            block = [(spot.x + a * cos - b * sin, spot.y + a * sin + b * cos) for a, b in corners]
            out["block" if chance.unit() < 0.68 else "block_2"].append(block)
    return out


# ---------------------------------------------------------------- ports, heights
@once
def port_spots(sheet: Sheet) -> list[tuple[str, str, Spot]]:
    """(hex, class, spot) of each anchor: beside the town, towards the water."""
    out, seen = [], set[str]()
    places = sheet.data.get("places", {})
    for key in sorted(places, key=lambda k: (places[k].get("port") != "major", k)):
        place = places[key]
        grade = place.get("port")
        if not grade or not place.get("hexes"):
            continue
        number = str(place.get("port_hex") or place["hexes"][0])
        if sheet.is_water(number) or sheet.is_out(number) or number in seen:
            continue
        seen.add(number)
        x, y = sheet.nodes[number]
        away = (SIZE[size_class(sheet, place)] if number in sheet.place_at else 0.0) * RADIUS + 9.5
        dx, dy = _seaward(sheet, number, away)
        out.append((number, "major" if grade == "major" else "minor", Spot(x + dx * away, y + dy * away, 7.0)))
    return out


def _seaward(sheet: Sheet, number: str, away: float) -> Point:
    """Unit direction from the node of a hex to open water, where an anchor that far away covers no hex number."""
    x, y = sheet.nodes[number]
    corners = [sheet.frame.corner_key(point) for point in sheet.frame.corners(number)]
    figures = [number_point(sheet, n) for n in sorted({n for corner in corners for n in sheet.at_corner[corner]})]
    best = (-1.0, (0.0, -1.0))
    for step in range(24):
        angle = math.radians(15 * step)
        dx, dy = math.cos(angle), math.sin(angle)
        wet = float(sum(sheet.is_sea(x + dx * d, y + dy * d) for d in (14, 22, 30, 40, 55)))
        at = x + dx * away, y + dy * away
        wet -= 2.5 * any(abs(at[0] - fx) < 18 and abs(at[1] - fy) < 12.5 for fx, fy in figures)
        if wet > best[0]:
            best = (wet, (dx, dy))
    return best[1]


def anchor(sheet: Sheet, grade: str, frozen: bool, spots: list[Point]) -> list[str]:
    """Anchors of one kind; those of ports that freeze are white inside a dark edge."""
    style = sheet.style
    data = "".join(f"M{svg.number(x)} {svg.number(y)}{ANCHOR}" for x, y in spots)
    ends: dict[str, object] = {"fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round"}
    colour = style.colour(f"port_{grade}")
    if frozen:
        edge = svg.path(data, stroke=colour, stroke_width=4.4, **ends)
        return [edge, svg.path(data, stroke=style.colour("port_freezing"), stroke_width=1.9, **ends)]
    halo = svg.path(data, stroke=style.colour("halo"), stroke_width=3.6, opacity=0.9, **ends)
    return [halo, svg.path(data, stroke=colour, stroke_width=1.5, **ends)]


def ports(sheet: Sheet) -> str:
    """Anchors: minor ones below, those of freezing ports in white."""
    body = []
    for grade in ("minor", "major"):
        for frozen in (False, True):
            spots = [
                (spot.x, spot.y)
                for number, found, spot in port_spots(sheet)
                if found == grade and (number in freezing(sheet)) == frozen
            ]
            body += anchor(sheet, grade, frozen, spots)
    return svg.layer("ports", body)


@once
def freezing(sheet: Sheet) -> frozenset[str]:
    """The hexes of ports that freeze."""
    places = sheet.data.get("places", {}).values()
    return frozenset(
        str(place.get("port_hex") or place["hexes"][0])
        for place in places
        if place.get("port") and place.get("freezes")
    )


@once
def height_spots(sheet: Sheet) -> list[tuple[dict[str, object], Spot]]:
    """Heights of the label list."""
    return [
        (label, Spot(*label_point(sheet, label), 4.0))
        for label in sheet.data.get("labels", [])
        if label["style"] == "height"
    ]


def label_point(sheet: Sheet, label: dict[str, object]) -> Point:
    """Where a label of the map file stands: in its hex (`hex`, with an offset in hex radii) or at `at`."""
    at = label["at"]
    assert isinstance(at, list)
    return float(at[0]), float(at[1])


def heights(sheet: Sheet) -> str:
    """Summits."""
    data = "".join(f"M{svg.number(s.x)} {svg.number(s.y)}m-4.2 3l4.2-6.6 4.2 6.6z" for _, s in height_spots(sheet))
    style = sheet.style
    return svg.layer(
        "heights", svg.path(data, fill=style.colour("height"), stroke=style.colour("halo"), stroke_width=0.7)
    )


def sample(sheet: Sheet, kind: str, x: float, y: float) -> str:
    """A settlement for the legend."""
    spot = Spot(x, y, min(SIZE[kind] * RADIUS, 14.0))
    if kind not in ("city", "town"):
        return _dot(sheet, kind, spot, None)
    style = sheet.style
    ring = svg.tag(
        "circle",
        cx=svg.number(x),
        cy=svg.number(y),
        r=svg.number(spot.half),
        fill=style.colour("town"),
        stroke=style.colour("town_edge"),
        stroke_width=1,
    )
    plans = _plan(spot, "legend" + kind, 4.6)
    return ring + "".join(
        svg.path(svg.lines(blocks, closed=True), fill=style.colour(shade)) for shade, blocks in plans.items()
    )
