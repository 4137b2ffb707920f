"""Lines of the map: grid, rivers that swell downstream, roads, railways, frontiers, forts, water sides, zones."""

from __future__ import annotations

import math
from itertools import pairwise

from shapely.geometry import LineString
from shapely.geometry import Point as Spot
from shapely.ops import nearest_points

from maps.draw import svg
from maps.draw.curves import Chance, chaikin, ribbon, spline, walk, wiggle
from maps.draw.extras import sea_zones
from maps.draw.frame import RADIUS, Corner, Point
from maps.draw.ground import coarse
from maps.draw.sheet import Sheet, once

RIVER_WIDTH = {1: (1.3, 7.2), 2: (0.9, 4.4), 3: (0.7, 2.6)}
"""Width at the source and at the mouth, by class."""
MEANDER = 0.12
"""How far a river swings from its hexside, in R."""
RAILS_NEAR, RAILS_FAR = {1: (1.7, 5.4), 2: (1.1, 4.2)}, {1: (1.15, 4.0), 2: (0.75, 3.0)}
"""Width of the line and of its sleepers by class: where hexes are a few kilometres, and where they are sixty."""


def grid(sheet: Sheet) -> str:
    """Hex sides: dark and thin on land, light on the water."""
    sides: dict[bool, list[tuple[Corner, Corner]]] = {True: [], False: []}
    for side, hexes in sorted(sheet.sides.items()):
        sides[all(sheet.is_water(n) for n in hexes)].append(side)
    light, dark = (
        [[sheet.frame.corner_point(c) for c in trail] for trail in _trails(sides[wet])] for wet in (True, False)
    )
    style = sheet.style
    return svg.layer(
        "grid",
        [
            svg.path(svg.lines(light), fill="none", stroke=style.colour("grid_sea"), stroke_width=0.8, opacity=0.65),
            svg.path(svg.lines(dark), fill="none", stroke=style.colour("grid_land"), stroke_width=0.8, opacity=0.55),
        ],
    )


def _trails(sides: list[tuple[Corner, Corner]]) -> list[list[Corner]]:
    """The sides as long zigzags, each side once: the file is half as long as with single strokes."""
    around: dict[Corner, list[Corner]] = {}
    for a, b in sides:
        around.setdefault(a, []).append(b)
        around.setdefault(b, []).append(a)
    out = []
    for start in sorted(around):
        while around[start]:
            trail = [start]
            while around[trail[-1]]:
                here = trail[-1]
                there = max(around[here])
                around[here].remove(there)
                around[there].remove(here)
                trail.append(there)
            out.append(trail)
    return out


# ---------------------------------------------------------------- rivers
@once
def river_paths(sheet: Sheet) -> list[tuple[str, int, list[Corner]]]:
    """Each river as chains of corners, downstream, main rivers last so that they lie on top.

    The direction comes from the drawn rivers of the compiler where it gives them; otherwise the mouth is the end that
    touches water or a greater river.
    """
    sides: dict[str, list[tuple[Corner, Corner]]] = {}
    ranks: dict[str, int] = {}
    for a, b, value in sheet.side_items("river"):
        name, rank = str(value[0]), int(value[1])
        sides.setdefault(name, []).append(sheet.frame.side(a, b))
        ranks[name] = min(rank, ranks.get(name, 9))
    touched = {name: {corner for side in found for corner in side} for name, found in sides.items()}
    out = []
    for name in sorted(sides, key=lambda n: (-ranks[n], n)):
        for chain in _chains(sides[name]):
            out.append((name, ranks[name], _downstream(sheet, name, chain, ranks, touched)))
    return out


def _chains(sides: list[tuple[Corner, Corner]]) -> list[list[Corner]]:
    """Walk the sides of one river into as few chains as possible, longest first."""
    around: dict[Corner, set[Corner]] = {}
    for a, b in sides:
        around.setdefault(a, set()).add(b)
        around.setdefault(b, set()).add(a)
    chains = []
    while any(around.values()):
        ends = sorted(c for c, others in around.items() if len(others) == 1) or sorted(c for c in around if around[c])
        best: list[Corner] = []
        for end in ends[:12]:
            found = _longest(end, around)
            if len(found) > len(best):
                best = found
        for a, b in pairwise(best):
            around[a].discard(b)
            around[b].discard(a)
        chains.append(best)
    return chains


