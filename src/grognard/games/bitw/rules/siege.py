"""12 Sieges, Festungs and Desperate Attacks: how cut-off units hold out longer, and break out or give in."""

from __future__ import annotations

from grognard.kernel import Decision, No, Side, emit, no, rule

from ..frames import Combat, PlayerTurn
from ..nouns import FOG, UNIT
from ..state import OFF, OOS, POOL, SUPPLIED, BitwState, enemy_of, ground_in, on_map, side_in, units_in
from ..theatre import MAJOR_PORT, MINOR_PORT
from ..world import IS_AIR, IS_FORT, LIMITS, SIDE_OF, UNITS, world
from .definitions import in_any_zoc, why_not_own
from .opening import rule_is_on
from .readings import otherwise
from .supply import award, remove, starving, surrender_unit

NOT_BESIEGED = no("12.1a", "not-besieged")


@rule("12.1a")
def siege_room(s: BitwState, unit: int) -> int:
    """12.1a How many units hold out where this one stands: in a minor port 1, a major one 4, a Mulberry 5.

    In its own capital 4; elsewhere none. Siege and supply by sea have different numbers (ruling A32).
    """
    t, node = world(s).theatre, s.place[unit]
    room = [0]
    if node in s.harbour:
        room.append(LIMITS["siege_harbour"])
    if s.capital[UNITS[unit].power] == node:
        room.append(LIMITS["siege_capital"])
    if node < t.hexes and t.port[node] in (MAJOR_PORT, MINOR_PORT):
        room.append(LIMITS["siege_major" if t.port[node] == MAJOR_PORT else "siege_minor"])
    return max(room)


@rule("12.1a")
def is_surrounded(s: BitwState, node: int, side: Side) -> bool:
    """12.1a Every hex around by land is held down by enemy units or their zones of control."""
    enemy, nodes = enemy_of(side), len(s.first_in)
    near = [n for n in world(s).theatre.touch[node] if world(s).theatre.playable[n]]
    return all(s.present[enemy * nodes + n] or in_any_zoc(s, n, enemy) for n in near)


@rule("6.6g", "12.2")
def has_festung(s: BitwState, node: int, side: Side) -> bool:
    """12.2 Whether a Festung, a fort at full strength, stands in a hex."""
    return any(IS_FORT[u] and SIDE_OF[u] == side and s.steps[u] == UNITS[u].pattern.top for u in units_in(s, node))


def is_besieged(s: BitwState, unit: int) -> bool:
    """12.1a Whether a unit stands in a siege: with room for it to hold out, and the enemy all around."""
    return siege_room(s, unit) > 0 and is_surrounded(s, s.place[unit], SIDE_OF[unit])


def holds_anyway(s: BitwState, unit: int) -> bool:
    """12.1c Festungs and static infantry hold out by themselves and take nobody's room."""
    u = UNITS[unit]
    return u.kind == "static" or (u.is_fort and s.steps[unit] == u.pattern.top)


