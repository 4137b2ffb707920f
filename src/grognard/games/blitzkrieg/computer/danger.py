"""What the known enemies could do to a unit at a point: for ways under their eyes, places to stop, sides to turn."""

from __future__ import annotations

from functools import cache

from grognard.games.blitzkrieg.frames import Moving
from grognard.games.blitzkrieg.loading import MODELS, Gun, Team, Vehicle
from grognard.games.blitzkrieg.rules.ground import enemies, ground_cover, smoke_between
from grognard.games.blitzkrieg.rules.reaction import may_react
from grognard.games.blitzkrieg.state import GOOD, SHAKEN, Position
from grognard.games.blitzkrieg.world import IS_ARMOUR, IS_VEHICLE, MODEL_OF, world
from grognard.kernel import Side
from grognard.tabletop import nearest_facing
from grognard.tabletop.measure import turn_between

HIT = ((30, 58), (60, 42), (100, 28), (140, 14))  # per cent that a shot hits, by centimetres: the middle of the table
MEN = (34, 18, 9)  # per cent that a group goes down under dice fire, by cover
HAND = 20  # cm at which men hurt a tank
FRONT, FLANK, REAR = range(3)
EVERY = 4  # points of a way that are looked at: one in so many


@cache
def power(name: str) -> tuple[int, int, int]:
    """Of a model: anti-tank value of its best gun (-1 none), its range, and the range of its dice against men."""
    model = MODELS[name]
    if isinstance(model, Team):
        ap = model.weapon.ap if model.weapon is not None else -1
        return ap, HAND, model.far
    if isinstance(model, Gun):
        if model.is_mortar or (model.indirect and model.weapon.ap <= 0):
            return -1, 0, 60
        return model.weapon.ap, 140, 60
    guns = [gun.ap for gun in model.guns]
    return max(guns, default=-1), 140, 60 if guns or model.hull or model.coax else 0


def holes(ap: int, armour: int) -> int:
    """Per cent of hits that destroy or damage, one die."""
    return sum(die != 1 and die + ap >= armour for die in range(1, 7)) * 100 // 6


def face_towards(facing: int, dx: int, dy: int) -> int:
    """Front, flank or rear of a hull that looks one way and is fired at from another."""
    turn = turn_between(facing, nearest_facing(dx, dy)) if dx or dy else 0
    return FRONT if turn <= 2 else FLANK if turn <= 6 else REAR


def threat(s: Position, foe: int, unit: int, point: int, facing: int) -> int:
    """Per cent, roughly, that one enemy puts a unit out of action at a point; 0 out of sight or range."""
    w = world(s)
    table, here = w.table, s.at[foe]
    dx, dy = table.x[here] - table.x[point], table.y[here] - table.y[point]
    cm = max(abs(dx), abs(dy)) // 4
    ap, far, dice = power(MODEL_OF[foe].id)
    model = MODEL_OF[unit]
    if isinstance(model, Vehicle):
        if ap < 0 or cm > far:
            return 0
        chance = next((hit for most, hit in HIT if cm <= most), 0)
        if IS_ARMOUR[unit]:
            armour = model.armour[face_towards(facing, dx, dy)]
            chance = chance * holes(ap + (1 if cm <= 30 else 0), armour) // 100
    else:
        if cm > dice:
            return 0
        chance = MEN[min(2, ground_cover(w, point))]
    if not chance or not w.sight.sees(here, point, s.floor[foe], 0) or smoke_between(s, here, point):
        return 0
    return chance


def watchers(s: Position, side: Side) -> list[int]:
    """The known enemies who may still fire at who moves."""
    return [u for u in enemies(s, side) if may_react(s, u)]


def on_the_way(s: Position, c: Moving) -> int:
    """Per cent that opportunity fire stops the unit in hand on the rest of its way: each watcher at its best moment."""
    total = 0
    points = c.path[c.step :: EVERY] or c.path[-1:]
    for foe in watchers(s, c.side):
        total += max(threat(s, foe, c.unit, p, c.facings[min(len(c.facings) - 1, c.step)]) for p in points)
    return min(90, total)


def at_the_end(s: Position, side: Side, unit: int, point: int, facing: int) -> int:
    """Per cent that the known enemies put a unit out of action where it stops, the worst two of them."""
    all_of = sorted(
        (threat(s, foe, unit, point, facing) for foe in enemies(s, side) if s.condition[foe] == GOOD), reverse=True
    )
    return min(90, sum(all_of[:2]))


def turned_best(s: Position, side: Side, unit: int, facings: list[int]) -> int:
    """The facing in which the known enemies hurt a vehicle least; of equal ones towards the worst of them."""
    table, here = world(s).table, s.at[unit]
    foes = [u for u in enemies(s, side) if s.condition[u] <= SHAKEN]
    near = min(
        foes,
        key=lambda u: (table.x[s.at[u]] - table.x[here]) ** 2 + (table.y[s.at[u]] - table.y[here]) ** 2,
        default=-1,
    )
    if near < 0:
        return facings[0]
    worst = near
    if IS_VEHICLE[unit] and IS_ARMOUR[unit]:
        flank = {foe: max(threat(s, foe, unit, here, facing) for facing in (0, 8)) for foe in foes}
        if max(flank.values()):
            worst = max(foes, key=lambda foe: (flank[foe], -foe))
    way = nearest_facing(table.x[s.at[worst]] - table.x[here], table.y[s.at[worst]] - table.y[here])
    return min(facings, key=lambda facing: (turn_between(facing, way), facing))
