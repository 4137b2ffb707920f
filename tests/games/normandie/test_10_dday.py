"""Chapter 10: D-Day."""

import pytest

from grognard.games.normandie.frames import Combat, DDay, Shelling, Sortie
from grognard.games.normandie.rules import dday
from grognard.games.normandie.rules.bombardment import bombers_of, guns_on, spend_bombers
from grognard.games.normandie.rules.combat import reckon, why_not_fly
from grognard.games.normandie.rules.movement_choices import why_not_land
from grognard.games.normandie.rules.retreat_choices import ways_back
from grognard.games.normandie.sequence import DDAY
from grognard.games.normandie.setup import set_up
from grognard.games.normandie.state import AVAILABLE, FULL
from grognard.games.normandie.world import (
    AIR,
    AMERICAN,
    AT,
    CODES,
    COUNTERS,
    DEPOT_INDEX,
    HB,
    INDEX,
    RESERVE,
    SIDE,
)


def at_row(table, s, label, **more):
    frame = DDay(**more)
    frame.row = next(i for i, row in enumerate(DDAY.rows) if row.label == label)
    s.frames = [frame]
    return table.run(s)


@pytest.mark.rule("10a")
def test_10a_night_morning_afternoon_in_order():
    order = [row.label for row in DDAY.rows]
    wanted = ["10-O.1b", "10-O.1j", "10-O.2a", "10-A.1a", "10-A.1c", "10-A.1d", "10-A.1m", "10-A.2a", "10-A.2b"]
    wanted += ["10-B.1a", "10-B.1b", "10-B.2a", "10-B.3a", "10-B.3b"]
    places = [order.index(label) for label in wanted]
    assert places == sorted(places)


# --- drops ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("10-O.1c", "10-O.1d", "10-O.1e", "10-O.1f")
def test_10_o_1_the_zone_up_to_five_the_next_hex_from_six_never_sea_or_town():
    zone = AT["0619"]
    assert dday.landing_hex(zone, 5, 3) == zone
    assert CODES[dday.landing_hex(zone, 6, 1)] == "0518"
    assert CODES[dday.landing_hex(zone, 8, 5)] == "0620"
    caen = AT["0907"]
    assert CODES[dday.landing_hex(caen, 7, 5)] == "0907"  # Caen lies to the west
    beach = AT["0806"]
    sea = [d for d in range(1, 7) if CODES[dday.landing_hex(beach, 6, d)] == "0806"]
    assert sea  # the sea lies to the north
    assert dday.jump_modifier(INDEX["us-82-505"], False) == 2
    assert dday.jump_modifier(INDEX["uk-6airb-3"], False) == 1
    assert dday.jump_modifier(INDEX["uk-6airb-6al"], True) == -1


def drop(table, name, coloured, white, german=""):
    s = table.stand(table.empty("campaign", 0), german or "1506 ge-353")
    s.phase, s.loaded = "O", (coloured, white)
    c = DDay(wave="O", queue=(INDEX[name],))
    dday.drop_next(s, c)
    return s, c


@pytest.mark.rule("10-O.1b", "10-O.1c", "10-O.1e", "0b", "2.2e")
def test_10_o_1e_scattered_units_suffer_by_the_coloured_die(table):
    s, _ = drop(table, "us-82-505", 3, 4)
    assert (table.at(s, "us-82-505"), s.disorder[INDEX["us-82-505"]]) == ("0619", 0)
    assert s.unlinked[INDEX["us-82-505"]]
    s, _ = drop(table, "us-82-505", 4, 1)  # six
    assert (table.at(s, "us-82-505"), s.disorder[INDEX["us-82-505"]]) == ("0518", 1)
    s, _ = drop(table, "us-82-505", 5, 1)  # seven
    assert s.disorder[INDEX["us-82-505"]] == 2
    s, _ = drop(table, "us-82-505", 6, 1)  # eight
    assert (s.steps[INDEX["us-82-505"]], s.disorder[INDEX["us-82-505"]]) == (1, 1)
    dice = next(e for e in s.events if e.kind == "dropped").data
    assert (dice["coloured"], dice["white"]) == (6, 1)


