"""What a client draws and a terminal prints: overlays, reach and odds of the active unit, words in both languages."""

import json
import random

import pytest

from grognard.games.surrender.frames import Mission, SupplyPhase
from grognard.games.surrender.game import GAME
from grognard.games.surrender.rules.board import hex_name
from grognard.games.surrender.rules.lines import network
from grognard.games.surrender.rules.movement import reachable
from grognard.kernel import SPECTATOR
from grognard.kernel.narrate import Narrator
from grognard.kernel.session import Session
from grognard.kernel.texts import texts_for
from grognard.lab.guided import hopeful


def overlay(d, key, side=0):
    return next((o for o in d.game.view(d.s, side)["overlays"] if o["key"] == key), None)


@pytest.mark.rule("ezoc", "no-ezoc")
def test_overlay_of_enemy_zones_knows_markers_and_sides(drill):
    d = drill("0306: FR infantry\n0304: DE infantry").operations()
    reach, names = d.world.theatre.zoc_hexes, d.world.hex_names
    assert set(overlay(d, "ezoc")["hexes"]) == {names[h] for h in reach[d.hex("0306")]}
    assert set(overlay(d, "ezoc", side=1)["hexes"]) == {names[h] for h in reach[d.hex("0304")]}
    d.s.no_ezoc = (d.hex("0305"),)
    assert "0305" not in overlay(d, "ezoc")["hexes"]


@pytest.mark.rule("supply-land")
def test_overlay_of_supply_is_what_supply_says(drill):
    d = drill("0304: DE infantry\n0409: DE infantry\n0509: FR infantry").operations()
    shown = {d.hex(name) for name in overlay(d, "supply")["hexes"]}
    units = {d.s.at[u] for u in d.world.of_faction[0] if d.s.at[u] >= 0}
    ground = network(d.s, 0)
    assert shown - units == {h for h in ground.supplied if ground.feeds(h)} - units
    assert overlay(d, "cut")["hexes"] == {"0409": "!"}
    assert overlay(d, "supply")["side"] == "axis"


@pytest.mark.rule("move-cost")
def test_overlay_of_reach_has_the_points_spent(drill):
    d = drill("0304: DE tank").operations()
    assert overlay(d, "reach") is None
    d.do("activate DE-tank-1")
    costs = {hex_name(d.s, h): str(n) for h, n in reachable(d.s, d.s.frames[-1]).costs().items() if n}
    assert overlay(d, "reach", SPECTATOR)["hexes"] == costs
    assert {f"move {hex}" for hex in costs} == {a for a in d.legal() if a.startswith("move")}


@pytest.mark.rule("intercept")
def test_overlay_of_a_route_under_way(drill):
    d = drill("1004: UK convoy\n0702: DE warship", side="western")
    route = tuple(d.hex(h) for h in ("1004", "0904", "0903"))
    d.s.frames = [SupplyPhase(side=1), Mission(kind="supply", side=1, unit=d.unit("UK-convoy-1"), route=route)]
    assert overlay(d, "routes")["lines"] == [["1004", "0904", "0903"]]


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_terminal_shows_reach_and_odds(drill, lang):
    say = Narrator(GAME, lang).say
    d = drill("0305: DE tank\n0306: FR infantry").operations().do("activate DE-tank-1")
    text = d.game.situation(d.s, 0, say)
    odds = d.odds(0, ("attack", "0306"))
    assert f"{odds['attacker']['drm']:+d}" in text
    assert "0304" in text.rpartition(texts_for("surrender", lang).say("screen.verb.assault"))[2]
    plan = drill("0305: DE tank\n0306: FR infantry\n0405: DE infantry").operations()
    plan.do("activate DE-tank-1", "assault 0306")
    assert texts_for("surrender", lang).say("screen.verb.launch") in plan.game.situation(plan.s, 0, say)
    air = drill("0304: DE fighter | DE infantry\n0307: UK fighter").operations().do("activate DE-fighter-1")
    assert texts_for("surrender", lang).say("screen.verb.strike") in air.game.situation(air.s, 0, say)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_key_that_a_table_shows_has_a_word(drill, lang):
    texts = texts_for("surrender", lang)
    for table in GAME.sequences:
        assert texts.find(f"sequence.{table.name}"), table.name
        for name in table.frame.fields:
            assert name == "side" or texts.find(f"field.{name}"), f"{table.name}.{name}"
    d = drill("0305: DE tank\n0306: FR infantry\n0304: DE fighter").operations()
    for name in d.game.view(d.s, 0)["pieces"][0]:
        assert name in ("id", "known", "name", "side", "at") or texts.find(f"field.{name}"), name
    d.do("activate DE-tank-1")
    odds = d.odds(0, ("attack", "0306"))
    words = [*odds["results"], *odds["effects"], *odds["attacker"], *(k for k in odds if k != "kind"), odds["kind"]]
    assert [w for w in words if not texts.find(f"odds.{w}")] == []
    for scenario in GAME.scenarios:
        s = GAME.setup(scenario, {}, "words")
        pieces = GAME.view(s, 0)["pieces"]
        assert [p["id"] for p in pieces if not texts.find(f"name.{p['id']}")] == []
        assert lang != "en" or [p["id"] for p in pieces if texts.find(f"name.{p['id']}") != p["name"]] == []
        assert json.dumps(GAME.view(s, 0)["overlays"])
    for option in GAME.options:
        assert texts.find(f"option.{option.name}"), option.name


