from fractions import Fraction
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from grognard.hexes import Grid, Numbering, can_see, first_block, sight_line
from grognard.hexes.coords import DIRECTIONS, ORIGIN, Axial, disc, distance, line, step
from grognard.hexes.sight import spans

GRID = Grid(Numbering("flat", 7, 8, "col-row", shift="south"))
HOLED = Grid(GRID.numbering, [name for i, name in enumerate(GRID.names) if i % 5])
hexes = st.builds(Axial, st.integers(-9, 9), st.integers(-9, 9))
ids = st.integers(0, len(GRID) - 1)
hex_masks = st.binary(min_size=len(GRID), max_size=len(GRID)).map(lambda raw: bytes(byte % 2 for byte in raw))
side_masks = st.integers(0, 2 ** len(GRID.sides) - 1)


def crossed(a, b, hex):
    """How the segment meets a hex, by clipping it to the three pairs of sides with fractions.

    Returns the stretch of the segment inside (or on the rim of) the hex, and whether it runs on the rim.
    """
    low, high = Fraction(0), Fraction(1)
    rim = False
    for (x, y), (dx, dy) in zip(
        ((a.q - hex.q, a.r - hex.r), (a.r - hex.r, a.s - hex.s), (a.s - hex.s, a.q - hex.q)),
        ((b.q - a.q, b.r - a.r), (b.r - a.r, b.s - a.s), (b.s - a.s, b.q - a.q)),
    ):
        start, slope = x - y, dx - dy  # must stay between -1 and 1
        if slope == 0:
            if abs(start) > 1:
                return Fraction(0), False
            rim = rim or abs(start) == 1
        else:
            ends = sorted((Fraction(-1 - start, slope), Fraction(1 - start, slope)))
            low, high = max(low, ends[0]), min(high, ends[1])
    return max(high - low, Fraction(0)), rim


@given(hexes, hexes)
def test_spans_hold_exactly_what_the_segment_crosses(a, b):
    found = spans(a, b)
    inside = {span[0] for span in found if len(span) == 1}
    beside = {hex for span in found if len(span) == 2 for hex in span}
    if a == b:
        assert found == ((a,),)
        return
    for hex in disc(a, distance(a, b) + 1):
        length, rim = crossed(a, b, hex)
        assert (hex in inside) == (length > 0 and not rim)
        assert (hex in beside) == (length > 0 and rim)


@given(hexes, hexes)
def test_spans_run_from_end_to_end_and_the_same_backwards(a, b):
    found = spans(a, b)
    assert (found[0], found[-1]) == ((a,), (b,))
    assert {frozenset(span) for span in found} == {frozenset(span) for span in spans(b, a)}
    assert [frozenset(span) for span in found] == [frozenset(span) for span in reversed(spans(b, a))]
    for before, after in pairwise(found):
        assert all(distance(x, y) == 1 for x in before for y in after)
    assert all(any(hex in span for span in found) for hex in line(a, b))


def test_straight_down_a_row_of_hexes():
    for direction in range(6):
        assert spans(ORIGIN, step(ORIGIN, direction, 3)) == tuple((step(ORIGIN, direction, n),) for n in range(4))


def test_along_a_hexside_both_neighbours_are_returned():
    for i in range(6):
        left, right = DIRECTIONS[i], DIRECTIONS[(i + 1) % 6]
        far = Axial(left.q + right.q, left.r + right.r)
        assert spans(ORIGIN, far) == ((ORIGIN,), (left, right), (far,))


def test_through_a_corner_without_following_a_side():
    """This line meets a corner of (1, 0) a third of the way: it goes on in one hex and only touches the other."""
    found = [tuple(map(tuple, span)) for span in spans(ORIGIN, Axial(4, 1))]
    assert found == [((0, 0),), ((1, 0),), ((2, 0),), ((2, 1),), ((3, 1),), ((4, 1),)]


@given(ids, ids)
def test_on_a_grid_each_span_names_the_sides_it_meets(a, b):
    found = sight_line(GRID, a, b)
    assert found[0] == ((a,), (), -1)
    for before, after in pairwise(found):
        assert set(after.entered) == {GRID.side_between(x, y) for x in before.hexes for y in after.hexes}
        assert (after.along >= 0) == (len(after.hexes) == 2)
        if after.along >= 0:
            assert set(GRID.hexes_of_side(after.along)) == set(after.hexes)


@given(ids, ids, hex_masks, side_masks, st.sampled_from(["both", "either"]))
def test_both_ends_see_each_other_or_neither_does(a, b, blocked, walls, between):
    for grid in (GRID, HOLED):
        x, y = a % len(grid), b % len(grid)
        args = blocked.__getitem__, lambda side: walls >> side & 1, between
        assert can_see(grid, x, y, *args) == can_see(grid, y, x, *args)


def test_hexes_between_block_and_ends_do_not():
    a, middle, b = (GRID.hex_named(name) for name in ("0302", "0303", "0304"))
    assert can_see(GRID, a, b, lambda hex: hex in (a, b))
    assert first_block(GRID, a, b, lambda hex: hex == middle).hexes == (middle,)
    assert can_see(GRID, a, middle, lambda hex: True)
    assert can_see(GRID, a, a, lambda hex: True)


def test_sides_crossed_block_even_at_the_ends():
    a, b = GRID.hex_named("0302"), GRID.hex_named("0303")
    hedge = GRID.side_between(a, b)
    assert not can_see(GRID, a, b, lambda hex: False, lambda side: side == hedge)
    assert can_see(GRID, a, b, lambda hex: False, lambda side: side != hedge)


def test_between_two_hexes_the_game_says_whether_one_is_enough():
    a, b = GRID.hex_named("0303"), GRID.hex_named("0503")
    (left, right), _, side = sight_line(GRID, a, b)[1]
    assert can_see(GRID, a, b, lambda hex: hex == left)
    assert not can_see(GRID, a, b, lambda hex: hex == left, between="either")
    assert not can_see(GRID, a, b, lambda hex: hex in (left, right))
    assert not can_see(GRID, a, b, lambda hex: False, lambda met: met == side)
    edge = GRID.side_between(a, left)
    assert can_see(GRID, a, b, lambda hex: False, lambda met: met == edge)
    assert not can_see(GRID, a, b, lambda hex: False, lambda met: met == edge, between="either")


def test_a_hole_in_the_map_does_not_block():
    names = ["0302", "0304"]
    grid = Grid(GRID.numbering, names)
    assert [span.hexes for span in sight_line(grid, 0, 1)] == [(0,), (), (1,)]
    assert can_see(grid, 0, 1, lambda hex: True, lambda side: True, "either")
