"""Chapters 4.1.2, 6.12 and 6.13: corners of the strategic map."""

import pytest

from grognard.games.normandie.frames import LeaveBox
from grognard.games.normandie.rules import activation, departure, offmap
from grognard.games.normandie.state import ATTACKED, STRATEGIC_BOX
from grognard.games.normandie.world import AIR, AT, BOX_AT, HB, INDEX


def heavies_over(s, box, number):
    """So many heavy bombers in strategic interdiction."""
    for a in [a for a, (kind, _, _) in enumerate(AIR) if kind == HB][:number]:
        s.air[a], s.air_at[a] = STRATEGIC_BOX, AT[box]


@pytest.mark.rule("4.1.2o")
def test_4_1_2o_paris_is_liberated_once(table):
    s = table.stand(table.empty(), "paris us-2db-gtd")
    offmap.settle_boxes(s)
    points = s.points[0]
    assert points >= 20
    offmap.settle_boxes(s)
    assert s.points[0] == points


@pytest.mark.rule("7.2c", "4.1.2g")
def test_7_2c_the_depot_of_a_festung_outlives_the_arrival_of_the_allies(table):
    s = table.stand(table.empty(), "paris us-4-8; f-paris ge-festung-paris")
    offmap.settle_boxes(s)
    assert s.german_depot[AT["paris"]]
    table.stand(s, "gone ge-festung-paris")
    offmap.settle_boxes(s)
    assert not s.german_depot[AT["paris"]]


@pytest.mark.rule("6.12b")
def test_6_12b_nobody_retreats_into_a_box_with_enemies_or_of_the_enemy(table):
    s = table.stand(table.empty(), "lemans ge-353 us-4-8; paris us-4-12; orleans ge-276")
    s.control[AT["angers"]] = 1
    assert s.control[AT["paris"]] == 2  # still his, but Americans stand there
    assert {AT["orleans"], AT["rennes"]} == set(offmap.boxes_to_retreat(s, INDEX["ge-353"]))


@pytest.mark.rule("4.1.2h")
def test_4_1_2h_some_boxes_are_closed_to_the_allies(table):
    s = table.stand(table.empty(), "paris us-hq-xv us-80-317")
    s.control[AT["paris"]] = 1
    u = INDEX["us-80-317"]
    assert offmap.why_not_travel(s, u, AT["pasdecalais"]) is None
    assert offmap.why_not_travel(s, u, AT["allemagne"]).reason == "closed-to-allies"


@pytest.mark.rule("0.1.2o")
def test_0_1_2o_five_points_just_fit_into_a_festung(table):
    s = table.stand(table.empty(), "rennes ge-77; f-stnazaire ge-festung-stnazaire ge-353")
    assert offmap.why_not_travel(s, INDEX["ge-77"], AT["f-stnazaire"]) is None  # two and three


@pytest.mark.rule("4.1.2j", "0.1.2m", "6.12e")
def test_4_1_2j_nobody_throws_a_die_at_the_gate_of_a_festung(table):
    s = table.stand(table.empty(), "rennes ge-77; f-stnazaire ge-festung-stnazaire ge-353; lemans us-4-8")

    def throws(name, goal, side=1):
        return departure.throws_die(s, LeaveBox(side=side, goal=AT[goal], units=(INDEX[name],)))

    assert not throws("ge-77", "f-stnazaire")
    assert not throws("ge-353", "rennes")
    assert throws("ge-77", "lemans")
    assert not throws("us-4-8", "orleans", 0)
    s.confusion[AT["lemans"]] = 1
    assert throws("us-4-8", "orleans", 0)


