"""What history can be compared with: cities, conquests, steps on the map, ground."""

from __future__ import annotations

from grognard.games.surrender.loading import FACTIONS
from grognard.games.surrender.rules.economy import COUNTRIES
from grognard.games.surrender.state import ON_MAP, Position, world
from grognard.games.surrender.world import AXIS

RAIDED = ("warsaw", "hamburg", "konigsberg")  # cities that fell where they never did


def measures_of(s: Position) -> dict[str, int]:
    """Cities of the scenario (`paris-axis` is 1 while the Axis holds it), countries conquered, steps and hexes."""
    w = world(s)
    places = {*w.capitals.values(), *(w.theatre.places[key] for key in w.data.get("city_points", {}))}
    places |= {w.theatre.places[key] for key in (*w.data.get("goals", ()), *RAIDED) if key in w.theatre.places}
    named = {hex: key for key, hex in w.theatre.places.items() if hex in places and w.theatre.city[hex] == key}
    found: dict[str, int] = {}
    for hex, key in sorted(named.items()):
        for faction in w.factions:
            found[f"{key}-{FACTIONS[faction]}"] = int(s.control[hex] == faction + 1)
    for number, country in enumerate(COUNTRIES):
        found[f"{country}-conquered"] = int(s.conquered[number] == AXIS + 1)
    for faction in w.factions:
        armies = [u for u in w.armies_of[faction] if s.fate[u] == ON_MAP]
        found[f"steps-{FACTIONS[faction]}"] = sum(2 - s.reduced[u] for u in armies)
        found[f"hexes-{FACTIONS[faction]}"] = sum(s.control[hex] == faction + 1 for hex in w.land_in_play)
    return found
