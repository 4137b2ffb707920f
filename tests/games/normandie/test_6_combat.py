"""Chapters 5 and 6: command, bombardment, combat, retreat, advance, exploitation, counter-attack."""

import pytest

from grognard.games.normandie.frames import Combat
from grognard.games.normandie.rules import command
from grognard.games.normandie.rules.bombardment import bombers_of, fleet_of, ships_in_range
from grognard.games.normandie.rules.combat import covers, has_real_choice, reckon, why_not_fly
from grognard.games.normandie.rules.losses import capture, disorganise, lose_steps
from grognard.games.normandie.rules.retreat import retreat_hexes
from grognard.games.normandie.rules.tables import COLUMNS
from grognard.games.normandie.state import AVAILABLE, FINISHED, WAITING
from grognard.games.normandie.world import AIR, AMERICAN, AT, BRITISH, CADRE, FB, GONE, HB, INDEX, MB


def planes(s, kind, group, number):
    """Make so many aircraft Available."""
    for a, (k, g, light) in enumerate(AIR):
        if k == kind and g == group and not light and number:
            s.air[a] = AVAILABLE
            number -= 1


def combat(s, target, *names, hq=None, **more):
    side = 0 if not names[0].startswith("ge") else 1
    return Combat(side=side, hq=INDEX[hq] if hq else -1, target=AT[target],
                  attackers=tuple(INDEX[n] for n in names), **more)  # fmt: skip


# --- 5 command --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("5.1d")
def test_5_1d_a_headquarters_reaches_four_hexes(table):
    s = table.stand(table.empty(), "1306 us-hq-vii; 1310 us-4-8; 1311 us-4-12")
    assert command.is_in_range(s, INDEX["us-hq-vii"], INDEX["us-4-8"])
    assert not command.is_in_range(s, INDEX["us-hq-vii"], INDEX["us-4-12"])
    assert command.why_not_control(s, INDEX["us-hq-vii"], INDEX["us-4-12"]).rule == "5.1d"


@pytest.mark.rule("5.1e", "5.1f")
def test_5_1e_off_map_the_same_box_or_the_next_and_in_confusion_its_own(table):
    s = table.stand(table.empty(), "paris ge-hq-isspz ge-353; lemans ge-276; rennes ge-277")
    hq = INDEX["ge-hq-isspz"]
    assert command.is_in_range(s, hq, INDEX["ge-353"])
    assert command.is_in_range(s, hq, INDEX["ge-276"])
    assert not command.is_in_range(s, hq, INDEX["ge-277"])
    s.confusion[AT["paris"]] = 1
    assert command.is_in_range(s, hq, INDEX["ge-353"])
    assert not command.is_in_range(s, hq, INDEX["ge-276"])


@pytest.mark.rule("5.1a", "5.1b", "8b")
def test_5_1a_five_divisions_and_three_battalions_of_one_group(table):
    s = table.stand(table.empty(), "1306 us-hq-vii uk-3-8; 1305 us-4-8 us-745tk")
    hq = INDEX["us-hq-vii"]
    assert command.why_not_control(s, hq, INDEX["uk-3-8"]).rule == "5.1a"
    five = [f"us-{n}" for n in ("1-16", "1-18", "1-26", "2-9", "2-23", "2-38", "5-2", "5-10", "5-11", "8-13", "8-28")]
    five += [f"us-{n}" for n in ("8-121", "9-39", "9-47", "9-60")]
    assert command.why_not_control(s, hq, INDEX["us-4-8"], [INDEX[n] for n in five]).reason == "hq-full"
    assert command.why_not_control(s, hq, INDEX["us-4-8"], [INDEX[n] for n in five[:-1]]) is None
    three = [INDEX[n] for n in ("us-70tk", "us-741tk", "us-743tk")]
    assert command.why_not_control(s, hq, INDEX["us-745tk"], three).reason == "hq-full"
    assert command.why_not_control(s, hq, INDEX["us-745tk"], three[:2]) is None


@pytest.mark.rule("5.1c", "5a")
def test_5_1c_one_headquarters_a_turn(table):
    s = table.stand(table.empty(), "1306 us-hq-vii; 1305 us-hq-v us-4-8; 1406 ge-353; 1207 us-9-39")
    table.markers(s, "1306 1; 1305 1")
    table.attack(s, "us-hq-vii", "1406", "us-4-8", dice=[1, 1, 1])
    assert s.boss[INDEX["us-4-8"]] == INDEX["us-hq-vii"] + 1
    assert command.why_not_control(s, INDEX["us-hq-v"], INDEX["us-4-8"]).rule == "5.1c"
    assert command.why_not_control(s, INDEX["us-hq-vii"], INDEX["us-4-8"]) is None