@pytest.mark.rule("10-O.1g", "10-O.1i", "6.11a")
def test_10_o_1g_who_comes_down_on_germans_fights_at_once_and_may_end_in_confusion(table):
    s, c = drop(table, "us-82-505", 3, 1, "0619 ge-353")
    assert dday.must_fight(s, c)
    fight = dday.melee(s, c)
    assert (fight.kind, fight.attackers, CODES[fight.target]) == ("drop", (INDEX["us-82-505"],), "0619")
    s.frames = [fight]
    s.loaded = (3,)
    table.run(s)
    while s.waiting:
        table.act(s, sorted(table.legal(s))[0], dice=[3])
    assert s.confusion[AT["0619"]]
    s, c = drop(table, "us-82-505", 3, 1)
    assert not dday.must_fight(s, c)


@pytest.mark.rule("10-O.1h")
def test_10_o_1h_a_retreat_from_a_drop_goes_anywhere(table):
    s = table.stand(table.empty("campaign", 0), "0619 ge-91-1058 us-82-505; 0718 us-101-501")
    c = Combat(kind="drop", side=0, target=AT["0619"], attackers=(INDEX["us-82-505"],), retreat=1)
    free = {CODES[h] for h in ways_back(s, c, INDEX["ge-91-1058"])}
    assert {"0618", "0719"} <= free  # even under the guns of 0718
    c.kind = "attack"
    assert "0618" not in {CODES[h] for h in ways_back(s, c, INDEX["ge-91-1058"])}


def sortie(table, s, side, who, reach):
    s.frames = [Sortie(side=side, who=who, reach=reach)]
    return table.run(s)


@pytest.mark.rule("10-O.1j", "10c")
def test_10_o_1j_paratroops_move_one_hex_and_attack_without_headquarters(table):
    s = table.stand(
        table.empty("campaign", 0), "0619 us-82-505; 0618 us-101-502 ge-709-919; 0421 ge-91-1058; 0617 us-4-8"
    )
    s.confusion[AT["0618"]] = 1
    s.phase = "O"
    sortie(table, s, 0, "para", "one")
    assert "move us-82-505" in table.legal(s)
    assert "move us-101-502" not in table.legal(s)  # in a melee
    assert "move us-4-8" not in table.legal(s)
    table.act(s, "move us-82-505")
    assert {"to 0519", "to 0518"} <= table.legal(s)
    assert table.why_not(s, "to 0420") is not None  # two hexes
    table.act(s, "to 0519")
    while table.decision(s) == "SortieMove":
        table.act(s, "done")
    assert "attack 0618" in table.legal(s)  # the melee goes on


@pytest.mark.rule("10-O.2a")
def test_10_o_2a_germans_in_contact_reinforce_a_melee_or_attack(table):
    s = table.stand(
        table.empty("campaign", 0), "0619 us-82-505 ge-709-919; 0620 ge-91-1058; 0721 ge-91-1057; 0519 ge-709-729"
    )
    s.confusion[AT["0619"]] = 1
    s.phase = "O"
    sortie(table, s, 1, "contact", "confusion")
    assert table.legal(s) == {"move ge-91-1058", "move ge-709-729", "done"}
    table.act(s, "move ge-91-1058")
    assert table.legal(s) == {"to 0619", "stay"}
    table.act(s, "to 0619")
    assert table.at(s, "ge-91-1058") == "0619"
    table.act(s, "done")
    assert "attack 0619" in table.legal(s)


# --- the morning ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("10-A.1a", "10-A.1c", "9.4f")
def test_10_a_1c_beaches_and_batteries_are_bombarded_first_and_carpets_are_free(table):
    s = table.stand(table.empty("campaign", 0), "0713 ge-garnisonomahae; 0615 ge-batteriepointeduhoc; 0812 ge-352-915")
    s.ships[:] = bytearray([4, 6, 5, 6])
    for a, (kind, _, _) in enumerate(AIR):
        if kind == HB:
            s.air[a] = AVAILABLE
    s.air_assigned = 1
    at_row(table, s, "10-A.1c", wave="O")
    assert table.why_not(s, "ships 0713:4+6") is None
    assert table.why_not(s, "ships 0713:5+6") == "6.2c"
    assert table.why_not(s, "ships 0812:1+0") == "10-A.1c"  # neither beach nor battery
    table.act(s, "bombers 0713:0+0+1", dice=[6])
    table.act(s, "bombers 0615:0+0+1", dice=[6])  # a second carpet of the same group
    assert s.points[0] == 0
    assert s.affected[INDEX["ge-garnisonomahae"]] == 1
    table.act(s, "ships 0713:4+0", dice=[6])
    assert table.why_not(s, "ships 0713:0+1") == "6.2b"
    assert list(s.ships[:2]) == [0, 6]
    s.turn = 1
    spend_bombers(s, AMERICAN, 0, 0, 1, [AT["0713"]])
    assert s.points[0] == -2
    assert bombers_of(s, AMERICAN)[2] == 0


