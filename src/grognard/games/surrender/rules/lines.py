"""Networks of friendly ground: land supply lines, strategic movement, connection to a capital.

The ground that a faction's lines may cross is one byte a hex. It changes seldom, and everything here follows from it,
so its joined regions are worked out once and remembered.
"""

from __future__ import annotations

from functools import cached_property

from grognard.games.surrender.loading import charts
from grognard.games.surrender.rules.board import ezoc_mask
from grognard.games.surrender.state import Position, world
from grognard.games.surrender.world import World
from grognard.kernel import rule

REMEMBERED = 48  # grounds kept by a world: more than one month of a game needs

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
    """The open ground of one faction, in joined regions. `hex in ground`: joined to a source of supply."""

    def __init__(self, w: World, side: int, mask: bytes) -> None:
        self.world, self.side, self.mask = w, side, mask
        self.region = regions_of(w, mask)
        self.sources = [h for h in w.sources[side] if mask[h]]
        self.joined = {self.region[h] for h in self.sources}

    def __contains__(self, hex: int) -> bool:
        return self.region[hex] in self.joined

    def are_joined(self, a: int, b: int) -> bool:
        """Both in the same region of open ground."""
        return self.region[a] > 0 and self.region[a] == self.region[b]

    @cached_property
    def near(self) -> bytearray:
        """supply-land Hexes to the nearest city or source of the network, plus one; 0 beyond the reach."""
        city, region, joined = self.world.theatre.city, self.region, self.joined
        cities = [h for h in self.world.strongholds if city[h] and region[h] in joined]
        return flood(self.world, [*cities, *self.sources], self.mask, int(charts()["supply"]["reach"]))

    @cached_property
    def supplied(self) -> tuple[int, ...]:
        """supply-land The hexes of `near`."""
        return tuple(hex for hex, close in enumerate(bytes(self.near)) if close)

    def feeds(self, hex: int) -> bool:
        """supply-land Within reach; a unit's own hex is always good, whatever zone it lies in."""
        return touches(self.world, self.near, hex)


def regions_of(w: World, mask: bytes) -> list[int]:
    """By hex the number of its region of open ground, 0 where the ground is not open."""
    passable = w.theatre.passable
    region = [0] * len(mask)
    todo = bytearray(mask)
    number = start = 0
    while (start := todo.find(1, start)) >= 0:
        number += 1
        todo[start] = 0
        joined = [start]
        for hex in joined:  # grows while we read it
            region[hex] = number
            for other in passable[hex]:
                if todo[other]:
                    todo[other] = 0
                    joined.append(other)
    return region


def flood(w: World, starts: list[int], mask: bytes, most: int) -> bytearray:
    """By hex the distance to the nearest start over open ground, plus one; 0 when it is more than `most`."""
    passable = w.theatre.passable
    found = bytearray(len(mask))
    edge = [hex for hex in starts if mask[hex]]
    for hex in edge:
        found[hex] = 1
    for distance in range(2, most + 2):
        after = []
        for hex in edge:
            for other in passable[hex]:
                if mask[other] and not found[other]:
                    found[other] = distance
                    after.append(other)
        edge = after
    return found


def touches(w: World, near: bytearray, hex: int) -> bool:
    """supply-land Is the hex, or a neighbour less far than the reach, among these?"""
    if near[hex]:
        return True
    reach = int(charts()["supply"]["reach"])
    return any(0 < near[other] <= reach for other in w.theatre.passable[hex])


@rule("supply-sources", "supply-land")
def network(s: Position, side: int) -> Ground:
    """supply-sources Everything joined to a source: an encircled home city is none. Remembered."""
    w = world(s)
    key = (side, open_hexes(s, side))
    found = w.grounds.get(key)
    if found is None:
        if len(w.grounds) >= REMEMBERED:
            w.grounds.clear()
        found = w.grounds[key] = Ground(w, *key)
    return found


@rule("supply-land")
def supplied_hexes(s: Position, side: int) -> set[int]:
    """supply-land Hexes within six of a friendly city that the network reaches.

    The way may not cross enemy ground nor EZOC without a friendly army; a unit's own hex is always good.
    """
    ground = network(s, side)
    standing = [s.at[unit] for unit in world(s).of_faction[side] if s.at[unit] >= 0]
    return {*ground.supplied, *(hex for hex in standing if ground.feeds(hex))}
