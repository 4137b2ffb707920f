"""What the servers on one database tell each other of limits: what was used where, and how many sockets are open.

Each counts for itself and hears what the others let through, so that two servers are no second chance. What is rare is
told at once, what is frequent once a second; a server that comes in is told how things stand. Words may cross: what
comes to both within the same moment may be let through twice.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from grognard.server.messages import Json

if TYPE_CHECKING:
    from grognard.server.doors import Doors

SOON, LATER = 0.05, 1.0  # seconds until the others are told of something rare, or frequent
FULL = 6000  # bytes of one telling
MOST = 2000  # limits that a newcomer is told of


class Tally:
    """The limits of this server and of the others."""

    def __init__(self, doors: Doors, relay: Callable[[Json], None], alone: Callable[[], bool]) -> None:
        self.doors, self.relay, self.alone = doors, relay, alone
        self.used: Counter[tuple[str, str]] = Counter()  # not told yet: limit and whose
        self.changed: set[str] = set()  # whose number of open sockets is not told yet
        self.timers: dict[float, asyncio.TimerHandle] = {}

    def use(self, what: str, who: str) -> None:
        """Somebody has used a limit here."""
        if not self.alone():
            self.used[what, who] += 1
            self._tell_in(LATER if what in self.doors.frequent else SOON)

    def sockets(self, keys: Iterable[str]) -> None:
        """Somebody has opened or closed a socket here."""
        if not self.alone():
            self.changed.update(key for key in keys if key)
            self._tell_in(SOON)

    def _tell_in(self, seconds: float) -> None:
        if seconds not in self.timers:
            self.timers[seconds] = asyncio.get_running_loop().call_later(seconds, self._tell, seconds)

    def _tell(self, seconds: float) -> None:
        del self.timers[seconds]
        self._say("used", [(what, who, n) for (what, who), n in self.used.items()])
        self._say("open", [(key, self.doors.sockets[key]) for key in self.changed])
        self.used.clear()
        self.changed.clear()

    def welcome(self) -> None:
        """Tell a server that has just come in how things stand."""
        self._say("so far", self.doors.so_far()[:MOST])
        self._say("open", [(key, n) for key, n in self.doors.sockets.items() if key])

    def _say(self, what: str, rows: Sequence[tuple[Any, ...]]) -> None:
        """Tell the others, in as many pieces as it takes."""
        piece: list[tuple[Any, ...]] = []
        length = 0
        for row in rows:
            long = len(json.dumps(row))
            if piece and length + long > FULL:
                self.relay({"limits": what, "rows": piece})
                piece, length = [], 0
            piece.append(row)
            length += long
        if piece:
            self.relay({"limits": what, "rows": piece})

    def hear(self, sender: str, message: Json) -> None:
        """What another server tells."""
        doors, rows = self.doors, message["rows"]
        if message["limits"] == "open":
            doors.open_elsewhere(sender, rows)
            return
        for what, who, n in rows:
            if what in doors.shared:
                if message["limits"] == "used":
                    doors.shared[what].spend(who, n)
                else:
                    doors.shared[what].at_least(who, n)

    def forget(self, sender: str) -> None:
        """A server is gone, and its sockets with it."""
        self.doors.elsewhere.pop(sender, None)
