"""The one value that passes hand on: a map under construction."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from maps.compiler.config import MapConfig
from maps.compiler.errors import Finding
from maps.compiler.grid import Cell, Grid, Vertex
from maps.compiler.mesh import Mesh

Facts = dict[str, Any]
Pair = tuple[Cell, Cell]
HAND = "override"
"""Provenance of what a person settled against the sources."""


@dataclass
class Town:
    """A town of the sources or of the gazetteer, put on the plane and in a cell."""

    name: str
    x: float
    y: float
    cell: Cell
    facts: Facts
    weight: float
    place: str | None = None
    """Key in `HexMap.places` if it is a place of the map, else the town is only remembered for links and banks."""


@dataclass
class HexMap:
    """Facts of hexes, sides, links, places and areas, with their provenance; passes fork it and write on the fork."""

    name: str
    folder: Path
    config: MapConfig
    grid: Grid
    cells: list[Cell]
    mesh: Mesh
    hexes: dict[Cell, Facts] = field(default_factory=dict)
    hex_src: dict[Cell, dict[str, str]] = field(default_factory=dict)
    sides: dict[Pair, Facts] = field(default_factory=dict)
    side_src: dict[Pair, dict[str, str]] = field(default_factory=dict)
    links: dict[Pair, Facts] = field(default_factory=dict)
    link_src: dict[Pair, dict[str, str]] = field(default_factory=dict)
    area_links: dict[tuple[str, str], Facts] = field(default_factory=dict)
    """Links with an area at one end at least, by sorted names (hex numbers or area ids)."""
    places: dict[str, Facts] = field(default_factory=dict)
    areas: dict[str, Facts] = field(default_factory=dict)
    labels: list[Facts] = field(default_factory=list)
    towns: dict[str, Town] = field(default_factory=dict)
    stats: dict[Cell, dict[str, float]] = field(default_factory=dict)
    """Shares and heights measured by the passes; used by later passes and drawing, written only in part."""
    ground: dict[Cell, Any] = field(default_factory=dict)
    """Land geometry inside each cell."""
    rivers: dict[str, list[list[Vertex]]] = field(default_factory=dict)
    """Corner paths of the rivers, downstream, for drawing and audits."""
    banks: list[tuple[str, list[Vertex], dict[str, int]]] = field(default_factory=list)
    """For the audit: each river with its path and the bank (+1 left, -1 right) of each town near it."""
    river_lines: dict[str, list[Any]] = field(default_factory=dict)
    """The true lines of the same rivers on the plane, for drawing."""
    chains: dict[str, list[tuple[int, list[Cell]]]] = field(default_factory=dict)
    """Roads and rails as chains of cells with their class, for drawing."""
    findings: list[Finding] = field(default_factory=list)
    report: dict[str, Any] = field(default_factory=dict)

    def fork(self) -> HexMap:
        """A copy whose tables may be changed without touching this one (geometry is shared)."""
        return HexMap(
            self.name, self.folder, self.config, self.grid, self.cells, self.mesh,
            {key: dict(value) for key, value in self.hexes.items()},
            {key: dict(value) for key, value in self.hex_src.items()},
            {key: dict(value) for key, value in self.sides.items()},
            {key: dict(value) for key, value in self.side_src.items()},
            {key: dict(value) for key, value in self.links.items()},
            {key: dict(value) for key, value in self.link_src.items()},
            {key: dict(value) for key, value in self.area_links.items()},
            {key: dict(value) for key, value in self.places.items()},
            {key: dict(value) for key, value in self.areas.items()},
            list(self.labels), dict(self.towns),
            {key: dict(value) for key, value in self.stats.items()},
            dict(self.ground), dict(self.rivers), list(self.banks), dict(self.river_lines), dict(self.chains),
            list(self.findings), dict(self.report),
        )  # fmt: skip

    # ------------------------------------------------------------------ keys
    def pair(self, one: Cell, other: Cell) -> Pair:
        """Two cells in order of their printed numbers."""
        return (one, other) if self.grid.id(one) < self.grid.id(other) else (other, one)

    def pair_key(self, pair: Pair) -> str:
        """The written key of a side or link: ``A|B``."""
        return f"{self.grid.id(pair[0])}|{self.grid.id(pair[1])}"

    def near(self, cell: Cell) -> list[Cell]:
        """Neighbours on the map."""
        return [other for other in self.grid.neighbours(cell) if other in self.hexes]

    # ------------------------------------------------------------------ facts
    def set_hex(self, cell: Cell, key: str, value: Any, src: str) -> None:
        """Write one fact of a hex."""
        self.hexes[cell][key] = value
        self.hex_src.setdefault(cell, {})[key] = src

    def add_hex(self, cell: Cell, key: str, value: Any, src: str) -> None:
        """Add to a list of a hex, once, kept sorted."""
        self.set_hex(cell, key, sorted({*self.hexes[cell].get(key, []), value}), src)

    def set_side(self, one: Cell, other: Cell, key: str, value: Any, src: str) -> None:
        """Write one fact of the side between neighbours."""
        pair = self.pair(one, other)
        self.sides.setdefault(pair, {})[key] = value
        self.side_src.setdefault(pair, {})[key] = src

    def set_link(self, one: Cell, other: Cell, key: str, value: Any, src: str) -> None:
        """Write one fact of the link between two cells."""
        pair = self.pair(one, other)
        self.links.setdefault(pair, {})[key] = value
        self.link_src.setdefault(pair, {})[key] = src

    def kind(self, cell: Cell) -> str:
        """Land, coast, sea, lake or out; cells off the map are out."""
        facts = self.hexes.get(cell)
        return "out" if facts is None else str(facts["kind"])

    def dry(self, cell: Cell) -> bool:
        """Can anything stand here on the ground?"""
        return self.kind(cell) in {"land", "coast"}

    def wet_side(self, one: Cell, other: Cell) -> bool:
        """Is the side between two dry hexes all water?"""
        return bool(self.sides.get(self.pair(one, other), {}).get("water"))
