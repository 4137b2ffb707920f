"""PettingZoo: a game as an AEC environment.

An action is a place in a page of the legal list of the agent who is asked; what stands at each place is told in the
observation (`actions`: verb and noun as numbers) and in words by `orders()`. A list longer than the page is turned over
by the last place, which changes nothing in the game. Observations come from the declared fields by way of the game's
schema and from nothing else, so the leak tests of the contract hold for them. Sides that choose in secret at the same
time are asked one after the other: the second does not see what the first chose.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from grognard.games import find_game
from grognard.kernel.dice import seed_from
from grognard.kernel.schema import numbers_of

PAGE = 256  # places for actions
LONGEST = 100_000


class WarGame(AECEnv):  # type: ignore[misc]
    """One game at a time, for any number of sides."""

    metadata = {"name": "grognard_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self,
        game: str,
        scenario: str = "",
        options: dict[str, str] | None = None,
        *,
        page: int = PAGE,
        max_cycles: int = LONGEST,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game: Any = find_game(game)
        self.scenario = scenario or self.game.scenarios[0]
        self.options, self.page, self.max_cycles, self.render_mode = options or {}, page, max_cycles, render_mode
        self.metadata = WarGame.metadata | {"name": f"{game}_v{self.game.version}"}
        self.schema = self.game.schema(self.scenario)
        s = self.game.setup(self.scenario, self.options, seed_from("who plays"))
        self.side_of = {self.game.sides[side]: side for side in self.game.playing(s)}
        self.agent_of = {side: agent for agent, side in self.side_of.items()}
        self.possible_agents = list(self.side_of)
        whole = np.iinfo(np.int32)
        look = spaces.Dict(
            {
                "observation": spaces.Box(whole.min, whole.max, (self.schema.size,), np.int32),
                "actions": spaces.Box(whole.min, whole.max, (page, 2), np.int32),
                "action_mask": spaces.Box(0, 1, (page,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, look)
        self.action_spaces = {agent: spaces.Discrete(page) for agent in self.possible_agents}
        self.verb_number = {verb: n for n, verb in enumerate(self.schema.verbs)}
        self.luck = random.Random()
        self.s: Any = s

    def observation_space(self, agent: str) -> Any:
        """The same for every agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """A place on the page."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game; equal seeds give equal dice."""
        if seed is not None:
            self.luck = random.Random(seed)
            for number, space in enumerate(self.action_spaces.values()):
                space.seed(seed + number)
        self.s = self.game.setup(self.scenario, self.options, seed_from(f"zoo {self.luck.random()}"))
        self.s.events = []
        self.cycles = 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._ask()

    def _ask(self) -> None:
        """Who is asked now, and what may be answered."""
        self.legal: list[tuple[str, int]] = []
        self.first = 0
        if self.s.waiting:
            side = self.s.waiting[0]
            self.agent_selection = self.agent_of[side]
            self.legal = self.game.legal(self.s, side)

    def shown(self) -> list[tuple[str, int]]:
        """The actions on the present page."""
        return on_page(self.legal, self.first, self.page)

    def orders(self) -> list[tuple[str, str]]:
        """The same in words."""
        side = self.side_of[self.agent_selection]
        return [self.game.write(self.s, side, action) for action in self.shown()]

    def observe(self, agent: str) -> dict[str, Any]:
        """What the side may know; an empty mask for those who are not asked."""
        is_asked = bool(self.s.waiting) and agent == self.agent_selection
        return self.look(agent, self.legal if is_asked else [], self.first)

    def look(self, agent: str, legal: list[tuple[str, int]], first: int) -> dict[str, Any]:
        """What the side may know, and the page of this list that begins at `first`."""
        seen = np.array(numbers_of(self.game, self.schema, self.s, self.side_of[agent]), np.int32)
        mask = np.zeros(self.page, np.int8)
        actions = np.full((self.page, 2), -1, np.int32)
        shown = on_page(legal, first, self.page)
        if shown:
            mask[: len(shown)] = 1
            actions[: len(shown)] = [(self.verb_number[verb], noun) for verb, noun in shown]
        if len(legal) > self.page:
            mask[-1] = 1
        return {"observation": seen, "actions": actions, "action_mask": mask}

    def state(self) -> Any:
        """The whole truth, for learners that may have it in training."""
        from grognard.kernel.record import REFEREE

        return np.array(numbers_of(self.game, self.schema, self.s, REFEREE), np.int32)

    def step(self, action: Any) -> None:
        """Carry out the action at that place, or turn the page."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        shown, number = self.shown(), -1 if action is None else int(action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.cycles += 1
        if number == self.page - 1 and len(self.legal) > self.page:
            self.first = turned_over(self.legal, self.first, self.page)
        elif 0 <= number < len(shown):
            self.s.events = []
            self.game.apply(self.s, self.side_of[agent], shown[number], trusted=True)
            self._ask()
        else:
            raise IndexError(f"{agent}: action {action}; places 0 to {len(shown) - 1} of the page are legal")
        result = self.game.result(self.s)
        if result is not None:
            for other in self.agents:
                self.terminations[other] = True
                self.rewards[other] = reward_of(self.game, result, self.side_of[other], len(self.agents))
                self.infos[other] = {"level": result.level, "rule": result.rule}
        elif self.cycles >= self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        if self.render_mode == "ansi":
            self.render()

    def render(self) -> str:
        """Where the game is, in a line."""
        from grognard.kernel.flow import where_are_we

        return where_are_we(self.s)

    def close(self) -> None:
        """Nothing to let go of."""


def on_page(legal: list[tuple[str, int]], first: int, page: int) -> list[tuple[str, int]]:
    """The actions on the page that begins at `first`; a list that is longer leaves its last place for turning over."""
    return legal[first : first + (page if len(legal) <= page else page - 1)]


def turned_over(legal: list[tuple[str, int]], first: int, page: int) -> int:
    """Where the next page begins; after the last comes the first again."""
    following = first + len(on_page(legal, first, page))
    return following if following < len(legal) else 0


def reward_of(game: Any, result: Any, side: int, sides: int) -> float:
    """1 for a win, 0 for a draw; what the winner gains the others lose together."""
    if result.winner is None:
        return 0.0
    return 1.0 if result.winner == side else -1.0 / max(1, sides - 1)


def env(game: str, scenario: str = "", options: dict[str, str] | None = None, **more: Any) -> Any:
    """The environment with PettingZoo's usual guards."""
    return wrappers.OrderEnforcingWrapper(WarGame(game, scenario, options, **more))
