"""Answers that follow from who controls and stands where, remembered while a position keeps them.

Supply networks, rails and bases depend on who controls what and where the enemy stands, not on one's own moves; lanes
depend on where everybody stands, a unit's reach on where the enemy does. Rules ask for them many times between two
changes; `remembered` looks them up by the bytes that matter (`facing`, `foes`, `standing`). It changes speed, never an
answer.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from grognard.kit.memo import differing, remembered, unchanged

__all__ = ["differing", "facing", "foes", "remembered", "standing", "unchanged"]
AIR_ZONES = 1 << 9  # a bit of `conditions`: lanes hang on based aircraft too (switch `lane-zones`)
_foes: dict[int, tuple[bytes, bytes]] = {}  # by side: who is present, and what `foes` made of it
NOBODY_YET = (b"", b"")
SOMEBODY = bytes([0]) + bytes([1]) * 255  # a count of blocks, or none


def facing(s: Any, side: int) -> Hashable:
    """What a side's rails, ports and bases depend on: who controls what, capitals, and where its enemies stand."""
    capitals = unchanged("capital", s.capital.tobytes())
    if not side:
        return (s.scenario, s.conditions, 0, unchanged("owner", s.owner), foes(s, 0), capitals, s.partisans, s.bombed)
    harbours = unchanged("harbour", s.harbour.tobytes() + s.harbour_hits)
    return (s.scenario, s.conditions, side, unchanged("owner", s.owner), foes(s, side), capitals, harbours, s.bombed)


def foes(s: Any, side: int) -> bytes:
    """By node: 1 where enemies of a side stand or fly."""
    present = unchanged("present", s.present)
    latest, where = _foes.get(side, NOBODY_YET)
    if present is not latest:
        nodes = len(s.first_in)
        where = unchanged(("foes", side), (present[nodes:] if side == 0 else present[:nodes]).translate(SOMEBODY))
        _foes[side] = (present, where)
    return where


def standing(s: Any) -> Hashable:
    """What zones of control and lanes depend on: where everybody stands."""
    there: tuple[Any, ...] = (s.scenario, s.conditions, unchanged("present", s.present), unchanged("ground", s.ground))
    if s.conditions & AIR_ZONES:
        there += (unchanged("place", s.place.tobytes()), unchanged("flags", s.flags))
    return (*there, unchanged("owner", s.owner), unchanged("works", s.works), s.partisans) if s.conditions else there
