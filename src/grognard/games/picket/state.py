"""Every field of a Picket position, with who may know it."""

from grognard.kernel import OWN, PUBLIC, Column, Fog, Frame, HiddenUnits, Side, column, items, number, rule, seen_by
from grognard.kit import Armies

from .loading import BLUE, BOARD, RED, SIDE_OF, UNIT_NAMES


@rule("1.2")
def knows(s: "Position", side: Side, unit: int) -> bool:
    """1.2 A side sees the faces of its own blocks, of lost blocks and of those in the battle being fought."""
    return SIDE_OF[unit] == side or s.revealed[unit] == 1


FOG = Fog(UNIT_NAMES, knows)


class Position(HiddenUnits, Armies):
    """A position of Picket."""

    board = BOARD
    unit_names = UNIT_NAMES
    side_of = SIDE_OF
    fog = FOG
    turn: int = number(PUBLIC)
    first: Side = number(PUBLIC, RED)  # 3.3 who moves first this turn
    orders: Column = column(2, "B", PUBLIC)  # 3.1 orders left, by side
    pledge: Column = column(2, "b", OWN, -1)  # 3.1 this turn's pledge, by side; -1 not made yet
    holder: Column = column("places", "b", PUBLIC, BLUE)  # 1.1, 7.2 who was last alone in each village
    steps: Column = column("units", "B", seen_by(knows))  # 1.3
    moved: Column = column("units", "B", PUBLIC)  # 4.1
    came: Column = column("units", "b", PUBLIC, -1, names="hex")  # 5.4 whence it entered a battle
    cut_off: Column = column("units", "B", PUBLIC)  # 6.1
    revealed: Column = column("units", "B", PUBLIC)  # 1.2


class Match(Frame):
    """2.1 The whole game, turn by turn."""


@rule("2.2")
class SideTurn(Frame):
    """2.2 One side's half of a turn; 3.3 says whose comes first."""

    side: Side = number(PUBLIC)
    unit: int = number(OWN, -1, names="unit")  # 4.1 the block in hand
    done: int = number(PUBLIC)  # 4.1 1 when the movement is over


class Battle(Frame):
    """5.1 A battle in one hex."""

    hex: int = number(PUBLIC, names="hex")
    attacker: Side = number(PUBLIC)
    round: int = number(PUBLIC, 1)
    hits: int = number(PUBLIC)  # 5.3 hits still to be taken by the side under fire
    stays: tuple[Side, ...] = items(PUBLIC)  # 5.4 who has decided to stay this round

    @property
    def defender(self) -> Side:
        """The side that was there."""
        return 1 - self.attacker
