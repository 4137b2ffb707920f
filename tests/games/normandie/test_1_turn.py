"""Chapters 1, 8 and 9: the turn, weather and storms, aircraft and their missions."""

import pytest

from grognard.games.normandie.frames import Phase, PlayerPhase, Turn
from grognard.games.normandie.rules import air, turn
from grognard.games.normandie.rules.movement import interdicted_zones
from grognard.games.normandie.sequence import PHASE, PLAYER_PHASE, TURN, player_one, player_two
from grognard.games.normandie.state import (
    AVAILABLE,
    CUP,
    DESTROYED,
    FINISHED,
    FULL,
    STRATEGIC_BOX,
    SUPERIORITY,
    TACTICAL,
    WAITING,
)
from grognard.games.normandie.world import (
    AIR,
    ALLIED,
    AMERICAN,
    AT,
    BRITISH,
    COUNT,
    DEPOT_INDEX,
    FB,
    GROUP,
    HB,
    INDEX,
    MB,
    RESERVE,
    TRACK,
)

FRAME = Turn()


def labels(sequence):
    return [row.label for row in sequence.rows]


@pytest.mark.rule("1.0a", "1.1.1.2a")
def test_1_0a_the_turn_runs_in_the_printed_order():
    order = labels(TURN)
    wanted = ["1.1.1.1a", "1.1.1.1l", "1.1.1.2b", "1.1.1.2c", "1.1.1.2d", "1.1.1.2g", "1.1.1.3a", "1.1.1.3g", "1.0b"]
    assert [order.index(label) for label in wanted] == sorted(order.index(label) for label in wanted)
    assert order.index("1.0b") < order.index("1.1.4e") < order.index("1.1.5c")


@pytest.mark.rule("1.0b", "1.0c", "1.0d")
def test_1_0c_storm_then_player_one_then_two_each_moving_before_fighting():
    assert labels(PHASE) == ["1.0b", "1.1.2.1a", "9a", "1.1.1.3c", "1.0e", "1.1.4d"]
    assert labels(PLAYER_PHASE) == ["1.1.2.1d", "1.1.2.1b", "1.1.2.2a", "2.1b", "1.0d", "1.1.3d"]


@pytest.mark.rule("1.1.1.3c")
def test_1_1_1_3c_the_winner_of_the_initiative_is_player_one(table):
    s = table.empty()
    for first in (0, 1):
        s.first = first
        assert player_one(s, FRAME).side == first
        assert player_two(s, FRAME).side == 1 - first


# --- weather ----------------------------------------------------------------------------------------------------------


def weather(table, turn_number, run, die, scenario="campaign"):
    s = table.empty(scenario, turn_number)
    s.overcast_run = run
    s.loaded = (die,) if die else ()
    air.roll_weather(s, FRAME)
    return s


@pytest.mark.rule("1.1.1.1a", "1.1.1.1b", "11.2-length")
def test_1_1_1_1b_fixed_weather_and_dice_from_turn_two(table):
    assert weather(table, 0, 0, 0).weather == 1
    assert weather(table, 1, 1, 0).weather == 0
    assert weather(table, 2, 0, 3).weather == 0
    assert weather(table, 2, 0, 4).weather == 1
    assert weather(table, 7, 2, 0, "cobra").weather == 0  # turn 7 of scenario 2 is clear


@pytest.mark.rule("1.1.1.1c", "1.1.1.1d", "1.1.1.1f")
def test_1_1_1_1c_clouds_remembered_and_a_natural_six_arms_the_storm(table):
    s = weather(table, 3, 1, 6)
    assert (s.weather, s.overcast_run, s.storm_armed) == (1, 2, 1)
    s = weather(table, 3, 1, 4)
    assert (s.weather, s.overcast_run, s.storm_armed) == (0, 0, 0)
    s = weather(table, 3, 0, 5)
    assert (s.weather, s.overcast_run, s.storm_armed) == (1, 1, 0)


def stormy(table, phase, die, **more):
    s = table.empty()
    s.phase, s.storm_armed = phase, 1
    for key, value in more.items():
        setattr(s, key, value)
    s.loaded = (die,) if die else ()
    air.test_storm(s, Phase(name=phase))
    return s


