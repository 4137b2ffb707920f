"""Units of several sides on one map: whose they are is a fact of the game, where they stand is in the position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from grognard.hexes import Board
from grognard.kernel import REFEREE, Fog, Named, Side
from grognard.kernel.stacks import OnMap, units_in


class Armies(OnMap):
    """A position with units on the hexes of one map. What never changes about them belongs to the class."""

    board: ClassVar[Board]
    unit_names: ClassVar[Sequence[str]]
    side_of: ClassVar[Sequence[Side]]  # by unit
    fog: ClassVar[Fog | None] = None  # whose units are hidden from whom, if any are


class ArmyUnits(Named):
    """The units of an `Armies`: under their names, or by tokens for who may not know them."""

    def word(self, s: Any, side: Side, noun: int) -> str:
        """What this side calls it."""
        return str(s.unit_names[noun] if s.fog is None or side == REFEREE else s.fog.name_for(s, side, noun))

    def read(self, s: Any, side: Side, word: str) -> int:
        """The unit that this side calls so."""
        known_to_all = s.fog is None or side == REFEREE
        return super().read(s, side, word) if known_to_all else int(s.fog.unit_named(s, side, word))


HEX = Named("hex", lambda s: s.board.grid.names)
UNIT = ArmyUnits("unit", lambda s: s.unit_names)


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
