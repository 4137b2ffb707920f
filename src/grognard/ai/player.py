"""What a computer player is given, and the simplest one."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from grognard.kernel.dice import seed_from
from grognard.kernel.flow import Action
from grognard.kernel.game import Game, Mind
from grognard.kernel.record import Side


@dataclass
class Choice:
    """What a player does, and why, in numbers: each option it weighed with its value, best first.

    `plan` is what it means to do next, as long as no die falls; `positions` how many it looked at; `note` what it wants
    to be told again at its next decision (`Player.note`).
    """

    action: Action
    weighed: list[tuple[Action, int]]
    plan: list[Action] = field(default_factory=list)
    positions: int = 0
    note: str = ""


class Stopped(Exception):
    """The table moved on, or the player was told to decide now."""


class Seat:
    """A side's place at the table: its legal list, its view, and positions it could not tell from the true one.

    Work is counted here, in positions and never in seconds, so that the same seed gives the same moves everywhere.
    `tell` is called now and then with the positions looked at, those there will be, and the best action so far; what it
    raises ends the thinking.
    """

    def __init__(
        self,
        game: Game[Any],
        state: Any,
        side: Side,
        seed: str,
        tell: Callable[[int, int, Action], None] | None = None,
    ) -> None:
        self.game, self.side, self.seed, self.tell = game, side, seed, tell
        self.__state = state
        self.legal: list[Action] = game.legal(state, side)
        self.positions = 0

    def sample(self, number: int = 0) -> Any:
        """A redealt position with dice of its own; the same number gives the same one."""
        return self.game.redeal(self.__state, self.side, seed_from(f"{self.seed} sample {number}"))

    def promising(self, mind: Mind | None = None) -> list[Action]:
        """The legal actions that the game, from what the side may know, thinks worth weighing."""
        return (mind or self.game.mind()).promising(self.__state, self.side, self.legal)

    def view(self) -> dict[str, Any]:
        """What the side may know, as plain data."""
        return self.game.view(self.__state, self.side)

    def luck(self) -> random.Random:
        """A source of arbitrary choices, the same for the same seed. `random()` alone is stable across releases."""
        return random.Random(self.seed)


class Player(Protocol):
    """Anything that can choose among the legal actions of a seat."""

    def choose(self, seat: Seat) -> Choice:
        """Pick one action of `seat.legal`."""
        ...


class RandomPlayer:
    """Every legal action is equally likely."""

    def choose(self, seat: Seat) -> Choice:
        """Throw a dart."""
        return Choice(seat.legal[int(seat.luck().random() * len(seat.legal))], [])
