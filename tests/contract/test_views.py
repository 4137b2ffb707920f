"""Views are put together from remembered parts; they must be, byte for byte, what they would be without a memory."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from grognard.games import find_game, playable_names
from grognard.kernel import kept
from grognard.kernel.record import REFEREE, SPECTATOR
from grognard.kernel.session import Session

ACTIONS = 70
TITLES = [(name, scenario) for name in playable_names() for scenario in find_game(name).scenarios]


def forget() -> None:
    for memory in (kept.PIECES, kept.COLUMNS, kept.PARTS):
        memory.clear()


def views(session: Session, cold: bool = False) -> bytes:
    """All views, one after the other; `cold`: each without a memory."""
    game, told = session.game, []
    for side in (*range(len(game.sides)), SPECTATOR, REFEREE):
        if cold:
            forget()
        told.append(json.dumps(game.view(session.state, side)))
    return "\n".join(told).encode()


@pytest.mark.parametrize(("name", "scenario"), TITLES)
def test_a_view_of_remembered_parts_is_the_whole_view(name: str, scenario: str) -> None:
    """Two games of the same title in turn, so that one may find what the other left; undo and redo among them."""
    game, luck = find_game(name), random.Random(f"{name} {scenario}")
    games = [Session.new(game, scenario, seed=f"{seed}") for seed in (1, 2)]
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
        told = views(session)
        if number % 5 == 4:  # the warm memory said this; now without one
            warm = kept.PIECES.copy(), kept.COLUMNS.copy(), kept.PARTS.copy()
            assert views(session, cold=True) == told
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
