"""The judgement that fights for the objectives: what they are worth at the end, who is alone in them, who could be.

The plain judgement gives a held objective a fifth of its points and draws everybody to the nearest one, held or not.
Here an objective counts in full for who will hold it when the turn ends, units are drawn to those that are still to be
had, a place that is ours keeps a guard while the enemy may come, and a side that loses half of its elements loses the
game with them. At the set-up men are put into the objectives of their zone.
"""

from __future__ import annotations

from grognard.games.blitzkrieg.frames import Acting, Match, Moving
from grognard.games.blitzkrieg.rules.ground import enemies, ground_cover, in_command
from grognard.games.blitzkrieg.rules.losses import worth as loss_points
from grognard.games.blitzkrieg.rules.mines import leads_over
from grognard.games.blitzkrieg.rules.movement import full_reach, way_to
from grognard.games.blitzkrieg.rules.reaction import may_react
from grognard.games.blitzkrieg.rules.victory import POINTS, side_named
from grognard.games.blitzkrieg.setup import placing
from grognard.games.blitzkrieg.state import (
    ABOARD,
    BOUGHT,
    FOG,
    GOOD,
    HIDDEN,
    LEADERLESS,
    PLACED,
    SHAKEN,
    STUCK,
    Position,
    has,
    stands,
)
from grognard.games.blitzkrieg.world import IS_ARMOUR, IS_TEAM, IS_VEHICLE, MODEL_OF, SIDE_OF, World, world
from grognard.kernel import Action, Side

from . import hints, sky
from .danger import EVERY, threat
from .rides import lift, ride
from .score import ASTRAY, POINT, WORTH, goal_field

SOON = 85  # hundredths of an objective for who is alone in it before the turn ends
SHARED = 40  # hundredths of an objective that the enemy loses while we contest it and he does not hold it yet
GUARD = 35  # hundredths of an objective of ours that stands open while an enemy is near
NEAR = 45  # cm to it at which he is
DRAW = 2  # points for each cm between a wanted objective and who goes there
CROWD = 3  # units drawn to one objective
BESIDE = 25  # cm from a wanted objective at which a vehicle of the attacker is near enough
MISSING = 60  # cm that count for one who is no more
FARTHEST = 120  # cm: beyond, an objective draws no more
BREAKS = 500  # what it costs to be broken, by the square of what is lost of the half that may be
BACK = ("command", "commissar", "observer", "sniper")  # who is not sent into a house to hold it
HOUSES = ("building", "ruins")
LOOKOUTS, PLACES, REACH, SEEN = 24, 120, 45, 4  # set-up: points of the enemy, of ours, cm, points for each that sees
TOGETHER = 10  # cm between units of a formation at the set-up
SAMPLES = 6
PATIENCE = 20_000  # lists are short here: nothing of them is skipped

_fields: dict[tuple[str, int], dict[int, int]] = {}
_zones: dict[str, tuple[frozenset[int], ...]] = {}


