"""Operations on land: activation, movement, mobile attacks, assaults."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.games.surrender.frames import AirMove, AssaultPlan, GroundCombat, GroundMove, NavalMove, Operations
from grognard.games.surrender.loading import charts, setting
from grognard.games.surrender.rules.board import (
    army_in,
    at_war,
    ezoc_mask,
    faction_name,
    has_room,
    hex_name,
    in_ezoc,
    is_enemy_held,
    take_control,
    unit_of,
    units_on_map,
)  # fmt: skip
from grognard.games.surrender.rules.ground_combat import holds_fort
from grognard.games.surrender.rules.occupation import expel, occupy
from grognard.games.surrender.rules.retreat import why_not_enter
from grognard.games.surrender.state import Position, world
from grognard.games.surrender.theatre import IMPASSABLE, side_cost
from grognard.games.surrender.world import NEUTRAL, OUT_OF_PLAY, movement_allowance
from grognard.hexes import STOP, Reach, reach
from grognard.kernel import Action, Decision, Refusal, Side, emit, enter, rule

IN_ZONE, STRONGHOLD = 1, 255  # in a mask of zones: EZOC; an empty enemy city or fort, which stops without being EZOC
REMEMBERED = 64  # searches kept by a world: one decision asks for the same one several times

# A hex may be entered by a faction if its own or an enemy's; the table turns a control column into a mask of bans.
_BARRED = tuple(
    bytes(
        1 if holder in (NEUTRAL, OUT_OF_PLAY) or holder > OUT_OF_PLAY
        or (holder - 1 != side and not at_war(side, holder - 1)) else 0
        for holder in range(256)
    )
    for side in range(3)
)  # fmt: skip

_HOSTILE = tuple(
    bytes(1 if 0 < holder < OUT_OF_PLAY and at_war(side, holder - 1) else 0 for holder in range(256))
    for side in range(3)
)


def mover(s: Position, c: Operations | GroundMove | AirMove | NavalMove | AssaultPlan) -> tuple[Side, ...]:
    """The faction whose Operations these are."""
    return (c.side,)


# ---- activation --------------------------------------------------------------------------------------------------


@rule("activation", "scenario-atlantic")
def why_not_activate(s: Position, side: Side, unit: int) -> Refusal | None:
    """activation A unit of the phasing faction on the map, once a month. scenario-atlantic No ground unit there."""
    kind = unit_of(s, unit)
    facts = {"unit": kind.id}
    if kind.faction != side or s.at[unit] < 0:
        return Refusal("activation", "not-yours", facts)
    if s.done[unit]:
        return Refusal("activation", "already-activated", facts)
    if kind.ground and world(s).data.get("no_ground"):
        return Refusal("scenario-atlantic", "no-ground-war", facts)
    if not kind.ground and s.sorties[unit] >= setting("sortie_limit"):
        return Refusal("sorties-max", "worn-out", facts)
    return None


@rule("activation", "faction-order")
class Activate(Decision):
    """activation The phasing faction activates its units one by one, in any order, and ends when it likes."""

    verbs = ("activate", "pass")

    def needed(self, s: Position, c: Operations, side: Side) -> bool:
        """Until it passes or has nobody left."""
        if c.finished:
            return False
        return any(not s.done[u] and why_not_activate(s, side, u) is None for u in units_on_map(s, side))

    def candidates(self, s: Position, c: Operations, side: Side) -> Iterator[Action]:
        """Every unit of the scenario."""
        yield ("pass", "")
        yield from (("activate", unit.id) for unit in world(s).units)

    def why_not(self, s: Position, c: Operations, side: Side, verb: str, target: str) -> Refusal | None:
        """Own, on the map, not yet activated."""
        return None if verb == "pass" else why_not_activate(s, side, world(s).unit_number(target))

    def legal(self, s: Position, c: Operations, side: Side) -> list[Action]:
        """The same, looking at own units only."""
        units = world(s).units
        ready = [u for u in units_on_map(s, side) if not s.done[u] and why_not_activate(s, side, u) is None]
        return [("pass", ""), *(("activate", units[u].id) for u in ready)]

    def apply(self, s: Position, c: Operations, side: Side, verb: str, target: str) -> None:
        """Begin that unit's activation."""
        if verb == "pass":
            c.finished = 1
            emit(s, "pass", "activation", side=faction_name(side))
            return
        unit = world(s).unit_number(target)
        kind = unit_of(s, unit)
        emit(s, "activated", "activation", unit=target)
        if kind.ground:
            enter(s, GroundMove(side=side, unit=unit, points=allowance(s, unit)))
        elif kind.air:
            enter(s, AirMove(side=side, unit=unit))
        else:
            enter(s, NavalMove(side=side, unit=unit, start=s.at[unit]))


