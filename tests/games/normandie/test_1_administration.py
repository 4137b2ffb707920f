"""Chapters 1.1.1.2, 1.1.1.3 and 6.10: markers, initiative, rest and replacements."""

import pytest

from grognard.games.normandie.frames import Turn
from grognard.games.normandie.rules import administration as adm
from grognard.games.normandie.rules import logistics
from grognard.games.normandie.rules.losses import occupy
from grognard.games.normandie.state import CLEAR_SKY, DESTROYED, REDUCED
from grognard.games.normandie.world import AT, CADRE, DEPOT_INDEX, DEPOTS, INDEX, RESERVE, REST_BOX, WITHDRAWN

FRAME = Turn()


# --- 1.1.1.2 markers --------------------------------------------------------------------------------------------------


@pytest.mark.rule("1.1.1.2d", "1.1.1.2e", "7.2b")
def test_1_1_1_2d_each_side_throws_and_cherbourg_gives_one_more(table):
    s = table.empty(turn=7)
    s.german_depot[AT["0223"]] = 2
    s.loaded = (6, 1)
    logistics.roll_markers(s, FRAME)
    assert s.allied_markers == 6
    assert s.german_pool == 1
    assert s.offensive[AT["0223"]] == 1
    assert list(s.got) == [6, 2]


ALLIED_MARKERS = {1: (2, 2, 3, 3, 4, 4), 4: (3, 3, 4, 4, 5, 5), 7: (4, 4, 5, 5, 6, 6), 10: (3, 3, 4, 4, 5, 5)}
GERMAN_MARKERS = {True: (1, 2, 2, 2, 3, 3), False: (2, 3, 3, 3, 3, 4)}  # by a clear sky


@pytest.mark.rule("1.1.1.2d", "7.2b", "0.2.1d")
@pytest.mark.parametrize("clear", [True, False])
@pytest.mark.parametrize("turn", range(1, 13))
def test_1_1_1_2d_markers_by_turn_die_and_sky(table, turn, clear):
    row = ALLIED_MARKERS[max(first for first in ALLIED_MARKERS if first <= turn)]
    for die in range(1, 7):
        s = table.empty(turn=turn)
        s.weather = CLEAR_SKY if clear else CLEAR_SKY + 1
        s.loaded = (die, 7 - die)
        logistics.roll_markers(s, FRAME)
        allied, german = row[die - 1] - (not clear), GERMAN_MARKERS[clear][6 - die]
        assert (s.allied_markers, s.german_pool, list(s.got)) == (allied, german, [allied, german])
        assert s.marker_turn == (german > allied)


@pytest.mark.rule("11.1-offensive")
def test_11_1_offensive_half_rounded_up_in_scenario_one(table):
    s = table.empty("cherbourg", 2)
    s.loaded = (3, 5)
    logistics.roll_markers(s, FRAME)
    assert s.allied_markers == 2  # half of three
    assert s.german_pool == 2


@pytest.mark.rule("1.1.1.2f", "7.2d")
def test_1_1_1_2f_german_markers_go_to_depots_within_capacity(table):
    s = table.empty()
    s.german_pool = 4
    table.at_row(s, "1.1.1.2f")
    assert s.waiting == (1,)
    assert table.legal(s) == {"store rennes", "store lemans", "store paris", "store pasdecalais"}
    table.act(s, "store lemans")
    table.act(s, "store lemans")
    assert table.why_not(s, "store lemans") == "1.1.1.2f"  # two is its capacity
    assert table.why_not(s, "store brest") == "1.1.1.2f"  # ruling A31
    s.confusion[AT["paris"]] = 1
    assert table.why_not(s, "store paris") == "1.1.1.2f"


@pytest.mark.rule("1.1.1.2g", "0.2.1d", "0.2.1b", "7.3.2b")
def test_1_1_1_2g_markers_move_in_turn_from_depots_to_headquarters(table):
    s = table.depots(table.stand(table.empty(), "0619 us-hq-vii; 0817 us-hq-v; 1216 ge-hq-lxxxiv"), "utah")
    s.allied_markers, s.offensive[AT["paris"]], s.offensive[AT["lemans"]] = 5, 1, 1
    s.got[0], s.got[1], s.marker_turn = 5, 2, 0
    table.at_row(s, "1.1.1.2g")
    assert s.waiting == (0,)
    table.act(s, "marker utah>us-hq-vii")
    assert s.offensive[AT["0619"]] == 1
    assert s.waiting == (1,)
    table.act(s, "no-more")
    table.act(s, "marker utah>us-hq-vii")
    assert "marker utah>us-hq-vii" not in table.legal(s)  # two in the hex
    s.unsupplied[INDEX["us-hq-v"]] = 1
    assert not any(a.split(">")[-1] == "us-hq-v" for a in table.legal(s))  # 7.3.2b
    s.unsupplied[INDEX["us-hq-v"]] = 0
    reachable = [a for a in table.legal(s) if a.endswith(">us-hq-v")]
    assert reachable == ["marker utah>us-hq-v"] or reachable == []
    assert s.passed[DEPOT_INDEX["utah"]] == 2


