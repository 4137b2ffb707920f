"""What may be laid over the map, as views tell it, and the same in lines for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Overlay = dict[str, Any]


def overlay(key: str, hexes: Mapping[str, Any] | None = None, *, side: str = "", lines: Sequence[Any] = ()) -> Overlay:
    """One overlay: hexes with a short word each, or lines through hexes; `side` where it belongs to one."""
    found: Overlay = {"key": key}
    if side:
        found["side"] = side
    if hexes:
        found["hexes"] = dict(hexes)
    if lines:
        found["lines"] = [list(line) for line in lines]
    return found


def shown(overlays: Iterable[Overlay]) -> list[Overlay]:
    """Those that show something."""
    return [o for o in overlays if o.get("hexes") or o.get("lines")]


def by_cost(costs: Mapping[str, int]) -> list[tuple[int, str]]:
    """Reach for the terminal: each cost with the hexes that it buys.

    >>> by_cost({"0102": 2, "0101": 1, "0103": 1})
    [(1, '0101 0103'), (2, '0102')]
    """
    found: dict[int, list[str]] = {}
    for hex, cost in costs.items():
        found.setdefault(cost, []).append(hex)
    return [(cost, " ".join(sorted(hexes))) for cost, hexes in sorted(found.items())]
