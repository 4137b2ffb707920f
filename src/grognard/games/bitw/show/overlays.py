"""What may be laid over the map: zones of control, supply lanes, and what the unit in hand can reach."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from operator import attrgetter

from grognard.hexes import way_back
from grognard.kernel import Side
from grognard.kernel.kept import last_made, once
from grognard.kit.overlays import Overlay, overlay, shown

from ..frames import Marching, Moving
from ..loading import SIDES
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


def lanes_traced(s: BitwState, side: Side) -> tuple[list[tuple[int, ...]], list[int]]:
    """The same, worked out: units of a nation in one hex have one lane, and most need no network but the first."""
    place = s.place
    feeding: dict[tuple[int, str], list[Network]] = {}
    ways: dict[frozenset[int], dict[int, int]] = {}
    lanes: set[tuple[int, ...]] = set()
    cut: set[int] = set()
    for who, at in {(NATION_OF[u], place[u]) for u in on_map(s, side)}:
        if who not in feeding:
            feeding[who] = networks(s, *who)
        for network in feeding[who]:
            came = ways.get(network.nodes)
            if came is None:
                came = ways[network.nodes] = lanes_from(s, side, network.nodes)
            if at in came:
                if came[at] != at:
                    lanes.add(tuple(way_back(came, at)))
                break
        else:
            cut.add(at)
    return sorted(lanes), sorted(cut)


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
