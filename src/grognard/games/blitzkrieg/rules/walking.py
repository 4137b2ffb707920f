"""Where a unit gets to: its allowance, its drive, who is in the way."""

from __future__ import annotations

from grognard.games.blitzkrieg.doors import Book, question
from grognard.games.blitzkrieg.loading import CHARTS, Gun, Team, Vehicle
from grognard.games.blitzkrieg.state import HIDDEN, Position, is_there
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import BASE_OF, DRIVES, IS_TEAM, IS_VEHICLE, MODEL_OF, SIDE_OF, Work, world
from grognard.kernel import No, no, rule
from grognard.tabletop import CM
from grognard.tabletop.ground import FORBIDDEN
from grognard.tabletop.measure import STEP
from grognard.tabletop.paths import PER_CM, Reach, StepCosts, reach, straight_back
from grognard.tabletop.shapes import Box

from .ground import NONE, works_gone
from .houses import HOUSE, full, lodging
from .riding import towed

MOVES = CHARTS["moves"]
TOO_FAR = no("base-vehicle-move", "out-of-reach")


@rule("base-infantry-move", "base-support-weapon-move")
def team_move(team: Team) -> int:
    """Base-infantry-move, base-support-weapon-move: centimetres of a team."""
    if team.id == "mmg":
        return int(MOVES["mmg"])
    return int(MOVES["heavy_weapon"] if team.id == "hmg" else 30 if team.id == "cavalry" else MOVES["step"])


@question
@rule("base-gun-move", "402a", "402b")
def gun_moves(book: Book, gun: Gun) -> tuple[int, int]:
    """Without proposal 402 guns above 80 mm are fixed and light howitzers only pivot."""
    if gun.category == "infantry-gun" or (gun.category == "at" and gun.weapon.calibre > 800):
        return 0, 0
    return gun.hand, gun.hand_road


@question
@rule("402e")
def packs(book: Book, gun: Gun) -> bool:
    """Without proposal 402 no gun is taken apart and carried."""
    return False


@question
@rule("402c")
def houses_for(book: Book, gun: Gun) -> tuple[str, ...]:
    """Without proposal 402 no gun is brought into a house in play."""
    return ()


@question
@rule("402d")
def stays_put(book: Book, s: Position, unit: int) -> bool:
    """Without proposal 402 a gun may leave the house in which it began."""
    return False


@question
def mortar_move(book: Book, gun: Gun) -> int:
    """Without proposal 109 the 81 mm mortar moves 5 cm."""
    return 5 if gun.weapon.id == "m81" else gun.hand


@question
@rule("403e")
def tow_slows(book: Book) -> int:
    """Without proposal 403 a gun behind it does not slow a vehicle."""
    return 0


@rule("base-vehicle-move")
def allowance(s: Position, unit: int) -> tuple[int, int]:
    """Centimetres off the road and on it; the snow of a scenario slows vehicles off the road."""
    model = MODEL_OF[unit]
    if isinstance(model, Vehicle):
        slower = tow_slows(book_of(s)) if towed(s, unit) >= 0 else 0
        return max(5, model.off - world(s).snow - slower), max(5, model.road - slower)
    if isinstance(model, Team):
        move = team_move(model)
        return move, move
    if model.is_mortar:
        move = mortar_move(book_of(s), model)
        return move, move
    return gun_moves(book_of(s), model)


@rule("base-terrain", "402e", "base-vehicle-move")
def steps_of(s: Position, unit: int, climbs: bool = False) -> StepCosts:
    """What steps cost a unit: guns count as wheels, but men, mortars and pack guns (402e) go on foot; works count."""
    gone = works_gone(s) | begun(s, unit, climbs) if s.built else NONE
    model, (off, road) = MODEL_OF[unit], allowance(s, unit)
    old = not book_of(s).has("002")
    if isinstance(model, Vehicle):
        return world(s).steps(DRIVES[model.drive], off, road, True, old, gone)
    if isinstance(model, Gun) and not model.is_mortar and not packs(book_of(s), model):
        return world(s).steps("wheeled", off, road, False, old, gone, houses_for(book_of(s), model))
    return world(s).steps("foot", 1, 1, False, old, gone)


def in_contact(s: Position, unit: int, kinds: tuple[str, ...]) -> list[Work]:
    """The works of some kinds that stand in contact with a unit."""
    w, found = world(s), []
    x, y = w.table.x[s.at[unit]], w.table.y[s.at[unit]]
    for work in w.works:
        if not s.built[work.number] or work.kind not in kinds:
            continue
        box = Box(work.box.x - CM, work.box.y - CM, work.box.wide + 2 * CM, work.box.deep + 2 * CM)
        if box.touches(BASE_OF[unit], x, y, s.facing[unit]):
            found.append(work)
    return found


@rule("base-barricade", "502c")
def begun(s: Position, unit: int, climbs: bool) -> frozenset[int]:
    """Base-barricade: wire stops men for one activation: from contact they go on; 502c tanks may climb."""
    model = MODEL_OF[unit]
    if isinstance(model, Vehicle) and model.drive != "half-track":
        return frozenset(work.feature for work in in_contact(s, unit, ("barricade",))) if climbs else NONE
    if isinstance(model, Gun) and not model.is_mortar:
        return NONE
    return frozenset(work.feature for work in in_contact(s, unit, ("wire",)))


