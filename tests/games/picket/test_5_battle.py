"""Chapter 5: battle. Dice fall in the order of fire: the defender's blocks, then the attacker's, by their ids."""

from __future__ import annotations

import pytest

from grognard.games.picket.game import GAME
from grognard.games.picket.state import FOG

FAR = "\n0109: blue-foot-3\n0101: red-foot-3"
DUEL = "0404: red-foot-1\n0405: blue-foot-1" + FAR  # over the bridge into open ground
ATTACK = ("move red-foot-1", "to 0405", "done", "fight 0405")


def tallies(events):
    return {e.data["unit"]: dict(e.data["tally"]) for e in events if e.kind == "fire"}


def hits(events):
    return {e.data["unit"]: e.data["hits"] for e in events if e.kind == "fire"}


@pytest.mark.rule("5.1")
def test_5_1_every_hex_with_both_sides_is_fought_in_the_order_the_attacker_likes(table):
    t = table("0404: red-foot-1\n0204: red-horse-1\n0405: blue-foot-1\n0205: blue-foot-2" + FAR)
    t.play("move red-foot-1", "to 0405", "move red-horse-1", "to 0205", "done")
    assert (t.s.waiting, t.legal()) == ((0,), ["fight 0205", "fight 0405"])
    assert t.why("fight 0101").reason == "no-battle"
    t.play("fight 0405", "retreat 0404", dice=(1,) * 6)
    assert t.legal() == ["fight 0205"]


@pytest.mark.rule("5.1")
def test_5_1_the_blocks_in_the_hex_are_turned_face_up(table):
    t = table(DUEL)
    events = t.play(*ATTACK, dice=(1,) * 6)
    battle = next(e for e in events if e.kind == "battle")
    assert battle.reveals
    assert battle.data["units"] == ["red-foot-1", "blue-foot-1"]
    shown = [u for u in FOG.unit_ids if t.s.revealed[FOG.unit_ids[u]]]
    assert shown == ["red-foot-1", "blue-foot-1"]


@pytest.mark.rule("5.2")
def test_5_2_one_die_a_step_foot_and_horse_hit_on_five_guns_on_four(table):
    t = table("0404: red-horse-1, red-guns-1 1\n0405: blue-foot-1 2" + FAR)
    t.play("move red-horse-1", "to 0405", "move red-guns-1", "to 0405", "done")
    events = t.play("fight 0405", "lose red-horse-1", dice=(4, 5, 5, 4))
    assert hits(events) == {"blue-foot-1": 1, "red-horse-1": 1, "red-guns-1": 1}
    t = table("0404: red-horse-1, red-guns-1 1\n0405: blue-foot-1 2" + FAR)
    t.play("move red-horse-1", "to 0405", "move red-guns-1", "to 0405", "done")
    events = t.play("fight 0405", dice=(4, 4, 4, 4, 3))
    assert hits(events) == {"blue-foot-1": 0, "red-horse-1": 0, "red-guns-1": 0}


@pytest.mark.rule("5.2", "5.2a", "5.2c")
def test_5_2_a_six_always_hits(table):
    t = table("0405: red-foot-1 cut\n0406: blue-foot-1" + FAR)
    events = t.play("move red-foot-1", "to 0406", "done", "fight 0406", dice=(1, 1, 1, 6, 5, 5))
    assert hits(events)["red-foot-1"] == 1
    assert sum(tallies(events)["red-foot-1"].values()) == -2


@pytest.mark.rule("5.2a")
@pytest.mark.parametrize(("at", "target", "cover"), [("0405", "0406", -1), ("0306", "0206", -1), ("0404", "0405", 0)])
def test_5_2a_wood_and_hill_cover_the_defender(table, at, target, cover):
    t = table(f"{at}: red-foot-1\n{target}: blue-foot-1" + FAR)
    events = t.play("move red-foot-1", f"to {target}", "done", f"fight {target}", dice=(5, 1, 1, 5, 5)[:1] + (1,) * 2)
    assert tallies(events)["blue-foot-1"] == {}
    t = table(f"{at}: red-foot-1\n{target}: blue-foot-1" + FAR)
    events = t.play("move red-foot-1", f"to {target}", "done", f"fight {target}", dice=(1, 1, 1, 5, 5, 5))
    assert tallies(events)["red-foot-1"].get("5.2a", 0) == cover
    assert hits(events)["red-foot-1"] == (0 if cover else 3)


@pytest.mark.rule("5.2b")
def test_5_2b_a_river_crossed_to_attack_in_every_round(table):
    t = table("0204: red-foot-1\n0205: blue-foot-1" + FAR)
    events = t.play("move red-foot-1", "to 0205", "done", "fight 0205", dice=(1, 1, 1, 5, 5, 5))
    assert tallies(events) == {"blue-foot-1": {}, "red-foot-1": {"5.2b": -1}}
    assert hits(events)["red-foot-1"] == 0
    events = t.play("stay", "stay", dice=(1, 1, 1, 5, 5, 5))
    assert hits(events)["red-foot-1"] == 0


