"""Readings that come near a rule and miss it: each test here fails for one wrong implementation that looked right."""

import pytest

from grognard.games.normandie.frames import (
    Activation,
    Barrage,
    Combat,
    CounterAttack,
    DDay,
    MoveStack,
    Phase,
    Turn,
)
from grognard.games.normandie.nouns import SOURCE
from grognard.games.normandie.rules import (
    air,
    bombardment,
    combat,
    dday,
    logistics,
    losses,
    retreat,
    retreat_choices,
    supply,
    turn,
)
from grognard.games.normandie.rules.combat_choices import AttackSupport, DefenceSupport
from grognard.games.normandie.rules.definitions import in_enemy_zoc, put
from grognard.games.normandie.rules.logistics import EDGE, StoreMarkers
from grognard.games.normandie.rules.movement import reach
from grognard.games.normandie.rules.movement_choices import landing_capacity
from grognard.games.normandie.state import (
    FULL,
    REDUCED,
    TACTICAL,
)
from grognard.games.normandie.world import (
    AIR,
    AT,
    CHARTS,
    CODES,
    COUNT,
    DEPOT_INDEX,
    ENTRY_HEXES,
    FB,
    FIXED,
    GROUP,
    HEXES,
    INDEX,
    LAND,
    LAST_BOX,
    MB,
    PE,
    SIDE,
    ZONE,
    distance,
)

FRAME = Turn()


def markers_to(s, side, hq):
    """From where an Offensive marker could reach a headquarters now."""
    return {SOURCE.word(s, side, source) for source in logistics.marker_sources(s, side).get(INDEX[hq], ())}


# --- movement ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("11.1-map")
def test_11_1_map_column_seventeen_itself_is_in_play(table):
    s = table.stand(table.empty("cherbourg", 1), "1218 us-4-8")
    assert AT["1217"] in reach(s, [INDEX["us-4-8"]])
    s = table.stand(table.empty("cherbourg", 1), "1217 us-4-8")
    assert AT["1216"] not in reach(s, [INDEX["us-4-8"]])


@pytest.mark.rule("0.2.2a")
def test_0_2_2a_a_headquarters_takes_no_ground(table):
    s = table.stand(table.empty(), "1306 us-hq-vii")
    table.moving(s, "us-hq-vii")
    table.act(s, "to 1406")
    assert s.control[AT["1406"]] == 2


@pytest.mark.rule("1.1.1.3k")
def test_1_1_1_3k_a_headquarters_beside_it_disturbs_no_rest(table):
    s = table.stand(table.empty(), "1306 us-4-8/1; 1506 ge-hq-lxxxiv")
    s.resting[INDEX["us-4-8"]] = 1
    table.moving(s, "ge-hq-lxxxiv")
    table.act(s, "to 1407")
    assert s.resting[INDEX["us-4-8"]] == 1


@pytest.mark.rule("4.3i", "3a")
def test_4_3i_a_battalion_driven_off_had_no_zone_to_ignore(table):
    for victim, zones in (("us-70tk", False), ("us-4-8", True)):
        s = table.stand(table.empty(), f"1306 ge-2pz-i-3 ge-2pz-ii-3; 1406 {victim}")
        table.moving(s, "ge-2pz-i-3")
        table.act(s, "with ge-2pz-ii-3")
        table.act(s, "overrun 1406", dice=[1 if victim == "us-70tk" else 5])
        while table.decision(s) != "GoThere":
            table.act(s, sorted(table.legal(s))[0])
        stack = s.frames[-1]
        assert isinstance(stack, MoveStack)
        assert table.at(s, "ge-2pz-i-3") == "1406"
        assert s.steps[INDEX[victim]]  # it lives and stands somewhere near
        assert bool(stack.lifted) is zones


@pytest.mark.rule("4.4c")
def test_4_4c_the_mishap_is_a_natural_one_even_for_rangers(table):
    s = table.stand(table.empty(), "1306 us-2ranger; 1406 ge-709-919")
    table.moving(s, "us-2ranger")
    table.act(s, "storm 1406", dice=[1])
    assert s.disorder[INDEX["us-2ranger"]] == 1


