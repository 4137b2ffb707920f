"""Chapter 2: the turn."""

from __future__ import annotations

import pytest

from grognard.games.picket.game import GAME
from grognard.games.picket.loading import SCENARIOS
from grognard.kernel import seed_from, where_are_we

APART = "0201: red-foot-1\n0209: blue-foot-1"


@pytest.mark.rule("2.1")
def test_2_1_a_turn_begins_with_pledges_and_fresh_blocks(table):
    t = table(APART)
    events = t.play("move red-foot-1", "to 0202", "done", "done")
    assert where_are_we(t.s) == "match 3.1"
    assert t.s.turn == 2
    assert not any(t.s.moved)
    assert [e.data["turn"] for e in events if e.kind == "turn"] == [2]


@pytest.mark.rule("2.2")
def test_2_2_one_side_moves_fights_and_checks_supply_then_the_other(table):
    t = table("0201: red-foot-1\n0204: red-foot-2\n0205: blue-foot-1\n0309: blue-foot-2")
    assert t.s.waiting == (0,)
    t.play("move red-foot-2", "to 0205", "done")
    assert where_are_we(t.s) == "match 2.2a > side_turn 5.1"
    t.play("fight 0205", "retreat 0204", dice=(1,) * 6)
    assert (where_are_we(t.s), t.s.waiting) == ("match 2.2b > side_turn 4.1", (1,))


@pytest.mark.rule("2.2")
def test_2_2_the_first_half_belongs_to_the_side_that_moves_first():
    s = GAME.setup("crossing", {}, seed_from(1))
    GAME.obey(s, 0, ("pledge", "2"))
    GAME.obey(s, 1, ("pledge", "0"))
    assert s.waiting == (1,)
    GAME.obey(s, 1, ("done", ""))
    assert s.waiting == (0,)
    GAME.obey(s, 0, ("done", ""))
    assert s.waiting == (0, 1)


@pytest.mark.rule("2.3")
@pytest.mark.parametrize("scenario", sorted(SCENARIOS))
def test_2_3_the_game_lasts_as_many_turns_as_the_scenario_says(scenario):
    s = GAME.setup(scenario, {}, seed_from(1))
    pledges = 0
    while s.waiting:
        verb = GAME.legal(s, s.waiting[0])[0][0]
        pledges += verb == "pledge"
        GAME.obey(s, s.waiting[0], ("pledge", "0") if verb == "pledge" else ("done", ""))
    assert pledges == 2 * SCENARIOS[scenario]["turns"]
    assert GAME.result(s).rule == "7.1"
