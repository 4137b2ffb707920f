"""What an update holds: the changed keys, pieces and overlays of a view, and nothing else."""

from __future__ import annotations

from grognard.games import find_game
from grognard.kernel.rulebook import rulebook
from grognard.kernel.session import Session
from grognard.server.messages import difference, encode, log_lines, with_titles
from grognard.server.speech import refusal_json

REACH = {"key": "reach", "hexes": {"0101": 2}}
ZONES = {"key": "zoc", "hexes": {"0102": ""}}


def test_an_update_holds_what_changed() -> None:
    before = {"turn": 1, "weather": "clear", "old": 1, "pieces": [{"id": "a", "at": 1}, {"id": "b", "at": 2}]}
    after = {"turn": 2, "weather": "clear", "pieces": [{"id": "a", "at": 1}, {"id": "c", "at": 3}]}
    changed = difference(before, after)
    assert changed == {"set": {"turn": 2}, "unset": ["old"], "pieces": [{"id": "c", "at": 3}], "gone": ["b"]}


def test_a_piece_that_changed_is_sent_whole_whatever_the_order() -> None:
    before = [{"id": "a", "at": 1}, {"id": "b", "at": 2}]
    moved = {"id": "b", "at": 3}
    for after in ([before[0], moved], [moved, before[0]]):
        changed = difference({"pieces": before}, {"pieces": after})
        assert (changed["pieces"], changed["gone"]) == ([moved], [])
    assert difference({"pieces": before}, {"pieces": before[:1]})["gone"] == ["b"]


def test_overlays_are_sent_one_by_one() -> None:
    wider = {"key": "reach", "hexes": {"0101": 2, "0103": 3}}
    changed = difference({"overlays": [REACH, ZONES]}, {"overlays": [ZONES, wider]})
    assert changed["overlays"] == {"order": ["zoc", "reach"], "changed": [wider]}
    assert changed["set"] == {}
    assert "overlays" not in difference({"overlays": [REACH]}, {"overlays": [REACH]})
    assert difference({"overlays": [REACH, ZONES]}, {"overlays": [ZONES]})["overlays"] == {
        "order": ["zoc"],
        "changed": [],
    }


def test_messages_are_plain_json_with_their_accents() -> None:
    assert encode({"text": "Évêque", "at": (1, 2)}) == '{"text":"Évêque","at":[1,2]}'.encode()


def test_a_modifier_in_the_odds_has_the_title_of_its_rule() -> None:
    odds = {"rule": "seq-1", "attacker": {"items": [{"rule": "ground-drm-german", "drm": 2}]}, "p": "1/2"}
    told = with_titles(odds, "surrender", "fr")
    assert told["attacker"]["items"][0]["title"] == rulebook("surrender")["ground-drm-german"].titre
    assert "title" not in told, "only modifiers are told by their titles"
    assert with_titles([["5.3b", 2, "hq"]], "normandie", "en") == [["5.3b", 2, "hq"]]


def test_a_log_keeps_silent_about_hidden_units_that_are_picked_up_and_tells_the_others_by_their_backs() -> None:
    game = find_game("picket")
    session = Session.new(game, "raid", seed="3")
    for verb, word in (("pledge", "0"), ("pledge", "1"), ("done", ""), ("move", "blue-foot-1"), ("to", "0206")):
        session.act(session.state.waiting[0], (verb, word))
    lines = log_lines(session, 0, "en", 0)
    assert "text" not in lines[3], "Red reads of no 'pick up ?'"
    moved = next(event for event in lines[4]["events"] if event["kind"] == "moved")
    assert moved["text"].startswith(f"Blue {moved['unit']} moves")
    assert log_lines(session, 1, "en", 0)[3]["text"].startswith("pick up 1st Blue Foot")


def test_dice_that_a_sentence_tells_are_marked() -> None:
    game = find_game("surrender")
    session = Session.new(game, "barbarossa", seed="5")
    while not any(entry.action[0] == "ready" for entry in session.entries):
        session.act(session.state.waiting[0], ("ready", ""))
    events = log_lines(session, 0, "en", 0)[-1]["events"]
    rolls = [event for event in events if event["kind"] == "roll"]
    assert rolls
    assert all(event.get("said") for event in rolls if event["rule"] == "seq-5-roll")
    assert not any(event.get("said") for event in rolls if event["rule"] == "weather-roll")


def test_a_refusal_names_a_hidden_block_by_its_back() -> None:
    game = find_game("bitw")
    session = Session.new(game, "SBW1", {}, seed="backs")
    token = next(piece["id"] for piece in game.view(session.state, 0)["pieces"] if piece["id"].startswith("#"))
    refusal = game.why(session.state, 0, ("repair", token))
    assert refusal is not None
    message = refusal_json(refusal, "bitw", "en", (session.state, 0))["message"]
    assert message.startswith(("United", "Brit", "Canad")), message
    assert not message.startswith("#")
