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


PAIRS = (
    "near",
    "distance",
    "apart",
    "rail",
    "no_rail",
    "water_between",
    "by_sea",
    "facing",
    "not_facing",
    "no_way",
    "strait",
)
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


def numbered(b: Board, kind: str, row: list[Any]) -> None:
    """Facts of hexes and sides by their printed numbers: key, what, value (false or "" where there must be none)."""
    cells = [b.grid.hex_named(number) for number in row[0].split("|")]
    facts = b.side(*cells) if len(cells) == 2 else b.data_of(cells[0])
    found = b.link(*cells).get(row[1], False) if kind == "link" else facts.get(row[1], type(row[2])())
    assert (found[0] if row[1] == "river" and found else found) == row[2]


@pytest.mark.parametrize(("name", "kind", "row"), ROWS)
def test_fact(name: str, kind: str, row: list[Any]) -> None:
    b = board(name)
    if kind in ("side", "of_hex", "link"):
        numbered(b, kind, row)
        return
    here = at(b, row[1] if kind in ("river_between", "banks") else row[0])
    there = at(b, row[2]) if kind in ("river_between", "banks") else None
    other = at(b, row[1]) if kind in PAIRS else None
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
        case "class":
            assert b.place(row[0]).data["class"] == row[1]
        case "value":
            assert b.place(row[0]).data.get(row[1], False) == row[2]
        case "factory":
            found = [f for f in b.place(row[0]).data["factories"] if (f["colour"], f["from"]) == (row[1], row[3])]
            assert [f["n"] for f in found] == [row[2]]
        case "facing":
            assert b.link(here, other).get("front_beach")
        case "not_facing":
            assert not b.link(here, other).get("front_beach")
        case "by_sea":
            assert by_sea(b, here, other) <= row[2]
        case "no_rail":
            assert steps(b, here, other, 3, by="rail") is None
        case "water_between":
            assert b.side(here, other).get("water") is True
        case "no_way":
            assert steps(b, here, other, row[2] if len(row) > 2 else 999) is None
        case "strait":
            assert b.side(here, other).get("strait") == row[2]
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


def pockets(b: Board, country: str) -> list[set[int]]:
    """Pieces of a country in which armour can move: no mountains, no water, red arrows crossed; largest first."""
    open_ = {
        hex for hex in range(len(b.grid))
        if b.data_of(hex).get("country") == country and b.terrain_of(hex) != "mountain" and b.kind_of(hex) != "sea"
    }  # fmt: skip
    found = []
    while open_:
        piece, front = set(), [min(open_)]
        while front:
            here = front.pop()
            if here in piece:
                continue
            piece.add(here)
            for other in set(b.grid.neighbours[here]) & open_:
                if not b.side(here, other).get("water") or b.link(here, other).get("arrow"):
                    front.append(other)
        found.append(piece)
        open_ -= piece
    return sorted(found, key=len, reverse=True)


def test_armour_is_locked_into_no_pocket_of_italy() -> None:
    """14.0: armour never enters a mountain. From the Po to Sicily one piece, Sardinia another."""
    b = board("western_europe")
    italian = [hex for hex in range(len(b.grid)) if b.data_of(hex).get("country") == "ITA"]
    assert sum(b.terrain_of(hex) == "mountain" for hex in italian) <= 29
    first, second, *rest = pockets(b, "ITA")
    places = ("milano", "genova", "bologna", "firenze", "roma", "anzio", "napoli", "salerno", "foggia", "taranto",
              "reggio", "messina", "palermo", "siracusa", "ancona")  # fmt: skip
    assert [place for place in places if at(b, place) not in first] == []
    assert at(b, "cagliari") in second
    assert sum(map(len, rest)) <= 3


def test_omaha_is_out_of_reach_of_an_hq_in_paris() -> None:
    """24.6: four points reach Gold, Juno and Sword; not Omaha, once the enemy is ashore on the beaches between."""
    b = board("western_europe")
    cost = {"clear": 1, "forest": 2, "hills": 2, "mountain": 3, "swamp": 3}
    far, todo = {at(b, "paris"): 0}, [at(b, "paris")]
    while todo:
        here = todo.pop()
        for other in b.grid.neighbours[here] if here != at(b, "gold-juno-sword") else ():
            if b.kind_of(other) == "sea" or b.side(here, other).get("water"):
                continue
            spent = far[here] + cost[b.terrain_of(other)]
            if spent <= 6 and spent < far.get(other, 99):
                far[other] = spent
                todo.append(other)
    assert far[at(b, "gold-juno-sword")] <= 4
    assert far.get(at(b, "omaha-utah"), 99) > 4


