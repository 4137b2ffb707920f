"""24 Amphibious landings: the first wave, the second, the way back, armour that follows by sea.

A landing is ordered by a navy HQ, or by Churchill and Eisenhower together after Casablanca (`headquarters`). The sea
takes its toll where chapter 18 is played. Units that came ashore this turn bear the mark LANDED, who waits STANDBY.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from grognard.kernel import NOTHING, Decision, No, Side, emit, enter, leave, no, roll, rule

from ..frames import Combat, Disembarking, PlayerTurn
from ..nouns import FOG, HEX, UNIT, name_of
from ..state import (
    DROPPED,
    FOUGHT,
    LANDED,
    MOVED,
    NEW,
    NONE,
    OFF,
    OOS,
    RAILED,
    RESERVE,
    STANDBY,
    BitwState,
    enemy_in,
    enemy_of,
    is_battle,
    is_done,
    is_frozen,
    month,
    on_map,
    put,
    side_holding,
    side_in,
    units_in,
)
from ..theatre import MAJOR
from ..world import IS_COMBAT, IS_FORT, IS_GROUND, LIMITS, POWERS, SIDE_OF, UNITS, world
from .combat import field_of, hit
from .definitions import note_attack, take_control, tech_of, why_not_climate, why_not_own, why_not_serve, why_not_stand
from .headquarters import IS_HQ, commander, has_order, headquarters, spend
from .movement import evacuated_only, land_of
from .opening import rule_is_on
from .sea import danger, lose_at_sea, sea_of, seas_from, sink, voyage, why_not_sail_from
from .siege import has_festung
from .waters import sea_counts
from .weather import is_sunny

NO_LANDINGS, NOT_A_LANDER = no("24.0a", "no-landings"), no("24.0a", "not-a-lander")
NOT_ON_MAP, FROZEN, MOVED_ALREADY = no("24.1b", "not-on-map"), no("3.21", "frozen"), no("7.5.1", "moved-already")
LANDER_TECH, NOT_FULL = no("24.0a", "lander-tech"), no("24.1b", "not-full")
UNSUPPLIED_LANDING, BAD_WEATHER = no("24.1b", "unsupplied-landing"), no("24.1b", "bad-weather")
NO_NAVY, NO_BEACH = no("24.5-wave-a", "no-navy"), no("24.1b", "no-beach")
NOT_A_COAST, OWN_COAST = no("24.1b", "not-a-coast"), no("24.1b", "own-coast")
BEACH_TOO_FAR, NOT_FRONT = no("24.1b", "beach-too-far"), no("24.0a", "not-front-beach")
ROUGH_BEACH, TWO_KINDS = no("24.1b", "rough-beach"), no("24.3", "two-kinds")
UTRECHT, FESTUNG_COAST = no("24.2a", "utrecht"), no("24.2b", "festung-coast")
NO_STANDBY, NOT_WAITING = no("24.0b", "no-stand-by"), no("24.5-wave-b", "no-second-wave")
MARINES_ONLY, NO_HOLD = no("24.5-wave-c", "marines-only"), no("24.5-wave-d", "no-hold")
NOT_A_MARINE, NO_WAY_BACK = no("24.1e", "not-a-marine"), no("24.1e", "no-way-back")
NO_INVASION, ARMOUR_FERRY, NO_FERRY = no("24.7", "no-invasion"), no("24.7", "armour-ferry"), no("24.7", "no-ferry")

IS_MARINE = bytes("marine" in u.traits for u in UNITS)
IS_REGULAR = bytes(u.kind == "infantry" for u in UNITS)
HOLDS_COAST = bytes("marine" in u.traits or u.kind == "para" for u in UNITS)  # 24.5-wave-d


# Who lands, and where


@rule("24.4", "23.0-surprise")
def surprises(s: BitwState, side: Side, node: int) -> bool:
    """24.4 A neutral power in the first turn that it is attacked: the minor powers of May 1940 (rulings A39, A80)."""
    owner = s.owner[node]
    if s.turn != 1 or month(s) != "1940-05" or owner >= len(POWERS):
        return False
    return POWERS[owner].rank == "minor" and POWERS[owner].side != side


@rule("24.0a", "24.1b", "24.4")
def landing_tech(s: BitwState, unit: int, node: int) -> int:
    """24.4 The infantry tech that a lander acts with: TECH 2 is as good as 3 where the enemy is surprised."""
    tech = tech_of(s, unit)
    return 3 if tech == 2 and surprises(s, SIDE_OF[unit], node) else tech


@rule("24.0a", "24.1b", "24.1c")
def why_not_embark(s: BitwState, unit: int, side: Side, phase: str) -> No | None:
    """24.1b Infantry or marines of TECH 2, at full strength and supplied, in an open port, in sunshine."""
    if phase != "move" or not rule_is_on(s, "24.0a"):
        return NO_LANDINGS
    refusal = why_not_own(unit, side)
    if refusal:
        return refusal
    here = s.place[unit]
    if here >= OFF:
        return NOT_ON_MAP
    if not (IS_MARINE[unit] or IS_REGULAR[unit]):
        return NOT_A_LANDER
    if is_frozen(s, unit):
        return FROZEN
    if is_done(s, unit) or s.flags[unit] & NEW or s.orders[unit] & RAILED:
        return MOVED_ALREADY
    if tech_of(s, unit) < 2:
        return LANDER_TECH
    if s.flags[unit] & OOS:
        return UNSUPPLIED_LANDING
    if s.steps[unit] < UNITS[unit].pattern.top:
        return NOT_FULL
    if here < world(s).theatre.hexes and not is_sunny(s, here):
        return BAD_WEATHER
    return why_not_sail_from(s, side, here) or why_not_serve(s, unit)


@rule("24.5-wave-a", "24.0b")
def why_not_invade(s: BitwState, unit: int, side: Side, phase: str) -> No | None:
    """24.5-wave-a Besides, a navy HQ, Churchill or Eisenhower must order it, and a beach be in reach."""
    refusal = why_not_embark(s, unit, side, phase)
    if refusal:
        return refusal
    if commander(s, unit, "landing") == NONE:
        return NO_NAVY
    return None if next(shores(s, unit), None) is not None else NO_BEACH


@rule("24.1b", "24.8")
def price_of(s: BitwState, unit: int, node: int) -> int:
    """24.8 The action points of a landing: 1 within 5 hexes by sea, for TECH 3 marines 2, 3 or 4 at 10, 15 or 20."""
    way = len(voyage(world(s).theatre, s.place[unit], node)) - 1
    if way <= 0:
        return 0
    price = -(-way // LIMITS["landing_range"])
    return price if price == 1 or (IS_MARINE[unit] and tech_of(s, unit) >= 3 and price <= 4) else 0


@rule("14.0-beach", "24.1a", "24.0a")
def is_front_beach(s: BitwState, port: int, node: int) -> bool:
    """24.1a A beach that lies in front of a port: Calais of Dover, Southampton of Cherbourg, not Dover."""
    t = world(s).theatre
    return "beach" in t.board.tags[node] and t.distance(port, node) <= LIMITS["front_beach"]


@rule("24.1b", "24.3")
def difficulties(s: BitwState, node: int) -> int:
    """24.3 How many kinds of difficult ground a hex has: rough terrain, a major city, shoals."""
    return rough(s, node) + bool(world(s).theatre.board.hexes[node].get("shoals"))


@rule("24.3", "23.0-tech3", "23.0-surprise")
def rough(s: BitwState, node: int) -> int:
    """23.0-tech3 How many kinds of difficult ground a hex has on land: rough terrain, a major city.

    Torino has two. Rotterdam, a swamp on our map, has one: paratroops dropped on it in 1940, at the price of a hit.
    """
    t = world(s).theatre
    return (t.terrain[node] != "clear" and node not in t.polders) + (t.city[node] == MAJOR)


@rule("24.2a", "24.2b", "3.7.1-channel-festung")
def why_forbidden(s: BitwState, node: int, side: Side) -> No | None:
    """24.2 Utrecht between two Forts; the coast by the Channel Islands while a Festung stands there (ruling A38)."""
    t = world(s).theatre
    if t.has("utrecht") and node == t.find("utrecht"):
        flanks = [t.find(name) for name in ("den-haag", "amsterdam")]
        if all(any(IS_FORT[u] and SIDE_OF[u] != side for u in units_in(s, n)) for n in flanks):
            return UTRECHT
    if t.has("avranches") and node == t.find("avranches") and has_festung(s, t.find("channel-islands"), 1 - side):
        return FESTUNG_COAST
    return None


@rule("3.7.1-channel-festung", "24.2b")
def why_known_forbidden(s: BitwState, node: int, side: Side) -> No | None:
    """24.2b What a side can know of it: a Festung that it has not seen refuses nobody; who lands under it is lost."""
    refusal = why_forbidden(s, node, side)
    if refusal is not FESTUNG_COAST:
        return refusal
    islands = world(s).theatre.find("channel-islands")
    seen = any(IS_FORT[u] and SIDE_OF[u] != side and FOG.knows(s, side, u) for u in units_in(s, islands))
    return refusal if seen else None


@rule("24.0a", "24.1a", "24.1b", "24.3", "24.4", "24.8")
def why_not_beach(s: BitwState, unit: int, node: int, second: bool = False) -> No | None:
    """24.1b A coast that is not one's own, in range, in sunshine, clear; other infantry than marines a front-beach.

    24.3 Marines of TECH 3 may land on one kind of difficult ground, at the price of a hit.
    """
    t, side = world(s).theatre, SIDE_OF[unit]
    if node >= t.hexes or not t.coastal[node] or not t.playable[node]:
        return NOT_A_COAST
    if side_holding(s, node) == side and not enemy_in(s, node, side):
        return OWN_COAST
    price = price_of(s, unit, node)
    front = is_front_beach(s, s.place[unit], node)
    if not price and not front:
        return BEACH_TOO_FAR
    tech = landing_tech(s, unit, node)
    as_marine = IS_MARINE[unit] or surprises(s, side, node)
    if not as_marine and not front:
        return NOT_FRONT
    if not is_sunny(s, node):
        return BAD_WEATHER
    hard = difficulties(s, node)
    if hard and not (as_marine and tech >= 3):
        return ROUGH_BEACH
    if hard > 1:
        return TWO_KINDS
    if not second and s.fuel[commander(s, unit, "landing")] < price:
        return NO_NAVY
    refusal = why_known_forbidden(s, node, side) or why_not_climate(UNITS[unit], land_of(t, node))
    return refusal or why_not_stand(s, node, unit)


def beaches(s: BitwState, unit: int, second: bool = False) -> list[int]:
    """24.1b The coasts where a unit may land."""
    return list(shores(s, unit, second))


def shores(s: BitwState, unit: int, second: bool = False) -> Iterator[int]:
    """24.1b The same, one by one."""
    t = world(s).theatre
    far = LIMITS["landing_range"] * (4 if IS_MARINE[unit] and tech_of(s, unit) >= 3 else 1)
    near = t.distances(s.place[unit])
    coast = (n for n in range(t.hexes) if t.coastal[n] and near[n] <= far)
    return (n for n in coast if why_not_beach(s, unit, n, second) is None)


def landers(s: BitwState, side: Side, phase: str) -> list[int]:
    """The units that may be sent to land now."""
    if phase != "move" or not has_order(s, side, "landing"):
        return []
    mine = [u for u in on_map(s, side) if IS_MARINE[u] or IS_REGULAR[u]]
    return [u for u in mine if why_not_invade(s, u, side, phase) is None]


class ChooseBeach(Decision):
    """24.1b The unit in hand lands on a coast."""

    verbs = {"to": HEX}

    def needed(self, s: BitwState, c: Disembarking, side: Side) -> bool:
        """Until it has gone."""
        return True

    def nouns(self, s: BitwState, c: Disembarking, side: Side, verb: str) -> list[int]:
        """The coasts in reach."""
        return self.coasts(s, c)

    def legal_nouns(self, s: BitwState, c: Disembarking, side: Side, verb: str) -> list[int]:
        """The same, looked up once."""
        return self.coasts(s, c)

    def coasts(self, s: BitwState, c: Disembarking) -> list[int]:
        """By wave: the beaches of the first, what the second may do (24.5), coasts held for armour (24.7)."""
        if c.wave == 1:
            return beaches(s, c.unit)
        return second_coasts(s, c.unit) if c.wave == 2 else held_coasts(s, c.unit)

    def why_not(self, s: BitwState, c: Disembarking, side: Side, verb: str, noun: int) -> No | None:
        """Why not there."""
        if c.wave == 1:
            return why_not_beach(s, c.unit, noun)
        return None if noun in self.coasts(s, c) else NO_HOLD

    def apply(self, s: BitwState, c: Disembarking, side: Side, verb: str, noun: int) -> None:
        """Land; in the second wave a new battle is fought at once."""
        leave(s)
        if c.wave == 1:
            hq = commander(s, c.unit, "landing")
            for _ in range(price_of(s, c.unit, noun) or 1):
                spend(s, hq, "landing", c.unit)
        elif c.wave == 3:
            spend(s, ferry_staff(s, c.unit), "armour", c.unit)
        go_ashore(s, c.unit, noun)
        if c.wave == 2 and is_battle(s, noun):
            enter(s, Combat(hex=noun, attacker=side, blitz=4))


@rule("24.1c", "24.1d", "24.3", "6.7.1a", "24.2b")
def go_ashore(s: BitwState, unit: int, node: int) -> None:
    """24.1c Over the sea with its risk, then ashore: a battle, or a coast taken; hard ground costs a hit (24.3)."""
    t, side, port = world(s).theatre, SIDE_OF[unit], s.place[unit]
    path = voyage(t, port, node) or (port, node)
    hard = difficulties(s, node) and enemy_coast(s, node, side)
    flee = evacuated_only(s, node, side) and enemy_in(s, node, side)
    if enemy_in(s, node, side):
        note_attack(s, node, side)
    put(s, unit, node)
    s.origin[unit] = port
    s.orders[unit] = (s.orders[unit] & ~STANDBY) | LANDED
    s.flags[unit] |= MOVED | FOUGHT
    emit(s, "goes-ashore", "24.1b", unit=FOG.veil(s, unit), hex=name_of(s, node), whence=name_of(s, port))
    cross(s, unit, side, sorted({sea_of(s, port), t.sea[node] or sea_of(s, port)}), path)
    if s.place[unit] != node:
        return
    if why_forbidden(s, node, side) is FESTUNG_COAST:
        sink(s, unit)
        return
    if hard:
        hit(s, unit)
    if s.place[unit] == node and (node, UNITS[unit].power) not in s.landed:
        s.landed = (*s.landed, (node, UNITS[unit].power))
    if s.place[unit] == node and not enemy_in(s, node, side):
        take_control(s, node, UNITS[unit].power)
    elif flee and s.place[unit] == node:
        from ..frames import Evacuation

        enter(s, Evacuation(hex=node, side=enemy_of(side)))


def enemy_coast(s: BitwState, node: int, side: Side) -> bool:
    """True if a coast is not held by one's own units already."""
    return not any(IS_GROUND[u] for u in side_in(s, node, side))


