"""Rate limits: a bucket of tokens per address or person."""

from __future__ import annotations

import time
from collections import OrderedDict
from math import ceil

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
        if tokens < 1:
            self._set(who, tokens, now)
            return False
        self._set(who, tokens - 1, now)
        return True

    def spend(self, who: str, number: int, now: float | None = None) -> None:
        """Tokens that were taken elsewhere; there may be fewer left than that."""
        now = time.monotonic() if now is None else now
        self._set(who, max(0.0, self._tokens(who, now) - number), now)

    def at_least(self, who: str, used: int, now: float | None = None) -> None:
        """So many were taken elsewhere, as far as is known; what was heard of before is among them."""
        now = time.monotonic() if now is None else now
        self._set(who, min(self._tokens(who, now), max(0.0, float(self.burst - used))), now)

    def used(self, now: float | None = None) -> dict[str, int]:
        """How many tokens are missing, of those who miss any."""
        now = time.monotonic() if now is None else now
        missing = ((who, self.burst - self._tokens(who, now)) for who in self.buckets)
        return {who: ceil(number) for who, number in missing if number > 0}

    def _set(self, who: str, tokens: float, now: float) -> None:
        self.buckets[who] = (tokens, now)
        self.buckets.move_to_end(who)
        if len(self.buckets) > MOST_BUCKETS:
            self.buckets.popitem(last=False)

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
