"""Opening a long game from a position that was kept: the same game, with far fewer actions played again."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from grognard.games import find_game, playable_names
from grognard.kernel.gamefile import from_session, to_text
from grognard.kernel.session import Session
from grognard.server import intake, opening, resume
from grognard.server.hall import Hall
from grognard.server.journal import Logged
from grognard.server.people import Person
from grognard.server.resume import Resumed
from grognard.server.settings import Settings
from tests.server.test_table import run

ME = Person("me", "me", "Me")


def played(name: str, actions: int) -> tuple[Session, list[Logged]]:
    game, luck = find_game(name), random.Random(name)
    session = Session.new(game, game.scenarios[-1], seed="long")
    while session.result is None and len(session.entries) < actions:
        side = session.state.waiting[0]
        session.act(side, luck.choice(game.orders(session.state, side)))
    return session, [Logged(e.side, *e.action, e.salt, e.chain) for e in session.entries]


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if forty actions were many."""
    monkeypatch.setattr(resume, "WORTH_IT", 40)
    monkeypatch.setattr(resume, "STEP", 8)
    monkeypatch.setattr(resume, "LOG_LINES", 8)


@pytest.mark.parametrize("name", playable_names())
@pytest.mark.usefixtures("soon")
def test_a_resumed_game_is_the_same_game(name: str) -> None:
    session, log = played(name, 60)
    kept = resume.position_to_keep(session, 0)
    assert kept is not None
    at, position = kept
    assert 8 <= at <= len(log) - 8
    again = resume.resume(session.game, session.header, log, at, position)
    assert isinstance(again, Resumed)
    assert again.begun == at
    assert again.chain == session.chain
    assert again.state.to_json() == session.state.to_json()
    assert again.closed == max(session.closed, at), "what was 200 actions ago is not undone"
    for side in (*range(len(session.game.sides)), -1):
        assert again.log_for(side, at) == session.log_for(side, at)
    assert again.begun == at, "nobody asked for more"
    for place in (0, at - 3, at, len(log)):
        assert again.position(place).digest() == session.position(place).digest()
    assert again.log_for(0) == session.log_for(0)
    assert again.begun == 0
    assert to_text(from_session(again)) == to_text(from_session(session))


@pytest.mark.usefixtures("soon")
def test_a_position_that_does_not_fit_the_log_is_not_used() -> None:
    session, log = played("picket", 60)
    kept = resume.position_to_keep(session, 0)
    assert kept is not None
    at, position = kept
    data: dict[str, Any] = json.loads(position)
    for wrong_at, wrong in [
        (at, json.dumps(data | {"draws": data["draws"] + 1})),
        (at, json.dumps(data | {"seed": "known to me"})),
        (at - 1, position),
        (at, "{}"),
        (at, "nonsense"),
        (0, ""),
        (9999, position),
    ]:
        again = resume.resume(session.game, session.header, log, wrong_at, wrong)
        assert not isinstance(again, Resumed)
        assert again.chain == session.chain


@pytest.mark.usefixtures("soon")
def test_a_table_is_opened_from_its_position(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []
    play_on = intake.play_on

    def count(session: Session, actions: Any) -> None:
        counted.append(len(actions))
        play_on(session, actions)

    async def scene() -> None:
        hall = Hall(Settings(database=f"sqlite:///{tmp_path}/x.db"))
        order = {"game": "picket", "scenario": "crossing", "seats": {"red": "me", "blue": "me"}}
        table, _ = await opening.create(hall, ME, order, "en")
        game, luck = table.session.game, random.Random(2)
        while table.session.result is None and len(table.session.entries) < 60:
            side = table.session.state.waiting[0]
            await table.act(ME, side, luck.choice(game.orders(table.session.state, side)), table.version)
            hall.wake(table)
        chain, name, entries = table.session.chain, table.id, len(table.session.entries)
        assert entries >= 40
        await hall.run(lambda: None)  # the lane is empty again
        del table
        hall.tables.clear()
        monkeypatch.setattr(intake, "play_on", count)
        again = await hall.find(name)
        monkeypatch.undo()
        assert again.session.chain == chain
        assert counted
        assert counted[0] < entries - 16, "most was not played again"
        await hall.close()

    run(scene)


@pytest.mark.usefixtures("soon")
def test_undo_goes_back_beyond_the_kept_position_if_nothing_was_learnt(monkeypatch: pytest.MonkeyPatch) -> None:
    close = Session.closes_undo

    def only_early(self: Session, before: Any, after: Any, events: Any) -> bool:
        return len(self.entries) < 12 and close(self, before, after, events)

    monkeypatch.setattr(Session, "closes_undo", only_early)
    session, log = played("picket", 45)
    kept = resume.position_to_keep(session, 0)
    assert kept is not None
    again = resume.resume(session.game, session.header, log, *kept)
    assert isinstance(again, Resumed)
    for both in (session, again):
        while both.entries and both.can_undo(both.entries[-1].side):
            both.undo(both.entries[-1].side)
    assert len(again.entries) == len(session.entries) < kept[0]
    assert again.state.digest() == session.state.digest()