@rule("24.1c", "18.1a")
def cross(s: BitwState, unit: int, side: Side, seas: Iterable[str], path: tuple[int, ...]) -> None:
    """24.1c A landing is a voyage: where chapter 18 is played the enemy rolls for it."""
    if not sea_counts(s):
        return
    hurt, sunk = danger(s, side, seas, path)
    if hurt > 6:
        return
    (die,) = roll(s, "18.1a", 1, side=enemy_of(side))
    if die >= sunk:
        sink(s, unit)
    elif die >= hurt:
        lose_at_sea(s, unit, "18.1a")


# 24.5 The second wave


@rule("24.5-wave-b", "24.0b")
def why_not_stand_by(s: BitwState, unit: int, side: Side, phase: str) -> No | None:
    """24.5-wave-b Any ground unit in a port may wait for the second wave, one point each; not under Doenitz (24.0b)."""
    if phase != "move" or not rule_is_on(s, "24.5-wave-b"):
        return NO_LANDINGS
    refusal = why_not_own(unit, side)
    if refusal:
        return refusal
    here = s.place[unit]
    if here >= OFF:
        return NOT_ON_MAP
    if not IS_GROUND[unit] or IS_FORT[unit] or UNITS[unit].kind == "static":
        return NOT_A_LANDER
    if is_frozen(s, unit):
        return FROZEN
    if is_done(s, unit):
        return MOVED_ALREADY
    refusal = why_not_sail_from(s, side, here) or why_not_serve(s, unit)
    if refusal:
        return refusal
    hq = commander(s, unit, "landing")
    if hq == NONE:
        return NO_NAVY
    return NO_STANDBY if headquarters()[hq].kind == "doenitz" else None