def test_few_towns_stand_on_a_wrong_bank() -> None:
    """What no grid can give: counted, so that the white lists do not grow in silence."""
    most = {"western-europe": 6, "europe": 2, "normandy": 3}
    for name, limit in most.items():
        told = tomllib.loads((ROOT / "maps" / name / "allow.toml").read_text(encoding="utf-8"))["allow"]
        assert sum(entry["audit"] == "bank" for entry in told) <= limit, name


def test_counts_of_the_rules_in_western_europe() -> None:
    """How many there are of each, as the rules say (bitw-facts 6.3, 6.4, 6.6, 6.7)."""
    b = board("western_europe")
    assert len(b.hexes_with("maginot")) == 5
    assert len(b.hexes_with("siegfried")) == 9
    assert len(b.hexes_with("kiel-canal")) == 8
    assert len(b.hexes_with("eben-emael")) == 1
    stations = [name for hex in range(len(b.grid)) for name in b.data_of(hex).get("radar", [])]
    assert len(stations) == 6
    letters = [b.data_of(hex).get("letter") for hex in range(len(b.grid))]
    assert {letter: letters.count(letter) for letter in "ABKLT"} == dict.fromkeys("ABKLT", 2)
    british = [place for place in b.places.values() if b.data_of(place.hexes[0]).get("country") == "GBR"]
    made = [factory for place in british for factory in place.data.get("factories", [])]
    assert sum(factory["n"] for factory in made if factory["colour"] == "blue") == 11
    assert sum(bool(place.data.get("victory")) for place in b.places.values()) == 6


def test_orange_sides_of_the_maginot_line_face_germany() -> None:
    b = board("western_europe")
    line = set(b.hexes_with("maginot"))
    for a, c in ((a, c) for (a, c), facts in b.side_facts.items() if facts.get("fort") == "maginot"):
        owners = {b.data_of(hex)["country"] for hex in (a, c)}
        assert owners == {"FRA", "GER"}
        assert len(line & {a, c}) == 1


STRAITS = {
    "western_europe": [
        "0546|0645", "0645|0646", "1216|1316", "3116|3215", "3215|3216", "3216|3316", "3216|3317", "2916|3016",
        "2917|3016", "3514|3614", "3515|3614", "1321|1322",
    ],
    "europe": [
        "0661|0761", "0761|0762", "1927|2026", "4229|4230", "4230|4330", "3932|4031", "4031|4131", "7647|7648",
        "5462|5463",
    ],
}  # fmt: skip


@pytest.mark.parametrize(("name", "key"), [(name, key) for name, keys in STRAITS.items() for key in keys])
def test_narrow_straits_are_water_and_carry_no_rail(name: str, key: str) -> None:
    """Gibraltar, North Channel, Øresund, Great Belt, Öland, Bristol Channel, Kerch, Rion."""
    b = board(name)
    one, other = (b.grid.names.index(number) for number in key.split("|"))
    assert b.side(one, other).get("water") is True
    assert not b.link(one, other).get("rail")


def test_every_port_of_western_europe_lies_on_a_sea() -> None:
    b = board("western_europe")
    assert [key for key, place in b.places.items() if place.data.get("port") and not place.data.get("sea")] == []


def test_beaches_lie_on_the_coast() -> None:
    b = board("western_europe")
    assert [b.name_of(hex) for hex in b.hexes_with("beach") if b.kind_of(hex) != "coast"] == []


def test_both_maps_have_frontiers_where_the_country_changes() -> None:
    for name in MAPS:
        b = board(name)
        for side, (one, other) in enumerate(b.grid.sides):
            a, c = (b.data_of(hex).get("country") for hex in (one, other))
            assert bool(b.side_data[side].get("frontier")) is bool(a and c and a != c), (name, b.name_of(one))


def test_dover_and_calais_touch_the_channel_and_the_north_sea() -> None:
    b = board("europe")
    assert [b.data_of(at(b, place))["zones"] for place in ("dover", "calais")] == [[8, 11], [8, 11]]


def test_a_river_is_never_impassable_in_europe() -> None:
    """7.2: one kind a side, and a river comes before impassable."""
    assert [facts for facts in board("europe").side_data if facts.get("river") and facts.get("impassable")] == []


