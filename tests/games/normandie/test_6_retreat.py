"""Chapters 6.6 to 6.9: retreat, advance, exploitation, counter-attack."""

import pytest

from grognard.games.normandie.rules.definitions import put
from grognard.games.normandie.rules.retreat import retreat_hexes
from grognard.games.normandie.world import AT, COUNTERS, GONE, INDEX

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


def pocket(table, crowd, runners, kind="attack"):
    """1505 is the only way back from 1406, and Americans without zones of control stand all around it."""
    ring = "1305 us-70tk; 1405 us-741tk; 1407 us-743tk; 1506 us-745tk; 1504 us-746tk; 1605 us-747tk; 1606 us-899td"
    s = table.stand(table.empty(), f"1306 us-4-8; {ring}; 1505 {crowd}; 1406 {runners}")
    c = table.combat(s, "1406", "us-4-8", kind=kind, retreat=1)
    c.row = [row.label for row in table.game.tables["combat"].rows].index("6.4d")
    s.frames = [c]
    return table.run(s)


@pytest.mark.rule("6.6d", "6.6c", "6.6g", "6.6a")
def test_6_6d_the_owner_chooses_whom_a_full_pocket_costs_him(table):
    s = pocket(table, "ge-353 ge-3fj-5", "ge-709-919 ge-709-729")
    table.act(s, "retreat 1505")  # five points: full
    table.act(s, "retreat 1505")  # six, and no way on
    assert (table.decision(s), s.waiting) == ("GiveUp", (table.german,))
    assert table.legal(s) == {"give-up ge-709-919", "give-up ge-709-729"}
    refusal = table.game.why(s, table.german, ("give-up", "ge-353"))
    assert (refusal.rule, refusal.reason) == ("6.6d", "not-in-excess")  # it did not retreat
    assert table.game.problems(s) == []
    table.act(s, "give-up ge-709-919")
    assert (table.at(s, "ge-709-919"), table.at(s, "ge-709-729")) == ("gone", "1505")
    assert table.decision(s) == "Advance"


def corridor(table, runners, kind="attack", crowd="ge-353 ge-3fj-5"):
    """From 1406 back to 1505, where one point is left, and from there on to 1605; Americans without zones around."""
    s = pocket(table, crowd, runners, kind)
    put(s, INDEX["us-747tk"], GONE)
    c = s.frames[-1]
    c.row = [row.label for row in table.game.tables["combat"].rows].index("6.4d")
    return table.run(s)


@pytest.mark.rule("6.4d", "6.6c", "6.4c")
def test_6_4d_the_owner_says_who_retreats_first_where_there_is_not_room_for_all(table):
    s = corridor(table, "ge-709-919 ge-709-729")
    assert s.waiting == (table.german,)
    assert table.legal(s) == {"first ge-709-919", "first ge-709-729"}
    assert table.why_not(s, "retreat 1505") == "6.4d"
    assert table.why_not(s, "first ge-353") == "6.4d"
    table.act(s, "first ge-709-729")
    assert table.legal(s) == {"retreat 1505"}
    assert table.why_not(s, "first ge-709-919") == "6.4d"  # said once
    table.act(s, "retreat 1505")
    assert table.legal(s) == {"retreat 1505"}  # only one is left: no question
    table.act(s, "retreat 1505")
    table.act(s, "retreat 1605")  # the late one finds no room and goes on
    assert [table.at(s, n) for n in ("ge-709-729", "ge-709-919")] == ["1505", "1605"]
    assert table.game.problems(s) == []


@pytest.mark.rule("6.4d", "4.3j")
def test_6_4d_nobody_is_asked_where_all_find_room_and_in_an_overrun_the_attacker_is(table):
    s = corridor(table, "ge-709-919 ge-709-729", crowd="ge-353")
    assert table.legal(s) == {"retreat 1505"}
    s = corridor(table, "ge-709-919 ge-709-729", kind="overrun")
    assert s.waiting == (table.allied,)
    assert table.legal(s) == {"first ge-709-919", "first ge-709-729"}


@pytest.mark.rule("6.4d", "6.6c")
def test_6_4d_each_next_unit_is_chosen_anew_and_the_headquarters_goes_last(table):
    s = corridor(table, "ge-709-919 ge-709-729 ge-709-739 ge-hq-lxxxiv")
    table.act(s, "first ge-709-739")
    table.act(s, "retreat 1505")
    assert table.legal(s) == {"first ge-709-919", "first ge-709-729"}
    table.act(s, "first ge-709-729")
    assert [COUNTERS[u].id for u in s.frames[-1].retreating] == ["ge-709-729", "ge-709-919", "ge-hq-lxxxiv"]


