"""Movement: where a unit may go, the way there under the eyes of the enemy, what the ground does to it."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.games.blitzkrieg.doors import Bar, Book, limits, question
from grognard.games.blitzkrieg.frames import (
    CHARGE,
    CLIMB,
    CLOSE,
    CRAWL,
    MOVE,
    NOBODY,
    OPPORTUNITY,
    OVERRUN,
    RAM,
    REVERSE,
    TURN,
    Moving,
    Reaction,
)
from grognard.games.blitzkrieg.loading import CHARTS, Vehicle
from grognard.games.blitzkrieg.state import (
    BOGGED,
    CONTINUOUS,
    CRAWLED,
    DUG_IN,
    ENTRENCHED,
    EXITED,
    FOG,
    HIDDEN,
    IN_BUNKER,
    POINT,
    SHAKEN,
    STUCK,
    Position,
    drop_flag,
    has,
    raise_flag,
    stands,
)
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import BASE_OF, IS_TEAM, IS_VEHICLE, MODEL_OF, SIDE_OF, world
from grognard.kernel import NOTHING, Decision, No, Side, emit, forgetting, no, roll, rule
from grognard.tabletop import CM, between
from grognard.tabletop.measure import AROUND, FACINGS, STEP, rounded_root
from grognard.tabletop.paths import PER_CM, Reach, path

from .ground import bodies, detects, direction, enemies, is_recon, within, works_gone
from .losses import damage, show
from .mines import enter_mines
from .reaction import CLOSE_CM, fires_at, may_react
from .riding import follow, riders, set_off
from .sights import is_quiet, may_ambush, stays_camouflaged
from .walking import allowance, back_reach, budget_of, steps_of, stops, walk_reach, why_out_of_reach
from .works import flatten_wire

LENGTHS = tuple(rounded_root((dx * dx + dy * dy) * STEP * STEP * 16) for dx, dy in FACINGS)  # sixteenths of a cm
WINDOW = 10 * 16  # B-11: the enemy is asked after each 10 cm
AMBUSH = 5 * 16  # and after each 5 cm while somebody may be hiding, whether he can fire or not

NO_ROOM = no("base-measure", "no-room")
NO_APPROACH = no("base-demoralised", "no-approach")
NO_EXIT = no("base-vehicle-move", "no-exit")

CHARGE_CM = int(CHARTS["moves"]["charge"])
TOUCH = int(CHARTS["moves"]["narrow_contact"]) * CM  # B-02
NEAR_CONTACT = 40  # quarter centimetres between the middles of two bases in contact, at most

_kept: dict[tuple[object, ...], Ways] = forgetting.watched({})
MOST_KEPT = 128


# Where to


@question
def crawl_cm(book: Book) -> int:
    """Without proposal 101 nobody crawls."""
    return 0


def feared(s: Position, unit: int) -> list[tuple[int, int, int]]:
    """Of each known enemy that a unit sees: where it stands, and how far off by the square."""
    table, here, found = world(s).table, s.at[unit], []
    for enemy in enemies(s, SIDE_OF[unit]):
        if detects(s, unit, enemy):
            x, y = table.x[s.at[enemy]], table.y[s.at[enemy]]
            found.append((x, y, (table.x[here] - x) ** 2 + (table.y[here] - y) ** 2))
    return found


@limits
@rule("base-demoralised")
def no_end_at(book: Book, s: Position, c: Moving) -> Bar | None:
    """Base-demoralised: a demoralised unit does not go nearer to an enemy that it sees."""
    if s.condition[c.unit] != SHAKEN:
        return None
    foes = feared(s, c.unit)
    return lambda point: None if keeps_off(s, point, foes) else NO_APPROACH


def why_not_end(book: Book, s: Position, c: Moving, point: int) -> No | None:
    """Why the unit in hand may not stop at a point of its reach."""
    return next((why for bar in no_end_at.each(book, s, c) if (why := bar(point)) is not None), None)


def may_end(book: Book, s: Position, c: Moving, points: Iterable[int]) -> list[int]:
    """The same for many points."""
    found = list(points)
    for bar in no_end_at.each(book, s, c):
        found = [p for p in found if bar(p) is None]
    return found


def keeps_off(s: Position, point: int, foes: list[tuple[int, int, int]]) -> bool:
    """True if a point is nearer to none of these."""
    px, py = world(s).table.x[point], world(s).table.y[point]
    return all((px - x) ** 2 + (py - y) ** 2 >= now for x, y, now in foes)


class Ways:
    """Where a unit gets to in one way of moving: everywhere, and where of that it may stop."""

    def __init__(self, found: Reach, ends: Reach) -> None:
        self.found, self.ends = found, ends
        self.straight: frozenset[int] | None = None  # where the way begins straight on, once asked (213)


def ways_of(s: Position, unit: int, mode: int) -> Ways:
    """The ways of a unit as its side knows them; remembered."""
    where = s.scenario, s.packed, unit, mode, s.effort[unit], bytes(s.floor), bytes(s.carrier), bytes(s.built)
    key = *where, bytes(s.at), bytes(s.facing), bytes(s.condition), bytes(s.flags)
    known = _kept.get(key)
    if known is None:
        if len(_kept) >= MOST_KEPT:
            _kept.clear()
        found = _reach(s, unit, mode)
        known = _kept[key] = Ways(found, stops(s, unit, found, bodies(s, SIDE_OF[unit], unit)))
    return known


def _reach(s: Position, unit: int, mode: int) -> Reach:
    if mode == CRAWL:
        return walk_reach(s, unit, crawl_cm(book_of(s)) * PER_CM)
    if mode == REVERSE:
        return back_reach(s, unit, budget_of(s, unit))
    if mode == CLIMB:
        return walk_reach(s, unit, budget_of(s, unit) // 2, climbs=True)
    return walk_reach(s, unit, _charge_budget(s, unit) if mode == CHARGE else budget_of(s, unit))


def full_reach(s: Position, c: Moving) -> Reach:
    """Everywhere that the unit in hand gets to, whether it may stop there or not."""
    return ways_of(s, c.unit, c.mode).found


def ends(s: Position, c: Moving) -> Reach:
    """The points where the unit in hand may stop."""
    return ways_of(s, c.unit, c.mode).ends


def begin_straight(s: Position, c: Moving) -> frozenset[int]:
    """The points where the unit in hand may stop after a way whose first 10 cm go straight on."""
    ways = ways_of(s, c.unit, c.mode)
    if ways.straight is None:
        ways.straight = frozenset(p for p in ways.ends if _begins_straight(s, c.unit, ways.found, p))
    return ways.straight


def _begins_straight(s: Position, unit: int, found: Reach, point: int) -> bool:
    gone, table, ahead = 0, world(s).table, s.facing[unit]
    way = path(table, found, s.at[unit], point)
    for p in way[1:]:
        if found[p] & 15 != ahead:
            return False
        gone += LENGTHS[ahead]
        if gone >= WINDOW:
            return True
    return gone >= WINDOW


@rule("base-vehicle-move", "base-infantry-move", "base-gun-move")
class To(Decision):
    """Base-vehicle-move: the unit in hand goes to a point, off the table, or stays."""

    verbs = {"to": POINT, "exit": NOTHING, "stay": NOTHING}

    def needed(self, s: Position, c: Moving, side: Side) -> bool:
        """Until it has a way."""
        return not c.path and not c.stopped

    def nouns(self, s: Position, c: Moving, side: Side, verb: str) -> list[int]:
        """The points in reach."""
        return list(ends(s, c)) if verb == "to" else [0]

    def legal_nouns(self, s: Position, c: Moving, side: Side, verb: str) -> list[int]:
        """The same as asking for each, with the reach worked out once."""
        if verb != "to":
            return super().legal_nouns(s, c, side, verb)
        return may_end(book_of(s), s, c, ends(s, c))

    def why_not(self, s: Position, c: Moving, side: Side, verb: str, noun: int) -> No | None:
        """Out of reach, no room, or a rule about where it may stop."""
        if verb == "stay":
            return None
        if verb == "exit":
            return None if exits(s, c) else NO_EXIT
        if noun not in full_reach(s, c):
            return why_out_of_reach(s, c.unit, noun)
        if noun not in ends(s, c):
            return NO_ROOM
        return why_not_end(book_of(s), s, c, noun)

    def apply(self, s: Position, c: Moving, side: Side, verb: str, noun: int) -> None:
        """It sets out."""
        if verb == "stay":
            c.stopped = 1
            return
        found = full_reach(s, c)
        point = noun if verb == "to" else min(exits(s, c), key=lambda p: (found[p], p))
        set_out(s, c, found, point)
        c.leaving = int(verb == "exit")


@rule("base-vehicle-move")
def exits(s: Position, c: Moving) -> list[int]:
    """The points in reach from which the unit may leave the table, if the scenario lets it."""
    w = world(s)
    if not w.exits or w.exits["side"] != ("allies", "axis")[c.side] or not IS_VEHICLE[c.unit] or c.mode != MOVE:
        return []
    if w.exits["who"] == "tank" and getattr(MODEL_OF[c.unit], "type", "") != "tank":
        return []
    return [p for p in ends(s, c) if p in w.exit_points]


def set_out(s: Position, c: Moving, found: Reach, point: int) -> None:
    """Note the way to a point; the unit is seen as it goes, unless it crawls in cover (101b)."""
    way = way_to(s, c, found, point)
    c.start = s.at[c.unit]
    c.unseen = tuple(u for u in world(s).of_side[1 - c.side] if has(s, u, HIDDEN))
    c.path = tuple(way[1:])
    c.facings = tuple(found[p] & 15 for p in way[1:])
    whole = max(1, allowance(s, c.unit)[0]) * PER_CM
    c.left = budget_of(s, c.unit) - (found[point] >> 4)
    c.gone = c.watched = 16 * s.moved[c.unit]
    s.effort[c.unit] = min(100, s.effort[c.unit] + -(-100 * (found[point] >> 4) // whole))
    c.began_seen = tuple(u for u in enemies(s, c.side) if IS_VEHICLE[u] and detects(s, c.unit, u))
    if c.mode == CRAWL:
        raise_flag(s, c.unit, CRAWLED)
    crept = c.mode == CRAWL and stays_hidden(book_of(s), s, c, point)
    if not crept and not stays_camouflaged(book_of(s), c.unit):
        show(s, c.unit)
    drop_flag(s, c.unit, DUG_IN | ENTRENCHED | IN_BUNKER | CONTINUOUS)
    names = world(s).table.names
    audience = (c.side,) if has(s, c.unit, HIDDEN) else None
    told = [names[p] for p in way]
    emit(s, "sets-out", "base-vehicle-move", audience=audience, unit=FOG.veil(s, c.unit), path=told, to=names[point])


def way_to(s: Position, c: Moving, found: Reach, point: int) -> list[int]:
    """The points from the unit in hand to a point of its reach."""
    return _backwards(s, c, point) if c.mode == REVERSE else path(world(s).table, found, s.at[c.unit], point)


def _backwards(s: Position, c: Moving, point: int) -> list[int]:
    """The points straight back to a point."""
    back = world(s).table.offsets[(s.facing[c.unit] + AROUND // 2) % AROUND]
    way = [s.at[c.unit]]
    while way[-1] != point:
        way.append(way[-1] + back)
    return way


@question
@rule("101b")
def stays_hidden(book: Book, s: Position, c: Moving, point: int) -> bool:
    """Without proposal 101 whoever moves is seen."""
    return False


# The way


def is_there_yet(s: Position, c: Moving) -> bool:
    """At the end of the way, or stopped on it."""
    return bool(c.stopped) or c.step >= len(c.path) or not stands(s, c.unit)


@rule("base-opportunity-fire", "base-hidden")
def go_on(s: Position, c: Moving) -> None:
    """B-11: on to the next place where the enemy may fire: each 10 cm, where somebody new sees it, and at the end.

    All that from what the mover's side knows: a hidden enemy is asked after each 5 cm, and so is one who hides nobody.
    """
    c.window = 0
    unit, table, enemy = c.unit, world(s).table, 1 - c.side
    quiet = is_quiet(s)
    ambush = not quiet and not has(s, unit, HIDDEN) and may_ambush(s, enemy)
    watchers = [] if quiet else [u for u in world(s).of_side[enemy] if s.at[u] and may_react(s, u)]
    watchers = [u for u in watchers if not has(s, u, HIDDEN)]
    while not is_there_yet(s, c):
        point, facing = c.path[c.step], c.facings[c.step]
        if _runs_into(s, c, point, facing):
            c.stopped = 1
            c.window = int(bool(watchers) or ambush)
            return
        before = s.facing[unit]
        length = LENGTHS[_way(table.offsets, point - s.at[unit])]
        came_from = s.at[unit]
        s.at[unit], s.floor[unit] = point, 0
        s.facing[unit] = facing
        s.turret[unit] = (s.turret[unit] + facing - before) % AROUND
        if IS_VEHICLE[unit]:
            follow(s, unit)
        c.step += 1
        c.gone += length
        s.moved[unit] = min(255, -(-c.gone // 16))
        flatten_wire(s, unit, came_from)
        if enter_mines(s, unit, came_from, before):
            see_damage(s, c)
            if is_there_yet(s, c):
                return
        _discover(s, unit)
        if (watchers or ambush) and _is_watched(s, c, watchers, ambush):
            c.window = 1
            return
        if _comes_close(s, c):
            return


def _way(offsets: tuple[int, ...], step: int) -> int:
    return offsets.index(step)


def _is_watched(s: Position, c: Moving, watchers: list[int], ambush: bool) -> bool:
    """True where a window opens: where somebody known can fire, and by the way gone for who may hide."""
    now = tuple(u for u in watchers if fires_at(s, u, c.unit))
    new = any(u not in c.could for u in now)
    c.could = now
    gone, there = c.gone - c.watched, c.step >= len(c.path)
    if (now and (new or there or gone >= WINDOW)) or (ambush and (there or gone >= AMBUSH)):
        c.watched = c.gone
        return True
    return False


def _runs_into(s: Position, c: Moving, point: int, facing: int) -> bool:
    """Base-hidden: a hidden enemy in the way is found and stops who comes."""
    bases, base = world(s).bases, BASE_OF[c.unit]
    met = False
    for u in FOG.in_token_order(s, c.unseen):
        if stands(s, u) and s.at[u]:
            if point - s.at[u] in bases.overlap(base, facing, BASE_OF[u], s.facing[u]):
                show(s, u)
                met = True
    return met


@rule("base-hidden", "306b")
def _discover(s: Position, unit: int) -> None:
    """Base-hidden: what hides within 5 cm is found; within 15 cm by reconnaissance. And who comes too near is found."""
    cm = CHARTS["detection"]["recon" if is_recon(unit) else "camouflaged"]
    for u in FOG.in_token_order(s, world(s).of_side[1 - SIDE_OF[unit]]):
        if not stands(s, u) or not s.at[u]:
            continue
        if has(s, u, HIDDEN) and within(s, unit, u, cm):
            show(s, u)
        if has(s, unit, HIDDEN) and within(s, u, unit, CHARTS["detection"]["recon" if is_recon(u) else "camouflaged"]):
            show(s, unit)


@rule("221a")
def _comes_close(s: Position, c: Moving) -> bool:
    """221a An enemy vehicle that was in view at the start is now within 10 cm: it may react, once."""
    if not IS_VEHICLE[c.unit] or not book_of(s).has("221"):
        return False
    for u in c.began_seen:
        if u not in c.close and stands(s, u) and within(s, c.unit, u, CLOSE_CM):
            c.close = (*c.close, u)
            c.window = 2
            return True
    return False


def is_asked(s: Position, c: Moving) -> bool:
    """The enemy may fire now."""
    return c.window == 1 and stands(s, c.unit)


def is_close(s: Position, c: Moving) -> bool:
    """221: the enemy's vehicle may turn on who comes near."""
    return c.window == 2 and stands(s, c.unit)


