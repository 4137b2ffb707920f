"""Escort, interception and interdiction: the chain around bombing, sailing, invading and supplying by sea."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.games.surrender.frames import AirCombat, AirMove, Invasion, Mission, NavalMove, SupplyPhase
from grognard.games.surrender.loading import charts, setting
from grognard.games.surrender.nouns import UNIT
from grognard.games.surrender.rules import results
from grognard.games.surrender.rules.board import add_sorties, faction_name, hex_name, unit_of
from grognard.games.surrender.rules.commitment import air_range, in_range
from grognard.games.surrender.rules.markers import NO_MARKER, in_hand, spend
from grognard.games.surrender.rules.refusals import OUT_OF_RANGE, WORN_OUT
from grognard.games.surrender.state import Position, world
from grognard.games.surrender.theatre import Theatre
from grognard.games.surrender.world import MARKER_IDS, Unit
from grognard.kernel import NOTHING, Decision, No, Side, emit, no, option, rule

NOT_YOUR_ESCORT = no("escort-setup", "not-yours")
CANNOT_ESCORT = no("escort-setup", "cannot-escort")
OTHER_PORT = no("escort-setup", "other-port")
NEAR_ENOUGH = no("event-long-range", "near-enough")
TWO_AT_MOST = no("intercept", "two-at-most")
ALREADY_REACTED = no("intercept", "already-reacted")
NOT_AN_ENEMY = no("intercept", "not-an-enemy")
NOT_YOURS = no("intercept", "not-yours")
ONLY_AIRCRAFT = no("intercept", "only-aircraft", lambda s, c, side, unit: {"who": option(s, "interceptors")})
OUT_OF_REACH = no("intercept", "out-of-reach")


def acting(s: Position, c: Mission) -> tuple[Side, ...]:
    """The side whose action may be intercepted."""
    return (c.side,)


def enemies(s: Position, c: Mission) -> tuple[Side, ...]:
    """Its enemies, in faction order."""
    return world(s).foes_of[c.side]


def interceptor_side(s: Position, c: Mission) -> tuple[Side, ...]:
    """The owner of the interceptor."""
    return (unit_of(s, c.interceptor).faction,) if c.interceptor >= 0 else ()


def combat_hex(c: Mission) -> int:
    """The target of a bombing or invasion, the last hex of a route."""
    return c.route[-1]


# ---- escort ------------------------------------------------------------------------------------------------------


@rule("escort-setup", "event-long-range", "sorties-max")
def why_not_escort(s: Position, c: Mission, unit: int, far: bool = False) -> No | None:
    """escort-setup One escort: a fighter in range of the target or, at sea, another warship or carrier of the port.

    event-long-range A Western fighter may escort at range 16 for a marker.
    """
    kind = unit_of(s, unit)
    if kind.faction != c.side or s.at[unit] < 0:
        return NOT_YOUR_ESCORT
    if unit == c.unit:
        return CANNOT_ESCORT
    if s.sorties[unit] >= setting("sortie_limit"):
        return WORN_OUT
    if kind.type == "fighter":
        if far:
            return _why_not_far(s, c, unit)
        return None if in_range(s, unit, combat_hex(c)) else OUT_OF_RANGE
    if kind.warship and c.kind != "bombing" and not far:
        return None if unit == c.ship or s.at[unit] == s.at[c.unit] else OTHER_PORT
    return CANNOT_ESCORT


@rule("event-long-range")
def _why_not_far(s: Position, c: Mission, unit: int) -> No | None:
    """event-long-range Range 16 instead of 5, if the faction has the marker and the fighter needs it."""
    if not in_hand(s, c.side, MARKER_IDS["long-range"]):
        return NO_MARKER
    if in_range(s, unit, combat_hex(c)):
        return NEAR_ENOUGH
    far = int(charts()["ranges"]["long_range_fighter"])
    return None if in_range(s, unit, combat_hex(c), far) else OUT_OF_RANGE


@rule("escort-setup")
class ChooseEscort(Decision):
    """escort-setup The acting side may assign one escort before anybody reacts."""

    verbs = {"no_escort": NOTHING, "escort": UNIT, "far_escort": UNIT}

    def needed(self, s: Position, c: Mission, side: Side) -> bool:
        """Once, if there is a choice and an enemy who could react."""
        if c.escort != -2:
            return False
        return len(self.legal(s, c, side)) > 1 and any(reactors(s, c, enemy) for enemy in enemies(s, c))

    def nouns(self, s: Position, c: Mission, side: Side, verb: str) -> Iterable[int]:
        """None, or own aircraft and ships on the map; far ones only with the marker."""
        if verb == "no_escort":
            return (0,)
        if verb == "far_escort" and not in_hand(s, side, MARKER_IDS["long-range"]):
            return ()
        return [unit for unit in world(s).others_of[side] if s.at[unit] >= 0]

    def why_not(self, s: Position, c: Mission, side: Side, verb: str, noun: int) -> No | None:
        """Range, port, sorties."""
        return None if verb == "no_escort" else why_not_escort(s, c, noun, verb == "far_escort")

    def apply(self, s: Position, c: Mission, side: Side, verb: str, noun: int) -> None:
        """Assign it."""
        if verb == "no_escort":
            c.escort = -1
            return
        c.escort = noun
        if verb == "far_escort":
            spend(s, side, MARKER_IDS["long-range"], "event-long-range")
        emit(s, "escort", "escort-setup", unit=unit_of(s, noun).id)


# ---- interception ------------------------------------------------------------------------------------------------


@rule("intercept")
def meeting_hex(s: Position, c: Mission, unit: int) -> int:
    """intercept Where an interceptor meets the action: the first hex of the route it can reach; -1 if none.

    Aircraft and carriers by range; warships and carriers also in any zone that their port shares with the route.
    """
    kind, base = unit_of(s, unit), s.at[unit]
    if kind.type == "convoy" or kind.ground or base < 0:
        return -1
    reach = air_range(kind.type) if kind.air or kind.type == "carrier" else -1
    by_sea = kind.warship and c.kind != "bombing" and bool(world(s).theatre.port[base])
    memory, key = world(s).meetings, (base, reach, by_sea, c.route)
    found: int | None = memory.get(key)
    return memory.keep(key, first_meeting(world(s).theatre, base, reach, by_sea, c.route)) if found is None else found


def first_meeting(theatre: Theatre, base: int, reach: int, by_sea: bool, route: tuple[int, ...]) -> int:
    """intercept The first hex of a route within range of a base; failing that, the first in a zone of its port."""
    distance, zones = theatre.grid.distance, theatre.zones
    met = next((hex for hex in route if distance(base, hex) <= reach), -1)
    if met < 0 and by_sea:
        mine = set(zones[base])
        return next((hex for hex in route if mine.intersection(zones[hex])), -1)
    return met


@rule("intercept", "sorties-max")
def why_not_intercept(s: Position, c: Mission, unit: int) -> No | None:
    """intercept Two reacting units at most, each once, under six sorties, that can reach the route or the target."""
    kind = unit_of(s, unit)
    if len(c.reacted) >= setting("interceptors"):
        return TWO_AT_MOST
    if unit in c.reacted:
        return ALREADY_REACTED
    if kind.faction not in enemies(s, c):
        return NOT_AN_ENEMY
    if c.kind == "bombing" and not meets_bombers(s, kind):
        return ONLY_AIRCRAFT
    if meeting_hex(s, c, unit) < 0:
        return OUT_OF_REACH
    return WORN_OUT if s.sorties[unit] >= setting("sortie_limit") else None


@rule("intercept")
def meets_bombers(s: Position, kind: Unit) -> bool:
    """intercept Against a bombing: fighters and carriers (R-36). The option `interceptors` lets bombers rise too,
    as every aircraft in range did before, and keeps carriers out.
    """
    return kind.air if option(s, "interceptors") == "aircraft" else kind.type in ("fighter", "carrier")


def reactors(s: Position, c: Mission, side: Side) -> list[int]:
    """Units of a side that may intercept."""
    if len(c.reacted) >= setting("interceptors"):
        return []
    at = s.at
    return [u for u in world(s).others_of[side] if at[u] >= 0 and why_not_intercept(s, c, u) is None]


@rule("intercept")
class ChooseInterceptor(Decision):
    """intercept The enemy sends one unit after another, up to two, or lets the action pass."""

    verbs = {"let_pass": NOTHING, "intercept": UNIT}

    def needed(self, s: Position, c: Mission, side: Side) -> bool:
        """While none is on its way and the side has not passed."""
        return not c.stopped and c.interceptor < 0 and side not in c.passed and bool(reactors(s, c, side))

    def nouns(self, s: Position, c: Mission, side: Side, verb: str) -> Iterable[int]:
        """Pass, or a unit that can react."""
        return (0,) if verb == "let_pass" else reactors(s, c, side)

    def why_not(self, s: Position, c: Mission, side: Side, verb: str, noun: int) -> No | None:
        """The conditions of an interception."""
        if verb == "let_pass":
            return None
        return why_not_intercept(s, c, noun) if unit_of(s, noun).faction == side else NOT_YOURS

    def legal_nouns(self, s: Position, c: Mission, side: Side, verb: str) -> list[int]:
        """All of them: only units that can react are looked at."""
        return list(self.nouns(s, c, side, verb))

    def apply(self, s: Position, c: Mission, side: Side, verb: str, noun: int) -> None:
        """Send it."""
        if verb == "let_pass":
            c.passed = (*c.passed, side)
            return
        c.interceptor = noun
        c.reacted = (*c.reacted, noun)
        c.escort_beaten, c.may_press, c.decided, c.pressed = 0, int(c.escort < 0), 0, 0
        emit(s, "intercepts", "intercept", unit=unit_of(s, noun).id, hex=hex_name(s, meeting_hex(s, c, noun)))


def fights_escort(s: Position, c: Mission) -> bool:
    """escort-setup An interceptor must fight the escort first."""
    return c.interceptor >= 0 and c.escort >= 0


def escort_combat(s: Position, c: Mission) -> AirCombat:
    """The interceptor attacks the escort."""
    hex = meeting_hex(s, c, c.interceptor)
    return AirCombat(mission="escort", hex=hex, attacker=c.interceptor, defender=c.escort)


@rule("escort", "escort-fail", "escort-fail-sorties")
def after_escort(s: Position, c: Mission) -> None:
    """escort If the escort holds, the interceptor is done. escort-fail If not, it may attack with under 6 sorties."""
    c.escort_beaten = int(results.escort_fails(s.air_result))
    c.may_press = int(results.may_attack_after_escort(s.air_result, s.sorties[c.interceptor]))
    emit(s, "escort-result", "escort-fail" if c.escort_beaten else "escort", unit=unit_of(s, c.escort).id,
         outcome="beaten" if c.escort_beaten else "holds")  # fmt: skip


@rule("escort-invasion-cancel", "escort-cancel-interceptors")
class CancelInvasion(Decision):
    """escort-invasion-cancel After a beaten escort the invader may call the landing off, before anything else."""

    verbs = {"go_on": NOTHING, "cancel": NOTHING}

    def needed(self, s: Position, c: Mission, side: Side) -> bool:
        """An invasion whose escort was just beaten."""
        return c.kind == "invasion" and bool(c.escort_beaten) and not c.decided and not c.stopped

    def nouns(self, s: Position, c: Mission, side: Side, verb: str) -> Iterable[int]:
        """Cancel or go on."""
        return (0,)

    def why_not(self, s: Position, c: Mission, side: Side, verb: str, noun: int) -> No | None:
        """Both are free."""
        return None

    def apply(self, s: Position, c: Mission, side: Side, verb: str, noun: int) -> None:
        """escort-cancel-interceptors A cancelled invasion also ends the interceptors' attack (R-29)."""
        c.decided = 1
        if verb == "cancel":
            c.stopped = "cancelled"
            c.may_press = 0
            emit(s, "invasion-cancelled", "escort-invasion-cancel", side=faction_name(side))


