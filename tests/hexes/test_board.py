import pickle

import pytest

from grognard.hexes import BoardError, GridError, MapError, Text, board_from_document, board_from_rows


@pytest.fixture(scope="module")
def board(small_map):
    return board_from_document(small_map())


def test_the_grid_holds_the_listed_hexes_only(board):
    assert board.grid.names == ("0101", "0102", "0201", "0202", "0203", "0301")
    assert repr(board) == "<Board small: 6 hexes, 2 places, 3 links>"
    assert board.metres == 6490
    assert board.title == Text("Small map", "Petite carte")


def test_hexes_know_terrain_kind_tags_and_the_rest(board):
    coast, bocage = board.hex("0101"), board.hex("0201")
    assert (board.terrain_of(coast), board.kind_of(coast), board.tags[coast]) == ("clear", "coast", ("port", "beach"))
    assert (board.terrain_of(bocage), board.kind_of(bocage), board.tags[bocage]) == ("bocage", "land", ())
    assert board.data_of(coast)["country"] == "FRA"
    assert board.data_of(bocage)["src"] == {"terrain": "proposed"}


def test_hexes_are_found_by_tag_and_terrain(board):
    assert board.hexes_with("port") == (board.hex("0101"), board.hex("0202"))
    assert board.hexes_with("airfield") == ()
    assert [board.grid.names[hex] for hex in board.hexes_of_terrain("bocage")] == ["0201", "0203"]
    assert len(board.hexes_of_terrain("bocage", "clear")) == 6
    with pytest.raises(BoardError, match="this map has no terrain 'bocages'; close: bocage"):
        board.hexes_of_terrain("bocages")


def test_terrain_has_names_in_both_languages(board):
    assert board.terrains["clear"].in_language("fr") == "Terrain libre"
    assert board.terrains["clear"].in_language("en") == "Clear"
    assert board.terrain_data["clear"]["tint"] == "buff"


def test_sides_say_what_lies_on_them_from_either_hex(board):
    a, b, c = board.hex("0201"), board.hex("0202"), board.hex("0301")
    assert board.side(a, b) == board.side(b, a) == {"river": ["Douve", 1], "water": False}
    assert board.side(a, c) == {}
    assert len(board.sides_with("river")) == 2
    assert board.sides_with("water") == ()
    with pytest.raises(GridError, match="0101 and 0203 are not adjacent"):
        board.side(board.hex("0101"), board.hex("0203"))


def test_links_join_hexes_and_areas_both_ways(board):
    a, b, c, usa = board.node("0101"), board.node("0201"), board.node("0202"), board.node("usa")
    assert board.links_of(b, "rail") == (a, c)
    assert board.links_of(a, "rail") == (b,)
    assert board.links_of(a, "road") == (b,)
    assert board.links_of(usa, "sea") == (b,)
    assert board.links_of(b, "sea") == (usa,)
    assert board.links_of(c, "ferry") == ()
    assert board.link(b, a) == board.link(a, b) == {"rail": 1, "road": 2}
    assert board.link(a, c) == {}
    assert board.links("rail") == ((a, b, 1), (b, c, 2))


def test_areas_are_nodes_beyond_the_hexes_in_the_order_of_their_keys(board):
    assert [board.name_of(node) for node in range(board.node_count)] == [
        *board.grid.names,
        "cotentin",
        "england",
        "usa",
    ]
    usa, england = board.area("usa"), board.area("england")
    assert usa.links == (england.node, board.hex("0102"))
    assert (usa.kind, usa.name.fr, usa.hexes) == ("box", "États-Unis", ())
    assert board.area("cotentin").kind == "zone"
    assert [area.key for area in board.areas_of(board.hex("0301"))] == ["cotentin"]
    assert board.areas_of(board.hex("0101")) == ()
    with pytest.raises(BoardError, match="this map has no area 'engeland'; close: england"):
        board.area("engeland")


def test_places_keep_the_order_of_their_hexes(board):
    place = board.place("cherbourg")
    assert place.hexes == (board.hex("0202"), board.hex("0201"))
    assert (place.name.en, place.data["port"]) == ("Cherbourg", "major")
    assert [found.key for found in board.places_in(board.hex("0201"))] == ["cherbourg", "octeville"]
    assert board.places_in(board.hex("0101")) == ()
    with pytest.raises(BoardError, match="this map has no place 'cherburg'; close: cherbourg"):
        board.place("cherburg")


def test_an_unknown_node_is_refused(board):
    with pytest.raises(GridError, match="'canada' is not a hex number"):
        board.node("canada")


def test_pictures_pass_through(board):
    assert board.labels[0].text == Text("CHANNEL", "MANCHE")
    assert board.labels[0].data["at"] == [1.5, 2]
    assert board.art == {"coast": [[[0, 1.5]]]}
    assert board.credits[0]["licence"] == "public domain"
    assert board.provenance == {"terrain": "proposed"}
    assert board.grid_data["km"] == 6.49


def test_a_board_travels_between_processes(board):
    board.links_of(0, "rail")
    twin = pickle.loads(pickle.dumps(board))
    assert (twin.terrain, twin.side_data, twin.places) == (board.terrain, board.side_data, board.places)
    assert twin.links_of(0, "rail") == board.links_of(0, "rail")


def test_a_board_cannot_be_changed(board):
    with pytest.raises(AttributeError):
        board.name = "other"


def test_a_sketch_is_a_board():
    board = board_from_rows(
        """
        ~ .
         . - f
        """,
        {".": "clear", "~": "sea", "f": "forest"},
        hexes={"0201": {"tags": ["port"]}},
        sides={"0101|0201": {"river": ["Orne", 1]}},
    )
    assert board.grid.names == ("0101", "0102", "0201", "0203")
    assert board.terrain == ("sea", "clear", "clear", "forest")
    assert board.kinds == ("sea", "land", "land", "land")
    assert board.hexes_with("port") == (board.hex("0201"),)
    assert board.side(0, 2) == {"river": ["Orne", 1]}
    assert board.grid.compass(board.hex("0102"), board.hex("0201")) == "SW"


def test_a_sketch_lists_features_and_towns_in_short():
    banks = {"river": ["0101|0201"], "ford": ["0101|0201"]}
    board = board_from_rows(". .\n . .", {".": "clear"}, features=banks, towns={"city": {"caen": "0202"}})
    assert board.side(0, 2) == {"river": True, "ford": True}
    assert (board.place("caen").hexes, board.place("caen").data["class"]) == ((board.hex("0202"),), "city")
    assert board.terrain_data["clear"]["letter"] == "."
    assert board_from_document(dict(board.document), "again").places == board.places


def test_a_flat_sketch_sets_even_columns_south():
    board = board_from_rows(". .\n. .", {".": "clear"}, orientation="flat")
    assert board.grid.compass(board.hex("0101"), board.hex("0102")) == "SE"


def test_a_sketch_is_checked_like_a_file():
    with pytest.raises(MapError, match=r"beach: side 0101\|0103: 0101 and 0103 are not adjacent"):
        board_from_rows(". . .", {".": "clear"}, name="beach", sides={"0101|0103": {}})