def watched(s: Position, c: Moving) -> Reaction:
    """The enemy looks on."""
    return Reaction(side=1 - c.side, unit=c.unit, why=OPPORTUNITY)


def approached(s: Position, c: Moving) -> Reaction:
    """221 The enemy's vehicles look on."""
    return Reaction(side=1 - c.side, unit=c.unit, why=CLOSE)


def rammed(s: Position, c: Moving) -> Reaction:
    """214 Who is to be overrun looks on."""
    return Reaction(side=1 - c.side, unit=c.unit, why=RAM)


def will_ram(s: Position, c: Moving) -> bool:
    """An overrun that has come to its target."""
    return c.mode == OVERRUN and stands(s, c.unit) and not c.stopped and c.target != NOBODY


@rule("base-damage", "base-demoralised")
def see_damage(s: Position, c: Moving) -> None:
    """Who is lost, shaken or stuck goes no further."""
    c.window = 0
    here = c.path[c.step - 1] if c.step else c.start
    if (
        not stands(s, c.unit)
        or (bool(c.path) and s.at[c.unit] != here)
        or has(s, c.unit, STUCK)
        or (s.condition[c.unit] == SHAKEN and c.mode in (CHARGE, OVERRUN))
        or (s.condition[c.unit] == SHAKEN and not c.began_shaken)
    ):
        c.stopped = 1


