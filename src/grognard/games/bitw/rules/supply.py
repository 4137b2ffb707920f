"""Chapter 4: supply. Sources by rail and sea, lanes of three hexes, port capacities, barrels and surrender.

A nation draws on its main source (4.1). Rail hexes of its side joined to it are sources (4.2) without limit. Where
the network, or an overseas main source, reaches the sea, the side's open ports on that sea are sources too, each for
a limited number of units (3.4); the rails inland of them share that limit.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, cast

from grognard.hexes import way_back
from grognard.kernel import NOTHING, Decision, No, Side, emit, no, rule
from grognard.kernel.kept import Kept

from ..frames import PlayerTurn
from ..loading import ALLIES
from ..memo import amended, beset, differing, remembered, standing, unchanged
from ..nouns import FOG, UNIT
from ..scenarios import NOBODY
from ..state import NONE, OFF, OOS, POOL, BitwState, enemy_in, enemy_of, on_map, put, side_holding
from ..theatre import MAJOR_PORT
from ..world import BLOCKS_OF, IS_AIR, IS_GROUND, LIMITS, POWER_SIDE, POWERS, SIDE_OF, UNITS, world
from .definitions import air_zone, ground_zone, harbour_nation, port_is_open
from .discs import held_by_discs
from .readings import otherwise
from .targets import is_cut
from .waters import feeds_no_more
from .weather import lane_length

BRITAIN = frozenset({"great-britain"})  # the island: Gibraltar and Malta are British ports like others
NOT_THROUGH_PORT = no("3.4-port-major", "not-through-port")


@dataclass(frozen=True)
class Network:
    """Sources that share one port limit: a key, the nodes, and how many units they feed (None: any number).

    The key is the lowest node, the same for every nation that shares the ports; a Mulberry's is its own, below 0.
    """

    key: int
    nodes: frozenset[int]
    capacity: int | None


@rule("4.1", "5.7d")
def main_source(s: BitwState, unit_home: str, power: int) -> int | None:
    """4.1 Where a nation's supply begins: Canada for Canadians, else the power's source; None if it is lost."""
    t = world(s).theatre
    name = "canada" if unit_home == "CA" else POWERS[power].source
    if s.capital[power] < t.nodes and unit_home != "CA":
        node = s.capital[power]
    elif t.has(name):
        node = t.find(name)
    else:
        return None
    if node >= t.hexes:
        return node
    return node if side_holding(s, node) == POWERS[power].side and not enemy_in(s, node, POWERS[power].side) else None


@remembered(beset)
@rule("4.2")
def rail_nets(s: BitwState, side: Side) -> dict[int, frozenset[int]]:
    """4.2 For every rail node that a side controls and no enemy stands in, all such nodes joined to it by rail."""
    t = world(s).theatre
    theirs = enemy_of(side) * len(s.first_in)
    present, owner, hexes = s.present, s.owner, t.hexes
    mine = {p.index for p in POWERS if p.side == side}
    free = [n for n in t.rail_nodes if not present[theirs + n] and (n >= hexes or owner[n] in mine)]
    return joined_by_rail(s, frozenset(free) - held_by_discs(s, side, 3))  # 29.1f


@remembered(lambda s, free: s.scenario)
@rule("3.5")
def joined_by_rail(s: BitwState, free: frozenset[int]) -> dict[int, frozenset[int]]:
    """3.5 For each of some rail nodes, those that rails through nothing but such nodes join to it."""
    t, left = world(s).theatre, set(free)
    nets: dict[int, frozenset[int]] = {}
    for start in t.rail_nodes:
        if start not in left:
            continue
        left.remove(start)
        found = [start]
        for node in found:  # grows on the way
            near = [n for n in t.rail[node] if n in left]
            left.difference_update(near)
            found += near
        net = frozenset(found)
        nets |= dict.fromkeys(net, net)
    return nets


def by_rail(s: BitwState, side: Side, start: int) -> frozenset[int]:
    """4.2 Every node joined to a friendly node by rail, itself included."""
    return rail_nets(s, side).get(start) or frozenset((start,))


@remembered(beset)
def open_ports(s: BitwState, side: Side) -> tuple[int, ...]:
    """7.5.5e The ports that serve a side."""
    owner, mine = s.owner, {p.index for p in POWERS if p.side == side}
    t = world(s).theatre
    shut = {sea for sea in set(t.sea) if s.conditions and feeds_no_more(s, side, sea)}
    ports = (n for n in t.ports if owner[n] in mine and t.sea[n] not in shut and port_is_open(s, n, side))
    return tuple(n for n in ports if not is_cut(s, n))  # 32.2


def seas_reached(s: BitwState, side: Side, nodes: frozenset[int]) -> set[str]:
    """4.2 The seas on which these nodes have an open port.

    For the Allies the Atlantic and the Mediterranean are one (Gibraltar); overseas sources lie on both (decision 0302).
    Enemy fleets do not stop supply by sea (ruling A70).
    """
    t = world(s).theatre
    found = {t.sea[n] for n in open_ports(s, side) if n in nodes}
    if not nodes.isdisjoint(range(t.hexes, t.nodes)):
        found.add("atlantic")
    if side == ALLIES and found & {"atlantic", "mediterranean"}:
        found |= {"atlantic", "mediterranean"}
    return found


@remembered(lambda s, power, home: beset(s, POWER_SIDE[power]))
@rule("4.2", "3.4-port-major", "3.4-port-minor")
def networks(s: BitwState, power: int, home: str) -> list[Network]:
    """4.2 The networks that feed a nation: its own rails without limit, then those behind ports with their limits.

    Ports of the island of Great Britain do not limit units that stand there (ruling A71).
    """
    side = POWERS[power].side
    start = main_source(s, home, power)
    if start is None:
        return []
    t, nets = world(s).theatre, rail_nets(s, side)
    own = by_rail(s, side, start)
    found = [Network(min(own), own, None)]
    seas = seas_reached(s, side, own)
    found += harbour_networks(s, power, own) if seas else []
    behind: dict[frozenset[int], list[int]] = {}
    for port in open_ports(s, side):
        if t.sea[port] in seas and port not in own:
            behind.setdefault(nets.get(port) or frozenset((port,)), []).append(port)
    for nodes, ports in behind.items():
        capacity = sum([LIMITS["port_major" if t.port[n] == MAJOR_PORT else "port_minor"] for n in ports])
        found.append(Network(min(nodes), nodes, None if t.region[ports[0]] in BRITAIN else capacity))
    return found


@rule("6.7b", "6.7.2a")
def harbour_networks(s: BitwState, power: int, own: frozenset[int]) -> list[Network]:
    """6.7b A Mulberry is a major port for its own nation; 6.7.2a three hits stop its supply for a turn."""
    found = []
    for which in (0, 1):
        node = s.harbour[which]
        if node == NONE or harbour_nation(s, node) != power or enemy_in(s, node, POWER_SIDE[power]):
            continue
        if s.harbour_hits[which] < LIMITS["harbour_cut"] and node not in own:
            found.append(Network(-1 - which, by_rail(s, POWER_SIDE[power], node), LIMITS["port_major"]))
    return found


def closing(s: BitwState, side: Side) -> Hashable:
    """What may close a node to a side's lanes: where its enemy stands, and that enemy's zones."""
    if otherwise(s, "lane-zones"):
        return standing(s)
    enemy, nodes = enemy_of(side), len(s.first_in)
    ground = unchanged(("closing", enemy), s.ground[enemy * nodes : (enemy + 1) * nodes])
    return (s.scenario, ground, ground_zone(s, enemy), held_by_discs(s, side, 2))


@remembered(closing)
@rule("4.3b", "4.3c")
def closed_to_lanes(s: BitwState, side: Side) -> bytes:
    """4.3b By node: 1 where no lane may pass; the same object while nothing has changed.

    Mountains, water, hexes of enemy ground units and their zones, contested ones included (4.3c). Zones of based
    aircraft do not count (A65), but by the switch `lane-zones`.
    """
    nodes, enemy = len(s.first_in), enemy_of(side)
    shut = bytearray(world(s).theatre.no_lane)
    for node in ground_zone(s, enemy):
        shut[node] = 1
    for node in air_zone(s, enemy) if otherwise(s, "lane-zones") else ():
        shut[node] = 1
    for node in {s.place[u] for u in on_map(s, enemy)}:
        if s.ground[enemy * nodes + node]:
            shut[node] = 1
    for node in held_by_discs(s, side, 2):  # 29.1e
        shut[node] = 1
    return unchanged(("lanes", side), shut)


@lru_cache(maxsize=512)
def starts_of(sources: frozenset[int]) -> dict[int, int]:
    """Sources as the beginnings of lanes, in order."""
    return {n: n for n in sorted(sources)}


@rule("9.1")
def short_of_lanes(s: BitwState) -> frozenset[int]:
    """9.1 The hexes where bad weather leaves lanes of 2; a red arrow still takes a lane whole (7.5.5b, our reading)."""
    return frozenset(n for n in range(len(s.first_in)) if lane_length(s, n) < LIMITS["lane"])


@remembered(lambda s, side, sources: (s.scenario, s.conditions, closed_to_lanes(s, side)))
@rule("4.3a", "7.5.5b", "9.1")
def lanes_from(s: BitwState, side: Side, sources: frozenset[int]) -> dict[int, int]:
    """4.3a Every node within a lane of 3 hexes of a source, with the next node on the way; a red arrow uses all 3.

    The unit's own hex may be anything; the hexes between, and the source unless the unit stands on it, must be free.
    """
    shut = closed_to_lanes(s, side)
    key = s.scenario, s.conditions, side, sources
    before: tuple[bytes, dict[int, int]] | None = LANES.get(key)
    if before is not None and before[1].keys().isdisjoint(differing(shut, before[0])):
        return before[1]  # what has opened or closed since was not met
    came = spread_lanes(s, shut, sources)
    LANES.keep(key, (shut, came))
    return came


LANES = Kept(64)  # by what lanes hang on but for closed hexes: those that were closed, and the lanes


def spread_lanes(s: BitwState, shut: bytes, sources: frozenset[int]) -> dict[int, int]:
    """The same, worked out: whether a hex is shut is asked only of those that are met, which are all in the answer."""
    t = world(s).theatre
    touch, arrows = t.touch, t.arrows
    came = starts_of(sources).copy()
    frontier = [n for n in came if not shut[n] or n >= t.hexes]
    short = frozenset() if not s.conditions & 15 else short_of_lanes(s)  # 9.1
    for length in range(1, LIMITS["lane"] + 1):
        following = []
        for node in frontier:
            for other in touch[node]:
                if other not in came:
                    if length == LIMITS["lane"] and other in short:
                        continue
                    came[other] = node
                    if not shut[other]:
                        following.append(other)
            for other in arrows[node] if length == 1 else ():
                came.setdefault(other, node)
        frontier = following
    return came


def lane_of(s: BitwState, unit: int) -> list[int] | None:
    """4.3a The supply lane of a unit, hex by hex from the unit to its source; None if there is none."""
    u = UNITS[unit]
    for network in networks(s, u.power, u.home):
        came = lanes_from(s, u.side, network.nodes)
        if s.place[unit] in came:
            return way_back(came, s.place[unit])
    return None


@remembered(lambda s, power, home="": beset(s, POWER_SIDE[power]))
def sources_of(s: BitwState, power: int, home: str = "") -> frozenset[int]:
    """4.2 Every node that can act as a supply source for a nation."""
    found: set[int] = set()
    for network in networks(s, power, home or POWERS[power].id):
        found |= network.nodes
    return frozenset(found)


GROUP_OF = tuple((u.power, u.home) for u in UNITS)  # by unit: whose networks feed it
GROUPS = tuple(
    {GROUP_OF[u]: [v for v in BLOCKS_OF[side] if GROUP_OF[v] == GROUP_OF[u]] for u in BLOCKS_OF[side]}
    for side in (0, 1)
)
MARKED = bytes(flags & OOS for flags in range(256))  # flags read with `translate`


class Pantry(NamedTuple):
    """Where units of one nation and home eat: by node within a lane the port networks, and what each can feed.

    None stands for a network without limit.
    """

    at: dict[int, tuple[int, ...] | None]
    capacity: dict[int, int]


@remembered(lambda s, side, group: (beset(s, side), closed_to_lanes(s, side)))
@rule("4.3a", "3.4-port-major", "3.4-port-minor")
def pantry(s: BitwState, side: Side, group: tuple[int, str]) -> Pantry:
    """4.3a The lanes of all networks of a group laid over one another."""
    at: dict[int, tuple[int, ...] | None] = {}
    capacity: dict[int, int] = {}
    for network in networks(s, *group):
        came = lanes_from(s, side, network.nodes)
        if network.capacity is None:
            at.update(dict.fromkeys(came))
            continue
        capacity[network.key] = network.capacity
        for node in came:
            keys = at.get(node, ())
            at[node] = None if keys is None else (*keys, network.key)
    return Pantry(at, capacity)


class Supplied(NamedTuple):
    """Units fed without limit; for the others the port networks in reach; and what each of those can feed."""

    fed: frozenset[int]
    waiting: dict[int, list[int]]
    capacity: dict[int, int]


FEW = 6  # units that stand elsewhere beyond which all are looked at again


def since(s: BitwState, side: Side, last: Supplied, moved: Iterable[int]) -> Supplied | None:
    """The state of supply if nobody but a few units stands elsewhere.

    None where two nations see the limit of a network differently: then all are looked at, in their order.
    """
    fed, waiting, capacity = set(last.fed), last.waiting.copy(), last.capacity.copy()
    for u in moved:
        if SIDE_OF[u] != side:
            continue
        fed.discard(u)
        waiting.pop(u, None)
        if s.place[u] >= OFF:
            continue
        at, limits = pantry(s, side, GROUP_OF[u])
        keys = at.get(s.place[u], ())
        if keys is None:
            fed.add(u)
        elif keys:
            waiting[u] = list(keys)
            if any(capacity.setdefault(key, limits[key]) != limits[key] for key in keys):
                return None
    wanted = {key for keys in waiting.values() for key in keys}
    return Supplied(frozenset(fed), waiting, {key: capacity[key] for key in wanted})


def where(s: BitwState) -> tuple[bytes]:
    """The column of places."""
    return (cast("array[int]", s.place).tobytes(),)


@amended(lambda s, side: (beset(s, side), closed_to_lanes(s, side)), where, since, FEW)
@rule("4.3a", "4.3d", "3.4-port-major", "3.4-port-minor", "4.0")
def supply_state(s: BitwState, side: Side) -> Supplied:
    """4.3 Units fed without limit; for the others the port networks in reach; and what each of those can feed."""
    fed: set[int] = set()
    waiting: dict[int, list[int]] = {}
    capacity: dict[int, int] = {}
    there = [(group, [u for u in units if s.place[u] < OFF]) for group, units in GROUPS[side].items()]
    for group, units in sorted([entry for entry in there if entry[1]], key=lambda entry: entry[1][0]):
        at, limits = pantry(s, side, group)
        for u in units:
            keys = at.get(s.place[u], ())
            if keys is None:
                fed.add(u)
            elif keys:
                waiting[u] = list(keys)
                capacity.update([(key, limits[key]) for key in keys])
    return Supplied(frozenset(fed), waiting, capacity)


@rule("3.4-port-major", "3.4-port-minor")
def feed(order: Iterable[int], waiting: dict[int, list[int]], capacity: dict[int, int]) -> dict[int, int]:
    """3.4 Share out the ports: as many units as possible, earlier ones in `order` before later ones."""
    fed_by: dict[int, int] = {}

    def place(unit: int, seen: set[int]) -> bool:
        for network in waiting[unit]:
            if network in seen:
                continue
            seen.add(network)
            eaters = [v for v, n in fed_by.items() if n == network]
            if len(eaters) < capacity[network] or any(place(v, seen) for v in eaters):
                fed_by[unit] = network
                return True
        return False

    for unit in order:
        place(unit, set())
    return fed_by


@rule("4.0", "4.3d", "7.2")
def check_supply(s: BitwState, side: Side) -> list[int]:
    """7.2 The phasing player's units without a lane.

    Units that only a full port could feed are for `SharePorts` to settle; until then those with the lower tokens are
    fed: barrels are public, and by the order of the catalogue they would tell who is who (1.3).
    """
    fed, waiting, capacity = supply_state(s, side)
    order = tuple([(u, tuple(waiting[u])) for u in FOG.in_token_order(s, waiting)])
    eating = shared(order, tuple(sorted(capacity.items())))
    return [u for u in on_map(s, side) if u not in fed and u not in eating]


@lru_cache(maxsize=512)
def shared(order: tuple[tuple[int, tuple[int, ...]], ...], capacity: tuple[tuple[int, int], ...]) -> frozenset[int]:
    """3.4 Who eats through ports, of units in this order with the networks in their reach: `feed`, remembered."""
    return frozenset(feed([u for u, _ in order], {u: list(keys) for u, keys in order}, dict(capacity)))


@rule("7.2", "4.3d")
def mark_unsupplied(s: BitwState, side: Side) -> None:
    """7.2 Put a white barrel on each unsupplied unit of the phasing player, and on nobody else's."""
    for u in on_map(s, side):
        s.flags[u] &= ~OOS & 255
    for u in FOG.in_token_order(s, check_supply(s, side)):
        s.flags[u] |= OOS
        emit(s, "out-of-supply", "4.3d", hex=world(s).theatre.names[s.place[u]])


