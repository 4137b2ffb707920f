"""The computer players: they weigh positions that could be the true one, and look through a mere picking-up."""

from __future__ import annotations

from grognard.ai import GreedyPlayer, Seat
from grognard.games import find_game
from grognard.games.picket.loading import SIDE_OF
from grognard.kernel import seed_from

GAME = find_game("picket")
RED, BLUE = 0, 1


def at_movement(seed: int):
    """The crossing, pledges made, one side to move."""
    s = GAME.setup("crossing", {}, seed_from(seed))
    for side in (RED, BLUE):
        GAME.apply(s, side, ("pledge", 0))
    return s


def test_a_seat_deals_the_enemy_anew_and_leaves_its_own_blocks_alone() -> None:
    s = at_movement(1)
    side = s.waiting[0]
    seat = Seat(GAME, s, side, "seat")
    samples = [seat.sample(number) for number in range(8)]
    enemies = [u for u, owner in enumerate(SIDE_OF) if owner != side]
    own = [u for u, owner in enumerate(SIDE_OF) if owner == side]
    assert len({tuple(t.at[u] for u in enemies) for t in samples}) > 1, "the true position was handed out"
    assert {tuple(t.at[u] for u in own) for t in samples} == {tuple(s.at[u] for u in own)}
    assert all(t.seed != s.seed for t in samples), "the player could see the dice to come"


def test_greedy_chooses_by_samples_and_never_by_the_truth() -> None:
    """Every position that the player touches has a seed of its own; the true one would show the next dice."""
    s = at_movement(2)
    seen: list[str] = []

    class Watched(Seat):
        def sample(self, number: int = 0):
            position = super().sample(number)
            seen.append(position.seed)
            return position

    GreedyPlayer(samples=3).choose(Watched(GAME, s, s.waiting[0], "seat"))
    assert len(seen) == 3
    assert s.seed not in seen


def test_greedy_values_picking_a_block_up_by_its_best_move() -> None:
    """Picking up changes nothing by itself; without a look further every block would seem worth the same."""
    s = at_movement(3)
    side = s.waiting[0]
    choice = GreedyPlayer().choose(Seat(GAME, s, side, "seat"))
    worth = {value for (verb, _), value in choice.weighed if verb == "move"}
    assert len(worth) > 1
    assert choice.action[0] == "move", "at the start moving towards a village beats standing still"


def test_the_same_seat_makes_the_same_choice() -> None:
    s = at_movement(4)
    one, two = (GreedyPlayer().choose(Seat(GAME, s, s.waiting[0], "seat")) for _ in range(2))
    assert (one.action, one.weighed) == (two.action, two.weighed)
