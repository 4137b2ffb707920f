"""What the drawing passes share: the map file, its frame, the true coast and heights on the sheet, the style."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt
import shapely
from shapely.geometry import MultiPolygon, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points
from shapely.prepared import prep

from maps.draw.frame import RADIUS, Corner, Frame
from maps.draw.frame import Point as Place
from maps.draw.style import Style

Floats = npt.NDArray[np.float64]
WATER = ("sea", "lake")
TILE = 8 * RADIUS
P = ParamSpec("P")
T = TypeVar("T")
EDGES = {"south": (0.0, 1.0), "east": (1.0, 0.0), "north": (0.0, -1.0), "west": (-1.0, 0.0)}


@dataclass
class Art:
    """Geography on the sheet, in drawing units: what the picture needs beyond the facts of the map file."""

    land: BaseGeometry
    lakes: BaseGeometry = field(default_factory=MultiPolygon)
    deep: BaseGeometry = field(default_factory=MultiPolygon)
    wetlands: BaseGeometry = field(default_factory=MultiPolygon)
    heights: Floats | None = None
    """Metres above the sea on an even grid that covers the whole sheet, row 0 at the top; below 0 is sea."""
    points: dict[str, Place] = field(default_factory=dict)
    """True positions of places, by key, to set a town on its own bank or shore."""
    rivers: dict[str, list[list[Place]]] = field(default_factory=dict)
    """Corner points of each river, downstream; derived from the sides when missing."""


@dataclass
class Sheet:
    """One map being drawn in one style."""

    data: dict[str, Any]
    frame: Frame
    art: Art
    style: Style
    memo: dict[object, Any] = field(default_factory=dict, repr=False)
    """What `once` has worked out; shared by the sheets of one map in every style."""

    def restyled(self, style: Style) -> Sheet:
        """The same sheet in another style; whatever is known of its geography is shared, not worked out again."""
        other = replace(self, style=style)
        own = {f.name for f in fields(self)}
        other.__dict__.update({key: value for key, value in self.__dict__.items() if key not in own})
        return other

    @property
    def is_small(self) -> bool:
        """A sheet that can afford finer images and lines than the great ones."""
        return self.frame.width * self.frame.height < 8e6

    @cached_property
    def numbers(self) -> list[str]:
        """Every hex of the map file, in order."""
        return sorted(self.data["hexes"])

    def hex(self, number: str) -> dict[str, Any]:
        """The facts of a hex; off the map is empty sea."""
        found: dict[str, Any] = self.data["hexes"].get(number, {"kind": "out"})
        return found

    def kind(self, number: str) -> str:
        """Land (the default of the map file), coast, sea, lake or out."""
        return str(self.hex(number).get("kind", "land"))

    def cover(self, number: str) -> str:
        """What the ground looks like: a map may keep the true cover beside a coarser terrain of the rules."""
        facts = self.hex(number)
        return str(facts.get("cover") or facts.get("terrain") or "clear")

    def is_water(self, number: str) -> bool:
        """Sea and lake hexes."""
        return self.kind(number) in WATER

    def is_out(self, number: str) -> bool:
        """Hexes that are drawn but not played on."""
        return self.kind(number) == "out"

    def polygon(self, number: str, scale: float = 1.0) -> Polygon:
        """The hex as a shape."""
        return Polygon(self.frame.corners(number, scale))

    @cached_property
    def whole(self) -> Polygon:
        """The sheet as a shape."""
        return shapely.box(0, 0, self.frame.width, self.frame.height)

    @cached_property
    def land(self) -> BaseGeometry:
        """Land of the sheet, lakes cut out."""
        land = self.art.land.intersection(self.whole)
        return land.difference(self.art.lakes) if not self.art.lakes.is_empty else land

    @cached_property
    def shore(self) -> BaseGeometry:
        """The line of the coast."""
        return self.land.boundary

    @cached_property
    def dry(self) -> Any:
        """Land, ready for many point tests."""
        return prep(self.land)

    def is_dry(self, x: float, y: float) -> bool:
        """Does a point of the sheet lie on land?"""
        return bool(self.dry.contains(Point(x, y)))

    @cached_property
    def _lakes(self) -> Any:
        return prep(self.art.lakes)

    def is_sea(self, x: float, y: float) -> bool:
        """Does a point of the sheet lie in the sea, not on land nor in a lake?"""
        return not self.is_dry(x, y) and not self._lakes.contains(Point(x, y))

    def land_around(self, number: str) -> BaseGeometry:
        """The land of a tile of the sheet that holds the whole hex: small, so that cutting it is quick."""
        x, y = self.frame.centre(number)
        column, row = int(x // TILE), int(y // TILE)
        if column not in self._columns:
            west, east = (column - 0.5) * TILE, (column + 1.5) * TILE
            self._columns[column] = self.land.intersection(shapely.box(west, -TILE, east, self.frame.height + TILE)), {}
        strip, tiles = self._columns[column]
        if row not in tiles:
            tiles[row] = strip.intersection(
                shapely.box((column - 0.5) * TILE, (row - 0.5) * TILE, (column + 1.5) * TILE, (row + 1.5) * TILE)
            )
        return tiles[row]

    @cached_property
    def _columns(self) -> dict[int, tuple[BaseGeometry, dict[int, BaseGeometry]]]:
        return {}

    @cached_property
    def hexes(self) -> BaseGeometry:
        """All hexes of the map as one shape."""
        return shapely.union_all([self.polygon(n).buffer(0.5) for n in self.numbers])

    @cached_property
    def reach(self) -> BaseGeometry:
        """The part of the sheet that is drawn with care: the hexes and a strip around them, or everything."""
        missing = self.whole.difference(self.hexes).buffer(-RADIUS * 1.5)
        return self.hexes.buffer(RADIUS * 1.2) if missing.area > 200 * RADIUS * RADIUS else self.whole

    @cached_property
    def firm(self) -> Any:
        """Land a little away from the shore, ready for many point tests."""
        return prep(self.land.buffer(-RADIUS * 0.07))

    @cached_property
    def firm_shore(self) -> Any:
        """Land and a strip of shore, ready for many point tests."""
        return prep(self.land.buffer(1.5))

    @cached_property
    def sides(self) -> dict[tuple[Corner, Corner], tuple[str, ...]]:
        """Every side of the grid once, with the one or two hexes it bounds."""
        found: dict[tuple[Corner, Corner], list[str]] = {}
        for number in self.numbers:
            keys = [self.frame.corner_key(p) for p in self.frame.corners(number)]
            for a, b in zip(keys, keys[1:] + keys[:1]):
                found.setdefault((a, b) if a < b else (b, a), []).append(number)
        return {side: tuple(hexes) for side, hexes in found.items()}

    @cached_property
    def at_corner(self) -> dict[Corner, list[str]]:
        """The hexes around each corner."""
        found: dict[Corner, list[str]] = {}
        for number in self.numbers:
            for point in self.frame.corners(number):
                found.setdefault(self.frame.corner_key(point), []).append(number)
        return found

    def side_items(self, key: str) -> Iterator[tuple[str, str, Any]]:
        """The sides of the map file that carry `key`: both hexes and the value."""
        for pair, facts in sorted(self.data.get("sides", {}).items()):
            if facts.get(key):
                a, b = pair.split("|")
                yield a, b, facts[key]

    def link_items(self, key: str) -> Iterator[tuple[str, str, Any]]:
        """The links between hexes that carry `key`."""
        for pair, facts in sorted(self.data.get("links", {}).items()):
            a, b = pair.split("|")
            if facts.get(key) and a in self.data["hexes"] and b in self.data["hexes"]:
                yield a, b, facts[key]

    @cached_property
    def place_at(self) -> dict[str, str]:
        """Hex number to the key of the place that is drawn there: the `place` of the hex, else the greatest class.

        Of several those come first that the game's own lists name: the hex is called after them in play too.
        """
        ranks = ("capital", "city", "major", "fortress", "town", "minor", "village", "hamlet")
        order = {name: rank for rank, name in enumerate(ranks)}
        places: dict[str, Any] = self.data.get("places", {})
        found: dict[str, tuple[int, bool, str]] = {}
        for key, place in sorted(places.items()):
            kind = place.get("size") or place.get("class")
            for number in place.get("hexes", [])[:2] if kind else []:
                here = order.get(kind, 9), "src" not in place, key
                found[number] = min(found.get(number, here), here)
        named = {number: str(self.hex(number).get("place")) for number in self.numbers}
        own = {number: key for number, key in named.items() if key in places}
        return {number: key for number, (_, _, key) in found.items()} | own

    @cached_property
    def ways_out(self) -> dict[str, Place]:
        """Where roads leave the sheet: entry hexes, at the middle of their outer edge."""
        found = {}
        for area in self.data.get("areas", {}).values():
            if area.get("kind") == "exit":
                number = area["hexes"][0]
                x, y = self.frame.centre(number)
                dx, dy = EDGES[str(area.get("edge", "south"))]
                found[number] = (x + dx * RADIUS * 0.9, y + dy * RADIUS)
        return found

    @cached_property
    def nodes(self) -> dict[str, Place]:
        """Where a town stands and roads meet in each land hex: the centre, or firm ground nearest to it."""
        return {number: self._node(number) for number in self.numbers if not self.is_water(number)}

    def _node(self, number: str) -> Place:
        centre = self.frame.centre(number)
        ground = self.land_around(number).intersection(self.polygon(number))
        if ground.is_empty or ground.buffer(-RADIUS * 0.10).contains(Point(centre)):
            return centre
        key = self.place_at.get(number)
        true = self.art.points.get(key) if key else None
        target = Point(((centre[0] + true[0]) / 2, (centre[1] + true[1]) / 2)) if true else Point(centre)
        for inset, shore in ((0.20, 0.14), (0.16, 0.08), (0.12, 0.04), (0.05, 0.0)):
            firm = ground.intersection(self.polygon(number, 1 - inset * 1.15)).buffer(-RADIUS * shore)
            parts = [part for part in shapely.get_parts(firm) if part.area > RADIUS * RADIUS * 0.01]
            if parts:
                best = max(parts, key=lambda part: part.area - 20 * part.distance(target))
                near = nearest_points(best, target)[0]
                return float(near.x), float(near.y)
        return centre


def once(function: Callable[Concatenate[Sheet, P], T]) -> Callable[Concatenate[Sheet, P], T]:
    """Work out once for all styles of a sheet. Only for functions that never look at the style."""

    @wraps(function)
    def remembered(sheet: Sheet, /, *args: P.args, **kwargs: P.kwargs) -> T:
        key = (function.__module__, function.__qualname__, args)
        if key not in sheet.memo:
            sheet.memo[key] = function(sheet, *args, **kwargs)
        found: T = sheet.memo[key]
        return found

    return remembered


def number_point(sheet: Sheet, number: str) -> Place:
    """Where the number of a hex is printed: under its upper corner or side."""
    x, y = sheet.frame.centre(number)
    return x, y - RADIUS * (0.735 if sheet.frame.flat else 0.76)
