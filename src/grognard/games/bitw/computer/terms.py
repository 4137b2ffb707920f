"""What the chance of winning is fitted to."""

from __future__ import annotations

from ..state import OFF, BitwState
from ..world import IS_COMBAT, SIDE_OF
from .goals import outlook
from .score import score_of, standing_points


def terms_of(s: BitwState) -> dict[str, int]:
    """The judgement, the level of victory as things stand, steps that fight, ground; for the Axis."""
    steps = [0, 0]
    for unit, place in enumerate(s.place):
        if place < OFF and IS_COMBAT[unit]:
            steps[SIDE_OF[unit]] += s.steps[unit]
    return {
        "score": score_of(s, 0) if not s.outcome else 0,
        "level": standing_points(s)[0],
        "steps": steps[0] - steps[1],
        "cities": outlook(s.scenario, 0, bytes(s.owner)).control,
    }
