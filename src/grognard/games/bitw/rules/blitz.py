"""7.8 The Blitz Phase: armour that attacked goes on one hex, others of the same battle follow.

New combats are fought.
"""

from __future__ import annotations

from collections.abc import Iterable

from grognard.kernel import Action, Decision, Refusal, Side, emit, enter, rule

from ..frames import FOG, Combat, PlayerTurn, UnitInHand, has_choice
from ..state import BLITZED, FOUGHT, MISSION, OFF, BitwState, enemy_of, is_battle, is_frozen, on_map, put, side_in
from ..world import IS_AIR, IS_GROUND, SIDE_OF, UNIT_IDS, UNITS, world
from .combat import battle_hexes
from .definitions import tech_of, why_not_own
from .movement import attack, march, why_not_attack, why_not_stop


@rule("7.8a", "6.2.1a", "6.2.1b", "6.1.6c", "6.2")
def why_not_blitz(s: BitwState, unit: int) -> Refusal | None:
    """7.8a Only armour that attacked: tanks, armour HQs, tankettes from TECH 2; never motorised infantry by itself."""
    u = UNITS[unit]
    name = {"unit": u.id}
    if u.kind in ("motorised", "motorised_cavalry"):
        return Refusal("6.1.6c", "motorised-alone", name)
    if u.kind == "tankette" and tech_of(s, unit) < 2:
        return Refusal("6.2.1a", "tankette-tech", name)
    if not u.is_armour:
        return Refusal("7.8a", "no-armour", name)
    return why_not_again(s, unit)


def why_not_again(s: BitwState, unit: int) -> Refusal | None:
    """7.8a It must have attacked this turn, and blitzes once."""
    name = {"unit": UNITS[unit].id}
    if s.place[unit] >= OFF or is_frozen(s, unit):
        return Refusal("7.8a", "not-on-map", name)
    if not s.flags[unit] & FOUGHT:
        return Refusal("7.8a", "did-not-attack", name)
    if s.flags[unit] & BLITZED:
        return Refusal("7.8a", "blitzed-already", name)
    if is_battle(s, s.place[unit]) and not IS_AIR[unit]:
        return Refusal("7.8a", "in-battle", name)
    return None


@rule("7.8b")
def blitz_hexes(s: BitwState, unit: int) -> list[int]:
    """7.8b The adjacent hexes whose entry costs exactly 1 MP (ruling A20), empty or not, with room for the unit."""
    t = world(s).theatre
    here, found = s.place[unit], []
    foes = enemy_of(SIDE_OF[unit]) * len(s.first_in)
    for node, price in t.exits[here]:
        if price == 1:
            refusal = why_not_attack(s, unit, node, here) if s.present[foes + node] else why_not_stop(s, unit, node)
            if refusal is None:
                found.append(node)
    return found


@rule("7.8c", "6.3.1b", "6.3.2b", "6.1.6c")
def follow_hexes(s: BitwState, unit: int) -> list[int]:
    """7.8c Where armour of the same battle went, TECH 2 aircraft, artillery and motorised infantry may follow (A21)."""
    u = UNITS[unit]
    may = IS_AIR[unit] or u.kind in ("artillery", "motorised", "motorised_cavalry")
    if not may or tech_of(s, unit) < 2 or why_not_again(s, unit):
        return []
    here = s.place[unit]
    gone = {
        s.place[v]
        for v in on_map(s, SIDE_OF[unit])
        if s.flags[v] & BLITZED and UNITS[v].is_armour and s.origin[v] == here
    }
    if IS_AIR[unit]:
        return sorted(n for n in gone if s.flags[unit] & MISSION and is_battle(s, n) and air_room(s, n, unit))
    return sorted(n for n in gone if n in blitz_hexes(s, unit))


def air_room(s: BitwState, node: int, unit: int) -> bool:
    """3.10b One fighter and one bomber a side."""
    return not any(IS_AIR[u] and UNITS[u].is_bomber == UNITS[unit].is_bomber for u in side_in(s, node, SIDE_OF[unit]))


