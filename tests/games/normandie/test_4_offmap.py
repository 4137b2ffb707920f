"""Chapters 4.1.2, 5.2, 6.12 and 6.13: the strategic map."""

import pytest

from grognard.games.normandie.frames import Activation, Combat
from grognard.games.normandie.rules import departure, offmap
from grognard.games.normandie.state import STRATEGIC_BOX
from grognard.games.normandie.world import AIR, AT, BOX_AT, BOXES, FFI, INDEX, MB


def one_mb_on(s, box):
    plane = next(a for a, (kind, _, _) in enumerate(AIR) if kind == MB)
    s.air[plane], s.air_at[plane] = STRATEGIC_BOX, AT[box]


def german(table, text):
    s = table.stand(table.empty(), text)
    return table.player(s, table.german)


@pytest.mark.rule("4.1.2j", "1.1.2.2b", "4.1.2b", "1.1.2.2c")
def test_4_1_2j_germans_go_two_boxes_along_lines_with_a_die_each(table):
    s = german(table, "orleans ge-353 ge-276")
    assert "travel ge-353>paris" in table.legal(s)
    assert table.why_not(s, "travel ge-353>rennes") == "1.1.2.2c"
    table.act(s, "travel ge-353>paris", dice=[4])
    assert table.at(s, "ge-353") == "paris"
    table.act(s, "travel ge-353>pasdecalais", dice=[4])
    assert table.at(s, "ge-353") == "pasdecalais"
    assert table.why_not(s, "travel ge-353>belgique") == "4.1.2b"
    table.act(s, "travel ge-276>paris", dice=[5])  # the number of Orleans
    assert table.at(s, "ge-276") == "orleans"
    assert "travel ge-276>paris" not in table.legal(s, 1)
    assert BOX_AT[AT["orleans"]].number >= 4  # the printed example


@pytest.mark.rule("4.1.2k", "9.5b")
def test_4_1_2k_aircraft_raise_the_die(table):
    s = table.stand(table.empty(), "orleans ge-276")
    assert departure.interdiction_lines(s, AT["orleans"]) == []
    one_mb_on(s, "orleans")
    assert [tuple(x) for x in departure.interdiction_lines(s, AT["orleans"])] == [("9.5b", 1, "mb")]
    s.loaded = (4,)
    assert departure.interdiction_blocks(s, AT["orleans"], "4.1.2j")
    s.loaded = (3,)
    assert not departure.interdiction_blocks(s, AT["orleans"], "4.1.2j")


def leaving_languedoc(table, die, maquis, unit="ge-276"):
    """Two German divisions with partisans around; one wants to leave. The number of Languedoc is 6."""
    s = german(table, "languedoc ge-276 ge-277 us-partisan-languedoc; sudest ge-338")
    goal = sorted(a for a in table.legal(s) if a.startswith(f"travel {unit}>"))[0]
    table.act(s, goal)
    assert (table.decision(s), s.waiting) == ("RouseMaquis", (table.allied,))
    assert table.legal(s) == {"rouse", "lie-low"}
    table.act(s, maquis, dice=[die])
    return s


@pytest.mark.rule("4.1.2l", "4.1.2j")
def test_4_1_2l_the_allied_player_may_let_partisans_strike_at_each_unit_that_leaves(table):
    number = BOX_AT[AT["languedoc"]].number
    s = leaving_languedoc(table, number - 2, "rouse")
    assert table.at(s, "ge-276") == "languedoc"
    assert s.moved[INDEX["ge-276"]]
    assert ("blocked", "4.1.2j") in [(e.kind, e.rule) for e in s.events]
    s = leaving_languedoc(table, number - 2, "lie-low")
    assert table.at(s, "ge-276") != "languedoc"
    assert table.at(s, "us-partisan-languedoc") == "languedoc"
    goal = sorted(a for a in table.legal(s) if a.startswith("travel ge-277>"))[0]
    table.act(s, goal)
    assert table.decision(s) == "RouseMaquis"  # asked again for the next unit
    table.act(s, "rouse", dice=[number - 3])
    assert table.at(s, "ge-277") != "languedoc"
    s = german(table, "orleans ge-276")
    table.act(s, "travel ge-276>paris", dice=[1])
    assert table.decision(s) != "RouseMaquis"  # no partisans there


