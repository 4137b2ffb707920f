"""What a place is worth to a unit: who could hurt it there, whom it could hurt, how near it is to what its side wants.

Everything is asked of the known enemies alone. Values are in the points of the score: a hundred for a victory point.
"""

from __future__ import annotations

from functools import cache, lru_cache
from math import isqrt

from grognard.games.blitzkrieg.laws import detect
from grognard.games.blitzkrieg.laws.parties import FLANK, FRONT, HEAVY, LIGHT, OPEN, REAR
from grognard.games.blitzkrieg.rules.ground import (
    action_of,
    cover_from,
    enemies,
    ground_cover,
    in_command,
    is_closed,
    is_recon,
    line_cover,
    looks_hard,
    smoke_between,
    works_gone,
)
from grognard.games.blitzkrieg.rules.losses import worth as loss_points
from grognard.games.blitzkrieg.rules.reaction import may_react
from grognard.games.blitzkrieg.rules.victory import POINTS, side_named
from grognard.games.blitzkrieg.rules.walking import budget_of
from grognard.games.blitzkrieg.state import DUG_IN, FOG, GOOD, LOST, SHAKEN, WRECK, Position, has
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import IS_ARMOUR, IS_TEAM, IS_VEHICLE, MODEL_OF, World, world
from grognard.kernel import Side
from grognard.tabletop import nearest_facing
from grognard.tabletop.measure import AROUND, turn_between
from grognard.tabletop.paths import PER_CM

from .harm import WHOLE, Mark, harm
from .score import POINT, WORTH, goal_field

BASES = 3  # cm between the edges of two bases and their middles, about
FEAR = 60  # hundredths of what may be lost where a unit stops
WAY = 90  # and on the way there
BOLD = 60  # hundredths of these that an attacker counts
BITE = 50  # hundredths of what a unit could do from there next turn
AT_ONCE = 50  # and in this turn, if it may still fire
ASTRAY = 30  # what it costs to be out of command
FLANK_PULL = 12  # hundredths of what a shot at the flank gains, for being half way round
FLANK_CM = 90  # as near as that
SOON = 60  # hundredths of an objective for who is alone in it
SHARED = 25  # and for who stands there with an enemy
GUARD = 35  # hundredths of an objective of ours for the last who stands in it
STRAIN = 3  # points for two centimetres on the way to an objective
EXIT = 2  # points a centimetre on the way to an exit
REACH = 100  # cm over which the worth of an objective draws
FARTHEST = 150  # cm
ALONGSIDE = 5  # cm that a vehicle may be before the foremost men
LEAD = 3  # points for each centimetre more, while enemies lie in wait
COVER = 12  # points for light cover, twice that for better, whoever may see it
BESIDE = 25  # cm from a house at which a vehicle is near enough
EVERY = 4  # points of a way that are looked at: one in so many
WORST = 2  # enemies that count where a unit stops
REST = ("command", "commissar", "observer", "sniper")  # who stays behind the others
BEHIND = 20  # cm that they stay behind
HOUSES = ("building", "ruins")

_far: dict[tuple[str, int], dict[int, int]] = {}
_zones: dict[str, tuple[frozenset[int], ...]] = {}


@lru_cache(maxsize=100_000)
def bearing(dx: int, dy: int) -> int:
    """The facing that looks along a vector; remembered."""
    return nearest_facing(dx, dy)


def face_towards(facing: int, dx: int, dy: int) -> int:
    """Front, flank or rear of a hull that looks one way and is fired at from another."""
    turn = turn_between(facing, bearing(dx, dy)) if dx or dy else 0
    return FRONT if turn <= 2 else FLANK if turn <= 6 else REAR


@cache
def value_of(unit: int) -> int:
    """What a unit is worth: its points and the victory points that its loss gives away."""
    return WORTH[MODEL_OF[unit].id] + POINT * loss_points(unit)


