"""What the chance of winning is fitted to."""

from __future__ import annotations

from grognard.games.surrender.computer.goals import goals
from grognard.games.surrender.computer.score import ground_worth, score_of
from grognard.games.surrender.state import ON_MAP, Position, world
from grognard.games.surrender.world import AXIS


def terms_of(s: Position) -> dict[str, int]:
    """The judgement, goals held, steps, countries conquered, factories lost; for the Axis."""
    w = world(s)
    steps = [sum(2 - s.reduced[u] for u in armies if s.fate[u] == ON_MAP) for armies in w.armies_of]
    others = [faction for faction in w.factions if faction != AXIS]
    return {
        "score": 0 if s.outcome else score_of(s, AXIS),
        "goals": ground_worth(s, goals(w).holdings(s.control), AXIS),
        "steps": steps[AXIS] - sum(steps[faction] for faction in others),
        "conquered": sum(holder == AXIS + 1 for holder in s.conquered),
        "factories": sum(s.fac_lost[faction] for faction in others) - s.fac_lost[AXIS],
    }