@pytest.mark.rule("4.1.2j", "4.1.2k")
def test_4_1_2j_a_natural_one_always_lets_the_german_go(table):
    s = table.stand(table.empty(), "lemans ge-353")
    heavies_over(s, "lemans", 2)
    assert 1 + sum(x.amount for x in departure.interdiction_lines(s, AT["lemans"])) >= BOX_AT[AT["lemans"]].number
    s.loaded = (1, 2)
    assert not departure.interdiction_blocks(s, AT["lemans"], "4.1.2j")
    assert departure.interdiction_blocks(s, AT["lemans"], "4.1.2j")


@pytest.mark.rule("6.12e", "9.5b")
def test_6_12e_allied_aircraft_hinder_only_the_german(table):
    s = table.stand(table.empty(), "lemans us-4-8 ge-276")
    heavies_over(s, "lemans", 1)
    assert "9.5b" in [x.rule for x in departure.exit_lines(s, 1, AT["lemans"], [INDEX["ge-276"]])]
    assert "9.5b" not in [x.rule for x in departure.exit_lines(s, 0, AT["lemans"], [INDEX["us-4-8"]])]


@pytest.mark.rule("0.2.1d")
def test_0_2_1d_markers_follow_a_headquarters_from_box_to_box(table):
    s = table.stand(table.empty(), "paris ge-hq-isspz")
    s.offensive[AT["paris"]] = 2
    departure.travel(s, 1, [INDEX["ge-hq-isspz"]], AT["lemans"])
    assert (s.offensive[AT["paris"]], s.offensive[AT["lemans"]]) == (0, 2)


@pytest.mark.rule("4.1.2d", "4.1.2e")
def test_4_1_2d_all_units_of_a_stack_are_stopped_by_the_control_they_find(table):
    s = table.stand(table.empty(), "lemans ge-353 ge-276")
    s.control[AT["paris"]] = 1
    departure.travel(s, 1, [INDEX["ge-353"], INDEX["ge-276"]], AT["paris"])
    assert s.moved[INDEX["ge-353"]]
    assert s.moved[INDEX["ge-276"]]  # the first one took control, but both entered an enemy box


@pytest.mark.rule("4.1.2h")
def test_4_1_2h_a_headquarters_that_has_sent_a_division_sends_the_rest_of_it(table):
    s = table.stand(table.empty(), "lemans us-hq-xv us-hq-xx us-2db-gtd us-2db-gtl us-80-317")
    s.convoy[INDEX["us-hq-xx"]] = INDEX["us-2db-gtd"]
    assert offmap.leader_for(s, INDEX["us-2db-gtl"]) == INDEX["us-hq-xx"]  # not the idle one
    assert offmap.leader_for(s, INDEX["us-80-317"]) == INDEX["us-hq-xv"]
    assert offmap.leaders_for(s, [INDEX["us-2db-gtl"], INDEX["us-80-317"]]) is not None
    s.convoy[INDEX["us-hq-xv"]] = INDEX["us-2db-gtd"]
    assert offmap.leaders_for(s, [INDEX["us-2db-gtl"], INDEX["us-80-317"]]) is None


@pytest.mark.rule("6.1b", "5a")
def test_6_1b_a_headquarters_no_longer_leads_units_that_have_attacked(table):
    s = table.stand(table.empty(), "1306 us-hq-vii us-4-8; 1305 us-4-12; 1406 ge-353")
    hq = INDEX["us-hq-vii"]
    assert activation.commanded(s, hq) == sorted([INDEX["us-4-8"], INDEX["us-4-12"]])
    s.fought[INDEX["us-4-8"]] = ATTACKED
    assert activation.commanded(s, hq) == [INDEX["us-4-12"]]


@pytest.mark.rule("4.1.2b")
def test_4_1_2b_after_two_boxes_the_move_is_over(table):
    s = table.stand(table.empty(), "rennes ge-353")
    u = INDEX["ge-353"]
    departure.travel(s, 1, [u], AT["lemans"])
    assert (s.trips[u], s.moved[u]) == (1, 0)
    departure.travel(s, 1, [u], AT["paris"])
    assert (s.trips[u], s.moved[u]) == (2, 1)
