"""The map of a game: a grid and what is printed on it. Frozen, shared by every position of every game played on it.

The names that every map has are typed here (terrain, kind, tags, places, areas, links); whatever else a map file says
about a hex, a side, a link, a place or an area stays in its plain mapping, for the game that put it there.

Boxes and zones off the hex grid are *areas*. An area has a *node* number beyond the last hex, so that links, paths and
supply lanes run through hexes and areas alike: nodes 0 to `len(grid) - 1` are hexes, the others areas.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Literal, NamedTuple

from grognard.hexes.grid import Grid, HexId, SideId

Data = Mapping[str, Any]
NodeId = int
Kind = Literal["land", "coast", "sea", "lake", "out"]
KINDS: Final[tuple[Kind, ...]] = ("land", "coast", "sea", "lake", "out")
NOTHING: Final[Data] = {}


class BoardError(KeyError):
    """A place, area or terrain that this map does not have."""

    def __str__(self) -> str:
        return str(self.args[0])


class Text(NamedTuple):
    """The same words in both languages.

    >>> Text("Brussels", "Bruxelles").in_language("fr")
    'Bruxelles'
    """

    en: str
    fr: str

    def in_language(self, language: str) -> str:
        """The French words for `fr`, the English ones otherwise."""
        return self.fr if language == "fr" else self.en


@dataclass(frozen=True, slots=True)
class Place:
    """A named place of one or more hexes."""

    key: str
    name: Text
    hexes: tuple[HexId, ...]
    data: Data


@dataclass(frozen=True, slots=True)
class Area:
    """A box, zone or country: a set of hexes, or a place off the grid, or both."""

    key: str
    name: Text
    kind: str
    node: NodeId
    hexes: tuple[HexId, ...]
    links: tuple[NodeId, ...]
    data: Data


@dataclass(frozen=True, slots=True)
class Label:
    """Words drawn on the map; position and style are for the client."""

    text: Text
    data: Data


@dataclass(frozen=True, eq=False)
class Board:
    """One map.

    Columns by hex id: `terrain`, `kinds`, `tags`, `hexes` (all that the file says). `side_facts` by pair of hexes and
    `link_data` by pair of nodes, the lower first; `side_data` is `side_facts` by side id.
    """

    name: str
    title: Text
    grid: Grid
    terrains: Mapping[str, Text]
    terrain: tuple[str, ...]
    kinds: tuple[Kind, ...]
    tags: tuple[tuple[str, ...], ...]
    hexes: tuple[Data, ...]
    side_facts: Mapping[tuple[HexId, HexId], Data]
    link_data: Mapping[tuple[NodeId, NodeId], Data]
    places: Mapping[str, Place]
    areas: Mapping[str, Area]
    labels: tuple[Label, ...] = ()
    terrain_data: Mapping[str, Data] = field(default_factory=dict)
    grid_data: Data = field(default_factory=dict)
    art: Data = field(default_factory=dict)
    provenance: Data = field(default_factory=dict)
    credits: tuple[Data, ...] = ()
    metres: int = 0  # across a hex, side to side
    document: Data = field(default_factory=dict)  # all of it in map format 1, for clients that draw it

    def __repr__(self) -> str:
        return f"<Board {self.name}: {len(self.grid)} hexes, {len(self.places)} places, {len(self.link_data)} links>"

    # Hexes

    def hex(self, name: str) -> HexId:
        """The hex with that printed number; the error suggests close ones."""
        return self.grid.hex_named(name)

    def name_of(self, node: NodeId) -> str:
        """Printed number of a hex, key of an area."""
        size = len(self.grid)
        return self.grid.names[node] if node < size else self._area_keys[node - size]

    def terrain_of(self, hex: HexId) -> str:
        """Terrain key, as in `terrains`."""
        return self.terrain[hex]

    def kind_of(self, hex: HexId) -> Kind:
        """`land`, `coast`, `sea`, `lake` or `out`."""
        return self.kinds[hex]

    def data_of(self, hex: HexId) -> Data:
        """All that the map file says about a hex."""
        return self.hexes[hex]

    def hexes_with(self, tag: str) -> tuple[HexId, ...]:
        """The hexes that carry a tag, sorted."""
        return self._by_tag.get(tag, ())

    def hexes_of_terrain(self, *terrains: str) -> tuple[HexId, ...]:
        """The hexes of one or more terrains, sorted."""
        for terrain in terrains:
            if terrain not in self.terrains:
                raise BoardError(_unknown("terrain", terrain, self.terrains))
        return tuple(hex for hex, terrain in enumerate(self.terrain) if terrain in terrains)

    # Hexsides

    def side(self, a: HexId, b: HexId) -> Data:
        """What the map says about the side between two adjacent hexes; empty when it says nothing."""
        return self.side_data[self.grid.side_between(a, b)]

    def sides_with(self, key: str) -> tuple[SideId, ...]:
        """The hexsides that have something (not false, 0 or empty) under that key, sorted."""
        return tuple(side for side, data in enumerate(self.side_data) if data.get(key))

    # Links

    @property
    def node_count(self) -> int:
        """Hexes and areas together."""
        return len(self.grid) + len(self.areas)

    def node(self, name: str) -> NodeId:
        """A hex by its printed number or an area by its key."""
        area = self.areas.get(name)
        return area.node if area is not None else self.grid.hex_named(name)

    def link(self, a: NodeId, b: NodeId) -> Data:
        """What joins two nodes (rail, road ...); empty when nothing does."""
        return self.link_data.get((a, b) if a < b else (b, a), NOTHING)

    def links_of(self, node: NodeId, kind: str) -> tuple[NodeId, ...]:
        """The nodes joined to this one by a link of that kind, sorted."""
        return self._net(kind).get(node, ())

    def links(self, kind: str) -> tuple[tuple[NodeId, NodeId, Any], ...]:
        """Every link of that kind: two nodes, the lower first, and its value."""
        return tuple((a, b, data[kind]) for (a, b), data in self.link_data.items() if data.get(kind))

    def _net(self, kind: str) -> Mapping[NodeId, tuple[NodeId, ...]]:
        """For each node its partners by one kind of link. Remembered."""
        net = self._nets.get(kind)
        if net is None:
            found: dict[NodeId, list[NodeId]] = {}
            for a, b, _ in self.links(kind):
                found.setdefault(a, []).append(b)
                found.setdefault(b, []).append(a)
            net = self._nets[kind] = {node: tuple(sorted(partners)) for node, partners in found.items()}
        return net

    # Places and areas

    def place(self, key: str) -> Place:
        """A named place; the error suggests close ones."""
        if key not in self.places:
            raise BoardError(_unknown("place", key, self.places))
        return self.places[key]

    def area(self, key: str) -> Area:
        """An area; the error suggests close ones."""
        if key not in self.areas:
            raise BoardError(_unknown("area", key, self.areas))
        return self.areas[key]

    def places_in(self, hex: HexId) -> tuple[Place, ...]:
        """The named places that cover a hex."""
        return self._places_in.get(hex, ())

    def areas_of(self, hex: HexId) -> tuple[Area, ...]:
        """The areas that contain a hex."""
        return self._areas_of.get(hex, ())

    # Indexes, built when first asked for

    @cached_property
    def side_data(self) -> tuple[Data, ...]:
        """What the map says of each hexside, by side id; empty when it says nothing."""
        find = self.side_facts.get
        return tuple([find(pair, NOTHING) for pair in self.grid.sides])

    @cached_property
    def _area_keys(self) -> tuple[str, ...]:
        return tuple(self.areas)

    @cached_property
    def _by_tag(self) -> Mapping[str, tuple[HexId, ...]]:
        found: dict[str, list[HexId]] = {}
        for hex, tags in enumerate(self.tags):
            for tag in tags:
                found.setdefault(tag, []).append(hex)
        return {tag: tuple(hexes) for tag, hexes in found.items()}

    @cached_property
    def _nets(self) -> dict[str, Mapping[NodeId, tuple[NodeId, ...]]]:
        return {}

    @cached_property
    def _places_in(self) -> Mapping[HexId, tuple[Place, ...]]:
        found: dict[HexId, tuple[Place, ...]] = {}
        for place in self.places.values():
            for hex in place.hexes:
                found[hex] = (*found.get(hex, ()), place)
        return found

    @cached_property
    def _areas_of(self) -> Mapping[HexId, tuple[Area, ...]]:
        found: dict[HexId, tuple[Area, ...]] = {}
        for area in self.areas.values():
            for hex in area.hexes:
                found[hex] = (*found.get(hex, ()), area)
        return found


def _unknown(what: str, key: str, known: Iterable[str]) -> str:
    """Say what is missing and what comes close."""
    from difflib import get_close_matches

    close = get_close_matches(key, list(known), 3, 0.5)
    return f"this map has no {what} {key!r}" + (f"; close: {', '.join(close)}" if close else "")
