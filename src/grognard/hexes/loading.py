"""The map file, format 1 or 2: read JSON, refuse what is wrong with file, place and reason, return a `Board`.

Format 2 (`packing`) is format 1 with equal entries written once; it is unpacked before anything else looks at it.

The reader knows the fields every map shares and checks those; other keys of a hex, side, link, place or area pass
through untouched. Pictures (`art`) and positions of labels pass through as they are.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Literal, Protocol, TypeVar

from grognard.hexes import packing
from grognard.hexes.board import KINDS, NOTHING, Area, Board, Data, Kind, Label, NodeId, Place, Text
from grognard.hexes.coords import Orientation
from grognard.hexes.grid import Grid, GridError, HexId
from grognard.hexes.numbering import NumberError, Numbering, Order, Shift

REQUIRED: Final = ("format", "name", "title", "grid", "terrain", "hexes")
OPTIONAL: Final = ("sides", "links", "places", "areas", "labels", "art", "provenance", "credits")
TYPE_NAMES: Final = {dict: "an object", list: "a list", str: "a text", int: "a whole number", bool: "true or false"}
ORIENTATIONS: Final[tuple[Orientation, ...]] = ("pointy", "flat")
ORDERS: Final[tuple[Order, ...]] = ("row-col", "col-row")
ROWS_GROW: Final[tuple[Literal["south", "north"], ...]] = ("south", "north")
COLS_GROW: Final[tuple[Literal["east", "west"], ...]] = ("east", "west")
SHIFTED: Final[tuple[Literal["odd", "even"], ...]] = ("odd", "even")
SHIFTS: Final[dict[Orientation, tuple[Shift, ...]]] = {"pointy": ("west", "east"), "flat": ("south", "north")}

T = TypeVar("T")
C = TypeVar("C", bound=str)
HexColumns = tuple[tuple[str, ...], tuple[Kind, ...], tuple[tuple[str, ...], ...], tuple[Data, ...]]


class Readable(Protocol):
    """A path, or a resource of an installed package (`importlib.resources.files`)."""

    @property
    def name(self) -> str:
        """The last part of the path."""

    def read_bytes(self) -> bytes:
        """The whole content."""


class MapError(ValueError):
    """A map file that cannot be used: which file, where in it, and why."""

    def __init__(self, file: str, where: str, reason: str) -> None:
        super().__init__(f"{file}: {where}: {reason}")
        self.file = file
        self.where = where
        self.reason = reason

    def __reduce__(self) -> tuple[type[MapError], tuple[str, str, str]]:
        return MapError, (self.file, self.where, self.reason)


class _Twice(Exception):
    """The same key twice in one object."""


def load_board(source: str | Path | Readable) -> Board:
    """Read a map file from a path or a package resource."""
    readable: Readable = Path(source) if isinstance(source, str) else source
    file = str(source) if isinstance(source, str | Path) else readable.name
    try:
        content = readable.read_bytes()
    except OSError as error:
        raise MapError(file, "file", f"cannot be read: {error.strerror or error}") from error
    return board_from_json(content, file)


def board_from_json(content: bytes, file: str = "map") -> Board:
    """Read a map from the bytes of its JSON."""
    return board_from_document(_parsed(content, file), file)


def document_from_json(content: bytes, file: str = "map") -> dict[str, Any]:
    """A map file as plain data of format 1, whatever the format it is kept in; not checked further."""
    return _Reader(file).plain(_parsed(content, file))


def _parsed(content: bytes, file: str) -> Any:
    """The JSON of a map file."""
    try:
        return json.loads(content.decode("utf-8"), object_pairs_hook=_object, parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        raise MapError(file, f"byte {error.start}", "not UTF-8; save the file as UTF-8") from error
    except json.JSONDecodeError as error:
        raise MapError(file, f"line {error.lineno} column {error.colno}", f"not JSON: {error.msg}") from error
    except _Twice as error:
        raise MapError(file, f"key {error.args[0]!r}", "appears twice in the same object") from None
    except ValueError as error:
        raise MapError(file, "file", f"not JSON: {error}") from error
    except RecursionError:
        raise MapError(file, "file", "nested too deeply") from None


def board_from_document(document: Any, file: str = "map") -> Board:
    """Check a map document that is already parsed, and build the board."""
    return _Reader(file).board(document)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build one JSON object, refusing a key that appears twice."""
    result = dict(pairs)
    if len(result) != len(pairs):
        keys = sorted(key for key, _ in pairs)
        raise _Twice(next(a for a, b in pairwise(keys) if a == b))
    return result


def _no_constant(name: str) -> Any:
    """Refuse NaN and Infinity, which are not JSON."""
    raise json.JSONDecodeError(f"{name} is not a number", name, 0)