@pytest.mark.rule("1.1.1.1f", "1.1.1.1j", "1.1.1.1k", "1.1.2.1a")
def test_1_1_1_1j_a_storm_lasts_one_phase(table):
    assert stormy(table, "A", 5).storm == 1
    assert stormy(table, "A", 4).storm == 0
    assert stormy(table, "B", 6, storm=0).storm == 1
    assert stormy(table, "B", 6).storm_b == 1
    assert stormy(table, "B", 0, storm=1).storm == 0  # after a storm in A: no test, the storm is over
    assert stormy(table, "A", 0, storm_b=1).storm == 0  # after a storm in B: no test
    assert stormy(table, "A", 0, storm_armed=0).storm == 0
    after = stormy(table, "B", 6, storm=0)
    turn.begin_turn(after, Turn())
    assert (after.storm, after.storm_b) == (0, 1)  # markers land again at the start of the next turn


@pytest.mark.rule("1.1.1.1g", "1.1.1.1h", "7.1.1c", "7.1.1d")
def test_1_1_1_1g_a_storm_grounds_aircraft_and_ships_and_breaks_mulberries(table):
    s = table.depots(table.empty(), "mulberry-a", "mulberry-b", "utah")
    s.air[0], s.air[12] = AVAILABLE, TACTICAL
    s.ships[:] = bytearray([1, 2, 3, 4])
    s.loaded = (3, 4)
    air.break_storm(s)
    assert (s.air[0], s.air[12]) == (FINISHED, FINISHED)
    assert list(s.ships) == [0, 0, 0, 0]
    assert s.depot[DEPOT_INDEX["mulberry-a"]] == FULL
    assert s.depot[DEPOT_INDEX["mulberry-b"]] == DESTROYED
    assert s.depot[DEPOT_INDEX["utah"]] == FULL
    assert s.points[1] == 0


# --- aircraft ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1.1.1.1l", "1.1.1.1m", "9a", "9b", "11c", "0b")
def test_1_1_1_1l_aircraft_are_drawn_from_three_cups_and_some_locked(table):
    kinds = [kind for kind, _, _ in AIR]
    assert (kinds.count(HB), kinds.count(MB), kinds.count(FB)) == (6, 4, 12)
    s = table.empty(turn=4)
    air.draw_aircraft(s, FRAME)
    air.lock_fighters(s, FRAME)
    assert (air.ready(s, HB), air.ready(s, MB), air.ready(s, FB)) == (2, 4, 8)
    assert list(s.air).count(SUPERIORITY) == 2
    s = table.empty(turn=4)
    s.weather = 1
    air.draw_aircraft(s, FRAME)
    air.lock_fighters(s, FRAME)
    assert (air.ready(s, HB), air.ready(s, MB), air.ready(s, FB)) == (1, 1, 3)


@pytest.mark.rule("11.1-air")
def test_11_1_air_half_the_numbers_and_americans_only(table):
    s = table.empty("cherbourg", 1)
    air.draw_aircraft(s, FRAME)
    air.lock_fighters(s, FRAME)
    assert (air.ready(s, HB), air.ready(s, MB), air.ready(s, FB)) == (0, 2, 2)
    assert all(AIR[a][1] == AMERICAN for a in range(len(AIR)) if s.air[a] != CUP)


@pytest.mark.rule("9.4d", "1.1.5a")
def test_9_4d_heavy_bombers_on_the_track_come_back_on_their_turn(table):
    s = table.empty(turn=8)
    s.air[0], s.air_at[0] = WAITING, 9
    s.air[1], s.air[10] = FINISHED, TACTICAL
    air.empty_the_sky(s)
    assert (s.air[0], s.air[1], s.air[10]) == (WAITING, CUP, CUP)
    air.draw_aircraft(s, FRAME)
    assert s.air[0] == WAITING
    s.turn = 9
    air.draw_aircraft(s, FRAME)
    assert s.air[0] != WAITING


def owing_fighters(table, american, british, owed, partners=0):
    """So many Available fighter-bombers of each army, so many owed to air superiority."""
    s = table.empty(turn=7)
    s.partners = partners
    for group, number in ((AMERICAN, american), (BRITISH, british)):
        table.planes(s, FB, group, number)
    s.to_lock = owed
    frame = Turn()
    frame.row = labels(TURN).index("1.1.1.1m")
    s.frames = [frame]
    return table.run(s)


