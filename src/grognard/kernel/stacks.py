"""Who stands where: one column by unit and a short list by hex, kept in step by one function.

A game whose units stand on a map inherits `OnMap`; `place` is the only way to move a unit, `units_in` costs no scan.
"""

from __future__ import annotations

from .errors import GrognardError
from .record import PUBLIC, SECRET, Column, State, column

OFF_MAP = -1


class OnMap(State):
    """A position with units on hexes. `blank` needs sizes `units` and `hexes`."""

    at: Column = column("units", "h", PUBLIC, OFF_MAP, names="hex")
    first_in: Column = column("hexes", "h", SECRET, -1)  # derived: the first unit of each hex
    next_in: Column = column("units", "h", SECRET, -1)  # derived: the next one in the same hex


def place(s: OnMap, unit: int, hex: int) -> None:
    """Put a unit into a hex, or take it off with OFF_MAP. Units of a hex stay in the order of their ids."""
    old = s.at[unit]
    if old >= 0:
        before, u = -1, s.first_in[old]
        while u != unit:
            if u < 0:
                raise GrognardError(f"unit {unit} is not in the list of its hex {old}: `at` changed without `place`")
            before, u = u, s.next_in[u]
        if before < 0:
            s.first_in[old] = s.next_in[unit]
        else:
            s.next_in[before] = s.next_in[unit]
    s.at[unit] = hex
    if hex < 0:
        s.next_in[unit] = -1
        return
    before, u = -1, s.first_in[hex]
    while 0 <= u < unit:
        before, u = u, s.next_in[u]
    s.next_in[unit] = u
    if before < 0:
        s.first_in[hex] = unit
    else:
        s.next_in[before] = unit


def units_in(s: OnMap, hex: int) -> list[int]:
    """The units of a hex, in the order of their ids."""
    units, u = [], s.first_in[hex]
    while u >= 0:
        units.append(u)
        u = s.next_in[u]
    return units


def restack(s: OnMap) -> None:
    """Derive the lists again from `at`, after units changed places in a redeal."""
    for hex in range(len(s.first_in)):
        s.first_in[hex] = -1
    for unit in range(len(s.at) - 1, -1, -1):
        hex = s.at[unit]
        if hex >= 0:
            s.next_in[unit] = s.first_in[hex]
            s.first_in[hex] = unit
        else:
            s.next_in[unit] = -1


def stacking_problems(s: OnMap) -> list[str]:
    """Where the lists and the column disagree; empty when all is well."""
    standing = [(u, hex) for u, hex in enumerate(s.at) if hex >= 0]
    occupied = {hex for _, hex in standing}
    listed = [(u, hex) for hex in occupied for u in units_in(s, hex)]
    filled = len(s.first_in) - s.first_in.count(-1)
    if sorted(listed) == standing and filled == len(occupied):
        return []
    return ["the lists of units by hex do not match where the units stand"]
