"""7.4 Strategic rail movement, with what else happens in that phase: Paris open city (5.1) and the evacuation (A78)."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.kernel import NOTHING, Decision, No, Side, emit, enter, is_on, leave, no, rule

from ..frames import InHand, PlayerTurn, Railing, Sailing
from ..loading import ALLIES, charts
from ..memo import facing, remembered
from ..nouns import CITY, FOG, HEX, UNIT, name_of
from ..state import NONE, OFF, OOS, OUT, RAILED, BitwState, is_frozen, on_map, put, side_holding
from ..world import IS_AIR, IS_FORT, IS_GROUND, LIMITS, POWERS, SIDE_OF, UNIT_IDS, UNITS, world
from .definitions import airbase_taken, has_room, next_to_enemy, pool_of, port_is_open, why_not_own, why_not_serve
from .discs import held_by_discs
from .fuel import why_not_leave
from .headquarters import (
    IS_HQ,
    activate,
    commander,
    hqs_count,
    ready,
    spend,
    supply_coast,
    why_not_activate,
    why_not_supply,
)
from .supply import BRITAIN, is_airbase, joined_by_rail, sources_of
from .targets import is_blocked_station, is_shut_to_ships, locomotives_lost
from .waters import sea_counts

CHANNEL = ("calais", "dunkerque", "boulogne", "dieppe", "le-havre", "cherbourg", "oostende", "brest", "st-malo")
FRANCE = charts().power_ids["FR"]
GAMELIN = UNIT_IDS["fr-gam"]
STAFF = ("activate", "rail-free", "supply")  # what HQs add to the phase (13.8.1c, 13.8.4)
IS_BEF = bytes("bef" in u.traits for u in UNITS)

NOT_BY_RAIL, NOT_ON_MAP = no("7.4h", "not-by-rail"), no("7.4a", "not-on-map")
FROZEN, UNSUPPLIED_RAIL = no("3.21", "frozen"), no("7.4a", "unsupplied-rail")
NO_RAIL, NEXT_TO_ENEMY = no("7.4a", "no-rail"), no("7.4a", "next-to-enemy")
RAIL_TOO_DEAR = no("7.4d", "too-dear", lambda s, c, side, unit: {"cost": LIMITS["rail_cost"], "points": 0})
NO_RAIL_WAY, NO_PORT = no("7.4b", "no-rail-way"), no("5.3-evac", "no-port")
NO_OPEN_CITY, DECLARED_ALREADY = no("5.1-open-city-a", "no-open-city"), no("5.1-open-city-a", "declared-already")
PARIS_LOST, ENEMY_AT_PARIS = no("5.1-open-city-c", "paris-lost"), no("5.1-open-city-c", "enemy-at-paris")
NO_EVACUATION, SAILED_ALREADY = no("5.3-evac", "no-evacuation"), no("5.3-evac", "sailed-already")
BOMBED_STATION, NO_BOAT = no("32.3", "bombed-station"), no("32.2", "bombed-port")
NO_ORDER = no("13.8.1c", "no-order")
NO_CHANNEL_PORT = no("5.3-evac", "no-channel-port")


@rule("7.4a", "7.4d", "7.4e", "7.4h", "3.21", "6.6c", "32.3")
def why_not_rail(s: BitwState, unit: int, price: int = LIMITS["rail_cost"]) -> No | None:
    """7.4a A supplied unit on a rail hex, next to no enemy; 1 point (7.4d); so many a turn for each power (7.4e).

    7.4h Ground units, static infantry among them; not forts, nor aircraft, which change base by flying: the text says
    "a unit", so that players may agree otherwise (option `air-rail`).
    """
    t = world(s).theatre
    u = UNITS[unit]
    if IS_FORT[unit] or (IS_AIR[unit] and not is_on(s, "air-rail")):
        return NOT_BY_RAIL
    if s.place[unit] >= OFF:
        return NOT_ON_MAP
    if is_frozen(s, unit):
        return FROZEN
    if s.flags[unit] & OOS:
        return UNSUPPLIED_RAIL
    if not t.rail[s.place[unit]]:
        return NO_RAIL
    if is_blocked_station(s, s.place[unit]):
        return BOMBED_STATION
    if next_to_enemy(s, s.place[unit], u.side):
        return NEXT_TO_ENEMY
    allowance = allowance_of(u.power)
    if s.railed[allowance] >= rail_limit(s, allowance):
        return RAIL_LIMIT
    if s.pp[pool_of(s, u.power)] < price:
        return RAIL_TOO_DEAR
    return why_not_serve(s, unit) or (why_not_leave(s, unit) if hqs_count(s) else None)


@rule("13.8.1c", "13.8.1.1-g", "13.8.1.1-lw")
def why_not_rail_free(s: BitwState, unit: int) -> No | None:
    """13.8.1c A leader's free rail move costs no point, but counts against the limit of its power (ruling A19)."""
    refusal = why_not_rail(s, unit, 0)
    return NO_ORDER if refusal is None and commander(s, unit, "rail") == NONE else refusal


