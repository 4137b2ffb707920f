"""Reads the data files of the game into frozen objects, and refuses what does not hold together.

Every refusal names the file, the line and the reason. Facts come from three kinds of file: tables as CSV (classes,
units, headquarters), charts and places as TOML, the compiled hex map as JSON. Nothing here knows the state of a game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from grognard.hexes import document_from_json
from grognard.kernel.errors import DataError
from grognard.kernel.rulebook import rule
from grognard.kit import DataFiles

FILES = DataFiles("normandie")
GROUPS = ("american", "anglo_canadian", "german")
ALLIED, GERMAN = 0, 1
AMERICAN, BRITISH, GERMANS = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Kind:
    """A class of counter: its ratings for each number of steps left, its weight and its abilities."""

    name: str
    ratings: tuple[tuple[int, int, int], ...]  # attack, move, defence; index = steps left (0 is nothing)
    pe: int
    steps: int
    flags: frozenset[str]


@dataclass(frozen=True, slots=True)
class Counter:
    """A combat unit or a headquarters, as printed: who it is, what it can do, when and where it appears."""

    index: int
    id: str
    name: str
    nom: str
    group: int
    side: int
    division: str
    kind: Kind
    turn: int
    place: str
    phase: str
    src: str
    is_hq: bool = False
    bonus: int = 0


@dataclass(frozen=True, slots=True)
class Depot:
    """An Allied port, beach or Mulberry; (full, reduced) capacities and (opening, growing) delays."""

    index: int
    id: str
    name: str
    nom: str
    hex: str
    group: str
    kind: str
    landing: tuple[int, int]
    offensive: tuple[int, int]
    delay: tuple[int, int]
    src: str


@dataclass(frozen=True, slots=True)
class Box:
    """A box of the strategic map; `inside` names the box around a Festung."""

    id: str
    name: str
    nom: str
    number: int
    lines: tuple[str, ...]
    depot: int
    allied: bool
    inside: str
    unit: str
    src: str


@dataclass(frozen=True, slots=True)
class SetUp:
    """One line of a scenario: a counter, its place, steps lost, disorganisation, markers with it."""

    id: str
    at: str
    lost: int = 0
    disorganised: int = 0
    offensive: int = 0


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario as printed; `raw` keeps the switches that only one or two rules read."""

    id: str
    title: str
    titre: str
    first_turn: int
    last_turn: int
    columns_from: int
    raw: Mapping[str, Any]
    units: tuple[SetUp, ...]
    reinforcements: tuple[tuple[str, int, str], ...]
    depots: tuple[tuple[str, str, int], ...]
    free: tuple[tuple[str, int, int], ...]


def _toml(name: str) -> tuple[dict[str, Any], str]:
    return FILES.toml(name), FILES.read(name)


def _line_of(text: str, token: str) -> int:
    """The line of a text on which a token first stands; 1 when it is nowhere."""
    place = text.find(token)
    return 1 if place < 0 else text.count("\n", 0, place) + 1


def _rows(name: str, columns: str) -> Iterable[tuple[int, dict[str, str]]]:
    return ((row.line, row) for row in FILES.rows(name, columns.split(",")))


def _at(line: int) -> str:
    return f"line {line}"


def _number(name: str, line: int, what: str, value: str) -> int:
    try:
        return int(value)
    except ValueError as error:
        raise DataError(name, _at(line), f"{what} must be a whole number, not {value!r}") from error


def _check_src(name: str, line: int, src: str) -> str:
    if src not in ("historical", "proposed") and not src.startswith("text:"):
        raise DataError(name, _at(line), f"src must be text:<rule>, historical or proposed, not {src!r}")
    return src


def _ratings(name: str, line: int, cell: str) -> tuple[int, int, int]:
    parts = cell.split("-")
    if len(parts) != 3:
        raise DataError(name, _at(line), f"ratings must read attack-move-defence, not {cell!r}")
    attack, move, defence = (_number(name, line, "a rating", part) for part in parts)
    return attack, move, defence


FLAGS = frozenset({
    "armoured", "panzergrenadier", "elite", "para", "motorised_infantry", "ranger", "commando", "cyclist",
    "garrison", "battery", "festung", "partisan", "ffi",
})  # fmt: skip


