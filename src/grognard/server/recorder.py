"""Writes the changes of all tables down: those that arrive while a transaction is under way share the next one."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread

from grognard.server.journal import Change

Write = Callable[[list[Change]], list[Exception | None]]  # for each change, what went wrong
Batch = list[tuple[Change, asyncio.Future[None]]]


class Recorder:
    """The one door to the log of actions. It has a thread of its own, so that a disk makes nobody else wait."""

    def __init__(self, write: Write) -> None:
        self.write = write
        self.waiting: Batch = []
        self.writing = False
        self.stored = self.failed = 0  # changes so far
        self.seconds = 0.0  # that storing them took
        self.batches: SimpleQueue[tuple[asyncio.AbstractEventLoop, Batch] | None] = SimpleQueue()
        self.thread = Thread(target=self._work, name="recorder", daemon=True)
        self.thread.start()

    def record(self, change: Change) -> asyncio.Future[None]:
        """Done once the change is durable; it raises what the store said if it is not."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self.waiting.append((change, done))
        if not self.writing:
            self._next(loop)
        return done

    def close(self) -> None:
        """Finish what was begun."""
        self.batches.put(None)
        self.thread.join()

    def _next(self, loop: asyncio.AbstractEventLoop) -> None:
        """Hand everything that waits to the thread."""
        batch, self.waiting = self.waiting, []
        self.writing = bool(batch)
        if batch:
            self.batches.put((loop, batch))

    def _work(self) -> None:
        while (work := self.batches.get()) is not None:
            loop, batch = work
            began = time.perf_counter()
            try:
                errors = self.write([change for change, _ in batch])
            except Exception as broken:
                errors = [broken] * len(batch)
            self.seconds += time.perf_counter() - began
            self.stored += errors.count(None)
            self.failed += len(errors) - errors.count(None)
            loop.call_soon_threadsafe(self._written, loop, batch, errors)

    def _written(self, loop: asyncio.AbstractEventLoop, batch: Batch, errors: list[Exception | None]) -> None:
        self._next(loop)
        for (_, done), error in zip(batch, errors):
            if done.cancelled():
                continue
            if error is None:
                done.set_result(None)
            else:
                done.set_exception(error)