@pytest.mark.rule("1.1.3b", "0.1.1c", "0.1.1b", "1.0d", "1.1.3c")
def test_1_1_3b_fighting_needs_a_supported_headquarters_and_costs_a_marker(table):
    s = table.stand(table.empty(), "1306 us-hq-vii us-4-8; 1305 us-hq-v us-9-39; 1406 ge-353")
    table.markers(s, "1306 2")
    table.player(s, table.allied, done=3)
    assert table.legal(s) == {"activate us-hq-vii", "end"}
    assert table.why_not(s, "activate us-hq-v") == "1.1.3b"
    table.act(s, "activate us-hq-vii")
    assert s.offensive[AT["1306"]] == 1
    assert s.finished[INDEX["us-hq-vii"]] == 1
    assert table.legal(s) == {"attack 1406", "done"}
    table.act(s, "done")
    assert s.outcome or "activate us-hq-vii" not in table.legal(s)


@pytest.mark.rule("1.1.3a", "1.1.3d")
def test_1_1_3a_passing_leaves_a_headquarters_available(table):
    s = table.stand(table.empty(), "1306 us-hq-vii us-4-8; 1406 ge-353")
    table.markers(s, "1306 1")
    table.player(s, table.allied, done=3)
    table.act(s, "end")
    assert s.finished[INDEX["us-hq-vii"]] == 0
    assert s.offensive[AT["1306"]] == 1
    assert not s.waiting


@pytest.mark.rule("5.3a", "5.3b")
def test_5_3b_a_headquarters_within_two_hexes_adds_its_bonus(table):
    s = table.stand(table.empty(), "1306 us-hq-vii us-4-8; 1406 ge-353; 1305 us-4-12")
    table.markers(s, "1306 1")
    table.player(s, table.allied, done=3)
    table.act(s, "activate us-hq-vii")
    table.act(s, "attack 1406")
    assert s.frames[-1].support == (INDEX["us-hq-vii"],)
    lines = reckon(s, s.frames[-1]).right
    assert [(line.rule, line.amount) for line in lines] == [("5.3b", 2)]
    s = table.stand(table.empty(), "1206 us-hq-vii; 1306 us-4-8; 1506 ge-353; 1406 us-4-12; 1405 us-9-39")
    assert not command.is_in_support_range(s, INDEX["us-hq-vii"], AT["1506"])
    assert command.is_in_support_range(s, INDEX["us-hq-vii"], AT["1406"])


@pytest.mark.rule("5.3e", "5.3c", "5.3d")
def test_5_3e_the_german_adds_headquarters_each_for_a_marker(table):
    s = table.stand(table.empty(), "1306 ge-hq-lxxxiv ge-353; 1305 ge-hq-isspz; 1304 ge-hq-iisspz; 1406 us-4-8")
    table.markers(s, "1305 1")
    table.attack(s, "ge-hq-lxxxiv", "1406", "ge-353", support=(INDEX["ge-hq-lxxxiv"],))
    assert table.decision(s) == "AttackSupport"
    assert table.legal(s) == {"add ge-hq-isspz", "enough"}  # the other has no marker
    table.act(s, "add ge-hq-isspz", dice=[3])
    assert s.finished[INDEX["ge-hq-isspz"]] == 1
    assert s.offensive[AT["1305"]] == 0
    fight = next(e for e in s.events if e.kind == "combat")
    assert [line[1] for line in fight.data["right"]] == [1, 2]


@pytest.mark.rule("5.3e")
def test_5_3e_the_allies_add_none(table):
    s = table.stand(table.empty(), "1306 us-hq-vii us-4-8; 1305 us-hq-v; 1406 ge-353")
    table.markers(s, "1305 1")
    table.attack(s, "us-hq-vii", "1406", "us-4-8", dice=[3, 3, 3])
    assert "marker-spent" not in table.kinds(s)
    assert s.finished[INDEX["us-hq-v"]] == 0


@pytest.mark.rule("5.3f", "5.3g", "5.3h")
def test_5_3f_a_defence_is_supported_by_one_hq_for_one_column_and_no_marker(table):
    s = table.stand(table.empty(), "1306 us-4-8; 1406 ge-353; 1505 ge-hq-iisspz; 1405 ge-hq-isspz")
    table.markers(s, "1505 1")
    table.attack(s, "", "1406", "us-4-8")
    assert table.decision(s) == "DefenceSupport"
    table.act(s, "support ge-hq-iisspz", dice=[3])
    fight = next(e for e in s.events if e.kind == "combat")
    assert ["5.3g", 1, "hq"] in [list(line) for line in fight.data["left"]]
    assert s.finished[INDEX["ge-hq-iisspz"]] == 1
    assert s.offensive[AT["1505"]] == 1
    assert command.defence_hqs(s, 1, AT["1406"], {2}) == [INDEX["ge-hq-isspz"]]
    assert command.extra_attack_hqs(s, 1, AT["1406"], ()) == []


@pytest.mark.rule("5.4b", "6.1c", "5.4e")
def test_5_4b_a_lone_headquarters_attacked_is_lost_and_comes_back_a_turn_later(table):
    s = table.stand(table.empty(turn=8), "1306 us-hq-vii us-4-8; 1406 ge-hq-lxxxiv")
    s.phase = "B"
    table.attack(s, "us-hq-vii", "1406", "us-4-8")
    hq = INDEX["ge-hq-lxxxiv"]
    assert table.at(s, "ge-hq-lxxxiv") == "track"
    assert (s.due[hq], s.due_phase[hq]) == (9, 1)
    assert s.fought[INDEX["us-4-8"]] & 1


