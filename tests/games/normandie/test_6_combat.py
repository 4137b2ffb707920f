"""Chapters 6.1, 6.3 to 6.5, 6.10 and 6.11: attacks, the column, disorder and losses."""

import pytest

from grognard.games.normandie.rules import command
from grognard.games.normandie.rules.combat import covers, has_real_choice, reckon
from grognard.games.normandie.rules.losses import capture, disorganise, lose_steps
from grognard.games.normandie.rules.tables import COLUMNS
from grognard.games.normandie.world import AT, CADRE, GONE, INDEX

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
    c = table.combat(s, "1406", "us-4-8")
    from grognard.games.normandie.rules.combat import why_not_attack

    assert why_not_attack(s, c, INDEX["uk-3-8"]).rule == "8b"


@pytest.mark.rule("6.9e", "6.8c", "10c")
def test_6_8c_only_those_called_join_an_exploitation_or_a_counter_attack(table):
    from grognard.games.normandie.rules.combat import why_not_attack

    s = table.stand(table.empty(), "1306 us-4-8 us-4-12; 1406 ge-353")
    for kind, why in (("counter", "6.9e"), ("exploitation", "6.8c"), ("attack", "10c")):
        c = table.combat(s, "1406", "us-4-8", kind=kind, pool=(INDEX["us-4-8"],))
        assert why_not_attack(s, c, INDEX["us-4-12"]).rule == why
        assert why_not_attack(s, c, INDEX["us-4-8"]) is None


# --- 6.3 the column ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("6.3a", "6.5h", "6.5l", "2.2a")
def test_6_3a_shifts_of_both_sides_with_their_rules(table):
    s = table.stand(table.empty(), "1103 us-4-8:1; 1003 us-4-12; 1004 ge-353:2")
    c = table.combat(s, "1004", "us-4-8", "us-4-12")
    found = reckon(s, c)
    assert (found.attack, found.defence, COLUMNS[found.ratio]) == (8, 8, "1/1")
    assert [tuple(line) for line in found.right] == [("6.5h", 2, "defender_disorder")]
    assert [tuple(line) for line in found.left] == [("2.2a", 2, "bocage"), ("6.5l", 1, "attacker_disorder")]
    assert COLUMNS[found.column] == "1/2"


@pytest.mark.rule("2.2a")
def test_2_2a_a_river_counts_when_every_attacker_crosses_it(table):
    s = table.stand(table.empty(), "1307 us-4-8; 1407 us-4-12; 1408 ge-353")
    across = reckon(s, table.combat(s, "1408", "us-4-8"))
    assert "river" in [line.why for line in across.left]
    one_side = [n for n in ("us-4-8", "us-4-12") if s.place[INDEX[n]] in (AT["1307"], AT["1407"])]
    both = reckon(s, table.combat(s, "1408", *one_side))
    dry = [n for n in one_side if "river" not in [x.why for x in reckon(s, table.combat(s, "1408", n)).left]]
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
    assert reckon(s, table.combat(s, "1406", "us-4-8")).defence == 8
    s.unsupplied[INDEX["ge-353"]] = 1
    assert reckon(s, table.combat(s, "1406", "us-4-8")).defence == 4


@pytest.mark.rule("6.3g", "6.4b")
def test_6_4b_every_participant_suffers_and_nobody_else(table):
    s = table.stand(table.empty(), "1306 us-4-8 us-4-12; 1305 us-4-22; 1406 ge-353 ge-503schwpzabt")
    table.attack(s, "", "1406", "us-4-8", "us-4-22", dice=[4])  # 8 to 12: 1/2; elite gun: die 3
    assert [s.disorder[INDEX[n]] for n in ("us-4-8", "us-4-22", "us-4-12")] == [2, 2, 0]
    s = table.stand(table.empty(), "1306 us-4-8 us-4-12; 1305 us-4-22; 1406 ge-353")
    table.attack(s, "", "1406", "us-4-8", "us-4-22", dice=[3])  # 1/1, three: D2 and D1
    assert s.disorder[INDEX["ge-353"]] == 1


@pytest.mark.rule("9.1c", "6.3d")
def test_9_1c_a_fighter_bomber_is_worth_a_column_to_the_allies_in_attack_and_in_defence(table):
    s = table.stand(table.empty(), "1306 us-4-8; 1406 ge-353")
    attack = reckon(s, table.combat(s, "1406", "us-4-8", plane=0))
    assert ("9.1c", 1, "air") in [tuple(line) for line in attack.right]
    defence = reckon(s, table.combat(s, "1306", "ge-353", plane=0))
    assert ("9.1c", 1, "air") in [tuple(line) for line in defence.left]
    assert "air" not in [line.why for line in defence.right]


@pytest.mark.rule("6.1b", "6.9g")
def test_6_1b_a_counter_attack_does_not_use_up_the_attack_of_the_phase(table):
    from grognard.games.normandie.state import ATTACKED

    for kind, used in (("attack", True), ("counter", False)):
        s = table.stand(table.empty(), "1306 us-4-8; 1406 ge-353")
        table.attack(s, "", "1306", "ge-353", kind=kind, dice=[3])
        assert bool(s.fought[INDEX["ge-353"]] & ATTACKED) == used


@pytest.mark.rule("5.4c", "5.4d")
def test_5_4c_a_headquarters_shares_the_fate_of_its_last_escort_on_both_sides(table):
    s = table.stand(table.empty(), "1306 us-hq-vii us-4-8/1; 1406 ge-353 ge-276")
    table.attack(s, "", "1406", "us-4-8", dice=[1])
    assert (table.at(s, "us-4-8"), table.at(s, "us-hq-vii")) == ("cadre", "track")
    s = table.stand(table.empty(), "1306 us-hq-vii us-4-8/1 us-4-12; 1406 ge-353 ge-276")
    table.attack(s, "", "1406", "us-4-8", dice=[1])
    assert (table.at(s, "us-4-8"), table.at(s, "us-hq-vii")) == ("cadre", "1306")  # one of them is left


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
    found = reckon(s, table.combat(s, "f-paris", "us-4-8"))
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
