"""What may be laid over the map: zones of control, supply lanes, and what the unit in hand can reach."""

from __future__ import annotations

from grognard.hexes import way_back
from grognard.kernel import Side
from grognard.kernel.kept import while_same
from grognard.kit.overlays import Overlay, overlay, shown

from ..frames import Marching, Moving
from ..loading import SIDES
from ..rules.definitions import ground_zone
from ..rules.headquarters import HQS_OF, command_hexes, headquarters, in_command
from ..rules.movement import MoveOn, reach
from ..rules.supply import lanes_from, networks
from ..rules.weather import is_frozen_port
from ..state import NONE, BitwState, on_map
from ..world import UNITS, world


def overlays(s: BitwState, side: Side) -> list[Overlay]:
    """Zones of control for everybody; for a side its lanes and, for the unit in its hand, its reach and its battles."""
    names = world(s).theatre.names
    found = [
        overlay(f"zones-{who}", {names[n]: "" for n in sorted(ground_zone(s, x))}, side=who)
        for x, who in enumerate(SIDES)
    ]
    frozen = [n for n in sorted(world(s).theatre.freezing) if is_frozen_port(s, n)]
    found.append(overlay("frozen", {names[n]: "*" for n in frozen}))
    hurt: dict[str, int] = {}
    for _, _, node, hits in s.bombed:
        hurt[names[node]] = hurt.get(names[node], 0) + hits
    found.append(overlay("bombed", hurt))
    if side >= 0:
        lanes, cut = supply_lanes(s, side)
        found.append(overlay("lanes", side=SIDES[side], lines=[[names[n] for n in lane] for lane in lanes]))
        found.append(overlay("cut-off", {names[n]: "!" for n in cut}, side=SIDES[side]))
        if any(s.active):
            found += staff_overlays(s, side)
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
