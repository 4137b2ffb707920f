"""The hints of a computer that holds a line: as ever, but for where German units stand and who waits behind."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from grognard.kernel import Action

from ..rules.definitions import attack_of
from ..rules.offmap import NEAR, why_not_travel
from ..state import NormandieState as S
from ..world import ALLIED, CHERBOURG, GERMAN, HEXES, IS_HQ, TOWNS
from .fronts import PLAIN, Front, Manner, front_of, nearest_foe
from .hints import (
    HINTS,
    Hint,
    advance,
    bombard,
    commit,
    count_means,
    exploit_target,
    go_there,
    move_marker,
    off_map,
    pick_goal,
    pick_hq,
    pick_source,
    pick_stack,
    pick_target,
    place_freely,
    start_counter,
)
from .line import REAR_BOX, STACK, front_share, line_worth, rear_staff

BESIDE = 2  # hexes from a town within which the enemy ties its garrison


def move_reserves_first(s: S, c: Any, side: int, legal: list[Action]) -> list[Action]:
    """Germans: who is out of contact moves first, then the front, headquarters last; Allies as ever."""
    legal = without_garrisons(s, side, legal, "move")
    moves = [a for a in legal if a[0] == "move"]
    if side != GERMAN or any(a[0] == "land" for a in legal) or not moves:
        return pick_stack(s, c, side, legal)
    zone = (1 - side) * HEXES
    return [min(moves, key=lambda a: (IS_HQ[a[1]], s.zoc[zone + s.place[a[1]]] > 0, -attack_of(s, a[1]), a[1]))]


def without_garrisons(s: S, side: int, legal: list[Action], verb: str) -> list[Action]:
    """The orders that take no unit out of a town which too few others would hold."""
    if side != GERMAN or s.scenario == "cherbourg":
        return legal
    front = front_of(s)
    return [a for a in legal if a[0] != verb or not is_garrison(s, front, a[1])] or legal


def is_garrison(s: S, front: Front, u: int) -> bool:
    """A German in a town beside the enemy, without whom the others there would be too weak to hold it."""
    h = s.place[u]
    if h not in TOWNS or h in CHERBOURG or IS_HQ[u] or nearest_foe(front, GERMAN, h) > BESIDE:
        return False
    return front.defence[GERMAN].get(h, 0) - front_share(s, (u,)) < STACK


def stay_in_town(s: S, c: Any, side: int, legal: list[Action]) -> list[Action]:
    """Nobody pursues out of a town that would be left too weak."""
    return advance(s, c, side, without_garrisons(s, side, legal, "advance"))


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


def goal_of_box(s: S, c: Any, side: int, legal: list[Action], manner: Manner = PLAIN) -> list[Action]:
    """Onto the map where the line wants the unit; the staff that waits goes to the rear."""
    if side == GERMAN and c.unit == rear_staff(s):
        box = way_to_rear(s, c.unit)
        found = [a for a in legal if a == ("travel", box)]
        if found:
            return found
    return pick_goal(s, c, side, legal, line_worth, manner)


# The race to Cherbourg is run off the leash, shoulder to shoulder, with counter-attacks that barely pay. The Americans
# count their own losses little and the garrison's three times: the port falls to whoever wears it out, so every assault
# is made that may cost it a step, and headquarters stay where Offensive markers find them.
DASH = Manner(draw=(6, 6), link=14, friends=8, leash=4, counter_from=2)
RACE = DASH._replace(own=70, own_last=30, foe=300, storm=60, assault=150, within=150)
MANNERS = {"cherbourg": {ALLIED: RACE, GERMAN: PLAIN._replace(draw=DASH.draw)}}


def in_manner(hint: Callable[..., list[Action]]) -> Hint:
    """A hint that weighs as the side does in this scenario."""

    def styled(s: S, c: Any, side: int, legal: list[Action]) -> list[Action]:
        return hint(s, c, side, legal, manner=MANNERS.get(s.scenario, {}).get(side, PLAIN))

    return styled


STEADY: dict[str, Hint] = HINTS | {
    "PickStack": move_reserves_first,
    "Advance": stay_in_town,
    "GoThere": in_manner(partial(go_there, rate=line_worth)),
    "OffMap": keep_a_staff_behind,
    "PickGoal": in_manner(goal_of_box),
    "PlaceFreely": in_manner(partial(place_freely, rate=line_worth)),
    "StartCounter": in_manner(start_counter),
    "PickHq": in_manner(pick_hq),
    "PickTarget": in_manner(pick_target),
    "PickExploitTarget": in_manner(exploit_target),
    "Commit": in_manner(commit),
    "Bombard": in_manner(bombard),
    "CountMeans": in_manner(count_means),
    "MoveMarker": in_manner(move_marker),
    "PickSource": in_manner(pick_source),
}
