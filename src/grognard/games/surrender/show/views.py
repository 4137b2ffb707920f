"""What clients see beside the declared fields: pieces, control, tracks, hands."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from grognard.games.surrender.loading import FACTIONS
from grognard.games.surrender.rules.board import SUPPLY, WEATHER, differing, hex_name
from grognard.games.surrender.rules.economy import COUNTRIES
from grognard.games.surrender.state import AWAITED, ON_MAP, Position, world
from grognard.games.surrender.theatre import WEATHER_ZONES
from grognard.games.surrender.world import FAC_LOST, MARKERS
from grognard.kernel.kept import as_before, piece_as_before


def pieces(s: Position) -> list[dict[str, Any]]:
    """Every unit on the map, awaited or lost, with what its counter shows."""
    columns = (s.at, s.fate, s.reduced, s.supply, s.sorties, s.done)
    found: list[dict[str, Any]] = as_before(("surrender", s.scenario), columns, lambda: _pieces(s, zip(*columns)))
    return found


def _pieces(s: Position, rows: Iterable[tuple[int, ...]]) -> list[dict[str, Any]]:
    name = "surrender"
    out = [piece_as_before((name, s.scenario, u), row, partial(_piece, s, u)) for u, row in enumerate(rows)]
    return sorted(out, key=lambda p: str(p["id"]))


def _piece(s: Position, unit: int) -> dict[str, Any]:
    kind = world(s).units[unit]
    piece: dict[str, Any] = {
        "id": kind.id, "known": True, "name": kind.name, "side": FACTIONS[kind.faction], "country": kind.country,
        "kind": kind.type, "elite": kind.elite, "at": hex_name(s, s.at[unit]) if s.at[unit] >= 0 else None,
    }  # fmt: skip
    if s.fate[unit] != ON_MAP:
        piece["fate"] = ("on_map", "awaited", "eliminated", "gone")[s.fate[unit]]
        return piece | ({"arrives": kind.arrives + 1} if s.fate[unit] == AWAITED else {})
    return piece | {"reduced": s.reduced[unit], "supply": SUPPLY[s.supply[unit]], "sorties": s.sorties[unit],
                    "done": s.done[unit]}  # fmt: skip


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
        "towns": {hex_name(s, h): FACTIONS[s.control[h] - 1] for h in w.towns if 0 < s.control[h] < 4},
        "bombed_hexes": [hex_name(s, h) for h in w.factories if s.bombed[h]],
    }  # fmt: skip


def hand_of(s: Position, faction: int) -> dict[str, int]:
    """The markers a faction has left."""
    held = s.markers[faction * len(MARKERS) : (faction + 1) * len(MARKERS)]
    return {kind.id: count for kind, count in zip(MARKERS, held) if count}
