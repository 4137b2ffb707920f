"""Chapter 7: supply and ports."""

import pytest

from grognard.games.normandie.frames import Turn
from grognard.games.normandie.rules import logistics, supply
from grognard.games.normandie.rules.losses import occupy
from grognard.games.normandie.state import BUILDING, DESTROYED, FULL, NO_DEPOT, REDUCED
from grognard.games.normandie.world import AT, DEPOT_INDEX, DEPOTS, INDEX

FRAME = Turn()


def short(s, *names):
    return [bool(s.unsupplied[INDEX[n]]) for n in names]


# --- 7.3 supply lines -------------------------------------------------------------------------------------------------


def bridgehead(table):
    """Utah open, a headquarters on the road to Ste-Mere-Eglise, a regiment in front of it."""
    s = table.stand(table.empty(), "0619 us-hq-vii; 0519 us-4-8")
    return table.depots(s, "utah")


@pytest.mark.rule("7a", "7.3.1a", "7.3.1b", "1.1.1.2c", "7.3.2a")
def test_7a_a_chain_to_a_supplied_headquarters_on_the_road_to_a_depot(table):
    s = bridgehead(table)
    supply.check_supply(s, FRAME)
    assert short(s, "us-hq-vii", "us-4-8") == [False, False]
    s.depot[DEPOT_INDEX["utah"]] = NO_DEPOT
    supply.check_supply(s, FRAME)
    assert short(s, "us-hq-vii", "us-4-8") == [True, True]
    table.markers(s, "0619 1")  # a Supported headquarters is supplied wherever it is
    supply.check_supply(s, FRAME)
    assert short(s, "us-hq-vii", "us-4-8") == [False, False]


@pytest.mark.rule("7.3.1e", "7.3.1f", "5.1d")
def test_7_3_1e_a_unit_out_of_command_is_unsupplied(table):
    s = bridgehead(table)
    table.stand(s, "0421 us-4-12; 0121 us-4-22")
    supply.check_supply(s, FRAME)
    assert short(s, "us-4-12", "us-4-22") == [False, True]


@pytest.mark.rule("7.3.1c", "7.3.1d")
def test_7_3_1c_enemy_zones_cut_a_line_and_friends_reopen_it(table):
    s = bridgehead(table)
    assert supply.is_open_to_supply(s, 0, AT["0618"])
    table.stand(s, "0718 ge-353")
    assert not supply.is_open_to_supply(s, 0, AT["0618"])
    table.stand(s, "0618 us-9-39")
    assert supply.is_open_to_supply(s, 0, AT["0618"])
    table.stand(s, "0618 ge-276")
    assert not supply.is_open_to_supply(s, 0, AT["0618"])


@pytest.mark.rule("7.3.1c")
def test_7_3_1c_no_line_through_ground_closed_to_wheels(table):
    from grognard.games.normandie.world import SUPPLY_NEXT

    assert AT["0819"] not in SUPPLY_NEXT[AT["0820"]]  # marsh without a road
    assert AT["0719"] in SUPPLY_NEXT[AT["0619"]]  # marsh with a road
    assert AT["0817"] not in SUPPLY_NEXT[AT["0717"]]  # the mouth of the Douve


@pytest.mark.rule("7.3.2a", "7.2a")
def test_7_2a_german_supply_comes_from_cherbourg_and_from_the_boxes(table):
    s = table.stand(table.empty(), "0223 ge-hq-lxxxiv ge-709-739")
    s.german_depot[AT["0223"]] = 2
    for box in ("brest", "rennes", "lemans", "paris", "pasdecalais"):
        s.german_depot[AT[box]] = 0
    supply.check_supply(s, FRAME)
    assert short(s, "ge-hq-lxxxiv", "ge-709-739") == [False, False]
    s.german_depot[AT["0223"]] = 0
    supply.check_supply(s, FRAME)
    assert short(s, "ge-hq-lxxxiv") == [True]
    s.german_depot[AT["paris"]] = 5
    supply.check_supply(s, FRAME)
    assert short(s, "ge-hq-lxxxiv") == [False]
    s.confusion[AT["paris"]] = 1  # 7.2d
    supply.check_supply(s, FRAME)
    assert short(s, "ge-hq-lxxxiv") == [True]


