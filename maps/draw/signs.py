"""Signs of the terrain: hedgerows of the bocage, trees, tufts of marsh, hill and mountain strokes, furrows.

Each kind is a single path (many small copies of one relative shape), so the file stays small and the browser quick.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np
import shapely
from scipy.spatial import Voronoi
from shapely.geometry import Point, Polygon

from maps.draw import svg
from maps.draw.curves import Chance, chaikin, walk
from maps.draw.frame import RADIUS
from maps.draw.frame import Point as Place
from maps.draw.ground import coarse, rings
from maps.draw.sheet import Sheet, number_point, once

TILE = 420.0
COUNT = {
    "forest": 13,
    "mountain": 5,
    "mountains": 5,
    "hills": 7,
    "rough": 7,
    "marsh": 9,
    "swamp": 9,
    "clear": 2,
    "desert": 3,
}
SPACE = {
    "forest": 0.24,
    "mountain": 0.42,
    "mountains": 0.42,
    "hills": 0.36,
    "rough": 0.36,
    "marsh": 0.29,
    "swamp": 0.29,
    "clear": 0.6,
    "desert": 0.5,
}


STAMPS = 6
"""Ready-made groups of signs of each kind; a hex without town and shore uses one of them."""
GROWN = ("forest", "marsh", "swamp")
"""What grows: at its edge a group fills no hexagon but a patch with bays."""


def signs(sheet: Sheet) -> str:
    """The whole layer, clipped by the coast."""
    open_ground = ("clear", "desert") if coarse(sheet) < 2 else ()
    body = [_kind(sheet, kind, furrows) for kind in open_ground]
    body += [_hedges(sheet), _wetlands(sheet)]
    draw: list[tuple[str, Callable[[Sheet, list[Place]], str]]] = [
        ("marsh", marsh), ("swamp", marsh), ("hills", hills), ("rough", hills),
        ("mountain", mountains), ("mountains", mountains), ("forest", trees),
    ]  # fmt: skip
    body += [_kind(sheet, kind, function) for kind, function in draw]
    return svg.layer("signs", body, clip_path="url(#on-land)", opacity=sheet.style.look["texture"])


def _kind(sheet: Sheet, kind: str, draw: Callable[[Sheet, list[Place]], str]) -> str:
    """All signs of one kind: ready-made groups in plain hexes, single signs where a town or a shore is in the way."""
    single, uses = _spread(sheet, kind)
    if not single and not uses:
        return ""
    used = "".join(uses)
    names = [name for name in _group_names(kind) if f'"#{name}"' in used]
    groups = "".join(svg.tag("g", draw(sheet, _group(sheet, kind, name)), id=name) for name in names)
    loose = draw(sheet, single) if single else ""
    return (svg.tag("defs", groups) if uses else "") + used + loose


def _group_names(kind: str) -> list[str]:
    """The ready-made groups of a kind: those of the inside, and those of the edge of what grows."""
    names = [f"{kind}-{i}" for i in range(STAMPS)]
    return names + ([f"{kind}-edge-{i}" for i in range(STAMPS)] if kind in GROWN else [])


@once
def _edges(sheet: Sheet, kind: str) -> set[str]:
    """The hexes at which a wood or marsh ends."""
    if kind not in GROWN:
        return set()
    grown = {
        tuple(map(round, sheet.frame.centre(number)))
        for number in sheet.numbers
        if sheet.cover(number) == kind and not sheet.is_water(number)
    }
    far, turn = RADIUS * math.sqrt(3), 30 if sheet.frame.flat else 0
    steps = [
        (far * math.cos(math.radians(60 * i + turn)), far * math.sin(math.radians(60 * i + turn))) for i in range(6)
    ]
    edges = set()
    for number in sheet.numbers:
        x, y = sheet.frame.centre(number)
        beside = [(round(x + dx) + i, round(y + dy) + j) for dx, dy in steps for i in (-1, 0, 1) for j in (-1, 0, 1)]
        if len(grown.intersection(beside)) < 6:
            edges.add(number)
    return edges


@once
def _spread(sheet: Sheet, kind: str) -> tuple[list[Place], list[str]]:
    """Where the single signs of a kind stand, from north to south, and which hexes use ready-made groups."""
    single: list[Place] = []
    uses: list[str] = []
    for number in sheet.numbers:
        if sheet.cover(number) != kind or sheet.kind(number) in ("sea", "lake", "out"):
            continue
        x, y = sheet.frame.centre(number)
        if number in sheet.place_at or not sheet.firm.contains(sheet.polygon(number)):
            single += _scatter(sheet, kind, number)
        else:
            group = int(Chance(number + kind).unit() * STAMPS) + (STAMPS if number in _edges(sheet, kind) else 0)
            uses.append(f'<use href="#{_group_names(kind)[group]}" x="{round(x)}" y="{round(y)}"/>')
    return sorted(single, key=lambda p: (p[1], p[0])), uses


def _group(sheet: Sheet, kind: str, name: str) -> list[Place]:
    """Signs of a ready-made group, around the point 0, 0."""
    inside = Polygon([(x * 0.9, y * 0.9) for x, y in _hexagon(sheet)])
    if "-edge-" in name:
        inside = patch(name, (0.0, 0.0)).intersection(Polygon(_hexagon(sheet)).buffer(-1.0))
    number_at = (0.0, -RADIUS * (0.735 if sheet.frame.flat else 0.76))
    return _throw(Chance(f"{name} group"), kind, (0.0, 0.0), inside, [(number_at, 0.24)], None)


def patch(seed: str, centre: Place) -> Polygon:
    """A patch with bays and tongues about a point, two thirds to all of a hex wide."""
    chance = Chance(seed + " patch")
    swings = [(k, chance.between(0.08, 0.17), chance.between(0, 2 * math.pi)) for k in (2, 3, 5)]
    ring = []
    for i in range(36):
        angle = math.radians(10 * i)
        reach = RADIUS * (0.86 + sum(size * math.sin(k * angle + phase) for k, size, phase in swings))
        ring.append((centre[0] + reach * math.cos(angle), centre[1] + reach * math.sin(angle)))
    return Polygon(ring)


def _hexagon(sheet: Sheet) -> list[Place]:
    turn = 0 if sheet.frame.flat else 30
    angles = [math.radians(60 * i + turn) for i in range(6)]
    return [(RADIUS * math.cos(a), RADIUS * math.sin(a)) for a in angles]


def _scatter(sheet: Sheet, kind: str, number: str) -> list[Place]:
    """Spots for one hex: on land, apart from each other, from its number and from its town."""
    keep_off = [(number_point(sheet, number), 0.24)]
    keep_off += [(sheet.nodes[number], 0.34)] if number in sheet.place_at else []
    centre = sheet.frame.centre(number)
    inside = sheet.polygon(number, 0.9)
    if number in _edges(sheet, kind):
        inside = patch(number + kind, centre).intersection(sheet.polygon(number, 0.97))
    return _throw(Chance(number + kind), kind, centre, inside, keep_off, sheet)


def _throw(
    chance: Chance, kind: str, centre: Place, inside: Polygon, keep_off: list[tuple[Place, float]], sheet: Sheet | None
) -> list[Place]:
    """Throw signs into a hex until it is full enough."""
    found: list[Place] = []
    for _ in range(COUNT[kind] * 30):
        if len(found) >= COUNT[kind]:
            break
        spot = (centre[0] + chance.between(-1, 1) * RADIUS, centre[1] + chance.between(-1, 1) * RADIUS)
        if not inside.contains(Point(spot)) or (sheet is not None and not sheet.firm.contains(Point(spot))):
            continue
        if any(math.dist(spot, other) < SPACE[kind] * RADIUS for other in found):
            continue
        if any(math.dist(spot, node) < reach * RADIUS for node, reach in keep_off):
            continue
        found.append(spot)
    return sorted(found, key=lambda p: (p[1], p[0]))


def _stamp(spots: list[Place], shape: str) -> str:
    return "".join(f"M{round(x)} {round(y)}{shape}" for x, y in spots)


def trees(sheet: Sheet, spots: list[Place]) -> str:
    """Round crowns with a shadow on the lee side; three sizes."""
    sign = sheet.style.signs
    out = []
    for size in range(3):
        some = spots[size::3]
        if not some:
            continue
        r = 3.6 + 0.7 * size
        crown = f"m{-r:.1f} 0a{r:.1f} {r:.1f} 0 1 0 {2 * r:.1f} 0a{r:.1f} {r:.1f} 0 1 0 {-2 * r:.1f} 0z"
        name = f"crowns-{size}-{len(some)}-{round(some[0][0])}-{round(some[0][1])}"
        out.append(svg.tag("defs", svg.path(_stamp(some, crown), id=name)))
        out.append(svg.tag("use", None, href=f"#{name}", x=1.5, y=1.7, fill=sign["tree_shade"], opacity=0.45))
        edge = {"stroke": sign["tree_edge"], "stroke_width": 0.6}
        out.append(svg.tag("use", None, href=f"#{name}", fill=sign["tree"], **edge))
        if sheet.frame.km < 20:
            light = {"stroke": sheet.style.colour("light"), "stroke_width": 0.6, "opacity": 0.55}
            out.append(svg.path(_stamp(some, "m-1.6-.6q.6-1.6 2.2-1.5"), fill="none", **light))
    return "".join(out)


def marsh(sheet: Sheet, spots: list[Place]) -> str:
    """Two dashes of water and three blades of reed."""
    sign = sheet.style.signs
    pool = svg.path(_stamp(spots, "m-6 0h12m-9.5 2.6h8"), fill="none", stroke=sign["pool"], stroke_width=0.8)
    reed = svg.path(
        _stamp(spots, "m-1-.8l-2-3.4m3.2 3.2v-5m1.2 5l2-3.6"),
        fill="none",
        stroke=sign["tuft"],
        stroke_width=0.8,
        stroke_linecap="round",
    )
    return pool + reed


def hills(sheet: Sheet, spots: list[Place]) -> str:
    """A rounded brow with hachures on its dark side."""
    data = _stamp(spots, "m-8 3q2-8 8-8t8 8m-3.6-5.2l1.2 3.4m-3.2-5l.9 3.6m-3.2-3.9l.4 3")
    return svg.path(
        data, fill="none", stroke=sheet.style.signs["hill"], stroke_width=1.0, stroke_linecap="round", opacity=0.95
    )


def mountains(sheet: Sheet, spots: list[Place]) -> str:
    """Peaks with a lit and a dark face."""
    sign = sheet.style.signs
    light = svg.path(_stamp(spots, "m-9.5 6l4.5-6.5 5-7.5.8 6-1.4 3.5 1.1 4.5z"), fill=sign["peak_light"], opacity=0.8)
    dark = svg.path(
        _stamp(spots, "m0-8l3.4 6.4 2.2 1.4 4 6.2h-9.1l-1.1-4.5 1.4-3.5z"), fill=sign["peak_dark"], opacity=0.8
    )
    return light + dark


def furrows(sheet: Sheet, spots: list[Place]) -> str:
    """Ploughed strips in open country: three short parallel strokes, in four directions."""
    shapes = []
    for angle in (0.3, 1.1, 1.9, 2.6):
        dx, dy = 4.6 * math.cos(angle), 4.6 * math.sin(angle)
        nx, ny = -dy * 0.42, dx * 0.42
        one = f"m{svg.number(-dx / 2)} {svg.number(-dy / 2)}l{svg.number(dx)} {svg.number(dy)}"
        back = f"m{svg.number(nx - dx)} {svg.number(ny - dy)}l{svg.number(dx)} {svg.number(dy)}"
        shapes.append(one + back + back)
    data = "".join(_stamp(spots[i::4], shape) for i, shape in enumerate(shapes))
    return svg.path(data, fill="none", stroke=sheet.style.signs["furrow"], stroke_width=0.8, opacity=0.55)


@cache
def hedge_tile(seed: str = "hedge") -> str:
    """Fields and hedgerows as one tile that repeats without a seam: edges of a periodic Voronoi diagram."""
    chance, count = Chance(seed), 330
    base = np.array([(chance.between(0, TILE), chance.between(0, TILE)) for _ in range(count)])
    for _ in range(2):
        base = _relaxed(base)
    copies = np.concatenate([base + (i * TILE, j * TILE) for i in (-1, 0, 1) for j in (-1, 0, 1)])
    diagram = Voronoi(copies)
    hedges, bushes, seen = [], list[Place](), set[tuple[int, int, int, int]]()
    for a, b in diagram.ridge_vertices:
        if a < 0 or b < 0:
            continue
        (ax, ay), (bx, by) = diagram.vertices[a], diagram.vertices[b]
        if not (-40 < ax < TILE + 40 and -40 < ay < TILE + 40 and math.hypot(ax - bx, ay - by) < 60):
            continue
        key = (round(ax * 10), round(ay * 10), round(bx * 10), round(by * 10))
        if key in seen or chance.unit() < 0.06:
            continue
        seen.add(key)
        hedges.append([(float(ax), float(ay)), (float(bx), float(by))])
    hedges = [h for h in hedges if 0 <= (h[0][0] + h[1][0]) / 2 < TILE and 0 <= (h[0][1] + h[1][1]) / 2 < TILE]
    for (ax, ay), (bx, by) in hedges:
        t = chance.between(0.25, 0.75)
        if chance.unit() < 0.5:
            bushes.append((ax + (bx - ax) * t, ay + (by - ay) * t))
    return svg.lines(_wrapped(hedges)) + "|" + _stamp(bushes, "h.1")


def _wrapped(hedges: list[list[Place]]) -> list[list[Place]]:
    """Repeat on the other side whatever sticks out of the tile."""
    out = []
    for hedge in hedges:
        for i in (-1, 0, 1):
            for j in (-1, 0, 1):
                moved = [(x + i * TILE, y + j * TILE) for x, y in hedge]
                if any(0 <= x <= TILE and 0 <= y <= TILE for x, y in moved):
                    out.append(moved)
    return out


def _relaxed(
    base: np.ndarray[tuple[int, int], np.dtype[np.float64]],
) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """One Lloyd step on the torus: fields of more even size."""
    copies = np.concatenate([base + (i * TILE, j * TILE) for i in (-1, 0, 1) for j in (-1, 0, 1)])
    diagram, middle = Voronoi(copies), 4 * len(base)
    centres = [
        diagram.vertices[diagram.regions[diagram.point_region[middle + i]]].mean(axis=0) * 0.6 + base[i] * 0.4
        for i in range(len(base))
    ]
    return np.asarray(np.mod(centres, TILE))


def _hedges(sheet: Sheet) -> str:
    """Bocage: the hedge tile laid over the bocage hexes."""
    shapes = [
        sheet.polygon(n, 0.985)
        for n in sheet.numbers
        if sheet.hex(n).get("terrain") == "bocage" and not sheet.is_out(n)
    ]
    if not shapes:
        return ""
    area = shapely.union_all([shape.buffer(1.0) for shape in shapes]).buffer(-2.5)
    return svg.path(svg.lines(rings(area, 0.2), closed=True), fill="url(#hedges)", fill_rule="evenodd")


def has_hedges(sheet: Sheet) -> bool:
    """Does the map have bocage?"""
    return "bocage" in sheet.data.get("terrain", {})


def hedge_pattern(sheet: Sheet) -> str:
    """The definition of the hedge tile as a fill."""
    colour = sheet.style.signs["hedge"]
    hedges, bushes = hedge_tile().split("|")
    drawn = svg.path(hedges, fill="none", stroke=colour, stroke_width=0.6, opacity=0.34, stroke_linecap="round")
    drawn += svg.path(bushes, fill="none", stroke=colour, stroke_width=1.7, opacity=0.36, stroke_linecap="round")
    return svg.tag("pattern", drawn, id="hedges", width=TILE, height=TILE, patternUnits="userSpaceOnUse")


def _wetlands(sheet: Sheet) -> str:
    """The true outline of flooded ground as a light wash."""
    shapes = sheet.art.wetlands
    if shapes.is_empty:
        return ""
    drawn = [
        wandering(ring, f"wetland {i}") for i, ring in enumerate(rings(shapes.intersection(sheet.whole), 0.4, 20.0))
    ]
    data = svg.lines(drawn, closed=True)
    return svg.path(data, fill=sheet.style.terrain("marsh"), opacity=0.75, fill_rule="evenodd")


def wandering(ring: list[Place], seed: str, step: float = 11.0, swing: float = 5.0) -> list[Place]:
    """A closed line that strays a little from a ring of straight pieces, as the edge of a marsh does."""
    chance = Chance(seed)
    out = []
    for (x, y), (dx, dy) in walk(ring, step / 2, step):
        off = swing * chance.between(-1, 1)
        out.append((x - dy * off, y + dx * off))
    if len(out) < 4:
        return ring
    return chaikin([*out, out[0]], 2)
