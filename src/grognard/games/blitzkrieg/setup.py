"""From a scenario to the first position: posts worked out for everybody, then changed by who likes."""

from __future__ import annotations

from functools import cache
from typing import Any

from grognard.kernel import NOTHING, Decision, No, Side, emit, no, rule
from grognard.tabletop.measure import AROUND, STEP, nearest_facing

from .doors import Book, question
from .frames import NOBODY, Match
from .loading import Gun, Vehicle
from .rules.air import muster
from .rules.capabilities import fit_launchers, give_charge
from .rules.command import arriving
from .rules.houses import full, lodging
from .rules.indirect import tubes
from .rules.riding import follow, set_on
from .rules.sights import is_observer, stays_camouflaged
from .rules.smoke import issue
from .rules.snipers import is_sniper, snipers_play
from .state import (
    ABOARD,
    AWAY,
    BOUGHT,
    DUG_IN,
    ENTRENCHED,
    FOG,
    GOOD,
    HIDDEN,
    IN_BUNKER,
    PLACED,
    POINT,
    UNIT,
    Position,
    drop_flag,
    given,
    has,
    is_there,
    raise_flag,
)
from .switches import book_of
from .world import BASE_OF, DRIVES, IS_CREW, IS_GUN, IS_TEAM, IS_VEHICLE, MODEL_OF, SIDE_OF, SIDES, World, world

NOT_YOURS = no("base-deployment", "not-your-unit")
IN_PLACE = no("base-deployment", "already-placed")
NOT_IN_ZONE = no("base-deployment", "not-in-zone")
NO_ROOM = no("base-deployment", "no-room")
FULL = no("base-building", "house-full")
PICK_FIRST = no("base-deployment", "pick-a-unit-first")
IN_HAND = no("base-deployment", "place-it-first")
APART = 30  # quarter centimetres that automatic posts keep between units


def deploy(s: Position, c: Match) -> None:
    """Base-deployment: everybody has a post."""
    w = world(s)
    for side in (w.first, 1 - w.first):
        station(s, [u for u in w.of_side[side] if w.formations[w.formation_of[u]].arrives == 1])
    for side, points in enumerate(w.start_points):
        if points:
            s.points[side] = points
            emit(s, "head-start", "base-victory-points", side=SIDES[side], points=points)
    issue(s)
    muster(s)
    c.side = w.first


@rule("base-deployment")
def station(s: Position, units: list[int]) -> None:
    """Base-deployment: put units on posts of their zones: men in cover, guns in sight, tanks in the open, all apart."""
    w = world(s)
    riding = {rider: carrier for formation in w.formations for rider, carrier in formation.riding}
    for unit in sorted(units, key=lambda u: u in riding):
        if not plays(s, unit):
            continue
        formation = w.formations[w.formation_of[unit]]
        s.condition[unit] = GOOD
        drop_flag(s, unit, HIDDEN)
        s.facing[unit] = s.turret[unit] = front_of(w, SIDE_OF[unit])
        s.rockets[unit] = tubes(unit)
        if unit in riding:
            set_on(s, unit, riding[unit])
        else:
            s.at[unit] = post(s, w, unit, formation.zone)
        if is_observer(unit):
            if stays_camouflaged(book_of(s), unit):
                raise_flag(s, unit, HIDDEN)
        elif formation.hidden or is_sniper(unit):
            raise_flag(s, unit, HIDDEN)
        bunkers = given(s, formation.number, "bunkers", formation.bunkers)
        if unit in [u for u in formation.units if plays(s, u)][:bunkers]:
            raise_flag(s, unit, IN_BUNKER)
        if formation.entrenched:
            raise_flag(s, unit, ENTRENCHED)
        if formation.dug_in and may_begin_dug_in(book_of(s), unit):
            raise_flag(s, unit, DUG_IN)
        if given(s, formation.number, "launchers", int(formation.launchers)):
            fit_launchers(s, unit)
        give_charge(s, unit)


@question
@rule("base-deployment")
def may_begin_dug_in(book: Book, unit: int) -> bool:
    """Infantry begins dug in where the scenario says so; without proposal 224 no tank does."""
    return IS_TEAM[unit]


