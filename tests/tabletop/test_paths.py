"""Movement: costs by hand, reach against the search over every (point, facing), against straight lines, and bases."""

import random
from heapq import heappop, heappush
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.tabletop import (
    CM,
    DISC_3,
    LONG_6,
    PER_CM,
    PIVOT,
    Bases,
    StepCosts,
    arrival,
    distance,
    field,
    path,
    reach,
    spent,
    straight_back,
)
from grognard.tabletop.ground import FORBIDDEN
from grognard.tabletop.paths import LENGTHS, QUARTER, STRAIGHT

from .tables import NAMES, TERRAIN, bare, box, facings, house, line, names, steps, table


def at(t, x, y):
    return t.point_at(round(x * CM), round(y * CM))


def cost_to(t, drive, start, end, budget=60, facing=None, **more):
    """Centimetres from place to place, or None."""
    s = StepCosts(t, drive, (2, 3), hull=facing is not None, **more)
    found = reach(s, at(t, *start), facing, budget * PER_CM)
    return round(spent(found, at(t, *end)) / PER_CM, 1) if at(t, *end) in found else None


def test_open_ground_costs_its_length():
    t = bare()
    assert cost_to(t, "foot", (11, 11), (31, 11)) == 20
    assert cost_to(t, "foot", (11, 11), (21, 21)) == 14.2
    assert cost_to(t, "foot", (11, 11), (31, 21)) == 22.3


def test_slow_ground_is_paid_by_both_ends_of_a_step():
    t = bare(area=[box("dense-wood", 20, 0, 20, 60)])
    assert cost_to(t, "foot", (11, 11), (16, 11)) == 5
    assert cost_to(t, "foot", (11, 11), (36, 11)) == 41.2
    assert cost_to(t, "wheeled", (11, 11), (31, 11)) is None


def test_a_road_has_its_own_rate_when_both_ends_are_on_it():
    t = bare(road=[{"kind": "road", "id": "r", "width": 5, "path": [[0, 30], [60, 30]]}])
    assert cost_to(t, "tracked", (11, 31), (41, 31)) == 20
    assert cost_to(t, "foot", (11, 31), (41, 31)) == 30


def test_a_line_is_paid_once_and_a_wall_is_no_way_for_wheels():
    t = bare(line=[line("hedge", (30, 0), (30, 60))])
    assert cost_to(t, "tracked", (21, 31), (41, 31)) == 25
    assert cost_to(t, "wheeled", (21, 31), (41, 31)) is None
    assert cost_to(t, "tracked", (21, 31), (41, 31), opened=[0]) == 20
    ditch = bare(line=[line("ditch", (30, 0), (30, 60))], area=[box("bridge", 25, 28, 10, 5, "plank")])
    assert cost_to(ditch, "tracked", (21, 31), (41, 31)) == 20


def test_a_house_costs_its_entry_and_keeps_vehicles_out():
    t = bare(building=[house(30, 20, 10, 10)])
    assert cost_to(t, "foot", (21, 26), (36, 26)) == 20
    assert cost_to(t, "tracked", (21, 26), (36, 26)) is None


def test_a_hull_pays_for_turning_from_a_standstill():
    t = bare()
    assert cost_to(t, "tracked", (31, 31), (41, 31), facing=4) == 10
    assert cost_to(t, "tracked", (31, 31), (41, 31), facing=3) == 10
    assert cost_to(t, "tracked", (31, 31), (41, 31), facing=0) == 15
    assert cost_to(t, "tracked", (31, 31), (41, 31), facing=12) == 20


def test_backwards_is_straight_and_costs_double():
    t = bare()
    s = StepCosts(t, "tracked")
    found = straight_back(s, at(t, 31, 31), 4, 20 * PER_CM)
    assert sorted(t.names[p] for p in found) == ["021-031", "023-031", "026-031", "028-031"]
    assert all(arrival(found, p) == 4 for p in found)
    assert max(spent(found, p) for p in found) == 20 * PER_CM
    assert len(straight_back(s, at(t, 31, 31), 4, 20 * PER_CM, walls={at(t, 26, 31)})) == 1


