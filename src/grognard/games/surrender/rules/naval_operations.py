"""Operations at sea: sailing from port to port, transport by convoy, invasions."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.games.surrender.frames import GroundCombat, Invasion, Mission, NavalMove
from grognard.games.surrender.loading import setting
from grognard.games.surrender.rules.board import (
    army_in,
    at_war,
    has_room,
    hex_name,
    in_slot,
    is_friendly,
    place,
    unit_of,
    units_on_map,
)  # fmt: skip
from grognard.games.surrender.rules.interception import hurt_cargo
from grognard.games.surrender.rules.occupation import leave_behind, occupy, why_not_base
from grognard.games.surrender.rules.sea import sea_distances, sea_route
from grognard.games.surrender.state import Position, world
from grognard.games.surrender.world import NEUTRAL, OUT_OF_PLAY
from grognard.kernel import Action, Decision, Refusal, Side, emit, enter, rule


@rule("naval-port")
def why_not_port(s: Position, unit: int, hex: int) -> Refusal | None:
    """naval-port Every action ends in a friendly port with room: one warship or carrier and one convoy."""
    if not world(s).theatre.port[hex] or not is_friendly(s, hex, unit_of(s, unit).faction):
        return Refusal("naval-port", "no-friendly-port", {"hex": hex_name(s, hex)})
    return None if has_room(s, hex, unit) else Refusal("stacking", "no-room", {"hex": hex_name(s, hex)})


@rule("naval-move", "naval-port", "transport")
def why_not_sail(s: Position, c: NavalMove, hex: int, costs: dict[int, int] | None = None) -> Refusal | None:
    """naval-move To a friendly port within 40 points. transport Room there for the cargo too."""
    facts = {"hex": hex_name(s, hex)}
    if hex == c.start:
        return Refusal("naval-move", "already-there", facts)
    refusal = why_not_port(s, c.unit, hex)
    if refusal is not None:
        return refusal
    if c.cargo >= 0:
        if unit_of(s, c.cargo).air:
            refusal = why_not_base(s, c.cargo, hex)
            if refusal is not None:
                return refusal
        elif not has_room(s, hex, c.cargo):
            return Refusal("stacking", "no-room", facts)
    costs = costs if costs is not None else sea_distances(s, c.start, c.side, setting("naval_points"))
    return None if hex in costs else Refusal("naval-move", "too-far", facts)


@rule("transport", "activation", "scenario-atlantic")
def why_not_load(s: Position, c: NavalMove, unit: int) -> Refusal | None:
    """transport A convoy takes one ground or air unit from its own port that has not been activated."""
    kind = unit_of(s, unit)
    facts = {"unit": kind.id}
    if unit_of(s, c.unit).type != "convoy":
        return Refusal("transport", "not-a-convoy", facts)
    if c.cargo >= 0:
        return Refusal("transport", "one-cargo", facts)
    if kind.ship or kind.faction != c.side or s.at[unit] != s.at[c.unit]:
        return Refusal("transport", "not-in-port", facts)
    if s.done[unit]:
        return Refusal("transport", "already-activated", facts)
    if kind.ground and world(s).data.get("no_ground"):
        return Refusal("scenario-atlantic", "no-ground-war", facts)
    return None


@rule("naval-move", "transport", "invasion")
class NavalOrder(Decision):
    """naval-move Sail to a port, with a cargo or not, or begin an invasion; or stay."""

    verbs = ("load", "sail", "invade", "stop")

    def needed(self, s: Position, c: NavalMove, side: Side) -> bool:
        """Until it has acted."""
        return not c.finished

    def candidates(self, s: Position, c: NavalMove, side: Side) -> Iterator[Action]:
        """Every unit, port and coast."""
        yield ("stop", "")
        yield from (("load", unit.id) for unit in world(s).units)
        yield from (("sail", hex_name(s, h)) for h in world(s).ports)
        theatre = world(s).theatre
        yield from (("invade", name) for h, name in enumerate(theatre.grid.names) if theatre.coastal[h])

    def why_not(self, s: Position, c: NavalMove, side: Side, verb: str, target: str) -> Refusal | None:
        """By verb."""
        if verb == "stop":
            return None
        if verb == "load":
            return why_not_load(s, c, world(s).unit_number(target))
        hex = world(s).hex_ids[target]
        return why_not_sail(s, c, hex) if verb == "sail" else why_not_invade(s, c, hex)

    def legal(self, s: Position, c: NavalMove, side: Side) -> list[Action]:
        """The same, with the sea searched once."""
        w = world(s)
        names = w.theatre.grid.names
        costs = sea_distances(s, c.start, side, setting("naval_points"))
        actions: list[Action] = [("stop", "")]
        aboard = [u for u in units_on_map(s, side) if s.at[u] == c.start and why_not_load(s, c, u) is None]
        actions += [("load", w.units[u].id) for u in aboard]
        own = [h for h in w.ports if s.control[h] == side + 1 and h in costs]
        actions += [("sail", names[h]) for h in own if why_not_sail(s, c, h, costs) is None]
        if c.cargo >= 0 and unit_of(s, c.cargo).ground:
            shore = [h for h in w.coast if h in costs and why_not_beach(s, side, h) is None]
            actions += [("invade", names[h]) for h in shore]
        return actions

    def apply(self, s: Position, c: NavalMove, side: Side, verb: str, target: str) -> None:
        """Carry it out."""
        if verb == "load":
            c.cargo = world(s).unit_number(target)
            s.done[c.cargo] = 1
            return
        c.finished = 1
        s.done[c.unit] = 1
        if verb == "sail":
            c.target = world(s).hex_ids[target]
        elif verb == "invade":
            hex = world(s).hex_ids[target]
            enter(s, Invasion(side=side, target=hex, units=(c.cargo,), convoys=(c.unit,)))


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

    verbs = ("shelter",)

    def needed(self, s: Position, c: NavalMove, side: Side) -> bool:
        """With two or more, until chosen."""
        return c.refuge < 0 and len(refuges(s, c)) > 1

    def candidates(self, s: Position, c: NavalMove, side: Side) -> Iterator[Action]:
        """Every port."""
        return (("shelter", hex_name(s, h)) for h in world(s).ports)

    def why_not(self, s: Position, c: NavalMove, side: Side, verb: str, target: str) -> Refusal | None:
        """One of the nearest."""
        if world(s).hex_ids[target] in refuges(s, c):
            return None
        return Refusal("interdiction-naval-port", "not-the-nearest", {"hex": target})

    def legal(self, s: Position, c: NavalMove, side: Side) -> list[Action]:
        """The same, searched once."""
        return [("shelter", hex_name(s, h)) for h in refuges(s, c)]

    def apply(self, s: Position, c: NavalMove, side: Side, verb: str, target: str) -> None:
        """Make for it."""
        c.refuge = world(s).hex_ids[target]


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
def why_not_invade(s: Position, c: NavalMove, hex: int, costs: dict[int, int] | None = None) -> Refusal | None:
    """invasion A loaded convoy against a coastal hex of the enemy's within naval movement."""
    theatre = world(s).theatre
    facts = {"hex": hex_name(s, hex)}
    if c.cargo < 0 or not unit_of(s, c.cargo).ground:
        return Refusal("invasion", "no-army-aboard", facts)
    refusal = why_not_beach(s, c.side, hex)
    if refusal is not None:
        return refusal
    if not theatre.coastal[hex]:
        return Refusal("invasion", "not-coastal", facts)
    costs = costs if costs is not None else sea_distances(s, c.start, c.side, setting("naval_points"))
    return None if hex in costs else Refusal("naval-move", "too-far", facts)


