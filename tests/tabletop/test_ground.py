"""Tables: what lies where, the file and its refusals, templates, the sketch; every table of the game is sound."""

import doctest
import pickle
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import Polygon

from grognard.tabletop import (
    CM,
    DISC_3,
    LONG_6,
    TableError,
    between,
    document_from_toml,
    gap,
    legend,
    load_table,
    load_terrain,
    nearest,
    points_under,
    points_within,
    problems,
    sketch,
    table_from_document,
    template,
    to_feature,
)
from grognard.tabletop.loading import overlap, terrain_from_document

from .tables import DATA, NAMES, TERRAIN, area, bare, box, document, house, line, table


@pytest.mark.parametrize("name", NAMES)
def test_every_table_of_the_game_is_sound(name):
    content = (DATA / "tables" / f"{name}.toml").read_bytes()
    assert problems(document_from_toml(content), TERRAIN, name) == []
    t = table(name)
    assert t.id == name
    assert all(zone.points for zone in t.zones)
    assert all(objective.points for objective in t.objectives)
    assert all(t.feature[p] >= 0 for section in t.sections for p in t.points_in(section.shapes[0]))


def test_points_have_names_and_a_border_without():
    t = bare()
    assert len(t.points) == 24 * 24
    assert len(set(filter(None, t.names))) == len(t.points)
    p = t.point_named("031-011")
    assert (t.x[p], t.y[p]) == (125, 45)
    assert t.has(p)
    assert not t.has(0)
    assert not t.has(t.count)
    assert t.names[0] == ""
    assert t.point_at(-50, 9999) == t.points[23 * 24]


def test_what_lies_on_top_counts_and_hills_only_lift():
    t = bare(
        ground="rubble",
        area=[box("hill", 0, 0, 30, 30), box("light-wood", 20, 20, 20, 20, "wood")],
        road=[{"kind": "road", "id": "r", "width": 5, "path": [[0, 31], [60, 31]]}],
    )
    kinds = {
        place: t.kind[t.point_at(place[0] * CM, place[1] * CM)] for place in [(6, 6), (26, 26), (26, 31), (51, 11)]
    }
    assert kinds == {(6, 6): "rubble", (26, 26): "light-wood", (26, 31): "road", (51, 11): "rubble"}
    assert t.level[t.point_at(26 * CM, 26 * CM)] == 1
    assert t.level[t.point_at(36 * CM, 36 * CM)] == 0


def test_sections_zones_and_objectives_hold_their_points():
    t = bare(
        building=[house(20, 20, 10, 10, "farm", floors=2)],
        objective=[
            {"id": "a", "vp": 3, "section": "farm"},
            {"id": "b", "vp": 1, "at": [40, 40], "radius": 5},
            {"id": "c", "vp": 1, "building": "farm"},
            {"id": "d", "vp": 1, "outline": [[0, 0], [10, 0], [10, 10]]},
        ],
        zone=[{"id": "z", "side": "FR", "outline": [[0, 50], [60, 50], [60, 60], [0, 60]]}],
        narrow=[{"id": "n", "outline": [[0, 0], [10, 0], [10, 5], [0, 5]]}],
    )
    section = t.section_at(t.point_at(25 * CM, 25 * CM))
    assert section is not None
    assert (section.id, section.building, section.floors) == ("farm", "farm", 2)
    assert t.section_at(t.points[0]) is None
    assert [len(o.points) for o in t.objectives] == [16, 12, 16, 10]
    assert len(t.zones[0].points) == 4 * 24
    assert len(t.narrow) == 8


# Files that are wrong: the place and the reason

