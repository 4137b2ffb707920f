"""Bad input is refused with file, line and reason; each audit can fail."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.maps.conftest import SOURCES, Tiny, collection, square

pytest.importorskip("shapely")
Refused = Callable[[], str]


def line_of(tiny: Tiny, word: str, file: str = "map.toml") -> int:
    lines = (tiny.folder / file).read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if word in line)


def number_of(tiny: Tiny, place: str) -> str:
    return str(tiny.compile().places[place]["hexes"][0])


# ------------------------------------------------------------------ files


def test_unknown_key_in_map_toml(tiny: Tiny, refused: Refused) -> None:
    tiny.edit("km = 50.0", "km = 50.0\nkilometres = 3")
    assert refused().startswith(f"maps/tiny/map.toml:{line_of(tiny, 'kilometres')}: ")


def test_wrong_type_in_map_toml(tiny: Tiny, refused: Refused) -> None:
    tiny.edit("rows = 9", 'rows = "nine"')
    message = refused()
    assert message.startswith(f"maps/tiny/map.toml:{line_of(tiny, 'rows =')}: ")
    assert "Expected `int`" in message


def test_missing_key_in_map_toml(tiny: Tiny, refused: Refused) -> None:
    tiny.edit("cols = 10\n", "")
    assert "missing required field `cols`" in refused()


def test_toml_that_does_not_parse_names_its_line(tiny: Tiny, refused: Refused) -> None:
    tiny.edit("rows = 9", "rows 9")
    assert refused().startswith(f"maps/tiny/map.toml:{line_of(tiny, 'rows 9')}: ")


def test_a_flat_grid_cannot_shift_west(tiny: Tiny, refused: Refused) -> None:
    tiny.edit('shift = "south"', 'shift = "west"')
    assert "a flat-top grid shifts north or south" in refused()


def test_missing_source_names_the_line_that_wants_it(tiny: Tiny, refused: Refused) -> None:
    (tiny.sources / "rail.geojson").unlink()
    message = refused()
    assert message.startswith(f"maps/tiny/map.toml:{line_of(tiny, 'rail.geojson')}: source rail.geojson is missing")


def test_source_that_is_no_geojson(tiny: Tiny, refused: Refused) -> None:
    tiny.source("land.geojson", {"type": "Nothing"})
    assert "land.geojson: not a GeoJSON FeatureCollection" in refused()


def test_river_that_no_source_has(tiny: Tiny, refused: Refused) -> None:
    tiny.edit('major = ["Stream"]', 'major = ["Stream", "Styx"]')
    assert "no source line is named Styx" in refused()


def test_town_on_both_banks(tiny: Tiny, refused: Refused) -> None:
    tiny.source("banks.json", {"rivers": {"Stream": {"left": ["Mid"], "right": ["Mid"]}}})
    assert "Mid is on both banks of the Stream" in refused()


def test_grid_over_the_open_sea(tiny: Tiny, refused: Refused) -> None:
    tiny.edit("lon = 10.0", "lon = -40.0")
    assert "no land in the window of the grid" in refused()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('[[hex]]\nat = "0505"\nset = { terrain = }\nwhy = "x"\n', 3),
        ('[[hex]]\nat = "0505\nwhy = "x"\n', 2),
        ('# nothing\n\n[[side]]\nbetween = ["0505", "0506"\n\n\n', 4),
        ('[[hex]\nat = "0505"\n', 1),
        ('[[hex]]\nat = "0505"\nwhy = """never closed\n', 3),
    ],
)
def test_broken_toml_names_its_line(tiny: Tiny, refused: Refused, text: str, line: int) -> None:
    tiny.write("overrides.toml", text)
    assert f"maps/tiny/overrides.toml:{line}: " in refused()


def test_broken_files_of_the_drawing_name_their_line(tmp_path: Path) -> None:
    pytest.importorskip("shapely")
    from maps.compiler.errors import MapError
    from maps.compiler.tomlfile import read_table

    path = tmp_path / "style.toml"
    path.write_text('[colour]\nsea = "#123456"\nland =\n', encoding="utf-8")
    with pytest.raises(MapError, match=r"style\.toml:3: "):
        read_table(path)