@pytest.mark.rule("10-A.1d", "10-A.1e", "10-A.1h", "6.11a")
def test_10_a_1d_the_first_wave_lands_on_its_beaches_with_swimming_tanks(table):
    s = table.game.setup("campaign", {}, "dday")
    c = DDay(wave="A1")
    dday.first_wave(s, c)
    assert {CODES[h] for h in c.beaches} == {"0617", "0615", "0714", "0713", "0710", "0709", "0708", "0807"}
    c.beaches = (AT["0617"],)
    s.frames = []
    s.loaded = (2,)
    dday.land_next(s, c)  # 70th Tank: two: lost
    assert table.at(s, "us-70tk") == "cadre"
    assert table.at(s, "us-4-8") == "0617"
    assert s.confusion[AT["0617"]]
    c.beaches = (AT["0710"],)
    s.loaded = (2,)
    dday.land_next(s, c)  # at Gold two is three: safe
    assert table.at(s, "uk-8armbrig") == "0710"


@pytest.mark.rule("10-A.1f", "10-A.1g")
def test_10_a_1f_from_the_sea_a_column_less_but_not_for_rangers(table):
    s = table.stand(table.empty("campaign", 0), "0617 us-4-8 us-2ranger ge-garnisonutah")
    c = Combat(kind="assault", side=0, target=AT["0617"], attackers=(INDEX["us-4-8"],), sea=1)
    assert "10-A.1f" in [line.rule for line in reckon(s, c).left]
    c.attackers = (INDEX["us-2ranger"],)
    assert "10-A.1f" not in [line.rule for line in reckon(s, c).left]


@pytest.mark.rule("10-A.1b")
def test_10_a_1b_no_tactical_support_over_the_beaches(table):
    s = table.stand(table.empty("campaign", 0), "0617 us-4-8 ge-garnisonutah")
    for a in range(len(AIR)):
        s.air[a] = AVAILABLE
    c = Combat(kind="assault", side=0, target=AT["0617"], attackers=(INDEX["us-4-8"],), sea=1)
    assert why_not_fly(s, c).rule == "10-A.1b"
    c.sea = 0
    assert why_not_fly(s, c) is None


@pytest.mark.rule("10-A.1i")
def test_10_a_1i_the_79th_lends_its_weight_to_every_british_beach(table):
    s = table.stand(
        table.empty("campaign", 0), "reserve uk-79arm-30 uk-79arm-1ae uk-79arm-31f; 0710 uk-50-69 ge-garnisongold"
    )
    table.depots(s, "juno-west")
    c = DDay(wave="A1", here=AT["0710"], landed=(INDEX["uk-50-69"],))
    assert dday.melee(s, c).extra == 6
    table.stand(s, "0617 us-4-8 ge-garnisonutah")
    c.here, c.landed = AT["0617"], (INDEX["us-4-8"],)
    assert dday.melee(s, c).extra == 0
    assert why_not_land(s, INDEX["uk-79arm-30"], DEPOT_INDEX["juno-west"]).rule == "10-A.1i"
    table.stand(s, "gone ge-garnisongold")
    assert why_not_land(s, INDEX["uk-79arm-30"], DEPOT_INDEX["juno-west"]) is None


@pytest.mark.rule("10-A.1l", "10-A.1m")
def test_10_a_1l_a_die_sends_the_fifth_rangers(table):
    for die, code in ((3, "0615"), (4, "0714")):
        s = table.game.setup("campaign", {}, "dday")
        s.loaded = (die,)
        c = DDay()
        dday.second_wave(s, c)
        assert CODES[s.due_at[INDEX["us-5ranger"]]] == code
        assert AT[code] in c.beaches


