"""Chapter 3: orders."""

from __future__ import annotations

import pytest

from grognard.games.picket.game import GAME
from grognard.kernel import seed_from


@pytest.fixture
def s():
    return GAME.setup("crossing", {}, seed_from(1))


def pledge(s, red, blue):
    GAME.obey(s, 0, ("pledge", str(red)))
    GAME.obey(s, 1, ("pledge", str(blue)))


def end_turn(s):
    for _ in (0, 1):
        GAME.obey(s, s.waiting[0], ("done", ""))


@pytest.mark.rule("3.1")
def test_3_1_both_sides_pledge_at_once_up_to_two_of_six(s):
    assert s.waiting == (0, 1)
    assert list(s.orders) == [6, 6]
    assert GAME.orders(s, 0) == GAME.orders(s, 1) == [("pledge", "0"), ("pledge", "1"), ("pledge", "2")]
    assert GAME.why(s, 0, ("pledge", "3")).reason == "pledge-limit"
    assert GAME.why(s, 0, ("pledge", "-1")).reason == "unknown-target"


@pytest.mark.rule("3.1")
def test_3_1_a_pledge_is_secret_until_both_are_made(s):
    s.events = []
    before = GAME.view(s, 1)
    GAME.obey(s, 0, ("pledge", "2"))
    assert s.waiting == (1,)
    assert GAME.view(s, 0)["pledge"] == [2, None]
    assert GAME.view(s, 1) | {"waiting": 0} == before | {"waiting": 0}
    assert [e.audience for e in s.events] == [(0,)]


@pytest.mark.rule("3.1")
def test_3_1_only_orders_that_are_left_can_be_pledged(s):
    for _ in range(3):
        pledge(s, 2, 0)
        end_turn(s)
    assert GAME.orders(s, 0) == [("pledge", "0")]
    assert GAME.why(s, 0, ("pledge", "1")).reason == "no-orders-left"


@pytest.mark.rule("3.2")
def test_3_2_pledges_are_shown_and_spent_whoever_was_higher(s):
    s.events = []
    pledge(s, 2, 1)
    shown = next(e for e in s.events if e.kind == "pledges")
    assert (shown.data["red"], shown.data["blue"], shown.audience, shown.reveals) == (2, 1, None, True)
    assert list(s.orders) == [4, 5]
    assert list(s.pledge) == [-1, -1]


@pytest.mark.rule("3.3")
@pytest.mark.parametrize(("red", "blue", "first"), [(2, 1, 1), (0, 1, 0), (1, 1, 0)])
def test_3_3_the_higher_pledge_moves_last(s, red, blue, first):
    pledge(s, red, blue)
    assert (s.first, s.waiting) == (first, (first,))


@pytest.mark.rule("3.3")
def test_3_3_after_a_tie_the_order_stands(s):
    pledge(s, 1, 0)
    end_turn(s)
    pledge(s, 1, 1)
    assert s.waiting == (1,)