def _longest(start: Corner, around: dict[Corner, set[Corner]]) -> list[Corner]:
    """The longest way from `start` in what is nearly a tree."""
    before: dict[Corner, Corner | None] = {start: None}
    queue, last = [start], start
    for corner in queue:
        last = corner
        for other in sorted(around[corner]):
            if other not in before:
                before[other] = corner
                queue.append(other)
    way = [last]
    while (back := before[way[-1]]) is not None:
        way.append(back)
    return way[::-1]


def _downstream(
    sheet: Sheet, name: str, chain: list[Corner], ranks: dict[str, int], touched: dict[str, set[Corner]]
) -> list[Corner]:
    given = [sheet.frame.corner_key(p) for path in sheet.art.rivers.get(name, []) for p in path]
    if chain[0] in given and chain[-1] in given:
        return chain if given.index(chain[0]) < given.index(chain[-1]) else chain[::-1]

    def score(corner: Corner) -> int:
        if any(sheet.is_water(n) for n in sheet.at_corner.get(corner, [])):
            return 9
        joined = [ranks[other] for other, corners in touched.items() if other != name and corner in corners]
        return 5 - min(joined) if joined else 0

    return chain if score(chain[-1]) >= score(chain[0]) else chain[::-1]


@once
def _water(sheet: Sheet) -> str:
    """The outlines of all rivers, as path data."""
    water = []
    for name, rank, chain in river_paths(sheet):
        corners = [sheet.frame.corner_point(c) for c in chain]
        points = _ashore(sheet, wiggle(corners, RADIUS, name, MEANDER, 6 if coarse(sheet) < 2 else 4))
        points += _mouth(sheet, chain)
        points = chaikin(points, 1) if sheet.is_small else points
        start, end = RIVER_WIDTH.get(rank, RIVER_WIDTH[3])
        if len(chain) < 5:
            end = start + (end - start) * len(chain) / 5
        bends = LineString(points).simplify(0.06 if coarse(sheet) < 2 else 0.15).coords
        water.append(ribbon([(x, y) for x, y in bends], start, end))
    return svg.lines(water, closed=True, parts=5 if coarse(sheet) < 2 else 4)


def rivers(sheet: Sheet) -> str:
    """Three passes over all rivers (light edge, dark edge, water), so that confluences melt into each other."""
    style = sheet.style
    return svg.layer(
        "rivers",
        [
            *_thrice(
                "rivers",
                _water(sheet),
                [
                    {"fill": "none", "stroke": style.colour("halo"), "stroke_width": 3.2, "opacity": 0.5},
                    {
                        "fill": "none",
                        "stroke": style.colour("river_case"),
                        "stroke_width": 1.3,
                        "stroke_linejoin": "round",
                    },
                    {"fill": style.colour("river")},
                ],
            )
        ],
    )


def _thrice(name: str, data: str, looks: list[dict[str, object]]) -> list[str]:
    """One path drawn several times over itself: written once, used as often as it has looks."""
    if not data:
        return []
    uses = [svg.tag("use", None, href=f"#path-{name}", **look) for look in looks]
    return [svg.tag("defs", svg.path(data, id=f"path-{name}")), *uses]


def _ashore(sheet: Sheet, points: list[Point]) -> list[Point]:
    """Without the tail that lies in the sea."""
    end = len(points)
    while end > 2 and len(points) - end < 8 and not sheet.firm_shore.contains(Spot(points[end - 1])):
        end -= 1
    return points[:end] if sheet.firm_shore.contains(Spot(points[end - 1])) else points


