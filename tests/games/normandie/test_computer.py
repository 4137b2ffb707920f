"""The computer's sense of the front: it weighs legal actions only, and it beats chance. Seeds are fixed."""

import random

import pytest

from grognard.ai import Seat, player_named
from grognard.games.normandie.computer.battles import NEVER, attack_by, attack_worth, best_plan, promise
from grognard.games.normandie.computer.fronts import front_of, hex_worth, hq_worth, race_worth
from grognard.games.normandie.computer.gaps import leaks
from grognard.games.normandie.computer.goals import near_goal
from grognard.games.normandie.computer.hints import HINTS
from grognard.games.normandie.computer.steady import RACE
from grognard.games.normandie.game import GAME
from grognard.games.normandie.state import AVAILABLE
from grognard.games.normandie.world import AIR, ALLIED, AMERICAN, AT, BRITISH, GERMAN, GERMANS, HB, INDEX, MB
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


def test_greedy_beats_chance_on_both_sides_of_cobra():
    s, _ = play("cobra", ("random", "greedy", "random"), "axis", most=1700)
    assert s.points[GERMAN] > s.points[ALLIED] + 60  # the points of three turns are 60 at most
    s, _ = play("cobra", ("greedy", "random", "random"), "west", most=1500)
    assert s.points[ALLIED] > s.points[GERMAN]


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


def test_no_more_men_than_the_column_needs(table):
    s = table.stand(table.empty(), "1306 us-hq-vii us-4-8 us-4-12 us-4-22 us-9-39 us-9-47; 1406 ge-91-6fj/1")
    found = promise(s, attack_by(s, ALLIED, INDEX["us-hq-vii"], AT["1406"]))
    assert found.worth > 0
    assert 0 < len(found.attackers) < 5
    lone = table.stand(table.empty(), "1306 us-hq-vii us-4-8; 1406 ge-353 ge-1ss-1")
    assert promise(lone, attack_by(lone, ALLIED, INDEX["us-hq-vii"], AT["1406"])).worth < 0
    assert attack_worth(lone, ALLIED, INDEX["us-hq-vii"], AT["1506"]) == NEVER


def test_shaken_men_attack_last(table):
    s = table.stand(table.empty(), "1306 us-hq-vii us-4-8:2 us-4-12 us-4-22; 1406 ge-91-6fj/1")
    found = promise(s, attack_by(s, ALLIED, INDEX["us-hq-vii"], AT["1406"]))
    assert INDEX["us-4-8"] not in found.attackers


def test_a_surrounded_enemy_is_worth_more(table):
    s = table.stand(table.empty(), "1306 us-hq-vii us-4-8 us-4-12 us-4-22; 1406 ge-91-6fj")
    free = attack_worth(s, ALLIED, INDEX["us-hq-vii"], AT["1406"])
    ring = table.stand(s.copy(), "1405 us-9-39; 1407 us-9-47; 1506 us-9-60; 1505 us-1-16; 1305 us-1-18; 1507 us-1-26")
    for u in range(len(ring.fought)):
        ring.fought[u] = 1 if ring.place[u] != AT["1306"] else 0  # they only stand in the way
    assert attack_worth(ring, ALLIED, INDEX["us-hq-vii"], AT["1406"]) > free


def test_heavy_bombers_must_pay_for_themselves(table):
    weak = table.stand(table.empty(), "1306 us-hq-vii us-4-8 us-4-12 us-4-22; 1406 ge-batteriemaisy")
    table.planes(weak, HB, AMERICAN, 2)
    c = attack_by(weak, ALLIED, INDEX["us-hq-vii"], AT["1406"])
    assert best_plan(weak, c, "bombers", AMERICAN, AT["1406"]) is None
    strong = table.stand(table.empty(), "1306 us-hq-vii us-4-8 us-4-12 us-4-22 us-9-39; 1406 ge-1ss-1 ge-1ss-2")
    for a, (kind, group, light) in enumerate(AIR):
        if kind == MB and group == AMERICAN and not light:
            strong.air[a] = AVAILABLE
    helped = best_plan(
        strong, attack_by(strong, ALLIED, INDEX["us-hq-vii"], AT["1406"]), "bombers", AMERICAN, AT["1406"]
    )
    assert helped is not None
    assert helped[0] > 0


def test_a_gap_in_front_of_a_depot_is_worth_closing(table):
    s = table.depots(table.stand(table.empty(), "0619 us-4-8; 0819 ge-353"), "utah")
    u = (INDEX["us-4-8"],)
    assert AT["0617"] in leaks(s, ALLIED, u)
    held = table.stand(s.copy(), "0617 us-4-12")
    assert AT["0617"] not in leaks(held, ALLIED, u)
    assert leaks(table.stand(table.empty(), "0619 us-4-8; 0819 ge-353"), ALLIED, u) == {}


def test_each_army_has_its_own_way(table):
    s = table.empty()
    assert near_goal(s, AT["1116"], AMERICAN) < near_goal(s, AT["1116"], BRITISH)
    assert near_goal(s, AT["1506"], BRITISH) == 0
    s.control[AT["1506"]] = ALLIED + 1
    assert near_goal(s, AT["1506"], BRITISH) > 0
    port = table.empty("cherbourg", 1)
    assert near_goal(port, AT["0223"], AMERICAN) == near_goal(port, AT["0223"], GERMANS) == 0


def test_in_the_race_the_garrison_is_worn_out_at_a_price_that_others_would_not_pay(table):
    s = table.stand(table.empty("cherbourg"), "0321 us-hq-vii us-4-8 us-4-12 us-4-22; 0222 ge-709-739")
    s.turn = 2
    attack = attack_by(s, ALLIED, INDEX["us-hq-vii"], AT["0222"])
    plain, race = promise(s, attack), promise(s, attack, 0, RACE)
    assert race.worth > plain.worth + 10
    assert len(race.attackers) >= len(plain.attackers)
    dear = RACE._replace(own=300)
    assert promise(s, attack, 0, dear).worth < race.worth
    s.turn = 4
    assert promise(s, attack, 0, dear).worth == promise(s, attack, 0, RACE).worth  # then only the last turn's counts
    elsewhere = attack_by(s, ALLIED, INDEX["us-hq-vii"], AT["0223"])
    assert promise(s, elsewhere, 0, RACE._replace(storm=500)).worth == promise(s, elsewhere, 0, RACE).worth


def test_in_the_race_headquarters_keep_within_reach_of_markers_or_support_the_assault(table):
    s = table.depots(table.stand(table.empty("cherbourg"), "0619 us-hq-vii us-4-8; 0222 ge-709-739"), "utah")
    hq, calm = INDEX["us-hq-vii"], RACE._replace(within=0)
    s.turn, s.phase = 2, "A"
    reach = race_worth(s, front_of(s, RACE), hq, AT["0619"])
    assert reach == RACE.within
    assert race_worth(s, front_of(s, calm), hq, AT["0619"]) == 0
    assert race_worth(s, front_of(s), hq, AT["0619"]) == 0  # the yardstick knows nothing of it
    s.offensive[AT["0619"]] = 1
    table.stand(s, "0321 us-4-12 us-4-22 us-9-39 us-9-47")
    assert race_worth(s, front_of(s, RACE), hq, AT["0421"]) == RACE.assault
    assert race_worth(s, front_of(s, RACE), hq, AT["0619"]) == 0  # too far to help
