"""What a player asks of HQs in the Movement and Exploitation Phases: activation, reserves, ships, landings, drops.

One table: for each verb the units worth asking about, why not, and what happens.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from grognard.kernel import No, Side, enter

from ..frames import Disembarking, Dropping, Shipping
from ..state import BitwState, on_map
from . import airborne, landings, reserves
from .convoys import could_patrol, keep_at_sea, why_not_patrol
from .definitions import why_not_own
from .headquarters import NO_HQS, activate, commander, has_order, hqs_count, ready, why_not_activate
from .recon import look, look_hexes, why_not_look
from .sea import why_not_ship
from .waters import sea_counts

__all__ = ["ORDERS", "apply", "look", "look_hexes", "nouns", "why_not", "why_not_look"]


class Order(NamedTuple):
    """A verb that goes through HQs."""

    nouns: Callable[[BitwState, Side, str], list[int]]
    why_not: Callable[[BitwState, int, Side, str], No | None]
    apply: Callable[[BitwState, int, Side, str], None]


def _ships(s: BitwState, side: Side, phase: str) -> list[int]:
    if phase != "move" or not sea_counts(s) or not has_order(s, side, "sea"):
        return []
    return [u for u in on_map(s, side) if why_not_ship(s, u) is None]


def _why_not_ship(s: BitwState, unit: int, side: Side, phase: str) -> No | None:
    return why_not_own(unit, side) or (why_not_ship(s, unit) if phase == "move" else reserves.NOT_NOW)


def _ship(s: BitwState, unit: int, side: Side, phase: str) -> None:
    enter(s, Shipping(unit=unit, side=side, hq=commander(s, unit, "sea")))


ORDERS: dict[str, Order] = {
    "activate": Order(ready, why_not_activate, lambda s, unit, side, phase: activate(s, unit)),
    "reserve": Order(
        reserves.could_be_held,
        reserves.why_not_reserve,
        lambda s, unit, side, phase: reserves.hold_back(s, unit, phase),
    ),
    "patrol": Order(
        could_patrol,
        lambda s, unit, side, phase: why_not_own(unit, side) or why_not_patrol(s, unit, side, phase),
        lambda s, unit, side, phase: keep_at_sea(s, unit),
    ),
    "ship": Order(_ships, _why_not_ship, _ship),
    "land": Order(
        landings.landers,
        landings.why_not_invade,
        lambda s, unit, side, phase: enter(s, Disembarking(unit=unit, side=side)),
    ),
    "stand-by": Order(
        landings.could_stand_by,
        landings.why_not_stand_by,
        lambda s, unit, side, phase: landings.stand_by(s, unit),
    ),
    "drop": Order(
        airborne.jumpers,
        airborne.why_not_jump,
        lambda s, unit, side, phase: enter(s, Dropping(unit=unit, side=side)),
    ),
    "ferry": Order(
        landings.could_ferry,
        landings.why_not_ferry,
        lambda s, unit, side, phase: enter(s, Disembarking(unit=unit, side=side, wave=3)),
    ),
}


def nouns(s: BitwState, side: Side, verb: str, phase: str) -> list[int]:
    """The units for which a verb is legal now."""
    return ORDERS[verb].nouns(s, side, phase) if hqs_count(s) else []


def why_not(s: BitwState, side: Side, verb: str, unit: int, phase: str) -> No | None:
    """Why a verb is refused."""
    return ORDERS[verb].why_not(s, unit, side, phase) if hqs_count(s) else NO_HQS


def apply(s: BitwState, side: Side, verb: str, unit: int, phase: str) -> None:
    """Carry a verb out."""
    ORDERS[verb].apply(s, unit, side, phase)
