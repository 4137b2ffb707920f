"""Sequences: the four kinds of rows, frames entered and left, simultaneous decisions, the runaway guard."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.kernel import (
    NOTHING,
    PUBLIC,
    Decision,
    Frame,
    Game,
    GrognardError,
    IllegalAction,
    No,
    Refusal,
    RunawayError,
    Side,
    State,
    again,
    ask,
    call,
    do,
    enter,
    finish,
    items,
    leave,
    number,
    sequence,
    where_are_we,
)
from grognard.kernel.flow import Sequence, run
from tests.kernel.tiny import HANDS_GAME


class Trail(State):
    trail: tuple[str, ...] = items(PUBLIC)
    owed: int = number(PUBLIC)


def note(word: str) -> Any:
    def step(s: Trail, c: Frame) -> None:
        s.trail = (*s.trail, word)

    return step


def frame(name: str, **fields: Any) -> type[Frame]:
    """A kind of frame of its own for each test, because a kind belongs to one sequence."""
    return type(name, (Frame,), fields)


class Pay(Decision):
    verbs = dict.fromkeys(("pay", "enter", "leave", "finish"), NOTHING)

    def needed(self, s: Trail, c: Frame, side: Side) -> bool:
        return s.owed > 0

    def nouns(self, s: Trail, c: Frame, side: Side, verb: str) -> tuple[int]:
        return (0,)

    def why_not(self, s: Trail, c: Frame, side: Side, verb: str, noun: int) -> No | None:
        return None

    def apply(self, s: Trail, c: Frame, side: Side, verb: str, noun: int) -> None:
        s.trail = (*s.trail, verb)
        if verb == "pay":
            s.owed -= 1
        elif verb == "enter":
            enter(s, self.inner())  # type: ignore[attr-defined]
        elif verb == "leave":
            leave(s)
        else:
            finish(s, side, "paid", "1.9")


def game_of(*sequences: Sequence, start: type[Frame], owed: int = 0) -> tuple[Game[Trail], Trail]:
    class Trails(Game[Trail]):
        name = "trails"
        sides = ("ann", "bob")
        scenarios = ("only",)
        state_type = Trail

        def blank(self, scenario: str) -> Trail:
            return Trail.blank()

        def begin(self, s: Trail) -> None:
            s.owed = owed
            s.frames.append(start())

    Trails.sequences = sequences
    game = Trails()
    return game, game.setup("only")


def one(s: Any, c: Any) -> tuple[Side, ...]:
    return (0,)


def both(s: Any, c: Any) -> tuple[Side, ...]:
    return (0, 1)


def test_do_rows_run_in_order_and_the_game_ends_with_the_last() -> None:
    Day = frame("Day")
    _, s = game_of(sequence(Day, do("1", note("a")), do("2", note("b"))), start=Day)
    assert s.trail == ("a", "b")
    assert (s.waiting, where_are_we(s)) == ((), "over")


def test_do_for_each_side_stops_when_the_game_is_over() -> None:
    Day = frame("Day")
    seen = []

    def strike(s: Trail, c: Frame, side: Side) -> None:
        seen.append(side)
        finish(s, side, "struck", "1")

    _, s = game_of(sequence(Day, do("1", strike, both)), start=Day)
    assert seen == [0]
    assert s.outcome == (0, "struck", "1")


def test_when_skips_a_row_of_any_kind() -> None:
    Day, Night = frame("Day"), frame("Night")

    def never(s: Any, c: Any) -> bool:
        return False

    rows = (
        do("1", note("a"), when=never),
        ask("2", Pay, one, when=never),
        call("3", Night, when=never),
        again("4", "1", when=never),
        do("5", note("e")),
    )
    _, s = game_of(sequence(Day, *rows), sequence(Night, do("9", note("night"))), start=Day, owed=2)
    assert s.trail == ("e",)


def test_ask_waits_while_it_is_needed() -> None:
    Day = frame("Day")
    game, s = game_of(sequence(Day, ask("1", Pay, one), do("2", note("done"))), start=Day, owed=2)
    assert game.actors(s) == (0,)
    game.obey(s, 0, ("pay", ""))
    assert (game.actors(s), where_are_we(s)) == ((0,), "day 1")
    game.obey(s, 0, ("pay", ""))
    assert s.trail == ("pay", "pay", "done")


def test_sides_that_do_not_decide_together_come_one_by_one() -> None:
    Day = frame("Day")
    _, s = game_of(sequence(Day, ask("1", Pay, both)), start=Day, owed=1)
    assert s.waiting == (0,)


def test_call_enters_a_sequence_and_comes_back() -> None:
    Day, Night = frame("Day"), frame("Night", depth=number(PUBLIC))
    night = sequence(Night, do("9.1", note("sleep")))
    day = sequence(
        Day, do("1", note("a")), call("2", Night), call("3", lambda s, c: Night(depth=4)), do("4", note("z"))
    )
    _, s = game_of(day, night, start=Day)
    assert s.trail == ("a", "sleep", "sleep", "z")


def test_again_goes_round_until_its_test_fails() -> None:
    Day = frame("Day")
    rows = (do("1", note("a")), again("2", "1", unless=lambda s, c: len(s.trail) == 3), do("3", note("z")))
    _, s = game_of(sequence(Day, *rows), start=Day)
    assert s.trail == ("a", "a", "a", "z")
    Night = frame("Night")
    rows = (do("1", note("a")), again("2", "1", when=lambda s, c: len(s.trail) < 2))
    _, s = game_of(sequence(Night, *rows), start=Night)
    assert s.trail == ("a", "a")


def test_a_decision_may_enter_leave_and_finish() -> None:
    Day, Night = frame("Day"), frame("Night")

    class Choose(Pay):
        inner = Night

    night = sequence(Night, do("9.1", note("dusk")), ask("9.2", Choose, one), do("9.3", note("dawn")))
    day = sequence(Day, ask("1", Choose, one), do("2", note("z")))
    game, s = game_of(day, night, start=Day, owed=3)
    game.obey(s, 0, ("enter", ""))
    assert where_are_we(s) == "day 1 > night 9.2"
    game.obey(s, 0, ("enter", ""))
    assert where_are_we(s) == "day 1 > night 9.2 > night 9.2"
    twin = game.load(s.to_json())
    assert where_are_we(twin) == where_are_we(s)
    game.obey(s, 0, ("leave", ""))
    assert where_are_we(s) == "day 1 > night 9.2"
    assert "dawn" not in s.trail  # left early
    game.obey(s, 0, ("finish", ""))
    assert where_are_we(s) == "over"
    assert game.result(s) == (0, "paid", "1.9")
    assert game.why(s, 0, ("pay", "")) == Refusal("1.9", "game-over")


def test_simultaneous_choices_wait_for_all_and_take_any_order() -> None:
    s = HANDS_GAME.setup("best-of-three")
    assert HANDS_GAME.actors(s) == (0, 1)
    HANDS_GAME.obey(s, 1, ("show", "paper"))
    assert HANDS_GAME.actors(s) == (0,)
    assert HANDS_GAME.legal(s, 1) == []
    with pytest.raises(IllegalAction) as caught:
        HANDS_GAME.obey(s, 1, ("show", "stone"))
    assert caught.value.refusal == Refusal("2.1", "not-your-decision", {"waiting": ["ann"]})
    HANDS_GAME.obey(s, 0, ("show", "stone"))
    assert list(s.points) == [0, 1]
    assert HANDS_GAME.actors(s) == (0, 1)


def test_a_choice_made_in_secret_shows_in_no_other_view() -> None:
    views = []
    for hand in ("stone", "paper", "scissors"):
        s = HANDS_GAME.setup("best-of-three")
        HANDS_GAME.obey(s, 1, ("show", hand))
        views.append((HANDS_GAME.view(s, 0), HANDS_GAME.view(s, -1)))
        assert HANDS_GAME.view(s, 1)["hand"] == [None, ("stone", "paper", "scissors").index(hand)]
    assert views[0] == views[1] == views[2]


def test_the_runaway_guard_prints_the_stack_as_rule_ids() -> None:
    def tick(s: Trail, c: Frame) -> None:
        s.owed += 1

    night = sequence(frame("LongNight"), do("9.1", tick), again("9.2", "9.1"))
    day = sequence(frame("Day"), call("1.1", night.frame), do("1.2", tick))
    with pytest.raises(RunawayError, match=r"no decision after 100000 rows; the stack: day 1\.1 > long_night 9\.[12]"):
        game_of(day, night, start=day.frame)


def test_labels_are_checked() -> None:
    with pytest.raises(GrognardError, match="sequence day: row label '1' stands twice or is `end`; add a letter"):
        sequence(frame("Day"), do("1", note("a")), do("1", note("b")))
    with pytest.raises(GrognardError, match="is `end`"):
        sequence(frame("Day"), do("end", note("a")))
    with pytest.raises(GrognardError, match="row '2' goes back to '0', which is no row"):
        sequence(frame("Day"), do("1", note("a")), again("2", "0"))
    with pytest.raises(GrognardError, match="row '2': give `when` or `unless`, not both"):
        again("2", "1", when=lambda s, c: True, unless=lambda s, c: True)


def test_a_frame_belongs_to_one_sequence() -> None:
    Day = frame("Day")
    sequence(Day, do("1", note("a")))
    with pytest.raises(GrognardError, match="Day has a sequence already"):
        sequence(Day, do("2", note("b")))


def test_a_sequence_forgotten_in_the_game_is_named() -> None:
    Day, Night = frame("Day"), frame("Night")
    sequence(Night, do("9", note("a")))
    with pytest.raises(GrognardError, match="Night was entered, but the game's `sequences` hold no table for it"):
        game_of(sequence(Day, call("1", Night)), start=Day)


def test_two_sequences_of_one_name_are_refused() -> None:
    first, second = sequence(frame("Day"), do("1", note("a"))), sequence(frame("Day"), do("1", note("b")))
    with pytest.raises(GrognardError, match="two sequences have the same name"):
        game_of(first, second, start=first.frame)


def test_names_are_small_letters_with_underscores() -> None:
    assert sequence(frame("NavalCombatRound"), do("1", note("a"))).name == "naval_combat_round"


def test_run_changes_nothing_while_somebody_is_asked() -> None:
    s = HANDS_GAME.setup("best-of-three")
    before = s.digest()
    run(HANDS_GAME.tables, s)
    assert s.digest() == before


def test_inserting_a_row_does_not_break_a_saved_game() -> None:
    old_day = sequence(frame("Day"), do("1", note("a")), ask("2", Pay, one))
    new_day = sequence(frame("Day"), do("1", note("a")), do("1b", note("new")), ask("2", Pay, one))
    _, saved = game_of(old_day, start=old_day.frame, owed=1)
    game, _ = game_of(new_day, start=new_day.frame, owed=1)
    s = game.load(saved.to_json())
    assert where_are_we(s) == "day 2"
    game.obey(s, 0, ("pay", ""))
    assert where_are_we(s) == "over"