@rule("7.4e", "7.4f", "32.3")
def rail_limit(s: BitwState, power: int) -> int:
    """7.4e Rail moves of a power in a turn; 7.4f Germany has 7 and Italy 2 only where the sister games are joined."""
    p = POWERS[power]
    limit = p.rail_combined if "combined" in world(s).scenario.rules else p.rail_limit
    return max(0, limit - locomotives_lost(s, power)) if s.bombed else limit


@rule("7.4e")
def allowance_of(power: int) -> int:
    """7.4e Whose rail allowance a power uses: the US has none and uses the British one."""
    return charts().power_ids[POWERS[power].rail_with]


RAIL_LIMIT = no(
    "7.4e", "rail-limit", lambda s, c, side, unit: {"limit": rail_limit(s, allowance_of(UNITS[unit].power))}
)


@rule("7.4b", "3.5")
def rail_hexes(s: BitwState, unit: int) -> list[int]:
    """7.4b Everywhere along friendly rail, never through or into a hex next to an enemy; with room at the end."""
    start = s.place[unit]
    return sorted(n for n in rail_reach(s, SIDE_OF[unit], start) if n != start and takes_train(s, n, unit))


def takes_train(s: BitwState, node: int, unit: int) -> bool:
    """7.4b Whether a unit may leave the train in a hex: with room, an aircraft at a free base."""
    if not IS_AIR[unit]:
        return has_room(s, node, unit)
    u = UNITS[unit]
    return is_airbase(s, u.side, node, sources_of(s, u.power, u.home)) and not airbase_taken(s, node, unit)


def can_rail(s: BitwState, unit: int) -> bool:
    """7.4b True if rail leads anywhere."""
    start = s.place[unit]
    return any(n != start and takes_train(s, n, unit) for n in rail_reach(s, SIDE_OF[unit], start))


def rail_reach(s: BitwState, side: Side, start: int) -> frozenset[int]:
    """7.4b The nodes that a side can reach by rail from a node that is itself next to no enemy."""
    return rail_lines(s, side).get(start) or frozenset((start,))


@remembered(facing)
def rail_lines(s: BitwState, side: Side) -> dict[int, frozenset[int]]:
    """7.4b For every node open to a side's trains, the nodes joined to it by rail: friendly, next to no enemy."""
    t = world(s).theatre
    theirs = (1 - side) * len(s.first_in)
    present, owner, playable, hexes = s.present, s.owner, t.playable, t.hexes
    mine = {p.index for p in POWERS if p.side == side}
    near_enemy = {n for foe in {s.place[u] for u in on_map(s, 1 - side)} for n in t.touch[foe]}
    near_enemy |= held_by_discs(s, side, 1)  # 29.1d
    near_enemy |= {e[2] for e in s.bombed if is_blocked_station(s, e[2])}  # 32.3
    far = [n for n in t.rail_nodes if n not in near_enemy]
    free = [n for n in far if n >= hexes or (playable[n] and owner[n] in mine and not present[theirs + n])]
    return joined_by_rail(s, frozenset(free))


