"""Gymnasium: one side of a game, against a computer player of some level."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from grognard.ai import Seat, player_named

from .aec import PAGE, WarGame


class Against(gymnasium.Env[Any, Any]):
    """You play `side`; the others are played by the computer."""

    metadata = {"render_modes": []}

    def __init__(
        self, game: str, scenario: str = "", *, side: str = "", level: str = "random", page: int = PAGE
    ) -> None:
        self.inner = WarGame(game, scenario, page=page)
        self.side = side or self.inner.possible_agents[0]
        self.player = player_named(level)
        self.observation_space = self.inner.observation_space(self.side)
        self.action_space = self.inner.action_space(self.side)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """A new game, played on to your first decision."""
        super().reset(seed=seed)
        self.inner.reset(int(self.np_random.integers(2**31)) if seed is None else seed)
        self.moves = 0
        self._others()
        return self.inner.observe(self.side), {}

    def _others(self) -> None:
        """The computer plays until you are asked."""
        inner = self.inner
        while inner.s.waiting and inner.agent_selection != self.side and not any(inner.truncations.values()):
            side = inner.side_of[inner.agent_selection]
            self.moves += 1
            action = self.player.choose(Seat(inner.game, inner.s, side, f"{inner.s.seed}/{self.moves}")).action
            place = inner.legal.index(action)
            room = inner.page if len(inner.legal) <= inner.page else inner.page - 1
            inner.first = place // room * room
            inner.step(place % room)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Your action, then theirs. Who answers with a place that is not legal has lost: mask, or learn it."""
        inner = self.inner
        if not inner.observe(self.side)["action_mask"][int(action)]:
            return inner.observe(self.side), -1.0, True, False, {"illegal": True}
        inner.step(action)
        self._others()
        over = inner.terminations[self.side]
        reward = inner.rewards[self.side] if over else 0.0
        return inner.observe(self.side), float(reward), over, inner.truncations[self.side], inner.infos[self.side]

    def action_masks(self) -> Any:
        """The legal places, as some learners ask for them."""
        return np.array(self.inner.observe(self.side)["action_mask"], bool)
