"""The judgement that holds a line: who must come, what is threatened through which positions, what a goal is worth."""

from __future__ import annotations

import pytest

from grognard.games.surrender.computer.conquest import conquest_worth, countries_of
from grognard.games.surrender.computer.front import (
    ATTACKER,
    DEFENDER,
    STYLES,
    front_of,
    front_score,
    in_style,
    menace,
    worth_weighing,
)
from grognard.games.surrender.computer.goals import CITY, goals
from grognard.games.surrender.computer.promises import can_follow
from grognard.games.surrender.computer.score import score_of
from grognard.games.surrender.frames import GroundCombat, GroundMove
from grognard.games.surrender.game import GAME
from grognard.games.surrender.rules.board import zones_again
from grognard.games.surrender.scenarios import world_named
from grognard.kernel import seed_from
from grognard.kernel.stacks import place

AXIS, WESTERN, SOVIET = 0, 1, 2


@pytest.fixture
def s():
    return GAME.setup("fall-gelb", {}, seed_from(1))


def without(s, *names):
    """The position with some armies taken off the map."""
    new = s.copy()
    for name in names:
        unit = world_named("fall-gelb").unit_ids[name]
        place(new, unit, -1)
    new.axis_zoc, new.allied_zoc = zones_again(new)
    return new


@pytest.mark.parametrize(
    ("scenario", "side", "posture"),
    [
        ("fall-gelb", AXIS, ATTACKER),
        ("fall-gelb", WESTERN, DEFENDER),
        ("barbarossa", AXIS, ATTACKER),
        ("barbarossa", SOVIET, DEFENDER),
    ],
)
def test_who_holds_less_of_what_it_is_about_must_come(scenario, side, posture):
    assert front_of(world_named(scenario)).posture(side) == posture


def test_a_line_makes_ways_dear_and_a_hole_makes_them_cheap(s):
    front = front_of(world_named("fall-gelb"))
    before = menace(s, front, front.aims, AXIS, WESTERN)
    assert before > 0
    open_door = without(s, "nl-field", "be-1", "be-2", "fr-9", "fr-2")
    assert menace(open_door, front, front.aims, AXIS, WESTERN) > before
    assert front_score(open_door, WESTERN) < front_score(s, WESTERN)


def test_fewer_enemies_threaten_less(s):
    front = front_of(world_named("fall-gelb"))
    fewer = without(s, "de-18", "de-6", "de-hoepner", "de-4", "de-hoth", "de-kleist")
    assert menace(fewer, front, front.aims, AXIS, WESTERN) < menace(s, front, front.aims, AXIS, WESTERN)


def test_berlin_is_worth_to_the_defender_what_victory_makes_of_it():
    aims = front_of(world_named("fall-gelb")).aims
    places = world_named("fall-gelb").theatre.places
    assert aims.worth[places["berlin"]] == 100
    assert aims.worth[places["paris"]] == 500


def test_an_ended_game_is_worth_more_than_any_position(s):
    s.outcome = (AXIS, "decisive", "scenario-fall-gelb")
    assert front_score(s, AXIS) == score_of(s, AXIS) == 100_000
    assert front_score(s, WESTERN) == -100_000


def test_the_yardstick_does_not_know_the_front(s):
    assert GAME.mind().score(s, WESTERN) == score_of(s, WESTERN) == GAME.score(s, WESTERN)
    assert GAME.mind("front").score(s, WESTERN) == front_score(s, WESTERN) != score_of(s, WESTERN)


def conquered(s, *places, by=AXIS):
    """The position with some places in other hands."""
    new = s.copy()
    for key in places:
        new.control[world_named("fall-gelb").theatre.places[key]] = by + 1
    return new


