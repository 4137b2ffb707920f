"""More readings that come near a rule and miss it: the strategic map, administration, victory, the third player."""

import pytest

from grognard.games.normandie.frames import Combat, CounterAttack, DDay, PlayerPhase, Sortie, Turn
from grognard.games.normandie.rules import administration, losses, offmap, partners, victory
from grognard.games.normandie.rules.definitions import put
from grognard.games.normandie.state import AVAILABLE, DESTROYED, REDUCED
from grognard.games.normandie.world import (
    AIR,
    AMERICAN,
    AT,
    BRITISH,
    CHERBOURG,
    COUNT,
    DEPOT_INDEX,
    FB,
    FIXED,
    GERMAN,
    INDEX,
    IS_HQ,
    SIDE,
)

FRAME = Turn()

# --- the strategic map ------------------------------------------------------------------------------------------------


@pytest.mark.rule("6.12a", "4.1.2m")
def test_6_12a_partisans_bring_no_confusion_to_a_box(table):
    s = table.stand(table.empty(), "languedoc ge-353 us-partisan-languedoc")
    offmap.settle_boxes(s)
    assert not s.confusion[AT["languedoc"]]
    s = table.stand(table.empty(), "orleans ge-353 us-4-8")
    offmap.settle_boxes(s)
    assert s.confusion[AT["orleans"]]


@pytest.mark.rule("4.1.2p", "4.1.2q")
def test_4_1_2p_paris_rises_once(table):
    s = table.stand(table.empty(), "orleans us-4-8; track us-ffi-paris")
    offmap.raise_paris(s)
    assert table.at(s, "us-ffi-paris") == "paris"
    losses.lose_steps(s, INDEX["us-ffi-paris"], 1, "6.4b")
    offmap.raise_paris(s)
    assert table.at(s, "us-ffi-paris") == "gone"


@pytest.mark.rule("6.13b")
def test_6_13b_exactly_half_of_the_defence_is_enough_for_a_siege_and_partisans_are_nothing(table):
    s = table.stand(table.empty(), "f-brest ge-festung-brest; brest us-4-8")
    assert offmap.is_besieged(s, AT["f-brest"])  # 4 against 8
    table.stand(s, "f-brest ge-353/1")
    assert not offmap.is_besieged(s, AT["f-brest"])
    s = table.stand(table.empty(), "f-brest ge-festung-brest; brest us-partisan-languedoc us-2ranger")
    assert not offmap.is_besieged(s, AT["f-brest"])  # 2, and partisans of 2 who do not count


@pytest.mark.rule("0.2.1b", "1.1.2.1f")
def test_0_2_1b_two_markers_at_most_come_in_with_a_headquarters(table):
    s = table.stand(table.empty(), "rennes ge-hq-lxxxiv")
    table.markers(s, "rennes 3; 2118 1")
    offmap.transfer(s, INDEX["ge-hq-lxxxiv"], AT["2118"])
    assert (s.offensive[AT["2118"]], s.offensive[AT["rennes"]]) == (2, 2)


@pytest.mark.rule("4.1.2m")
def test_4_1_2m_a_unit_that_hunts_partisans_does_not_travel_afterwards(table):
    s = table.stand(table.empty(), "languedoc ge-353 ge-276 us-partisan-languedoc")
    table.player(s, GERMAN)
    offmap.OffMap().apply(s, s.frames[-1], GERMAN, "hunt", INDEX["ge-353"])
    assert isinstance(s.frames[-1], Combat)
    assert (s.moved[INDEX["ge-353"]], s.moved[INDEX["ge-276"]]) == (1, 0)


@pytest.mark.rule("5.2c", "6.12d")
def test_6_12d_nobody_rides_out_of_confusion_over_an_enemy(table):
    s = table.stand(table.empty(), "orleans ge-2pz-i-3 us-4-8; paris us-4-12")
    assert offmap.why_not_ride(s, INDEX["ge-2pz-i-3"], AT["paris"]) is None
    s.confusion[AT["orleans"]] = 1
    assert s.control[AT["paris"]] == GERMAN + 1
    assert offmap.why_not_ride(s, INDEX["ge-2pz-i-3"], AT["paris"]).rule == "6.12d"


