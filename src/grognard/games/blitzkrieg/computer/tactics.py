"""The plain judgement's choice: fire where it pays, go where the place is worth the way, turn armour to the guns.

What a unit does is weighed by exact chances and by places (`fights`, `places`), so most decisions come down to one
action; dice are not thrown to find out. Set-up, purchases, artillery and aircraft are those of the yardstick (`hints`).
"""

from __future__ import annotations

from grognard.games.blitzkrieg.frames import (
    CRAWL,
    MOVE,
    REVERSE,
    TURN,
    Acting,
    Activation,
    Barrage,
    Match,
    Moving,
    Reaction,
    Smoking,
)
from grognard.games.blitzkrieg.laws import detect
from grognard.games.blitzkrieg.loading import CHARTS
from grognard.games.blitzkrieg.rules.artillery import mark_of
from grognard.games.blitzkrieg.rules.ground import action_of, bodies, enemies, friends, ground_cover
from grognard.games.blitzkrieg.rules.mines import leads_over
from grognard.games.blitzkrieg.rules.movement import way_to, ways_of
from grognard.games.blitzkrieg.state import ABOARD, ACTIVATED, GOOD, HIDDEN, STUCK, Position, has, stands
from grognard.games.blitzkrieg.world import BASE_OF, IS_ARMOUR, IS_TEAM, IS_VEHICLE, world
from grognard.kernel import Action, Side
from grognard.tabletop import CM
from grognard.tabletop.paths import Reach

from . import hints, sky, veil
from .fights import gain
from .harm import WHOLE
from .places import Field, value_of
from .rides import lift, ride

CELL = 28  # quarter centimetres: of the points in a square of this side two are weighed
PLACES = 26  # places that are weighed
FINALISTS = 7  # places whose way is looked at
SETTLED = 6  # points that a place must be better to leave one
SHY = 60  # hundredths of what may be lost that a hidden unit asks of its first shot
LEAST = 3  # points that an attack must promise
UNDER, CLEAR = 6, 12  # cm from the marker at which enemies are hit, and friends may be
FIRE_CM = int(CHARTS["moves"]["step_fire"])
CRAWL_FIRE_CM = int(CHARTS["moves"]["crawl_fire"])
TURNS = 12  # points that a hull must gain to turn on the spot
MODES = {"move": MOVE, "crawl": CRAWL}


def promising(s: Position, side: Side, legal: list[Action]) -> list[Action]:
    """One action for most decisions; the yardstick's list for the rest."""
    if len(legal) < 2:
        return legal
    c, verbs = s.frames[-1], {verb for verb, _ in legal}
    if isinstance(c, Moving):
        if "to" in verbs:
            return [_to(s, c, side, legal)]
        return [_face(s, c, side, legal)] if "face" in verbs else legal
    if isinstance(c, Reaction) and "react" in verbs:
        return [_react(s, side, legal)]
    if isinstance(c, Smoking) and "puff" in verbs:
        return [veil.puff(s, c, side, legal)]
    if isinstance(c, Match) and "activate" in verbs:
        return _formation(s, side, legal)
    if isinstance(c, Barrage) and "same" in verbs and not _pays_again(s, c, side):
        return hints.promising(s, side, [action for action in legal if action[0] != "same"])
    if isinstance(c, Activation) and "unit" in verbs:
        return [_unit(s, side, legal)]
    if isinstance(c, Acting) and not sky.promising(s, c, side, legal, verbs):
        return _deed(s, c, side, legal)
    return hints.promising(s, side, legal)


# Who first


def _formation(s: Position, side: Side, legal: list[Action]) -> list[Action]:
    """The formation that can do most at once; artillery where enemies are known."""
    w, field = world(s), Field(s, side)
    support = [a for a in legal if a[0] in ("barrage", "sortie")]
    found = []
    for action in legal:
        if action[0] == "activate":
            units = [u for u in w.formations[action[1]].units if _may_act(s, u)]
            does = [field.bite(u, s.at[u]) for u in units if not has(s, u, ABOARD)]
            found.append((max(does, default=0), -action[1]))
    best = max(found)
    if support and field.foes and best[0] < 20:
        return support
    return [("activate", -best[1])]


def _may_act(s: Position, unit: int) -> bool:
    return stands(s, unit) and s.at[unit] > 0 and not has(s, unit, ACTIVATED)


