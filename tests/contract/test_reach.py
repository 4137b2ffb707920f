"""Guided play until every row of every sequence and every verb has been used; and no game runs for ever."""

from __future__ import annotations

from random import Random

import pytest

from grognard.games import find_game
from grognard.kernel import seed_from, where_are_we
from grognard.lab.guided import searched
from grognard.lab.trace import Trace
from tests.contract import exceptions, walk
from tests.contract.directed import LINES, Line
from tests.contract.walk import every_game

ACTIONS = 20_000  # tried or taken in the search for unused rows; small games need a fraction of it
DECISIONS = 12_000  # of random play to the end per game, at most


@every_game
def test_every_row_and_every_verb_is_used(game_name: str) -> None:
    """Guided play over all scenarios and options until nothing is missing or enough has been tried."""
    game = find_game(game_name)
    excused = exceptions.UNREACHED.get(game_name, {})
    led_to = {key for line in LINES.get(game_name, ()) for key in line.meets}
    seldom = exceptions.SELDOM.get(game_name, {})
    wanted = frozenset(Trace(game).wanted)
    unknown = {*excused, *seldom, *led_to} - wanted
    assert not unknown, f"exceptions.py names what does not exist: {sorted(unknown)}"
    assert not led_to & {*excused, *seldom}, "what a directed line meets needs no excuse"
    sought = wanted - {*excused, *seldom, *led_to}
    used, cost = searched(game, "reach", sought, exceptions.REACH.get(game_name, ACTIONS))
    unused = sorted(key for key in sought if not used[key])
    assert not unused, (
        f"{game_name}: {cost} actions never used: {', '.join(unused)}. "
        "Let exceptions.UNREACHED say why they cannot, or REACH that more must be tried"
    )
    reached = sorted(key for key in excused if used[key])
    assert not reached, f"exceptions.UNREACHED excuses what play reaches: {reached}"


@pytest.mark.parametrize(("name", "line"), [(name, line) for name, lines in LINES.items() for line in lines])
def test_what_a_search_seldom_meets_is_met_by_orders(name: str, line: Line) -> None:
    """Every order is legal, and what the line is for is used."""
    game = find_game(name)
    s = game.setup(line.scenario, line.options, seed_from("directed"))
    used: set[str] = set()
    with (trace := Trace(game)).listening() as heard, trace:
        for order in line.orders.split(";"):
            side, verb, *noun = order.split()
            acting = game.sides.index(side)
            action = game.read(s, acting, (verb, " ".join(noun)))
            used.update(trace.choice(s, action))
            game.apply(s, acting, action)
    assert used.union(heard) >= set(line.meets)


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
