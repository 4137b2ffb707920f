"""One door for chance: fair, repeatable, checkable, loadable, enumerable."""

from __future__ import annotations

import hashlib
from collections import Counter
from fractions import Fraction
from itertools import pairwise, permutations, product

import pytest

from grognard.kernel import GrognardError, State, dice, draw, explore, roll, seed_from, shuffled
from grognard.kernel.dice import EXPLORING, WrongDie, commitment_of, mixed_seed


def position(seed: str = "", *loaded: int) -> State:
    s = State.blank()
    s.seed, s.loaded = seed or seed_from(1), loaded
    return s


class Bytes:
    """Replaces the keyed hash by chosen bytes."""

    def __init__(self, values: bytes) -> None:
        self.values = values

    def __call__(self, seed: str, index: int) -> bytes:
        return self.values[index * dice.BLOCK : (index + 1) * dice.BLOCK]


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 10, 100, 255, 256])
def test_each_byte_is_used_without_bias(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fed with every byte once, each face falls equally often and only the incomplete tail is thrown away."""
    monkeypatch.setattr(dice, "_block", Bytes(bytes(range(256)) + bytes(64)))
    s = position()
    wanted = 256 // n * n
    count = Counter(draw(s, n) for _ in range(wanted))
    assert count == dict.fromkeys(range(n), 256 // n)
    assert s.draws == wanted


def test_a_wide_draw_takes_four_bytes_and_rejects_the_tail(monkeypatch: pytest.MonkeyPatch) -> None:
    top = (2**32 - 2**32 % 1000).to_bytes(4, "big")
    monkeypatch.setattr(dice, "_block", Bytes(top + b"\xff\xff\xff\xff" + (999).to_bytes(4, "big") + bytes(64)))
    s = position()
    assert draw(s, 1000) == 999
    assert s.draws == 12


def test_what_cannot_be_drawn_is_refused() -> None:
    for n in (0, -1, 2**32 + 1):
        with pytest.raises(GrognardError, match="cannot be drawn"):
            draw(position(), n)
    assert 0 <= draw(position(), 2**32) < 2**32


def test_six_sided_dice_are_fair() -> None:
    """Chi-square with five degrees of freedom over 60,000 rolls: below 20.5 at 0.1 %; the seed is fixed."""
    s = position(seed_from("fair"))
    count = Counter(draw(s, 6) for _ in range(60_000))
    assert sum((count[face] - 10_000) ** 2 for face in range(6)) / 10_000 < 20.5


def test_successive_dice_do_not_know_each_other() -> None:
    s = position(seed_from("pairs"))
    rolled = [draw(s, 6) for _ in range(36_001)]
    count = Counter(pairwise(rolled))
    assert sum((count[pair] - 1000) ** 2 for pair in product(range(6), repeat=2)) / 1000 < 66.6  # 35 degrees, 0.1 %


def test_the_same_seed_gives_the_same_dice_and_another_others() -> None:
    rolls = [roll(position(seed_from(k)), "1", 40) for k in (1, 1, 2)]
    assert rolls[0] == rolls[1] != rolls[2]


def test_the_dice_of_a_seed_never_change() -> None:
    """Old games must verify in every later release."""
    assert roll(position(seed_from(1)), "1", 12) == (4, 1, 4, 5, 2, 2, 3, 4, 3, 2, 6, 6)
    assert seed_from(1) == hashlib.sha256(b"grognard seed 1").hexdigest()


def test_a_copy_rolls_the_same() -> None:
    s = position()
    roll(s, "1", 3)
    assert roll(s.copy(), "1", 5) == roll(s, "1", 5)


def test_long_and_foreign_seeds_work() -> None:
    assert roll(position("é" * 64), "1")
    assert roll(position("x" * 500), "1")


def test_loaded_dice_come_first_and_cost_no_draw() -> None:
    s = position("", 6, 1, 3)
    assert roll(s, "1", 3) == (6, 1, 3)
    assert s.draws == 0
    assert s.loaded == ()
    assert roll(s, "1", 4) == roll(position(), "1", 4)


def test_a_loaded_die_must_fit() -> None:
    for face in (0, 7):
        with pytest.raises(GrognardError, match=f"a loaded die shows {face} where 1 to 6 is wanted"):
            roll(position("", face), "1")


def test_a_roll_tells_the_table() -> None:
    s = position("", 4, 5)
    s.events = []
    roll(s, "7.2", 2, side=1, audience=(0,))
    (event,) = s.events
    assert (event.kind, event.rule, event.audience) == ("roll", "7.2", (0,))
    assert event.data == {"dice": (4, 5), "faces": 6, "side": 1}


def test_shuffles_are_fair() -> None:
    """Over every way that the draws can go, each order of four things has the same chance."""
    found: Counter[str] = Counter()
    for chance, s in explore(position(), lambda s: setattr(s, "scenario", "".join(shuffled(s, "wxyz")))):
        found[s.scenario] += chance  # type: ignore[assignment]
    assert found == {"".join(order): Fraction(1, 24) for order in permutations("wxyz")}


def test_a_shuffle_leaves_its_argument_alone() -> None:
    things = [1, 2, 3, 4]
    assert sorted(shuffled(position(), things)) == things == [1, 2, 3, 4]
    assert shuffled(position(), []) == []


def explore_sum(s: State) -> None:
    """Roll a die, then as many as it shows, at most two; keep the sum in `draws`."""
    first = draw(s, 3) + 1
    s.draws = first + sum(draw(s, 4) + 1 for _ in range(min(first, 2)))


def test_explore_matches_brute_force_and_sums_to_one() -> None:
    start = position()
    start.loaded = (9,)  # whatever was loaded does not count
    found: Counter[int] = Counter()
    total = Fraction(0)
    for chance, s in explore(start, explore_sum):
        found[s.draws] += chance  # type: ignore[assignment]
        total += chance
    assert total == 1
    brute: Counter[int] = Counter()
    for first, a, b in product((1, 2, 3), range(1, 5), range(1, 5)):
        brute[first + a + (b if first > 1 else 0)] += Fraction(1, 48)  # type: ignore[assignment]
    assert found == brute


def test_explore_leaves_the_start_alone_and_comes_in_the_order_of_the_dice() -> None:
    start = position()
    before = start.digest()
    seen = [s.draws for _, s in explore(start, lambda s: setattr(s, "draws", draw(s, 6)))]
    assert seen == [0, 1, 2, 3, 4, 5]
    assert start.digest() == before


def test_explore_without_dice_is_certain() -> None:
    assert [(chance, s.draws) for chance, s in explore(position(), lambda s: None)] == [(1, 0)]


def test_a_real_roll_while_exploring_is_an_error_a_person_can_read() -> None:
    with pytest.raises(GrognardError, match="a die with 6 faces is wanted"):
        roll(position(EXPLORING), "1")


def test_the_commitment_binds_the_seed() -> None:
    assert commitment_of("abc") == hashlib.sha256(b"grognard commitment abc").hexdigest()
    assert commitment_of("abc") != commitment_of("abd")


def test_the_key_mixes_secret_id_and_the_players_words() -> None:
    keys = {
        mixed_seed("secret", "", ()),
        mixed_seed("secret", "g1", ()),
        mixed_seed("secret", "g2", ()),
        mixed_seed("secret", "g1", ("ann",)),
        mixed_seed("secret", "g1", ("bob", "ann")),
        mixed_seed("secret", "g1", ("ann", "bob")),
        mixed_seed("other", "g1", ("ann", "bob")),
    }
    assert len(keys) == 7
    assert mixed_seed("secret", "") == "secret"


def test_a_hidden_draw_leaves_typed_dice_alone_and_a_wrong_one_says_so():
    s = State()
    s.seed, s.loaded = seed_from(1), (6, 6)
    shuffled(s, range(8), hidden=True)
    assert s.loaded == (6, 6)
    assert s.draws > 0
    with pytest.raises(WrongDie, match="shows 6 where 1 to 2 is wanted"):
        draw(s, 2)
