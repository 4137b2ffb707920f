"""Computer players. They know the contract and redealt positions; the hidden truth never reaches them."""

from __future__ import annotations

from grognard.ai.greedy import GreedyPlayer
from grognard.ai.levels import LEVELS, Level, offered, player_named
from grognard.ai.plan import PlanPlayer
from grognard.ai.player import Choice, Player, RandomPlayer, Seat, Stopped
from grognard.ai.staff import StaffPlayer

__all__ = [
    "LEVELS",
    "Choice",
    "GreedyPlayer",
    "Level",
    "PlanPlayer",
    "Player",
    "RandomPlayer",
    "Seat",
    "StaffPlayer",
    "Stopped",
    "offered",
    "player_named",
]
