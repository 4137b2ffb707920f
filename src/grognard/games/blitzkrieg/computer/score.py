"""What a position is worth to a side, from what it may know."""

from __future__ import annotations

from grognard.games.blitzkrieg.frames import Moving
from grognard.games.blitzkrieg.loading import MODELS
from grognard.games.blitzkrieg.rules.ground import ground_cover, in_command
from grognard.games.blitzkrieg.rules.victory import side_named
from grognard.games.blitzkrieg.state import FOG, LEADERLESS, SHAKEN, STUCK, Position, has
from grognard.games.blitzkrieg.world import IS_VEHICLE, MODEL_OF, SIDE_OF, World, world
from grognard.kernel import Side

from .danger import at_the_end, on_the_way

POINT = 100
ASTRAY = 15  # what it costs to leave the reach of command
WORTH = {name: max(10, model.points) for name, model in MODELS.items()}
_goals: dict[tuple[str, int], dict[int, int]] = {}


def goal_field(w: World, side: Side) -> dict[int, int]:
    """Centimetres from each point to the nearest thing that this side wants, as the crow flies."""
    key = w.name, side
    if key not in _goals:
        table = w.table
        goals = [
            z.points[len(z.points) // 2]
            for z in w.objectives
            if z.points and ("side" not in z.facts or side_named(z.facts["side"]) == side)
        ]
        if w.exits and w.exits["side"] == ("allies", "axis")[side]:
            goals += sorted(w.exit_points)[::8]
        field = {}
        for p in table.points:
            x, y = table.x[p], table.y[p]
            far = [max(abs(x - table.x[g]), abs(y - table.y[g])) for g in goals]
            field[p] = min(far, default=0) // 4
        _goals[key] = field
    return _goals[key]


def risked(s: Position, side: Side, c: Moving, worth: int) -> int:
    """What a unit on its way is worth: less by who may fire at it on the way and where it stops, and out of command."""
    point, facing = c.path[-1], c.facings[-1]
    worth -= worth * on_the_way(s, c) // 100
    worth -= worth * at_the_end(s, side, c.unit, point, facing) // 200
    here, s.at[c.unit] = s.at[c.unit], point
    if not in_command(s, c.unit):
        worth -= ASTRAY
    s.at[c.unit] = here
    return worth


def score(s: Position, side: Side) -> int:
    """Points, men and machines left, the way to the objectives, cover; the enemy's losses count as much."""
    w = world(s)
    if s.outcome:
        return 1_000_000 if s.outcome[0] == side else -1_000_000 if s.outcome[0] >= 0 else 0
    total = POINT * (s.points[side] - s.points[1 - side])
    field, attacker = goal_field(w, side), w.attacker == side
    going = next((c for c in s.frames if isinstance(c, Moving) and c.side == side and c.path and not c.stopped), None)
    for unit in w.units:
        if s.condition[unit] > SHAKEN or not s.at[unit]:
            continue
        own = SIDE_OF[unit] == side
        if not own and not FOG.knows(s, side, unit):
            continue
        worth = WORTH[MODEL_OF[unit].id]
        if s.condition[unit] == SHAKEN:
            worth = worth * 2 // 3
        if has(s, unit, STUCK) or has(s, unit, LEADERLESS):
            worth = worth * 3 // 4
        if own:
            point = s.at[unit]
            if going is not None and unit == going.unit:
                point = going.path[-1]
                worth = risked(s, side, going, worth)
            worth -= field[point] if attacker else field[point] // 4
            if not IS_VEHICLE[unit]:
                worth += 6 * min(2, ground_cover(w, point))
        total += worth if own else -worth
    for number, zone in enumerate(w.objectives):
        holder = s.holder[number]
        if holder >= 0:
            total += (60 if holder == side else -60) * int(zone.facts.get("vp", 3)) // 3
    return total