@pytest.mark.rule("1.1.1.2g")
def test_1_1_1_2g_whoever_received_more_begins_and_the_allies_on_a_tie(table):
    for allied, german, first in ((1, 1, 0), (1, 6, 0), (6, 1, 0)):
        s = table.empty(turn=1)
        s.loaded = (allied, german)
        logistics.roll_markers(s, FRAME)
        assert s.marker_turn == (1 if s.got[1] > s.got[0] else 0)
        assert first == 0
    s = table.empty(turn=1)
    s.weather = 1
    s.loaded = (1, 6)
    logistics.roll_markers(s, FRAME)
    assert s.got[1] > s.got[0]
    assert s.marker_turn == 1


@pytest.mark.rule("1.1.1.2g")
def test_1_1_1_2g_on_a_tie_the_allies_begin(table):
    ties = 0
    for weather in (0, 1):
        for allied in range(1, 7):
            for german in range(1, 7):
                s = table.empty(turn=1)
                s.weather, s.loaded, s.marker_turn = weather, (allied, german), 1
                logistics.roll_markers(s, FRAME)
                if s.got[0] == s.got[1]:
                    ties += 1
                    assert s.marker_turn == 0
    assert ties


@pytest.mark.rule("1.1.1.2g", "0.2.1d")
def test_1_1_1_2g_a_marker_moves_once_a_turn_and_a_depot_passes_what_it_can(table):
    s = table.depots(table.stand(table.empty(), "0619 us-hq-vii; 0519 us-hq-v; 0719 us-hq-viii"), "utah")
    s.allied_markers, s.marker_turn = 9, 0
    table.at_row(s, "1.1.1.2g")
    s.marker_pass = 2
    table.act(s, "marker utah>us-hq-vii")
    assert not any(a.startswith("marker 0619>") for a in table.legal(s))  # it has just arrived
    table.act(s, "marker utah>us-hq-v")
    table.act(s, "marker utah>us-hq-viii")
    assert DEPOTS[DEPOT_INDEX["utah"]].offensive[0] == 3
    assert not any(a.startswith("marker utah>") for a in table.legal(s))
    s.stuck[AT["0619"]] = 0
    assert any(a.startswith("marker 0619>") for a in table.legal(s))


@pytest.mark.rule("11.3c", "0.1.1c")
def test_11_3c_on_turns_0_and_1_of_the_campaign_no_marker_is_spent(table):
    from grognard.games.normandie.rules.command import spend_marker

    for scenario, turn, left in (("campaign", 1, 1), ("campaign", 2, 0), ("cherbourg", 1, 0)):
        s = table.markers(table.stand(table.empty(scenario, turn), "0619 us-hq-vii"), "0619 1")
        spend_marker(s, INDEX["us-hq-vii"], "1.1.3b")
        assert s.offensive[AT["0619"]] == left


@pytest.mark.rule("7.1g", "7.1.2a")
def test_7_1g_zones_delay_ports_not_beaches(table):
    for name, delayed in (("utah", False), ("isigny", True)):
        d = DEPOT_INDEX[name]
        s = table.empty(turn=4)
        s.depot[d], s.depot_turn[d] = REDUCED, 4
        s.zoc[546 + AT[DEPOTS[d].hex]] = 1
        logistics.build_ports(s, FRAME)
        assert (s.depot[d] == REDUCED) == delayed


@pytest.mark.rule("4.1.2j", "1.1.1.2g")
def test_4_1_2j_a_marker_leaves_a_box_past_the_interdiction_die(table):
    s = table.stand(table.empty(), "1001 ge-hq-lxxxvi")
    s.offensive[AT["paris"]] = 1
    s.loaded = (5,)
    logistics.move_marker(s, 1, AT["paris"], INDEX["ge-hq-lxxxvi"])
    assert s.offensive[AT["1001"]] == 0
    assert s.stuck[AT["paris"]] == 1
    s.loaded = (4,)
    logistics.move_marker(s, 1, AT["paris"], INDEX["ge-hq-lxxxvi"])
    assert s.offensive[AT["1001"]] == 1


