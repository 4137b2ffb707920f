"""Map documents for the tests of board and loader."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from grognard.hexes import Grid, Numbering


def make_small_map() -> dict[str, Any]:
    """A little of everything on three rows of four, pointy tops, numbered as in Normandy."""
    return {
        "format": 1,
        "name": "small",
        "title": {"en": "Small map", "fr": "Petite carte"},
        "grid": {
            "orientation": "pointy",
            "rows": 3,
            "cols": 4,
            "km": 6.49,
            "numbering": {
                "order": "row-col",
                "digits": [2, 2],
                "first": [1, 1],
                "rows_grow": "south",
                "cols_grow": "west",
            },
            "shifted": "odd",
            "shift": "west",
        },
        "terrain": {
            "clear": {"en": "Clear", "fr": "Terrain libre", "tint": "buff"},
            "bocage": {"en": "Bocage", "fr": "Bocage"},
        },
        "hexes": {
            "0102": {"terrain": "clear", "kind": "sea"},
            "0101": {"terrain": "clear", "kind": "coast", "tags": ["port", "beach"], "country": "FRA"},
            "0201": {"terrain": "bocage", "src": {"terrain": "proposed"}},
            "0202": {"terrain": "clear", "tags": ["port"]},
            "0203": {"terrain": "bocage"},
            "0301": {"terrain": "clear"},
        },
        "sides": {"0201|0202": {"river": ["Douve", 1], "water": False}, "0202|0203": {"river": ["Douve", 2]}},
        "links": {"0101|0201": {"rail": 1, "road": 2}, "0201|0202": {"rail": 2}, "0201|usa": {"sea": 1}},
        "places": {
            "cherbourg": {"name": {"en": "Cherbourg", "fr": "Cherbourg"}, "hexes": ["0202", "0201"], "port": "major"},
            "octeville": {"name": {"en": "Octeville", "fr": "Octeville"}, "hexes": ["0201"]},
        },
        "areas": {
            "usa": {"name": {"en": "United States", "fr": "États-Unis"}, "kind": "box", "links": ["england", "0102"]},
            "england": {"name": {"en": "England", "fr": "Angleterre"}, "kind": "box", "links": ["usa"]},
            "cotentin": {"name": {"en": "Cotentin", "fr": "Cotentin"}, "hexes": ["0201", "0301"]},
        },
        "labels": [{"text": {"en": "CHANNEL", "fr": "MANCHE"}, "at": [1.5, 2], "rot": 0, "style": "sea"}],
        "art": {"coast": [[[0, 1.5]]]},
        "provenance": {"terrain": "proposed"},
        "credits": [{"name": "Natural Earth", "licence": "public domain"}],
    }


def make_large_map() -> dict[str, Any]:
    """As large as Western Europe: 1,640 hexes with sides, links and places in proportion."""
    grid = Grid(Numbering("flat", 40, 41, "col-row", shift="south"))
    terrains = ["clear", "forest", "hills", "mountain"]
    kinds = ["land", "coast", "sea"]
    document = make_small_map() | {
        "grid": {
            "orientation": "flat",
            "rows": 40,
            "cols": 41,
            "km": 70,
            "numbering": {
                "order": "col-row",
                "digits": [2, 2],
                "first": [1, 1],
                "rows_grow": "south",
                "cols_grow": "east",
            },
            "shifted": "even",
            "shift": "south",
        },
        "terrain": {name: {"en": name, "fr": name} for name in terrains},
        "hexes": {
            name: {"terrain": terrains[i % 4], "kind": kinds[i % 3], "country": "FRA", "src": {"terrain": "relief"}}
            for i, name in enumerate(grid.names)
        },
        "sides": {grid.side_name(side): {"river": ["Rhine", 1]} for side in range(0, len(grid.sides), 6)},
        "links": {grid.side_name(side): {"rail": 1, "road": 2} for side in range(0, len(grid.sides), 5)},
        "places": {
            f"town{i}": {"name": {"en": f"Town {i}", "fr": f"Ville {i}"}, "hexes": [grid.names[4 * i]]}
            for i in range(350)
        },
    }
    del document["areas"]
    return document


@pytest.fixture(scope="session")
def small_map() -> Callable[[], dict[str, Any]]:
    """Makes a fresh small document."""
    return make_small_map


@pytest.fixture(scope="session")
def large_map() -> Callable[[], dict[str, Any]]:
    """Makes a fresh large document."""
    return make_large_map