@pytest.mark.rule("10-A.1n")
def test_10_a_1n_commandos_choose_and_two_hexes_are_theirs_alone(table):
    s = table.stand(table.empty("campaign", 0), "reserve uk-1ss uk-4ss; 1506 ge-353")
    s.due_at[INDEX["uk-1ss"]] = s.due_at[INDEX["uk-4ss"]] = RESERVE
    at_row(table, s, "10-A.1n", wave="A2", unit=INDEX["uk-1ss"])
    assert {"come-in 0712", "come-in 0808", "come-in 0711"} <= table.legal(s)
    assert table.why_not(s, "come-in uk-1ss>0617") == "10-A.1n"
    assert dday.may_land_on(INDEX["uk-1ss"], AT["0808"])
    assert not dday.may_land_on(INDEX["uk-3-8"], AT["0808"])
    assert not dday.may_land_on(INDEX["uk-3-8"], AT["0712"])
    assert dday.may_land_on(INDEX["uk-3-8"], AT["0807"])


@pytest.mark.rule("4.4d", "4.4e")
def test_4_4d_commandos_and_rangers_go_on_one_hex_without_a_die(table):
    s = table.stand(table.empty("campaign", 0), "0808 uk-1ss ge-garnisonswordo; 0807 uk-3-8; 0906 uk-4ss")
    s.confusion[AT["0808"]] = 1
    s.trips[INDEX["uk-1ss"]] = s.trips[INDEX["uk-3-8"]] = 1
    sortie(table, s, 0, "special", "one")
    assert {a for a in table.legal(s) if a.startswith("move")} == {"move uk-1ss"}
    table.act(s, "move uk-1ss")
    table.act(s, "to 0909" if "to 0909" in table.legal(s) else "to 0908")
    assert "roll" not in table.kinds(s)


@pytest.mark.rule("10-A.1k", "10-A.2a", "10-B.1a", "10-B.2a")
def test_10_half_moves_of_both_sides(table):
    s = table.stand(table.empty("campaign", 0), "1306 ge-21pz-i-22; 1405 us-4-8; 0223 ge-709-739")
    sortie(table, s, 1, "german", "half")
    assert {"move ge-21pz-i-22", "move ge-709-739"} <= table.legal(s)
    table.act(s, "move ge-21pz-i-22")
    half = {a for a in table.legal(s) if a.startswith("to ")}
    table.moving(s, "ge-21pz-i-22")
    full = {a for a in table.legal(s) if a.startswith("to ")}
    assert half < full
    sortie(table, s, 0, "ashore", "half")
    assert "move us-4-8" in table.legal(s)
    assert table.why_not(s, "move ge-21pz-i-22") is not None


@pytest.mark.rule("10-A.2b")
def test_10_a_2b_the_afternoon_clears_and_nothing_comes_back(table):
    s = table.empty("campaign", 0)
    s.weather, s.phase = 1, "A"
    s.ships[:] = bytearray([0, 1, 0, 1])
    dday.begin_afternoon(s, DDay())
    assert (s.weather, s.phase, list(s.ships)) == (0, "B", [0, 1, 0, 1])


@pytest.mark.rule("10-B.1b", "10-A.1m")
def test_10_b_1b_what_finds_no_room_waits_in_the_reserve(table):
    s = table.game.setup("campaign", {}, "dday")
    table.stand(s, "0714 us-1-16 us-1-18 us-1-26 us-2-9 us-2-23; gone ge-garnisonomahao")
    c = DDay()
    dday.follow_up(s, c)
    assert AT["0714"] in c.beaches
    c.beaches = (AT["0714"],)
    s.frames = []
    dday.land_next(s, c)
    assert table.at(s, "us-29-175") == "reserve"
    assert table.at(s, "us-hq-v") == "0714"


