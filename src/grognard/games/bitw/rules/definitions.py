"""Chapter 3: control, zones of control, stacking, tech, seas, and what counts as whose."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import filterfalse

from grognard.kernel import No, Side, emit, no, rule

from ..loading import ALLIES, AXIS, HQ_KINDS, LEADER, Unit, charts, tech_level
from ..memo import remembered, standing
from ..scenarios import COLOURED, NOBODY
from ..state import (
    ASSISTED,
    ATTACKED,
    MISSION,
    NONE,
    OUT,
    BitwState,
    aircraft_on_map,
    enemy_in,
    enemy_of,
    month,
    on_map,
    side_holding,
    side_in,
    units_in,
)
from ..theatre import MAJOR_PORT, MINOR_PORT, SEAS
from ..world import (
    IS_AIR,
    IS_COMBAT,
    IS_FORT,
    IS_GROUND,
    LIMITS,
    POWER_OF,
    POWER_SIDE,
    POWERS,
    SIDE_OF,
    UNITS,
    World,
    world,
)
from .chapters import ADVANCED
from .radar import lose_stations
from .weather import is_frozen_port
from .zones import advanced_zone, stops_zone

NOT_YOURS = no("3.1", "not-yours")
STACK_GROUND = no("3.10a", "stack-ground", lambda s, c, side, noun: {"limit": LIMITS["stack_ground"]})
STACK_COMBAT = no("3.10a", "stack-combat", lambda s, c, side, noun: {"limit": LIMITS["stack_combat"]})
STACK_HARBOUR = no("6.7c", "stack-ground", lambda s, c, side, noun: {"limit": LIMITS["harbour_stack"]})
AIR_LIMIT = no(
    "3.10b", "air-limit", lambda s, c, side, noun: {"kind": "bomber" if UNITS[c.unit].is_bomber else "fighter"}
)
POWER_OUT = no("5.0c", "power-out")
NEEDS_WINTER, NEEDS_TROPICAL = no("3.23", "needs-winter"), no("3.23", "needs-tropical")


# 3.1 Control


@rule("3.1", "3.2")
def why_not_own(unit: int, side: Side) -> No | None:
    """3.1 Each side orders its own units only."""
    return None if SIDE_OF[unit] == side else NOT_YOURS


@rule("3.1.1a", "3.1.1b", "3.3a", "3.3.2", "16.1", "7.7.11-fortress-fall", "6.7.2b")
def take_control(s: BitwState, node: int, power: int) -> None:
    """3.3a A ground unit that enters or passes through a hex conquers it at once; it stays conquered (3.1.1b).

    A hex won back goes to the power whose country it is, if that power still fights on this side.
    """
    side = POWER_SIDE[power]
    held = s.owner[node]
    if held != NOBODY and POWER_SIDE[held] == side:
        return
    s.owner[node] = home_power(s, node, side, power)
    emit(s, "conquered", "3.3a", hex=world(s).theatre.names[node], by=POWERS[s.owner[node]].id)
    if held != NOBODY or s.works[node]:
        fall_of_works(s, node)
        if held != NOBODY and s.chosen.get("conquest") == "on" and not s.burnt[node]:
            loot_factories(s, node, power)
        burn_factories(s, node)
    if node in s.harbour:
        lose_harbour(s, node)
    lose_stations(s, node)


def home_power(s: BitwState, node: int, side: Side, otherwise: int) -> int:
    """The power of this side to whose home country the hex belongs, if it is in play."""
    for power in _at_home(world(s), side).get(world(s).theatre.country[node], ()):
        if not s.status[power] & OUT:
            return power
    return otherwise


@lru_cache(maxsize=64)
def _at_home(w: World, side: Side) -> dict[str, list[int]]:
    """By country: the powers of a side in play whose home it is."""
    found: dict[str, list[int]] = {}
    for p in POWERS:
        if p.side == side and p.index in w.scenario.in_play:
            for country in p.home:
                found.setdefault(country, []).append(p.index)
    return found


@rule("6.7.2b")
def lose_harbour(s: BitwState, node: int) -> None:
    """6.7.2b An enemy ground unit in the hex, with no friendly unit left there, destroys a Mulberry."""
    for which in (0, 1):
        if s.harbour[which] == node:
            s.harbour[which] = NONE
            emit(s, "harbour-destroyed", "6.7.2b", harbour="AB"[which], hex=world(s).theatre.names[node])


@rule("5.6-eben-b")
def paradrop_succeeds(s: BitwState, unit: int, node: int) -> None:
    """5.6-eben-b Paratroops that land alive on Eben Emael end its fortress status at once.

    Airborne assaults themselves are chapter 23 (Advanced); they call this when the drop has succeeded.
    """
    if node in world(s).theatre.no_fortress_aa and s.works[node] and UNITS[unit].kind == "para":
        s.works[node] = 0
        emit(s, "works-fell", "5.6-eben-b", hex=world(s).theatre.names[node], left=0)


LOOTED = {colour: number for number, colour in enumerate(COLOURED)}


@rule("16.1")
def loot_factories(s: BitwState, node: int, power: int) -> None:
    """16.1 A conquered factory gives the conqueror one point of its colour, once; white has no use here (11.0e)."""
    for colour, (number, since) in world(s).theatre.factories.get(node, {}).items():
        number -= sum(gone for at, which, gone in s.ruins if (at, which) == (node, LOOTED.get(colour)))  # 32.1
        if number > 0 and colour in COLOURED and since <= month(s):
            pool = pool_of(s, power)
            getattr(s, colour)[pool] += number
            emit(s, "coloured-points", "16.1", power=POWERS[pool].id, points=number, colour=colour)


@rule("3.3.2")
def burn_factories(s: BitwState, node: int) -> None:
    """3.3.2 The factories of a captured hex are destroyed for good (ruling A11)."""
    if node in world(s).theatre.factories and not s.burnt[node]:
        s.burnt[node] = 1
        emit(s, "factory-destroyed", "3.3.2", hex=world(s).theatre.names[node])


@rule("7.7.11-fortress-fall", "7.7.11-bunker-fall", "5.1-maginot-c", "5.2-siegfried-b", "5.6-eben-c")
def fall_of_works(s: BitwState, node: int) -> None:
    """7.7.11 A captured fortress leaves a bunker, a captured bunker nothing; neither is ever rebuilt (ruling A14)."""
    if s.works[node]:
        s.works[node] -= 1
        emit(s, "works-fell", "7.7.11-fortress-fall", hex=world(s).theatre.names[node], left=s.works[node])


def pool_of(s: BitwState, power: int) -> int:
    """7.3a The power whose name a nation's pool of points bears."""
    return world(s).scenario.pool_of.get(power, power)


