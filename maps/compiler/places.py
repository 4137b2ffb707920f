"""Pass `places`: towns and ports into hexes by minimum-cost assignment; one main place per hex."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from typing import Any

import numpy as np
import shapely
from scipy.optimize import linear_sum_assignment

from maps.compiler.errors import MapError
from maps.compiler.gazetteer import Place, read_gazetteer
from maps.compiler.grid import Cell
from maps.compiler.model import Facts, HexMap, Town
from maps.compiler.sources import World, lines

SRC = "places"
_NEVER = 1e6
CITY_RANK = {"minor": 1, "fortress": 2, "major": 3, "capital": 4}
"""Classes that make a hex a city hex (`city`), the best one wins."""


def slug(name: str) -> str:
    """A key for a name: lower case ASCII words joined by hyphens.

    >>> slug("'s-Hertogenbosch"), slug("Łódź"), slug("St. Nazaire")
    ('s-hertogenbosch', 'lodz', 'st-nazaire')
    """
    special = str.maketrans({"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "ß": "ss", "æ": "ae", "đ": "d", "ı": "i"})
    plain = unicodedata.normalize("NFKD", name.translate(special)).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")


def source_towns(m: HexMap, world: World) -> list[Town]:
    """The towns of the sources inside the grid, each in the hex where it lies; the first of a name wins."""
    ports = {f.props["name"]: f.props for f in world.all_features(m.config.sources.ports)}
    towns: dict[str, Town] = {}
    for feature in world.all_features(m.config.sources.towns):
        props, point = feature.props, feature.geometry
        cell = m.grid.cell_at(point.x, point.y)
        if not m.grid.has(cell) or props["name"] in towns:
            continue
        facts: Facts = {"class": props["cls"]}
        port = (
            props.get("port")
            or (ports.get(props["name"]) or {}).get("class")
            or ("minor" if props.get("naval_base") else None)
        )
        if port and props["name"] not in m.config.towns.not_ports:
            facts["port"] = port if isinstance(port, str) else "minor"
        for key in m.config.towns.keep:
            if props.get(key):
                facts[key] = props[key]
        population = float(props.get("pop1939_k") or (props.get("pop_modern") or 0) / 1000)
        if "pop" in m.config.towns.keep:
            facts["pop"] = round(population)
        towns[props["name"]] = Town(props["name"], point.x, point.y, cell, facts, _weight(m, facts, population), None)
    return list(towns.values())


def _weight(m: HexMap, facts: Facts, population: float) -> float:
    """How much it costs to lose this town from the map."""
    port = {"major": 14.0, "minor": 5.0}.get(str(facts.get("port")), 0.0)
    return m.config.towns.classes.get(facts["class"], 1.0) + math.sqrt(population) + port


def places(m: HexMap, world: World) -> HexMap:
    """Put the gazetteer and the towns of the sources into hexes."""
    m = m.fork()
    known = {town.name: town for town in source_towns(m, world)}
    wanted = [_gazetteer_town(m, world, place, known) for place in read_gazetteer(m.folder)]
    named = {town.name for town in wanted}
    config = m.config.towns
    for town in known.values():
        if town.name in named:
            continue
        port = town.facts.get("port")
        if town.facts["class"] in config.classes or (port and config.ports in (True, port)):
            if port and config.port_class:
                town.facts["port"] = config.port_class
            town.place = slug(town.name)
            wanted.append(town)
    homes = {town.name: town.cell for town in wanted}
    french = _french(world, config.names_fr)
    _assign(m, world, wanted)
    for town in sorted(wanted, key=lambda town: (-_rank(m, town), -town.weight, town.name)):
        _write(m, town, homes[town.name], french)
    for town in [*wanted, *(town for town in known.values() if town.place is None)]:
        m.towns.setdefault(town.name, town)
    moved = [town.name for town in wanted if town.cell != homes[town.name]]
    shared = sum(1 for facts in m.hexes.values() if "also" in facts)
    m.report[SRC] = {
        "places": len(m.places),
        "moved": moved,
        "hexes shared": shared,
        "left out by class": _left_out(m, known),
        "lost at sea": sorted(town.name for town in wanted if town.place is None),
    }
    return m


def _french(world: World, file: str | None) -> dict[str, str]:
    """French names by the names of the sources."""
    if file is None:
        return {}
    found: dict[str, str] = json.loads(world.path(file).read_text(encoding="utf-8"))["names"]
    return found


def _left_out(m: HexMap, known: dict[str, Town]) -> dict[str, list[str]]:
    """Towns on the map's land that are no places because map.toml does not take their class: class -> names."""
    found: dict[str, list[str]] = {}
    for town in known.values():
        if town.place is None and town.facts["class"] not in m.config.towns.classes and town.cell in m.hexes:
            found.setdefault(str(town.facts["class"]), []).append(town.name)
    return {name: sorted(found[name]) for name in sorted(found)}


