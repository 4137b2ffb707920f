"""18.1.2, 18.1.3 The seas that history closes to the Axis: for ships, and for supply through ports."""

from __future__ import annotations

from typing import Final

from grognard.kernel import No, Side, no, rule

from ..loading import AXIS, charts
from ..state import OUT, BitwState, month

ITALY: Final = charts().power_ids["IT"]
MAPLE: Final = "1944-04"  # 18.1.3 Operation Maple
CARGO_LOST: Final = 6  # 11.3a, 18.2a the face at which a point at sea is lost
SEA_CLOSED = {"18.1.2": no("18.1.2", "sea-closed"), "18.1.3": no("18.1.3", "sea-closed")}


def sea_counts(s: BitwState) -> bool:
    """18.0 Whether chapter 18 is played."""
    return s.chosen.get("sea") == "on"


@rule("18.1.2", "18.1.3")
def why_closed(s: BitwState, side: Side, sea: str) -> No | None:
    """18.1.2 After Italy's surrender the Mediterranean is closed to the Axis; 18.1.3 after Maple all but the Baltic."""
    if side != AXIS:
        return None
    if sea == "mediterranean" and s.status[ITALY] & OUT:
        return SEA_CLOSED["18.1.2"]
    return SEA_CLOSED["18.1.3"] if sea != "baltic" and month(s) >= MAPLE else None


@rule("18.0d", "18.1.2", "18.1.3", "36.0c")
def feeds_no_more(s: BitwState, side: Side, sea: str) -> bool:
    """18.0d Ports feed whatever fleets there are (A70), but for the Axis where these rules close a sea.

    18.1.2 the Mediterranean once Italy is out; 18.1.3 the Atlantic from April 1944.
    """
    if side != AXIS:
        return False
    if sea == "mediterranean":
        return bool(s.status[ITALY] & OUT) and (sea_counts(s) or s.chosen.get("italy") == "on")
    return sea == "atlantic" and sea_counts(s) and month(s) >= MAPLE
