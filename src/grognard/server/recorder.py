"""Writes the changes of all tables down: those that arrive while a transaction is under way share the next one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from grognard.server.store import Change, Store


class Recorder:
    """The one door to the log of actions."""

    def __init__(self, store: Store, run: Callable[..., Awaitable[Any]]) -> None:
        self.store, self.run = store, run
        self.waiting: list[tuple[Change, asyncio.Future[None]]] = []
        self.writing: asyncio.Task[None] | None = None

    async def record(self, change: Change) -> None:
        """Return once the change is durable; raise what the store said if it is not."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiting.append((change, done))
        if self.writing is None:
            self.writing = asyncio.create_task(self._write())
        await done

    async def _write(self) -> None:
        try:
            while self.waiting:
                batch, self.waiting = self.waiting, []
                try:
                    errors = await self.run(self.store.record, [change for change, _ in batch])
                except Exception as broken:  # the pool is gone
                    errors = [broken] * len(batch)
                for (_, done), error in zip(batch, errors):
                    if done.cancelled():
                        continue
                    if error is None:
                        done.set_result(None)
                    else:
                        done.set_exception(error)
        finally:
            self.writing = None
