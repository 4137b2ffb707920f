"""Sea routes: where ships can sail, how far, and through which zones."""

from __future__ import annotations

from grognard.games.surrender.rules.board import at_war
from grognard.games.surrender.state import Position, world
from grognard.games.surrender.world import OUT_OF_PLAY, World
from grognard.kernel import rule

_OTHERS, _ENEMY, _OWN = range(3)  # who holds a narrow place, to a side
_HOLDERS = tuple(
    bytes(
        _OWN if holder == side + 1 else _ENEMY if 0 < holder < OUT_OF_PLAY and at_war(side, holder - 1) else _OTHERS
        for holder in range(256)
    )
    for side in range(3)
)  # fmt: skip


@rule("naval-move")
def sea_distances(s: Position, start: int, side: int, most: int) -> dict[int, int]:
    """naval-move Points to every hex a ship can reach, 1 a hex; narrow waters in enemy hands are closed."""
    return search(world(s), start, most, holders(s, side))[0]


def holders(s: Position, side: int) -> bytes:
    """For each port, narrow coast and bank of a strait: held by the side, by an enemy, or by neither."""
    return bytes(world(s).narrow_holders(s.control)).translate(_HOLDERS[side])


@rule("naval-move")
def closed_to(w: World, held: bytes) -> tuple[frozenset[int], frozenset[tuple[int, int]]]:
    """naval-move Closed: a strait, canal or channel with a bank of the enemy's and none of ours; and a port or narrow
    coast of the enemy's with no shore of ours across a channel (Dover is open to who holds Calais). A ship may come to
    such a hex (to invade it) but not sail on from it.
    """
    by_hex = dict(zip(w.narrow_places, held))
    ours = {h for pair in w.theatre.channels for h in pair if _OWN in (by_hex[pair[0]], by_hex[pair[1]])}
    shut = frozenset(h for h in w.theatre.narrows if by_hex[h] == _ENEMY and h not in ours)
    straits = [(a, b, {by_hex[a], by_hex[b]}) for a, b in w.theatre.banks]
    return shut, frozenset((a, b) for a, b, sides in straits if _ENEMY in sides and _OWN not in sides)


def search(w: World, start: int, most: int, held: bytes) -> tuple[dict[int, int], dict[int, int]]:
    """Costs, and where each hex is reached from. Remembered: nothing but the holders of narrow places changes it."""
    found: tuple[dict[int, int], dict[int, int]] | None = w.sea_searches.get((start, most, held))
    if found is not None:
        return found
    shut, straits = closed_to(w, held)
    lanes, passages = w.lanes, w.theatre.passages
    blocked: dict[int, set[int]] = {}  # from a coast, those across a channel that the enemy closes
    for a, b in straits:
        blocked.setdefault(a, set()).add(b)
        blocked.setdefault(b, set()).add(a)
    costs, came = {start: 0}, {start: -1}
    edge = [start]
    for cost in range(1, most + 1):
        after = []
        for hex in edge:
            if hex in shut and hex != start:
                continue
            ways = lanes[hex]
            if hex in blocked:
                ways = tuple(other for other in ways if other not in blocked[hex])
            if hex in passages:
                ways = (*ways, *(end for end, a, b in passages[hex] if (a, b) not in straits and w.in_play[end]))
            for other in ways:
                if other not in costs:
                    costs[other], came[other] = cost, hex
                    after.append(other)
        edge = after
        if not edge:
            break
    w.sea_searches.keep((start, most, held), (costs, came))
    return costs, came


def sea_route(s: Position, start: int, goal: int, side: int, most: int) -> tuple[int, ...]:
    """The shortest way by sea, both ends included; empty when there is none within so many points."""
    costs, came = search(world(s), start, most, holders(s, side))
    if goal not in costs:
        return ()
    route = [goal]
    while (back := came[route[-1]]) >= 0:
        route.append(back)
    return tuple(reversed(route))