def _mouth(sheet: Sheet, chain: list[Corner]) -> list[Point]:
    """From the last corner of a river to the true shore, when it ends beside the sea."""
    end = sheet.frame.corner_point(chain[-1])
    if not any(sheet.is_water(n) for n in sheet.at_corner.get(chain[-1], [])) or not sheet.is_dry(*end):
        return []
    shore = nearest_points(sheet.shore, Spot(end))[0]
    if math.dist((shore.x, shore.y), end) > RADIUS:
        return []
    dx, dy = shore.x - end[0], shore.y - end[1]
    return [(end[0] + dx * t, end[1] + dy * t) for t in (0.4, 0.8, 1.05)]


def _closed(sheet: Sheet) -> list[tuple[str, str]]:
    """Sides that nobody crosses, other than those that are plainly water."""
    wet = {(a, b) for a, b, _ in sheet.side_items("water")}
    return [(a, b) for a, b, _ in sheet.side_items("impassable") if (a, b) not in wet]


def water_sides(sheet: Sheet) -> str:
    """Hexsides that are water though both hexes are land, and sides that nobody crosses."""
    wet = [[sheet.frame.corner_point(c) for c in sheet.frame.side(a, b)] for a, b, _ in sheet.side_items("water")]
    shut = [[sheet.frame.corner_point(c) for c in sheet.frame.side(a, b)] for a, b in _closed(sheet)]
    colour = sheet.style.colour("water_side")
    return svg.layer(
        "water-sides",
        [
            svg.path(
                svg.lines(wet), fill="none", stroke=colour, stroke_width=3.2, stroke_dasharray="2.6 2.6", opacity=0.8
            ),
            svg.path(svg.lines(shut), fill="none", stroke=sheet.style.colour("halo"), stroke_width=8, opacity=0.6),
            svg.path(svg.lines(shut), fill="none", stroke=sheet.style.colour("river_case"), stroke_width=5.5),
            svg.path(
                svg.lines(shut),
                fill="none",
                stroke=sheet.style.colour("shallow"),
                stroke_width=2.2,
                stroke_dasharray="3.4 3.4",
            ),
        ],
    )


# ---------------------------------------------------------------- roads and railways
@once
def network(sheet: Sheet, key: str) -> dict[int, list[list[Point]]]:
    """The ways of a net as fine polylines."""
    return {grade: [spline(chain) for chain in chains] for grade, chains in ways(sheet, key).items()}


@once
def ways(sheet: Sheet, key: str) -> dict[int, list[list[Point]]]:
    """Links by class, as chains of points for a curve: from side to side of a hex, or from its node where ways meet.

    Road and railway over the same side cross it side by side, the railway always on the same hand.
    """
    classes = _grades(sheet, key)
    others = _grades(sheet, "rail" if key == "road" else "road")
    out: dict[int, list[list[Point]]] = {}
    for number in sorted(classes):
        ways, node = classes[number], _stop(sheet, key, number, number in others and len(classes[number]) > 1)
        cross = {to: _crossing(sheet, key, number, to, to in others.get(number, {})) for to in sorted(ways)}
        if number in sheet.ways_out:
            cross["edge"] = sheet.ways_out[number]
            ways = ways | {"edge": min(ways.values())}
        if len(ways) == 2:
            one, two = sorted(ways)
            pieces = [(max(ways.values()), _through(cross[one], node, cross[two], number in sheet.place_at))]
        else:
            pieces = [(ways[to], [node, cross[to]]) for to in sorted(ways)]
        for grade, points in pieces:
            out.setdefault(grade, []).append(points)
    return {grade: _joined(pieces) for grade, pieces in out.items()}


def _grades(sheet: Sheet, key: str) -> dict[str, dict[str, int]]:
    """Hex to neighbour to class of the link."""
    found: dict[str, dict[str, int]] = {}
    for a, b, value in sheet.link_items(key):
        found.setdefault(a, {})[b] = found.setdefault(b, {})[a] = int(value)
    return found