@rule("701a")
def plays(s: Position, unit: int) -> bool:
    """701a Without the proposal snipers stay away; crews come only out of their vehicles."""
    if world(s).offers and not has(s, unit, BOUGHT):
        return False
    return not IS_CREW[unit] and (not is_sniper(unit) or snipers_play(book_of(s)))


def front_of(w: World, side: Side) -> int:
    """The facing towards the enemy's zone."""
    mine, theirs = (_middle(w, s) for s in (side, 1 - side))
    return nearest_facing(theirs[0] - mine[0], theirs[1] - mine[1])


@cache
def _middle(w: World, side: Side) -> tuple[int, int]:
    points = [p for f in w.formations if f.side == side for p in w.zone_points[f.zone]]
    return sum(w.table.x[p] for p in points) // len(points), sum(w.table.y[p] for p in points) // len(points)


def post(s: Position, w: World, unit: int, zone: str) -> int:
    """A good point of a zone for a unit: the best by cover and front that is free; deterministic."""
    table = w.table
    fx, fy = _middle(w, 1 - SIDE_OF[unit])
    others = [(BASE_OF[u], s.at[u], s.facing[u]) for u in w.units if u != unit and is_there(s, u)]
    near = (APART - 1) // STEP
    apart = [row * table.across + col for row in range(-near, near + 1) for col in range(-near, near + 1)]
    closed = {p + offset for _, p, _ in others for offset in apart}
    closed |= w.bases.taken(BASE_OF[unit], s.facing[unit], others)
    mates = [s.at[u] for u in w.formations[w.formation_of[unit]].units if u != unit and s.at[u]]
    best, found = -(1 << 30), 0
    crowded = full(s, unit, [u for u in w.units if is_there(s, u)])
    for p in w.zones[zone].points:
        if p in closed or not may_stand(w, unit, p) or lodging(w, p) in crowded:
            continue
        x, y = table.x[p], table.y[p]
        worth = 300 * _cover(w, unit, p) - (abs(x - fx) + abs(y - fy)) // 2
        if mates and worth > best:
            worth -= 8 * max(0, min(abs(x - table.x[mate]) + abs(y - table.y[mate]) for mate in mates) - 48)
        if worth > best:
            best, found = worth, p
    return found


def _cover(w: World, unit: int, point: int) -> int:
    kind = w.table.kind[point]
    if IS_VEHICLE[unit]:
        return 1 if kind in ("light-wood", "orchard") else 0
    level = {"building": 2, "ruins": 2, "light-wood": 1, "orchard": 1, "dense-wood": 1, "crops": 1}.get(kind, 0)
    return min(level, 1) if IS_GUN[unit] else level


@rule("base-terrain", "402c")
def may_stand(w: World, unit: int, point: int) -> bool:
    """Base-terrain: ground that the unit could enter; guns may begin in houses if their kind may (402c)."""
    model = MODEL_OF[unit]
    kind = w.table.kind[point]
    area = w.table.terrain.areas[kind]
    if isinstance(model, Vehicle):
        return area.rate[DRIVES[model.drive]] != -1
    if isinstance(model, Gun) and not model.is_mortar:
        return area.rate["wheeled"] != -1 or (kind == "building" and model.building != "never")
    return area.rate["foot"] != -1


def placing(s: Position, side: Side) -> list[int]:
    """The units that a side may still put elsewhere."""
    w = world(s)
    if s.turn == 0:
        units = [u for u in w.of_side[side] if w.formations[w.formation_of[u]].arrives == 1]
    else:
        units = [u for u in w.of_side[side] if w.formations[w.formation_of[u]].arrives == s.turn]
    return [u for u in units if not has(s, u, PLACED | ABOARD) and s.condition[u] == GOOD]