@pytest.mark.rule("6.6d", "4.3j")
def test_6_6d_in_an_overrun_the_attacker_chooses(table):
    s = pocket(table, "ge-353 ge-3fj-5", "ge-709-919 ge-709-729", kind="overrun")
    table.act(s, "retreat 1505")
    table.act(s, "retreat 1505")
    assert (table.decision(s), s.waiting) == ("GiveUp", (table.allied,))


@pytest.mark.rule("6.6d")
def test_6_6d_only_the_excess_is_lost_and_nobody_is_asked_without_a_choice(table):
    s = pocket(table, "ge-353 ge-3fj-5 ge-3fj-8", "ge-709-919 ge-503schwpzabt")
    for _ in range(2):
        table.act(s, "retreat 1505")
    assert table.at(s, "ge-709-919") == "gone"  # the battalion weighs nothing and finds its place
    assert table.at(s, "ge-503schwpzabt") == "1505"
    s = pocket(table, "ge-353 ge-503schwpzabt", "ge-709-919 ge-654schwpzabt")
    while table.decision(s) == "Retreat":
        table.act(s, "retreat 1505")
    assert [table.at(s, n) for n in ("ge-709-919", "ge-503schwpzabt", "ge-654schwpzabt")] == ["1505", "1505", "gone"]
    assert table.game.problems(s) == []


@pytest.mark.rule("6.6a", "6.6c")
def test_6_6a_nobody_retreats_back_into_the_hex_that_was_lost(table):
    s = table.stand(table.empty(), "1306 us-4-8; 1505 ge-709-919")
    assert AT["1406"] not in retreat_hexes(s, INDEX["ge-709-919"], AT["1406"], 1)
    assert AT["1406"] in retreat_hexes(s, INDEX["ge-709-919"], AT["1306"], 1, free=True)


@pytest.mark.rule("4.3j")
def test_4_3j_the_attacker_may_not_choose_a_way_to_destruction_if_another_exists(table):
    wall = "1305 us-70tk; 1404 us-741tk; 1504 us-743tk; 1505 us-745tk; 1304 us-747tk"  # battalions: no zones
    crowd = "1405 ge-353 ge-3fj-5 ge-3fj-8"
    s = table.stand(table.empty(), f"1306 us-2arm-cca; {wall}; {crowd}; 1406 ge-709-919")
    for kind, open_ways in (("overrun", {"retreat 1506"}), ("attack", {"retreat 1405", "retreat 1506"})):
        c = table.combat(s, "1406", "us-2arm-cca", kind=kind, retreat=1)
        c.row = [row.label for row in table.game.tables["combat"].rows].index("6.4d")
        s.frames = [c]
        table.run(s)
        assert table.legal(s) == open_ways
        if kind == "overrun":
            assert table.why_not(s, "retreat 1405") == "4.3j"
            assert table.why_not(s, "retreat 1605") == "6.6b"
    table.stand(s, "1506 us-746tk")
    s.frames[-1].kind = "overrun"
    assert "retreat 1405" in table.legal(s, 1)  # no other way: it may be driven there


@pytest.mark.rule("4.3j", "6.6b")
def test_4_3j_a_last_step_is_not_driven_through_a_zone_if_it_can_be_spared(table):
    from grognard.games.normandie.rules.retreat import survives

    s = table.stand(table.empty(), "1306 us-4-8; 1406 ge-709-919/1; 1604 us-4-12")
    u = INDEX["ge-709-919"]
    assert not survives(s, u, AT["1406"], AT["1305"], 1, 1)  # under the guns of 1306
    assert survives(s, u, AT["1406"], AT["1505"], 1, 1)
    s.steps[u] = 2
    assert survives(s, u, AT["1406"], AT["1305"], 1, 1)


@pytest.mark.rule("9.1d", "6.6e")
def test_9_1d_one_hex_open_to_aircraft_on_the_way_is_enough(table):
    def gone_back(way, plane=0, retreat=2):
        s = table.stand(table.empty(), "1306 us-4-8; 1406 ge-353")
        c = table.combat(s, "1406", "us-4-8", retreat=retreat, plane=plane)
        c.row = [row.label for row in table.game.tables["combat"].rows].index("6.4d")
        s.frames = [c]
        table.run(s)
        for h in way:
            table.act(s, f"retreat {h}")
        assert table.at(s, "ge-353") == way[-1]
        return s.disorder[INDEX["ge-353"]]

    assert gone_back(["1506"], retreat=1) == 0  # a town
    assert gone_back(["1505"], retreat=1) == 1
    assert gone_back(["1505"], retreat=1, plane=-1) == 0
    open_then_forest = ["1505", "1605"]
    assert gone_back(open_then_forest) == 1
    assert gone_back(["1506", "1606"]) == 1
    assert gone_back(["1505", "1605", "1704"], retreat=3) == 1  # the forest at the end does not save it


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
    c = table.combat(s, "1406", "us-4-8")
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


