"""The files of a table: terrain kinds and tables in TOML, checked with file, place and reason before anything is built.

`problems` finds everything that is wrong with a table; `load_table` refuses the first. A table that loads is sound:
every corner on the half centimetre and on the table, no outline that crosses itself, no two solid things in one place,
no house on a road, no objective that names nothing.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from .ground import FORBIDDEN, ROAD, AreaKind, Group, LineKind, SightRule, Table, Terrain, quarters, ribbon
from .measure import CM, STEP, Polygon, inside, segments_meet

FORMAT: Final = 1
LARGEST: Final = 300  # centimetres
TOP: Final = ("format", "id", "title", "size", "ground", "north", "theatre", "year", "source")
TOP_TOO: Final = ("mat", "weather", "seed")
SECTIONS: Final = ("area", "road", "line", "building", "narrow", "zone", "edge", "objective", "label")
KEYS: Final[dict[str, tuple[str, ...]]] = {  # of each section: what must be there, then what may be
    "area": ("kind", "id", "outline"),
    "road": ("kind", "id", "width", "path"),
    "line": ("kind", "id", "path"),
    "building": ("id", "section"),
    "section": ("id", "floors", "outline"),
    "narrow": ("id", "outline"),
    "zone": ("id", "side", "outline"),
    "edge": ("id", "side", "edge", "span"),
    "objective": ("id", "vp"),
    "label": ("text", "at", "size"),
}
MAY: Final[dict[str, tuple[str, ...]]] = {
    "area": ("level", "crop", "trees"),
    "building": ("roof", "posts", "tower", "hall"),
    "zone": ("turns", "hidden", "dug_in", "near_road", "within", "note"),
    "edge": ("turns", "exit", "note"),
    "objective": ("section", "building", "area", "at", "radius", "outline", "side", "each", "note"),
    "label": ("angle",),
}
EDGES: Final = ("north", "south", "east", "west")
TYPES: Final = {dict: "a table", list: "a list", str: "a text", int: "a whole number", bool: "true or false"}
SIGHTS: Final[tuple[SightRule, ...]] = ("clear", "blocks", "over", "ground")

T = TypeVar("T")


class Readable(Protocol):
    """A path, or a resource of an installed package (`importlib.resources.files`)."""

    @property
    def name(self) -> str:
        """The last part of the path."""

    def read_bytes(self) -> bytes:
        """The whole content."""


class TableError(ValueError):
    """A table or terrain file that cannot be used: which file, where in it, and why."""

    def __init__(self, file: str, where: str, reason: str) -> None:
        super().__init__(f"{file}: {where}: {reason}")
        self.file, self.where, self.reason = file, where, reason

    def __reduce__(self) -> tuple[type[TableError], tuple[str, str, str]]:
        return TableError, (self.file, self.where, self.reason)


def load_terrain(source: str | Path | Readable) -> Terrain:
    """Read the kinds of terrain of a game."""
    file, content = _read(source)
    return terrain_from_document(_parsed(content, file), file)


def load_table(source: str | Path | Readable, terrain: Terrain) -> Table:
    """Read a table from a path or a package resource; TableError for the first thing that is wrong with it."""
    file, content = _read(source)
    return table_from_document(_parsed(content, file), terrain, file)


def table_from_document(document: Any, terrain: Terrain, file: str = "table") -> Table:
    """A table from plain data that is already parsed."""
    for problem in problems(document, terrain, file):
        raise problem
    return Table(document, terrain)


def document_from_toml(content: bytes, file: str = "table") -> dict[str, Any]:
    """A table file as plain data, not checked further."""
    return _parsed(content, file)


def _read(source: str | Path | Readable) -> tuple[str, bytes]:
    readable: Readable = Path(source) if isinstance(source, str) else source
    file = str(source) if isinstance(source, str | Path) else readable.name
    try:
        return file, readable.read_bytes()
    except OSError as error:
        raise TableError(file, "file", f"cannot be read: {error.strerror or error}") from error


def _parsed(content: bytes, file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise TableError(file, f"byte {error.start}", "not UTF-8; save the file as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise TableError(file, "file", f"not TOML: {error}") from error
    except RecursionError:
        raise TableError(file, "file", "nested too deeply") from None


# Terrain


def terrain_from_document(document: Any, file: str = "terrain") -> Terrain:
    """The kinds of terrain from plain data; rows keep the order of the file, later ones lie on top."""
    reader = _Reader(file)
    top = reader.typed(document, dict, "top level", "the file")
    areas = {n: reader.area(n, row) for n, row in reader.need(top, "area", dict, "top level").items()}
    lines = {n: reader.line(n, row) for n, row in reader.need(top, "line", dict, "top level").items()}
    if "building" not in areas:
        raise reader.refuse("area", "no row 'building': sections of houses need one")
    drives = tuple(next(iter(areas.values())).rate)
    for name, given in [(n, a.rate) for n, a in areas.items()] + [(n, k.cost) for n, k in lines.items()]:
        if set(given) != set(drives):
            raise reader.refuse(name, f"drives are {', '.join(given)}; elsewhere {', '.join(drives)}")
    return Terrain(areas, lines, drives)


NOT_DRIVES: Final = ("enter", "bog", "cover", "sight", "height", "keeps", "solid", "on_roads", "source")


class _Reader:
    """Reads one document; every refusal names the file."""

    def __init__(self, file: str) -> None:
        self.file = file

    def refuse(self, where: str, reason: str) -> TableError:
        """A refusal, to be raised."""
        return TableError(self.file, where, reason)

    def typed(self, value: Any, kind: type[T], where: str, what: str) -> T:
        """The value itself, if it is of the kind wanted (true is not a number)."""
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self.refuse(where, f"{what} must be {TYPES[kind]}, not {value!r:.40}")
        return value

    def need(self, data: Mapping[str, Any], key: str, kind: type[T], where: str) -> T:
        """A required value of that kind."""
        if key not in data:
            raise self.refuse(where, f"{key!r} is missing")
        return self.typed(data[key], kind, where, repr(key))

    def number(self, value: Any, where: str, what: str) -> float:
        """A number of centimetres that is a multiple of a half."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.refuse(where, f"{what} must be a number, not {value!r:.40}")
        if not abs(value) <= 10 * LARGEST or value * 2 != int(value * 2):
            raise self.refuse(where, f"{what} is {value!r:.40}, not a multiple of half a centimetre")
        return value

    def drives(self, where: str, row: Mapping[str, Any]) -> dict[str, int]:
        """The numbers of a row by drive: every key that is none of the others."""
        found = {}
        for key, value in row.items():
            if key in NOT_DRIVES:
                continue
            if value == "road":
                found[key] = ROAD
            elif isinstance(value, bool) or not isinstance(value, int) or not FORBIDDEN <= value <= 1000:
                raise self.refuse(where, f'{key!r} is {value!r:.40}; use -1, a number up to 1000, or "road"')
            else:
                found[key] = value
        return found

    def area(self, name: str, value: Any) -> AreaKind:
        """A row of `[area]`."""
        row, where = self.typed(value, dict, name, "it"), f"area {name}"
        sight, through = self.sight(where, row)
        return AreaKind(
            name=name,
            rate=self.drives(where, row),
            enter=self.typed(row.get("enter", 0), int, where, "'enter'"),
            bog=tuple(self.typed(row.get("bog", []), list, where, "'bog'")),
            cover=self.need(row, "cover", str, where),
            sight=sight,
            through=through,
            height=self.typed(row.get("height", 0), int, where, "'height'"),
            keeps=self.typed(row.get("keeps", False), bool, where, "'keeps'"),
            solid=self.typed(row.get("solid", False), bool, where, "'solid'"),
            source=self.need(row, "source", str, where),
        )

    def line(self, name: str, value: Any) -> LineKind:
        """A row of `[line]`."""
        row, where = self.typed(value, dict, name, "it"), f"line {name}"
        sight, through = self.sight(where, row)
        if through or sight == "ground":
            raise self.refuse(where, "a line has no depth: 'sight' must be clear, blocks or over")
        bog = tuple(self.typed(row.get("bog", []), list, where, "'bog'"))
        height = self.typed(row.get("height", 0), int, where, "'height'")
        cover, source = self.need(row, "cover", str, where), self.need(row, "source", str, where)
        on_roads = self.typed(row.get("on_roads", False), bool, where, "'on_roads'")
        return LineKind(name, self.drives(where, row), bog, cover, sight, height, source, on_roads)

    def sight(self, where: str, row: Mapping[str, Any]) -> tuple[SightRule, int]:
        """How it stops sight, and how many centimetres it lets through."""
        given = row.get("sight")
        if isinstance(given, int) and not isinstance(given, bool) and given > 0:
            return "through", given
        for rule in SIGHTS:
            if rule == given:
                return rule, 0
        raise self.refuse(where, f"'sight' is {given!r:.40}; use {', '.join(SIGHTS)} or a number of centimetres")