# --- landing ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("4.2a", "7.1e", "7.1.3b")
def test_4_2a_a_reduced_depot_lands_what_its_reduced_side_says(table):
    s = table.empty()
    d = DEPOT_INDEX["mulberry-b"]
    s.depot[d] = FULL
    whole = landing_capacity(s, d)
    s.depot[d] = REDUCED
    assert (whole, landing_capacity(s, d)) == (6, 3)


@pytest.mark.rule("4.2a", "1.0b")
def test_4_2a_each_phase_has_its_own_landing_capacity(table):
    s = table.empty()
    s.landed[DEPOT_INDEX["utah"]] = 3
    turn.begin_phase(s, Phase(name="B"))
    assert s.landed[DEPOT_INDEX["utah"]] == 0


# --- supply -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("7.3.1d")
def test_7_3_1d_a_headquarters_does_not_lift_a_zone_for_supply(table):
    s = table.stand(table.empty(), "1306 ge-353; 1406 us-hq-vii")
    assert not supply.is_open_to_supply(s, 0, AT["1406"])
    table.stand(s, "1406 us-4-8")
    assert supply.is_open_to_supply(s, 0, AT["1406"])


@pytest.mark.rule("7.4a")
def test_7_4a_four_points_of_several_divisions_just_fit(table):
    s = table.empty()
    names = ("us-4-8", "us-9-39", "us-79-313", "us-101-501", "us-101-502")
    for n in names:
        table.stand(s, f"0619 {n}")
        s.unsupplied[INDEX[n]] = 1
    table.at_row(s, "7.4a")
    for n in names[:3]:
        table.act(s, f"air-supply {n}")
    assert f"air-supply {names[3]}" in table.legal(s)
    table.act(s, f"air-supply {names[3]}")
    assert table.decision(s) != "AirSupply"  # the fifth point does not fit


# --- Offensive markers ------------------------------------------------------------------------------------------------


@pytest.mark.rule("1.1.1.2d")
def test_1_1_1_2d_clouds_cost_the_allies_a_marker_and_help_the_german(table):
    for weather, got in ((0, [6, 1]), (1, [5, 2])):
        s = table.empty(turn=7)
        s.weather, s.loaded = weather, (6, 1)
        logistics.roll_markers(s, FRAME)
        assert list(s.got) == got


@pytest.mark.rule("1.1.1.2f")
def test_1_1_1_2f_no_marker_comes_in_over_an_edge_held_by_the_enemy(table):
    s = table.empty("cherbourg", 2)
    assert StoreMarkers().places(s) == [EDGE]
    table.stand(s, f"{CODES[EDGE]} us-4-8")
    assert StoreMarkers().places(s) == []


@pytest.mark.rule("7.3.2b")
def test_7_3_2b_an_unsupplied_headquarters_on_the_depot_itself_gets_nothing(table):
    s = table.depots(table.stand(table.empty(), "0617 us-hq-vii"), "utah")
    s.allied_markers = 1
    assert markers_to(s, 0, "us-hq-vii") == {"utah"}
    s.unsupplied[INDEX["us-hq-vii"]] = 1
    assert markers_to(s, 0, "us-hq-vii") == set()


@pytest.mark.rule("1.1.1.1i")
def test_1_1_1_1i_no_marker_lands_in_a_storm(table):
    s = table.depots(table.stand(table.empty(), "0619 us-hq-vii"), "utah")
    s.allied_markers, s.storm = 1, 1
    assert markers_to(s, 0, "us-hq-vii") == set()


@pytest.mark.rule("7.1a", "1.1.1.2g")
def test_7_1a_a_beach_passes_markers_to_its_own_army_only(table):
    s = table.depots(table.stand(table.empty(), "0710 us-hq-vii; 0809 uk-hq-xxx"), "gold")
    s.allied_markers = 1
    assert markers_to(s, 0, "uk-hq-xxx") == {"gold"}
    assert markers_to(s, 0, "us-hq-vii") == set()


