"""What history can be compared with: places by who holds them, steps, ground."""

from __future__ import annotations

from ..loading import SIDES
from ..state import OFF, BitwState
from ..world import IS_COMBAT, SIDE_OF, world
from .goals import HOLDER

PLACES = (
    "amsterdam", "antwerpen", "bastogne", "berlin", "bologna", "bruxelles", "caen", "calais", "catania", "cherbourg",
    "dinant", "dover", "foggia", "genova", "liege", "lille", "marseille", "messina", "milano", "munich", "napoli",
    "palermo", "paris", "portsmouth", "reims", "roma", "rotterdam", "ruhr", "sedan", "siracusa", "strasbourg",
    "taranto", "trieste", "venezia",
)  # fmt: skip


def measures_of(s: BitwState) -> dict[str, int]:
    """`paris-axis` is 1 while the Axis holds it; steps of combat units on the map and hexes of each side."""
    t, found = world(s).theatre, dict[str, int]()
    for name in PLACES:
        if t.has(name):
            for side, word in enumerate(SIDES):
                found[f"{name}-{word}"] = int(HOLDER[s.owner[t.find(name)]] == side)
    for side, word in enumerate(SIDES):
        found[f"steps-{word}"] = sum(
            s.steps[u] for u, at in enumerate(s.place) if at < OFF and IS_COMBAT[u] and SIDE_OF[u] == side
        )
        found[f"hexes-{word}"] = sum(HOLDER[power] == side for power in s.owner[: t.hexes])
    return found