def test_no_main_railway_crosses_a_mountain_side_of_europe() -> None:
    """7.2: mountain sides are crests; trains take the passes."""
    b = board("europe")
    crests = [side for side, facts in enumerate(b.side_data) if facts.get("mountain")]
    assert 150 <= len(crests) <= 260
    crossed = [b.name_of(b.grid.sides[side][0]) for side in crests if b.link(*b.grid.sides[side]).get("rail") == 1]
    assert crossed == []


@pytest.mark.parametrize(
    ("here", "there"),
    [("turin", "grenoble"), ("innsbruck", "verona"), ("ordzhonikidze", "tiflis"), ("zaragoza", "toulouse"),
     ("brasov", "ploesti")],
)  # fmt: skip
def test_a_range_lies_between_and_a_pass_leads_over(here: str, there: str) -> None:
    b = board("europe")
    start, goal = at(b, here), at(b, there)
    limit = b.grid.distance(start, goal)
    between = {
        hex for hex in range(len(b.grid))
        if b.grid.distance(start, hex) + b.grid.distance(hex, goal) <= limit + 2 and b.kind_of(hex) != "sea"
    }  # fmt: skip
    sides = [b.side(hex, other) for hex in between for other in set(b.grid.neighbours[hex]) & between]
    assert any(facts.get("mountain") for facts in sides)
    seen, front = {start}, [start]
    while front:
        hex = front.pop()
        for other in (set(b.grid.neighbours[hex]) & between) - seen:
            if not b.side(hex, other).get("mountain") and not b.side(hex, other).get("water"):
                seen.add(other)
                front.append(other)
    assert goal in seen


def test_the_map_of_europe_reaches_from_morocco_to_baku_and_from_the_cape_to_suez() -> None:
    b = board("europe")
    assert 5000 <= len(b.hexes) - sum(1 for facts in b.hexes if not facts) <= 5600
    for zone in range(1, 32):
        assert any(zone in facts.get("zones", ()) for facts in b.hexes), f"zone {zone} has no hex"
    suez = [b.name_of(n) for n in b.grid.neighbours[at(b, "suez")] if b.kind_of(n) == "sea"]
    assert suez == ["7578"]


ENGLISH = {
    "Lisbon", "Copenhagen", "Bern", "Geneva", "Venice", "Ghent", "The Hague", "Padua", "Tangier", "Piraeus",
    "Warsaw", "Moscow", "Vienna", "London", "Dover", "Edinburgh", "Cairo", "Alexandria", "Jerusalem", "Damascus",
    "Aleppo", "Beirut", "Thessaloniki", "Nicosia", "Barcelona", "Sevilla", "Zaragoza", "Palermo", "Taranto", "Antwerp",
    "Brussels", "Yaroslavl", "Shakhty", "Kerch", "Chernigov", "Bryansk", "Algiers", "Dunkirk", "Genoa", "Basel",
    "St. Gallen", "Kursk", "Kaluga", "Dnepropetrovsk", "Murmansk", "Zbarazh", "Bursa",
}  # fmt: skip


def test_the_french_map_speaks_french_and_the_same_french_on_both_maps() -> None:
    told: dict[str, str] = {}
    for name in MAPS:
        for key, place in board(name).places.items():
            assert place.data["name"]["fr"] not in ENGLISH, (name, key)
            assert told.setdefault(key, place.data["name"]["fr"]) == place.data["name"]["fr"], (name, key)
    both = set(board("europe").places) & set(board("western_europe").places)
    assert len(both) > 200


def test_areas_off_the_map_of_western_europe() -> None:
    b = board("western_europe")
    boxes = {key for key, area in b.areas.items() if area.kind == "box"}
    assert {"usa", "canada", "iceland", "azores", "narvik", "rastenburg", "riga", "tallinn", "tripoli"} <= boxes
    assert b.area("usa").data["port"] == "major"


def test_every_hex_and_side_says_where_it_comes_from() -> None:
    """Each fact has a provenance of its own, or the usual one of its kind."""
    for name in MAPS:
        b = board(name)
        usual = b.provenance["default"]
        for section, entries in (("hexes", b.hexes), ("sides", b.side_facts.values()), ("links", b.link_data.values())):
            for facts in entries:
                told = {**usual[section], **facts.get("src", {})}
                unknown = set(facts) - set(told) - {"src", "far"}
                assert not unknown, (name, section, facts)
