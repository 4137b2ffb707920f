"""Chapter 11: set-ups as printed, victory."""

import pytest

from grognard.games.normandie.rules import victory
from grognard.games.normandie.rules.definitions import counters_in, why_not_stack
from grognard.games.normandie.state import DESTROYED, FULL, REDUCED
from grognard.games.normandie.world import (
    AT,
    CODES,
    COUNTERS,
    DEPOT_INDEX,
    DEPOTS,
    HEXES,
    INDEX,
    IS_HQ,
    SCENARIOS,
    SIDE,
    STEPS,
    TOWNS,
    TRACK,
    distance,
)


def names_in(s, code):
    return {COUNTERS[u].id for u in counters_in(s, AT[code])}


@pytest.fixture(scope="module")
def cobra():
    from grognard.games.normandie.game import GAME

    return GAME.setup("cobra", {}, "set-up")


@pytest.fixture(scope="module")
def race():
    from grognard.games.normandie.game import GAME

    return GAME.setup("cherbourg", {}, "set-up")


@pytest.mark.rule("11.1-setup-us", "11.1-length", "11.1-rules")
def test_11_1_setup_us(race):
    assert names_in(race, "0619") == {"us-82-505", "us-4-8", "us-70tk", "us-746tk", "us-hq-vii"}
    assert names_in(race, "0620") == {"us-82-507", "us-82-508"}
    assert names_in(race, "0518") == {"us-4-12", "us-4-22", "us-899td"}
    assert {"us-101-501", "us-101-502", "us-101-506"} <= names_in(race, "0718")
    assert [race.disorder[INDEX[n]] for n in ("us-82-505", "us-82-507", "us-101-501")] == [0, 1, 1]
    assert race.offensive[AT["0619"]] == 1
    assert (race.turn, SCENARIOS["cherbourg"].last_turn) == (1, 4)


@pytest.mark.rule("11.1-setup-ger")
def test_11_1_setup_ger(race):
    assert names_in(race, "1218") == {"ge-hq-lxxxiv"}
    assert "ge-709-919" in names_in(race, "0519")
    east = [
        COUNTERS[u].id for u in range(len(COUNTERS)) if race.place[u] < HEXES and int(CODES[race.place[u]][2:]) < 17
    ]
    assert east == []
    assert "ge-garnisonutah" not in names_in(race, "0617")


@pytest.mark.rule("11.1-depot")
def test_11_1_depot_utah_is_open(race):
    assert race.depot[DEPOT_INDEX["utah"]] == FULL


@pytest.mark.rule("11.1-reinf-ger", "11.1-reinf-us", "11.1-rules")
def test_11_1_reinforcements_are_those_of_the_text(race):
    due = {COUNTERS[u].id for u in range(len(COUNTERS)) if race.place[u] == TRACK and race.due[u] < 99}
    german = {n for n in due if n.startswith("ge")}
    assert german == {"ge-77", "ge-353", "ge-265", "ge-17ss-37", "ge-17ss-38", "ge-17ss-15fj"}
    assert {n.split("-")[1] for n in due - german} == {"83", "9", "79", "hq"}
    assert all(1 <= race.due[INDEX[n]] <= 4 for n in due)


@pytest.mark.rule("11.2-setup-ger", "11.2-setup-us", "11.2-setup-uk", "11.2-length")
def test_11_2_setup_as_printed(cobra):
    assert names_in(cobra, "1021") == {"ge-91-1057", "ge-91-6fj", "ge-243-920"}
    assert names_in(cobra, "1217") == {"ge-275", "ge-lehr-ii-130"}
    assert names_in(cobra, "1016") == {"us-1-16", "us-1-18", "us-1-26", "us-745tk"}
    assert names_in(cobra, "1112") == {"uk-50-69", "uk-49-70", "uk-49-146", "uk-49-147", "uk-56infbrig"}
    assert names_in(cobra, "0806") == {"uk-6airb-3", "uk-6airb-5", "uk-6airb-6al", "uk-4ss", "uk-27armbrig-e"}
    lost = {n: STEPS[INDEX[n]] - cobra.steps[INDEX[n]] for n in ("ge-17ss-37", "ge-353", "ge-lehr-901", "ge-2pz-304")}
    assert lost == {"ge-17ss-37": 1, "ge-353": 1, "ge-lehr-901": 0, "ge-2pz-304": 1}
    assert (cobra.turn, cobra.weather, SCENARIOS["cobra"].last_turn) == (7, 0, 12)


