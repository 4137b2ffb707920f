"""Smoke where it helps: between one's own and the enemy who could hurt them, or on the gun that dominates."""

from __future__ import annotations

from grognard.games.blitzkrieg.frames import Acting, Smoking
from grognard.games.blitzkrieg.laws import detect
from grognard.games.blitzkrieg.rules.ground import friends
from grognard.games.blitzkrieg.rules.smoke import SIDE_CM, in_hands
from grognard.games.blitzkrieg.state import GOOD, Position
from grognard.games.blitzkrieg.world import IS_TEAM, world
from grognard.kernel import Action, Side
from grognard.tabletop import Box, template
from grognard.tabletop.sight import meets

from .harm import WHOLE
from .places import Field, value_of

TRIED = 40  # points for a cloud that are weighed
BLIND = 50  # hundredths of what our own could do through a cloud that it costs
CLOUD = 25  # points that a cloud must save
SHELL = 60  # hundredths: a smoke shell must hit, and the gun may be moved

Line = tuple[int, int, int, int, int]  # from, to, what it costs us while it is open


def open_lines(field: Field, side: Side, only: int = -1) -> list[Line]:
    """The lines along which known enemies may hurt our units, the worst for each unit, less what we do along them."""
    s, w = field.s, field.w
    table, found = w.table, []
    for unit in friends(s, side):
        point, lines = s.at[unit], []
        for foe in field.fit if only < 0 else [only]:
            hurt = field.hurt(foe, unit, point, s.facing[unit], detect.MOVING)
            if hurt:
                lines.append((hurt, foe))
        for hurt, foe in sorted(lines, reverse=True)[:2]:
            cost = value_of(unit) * hurt * field.fear // (100 * WHOLE)
            there = s.at[foe]
            found.append((table.x[point], table.y[point], table.x[there], table.y[there], cost))
    return found


def saved(box: Box, lines: list[Line]) -> int:
    """What a cloud keeps from us."""
    return sum(cost for ax, ay, bx, by, cost in lines if meets(box.outline, ax, ay, bx, by))


def best_cloud(s: Position, field: Field, side: Side, points: list[int]) -> tuple[int, int]:
    """The point at which a marker saves most, and how much."""
    lines, table = open_lines(field, side), world(s).table
    if not lines or not points:
        return 0, 0
    tried = points[:: max(1, -(-len(points) // TRIED))]
    return max((saved(template(table, p, SIDE_CM, SIDE_CM), lines), -p) for p in tried)


def worth(s: Position, c: Acting, side: Side, legal: list[Action], field: Field) -> tuple[int, Action | None]:
    """What smoke of the unit in hand is worth, and the action; nothing for most units."""
    verbs = {verb for verb, _ in legal}
    if "smoke" in verbs:
        frame = Smoking(side=c.side, formation=c.formation, unit=c.unit)
        points = sorted(frozenset().union(*in_hands(s, frame).values()))
        value, _ = best_cloud(s, field, side, points)
        return (value, ("smoke", 0)) if value >= CLOUD else (0, None)
    best: tuple[int, Action | None] = (0, None)
    for verb, foe in legal:
        if verb == "smoke-shell" and s.condition[foe] == GOOD and not IS_TEAM[foe]:
            harmed = sorted((line[4] for line in open_lines(field, side, foe)), reverse=True)
            value = sum(harmed[:2]) * SHELL // 100 - BLIND * value_of(foe) // 1000
            if value >= CLOUD and value > best[0]:
                best = value, (verb, foe)
    return best


def puff(s: Position, c: Smoking, side: Side, legal: list[Action]) -> Action:
    """The next marker where it saves most beside those that lie; enough when none helps."""
    field, table = Field(s, side), world(s).table
    lines = open_lines(field, side)
    for laid in c.points:
        box = template(table, laid, SIDE_CM, SIDE_CM)
        lines = [line for line in lines if not meets(box.outline, *line[:4])]
    points = [p for verb, p in legal if verb == "puff"]
    tried = points[:: max(1, -(-len(points) // TRIED))]
    value, point = max(((saved(template(table, p, SIDE_CM, SIDE_CM), lines), -p) for p in tried), default=(0, 0))
    if value <= 0 and ("enough", 0) in legal:
        return "enough", 0
    return "puff", -point