def field_of(w: World, number: int) -> dict[int, int]:
    """Centimetres from each point to an objective: 0 inside it."""
    key = w.name, number
    if key not in _fields:
        table, zone = w.table, w.objectives[number].points
        inside = frozenset(zone)
        left, right = min(table.x[p] for p in zone), max(table.x[p] for p in zone)
        low, high = min(table.y[p] for p in zone), max(table.y[p] for p in zone)
        found = {}
        for p in table.points:
            x, y = table.x[p], table.y[p]
            far = max(left - x, x - right, low - y, y - high, 0)
            found[p] = 0 if p in inside else max(1, far // 4)
        _fields[key] = found
    return _fields[key]


def zones_of(w: World) -> tuple[frozenset[int], ...]:
    """The points of each objective."""
    if w.name not in _zones:
        _zones[w.name] = tuple(frozenset(zone.points) for zone in w.objectives)
    return _zones[w.name]


def worth_of(w: World, number: int, side: Side) -> int:
    """Points that an objective brings a side that holds it; those by the vehicle count one."""
    zone = w.objectives[number]
    if not zone.points or ("side" in zone.facts and side_named(zone.facts["side"]) != side):
        return 0
    return POINT * int(zone.facts.get("vp", POINTS["objective"]))


def score(s: Position, side: Side) -> int:
    """The points of the end as they would be now, men and machines, what is within reach of either."""
    if s.outcome:
        return 1_000_000 if s.outcome[0] == side else -1_000_000 if s.outcome[0] >= 0 else 0
    w = world(s)
    total = POINT * (s.points[side] - s.points[1 - side])
    total += breaking(s, w, 1 - side) - breaking(s, w, side)
    going = next((c for c in s.frames if isinstance(c, Moving) and c.side == side and c.path and not c.stopped), None)
    where: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])  # by side: units in good order, their points
    plain = goal_field(w, side) if w.exits else None
    attacks = w.attacker == side
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
            if IS_ARMOUR[unit]:
                worth -= POINT * int(POINTS["damaged"])
        point = s.at[unit]
        if own:
            if going is not None and unit == going.unit:
                point = going.path[-1]
                worth -= risk(s, side, going, worth + POINT * loss_points(unit))
            if plain is not None and attacks:
                worth -= plain[point]
            if not IS_VEHICLE[unit]:
                worth += 6 * min(2, ground_cover(w, point))
        if s.condition[unit] == GOOD and not has(s, unit, ABOARD):
            where[SIDE_OF[unit]].append((unit, point))
        total += worth if own else -worth
    return total + ground(s, w, side, where)


def risk(s: Position, side: Side, c: Moving, worth: int) -> int:
    """What a way may cost: each enemy who may fire at its best moment, where it stops by half, the reach of command.

    Hidden enemies count where this deal of what is hidden puts them: somewhere they stand.
    """
    point, facing = c.path[-1], c.facings[-1]
    foes = [u for u in world(s).of_side[1 - side] if stands(s, u) and s.at[u] and not has(s, u, ABOARD)]
    way = c.path[c.step :: EVERY] or c.path[-1:]
    at_first = c.facings[min(len(c.facings) - 1, c.step)]
    fire = sum([max([threat(s, u, c.unit, p, at_first) for p in way]) for u in foes if may_react(s, u)])
    after = sorted([threat(s, u, c.unit, point, facing) for u in foes if s.condition[u] == GOOD], reverse=True)
    cost = worth * min(90, fire) // 100 + worth * min(90, sum(after[:2])) // 200
    here, s.at[c.unit] = s.at[c.unit], point
    if not in_command(s, c.unit):
        cost += ASTRAY
    s.at[c.unit] = here
    return cost


def breaking(s: Position, w: World, side: Side) -> int:
    """What a side's losses cost beyond their points: who loses more than half gives five and the game."""
    strength = sum(has(s, u, BOUGHT) for u in w.of_side[side]) if w.offers else w.strength[side]
    return BREAKS * min(4 * s.lost[side] * s.lost[side], strength * strength) // max(1, strength * strength)


def ground(s: Position, w: World, side: Side, where: tuple[list[tuple[int, int]], list[tuple[int, int]]]) -> int:
    """The objectives: held, about to be, contested, open; and how far those are who could go there."""
    total, foe, zones = 0, 1 - side, zones_of(w)
    last, wanted = s.turn >= w.turns, []
    for number, zone in enumerate(zones):
        ours, theirs = worth_of(w, number, side), worth_of(w, number, foe)
        if not ours and not theirs:
            continue
        if w.objectives[number].facts.get("each") == "vehicle":
            mine = sum(IS_VEHICLE[u] and p in zone for u, p in where[side])
            total += ours * mine - theirs * sum(IS_VEHICLE[u] and p in zone for u, p in where[foe])
            if ours:
                total -= pull(w, number, [at for at in where[side] if IS_VEHICLE[at[0]]], len(where[side]))
            continue
        we, they = (any(p in zone for _, p in where[n]) for n in (side, foe))
        holder = s.holder[number]
        if we and not they:
            total += ours if holder == side else (ours * SOON - (0 if holder != foe else theirs * (100 - SOON))) // 100
            continue
        if they and not we:
            total -= theirs if holder == foe else theirs * SOON // 100
        elif holder == side:
            total += ours
        elif holder == foe:
            total -= theirs * (100 - SHARED if we else 100) // 100
        if holder == side and not we and not they:
            field = field_of(w, number)
            if not last and any(field[p] <= NEAR for _, p in where[foe]):
                total -= (ours + theirs) * GUARD // 100
        elif not we:
            total -= pull(w, number, where[side], CROWD)
            wanted.append(number)
    if wanted and w.attacker == side and not w.exits:
        fields = [field_of(w, number) for number in wanted]
        for unit, point in where[side]:
            if IS_VEHICLE[unit]:
                total -= max(0, min([field[point] for field in fields]) - BESIDE)
    return total