@pytest.mark.rule("1.1.1.2g", "4.1.2j")
def test_1_1_1_2g_a_german_marker_does_not_enter_the_map_on_top_of_the_enemy(table):
    box = next(b for b, hexes in ENTRY_HEXES.items() if len(hexes) and CODES[b] == "lemans")
    hexes = ENTRY_HEXES[box]
    s = table.stand(table.empty(), f"{CODES[hexes[0]]} ge-hq-lxxxiv")
    s.offensive[box] = 1
    assert markers_to(s, 1, "ge-hq-lxxxiv") == {"lemans"}
    table.stand(s, "gone ge-hq-lxxxiv")
    near = next(n for n in reach(table.stand(table.empty(), f"{CODES[hexes[0]]} us-4-8"), [INDEX["us-4-8"]])
                if n not in hexes)  # fmt: skip
    table.stand(s, f"{CODES[near]} ge-hq-lxxxiv")
    assert markers_to(s, 1, "ge-hq-lxxxiv") == {"lemans"}
    for h, name in zip(hexes, ("us-4-8", "us-4-12", "us-4-22", "us-9-39", "us-9-47", "us-9-60")):
        table.stand(s, f"{CODES[h]} {name}")
    assert markers_to(s, 1, "ge-hq-lxxxiv") == set()


@pytest.mark.rule("0.2.1e")
def test_0_2_1e_interdiction_slows_german_markers(table):
    s = table.stand(table.empty(), "1216 ge-353")
    free = logistics.marker_roads(s, 1, AT["1216"])
    plane = next(a for a, (kind, _, _) in enumerate(AIR) if kind == FB)
    s.air[plane], s.air_at[plane] = TACTICAL, ZONE[AT["1216"]]
    slow = logistics.marker_roads(s, 1, AT["1216"])
    assert any(slow.get(h, 99) > cost for h, cost in free.items())
    assert all(slow.get(h, 99) >= cost for h, cost in free.items())


@pytest.mark.rule("7.2d")
def test_7_2d_no_marker_leaves_a_box_in_confusion(table):
    s = table.stand(table.empty(), "lemans ge-353; paris ge-hq-lxxxiv")
    s.offensive[AT["lemans"]] = 1
    assert "lemans" in markers_to(s, 1, "ge-hq-lxxxiv")
    s.confusion[AT["lemans"]] = 1
    assert markers_to(s, 1, "ge-hq-lxxxiv") == set()


# --- headquarters -----------------------------------------------------------------------------------------------------


def helpers(s, c):
    return AttackSupport().options(s, c)


@pytest.mark.rule("5.3e", "6.9b")
def test_5_3e_only_the_german_adds_headquarters_supplied_ones_and_not_in_a_counter_attack(table):
    s = table.stand(table.empty(), "1306 us-4-8; 1406 ge-353; 1506 ge-hq-lxxxiv; 1605 ge-hq-iifj")
    table.markers(s, "1506 1; 1605 1")
    c = table.combat(s, "1306", "ge-353", hq="ge-hq-lxxxiv")
    c.support = (INDEX["ge-hq-lxxxiv"],)
    assert helpers(s, c) == []  # 1605 is three hexes away
    table.stand(s, "1407 ge-hq-iifj")
    table.markers(s, "1407 1")
    assert helpers(s, c) == [INDEX["ge-hq-iifj"]]
    s.unsupplied[INDEX["ge-hq-iifj"]] = 1
    assert helpers(s, c) == []
    s.unsupplied[INDEX["ge-hq-iifj"]] = 0
    c.kind = "counter"
    assert helpers(s, c) == []  # one headquarters strikes back
    s = table.stand(table.empty(), "1306 us-4-8 us-hq-vii; 1406 ge-353; 1307 us-hq-v")
    table.markers(s, "1306 1; 1307 1")
    c = table.combat(s, "1406", "us-4-8", hq="us-hq-vii")
    c.support = (INDEX["us-hq-vii"],)
    assert helpers(s, c) == []


@pytest.mark.rule("5.3f", "8b")
def test_5_3f_a_headquarters_of_the_other_allied_army_does_not_support_the_defence(table):
    s = table.stand(table.empty(), "1306 us-4-8; 1406 ge-353; 1307 uk-hq-xxx; 1207 us-hq-vii")
    c = table.combat(s, "1306", "ge-353")
    assert DefenceSupport().options(s, c) == [INDEX["us-hq-vii"]]


