"""Chapter 6: supply. Red's bases lie on the western edge, Blue's on the eastern."""

from __future__ import annotations

import pytest

from grognard.games.picket.loading import GRID
from grognard.games.picket.rules.supply import supply_lanes
from grognard.games.picket.state import FOG


def supplied(t, side, hex):
    return GRID.hex_named(hex) in supply_lanes(t.s, side)


@pytest.mark.rule("6.1")
def test_6_1_a_lane_is_at_most_seven_points_long(table):
    t = table("0101: red-foot-1\n0709: blue-foot-1")
    assert supply_lanes(t.s, 0).distance(GRID.hex_named("0307")) == 7  # six hexes and the river
    assert supplied(t, 0, "0307")
    assert not supplied(t, 0, "0308")


@pytest.mark.rule("6.1")
def test_6_1_blocks_are_checked_at_the_end_of_their_half(table):
    t = table("0309: red-foot-1\n0102: red-foot-2\n0109: blue-foot-1\n0709: blue-foot-2")
    events = t.play("done")
    assert t.is_cut_off("red-foot-1")
    assert not t.is_cut_off("red-foot-2")
    assert [e.kind for e in events] == ["cut-off"]
    assert t.steps("red-foot-1") == 3
    t.put("0302", "red-foot-1", "cut")
    t.play("done", "pledge 0", "pledge 0", "done")
    assert not t.is_cut_off("red-foot-1")


@pytest.mark.rule("6.1")
def test_6_1_an_enemy_zone_stops_a_lane_where_no_friend_stands(table):
    wall = "0102: blue-foot-1\n0402: blue-foot-2\n0702: blue-foot-3\n0105: red-foot-1"
    t = table(wall)
    assert not supplied(t, 0, "0105")
    assert not supplied(t, 0, "0303")
    t = table(wall + "\n0302: red-foot-2")
    assert not supplied(t, 0, "0105")
    t = table(wall + "\n0302: red-foot-2\n0303: red-foot-3")
    assert supplied(t, 0, "0105")  # friends in 0302 and 0303 hold the way open


@pytest.mark.rule("6.1")
def test_6_1_a_lane_does_not_begin_in_an_enemy_zone(table):
    t = table("0201: blue-foot-1\n0601: blue-foot-2\n0303: red-foot-1\n0109: blue-foot-3")
    assert not supplied(t, 0, "0101")
    assert not supplied(t, 0, "0301")
    t = table("0201: blue-foot-1\n0601: blue-foot-2\n0301: red-foot-1\n0109: blue-foot-3")
    assert supplied(t, 0, "0301")


@pytest.mark.rule("6.1")
def test_6_1_each_side_has_its_own_bases(table):
    t = table("0209: blue-foot-1\n0201: red-foot-1")
    assert supplied(t, 1, "0209")
    assert supplied(t, 0, "0201")
    assert not supplied(t, 0, "0209")
    assert not supplied(t, 1, "0201")


@pytest.mark.rule("6.2")
def test_6_2_a_block_cut_off_twice_in_a_row_loses_a_step(table):
    t = table("0309: red-foot-1 cut\n0409: red-foot-2\n0101: red-foot-3\n0109: blue-foot-1\n0709: blue-foot-2")
    events = t.play("done")
    assert (t.steps("red-foot-1"), t.steps("red-foot-2")) == (2, 3)
    assert [e.rule for e in events if e.kind == "loss"] == ["6.2"]


@pytest.mark.rule("6.2")
def test_6_2_a_block_that_is_fed_again_loses_nothing(table):
    t = table("0202: red-foot-1 cut\n0101: red-foot-3\n0109: blue-foot-1\n0709: blue-foot-2")
    t.play("done")
    assert (t.steps("red-foot-1"), t.s.cut_off[FOG.unit_ids["red-foot-1"]]) == (3, 0)


@pytest.mark.rule("6.2", "1.3")
def test_6_2_hunger_may_destroy_a_block(table):
    t = table("0309: red-foot-1 1 cut\n0101: red-foot-3\n0109: blue-foot-1\n0709: blue-foot-2")
    events = t.play("done")
    assert t.at("red-foot-1") is None
    assert events[-1].reveals


@pytest.mark.rule("6.2", "1.2")
def test_6_2_the_enemy_does_not_learn_which_block_hungers(table):
    t = table("0309: red-foot-1 cut\n0101: red-foot-3\n0109: blue-foot-1\n0709: blue-foot-2")
    events = t.play("done")
    heard = [e.to_json(1)["unit"] for e in events]
    assert heard
    assert all(name.startswith("#") for name in heard)