@pytest.mark.rule("10-B.3a")
def test_10_b_3a_the_airlanding_brigade_comes_last(table):
    s, c = table.empty("campaign", 0), DDay()
    dday.glide(s, c)
    assert c.queue == (INDEX["uk-6airb-6al"],)
    s.loaded = (6, 1)
    dday.drop_next(s, c)
    assert table.at(s, "uk-6airb-6al") == "0907"  # six less one by daylight


@pytest.mark.rule("10-B.3b", "10-B.3c", "10b")
def test_10_b_3b_the_end_of_d_day(table):
    s = table.stand(table.empty("campaign", 0), "0619 us-82-505:2 us-hq-vii")
    u = INDEX["us-82-505"]
    s.affected[u], s.finished[INDEX["us-hq-vii"]], s.air[4] = 1, 1, AVAILABLE
    dday.end_dday(s, DDay())
    assert (s.affected[u], s.disorder[u], s.finished[INDEX["us-hq-vii"]], s.air[4]) == (0, 1, 0, 0)
    assert (s.turn, s.phase) == (1, "A")


# --- 6.2j coastal batteries -------------------------------------------------------------------------------------------


@pytest.mark.rule("6.2j", "6.2k", "6.2l")
def test_6_2j_batteries_fire_at_one_landing_unit(table):
    s = table.stand(
        table.empty("campaign", 1), "0617 us-4-8 us-4-12; 0219 ge-batterielapernelle; 0419 ge-batteriest-marcouf;"
        "0716 ge-batteriemaisy; 0806 ge-batteriemerville"
    )  # fmt: skip
    names = {COUNTERS[u].id for u in guns_on(s, AT["0617"])}
    assert names == {"ge-batterielapernelle", "ge-batteriest-marcouf", "ge-batteriemaisy"}
    s.affected[INDEX["ge-batteriemaisy"]] = 1
    s.disorder[INDEX["ge-batterielapernelle"]] = 1
    assert [COUNTERS[u].id for u in guns_on(s, AT["0617"])] == ["ge-batteriest-marcouf"]
    s.affected[INDEX["ge-batteriemaisy"]] = s.disorder[INDEX["ge-batterielapernelle"]] = 0
    s.frames = [Shelling(unit=INDEX["us-4-8"], place=AT["0617"])]
    table.run(s)
    guns = [f"aim ge-batterie{n}" for n in ("lapernelle", "st-marcouf", "maisy")]
    assert table.legal(s) == {*guns, "hold-fire"}
    assert table.why_not(s, "aim ge-batteriemerville") == "6.2k"  # out of reach
    assert table.why_not(s, "fire") == "6.2j"  # with what?
    for gun in guns:
        table.act(s, gun)
        assert table.why_not(s, gun) == "6.2k"
    assert table.legal(s) == {"fire"}
    table.act(s, "fire", dice=[6])
    assert (s.affected[INDEX["us-4-8"]], s.affected[INDEX["us-4-12"]]) == (2, 0)
    assert guns_on(s, AT["0617"]) == []


@pytest.mark.rule("6.2j", "6.2k")
def test_6_2j_the_german_chooses_which_batteries_fire_and_keeps_the_others(table):
    s = table.stand(table.empty("campaign", 1), "0617 us-4-8; 0419 ge-batteriest-marcouf; 0716 ge-batteriemaisy")
    s.frames = [Shelling(unit=INDEX["us-4-8"], place=AT["0617"])]
    table.run(s)
    table.act(s, "aim ge-batteriemaisy")
    assert table.legal(s) == {"aim ge-batteriest-marcouf", "fire"}
    assert table.why_not(s, "hold-fire") == "6.2j"
    table.act(s, "fire", dice=[5])
    assert s.affected[INDEX["us-4-8"]] == 1  # one point
    assert [COUNTERS[u].id for u in guns_on(s, AT["0617"])] == ["ge-batteriest-marcouf"]


@pytest.mark.rule("6.2j")
def test_6_2j_later_landings_are_fired_at_too(table):
    s = table.stand(table.empty("campaign", 2), "reserve us-9-39; 0419 ge-batteriest-marcouf; 1506 ge-353")
    table.depots(s, "utah")
    table.player(s, 0, done=1)
    table.act(s, "land us-9-39>utah")
    assert (table.decision(s), s.waiting) == ("CoastalFire", (1,))
    table.act(s, "hold-fire")
    assert table.decision(s) == "PickStack"