def test_walls_are_not_entered_and_friends_cost_more():
    t = bare(line=[line("ditch", (0, 29), (60, 29), name="n"), line("ditch", (0, 34), (60, 34), name="s")])
    s = StepCosts(t, "tracked", hull=False)
    start, end, between = at(t, 11, 31), at(t, 41, 31), at(t, 26, 31)
    column = [p for p in t.points if t.x[p] == t.x[between]] + [p for p in t.points if t.x[p] == t.x[between] + 10]
    assert end in reach(s, start, None, 40 * PER_CM)
    assert end not in reach(s, start, None, 40 * PER_CM, walls=set(column))
    slow = reach(s, start, None, 60 * PER_CM, passing=dict.fromkeys(column, 10 * PER_CM))
    assert spent(slow, end) >= 40 * PER_CM


def whole_search(s, start, facing, budget):
    """Every (point, facing) state, up to 90 degrees at every step: slow and plain."""
    best, queue = {}, []
    for offset, cost, way in s.first(start, facing):
        heappush(queue, (cost, start + offset, way))
    while queue:
        cost, p, way = heappop(queue)
        if cost > budget or best.get((p, way), 1 << 40) <= cost:
            continue
        best[p, way] = cost
        row = s.row(p)
        for turn in range(-QUARTER, QUARTER + 1):
            onward = (way + turn) % 16
            if row[onward] != FORBIDDEN:
                pivot = PIVOT if s.hull and abs(turn) > STRAIGHT else 0
                heappush(queue, (cost + row[onward] + pivot, p + s.table.offsets[onward], onward))
    found = {}
    for (p, _), cost in best.items():
        if p != start:
            found[p] = min(cost, found.get(p, 1 << 40))
    return found


@pytest.mark.parametrize(("drive", "least"), [("foot", 99), ("tracked", 98), ("wheeled", 97)])
@pytest.mark.parametrize("name", NAMES)
def test_reach_finds_what_the_whole_search_finds_and_nothing_false(name, drive, least):
    least = 88 if (name, drive) == ("stalingrad42", "wheeled") else least  # streets only: turning is most of the way
    s, chance, found, true = steps(name, drive), random.Random(name + drive), 0, 0
    starts = [p for p in s.table.points if s.rate[p] != FORBIDDEN]
    for _ in range(4):
        start, facing = chance.choice(starts), chance.randrange(16)
        quick, slow = (f(s, start, facing, 30 * PER_CM) for f in (reach, whole_search))
        assert set(quick) <= set(slow)
        assert all(quick[p] >> 4 >= slow[p] for p in quick)
        found, true = found + len(quick), true + len(slow)
    assert found * 100 >= true * least


@given(names, st.sampled_from(["foot", "tracked", "wheeled"]), st.randoms(use_true_random=False), facings)
@settings(max_examples=60, deadline=None)
def test_a_way_is_made_of_steps_that_add_up_to_its_cost(name, drive, chance, facing):
    s, t = steps(name, drive), table(name)
    start = chance.choice([p for p in t.points if s.rate[p] != FORBIDDEN])
    found = reach(s, start, facing, 30 * PER_CM)
    assert start not in found
    for end in chance.sample(sorted(found), min(6, len(found))):
        way = path(t, found, start, end)
        facings_of = [t.offsets.index(q - p) for p, q in pairwise(way)]
        total = s.row(start)[facings_of[0]] + s.pivot(facing, facings_of[0])
        for p, before, onward in zip(way[1:], facings_of, facings_of[1:]):
            total += s.row(p)[onward] + (PIVOT if s.hull and (onward - before) % 16 not in (0, 1, 15) else 0)
        assert total == spent(found, end)
        assert facings_of[-1] == arrival(found, end)


@given(st.integers(0, 23), st.integers(0, 23), facings)
@settings(max_examples=100, deadline=None)
def test_over_open_ground_a_way_is_hardly_longer_than_the_ruler(col, row, facing):
    t = bare()
    start, end = at(t, 31, 31), t.point_at(col * 10, row * 10)
    found = reach(StepCosts(t, "foot", hull=False), start, facing, 60 * PER_CM)
    if start != end:
        ruler = distance(t.x[start], t.y[start], t.x[end], t.y[end])
        assert ruler - 1 <= spent(found, end) / 12 <= ruler * 1.03 + 1