@pytest.mark.rule("6.4c")
def test_6_4c_two_units_of_a_stack_retreat_by_different_ways(table):
    s = table.stand(table.empty(), "1306 us-4-8 us-4-12 us-4-22 us-9-39 us-9-47; 1406 ge-709-919 ge-709-729")
    table.attack(s, "", "1406", "us-4-8", "us-4-12", "us-4-22", "us-9-39", "us-9-47", dice=[4])
    assert {"retreat 1505", "retreat 1506"} <= table.legal(s)
    table.act(s, "retreat 1505")
    table.act(s, "retreat 1506")
    assert {table.at(s, "ge-709-919"), table.at(s, "ge-709-729")} == {"1505", "1506"}


@pytest.mark.rule("6.6a", "6.6b")
def test_6_6b_a_longer_retreat_leads_away_from_the_lost_hex(table):
    s = table.stand(table.empty(), "1806 us-4-8; 1505 ge-353")
    hexes = retreat_hexes(s, INDEX["ge-353"], AT["1406"], 1)
    assert {AT["1605"], AT["1504"]} <= set(hexes)
    assert AT["1405"] not in hexes  # next to the lost hex


@pytest.mark.rule("0.1.2j", "6.4d")
def test_6_4d_a_headquarters_goes_with_its_units_only_if_all_of_them_go(table):
    from grognard.games.normandie.rules.combat import order_retreat

    s = table.stand(table.empty(), "1306 us-4-8; 1406 ge-353 ge-hq-lxxxiv")
    c = table.combat(s, "1406", "us-4-8", retreat=1)
    order_retreat(s, c)
    assert c.retreating == (INDEX["ge-353"], INDEX["ge-hq-lxxxiv"])
    table.stand(s, "1406 ge-garnisongold")
    order_retreat(s, c)
    assert c.retreating == (INDEX["ge-353"],)  # the garrison stays, and the headquarters with it


@pytest.mark.rule("0.1.2l", "6.13a")
def test_6_13a_nobody_retreats_out_of_a_festung(table):
    from grognard.games.normandie.rules.combat import order_retreat

    s = table.stand(table.empty(), "brest us-4-8; f-brest ge-festung-brest ge-353")
    c = table.combat(s, "f-brest", "us-4-8", retreat=2)
    order_retreat(s, c)
    assert (c.retreat, c.retreating) == (0, ())


@pytest.mark.rule("0.2.1d", "6.6c")
def test_6_6_a_retreating_headquarters_takes_its_markers_but_not_those_of_another(table):
    from grognard.games.normandie.rules.retreat import step_back

    s = table.markers(table.stand(table.empty(), "1406 ge-hq-lxxxiv; 1306 us-4-8"), "1406 2; 1505 1")
    step_back(s, INDEX["ge-hq-lxxxiv"], AT["1505"])
    assert (s.offensive[AT["1406"]], s.offensive[AT["1505"]]) == (1, 2)  # two in a hex at most
    table.stand(s, "1505 ge-hq-iifj")
    step_back(s, INDEX["ge-hq-lxxxiv"], AT["1605"])
    assert (s.offensive[AT["1505"]], s.offensive[AT["1605"]]) == (2, 0)  # they stay with the other one


@pytest.mark.rule("6.6c", "6.6d", "2.1a")
def test_6_6d_a_headquarters_that_finds_no_hex_of_its_own_is_lost(table):
    s = pocket(table, "ge-353 ge-hq-lxxxiv", "ge-709-919 ge-hq-iifj")
    table.act(s, "retreat 1505")
    table.act(s, "retreat 1505")
    assert table.at(s, "ge-709-919") == "1505"
    assert table.at(s, "ge-hq-iifj") == "track"