# --- administration ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("6.10e")
def test_6_10e_elite_infantry_takes_the_scarcer_replacements(table):
    kinds = [administration.replacement_kind(INDEX[n]) for n in ("ge-353", "ge-3fj-5", "ge-2pz-i-3")]
    assert kinds == [administration.INFANTRY, administration.ARMOUR, administration.ARMOUR]


@pytest.mark.rule("1.1.1.3i", "1.1.1.3j")
def test_1_1_1_3i_units_in_the_rest_box_are_still_rested_after_the_administration(table):
    s = table.stand(table.empty(), "rest ge-353; 1306 us-4-8/1")
    for n in ("ge-353", "us-4-8"):
        s.resting[INDEX[n]] = 2
    administration.end_administration(s, FRAME)
    assert [s.resting[INDEX[n]] for n in ("ge-353", "us-4-8")] == [2, 0]


@pytest.mark.rule("1.1.1.3i", "7.2d")
def test_1_1_1_3i_a_depot_in_confusion_lets_nobody_return(table):
    s = table.empty()
    doors = administration.doors(s, GERMAN)
    assert AT["lemans"] in doors
    s.confusion[AT["lemans"]] = 1
    assert administration.doors(s, GERMAN) == [b for b in doors if b != AT["lemans"]]


# --- victory ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("11.3-auto-allied-2")
def test_11_3_auto_allied_2_garrisons_and_guns_do_not_hold_the_map(table):
    s = table.empty(turn=9)
    units = [u for u in range(COUNT) if SIDE[u] == GERMAN and not IS_HQ[u]]
    movers = [u for u in units if not FIXED[u]][:9]
    for u in (*movers, *[u for u in units if FIXED[u]][:4], INDEX["ge-hq-lxxxiv"]):
        put(s, u, AT["1306"])
    victory.judge_campaign(s)
    assert table.game.result(s).rule == "11.3-auto-allied-2"


@pytest.mark.rule("11.3-vp-depot")
def test_11_3_vp_depot_a_reduced_depot_counts_its_reduced_capacity(table):
    s = table.depots(table.empty(), "mulberry-b")
    d = DEPOT_INDEX["mulberry-b"]
    assert victory.depot_points(s, d) == 3 + 2
    s.depot[d] = REDUCED
    assert victory.depot_points(s, d) == 3 + 1


@pytest.mark.rule("11.1-vic-ger-strat")
def test_11_1_vic_ger_strat_needs_a_unit_on_the_beach(table):
    for where, over in (("0617 ge-hq-lxxxiv", False), ("0617 ge-353", True)):
        s = table.stand(table.empty("cherbourg", 2), where)
        s.depot[DEPOT_INDEX["utah"]] = DESTROYED
        victory.judge_cherbourg(s)
        assert bool(s.outcome) is over


@pytest.mark.rule("11.1-vic-ger-op")
def test_11_1_vic_ger_op_the_depot_of_cherbourg_is_not_the_south_edge(table):
    s = table.stand(
        table.empty("cherbourg", 4), "0223 ge-709-739; 0323 ge-17ss-37; 1820 ge-353; 0722 us-4-8; 0720 us-4-12"
    )
    s.german_depot[AT["0223"]] = 2
    assert "709" in victory.divisions_linked_south(s)  # the road is open
    for n, name in enumerate(("us-4-8", "us-4-12", "us-4-22", "us-9-39", "us-9-47", "us-9-60", "us-1-16", "us-1-18")):
        table.stand(s, f"09{17 + n} {name}")
    assert victory.divisions_linked_south(s) == {"353"}


