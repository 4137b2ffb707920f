"""Answers that follow from who controls and stands where, remembered while a position keeps them.

Supply networks, rails and bases depend on who controls what and where the enemy stands, not on one's own moves; lanes
depend on where everybody stands, a unit's reach on where the enemy does. Rules ask for them many times between two
changes; `remembered` looks them up by the bytes that matter (`facing`, `beset`, `foes`, `standing`). It changes
speed, never an answer.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from grognard.kit.memo import amended, differing, remembered, unchanged

from .world import POWER_SIDE, world

__all__ = ["amended", "beset", "differing", "facing", "foes", "remembered", "standing", "unchanged"]
AIR_ZONES = 1 << 9  # a bit of `conditions`: lanes hang on based aircraft too (switch `lane-zones`)
_foes: dict[int, tuple[bytes, bytes]] = {}  # by side: who is present, and what `foes` made of it
_beset: dict[int, tuple[tuple[str, bytes, bytes], int]] = {}  # by side: what `beset` was made of, and its enemies
HELD_BY = tuple(  # by side: 1 for the powers of that side, to be read with `translate`
    bytes(power < len(POWER_SIDE) and POWER_SIDE[power] == side for power in range(256)) for side in (0, 1)
)
NOBODY_YET = (b"", b"")
SOMEBODY = bytes([0]) + bytes([1]) * 255  # a count of blocks, or none


def facing(s: Any, side: int) -> Hashable:
    """What a side's rails, ports and bases depend on: who controls what, capitals, and where its enemies stand."""
    capitals = unchanged("capital", s.capital.tobytes())
    if not side:
        return (s.scenario, s.conditions, 0, unchanged("owner", s.owner), foes(s, 0), capitals, s.partisans, s.bombed)
    harbours = unchanged("harbour", s.harbour.tobytes() + s.harbour_hits)
    return (s.scenario, s.conditions, side, unchanged("owner", s.owner), foes(s, side), capitals, harbours, s.bombed)


def beset(s: Any, side: int) -> Hashable:
    """What a side's rails, ports and sources depend on: as `facing`, but of the enemies only those in its own hexes.

    Whoever stands in what the enemy controls anyway cuts nothing: most moves change nothing here.
    """
    owner, where = unchanged("owner", s.owner), foes(s, side)
    latest, inside = _beset.get(side, (("", b"", b""), 0))
    if latest[0] != s.scenario or latest[1] is not owner or latest[2] is not where:
        open_to = owner.translate(HELD_BY[side])[: world(s).theatre.hexes].ljust(len(owner), b"\1")  # boxes: nobody's
        inside = int.from_bytes(where, "little") & int.from_bytes(open_to, "little")
        _beset[side] = ((s.scenario, owner, where), inside)
    capitals = unchanged("capital", s.capital.tobytes())
    if not side:
        return (s.scenario, s.conditions, 0, owner, inside, capitals, s.partisans, s.bombed)
    landed_on = [n < len(where) and where[n] for n in s.harbour]  # a Mulberry may lie in an enemy hex
    harbours = unchanged("beset harbour", s.harbour.tobytes() + s.harbour_hits + bytes(landed_on))
    return (s.scenario, s.conditions, side, owner, inside, capitals, harbours, s.bombed)


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
