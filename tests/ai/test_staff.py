"""The chief of staff: manners of play compared by rollouts, a note instead of memory, work that is counted."""

from __future__ import annotations

import pytest

from grognard.ai import GreedyPlayer, Seat, StaffPlayer, Stopped
from grognard.ai.staff import same_party
from grognard.games import find_game
from grognard.kernel import seed_from
from grognard.kernel.game import Mind

CHANNEL = find_game("surrender")


def small(**numbers: int) -> StaffPlayer:
    return StaffPlayer(**({"first": 1, "last": 1, "positions": 2_000} | numbers))


def start():
    return CHANNEL.setup("channel", {}, seed_from("staff"))


def test_it_plays_the_style_that_does_best_in_rollouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever style the outcome favours is chosen, and its own choice is what is played."""
    s = start()
    side = s.waiting[0]
    for best in CHANNEL.styles[:2]:
        monkeypatch.setattr(StaffPlayer, "_play_on", lambda self, seat, style, n, now, best=best: int(style == best))
        player = small()
        choice = player.choose(Seat(CHANNEL, s, side, "seat"))
        assert player.note.split()[-1] == best
        assert choice.action == GreedyPlayer(samples=1, mind=best).choose(Seat(CHANNEL, s, side, "seat")).action


def test_equal_styles_leave_the_plain_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StaffPlayer, "_play_on", lambda self, seat, style, n, now: 7)
    s = start()
    player = small()
    player.choose(Seat(CHANNEL, s, s.waiting[0], "seat"))
    assert player.note.split()[-1] == "front"


def test_whoever_has_the_note_does_not_think_again() -> None:
    """The server thinks about each decision in whatever process is free."""
    s = start()
    side = s.waiting[0]
    first = small().choose(Seat(CHANNEL, s, side, "a"))
    assert first.positions > 300, "it compared"
    CHANNEL.apply(s, side, first.action)
    while s.waiting[0] != side or len(CHANNEL.legal(s, side)) == 1:
        mover = s.waiting[0]
        CHANNEL.apply(s, mover, CHANNEL.legal(s, mover)[0])
    seat = Seat(CHANNEL, s, side, "b")
    second = small(dice=1_000)
    second.note = first.note
    choice = second.choose(seat)
    plain = Seat(CHANNEL, s, side, "b")
    assert choice.action == GreedyPlayer(samples=1, mind=first.note.split()[-1]).choose(plain).action
    assert seat.positions == plain.positions, "nothing but the decision itself was weighed"
    assert choice.note == first.note


def test_a_note_of_something_else_is_no_note() -> None:
    assert small(note="")._read(("front", "bold")) == (-1, 0, 0, "front")
    assert small(note="3 1 9 unknown")._read(("front", "bold")) == (-1, 0, 0, "front")  # type: ignore[arg-type]
    assert small(note="3 1 9 bold")._read(("front", "bold")) == (3, 1, 9, "bold")  # type: ignore[arg-type]


def test_it_obeys_its_budget() -> None:
    s = start()
    side = s.waiting[0]
    for most in (100, 600):
        seat = Seat(CHANNEL, s, side, "seat")
        small(positions=most).choose(seat)
        alone = Seat(CHANNEL, s, side, "seat")
        GreedyPlayer(samples=1, mind="front").choose(alone)
        assert seat.positions < most + 3 * CHANNEL.mind("front").patience
        assert seat.positions > alone.positions


def test_a_look_can_be_watched_and_stopped() -> None:
    told: list[tuple[int, int]] = []

    def tell(done: int, total: int, action: object) -> None:
        told.append((done, total))
        if len(told) == 2:
            raise Stopped

    s = start()
    seat = Seat(CHANNEL, s, s.waiting[0], "seat", tell)
    with pytest.raises(Stopped):
        small(positions=20_000).choose(seat)
    assert told == [(1, 11), (2, 11)]


def test_no_choice_hangs_on_the_hidden_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two positions that a side cannot tell apart: the same comparison, the same note, the same action."""
    game, differ = find_game("picket"), 0
    monkeypatch.setattr(type(game), "styles", ("hasty",))
    plain = type(game).mind

    def mind(self, name: str = "") -> Mind:
        found = plain(self)
        return Mind(lambda s, side: -found.score(s, side), found.promising) if name == "hasty" else found

    monkeypatch.setattr(type(game), "mind", mind)
    s = game.setup("crossing", {}, seed_from("leak"))
    for number in range(24):
        if not s.waiting:
            break
        side = s.waiting[0]
        other = game.redeal(s, side, seed_from(f"twin {number}"))
        differ += other.to_json()["at"] != s.to_json()["at"]
        if number % 6 == 0:
            one, two = (small().choose(Seat(game, twin, side, "seat")) for twin in (s, other))
            assert (one.action, one.weighed, one.note) == (two.action, two.weighed, two.note), number
        legal = game.legal(s, side)
        game.apply(s, side, legal[number % len(legal)], trusted=True)
    assert differ > 3, "the twins were the same: nothing was tried"


def test_allies_play_one_style() -> None:
    assert same_party(1, 2)
    assert not same_party(0, 2)


def test_steps_count_where_hints_leave_nothing_to_weigh(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that ranks leaves one action at each decision; its rollouts are bounded all the same."""
    plain = CHANNEL.mind("front")
    only = Mind(plain.score, lambda s, side, legal: legal[-1:])
    monkeypatch.setattr(type(CHANNEL), "mind", lambda self, name="": only)
    s = start()
    for most in (20, 60):
        seat = Seat(CHANNEL, s, s.waiting[0], "seat")
        small(positions=most).choose(seat)
        assert seat.positions == most
