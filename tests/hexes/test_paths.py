from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.hexes import (
    PROHIBITED,
    STOP,
    STOP_AND_NO_INFILTRATION,
    Grid,
    Numbering,
    StepCosts,
    ZocRule,
    board_from_rows,
    reach,
    shortest_path,
)

GRID = Grid(Numbering("pointy", 6, 6))
SIZE = len(GRID)
ROW = Grid(Numbering("pointy", 1, 7))
tables = st.lists(st.integers(-1, 4), min_size=6 * SIZE, max_size=6 * SIZE)
masks = st.lists(st.sampled_from([0, 0, 0, 1]), min_size=SIZE, max_size=SIZE).map(bytes)
ids = st.integers(0, SIZE - 1)
extra = st.integers(0, 2)
rules = st.builds(ZocRule, st.booleans(), extra, extra, st.integers(-1, 2))


def naive(table, start, points, zoc, rule, barred, surcharge):
    """Relax every step over and over until nothing improves."""
    best = {start: 0}
    changed = True
    while changed:
        changed = False
        for a in sorted(best):
            if rule.stop and zoc[a] and a != start:
                continue
            for direction, b in enumerate(GRID.around[a]):
                price = table[6 * a + direction]
                if b < 0 or price < 0 or barred[b] or surcharge(a, b) < 0 or (zoc[a] and zoc[b] and rule.within < 0):
                    continue
                price += surcharge(a, b) + rule.enter * zoc[b] + rule.leave * zoc[a]
                price += rule.within * (zoc[a] and zoc[b])
                if best[a] + price <= points and best[a] + price < best.get(b, points + 1):
                    best[b] = best[a] + price
                    changed = True
    return best


@given(tables, ids, st.integers(0, 12), masks)
def test_reach_equals_a_naive_search(table, start, points, barred):
    found = reach(StepCosts.of_table(GRID, table), start, points, barred=barred)
    assert found.costs() == naive(table, start, points, bytes(SIZE), STOP, barred, lambda a, b: 0)


@given(tables, ids, st.integers(0, 12), masks, rules, masks, st.booleans())
def test_reach_among_zones_equals_a_naive_search(table, start, points, zoc, rule, barred, odd):
    surcharge = (lambda a, b: (a * 7 + b) % 4 - 1) if odd else None
    found = reach(
        StepCosts.of_table(GRID, table), start, points, zoc=zoc, rule=rule, barred=barred, surcharge=surcharge
    )
    expected = naive(table, start, points, zoc, rule, barred, surcharge or (lambda a, b: 0))
    assert found.costs() == expected
    for hex in range(SIZE):
        assert (hex in found) == (hex in expected)
        assert found.cost(hex) == expected.get(hex)
        path = found.path_to(hex)
        assert bool(path) == (hex in expected)
        if path:
            assert (path[0], path[-1]) == (start, hex)
            assert all(GRID.are_adjacent(a, b) for a, b in pairwise(path))
            spent = 0
            for a, b in pairwise(path):
                spent += table[6 * a + GRID.direction(a, b)] + (surcharge(a, b) if surcharge else 0)
                spent += rule.enter * zoc[b] + rule.leave * zoc[a] + rule.within * (zoc[a] and zoc[b])
            assert spent == expected[hex]


@given(tables, ids, st.integers(0, 12))
def test_hexes_come_in_order_of_cost(table, start, points):
    found = reach(StepCosts.of_table(GRID, table), start, points)
    costs = [found.cost(hex) for hex in found.hexes]
    assert costs == sorted(costs)
    assert found.hexes[0] == start
    assert len(found) == len(set(found.hexes))


def along(points=9, **zones):
    """A row of seven hexes, one point each, from the west end."""
    return sorted(reach(StepCosts.of_steps(ROW, lambda a, b, side: 1), 0, points, **zones).costs().items())


def test_who_enters_a_zone_stops():
    assert along(zoc=b"\0\0\1\0\0\0\0") == [(0, 0), (1, 1), (2, 2)]


def test_who_starts_in_a_zone_may_leave_it():
    assert along(points=2, zoc=b"\1\0\0\0\0\0\0") == [(0, 0), (1, 1), (2, 2)]
    assert along(zoc=b"\1\1\0\0\0\0\0") == [(0, 0), (1, 1)]


def test_zone_to_zone_may_be_forbidden_from_the_first_step():
    assert along(zoc=b"\1\1\0\0\0\0\0", rule=STOP_AND_NO_INFILTRATION) == [(0, 0)]