@pytest.mark.rule("11.2-setup-ger", "11b")
def test_11_2_the_owner_picks_the_counter_of_a_division_printed_with_a_loss(table):
    s = table.game.setup("cobra", {}, "losses")
    assert (table.decision(s), s.waiting) == ("WeakenDivision", (1,))
    assert table.legal(s) == {f"weaken ge-21pz-{n}" for n in ("125", "192", "i-22", "ii-22")}
    assert table.why_not(s, "weaken ge-353") == "11.2-setup-ger"
    table.act(s, "weaken ge-21pz-192")
    assert table.legal(s) == {f"weaken ge-12ss-{n}" for n in ("25", "26", "i-12", "ii-12")}
    table.act(s, "weaken ge-12ss-25")
    assert table.decision(s) == "PlaceFreely"
    lost = {n: STEPS[u] - s.steps[u] for n, u in INDEX.items() if n.startswith(("ge-21pz", "ge-12ss")) and s.steps[u]}
    assert [n for n, steps in lost.items() if steps] == ["ge-21pz-192", "ge-12ss-25"]
    assert list(s.points) == [0, 0]


@pytest.mark.rule("11.2-setup-ger", "7.3.1e", "5.1a")
def test_11_2_one_printed_unit_has_no_headquarters_left_to_supply_it(cobra):
    from grognard.games.normandie.rules.supply import supplied_hqs, supplied_units

    short = []
    for side in (0, 1):
        fed = supplied_units(cobra, side)
        standing = [u for u in range(len(COUNTERS)) if SIDE[u] == side and cobra.place[u] < HEXES]
        assert all(u in supplied_hqs(cobra, side) for u in standing if IS_HQ[u])
        short += [COUNTERS[u].id for u in standing if not IS_HQ[u] and u not in fed]
    assert short == ["ge-91-6fj"]  # LXXXIV Korps already controls the equivalent of five divisions


@pytest.mark.rule("2.1a", "2.1d", "11.2-setup-uk")
def test_11_2_every_printed_stack_is_legal_and_in_command(cobra):
    for h in range(HEXES):
        for side in (0, 1):
            assert why_not_stack(cobra, side, h, ()) is None, CODES[h]
    hqs = [u for u in range(len(COUNTERS)) if IS_HQ[u] and cobra.place[u] < HEXES]
    for u in range(len(COUNTERS)):
        if cobra.place[u] < HEXES and not IS_HQ[u]:
            near = [q for q in hqs if SIDE[q] == SIDE[u] and COUNTERS[q].group == COUNTERS[u].group]
            assert min(distance(cobra.place[q], cobra.place[u]) for q in near) <= 4, COUNTERS[u].id


@pytest.mark.rule("11.2-setup-ger-free", "11.2-setup-79", "11.2-offensive", "11b")
def test_11_2_free_counters_and_markers(table):
    s = table.game.setup("cobra", {}, "free")
    table.act(s, "weaken ge-21pz-125")
    table.act(s, "weaken ge-12ss-25")
    assert s.waiting == (1,)
    assert all(int(a[-2:]) < 13 for a in table.legal(s))
    assert table.why_not(s, "place 1217") == "11.2-setup-ger-free"
    for n, code in (("ge-654schwpzabt", "1206"), ("ge-flak1", "1107"), ("ge-flak2", "1305"), ("ge-flak3", "1405")):
        table.act(s, f"place {n}>{code}")
    assert s.waiting == (0,)
    for n, code in (("uk-79arm-30", "0910"), ("uk-79arm-1ae", "0810"), ("uk-79arm-31f", "0711")):
        table.act(s, f"place {n}>{code}")
    assert s.free_markers == 2
    table.act(s, "marker us-hq-vii")
    table.act(s, "marker us-hq-vii")
    assert s.offensive[AT["1017"]] == 2
    assert s.free_markers == 0