# 3.1.2 Seas


@rule("7.5.5e", "9.2d", "3.4-port-freeze")
def port_is_open(s: BitwState, node: int, side: Side) -> bool:
    """7.5.5e A port serves the side that controls it; an inland port also needs both its lettered coastal hexes."""
    t = world(s).theatre
    if not t.port[node] or side_holding(s, node) != side or enemy_in(s, node, side) or is_frozen_port(s, node):
        return False
    return all(side_holding(s, other) == side for other in t.letters.get(node, ()))


@rule("3.1.2b")
def controls_sea(s: BitwState, side: Side, sea: str) -> bool:
    """3.1.2b A side controls a sea with one major or two minor ports on it; both sides may."""
    t = world(s).theatre
    majors = minors = 0
    for node in t.ports:
        if t.sea[node] == sea and side_holding(s, node) == side:
            majors += t.port[node] == MAJOR_PORT
            minors += t.port[node] == MINOR_PORT
    return majors >= 1 or minors >= 2


def seas() -> tuple[str, ...]:
    """3.1.2a The three bodies of water."""
    return SEAS


# 3.13 Tech


@rule("5.6a", "5.6.2c", "3.13a", "3.20")
def tech_of(s: BitwState, unit: int) -> int:
    """3.13a The tech level of a unit now: its power's.

    A minor's is 0 until it is assisted (5.6.2c), then the leader's less 1.
    """
    u = UNITS[unit]
    return power_tech(s, u.power, charts().tech[u.kind].field)


@rule("17.1a", "17.1b")
def power_tech(s: BitwState, power: int, field: str) -> int:
    """5.6a, 17.1a The tech level of a power in a field now; an assisted minor's is one below its leader's."""
    p = POWERS[power]
    if not p.follows:
        return tech_level(p.id, field, month(s))
    if not (p.assisted or s.status[power] & ASSISTED):
        return 0
    leader = POWERS[alliance_leader(s, p.side)].id if p.follows == LEADER else p.follows
    return max(1, tech_level(leader, field, month(s)) - 1)


@rule("5.6.2a", "3.20")
def alliance_leader(s: BitwState, side: Side) -> int:
    """3.20 Germany leads the Axis; the Allies are led by the US once in the war, by the UK before."""
    ids = charts().power_ids
    if side == AXIS:
        return ids["DE"]
    us = ids["US"]
    return us if us in world(s).scenario.in_play and not s.status[us] & OUT else ids["UK"]


@rule("7.5.3a", "6.1.3", "6.1.6d", "6.1.1-static-a", "4.4b", "3.18")
def movement_points(s: BitwState, unit: int, out_of_supply: bool) -> int:
    """7.5.3a MP by type and tech; halved out of supply (4.4b), but a unit able to move keeps at least 1 (3.18)."""
    points = charts().tech[UNITS[unit].kind].mp[tech_of(s, unit)]
    return half_points(points) if out_of_supply else points


