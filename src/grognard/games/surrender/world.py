"""Units, event markers and the world of a scenario as frozen values, with what follows from them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter
from typing import Any

from grognard.games.surrender.loading import (
    AIR_TYPES,
    FILES,
    GROUND_TYPES,
    SHIP_TYPES,
    charts,
    whole_numbers,
)  # fmt: skip
from grognard.games.surrender.theatre import Theatre
from grognard.kernel.errors import UnknownName
from grognard.kernel.kept import Kept
from grognard.kernel.record import Column

AXIS, WESTERN, SOVIET = range(3)
NEUTRAL, OUT_OF_PLAY = 0, 4  # control: 0 nobody, 1 to 3 a faction plus one, 4 outside the scenario
FAC_LOST = ("germany", "uk", "ussr")


@dataclass(frozen=True, slots=True)
class Unit:
    """A counter: who it is, what it is, where and when it starts."""

    id: str
    name: str
    country: str
    faction: int
    type: str
    elite: bool
    hex: int  # -1: any free friendly home city
    arrives: int  # 0 at start, else months after the start
    reduced: bool
    sorties: int
    src: str
    east_of: int = -1  # reinforcements: column from which a city may receive it

    ground: bool = field(init=False)  # unit-ground: infantry, motorised, shock or tank
    air: bool = field(init=False)  # unit-air: fighter or bomber
    ship: bool = field(init=False)  # unit-naval: warship, carrier or convoy
    warship: bool = field(init=False)  # unit-naval: warship or carrier
    slot: str = field(init=False)  # stacking: which of the four places of a hex it takes

    def __post_init__(self) -> None:
        """What follows from the type, once and for all."""
        kind = self.type
        ground, air = kind in GROUND_TYPES, kind in AIR_TYPES
        slot = "ground" if ground else "air" if air else "convoy" if kind == "convoy" else "warship"
        facts = {"ground": ground, "air": air, "ship": kind in SHIP_TYPES, "warship": kind in ("warship", "carrier")}
        for name, value in (facts | {"slot": slot}).items():
            object.__setattr__(self, name, value)


@dataclass(frozen=True, slots=True)
class MarkerKind:
    """An event marker: its rule, what it may be committed to and what it does."""

    id: str
    rule: str
    faction: str  # a faction, or "any"
    combat: str  # ground, air, strategic, or another use
    role: str  # attacker, defender or any
    drm: int
    src: str
    halves_enemy: bool = False
    bridges: bool = False


def _markers() -> tuple[MarkerKind, ...]:
    for number, m in enumerate(FILES.toml("markers.toml")["marker"], 1):
        whole_numbers("markers.toml", f"marker {number} ({m.get('id')}): drm", m.get("drm", 0))
    return tuple(
        MarkerKind(
            m["id"], m["rule"], m["faction"], m["combat"], m.get("role", "any"), m.get("drm", 0), m["src"],
            m.get("halves_enemy", False), m.get("bridges", False),
        )
        for m in FILES.toml("markers.toml")["marker"]
    )  # fmt: skip


MARKERS = _markers()
MARKER_IDS = {m.id: i for i, m in enumerate(MARKERS)}


@dataclass(frozen=True)
class World:
    """Everything that never changes in one scenario."""

    name: str
    theatre: Theatre
    units: tuple[Unit, ...]
    title: dict[str, str]
    start: tuple[int, int]  # year, month 1-12
    turns: int
    factions: tuple[int, ...]
    in_play: bytes
    control: bytes  # at the start, by hex
    capitals: dict[str, int]
    edges: dict[int, tuple[int, ...]]  # supply-sources: friendly edge hexes, by faction
    home: dict[int, tuple[str, ...]]
    points: dict[str, int]
    fac_lost: tuple[int, int, int]
    off_map_ports: dict[int, int]  # by maritime zone: the hex whose holder has a port there, -1 for the Axis always
    markers: tuple[tuple[int, ...], ...]  # by faction, by marker
    data: dict[str, Any]  # victory and the scenario's own numbers

    @cached_property
    def is_ground(self) -> bytes:
        """By unit: 1 for an army."""
        return bytes(u.ground for u in self.units)

    @cached_property
    def home_cities(self) -> tuple[tuple[int, ...], ...]:
        """logistics-reinforce By faction the cities in play of its home countries."""
        cities = self.theatre.cities_of
        return tuple(
            tuple(sorted(h for country in self.home.get(f, ()) for h in cities(country) if self.in_play[h]))
            for f in range(3)
        )

    @cached_property
    def home_ports(self) -> tuple[tuple[int, ...], ...]:
        """logistics-reinforce By faction the ports in play of its home countries."""
        country = self.theatre.country
        return tuple(
            tuple(sorted(h for h in self.ports if country[h] in self.home.get(f, ()) and self.in_play[h]))
            for f in range(3)
        )

    @cached_property
    def hex_names(self) -> tuple[str, ...]:
        """The printed numbers of the hexes."""
        return self.theatre.grid.names

    @cached_property
    def hex_ids(self) -> dict[str, int]:
        """Hexes by their printed numbers."""
        return {name: hex for hex, name in enumerate(self.hex_names)}

    @cached_property
    def unit_names(self) -> tuple[str, ...]:
        """The ids of the units."""
        return tuple(unit.id for unit in self.units)

    @cached_property
    def unit_ids(self) -> dict[str, int]:
        """Units by id."""
        return {unit.id: number for number, unit in enumerate(self.units)}

    @cached_property
    def of_faction(self) -> tuple[tuple[int, ...], ...]:
        """The units of each faction."""
        return tuple(tuple(n for n, u in enumerate(self.units) if u.faction == f) for f in range(3))

    @cached_property
    def span_of(self) -> tuple[tuple[int, int], ...]:
        """For each faction the part of the list of units in which all of its own stand."""
        return tuple((min(units, default=0), max(units, default=-1) + 1) for units in self.of_faction)

    @cached_property
    def armies_of(self) -> tuple[tuple[int, ...], ...]:
        """The ground units of each faction."""
        return tuple(tuple(n for n in self.of_faction[f] if self.units[n].ground) for f in range(3))

    @cached_property
    def others_of(self) -> tuple[tuple[int, ...], ...]:
        """The air and naval units of each faction."""
        return tuple(tuple(n for n in self.of_faction[f] if not self.units[n].ground) for f in range(3))

    @cached_property
    def foes_of(self) -> tuple[tuple[int, ...], ...]:
        """factions For each faction those in play that are at war with it: the Axis is one side of every war."""
        return tuple(tuple(f for f in self.factions if f != side and AXIS in (f, side)) for side in range(3))

    @cached_property
    def narrow_places(self) -> tuple[int, ...]:
        """naval-move Ports, narrow coasts and the banks of straits: what can close the sea."""
        return tuple(sorted({*self.theatre.narrows, *(bank for pair in self.theatre.banks for bank in pair)}))

    @cached_property
    def narrow_holders(self) -> Callable[[Column], Any]:
        """naval-move From the control column: who holds each of them."""
        return itemgetter(*self.narrow_places) if len(self.narrow_places) > 1 else self._few_holders

    def _few_holders(self, control: Column) -> list[int]:
        return [control[hex] for hex in self.narrow_places]

    @cached_property
    def lanes(self) -> tuple[tuple[int, ...], ...]:
        """naval-move Where ships can sail next, within the scenario's map."""
        inside = self.in_play
        return tuple(tuple(other for other in ways if inside[other]) for ways in self.theatre.lanes)

    @cached_property
    def sea_searches(self) -> Kept:
        """naval-move Searches of the sea already made, by start, points and holders (rules/sea.py)."""
        return Kept(512)

    @cached_property
    def grounds(self) -> Kept:
        """supply-land Grounds whose regions were worked out, by faction and mask: more than a month of a game needs."""
        return Kept(48)

    @cached_property
    def reaches(self) -> Kept:
        """move-cost Searches on land already made, by start, points, weather and masks (rules/movement.py)."""
        return Kept(64)

    @cached_property
    def meetings(self) -> Kept:
        """intercept Where a unit in a hex meets a route, by hex, reach and route (rules/interception.py)."""
        return Kept(4096)

    @cached_property
    def sources(self) -> tuple[tuple[int, ...], ...]:
        """supply-sources Capitals of each faction's home countries and its map edges, whoever holds them now."""
        return tuple(
            (*(self.capitals[c] for c in self.home.get(f, ()) if c in self.capitals), *self.edges.get(f, ()))
            for f in range(3)
        )

    @cached_property
    def ports(self) -> tuple[int, ...]:
        """Every port in play."""
        return tuple(h for h, port in enumerate(self.theatre.port) if port and self.in_play[h])

    def sea_of(self, zones: set[int]) -> tuple[int, ...]:
        """All-sea hexes of these maritime zones."""
        key = tuple(sorted(zones))
        found = self._seas.get(key)
        if found is None:
            theatre = self.theatre
            found = tuple(h for h, yes in enumerate(theatre.sea) if yes and zones.intersection(theatre.zones[h]))
            self._seas[key] = found
        return found

    @cached_property
    def _seas(self) -> dict[tuple[int, ...], tuple[int, ...]]:
        return {}

    @cached_property
    def land_in_play(self) -> tuple[int, ...]:
        """Land hexes of the scenario."""
        return tuple(h for h, yes in enumerate(self.in_play) if yes and self.theatre.land[h])

    @cached_property
    def coast(self) -> tuple[int, ...]:
        """Coastal hexes in play."""
        return tuple(h for h in self.land_in_play if self.theatre.coastal[h])

    @cached_property
    def factories(self) -> tuple[int, ...]:
        """Factory hexes in play."""
        return tuple(h for h, yes in enumerate(self.theatre.factory) if yes and self.in_play[h])

    @cached_property
    def cities(self) -> tuple[int, ...]:
        """Cities in play."""
        return tuple(h for h in self.strongholds if self.theatre.city[h])

    @cached_property
    def towns(self) -> tuple[int, ...]:
        """Hexes in play that the map names: who holds them is told to everybody."""
        return tuple(sorted({h for h in self.theatre.places.values() if self.in_play[h]}))

    @cached_property
    def city_bits(self) -> int:
        """Cities in play, one bit a hex."""
        return self.theatre.bits.of(self.cities)

    @cached_property
    def stronghold_mask(self) -> int:
        """The same as a number: one byte a hex, 1 where there is one."""
        mask = bytearray(len(self.in_play))
        for hex in self.strongholds:
            mask[hex] = 1
        return int.from_bytes(mask, "little")

    @cached_property
    def railheads(self) -> tuple[int, ...]:
        """strategic-move Land hexes at or next to a city."""
        return tuple(h for h in self.land_in_play if self.theatre.near_city[h])

    @cached_property
    def strongholds(self) -> tuple[int, ...]:
        """Cities and forts in play."""
        theatre = self.theatre
        return tuple(h for h, yes in enumerate(self.in_play) if yes and (theatre.city[h] or theatre.fort[h]))

    def unit_number(self, unit_id: str) -> int:
        """The unit with that id; the error suggests close ones."""
        if unit_id not in self.unit_ids:
            raise UnknownName("unit", unit_id, self.unit_ids)
        return self.unit_ids[unit_id]


def movement_allowance(kind: str) -> int:
    """Points of a ground unit in full supply."""
    return int(charts()["movement"]["allowance"][kind])
