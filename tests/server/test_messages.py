"""What an update holds: the changed keys, pieces and overlays of a view, and nothing else."""

from __future__ import annotations

from grognard.kernel.rulebook import rulebook
from grognard.server.messages import difference, encode, with_titles

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
