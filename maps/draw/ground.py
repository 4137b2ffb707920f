"""Sea, land, lakes and coast: the lowest layers."""

from __future__ import annotations

import shapely
from shapely.geometry.base import BaseGeometry

from maps.draw import raster, svg
from maps.draw.frame import RADIUS
from maps.draw.sheet import Sheet, once

FINE, ROUGH = 2, 1
"""Parts of a unit on which the coast is drawn: half a unit is a pixel at 200 %, and the file is a third shorter; the
largest sheets are drawn on whole units."""


def rings(geometry: BaseGeometry, tolerance: float = 0.0, least: float = 0.0) -> list[list[tuple[float, float]]]:
    """Outer and inner rings of a shape, simplified, tiny ones dropped."""
    simple = shapely.simplify(geometry, tolerance) if tolerance else geometry
    out = []
    for part in shapely.get_parts(simple):
        if part.geom_type != "Polygon" or part.area < least:
            continue
        out.append([(float(x), float(y)) for x, y in part.exterior.coords])
        out += [[(float(x), float(y)) for x, y in hole.coords] for hole in part.interiors]
    return out


def coarse(sheet: Sheet) -> float:
    """Very large sheets are drawn with a coarser line: 1 up to 14 million square units, then more."""
    return max(1.0, sheet.frame.width * sheet.frame.height / 14e6)


@once
def definitions(sheet: Sheet) -> str:
    """The coast once, for filling, stroking and clipping."""
    near = sheet.reach
    shapes = rings(sheet.land.intersection(near), 0.3 * coarse(sheet), 4.0 * coarse(sheet))
    shapes += rings(sheet.land.difference(near), 5.0, 400.0)
    coast = svg.lines(shapes, closed=True, parts=FINE if coarse(sheet) < 2 else ROUGH)
    return svg.path(coast, id="coast", fill_rule="evenodd") + svg.tag(
        "clipPath", svg.tag("use", href="#coast"), id="on-land"
    )


def sea(sheet: Sheet) -> str:
    """Colour of the water, then the lines of water that follow the coast."""
    frame, style = sheet.frame, sheet.style
    body = [svg.tag("rect", width=frame.width, height=frame.height, fill=style.colour("sea"))]
    body.append(raster.image_tag(sheet, raster.sea_image(sheet)))
    if style.look["lining"] > 0:
        for i, data in enumerate(_lining(sheet)):
            width, opacity = 0.9 - 0.12 * i, style.look["lining"] * (0.9 - 0.2 * i)
            body.append(svg.path(data, fill="none", stroke=style.colour("lining"), stroke_width=width, opacity=opacity))
    return svg.layer("sea", body)


@once
def _lining(sheet: Sheet) -> list[str]:
    """Lines that follow the coast at growing distances."""
    out = []
    for distance in (0.06, 0.135, 0.23) if coarse(sheet) < 2 else (0.07, 0.17):
        ring = sheet.land.buffer(RADIUS * distance, quad_segs=4)
        out.append(svg.lines(rings(ring, 1.0 * coarse(sheet), 40.0 * coarse(sheet)), closed=True, parts=1))
    return out


def land(sheet: Sheet) -> str:
    """Plain land under everything else."""
    fill = svg.tag("use", href="#coast", fill=sheet.style.terrain("clear"))
    return svg.layer("land", fill)


def terrain(sheet: Sheet) -> str:
    """Tints of the terrain inside the true coast: a soft image, or plain hexes in a style that wants no blur."""
    sharp = sheet.style.look["blur"] == 0
    body = _plain_tints(sheet) if sharp else raster.image_tag(sheet, raster.terrain_image(sheet))
    return svg.layer("terrain", body, clip_path="url(#on-land)")


def _plain_tints(sheet: Sheet) -> list[str]:
    """The hexes of each tint as one shape; open ground is the colour of the land already."""
    shapes: dict[str, list[BaseGeometry]] = {}
    for number in sheet.numbers:
        if not sheet.is_water(number):
            shapes.setdefault(raster.tint(sheet, number), []).append(sheet.polygon(number).buffer(0.2))
    return [
        svg.path(svg.lines(rings(shapely.union_all(found), 0.3), closed=True), fill=colour, fill_rule="evenodd")
        for colour, found in sorted(shapes.items())
        if colour != sheet.style.terrain("clear")
    ]


def relief(sheet: Sheet) -> str:
    """Light and shade of the ground."""
    uri = raster.relief_image(sheet)
    body = raster.image_tag(sheet, uri) if uri else ""
    return svg.layer("relief", body, clip_path="url(#on-land)", style="mix-blend-mode:hard-light")


def coast(sheet: Sheet) -> str:
    """The shore: a sandy inner line and a dark outer one."""
    style = sheet.style
    sand = svg.tag(
        "use",
        href="#coast",
        fill="none",
        stroke=style.colour("shore"),
        stroke_width=4,
        opacity=0.7,
        clip_path="url(#on-land)",
    )
    ink = svg.tag(
        "use", href="#coast", fill="none", stroke=style.colour("coast"), stroke_width=1.1, stroke_linejoin="round"
    )
    return svg.layer("coast", [sand, ink])


def lakes(sheet: Sheet) -> str:
    """Inland water."""
    shapes = sheet.art.lakes.intersection(sheet.whole) if not sheet.art.lakes.is_empty else sheet.art.lakes
    data = svg.lines(rings(shapes, 0.3, 2.0), closed=True, parts=2)
    style = sheet.style
    return svg.layer(
        "lakes",
        svg.path(data, fill=style.colour("lake"), fill_rule="evenodd", stroke=style.colour("coast"), stroke_width=0.6),
    )
