"""What the table says: distances, sight, cover, hull down, detection, command; asked by every chapter."""

from __future__ import annotations

from grognard.games.blitzkrieg.doors import Book, question
from grognard.games.blitzkrieg.laws import detect
from grognard.games.blitzkrieg.laws.parties import BUILDING, BUNKER, FRONT, HEAVY, LIGHT, OPEN, RUINS, TRENCH
from grognard.games.blitzkrieg.loading import CHARTS, Gun, Vehicle
from grognard.games.blitzkrieg.state import (
    ABOARD,
    BOUGHT,
    CRAWLED,
    DUG_IN,
    ENTRENCHED,
    FIRED,
    GOOD,
    HIDDEN,
    IN_BUNKER,
    OUT,
    SHAKEN,
    Position,
    is_there,
    stands,
)
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import BASE_OF, IS_CREW, IS_TEAM, IS_VEHICLE, MODEL_OF, SIDE_OF, World, world
from grognard.kernel import Side, rule
from grognard.tabletop import CM, Box, between, centimetres, face_hit, in_arc, nearest_facing
from grognard.tabletop.measure import turn_between
from grognard.tabletop.sight import meets

COVER = {"none": OPEN, "light": LIGHT, "heavy": HEAVY}
COMMANDERS = ("command", "seccmd")
NEAR = 5 * CM  # how near an obstacle is to be cover (B-07)
_near: dict[tuple[str, int, int, frozenset[int]], int] = {}
NONE: frozenset[int] = frozenset()


@rule("base-measure", "base-scale")
def gap(s: Position, a: int, b: int) -> int:
    """Base-measure: from edge to edge of two bases, in quarter centimetres."""
    table = world(s).table
    return between(table, BASE_OF[a], s.at[a], s.facing[a], BASE_OF[b], s.at[b], s.facing[b])


def cm_between(s: Position, a: int, b: int) -> int:
    """The same in whole centimetres, rounded up, as people say it."""
    return centimetres(gap(s, a, b))


def within(s: Position, a: int, b: int, cm: int) -> bool:
    """True if two bases are at most so many centimetres apart; limits count."""
    table = world(s).table
    pa, pb = s.at[a], s.at[b]
    far = cm * CM + 24  # two bases reach at most 12 quarters from their middles
    dx, dy = table.x[pa] - table.x[pb], table.y[pa] - table.y[pb]
    if dx * dx + dy * dy > far * far:
        return False
    return gap(s, a, b) <= cm * CM


@rule("base-smoke")
def smoke_between(s: Position, a: int, b: int) -> bool:
    """Base-smoke: the line between two points meets a cloud; who stands in one neither sees nor is seen."""
    if not s.smoke:
        return False
    table = world(s).table
    ax, ay, bx, by = table.x[a], table.y[a], table.x[b], table.y[b]
    left, right, top, bottom = min(ax, bx), max(ax, bx), min(ay, by), max(ay, by)
    for x, y, wide, deep, _ in s.smoke:
        if x <= right and left <= x + wide and y <= bottom and top <= y + deep:
            if meets(Box(x, y, wide, deep).outline, ax, ay, bx, by):
                return True
    return False


def smoke_over(s: Position, point: int) -> bool:
    """Base-smoke: a point lies under a cloud."""
    table = world(s).table
    return any(Box(*cloud[:4]).covers(table.x[point], table.y[point]) for cloud in s.smoke)


@rule("base-los")
def line(s: Position, a: int, b: int) -> bool:
    """Base-los: nothing stands between two units."""
    w = world(s)
    if not w.sight.sees(s.at[a], s.at[b], s.floor[a], s.floor[b]):
        return False
    return not smoke_between(s, s.at[a], s.at[b])


def ground_cover(w: World, point: int) -> int:
    """Base-terrain, base-cover-levels: the cover of the ground itself."""
    kind = w.table.kind[point]
    if kind == "building":
        return BUILDING
    return RUINS if kind == "ruins" else COVER[w.table.terrain.areas[kind].cover]


