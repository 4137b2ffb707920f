"""What a client can lay over the map: enemy zones of control, ground in supply, units cut off, reach, routes at sea.

All of it is open information: only commitments are ever hidden, and no overlay shows one.
"""

from __future__ import annotations

from grognard.games.surrender.frames import GroundMove, Mission, SupplyPhase
from grognard.games.surrender.loading import FACTIONS
from grognard.games.surrender.rules.board import ezoc_mask, marked
from grognard.games.surrender.rules.lines import network
from grognard.games.surrender.rules.movement import reachable
from grognard.games.surrender.rules.supply import home_port
from grognard.games.surrender.state import Position, world
from grognard.kernel import Side, rule
from grognard.kernel.kept import as_before, while_same
from grognard.kit.overlays import Overlay, overlay, shown


@rule("ezoc", "supply-land", "move-cost")
def overlays(s: Position, side: Side) -> list[Overlay]:
    """The overlays of a side; a watcher who plays none sees those of the faction that decides or moves now.

    ezoc Where the side's enemies exert control. supply-land Its supplied ground and its units without a line.
    move-cost Where the active unit can go, and for how many points.
    """
    if not s.frames:
        return []
    if side not in world(s).factions:
        side = s.phasing if s.phasing >= 0 else next((w for w in s.waiting), world(s).factions[0])
    names = world(s).hex_names
    found = [zones(s, side), supplied(s, side), cut_off(s, side), reach_now(s, names)]
    return shown((*found, routes_now(s, names)))


def zones(s: Position, side: Side) -> Overlay:
    """ezoc Hexes in an enemy zone of control, No EZOC markers considered."""
    mask, names, head = ezoc_mask(s, side), world(s).hex_names, ("ezoc", s.scenario, side)
    found: Overlay = as_before(head, (mask,), lambda: overlay("ezoc", {names[h]: "" for h in marked(mask)}))
    return found


def supplied(s: Position, side: Side) -> Overlay:
    """supply-land Hexes from which a land line leads to a source."""
    hexes, names, faction = network(s, side).supplied, world(s).hex_names, FACTIONS[side]
    head = ("supplied", s.scenario, side, hexes)
    found: Overlay = as_before(head, (), lambda: overlay("supply", {names[h]: "" for h in hexes}, side=faction))
    return found


@while_same
def cut_off(s: Position, side: Side) -> Overlay:
    """supply-land Hexes with units that have no land line now: by sea or not at all."""
    ground, names = network(s, side), world(s).hex_names
    lost = {s.at[u] for u in world(s).of_faction[side] if s.at[u] >= 0}
    lost -= {s.at[u] for u in world(s).of_faction[side] if s.at[u] >= 0 and home_port(s, u)}
    return overlay("cut", {names[h]: "!" for h in sorted(lost) if not ground.feeds(h)})


def reach_now(s: Position, names: tuple[str, ...]) -> Overlay:
    """move-cost Where the activated army can go, with the points spent."""
    c = s.frames[-1]
    if not isinstance(c, GroundMove) or c.finished or c.in_zone or s.at[c.unit] < 0 or not c.points:
        return {}
    costs = reachable(s, c).costs()
    return overlay("reach", {names[h]: str(n) for h, n in costs.items() if n}, side=FACTIONS[c.side])


def routes_now(s: Position, names: tuple[str, ...]) -> Overlay:
    """intercept The route of the mission or supply line under way."""
    for c in reversed(s.frames):
        if isinstance(c, Mission | SupplyPhase) and len(c.route) > 1:
            return overlay("routes", side=FACTIONS[c.side], lines=[[names[h] for h in c.route]])
    return {}
