"""Operations on land: activation, movement, mobile attacks; assaults are gathered in assault.py."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.games.surrender.frames import (
    AirMove,
    AssaultPlan,
    GroundCombat,
    GroundMove,
    Invasion,
    NavalMove,
    Operations,
)
from grognard.games.surrender.loading import charts, setting
from grognard.games.surrender.nouns import HEX, UNIT
from grognard.games.surrender.rules.assault import why_not_join, why_not_target
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
from grognard.games.surrender.rules.refusals import NO_GROUND_WAR, NO_ROOM, WORN_OUT
from grognard.games.surrender.rules.retreat import why_not_enter
from grognard.games.surrender.state import Position, world
from grognard.games.surrender.theatre import side_cost
from grognard.games.surrender.world import AXIS, NEUTRAL, OUT_OF_PLAY, World, movement_allowance
from grognard.hexes import STOP, Reach, reach
from grognard.kernel import NOTHING, Decision, No, Side, emit, enter, no, rule
from grognard.kit.memo import unchanged

NOT_YOURS = no("activation", "not-yours")
ALREADY_ACTIVATED = no("activation", "already-activated")
STOPPED_IN_EZOC = no("move-ezoc", "stopped-in-ezoc")
ALREADY_THERE = no("move-cost", "already-there")
FRIEND_THERE = no("move-through", "friend-there")
OUT_OF_REACH = no("move-cost", "out-of-reach")
FORT_NEEDS_ASSAULT = no("fort-assault-only", "fort-needs-assault")
MOVED_NO_ASSAULT = no("activation-choice", "moved-no-assault")

IN_ZONE, STRONGHOLD = 1, 255  # in a mask of zones: EZOC; an empty enemy city or fort, which stops without being EZOC

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


def mover(s: Position, c: Operations | GroundMove | AirMove | NavalMove | AssaultPlan | Invasion) -> tuple[Side, ...]:
    """The faction whose Operations these are."""
    return (c.side,)


# ---- activation --------------------------------------------------------------------------------------------------


@rule("activation", "scenario-atlantic")
def why_not_activate(s: Position, side: Side, unit: int) -> No | None:
    """activation A unit of the phasing faction on the map, once a month. scenario-atlantic No ground unit there."""
    kind = unit_of(s, unit)
    if kind.faction != side or s.at[unit] < 0:
        return NOT_YOURS
    if s.done[unit]:
        return ALREADY_ACTIVATED
    if kind.ground:
        return NO_GROUND_WAR if world(s).data.get("no_ground") else None
    return WORN_OUT if s.sorties[unit] >= setting("sortie_limit") else None


def ready_units(s: Position, side: Side) -> list[int]:
    """activation The units for which `why_not_activate` has no objection, in order."""
    done, sorties, w = s.done, s.sorties, world(s)
    limit, peace = setting("sortie_limit"), bool(w.data.get("no_ground"))
    is_ground = w.is_ground
    return [u for u in units_on_map(s, side) if not done[u] and (not peace if is_ground[u] else sorties[u] < limit)]


@rule("activation", "faction-order")
class Activate(Decision):
    """activation The phasing faction activates its units one by one, in any order, and ends when it likes."""

    verbs = {"pass": NOTHING, "activate": UNIT}

    def needed(self, s: Position, c: Operations, side: Side) -> bool:
        """Until it passes or has nobody left."""
        if c.finished:
            return False
        return any(not s.done[u] and why_not_activate(s, side, u) is None for u in units_on_map(s, side))

    def nouns(self, s: Position, c: Operations, side: Side, verb: str) -> Iterable[int]:
        """Own units on the map that have not been activated."""
        done = s.done
        return (0,) if verb == "pass" else [u for u in units_on_map(s, side) if not done[u]]

    def why_not(self, s: Position, c: Operations, side: Side, verb: str, noun: int) -> No | None:
        """Own, on the map, not yet activated."""
        return None if verb == "pass" else why_not_activate(s, side, noun)

    def legal_nouns(self, s: Position, c: Operations, side: Side, verb: str) -> list[int]:
        """The same; units are asked all at once."""
        return [0] if verb == "pass" else ready_units(s, side)

    def apply(self, s: Position, c: Operations, side: Side, verb: str, noun: int) -> None:
        """Begin that unit's activation."""
        if verb == "pass":
            c.finished = 1
            emit(s, "pass", "activation", side=faction_name(side))
            return
        kind = unit_of(s, noun)
        emit(s, "activated", "activation", unit=kind.id)
        if kind.ground:
            enter(s, GroundMove(side=side, unit=noun, points=allowance(s, noun)))
        elif kind.air:
            enter(s, AirMove(side=side, unit=noun))
        else:
            enter(s, NavalMove(side=side, unit=noun, start=s.at[noun]))


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
    key = (start, c.points, bytes(s.weather), *ground_key(s, w, c.side))
    found: Reach | None = w.reaches.get(key)
    if found is None:
        barred, zones = barred_hexes(s, c.side), stopping_hexes(s, c.side)
        surcharge = None
        if zones[start]:
            extra = int(charts()["movement"]["ezoc_to_ezoc"])
            surcharge = lambda a, b: extra if a == start and zones[b] == IN_ZONE else 0  # noqa: E731
        steps = w.theatre.steps(s.weather)
        found = reach(steps, start, c.points, zoc=zones, barred=barred, rule=STOP, surcharge=surcharge)
        w.reaches.keep(key, found)
    return found


