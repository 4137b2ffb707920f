"""The sense of the front: a line with one gap, a town behind it, a port, a wall on the way."""

from __future__ import annotations

from grognard.kit.front import URGENCY, Ferries, Line, March, Ways, approach, flood, ramp, threat, tolls

WIDE, HIGH = 7, 5
SIZE = WIDE * HIGH
AROUND = [  # a plain field of squares is map enough: eight neighbours
    [
        (y + dy) * WIDE + x + dx
        for dy in (-1, 0, 1)
        for dx in (-1, 0, 1)
        if (dx, dy) != (0, 0) and 0 <= x + dx < WIDE and 0 <= y + dy < HIGH
    ]
    for y in range(HIGH)
    for x in range(WIDE)
]
STEPS = [[(other, 1) for other in row] for row in AROUND]


def at(x: int, y: int) -> int:
    return y * WIDE + x


def field(guards: list[int], points: int = 4, worth: list[int] | None = None) -> Line:
    """An enemy in the west of the middle row, guards with zones of control somewhere in the field."""
    held, zones = bytearray(SIZE), bytearray(SIZE)
    for hex in guards:
        held[hex] = 1
        for other in AROUND[hex]:
            zones[other] += 1
    march = March(STEPS, {at(0, 2): points})
    return Line([march], {at(0, 2): 2}, held, zones, worth or [1] * SIZE, AROUND, points)


def test_a_march_goes_as_far_as_the_points_and_stops_in_a_zone() -> None:
    free = field([])
    assert at(4, 2) in free.wet
    assert at(5, 2) not in free.wet
    barred = field([at(3, 1), at(3, 4)])
    assert at(2, 2) in barred.wet, "he may enter a zone"
    assert not barred.wet & {at(3, 2), at(4, 2)}, "and no more"


def test_one_hex_is_always_possible_and_a_zone_is_dear_to_leave() -> None:
    held, zones = bytearray(SIZE), bytearray(SIZE)
    zones[at(0, 2)] = 1
    march = [March(STEPS, {at(0, 2): 1})]
    assert flood(march, {at(0, 2): 2}, held, zones, 4) == set(AROUND[at(0, 2)])
    march = [March(STEPS, {at(0, 2): 4})]
    assert at(2, 2) in flood(march, {at(0, 2): 2}, held, zones, 4)
    assert at(3, 2) not in flood(march, {at(0, 2): 2}, held, zones, 4), "two of four points went for leaving"


def test_the_gap_is_where_a_unit_spares_most() -> None:
    line = field([at(3, 0)])
    best = max((line.spared(hex), -hex) for hex in range(SIZE) if not line.held[hex])
    assert -best[1] in (at(1, 2), at(2, 2), at(2, 3), at(1, 3)), "in his way, not in the far corner"
    assert line.spared(at(6, 4)) == 0
    assert line.spared(at(2, 3), zonal=False) < line.spared(at(2, 3)), "zones of control hold more than a body"
    assert line.spared(at(2, 2)) == line.spared(at(2, 2)), "asked twice the same"
    assert (bytes(line.held).count(1), line.zones[at(6, 4)]) == (1, 0), "and nothing is left behind by asking"


def test_a_town_in_the_flood_draws_the_reserve() -> None:
    worth = [0] * SIZE
    worth[at(4, 2)] = 6
    line = field([], worth=worth)
    assert line.before == 6
    assert line.to_leak(at(6, 2), AROUND) == 2
    assert line.to_leak(at(4, 2), AROUND) == 0


def test_a_way_through_an_army_is_dear_and_round_it_is_cheap() -> None:
    zones = bytearray(SIZE)
    goal = at(6, 2)
    free = approach(STEPS, {goal: 0}, tolls(zones, 5, {}), [at(0, 2)], 40)
    assert (free.cost[at(0, 2)], free.goal[at(0, 2)]) == (6, goal)
    wall = {at(3, y): 9 for y in range(HIGH)}
    through = approach(STEPS, {goal: 0}, tolls(zones, 5, wall), [at(0, 2)], 40)
    assert through.cost[at(0, 2)] == 15
    del wall[at(3, 4)]
    gap = approach(STEPS, {goal: 0}, tolls(zones, 5, wall), [at(0, 2)], 40)
    assert gap.cost[at(0, 2)] == 6, "one hole and the wall is worth nothing"


def test_an_open_port_is_a_way() -> None:
    steps = [[] if y == 2 else row for y in range(HIGH) for row in STEPS[y * WIDE : (y + 1) * WIDE]]
    steps = [[(other, cost) for other, cost in row if other // WIDE != 2] for row in steps]  # a strait across the map
    goal, port, coast = at(3, 0), at(3, 4), at(3, 1)
    dry = approach(steps, {goal: 0}, bytes(SIZE), [port], 40)
    assert dry.goal[port] == -1
    ferries = Ferries({coast: 0, port: 0}, {0: [port]}, 14)
    wet = approach(steps, {goal: 0}, bytes(SIZE), [port], 40, ferries)
    assert (wet.goal[port], wet.cost[port]) == (goal, 15)


def test_threat_is_a_share_of_the_worth_and_never_the_whole() -> None:
    ways = Ways([0, 10, 40, 0], [9, 9, -1, 9])
    one = threat([1], ways, {9: 500}, URGENCY)
    assert 0 < one < 500
    assert threat([2], ways, {9: 500}, URGENCY) == 0, "out of reach"
    assert one < threat([0], ways, {9: 500}, URGENCY) < 500, "the nearer the worse"
    assert threat([0, 3, 1, 1, 1], ways, {9: 500}, URGENCY) < 2 * threat([0], ways, {9: 500}, URGENCY)


def test_a_ramp_is_straight_between_its_corners() -> None:
    assert ramp([(0, 60), (2, 60), (4, 20)]) == (60, 60, 60, 40, 20)
