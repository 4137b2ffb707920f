"""13.2, 13.5 Full, limited and no supply: what armour, motorised and unsupplied units may do with or without an HQ.

A unit in hand draws its order when it first needs it: beyond the points that it has without fuel, or when it attacks.
So a short march costs nothing, and nobody has to say beforehand.
"""

from __future__ import annotations

from grognard.kernel import No, no, rule

from ..frames import Exploiting, Marching
from ..state import MOTORISED, NONE, OOS, SUPPLIED, BitwState
from ..world import UNITS
from .definitions import half_points, movement_points, tech_of
from .headquarters import IS_HQ, activate, commander, headquarters, hqs_count, needs_fuel, spend, why_not_activate
from .opening import rule_is_on

NO_FUEL, NO_FUEL_TO_EXPLOIT = no("13.5a", "no-fuel"), no("13.7c", "no-fuel-to-exploit")
LEADER_STAYS = no("13.8.1e", "leader-stays")


@rule("13.2", "13.5a", "13.5b", "13.7b", "13.7c", "13.8.1c")
def fuel_up(s: BitwState, c: Marching) -> None:
    """13.2 What a unit just picked up may do: with an HQ's order, and without.

    Armour without an order has half its points and does not attack (13.5a); out of supply besides, a quarter (13.5b),
    and half with the order. A leader may let one unsupplied unit move as if fully supplied (13.8.1c). Motorised
    infantry exploits by order only (13.7c).
    """
    if not hqs_count(s):
        return
    unit, full = c.unit, movement_points(s, c.unit, False)
    cut_off = bool(s.flags[unit] & OOS)
    thirsty = needs_fuel(s, unit) or (isinstance(c, Exploiting) and not s.active[unit])
    if s.orders[unit] & MOTORISED:  # 31.0a its order was to wait
        return
    if not thirsty and not cut_off:
        return
    c.limited = 1
    least = half_points(full) if cut_off or needs_fuel(s, unit) else 0
    c.free = half_points(least) if cut_off and thirsty else least
    c.hq, c.action, c.left = order_for(s, c, full, cut_off, thirsty)


def order_for(s: BitwState, c: Marching, full: int, cut_off: bool, thirsty: bool) -> tuple[int, str, int]:
    """The HQ that would give this unit its order, what order, and the points that it then has."""
    if cut_off and not isinstance(c, Exploiting):
        leader = commander(s, c.unit, "unsupplied")
        if leader != NONE:
            return leader, "unsupplied", full
    if thirsty:
        points = half_points(full) if cut_off else full
        if IS_HQ[c.unit] and why_not_activate(s, c.unit, c.side, phase_of(c)) is None:
            return c.unit, "armour", points
        hq = commander(s, c.unit, "armour")
        if hq != NONE:
            return hq, "armour", points
    return NONE, "", c.free


def phase_of(c: Marching) -> str:
    """The phase that a unit in hand moves in, as HQs call it."""
    return "exploit" if isinstance(c, Exploiting) else "move"


@rule("13.4", "13.3b", "13.2")
def burn(s: BitwState, c: Marching) -> None:
    """13.4 The unit in hand takes its order now; an armour HQ that goes far is itself activated (13.3b)."""
    if c.hq == c.unit:
        activate(s, c.unit)
    else:
        spend(s, c.hq, c.action, c.unit)
    if c.action == "unsupplied":
        s.orders[c.unit] |= SUPPLIED
    c.limited = 0


def pay_for(s: BitwState, c: Marching, cost: int) -> None:
    """13.5a A march of so many points: free as far as it goes without fuel, else by order."""
    if c.limited and cost > c.free:
        burn(s, c)
    c.free = max(0, c.free - cost)


def is_excused(s: BitwState, c: Marching) -> bool:
    """13.8.1c An unsupplied unit that a leader lets attack as if fully supplied."""
    return c.action == "unsupplied" and (not c.limited or c.hq != NONE)


@rule("13.5a", "13.5b", "12.4.1b")
def why_not_fight(s: BitwState, c: Marching) -> No | None:
    """13.5a Armour does not attack without an order; 13.5b unless it is desperate."""
    if not c.limited or c.hq != NONE or not needs_fuel(s, c.unit):
        return None
    return None if is_desperate(s, c.unit) else NO_FUEL


@rule("12.4")
def is_desperate(s: BitwState, unit: int) -> bool:
    """12.4 Unsupplied ground units of TECH 2 and 3 may attack in despair."""
    return bool(s.flags[unit] & OOS) and UNITS[unit].is_ground and tech_of(s, unit) >= 2 and rule_is_on(s, "12.4")


@rule("13.8.1e", "13.8.1.1-fhq")
def why_not_leave(s: BitwState, unit: int) -> No | None:
    """13.8.1e Churchill, Mussolini and Gamelin never leave their place; the FHQ stays in Berlin (13.8.1.1-fhq)."""
    return LEADER_STAYS if IS_HQ[unit] and headquarters()[unit].fixed else None