@pytest.mark.rule("5.4c", "5.4d")
def test_5_4c_a_headquarters_dies_with_its_escort_only(table):
    s = table.stand(table.empty(), "1306 us-4-8 us-4-12 us-4-22; 1406 ge-275 ge-hq-lxxxiv")
    table.attack(s, "", "1406", "us-4-8", "us-4-12", "us-4-22", dice=[5])
    if s.waiting:
        table.act(s, "no-support", dice=[5])
    assert table.at(s, "ge-275") == "cadre"
    assert table.at(s, "ge-hq-lxxxiv") == "track"
    s = table.stand(table.empty(), "1306 us-4-8; 1406 ge-353 ge-hq-lxxxiv")
    table.attack(s, "", "1406", "us-4-8")
    table.act(s, "no-support", dice=[6])
    assert table.at(s, "ge-hq-lxxxiv") == "1406"
    assert s.disorder[INDEX["ge-hq-lxxxiv"]] == 0


@pytest.mark.rule("5.4a")
def test_5_4a_a_headquarters_does_not_attack(table):
    s = table.stand(table.empty(), "1306 us-hq-vii us-4-8; 1406 ge-353")
    table.markers(s, "1306 1")
    table.player(s, table.allied, done=3)
    table.act(s, "activate us-hq-vii")
    table.act(s, "attack 1406")
    assert "join us-hq-vii" not in table.legal(s)
    assert table.why_not(s, "join us-hq-vii") == "5.4a"


# --- 6.1 attacks ------------------------------------------------------------------------------------------------------


def declared(table, text, target="1406", hq="us-hq-vii"):
    s = table.stand(table.empty(), text)
    s.offensive[s.place[INDEX[hq]]] = 1
    table.player(s, 0 if hq.startswith("u") else 1, done=3)
    table.act(s, f"activate {hq}")
    table.act(s, f"attack {target}")
    return s


@pytest.mark.rule("6.1a", "6.1d", "6.3i", "0.1.2g", "7.5d")
def test_6_1a_adjacent_able_and_supplied_units_may_join(table):
    s = declared(table, "1306 us-hq-vii us-4-8; 1305 us-4-12; 1206 us-4-22; 1407 us-9-39; 1406 ge-353")
    s.unsupplied[INDEX["us-9-39"]] = 1
    assert table.legal(s) == {"join us-4-8", "join us-4-12"}
    assert table.why_not(s, "join us-4-22") == "6.1a"
    assert table.why_not(s, "join us-9-39") == "7.5d"
    table.act(s, "join us-4-12")
    assert table.legal(s) == {"join us-4-8", "fight"}  # the attacker chooses freely


@pytest.mark.rule("6.1b")
def test_6_1b_one_attack_and_one_defence_a_phase(table):
    s = declared(table, "1306 us-hq-vii us-4-8; 1206 us-4-12; 1406 ge-353; 1305 ge-276")
    table.act(s, "join us-4-8")
    table.act(s, "fight", dice=[4])
    assert s.fought[INDEX["us-4-8"]] & 1
    assert s.fought[INDEX["ge-353"]] & 2
    assert table.why_not(s, "attack 1406") == "6.1b"
    table.act(s, "attack 1305")
    assert table.legal(s) == {"join us-4-12"}
    assert table.why_not(s, "join us-4-8") == "6.1b"  # it touches 1305, but has had its attack


@pytest.mark.rule("1.1.1.3j", "4.1.1f")
def test_1_1_1_3j_units_at_rest_and_in_reserve_do_not_attack(table):
    s = declared(table, "1306 us-hq-vii us-4-8 us-4-12; 1406 ge-353")
    assert {"join us-4-8", "join us-4-12"} <= table.legal(s)
    s.resting[INDEX["us-4-8"]] = 1
    s.reserve[INDEX["us-4-12"]] = 1
    assert table.why_not(s, "join us-4-8") == "1.1.1.3j"
    assert table.why_not(s, "join us-4-12") == "4.1.1f"


@pytest.mark.rule("6.1e", "6.1f", "6.1g")
def test_6_1f_all_the_enemies_of_one_hex_defend_together(table):
    s = declared(table, "1306 us-hq-vii us-4-8; 1406 ge-353 ge-3fj-5; 1405 ge-276")
    table.act(s, "join us-4-8")
    assert reckon(s, s.frames[-1]).defence == 8 + 5


@pytest.mark.rule("8b")
def test_8b_americans_and_british_do_not_attack_together(table):
    s = declared(table, "1306 us-hq-vii us-4-8; 1305 uk-3-8; 1406 ge-353")
    assert table.why_not(s, "join uk-3-8") == "5.1a"
    c = combat(s, "1406", "us-4-8")
    from grognard.games.normandie.rules.combat import why_not_attack

    assert why_not_attack(s, c, INDEX["uk-3-8"]).rule == "8b"


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
    assert "ships 0814:1+2" in table.legal(s)
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
    planes(s, MB, AMERICAN, 2)
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
    planes(s, MB, AMERICAN, 1)
    planes(s, HB, AMERICAN, 2)
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
    planes(s, HB, AMERICAN, 1)
    assert bombers_of(s, AMERICAN)[2] == 0  # one carpet a turn


