"""Chapter 6 as arithmetic, with the worked examples of the rulebook."""

import pytest

from grognard.games.normandie.rules import tables as t
from grognard.games.normandie.rules.tables import COLUMNS, Line


def column(attack, defence):
    return COLUMNS[t.ratio_column(attack, defence)]


@pytest.mark.rule("6.3b")
def test_6_3b_ratio_rounds_down_for_the_defender():
    assert column(8, 3) == "2/1"
    assert column(20, 12) == "1.5/1"
    assert column(12, 12) == "1/1"
    assert column(11, 12) == "1/2"
    assert column(5, 12) == "1/3"
    assert column(17, 3) == "5/1"
    assert COLUMNS.index("1.5/1") == COLUMNS.index("1/1") + 1


@pytest.mark.rule("6.3h")
def test_6_3h_ratios_stay_between_a_third_and_six():
    assert column(1, 10) == "1/3"
    assert column(50, 5) == "6/1"


@pytest.mark.rule("6.3c", "7.5b")
def test_6_3c_unsupplied_defence_is_halved_upwards():
    assert t.halved(3) == 2
    assert t.halved(8) == 4
    assert column(8, t.halved(3)) == "4/1"


@pytest.mark.rule("6.3e", "6.3f")
def test_6_3e_right_first_then_left_from_the_column_reached():
    six, one = [Line("5.3b", 4, "hq")], [Line("2.2a", 2, "bocage")]
    assert COLUMNS[t.shifted_column(COLUMNS.index("4/1"), six, one)] == "4/1"  # held at 6/1, then two left
    assert COLUMNS[t.shifted_column(COLUMNS.index("1/1"), [Line("5.3b", 1, "hq")], one)] == "1/2"
    assert COLUMNS[t.shifted_column(0, [], one)] == "1/3"


@pytest.mark.rule("6.3g", "6.4a")
def test_6_3g_the_die_is_read_on_the_column_and_kept_on_the_table():
    best = t.combat_result(t.LAST, 6)
    assert (best.attacker.steps, best.defender.steps, best.defender.retreat, best.exploitation) == (0, 2, 2, True)
    worst = t.combat_result(0, 1)
    assert (worst.attacker.steps, worst.attacker.disorder, worst.defender.retreat) == (1, 2, 0)
    assert t.combat_result(4, 6, [Line("6.3g", 1, "elite_attack")]) == t.combat_result(4, 6)
    assert t.combat_result(4, 3, [Line("6.3g", 1, "elite_attack")]) == t.combat_result(4, 4)


@pytest.mark.rule("6.3g", "0.1.2e3")
def test_6_3g_elite_troops_move_the_die_from_a_third_of_the_points():
    assert t.elite_adjustments(12, 4, 8, 0) == [Line("6.3g", 1, "elite_attack")]
    assert t.elite_adjustments(12, 3, 8, 0) == []
    assert t.elite_adjustments(12, 0, 9, 3) == [Line("6.3g", -1, "elite_defence")]


def test_the_table_gets_better_to_the_right():
    chances = [sum(t.RESULTS[die][col].defender.retreat > 0 for die in range(6)) for col in range(t.LAST + 1)]
    assert chances == sorted(chances)
    assert chances == [0, 1, 1, 2, 3, 4, 5, 6, 6]


@pytest.mark.rule("6.5b", "6.5c", "6.5d")
def test_6_5_disorder_adds_up_and_then_costs_steps():
    assert t.more_disorder(0, 1) == (1, 0)
    assert t.more_disorder(0, 2) == (2, 0)
    assert t.more_disorder(1, 1) == (2, 0)
    assert t.more_disorder(1, 2) == (2, 0)  # ruling A8
    assert t.more_disorder(2, 1) == (2, 1)
    assert t.more_disorder(2, 2) == (2, 1)
    assert t.more_disorder(2, 0) == (2, 0)


@pytest.mark.rule("6.5f", "6.5g")
def test_6_5f_affected_adds_up_and_then_disorganises():
    assert t.more_affected(0, 2) == (2, 0)
    assert t.more_affected(1, 1) == (2, 0)
    assert t.more_affected(2, 1) == (2, 1)


@pytest.mark.rule("6.5h", "6.5j", "6.5k")
def test_6_5k_worst_d_and_worst_a_are_added():
    assert t.disorder_shift([(2, 1), (1, 1), (0, 1)]) == 3  # the printed example
    assert t.disorder_shift([(1, 0), (1, 0)]) == 1
    assert t.disorder_shift([(0, 2)]) == 2
    assert t.disorder_shift([]) == 0


@pytest.mark.rule("6.5l")
def test_6_5l_only_the_worst_attacking_stack_counts():
    assert t.attackers_shift([[(1, 0)], [(0, 2)], [(0, 0)]]) == 2


@pytest.mark.rule("6.2f")
def test_6_2f_bombardment_reads_points_and_die():
    assert t.bombardment_level(1, 4) == 0
    assert t.bombardment_level(1, 5) == 1
    assert t.bombardment_level(4, 6) == 2
    assert t.bombardment_level(7, 1) == 1
    assert t.bombardment_level(0, 6) == 0
    assert t.bombardment_level(3, 3, [Line("0.1.2k", -1, "garrison")]) == 0


@pytest.mark.rule("0.1.2k")
def test_0_1_2k_a_garrison_is_harder_to_hit_and_cover_is_not_added():
    assert [line.amount for line in t.target_adjustments(True, True)] == [-1]
    assert [line.rule for line in t.target_adjustments(True, False)] == ["0.1.2k"]
    assert t.target_adjustments(False, False) == []


@pytest.mark.rule("9.3c", "9.3d")
def test_9_3c_medium_bombers_aim_better_light_ones_do_not():
    assert t.bomber_strength(1, 0, 0) == (2, [Line("9.3c", 1, "medium_bombers")])
    assert t.bomber_strength(0, 1, 0) == (1, [])
    assert t.bomber_strength(1, 0, 1)[1] == []  # two points of six
    assert t.bomber_strength(2, 0, 1) == (8, [Line("9.3c", 1, "medium_bombers")])


@pytest.mark.rule("9.4c")
def test_9_4c_a_carpet_is_whole_on_one_hex_and_half_on_two():
    assert t.carpet_strengths(8, 1) == 8
    assert t.carpet_strengths(8, 2) == 4


@pytest.mark.rule("1.1.1.1a", "1.1.1.1c", "1.1.1.1d", "1.1.1.1e", "1.1.1.1f")
def test_1_1_1_1c_clouds_are_remembered_up_to_two():
    assert t.weather_adjustment(0) == []
    one = t.weather_adjustment(1)
    assert sum(line.amount for line in one) == -1
    assert t.is_overcast(6, one)  # the printed example: 6 - 1 = 5 is overcast
    assert t.arms_storm(6, True)  # and the natural six arms a storm test
    assert not t.arms_storm(5, True)
    assert not t.arms_storm(6, False)
    assert sum(line.amount for line in t.weather_adjustment(2)) == -2
    assert sum(line.amount for line in t.weather_adjustment(5)) == -2
    assert not t.is_overcast(1, [])


@pytest.mark.rule("11.3-levels")
def test_11_3_levels_of_victory():
    assert t.victory_level(130, 104) == ("allied", "marginal")
    assert t.victory_level(155, 104) == ("allied", "decisive")
    assert t.victory_level(104, 104) == ("", "historical")
    assert t.victory_level(100, 124) == ("", "historical")
    assert t.victory_level(100, 125) == ("german", "marginal")
