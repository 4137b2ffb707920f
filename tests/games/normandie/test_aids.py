"""Play aids agree with the rules."""

from grognard.games.normandie.show.overlays import aids_for, command_aid, stack_aid, supply_aid
from grognard.games.normandie.state import TACTICAL
from grognard.games.normandie.world import AIR, AT, CODES, FB, HEXES, INDEX, ZONE
from grognard.kernel.texts import texts_for


def test_reach_shows_what_is_legal_with_its_cost(table):
    s = table.stand(table.empty(), "1306 us-4-8; 1505 ge-353")
    table.moving(s, "us-4-8")
    aid = table.game.view(s, 0)["aids"]
    assert {f"to {h}" for h in aid["reach"]} == {a for a in table.legal(s) if a.startswith("to ")}
    assert aid["reach"]["1406"] == 2


def test_command_shows_who_obeys_and_how_full_the_hands_are(table):
    s = table.stand(table.empty(), "1306 us-hq-vii us-4-8; 1305 us-70tk uk-3-8; 1004 us-4-12; 1811 us-4-22")
    s.boss[INDEX["us-4-8"]] = INDEX["us-hq-vii"]
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


def overlays(table, s):
    """The overlays of a view by their key."""
    return {o["key"]: o for o in table.game.view(s, 0)["overlays"]}


def test_overlays_of_a_stack_in_hand(table):
    s = table.depots(table.stand(table.empty(), "0619 us-hq-vii; 0519 us-4-8; 1505 ge-353"), "utah")
    table.markers(s, "0619 2")
    table.moving(s, "us-4-8")
    found = overlays(table, s)
    assert found["markers"]["hexes"] == {"0619": 2}
    assert found["stacks-german"] == {"key": "stacks-german", "side": "german", "hexes": {"1505": 3}}
    assert found["reach"]["hexes"] == table.game.view(s, 0)["aids"]["reach"]
    assert found["supply"]["lines"][0][:2] == ["0519", "0619"]
    assert "command" not in found


def test_overlays_of_a_headquarters_at_work(table):
    s = table.stand(table.empty(), "1306 us-hq-vii us-4-8; 1406 ge-353; 1811 us-4-22")
    table.markers(s, "1306 1")
    table.player(s, 0, done=3)
    table.act(s, "activate us-hq-vii")
    found = overlays(table, s)
    assert {"1306", "1406", "0906"} <= set(found["command"]["hexes"])
    assert "1811" not in found["command"]["hexes"]
    assert found["commanded"]["hexes"] == {"1306": 1}
    assert found["targets"]["hexes"] == {"1406": ""}


def test_overlays_of_interdiction_and_none_that_is_empty(table):
    s = table.stand(table.empty(), "1306 us-4-8")
    assert set(overlays(table, s)) == {"stacks-allied"}
    s.air[next(a for a, (kind, _, _) in enumerate(AIR) if kind == FB)] = TACTICAL
    hexes = overlays(table, s)["interdiction"]["hexes"]
    assert set(hexes) == {CODES[h] for h in range(HEXES) if ZONE[h] == 0}


def test_every_overlay_has_a_title_in_both_languages(table):
    keys = ("markers", "stacks-allied", "stacks-german", "interdiction", "reach", "supply", "command", "targets")
    for lang in ("en", "fr"):
        assert all(texts_for("normandie", lang).find(f"overlay.{key}") for key in keys)