def test_a_country_about_to_fall_is_worth_its_armies(s):
    """The capital alone, the cities alone, and both: then it will fall, and its armies with it."""
    w = world_named("fall-gelb")
    france = next(c for c in countries_of(w) if w.capitals["france"] == c.capital)
    names = {hex: key for key, hex in w.theatre.places.items()}
    cities = [names[hex] for hex in france.cities[: france.needed]]
    before = conquest_worth(s, w, AXIS)
    capital = conquest_worth(conquered(s, "paris"), w, AXIS) - before
    towns = conquest_worth(conquered(s, *cities), w, AXIS) - before
    both = conquest_worth(conquered(s, "paris", *cities), w, AXIS) - before
    assert capital > 0
    assert towns > 0
    assert both > 1.8 * (capital + towns)
    assert conquest_worth(conquered(s, "paris", *cities), w, WESTERN) < -both // 2, "as bad for the West"
    fewer = conquered(s, "paris", *cities)
    unit = w.unit_ids["fr-3"]
    fewer.fate[unit] = 9
    assert conquest_worth(fewer, w, AXIS) < conquest_worth(conquered(s, "paris", *cities), w, AXIS)


def test_what_is_conquered_already_counts_no_more(s):
    w = world_named("fall-gelb")
    fallen = conquered(s, "amsterdam")
    assert conquest_worth(fallen, w, AXIS) > conquest_worth(s, w, AXIS)
    number = next(c.number for c in countries_of(w) if c.capital == w.capitals["netherlands"])
    fallen.conquered[number] = AXIS + 1
    assert conquest_worth(fallen, w, AXIS) == conquest_worth(s, w, AXIS)


def at(name):
    return world_named("fall-gelb").theatre.places[name]


def in_operations(s):
    """The first month, the Axis in its Operations."""
    while not any(verb == "activate" for verb, _ in GAME.legal(s, s.waiting[0])):
        GAME.apply(s, s.waiting[0], GAME.legal(s, s.waiting[0])[0])
    return s


def test_to_each_his_own_capital_is_dear(s):
    front = front_of(world_named("fall-gelb"))
    axis, west = front.aims_of(s, AXIS), front.aims_of(s, WESTERN)
    assert (axis.worth[at("berlin")], axis.worth[at("london")]) == (400, 100)
    assert (west.worth[at("berlin")], west.worth[at("london")]) == (100, 300)
    assert west.worth[at("luxembourg")] == 100, "not one without factories"
    s.turn = world_named("fall-gelb").turns
    assert front.aims_of(s, WESTERN).worth[at("berlin")] == CITY, "at the end no raid pays"
    assert front.aims_of(s, AXIS).worth[at("berlin")] == 400


def test_a_raider_before_berlin_is_felt_and_one_far_away_is_not(s):
    """The attacker guards what can be taken before he moves again."""
    w, near, far = world_named("fall-gelb"), s.copy(), s.copy()
    unit = w.unit_ids["fr-8"]
    ring = [h for h in w.theatre.grid.neighbours[at("berlin")] if w.in_play[h] and w.theatre.land[h] and h not in s.at]
    place(near, unit, ring[0])
    place(far, unit, at("rennes") if "rennes" in w.theatre.places else at("brest"))
    for new in (near, far):
        new.axis_zoc, new.allied_zoc = zones_again(new)
    front = front_of(w)
    aims = front.aims_of(s, AXIS)
    guard = [menace(p, front, aims, WESTERN, AXIS, 100, ATTACKER.urgency) for p in (near, far)]
    assert guard[0] >= 200
    assert guard[1] == 0


def test_a_fallen_capital_is_only_a_city(s):
    w = world_named("fall-gelb")
    front = front_of(w)
    brussels = w.capitals["belgium"]
    assert front.aims_of(s, AXIS).worth[brussels] == 500
    s.conquered[next(c.number for c in countries_of(w) if c.capital == brussels)] = AXIS + 1
    assert front.aims_of(s, AXIS).worth[brussels] == CITY
    assert goals(w).worth[brussels] == 500, "the yardstick is as it was"


def test_markers_are_dear_while_months_are_left(s):
    front = front_of(world_named("fall-gelb"))
    worth = []
    for turn in range(1, 5):
        s.turn = turn
        worth.append(sum(front.aims_of(s, AXIS).markers))
    assert worth == sorted(worth, reverse=True)
    assert worth[0] > 3 * worth[-1]
    assert worth[-1] == sum(goals(world_named("fall-gelb")).markers)