@rule("move-bans", "invasion")
def why_not_beach(s: Position, side: Side, hex: int) -> Refusal | None:
    """invasion An inland, neutral or friendly hex cannot be invaded, nor a third faction's."""
    if not world(s).theatre.land[hex] or not world(s).theatre.coastal[hex]:
        return Refusal("invasion", "not-coastal", {"hex": hex_name(s, hex)})
    holder = s.control[hex]
    if holder in (NEUTRAL, OUT_OF_PLAY) or not at_war(side, holder - 1):
        return Refusal("invasion", "not-enemy-coast", {"hex": hex_name(s, hex)})
    return None


@rule("invasion")
def why_not_embark(s: Position, c: Invasion, unit: int) -> Refusal | None:
    """invasion Another army in a port with a fresh convoy, the target within its reach; three at most."""
    kind = unit_of(s, unit)
    facts = {"unit": kind.id, "hex": hex_name(s, c.target)}
    if len(c.convoys) >= 3:
        return Refusal("invasion", "three-convoys", facts)
    if not kind.ground or kind.faction != c.side or s.at[unit] < 0 or unit in c.units:
        return Refusal("invasion", "not-yours", facts)
    convoy = in_slot(s, s.at[unit], "convoy")
    if convoy < 0 or s.done[unit] or s.done[convoy] or s.sorties[convoy] >= setting("sortie_limit"):
        return Refusal("invasion", "no-convoy", facts)
    if c.target not in sea_distances(s, s.at[unit], c.side, setting("naval_points")):
        return Refusal("naval-move", "too-far", facts)
    return None


