"""Chapter 4: movement."""

from __future__ import annotations

import pytest

from grognard.games.picket.game import GAME
from grognard.games.picket.loading import GRID
from grognard.games.picket.state import FOG
from grognard.kernel import seed_from

FAR = "\n0109: blue-foot-3"  # somebody must be alive on the other side


@pytest.mark.rule("4.1")
def test_4_1_each_block_moves_once_in_any_order(table):
    t = table("0203: red-foot-2\n0303: red-foot-1" + FAR)
    assert t.legal() == ["move red-foot-1", "move red-foot-2", "done"]
    t.play("move red-foot-2", "to 0204")
    assert t.legal() == ["move red-foot-1", "done"]
    assert t.why("move red-foot-2").reason == "has-moved"
    assert (t.at("red-foot-2"), t.s.moved[FOG.unit_ids["red-foot-2"]]) == ("0204", 1)


@pytest.mark.rule("4.1")
def test_4_1_a_side_need_not_move(table):
    t = table("0203: red-foot-2" + FAR)
    t.play("done")
    assert t.s.waiting == (1,)


@pytest.mark.rule("4.1")
def test_4_1_a_block_put_down_where_it_stands_has_moved(table):
    t = table("0203: red-foot-1" + FAR)
    assert t.play("move red-foot-1", "to 0203") == []
    assert t.why("move red-foot-1").reason == "has-moved"


@pytest.mark.rule("4.1")
def test_4_1_a_block_remembers_whence_it_came_into_a_battle_and_only_then(table):
    t = table("0404: red-foot-1\n0303: red-foot-2\n0405: blue-foot-1" + FAR)
    t.play("move red-foot-1", "to 0405", "move red-foot-2", "to 0302")
    came = {name: t.s.came[FOG.unit_ids[name]] for name in ("red-foot-1", "red-foot-2", "blue-foot-1")}
    assert came == {"red-foot-1": GRID.hex_named("0404"), "red-foot-2": -1, "blue-foot-1": -1}


@pytest.mark.rule("4.1")
def test_4_1_a_block_is_put_down_where_there_is_room_beside_an_enemy_or_in_an_empty_hex(table):
    t = table("0203: red-foot-1\n0204: red-foot-2, red-foot-3\n0303: blue-foot-1" + FAR)
    t.play("move red-foot-1")
    legal = t.legal()
    assert "to 0202" in legal  # nobody there
    assert "to 0303" in legal  # an enemy there
    assert "to 0203" in legal  # where it stands
    assert "to 0204" not in legal  # two friends there


@pytest.mark.rule("4.1")
def test_4_1_one_block_at_a_time_and_only_ones_own(table):
    t = table("0203: red-foot-1\n0303: red-foot-2" + FAR)
    assert t.why("to 0204").reason == "pick-first"
    assert t.why(f"move #{t.s.token[FOG.unit_ids['blue-foot-3']]}").reason == "not-yours"
    assert t.why("move blue-foot-3").reason == "unknown-target"  # nobody may ask which token a name has
    t.play("move red-foot-1")
    assert t.why("move red-foot-2").reason == "in-hand"
    assert t.why("move red-foot-2").data == {"unit": "red-foot-1"}
    assert t.why("done").reason == "in-hand"


def cost(t, unit, hex):
    """The fewest points with which a block gets to a hex."""
    from grognard.games.picket.loading import STEPS, UNITS
    from grognard.games.picket.rules.movement import enemy_zone
    from grognard.hexes import reach

    u = FOG.unit_ids[unit]
    return reach(STEPS, t.s.at[u], UNITS[u].points, zoc=enemy_zone(t.s, 0)).cost(GRID.hex_named(hex))


@pytest.mark.rule("4.2")
def test_4_2_terrain_costs(table):
    t = table("0302: red-foot-1\n0603: red-horse-1" + FAR)
    assert cost(t, "red-foot-1", "0303") == 1  # open ground
    assert cost(t, "red-foot-1", "0202") == 2  # a wood
    assert cost(t, "red-foot-1", "0402") == 2  # a hill
    assert cost(t, "red-horse-1", "0704") == 2  # a hill


@pytest.mark.rule("4.2")
def test_4_2_three_points_for_foot_and_guns_five_for_horse(table):
    t = table("0301: red-foot-1, red-guns-1\n0501: red-horse-1" + FAR)
    t.play("move red-foot-1")
    assert "0303" in t.targets("to")
    assert "0401" in t.targets("to")
    assert "0304" not in t.targets("to")  # 1 + 1 and two for the wood
    assert t.why("to 0304").reason == "out-of-reach"
    t.play("to 0301", "move red-guns-1")
    assert "0303" in t.targets("to")
    assert "0304" not in t.targets("to")
    t.play("to 0301", "move red-horse-1")
    distances = {GRID.distance(GRID.hex_named("0501"), GRID.hex_named(hex)) for hex in t.targets("to")}
    assert max(distances) == 5
    assert "0505" not in t.targets("to")  # four hexes away, but there is a wood or a river on every way


