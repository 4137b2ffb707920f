"""31 Reserves: units held back by an HQ's order, to move in the Exploitation Phase or into the enemy's battles."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.kernel import NOTHING, Decision, No, Side, emit, enter, leave, no, rule

from ..frames import Combat, Committing, PlayerTurn
from ..nouns import FOG, HEX, UNIT
from ..state import MOTORISED, MOVED, NONE, OFF, RESERVE, BitwState, is_battle, on_map, put
from ..world import IS_GROUND, SIDE_OF, UNITS, world
from .air import battles_now
from .definitions import movement_points, tech_of, why_not_own, why_not_stand
from .headquarters import commanders, has_order, headquarters, spend
from .movement import march, reach, why_not_pick
from .opening import rule_is_on

NO_RESERVES, NO_STAFF = no("31.0a", "no-reserves"), no("31.0c", "no-staff")
RESERVE_TECH, ARMOUR_ONLY = no("31.0a", "reserve-tech"), no("31.0b", "armour-only")
NOT_IN_RESERVE, NO_BATTLE_IN_REACH = no("31.0b", "not-in-reserve"), no("31.0d", "no-battle-in-reach")
NOT_NOW = no("7.10c", "not-now")
IN_BATTLE = no("31.0d", "in-battle")


def reserves_count(s: BitwState) -> bool:
    """31.0 Whether reserves are played."""
    return rule_is_on(s, "31.0a")


@rule("31.0c")
def staff_for(s: BitwState, unit: int, phase: str) -> int:
    """31.0c The HQ that holds a unit back: in movement a leader or an armour HQ, in exploitation armour HQs alone."""
    found = commanders(s, unit, "reserve")
    return next((u for u in found if phase == "move" or headquarters()[u].kind == "armour"), NONE)


@rule("31.0a", "31.0b", "31.0c")
def why_not_reserve(s: BitwState, unit: int, side: Side, phase: str) -> No | None:
    """31.0a A TECH 2 ground unit that has not moved; in the Exploitation Phase armour only (31.0b)."""
    if not reserves_count(s):
        return NO_RESERVES
    refusal = why_not_own(unit, side) or why_not_pick(s, unit)
    if refusal:
        return refusal
    if phase == "exploit" and not UNITS[unit].is_armour:
        return ARMOUR_ONLY
    if not IS_GROUND[unit] or tech_of(s, unit) < 2:
        return RESERVE_TECH
    return NO_STAFF if staff_for(s, unit, phase) == NONE else None


def could_be_held(s: BitwState, side: Side, phase: str) -> list[int]:
    """The units that may be put in reserve now."""
    if not reserves_count(s) or not has_order(s, side, "reserve"):
        return []
    return [u for u in on_map(s, side) if IS_GROUND[u] and why_not_reserve(s, u, side, phase) is None]


@rule("31.0a", "31.0b")
def hold_back(s: BitwState, unit: int, phase: str) -> None:
    """31.0a The unit does not move in this phase. Everybody hears that one is held back, its owner alone which."""
    spend(s, staff_for(s, unit, phase), "reserve", unit)
    s.orders[unit] |= MOTORISED if phase == "move" else RESERVE
    emit(s, "in-reserve", "31.0c", audience=(SIDE_OF[unit],), unit=UNITS[unit].id)
    emit(s, "reserve-kept", "31.0c", side=SIDE_OF[unit])


@rule("31.0d")
def release(s: BitwState, c: PlayerTurn) -> None:
    """31.0d Reserves that nobody called go back to the line when their owner moves again (ruling A48)."""
    for u in on_map(s, c.side):
        s.orders[u] &= ~RESERVE


# The enemy's turn


@rule("31.0d")
def battles_for(s: BitwState, unit: int, hexes: Iterable[int]) -> dict[int, int]:
    """31.0d Of some battle hexes those that a unit in reserve reaches with all its points, and whence it enters."""
    wanted = set(hexes)
    found = reach(s, unit, s.place[unit], movement_points(s, unit, False))
    ways: dict[int, tuple[int, int]] = {}
    for node, whence in found.attacks:
        if node in wanted and why_not_stand(s, node, unit) is None:
            ways[node] = min(ways.get(node, (99, 0)), (found.cost[whence], whence))
    return {node: whence for node, (_, whence) in sorted(ways.items())}


def open_battles(s: BitwState, c: PlayerTurn | Combat | Committing, side: Side) -> list[int]:
    """The battles that reserves may join: all of them in reaction, the one at hand against a blitz or a landing."""
    if isinstance(c, Combat):
        return [c.hex]
    if isinstance(c, Committing) and c.at_hex != NONE:
        return [c.at_hex]
    return battles_now(s, side)


@rule("31.0b", "31.0d")
def why_not_commit(s: BitwState, c: PlayerTurn | Combat, unit: int, side: Side) -> No | None:
    """31.0d A unit in reserve, not itself in battle, with a battle in reach and room there."""
    if not reserves_count(s):
        return NO_RESERVES
    refusal = why_not_own(unit, side)
    if refusal:
        return refusal
    if not s.orders[unit] & RESERVE or s.place[unit] >= OFF:
        return NOT_IN_RESERVE
    if is_battle(s, s.place[unit]):
        return IN_BATTLE
    return None if battles_for(s, unit, open_battles(s, c, side)) else NO_BATTLE_IN_REACH


@rule("31.0b", "31.0d", "7.8d")
class Commit(Decision):
    """31.0b Armour in reserve goes to battles of the other side's turn: in reaction, and against a blitz (A48)."""

    verbs = {"done": NOTHING, "commit": UNIT}

    def needed(self, s: BitwState, c: PlayerTurn | Combat, side: Side) -> bool:
        """While there are reserves and battles: asked only where one could go, it would tell where they stand."""
        if not reserves_count(s) or c.finished == c.at():
            return False
        return bool(open_battles(s, c, side)) and any(s.orders[u] & RESERVE for u in on_map(s, side))

    def nouns(self, s: BitwState, c: PlayerTurn | Combat, side: Side, verb: str) -> Iterable[int]:
        """Those who can."""
        if verb == "done":
            return (0,)
        marked = [u for u in on_map(s, side) if s.orders[u] & RESERVE]
        return [u for u in marked if why_not_commit(s, c, u, side) is None]

    def why_not(self, s: BitwState, c: PlayerTurn | Combat, side: Side, verb: str, noun: int) -> No | None:
        """Only reserves with a battle in reach."""
        return None if verb == "done" else why_not_commit(s, c, noun, side)

    def apply(self, s: BitwState, c: PlayerTurn | Combat, side: Side, verb: str, noun: int) -> None:
        """Take it in hand; with one battle in reach it goes there."""
        if verb == "done":
            c.finished = c.at()
            return
        battles = list(battles_for(s, noun, open_battles(s, c, side)))
        if len(battles) == 1:
            join(s, noun, battles[0])
        else:
            enter(s, Committing(unit=noun, side=side))


