"""What the integers of actions and fields mean, and how they are written: hexes, units, powers, plans, harbours."""

from __future__ import annotations

from typing import Any, Final

from grognard.kernel import Fog
from grognard.kernel.kinds import Named, Pair, Units, words

from .state import SEEN_MARKS, knows
from .world import POWERS, UNITS, world

FOG: Final = Fog([u.id for u in UNITS], knows, marks={"orders": SEEN_MARKS})
HARBOURS: Final = ("A", "B")

HEX: Final = Named("hex", lambda s: world(s).theatre.names)  # hexes, then the boxes beyond the map
UNIT: Final = Units(FOG)
POWER: Final = Named("power", [p.id for p in POWERS])
PLAN: Final = Named("word", lambda s: [p.id for p in world(s).scenario.plans])
HARBOUR: Final = Named("harbour", HARBOURS)
CHARGES: Final = ("panzers", "cavalry")
CHARGE: Final = words(*CHARGES)
CITY: Final = words("paris")
STATIONS: Final = ("ventnor", "poling", "pevensey", "rye", "dover-radar", "dunkirk-kent")  # 13.8.1.2-radar-a in order
STATION: Final = words(*STATIONS)
WORKS: Final = ("red-factory", "blue-factory", "black-factory", "white-factory")  # in the order of the colours
TARGET_KINDS: Final = (*WORKS, "centre", "port", "mulberry", "rail", *STATIONS)  # 32.0a
TARGET: Final = words(*TARGET_KINDS)
FROM: Final = Pair(HEX, HEX)  # the enemy hex that a unit enters, and whence
BEACH: Final = Pair(HEX, HARBOUR)


def name_of(s: Any, node: int) -> str:
    """The printed number of a hex, or the key of a box."""
    return world(s).theatre.names[node]