def test_an_attack_counts_most_on_the_axis(s):
    aims, plain = front_of(world_named("fall-gelb")).aims_of(s, AXIS), goals(world_named("fall-gelb"))
    step = 3 * aims.manner.drive
    prizes = [aims.prize(100, step * hexes) for hexes in (0, 4, 8, 20, 40)]
    assert prizes == [540, 300, 90, 90, 90]
    assert [plain.prize(100, 3 * hexes) for hexes in (0, 8)] == [100, 100]


def test_a_goal_is_stormed_only_if_somebody_can_enter_it(s):
    """Three tanks stood around an empty Paris once, and none had a point left."""
    w = world_named("fall-gelb")
    tank, other = w.unit_ids["de-kleist"], w.unit_ids["de-9"]
    beside = w.theatre.grid.neighbours[at("paris")][0]
    for unit in w.armies_of[AXIS]:
        s.done[unit] = 1
    place(s, tank, beside)
    storm = GroundCombat(action="mobile", hex=at("paris"), attacker=tank, defender=w.unit_ids["fr-3"])
    s.frames.append(GroundMove(side=AXIS, unit=tank, points=2, moved=1))
    assert not can_follow(s, storm), "two points for the attack, none to enter"
    s.frames[-1].points = 8
    assert can_follow(s, storm)
    s.frames[-1].points = 2
    place(s, other, w.theatre.grid.neighbours[beside][0])
    assert not can_follow(s, storm), "it has had its turn"
    s.done[other] = 0
    assert can_follow(s, storm)
    assert can_follow(s, GroundCombat(action="assault", hex=at("paris"), attacker=tank, defender=w.unit_ids["fr-3"]))


def test_a_unit_of_the_attacker_is_worth_what_its_best_order_is(s):
    """Picking one up tells nothing yet, so the player looks through to its orders; the yardstick does not."""
    in_operations(s)
    unit = world_named("fall-gelb").unit_ids["de-1"]
    after = s.copy()
    GAME.apply(after, AXIS, ("activate", unit))
    assert front_score(after, AXIS) == front_score(s, AXIS)
    assert score_of(after, AXIS) != score_of(s, AXIS)


def test_a_short_list_of_marches_has_every_attack_and_every_city(s):
    in_operations(s)
    w = world_named("fall-gelb")
    GAME.apply(s, AXIS, ("activate", w.unit_ids["de-hoth"]))
    legal = GAME.legal(s, AXIS)
    short = worth_weighing(s, AXIS, legal)
    assert len(short) < len(legal) * 2 // 3
    assert [a for a in legal if a[0] != "move"] == [a for a in short if a[0] != "move"]
    cities = [a for a in legal if a[0] == "move" and w.theatre.city[a[1]]]
    assert cities
    assert set(cities) <= set(short)


def test_in_the_last_month_only_what_is_held_counts_for_who_moves_last(s):
    w = world_named("fall-gelb")
    front = front_of(w)
    open_door = without(s, "nl-field", "be-1", "be-2", "fr-9", "fr-2")
    s.turn = open_door.turn = w.turns
    gone = sum(2 - s.reduced[w.unit_ids[u]] for u in ("nl-field", "be-1", "be-2", "fr-9", "fr-2"))
    assert gone == 9
    threatened = menace(open_door, front, front.aims, AXIS, WESTERN) - menace(s, front, front.aims, AXIS, WESTERN)
    lost = front_score(s, WESTERN) - front_score(open_door, WESTERN)
    s.turn = open_door.turn = w.turns - 1
    assert front_score(s, WESTERN) - front_score(open_door, WESTERN) > lost
    assert threatened > 0


def test_styles_change_the_posture_and_never_the_yardstick(s):
    assert set(GAME.styles) == set(STYLES)
    assert in_style(ATTACKER, "thrust").manner.focus > ATTACKER.manner.focus > in_style(ATTACKER, "wide").manner.focus
    assert in_style(DEFENDER, "thrust") == DEFENDER, "only who comes has an axis"
    assert in_style(ATTACKER, "lavish").manner.thrift == 100
    assert in_style(ATTACKER, "bold").manner.zeal > ATTACKER.manner.zeal > in_style(ATTACKER, "careful").manner.zeal
    assert len({GAME.mind(name).score(s, AXIS) for name in ("front", *GAME.styles)}) > 2
    assert GAME.mind("unknown").score(s, AXIS) == score_of(s, AXIS)
