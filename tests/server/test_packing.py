"""A table's past is packed in memory: everything that is asked of it must come out as if it were not."""

from __future__ import annotations

import random
from dataclasses import asdict

import pytest

from grognard.games import find_game, playable_names
from grognard.kernel.gamefile import from_session, to_text
from grognard.kernel.session import Entry, Session
from grognard.server.packing import BLOCK, OPEN, Log, Positions, pack


def entry(n: int) -> Entry:
    return Entry(n % 3, ("go", str(n)), chain=f"{n:x}")


def test_a_log_is_a_list() -> None:
    luck, plain, log = random.Random(1), [], Log()
    for n in range(3000):
        what = luck.random()
        if what < 0.6 or not plain:
            plain.append(entry(n))
            log.append(entry(n))
        elif what < 0.9:
            assert log.pop() == plain.pop()
        elif what < 0.95:
            a, b = sorted((luck.randint(0, len(plain)), luck.randint(0, len(plain) + 3)))
            assert log[a:b] == plain[a:b]
            assert log[-a:] == plain[-a:]
            assert log[b:a] == plain[b:a]
        else:
            at = luck.randrange(-len(plain), len(plain))
            assert log[at] == plain[at]
        assert len(log) == len(plain)
        assert len(log.open) <= BLOCK + OPEN
    assert list(log) == plain
    assert list(reversed(log)) == plain[::-1]
    assert log[::3] == plain[::3]
    assert len(log.packed) > 20


@pytest.mark.parametrize("at", [0, 5, 20, 39])
def test_odd_changes_of_a_log_are_those_of_a_list(at: int) -> None:
    plain = [entry(n) for n in range(40)]
    log = Log(plain)
    for both in (plain, log):
        both.insert(at, entry(99))
        both[: at // 2] = [entry(n) for n in range(50, 60)]
        both[at - 30] = entry(98)
        del both[at // 3]
    assert list(log) == plain
    with pytest.raises(IndexError):
        log[len(plain)]
    with pytest.raises(IndexError):
        log[-len(plain) - 1]


@pytest.mark.parametrize("name", playable_names())
def test_a_packed_game_is_the_same_game(name: str) -> None:
    """Played, undone, done again and taken back, side by side with one that is not packed."""
    game, luck = find_game(name), random.Random(f"packed {name}")
    for scenario in list(game.scenarios)[-2:]:
        one, two = (Session.new(game, scenario, seed="pack") for _ in range(2))
        pack(two)
        assert isinstance(two.entries, Log)
        while one.result is None and len(one.entries) < 120:
            side, what = one.state.waiting[0], luck.random() if one.entries else 0.0
            orders = game.orders(one.state, side)
            order, back = luck.choice(orders), luck.randrange(1, 30)
            for session in (one, two):
                if what < 0.85:
                    session.act(side, order)
                elif what < 0.98:
                    undone = 0
                    while undone < back and session.entries and session.can_undo(session.entries[-1].side):
                        session.undo(session.entries[-1].side)
                        undone += 1
                    if undone > 3:
                        session.redo(session.undone[-1].side)
                else:
                    session.ask_takeback(side, max(0, len(session.entries) - back))
                    for other in game.playing(session.state):
                        if session.takeback is not None and other != side:
                            session.answer_takeback(other, True)
            assert one.chain == two.chain
            assert one.state.to_json() == two.state.to_json()
            assert (one.closed, len(one.undone), one.salts.count) == (two.closed, len(two.undone), two.salts.count)
        assert isinstance(two.snapshots, Positions)
        assert sorted(one.snapshots) == sorted(two.snapshots)
        assert list(map(asdict, one.entries)) == list(map(asdict, two.entries))
        for at in range(len(one.entries) + 1):
            assert one.position(at).digest() == two.position(at).digest()
        for side in (*range(len(game.sides)), -1, -2):
            assert one.log_for(side, 7, 40) == two.log_for(side, 7, 40)
            assert to_text(from_session(one, side)) == to_text(from_session(two, side))


def test_a_snapshot_that_is_written_into_stays_as_it_was() -> None:
    game = find_game("picket")
    session = Session.new(game, "crossing", seed="x")
    pack(session)
    before = session.snapshots[0].digest()
    session.snapshots[0].waiting = ()
    session.snapshots[0].frames.clear()
    assert session.snapshots[0].digest() == before
    assert session.snapshots[0].chosen == session.state.chosen