def _unit(s: Position, side: Side, legal: list[Action]) -> Action:
    """The unit that can do most at once; then who is nearest to what is wanted."""
    field = Field(s, side)
    units = [u for verb, u in legal if verb == "unit"]
    best = max(units, key=lambda u: (field.bite(u, s.at[u]), field.goal(u, s.at[u]), -u))
    return "unit", best


# Fire


def _pays_again(s: Position, c: Barrage, side: Side) -> bool:
    """True if a known enemy still is where the last barrage was to fall, and none of our own."""
    table, mark = world(s).table, mark_of(s, c)

    def near(units: list[int], cm: int) -> bool:
        x, y = table.x[mark], table.y[mark]
        return any(abs(table.x[s.at[u]] - x) <= cm * CM and abs(table.y[s.at[u]] - y) <= cm * CM for u in units)

    return near(enemies(s, side), UNDER) and not near(friends(s, side), CLEAR)


def _react(s: Position, side: Side, legal: list[Action]) -> Action:
    """The reaction that promises most; who hides waits for one that is worth showing itself."""
    field = Field(s, side)
    worths = [(gain(s, side, a) - _shyness(s, field, a[1]), a) for a in legal if a[0] == "react"]
    best, action = max(worths, key=lambda found: (found[0], -found[1][1]))
    return action if best >= LEAST else ("let-pass", 0)


def _shyness(s: Position, field: Field, unit: int) -> int:
    """What a hidden unit has to lose by showing itself."""
    if not has(s, unit, HIDDEN):
        return 0
    return value_of(unit) * field.danger(unit, s.at[unit], s.facing[unit], detect.FIRING) * SHY // (100 * WHOLE)


def _closing(s: Position, field: Field, unit: int, action: Action) -> int:
    """What it may cost to close with an enemy: fire where the attack ends, and being far ahead."""
    if action[0] not in ("charge", "overrun"):
        return 0
    there = s.at[action[1]]
    others = [u for u in field.fit if u != action[1]]
    hurts = sorted((field.hurt(u, unit, there, s.facing[unit], detect.MOVING) for u in others), reverse=True)
    return value_of(unit) * min(900, sum(hurts[:2])) * field.way // (100 * WHOLE) + field.lead(unit, there)


def _deed(s: Position, c: Acting, side: Side, legal: list[Action]) -> list[Action]:
    """Attack, move, smoke, turn or hold: what is worth most, all in the same points."""
    unit, w, field = c.unit, world(s), Field(s, side)
    fights = [a for a in legal if a[0] in hints.FIGHTS]
    if has(s, unit, ABOARD):
        return ride(s, c, side, legal, fights)
    verbs = {verb for verb, _ in legal}
    found = [(gain(s, side, a) - _closing(s, field, unit, a), a) for a in fights]
    best, attack = max(found, key=lambda pair: pair[0], default=(0, ("hold", 0)))
    best -= _shyness(s, field, unit)
    cloud, smoke = veil.worth(s, c, side, legal, field)
    if smoke and cloud > max(best, LEAST):
        return [smoke]
    if best < LEAST:
        other = sky.indirect(s, c, side, legal) or lift(s, c, side, legal)
        if other:
            return other
        best, attack = 0, ("hold", 0)
    if not c.has_moved and not c.shot:
        better = _better_place(s, field, c, verbs, best)
        if better:
            return [better]
    if attack[0] != "hold":
        return [attack]
    idle = {"free", "demine"} if w.attacker == side else {"free", "dig"}
    if IS_TEAM[unit] and w.attacker != side:
        idle.add("upstairs")
    return [a for a in legal if a[0] in idle][:1] or [("hold", 0)]


