"""A hex is called the same on the drawn map and in the sentences of its game."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

pytest.importorskip("shapely")

from maps.draw.sheet import Sheet
from tests.conftest import ROOT

from grognard.games.bitw.theatre import western_europe
from grognard.games.surrender import scenarios


def drawn(game: str) -> dict[str, str]:
    """For each hex the place after which the map calls it."""
    data = json.loads((ROOT / "src/grognard/games" / game / "data/map.json").read_text("utf-8"))
    sheet = SimpleNamespace(data=data, numbers=list(data["hexes"]), hex=lambda number: data["hexes"][number])
    found: dict[str, str] = Sheet.place_at.func(sheet)  # type: ignore[attr-defined]
    return found


def test_surrender_calls_a_hex_as_its_map_does() -> None:
    theatre = scenarios.world_named("two-fronts").theatre
    names = drawn("surrender")
    called = {theatre.grid.names[hex]: place.key for hex, place in theatre.called.items()}
    both = names.keys() & called.keys()
    assert len(both) > 400
    assert {number: (names[number], called[number]) for number in both if names[number] != called[number]} == {}
    assert (called["3437"], called["3634"], called["2336"]) == ("essen", "wilhelmshaven", "southampton")


def test_bitw_calls_a_hex_as_its_map_does() -> None:
    theatre = western_europe()
    names = drawn("bitw")
    told = {}
    for number, key in names.items():
        said = theatre.place_name(theatre.names.index(number))
        if said != theatre.board.places[key].name.in_language("en"):
            told[number] = (key, said)
    assert told == {}
    assert theatre.place_name(theatre.find("omaha-utah")) == "Omaha/Utah"
