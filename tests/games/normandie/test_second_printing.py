"""What careful readers found wrong: each point played once as the book has it."""

import pytest

from grognard.games.normandie.frames import Combat, DDay
from grognard.games.normandie.odds.law import law_of
from grognard.games.normandie.rules import bombardment, dday, logistics, offmap, supply
from grognard.games.normandie.rules.administration import doors
from grognard.games.normandie.rules.air import set_ships
from grognard.games.normandie.rules.combat import reckon, why_not_attack, why_not_target
from grognard.games.normandie.rules.combat_choices import CountCover, DefenceSupport
from grognard.games.normandie.rules.losses import lose_steps
from grognard.games.normandie.rules.movement_choices import why_not_land
from grognard.games.normandie.state import FULL, STRATEGIC_BOX
from grognard.games.normandie.world import AIR, AT, CODES, DEPOT_HEX, DEPOT_INDEX, DEPOTS, HEXES, INDEX, LAND, MB

PARIS, RENNES, PORT = AT["paris"], AT["rennes"], AT["0223"]


def shifts(s, c):
    """The rules that shift the column of a combat to the left."""
    return [line.rule for line in reckon(s, c).left]


# --- drops and assaults from the sea --------------------------------------------------------------------------------


@pytest.mark.rule("10-O.1g")
def test_10_o_1g_a_drop_on_the_enemy_suffers_from_nothing_but_the_jump(table):
    s = table.stand(table.empty("campaign", 0), "1213 us-82-505:1 ge-353; 1113 ge-hq-lxxxiv")
    s.phase = "O"
    c = Combat(kind="drop", side=0, target=AT["1213"], attackers=(INDEX["us-82-505"],))
    assert shifts(s, c) == ["6.5l"]
    assert not CountCover().needed(s, c, 1)
    assert not DefenceSupport().needed(s, c, 1)
    c.kind = "attack"
    assert shifts(s, c) == ["2.2a", "6.5l"]
    assert CountCover().needed(s, c, 1)
    assert DefenceSupport().needed(s, c, 1)


@pytest.mark.rule("10-A.1f", "10-A.1g")
@pytest.mark.parametrize(("value", "rules"), [("off", ["10-A.1f"]), ("on", ["2.2a", "10-A.1f"])])
def test_10_a_1f_from_the_sea_the_beach_counts_and_the_hex_by_option(table, value, rules):
    s = table.stand(table.empty("campaign", 0, {"beach-terrain": value}), "1213 us-4-8 ge-353")
    c = Combat(kind="assault", side=0, target=AT["1213"], attackers=(INDEX["us-4-8"],), sea=1)
    assert shifts(s, c) == rules
    assert CountCover().needed(s, c, 1) == (value == "on")
    c.sea = 0
    assert shifts(s, c) == ["2.2a"]


@pytest.mark.rule("7.1.2b", "10-A.1d")
def test_10_a_1d_an_empty_beach_is_held_by_those_who_land_on_it_and_not_by_a_headquarters(table):
    beach = AT["0617"]
    for name, holder in (("us-4-8", 1), ("us-hq-vii", 2)):
        s = table.stand(table.empty("campaign", 0), f"reserve {name}")
        s.due_at[INDEX[name]] = beach
        c = DDay(wave="B", beaches=(beach,))
        dday.land_next(s, c)
        assert (s.place[INDEX[name]], s.control[beach]) == (beach, holder)
        assert not s.confusion[beach]
    s = table.stand(table.empty("campaign", 0), "reserve us-4-8; 0617 ge-709-919")
    s.due_at[INDEX["us-4-8"]] = beach
    dday.land_next(s, DDay(wave="B", beaches=(beach,)))
    assert (s.control[beach], s.confusion[beach]) == (2, 1)


# --- overruns and Confusion -----------------------------------------------------------------------------------------


@pytest.mark.rule("4.3g", "6.1b")
def test_4_3g_a_stack_that_withstood_an_overrun_may_still_be_attacked(table):
    s = table.stand(table.empty(), "1218 us-2arm-cca us-hq-vii; 1318 ge-353")
    table.attack(s, None, "1318", "us-2arm-cca", kind="overrun", dice=[1])
    assert why_not_target(s, 0, AT["1318"]) is None
    s = table.stand(table.empty(), "1218 us-2arm-cca us-hq-vii; 1318 ge-353")
    table.attack(s, "us-hq-vii", "1318", "us-2arm-cca", dice=[1])
    assert why_not_target(s, 0, AT["1318"]).rule == "6.1b"


