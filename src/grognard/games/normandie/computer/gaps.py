"""Where the enemy could slip through: the hexes that stand between him and what nobody guards. No rule lives here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..rules.definitions import ZONAL
from ..state import FULL, REDUCED
from ..state import NormandieState as S
from ..world import (
    ALLIED,
    COUNT,
    DEPOT_HEX,
    DEPOTS,
    FIXED,
    GERMAN,
    HEXES,
    HQS,
    IS_HQ,
    LAND_NEXT,
    SIDE,
    TOWNS,
    ZOC_NEXT,
)

ARMIES = tuple(
    tuple(u for u in range(COUNT) if SIDE[u] == side and not IS_HQ[u]) for side in (ALLIED, GERMAN)
)  # combat units by side
REACH = 6  # hexes that an enemy on the road makes in a phase
DEPOT, TOWN, HEADQUARTERS, ROAD = 60, 14, 16, 6  # how badly each must be covered
MOBILE = tuple(tuple(u for u in army if not FIXED[u]) for army in ARMIES)


def treasures(s: S, side: int) -> dict[int, int]:
    """What a side must not lose to a lone enemy: depots at work, towns, headquarters."""
    found: dict[int, int] = {}
    for h in TOWNS:
        if s.control[h] == side + 1:
            found[h] = TOWN
    for hq in HQS:
        if SIDE[hq] == side and s.place[hq] < HEXES:
            found[s.place[hq]] = max(HEADQUARTERS, found.get(s.place[hq], 0))
    if side == ALLIED:
        for d in range(len(DEPOTS)):
            if s.depot[d] in (REDUCED, FULL):
                found[DEPOT_HEX[d]] = DEPOT
    return found


def leaks(s: S, side: int, moving: Sequence[int], roads: Iterable[int] = ()) -> dict[int, int]:
    """Hexes by which an enemy could come at something unguarded, and how much it matters; as if `moving` were away."""
    away = set(moving)
    held = {s.place[u] for u in MOBILE[side] if s.place[u] < HEXES and u not in away}
    held |= {s.place[u] for u in ARMIES[side] if FIXED[u] and s.place[u] < HEXES}
    zoc = s.zoc[side * HEXES : (side + 1) * HEXES]
    for u in moving:
        if ZONAL[u] and s.place[u] < HEXES:
            for n in ZOC_NEXT[s.place[u]]:
                zoc[n] -= 1
    open_treasures = {h: ROAD for h in roads if h not in held}
    open_treasures |= {h: worth for h, worth in treasures(s, side).items() if h not in held}
    if not open_treasures:
        return {}
    came: dict[int, int] = {}
    todo = sorted({s.place[u] for u in MOBILE[1 - side] if s.place[u] < HEXES})
    far = dict.fromkeys(todo, 0)
    for h in todo:
        if far[h] == REACH or (far[h] and zoc[h]):
            continue
        for n in LAND_NEXT[h]:
            if n not in far and n not in held:
                far[n], came[n] = far[h] + 1, h
                todo.append(n)
    found: dict[int, int] = {}
    for h, worth in sorted(open_treasures.items()):
        worth = worth * (REACH + 2 - far.get(h, 0)) // (REACH + 1)  # the nearer he is
        while h in came:
            found[h] = max(found.get(h, 0), worth)
            h = came[h]
    return found
