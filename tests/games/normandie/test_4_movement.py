"""Chapters 2.2, 3 and 4: movement on the map, overruns, landings, special operations."""

import pytest

from grognard.games.normandie.frames import MoveStack
from grognard.games.normandie.rules.logistics import owns_markers
from grognard.games.normandie.rules.losses import occupy
from grognard.games.normandie.rules.movement import common_modes, reach
from grognard.games.normandie.rules.movement_choices import why_not_overrun
from grognard.games.normandie.state import DESTROYED, FULL, NO_DEPOT, TACTICAL
from grognard.games.normandie.world import (
    AIR,
    AT,
    BICYCLE,
    DEPOT_INDEX,
    FB,
    FOOT,
    INDEX,
    MOTOR,
    RESERVE,
    ZONE_IDS,
    step_cost,
)


def interdict(s, zone):
    plane = next(a for a, (kind, _, _) in enumerate(AIR) if kind == FB)
    s.air[plane], s.air_at[plane] = TACTICAL, ZONE_IDS.index(zone)


@pytest.mark.rule("2.2a", "4.1.1c")
def test_4_1_1c_a_step_costs_the_terrain_entered_in_the_units_mode(table):
    assert step_cost(AT["1306"], AT["1406"], 0) == (2, 4)
    assert step_cost(AT["1004"], AT["1103"], 0)[0] == 3  # bocage on foot
    assert step_cost(AT["1004"], AT["1103"], 1)[0] == 4  # bocage on wheels
    assert step_cost(AT["1307"], AT["1408"], 1)[0] == 4  # clear behind a river
    s = table.stand(table.empty(), "1306 us-4-8")
    assert reach(s, [INDEX["us-4-8"]])[AT["1406"]] == 2


@pytest.mark.rule("2.2b", "2.2c")
def test_2_2c_a_road_replaces_the_cost_of_hex_and_river(table):
    assert step_cost(AT["1213"], AT["1113"], 1)[0] == 1  # bocage behind a river, by road
    assert step_cost(AT["1213"], AT["1113"], 0)[0] == 2
    assert step_cost(AT["1213"], AT["1112"], 1)[0] == 6  # the same ground without a road


@pytest.mark.rule("4.1.1a")
def test_4_1_1a_points_are_the_limit(table):
    s = table.stand(table.empty(), "1306 ge-353")
    far = reach(s, [INDEX["ge-353"]])
    assert max(far.values()) <= 6
    s = table.stand(table.empty(), "1306 us-2arm-cca")
    assert len(reach(s, [INDEX["us-2arm-cca"]])) > len(far)


@pytest.mark.rule("3b", "3c")
def test_3b_a_zone_stops_the_move_and_zone_to_zone_is_one_hex(table):
    s = table.stand(table.empty(), "1306 us-2arm-cca; 1505 ge-353")
    found = reach(s, [INDEX["us-2arm-cca"]])
    assert AT["1406"] in found  # next to the enemy: entered
    open_road = reach(table.stand(table.empty(), "1306 us-2arm-cca"), [INDEX["us-2arm-cca"]])
    assert found.get(AT["1504"], 99) > open_road[AT["1504"]]  # no longer by the short way through the zone
    s = table.stand(table.empty(), "1406 us-2arm-cca; 1505 ge-353")
    found = reach(s, [INDEX["us-2arm-cca"]])
    assert found[AT["1405"]] == 4  # clear 2 and the way out 2; again in the zone: allowed, and the end
    beyond = reach(table.stand(table.empty(), "1406 us-2arm-cca"), [INDEX["us-2arm-cca"]])
    assert AT["1504"] in beyond


@pytest.mark.rule("3e")
def test_3e_the_way_out_of_a_zone_is_paid(table):
    s = table.stand(table.empty(), "1406 us-4-8; 1505 ge-353")
    assert reach(s, [INDEX["us-4-8"]])[AT["1306"]] == 4
    s = table.stand(table.empty(), "1406 uk-1ss; 1505 ge-353")
    assert reach(s, [INDEX["uk-1ss"]])[AT["1306"]] == 2
    s = table.stand(table.empty(), "1406 us-82-505; 1505 ge-353")
    assert reach(s, [INDEX["us-82-505"]])[AT["1306"]] == 3