@rule("0.1.2a", "0.1.2f")
def load_kinds() -> dict[str, Kind]:
    """0.1.2a Classes of counters with their ratings, one set per step."""
    name, kinds = "classes.csv", {}
    for line, row in _rows(name, "class,full,reduced,last,pe,steps,flags,src"):
        printed = [row[side] for side in ("full", "reduced", "last") if row[side]]
        steps = _number(name, line, "steps", row["steps"])
        ratings = [_ratings(name, line, cell) for cell in printed]
        if not 1 <= steps <= 3:
            raise DataError(name, _at(line), f"a unit has one to three steps, not {steps}")
        if len(ratings) != steps:
            raise DataError(name, _at(line), f"{steps} steps but {len(ratings)} sets of ratings")
        flags = frozenset(row["flags"].split())
        if flags - FLAGS:
            raise DataError(name, _at(line), f"unknown flags {sorted(flags - FLAGS)}")
        _check_src(name, line, row["src"])
        table = ((0, 0, 0), *reversed(ratings))
        kinds[row["class"]] = Kind(row["class"], table, _number(name, line, "pe", row["pe"]), steps, flags)
    return kinds


@rule("0.1.1a", "0.1a")
def load_counters(kinds: Mapping[str, Kind]) -> tuple[Counter, ...]:
    """0.1a Every counter: the combat units first, then the headquarters."""
    out: list[Counter] = []
    seen: dict[str, int] = {}
    name = "units.csv"
    for line, row in _rows(name, "id,name,nom,group,division,corps,class,turn,place,phase,src"):
        if row["class"] not in kinds:
            raise DataError(name, _at(line), f"unknown class {row['class']!r}")
        out.append(_counter(name, line, row, len(out), seen, kinds[row["class"]]))
    name = "hqs.csv"
    for line, row in _rows(name, "id,name,group,bonus,move,turn,place,phase,src"):
        move = _number(name, line, "move", row["move"])
        kind = Kind("hq", ((0, 0, 0), (0, move, 0)), 0, 1, frozenset())
        row = {**row, "nom": row["name"], "division": ""}
        out.append(_counter(name, line, row, len(out), seen, kind))
    return tuple(out)


@rule("8a")
def _counter(name: str, line: int, row: dict[str, str], index: int, seen: dict[str, int], kind: Kind) -> Counter:
    if row["id"] in seen:
        raise DataError(name, _at(line), f"counter {row['id']!r} already stands on line {seen[row['id']]}")
    seen[row["id"]] = line
    if row["group"] not in GROUPS:
        raise DataError(name, _at(line), f"unknown group {row['group']!r}")
    group = GROUPS.index(row["group"])
    return Counter(
        index, row["id"], row["name"], row["nom"], group, GERMAN if group == GERMANS else ALLIED, row["division"],
        kind, _number(name, line, "turn", row["turn"]), row["place"], row["phase"],
        _check_src(name, line, row["src"]), kind.name == "hq", _number(name, line, "bonus", row.get("bonus", "0")),
    )  # fmt: skip


@rule("7.1a", "7.1.1a")
def load_depots(places: Mapping[str, Any], text: str) -> tuple[Depot, ...]:
    """7.1a The Allied depots: beaches, Mulberries, ports."""
    out = []
    for index, row in enumerate(places["depot"]):
        line = _line_of(text, f'id = "{row["id"]}"')
        _check_src("places.toml", line, row["src"])
        if row["group"] not in (*GROUPS[:2], "both"):
            raise DataError("places.toml", _at(line), f"unknown group {row['group']!r}")
        landing, offensive, delay = ((int(row[key][0]), int(row[key][1])) for key in ("landing", "offensive", "delay"))
        out.append(Depot(index, row["id"], row["name"], row["nom"], row["hex"], row["group"], row["kind"], landing,
                         offensive, delay, row["src"]))  # fmt: skip
    return tuple(out)