def test_unknown_map_lists_the_known_ones() -> None:
    from maps.compiler.config import map_folder
    from maps.compiler.errors import MapError

    with pytest.raises(MapError, match="western-europe"):
        map_folder("atlantis")


# ------------------------------------------------------------------ overrides, features, gazetteer


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('[[hex]]\nat = "9901"\nset = { terrain = "clear" }\nwhy = "x"\n', "overrides.toml:1: hex 9901 is off"),
        ('\n[[hex]]\nat = "0505"\nset = { terrain = "lava" }\nwhy = "x"\n', "overrides.toml:2: unknown terrain 'lava'"),
        ('[[hex]]\nat = "0505"\nset = { kind = "air" }\nwhy = "x"\n', "overrides.toml:1: unknown kind 'air'"),
        ('[[hex]]\nat = "0505"\nset = { terrain = "clear" }\n', "missing required field `why`"),
        ('[[hex]]\nat = "0505"\nput = 3\nwhy = "x"\n', "overrides.toml:3: Object contains unknown field `put`"),
        ('[[side]]\nbetween = ["0505", "0909"]\nset = { water = true }\nwhy = "x"\n', "and 0909 are not neighbours"),
        ('[[side]]\nbetween = ["0502", "0503"]\ndrop = ["river"]\nwhy = "x"\n', "has no 'river' to drop"),
        ('[[place]]\nid = "nowhere"\nwhy = "x"\n', "overrides.toml:1: no place 'nowhere' on this map"),
        (
            '[[hex]]\nat = "0505"\nset = { terain = "clear" }\nwhy = "x"\n',
            "overrides.toml:1: unknown fact 'terain' of a hex",
        ),
        (
            '[[hex]]\nat = "0505"\nset = { tags = 5 }\nwhy = "x"\n',
            "overrides.toml:1: fact 'tags' of a hex: Expected `array`",
        ),
        ('[[hex]]\nat = "0505"\nset = { vineyard = true }\nwhy = "x"\n', "map.toml, [extra.facts.hex]"),
        ('[[side]]\nbetween = ["0505", "0506"]\nset = { river = "Orne" }\nwhy = "x"\n', "fact 'river' of a side"),
        ('[[side]]\nbetween = ["0505", "0506"]\nset = { river = false }\nwhy = "x"\n', "fact 'river' of a side"),
        ('[[link]]\nbetween = ["0505", "0506"]\nset = { road = "big" }\nwhy = "x"\n', "fact 'road' of a link"),
        (
            '[[place]]\nid = "mid"\nset = { hexes = ["9999"] }\nwhy = "x"\n',
            "overrides.toml:1: hex 9999 is off the grid",
        ),
        (
            '[[place]]\nid = "mid"\nset = { prot = "minor" }\nwhy = "x"\n',
            "unknown fact 'prot' of a place (did you mean 'port'",
        ),
        (
            '[[hex]]\nat = "0505"\nset = { region = "a" }\nwhy = "x"\n' * 2,
            "overrides.toml:5: hex 0505: 'region' is said already",
        ),
        ('[[hex]]\nat = "0505"\nset = { place = "east" }\nwhy = "x"\n', "[place] 0505: it names 'east', which lies in"),
    ],
)
def test_bad_override(tiny: Tiny, refused: Refused, text: str, reason: str) -> None:
    tiny.write("overrides.toml", text)
    assert reason in refused()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('[[hex]]\nat = ["atlantis"]\nset = { a = 1 }\nsrc = "proposed"\n', "features.toml:1: no place 'atlantis'"),
        ('[[hex]]\nat = [[10.0, 10.0]]\nset = { a = 1 }\nsrc = "proposed"\n', "features.toml:1: point 10.0"),
        ('[[side]]\nbetween = ["mid", "east"]\nset = { a = 1 }\nsrc = "proposed"\n', "are not neighbours"),
        ('[[link]]\nbetween = ["mid", "mid"]\nset = { a = 1 }\nsrc = "proposed"\n', "both ends of the link are"),
        ('[[border]]\ntag = "wall"\nagainst = "EAS"\nset = { a = 1 }\nsrc = "proposed"\n', "no side between 'wall'"),
        ('[[hex]]\nat = ["mid"]\nset = { a = 1 }\n', "missing required field `src`"),
        ('[[hex]]\nat = ["mid"]\nset = { tagz = ["x"] }\nsrc = "proposed"\n', "features.toml:1: unknown fact 'tagz'"),
        ('[[link]]\nbetween = ["mid", "east"]\nset = { rail = true }\nsrc = "proposed"\n', "fact 'rail' of a link"),
        ('[[join]]\nbetween = ["0504", "0505"]\nwhy = "x"\n', "features.toml:1: 0504|0505 needs no join"),
        ('[[join]]\nbetween = ["mid", "east"]\nwhy = "x"\n', "are not neighbours"),
    ],
)
def test_bad_feature(tiny: Tiny, refused: Refused, text: str, reason: str) -> None:
    tiny.write("features.toml", text)
    assert reason in refused()


