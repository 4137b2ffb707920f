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
_foes: dict[int, tuple[bytes, bytes]] = {}  # by side: counts of enemies by node, and what `foes` made of them
SOMEBODY = bytes([0]) + bytes([1]) * 255  # a count of blocks, or none


def facing(s: Any, side: int) -> Hashable:
    """What a side's rails, ports and bases depend on: who controls what, capitals, and where its enemies stand."""
    harbours = (s.harbour.tobytes(), bytes(s.harbour_hits)) if side else s.partisans
    return (s.scenario, s.conditions, side, unchanged("owner", s.owner), foes(s, side), s.capital.tobytes(), harbours)


def foes(s: Any, side: int) -> bytes:
    """By node: 1 where enemies of a side stand or fly."""
    nodes = len(s.first_in)
    counts = unchanged(("present", side), s.present[nodes:] if side == 0 else s.present[:nodes])
    latest, where = _foes.get(side, (b"", b""))
    if counts is not latest:
        where = unchanged(("foes", side), counts.translate(SOMEBODY))
        _foes[side] = (counts, where)
    return where


def standing(s: Any) -> Hashable:
    """What zones of control and lanes depend on: where everybody stands."""
    there = (s.scenario, s.conditions, unchanged("present", s.present), unchanged("ground", s.ground))
    return (*there, unchanged("owner", s.owner), unchanged("works", s.works), s.partisans) if s.conditions else there
