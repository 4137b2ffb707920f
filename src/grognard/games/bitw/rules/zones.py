"""Chapter 8: zones of control in the Advanced game. Rivers and strongpoints stop them."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.kernel import Side, rule

from ..memo import remembered
from ..state import BitwState, enemy_of, side_holding
from ..theatre import MAJOR
from ..world import world
from .chapters import ADVANCED
from .weather import rivers_flow


@rule("8.0a", "3.19d")
def river_stops(s: BitwState, whence: int, node: int) -> bool:
    """8.0a A zone does not cross a river that flows; a frozen one (9.3c) stops nothing."""
    return (whence, node) in world(s).theatre.rivers and rivers_flow(s, node)


@rule("8.0a")
def is_strongpoint(s: BitwState, node: int, side: Side) -> bool:
    """8.0a A major city, bunker or fortress that a side controls: no enemy zone reaches in, even if it is empty."""
    return side_holding(s, node) == side and bool(world(s).theatre.city[node] == MAJOR or s.works[node])


@remembered(lambda s: (s.scenario, s.sky, s.south))
def dry_neighbours(s: BitwState) -> tuple[tuple[int, ...], ...]:
    """8.0a By node: its neighbours that no river parts from it, as the weather is."""
    touch = world(s).theatre.touch
    return tuple(tuple(n for n in near if not river_stops(s, node, n)) for node, near in enumerate(touch))


@rule("8.0a", "8.0b", "8.0c", "3.19d")
def advanced_zone(s: BitwState, side: Side, holders: Iterable[int]) -> frozenset[int]:
    """8.0a The zone of the ground units in some hexes: not across rivers that flow, not into enemy strongpoints.

    8.0b But into an empty one whose land neighbours all hold units of the side or lie in its zone. Forts exert none
    (8.0c): they are not among the holders.
    """
    nodes, touch = len(s.first_in), world(s).theatre.touch
    present, mine, theirs, enemy = s.present, side * nodes, enemy_of(side) * nodes, enemy_of(side)
    dry = dry_neighbours(s)
    found = {n for node in holders for n in dry[node] if not present[theirs + n]}
    strong = {n for n in found if is_strongpoint(s, n, enemy)}
    found -= strong
    taken = [n for n in strong if all(other in found or present[mine + other] for other in touch[n])]
    return frozenset(found.union(taken))


def stops_zone(s: BitwState, whence: int, node: int, side: Side) -> bool:
    """8.0a True if in the Advanced game a zone of a side does not reach from one hex into the next."""
    if s.chosen[ADVANCED] != "on":
        return False
    return river_stops(s, whence, node) or is_strongpoint(s, node, enemy_of(side))
