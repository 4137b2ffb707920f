"""What a scenario is about, for the computer: the hexes worth holding, and how far every hex is from the great ones."""

from __future__ import annotations

from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

from grognard.games.surrender.computer.worths import ELITE, MARKER_WORTH, STEP
from grognard.games.surrender.loading import FACTIONS, countries
from grognard.games.surrender.world import World
from grognard.hexes import flood, rings
from grognard.kernel.kept import Kept
from grognard.kernel.record import Column

CITY = 40  # worth of any city
CAPITAL = 300  # worth of a capital that no victory condition names
GREAT = 120  # a goal that armies march for
RAID = 8  # hexes within which an enemy army threatens an empty goal
EMBARK = 8  # hexes that a voyage is worth
FARTHEST = 40  # hexes: beyond, a goal pulls no more


class Holdings:
    """The ground as it is held now: the goals' holders, and what armies risk in each hex as far as it was asked."""

    def __init__(self, aims: Goals, control: bytes) -> None:
        self.values, self.held = aims.values, bytes(aims.holders(control))
        self.great = self.held[: len(aims.great)]
        self.exposed: tuple[dict[int, int], ...] = ({}, {}, {})  # by faction and hex
        self._balances: dict[tuple[int, ...], int] = {}

    def balance(self, sign: tuple[int, ...]) -> int:
        """The goals' worth, added or taken away by the sign of their holder."""
        found = self._balances.get(sign)
        if found is None:
            found = sum(value * sign[holder] for value, holder in zip(self.values, self.held))
            self._balances[sign] = found
        return found


class Manner(NamedTuple):
    """How a player weighs goals and attacks. As it stands here it is the plain judgement's, which is frozen."""

    capitals: int = CAPITAL  # worth of a capital that no victory condition names
    zeal: int = 100  # parts of 100: what an attack may win, against what it may cost
    thrift: int = 100  # parts of 100: what markers are worth while they are unspent
    focus: int = 0  # parts of 100 that an attack loses of what it may win for each hex between it and the goal
    nearest: int = 100  # the same at the goal itself
    home: int = 0  # worth of the capitals with factories of `own`; 0: as all capitals
    own: int = -1  # a faction
    by_land: bool = False  # nobody is drawn to a port where a way by land is left
    drive: int = 1  # times the plain pull of the goals
    spearhead: int = 0  # what a tank that may still act is worth beyond another unit
    weighs_all: bool = False  # a unit that is picked up is worth what its best order is worth, not only its best attack
    fallen: tuple[int, ...] = ()  # capitals of countries that are conquered: only cities now


FAINTEST = 30  # parts of 100: an attack however far from the goal