@pytest.mark.rule("9.1a", "9.1b", "9.1f", "4.3e", "1.1.1.1g")
def test_9_1_a_fighter_bomber_flies_where_it_can_see(table):
    s = table.stand(table.empty(turn=7), "1306 us-4-8; 1406 ge-353; 1506 ge-276; 1407 us-2arm-cca uk-hq-i")
    c = combat(s, "1406", "us-4-8")
    assert why_not_fly(s, c).reason == "no-aircraft"
    planes(s, FB, BRITISH, 1)
    assert why_not_fly(s, c).reason == "no-aircraft"  # not of their group
    planes(s, FB, AMERICAN, 1)
    assert why_not_fly(s, c) is None
    assert why_not_fly(s, combat(s, "1506", "us-2arm-cca")).rule == "9.1b"  # a town
    c.kind = "overrun"
    assert why_not_fly(s, c).rule == "9.1f"
    s.turn = 8
    assert why_not_fly(s, c) is None
    s.storm = 1
    assert why_not_fly(s, c).rule == "1.1.1.1g"


@pytest.mark.rule("6.3d", "9.1c", "9.1e", "9.1d", "6.6e")
def test_9_1c_air_support_is_a_column_and_chases_the_retreat(table):
    s = table.stand(table.empty(), "1306 us-4-8 us-4-12 us-4-22; 1406 ge-709-919")
    planes(s, FB, AMERICAN, 1)
    table.attack(s, "", "1406", "us-4-8", "us-4-12", "us-4-22")
    assert table.decision(s) == "Fly"
    table.act(s, "fly", dice=[2])  # 4/1 and one: 5/1, die 2 is D2 and a retreat of one
    assert FINISHED in s.air
    assert COLUMNS[s.frames[-1].column] == "5/1"
    table.act(s, sorted(table.legal(s))[0])
    assert s.steps[INDEX["ge-709-919"]] == 1  # D2, then one level more in the open costs a step
    s = table.stand(table.empty(), "1306 us-4-8; 1406 ge-353")
    defence = combat(s, "1306", "ge-353")
    defence.plane = 0
    assert [line.why for line in reckon(s, defence).left] == ["air"]


# --- 6.3 the column ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("6.3a", "6.5h", "6.5l", "2.2a")
def test_6_3a_shifts_of_both_sides_with_their_rules(table):
    s = table.stand(table.empty(), "1103 us-4-8:1; 1003 us-4-12; 1004 ge-353:2")
    c = combat(s, "1004", "us-4-8", "us-4-12")
    found = reckon(s, c)
    assert (found.attack, found.defence, COLUMNS[found.ratio]) == (8, 8, "1/1")
    assert [tuple(line) for line in found.right] == [("6.5h", 2, "defender_disorder")]
    assert [tuple(line) for line in found.left] == [("2.2a", 2, "bocage"), ("6.5l", 1, "attacker_disorder")]
    assert COLUMNS[found.column] == "1/2"


@pytest.mark.rule("2.2a")
def test_2_2a_a_river_counts_when_every_attacker_crosses_it(table):
    s = table.stand(table.empty(), "1307 us-4-8; 1407 us-4-12; 1408 ge-353")
    across = reckon(s, combat(s, "1408", "us-4-8"))
    assert "river" in [line.why for line in across.left]
    one_side = [n for n in ("us-4-8", "us-4-12") if s.place[INDEX[n]] in (AT["1307"], AT["1407"])]
    both = reckon(s, combat(s, "1408", *one_side))
    dry = [n for n in one_side if "river" not in [x.why for x in reckon(s, combat(s, "1408", n)).left]]
    assert ("river" in [line.why for line in both.left]) == (not dry)


@pytest.mark.rule("2.2g", "2.2f")
def test_2_2g_1213_is_village_or_bocage_never_both(table):
    assert covers(AT["1213"]) == ["village", "bocage"]
    assert has_real_choice(AT["1213"])
    assert covers(AT["1506"]) == ["town"]
    assert covers(AT["1306"]) == ["clear"]
    s = table.stand(table.empty(), "1313 us-4-8; 1213 ge-353")
    table.attack(s, "", "1213", "us-4-8")
    assert (s.waiting, table.legal(s)) == ((1,), {"count village", "count bocage"})
    c = s.frames[-1]
    table.act(s, "count bocage", dice=[3])
    fight = next(e for e in s.events if e.kind == "combat")
    assert [list(line) for line in fight.data["left"]] == [["2.2a", 2, "bocage"]]
    assert c.cover == "bocage"


@pytest.mark.rule("6.3c", "7.5b")
def test_6_3c_an_unsupplied_defender_counts_half(table):
    s = table.stand(table.empty(), "1306 us-4-8; 1406 ge-353")
    assert reckon(s, combat(s, "1406", "us-4-8")).defence == 8
    s.unsupplied[INDEX["ge-353"]] = 1
    assert reckon(s, combat(s, "1406", "us-4-8")).defence == 4