def could_stand_by(s: BitwState, side: Side, phase: str) -> list[int]:
    """The units that may be told to wait."""
    if phase != "move" or not has_order(s, side, "landing"):
        return []
    return [u for u in on_map(s, side) if IS_GROUND[u] and why_not_stand_by(s, u, side, phase) is None]


@rule("24.5-wave-b")
def stand_by(s: BitwState, unit: int) -> None:
    """24.5-wave-b The unit waits aboard, for all to see."""
    spend(s, commander(s, unit, "landing"), "landing", unit)
    s.orders[unit] |= STANDBY
    s.flags[unit] |= MOVED
    emit(s, "stands-by", "24.5-wave-b", unit=FOG.veil(s, unit), hex=name_of(s, s.place[unit]))


@rule("24.5-wave-c")
def is_near(s: BitwState, unit: int, node: int) -> bool:
    """24.5-wave-c A beach within 5 hexes by sea of the port where a unit waits, or in front of it: all can see that."""
    way = len(voyage(world(s).theatre, s.place[unit], node)) - 1
    return 0 < way <= LIMITS["landing_range"] or (way > 0 and is_front_beach(s, s.place[unit], node))


@rule("24.5-wave-c", "24.5-wave-d", "24.0c")
def why_not_reinforce(s: BitwState, unit: int, node: int) -> No | None:
    """24.5-wave-c On a beach still fought for only marines follow, on a cleared one all for whom there is room."""
    if not s.orders[unit] & STANDBY:
        return NOT_WAITING
    if not is_near(s, unit, node):
        return BEACH_TOO_FAR
    t = world(s).theatre
    if is_battle(s, node) and not IS_MARINE[unit]:
        return MARINES_ONLY
    return why_not_stand(s, node, unit) or why_not_climate(UNITS[unit], land_of(t, node))


