"""Passes `features` and `areas`: what the game needs and no source has, from features.toml.

A *spot* is a printed number, the id of a place, or ``[lat, lon]``.
"""

from __future__ import annotations

import heapq
from pathlib import Path
from typing import Any, Literal

import numpy as np
import shapely
from msgspec import Struct, field

from maps.compiler.errors import MapError
from maps.compiler.facts import check_facts
from maps.compiler.grid import Cell
from maps.compiler.model import HexMap
from maps.compiler.places import put_fact
from maps.compiler.sources import World
from maps.compiler.tomlfile import read_toml, table_line

Spot = str | tuple[float, float]


class OnHex(Struct, frozen=True, forbid_unknown_fields=True):
    """Facts for hexes."""

    at: list[Spot]
    set: dict[str, Any]
    src: str
    why: str = ""


class OnSide(Struct, frozen=True, forbid_unknown_fields=True):
    """Facts for the side between two neighbouring hexes."""

    between: tuple[Spot, Spot]
    set: dict[str, Any]
    src: str
    why: str = ""


class OnBorder(Struct, frozen=True, forbid_unknown_fields=True):
    """Facts for every side between a hex with a tag and a dry hex of a country."""

    tag: str
    against: str
    set: dict[str, Any]
    src: str
    why: str = ""


class OnLink(Struct, frozen=True, forbid_unknown_fields=True):
    """Facts for the link between two hexes, neighbours or not."""

    between: tuple[Spot, Spot]
    set: dict[str, Any]
    src: str
    why: str = ""


class Join(Struct, frozen=True, forbid_unknown_fields=True):
    """Two neighbouring hexes of different landmasses that armies and trains nevertheless join: a bridge, a causeway."""

    between: tuple[Spot, Spot]
    why: str


class AreaLink(Struct, frozen=True, forbid_unknown_fields=True):
    """Facts for the link between two areas, or between an area and a hex; both areas list each other."""

    between: tuple[str, str]
    """Ids of areas, or spots of the map."""
    set: dict[str, Any]
    src: str


class Area(Struct, frozen=True, forbid_unknown_fields=True):
    """A named area: a box off the map, a group of hexes, a country, a sea."""

    id: str
    en: str
    fr: str
    kind: str
    src: str
    at: list[Spot] = field(default_factory=list)
    country: list[str] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)