@pytest.mark.rule("6.3g", "6.4b")
def test_6_4b_every_participant_suffers_and_nobody_else(table):
    s = table.stand(table.empty(), "1306 us-4-8 us-4-12; 1305 us-4-22; 1406 ge-353 ge-503schwpzabt")
    table.attack(s, "", "1406", "us-4-8", "us-4-22", dice=[4])  # 8 to 12: 1/2; elite gun: die 3
    assert [s.disorder[INDEX[n]] for n in ("us-4-8", "us-4-22", "us-4-12")] == [2, 2, 0]
    s = table.stand(table.empty(), "1306 us-4-8 us-4-12; 1305 us-4-22; 1406 ge-353")
    table.attack(s, "", "1406", "us-4-8", "us-4-22", dice=[3])  # 1/1, three: D2 and D1
    assert s.disorder[INDEX["ge-353"]] == 1


# --- 6.5, 6.10 disorder and losses ------------------------------------------------------------------------------------


@pytest.mark.rule("6.10a", "6.10b", "11.3-vp-step", "11.3-vp-elite", "0.1.2h", "errata-a")
def test_6_10_steps_reduce_then_destroy_and_score(table):
    s = table.stand(table.empty(), "1406 ge-353 ge-12ss-25 ge-275 ge-garnisongold")
    lose_steps(s, INDEX["ge-353"], 1, "test")
    assert (s.steps[INDEX["ge-353"]], s.points[0]) == (2, 1)
    lose_steps(s, INDEX["ge-12ss-25"], 1, "test")
    assert s.points[0] == 3  # an elite step is worth two
    lose_steps(s, INDEX["ge-353"], 2, "test")
    assert s.place[INDEX["ge-353"]] == CADRE
    lose_steps(s, INDEX["ge-275"], 1, "test")
    assert s.place[INDEX["ge-275"]] == CADRE  # one step only
    lose_steps(s, INDEX["ge-garnisongold"], 1, "test")
    assert s.place[INDEX["ge-garnisongold"]] == GONE


@pytest.mark.rule("6.5d", "6.5c")
def test_6_5d_a_d2_unit_disorganised_again_loses_a_step(table):
    s = table.stand(table.empty(), "1406 ge-353:1")
    u = INDEX["ge-353"]
    disorganise(s, u, 1, "test")
    assert (s.disorder[u], s.steps[u]) == (2, 3)
    disorganise(s, u, 1, "test")
    assert (s.disorder[u], s.steps[u]) == (2, 2)


@pytest.mark.rule("6.6g", "6.6a")
def test_6_6g_captured_units_never_come_back(table):
    s = table.stand(table.empty(), "1406 ge-353")
    capture(s, INDEX["ge-353"], "test")
    assert s.place[INDEX["ge-353"]] == GONE
    assert s.points[0] == 3


# --- 6.6 retreats -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("6.6a", "6.6b", "6.4c")
def test_6_6b_a_retreat_shuns_zones_if_it_can_and_pays_a_step_if_it_cannot(table):
    s = table.stand(table.empty(), "1306 us-4-8; 1406 ge-353")
    hexes = retreat_hexes(s, INDEX["ge-353"], AT["1406"], 0)
    assert AT["1305"] not in hexes  # under the guns of 1306
    assert AT["1505"] in hexes
    table.stand(s, "1504 us-4-12; 1606 us-4-22; 1508 us-9-39")
    hexes = retreat_hexes(s, INDEX["ge-353"], AT["1406"], 0)
    assert hexes == [AT["1506"]]  # a town, in which no zone reaches
    table.stand(s, "1506 us-9-47")
    hexes = retreat_hexes(s, INDEX["ge-353"], AT["1406"], 0)
    assert hexes
    assert all(s.zoc[h] for h in hexes)
    table.attack(s, "", "1406", "us-4-8", "us-9-47", "us-9-60", dice=[6])


@pytest.mark.rule("6.6b")
def test_6_6b_each_unit_retreating_into_a_zone_loses_a_step(table):
    ring = "1305 us-4-12; 1405 us-4-22; 1505 us-9-39; 1407 us-9-47"
    s = table.stand(table.empty(), f"1306 us-4-8; {ring}; 1406 ge-353; 1605 us-1-16; 1607 us-1-18; 1508 us-1-26")
    ways = retreat_hexes(s, INDEX["ge-353"], AT["1406"], 0)
    assert ways == [AT["1506"]]
    s = table.stand(table.empty(), f"1306 us-4-8; {ring}; 1406 ge-353; 1506 us-9-60")
    assert retreat_hexes(s, INDEX["ge-353"], AT["1406"], 0) == []
    table.attack(s, "", "1406", "us-4-8", "us-4-12", "us-4-22", "us-9-39", "us-9-47", dice=[6])
    assert table.at(s, "ge-353") == "gone"


@pytest.mark.rule("6.6b")
def test_6_6b_the_price_is_taken_on_entering(table):
    from grognard.games.normandie.rules.retreat import step_back

    s = table.stand(table.empty(), "1306 us-4-8; 1406 ge-353")
    step_back(s, INDEX["ge-353"], AT["1305"])
    assert s.steps[INDEX["ge-353"]] == 2
    step_back(s, INDEX["ge-353"], AT["1404"])
    assert s.steps[INDEX["ge-353"]] == 2