def pull(w: World, number: int, units: list[tuple[int, int]], most: int) -> int:
    """What it costs that the nearest units are not there yet, the first in full, the next by half and so on."""
    field = field_of(w, number)
    on_foot = w.table.kind[w.objectives[number].points[0]] in HOUSES
    near = [min(FARTHEST, field[p]) for u, p in units if MODEL_OF[u].id not in BACK and (IS_TEAM[u] or not on_foot)]
    near = sorted(near)[:most]
    near += [MISSING] * (most - len(near))
    return sum([DRAW * far >> rank for rank, far in enumerate(near)])


def open_to(s: Position, w: World, side: Side, unit: int) -> list[int]:
    """The objectives that are worth going to: not ours, or ours, empty and threatened."""
    zones, found = zones_of(w), []
    friends = [s.at[u] for u in w.of_side[side] if u != unit and s.condition[u] == GOOD and s.at[u]]
    foes = [s.at[u] for u in enemies(s, side)]
    for number, zone in enumerate(zones):
        if not worth_of(w, number, side) + worth_of(w, number, 1 - side):
            continue
        guarded = any(p in zone for p in friends)
        if s.holder[number] == side:
            if not guarded and any(field_of(w, number)[p] <= NEAR for p in foes):
                found.append(number)
        elif not guarded:
            found.append(number)
    return found


def promising(s: Position, side: Side, legal: list[Action]) -> list[Action]:
    """As the plain judgement, but men are set up in the objectives, and who may move weighs it against staying."""
    if len(legal) < 2:
        return legal
    verbs = {verb for verb, _ in legal}
    c = s.frames[-1]
    if isinstance(c, Match) and verbs & {"ready", "at"}:
        return posts(s, c, side, legal)
    if isinstance(c, Moving) and "to" in verbs:
        return ways(s, c, side, legal)
    if isinstance(c, Acting) and not verbs & hints.CHOICES and not sky.promising(s, c, side, legal, verbs):
        return deeds(s, c, side, legal)
    return hints.promising(s, side, legal)


