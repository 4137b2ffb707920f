"""The report after a game: the curve, the luck of the dice, the marks; for every title, from what a side could know."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.ai import GreedyPlayer, Seat
from grognard.ai.review import MARKS, of_side, review
from grognard.ai.value import fitted
from grognard.games import find_game, playable_names
from grognard.kernel import seed_from


def a_game(name: str, scenario: str, seed: str, most: int) -> tuple[Any, Any, list[Any], list[bool]]:
    """A game of plain players who slip, its course, and which decisions rolled dice."""
    game = find_game(name)
    start = game.setup(scenario, {}, seed_from(seed))
    s, course, rolled = start.copy(), [], []
    s.events = None
    for number in range(most):
        if not s.waiting:
            break
        side = s.waiting[0]
        action = GreedyPlayer(samples=1, slips=30).choose(Seat(game, s, side, f"{seed} {number}")).action
        before = s.draws
        game.apply(s, side, action, trusted=True)
        course.append((side, action))
        rolled.append(s.draws != before)
    return game, start, course, rolled


def test_a_whole_game_has_a_curve_luck_and_marks() -> None:
    game, start, course, rolled = a_game("picket", "crossing", "review", 2000)
    before = start.digest()
    found = review(game, start, course, most=25)
    assert start.digest() == before, "the first position is left alone"
    assert len(found.curve) == len(course) + 1
    assert found.curve[-1] in (0, 50, 100), "an ended game is certain"
    assert not found.rough
    assert set(found.luck) == {number for number, die in enumerate(rolled) if die}
    assert len(found.judged) == 25
    for number, judged in found.judged.items():
        assert (judged.side, judged.action) == course[number]
        assert judged.mark == next((name for least, name in MARKS if judged.cost >= least), "")
    assert any(found.marks(side)["inaccuracy"] or found.marks(side)["mistake"] for side in (0, 1))
    assert found.luck_of(0) == sum(value for side, value in found.luck.values() if side == 0)
    again = review(game, start, course, most=25)
    assert (again.curve, again.judged, again.luck) == (found.curve, found.judged, found.luck), "the same every time"


def test_the_decisions_judged_are_those_at_which_the_chance_moved_most() -> None:
    game, start, course, _ = a_game("picket", "raid", "swing", 2000)
    found = review(game, start, course, most=10)
    swings = [abs(b - a) for a, b in zip(found.curve, found.curve[1:])]
    free = [n for n in range(len(course)) if n not in found.judged]
    assert sum(swings[n] for n in found.judged) / len(found.judged) > 2 * sum(swings[n] for n in free) / len(free)


@pytest.mark.parametrize("name", [name for name in playable_names() if fitted(name)])
def test_every_title_can_be_reviewed(name: str) -> None:
    """The first forty decisions of a fitted scenario: a chance everywhere, nothing changed."""
    scenario = next(iter(fitted(name)))
    game, start, course, _ = a_game(name, scenario, "title", 40)
    found = review(game, start, course, most=3)
    assert len(found.curve) == len(course) + 1
    assert all(0 <= value <= 100 for value in found.curve)
    assert not found.rough
    assert found.judged


def test_where_nothing_was_fitted_the_curve_is_rough_and_nothing_is_marked() -> None:
    game, start, course, _ = a_game("surrender", "mediterranean", "rough", 60)
    found = review(game, start, course)
    assert found.rough
    assert len(found.curve) == len(course) + 1
    assert found.curve[0] == 50
    assert not found.judged
    assert not found.luck


def test_partners_have_the_same_chance() -> None:
    game = find_game("normandie")
    s = game.setup("cobra", {"players": "3"}, seed_from(1))
    assert of_side(game, s, 0.7, 0) == of_side(game, s, 0.7, 2) == 0.7
    assert of_side(game, s, 0.7, 1) == pytest.approx(0.3)