@rule("invasion")
def why_not_bombard(s: Position, c: Invasion, unit: int) -> Refusal | None:
    """invasion At most one fresh warship or carrier within naval movement of the target supports the landing."""
    kind = unit_of(s, unit)
    facts = {"unit": kind.id}
    if c.ship >= 0:
        return Refusal("invasion", "one-ship", facts)
    if not kind.warship or kind.faction != c.side or s.at[unit] < 0:
        return Refusal("invasion", "not-a-warship", facts)
    if s.done[unit]:
        return Refusal("invasion", "already-activated", facts)
    if s.sorties[unit] >= setting("sortie_limit"):
        return Refusal("sorties-max", "worn-out", facts)
    if c.target not in sea_distances(s, s.at[unit], c.side, setting("naval_points")):
        return Refusal("naval-move", "too-far", facts)
    return None


@rule("invasion")
class GatherFleet(Decision):
    """invasion One to three convoys with armies, at most one warship or carrier; then the fleet sails."""

    verbs = ("join", "support", "launch")

    def needed(self, s: Position, c: Invasion, side: Side) -> bool:
        """Until launched, while anybody could join."""
        return not c.launched and len(self.legal(s, c, side)) > 1

    def candidates(self, s: Position, c: Invasion, side: Side) -> Iterator[Action]:
        """Launch, or any unit."""
        yield ("launch", "")
        for unit in world(s).units:
            yield ("join", unit.id)
            yield ("support", unit.id)

    def why_not(self, s: Position, c: Invasion, side: Side, verb: str, target: str) -> Refusal | None:
        """By verb."""
        if verb == "launch":
            return None
        unit = world(s).unit_number(target)
        return why_not_embark(s, c, unit) if verb == "join" else why_not_bombard(s, c, unit)

    def legal(self, s: Position, c: Invasion, side: Side) -> list[Action]:
        """The same, from own units at sea and in port."""
        units = world(s).units
        actions: list[Action] = [("launch", "")]
        for unit in units_on_map(s, side):
            if units[unit].ground and world(s).theatre.port[s.at[unit]] and why_not_embark(s, c, unit) is None:
                actions.append(("join", units[unit].id))
            if units[unit].warship and why_not_bombard(s, c, unit) is None:
                actions.append(("support", units[unit].id))
        return actions

    def apply(self, s: Position, c: Invasion, side: Side, verb: str, target: str) -> None:
        """One more, or go."""
        if verb == "launch":
            c.launched = 1
            return
        unit = world(s).unit_number(target)
        s.done[unit] = 1
        if verb == "support":
            c.ship = unit
        else:
            convoy = in_slot(s, s.at[unit], "convoy")
            s.done[convoy] = 1
            c.units, c.convoys = (*c.units, unit), (*c.convoys, convoy)


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