@pytest.mark.rule("7.2d", "4.1.2a")
def test_7_2d_supply_goes_from_box_to_box_but_not_out_of_confusion(table):
    s = table.empty()
    for box in ("brest", "rennes", "lemans", "paris"):
        s.german_depot[AT[box]] = 0
    assert AT["angers"] in supply.supplied_boxes(s)  # from Pas-de-Calais by Paris and Orleans
    s.confusion[AT["pasdecalais"]] = 1
    assert AT["angers"] not in supply.supplied_boxes(s)


@pytest.mark.rule("7.1b", "7.1a")
def test_7_1b_a_port_in_a_german_zone_is_closed_a_beach_is_not(table):
    s = table.depots(table.stand(table.empty(), "0519 ge-353; 0319 ge-276"), "utah", "st-vaast")
    table.stand(s, "0618 ge-277")
    assert supply.is_operational(s, DEPOT_INDEX["utah"])
    s.zoc[AT["0318"] + 546] = 1
    assert not supply.is_operational(s, DEPOT_INDEX["st-vaast"])
    assert supply.serves(DEPOT_INDEX["utah"], 0)
    assert not supply.serves(DEPOT_INDEX["utah"], 1)
    assert supply.serves(DEPOT_INDEX["gold"], 1)
    assert supply.serves(DEPOT_INDEX["cherbourg"], 0)
    assert supply.serves(DEPOT_INDEX["cherbourg"], 1)


@pytest.mark.rule("7.1b", "7.1e")
def test_7_1b_a_depot_works_on_its_reduced_side_too_but_not_while_it_is_built(table):
    s = table.stand(table.empty(), "1506 ge-353")
    d = DEPOT_INDEX["cherbourg"]
    for status, works in ((NO_DEPOT, False), (BUILDING, False), (REDUCED, True), (FULL, True), (DESTROYED, False)):
        s.depot[d] = status
        assert supply.is_operational(s, d) == works


@pytest.mark.rule("7.3.1c", "6.11a")
def test_7_3_1c_a_hex_in_confusion_is_open_to_both_sides_lines(table):
    s = table.stand(table.empty(), "0618 us-4-8 ge-353")
    for side in (0, 1):
        assert not supply.is_open_to_supply(s, side, AT["0618"])
    s.confusion[AT["0618"]] = 1
    for side in (0, 1):
        assert supply.is_open_to_supply(s, side, AT["0618"])
    table.stand(s, "0518 us-4-8")
    assert not supply.is_open_to_supply(s, 0, AT["0618"])


@pytest.mark.rule("7.2a", "7.2d", "4.1.2a")
def test_7_2a_german_supply_does_not_pass_through_boxes_lost_or_in_confusion(table):
    def only_calais():
        s = table.empty()
        for box in ("brest", "rennes", "lemans", "paris"):
            s.german_depot[AT[box]] = 0
        return s

    assert {AT["paris"], AT["angers"]} <= supply.supplied_boxes(only_calais())
    for spoil in ("control", "confusion"):
        s = only_calais()
        getattr(s, spoil)[AT["paris"]] = 1
        boxes = supply.supplied_boxes(s)
        assert AT["pasdecalais"] in boxes
        assert AT["paris"] not in boxes


@pytest.mark.rule("4.1.2a", "7.3.2a")
def test_4_1_2a_allied_supply_off_the_map_goes_from_held_box_to_held_box(table):
    s = table.depots(table.stand(table.empty(), "brest us-hq-xv"), "utah")
    for box in ("lemans", "brest"):
        s.control[AT[box]] = 1
    assert INDEX["us-hq-xv"] not in supply.supplied_hqs(s, 0)  # Rennes lies between and is German
    s.control[AT["rennes"]] = 1
    assert INDEX["us-hq-xv"] in supply.supplied_hqs(s, 0)
    s.depot[DEPOT_INDEX["utah"]] = NO_DEPOT
    assert INDEX["us-hq-xv"] not in supply.supplied_hqs(s, 0)


