"""What may be laid over the map: zones of control, supply lanes, and what the unit in hand can reach."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import partial
from operator import attrgetter
from typing import NamedTuple

from grognard.hexes import way_back
from grognard.kernel import Side
from grognard.kernel.kept import last_made, once
from grognard.kit.overlays import Overlay, overlay, shown

from ..frames import Marching, Moving
from ..loading import SIDES
from ..memo import beset
from ..rules.definitions import ground_zone
from ..rules.headquarters import HQS_OF, command_hexes, headquarters, in_command
from ..rules.movement import MoveOn, reach
from ..rules.supply import Network, lanes_from, networks
from ..rules.weather import is_frozen_port
from ..state import NONE, BitwState, on_map
from ..world import UNITS, world

LANES_HANG_ON = attrgetter(  # what the memos of supply name: `beset` and `standing`; and where each unit stands
    "scenario",
    "conditions",
    "place",
    "flags",
    "owner",
    "works",
    "present",
    "ground",
    "capital",
    "harbour",
    "harbour_hits",
    "partisans",
    "bombed",
)
MOST_TRACED = 500  # lanes that a table remembers for a side
NATION_OF = tuple((u.power, u.home) for u in UNITS)  # by unit: what its supply networks hang on


def overlays(s: BitwState, side: Side) -> list[Overlay]:
    """Zones of control for everybody; for a side its lanes and, for the unit in its hand, its reach and its battles."""
    found: list[Overlay] = [*once(s, "overlays", lambda: common_overlays(s))]
    if side >= 0:
        found += supply_overlays(s, side)
        if any(s.active):
            found += staff_overlays(s, side)
        found += hand_overlays(s, side)
    return shown(found)


def common_overlays(s: BitwState) -> list[Overlay]:
    """What everybody sees: zones of control, frozen ports, what was bombed."""
    names = world(s).theatre.names
    found: list[Overlay] = []
    for x, who in enumerate(SIDES):
        zone = ground_zone(s, x)
        make = partial(overlay_of, names, f"zones-{who}", zone, who)
        found.append(last_made(s, ("zones", x), zone, make))
    frozen = [n for n in sorted(world(s).theatre.freezing) if is_frozen_port(s, n)]
    hurt: dict[str, int] = {}
    for _, _, node, hits in s.bombed:
        hurt[names[node]] = hurt.get(names[node], 0) + hits
    return [*found, overlay("frozen", {names[n]: "*" for n in frozen}), overlay("bombed", hurt)]


def overlay_of(names: Sequence[str], key: str, nodes: Iterable[int], side: str) -> Overlay:
    """Some hexes, without a word."""
    return overlay(key, {names[n]: "" for n in sorted(nodes)}, side=side)


def supply_overlays(s: BitwState, side: Side) -> list[Overlay]:
    """The lanes of a side, and where its units have none."""

    def make() -> list[Overlay]:
        names = world(s).theatre.names
        return [
            overlay("lanes", side=SIDES[side], lines=[[names[n] for n in lane] for lane in lanes]),
            overlay("cut-off", {names[n]: "!" for n in cut}, side=SIDES[side]),
        ]

    lanes, cut = found = supply_lanes(s, side)
    both: list[Overlay] = last_made(s, ("supply overlays", side), found, make)
    return both


def supply_lanes(s: BitwState, side: Side) -> tuple[list[tuple[int, ...]], list[int]]:
    """4.3a The lanes of a side that lead off its sources, each once, and the hexes whose units have none."""
    facts = once(s, "lanes hang on", lambda: LANES_HANG_ON(s))
    found: tuple[list[tuple[int, ...]], list[int]]
    found = last_made(s, ("supply", side), facts, lambda: lanes_traced(s, side))
    return found


class Traced(NamedTuple):
    """Lanes that were traced, and through what: they stay good while that stays the same."""

    hangs_on: Hashable  # what networks hang on
    networks: dict[tuple[int, str], list[Network]]  # by nation
    ways: dict[frozenset[int], dict[int, int]]  # by the nodes of a network
    lanes: dict[tuple[tuple[int, str], int], tuple[int, ...] | None]  # by nation and hex; None: cut off


def lanes_traced(s: BitwState, side: Side) -> tuple[list[tuple[int, ...]], list[int]]:
    """The same, worked out: units of a nation in one hex have one lane, and most are where they were."""
    place, traced = s.place, traced_before(s, side)
    known, found, cut = traced.lanes, set(), set()
    for who, at in {(NATION_OF[u], place[u]) for u in on_map(s, side)}:
        if (who, at) not in known:
            known[who, at] = lane_to(s, side, traced, who, at)
        lane = known[who, at]
        if lane is None:
            cut.add(at)
        elif lane[1:]:
            found.add(lane)
    return sorted(found), sorted(cut)


def traced_before(s: BitwState, side: Side) -> Traced:
    """What was traced for the last view of this table, as far as it is good still."""
    hangs_on = beset(s, side)
    if s.shared is None:
        return Traced(hangs_on, {}, {}, {})
    latest, key = s.shared.latest, ("traced", side)
    known: Traced | None = latest.get(key)
    if known is None or known.hangs_on != hangs_on or len(known.lanes) > MOST_TRACED:
        known = latest[key] = Traced(hangs_on, {}, {}, {})
    ways = {nodes: lanes_from(s, side, nodes) for nodes in known.ways}
    if any(way is not known.ways[nodes] for nodes, way in ways.items()):
        known = latest[key] = Traced(hangs_on, known.networks, ways, {})
    return known


def lane_to(s: BitwState, side: Side, traced: Traced, who: tuple[int, str], at: int) -> tuple[int, ...] | None:
    """The lane of a nation's units in a hex (nothing but the hex if it is a source); most need but one network."""
    if who not in traced.networks:
        traced.networks[who] = networks(s, *who)
    for network in traced.networks[who]:
        came = traced.ways.get(network.nodes)
        if came is None:
            came = traced.ways[network.nodes] = lanes_from(s, side, network.nodes)
        if at in came:
            return tuple(way_back(came, at))
    return None


