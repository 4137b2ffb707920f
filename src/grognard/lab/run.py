"""Playing a run: games on local processes or on a cluster, results in their order, stop by the rule that was fixed.

Games end in any order; pairs are looked at in theirs, or short games would be counted first. A match is a function of
itself, so it does not matter where it is played or how often: a lost worker costs the games it was playing.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Protocol

from grognard.kernel.errors import GrognardError
from grognard.kit.files import OVERLAY
from grognard.lab.measures import value_of
from grognard.lab.overlay import Value, lay_over
from grognard.lab.plan import Plan
from grognard.lab.selfplay import Match, Score, play_match
from grognard.lab.stats import Walk, judge
from grognard.lab.store import Results, SeedsUsed, differs, score_of

AHEAD = 3  # matches in flight for each process
RETRIES = 3  # times that a lost process is replaced


class Workers(Protocol):
    """Where matches are played."""

    def submit(self, match: Match, data: Mapping[str, Value]) -> Future[Score]:
        """Play a match with some numbers changed."""
        ...

    def close(self) -> None:
        """Send everybody home."""
        ...


class Here:
    """In this process, one after the other: for one job, and where nothing is changed in the data."""

    def submit(self, match: Match, data: Mapping[str, Value]) -> Future[Score]:
        """At once."""
        if data:
            raise GrognardError("changed data need a process of their own")
        done: Future[Score] = Future()
        done.set_result(play_match(match))
        return done

    def close(self) -> None:
        """Nothing to do."""


def _begin(overlay: str) -> None:
    if overlay:
        os.environ[OVERLAY] = overlay


class Pool:
    """Local processes, of their own for each set of changed numbers."""

    def __init__(self, jobs: int, folder: Path | None = None) -> None:
        self.jobs = jobs
        self.held = None if folder else tempfile.TemporaryDirectory(prefix="grognard-lab-")
        self.folder = folder or Path(self.held.name)  # type: ignore[union-attr]
        self.pools: dict[str, ProcessPoolExecutor] = {}

    def _pool(self, overlay: str) -> ProcessPoolExecutor:
        if overlay not in self.pools:
            self.pools[overlay] = ProcessPoolExecutor(self.jobs, get_context("spawn"), _begin, (overlay,))
        return self.pools[overlay]

    def submit(self, match: Match, data: Mapping[str, Value]) -> Future[Score]:
        """To the processes that have these numbers; a process that died is replaced."""
        overlay = str(lay_over(match.game, data, self.folder)) if data else ""
        try:
            return self._pool(overlay).submit(play_match, match)
        except BrokenProcessPool:
            self.pools.pop(overlay).shutdown(wait=False)
            return self._pool(overlay).submit(play_match, match)

    def close(self) -> None:
        """Stop the processes; games in flight are dropped."""
        for pool in self.pools.values():
            pool.shutdown(wait=True, cancel_futures=True)
        if self.held:
            self.held.cleanup()


@dataclass
class Task:
    """A match on its way."""

    pair: int
    place: int
    arm: str
    match: Match
    tries: int = 0


def in_order(
    workers: Workers,
    ahead: int,
    matches: Callable[[int], list[tuple[str, Match]]],
    data_of: Callable[[str], Mapping[str, Value]],
    first: int,
    last: int,
) -> Iterator[tuple[int, list[tuple[str, Match, Score]]]]:
    """Pairs from `first` to before `last`, whole and in order, while later ones are played ahead."""
    waiting: dict[Future[Score], Task] = {}
    scores: dict[tuple[int, int], Score] = {}
    known: dict[int, list[tuple[str, Match]]] = {}
    sent, told = first, first
    while told < last:
        while told < sent and all((told, place) in scores for place in range(len(known[told]))):
            games = known.pop(told)
            yield told, [(arm, match, scores.pop((told, place))) for place, (arm, match) in enumerate(games)]
            told += 1
        while sent < last and len(waiting) < ahead:
            known[sent] = matches(sent)
            for place, (arm, match) in enumerate(known[sent]):
                waiting[workers.submit(match, data_of(arm))] = Task(sent, place, arm, match)
            sent += 1
        if not waiting:
            continue
        done, _ = wait(waiting, return_when=FIRST_COMPLETED)
        for future in done:
            task = waiting.pop(future)
            try:
                scores[task.pair, task.place] = future.result()
            except BrokenProcessPool:
                task.tries += 1
                if task.tries > RETRIES:
                    raise
                waiting[workers.submit(task.match, data_of(task.arm))] = task


@dataclass
class State:
    """Where a run stands, for who watches."""

    walk: Walk
    touched: int
    verdict: str
    games: int = 0
    cpu: float = 0.0
    course: list[tuple[int, float, float, float]] = field(default_factory=list)  # pairs, estimate, its interval


def difference(plan: Plan, games: list[tuple[str, Match, Score]]) -> tuple[float, bool]:
    """What the second arm measured less what the first did in one pair, and whether anything differed at all."""
    first, second = plan.experiment.compared
    measure = plan.experiment.measure
    by_arm: dict[str, list[tuple[Match, Score]]] = {first: [], second: []}
    for arm, match, score in games:
        by_arm[arm].append((match, score))
    values = []
    for arm in (first, second):
        told = [value_of(plan.game, score, measure.name, measure.side) for _, score in by_arm[arm]]
        values.append(sum(told) / len(told))
    touched = any(differs(a, b) for (_, a), (_, b) in zip(by_arm[first], by_arm[second]))
    return values[1] - values[0], touched


def seen(state: State, plan: Plan, games: list[tuple[str, Match, Score]]) -> None:
    """One more pair, looked at."""
    value, touched = difference(plan, games)
    state.walk.add(value)
    state.course.append((state.walk.pairs, state.walk.mean, *state.walk.interval()))
    state.touched += touched
    state.games += len(games)
    state.cpu += sum(score.cpu for _, _, score in games)
    state.verdict = judge(plan.stop, state.walk)


def stored_state(plan: Plan, store: Results, run: str = "") -> State:
    """What the pairs that are already stored say."""
    state = State(Walk(), 0, "")
    pair: list[tuple[str, Match, Score]] = []
    size = len(plan.matches(0))
    rows: list[dict[str, Any]] = list(store.games(run or plan.run_id))
    for row in rows:
        match = plan.matches(row["pair"])[row["place"]][1]
        pair.append((row["arm"], match, score_of(row)))
        if len(pair) == size:
            seen(state, plan, pair)
            pair = []
    return state


def carry_out(
    plan: Plan,
    store: Results,
    workers: Workers,
    ahead: int,
    watch: Callable[[State], None] | None = None,
    most: int | None = None,
) -> State:
    """Play until the rule speaks, or `most` pairs more; a run that was begun goes on where its rows end."""
    told = {
        "name": plan.name,
        "family": plan.experiment.family,
        "game": plan.game.name,
        "question": plan.experiment.question,
        "text": plan.text,
    }
    try:
        store.take_seeds(plan.experiment.seeds, "count", plan.run_id)
    except SeedsUsed as error:
        raise SeedsUsed("at", file=plan.name, where="seeds", reason=error) from None
    store.begin(plan.run_id, "ab", told, plan.lock())
    state = stored_state(plan, store)
    if not is_over(state):
        last = plan.stop.most if most is None else min(plan.stop.most, state.walk.pairs + most)
        pairs = in_order(workers, ahead, plan.matches, plan.data_of, state.walk.pairs, last)
        for pair, games in pairs:
            store.keep(plan.run_id, pair, games)
            seen(state, plan, games)
            if watch:
                watch(state)
            if is_over(state):
                break
    if is_over(state):
        store.end(plan.run_id, state.verdict)
    return state


def is_over(state: State) -> bool:
    """True when the rule has spoken."""
    return bool(state.verdict)
