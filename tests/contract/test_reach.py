"""Self-play until every row of every sequence and every verb has been used; and no game runs for ever."""

from __future__ import annotations

import dataclasses
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest

from grognard.games import find_game
from grognard.kernel import Action, Game, Side, State, seed_from, where_are_we
from grognard.kernel.flow import Row
from tests.contract import exceptions, walk
from tests.contract.walk import every_game

ACTIONS = 20_000  # tried or taken in the search for unused rows; small games need a fraction of it
SECONDS = 8  # of play to the end per game, at most
GAMES = 500


def place_of(s: State) -> str:
    """The row at which a game stands."""
    return f"{s.frames[-1].sequence_name} {s.frames[-1].at()}" if s.frames else "over"


class Trace:
    """Counts which rows did something: a `do` that ran, an `ask` that waited, a `call` entered, an `again` taken."""

    def __init__(self, game: Game[Any], monkeypatch: pytest.MonkeyPatch) -> None:
        self.used: Counter[str] = Counter()
        self.counting = True
        self.wanted = [f"{name} {row.label}" for name, table in game.tables.items() for row in table.rows]
        self.wanted += sorted({f"{type(d).__name__}.{verb}" for d in walk.decisions(game) for verb in d.verbs})
        traced = {
            name: dataclasses.replace(table, rows=tuple(self.traced(name, row) for row in table.rows))
            for name, table in game.tables.items()
        }
        monkeypatch.setattr(game, "tables", traced)
        self.cost, apply = 0, game.apply

        def counted(*args: Any, **kw: Any) -> None:
            self.cost += 1
            apply(*args, **kw)

        monkeypatch.setattr(game, "apply", counted)

    def traced(self, sequence: str, row: Row) -> Row:
        key = f"{sequence} {row.label}"
        if row.kind in ("do", "call"):
            function: Any = row.function

            def run(*args: Any) -> Any:
                self.used[key] += self.counting
                return function(*args)

            return dataclasses.replace(row, function=run)
        if row.kind == "again":
            test = row.when

            def jumps(s: Any, c: Any) -> bool:
                taken = test is None or test(s, c)
                self.used[key] += taken and self.counting
                return taken

            return dataclasses.replace(row, when=jumps)
        return row

    def asked(self, game: Game[Any], s: State, action: Action) -> None:
        self.used[place_of(s)] += 1
        self.used[f"{type(game.decision(s)).__name__}.{action[0]}"] += 1

    @contextmanager
    def paused(self) -> Iterator[None]:
        """What is only tried does not count."""
        self.counting = False
        try:
            yield
        finally:
            self.counting = True

    def missing(self) -> list[str]:
        return [key for key in self.wanted if not self.used[key]]


@every_game
def test_every_row_and_every_verb_is_used(game_name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scenarios, options, seeds and ways of choosing go round until nothing is missing or enough has been tried."""
    game = find_game(game_name)
    trace = Trace(game, monkeypatch)
    excused = exceptions.UNREACHED.get(game_name, {})
    enough = exceptions.REACH.get(game_name, ACTIONS)

    def rarest(random: Random, game: Game[Any], s: State, side: Side, legal: Sequence[Action]) -> Action:
        """Of a few actions the one that leads where play has been least."""

        def been(action: Action) -> int:
            twin = s.copy()
            game.apply(twin, side, action, trusted=True)
            verb = trace.used[f"{type(game.decision(s)).__name__}.{action[0]}"]
            return min(verb, trace.used[place_of(twin)])

        tried = random.sample(legal, min(len(legal), 4))
        with trace.paused():
            return min(tried, key=been)

    picks = (walk.any_verb, rarest, walk.hopeful, walk.any_action)
    for number in range(GAMES):
        random = Random(number)
        options = {o.name: random.choice(o.choices) for o in game.options} if number % 2 else {}
        s = game.setup(game.scenarios[number % len(game.scenarios)], options, seed_from(number))
        longest = exceptions.LONGEST.get(game_name, walk.LONGEST)
        for now, _, action in walk.play(game, s, random, longest, picks[number // 2 % len(picks)]):
            trace.asked(game, now, action)
            if trace.cost > enough:
                break
        if trace.cost > enough or not set(trace.missing()) - set(excused):
            break
    unused = sorted(set(trace.missing()) - set(excused))
    assert not unused, (
        f"{game_name}: {number + 1} games never used: {', '.join(unused)}. "
        "Let exceptions.UNREACHED say why they cannot, or REACH that more must be tried"
    )
    unknown = set(excused) - set(trace.wanted)
    assert not unknown, f"exceptions.UNREACHED names what does not exist: {sorted(unknown)}"


@every_game
def test_no_game_runs_for_ever(game_name: str) -> None:
    """Random games end. Long scenarios are played as far as the time allows; `grognard fuzz` plays them all."""
    game = find_game(game_name)
    longest = exceptions.LONGEST.get(game_name, walk.LONGEST)
    until = time.process_time() + SECONDS
    for number in range(3 * len(game.scenarios)):
        scenario = game.scenarios[number % len(game.scenarios)]
        s = game.setup(scenario, {}, seed_from(f"end {number}"))
        random = Random(number)
        for decisions, _ in enumerate(walk.play(game, s, random, longest, walk.any_action), 1):
            if decisions % 100 == 0 and time.process_time() > until:
                return
        assert game.result(s), f"{scenario}: no end after {longest} decisions, at {where_are_we(s)} (seed end {number})"
