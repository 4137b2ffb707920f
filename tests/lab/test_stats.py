"""The arithmetic of counting, on games whose truth we know."""

import random

import pytest

from grognard.lab.measures import points
from grognard.lab.plan import unequal_for
from grognard.lab.selfplay import Match, play_match
from grognard.lab.stats import Stop, Walk, holm, judge, mean_interval, middle_80, walked, wilson


def pairs(luck: random.Random, better: float, equal: float = 0.5):
    """Pairs of a variant that wins `better` more often: half of them equal."""
    up = (1 - equal + better) / 2
    while True:
        draw = luck.random()
        yield 0.0 if draw < equal else 1.0 if draw < equal + up else -1.0


def verdicts(better: float, stop: Stop, tries: int, seed: int, equal: float = 0.5) -> dict[str, int]:
    luck = random.Random(seed)
    found: dict[str, int] = {}
    for _ in range(tries):
        _, verdict = walked(stop, pairs(luck, better, equal))
        found[verdict] = found.get(verdict, 0) + 1
    return found


@pytest.mark.parametrize("equal", [0.0, 0.5, 0.9])
def test_nothing_is_found_where_nothing_is(equal):
    """Two thousand experiments without a difference: the promised error is kept, on both sides together."""
    stop = Stop(worth=0.10, most=4000)
    found = verdicts(0.0, stop, 2000, 11, equal)
    wrong = found.get("more", 0) + found.get("less", 0)
    assert wrong <= 0.05 * 2000
    assert found["same"] >= 0.94 * 2000


def lopsided(luck: random.Random, often: float, much: float):
    """A count that seldom rises by much and more often falls by one, and on the whole does neither."""
    while True:
        draw = luck.random()
        yield much if draw < often else -1.0 if draw < often * (1 + much) else 0.0


@pytest.mark.parametrize(("often", "much", "worth"), [(0.02, 5, 0.1), (0.03, 6, 0.3), (0.02, 8, 0.3)])
def test_counts_that_are_lopsided_keep_the_promise(often, much, worth):
    """Where one pair may differ by much, the test waits for more unequal pairs; with sixteen 9 to 13 % went wrong."""
    stop, luck = Stop(worth=worth, unequal=unequal_for("fact:guns-lost")), random.Random(21)
    found = [walked(stop, lopsided(luck, often, much))[1] for _ in range(2000)]
    assert sum(verdict in ("more", "less") for verdict in found) <= 0.05 * 2000
    assert unequal_for("points") == unequal_for("level:decisive") == Stop.unequal < stop.unequal


def test_an_arm_against_itself_on_other_luck_shows_nothing():
    """A/A on games that were played: a thousand experiments of pairs drawn from them, both arms alike."""
    sides = ("careless", "careless")
    scores = [play_match(Match("picket", "crossing", sides, (), f"aa {n}", "keyed")) for n in range(40)]
    red, luck, stop = [points(score, "red") for score in scores], random.Random(17), Stop(worth=0.10)
    assert 0.2 < sum(red) / len(red) < 0.8
    found = [walked(stop, (luck.choice(red) - luck.choice(red) for _ in range(stop.most)))[1] for _ in range(1000)]
    assert sum(verdict in ("more", "less") for verdict in found) <= 0.05 * 1000


def test_what_is_there_is_found():
    stop = Stop(worth=0.10, most=4000)
    found = verdicts(0.10, stop, 2000, 12)
    assert found.get("more", 0) >= 0.95 * 2000 - 25
    assert found.get("less", 0) == 0
    found = verdicts(-0.10, stop, 500, 13)
    assert found.get("less", 0) >= 0.95 * 500 - 12


def test_one_sided_asks_one_direction():
    stop = Stop(worth=0.10, two_sided=False, most=4000)
    found = verdicts(-0.2, stop, 200, 14)
    assert set(found) == {"same"}


def test_the_pairs_run_out():
    stop = Stop(worth=0.02, most=100)
    assert verdicts(0.01, stop, 50, 15).get("undecided", 0) >= 40


def test_a_law_with_few_surprises_is_not_judged_early():
    """One unequal pair among sixty says nothing; the test waits."""
    stop, walk = Stop(worth=0.10), Walk()
    for n in range(80):
        walk.add(1.0 if n == 3 else 0.0)
        assert judge(stop, walk) == ""
    for _ in range(320):
        walk.add(0.0)
    assert judge(stop, walk) == "same"


def test_an_interval_covers_the_truth_as_often_as_it_says():
    luck = random.Random(5)
    for share in (0.05, 0.5, 0.9):
        covered = 0
        for _ in range(1000):
            low, high = wilson(sum(luck.random() < share for _ in range(60)), 60)
            covered += low <= share <= high
        assert covered >= 920
    assert wilson(0, 0) == (0.0, 1.0)
    low, high = wilson(0, 20)
    assert low < 1e-9
    assert 0.1 < high < 0.2


def test_many_questions_are_corrected_together():
    assert holm({"a": 0.01, "b": 0.04, "c": 0.5}) == {"a": 0.03, "b": 0.08, "c": 0.5}


def test_means_and_middles():
    mean, low, high = mean_interval([0.0, 1.0] * 50)
    assert low < mean == 0.5 < high
    assert mean_interval([2.0, 2.0]) == (2.0, 2.0, 2.0)
    assert middle_80(list(range(11))) == (1, 5, 9)
