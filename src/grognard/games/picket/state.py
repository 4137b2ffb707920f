"""Every field of a Picket position, with who may know it."""

from __future__ import annotations

from typing import Any

from grognard.kernel import OWN, PUBLIC, Column, Fog, Frame, HiddenUnits, Side, column, items, number, option, seen_by
from grognard.kernel.rulebook import rule
from grognard.kernel.stacks import OnMap

from .loading import UNITS


@rule("1.2")
def knows(s: Any, side: Side, unit: int) -> bool:
    """1.2 A side sees the faces of its own blocks and of those in the battle being fought."""
    return UNITS[unit].side == side or bool(s.revealed[unit]) or option(s, "fog") == "off"


class Position(HiddenUnits, OnMap):
    """A position of Picket."""

    turn: int = number(PUBLIC)
    first: Side = number(PUBLIC)  # 3.3 who has the initiative
    orders: Column = column(2, "B", PUBLIC)  # 3.1 orders left, by side
    pledge: Column = column(2, "b", OWN, -1)  # 3.1 this turn's pledge, by side; -1 not made yet
    holder: Column = column("villages", "b", PUBLIC)  # 7.1 who was last in each village
    steps: Column = column("units", "B", seen_by(knows))
    moved: Column = column("units", "B", PUBLIC)
    came: Column = column("units", "b", PUBLIC, -1, names="hex")  # 5.2 the hex from which it entered a battle
    cut_off: Column = column("units", "B", PUBLIC)  # 6.1 out of supply
    revealed: Column = column("units", "B", PUBLIC)


class Match(Frame):
    """2 The whole game."""


class SideTurn(Frame):
    """2.2 One side's half of a turn."""

    side: Side = number(PUBLIC)
    unit: int = number(OWN, -1)  # 4.1 the block in hand


class Battle(Frame):
    """5 A battle in one hex."""

    hex: int = number(PUBLIC, names="hex")
    attacker: Side = number(PUBLIC)
    round: int = number(PUBLIC, 1)
    hits: tuple[int, int] = items(PUBLIC, (0, 0))  # 5.3 hits each side still has to take
    stays: tuple[Side, ...] = items(PUBLIC)  # 5.4 who has decided to stay this round


FOG = Fog([unit.id for unit in UNITS], knows)