@rule("24.5-wave-d")
def is_held(s: BitwState, node: int, side: Side) -> bool:
    """24.5-wave-d A coast that marines or paras of the side hold, or cover with their zone, and no enemy stands on."""
    t = world(s).theatre
    if enemy_in(s, node, side) or not t.coastal[node]:
        return False
    return any(HOLDS_COAST[u] for n in (node, *t.touch[node]) for u in side_in(s, n, side) if not is_battle(s, n))


@rule("24.5-wave-c", "24.5-wave-d")
def second_coasts(s: BitwState, unit: int) -> list[int]:
    """24.5-wave-d Where a waiting unit may go besides the first beaches: coasts held, or, to fight, new ones.

    Marines invade any beach in reach, other infantry a front-beach; armour, guns and HQs go to held coasts only.
    """
    t = world(s).theatre
    near = t.distances(s.place[unit])
    coast = [n for n in range(t.hexes) if t.coastal[n] and near[n] <= LIMITS["landing_range"]]
    held = {n for n in coast if is_held(s, n, SIDE_OF[unit]) and why_not_reinforce(s, unit, n) is None}
    fights = (IS_MARINE[unit] or IS_COMBAT[unit]) and not UNITS[unit].is_armour
    new = {n for n in coast if fights and why_not_beach(s, unit, n, second=True) is None}
    return sorted(held | new)