class CommitTo(Decision):
    """31.0d The unit in hand joins a battle."""

    verbs = {"to": HEX}

    def needed(self, s: BitwState, c: Committing, side: Side) -> bool:
        """Until it has gone."""
        return True

    def nouns(self, s: BitwState, c: Committing, side: Side, verb: str) -> list[int]:
        """The battles in reach."""
        return list(battles_for(s, c.unit, open_battles(s, c, side)))

    def why_not(self, s: BitwState, c: Committing, side: Side, verb: str, noun: int) -> No | None:
        """Only a battle in reach, with room."""
        is_open = noun in open_battles(s, c, side) and battles_for(s, c.unit, (noun,))
        return None if is_open else NO_BATTLE_IN_REACH

    def apply(self, s: BitwState, c: Committing, side: Side, verb: str, noun: int) -> None:
        """Go."""
        leave(s)
        join(s, c.unit, noun)


@rule("31.0d")
def join(s: BitwState, unit: int, node: int) -> None:
    """31.0d The unit marches to the battle; it is in reserve no longer."""
    whence = battles_for(s, unit, (node,))[node]
    names, start = world(s).theatre.names, s.place[unit]
    path = reach(s, unit, start, movement_points(s, unit, False)).path(whence)
    march(s, unit, path)
    put(s, unit, node)
    s.origin[unit] = whence
    s.orders[unit] &= ~RESERVE
    s.flags[unit] |= MOVED
    emit(s, "commits", "31.0d", unit=FOG.veil(s, unit), hex=names[node], whence=names[start])


def against_blitz(s: BitwState, c: Combat) -> bool:
    """31.0d Reserves answer a blitz, or a second wave (24.6), before its combat is fought (ruling A48)."""
    return bool(c.blitz & 5) and reserves_count(s)