def _better_place(s: Position, field: Field, c: Acting, verbs: set[str], fight: int) -> Action | None:
    """A way of moving to a place that is worth more than staying, with what could be done from here; else None."""
    unit = c.unit
    modes = [verb for verb in MODES if verb in verbs]
    if has(s, unit, HIDDEN) and not field.attacks:
        return None  # who lies in wait stays
    if not field.foes and not field.attacks:
        return None
    here = fight + SETTLED + _here(s, field, unit)
    best: tuple[int, str] | None = None
    for verb in modes:
        value, _ = best_place(s, field, unit, MODES[verb])
        if value > here and (best is None or value > best[0]):
            best = value, verb
    if best is not None:
        return best[1], 0
    if "turn" in verbs and IS_ARMOUR[unit] and not has(s, unit, STUCK):
        now = field.danger(unit, s.at[unit], s.facing[unit], detect.FIRING)
        others = [(BASE_OF[u], s.at[u], s.facing[u]) for u in bodies(s, field.side, unit)]
        room = [f for f in range(16) if field.w.bases.fits(BASE_OF[unit], s.at[unit], f, others)]
        facing, then = field.turned(unit, s.at[unit], room or [s.facing[unit]], detect.FIRING)
        if facing != s.facing[unit] and value_of(unit) * (now - then) * field.fear // (100 * WHOLE) > TURNS:
            return "turn", 0
    return None


def _here(s: Position, field: Field, unit: int) -> int:
    action = detect.FIRING if field.foes and s.condition[unit] == GOOD else action_of(s, unit)
    return field.stand(unit, s.at[unit], [s.facing[unit]], action)


# Movement


def best_place(s: Position, field: Field, unit: int, mode: int) -> tuple[int, int]:
    """The best place that a unit gets to in a way of moving, the way counted; 0 if there is none."""
    ways, crawling = ways_of(s, unit, mode), mode == CRAWL
    action = detect.STILL if crawling else detect.MOVING
    near = CRAWL_FIRE_CM if crawling else FIRE_CM
    values = []
    for p in places(field, unit, ways.ends):
        fires = IS_VEHICLE[unit] or (IS_TEAM[unit] and field.cm(s.at[unit], p) + 3 <= near)
        facings = field.facings(unit, ways.found[p]) if IS_VEHICLE[unit] else [0]
        values.append((field.stand(unit, p, facings, action, crawling, fires), p))
    values.sort(key=lambda found: (-found[0], found[1]))
    best, moving = (-1_000_000, 0), Moving(side=field.side, unit=unit, mode=mode)
    for value, p in values[:FINALISTS]:
        if value <= best[0]:
            break
        way = way_to(s, moving, ways.found, p)
        if any(s.mined) and leads_over(s, unit, way):
            continue
        value -= field.on_the_way(unit, way, ways.found[p] & 15, crawling)
        if value > best[0]:
            best = value, p
    return best


def places(field: Field, unit: int, ends: Reach) -> list[int]:
    """Places of a reach worth weighing: of each small square the best by goal and the best covered, spread out."""
    w, table = field.w, field.w.table
    cells: dict[tuple[int, int], tuple[int, int]] = {}
    for p in ends:
        key = table.x[p] // CELL, table.y[p] // CELL
        worth = 20 * min(2, ground_cover(w, p)) if not IS_VEHICLE[unit] else 0
        found = (worth - ends[p] // 100_000, -p)
        if key not in cells or found > cells[key]:
            cells[key] = found
    points = [-p for _, p in cells.values()]
    if len(points) <= PLACES:
        return points
    points.sort(
        key=lambda p: (-field.goal(unit, p) - (10 * min(2, ground_cover(w, p)) if not IS_VEHICLE[unit] else 0), p)
    )
    first = PLACES // 2
    rest = points[first:]
    return points[:first] + rest[:: max(1, -(-len(rest) // (PLACES - first)))]


def _to(s: Position, c: Moving, side: Side, legal: list[Action]) -> Action:
    """The best place, as it was when the unit was told to move."""
    if c.mode == MOVE and any(verb == "exit" for verb, _ in legal):
        return "exit", 0
    _, point = best_place(s, Field(s, side), c.unit, c.mode) if c.mode in (MOVE, CRAWL, REVERSE) else (0, 0)
    if not point or ("to", point) not in legal:
        return hints.promising(s, side, legal)[0]
    return "to", point


def _face(s: Position, c: Moving, side: Side, legal: list[Action]) -> Action:
    """The facing in which the known enemies hurt least, the nearest enemy where nobody hurts."""
    first = hints.promising(s, side, legal)[0][1]
    if not IS_ARMOUR[c.unit] or not enemies(s, side):
        return "face", first
    may = [f for _, f in legal if c.mode != TURN or f != s.facing[c.unit]]  # who turns on the spot turns
    facings = sorted(may, key=lambda f: (min((f - first) % 16, (first - f) % 16), f))
    return "face", Field(s, side).turned(c.unit, s.at[c.unit], facings, detect.FIRING)[0]
