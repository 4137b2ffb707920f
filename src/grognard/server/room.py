"""Room for tables: which are in memory, which may be forgotten, and when there is no room for another.

A table that somebody has a socket to, that thinks or that is being changed is never forgotten. What is forgotten is in
the store; while a request still holds such a table, the same object comes back, so there is never a second one.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Container
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from grognard.server.errors import Problem
from grognard.server.table import Table
from grognard.server.weight import A_SOCKET, AN_ACTION, LATE, SOON, weight_of


class Room:
    """The tables in memory, by id."""

    def __init__(self, most: int) -> None:
        self.most = most  # bytes
        self.tables: dict[str, Table] = {}
        self.forgotten: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self.doors: dict[str, tuple[asyncio.Lock, list[None]]] = {}  # of tables that are being read; who waits

    def find(self, table_id: str, touch: bool = True) -> Table | None:
        """A table that is here and sound; `touch`: because somebody wants it."""
        table = self.tables.get(table_id) or self.forgotten.get(table_id)
        if table is None or table.broken:
            return None
        if not touch:
            return table
        self.tables[table_id] = table
        table.used = time.monotonic()
        self.weigh_anew(table)
        return table

    def put(self, table: Table) -> None:
        """A table that was made or read."""
        self.tables[table.id] = table
        self.weigh(table)

    def weigh(self, table: Table) -> None:
        """Note what a table takes now, and when to look again: what it shows to people is made after it came here."""
        table.weight, table.weighed = weight_of(table.session, table.views.values()), table.version
        table.weigh_after = SOON if table.weigh_after == 0 else LATE

    def weigh_anew(self, table: Table) -> None:
        """The same if it has grown since: also of one that people play at without ever asking for it again."""
        if table.version >= table.weighed + table.weigh_after:
            self.weigh(table)

    def weight_of(self, table: Table) -> int:
        """Bytes of a table here with its connections, and with what was played since it was weighed."""
        return table.weight + (table.version - table.weighed) * AN_ACTION + len(table.sockets) * A_SOCKET

    def weight(self) -> int:
        """Bytes of all tables here."""
        return sum(map(self.weight_of, self.tables.values()))

    def make_room(self, thinking: Container[str]) -> None:
        """Before another table comes: forget what nobody looks at, the longest unused first, or refuse."""
        over = self.weight() - self.most
        if over < 0:
            return
        idle = [t for t in self.tables.values() if self._is_free(t, thinking)]
        for table in sorted(idle, key=lambda t: t.used):
            self.forgotten[table.id] = self.tables.pop(table.id)
            over -= self.weight_of(table)
            if over < 0:
                return
        raise Problem(503, "full")

    def let_rest(self, thinking: Container[str], idle: float) -> None:
        """Forget the tables that nobody has looked at for so many seconds: a server is as large as what is in use."""
        before = time.monotonic() - idle
        for table in list(self.tables.values()):
            waits = table.offers() or table.announced is not None  # what was offered is written nowhere else
            if table.used < before and not waits and self._is_free(table, thinking):
                self.forgotten[table.id] = self.tables.pop(table.id)

    def _is_free(self, table: Table, thinking: Container[str]) -> bool:
        """True of a table that may be forgotten now."""
        return not (table.sockets or table.lock.locked() or table.id in thinking)

    @asynccontextmanager
    async def opening(self, table_id: str) -> AsyncIterator[None]:
        """One reads a table from the store, the others wait; nothing is kept of ids that nobody has."""
        lock, waiting = self.doors.setdefault(table_id, (asyncio.Lock(), []))
        waiting.append(None)
        try:
            async with lock:
                yield
        finally:
            waiting.pop()
            if not waiting:
                self.doors.pop(table_id, None)
