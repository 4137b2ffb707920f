"""The hints of a computer that holds a line: as ever, but for where German units stand and who waits behind."""

from __future__ import annotations

from functools import partial
from typing import Any

from grognard.kernel import Action

from ..rules.definitions import attack_of
from ..rules.offmap import NEAR, why_not_travel
from ..state import NormandieState as S
from ..world import GERMAN, HEXES, IS_HQ
from .hints import HINTS, Hint, go_there, off_map, pick_goal, pick_stack, place_freely
from .line import REAR_BOX, line_worth, rear_staff


def move_reserves_first(s: S, c: Any, side: int, legal: list[Action]) -> list[Action]:
    """Germans: who is out of contact moves first, then the front, headquarters last; Allies as ever."""
    moves = [a for a in legal if a[0] == "move"]
    if side != GERMAN or any(a[0] == "land" for a in legal) or not moves:
        return pick_stack(s, c, side, legal)
    zone = (1 - side) * HEXES
    return [min(moves, key=lambda a: (IS_HQ[a[1]], s.zoc[zone + s.place[a[1]]] > 0, -attack_of(s, a[1]), a[1]))]


def keep_a_staff_behind(s: S, c: Any, side: int, legal: list[Action]) -> list[Action]:
    """One German headquarters stays in Angers while units are to come, so that nobody starves in a box."""
    keeper = rear_staff(s) if side == GERMAN else -1
    if keeper < 0:
        return off_map(s, c, side, legal)
    if s.place[keeper] != REAR_BOX and ("take", keeper) in legal and way_to_rear(s, keeper) >= 0:
        return [("take", keeper)]
    return off_map(s, c, side, [a for a in legal if a != ("take", keeper)] or legal)


def way_to_rear(s: S, u: int) -> int:
    """The box next to a headquarters' own from which the rear is one line nearer; -1 for none."""
    here = s.place[u]
    if REAR_BOX in NEAR[here]:
        return REAR_BOX if why_not_travel(s, u, REAR_BOX) is None else -1
    near = [b for b in NEAR[here] if REAR_BOX in NEAR[b] and why_not_travel(s, u, b) is None]
    return near[0] if near else -1


def goal_of_box(s: S, c: Any, side: int, legal: list[Action]) -> list[Action]:
    """Onto the map where the line wants the unit; the staff that waits goes to the rear."""
    if side == GERMAN and c.unit == rear_staff(s):
        box = way_to_rear(s, c.unit)
        found = [a for a in legal if a == ("travel", box)]
        if found:
            return found
    return pick_goal(s, c, side, legal, line_worth)


STEADY: dict[str, Hint] = HINTS | {
    "PickStack": move_reserves_first,
    "GoThere": partial(go_there, rate=line_worth),
    "OffMap": keep_a_staff_behind,
    "PickGoal": goal_of_box,
    "PlaceFreely": partial(place_freely, rate=line_worth),
}
