"""Picket's data files as frozen tables; refuses what does not fit, with file and reason."""

from __future__ import annotations

import csv
import tomllib
from dataclasses import dataclass
from importlib import resources
from typing import Any

from grognard.hexes import Board, board_from_rows
from grognard.hexes.paths import StepCosts
from grognard.kernel import DataError

SIDES = ("red", "blue")
RED, BLUE = 0, 1
_FILES = resources.files("grognard.games.picket") / "data"


def _toml(name: str) -> dict[str, Any]:
    return tomllib.loads((_FILES / name).read_text("utf-8"))


@dataclass(frozen=True)
class Unit:
    """A block: what is printed on its face."""

    id: str
    side: int
    kind: str
    steps: int
    points: int
    hits_on: int


@dataclass(frozen=True)
class Scenario:
    """How a battle begins and ends."""

    turns: int
    needs: int
    setup: tuple[tuple[int, int], ...]  # unit, hex


CHARTS = _toml("charts.toml")
NUMBERS: dict[str, int] = CHARTS["numbers"]
TERRAIN: dict[str, dict[str, Any]] = CHARTS["terrain"]
_MAP = _toml("map.toml")


def _load_board() -> Board:
    key = {entry["letter"]: name for name, entry in TERRAIN.items()}
    sides = {pair: {"river": True} for pair in sorted(_MAP["river"])}
    places = {key: {"name": {"en": key.title(), "fr": key.title()}, "hexes": [h]} for key, h in _MAP["places"].items()}
    return board_from_rows(_MAP["rows"], key, sides=sides, places=places, name="picket")


def _load_units() -> tuple[Unit, ...]:
    units = []
    for line, row in enumerate(csv.DictReader((_FILES / "units.csv").read_text("utf-8").splitlines()), 2):
        if row["side"] not in SIDES or row["kind"] not in CHARTS["kinds"]:
            raise DataError("picket/data/units.csv", f"line {line}", f"unknown side or kind in {row}")
        kind = CHARTS["kinds"][row["kind"]]
        units.append(
            Unit(row["id"], SIDES.index(row["side"]), row["kind"], kind["steps"], kind["points"], kind["hits_on"])
        )
    return tuple(units)


BOARD = _load_board()
UNITS = _load_units()
UNIT_IDS = {unit.id: number for number, unit in enumerate(UNITS)}
VILLAGES: tuple[int, ...] = tuple(place.hexes[0] for place in BOARD.places.values())
BASES = tuple(tuple(BOARD.hex(h) for h in _MAP["base"][side]) for side in SIDES)
COVER = tuple(TERRAIN[t]["cover"] for t in BOARD.terrain)


def river_between(a: int, b: int) -> bool:
    """True if the side between two neighbours is a river."""
    return bool(BOARD.side(a, b).get("river"))


def _step_cost(a: int, b: int, side: int) -> int:
    """4.2 The cost of one step; negative for closed ground."""
    cost: int = TERRAIN[BOARD.terrain[b]]["cost"]
    return cost + NUMBERS["river_cost"] * river_between(a, b) if cost else -1


STEPS = StepCosts.of_steps(BOARD.grid, _step_cost)


def _load_scenario(name: str) -> Scenario:
    table = _toml(f"scenarios/{name}.toml")
    for unit, hex in table["setup"].items():
        if unit not in UNIT_IDS or not BOARD.grid.has_hex(hex):
            raise DataError(f"picket/data/scenarios/{name}.toml", unit, "unknown unit or hex")
    setup = tuple((UNIT_IDS[unit], BOARD.hex(hex)) for unit, hex in table["setup"].items())
    return Scenario(table["turns"], table["needs"], setup)


SCENARIOS = {name: _load_scenario(name) for name in ("crossing", "raid")}