@question
@rule("204a")
def bypass(book: Book, s: Position, unit: int, other: int) -> int:
    """What it costs a vehicle to go past a friend or a wreck: without proposal 204 it blocks (-1)."""
    return -1


def obstacles(s: Position, unit: int) -> tuple[set[int], dict[int, int]]:
    """B-10: points that nobody enters, and points that cost more to go on from."""
    walls: set[int] = set()
    passing: dict[int, int] = {}
    side, vehicle, book, flags = SIDE_OF[unit], IS_VEHICLE[unit], book_of(s), s.flags
    bases, base, facing = world(s).bases, BASE_OF[unit], s.facing[unit]
    for u in world(s).units:
        if u == unit or not is_there(s, u):
            continue
        own = SIDE_OF[u] == side
        if not own and flags[u] & HIDDEN:
            continue
        if not vehicle or (own and IS_TEAM[u]):
            if not own and s.condition[u] <= 1:
                walls.update(s.at[u] + o for o in bases.overlap_any(base, BASE_OF[u], s.facing[u]))
            continue
        points = [s.at[u] + o for o in bases.overlap(base, facing, BASE_OF[u], s.facing[u])]
        cost = bypass(book, s, unit, u) if own or s.condition[u] > 1 else -1
        if cost < 0:
            walls.update(points)
        else:
            passing[s.at[u]] = cost
    walls.discard(s.at[unit])
    return walls, passing


@rule("base-building")
def walk_reach(s: Position, unit: int, budget: int, climbs: bool = False) -> Reach:
    """Everywhere that a unit gets to for a budget in 1/48 cm; the stairs cost 5 cm (base-building)."""
    if s.floor[unit]:
        budget -= int(HOUSE["stairs"]) * PER_CM
    walls, passing = obstacles(s, unit)
    facing = s.facing[unit] if IS_VEHICLE[unit] else None
    return reach(steps_of(s, unit, climbs), s.at[unit], facing, budget, walls, passing)


@rule("base-vehicle-move")
def back_reach(s: Position, unit: int, budget: int) -> Reach:
    """B-09: straight back along the hull, at half rate."""
    walls, _ = obstacles(s, unit)
    return straight_back(steps_of(s, unit), s.at[unit], s.facing[unit], budget, walls)


def stops(s: Position, unit: int, found: Reach, others: list[int]) -> Reach:
    """The points of a reach where the base fits; nobody stops on another base, and houses hold so many."""
    bodies = [(BASE_OF[u], s.at[u], s.facing[u]) for u in others]
    w = world(s)
    fitting = w.bases.stops(found, BASE_OF[unit], bodies)
    crowded = full(s, unit, others)
    if crowded:
        fitting = {p: v for p, v in fitting.items() if lodging(w, p) not in crowded}
    if s.at[unit] in fitting:
        fitting = {p: v for p, v in fitting.items() if p != s.at[unit]}
    return fitting


@rule("base-terrain")
def barrier(s: Position, unit: int, point: int) -> str:
    """Base-terrain: the kind of the first thing on the straight line to a point that a unit cannot cross or enter."""
    steps, p = steps_of(s, unit), s.at[unit]
    table = steps.table
    x, y = table.x[p], table.y[p]
    dx, dy = table.x[point] - x, table.y[point] - y
    length = max(abs(dx), abs(dy)) // STEP
    for i in range(1, length + 1):
        q = table.point_at(x + dx * i // length, y + dy * i // length)
        facing = table.offsets.index(q - p)
        if steps.row(p)[facing] == FORBIDDEN:
            lines = [table.features[n].kind for n in table.crossed.get(p << 4 | facing, ()) if n not in steps.opened]
            kinds = [kind for kind in lines if table.terrain.lines[kind].cost[steps.drive] == FORBIDDEN]
            return kinds[0] if kinds and steps.rate[q] != FORBIDDEN else table.kind[q]
        p = q
    return ""


def _called(kind: str) -> dict[str, str]:
    return {"what": f"ground-{kind}"}


CLOSED = no("base-terrain", "closed-ground", facts=lambda s, c, side, p: _called(world(s).table.kind[p]))
BARRED = no("base-terrain", "barred", facts=lambda s, c, side, p: _called(barrier(s, c.unit, p)))


@rule("base-vehicle-move", "base-terrain")
def why_out_of_reach(s: Position, unit: int, point: int) -> No:
    """Base-vehicle-move: too far; or, base-terrain, on ground or behind something that is closed to the unit."""
    steps, table, here = steps_of(s, unit), world(s).table, s.at[unit]
    if steps.rate[point] == FORBIDDEN:
        return CLOSED
    far = steps.furthest(budget_of(s, unit))
    near = (table.x[here] - table.x[point]) ** 2 + (table.y[here] - table.y[point]) ** 2 <= far * far
    return BARRED if near and barrier(s, unit, point) else TOO_FAR


def budget_of(s: Position, unit: int) -> int:
    """What is left of the off-road allowance, in 1/48 cm; road steps are cheaper."""
    return allowance(s, unit)[0] * PER_CM * (100 - s.effort[unit]) // 100