def zones_of(w: World) -> tuple[frozenset[int], ...]:
    """The points of each objective."""
    if w.name not in _zones:
        _zones[w.name] = tuple(frozenset(zone.points) for zone in w.objectives)
    return _zones[w.name]


def far_from(w: World, number: int) -> dict[int, int]:
    """Centimetres from each point to an objective: 0 inside it."""
    key = w.name, number
    if key not in _far:
        table, zone = w.table, zones_of(w)[number]
        xs, ys = [table.x[p] for p in zone], [table.y[p] for p in zone]
        left, right, low, high = min(xs), max(xs), min(ys), max(ys)
        found = {}
        for p in table.points:
            x, y = table.x[p], table.y[p]
            found[p] = 0 if p in zone else max(1, max(left - x, x - right, low - y, y - high, 0) // 4)
        _far[key] = found
    return _far[key]


class Field:
    """The fight as a side knows it at one decision: its known enemies, who of them may still fire, what is wanted."""

    def __init__(self, s: Position, side: Side) -> None:
        self.s, self.side, self.w, self.book = s, side, world(s), book_of(s)
        self.foes = enemies(s, side)
        self.fit = [u for u in self.foes if s.condition[u] == GOOD or IS_VEHICLE[u]]
        self.watchers = [u for u in self.foes if may_react(s, u)]
        self.attacks = self.w.attacker == side
        self.fear, self.way = (FEAR * BOLD // 100, WAY * BOLD // 100) if self.attacks else (FEAR, WAY)
        self.gone = works_gone(s)
        self.lines: dict[tuple[int, int], bool] = {}
        self.limits: dict[tuple[int, bool, bool, str], int] = {}
        self.wanted = self._wanted()
        mine = [u for u in self.w.of_side[side] if s.condition[u] == GOOD]
        self.inside = [frozenset(u for u in mine if s.at[u] in zone) for zone in zones_of(self.w)]
        self.unknown = self._unknown()
        self.point_men = self._point_men() if self.unknown and self.attacks else None

    # Sight

    def line(self, unit: int, point: int) -> bool:
        """Nothing stands between a unit where it is and a point."""
        key = unit, point
        found = self.lines.get(key)
        if found is None:
            s, here = self.s, self.s.at[unit]
            found = self.w.sight.sees(here, point, s.floor[unit], 0) and not smoke_between(s, here, point)
            self.lines[key] = found
        return found

    def cm(self, a: int, b: int) -> int:
        """Centimetres between two bases at two points, about."""
        x, y = self.w.table.x, self.w.table.y
        return max(0, isqrt((x[a] - x[b]) ** 2 + (y[a] - y[b]) ** 2) // 4 - BASES)

    def cover(self, unit: int, point: int, origin: int) -> int:
        """The cover of a unit at a point against somebody elsewhere."""
        if point == self.s.at[unit]:
            dug = IS_TEAM[unit] and has(self.s, unit, DUG_IN)
            return max(cover_from(self.s, unit, origin), LIGHT if dug else OPEN)
        best = max(ground_cover(self.w, point), line_cover(self.w, origin, point, self.gone) & 15)
        return min(best, HEAVY) if IS_VEHICLE[unit] else best

    def _limit(self, observer: int, hard: bool, covered: bool, action: str) -> int:
        """How far a unit sees such a target from where it stands."""
        key = observer, hard, covered, action
        found = self.limits.get(key)
        if found is None:
            found = self.limits[key] = detect.range_of(
                self.book,
                hard=hard,
                cover=covered,
                action=action,
                limited=is_closed(self.s, observer),
                hill=self.w.table.level[self.s.at[observer]] > 0,
                recon=is_recon(observer),
                spotter=MODEL_OF[observer].id == "observer",
            )
        return found

    # Harm

    def _mark(self, foe: int, unit: int, point: int, action: str, crawling: bool = False) -> tuple[Mark, int] | None:
        """A unit of ours at a point as an enemy aims at it, from the front, and how far; None if he does not see it."""
        s, w, here = self.s, self.w, self.s.at[foe]
        if not self.line(foe, point):
            return None
        cm, covered = self.cm(here, point), self.cover(unit, point, here)
        if cm > self._limit(foe, IS_VEHICLE[unit], covered > OPEN, action):
            return None
        shaken, moving = s.condition[unit] == SHAKEN, action == detect.MOVING
        return Mark(MODEL_OF[unit].id, w.quality[unit], shaken, covered, moving, crawling), cm

    def _by(self, foe: int, mark: Mark, cm: int) -> int:
        w = self.w
        faust = IS_TEAM[foe] and bool(w.formations[w.formation_of[foe]].fausts)
        return harm(self.book, MODEL_OF[foe].id, w.quality[foe], mark, cm, False, faust)

    def hurt(self, foe: int, unit: int, point: int, facing: int, action: str, crawling: bool = False) -> int:
        """Thousandths of a unit of ours that an enemy takes at a point, if he sees it there."""
        found = self._mark(foe, unit, point, action, crawling)
        if found is None:
            return 0
        mark, cm = found
        if IS_VEHICLE[unit]:
            table, here = self.w.table, self.s.at[foe]
            face = face_towards(facing, table.x[here] - table.x[point], table.y[here] - table.y[point])
            mark = mark._replace(face=face, hull_down=face == FRONT and bool(line_cover(self.w, here, point) & 16))
        return self._by(foe, mark, cm)

    def danger(self, unit: int, point: int, facing: int, action: str, crawling: bool = False) -> int:
        """Thousandths of a unit that the worst of the known enemies take where it stops."""
        return _worst([self.hurt(foe, unit, point, facing, action, crawling) for foe in self.fit])

    def turned(self, unit: int, point: int, facings: list[int], action: str) -> tuple[int, int]:
        """The facing in which a hull is hurt least at a point, the first of equal ones, and how much it is hurt."""
        table, sides = self.w.table, []
        for foe in self.fit:
            found = self._mark(foe, unit, point, action)
            if found is None:
                continue
            mark, cm = found
            here = self.s.at[foe]
            hull = bool(line_cover(self.w, here, point) & 16)
            of = [self._by(foe, mark._replace(face=face, hull_down=hull and face == FRONT), cm) for face in range(3)]
            if max(of):
                sides.append((table.x[here] - table.x[point], table.y[here] - table.y[point], of))
        if not sides:
            return facings[0], 0
        hurts = [(_worst([of[face_towards(f, dx, dy)] for dx, dy, of in sides]), n) for n, f in enumerate(facings)]
        least, n = min(hurts)
        return facings[n], least

    def bite(self, unit: int, point: int, at_once: bool = False) -> int:
        """What a unit could do from a point to the known enemy that it hurts most, in points: in a turn of its own,
        or `at_once` after the way there."""
        s, w, table = self.s, self.w, self.w.table
        if s.condition[unit] == SHAKEN and not IS_VEHICLE[unit]:
            return 0
        best, level, by = 0, w.quality[unit], MODEL_OF[unit].id
        for foe in self.foes:
            if not self.line(foe, point):
                continue
            there = s.at[foe]
            cm, covered = self.cm(there, point), self.cover(foe, there, point)
            if cm > self._limit(unit, looks_hard(s, foe), covered > OPEN, action_of(s, foe)):
                continue
            face, hull = FRONT, False
            if IS_VEHICLE[foe]:
                face = face_towards(s.facing[foe], table.x[point] - table.x[there], table.y[point] - table.y[there])
                hull = face == FRONT and bool(line_cover(w, point, there) & 16)
            shaken = s.condition[foe] == SHAKEN
            mark = Mark(MODEL_OF[foe].id, w.quality[foe], shaken, covered, bool(s.moved[foe]), False, face, hull)
            found = harm(self.book, by, level, mark, cm) * BITE
            if at_once:
                found += harm(self.book, by, level, mark, cm, True) * AT_ONCE
            best = max(best, found * value_of(foe))
        return best // (100 * WHOLE)

    def round_flank(self, unit: int, point: int) -> int:
        """What a gun on tracks gains by working its way round enemy armour whose front it can hardly pierce."""
        if not IS_ARMOUR[unit]:
            return 0
        s, w, table, best = self.s, self.w, self.w.table, 0
        for foe in self.foes:
            if not IS_ARMOUR[foe]:
                continue
            there = s.at[foe]
            cm = self.cm(there, point)
            if cm > FLANK_CM:
                continue
            mark = Mark(MODEL_OF[foe].id, w.quality[foe])
            by, level = MODEL_OF[unit].id, w.quality[unit]
            front = harm(self.book, by, level, mark, cm)
            more = harm(self.book, by, level, mark._replace(face=FLANK), cm) - front
            if more <= front // 2:
                continue
            turn = turn_between(
                s.facing[foe], bearing(table.x[point] - table.x[there], table.y[point] - table.y[there])
            )
            best = max(best, more * value_of(foe) // WHOLE * min(turn, 6) * FLANK_PULL // 300)
        return best

    # What is wanted

    def _wanted(self) -> list[tuple[int, int, bool]]:
        """Objectives that are worth going to: number, points for who takes it, whether a known enemy stands in it."""
        s, w, found = self.s, self.w, []
        for number, zone in enumerate(w.objectives):
            if not zone.points:
                continue
            ours = "side" not in zone.facts or side_named(zone.facts["side"]) == self.side
            theirs = "side" not in zone.facts or side_named(zone.facts["side"]) != self.side
            worth = POINT * int(zone.facts.get("vp", POINTS["objective"]))
            by_vehicle = zone.facts.get("each") == "vehicle"
            gain = worth * ours + (worth * theirs if s.holder[number] == 1 - self.side and not by_vehicle else 0)
            if gain:
                held = any(s.at[u] in zones_of(w)[number] for u in self.foes)
                found.append((number, gain, held))
        return found

    def _unknown(self) -> int:
        """Hundredths of the enemy's formations in hiding, as the scenario lists them, that nobody has seen yet."""
        s, w = self.s, self.w
        if w.offers:
            return 0
        lurking = [u for f in w.formations if f.side != self.side and f.hidden for u in f.units]
        unseen = [u for u in lurking if s.condition[u] not in (LOST, WRECK) and not FOG.knows(s, self.side, u)]
        return 100 * len(unseen) // max(1, len(lurking))

    def _point_men(self) -> int | None:
        """How far our foremost men are from what the side wants."""
        s, far = self.s, goal_field(self.w, self.side)
        return min(
            (far[s.at[u]] for u in self.w.of_side[self.side] if IS_TEAM[u] and s.condition[u] == GOOD and s.at[u]),
            default=None,
        )

    def lead(self, unit: int, point: int) -> int:
        """What it costs that a vehicle goes before the men while enemies lie in wait."""
        if self.point_men is None or not IS_VEHICLE[unit]:
            return 0
        ahead = self.point_men - goal_field(self.w, self.side)[point] - ALONGSIDE
        return LEAD * max(0, min(40, ahead)) * self.unknown // 100

    def goal(self, unit: int, point: int) -> int:
        """How near a place is to what the side wants: objectives to be had or kept, exits, the men of a commander."""
        s, w = self.s, self.w
        name = MODEL_OF[unit].id
        if name in REST or getattr(MODEL_OF[unit], "is_mortar", False):
            return -self._behind(unit, point) if self.attacks else 0
        if w.exits and self.attacks and w.exits["side"] == ("allies", "axis")[self.side] and IS_VEHICLE[unit]:
            return -EXIT * goal_field(w, self.side)[point]
        zones, best = zones_of(w), None
        for number, gain, held in self.wanted:
            inside = point in zones[number]
            by_vehicle = w.objectives[number].facts.get("each") == "vehicle"
            if by_vehicle and not IS_VEHICLE[unit]:
                continue
            ours = self.inside[number] - {unit}
            if (s.holder[number] == self.side or ours) and not by_vehicle:
                if inside and not ours:  # the last who stands in one of ours
                    best = max(best or 0, gain * GUARD // 100)
                continue
            if inside:
                value = gain * (SHARED if held and not by_vehicle else SOON) // 100
            elif not self.attacks and far_from(w, number)[point] > 2 * BESIDE:
                continue
            else:
                far = min(FARTHEST, far_from(w, number)[point])
                if IS_VEHICLE[unit] and w.table.kind[w.objectives[number].points[0]] in HOUSES:
                    far = max(0, far - BESIDE)
                value = -far * max(STRAIN * 50, gain * SOON // REACH) // 100
            best = value if best is None or value > best else best
        if best is None:
            return -goal_field(w, self.side)[point] // 4 if self.attacks else 0
        return best

    def _behind(self, unit: int, point: int) -> int:
        """What it costs that a commander, observer or mortar is far from the men it belongs to, or before them."""
        s, w = self.s, self.w
        mates = [
            u for u in w.formations[w.formation_of[unit]].units if u != unit and s.condition[u] <= SHAKEN and s.at[u]
        ]
        mates = mates or [u for u in w.of_side[self.side] if u != unit and s.condition[u] <= SHAKEN and s.at[u]]
        far = [self.cm(point, s.at[u]) for u in mates]
        over = sum(max(0, cm - 12) for cm in far) // max(1, len(far))
        return 2 * over + goal_field(w, self.side)[point] // 4

    def lost_touch(self, unit: int, point: int) -> bool:
        """Out of command at a point."""
        s = self.s
        here, s.at[unit] = s.at[unit], point
        found = not in_command(s, unit)
        s.at[unit] = here
        return found

    # Together

    def facings(self, unit: int, found: int) -> list[int]:
        """The facings that a vehicle can take at the end of a way, from what the way leaves of its move."""
        left, arrives = budget_of(self.s, unit) - (found >> 4), found & 15
        most = AROUND // 2 if left >= 10 * PER_CM else AROUND // 4 if left >= 5 * PER_CM else 1
        return [(arrives + turn) % AROUND for turn in sorted(range(-most, most + 1), key=abs)]

    def stand(
        self, unit: int, point: int, facings: list[int], action: str, crawling: bool = False, fires: bool = False
    ) -> int:
        """What it is worth that a unit stops at a point: less by who may hurt it, more by what it can do from there."""
        if IS_ARMOUR[unit] and len(facings) > 1:
            fear = self.turned(unit, point, facings, action)[1]
        else:
            fear = self.danger(unit, point, facings[0], action, crawling)
        total = self.goal(unit, point) - self.lead(unit, point) - value_of(unit) * fear * self.fear // (100 * WHOLE)
        total += self.bite(unit, point, fires) + self.round_flank(unit, point)
        if not IS_VEHICLE[unit]:
            total += COVER * min(2, ground_cover(self.w, point))
        return total - (ASTRAY if self.lost_touch(unit, point) else 0)

    def on_the_way(self, unit: int, way: list[int], facing: int, crawling: bool) -> int:
        """What opportunity fire on a way may cost, each enemy who may fire at its best moment."""
        action = detect.STILL if crawling else detect.MOVING
        points = way[1::EVERY] + way[-1:]
        total = sum(max([self.hurt(foe, unit, p, facing, action, crawling) for p in points]) for foe in self.watchers)
        return value_of(unit) * min(900, total) * self.way // (100 * WHOLE)


def _worst(hurts: list[int]) -> int:
    if len(hurts) > WORST:
        hurts = sorted(hurts, reverse=True)[:WORST]
    return min(900, sum(hurts))
