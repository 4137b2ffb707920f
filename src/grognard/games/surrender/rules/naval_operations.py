"""Operations at sea: sailing from port to port, transport by convoy, invasions."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.games.surrender.frames import GroundCombat, Invasion, Mission, NavalMove
from grognard.games.surrender.loading import setting
from grognard.games.surrender.nouns import HEX, UNIT
from grognard.games.surrender.rules.assault import target_facts
from grognard.games.surrender.rules.board import (
    army_in,
    at_war,
    has_room,
    hex_name,
    in_slot,
    is_friendly,
    place,
    unit_of,
)  # fmt: skip
from grognard.games.surrender.rules.interception import hurt_cargo
from grognard.games.surrender.rules.occupation import leave_behind, occupy, why_not_base
from grognard.games.surrender.rules.refusals import NO_GROUND_WAR, NO_ROOM, TOO_FAR, WORN_OUT
from grognard.games.surrender.rules.sea import sea_distances, sea_route
from grognard.games.surrender.state import Position, world
from grognard.games.surrender.world import NEUTRAL, OUT_OF_PLAY
from grognard.kernel import NOTHING, Decision, No, Side, emit, enter, no, rule
from grognard.kernel.stacks import units_in

NO_FRIENDLY_PORT = no("naval-port", "no-friendly-port")
ALREADY_THERE = no("naval-move", "already-there")
NOT_A_CONVOY = no("transport", "not-a-convoy")
ONE_CARGO = no("transport", "one-cargo")
NOT_IN_PORT = no("transport", "not-in-port")
CARGO_ACTIVATED = no("transport", "already-activated")
NOT_THE_NEAREST = no("interdiction-naval-port", "not-the-nearest")
NO_ARMY_ABOARD = no("invasion", "no-army-aboard")
NOT_COASTAL = no("invasion", "not-coastal")
NOT_ENEMY_COAST = no("invasion", "not-enemy-coast")
THREE_CONVOYS = no("invasion", "three-convoys")
NOT_YOURS = no("invasion", "not-yours")
NO_CONVOY = no("invasion", "no-convoy")
TARGET_TOO_FAR = no("naval-move", "too-far", target_facts)
ONE_SHIP = no("invasion", "one-ship")
NOT_A_WARSHIP = no("invasion", "not-a-warship")
SHIP_ACTIVATED = no("invasion", "already-activated")


@rule("naval-port")
def why_not_port(s: Position, unit: int, hex: int) -> No | None:
    """naval-port Every action ends in a friendly port with room: one warship or carrier and one convoy."""
    if not world(s).theatre.port[hex] or not is_friendly(s, hex, unit_of(s, unit).faction):
        return NO_FRIENDLY_PORT
    return None if has_room(s, hex, unit) else NO_ROOM


@rule("naval-move", "naval-port", "transport")
def why_not_sail(s: Position, c: NavalMove, hex: int) -> No | None:
    """naval-move To a friendly port within 40 points."""
    return why_not_dock(s, c, hex) or (None if hex in sailing_reach(s, c.start, c.side) else TOO_FAR)


@rule("naval-port", "transport")
def why_not_dock(s: Position, c: NavalMove, hex: int) -> No | None:
    """naval-port Another friendly port with room for the ship. transport Room there for the cargo too."""
    if hex == c.start:
        return ALREADY_THERE
    refusal = why_not_port(s, c.unit, hex)
    if refusal is None and c.cargo >= 0:
        if unit_of(s, c.cargo).air:
            refusal = why_not_base(s, c.cargo, hex)
        elif not has_room(s, hex, c.cargo):
            refusal = NO_ROOM
    return refusal


def sailing_reach(s: Position, start: int, side: Side) -> dict[int, int]:
    """naval-move What ships of a side reach from a port, with the points it costs."""
    return sea_distances(s, start, side, setting("naval_points"))


@rule("transport", "activation", "scenario-atlantic")
def why_not_load(s: Position, c: NavalMove, unit: int) -> No | None:
    """transport A convoy takes one ground or air unit from its own port that has not been activated."""
    kind = unit_of(s, unit)
    if unit_of(s, c.unit).type != "convoy":
        return NOT_A_CONVOY
    if c.cargo >= 0:
        return ONE_CARGO
    if kind.ship or kind.faction != c.side or s.at[unit] != s.at[c.unit]:
        return NOT_IN_PORT
    if s.done[unit]:
        return CARGO_ACTIVATED
    return NO_GROUND_WAR if kind.ground and world(s).data.get("no_ground") else None


@rule("naval-move", "transport", "invasion")
class NavalOrder(Decision):
    """naval-move Sail to a port, with a cargo or not, or begin an invasion; or stay."""

    verbs = {"stop": NOTHING, "load": UNIT, "sail": HEX, "invade": HEX}

    def needed(self, s: Position, c: NavalMove, side: Side) -> bool:
        """Until it has acted."""
        return not c.finished

    def nouns(self, s: Position, c: NavalMove, side: Side, verb: str) -> Iterable[int]:
        """Units in its port, own ports and enemy coasts in reach."""
        if verb == "stop":
            return (0,)
        if verb == "load":
            return units_in(s, c.start)
        w, costs = world(s), sailing_reach(s, c.start, side)
        if verb == "sail":
            return [h for h in w.ports if s.control[h] == side + 1 and h in costs]
        loaded = c.cargo >= 0 and unit_of(s, c.cargo).ground
        return [h for h in w.coast if h in costs] if loaded else ()

    def why_not(self, s: Position, c: NavalMove, side: Side, verb: str, noun: int) -> No | None:
        """By verb."""
        if verb == "stop":
            return None
        if verb == "load":
            return why_not_load(s, c, noun)
        return why_not_sail(s, c, noun) if verb == "sail" else why_not_invade(s, c, noun)

    def legal_nouns(self, s: Position, c: NavalMove, side: Side, verb: str) -> list[int]:
        """The same; what has been found in reach is not asked for it again."""
        tried = self.nouns(s, c, side, verb)
        if verb == "invade":
            return [hex for hex in tried if why_not_beach(s, side, hex) is None]
        if verb == "sail":
            return [hex for hex in tried if why_not_dock(s, c, hex) is None]
        return [noun for noun in tried if self.why_not(s, c, side, verb, noun) is None]

    def apply(self, s: Position, c: NavalMove, side: Side, verb: str, noun: int) -> None:
        """Carry it out."""
        if verb == "load":
            c.cargo = noun
            s.done[noun] = 1
            return
        c.finished = 1
        s.done[c.unit] = 1
        if verb == "sail":
            c.target = noun
        elif verb == "invade":
            enter(s, Invasion(side=side, target=noun, units=(c.cargo,), convoys=(c.unit,)))


def sails(s: Position, c: NavalMove) -> bool:
    """A port was named."""
    return c.target >= 0


@rule("intercept", "interdiction-naval")
def sailing_mission(s: Position, c: NavalMove) -> Mission:
    """intercept The route may be intercepted."""
    route = sea_route(s, c.start, c.target, c.side, setting("naval_points"))
    return Mission(kind="naval", side=c.side, unit=c.unit, route=route)


@rule("interdiction-naval", "interdiction-naval-port", "transport", "naval-move")
def arrive(s: Position, c: NavalMove) -> None:
    """naval-move The ship and its cargo reach port; a naval escort sails along.

    interdiction-naval If interdicted they go to the nearest friendly port instead, and the cargo suffers.
    """
    goal = c.target
    escort = c.escort if c.escort >= 0 and unit_of(s, c.escort).ship else -1
    sailing = [u for u in (c.unit, c.cargo, escort) if u >= 0]
    start = c.start
    if c.stopped == "interdicted":
        goal = c.refuge if c.refuge >= 0 else refuges(s, c)[0]
        if c.cargo >= 0:
            hurt_cargo(s, c.cargo)
        emit(s, "driven-off", "interdiction-naval", unit=unit_of(s, c.unit).id, hex=hex_name(s, goal))
        if escort >= 0:
            s.done[escort] = 1
    for unit in sailing:
        if unit == escort and not (why_not_port(s, unit, goal) is None or s.at[unit] == goal):
            continue
        place(s, unit, goal)
    leave_behind(s, start)
    emit(s, "sailed", "naval-move", units=[unit_of(s, u).id for u in sailing], hex=hex_name(s, goal))


@rule("interdiction-naval-port")
def refuges(s: Position, c: NavalMove) -> list[int]:
    """interdiction-naval-port The cheapest friendly ports from where it was caught, whatever movement is left (R-30).

    A port without room for the ship and its cargo is no port for them; the one they left always has room.
    """
    costs = sea_distances(s, c.caught, c.side, 10_000)
    ports = [h for h in world(s).ports if h in costs and fits_port(s, c, h)]
    least = min((costs[h] for h in ports), default=0)
    return [h for h in ports if costs[h] == least] or [c.start]


def is_driven_off(s: Position, c: NavalMove) -> bool:
    """Its move was interdicted."""
    return c.stopped == "interdicted"


@rule("interdiction-naval-port")
class ChooseRefuge(Decision):
    """interdiction-naval-port Between ports that cost the same the owner chooses (R-30)."""

    verbs = {"shelter": HEX}

    def needed(self, s: Position, c: NavalMove, side: Side) -> bool:
        """With two or more, until chosen."""
        return c.refuge < 0 and len(refuges(s, c)) > 1

    def nouns(self, s: Position, c: NavalMove, side: Side, verb: str) -> Iterable[int]:
        """The nearest ports."""
        return refuges(s, c)

    def why_not(self, s: Position, c: NavalMove, side: Side, verb: str, noun: int) -> No | None:
        """One of the nearest."""
        return None if noun in refuges(s, c) else NOT_THE_NEAREST

    def apply(self, s: Position, c: NavalMove, side: Side, verb: str, noun: int) -> None:
        """Make for it."""
        c.refuge = noun


def fits_port(s: Position, c: NavalMove, hex: int) -> bool:
    """Room for the ship and its cargo, or where they started."""
    if hex == c.start:
        return True
    if why_not_port(s, c.unit, hex) is not None:
        return False
    if c.cargo < 0:
        return True
    return has_room(s, hex, c.cargo) and (not unit_of(s, c.cargo).air or why_not_base(s, c.cargo, hex) is None)


# ---- invasion ----------------------------------------------------------------------------------------------------


@rule("invasion", "move-bans")
def why_not_invade(s: Position, c: NavalMove, hex: int) -> No | None:
    """invasion A loaded convoy against a coastal hex of the enemy's within naval movement."""
    if c.cargo < 0 or not unit_of(s, c.cargo).ground:
        return NO_ARMY_ABOARD
    return why_not_beach(s, c.side, hex) or (None if hex in sailing_reach(s, c.start, c.side) else TOO_FAR)