class SecondWave(Decision):
    """24.5-wave-c After the first round waiting units reinforce the beach; 24.5-wave-d later they land elsewhere."""

    verbs = {"done": NOTHING, "wave": UNIT}

    def needed(self, s: BitwState, c: Any, side: Side) -> bool:
        """While somebody waits, and the player has not finished.

        Not only where one could go: that would tell the enemy whether marines wait, or who stands the climate (1.3).
        """
        waiting = (u for u in on_map(s, side) if s.orders[u] & STANDBY)
        if c.finished == c.at():
            return False
        return any(not isinstance(c, Combat) or is_near(s, u, c.hex) for u in waiting)

    def nouns(self, s: BitwState, c: Any, side: Side, verb: str) -> Iterable[int]:
        """Those who wait and could go."""
        if verb == "done":
            return (0,)
        waiting = [u for u in on_map(s, side) if s.orders[u] & STANDBY]
        return [u for u in waiting if self.why_not(s, c, side, verb, u) is None]

    def why_not(self, s: BitwState, c: Any, side: Side, verb: str, noun: int) -> No | None:
        """Only units that wait."""
        if verb == "done":
            return None
        refusal = why_not_own(noun, side)
        if refusal:
            return refusal
        if s.place[noun] >= OFF or not s.orders[noun] & STANDBY:
            return NOT_WAITING
        if isinstance(c, Combat):
            return why_not_reinforce(s, noun, c.hex)
        return None if second_coasts(s, noun) else NO_HOLD

    def apply(self, s: BitwState, c: Any, side: Side, verb: str, noun: int) -> None:
        """Land on this beach, or take the unit in hand."""
        if verb == "done":
            c.finished = c.at()
        elif isinstance(c, Combat):
            go_ashore(s, noun, c.hex)
            c.blitz |= 4
        else:
            enter(s, Disembarking(unit=noun, side=side, wave=2))