@rule("base-deployment", "base-hidden")
class Place(Decision):
    """Base-deployment: units are taken up and put down in their zone; `ready` leaves the rest where it stands."""

    verbs = {"place": UNIT, "at": POINT, "ready": NOTHING}

    def needed(self, s: Position, c: Match, side: Side) -> bool:
        """Until the side is ready; what the other side has in hand is not its business."""
        in_hand = c.unit != NOBODY and SIDE_OF[c.unit] == side
        return not c.ready >> side & 1 and (in_hand or bool(placing(s, side)))

    def nouns(self, s: Position, c: Match, side: Side, verb: str) -> list[int]:
        """Units to take up, or the free points of the zone."""
        if verb == "place":
            return placing(s, side) if c.unit == NOBODY else []
        if verb == "ready":
            return [0] if c.unit == NOBODY else []
        return [] if c.unit == NOBODY else list(world(s).zones[_zone(s, c.unit)].points)

    def why_not(self, s: Position, c: Match, side: Side, verb: str, noun: int) -> No | None:
        """Own units, once each; points of the zone with room for the base."""
        if verb == "ready":
            return None if c.unit == NOBODY else IN_HAND
        if verb == "place":
            if c.unit != NOBODY:
                return IN_HAND
            if SIDE_OF[noun] != side:
                return NOT_YOURS
            return None if noun in placing(s, side) else IN_PLACE
        if c.unit == NOBODY:
            return PICK_FIRST
        w = world(s)
        if noun not in w.zone_points[_zone(s, c.unit)] or not may_stand(w, c.unit, noun):
            return NOT_IN_ZONE
        crowded, others = _around(s, c.unit)
        if lodging(w, noun) in crowded:
            return FULL
        return None if w.bases.fits(BASE_OF[c.unit], noun, s.facing[c.unit], others) else NO_ROOM

    def legal_nouns(self, s: Position, c: Match, side: Side, verb: str) -> list[int]:
        """The same as asking for each point, with who stands about worked out once."""
        if verb != "at" or c.unit == NOBODY:
            return super().legal_nouns(s, c, side, verb)
        w, unit = world(s), c.unit
        crowded, others = _around(s, unit)
        taken = w.bases.taken(BASE_OF[unit], s.facing[unit], others)
        points = [p for p in w.zones[_zone(s, unit)].points if p not in taken and may_stand(w, unit, p)]
        return [p for p in points if lodging(w, p) not in crowded] if crowded else points

    def apply(self, s: Position, c: Match, side: Side, verb: str, noun: int) -> None:
        """Taken up, put down, or ready."""
        if verb == "ready":
            c.ready |= 1 << side
            emit(s, "is-ready", "base-deployment", side=("allies", "axis")[side])
        elif verb == "place":
            c.unit = noun
            raise_flag(s, noun, PLACED)
        else:
            s.at[c.unit] = noun
            follow(s, c.unit)
            audience = (side,) if has(s, c.unit, HIDDEN) else None
            name = world(s).table.names[noun]
            emit(s, "placed", "base-deployment", audience=audience, unit=FOG.veil(s, c.unit), point=name)
            c.unit = NOBODY


def _around(s: Position, unit: int) -> tuple[Any, list[tuple[Any, int, int]]]:
    """Houses without room for a unit, and the bases about it, of those whom its side knows."""
    w, side, flags = world(s), SIDE_OF[unit], s.flags
    known = [u for u in w.units if u != unit and is_there(s, u) and (SIDE_OF[u] == side or not flags[u] & HIDDEN)]
    return full(s, unit, known), [(BASE_OF[u], s.at[u], s.facing[u]) for u in known]


def _zone(s: Position, unit: int) -> str:
    w = world(s)
    return w.formations[w.formation_of[unit]].zone


def comes(s: Position, c: Match) -> None:
    """Base-deployment: units of this turn's wave come on; nobody is waited for if there is none."""
    units = arriving(s)
    station(s, [u for u in units if s.condition[u] == AWAY])
    c.ready = 0 if units and s.turn > 1 else 3


def turn_sides(s: Position, c: Match) -> tuple[Side, ...]:
    """Both sides."""
    return (0, 1)


def setup_sides(s: Position, c: Match) -> tuple[Side, ...]:
    """First who sets up first."""
    first = world(s).first
    return (first, 1 - first)


def opposite(facing: int) -> int:
    """The other way."""
    return (facing + AROUND // 2) % AROUND