# --- 1.1.1.3 administration -------------------------------------------------------------------------------------------


@pytest.mark.rule("1.1.1.3a", "1.1.1.3b", "1.1.1.3c")
def test_1_1_1_3a_initiative_counts_supported_headquarters(table):
    s = table.stand(table.empty(), "0619 us-hq-vii; 0718 us-hq-v; 0817 us-hq-xix; 0914 us-hq-viii; paris ge-hq-isspz")
    table.markers(s, "0619 1; 0718 1; 0817 1; 0914 1; paris 3")
    s.weather = 1
    s.loaded = (2, 6)
    adm.roll_initiative(s, FRAME)  # six against six under clouds: the German
    assert s.first == 1
    s.weather = 0
    s.loaded = (2, 6)
    adm.roll_initiative(s, FRAME)
    assert s.first == 0
    s.loaded = (1, 6)
    adm.roll_initiative(s, FRAME)
    assert s.first == 1


@pytest.mark.rule("1.1.1.3d", "6.10e")
def test_1_1_1_3d_the_german_die_gives_his_replacements_without_the_bonus(table):
    s = table.stand(table.empty(), "1216 ge-hq-lxxxiv")
    table.markers(s, "1216 1")
    for die, expected in ((1, [0, 0]), (4, [2, 0]), (5, [1, 1]), (6, [2, 1])):
        s.loaded = (3, die)
        adm.roll_initiative(s, FRAME)
        assert list(s.replacements) == expected
    assert adm.replacement_kind(INDEX["ge-353"]) == adm.INFANTRY
    assert adm.replacement_kind(INDEX["ge-12ss-25"]) == adm.ARMOUR


@pytest.mark.rule("11.3b")
def test_11_3b_the_allies_begin_on_turns_zero_and_one_of_the_campaign(table):
    s = table.empty("campaign", 1)
    s.loaded = (1, 6)
    adm.roll_initiative(s, FRAME)
    assert s.first == 0
    s.turn = 2
    s.loaded = (1, 6)
    adm.roll_initiative(s, FRAME)
    assert s.first == 1
    race = table.empty("cherbourg", 1)
    race.loaded = (1, 6)
    adm.roll_initiative(race, FRAME)
    assert race.first == 1  # in the race the dice decide from the start


@pytest.mark.rule("1.1.1.3f", "6.10c")
def test_1_1_1_3f_cadres_go_to_rest_and_may_recover_the_turn_after(table):
    s = table.stand(table.empty(), "cadre us-4-8/0")
    s.steps[INDEX["us-4-8"]] = 0
    adm.rest_cadres(s, FRAME)
    assert s.place[INDEX["us-4-8"]] == REST_BOX
    table.at_row(s, "1.1.1.3g")
    assert "recover us-4-8" not in table.legal(s, 0)
    adm.end_administration(s, FRAME)
    adm.rest_cadres(s, FRAME)
    table.at_row(s, "1.1.1.3g")
    table.act(s, "recover us-4-8")
    assert s.steps[INDEX["us-4-8"]] == 1


@pytest.mark.rule("1.1.1.3g", "1.1.1.3h", "1.1.1.3e", "6.10d")
def test_1_1_1_3g_reduced_units_out_of_zones_rest_and_then_recover(table):
    s = table.stand(table.empty(), "1306 us-4-8/1; 1004 us-4-12/1; 1003 ge-353; 1506 us-4-22")
    table.at_row(s, "1.1.1.3g")
    assert table.why_not(s, "rest us-4-22") == "1.1.1.3g"  # not reduced
    assert table.why_not(s, "rest us-4-12") == "1.1.1.3g"  # next to the enemy
    table.act(s, "rest us-4-8")
    assert adm.Administer().why_not(s, FRAME, 0, "recover", INDEX["us-4-8"]).rule == "1.1.1.3h"
    adm.end_administration(s, FRAME)
    adm.rest_cadres(s, FRAME)
    table.at_row(s, "1.1.1.3g")
    table.act(s, "recover us-4-8")
    assert s.steps[INDEX["us-4-8"]] == 2
    assert s.resting[INDEX["us-4-8"]] == 1


@pytest.mark.rule("6.10e", "1.1.1.3h")
def test_6_10e_german_steps_cost_replacements_of_their_kind(table):
    s = table.stand(table.empty(), "1306 ge-353/1 ; 1406 ge-12ss-25/1")
    s.first = 1
    for n in ("ge-353", "ge-12ss-25"):
        s.resting[INDEX[n]] = 2
    s.replacements[0] = 1
    table.at_row(s, "1.1.1.3g")
    assert table.why_not(s, "recover ge-12ss-25") == "6.10e"
    table.act(s, "recover ge-353")
    assert s.replacements[0] == 0


