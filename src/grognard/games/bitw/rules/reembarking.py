"""24.1e The way back: marines that are taken off a beach again."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.kernel import NOTHING, Decision, No, Side, emit, rule

from ..frames import Combat
from ..nouns import UNIT, name_of
from ..state import (
    LANDED,
    NONE,
    OFF,
    BitwState,
    is_battle,
    put,
    side_in,
)
from ..world import UNITS, world
from .definitions import why_not_own, why_not_stand
from .headquarters import commander, spend
from .landings import IS_MARINE, NO_NAVY, NO_WAY_BACK, NOT_A_MARINE, cross
from .sea import lose_at_sea, sea_of, voyage, why_not_sail_from


@rule("24.1e")
def why_not_re_embark(s: BitwState, c: Combat, unit: int, side: Side) -> No | None:
    """24.1e Marines that landed here may go back to their port, for a point of a navy HQ (ruling A77)."""
    refusal = why_not_own(unit, side)
    if refusal:
        return refusal
    if not IS_MARINE[unit] or not s.orders[unit] & LANDED or s.place[unit] != c.hex:
        return NOT_A_MARINE
    port = s.origin[unit]
    if port >= OFF or why_not_sail_from(s, side, port) or why_not_stand(s, port, unit):
        return NO_WAY_BACK
    return NO_NAVY if commander(s, unit, "landing") == NONE else None


class ReEmbark(Decision):
    """24.1e After a round marines may be taken off again, at the price of a step and of the sea."""

    verbs = {"stay": NOTHING, "re-embark": UNIT}

    def needed(self, s: BitwState, c: Combat, side: Side) -> bool:
        """Once a round, while a marine is ashore whose port is open.

        Whether an HQ has a point left, or the port room, only the owner knows: the question must not tell (1.3, 13.4).
        """
        if not is_battle(s, c.hex) or c.finished == self.label(c):
            return False
        ashore = [u for u in side_in(s, c.hex, side) if IS_MARINE[u] and s.orders[u] & LANDED]
        return any(s.origin[u] < OFF and why_not_sail_from(s, side, s.origin[u]) is None for u in ashore)

    def label(self, c: Combat) -> str:
        """The row and the round: the question is put after every round."""
        return f"{c.at()}/{c.round}"

    def nouns(self, s: BitwState, c: Combat, side: Side, verb: str) -> Iterable[int]:
        """The marines on the beach."""
        if verb == "stay":
            return (0,)
        return [u for u in side_in(s, c.hex, side) if why_not_re_embark(s, c, u, side) is None]

    def why_not(self, s: BitwState, c: Combat, side: Side, verb: str, noun: int) -> No | None:
        """Only those."""
        return None if verb == "stay" else why_not_re_embark(s, c, noun, side)

    def apply(self, s: BitwState, c: Combat, side: Side, verb: str, noun: int) -> None:
        """Back to the port, a step weaker."""
        if verb == "stay":
            c.finished = self.label(c)
            return
        spend(s, commander(s, noun, "landing"), "landing", noun)
        port, t = s.origin[noun], world(s).theatre
        path = voyage(t, c.hex, port)
        put(s, noun, port)
        s.orders[noun] &= ~LANDED
        s.origin[noun] = NONE
        emit(s, "re-embarks", "24.1e", unit=UNITS[noun].id, hex=name_of(s, c.hex), to=name_of(s, port))
        lose_at_sea(s, noun, "24.1e")
        if s.place[noun] == port:
            cross(s, noun, side, sorted({sea_of(s, port)}), path)