@pytest.mark.rule("1.1.1.1m", "9b")
def test_1_1_1_1m_the_allied_player_picks_the_fighters_of_air_superiority(table):
    s = owing_fighters(table, 5, 2, 3)
    assert (table.decision(s), s.waiting) == ("FlySuperiority", (ALLIED,))
    assert table.legal(s) == {"superiority american", "superiority anglo_canadian"}
    table.act(s, "superiority anglo_canadian")
    table.act(s, "superiority anglo_canadian")  # the smaller army may give all it has
    assert table.decision(s) == "AssignAircraft"  # then only one army is left: no more to choose
    assert (air.ready(s, FB, AMERICAN), air.ready(s, FB, BRITISH)) == (4, 0)
    assert list(s.air).count(SUPERIORITY) == 3
    assert s.to_lock == 0
    assert air.FlySuperiority().why_not(s, s.frames[-1], 0, "superiority", "anglo_canadian").rule == "1.1.1.1m"


@pytest.mark.rule("1.1.1.1m", "11a")
def test_1_1_1_1m_two_allied_players_give_from_the_army_that_has_more(table):
    s = owing_fighters(table, 3, 5, 3, partners=1)
    assert table.decision(s) == "AssignAircraft"
    assert (air.ready(s, FB, AMERICAN), air.ready(s, FB, BRITISH)) == (2, 3)


def assigning(table):
    s = table.empty(turn=7)
    for a in range(len(AIR)):
        s.air[a] = AVAILABLE
    frame = Turn()
    frame.row = labels(TURN).index("1.1.1.1n")
    s.frames = [frame]
    return table.run(s)


@pytest.mark.rule("1.1.1.1n", "9.2a", "9.2b", "1.1.1.1o")
def test_9_2a_one_fighter_bomber_a_zone(table):
    s = assigning(table)
    table.act(s, "zone z5")
    assert table.why_not(s, "zone z5") == "9.2a"
    plane = next(a for a in range(len(AIR)) if s.air[a] == TACTICAL)
    assert AIR[plane][0] == FB
    assert interdicted_zones(s)[4]
    assert sum(interdicted_zones(s)) == 1
    table.act(s, "ready")
    assert air.ready(s, MB) == 4  # the rest stays Available


@pytest.mark.rule("9b", "9.2b")
def test_9b_a_mission_may_be_flown_by_either_army(table):
    s = owing_fighters(table, 3, 1, 0)
    table.act(s, "zone z5")
    assert (air.ready(s, FB, AMERICAN), air.ready(s, FB, BRITISH)) == (2, 1)
    table.act(s, "other-zone z6")
    assert (air.ready(s, FB, AMERICAN), air.ready(s, FB, BRITISH)) == (2, 0)
    assert table.why_not(s, "other-zone z7") == "1.1.1.1n"
    assert table.why_not(s, "other-box fb>paris") == "1.1.1.1p"
    table.act(s, "box fb>paris")
    assert air.ready(s, FB, AMERICAN) == 1


@pytest.mark.rule("1.1.1.1p", "9.5a")
def test_9_5a_a_box_takes_one_hb_or_two_of_a_lighter_kind(table):
    s = assigning(table)
    table.act(s, "box hb>paris")
    assert table.why_not(s, "box hb>paris") == "9.5a"
    assert table.why_not(s, "box mb>paris") == "9.5a"
    table.act(s, "box mb>lemans")
    table.act(s, "box mb>lemans")
    assert table.why_not(s, "box mb>lemans") == "9.5a"
    assert list(s.air).count(STRATEGIC_BOX) == 3
    for _ in range(2):
        table.act(s, "box fb>angers")
    assert table.why_not(s, "box fb>angers") == "9.5a"


@pytest.mark.rule("1.1.1.1p", "9.5a")
def test_9_5a_a_box_is_offered_while_it_has_room(table):
    s = assigning(table)
    table.act(s, "box mb>lemans")
    assert "box lemans" in table.legal(s)  # one more medium bomber
    table.act(s, "box mb>lemans")
    assert "box lemans" not in table.legal(s)
    table.act(s, "box hb>paris")
    assert "box paris" not in table.legal(s)


# --- seams ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1.1.4a", "1.1.4b", "1.1.4c", "1.1.4d", "0.1.1e", "10b")
def test_1_1_4_the_end_of_a_phase(table):
    s = table.stand(table.empty(turn=7), "1306 us-4-8 us-hq-vii")
    s.air[3], s.finished[INDEX["us-hq-vii"]], s.affected[INDEX["us-4-8"]] = FINISHED, 1, 2
    turn.end_phase(s, Phase(name="A"))
    assert (s.air[3], s.finished[INDEX["us-hq-vii"]], s.affected[INDEX["us-4-8"]]) == (AVAILABLE, 0, 0)
    turn.begin_phase(s, Phase(name="B"))
    assert list(s.ships) == [0, 1, 1, 2]
    s.turn, s.affected[INDEX["us-4-8"]] = 0, 2
    turn.end_phase(s, Phase(name="A"))
    assert s.affected[INDEX["us-4-8"]] == 2