@rule("7.4a", "7.4c", "5.1-open-city-a", "13.8.1c", "13.8.4")
class RailPhase(Decision):
    """7.4 Rail moves one unit at a time; a unit may still move in the Movement Phase (7.4c)."""

    verbs = {"done": NOTHING, "rail": UNIT, "open-city": CITY, "sail": UNIT} | dict.fromkeys(STAFF, UNIT)

    def needed(self, s: BitwState, c: PlayerTurn, side: Side) -> bool:
        """Until he is done: asked only while somebody could go, it would tell who stands where (1.3)."""
        return c.finished != c.at() and bool(on_map(s, side))

    def wording(self, s: BitwState, c: PlayerTurn) -> str:
        """13.0 Where HQs are played, who activates them is told that it is now."""
        return "RailPhase-staff" if hqs_count(s) else "RailPhase"

    def nouns(self, s: BitwState, c: PlayerTurn, side: Side, verb: str) -> Iterable[int]:
        """Ground units, the open city, the evacuation."""
        if verb == "activate":
            return ready(s, side, "rail")
        if verb in STAFF and not any(s.active):
            return ()
        if verb == "supply":
            return [u for u in on_map(s, side) if s.flags[u] & OOS]
        if verb in ("rail", "rail-free"):
            return [u for u in on_map(s, side) if IS_GROUND[u] or is_on(s, "air-rail")]
        if verb == "done":
            return (0,)
        if side != ALLIES:
            return ()
        return [u for u in on_map(s, side) if IS_BEF[u]] if verb == "sail" else (0,)

    def why_not(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> No | None:
        """Why not by rail, by sea, or open."""
        if verb == "done":
            return None
        if verb == "open-city":
            return why_not_open_city(s, side)
        if verb == "activate":
            return why_not_activate(s, noun, side, "rail")
        if verb == "supply":
            return why_not_supply(s, noun, side)
        refusal = why_not_own(noun, side)
        if refusal:
            return refusal
        if verb == "sail":
            return why_not_sail(s, noun)
        refusal = why_not_rail(s, noun) if verb == "rail" else why_not_rail_free(s, noun)
        return NO_RAIL_WAY if refusal is None and not can_rail(s, noun) else refusal

    def apply(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> None:
        """Take the unit in hand, or declare Paris open."""
        if verb == "done":
            c.finished = c.at()
        elif verb == "open-city":
            open_paris(s)
        elif verb == "activate":
            activate(s, noun)
        elif verb == "supply":
            supply_coast(s, noun)
        elif verb == "rail-free":
            enter(s, Railing(unit=noun, side=side, hq=commander(s, noun, "rail")))
        else:
            enter(s, Railing(unit=noun, side=side) if verb == "rail" else Sailing(unit=noun, side=side))


@rule("7.4b", "7.4d", "7.4e", "5.3-evac")
class RailTo(Decision):
    """7.4b The unit in hand goes by rail, or by sea (A78)."""

    verbs = {"to": HEX}

    def needed(self, s: BitwState, c: InHand, side: Side) -> bool:
        """Until it has gone."""
        return True

    def nouns(self, s: BitwState, c: InHand, side: Side, verb: str) -> list[int]:
        """The hexes in reach."""
        return rail_hexes(s, c.unit) if isinstance(c, Railing) else sail_hexes(s, c.unit)

    def legal_nouns(self, s: BitwState, c: InHand, side: Side, verb: str) -> list[int]:
        """The same, looked up once."""
        return self.nouns(s, c, side, verb)

    def why_not(self, s: BitwState, c: InHand, side: Side, verb: str, noun: int) -> No | None:
        """Only along open rail."""
        if isinstance(c, Sailing):
            return None if noun in sail_hexes(s, c.unit) else NO_PORT
        here = s.place[c.unit]
        open_line = noun != here and noun in rail_reach(s, side, here) and takes_train(s, noun, c.unit)
        return None if open_line else NO_RAIL_WAY

    def apply(self, s: BitwState, c: InHand, side: Side, verb: str, noun: int) -> None:
        """Go and pay."""
        leave(s)
        power, by_rail = UNITS[c.unit].power, isinstance(c, Railing)
        if isinstance(c, Railing):
            s.railed[allowance_of(power)] += 1
            if c.hq == NONE:
                s.pp[pool_of(s, power)] -= LIMITS["rail_cost"]
            else:
                spend(s, c.hq, "rail", c.unit)
        else:
            s.sailed += 1
        put(s, c.unit, noun)
        if not IS_HQ[c.unit]:
            s.orders[c.unit] |= RAILED
        emit(s, "railed" if by_rail else "sailed", "7.4b", unit=FOG.veil(s, c.unit), hex=name_of(s, noun))


# 5.1 Paris open city


@rule("5.1-open-city-a", "5.1-open-city-c")
def why_not_open_city(s: BitwState, side: Side) -> No | None:
    """5.1-open-city-a France may declare Paris open while it holds it and no enemy is next to it (c; ruling A79)."""
    w = world(s)
    t = w.theatre
    if side != ALLIES or "open-city" not in w.scenario.rules or FRANCE not in w.scenario.in_play:
        return NO_OPEN_CITY
    if s.open_city or s.status[FRANCE] & OUT:
        return DECLARED_ALREADY
    if side_holding(s, t.paris) != ALLIES:
        return PARIS_LOST
    return ENEMY_AT_PARIS if next_to_enemy(s, t.paris, ALLIES) else None


@rule("5.1-open-city-a")
def open_paris(s: BitwState) -> None:
    """5.1-open-city-a Bordeaux becomes the French capital; everybody leaves Paris in the next Movement Phase."""
    s.open_city = 1
    s.capital[FRANCE] = world(s).theatre.find("bordeaux")
    emit(s, "open-city", "5.1-open-city-a")
    if s.place[GAMELIN] == world(s).theatre.paris:  # 13.8.1e the one move that he makes
        put(s, GAMELIN, s.capital[FRANCE])
        emit(s, "railed", "5.1-open-city-a", unit=FOG.veil(s, GAMELIN), hex=name_of(s, s.capital[FRANCE]))


# A78 The evacuation


@rule("5.3", "5.3-evac", "32.2")
def why_not_sail(s: BitwState, unit: int) -> No | None:
    """5.3-evac Once an Allied turn one corps of the expeditionary force may sail home from a Channel port (A78).

    Where chapter 18 is played leaders order it instead.
    """
    w = world(s)
    t = w.theatre
    if "evacuation" not in w.scenario.rules or not IS_BEF[unit] or sea_counts(s):
        return NO_EVACUATION
    if s.sailed:
        return SAILED_ALREADY
    here = s.place[unit]
    if here >= OFF or here not in {t.find(p) for p in CHANNEL if t.has(p)} or not port_is_open(s, here, ALLIES):
        return NO_CHANNEL_PORT
    if is_shut_to_ships(s, here):
        return NO_BOAT
    return None if sail_hexes(s, unit) else NO_PORT


def sail_hexes(s: BitwState, unit: int) -> list[int]:
    """A78 British ports with room."""
    t = world(s).theatre
    ports = (n for n in t.ports if t.region[n] in BRITAIN and port_is_open(s, n, ALLIES) and has_room(s, n, unit))
    return [n for n in ports if not is_shut_to_ships(s, n)]


def start_rail(s: BitwState, c: PlayerTurn) -> None:
    """7.4e The allowances begin anew each turn."""
    for power in range(len(s.railed)):
        if POWERS[power].side == c.side:
            s.railed[power] = 0
    if c.side == ALLIES:
        s.sailed = 0