@pytest.mark.rule("0.2.2a", "11.1-vic-us", "11.3-vp-town")
def test_0_2_2a_a_hex_shared_with_the_enemy_is_held_by_nobody(table):
    s = table.stand(table.empty("cherbourg", 2), "0223 us-4-8; 0222 us-4-12")
    for h in CHERBOURG:
        s.control[h] = 1
    assert losses.is_held_by(s, 0, AT["0223"])
    table.stand(s, "0223 ge-709-739")
    s.control[AT["0223"]], s.confusion[AT["0223"]] = 1, 1
    assert [losses.is_held_by(s, side, AT["0223"]) for side in (0, 1)] == [False, False]


# --- the third player -------------------------------------------------------------------------------------------------


@pytest.mark.rule("11a", "6.4d")
def test_11a_a_retreat_is_routed_by_its_owner_even_when_the_hex_is_empty(table):
    s = table.stand(table.empty(), "1305 uk-50-231; 1406 ge-353")
    c = table.combat(s, "1306", "ge-353", retreating=(INDEX["uk-50-231"],))
    assert partners.group_of_frame(s, c) == BRITISH


@pytest.mark.rule("11a", "9a")
def test_11a_a_zone_is_flown_by_whoever_has_an_aircraft(table):
    s = table.empty()
    plane = next(a for a, (kind, group, _) in enumerate(AIR) if kind == FB and group == BRITISH)
    s.air[plane] = AVAILABLE
    assert partners.groups_of(s, FRAME, ("zone", 0)) == (BRITISH,)
    assert partners.groups_of(s, FRAME, ("box", AT["paris"])) == (BRITISH,)
    s.air[plane] = 0
    assert partners.groups_of(s, FRAME, ("zone", 0)) == partners.groups_of(s, FRAME, ("box", AT["paris"])) == ()


@pytest.mark.rule("11a", "10-A.1c")
def test_11a_each_shells_his_own_beaches(table):
    s = table.empty(turn=0)
    assert partners.groups_of(s, DDay(), ("ships", AT["0713"])) == (AMERICAN,)
    assert partners.groups_of(s, DDay(), ("bombers", AT["0710"])) == (BRITISH,)


@pytest.mark.rule("11a", "10-A.2a")
def test_11a_in_a_sortie_each_attacks_what_his_own_units_touch(table):
    s = table.stand(table.empty(turn=0), "1306 us-4-8; 1406 ge-353; 1506 uk-50-231; 1606 ge-276")
    c = Sortie(side=0, who="ashore")
    assert partners.groups_of(s, c, ("attack", AT["1406"])) == (AMERICAN, BRITISH)
    assert partners.groups_of(s, c, ("attack", AT["1606"])) == (BRITISH,)


@pytest.mark.rule("11a", "6.9a")
def test_11a_the_owner_of_the_headquarters_answers_for_the_counter_attack(table):
    s = table.stand(table.empty(), "1406 ge-353; 1306 uk-50-231; 1305 uk-hq-xxx")
    table.markers(s, "1305 1")
    assert partners.group_of_frame(s, CounterAttack(side=0, target=AT["1406"])) == BRITISH


@pytest.mark.rule("11a", "1.1.1.2g")
def test_11a_after_a_marker_the_other_ally_is_next(table):
    s = table.stand(table.empty(), "0619 us-hq-vii")
    s.frames, s.partners, s.ally_next = [Turn()], 1, AMERICAN
    assert partners.hands_over(s, 0, ("marker", "utah>us-hq-vii"), []) is False
    assert s.ally_next == BRITISH


@pytest.mark.rule("11a")
def test_11a_what_was_said_in_a_decision_that_is_over_is_forgotten(table):
    s = table.empty()
    s.frames = [Turn(), PlayerPhase(side=0)]
    s.frames[1].row = 2
    for done, left in (((2, 2, 1), (2, 2, 1)), ((2, 1, 1), ()), ((3, 2, 1), ())):
        s.allies_done = done
        partners.tidy(s)
        assert s.allies_done == left
