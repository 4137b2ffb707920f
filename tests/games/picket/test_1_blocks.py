"""Chapter 1: the board and the blocks."""

from __future__ import annotations

import pytest

from grognard.games.picket.game import GAME
from grognard.games.picket.loading import SCENARIOS, UNITS
from grognard.games.picket.state import FOG
from grognard.kernel import SPECTATOR, seed_from


@pytest.mark.rule("1.1")
@pytest.mark.parametrize("scenario", sorted(SCENARIOS))
def test_1_1_blocks_begin_where_the_scenario_says_at_full_strength(scenario):
    s = GAME.setup(scenario, {}, seed_from(1))
    for unit, hex in SCENARIOS[scenario]["setup"]:
        assert (s.at[unit], s.steps[unit]) == (hex, UNITS[unit].steps)
    assert sum(hex >= 0 for hex in s.at) == len(SCENARIOS[scenario]["setup"])
    assert list(s.holder) == [1, 1, 1]
    assert not any(s.cut_off)


@pytest.mark.rule("1.2")
def test_1_2_the_enemy_sees_the_place_and_the_colour_only(table):
    t = table("0303: red-foot-1\n0307: blue-guns-1")
    own, other = t.seen("blue", "blue-guns-1"), t.seen("red", "blue-guns-1")
    assert own["id"] == "blue-guns-1"
    assert (own["kind"], own["steps"]) == ("guns", 2)
    assert other["id"].startswith("#")
    assert (other["at"], other["side"]) == ("0307", "blue")
    assert not {"kind", "steps", "full", "points"} & set(other)
    assert all(piece["id"].startswith("#") for piece in GAME.view(t.s, SPECTATOR)["pieces"])


@pytest.mark.rule("1.2", "1.3")
def test_1_2_blocks_in_battle_and_lost_blocks_are_face_up(table):
    t = table("0404: red-foot-1\n0405: blue-horse-1 1\n0309: blue-foot-1")
    t.play("move red-foot-1", "to 0405", "done", "fight 0405", dice=(1, 1, 1, 1))
    assert t.seen("red", "blue-horse-1")["steps"] == 1
    assert t.seen("blue", "red-foot-1")["steps"] == 3
    assert t.seen("red", "blue-foot-1")["id"].startswith("#")
    t = table("0404: red-foot-1\n0405: blue-horse-1 1\n0309: blue-foot-1")
    t.play("move red-foot-1", "to 0405", "done", "fight 0405", "lose blue-horse-1", dice=(1, 6, 1, 1))
    assert t.seen("red", "blue-horse-1") is not None
    assert t.at("blue-horse-1") is None


@pytest.mark.rule("1.2")
def test_1_2_without_fog_all_blocks_stay_face_up():
    s = GAME.setup("crossing", {"fog": "off"}, seed_from(1))
    assert all(piece["known"] for piece in GAME.view(s, 0)["pieces"])


@pytest.mark.rule("1.2", "5.6")
def test_1_2_without_fog_blocks_stay_face_up_after_a_battle(table):
    t = table("0404: red-foot-1\n0405: blue-foot-1\n0309: blue-foot-2", fog="off")
    t.play("move red-foot-1", "to 0405", "done", "fight 0405", "retreat 0404", dice=(1,) * 6)
    assert t.seen("red", "blue-foot-1")["known"]


@pytest.mark.rule("1.2")
def test_1_2_the_block_in_hand_is_its_owners_secret(table):
    t = table("0303: red-foot-1, red-guns-1\n0307: blue-foot-1", "red")
    t.play("move red-guns-1")
    hand = [GAME.view(t.s, side)["frames"][1]["unit"] for side in (0, 1, SPECTATOR)]
    assert hand == ["red-guns-1", None, None]
    t = table("0303: red-foot-1\n0307: blue-foot-1", "blue")
    t.play("move blue-foot-1")
    assert [GAME.view(t.s, side)["frames"][1]["unit"] for side in (0, 1)] == [None, "blue-foot-1"]


@pytest.mark.rule("1.3")
def test_1_3_steps_of_each_kind():
    assert {unit.kind: unit.steps for unit in UNITS} == {"foot": 3, "horse": 2, "guns": 2}


@pytest.mark.rule("1.3")
def test_1_3_a_block_without_steps_is_lost(table):
    t = table("0404: red-foot-1\n0405: blue-horse-1\n0309: blue-foot-1")
    events = t.play("move red-foot-1", "to 0405", "done", "fight 0405", "lose blue-horse-1", dice=(1, 1, 6, 1, 1))
    assert (t.steps("blue-horse-1"), t.at("blue-horse-1")) == (1, "0405")
    events = t.play("stay", "stay", "lose blue-horse-1", dice=(1, 6, 1, 1))
    assert t.at("blue-horse-1") is None
    assert [e.data["unit"] for e in events if e.kind == "lost"] == ["blue-horse-1"]
    t.play("move blue-foot-1", "to 0309", "done", "pledge 0", "pledge 0", "done")
    assert (t.why("move blue-horse-1").rule, t.why("move blue-horse-1").reason) == ("1.3", "off-map")


def test_data_names_are_unique():
    assert len(FOG.unit_ids) == len(UNITS)
