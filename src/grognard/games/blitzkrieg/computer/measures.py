"""Figures of a position for the laboratory: what has been lost, what still stands."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.games.blitzkrieg.laws.fire import HALF_GROUPS
from grognard.games.blitzkrieg.state import LOST, STUCK, WRECK, Position, has, stands
from grognard.games.blitzkrieg.world import IS_ARMOUR, IS_CREW, IS_GUN, IS_TEAM, MODEL_OF, SIDES, world


def measures_of(s: Position) -> dict[str, int]:
    """Losses by kind, both sides and each; mines and works that are left; Panzerfausts fired."""
    w = world(s)
    gone = [u for u in w.units if s.condition[u] in (LOST, WRECK) and not IS_CREW[u]]
    found = {
        "men-lost": _count(IS_TEAM[u] for u in gone),
        "guns-lost": _count(IS_GUN[u] for u in gone),
        "armour-lost": _count(IS_ARMOUR[u] for u in gone),
        "half-lost": _count(MODEL_OF[u].id in HALF_GROUPS for u in gone),
        "observers-lost": _count(MODEL_OF[u].id == "observer" for u in gone),
        "immobilised": _count(stands(s, u) and has(s, u, STUCK) for u in w.units),
        "mines-left": sum(s.mined),
        "works-left": _count(n > 0 for n in s.built),
        "fausts-fired": sum(s.fausts),
    }
    for side, name in enumerate(SIDES):
        own = [u for u in gone if u in w.of_side[side]]
        found |= {f"lost.{name}": len(own), f"armour-lost.{name}": _count(IS_ARMOUR[u] for u in own)}
        found[f"points.{name}"] = s.points[side]
    return found


def _count(flags: Iterable[bool]) -> int:
    return sum(1 for flag in flags if flag)
