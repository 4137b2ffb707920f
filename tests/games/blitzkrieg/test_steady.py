"""The steady player: it fights for the objectives, sets itself up for them, and does not hang on the hidden truth."""

from __future__ import annotations

from grognard.ai import GreedyPlayer, Seat
from grognard.games.blitzkrieg.computer import steady
from grognard.games.blitzkrieg.computer.score import score as plain_score
from grognard.games.blitzkrieg.game import GAME
from grognard.games.blitzkrieg.rules.ground import in_command
from grognard.games.blitzkrieg.state import GOOD
from grognard.games.blitzkrieg.world import IS_TEAM, world
from grognard.kernel import seed_from

ALLIES, AXIS = range(2)
PLAYER = GreedyPlayer(samples=1, mind="front")


def set_up(scenario: str, sides: tuple[int, ...]):
    """A game after the set-up, these sides steady, the others as they were posted."""
    s = GAME.setup(scenario, {}, seed_from("steady"))
    for number in range(200):
        side = s.waiting[0]
        if s.turn or GAME.decision(s).__class__.__name__ != "Place":
            return s
        seat = Seat(GAME, s, side, f"set-up {number}")
        GAME.apply(s, side, PLAYER.choose(seat).action if side in sides else ("ready", 0))
    raise AssertionError("the set-up does not end")


def held(s, side: int) -> int:
    w = world(s)
    places = [s.at[u] for u in w.of_side[side] if s.condition[u] == GOOD]
    return sum(any(p in zone for p in places) for zone in steady.zones_of(w))


def test_the_defender_is_posted_in_the_objectives_of_his_zone() -> None:
    assert held(set_up("lesson", ()), AXIS) == 0
    assert held(set_up("lesson", (AXIS,)), AXIS) >= 2


def test_the_attackers_men_wait_where_fewer_see_them_and_near_each_other() -> None:
    def seen(s) -> int:
        w = world(s)
        men = [u for u in w.of_side[ALLIES] if IS_TEAM[u] and s.at[u]]
        return sum(w.sight.sees(s.at[foe], s.at[u], 0, 0) for u in men for foe in w.of_side[AXIS] if s.at[foe])

    plain, ours = set_up("lesson", ()), set_up("lesson", (ALLIES,))
    assert seen(ours) < seen(plain)
    assert all(in_command(ours, u) for u in world(ours).of_side[ALLIES] if IS_TEAM[u])


def test_who_is_alone_in_an_objective_has_most_of_it_before_the_turn_ends() -> None:
    s = set_up("lesson", ())
    w = world(s)
    man = next(u for u in w.of_side[AXIS] if IS_TEAM[u])
    gain, plain = [], []
    for point in (w.objectives[0].points[0], s.at[man]):
        s.at[man] = point
        gain.append(steady.score(s, AXIS))
        plain.append(plain_score(s, AXIS))
    assert gain[0] - gain[1] > 200
    assert plain[0] - plain[1] < 60


def test_losses_weigh_more_the_nearer_a_side_is_to_breaking() -> None:
    s = set_up("lesson", ())
    w = world(s)
    costs = []
    for lost in (0, 1, 2):
        s.lost[AXIS] = lost
        costs.append(steady.breaking(s, w, AXIS))
    assert costs[0] == 0
    assert costs[2] - costs[1] > costs[1] > 0


def test_the_steady_player_does_not_hang_on_the_hidden_truth() -> None:
    s, differ, tried = GAME.setup("lesson2", {}, seed_from("leak")), 0, 0
    for number in range(90):
        if not s.waiting:
            break
        side = s.waiting[0]
        legal = GAME.legal(s, side)
        if number % 5 == 0 and len(legal) > 1:
            other = GAME.redeal(s, side, seed_from(f"twin {number}"))
            differ += list(other.at) != list(s.at)
            one, two = (PLAYER.choose(Seat(GAME, position, side, "seat")) for position in (s, other))
            assert (one.action, one.weighed) == (two.action, two.weighed), number
            tried += 1
        GAME.apply(s, side, PLAYER.choose(Seat(GAME, s, side, f"{number}")).action, trusted=True)
    assert tried >= 5
    assert differ >= 3
