"""The Normandy map: facts of the rules and of geography, the strategic boxes, and the compilation that made both."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections import deque
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from grognard.hexes import document_from_json, load_board

HERE = Path(__file__).parent
DATA = HERE.parents[1] / "src/grognard/games/normandie/data"
FACTS: dict[str, list[dict[str, Any]]] = tomllib.loads((HERE / "facts_normandy.toml").read_text("utf-8"))


@cache
def normandy() -> dict[str, Any]:
    found: dict[str, Any] = document_from_json((DATA / "map.json").read_bytes())
    return found


def key(a: str, b: str) -> str:
    return "|".join(sorted((a, b)))


def kind(number: str) -> str:
    return str(normandy()["hexes"][number].get("kind", "land"))


def neighbours(number: str) -> set[str]:
    row, col = int(number[:2]), int(number[2:])
    odd = row % 2
    steps = [(0, -1), (0, 1), (-1, odd - 1), (-1, odd), (1, odd - 1), (1, odd)]
    return {f"{row + i:02d}{col + j:02d}" for i, j in steps}


def label(fact: dict[str, Any]) -> str:
    return "-".join(str(value) for name, value in fact.items() if name != "why")


def facts(section: str) -> Any:
    return pytest.mark.parametrize("fact", FACTS[section], ids=label)


def test_there_are_enough_facts() -> None:
    assert sum(len(section) for section in FACTS.values()) >= 150


@facts("place")
def test_place(fact: dict[str, Any]) -> None:
    place = normandy()["places"][fact["id"]]
    assert place["hexes"] == fact["hexes"]
    assert place["class"] == fact["class"]
    for number in fact["hexes"]:
        assert normandy()["hexes"][number]["town"] == fact["class"]
        assert kind(number) in ("land", "coast")


@facts("hex")
def test_hex(fact: dict[str, Any]) -> None:
    if "kind" in fact:
        assert kind(fact["at"]) == fact["kind"]
    if "terrain" in fact:
        assert normandy()["hexes"][fact["at"]]["terrain"] == fact["terrain"]


@facts("side")
def test_side(fact: dict[str, Any]) -> None:
    side = normandy()["sides"].get(key(*fact["between"]), {})
    if "river" in fact:
        assert (side.get("river") or [""])[0] == fact["river"]
    for name in ("impassable", "water"):
        if name in fact:
            assert side.get(name, False) is fact[name]


@facts("near")
def test_near(fact: dict[str, Any]) -> None:
    board = load_board(DATA / "map.json")
    assert board.grid.hex_named(fact["b"]) in board.grid.neighbours[board.grid.hex_named(fact["a"])]
    assert fact["b"] in neighbours(fact["a"])


@facts("way")
def test_way(fact: dict[str, Any]) -> None:
    places = normandy()["places"]
    steps = distance(fact["net"], set(places[fact["start"]]["hexes"]), set(places[fact["end"]]["hexes"]))
    assert steps is not None, f"no {fact['net']} joins {fact['start']} and {fact['end']}"
    assert steps <= fact["most"]


def distance(net: str, start: set[str], end: set[str]) -> int | None:
    """Links of the net from one set of hexes to another, or None."""
    joined: dict[str, list[str]] = {}
    for pair, link in normandy()["links"].items():
        if link.get(net):
            a, b = pair.split("|")
            joined.setdefault(a, []).append(b)
            joined.setdefault(b, []).append(a)
    far = dict.fromkeys(sorted(start), 0)
    queue = deque(far)
    while queue:
        here = queue.popleft()
        if here in end:
            return far[here]
        for there in joined.get(here, []):
            if there not in far:
                far[there] = far[here] + 1
                queue.append(there)
    return None


@facts("area")
def test_area(fact: dict[str, Any]) -> None:
    area = normandy()["areas"][fact["id"]]
    assert sorted(area["hexes"]) == sorted(fact["hexes"])
    if "reaches" in fact:
        assert area["reaches"] == fact["reaches"]


# ---------------------------------------------------------------- whole-map properties
@pytest.mark.parametrize(("fleet", "ends"), [("coast-wtf", ("0126", "0713")), ("coast-etf", ("0712", "0502"))])
def test_coasts_of_the_task_forces_run_without_a_gap(fleet: str, ends: tuple[str, str]) -> None:
    hexes = normandy()["areas"][fleet]["hexes"]
    assert set(ends) <= set(hexes)
    assert all(kind(number) == "coast" for number in hexes)
    seen, queue = {ends[0]}, [ends[0]]
    while queue:
        here = queue.pop()
        for there in neighbours(here) & set(hexes) - seen:
            seen.add(there)
            queue.append(there)
    assert seen == set(hexes)


def test_every_land_hex_lies_in_one_air_zone() -> None:
    zones = [area for area in normandy()["areas"].values() if area["kind"] == "air-zone"]
    members = [number for zone in zones for number in zone["hexes"]]
    land = [number for number in normandy()["hexes"] if kind(number) in ("land", "coast")]
    assert sorted(members) == sorted(land)
    assert len(zones) == 8


def test_every_town_village_and_entry_hex_is_on_a_road() -> None:
    on_road = {number for pair, link in normandy()["links"].items() if link.get("road") for number in pair.split("|")}
    places = [p for p in normandy()["places"].values() if p["class"] in ("town", "village")]
    wanted = {number for place in places for number in place["hexes"]}
    wanted |= {area["hexes"][0] for area in normandy()["areas"].values() if area["kind"] == "exit"}
    assert wanted - on_road == set()


def test_fifteen_town_hexes_and_seventy_villages() -> None:
    towns = [h for h in normandy()["hexes"].values() if h.get("town") == "town"]
    villages = [h for h in normandy()["hexes"].values() if h.get("town") == "village"]
    assert (len(towns), len(villages)) == (15, 70)


def test_all_land_hangs_together() -> None:
    land = {number for number in normandy()["hexes"] if kind(number) in ("land", "coast")}
    seen, queue = {"1008"}, ["1008"]
    while queue:
        here = queue.pop()
        for there in neighbours(here) & land - seen:
            if not normandy()["sides"].get(key(here, there), {}).get("impassable"):
                seen.add(there)
                queue.append(there)
    assert land - seen == set()


def on_foot(start: str, goal: str) -> int:
    """Least steps over land, roads over closed sides included."""
    land = {number for number in normandy()["hexes"] if kind(number) in ("land", "coast")}
    far, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        for there in (neighbours(here) & land) - set(far):
            closed = normandy()["sides"].get(key(here, there), {}).get("impassable")
            if not closed or normandy()["links"].get(key(here, there), {}).get("road"):
                far[there] = far[here] + 1
                queue.append(there)
    return far[goal]


def test_from_utah_to_omaha_one_walks_round_the_bay_by_carentan() -> None:
    assert on_foot("0617", "0717") == 1
    assert on_foot("0717", "0818") == 1
    assert on_foot("0617", "0616") == 5
    assert on_foot("0617", "0714") >= 6


def test_saint_vaast_is_left_by_three_sides() -> None:
    land = [number for number in neighbours("0318") if kind(number) in ("land", "coast")]
    assert sorted(land) == ["0219", "0319", "0419"]
    assert all(on_foot("0318", number) == 1 for number in land)


def test_every_fact_has_provenance() -> None:
    default = normandy()["provenance"]["default"]
    for table in ("hexes", "sides", "links"):
        for name, facts_ in normandy()[table].items():
            told = {**default[table], **facts_.get("src", {})}
            missing = [k for k in facts_ if k != "src" and k not in told]
            assert not missing, f"{table} {name}: {missing}"
    for table in ("places", "areas"):
        assert all(str(item.get("src", "historical")) for item in normandy()[table].values())


def test_the_board_loads_and_links_join_neighbours() -> None:
    board = load_board(DATA / "map.json")
    assert len(board.grid) == 21 * 26
    for pair in normandy()["links"]:
        a, b = pair.split("|")
        assert b in neighbours(a)


# ---------------------------------------------------------------- strategic boxes
def test_boxes_load_and_lines_are_mutual() -> None:
    boxes = document_from_json((DATA / "boxes.json").read_bytes())
    load_board(DATA / "boxes.json")
    assert len(boxes["areas"]) == 11
    assert len(boxes["links"]) == 17
    for name, box in boxes["areas"].items():
        assert all(name in boxes["areas"][other]["links"] for other in box["links"])


def test_entry_letters_of_boxes_and_map_agree() -> None:
    boxes = json.loads((DATA / "boxes.json").read_text("utf-8"))["areas"]
    by_letter = {letter: name for name, box in boxes.items() for letter in box.get("entries", [])}
    exits = [area for area in normandy()["areas"].values() if area["kind"] == "exit"]
    assert {area["letter"]: area["box"] for area in exits} == by_letter
    assert "".join(sorted(by_letter)) == "abcdefghijkl"


# ---------------------------------------------------------------- compilation
GOLDEN = {
    "map.json": "ff7b64bbc56cbb07265d6982cb00cde8a3fc7c45508733e69e39f177a910df39",
    "boxes.json": "65bc9258a079b93bf52609728da768c78acbbe7dfdca8d81682eed865c0883e5",
}
"""A change of a map that is meant puts its new digest here and says why in its commit."""


@pytest.mark.parametrize("name", sorted(GOLDEN))
def test_committed_file_has_its_golden_digest(name: str) -> None:
    assert hashlib.sha256((DATA / name).read_bytes()).hexdigest() == GOLDEN[name]


def test_recompiling_gives_the_same_bytes() -> None:
    pytest.importorskip("shapely")
    from maps.compiler.build import compile_map, map_bytes

    compiled, _ = compile_map("normandy")
    assert map_bytes(compiled) == (DATA / "map.json").read_bytes()


def test_rebuilding_the_boxes_gives_the_same_bytes(tmp_path: Path) -> None:
    pytest.importorskip("shapely")
    from maps.normandy_boxes.build import build

    assert build(tmp_path / "boxes.json") == (DATA / "boxes.json").read_bytes()


def test_a_line_that_only_one_box_knows_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("shapely")
    from maps.compiler.errors import MapError
    from maps.normandy_boxes.build import FOLDER, read_boxes

    text = (FOLDER / "boxes.toml").read_text("utf-8").replace('lines = ["rennes"]', "lines = []", 1)
    path = tmp_path / "boxes.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(MapError, match=r"rennes: brest does not list it back"):
        read_boxes(path)
