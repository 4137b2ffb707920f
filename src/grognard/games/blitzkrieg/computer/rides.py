"""When a computer player gets on and off: it rides while nothing threatens and fights on foot."""

from __future__ import annotations

from grognard.games.blitzkrieg.frames import Acting
from grognard.games.blitzkrieg.loading import Gun
from grognard.games.blitzkrieg.rules.ground import enemies, ground_cover
from grognard.games.blitzkrieg.rules.riding import sits
from grognard.games.blitzkrieg.state import Position
from grognard.games.blitzkrieg.world import MODEL_OF, world
from grognard.kernel import Action, Side

from .score import goal_field

DANGER = 50  # cm to a known enemy at which men get off
GUN_DANGER = 110  # and a gun is unhitched
NEAR_GOAL = 15  # cm from what it wants at which a unit gets off
LONG_WAY = 60  # cm to its goal for which men take a vehicle
MOST = 4


def nearest(s: Position, unit: int, side: Side) -> int:
    """Centimetres to the nearest known enemy, as the crow flies; 999 if none is known."""
    table, here = world(s).table, s.at[unit]
    x, y = table.x[here], table.y[here]
    far = [max(abs(table.x[s.at[u]] - x), abs(table.y[s.at[u]] - y)) // 4 for u in enemies(s, side)]
    return min(far, default=999)


def ride(s: Position, c: Acting, side: Side, legal: list[Action], fights: list[Action]) -> list[Action]:
    """Aboard: off where it gets warm or the goal is near, the best places first; else it rides on."""
    w, unit = world(s), c.unit
    field = goal_field(w, side)
    danger = GUN_DANGER if isinstance(MODEL_OF[unit], Gun) and not sits(unit) else DANGER
    off = [a for a in legal if a[0] in ("alight", "unhitch")]
    near = field[s.at[unit]] <= NEAR_GOAL
    if off and (near or nearest(s, unit, side) <= danger):
        off.sort(key=lambda a: (field[a[1]] - 8 * ground_cover(w, a[1]), a[1]))
        return fights + off[:MOST]
    return fights + [a for a in legal if a[0] == "hold"]


def lift(s: Position, c: Acting, side: Side, legal: list[Action]) -> list[Action]:
    """On foot with a long way to go and nobody near: a vehicle that takes it."""
    w = world(s)
    if w.attacker != side or goal_field(w, side)[s.at[c.unit]] < LONG_WAY or nearest(s, c.unit, side) <= 2 * DANGER:
        return []
    return [a for a in legal if a[0] in ("board", "hitch")][:MOST]