@pytest.mark.rule("6.6c", "6.6d")
def test_6_6c_a_full_hex_sends_the_retreat_further(table):
    s = table.stand(
        table.empty(), "1306 us-4-8 us-4-12 us-4-22 us-9-39; 1406 ge-709-919; 1505 ge-276 ge-3fj-5 ge-3fj-8"
    )
    table.attack(s, "", "1406", "us-4-8", "us-4-12", "us-4-22", "us-9-39", dice=[3])
    assert table.decision(s) == "Retreat"
    table.act(s, "retreat 1505")
    assert table.decision(s) == "Retreat"  # five points stand there already
    assert table.at(s, "ge-709-919") == "1505"
    table.act(s, sorted(table.legal(s))[0])
    assert table.at(s, "ge-709-919") != "1505"


@pytest.mark.rule("6.6f")
def test_6_6f_houses_let_the_defender_ignore_a_hex_of_retreat_and_marsh_disorganises(table):
    s = table.stand(table.empty(), "1407 us-4-8 us-4-12 us-4-22 us-9-39 us-9-47; 1506 ge-709-919")
    table.attack(s, "", "1506", "us-4-8", "us-4-12", "us-4-22", "us-9-39", "us-9-47", dice=[2])
    assert table.decision(s) == "HoldGround"
    table.act(s, "hold")
    assert table.at(s, "ge-709-919") == "1506"
    from grognard.games.normandie.rules.retreat import step_back

    s = table.stand(table.empty(), "0820 ge-353; 1306 us-4-8")
    step_back(s, INDEX["ge-353"], AT["0819"])
    assert s.disorder[INDEX["ge-353"]] == 1


@pytest.mark.rule("0.1.2j")
def test_0_1_2j_a_garrison_never_retreats(table):
    s = table.stand(table.empty(), "1306 us-4-8; 1406 ge-garnisongold")
    c = combat(s, "1406", "us-4-8")
    c.retreat = 1
    from grognard.games.normandie.rules.combat import order_retreat

    order_retreat(s, c)
    assert c.retreating == ()
    table.stand(s, "1406 ge-353")
    order_retreat(s, c)
    assert c.retreating == (INDEX["ge-353"],)


@pytest.mark.rule("6.4d")
def test_6_4d_each_side_routes_its_own_retreat(table):
    s = table.stand(table.empty(), "1306 us-4-8 us-4-12 us-4-22 us-9-39; 1406 ge-709-919")
    table.attack(s, "", "1406", "us-4-8", "us-4-12", "us-4-22", "us-9-39", dice=[3])
    assert (table.decision(s), s.waiting) == ("Retreat", (1,))


# --- 6.7 advance, 6.8 exploitation, 6.9 counter-attack ----------------------------------------------------------------


def beaten(table, extra="", dice=(3,), defender="ge-709-919", hq=""):
    text = f"1306 us-4-8 us-4-12 us-4-22 us-9-39; 1406 {defender}" + extra
    s = table.stand(table.empty(), text)
    table.attack(s, hq, "1406", "us-4-8", "us-4-12", "us-4-22", "us-9-39", dice=dice)
    return s


@pytest.mark.rule("6.7a", "6.7b")
def test_6_7a_participants_may_enter_what_the_enemy_left_whatever_the_zones(table):
    s = beaten(table, "; 1505 ge-276; 1305 us-9-47")
    while table.decision(s) == "Retreat":
        table.act(s, sorted(table.legal(s))[0])
    assert table.decision(s) == "Advance"
    assert table.why_not(s, "advance us-9-47") == "6.7a"
    table.act(s, "advance us-4-8")
    assert table.at(s, "us-4-8") == "1406"
    assert s.control[AT["1406"]] == 1
    table.act(s, "halt")
    assert table.at(s, "us-4-12") == "1306"


@pytest.mark.rule("6.7a")
def test_6_7a_a_long_retreat_lets_the_attacker_go_two_hexes(table):
    s = beaten(table, dice=(6,), defender="ge-353")
    c = s.frames[-1]
    if not c.retreat:
        pytest.fail("the table should give a retreat here")
    s = table.stand(table.empty(), "1306 us-4-8; 1406 ge-353")
    c = combat(s, "1406", "us-4-8", won=1, retreat=2, vacated=(AT["1505"], AT["1605"]))
    c.asked = 4 | 8
    from grognard.games.normandie.rules.combat_choices import Advance
    from grognard.games.normandie.rules.definitions import put

    put(s, INDEX["ge-353"], AT["1605"])
    ask = Advance()
    assert ("advance", "us-4-8") in ask.legal(s, c, 0)
    ask.apply(s, c, 0, "advance", "us-4-8")
    assert ("pursue", "us-4-8>1505") in ask.legal(s, c, 0)
    assert ("pursue", "us-4-8>1605") not in ask.legal(s, c, 0)
    c.retreat = 1
    assert ("pursue", "us-4-8>1505") not in ask.legal(s, c, 0)


