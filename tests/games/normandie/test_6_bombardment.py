"""Chapters 6.2 and 9: ships, bombers and fighter-bombers in a combat."""

import pytest

from grognard.games.normandie.rules.bombardment import bombers_of, fleet_of, ships_in_range
from grognard.games.normandie.rules.combat import reckon, why_not_fly
from grognard.games.normandie.rules.tables import COLUMNS
from grognard.games.normandie.state import FINISHED, WAITING
from grognard.games.normandie.world import AIR, AMERICAN, AT, BRITISH, FB, HB, INDEX, MB

# --- 6.2 bombardment and 9 aircraft -----------------------------------------------------------------------------------


@pytest.mark.rule("6.2c", "6.2d", "6.2e", "8c")
def test_6_2c_cruisers_reach_three_hexes_from_their_own_coast(table):
    s = table.empty()
    s.ships[:] = bytearray([2, 3, 1, 4])
    assert ships_in_range(s, 0, AT["0714"]) == (2, 3)
    assert ships_in_range(s, 0, AT["0814"]) == (2, 3)  # second hex
    assert ships_in_range(s, 0, AT["0914"]) == (2, 0)  # third hex: cruisers only
    assert ships_in_range(s, 0, AT["1014"]) == (0, 0)
    assert ships_in_range(s, 1, AT["0907"])[0] == 1
    assert ships_in_range(s, 0, AT["0907"]) == (0, 0)
    assert (fleet_of(AMERICAN), fleet_of(BRITISH)) == (0, 1)


@pytest.mark.rule("6.2a", "6.2f", "6.2g", "6.2h", "6.2b", "6.5e")
def test_6_2_ships_fire_once_before_the_combat_at_the_whole_stack(table):
    s = declared_with_ships(table)
    assert table.decision(s) == "Bombard"
    assert table.why_not(s, "ships 0814:1+2") is None
    table.act(s, "ships 0814:1+1", dice=[5])
    assert [s.affected[INDEX[n]] for n in ("ge-353", "ge-3fj-5")] == [1, 1]
    assert list(s.ships[:2]) == [0, 1]
    assert table.why_not(s, "ships 0814:0+1") is not None  # 6.2b once


def declared_with_ships(table, where="0814"):
    s = table.stand(table.empty(), f"0714 us-hq-vii us-4-8; {where} ge-353 ge-3fj-5")
    s.ships[:] = bytearray([1, 2, 0, 0])
    s.offensive[AT["0714"]] = 1
    table.player(s, 0, done=3)
    table.act(s, "activate us-hq-vii")
    table.act(s, f"attack {where}")
    return s


@pytest.mark.rule("6.2b", "6.5f")
def test_6_2b_ships_and_bombers_once_each_never_added(table):
    s = table.stand(table.empty(), "0714 us-hq-vii us-4-8; 0814 ge-353")
    s.ships[:] = bytearray([1, 2, 0, 0])
    table.planes(s, MB, AMERICAN, 2)
    s.offensive[AT["0714"]] = 1
    table.player(s, 0, done=3)
    table.act(s, "activate us-hq-vii")
    table.act(s, "attack 0814")
    table.act(s, "ships 0814:1+2", dice=[3])  # three points: A1
    assert s.affected[INDEX["ge-353"]] == 1
    assert table.why_not(s, "ships 0814:0+0") == "6.2b"
    table.act(s, "bombers 0814:2+0+0", dice=[3])  # four points and +1: A1 again makes A2
    assert s.affected[INDEX["ge-353"]] == 2
    assert table.decision(s) == "Commit"


@pytest.mark.rule("6.2i", "6.11d", "10-O.1a")
def test_6_2i_no_bombardment_in_a_storm_at_night_or_on_confusion(table):
    from grognard.games.normandie.rules.bombardment import why_not_bombard

    s = table.empty()
    assert why_not_bombard(s, AT["0814"]) is None
    s.storm = 1
    assert why_not_bombard(s, AT["0814"]).rule == "6.2i"
    s.storm, s.phase = 0, "O"
    assert why_not_bombard(s, AT["0814"]).rule == "10-O.1a"
    s.phase = "A"
    s.confusion[AT["0814"]] = 1
    assert why_not_bombard(s, AT["0814"]).rule == "6.11d"


@pytest.mark.rule("6.5i", "6.2a")
def test_6_5i_in_defence_the_allies_shell_the_attackers_who_may_then_stay_out(table):
    s = table.stand(table.empty(), "0816 ge-hq-lxxxiv; 0814 ge-353; 0815 ge-276; 0714 us-4-8")
    s.ships[:] = bytearray([0, 2, 0, 0])
    s.offensive[AT["0816"]] = 1
    table.player(s, 1, done=3)
    table.act(s, "activate ge-hq-lxxxiv")
    table.act(s, "attack 0714")
    assert s.waiting == (0,)
    table.act(s, "ships 0814:0+2", dice=[6])
    assert s.affected[INDEX["ge-353"]] == 1
    assert s.affected[INDEX["ge-276"]] == 0
    assert table.legal(s) == {"join ge-353", "join ge-276"}
    table.act(s, "join ge-276")
    assert all(line.why != "attacker_disorder" for line in reckon(s, s.frames[-1]).left)


