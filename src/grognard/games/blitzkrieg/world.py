"""What never changes: the tables, the catalogue of units, and for each scenario who is in it and what it is about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from grognard.kernel import DataError, Side, rule
from grognard.kernel.kept import Kept
from grognard.kit.tablegame import sight_of
from grognard.tabletop import DISC_3, DISC_4, LONG_6, Base, Bases, Sight, StepCosts, Table, load_table, load_terrain
from grognard.tabletop.ground import AreaKind, Terrain, Zone
from grognard.tabletop.shapes import Box

from .loading import CHARTS, FILES, MODELS, QUALITIES, SUPPORTS, VEHICLES, Gun, Model, Support, Team, Vehicle

SIDES = ("allies", "axis")
MOST_STEPS = 24  # tables of costs that a world keeps, of half a megabyte each
ALLIES, AXIS = 0, 1
AXIS_NATIONS = ("DE", "IT", "JP")
BASES = {"infantry": DISC_3, "gun": DISC_4, "vehicle": LONG_6}  # base-measure
DRIVES = {"tracked": "tracked", "half-track": "half", "wheeled": "wheeled"}
PIONEERS = ("pioneer", "pioneer_ft")
TERRAIN = load_terrain(FILES.folder / "terrain.toml")


@rule("002a", "002d", "002e")
def _old_terrain() -> Terrain:
    """The terrain without proposal 002: one kind of wood, sand and paddy as marsh, steep hills as hills."""
    old, areas = CHARTS["off"]["002"], dict(TERRAIN.areas)
    for name in ("light-wood", "dense-wood", "orchard"):
        areas[name] = areas[name]._replace(rate=old["wood"], bog=())
    for name, like in old["same"].items():
        kind: AreaKind = areas[like]
        areas[name] = kind._replace(name=name)
    return TERRAIN._replace(areas=areas)


OLD_TERRAIN = _old_terrain()


@dataclass(frozen=True)
class Formation:
    """Units that are activated together (base-activation)."""

    number: int
    name: str
    side: Side
    units: tuple[int, ...]
    zone: str
    hidden: bool
    dug_in: bool
    entrenched: bool
    fausts: bool
    launchers: bool
    charges: int
    arrives: int
    riding: tuple[tuple[int, int], ...]  # who begins aboard what (base-transport, 403)
    bunkers: int  # so many of its units begin in a bunker
    smoke: bool = False

    @property
    def commander(self) -> int:
        """The unit that the others keep in touch with: the first of the list (base-command)."""
        return self.units[0]


@dataclass(frozen=True)
class Battery:
    """A battery off the table (302)."""

    name: str
    side: Side
    nation: str
    support: Support


WORKS = ("barricade", "wire", "obstacle")
CAPABILITIES = {"panzerfausts": "cap_pf", "launchers": "cap_gl", "smoke": "cap_smoke", "charges": "cap_charge"}
BUNKERS = "bunkers"
SECTIONS = {"mines": "mines", "barricade": "barricade", "wire": "wire", "obstacle": "atobst"}  # supports by kind


@dataclass(frozen=True)
class Work:
    """Ten centimetres of barricade, wire or anti-tank obstacle (base-barricade, 503): a line along the table."""

    number: int
    name: str
    kind: str
    feature: int  # its number among the features of the table
    box: Box  # in quarter centimetres, without depth
    on_road: bool
    side: Side = ALLIES  # who puts it up, where forces are bought


@dataclass(frozen=True)
class Flight:
    """Air support (601)."""

    name: str
    side: Side
    nation: str
    support: Support
    weapons: tuple[str, ...]
    superiority: bool


@dataclass(frozen=True)
class Minefield:
    """A section of mines (base-minefield): a rectangle in quarter centimetres."""

    name: str
    x: int
    y: int
    wide: int
    deep: int
    side: Side = ALLIES  # who lays it, where forces are bought


@dataclass(frozen=True)
class Offer:
    """What may be bought in a scenario (base-points): units of a model in a formation, or a support.

    A support is a battery, aircraft, a capability of a formation, or sections of mines and works; `most` of it.
    """

    name: str
    side: Side
    formation: int
    model: str  # of units, or the support
    quality: int
    units: tuple[int, ...]
    most: int = 0
    what: str = ""  # battery, air, panzerfausts, launchers, smoke, charges, bunkers, mines, barricade, wire, obstacle
    number: int = -1  # of the battery or the flight

    @property
    def is_support(self) -> bool:
        """Not units."""
        return not self.units


CREWS = 3  # crews on foot that a nation has at a time; more than that are lost with their vehicles
CREW = "crew"


def formations_of(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The formations of a scenario, and one of crews on foot for each nation with vehicles (base-bailed-crew)."""
    found: list[Mapping[str, Any]] = list(document["formation"])
    for entry in document["formation"]:
        name = f"{entry['nation'].lower()}-crews"
        if any(model in VEHICLES for model in entry["units"]) and name not in [f["name"] for f in found]:
            crews = {key: entry[key] for key in ("nation", "zone", "quality")}
            found.append({"name": name, "units": [CREW] * CREWS, **crews})
    return found


