"""Ways over the sea: routes and ferries that bend around the land, strait crossings and facing beaches."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import accumulate, pairwise

import numpy as np
import shapely
from scipy import ndimage, sparse
from scipy.sparse import csgraph
from shapely.geometry import LineString, MultiLineString
from shapely.geometry import Point as Dot
from shapely.ops import nearest_points

from maps.draw import svg
from maps.draw.curves import chaikin
from maps.draw.frame import RADIUS, Point
from maps.draw.raster import mask
from maps.draw.sheet import Floats, Sheet, once

CELL = 5.0
"""Size of the cells of the chart that courses are laid on: fine enough for the narrowest belt of a strategic map."""
EASE = 12.0
"""How much dearer a straight or rounded line may be: less than one step on land."""
MERGE = 20.0
"""Lines nearer than this to each other run together."""
LAND, SHORE, COAST, OFF = 300.0, 3.0, 1.0, 12.0
"""What land, the nearness of a shore, the water of a coastal hex and leaving the hexes add to the cost of a cell."""


def routes(sheet: Sheet) -> str:
    """Ferries and sea routes as dashed lines over water, landings and strait crossings as double arrows."""
    style, body = sheet.style, list[str]()
    for key, colour, dash in (("sea_route", "sea_ink", "9 6"), ("ferry", "rail", "5 4")):
        data = svg.lines(lanes(sheet, key), parts=1)
        look: dict[str, object] = {"fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round"}
        body.append(svg.path(data, stroke=style.colour("halo"), stroke_width=3.6, opacity=0.5, **look))
        body.append(svg.path(data, stroke=style.colour(colour), stroke_width=1.8, stroke_dasharray=dash, **look))
    arrows = {(a, b) for a, b, _ in sheet.link_items("arrow")} | {(a, b) for a, b, _ in sheet.side_items("strait")}
    beaches = {(a, b) for a, b, _ in sheet.link_items("front_beach")} - arrows
    body += _double_arrows(sheet, sorted(beaches), "beach_gb", 1.8)
    body += _double_arrows(sheet, sorted(arrows), "strait", 2.6)
    return svg.layer("routes", body)


@once
def courses(sheet: Sheet, key: str) -> list[list[Point]]:
    """The line of each link of one kind, from town to town, kept on water as far as there is any."""
    return [_course(sheet, a, b) for a, b, _ in sheet.link_items(key)]


@once
def lanes(sheet: Sheet, key: str) -> list[list[Point]]:
    """The courses as drawn: one that comes near an earlier one joins it, for two rows of dashes look unbroken."""
    out = list[list[Point]]()
    for course in courses(sheet, key):
        line, earlier = LineString(course), MultiLineString(out)
        for piece in shapely.get_parts(line.difference(earlier.buffer(MERGE))):
            points = [(float(x), float(y)) for x, y in piece.coords]
            if piece.length > MERGE:
                head = [] if points[0] == course[0] else [_joint(earlier, points[1], points[0])]
                tail = [] if points[-1] == course[-1] else [_joint(earlier, points[-2], points[-1])]
                out.append([*head, *points, *tail])
    return out


def _joint(earlier: MultiLineString, before: Point, end: Point) -> Point:
    """Where a line that goes on from `before` past `end` falls in with an earlier one."""
    far = math.dist(before, end) or 1.0
    ahead = [end[i] + (end[i] - before[i]) / far * MERGE * 1.5 for i in (0, 1)]
    near = nearest_points(earlier, Dot(ahead))[0]
    return float(near.x), float(near.y)


def _ends(sheet: Sheet, a: str, b: str) -> tuple[Point, Point]:
    return sheet.nodes.get(a, sheet.frame.centre(a)), sheet.nodes.get(b, sheet.frame.centre(b))


@once
def _chart(sheet: Sheet) -> tuple[Floats, sparse.csr_matrix]:
    """The cost of every cell of the sheet, and what it costs to go from a cell to the eight around it."""
    land = mask(sheet, sheet.land, 1 / CELL)
    on_map = mask(sheet, sheet.hexes, 1 / CELL)
    firm = shapely.union_all([sheet.polygon(n).buffer(0.5) for n in sheet.numbers if not sheet.is_water(n)])
    near = ndimage.gaussian_filter(land, 13 / CELL)
    cost = 1 + LAND * np.where(land > 0.02, 0.1 + land, 0.0) + SHORE * near + OFF * (1 - on_map)
    cost += COAST * mask(sheet, firm, 1 / CELL)
    high, wide = cost.shape
    cells = np.arange(high * wide).reshape(high, wide)
    starts, ends, prices = [], [], []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        here = np.s_[: high - down, max(0, -right) : wide - max(0, right)]
        there = np.s_[down:, max(0, right) : wide + min(0, right)]
        starts.append(cells[here].ravel())
        ends.append(cells[there].ravel())
        prices.append(((cost[here] + cost[there]) / 2 * math.hypot(down, right)).ravel())
    both = np.concatenate(prices), (np.concatenate(starts), np.concatenate(ends))
    return cost, sparse.csr_matrix(both, shape=(cells.size, cells.size))


def _course(sheet: Sheet, a: str, b: str) -> list[Point]:
    """The cheapest line from node to node, straightened where that stays on water, and rounded."""
    one, two = _ends(sheet, a, b)
    cost, ways = _chart(sheet)
    high, wide = cost.shape

    def cell(point: Point) -> int:
        return int(min(high - 1, int(point[1] / CELL)) * wide + min(wide - 1, int(point[0] / CELL)))

    came = csgraph.dijkstra(ways, directed=False, indices=cell(one), return_predecessors=True)[1]
    chain, at = list[Point](), int(came[cell(two)])
    while at >= 0 and at != cell(one):
        chain.append(((at % wide + 0.5) * CELL, (at // wide + 0.5) * CELL))
        at = int(came[at])
    taut = _taut(cost, [one, *reversed(chain), two])
    sharp = _rounded(taut, 2 * CELL)
    for reach in (120.0, 60.0, 30.0):
        soft = _rounded(taut, reach)
        if _length(cost, soft) < _length(cost, sharp) + EASE:
            return soft
    return sharp


def _rounded(chain: list[Point], reach: float) -> list[Point]:
    """Corners cut, by no more than some units."""
    fine = shapely.segmentize(LineString(chain), reach)
    return [(float(x), float(y)) for x, y in LineString(chaikin(list(fine.coords), 2)).simplify(0.2).coords]


def _price(cost: Floats, one: Point, two: Point) -> float:
    """What a straight line costs."""
    steps = max(1, math.ceil(math.dist(one, two) / (CELL / 2)))
    t = (np.arange(steps) + 0.5) / steps
    xs = ((one[0] + (two[0] - one[0]) * t) / CELL).astype(int).clip(0, cost.shape[1] - 1)
    ys = ((one[1] + (two[1] - one[1]) * t) / CELL).astype(int).clip(0, cost.shape[0] - 1)
    return float(cost[ys, xs].mean()) * math.dist(one, two)


def _length(cost: Floats, chain: list[Point]) -> float:
    """What a whole line costs."""
    return sum(_price(cost, one, two) for one, two in pairwise(chain))


def _taut(cost: Floats, chain: list[Point]) -> list[Point]:
    """Leave out every point that is not needed: a straight line may replace a part that is not cheaper."""
    along = [0.0, *accumulate(_price(cost, one, two) for one, two in pairwise(chain))]
    kept, at = [chain[0]], 0
    while at < len(chain) - 1:
        reach = min(len(chain) - 1, at + int(12 * RADIUS / CELL))
        while reach > at + 1 and _price(cost, chain[at], chain[reach]) > along[reach] - along[at] + EASE:
            reach -= 1
        kept.append(chain[reach])
        at = reach
    return kept


def _double_arrows(sheet: Sheet, pairs: Iterable[tuple[str, str]], colour: str, wide: float) -> list[str]:
    """Arrows over the water between two shores."""
    shafts, heads = [], []
    for a, b in pairs:
        one, two = _ends(sheet, a, b)
        length = math.dist(one, two) or 1.0
        dx, dy = (two[0] - one[0]) / length, (two[1] - one[1]) / length
        keep = min(0.33 * length, 24.0)
        start = (one[0] + dx * keep, one[1] + dy * keep)
        end = (two[0] - dx * keep, two[1] - dy * keep)
        shafts.append([start, end])
        for (x, y), s in ((start, -1), (end, 1)):
            tip = (x + dx * 8 * s, y + dy * 8 * s)
            heads.append([tip, (x - dy * 4, y + dx * 4), (x + dy * 4, y - dx * 4)])
    ink, halo = sheet.style.colour(colour), sheet.style.colour("halo")
    return [
        svg.path(svg.lines(shafts), fill="none", stroke=halo, stroke_width=wide + 2.4, opacity=0.7),
        svg.path(svg.lines(shafts), fill="none", stroke=ink, stroke_width=wide),
        svg.path(svg.lines(heads, closed=True), fill=ink, stroke=halo, stroke_width=0.6),
    ]