@pytest.mark.rule("9.3a", "9.3b", "9.4a", "9.4d", "9.4b", "9.4e")
def test_9_4_heavy_bombers_cost_points_rest_two_turns_and_leave_rubble(table):
    s = table.stand(table.empty(turn=7), "1407 us-hq-vii us-4-8; 1506 ge-353")
    table.planes(s, MB, AMERICAN, 1)
    table.planes(s, HB, AMERICAN, 2)
    s.offensive[AT["1407"]] = 1
    table.player(s, 0, done=3)
    table.act(s, "activate us-hq-vii")
    table.act(s, "attack 1506")
    table.act(s, "bombers 1506:1+0+2", dice=[6])
    assert s.points[0] == -4
    assert s.rubble[AT["1506"]] == 4
    waiting = [a for a in range(len(AIR)) if s.air[a] == WAITING]
    assert [s.air_at[a] for a in waiting] == [9, 9]
    assert sum(s.air[a] == FINISHED for a in range(len(AIR))) == 1
    table.planes(s, HB, AMERICAN, 1)
    assert bombers_of(s, AMERICAN)[2] == 0  # one carpet a turn


@pytest.mark.rule("9.1a", "9.1b", "9.1f", "4.3e", "1.1.1.1g")
def test_9_1_a_fighter_bomber_flies_where_it_can_see(table):
    s = table.stand(table.empty(turn=7), "1306 us-4-8; 1406 ge-353; 1506 ge-276; 1407 us-2arm-cca uk-hq-i")
    c = table.combat(s, "1406", "us-4-8")
    assert why_not_fly(s, c).reason == "no-aircraft"
    table.planes(s, FB, BRITISH, 1)
    assert why_not_fly(s, c).reason == "no-aircraft"  # not of their group
    table.planes(s, FB, AMERICAN, 1)
    assert why_not_fly(s, c) is None
    assert why_not_fly(s, table.combat(s, "1506", "us-2arm-cca")).rule == "9.1b"  # a town
    c.kind = "overrun"
    assert why_not_fly(s, c).rule == "9.1f"
    s.turn = 8
    assert why_not_fly(s, c) is None
    s.storm = 1
    assert why_not_fly(s, c).rule == "1.1.1.1g"


@pytest.mark.rule("6.3d", "9.1c", "9.1e", "9.1d", "6.6e")
def test_9_1c_air_support_is_a_column_and_chases_the_retreat(table):
    s = table.stand(table.empty(), "1306 us-4-8 us-4-12 us-4-22; 1406 ge-709-919")
    table.planes(s, FB, AMERICAN, 1)
    table.attack(s, "", "1406", "us-4-8", "us-4-12", "us-4-22")
    assert table.decision(s) == "Fly"
    table.act(s, "fly", dice=[2])  # 4/1 and one: 5/1, die 2 is D2 and a retreat of one
    assert FINISHED in s.air
    assert COLUMNS[s.frames[-1].column] == "5/1"
    table.act(s, sorted(table.legal(s))[0])
    assert s.steps[INDEX["ge-709-919"]] == 1  # D2, then one level more in the open costs a step
    s = table.stand(table.empty(), "1306 us-4-8; 1406 ge-353")
    defence = table.combat(s, "1306", "ge-353")
    defence.plane = 0
    assert [line.why for line in reckon(s, defence).left] == ["air"]


@pytest.mark.rule("9.4c", "9.4e")
def test_9_4c_a_carpet_over_two_hexes_halves_itself(table):
    s = table.stand(table.empty(), "1407 us-hq-vii us-4-8; 1506 ge-353; 1505 ge-276; 1605 ge-277")
    table.planes(s, HB, AMERICAN, 2)
    table.planes(s, MB, AMERICAN, 1)
    s.offensive[AT["1407"]] = 1
    table.player(s, 0, done=3)
    table.act(s, "activate us-hq-vii")
    table.act(s, "attack 1506")
    assert table.why_not(s, "bombers 1506+1505:1+0+0") == "9.4c"
    assert table.why_not(s, "bombers 1506+1605:0+0+2") == "9.4c"  # not next to it
    table.act(s, "bombers 1506+1505:0+0+2", dice=[4, 6])
    hits = [e.data for e in s.events if e.kind == "bombarded"]
    assert [h["points"] for h in hits] == [4, 4]
    assert s.rubble[AT["1506"]] == 2  # one for each counter astride
    assert s.affected[INDEX["ge-276"]] == 2


@pytest.mark.rule("4.3e")
def test_4_3e_the_first_turn_of_air_support_in_overruns_is_an_option(table):
    for value, turn in (("7", 7), ("8", 8)):
        s = table.stand(table.empty(turn=turn - 1, options={"overrun-air": value}), "1306 us-2arm-cca; 1406 ge-353")
        table.planes(s, FB, AMERICAN, 1)
        c = table.combat(s, "1406", "us-2arm-cca", kind="overrun")
        assert why_not_fly(s, c).rule == "9.1f"
        s.turn = turn
        assert why_not_fly(s, c) is None