@pytest.mark.rule("4.1.1d")
def test_4_1_1d_one_hex_is_always_possible(table):
    s = table.stand(table.empty(), "1211 ge-353; 1112 us-4-8")
    interdict(s, "z6")
    interdict_cost = step_cost(AT["1211"], AT["1310"], 0)[1]
    s.unsupplied[INDEX["ge-353"]] = 1
    assert interdict_cost >= 3
    s.rubble[AT["1310"]] = 9
    assert AT["1310"] in reach(s, [INDEX["ge-353"]])
    assert reach(s, [INDEX["ge-353"]])[AT["1310"]] == 6


@pytest.mark.rule("4.1.1e")
def test_4_1_1e_enemy_hexes_are_closed(table):
    s = table.stand(table.empty(), "1306 us-4-8; 1406 ge-hq-lxxxiv")
    assert AT["1406"] not in reach(s, [INDEX["us-4-8"]])
    table.moving(s, "us-4-8")
    assert table.why_not(s, "to 1406") == "4.1.1e"


@pytest.mark.rule("6.11c")
def test_6_11c_confusion_may_be_entered_and_not_left(table):
    s = table.stand(table.empty(), "1406 us-4-8 ge-353; 1306 us-4-12")
    s.confusion[AT["1406"]] = 1
    assert AT["1406"] in reach(s, [INDEX["us-4-12"]])
    table.player(s, table.allied, done=1)
    assert table.why_not(s, "move us-4-8") == "6.11c"


@pytest.mark.rule("0.1.2e")
def test_0_1_2e_armour_enters_marsh_by_road_only(table):
    s = table.stand(table.empty(), "0820 us-2arm-cca us-4-8")
    assert AT["0819"] not in reach(s, [INDEX["us-2arm-cca"]])
    assert AT["0819"] in reach(s, [INDEX["us-4-8"]])  # on foot
    s = table.stand(table.empty(), "0619 us-2arm-cca")
    assert AT["0719"] in reach(s, [INDEX["us-2arm-cca"]])  # by road


@pytest.mark.rule("9.2a", "9.2c", "9.2d", "0.2.1e")
def test_9_2c_interdiction_doubles_clear_ground_and_rivers_for_germans(table):
    free = reach(table.stand(table.empty(), "1306 ge-353"), [INDEX["ge-353"]])
    s = table.stand(table.empty(), "1306 ge-353")
    interdict(s, "z8")
    slow = reach(s, [INDEX["ge-353"]])
    assert (free[AT["1406"]], slow[AT["1406"]]) == (2, 4)
    assert step_cost(AT["1406"], AT["1506"], 0) == (2, 2)  # a town
    assert step_cost(AT["1307"], AT["1308"], 0)[0] == step_cost(AT["1307"], AT["1308"], 0)[1]  # a forest
    s = table.stand(table.empty(), "1306 us-4-8")
    interdict(s, "z8")
    assert reach(s, [INDEX["us-4-8"]])[AT["1406"]] == 2  # ruling A51


@pytest.mark.rule("7.5c")
def test_7_5c_unsupplied_wheels_are_halved_feet_are_not(table):
    s = table.stand(table.empty(), "1306 us-2arm-cca; 1604 ge-353")
    far = max(reach(s, [INDEX["us-2arm-cca"]]).values())
    s.unsupplied[INDEX["us-2arm-cca"]] = s.unsupplied[INDEX["ge-353"]] = 1
    assert far > 6
    assert max(reach(s, [INDEX["us-2arm-cca"]]).values()) <= 6
    assert max(reach(s, [INDEX["ge-353"]]).values()) == 6


@pytest.mark.rule("2.1b")
def test_2_1b_a_full_hex_may_be_crossed_but_not_be_the_end(table):
    s = table.stand(table.empty(), "1306 us-4-8; 1406 us-1-16 us-1-18 us-1-26 us-29-115 us-29-116")
    table.moving(s, "us-4-8")
    assert "to 1406" not in table.legal(s)
    assert table.why_not(s, "to 1406") == "2.1a"
    assert "to 1505" in table.legal(s)


