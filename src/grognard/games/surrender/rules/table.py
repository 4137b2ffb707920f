"""Step 6 of a combat: the one table that serves ground, air/naval and strategic combat."""

from __future__ import annotations

from grognard.games.surrender.loading import combat_table
from grognard.kernel.rulebook import rule


@rule("seq-6-lookup", "crt", "crt-codes", "crt-monotone")
def look_up(attacker: int, defender: int) -> str:
    """seq-6-lookup The attacker's final value chooses the column, the defender's the row."""
    return combat_table()[line_of(defender) - 1][line_of(attacker) - 1][0]


@rule("crt-above-16")
def line_of(value: int) -> int:
    """crt-above-16 A variant die may pass 16: line 16 is read."""
    return min(value, 16)


@rule("crt-plus")
def sorties_of(code: str) -> int:
    """crt-plus The number printed behind a code, the same in every cell: DR 2, DD 3, DE 4, AS 2, AA 3."""
    for row in combat_table():
        for cell, number in row:
            if cell == code:
                return number
    raise KeyError(code)