PLACE = '[[place]]\nid = "{id}"\nen = "{id}"\nlat = {lat}\nlon = {lon}\nclass = "major"\n{more}\n'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (PLACE.format(id="a", lat=50.6, lon=10.0, more="") * 2, "gazetteer.toml:8: place 'a' is listed twice"),
        (PLACE.format(id="a", lat=50.6, lon=10.0, more='hex = "0505"'), "is pinned to 0505 without a reason"),
        (PLACE.format(id="a", lat=10.0, lon=10.0, more=""), "lies off the grid"),
        (PLACE.format(id="a", lat=50.6, lon=10.0, more="colour = 3"), "unknown field `colour`"),
    ],
)
def test_bad_gazetteer(tiny: Tiny, refused: Refused, text: str, reason: str) -> None:
    tiny.write("gazetteer.toml", text)
    assert reason in refused()


# ------------------------------------------------------------------ audits


def test_audit_bank_and_its_white_list(tiny: Tiny, refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    towns = SOURCES["towns.geojson"]["features"]
    tiny.source(
        "towns.geojson",
        collection(
            *[(f["properties"], "Point", f["geometry"]["coordinates"]) for f in towns],
            ({"name": "Up", "cls": "major", "pop1939_k": 60}, "Point", [10.6, 50.2]),
            ({"name": "Down", "cls": "major", "pop1939_k": 60}, "Point", [10.6, 49.7]),
        ),
    )
    tiny.source("banks.json", {"rivers": {"Stream": {"left": ["Up"], "right": ["Down"]}}})
    monkeypatch.setattr("maps.compiler.snap.SURE", 0.0)  # a river that does not care about banks
    message = refused()
    assert "[bank] " in message
    keys = [line.split("[bank] ")[1].split(": ")[0] for line in message.splitlines() if "[bank]" in line]
    allow = "".join(f'[[allow]]\naudit = "bank"\nkey = "{key}"\nwhy = "a test"\n' for key in keys)
    tiny.write("allow.toml", allow)
    assert tiny.compile().report["audit"]["accepted"] == sorted(f"bank: {key}" for key in keys)


def test_stale_entry_of_the_white_list(tiny: Tiny, refused: Refused) -> None:
    tiny.write("allow.toml", '[[allow]]\naudit = "bank"\nkey = "Mid/Stream"\nwhy = "once"\n')
    assert "allow.toml:1: bank 'Mid/Stream' is accepted here but no audit finds it any more" in refused()


def test_audit_port_without_sea(tiny: Tiny, refused: Refused) -> None:
    towns = SOURCES["towns.geojson"]["features"]
    moved = [(f["properties"] | ({"port": "major"} if f["properties"]["name"] == "East" else {}), "Point",
              f["geometry"]["coordinates"]) for f in towns]  # fmt: skip
    tiny.source("towns.geojson", collection(*moved))
    assert "[port] east: port without sea in " in refused()


def test_audit_port_of_the_gazetteer_without_sea(tiny: Tiny, refused: Refused) -> None:
    tiny.write("gazetteer.toml", PLACE.format(id="dry", lat=50.5, lon=12.0, more='facts = { port = "minor" }'))
    assert "[port] dry: port without sea in " in refused()


def test_audit_bank_of_a_place_that_an_override_moves(tiny: Tiny, refused: Refused) -> None:
    tiny.write("gazetteer.toml", PLACE.format(id="up", lat=50.2, lon=10.6, more=""))
    m = tiny.compile()
    (path,) = m.rivers["Stream"]
    banks = [m.mesh.left_right(a, b) for a, b in pairwise(path)]
    south = m.grid.id(next(left for left, _ in banks if all(left != right for _, right in banks)))
    tiny.write("overrides.toml", f'[[place]]\nid = "up"\nset = {{ hexes = ["{south}"] }}\nwhy = "oops"\n')
    message = refused()
    assert f"[bank] up/Stream: hex {south} is not on the right bank" in message
    assert "it names 'up', which lies in" in message


def split_land(tiny: Tiny) -> str:
    """Cut the land by a strait much narrower than a hex; the number of a pair of hexes on its two shores."""
    west, east = square(8.6, 47.5, 10.98, 51.4), square(11.02, 47.5, 14.0, 51.4)
    tiny.source("land.geojson", collection(({}, "Polygon", west), ({}, "Polygon", east)))
    closed = tiny.compile().report["landmass"]["closed"]
    assert closed
    return str(closed[0])


def test_a_strait_narrower_than_a_side_is_water(tiny: Tiny) -> None:
    pair = split_land(tiny)
    m = tiny.compile()
    one, other = (m.grid.cell(number) for number in pair.split("|"))
    assert m.wet_side(one, other)
    assert m.side_src[m.pair(one, other)]["water"] == "landmass"
    seen, front = {m.grid.cell(m.places["mid"]["hexes"][0])}, [m.grid.cell(m.places["mid"]["hexes"][0])]
    while front:
        cell = front.pop()
        for near in m.near(cell):
            if near not in seen and m.dry(near) and not m.wet_side(cell, near):
                seen.add(near)
                front.append(near)
    assert m.grid.cell(m.places["east"]["hexes"][0]) not in seen


def test_a_bridge_joins_two_landmasses(tiny: Tiny) -> None:
    pair = split_land(tiny)
    one, other = pair.split("|")
    tiny.write("features.toml", f'[[join]]\nbetween = ["{one}", "{other}"]\nwhy = "a bridge"\n')
    m = tiny.compile()
    assert not m.wet_side(m.grid.cell(one), m.grid.cell(other))


def test_audit_landmasses_joined_by_a_side_that_nothing_declares(tiny: Tiny, refused: Refused) -> None:
    pair = split_land(tiny)
    one, other = pair.split("|")
    entry = f'[[side]]\nbetween = ["{one}", "{other}"]\ndrop = ["water"]\nwhy = "low tide"\n'
    tiny.write("overrides.toml", entry)
    message = refused()
    assert f"[landmass] {pair}: a dry side between two landmasses" in message
    assert "contradicts overrides.toml:1 (low tide)" in message


def test_audit_rail_across_water_blames_the_override(tiny: Tiny, refused: Refused) -> None:
    m = tiny.compile()
    pair = min(m.pair_key(pair) for pair, facts in m.links.items() if "rail" in facts)
    one, other = pair.split("|")
    entry = f'[[side]]\nbetween = ["{one}", "{other}"]\nset = {{ water = true }}\nwhy = "a strait"\n'
    tiny.write("overrides.toml", entry)
    message = refused()
    assert f"[net] {pair}: rail across water; contradicts overrides.toml:1 (a strait)" in message


def test_audit_river_gap(tiny: Tiny, refused: Refused) -> None:
    m = tiny.compile()
    (path,) = m.rivers["Stream"]
    middle = len(path) // 2
    one, other = m.mesh.edges[tuple(sorted(path[middle : middle + 2]))]
    numbers = f'"{m.grid.id(one)}", "{m.grid.id(other)}"'
    tiny.write("overrides.toml", f'[[side]]\nbetween = [{numbers}]\ndrop = ["river"]\nwhy = "dry"\n')
    assert "[gap] Stream: a piece of the river is cut off between " in refused()


def test_audit_river_that_ends_inland(tiny: Tiny, refused: Refused) -> None:
    short = [[12.5, 49.95], [11.0, 49.9], [10.5, 49.95]]
    tiny.source("rivers.geojson", collection(({"name": "Stream"}, "LineString", short)))
    assert "[gap] Stream: it ends inland" in refused()


def test_audit_unreachable_land(tiny: Tiny, refused: Refused) -> None:
    m = tiny.compile()
    home = m.grid.cell(m.places["east"]["hexes"][0])
    sides = "".join(
        f'[[side]]\nbetween = ["{m.grid.id(home)}", "{m.grid.id(near)}"]\nset = {{ water = true }}\nwhy = "moat"\n'
        for near in m.near(home)
    )
    tiny.write("overrides.toml", sides)
    assert f"[reach] {m.grid.id(home)}: land that cannot be reached" in refused()


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ('place = "haven"\nkind = ["land"]', "is coast, not land (1.1, rules.toml:1)"),
        ('place = "mid"\nterrain = ["forest"]', "is clear, not forest"),
        ('place = "mid"\ncountry = "EAS"', "belongs to WES, not EAS"),
        ('place = "mid"\nnear = ["east"]', "hexes from east, not 1"),
        ('place = "mid"\napart = ["mid"]', "also holds mid"),
        ('place = "mid"\ntags = ["wall"]', "lacks the tag 'wall'"),
        ('place = "atlantis"', "the place is missing"),
        ('place = "haven"\nplace_has = { port = "minor" }', "has port='major', not 'minor'"),
        ('at = "0505"\nhas = { fort = true }', "has fort=None, not True"),
    ],
)
def test_audit_hexes_named_by_the_rules(tiny: Tiny, refused: Refused, entry: str, reason: str) -> None:
    tiny.write("rules.toml", f'[[named]]\nrule = "1.1"\n{entry}\n')
    message = refused()
    assert "[rule] " in message
    assert reason in message


