"""Scenarios as worlds: the files of data/scenarios, each read when first played. A test may add a world of its own."""

from __future__ import annotations

from typing import Any

from grognard.games.surrender.loading import AIR_TYPES, FACTIONS, FILES, GROUND_TYPES, SHIP_TYPES, countries
from grognard.games.surrender.theatre import Theatre, theatre_named
from grognard.games.surrender.world import FAC_LOST, MARKERS, NEUTRAL, OUT_OF_PLAY, Unit, World
from grognard.kernel.errors import DataError
from grognard.kernel.rulebook import rule
from grognard.kit import Worlds

SCENARIO_NAMES = ("fall-gelb", "barbarossa", "mediterranean", "atlantic", "two-fronts", "channel")


def month_number(text: str) -> int:
    """`1940-05` as months since year 0."""
    year, month = text.split("-")
    return int(year) * 12 + int(month) - 1


@rule("countries", "scenario-fall-gelb", "scenario-barbarossa", "scenario-atlantic", "scenario-two-fronts")
def world_from(table: dict[str, Any], theatre: Theatre, name: str) -> World:
    """countries A scenario's table as a world: units with their country and faction, control, hands of markers."""
    start = month_number(table["start"])
    in_play = _window(table, theatre)
    units = tuple(_unit(entry, theatre, start, name) for entry in table["unit"])
    return World(
        name=name,
        theatre=theatre,
        units=units,
        title=table["title"],
        start=(start // 12, start % 12 + 1),
        turns=table["turns"],
        factions=tuple(FACTIONS.index(f) for f in table["factions"]),
        in_play=in_play,
        control=starting_control(table, theatre, in_play, units, name),
        capitals={c: _hex(theatre, h, name) for c, h in table.get("capitals", {}).items() if c != "src"},
        edges=_edges(table, theatre, in_play),
        home={FACTIONS.index(f): tuple(c) for f, c in table["home"].items()},
        points=dict(table.get("points", {})),
        fac_lost=_fac_lost(table, name),
        off_map_ports=off_map_ports(table, theatre, in_play, name),
        markers=tuple(
            tuple(table.get("markers", {}).get(f, {}).get(m.id, 0) for m in MARKERS) for f in FACTIONS
        ),
        data=table,
    )  # fmt: skip


@rule("control", "countries")
def starting_control(
    table: dict[str, Any], theatre: Theatre, in_play: bytes, units: tuple[Unit, ...], where: str
) -> bytes:
    """control At the start a hex is its country's faction's; others are neutral.

    In a contested country, where the front runs through it, a hex is held by the faction of the nearest army; single
    hexes may be named under `held`.
    """
    by_country = {c: FACTIONS.index(f) + 1 for c, f in table["control"].items() if c != "src"}
    contested = set(table.get("contested", ()))
    armies = [(u.hex, u.faction + 1) for u in units if u.ground and u.hex >= 0 and not u.arrives]
    distance = theatre.grid.distance
    control = bytearray(len(theatre.grid))
    for hex in range(len(theatre.grid)):
        country = theatre.country[hex]
        if not in_play[hex]:
            control[hex] = OUT_OF_PLAY
        elif theatre.land[hex]:
            control[hex] = by_country.get(country, NEUTRAL)
            if country in contested and armies:
                near = min(distance(hex, at) for at, _ in armies)
                holders = {faction for at, faction in armies if distance(hex, at) == near}
                if control[hex] not in holders:
                    control[hex] = min(holders)
    for place, faction in table.get("held", {}).items():
        control[_hex(theatre, place, where)] = FACTIONS.index(faction) + 1
    return bytes(control)


@rule("strategic-drm-axis-atlantic", "strategic-drm-axis-32")
def off_map_ports(table: dict[str, Any], theatre: Theatre, in_play: bytes, where: str) -> dict[int, int]:
    """Zones that have no port on the map in play, and the hex whose holder has one there; -1 for the Axis throughout.

    A zone with ports on the map is won and lost there.
    """
    found = dict.fromkeys(table.get("axis_port_zones", ()), -1)
    for zone, place in table.get("off_map_ports", {}).items():
        found[int(zone)] = _hex(theatre, place, where)
    ports = [h for h, port in enumerate(theatre.port) if port and in_play[h]]
    for zone in found:
        here = [theatre.grid.names[h] for h in ports if zone in theatre.zones[h]]
        if here:
            reason = f"has ports in play: {', '.join(here)}; leave it out"
            raise DataError(f"scenarios/{where}.toml", f"ports of zone {zone}", reason)
    return found


def _hex(theatre: Theatre, name: str, where: str) -> int:
    """A hex by the key of a place or by its printed number."""
    if name in theatre.places:
        return theatre.places[name]
    try:
        return theatre.grid.hex_named(name)
    except LookupError as error:
        raise DataError(f"scenarios/{where}.toml", name, str(error)) from error


def _window(table: dict[str, Any], theatre: Theatre) -> bytes:
    """The hexes in play: rows and columns of the scenario's window, or the whole map."""
    window = table.get("window")
    if not window:
        return bytes([1]) * len(theatre.grid)
    rows, cols = window["rows"], window["cols"]
    numbering = theatre.grid.numbering
    inside = bytearray(len(theatre.grid))
    for hex, name in enumerate(theatre.grid.names):
        row, col = numbering.split(name)
        inside[hex] = rows[0] <= row <= rows[1] and cols[0] <= col <= cols[1]
    return bytes(inside)


def _edges(table: dict[str, Any], theatre: Theatre, in_play: bytes) -> dict[int, tuple[int, ...]]:
    """supply-sources The land hexes of the window's rim on the sides that a faction calls its own."""
    numbering = theatre.grid.numbering
    inside = [h for h, yes in enumerate(in_play) if yes]
    split = {h: numbering.split(theatre.grid.names[h]) for h in inside}
    rows, cols = [s[0] for s in split.values()], [s[1] for s in split.values()]
    limit = {"north": (0, min(rows)), "south": (0, max(rows)), "west": (1, min(cols)), "east": (1, max(cols))}
    edges: dict[int, tuple[int, ...]] = {}
    for faction, sides in table.get("edges", {}).items():
        wanted = [limit[side] for side in sides]
        edges[FACTIONS.index(faction)] = tuple(
            h for h in inside if theatre.land[h] and any(split[h][field] == value for field, value in wanted)
        )
    return edges


def _unit(entry: dict[str, Any], theatre: Theatre, start: int, where: str) -> Unit:
    known = countries()
    if entry["country"] not in known:
        raise DataError(f"scenarios/{where}.toml", entry["id"], f"unknown country {entry['country']!r}")
    if entry["type"] not in GROUND_TYPES + AIR_TYPES + SHIP_TYPES:
        raise DataError(f"scenarios/{where}.toml", entry["id"], f"unknown type {entry['type']!r}")
    faction = entry.get("faction", known[entry["country"]].faction)
    spot = entry.get("place") or entry.get("hex")
    hex = _hex(theatre, spot, where) if spot else -1
    limit = entry.get("east_of_place")
    east_of = theatre.grid.numbering.split(theatre.grid.names[_hex(theatre, limit, where)])[1] if limit else -1
    arrives = month_number(entry["arrives"]) - start if "arrives" in entry else 0
    return Unit(
        entry["id"], entry["name"], entry["country"], FACTIONS.index(faction), entry["type"], entry.get("elite", False),
        hex, arrives, entry.get("reduced", False), entry.get("sorties", 0), entry["src"], east_of,
    )  # fmt: skip


@rule("fac-lost-start")
def _fac_lost(table: dict[str, Any], where: str) -> tuple[int, int, int]:
    """fac-lost-start The starting values, each from 1 to 9."""
    values = tuple(table["fac_lost"].get(c, 1) for c in FAC_LOST)
    for country, value in zip(FAC_LOST, values):
        if not 1 <= value <= 9:
            raise DataError(f"scenarios/{where}.toml", f"fac_lost.{country}", f"{value} is not from 1 to 9")
    return values[0], values[1], values[2]


def read_world(name: str) -> World:
    """The world of a scenario that ships with the game."""
    table = FILES.toml(f"scenarios/{name}.toml")
    return world_from(table, theatre_named(table["map"]), name)


WORLDS = Worlds(lambda: FILES.names("scenarios"), read_world)


def world_named(name: str) -> World:
    """The world of a scenario."""
    return WORLDS[name]


def add_world(world: World) -> None:
    """Make a world playable under its name (tests, scenario designers)."""
    WORLDS[world.name] = world


def is_written(name: str) -> bool:
    """Is there a file for this scenario, and its map?"""
    return FILES.has(f"scenarios/{name}.toml") and FILES.has("map.json")
