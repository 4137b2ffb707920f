"""Chapter 7: victory."""

from __future__ import annotations

import pytest

from grognard.games.picket.game import GAME
from grognard.games.picket.loading import SCENARIOS

APART = "0201: red-foot-1\n0209: blue-foot-1"


@pytest.mark.rule("7.1")
@pytest.mark.parametrize(
    ("scenario", "held", "winner", "level"),
    [
        ("crossing", 0, 1, "decisive"),
        ("crossing", 1, 1, "marginal"),
        ("crossing", 2, 0, "marginal"),
        ("crossing", 3, 0, "decisive"),
        ("raid", 1, 1, "marginal"),
        ("raid", 2, 0, "marginal"),
    ],
)
def test_7_1_villages_held_after_the_last_turn(table, scenario, held, winner, level):
    last = {"crossing": 6, "raid": 4}[scenario]
    assert GAME.view(table(APART, scenario=scenario).s, 0)["scenario"] == scenario
    t = table(APART, scenario=scenario, turn=last - 1)
    t.play("done", "done")
    assert GAME.result(t.s) is None
    t = table(APART, scenario=scenario, turn=last)
    for village in range(held):
        t.s.holder[village] = 0
    t.play("done")
    assert GAME.result(t.s) is None
    t.play("done")
    assert GAME.result(t.s) == (winner, level, "7.1")


@pytest.mark.rule("7.1")
def test_7_1_not_before_the_last_turn(table):
    t = table(APART, turn=SCENARIOS["crossing"]["turns"] - 1)
    t.play("done", "done")
    assert GAME.result(t.s) is None


@pytest.mark.rule("7.2")
def test_7_2_a_village_belongs_to_who_was_last_alone_in_it(table):
    t = table("0305: red-horse-1\n0209: blue-foot-1")
    assert t.holder("0205") == "blue"
    events = t.play("move red-horse-1", "to 0205")
    assert t.holder("0205") == "red"
    assert [e.kind for e in events] == ["moved", "village"]
    t.play("done", "done", "pledge 0", "pledge 0", "move red-horse-1", "to 0305")
    assert t.holder("0205") == "red"  # though nobody is there now


@pytest.mark.rule("7.2", "5.6")
def test_7_2_not_while_both_are_there_but_when_the_defender_is_gone(table):
    t = table("0404: red-foot-1\n0405: blue-foot-1 1\n0209: blue-foot-2")
    t.play("move red-foot-1", "to 0405", "done")
    assert t.holder("0405") == "blue"
    t.play("fight 0405", "lose blue-foot-1", dice=(1, 6, 1, 1))
    assert t.holder("0405") == "red"


@pytest.mark.rule("7.2", "5.4")
def test_7_2_a_retreat_may_take_a_village(table):
    t = table("0304: red-foot-1\n0305: blue-foot-1\n0101: red-foot-2\n0209: blue-foot-2")
    t.s.holder[0] = 0
    t.play("move red-foot-1", "to 0305", "done", "fight 0305", "stay", "retreat 0205", dice=(1,) * 6)
    assert t.holder("0205") == "blue"


@pytest.mark.rule("7.3")
def test_7_3_a_side_without_blocks_has_lost_at_once(table):
    t = table("0404: red-foot-1\n0405: blue-horse-1 1")
    t.play("move red-foot-1", "to 0405", "done", "fight 0405", "lose blue-horse-1", dice=(1, 6, 1, 1))
    assert GAME.result(t.s) == (0, "decisive", "7.3")
    t = table("0404: red-foot-1 1\n0405: blue-horse-1 1")
    t.play("move red-foot-1", "to 0405", "done", "fight 0405", "lose red-foot-1", dice=(6,))
    assert GAME.result(t.s) == (1, "decisive", "7.3")


@pytest.mark.rule("7.3")
def test_7_3_also_in_the_second_half_and_before_the_villages_are_counted(table):
    t = table("0404: red-foot-1 1\n0405: blue-foot-1", turn=6)
    t.s.holder[0] = t.s.holder[1] = 0
    t.play("done", "move blue-foot-1", "to 0404", "done", "fight 0404", "lose red-foot-1", dice=(1, 6, 1, 1))
    assert GAME.result(t.s) == (1, "decisive", "7.3")


@pytest.mark.rule("7.3", "6.2")
def test_7_3_if_neither_side_has_a_block_the_game_is_drawn(table):
    t = table("0308: red-foot-1 1 cut\n0309: blue-horse-1 1")
    t.play("move red-foot-1", "to 0309", "done", "fight 0309", "lose blue-horse-1", dice=(1, 6))
    assert t.at("red-foot-1") is None  # it wins its battle, and starves
    assert GAME.result(t.s) == (None, "decisive", "7.3")
