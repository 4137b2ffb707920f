"""PettingZoo: the same game as a parallel environment, for learners that step all agents at once.

In a cycle every side that is asked answers, at the same time and without seeing what the others choose; who is not
asked has an empty mask, and whatever it answers is passed over. An answer that is not on the page is none: the cycle is
lost and the question stands. Spaces and observations are those of `aec.WarGame`.
"""

from __future__ import annotations

from typing import Any

from pettingzoo import ParallelEnv

from .aec import LONGEST, PAGE, WarGame, on_page, reward_of, turned_over


class WarGameTogether(ParallelEnv):  # type: ignore[misc]
    """One game at a time, for any number of sides, a step for all of them."""

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
        self.inner = WarGame(game, scenario, options, page=page, render_mode=render_mode)
        self.metadata = self.inner.metadata | {"is_parallelizable": True}
        self.max_cycles, self.render_mode = max_cycles, render_mode
        self.possible_agents = list(self.inner.possible_agents)
        self.agents: list[str] = []
        self.lists: dict[str, list[tuple[str, int]]] = {}
        self.firsts: dict[str, int] = {}
        self.observation_spaces, self.action_spaces = self.inner.observation_spaces, self.inner.action_spaces

    def observation_space(self, agent: str) -> Any:
        """The same for every agent."""
        return self.inner.observation_space(agent)

    def action_space(self, agent: str) -> Any:
        """A place on the agent's page."""
        return self.inner.action_space(agent)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, Any]:
        """A new game; equal seeds give equal dice."""
        self.inner.reset(seed)
        self.agents = list(self.possible_agents)
        self.cycles = 0
        self.lists = {}
        self._ask()
        return self._look(), {agent: {} for agent in self.agents}

    def _ask(self) -> None:
        """What each side that is asked may answer, and its page: where it was, if it is asked the same still."""
        inner, before = self.inner, self.lists
        self.lists = {inner.agent_of[side]: inner.game.legal(inner.s, side) for side in inner.s.waiting}
        self.firsts = {a: self.firsts[a] if before.get(a) == legal else 0 for a, legal in self.lists.items()}

    def _look(self) -> dict[str, Any]:
        return {a: self.inner.look(a, self.lists.get(a, []), self.firsts.get(a, 0)) for a in self.agents}

    def step(self, actions: dict[str, Any]) -> tuple[Any, Any, Any, Any, Any]:
        """Everybody's answer at once."""
        inner, page, has_moved = self.inner, self.inner.page, False
        for agent, legal in self.lists.items():
            number, first, side = int(actions.get(agent, -1)), self.firsts[agent], inner.side_of[agent]
            shown = on_page(legal, first, page)
            if number == page - 1 and len(legal) > page:
                self.firsts[agent] = turned_over(legal, first, page)
            elif 0 <= number < len(shown) and side in inner.s.waiting:
                inner.s.events = []
                inner.game.apply(inner.s, side, shown[number], trusted=True)
                has_moved = True
        if has_moved:
            self._ask()
        self.cycles += 1
        result, sides = inner.game.result(inner.s), len(self.possible_agents)
        is_cut = result is None and self.cycles >= self.max_cycles
        rewards = dict.fromkeys(self.agents, 0.0)
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        if result is not None:
            for agent in self.agents:
                rewards[agent] = reward_of(inner.game, result, inner.side_of[agent], sides)
                infos[agent] = {"level": result.level, "rule": result.rule}
        seen = self._look()
        terminations, truncations = dict.fromkeys(self.agents, result is not None), dict.fromkeys(self.agents, is_cut)
        if result is not None or is_cut:
            self.agents = []
        if self.render_mode == "ansi":
            self.render()
        return seen, rewards, terminations, truncations, infos

    def render(self) -> Any:
        """Where the game is, in a line."""
        return self.inner.render()

    def state(self) -> Any:
        """The whole truth, for learners that may have it in training."""
        return self.inner.state()

    def close(self) -> None:
        """Nothing to let go of."""


def parallel_env(game: str, scenario: str = "", options: dict[str, str] | None = None, **more: Any) -> Any:
    """The parallel environment, by the name that PettingZoo's modules give it."""
    return WarGameTogether(game, scenario, options, **more)
