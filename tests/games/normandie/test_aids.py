"""Play aids agree with the rules."""

from grognard.games.normandie.aids import aids_for, command_aid, stack_aid, supply_aid
from grognard.games.normandie.world import AT, INDEX


def test_reach_shows_what_is_legal_with_its_cost(table):
    s = table.stand(table.empty(), "1306 us-4-8; 1505 ge-353")
    table.moving(s, "us-4-8")
    aid = table.game.view(s, 0)["aids"]
    assert {f"to {h}" for h in aid["reach"]} == {a for a in table.legal(s) if a.startswith("to ")}
    assert aid["reach"]["1406"] == 2


def test_command_shows_who_obeys_and_how_full_the_hands_are(table):
    s = table.stand(table.empty(), "1306 us-hq-vii us-4-8; 1305 us-70tk uk-3-8; 1004 us-4-12; 1811 us-4-22")
    s.boss[INDEX["us-4-8"]] = INDEX["us-hq-vii"] + 1
    aid = command_aid(s, INDEX["us-hq-vii"])
    assert set(aid["in_range"]) == {"us-4-8", "us-70tk", "us-4-12"}
    assert (aid["led"], aid["divisions"], aid["battalions"]) == (["us-4-8"], "1/15", "0/3")


def test_supply_shows_the_line_from_unit_to_depot(table):
    s = table.depots(table.stand(table.empty(), "0619 us-hq-vii; 0519 us-4-8"), "utah")
    line = supply_aid(s, INDEX["us-4-8"])
    assert line[:2] == ["0519", "0619"]
    assert line[-1] in ("0617", "0618", "0717")
    s.depot[0] = 0
    assert supply_aid(s, INDEX["us-4-8"]) == []


def test_stack_and_battle(table):
    s = table.stand(table.empty(), "1306 us-hq-vii us-4-8; 1406 ge-353 ge-503schwpzabt")
    table.markers(s, "1306 1")
    assert stack_aid(s, AT["1406"])[0] == {
        "side": "german", "counters": ["ge-353", "ge-503schwpzabt"], "pe": 3, "limit": 5, "defence": 12, "offensive": 0
    }  # fmt: skip
    table.player(s, 0, done=3)
    assert aids_for(s)["markers"] == {"1306": 1}
    table.act(s, "activate us-hq-vii")
    assert aids_for(s)["targets"] == ["1406"]
    table.act(s, "attack 1406")
    table.act(s, "join us-4-8")
    assert aids_for(s)["reckoning"]["attack"] == 4


def test_the_turn_track_is_apart_from_the_pieces(table):
    s = table.game.setup("cobra", {}, "track")
    view = table.game.view(s, 1)
    assert "us-5arm-cca" in view["track"]["8"]
    assert "us-5arm-cca" not in {p["id"] for p in view["pieces"]}
    assert "ge-353" in {p["id"] for p in view["pieces"]}
