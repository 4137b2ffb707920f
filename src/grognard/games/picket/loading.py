"""The data files of Picket as frozen tables. What does not fit is refused, with its file and its place there."""

from typing import Any, NamedTuple

from grognard.hexes import StepCosts, board_from_rows
from grognard.kernel import rule
from grognard.kit import DataFiles

SIDES = ("red", "blue")
RED, BLUE = 0, 1
FILES = DataFiles("picket")
CHARTS, MAP = FILES.toml("charts.toml"), FILES.toml("map.toml")
NUMBERS: dict[str, int] = CHARTS["numbers"]
TERRAIN: dict[str, dict[str, Any]] = CHARTS["terrain"]


class Unit(NamedTuple):
    """A block: what is printed on its face."""

    id: str
    side: int
    kind: str
    steps: int
    points: int
    hits_on: int


LETTERS = {entry["letter"]: name for name, entry in TERRAIN.items()}
RIVER, TOWNS = {"river": MAP["river"]}, {"village": MAP["villages"]}
BOARD = board_from_rows(MAP["rows"], LETTERS, features=RIVER, towns=TOWNS, name="picket")
GRID = BOARD.grid
VILLAGES = {GRID.hex_named(hex): number for number, hex in enumerate(MAP["villages"].values())}
TO_VILLAGE = [min(GRID.distance(hex, village) for village in VILLAGES) for hex in range(len(GRID))]
BASES = [[GRID.hex_named(hex) for hex in MAP["bases"][side]] for side in SIDES]
UNITS = FILES.records("units.csv", Unit, side=SIDES, kind=CHARTS["kinds"])
UNIT_NAMES = [unit.id for unit in UNITS]
SIDE_OF = [unit.side for unit in UNITS]
SCENARIOS = FILES.scenarios(UNIT_NAMES, GRID.names)


@rule("4.2")
def step_cost(a: int, b: int, side: int) -> int:
    """4.2 The points of one step: the terrain entered, one more across a river; negative for closed ground."""
    cost: int = TERRAIN[BOARD.terrain[b]]["cost"]
    return cost if cost < 0 else cost + NUMBERS["river_cost"] * ("river" in BOARD.side(a, b))


STEPS = StepCosts.of_steps(GRID, step_cost)