# --- turns 0 and 1 ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("11.3c", "11.3d", "0.1.1c")
def test_11_3c_no_marker_is_needed_on_turn_one(table):
    s = table.stand(table.empty("campaign", 1), "1306 us-hq-vii us-4-8; 1406 ge-353; reserve us-hq-v")
    table.player(s, 0, done=3)
    assert table.legal(s) == {"activate us-hq-vii", "end"}  # the one at sea cannot
    s = table.stand(table.empty("campaign", 2), "1306 us-hq-vii us-4-8; 1406 ge-353")
    table.player(s, 0, done=3)
    assert not s.waiting


@pytest.mark.rule("10c", "11.3b")
def test_11_3b_everybody_is_supplied_on_turns_zero_and_one(table):
    from grognard.games.normandie.rules.supply import check_supply

    for turn, expected in ((1, 0), (2, 1)):
        s = table.stand(table.empty("campaign", turn), "0619 us-4-8")
        check_supply(s, DDay())
        assert s.unsupplied[INDEX["us-4-8"]] == expected


@pytest.mark.rule("11.3a", "11.3-vp-zero")
def test_11_3a_counters_start_where_they_say(table):
    s = table.game.blank("campaign")
    s.scenario = "campaign"
    set_up(s)
    assert table.at(s, "ge-709-919") == "0519"
    assert table.at(s, "ge-12ss-25") == "paris"
    assert table.at(s, "us-2-9") == "track"
    assert s.due[INDEX["us-2-9"]] == 1
    assert list(s.points) == [0, 0]


def test_d_day_plays_through_and_leaves_the_allies_ashore(table):
    import random

    s = table.game.setup("campaign", {}, "through")
    luck = random.Random(3)
    while s.turn == 0:
        side = s.waiting[0]
        table.game.apply(s, side, luck.choice(table.game.legal(s, side)), trusted=True)
    assert table.game.problems(s) == []
    ashore = [u for u in range(len(COUNTERS)) if SIDE[u] == 0 and s.place[u] < 546]
    assert len(ashore) > 20
    assert sum(s.depot[DEPOT_INDEX[d]] == FULL for d in ("utah", "gold", "juno-west", "juno-east")) >= 1


@pytest.mark.rule("10-A.1o")
def test_10_a_1o_the_second_waves_combats_follow_its_landing_with_aircraft_inland(table):
    order = [row.label for row in DDAY.rows]
    assert order.index("10-A.1k") < order.index("10-A.1m") < order.index("10-A.1o")
    s = table.stand(table.empty("campaign", 0), "0617 us-4-8; 0618 ge-709-919")
    for a in range(len(AIR)):
        s.air[a] = AVAILABLE
    s.frames = [Sortie(side=0, who="ashore", reach="half", done=dday.ATTACKS)]
    table.run(s)
    assert table.decision(s) == "SortieAttack"
    table.act(s, "attack 0618")
    while table.decision(s) in ("Bombard", "Commit"):
        choices = table.legal(s)
        table.act(s, "hold-fire" if "hold-fire" in choices else "join us-4-8" if "join us-4-8" in choices else "fight")
    assert table.decision(s) == "Fly"


def test_a_drop_that_nobody_survives_leaves_no_confusion(table):
    s = table.stand(table.empty("campaign", 0), "0518 ge-353; 1506 ge-276")
    s.phase, s.loaded = "O", (6, 1)
    u = INDEX["us-82-505"]
    s.steps[u] = 1
    dday.drop_next(s, DDay(wave="O", queue=(u,)))
    assert table.at(s, "us-82-505") == "cadre"
    assert not s.confusion[AT["0518"]]


def test_ships_of_the_right_fleet_serve_a_british_sortie(table):
    from grognard.games.normandie.rules.combat import allied_group

    s = table.stand(table.empty("campaign", 0), "0710 uk-50-69; 0810 ge-716-726")
    c = Combat(side=0, target=AT["0810"], pool=(INDEX["uk-50-69"],))
    assert allied_group(s, c) == 1


