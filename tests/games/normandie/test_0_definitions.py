"""Chapters 0, 2.1 and 3 as questions about counters."""

import pytest

from grognard.games.normandie.rules import definitions as d
from grognard.games.normandie.rules.movement import reach
from grognard.games.normandie.rules.tables import first_day, last_day
from grognard.games.normandie.world import (
    AT,
    COUNTERS,
    ELITE,
    FOOT,
    GARRISON,
    INDEX,
    IS_HQ,
    MOTOR,
    PE,
    STEPS,
    is_box,
    is_hex,
)


@pytest.mark.rule("0a")
def test_0a_turn_one_is_the_sixth_of_june_and_turns_are_weeks():
    assert first_day(1) == (6, 6)
    assert first_day(0) == (6, 6)
    assert first_day(7) == (7, 18)
    assert last_day(4) == (7, 3)
    assert first_day(12) == (8, 22)
    assert last_day(12) == (8, 28)


@pytest.mark.rule("0c")
def test_0c_hexes_are_on_the_map_and_boxes_off_it(table):
    assert is_hex(AT["0619"])
    assert not is_hex(AT["paris"])
    assert is_box(AT["paris"])
    assert is_box(AT["f-paris"])
    assert not is_box(AT["reserve"])


@pytest.mark.rule("0.1a", "0.1.1f")
def test_0_1a_headquarters_are_no_combat_units(table):
    for name in ("us-4-8", "uk-8armbrig", "us-70tk", "ge-353"):
        assert d.is_combat_unit(INDEX[name])
    for name in ("us-hq-vii", "ge-hq-lxxxiv"):
        assert not d.is_combat_unit(INDEX[name])
        assert not d.exerts_zoc(INDEX[name])


@pytest.mark.rule("0.1.1d")
def test_0_1_1d_a_marker_in_its_hex_supports_a_headquarters(table):
    s = table.stand(table.empty(), "0619 us-hq-vii")
    assert not d.is_supported(s, INDEX["us-hq-vii"])
    table.markers(s, "0619 1")
    assert d.is_supported(s, INDEX["us-hq-vii"])


@pytest.mark.rule("0.1.2b", "0.1.2c")
def test_0_1_2b_more_than_six_points_is_motorised():
    assert d.is_motorised(INDEX["us-4-8"])
    assert d.is_motorised(INDEX["ge-2pz-2"])
    assert not d.is_motorised(INDEX["ge-353"])
    assert not d.is_motorised(INDEX["ge-30schnellebrig"])


@pytest.mark.rule("0.1.2d")
def test_0_1_2d_cyclists_ride_on_roads_and_walk_elsewhere(table):
    s = table.stand(table.empty(), "1320 ge-30schnellebrig")
    on_foot = table.stand(table.empty(), "1320 ge-709-919")
    by_bike = reach(s, [INDEX["ge-30schnellebrig"]])
    walking = reach(on_foot, [INDEX["ge-709-919"]])
    assert by_bike[AT["1319"]] == 1  # by road
    assert walking[AT["1319"]] == 2
    assert by_bike[AT["1321"]] == walking[AT["1321"]]  # off the road both walk
    assert len(by_bike) > len(walking)


@pytest.mark.rule("0.1.2e", "0.1.2e2")
def test_0_1_2e_armour_and_panzergrenadiers_overrun_infantry_does_not():
    assert d.may_overrun(INDEX["us-2arm-cca"])
    assert d.may_overrun(INDEX["ge-2pz-2"])
    assert not d.may_overrun(INDEX["us-4-8"])
    assert not d.may_overrun(INDEX["ge-3fj-5"])


@pytest.mark.rule("0.1.2g")
def test_0_1_2g_a_garrison_only_defends(table):
    s = table.stand(table.empty(), "0222 ge-garnisoncherbourg; 0221 us-4-8")
    u = INDEX["ge-garnisoncherbourg"]
    assert d.attack_of(s, u) == 0
    assert d.defence_of(s, u) == 3
    table.player(s, table.german, done=1)
    assert table.why_not(s, "move ge-garnisoncherbourg") == "0.1.2g"


@pytest.mark.rule("0.1.2i", "3a")
def test_3a_units_of_one_point_or_more_cover_the_six_hexes_around(table):
    s = table.stand(table.empty(), "1310 ge-353")
    covered = {h for h in ("1309", "1311", "1210", "1211", "1410", "1411") if d.in_enemy_zoc(s, 0, AT[h])}
    assert covered == {"1309", "1311", "1210", "1211", "1410", "1411"}
    assert not d.in_enemy_zoc(s, 0, AT["1310"])
    for name in ("ge-garnisongold", "ge-503schwpzabt", "ge-hq-lxxxiv"):
        bare = table.stand(table.empty(), f"1310 {name}")
        assert not d.in_enemy_zoc(bare, 0, AT["1309"])