@pytest.mark.rule("7.3.1b", "7.3.1c", "7a")
def test_7_3_1c_a_unit_ringed_by_enemies_is_cut_off_from_a_near_headquarters(table):
    s = table.stand(table.empty(), "1306 us-hq-vii; 1605 us-4-8")
    table.markers(s, "1306 1")
    supply.check_supply(s, FRAME)
    assert short(s, "us-4-8") == [False]
    table.stand(s, "1504 ge-353; 1704 ge-276; 1606 ge-277")
    supply.check_supply(s, FRAME)
    assert short(s, "us-hq-vii", "us-4-8") == [False, True]


@pytest.mark.rule("10c", "11.3b")
def test_11_3b_on_turns_0_and_1_of_the_campaign_everybody_is_supplied(table):
    for scenario, turn, hungry in (("campaign", 0, 0), ("campaign", 1, 0), ("campaign", 2, 1), ("cobra", 1, 1)):
        s = table.stand(table.empty(scenario, turn), "0619 us-hq-vii; 0519 us-4-8")
        supply.check_supply(s, FRAME)
        assert short(s, "us-hq-vii", "us-4-8") == [bool(hungry)] * 2


@pytest.mark.rule("2.2e")
def test_2_2e_dropped_troops_walk_until_a_depot_supplies_them(table):
    for turn, on_foot in ((1, 1), (2, 0)):  # what is given freely on turn 1 does not count
        s = table.depots(table.stand(table.empty("campaign", turn), "0619 us-hq-vii; 0519 us-82-505"), "utah")
        s.unlinked[INDEX["us-82-505"]] = 1
        supply.check_supply(s, FRAME)
        assert s.unlinked[INDEX["us-82-505"]] == on_foot


@pytest.mark.rule("5.1c", "7a", "7.3.1e")
def test_5_1c_a_unit_bound_to_a_headquarters_is_not_fed_by_another(table):
    s = bridgehead(table)
    s.boss[INDEX["us-4-8"]] = INDEX["us-hq-v"]
    supply.check_supply(s, FRAME)
    assert short(s, "us-4-8") == [True]
    s.boss[INDEX["us-4-8"]] = INDEX["us-hq-vii"]
    supply.check_supply(s, FRAME)
    assert short(s, "us-4-8") == [False]


@pytest.mark.rule("5.1a", "7a")
def test_5_1a_a_headquarters_supplies_three_battalions_and_no_more(table):
    tanks = ("us-70tk", "us-741tk", "us-743tk", "us-745tk")
    s = table.stand(table.empty(), "1306 us-hq-vii; 1305 us-70tk; 1307 us-741tk; 1206 us-743tk; 1207 us-745tk")
    table.markers(s, "1306 1")
    supply.check_supply(s, FRAME)
    assert short(s, *tanks).count(True) == 1
    table.stand(s, "gone us-70tk")
    supply.check_supply(s, FRAME)
    assert short(s, *tanks[1:]) == [False] * 3


@pytest.mark.rule("5.1a", "7a")
def test_5_1a_a_headquarters_supplies_five_divisions_and_no_more(table):
    s = table.stand(table.empty(), "1306 ge-hq-lxxxiv; 1305 ge-353; 1307 ge-276; 1206 ge-277; 1207 ge-271; 1406 ge-272")
    table.markers(s, "1306 1")
    table.stand(s, "1208 ge-326")
    supply.check_supply(s, FRAME)
    assert short(s, "ge-353", "ge-276", "ge-277", "ge-271", "ge-272", "ge-326").count(True) == 1
    assert short(s, "ge-326") == [True]  # the farthest is left out


@pytest.mark.rule("7b", "7.5a")
def test_7_5a_the_mark_stays_until_the_next_check(table):
    s = bridgehead(table)
    s.unsupplied[INDEX["us-4-8"]] = 1
    table.moving(s, "us-4-8")
    table.act(s, "stay")
    assert short(s, "us-4-8") == [True]
    supply.check_supply(s, FRAME)
    assert short(s, "us-4-8") == [False]


@pytest.mark.rule("7.4a")
def test_7_4a_four_points_or_one_division_of_infantry_by_air(table):
    s = table.stand(table.empty(), "0619 us-101-501 us-101-502 us-101-506 us-101-327; 0519 us-4-8 us-2arm-cca")
    for n in ("us-101-501", "us-101-502", "us-101-506", "us-101-327", "us-4-8", "us-2arm-cca"):
        s.unsupplied[INDEX[n]] = 1
    table.at_row(s, "7.4a")
    assert table.why_not(s, "air-supply us-2arm-cca") == "7.4a"
    for n in ("us-101-501", "us-101-502", "us-101-506", "us-101-327"):
        table.act(s, f"air-supply {n}")
    assert short(s, "us-101-327", "us-4-8") == [False, True]
    assert s.unsupplied[INDEX["us-4-8"]]
    from grognard.games.normandie.rules.supply import AirSupply

    assert not AirSupply().fits(s, INDEX["us-4-8"])


