"""Sea routes: where ships can sail, how far, and through which zones."""

from __future__ import annotations

from collections import deque

from grognard.games.surrender.rules.board import is_enemy_held
from grognard.games.surrender.state import Position, world
from grognard.kernel import rule


@rule("naval-move")
def sea_distances(s: Position, start: int, side: int, most: int) -> dict[int, int]:
    """naval-move Points to every hex a ship can reach, 1 a hex; a strait with both banks enemy is closed."""
    came = _spread(s, start, side, most)
    return {hex: cost for hex, (cost, _) in came.items()}


def _spread(s: Position, start: int, side: int, most: int, goal: int = -1) -> dict[int, tuple[int, int]]:
    w = world(s)
    lanes, passages, in_play = w.theatre.lanes, w.theatre.passages, w.in_play
    found = {start: (0, -1)}
    queue = deque([start])
    while queue:
        hex = queue.popleft()
        cost = found[hex][0] + 1
        if cost > most or hex == goal:
            continue
        for other in lanes[hex]:
            if other not in found and in_play[other]:
                found[other] = (cost, hex)
                queue.append(other)
        for other, bank, bank2 in passages.get(hex, ()):
            closed = is_enemy_held(s, bank, side) and is_enemy_held(s, bank2, side)
            if other not in found and in_play[other] and not closed:
                found[other] = (cost, hex)
                queue.append(other)
    return found


def sea_route(s: Position, start: int, goal: int, side: int, most: int) -> tuple[int, ...]:
    """The shortest way by sea, both ends included; empty when there is none within so many points."""
    found = _spread(s, start, side, most, goal)
    if goal not in found:
        return ()
    route = [goal]
    while (back := found[route[-1]][1]) >= 0:
        route.append(back)
    return tuple(reversed(route))


def zones_crossed(s: Position, route: tuple[int, ...]) -> set[int]:
    """The maritime zones of a route."""
    zones = world(s).theatre.zones
    return {zone for hex in route for zone in zones[hex]}
