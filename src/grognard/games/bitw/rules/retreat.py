"""7.7.13-7.7.18 Retreats: when, where to, and who cannot."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.kernel import Action, Decision, Refusal, Side, emit, enter, rule

from ..frames import FOG, Combat, UnitInHand
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
from ..world import IS_AIR, IS_COMBAT, IS_FORT, IS_GROUND, SIDE_OF, UNIT_IDS, UNITS, world
from .air import bring_home, has_home
from .definitions import in_any_zoc, take_control, why_not_own, why_not_stand
from .movement import CLOSED, special_price, terrain_switch
from .supply import sources_of


@rule("7.7.14b", "7.7.15a", "7.7.15b", "7.7.17")
def why_not_retreat_to(s: BitwState, unit: int, node: int, sources: frozenset[int] | None = None) -> Refusal | None:
    """7.7.14b A retreat goes to a safe adjacent hex with room.

    Towards supply (7.7.15a), or onto friends or a city (b), never into an enemy zone (ruling A55).
    """
    t = world(s).theatre
    side, here = SIDE_OF[unit], s.place[unit]
    name = {"hex": t.names[node]}
    if node not in t.touch[here]:
        return Refusal("7.7.14a", "not-adjacent", name)
    enemy = enemy_of(side)
    if s.present[enemy * len(s.first_in) + node]:
        return Refusal("7.7.15a", "enemy-there", name)
    if in_any_zoc(s, node, enemy):
        return Refusal("7.7.14b", "enemy-zoc", name)
    if terrain_switch(s) and special_price(UNITS[unit], t.terrain[node], 1) == CLOSED:
        return Refusal("14.0-mountain-a", "closed-hex", name)
    full = why_not_stand(s, node, unit)
    if full:
        return Refusal("7.7.17", full.reason, full.data)
    friends = s.present[side * len(s.first_in) + node] > 0
    if friends or (t.city[node] and side_holding(s, node) == side):
        return None
    if leads_to_supply(s, unit, node, here, sources):
        return None
    return Refusal("7.7.15a", "no-way-to-supply", name)


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
def why_not_retreat(s: BitwState, unit: int) -> Refusal | None:
    """7.7.15c Static infantry, forts and frozen units never retreat; the others need a hex to go to."""
    name = {"unit": UNITS[unit].id}
    if UNITS[unit].kind == "static":
        return Refusal("6.1.1-static-b", "static", name)
    if IS_FORT[unit]:
        return Refusal("6.6c", "fort-stays", name)
    if is_frozen(s, unit):
        return Refusal("3.21", "frozen", name)
    return None if retreat_hexes(s, unit) else Refusal("7.7.15c", "no-retreat", name)


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


@rule("7.7.13", "7.7.14a", "7.7.1c")
class AirRetreat(Decision):
    """7.7.13 After any step the defender, then the attacker, may send aircraft home."""

    verbs: tuple[str, ...] = ("withdraw", "stay")

    def needed(self, s: BitwState, c: Combat, side: Side) -> bool:
        """Until the side stays or has none over the hex."""
        return not c.answered[side] and bool(self.fliers(s, c, side))

    def fliers(self, s: BitwState, c: Combat, side: Side) -> list[int]:
        """Aircraft that may fly off."""
        return [
            u for u in air_in(s, c.hex, side) if not s.flags[u] & GROUNDED and (has_home(s, u) or must_leave(s, c, u))
        ]

    def candidates(self, s: BitwState, c: Combat, side: Side) -> Iterable[Action]:
        """Stay, or one of them."""
        return [("stay", ""), *(("withdraw", UNITS[u].id) for u in air_in(s, c.hex, side))]

    def why_not(self, s: BitwState, c: Combat, side: Side, verb: str, target: str) -> Refusal | None:
        """Aircraft on the ground, or without a base in range, cannot."""
        if verb == "stay":
            forced = [u for u in self.fliers(s, c, side) if must_leave(s, c, u)]
            return Refusal("6.3.3c", "must-leave", {"unit": UNITS[forced[0]].id}) if forced else None
        unit = UNIT_IDS[target]
        refusal = why_not_own(unit, side)
        if refusal:
            return refusal
        if IS_GROUND[unit]:
            return Refusal("7.7.13", "ground-later", {"unit": target})
        if unit not in air_in(s, c.hex, side):
            return Refusal("7.7.13", "not-here", {"unit": target})
        if s.flags[unit] & GROUNDED:
            return Refusal("6.3.2d", "grounded", {"unit": target})
        if unit not in self.fliers(s, c, side):
            return Refusal("7.7.16", "no-base", {"unit": target})
        return None

    def apply(self, s: BitwState, c: Combat, side: Side, verb: str, target: str) -> None:
        """Send it off, or stay."""
        if verb == "stay":
            c.answered = (1, c.answered[1]) if side == 0 else (c.answered[0], 1)
        else:
            bring_home(s, UNIT_IDS[target], "7.7.16")


@rule("7.7.13", "7.7.14a", "7.7.18", "7.7.12")
class Retreat(AirRetreat):
    """7.7.18 After the ground combat step either side may retreat some or all of its units, the defender first."""

    verbs = ("withdraw", "retreat", "stay")

    def needed(self, s: BitwState, c: Combat, side: Side) -> bool:
        """While the enemy is there and the side can still choose."""
        if c.answered[side] or not is_battle(s, c.hex):
            return False
        return len(self.legal(s, c, side)) > 1 or bool([u for u in self.fliers(s, c, side) if must_leave(s, c, u)])

    def candidates(self, s: BitwState, c: Combat, side: Side) -> Iterable[Action]:
        """Stay, an aircraft, a ground unit."""
        out = list(super().candidates(s, c, side))
        return out + [("retreat", UNITS[u].id) for u in ground_in(s, c.hex, side)]

    def why_not(self, s: BitwState, c: Combat, side: Side, verb: str, target: str) -> Refusal | None:
        """Ground units need a retreat hex."""
        if verb != "retreat":
            return super().why_not(s, c, side, verb, target)
        unit = UNIT_IDS[target]
        refusal = why_not_own(unit, side)
        if refusal:
            return refusal
        if unit not in ground_in(s, c.hex, side):
            return Refusal("7.7.13", "not-here", {"unit": target})
        return why_not_retreat(s, unit)

    def apply(self, s: BitwState, c: Combat, side: Side, verb: str, target: str) -> None:
        """Take it in hand, or stay."""
        if verb == "retreat":
            enter(s, UnitInHand(unit=UNIT_IDS[target], side=side, mode="retreat"))
        else:
            super().apply(s, c, side, verb, target)


@rule("7.7.14a", "7.7.15a", "7.7.15b", "3.3a", "3.1.1a")
class RetreatTo(Decision):
    """7.7.14a The unit in hand goes one hex, free of charge; several units may go to different hexes.

    A hex that it enters so is its side's, as any other (3.1.1a, 3.3a).
    """

    verbs = ("to",)

    def needed(self, s: BitwState, c: UnitInHand, side: Side) -> bool:
        """Until it is gone."""
        return c.left >= 0

    def candidates(self, s: BitwState, c: UnitInHand, side: Side) -> Iterable[Action]:
        """The adjacent hexes."""
        t = world(s).theatre
        return [("to", t.names[n]) for n in t.touch[s.place[c.unit]]]

    def legal(self, s: BitwState, c: UnitInHand, side: Side) -> list[Action]:
        """The same, with the sources looked up once."""
        t = world(s).theatre
        return [("to", t.names[n]) for n in retreat_hexes(s, c.unit)]

    def why_not(self, s: BitwState, c: UnitInHand, side: Side, verb: str, target: str) -> Refusal | None:
        """A safe hex with room."""
        return why_not_retreat_to(s, c.unit, world(s).theatre.node_ids[target])

    def apply(self, s: BitwState, c: UnitInHand, side: Side, verb: str, target: str) -> None:
        """Go."""
        c.left = -1
        node = world(s).theatre.node_ids[target]
        put(s, c.unit, node)
        s.half[c.unit] = 0
        emit(s, "retreats", "7.7.14a", unit=FOG.veil(s, c.unit), hex=target)
        take_control(s, node, UNITS[c.unit].power)
