"""`grognard serve` that knows where its processor time goes; started by `load.py --split`.

On SIGUSR1 it begins to count, on SIGUSR2 it writes microseconds by part into the file that GROGNARD_SPLIT names. The
clock is read twice for every part, some thirty times an action, which is not free: with GROGNARD_SPLIT_RULES set only
the rules are counted, three times an action.
"""

from __future__ import annotations

import functools
import json
import os
import runpy
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from grognard.games import find_game, playable_names
from grognard.kernel.game import Game
from grognard.kernel.session import Session
from grognard.server import live, table
from grognard.server.recorder import Recorder
from grognard.server.sockets import PushSocket
from grognard.server.store import Store

spent: dict[str, int] = {}
inside = threading.local()  # by thread: what the parts inside each open part took


def counted(part: str, call: Callable[..., Any]) -> Callable[..., Any]:
    """The same call, its own time (without that of the parts inside it) noted under a part."""

    @functools.wraps(call)
    def timed(*args: Any, **kwargs: Any) -> Any:
        inner: list[int] = inside.__dict__.setdefault("took", [])
        start = time.thread_time_ns()
        inner.append(0)
        try:
            return call(*args, **kwargs)
        finally:
            took = time.thread_time_ns() - start
            spent[part] = spent.get(part, 0) + took - inner.pop()
            if inner:
                inner[-1] += took

    return timed


def count(part: str, owner: Any, *names: str) -> None:
    """Note what these functions of a class or module take."""
    for name in names:
        setattr(owner, name, counted(part, getattr(owner, name)))


def main() -> None:
    """Count, then serve."""
    count("rules", Session, "act")
    count("rules", Game, "orders")
    if not os.environ.get("GROGNARD_SPLIT_RULES"):
        count_the_rest()
    signal.signal(signal.SIGUSR1, lambda *_: spent.clear())
    signal.signal(signal.SIGUSR2, lambda *_: Path(os.environ["GROGNARD_SPLIT"]).write_text(json.dumps(spent)))
    runpy.run_module("grognard", run_name="__main__")


def count_the_rest() -> None:
    """What the server adds, by part."""
    kinds = {kind for name in playable_names() for kind in type(find_game(name)).__mro__ if "view" in vars(kind)}
    for kind in kinds:
        count("views", kind, "view")
    count("messages", table.Table, "letters")
    count("messages", live, "encode")
    count("store", Store, "record")
    count("store", Recorder, "record")
    count("sockets", PushSocket, "push", "data_received")


if __name__ == "__main__":
    main()
