"""Rate limits: a bucket of tokens per address or person."""

from __future__ import annotations

import time
from collections import OrderedDict

from grognard.server.errors import Problem

MOST_BUCKETS = 20_000


class Limiter:
    """So many requests at once, so many a second after that."""

    def __init__(self, burst: int, rate: float) -> None:
        self.burst, self.rate = burst, rate
        self.buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, who: str, now: float | None = None) -> bool:
        """Take a token; False when there is none left."""
        now = time.monotonic() if now is None else now
        tokens = self._tokens(who, now)
        allowed = tokens >= 1
        self.buckets.pop(who, None)
        self.buckets[who] = (tokens - 1 if allowed else tokens, now)
        if len(self.buckets) > MOST_BUCKETS:
            self.buckets.popitem(last=False)
        return allowed

    def need(self, who: str) -> None:
        """Take a token, or say that there is none."""
        if not self.allows(who):
            raise Problem(429, "too-many")

    def has(self, who: str, now: float | None = None) -> bool:
        """True if there is a token; it stays."""
        return self._tokens(who, time.monotonic() if now is None else now) >= 1

    def _tokens(self, who: str, now: float) -> float:
        tokens, then = self.buckets.get(who, (float(self.burst), now))
        return min(float(self.burst), tokens + (now - then) * self.rate)
