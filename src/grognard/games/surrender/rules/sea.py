"""Sea routes: where ships can sail, how far, and through which zones."""

from __future__ import annotations

from collections import deque

from grognard.games.surrender.rules.board import is_enemy_held
from grognard.games.surrender.state import Position, world
from grognard.games.surrender.world import World
from grognard.kernel import rule


@rule("naval-move")
def sea_distances(s: Position, start: int, side: int, most: int) -> dict[int, int]:
    """naval-move Points to every hex a ship can reach, 1 a hex; a strait with both banks enemy is closed."""
    return search(world(s), start, most, closed_straits(s, side))[0]


@rule("naval-move")
def closed_straits(s: Position, side: int) -> frozenset[tuple[int, int]]:
    """naval-move The straits and canals whose two banks the enemy holds."""
    return frozenset(
        banks
        for banks in world(s).theatre.banks
        if is_enemy_held(s, banks[0], side) and is_enemy_held(s, banks[1], side)
    )


def search(
    w: World, start: int, most: int, closed: frozenset[tuple[int, int]]
) -> tuple[dict[int, int], dict[int, int]]:
    """Costs, and where each hex is reached from. Remembered: nothing but closed straits ever changes it."""
    found = w.sea_searches.get((start, most, closed))
    if found is not None:
        return found
    lanes, passages, in_play = w.theatre.lanes, w.theatre.passages, w.in_play
    costs, came = {start: 0}, {start: -1}
    queue = deque([start])
    while queue:
        hex = queue.popleft()
        cost = costs[hex] + 1
        if cost > most:
            continue
        ways = [*lanes[hex], *(end for end, a, b in passages.get(hex, ()) if (a, b) not in closed)]
        for other in ways:
            if other not in costs and in_play[other]:
                costs[other], came[other] = cost, hex
                queue.append(other)
    w.sea_searches[start, most, closed] = costs, came
    return costs, came


def sea_route(s: Position, start: int, goal: int, side: int, most: int) -> tuple[int, ...]:
    """The shortest way by sea, both ends included; empty when there is none within so many points."""
    costs, came = search(world(s), start, most, closed_straits(s, side))
    if goal not in costs:
        return ()
    route = [goal]
    while (back := came[route[-1]]) >= 0:
        route.append(back)
    return tuple(reversed(route))


def zones_crossed(s: Position, route: tuple[int, ...]) -> set[int]:
    """The maritime zones of a route."""
    zones = world(s).theatre.zones
    return {zone for hex in route for zone in zones[hex]}
