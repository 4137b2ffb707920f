import copy
import json
import pickle
import zipfile
from contextlib import suppress
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.hexes import Board, MapError, board_from_document, board_from_json, load_board


def put(*path_and_value):
    """A change that sets the value at a path of the document."""

    def change(document):
        *path, last, value = path_and_value
        for key in path:
            document = document[key]
        document[last] = value

    return change


def drop(*path):
    """A change that removes what is at a path of the document."""

    def change(document):
        *parents, last = path
        for key in parents:
            document = document[key]
        del document[last]

    return change


NAME = {"en": "X", "fr": "X"}
REFUSALS = [
    (put("extra", 1), "top level", "unknown key 'extra'; known: format, name"),
    (drop("format"), "top level", "'format' is missing"),
    (put("format", 3), "top level", "format 3; this version reads 1 and 2"),
    (put("format", "1"), "top level", "'format' must be a whole number, not \"1\""),
    (put("format", True), "top level", "'format' must be a whole number, not true"),
    (drop("name"), "top level", "'name' is missing"),
    (drop("title"), "top level", "'title' is missing"),
    (drop("title", "fr"), "top level", "the 'fr' text of 'title' is missing"),
    (put("title", "en", 3), "top level", "the 'en' text of 'title' must be a text, not 3"),
    (drop("terrain"), "top level", "'terrain' is missing"),
    (put("terrain", "bocage", "Bocage"), "terrain bocage", "it must be an object"),
    (drop("terrain", "bocage", "en"), "terrain bocage", "the 'en' text is missing"),
    (put("grid", []), "top level", "'grid' must be an object, not []"),
    (drop("grid", "rows"), "grid", "'rows' is missing"),
    (put("grid", "rows", 3.0), "grid", "'rows' must be a whole number, not 3.0"),
    (put("grid", "cols", 0), "grid", "has no hex"),
    (put("grid", "orientation", "round"), "grid", "'orientation' is 'round'; use pointy, flat"),
    (drop("grid", "shift"), "grid", "'shift' is missing"),
    (put("grid", "shift", "south"), "grid", "'shift' is 'south'; use west, east"),
    (put("grid", "shifted", "first"), "grid", "use odd, even"),
    (put("grid", "km", "6"), "grid", "'km' must be a number"),
    (put("grid", "km", -1), "grid", "'km' must be a number"),
    (drop("grid", "numbering"), "grid", "'numbering' is missing"),
    (put("grid", "numbering", "order", "row"), "grid numbering", "use row-col, col-row"),
    (put("grid", "numbering", "digits", [2]), "grid numbering", "'digits' must hold two whole numbers, not 1"),
    (put("grid", "numbering", "digits", [2, "2"]), "grid numbering", "'digits' must be a whole number"),
    (put("grid", "numbering", "digits", [1, 0]), "grid", "at least one digit"),
    (put("grid", "numbering", "rows_grow", "up"), "grid numbering", "use south, north"),
    (put("grid", "numbering", "cols_grow", "up"), "grid numbering", "use east, west"),
    (drop("hexes"), "top level", "'hexes' is missing"),
    (put("hexes", {}), "hexes", "the map has no hex"),
    (put("hexes", "0105", {"terrain": "clear"}), "hex 0105", "off the grid: columns run from 1 to 4"),
    (put("hexes", "0401", {"terrain": "clear"}), "hex 0401", "off the grid: rows run from 1 to 3"),
    (put("hexes", "01O1", {"terrain": "clear"}), "hex 01O1", "is not a hex number of this map: 4 digits"),
    (put("hexes", "0101", []), "hex 0101", "it must be an object, not []"),
    (put("hexes", "0101", "terrain", "lava"), "hex 0101", "unknown terrain 'lava'; known: clear, bocage"),
    (drop("hexes", "0101", "terrain"), "hex 0101", "'terrain' is missing"),
    (put("hexes", "0101", "kind", "air"), "hex 0101", "'kind' is 'air'; use land, coast, sea, lake, out"),
    (put("hexes", "0101", "tags", "port"), "hex 0101", "'tags' must be a list, not \"port\""),
    (put("hexes", "0101", "tags", [1]), "hex 0101", "each of 'tags' must be a text, not 1"),
    (put("sides", "0101|0203", {}), "side 0101|0203", "0101 and 0203 are not adjacent"),
    (put("sides", "0202|0201", {}), "side 0202|0201", "the key must be sorted: write 0201|0202"),
    (put("sides", "0202|0202", {}), "side 0202|0202", "both ends are the same"),
    (put("sides", "0202-0203", {}), "side 0202-0203", "the key must be two names, as in 0617|0618"),
    (put("sides", "0201|0202|0203", {}), "side 0201|0202|0203", "the key must be two names"),
    (put("sides", "0202|0204", {}), "side 0202|0204", "0204 is not a hex of this map; close: 0203"),
    (put("sides", "0202|9999", {}), "side 0202|9999", "9999 is off the grid"),
    (put("sides", "0202|0203", True), "side 0202|0203", "it must be an object, not true"),
    (put("sides", []), "top level", "'sides' must be an object"),
    (put("links", "0202|0201", {}), "link 0202|0201", "the key must be sorted"),
    (put("links", "0101|0203", {}), "link 0101|0203", 'not adjacent; if that is meant, add "far": true'),
    (put("links", "0201|mars", {}), "link 0201|mars", "'mars' is not a hex number"),
    (put("places", "cherbourg", "hexes", ["0202", "0204"]), "place cherbourg", "0204 is not a hex of this map"),
    (put("places", "cherbourg", "hexes", ["0202", "0202"]), "place cherbourg", "'hexes' names a hex twice"),
    (put("places", "cherbourg", "hexes", []), "place cherbourg", "'hexes' is missing or empty"),
    (put("places", "cherbourg", "hexes", [202]), "place cherbourg", "each of 'hexes' must be a text, not 202"),
    (put("places", "cherbourg", "hexes", "0202"), "place cherbourg", "'hexes' must be a list"),
    (put("places", "cherbourg", "name", "Cherbourg"), "place cherbourg", "'name' must be an object"),
    (put("areas", "usa", "links", ["england", "mars"]), "area usa", "linked to 'mars', which is neither"),
    (put("areas", "england", "links", []), "area usa", "one-way link: area england does not list usa"),
    (put("areas", "england", "links", "usa"), "area england", "'links' must be a list"),
    (put("areas", "england", "links", [1]), "area england", "each of 'links' must be a text, not 1"),
    (put("areas", "usa", "kind", 1), "area usa", "'kind' must be a text"),
    (put("areas", "usa", "hexes", ["0204"]), "area usa", "0204 is not a hex of this map"),
    (put("areas", "0101", {"name": NAME}), "area 0101", "has the name of a hex"),
    (drop("areas", "usa", "name"), "area usa", "'name' is missing"),
    (put("labels", {}), "top level", "'labels' must be a list"),
    (put("labels", 0, "text", "en", None), "label 1", "the 'en' text of 'text' must be a text, not null"),
    (put("labels", 0, 5), "label 1", "it must be an object"),
    (put("art", []), "top level", "'art' must be an object"),
    (put("provenance", []), "top level", "'provenance' must be an object"),
    (put("credits", {}), "top level", "'credits' must be a list"),
    (put("credits", [1]), "credit 1", "it must be an object"),
]


