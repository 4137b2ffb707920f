"""7.8 The Blitz Phase: armour that attacked goes on one hex, others of the same battle follow.

New combats are fought.
"""

from __future__ import annotations

from collections.abc import Iterable

from grognard.kernel import NOTHING, Decision, No, Side, emit, enter, leave, no, rule

from ..frames import Blitzing, Combat, Following, InHand, PlayerTurn, has_choice
from ..nouns import FOG, HEX, UNIT, name_of
from ..state import BLITZED, FOUGHT, MISSION, OFF, BitwState, enemy_of, is_battle, is_frozen, on_map, put, side_in
from ..world import IS_AIR, IS_GROUND, SIDE_OF, UNITS
from .combat import battle_hexes
from .definitions import tech_of, why_not_own
from .movement import attack, march, why_not_attack, why_not_stop
from .weather import NO_BLITZ_NOW, exits_of, is_sunny

MOTORISED_ALONE, TANKETTE_TECH = no("6.1.6c", "motorised-alone"), no("6.2.1a", "tankette-tech")
NO_ARMOUR, NOT_ON_MAP = no("7.8a", "no-armour"), no("7.8a", "not-on-map")
DID_NOT_ATTACK, BLITZED_ALREADY = no("7.8a", "did-not-attack"), no("7.8a", "blitzed-already")
IN_BATTLE, BATTLE_OPEN = no("7.8a", "in-battle"), no("7.8d", "battle-open")
NO_BATTLE, NOBODY_TO_FOLLOW = no("7.8d", "no-battle"), no("7.8c", "nobody-to-follow")
NO_HEX_OF_COST_ONE = no("7.8b", "no-hex-of-cost-one")


@rule("13.7a", "7.8a", "6.2.1a", "6.2.1b", "6.1.6c", "6.2", "7.8e")
def why_not_blitz(s: BitwState, unit: int) -> No | None:
    """7.8a Only armour that attacked: tanks, armour HQs, tankettes from TECH 2; never motorised infantry by itself."""
    u = UNITS[unit]
    if u.kind in ("motorised", "motorised_cavalry"):
        return MOTORISED_ALONE
    if u.kind == "tankette" and tech_of(s, unit) < 2:
        return TANKETTE_TECH
    return why_not_again(s, unit) if u.is_armour else NO_ARMOUR


def why_not_again(s: BitwState, unit: int) -> No | None:
    """7.8a It must have attacked this turn, and blitzes once; never in bad weather (7.8e)."""
    if s.place[unit] >= OFF or is_frozen(s, unit):
        return NOT_ON_MAP
    if not s.flags[unit] & FOUGHT:
        return DID_NOT_ATTACK
    if s.flags[unit] & BLITZED:
        return BLITZED_ALREADY
    if not is_sunny(s, s.place[unit]):
        return NO_BLITZ_NOW
    return IN_BATTLE if is_battle(s, s.place[unit]) and not IS_AIR[unit] else None


@rule("7.8b")
def blitz_hexes(s: BitwState, unit: int) -> list[int]:
    """7.8b The adjacent hexes whose entry costs exactly 1 MP (ruling A20), empty or not, with room for the unit."""
    return [n for n, price in exits_of(s)[s.place[unit]] if price == 1 and may_blitz_into(s, unit, n)]


def may_blitz_into(s: BitwState, unit: int, node: int) -> bool:
    """7.8b Of the hexes of cost 1 one: attacked if the enemy is there, entered if it is empty and has room."""
    if s.present[enemy_of(SIDE_OF[unit]) * len(s.first_in) + node]:
        return why_not_attack(s, unit, node, s.place[unit]) is None
    return why_not_stop(s, unit, node) is None


def is_blitz_hex(s: BitwState, unit: int, node: int) -> bool:
    """7.8b Whether a unit may blitz into one hex."""
    return (node, 1) in exits_of(s)[s.place[unit]] and may_blitz_into(s, unit, node)


@rule("7.8c", "6.3.1b", "6.3.2b", "6.1.6c")
def follow_hexes(s: BitwState, unit: int) -> list[int]:
    """7.8c Where armour of the same battle went, TECH 2 aircraft, artillery and motorised infantry may follow (A21)."""
    if not may_follow(s, unit):
        return []
    here = s.place[unit]
    gone = {s.place[v] for v in on_map(s, SIDE_OF[unit]) if has_blitzed_from(s, v, here)}
    return sorted(n for n in gone if may_follow_into(s, unit, n))


def may_follow(s: BitwState, unit: int) -> bool:
    """7.8c TECH 2 aircraft, artillery and motorised infantry, once."""
    may = bool(IS_AIR[unit]) or UNITS[unit].kind in ("artillery", "motorised", "motorised_cavalry")
    return may and tech_of(s, unit) >= 2 and not why_not_again(s, unit)


def has_blitzed_from(s: BitwState, unit: int, node: int) -> bool:
    """7.8c Whether a unit is armour that blitzed out of a hex."""
    return bool(s.flags[unit] & BLITZED) and UNITS[unit].is_armour and s.origin[unit] == node


