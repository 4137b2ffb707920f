"""Doubtful readings are options: each is tried both ways, and the default is our ruling."""

import pytest

from grognard.games.normandie.frames import Combat
from grognard.games.normandie.rules import victory
from grognard.games.normandie.rules.combat import reckon
from grognard.games.normandie.rules.losses import disorganise
from grognard.games.normandie.rules.supply import AirSupply
from grognard.games.normandie.world import AT, COUNTERS, DEPOT_INDEX, GERMAN, INDEX, STEPS
from grognard.kernel.rulebook import find_rule
from grognard.kernel.texts import texts_for


def test_every_option_names_its_rule_and_has_a_title_in_both_languages(table):
    for option in table.game.options:
        assert find_rule("normandie", option.rule)
        assert all(texts_for("normandie", lang).find(f"option.{option.name}") for lang in ("en", "fr"))


@pytest.mark.rule("5.3g")
@pytest.mark.parametrize("value", ["off", "on"])
def test_a10_a_headquarters_defends_for_one_column_or_for_its_bonus(table, value):
    s = table.stand(table.empty(options={"defence-bonus": value}), "1306 us-4-8; 1406 ge-353; 1505 ge-hq-iisspz")
    hq = INDEX["ge-hq-iisspz"]
    assert COUNTERS[hq].bonus > 1
    c = Combat(side=0, target=AT["1406"], attackers=(INDEX["us-4-8"],), shield=hq)
    lines = [tuple(line) for line in reckon(s, c).left]
    assert ("5.3g", 1 if value == "off" else COUNTERS[hq].bonus, "hq") in lines


@pytest.mark.rule("6.5d")
@pytest.mark.parametrize(("value", "lost"), [("off", 0), ("on", 1)])
def test_a8_d2_on_a_unit_already_at_d1(table, value, lost):
    s = table.stand(table.empty(options={"disorder-adds": value}), "1306 us-4-8:1")
    u = INDEX["us-4-8"]
    disorganise(s, u, 2, "6.4b")
    assert (s.disorder[u], STEPS[u] - s.steps[u]) == (2, lost)
    s = table.stand(table.empty(options={"disorder-adds": value}), "1306 us-4-8:1")
    disorganise(s, u, 1, "6.4b")
    assert (s.disorder[u], STEPS[u] - s.steps[u]) == (2, 0)


@pytest.mark.rule("11.3-vp-airborne")
@pytest.mark.parametrize(("value", "points"), [("each", -3), ("flat", -1)])
def test_a25_airborne_troops_kept(table, value, points):
    s = table.empty("cobra", 7, options={"airborne-points": value})
    table.stand(s, "1306 us-82-505 us-82-507; 1205 us-2ranger")
    victory.score_turn(s)
    assert s.points[0] == points


@pytest.mark.rule("11.3-vp-depot")
@pytest.mark.parametrize(("value", "points"), [("out-of-zones", 0), ("always", 6)])
def test_a5_a_beach_in_an_enemy_zone_counts_or_not(table, value, points):
    s = table.depots(table.empty(options={"beach-points": value}), "utah", "isigny")
    table.stand(s, "0618 ge-353")
    assert victory.depot_points(s, DEPOT_INDEX["utah"]) == points
    table.stand(s, "0818 ge-77")  # on the quay of Isigny: a port never counts then
    assert victory.depot_points(s, DEPOT_INDEX["isigny"]) == 0


@pytest.mark.rule("11.3-vp-ger-turn")
@pytest.mark.parametrize(("value", "points"), [("off", 20), ("on", 40)])
def test_a27_turn_0_counts_or_not(table, value, points):
    s = table.empty("campaign", 1, options={"d-day-points": value})
    victory.score_turn(s)
    assert s.points[GERMAN] == points
    victory.score_turn(s)
    s.turn = 2
    victory.score_turn(s)
    assert s.points[GERMAN] == 2 * points + 20


@pytest.mark.rule("7.4a")
@pytest.mark.parametrize("value", ["division", "points"])
def test_a30_a_whole_division_may_be_supplied_from_the_air_or_not(table, value):
    names = ("us-101-501", "us-101-502", "us-101-506", "us-101-327")
    s = table.stand(table.empty(options={"air-supply": value}), "0619 " + " ".join(names))
    s.helped = (*(INDEX[n] for n in names[:3]), INDEX[names[0]])  # four points are used up
    assert AirSupply().fits(s, INDEX["us-101-327"]) is (value == "division")
