"""The tables of facts: what the compiled maps must state, row by row."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from grognard.hexes import Board, load_board

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
MAPS = {
    "western_europe": ROOT / "src/grognard/games/bitw/data/map.json",
    "europe": ROOT / "src/grognard/games/surrender/data/map.json",
}


@cache
def board(name: str) -> Board:
    return load_board(MAPS[name])


def rows() -> list[Any]:
    found = []
    for name in MAPS:
        told = tomllib.loads((HERE / f"facts_{name}.toml").read_text(encoding="utf-8"))
        for kind, facts in told.items():
            for fact in facts:
                row = fact if isinstance(fact, list) else [fact]
                found.append(pytest.param(name, kind, row, id=f"{name}-{kind}-{'-'.join(map(str, row))}"))
    return found


ROWS = rows()


def at(b: Board, place: str) -> int:
    return b.place(place).hexes[0]


def steps(b: Board, start: int, goal: int, limit: int, avoid: str | None = None, by: str | None = None) -> int | None:
    """Least steps over dry sides (or along links `by`), never over a side that carries the river `avoid`."""
    far, front = {start: 0}, [start]
    while front:
        after = []
        for cell in front:
            near = b.links_of(cell, by) if by else b.grid.neighbours[cell]
            for other in near:
                if other in far or other >= len(b.grid) or b.kind_of(other) not in ("land", "coast"):
                    continue
                side = b.side(cell, other) if other in b.grid.neighbours[cell] else {}
                if not by and (side.get("water") or (avoid and side.get("river", [""])[0] == avoid)):
                    continue
                far[other] = far[cell] + 1
                after.append(other)
        front = [cell for cell in after if far[cell] < limit]
    return far.get(goal)


def by_sea(b: Board, start: int, goal: int) -> int:
    """Least steps from coast to coast over sea hexes and coasts that belong to a maritime zone."""
    far, front = {start: 0}, [start]
    for cell in front:
        for other in b.grid.neighbours[cell]:
            wet = b.kind_of(other) == "sea" or b.data_of(other).get("zones")
            if other not in far and (wet or other == goal):
                far[other] = far[cell] + 1
                front.append(other)
    return far.get(goal, 9999)


def test_every_map_has_at_least_150_facts() -> None:
    for name in MAPS:
        assert sum(1 for row in ROWS if row.values[0] == name) >= 150, name


@pytest.mark.parametrize(("name", "kind", "row"), ROWS)
def test_fact(name: str, kind: str, row: list[Any]) -> None:
    b = board(name)
    here = at(b, row[1] if kind in ("river_between", "banks") else row[0])
    there = at(b, row[2]) if kind in ("river_between", "banks") else None
    other = (
        at(b, row[1]) if kind in ("near", "distance", "apart", "rail", "no_rail", "water_between", "by_sea") else None
    )
    data = b.data_of(here)
    match kind:
        case "hex":
            assert b.name_of(here) == row[1]
        case "country":
            assert data["country"] == row[1]
        case "coast":
            assert b.kind_of(here) == "coast"
        case "inland":
            assert b.kind_of(here) == "land"
        case "near":
            assert b.grid.distance(here, other) == 1
        case "distance":
            assert row[2] <= b.grid.distance(here, other) <= row[3]
        case "apart":
            assert here != other
        case "river_between":
            assert b.side(here, there).get("river", [""])[0] == row[0]
        case "banks":
            limit = b.grid.distance(here, there) + 2
            assert steps(b, here, there, limit) is not None
            assert steps(b, here, there, limit, avoid=row[0]) is None
        case "rail":
            length = steps(b, here, other, 60, by="rail")
            assert length is not None
            assert length <= row[2]
        case "by_sea":
            assert by_sea(b, here, other) <= row[2]
        case "no_rail":
            assert steps(b, here, other, 3, by="rail") is None
        case "water_between":
            assert b.side(here, other).get("water") is True
        case "terrain":
            assert b.terrain_of(here) == row[1]
        case "cover":
            assert data.get("cover", "") == row[1]
            assert b.terrain_of(here) == ("difficult" if row[1] else "clear")
        case "port":
            facts = b.place(row[0]).data
            assert (facts["port"], facts["sea"]) == (row[1], row[2])
        case "zone":
            assert b.place(row[0]).data.get("zone", 0) == row[1]
            assert row[1] == 0 or row[1] in data["zones"]
        case "weather":
            assert data.get("weather", "west") == row[1]
        case "tag":
            assert row[1] in data["tags"]
        case "closed":
            assert ("closed" in data) is row[1]
        case _:
            raise AssertionError(f"unknown kind of fact: {kind}")