@rule("3.18", "4.4b", "3.16")
def half_points(points: int) -> int:
    """3.18 Halved and rounded down, but a unit able to move keeps at least 1 point; a static one has none to keep."""
    return max(1, points // 2) if points else 0


# 3.19 Zones of control


@rule("3.19a", "3.19b", "3.19c", "3.19e", "6.6c", "4.3b")
def in_ground_zoc(s: BitwState, node: int, side: Side) -> bool:
    """3.19a True if a ground unit of `side` controls this hex: it is adjacent by land, not in battle, not a fort.

    A zone does not reach into hexes that hold a unit of the other side, nor across water or straits (3.19c).
    """
    if s.conditions:
        return node in ground_zone(s, side)
    nodes = len(s.first_in)
    mine, theirs = side * nodes, enemy_of(side) * nodes
    if s.present[theirs + node]:
        return False
    ground, present = s.ground, s.present
    return any(ground[mine + other] and not present[theirs + other] for other in world(s).theatre.touch[node])


@remembered(lambda s, side: standing(s))
def ground_zone(s: BitwState, side: Side) -> frozenset[int]:
    """3.19a Every hex in the zone of control of a side's ground units: the answer of `in_ground_zoc` for all hexes."""
    nodes, touch = len(s.first_in), world(s).theatre.touch
    mine, theirs = side * nodes, enemy_of(side) * nodes
    ground, taken = s.ground[mine : mine + nodes], s.present[theirs : theirs + nodes]
    held = set(map(s.place.__getitem__, on_map(s, side)))
    holders = [n for n in held if ground[n] and not taken[n]]
    if s.chosen[ADVANCED] == "on":
        return advanced_zone(s, side, holders)
    return frozenset(filterfalse(taken.__getitem__, set().union(*[touch[n] for n in holders])))


@rule("3.19b")
def air_zone(s: BitwState, side: Side) -> set[int]:
    """3.19b The zone of control of a side's based aircraft: hexes next to them without a unit of the other side."""
    t, theirs = world(s).theatre, enemy_of(side) * len(s.first_in)
    bases = {s.place[u] for u in aircraft_on_map(s, side) if not s.flags[u] & MISSION}
    near = {n for base in bases if not s.present[theirs + base] for n in t.touch[base]}
    return {n for n in near if not s.present[theirs + n]}


@rule("3.19a", "3.19b", "7.7.14b")
def in_any_zoc(s: BitwState, node: int, side: Side) -> bool:
    """3.19a As above with based aircraft too, for retreats and garrisons (ruling A65)."""
    if in_ground_zoc(s, node, side):
        return True
    nodes = len(s.first_in)
    theirs = enemy_of(side) * nodes
    if s.present[theirs + node]:
        return False
    for other in world(s).theatre.touch[node]:
        if s.conditions and stops_zone(s, other, node, side):
            continue
        if s.present[side * nodes + other] and not s.present[theirs + other]:
            if any(IS_AIR[u] and not s.flags[u] & MISSION for u in side_in(s, other, side)):
                return True
    return False


def any_zone(s: BitwState, side: Side) -> frozenset[int]:
    """3.19a Every hex in the zone of a side's units, based aircraft too: the answer of `in_any_zoc` for all hexes."""
    t, theirs = world(s).theatre, enemy_of(side) * len(s.first_in)
    bases = {s.place[u] for u in aircraft_on_map(s, side) if not s.flags[u] & MISSION}
    found = set(ground_zone(s, side))
    for base in bases:
        if not s.present[theirs + base]:
            found.update(n for n in t.touch[base] if not s.present[theirs + n] and not stops_zone(s, base, n, side))
    return frozenset(found)


@rule("7.4a", "7.4b")
def next_to_enemy(s: BitwState, node: int, side: Side) -> bool:
    """7.4a True if any enemy unit, forts and based aircraft included, is adjacent by land (ruling A19)."""
    theirs = enemy_of(side) * len(s.first_in)
    return any(s.present[theirs + other] for other in world(s).theatre.touch[node])


# 3.10 Stacking


@rule("3.10a", "3.10c")
def why_not_stack(s: BitwState, units: Iterable[int], newcomer: int) -> No | None:
    """3.10a At most 3 ground units of a side in a hex, of which 2 combat units; forts count as support (3.10c, A6)."""
    total, combat = 1, int(IS_COMBAT[newcomer])
    for u in units:
        if IS_GROUND[u] and SIDE_OF[u] == SIDE_OF[newcomer] and u != newcomer:
            total += 1
            combat += IS_COMBAT[u]
    if total > MOST_GROUND:
        return STACK_GROUND
    return STACK_COMBAT if combat > MOST_COMBAT else None


@rule("6.7c")
def why_not_stand(s: BitwState, node: int, newcomer: int) -> No | None:
    """6.7c The stacking limit of a hex: where a Mulberry lies, five ground units of its nation; else 3.10a."""
    if node in s.harbour and UNITS[newcomer].power == harbour_nation(s, node):
        friends = [u for u in units_in(s, node) if IS_GROUND[u] and SIDE_OF[u] == SIDE_OF[newcomer] and u != newcomer]
        if all(UNITS[u].power == UNITS[newcomer].power for u in friends):
            return None if len(friends) < LIMITS["harbour_stack"] else STACK_HARBOUR
    return why_not_stack(s, units_in(s, node), newcomer)


def harbour_nation(s: BitwState, node: int) -> int:
    """6.7b The power whose Mulberry lies in a node: A is American, B British; -1 without one."""
    ids = charts().power_ids
    return ids["US"] if s.harbour[0] == node else ids["UK"] if s.harbour[1] == node else -1


def has_room(s: BitwState, node: int, newcomer: int) -> bool:
    """3.10a True if the unit may end here."""
    return why_not_stand(s, node, newcomer) is None


MOST_GROUND, MOST_COMBAT = LIMITS["stack_ground"], LIMITS["stack_combat"]


@rule("3.10a", "6.7c")
def overstacked(s: BitwState, node: int, side: Side) -> bool:
    """3.10a True if a side has too many ground units in a node."""
    total = combat = 0
    for u in units_in(s, node):
        if IS_GROUND[u] and SIDE_OF[u] == side:
            total += 1
            combat += IS_COMBAT[u]
    if node in s.harbour and total > LIMITS["stack_combat"]:
        nation = harbour_nation(s, node)
        if all(UNITS[u].power == nation for u in units_in(s, node) if IS_GROUND[u] and SIDE_OF[u] == side):
            return total > LIMITS["harbour_stack"]
    return total > LIMITS["stack_ground"] or combat > LIMITS["stack_combat"]


@rule("3.10b")
def why_not_join_air(s: BitwState, node: int, unit: int) -> No | None:
    """3.10b In a battle a side has at most one fighter and one bomber of any kind (ruling A5)."""
    bomber = UNITS[unit].is_bomber
    for u in units_in(s, node):
        if IS_AIR[u] and SIDE_OF[u] == SIDE_OF[unit] and u != unit and UNITS[u].is_bomber == bomber:
            return AIR_LIMIT
    return None


def airbase_taken(s: BitwState, node: int, unit: int) -> bool:
    """3.4-airbase-b True if another aircraft of any side is based here (those in flight elsewhere do not count)."""
    other, following = s.first_in[node], s.next_in
    while other != NONE:
        if IS_AIR[other] and other != unit and not s.flags[other] & MISSION:
            return True
        other = following[other]
    return False


def is_open_paris(s: BitwState, node: int) -> bool:
    """5.1-open-city-b The hex that France may declare open."""
    return world(s).theatre.paris == node


@rule("5.0c")
def why_not_serve(s: BitwState, unit: int) -> No | None:
    """5.0c Blocks at 0 that a surrendered power leaves behind neither move nor are repaired (ruling A12)."""
    return POWER_OUT if s.status[POWER_OF[unit]] & OUT else None


# 3.23 Equipment and closed countries


@rule("3.23", "3.24")
def why_not_climate(unit: Unit, land: str) -> No | None:
    """3.23 Only palm units may operate in Africa and only crystal units in Scandinavia (A7: a permission elsewhere)."""
    if land in SCANDINAVIA and "winter" not in unit.traits:
        return NEEDS_WINTER
    if land in AFRICA and "tropical" not in unit.traits:
        return NEEDS_TROPICAL
    return None


SCANDINAVIA = frozenset({"NOR", "SWE", "FIN"})  # 3.24: not Denmark, not Iceland
AFRICA = frozenset({"africa"})  # a region of the map


def note_attack(s: BitwState, node: int, attacker: Side) -> None:
    """5.6.2a A minor whose units or land are attacked calls for help."""
    powers = {UNITS[u].power for u in units_in(s, node) if SIDE_OF[u] != attacker}
    if s.owner[node] != NOBODY and POWER_SIDE[s.owner[node]] != attacker:
        powers.add(s.owner[node])
    for power in powers:
        if POWERS[power].rank == "minor":
            s.status[power] |= ATTACKED


def is_hq(unit: int) -> bool:
    """6.4 HQs stay out of the Basic game."""
    return UNITS[unit].kind in HQ_KINDS


def sides() -> tuple[Side, Side]:
    """Axis and Allies."""
    return (AXIS, ALLIES)


def is_fort(unit: int) -> bool:
    """6.6 An Axis fort block."""
    return bool(IS_FORT[unit])