@pytest.mark.rule("11.2-depots", "11.2-cities")
def test_11_2_depots_and_towns(cobra):
    open_now = {d.id for d in DEPOTS if cobra.depot[d.index] in (REDUCED, FULL)}
    assert len(open_now) == 15
    assert {"mulberry-a", "granville"} & open_now == set()
    d = DEPOT_INDEX["cherbourg"]
    assert (cobra.depot[d], cobra.depot_turn[d]) == (REDUCED, 8)
    assert {CODES[h] for h in TOWNS if cobra.control[h] == 1} == {"0223", "0222", "0818", "0812", "0908"}


@pytest.mark.rule("11d", "7.2a")
def test_11d_german_depots_stand_in_their_boxes(cobra, race):
    assert {CODES[p] for p in range(len(CODES)) if cobra.german_depot[p]} == {
        "brest", "rennes", "lemans", "paris", "pasdecalais"
    }  # fmt: skip
    assert [cobra.german_depot[AT[b]] - 1 for b in ("lemans", "paris")] == [2, 4]
    assert race.german_depot[AT["0223"]]


# --- victory ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("11.1-vic-us")
def test_11_1_vic_us_by_the_turn_in_which_cherbourg_falls(table):
    for turn, level in ((2, "strategic"), (3, "operational"), (4, "marginal")):
        s = table.stand(table.empty("cherbourg", turn), "0223 us-4-8; 0222 us-4-12")
        victory.judge_turn(s)
        assert table.game.result(s)[:2] == (0, level)
    s = table.stand(table.empty("cherbourg", 2), "0223 us-4-8; 0222 ge-353")
    victory.judge_turn(s)
    assert table.game.result(s) is None


@pytest.mark.rule("11.1-vic-ger-strat")
def test_11_1_vic_ger_strat_utah_lost(table):
    s = table.stand(table.empty("cherbourg", 2), "0617 ge-353")
    victory.judge_turn(s)
    assert table.game.result(s) is None
    s.depot[DEPOT_INDEX["utah"]] = DESTROYED
    victory.judge_turn(s)
    assert table.game.result(s)[:2] == (1, "strategic")


@pytest.mark.rule("11.1-vic-ger-op", "11.1-vic-ger-marg", "11.1-length")
def test_11_1_vic_ger_at_the_end(table):
    s = table.stand(table.empty("cherbourg", 4), "0223 ge-709-739; 1721 ge-17ss-37; 1820 ge-353")
    victory.end_game(s)
    assert table.game.result(s)[:2] == (1, "operational")
    s = table.stand(table.empty("cherbourg", 4), "0223 ge-709-739; 1721 ge-77; 1820 ge-353")
    victory.end_game(s)
    assert table.game.result(s)[:2] == (1, "marginal")
    s = table.stand(table.empty("cherbourg", 4), "0223 us-4-8; 0222 ge-353")
    victory.end_game(s)
    assert table.game.result(s)[0] is None


@pytest.mark.rule("11.3-vp-ger-turn", "11.3-vp-airborne", "11.3-levels")
def test_11_3_each_turn_is_worth_twenty_and_airborne_kept_cost_one(table):
    s = table.stand(table.empty("cobra", 7), "1306 us-82-505 us-82-507; 1305 uk-6airb-3; 1205 us-2ranger")
    victory.score_turn(s)
    assert list(s.points) == [-3, 20]
    for turn, points in ((5, [0, 20]), (6, [-1, 20])):
        s = table.stand(table.empty("cobra", turn), "1306 us-82-505")
        victory.score_turn(s)
        assert list(s.points) == points