def _rank(m: HexMap, town: Town) -> int:
    """Cities before sites: which place gives its name to the hex."""
    name = str(town.facts.get("class"))
    return CITY_RANK.get(m.config.towns.rename.get(name, name), 0)


def _gazetteer_town(m: HexMap, world: World, place: Place, known: dict[str, Town]) -> Town:
    x, y = (float(value) for value in world.projection.forward(np.array([[place.lon, place.lat]]))[0])
    cell = m.grid.cell(place.hex) if place.hex else m.grid.cell_at(x, y)
    if not m.grid.has(cell):
        raise MapError(
            f"place {place.id!r} ({place.lat}, {place.lon}) lies off the grid", file=m.folder / "gazetteer.toml"
        )
    name = place.town or place.en
    if place.town is None and name not in known:
        near = [town for town in known.values() if math.dist((town.x, town.y), (x, y)) < 0.15 * m.grid.radius]
        name = min(near, key=lambda town: (math.dist((town.x, town.y), (x, y)), town.name)).name if near else name
    elif place.town == "-":
        name = place.id
    source = known.get(name)
    facts: Facts = {"class": place.cls} if place.cls else {}
    if source is not None and "pop" in source.facts and place.cls:
        facts["pop"] = source.facts["pop"]
    facts |= place.facts
    facts["_place"] = place
    return Town(name, x, y, cell, facts, place.weight + (200.0 if place.alone else 0.0), place.id)


def _assign(m: HexMap, world: World, towns: list[Town]) -> None:
    """Move crowded towns to a neighbouring hex; ports stay on the coast; nobody crosses a main river or a strait."""
    dry = [cell for cell in m.cells if m.dry(cell)]
    index = {cell: i for i, cell in enumerate(dry)}
    hexes = {cell: shapely.Polygon([m.grid.point(c) for c in m.grid.corners(cell)]) for cell in dry}
    major = set(m.config.rivers.major)
    rivers = [
        line
        for feature in world.all_features(m.config.sources.rivers)
        if m.config.rivers.rename.get(str(feature.props.get("name")), str(feature.props.get("name"))) in major
        for line in lines(feature.geometry)
    ]
    tree = shapely.STRtree(rivers)
    for town in towns:
        if _fixed(town) and not m.dry(town.cell) and not town.facts["_place"].sea_hex:
            town.cell = _nearest_dry(m, town)
    towns = [town for town in towns if not _fixed(town)]
    cost = np.full((len(towns), len(dry) + len(towns)), _NEVER)
    for row, town in enumerate(towns):
        for cell in [town.cell, *m.grid.neighbours(town.cell)]:
            if cell in index:
                price = _price(m, world, town, cell, hexes[cell], tree)
                cost[row, index[cell]] = price
        cost[row, len(dry) + row] = town.weight
    rows, columns = linear_sum_assignment(cost)
    for row, column in zip(rows, columns):
        if column < len(dry):
            towns[row].cell = dry[column]
        elif town_home_is_wet(m, towns[row]):
            towns[row].cell = _nearest_dry(m, towns[row])


def _fixed(town: Town) -> bool:
    place: Place | None = town.facts.get("_place")
    if place is None:
        return False
    minor = not place.alone and place.cls in {None, "site", "town"}
    return place.hex is not None or place.sea_hex or minor


def town_home_is_wet(m: HexMap, town: Town) -> bool:
    """Did the sea take the hex where this town lies?"""
    return not m.dry(town.cell)