@pytest.mark.rule("4.1.2l", "1.1.1.2g")
def test_4_1_2l_partisans_strike_at_units_not_at_markers(table):
    s = table.stand(table.empty(), "languedoc ge-276 us-partisan-languedoc")
    s.loaded = (BOX_AT[AT["languedoc"]].number - 1,)
    assert not departure.interdiction_blocks(s, AT["languedoc"], "1.1.1.2g")


STACK = ("ge-12ss-i-12", "ge-12ss-ii-12", "ge-12ss-25", "ge-10ss-21")


def in_the_melee_of_orleans(table):
    """6.12e The printed example: 20 points of attack want to leave a box with 12 of defence under one MB."""
    s = table.stand(table.empty(), "orleans ge-12ss-i-12 ge-12ss-ii-12 ge-12ss-25/1 ge-10ss-21 us-4-8 us-4-12 us-4-22")
    one_mb_on(s, "orleans")
    offmap.settle_boxes(s)
    return table.player(s, table.german)


@pytest.mark.rule("6.12e", "6.12f")
def test_6_12e_the_printed_example_of_orleans(table):
    s = in_the_melee_of_orleans(table)
    stack = [INDEX[n] for n in STACK]
    from grognard.games.normandie.rules.definitions import attack_of, defence_of

    assert sum(attack_of(s, u) for u in stack) == 20
    assert sum(defence_of(s, INDEX[n]) for n in ("us-4-8", "us-4-12", "us-4-22")) == 12
    lines = departure.exit_lines(s, 1, AT["orleans"], stack)
    assert sorted(x.amount for x in lines) == [-1, 1]
    assert 3 + sum(x.amount for x in lines) == 3
    s = table.stand(table.empty(), "languedoc ge-353 us-partisan-languedoc")
    alone = [INDEX["ge-353"]]
    assert [x.why for x in departure.exit_lines(s, 1, AT["languedoc"], alone, rises=True)] == ["partisans"]
    assert departure.exit_lines(s, 1, AT["languedoc"], alone) == []


@pytest.mark.rule("6.12e", "6.12d")
def test_6_12e_a_stack_leaves_confusion_together_by_one_die(table):
    number = BOX_AT[AT["orleans"]].number
    s = in_the_melee_of_orleans(table)
    table.act(s, f"travel {STACK[0]}>paris")
    assert table.decision(s) == "GatherStack"
    assert table.legal(s) == {f"with {n}" for n in STACK[1:]} | {"go"}
    assert table.why_not(s, "with us-4-8") == "6.12e"
    for n in STACK[1:]:
        table.act(s, f"with {n}")
        assert table.why_not(s, f"with {n}") == "6.12e"  # it is with them already
    table.act(s, "go", dice=[number - 1])  # minus one for the ratio, one more for the bomber
    assert all(table.at(s, n) == "paris" for n in STACK)
    assert not s.confusion[AT["orleans"]]


@pytest.mark.rule("6.12e")
def test_6_12e_the_whole_stack_is_held_when_the_die_is_bad(table):
    s = in_the_melee_of_orleans(table)
    table.act(s, f"travel {STACK[0]}>paris")
    for n in STACK[1:]:
        table.act(s, f"with {n}")
    table.act(s, "go", dice=[BOX_AT[AT["orleans"]].number])
    assert all(table.at(s, n) == "orleans" and s.moved[INDEX[n]] for n in STACK)
    assert [e.rule for e in s.events if e.kind == "blocked"] == ["6.12e"] * 4


@pytest.mark.rule("6.12e")
def test_6_12e_a_unit_alone_has_only_its_own_attack_in_the_ratio(table):
    s = in_the_melee_of_orleans(table)
    table.act(s, f"travel {STACK[0]}>paris")
    alone = sum(x.amount for x in departure.exit_lines(s, 1, AT["orleans"], [INDEX[STACK[0]]]))
    assert alone > 0  # 6 against 12, and the bomber
    table.act(s, "go", dice=[BOX_AT[AT["orleans"]].number - alone])
    assert table.at(s, STACK[0]) == "orleans"
    assert not s.moved[INDEX[STACK[1]]]