@rule("12.1a")
class Endure(Decision):
    """12.1a Where more units are besieged than can hold out, their owner says who does (ruling A32)."""

    verbs = {"endure": UNIT}

    def nouns(self, s: BitwState, c: PlayerTurn, side: Side, verb: str) -> list[int]:
        """The besieged blocks, forts apart, of crowded places with room left that have not been chosen.

        Static infantry and whoever stands beside a Festung hold by themselves, and may be named for nothing: what is
        crowded and how often the owner answers hangs on what backs show, and tells nothing of who stands there (1.3).
        """
        if not rule_is_on(s, "12.1a") or not any(s.flags[u] & OOS for u in on_map(s, side)):
            return []
        by_hex: dict[int, list[int]] = {}
        for u in starving(s, side):
            if not IS_FORT[u] and is_besieged(s, u):
                by_hex.setdefault(s.place[u], []).append(u)
        return sorted(u for units in by_hex.values() for u in self.waiting(s, c, units))

    def waiting(self, s: BitwState, c: PlayerTurn, units: list[int]) -> list[int]:
        """Of the besieged of one place those who may be named, while it is crowded and has room left."""
        left = [u for u in units if u not in c.enduring]
        room = max(siege_room(s, u) for u in units)
        return left if len(units) > room > len(units) - len(left) else []

    def legal_nouns(self, s: BitwState, c: PlayerTurn, side: Side, verb: str) -> list[int]:
        """The same."""
        return self.nouns(s, c, side, verb)

    def why_not(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> No | None:
        """Only those."""
        refusal = why_not_own(noun, side)
        if refusal:
            return refusal
        if not rule_is_on(s, "12.1a") or not s.flags[noun] & OOS or s.place[noun] >= OFF or IS_FORT[noun]:
            return NOT_BESIEGED
        here = [u for u in starving(s, side) if s.place[u] == s.place[noun] and not IS_FORT[u] and is_besieged(s, u)]
        return None if noun in here and noun in self.waiting(s, c, here) else NOT_BESIEGED

    def apply(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> None:
        """It holds out."""
        c.enduring = (*c.enduring, noun)


@rule("7.9a", "7.9b", "4.5a", "4.5b", "6.1.1-static-c", "6.6g", "6.6i", "12.1b", "12.1c", "12.2", "12.2b")
def starve(s: BitwState, c: PlayerTurn) -> None:
    """7.9a Units marked in the Supply Phase are checked again: fed ones lose the barrel, the others surrender.

    Blocks with a 0 fall to 0 (4.5b); static infantry (6.1.1-static-c) and Festungs (6.6g) hold. The besieged (12.1b)
    and units beside a Festung (12.2) lose a step instead; at its last step a unit surrenders all the same (12.2b), and
    a block with a 0 stays at 0 (12.1c).
    """
    hungry = starving(s, c.side)
    for u in [u for u in range(len(s.flags)) if s.flags[u] & OOS and SIDE_OF[u] == c.side]:
        s.flags[u] &= ~OOS & 255
    spared = [u for u in hungry if rule_is_on(s, "12.1a") and holds_out(s, c, u, hungry)]
    for u in hungry:
        if u in spared and (keeps_last_step(s, u) or UNITS[u].pattern.below[s.steps[u]] >= 0 or s.steps[u] == 0):
            lose_to_siege(s, u)
        else:
            surrender_unit(s, u)
    c.enduring = ()


def holds_out(s: BitwState, c: PlayerTurn, unit: int, hungry: list[int]) -> bool:
    """12.1a Whether a unit without supply is in siege supply, or beside a Festung."""
    node, side = s.place[unit], SIDE_OF[unit]
    if holds_anyway(s, unit):
        return False  # surrender_unit leaves it alone
    if has_festung(s, node, side):
        return True
    if not is_besieged(s, unit):
        return False
    here = [u for u in hungry if s.place[u] == node and not holds_anyway(s, u)]
    return len(here) <= siege_room(s, unit) or unit in c.enduring


@rule("12.2b")
def keeps_last_step(s: BitwState, unit: int) -> bool:
    """12.2b At its last step a unit beside a Festung surrenders (A33); by the switch `garrison-end` it holds on."""
    if not otherwise(s, "garrison-end") or UNITS[unit].pattern.below[s.steps[unit]] >= 0:
        return False
    return has_festung(s, s.place[unit], SIDE_OF[unit])


def lose_to_siege(s: BitwState, unit: int) -> None:
    """12.1b One step, whatever the gap in the printed numbers; a block at 0 has none to lose."""
    if s.steps[unit] and not keeps_last_step(s, unit):
        s.steps[unit], s.half[unit] = UNITS[unit].pattern.below[s.steps[unit]], 0
    emit(s, "besieged", "12.1b", unit=FOG.veil(s, unit), hex=world(s).theatre.names[s.place[unit]])


# 12.4.1 Desperate attacks


@rule("12.4.1a", "12.4.1c")
def end_despair(s: BitwState, c: Combat) -> None:
    """12.4.1a Unsupplied attackers that have not cleared the hex after the first round surrender, and only they (A62).

    By the switch `despair` all ground units of such an attack do. Guns and other blocks with a 0 too, here alone
    (12.4.1c). Who attacks as if supplied by a leader's order stays.
    """
    if c.round != 1 or not rule_is_on(s, "12.4.1a") or not ground_in(s, c.hex, enemy_of(c.attacker)):
        return
    mine = [u for u in side_in(s, c.hex, c.attacker) if not IS_AIR[u]]
    desperate = [u for u in mine if s.flags[u] & OOS and not s.orders[u] & SUPPLIED]
    for u in mine if desperate and otherwise(s, "despair") else desperate:
        emit(s, "surrendered", "12.4.1a", unit=UNITS[u].id, hex=world(s).theatre.names[c.hex], reveals=True)
        award(s, u)
        remove(s, u, POOL)