@rule("7.8a", "7.8b", "7.8c", "7.8d")
class Blitz(Decision):
    """7.8d Blitz moves, followers and blitz combats in any order; the defender's aircraft may not react."""

    verbs = ("blitz", "follow", "battle", "done")

    def needed(self, s: BitwState, c: PlayerTurn, side: Side) -> bool:
        """While somebody can blitz or a blitz combat is open."""
        return (c.finished != c.at() and has_choice(self, s, c, side)) or bool(self.open_battles(s, c))

    def open_battles(self, s: BitwState, c: PlayerTurn) -> list[int]:
        """Battles that the blitz has started; a hex may see several, one after the other."""
        return [n for n in battle_hexes(s) if any(s.flags[u] & BLITZED and IS_GROUND[u] for u in side_in(s, n, c.side))]

    def candidates(self, s: BitwState, c: PlayerTurn, side: Side) -> Iterable[Action]:
        """Units that attacked, open battles, or done."""
        out: list[Action] = [("done", "")]
        fought = [u for u in on_map(s, side) if s.flags[u] & FOUGHT]
        out += [("blitz", UNITS[u].id) for u in fought]
        out += [("follow", UNITS[u].id) for u in fought]
        out += [("battle", world(s).theatre.names[n]) for n in self.open_battles(s, c)]
        return out

    def why_not(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, target: str) -> Refusal | None:
        """Armour with a hex to go to, followers of armour, battles begun."""
        if verb == "done":
            return Refusal("7.8d", "battle-open") if self.open_battles(s, c) else None
        if verb == "battle":
            node = world(s).theatre.node_ids[target]
            return None if node in self.open_battles(s, c) else Refusal("7.8d", "no-battle", {"hex": target})
        unit = UNIT_IDS[target]
        refusal = why_not_own(unit, side)
        if refusal:
            return refusal
        if verb == "follow":
            return None if follow_hexes(s, unit) else Refusal("7.8c", "nobody-to-follow", {"unit": target})
        refusal = why_not_blitz(s, unit)
        if refusal is None and not blitz_hexes(s, unit):
            return Refusal("7.8b", "no-hex-of-cost-one", {"unit": target})
        return refusal

    def apply(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, target: str) -> None:
        """Take the unit in hand, or fight."""
        if verb == "done":
            c.finished = c.at()
        elif verb == "battle":
            enter(s, Combat(hex=world(s).theatre.node_ids[target], attacker=side, blitz=1))
        else:
            enter(s, UnitInHand(unit=UNIT_IDS[target], side=side, mode=verb))


class BlitzTo(Decision):
    """7.8b The unit in hand enters an adjacent hex."""

    verbs = ("to",)

    def needed(self, s: BitwState, c: UnitInHand, side: Side) -> bool:
        """Until it has gone."""
        return c.left >= 0

    def hexes(self, s: BitwState, c: UnitInHand) -> list[int]:
        """Where it may go."""
        return blitz_hexes(s, c.unit) if c.mode == "blitz" else follow_hexes(s, c.unit)

    def candidates(self, s: BitwState, c: UnitInHand, side: Side) -> Iterable[Action]:
        """The adjacent hexes."""
        t = world(s).theatre
        return [("to", t.names[n]) for n, _ in t.exits[s.place[c.unit]]]

    def legal(self, s: BitwState, c: UnitInHand, side: Side) -> list[Action]:
        """The same, looked up once."""
        return [("to", world(s).theatre.names[n]) for n in sorted(self.hexes(s, c))]

    def why_not(self, s: BitwState, c: UnitInHand, side: Side, verb: str, target: str) -> Refusal | None:
        """Only hexes that cost 1 MP."""
        node = world(s).theatre.node_ids[target]
        return None if node in self.hexes(s, c) else Refusal("7.8b", "no-hex-of-cost-one", {"hex": target})

    def apply(self, s: BitwState, c: UnitInHand, side: Side, verb: str, target: str) -> None:
        """Go."""
        c.left = -1
        node, here = world(s).theatre.node_ids[target], s.place[c.unit]
        s.flags[c.unit] |= BLITZED
        if IS_AIR[c.unit]:
            put(s, c.unit, node)
            emit(s, "follows", "7.8c", unit=FOG.veil(s, c.unit), hex=target)
        elif s.present[enemy_of(side) * len(s.first_in) + node]:
            attack(s, c.unit, node, here)
        else:
            march(s, c.unit, [node])
            s.origin[c.unit] = here
