"""The judgement that holds a line: who must come, what is threatened through which positions, what a goal is worth."""

from __future__ import annotations

import pytest

from grognard.games.surrender.computer.conquest import conquest_worth, countries_of
from grognard.games.surrender.computer.front import ATTACKER, DEFENDER, front_of, front_score, menace
from grognard.games.surrender.computer.score import score_of
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