def load_boxes() -> tuple[tuple[Box, ...], dict[str, Any]]:
    """4.1.2a The strategic map; every line must be drawn from both ends."""
    raw, text = _toml("strategic.toml")
    boxes = [
        Box(row["id"], row["name"], row["nom"], row["number"], tuple(row["lines"]), row["depot"], bool(row["allied"]),
            "", "", row["src"]) for row in raw["box"]
    ]  # fmt: skip
    known = {box.id: box for box in boxes}
    for box in boxes:
        for other in box.lines:
            if other not in known or box.id not in known[other].lines:
                raise DataError("strategic.toml", _at(_line_of(text, f'id = "{box.id}"')), f"one-way line to {other!r}")
    for row in raw["festung"]:
        if row["inside"] not in known:
            raise DataError(
                "strategic.toml", _at(_line_of(text, f'id = "{row["id"]}"')), f"unknown box {row['inside']!r}"
            )
        boxes.append(Box(row["id"], row["name"], row["nom"], known[row["inside"]].number, (), 0, True, row["inside"],
                         row["unit"], row["src"]))  # fmt: skip
    return tuple(boxes), raw


def load_scenarios(ids: Iterable[str]) -> dict[str, Scenario]:
    """11b The scenarios; every counter named must exist."""
    known, out = set(ids), {}
    for file in (f"scenarios/{name}.toml" for name in FILES.names("scenarios")):
        raw, text = _toml(file)
        units = tuple(SetUp(**row) for row in raw["units"])
        arriving = tuple((r["id"], r["turn"], r["at"]) for r in raw.get("reinforcements", ()))
        free = tuple((r["id"], r["columns"][0], r["columns"][1]) for r in raw["free"])
        weakened = (name for division in raw.get("weakened", ()) for name in division)
        for name in (*(u.id for u in units), *(r[0] for r in arriving), *(r[0] for r in free), *weakened):
            if name not in known:
                raise DataError(file, _at(_line_of(text, f'"{name}"')), f"unknown counter {name!r}")
        twice = [u.id for u in units if sum(v.id == u.id for v in units) > 1]
        if twice:
            line = _line_of(text, f'"{twice[0]}"')
            raise DataError(file, _at(line), f"{twice[0]!r} is set up twice")
        depots = tuple((d["id"], d["side"], d.get("full_on", 0)) for d in raw["depots"])
        out[raw["id"]] = Scenario(
            raw["id"], raw["title"], raw["titre"], raw["first_turn"], raw["last_turn"], raw["columns_from"], raw,
            units, arriving, depots, free,
        )  # fmt: skip
    return out


def load_charts() -> dict[str, Any]:
    """2.2a, 6.2, 6.3 The charts; a table with holes is refused."""
    raw, text = _toml("charts.toml")
    for name, chart in raw.items():
        _check_src("charts.toml", _line_of(text, f"[{name}]"), chart.get("src", ""))
    wide = len(raw["combat"]["columns"])
    if len(raw["combat"]["rows"]) != 6 or any(len(row) != wide for row in raw["combat"]["rows"]):
        raise DataError("charts.toml", _at(_line_of(text, "[combat]")), "the combat table must have 6 full rows")
    wide = len(raw["bombardment"]["points"])
    if len(raw["bombardment"]["rows"]) != 6 or any(len(row) != wide for row in raw["bombardment"]["rows"]):
        raise DataError(
            "charts.toml", _at(_line_of(text, "[bombardment]")), "the bombardment table must have 6 full rows"
        )
    return raw


@rule("11c", "errata-b", "9.3d")
def load_air(cups: Mapping[str, int]) -> tuple[tuple[str, int, int, bool], ...]:
    """11c The air counters by cup: 6 HB, 4 MB with the light ones, 12 FB; errata-b makes Bomber Command 3 an FB."""
    name, kinds, out = "air.csv", tuple(cups), []
    for line, row in _rows(name, "id,name,kind,group,light,src"):
        if row["kind"] not in kinds or row["group"] not in GROUPS[:2]:
            raise DataError(name, _at(line), f"unknown kind or group: {row['kind']!r}, {row['group']!r}")
        _check_src(name, line, row["src"])
        out.append((row["id"], kinds.index(row["kind"]), GROUPS.index(row["group"]), row["light"] == "1"))
    for number, kind in enumerate(kinds):
        found = sum(counter[1] == number for counter in out)
        if found != cups[kind]:
            raise DataError(name, _at(1), f"the {kind} cup holds {cups[kind]} counters, not {found}")
    return tuple(out)


def load_places() -> tuple[dict[str, Any], str]:
    """The hexes that the rules name: beaches, ports, drop zones, batteries, exits, zones, towns."""
    return _toml("places.toml")


def load_map() -> dict[str, Any]:
    """The compiled hex map, as plain data of format 1."""
    return document_from_json((FILES.folder / "map.json").read_bytes(), "map.json")
