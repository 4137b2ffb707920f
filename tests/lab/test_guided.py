"""Guided play: deterministic, counted, and it meets what chance does not."""

from __future__ import annotations

from grognard.games import find_game
from grognard.lab.guided import Explorer, any_action
from grognard.lab.trace import Trace
from tests.kernel.tiny import StrollGame


def test_equal_seeds_find_the_same_at_the_same_cost() -> None:
    one, two, other = (Explorer(find_game("picket"), seed) for seed in ("a", "a", "b"))
    for explorer in (one, two, other):
        explorer.search(2000)
    assert (one.cost, one.games, one.used) == (two.cost, two.games, two.used)
    assert one.used != other.used


def test_the_search_ends_when_nothing_is_missing_or_enough_was_tried() -> None:
    game = find_game("picket")
    done = Explorer(game)
    done.search(100_000)
    assert not done.missing()
    assert done.cost < 10_000
    short = Explorer(game)
    short.search(50)
    assert short.missing()
    assert 50 <= short.cost < 100
    aimed = Explorer(game, sought=frozenset({"TakeLoss.lose"}))
    aimed.search(100_000)
    assert 0 < aimed.cost < done.cost
    assert aimed.used["TakeLoss.lose"] == 1


def test_positions_from_which_something_rare_happened_are_played_again() -> None:
    explorer = Explorer(find_game("picket"))
    explorer.search(1500)
    assert explorer.kept
    assert sum(explorer.visits.values()) > 1
    assert all(s.waiting for shelf in explorer.kept.values() for s in shelf)


def test_the_tables_of_the_game_are_put_back() -> None:
    game = find_game("picket")
    tables = game.tables
    explorer = Explorer(game)
    for _ in explorer.play(10):
        assert game.tables is not tables
    assert game.tables is tables


def test_a_trace_hears_rows_and_verbs_and_forgets_what_was_only_tried() -> None:
    game = StrollGame()
    trace = Trace(game)
    s = game.setup(game.scenarios[0], {}, "x")
    assert "Walk.step" in trace.missing()
    with trace, trace.listening() as heard:
        game.apply(s, 0, game.legal(s, 0)[0], trusted=True)
    assert not trace.used
    assert isinstance(heard, list)


def test_rare_verbs_are_preferred() -> None:
    from random import Random

    game = find_game("picket")
    s = game.setup("crossing", {}, "x")
    random = Random(1)
    while len({verb for verb, _ in game.legal(s, s.waiting[0])}) < 2:
        game.apply(s, s.waiting[0], any_action(random, game, s, s.waiting[0], game.legal(s, s.waiting[0])))
    side = s.waiting[0]
    legal = game.legal(s, side)
    name = type(game.decision(s)).__name__
    explorer = Explorer(game)
    verbs = sorted({verb for verb, _ in legal})
    for verb in verbs[1:]:
        explorer.used[f"{name}.{verb}"] = 1000
    with explorer.trace:
        assert explorer.rarest(random, game, s, side, legal)[0] == verbs[0]
