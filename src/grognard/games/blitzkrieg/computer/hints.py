"""Which actions are worth a computer player's time."""

from __future__ import annotations

from grognard.games.blitzkrieg.frames import Moving
from grognard.games.blitzkrieg.rules.ground import ground_cover
from grognard.games.blitzkrieg.state import Position
from grognard.games.blitzkrieg.world import world
from grognard.kernel import Action, Side

from .score import goal_field

MOST = 16  # points of a reach that are weighed
APART = 28  # quarter centimetres between them


def promising(s: Position, side: Side, legal: list[Action]) -> list[Action]:
    """At most a few points of a reach: nearest to a goal, in cover, not too close together; set-up is left alone."""
    verbs = {verb for verb, _ in legal}
    if "ready" in verbs:
        return [action for action in legal if action[0] == "ready"]
    if "at" in verbs:
        return [action for action in legal if action[0] == "at"][:MOST]
    if "to" in verbs and isinstance(s.frames[-1], Moving):
        return _points(s, side, legal)
    if "activate" in verbs:
        return [action for action in legal if action[0] == "activate"]
    fights = [a for a in legal if a[0] in ("shoot", "fire", "second", "tracks", "charge", "overrun", "react", "unit")]
    if fights:
        return fights if "react" in verbs or "unit" in verbs else legal
    return legal


def _points(s: Position, side: Side, legal: list[Action]) -> list[Action]:
    w = world(s)
    table, field = w.table, goal_field(w, side)
    points = sorted((a for a in legal if a[0] == "to"), key=lambda a: (field[a[1]] - 8 * ground_cover(w, a[1]), a[1]))
    kept: list[Action] = []
    for action in points:
        x, y = table.x[action[1]], table.y[action[1]]
        if all(abs(table.x[p] - x) + abs(table.y[p] - y) >= APART for _, p in kept):
            kept.append(action)
            if len(kept) == MOST:
                break
    return kept + [a for a in legal if a[0] in ("exit", "stay")]