def line_cover(w: World, origin: int, point: int, gone: frozenset[int] = frozenset()) -> int:
    """B-07: the best cover of a hedge or wall that the line crosses within 5 cm of the point; remembered."""
    key = w.name, origin, point, gone
    found = _near.get(key)
    if found is None:
        lines = [w.table.features[n] for n in w.sight.near_lines(origin, point) if n not in gone]
        covers = [COVER[w.table.terrain.lines[f.kind].cover] for f in lines if f.group == "line"]
        found = max(covers, default=OPEN)
        if any(f.kind in ("wall", "embankment", "hill", "steep-hill") for f in lines):
            found |= 16  # something that hides a hull
        if len(_near) > 100_000:
            _near.clear()
        _near[key] = found
    return found


def works_gone(s: Position) -> frozenset[int]:
    """The features of works that are no longer there."""
    if not s.built:
        return NONE
    return frozenset(work.feature for work in world(s).works if not s.built[work.number])


@question
def wreck_cover(book: Book, s: Position, unit: int, origin: int) -> int:
    """Without proposal 205 wrecks are taken away and cover nobody."""
    return OPEN


@rule("base-cover-levels", "base-terrain", "base-fortification-cover")
def cover_from(s: Position, unit: int, origin: int) -> int:
    """The cover of a unit against somebody at a point: the best of ground, entrenchment, hedges, walls and wrecks."""
    w = world(s)
    best = ground_cover(w, s.at[unit])
    if s.flags[unit] & ENTRENCHED:
        return TRENCH
    if s.flags[unit] & IN_BUNKER:
        return BUNKER
    best = max(best, line_cover(w, origin, s.at[unit], works_gone(s)) & 15)
    if best < HEAVY and IS_TEAM[unit]:
        best = max(best, wreck_cover(book_of(s), s, unit, origin))
    if IS_VEHICLE[unit] and best > HEAVY:
        return HEAVY
    return best


@rule("base-hull-down")
def is_hull_down(s: Position, unit: int, origin: int) -> bool:
    """Base-hull-down, B-05: behind a crest, wall or embankment within 5 cm, facing the firer."""
    w = world(s)
    if not line_cover(w, origin, s.at[unit]) & 16:
        return False
    table, here = w.table, s.at[unit]
    return face_hit(s.facing[unit], table.x[origin] - table.x[here], table.y[origin] - table.y[here]) == FRONT


@rule("base-facing")
def face_of(s: Position, unit: int, origin: int) -> int:
    """Base-facing: which face of a vehicle somebody at a point would hit."""
    table, here = world(s).table, s.at[unit]
    return face_hit(s.facing[unit], table.x[origin] - table.x[here], table.y[origin] - table.y[here])


def direction(s: Position, unit: int, other: int) -> tuple[int, int]:
    """The vector from a unit to another."""
    table = world(s).table
    return table.x[s.at[other]] - table.x[s.at[unit]], table.y[s.at[other]] - table.y[s.at[unit]]


def bearing(s: Position, unit: int, other: int) -> int:
    """The facing in which another unit lies."""
    return nearest_facing(*direction(s, unit, other))


@rule("base-arcs")
def in_front(s: Position, unit: int, facing: int, other: int, width: int) -> bool:
    """Base-arcs: in an arc about a facing, so many degrees wide in all."""
    return in_arc(facing, *direction(s, unit, other), width)


def is_above(s: Position, unit: int, other: int) -> bool:
    """210, A-64: at least one level of hill above."""
    level = world(s).table.level
    return level[s.at[unit]] > level[s.at[other]]


# Detection


@rule("003b", "base-commander-out")
def is_closed(s: Position, unit: int) -> bool:
    """003b A roofed armoured vehicle with its hatches shut: limited vision."""
    model = MODEL_OF[unit]
    return isinstance(model, Vehicle) and not model.is_open and not s.flags[unit] & OUT


def is_recon(unit: int) -> bool:
    """Base-recon: scouts and vehicles with the trait."""
    model = MODEL_OF[unit]
    if isinstance(model, Vehicle):
        return "recon" in model.traits
    return model.id in ("scout", "scout_full", "moto")


@rule("224b", "401b")
def looks_hard(s: Position, unit: int) -> bool:
    """Seen like a vehicle: vehicles, and large guns with proposal 401; a dug-in tank like a gun (224b)."""
    model = MODEL_OF[unit]
    if isinstance(model, Vehicle):
        return not s.flags[unit] & DUG_IN
    return isinstance(model, Gun) and model.size == "large" and detect.large_is_hard(book_of(s))