@rule("escort-fail", "escort-fail-sorties")
class PressHome(Decision):
    """escort-fail Past a beaten escort, the interceptor may attack the escorted unit or break off."""

    verbs = {"press": NOTHING, "break_off": NOTHING}

    def needed(self, s: Position, c: Mission, side: Side) -> bool:
        """After a beaten escort, while it may attack."""
        return bool(c.escort_beaten and c.may_press and not c.pressed and not c.stopped)

    def nouns(self, s: Position, c: Mission, side: Side, verb: str) -> Iterable[int]:
        """Attack or not."""
        return (0,)

    def why_not(self, s: Position, c: Mission, side: Side, verb: str, noun: int) -> No | None:
        """Both are free."""
        return None

    def apply(self, s: Position, c: Mission, side: Side, verb: str, noun: int) -> None:
        """Decide."""
        c.pressed = 1
        c.may_press = int(verb == "press")


def attacks_target(s: Position, c: Mission) -> bool:
    """The interceptor got through."""
    return c.interceptor >= 0 and bool(c.may_press) and not c.stopped


@rule("air-effect-route")
def target_combat(s: Position, c: Mission) -> AirCombat:
    """air-effect-route The interceptor attacks the bomber or the convoy: an interdiction."""
    hex = meeting_hex(s, c, c.interceptor)
    return AirCombat(mission=f"interdiction_{c.kind}", hex=hex, attacker=c.interceptor, defender=c.unit)


