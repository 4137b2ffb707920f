"""Data files to frozen objects: models of vehicles, guns and teams, weapons, supports, the charts, the proposals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from grognard.kernel import DataError
from grognard.kit import DataFiles

FILES = DataFiles("blitzkrieg")
CHARTS: dict[str, Any] = FILES.toml("charts.toml")
NATIONS = ("DE", "US", "UK", "SU", "FR", "IT", "JP", "PL")
QUALITIES: tuple[str, ...] = tuple(CHARTS["quality"]["names"])  # base-quality
SIZES = ("TP", "P", "N", "G", "TG")  # 201a, smallest first
LENGTHS = ("none", "short", "normal", "L", "LL")
HOLLOW = ("PF", "PS", "BAZ", "PIAT")  # base-hollow-charge
HAND_WEAPONS = (*HOLLOW, "ATR")
MORTARS = ("m50", "m60", "m81", "114*", "120*")
ROCKETS = ("r82", "r132", "r150", "r210")


@dataclass(frozen=True, slots=True)
class Weapon:
    """A class of weapon: calibre in tenths of a millimetre, length of the barrel, power."""

    id: str
    calibre: int
    length: str
    ap: int
    ap_old: int
    he: int
    he_ap: int

    @property
    def is_cannon(self) -> bool:
        """A 20 mm gun, which fires at infantry like a machine gun (base-autocannon)."""
        return self.id in ("20L", "20LL")


@dataclass(frozen=True, slots=True)
class Vehicle:
    """A model of vehicle."""

    id: str
    nation: str
    type: str
    first: int
    last: int
    height: int
    size: str
    armour: tuple[int, int, int]
    drive: str
    off: int
    road: int
    turret: str
    hull: int
    coax: int
    aa: int
    guns: tuple[Weapon, ...]
    flame: bool
    traits: frozenset[str]
    capacity: int  # in half-groups
    points: int

    @property
    def kind(self) -> str:
        """What it is as a target."""
        return "vehicle"

    @property
    def is_soft(self) -> bool:
        """Without armour."""
        return self.armour[0] == 0

    @property
    def is_open(self) -> bool:
        """With an open top, or soft: never closed."""
        return "open-top" in self.traits or self.is_soft

    @property
    def is_narrow(self) -> bool:
        """With a turret for one man (220)."""
        return "narrow-turret" in self.traits


@dataclass(frozen=True, slots=True)
class Gun:
    """A model of gun or mortar with its crew."""

    id: str
    nation: str
    category: str
    weapon: Weapon
    first: int
    size: str
    crush: str
    mount: bool
    hand: int
    hand_road: int
    indirect: bool
    building: str
    tow: str
    points: int

    @property
    def kind(self) -> str:
        """What it is as a target."""
        return "gun"

    @property
    def is_mortar(self) -> bool:
        """Mortars fire without a roll to hit (108)."""
        return self.category == "mortar"


@dataclass(frozen=True, slots=True)
class Team:
    """A model of infantry group, half-group or team."""

    id: str
    nations: tuple[str, ...]
    sort: str  # group, half, mg, at
    dice: int
    near: int
    far: int
    close: int
    first: int
    covering: int
    points: int
    weapon: Weapon | None

    @property
    def kind(self) -> str:
        """What it is as a target."""
        return "infantry"


@dataclass(frozen=True, slots=True)
class Support:
    """A battery off the table, aircraft, a fortification or a capability."""

    id: str
    nations: tuple[str, ...]
    level: str
    weapon: Weapon | None
    he: int
    pieces: int
    wide: int
    deep: int
    points: int
    first: int


Model: TypeAlias = "Vehicle | Gun | Team"


def _number(cells: dict[str, str], key: str, file: str, default: int | None = None) -> int:
    cell = cells[key]
    if not cell and default is not None:
        return default
    try:
        return int(cell)
    except ValueError:
        raise DataError(file, cells["id"], f"{key} is {cell!r}, not a number") from None


def _weapons() -> dict[str, Weapon]:
    found = {}
    for row in FILES.rows("weapons.csv"):
        row.one_of("length", LENGTHS)
        ap = _number(row, "ap", row.file)
        facts = (_number(row, "ap_old", row.file, ap), _number(row, "he", row.file), _number(row, "he_ap", row.file, 0))
        found[row["id"]] = Weapon(row["id"], _number(row, "calibre", row.file), row["length"], ap, *facts)
    return found


WEAPONS = _weapons()


def _weapon(row: Any, key: str) -> Weapon | None:
    if not row[key]:
        return None
    return WEAPONS[row.one_of(key, WEAPONS)]


def _vehicles() -> dict[str, Vehicle]:
    found = {}
    for row in FILES.rows("vehicles.csv"):
        row.one_of("size", SIZES)
        guns = tuple(w for key in ("gun", "gun2") if (w := _weapon(row, key)) and w.id != "FL")
        flame = "FL" in (row["gun"], row["gun2"]) or "flamethrower" in row["traits"].split()
        n = {key: _number(row, key, row.file) for key in row if key in NUMBERS}
        armour = (n["front"], n["flank"], n["rear"])
        facts: Any = (row["turret"], n["hull"], n["coax"], n["aa"], guns, flame, frozenset(row["traits"].split()))
        start: Any = (row["id"], row.one_of("nation", NATIONS), row["type"], n["first"], n["last"], n["height"])
        drive = (row["size"], armour, row["drive"], n["off"], n["road"])
        made: Any = Vehicle
        found[row["id"]] = made(*start, *drive, *facts, n["capacity"], n["points"])
    return found


NUMBERS = (
    "first",
    "last",
    "height",
    "front",
    "flank",
    "rear",
    "off",
    "road",
    "hull",
    "coax",
    "aa",
    "capacity",
    "points",
)


def _guns() -> dict[str, Gun]:
    found = {}
    for row in FILES.rows("guns.csv"):
        n = {key: _number(row, key, row.file) for key in ("first", "mount", "hand", "hand_road", "indirect", "points")}
        start: Any = (row["id"], row.one_of("nation", NATIONS), row["category"], WEAPONS[row.one_of("weapon", WEAPONS)])
        sizes = (row.one_of("size", ("small", "medium", "large")), row.one_of("crush", SIZES))
        moves = (bool(n["mount"]), n["hand"], n["hand_road"], bool(n["indirect"]), row["building"], row["tow"])
        made: Any = Gun
        found[row["id"]] = made(*start, n["first"], *sizes, *moves, n["points"])
    return found


def _teams() -> dict[str, Team]:
    found = {}
    for row in FILES.rows("teams.csv"):
        keys = ("dice", "near", "far", "close", "first", "covering", "points")
        n = [_number(row, key, row.file) for key in keys]
        nations = NATIONS if row["nations"] == "all" else tuple(row["nations"].split())
        sort = row.one_of("kind", ("group", "half", "mg", "at"))
        made: Any = Team
        found[row["id"]] = made(row["id"], nations, sort, *n, _weapon(row, "weapon"))
    return found


def _supports() -> dict[str, Support]:
    found = {}
    for row in FILES.rows("supports.csv"):
        nations = NATIONS if row["nations"] == "all" else tuple(row["nations"].split())
        n = [_number(row, key, row.file, 0) for key in ("he", "pieces", "wide", "deep", "points", "first")]
        found[row["id"]] = Support(row["id"], nations, row["level"], _weapon(row, "weapon"), *n)
    return found


VEHICLES, GUNS, TEAMS, SUPPORTS = _vehicles(), _guns(), _teams(), _supports()
MODELS: dict[str, Model] = VEHICLES | GUNS | TEAMS
PROPOSALS: tuple[dict[str, Any], ...] = tuple(FILES.toml("proposals.toml")["proposal"])