@pytest.mark.rule("5.2b")
def test_5_2b_only_the_last_step_counts(table):
    t = table("0204: red-horse-1\n0206: blue-foot-1" + FAR)  # over the river, then up the hill from the west
    t.play("move red-horse-1")
    assert "0206" not in t.targets("to")  # it must stop at 0205
    t = table("0305: red-foot-1\n0205: blue-foot-1" + FAR)  # on the same bank
    events = t.play("move red-foot-1", "to 0205", "done", "fight 0205", dice=(1, 1, 1, 1, 1, 1))
    assert tallies(events)["red-foot-1"] == {}


@pytest.mark.rule("5.2c")
def test_5_2c_blocks_without_supply_on_either_side(table):
    t = table("0404: red-foot-1 cut\n0405: blue-foot-1 cut" + FAR)
    events = t.play(*ATTACK, dice=(5, 5, 5, 5, 5, 5))
    assert tallies(events) == {"blue-foot-1": {"5.2c": -1}, "red-foot-1": {"5.2c": -1}}
    assert hits(events) == {"blue-foot-1": 0, "red-foot-1": 0}


@pytest.mark.rule("5.2d", "5.2e")
def test_5_2_the_defender_fires_first_the_attacker_with_what_is_left(table):
    t = table(DUEL)
    events = t.play(*ATTACK, "lose red-foot-1", "lose red-foot-1", dice=(6, 6, 1, 6))
    assert [e.data["unit"] for e in events if e.kind == "fire"] == ["blue-foot-1", "red-foot-1"]
    assert [len(e.data["dice"]) for e in events if e.kind == "roll"] == [3, 1]
    assert t.s.loaded == ()
    assert (t.s.waiting, t.legal()) == ((1,), ["lose blue-foot-1"])


@pytest.mark.rule("5.2d")
def test_5_2d_an_attacker_shot_away_does_not_fire(table):
    t = table("0404: red-foot-1 1\n0405: blue-foot-1" + FAR)
    events = t.play(*ATTACK, "lose red-foot-1", dice=(6, 1, 1))
    assert hits(events) == {"blue-foot-1": 1}
    assert [e.kind for e in events][-2:] == ["lost", "battle-over"]


@pytest.mark.rule("5.3")
def test_5_3_the_strongest_block_is_hit_first_and_the_owner_chooses_among_equals(table):
    t = table("0404: red-foot-1, red-horse-1\n0405: blue-foot-1" + FAR)
    t.play("move red-foot-1", "to 0405", "move red-horse-1", "to 0405", "done", "fight 0405", dice=(6, 6, 1))
    assert t.legal() == ["lose red-foot-1"]
    refusal = t.why("lose red-horse-1")
    assert (refusal.rule, refusal.reason) == ("5.3", "not-strongest")
    assert t.why("lose blue-foot-1").reason == "not-under-fire"
    t.play("lose red-foot-1")
    assert t.legal() == ["lose red-foot-1", "lose red-horse-1"]
    t.play("lose red-horse-1", dice=(1,) * 3)
    assert (t.steps("red-foot-1"), t.steps("red-horse-1")) == (2, 1)


@pytest.mark.rule("5.3")
def test_5_3_hits_beyond_the_last_step_are_lost(table):
    t = table("0404: red-foot-1 1\n0405: blue-foot-1" + FAR)
    t.play(*ATTACK, "lose red-foot-1", dice=(6, 6, 6))
    assert t.at("red-foot-1") is None
    assert t.s.waiting == (1,)
    assert t.legal()[-1] == "done"  # Blue's half turn: nothing is owed any more


@pytest.mark.rule("5.4")
def test_5_4_the_attacker_decides_first_then_the_defender(table):
    t = table(DUEL)
    t.play(*ATTACK, dice=(1,) * 6)
    assert (t.s.waiting, t.legal()) == ((0,), ["stay", "retreat 0404"])
    t.play("stay")
    assert t.s.waiting == (1,)
    assert {"stay", "retreat 0406", "retreat 0305", "retreat 0506"} <= set(t.legal())
    t.play("retreat 0406")
    assert (t.at("blue-foot-1"), t.at("red-foot-1")) == ("0406", "0405")


@pytest.mark.rule("5.4")
def test_5_4_where_a_retreat_may_go(table):
    t = table("0404: red-foot-1, red-foot-2\n0405: blue-foot-1, blue-horse-1\n0406: blue-guns-1" + FAR)
    t.put("0305", "red-guns-1")
    t.play("move red-foot-1", "to 0405", "move red-foot-2", "to 0405", "done", "fight 0405", "stay", dice=(1,) * 11)
    assert t.s.waiting == (1,)
    assert t.why("retreat 0406").rule == "4.3"  # two blocks and one there already
    assert t.why("retreat 0305").reason == "enemy-there"
    assert t.why("retreat 0407").reason == "not-next"
    assert t.targets("retreat") == ["0306", "0404", "0505", "0506"]
    t.play("retreat 0506")
    assert (t.at("blue-foot-1"), t.at("blue-horse-1")) == ("0506", "0506")


