from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.hexes.coords import Axial, distance
from grognard.hexes.numbering import NumberError, Numbering

STYLES = [
    {
        "orientation": o, "order": order, "rows_grow": rg, "cols_grow": cg, "shifted": parity, "shift": shift,
        "first": first,
    }
    for o, order, rg, cg, parity, first in product(
        ("pointy", "flat"), ("row-col", "col-row"), ("south", "north"), ("east", "west"), ("odd", "even"),
        ((1, 1), (0, 0), (2, 5), (4, 1)),
    )
    for shift in (("east", "west") if o == "pointy" else ("south", "north"))
]  # fmt: skip
NORMANDY = Numbering("pointy", 23, 27, "row-col", cols_grow="west", shifted="odd", shift="west")
WEST = Numbering("flat", 40, 41, "col-row", shifted="even", shift="south")


def drawn_at(numbering, row, col):
    """Where a printed hex is drawn, in half hexes to the east and south: read straight off the description."""
    x = 2 * col if numbering.cols_grow == "east" else -2 * col
    y = 2 * row if numbering.rows_grow == "south" else -2 * row
    along = row if numbering.orientation == "pointy" else col
    if along % 2 == (1 if numbering.shifted == "odd" else 0):
        x += {"east": 1, "west": -1}.get(numbering.shift, 0)
        y += {"south": 1, "north": -1}.get(numbering.shift, 0)
    return x, y


def touch(numbering, a, b):
    dx, dy = abs(a[0] - b[0]), abs(a[1] - b[1])
    return (dx, dy) in (((2, 0), (1, 2)) if numbering.orientation == "pointy" else ((0, 2), (2, 1)))


@pytest.mark.parametrize("style", STYLES, ids=lambda style: "-".join(map(str, style.values())))
def test_every_style_round_trips_and_has_the_neighbours_that_the_eye_sees(style):
    numbering = Numbering(rows=5, cols=6, **style)
    sheet = numbering.sheet()
    assert len(sheet) == len(set(sheet.values())) == 30
    assert list(sheet) == sorted(sheet)
    assert min(hex.r if numbering.orientation == "pointy" else hex.q for hex in sheet.values()) == 0
    drawn = {}
    for name, hex in sheet.items():
        row, col = numbering.split(name)
        assert numbering.name(row, col) == name
        assert numbering.axial(row, col) == numbering.axial_named(name) == hex
        assert numbering.printed(hex) == (row, col)
        assert numbering.name_at(hex) == name
        drawn[name] = drawn_at(numbering, row, col)
    for a, b in product(sheet, sheet):
        assert (distance(sheet[a], sheet[b]) == 1) == touch(numbering, drawn[a], drawn[b])
    for a, b in product(sheet, sheet):  # directions keep their compass sense
        if numbering.orientation == "pointy" and sheet[b] == Axial(sheet[a].q + 1, sheet[a].r):
            assert drawn[b] == (drawn[a][0] + 2, drawn[a][1])
        if numbering.orientation == "flat" and sheet[b] == Axial(sheet[a].q, sheet[a].r + 1):
            assert drawn[b] == (drawn[a][0], drawn[a][1] + 2)


def test_normandy_columns_grow_west_and_odd_rows_lie_further_west():
    here = NORMANDY.axial_named("0617")
    near = sorted(name for name, hex in NORMANDY.sheet().items() if distance(here, hex) == 1)
    assert near == ["0516", "0517", "0616", "0618", "0716", "0717"]
    assert NORMANDY.axial_named("0616") == Axial(here.q + 1, here.r)  # the lower column is east


def test_western_europe_prints_the_column_first_and_sets_even_columns_south():
    here = WEST.axial_named("2019")
    near = sorted(name for name, hex in WEST.sheet().items() if distance(here, hex) == 1)
    assert near == ["1919", "1920", "2018", "2020", "2119", "2120"]
    assert WEST.split("2019") == (19, 20)


@given(
    st.integers(1, 3), st.integers(1, 3), st.integers(0, 9), st.integers(0, 9), st.sampled_from(["row-col", "col-row"])
)
def test_digits_and_first_are_in_printed_order(left, right, first_left, first_right, order):
    numbering = Numbering("pointy", 1, 1, order, (left, right), (first_left, first_right))
    (name,) = numbering.sheet()
    assert name == str(first_left).zfill(left) + str(first_right).zfill(right)
    row, col = numbering.split(name)
    assert (row, col) == ((first_left, first_right) if order == "row-col" else (first_right, first_left))


@pytest.mark.parametrize("name", ["", "617", "06170", "06a7", "06-7", "٠٦١٧", " 617"])
def test_a_malformed_number_is_refused(name):
    with pytest.raises(NumberError, match="is not a hex number of this map: 4 digits, row then column"):
        NORMANDY.split(name)


@pytest.mark.parametrize(
    ("name", "reason"),
    [("0017", "rows run from 1 to 23"), ("2417", "rows run from 1 to 23"), ("0628", "columns run from 1 to 27")],
)
def test_a_number_off_the_sheet_is_refused(name, reason):
    with pytest.raises(NumberError, match=f"{name} is off the grid: {reason}"):
        NORMANDY.axial_named(name)


def test_a_coordinate_off_the_sheet_has_no_number():
    with pytest.raises(NumberError, match="off the grid of 23 rows and 27 columns"):
        NORMANDY.name_at(Axial(0, -1))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"orientation": "round"}, "orientation is 'round'"),
        ({"order": "col"}, "order is 'col'"),
        ({"rows_grow": "up"}, "rows_grow is 'up'"),
        ({"cols_grow": "left"}, "cols_grow is 'left'"),
        ({"shifted": "all"}, "shifted is 'all'"),
        ({"shift": "south"}, "a pointy grid takes west or east"),
        ({"orientation": "flat"}, "a flat grid takes south or north"),
        ({"rows": 0}, "has no hex"),
        ({"rows": 100}, "rows run to 100, too long for 2 digits"),
        ({"cols": 60, "first": (1, 50)}, "columns run to 109, too long for 2 digits"),
        ({"first": (-1, 1)}, "may not begin below 0"),
        ({"digits": (0, 2)}, "at least one digit"),
    ],
)
def test_a_numbering_that_cannot_be_printed_is_refused(change, reason):
    with pytest.raises(NumberError, match=reason):
        Numbering(**({"orientation": "pointy", "rows": 3, "cols": 3} | change))