@pytest.mark.rule("1.1.2.2a", "4.1.1b")
def test_4_1_1b_one_stack_after_the_other(table):
    s = table.stand(table.empty(), "1306 us-4-8 us-4-12; 1004 ge-353")
    table.player(s, table.allied, done=1)
    assert {"move us-4-8", "move us-4-12", "done"} <= table.legal(s)
    assert "move ge-353" not in table.legal(s)
    table.act(s, "move us-4-8")
    assert table.why_not(s, "move us-4-12") is not None
    table.act(s, "to 1406")
    assert table.at(s, "us-4-8") == "1406"
    assert table.why_not(s, "move us-4-8") == "4.1.1b"
    table.act(s, "move us-4-12")


def test_a_stack_moves_together_at_the_pace_of_the_slowest(table):
    s = table.stand(table.empty(), "1306 us-2arm-cca us-4-8")
    table.moving(s, "us-2arm-cca")
    table.act(s, "with us-4-8")
    table.act(s, "to 1406")
    assert table.at(s, "us-2arm-cca") == table.at(s, "us-4-8") == "1406"


@pytest.mark.rule("1.1.1.3j")
def test_1_1_1_3j_a_resting_unit_does_not_move(table):
    s = table.stand(table.empty(), "1306 us-4-8/1")
    s.resting[INDEX["us-4-8"]] = 1
    table.player(s, table.allied, done=1)
    assert table.why_not(s, "move us-4-8") == "1.1.1.3j"


@pytest.mark.rule("1.1.1.3k")
def test_1_1_1_3k_rest_ends_beside_an_enemy(table):
    s = table.stand(table.empty(), "1306 us-4-8/1; 1506 ge-353")
    s.resting[INDEX["us-4-8"]] = 1
    table.moving(s, "ge-353")
    table.act(s, "to 1407")
    assert s.resting[INDEX["us-4-8"]] == 0


@pytest.mark.rule("0.2.2a", "4.3l", "0.2.1c")
def test_0_2_2a_passing_takes_control_and_the_markers_there(table):
    s = table.stand(table.empty(), "1306 us-2arm-cca")
    table.markers(s, "1406 1")
    assert owns_markers(s, 1, AT["1406"])
    table.moving(s, "us-2arm-cca")
    table.act(s, "to 1505")
    assert s.control[AT["1505"]] == 1
    assert s.control[AT["1406"]] == 1  # on the cheapest way
    assert owns_markers(s, 0, AT["1406"])
    assert not owns_markers(s, 1, AT["1406"])


@pytest.mark.rule("0.2.1d", "0.2.1b")
def test_0_2_1d_markers_follow_their_headquarters(table):
    s = table.stand(table.empty(), "1306 us-hq-vii")
    table.markers(s, "1306 2; 1505 1")
    table.moving(s, "us-hq-vii")
    table.act(s, "to 1505")
    assert s.offensive[AT["1505"]] == 2  # never more than two
    assert s.offensive[AT["1306"]] == 1


@pytest.mark.rule("4.1.1f")
def test_4_1_1f_reserve_is_for_armour_that_moved_one_hex_at_most(table):
    s = table.stand(table.empty(), "1306 us-2arm-cca us-4-8")
    table.moving(s, "us-4-8")
    assert table.why_not(s, "reserve") == "4.1.1f"
    table.moving(s, "us-2arm-cca")
    table.act(s, "to 1406")
    table.act(s, "reserve")
    assert s.reserve[INDEX["us-2arm-cca"]] == 1
    s = table.stand(table.empty(), "1306 us-2arm-cca; 1605 ge-353")
    table.moving(s, "us-2arm-cca")
    table.act(s, "to 1505")  # two hexes, next to an enemy: an overrun could follow, a reserve could not
    assert "reserve" not in table.legal(s)


# --- 4.3 overruns -----------------------------------------------------------------------------------------------------


def ready_to_overrun(table, defender="ge-709-919/1", units=("us-2arm-cca", "us-2arm-ccb"), **where):
    s = table.stand(table.empty(turn=7), f"1306 {' '.join(units)}; 1505 {defender}")
    table.moving(s, units[0])
    for other in units[1:]:
        table.act(s, f"with {other}")
    table.act(s, "to 1406")
    return s


