"""29.1 What partisan discs do to the Axis: trains, goods, lanes and rails, by how many lie in a hex."""

from __future__ import annotations

from grognard.kernel import no, rule

from ..loading import AXIS
from ..state import BitwState

PARTISANS_THERE = no("29.0b", "partisans-there")


def partisans_count(s: BitwState) -> bool:
    """29.0 Whether discs do anything: the chapter is played and some lie on the map."""
    return bool(s.partisans) and s.chosen.get("partisans") == "on"


@rule("29.0b", "29.1d", "29.1e", "29.1f")
def held_by_discs(s: BitwState, side: int, least: int) -> frozenset[int]:
    """29.1d One disc stops trains and goods, 29.1e two lanes as well, 29.1f three the rails of supply.

    The Axis alone is hindered.
    """
    if side != AXIS or not partisans_count(s):
        return frozenset()
    return frozenset(node for node, discs in s.partisans if discs >= least)
