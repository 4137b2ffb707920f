from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from grognard.hexes import (
    Grid,
    Numbering,
    Stage,
    StepCosts,
    board_from_rows,
    over_costs,
    over_hexes,
    over_links,
    reach,
    region_of,
    regions,
    trace,
)

GRID = Grid(Numbering("flat", 5, 6, "col-row", shift="south"))
SIZE = len(GRID)
ROW = Grid(Numbering("pointy", 1, 9))
masks = st.lists(st.sampled_from([0, 1]), min_size=SIZE, max_size=SIZE).map(bytes)
ids = st.integers(0, SIZE - 1)


@given(masks)
def test_regions_part_the_hexes_that_belong(mask):
    found = regions(GRID, mask.__getitem__)
    assert sorted(hex for region in found for hex in region) == [hex for hex in range(SIZE) if mask[hex]]
    assert list(found) == sorted(found)
    where = {hex: i for i, region in enumerate(found) for hex in region}
    for a, b in GRID.sides:
        if mask[a] and mask[b]:
            assert where[a] == where[b]
    for region in found:
        assert region == region_of(GRID, region[-1], mask.__getitem__)


def test_a_side_that_stops_parts_a_region():
    wall = ROW.side_between(3, 4)
    assert regions(ROW, lambda hex: hex != 6, lambda side: side != wall) == ((0, 1, 2, 3), (4, 5), (7, 8))


@given(ids, st.integers(0, 6), st.lists(st.integers(-1, 3), min_size=6 * SIZE, max_size=6 * SIZE), masks)
def test_one_stage_agrees_with_reach(source, limit, table, barred):
    costs = StepCosts.of_table(GRID, table)
    lanes = trace([source], Stage(over_costs(costs), limit, may_enter=lambda hex: not barred[hex]))
    found = reach(costs, source, limit, barred=barred).costs()
    assert {hex: lanes.distance(hex) for hex in lanes.nodes} == found
    for hex in lanes.nodes:
        lane = lanes.lane(hex)
        assert (lane[0], lane[-1]) == (source, hex)
        assert sum(costs.cost(a, b) for a, b in pairwise(lane)) == found[hex]


@given(st.sets(ids, min_size=1, max_size=4), masks)
def test_each_lane_starts_at_a_nearest_source(sources, barred):
    stage = Stage(over_hexes(GRID), may_enter=lambda hex: not barred[hex])
    lanes = trace(sources, stage)
    alone = [trace([source], stage) for source in sources]
    for hex in range(SIZE):
        near = [found.distance(hex) for found in alone if hex in found]
        assert lanes.distance(hex) == (min(near) if near else None)
        assert (lanes.source_of(hex) in sources) == (hex in lanes)


def test_any_length_by_rail_then_three_hexes_overland():
    rail = {f"01{i:02d}|01{i + 1:02d}": {"rail": 1} for i in (1, 2)}
    board = board_from_rows(". . . . . . . . .", {".": "clear"}, links=rail)
    stages = Stage(over_links(board, "rail")), Stage(over_hexes(board.grid), limit=3)
    lanes = trace([0], *stages)
    assert lanes.nodes == (0, 1, 2, 3, 4, 5)
    assert lanes.legs(5) == ((0, 1, 2), (2, 3, 4, 5))
    assert lanes.lane(5) == (0, 1, 2, 3, 4, 5)
    assert (lanes.distance(5), lanes.last_leg(5), lanes.stage_of(5), lanes.source_of(5)) == (5, 3, 1, 0)
    assert (lanes.distance(2), lanes.last_leg(2), lanes.stage_of(2)) == (2, 2, 0)
    assert trace([0], stages[1]).nodes == (0, 1, 2, 3)
    assert trace([5], *stages).nodes == (2, 3, 4, 5, 6, 7, 8)  # no rail at the source: a first leg of no length


def test_without_a_lane_every_answer_is_empty():
    lanes = trace([0], Stage(over_hexes(ROW), limit=1))
    assert 5 not in lanes
    assert len(lanes) == 2
    assert (lanes.lane(5), lanes.legs(5)) == ((), ())
    assert (lanes.distance(5), lanes.last_leg(5), lanes.stage_of(5), lanes.source_of(5)) == (None,) * 4
    assert trace([], Stage(over_hexes(ROW))).nodes == ()


def test_a_zone_may_be_reached_but_not_passed():
    lanes = trace([0], Stage(over_hexes(ROW), may_pass=lambda hex: hex != 3))
    assert lanes.nodes == (0, 1, 2, 3)
    assert trace([0], Stage(over_hexes(ROW), may_enter=lambda hex: hex != 3)).nodes == (0, 1, 2)


def test_what_one_stage_may_not_pass_the_next_does_not_start_from():
    short = Stage(over_hexes(ROW), limit=3, may_pass=lambda hex: hex != 3)
    assert trace([0], short, Stage(over_hexes(ROW), limit=1)).nodes == (0, 1, 2, 3)
    assert trace([0], Stage(over_hexes(ROW), limit=3), short).nodes == (0, 1, 2, 3)


def test_a_source_under_the_enemys_nose_still_gives():
    never = Stage(over_hexes(ROW), limit=2, may_enter=lambda hex: hex != 0, may_pass=lambda hex: hex != 0)
    assert trace([0], never).nodes == (0, 1, 2)


def test_a_lane_stops_at_a_barred_side():
    wall = ROW.side_between(4, 5)
    assert trace([0], Stage(over_hexes(ROW, may_cross=lambda side: side != wall))).nodes == (0, 1, 2, 3, 4)


def test_costs_of_a_stage_are_counted_outwards():
    uphill = over_hexes(ROW, cost=lambda a, b: -1 if b == 6 else b)
    lanes = trace([2], Stage(uphill, limit=7))
    assert {hex: lanes.distance(hex) for hex in lanes.nodes} == {0: 1, 1: 1, 2: 0, 3: 3, 4: 7}


def test_lanes_run_through_boxes():
    usa = {"name": {"en": "USA", "fr": "États-Unis"}, "kind": "box"}
    board = board_from_rows(". . .", {".": "clear"}, areas={"usa": usa}, links={"0101|usa": {"sea": 1}})
    box = board.node("usa")
    lanes = trace([box], Stage(over_links(board, "sea", "rail")), Stage(over_hexes(board.grid), limit=1))
    assert lanes.nodes == (0, 1, box)
    assert lanes.lane(1) == (box, 0, 1)