@pytest.mark.rule("6.11e")
def test_6_11e_in_confusion_one_fights_in_the_hex_and_nowhere_else(table):
    s = table.stand(table.empty(), "1218 us-4-8 ge-91-1058/1; 1217 us-4-12; 1118 ge-77")
    s.confusion[AT["1218"]] = 1
    here, beside = Combat(side=0, target=AT["1218"]), Combat(side=0, target=AT["1118"])
    assert why_not_attack(s, here, INDEX["us-4-8"]) is None
    assert why_not_attack(s, here, INDEX["us-4-12"]) is None
    assert why_not_attack(s, beside, INDEX["us-4-8"]).rule == "6.1a"
    table.attack(s, None, "1218", "us-4-8", "us-4-12", dice=[6])
    while s.waiting:
        table.act(s, sorted(table.legal(s), key=lambda action: (action != "halt", action))[0])
    assert not s.confusion[AT["1218"]]


@pytest.mark.rule("6.12e")
@pytest.mark.parametrize(("die", "leaves"), [(1, True), (2, False)])
def test_6_12e_a_natural_one_leaves_a_confusion_whatever_the_odds(table, die, leaves):
    s = table.stand(table.empty(), "lemans us-2db-gtd us-2db-gtl us-2db-gtv ge-91-1058/1")
    for a, (kind, _, _) in enumerate(AIR):
        if kind == MB:
            s.air[a], s.air_at[a] = STRATEGIC_BOX, AT["lemans"]
    offmap.settle_boxes(s)
    table.player(s, 1)
    table.act(s, "travel ge-91-1058>paris", dice=[die])
    assert (table.at(s, "ge-91-1058") == "paris") is leaves


# --- bombardment ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("0.1.2k")
def test_0_1_2k_any_garrison_in_the_hex_makes_it_hard_to_hit(table):
    garrison = INDEX["ge-garnisonbarfleur"]
    division = INDEX["ge-353"]
    for victims, rules in (([garrison], ["0.1.2k"]), ([garrison, division], ["0.1.2k"]), ([division], [])):
        assert [line.rule for line in bombardment.aiming_lines(AT["1306"], victims)] == rules


@pytest.mark.rule("6.5i")
def test_odds_after_a_deadly_bombardment_throw_no_die_at_an_empty_hex(table):
    s = table.stand(table.empty(), "0519 us-4-8; 0419 ge-709-919/1:2")
    s.affected[INDEX["ge-709-919"]] = 2

    def fire(twin):
        lose_steps(twin, INDEX["ge-709-919"], 1, "6.2g")

    law = law_of(s, table.combat(s, "0419", "us-4-8"), fire)
    assert [(row["die"], row["column"], row["eliminated"], row["chance"]) for row in law["law"]] == [(0, "", 1, "1")]
    assert law["chances"]["attacker_loses_a_step"]["chance"] == "0"


@pytest.mark.rule("6.5i")
def test_odds_of_an_attack_whose_attackers_die_under_the_bombs(table):
    s = table.stand(table.empty(), "0519 us-4-8; 0419 ge-709-919/1")

    def fire(twin):
        lose_steps(twin, INDEX["ge-709-919"], 1, "6.2g")

    (row,) = law_of(s, table.combat(s, "0519", "ge-709-919"), fire)["law"]
    assert (row["die"], row["eliminated"], row["attacker_steps"]) == (0, 0, 1)


# --- depots and supply ----------------------------------------------------------------------------------------------


@pytest.mark.rule("7.2c", "0.1.2m")
def test_7_2c_festungs_nested_in_rennes_do_not_keep_its_depot(table):
    s = table.stand(table.empty(), "rennes us-4-8; f-stnazaire ge-festung-stnazaire; f-lorient ge-festung-lorient")
    offmap.settle_boxes(s)
    assert (s.german_depot[RENNES], s.points[0]) == (0, 5)


@pytest.mark.rule("7.2e")
def test_7_2e_paris_keeps_its_depot_until_its_festung_falls(table):
    s = table.stand(table.empty(), "paris us-4-8; f-paris ge-festung-paris")
    offmap.settle_boxes(s)
    assert s.german_depot[PARIS]
    table.stand(s, "gone ge-festung-paris")
    offmap.settle_boxes(s)
    assert not s.german_depot[PARIS]


