"""1.0, 5.7c Partisan discs: how many there are, and how Free France recruits them.

Where discs come from and what they do is chapter 29 (Optional); a scenario may place some at the start.
"""

from __future__ import annotations

from collections.abc import Iterable

from grognard.kernel import No, emit, no, rule

from ..loading import charts
from ..state import BitwState
from ..world import POWERS, UNITS, world
from .definitions import pool_of

FREE_FRANCE = charts().power_ids["FF"]
NO_DISC_LEFT = no("1.0", "no-disc-left", lambda s, c, side, noun: {"limit": charts().components["partisans"]})


@rule("1.0")
def why_not_partisan(s: BitwState) -> No | None:
    """1.0 Of everything in the box only the partisan discs are a limit: ten on the map (ruling A4)."""
    return NO_DISC_LEFT if sum(discs for _, discs in s.partisans) >= charts().components["partisans"] else None


def add_partisan(s: BitwState, node: int) -> None:
    """1.0 One more disc in a hex, while there are any."""
    if why_not_partisan(s) is None:
        discs = dict(s.partisans)
        discs[node] = discs.get(node, 0) + 1
        s.partisans = tuple(sorted(discs.items()))
        emit(s, "partisan", "1.0", hex=world(s).theatre.names[node])


@rule("5.7c", "29.0d")
def recruit(s: BitwState, unit: int, entered: Iterable[int]) -> None:
    """5.7c French hexes that a Free French unit enters in the Movement Phase give up their discs: 1 point each."""
    if not s.partisans or UNITS[unit].power != FREE_FRANCE:
        return
    t = world(s).theatre
    discs = dict(s.partisans)
    for node in entered:
        if node in discs and t.country[node] in POWERS[FREE_FRANCE].home:
            points = discs.pop(node)
            s.pp[pool_of(s, FREE_FRANCE)] += points
            emit(s, "recruited", "5.7c", hex=t.names[node], points=points, power="FF")
    s.partisans = tuple(sorted(discs.items()))