def test_audit_place_far_from_its_true_position(tiny: Tiny, refused: Refused) -> None:
    far = number_of(tiny, "east")
    tiny.write("gazetteer.toml", PLACE.format(id="lost", lat=50.6, lon=10.0, more=f'hex = "{far}"\nwhy = "a test"'))
    assert f"[position] lost: in {far} but truly " in refused()


def test_audit_places_that_want_a_hex_alone(tiny: Tiny, refused: Refused) -> None:
    number = number_of(tiny, "mid")
    pin = f'hex = "{number}"\nwhy = "a test"\nalone = true'
    tiny.write("gazetteer.toml", "".join(PLACE.format(id=i, lat=50.6, lon=10.0, more=pin) for i in ("one", "two")))
    assert f"[alone] one/two: they share hex {number}" in refused()


def test_audit_override_that_leaves_land_without_terrain(tiny: Tiny, refused: Refused) -> None:
    number = number_of(tiny, "mid")
    tiny.write("overrides.toml", f'[[hex]]\nat = "{number}"\ndrop = ["terrain", "country"]\nwhy = "oops"\n')
    message = refused()
    assert f"[fact] {number}: unknown terrain None; contradicts overrides.toml:1 (oops)" in message
    assert "land without a country" in message


def test_audit_sea_without_a_zone(tiny: Tiny, refused: Refused) -> None:
    zone = '[[zone]]\nid = "west"\nvalue = "west"\nen = "West"\nfr = "Ouest"\nseeds = {seeds}\nsrc = "proposed"\n'
    tiny.write("features.toml", zone.format(seeds="[[50.0, 7.5]]"))
    assert tiny.compile().places["haven"]["sea"] == "west"
    tiny.write("features.toml", zone.format(seeds="[]"))
    assert "[zone] 0101: a sea hex without 'sea'" in refused()


def test_audit_asymmetric_neighbours() -> None:
    from maps.compiler.audit import keys_adjacent

    class Grid:
        def neighbours(self, cell: Any) -> list[Any]:
            return {1: [2], 2: []}[cell]

        def id(self, cell: Any) -> str:
            return f"000{cell}"

    class Map:
        cells, sides, places, areas, grid = (1, 2), {}, {}, {}, Grid()

        def near(self, cell: Any) -> list[Any]:
            return self.grid.neighbours(cell)

    (finding,) = keys_adjacent(Map())  # type: ignore[arg-type]
    assert finding.key == "0001"


def test_sea_place_needs_to_say_so(tiny: Tiny, refused: Refused) -> None:
    tiny.source("land.geojson", collection(({}, "Polygon", square(9.4, 47.5, 14.0, 52.5))))
    tiny.write("gazetteer.toml", PLACE.format(id="wreck", lat=50.0, lon=7.4, more=""))
    assert "place 'wreck' lies in" in refused()