class Zone(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the sea: every sea hex goes to the zone whose seed is nearest by water."""

    id: str
    value: str | int
    en: str
    fr: str
    seeds: list[tuple[float, float]]
    src: str
    group: str = "sea"
    many: bool = False
    """Write a list, on coast hexes too: every zone they touch."""
    ports: dict[str, Any] = field(default_factory=dict)
    """Facts of every port of this zone that does not say otherwise."""
    facts: dict[str, Any] = field(default_factory=dict)


class Band(Struct, frozen=True, forbid_unknown_fields=True):
    """A fact given by latitude and longitude of the hex centre; the first band that fits wins."""

    key: str
    value: Any
    src: str
    lat_below: float = 91.0
    lat_from: float = -91.0
    lon_below: float = 181.0
    lon_from: float = -181.0
    polygon: list[tuple[float, float]] = field(default_factory=list)
    country: list[str] = field(default_factory=list)
    cols_from: int | None = None
    """Only columns of the printed numbering from this one on."""
    rows_below: int | None = None
    dry: bool = True
    """Only dry hexes."""
    tag: str | None = None
    """Also add this tag."""
    write: bool = True
    """False: this band only stops the search (the game's default value is meant)."""


class Out(Struct, frozen=True, forbid_unknown_fields=True):
    """Hexes cut off the map: not written at all."""

    why: str
    polygon: list[tuple[float, float]] = field(default_factory=list)
    lat_from: float = 91.0
    lat_below: float = -91.0
    lon_below: float = -181.0
    lon_from: float = 181.0
    coast_within: int | None = None
    """Spare hexes at most this far from a dry hex (for sea) or from the sea (for land)."""
    only: Literal["land", "sea"] | None = None
    """Cut only dry hexes, or only wet ones."""


class Crest(Struct, frozen=True, forbid_unknown_fields=True):
    """The crest line of a mountain range: the sides along it are mountain sides, where no pass opens them."""

    name: str
    line: list[tuple[float, float]]
    """Points (lat, lon) along the crest."""
    src: str = "historical"


class Pass(Struct, frozen=True, forbid_unknown_fields=True):
    """A pass: the side of a crest nearest to it is no mountain side. Main railways need none: they open their sides."""

    name: str
    at: tuple[float, float]
    src: str = "historical"


class Features(Struct, frozen=True, forbid_unknown_fields=True):
    """features.toml."""

    hex: list[OnHex] = field(default_factory=list)
    side: list[OnSide] = field(default_factory=list)
    border: list[OnBorder] = field(default_factory=list)
    link: list[OnLink] = field(default_factory=list)
    join: list[Join] = field(default_factory=list)
    area: list[Area] = field(default_factory=list)
    area_link: list[AreaLink] = field(default_factory=list)
    zone: list[Zone] = field(default_factory=list)
    band: list[Band] = field(default_factory=list)
    out: list[Out] = field(default_factory=list)
    crest: list[Crest] = field(default_factory=list)
    passes: list[Pass] = field(default_factory=list, name="pass")


def read_features(folder: Path) -> Features:
    """The features of a map, empty without a file."""
    path = folder / "features.toml"
    return read_toml(path, Features) if path.is_file() else Features()


def spot_cell(m: HexMap, world: World, spot: Spot, where: tuple[Path, int | None]) -> Cell:
    """The cell of a spot; a place not in the gazetteer or a point off the grid is an error."""
    try:
        if not isinstance(spot, str):
            x, y = world.projection.forward(np.array([[spot[1], spot[0]]]))[0]
            cell = m.grid.cell_at(float(x), float(y))
            if cell not in m.hexes:
                raise MapError(f"point {spot[0]}, {spot[1]} is off the map")
            return cell
        if spot in m.places:
            return m.grid.cell(m.places[spot]["hexes"][0])
        if not spot.isdigit():
            raise MapError(f"no place {spot!r} on this map")
        return m.grid.cell(spot)
    except MapError as error:
        raise MapError(error.reason, file=where[0], line=where[1]) from None


def features(m: HexMap, world: World) -> HexMap:
    """Write hex, side, border and link features."""
    m = m.fork()
    path = m.folder / "features.toml"
    told = read_features(m.folder)
    for number, item in enumerate(told.hex):
        line = table_line(path, "hex", number)
        for spot in item.at:
            cell = spot_cell(m, world, spot, (path, line))
            check_facts(m, "hex", item.set, path, line)
            for key, value in sorted(item.set.items()):
                put_fact(m, cell, key, value, item.src)
    for number, side in enumerate(told.side):
        line = table_line(path, "side", number)
        one, other = (spot_cell(m, world, spot, (path, line)) for spot in side.between)
        if other not in m.grid.neighbours(one):
            raise MapError(f"{m.grid.id(one)} and {m.grid.id(other)} are not neighbours", file=path, line=line)
        check_facts(m, "side", side.set, path, line)
        for key, value in sorted(side.set.items()):
            m.set_side(one, other, key, value, side.src)
    for number, border in enumerate(told.border):
        line = table_line(path, "border", number)
        if not _lay_border(m, border):
            raise MapError(f"no side between {border.tag!r} and {border.against}", file=path, line=line)
        check_facts(m, "side", border.set, path, line)
    for number, link in enumerate(told.link):
        line = table_line(path, "link", number)
        one, other = (spot_cell(m, world, spot, (path, line)) for spot in link.between)
        if one == other:
            raise MapError(f"both ends of the link are {m.grid.id(one)}", file=path, line=line)
        check_facts(m, "link", link.set, path, line)
        for key, value in sorted(link.set.items()):
            m.set_link(one, other, key, value, link.src)
    m.report["features"] = {"hex": len(told.hex), "side": len(told.side), "link": len(told.link)}
    return m


def _lay_border(m: HexMap, border: OnBorder) -> int:
    count = 0
    for cell in m.cells:
        if border.tag not in m.hexes.get(cell, {}).get("tags", []):
            continue
        for other in m.near(cell):
            if m.dry(other) and m.hexes[other].get("country") == border.against:
                for key, value in sorted(border.set.items()):
                    m.set_side(cell, other, key, value, border.src)
                count += 1
    return count


def areas(m: HexMap, world: World) -> HexMap:
    """Bands, sea zones and named areas."""
    m = m.fork()
    told = read_features(m.folder)
    path = m.folder / "features.toml"
    _bands(m, world, told.band)
    for group in dict.fromkeys(zone.group for zone in told.zone):
        _zones(m, world, [zone for zone in told.zone if zone.group == group])
    for number, area in enumerate(told.area):
        line = table_line(path, "area", number)
        cells = {spot_cell(m, world, spot, (path, line)) for spot in area.at}
        facts: dict[str, Any] = {"name": {"en": area.en, "fr": area.fr}, "kind": area.kind, "src": area.src}
        if area.country:
            facts["country"] = area.country
        facts |= area.facts
        if cells:
            facts["hexes"] = sorted(m.grid.id(cell) for cell in cells)
        m.areas[area.id] = facts
    for number, link in enumerate(told.area_link):
        line = table_line(path, "area_link", number)
        one, other = sorted(
            end if end in m.areas else m.grid.id(spot_cell(m, world, end, (path, line))) for end in link.between
        )
        check_facts(m, "link", link.set, path, line)
        m.area_links[one, other] = dict(link.set) | {"src": dict.fromkeys(link.set, link.src)}
        for here, there in ((one, other), (other, one)):
            if here in m.areas:
                m.areas[here]["links"] = sorted({*m.areas[here].get("links", []), there})
    m.report["areas"] = len(m.areas)
    return m


def _bands(m: HexMap, world: World, told: list[Band]) -> None:
    cells = [cell for cell in m.cells if cell in m.hexes]
    lonlat = world.projection.inverse(np.array([m.grid.centre(cell) for cell in cells]))
    rings = {i: shapely.Polygon([(lon, lat) for lat, lon in b.polygon]) for i, b in enumerate(told) if b.polygon}
    order = m.config.grid.numbering.order
    wide = m.config.grid.numbering.digits[0]
    for cell, (lon, lat) in zip(cells, lonlat):
        seen: set[str] = set()
        number = m.grid.id(cell)
        row, col = (number[:wide], number[wide:]) if order == "row-col" else (number[wide:], number[:wide])
        for index, band in enumerate(told):
            if band.key in seen or (band.dry and not m.dry(cell)):
                continue
            if band.country and m.hexes[cell].get("country") not in band.country:
                continue
            if band.cols_from is not None and int(col) < band.cols_from:
                continue
            if band.rows_below is not None and int(row) >= band.rows_below:
                continue
            if not (band.lat_from <= lat < band.lat_below and band.lon_from <= lon < band.lon_below):
                continue
            if index in rings and not shapely.contains_xy(rings[index], lon, lat):
                continue
            seen.add(band.key)
            if band.write:
                m.set_hex(cell, band.key, band.value, band.src)
                if band.tag:
                    m.add_hex(cell, "tags", band.tag, band.src)


def _zones(m: HexMap, world: World, zones: list[Zone]) -> None:
    """Flood the sea from the seeds of all zones at once; coast hexes pass the water on but belong to none."""
    cost: dict[Cell, tuple[float, int]] = {}
    queue: list[tuple[float, int, Cell]] = []
    for index, zone in enumerate(zones):
        for lat, lon in zone.seeds:
            cell = spot_cell(m, world, (lat, lon), (m.folder / "features.toml", None))
            if m.kind(cell) not in {"sea", "coast", "lake"}:
                raise MapError(f"zone {zone.id!r}: the seed {lat}, {lon} is in {m.grid.id(cell)}, on land",
                               file=m.folder / "features.toml")  # fmt: skip
            queue.append((0.0, index, cell))
    heapq.heapify(queue)
    while queue:
        far, index, cell = heapq.heappop(queue)
        if cell in cost:
            continue
        cost[cell] = (far, index)
        step = 1.0 if m.kind(cell) in {"sea", "lake"} else 6.0
        for other in m.near(cell):
            if other not in cost and m.kind(other) != "land":
                if m.kind(cell) == "coast" and m.kind(other) == "coast" and not m.wet_side(cell, other):
                    continue
                heapq.heappush(queue, (far + step, index, other))
    for cell, (_, index) in sorted(cost.items()):
        wet = [cell] if m.kind(cell) in {"sea", "lake"} else []
        if zones[index].many and not wet:
            wet = [near for near in m.near(cell) if near in cost and m.kind(near) in {"sea", "lake"}] or [cell]
        if wet:
            found = sorted({zones[cost[near][1]].value for near in wet}, key=lambda value: (str(type(value)), value))
            m.set_hex(cell, zones[index].group, found if zones[index].many else found[0], "areas")
    if zones[0].many:
        _inner_ports(m, zones, cost)
    _port_seas(m, zones, {cell: index for cell, (_, index) in cost.items()})
    for zone in zones:
        m.areas[zone.id] = {"name": {"en": zone.en, "fr": zone.fr}, "kind": zone.group, "value": zone.value,
                            "src": zone.src} | zone.facts  # fmt: skip


def _inner_ports(m: HexMap, zones: list[Zone], cost: dict[Cell, tuple[float, int]]) -> None:
    """Ports up a river, which no sea hex touches, belong to the nearest zone."""
    for facts in m.places.values():
        cell = m.grid.cell(facts["hexes"][0])
        if "port" in facts and cell not in cost and m.kind(cell) == "coast":
            near = min(cost, key=lambda other: (m.grid.distance(cell, other), other))
            told = [index for index, zone in enumerate(zones) if zone.value == facts.get("zone")]
            cost[cell] = (0.0, told[0]) if told else cost[near]
            m.set_hex(cell, zones[0].group, [zones[cost[cell][1]].value], "areas")


def _port_seas(m: HexMap, zones: list[Zone], reached: dict[Cell, int]) -> None:
    """Ports say on which sea they lie, unless the gazetteer did: the neighbour zone nearest to the town."""
    for town in m.towns.values():
        facts = m.places.get(town.place or "")
        if facts is None or "port" not in facts:
            continue
        key = "zone" if zones[0].many else zones[0].group
        if key in facts:
            _port_facts(facts, next((zone for zone in zones if zone.value == facts[key]), None))
            continue
        wet = [cell for cell in [town.cell, *m.near(town.cell)] if cell in reached and m.kind(cell) in {"sea", "lake"}]
        if not wet and town.cell in reached:
            wet = [town.cell]
        if not wet and m.kind(town.cell) == "coast":  # up a firth or a river mouth
            wet = [cell for cell in reached if m.kind(cell) == "sea" and m.grid.distance(cell, town.cell) == 2]
        if wet:
            best = min(wet, key=lambda cell: (np.hypot(*np.subtract(m.grid.centre(cell), (town.x, town.y))), cell))
            facts[key] = zones[reached[best]].value
            _port_facts(facts, zones[reached[best]])


def _port_facts(facts: dict[str, Any], zone: Zone | None) -> None:
    for key, value in sorted((zone.ports if zone is not None else {}).items()):
        if facts.setdefault(key, value) is False:
            del facts[key]


def cut_out(m: HexMap, world: World) -> HexMap:
    """Pass `cut`: drop the hexes that features.toml cuts off the map."""
    m = m.fork()
    told = read_features(m.folder).out
    if not told:
        return m
    lonlat = world.projection.inverse(np.array([m.grid.centre(cell) for cell in m.cells]))
    gone: set[Cell] = set()
    far_sea, far_land = _far(m, "sea"), _far(m, "dry")
    for out in told:
        ring = shapely.Polygon([(lon, lat) for lat, lon in out.polygon]) if out.polygon else None
        for cell, (lon, lat) in zip(m.cells, lonlat):
            inside = lat >= out.lat_from or lat < out.lat_below or lon < out.lon_below or lon >= out.lon_from
            if ring is not None and shapely.contains_xy(ring, lon, lat):
                inside = True
            if not inside or (out.only is not None and m.dry(cell) != (out.only == "land")):
                continue
            far = far_sea if m.dry(cell) else far_land
            if out.coast_within is not None and far.get(cell, 999) <= out.coast_within:
                continue
            gone.add(cell)
    for cell in sorted(gone):
        for table in (m.hexes, m.hex_src, m.stats, m.ground):
            table.pop(cell, None)
    m.cells = [cell for cell in m.cells if cell not in gone]
    m.mesh = type(m.mesh).of(m.grid, m.cells)
    m.sides = {pair: facts for pair, facts in m.sides.items() if not gone & set(pair)}
    m.report["cut"] = len(gone)
    return m


def _far(m: HexMap, target: str) -> dict[Cell, int]:
    """Distance in hexes from each hex to the nearest sea (or dry) hex."""
    front = [cell for cell in m.cells if (m.dry(cell) if target == "dry" else m.kind(cell) == "sea")]
    far = dict.fromkeys(front, 0)
    while front:
        after = []
        for cell in front:
            for other in m.near(cell):
                if other not in far:
                    far[other] = far[cell] + 1
                    after.append(other)
        front = after
    return far


__all__ = ["areas", "cut_out", "features", "read_features", "spot_cell"]
