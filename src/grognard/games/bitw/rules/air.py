"""7.5.2 Air movement, 7.6 reaction, 7.7.5-evac evacuation, 7.7.16 air retreats, 7.8.1 the way home."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from grognard.kernel import NOTHING, Decision, No, Side, emit, enter, leave, no, rule

from ..frames import Evacuation, Flying, InHand, Landing, PlayerTurn, Reacting
from ..loading import ALLIES, charts
from ..memo import facing, remembered
from ..nouns import FOG, HEX, UNIT
from ..state import (
    ARMISTICE,
    FOUGHT,
    GROUNDED,
    MISSION,
    MOVED,
    NONE,
    OFF,
    OOS,
    POOL,
    SUPPLIED,
    BitwState,
    air_in,
    aircraft_on_map,
    enemy_of,
    is_battle,
    is_frozen,
    month,
    on_map,
    put,
    side_holding,
    units_in,
)
from ..theatre import MAJOR_PORT
from ..world import IS_AIR, IS_GROUND, POWER_SIDE, POWERS, SIDE_OF, UNITS, world
from .definitions import (
    airbase_taken,
    is_open_paris,
    note_attack,
    tech_of,
    why_not_join_air,
    why_not_own,
    why_not_serve,
)
from .headquarters import activate, commander, hqs_count, ready, spend, why_not_activate
from .radar import watch_the_sky
from .supply import BRITAIN, award, is_airbase, remove, sources_of
from .weather import GROUNDED_BY_RAIN, RAIN, sky_at

SPARED = frozenset({"FRA", "BEL", "NED"})  # 5.1-armistice-e

LEAVE_PARIS, FROZEN = no("5.1-open-city-b", "leave-paris"), no("3.21", "frozen")
GROUND_FIRST, NOT_ON_MAP = no("7.5.2a", "ground-first"), no("7.5.2b", "not-on-map")
MOVED_ALREADY = no("7.5.2d", "moved-already")
UNSUPPLIED_MISSION, NO_STEPS = no("4.4d", "unsupplied-mission"), no("7.5.2b", "no-steps")
NO_ENEMY, INLAND_CITY = no("7.5.2b", "no-enemy"), no("5.1-armistice-e", "inland-city")
PINNED = no("7.6b", "pinned")
NO_BATTLE, BATTLES_ONLY = no("7.6a", "no-battle"), no("7.6a", "battles-only")
BASE_TAKEN, NO_AIRBASE = no("3.4-airbase-b", "base-taken"), no("3.4-airbase-a", "no-airbase")
NO_CROSSING = {False: no("3.7g", "no-crossing"), True: no("3.7f", "no-crossing")}
NO_FUEL_TO_FLY = no("13.5c", "no-fuel-to-fly")
AT_HOME, NOT_HERE = no("7.8.1", "at-home"), no("7.7.5-evac", "not-here")


@rule("7.5.2b", "6.3.1a", "6.3.1c", "6.3.2a", "6.3.2c", "6.3.3a")
def air_range(s: BitwState, unit: int) -> int:
    """7.5.2b How far an aircraft flies on a mission: 5, 10 or 15 hexes by type and tech."""
    return charts().tech[UNITS[unit].kind].mp[tech_of(s, unit)]


@rule("7.5.2c", "4.4d")
def rebase_range(s: BitwState, unit: int) -> int:
    """7.5.2c Twice as far to a new base; half of that out of supply (4.4d, ruling A9)."""
    twice = 2 * air_range(s, unit)
    return twice // 2 if s.flags[unit] & OOS else twice


OUT_OF_RANGE = no("7.5.2b", "out-of-range", lambda s, c, side, noun: {"range": air_range(s, c.unit)})
NO_BATTLE_IN_RANGE = no("7.6a", "no-battle-in-range", lambda s, c, side, unit: {"range": air_range(s, unit)})
BASE_TOO_FAR = no("7.5.2c", "out-of-range", lambda s, c, side, noun: {"range": rebase_range(s, c.unit)})
NO_OLD_BASE = no("7.8.1", "no-old-base")
NO_LANDING = no("7.7.16", "no-airbase", lambda s, c, side, noun: {"range": air_range(s, c.unit)})


@remembered(lambda s, power, home: facing(s, POWER_SIDE[power]))
@rule("3.4-airbase-a")
def airbases(s: BitwState, power: int, home: str) -> list[int]:
    """3.4-airbase-a The cities where a nation's aircraft may be based."""
    sources = sources_of(s, power, home)
    cities = world(s).theatre.cities
    return [n for n in cities if n in sources and is_airbase(s, POWERS[power].side, n, sources)]


