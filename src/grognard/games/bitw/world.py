"""What never changes during a game: the units, the theatre and the scenario, found by the scenario's name.

Rules ask `world(s)`; a position holds only the scenario's name. Tests add small worlds of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from grognard.kernel import DataError
from grognard.kit import Worlds

from .loading import FILES, Unit, charts, units
from .scenarios import Reader, Scenario
from .theatre import Theatre, countries, western_europe

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
    """The scenarios that ship with the game, in order."""
    return FILES.names("scenarios")


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
    """5.6b The map of a scenario: the countries it calls neutral are closed."""
    neutral = table.get("neutral", {}).get("countries", ())
    known = countries(western_europe())
    for country in neutral:
        if country not in known:
            raise DataError(file, "neutral.countries", f"unknown country {country!r}; known: {', '.join(known)}")
    return western_europe(*neutral)


def read_world(name: str) -> World:
    """The world of a scenario that ships with the game."""
    table = FILES.toml(f"scenarios/{name}.toml")
    return make_world(theatre_of(table, f"{name}.toml"), table, f"{name}.toml")


WORLDS: Final = Worlds(scenario_names, read_world)


def world_named(name: str) -> World:
    """The world of a scenario; shipped ones are read when first asked for."""
    return WORLDS[name]


def add_world(name: str, new: World) -> None:
    """Make a scenario known that is not among the shipped ones (tests, designers)."""
    WORLDS[name] = new


def world(s: Any) -> World:
    """The world of a position."""
    return WORLDS[s.scenario]
