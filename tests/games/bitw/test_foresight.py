"""The steady player's eye: whole battles, who can still join them, what the enemy could take next turn."""

from __future__ import annotations

import random

import pytest

from grognard.ai import GreedyPlayer, Seat
from grognard.games.bitw.computer.battles import faces
from grognard.games.bitw.computer.clash import best_stack, marches_to
from grognard.games.bitw.computer.course import clash
from grognard.games.bitw.computer.foresight import PLAIN, View, foreseen, keys_of, prizes, room_for
from grognard.games.bitw.game import GAME
from grognard.games.bitw.state import BitwState, put
from grognard.games.bitw.world import UNIT_IDS, world
from grognard.kernel import seed_from

AXIS, ALLIES = 0, 1


@pytest.fixture
def s() -> BitwState:
    return GAME.setup("SBW1", {}, seed_from("foresight"))


def at(s: BitwState, place: str) -> int:
    return world(s).theatre.find(place)


def to_movement(s: BitwState, side: int) -> None:
    """On to the side's movement phase, everybody passing."""
    while not any(verb == "move" for verb, _ in GAME.legal(s, s.waiting[0])) or s.waiting[0] != side:
        legal = GAME.legal(s, s.waiting[0])
        GAME.apply(s, s.waiting[0], next((a for a in legal if a[0] == "done"), legal[-1]))


def fought(men_a: int, face_a: int, men_d: int, face_d: int, games: int = 600) -> float:
    """The attacker's share of fights rolled die by die, the defender first."""
    luck, won = random.Random(f"{men_a} {face_a} {men_d} {face_d}"), 0
    for _ in range(games):
        a, d = men_a, men_d
        while a > 0 and d > 0:
            a -= sum(luck.random() * 12 < face_d for _ in range(d))
            if a > 0:
                d -= sum(luck.random() * 12 < face_a for _ in range(a))
        won += a > 0
    return 100 * won / games


@pytest.mark.parametrize(
    ("men_a", "face_a", "men_d", "face_d"),
    [(8, 4, 4, 4), (6, 2, 4, 4), (4, 4, 4, 2), (10, 4, 6, 6), (3, 6, 6, 4), (6, 3, 3, 4)],
)
def test_the_chance_of_a_whole_battle_is_near_what_dice_bring(men_a: int, face_a: int, men_d: int, face_d: int) -> None:
    guess = clash(men_a, men_a * face_a, men_d, men_d * face_d, False).chance
    assert abs(guess - fought(men_a, face_a, men_d, face_d)) <= 12


def test_a_river_and_more_defenders_make_a_battle_worse() -> None:
    dry, wet, more = clash(8, 32, 5, 20, False), clash(8, 32, 5, 20, True), clash(8, 32, 7, 28, False)
    assert dry.chance > wet.chance
    assert dry.chance > more.chance
    assert dry.loss_a < more.loss_a
    assert clash(0, 10, 3, 9, False).chance == 0, "bombs alone win no hex"
    assert clash(3, 9, 0, 0, False).chance == 100


def test_a_stack_keeps_within_its_limits(s: BitwState) -> None:
    units = [UNIT_IDS[name] for name in ("us-5a", "us-4", "us-10m", "us-2", "us-12f", "us-12b", "us-15sb", "uk-8a")]
    chosen = best_stack(s, units, faces(s), (2, 1, 1, 1))
    assert len(chosen) == 5
    assert UNIT_IDS["us-2"] in chosen, "the strongest corps goes"
    assert room_for(chosen) == (0, 0, 0, 0)
    assert room_for([UNIT_IDS["us-4"]]) == (1, 1, 1, 1)


def test_ways_to_a_hex_are_marches_of_one_turn(s: BitwState) -> None:
    ways = marches_to(world(s), at(s, "bologna"))
    assert ways[at(s, "bologna")] == 0
    assert ways[at(s, "firenze")] <= 3
    assert at(s, "roma") not in ways


def test_who_enters_a_battle_counts_on_those_who_can_follow(s: BitwState) -> None:
    """Alone a corps would not go in; with all who can still join, it leads them."""
    to_movement(s, ALLIES)
    unit, bologna = UNIT_IDS["us-4"], at(s, "bologna")
    put(s, unit, bologna)
    view = View(s, ALLIES, PLAIN, final=False)
    there = view.here[bologna][0]
    joined = view.with_helpers(bologna, there)
    assert len(joined) > len(there) == 1
    alone = view.worth_of(bologna, there, view.here[bologna][1], ALLIES)
    assert view.worth_of(bologna, joined, view.here[bologna][1], ALLIES) > alone


def test_a_place_without_which_nobody_wins_is_worth_more(s: BitwState) -> None:
    assert keys_of(world(s)) == {at(s, "bologna")}
    view = View(s, ALLIES, PLAIN, final=False)
    assert view.prize(at(s, "bologna"), ALLIES) > view.prize(at(s, "verona"), ALLIES) + 300
    assert prizes(s, at(s, "firenze"), ALLIES)[1] == 0, "one's own"
    last = View(s, ALLIES, PLAIN, final=True)
    assert last.prize(at(s, "bologna"), ALLIES) > view.prize(at(s, "bologna"), ALLIES)


def test_an_empty_key_place_is_a_threat_and_a_guard_takes_it_away(s: BitwState) -> None:
    guarded = foreseen(s, AXIS)
    emptied = s.copy()
    for name in ("de-14pz", "de-14a"):
        put(emptied, UNIT_IDS[name], at(s, "verona"))
    assert foreseen(emptied, AXIS) < guarded - 20
    views = [View(position, AXIS, PLAIN, final=False) for position in (s, emptied)]
    assert views[0].threats() < views[1].threats()


def test_enemies_that_will_be_beaten_threaten_nobody(s: BitwState) -> None:
    view = View(s, AXIS, PLAIN, final=False)
    before = view.threats()
    view.beaten = {at(s, name) for name in ("firenze", "ravenna", "pisa", "arezzo")}
    assert view.threats() < before


def test_nobody_comes_after_the_last_turn(s: BitwState) -> None:
    s.phasing = ALLIES
    assert View(s, ALLIES, PLAIN, final=True).threats() == 0


def test_the_steady_player_does_not_hang_on_the_hidden_truth() -> None:
    s, differ, tried = GAME.setup("SBW1", {}, seed_from("leak")), 0, 0
    for number in range(120):
        if not s.waiting:
            break
        side = s.waiting[0]
        legal = GAME.legal(s, side)
        if number % 6 == 0 and len(legal) > 1:
            other = GAME.redeal(s, side, seed_from(f"twin {number}"))
            differ += bytes(other.steps) != bytes(s.steps) or list(other.place) != list(s.place)
            one, two = (
                GreedyPlayer(samples=1, mind="front").choose(Seat(GAME, position, side, "seat"))
                for position in (s, other)
            )
            assert (one.action, one.weighed) == (two.action, two.weighed), number
            tried += 1
        GAME.apply(s, side, legal[(5 * number) % len(legal)], trusted=True)
    assert tried >= 10
    assert differ >= 5
