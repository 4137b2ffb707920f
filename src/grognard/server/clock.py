"""Time banks of a table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from grognard.kernel.record import Side

Json = dict[str, Any]


@dataclass
class Clock:
    """A time bank per side, in seconds; runs while the side owes a decision, by the server's own time (`uptime`)."""

    bank: list[float] = field(default_factory=list)
    added: float = 0.0  # per action
    since: float = 0.0  # when the running sides began to think
    full: float = 0.0  # what each side began with

    def go_on(self, now: float) -> None:
        """Read again from the store: nobody can have begun to think in the future."""
        self.since = min(self.since, now)

    def spend(self, waiting: tuple[Side, ...], now: float) -> None:
        """Charge the sides that were thinking."""
        if self.bank and self.since:
            for side in waiting:
                self.bank[side] -= now - self.since
        self.since = now

    def fallen(self, waiting: tuple[Side, ...], now: float) -> Side | None:
        """A side whose time is up."""
        for side in waiting:
            if self.bank and self.since and self.bank[side] - (now - self.since) <= 0:
                return side
        return None

    def to_json(self) -> Json:
        """For the store."""
        if not self.bank:
            return {}
        left = [round(b, 1) for b in self.bank]
        return {"bank": left, "added": self.added, "since": self.since, "full": self.full}

    def anew(self) -> Json:
        """The same time for another game; none for a table kept since before its full time was."""
        return {"bank": [self.full] * len(self.bank), "added": self.added, "full": self.full} if self.full else {}

    def for_clients(self, now: float) -> Json:
        """For clients, whose own clocks may be wrong: how long the running sides have been thinking."""
        if not self.bank:
            return {}
        thought = round(max(0.0, now - self.since), 1) if self.since else 0.0
        return {"bank": [round(b, 1) for b in self.bank], "added": self.added, "thought": thought}
