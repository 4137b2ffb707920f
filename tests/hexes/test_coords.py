from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.hexes.coords import (
    COMPASS,
    CORNERS,
    DIRECTIONS,
    ORIGIN,
    Axial,
    cell,
    corner,
    direction_named,
    direction_to,
    disc,
    distance,
    line,
    opposite,
    ring,
    rotate,
    step,
)

small = st.integers(-30, 30)
hexes = st.builds(Axial, small, small)


def test_cube_coordinates_add_up_to_nothing():
    assert all(hex.q + hex.r + hex.s == 0 for hex in disc(ORIGIN, 3))


def test_six_directions_are_distinct_and_opposites_cancel():
    assert len(set(DIRECTIONS)) == 6
    for direction in range(6):
        assert step(step(ORIGIN, direction), opposite(direction)) == ORIGIN


@pytest.mark.parametrize("orientation", ["pointy", "flat"])
def test_compass_names_agree_with_the_geometry(orientation):
    """The plane drawn with y to the south: east grows, west shrinks, south grows, north shrinks."""
    for direction, name in enumerate(COMPASS[orientation]):
        q, r = DIRECTIONS[direction]
        x, y = (2 * q + r, r) if orientation == "pointy" else (q, 2 * r + q)
        assert (x > 0) == ("E" in name)
        assert (x < 0) == ("W" in name)
        assert (y > 0) == ("S" in name)
        assert (y < 0) == ("N" in name)
        assert direction_named(name.lower(), orientation) == direction


def test_a_direction_the_grid_lacks_is_refused_with_the_choices():
    with pytest.raises(ValueError, match=r"no direction 'N' on a pointy grid; use one of NE, E"):
        direction_named("N", "pointy")


@given(hexes, hexes, hexes)
def test_distance_is_a_metric(a, b, c):
    assert distance(a, b) == distance(b, a)
    assert (distance(a, b) == 0) == (a == b)
    assert distance(a, c) <= distance(a, b) + distance(b, c)


@given(hexes, hexes)
def test_direction_to_is_known_exactly_for_adjacent_hexes(a, b):
    direction = direction_to(a, b)
    assert (direction is not None) == (distance(a, b) == 1)
    for near in range(6):
        assert direction_to(a, step(a, near)) == near


@given(hexes, st.integers(0, 7))
def test_ring_and_disc_hold_exactly_the_right_hexes(centre, radius):
    around = ring(centre, radius)
    assert len(set(around)) == len(around) == (6 * radius or 1)
    assert all(distance(centre, hex) == radius for hex in around)
    assert all(distance(a, b) == 1 for a, b in pairwise(around))
    filled = disc(centre, radius)
    assert len(set(filled)) == len(filled) == 1 + 3 * radius * (radius + 1)
    assert max(distance(centre, hex) for hex in filled) == radius


def test_a_ring_runs_clockwise():
    assert ring(ORIGIN, 1) == DIRECTIONS


def test_a_negative_ring_is_refused():
    with pytest.raises(ValueError, match="radius of 0 or more, not -1"):
        ring(ORIGIN, -1)


@given(hexes, hexes, st.integers(-12, 12))
def test_rotation_keeps_distance_and_comes_back_after_six(hex, about, sixths):
    turned = rotate(hex, sixths, about)
    assert distance(about, turned) == distance(about, hex)
    assert rotate(turned, -sixths, about) == hex
    assert rotate(hex, 6, about) == hex


def test_rotation_is_clockwise():
    assert [rotate(DIRECTIONS[0], n) for n in range(6)] == list(DIRECTIONS)


@given(hexes, hexes)
def test_a_line_is_a_shortest_chain_and_the_same_backwards(a, b):
    chain = line(a, b)
    assert chain[0] == a
    assert chain[-1] == b
    assert len(chain) == distance(a, b) + 1
    assert all(distance(x, y) == 1 for x, y in pairwise(chain))
    assert chain == tuple(reversed(line(b, a)))


@given(hexes, hexes, hexes)
def test_a_line_does_not_depend_on_where_the_map_begins(a, b, shift):
    moved = line(Axial(a.q + shift.q, a.r + shift.r), Axial(b.q + shift.q, b.r + shift.r))
    assert moved == tuple(Axial(hex.q + shift.q, hex.r + shift.r) for hex in line(a, b))


@given(small, small, st.integers(1, 40))
def test_a_cell_holds_its_point(q, r, scale):
    """The point is no further than half a step from the centre, measured across each pair of sides."""
    hex = cell(q, r, scale)
    dq, dr = q - hex.q * scale, r - hex.r * scale
    ds = -dq - dr
    assert max(abs(dq - dr), abs(dr - ds), abs(ds - dq)) <= scale


@pytest.mark.parametrize("direction", range(6))
def test_a_point_on_a_side_always_goes_the_way_of_the_nudge(direction):
    across = DIRECTIONS[direction]
    onward = across.q * 1 + across.r * 2 + across.s * -3 > 0
    for hex in disc(ORIGIN, 3):
        middle = cell(2 * hex.q + across.q, 2 * hex.r + across.r, 2)
        assert middle == (step(hex, direction) if onward else hex)


def test_corners_lie_between_the_sides_they_are_named_for():
    for i in range(6):
        assert corner(ORIGIN, i) == CORNERS[i]
        assert corner(ORIGIN, i) == corner(step(ORIGIN, i), i + 2) == corner(step(ORIGIN, i + 1), i + 4)
