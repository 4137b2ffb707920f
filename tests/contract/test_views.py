"""Views are put together from remembered parts; they must be, byte for byte, what they would be without a memory."""

from __future__ import annotations

import json
import random
from collections.abc import Hashable
from typing import Any

import pytest

from grognard.games import find_game, playable_names
from grognard.kernel import kept
from grognard.kernel.pieces import Pieces
from grognard.kernel.record import REFEREE, SPECTATOR
from grognard.kernel.session import Session

ACTIONS = 70
TITLES = [(name, scenario) for name in playable_names() for scenario in find_game(name).scenarios]


def forget() -> None:
    for memory in (kept.PIECES, kept.COLUMNS, kept.PARTS):
        memory.clear()


def views(session: Session, latest: dict[Hashable, Any] | None = None) -> bytes:
    """All views, one after the other, as a server has them made; without `latest`, each without a memory."""
    game, told, s = session.game, [], session.state
    if latest is None:
        s = s.copy()
    elif s.shared is None:
        s.shared = kept.Shared(latest)
    for side in (*range(len(game.sides)), SPECTATOR, REFEREE):
        if latest is None:
            forget()
        told.append(json.dumps(game.view(s, side)))
    return "\n".join(told).encode()


@pytest.mark.parametrize(("name", "scenario"), TITLES)
def test_a_view_of_remembered_parts_is_the_whole_view(name: str, scenario: str) -> None:
    """Two games of the same title in turn, so that one may find what the other left; undo and redo among them."""
    game, luck = find_game(name), random.Random(f"{name} {scenario}")
    games = [Session.new(game, scenario, seed=f"{seed}") for seed in (1, 2)]
    latest: list[dict[Hashable, Any]] = [{}, {}]
    forget()
    for number in range(ACTIONS):
        session = games[number % 2]
        if session.result is not None:
            continue
        side = session.state.waiting[0]
        if session.can_undo(side) and luck.random() < 0.1:
            session.undo(side)
        else:
            session.act(side, luck.choice(game.orders(session.state, side)))
        told = views(session, latest[number % 2])
        if number % 5 == 4:  # the warm memory said this; now without one
            warm = kept.PIECES.copy(), kept.COLUMNS.copy(), kept.PARTS.copy()
            assert views(session) == told
            for memory, before in zip((kept.PIECES, kept.COLUMNS, kept.PARTS), warm):
                assert all(before.get(key, part) == part for key, part in memory.items()), "somebody wrote into a part"
                memory.update(before)


def test_a_memory_is_bounded() -> None:
    memory = kept.Kept(3)
    for number in range(10):
        assert memory.keep(number, [number]) == [number]
        assert len(memory) <= 3


def test_what_is_the_same_is_one_object() -> None:
    """So that what changed between two views is found without looking into what did not."""
    game = find_game("picket")
    session = Session.new(game, game.scenarios[0], seed="1")
    before = game.view(session.state, 0)
    side = session.state.waiting[0]
    session.act(side, game.orders(session.state, side)[0])
    after = game.view(session.state, 0)
    same: list[Any] = [piece for piece, old in zip(after["pieces"], before["pieces"]) if piece is old]
    assert len(same) >= len(after["pieces"]) - 3


def test_only_pieces_that_changed_are_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find_game("bitw")
    asked: list[int] = []
    make = Pieces.piece
    monkeypatch.setattr(
        Pieces, "piece", lambda self, s, side, unit, row: asked.append(unit) or make(self, s, side, unit, row)
    )
    session, latest = Session.new(game, "SBW3", seed="1"), {}
    luck = random.Random(3)
    for _ in range(20):
        side = session.state.waiting[0]
        session.act(side, luck.choice(game.orders(session.state, side)))
        session.state.shared = kept.Shared(latest)
        before = len(asked)
        game.view(session.state, 0)
    assert len(asked) - before < 40, "of three hundred units"
    before = len(asked)
    session.state.shared = kept.Shared(latest)
    game.view(session.state, 0)
    assert len(asked) == before, "nothing changed"


def test_a_copy_shares_nothing() -> None:
    """What was worked out for a position is not believed of one that is about to change."""
    game = find_game("normandie")
    session = Session.new(game, game.scenarios[0], seed="1")
    session.state.shared = kept.Shared({})
    game.view(session.state, 0)
    assert session.state.shared.now
    assert session.state.copy().shared is None


@pytest.mark.parametrize("name", [name for name in playable_names() if find_game(name).sight is not None])
def test_a_change_of_any_column_shows_at_once(name: str) -> None:
    """Two entries of one column change places; what is made of the last view must be what is made anew."""
    game, luck = find_game(name), random.Random(5)
    session = Session.new(game, game.scenarios[-1], seed="2")
    for _ in range(40):
        if session.result is None:
            side = session.state.waiting[0]
            session.act(side, luck.choice(game.orders(session.state, side)))
    s, units, changed = session.state, len(session.state.token), set()
    assert game.fog is not None
    for unit in range(0, units, 5):  # somebody has seen it once
        game.fog.remember(s, 1 - luck.randrange(2), unit, 3)
    for column in [f for f in s.fields.values() if f.per in ("units", "memory")]:
        for _ in range(40):
            latest: dict[Hashable, Any] = {}
            before, after = s.copy(), s.copy()
            values = getattr(after, column.name)
            a, b = luck.randrange(len(values)), luck.randrange(len(values))
            values[a], values[b] = values[b], values[a]
            for side in (0, 1, SPECTATOR, REFEREE):
                before.shared, after.shared = kept.Shared(latest), kept.Shared(latest)
                first = game._pieces.seen_by(before, side)
                second = game._pieces.seen_by(after, side)
                after.shared = None
                assert second == game._pieces.seen_by(after, side), (column.name, a, b, side)
                changed |= {column.name} if first != second else set()
    assert {"token", "memory"} <= changed, "the test changes something"


@pytest.mark.parametrize("name", [name for name in playable_names() if find_game(name).sight is not None])
def test_what_is_uncovered_is_found_by_looking_at_what_changed(name: str) -> None:
    """Undo closes when somebody learns something: the units that changed tell as much as all of them."""
    game, luck = find_game(name), random.Random(7)
    tests = list({f.sees.test: None for f in game.state_type.fields.values() if f.sees.kind == "seen"})

    def in_full(before: Any, after: Any) -> bool:
        units, sides = range(len(after.token)), range(len(game.sides))
        return any(test(after, x, u) and not test(before, x, u) for test in tests for x in sides for u in units)

    found = []
    for scenario in game.scenarios[:3]:
        session = Session.new(game, scenario, seed="3")
        for _ in range(150):
            if session.result is not None:
                break
            before, side = session.state, session.state.waiting[0]
            session.act(side, luck.choice(game.orders(before, side)))
            found.append(game.uncovered(before, session.state))
            assert found[-1] == in_full(before, session.state)
    assert True in found
    assert False in found
    for field in game.sight or ():  # and what sight hangs on besides
        before, after = session.state.copy(), session.state.copy()
        setattr(before, field, 0)
        setattr(after, field, 1)
        assert game.uncovered(before, after)
        assert in_full(before, after)
