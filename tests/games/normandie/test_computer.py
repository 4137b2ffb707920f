"""The computer's sense of the front: it weighs legal actions only, and it beats chance. Seeds are fixed."""

import random

import pytest

from grognard.ai import Seat, player_named
from grognard.games.normandie.fronts import attack_worth, front_of, hex_worth, hq_worth
from grognard.games.normandie.game import GAME
from grognard.games.normandie.hints import HINTS
from grognard.games.normandie.world import ALLIED, AT, GERMAN, INDEX
from grognard.kernel.dice import seed_from


def play(scenario, levels, seed, most=100_000):
    """A game between computers, or its first decisions."""
    players = [player_named(level) for level in levels]
    s = GAME.setup(scenario, {}, seed_from(seed))
    s.events = None
    seen = set()
    for step in range(most):
        if not s.waiting:
            break
        side = s.waiting[0]
        seen.add(type(GAME.decision(s)).__name__)
        choice = players[side].choose(Seat(GAME, s, side, f"{seed}/{step}"))
        GAME.apply(s, side, choice.action)
    return s, seen


@pytest.mark.parametrize("scenario", ["cherbourg", "cobra", "campaign"])
def test_hints_leave_legal_actions_in_any_position(scenario):
    s = GAME.setup(scenario, {}, "hints")
    luck = random.Random(4)
    for _ in range(400):
        if not s.waiting:
            break
        side = s.waiting[0]
        legal = GAME.legal(s, side)
        digest = s.digest()
        hints = GAME.promising(s, side, legal)
        assert hints
        assert set(hints) <= set(legal)
        assert GAME.promising(s, 1 - side, []) == []
        assert s.digest() == digest  # looking changes nothing
        GAME.apply(s, side, luck.choice(legal), trusted=True)


def test_every_hint_is_for_a_decision_of_the_game():
    decisions = {type(row.decision).__name__ for q in GAME.sequences for row in q.rows if row.decision}
    assert set(HINTS) == decisions


def test_greedy_beats_chance_on_both_sides():
    german = [play("cherbourg", ("random", "greedy", "random"), f"axis {n}")[0].outcome[0] for n in range(3)]
    assert german == [GERMAN] * 3
    allied = [play("cherbourg", ("greedy", "random", "random"), f"west {n}")[0].outcome[0] for n in range(3)]
    assert allied.count(ALLIED) >= 2


def test_a_whole_game_of_scenario_1_is_fought_for():
    s, seen = play("cherbourg", ("greedy",) * 3, "whole")
    assert s.outcome
    assert {"PickHq", "Commit", "Retreat", "Advance", "MoveMarker"} <= seen


def test_a_depot_without_a_guard_draws_one(table):
    s = table.depots(table.stand(table.empty(), "0518 us-4-8; 0819 ge-353"), "utah")
    front = front_of(s)
    u = (INDEX["us-4-8"],)
    guarded = table.stand(s.copy(), "0617 us-4-12")
    held = hex_worth(guarded, front_of(guarded), ALLIED, u, AT["0617"])
    assert hex_worth(s, front, ALLIED, u, AT["0617"]) > held + 20


def test_a_headquarters_keeps_out_of_the_front_line(table):
    s = table.stand(table.empty(), "1306 us-hq-vii us-4-8; 1406 ge-353")
    front = front_of(s)
    assert hq_worth(s, front, INDEX["us-hq-vii"], AT["1305"], []) < hq_worth(
        s, front, INDEX["us-hq-vii"], AT["1106"], []
    )


def test_better_odds_are_worth_more(table):
    weak = table.stand(table.empty(), "1306 us-hq-vii us-4-8; 1406 ge-353")
    strong = table.stand(weak.copy(), "1306 us-4-12 us-4-22 us-9-39")
    hq, target = INDEX["us-hq-vii"], AT["1406"]
    assert attack_worth(strong, ALLIED, hq, target) > attack_worth(weak, ALLIED, hq, target)