@pytest.mark.rule("4.3j", "6.6c")
def test_4_3j_survival_is_looked_for_to_the_end_and_no_further(table):
    from grognard.games.normandie.rules.retreat import survives

    ring = "1305 us-4-12; 1405 us-4-22; 1407 us-9-39; 1506 us-9-47; 1504 us-1-16; 1606 us-1-18; 1604 us-1-26"
    s = table.stand(table.empty(), f"1306 us-4-8; {ring}; 1704 us-29-115; 1705 us-29-116; 1406 ge-hq-iifj")
    u = INDEX["ge-hq-iifj"]
    assert survives(s, u, AT["1406"], AT["1505"], 1, 1)
    table.stand(s, "1505 ge-hq-lxxxiv")
    assert survives(s, u, AT["1406"], AT["1505"], 1, 1)  # by way of 1605
    table.stand(s, "1605 ge-hq-isspz")
    assert not survives(s, u, AT["1406"], AT["1505"], 1, 1)  # to and fro between two full hexes
    table.stand(s, "1605 us-29-175; gone ge-hq-isspz ge-hq-lxxxiv")
    assert survives(s, u, AT["1406"], AT["1505"], 1, 2)  # it can go no further, but there is room


@pytest.mark.rule("9.1d", "6.6e")
def test_9_1d_each_unit_is_judged_by_its_own_way(table):
    s = table.stand(table.empty(), "1306 us-4-8; 1406 ge-709-919 ge-709-729")
    c = table.combat(s, "1406", "us-4-8", retreat=1, plane=0)
    c.row = [row.label for row in table.game.tables["combat"].rows].index("6.4d")
    s.frames = [c]
    table.run(s)
    table.act(s, "retreat 1505")  # in the open
    table.act(s, "retreat 1506")  # into a town
    assert [s.disorder[INDEX[n]] for n in ("ge-709-919", "ge-709-729")] == [1, 0]


@pytest.mark.rule("6.6f", "2.2g", "10-O.1h")
def test_6_6f_a_village_counted_as_such_holds_too_but_not_against_a_drop(table):
    from grognard.games.normandie.rules.retreat_choices import HoldGround

    s = table.stand(table.empty(), "1313 us-4-8; 1213 ge-353")
    for kind, cover, asked in (("attack", "village", True), ("attack", "bocage", False), ("drop", "village", False)):
        c = table.combat(s, "1213", "us-4-8", kind=kind, cover=cover, retreat=1)
        assert HoldGround().needed(s, c, 1) == asked
    c = table.combat(s, "1213", "us-4-8", cover="village", retreat=0)
    assert not HoldGround().needed(s, c, 1)


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
    c = table.combat(s, "1406", "us-4-8", won=1, retreat=2, vacated=(AT["1505"], AT["1605"]))
    c.asked = 4 | 8
    from grognard.games.normandie.rules.combat_choices import Advance
    from grognard.games.normandie.rules.definitions import put

    put(s, INDEX["ge-353"], AT["1605"])
    ask, u = Advance(), INDEX["us-4-8"]
    assert ("advance", u) in ask.legal(s, c, 0)
    ask.apply(s, c, 0, "advance", u)
    assert ("pursue", u) in ask.legal(s, c, 0)
    assert ask.further(s, c, u) == [AT["1505"]]  # not 1605: the enemy is there
    c.retreat = 1
    assert ("pursue", u) not in ask.legal(s, c, 0)


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


@pytest.mark.rule("6.9f", "6.9e", "6.9a")
def test_6_9f_a_unit_shifts_one_hex_to_where_it_can_strike_from(table):
    from grognard.games.normandie.frames import CounterAttack

    s = table.stand(table.empty(), "1506 ge-hq-lxxxiv ge-353; 1505 ge-709-919; 1605 ge-276; 1704 ge-277; 1406 us-4-8")
    table.markers(s, "1506 1")
    s.frames = [CounterAttack(side=1, target=AT["1406"], driven=(INDEX["ge-709-919"],))]
    table.run(s)
    table.act(s, "counter ge-hq-lxxxiv")
    assert "shift ge-709-919>1405" in table.legal(s)  # sideways, to a better side of the hex
    assert table.why_not(s, "shift ge-709-919>1605") == "6.9a"
    assert table.why_not(s, "shift ge-709-919>1406") == "4.1.1e"
    assert table.why_not(s, "shift ge-277>1605") == "6.9e"
    table.act(s, "shift ge-276>1505")
    assert table.at(s, "ge-276") == "1505"
    assert s.events[-1].to_json(0)["start"] == "1605"
    assert table.why_not(s, "shift ge-276>1405") == "6.9f"  # one hex
    table.act(s, "strike")
    assert table.decision(s) == "Commit"
    assert {"join ge-353", "join ge-276", "join ge-709-919"} <= table.legal(s)


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
