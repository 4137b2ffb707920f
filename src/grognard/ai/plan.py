"""The planner: whole plans to the first die, made by a noisy quick policy, bettered by mutation, compared by rollouts.

A *plan* is the list of a side's steps until a die falls, something is revealed or the other side decides. The planner
makes plans on one redealt position (the plain one, then noisy ones, then mutants of the best); plays each on, the quick
policy for both sides, to a horizon; halves the field again and again, each time on new deals, the same for all plans
still in; and plays the winner step by step, thinking again only when the plan is used up or no longer fits.
Strength is bought with counted work, never with the clock.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from grognard.ai.greedy import GreedyPlayer
from grognard.ai.player import Choice, Seat
from grognard.ai.steps import Plan, Step, pick, rated_steps, take
from grognard.kernel.flow import Action
from grognard.kernel.game import Mind

OTHER = Step(("", 0))  # in the head of a mutant: any step, by lot
LONGEST = 4000  # steps of a rollout: no turn of ours comes near


@dataclass
class PlanPlayer:
    """Plans to the first die. A level is a set of these numbers."""

    plans: int = 12  # made from scratch: one plain, the others noisy
    mutants: int = 12  # made from the best of them
    parents: int = 4
    rollouts: int = 48  # for the halving, over all rounds
    ahead: int = 1  # game turns after the current one that a rollout goes on
    battles: int = 24  # rollouts for a single decision between dice; 0 leaves those to the quick policy
    noise: float = 0.5  # chance that a noisy plan does not take the best step
    slope: float = 0.6  # then: chance to go on to the next worse one, and so on
    patience: int = 200
    mind: str = "front"
    queue: list[Action] = field(default_factory=list)  # the clicks still to come of the plan being played
    drawn: int = -1  # dice drawn when it was made

    def choose(self, seat: Seat) -> Choice:
        """Go on with the plan, or make one."""
        if len(seat.legal) == 1:
            return Choice(seat.legal[0], [])
        mind, deal = seat.game.mind(self.mind), seat.sample(0)
        if self.queue and self.drawn == deal.draws and self.queue[0] in seat.legal:
            return Choice(self.queue.pop(0), [], list(self.queue))
        here = rated_steps(seat, mind, deal, seat.side, self.patience)
        if len(here) == 1:
            return Choice(here[0][1].first, [])
        luck = seat.luck()
        worth = self._make(seat, mind, luck)
        budget = self.rollouts
        if len(next(iter(worth))) == 1:  # a lone decision between dice: its options are the plans
            if not self.battles:
                return GreedyPlayer(mind=self.mind).choose(seat)
            worth = {(step,): 0 for _, step in here[: self.plans]}
            budget = self.battles
        best, ranking = self._halve(seat, mind, luck, worth, budget)
        self.queue = [click for step in best for click in step if click is not None]
        self.drawn = deal.draws
        action = self.queue.pop(0)
        if action not in seat.legal:  # cannot be: plans are made on positions that look the same
            return GreedyPlayer(mind=self.mind).choose(seat)
        return Choice(action, ranking, list(self.queue), seat.positions)

    def _make(self, seat: Seat, mind: Mind, luck: random.Random) -> dict[Plan, int]:
        """Different plans, the plain one first, each with what its first rollout brought."""
        worth: dict[Plan, int] = {}

        def add(noise: float, head: Sequence[Step] = ()) -> None:
            s = seat.sample(0)
            start = seat.game.clock(s)
            plan = self._walk(seat, mind, s, luck, noise, list(head))
            if plan not in worth:
                worth[plan] = self._play_on(seat, mind, s, start, luck)

        add(0.0)
        if len(next(iter(worth))) > 1:
            for _ in range(self.plans - 1):
                add(self.noise)
            ranked = sorted(worth, key=lambda plan: -worth[plan])
            for _ in range(self.mutants):
                parent = ranked[int(luck.random() * min(self.parents, len(ranked)))]
                cut = int(luck.random() * len(parent))
                add(0.0, [*parent[:cut], OTHER, *parent[cut + 1 :]])
        return worth

    def _walk(self, seat: Seat, mind: Mind, s: Any, luck: random.Random, noise: float, head: list[Step]) -> Plan:
        """Play `s` to the first die: the steps of `head` that are still legal, then the policy's own."""
        side, drawn, turn = seat.side, s.draws, seat.game.clock(s)
        plan: list[Step] = []
        while side in s.waiting and s.draws == drawn and seat.game.clock(s) == turn and len(plan) < LONGEST:
            wanted = head.pop(0) if head else None
            played = None if wanted is None or wanted is OTHER else take(seat, s, side, wanted)
            if played is None and wanted is not None and wanted is not OTHER:
                continue  # no longer legal: left out
            if played is None:
                rated = rated_steps(seat, mind, s, side, self.patience)
                played = take(seat, s, side, pick(rated, luck, 1.0 if wanted is OTHER else noise, self.slope))
            assert played is not None
            plan.append(played)
        return tuple(plan)

    def _play_on(self, seat: Seat, mind: Mind, s: Any, start: int, luck: random.Random) -> int:
        """The quick policy for both sides to the horizon, and what the position is worth there."""
        game = seat.game
        for _ in range(LONGEST):
            if not s.waiting or game.clock(s) > start + self.ahead:
                break
            side = s.waiting[0]
            take(seat, s, side, pick(rated_steps(seat, mind, s, side, self.patience), luck, 0.0, 0.0))
        return mind.score(s, seat.side)

    def _halve(
        self, seat: Seat, mind: Mind, luck: random.Random, worth: dict[Plan, int], budget: int
    ) -> tuple[Plan, list[tuple[Action, int]]]:
        """Sequential halving on common deals; every plan that is still in has seen the same ones."""
        plans, sums, deals = list(worth), dict(worth), 0
        seen = dict.fromkeys(plans, 1)
        rounds = max(1, math.ceil(math.log2(len(plans))))
        share = max(1, budget // rounds)
        while len(plans) > 1:
            for _ in range(max(1, share // len(plans))):
                deals += 1
                deal = seat.sample(deals)
                start = seat.game.clock(deal)
                for plan in plans:
                    s = deal.copy()
                    for step in plan:
                        if s.draws != deal.draws or take(seat, s, seat.side, step) != step:
                            break
                    sums[plan] += self._play_on(seat, mind, s, start, luck)
                    seen[plan] += 1
                    if seat.tell:
                        leader = max(plans, key=lambda p: sums[p] // seen[p])
                        seat.tell(deals, max(deals, budget // 2), leader[0].first)
            plans = sorted(plans, key=lambda plan: -sums[plan])
            if len(plans) <= 2:
                break
            plans = plans[: len(plans) // 2]
        ranking = [(plan[0].first, sums[plan] // seen[plan]) for plan in plans]
        return plans[0], ranking