@pytest.mark.rule("6.12e", "4.1.2h")
def test_6_12e_an_allied_stack_out_of_confusion_is_what_a_headquarters_can_send(table):
    s = table.stand(table.empty(), "lemans us-hq-xv us-2db-gtd us-2db-gtl us-80-317 ge-353")
    s.control[AT["orleans"]] = 1
    offmap.settle_boxes(s)
    table.player(s, table.allied)
    table.act(s, "travel us-2db-gtd>orleans")
    assert table.legal(s) == {"with us-2db-gtl", "with us-hq-xv", "go"}
    assert table.why_not(s, "with us-80-317") == "4.1.2h"  # one division
    table.act(s, "with us-2db-gtl")
    table.act(s, "with us-hq-xv")
    table.act(s, "go", dice=[1])
    assert [table.at(s, n) for n in ("us-2db-gtd", "us-2db-gtl", "us-hq-xv")] == ["orleans"] * 3
    assert offmap.why_not_travel(s, INDEX["us-80-317"], AT["orleans"]).rule == "4.1.2h"


@pytest.mark.rule("6.12a", "0.1.2n", "1.1.2.2f", "4.1.2c")
def test_6_12a_both_sides_in_a_box_make_confusion_but_a_festung_does_not(table):
    s = table.stand(table.empty(), "rennes us-4-8; f-stnazaire ge-festung-stnazaire")
    offmap.settle_boxes(s)
    assert not s.confusion[AT["rennes"]]
    table.stand(s, "rennes ge-353")
    offmap.settle_boxes(s)
    assert s.confusion[AT["rennes"]]


@pytest.mark.rule("6.12d")
def test_6_12d_confusion_is_left_only_towards_ones_own_boxes(table):
    s = table.stand(table.empty(), "lemans ge-353 us-4-8")
    s.control[AT["paris"]] = 1
    offmap.settle_boxes(s)
    assert offmap.why_not_travel(s, INDEX["ge-353"], AT["paris"]).rule == "6.12d"
    assert offmap.why_not_travel(s, INDEX["ge-353"], AT["rennes"]) is None


@pytest.mark.rule("4.1.2d", "4.1.2e", "4.1.2f")
def test_4_1_2d_enemy_boxes_stop_a_move_and_armoured_divisions_ignore_mere_control(table):
    def go(name, boxes="lemans", control=("paris",), enemy=""):
        s = table.stand(table.empty(), f"{boxes} {name}{enemy}")
        for box in control:
            s.control[AT[box]] = 1
        departure.travel(s, table.german, [INDEX[name]], AT["paris"])
        return s

    s = go("ge-353")
    assert s.moved[INDEX["ge-353"]] == 1
    assert s.control[AT["paris"]] == 2  # who passes last controls
    s = go("ge-2pz-2")
    assert s.moved[INDEX["ge-2pz-2"]] == 0
    s = go("ge-2pz-2", enemy="; paris us-4-8")
    assert s.moved[INDEX["ge-2pz-2"]] == 1


@pytest.mark.rule("4.1.2h", "4.1.2i", "5.2a", "5.2b", "1.1.2.2e", "1.1.2.2d")
def test_4_1_2h_the_allies_send_one_division_one_box_unless_they_extend(table):
    s = table.stand(table.empty(), "lemans us-hq-xv us-2db-gtd us-2db-gtl us-80-317")
    s.control[AT["lemans"]] = s.control[AT["orleans"]] = s.control[AT["angers"]] = 1
    s.offensive[AT["lemans"]] = 1
    table.player(s, table.allied)
    table.act(s, "travel us-2db-gtd>orleans")
    table.act(s, "travel us-2db-gtl>orleans")  # of the same division
    assert table.why_not(s, "travel us-80-317>orleans") == "4.1.2h"
    assert table.why_not(s, "travel us-2db-gtd>lemans") == "4.1.2h"  # one box
    table.act(s, "extend us-hq-xv")
    assert s.offensive[AT["lemans"]] == 0
    assert s.finished[INDEX["us-hq-xv"]]
    table.act(s, "travel us-80-317>orleans")
    table.act(s, "travel us-80-317>angers")
    assert table.at(s, "us-80-317") == "angers"
    from grognard.games.normandie.rules.command import why_not_activate

    assert why_not_activate(s, INDEX["us-hq-xv"]).rule == "0.1.1b"


