"""How good a position looks to a faction: the goals of the scenario, ground, strength, and the way to the goals."""

from __future__ import annotations

from grognard.games.surrender.charts import FACTIONS
from grognard.games.surrender.state import ELIMINATED, GONE, ON_MAP, Position, world
from grognard.games.surrender.world import AXIS, World

STEP = {"infantry": 40, "motorised": 50, "shock": 55, "tank": 80}


def score(s: Position, side: int) -> int:
    """Own worth minus the enemies'; a finished game is worth more than any position."""
    if s.outcome:
        return 100_000 if s.outcome[0] == side else -100_000 if s.outcome[0] >= 0 else 0
    total = 0
    for faction in world(s).factions:
        worth = faction_worth(s, faction)
        total += worth if faction == side else -worth if AXIS in (faction, side) else 0
    return total


def faction_worth(s: Position, faction: int) -> int:
    """Goals held, cities, steps, supply, sorties, nearness to goals, markers unspent, and activations left."""
    w = world(s)
    total = sum(value for hex, value in goals(w).items() if s.control[hex] == faction + 1)
    foes = [h for h, value in goals(w).items() if value and s.control[h] not in (0, faction + 1, 4)]
    distance = w.theatre.grid.distance
    for unit in w.of_faction[faction]:
        fate = s.fate[unit]
        kind = w.units[unit]
        if fate in (ELIMINATED, GONE):
            continue
        if fate != ON_MAP:
            continue
        if kind.ground:
            step = STEP[kind.type] + 10 * kind.elite
            total += step * (2 - s.reduced[unit]) - (0, 25, 50)[s.supply[unit]]
            if foes:
                total -= min(distance(s.at[unit], h) for h in foes)
        else:
            total += 60 - 6 * s.sorties[unit] - (0, 10, 20)[s.supply[unit]]
    base = faction * (len(s.markers) // 3)
    total += 6 * sum(s.markers[base : base + len(s.markers) // 3])
    if faction == AXIS:
        total -= 60 * s.fac_lost[0]
    elif FACTIONS[faction] == "western":
        total -= 60 * s.fac_lost[1]
    else:
        total -= 60 * s.fac_lost[2]
    enemies_bombed = sum(1 for h in w.factories if s.bombed[h] and s.control[h] == faction + 1)
    return total - 40 * enemies_bombed


def goals(w: World) -> dict[int, int]:
    """Hexes worth holding: the scenario's cities by their points, capitals, other cities."""
    found = _GOALS.get(w.name)
    if found is None:
        found = dict.fromkeys((h for h in w.strongholds if w.theatre.city[h]), 60)
        for hex in w.capitals.values():
            found[hex] = 400
        for key, points in w.data.get("city_points", {}).items():
            found[w.theatre.places[key]] = 150 * points
        for key in w.data.get("goals", ()):
            found[w.theatre.places[key]] = 500
        _GOALS[w.name] = found
    return found


_GOALS: dict[str, dict[int, int]] = {}