@pytest.mark.rule("7.2f")
def test_7_2f_a_depot_shut_up_in_its_festung_serves_it_alone(table):
    s = table.stand(table.empty(), "paris us-4-8; f-paris ge-festung-paris; rest ge-353")
    for box in ("rennes", "lemans", "pasdecalais", "brest"):
        s.german_depot[AT[box]] = 0
    s.resting[INDEX["ge-353"]] = 2
    free = s.copy()
    free.place[INDEX["us-4-8"]] = AT["gone"]
    offmap.settle_boxes(s)
    assert (logistics.marker_room(s, PARIS), supply.supplied_boxes(s)) == (0, set())
    assert PARIS not in doors(s, 1)
    assert logistics.marker_room(free, PARIS) == 4
    assert len(supply.supplied_boxes(free)) > 5
    assert PARIS in doors(free, 1)


@pytest.mark.rule("0.1.2m", "0.1.2o")
def test_0_1_2m_when_a_festung_falls_the_men_inside_are_in_the_box_around_it(table):
    s = table.stand(table.empty(), "f-brest ge-festung-brest ge-353; brest us-4-8")
    lose_steps(s, INDEX["ge-festung-brest"], 9, "6.4b")
    assert (table.at(s, "ge-353"), table.at(s, "ge-festung-brest")) == ("brest", "gone")
    assert "festung-fallen" in table.kinds(s)
    offmap.settle_boxes(s)
    assert s.confusion[AT["brest"]]


@pytest.mark.rule("1.1.1.2f")
@pytest.mark.parametrize("scenario", ["cherbourg", "campaign"])
def test_1_1_1_2f_new_german_markers_may_go_to_cherbourg(table, scenario):
    s = table.empty(scenario, 2)
    s.german_depot[PORT] = 2
    assert PORT in logistics.StoreMarkers().places(s)
    s.offensive[PORT] = 2
    assert PORT not in logistics.StoreMarkers().places(s)
    s.offensive[PORT], s.control[PORT] = 0, 1
    assert PORT not in logistics.StoreMarkers().places(s)


@pytest.mark.rule("1.1.1.3i", "2.1a")
def test_1_1_1_3i_rebuilt_germans_may_return_to_cherbourg_if_it_can_hold_them(table):
    s = table.stand(table.empty(), "rest ge-353; 1318 ge-77")
    s.german_depot[PORT], s.resting[INDEX["ge-353"]] = 2, 2
    assert PORT in doors(s, 1)
    table.at_row(s, "1.1.1.3g")
    assert table.why_not(s, "return ge-353>0223") is None
    table.stand(s, "0223 ge-77 ge-243-920")
    assert table.why_not(s, "return ge-353>0223") == "2.1a"


@pytest.mark.rule("7.3.2a")
def test_7_3_2a_a_headquarters_is_fed_by_any_depot_of_its_side(table):
    s = table.depots(table.stand(table.empty(), "0711 uk-3-8; 0909 us-hq-v"), "gold")
    assert INDEX["us-hq-v"] in supply.supplied_hqs(s, 0)
    s.depot[DEPOT_INDEX["gold"]] = 0
    assert INDEX["us-hq-v"] not in supply.supplied_hqs(s, 0)


@pytest.mark.rule("1.1.1.2g", "4.1.2j")
def test_a39_a_marker_goes_two_boxes_with_a_die_for_each(table):
    s = table.stand(table.empty(), "angers ge-hq-xxv")
    s.offensive[PARIS] = 1
    assert logistics.box_routes(s, PARIS) == {INDEX["ge-hq-xxv"]: (PARIS, AT["orleans"])}
    for dice, place in (((1, 1), "angers"), ((1, 6), "orleans"), ((6,), "paris")):
        twin = s.copy()
        twin.loaded = dice
        logistics.move_marker(twin, 1, PARIS, INDEX["ge-hq-xxv"])
        assert [CODES[p] for p, n in enumerate(twin.offensive) if n] == [place]
    s.control[AT["orleans"]] = s.control[AT["lemans"]] = 1
    assert logistics.box_routes(s, PARIS) == {}


