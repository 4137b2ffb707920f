"""The chronicle of a game in play is written beside it: those who play wait for its lines only."""

from __future__ import annotations

import asyncio
import threading
from types import SimpleNamespace
from typing import Any

import pytest

from grognard.server import chronicle
from grognard.server.journal import Change
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
        scribe = Scribe(SimpleNamespace(run=hall_run, store=None))  # type: ignore[arg-type]
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
