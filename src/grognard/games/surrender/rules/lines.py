"""Networks of friendly ground: land supply lines, strategic movement, connection to a capital."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from grognard.games.surrender.charts import charts
from grognard.games.surrender.rules.board import in_ezoc_for_lines
from grognard.games.surrender.state import Position, world
from grognard.kernel import rule


def open_hexes(s: Position, side: int) -> bytearray:
    """ezoc Friendly hexes that a line may cross: not in EZOC unless a friendly army is there."""
    mask = bytearray(len(s.control))
    for hex in world(s).land_in_play:
        if s.control[hex] == side + 1 and not in_ezoc_for_lines(s, hex, side):
            mask[hex] = 1
    return mask


def flood(s: Position, starts: Iterable[int], mask: bytearray, most: int = 100_000) -> dict[int, int]:
    """Every open hex joined to the starts, with its distance in hexes."""
    passable = world(s).theatre.passable_neighbours
    found = {hex: 0 for hex in starts if mask[hex]}
    queue = deque(found)
    while queue:
        hex = queue.popleft()
        distance = found[hex] + 1
        if distance > most:
            continue
        for other in passable(hex):
            if mask[other] and other not in found:
                found[other] = distance
                queue.append(other)
    return found


@rule("supply-sources")
def source_hexes(s: Position, side: int) -> list[int]:
    """supply-sources Friendly capitals of the faction's home countries and its friendly map edges."""
    w = world(s)
    capitals = [w.capitals[c] for c in w.home.get(side, ()) if c in w.capitals]
    return [h for h in (*capitals, *w.edges.get(side, ())) if s.control[h] == side + 1]


@rule("supply-sources", "supply-land")
def network(s: Position, side: int, mask: bytearray | None = None) -> dict[int, int]:
    """supply-sources Everything joined to a source: an encircled home city is none."""
    return flood(s, source_hexes(s, side), open_hexes(s, side) if mask is None else mask)


@rule("supply-land")
def supplied_hexes(s: Position, side: int) -> set[int]:
    """supply-land Hexes within six of a friendly city that the network reaches.

    The way may not cross enemy ground nor EZOC without a friendly army; a unit's own hex is always good.
    """
    mask = open_hexes(s, side)
    joined = network(s, side, mask)
    cities = [h for h in joined if world(s).theatre.city[h]]
    reach = int(charts()["supply"]["reach"])
    near = flood(s, [*cities, *(h for h in source_hexes(s, side) if h in joined)], mask, reach)
    supplied = set(near)
    passable = world(s).theatre.passable_neighbours
    for unit in world(s).of_faction[side]:
        hex = s.at[unit]
        if hex >= 0 and hex not in supplied and any(near.get(h, reach) < reach for h in passable(hex)):
            supplied.add(hex)
    return supplied
