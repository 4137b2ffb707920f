"""Computer players. They know the contract and redealt positions; the hidden truth never reaches them."""

from __future__ import annotations

from collections.abc import Callable

from grognard.ai.greedy import GreedyPlayer
from grognard.ai.player import Player, RandomPlayer, Seat
from grognard.kernel.errors import UnknownName

LEVELS: dict[str, Callable[[], Player]] = {"random": RandomPlayer, "greedy": GreedyPlayer}

__all__ = ["LEVELS", "GreedyPlayer", "Player", "RandomPlayer", "Seat", "player_named"]


def player_named(level: str) -> Player:
    """A computer player by its level."""
    if level not in LEVELS:
        raise UnknownName("level of play", level, LEVELS)
    return LEVELS[level]()
