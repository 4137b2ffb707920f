"""What may be laid over the map: zones of control, supply lanes, and what the unit in hand can reach."""

from __future__ import annotations

from grognard.hexes import way_back
from grognard.kernel import Side
from grognard.kernel.kept import while_same
from grognard.kit.overlays import Overlay, overlay, shown

from ..frames import Marching, Moving
from ..loading import SIDES
from ..rules.definitions import ground_zone
from ..rules.movement import reach
from ..rules.supply import lanes_from, networks
from ..state import BitwState, on_map
from ..world import UNITS, world


def overlays(s: BitwState, side: Side) -> list[Overlay]:
    """Zones of control for everybody; for a side its lanes and, for the unit in its hand, its reach and its battles."""
    names = world(s).theatre.names
    found = [
        overlay(f"zones-{who}", {names[n]: "" for n in sorted(ground_zone(s, x))}, side=who)
        for x, who in enumerate(SIDES)
    ]
    if side >= 0:
        lanes, cut = supply_lanes(s, side)
        found.append(overlay("lanes", side=SIDES[side], lines=[[names[n] for n in lane] for lane in lanes]))
        found.append(overlay("cut-off", {names[n]: "!" for n in cut}, side=SIDES[side]))
        found += hand_overlays(s, side)
    return shown(found)


@while_same
def supply_lanes(s: BitwState, side: Side) -> tuple[list[tuple[int, ...]], list[int]]:
    """4.3a The lanes of a side that lead off its sources, each once, and the hexes whose units have none."""
    ways: dict[tuple[int, str], list[dict[int, int]]] = {}
    lanes: set[tuple[int, ...]] = set()
    cut: set[int] = set()
    for u in on_map(s, side):
        at, who = s.place[u], (UNITS[u].power, UNITS[u].home)
        if who not in ways:
            ways[who] = [lanes_from(s, side, network.nodes) for network in networks(s, *who)]
        came = next((way for way in ways[who] if at in way), None)
        if came is None:
            cut.add(at)
        elif came[at] != at:
            lanes.add(tuple(way_back(came, at)))
    return sorted(lanes), sorted(cut)


def hand_overlays(s: BitwState, side: Side) -> list[Overlay]:
    """7.5a Where the ground unit in this side's hand could go, at what cost, and the battles that it could join."""
    hand = s.frames[-1] if s.frames else None
    if not isinstance(hand, Marching) or side not in s.waiting:
        return []
    names = world(s).theatre.names
    found = reach(s, hand.unit, s.place[hand.unit], hand.left)
    costs = {names[n]: cost for n, cost in sorted(found.cost.items()) if cost}
    fights = {names[n]: "" for n, _ in sorted(found.attacks)} if isinstance(hand, Moving) else {}
    return shown([overlay("reach", costs, side=SIDES[side]), overlay("battles", fights)])