@rule("3.4-airbase-a", "3.4-airbase-b", "7.7.16")
def free_bases(s: BitwState, unit: int, here: int, most: int) -> list[int]:
    """7.7.16 The free friendly airbases within so many hexes."""
    distances = world(s).theatre.distances(here)
    u = UNITS[unit]
    near = [n for n in airbases(s, u.power, u.home) if distances[n] <= most]
    return [n for n in near if not airbase_taken(s, n, unit) and not is_shut(s, n, u.side)]


@rule("5.1-open-city-b")
def is_shut(s: BitwState, node: int, side: Side) -> bool:
    """5.1-open-city-b An open Paris is no base for the Allies."""
    return bool(s.open_city) and side == ALLIES and is_open_paris(s, node)


@rule("5.1-open-city-b")
def why_not_stay(s: BitwState, unit: int) -> No | None:
    """5.1-open-city-b An aircraft in an open Paris moves to another base while there is one in range."""
    here = s.place[unit]
    if is_shut(s, here, SIDE_OF[unit]) and free_bases(s, unit, here, rebase_range(s, unit)):
        return LEAVE_PARIS
    return None


@rule("3.7f", "3.7g", "3.7.1-iceland", "3.7.1-azores")
def ocean_bases(s: BitwState, unit: int) -> list[int]:
    """3.7f Across the Atlantic: bombers fly home and back at once, fighters by Iceland or, from June 1943.

    The Azores.
    """
    t = world(s).theatre
    u = UNITS[unit]
    if u.home not in ("US", "CA"):
        return []
    areas = {key: t.node_ids[key] for key in ("usa", "canada", "iceland", "azores") if key in t.node_ids}
    homes = [areas[k] for k in ("usa", "canada") if k in areas]
    stops = [areas[k] for k in ("iceland", "azores") if k in areas and (k == "iceland" or month(s) >= "1943-06")]
    stops = [n for n in stops if t.names[n] == "iceland" or not airbase_taken(s, n, unit)]
    here = s.place[unit]
    sources = sources_of(s, u.power, u.home)
    britain = [
        n
        for n in sorted(sources)
        if n < t.hexes
        and t.region[n] in BRITAIN
        and is_airbase(s, u.side, n, sources)
        and not airbase_taken(s, n, unit)
    ]
    if u.is_bomber:
        return britain if here in homes else homes if here < t.hexes and t.region[here] in BRITAIN else []
    if here in homes:
        return stops
    if here >= t.hexes:
        return britain + homes
    return stops if t.region[here] in BRITAIN else []


# 7.5.2 Missions and rebasing


def why_not_fly(s: BitwState, unit: int) -> No | None:
    """7.5.2 An aircraft moves once a phase."""
    if not IS_AIR[unit]:
        return GROUND_FIRST
    if s.place[unit] >= OFF:
        return NOT_ON_MAP
    if is_frozen(s, unit):
        return FROZEN
    if s.flags[unit] & MOVED:
        return MOVED_ALREADY
    return why_not_serve(s, unit)