# Arrival


@question
def breakdown(book: Book, s: Position, c: Moving) -> bool:
    """Without proposal 218 an unreliable tank breaks down on 2 or 3, whatever its speed."""
    return sum(roll(s, "218a", 2, side=c.side)) <= 3


@rule("base-immobilisation-test", "002b", "002c")
def arrive(s: Position, c: Moving) -> None:
    """Base-immobilisation-test: soft ground may hold a vehicle; 218 unreliable tanks may break down."""
    unit = c.unit
    if not stands(s, unit) or not c.step or c.mode == TURN:
        return
    if c.leaving and not c.stopped:
        leave_table(s, c)
        return
    if not IS_VEHICLE[unit] or has(s, unit, STUCK):
        return
    if _is_soft(s, c) and roll(s, "base-immobilisation-test", side=c.side)[0] <= bogs_on(unit):
        raise_flag(s, unit, BOGGED)
        damage(s, unit, "base-immobilisation-test")
        c.stopped = 1
    model = MODEL_OF[unit]
    if stands(s, unit) and isinstance(model, Vehicle) and "unreliable" in model.traits:
        if breakdown(book_of(s), s, c):
            damage(s, unit, "218a", test=False)
            c.stopped = 1


def bogs_on(unit: int) -> int:
    """Base-immobilisation-test: the highest die on which a vehicle is stuck."""
    model = MODEL_OF[unit]
    return 2 if isinstance(model, Vehicle) and model.drive == "half-track" else 1


