"""Lengths, arcs and bases against shapely and against angles worked out with floats."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import LineString, Point, Polygon

from grognard.tabletop import (
    DISC_3,
    DISC_4,
    FACING_NAMES,
    FACINGS,
    FRONT,
    LONG_6,
    REAR,
    SIDE,
    centimetres,
    distance,
    face_hit,
    gap,
    gap_to_point,
    gap_to_shape,
    in_arc,
    nearest_facing,
    turn_between,
)
from grognard.tabletop.measure import inside, segments_meet, spine

from .tables import facings

near = st.integers(-200, 200)
far = st.integers(-700, 700)
bases = st.sampled_from([DISC_3, DISC_4, LONG_6])
vectors = st.tuples(far, far).filter(any)


def capsule(base, x, y, facing):
    ax, ay, bx, by = spine(base, x, y, facing)
    return LineString([(ax, ay), (bx, by)]) if (ax, ay) != (bx, by) else Point(ax, ay)


def degrees(dx, dy):
    """Clockwise from the top."""
    return math.degrees(math.atan2(dx, -dy))


def off(facing, dx, dy):
    """The angle between a facing and a vector."""
    return abs((degrees(dx, dy) - degrees(*FACINGS[facing]) + 180) % 360 - 180)


@given(bases, near, near, facings, bases, near, near, facings)
def test_a_gap_is_the_distance_between_two_capsules_rounded_up(a, ax, ay, fa, b, bx, by, fb):
    true = max(0.0, capsule(a, ax, ay, fa).distance(capsule(b, bx, by, fb)) - a.radius - b.radius)
    found = gap(a, ax, ay, fa, b, bx, by, fb)
    assert found == gap(b, bx, by, fb, a, ax, ay, fa)
    assert true - 1e-6 <= found < true + 1.26


@given(bases, near, near, facings, near, near)
def test_a_gap_to_a_point_is_its_distance_from_the_capsule(base, x, y, facing, px, py):
    true = max(0.0, capsule(base, x, y, facing).distance(Point(px, py)) - base.radius)
    assert true - 1e-6 <= gap_to_point(base, x, y, facing, px, py) < true + 1.26


@given(bases, near, near, facings, st.integers(1, 100), st.integers(1, 100))
def test_a_gap_to_a_shape_is_its_distance_from_the_polygon(base, x, y, facing, wide, deep):
    shape = ((0, 0), (wide, 0), (wide, deep), (0, deep))
    true = max(0.0, capsule(base, x, y, facing).distance(Polygon(shape)) - base.radius)
    assert true - 1e-6 <= gap_to_shape(base, x, y, facing, shape) < true + 1.26


def test_a_vehicle_is_six_by_three_centimetres_along_its_facing():
    assert gap(LONG_6, 0, 0, 4, LONG_6, 24, 0, 4) == 0  # nose to tail
    assert gap(LONG_6, 0, 0, 4, LONG_6, 25, 0, 4) == 1
    assert gap(LONG_6, 0, 0, 4, LONG_6, 0, 12, 4) == 0  # side by side
    assert gap(LONG_6, 0, 0, 4, LONG_6, 0, 13, 4) == 1
    assert gap(DISC_4, 0, 0, 0, DISC_3, 0, 80, 0) == 66


@given(facings, vectors)
def test_an_arc_is_the_angle_it_says(facing, vector):
    angle = off(facing, *vector)
    for width in (45, 60, 90, 180):
        if abs(angle - width / 2) > 0.01:
            assert in_arc(facing, *vector, width) == (angle < width / 2)
    assert in_arc(facing, *vector, 360)


@given(facings, vectors)
def test_the_face_hit_is_the_quarter_from_which_the_shot_comes(facing, vector):
    angle = off(facing, *vector)
    if abs(angle - 45) > 1e-6 and abs(angle - 135) > 1e-6:
        assert face_hit(facing, *vector) == (FRONT if angle < 45 else REAR if angle > 135 else SIDE)


@given(vectors)
def test_the_nearest_facing_is_at_most_thirteen_degrees_off(vector):
    found = nearest_facing(*vector)
    assert off(found, *vector) <= min(off(f, *vector) for f in range(16)) + 1e-9
    assert off(found, *vector) < 13.3


@given(facings, facings)
def test_turns_go_the_short_way(a, b):
    assert turn_between(a, b) == turn_between(b, a) == min((a - b) % 16, (b - a) % 16) <= 8


def test_facings_run_clockwise_from_the_top():
    assert [degrees(*f) % 360 for f in FACINGS] == sorted(degrees(*f) % 360 for f in FACINGS)
    assert FACING_NAMES[4] == "E"
    assert FACINGS[4] == (1, 0)


def test_lengths_are_rounded_up_for_people():
    assert [centimetres(n) for n in (0, 1, 4, 5)] == [0, 1, 1, 2]
    assert distance(0, 0, 3, 4) == 5
    assert distance(0, 0, 1, 1) == 2


@given(st.lists(st.tuples(near, near), min_size=3, max_size=8, unique=True), near, near)
def test_inside_agrees_with_shapely(corners, x, y):
    shape = Polygon(corners)
    if shape.is_valid:
        assert inside(tuple(corners), x, y) == shape.intersects(Point(x, y))


small = st.integers(-6, 6)


@given(*([small] * 8))
def test_segments_meet_agrees_with_shapely(ax, ay, bx, by, cx, cy, dx, dy):
    one, two = LineString([(ax, ay), (bx, by)]), LineString([(cx, cy), (dx, dy)])
    if (ax, ay) != (bx, by) and (cx, cy) != (dx, dy):
        assert segments_meet(ax, ay, bx, by, cx, cy, dx, dy) == one.intersects(two)


def test_an_arc_that_nobody_has_is_an_error():
    with pytest.raises(KeyError):
        in_arc(0, 1, 1, 120)