@rule("7.5.2b", "7.5.3d", "4.4d", "7.5.2d", "3.10b", "3.22b", "9.2b")
def why_not_mission(s: BitwState, unit: int, node: int) -> No | None:
    """7.5.2b A supplied aircraft above 0 steps flies to an enemy hex in range.

    One hex per point whatever lies between.
    """
    if s.flags[unit] & OOS:
        return UNSUPPLIED_MISSION
    if s.steps[unit] == 0:
        return NO_STEPS
    if not s.present[enemy_of(SIDE_OF[unit]) * len(s.first_in) + node]:
        return NO_ENEMY
    if world(s).theatre.distances(s.place[unit])[node] > air_range(s, unit):
        return OUT_OF_RANGE
    if sky_at(s, node) == RAIN:
        return GROUNDED_BY_RAIN
    if why_not_order(s, unit):
        return NO_FUEL_TO_FLY
    return why_not_bomb_inland(s, SIDE_OF[unit], node) or why_not_join_air(s, node, unit)


@rule("13.5c", "13.2", "13.3c")
def why_not_order(s: BitwState, unit: int) -> No | None:
    """13.5c A mission needs an order of an active HQ; a change of base does not."""
    if not hqs_count(s) or s.orders[unit] & SUPPLIED:
        return None
    return NO_FUEL_TO_FLY if commander(s, unit, "air") == NONE else None


@rule("5.1-armistice-e", "5.1-armistice-f")
def why_not_bomb_inland(s: BitwState, side: Side, node: int) -> No | None:
    """5.1-armistice-e After the armistice Allied aircraft spare inland French, Belgian and Dutch cities.

    5.1-armistice-f Two Allied-held major ports there end the ban, or two Mulberries.
    """
    t = world(s).theatre
    france = charts().power_ids["FR"]
    banned = s.status[france] & ARMISTICE or "armistice-in-force" in world(s).scenario.rules
    if side != ALLIES or not banned or not t.city[node] or t.coastal[node] or t.country[node] not in SPARED:
        return None
    ports = [n for n in range(t.hexes) if t.port[n] == MAJOR_PORT and t.country[n] in SPARED]
    mulberries = [n for n in s.harbour if n < t.hexes and t.country[n] in SPARED]
    if sum(side_holding(s, n) == ALLIES for n in ports) >= 2 or len(mulberries) >= 2:
        return None
    return INLAND_CITY


def enemy_hexes(s: BitwState, side: Side) -> list[int]:
    """The hexes where the enemy has units."""
    offset = enemy_of(side) * len(s.first_in)
    return sorted({s.place[u] for u in on_map(s, enemy_of(side)) if s.present[offset + s.place[u]]})