def test_a_drop_into_a_full_hex_finds_room_beside_it(table):
    s = table.stand(table.empty("campaign", 0), "0907 uk-3-8 uk-3-185 uk-3-9 uk-50-69 uk-50-151; 1506 ge-353")
    s.loaded = (1, 1)
    dday.drop_next(s, DDay(wave="B3", queue=(INDEX["uk-6airb-6al"],)))
    assert table.at(s, "uk-6airb-6al") not in ("0907", "0908")
    assert table.game.problems(s) == []


@pytest.mark.rule("8b", "10-A.2a", "11a")
def test_8b_on_d_day_either_allied_army_may_attack_what_both_touch(table):
    def start(partners=0):
        s = table.stand(table.empty("campaign", 0), "0813 us-1-16; 0711 uk-50-69; 0812 ge-352-914")
        s.partners = partners
        s.frames = [Sortie(side=0, who="ashore", reach="half", done=dday.ATTACKS)]
        table.run(s)
        table.game._seat(s)
        return s

    s = start()
    assert {"attack 0812", "other-attack 0812"} <= table.legal(s)
    table.act(s, "attack 0812")
    assert s.frames[-1].pool == (INDEX["us-1-16"],)
    s = start()
    table.act(s, "other-attack 0812")
    assert s.frames[-1].pool == (INDEX["uk-50-69"],)
    s = start(partners=1)
    assert (s.waiting, table.legal(s)) == ((0,), {"attack 0812", "done"})
    table.act(s, "done")
    assert (s.waiting, table.legal(s)) == ((2,), {"attack 0812", "done"})
    table.act(s, "attack 0812")
    assert s.frames[-1].pool == (INDEX["uk-50-69"],)


@pytest.mark.rule("10-A.1e")
def test_10_a_1e_only_the_tanks_of_the_first_wave_swim(table):
    for wave, thrown in (("A1", 1), ("A2", 0)):
        s = table.stand(table.empty("campaign", 0), "reserve us-746tk; 1506 ge-353")
        s.due_at[INDEX["us-746tk"]] = AT["0617"]
        s.loaded = (6,)
        dday.land_next(s, DDay(wave=wave, beaches=(AT["0617"],)))
        assert [e.kind for e in s.events].count("swam") == thrown
        assert table.at(s, "us-746tk") == "0617"


@pytest.mark.rule("6.2j", "6.2l")
def test_6_2j_on_d_day_the_guns_fire_at_each_unit_that_comes_ashore(table):
    s = table.stand(table.empty("campaign", 0), "reserve us-4-8 us-4-12; 0219 ge-batterielapernelle; 1506 ge-353")
    for n in ("us-4-8", "us-4-12"):
        s.due_at[INDEX[n]] = AT["0617"]
    s.phase = "A"
    dday.land_next(s, DDay(wave="A2", beaches=(AT["0617"],)))
    assert [COUNTERS[f.unit].id for f in s.frames if isinstance(f, Shelling)] == ["us-4-12", "us-4-8"]
    table.run(s)
    table.act(s, "aim ge-batterielapernelle")
    table.act(s, "fire", dice=[6])
    assert s.affected[INDEX["us-4-8"]]
    assert not s.affected[INDEX["us-4-12"]]
    assert s.waiting == ()  # the only battery has fired
    s = table.stand(table.empty("campaign", 0), "0807 ge-batterieouistreham; 0806 ge-batteriemerville")
    assert [COUNTERS[u].id for u in guns_on(s, AT["0807"])] == ["ge-batteriemerville", "ge-batterieouistreham"]


@pytest.mark.rule("10-O.1g", "10-A.1d")
def test_10_o_1g_by_night_only_the_unit_just_down_attacks_but_from_the_sea_everybody_on_the_beach(table):
    s = table.stand(table.empty("campaign", 0), "0619 us-82-505 us-82-507 ge-709-919; 0617 us-4-8 us-4-12 ge-353")
    night = DDay(wave="O", here=AT["0619"], landed=(INDEX["us-82-507"],))
    assert dday.melee(s, night).attackers == (INDEX["us-82-507"],)
    morning = DDay(wave="A2", here=AT["0617"], landed=(INDEX["us-4-12"],))
    assert set(dday.melee(s, morning).attackers) == {INDEX["us-4-8"], INDEX["us-4-12"]}