@pytest.mark.rule("4.3a", "4.3c")
def test_4_3a_an_overrun_costs_three_and_the_terrain_when_adjacent(table):
    s = ready_to_overrun(table)
    assert s.frames[-1].spent == 2
    assert "overrun 1505" in table.legal(s)
    assert table.why_not(s, "overrun 1605") == "4.3c"
    table.act(s, "overrun 1505", dice=[6])
    assert s.frames[-1].spent == 7


@pytest.mark.rule("4.3a")
def test_4_3a_without_the_points_there_is_no_overrun(table):
    s = table.stand(table.empty(), "1406 ge-2pz-2; 1505 us-70tk")  # ten points
    c = MoveStack(side=1, units=(INDEX["ge-2pz-2"],), gone=1, spent=5)
    assert why_not_overrun(s, c, AT["1505"]) is None
    c.spent = 6
    assert why_not_overrun(s, c, AT["1505"]).rule == "4.3a"


@pytest.mark.rule("4.3b")
def test_4_3b_infantry_in_the_stack_forbids_the_overrun(table):
    s = table.stand(table.empty(), "1406 us-2arm-cca us-4-8; 1505 ge-709-919/1")
    table.moving(s, "us-2arm-cca")
    assert "overrun 1505" in table.legal(s)
    table.act(s, "with us-4-8")
    assert table.why_not(s, "overrun 1505") == "4.3b"


@pytest.mark.rule("4.3d", "4.3f", "4.3g", "6.1c")
def test_4_3g_an_overrun_is_immediate_alone_without_hq_or_marker(table):
    s = table.stand(
        table.empty(), "1406 us-2arm-cca us-2arm-ccb; 1405 us-4-8; 1306 us-hq-vii; 1505 ge-709-919/1; 1504 ge-hq-lxxxiv"
    )
    table.markers(s, "1306 1")
    table.moving(s, "us-2arm-cca")
    table.act(s, "with us-2arm-ccb")
    table.act(s, "overrun 1505", dice=[6])
    fight = next(e for e in s.events if e.kind == "combat")
    assert fight.data["attackers"] == ["us-2arm-cca", "us-2arm-ccb"]
    assert not any(line[0].startswith("5.3") for line in fight.data["right"] + fight.data["left"])
    assert s.offensive[AT["1306"]] == 1
    assert s.fought[INDEX["us-2arm-cca"]] == 0


@pytest.mark.rule("4.3h")
def test_4_3h_a_failed_overrun_ends_where_it_came_from_in_disorder(table):
    s = ready_to_overrun(table, "ge-353", ("us-2arm-cca",))
    table.act(s, "overrun 1505", dice=[1])
    assert table.at(s, "us-2arm-cca") == "1406"
    assert s.disorder[INDEX["us-2arm-cca"]] == 2
    assert s.moved[INDEX["us-2arm-cca"]]
    assert "overrun-failed" in table.kinds(s)


@pytest.mark.rule("4.3i", "4.3j")
def test_4_3i_a_successful_overrun_enters_and_goes_on_the_attacker_routing_the_retreat(table):
    s = ready_to_overrun(table, "ge-709-919")
    table.act(s, "overrun 1505", dice=[4])
    assert table.decision(s) == "Retreat"
    assert s.waiting == (table.allied,)
    while table.decision(s) == "Retreat":
        table.act(s, sorted(table.legal(s))[-1])
    assert table.at(s, "us-2arm-cca") == "1505"
    assert any(a.startswith("to ") for a in table.legal(s))
    assert s.frames[-1].gone == 2


@pytest.mark.rule("4.3i")
def test_4_3i_after_an_overrun_no_other_enemy_zone_is_entered(table):
    s = ready_to_overrun(table, "ge-709-919/1 ; 1704 ge-276", ("us-2arm-cca", "us-2arm-ccb", "us-3arm-cca"))
    table.act(s, "overrun 1505", dice=[6])
    while table.decision(s) == "Retreat":
        table.act(s, sorted(table.legal(s))[-1])
    assert table.at(s, "us-2arm-cca") == "1505"
    assert "to 1604" not in table.legal(s)  # in the zone of 1704
    assert "to 1506" in table.legal(s)


