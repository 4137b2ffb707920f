"""The files of a table: terrain kinds and tables in TOML, checked with file, place and reason before anything is built.

`problems` finds everything that is wrong with a table; `load_table` refuses the first. A table that loads is sound:
every corner on the half centimetre and on the table, no outline that crosses itself, no two solid things in one place,
no house on a road, no objective that names nothing.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from grognard.kernel.errors import WordedError

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
WHOLE: Final = ""  # the place of what is wrong with a file as a whole, and of what stands in no section of it
TOP_LEVEL: Final = "top level"
SIGHTS: Final[tuple[SightRule, ...]] = ("clear", "blocks", "over", "ground")

T = TypeVar("T")


class Readable(Protocol):
    """A path, or a resource of an installed package (`importlib.resources.files`)."""

    @property
    def name(self) -> str:
        """The last part of the path."""

    def read_bytes(self) -> bytes:
        """The whole content."""


class Fault(WordedError):
    """What is wrong with a table or terrain file, or a word of that: a text key and facts."""

    section = "table-error"


class TableError(WordedError):
    """A table or terrain file that cannot be used: which file, where in it, why, and what to do.

    Places are the file's own keys and names, so that one finds them there; the sentence is in the reader's language.
    """

    section = "table-error"

    def __init__(self, file: str, where: str, key: str, /, **facts: Any) -> None:
        fault = Fault(key, **facts)
        place = Fault("top") if where == TOP_LEVEL else where
        super().__init__("at" if where else "whole", file=file, where=place, reason=fault)
        self.file, self.where, self.fault = file, where, fault

    @property
    def reason(self) -> str:
        """Why, in English."""
        return str(self.fault)


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
        raise TableError(file, WHOLE, "unread", said=error.strerror or str(error)) from error


def _parsed(content: bytes, file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise TableError(file, WHOLE, "not-text", byte=error.start) from error
    except tomllib.TOMLDecodeError as error:
        found = re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", str(error), re.DOTALL)
        if found is None:  # at the end of the document
            raise TableError(file, WHOLE, "cut-off", said=str(error)) from error
        said, line, column = found.groups()
        raise TableError(file, WHOLE, "not-toml", line=line, column=column, said=said) from error
    except RecursionError:
        raise TableError(file, WHOLE, "nested") from None


# Terrain


def terrain_from_document(document: Any, file: str = "terrain") -> Terrain:
    """The kinds of terrain from plain data; rows keep the order of the file, later ones lie on top."""
    reader = _Reader(file)
    top = reader.typed(document, dict, TOP_LEVEL)
    areas = {n: reader.area(n, row) for n, row in reader.need(top, "area", dict, TOP_LEVEL).items()}
    lines = {n: reader.line(n, row) for n, row in reader.need(top, "line", dict, TOP_LEVEL).items()}
    if "building" not in areas:
        raise reader.refuse("area", "no-building")
    drives = tuple(next(iter(areas.values())).rate)
    for name, given in [(n, a.rate) for n, a in areas.items()] + [(n, k.cost) for n, k in lines.items()]:
        if set(given) != set(drives):
            raise reader.refuse(name, "drives", here=", ".join(given), there=", ".join(drives))
    return Terrain(areas, lines, drives)


NOT_DRIVES: Final = ("enter", "bog", "cover", "sight", "height", "keeps", "solid", "on_roads", "source")


class _Reader:
    """Reads one document; every refusal names the file."""

    def __init__(self, file: str) -> None:
        self.file = file

    def refuse(self, where: str, key: str, /, **facts: Any) -> TableError:
        """A refusal, to be raised."""
        return TableError(self.file, where, key, **facts)

    def typed(self, value: Any, kind: type[T], where: str, key: str = "") -> T:
        """The value itself, if it is of the kind wanted (true is not a number)."""
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            wanted = Fault(f"kind-{kind.__name__}")
            raise self.refuse(where, "type" if key else "type-it", key=key, kind=wanted, got=_shown(value))
        return value

    def need(self, data: Mapping[str, Any], key: str, kind: type[T], where: str) -> T:
        """A required value of that kind."""
        if key not in data:
            raise self.refuse(where, "missing", key=key)
        return self.typed(data[key], kind, where, key)

    def number(self, value: Any, where: str, key: str = "") -> float:
        """A number of centimetres that is a multiple of a half."""
        what = f"`{key}`" if key else Fault("corner")
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.refuse(where, "number", what=what, got=_shown(value))
        if not abs(value) <= 10 * LARGEST or value * 2 != int(value * 2):
            raise self.refuse(where, "half", what=what, got=_shown(value))
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
                raise self.refuse(where, "cost", key=key, got=_shown(value))
            else:
                found[key] = value
        return found

    def area(self, name: str, value: Any) -> AreaKind:
        """A row of `[area]`."""
        row, where = self.typed(value, dict, name), f"area {name}"
        sight, through = self.sight(where, row)
        return AreaKind(
            name=name,
            rate=self.drives(where, row),
            enter=self.typed(row.get("enter", 0), int, where, "enter"),
            bog=tuple(self.typed(row.get("bog", []), list, where, "bog")),
            cover=self.need(row, "cover", str, where),
            sight=sight,
            through=through,
            height=self.typed(row.get("height", 0), int, where, "height"),
            keeps=self.typed(row.get("keeps", False), bool, where, "keeps"),
            solid=self.typed(row.get("solid", False), bool, where, "solid"),
            source=self.need(row, "source", str, where),
        )

    def line(self, name: str, value: Any) -> LineKind:
        """A row of `[line]`."""
        row, where = self.typed(value, dict, name), f"line {name}"
        sight, through = self.sight(where, row)
        if through or sight == "ground":
            raise self.refuse(where, "no-depth")
        bog = tuple(self.typed(row.get("bog", []), list, where, "bog"))
        height = self.typed(row.get("height", 0), int, where, "height")
        cover, source = self.need(row, "cover", str, where), self.need(row, "source", str, where)
        on_roads = self.typed(row.get("on_roads", False), bool, where, "on_roads")
        return LineKind(name, self.drives(where, row), bog, cover, sight, height, source, on_roads)

    def sight(self, where: str, row: Mapping[str, Any]) -> tuple[SightRule, int]:
        """How it stops sight, and how many centimetres it lets through."""
        given = row.get("sight")
        if isinstance(given, int) and not isinstance(given, bool) and given > 0:
            return "through", given
        for rule in SIGHTS:
            if rule == given:
                return rule, 0
        raise self.refuse(where, "sight", got=_shown(given), known=", ".join(SIGHTS))


# Tables


def problems(document: Any, terrain: Terrain, file: str = "table") -> list[TableError]:
    """Everything that is wrong with a table, the first thing first; empty for a sound one."""
    checker = _Checker(file, terrain)
    try:
        checker.top(checker.typed(document, dict, TOP_LEVEL))
    except TableError as error:
        return [error]
    for section in SECTIONS:
        entries = document.get(section, [])
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            checker.found.append(checker.refuse(section, "no-list", section=section))
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
                raise self.refuse(TOP_LEVEL, "missing", key=key)
        for key in top:
            if key not in TOP and key not in TOP_TOO and key not in SECTIONS:
                raise self.refuse(TOP_LEVEL, "unknown-key", key=key, known=", ".join(TOP + TOP_TOO + SECTIONS))
        if top["format"] != FORMAT:
            raise self.refuse(TOP_LEVEL, "format", got=_shown(top["format"]), format=FORMAT)
        self.need(top, "id", str, TOP_LEVEL)
        self.text(top["title"], "title")
        size = self.need(top, "size", list, TOP_LEVEL)
        if len(size) != 2 or any(isinstance(n, bool) or not isinstance(n, int) for n in size):
            raise self.refuse(TOP_LEVEL, "size-two")
        if any(n * CM % STEP or not 30 <= n <= LARGEST for n in size):
            raise self.refuse(TOP_LEVEL, "size", got=_shown(size), most=LARGEST)
        self.size = size[0], size[1]
        self.kind(top["ground"], "area", TOP_LEVEL)

    def text(self, value: Any, where: str) -> None:
        """A text in both languages."""
        for language in ("en", "fr"):
            self.need(self.typed(value, dict, where), language, str, where)

    def kind(self, value: Any, group: str, where: str) -> None:
        """A kind of terrain that there is."""
        known = self.terrain.lines if group == "line" else self.terrain.areas
        if self.typed(value, str, where, "ground" if where == TOP_LEVEL else "kind") not in known:
            raise self.refuse(where, "terrain", got=f"{value:.40}", known=", ".join(known))

    def entry(self, section: str, entry: Mapping[str, Any], where: str) -> None:
        """One thing on the table."""
        known = KEYS[section] + MAY.get(section, ())
        for key in KEYS[section]:
            if key not in entry:
                raise self.refuse(where, "missing", key=key)
        for key in entry:
            if key not in known:
                raise self.refuse(where, "unknown-key", key=key, known=", ".join(known))
        if "id" in entry:
            self.name(section, self.need(entry, "id", str, where), where)
        if section in ("area", "road", "line"):
            self.kind(entry["kind"], section, where)
        match section:
            case "area":
                level = self.typed(entry.get("level", 1), int, where, "level")
                if not 1 <= level <= 4:
                    raise self.refuse(where, "range", key="level", got=level, least=1, most=4)
                self.shapes.append(("area", entry["kind"], entry["id"], self.outline(entry, where)))
            case "road":
                self.number(entry["width"], where, "width")
                if not 2 <= entry["width"] <= 20:
                    raise self.refuse(where, "range", key="width", got=entry["width"], least=2, most=20)
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
            raise self.refuse(where, "twice" if name else "no-id", name=f"{name:.40}")
        names.add(name)

    def building(self, entry: Mapping[str, Any], where: str) -> None:
        """A house and its sections."""
        sections = self.typed(entry["section"], list, where, "section")
        if not sections:
            raise self.refuse(where, "no-section")
        for place, section in enumerate(sections, 1):
            inner = self.typed(section, dict, f"{where} section {place}")
            at = f"{where} section {inner.get('id') or place}"
            self.entry("section", inner, at)
            floors = self.need(inner, "floors", int, at)
            if not 1 <= floors <= 4:
                raise self.refuse(at, "range", key="floors", got=floors, least=1, most=4)
            self.shapes.append(("section", "building", inner["id"], self.outline(inner, at)))

    def corner(self, value: Any, where: str) -> tuple[int, int]:
        """A place on the table."""
        if not isinstance(value, list) or len(value) != 2:
            raise self.refuse(where, "place", got=_shown(value))
        x, y = (self.number(n, where) for n in value)
        if not (0 <= x <= self.size[0] and 0 <= y <= self.size[1]):
            raise self.refuse(where, "outside", x=x, y=y, width=self.size[0], depth=self.size[1])
        return round(x * CM), round(y * CM)

    def corners(self, entry: Mapping[str, Any], key: str, least: int, where: str) -> Polygon:
        """A list of places, no two neighbours the same."""
        given = self.need(entry, key, list, where)
        if not least <= len(given) <= 200:
            raise self.refuse(where, "corners", key=key, count=len(given), least=least)
        found = tuple(self.corner(value, where) for value in given)
        if any(a == b for a, b in pairwise(found)):
            raise self.refuse(where, "corner-twice", key=key)
        return found

    def outline(self, entry: Mapping[str, Any], where: str) -> Polygon:
        """A polygon that does not cross itself."""
        shape = self.corners(entry, "outline", 3, where)
        edges = list(zip(shape, shape[1:] + shape[:1]))
        for i, (a, b) in enumerate(edges):
            for j in range(i + 2, len(edges)):
                if (j + 1) % len(edges) != i and segments_meet(*a, *b, *edges[j][0], *edges[j][1]):
                    raise self.refuse(where, "crosses", one=i + 1, other=j + 1)
        if not _area(shape):
            raise self.refuse(where, "flat")
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
            raise self.refuse(where, "no-point")

    def edge(self, entry: Mapping[str, Any], where: str) -> None:
        """A stretch of an edge of the table."""
        if entry["edge"] not in EDGES:
            raise self.refuse(where, "edge", got=_shown(entry["edge"]), known=", ".join(EDGES))
        span = self.need(entry, "span", list, where)
        longest = self.size[0] if entry["edge"] in EDGES[:2] else self.size[1]
        if (
            len(span) != 2
            or not 0 <= self.number(span[0], where, "span") < self.number(span[1], where, "span") <= longest
        ):
            raise self.refuse(where, "span", got=_shown(span), most=longest)

    def objective(self, entry: Mapping[str, Any], where: str) -> None:
        """What is held: one thing, or a place with a radius."""
        self.need(entry, "vp", int, where)
        given = [key for key in ("section", "building", "area", "at", "outline") if key in entry]
        if len(given) != 1:
            raise self.refuse(where, "one-of", count=len(given))
        if given[0] in ("section", "building", "area"):
            self.need(entry, given[0], str, where)
        if given == ["outline"]:
            self.zone(self.outline(entry, where), where)
        if given == ["at"]:
            self.corner(entry["at"], where)
            if "radius" not in entry or not 1 <= self.number(entry["radius"], where, "radius") <= 60:
                raise self.refuse(where, "radius")

    def together(self, document: Mapping[str, Any]) -> Iterator[TableError]:
        """What is wrong between things: overlaps, houses on roads, objectives that name nothing."""
        solid = [s for s in self.shapes if self.terrain.areas[s[1]].solid]
        for i, (_, kind, name, shape) in enumerate(solid):
            for _, other_kind, other, other_shape in solid[i + 1 :]:
                if overlap(shape, other_shape):
                    yield self.refuse(f"{kind} {name}", "overlaps", other=f"{other_kind} {other}")
        for group, kind, name, shape in self.shapes:
            if group == "section" or kind == "ruins":
                roads = [s for s in self.shapes if s[0] == "road" and overlap(shape, s[3])]
                if roads:
                    yield self.refuse(f"{kind} {name}", "on-road", road=f"{roads[0][1]} {roads[0][2]}")
        sections = {name for group, _, name, _ in self.shapes if group == "section"}
        areas = {name for group, _, name, _ in self.shapes if group == "area"}
        known = {"section": sections, "area": areas, "building": self.ids.get("building", set())}
        for entry in document.get("objective", ()):
            for key, names in known.items():
                if key in entry and entry[key] not in names:
                    there = ", ".join(sorted(names)) or "-"
                    where = f"objective {entry['id']}"
                    yield self.refuse(where, "nowhere", key=key, name=f"{entry[key]:.40}", known=there)


def _shown(value: Any) -> str:
    """A value as it is told to whoever wrote it, not more of it than one reads."""
    return f"{json.dumps(value, ensure_ascii=False, default=str):.40}"


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