@rule("24.0c", "24.5-wave-c")
def second_wave_due(s: BitwState, c: Combat) -> bool:
    """24.0c After the first round of a landing."""
    return c.round == 2 and is_landing(s, c) and bool(side_in(s, c.hex, c.attacker))


@rule("24.6")
def wave_reaction_due(s: BitwState, c: Combat) -> bool:
    """24.6 Reserve armour answers the second wave too; aircraft do not."""
    return c.round == 2 and bool(c.blitz & 4) and is_battle(s, c.hex)


def is_landing(s: BitwState, c: Combat) -> bool:
    """24.1d Whether units land from the sea in this battle."""
    return any(s.orders[u] & LANDED for u in side_in(s, c.hex, c.attacker))


@rule("24.1d")
def first_guns(s: BitwState, c: Combat) -> tuple[Side, ...]:
    """24.1d Whose guns fire first: the attacker's, but against a landing in its first round the defender's."""
    against_landing = c.round == 1 and is_landing(s, c) and field_of(s, c).landing
    return (enemy_of(c.attacker),) if against_landing else (c.attacker,)


def second_guns(s: BitwState, c: Combat) -> tuple[Side, ...]:
    """24.1d Whose guns fire after those."""
    return (1 - first_guns(s, c)[0],)


# 24.7 Armour by sea in the Exploitation Phase


@rule("24.7")
def ferry_staff(s: BitwState, unit: int) -> int:
    """24.7 The active armour HQ that ships a unit."""
    from .headquarters import commanders

    return next((u for u in commanders(s, unit, "armour") if headquarters()[u].kind == "armour"), NONE)


@rule("24.7")
def held_coasts(s: BitwState, unit: int) -> list[int]:
    """24.7 The coasts on the same sea that marines or paras hold or cover."""
    t, side, here = world(s).theatre, SIDE_OF[unit], s.place[unit]
    seas = seas_from(s, side, here)
    coast = [n for n in range(t.hexes) if t.coastal[n] and n != here and is_held(s, n, side)]
    near = [n for n in coast if not t.sea[n] or t.sea[n] in seas]
    return [n for n in near if voyage(t, here, n) and why_not_stand(s, n, unit) is None]


@rule("24.7")
def why_not_ferry(s: BitwState, unit: int, side: Side, phase: str) -> No | None:
    """24.7 After an invasion that holds its beach, armour in a port follows by order of an armour HQ."""
    if phase != "exploit" or not rule_is_on(s, "24.7"):
        return NO_LANDINGS
    refusal = why_not_own(unit, side)
    if refusal:
        return refusal
    if not any(side_holding(s, node) == side for node, power in s.landed if POWERS[power].side == side):
        return NO_INVASION
    here = s.place[unit]
    if here >= OFF:
        return NOT_ON_MAP
    if not UNITS[unit].is_armour:
        return ARMOUR_FERRY
    if is_done(s, unit, RESERVE):
        return MOVED_ALREADY
    refusal = why_not_sail_from(s, side, here) or why_not_serve(s, unit)
    if refusal:
        return refusal
    return None if ferry_staff(s, unit) != NONE and held_coasts(s, unit) else NO_FERRY


def could_ferry(s: BitwState, side: Side, phase: str) -> list[int]:
    """The armour that may follow."""
    if phase != "exploit" or not s.landed or not any(s.active):
        return []
    return [u for u in on_map(s, side) if UNITS[u].is_armour and why_not_ferry(s, u, side, phase) is None]


def end_landings(s: BitwState, c: PlayerTurn) -> None:
    """24.5-wave-d Who still waits has only threatened; who landed is an ordinary unit now."""
    for u in on_map(s, c.side):
        s.orders[u] &= ~(LANDED | STANDBY | DROPPED | (0 if IS_HQ[u] else RAILED))
