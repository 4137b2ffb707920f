"""10.0 Munich and the SS: who belongs to it and whether the centre works. Production asks here."""

from __future__ import annotations

from typing import Final

from grognard.kernel import no, rule

from ..loading import AXIS, charts
from ..state import BitwState, side_holding
from ..world import UNITS, world
from .supply import sources_of

GERMANY: Final = charts().power_ids["DE"]
IS_SS: Final = bytes("ss" in u.traits for u in UNITS)
MUNICH_LOST = no("10.0-munich-a", "munich-lost")


def is_ss(unit: int) -> bool:
    """10.0a A unit of the SS."""
    return bool(IS_SS[unit])


@rule("10.0-munich-a")
def munich_recruits(s: BitwState) -> bool:
    """10.0-munich-a Munich is German-controlled and a valid supply source."""
    t = world(s).theatre
    if not t.has("munich"):
        return False
    node = t.find("munich")
    return side_holding(s, node) == AXIS and node in sources_of(s, GERMANY)
