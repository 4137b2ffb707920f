"""The ladder: who is offered where, matches with intervals, the same moves everywhere, nothing from hidden truth."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from grognard.ai import LEVELS, GreedyPlayer, PlanPlayer, Seat, StaffPlayer, Stopped, offered, player_named
from grognard.ai.levels import RUNGS, YARDSTICK, measured
from grognard.cli.ladder_cmd import rows_to_play
from grognard.games import find_game, playable_names
from grognard.kernel import seed_from
from grognard.kernel.errors import UnknownName
from grognard.kernel.texts import texts_for
from grognard.lab.ladder import levels_for, match, play_game, wilson


def small_planner() -> PlanPlayer:
    return PlanPlayer(plans=4, mutants=2, rollouts=6, battles=4, ahead=0)


def test_every_level_has_a_name_in_both_languages() -> None:
    for lang in ("en", "fr"):
        names = [texts_for("", lang).say(f"skill.{level.name}") for level in RUNGS if level.listed]
        assert len(set(names)) == len(names) >= 5, "four levels above random at least"
        assert not any(name.startswith("skill.") for name in names)


def test_a_level_is_offered_only_where_it_was_shown_stronger(monkeypatch: pytest.MonkeyPatch) -> None:
    row = {"scenario": "crossing", "level": "planner", "against": YARDSTICK, "low": 51}
    monkeypatch.setattr("grognard.ai.levels.measured", lambda game: (row,))
    assert offered("picket", "crossing") == ["random", "careless", "greedy", "planner"]
    assert offered("picket", "raid") == ["random", "careless", "greedy"]
    row["low"] = 50
    assert "planner" not in offered("picket", "crossing")
    row |= {"low": 80, "against": "careless"}
    assert "planner" not in offered("picket", "crossing"), "to beat the careless proves nothing"


def test_a_level_that_met_the_greedy_player_of_now_must_have_been_stronger(monkeypatch: pytest.MonkeyPatch) -> None:
    """The yardstick is frozen and `greedy` learns: to beat the one is not enough where the other was met too."""
    old = {"scenario": "crossing", "level": "planner", "against": YARDSTICK, "low": 60}
    new = {"scenario": "crossing", "level": "planner", "against": "greedy", "low": 40}
    monkeypatch.setattr("grognard.ai.levels.measured", lambda game: (old, new))
    assert "planner" not in offered("picket", "crossing")
    assert "planner" not in offered("picket")
    new["low"] = 51
    assert "planner" in offered("picket", "crossing")
    new |= {"scenario": "raid", "low": 40}
    assert "planner" in offered("picket", "crossing"), "what happened elsewhere does not count here"


def test_what_is_on_record_is_a_match_that_can_be_repeated() -> None:
    for name in playable_names():
        for row in measured(name):
            assert {row["level"], row["against"]} <= set(LEVELS), row
            assert row["scenario"] in find_game(name).scenarios
            assert row["low"] <= row["share"] <= row["high"]
            low, high = wilson(row["points"], row["games"])
            assert abs(100 * low - row["low"]) <= 1
            assert abs(100 * high - row["high"]) <= 1
            assert row["command"].startswith(f"grognard ladder {name} --scenario {row['scenario']}")


def test_a_level_without_its_hooks_is_not_measured() -> None:
    met = {
        name: {upper for upper, _ in rows_to_play(find_game(name), None, None)}
        for name in ("picket", "bitw", "surrender")
    }
    assert "steady" not in met["picket"]
    assert "chief" not in met["bitw"], "no styles to choose from"
    assert {"steady", "chief"} <= met["surrender"]


def test_unknown_levels_are_refused_with_a_suggestion() -> None:
    with pytest.raises(UnknownName, match="planner"):
        player_named("planer")


def test_intervals_are_those_of_the_book() -> None:
    low, high = wilson(25, 34)
    assert (round(100 * low), round(100 * high)) == (57, 85)
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(10, 10)[1] == pytest.approx(1.0)


def test_sides_are_exchanged_and_draws_count_half() -> None:
    game = find_game("surrender")
    assert levels_for(game, 0, "a", "b") == ("a", "b", "b")
    assert levels_for(game, 1, "a", "b") == ("b", "a", "a")
    standing = match("picket", "raid", "greedy", "random", 4, 1, word="test")
    assert standing.games == 4
    assert {side: row[1] for side, row in standing.by_side.items()} == {"red": 2, "blue": 2}
    assert standing.halves == sum(row[0] for row in standing.by_side.values())


def test_each_rung_beats_the_one_below_in_a_short_match() -> None:
    for upper, lower, games in (("careless", "random", 10), ("greedy", "careless", 24)):
        standing = match("picket", "crossing", upper, lower, games, 1, word="test")
        assert standing.halves > standing.games, f"{upper} against {lower}: {standing.halves / 2} of {games}"


def test_the_planner_beats_the_yardstick_in_a_short_match() -> None:
    standing = match("picket", "crossing", "planner", YARDSTICK, 4, 1, word="test")
    assert standing.halves > standing.games


@pytest.mark.parametrize(
    ("game", "scenario", "level", "games", "seed"),
    [
        ("bitw", "SBW1", "steady", 8, 2),
        ("normandie", "cherbourg", "steady", 16, 2),
        ("surrender", "atlantic", "steady", 4, 2),
        ("blitzkrieg", "stonne40", "greedy", 8, 1),
    ],
)
def test_the_best_quick_level_beats_the_yardstick_in_a_short_match(
    game: str, scenario: str, level: str, games: int, seed: int
) -> None:
    """Where it is shown to win most games; so short a match guards against damage and shows nothing."""
    assert level == offered(game, scenario)[-1]
    standing = match(game, scenario, level, YARDSTICK, games, seed, word="test")
    assert standing.halves > standing.games, f"{standing.halves / 2} of {games}"


SAME = """
from grognard.games import find_game
from grognard.lab.ladder import play_game
from grognard.ai import PlanPlayer, StaffPlayer
players = [PlanPlayer(plans=4, mutants=2, rollouts=6, battles=4, ahead=0) for _ in range(2)]
print(play_game(find_game("picket"), "raid", ("a", "b"), "same seed", None, players).digest)
print(play_game(find_game("bitw"), "SBW1", ("steady", "greedy"), "same seed").digest)
staff = [StaffPlayer(first=1, last=1, positions=500) for _ in range(3)]
print(play_game(find_game("surrender"), "channel", ("a", "b", "c"), "same seed", None, staff).digest)
"""


def test_the_same_seed_gives_the_same_game_in_two_processes() -> None:
    """With other hash seeds: nothing may hang on the order of a set."""
    found = set()
    for number in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", SAME],
            check=False,
            capture_output=True,
            text=True,
            env=os.environ | {"PYTHONHASHSEED": number},
        )
        assert done.returncode == 0, done.stderr
        found.add(done.stdout)
    assert len(found) == 1


def test_no_choice_hangs_on_the_hidden_truth() -> None:
    """Two positions that a side cannot tell apart: every level plays the same in both."""
    game, differ = find_game("picket"), 0
    s = game.setup("crossing", {}, seed_from("leak"))
    for number in range(40):
        if not s.waiting:
            break
        side = s.waiting[0]
        other = game.redeal(s, side, seed_from(f"twin {number}"))
        differ += other.to_json()["at"] != s.to_json()["at"]
        if number % 4 == 0:
            for player in (GreedyPlayer, lambda: GreedyPlayer(slips=30), small_planner):
                one = player().choose(Seat(game, s, side, "seat"))
                two = player().choose(Seat(game, other, side, "seat"))
                assert (one.action, one.weighed, one.plan) == (two.action, two.weighed, two.plan), number
        game.apply(s, side, game.legal(s, side)[number % len(game.legal(s, side))], trusted=True)
    assert differ > 5, "the twins were the same: nothing was tried"


@pytest.mark.parametrize(
    ("name", "scenario"), [("picket", "raid"), ("surrender", "fall-gelb"), ("normandie", "cherbourg"), ("bitw", "SBW1")]
)
def test_no_level_makes_an_illegal_or_stalled_choice(name: str, scenario: str) -> None:
    """Positions along a random game; the planner with a small budget, and only where a turn is short."""
    game = find_game(name)
    players = [player_named(level.name) for level in RUNGS if level.name not in ("chief", "planner", "patient")]
    players += [small_planner()] if name == "picket" else []
    players += [StaffPlayer(first=1, last=1, positions=60)] if name == "surrender" else []
    tried = 0
    for start in range(6):
        s = game.setup(scenario, {}, seed_from(f"stall {start}"))
        for number in range(400):
            if not s.waiting or tried >= 70:
                break
            side = s.waiting[0]
            legal = game.legal(s, side)
            if number % 3 == start % 3:
                tried += 1
                before = s.digest()
                for player in players:
                    assert player.choose(Seat(game, s, side, f"{number}")).action in legal
                assert s.digest() == before, "thinking changed the position"
            game.apply(s, side, legal[(7 * number + start) % len(legal)], trusted=True)
    assert tried == 70


def test_a_plan_is_kept_until_a_die_falls() -> None:
    game = find_game("picket")
    s = game.setup("crossing", {}, seed_from("plan"))
    for side in (0, 1):
        game.apply(s, side, ("pledge", 0))
    side, player = s.waiting[0], small_planner()
    first = player.choose(Seat(game, s, side, "a"))
    assert first.plan, "a turn of several moves is planned as a whole"
    game.apply(s, side, first.action)
    seat = Seat(game, s, side, "b")
    assert player.choose(seat).action == first.plan[0]
    assert seat.positions == 0, "no thinking twice"


def test_work_is_counted_told_and_can_be_stopped() -> None:
    game = find_game("picket")
    s = game.setup("crossing", {}, seed_from("stop"))
    for side in (0, 1):
        game.apply(s, side, ("pledge", 0))
    told: list[tuple[int, int]] = []

    def tell(done: int, total: int, action: object) -> None:
        told.append((done, total))
        if len(told) == 3:
            raise Stopped

    seat = Seat(game, s, s.waiting[0], "seat", tell)
    with pytest.raises(Stopped):
        small_planner().choose(seat)
    assert len(told) == 3
    assert all(done <= total for done, total in told)
    assert seat.positions > 100


def test_careless_is_greedy_but_for_its_slips() -> None:
    game = find_game("picket")
    s = game.setup("crossing", {}, seed_from("slips"))
    for side in (0, 1):
        game.apply(s, side, ("pledge", 0))
    side = s.waiting[0]
    seeds = [f"seat {n}" for n in range(30)]
    greedy = [GreedyPlayer().choose(Seat(game, s, side, seed)).action for seed in seeds]
    never = [GreedyPlayer(slips=0).choose(Seat(game, s, side, seed)).action for seed in seeds]
    slips = [GreedyPlayer(slips=30).choose(Seat(game, s, side, seed)).action for seed in seeds]
    assert greedy == never
    assert 2 <= sum(a != b for a, b in zip(greedy, slips)) <= 16


def test_games_of_the_ladder_are_counted_by_turns_and_positions() -> None:
    played = play_game(find_game("picket"), "raid", ("greedy", "random"), "test count")
    assert played.turns >= 2
    assert played.positions["greedy"] > 0
    assert played.positions["random"] == 0
