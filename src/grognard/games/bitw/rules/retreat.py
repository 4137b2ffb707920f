"""7.7.13-7.7.18 Retreats: when, where to, and who cannot."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.kernel import NOTHING, Decision, No, Side, emit, enter, leave, no, rule

from ..frames import Combat, Retreating
from ..nouns import FOG, HEX, UNIT, name_of
from ..state import (
    GROUNDED,
    MISSION,
    BitwState,
    air_in,
    enemy_of,
    ground_in,
    is_battle,
    is_frozen,
    put,
    side_holding,
)
from ..world import IS_AIR, IS_COMBAT, IS_FORT, IS_GROUND, SIDE_OF, UNITS, world
from .air import bring_home, has_home
from .definitions import (
    STACK_COMBAT,
    STACK_GROUND,
    STACK_HARBOUR,
    in_any_zoc,
    take_control,
    why_not_own,
    why_not_stand,
)
from .discs import PARTISANS_THERE, held_by_discs
from .movement import CLOSED, IS_STATIC, special_price, terrain_switch
from .supply import sources_of

NOT_ADJACENT, ENEMY_THERE = no("7.7.14a", "not-adjacent"), no("7.7.15a", "enemy-there")
ENEMY_ZOC, CLOSED_TO_ARMOUR = no("7.7.14b", "enemy-zoc"), no("14.0-mountain-a", "closed-hex")
FULL = {full: no("7.7.17", full.reason, full.facts) for full in (STACK_GROUND, STACK_COMBAT, STACK_HARBOUR)}
NO_WAY_TO_SUPPLY, NO_RETREAT = no("7.7.15a", "no-way-to-supply"), no("7.7.15c", "no-retreat")
STATIC, FORT_STAYS, FROZEN = no("6.1.1-static-b", "static"), no("6.6c", "fort-stays"), no("3.21", "frozen")
MUST_LEAVE = no(
    "6.3.3c", "must-leave", lambda s, c, side, noun: {"unit": UNIT.word(s, side, forced_out(s, c, side)[0])}
)
GROUND_LATER, NOT_HERE = no("7.7.13", "ground-later"), no("7.7.13", "not-here")
GROUNDED_NOW, NO_BASE = no("6.3.2d", "grounded"), no("7.7.16", "no-base")


@rule("7.7.14b", "7.7.15a", "7.7.15b", "7.7.17", "29.0b")
def why_not_retreat_to(s: BitwState, unit: int, node: int, sources: frozenset[int] | None = None) -> No | None:
    """7.7.14b A retreat goes to a safe adjacent hex with room.

    Towards supply (7.7.15a), or onto friends or a city (b), never into an enemy zone (ruling A55).
    """
    t = world(s).theatre
    side, here = SIDE_OF[unit], s.place[unit]
    if node not in t.touch[here]:
        return NOT_ADJACENT
    enemy = enemy_of(side)
    if s.present[enemy * len(s.first_in) + node]:
        return ENEMY_THERE
    if in_any_zoc(s, node, enemy):
        return ENEMY_ZOC
    if node in held_by_discs(s, side, 1):
        return PARTISANS_THERE
    if terrain_switch(s) and special_price(UNITS[unit], t.terrain[node], 1) == CLOSED:
        return CLOSED_TO_ARMOUR
    full = why_not_stand(s, node, unit)
    if full:
        return FULL[full]
    friends = s.present[side * len(s.first_in) + node] > 0
    if friends or (t.city[node] and side_holding(s, node) == side):
        return None
    if leads_to_supply(s, unit, node, here, sources):
        return None
    return NO_WAY_TO_SUPPLY


@rule("7.7.15a")
def leads_to_supply(s: BitwState, unit: int, start: int, battle: int, sources: frozenset[int] | None = None) -> bool:
    """7.7.15a Going on from the hex, never back through the battle, a source is reached past no enemy.

    Zone or battle.
    """
    t = world(s).theatre
    u = UNITS[unit]
    if sources is None:
        sources = sources_of(s, u.power, u.home)
    enemy, nodes = enemy_of(u.side), len(s.first_in)
    seen = {battle, start}
    stack = [start]
    while stack:
        node = stack.pop()
        if t.city[node] and side_holding(s, node) == enemy:
            continue
        if node in sources:
            return True
        for other in t.touch[node]:
            if other in seen:
                continue
            seen.add(other)
            if s.present[enemy * nodes + other] or is_battle(s, other) or in_any_zoc(s, other, enemy):
                continue
            stack.append(other)
    return False


def retreat_hexes(s: BitwState, unit: int) -> list[int]:
    """7.7.14 The hexes that a ground unit may retreat to."""
    t = world(s).theatre
    u = UNITS[unit]
    sources = sources_of(s, u.power, u.home)
    return [n for n in t.touch[s.place[unit]] if why_not_retreat_to(s, unit, n, sources) is None]


@rule("6.1.1-static-b", "6.6c", "3.21", "7.7.15c")
def why_not_retreat(s: BitwState, unit: int) -> No | None:
    """7.7.15c Static infantry, forts and frozen units never retreat; the others need a hex to go to."""
    if IS_STATIC[unit]:
        return STATIC
    if IS_FORT[unit]:
        return FORT_STAYS
    if is_frozen(s, unit):
        return FROZEN
    return None if retreat_hexes(s, unit) else NO_RETREAT


def reset_answers(s: BitwState, c: Combat) -> None:
    """7.7.13 A new chance to leave."""
    c.answered = (0, 0)


def defender_first(s: BitwState, c: Combat) -> tuple[Side, Side]:
    """7.7.18 The defender always chooses first."""
    return (1 - c.attacker, c.attacker)


@rule("6.3.3c", "7.7.10b")
def must_leave(s: BitwState, c: Combat, unit: int) -> bool:
    """Aircraft that cannot stay: strategic bombers after one round (6.3.3c, A22), those at 0.

    Those whose hex is lost. A strategic bomber based here flies one round as well: the first in which it may (6.3.2d).
    """
    if not IS_AIR[unit] or s.place[unit] != c.hex:
        return False
    side = SIDE_OF[unit]
    if s.steps[unit] == 0 and s.flags[unit] & MISSION:
        return True
    if UNITS[unit].kind == "strategic_bomber" and c.target == "ground" and not s.flags[unit] & GROUNDED:
        return True
    if side != c.attacker and not ground_in(s, c.hex, side):
        return any(IS_COMBAT[u] and s.steps[u] for u in ground_in(s, c.hex, c.attacker))
    return False


STAYING = ("stay", "stay-on", "stay-through")
TO_THE_END = 99  # more rounds than any battle has: who says so is not asked again in this one


@rule("7.7.13", "7.7.14a", "7.7.1c")
class AirRetreat(Decision):
    """7.7.13 After any step the defender, then the attacker, may send aircraft home.

    `stay-on` answers for all steps of the round that are still to come, `stay-through` for the whole battle, ground
    units too, aloud for everybody to hear; who must leave is asked all the same.
    """

    verbs = {"stay": NOTHING, "stay-on": NOTHING, "stay-through": NOTHING, "withdraw": UNIT}

    def needed(self, s: BitwState, c: Combat, side: Side) -> bool:
        """Until the side stays or has none over the hex."""
        said = c.staying[side] in (c.round, TO_THE_END)
        if c.answered[side] or (said and not forced_out(s, c, side)):
            return False
        return bool(may_fly_off(s, c, side))

    def nouns(self, s: BitwState, c: Combat, side: Side, verb: str) -> Iterable[int]:
        """Stay, or one of them."""
        return (0,) if verb in STAYING else air_in(s, c.hex, side)

    def why_not(self, s: BitwState, c: Combat, side: Side, verb: str, noun: int) -> No | None:
        """Aircraft on the ground, or without a base in range, cannot."""
        if verb in STAYING:
            return MUST_LEAVE if forced_out(s, c, side) else None
        refusal = why_not_own(noun, side)
        if refusal:
            return refusal
        if IS_GROUND[noun]:
            return GROUND_LATER
        if noun not in air_in(s, c.hex, side):
            return NOT_HERE
        if s.flags[noun] & GROUNDED:
            return GROUNDED_NOW
        return None if noun in may_fly_off(s, c, side) else NO_BASE

    def apply(self, s: BitwState, c: Combat, side: Side, verb: str, noun: int) -> None:
        """Send it off, or stay."""
        if verb in ("stay-on", "stay-through"):
            until = c.round if verb == "stay-on" else TO_THE_END
            c.staying = (until, c.staying[1]) if side == 0 else (c.staying[0], until)
        if verb in STAYING:
            c.answered = (1, c.answered[1]) if side == 0 else (c.answered[0], 1)
        else:
            bring_home(s, noun, "7.7.16")


def may_fly_off(s: BitwState, c: Combat, side: Side) -> list[int]:
    """7.7.13 The aircraft of a side over the hex that may fly off."""
    up = [u for u in air_in(s, c.hex, side) if not s.flags[u] & GROUNDED]
    return [u for u in up if has_home(s, u) or must_leave(s, c, u)]


def forced_out(s: BitwState, c: Combat, side: Side) -> list[int]:
    """6.3.3c Those of them that must."""
    return [u for u in may_fly_off(s, c, side) if must_leave(s, c, u)]


@rule("7.7.13", "7.7.14a", "7.7.18", "7.7.12")
class Retreat(AirRetreat):
    """7.7.18 After the ground combat step either side may retreat some or all of its units, the defender first."""

    verbs = {"stay": NOTHING, "stay-through": NOTHING, "withdraw": UNIT, "retreat": UNIT}

    def needed(self, s: BitwState, c: Combat, side: Side) -> bool:
        """While the enemy is there and the side can still choose."""
        if c.answered[side] or not is_battle(s, c.hex):
            return False
        if c.staying[side] == TO_THE_END and not forced_out(s, c, side):
            return False
        return bool(may_fly_off(s, c, side)) or any(why_not_retreat(s, u) is None for u in ground_in(s, c.hex, side))

    def nouns(self, s: BitwState, c: Combat, side: Side, verb: str) -> Iterable[int]:
        """Stay, an aircraft, a ground unit."""
        return ground_in(s, c.hex, side) if verb == "retreat" else super().nouns(s, c, side, verb)

    def why_not(self, s: BitwState, c: Combat, side: Side, verb: str, noun: int) -> No | None:
        """Ground units need a retreat hex."""
        if verb != "retreat":
            return super().why_not(s, c, side, verb, noun)
        refusal = why_not_own(noun, side)
        if refusal:
            return refusal
        return why_not_retreat(s, noun) if noun in ground_in(s, c.hex, side) else NOT_HERE

    def apply(self, s: BitwState, c: Combat, side: Side, verb: str, noun: int) -> None:
        """Take it in hand, or stay."""
        if verb == "retreat":
            enter(s, Retreating(unit=noun, side=side))
        else:
            super().apply(s, c, side, verb, noun)


@rule("7.7.14a", "7.7.15a", "7.7.15b", "3.3a", "3.1.1a")
class RetreatTo(Decision):
    """7.7.14a The unit in hand goes one hex, free of charge; several units may go to different hexes.

    A hex that it enters so is its side's, as any other (3.1.1a, 3.3a).
    """

    verbs = {"to": HEX}

    def needed(self, s: BitwState, c: Retreating, side: Side) -> bool:
        """Until it is gone."""
        return True

    def nouns(self, s: BitwState, c: Retreating, side: Side, verb: str) -> Iterable[int]:
        """The adjacent hexes."""
        return world(s).theatre.touch[s.place[c.unit]]

    def legal_nouns(self, s: BitwState, c: Retreating, side: Side, verb: str) -> list[int]:
        """The same, with the sources looked up once."""
        return retreat_hexes(s, c.unit)

    def why_not(self, s: BitwState, c: Retreating, side: Side, verb: str, noun: int) -> No | None:
        """A safe hex with room."""
        return why_not_retreat_to(s, c.unit, noun)

    def apply(self, s: BitwState, c: Retreating, side: Side, verb: str, noun: int) -> None:
        """Go."""
        leave(s)
        put(s, c.unit, noun)
        s.half[c.unit] = 0
        emit(s, "retreats", "7.7.14a", unit=FOG.veil(s, c.unit), hex=name_of(s, noun))
        take_control(s, noun, UNITS[c.unit].power)