class _Reader:
    """Reads one document; every refusal names the file."""

    def __init__(self, file: str) -> None:
        self.file = file

    def refuse(self, where: str, reason: str) -> MapError:
        """A refusal, to be raised."""
        return MapError(self.file, where, reason)

    # Small typed reads

    def typed(self, value: Any, kind: type[T], where: str, what: str) -> T:
        """The value itself, if it is of the kind wanted (true is not a number)."""
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self.refuse(where, f"{what} must be {TYPE_NAMES[kind]}, not {json.dumps(value)[:40]}")
        return value

    def need(self, data: Data, key: str, kind: type[T], where: str) -> T:
        """A required value of that kind."""
        if key not in data:
            raise self.refuse(where, f"{key!r} is missing")
        return self.typed(data[key], kind, where, repr(key))

    def choice(self, data: Data, key: str, choices: tuple[C, ...], where: str) -> C:
        """A required word, one of a few."""
        value = self.need(data, key, str, where)
        for word in choices:
            if word == value:
                return word
        raise self.refuse(where, f"{key!r} is {value!r}; use {', '.join(choices)}")

    def pair(self, data: Data, key: str, where: str) -> tuple[int, int]:
        """A required list of two whole numbers."""
        value = self.need(data, key, list, where)
        if len(value) != 2:
            raise self.refuse(where, f"{key!r} must hold two whole numbers, not {len(value)}")
        return self.typed(value[0], int, where, repr(key)), self.typed(value[1], int, where, repr(key))

    def text(self, data: Data, key: str, where: str) -> Text:
        """A required text in both languages."""
        value = self.need(data, key, dict, where)
        return self.both_languages(value, where, f" of {key!r}")

    def both_languages(self, value: Data, where: str, of: str = "") -> Text:
        """The `en` and `fr` of an object."""
        for language in ("en", "fr"):
            if language not in value:
                raise self.refuse(where, f"the {language!r} text{of} is missing")
            self.typed(value[language], str, where, f"the {language!r} text{of}")
        return Text(value["en"], value["fr"])

    def objects(self, data: Data, key: str, what: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """Each entry of a section: its key, its place for messages, its object."""
        for name, value in self.typed(data.get(key, NOTHING), dict, "top level", repr(key)).items():
            yield name, f"{what} {name}", self.typed(value, dict, f"{what} {name}", "it")

    def hexes(self, grid: Grid, data: Data, where: str) -> tuple[HexId, ...]:
        """The list of hexes of a place or area, in the file's order."""
        names = self.typed(data.get("hexes", []), list, where, "'hexes'")
        found = tuple(self.hex(grid, self.typed(name, str, where, "each of 'hexes'"), where) for name in names)
        if len(set(found)) != len(found):
            raise self.refuse(where, "'hexes' names a hex twice")
        return found

    def hex(self, grid: Grid, name: str, where: str) -> HexId:
        """A hex by number, on the grid."""
        try:
            return grid.hex_named(name)
        except GridError as error:
            raise self.refuse(where, str(error)) from None

    # Sections

    def plain(self, document: Any) -> dict[str, Any]:
        """The document in format 1."""
        top: dict[str, Any] = self.typed(document, dict, "top level", "the map")
        match self.need(top, "format", int, "top level"):
            case packing.PLAIN:
                return top
            case packing.PACKED:
                try:
                    return packing.unpack(top)
                except packing.PackingError as error:
                    raise self.refuse(error.where, error.reason) from None
        raise self.refuse("top level", f"format {top['format']}; this version reads 1 and 2")

    def board(self, document: Any) -> Board:
        """The whole file."""
        top = self.plain(document)
        for key in top:
            if key not in REQUIRED and key not in OPTIONAL:
                raise self.refuse("top level", f"unknown key {key!r}; known: {', '.join(REQUIRED + OPTIONAL)}")
        name = self.need(top, "name", str, "top level")
        title = self.text(top, "title", "top level")
        grid_data = self.need(top, "grid", dict, "top level")
        terrains = self.terrains(top)
        grid = self.grid(grid_data, top)
        areas = self.areas(grid, top)
        terrain, kinds, tags, hexes = self.hex_columns(grid, terrains, top)
        return Board(
            name=name,
            title=title,
            grid=grid,
            terrains=terrains,
            terrain=terrain,
            kinds=kinds,
            tags=tags,
            hexes=hexes,
            side_facts=self.sides(grid, top),
            link_data=self.links(grid, areas, top),
            places=self.places(grid, top),
            areas=areas,
            labels=self.labels(top),
            terrain_data=top["terrain"],
            grid_data=grid_data,
            art=self.typed(top.get("art", {}), dict, "top level", "'art'"),
            provenance=self.typed(top.get("provenance", {}), dict, "top level", "'provenance'"),
            credits=self.credits(top),
            metres=self.metres(grid_data),
            document=top,
        )

    def terrains(self, top: Data) -> dict[str, Text]:
        """The terrain key."""
        self.need(top, "terrain", dict, "top level")
        return {key: self.both_languages(data, where) for key, where, data in self.objects(top, "terrain", "terrain")}

    def metres(self, grid: Data) -> int:
        """Width of a hex in metres, from kilometres; 0 when the map does not say."""
        km = grid.get("km", 0)
        if isinstance(km, bool) or not isinstance(km, int | float) or not 0 <= km <= 10_000:
            raise self.refuse("grid", f"'km' must be a number from 0 to 10000, not {json.dumps(km)[:40]}")
        return round(km * 1000)

    def grid(self, data: Data, top: Data) -> Grid:
        """The grid of the hexes listed; the others of the sheet are holes."""
        numbers = self.need(data, "numbering", dict, "grid")
        orientation = self.choice(data, "orientation", ORIENTATIONS, "grid")
        try:
            numbering = Numbering(
                orientation=orientation,
                rows=self.need(data, "rows", int, "grid"),
                cols=self.need(data, "cols", int, "grid"),
                order=self.choice(numbers, "order", ORDERS, "grid numbering"),
                digits=self.pair(numbers, "digits", "grid numbering"),
                first=self.pair(numbers, "first", "grid numbering"),
                rows_grow=self.choice(numbers, "rows_grow", ROWS_GROW, "grid numbering"),
                cols_grow=self.choice(numbers, "cols_grow", COLS_GROW, "grid numbering"),
                shifted=self.choice(data, "shifted", SHIFTED, "grid"),
                shift=self.choice(data, "shift", SHIFTS[orientation], "grid"),
            )
        except NumberError as error:
            raise self.refuse("grid", str(error)) from None
        names = self.need(top, "hexes", dict, "top level")
        if not names:
            raise self.refuse("hexes", "the map has no hex")
        try:
            return Grid(numbering, names)
        except NumberError:
            for name in names:
                try:
                    numbering.split(name)
                except NumberError as error:
                    raise self.refuse(f"hex {name}", str(error)) from None
            raise

    def hex_columns(self, grid: Grid, terrains: Mapping[str, Text], top: Data) -> HexColumns:
        """Terrain, kind, tags and all other data of each hex, in the order of the grid; shared entries checked once."""
        hexes: tuple[Data, ...] = tuple([top["hexes"][name] for name in grid.names])
        known: dict[int, tuple[str, Kind, tuple[str, ...]]] = {}
        columns: list[tuple[str, Kind, tuple[str, ...]]] = []
        for name, data in zip(grid.names, hexes):
            found = known.get(id(data))
            if found is None:
                found = known[id(data)] = self.hex_facts(terrains, data, f"hex {name}")
            columns.append(found)
        terrain, kinds, tags = zip(*columns)
        return terrain, kinds, tags, hexes

    def hex_facts(self, terrains: Mapping[str, Text], value: Any, where: str) -> tuple[str, Kind, tuple[str, ...]]:
        """Terrain, kind and tags of a hex."""
        data = self.typed(value, dict, where, "it")
        key = self.need(data, "terrain", str, where)
        if key not in terrains:
            raise self.refuse(where, f"unknown terrain {key!r}; known: {', '.join(terrains)}")
        kind: Kind = self.choice(data, "kind", KINDS, where) if "kind" in data else "land"
        return key, kind, self.tags(data, where) if "tags" in data else ()

    def tags(self, data: Data, where: str) -> tuple[str, ...]:
        """The tags of a hex."""
        found = self.typed(data["tags"], list, where, "'tags'")
        return tuple(self.typed(tag, str, where, "each of 'tags'") for tag in found)

    def ends(self, name: str, where: str) -> tuple[str, str]:
        """The two names of a key `A|B`, which must be sorted."""
        first, bar, second = name.partition("|")
        if not bar or not first or not second or "|" in second:
            raise self.refuse(where, "the key must be two names, as in 0617|0618")
        if first >= second:
            raise self.refuse(
                where, f"the key must be sorted: write {second}|{first}" if first > second else "both ends are the same"
            )
        return first, second

    def section(self, top: Data, key: str, what: str) -> dict[str, dict[str, Any]]:
        """A section of many small entries; an entry that many names share is looked at once."""
        entries = self.typed(top.get(key, NOTHING), dict, "top level", repr(key))
        seen: set[int] = set()
        for name, value in entries.items():
            if id(value) not in seen:
                seen.add(id(value))
                self.typed(value, dict, f"{what} {name}", "it")
        return entries

    def sides(self, grid: Grid, top: Data) -> dict[tuple[HexId, HexId], Data]:
        """What the map says of hexsides, by their two hexes."""
        found: dict[tuple[HexId, HexId], Data] = {}
        number, adjacent = grid.number_of, grid.are_adjacent
        for name, data in self.section(top, "sides", "side").items():
            first, _, second = name.partition("|")
            a, b = number(first), number(second)
            if a < 0 or b <= a or not adjacent(a, b):
                raise self.no_side(grid, name)
            found[a, b] = data
        return found

    def no_side(self, grid: Grid, name: str) -> MapError:
        """Why a key names no side of this grid."""
        where = f"side {name}"
        first, second = self.ends(name, where)
        self.hex(grid, first, where)
        self.hex(grid, second, where)
        return self.refuse(where, f"{first} and {second} are not adjacent")

    def links(self, grid: Grid, areas: Mapping[str, Area], top: Data) -> dict[tuple[NodeId, NodeId], Data]:
        """Rails, roads and other links between hexes and areas."""
        found: dict[tuple[NodeId, NodeId], Data] = {}
        number, adjacent = grid.number_of, grid.are_adjacent
        for name, data in self.section(top, "links", "link").items():
            first, _, second = name.partition("|")
            a, b = number(first), number(second)
            if 0 <= a < b and adjacent(a, b):
                found[a, b] = data
            else:
                found[self.far_link(grid, areas, name, data)] = data
        return dict(sorted(found.items()))

    def far_link(self, grid: Grid, areas: Mapping[str, Area], name: str, data: Data) -> tuple[NodeId, NodeId]:
        """The nodes of a link with an area at an end, or between hexes far apart that says so."""
        where = f"link {name}"
        first, second = self.ends(name, where)
        a, b = (areas[end].node if end in areas else self.hex(grid, end, where) for end in (first, second))
        if first not in areas and second not in areas and data.get("far") is not True:
            raise self.refuse(where, f'{first} and {second} are not adjacent; if that is meant, add "far": true')
        return min(a, b), max(a, b)

    def places(self, grid: Grid, top: Data) -> dict[str, Place]:
        """The named places."""
        found: dict[str, Place] = {}
        for key, where, data in self.objects(top, "places", "place"):
            found[key] = Place(key, self.text(data, "name", where), self.hexes(grid, data, where), data)
            if not found[key].hexes:
                raise self.refuse(where, "'hexes' is missing or empty")
        return found

    def areas(self, grid: Grid, top: Data) -> dict[str, Area]:
        """The areas, numbered in the order of their keys; links between two areas must be told by both."""
        entries = {key: (where, data) for key, where, data in self.objects(top, "areas", "area")}
        nodes = {key: len(grid) + i for i, key in enumerate(sorted(entries))}
        links = {
            key: [
                self.typed(end, str, where, "each of 'links'")
                for end in self.typed(data.get("links", []), list, where, "'links'")
            ]
            for key, (where, data) in entries.items()
        }
        found: dict[str, Area] = {}
        for key, node in nodes.items():
            where, data = entries[key]
            if grid.has_hex(key):
                raise self.refuse(where, "has the name of a hex")
            for end in links[key]:
                if end not in nodes and not grid.has_hex(end):
                    raise self.refuse(where, f"linked to {end!r}, which is neither an area nor a hex")
                if end in nodes and key not in links[end]:
                    raise self.refuse(where, f"one-way link: area {end} does not list {key}")
            found[key] = Area(
                key=key,
                name=self.text(data, "name", where),
                kind=self.typed(data.get("kind", "zone"), str, where, "'kind'"),
                node=node,
                hexes=self.hexes(grid, data, where),
                links=tuple(nodes[end] if end in nodes else grid.hex_named(end) for end in links[key]),
                data=data,
            )
        return found

    def labels(self, top: Data) -> tuple[Label, ...]:
        """The words drawn on the map."""
        found: list[Label] = []
        for i, item in enumerate(self.typed(top.get("labels", []), list, "top level", "'labels'"), 1):
            data = self.typed(item, dict, f"label {i}", "it")
            found.append(Label(self.text(data, "text", f"label {i}"), data))
        return tuple(found)

    def credits(self, top: Data) -> tuple[Data, ...]:
        """Whose data and work the map is made of."""
        entries = self.typed(top.get("credits", []), list, "top level", "'credits'")
        return tuple(self.typed(item, dict, f"credit {i}", "it") for i, item in enumerate(entries, 1))