@pytest.mark.parametrize(("change", "where", "reason"), REFUSALS, ids=[f"{w}: {r}"[:60] for _, w, r in REFUSALS])
def test_a_wrong_map_is_refused_with_file_place_and_reason(small_map, change, where, reason):
    document = small_map()
    change(document)
    with pytest.raises(MapError) as caught:
        board_from_json(json.dumps(document).encode(), "small.json")
    assert caught.value.file == "small.json"
    assert caught.value.where == where
    assert reason in caught.value.reason
    assert str(caught.value).startswith(f"small.json: {where}: ")


@pytest.mark.parametrize(
    ("content", "where", "reason"),
    [
        (b'{"name": "Br\xeame"}', "byte 12", "not UTF-8"),
        (b'{"format": 1,\n "name"', "line 2 column 8", "not JSON"),
        (b"", "line 1 column 1", "not JSON"),
        (b'{"format": NaN}', "line 1 column 1", "not JSON: NaN is not a number"),
        (b'{"format": ' + b"1" * 5000 + b"}", "file", "not JSON"),
        (b"[" * 100_000, "file", "nested too deeply"),
        (b'{"hexes": {"0101": {}, "0102": {}, "0101": {}}}', "key '0101'", "appears twice in the same object"),
        (b"[]", "top level", "the map must be an object, not []"),
    ],
)
def test_what_is_not_a_json_object_is_refused(content, where, reason):
    with pytest.raises(MapError) as caught:
        board_from_json(content, "small.json")
    assert (caught.value.file, caught.value.where) == ("small.json", where)
    assert reason in caught.value.reason