@rule("3.4-port-major", "3.4-port-minor")
class SharePorts(Decision):
    """3.4 Where ports feed too few, the owner chooses who goes without (ruling A32): barrels may change hands."""

    verbs = {"done": NOTHING, "forgo": UNIT}

    def needed(self, s: BitwState, c: PlayerTurn, side: Side) -> bool:
        """While a fed unit could give way to a hungry one and the owner has not finished."""
        return not c.shared and bool(self._swaps(s, side))

    def _swaps(self, s: BitwState, side: Side) -> list[int]:
        """Units fed through a port that a marked unit could use in their stead."""
        if not any(s.flags[u] & OOS for u in on_map(s, side)):
            return []
        _, waiting, _ = supply_state(s, side)
        hungry = [u for u in waiting if s.flags[u] & OOS]
        if not hungry:
            return []
        wanted = {n for u in hungry for n in waiting[u]}
        return sorted(u for u in waiting if not s.flags[u] & OOS and wanted & set(waiting[u]))

    def nouns(self, s: BitwState, c: PlayerTurn, side: Side, verb: str) -> list[int]:
        """The units that could give way, or leave it so."""
        return [0] if verb == "done" else self._swaps(s, side)

    def legal_nouns(self, s: BitwState, c: PlayerTurn, side: Side, verb: str) -> list[int]:
        """The same, looked up once."""
        return self.nouns(s, c, side, verb)

    def why_not(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> No | None:
        """Only a unit fed through a full port."""
        return None if verb == "done" or noun in self._swaps(s, side) else NOT_THROUGH_PORT

    def apply(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> None:
        """The unit goes without; the first hungry one that can be fed instead is."""
        if verb == "done":
            c.shared = 1
            return
        given = noun
        s.flags[given] |= OOS
        _, waiting, capacity = supply_state(s, side)
        order = FOG.in_token_order(s, waiting)
        keep = [u for u in order if not s.flags[u] & OOS]
        hungry = [u for u in order if s.flags[u] & OOS and u != given]
        fed_by = feed([*keep, *hungry], waiting, capacity)
        for u in hungry:
            if u in fed_by:
                s.flags[u] &= ~OOS & 255
        emit(s, "ports-shared", "3.4-port-major", audience=(side,), unit=UNITS[given].id)
        c.shared = 1 if not self._swaps(s, side) else c.shared


def marked_units(s: BitwState, side: Side) -> list[int]:
    """4.3d The units of a side that bear a white barrel, by unit number."""
    marks: bytearray = s.flags.translate(MARKED)  # type: ignore[attr-defined]
    found, unit = [], marks.find(OOS)
    while unit >= 0:
        if SIDE_OF[unit] == side and s.place[unit] < OFF:
            found.append(unit)
        unit = marks.find(OOS, unit + 1)
    return found


@rule("7.9a", "4.4e")
def starving(s: BitwState, side: Side) -> list[int]:
    """7.9a The units marked in the Supply Phase that no source feeds when they are checked again."""
    marked = marked_units(s, side)
    if not marked:
        return []
    stock = {group: pantry(s, side, group).at for group in {GROUP_OF[u] for u in marked}}
    ways = [stock[GROUP_OF[u]].get(s.place[u], ()) for u in marked]
    if not any(ways):  # none of them asks for a share of a port
        return [u for u, keys in zip(marked, ways) if keys is not None]
    fed, waiting, capacity = supply_state(s, side)
    order = sorted(waiting, key=lambda u: (s.flags[u] & OOS, s.token[u]))
    eating = feed(order, waiting, capacity)
    return [u for u in marked if u not in fed and u not in eating]


@rule("4.5a", "4.5b", "6.1.1-static-c", "6.6g", "6.6i")
def surrender_unit(s: BitwState, unit: int) -> None:
    """4.5a A unit surrenders: 1 point to the enemy and into the pool; a 0-step block falls to 0 instead (4.5b).

    6.6i A Fort too; only a Festung, at its full 7 steps, holds out (6.6g).
    """
    u = UNITS[unit]
    if u.kind == "static" or (u.is_fort and s.steps[unit] == u.pattern.top):
        return
    name = world(s).theatre.names[s.place[unit]]
    if u.pattern.has_zero:
        s.steps[unit], s.half[unit] = 0, 0
        emit(s, "fell-to-zero", "4.5b", unit=u.id, hex=name, reveals=True)
        return
    emit(s, "surrendered", "4.5a", unit=u.id, hex=name, reveals=True)
    award(s, unit)
    remove(s, unit, POOL)


@rule("4.5a", "7.9b", "12.5")
def award(s: BitwState, unit: int) -> None:
    """4.5a A unit that surrenders gives the enemy 1 yellow point; 12.5 where points have colours 1 of its own besides.

    Infantry yellow alone, armour red, aircraft blue, every HQ black (ruling A68).
    """
    from .colours import colour_of, in_colours, points_of

    u = UNITS[unit]
    give_points(s, enemy_of(u.side), 1, "4.5a", u.power)
    colour = colour_of(unit) if in_colours(s) else ""
    if colour:
        pool = winners_pool(s, enemy_of(u.side))
        points_of(s, colour)[pool] += 1
        emit(s, "points-coloured", "12.5", power=POWERS[pool].id, points=1, colour=colour)


def winners_pool(s: BitwState, side: Side) -> int:
    """The pool that points won by a side go to: its leader's."""
    from .definitions import alliance_leader

    leader = alliance_leader(s, side)
    return world(s).scenario.pool_of.get(leader, leader)


def give_points(s: BitwState, side: Side, points: int, rule_id: str, loser: int = NOBODY) -> None:
    """Yellow points won by a side go to the pool of its leader."""
    pool = winners_pool(s, side)
    s.pp[pool] += points
    emit(s, "points", rule_id, power=POWERS[pool].id, points=points)


@rule("5.5", "7.7.10a", "1.2")
def remove(s: BitwState, unit: int, where: int = POOL, spent: bool = False) -> None:
    """7.7.10a A block leaves the map; lost ground units of the United States count against its morale (5.5).

    An HQ that has spent its last step is used up, not lost (13.6b): nobody of it has fallen (13.8.1.3).
    """
    u = UNITS[unit]
    put(s, unit, where)
    s.steps[unit], s.half[unit], s.revealed[unit], s.flags[unit] = 0, 0, 0, 0
    s.base[unit] = s.origin[unit] = NONE
    s.active[unit] = s.fuel[unit] = s.orders[unit] = 0
    if where == POOL and not spent:
        s.lost[unit] = min(255, s.lost[unit] + 1)
        if u.nation == "US" and IS_GROUND[unit]:
            s.us_losses += 1


@rule("3.4-airbase-a")
def is_airbase(s: BitwState, side: Side, node: int, sources: frozenset[int]) -> bool:
    """3.4-airbase-a A friendly city that can act as a supply source; off-map homes serve their own."""
    t = world(s).theatre
    if node >= t.hexes:
        return node in sources
    return bool(t.city[node]) and side_holding(s, node) == side and not enemy_in(s, node, side) and node in sources


def is_air(unit: int) -> bool:
    """6.3 An aircraft."""
    return bool(IS_AIR[unit])