@pytest.mark.rule("6.8d")
def test_6_8d_a_german_headquarters_too_needs_a_marker_to_help_an_exploitation(table):
    s = table.stand(table.empty(), "1306 us-4-8; 1406 ge-2pz-i-3 ge-hq-lxxxiv")
    c = table.combat(s, "1306", "ge-2pz-i-3", hq="ge-hq-lxxxiv", kind="exploitation")
    assert helpers(s, c) == []
    table.markers(s, "1406 1")
    assert helpers(s, c) == [INDEX["ge-hq-lxxxiv"]]


@pytest.mark.rule("6.9b", "5.3b")
def test_6_9b_the_headquarters_that_strikes_back_adds_its_bonus(table):
    s = table.stand(table.empty(), "1506 ge-hq-iisspz ge-353; 1406 us-4-8")
    table.markers(s, "1506 1")
    s.frames = [Activation(side=0, hq=0, over=1), CounterAttack(side=1, target=AT["1406"])]
    table.run(s)
    table.act(s, "counter ge-hq-iisspz")
    if table.decision(s) == "ShiftUnits":
        table.act(s, "strike")
    table.act(s, "join ge-353")
    lines = combat.reckon(s, s.frames[-1]).right
    assert ("5.3b", "hq") in [(line.rule, line.why) for line in lines]


# --- combat -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("10-A.1f", "10-A.1g")
def test_10_a_1g_rangers_do_not_spare_others_the_column_of_the_sea(table):
    s = table.stand(table.empty(turn=0), "0714 us-2ranger us-29-116")
    for names, lines in ((("us-2ranger",), []), (("us-2ranger", "us-29-116"), ["10-A.1f"])):
        c = table.combat(s, "0714", *names, sea=1)
        assert [line.rule for line in combat.ground_lines(s, c, c.attackers, ()) if line.why == "sea"] == lines


@pytest.mark.rule("6.3g")
def test_6_3g_elite_defenders_take_a_pip_from_the_attackers_die(table):
    s = table.stand(table.empty(), "1306 us-4-8; 1406 ge-3fj-5")
    defence, attack = (
        combat.reckon(s, table.combat(s, *who)).die for who in (("1406", "us-4-8"), ("1306", "ge-3fj-5"))
    )
    assert [(line.amount, line.why) for line in defence] == [(-1, "elite_defence")]
    assert [(line.amount, line.why) for line in attack] == [(1, "elite_attack")]


@pytest.mark.rule("6.7a", "2.1a")
def test_6_7a_no_more_advance_than_the_hex_can_hold(table):
    names = ("us-4-8", "us-4-12", "us-4-22", "us-9-39", "us-9-47", "us-9-60")
    s = table.stand(table.empty(), f"1306 {' '.join(names[:5])}; 1305 {names[5]}; 1406 ge-709-919/1")
    table.attack(s, "", "1406", *names, dice=[6])
    while table.decision(s) != "Advance":
        table.act(s, sorted(table.legal(s))[0])
    for n in names[:5]:
        table.act(s, f"advance {n}")
    assert table.decision(s) != "Advance"
    assert table.at(s, names[5]) == "1305"


# --- retreats ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("9.1d", "6.6e")
def test_9_1d_allied_aircraft_do_not_disorganise_retreating_allies(table):
    s = table.stand(table.empty(), "1306 us-4-8; 1406 ge-353")
    for target, attacker, beaten, level in (("1306", "ge-353", "us-4-8", 0), ("1406", "us-4-8", "ge-353", 1)):
        c = table.combat(s, target, attacker, plane=0, seen=1, retreat=1)
        retreat_choices._arrive(s, c, INDEX[beaten])
        assert s.disorder[INDEX[beaten]] == level