def action_of(s: Position, unit: int) -> str:
    """What a unit has done this turn, as an observer sees it."""
    if s.flags[unit] & FIRED:
        return detect.FIRING
    return detect.MOVING if s.moved[unit] and not s.flags[unit] & CRAWLED else detect.STILL


@rule("003a", "003e", "003f", "003j")
def detection(s: Position, observer: int, target: int) -> int:
    """003 How far an observer would detect a target now, in centimetres."""
    w, flags = world(s), s.flags[target]
    cover = bool(flags & DUG_IN) or ground_cover(w, s.at[target]) > OPEN or cover_from(s, target, s.at[observer]) > OPEN
    return detect.range_of(
        book_of(s),
        hard=looks_hard(s, target),
        cover=cover,
        action=action_of(s, target),
        limited=is_closed(s, observer),
        camouflaged=bool(flags & HIDDEN),
        hill=w.table.level[s.at[observer]] > 0,
        recon=is_recon(observer),
        spotter=MODEL_OF[observer].id == "observer",
    )


@rule("003e", "003f")
def detects(s: Position, observer: int, target: int) -> bool:
    """003e A unit sees what is near enough and in its line of sight; nobody else sees for it."""
    if not line(s, observer, target):
        return False
    limit = detection(s, observer, target)
    return limit >= detect.FAR or within(s, observer, target, limit)


def enemies(s: Position, side: Side) -> list[int]:
    """The enemy's units that stand on the table and are known to a side; who is aboard is no target of its own."""
    at, flags, condition = s.at, s.flags, s.condition
    units = world(s).of_side[1 - side]
    return [u for u in units if condition[u] <= SHAKEN and at[u] and not flags[u] & (HIDDEN | ABOARD)]


def friends(s: Position, side: Side) -> list[int]:
    """A side's own units on the table."""
    return [u for u in world(s).of_side[side] if stands(s, u) and s.at[u]]


def bodies(s: Position, side: Side, but: int) -> list[int]:
    """Everything on the table that a side knows of and that takes room, wrecks included, without one unit."""
    flags = s.flags
    return [u for u in world(s).units if u != but and is_there(s, u) and (SIDE_OF[u] == side or not flags[u] & HIDDEN)]


# Command


@question
def link_of(book: Book, unit: int) -> int:
    """Base-command: how far a unit may be from the next of its formation; vehicles by radio 30 cm."""
    command = CHARTS["command"]
    return int(command["radio"] if IS_VEHICLE[unit] else command["link"])


@rule("base-command")
def in_command(s: Position, unit: int) -> bool:
    """Base-command: a chain of friends of the formation, each near enough to the next, leads to the commander.

    A formation without a commander's stand keeps together by pairs: one friend near enough will do.
    """
    formation = world(s).formations[world(s).formation_of[unit]]
    alive = [u for u in formation.units if s.condition[u] <= SHAKEN and s.at[u]]
    heads = [u for u in alive if MODEL_OF[u].id in COMMANDERS]
    book = book_of(s)
    if unit in heads or len(alive) < 2:
        return True
    if not heads:
        return any(u != unit and within(s, u, unit, link_of(book, unit)) for u in alive)
    joined, rest = heads, [u for u in alive if u not in heads]
    while joined:
        head = joined.pop()
        near = [u for u in rest if within(s, head, u, link_of(book, u))]
        if unit in near:
            return True
        joined += near
        rest = [u for u in rest if u not in near]
    return False


def is_broken(s: Position, unit: int) -> bool:
    """Base-morale-formation: the formation has lost more than half of its elements."""
    formation = world(s).formations[world(s).formation_of[unit]]
    units = [u for u in formation.units if s.flags[u] & BOUGHT] if world(s).offers else formation.units
    gone = sum(s.condition[u] not in (GOOD, SHAKEN) for u in units)
    return 2 * gone > len(units) and not IS_CREW[unit]


def commander_near(s: Position, unit: int, models: tuple[str, ...] = COMMANDERS) -> bool:
    """Base-commander: a commander of the side in good order within 15 cm, not the unit itself."""
    cm = CHARTS["command"]["link"]
    leaders = [
        u for u in friends(s, SIDE_OF[unit]) if MODEL_OF[u].id in models and u != unit and s.condition[u] == GOOD
    ]
    return any(within(s, leader, unit, cm) for leader in leaders)


def turned(a: int, b: int) -> int:
    """How far two facings are apart."""
    return turn_between(a, b)
