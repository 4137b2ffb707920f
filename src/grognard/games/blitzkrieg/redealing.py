"""What a side cannot know, dealt again: the places of the enemy's hidden units."""

from __future__ import annotations

from grognard.kernel import Side, rule
from grognard.kernel.dice import draw

from .frames import NOBODY
from .rules.ground import within
from .rules.riding import follow
from .setup import may_stand
from .state import HIDDEN, Position, has, is_there, stands
from .world import BASE_OF, SIDE_OF, world

TRIES = 40


@rule("base-hidden")
def redeal_hidden(s: Position, side: Side) -> None:
    """Base-hidden: each hidden enemy goes to another point of its zone where nobody of this side would find it."""
    w = world(s)
    in_hand = {getattr(c, "unit", NOBODY) for c in s.frames}
    for unit in w.units:
        if SIDE_OF[unit] == side or not has(s, unit, HIDDEN) or not is_there(s, unit) or unit in in_hand:
            continue
        points = w.zones[w.formations[w.formation_of[unit]].zone].points
        old = s.at[unit]
        for _ in range(TRIES):
            s.at[unit] = points[draw(s, len(points), hidden=True)]
            if may_stand(w, unit, s.at[unit]) and _fits(s, unit, side):
                break
        else:
            s.at[unit] = old
        follow(s, unit)


def _fits(s: Position, unit: int, side: Side) -> bool:
    """Room for the base among all units, and no enemy so near that it would be found."""
    w = world(s)
    others = [(BASE_OF[u], s.at[u], s.facing[u]) for u in w.units if u != unit and is_there(s, u)]
    if not w.bases.fits(BASE_OF[unit], s.at[unit], s.facing[unit], others):
        return False
    return not any(within(s, u, unit, 15) for u in w.of_side[1 - SIDE_OF[unit]] if stands(s, u) and s.at[u])