@given(st.data())
def test_a_truncated_file_is_refused(small_map, data):
    content = json.dumps(small_map()).encode()
    length = data.draw(st.integers(0, len(content) - 1))
    with pytest.raises(MapError, match="not JSON"):
        board_from_json(content[:length])


anything = st.sampled_from(
    [None, True, 0, -3, 2.5, 1e300, "", "x", "0101", "0101|0102", [], ["x"], [[]], {}, {"x": {}}]
)


@settings(max_examples=400)
@given(st.data())
def test_no_damage_gets_past_the_loader_as_another_error(small_map, data):
    """Replace or add one thing anywhere: the answer is a board or a `MapError`, nothing else."""
    document = small_map()
    spot = document
    while True:
        keys = sorted(spot) if isinstance(spot, dict) else list(range(len(spot)))
        if not keys:
            return
        key = data.draw(st.sampled_from(keys))
        if not isinstance(spot[key], dict | list) or data.draw(st.booleans()):
            break
        spot = spot[key]
    if isinstance(spot, dict) and data.draw(st.booleans()):
        key = data.draw(st.sampled_from(["x", "0103", "0101|0102", "usa|0101", "links", "tags"]))
    spot[key] = data.draw(anything)
    with suppress(MapError):
        assert isinstance(board_from_document(document), Board)


def test_a_far_link_is_allowed_when_it_says_so(small_map):
    document = small_map()
    document["links"]["0101|0203"] = {"ferry": 1, "far": True}
    board = board_from_document(document)
    assert board.links_of(board.hex("0101"), "ferry") == (board.hex("0203"),)


def test_optional_sections_may_be_left_out(small_map):
    document = {key: small_map()[key] for key in ("format", "name", "title", "grid", "terrain", "hexes")}
    del document["grid"]["km"]
    board = board_from_document(document)
    assert (board.places, board.areas, board.labels, board.metres) == ({}, {}, (), 0)
    assert all(data == {} for data in board.side_data)


def test_the_order_of_the_file_does_not_matter(small_map):
    document = small_map()
    backwards = copy.deepcopy(document)
    for section in ("hexes", "sides", "links", "areas"):
        backwards[section] = dict(reversed(backwards[section].items()))
    a, b = board_from_document(document), board_from_document(backwards)
    assert (a.grid.names, a.terrain, a.side_data) == (b.grid.names, b.terrain, b.side_data)
    assert list(a.link_data) == list(b.link_data)
    assert list(a.areas.items()) == list(b.areas.items())


def test_maps_are_read_from_paths_and_package_resources(small_map, tmp_path):
    path = tmp_path / "small.json"
    path.write_text(json.dumps(small_map(), ensure_ascii=False), encoding="utf-8")
    assert load_board(path).area("usa").name.fr == "États-Unis"
    assert load_board(str(path)).name == "small"
    with pytest.raises(MapError, match=r"nowhere\.json: file: cannot be read: No such file"):
        load_board(tmp_path / "nowhere.json")
    with pytest.raises(MapError, match=r"__init__\.py: line 1 column 3: not JSON"):
        load_board(files("grognard.hexes") / "__init__.py")


def test_a_resource_inside_an_archive_is_read_too(small_map, tmp_path):
    with zipfile.ZipFile(tmp_path / "maps.zip", "w") as archive:
        archive.writestr("data/small.json", json.dumps(small_map()))
        archive.writestr("data/bad.json", "{")
    folder = zipfile.Path(tmp_path / "maps.zip") / "data"
    assert load_board(folder / "small.json").name == "small"
    with pytest.raises(MapError, match=r"^bad\.json: line 1 column 2: not JSON"):
        load_board(folder / "bad.json")


def test_the_error_names_the_path(tmp_path):
    path = tmp_path / "bad.json"
    path.write_bytes(b"{}")
    with pytest.raises(MapError, match="'format' is missing") as caught:
        load_board(path)
    assert caught.value.file == str(path)
    twin = pickle.loads(pickle.dumps(caught.value))
    assert (twin.file, twin.where, str(twin)) == (str(path), "top level", str(caught.value))


def test_a_map_as_large_as_western_europe_loads(large_map):
    board = board_from_json(json.dumps(large_map()).encode())
    assert (len(board.grid), len(board.places), len(board.grid.sides)) == (1640, 350, 41 * 39 + 40 * 79)
    assert len(board.sides_with("river")) == len(range(0, len(board.grid.sides), 6))
    assert len(board.links("rail")) == len(range(0, len(board.grid.sides), 5))
