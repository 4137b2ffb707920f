"""What a computer player is given, and the simplest one."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, Protocol

from grognard.kernel.dice import seed_from
from grognard.kernel.flow import Action
from grognard.kernel.game import Game
from grognard.kernel.record import Side


@dataclass
class Choice:
    """What a player does, and why, in numbers: each option it weighed with its value, best first."""

    action: Action
    weighed: list[tuple[Action, int]]


class Seat:
    """A side's place at the table: its legal list, its view, and positions it could not tell from the true one."""

    def __init__(self, game: Game[Any], state: Any, side: Side, seed: str) -> None:
        self.game, self.side, self.seed = game, side, seed
        self.__state = state
        self.legal: list[Action] = game.legal(state, side)

    def sample(self, number: int = 0) -> Any:
        """A redealt position with dice of its own; the same number gives the same one."""
        return self.game.redeal(self.__state, self.side, seed_from(f"{self.seed} sample {number}"))

    def promising(self) -> list[Action]:
        """The legal actions that the game, from what the side may know, thinks worth weighing."""
        return self.game.promising(self.__state, self.side, self.legal)

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
