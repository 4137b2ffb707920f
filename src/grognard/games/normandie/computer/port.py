"""The fight for Cherbourg alone: the Germans fall back on the port in time, the Americans go for both of its hexes."""

from __future__ import annotations

from ..state import NormandieState as S
from ..world import ALLIED, CHERBOURG, DEFENCE, GERMAN
from .fronts import Front
from .goals import far_from


def port_worth(s: S, front: Front, side: int, units: tuple[int, ...], h: int) -> int:
    """What a hex is worth besides the front, in the scenario that is about nothing but the port."""
    manner = front.manner
    if side == ALLIED:
        left = [port for port in CHERBOURG if s.control[port] != ALLIED + 1]
        near = min((far_from(port)[h] for port in left), default=0)
        return -manner.press * near if s.turn >= manner.press_from else 0
    held = [port for port in CHERBOURG if s.control[port] == GERMAN + 1]
    worth = 0
    if h in held:
        own = sum(DEFENCE[u][s.steps[u]] * 2 // (2 + s.disorder[u]) for u in units if s.place[u] == h)
        worth += manner.keep * max(0, manner.wall - front.defence[GERMAN].get(h, 0) + own) // manner.wall
    if held and s.turn >= manner.press_from:
        worth -= manner.home * min(far_from(port)[h] for port in held)
    return worth
