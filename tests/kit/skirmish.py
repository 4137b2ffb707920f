"""An open map game in the few lines that the kit leaves to write: who moves into an enemy fights it with dice."""

from __future__ import annotations

from grognard.hexes import Reach, StepCosts, board_from_rows, reach
from grognard.kernel import (
    NUMBER,
    OWN,
    PUBLIC,
    Column,
    Frame,
    Side,
    Tally,
    again,
    ask,
    column,
    do,
    finish,
    no,
    number,
    sequence,
)
from grognard.kit import (
    Armies,
    FightBattles,
    MapGame,
    MoveUnits,
    SecretChoice,
    Volley,
    place,
    shoot,
    stack_of,
    units_of,
)

NORTH, SOUTH = 0, 1
KEY = {".": "open", "f": "wood", "~": "sea"}
BOARD = board_from_rows(". . f\n . . .\n. ~ .", KEY, towns={"village": {"ham": "0202"}})
STEPS = StepCosts.of_steps(BOARD.grid, lambda a, b, side: -1 if BOARD.kind_of(b) == "sea" else 1)
HAM = BOARD.hex("0202")


class Position(Armies):
    board = BOARD
    unit_names = ("n1", "n2", "s1")
    side_of = (NORTH, NORTH, SOUTH)
    bid: Column = column(2, "b", OWN, -1)
    first: Side = number(PUBLIC)
    holder: Column = column("places", "b", PUBLIC, SOUTH)
    steps: Column = column("units", "B", PUBLIC)


class Match(Frame):
    side: Side = number(PUBLIC)
    unit: int = number(OWN, -1, names="unit")
    done: int = number(PUBLIC)


class Bid(SecretChoice):
    verbs = {"bid": NUMBER}
    field = "bid"

    def nouns(self, s, c, side, verb):
        return range(4)

    def why_not(self, s, c, side, verb, noun):
        return None if noun < 4 else no("0", "bid-limit")


class Move(MoveUnits):
    rule_id = "1"
    reach_rule_id = "2"

    def reach_of(self, s, unit) -> Reach:
        return reach(STEPS, s.at[unit], 1)

    def put(self, s, c, unit, hex):
        place(s, unit, hex)


class Fight(FightBattles):
    rule_id = "3"

    def apply(self, s, c, side, verb, noun):
        mine, theirs = (stack_of(s, noun, x) for x in (side, 1 - side))
        hits = sum(shoot(s, "3", s.unit_names[u], Volley(s.steps[u], 4, Tally())) for u in mine)
        for unit in theirs if hits else mine:
            s.steps[unit] = 0
            place(s, unit, -1)


def show_bids(s, c):
    c.side = s.first = int(s.bid[SOUTH] > s.bid[NORTH])
    s.bid[NORTH] = s.bid[SOUTH] = -1


def change_sides(s, c):
    c.side, c.done = 1 - c.side, 0
    if alone := [side for side in (NORTH, SOUTH) if not units_of(s, 1 - side)]:
        finish(s, alone[0], "victory", "4")


MATCH = sequence(
    Match,
    ask("0", Bid, lambda s, c: (NORTH, SOUTH)),
    do("0a", show_bids),
    ask("1", Move, "side"),
    ask("3", Fight, "side"),
    do("4", change_sides),
    again("5", back_to="1"),
)


class Skirmish(MapGame[Position]):
    name = "skirmish"
    sides = ("north", "south")
    setups = {"day": {"turns": 9, "setup": [(0, BOARD.hex("0101")), (2, HAM)]}}
    state_type = Position
    sequences = (MATCH,)
    faces = [{"kind": "foot", "full": 2}] * 3
    places = {HAM: 0}
    signs = {BOARD.hex("0301"): "^"}
    stacking = 1


GAME = Skirmish()
