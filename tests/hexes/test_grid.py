import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.hexes import coords
from grognard.hexes.grid import Grid, GridError
from grognard.hexes.numbering import NumberError, Numbering

POINTY = Numbering("pointy", 6, 7)
FLAT = Numbering("flat", 6, 7, "col-row", shifted="odd", shift="north")
numberings = st.sampled_from([POINTY, FLAT])


@st.composite
def grids(draw):
    """A grid with holes."""
    numbering = draw(numberings)
    names = draw(st.sets(st.sampled_from(list(numbering.sheet())), min_size=1))
    return Grid(numbering, names)


def test_ids_follow_printed_numbers_whatever_the_order_given():
    names = ["0203", "0101", "0302"]
    assert Grid(POINTY, names).names == Grid(POINTY, reversed(names)).names == ("0101", "0203", "0302")
    assert Grid(POINTY).names == tuple(sorted(POINTY.sheet()))
    assert len(Grid(POINTY)) == 42


@given(grids())
def test_neighbours_agree_with_coordinates_and_are_mutual(grid):
    for hex in range(len(grid)):
        assert grid.hex_named(grid.names[hex]) == hex
        assert grid.hex_at(grid.coords[hex]) == hex
        for direction, other in enumerate(grid.around[hex]):
            assert grid.hex_at(coords.step(grid.coords[hex], direction)) == other
            if other >= 0:
                assert grid.around[other][coords.opposite(direction)] == hex
                assert grid.direction(hex, other) == direction
                assert grid.are_adjacent(hex, other)
        assert grid.neighbours[hex] == tuple(sorted(other for other in grid.around[hex] if other >= 0))
        assert not grid.are_adjacent(hex, hex)


@given(grids())
def test_sides_are_symmetric_and_numbered_in_the_order_of_their_hexes(grid):
    assert list(grid.sides) == sorted(grid.sides)
    for side, (a, b) in enumerate(grid.sides):
        assert a < b
        assert grid.side_between(a, b) == grid.side_between(b, a) == side
        assert grid.hexes_of_side(side) == (a, b)
        assert side in grid.sides_of(a)
        assert side in grid.sides_of(b)
        assert grid.side_name(side) == f"{grid.names[a]}|{grid.names[b]}"
    for hex in range(len(grid)):
        assert len(grid.sides_of(hex)) == len(grid.neighbours[hex])
    assert 2 * len(grid.sides) == sum(map(len, grid.neighbours))


@given(grids())
def test_corners_join_sides_and_hexes(grid):
    for hex in range(len(grid)):
        assert len(set(grid.corners_of(hex))) == 6
        for corner in grid.corners_of(hex):
            assert hex in grid.hexes_at(corner)
    for side, (a, b) in enumerate(grid.sides):
        ends = set(grid.corners_of_side(side))
        assert ends == set(grid.corners_of(a)) & set(grid.corners_of(b))
        assert len(ends) == 2
        assert all(side in grid.sides_at(corner) for corner in ends)
    for corner in range(grid.corner_count):
        hexes = grid.hexes_at(corner)
        assert 1 <= len(hexes) <= 3
        assert all(grid.are_adjacent(x, y) for x in hexes for y in hexes if x != y)
        assert len(grid.sides_at(corner)) == len(hexes) * (len(hexes) - 1) // 2


def test_an_inner_side_touches_four_others():
    grid = Grid(POINTY)
    side = grid.side_between(grid.hex_named("0303"), grid.hex_named("0304"))
    touching = grid.sides_touching(side)
    assert len(touching) == 4
    assert side not in touching
    assert all(side in grid.sides_touching(other) for other in touching)


@given(grids(), st.data())
def test_distance_within_ring_and_line(grid, data):
    ids = st.integers(0, len(grid) - 1)
    a, b = data.draw(ids), data.draw(ids)
    assert grid.distance(a, b) == coords.distance(grid.coords[a], grid.coords[b])
    for radius in range(4):
        expected = [hex for hex in range(len(grid)) if grid.distance(a, hex) <= radius]
        assert list(grid.within(a, radius)) == expected
        assert list(grid.within(a, radius)) == expected  # remembered
        assert sorted(grid.ring(a, radius)) == [hex for hex in expected if grid.distance(a, hex) == radius]
    line = grid.line(a, b)
    assert (line[0], line[-1]) == (a, b)
    assert line == tuple(reversed(grid.line(b, a)))


def test_compass_speaks_the_language_of_the_orientation():
    pointy, flat = Grid(POINTY), Grid(FLAT)
    assert pointy.compass(pointy.hex_named("0202"), pointy.hex_named("0203")) == "E"
    assert flat.compass(flat.hex_named("0202"), flat.hex_named("0203")) == "S"
    assert (pointy.orientation, flat.orientation) == ("pointy", "flat")


def test_mask_is_one_byte_a_hex():
    grid = Grid(POINTY, ["0101", "0102", "0103"])
    assert grid.mask(lambda hex: grid.names[hex] == "0102") == b"\0\1\0"


@given(grids())
def test_a_zone_is_some_hexes_and_their_neighbours(grid):
    hexes = [0, len(grid) // 2]
    near = {other for hex in hexes for other in grid.within(hex, 1)}
    assert grid.zone(hexes) == grid.mask(near.__contains__)
    assert not any(grid.zone([]))


def test_a_hex_that_is_not_there_is_refused_with_close_ones():
    grid = Grid(POINTY, set(POINTY.sheet()) - {"0303"})
    assert not grid.has_hex("0303")
    with pytest.raises(GridError, match=r"0303 is not a hex of this map; close: 0202, 0203, 0302"):
        grid.hex_named("0303")
    with pytest.raises(GridError, match=r"0309 is off the grid: columns run from 1 to 7; close: 03"):
        grid.hex_named("0309")
    with pytest.raises(GridError, match=r"'303' is not a hex number.*; close: "):
        grid.hex_named("303")


def test_strangers_share_no_side():
    grid = Grid(POINTY)
    with pytest.raises(GridError, match="0101 and 0303 are not adjacent"):
        grid.side_between(grid.hex_named("0101"), grid.hex_named("0303"))


def test_a_grid_refuses_doubles_and_numbers_off_the_sheet():
    with pytest.raises(GridError, match="hex 0101 is named twice"):
        Grid(POINTY, ["0101", "0102", "0101"])
    with pytest.raises(NumberError, match="0199 is off the grid"):
        Grid(POINTY, ["0199"])


def test_a_grid_travels_between_processes():
    grid = Grid(FLAT)
    twin = pickle.loads(pickle.dumps(grid))
    assert (twin.names, twin.around, twin.sides) == (grid.names, grid.around, grid.sides)
    assert repr(twin) == "<Grid of 42 flat hexes, 0101 to 0706>"