@pytest.mark.rule("6.6c", "6.6d")
def test_6_6c_a_retreat_goes_on_until_a_hex_has_room(table):
    s = table.stand(table.empty(), "1406 ge-353; 1306 us-4-8 us-4-12 us-4-22 us-9-39")
    full = sorted(h for h in range(HEXES) if LAND[h] and 1 <= distance(AT["1406"], h) <= 2 and CODES[h] != "1306")
    spare = [u for u in range(COUNT) if SIDE[u] == 1 and PE[u] and not FIXED[u] and u != INDEX["ge-353"]]
    for h in full:
        weight = 0
        while weight < 3:
            u = spare.pop(0)
            put(s, u, h)
            weight += PE[u]
    table.attack(s, "", "1406", "us-4-8", "us-4-12", "us-4-22", "us-9-39", dice=[6])
    legs = 0
    while table.decision(s) in ("HoldGround", "Retreat"):
        legs += table.decision(s) == "Retreat"
        table.act(s, "fall-back" if "fall-back" in table.legal(s) else sorted(table.legal(s))[-1])
    assert legs == 3
    assert distance(AT["1406"], s.place[INDEX["ge-353"]]) == 3


@pytest.mark.rule("5.4d", "6.6b")
def test_5_4d_a_headquarters_retreats_into_a_zone_unharmed(table):
    s = table.stand(table.empty(), "1406 ge-hq-lxxxiv; 1306 us-4-8")
    assert in_enemy_zoc(s, 1, AT["1407"])
    retreat.step_back(s, INDEX["ge-hq-lxxxiv"], AT["1407"])
    assert table.at(s, "ge-hq-lxxxiv") == "1407"


@pytest.mark.rule("6.6f")
def test_6_6f_only_houses_hold_not_trees(table):
    s = table.stand(table.empty(), "1308 ge-353; 1208 us-4-8")
    for cover, asked in (("village", True), ("town", True), ("forest", False), ("bocage", False)):
        c = table.combat(s, "1308", "us-4-8", cover=cover, retreat=1)
        assert retreat_choices.HoldGround().needed(s, c, 1) is asked


@pytest.mark.rule("11.1-map", "6.6a")
def test_11_1_map_nobody_retreats_out_of_the_columns_in_play(table):
    for scenario, turn_, open_ in (("cherbourg", 1, False), ("cobra", 7, True)):
        s = table.stand(table.empty(scenario, turn_), "1217 ge-353; 1218 us-4-8")
        ways = retreat.retreat_hexes(s, INDEX["ge-353"], AT["1217"], 0, free=True)
        assert (AT["1216"] in ways) is open_


# --- bombardment ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("8c", "9.3a")
def test_8c_bombers_serve_their_own_army(table):
    s = table.empty()
    table.planes(s, MB, 0, 2)
    assert [sum(bombardment.bombers_of(s, group)) for group in (0, 1)] == [2, 0]


@pytest.mark.rule("6.2j")
def test_6_2j_a_battery_in_confusion_is_silent(table):
    s = table.stand(table.empty(), "0419 ge-batteriest-marcouf; 0617 us-4-8")
    assert bombardment.guns_on(s, AT["0617"]) == [INDEX["ge-batteriest-marcouf"]]
    s.confusion[AT["0419"]] = 1
    assert bombardment.guns_on(s, AT["0617"]) == []


@pytest.mark.rule("6.11d", "9.4c")
def test_6_11d_the_second_half_of_a_carpet_does_not_fall_on_confusion(table):
    s = table.stand(table.empty(), "1306 us-4-8; 1406 ge-353; 1407 ge-709-919 us-4-12")
    s.frames = [table.combat(s, "1406", "us-4-8"), Barrage(by="bombers")]
    assert AT["1407"] in bombardment.beside(s, AT["1406"])
    s.confusion[AT["1407"]] = 1
    assert AT["1407"] not in bombardment.beside(s, AT["1406"])


# --- tables, number by number -----------------------------------------------------------------------------------------


@pytest.mark.rule("11.1-naval", "6.2h")
def test_6_2_the_naval_points_of_every_turn():
    """The proposed table, as it stands: cruisers and destroyers of the Western and of the Eastern Task Force."""
    rows = {0: (4, 6, 5, 6), 1: (1, 2, 2, 2), 5: (0, 1, 1, 2)}
    for week in range(13):
        found = [row for row in CHARTS["naval"]["rows"] if row[0] <= week <= row[1]]
        assert [(*row[2], *row[3]) for row in found] == [rows[max(first for first in rows if first <= week)]]