@pytest.mark.rule("7.5e")
def test_7_5e_unsupplied_counters_stay_in_their_box(table):
    s = table.stand(table.empty(), "orleans ge-353")
    s.unsupplied[INDEX["ge-353"]] = 1
    assert offmap.why_not_travel(s, INDEX["ge-353"], AT["paris"]).rule == "7.5e"


@pytest.mark.rule("1.1.2.1b", "1.1.2.1c", "1.1.2.1f")
def test_1_1_2_1_counters_cross_between_the_maps_for_nothing(table):
    s = german(table, "paris ge-353 ge-276; 1001 ge-277; 1401 us-4-8; 1101 ge-271")
    assert "enter ge-353>1801" in table.legal(s)
    assert table.why_not(s, "enter ge-353>1001") == "2.1a"  # three points stand there
    assert table.why_not(s, "enter ge-353>1401") == "1.1.2.1b"  # an enemy stands there
    table.act(s, "enter ge-353>1801")
    assert table.at(s, "ge-353") == "1801"
    table.act(s, "exit ge-277")
    assert table.at(s, "ge-277") == "paris"
    assert table.why_not(s, "exit ge-271") == "1.1.2.1c"
    table.act(s, "done")
    table.act(s, "move ge-353")  # the crossing was no movement
    assert any(a.startswith("to ") for a in table.legal(s))


@pytest.mark.rule("0.1.2m", "0.1.2o", "0.1.2r")
def test_0_1_2o_a_festung_is_a_box_in_a_box_for_five_points(table):
    box = next(b for b in BOXES if b.id == "f-stnazaire")
    assert box.inside == "rennes"
    s = table.stand(table.empty(), "rennes ge-353 ge-77 ge-265; f-stnazaire ge-festung-stnazaire; lemans ge-276")
    assert offmap.why_not_travel(s, INDEX["ge-353"], AT["f-stnazaire"]) is None
    departure.travel(s, table.german, [INDEX["ge-353"], INDEX["ge-77"]], AT["f-stnazaire"])
    assert offmap.why_not_travel(s, INDEX["ge-265"], AT["f-stnazaire"]).rule == "0.1.2o"
    assert offmap.why_not_travel(s, INDEX["ge-276"], AT["f-stnazaire"]).rule == "0.1.2m"


@pytest.mark.rule("0.1.2p")
def test_0_1_2p_men_in_a_festung_never_lack_supply(table):
    from grognard.games.normandie.rules.supply import supplied_units

    s = table.stand(table.empty(), "f-brest ge-festung-brest ge-353; brest ge-276")
    s.control[AT["brest"]] = 1
    for box in ("brest", "rennes", "lemans", "paris", "pasdecalais"):
        s.german_depot[AT[box]] = 0
    happy = supplied_units(s, 1)
    assert INDEX["ge-353"] in happy
    assert INDEX["ge-276"] not in happy


@pytest.mark.rule("6.13a", "6.13b", "0.1.2q")
def test_6_13b_a_siege_needs_half_the_defence_and_nobody_outside(table):
    s = table.stand(table.empty(), "f-paris ge-festung-paris ge-709-919; paris us-4-8 us-4-12/1")
    assert offmap.is_besieged(s, AT["f-paris"])  # seven against half of thirteen
    table.stand(s, "paris us-4-8/1")
    assert not offmap.is_besieged(s, AT["f-paris"])  # six
    table.stand(s, "paris us-4-8 us-4-22")
    assert offmap.is_besieged(s, AT["f-paris"])
    table.stand(s, "paris ge-353")
    assert not offmap.is_besieged(s, AT["f-paris"])


@pytest.mark.rule("7.2c", "11.3-vp-gerdepot")
def test_7_2c_an_undefended_depot_vanishes(table):
    s = table.stand(table.empty(), "lemans us-4-8 ge-353")
    offmap.settle_boxes(s)
    assert s.german_depot[AT["lemans"]]
    table.stand(s, "paris ge-353")
    offmap.settle_boxes(s)
    assert not s.german_depot[AT["lemans"]]
    assert s.points[0] == 5


