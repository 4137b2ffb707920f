"""The fight for Cherbourg alone: the Germans fall back on the port in time, the Americans go for both of its hexes."""

from __future__ import annotations

from ..state import NormandieState as S
from ..world import ALLIED, CHERBOURG, DEFENCE, GERMAN
from .fronts import Front
from .goals import far_from

WALL, KEEP, HOME, FROM = 30, 60, 3, 2  # defence for a hex of the port, its worth, points a hex nearer, from which turn
PRESS = 3  # points of an American for each hex nearer


def port_worth(s: S, front: Front, side: int, units: tuple[int, ...], h: int) -> int:
    """What a hex is worth besides the front, in the scenario that is about nothing but the port."""
    if side == ALLIED:
        left = [port for port in CHERBOURG if s.control[port] != ALLIED + 1]
        return -PRESS * min((far_from(port)[h] for port in left), default=0) if s.turn >= FROM else 0
    held = [port for port in CHERBOURG if s.control[port] == GERMAN + 1]
    worth = 0
    if h in held:
        own = sum(DEFENCE[u][s.steps[u]] * 2 // (2 + s.disorder[u]) for u in units if s.place[u] == h)
        worth += KEEP * max(0, WALL - front.defence[GERMAN].get(h, 0) + own) // WALL
    if held and s.turn >= FROM:
        worth -= HOME * min(far_from(port)[h] for port in held)
    return worth
