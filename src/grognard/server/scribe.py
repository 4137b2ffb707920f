"""Who writes the chronicles of all tables, while they are played and when they rest; nobody waits for it."""

from __future__ import annotations

import asyncio
import logging
import time
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING

from grognard.kernel.errors import GrognardError
from grognard.kernel.session import Session
from grognard.server import chronicle
from grognard.server.chronicle import Gathered
from grognard.server.table import Table

if TYPE_CHECKING:
    from grognard.server.hall import Hall

LOG = logging.getLogger("grognard.server")
RESTS = 600.0  # seconds without a change after which a table rests; what a sudden end leaves is written at the start


class Scribe:
    """The scribe of a hall."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.at_work: dict[str, asyncio.Task[None]] = {}
        self.pen = asyncio.Lock()  # one part at a time: many threads at work keep those who play from the interpreter

    def when_due(self, table: Table) -> None:
        """A part of the chronicle after so many entries, and the last one at the end; nobody waits for it."""
        session, behind = table.session, len(table.session.entries) - max(0, table.chronicled)
        due = behind >= max(chronicle.STEP, table.chronicle_after) or (session.result is not None and behind > 0)
        if due and not table.stage and table.id not in self.at_work:
            task = asyncio.create_task(self.write_chronicle(table))
            self.at_work[table.id] = task
            task.add_done_callback(lambda _: self.at_work.pop(table.id, None))

    async def write_chronicle(self, table: Table, *, whole: bool = False, here: bool = False) -> None:
        """Write down what happened since the last part; with `whole` also what could still be undone.

        `here`: in this process, when there is no time to start another.
        """
        if table.stage:
            return
        try:
            async with table.lock:  # an end that is being stored, or could not be, is none
                session, version = table.session, table.version
                over = session.result is not None and not table.broken
            if over:
                await self._write_finished(table.id, session)
                table.written_down, table.chronicled = version, len(session.entries)
                return
            async with self.pen:
                async with table.lock:  # those who play wait for the lines only
                    if table.broken:
                        return
                    session, since, version = table.session, max(0, table.chronicled), table.version
                    gathered = await asyncio.to_thread(chronicle.gather, session, since, whole=whole)
                if gathered is not None:
                    found = await self._written_out(gathered, here)
                    await self.hall.run(chronicle.write, self.hall.store, table.id, since, *found)
                    if found[0] <= session.closed and table.session is session:
                        table.chronicled = found[0]
                table.written_down, table.chronicle_after = version, 0
        except Exception:
            behind = len(table.session.entries) - max(0, table.chronicled)
            table.chronicle_after = behind + chronicle.STEP  # not again after every action
            LOG.exception("the chronicle of table %s", table.id)

    async def _written_out(self, gathered: Gathered, here: bool) -> tuple[int, bytes]:
        """A part as it is kept; in another process, since views of everybody would stay in the memory of this one."""
        if not here:
            with suppress(BrokenExecutor):
                found: tuple[int, bytes] = await self.hall.computer.beside(chronicle.written_out, gathered)
                return found
        return await asyncio.to_thread(chronicle.written_out, gathered)

    async def _write_finished(self, table_id: str, session: Session) -> None:
        """All of a finished game: worked out in another process, so that nobody here waits."""
        actions = [(e.side, *e.action, e.salt, e.chain) for e in session.entries]
        facts = session.game.name, asdict(session.header), actions
        try:
            pages = await self.hall.computer.beside(chronicle.parts_of_finished, *facts)
        except BrokenExecutor:
            pages = await asyncio.to_thread(chronicle.parts_of_finished, *facts)
        await self.hall.run(chronicle.write_finished, self.hall.store, table_id, pages)

    async def write_what_is_missing(self) -> None:
        """Write down the games that an earlier program, or a sudden end, left without a chronicle; wakes nobody."""
        for table_id in await self.hall.run(chronicle.missing, self.hall.store):
            try:
                rows = await self.hall.run(self.hall.fetch, table_id)
                table = await asyncio.to_thread(self.hall.replay, *rows)
                if table.session.result is not None:
                    await self._write_finished(table_id, table.session)
                    continue
                found = await asyncio.to_thread(chronicle.part_of, table.session, 0, whole=True)
                if found is not None and table_id not in self.hall.tables:  # those who play write it themselves
                    await self.hall.run(chronicle.write, self.hall.store, table_id, 0, *found, missing=True)
            except GrognardError:
                continue  # of other rules already, or damaged: it says so when it is opened
            await asyncio.sleep(0.05)

    async def write_chronicles(self, idle: float = RESTS, within: float = 3600.0, *, here: bool = False) -> None:
        """Of the tables in memory at which nothing has happened for so many seconds, as long as there is time."""
        until = time.monotonic() + within
        for table in list(self.hall.tables.values()):
            rests = time.monotonic() - table.used >= idle
            if table.version != table.written_down and not table.stage and rests and time.monotonic() < until:
                await self.write_chronicle(table, whole=True, here=here)
