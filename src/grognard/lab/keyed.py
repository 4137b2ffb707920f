"""The same luck on both arms: dice and whims keyed by the place where they are wanted.

The dice of a game are one long stream. If a variant spends one die more in turn 1, all later dice differ, and two games
with one seed have nothing in common any more. In the laboratory each action can get a seed of its own, made of the
match, the place in the sequence, the side, the action, and how often that has happened before: the same attack at the
same place rolls the same dice on both arms, whatever happened elsewhere. No rule knows of it: seed and counter are in
the position. The price: such a game is checked by playing the match again, not by the commitment of one seed.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any

from grognard.ai import Player, Seat, player_named
from grognard.ai.player import Choice
from grognard.kernel import seed_from, where_are_we


class Stream:
    """The game's own dice; only the whims of players have a seed by number."""

    def __init__(self, seed: str) -> None:
        self.seed, self.number = seed, -1

    def whim(self, s: Any, side: int) -> str:
        """The seed of a player's arbitrary choices."""
        self.number += 1
        return f"{self.seed}/{self.number}"

    def before(self, s: Any, side: int, action: tuple[str, int]) -> None:
        """Call it right before `apply`."""


class Keyed(Stream):
    """Chance by place."""

    def __init__(self, seed: str) -> None:
        super().__init__(seed)
        self.seen: Counter[Any] = Counter()

    def _next(self, *place: Any) -> str:
        self.seen[place] += 1
        return f"{self.seed}/{place}/{self.seen[place]}"

    def whim(self, s: Any, side: int) -> str:
        """A whim changes only where the place has changed."""
        return self._next(where_are_we(s), side)

    def before(self, s: Any, side: int, action: tuple[str, int]) -> None:
        """Dice of its own for this action."""
        s.seed, s.draws = seed_from(self._next(where_are_we(s), side, action)), 0


CHANCE = {"keyed": Keyed, "stream": Stream}


class SteadyRandomPlayer:
    """A random player whose choice changes only if it is no longer legal, or a luckier one has come up."""

    def choose(self, seat: Seat) -> Choice:
        """The action with the highest lot; each action draws its own."""

        def lot(action: tuple[str, int]) -> bytes:
            return hashlib.blake2b(f"{seat.seed}|{action[0]}|{action[1]}".encode(), digest_size=8).digest()

        return Choice(max(seat.legal, key=lot), [])


def player_for(level: str, chance: str) -> Player:
    """A computer player by its level; where luck is keyed, a random player is a steady one."""
    return SteadyRandomPlayer() if level == "random" and chance == "keyed" else player_named(level)