@pytest.mark.rule("5.4")
def test_5_4_there_is_no_retreat_into_the_lake(table):
    t = table("0506: red-foot-1\n0507: blue-foot-1" + FAR)
    t.play("move red-foot-1", "to 0507", "done", "fight 0507", "stay", dice=(1,) * 6)
    assert t.why("retreat 0508").reason == "not-next"


@pytest.mark.rule("5.4")
def test_5_4_an_attacker_goes_back_by_a_way_one_of_its_blocks_came(table):
    t = table("0404: red-foot-1\n0305: red-foot-2\n0405: blue-foot-1" + FAR)
    t.play("move red-foot-1", "to 0405", "move red-foot-2", "to 0405", "done", "fight 0405", dice=(1,) * 9)
    assert t.legal() == ["stay", "retreat 0305", "retreat 0404"]
    assert t.why("retreat 0505").reason == "not-whence-it-came"
    t.play("retreat 0404")
    assert (t.at("red-foot-1"), t.at("red-foot-2")) == ("0404", "0404")


@pytest.mark.rule("5.5")
def test_5_5_after_three_rounds_the_attacker_must_retreat(table):
    t = table(DUEL)
    events = t.play(*ATTACK, "stay", "stay", "stay", "stay", dice=(1,) * 18)
    assert sum(e.kind == "fire" for e in events) == 6
    assert t.legal() == ["retreat 0404"]
    assert (t.why("stay").rule, t.why("stay").reason) == ("5.5", "must-retreat")
    t.play("retreat 0404")
    assert t.s.waiting == (1,)
    assert t.at("red-foot-1") == "0404"


@pytest.mark.rule("5.5")
def test_5_5_an_attacker_who_wins_in_the_last_round_stays(table):
    t = table("0404: red-foot-1\n0405: blue-foot-1 1" + FAR)
    dice = (1, 1, 1, 1, 1, 1, 1, 1, 1, 6, 1, 1)
    t.play(
        "move red-foot-1",
        "to 0405",
        "done",
        "fight 0405",
        "stay",
        "stay",
        "stay",
        "stay",
        "lose blue-foot-1",
        dice=dice,
    )
    assert (t.at("red-foot-1"), t.steps("red-foot-1"), t.at("blue-foot-1")) == ("0405", 3, None)


@pytest.mark.rule("5.5")
def test_5_5_an_attacker_with_no_way_back_is_lost(table):
    t = table("0404: red-foot-1\n0504: red-foot-2, red-horse-1\n0405: blue-foot-1" + FAR)
    t.play("move red-foot-1", "to 0405", "move red-foot-2", "to 0404", "move red-horse-1", "to 0404", "done")
    t.play("fight 0405", "stay", "stay", "stay", "stay", dice=(1,) * 18)
    assert t.s.waiting == (1,)  # the attacker is not asked: it has no choice
    events = t.play("stay")
    assert [e.data["unit"] for e in events if e.kind == "lost"] == ["red-foot-1"]
    assert t.at("red-foot-1") is None
    assert t.at("blue-foot-1") == "0405"


@pytest.mark.rule("5.6")
def test_5_6_survivors_stand_up_and_are_remembered_as_they_were(table):
    t = table(DUEL)
    t.play(*ATTACK, "lose blue-foot-1", "retreat 0404", dice=(1, 1, 1, 6, 1, 1))
    block = t.seen("red", "blue-foot-1")
    assert (block["known"], block["remembered"], block["remembered_note"]) == (False, "blue-foot-1", 2)
    assert "steps" not in block
    assert t.seen("blue", "red-foot-1")["remembered"] == "red-foot-1"
    assert not any(t.s.revealed)


@pytest.mark.rule("5.6")
def test_5_6_other_attackers_stay_in_their_battles(table):
    t = table("0404: red-foot-1\n0204: red-horse-1\n0405: blue-foot-1\n0205: blue-foot-2" + FAR)
    t.play("move red-foot-1", "to 0405", "move red-horse-1", "to 0205", "done", "fight 0405", "stay", "retreat 0406",
           "fight 0205", dice=(1,) * 11)  # fmt: skip
    assert t.legal() == ["stay", "retreat 0204"]


def test_a_battle_leaves_no_trace_in_the_next_half(table):
    t = table(DUEL)
    t.play(*ATTACK, "retreat 0404", dice=(1,) * 6)
    assert not any(came >= 0 for came in t.s.came)
    assert not GAME.problems(t.s)
