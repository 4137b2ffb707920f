"""Invariants: what must hold in every position."""

from __future__ import annotations

from .state import ABOARD, AWAY, EXITED, LOST, SHAKEN, Position, bearer, stands
from .world import UNIT_NAMES, world


def problems(s: Position) -> list[str]:
    """Everything that does not hold; empty for a sound position."""
    w, found = world(s), []
    table = w.table
    for unit, name in enumerate(UNIT_NAMES):
        condition, at = s.condition[unit], s.at[unit]
        if unit not in w.formation_of and (condition != AWAY or at):
            found.append(f"{name} is not in this scenario but stands somewhere")
        if condition <= SHAKEN and not table.has(at):
            found.append(f"{name} acts but is not on the table")
        if condition in (LOST, EXITED, AWAY) and at:
            found.append(f"{name} is gone but still at {table.names[at]}")
        if s.flags[unit] & ABOARD and (not stands(s, bearer(s, unit)) or s.at[bearer(s, unit)] != at):
            found.append(f"{name} is aboard something that is not where it is")
        if s.facing[unit] > 15 or s.turret[unit] > 15:
            found.append(f"{name} faces nowhere")
    return found