@rule("7.5.2a", "7.5.1", "7.5.2d")
class FlyOut(Decision):
    """7.5.2a After all ground moves the phasing player sends aircraft on missions or to new bases."""

    verbs = {"done": NOTHING, "fly": UNIT, "activate": UNIT}
    phase = "move"  # as HQs call it

    def needed(self, s: BitwState, c: PlayerTurn, side: Side) -> bool:
        """Until he is done, or has no aircraft left to fly."""
        return c.finished != c.at() and any(why_not_fly(s, u) is None for u in aircraft_on_map(s, side))

    def nouns(self, s: BitwState, c: PlayerTurn, side: Side, verb: str) -> Iterable[int]:
        """Done, every aircraft, and the HQs that may be activated."""
        if verb == "activate":
            return ready(s, side, self.phase)
        return (0,) if verb == "done" else aircraft_on_map(s, side)

    def why_not(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> No | None:
        """Each aircraft once; the ground has had its turn; nobody is left in an open Paris."""
        if verb == "done":
            mine = aircraft_on_map(s, side) if s.open_city else []
            left = [u for u in mine if why_not_fly(s, u) is None]
            return next(filter(None, (why_not_stay(s, u) for u in left)), None)
        if verb == "activate":
            return why_not_activate(s, noun, side, self.phase)
        return why_not_own(noun, side) or why_not_fly(s, noun)

    def apply(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> None:
        """Take the aircraft in hand."""
        if verb == "done":
            c.finished = c.at()
        elif verb == "activate":
            activate(s, noun)
        else:
            enter(s, Flying(unit=noun, side=side))


@rule("7.6a", "7.6b", "3.22")
class React(FlyOut):
    """7.6a The non-phasing player sends aircraft to battle hexes in range; those under attack stay (7.6b)."""

    phase = "react"

    def needed(self, s: BitwState, c: PlayerTurn, side: Side) -> bool:
        """While there are battles and aircraft that all see standing elsewhere, fed and not flown.

        Asked only if one of them can reach a battle it would tell the enemy what it is.
        """
        if c.finished == c.at():
            return False
        battles = battles_now(s, side)
        if all(sky_at(s, n) == RAIN for n in battles):
            return False
        free = [u for u in aircraft_on_map(s, side) if not s.flags[u] & (MOVED | OOS)]
        return any(s.place[u] not in battles for u in free)

    @rule("13.3c")
    def senders(self, s: BitwState, side: Side) -> list[int]:
        """13.3c The HQs that may be activated to send aircraft, while there are battles."""
        return ready(s, side, self.phase) if hqs_count(s) and battles_now(s, side) else []

    def nouns(self, s: BitwState, c: PlayerTurn, side: Side, verb: str) -> Iterable[int]:
        """As above, HQs while there are battles."""
        return self.senders(s, side) if verb == "activate" else super().nouns(s, c, side, verb)

    def reacting(self, s: BitwState, side: Side) -> Iterator[int]:
        """The aircraft that can reach a battle: the same answers as `why_not`, with the battles looked up once."""
        battles = battles_now(s, side)
        for u in on_map(s, side) if battles else ():
            if IS_AIR[u] and s.place[u] not in battles and why_not_fly(s, u) is None and mission_hexes(s, u, battles):
                yield u

    def legal_nouns(self, s: BitwState, c: PlayerTurn, side: Side, verb: str) -> list[int]:
        """Done, those that can, and their HQs."""
        if verb == "activate":
            return self.senders(s, side)
        return [0] if verb == "done" else list(self.reacting(s, side))

    def why_not(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> No | None:
        """Not from a base under attack, and only where a battle is in range."""
        if verb == "done":
            return None
        if verb == "activate":
            return why_not_activate(s, noun, side, self.phase) or (None if battles_now(s, side) else NO_BATTLE)
        refusal = why_not_own(noun, side) or why_not_fly(s, noun)
        if refusal:
            return refusal
        if is_battle(s, s.place[noun]):
            return PINNED
        refusal = why_not_order(s, noun)
        if refusal:
            return refusal
        return None if mission_hexes(s, noun, battles_now(s, side)) else NO_BATTLE_IN_RANGE

    def apply(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> None:
        """Take the aircraft in hand."""
        if verb == "done":
            c.finished = c.at()
        elif verb == "activate":
            activate(s, noun)
        else:
            enter(s, Reacting(unit=noun, side=side))


def mission_hexes(s: BitwState, unit: int, hexes: list[int]) -> list[int]:
    """7.5.2b Of some hexes with enemies in them, those where an aircraft may fly: the answers of `why_not_mission`."""
    if s.flags[unit] & OOS or s.steps[unit] == 0 or why_not_order(s, unit):
        return []
    distances, most = world(s).theatre.distances(s.place[unit]), air_range(s, unit)
    near = [n for n in hexes if distances[n] <= most and sky_at(s, n) != RAIN]
    side = SIDE_OF[unit]
    return [n for n in near if not why_not_bomb_inland(s, side, n) and not why_not_join_air(s, n, unit)]


def battles_now(s: BitwState, side: Side) -> list[int]:
    """3.22 The hexes where both sides have units."""
    return sorted({s.place[u] for u in on_map(s, side) if is_battle(s, s.place[u])})


class FlyOn(Decision):
    """7.5.2d The aircraft in hand: a mission, a new base, or neither; in reaction a battle, or none."""

    verbs = {"halt": NOTHING, "attack": HEX, "rebase": HEX}

    def needed(self, s: BitwState, c: InHand, side: Side) -> bool:
        """Until it has gone."""
        return True

    def nouns(self, s: BitwState, c: InHand, side: Side, verb: str) -> Iterable[int]:
        """Enemy hexes, bases, or stay."""
        if verb == "halt":
            return (0,)
        if verb == "attack":
            return battles_now(s, side) if isinstance(c, Reacting) else enemy_hexes(s, side)
        return self.bases(s, c) if isinstance(c, Flying) else ()

    def legal_nouns(self, s: BitwState, c: InHand, side: Side, verb: str) -> list[int]:
        """The same as `why_not`, with one search for bases."""
        if verb == "attack":
            return mission_hexes(s, c.unit, list(self.nouns(s, c, side, verb)))
        if verb == "rebase":
            return list(self.nouns(s, c, side, verb))
        return [] if isinstance(c, Flying) and why_not_stay(s, c.unit) else [0]

    def bases(self, s: BitwState, c: InHand) -> list[int]:
        """Where it may move its base."""
        here = s.place[c.unit]
        near = free_bases(s, c.unit, here, rebase_range(s, c.unit))
        return [n for n in sorted({*near, *ocean_bases(s, c.unit)}) if n != here]

    @rule("3.4-airbase-a", "3.4-airbase-b", "7.5.2c", "3.7f", "3.7g")
    def why_not(self, s: BitwState, c: InHand, side: Side, verb: str, noun: int) -> No | None:
        """7.5.2 Why this mission or base is refused."""
        reacting = isinstance(c, Reacting)
        if verb == "halt":
            return None if reacting else why_not_stay(s, c.unit)
        if verb == "attack":
            return NO_BATTLE if reacting and not is_battle(s, noun) else why_not_mission(s, c.unit, noun)
        if reacting:
            return BATTLES_ONLY
        return None if noun in self.bases(s, c) else why_not_base(s, c.unit, noun)

    def apply(self, s: BitwState, c: InHand, side: Side, verb: str, noun: int) -> None:
        """Fly."""
        leave(s)
        s.flags[c.unit] |= MOVED
        if verb == "attack":
            if hqs_count(s) and not s.orders[c.unit] & SUPPLIED:
                spend(s, commander(s, c.unit, "air"), "air", c.unit)
            send(s, c.unit, noun, "7.5.2b" if isinstance(c, Flying) else "7.6a")
        elif verb == "rebase":
            settle_at(s, c.unit, noun, "7.5.2c")


@rule("3.4-airbase-a", "3.4-airbase-b", "7.5.2c", "3.7f", "3.7g")
def why_not_base(s: BitwState, unit: int, node: int) -> No:
    """3.4 What is wrong with a place that an aircraft cannot take for its base."""
    t, u = world(s).theatre, UNITS[unit]
    if airbase_taken(s, node, unit):
        return BASE_TAKEN
    if node >= t.hexes or s.place[unit] >= t.hexes:
        return NO_CROSSING[u.is_bomber]
    if not is_airbase(s, u.side, node, sources_of(s, u.power, u.home)):
        return NO_AIRBASE
    return BASE_TOO_FAR


@rule("3.19b")
def send(s: BitwState, unit: int, node: int, rule_id: str) -> None:
    """7.5.2b An aircraft takes off for a hex; it remembers its base and has no zone of control while it flies.

    (3.19b).
    """
    if rule_id == "7.5.2b":
        note_attack(s, node, SIDE_OF[unit])
        s.flags[unit] |= FOUGHT
    s.base[unit] = s.place[unit]
    s.flags[unit] |= MISSION | MOVED
    put(s, unit, node)
    names = world(s).theatre.names
    emit(s, "flies", rule_id, unit=FOG.veil(s, unit), hex=names[node], whence=names[s.base[unit]])
    watch_the_sky(s, unit, node)


def settle_at(s: BitwState, unit: int, node: int, rule_id: str) -> None:
    """An aircraft lands at a base."""
    s.base[unit] = NONE
    s.flags[unit] &= ~(MISSION | GROUNDED) & 255
    put(s, unit, node)
    emit(s, "lands", rule_id, unit=FOG.veil(s, unit), hex=world(s).theatre.names[node])
    watch_the_sky(s, unit, node)


# 7.7.16 Going home


@rule("7.7.16", "7.7.17")
class LandAt(Decision):
    """7.7.16 The aircraft in hand retreats to a free base in range; without one it is eliminated."""

    verbs = {"to": HEX}

    def needed(self, s: BitwState, c: Landing, side: Side) -> bool:
        """Until it has landed."""
        return True

    def nouns(self, s: BitwState, c: Landing, side: Side, verb: str) -> list[int]:
        """The free bases in range."""
        return homes_for(s, c.unit)

    def legal_nouns(self, s: BitwState, c: Landing, side: Side, verb: str) -> list[int]:
        """The same, looked up once."""
        return homes_for(s, c.unit)

    def why_not(self, s: BitwState, c: Landing, side: Side, verb: str, noun: int) -> No | None:
        """Only a free base in range."""
        if noun in homes_for(s, c.unit):
            return None
        return BASE_TAKEN if airbase_taken(s, noun, c.unit) else NO_LANDING

    def apply(self, s: BitwState, c: Landing, side: Side, verb: str, noun: int) -> None:
        """Land."""
        leave(s)
        settle_at(s, c.unit, noun, "7.7.16")


def homes_for(s: BitwState, unit: int) -> list[int]:
    """7.7.16 The bases that an aircraft leaving a hex may fly to."""
    here = s.place[unit]
    return [n for n in free_bases(s, unit, here, air_range(s, unit)) if n != here]


def has_home(s: BitwState, unit: int) -> bool:
    """7.7.16 True if there is such a base."""
    here, most, u = s.place[unit], air_range(s, unit), UNITS[unit]
    distances = world(s).theatre.distances(here)
    bases = airbases(s, u.power, u.home)
    near = (n for n in bases if distances[n] <= most and n != here and not is_shut(s, n, u.side))
    return any(not airbase_taken(s, n, unit) for n in near)


def bring_home(s: BitwState, unit: int, rule_id: str) -> None:
    """7.7.16 Ask its owner for a base, or lose the aircraft when there is none."""
    if has_home(s, unit):
        enter(s, Landing(unit=unit, side=SIDE_OF[unit]))
    else:
        emit(s, "no-base", rule_id, reveals=True, unit=UNITS[unit].id, hex=world(s).theatre.names[s.place[unit]])
        remove(s, unit, POOL)


def must_go_home(s: BitwState, unit: int) -> bool:
    """7.8.1 True for an aircraft in flight, or one whose base is no longer its own."""
    here = s.place[unit]
    if here >= OFF or not IS_AIR[unit]:
        return False
    if s.flags[unit] & MISSION:
        return True
    t = world(s).theatre
    if here >= t.hexes:
        return False
    crowded = any(IS_AIR[u] and u < unit and not s.flags[u] & MISSION for u in units_in(s, here))
    return crowded or side_holding(s, here) != SIDE_OF[unit]


@rule("7.8.1", "3.4-airbase-b")
class RebaseAll(Decision):
    """7.8.1 Surviving aircraft that fought go to bases in range, the defender's first; those without one are lost."""

    verbs = {"home": NOTHING, "rebase": UNIT}

    def needed(self, s: BitwState, c: Any, side: Side) -> bool:
        """While an aircraft of the side is in the air."""
        return bool(self.nouns(s, c, side, "rebase"))

    def nouns(self, s: BitwState, c: Any, side: Side, verb: str) -> list[int]:
        """All back to where they came from; or every aircraft that must go, in the order its owner likes."""
        return [0] if verb == "home" else [u for u in aircraft_on_map(s, side) if must_go_home(s, u)]

    def back(self, s: BitwState, c: Any, side: Side) -> list[int]:
        """Those of them that can go back to the base that they left."""
        return [u for u in self.nouns(s, c, side, "rebase") if s.base[u] in homes_for(s, u)]

    def why_not(self, s: BitwState, c: Any, side: Side, verb: str, noun: int) -> No | None:
        """Only those that fought."""
        if verb == "home":
            return None if self.back(s, c, side) else NO_OLD_BASE
        refusal = why_not_own(noun, side)
        return AT_HOME if refusal is None and not must_go_home(s, noun) else refusal

    def apply(self, s: BitwState, c: Any, side: Side, verb: str, noun: int) -> None:
        """Send it home; or all whose base is free, and ask for the others."""
        if verb != "home":
            bring_home(s, noun, "7.8.1")
            return
        for u in FOG.in_token_order(s, self.back(s, c, side)):
            if s.base[u] in homes_for(s, u):  # another may have taken it meanwhile
                settle_at(s, u, s.base[u], "7.8.1")


@rule("7.7.5-evac", "7.7.10a", "7.7.10b")
def lose_step_on_ground(s: BitwState, c: Evacuation) -> None:
    """7.7.5-evac Aircraft surprised on the ground lose 1 step at once.

    A block with a 0 falls to 0 and flies off (7.7.10b), another that loses its last step is gone (7.7.10a).
    """
    name = world(s).theatre.names[c.hex]
    for u in FOG.in_token_order(s, air_in(s, c.hex, c.side)):
        left = UNITS[u].pattern.below[s.steps[u]] if s.steps[u] else 0
        if left < 0:
            emit(s, "eliminated", "7.7.5-evac", unit=UNITS[u].id, hex=name, reveals=True)
            remove(s, u, POOL)
        else:
            s.steps[u] = left
            emit(s, "evacuates", "7.7.5-evac", unit=FOG.veil(s, u), hex=name)


def evacuation_failed(s: BitwState, unit: int) -> None:
    """7.7.5-evac An aircraft that cannot get away surrenders (4.5a)."""
    name = world(s).theatre.names[s.place[unit]]
    emit(s, "surrendered", "7.7.5-evac", unit=UNITS[unit].id, hex=name, reveals=True)
    award(s, unit)
    remove(s, unit, POOL)


class FleeBase(RebaseAll):
    """7.7.5-evac They must fly to a free base in range, or surrender."""

    verbs = {"rebase": UNIT}

    def nouns(self, s: BitwState, c: Evacuation, side: Side, verb: str) -> list[int]:
        """Those still there."""
        return air_in(s, c.hex, side)

    def why_not(self, s: BitwState, c: Evacuation, side: Side, verb: str, noun: int) -> No | None:
        """Only those caught."""
        return why_not_own(noun, side) or (None if noun in air_in(s, c.hex, side) else NOT_HERE)

    def apply(self, s: BitwState, c: Evacuation, side: Side, verb: str, noun: int) -> None:
        """Fly, or surrender."""
        if has_home(s, noun):
            enter(s, Landing(unit=noun, side=side))
        else:
            evacuation_failed(s, noun)


def end_evacuation(s: BitwState, c: Evacuation) -> None:
    """7.7.5-evac The hex is empty of enemies now and falls to those who entered; no battle follows (ruling A64)."""
    from .definitions import take_control

    for u in units_in(s, c.hex):
        if IS_GROUND[u] and SIDE_OF[u] != c.side:
            take_control(s, c.hex, UNITS[u].power)
            break
