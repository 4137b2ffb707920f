"""The data files of Picket as frozen tables. What does not fit is refused, with its file and its place there."""

import csv
import tomllib
from importlib import resources
from typing import Any, NamedTuple

from grognard.hexes import StepCosts, board_from_document, document_from_rows
from grognard.kernel import DataError, rule

SIDES = ("red", "blue")
RED, BLUE = 0, 1
FILES = resources.files("grognard.games.picket") / "data"


class Unit(NamedTuple):
    """A block: what is printed on its face."""

    id: str
    side: int
    kind: str
    steps: int
    points: int
    hits_on: int


def read_toml(name: str) -> dict[str, Any]:
    """One data file."""
    return tomllib.loads((FILES / name).read_text("utf-8"))


def read_unit(line: int, row: dict[str, str]) -> Unit:
    """One block; the numbers of its kind come from the chart."""
    if row["side"] not in SIDES or row["kind"] not in CHARTS["kinds"]:
        raise DataError("picket/data/units.csv", f"line {line}", f"unknown side or kind of {row['id']}")
    return Unit(row["id"], SIDES.index(row["side"]), row["kind"], **CHARTS["kinds"][row["kind"]])


def read_scenario(name: str) -> dict[str, Any]:
    """One scenario; its set-up is a list of `block hex`, here as numbers."""
    table = read_toml(f"scenarios/{name}.toml")
    words = table["setup"].split()
    for unit, hex in zip(words[::2], words[1::2]):
        if unit not in UNIT_IDS or not GRID.has_hex(hex):
            raise DataError(f"picket/data/scenarios/{name}.toml", "setup", f"unknown block or hex in '{unit} {hex}'")
    return table | {"setup": [(UNIT_IDS[u], GRID.hex_named(hex)) for u, hex in zip(words[::2], words[1::2])]}


CHARTS, MAP = read_toml("charts.toml"), read_toml("map.toml")
NUMBERS: dict[str, int] = CHARTS["numbers"]
TERRAIN: dict[str, dict[str, Any]] = CHARTS["terrain"]
RIVER = {pair: {"river": True} for pair in MAP["river"]}
PLACES = {
    key: {"name": {"en": key.title(), "fr": key.title()}, "hexes": [hex], "class": "village"}
    for key, hex in MAP["villages"].items()
}
LETTERS = {entry["letter"]: name for name, entry in TERRAIN.items()}
SHEET = document_from_rows(MAP["rows"], LETTERS, sides=RIVER, places=PLACES, name="picket")
BOARD = board_from_document(SHEET, "picket/data/map.toml")
GRID = BOARD.grid
AREA = [GRID.within(hex, 1) for hex in range(len(GRID))]  # each hex with its neighbours
VILLAGES = {GRID.hex_named(hex): number for number, hex in enumerate(MAP["villages"].values())}
TO_VILLAGE = [min(GRID.distance(hex, village) for village in VILLAGES) for hex in range(len(GRID))]
BASES = [[GRID.hex_named(hex) for hex in MAP["bases"][side]] for side in SIDES]
UNIT_ROWS = csv.DictReader((FILES / "units.csv").read_text("utf-8").splitlines())
UNITS = [read_unit(line, row) for line, row in enumerate(UNIT_ROWS, 2)]
UNIT_IDS = {unit.id: number for number, unit in enumerate(UNITS)}
SIDE_OF = [unit.side for unit in UNITS]
SCENARIOS = {f.name[:-5]: read_scenario(f.name[:-5]) for f in sorted((FILES / "scenarios").iterdir(), key=str)}


def river_between(a: int, b: int) -> bool:
    """True if a river runs between two neighbours."""
    return bool(BOARD.side(a, b).get("river"))


@rule("4.2")
def step_cost(a: int, b: int, side: int) -> int:
    """4.2 The points of one step: the terrain entered, one more across a river; negative for closed ground."""
    cost: int = TERRAIN[BOARD.terrain[b]]["cost"]
    return cost if cost < 0 else cost + NUMBERS["river_cost"] * river_between(a, b)


STEPS = StepCosts.of_steps(GRID, step_cost)