@rule("interdiction-success", "interdiction-fail")
def after_attack(s: Position, c: Mission) -> None:
    """interdiction-success DR, DD and DE stop the action; otherwise it goes on and the interceptor is done."""
    if results.interdicts(s.air_result):
        c.stopped = "interdicted"
        c.caught = meeting_hex(s, c, c.interceptor)
        emit(s, "interdicted", "interdiction-success", unit=unit_of(s, c.unit).id, mission=c.kind)
    else:
        emit(s, "interdiction-failed", "interdiction-fail", unit=unit_of(s, c.interceptor).id)


def next_interceptor(s: Position, c: Mission) -> None:
    """Ready for the next one."""
    c.interceptor = -1


def may_go_on(s: Position, c: Mission) -> bool:
    """intercept Another unit may react."""
    return not c.stopped and any(side not in c.passed and reactors(s, c, side) for side in enemies(s, c))


def report(s: Position, c: Mission) -> None:
    """Leave the outcome with whoever started the action."""
    parent = s.frames[-2] if len(s.frames) > 1 else None
    if isinstance(parent, AirMove | NavalMove | Invasion | SupplyPhase):
        parent.stopped = c.stopped or "through"
        parent.escort, parent.caught = c.escort, c.caught


@rule("transport-full", "transport-reduced", "transport-air", "interdiction-invasion", "interdiction-naval")
def hurt_cargo(s: Position, unit: int) -> None:
    """transport-full A full army aboard an interdicted convoy is reduced; transport-reduced a reduced one stays so.

    transport-air An air unit adds two sorties.
    """
    if unit_of(s, unit).air:
        add_sorties(s, unit, 2, "transport-air")
    elif not s.reduced[unit]:
        s.reduced[unit] = 1
        emit(s, "reduced", "transport-full", unit=unit_of(s, unit).id)