@rule("move-bans", "invasion")
def why_not_beach(s: Position, side: Side, hex: int) -> No | None:
    """invasion An inland, neutral or friendly hex cannot be invaded, nor a third faction's."""
    if not world(s).theatre.land[hex] or not world(s).theatre.coastal[hex]:
        return NOT_COASTAL
    holder = s.control[hex]
    return NOT_ENEMY_COAST if holder in (NEUTRAL, OUT_OF_PLAY) or not at_war(side, holder - 1) else None


@rule("invasion")
def why_not_embark(s: Position, c: Invasion, unit: int) -> No | None:
    """invasion Another army in a port with a fresh convoy, the target within its reach; three at most."""
    kind = unit_of(s, unit)
    if len(c.convoys) >= 3:
        return THREE_CONVOYS
    if not kind.ground or kind.faction != c.side or s.at[unit] < 0 or unit in c.units:
        return NOT_YOURS
    convoy = in_slot(s, s.at[unit], "convoy")
    if convoy < 0 or s.done[unit] or s.done[convoy] or s.sorties[convoy] >= setting("sortie_limit"):
        return NO_CONVOY
    return None if c.target in sailing_reach(s, s.at[unit], c.side) else TARGET_TOO_FAR


@rule("invasion")
def why_not_bombard(s: Position, c: Invasion, unit: int) -> No | None:
    """invasion At most one fresh warship or carrier within naval movement of the target supports the landing."""
    kind = unit_of(s, unit)
    if c.ship >= 0:
        return ONE_SHIP
    if not kind.warship or kind.faction != c.side or s.at[unit] < 0:
        return NOT_A_WARSHIP
    if s.done[unit]:
        return SHIP_ACTIVATED
    if s.sorties[unit] >= setting("sortie_limit"):
        return WORN_OUT
    return None if c.target in sailing_reach(s, s.at[unit], c.side) else TARGET_TOO_FAR


