"""Where those who wait for ships should wait: in a port with beaches worth landing on in reach.

A corps on a land without enemies has nothing to march to, so the judgement says nothing about where it stands. But a
marine corps two ports too far to the west lands nowhere, and one that was built in an inland city never sails. Here
ports are weighed by the best beach within a landing's reach, and by the front if they lie on it and have food left;
who would gain goes there by rail, on foot or by sea, or arrives there at once.
"""

from __future__ import annotations

from collections.abc import Iterable

from grognard.kernel import Action, Side

from ..frames import Entering, InHand, Placing
from ..memo import facing, remembered, unchanged
from ..rules.airborne import IS_AIRBORNE
from ..rules.definitions import has_room, movement_points
from ..rules.headquarters import IS_HQ
from ..rules.landings import IS_MARINE
from ..rules.movement import reach
from ..rules.rail import rail_hexes
from ..rules.sea import sailing_ports, voyages
from ..state import OOS, BitwState, side_holding
from ..world import IS_COMBAT, LIMITS, SIDE_OF, UNITS, world
from .goals import invader
from .invasion import LEAST, coast_worth
from .rations import room_at
from .shores import SEA, at_home, fronts, lands

NOWHERE = -1000  # a place that is no port, or a port without a beach in reach
FRONT = 100  # a port on the land where the war is, with food left
CALM = 40  # what a change of port must gain
WAITS = bytes(IS_MARINE[u.index] or IS_COMBAT[u.index] or u.kind == "artillery" for u in UNITS)


@remembered(lambda s, side: (facing(s, side), unchanged("ground", s.ground), s.turn))
def berths(s: BitwState, side: Side) -> dict[int, int]:
    """What each port of a side offers to those who wait to land: the best beach in reach."""
    t, war, land = world(s).theatre, fronts(s, side), lands(world(s))
    coast = [n for n in range(t.hexes) if t.coastal[n] and land[n] in war and side_holding(s, n) != side]
    worth = {n: coast_worth(s, side, n) for n in coast}
    found = {}
    for port in sailing_ports(s, side):
        if land[port] not in war:
            near = t.distances(port)
            found[port] = max([worth[n] for n in coast if near[n] <= LIMITS["landing_range"]], default=NOWHERE)
    return found


def berth(s: BitwState, unit: int, node: int) -> int:
    """What a hex is worth to a unit that waits to be used."""
    t, side = world(s).theatre, SIDE_OF[unit]
    if node >= t.hexes:
        return NOWHERE
    if lands(world(s))[node] in fronts(s, side):
        return FRONT if room_at(s, side, node, UNITS[unit].power) else NOWHERE
    return berths(s, side).get(node, NOWHERE)


def best_berth(s: BitwState, unit: int, nodes: Iterable[int]) -> tuple[int, int]:
    """The best of some hexes for a unit that waits: its worth, and the hex; -1 for none."""
    found = [(berth(s, unit, n), -n) for n in nodes]
    worth, node = max(found, default=(NOWHERE, 1))
    return worth, -node


def stagers(s: BitwState, side: Side, units: Iterable[int]) -> list[int]:
    """Of some units those who wait on a land without enemies and are no staff, marines first, then the strongest."""
    if invader(world(s)) != side:
        return []
    waiting = [u for u in at_home(s, side, units) if WAITS[u] and not IS_HQ[u] and not IS_AIRBORNE[u]]
    return sorted(waiting, key=lambda u: (not IS_MARINE[u], -s.steps[u], u))


def staging(s: BitwState, side: Side, legal: list[Action]) -> list[Action]:
    """The next unit that goes to a better port; nothing where all stand well.

    Ships bring the strongest to the front first. Points of leaders and of the treasury are for those who may land.
    """
    ships = stagers(s, side, [u for v, u in legal if v == "ship"])
    for unit in sorted(ships, key=lambda u: (not IS_COMBAT[u], -s.steps[u], u)):
        if best_berth(s, unit, ways(s, unit, "ship"))[0] == FRONT:
            return [("ship", unit)]
    for verb in ("rail-free", "rail", "ship", "move"):
        for unit in stagers(s, side, [u for v, u in legal if v == verb]):
            beyond = verb == "ship" and s.place[unit] >= world(s).theatre.hexes  # built in America
            if verb != "move" and not IS_MARINE[unit] and not beyond:
                continue
            worth = best_berth(s, unit, ways(s, unit, verb))[0]
            if (worth > LEAST or beyond) and worth >= berth(s, unit, s.place[unit]) + CALM:
                return [(verb, unit)]
    return []


def ways(s: BitwState, unit: int, verb: str) -> list[int]:
    """Where a unit gets by rail, by sea or on foot."""
    if verb == "ship":
        return [n for n in voyages(s, unit) if room_at(s, SIDE_OF[unit], n, UNITS[unit].power)]
    if verb != "move":
        return rail_hexes(s, unit)
    found = reach(s, unit, s.place[unit], movement_points(s, unit, bool(s.flags[unit] & OOS)))
    return [n for n in found.cost if n != s.place[unit] and has_room(s, n, unit)]


def waiting_choices(s: BitwState, c: InHand, legal: list[Action]) -> list[Action] | None:
    """Where a unit in hand goes that waits for ships: the best port; None for others."""
    nodes = [noun for verb, noun in legal if verb in ("to", "at")]
    if not nodes:
        return None
    if not isinstance(c, Placing | Entering):
        if not stagers(s, c.side, [c.unit]):
            return None  # who is at the front has better things to weigh
    else:
        land, war = lands(world(s)), fronts(s, c.side)
        ashore = [n for n in nodes if n >= world(s).theatre.hexes or land[n] == SEA or land[n] not in war]
        if invader(world(s)) != c.side or not WAITS[c.unit] or len(ashore) < len(nodes):
            return None
    worth, node = best_berth(s, c.unit, nodes)
    return [a for a in legal if a[1] == node and a[0] in ("to", "at")] if worth > NOWHERE else None
