"""Short games by orders that lead to what a search seldom meets: by game, a scenario with switches and the orders.

Orders are words, `SIDE VERB NOUN`. What a line uses is demanded by `test_reach`, so it needs no excuse.
"""

from __future__ import annotations

from typing import NamedTuple


class Line(NamedTuple):
    """How to come to rare rows and verbs from a scenario's set-up, and which they are."""

    scenario: str
    options: dict[str, str]
    orders: str  # separated by semicolons
    meets: tuple[str, ...]


# 21.0a A Panzer corps under Kleist breaks into Belgium; at 2326 it meets nobody with armour, in the open.
INTO_BELGIUM = """axis done; axis done; axis done; axis activate de-kleist; axis move de-41pz; axis attack 2326/2425;
    axis done; allies plan escaut; axis done; allies done; axis battle 2326"""
CHARGES = {"advanced": "on", "panzers": "on", "charge": "on"}

LINES: dict[str, tuple[Line, ...]] = {
    "bitw": (
        Line("SBW3", CHARGES, f"{INTO_BELGIUM}; axis plain", ("combat 21.0a", "Declare.plain")),
        Line("SBW3", CHARGES, f"{INTO_BELGIUM}; axis charge panzers", ("combat 20.0", "Declare.charge")),
    ),
}