def _stop(sheet: Sheet, key: str, number: str, shared: bool) -> Point:
    """Where ways meet in a hex: its town, or near the middle; a railway passing through keeps off the road."""
    x, y = sheet.nodes.get(number, sheet.frame.centre(number))
    place = sheet.place_at.get(number)
    if place is None:
        chance = Chance(number + "stop")
        x, y = x + chance.between(-5, 5), y + chance.between(-5, 5)
    if key == "rail" and shared and (place is None or size_of(sheet, place) < 0.15):
        return (x + 7.5, y) if sheet.frame.flat else (x, y - 7.5)
    return x, y


def size_of(sheet: Sheet, place: str) -> float:
    """Drawn radius of a place in hex radii."""
    from maps.draw.towns import SIZE, size_class

    return SIZE[size_class(sheet, sheet.data["places"][place])]


def _crossing(sheet: Sheet, key: str, a: str, b: str, shared: bool) -> Point:
    """Where a way crosses a side: near its middle, a little to one hand, the same seen from both hexes."""
    one, two = (sheet.frame.corner_point(c) for c in sheet.frame.side(a, b))
    axis = 0 if sheet.frame.flat else 1
    low, high = (one, two) if one[axis] < two[axis] else (two, one)
    chance = Chance(min(a, b) + max(a, b))
    t = 0.5 + chance.between(-0.10, 0.10)
    if shared:
        t += 0.085 if (key == "rail") == bool(sheet.frame.flat) else -0.085
    return low[0] + (high[0] - low[0]) * t, low[1] + (high[1] - low[1]) * t


def _through(one: Point, node: Point, two: Point, stop: bool) -> list[Point]:
    """From side to side past the node, or through it where a town stands."""
    if stop:
        return [one, node, two]
    return [one, ((one[0] + 2 * node[0] + two[0]) / 4, (one[1] + 2 * node[1] + two[1]) / 4), two]


def _joined(pieces: list[list[Point]]) -> list[list[Point]]:
    """Join pieces that meet end to end, so that dashes and sleepers run on across hexsides."""

    def key(point: Point) -> tuple[int, int]:
        return round(point[0] * 4), round(point[1] * 4)

    ends: dict[tuple[int, int], list[int]] = {}
    for i, piece in enumerate(pieces):
        for point in (piece[0], piece[-1]):
            ends.setdefault(key(point), []).append(i)
    used, out = set[int](), []

    def grow(points: list[Point]) -> list[Point]:
        while True:
            options = [i for i in ends[key(points[-1])] if i not in used]
            if len(ends[key(points[-1])]) != 2 or len(options) != 1:
                return points
            used.add(options[0])
            piece = pieces[options[0]]
            points = points + (piece[1:] if key(piece[0]) == key(points[-1]) else piece[::-1][1:])

    for i, piece in enumerate(pieces):
        if i in used:
            continue
        used.add(i)
        out.append(grow(grow(piece)[::-1]))
    return out


def roads(sheet: Sheet) -> str:
    """Minor roads below main roads; the casings of all lie below the surfaces of all."""
    style, found = sheet.style, ways(sheet, "road")
    widths = {1: 3.4, 2: 2.0, 3: 1.2}
    defs, case, face = [], [], []
    for grade in sorted(found, reverse=True):
        suffix, width = min(grade, 2), widths.get(grade, 1.2)
        look: dict[str, object] = {"fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round"}
        shape = _thrice(
            f"road-{grade}",
            "".join(svg.curve(chain) for chain in found[grade]),
            [
                look | {"stroke": style.colour(f"road_{suffix}_case"), "stroke_width": width + 1.7},
                look | {"stroke": style.colour(f"road_{suffix}"), "stroke_width": width},
            ],
        )
        defs.append(shape[0])
        case.append(shape[1])
        face.append(shape[2])
    return svg.layer("roads", defs + case + face)