@given(names, st.randoms(use_true_random=False))
@settings(max_examples=10, deadline=None)
def test_the_field_never_promises_more_than_a_way_costs(name, chance):
    s = steps(name, "foot")
    goal = chance.choice([p for p in s.table.points if s.rate[p] != FORBIDDEN])
    far = field(s, [goal])
    start = chance.choice(sorted(far))
    found = reach(s, start, None, 40 * PER_CM)
    assert goal not in found or far[start] <= spent(found, goal)
    assert far[goal] == 0


def test_bases_stop_only_where_they_fit():
    t = bare()
    bases, middle = Bases(t), at(t, 31, 31)
    s = StepCosts(t, "tracked")
    found = reach(s, at(t, 11, 31), 4, 40 * PER_CM)
    enemy = (LONG_6, middle, 0)
    stops = bases.stops(found, LONG_6, [enemy])
    assert middle not in stops
    assert set(stops) < set(found)
    assert all(bases.fits(LONG_6, p, arrival(stops, p), [enemy]) for p in stops)
    assert not any(bases.fits(LONG_6, p, arrival(found, p), [enemy]) for p in set(found) - set(stops))
    assert bases.fits(DISC_3, middle + 5, 0, [enemy])
    assert bases.stops(found, LONG_6, []) == found


def test_warm_costs_are_the_same_as_cold_ones():
    t = table("bocage44")
    cold, warm = StepCosts(t, "tracked", (2, 3)), StepCosts(t, "tracked", (2, 3))
    warm.warm()
    start = next(p for p in t.points if cold.rate[p] != FORBIDDEN)
    assert reach(cold, start, 4, 40 * PER_CM) == reach(warm, start, 4, 40 * PER_CM)


def test_an_unknown_drive_is_refused_with_the_known_ones():
    with pytest.raises(KeyError, match="foot, tracked, half, wheeled"):
        StepCosts(bare(), "hover")


def test_lengths_of_steps():
    assert LENGTHS[:4] == (120, 268, 170, 268)
    assert TERRAIN.drives == ("foot", "tracked", "half", "wheeled")


@given(names, st.sampled_from(("foot", "tracked", "wheeled")), st.integers(5, 60), st.randoms(use_true_random=False))
@settings(max_examples=20, deadline=None)
def test_nothing_is_reached_beyond_the_furthest(name, drive, cm, chance):
    s = steps(name, drive, (3, 8))
    start = chance.choice([p for p in s.table.points if s.rate[p] != FORBIDDEN])
    x, y, most = s.table.x, s.table.y, s.furthest(cm * PER_CM)
    found = reach(s, start, 4 if s.hull else None, cm * PER_CM)
    assert all((x[p] - x[start]) ** 2 + (y[p] - y[start]) ** 2 <= most * most for p in found)


def test_the_furthest_is_a_road_where_there_is_one():
    road = bare(road=[{"kind": "road", "id": "r", "width": 5, "path": [[0, 30], [60, 30]]}])
    assert StepCosts(bare(), "tracked", (1, 2)).furthest(12 * PER_CM) == 12 * CM * 61 // 60 + 1
    assert StepCosts(road, "tracked", (1, 2)).furthest(12 * PER_CM) == 24 * CM * 61 // 60 + 1


def test_a_stand_stops_where_its_disc_fits_in_any_facing():
    t = bare()
    bases, middle = Bases(t), at(t, 31, 31)
    found = reach(StepCosts(t, "foot", hull=False), at(t, 21, 31), None, 20 * PER_CM)
    stops = bases.stops(found, DISC_3, [(LONG_6, middle, 0)])
    assert set(stops) < set(found)
    assert all(bases.fits(DISC_3, p, f, [(LONG_6, middle, 0)]) == (p in stops) for p in found for f in (0, 5))
