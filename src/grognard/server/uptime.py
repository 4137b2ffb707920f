"""The server's own time: seconds that it has been up, over all its lives. Time banks run by it.

It stands still while no server runs, and does not care what the clock on the wall says or is set to. Every few seconds
it is written down; a server that is killed loses those few, which the players gain. Several servers on one database
share it: each goes by the latest that any has written.
"""

from __future__ import annotations

import time
from collections.abc import Callable

BEAT = 10.0  # seconds between two notes of it
LOOK = 60.0  # seconds between two looks at the clocks of tables that sleep


class Uptime:
    """The time of one server."""

    def __init__(self, seconds: float, ticks: Callable[[], float] = time.monotonic) -> None:
        self.ticks = ticks
        self.base = seconds - ticks()

    def now(self) -> float:
        """Seconds."""
        return self.base + self.ticks()

    def agree(self, seconds: float) -> None:
        """Another server is ahead: so are we."""
        self.base += max(0.0, seconds - self.now())