def rails(sheet: Sheet) -> str:
    """Railways: a line with sleepers; beside the road where the map has roads."""
    style, body = sheet.style, list[str]()
    colour, looks, dash = ("rail", RAILS_NEAR, "1 5.4") if sheet.is_small else ("rail_far", RAILS_FAR, ".8 6.6")
    for grade, chains in sorted(ways(sheet, "rail").items(), reverse=True):
        width, tie = looks[min(grade, 2)]
        rail: dict[str, object] = {"fill": "none", "stroke": style.colour(colour), "stroke_linejoin": "round"}
        body += _thrice(
            f"rail-{grade}",
            "".join(svg.curve(chain) for chain in chains),
            [
                rail | {"stroke": style.colour("rail_case"), "stroke_width": width + 2.4, "opacity": 0.6},
                rail | {"stroke_width": width},
                rail | {"stroke_width": tie, "stroke_dasharray": dash},
            ],
        )
    return svg.layer("rails", body)


# ---------------------------------------------------------------- frontiers, forts, zones
def frontiers(sheet: Sheet) -> str:
    """Frontiers along hexsides: a soft band and a dash-dot line."""
    wet = {(a, b) for a, b, _ in sheet.side_items("water")}
    sides = [sheet.frame.side(a, b) for a, b, _ in sheet.side_items("frontier") if (a, b) not in wet]
    chains = [[sheet.frame.corner_point(c) for c in chain] for chain in _chains(sides)] if sides else []
    data = svg.lines(chaikin(chain, 1) for chain in chains)
    style = sheet.style
    return svg.layer(
        "frontiers",
        [
            svg.path(
                data,
                fill="none",
                stroke=style.colour("border_glow"),
                stroke_width=7,
                opacity=0.35,
                stroke_linejoin="round",
            ),
            svg.path(
                data,
                fill="none",
                stroke=style.colour("border"),
                stroke_width=1.7,
                stroke_dasharray="8 3 1.5 3",
                stroke_linejoin="round",
            ),
        ],
    )


def forts(sheet: Sheet) -> str:
    """Fortified hexsides: an orange wall with teeth."""
    teeth, walls = [], []
    for a, b, _ in sheet.side_items("fort"):
        one, two = (sheet.frame.corner_point(c) for c in sheet.frame.side(a, b))
        walls.append([one, two])
        for (x, y), (dx, dy) in walk([one, two], 6, 9.5):
            teeth.append([(x - dy * 4.5, y + dx * 4.5), (x + dy * 4.5, y - dx * 4.5)])
    return svg.layer("forts", fort_wall(sheet, svg.lines(walls), svg.lines(teeth)))


def fort_wall(sheet: Sheet, wall: str, teeth: str) -> str:
    """The wall and the teeth of a fortified side, edged with ink."""
    edge: dict[str, object] = {"fill": "none", "stroke": sheet.style.colour("ink"), "stroke_linecap": "round"}
    face = edge | {"stroke": sheet.style.colour("fort_side")}
    below = svg.path(wall, stroke_width=5.6, **edge) + svg.path(teeth, stroke_width=5.0, **edge)
    return below + svg.path(wall, stroke_width=4.0, **face) + svg.path(teeth, stroke_width=3.4, **face)


def zones(sheet: Sheet) -> str:
    """Bounds of air interdiction zones: red dots along the hexsides between two zones."""
    member = {
        n: key
        for key, area in sorted(sheet.data.get("areas", {}).items())
        if area.get("kind") == "air-zone"
        for n in area["hexes"]
    }
    dots = []
    for (a, b), hexes in sorted(sheet.sides.items()):
        if (
            len(hexes) == 2
            and all(n in member and not sheet.is_water(n) for n in hexes)
            and member[hexes[0]] != member[hexes[1]]
        ):
            dots.append([sheet.frame.corner_point(a), sheet.frame.corner_point(b)])
    colour = sheet.style.colour("strait")
    data = svg.lines(dots)
    body = [
        svg.path(
            data,
            fill="none",
            stroke=sheet.style.colour("halo"),
            stroke_width=5.4,
            stroke_dasharray="0 12.5",
            stroke_linecap="round",
            opacity=0.9,
        ),
        svg.path(data, fill="none", stroke=colour, stroke_width=3.6, stroke_dasharray="0 12.5", stroke_linecap="round"),
    ]
    return svg.layer("zones", [*(body if dots else []), sea_zones(sheet)])
