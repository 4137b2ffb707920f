"""Chapter 5: headquarters, whom they lead and what they support."""

import pytest

from grognard.games.normandie.rules import command
from grognard.games.normandie.rules.combat import reckon
from grognard.games.normandie.world import AT, INDEX

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


@pytest.mark.rule("5.1d", "5.1e")
def test_5_1e_nobody_is_reached_from_a_box_onto_the_map_or_back(table):
    s = table.stand(table.empty(), "paris ge-hq-isspz; 1306 ge-353 ge-hq-lxxxiv; lemans ge-276")
    assert not command.is_in_range(s, INDEX["ge-hq-isspz"], INDEX["ge-353"])
    assert not command.is_in_range(s, INDEX["ge-hq-lxxxiv"], INDEX["ge-276"])
    assert command.is_in_range(s, INDEX["ge-hq-lxxxiv"], INDEX["ge-353"])


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
    assert s.boss[INDEX["us-4-8"]] == INDEX["us-hq-vii"]
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


@pytest.mark.rule("5.3a", "5.3b")
def test_5_3a_a_headquarters_leads_four_hexes_far_but_helps_only_two_hexes_far(table):
    for place, helps in (("1306", False), ("1308", True)):
        s = table.stand(table.empty(), f"{place} us-hq-vii; 1309 us-4-8; 1310 ge-353")
        table.markers(s, f"{place} 1")
        table.player(s, table.allied, done=3)
        table.act(s, "activate us-hq-vii")
        table.act(s, "attack 1310")
        assert s.frames[-1].support == ((INDEX["us-hq-vii"],) if helps else ())