def posts(s: Position, c: Match, side: Side, legal: list[Action]) -> list[Action]:
    """Men into each objective of their zone that nobody of ours stands in; the rest is well where it is."""
    w = world(s)
    zones = zones_of(w)
    mine = [s.at[u] for u in w.of_side[side] if u != c.unit and s.condition[u] == GOOD]
    free = [
        number
        for number, zone in enumerate(zones)
        if worth_of(w, number, side) and not any(point in zone for point in mine)
    ]
    put = [a for a in legal if a[0] == "at"]
    if w.attacker == side:
        if put:
            return [out_of_sight(s, w, c.unit, side, put)]
        shy = sorted([u for u in placing(s, side) if IS_TEAM[u]], key=lambda u: (MODEL_OF[u].id in BACK, u))
        return [("place", shy[0])] if shy else [a for a in legal if a[0] == "ready"]
    if put:
        for number in free:
            inside = [a for a in put if a[1] in zones[number]]
            if inside:
                return [inside[len(inside) // 2]]
        return put[:1]
    for number in free:
        for unit in placing(s, side):
            if not IS_TEAM[unit] or MODEL_OF[unit].id in BACK or any(s.at[unit] in zone for zone in zones):
                continue
            if zones[number] & w.zone_points[w.formations[w.formation_of[unit]].zone]:
                return [("place", unit)]
    return [a for a in legal if a[0] == "ready"]


def out_of_sight(s: Position, w: World, unit: int, side: Side, put: list[Action]) -> Action:
    """Of the points where a unit may be set up the one that fewest points of the enemy's zones see and reach."""
    table = w.table
    zones = sorted({f.zone for f in w.formations if f.side != side and f.arrives == 1})
    posts = [p for zone in zones for p in sorted(w.zone_points[zone])]
    posts = posts[:: max(1, len(posts) // LOOKOUTS)]
    home, near = table.x, 4 * REACH
    thin = put[:: max(1, len(put) // PLACES)]
    field = goal_field(w, side)

    def seen(point: int) -> int:
        x, y = home[point], table.y[point]
        close = [p for p in posts if abs(table.x[p] - x) <= near and abs(table.y[p] - y) <= near]
        return sum([w.sight.sees(p, point, 0, 0) for p in close])

    mates = [s.at[u] for u in w.formations[w.formation_of[unit]].units if u != unit and has(s, u, PLACED)]

    def apart(point: int) -> int:
        x, y = home[point], table.y[point]
        return min([max(abs(home[p] - x), abs(table.y[p] - y)) for p in mates], default=0) // 4

    def worth(point: int) -> int:
        return SEEN * seen(point) // (1 + ground_cover(w, point)) + field[point] + 2 * max(0, apart(point) - TOGETHER)

    return min(thin, key=lambda a: (worth(a[1]), a[1]))


def deeds(s: Position, c: Acting, side: Side, legal: list[Action]) -> list[Action]:
    """Fight, move or hold, weighed against each other; who holds a place alone stays there."""
    blinding = sky.smoke_first(s, c, side, legal)
    if blinding:
        return blinding
    fights = [a for a in legal if a[0] in hints.FIGHTS]
    if has(s, c.unit, ABOARD):
        return ride(s, c, side, legal, fights)
    w = world(s)
    if not fights:
        other = sky.indirect(s, c, side, legal) or lift(s, c, side, legal)
        if other:
            return other
    wanted = {"hold", "free"}
    goals = open_to(s, w, side, c.unit)
    if goals or (w.exits and w.attacker == side):
        wanted.add("move")
    if not fights and w.attacker == side:
        wanted.add("demine")
    if not fights and IS_TEAM[c.unit] and w.attacker != side:
        wanted |= {"dig", "upstairs"}
    if fights and not has(s, c.unit, HIDDEN):
        wanted.discard("hold")  # a shot that may do something is better than none
    return fights + [a for a in legal if a[0] in wanted]


def ways(s: Position, c: Moving, side: Side, legal: list[Action]) -> list[Action]:
    """Points inside and on the way to objectives that are to be had, and cover; apart from each other."""
    w, found = world(s), full_reach(s, c)
    table = w.table
    fields = [field_of(w, number) for number in open_to(s, w, side, c.unit)]
    if (w.exits and w.attacker == side) or not fields:
        fields.append(goal_field(w, side))
    kept: list[Action] = []
    to = [a for a in legal if a[0] == "to"]
    for share, field in enumerate(fields):
        points = sorted(to, key=lambda a: (field[a[1]] - 8 * ground_cover(w, a[1]), a[1]))
        room = hints.MOST * (share + 1) // len(fields)
        for action in points:
            if len(kept) >= room:
                break
            x, y = table.x[action[1]], table.y[action[1]]
            if any(s.mined) and leads_over(s, c.unit, way_to(s, c, found, action[1])):
                continue
            if all(abs(table.x[p] - x) + abs(table.y[p] - y) >= hints.APART for _, p in kept):
                kept.append(action)
    return kept + [a for a in legal if a[0] in ("exit", "stay")]