@pytest.mark.rule("7.3.1e")
def test_7_3_1e_by_the_letter_only_a_supported_headquarters_supplies(table):
    for value, expected in (("off", [False, False]), ("on", [False, True])):
        s = table.stand(table.empty(options={"strict-supply": value}), "0619 us-hq-vii; 0519 us-4-8")
        supply.check_supply(table.depots(s, "utah"), FRAME)
        assert short(s, "us-hq-vii", "us-4-8") == expected
        table.markers(s, "0619 1")
        supply.check_supply(s, FRAME)
        assert short(s, "us-4-8") == [False]


# --- 7.1 ports --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("7.1c", "7.1d", "7.1.1b", "7.1.1a", "1.1.1.2b")
def test_7_1_1b_saint_laurent_taken_on_turn_zero_opens_on_three_and_grows_on_four(table):
    s = table.empty("campaign", 0)
    table.stand(s, "0714 us-4-8")
    s.control[AT["0714"]] = 2
    occupy(s, 0, AT["0714"])
    d = DEPOT_INDEX["mulberry-a"]
    assert DEPOTS[d].hex == "0714"
    assert DEPOTS[DEPOT_INDEX["mulberry-b"]].hex == "0711"
    assert (s.depot[d], s.depot_turn[d]) == (BUILDING, 3)
    seen = []
    for turn in (1, 2, 3, 4):
        s.turn = turn
        logistics.build_ports(s, FRAME)
        seen.append(s.depot[d])
    assert seen == [BUILDING, BUILDING, REDUCED, FULL]


@pytest.mark.rule("7.1.3a")
def test_7_1_3a_cherbourg_needs_three_turns_and_three_more(table):
    s = table.stand(table.empty(turn=2), "0223 us-4-8")
    s.control[AT["0223"]] = 2
    occupy(s, 0, AT["0223"])
    d, seen = DEPOT_INDEX["cherbourg"], {}
    for turn in range(2, 10):
        s.turn = turn
        logistics.build_ports(s, FRAME)
        seen.setdefault(s.depot[d], turn)
    assert (seen[REDUCED], seen[FULL]) == (5, 8)
    assert (DEPOTS[d].landing, DEPOTS[d].offensive) == ((8, 4), (2, 1))


@pytest.mark.rule("7.1g")
def test_7_1g_a_german_zone_delays_a_port_by_a_turn(table):
    s = table.stand(table.empty(turn=4), "0817 us-4-8; 0916 ge-353")
    d = DEPOT_INDEX["isigny"]
    s.depot[d], s.depot_turn[d] = BUILDING, 4
    logistics.build_ports(s, FRAME)
    assert (s.depot[d], s.depot_turn[d]) == (BUILDING, 5)
    table.stand(s, "1506 ge-353")
    s.turn = 5
    logistics.build_ports(s, FRAME)
    assert s.depot[d] == FULL


@pytest.mark.rule("7.1.3b")
def test_7_1_3b_germans_in_the_port_halve_it_then_close_it(table):
    s = table.depots(table.stand(table.empty(), "0223 ge-353"), "cherbourg")
    d = DEPOT_INDEX["cherbourg"]
    logistics.build_ports(s, FRAME)
    assert s.depot[d] == REDUCED
    logistics.build_ports(s, FRAME)
    assert s.depot[d] == NO_DEPOT


@pytest.mark.rule("7.1.2b", "10-A.1j")
def test_7_1_2b_a_beach_opens_when_its_garrison_is_gone(table):
    from grognard.games.normandie.rules.losses import lose_steps

    s = table.stand(table.empty("campaign", 0), "0617 ge-garnisonutah")
    lose_steps(s, INDEX["ge-garnisonutah"], 1, "test")
    assert s.depot[DEPOT_INDEX["utah"]] == FULL
