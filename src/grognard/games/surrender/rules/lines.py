"""Networks of friendly ground: land supply lines, strategic movement, connection to a capital.

The ground that a faction's lines may cross is one byte a hex. It changes seldom, and everything here follows from it,
so what is joined to what is worked out once and remembered: one bit a hex (bits.py).
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from grognard.games.surrender.loading import charts
from grognard.games.surrender.rules.board import ezoc_mask
from grognard.games.surrender.state import Position, world
from grognard.games.surrender.world import World
from grognard.hexes import BitMap
from grognard.kernel import rule

_OWN = tuple(bytes(holder == side + 1 for holder in range(256)) for side in range(3))


@rule("ezoc")
def open_hexes(s: Position, side: int) -> bytes:
    """ezoc Friendly hexes that a line may cross: not in EZOC unless a friendly army is there.

    Only land in play is anybody's, so control alone says what is friendly ground.
    """
    own = int.from_bytes(s.control.translate(_OWN[side]), "little")  # type: ignore[attr-defined]
    zones = int.from_bytes(ezoc_mask(s, side), "little")
    mask = bytearray((own & ~zones).to_bytes(len(s.control), "little"))
    at, control = s.at, s.control
    for unit in world(s).armies_of[side]:
        if at[unit] >= 0 and control[at[unit]] == side + 1:
            mask[at[unit]] = 1
    return bytes(mask)


class Ground:
    """The open ground of one faction, as bits. `hex in ground`: joined to a source of supply."""

    def __init__(self, w: World, side: int, mask: bytes) -> None:
        self.world, self.bits = w, w.theatre.bits
        self.open = self.bits.of_mask(mask)
        self.sources = self.bits.of(w.sources[side]) & self.open
        self._regions: list[int] = []

    @cached_property
    def joined(self) -> int:
        """supply-sources Everything joined to a source."""
        return self.bits.region(self.open, self.sources)

    def __contains__(self, hex: int) -> bool:
        return bool(self.joined & self.bits.one[hex])

    def region_of(self, hex: int) -> int:
        """The region of open ground that a hex lies in; nothing where the ground is not open. Remembered."""
        here = self.bits.one[hex] & self.open
        found = next((known for known in self._regions if known & here), 0)
        if here and not found:
            found = self.bits.region(self.open, here)
            self._regions.append(found)
        return found

    def are_joined(self, a: int, b: int) -> bool:
        """Both in the same region of open ground."""
        return bool(self.region_of(a) & self.bits.one[b])

    @cached_property
    def close(self) -> Near:
        """supply-land The ground within reach of a city or source of the network."""
        return near(self.bits, self.open, self.world.city_bits & self.joined | self.sources)

    @cached_property
    def supplied(self) -> tuple[int, ...]:
        """supply-land The same, hex by hex."""
        return tuple(self.bits.hexes(self.close.within))

    def feeds(self, hex: int) -> bool:
        """supply-land Within reach; a unit's own hex is always good, whatever zone it lies in."""
        return touches(self.bits, self.close, hex)


class Near(NamedTuple):
    """Ground within reach of something, and what of it is less far than that."""

    within: int
    inner: int


def near(bits: BitMap, ground: int, starts: int) -> Near:
    """supply-land The open ground within reach of the starts."""
    within = inner = edge = starts & ground
    for _ in range(int(charts()["supply"]["reach"])):
        inner = within
        edge = bits.step(edge) & ground & ~within
        within |= edge
    return Near(within, inner)


def touches(bits: BitMap, close: Near, hex: int) -> bool:
    """supply-land Is the hex, or a neighbour less far than the reach, among these?"""
    return bool(close.within & bits.one[hex] or close.inner & bits.around[hex])


@rule("supply-sources", "supply-land")
def network(s: Position, side: int) -> Ground:
    """supply-sources Everything joined to a source: an encircled home city is none. Remembered."""
    w = world(s)
    key = (side, open_hexes(s, side))
    found: Ground | None = w.grounds.get(key)
    return w.grounds.keep(key, Ground(w, *key)) if found is None else found
