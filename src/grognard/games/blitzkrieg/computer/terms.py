"""What the chance of winning is fitted to."""

from __future__ import annotations

from grognard.games.blitzkrieg.state import SHAKEN, Position
from grognard.games.blitzkrieg.world import MODEL_OF, SIDE_OF, world

from .score import WORTH, score


def terms_of(s: Position) -> dict[str, int]:
    """The judgement, points, men and machines left, objectives; for the first side."""
    force, held = [0, 0], [0, 0]
    for unit in world(s).units:
        if s.condition[unit] <= SHAKEN and s.at[unit]:
            force[SIDE_OF[unit]] += WORTH[MODEL_OF[unit].id]
    for holder in s.holder:
        if holder in (0, 1):
            held[holder] += 1
    return {
        "score": 0 if s.outcome else score(s, 0),
        "points": s.points[0] - s.points[1],
        "force": force[0] - force[1],
        "held": held[0] - held[1],
    }