def may_follow_into(s: BitwState, unit: int, node: int) -> bool:
    """7.8c Of the hexes where armour went one: aircraft with a mission to a battle, the ground by cost 1."""
    if IS_AIR[unit]:
        return bool(s.flags[unit] & MISSION) and is_battle(s, node) and air_room(s, node, unit)
    return is_blitz_hex(s, unit, node)


def is_follow_hex(s: BitwState, unit: int, node: int) -> bool:
    """7.8c Whether a unit may follow armour of its battle into one hex."""
    if not may_follow(s, unit) or not may_follow_into(s, unit, node):
        return False
    return any(has_blitzed_from(s, v, s.place[unit]) for v in side_in(s, node, SIDE_OF[unit]))


def air_room(s: BitwState, node: int, unit: int) -> bool:
    """3.10b One fighter and one bomber a side."""
    return not any(IS_AIR[u] and UNITS[u].is_bomber == UNITS[unit].is_bomber for u in side_in(s, node, SIDE_OF[unit]))


@rule("7.8a", "7.8b", "7.8c", "7.8d")
class Blitz(Decision):
    """7.8d Blitz moves, followers and blitz combats in any order; the defender's aircraft may not react."""

    verbs = {"done": NOTHING, "blitz": UNIT, "follow": UNIT, "battle": HEX}

    def needed(self, s: BitwState, c: PlayerTurn, side: Side) -> bool:
        """While somebody can blitz, or could for all that others see, or a blitz combat is open."""
        may = c.finished != c.at() and (has_choice(self, s, c, side) or self.looks_ready(s, side))
        return may or bool(self.open_battles(s, c))

    @rule("1.3")
    def looks_ready(self, s: BitwState, side: Side) -> bool:
        """1.3 Whether a block that attacked was never turned up: whether it is armour its owner alone knows."""
        hidden = [u for u in on_map(s, side) if s.flags[u] & FOUGHT and IS_GROUND[u] and not s.revealed[u]]
        return not s.open_table and any(why_not_again(s, u) is None for u in hidden)

    def open_battles(self, s: BitwState, c: PlayerTurn) -> list[int]:
        """Battles that the blitz has started; a hex may see several, one after the other."""
        return [n for n in battle_hexes(s) if any(s.flags[u] & BLITZED and IS_GROUND[u] for u in side_in(s, n, c.side))]

    def nouns(self, s: BitwState, c: PlayerTurn, side: Side, verb: str) -> Iterable[int]:
        """Units that attacked, open battles, or done."""
        if verb == "done":
            return (0,)
        if verb == "battle":
            return self.open_battles(s, c)
        return [u for u in on_map(s, side) if s.flags[u] & FOUGHT]

    def why_not(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> No | None:
        """Armour with a hex to go to, followers of armour, battles begun."""
        if verb == "done":
            return BATTLE_OPEN if self.open_battles(s, c) else None
        if verb == "battle":
            return None if noun in self.open_battles(s, c) else NO_BATTLE
        refusal = why_not_own(noun, side)
        if refusal:
            return refusal
        if verb == "follow":
            return None if follow_hexes(s, noun) else NOBODY_TO_FOLLOW
        refusal = why_not_blitz(s, noun)
        return NO_HEX_OF_COST_ONE if refusal is None and not blitz_hexes(s, noun) else refusal

    def apply(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> None:
        """Take the unit in hand, or fight."""
        if verb == "done":
            c.finished = c.at()
        elif verb == "battle":
            enter(s, Combat(hex=noun, attacker=side, blitz=1))
        else:
            enter(s, Blitzing(unit=noun, side=side) if verb == "blitz" else Following(unit=noun, side=side))


class BlitzTo(Decision):
    """7.8b The unit in hand enters an adjacent hex."""

    verbs = {"to": HEX}

    def needed(self, s: BitwState, c: InHand, side: Side) -> bool:
        """Until it has gone."""
        return True

    def nouns(self, s: BitwState, c: InHand, side: Side, verb: str) -> list[int]:
        """Where it may go."""
        return sorted(blitz_hexes(s, c.unit) if isinstance(c, Blitzing) else follow_hexes(s, c.unit))

    def legal_nouns(self, s: BitwState, c: InHand, side: Side, verb: str) -> list[int]:
        """The same, looked up once."""
        return self.nouns(s, c, side, verb)

    def why_not(self, s: BitwState, c: InHand, side: Side, verb: str, noun: int) -> No | None:
        """Only hexes that cost 1 MP."""
        is_open = is_blitz_hex if isinstance(c, Blitzing) else is_follow_hex
        return None if is_open(s, c.unit, noun) else NO_HEX_OF_COST_ONE

    def apply(self, s: BitwState, c: InHand, side: Side, verb: str, noun: int) -> None:
        """Go."""
        leave(s)
        here = s.place[c.unit]
        s.flags[c.unit] |= BLITZED
        if IS_AIR[c.unit]:
            put(s, c.unit, noun)
            emit(s, "follows", "7.8c", unit=FOG.veil(s, c.unit), hex=name_of(s, noun))
        elif s.present[enemy_of(side) * len(s.first_in) + noun]:
            attack(s, c.unit, noun, here)
        else:
            march(s, c.unit, [noun])
            s.origin[c.unit] = here
