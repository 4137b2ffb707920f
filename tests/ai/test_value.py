"""The chance of winning: fitted, calibrated on games kept back, and never from what is hidden."""

from __future__ import annotations

import random

import pytest

from grognard.ai import GreedyPlayer, Seat
from grognard.ai.review import judge
from grognard.ai.value import chance, chance_at, features, fit, fitted, logistic, solve
from grognard.games import find_game, playable_names
from grognard.kernel import seed_from
from grognard.lab.train import loss, reliability, train

GAME = find_game("picket")


def test_a_fit_finds_the_curve_that_made_the_games() -> None:
    luck = random.Random(1)
    rows = [[1.0, luck.random() * 4 - 2] for _ in range(3000)]
    wins = [float(luck.random() < logistic(0.5 + 1.5 * x)) for _, x in rows]
    constant, slope = fit(rows, wins)
    assert constant == pytest.approx(0.5, abs=0.15)
    assert slope == pytest.approx(1.5, abs=0.15)


def test_equations_are_solved() -> None:
    assert solve([[0.0, 2.0], [1.0, 1.0]], [4.0, 5.0]) == pytest.approx([3.0, 2.0])


def test_features_are_bounded_and_know_how_much_is_over() -> None:
    row = features({"score": 5000}, {"score": 100}, 5, (1, 5))
    assert row == [1.0, 4.0, 1.0, 4.0]
    assert features({"score": -50}, {"score": 100}, 1, (1, 5)) == [1.0, -0.5, 0.0, -0.0]


def test_training_is_repeatable_and_beats_a_constant() -> None:
    one, two = (train("picket", "raid", 12, 5) for _ in range(2))
    assert one == two
    assert one["command"] == "grognard train picket raid --games 12 --seed 5"
    assert sum(number for _, _, number in one["reliability"]) > 0


def test_what_is_on_record_is_of_these_rules_or_the_last_and_better_than_a_constant() -> None:
    found = 0
    for name in playable_names():
        for scenario, row in fitted(name).items():
            assert scenario in find_game(name).scenarios
            assert find_game(name).version - row["rules"] in (0, 1), f"{name} {scenario}: train again"
            assert row["loss_kept_back"] < row["loss_of_a_constant"], f"{name} {scenario}"
            assert len(row["weights"]) == 2 + 2 * len(row["scales"])
            found += 1
    assert found


def test_the_chances_of_both_sides_add_up_and_an_ended_game_is_certain() -> None:
    s = GAME.setup("crossing", {}, seed_from(1))
    red = chance_at(GAME, s)
    assert red is not None
    assert 0 < red < 1
    assert abs((chance(GAME, s, 0) or 0) + (chance(GAME, s, 1) or 0) - 100) <= 12, "each from what it knows"
    s.outcome = (0, "victory", "7.1")
    assert chance_at(GAME, s) == 1.0


def test_the_chance_told_to_a_side_hangs_on_what_it_knows() -> None:
    s = GAME.setup("crossing", {}, seed_from(2))
    twin = GAME.redeal(s, 0, seed_from("twin"))
    assert twin.to_json()["at"] != s.to_json()["at"]
    assert chance(GAME, s, 0) == chance(GAME, twin, 0)


def test_a_game_without_a_fit_says_nothing() -> None:
    game = find_game("normandie")
    s = game.setup("campaign", {}, seed_from(1))
    if "campaign" not in fitted("normandie"):
        assert chance(game, s, 0) is None


def test_a_move_that_lets_a_chance_go_is_marked_with_the_better_one() -> None:
    """Along a senseless game: where a unit in hand could have taken a village, wandering off is a mistake."""
    s = GAME.setup("crossing", {}, seed_from(3))
    for side in (0, 1):
        GAME.apply(s, side, ("pledge", 0))
    marked = []
    for number in range(40):
        side = s.waiting[0]
        legal = GAME.legal(s, side)
        judged = judge(GAME, s, side, legal[0])
        assert judged is not None
        assert judged.luck == 0, "nothing was rolled"
        if judged.mark:
            marked.append(judged)
            best = judge(GAME, s, side, judged.better)
            assert best is not None
            assert (best.cost, best.mark, best.better) == (0, "", best.action), "the better one is the best"
        GAME.apply(s, side, legal[number % len(legal)])
    assert [judged.mark for judged in marked if judged.cost >= 10], "no mistake was found in a senseless game"
    assert all(judged.mark == "mistake" for judged in marked if 10 <= judged.cost < 20)


def test_luck_is_what_came_less_what_was_to_be_expected() -> None:
    """Over the dice of one battle the luck is near nothing on the mean, and not nothing each time."""
    s = GAME.setup("crossing", {}, seed_from(8))
    while not any(verb == "fight" for verb, _ in GAME.legal(s, s.waiting[0])):
        side = s.waiting[0]
        GAME.apply(s, side, GreedyPlayer(samples=1).choose(Seat(GAME, s, side, "walk")).action)
    side = s.waiting[0]
    fight = next(a for a in GAME.legal(s, side) if a[0] == "fight")
    found = []
    for number in range(12):
        s.seed = seed_from(f"dice {number}")
        judged = judge(GAME, s, side, fight)
        assert judged is not None
        found.append(judged.luck)
    assert len(set(found)) > 1
    assert abs(sum(found)) / len(found) < 8


def test_loss_and_reliability_are_those_of_the_book() -> None:
    assert loss([(0.5, 1.0), (0.5, 0.0)]) == pytest.approx(0.693, abs=0.001)
    assert reliability([(0.1, 0.0), (0.15, 1.0), (0.9, 1.0)]) == [[12, 50, 2], [90, 100, 1]]