def _is_soft(s: Position, c: Moving) -> bool:
    """True if the way led through ground, or over a line, that may hold this drive."""
    steps = steps_of(s, c.unit)
    table, drive, gone = steps.table, steps.drive, works_gone(s)
    terrain, before = table.terrain, c.start
    for point in c.path[: c.step]:
        if drive in terrain.areas[table.kind[point]].bog:
            return True
        for number in table.crossed.get(before << 4 | _way(table.offsets, point - before), ()):
            if number not in gone and drive in terrain.lines[table.features[number].kind].bog:
                return True
        before = point
    return False


def leave_table(s: Position, c: Moving) -> None:
    """The unit leaves by the exit of the scenario, for its points."""
    exits_of = world(s).exits
    for unit in riders(s, c.unit):
        set_off(s, unit, 0)
        s.condition[unit] = EXITED
    s.condition[c.unit], s.at[c.unit] = EXITED, 0
    s.points[c.side] += int(exits_of["points"])
    emit(s, "leaves", "base-victory-points", unit=FOG.veil(s, c.unit), points=int(exits_of["points"]))


# Charges


def _charge_budget(s: Position, unit: int) -> int:
    """What men have for a charge, in 1/48 cm."""
    return min(CHARGE_CM * PER_CM, budget_of(s, unit))