@pytest.mark.rule("4.1.2p", "4.1.2q", "4.1.2o")
def test_4_1_2p_paris_rises_and_the_second_armoured_earns_twenty(table):
    ffi = next(u for u in range(len(FFI)) if FFI[u])
    s = table.stand(table.empty(), "track us-ffi-paris; paris ge-353; lemans us-4-8")
    offmap.settle_boxes(s)
    assert s.place[ffi] != AT["paris"]
    table.stand(s, "orleans us-2db-gtd")
    offmap.settle_boxes(s)
    assert s.place[ffi] == AT["paris"]
    assert s.confusion[AT["paris"]]
    from grognard.games.normandie.rules.definitions import attack_of, defence_of

    assert (attack_of(s, ffi), defence_of(s, ffi), s.steps[ffi]) == (5, 5, 1)
    table.stand(s, "belgique ge-353; paris us-2db-gtd")
    before = s.points[0]
    offmap.settle_boxes(s)
    assert s.points[0] >= before + 20
    s = table.stand(table.empty(), "paris us-4-8")
    offmap.settle_boxes(s)
    assert s.points[0] < 20


@pytest.mark.rule("6.12b", "6.12c", "6.8e", "6.9h")
def test_6_12b_boxes_are_fought_over_with_everybody_in_them(table):
    s = table.stand(table.empty(), "lemans us-hq-xv us-2db-gtd us-2db-gtl us-2db-gtv ge-353; paris ge-276 ge-hq-isspz")
    s.control[AT["lemans"]] = 1
    offmap.settle_boxes(s)
    s.offensive[AT["lemans"]] = s.offensive[AT["paris"]] = 1
    table.player(s, table.allied, done=3)
    table.act(s, "activate us-hq-xv")
    table.act(s, "attack lemans")
    for n in ("us-2db-gtd", "us-2db-gtl", "us-2db-gtv"):
        table.act(s, f"join {n}")
    table.act(s, "fight", dice=[6])
    assert table.decision(s) == "Retreat"
    assert "retreat paris" in table.legal(s)
    table.act(s, "retreat paris")
    assert table.at(s, "ge-353") == "paris"
    assert not s.confusion[AT["lemans"]]
    assert table.decision(s) not in ("Advance", "StartCounter", "PickReserve")
    probe = Combat(side=0, hq=0, target=AT["lemans"], exploit=1, advanced=(1,))
    from grognard.games.normandie.rules.activation import may_counter, may_exploit

    assert not may_exploit(s, probe)
    assert not may_counter(s, probe)
    assert Activation is not None


@pytest.mark.rule("6.9h")
def test_6_9h_no_counter_attack_against_a_box_however_near_a_headquarters_is(table):
    from grognard.games.normandie.rules.activation import may_counter

    s = table.stand(table.empty(), "lemans us-hq-xv us-2db-gtd; 1306 ge-hq-lxxxiv ge-353")
    table.markers(s, "1306 1")
    assert may_counter(s, Combat(side=0, target=AT["1305"], advanced=(INDEX["us-2db-gtd"],), driven=(INDEX["ge-353"],)))
    assert not may_counter(s, Combat(side=0, target=AT["lemans"], advanced=(INDEX["us-2db-gtd"],)))


@pytest.mark.rule("4.1.2m", "4.1.2n")
def test_4_1_2m_partisans_have_defence_two_and_are_lost_for_good(table):
    from grognard.games.normandie.rules.definitions import defence_of
    from grognard.games.normandie.rules.losses import lose_steps

    u = INDEX["us-partisan-languedoc"]
    s = table.stand(table.empty(), "languedoc us-partisan-languedoc")
    assert (defence_of(s, u), s.steps[u]) == (2, 1)
    assert offmap.boxes_to_retreat(s, u) == []  # any retreat is the end
    lose_steps(s, u, 1, "test")
    assert table.at(s, "us-partisan-languedoc") == "gone"


