"""23 Airborne assaults: paratroops and gliders dropped on a hex, through fighters and flak, into ground combat."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.kernel import Decision, No, Side, emit, leave, no, roll, rule

from ..frames import Combat, Dropping
from ..nouns import FOG, HEX, name_of
from ..state import (
    DROPPED,
    FOUGHT,
    MOVED,
    NEW,
    NONE,
    OFF,
    OOS,
    POOL,
    RAILED,
    RESERVE,
    BitwState,
    enemy_in,
    is_done,
    is_frozen,
    on_map,
    put,
    side_holding,
    side_in,
    units_in,
)
from ..theatre import MAJOR, MINOR
from ..world import LIMITS, SIDE_OF, UNITS, world
from . import fire
from .combat import aloft, hit
from .definitions import (
    note_attack,
    paradrop_succeeds,
    power_tech,
    take_control,
    tech_of,
    why_not_climate,
    why_not_own,
    why_not_serve,
    why_not_stand,
)
from .headquarters import commander, has_order, spend
from .landings import rough, surprises
from .movement import land_of
from .opening import rule_is_on
from .supply import is_airbase, remove, sources_of
from .weather import is_sunny

NO_DROPS, NOT_AIRBORNE = no("23.0a", "no-drops"), no("23.0a", "not-airborne")
NOT_ON_MAP, FROZEN, MOVED_ALREADY = no("23.0b", "not-on-map"), no("3.21", "frozen"), no("7.5.1", "moved-already")
DROP_TECH, NOT_FULL, UNSUPPLIED_DROP = no("23.0a", "drop-tech"), no("23.0b", "not-full"), no("23.0b", "unsupplied-drop")
NO_BASE_HERE, BAD_WEATHER = no("23.0b", "no-base-here"), no("23.0b", "bad-weather")
NO_AIR_STAFF, NO_TARGET = no("23.0c", "no-air-staff"), no("23.0b", "no-target")
OWN_HEX, DROP_TOO_FAR = no("23.0b", "own-hex"), no("23.0b", "drop-too-far")
ROUGH_GROUND, TWO_KINDS = no("23.0b", "rough-ground"), no("23.0-tech3", "two-kinds")

IS_AIRBORNE = bytes("airborne" in u.traits for u in UNITS)


@rule("23.0a", "23.0b", "23.0c")
def why_not_jump(s: BitwState, unit: int, side: Side, phase: str) -> No | None:
    """23.0b An airborne division of TECH 2, at full strength, supplied, at an airbase, in sunshine, by order (23.0c).

    23.0a The 7th and 22nd, the British 1st and 6th, the American 17th, 82nd and 101st; no other paratroops.
    """
    if phase != "move" or not rule_is_on(s, "23.0a"):
        return NO_DROPS
    refusal = why_not_own(unit, side)
    if refusal:
        return refusal
    here, u = s.place[unit], UNITS[unit]
    if not IS_AIRBORNE[unit]:
        return NOT_AIRBORNE
    if here >= OFF:
        return NOT_ON_MAP
    if is_frozen(s, unit):
        return FROZEN
    if is_done(s, unit) or s.flags[unit] & NEW or s.orders[unit] & RAILED:
        return MOVED_ALREADY
    if tech_of(s, unit) < 2:
        return DROP_TECH
    if s.flags[unit] & OOS:
        return UNSUPPLIED_DROP
    if s.steps[unit] < u.pattern.top:
        return NOT_FULL
    if here >= world(s).theatre.hexes or not is_airbase(s, side, here, sources_of(s, u.power, u.home)):
        return NO_BASE_HERE
    if not is_sunny(s, here):
        return BAD_WEATHER
    if commander(s, unit, "drop") == NONE:
        return NO_AIR_STAFF
    return why_not_serve(s, unit) or (None if next(zones(s, unit), None) is not None else NO_TARGET)


@rule("23.0b", "23.0-tech3", "23.0-surprise")
def why_not_drop_at(s: BitwState, unit: int, node: int) -> No | None:
    """23.0b A clear hex within 5; with TECH 3, or by surprise, either within 10, or one kind of difficult ground."""
    t, side = world(s).theatre, SIDE_OF[unit]
    if node >= t.hexes or not t.playable[node] or not t.terrain[node]:
        return DROP_TOO_FAR
    if side_holding(s, node) == side and not enemy_in(s, node, side):
        return OWN_HEX
    best = tech_of(s, unit) >= 3 or surprises(s, side, node)
    hard, far = rough(s, node), t.distance(s.place[unit], node)
    if hard > 1:
        return TWO_KINDS
    if hard and not best:
        return ROUGH_GROUND
    if far > LIMITS["drop_range_far" if best and not hard else "drop_range"]:
        return DROP_TOO_FAR
    if not is_sunny(s, node):
        return BAD_WEATHER
    return why_not_climate(UNITS[unit], land_of(t, node)) or why_not_stand(s, node, unit)


def zones(s: BitwState, unit: int) -> Iterator[int]:
    """23.0b Where a unit may be dropped, one by one: who only asks whether there is one stops at the first."""
    t = world(s).theatre
    near = t.distances(s.place[unit])
    close = (n for n in range(t.hexes) if near[n] <= LIMITS["drop_range_far"])
    return (n for n in close if why_not_drop_at(s, unit, n) is None)


def drop_zones(s: BitwState, unit: int) -> list[int]:
    """23.0b Where a unit may be dropped."""
    return list(zones(s, unit))


def jumpers(s: BitwState, side: Side, phase: str) -> list[int]:
    """The units that may be dropped now."""
    if phase != "move" or not has_order(s, side, "drop"):
        return []
    return [u for u in on_map(s, side) if IS_AIRBORNE[u] and why_not_jump(s, u, side, phase) is None]


class ChooseDropZone(Decision):
    """23.0d The unit in hand is dropped on a hex."""

    verbs = {"to": HEX}

    def needed(self, s: BitwState, c: Dropping, side: Side) -> bool:
        """Until it has jumped."""
        return True

    def nouns(self, s: BitwState, c: Dropping, side: Side, verb: str) -> list[int]:
        """The hexes in reach."""
        return drop_zones(s, c.unit)

    def legal_nouns(self, s: BitwState, c: Dropping, side: Side, verb: str) -> list[int]:
        """The same, looked up once."""
        return drop_zones(s, c.unit)

    def why_not(self, s: BitwState, c: Dropping, side: Side, verb: str, noun: int) -> No | None:
        """Why not there."""
        return why_not_drop_at(s, c.unit, noun)

    def apply(self, s: BitwState, c: Dropping, side: Side, verb: str, noun: int) -> None:
        """Jump."""
        leave(s)
        spend(s, commander(s, c.unit, "drop"), "drop", c.unit)
        jump(s, c.unit, noun)


@rule("23.0d", "23.0e", "23.0f")
def jump(s: BitwState, unit: int, node: int) -> None:
    """23.0d The drop is declared: over enemies it becomes a battle, elsewhere it comes down through the flak alone.

    23.0e On armour in reserve it is destroyed, and the armour stays free to react.
    """
    t, side, whence = world(s).theatre, SIDE_OF[unit], s.place[unit]
    emit(s, "jumps", "23.0d", unit=FOG.veil(s, unit), hex=name_of(s, node), whence=name_of(s, whence))
    if any(SIDE_OF[u] != side and s.orders[u] & RESERVE and UNITS[u].is_armour for u in units_in(s, node)):
        emit(s, "eliminated", "23.0e", reveals=True, unit=UNITS[unit].id, hex=t.names[node])
        remove(s, unit, POOL)
        return
    fought = enemy_in(s, node, side)
    if fought:
        note_attack(s, node, side)
    put(s, unit, node)
    s.origin[unit] = NONE
    s.orders[unit] |= DROPPED
    s.flags[unit] |= MOVED | FOUGHT
    if not fought:
        flak(s, unit, node)
        if s.place[unit] == node:
            come_down(s, unit, node)
        if s.place[unit] == node:
            take_control(s, node, UNITS[unit].power)


@rule("23.0f", "7.7.2b")
def flak(s: BitwState, unit: int, node: int) -> None:
    """23.0f A place without a garrison still fires its flak, as in 7.7.2b."""
    t, side = world(s).theatre, SIDE_OF[unit]
    number, face = flak_dice(s, unit, node)
    if not number:
        return
    dice = roll(s, "7.7.2b", number, side=1 - side)
    hits = fire.count_hits(dice, face)
    emit(s, "locality-fire", "7.7.2b", hex=t.names[node], dice=dice, face=face, hits=hits)
    for _ in range(hits):
        if s.place[unit] == node and s.steps[unit] > 0:
            hit(s, unit)


@rule("23.0f", "7.7.2b")
def flak_dice(s: BitwState, unit: int, node: int) -> tuple[int, int]:
    """7.7.2b The dice of a place that the enemy holds, and their lowest hitting face."""
    t = world(s).theatre
    if side_holding(s, node) != 1 - SIDE_OF[unit]:
        return 0, 6
    city = {MAJOR: "major", MINOR: "minor"}.get(t.city[node], "")
    dice = fire.locality_aa(city, s.works[node], node not in t.no_fortress_aa)
    return dice, 5 if power_tech(s, s.owner[node], "infantry") >= 3 else 6


@rule("23.0-tech3", "5.6-eben-b")
def come_down(s: BitwState, unit: int, node: int) -> None:
    """23.0-tech3 Difficult ground costs a hit; who lives ends the fortress of Eben Emael (5.6-eben-b)."""
    if rough(s, node) and s.steps[unit] > 0:
        hit(s, unit)
    if s.place[unit] == node and s.steps[unit] > 0:
        paradrop_succeeds(s, unit, node)


def drops_here(s: BitwState, c: Combat) -> bool:
    """23.0f Whether units are still in the air over this battle."""
    return bool(aloft(s, c))


@rule("23.0f")
def touch_down(s: BitwState, c: Combat) -> None:
    """23.0f After fighters and flak those who live are on the ground."""
    for u in aloft(s, c):
        come_down(s, u, c.hex)
    c.ashore = 1
    if not side_in(s, c.hex, c.attacker):
        emit(s, "drop-failed", "23.0f", hex=name_of(s, c.hex))