# --- scenario 1 -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("11.1-reinf-us", "11.1-map")
def test_11_1_americans_land_at_utah_and_nowhere_else(table):
    s = table.game.setup("cherbourg", {}, "a")
    assert {DEPOTS[d].id for d, status in enumerate(s.depot) if status} == {"utah"}
    for d in range(len(DEPOTS)):
        s.depot[d] = FULL
        s.control[DEPOT_HEX[d]] = 1
    table.stand(s, "reserve us-9-39; gone us-101-501 us-4-8 us-4-12")
    open_to = [DEPOTS[d].id for d in range(len(DEPOTS)) if why_not_land(s, INDEX["us-9-39"], d) is None]
    assert open_to == ["utah"]
    assert why_not_land(s, INDEX["us-9-39"], DEPOT_INDEX["st-vaast"]).rule == "11.1-reinf-us"


@pytest.mark.rule("11.1-setup-ger")
def test_11_1_carentan_starts_german(table):
    assert table.game.setup("cherbourg", {}, "a").control[AT["0818"]] == 2


@pytest.mark.rule("11.3b")
@pytest.mark.parametrize(("value", "turn", "hungry"), [("on", 1, 0), ("off", 1, 1), ("on", 2, 1)])
def test_11_3b_scenario_1_has_the_free_supply_of_turn_1_by_option(table, value, turn, hungry):
    s = table.stand(table.empty("cherbourg", turn, {"first-supply": value}), "0619 us-hq-vii; 0519 us-4-8")
    supply.check_supply(s, DDay())
    assert [s.unsupplied[INDEX[n]] for n in ("us-hq-vii", "us-4-8")] == [hungry, hungry]


@pytest.mark.rule("11.1-naval", "1.1.4b")
@pytest.mark.parametrize(("value", "storm", "left"), [("turn", 0, [0, 1]), ("turn", 1, [1, 2]), ("phase", 0, [1, 2])])
def test_11_1_naval_points_come_once_a_turn(table, value, storm, left):
    s = table.empty("cherbourg", 2, {"naval-points": value})
    set_ships(s)
    assert list(s.ships) == [1, 2, 0, 0]
    s.ships[0], s.ships[1] = 0, 1
    s.phase, s.storm = "B", storm
    set_ships(s)
    assert list(s.ships)[:2] == left
    s.phase, s.turn, s.storm = "A", 3, 0
    set_ships(s)
    assert list(s.ships) == [1, 2, 0, 0]


@pytest.mark.rule("1.1.4b")
def test_1_1_4b_elsewhere_ships_are_restored_each_phase(table):
    s = table.empty("cobra", 7)
    s.phase = "B"
    set_ships(s)
    assert any(s.ships)


# --- mutants that lived ---------------------------------------------------------------------------------------------


@pytest.mark.rule("11.3-vp-siege", "6.13c")
def test_11_3_each_siege_at_the_end_is_worth_three_points_to_the_allies(table):
    from grognard.games.normandie.rules.victory import score_end

    s = table.empty()
    score_end(s)
    allied, german = s.points
    s = table.stand(table.empty(), "f-lorient ge-festung-lorient; f-stnazaire ge-festung-stnazaire")
    table.stand(s, "rennes us-4-8 us-4-12 us-4-22 us-9-39 us-9-47")
    score_end(s)
    assert (s.points[0] - allied, s.points[1] - german) == (6, 0)


@pytest.mark.rule("11.2-setup-79")
def test_11_2_the_79th_armoured_goes_to_any_allied_hex_and_no_german_one(table):
    s = table.game.setup("cobra", {}, "a")
    while table.decision(s) != "PlaceFreely" or s.waiting[0] != 0:
        table.act(s, sorted(table.legal(s))[0])
    names = set()
    while table.decision(s) == "PlaceFreely":
        legal = table.legal(s)
        goals = {AT[action[-4:]] for action in legal}
        assert all(s.control[h] == 1 for h in goals)
        assert {CODES[h][2:] for h in goals} >= {"08", "15", "18"}  # east and west alike
        first = sorted(legal)[0]
        german = next(h for h in range(HEXES) if s.control[h] == 2 and LAND[h])
        sea = next(h for h in range(HEXES) if not LAND[h])
        for closed in (german, sea):
            assert table.why_not(s, first[:-4] + CODES[closed]) == "11b"
        table.act(s, first)
        names |= {n for n in ("uk-79arm-30", "uk-79arm-1ae", "uk-79arm-31f") if s.place[INDEX[n]] < 600}
    assert names == {"uk-79arm-30", "uk-79arm-1ae", "uk-79arm-31f"}