@pytest.mark.rule("11.1-naval")
def test_11_1_naval_only_the_western_task_force(table):
    s = table.empty("cherbourg", 2)
    turn.begin_phase(s, Phase(name="A"))
    assert list(s.ships) == [1, 2, 0, 0]


@pytest.mark.rule("1.1.5b", "1.1.5c", "1.1.4e")
def test_1_1_5b_disorder_falls_by_one_level_and_the_turn_advances(table):
    s = table.stand(table.empty(turn=7), "1306 us-4-8:2 us-4-12:1")
    for n, name in enumerate(["353", "276", "277", "271", "272", "326", "363", "84", "85", "89", "331", "708"]):
        table.stand(s, f"1{n % 2}0{n // 2 + 1} ge-{name}")
    s.phase = "B"
    turn.end_turn(s, FRAME)
    assert [s.disorder[INDEX[n]] for n in ("us-4-8", "us-4-12")] == [1, 0]
    assert s.turn == 8


@pytest.mark.rule("1.1.2.1d", "1.1.2.1e", "5.4e", "11.2-reinf")
def test_1_1_2_1d_reinforcements_come_when_they_are_due(table):
    s = table.empty(turn=7)
    for name, due, at in (("us-28-109", 7, "reserve"), ("us-80-317", 9, "reserve"), ("ge-363", 7, "belgique")):
        u = INDEX[name]
        table.stand(s, f"track {name}")
        s.due[u], s.due_at[u] = due, AT[at]
    table.stand(s, "track us-hq-vii")
    s.due[INDEX["us-hq-vii"]], s.due_phase[INDEX["us-hq-vii"]] = 7, 1
    turn.bring_reinforcements(s, 0)
    assert s.place[INDEX["us-28-109"]] == RESERVE
    assert s.place[INDEX["us-80-317"]] == TRACK
    assert s.place[INDEX["us-hq-vii"]] == TRACK  # phase B
    assert s.place[INDEX["ge-363"]] == TRACK
    turn.bring_reinforcements(s, 1)
    assert table.at(s, "ge-363") == "belgique"
    s.phase = "B"
    turn.bring_reinforcements(s, 0)
    assert s.place[INDEX["us-hq-vii"]] == RESERVE


@pytest.mark.rule("8a")
def test_8a_french_count_as_american_belgians_and_poles_as_british():
    assert GROUP[INDEX["us-2db-gtd"]] == 0
    assert GROUP[INDEX["uk-1brigbelge"]] == 1
    assert GROUP[INDEX["uk-1polarm-10"]] == 1


@pytest.mark.rule("1.0e", "1.0c")
def test_1_0e_the_active_side_is_shown(table):
    s = table.empty()
    turn.begin_player(s, PlayerPhase(side=1))
    assert s.active == 1
    assert "player" in table.kinds(s)


@pytest.mark.rule("1.2a")
def test_1_2a_the_last_turn_ends_the_game(table):
    s = table.empty("cherbourg", 4)
    table.stand(s, "0223 ge-353")
    turn.end_turn(s, FRAME)
    assert table.game.result(s).level == "marginal"
    s = table.empty("cherbourg", 3)
    table.stand(s, "0223 ge-353")
    turn.end_turn(s, FRAME)
    assert table.game.result(s) is None
    assert COUNT == 290


@pytest.mark.rule("errata-b", "11c")
def test_errata_b_bomber_command_three_is_a_fighter_bomber(tmp_path, monkeypatch):
    from grognard.games.normandie import loading
    from grognard.games.normandie.world import AIR_IDS, CHARTS
    from grognard.kernel import DataError

    assert AIR[AIR_IDS.index("bc-3")][0] == FB
    assert AIR[AIR_IDS.index("bc-2")][0] == HB
    text = (loading.FILES.folder / "air.csv").read_text("utf-8").replace("Bomber Command 3,fb", "Bomber Command 3,hb")
    (tmp_path / "air.csv").write_text(text)
    monkeypatch.setattr(loading.FILES, "folder", tmp_path)
    with pytest.raises(DataError, match="the hb cup holds 6"):
        loading.load_air(CHARTS["air"]["cups"])