@rule("invasion")
class GatherFleet(Decision):
    """invasion One to three convoys with armies, at most one warship or carrier; then the fleet sails."""

    verbs = {"launch": NOTHING, "join": UNIT, "support": UNIT}

    def needed(self, s: Position, c: Invasion, side: Side) -> bool:
        """Until launched, while anybody could join."""
        return not c.launched and len(self.legal(s, c, side)) > 1

    def nouns(self, s: Position, c: Invasion, side: Side, verb: str) -> Iterable[int]:
        """Launch, own armies in port, own warships."""
        if verb == "launch":
            return (0,)
        w, at, port = world(s), s.at, world(s).theatre.port
        if verb == "join":
            return [u for u in w.armies_of[side] if at[u] >= 0 and port[at[u]]]
        return [u for u in w.others_of[side] if at[u] >= 0 and w.units[u].warship]

    def why_not(self, s: Position, c: Invasion, side: Side, verb: str, noun: int) -> No | None:
        """By verb."""
        if verb == "launch":
            return None
        return why_not_embark(s, c, noun) if verb == "join" else why_not_bombard(s, c, noun)

    def apply(self, s: Position, c: Invasion, side: Side, verb: str, noun: int) -> None:
        """One more, or go."""
        if verb == "launch":
            c.launched = 1
            return
        s.done[noun] = 1
        if verb == "support":
            c.ship = noun
        else:
            convoy = in_slot(s, s.at[noun], "convoy")
            s.done[convoy] = 1
            c.units, c.convoys = (*c.units, noun), (*c.convoys, convoy)