@pytest.mark.rule("6.8a", "6.8b", "6.8c")
def test_6_8_exploitation_releases_two_stacks_of_the_reserve(table):
    s = table.stand(
        table.empty(), "1206 us-hq-vii us-2arm-cca; 1207 us-2arm-ccb; 1305 us-3arm-cca; 1406 ge-265; 1605 ge-276;"
        "1306 us-4-8 us-4-12 us-4-22 us-9-39 us-9-47"
    )  # fmt: skip
    for name in ("us-2arm-cca", "us-2arm-ccb", "us-3arm-cca"):
        s.reserve[INDEX[name]] = 1
    s.finished[INDEX["us-hq-vii"]] = 1
    table.attack(s, "us-hq-vii", "1406", "us-4-8", "us-4-12", "us-4-22", "us-9-39", "us-9-47", dice=[6])
    while table.decision(s) in ("Retreat", "Advance"):
        table.act(s, sorted(table.legal(s))[-1])
    assert table.decision(s) == "PickReserve"
    assert s.finished[INDEX["us-hq-vii"]] == 0
    table.act(s, "release 1206")
    table.act(s, "release 1207")
    assert table.decision(s) == "PickStack"  # two stacks are the most
    assert table.legal(s) == {"move us-2arm-cca", "move us-2arm-ccb", "done"}
    table.act(s, "move us-2arm-cca")
    table.act(s, "to 1505")
    table.act(s, "stay")
    table.act(s, "done")
    assert table.decision(s) == "PickExploitTarget"
    assert table.legal(s) == {"attack 1605", "done"}
    table.act(s, "attack 1605")
    assert table.legal(s) == {"join us-2arm-cca"}
    table.act(s, "join us-2arm-cca")
    table.act(s, "fight", dice=[3])
    assert s.finished[INDEX["us-hq-vii"]] == 1
    assert s.offensive[AT["1206"]] == 0


@pytest.mark.rule("6.9a", "6.9b", "6.9d", "6.9e", "6.9f", "6.9g")
def test_6_9_the_defender_may_strike_back_at_once(table):
    s = table.stand(
        table.empty(), "1306 us-4-8 us-4-12 us-4-22 us-9-39; 1406 ge-709-919; 1506 ge-hq-lxxxiv ge-353; 1605 ge-276"
    )
    table.markers(s, "1506 1")
    table.attack(s, "", "1406", "us-4-8", "us-4-12", "us-4-22", "us-9-39")
    table.act(s, "no-support", dice=[3])
    table.act(s, "retreat 1505")
    table.act(s, "advance us-4-8")
    table.act(s, "halt")
    assert (table.decision(s), s.waiting) == ("StartCounter", (1,))
    assert table.legal(s) == {"counter ge-hq-lxxxiv", "accept"}
    table.act(s, "counter ge-hq-lxxxiv")
    pool = {"ge-709-919", "ge-353", "ge-276"}
    assert {INDEX[n] for n in pool} == set(s.frames[-1].pool)
    assert any(a.startswith("shift ge-276>") for a in table.legal(s))  # next to the beaten unit, not to the hex
    table.act(s, "strike")
    assert s.offensive[AT["1506"]] == 0
    assert s.finished[INDEX["ge-hq-lxxxiv"]] == 1
    table.act(s, "join ge-353")
    table.act(s, "fight", dice=[6])
    while s.waiting:
        assert table.decision(s) not in ("StartCounter", "PickReserve")
        table.act(s, sorted(table.legal(s))[-1])


@pytest.mark.rule("6.9c")
def test_6_9c_an_empty_hex_is_taken_back_without_a_fight(table):
    from grognard.games.normandie.frames import CounterAttack

    s = table.stand(table.empty(), "1506 ge-hq-lxxxiv; 1505 ge-353; 1306 us-4-8")
    s.control[AT["1406"]] = 1
    s.frames = [CounterAttack(side=1, target=AT["1406"], driven=(INDEX["ge-353"],))]
    table.run(s)
    table.act(s, "counter ge-hq-lxxxiv")
    table.act(s, "shift ge-353>1406")
    while s.waiting:
        table.act(s, "strike")
    assert table.at(s, "ge-353") == "1406"
    assert s.finished[INDEX["ge-hq-lxxxiv"]] == 0
    assert "combat" not in table.kinds(s)


@pytest.mark.rule("6.8d")
def test_6_8d_in_exploitation_the_headquarters_helps_for_a_marker(table):
    s = table.stand(table.empty(), "1306 us-hq-vii us-2arm-cca; 1406 ge-353")
    table.attack(s, "us-hq-vii", "1406", "us-2arm-cca", kind="exploitation", dice=[4])
    assert table.decision(s) == ""  # no marker, no question
    s = table.stand(table.empty(), "1306 us-hq-vii us-2arm-cca; 1406 ge-353")
    table.markers(s, "1306 1")
    table.attack(s, "us-hq-vii", "1406", "us-2arm-cca", kind="exploitation")
    assert table.legal(s) == {"add us-hq-vii", "enough"}
    table.act(s, "add us-hq-vii", dice=[4])
    assert s.offensive[AT["1306"]] == 0
    fight = next(e for e in s.events if e.kind == "combat")
    assert [line[1] for line in fight.data["right"]] == [2]