@pytest.mark.rule("3a")
def test_3a_no_zone_reaches_into_marsh_or_town_or_over_a_closed_side(table):
    s = table.stand(table.empty(), "0907 ge-353")
    assert not d.in_enemy_zoc(s, 0, AT["0908"])  # Caen is a town
    s = table.stand(table.empty(), "0717 ge-353")
    assert not d.in_enemy_zoc(s, 0, AT["0817"])  # the mouth of the Douve
    s = table.stand(table.empty(), "0719 ge-353")
    assert d.in_enemy_zoc(s, 0, AT["0619"])
    s = table.stand(table.empty(), "0820 ge-353")
    assert not d.in_enemy_zoc(s, 0, AT["0819"])  # floods


@pytest.mark.rule("3d")
def test_3d_a_friend_does_not_lift_an_enemy_zone(table):
    s = table.stand(table.empty(), "1310 ge-353; 1309 us-4-8")
    assert d.in_enemy_zoc(s, 0, AT["1309"])


def test_put_keeps_the_zones_true(table):
    s = table.stand(table.empty(), "1310 ge-353; 1310 ge-3fj-5")
    d.put(s, INDEX["ge-353"], AT["1506"])
    assert d.in_enemy_zoc(s, 0, AT["1309"])  # the regiment is still there
    d.put(s, INDEX["ge-3fj-5"], AT["1506"])
    assert not d.in_enemy_zoc(s, 0, AT["1309"])
    assert table.game.problems(s) == []


@pytest.mark.rule("2.1a", "2.1a2")
def test_2_1a_five_points_one_battalion_and_one_headquarters(table):
    s = table.stand(table.empty(), "1310 ge-353 ge-3fj-5 ge-3fj-8 ge-503schwpzabt ge-hq-lxxxiv")
    assert d.why_not_stack(s, 1, AT["1310"], ()) is None
    assert sum(PE[u] for u in d.units_in(s, AT["1310"], 1)) == 5
    assert d.why_not_stack(s, 1, AT["1310"], [INDEX["ge-3fj-9"]]).reason == "stacking"
    assert d.why_not_stack(s, 1, AT["1310"], [INDEX["ge-102schwpzabt"]]).reason == "stacking-battalions"
    assert d.why_not_stack(s, 1, AT["1310"], [INDEX["ge-hq-lxxxvi"]]).reason == "stacking-hq"


@pytest.mark.rule("2.1c")
def test_2_1c_boxes_hold_any_number(table):
    s = table.stand(table.empty(), "paris ge-353 ge-276 ge-277 ge-271")
    assert d.why_not_stack(s, 1, AT["paris"], [INDEX["ge-272"]]) is None


@pytest.mark.rule("2.1d")
def test_2_1d_americans_and_british_never_stack(table):
    s = table.stand(table.empty(), "1310 us-4-8")
    assert d.why_not_stack(s, 0, AT["1310"], [INDEX["uk-3-8"]]).rule == "2.1d"
    assert d.why_not_stack(s, 0, AT["1310"], [INDEX["us-4-12"]]) is None
    assert d.why_not_stack(s, 0, AT["1310"], [INDEX["uk-hq-i"]]) is None  # ruling A40
    s = table.stand(table.empty(), "paris us-4-8")
    assert d.why_not_stack(s, 0, AT["paris"], [INDEX["uk-3-8"]]).rule == "2.1d"


@pytest.mark.rule("0.1.2e3", "3e")
def test_3e_leaving_a_zone_costs_two_one_for_elite_none_for_commandos():
    assert d.zoc_exit_cost(INDEX["ge-353"]) == 2
    assert d.zoc_exit_cost(INDEX["us-82-505"]) == 1
    assert d.zoc_exit_cost(INDEX["ge-12ss-25"]) == 1
    assert d.zoc_exit_cost(INDEX["uk-1ss"]) == 0
    assert d.zoc_exit_cost(INDEX["us-2ranger"]) == 0


@pytest.mark.rule("2.2d")
def test_2_2d_motorised_infantry_may_walk(table):
    s = table.empty()
    assert d.modes_of(s, INDEX["us-4-8"]) == (MOTOR, FOOT)
    assert d.allowance(s, INDEX["us-4-8"], FOOT) == 6
    assert d.allowance(s, INDEX["us-4-8"], MOTOR) == 10
    assert d.modes_of(s, INDEX["us-2arm-cca"]) == (MOTOR,)
    assert d.modes_of(s, INDEX["ge-353"]) == (FOOT,)


@pytest.mark.rule("2.2e")
def test_2_2e_dropped_paratroops_walk_until_supplied(table):
    s = table.empty()
    s.unlinked[INDEX["us-82-505"]] = 1
    assert d.modes_of(s, INDEX["us-82-505"]) == (FOOT,)
    s.unlinked[INDEX["us-82-505"]] = 0
    assert MOTOR in d.modes_of(s, INDEX["us-82-505"])