class World:
    """A scenario: its table, its units and formations, its objectives."""

    def __init__(self, name: str, document: Mapping[str, Any]) -> None:
        self.name, self.document = name, document
        self.table: Table = built_table(document)
        self.year, self.turns, self.margin = int(document["year"]), int(document["turns"]), int(document["margin"])
        self.least = int(document.get("least", 0))  # points that the attacker needs besides
        start = document.get("start_points", {})
        self.start_points = tuple(int(start.get(side, 0)) for side in SIDES)  # for the side with the harder task
        self.attacker, self.first = SIDES.index(document["attacker"]), SIDES.index(document["first"])
        self.quality: dict[int, int] = {}
        self.formation_of: dict[int, int] = {}
        taken: dict[tuple[str, str], int] = {}
        self._named: dict[str, list[int]] = {}
        self.formations: tuple[Formation, ...] = tuple(
            self._formation(n, entry, taken) for n, entry in enumerate(formations_of(document))
        )
        self.units: tuple[int, ...] = tuple(unit for formation in self.formations for unit in formation.units)
        self.of_side = tuple(tuple(u for u in self.units if SIDE_OF[u] == side) for side in range(2))
        self.strength = tuple(sum(not IS_CREW[u] for u in units) for units in self.of_side)
        self.bases = bases_of(self.table)
        self.batteries: tuple[Battery, ...] = tuple(self._battery(entry) for entry in document.get("battery", ()))
        self.flights: tuple[Flight, ...] = tuple(self._flight(entry) for entry in document.get("air", ()))
        if "muster" not in document:  # what is bought is looked at when it is bought
            self._check_support()
        self.mines: tuple[Minefield, ...] = tuple(self._mine(entry) for entry in document.get("mines", ()))
        self.works: tuple[Work, ...] = tuple(self._work(n, entry) for n, entry in enumerate(document.get("works", ())))
        given = document.get("muster", {})
        self.muster = tuple(int(given.get(name, 0)) for name in SIDES)  # points of each side, where forces are bought
        self.offers: tuple[Offer, ...] = self._offers() if given else ()
        self.muster_nation = tuple(next((NATION_OF[u] for u in units), "") for units in self.of_side)
        self.snow = int(document.get("snow", 0))
        self.exits: Mapping[str, Any] = document.get("exit", {})
        self._steps = Kept(MOST_STEPS)  # by drive, rates and opened works, of which a long game has ever new ones

    def _formation(self, number: int, entry: Mapping[str, Any], taken: dict[tuple[str, str], int]) -> Formation:
        nation, units = entry["nation"], []
        for model in entry["units"]:
            count = taken[nation, model] = taken.get((nation, model), 0) + 1
            unit = UNIT_IDS[unit_name(nation, model, count)]
            units.append(unit)
            self.quality[unit] = QUALITIES.index(entry["quality"])
            self.formation_of[unit] = number
        for word, places in entry.get("but", {}).items():
            self.quality |= {units[place]: QUALITIES.index(word) for place in places}
        self._named[entry["name"]] = units
        side = AXIS if nation in AXIS_NATIONS else ALLIES
        if entry["zone"] not in {zone.id for zone in self.table.zones}:
            raise DataError(f"blitzkrieg/data/scenarios/{self.name}.toml", entry["name"], f"no zone {entry['zone']!r}")
        words = ("hidden", "dug_in", "entrenched", "panzerfausts", "launchers")
        given = tuple(bool(entry.get(word)) for word in words)
        arrives = int(entry.get("arrives", 1))
        made: Any = Formation
        found: Formation = made(
            number,
            entry["name"],
            side,
            tuple(units),
            entry["zone"],
            *given,
            int(entry.get("charges", 0)),
            arrives,
            tuple((units[rider], self._carrier(units, where)) for rider, *where in entry.get("riding", ())),
            int(entry.get("bunkers", 0)),
            self._smoke(entry),
        )
        return found

    def _carrier(self, units: list[int], where: list[Any]) -> int:
        """A place in the same formation, or the name of one before it and a place there."""
        place = int(where[-1])
        return self._named[where[0]][place] if len(where) > 1 else units[place]

    @rule("107a")
    def _smoke(self, entry: Mapping[str, Any]) -> bool:
        """107a Smoke belongs to sections of pioneers."""
        if entry.get("smoke") and not any(model in PIONEERS for model in entry["units"]):
            raise DataError(
                f"blitzkrieg/data/scenarios/{self.name}.toml", entry["name"], "smoke is for pioneers (107a)"
            )
        return bool(entry.get("smoke"))

    def _offers(self) -> tuple[Offer, ...]:
        """One offer for each model of each formation, one for each battery, flight, capability and kind of works."""
        found = []
        for f in self.formations:
            for model in dict.fromkeys(MODEL_OF[u].id for u in f.units if not IS_CREW[u]):
                units = tuple(u for u in f.units if MODEL_OF[u].id == model)
                name = f"{f.name}-{model.replace('_', '-')}"
                found.append(Offer(name, f.side, f.number, model, self.quality[units[0]], units))
            entry = self.document["formation"][f.number] if f.number < len(self.document["formation"]) else {}
            for word, support in (*CAPABILITIES.items(), (BUNKERS, "bunker")):
                if entry.get(word):
                    name, most = f"{f.name}-{word}", int(entry[word])
                    found.append(Offer(name, f.side, f.number, support, 1, (), most, word))
        for number, battery in enumerate(self.batteries):
            found.append(Offer(battery.name, battery.side, -1, battery.support.id, 1, (), 1, "battery", number))
        for number, flight in enumerate(self.flights):
            found.append(Offer(flight.name, flight.side, -1, flight.support.id, 1, (), 1, "air", number))
        sides = [(m.side, "mines") for m in self.mines] + [(work.side, work.kind) for work in self.works]
        for side, kind in dict.fromkeys(sides):
            name = f"{SIDES[side]}-{kind}"
            found.append(Offer(name, side, -1, SECTIONS[kind], 1, (), sides.count((side, kind)), kind))
        return tuple(found)

    @cached_property
    def given(self) -> dict[tuple[int, str], int]:
        """Where forces are bought: the offer of a capability of a formation, or of what has a number (base-points)."""
        found = {}
        for n, offer in enumerate(self.offers):
            if offer.is_support:
                key = (
                    offer.number if offer.number >= 0 else offer.formation if offer.formation >= 0 else -1 - offer.side
                )
                found[key, offer.what] = n
        return found

    def _battery(self, entry: Mapping[str, Any]) -> Battery:
        if entry["support"] not in SUPPORTS:
            file = f"blitzkrieg/data/scenarios/{self.name}.toml"
            raise DataError(file, entry["name"], f"no support {entry['support']!r}")
        side = AXIS if entry["nation"] in AXIS_NATIONS else ALLIES
        return Battery(entry["name"], side, entry["nation"], SUPPORTS[entry["support"]])

    @rule("302a", "302c", "409c", "409d", "701f")
    def _check_support(self) -> None:
        """302c Mortars on the table are not off it too, but for two British ones (409d); 302a, 409c; 701f snipers."""
        file = f"blitzkrieg/data/scenarios/{self.name}.toml"
        for battery in self.batteries:
            nation, support = battery.nation, battery.support
            if nation not in support.nations or self.year < support.first:
                raise DataError(file, battery.name, f"{nation} has no {support.id} in {self.year}")
            if support.id == "off_m120" and nation == "DE" and self.year < 1943:
                raise DataError(file, battery.name, "German 120 mm mortars come in 1943 (302a, 409c)")
            weapon = support.weapon.id if support.level == "organic" and support.weapon else ""
            mortars = [m for u in self.units if NATION_OF[u] == nation and isinstance(m := MODEL_OF[u], Gun)]
            here = sum(m.weapon.id == weapon for m in mortars)
            if here and not (nation == "UK" and here <= 2 and support.pieces == 4):
                raise DataError(file, battery.name, "its mortars are on the table (302c)")
        for side in self.of_side:
            if sum(MODEL_OF[u].id == "sniper" for u in side) > 2:
                raise DataError(file, "snipers", "two a side at most (701f)")

    @rule("601", "base-air-scope")
    def _flight(self, entry: Mapping[str, Any]) -> Flight:
        """601 Close support only: aircraft of the supports, with the weapons of 603c."""
        support, file = SUPPORTS.get(entry["support"]), f"blitzkrieg/data/scenarios/{self.name}.toml"
        if support is None or support.level != "air":
            raise DataError(file, entry["name"], f"no air support {entry['support']!r}")
        known = CHARTS["air_more"]["dice"]
        if not entry["weapons"] or any(weapon not in known for weapon in entry["weapons"]):
            raise DataError(file, entry["name"], f"weapons are some of {', '.join(known)}")
        side = AXIS if entry["nation"] in AXIS_NATIONS else ALLIES
        weapons, superiority = tuple(entry["weapons"]), bool(entry.get("superiority"))
        return Flight(entry["name"], side, entry["nation"], support, weapons, superiority)

    def _mine(self, entry: Mapping[str, Any]) -> Minefield:
        (x, y), (wide, deep) = entry["at"], entry["size"]
        if sorted((wide, deep)) != [5, 10]:
            raise DataError(f"blitzkrieg/data/scenarios/{self.name}.toml", entry["name"], "a section is 10 x 5 cm")
        corner, size = (int(4 * x), int(4 * y)), (int(4 * wide), int(4 * deep))
        return Minefield(entry["name"], *corner, *size, self._layer(entry))

    def _layer(self, entry: Mapping[str, Any]) -> Side:
        """Who lays mines or puts up a work, where forces are bought: the side that the entry names."""
        return SIDES.index(entry.get("side", SIDES[1 - self.attacker]))

    def _work(self, number: int, entry: Mapping[str, Any]) -> Work:
        file = f"blitzkrieg/data/scenarios/{self.name}.toml"
        if entry["kind"] not in WORKS:
            raise DataError(file, entry["name"], f"no work {entry['kind']!r}; known: {', '.join(WORKS)}")
        (ax, ay), (bx, by) = sorted([int(4 * x), int(4 * y)] for x, y in entry["path"])
        if (ax != bx and ay != by) or abs(bx - ax) + abs(by - ay) != 40:
            raise DataError(file, entry["name"], "a work is 10 cm along an edge of the table")
        box, table = Box(ax, ay, bx - ax, by - ay), self.table
        roads = (table.kind[table.point_at(ax + (bx - ax) * n // 8, ay + (by - ay) * n // 8)] for n in range(9))
        on_road = any(kind in ("road", "sunken", "bridge") for kind in roads)
        feature = table.by_id[entry["name"]].number
        return Work(number, entry["name"], entry["kind"], feature, box, on_road, self._layer(entry))

    @property
    def sight(self) -> Sight:
        """The lines of sight of the table."""
        return sight_of(self.table)

    @cached_property
    def zones(self) -> dict[str, Zone]:
        """The zones of the table by name."""
        return {zone.id: zone for zone in self.table.zones}

    @cached_property
    def zone_points(self) -> dict[str, frozenset[int]]:
        """The points of each zone."""
        return {zone.id: frozenset(zone.points) for zone in self.table.zones}

    @cached_property
    def objectives(self) -> tuple[Zone, ...]:
        """What is worth points."""
        return self.table.objectives

    @cached_property
    def old_table(self) -> Table:
        """The same table with the terrain of before proposal 002."""
        return Table(self.table.document, OLD_TERRAIN)

    @cached_property
    def exit_points(self) -> frozenset[int]:
        """The points from which one leaves the table by the scenario's exit."""
        if not self.exits:
            return frozenset()
        table = self.table
        edge = next(e for e in table.edges if e["id"] == self.exits["edge"])
        low, high = (4 * v for v in edge["span"])
        out = []
        for p in table.points:
            x, y = table.x[p], table.y[p]
            near = {"east": table.wide - x, "west": x, "north": y, "south": table.deep - y}[edge["edge"]]
            along = y if edge["edge"] in ("east", "west") else x
            if near <= 10 and low <= along <= high:
                out.append(p)
        return frozenset(out)

    def steps(
        self,
        drive: str,
        off: int,
        road: int,
        hull: bool,
        old: bool,
        opened: frozenset[int] = frozenset(),
        afoot: tuple[str, ...] = (),
    ) -> StepCosts:
        """What steps cost a drive with these rates; `old` without proposal 002, `opened` without some works."""
        key = drive, off, road, hull, old, opened, afoot
        found = self._steps.get(key)
        if found is None:
            table = self.old_table if old else self.table
            rates = (off, max(road, 1)) if off else (1, 1)
            found = self._steps.keep(key, StepCosts(table, drive, rates, hull, opened, afoot))
        steps: StepCosts = found
        return steps


def unit_name(nation: str, model: str, number: int) -> str:
    """The word for a unit: nation, model, number."""
    return f"{nation.lower()}-{model.replace('_', '-')}-{number}"


_tables: dict[str, Table] = {}


def tables() -> dict[str, Table]:
    """The tables of the game by name."""
    if not _tables:
        for file in sorted((FILES.folder / "tables").iterdir(), key=lambda f: f.name):
            if file.name.endswith(".toml"):
                table = load_table(file, TERRAIN)
                _tables[table.id] = table
    return _tables


def built_table(document: Mapping[str, Any]) -> Table:
    """The table of a scenario with its works on it; the table itself if there are none."""
    table = tables()[document["table"]]
    works = [
        {"kind": work["kind"], "id": work["name"], "path": work["path"], "scenario": True}
        for work in document.get("works", ())
    ]
    if not works:
        return table
    return Table({**table.document, "line": [*table.document.get("line", ()), *works]}, TERRAIN)


_bases: dict[str, Bases] = {}


def bases_of(table: Table) -> Bases:
    """The overlaps of bases on a table, worked out once for all."""
    return _bases.setdefault(table.id, Bases(table))


def _documents() -> dict[str, dict[str, Any]]:
    files = sorted(f.name for f in (FILES.folder / "scenarios").iterdir() if f.name.endswith(".toml"))
    return {name.removesuffix(".toml"): FILES.toml(f"scenarios/{name}") for name in files}


DOCUMENTS = _documents()


def _catalogue() -> list[tuple[str, str, int]]:
    """Every unit of every scenario: nation, model, number; as many of a model as the largest scenario has."""
    most: dict[tuple[str, str], int] = {}
    for name, document in DOCUMENTS.items():
        here: dict[tuple[str, str], int] = {}
        for entry in formations_of(document):
            for model in entry["units"]:
                if model not in MODELS:
                    raise DataError(f"blitzkrieg/data/scenarios/{name}.toml", entry["name"], f"no model {model!r}")
                key = entry["nation"], model
                here[key] = here.get(key, 0) + 1
        for key, count in here.items():
            most[key] = max(most.get(key, 0), count)
    return [(nation, model, n) for (nation, model), count in sorted(most.items()) for n in range(1, count + 1)]


CATALOGUE = _catalogue()
UNIT_NAMES = tuple(unit_name(*entry) for entry in CATALOGUE)
UNIT_IDS = {name: unit for unit, name in enumerate(UNIT_NAMES)}
MODEL_OF: tuple[Model, ...] = tuple(MODELS[model] for _, model, _ in CATALOGUE)
NATION_OF = tuple(nation for nation, _, _ in CATALOGUE)
SIDE_OF = tuple(AXIS if nation in AXIS_NATIONS else ALLIES for nation in NATION_OF)
KIND_OF = tuple(model.kind for model in MODEL_OF)
BASE_OF: tuple[Base, ...] = tuple(BASES[kind] for kind in KIND_OF)
IS_VEHICLE = tuple(isinstance(model, Vehicle) for model in MODEL_OF)
IS_GUN = tuple(isinstance(model, Gun) for model in MODEL_OF)
IS_TEAM = tuple(isinstance(model, Team) for model in MODEL_OF)
IS_CREW = tuple(model.id == CREW for model in MODEL_OF)
IS_ARMOUR = tuple(isinstance(model, Vehicle) and not model.is_soft for model in MODEL_OF)

_worlds: dict[str, World] = {}


def world_named(name: str) -> World:
    """A scenario, loaded once."""
    found = _worlds.get(name)
    if found is None:
        found = _worlds[name] = World(name, DOCUMENTS[name])
    return found


def world(s: Any) -> World:
    """The scenario of a position."""
    return _worlds.get(s.scenario) or world_named(s.scenario)


def others_of(units: Iterable[int], unit: int) -> list[int]:
    """All but one."""
    return [u for u in units if u != unit]
