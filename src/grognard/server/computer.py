"""Computer players beside the server: they think in processes of their own, so that nobody waits for them."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import Any

from grognard.ai import Seat, player_named
from grognard.games import find_game
from grognard.kernel.flow import Action, Order
from grognard.kernel.record import Side
from grognard.kernel.session import Session

WORKERS = 2
LOOK = 2.0  # seconds


def think(game_name: str, position: dict[str, Any], side: Side, level: str, seed: str) -> Action:
    """Choose one action; runs in a worker."""
    game = find_game(game_name)
    return player_named(level).choose(Seat(game, game.load(position), side, seed)).action


def stay_with(server: int) -> None:
    """Runs in a worker: when the server is killed, nobody is left to end it, so it looks for itself."""

    def look() -> None:
        while os.getppid() == server:
            time.sleep(LOOK)
        os._exit(0)

    threading.Thread(target=look, daemon=True).start()


class Computer:
    """A few workers, started when first needed."""

    def __init__(self) -> None:
        self.pool: ProcessPoolExecutor | None = None

    async def choose(self, session: Session, side: Side, level: str) -> Order:
        """An action for a side, in its words. Cheap players think here and now."""
        game, s = session.game, session.state
        if level == "random" or len(game.legal(s, side)) == 1:
            return game.write(s, side, player_named(level).choose(Seat(game, s, side, session.luck(side))).action)
        for attempt in (1, 2):
            if self.pool is None:
                spawn = multiprocessing.get_context("spawn")
                self.pool = ProcessPoolExecutor(WORKERS, spawn, initializer=stay_with, initargs=(os.getpid(),))
            try:
                loop = asyncio.get_running_loop()
                seed = session.luck(side)
                action = await loop.run_in_executor(self.pool, think, game.name, s.to_json(), side, level, seed)
                return game.write(s, side, action)
            except BrokenProcessPool:
                self.pool = None
                if attempt == 2:
                    raise
        raise AssertionError

    async def beside(self, function: Callable[..., Any], *args: Any) -> Any:
        """Any other long work, in one of the workers."""
        if self.pool is None:
            self.pool = ProcessPoolExecutor(WORKERS, mp_context=multiprocessing.get_context("spawn"))
        return await asyncio.get_running_loop().run_in_executor(self.pool, partial(function, *args))

    def close(self) -> None:
        """Stop the workers."""
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)
            self.pool = None
