"""Computer players beside the server: they think in processes of their own, so that nobody waits for them."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import threading
import time
import weakref
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import Any

from grognard.ai import Seat, player_named
from grognard.kernel.flow import Action, Order
from grognard.kernel.record import Side
from grognard.kernel.session import Session
from grognard.server.thinking import Slots, bounded, think
from grognard.teach import answer_of, lesson_of_mark

WORKERS = 2
LOOK = 2.0  # seconds
GLANCE = 0.25  # seconds between looks at thinking that goes on


def stay_with(server: int, shared: Any) -> None:
    """Runs in a worker: when the server is killed, nobody is left to end it, so it looks for itself."""
    bounded(shared)

    def look() -> None:
        while os.getppid() == server:
            time.sleep(LOOK)
        os._exit(0)

    threading.Thread(target=look, daemon=True).start()


class Computer:
    """A few workers, started when first needed."""

    def __init__(self) -> None:
        self.pool: ProcessPoolExecutor | None = None
        self.slots: Slots | None = None
        self.plans: weakref.WeakKeyDictionary[Session, dict[Side, tuple[int, list[Action], str]]] = (
            weakref.WeakKeyDictionary()
        )

    def workers(self) -> tuple[ProcessPoolExecutor, Slots]:
        """The pool and the shared numbers, started when first needed."""
        if self.pool is None or self.slots is None:
            spawn = multiprocessing.get_context("spawn")
            self.slots = Slots(spawn)
            start = (os.getpid(), self.slots.shared)
            self.pool = ProcessPoolExecutor(WORKERS, spawn, initializer=stay_with, initargs=start)
        return self.pool, self.slots

    async def choose(
        self,
        session: Session,
        side: Side,
        level: str,
        wanted: Callable[[], bool] = lambda: True,
        tell: Callable[[int, int, Order | None], None] | None = None,
    ) -> Order:
        """An action for a side, in its words. Cheap players think here and now.

        As soon as `wanted` says no the thinking ends with what it has. `tell` hears how far it is, and the action it
        would take now.
        """
        game, s = session.game, session.state
        lesson = lesson_of_mark(game.name, session.header.mark)
        told = lesson and answer_of(lesson, session, side)
        if told:  # the others of a lesson do what was recorded
            return told
        legal = game.legal(s, side)
        if level == "random" or len(legal) == 1:
            return game.write(s, side, player_named(level).choose(Seat(game, s, side, session.luck(side))).action)
        drawn, plan, note = self.plans.get(session, {}).get(side, (-1, [], ""))
        if plan and drawn == s.draws and plan[0] in legal:  # as it meant to
            return game.write(s, side, plan.pop(0))
        for attempt in (1, 2):
            pool, slots = self.workers()
            slot = slots.take()
            try:
                loop = asyncio.get_running_loop()
                given = (game.name, s.to_json(), side, level, session.luck(side), slot, note)
                work = loop.run_in_executor(pool, think, *given)
                while not (await asyncio.wait({work}, timeout=GLANCE))[0]:
                    if not wanted():
                        slots.stop(slot)
                    elif tell is not None:
                        done, total, best = slots.progress(slot)
                        tell(done, total, game.write(s, side, legal[best]) if 0 <= best < len(legal) else None)
                thought = work.result()
                self.plans.setdefault(session, {})[side] = (thought.drawn, list(thought.plan), thought.note)
                return game.write(s, side, thought.action)
            except BrokenProcessPool:
                self.pool = self.slots = None
                if attempt == 2:
                    raise
            finally:
                slots.give_back(slot)
        raise AssertionError

    async def beside(self, function: Callable[..., Any], *args: Any) -> Any:
        """Any other long work, in one of the workers."""
        return await asyncio.get_running_loop().run_in_executor(self.workers()[0], partial(function, *args))

    def close(self) -> None:
        """Stop the workers."""
        if self.pool is not None:
            for slot in range(len(self.slots.shared) // 4 if self.slots else 0):
                self.slots.stop(slot)  # type: ignore[union-attr]
            self.pool.shutdown(wait=False, cancel_futures=True)
            self.pool = self.slots = None
