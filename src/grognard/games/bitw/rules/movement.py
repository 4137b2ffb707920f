"""7.5 Ground movement, 7.10 exploitation and what both share: reach, costs, stops, attacks, conquest on the way."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from grognard.kernel import NOTHING, Decision, No, Side, emit, enter, leave, no, rule

from ..frames import Evacuation, Marching, Moving, PlayerTurn
from ..loading import ALLIES, Unit
from ..memo import foes, remembered
from ..nouns import FOG, FROM, HEX, UNIT, name_of
from ..state import (
    FOUGHT,
    HELD_BACK,
    MOVED,
    NEW,
    NONE,
    OFF,
    OOS,
    OUT,
    BitwState,
    enemy_of,
    frozen_units,
    is_done,
    is_frozen,
    on_map,
    put,
    side_holding,
    units_in,
)
from ..theatre import Theatre
from ..world import IS_AIR, IS_COMBAT, IS_FORT, IS_GROUND, POWER_OF, SIDE_OF, UNITS, world
from .definitions import (
    AFRICA,
    NOT_YOURS,
    SCANDINAVIA,
    is_open_paris,
    movement_points,
    note_attack,
    overstacked,
    take_control,
    why_not_climate,
    why_not_serve,
    why_not_stand,
)
from .fuel import (
    burn,
    fuel_up,
    is_desperate,
    is_excused,
    pay_for,
    why_not_fight,
    why_not_leave,
)
from .headquarters import hqs_count
from .opening import rule_is_on
from .partisans import recruit
from .weather import GOOD, SNOW, exits_of, sky_at

HARSH = SCANDINAVIA | AFRICA

INFANTRY_ONLY, OPEN_CITY = no("7.5.5c", "infantry-only"), no("5.1-open-city-b", "open-city")
UNSUPPLIED_ATTACK, SUPPORT_ALONE = no("4.4c", "unsupplied-attack"), no("3.8", "support-alone")
GROUND_FIRST, NOT_ON_MAP = no("7.5.2a", "ground-first"), no("7.5a", "not-on-map")
OVERSTACKED = no(
    "7.3.2b", "overstacked", lambda s, c, side, noun: {"hex": name_of(s, next(iter(crowded_hexes(s, side))))}
)
LEAVE_PARIS = no("5.1-open-city-b", "leave-paris")
FROZEN, MOVED_ALREADY = no("3.21", "frozen"), no("7.5.1", "moved-already")
STATIC, FORT_STAYS = no("6.1.1-static-a", "static"), no("6.6c", "fort-stays")
NO_ATTACK_NOW = no("7.10c", "no-attack-now")
CLOSED_HEX = {r: no(r, "closed-hex") for r in ("7.5.4a", "7.5.4b", "7.5.4c")}
TOO_FAR = no("7.5.3e", "too-far", lambda s, c, side, noun: {"points": c.left})
TANKETTE_TECH, MOTORISED_TECH = no("6.2.1a", "tankette-tech"), no("6.1.6a", "motorised-tech")
NO_EXPLOITATION, UNSUPPLIED_EXPLOITATION = no("7.10a", "no-exploitation"), no("7.10b", "unsupplied-exploitation")


STAFF = (
    "activate",
    "reserve",
    "patrol",
    "ship",
    "land",
    "stand-by",
    "drop",
    "ferry",
)  # verbs that go through HQs (`staff_orders`)
IS_FAST = bytes(u.is_armour or u.kind in ("motorised", "motorised_cavalry") for u in UNITS)  # 7.10a


def land_of(t: Theatre, node: int) -> str:
    """3.23 The country of a node, or `africa`."""
    return "africa" if t.region[node] == "africa" else t.country[node]


class Reach(NamedTuple):
    """Where a ground unit can go: cost and previous node of each hex, and the enemy hexes it could enter.

    With whence.
    """

    cost: dict[int, int]
    came: dict[int, int]
    attacks: list[tuple[int, int]]

    def path(self, node: int) -> list[int]:
        """The cheapest way, the start left out."""
        path = []
        while self.came[node] != node:
            path.append(node)
            node = self.came[node]
        return path[::-1]


@lru_cache(maxsize=64)
def harsh_nodes(t: Theatre) -> bytes:
    """3.23 By node: 1 where the climate is hard on units."""
    return bytes(land_of(t, n) in HARSH for n in range(t.nodes))


def _seen_ahead(s: BitwState, unit: int, *_: int) -> Hashable:
    """What a reach depends on: where the enemy stands and who holds the ends of the red arrows."""
    return s.scenario, s.conditions, s.options, foes(s, SIDE_OF[unit]), world(s).theatre.arrow_ends(s.owner)


@rule("7.5a", "7.5.3b", "7.5.3e", "7.5.3f", "7.5.3g", "7.5.3h", "7.5.4a", "7.5.5a", "3.18")
def search(s: BitwState, unit: int, start: int, points: int) -> Reach:
    """7.5 Everything within the points: contiguous hexes paid in full.

    Friends are no hindrance, enemies end the move.
    """
    t = world(s).theatre
    theirs = enemy_of(SIDE_OF[unit]) * len(s.first_in)
    present, exits = s.present, exits_of(s)
    cost, came = {start: 0}, {start: start}
    buckets: list[list[int]] = [[] for _ in range(points + 1)]
    buckets[0].append(start)
    attacks: list[tuple[int, int]] = []
    harsh = harsh_nodes(t)
    special = terrain_switch(s) and (UNITS[unit].kind in SPECIAL_KINDS or s.sky or s.south)
    for spent, bucket in enumerate(buckets):
        for node in bucket:
            if cost[node] != spent:
                continue
            for other, price in exits[node]:
                if special and other not in t.arrows[node]:
                    price = special_price(UNITS[unit], t.terrain[other], price, sky_at(s, other))
                total = spent + price
                if total > points:
                    continue
                if present[theirs + other]:
                    attacks.append((other, node))
                elif total < cost.get(other, 99):
                    if price == 3 and why_not_arrow(s, unit, node, other):
                        continue
                    if harsh[other] and why_not_climate(UNITS[unit], land_of(t, other)):
                        continue
                    cost[other], came[other] = total, node
                    buckets[total].append(other)
    return Reach(cost, came, attacks)


_reach = remembered(_seen_ahead, kept=4096)(search)


def reach(s: BitwState, unit: int, start: int, points: int) -> Reach:
    """7.5 The same, remembered for all units that move alike."""
    return _reach(s, MOVES_LIKE[unit], start, points)


_ways = [  # what `search` asks about a unit
    (u.side, u.is_infantry_class, "winter" in u.traits, "tropical" in u.traits, u.kind) for u in UNITS
]
MOVES_LIKE = [_ways.index(way) for way in _ways]  # by unit: the first that moves alike
SPECIAL_KINDS = frozenset({"tank", "tankette", "armour_hq", "mountain", "cavalry", "motorised_cavalry"})
CLOSED = 99  # a price that nobody can pay


def terrain_switch(s: BitwState) -> bool:
    """14.0 Whether the terrain option is on."""
    return rule_is_on(s, "14.0-mountain-a")


@rule("14.0-mountain-a", "14.0-mountain-b", "14.0-mountain-c", "14.0-cavalry")
def special_price(unit: Unit, terrain: str, price: int, sky: int = GOOD) -> int:
    """14.0 Armour may not enter mountains, in bad weather only mountain units may; these pay 1 less there and in hills.

    Cavalry pays 2 at most, but for mountains and for hills in snow.
    """
    if terrain == "mountain" and (unit.is_armour or (sky != GOOD and unit.kind != "mountain")):
        return CLOSED
    if unit.kind == "mountain" and terrain in ("hills", "mountain"):
        return price - 1
    if unit.kind in ("cavalry", "motorised_cavalry") and terrain != "mountain":
        return price if sky == SNOW and terrain == "hills" else min(2, price)
    return price


@rule("7.5.5a", "7.5.5c")
def why_not_arrow(s: BitwState, unit: int, a: int, b: int) -> No | None:
    """7.5.5c Unless the side controls both ends of a red arrow, only infantry-class units may cross it."""
    t = world(s).theatre
    if b not in t.arrows[a] or UNITS[unit].is_infantry_class:
        return None
    side = SIDE_OF[unit]
    if side_holding(s, a) == side and side_holding(s, b) == side:
        return None
    return INFANTRY_ONLY


@rule("7.5.3f", "5.1-open-city-b", "3.10a")
def why_not_stop(s: BitwState, unit: int, node: int) -> No | None:
    """7.5.3f A move may pass a full stack but not end in one; nobody stays in an open Paris (5.1-open-city-b)."""
    if s.open_city and is_open_paris(s, node) and SIDE_OF[unit] == 1:
        return OPEN_CITY
    return why_not_stand(s, node, unit)


@rule("3.8", "4.4c", "3.10a", "7.5.5c", "6.1.1-static-b", "6.6f", "12.4")
def why_not_attack(s: BitwState, unit: int, node: int, whence: int, excused: bool = False) -> No | None:
    """3.22 Entering an enemy hex: supplied (4.4c), a combat unit or behind one (3.8), within the stack (3.10a).

    Unsupplied units of TECH 2 and 3 attack in despair (12.4), and who is `excused` by a leader as if supplied.
    """
    if s.flags[unit] & OOS and not excused and not is_desperate(s, unit):
        return UNSUPPLIED_ATTACK
    if not IS_COMBAT[unit] and not any(IS_COMBAT[u] and SIDE_OF[u] == SIDE_OF[unit] for u in units_in(s, node)):
        return SUPPORT_ALONE
    climate = why_not_climate(UNITS[unit], land_of(world(s).theatre, node))
    return climate or why_not_arrow(s, unit, whence, node) or why_not_stand(s, node, unit)


def evacuated_only(s: BitwState, node: int, side: Side) -> bool:
    """7.7.5-evac True if the enemies in a hex are all aircraft on the ground."""
    foes = [u for u in units_in(s, node) if SIDE_OF[u] != side]
    return bool(foes) and all(IS_AIR[u] for u in foes)


# Picking a unit


def staff() -> Any:
    """What goes through HQs (13, 18, 23, 24, 31), which builds on this chapter."""
    from . import staff_orders

    return staff_orders


@rule("7.5.1", "3.21", "6.1.1-static-a", "6.6c", "7.5.2a")
class MoveGround(Decision):
    """7.5.1 The phasing player moves as many ground units as he likes, one at a time, before any aircraft (7.5.2a)."""

    verbs = {"done": NOTHING, "move": UNIT} | dict.fromkeys(STAFF[:-1], UNIT) | {"recon": HEX}
    phase = "move"  # as HQs call it

    def needed(self, s: BitwState, c: PlayerTurn, side: Side) -> bool:
        """Until the player says he is done."""
        return c.finished != c.at()

    def nouns(self, s: BitwState, c: PlayerTurn, side: Side, verb: str) -> Iterable[int]:
        """Done, every ground unit on the map, what HQs order, and where they look."""
        if verb == "recon":
            seen: list[int] = staff().look_hexes(s, side) if hqs_count(s) else []
            return seen
        if verb in STAFF:
            found: list[int] = staff().nouns(s, side, verb, self.phase) if hqs_count(s) else []
            return found
        return (0,) if verb == "done" else [u for u in on_map(s, side) if IS_GROUND[u]]

    def legal_nouns(self, s: BitwState, c: PlayerTurn, side: Side, verb: str) -> list[int]:
        """The same answers as `why_not`, all units at once."""
        if verb == "done":
            return [0] if self.why_not_done(s, side) is None else []
        if verb in STAFF or verb == "recon":
            return list(self.nouns(s, c, side, verb))
        flags, orders, status, frozen = s.flags, s.orders, s.status, frozen_units(s)
        can = [u for u in on_map(s, side) if MARCHES[u] and not flags[u] & MOVED and not status[POWER_OF[u]] & OUT]
        if hqs_count(s):
            can = [u for u in can if not orders[u] & HELD_BACK and why_not_leave(s, u) is None]
        return [u for u in can if u not in frozen] if frozen else can

    def why_not(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> No | None:
        """Each unit once; frozen and static ones never; nobody may be left too many in a hex."""
        if verb == "done":
            return self.why_not_done(s, side)
        if verb == "recon":
            blind: No | None = staff().why_not_look(s, side, noun)
            return blind
        if verb in STAFF:
            return self.why_not_staff(s, side, verb, noun)
        if SIDE_OF[noun] != side:
            return NOT_YOURS
        refusal = why_not_pick(s, noun)
        return GROUND_FIRST if refusal is None and IS_AIR[noun] else refusal

    def why_not_staff(self, s: BitwState, side: Side, verb: str, noun: int) -> No | None:
        """13.2 Why an HQ is not asked for this."""
        refusal: No | None = staff().why_not(s, side, verb, noun, self.phase)
        return refusal

    @rule("7.3.2b", "5.1-open-city-b")
    def why_not_done(self, s: BitwState, side: Side) -> No | None:
        """7.3.2b Overstacked arrivals, and everybody in an open Paris, must move on if any of them can."""
        if any(True for _ in crowded_hexes(s, side)):
            return OVERSTACKED
        if s.open_city and side == ALLIES and world(s).theatre.paris >= 0:
            return LEAVE_PARIS if some_can_leave(s, side, world(s).theatre.paris) else None
        return None

    def apply(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> None:
        """Take the unit in hand."""
        if verb == "done":
            c.finished = c.at()
            return
        if verb == "recon":
            staff().look(s, side, noun)
            return
        if verb in STAFF:
            staff().apply(s, side, verb, noun, self.phase)
            return
        hand = Moving(unit=noun, side=side, left=movement_points(s, noun, bool(s.flags[noun] & OOS)))
        fuel_up(s, hand)
        enter(s, hand)


def crowded_hexes(s: BitwState, side: Side) -> Iterator[int]:
    """7.3.2b The hexes where arrivals of a side crowd and somebody could move on."""
    for node in sorted({s.place[u] for u in on_map(s, side) if s.flags[u] & NEW}):
        if overstacked(s, node, side) and some_can_leave(s, side, node):
            yield node


def some_can_leave(s: BitwState, side: Side, node: int) -> bool:
    """True if a ground unit of the side could still leave a hex."""
    return any(can_leave(s, u, node) for u in units_in(s, node) if SIDE_OF[u] == side and IS_GROUND[u])


IS_STATIC = bytes(u.kind == "static" for u in UNITS)
MARCHES = bytes(u.is_ground and not u.is_fort and u.kind != "static" for u in UNITS)


def why_not_pick(s: BitwState, unit: int, held: int = HELD_BACK) -> No | None:
    """7.5 A unit moves once a phase, if it can move at all and does not wait in reserve."""
    if s.place[unit] >= OFF:
        return NOT_ON_MAP
    if is_frozen(s, unit):
        return FROZEN
    if IS_STATIC[unit]:
        return STATIC
    if IS_FORT[unit]:
        return FORT_STAYS
    if is_done(s, unit, held):
        return MOVED_ALREADY
    return why_not_serve(s, unit) or why_not_leave(s, unit)


def can_leave(s: BitwState, unit: int, node: int) -> bool:
    """True if a unit could still move somewhere else."""
    if why_not_pick(s, unit) is not None:
        return False
    return has_way_out(s, unit, movement_points(s, unit, bool(s.flags[unit] & OOS)))


def has_way_out(s: BitwState, unit: int, points: int) -> bool:
    """True if some other hex within the points would take the unit."""
    here = s.place[unit]
    found = reach(s, unit, here, points)
    return any(n != here and why_not_stop(s, unit, n) is None for n in found.cost)


@rule("5.1-open-city-b")
def why_not_halt(s: BitwState, c: Marching) -> No | None:
    """5.1-open-city-b Nobody who can leave an open Paris halts there; elsewhere a unit may always halt.

    Who crowds a hex is dealt with at the end of the phase (7.3.2b).
    """
    if s.open_city and c.side == ALLIES and is_open_paris(s, s.place[c.unit]) and has_way_out(s, c.unit, c.left):
        return LEAVE_PARIS
    return None


# Moving it


@rule("7.5a", "7.5.3e", "7.5.3g", "7.10c")
class MoveOn(Decision):
    """7.5a The unit in hand goes on, hex by hex or straight to a hex in reach, attacks, or halts.

    Unused MP are lost.
    """

    verbs = {"halt": NOTHING, "to": HEX, "attack": FROM}

    def needed(self, s: BitwState, c: Marching, side: Side) -> bool:
        """Until it attacks or halts, even where it can go no further: its owner alone knows how fast it is (1.3)."""
        return True

    def stops(self, s: BitwState, c: Marching, found: Reach) -> Iterator[int]:
        """The hexes in reach where it may end its move."""
        here, first_in, open_city = s.place[c.unit], s.first_in, s.open_city
        for n in found.cost:
            if n != here and ((first_in[n] == NONE and not open_city) or why_not_stop(s, c.unit, n) is None):
                yield n

    def attacks(self, s: BitwState, c: Marching, found: Reach) -> Iterator[tuple[int, int]]:
        """The enemy hexes in reach that it may enter, each with the hex it would come from."""
        if not isinstance(c, Moving) or (c.limited and why_not_fight(s, c) is not None):
            return
        excused = is_excused(s, c)
        for n, whence in found.attacks:
            if why_not_attack(s, c.unit, n, whence, excused) is None:
                yield n, whence

    def nouns(self, s: BitwState, c: Marching, side: Side, verb: str) -> Iterable[int]:
        """Halt, every hex in reach, every enemy hex with the hex it would be entered from."""
        if verb == "halt":
            return (0,)
        found = reach(s, c.unit, s.place[c.unit], c.left)
        if verb == "to":
            return [n for n in sorted(found.cost) if n != s.place[c.unit]]
        return [FROM.of(n, whence) for n, whence in sorted(found.attacks)] if isinstance(c, Moving) else ()

    def why_not(self, s: BitwState, c: Marching, side: Side, verb: str, noun: int) -> No | None:
        """Within the points, with room at the end; enemies only by attack."""
        if verb == "halt":
            return why_not_halt(s, c)
        found = reach(s, c.unit, s.place[c.unit], c.left)
        if verb == "to":
            if noun not in found.cost or noun == s.place[c.unit]:
                return self.why_unreachable(s, c, noun)
            return why_not_stop(s, c.unit, noun)
        if not isinstance(c, Moving):
            return NO_ATTACK_NOW
        node, whence = FROM.apart(noun)
        if (node, whence) not in found.attacks:
            return self.why_unreachable(s, c, node)
        return why_not_fight(s, c) or why_not_attack(s, c.unit, node, whence, is_excused(s, c))

    @rule("7.5.3e", "7.5.4a", "7.5.4b", "7.5.4c")
    def why_unreachable(self, s: BitwState, c: Marching, node: int) -> No:
        """7.5.3e Too far, or closed: water and map edges (7.5.4), straits to armour (7.5.5c), harsh climates (3.23)."""
        t = world(s).theatre
        if not t.playable[node]:
            edge = "7.5.4b" if node < t.hexes and t.board.hexes[node].get("closed") else "7.5.4c"
            return CLOSED_HEX[edge if t.terrain[node] else "7.5.4a"]
        climate = why_not_climate(UNITS[c.unit], land_of(t, node))
        if climate:
            return climate
        here = s.place[c.unit]
        if node in t.arrows[here]:
            arrow = why_not_arrow(s, c.unit, here, node)
            if arrow:
                return arrow
        return TOO_FAR

    def legal_nouns(self, s: BitwState, c: Marching, side: Side, verb: str) -> list[int]:
        """The same answers as `why_not`, with one search instead of one per hex."""
        if verb == "halt":
            return [] if s.open_city and why_not_halt(s, c) else [0]
        found = reach(s, c.unit, s.place[c.unit], c.left)
        if verb == "to":
            return sorted(self.stops(s, c, found))
        return [FROM.of(n, whence) for n, whence in sorted(self.attacks(s, c, found))]

    @rule("12.4.1b")
    def attacks_freely(self, s: BitwState, c: Marching, node: int, whence: int) -> bool:
        """12.4.1b A desperate unit needs no order for an attack within the points that it has without one."""
        return is_desperate(s, c.unit) and (node, whence) in reach(s, c.unit, s.place[c.unit], c.free).attacks

    def apply(self, s: BitwState, c: Marching, side: Side, verb: str, noun: int) -> None:
        """Move it and conquer what it passes."""
        if verb == "halt":
            s.flags[c.unit] |= MOVED
            leave(s)
            return
        found = reach(s, c.unit, s.place[c.unit], c.left)
        if verb == "to":
            path = found.path(noun)
            march(s, c.unit, path)
            if isinstance(c, Moving):
                recruit(s, c.unit, path)
            pay_for(s, c, found.cost[noun])
            c.left -= found.cost[noun]
            c.started = 1
            s.flags[c.unit] |= MOVED
            return
        node, last = FROM.apart(noun)
        if c.limited and c.hq != NONE and not self.attacks_freely(s, c, node, last):
            burn(s, c)
        leave(s)
        path = found.path(last)
        march(s, c.unit, path)
        attack(s, c.unit, node, last)
        recruit(s, c.unit, [*path, node])


@rule("3.3a", "7.5a")
def march(s: BitwState, unit: int, path: list[int]) -> None:
    """3.3a Carry a unit along a path; every hex it enters is conquered on the way."""
    if not path:
        return
    names = world(s).theatre.names
    whence = s.place[unit]
    for node in path:
        if node < world(s).theatre.hexes:
            take_control(s, node, UNITS[unit].power)
    put(s, unit, path[-1])
    way = [names[node] for node in (whence, *path)]
    emit(s, "moved", "7.5a", unit=FOG.veil(s, unit), hex=way[-1], whence=way[0], way=way)


@rule("3.22", "7.5.3g", "3.19b")
def attack(s: BitwState, unit: int, node: int, whence: int) -> None:
    """3.22 A unit enters an enemy hex and stops (7.5.3g); aircraft alone on the ground there must flee at once."""
    side = SIDE_OF[unit]
    note_attack(s, node, side)
    flee = evacuated_only(s, node, side)
    put(s, unit, node)
    s.origin[unit] = whence
    s.flags[unit] |= MOVED
    names = world(s).theatre.names
    emit(s, "attacks", "3.22", unit=FOG.veil(s, unit), hex=names[node], whence=names[whence])
    if flee:
        enter(s, Evacuation(hex=node, side=enemy_of(side)))
    else:
        s.flags[unit] |= FOUGHT


@rule("7.3.2b")
def end_movement(s: BitwState, c: PlayerTurn) -> None:
    """7.3.2b Arrivals that still crowd a hex wait off the map; they come back free (7.3.3)."""
    from ..state import HELD

    for u in FOG.in_token_order(s, [u for u in on_map(s, c.side) if s.flags[u] & NEW and IS_GROUND[u]]):
        if overstacked(s, s.place[u], c.side):
            put(s, u, HELD)
            s.flags[u] = s.active[u] = s.fuel[u] = s.orders[u] = 0
            emit(s, "sent-back", "7.3.2b", unit=FOG.veil(s, u))
    for u in [u for u, flags in enumerate(s.flags) if flags & NEW]:
        s.flags[u] &= ~NEW & 255