@rule("intercept", "invasion")
def invasion_mission(s: Position, c: Invasion) -> Mission:
    """intercept The fleet's way may be intercepted; the principal's convoy stands for all."""
    lead = c.convoys[c.units.index(principal_of(c))]
    route = sea_route(s, s.at[lead], c.target, c.side, setting("naval_points"))
    emit(s, "invasion", "invasion", hex=hex_name(s, c.target), units=[unit_of(s, u).id for u in c.units])
    return Mission(kind="invasion", side=c.side, unit=lead, convoys=c.convoys, ship=c.ship, route=route)


def principal_of(c: Invasion) -> int:
    """The named principal, or the only one."""
    return c.principal if c.principal >= 0 else c.units[0]


@rule("interdiction-invasion", "escort-invasion-cancel")
def landing_stopped(s: Position, c: Invasion) -> None:
    """interdiction-invasion No landing, every unit is done, the armies aboard suffer. Cancelled: nobody suffers."""
    if c.stopped == "interdicted":
        for unit in c.units:
            hurt_cargo(s, unit)
        emit(s, "invasion-stopped", "interdiction-invasion", hex=hex_name(s, c.target))


def lands_on_enemy(s: Position, c: Invasion) -> bool:
    """The fleet got through and an army waits ashore."""
    return c.stopped == "through" and army_in(s, c.target) >= 0


@rule("invasion", "amphib-is-assault")
def landing_combat(s: Position, c: Invasion) -> GroundCombat:
    """amphib-is-assault The landing is an assault from the sea."""
    principal = principal_of(c)
    others = tuple(u for u in c.units if u != principal)
    return GroundCombat(
        action="amphibious", hex=c.target, attacker=principal, others=others, defender=army_in(s, c.target), ship=c.ship
    )


@rule("invasion-empty", "invasion-after")
def go_ashore(s: Position, c: Invasion) -> None:
    """invasion-after If the hex is empty now the principal must land; the others return to their ports.

    invasion-empty An empty coast is taken without dice.
    """
    principal = principal_of(c)
    if c.stopped == "through" and s.at[principal] >= 0 and army_in(s, c.target) < 0:
        port = s.at[principal]
        occupy(s, principal, c.target)
        leave_behind(s, port)
        emit(s, "landed", "invasion-after", unit=unit_of(s, principal).id, hex=hex_name(s, c.target))
    else:
        emit(s, "returned", "invasion-after", units=[unit_of(s, u).id for u in c.units if s.at[u] >= 0])
