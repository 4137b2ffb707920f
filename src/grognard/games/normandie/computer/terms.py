"""What the chance of winning is fitted to."""

from __future__ import annotations

from ..state import NormandieState as S
from ..world import ALLIED, CHERBOURG, GERMAN, HEXES
from .gaps import ARMIES
from .score import score_of


def terms_of(s: S) -> dict[str, int]:
    """The judgement, victory points, ground, steps, the port; for the Allies."""
    steps = [sum(s.steps[u] for u in army if s.place[u] < HEXES) for army in ARMIES]
    return {
        "score": 0 if s.outcome else score_of(s, ALLIED),
        "points": s.points[ALLIED] - s.points[GERMAN],
        "ground": sum(holder == ALLIED + 1 for holder in s.control),
        "steps": steps[ALLIED] - steps[GERMAN],
        "port": sum(s.control[h] == ALLIED + 1 for h in CHERBOURG),
    }
