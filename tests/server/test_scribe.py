"""The chronicle of a game in play is written beside it: those who play wait for its lines only."""

from __future__ import annotations

import asyncio
import json
import pickle
import random
import threading
import zlib
from dataclasses import asdict
from types import SimpleNamespace
from typing import Any

import pytest

from grognard.games import find_game, playable_names
from grognard.kernel.gamefile import lines_of, note_of
from grognard.kernel.session import Session
from grognard.server import chronicle
from grognard.server.computer import Computer
from grognard.server.journal import Change
from grognard.server.packing import Parcel, pack
from grognard.server.scribe import Scribe
from tests.server.test_table import choose, make_table, run


def test_nobody_waits_while_a_part_is_written_out(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[tuple[Any, ...]] = []
    begun, go_on = threading.Event(), threading.Event()
    whole = chronicle.written_out

    def slow(*args: Any) -> Any:
        begun.set()
        assert go_on.wait(60)
        return whole(*args)

    monkeypatch.setattr(chronicle, "written_out", slow)
    monkeypatch.setattr(chronicle, "write", lambda *args: kept.append(args))

    async def scene() -> None:
        async def accept(change: Change) -> None:
            return

        async def hall_run(work: Any, *args: Any) -> Any:
            return work(*args)

        table = make_table(accept)
        for _ in range(40):
            person, side, order = choose(table)
            await table.act(person, side, order, None)
        computer = SimpleNamespace(beside=asyncio.to_thread)
        scribe = Scribe(SimpleNamespace(run=hall_run, store=None, computer=computer))  # type: ignore[arg-type]
        closed = table.session.closed
        assert closed > 0
        writing = asyncio.create_task(scribe.write_chronicle(table))
        await asyncio.to_thread(begun.wait, 60)
        person, side, order = choose(table)
        await asyncio.wait_for(table.act(person, side, order, None), 60)  # with the lock held it would never end
        assert not writing.done()
        go_on.set()
        await writing
        assert table.chronicled == closed
        assert [args[1:4] for args in kept] == [("table", 0, closed)]

    run(scene)


@pytest.mark.parametrize("name", playable_names())
def test_a_part_written_in_another_process_is_the_same(name: str) -> None:
    game, luck = find_game(name), random.Random(18)
    session = Session.new(game, next(iter(game.scenarios)), seed="scribe")
    for _ in range(40):
        side = session.state.waiting[0]
        session.act(side, luck.choice(game.orders(session.state, side)))
    unpacked = [chronicle.gather(session, since, whole=True) for since in (0, 21)]
    pack(session)
    assert [chronicle.gather(session, since, whole=True) is None for since in (0, 21, 40)] == [False, False, True]
    for since, gathered in zip((0, 21), unpacked):
        upto, part = chronicle.written_out(pickle.loads(pickle.dumps(gathered)))
        assert (upto, part) == chronicle.part_of(session, since, whole=True), "packed or not, the same"
        told = json.loads(zlib.decompress(part))
        assert upto == 40
        assert told["position"] == plain(session.state.to_json() | {"seed": ""})
        assert told["chain0"] == session.chain0
        for side in chronicle.audiences(session):
            seen = told["sides"][game.side_name(side)]
            assert seen["lines"] == plain(session.log_for(side, since))
            assert seen["file"] == plain([asdict(line) for line in lines_of(session, side, since)])
            assert seen["view"] == plain(game.view(session.state, side))
            assert seen["opening"] == [note_of(e, side) for e in session.opening if e.heard_by(side)]


def plain(value: Any) -> Any:
    """As it comes out of a file."""
    return json.loads(json.dumps(value))


def test_parts_of_games_in_play_are_written_out_in_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not here: the views of everybody would stay in the server's memory. At the end of the server there is no time."""
    here: list[int] = []
    kept: list[tuple[Any, ...]] = []
    whole = chronicle.unpacked

    def noted(parcel: Parcel) -> Session:
        session = whole(parcel)
        here.append(len(session.entries))
        return session

    monkeypatch.setattr(chronicle, "unpacked", noted)
    monkeypatch.setattr(chronicle, "write", lambda *args: kept.append(args))

    async def scene() -> None:
        async def accept(change: Change) -> None:
            return

        async def hall_run(work: Any, *args: Any) -> Any:
            return work(*args)

        table, computer = make_table(accept), Computer()
        for _ in range(40):
            person, side, order = choose(table)
            await table.act(person, side, order, None)
        scribe = Scribe(SimpleNamespace(run=hall_run, store=None, computer=computer))  # type: ignore[arg-type]
        try:
            await scribe.write_chronicle(table, whole=True)
            assert here == []
            await scribe.write_chronicle(table, whole=True, here=True)
            assert here == [len(table.session.entries)]
            assert kept[0][2:] == kept[1][2:]
        finally:
            computer.close()

    run(scene)