@pytest.mark.rule("4.1.2g", "4.1.2f")
def test_4_1_2g_a_festung_alone_controls_nothing(table):
    s = table.stand(table.empty(), "brest us-4-8; f-brest ge-festung-brest ge-343")
    offmap.settle_boxes(s)
    assert s.control[AT["brest"]] == 1
    table.stand(s, "rennes us-4-8")
    offmap.settle_boxes(s)
    assert s.control[AT["brest"]] == 1  # nobody passed since
    table.stand(s, "brest ge-353")
    offmap.settle_boxes(s)
    assert s.control[AT["brest"]] == 2


@pytest.mark.rule("4.1.2m")
def test_4_1_2m_a_german_unit_hunts_the_partisans_of_its_box(table):
    s = german(table, "languedoc ge-276 us-partisan-languedoc; paris ge-353")
    assert table.why_not(s, "hunt ge-353") == "4.1.2m"
    table.act(s, "hunt ge-276", dice=[6])
    assert table.at(s, "us-partisan-languedoc") == "gone"


@pytest.mark.rule("6.13a", "0.1.2q", "0.1.2l")
def test_6_13a_a_festung_is_attacked_from_the_box_around_it(table):
    s = table.stand(table.empty(), "brest us-hq-viii us-4-8 us-4-12 us-4-22; f-brest ge-festung-brest ge-2fj-2fj")
    s.control[AT["brest"]] = 1
    s.offensive[AT["brest"]] = 1
    table.player(s, 0, done=3)
    table.act(s, "activate us-hq-viii")
    assert table.legal(s) == {"attack f-brest", "done"}
    table.act(s, "attack f-brest")
    for n in ("us-4-8", "us-4-12", "us-4-22"):
        table.act(s, f"join {n}")
    table.act(s, "fight", dice=[6])
    fight = next(e for e in s.events if e.kind == "combat")
    assert fight.data["defence"] == 8 + 5
    assert table.at(s, "ge-2fj-2fj") == "f-brest"  # nobody retreats out of it


def raiders(table, die, riders=("us-2db-gtd",)):
    s = table.stand(table.empty(), "lemans us-hq-xv us-2db-gtd us-2db-gtl us-80-317; orleans ge-265; angers ge-353")
    for box in ("lemans", "angers"):
        s.control[AT[box]] = 1
    s.offensive[AT["lemans"]] = 1
    table.player(s, table.allied)
    table.act(s, "extend us-hq-xv")
    assert table.why_not(s, "ride us-80-317>orleans") == "4.3b"  # infantry
    assert table.why_not(s, "ride us-2db-gtd>paris") == "4.3c"  # nobody there
    table.act(s, f"ride {riders[0]}>orleans")
    assert table.legal(s) == {"with us-2db-gtl", "go"}
    assert table.why_not(s, "with us-80-317") == "4.3b"  # nothing but armour in the stack
    for n in riders[1:]:
        table.act(s, f"with {n}")
    table.act(s, "go", dice=[die])
    return s


@pytest.mark.rule("5.2c", "4.3a")
def test_5_2c_armour_overruns_the_next_box_during_an_extended_move(table):
    s = raiders(table, 6)
    while table.decision(s) == "Retreat":
        table.act(s, sorted(table.legal(s))[0])
    assert table.at(s, "us-2db-gtd") == "orleans"
    assert "travel us-2db-gtd>paris" in table.legal(s)  # and goes on
    assert s.fought[INDEX["us-2db-gtd"]] == 0  # it was no combat
    assert table.game.problems(s) == []


@pytest.mark.rule("5.2c", "4.3h")
def test_5_2c_a_failed_ride_ends_where_it_began(table):
    s = raiders(table, 1)
    assert table.at(s, "us-2db-gtd") == "lemans"
    assert s.moved[INDEX["us-2db-gtd"]]
    u = INDEX["us-2db-gtd"]
    assert (s.disorder[u], s.steps[u]) == (2, 1)  # D2 from the table, and the level of the failure costs a step
    assert not s.confusion[AT["orleans"]]


