"""Passes of the Normandy map: shores, settlements by the rules' classes, air zones, closed hexsides."""

from __future__ import annotations

import shapely

from maps.compiler.build import Pass
from maps.compiler.errors import MapError
from maps.compiler.gazetteer import read_gazetteer
from maps.compiler.land import cell_polygons
from maps.compiler.model import HAND, HexMap, Town
from maps.compiler.sources import Feature, World
from maps.draw.compiled import labels


def passes(usual: list[Pass]) -> list[Pass]:
    """The usual passes with ours among them."""
    after = {
        "land": [("shores", shores)],
        "places": [("settlements", settlements), ("gates", gates), ("rim", rim)],
        "areas": [("zones", zones), ("labels", labels)],
        "overrides": [("finish", finish)],
    }
    return [step for name, function in usual for step in [(name, function), *after.get(name, [])]]


def shores(m: HexMap, world: World) -> HexMap:
    """Hexes and sides settled by hand (map.toml, extra.shore and extra.waterside); coasts follow from the hexes."""
    m = m.fork()
    for entry in m.config.extra["shore"]:
        for number in entry["at"]:
            m.set_hex(m.grid.cell(number), "kind", entry["kind"], HAND)
    for cell in m.cells:
        if m.kind(cell) == "land" and any(m.kind(other) == "sea" for other in m.near(cell)):
            m.hexes[cell]["kind"] = "coast"
    for entry in m.config.extra.get("waterside", []):
        pair = m.pair(*(m.grid.cell(number) for number in entry["between"]))
        if entry["water"]:
            m.set_side(*pair, "water", True, HAND)
        elif m.sides.get(pair, {}).pop("water", None) is None:
            raise MapError(f"{m.pair_key(pair)} is no water side: remove the entry", file=m.folder / "map.toml")
    return m


def settlements(m: HexMap, world: World) -> HexMap:
    """2.2 Towns and villages of the gazetteer count for the rules; every other settlement is a hamlet and does not."""
    m = m.fork()
    known = {place.id for place in read_gazetteer(m.folder)}
    for key, facts in m.places.items():
        if key not in known:
            facts["class"] = "hamlet"
            facts.pop("port", None)
            continue
        second = facts.pop("second", None)
        if second is not None:
            facts["hexes"] = [*facts["hexes"], second]
        for number in facts["hexes"]:
            cell = m.grid.cell(number)
            if not m.dry(cell):
                raise MapError(f"{key} stands in {number}, which is {m.kind(cell)}", file=m.folder / "gazetteer.toml")
            m.set_hex(cell, "place", key, facts.get("src", "historical"))
            m.set_hex(cell, "town", facts["class"], facts.get("src", "historical"))
            if facts["class"] == "town" and number == second and facts.get("port"):
                continue
            if facts.get("port") and number == facts["hexes"][0]:
                m.set_hex(cell, "port", facts["port"], facts.get("src", "historical"))
    for cell in m.cells:
        here = m.hexes[cell]
        here.pop("also", None)
        if "place" in here and m.places[here["place"]]["class"] == "hamlet" and "port" in here:
            del here["port"]
    return m


def gates(m: HexMap, world: World) -> HexMap:
    """1.1.2.1 Roads to towns beyond the edge end at the entry hex that leads there (map.toml, extra.gates)."""
    m = m.fork()
    for name, number in m.config.extra["gates"].items():
        cell = m.grid.cell(number)
        x, y = m.grid.centre(cell)
        m.towns[name] = Town(name, x, y, cell, {"class": "gate"}, 0.0)
    return m


def rim(m: HexMap, world: World) -> HexMap:
    """Cut the rivers by the hexes: the Touques runs along the staggered edge, where no hexside could carry it."""
    inside = shapely.union_all(shapely.buffer(cell_polygons(m), 0.02 * m.grid.radius)).buffer(-0.12 * m.grid.radius)
    for name in m.config.sources.rivers:
        cut = [Feature(f.props, f.geometry.intersection(inside), f.source) for f in world.features(name)]
        world.features(name)[:] = [feature for feature in cut if not feature.geometry.is_empty]
    return m


def zones(m: HexMap, world: World) -> HexMap:
    """9.2 Tactical interdiction zones: blocks of rows and columns; every dry hex lies in exactly one."""
    m = m.fork()
    told = m.config.extra["zones"]
    found: dict[str, list[str]] = {zone["id"]: [] for zone in told}
    for cell in m.cells:
        if not m.dry(cell):
            continue
        number = m.grid.id(cell)
        row, col = int(number[:2]), int(number[2:])
        inside = [z for z in told if z["rows"][0] <= row <= z["rows"][1] and z["cols"][0] <= col <= z["cols"][1]]
        if len(inside) != 1:
            names = ", ".join(z["id"] for z in inside) or "no zone"
            raise MapError(f"hex {number} lies in {names}; extra.zones must cover each land hex once",
                           file=m.folder / "map.toml")  # fmt: skip
        found[inside[0]["id"]].append(number)
        m.set_hex(cell, "zone", inside[0]["id"], "proposed")
    for zone in told:
        m.areas[zone["id"]] = {
            "name": {"en": zone["en"], "fr": zone["fr"]},
            "kind": "air-zone",
            "hexes": found[zone["id"]],
            "src": "proposed",
        }
    return m


def finish(m: HexMap, world: World) -> HexMap:
    """A side that is all water closes the way like an estuary."""
    m = m.fork()
    for (one, other), facts in m.sides.items():
        if facts.get("water") and not facts.get("impassable"):
            m.set_side(one, other, "impassable", True, "land")
    return m
