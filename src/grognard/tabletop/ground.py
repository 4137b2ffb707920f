"""A table on its lattice: what lies at each point, how high, which things there are, and what a step crosses.

Points are numbered row by row with a border of two columns and two rows around the table, so that a step never leaves
the numbering; points of the border have no name. Units stand on the middles of cells of 2.5 cm; corners of terrain are
multiples of half a centimetre, so nobody ever stands on a corner. What kinds of terrain mean is data (`Terrain`); what
they do to a unit is for the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from typing import Any, Final, Literal, NamedTuple

from .measure import CM, FACINGS, STEP, Polygon, inside, point_name, rounded_root, segments_meet

BORDER: Final = 2
FORBIDDEN: Final = -1
ROAD: Final = -2  # a rate: the vehicle's own on roads
LEVEL: Final = 2  # height of one level of a hill, of one storey

SightRule = Literal["clear", "blocks", "over", "through", "ground"]
Group = Literal["area", "road", "section", "line"]


class AreaKind(NamedTuple):
    """A kind of ground: a row of `[area]` in the terrain file. The later row of two lies on top."""

    name: str
    rate: Mapping[str, int]  # hundredths of a centimetre paid for a centimetre, by drive; FORBIDDEN, ROAD
    enter: int  # centimetres paid for entering the thing
    bog: tuple[str, ...]  # drives that take a test
    cover: str
    sight: SightRule
    through: int  # centimetres seen through it, if sight is "through"
    height: int
    keeps: bool  # lifts the ground and leaves its kind as it was
    solid: bool  # two solid things may not overlap
    source: str


class LineKind(NamedTuple):
    """A kind of thing that is crossed: a row of `[line]` in the terrain file."""

    name: str
    cost: Mapping[str, int]  # centimetres paid for crossing it, by drive; FORBIDDEN
    bog: tuple[str, ...]
    cover: str
    sight: SightRule
    height: int
    source: str
    on_roads: bool = False  # a road does not lift it: barricades stand in streets


class Terrain(NamedTuple):
    """All kinds of terrain of a game, in the order of its file."""

    areas: Mapping[str, AreaKind]
    lines: Mapping[str, LineKind]
    drives: tuple[str, ...]


class Feature(NamedTuple):
    """A thing on a table: an area, a road, a section of a building, or a line. Its number is its place in the list."""

    number: int
    id: str
    group: Group
    kind: str
    shapes: tuple[Polygon, ...]  # the legs of a road are several polygons; a line is one open path
    facts: Mapping[str, Any]  # its entry in the file
    building: str = ""  # of a section

    @property
    def floors(self) -> int:
        """Storeys of a section."""
        return int(self.facts.get("floors", 1))

    @property
    def level(self) -> int:
        """Levels that a hill lifts."""
        return int(self.facts.get("level", 1))


class Zone(NamedTuple):
    """A part of the table with a meaning for a scenario: where a side sets up, a narrow place, an objective."""

    id: str
    facts: Mapping[str, Any]  # its entry in the file: side, turns, hidden, vp ...
    points: tuple[int, ...]


class Table:
    """A table. Immutable after loading; made by `load_table`, which checks the file first."""

    def __init__(self, document: Mapping[str, Any], terrain: Terrain) -> None:
        self.document, self.terrain = document, terrain
        self.id: str = document["id"]
        self.size: tuple[int, int] = (document["size"][0], document["size"][1])  # centimetres
        self.wide, self.deep = self.size[0] * CM, self.size[1] * CM
        self.cols, self.rows = self.wide // STEP, self.deep // STEP
        self.across = self.cols + 2 * BORDER
        self.count = self.across * (self.rows + 2 * BORDER)
        self.x = tuple((p % self.across - BORDER) * STEP + STEP // 2 for p in range(self.count))
        self.y = tuple((p // self.across - BORDER) * STEP + STEP // 2 for p in range(self.count))
        self.points = tuple(
            (row + BORDER) * self.across + col + BORDER for row in range(self.rows) for col in range(self.cols)
        )
        on_table = frozenset(self.points)
        self.names = tuple(point_name(self.x[p], self.y[p]) if p in on_table else "" for p in range(self.count))
        self.offsets = tuple(dy * self.across + dx for dx, dy in FACINGS)
        self.features = tuple(_features(document))
        self.by_id: Mapping[str, Feature] = {feature.id: feature for feature in self.features}
        self.kind: list[str] = [document["ground"]] * self.count
        self.level = bytearray(self.count)
        self.feature: list[int] = [-1] * self.count  # number of the topmost thing at each point, -1 for plain ground
        self._lay()
        self.zones = tuple(self._zone(entry) for entry in document.get("zone", ()))
        self.narrows = tuple(self._zone(entry) for entry in document.get("narrow", ()))
        self.objectives = tuple(self._objective(entry) for entry in document.get("objective", ()))
        self.edges: tuple[Mapping[str, Any], ...] = tuple(document.get("edge", ()))
        self.narrow = frozenset(p for zone in self.narrows for p in zone.points)

    def _lay(self) -> None:
        """Put the areas on the ground, the lowest row of the terrain file first; hills add up."""
        order = list(self.terrain.areas)
        laid = [f for f in self.features if f.group != "line"]
        for feature in sorted(laid, key=lambda f: (order.index(f.kind), f.number)):
            area = self.terrain.areas[feature.kind]
            for point in {p for shape in feature.shapes for p in self.points_in(shape)}:
                if area.sight == "ground":
                    self.level[point] += feature.level
                if not area.keeps:
                    self.kind[point], self.feature[point] = feature.kind, feature.number

    # Points

    def points_in(self, shape: Polygon) -> Iterator[int]:
        """The points of the lattice in a polygon, row by row."""
        xs, ys = [x for x, _ in shape], [y for _, y in shape]
        for row in range(max(0, min(ys) // STEP), min(self.rows - 1, max(ys) // STEP) + 1):
            first = (row + BORDER) * self.across + BORDER
            for col in range(max(0, min(xs) // STEP), min(self.cols - 1, max(xs) // STEP) + 1):
                if inside(shape, self.x[first + col], self.y[first + col]):
                    yield first + col

    def point_at(self, x: int, y: int) -> int:
        """The point of the cell in which a place lies; the nearest of the table for places beyond its edges."""
        col, row = min(max(x // STEP, 0), self.cols - 1), min(max(y // STEP, 0), self.rows - 1)
        return (row + BORDER) * self.across + col + BORDER

    def point_named(self, name: str) -> int:
        """The point of that name; KeyError if there is none."""
        return self._numbers[name]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: point for point, name in enumerate(self.names) if name}

    def has(self, point: int) -> bool:
        """True for a point of the table, false for the border and beyond."""
        return 0 <= point < self.count and bool(self.names[point])

    # What lies there

    def section_at(self, point: int) -> Feature | None:
        """The section of a building at a point."""
        number = self.feature[point]
        return self.features[number] if number >= 0 and self.features[number].group == "section" else None

    @cached_property
    def sections(self) -> tuple[Feature, ...]:
        """The sections of all buildings."""
        return tuple(feature for feature in self.features if feature.group == "section")

    @cached_property
    def hills(self) -> tuple[Feature, ...]:
        """The areas that lift the ground."""
        lifts = (f for f in self.features if f.group == "area")
        return tuple(f for f in lifts if self.terrain.areas[f.kind].sight == "ground")

    @cached_property
    def ground_under(self) -> tuple[int, ...]:
        """The level of the ground that each feature stands on: in its middle; for a hill what holds it whole."""
        found = []
        for f in self.features:
            if f in self.hills:
                below = [h for h in self.hills if h is not f and all(inside(h.shapes[0], *c) for c in f.shapes[0])]
                found.append(sum(h.level for h in below))
            else:
                found.append(self.level_at(*_middle(f.shapes[0])))
        return tuple(found)

    def level_at(self, x: int, y: int) -> int:
        """The level of the ground at any place, not only at points of the lattice."""
        return sum(hill.level for hill in self.hills if inside(hill.shapes[0], x, y))

    @cached_property
    def crossed(self) -> dict[int, tuple[int, ...]]:
        """Which lines a step crosses: {point * 16 + facing: features}. A road or bridge under both ends lifts most."""
        found: dict[int, list[int]] = {}
        free = bytearray(self.count)
        for p in self.points:
            drives = self.terrain.areas[self.kind[p]].rate
            free[p] = self.kind[p] == "bridge" or ROAD in drives.values()
        for feature in self.features:
            if feature.group != "line":
                continue
            lifted = not self.terrain.lines[feature.kind].on_roads
            for (ax, ay), (bx, by) in zip(feature.shapes[0], feature.shapes[0][1:]):
                for p in self._around(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by), 2):
                    x, y = self.x[p], self.y[p]
                    for d, (dx, dy) in enumerate(FACINGS):
                        if lifted and free[p] and free[p + self.offsets[d]]:
                            continue
                        if segments_meet(ax, ay, bx, by, x, y, x + dx * STEP, y + dy * STEP):
                            met = found.setdefault(p << 4 | d, [])
                            if feature.number not in met:
                                met.append(feature.number)
        return {key: tuple(met) for key, met in found.items()}

    def _around(self, x0: int, y0: int, x1: int, y1: int, margin: int) -> Iterator[int]:
        """The points in a box and so many cells around it."""
        for row in range(max(0, y0 // STEP - margin), min(self.rows - 1, y1 // STEP + margin) + 1):
            for col in range(max(0, x0 // STEP - margin), min(self.cols - 1, x1 // STEP + margin) + 1):
                yield (row + BORDER) * self.across + col + BORDER

    # Zones

    def _zone(self, entry: Mapping[str, Any]) -> Zone:
        return Zone(entry["id"], entry, tuple(self.points_in(quarters(entry["outline"]))))

    def _objective(self, entry: Mapping[str, Any]) -> Zone:
        if "at" in entry:
            (x, y), radius = quarters([entry["at"]])[0], round(entry["radius"] * CM)
            near = self._around(x - radius, y - radius, x + radius, y + radius, 0)
            points = [p for p in near if (self.x[p] - x) ** 2 + (self.y[p] - y) ** 2 <= radius * radius]
        elif "outline" in entry:
            points = list(self.points_in(quarters(entry["outline"])))
        elif "building" in entry:
            points = [p for f in self.sections if f.building == entry["building"] for p in self.points_in(f.shapes[0])]
        else:
            feature = self.by_id[entry.get("section") or entry["area"]]
            points = [p for shape in feature.shapes for p in self.points_in(shape)]
        return Zone(entry["id"], entry, tuple(dict.fromkeys(points)))

    def __repr__(self) -> str:
        return f"<Table {self.id} {self.size[0]}x{self.size[1]} cm, {len(self.points)} points>"


def quarters(points: Iterable[Iterable[float]]) -> Polygon:
    """Centimetres of a file as quarter centimetres."""
    return tuple((round(x * CM), round(y * CM)) for x, y in points)


def _features(document: Mapping[str, Any]) -> Iterator[Feature]:
    """Areas, roads, sections, lines, numbered in this order."""
    number = 0
    for entry in document.get("area", ()):
        yield Feature(number, entry["id"], "area", entry["kind"], (quarters(entry["outline"]),), entry)
        number += 1
    for entry in document.get("road", ()):
        shapes = tuple(ribbon(quarters(entry["path"]), round(entry["width"] * CM)))
        yield Feature(number, entry["id"], "road", entry["kind"], shapes, entry)
        number += 1
    for building in document.get("building", ()):
        for entry in building["section"]:
            shapes = (quarters(entry["outline"]),)
            yield Feature(number, entry["id"], "section", "building", shapes, entry, building["id"])
            number += 1
    for entry in document.get("line", ()):
        yield Feature(number, entry["id"], "line", entry["kind"], (quarters(entry["path"]),), entry)
        number += 1


def ribbon(path: Polygon, width: int) -> Iterator[Polygon]:
    """The polygons of a road: a rectangle for each leg, half a width longer at both ends so that bends are closed."""
    for (ax, ay), (bx, by) in pairwise(path):
        dx, dy = bx - ax, by - ay
        length = 2 * rounded_root((dx * dx + dy * dy) << 20)  # twice the length, times 1024
        ux, uy = _nearest(dx * width << 10, length), _nearest(dy * width << 10, length)
        yield (
            *((ax - ux - uy, ay - uy + ux), (bx + ux - uy, by + uy + ux)),
            *((bx + ux + uy, by + uy - ux), (ax - ux + uy, ay - uy - ux)),
        )


def _nearest(above: int, below: int) -> int:
    return (2 * above + below) // (2 * below)


def _middle(shape: Polygon) -> tuple[int, int]:
    return sum(x for x, _ in shape) // len(shape), sum(y for _, y in shape) // len(shape)