@pytest.mark.rule("1.1.1.3i")
def test_1_1_1_3i_rebuilt_units_return_by_a_friendly_depot(table):
    s = table.stand(table.empty(), "rest us-4-8 ge-353; 1306 us-4-12/1; 1406 ge-276/1")
    s.resting[INDEX["us-4-8"]] = s.resting[INDEX["ge-353"]] = 2
    table.at_row(s, "1.1.1.3g")
    table.act(s, "return us-4-8>reserve")
    assert s.place[INDEX["us-4-8"]] == RESERVE
    while s.waiting == (0,):
        table.act(s, "done")
    assert "return ge-353>paris" in table.legal(s)
    s.german_depot[AT["paris"]] = 0
    assert "return ge-353>paris" not in table.legal(s)


@pytest.mark.rule("1.1.1.3l", "1.1.1.3m", "1.1.1.3n")
def test_1_1_1_3l_special_troops_go_home_for_a_point(table):
    s = table.stand(table.empty(), "1306 us-82-505 us-4-8/1; 1004 us-82-507; 1003 ge-353")
    table.at_row(s, "1.1.1.3g")
    assert table.why_not(s, "withdraw us-82-507") == "1.1.1.3n"
    assert table.why_not(s, "withdraw us-4-8") == "1.1.1.3l"
    s.confusion[AT["1306"]] = 1
    assert table.why_not(s, "withdraw us-82-505") == "1.1.1.3n"  # nobody is called home out of a melee
    s.confusion[AT["1306"]] = 0
    table.act(s, "withdraw us-82-505")
    assert s.place[INDEX["us-82-505"]] == WITHDRAWN
    assert s.points[0] == 1


@pytest.mark.rule("11.1-rules")
def test_11_1_rules_scenario_one_has_no_replacements_and_no_heavy_bombers(table):
    from grognard.games.normandie.rules.air import draw_aircraft, ready
    from grognard.games.normandie.world import HB

    s = table.stand(table.empty("cherbourg", 2), "0519 us-4-8/1; cadre us-4-12")
    adm.rest_cadres(s, FRAME)
    assert s.place[INDEX["us-4-12"]] == CADRE
    table.at_row(s, "1.1.1.3g")
    assert table.decision(s) != "Administer"
    draw_aircraft(s, FRAME)
    assert ready(s, HB) == 0


def test_destroyed_depots_stay_destroyed(table):
    s = table.depots(table.empty(), "mulberry-b")
    from grognard.games.normandie.rules.losses import destroy_depot

    destroy_depot(s, DEPOT_INDEX["mulberry-b"], "7.1.1c")
    assert s.depot[DEPOT_INDEX["mulberry-b"]] == DESTROYED
    occupy(s, 0, AT["0711"])
    assert s.depot[DEPOT_INDEX["mulberry-b"]] == DESTROYED


@pytest.mark.rule("11.3-vp-ger-depot-small", "11.3-vp-ger-depot-big", "11.3-auto-german")
def test_11_3_a_depot_destroyed_is_worth_ten_or_from_two_markers_on_twenty(table):
    from grognard.games.normandie.rules.losses import destroy_depot

    for name, points, beaches in (("juno-west", 10, 1), ("gold", 20, 1), ("utah", 20, 1), ("mulberry-b", 20, 0)):
        s = table.depots(table.empty(), name)
        destroy_depot(s, DEPOT_INDEX[name])
        assert (s.points[1], s.beaches_lost) == (points, beaches)


@pytest.mark.rule("11.3-vp-ger-town", "0.2.2a")
def test_11_3_a_town_that_nobody_held_is_not_retaken(table):
    s = table.empty()
    s.control[AT["1506"]] = 0
    occupy(s, 1, AT["1506"])
    assert (s.control[AT["1506"]], s.points[1]) == (2, 0)


@pytest.mark.rule("6.11c", "0.2.2a")
def test_6_11c_whoever_is_left_after_confusion_holds_the_hex(table):
    from grognard.games.normandie.rules.losses import lift_confusion

    s = table.stand(table.empty(), "1406 us-4-8 ge-353")
    s.confusion[AT["1406"]], s.control[AT["1406"]] = 1, 2
    assert not lift_confusion(s, AT["1406"])
    table.stand(s, "1505 ge-353")
    assert lift_confusion(s, AT["1406"])
    assert (s.confusion[AT["1406"]], s.control[AT["1406"]]) == (0, 1)
