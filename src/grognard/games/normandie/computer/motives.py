"""Why the computer does what it does, as keys and facts; the sentences are `motive.KEY`. No rule lives here."""

from __future__ import annotations

from typing import Any

from grognard.kernel import Action

from ..state import NormandieState as S
from ..world import ALLIED, CODES, GERMAN, GROUP, HEXES, IS_HQ, TOWNS
from .fronts import front_of, nearest_foe
from .goals import GOALS, far_from
from .line import AROUND, CLOSE, line_of

ATTACKS = ("attack", "overrun", "counter")


def motive_of(s: S, side: int, action: Action) -> tuple[str, dict[str, Any]] | None:
    """Of a march or an attack; other decisions speak for themselves."""
    verb, target = action
    if verb in ("attack", "overrun") and target < HEXES:
        return "attack", {"hex": CODES[target]}
    units = getattr(s.frames[-1], "units", ()) if s.frames else ()
    if verb not in ("to", "stay", "reserve") or not units or s.place[units[0]] >= HEXES:
        return None
    here = s.place[units[0]]
    hex = target if verb == "to" else here
    if IS_HQ[units[0]]:
        return "staff", {"hex": CODES[hex]}
    if hex in TOWNS and s.control[hex] != side + 1:
        return "take", {"hex": CODES[hex]}
    front = front_of(s)
    if hex in TOWNS and nearest_foe(front, side, hex) <= CLOSE:
        return "guard", {"hex": CODES[hex]}
    line = line_of(s, side, tuple(units))
    if line.spared(hex) > 2:
        return "line", {"hex": CODES[hex]}
    if side == GERMAN and line.to_leak(hex, AROUND) < line.to_leak(here, AROUND):
        return "reserve", {"hex": CODES[hex]}
    if verb != "to":
        return "wait", {"hex": CODES[hex]}
    goals = [g for g in GOALS[s.scenario][GROUP[units[0]]] if s.control[g] != ALLIED + 1]
    if goals and side == ALLIED:
        goal = min(goals, key=lambda g: far_from(g)[hex])
        if far_from(goal)[hex] < far_from(goal)[here]:
            return "march", {"hex": CODES[goal]}
    return None