@pytest.mark.rule("4.3k")
def test_4_3k_a_lone_headquarters_is_swept_away(table):
    s = table.stand(table.empty(), "1406 us-2arm-cca; 1505 ge-hq-lxxxiv")
    table.moving(s, "us-2arm-cca")
    table.act(s, "overrun 1505")
    assert table.at(s, "us-2arm-cca") == "1505"
    assert table.at(s, "ge-hq-lxxxiv") == "track"


# --- 4.2 landing ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("4.2a", "4.2b", "7.1a", "7.1e")
def test_4_2a_landing_is_limited_by_each_depot_and_its_group(table):
    s = table.stand(table.empty(), "reserve us-9-39 us-9-47 us-9-60 us-79-313 us-hq-viii uk-3-8")
    table.depots(s, "utah", "gold")
    table.player(s, table.allied, done=1)
    assert table.why_not(s, "land us-9-39>gold") == "7.1a"
    assert table.why_not(s, "land uk-3-8>utah") == "7.1a"
    assert table.why_not(s, "land us-9-39>omaha-west") == "7.1a"
    for name in ("us-9-39", "us-9-47", "us-9-60"):
        table.act(s, f"land {name}>utah")
    assert table.why_not(s, "land us-79-313>utah") == "4.2a"
    assert s.place[INDEX["us-79-313"]] == RESERVE
    table.act(s, "land us-hq-viii>utah")
    assert table.at(s, "us-9-39") == "0617"
    table.act(s, "move us-9-39")
    table.act(s, "to 0618")


@pytest.mark.rule("1.1.1.1i")
def test_1_1_1_1i_nothing_lands_in_a_storm(table):
    s = table.stand(table.empty(), "reserve us-9-39; 1306 us-4-8")
    table.depots(s, "utah")
    s.storm = 1
    table.player(s, table.allied, done=1)
    assert table.why_not(s, "land us-9-39>utah") == "1.1.1.1i"


@pytest.mark.rule("7.1f", "11.3-vp-ger-depot-big", "11.3-vp-ger-depot-small")
def test_7_1f_a_german_in_its_hex_destroys_a_depot_but_not_cherbourg(table):
    s = table.stand(table.empty(), "0618 ge-709-919")
    table.depots(s, "utah", "juno-west", "cherbourg")
    s.control[AT["0617"]] = s.control[AT["0709"]] = s.control[AT["0223"]] = 1
    table.moving(s, "ge-709-919")
    table.act(s, "to 0617")
    assert s.depot[DEPOT_INDEX["utah"]] == DESTROYED
    assert (s.points[1], s.beaches_lost) == (20, 1)
    table.stand(s, "0809 ge-709-729; 0322 ge-709-739")
    table.moving(s, "ge-709-729")
    table.act(s, "to 0709")
    assert s.points[1] == 30
    table.moving(s, "ge-709-739")
    table.act(s, "to 0223")
    assert s.depot[DEPOT_INDEX["cherbourg"]] == FULL


@pytest.mark.rule("7.1c", "7.1.2a")
def test_7_1c_an_allied_unit_in_a_port_starts_its_building(table):
    s = table.stand(table.empty(turn=2), "0319 us-4-8")
    assert s.depot[DEPOT_INDEX["st-vaast"]] == NO_DEPOT
    occupy(s, 0, AT["0318"])
    assert s.depot_turn[DEPOT_INDEX["st-vaast"]] == 4


@pytest.mark.rule("4.4a", "4.4b", "4.4c")
def test_4_4_special_troops_cross_closed_sides_by_a_die(table):
    def cross(name, die, disorder=0):
        s = table.stand(table.empty(), f"0717 {name}:{disorder}; 1004 ge-353")
        table.moving(s, name)
        if "cross 0817" not in table.legal(s):
            return s, table.why_not(s, "cross 0817")
        table.act(s, "cross 0817", dice=[die])
        return s, table.at(s, name)

    assert cross("us-4-8", 6)[1] == "4.4a"
    assert cross("us-82-505", 6, disorder=1)[1] == "4.4a"
    assert cross("us-82-505", 3)[1] == "0817"
    assert cross("us-82-505", 2)[1] == "0717"
    assert cross("us-2ranger", 2)[1] == "0817"
    s, where = cross("us-82-505", 1)
    assert where == "0717"
    assert s.disorder[INDEX["us-82-505"]] == 1