WRONG = {
    "two houses in one place": (
        document(building=[house(20, 20, 10, 10, "a"), house(25, 25, 10, 10, "b")]),
        "building a",
        "overlaps building b",
    ),
    "the same house twice": (
        document(building=[house(20, 20, 10, 10, "a"), house(20, 20, 10, 10, "b")]),
        "building a",
        "overlaps building b",
    ),
    "a house on a road": (
        document(
            building=[house(20, 20, 10, 10, "a")],
            road=[{"kind": "road", "id": "r", "width": 5, "path": [[0, 25], [60, 25]]}],
        ),
        "building a",
        "stands on road r",
    ),
    "a wood outside": (document(area=[box("light-wood", 50, 50, 20, 5, "w")]), "area w", "outside the table"),
    "an unknown terrain": (document(area=[box("jungle", 0, 0, 5, 5, "w")]), "area w", "unknown terrain “jungle”"),
    "unknown ground": (document(ground="lava"), "top level", "unknown terrain “lava”"),
    "a line as an area": (document(area=[box("hedge", 0, 0, 5, 5, "w")]), "area w", "unknown terrain “hedge”"),
    "a bow tie": (
        document(area=[area("sand", (0, 0), (10, 10), (10, 0), (0, 10), name="w")]),
        "area w",
        "crosses itself at edges 1 and 3",
    ),
    "no ground at all": (
        document(area=[area("sand", (0, 0), (10, 0), (20, 0), name="w")]),
        "area w",
        "encloses nothing",
    ),
    "off the half centimetre": (document(area=[box("sand", 0.3, 0, 5, 5, "w")]), "area w", "half a centimetre"),
    "not a number": (document(area=[box("sand", True, 0, 5, 5, "w")]), "area w", "must be a number"),
    "two corners": (document(area=[area("sand", (0, 0), (1, 1), name="w")]), "area w", "2 corners"),
    "an id twice": (
        document(area=[box("sand", 0, 0, 5, 5, "w")], line=[line("hedge", (0, 0), (5, 5), name="w")]),
        "line w",
        "used twice",
    ),
    "an unknown key": (document(area=[box("sand", 0, 0, 5, 5, "w", colour="red")]), "area w", "unknown key `colour`"),
    "an unknown section": (document(river=[]), "top level", "unknown key `river`"),
    "a missing key": (document(line=[{"kind": "hedge", "id": "h"}]), "line h", "`path` is missing"),
    "a section that is no list": (document(area={"kind": "sand"}), "area", "write [[area]]"),
    "an objective that names nothing": (
        document(objective=[{"id": "o", "vp": 1, "section": "nowhere"}]),
        "objective o",
        "there is no “nowhere”",
    ),
    "an objective of two things": (
        document(objective=[{"id": "o", "vp": 1, "section": "a", "area": "b"}]),
        "objective o",
        "give one of",
    ),
    "a table that is no multiple of the lattice": (document(size=[61, 60]), "top level", "multiples of 5 cm"),
    "a format of the future": (document(format=9), "top level", "this version reads 1"),
    "a title in one language": (document(title={"en": "x"}), "title", "`fr` is missing"),
    "a zone without a point": (
        document(zone=[{"id": "z", "side": "FR", "outline": [[0, 0], [1, 0], [1, 1]]}]),
        "zone z",
        "holds no point",
    ),
    "an edge of a round table": (
        document(edge=[{"id": "e", "side": "FR", "edge": "up", "span": [0, 60]}]),
        "edge e",
        "north, south, east, west",
    ),
    "a span beyond the edge": (
        document(edge=[{"id": "e", "side": "FR", "edge": "north", "span": [0, 90]}]),
        "edge e",
        "from 0 to 60",
    ),
    "floors without end": (document(building=[house(0, 0, 10, 10, "a", floors=9)]), "building a", "from 1 to 4"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_with_a_table_is_said_with_place_and_reason(case):
    wrong, where, reason = WRONG[case]
    found = problems(wrong, TERRAIN, "x.toml")
    assert found, case
    assert found[0].file == "x.toml"
    assert found[0].where.startswith(where)
    assert reason in found[0].reason
    with pytest.raises(TableError):
        table_from_document(wrong, TERRAIN)


def test_all_that_is_wrong_is_found_at_once():
    wrong = document(area=[box("jungle", 0, 0, 5, 5, "a"), box("sand", 0, 0, 99, 5, "b")], line=[{"id": "c"}])
    assert [problem.where for problem in problems(wrong, TERRAIN)] == ["area a", "area b", "line c"]


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(TableError, match="cannot be read"):
        load_table(tmp_path / "none.toml", TERRAIN)
    (tmp_path / "bad.toml").write_text("size = [")
    with pytest.raises(TableError, match=r"bad\.toml: not TOML"):
        load_table(tmp_path / "bad.toml", TERRAIN)
    (tmp_path / "bytes.toml").write_bytes(b"\xff")
    with pytest.raises(TableError, match="not UTF-8"):
        load_terrain(tmp_path / "bytes.toml")
    error = TableError("f", "w", "no-id")
    again = pickle.loads(pickle.dumps(error))
    assert (again.file, again.where, again.reason) == ("f", "w", "the id is empty; write a word")
    assert str(again) == str(error) == "f: w: the id is empty; write a word"


def test_terrain_that_is_wrong():
    row = {"foot": 100, "cover": "none", "sight": "clear", "source": "proposed"}
    good = {"area": {"building": row}, "line": {"hedge": row | {"foot": 5}}}
    assert terrain_from_document(good).drives == ("foot",)
    for change, reason in [
        ({"area": {"open": row}}, "no row `building`"),
        ({"area": {"building": row | {"foot": "slow"}}}, "use -1"),
        ({"area": {"building": row | {"sight": "fog"}}}, '`sight` is "fog"'),
        ({"line": {"hedge": row | {"sight": 5}}}, "no depth"),
        ({"line": {"hedge": row | {"boat": 5}}}, "drives are"),
    ]:
        with pytest.raises(TableError, match=reason):
            terrain_from_document(good | change)


places = st.tuples(st.integers(0, 12), st.integers(0, 12))


@given(st.lists(places, min_size=3, max_size=6, unique=True), st.lists(places, min_size=3, max_size=6, unique=True))
def test_overlap_agrees_with_shapely(a, b):
    one, two = Polygon(a), Polygon(b)
    if one.is_valid and two.is_valid and one.area and two.area:
        shared = one.intersection(two).area
        if shared == 0 or shared > 0.5:
            assert overlap(tuple(a), tuple(b)) == (shared > 0)


# Templates and neighbourhoods


def test_a_template_lies_on_the_lattice_and_touches_bases():
    t = bare()
    middle = t.point_named("031-031")
    square = template(t, middle, 10, 10)
    assert (square.x % 10, square.y % 10, square.wide) == (0, 0, 40)
    assert len(points_under(t, square)) == 16
    assert middle in points_under(t, square)
    strip = template(t, middle, 20, 5)
    assert len(points_under(t, strip)) == 16
    edge = t.point_at(square.x + square.wide + 5, square.y + 5)
    assert not square.covers(t.x[edge], t.y[edge])
    assert square.touches(DISC_3, t.x[edge], t.y[edge], 0)
    assert square.touches(LONG_6, t.x[edge] + 5, t.y[edge], 4)
    assert not square.touches(LONG_6, t.x[edge] + 5, t.y[edge], 0)


def test_points_within_are_those_whose_gap_is_small_enough():
    t = bare()
    middle = t.point_named("031-031")
    found = points_within(t, LONG_6, middle, 4, 5 * CM)
    for p in t.points:
        near = gap(LONG_6, t.x[middle], t.y[middle], 4, DISC_3._replace(radius=0), t.x[p], t.y[p], 0) <= 5 * CM
        assert (p in found) == near


def test_nearest_and_features():
    t = bare(line=[line("hedge", (40, 0), (40, 60))])
    a, b, c = (t.point_named(n) for n in ("031-031", "021-031", "041-031"))
    assert nearest(t, DISC_3, a, 0, []) == (-1, [])
    assert nearest(t, DISC_3, a, 0, [(7, DISC_3, b, 0), (8, DISC_3, c, 0), (9, LONG_6, t.points[0], 0)]) == (28, [7, 8])
    assert between(t, DISC_3, a, 0, DISC_3, b, 0) == 28
    assert to_feature(t, 0, DISC_3, a, 0) == 160 - t.x[a] - 6


def test_a_sketch_shows_the_ground_and_the_pieces():
    t = table("stonne40")
    rows = sketch(t, {t.point_named("091-061"): "X"})
    assert len(rows) == 1 + 24
    assert rows[13][5 + 18] == "X"
    assert rows[0].split() == ["0", "50", "100", "150"]
    assert legend(t)["T"] == "dense-wood"
    assert legend(t)["h"] == "hedge"
    assert {letter for row in rows[1:] for letter in row[5:]} - set(legend(t)) == {"X"}


def test_examples_in_docstrings():
    assert doctest.testmod(import_module("grognard.tabletop.measure")).failed == 0
