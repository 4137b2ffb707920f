"""How many units beyond the sea the ports feed: an army without a port is lost in two months, however well it landed.

The judgement asks whether a hex is within a lane of a source (`score.fed_hexes`); here the limits of the ports count as
well (3.4, 6.7b), so that nobody lands, sails or flies to where there is nothing left to eat. Enemy zones are left out
of account, and who of two nations eats first.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterable
from typing import NamedTuple, cast

from grognard.kernel import Side

from ..memo import amended, facing, remembered
from ..rules.headquarters import PAIR
from ..rules.opening import rule_is_on
from ..rules.supply import networks, starving
from ..state import HELD, NONE, OFF, OUT, BitwState, on_map
from ..world import IS_FORT, IS_GROUND, LIMITS, POWER_SIDE, POWERS, SIDE_OF, UNITS, world
from .losses import prices

HUNGRY = 140  # points that a unit costs which no port will feed
DOOMED = 20  # points of each step of a unit that surrenders at the end of the turn
BY_LEADERS = 2  # 13.8.4 units on a coast that the two leaders feed


class Larder(NamedTuple):
    """What feeds a side: by power and node the port networks within a lane (None: no limit), and what each can feed."""

    at: dict[int, dict[int, tuple[int, ...] | None]]
    capacity: dict[int, int]


def larder_key(s: BitwState, side: Side) -> Hashable:
    """What feeds a side hangs on what it faces, and on who is still in the war."""
    return facing(s, side), bytes(s.status)


@remembered(larder_key)
def larder(s: BitwState, side: Side) -> Larder:
    """3.4, 4.3a, 6.7b Who could eat where, enemy zones left out of account; a Mulberry feeds one nation."""
    t = world(s).theatre
    capacity: dict[int, int] = {}
    at: dict[int, dict[int, tuple[int, ...] | None]] = {}
    theirs = (1 - side) * len(s.first_in)
    for power in sorted(world(s).scenario.in_play):
        if POWER_SIDE[power] != side or s.status[power] & OUT:
            continue
        free: set[int] = set()
        keys: dict[int, set[int]] = {}
        for network in networks(s, power, POWERS[power].id):
            found = set(network.nodes)
            frontier = sorted(found)
            for _ in range(LIMITS["lane"]):
                near = {n for node in frontier for n in t.touch[node] if n not in found}
                found |= near
                frontier = [n for n in near if not t.no_lane[n] and not s.present[theirs + n]]
            if network.capacity is None:
                free |= found
                continue
            capacity[network.key] = network.capacity
            for node in found:
                keys.setdefault(node, set()).add(network.key)
        at[power] = {n: tuple(sorted(found)) for n, found in keys.items()} | dict.fromkeys(free)
    return Larder(at, capacity)


MANY = 6  # changes of place beyond which all are looked at again
Keys = dict[int, tuple[int, ...]]


def moved_eaters(s: BitwState, side: Side, last: Keys, moved: Iterable[int]) -> Keys:
    """Who eats what ports bring if nobody but a few units stands elsewhere."""
    stock = larder(s, side)
    changed = {u: eats_at(s, stock, u) for u in moved if SIDE_OF[u] == side}
    if all(last.get(u) == found for u, found in changed.items()):
        return last
    keys = {u: found for u, found in (last | changed).items() if found is not None}
    return {u: keys[u] for u in sorted(keys)}


def stands_and_bases(s: BitwState) -> tuple[bytes, bytes]:
    """The columns that say where everybody eats."""
    return cast("array[int]", s.place).tobytes(), cast("array[int]", s.base).tobytes()


@amended(larder_key, stands_and_bases, moved_eaters, MANY)
def eaters(s: BitwState, side: Side) -> Keys:
    """By unit that no source feeds without limit: the networks that could. Who moved since is looked at again."""
    stock = larder(s, side)
    return {u: found for u in on_map(s, side) if (found := eats_at(s, stock, u)) is not None}


def eats_at(s: BitwState, stock: Larder, unit: int) -> tuple[int, ...] | None:
    """The networks that could feed a unit where it stands; None without limit, and for who is away or a fort."""
    at, table = s.place[unit], stock.at.get(UNITS[unit].power)
    if at >= OFF or IS_FORT[unit]:
        return None
    return table.get(s.base[unit] if s.base[unit] != NONE else at, ()) if table else ()  # aircraft eat at home


def shared_out(s: BitwState, side: Side) -> tuple[dict[int, int], int]:
    """What is left in each network when all who can have eaten, and how many go without."""
    stock = larder(s, side)
    left, without = dict(stock.capacity), 0
    for keys in eaters(s, side).values():
        for key in keys:
            if left[key]:
                left[key] -= 1
                break
        else:
            without += 1
    return left, without


def room_at(s: BitwState, side: Side, node: int, power: int = -1) -> bool:
    """Whether one unit more would be fed in a hex, of some power of the side, or of this one."""
    at = larder(s, side).at
    tables = [at[p] for p in at if power in (-1, p)]
    if any(table.get(node, ()) is None for table in tables):
        return True
    left = shared_out(s, side)[0]
    return any(left[key] for table in tables for key in table.get(node) or ())


def hungry(s: BitwState, side: Side) -> int:
    """How many units of a side the ports in reach do not feed; the leaders feed two on a coast."""
    without, place = shared_out(s, side)[1], s.place
    if without and "casablanca" in world(s).scenario.rules and all(place[u] < OFF or place[u] == HELD for u in PAIR):
        return max(0, without - BY_LEADERS)
    return without


def hunger(s: BitwState, side: Side) -> int:
    """The points that hungry units cost, where armies cross the sea."""
    return HUNGRY * hungry(s, side) if rule_is_on(s, "24.0a") else 0


def doomed(s: BitwState, side: Side) -> int:
    """7.9a, 4.5a What the phasing side's units are worth that are out of supply and surrender if nothing changes."""
    if side != s.phasing or not rule_is_on(s, "24.0a"):
        return 0
    lost = [u for u in starving(s, side) if IS_GROUND[u] and not IS_FORT[u]]
    return sum([DOOMED * s.steps[u] + prices(s).get(u, 0) for u in lost])