@pytest.mark.rule("4.2")
def test_4_2_a_river_costs_one_more(table):
    t = table("0204: red-foot-1\n0404: red-foot-2" + FAR)
    assert cost(t, "red-foot-1", "0205") == 2
    assert cost(t, "red-foot-2", "0405") == 1  # the bridge of Pont


@pytest.mark.rule("4.2")
def test_4_2_the_lake_is_closed(table):
    t = table("0507: blue-foot-1\n0101: red-foot-1", "blue")
    t.play("move blue-foot-1")
    assert "0508" not in t.targets("to")
    assert t.why("to 0508").reason == "out-of-reach"


@pytest.mark.rule("4.2", "4.3")
def test_4_2_blocks_pass_through_friends(table):
    t = table("0301: red-foot-1\n0302: red-foot-2, red-guns-1\n0202: red-horse-1, red-foot-3\n0401: red-horse-2" + FAR)
    t.play("move red-foot-1")
    assert "0303" in t.targets("to")


@pytest.mark.rule("4.3")
def test_4_3_two_blocks_of_a_side_in_a_hex_at_most(table):
    t = table("0302: red-foot-1\n0303: red-foot-2, red-foot-3\n0304: red-guns-1" + FAR)
    t.play("move red-foot-1")
    assert t.why("to 0303").rule == "4.3"
    assert t.why("to 0303").reason == "stacking"
    assert "0303" not in t.legal()
    t.play("to 0302", "move red-foot-2")
    assert "0304" in t.targets("to")
    assert "0303" in t.targets("to")  # a full hex does not drive out who stands there


@pytest.mark.rule("4.3")
def test_4_3_enemies_do_not_count(table):
    t = table("0303: red-foot-1, red-guns-1\n0304: blue-foot-1, blue-guns-1")
    t.play("move red-foot-1", "to 0304", "move red-guns-1")
    assert "0304" in t.targets("to")


@pytest.mark.rule("4.4")
def test_4_4_a_block_stops_next_to_an_enemy(table):
    row = "0603: red-horse-1\n"
    free = table(row + FAR)
    free.play("move red-horse-1")
    assert {"0605", "0606"} & set(free.targets("to"))
    t = table(row + "0505: blue-foot-1")
    t.play("move red-horse-1")
    assert "0604" in t.targets("to")  # next to 0505: stop
    assert not {"0605", "0606"} & set(t.targets("to"))


@pytest.mark.rule("4.4")
def test_4_4_a_block_may_leave_a_zone_and_go_straight_into_another(table):
    t = table("0604: red-foot-1\n0505: blue-foot-1")
    t.play("move red-foot-1")
    assert "0603" in t.targets("to")
    assert "0504" in t.targets("to")  # from zone to zone
    assert "0505" in t.targets("to")  # and into the enemy's hex
    assert "0602" in t.targets("to")  # out of the zone and on


@pytest.mark.rule("4.4")
def test_4_4_an_enemy_hex_stops_too(table):
    t = table("0302: red-horse-1\n0303: blue-foot-1")
    t.play("move red-horse-1")
    assert "0303" in t.targets("to")
    assert "0305" not in t.targets("to")


@pytest.mark.rule("4.5")
def test_4_5_blocks_that_share_a_hex_are_mixed(table):
    t = table("0404: red-foot-1, red-guns-1\n0204: red-foot-2\n0405: blue-foot-1")
    for unit in ("red-foot-1", "red-guns-1", "red-foot-2"):
        GAME.fog.remember(t.s, 1, FOG.unit_ids[unit], 3)
    t.play("done", dice=(1,))
    known = [GAME.fog.recall(t.s, 1, FOG.unit_ids[unit]) >= 0 for unit in ("red-foot-1", "red-guns-1", "red-foot-2")]
    assert known == [False, False, True]


@pytest.mark.rule("4.5")
def test_4_5_the_tokens_change_places_by_chance(table):
    after = set()
    for seed in range(12):
        t = table("0404: red-foot-1, red-guns-1\n0209: blue-foot-1")
        t.s.seed = seed_from(seed)
        t.play("done")
        after.add(t.s.token[FOG.unit_ids["red-foot-1"]])
    assert len(after) == 2


@pytest.mark.rule("4.5")
def test_4_5_dice_typed_by_the_players_do_not_mix_the_blocks(table):
    t = table("0404: red-foot-1, red-guns-1\n0209: blue-foot-1")
    t.play("done", dice=(6, 6))
    assert t.s.loaded == (6, 6)


def test_legal_is_the_list_of_candidates_without_a_refusal(table):
    from grognard.kernel import Decision

    t = table("0404: red-foot-1, red-guns-1\n0204: red-horse-1\n0405: blue-foot-1")
    t.play("move red-horse-1")
    decision = GAME.decision(t.s)
    slow = Decision.legal(decision, t.s, t.s.frames[-1], 0)
    assert decision.legal(t.s, t.s.frames[-1], 0) == slow