@pytest.mark.rule("1.1.1.1l")
def test_1_1_1_1l_the_aircraft_of_every_turn():
    """The proposed table, as it stands: HB, MB, FB and FB locked by superiority, under a clear sky and clouds."""
    clear = {0: (6, 4, 9, 3), 1: (2, 3, 8, 3), 4: (2, 4, 10, 2), 7: (4, 4, 12, 2)}
    clouds = {0: (6, 4, 9, 3), 1: (0, 1, 3, 1), 4: (1, 1, 4, 1), 7: (1, 2, 5, 1)}
    for week in range(13):
        since = max(first for first in clear if first <= week)
        assert (air.availability(week, 0), air.availability(week, 1)) == (clear[since], clouds[since])


@pytest.mark.rule("11.1-map")
def test_11_1_map_column_17_is_in_play_and_column_16_is_not(table):
    s = table.stand(table.empty("cherbourg", 2), "0917 us-4-8")
    columns = {CODES[h][2:] for h in reach(s, [INDEX["us-4-8"]])}
    assert "17" in columns
    assert "16" not in columns
    assert {CODES[h][2:] for h in reach(table.stand(table.empty(), "0917 us-4-8"), [INDEX["us-4-8"]])} >= {"16", "17"}


@pytest.mark.rule("6.5b", "5.4d")
def test_6_5b_nothing_disorganises_a_headquarters_or_those_who_are_gone(table):
    s = table.stand(table.empty(), "1306 us-hq-vii us-4-8 us-4-12/1")
    s.steps[INDEX["us-4-12"]] = 0
    for name, level, after in (("us-hq-vii", 1, 0), ("us-4-12", 1, 0), ("us-4-8", 0, 0), ("us-4-8", 1, 1)):
        s.events = []
        losses.disorganise(s, INDEX[name], level, "6.4b")
        assert s.disorder[INDEX[name]] == after
        assert bool(s.events) is bool(after)


@pytest.mark.rule("10-A.1h", "6.3a")
def test_10_a_1h_the_79th_adds_its_points_to_a_beach(table):
    s = table.stand(table.empty("campaign", 1), "1306 us-4-8; 1406 ge-709-919")
    plain = combat.reckon(s, table.combat(s, "1406", "us-4-8"))
    helped = combat.reckon(s, table.combat(s, "1406", "us-4-8", extra=3))
    assert helped.attack == plain.attack + 3


@pytest.mark.rule("8c")
def test_8c_headquarters_alone_fight_for_their_own_group(table):
    """No unit stands there: the group is that of the headquarters, attacked or attacking."""
    s = table.stand(table.empty(), "1306 uk-hq-i; 1406 ge-709-919")
    assert (
        combat.allied_group(s, table.combat(s, "1306", "ge-709-919"))
        == GROUP[INDEX["uk-hq-i"]]
        != GROUP[INDEX["us-4-8"]]
    )
    empty = Combat(side=0, hq=INDEX["uk-hq-i"], target=AT["1406"], attackers=())
    assert combat.allied_group(s, empty) == GROUP[INDEX["uk-hq-i"]]


@pytest.mark.rule("1.1.1.2c")
def test_1_1_1_2c_the_last_box_is_checked_too(table):
    s = table.empty("campaign", 1)  # everybody is supplied
    u = INDEX["ge-353"]
    put(s, u, LAST_BOX)
    s.unsupplied[u] = 1
    supply.check_supply(s, FRAME)
    assert not s.unsupplied[u]


@pytest.mark.rule("10-A.1c", "6.2c")
def test_10_a_1c_a_coast_out_of_everybodys_reach_is_refused(table):
    s = table.stand(table.empty("campaign", 0), "0713 ge-garnisonomahae")
    frame = DDay(wave="O")
    ask = dday.BombardCoast()
    s.ships[:] = bytearray([1, 0, 0, 0])
    assert ask.why_not(s, frame, 0, "ships", AT["0713"]) is None
    s.ships[:] = bytearray(4)
    assert ask.why_not(s, frame, 0, "ships", AT["0713"]) is dday.NOT_IN_RANGE
    assert ask.why_not(s, frame, 0, "bombers", AT["0713"]) is dday.NOT_IN_RANGE
