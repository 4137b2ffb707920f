"""Guided play until every row of every sequence and every verb has been used; and no game runs for ever."""

from __future__ import annotations

from random import Random

from grognard.games import find_game
from grognard.kernel import seed_from, where_are_we
from grognard.lab.guided import searched
from grognard.lab.trace import Trace
from tests.contract import exceptions, walk
from tests.contract.walk import every_game

ACTIONS = 20_000  # tried or taken in the search for unused rows; small games need a fraction of it
DECISIONS = 12_000  # of random play to the end per game, at most


@every_game
def test_every_row_and_every_verb_is_used(game_name: str) -> None:
    """Guided play over all scenarios and options until nothing is missing or enough has been tried."""
    game = find_game(game_name)
    excused = exceptions.UNREACHED.get(game_name, {})
    seldom = exceptions.SELDOM.get(game_name, {})
    wanted = frozenset(Trace(game).wanted)
    unknown = {*excused, *seldom} - wanted
    assert not unknown, f"exceptions.py names what does not exist: {sorted(unknown)}"
    used, cost = searched(game, "reach", wanted - {*excused, *seldom}, exceptions.REACH.get(game_name, ACTIONS))
    unused = sorted(key for key in wanted - {*excused, *seldom} if not used[key])
    assert not unused, (
        f"{game_name}: {cost} actions never used: {', '.join(unused)}. "
        "Let exceptions.UNREACHED say why they cannot, or REACH that more must be tried"
    )
    reached = sorted(key for key in excused if used[key])
    assert not reached, f"exceptions.UNREACHED excuses what play reaches: {reached}"


@every_game
def test_no_game_runs_for_ever(game_name: str) -> None:
    """Random games end. Long ones are played as far as the number of decisions allows; `grognard fuzz` plays all."""
    game = find_game(game_name)
    longest = exceptions.LONGEST.get(game_name, walk.LONGEST)
    left = DECISIONS
    for number in range(3 * len(game.scenarios)):
        scenario = game.scenarios[number % len(game.scenarios)]
        s = game.setup(scenario, {}, seed_from(f"end {number}"))
        for _ in walk.play(game, s, Random(number), longest, walk.any_action):
            left -= 1
            if left <= 0:
                return
        assert game.result(s), f"{scenario}: no end after {longest} decisions, at {where_are_we(s)} (seed end {number})"