def staff_overlays(s: BitwState, side: Side) -> list[Overlay]:
    """13.3 The hexes in reach of a side's active HQs, and where units stand that these can fuel."""
    names = world(s).theatre.names
    known = headquarters()
    active = [u for u in HQS_OF[side] if s.active[u] and s.fuel[u] and known[u].radius]
    near = {n for u in active for n in command_hexes(s, side, s.place[u])}
    fuelled = in_command(s, side)
    return [
        overlay("command", {names[n]: "" for n in sorted(near)}, side=SIDES[side]),
        overlay("fuelled", {names[n]: fuelled[n] for n in sorted(fuelled)}, side=SIDES[side]),
    ]


def hand_overlays(s: BitwState, side: Side) -> list[Overlay]:
    """7.5a Where the ground unit in this side's hand could go, at what cost, and the battles that it could join."""
    hand = s.frames[-1] if s.frames else None
    if not isinstance(hand, Marching) or side not in s.waiting:
        return []
    names = world(s).theatre.names
    found = reach(s, hand.unit, s.place[hand.unit], hand.left)
    costs = {names[n]: cost for n, cost in sorted(found.cost.items()) if cost}
    fights = {names[n]: "" for n, _ in sorted(found.attacks)} if isinstance(hand, Moving) else {}
    if hand.limited and not any(True for _ in MoveOn().attacks(s, hand, found)):
        fights = {}
    both = [overlay("reach", costs, side=SIDES[side]), overlay("battles", fights)]
    if hand.limited and hand.hq != NONE:
        far = {names[n]: cost for n, cost in sorted(found.cost.items()) if cost > hand.free}
        both.append(overlay("by-order", far, side=SIDES[side]))
    return shown(both)
