"""What a scenario is about: the places that decide it, and how far they are from everywhere."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from grognard.hexes import field
from grognard.kernel import Side

from ..loading import ALLIES, AXIS, charts
from ..theatre import MAJOR
from ..world import POWER_SIDE, World, world_named


class Aims(NamedTuple):
    """What a scenario is about: the places that decide it, every city with its weight, what surrounds the places."""

    goals: tuple[int, ...]
    cities: tuple[tuple[int, int], ...]
    around: tuple[tuple[int, tuple[int, ...]], ...]  # a goal and the hexes near it; capitals with what a march reaches
    marked: frozenset[int]  # units that the conditions of victory count
    islands: frozenset[int]  # 36.0b what the Allies must hold to the last hex before Italy leaves the war
    harbours: tuple[tuple[int, tuple[int, ...]], ...]  # ports that would feed an invader, with the hexes near them


@lru_cache(maxsize=64)
def aims_of(w: World) -> Aims:
    """The places named by the conditions of victory, and the capitals of the powers that they name."""
    t = w.theatre
    conditions = [c for level in w.scenario.levels for way in level.ways for c in way]
    goals = {n for c in conditions for n in c.nodes if c.kind != "count" or (t.city[n] == MAJOR and c.at_least < ARMY)}
    for c in conditions:
        if c.kind in ("out", "in_play") and c.power < len(charts().powers):
            capital = charts().powers[c.power].capital
            goals |= {t.find(capital)} if t.has(capital) else set()
    goals = {g for g in goals if g < t.hexes}
    crisis = "italy-surrender" in w.scenario.rules
    islands = frozenset(n for n in range(t.hexes) if crisis and t.region[n] == "sicily" and t.playable[n])
    harbours = frozenset(landing_ports(w))
    small = 20 if invader(w) < 0 else SIDE_SHOW
    cities = []
    for node in range(t.hexes):
        weight = ISLAND if node in islands else 0
        weight += (60 if t.city[node] == MAJOR else small if t.city[node] else 0) + 30 * t.yellow[node]
        weight += BEYOND[t.port[node]] if node in harbours else 0
        weight += 200 if node in goals else 0
        if weight:
            cities.append((node, weight))
    capitals = {c for c in t.capitals if c < t.hexes and t.city[c] == MAJOR and c not in goals}
    watch = dict.fromkeys(goals, NEAR) | dict.fromkeys(capitals, A_MARCH)
    within = t.board.grid.within
    around = tuple((g, tuple(n for n in within(g, watch[g]) if t.playable[n])) for g in sorted(watch))
    marked = frozenset(u for c in conditions for u in c.units)
    feeding = tuple((h, tuple(n for n in within(h, NEAR) if t.playable[n])) for h in sorted(harbours - set(watch)))
    return Aims(tuple(sorted(goals)), tuple(cities), around, marked, islands, feeding)


@lru_cache(maxsize=64)
def invader(w: World) -> int:
    """The side that comes over the sea in a scenario of landings: Germany in 1940, later the Allies; -1 for nobody."""
    if "landings" not in w.scenario.rules:
        return -1
    return AXIS if w.scenario.month(1) < "1941" else ALLIES


def landing_ports(w: World) -> list[int]:
    """The ports in the lands of those who are invaded; none without landings, nor where Sicily comes first (36.0b)."""
    t, lands = w.theatre, INVADED.get(invader(w), ())
    if "italy-surrender" in w.scenario.rules:
        return []
    return [n for n in t.ports if t.playable[n] and t.country[n] in lands and t.region[n] != "africa"]


@lru_cache(maxsize=64)
def harbours_of(w: World) -> frozenset[int]:
    """The ports that an invader guards because they feed him."""
    return frozenset(node for node, _ in aims_of(w).harbours)


@lru_cache(maxsize=64)
def in_france(w: World) -> bool:
    """Whether the Allies come to stay in France, with months to march from a far beach: SBW9 and SBW10."""
    return invader(w) == ALLIES and bool(harbours_of(w)) and w.scenario.turns >= LONG


class Outlook(NamedTuple):
    """What follows from who controls what: points for cities, the way to the places still wanted, those held."""

    control: int
    wanted: frozenset[int]  # the places still to be won
    field: tuple[int, ...]  # by node: how far the nearest wanted place is, in movement points
    guarded: tuple[tuple[int, tuple[int, ...]], ...]
    held: tuple[int, ...]  # the places of `guarded`
    watched: dict[int, list[int]]  # by node: the places, by number among `guarded`, that enemies there would threaten


@lru_cache(maxsize=4096)
def outlook(scenario: str, side: Side, owner: bytes, wide: bool = False) -> Outlook:
    """Cities and places as a side sees them; `wide`: further, and with an eye for the cities on the way."""
    w = world_named(scenario)
    aims = aims_of(w)
    control = 0
    for node, weight in aims.cities:
        holder = HOLDER[owner[node]]
        control += weight if holder == side else -weight if holder < 2 else 0
    wanted = frozenset(g for g in aims.goals if HOLDER[owner[g]] != side)
    held = tuple(entry for entry in aims.around if HOLDER[owner[entry[0]]] == side)
    if invader(w) == side:
        held += tuple(entry for entry in aims.harbours if HOLDER[owner[entry[0]]] == side)
    places = tuple(goal for goal, _ in held)
    if side == ALLIES:
        wanted |= {n for n in aims.islands if HOLDER[owner[n]] != side}
    watched: dict[int, list[int]] = {}
    for number, (_, near) in enumerate(held):
        for node in near:
            watched.setdefault(node, []).append(number)
    if wide or invader(w) >= 0:  # a goal beyond the sea must not make one hex as good as any other
        cities = frozenset(n for n, weight in aims.cities if weight >= ON_THE_WAY and HOLDER[owner[n]] == 1 - side)
        return Outlook(control, wanted, approach_wide(w, wanted, cities - wanted), held, places, watched)
    return Outlook(control, wanted, approach(w, wanted or frozenset(aims.goals)), held, places, watched)


@lru_cache(maxsize=512)
def approach(w: World, wanted: frozenset[int]) -> tuple[int, ...]:
    """How many movement points each node is away from the nearest of some places, at most `FAR`."""
    return tuple(field(dict.fromkeys(wanted, 0), w.theatre.exits, FAR))


@lru_cache(maxsize=512)
def approach_wide(w: World, wanted: frozenset[int], cities: frozenset[int]) -> tuple[int, ...]:
    """The same where a place is within `FAR`; beyond, the way to the nearest enemy city counts on top."""
    near = approach(w, wanted or frozenset(aims_of(w).goals))
    ways = field(dict.fromkeys(cities, 0), w.theatre.exits, FAR)
    return tuple(far if far < FAR else FAR + way for far, way in zip(near, ways))


LONG = 6  # turns in which a bridgehead far from the places that decide pays
NEAR, A_MARCH = 2, 4  # hexes from which enemies threaten a place that decides, and a capital that does not
FAR = 14  # hexes beyond which nearness no longer counts
ARMY = 4  # units that a condition counts in a country: an army there, not this or that city
INVADED = {AXIS: ("GBR",), ALLIES: ("FRA", "BEL", "NED", "ITA")}  # by invader: where he needs ports
BEYOND = (0, 20, 60)  # weight of a minor and a major port that would feed an invader
SIDE_SHOW = 10  # weight of a small town where armies cross the sea: not worth a corps that runs off alone
ISLAND = 30  # weight of a hex of such an island
ON_THE_WAY = 60  # weight of a city that is worth a march where no place is within reach


HOLDER = bytes(POWER_SIDE) + bytes([2]) * (256 - len(POWER_SIDE))  # by controlling power: the side, 2 nobody