def _nearest_dry(m: HexMap, town: Town) -> Cell:
    near = [cell for cell in m.near(town.cell) if m.dry(cell)]
    return min(near, key=lambda cell: (math.dist(m.grid.centre(cell), (town.x, town.y)), cell), default=town.cell)


def _price(m: HexMap, world: World, town: Town, cell: Cell, polygon: Any, rivers: Any) -> float:
    home = town.cell
    scale = 1 + town.weight / 60
    if cell == home:
        return (9.0 if m.stats[cell]["land"] < 0.16 else 0.0) * scale
    beyond = float(shapely.Point(town.x, town.y).distance(polygon)) / m.grid.radius
    place: Place | None = town.facts.get("_place")
    limit = 0.9 if place is not None and place.alone else m.config.towns.move
    if beyond > limit or (town.facts.get("port") and m.kind(cell) != "coast"):
        return _NEVER
    if m.dry(home) and m.wet_side(home, cell):
        return _NEVER
    line = shapely.LineString([(town.x, town.y), m.grid.centre(cell)])
    crossed = len(rivers.query(line, predicate="intersects")) > 0
    if crossed and not (place is not None and place.alone):
        return _NEVER
    return ((14 if place is not None else 6) + 90 * beyond + (60 if crossed else 0)) * scale


def _write(m: HexMap, town: Town, home: Cell, french: dict[str, str]) -> None:
    """Write a place and what it gives to its hex."""
    place: Place | None = town.facts.pop("_place", None)
    if town.place is None or (not m.dry(town.cell) and not (place is not None and place.sea_hex)):
        if place is None:
            town.place = None
            return
        raise MapError(f"place {place.id!r} lies in {m.grid.id(town.cell)}, which is {m.kind(town.cell)}",
                       file=m.folder / "gazetteer.toml")  # fmt: skip
    src = place.src if place is not None else "historical"
    english = place.en if place is not None else town.name
    told = place.fr if place is not None else None
    name = {"en": english, "fr": told or french.get(english) or french.get(town.name) or english}
    facts: Facts = {"name": name, "hexes": [m.grid.id(town.cell)]}
    facts |= {key: value for key, value in town.facts.items() if value not in (None, [], "")}
    if "class" in facts:
        facts["class"] = m.config.towns.rename.get(facts["class"], facts["class"])
    if m.config.city_flag and facts.get("class") in CITY_RANK:
        facts["city"] = True
    for key, tag in sorted(m.config.tags.items()):
        if facts.get(key):
            m.add_hex(town.cell, "tags", tag, SRC)
    if src != "historical":
        facts["src"] = src
    if town.cell != home:
        facts["moved"] = m.grid.id(home)
    m.places[town.place] = facts
    here = m.hexes[town.cell]
    if "class" in facts:
        if "place" not in here:
            m.set_hex(town.cell, "place", town.place, SRC)
        else:
            m.add_hex(town.cell, "also", town.place, SRC)
        if "port" in facts and here.get("port") != "major":
            m.set_hex(town.cell, "port", facts["port"], SRC)
        if facts["class"] in CITY_RANK and CITY_RANK[facts["class"]] > CITY_RANK.get(here.get("city", ""), 0):
            m.set_hex(town.cell, "city", facts["class"], SRC)
    rules_say = place is not None and not facts.get("inland")
    if "port" in facts and m.kind(town.cell) == "land" and (rules_say or m.stats[town.cell]["land"] < 0.995):
        m.set_hex(town.cell, "kind", "coast", "places:port")
    if place is not None:
        for key, value in sorted(place.on_hex.items()):
            put_fact(m, town.cell, key, value, src)


def put_fact(m: HexMap, cell: Cell, key: str, value: Any, src: str) -> None:
    """Write a fact on a hex; lists are merged, numbers added up, other contradictions refused."""
    old = m.hexes[cell].get(key)
    if old is None or old == value:
        m.set_hex(cell, key, value, src)
    elif isinstance(old, list) and isinstance(value, list):
        m.set_hex(cell, key, sorted([*old, *(item for item in value if item not in old)], key=str), src)
    elif isinstance(old, int) and isinstance(value, int):
        m.set_hex(cell, key, old + value, src)
    else:
        raise MapError(f"hex {m.grid.id(cell)}: {key} is both {old!r} and {value!r}", file=m.folder / "gazetteer.toml")
