"""What clients see beside the declared fields: pieces, control, tracks, hands."""

from __future__ import annotations

from typing import Any

from grognard.games.surrender.loading import FACTIONS
from grognard.games.surrender.rules.board import SUPPLY, WEATHER, differing, hex_name
from grognard.games.surrender.rules.economy import COUNTRIES
from grognard.games.surrender.state import AWAITED, ON_MAP, Position, world
from grognard.games.surrender.theatre import WEATHER_ZONES
from grognard.games.surrender.world import FAC_LOST, MARKERS


def pieces(s: Position) -> list[dict[str, Any]]:
    """Every unit on the map, awaited or lost, with what its counter shows."""
    out = []
    for unit, kind in enumerate(world(s).units):
        piece: dict[str, Any] = {
            "id": kind.id, "known": True, "name": kind.name, "side": FACTIONS[kind.faction], "country": kind.country,
            "kind": kind.type, "elite": kind.elite, "at": hex_name(s, s.at[unit]) if s.at[unit] >= 0 else None,
        }  # fmt: skip
        if s.fate[unit] != ON_MAP:
            piece["fate"] = ("on_map", "awaited", "eliminated", "gone")[s.fate[unit]]
            if s.fate[unit] == AWAITED:
                piece["arrives"] = kind.arrives + 1
        else:
            piece |= {"reduced": s.reduced[unit], "supply": SUPPLY[s.supply[unit]], "sorties": s.sorties[unit],
                      "done": s.done[unit]}  # fmt: skip
        out.append(piece)
    return sorted(out, key=lambda p: str(p["id"]))


def summary(s: Position) -> dict[str, Any]:
    """Tracks, weather, hands, points, and what changed on the map since the start."""
    w = world(s)
    changed = differing(bytes(s.control), w.control)
    return {
        "date": f"{s.year}-{s.month:02d}",
        "turns": w.turns,
        "map": w.theatre.name,
        "weather": {zone: WEATHER[s.weather[i]] for i, zone in enumerate(WEATHER_ZONES)},
        "fac_lost": {country: s.fac_lost[i] for i, country in enumerate(FAC_LOST)},
        "points": {country: s.points[i] for i, country in enumerate(COUNTRIES) if s.points[i]},
        "conquered": {country: FACTIONS[s.conquered[i] - 1] for i, country in enumerate(COUNTRIES) if s.conquered[i]},
        "markers": {faction: hand_of(s, f) for f, faction in enumerate(FACTIONS)},
        "held": {hex_name(s, h): FACTIONS[s.control[h] - 1] for h in changed if 0 < s.control[h] < 4},
        "bombed_hexes": [hex_name(s, h) for h in w.factories if s.bombed[h]],
    }  # fmt: skip


def hand_of(s: Position, faction: int) -> dict[str, int]:
    """The markers a faction has left."""
    held = s.markers[faction * len(MARKERS) : (faction + 1) * len(MARKERS)]
    return {kind.id: count for kind, count in zip(MARKERS, held) if count}