@pytest.mark.rule("11.3-vp-town", "11.3-vp-depot", "11.3-vp-paris", "11.3-vp-siege", "6.13c", "11.2-victory")
def test_11_3_what_is_counted_at_the_end(table):
    s = table.empty("cobra", 12)
    victory.score_end(s)
    assert list(s.points) == [0, 45]  # fifteen towns
    s = table.depots(table.empty("cobra", 12), "utah")
    s.control[AT["1506"]] = 1
    victory.score_end(s)
    assert list(s.points) == [3 + 6, 42]
    s = table.stand(table.empty("cobra", 12), "paris us-4-8 us-4-12; f-paris ge-festung-paris")
    s.control[AT["paris"]] = 1
    victory.score_end(s)
    assert s.points[0] == 10 + 3
    victory.end_game(s)
    assert table.game.result(s) is not None


@pytest.mark.rule("11.3-vp-depot")
def test_11_3_vp_depot_utah_is_worth_six_out_of_enemy_zones(table):
    s = table.depots(table.empty(), "utah")
    d = DEPOT_INDEX["utah"]
    assert victory.depot_points(s, d) == 6
    table.stand(s, "0618 ge-353")
    assert victory.depot_points(s, d) == 0


@pytest.mark.rule("11.3-auto-allied-1", "11.3-auto-allied-2", "11.3-auto-allied-3", "11.3-auto-german")
def test_11_3_automatic_victories(table):
    names = ["353", "276", "277", "271", "272", "326", "363", "84", "85", "89", "331"]

    def many(count=10):
        s = table.empty("cobra", 9)
        for n, name in enumerate(names[:count]):
            table.stand(s, f"1{n % 9 + 0:01d}0{n % 5 + 1} ge-{name}")
        return table.stand(
            s, "f-brest ge-festung-brest; f-lorient ge-festung-lorient; f-stnazaire ge-festung-stnazaire"
        )

    s = many()
    victory.judge_campaign(s)
    assert table.game.result(s) is None
    s = many(9)
    victory.judge_campaign(s)
    assert table.game.result(s).rule == "11.3-auto-allied-2"
    s = many()
    s.beaches_lost = 4
    victory.judge_campaign(s)
    assert table.game.result(s)[:1] == (1,)
    s = many()
    s.control[AT["paris"]] = s.control[AT["0223"]] = s.control[AT["0222"]] = 1
    victory.judge_campaign(s)
    assert table.game.result(s) is None
    s.control[AT["pasdecalais"]] = 1
    victory.judge_campaign(s)
    assert table.game.result(s).rule == "11.3-auto-allied-3"
    s = many()
    s.control[AT["paris"]] = s.control[AT["0223"]] = s.control[AT["0222"]] = 1
    table.stand(s, "gone ge-festung-brest ge-festung-lorient")
    for missing in ("paris", "0222"):  # both are needed, and both hexes of Cherbourg
        s.control[AT[missing]] = 2
        victory.judge_campaign(s)
        assert table.game.result(s) is None
        s.control[AT[missing]] = 1
    victory.judge_campaign(s)
    assert table.game.result(s).rule == "11.3-auto-allied-1"


@pytest.mark.rule("11.3-vp-ger-town")
def test_11_3_vp_ger_town_each_town_retaken(table):
    from grognard.games.normandie.rules.losses import occupy

    s = table.empty()
    s.control[AT["1506"]] = 1
    occupy(s, 1, AT["1506"])
    assert s.points[1] == 3
    occupy(s, 1, AT["1713"])
    assert s.points[1] == 3


@pytest.mark.rule("11.3-vp-festung")
def test_11_3_vp_festung(table):
    from grognard.games.normandie.rules.losses import lose_steps

    s = table.stand(table.empty(), "f-brest ge-festung-brest")
    lose_steps(s, INDEX["ge-festung-brest"], 1, "test")
    assert s.points[0] == 6  # five, and the step


@pytest.mark.rule("7.2b", "11.3-vp-gerdepot")
def test_7_2b_the_german_depot_of_cherbourg_goes_with_the_port(table):
    from grognard.games.normandie.rules.losses import occupy

    s = table.empty("campaign", 4)
    s.german_depot[AT["0223"]] = 2
    occupy(s, 0, AT["0223"])
    assert s.german_depot[AT["0223"]] == 0
    assert s.points[0] == 5
    occupy(s, 1, AT["0223"])
    assert s.german_depot[AT["0223"]]
