"""Readings that are nearly right: D-Day, ports and aircraft."""

import pytest

from grognard.games.normandie.frames import (
    Sortie,
    Turn,
)
from grognard.games.normandie.rules import (
    air,
    bombardment,
    dday,
    losses,
)
from grognard.games.normandie.rules.definitions import why_not_stack
from grognard.games.normandie.rules.movement import reach
from grognard.games.normandie.state import (
    AVAILABLE,
    BUILDING,
    DESTROYED,
    FINISHED,
    FULL,
    NO_DEPOT,
    REDUCED,
    STRATEGIC_BOX,
    TACTICAL,
)
from grognard.games.normandie.world import (
    AT,
    BATTERY,
    COUNTERS,
    DEPOT_HEX,
    DEPOT_INDEX,
    GARRISON,
    INDEX,
    MB,
)

FRAME = Turn()


# --- D-Day ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("10-A.1e")
def test_10_a_1e_the_swell_off_omaha_and_the_dry_landing_at_gold_change_the_die(table):
    for unit, beach, die, lost in (
        ("us-741tk", "0713", 3, 1),
        ("us-70tk", "0617", 3, 0),
        ("us-70tk", "0617", 2, 1),
        ("uk-8armbrig", "0710", 2, 0),
    ):
        s = table.stand(table.empty(turn=0), f"reserve {unit}")
        before = s.steps[INDEX[unit]]
        s.loaded = (die,)
        dday.swim(s, INDEX[unit], AT[beach])
        assert before - s.steps[INDEX[unit]] == lost


@pytest.mark.rule("9.4f", "10-A.1c")
def test_9_4f_a_garrison_inland_is_no_target_before_the_landing(table):
    garrison = next(c.id for c in COUNTERS if GARRISON[c.index] and not BATTERY[c.index] and c.id.startswith("ge"))
    s = table.stand(table.empty(turn=0), f"1306 {garrison}; 0419 ge-batteriest-marcouf")
    assert bombardment.coast_targets(s) == [AT["0419"]]
    table.stand(s, f"0713 {garrison}")
    assert bombardment.coast_targets(s) == [AT["0419"], AT["0713"]]


@pytest.mark.rule("10-A.1o", "6.1b")
def test_10_a_1o_who_fought_on_the_beach_does_not_attack_again_after_the_landing(table):
    s = table.stand(table.empty(turn=0), "0713 us-1-16")
    u = INDEX["us-1-16"]
    for part, kept in ((dday.ATTACKS, 1), (dday.MOVES, 0), (dday.BOTH, 0)):
        s.fought[u] = 1
        dday.begin_sortie(s, Sortie(side=0, who="ashore", done=part))
        assert s.fought[u] == kept


# --- ports and aircraft -----------------------------------------------------------------------------------------------


@pytest.mark.rule("7.1f", "7.1c", "11.3-vp-ger-depot-small")
def test_7_1f_a_port_lost_before_it_opened_scores_nothing_and_may_be_begun_again(table):
    s = table.empty(turn=3)
    d, h = DEPOT_INDEX["isigny"], DEPOT_HEX[DEPOT_INDEX["isigny"]]
    losses.occupy(s, 0, h)
    assert (s.depot[d], s.depot_turn[d]) == (BUILDING, 5)
    losses.occupy(s, 1, h)
    assert (s.depot[d], s.points[1]) == (NO_DEPOT, 0)
    s.control[h] = 1
    losses.occupy(s, 1, h)  # nothing was there
    assert (s.depot[d], s.points[1]) == (NO_DEPOT, 0)
    s.turn = 4
    losses.occupy(s, 0, h)
    assert (s.depot[d], s.depot_turn[d]) == (BUILDING, 6)


@pytest.mark.rule("7.1.1c")
def test_7_1_1c_a_storm_also_tests_a_mulberry_on_its_reduced_side(table):
    for die, status in ((3, REDUCED), (4, DESTROYED)):
        s = table.empty()
        s.depot[DEPOT_INDEX["mulberry-b"]] = REDUCED
        s.loaded = (die,)
        air.break_storm(s)
        assert s.depot[DEPOT_INDEX["mulberry-b"]] == status


@pytest.mark.rule("7.1.2b")
def test_7_1_2b_a_beach_does_not_open_while_a_garrison_holds_it(table):
    garrison = next(c.id for c in COUNTERS if GARRISON[c.index] and c.place == "0713")
    s = table.stand(table.empty(turn=0), f"0713 {garrison}")
    losses.open_beach(s, AT["0713"])
    assert s.depot[DEPOT_INDEX["omaha-east"]] == NO_DEPOT
    table.stand(s, f"gone {garrison}")
    losses.open_beach(s, AT["0713"])
    assert s.depot[DEPOT_INDEX["omaha-east"]] == FULL


@pytest.mark.rule("1.1.1.1p", "9a")
def test_1_1_1_1p_strategic_missions_are_given_at_the_start_of_the_turn_only(table):
    for phase, given in (("A", True), ("B", False)):
        s = table.empty()
        table.planes(s, MB, 0, 1)
        s.phase = phase
        assert any(verb == "box" for verb, _ in air.AssignAircraft().legal(s, FRAME, 0)) is given


@pytest.mark.rule("1.1.1.1g", "1.1.1.1h")
def test_1_1_1_1h_a_storm_leaves_strategic_missions_alone(table):
    s = table.empty()
    s.air[0], s.air[1], s.air[2] = STRATEGIC_BOX, TACTICAL, AVAILABLE
    air.break_storm(s)
    assert list(s.air[:3]) == [STRATEGIC_BOX, FINISHED, FINISHED]


@pytest.mark.rule("11.2-length")
def test_11_2_length_scenario_2_opens_under_a_clear_sky_without_a_die(table):
    for number, weather, left in ((7, 0, (6,)), (8, 1, ())):
        s = table.empty(turn=number)
        s.loaded = (6,)
        air.roll_weather(s, FRAME)
        assert (s.weather, s.loaded) == (weather, left)


@pytest.mark.rule("9.4e")
def test_9_4e_rubble_adds_to_the_cost_of_a_town(table):
    s = table.stand(table.empty(), "1306 us-2arm-cca")
    before = reach(s, [INDEX["us-2arm-cca"]])[AT["1406"]]
    s.rubble[AT["1406"]] = 2
    assert reach(s, [INDEX["us-2arm-cca"]])[AT["1406"]] == before + 2


@pytest.mark.rule("2.1a")
def test_2_1a_a_battery_takes_no_room(table):
    s = table.stand(table.empty(), "0419 ge-batteriest-marcouf")
    assert why_not_stack(s, 1, AT["0419"], [INDEX["ge-503schwpzabt"]]) is None
    table.stand(s, "0419 ge-654schwpzabt")
    assert why_not_stack(s, 1, AT["0419"], [INDEX["ge-503schwpzabt"]]).reason == "stacking-battalions"
