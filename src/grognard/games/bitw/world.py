"""What never changes during a game: the units, the theatre and the scenario, found by the scenario's name.

Rules ask `world(s)`; a position holds only the scenario's name. Tests add small worlds of their own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from grognard.kernel import DataError, UnknownName
from grognard.kit import Worlds

from .built import ADVANCED_BUILT, is_built
from .loading import FILES, Unit, charts, units
from .scenarios import Reader, Scenario
from .theatre import MAJOR_PORT, MINOR_PORT, Theatre, countries, western_europe

UNITS: Final[tuple[Unit, ...]] = units()
UNIT_IDS: Final[dict[str, int]] = {u.id: u.index for u in UNITS}
SIDE_OF: Final[bytes] = bytes(u.side for u in UNITS)
IS_AIR: Final[bytes] = bytes(u.is_air for u in UNITS)
IS_GROUND: Final[bytes] = bytes(u.is_ground for u in UNITS)
IS_FORT: Final[bytes] = bytes(u.is_fort for u in UNITS)
BLOCKS_OF: Final = tuple(tuple(u.index for u in UNITS if u.side == side) for side in (0, 1))
AIRCRAFT_OF: Final = tuple(tuple(u for u in blocks if IS_AIR[u]) for blocks in BLOCKS_OF)
IS_COMBAT: Final[bytes] = bytes(u.is_combat for u in UNITS)
POWERS: Final = charts().powers
POWER_OF: Final[bytes] = bytes(u.power for u in UNITS)
POWER_SIDE: Final[bytes] = bytes(p.side for p in POWERS)
LIMITS: Final = charts().limits


@dataclass(frozen=True, eq=False)
class World:
    """A theatre and a scenario on it, with what follows from both."""

    theatre: Theatre
    scenario: Scenario
    fixed_income: dict[int, int]  # by pool: what does not come from centres on the map


def scenario_names() -> tuple[str, ...]:
    """The scenarios that can be played, in order; one that needs a chapter not built yet is not listed."""
    return tuple(name for name in scenario_files() if is_playable(name))


@lru_cache(maxsize=1)
def scenario_files() -> tuple[str, ...]:
    """The scenarios with a file, in order."""
    return tuple(sorted(FILES.names("scenarios"), key=lambda name: (len(name), name)))


@lru_cache(maxsize=32)
def is_playable(name: str) -> bool:
    """0-scenarios True if every chapter that a scenario needs, or shows, is built."""
    options = FILES.toml(f"scenarios/{name}.toml").get("options", {})
    shown = {number.partition(".")[0] for number in options.get("exercises", ())} & set(ADVANCED_BUILT)
    return all(is_built(number) for number in (*options.get("need", ()), *shown))


def make_world(theatre: Theatre, table: dict[str, Any], file: str = "scenario") -> World:
    """A world from a scenario document; income from the centres held at the start is part of the stated total."""
    scenario = Reader(file, theatre, charts(), UNITS).read(table)
    fixed = {}
    for pool in scenario.pools:
        at_start = sum(
            theatre.yellow[node]
            for node in range(theatre.nodes)
            if theatre.yellow[node] and scenario.pool_of.get(scenario.owners[node]) == pool.nations[0]
        )
        fixed[pool.nations[0]] = pool.income - at_start
    return World(theatre, scenario, fixed)


def theatre_of(table: dict[str, Any], file: str) -> Theatre:
    """5.6b The map of a scenario: closed are the countries it calls neutral, and what lies outside its area."""
    area, known = table.get("area", {}), countries(western_europe())
    outside = {"neutral.countries": table.get("neutral", {}).get("countries", ())}
    outside["area.closed_countries"] = area.get("closed_countries", ())
    for key, named in outside.items():
        for country in named:
            if country not in known:
                raise DataError(file, key, f"unknown country {country!r}; known: {', '.join(known)}")
    closed = [x for named in outside.values() for x in named] + list(area.get("closed_regions", ()))
    found = western_europe(*closed, kept=tuple(area.get("regions", ())))
    return with_ports(found, table["port"], file) if table.get("port") else found


def with_ports(theatre: Theatre, entries: Iterable[dict[str, Any]], file: str) -> Theatre:
    """3.4 The same map with ports that a scenario makes greater or smaller than they are printed."""
    port = bytearray(theatre.port)
    for entry in entries:
        try:
            node = theatre.find(entry["at"])
        except UnknownName as error:
            raise DataError(file, "port", str(error)) from error
        if not port[node] or entry["class"] not in ("minor", "major"):
            raise DataError(file, "port", f"{entry['at']}: a printed port, minor or major")
        port[node] = MAJOR_PORT if entry["class"] == "major" else MINOR_PORT
    return replace(theatre, port=bytes(port))


def read_world(name: str) -> World:
    """The world of a scenario that ships with the game."""
    table = FILES.toml(f"scenarios/{name}.toml")
    return make_world(theatre_of(table, f"{name}.toml"), table, f"{name}.toml")


WORLDS: Final = Worlds(scenario_files, read_world)


def world_named(name: str) -> World:
    """The world of a scenario; shipped ones are read when first asked for."""
    return WORLDS[name]


def add_world(name: str, new: World) -> None:
    """Make a scenario known that is not among the shipped ones (tests, designers)."""
    WORLDS[name] = new


def world(s: Any) -> World:
    """The world of a position."""
    return WORLDS[s.scenario]