@pytest.mark.rule("6.11b")
def test_6_11b_in_confusion_each_side_has_its_own_five_points(table):
    from grognard.games.normandie.rules.definitions import why_not_stack

    s = table.stand(table.empty(), "1406 us-4-8 us-4-12 us-4-22 ge-353 ge-3fj-5 ge-3fj-8")
    s.confusion[AT["1406"]] = 1
    assert why_not_stack(s, 0, AT["1406"], [INDEX["us-9-39"], INDEX["us-9-47"]]) is None
    assert why_not_stack(s, 1, AT["1406"], [INDEX["ge-3fj-9"]]).rule == "2.1a"


@pytest.mark.rule("0.1.2l")
def test_0_1_2l_a_festung_counts_as_a_fortified_line(table):
    s = table.stand(table.empty(), "paris us-4-8; f-paris ge-festung-paris")
    found = reckon(s, combat(s, "f-paris", "us-4-8"))
    assert [tuple(line) for line in found.left] == [("0.1.2l", 2, "festung")]
    assert found.defence == 10


@pytest.mark.rule("0.2.1a")
def test_0_2_1a_a_marker_buys_a_combat(table):
    s = table.stand(table.empty(), "1306 us-hq-vii us-4-8; 1406 ge-353")
    assert command.why_not_activate(s, INDEX["us-hq-vii"]).rule == "1.1.3b"
    table.markers(s, "1306 1")
    assert command.why_not_activate(s, INDEX["us-hq-vii"]) is None
    command.spend_marker(s, INDEX["us-hq-vii"], "1.1.3b")
    assert s.offensive[AT["1306"]] == 0


@pytest.mark.rule("6.5a")
def test_6_5a_affected_lasts_a_phase_and_disorder_until_it_falls_at_the_end_of_the_turn(table):
    from grognard.games.normandie.frames import Phase
    from grognard.games.normandie.rules.turn import end_phase, recover

    s = table.stand(table.empty(), "1406 ge-353:2")
    u = INDEX["ge-353"]
    s.affected[u] = 1
    end_phase(s, Phase(name="A"))
    assert (s.affected[u], s.disorder[u]) == (0, 2)
    recover(s)
    assert s.disorder[u] == 1


@pytest.mark.rule("6.5m")
def test_6_5m_a_stack_shows_fresh_units_first_then_d1_then_d2(table):
    s = table.stand(table.empty(), "1406 ge-353:2 ge-3fj-5:1 ge-3fj-8")
    shown = [p["id"] for p in table.game.view(s, 0)["pieces"] if p["at"] == "1406"]
    assert shown == ["ge-3fj-8", "ge-3fj-5", "ge-353"]


@pytest.mark.rule("9.4c", "9.4e")
def test_9_4c_a_carpet_over_two_hexes_halves_itself(table):
    s = table.stand(table.empty(), "1407 us-hq-vii us-4-8; 1506 ge-353; 1505 ge-276; 1605 ge-277")
    planes(s, HB, AMERICAN, 2)
    planes(s, MB, AMERICAN, 1)
    s.offensive[AT["1407"]] = 1
    table.player(s, 0, done=3)
    table.act(s, "activate us-hq-vii")
    table.act(s, "attack 1506")
    assert table.why_not(s, "bombers 1506+1505:1+0+0") == "9.4c"
    assert table.why_not(s, "bombers 1506+1605:0+0+2") == "6.2a"  # not next to it
    table.act(s, "bombers 1506+1505:0+0+2", dice=[4, 6])
    hits = [e.data for e in s.events if e.kind == "bombarded"]
    assert [h["points"] for h in hits] == [4, 4]
    assert s.rubble[AT["1506"]] == 2  # one for each counter astride
    assert s.affected[INDEX["ge-276"]] == 2


@pytest.mark.rule("6.4c")
def test_6_4c_two_units_of_a_stack_retreat_by_different_ways(table):
    s = table.stand(table.empty(), "1306 us-4-8 us-4-12 us-4-22 us-9-39 us-9-47; 1406 ge-709-919 ge-709-729")
    table.attack(s, "", "1406", "us-4-8", "us-4-12", "us-4-22", "us-9-39", "us-9-47", dice=[4])
    assert {"retreat 1505", "retreat 1506"} <= table.legal(s)
    table.act(s, "retreat 1505")
    table.act(s, "retreat 1506")
    assert {table.at(s, "ge-709-919"), table.at(s, "ge-709-729")} == {"1505", "1506"}


@pytest.mark.rule("4.3e")
def test_4_3e_the_first_turn_of_air_support_in_overruns_is_an_option(table):
    for value, turn in (("7", 7), ("8", 8)):
        s = table.stand(table.empty(turn=turn - 1, options={"overrun-air": value}), "1306 us-2arm-cca; 1406 ge-353")
        planes(s, FB, AMERICAN, 1)
        c = combat(s, "1406", "us-2arm-cca", kind="overrun")
        assert why_not_fly(s, c).rule == "9.1f"
        s.turn = turn
        assert why_not_fly(s, c) is None