@pytest.mark.rule("5.2c", "4.3b", "4.3d", "4.3i")
def test_5_2c_a_whole_stack_of_armour_rides_together(table):
    s = raiders(table, 6, ("us-2db-gtd", "us-2db-gtl"))
    fight = next(e for e in s.events if e.kind == "combat")
    assert fight.data["attackers"] == ["us-2db-gtd", "us-2db-gtl"]
    from grognard.games.normandie.world import ATTACK

    assert fight.data["attack"] == sum(ATTACK[INDEX[n]][2] for n in ("us-2db-gtd", "us-2db-gtl"))
    while table.decision(s) == "Retreat":
        table.act(s, sorted(table.legal(s))[0])
    assert [table.at(s, n) for n in ("us-2db-gtd", "us-2db-gtl")] == ["orleans"] * 2
    assert [s.trips[INDEX[n]] for n in ("us-2db-gtd", "us-2db-gtl")] == [1, 1]


@pytest.mark.rule("5.2c", "4.3h")
def test_5_2c_a_stack_that_fails_is_disorganised_and_stays(table):
    s = raiders(table, 1, ("us-2db-gtd", "us-2db-gtl"))
    for n in ("us-2db-gtd", "us-2db-gtl"):
        assert table.at(s, n) == "lemans"
        assert s.moved[INDEX[n]]
        assert s.disorder[INDEX[n]]
    assert [e.kind for e in s.events].count("overrun-failed") == 1


@pytest.mark.rule("5.2c", "4.1.2j")
def test_5_2c_each_german_rider_throws_for_interdiction_and_the_others_ride_on(table):
    s = german(table, "paris ge-2pz-2 ge-2pz-304; orleans us-80-317")
    number = BOX_AT[AT["paris"]].number
    table.act(s, "ride ge-2pz-2>orleans")
    table.act(s, "with ge-2pz-304")
    table.act(s, "go", dice=[number, 1, 6])
    fight = next(e for e in s.events if e.kind == "combat")
    assert fight.data["attackers"] == ["ge-2pz-304"]
    assert table.at(s, "ge-2pz-2") == "paris"
    assert s.moved[INDEX["ge-2pz-2"]]


@pytest.mark.rule("4.3k", "5.2c")
def test_4_3k_off_the_map_too_a_headquarters_alone_is_overrun_without_a_die(table):
    s = german(table, "paris ge-2pz-2; orleans us-hq-xv")
    table.act(s, "ride ge-2pz-2>orleans", dice=[1])
    assert table.at(s, "ge-2pz-2") == "orleans"
    assert table.at(s, "us-hq-xv") == "track"
    assert "combat" not in table.kinds(s)


@pytest.mark.rule("5.4b", "6.12b")
def test_5_4b_a_headquarters_alone_in_a_box_with_enemies_can_be_attacked(table):
    s = table.stand(table.empty(), "lemans us-hq-xv us-2db-gtd ge-hq-lxxiv")
    offmap.settle_boxes(s)
    s.offensive[AT["lemans"]] = 1
    table.player(s, table.allied, done=3)
    table.act(s, "activate us-hq-xv")
    table.act(s, "attack lemans")
    table.act(s, "join us-2db-gtd")
    table.act(s, "fight")
    assert table.at(s, "ge-hq-lxxiv") == "track"


@pytest.mark.rule("6.12d", "5.2c")
def test_6_12d_nobody_rides_out_of_confusion(table):
    s = german(table, "paris ge-2pz-2 us-4-8; orleans us-80-317")
    offmap.settle_boxes(s)
    assert table.why_not(s, "ride ge-2pz-2>orleans") == "6.12d"
    assert offmap.why_not_ride(s, INDEX["ge-2pz-2"], AT["f-paris"]).rule == "0.1.2m"


@pytest.mark.rule("7.5e", "6.12d", "1.1.2.1b")
def test_7_5e_neither_the_unsupplied_nor_those_in_confusion_enter_the_map(table):
    s = table.stand(table.empty(), "paris ge-353")
    u, h = INDEX["ge-353"], AT["1801"]
    assert offmap.why_not_enter(s, u, h) is None
    s.unsupplied[u] = 1
    assert offmap.why_not_enter(s, u, h).rule == "7.5e"
    s.unsupplied[u], s.confusion[AT["paris"]] = 0, 1
    assert offmap.why_not_enter(s, u, h).rule == "6.12d"