class Goals:
    """The goals of a scenario, great ones first, with what follows from who holds them."""

    def __init__(self, w: World, manner: Manner | None = None) -> None:
        self.manner = manner = manner or Manner()
        self.zeal = manner.zeal
        self.markers = tuple(value * manner.thrift // 100 for value in MARKER_WORTH)
        self.theatre, self.size = w.theatre, len(w.theatre.grid)
        self.worth = worth_of_hexes(w, manner)
        self.great = tuple(hex for hex, value in self.worth.items() if value >= GREAT)
        others = [hex for hex, value in self.worth.items() if value < GREAT]
        self.values = tuple(self.worth[hex] for hex in (*self.great, *others))
        self.holders = itemgetter(*self.great, *others)  # from the control column: who holds each goal
        self.sources = w.sources
        worth = [STEP[u.type] + ELITE * u.elite if u.ground else 0 for u in w.units]
        self.steps = tuple(tuple((u, worth[u]) for u in armies) for armies in w.armies_of)  # armies with a step's worth
        self.convoys = tuple(  # by faction its convoys, where it has armies to carry
            tuple(u for u in others if w.units[u].type == "convoy") if armies else ()
            for others, armies in zip(w.others_of, w.armies_of)
        )
        self.sails = [any(w.units[u].type == "convoy" for u in units) for units in w.of_faction]
        self.forces = Kept(20_000)  # states of a faction's forces, remembered by score.py
        self._holdings = Kept(2_000)  # states of the ground
        self._pulls: dict[tuple[bytes, bool], bytes] = {}

    @cached_property
    def distances(self) -> tuple[bytes, ...]:
        """For each great goal, how far every hex is from it by land."""
        return tuple(self.marches({goal: 0}) for goal in self.great)

    @cached_property
    def voyages(self) -> tuple[bytes, ...]:
        """The same for who has convoys: from a port to the coast nearest to the goal, and on by land."""
        found = []
        for goal, table in zip(self.great, self.distances):
            seeds = {goal: 0}
            for sea in self.seas:
                ashore = min(table[hex] for hex in sea)
                seeds |= {
                    hex: ashore + EMBARK for hex in sea if self.theatre.port[hex] and table[hex] > ashore + EMBARK
                }
            found.append(self.marches(seeds))
        return tuple(found)

    @cached_property
    def seas(self) -> list[list[int]]:
        """The waters that ships can sail without a strait, each with its coasts and ports."""
        lanes, seen, found = self.theatre.lanes, set[int](), []
        for start in range(self.size):
            if lanes[start] and start not in seen:
                found.append(list(flood([start], lanes)))
                seen.update(found[-1])
        return found

    @cached_property
    def homes(self) -> tuple[bytes, ...]:
        """For each faction and hex three points for each hex to its sources of supply; ports serve who has convoys."""
        found = []
        for sources, sails in zip(self.sources, self.sails):
            ports = [hex for hex in range(self.size) if sails and self.theatre.port[hex]]
            table = self.marches(dict.fromkeys(ports, EMBARK) | dict.fromkeys(sources, 0))
            found.append(bytes(3 * value for value in table))
        return tuple(found)

    def marches(self, seeds: dict[int, int]) -> bytes:
        """How far every hex is by land, from hexes that are so far already."""
        return bytes(rings(seeds, self.theatre.passable, FARTHEST))

    @cached_property
    def raids(self) -> tuple[int, ...]:
        """By hex a bit for each great goal that an army there threatens; the last entry is for an army off the map."""
        near = [0] * (self.size + 1)
        for number, table in enumerate(self.distances):
            for hex, distance in enumerate(table):
                near[hex] |= (distance <= RAID) << number
        return tuple(near)

    def holdings(self, control: Column) -> Holdings:
        """What follows from who holds which hex, remembered: few orders change a hand."""
        key = bytes(control)
        found: Holdings | None = self._holdings.get(key)
        return self._holdings.keep(key, Holdings(self, key)) if found is None else found

    def pull(self, held: bytes, holder: int) -> bytes:
        """By hex three points for each hex to the nearest great goal in enemy hands."""
        key = held.translate(WANTED[holder]), self.sails[holder - 1]
        found = self._pulls.get(key)
        if found is None:
            least = self._least(self.voyages if key[1] else self.distances, key[0])
            if self.manner.by_land and key[1]:
                least = [by if by < FARTHEST else sea for by, sea in zip(self._least(self.distances, key[0]), least)]
            found = self._pulls[key] = bytes(min(255, 3 * self.manner.drive * value) for value in least)
        return found

    def _least(self, tables: tuple[bytes, ...], wanted: bytes) -> list[int]:
        """By hex the way to the nearest of the wanted goals."""
        chosen = [table for table, want in zip(tables, wanted) if want]
        return [min(column) for column in zip(*chosen)] if chosen else [0] * self.size

    def prize(self, gain: int, way: int) -> int:
        """What an attack may win, by the hexes from there to the goal (`way` is the pull)."""
        if not self.manner.focus:
            return gain * self.zeal // 100
        share = max(FAINTEST, self.manner.nearest - self.manner.focus * way // (3 * self.manner.drive))
        return gain * self.zeal * share // 10_000


WANTED = tuple(  # by holder: 1 for the holders that are its enemies
    bytes(of in {1: (2, 3), 2: (1,), 3: (1,)}.get(holder, ()) for of in range(256)) for holder in range(5)
)


def worth_of_hexes(w: World, manner: Manner) -> dict[int, int]:
    """The scenario's cities by their points, capitals, other cities."""
    found = dict.fromkeys((h for h in w.strongholds if w.theatre.city[h]), CITY)
    for country, hex in w.capitals.items():
        found[hex] = manner.capitals
        if manner.home and country in w.data["factories"]:
            if FACTIONS.index(countries()[country].faction) == manner.own:
                found[hex] = manner.home
    for key, points in w.data.get("city_points", {}).items():
        found[w.theatre.places[key]] = 120 * points
    for key in w.data.get("goals", ()):
        found[w.theatre.places[key]] = 500
    return found | dict.fromkeys(manner.fallen, CITY)


def goals(w: World, manner: Manner | None = None) -> Goals:
    """The goals of a scenario, made once for each way of weighing them."""
    found = _GOALS.get((w.name, manner))
    if found is None:
        found = _GOALS[w.name, manner] = Goals(w, manner)
    return found


_GOALS: dict[tuple[str, Manner | None], Goals] = {}