def begin_operations(s: Position, c: Operations) -> None:
    """The faction is in phase."""
    s.phasing = c.side


@rule("no-ezoc")
def end_operations(s: Position, c: Operations) -> None:
    """no-ezoc The markers go when the phasing faction's Operations end."""
    s.no_ezoc = ()
    s.phasing = -1


@rule("ma", "ma-supply")
def allowance(s: Position, unit: int) -> int:
    """ma Tank and motorised 10, infantry and shock 8. ma-supply Halved in low supply, quartered without, rounded up."""
    points = movement_allowance(unit_of(s, unit).type)
    return -(-points // (1, 2, 4)[s.supply[unit]])


# ---- movement ----------------------------------------------------------------------------------------------------


@rule("move-ezoc", "move-ezoc-to-ezoc", "move-bans", "move-through", "attack-empty")
def reachable(s: Position, c: GroundMove) -> Reach:
    """move-ezoc Where the unit can go: who enters EZOC stops; from EZOC straight into EZOC costs 3 more, at the start.

    move-through Own armies may be passed. move-bans The rest may not be entered. attack-empty An enemy's empty city or
    fort stops whoever enters it, like a zone.
    """
    w, start = world(s), s.at[c.unit]
    barred, zones = barred_hexes(s, c.side), stopping_hexes(s, c.side)
    key = (start, c.points, bytes(s.weather), barred, zones)
    found: Reach | None = w.reaches.get(key)
    if found is None:
        if len(w.reaches) >= REMEMBERED:
            w.reaches.clear()
        surcharge = None
        if zones[start]:
            extra = int(charts()["movement"]["ezoc_to_ezoc"])
            surcharge = lambda a, b: extra if a == start and zones[b] == IN_ZONE else 0  # noqa: E731
        steps = w.theatre.steps(s.weather)
        found = w.reaches[key] = reach(steps, start, c.points, zoc=zones, barred=barred, rule=STOP, surcharge=surcharge)
    return found


def barred_hexes(s: Position, side: Side) -> bytes:
    """move-bans One byte a hex: nobody's, a third faction's, or with an enemy's army in it."""
    barred = bytearray(s.control.translate(_BARRED[side]))  # type: ignore[attr-defined]
    at, w = s.at, world(s)
    for faction in w.factions:
        if faction != side:
            for unit in w.armies_of[faction]:
                if at[unit] >= 0:
                    barred[at[unit]] = 1
    return bytes(barred)


def stopping_hexes(s: Position, side: Side) -> bytes:
    """move-ezoc One byte a hex: enemy zones of control, and other hexes with an enemy's city or fort."""
    size = len(s.control)
    hostile = int.from_bytes(s.control.translate(_HOSTILE[side]), "little")  # type: ignore[attr-defined]
    zones = int.from_bytes(ezoc_mask(s, side), "little")
    strongholds = hostile & world(s).stronghold_mask & ~zones
    return (zones | strongholds * STRONGHOLD).to_bytes(size, "little")


@rule("attack-empty")
def stops_in(s: Position, side: Side, hex: int) -> bool:
    """attack-empty An enemy city or fort, empty, is entered like any hex but ends the month's movement."""
    theatre = world(s).theatre
    return bool(theatre.city[hex] or theatre.fort[hex]) and is_enemy_held(s, hex, side)


@rule("stacking", "move-through")
def why_not_move(s: Position, c: GroundMove, hex: int, found: Reach | None = None) -> Refusal | None:
    """move-through Within reach, and not ending on a friendly army."""
    facts = {"unit": unit_of(s, c.unit).id, "hex": hex_name(s, hex)}
    if c.in_zone:
        return Refusal("move-ezoc", "stopped-in-ezoc", facts)
    if hex == s.at[c.unit]:
        return Refusal("move-cost", "already-there", facts)
    army = army_in(s, hex)
    if army >= 0 and unit_of(s, army).faction == c.side:
        return Refusal("move-through", "friend-there", facts)
    found = found or reachable(s, c)
    if hex in found:
        if not has_room(s, hex, c.unit) and not is_enemy_held(s, hex, c.side):
            return Refusal("stacking", "no-room", facts)
        return None
    if hex in world(s).theatre.grid.neighbours[s.at[c.unit]]:
        ban = why_not_enter(s, c.side, s.at[c.unit], hex)
        if ban is not None:
            return ban
    return Refusal("move-cost", "out-of-reach", facts | {"points": c.points})


# ---- mobile attacks ----------------------------------------------------------------------------------------------


@rule("mobile-cost")
def mobile_cost(s: Position, start: int, hex: int) -> int:
    """mobile-cost 2, 3 or 4 points by the weather of the defender's hex, plus the hexside."""
    theatre = world(s).theatre
    base = charts()["movement"]["mobile_attack"][s.weather[theatre.weather_zone[hex]]]
    return int(base) + side_cost(theatre.side(start, hex))


@rule("seq-1-mobile", "fort-assault-only", "mobile-cost", "mobile-repeat", "assault-weather", "move-through")
def why_not_attack(s: Position, c: GroundMove, hex: int) -> Refusal | None:
    """mobile-repeat As often as the points allow, on an adjacent enemy army, in any weather (assault-weather).

    fort-assault-only Not on a unit in a fort. move-through Not from a hex shared with a friend.
    """
    unit, start = c.unit, s.at[c.unit]
    facts = {"unit": unit_of(s, unit).id, "hex": hex_name(s, hex)}
    refusal = why_not_target(s, c.side, start, hex)
    if refusal is not None:
        return refusal
    if holds_fort(s, army_in(s, hex)):
        return Refusal("fort-assault-only", "fort-needs-assault", facts)
    if mobile_cost(s, start, hex) > c.points:
        return Refusal(
            "mobile-cost", "not-enough-points", facts | {"cost": mobile_cost(s, start, hex), "points": c.points}
        )
    return None


@rule("factions", "assault-setup")
def why_not_target(s: Position, side: Side, start: int, hex: int) -> Refusal | None:
    """assault-setup An adjacent army at war with us, across a passable hexside."""
    theatre = world(s).theatre
    facts = {"hex": hex_name(s, hex)}
    if hex not in theatre.grid.neighbours[start]:
        return Refusal("assault-setup", "not-adjacent", facts)
    if not theatre.land[hex] or theatre.side(start, hex) == IMPASSABLE:
        return Refusal("move-bans", "impassable-side", facts)
    army = army_in(s, hex)
    if army < 0:
        return Refusal("assault-setup", "nobody-there", facts)
    if not at_war(side, unit_of(s, army).faction):
        return Refusal("factions", "not-at-war", facts)
    return None


# ---- assaults ----------------------------------------------------------------------------------------------------


@rule("activation-choice", "assault-setup", "factions", "seq-1-cap")
def why_not_join(s: Position, side: Side, target: int, unit: int, joined: tuple[int, ...]) -> Refusal | None:
    """assault-setup A fresh unit of the same faction, adjacent to the target. seq-1-cap Three attackers at most."""
    kind = unit_of(s, unit)
    facts = {"unit": kind.id, "hex": hex_name(s, target)}
    if len(joined) >= 3:
        return Refusal("seq-1-cap", "three-at-most", facts)
    if unit in joined:
        return Refusal("assault-setup", "already-in", facts)
    if kind.faction != side or not kind.ground or s.at[unit] < 0:
        return Refusal("factions", "not-yours", facts)
    if s.done[unit]:
        return Refusal("activation-choice", "already-activated", facts)
    return why_not_target(s, side, s.at[unit], target)


@rule("activation-choice", "mobile-repeat", "move-ezoc")
class GroundOrder(Decision):
    """activation-choice Move and attack on the way, or share in one assault; never both."""

    verbs = ("move", "attack", "assault", "stop")

    def needed(self, s: Position, c: GroundMove, side: Side) -> bool:
        """Until the unit is stopped, gone or told to stop."""
        return not c.finished

    def candidates(self, s: Position, c: GroundMove, side: Side) -> Iterator[Action]:
        """Stop, the six neighbours for attacks, every hex for moves."""
        yield ("stop", "")
        around = world(s).theatre.grid.neighbours[s.at[c.unit]]
        yield from (("attack", hex_name(s, h)) for h in around)
        yield from (("assault", hex_name(s, h)) for h in around)
        yield from (("move", name) for name in world(s).theatre.grid.names)

    def why_not(self, s: Position, c: GroundMove, side: Side, verb: str, target: str) -> Refusal | None:
        """By verb."""
        if verb == "stop":
            return why_not_stop(s, c)
        hex = world(s).hex_ids[target]
        if verb == "move":
            return why_not_move(s, c, hex)
        if verb == "attack":
            return why_not_attack(s, c, hex)
        if c.moved:
            return Refusal("activation-choice", "moved-no-assault", {"unit": unit_of(s, c.unit).id})
        return why_not_join(s, side, hex, c.unit, ())

    def legal(self, s: Position, c: GroundMove, side: Side) -> list[Action]:
        """The same, from what is in reach."""
        grid = world(s).theatre.grid
        around = [h for h in grid.neighbours[s.at[c.unit]] if s.first_in[h] >= 0]
        actions: list[Action] = [("stop", "")] if why_not_stop(s, c) is None else []
        actions += [("attack", grid.names[h]) for h in around if why_not_attack(s, c, h) is None]
        if not c.moved:
            actions += [("assault", grid.names[h]) for h in around if why_not_join(s, side, h, c.unit, ()) is None]
        if not c.in_zone and c.points:
            found, here, first = reachable(s, c), s.at[c.unit], s.first_in
            free = [h for h in sorted(found.hexes) if first[h] < 0 or why_not_move(s, c, h, found) is None]
            actions += [("move", grid.names[h]) for h in free if h != here]
        return actions

    def apply(self, s: Position, c: GroundMove, side: Side, verb: str, target: str) -> None:
        """Carry the order out."""
        if verb == "stop":
            c.finished = 1
            return
        hex = world(s).hex_ids[target]
        if verb == "move":
            march(s, c, hex)
        elif verb == "attack":
            c.points -= mobile_cost(s, s.at[c.unit], hex)
            c.moved = 1
            s.done[c.unit] = 1
            enter(s, GroundCombat(action="mobile", hex=hex, attacker=c.unit, defender=army_in(s, hex)))
        else:
            c.finished = 1
            enter(s, AssaultPlan(side=side, target=hex, units=(c.unit,)))


@rule("move-through")
def why_not_stop(s: Position, c: GroundMove) -> Refusal | None:
    """move-through A unit never ends on a friend; our moves end only in free hexes, so it may always stop."""
    del s, c
    return None


@rule("control", "move-cost", "move-ezoc")
def march(s: Position, c: GroundMove, hex: int) -> None:
    """move-cost Along the cheapest way, taking control of what it enters; EZOC or a captured stronghold stops it."""
    found = reachable(s, c)
    path = found.path_to(hex)
    taken = any(stops_in(s, c.side, h) for h in path[1:])
    stop = in_ezoc(s, hex, c.side) or taken
    c.points = 0 if taken else c.points - (found.cost(hex) or 0)
    emit(s, "move", "move-cost", unit=unit_of(s, c.unit).id, start=hex_name(s, path[0]), hex=hex_name(s, hex),
         path=[hex_name(s, h) for h in path], points=c.points)  # fmt: skip
    for step in path[1:-1]:
        pass_through(s, c.side, step)
    occupy(s, c.unit, hex)
    c.moved = 1
    s.done[c.unit] = 1
    c.in_zone = int(stop)


def pass_through(s: Position, side: Side, hex: int) -> None:
    """control Hexes crossed change hands as well."""
    expel(s, hex, side)
    take_control(s, hex, side)


def end_activation(s: Position, c: GroundMove) -> None:
    """activation The unit has had its turn."""
    s.done[c.unit] = 1 if s.at[c.unit] >= 0 else 0


class JoinAssault(Decision):
    """assault-setup One to three fresh units next to the target; then the assault is launched."""

    verbs = ("join", "launch")

    def needed(self, s: Position, c: AssaultPlan, side: Side) -> bool:
        """Until launched, while another unit could join."""
        return not c.launched and bool(self.joiners(s, c, side))

    def joiners(self, s: Position, c: AssaultPlan, side: Side) -> list[int]:
        """Units that may still join."""
        if len(c.units) >= 3:
            return []
        around = world(s).theatre.grid.neighbours[c.target]
        near = sorted(a for a in (army_in(s, h) for h in around) if a >= 0)
        return [u for u in near if why_not_join(s, side, c.target, u, c.units) is None]

    def candidates(self, s: Position, c: AssaultPlan, side: Side) -> Iterator[Action]:
        """Launch, or any unit."""
        yield ("launch", "")
        yield from (("join", unit.id) for unit in world(s).units)

    def why_not(self, s: Position, c: AssaultPlan, side: Side, verb: str, target: str) -> Refusal | None:
        """The conditions of an assault."""
        if verb == "launch":
            return None
        return why_not_join(s, side, c.target, world(s).unit_number(target), c.units)

    def legal(self, s: Position, c: AssaultPlan, side: Side) -> list[Action]:
        """The same, from the target's neighbours."""
        return [("launch", ""), *(("join", unit_of(s, u).id) for u in self.joiners(s, c, side))]

    def apply(self, s: Position, c: AssaultPlan, side: Side, verb: str, target: str) -> None:
        """One more, or go."""
        if verb == "launch":
            c.launched = 1
        else:
            c.units = (*c.units, world(s).unit_number(target))


@rule("seq-1-assault")
class NamePrincipal(Decision):
    """seq-1-assault With several attackers the attacking side names the principal one."""

    verbs = ("lead",)

    def needed(self, s: Position, c: AssaultPlan, side: Side) -> bool:
        """With two or three units, until named."""
        return len(c.units) > 1 and c.principal < 0

    def candidates(self, s: Position, c: AssaultPlan, side: Side) -> Iterator[Action]:
        """The attackers."""
        return (("lead", unit_of(s, u).id) for u in c.units)

    def why_not(self, s: Position, c: AssaultPlan, side: Side, verb: str, target: str) -> Refusal | None:
        """One of the attackers."""
        if world(s).unit_number(target) in c.units:
            return None
        return Refusal("seq-1-assault", "not-attacking", {"unit": target})

    def apply(self, s: Position, c: AssaultPlan, side: Side, verb: str, target: str) -> None:
        """Name it."""
        c.principal = world(s).unit_number(target)


@rule("assault-setup", "seq-1-assault")
def begin_assault(s: Position, c: AssaultPlan) -> GroundCombat:
    """assault-setup All who take part are activated by it; a lone attacker is the principal."""
    principal = c.principal if c.principal >= 0 else c.units[0]
    for unit in c.units:
        s.done[unit] = 1
    others = tuple(u for u in c.units if u != principal)
    return GroundCombat(
        action="assault", hex=c.target, attacker=principal, others=others, defender=army_in(s, c.target)
    )