@pytest.mark.rule("11.1-map")
def test_11_1_map_scenario_one_stops_at_column_seventeen(table):
    s = table.stand(table.empty("cherbourg", 1), "1117 ge-353; 1017 us-hq-vii")
    assert not [h for h in reach(s, [INDEX["ge-353"]]) if h == AT["1116"]]
    s = table.stand(table.empty("cobra"), "1117 ge-353")
    assert AT["1116"] in reach(s, [INDEX["ge-353"]])


@pytest.mark.rule("4.4b", "4.4c", "6.11c")
def test_4_4b_special_troops_slip_out_of_a_melee_on_a_four(table):
    def slip(name, die):
        s = table.stand(table.empty(), f"1406 {name} ge-353")
        s.confusion[AT["1406"]] = 1
        table.player(s, 0, done=1)
        if f"move {name}" not in table.legal(s):
            return table.why_not(s, f"move {name}")
        table.act(s, f"move {name}")
        assert table.why_not(s, "to 1306") == "6.11c"
        table.act(s, "slip 1306", dice=[die])
        return table.at(s, name)

    assert slip("us-4-8", 6) == "6.11c"
    assert slip("us-82-505", 4) == "1306"
    assert slip("us-82-505", 3) == "1406"
    assert slip("us-2ranger", 3) == "1306"


@pytest.mark.rule("4.4b", "4.4c", "6.11a")
def test_4_4b_special_troops_storm_a_hex_and_fight_in_it(table):
    s = table.stand(table.empty(), "1306 us-82-505 us-4-8; 1406 ge-353")
    table.moving(s, "us-4-8")
    assert "storm 1406" not in table.legal(s)
    table.moving(s, "us-82-505")
    table.act(s, "storm 1406", dice=[2])
    assert table.at(s, "us-82-505") == "1306"
    s.moved[INDEX["us-82-505"]] = 0
    table.moving(s, "us-82-505")
    table.act(s, "storm 1406", dice=[3, 4])
    assert table.at(s, "us-82-505") == "1406"
    assert "combat" in table.kinds(s)
    assert s.confusion[AT["1406"]]
    assert "confusion" in table.kinds(s)  # 6.11a said at the end of the assault
    assert table.game.problems(s) == []


@pytest.mark.rule("6.11c", "3b")
def test_6_11c_a_hex_in_confusion_ends_the_move_even_without_a_zone(table):
    from grognard.games.normandie.rules.movement import spread
    from grognard.games.normandie.world import MOTOR

    s = table.stand(table.empty(), "1306 us-9-39; 1406 us-4-8 ge-garnisongold")  # a garrison has no zone
    s.confusion[AT["1406"]] = 1
    came = {}
    found = spread(s, 0, AT["1306"], MOTOR, 12, 0, came=came)
    assert AT["1406"] in found
    assert AT["1406"] not in came.values()


@pytest.mark.rule("2.2d")
@pytest.mark.parametrize(
    ("names", "modes"),
    [
        ("us-4-8", [MOTOR, FOOT]),
        ("us-2arm-cca", [MOTOR]),
        ("ge-353", [FOOT]),
        ("ge-30schnellebrig", [BICYCLE]),
        ("us-4-8 us-4-12", [MOTOR, FOOT]),
        ("us-4-8 us-2arm-cca", [MOTOR]),
        ("ge-30schnellebrig ge-353", [FOOT]),
        ("us-2arm-cca ge-353", []),  # never in one stack, but an armoured unit cannot walk
    ],
)
def test_2_2d_a_stack_moves_as_all_its_units_can(table, names, modes):
    assert common_modes(table.empty(), [INDEX[name] for name in names.split()]) == modes