# Tables


def problems(document: Any, terrain: Terrain, file: str = "table") -> list[TableError]:
    """Everything that is wrong with a table, the first thing first; empty for a sound one."""
    checker = _Checker(file, terrain)
    try:
        checker.top(checker.typed(document, dict, "top level", "the table"))
    except TableError as error:
        return [error]
    for section in SECTIONS:
        entries = document.get(section, [])
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            checker.found.append(checker.refuse(section, f"must be a list of tables: write [[{section}]]"))
            continue
        for place, entry in enumerate(entries, 1):
            try:
                checker.entry(section, entry, f"{section} {entry.get('id') or place}")
            except TableError as error:
                checker.found.append(error)
    if not checker.found:
        checker.found.extend(checker.together(document))
    return checker.found


class _Checker(_Reader):
    """Looks at one table; `found` is what is wrong so far."""

    def __init__(self, file: str, terrain: Terrain) -> None:
        super().__init__(file)
        self.terrain = terrain
        self.size = (0, 0)
        self.found: list[TableError] = []
        self.ids: dict[str, set[str]] = {}
        self.shapes: list[tuple[Group, str, str, Polygon]] = []

    def top(self, top: Mapping[str, Any]) -> None:
        """What is said of the whole table."""
        for key in TOP:
            if key not in top:
                raise self.refuse("top level", f"{key!r} is missing")
        for key in top:
            if key not in TOP and key not in TOP_TOO and key not in SECTIONS:
                raise self.refuse("top level", f"unknown key {key!r}; known: {', '.join(TOP + TOP_TOO + SECTIONS)}")
        if top["format"] != FORMAT:
            raise self.refuse("top level", f"format {top['format']!r:.40}; this version reads {FORMAT}")
        self.need(top, "id", str, "top level")
        self.text(top["title"], "title")
        size = self.need(top, "size", list, "top level")
        if len(size) != 2 or any(isinstance(n, bool) or not isinstance(n, int) for n in size):
            raise self.refuse("top level", "'size' must be two whole numbers of centimetres")
        if any(n * CM % STEP or not 30 <= n <= LARGEST for n in size):
            raise self.refuse("top level", f"'size' {size} must be multiples of 5 cm from 30 to {LARGEST}")
        self.size = size[0], size[1]
        self.kind(top["ground"], "area", "top level")

    def text(self, value: Any, where: str) -> None:
        """A text in both languages."""
        for language in ("en", "fr"):
            self.need(self.typed(value, dict, where, "it"), language, str, where)

    def kind(self, value: Any, group: str, where: str) -> None:
        """A kind of terrain that there is."""
        known = self.terrain.lines if group == "line" else self.terrain.areas
        if value not in known:
            raise self.refuse(where, f"unknown terrain {value!r:.40}; known: {', '.join(known)}")

    def entry(self, section: str, entry: Mapping[str, Any], where: str) -> None:
        """One thing on the table."""
        known = KEYS[section] + MAY.get(section, ())
        for key in KEYS[section]:
            if key not in entry:
                raise self.refuse(where, f"{key!r} is missing")
        for key in entry:
            if key not in known:
                raise self.refuse(where, f"unknown key {key!r}; known: {', '.join(known)}")
        if "id" in entry:
            self.name(section, self.need(entry, "id", str, where), where)
        if section in ("area", "road", "line"):
            self.kind(entry["kind"], section, where)
        match section:
            case "area":
                level = self.typed(entry.get("level", 1), int, where, "'level'")
                if not 1 <= level <= 4:
                    raise self.refuse(where, f"'level' {level} must be from 1 to 4")
                self.shapes.append(("area", entry["kind"], entry["id"], self.outline(entry, where)))
            case "road":
                self.number(entry["width"], where, "'width'")
                if not 2 <= entry["width"] <= 20:
                    raise self.refuse(where, f"'width' {entry['width']} must be from 2 to 20 cm")
                for leg in ribbon(self.line_of(entry, where), round(entry["width"] * CM)):
                    self.shapes.append(("road", entry["kind"], entry["id"], leg))
            case "line":
                self.line_of(entry, where)
            case "building":
                self.building(entry, where)
            case "narrow" | "zone":
                self.zone(self.outline(entry, where), where)
            case "edge":
                self.edge(entry, where)
            case "objective":
                self.objective(entry, where)
            case "label":
                self.text(entry["text"], where)
                self.corner(entry["at"], where)

    def name(self, section: str, name: str, where: str) -> None:
        """Names are given once: things that lie on the table share one list, the others have their own."""
        names = self.ids.setdefault("thing" if section in ("area", "road", "line", "section") else section, set())
        if not name or name in names:
            raise self.refuse(where, f"the id {name!r} is used twice" if name else "the id is empty")
        names.add(name)

    def building(self, entry: Mapping[str, Any], where: str) -> None:
        """A house and its sections."""
        sections = self.typed(entry["section"], list, where, "'section'")
        if not sections:
            raise self.refuse(where, "it has no section")
        for place, section in enumerate(sections, 1):
            inner = self.typed(section, dict, f"{where} section {place}", "it")
            at = f"{where} section {inner.get('id') or place}"
            self.entry("section", inner, at)
            floors = self.need(inner, "floors", int, at)
            if not 1 <= floors <= 4:
                raise self.refuse(at, f"'floors' {floors} must be from 1 to 4")
            self.shapes.append(("section", "building", inner["id"], self.outline(inner, at)))

    def corner(self, value: Any, where: str) -> tuple[int, int]:
        """A place on the table."""
        if not isinstance(value, list) or len(value) != 2:
            raise self.refuse(where, f"a place must be [x, y], not {value!r:.40}")
        x, y = (self.number(n, where, "a corner") for n in value)
        if not (0 <= x <= self.size[0] and 0 <= y <= self.size[1]):
            raise self.refuse(where, f"[{x}, {y}] is outside the table of {self.size[0]} x {self.size[1]} cm")
        return round(x * CM), round(y * CM)

    def corners(self, entry: Mapping[str, Any], key: str, least: int, where: str) -> Polygon:
        """A list of places, no two neighbours the same."""
        given = self.need(entry, key, list, where)
        if not least <= len(given) <= 200:
            raise self.refuse(where, f"{key!r} has {len(given)} corners; it needs {least} to 200")
        found = tuple(self.corner(value, where) for value in given)
        if any(a == b for a, b in pairwise(found)):
            raise self.refuse(where, f"{key!r} names the same corner twice running")
        return found

    def outline(self, entry: Mapping[str, Any], where: str) -> Polygon:
        """A polygon that does not cross itself."""
        shape = self.corners(entry, "outline", 3, where)
        edges = list(zip(shape, shape[1:] + shape[:1]))
        for i, (a, b) in enumerate(edges):
            for j in range(i + 2, len(edges)):
                if (j + 1) % len(edges) != i and segments_meet(*a, *b, *edges[j][0], *edges[j][1]):
                    raise self.refuse(where, f"its outline crosses itself at edges {i + 1} and {j + 1}")
        if not _area(shape):
            raise self.refuse(where, "its outline encloses nothing")
        return shape

    def line_of(self, entry: Mapping[str, Any], where: str) -> Polygon:
        """An open line."""
        return self.corners(entry, "path", 2, where)

    def zone(self, shape: Polygon, where: str) -> None:
        """A zone holds at least one point of the lattice."""
        xs, ys = [x for x, _ in shape], [y for _, y in shape]
        middles = (
            (col * STEP + STEP // 2, row * STEP + STEP // 2)
            for row in range(min(ys) // STEP, max(ys) // STEP + 1)
            for col in range(min(xs) // STEP, max(xs) // STEP + 1)
        )
        if not any(inside(shape, x, y) for x, y in middles):
            raise self.refuse(where, "it holds no point on which a unit could stand")

    def edge(self, entry: Mapping[str, Any], where: str) -> None:
        """A stretch of an edge of the table."""
        if entry["edge"] not in EDGES:
            raise self.refuse(where, f"'edge' is {entry['edge']!r:.40}; use {', '.join(EDGES)}")
        span = self.need(entry, "span", list, where)
        longest = self.size[0] if entry["edge"] in EDGES[:2] else self.size[1]
        if (
            len(span) != 2
            or not 0 <= self.number(span[0], where, "'span'") < self.number(span[1], where, "'span'") <= longest
        ):
            raise self.refuse(where, f"'span' {span!r:.40} must be two places from 0 to {longest}, the smaller first")

    def objective(self, entry: Mapping[str, Any], where: str) -> None:
        """What is held: one thing, or a place with a radius."""
        self.need(entry, "vp", int, where)
        given = [key for key in ("section", "building", "area", "at", "outline") if key in entry]
        if len(given) != 1:
            raise self.refuse(where, "give one of section, building, area, at, outline")
        if given == ["outline"]:
            self.zone(self.outline(entry, where), where)
        if given == ["at"]:
            self.corner(entry["at"], where)
            if "radius" not in entry or not 1 <= self.number(entry["radius"], where, "'radius'") <= 60:
                raise self.refuse(where, "'at' needs a 'radius' from 1 to 60 cm")

    def together(self, document: Mapping[str, Any]) -> Iterator[TableError]:
        """What is wrong between things: overlaps, houses on roads, objectives that name nothing."""
        solid = [s for s in self.shapes if self.terrain.areas[s[1]].solid]
        for i, (_, kind, name, shape) in enumerate(solid):
            for _, other_kind, other, other_shape in solid[i + 1 :]:
                if overlap(shape, other_shape):
                    yield self.refuse(f"{kind} {name}", f"overlaps {other_kind} {other}")
        for group, kind, name, shape in self.shapes:
            if group == "section" or kind == "ruins":
                roads = [s for s in self.shapes if s[0] == "road" and overlap(shape, s[3])]
                if roads:
                    yield self.refuse(f"{kind} {name}", f"stands on {roads[0][1]} {roads[0][2]}")
        sections = {name for group, _, name, _ in self.shapes if group == "section"}
        areas = {name for group, _, name, _ in self.shapes if group == "area"}
        known = {"section": sections, "area": areas, "building": self.ids.get("building", set())}
        for entry in document.get("objective", ()):
            for key, names in known.items():
                if key in entry and entry[key] not in names:
                    yield self.refuse(f"objective {entry['id']}", f"{key}: there is no {entry[key]!r:.40}")


def overlap(a: Polygon, b: Polygon) -> bool:
    """True if two outlines share some ground; a shared edge or corner is allowed."""
    if max(x for x, _ in a) <= min(x for x, _ in b) or max(x for x, _ in b) <= min(x for x, _ in a):
        return False
    if max(y for _, y in a) <= min(y for _, y in b) or max(y for _, y in b) <= min(y for _, y in a):
        return False
    a, b = _larger(a), _larger(b)  # so that middles of edges and of corners are whole
    for p, q in zip(a, a[1:] + a[:1]):
        for r, s in zip(b, b[1:] + b[:1]):
            if _cross(p, q, r, s):
                return True
    return any(_strictly(b, p) for p in _samples(a)) or any(_strictly(a, p) for p in _samples(b))


def _larger(shape: Polygon) -> Polygon:
    return tuple((6 * x, 6 * y) for x, y in shape)


def _samples(shape: Polygon) -> Iterator[tuple[int, int]]:
    """Corners, middles of edges, and middles of the triangles at corners that lie inside."""
    yield from shape
    for (ax, ay), (bx, by), (cx, cy) in zip(shape, shape[1:] + shape[:1], shape[2:] + shape[:2]):
        yield (ax + bx) // 2, (ay + by) // 2
        middle = (ax + bx + cx) // 3, (ay + by + cy) // 3
        if _strictly(shape, middle):
            yield middle


def _side(a: tuple[int, int], b: tuple[int, int], p: tuple[int, int]) -> int:
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def _cross(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int], d: tuple[int, int]) -> bool:
    """True if two edges cut each other, not merely touch."""
    return _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0


def _strictly(shape: Polygon, p: tuple[int, int]) -> bool:
    on_edge = any(segments_meet(*a, *b, *p, *p) for a, b in zip(shape, shape[1:] + shape[:1]))
    return not on_edge and inside(shape, *p)


def _area(shape: Polygon) -> int:
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(shape, shape[1:] + shape[:1])))


__all__ = ["TableError", "load_table", "load_terrain", "problems", "quarters", "table_from_document"]