def ground_key(s: Position, w: World, side: Side) -> tuple[object, ...]:
    """All that bans and zones depend on: who holds what, where the armies of others stand, their zones, markers."""
    others = [s.at[a:b].tobytes() for faction, (a, b) in enumerate(w.span_of) if faction != side]  # type: ignore[attr-defined]
    zones = unchanged("allied", s.allied_zoc) if side == AXIS else unchanged("axis", s.axis_zoc)
    return side, unchanged("control", s.control), zones, s.no_ezoc if s.phasing == side else (), *others


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
def why_not_move(s: Position, c: GroundMove, hex: int, found: Reach | None = None) -> No | None:
    """move-through Within reach, and not ending on a friendly army."""
    if c.in_zone:
        return STOPPED_IN_EZOC
    if hex == s.at[c.unit]:
        return ALREADY_THERE
    army = army_in(s, hex)
    if army >= 0 and unit_of(s, army).faction == c.side:
        return FRIEND_THERE
    found = found or reachable(s, c)
    if hex in found:
        return NO_ROOM if not has_room(s, hex, c.unit) and not is_enemy_held(s, hex, c.side) else None
    if hex in world(s).theatre.grid.neighbours[s.at[c.unit]]:
        return why_not_enter(s, c.side, s.at[c.unit], hex) or OUT_OF_REACH
    return OUT_OF_REACH


# ---- mobile attacks ----------------------------------------------------------------------------------------------


@rule("mobile-cost")
def mobile_cost(s: Position, start: int, hex: int) -> int:
    """mobile-cost 2, 3 or 4 points by the weather of the defender's hex, plus the hexside."""
    theatre = world(s).theatre
    base = charts()["movement"]["mobile_attack"][s.weather[theatre.weather_zone[hex]]]
    return int(base) + side_cost(theatre.side(start, hex))


NOT_ENOUGH_POINTS = no(
    "mobile-cost", "not-enough-points",
    lambda s, c, side, hex: {"cost": mobile_cost(s, s.at[c.unit], hex), "points": c.points},
)  # fmt: skip


@rule("seq-1-mobile", "fort-assault-only", "mobile-cost", "mobile-repeat", "assault-weather", "move-through")
def why_not_attack(s: Position, c: GroundMove, hex: int) -> No | None:
    """mobile-repeat As often as the points allow, on an adjacent enemy army, in any weather (assault-weather).

    fort-assault-only Not on a unit in a fort. move-through Not from a hex shared with a friend.
    """
    start = s.at[c.unit]
    refusal = why_not_target(s, c.side, start, hex)
    if refusal is not None:
        return refusal
    if holds_fort(s, army_in(s, hex)):
        return FORT_NEEDS_ASSAULT
    return NOT_ENOUGH_POINTS if mobile_cost(s, start, hex) > c.points else None


# ---- orders ------------------------------------------------------------------------------------------------------


@rule("activation-choice", "mobile-repeat", "move-ezoc")
class GroundOrder(Decision):
    """activation-choice Move and attack on the way, or share in one assault; never both."""

    verbs = {"stop": NOTHING, "attack": HEX, "assault": HEX, "move": HEX}

    def needed(self, s: Position, c: GroundMove, side: Side) -> bool:
        """Until the unit is stopped, gone or told to stop."""
        return not c.finished

    def nouns(self, s: Position, c: GroundMove, side: Side, verb: str) -> Iterable[int]:
        """Stop, the neighbours that hold units for attacks, every hex in reach for moves."""
        if verb == "stop":
            return (0,)
        if verb == "move":
            return () if c.in_zone or not c.points else sorted(reachable(s, c).hexes)
        if verb == "assault" and c.moved:
            return ()
        first = s.first_in
        return [h for h in world(s).theatre.grid.neighbours[s.at[c.unit]] if first[h] >= 0]

    @rule("move-through")
    def why_not(self, s: Position, c: GroundMove, side: Side, verb: str, noun: int) -> No | None:
        """move-through A unit never ends on a friend; moves end only in free hexes, so it may always stop."""
        if verb == "stop":
            return None
        if verb == "move":
            return why_not_move(s, c, noun)
        if verb == "attack":
            return why_not_attack(s, c, noun)
        return MOVED_NO_ASSAULT if c.moved else why_not_join(s, side, noun, c.unit, ())

    def legal_nouns(self, s: Position, c: GroundMove, side: Side, verb: str) -> list[int]:
        """The same; for moves, what is in reach is searched once and empty hexes are not asked again."""
        if verb != "move":
            return super().legal_nouns(s, c, side, verb)
        if c.in_zone or not c.points:
            return []
        found, here, first = reachable(s, c), s.at[c.unit], s.first_in
        return [h for h in sorted(found.hexes) if h != here and (first[h] < 0 or why_not_move(s, c, h, found) is None)]

    def apply(self, s: Position, c: GroundMove, side: Side, verb: str, noun: int) -> None:
        """Carry the order out."""
        if verb == "stop":
            c.finished = 1
        elif verb == "move":
            march(s, c, noun)
        elif verb == "attack":
            c.points -= mobile_cost(s, s.at[c.unit], noun)
            c.moved = 1
            s.done[c.unit] = 1
            enter(s, GroundCombat(action="mobile", hex=noun, attacker=c.unit, defender=army_in(s, noun)))
        else:
            c.finished = 1
            enter(s, AssaultPlan(side=side, target=noun, units=(c.unit,)))


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
