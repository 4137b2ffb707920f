"""What games on measured tables share: boards for clients, what is seen from a point."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from grognard.kernel.forgetting import watched
from grognard.tabletop import FACING_NAMES, PER_CM, STEP, Reach, Sight, Table


def table_board(table: Table) -> dict[str, Any]:
    """A table as clients get it: `{"kind": "table", "size", "lattice", "document"}`."""
    document = {key: value for key, value in table.document.items() if key not in ("source", "zone", "edge")}
    return {
        "kind": "table",
        "name": table.id,
        "title": table.document["title"],
        "size": list(table.size),
        "lattice": STEP,
        "facings": list(FACING_NAMES),
        "features": [[feature.id, feature.group, feature.kind] for feature in table.features],
        "document": document,
    }


def table_boards(tables: Mapping[str, Table]) -> dict[str, Any]:
    """The boards of a game on tables, by name: what its `boards()` returns."""
    return {name: table_board(table) for name, table in tables.items()}


@lru_cache(maxsize=32)
def sight_of(table: Table) -> Sight:
    """The lines of sight of a table, one object for all who ask."""
    sight = Sight(table)
    watched(sight.known)
    return sight


def seen_runs(table: Table, point: int, up: int = 0) -> list[int]:
    """What is seen from a point, over all points row by row, as runs: length, blocker, length, blocker ...

    The blocker is 0 where the point is seen, else 1 + the number of the feature in the way. It hangs on the table only.
    """
    runs: list[int] = []
    for other in table.points:
        blocker = sight_of(table).blocker(point, other, up, 0) + 1
        if runs and runs[-1] == blocker:
            runs[-2] += 1
        else:
            runs += [1, blocker]
    return runs


def ways_of(table: Table, start: int, found: Reach) -> dict[str, Any]:
    """A reach for the client, which draws every way from it: `{"start", "came": {point: [arrival facing, cm]}}`.

    A step back against the facing of arrival leads to the point before, and so on to the start.
    """
    came = {table.names[p]: [value & 15, -(-(value >> 4) // PER_CM)] for p, value in found.items()}
    return {"start": table.names[start], "came": came}
