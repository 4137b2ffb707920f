"""Escort, interception and interdiction: the chain around bombing, sailing, invading and supplying by sea."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.games.surrender.frames import AirCombat, AirMove, Invasion, Mission, NavalMove, SupplyPhase
from grognard.games.surrender.loading import charts, setting
from grognard.games.surrender.rules import results
from grognard.games.surrender.rules.board import add_sorties, faction_name, hex_name, unit_of
from grognard.games.surrender.rules.commitment import air_range, in_range
from grognard.games.surrender.rules.markers import in_hand, spend
from grognard.games.surrender.state import Position, world
from grognard.games.surrender.theatre import Theatre
from grognard.games.surrender.world import MARKER_IDS, Unit
from grognard.kernel import Action, Decision, Refusal, Side, emit, option, rule

REMEMBERED = 4096  # meetings kept by a world: one mission asks for the same ones several times


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
def why_not_escort(s: Position, c: Mission, unit: int, far: bool = False) -> Refusal | None:
    """escort-setup One escort: a fighter in range of the target or, at sea, another warship or carrier of the port.

    event-long-range A Western fighter may escort at range 16 for a marker.
    """
    kind = unit_of(s, unit)
    facts = {"unit": kind.id}
    if kind.faction != c.side or s.at[unit] < 0:
        return Refusal("escort-setup", "not-yours", facts)
    if unit == c.unit:
        return Refusal("escort-setup", "cannot-escort", facts)
    if s.sorties[unit] >= setting("sortie_limit"):
        return Refusal("sorties-max", "worn-out", facts)
    if kind.type == "fighter":
        if far:
            return _why_not_far(s, c, unit, facts)
        return None if in_range(s, unit, combat_hex(c)) else Refusal("air-range", "out-of-range", facts)
    if kind.warship and c.kind != "bombing" and not far:
        if unit == c.ship or s.at[unit] == s.at[c.unit]:
            return None
        return Refusal("escort-setup", "other-port", facts)
    return Refusal("escort-setup", "cannot-escort", facts)


@rule("event-long-range")
def _why_not_far(s: Position, c: Mission, unit: int, facts: dict[str, str]) -> Refusal | None:
    """event-long-range Range 16 instead of 5, if the faction has the marker and the fighter needs it."""
    if not in_hand(s, c.side, MARKER_IDS["long-range"]):
        return Refusal("event-hand", "no-marker", {"marker": "long-range"})
    if in_range(s, unit, combat_hex(c)):
        return Refusal("event-long-range", "near-enough", facts)
    if not in_range(s, unit, combat_hex(c), int(charts()["ranges"]["long_range_fighter"])):
        return Refusal("air-range", "out-of-range", facts)
    return None


@rule("escort-setup")
class ChooseEscort(Decision):
    """escort-setup The acting side may assign one escort before anybody reacts."""

    verbs = ("escort", "far_escort", "no_escort")

    def needed(self, s: Position, c: Mission, side: Side) -> bool:
        """Once, if there is a choice and an enemy who could react."""
        if c.escort != -2:
            return False
        return len(self.legal(s, c, side)) > 1 and any(reactors(s, c, enemy) for enemy in enemies(s, c))

    def candidates(self, s: Position, c: Mission, side: Side) -> Iterator[Action]:
        """None, or any unit."""
        yield ("no_escort", "")
        for unit in world(s).units:
            yield ("escort", unit.id)
            yield ("far_escort", unit.id)

    def why_not(self, s: Position, c: Mission, side: Side, verb: str, target: str) -> Refusal | None:
        """Range, port, sorties."""
        if verb == "no_escort":
            return None
        return why_not_escort(s, c, world(s).unit_number(target), verb == "far_escort")

    def legal(self, s: Position, c: Mission, side: Side) -> list[Action]:
        """The same, looking at own units."""
        actions: list[Action] = [("no_escort", "")]
        far = in_hand(s, side, MARKER_IDS["long-range"]) > 0
        for unit in world(s).others_of[side]:
            if s.at[unit] >= 0:
                if why_not_escort(s, c, unit) is None:
                    actions.append(("escort", unit_of(s, unit).id))
                if far and why_not_escort(s, c, unit, far=True) is None:
                    actions.append(("far_escort", unit_of(s, unit).id))
        return actions

    def apply(self, s: Position, c: Mission, side: Side, verb: str, target: str) -> None:
        """Assign it."""
        if verb == "no_escort":
            c.escort = -1
            return
        c.escort = world(s).unit_number(target)
        if verb == "far_escort":
            spend(s, side, MARKER_IDS["long-range"], "event-long-range")
        emit(s, "escort", "escort-setup", unit=target)


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
    found = memory.get(key)
    if found is None:
        if len(memory) >= REMEMBERED:
            memory.clear()
        found = memory[key] = first_meeting(world(s).theatre, base, reach, by_sea, c.route)
    return found


def first_meeting(theatre: Theatre, base: int, reach: int, by_sea: bool, route: tuple[int, ...]) -> int:
    """intercept The first hex of a route within range of a base; failing that, the first in a zone of its port."""
    distance, zones = theatre.grid.distance, theatre.zones
    met = next((hex for hex in route if distance(base, hex) <= reach), -1)
    if met < 0 and by_sea:
        mine = set(zones[base])
        return next((hex for hex in route if mine.intersection(zones[hex])), -1)
    return met


@rule("intercept", "sorties-max")
def why_not_intercept(s: Position, c: Mission, unit: int) -> Refusal | None:
    """intercept Two reacting units at most, each once, under six sorties, that can reach the route or the target."""
    kind = unit_of(s, unit)
    facts = {"unit": kind.id}
    if len(c.reacted) >= setting("interceptors"):
        return Refusal("intercept", "two-at-most", facts)
    if unit in c.reacted:
        return Refusal("intercept", "already-reacted", facts)
    if kind.faction not in enemies(s, c):
        return Refusal("intercept", "not-an-enemy", facts)
    if c.kind == "bombing" and not meets_bombers(s, kind):
        return Refusal("intercept", "only-aircraft", facts | {"who": option(s, "interceptors")})
    if meeting_hex(s, c, unit) < 0:
        return Refusal("intercept", "out-of-reach", facts)
    if s.sorties[unit] >= setting("sortie_limit"):
        return Refusal("sorties-max", "worn-out", facts)
    return None


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

    verbs = ("intercept", "let_pass")

    def needed(self, s: Position, c: Mission, side: Side) -> bool:
        """While none is on its way and the side has not passed."""
        return not c.stopped and c.interceptor < 0 and side not in c.passed and bool(reactors(s, c, side))

    def candidates(self, s: Position, c: Mission, side: Side) -> Iterator[Action]:
        """Pass, or any unit of the side."""
        yield ("let_pass", "")
        yield from (("intercept", unit_of(s, u).id) for u in world(s).of_faction[side])

    def why_not(self, s: Position, c: Mission, side: Side, verb: str, target: str) -> Refusal | None:
        """The conditions of an interception."""
        if verb == "let_pass":
            return None
        unit = world(s).unit_number(target)
        if unit_of(s, unit).faction != side:
            return Refusal("intercept", "not-yours", {"unit": target})
        return why_not_intercept(s, c, unit)

    def legal(self, s: Position, c: Mission, side: Side) -> list[Action]:
        """The same, from the units that can react."""
        return [("let_pass", ""), *(("intercept", unit_of(s, u).id) for u in reactors(s, c, side))]

    def apply(self, s: Position, c: Mission, side: Side, verb: str, target: str) -> None:
        """Send it."""
        if verb == "let_pass":
            c.passed = (*c.passed, side)
            return
        c.interceptor = world(s).unit_number(target)
        c.reacted = (*c.reacted, c.interceptor)
        c.escort_beaten, c.may_press, c.decided, c.pressed = 0, int(c.escort < 0), 0, 0
        emit(s, "intercepts", "intercept", unit=target, hex=hex_name(s, meeting_hex(s, c, c.interceptor)))


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

    verbs = ("cancel", "go_on")

    def needed(self, s: Position, c: Mission, side: Side) -> bool:
        """An invasion whose escort was just beaten."""
        return c.kind == "invasion" and bool(c.escort_beaten) and not c.decided and not c.stopped

    def candidates(self, s: Position, c: Mission, side: Side) -> Iterator[Action]:
        """Cancel or go on."""
        return iter([("go_on", ""), ("cancel", "")])

    def why_not(self, s: Position, c: Mission, side: Side, verb: str, target: str) -> Refusal | None:
        """Both are free."""
        return Refusal("escort-invasion-cancel", "no-target", {"target": target}) if target else None

    def apply(self, s: Position, c: Mission, side: Side, verb: str, target: str) -> None:
        """escort-cancel-interceptors A cancelled invasion also ends the interceptors' attack (R-29)."""
        c.decided = 1
        if verb == "cancel":
            c.stopped = "cancelled"
            c.may_press = 0
            emit(s, "invasion-cancelled", "escort-invasion-cancel", side=faction_name(side))


@rule("escort-fail", "escort-fail-sorties")
class PressHome(Decision):
    """escort-fail Past a beaten escort, the interceptor may attack the escorted unit or break off."""

    verbs = ("press", "break_off")

    def needed(self, s: Position, c: Mission, side: Side) -> bool:
        """After a beaten escort, while it may attack."""
        return bool(c.escort_beaten and c.may_press and not c.pressed and not c.stopped)

    def candidates(self, s: Position, c: Mission, side: Side) -> Iterator[Action]:
        """Attack or not."""
        return iter([("press", ""), ("break_off", "")])

    def why_not(self, s: Position, c: Mission, side: Side, verb: str, target: str) -> Refusal | None:
        """Both are free."""
        return Refusal("escort-fail", "no-target", {"target": target}) if target else None

    def apply(self, s: Position, c: Mission, side: Side, verb: str, target: str) -> None:
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
