"""Units, event markers and scenarios as frozen values, and the world (map, units, scenario) of a position.

Scenarios are files in data/scenarios; each is read when first played. A test may add a world of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from grognard.games.surrender.charts import (
    AIR_TYPES,
    DATA,
    FACTIONS,
    GROUND_TYPES,
    SHIP_TYPES,
    charts,
    countries,
    read_toml,
)  # fmt: skip
from grognard.games.surrender.theatre import Theatre, theatre_named
from grognard.kernel.errors import DataError, UnknownName
from grognard.kernel.rulebook import rule

AXIS, WESTERN, SOVIET = range(3)
NEUTRAL, OUT_OF_PLAY = 0, 4  # control: 0 nobody, 1 to 3 a faction plus one, 4 outside the scenario
SCENARIO_NAMES = ("fall-gelb", "barbarossa", "atlantic", "two-fronts", "channel")
FAC_LOST = ("germany", "uk", "ussr")


@dataclass(frozen=True, slots=True)
class Unit:
    """A counter: who it is, what it is, where and when it starts."""

    id: str
    name: str
    country: str
    faction: int
    type: str
    elite: bool
    hex: int  # -1: any free friendly home city
    arrives: int  # 0 at start, else months after the start
    reduced: bool
    sorties: int
    src: str
    east_of: int = -1  # reinforcements: column from which a city may receive it

    ground: bool = field(init=False)  # unit-ground: infantry, motorised, shock or tank
    air: bool = field(init=False)  # unit-air: fighter or bomber
    ship: bool = field(init=False)  # unit-naval: warship, carrier or convoy
    warship: bool = field(init=False)  # unit-naval: warship or carrier
    slot: str = field(init=False)  # stacking: which of the four places of a hex it takes

    def __post_init__(self) -> None:
        """What follows from the type, once and for all."""
        kind = self.type
        ground, air = kind in GROUND_TYPES, kind in AIR_TYPES
        slot = "ground" if ground else "air" if air else "convoy" if kind == "convoy" else "warship"
        facts = {"ground": ground, "air": air, "ship": kind in SHIP_TYPES, "warship": kind in ("warship", "carrier")}
        for name, value in (facts | {"slot": slot}).items():
            object.__setattr__(self, name, value)


@dataclass(frozen=True, slots=True)
class MarkerKind:
    """An event marker: its rule, what it may be committed to and what it does."""

    id: str
    rule: str
    faction: str  # a faction, or "any"
    combat: str  # ground, air, strategic, or another use
    role: str  # attacker, defender or any
    drm: int
    src: str
    halves_enemy: bool = False
    bridges: bool = False


def _markers() -> tuple[MarkerKind, ...]:
    return tuple(
        MarkerKind(
            m["id"], m["rule"], m["faction"], m["combat"], m.get("role", "any"), m.get("drm", 0), m["src"],
            m.get("halves_enemy", False), m.get("bridges", False),
        )
        for m in read_toml("markers.toml")["marker"]
    )  # fmt: skip


MARKERS = _markers()
MARKER_IDS = {m.id: i for i, m in enumerate(MARKERS)}


@dataclass(frozen=True)
class World:
    """Everything that never changes in one scenario."""

    name: str
    theatre: Theatre
    units: tuple[Unit, ...]
    title: dict[str, str]
    start: tuple[int, int]  # year, month 1-12
    turns: int
    factions: tuple[int, ...]
    in_play: bytes
    control: bytes  # at the start, by hex
    capitals: dict[str, int]
    edges: dict[int, tuple[int, ...]]  # supply-sources: friendly edge hexes, by faction
    home: dict[int, tuple[str, ...]]
    points: dict[str, int]
    fac_lost: tuple[int, int, int]
    markers: tuple[tuple[int, ...], ...]  # by faction, by marker
    data: dict[str, Any]  # victory and the scenario's own numbers

    @cached_property
    def hex_names(self) -> tuple[str, ...]:
        """The printed numbers of the hexes."""
        return self.theatre.grid.names

    @cached_property
    def hex_ids(self) -> dict[str, int]:
        """Hexes by their printed numbers."""
        return {name: hex for hex, name in enumerate(self.hex_names)}

    @cached_property
    def unit_ids(self) -> dict[str, int]:
        """Units by id."""
        return {unit.id: number for number, unit in enumerate(self.units)}

    @cached_property
    def of_faction(self) -> tuple[tuple[int, ...], ...]:
        """The units of each faction."""
        return tuple(tuple(n for n, u in enumerate(self.units) if u.faction == f) for f in range(3))

    @cached_property
    def armies_of(self) -> tuple[tuple[int, ...], ...]:
        """The ground units of each faction."""
        return tuple(tuple(n for n in self.of_faction[f] if self.units[n].ground) for f in range(3))

    @cached_property
    def others_of(self) -> tuple[tuple[int, ...], ...]:
        """The air and naval units of each faction."""
        return tuple(tuple(n for n in self.of_faction[f] if not self.units[n].ground) for f in range(3))

    @cached_property
    def foes_of(self) -> tuple[tuple[int, ...], ...]:
        """factions For each faction those in play that are at war with it: the Axis is one side of every war."""
        return tuple(tuple(f for f in self.factions if f != side and AXIS in (f, side)) for side in range(3))

    @cached_property
    def sea_searches(self) -> dict[Any, tuple[dict[int, int], dict[int, int]]]:
        """naval-move Searches of the sea already made, by start, points and closed straits."""
        return {}

    @cached_property
    def grounds(self) -> dict[tuple[int, bytes], Any]:
        """supply-land Grounds whose regions were worked out, by faction and mask (rules/lines.py)."""
        return {}

    @cached_property
    def reaches(self) -> dict[Any, Any]:
        """move-cost Searches on land already made, by start, points, weather and masks (rules/movement.py)."""
        return {}

    @cached_property
    def meetings(self) -> dict[Any, int]:
        """intercept Where a unit in a hex meets a route, by hex, reach and route (rules/interception.py)."""
        return {}

    @cached_property
    def sources(self) -> tuple[tuple[int, ...], ...]:
        """supply-sources Capitals of each faction's home countries and its map edges, whoever holds them now."""
        return tuple(
            (*(self.capitals[c] for c in self.home.get(f, ()) if c in self.capitals), *self.edges.get(f, ()))
            for f in range(3)
        )

    @cached_property
    def ports(self) -> tuple[int, ...]:
        """Every port in play."""
        return tuple(h for h, port in enumerate(self.theatre.port) if port and self.in_play[h])

    def sea_of(self, zones: set[int]) -> tuple[int, ...]:
        """All-sea hexes of these maritime zones."""
        key = tuple(sorted(zones))
        found = self._seas.get(key)
        if found is None:
            theatre = self.theatre
            found = tuple(h for h, yes in enumerate(theatre.sea) if yes and zones.intersection(theatre.zones[h]))
            self._seas[key] = found
        return found

    @cached_property
    def _seas(self) -> dict[tuple[int, ...], tuple[int, ...]]:
        return {}

    @cached_property
    def land_in_play(self) -> tuple[int, ...]:
        """Land hexes of the scenario."""
        return tuple(h for h, yes in enumerate(self.in_play) if yes and self.theatre.land[h])

    @cached_property
    def coast(self) -> tuple[int, ...]:
        """Coastal hexes in play."""
        return tuple(h for h in self.land_in_play if self.theatre.coastal[h])

    @cached_property
    def factories(self) -> tuple[int, ...]:
        """Factory hexes in play."""
        return tuple(h for h, yes in enumerate(self.theatre.factory) if yes and self.in_play[h])

    @cached_property
    def cities(self) -> tuple[int, ...]:
        """Cities in play."""
        return tuple(h for h in self.strongholds if self.theatre.city[h])

    @cached_property
    def stronghold_mask(self) -> int:
        """The same as a number: one byte a hex, 1 where there is one."""
        mask = bytearray(len(self.in_play))
        for hex in self.strongholds:
            mask[hex] = 1
        return int.from_bytes(mask, "little")

    @cached_property
    def railheads(self) -> tuple[int, ...]:
        """strategic-move Land hexes at or next to a city."""
        return tuple(h for h in self.land_in_play if self.theatre.near_city[h])

    @cached_property
    def strongholds(self) -> tuple[int, ...]:
        """Cities and forts in play."""
        theatre = self.theatre
        return tuple(h for h, yes in enumerate(self.in_play) if yes and (theatre.city[h] or theatre.fort[h]))

    def unit_number(self, unit_id: str) -> int:
        """The unit with that id; the error suggests close ones."""
        if unit_id not in self.unit_ids:
            raise UnknownName("unit", unit_id, self.unit_ids)
        return self.unit_ids[unit_id]


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


class Worlds(dict[str, World]):
    """Worlds by the name of their scenario, each read when first asked for."""

    def __missing__(self, name: str) -> World:
        table = read_toml(f"scenarios/{name}.toml")
        self[name] = world_from(table, theatre_named(table["map"]), name)
        return self[name]


WORLDS = Worlds()


def world_named(name: str) -> World:
    """The world of a scenario."""
    return WORLDS[name]


def add_world(world: World) -> None:
    """Make a world playable under its name (tests, scenario designers)."""
    WORLDS[world.name] = world


def movement_allowance(kind: str) -> int:
    """Points of a ground unit in full supply."""
    return int(charts()["movement"]["allowance"][kind])


def is_written(name: str) -> bool:
    """Is there a file for this scenario, and its map?"""
    return (DATA / "scenarios" / f"{name}.toml").is_file() and (DATA / "map.json").is_file()
