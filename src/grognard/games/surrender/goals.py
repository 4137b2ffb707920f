"""What a scenario is about, for the computer: the hexes worth holding, and how far every hex is from the great ones."""

from __future__ import annotations

from functools import cached_property
from operator import itemgetter

from grognard.games.surrender.world import World

GREAT = 120  # a goal that armies march for
RAID = 8  # hexes within which an enemy army threatens an empty goal
REMEMBERED = 20_000  # sets of goals kept in memory


class Goals:
    """The goals of a scenario, great ones first, with what follows from who holds them."""

    def __init__(self, w: World) -> None:
        self.worth = worth_of_hexes(w)
        self.great = tuple(hex for hex, value in self.worth.items() if value >= GREAT)
        others = [hex for hex, value in self.worth.items() if value < GREAT]
        self.values = tuple(self.worth[hex] for hex in (*self.great, *others))
        self.holders = itemgetter(*self.great, *others)  # from the control column: who holds each goal
        self.great_holders = itemgetter(*self.great)
        self.grid = w.theatre.grid
        self._balances: dict[tuple[bytes, tuple[int, ...]], int] = {}
        self._pulls: dict[bytes, bytes] = {}

    @cached_property
    def distances(self) -> tuple[bytes, ...]:
        """For each great goal, how far every hex is from it."""
        hexes = range(len(self.grid))
        return tuple(bytes(min(255, self.grid.distance(goal, hex)) for hex in hexes) for goal in self.great)

    @cached_property
    def raids(self) -> tuple[int, ...]:
        """By hex a bit for each great goal that an army there threatens; the last entry is for an army off the map."""
        near = [0] * (len(self.grid) + 1)
        for number, table in enumerate(self.distances):
            for hex, distance in enumerate(table):
                near[hex] |= (distance <= RAID) << number
        return tuple(near)

    def balance(self, held: bytes, sign: tuple[int, ...]) -> int:
        """The goals' worth, added or taken away by the sign of their holder."""
        found = self._balances.get((held, sign))
        if found is None:
            if len(self._balances) > REMEMBERED:
                self._balances.clear()
            found = self._balances[held, sign] = sum(value * sign[holder] for value, holder in zip(self.values, held))
        return found

    def pull(self, held: bytes, holder: int) -> bytes:
        """By hex three points for each hex to the nearest great goal in enemy hands."""
        wanted = held.translate(WANTED[holder])
        found = self._pulls.get(wanted)
        if found is None:
            tables = [table for table, want in zip(self.distances, wanted) if want]
            least = [min(column) for column in zip(*tables)] if tables else [0] * len(self.grid)
            found = self._pulls[wanted] = bytes(min(255, 3 * value) for value in least)
        return found


WANTED = tuple(bytes(of not in (0, holder, 4) for of in range(256)) for holder in range(5))


def worth_of_hexes(w: World) -> dict[int, int]:
    """The scenario's cities by their points, capitals, other cities."""
    found = dict.fromkeys((h for h in w.strongholds if w.theatre.city[h]), 40)
    for hex in w.capitals.values():
        found[hex] = 300
    for key, points in w.data.get("city_points", {}).items():
        found[w.theatre.places[key]] = 120 * points
    for key in w.data.get("goals", ()):
        found[w.theatre.places[key]] = 500
    return found


def goals(w: World) -> Goals:
    """The goals of a scenario, made once."""
    found = _GOALS.get(w.name)
    if found is None:
        found = _GOALS[w.name] = Goals(w)
    return found


_GOALS: dict[str, Goals] = {}