def test_zones_may_cost_instead_of_stopping():
    zoc = b"\0\1\1\0\0\0\0"
    assert along(points=6, zoc=zoc, rule=ZocRule(stop=False, enter=1)) == [(0, 0), (1, 2), (2, 4), (3, 5), (4, 6)]
    assert along(points=5, zoc=zoc, rule=ZocRule(stop=False, leave=1)) == [(0, 0), (1, 1), (2, 3), (3, 5)]
    assert along(points=7, zoc=zoc, rule=ZocRule(stop=False, within=3)) == [(0, 0), (1, 1), (2, 5), (3, 6), (4, 7)]


def test_a_barred_hex_is_neither_entered_nor_passed_but_may_be_left():
    assert along(barred=b"\1\0\0\1\0\0\0") == [(0, 0), (1, 1), (2, 2)]


def test_no_points_no_move_and_less_than_none_not_even_that():
    assert along(points=0) == [(0, 0)]
    assert along(points=-1) == []
    assert along(points=-1, zoc=bytes(7)) == []


def test_steps_for_nothing_are_followed_to_the_end():
    free = StepCosts.of_steps(ROW, lambda a, b, side: 0)
    assert reach(free, 0, 0).costs() == dict.fromkeys(range(7), 0)


def test_costs_come_from_terrain_and_hexside():
    board = board_from_rows(". f .", {".": "clear", "f": "forest"}, sides={"0102|0103": {"river": ["Orne", 1]}})

    def cost(a, b, side):
        return (2 if board.terrain_of(b) == "forest" else 1) + (3 if board.side_data[side].get("river") else 0)

    costs = StepCosts.of_steps(board.grid, cost)
    assert (costs.cost(0, 1), costs.cost(1, 0), costs.cost(1, 2), costs.cost(2, 1)) == (2, 1, 4, 5)
    assert costs.cost(0, 2) is None


@given(tables)
def test_function_and_table_build_the_same_costs(table):
    by_function = StepCosts.of_steps(GRID, lambda a, b, side: table[6 * a + GRID.direction(a, b)])
    assert by_function == StepCosts.of_table(GRID, table)
    assert {step for a, steps in enumerate(by_function.exits) for step in ((a, b, c) for b, c in steps)} == {
        (b, a, c) for a, steps in enumerate(by_function.backward().exits) for b, c in steps
    }


def test_a_table_of_the_wrong_size_is_refused():
    with pytest.raises(ValueError, match="a cost table for 7 hexes has 42 entries, not 7"):
        StepCosts.of_table(ROW, [1] * 7)


def test_roads_are_laid_over_terrain():
    hills = StepCosts.of_steps(ROW, lambda a, b, side: 3)
    road = StepCosts.of_links(8, [(0, 1, 1), (1, 2, 1), (2, 7, 1), (3, 4, PROHIBITED)])
    both = hills.merged(road)
    assert [sorted(steps) for steps in both.exits] == [sorted(steps) for steps in road.merged(hills).exits]
    assert (both.cost(0, 1), both.cost(1, 0), both.cost(2, 3), both.cost(3, 4)) == (1, 1, 3, 3)
    assert both.cost(2, 7) == both.cost(7, 2) == 1
    assert reach(both, 0, 5).costs() == {0: 0, 1: 1, 2: 2, 7: 3, 3: 5}


@given(tables, ids, ids, masks)
def test_shortest_path_is_as_cheap_as_reach(table, start, goal, barred):
    costs = StepCosts.of_table(GRID, table)
    path = shortest_path(costs, start, goal, barred=barred)
    expected = reach(costs, start, 4 * SIZE, barred=barred).cost(goal)
    assert (path is None) == (expected is None)
    if path is not None:
        assert (path[0], path[-1]) == (start, goal)
        assert sum(costs.cost(a, b) for a, b in pairwise(path)) == expected
        assert not any(barred[hex] for hex in path[1:])


def test_shortest_path_follows_rails_and_boxes():
    links = {"0101|0102": {"rail": 1}, "0102|0103": {"rail": 1}, "0103|0104": {"road": 1}, "0103|usa": {"sea": 1}}
    usa = {"name": {"en": "USA", "fr": "États-Unis"}, "kind": "box"}
    board = board_from_rows(". . . .", {".": "clear"}, links=links, areas={"usa": usa})
    net = [(a, b, 1) for kind in ("rail", "sea") for a, b, _ in board.links(kind)]
    rail = StepCosts.of_links(board.node_count, net)
    assert [board.name_of(node) for node in shortest_path(rail, 0, board.node("usa"))] == [
        "0101",
        "0102",
        "0103",
        "usa",
    ]
    assert shortest_path(rail, 0, board.hex("0104")) is None