@pytest.mark.rule("5.1b", "5.1a")
def test_5_1a_command_counts_thirds_of_divisions_and_the_79th_is_free():
    def weigh(*names):
        return d.thirds_of([INDEX[n] for n in names])

    assert weigh("ge-353") == (3, 0)
    assert weigh("us-4-8", "us-4-12") == (2, 0)
    assert weigh("ge-9ss-19", "ge-9ss-20", "ge-9ss-i-9", "ge-9ss-ii-9") == (3, 0)
    assert weigh("us-70tk", "us-746tk") == (0, 2)
    assert weigh("uk-8armbrig") == (1, 0)
    assert weigh("uk-79arm-30", "uk-79arm-1ae", "uk-79arm-31f") == (0, 0)


def test_counters_hold_together():
    assert len(COUNTERS) == 290
    assert sum(IS_HQ) == 22
    assert all(1 <= STEPS[c.index] <= 3 for c in COUNTERS)
    assert ELITE[INDEX["ge-12ss-25"]]
    assert not ELITE[INDEX["ge-353"]]
    assert GARRISON[INDEX["ge-festung-paris"]]


@pytest.mark.rule("0.1.1a")
def test_0_1_1a_a_headquarters_has_a_bonus_a_move_a_corps_and_a_nation():
    hq = COUNTERS[INDEX["ge-hq-iisspz"]]
    assert (hq.bonus, hq.kind.ratings[1][1], hq.name, hq.group) == (2, 12, "II SS Pz", 2)
    assert all(c.bonus >= 0 and c.kind.ratings[1][1] in (10, 12) for c in COUNTERS if c.is_hq)


@pytest.mark.rule("0.1.2a", "0.1.2f")
def test_0_1_2a_a_unit_has_ratings_for_each_of_its_one_to_three_steps(tmp_path, monkeypatch):
    from grognard.games.normandie import loading
    from grognard.kernel import DataError

    division = COUNTERS[INDEX["ge-353"]]
    assert division.kind.ratings == ((0, 0, 0), (2, 6, 3), (4, 6, 6), (6, 6, 8))
    assert (division.kind.pe, division.division, division.kind.steps) == (3, "353", 3)
    assert COUNTERS[INDEX["us-70tk"]].division == ""  # independent
    head = "class,full,reduced,last,pe,steps,flags,src\n"
    monkeypatch.setattr(loading.FILES, "folder", tmp_path)
    for row, reason in (
        ("x,1-2-3,,,1,4,,proposed", "one to three steps"),
        ("x,1-2-3,,,1,2,,proposed", "sets of ratings"),
        ("x,1-2,,,1,1,,proposed", "attack-move-defence"),
        ("x,1-2-3,,,1,1,flying,proposed", "unknown flags"),
        ("x,1-2-3,,,1,1,,guessed", "src must be"),
    ):
        (tmp_path / "classes.csv").write_text(head + row + "\n")
        with pytest.raises(DataError, match=f"classes.csv: line 2: .*{reason}"):
            loading.load_kinds()


def test_problems_finds_what_is_wrong_with_a_position(table):
    def position():
        return table.stand(table.empty(), "1306 us-4-8 us-4-12; 1406 ge-353 ge-709-919; lemans ge-276")

    def spoil(change):
        s = position()
        change(s)
        return table.game.problems(s)

    assert spoil(lambda s: None) == []
    assert spoil(lambda s: table.stand(s, "1306 ge-276")) == ["both sides in 1306"]
    assert spoil(lambda s: s.confusion.__setitem__(AT["1306"], 1)) == ["confusion without an enemy in 1306"]
    assert spoil(lambda s: table.stand(s, "1406 ge-277")) == ["stacking in 1406"]
    assert spoil(lambda s: table.stand(s, "1306 uk-50-231")) == ["allies-apart in 1306"]
    assert spoil(lambda s: s.steps.__setitem__(INDEX["us-4-8"], 0)) == ["us-4-8 stands on the map without steps"]
    assert len(spoil(lambda s: s.disorder.__setitem__(INDEX["us-4-8"], 3))) == 1
    assert len(spoil(lambda s: s.steps.__setitem__(INDEX["us-4-8"], 9))) == 1
    assert spoil(lambda s: s.zoc.__setitem__(0, 7)) == ["column zoc is stale"]
    assert spoil(lambda s: s.there.__setitem__(0, 7)) == ["column there is stale"]
    assert spoil(lambda s: s.head.__setitem__(AT["1406"], 0)) == ["column head or after is stale"]
    assert spoil(lambda s: s.after.__setitem__(INDEX["us-4-12"], INDEX["us-4-8"] + 1)) == [
        "column head or after is stale"
    ]