def contact(s: Position, unit: int, target: int) -> tuple[Reach, int]:
    """The reach of a charge and the cheapest point of it in contact with the target (B-02), 0 if there is none."""
    table, team = world(s).table, IS_TEAM[unit]
    budget = _charge_budget(s, unit) if team else budget_of(s, unit)
    tx, ty, here = table.x[s.at[target]], table.y[s.at[target]], s.at[unit]
    far = steps_of(s, unit).furthest(budget) + NEAR_CONTACT
    if (table.x[here] - tx) ** 2 + (table.y[here] - ty) ** 2 > far * far:
        return {}, 0  # as the crow flies too far
    ways = ways_of(s, unit, CHARGE if team else MOVE)
    found, best = ways.found, 0
    cells = range(-NEAR_CONTACT // STEP, NEAR_CONTACT // STEP + 1)
    around = {s.at[target] + r * table.across + c for r in cells for c in cells}
    for p in ways.ends:
        if p in around and abs(table.x[p] - tx) <= NEAR_CONTACT:
            facing = found[p] & 15
            near = between(table, BASE_OF[unit], p, facing, BASE_OF[target], s.at[target], s.facing[target])
            if near <= TOUCH and (not best or found[p] < found[best]):
                best = p
    return found, best


def others_near(s: Position, unit: int, target: int) -> int:
    """Friends of a charger who are in contact with its target too."""
    touch = CHARTS["moves"]["narrow_contact"]
    side = SIDE_OF[unit]
    mates = [u for u in world(s).of_side[side] if u != unit and IS_TEAM[u] and s.condition[u] == 0 and s.at[u]]
    return sum(within(s, u, target, touch) for u in mates)


def towards(s: Position, unit: int, other: int) -> tuple[int, int]:
    """The vector to another unit."""
    return direction(s, unit, other)
