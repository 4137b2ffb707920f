"""Seeking numbers of our own that bring a measure to its aim; never numbers that the rulebook states.

One value after the other is moved a step up or down and kept where the measure comes nearer to its aim on the same
seeds. What was sought on some seeds is proved on others: the last word is an experiment file for `grognard ab`.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from grognard.kernel.errors import LabError
from grognard.kit.files import data_folder
from grognard.lab.measures import value_of
from grognard.lab.overlay import Value, changed_text, look
from grognard.lab.plan import Arm, Experiment, Measure, Plan, converted, read_table
from grognard.lab.run import Pool, in_order
from grognard.lab.stats import mean_interval
from grognard.lab.store import Results


class Range(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Between which ends a value may lie, and how far one step goes."""

    low: int
    high: int
    step: int = 1


class Aim(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Where a measure should come to lie."""

    value: float
    name: str = "points"
    side: str = ""


class Search(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A file of `grognard tune`."""

    question: str
    game: str
    seeds: str
    values: dict[str, Range]
    aim: Aim
    scenarios: list[str] = []
    players: list[str] = []
    options: dict[str, str] = {}
    games: int = 40
    rounds: int = 3


def source_at(game: str, place: str) -> str:
    """Where a value comes from: the nearest `src` or `source` at or above it."""
    name, _, path = place.partition(":")
    tree: Any = tomllib.loads(Path(str(data_folder(game) / name)).read_text("utf-8"))
    source: Any = tree.get("source", tree.get("src", ""))
    keys = path.split(".")
    for depth in range(1, len(keys)):
        inside = look(game, place, tree, keys[:depth])
        if isinstance(inside, dict):
            source = inside.get("source", inside.get("src", source))
    if isinstance(source, dict):
        source = source.get(keys[-1], "")
    return str(source)


def read_search(path: Path) -> tuple[Search, Plan]:
    """A search, checked as an experiment is; refuses values that the rulebook states."""
    text, table = read_table(path)
    search = converted(path.name, table, Search)
    measure = Measure(search.aim.name, search.aim.side)
    arms = {"now": Arm(), "sought": Arm(data={place: r.low for place, r in search.values.items()})}
    experiment = Experiment(
        *(search.question, search.game, arms, search.seeds, search.scenarios, search.players, search.options),
        measure=measure,
    )
    plan = Plan(path.name, text, experiment)
    for place, r in search.values.items():
        if place.partition(":")[0].endswith(".csv"):
            raise LabError("at", file=path.name, where=f"values.{place}", reason=LabError("tune-csv"))
        source = source_at(search.game, place)
        if not source.startswith("proposed"):
            reason = LabError("tune-stated", source=source) if source else LabError("tune-unknown")
            raise LabError("at", file=path.name, where=f"values.{place}", reason=reason)
        if r.low > r.high or r.step < 1:
            raise LabError("at", file=path.name, where=f"values.{place}", reason=LabError("tune-range"))
        now = int(now_at(search)[place])
        if not r.low <= now <= r.high:
            reason = LabError("tune-start", now=now, low=r.low, high=r.high)
            raise LabError("at", file=path.name, where=f"values.{place}", reason=reason)
    return search, plan


@dataclass(frozen=True)
class Tried:
    """One set of values and what it brought."""

    values: tuple[tuple[str, Value], ...]
    mean: float
    low: float
    high: float
    kept: bool = False


def now_at(search: Search) -> dict[str, Value]:
    """The values as the files have them."""
    found: dict[str, Value] = {}
    for place in search.values:
        name, _, path = place.partition(":")
        tree = tomllib.loads(Path(str(data_folder(search.game) / name)).read_text("utf-8"))
        found[place] = look(search.game, place, tree, path.split("."))
    return found


def seek(search: Search, try_out: Callable[[Mapping[str, Value]], list[float]]) -> Iterator[Tried]:
    """Every set of values that is tried; the last one kept is the answer."""
    start = now_at(search)
    best = dict(start)
    known: dict[str, list[float]] = {}

    def brought(values: Mapping[str, Value]) -> tuple[float, list[float]]:
        key = json.dumps(sorted(values.items()))
        if key not in known:
            known[key] = try_out({place: value for place, value in values.items() if value != start[place]})
        told = known[key]
        return abs(sum(told) / len(told) - search.aim.value), told

    away, told = brought(best)
    yield Tried(tuple(best.items()), *mean_interval(told), kept=True)
    for _ in range(search.rounds):
        moved = False
        for place, r in search.values.items():
            for step in (r.step, -r.step):
                value = int(best[place]) + step
                if not r.low <= value <= r.high:
                    continue
                other = best | {place: value}
                new, told = brought(other)
                kept = new < away
                yield Tried(tuple(other.items()), *mean_interval(told), kept)
                if kept:
                    best, away, moved = other, new, True
                    break
        if not moved:
            return


def tune(search: Search, plan: Plan, store: Results, jobs: int) -> Iterator[Tried]:
    """Play the search; its seeds are marked as tuned on, and can never be counted with."""
    store.take_seeds(search.seeds, "tune", plan.run_id)
    measure = plan.experiment.measure

    def try_out(values: Mapping[str, Value]) -> list[float]:
        pool = Pool(jobs)
        try:
            found = []
            games = in_order(pool, 3 * jobs, lambda n: plan.matches(n)[:1], lambda _: values, 0, search.games)
            for _, ((_, _, score),) in games:
                found.append(value_of(plan.game, score, measure.name, measure.side))
            return found
        finally:
            pool.close()

    yield from seek(search, try_out)


def confirming(search: Search, plan: Plan, best: Tried) -> str:
    """The experiment file that must prove what was found, on seeds that nobody has used."""
    start = now_at(search)
    changed = {place: value for place, value in best.values if value != start[place]}
    if not changed:
        raise LabError("tune-nothing")
    for place, value in changed.items():
        changed_text(search.game, place, value)
    data = ", ".join(f"{json.dumps(place)} = {json.dumps(value)}" for place, value in changed.items())
    lines = [
        f"question = {json.dumps(search.question, ensure_ascii=False)}",
        f"game = {json.dumps(search.game)}",
        f"scenarios = {json.dumps(list(plan.scenarios))}",
        f"players = {json.dumps(list(plan.seats[0]))}",
        f"seeds = {json.dumps(search.seeds + '-proof')}",
        "",
        "[arms.now]",
        "",
        "[arms.sought]",
        f"data = {{ {data} }}",
        "",
        "[measure]",
        f"name = {json.dumps(search.aim.name)}",
        f"side = {json.dumps(search.aim.side)}",
        "",
    ]
    return "\n".join(lines)
