"""Units of several sides on one map: whose they are is a fact of the game, where they stand is in the position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from grognard.hexes import Board
from grognard.kernel import Side
from grognard.kernel.stacks import OnMap, units_in


class Armies(OnMap):
    """A position with units on the hexes of one map. What never changes about them belongs to the class."""

    board: ClassVar[Board]
    unit_names: ClassVar[Sequence[str]]
    side_of: ClassVar[Sequence[Side]]  # by unit


def units_of(s: Armies, side: Side) -> list[int]:
    """The units of a side that stand on the map, in the order of their ids."""
    side_of = s.side_of
    return [unit for unit, hex in enumerate(s.at) if hex >= 0 and side_of[unit] == side]


def stack_of(s: Armies, hex: int, side: Side) -> list[int]:
    """The units of a side in a hex, in the order of their ids."""
    side_of = s.side_of
    return [unit for unit in units_in(s, hex) if side_of[unit] == side]


def sides_in(s: Armies, hex: int) -> list[Side]:
    """The sides with units in a hex: none, one, or those that must fight there."""
    return sorted({s.side_of[unit] for unit in units_in(s, hex)})


def is_contested(s: Armies, hex: int) -> bool:
    """True where units of several sides stand in one hex."""
    return len(sides_in(s, hex)) > 1