def test_a_hex_or_a_unit_in_words():
    game = GAME
    s = game.setup("barbarossa", {}, "seed")
    english, french = (Narrator(game, lang).say for lang in ("en", "fr"))
    kiev = game.about(s, 0, "kiev", english)
    assert "6540 Kiev: clear, city, factory." in kiev
    assert "Held by: Soviet." in kiev
    assert "19 A" in kiev
    assert "No supply line of yours" in kiev
    assert "would be in supply" in game.about(s, 2, "6540", english)
    assert game.about(s, 0, "varsovie", french).startswith("5237 Varsovie : terrain clair, ville.")
    assert "Lyck: tank, Axis, elite, full supply." in game.about(s, 2, "de-pg3", english)  # nothing of it is secret
    near = next(o for o in game.view(s, 2)["overlays"] if o["key"] == "ezoc")["hexes"]
    assert "In an enemy zone of control." in game.about(s, 2, next(iter(near)), english)
    assert "In an enemy zone of control." not in kiev
    assert game.about(s, 0, "nowhere", english) == ""


def test_the_log_names_towns_and_the_modifiers_of_a_tally():
    lines = [["ground-drm-german", 2], ["ground-drm-tank-good", 2]]
    tally = {"kind": "modifiers", "rule": "seq-4-own", "attacker": lines, "defender": []}
    told = Narrator(GAME, "fr").happening(tally)
    told = told.replace("\N{NO-BREAK SPACE}", " ")
    assert told == "attaquant : Unité allemande +2, Char par météo bonne +2 ; défenseur : - (seq-4-own)"
    fell = {"kind": "captured", "rule": "control", "hex": "3342", "side": 0}
    assert "Saarbrücken (3342)" in Narrator(GAME, "en").happening(fell)
    assert "Sarrebruck (3342)" in Narrator(GAME, "fr").happening(fell)


def test_whoever_commits_is_told_how_many_markers_are_left():
    session = Session.new(GAME, "fall-gelb", {}, seed="left")
    game, dice = session.game, random.Random(1)
    for _ in range(400):
        s = session.state
        if type(game.decision(s)).__name__ == "Commit" and ("commit", "ground-support") in game.orders(s, 0):
            break
        side = s.waiting[0]
        session.act(side, game.write(s, side, hopeful(dice, game, s, side, game.legal(s, side))))
    had = game.view(session.state, 0)["markers"]["axis"]["ground-support"]
    assert game.view(session.state, 0)["left"]["commit"]["ground-support"] == had
    others = game.view(session.state, 1)["left"]
    session.act(0, ("commit", "ground-support"))
    assert game.view(session.state, 0)["left"]["commit"]["ground-support"] == had - 1
    assert game.view(session.state, 1)["left"] == others, "nobody is told what the enemy commits"
    assert game.view(session.state, -1)["left"] == {}
