"""Thinking beside the server: watched, stopped when the table moves on, plans kept, nobody waits."""

from __future__ import annotations

import asyncio
import multiprocessing
from typing import Any

import pytest

from grognard.ai import GreedyPlayer, Seat
from grognard.games import find_game
from grognard.kernel import seed_from
from grognard.kernel.session import Session
from grognard.server import thinking
from grognard.server.computer import Computer
from grognard.server.thinking import BEST, DONE, STOP, TOTAL, Slots, think

GAME = find_game("picket")


def at_movement() -> Session:
    session = Session.new(GAME, "crossing", {}, seed=seed_from("thinking"))
    for side in ("red", "blue"):
        session.act(GAME.sides.index(side), ("pledge", "0"))
    return session


@pytest.fixture
def slots(monkeypatch: pytest.MonkeyPatch) -> Slots:
    found = Slots(multiprocessing.get_context("spawn"))
    monkeypatch.setattr(thinking, "board", found.shared)
    return found


def test_a_thought_is_a_legal_action_and_the_plan_that_follows(slots: Slots) -> None:
    s = at_movement().state
    side, slot = s.waiting[0], slots.take()
    thought = think("picket", s.to_json(), side, "planner", "seed", slot)
    assert thought.action in GAME.legal(s, side)
    assert thought.plan
    assert thought.drawn == s.draws
    done, total, best = slots.progress(slot)
    assert 0 < done <= total
    assert 0 <= best < len(GAME.legal(s, side))


def test_who_is_told_to_stop_gives_the_best_it_has(slots: Slots) -> None:
    s = at_movement().state
    side, slot = s.waiting[0], slots.take()
    slots.stop(slot)
    thought = think("picket", s.to_json(), side, "patient", "seed", slot)
    assert thought.action in GAME.legal(s, side)
    assert thought.plan == [], "half-made plans are not played"
    assert slots.shared[4 * slot + DONE] == 1, "it stopped at the first look"


def test_slots_run_out_and_come_back(slots: Slots) -> None:
    taken = [slots.take() for _ in range(thinking.SLOTS)]
    assert len(set(taken)) == thinking.SLOTS
    assert slots.take() == -1, "one more thinks unwatched"
    assert slots.progress(-1) == (0, 0, -1)
    slots.stop(taken[0])
    slots.give_back(taken[0])
    again = slots.take()
    assert again == taken[0]
    assert list(slots.shared[4 * again : 4 * again + 4]) == [0, 0, 0, -1], "a new piece of thinking starts clean"
    assert (STOP, DONE, TOTAL, BEST) == (0, 1, 2, 3)


def test_a_plan_is_played_without_thinking_again(monkeypatch: pytest.MonkeyPatch) -> None:
    session = at_movement()
    computer, side = Computer(), session.state.waiting[0]
    move = next(a for a in GAME.legal(session.state, side) if a[0] == "move")
    computer.plans[session] = {side: (session.state.draws, [move], "")}
    monkeypatch.setattr(computer, "workers", lambda: pytest.fail("it thought again"))
    order = asyncio.run(computer.choose(session, side, "planner"))
    assert order == GAME.write(session.state, side, move)
    assert computer.plans[session][side][1] == []


def test_a_plan_made_before_the_dice_fell_is_forgotten() -> None:
    session = at_movement()
    computer, side = Computer(), session.state.waiting[0]
    move = next(a for a in GAME.legal(session.state, side) if a[0] == "move")
    computer.plans[session] = {side: (session.state.draws - 1, [move], "")}

    class Asked(Exception):
        pass

    def workers() -> Any:
        raise Asked

    computer.workers = workers  # type: ignore[method-assign]
    with pytest.raises(Asked):
        asyncio.run(computer.choose(session, side, "planner"))


def test_a_table_that_moves_on_ends_the_thinking_and_progress_is_told() -> None:
    """In a real worker: told how far it is, then stopped."""
    session = at_movement()
    computer, side = Computer(), session.state.waiting[0]
    told: list[tuple[int, int, Any]] = []

    def tell(done: int, total: int, order: Any) -> None:
        told.append((done, total, order))

    try:
        order = asyncio.run(computer.choose(session, side, "patient", lambda: not any(d for d, _, _ in told), tell))
    finally:
        computer.close()
    assert order in GAME.orders(session.state, side)
    assert any(best is not None and done > 0 for done, _, best in told), "the move it would make now"


def test_a_note_is_given_back_and_saves_the_thinking() -> None:
    """The chief of staff compares once a turn, whichever worker thinks next."""
    game = find_game("surrender")
    s = game.setup("channel", {}, seed_from("note"))
    side = s.waiting[0]
    note = f"{game.clock(s)} 1 {s.draws} bold"
    thought = think("surrender", s.to_json(), side, "chief", "seed", -1, note)
    assert thought.note == note
    plain = GreedyPlayer(samples=1, mind="bold").choose(Seat(game, s, side, "seed"))
    assert thought.action == plain.action
