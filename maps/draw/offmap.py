"""Areas off the map: a panel of boxes on open water, each with its name, its port and the hexes it leads to."""

from __future__ import annotations

import math
from typing import Any

from maps.draw import svg
from maps.draw.boxes import Box
from maps.draw.legend import Legend, free_spot
from maps.draw.markers import draw_text
from maps.draw.metrics import Face, width
from maps.draw.sheet import Sheet, once
from maps.draw.towns import anchor, sample

WIDE, HIGH, GAP = 132.0, 92.0, 10.0
TITLE = {"en": "Off the map", "fr": "Hors de la carte"}
HEAD = 28.0


def off_map(sheet: Sheet) -> list[tuple[str, dict[str, Any]]]:
    """Boxes without hexes, and maritime zones that no hex belongs to."""
    zones = {zone for facts in sheet.data["hexes"].values() for zone in facts.get("zones", [])}
    found = []
    for key, area in sorted(sheet.data.get("areas", {}).items()):
        box = area.get("kind") == "box" and not area.get("hexes")
        empty = area.get("kind") == "zones" and area.get("value") not in zones
        if (box or empty) and "at" not in area:
            found.append((key, area))
    return found


@once
def places(sheet: Sheet) -> tuple[Box, dict[str, tuple[float, float]], float] | None:
    """The panel, the top left corner of each box, and the scale; nothing when every area is on the map."""
    areas = off_map(sheet)
    if not areas:
        return None
    columns = 3 if len(areas) > 4 else 2
    rows = math.ceil(len(areas) / columns)
    legend = Legend(sheet, "en")
    scale = legend.scale
    wide, high = (columns * (WIDE + GAP) + GAP) * scale, (rows * (HIGH + GAP) + GAP + HEAD) * scale
    left, top = free_spot(sheet, wide, high, [legend.panel])
    panel = Box(left + wide / 2, top + high / 2, wide / 2, high / 2)
    corners = {}
    for i, (key, _) in enumerate(areas):
        x = left + (GAP + (i % columns) * (WIDE + GAP)) * scale
        y = top + (HEAD + GAP + (i // columns) * (HIGH + GAP)) * scale
        corners[key] = (x, y)
    return panel, corners, scale


def boxes(sheet: Sheet) -> dict[str, list[float]]:
    """Where the box of each area off the map lies: left, top, width, height."""
    found = places(sheet)
    if found is None:
        return {}
    size = [round(WIDE * found[2], 1), round(HIGH * found[2], 1)]
    return {key: [round(x, 1), round(y, 1), *size] for key, (x, y) in found[1].items()}


def panel(sheet: Sheet) -> list[tuple[Box, str]]:
    """What names must leave free for the panel."""
    found = places(sheet)
    if found is None:
        return []
    box = found[0]
    return [(Box(box.x, box.y, box.half_wide + 4, box.half_high + 4), "off-map boxes")]


def draw(sheet: Sheet, lang: str) -> str:
    """The panel, as a layer that a client may hide like the legend."""
    found = places(sheet)
    if found is None:
        return ""
    box, corners, scale = found
    style, body = sheet.style, list[str]()
    left, top = box.x - box.half_wide, box.y - box.half_high
    frame: dict[str, Any] = {"fill": style.colour("paper"), "stroke": style.colour("frame"), "stroke_width": 2.0}
    body.append(svg.tag("rect", x=left, y=top, width=2 * box.half_wide, height=2 * box.half_high, rx=8, **frame))
    title = Face("serif", 17 * scale, bold=True)
    body.append(_say(sheet, TITLE[lang], box.x, top + (HEAD / 2 + 5) * scale, title))
    for key, area in off_map(sheet):
        body += _box(sheet, lang, area, corners[key], scale)
    return svg.layer("off-map", body)


def _say(sheet: Sheet, text: str, x: float, y: float, face: Face) -> str:
    return draw_text(sheet, text, x, y, face, sheet.style.colour("ink"), "paper")


def _box(sheet: Sheet, lang: str, area: dict[str, Any], at: tuple[float, float], scale: float) -> list[str]:
    """One box: the name below the upper edge, city and port in the corners, the hexes it leads to at the foot."""
    style, (x, y) = sheet.style, at
    fill = style.colour("shallow") if area.get("kind") == "zones" else style.terrain(str(area.get("terrain", "clear")))
    edge: dict[str, Any] = {"fill": fill, "stroke": style.colour("ink"), "stroke_width": 1.1}
    body = [svg.tag("rect", x=x, y=y, width=WIDE * scale, height=HIGH * scale, rx=5, **edge)]
    name = str(area["name"].get(lang) or area["name"]["en"])
    if "number" in area:
        name = f"{area['number']} {name}"
    face = Face("sans", 12.5 * scale, bold=True)
    room = (WIDE - 10) * scale
    if width(name, face) > room:
        face = face.scaled(room / width(name, face))
    body.append(_say(sheet, name, x + WIDE * scale / 2, y + 14 * scale, face))
    if area.get("city"):
        body.append(sample(sheet, "major" if area["city"] == "major" else "minor", x + 15 * scale, y + 36 * scale))
    if area.get("port"):
        grade = "major" if area["port"] == "major" else "minor"
        body += anchor(sheet, grade, bool(area.get("freezes")), [(x + (WIDE - 15) * scale, y + 36 * scale)])
    ends = sorted(end for end in area.get("links", []) if end in sheet.data["hexes"])
    if ends:
        small = Face("sans", 9.5 * scale)
        body.append(_say(sheet, "» " + ", ".join(ends), x + WIDE * scale / 2, y + (HIGH - 9) * scale, small))
    return body
