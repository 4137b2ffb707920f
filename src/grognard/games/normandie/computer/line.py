"""How the Germans hold a line: every unit stands where it keeps most from the enemy's next march. No rule lives here.

What a hex is worth to the other side is said here; the rest is `grognard.kit.front`. For the Germans what a hex spares
replaces the pull of the goals, and a town close to the enemy wants a stack, not a regiment.
"""

from __future__ import annotations

from grognard.kit.front import Line, March

from ..rules.definitions import ZOC_EXIT, ZONAL, allowance, modes_of, west_of
from ..rules.movement import prices
from ..state import NormandieState as S
from ..world import (
    ALLIED,
    AMERICAN,
    AT,
    CHERBOURG,
    COLUMN,
    COUNTERS,
    DEFENCE,
    FOOT,
    GERMAN,
    GROUP,
    HEXES,
    HQS,
    LAND,
    LAST_BOX,
    MOTOR,
    NEXT,
    ROW,
    SIDE,
    TOWNS,
    TRACK,
    ZOC_NEXT,
    is_box,
)
from .fronts import Front, hex_worth, nearest_foe
from .gaps import ARMIES, MOBILE
from .goals import far_from, near_goal
from .port import port_worth

MOST = 12  # points of the fastest unit
GROUND, TOWN, STAFF = 1, 6, 8  # what a hex, a town, a headquarters is worth to the enemy who marches in
SPARE, HASTE = 3, 2  # points for what a unit spares, and for each hex nearer to a hole
STACK, HOLD, CLOSE = 16, 60, 4  # defence that holds a town, what it is worth there, hexes within which the enemy is
REAR_BOX = AT["angers"]
UTAH, NECK = AT["0617"], 3  # the Cotentin: the columns from the beach westward, and rows so far south of it
AROUND = tuple(tuple(n for n in row if n >= 0) for row in NEXT)


def line_of(s: S, side: int, away: tuple[int, ...]) -> Line:
    """The enemy's next march against a side, with some units taken off the map."""
    foe, gone = 1 - side, set(away)
    held = bytearray(HEXES)
    for u in ARMIES[side]:
        if s.place[u] < HEXES and u not in gone:
            held[s.place[u]] = 1
    zoc = bytearray(s.zoc[side * HEXES : (side + 1) * HEXES])
    for u in away:
        if ZONAL[u] and s.place[u] < HEXES:
            for n in ZOC_NEXT[s.place[u]]:
                zoc[n] -= 1
    west = west_of(s)
    on_foot, on_wheels = March(prices(FOOT, (), west), {}), March(prices(MOTOR, (), west), {})
    exits: dict[int, int] = {}
    for u in MOBILE[foe]:
        p = s.place[u]
        if p < HEXES and not s.confusion[p]:
            mode = modes_of(s, u)[0]
            row = on_wheels.points if mode == MOTOR else on_foot.points
            row[p] = max(row.get(p, 0), min(MOST, allowance(s, u, mode)))
            exits[p] = min(exits.get(p, 9), ZOC_EXIT[u])
    worth = bytearray(GROUND if LAND[h] and s.control[h] != foe + 1 else 0 for h in range(HEXES))
    for h in TOWNS:
        if worth[h]:
            worth[h] = TOWN
    for hq in HQS:
        if SIDE[hq] == side and s.place[hq] < HEXES:
            worth[s.place[hq]] += STAFF
    return Line((on_foot, on_wheels), exits, held, zoc, worth, ZOC_NEXT, MOST)


def line_worth(s: S, front: Front, side: int, units: tuple[int, ...], h: int) -> int:
    """How much a side wants these units in a hex; the Germans for the sake of the line instead of the goals."""
    worth = hex_worth(s, front, side, units, h)
    if s.scenario == "cherbourg":
        return worth + port_worth(s, front, side, units, h)
    if side != GERMAN:
        return worth + effort(s, front, units, h)
    if units not in front.marches:
        front.marches[units] = line_of(s, side, units)
    line = front.marches[units]
    worth += front.manner.draw[side] * near_goal(s, h, GROUP[units[0]])
    worth += SPARE * line.spared(h, any(ZONAL[u] for u in units)) - HASTE * line.to_leak(h, AROUND)
    if h in TOWNS and h not in CHERBOURG and nearest_foe(front, side, h) <= CLOSE:
        here = sum(s.place[u] == h for u in units)
        stack = front.defence[side].get(h, 0) - (front_share(s, units) if here else 0)
        worth += HOLD * max(0, STACK - stack) // STACK
    return worth


def effort(s: S, front: Front, units: tuple[int, ...], h: int) -> int:
    """One thing at a time: the Americans of the Cotentin aim at Cherbourg alone until it falls."""
    left = [port for port in CHERBOURG if s.control[port] != ALLIED + 1]
    here = s.place[units[0]]
    if s.scenario != "campaign" or not left or GROUP[units[0]] != AMERICAN or here >= HEXES:
        return 0
    if COLUMN[here] < COLUMN[UTAH] or ROW[here] > ROW[UTAH] + NECK:
        return 0
    return front.manner.draw[ALLIED] * (near_goal(s, h, AMERICAN) - min(far_from(port)[h] for port in left))


def front_share(s: S, units: tuple[int, ...]) -> int:
    """What units that stand in a hex add to its defence."""
    return sum(DEFENCE[u][s.steps[u]] * 2 // (2 + s.disorder[u]) for u in units)


def rear_staff(s: S) -> int:
    """The German headquarters that waits off the map while units are still to come: the least useful; -1 for none.

    A unit that interdiction holds in a box starves unless a headquarters is in its box or the next (5.1e, 7a, 7.5e);
    one in Angers reaches Languedoc, Rennes, Le Mans and Orleans.
    """
    if s.scenario == "cherbourg":
        return -1
    coming = any(
        HEXES <= s.place[u] <= LAST_BOX or (s.place[u] == TRACK and 0 < s.due[u] <= s.turn + 3) for u in MOBILE[GERMAN]
    )
    off = [u for u in HQS if coming and SIDE[u] == GERMAN and is_box(s.place[u])]
    return min(off, key=lambda u: (COUNTERS[u].bonus, s.place[u] != REAR_BOX, u), default=-1)
