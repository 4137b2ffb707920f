"""Random play for the contract suite: cheap steps everywhere, a few positions sampled for the expensive questions.

A game may have 350 units and a hundred thousand decisions. So each scenario is walked a bounded number of decisions,
and a fixed number of positions a game, chosen for variety, is kept for the checks that cost. Seeds are fixed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from random import Random
from typing import Any

import pytest

from grognard.games import find_game, playable_names
from grognard.kernel import SPECTATOR, Action, Event, Game, Order, Side, State, seed_from, settled
from grognard.lab.guided import Pick, any_action, any_verb, hopeful
from tests.contract import exceptions

__all__ = ["any_action", "any_verb", "hopeful"]  # ways of choosing, for the tests that walk

STEPS = 1500  # decisions of random play per game and variant, all scenarios together
SAMPLES = 24  # positions per game for the expensive checks
MOST_TRIED = 30  # actions tried of one legal list, refusals asked of one candidate list
LONGEST = 20_000  # decisions after which a game is said to run for ever

GARBAGE = (
    "",
    "?",
    "x",
    "0",
    "-1",
    "9999999",
    "#0",
    "#99999",
    "#²",
    "²",
    "None",
    "é",
    "a b",
    "0101 0102",
    "\n",
    "y" * 300,
)


def cases() -> list[Any]:
    """Every scenario of every playable game; a game that cannot be loaded is a case that fails, not a broken suite."""
    found = []
    for name in playable_names():
        try:
            scenarios = find_game(name).scenarios
        except Exception as error:
            found.append(pytest.param(name, f"does not load: {error!r}", id=f"{name}-does-not-load"))
            continue
        found += [pytest.param(name, scenario, id=f"{name}-{scenario}") for scenario in scenarios]
    return found


every_scenario = pytest.mark.parametrize(("game_name", "scenario"), cases())
every_game = pytest.mark.parametrize("game_name", playable_names())


def share(total: int, game: Game[Any], least: int) -> int:
    """One scenario's part of what a game is allowed."""
    return max(least, total // max(1, len(game.scenarios)))


def play(
    game: Game[Any], s: State, random: Random, steps: int, pick: Pick = any_action
) -> Iterator[tuple[State, Side, Action]]:
    """Play at random on `s` itself; yields before each action is applied."""
    for _ in range(steps):
        actors = game.actors(s)
        if not actors:
            return
        side = random.choice(actors)
        legal = game.legal(s, side)
        assert legal, f"{game.name}: {game.side_name(side)} must decide and can do nothing"
        action = pick(random, game, s, side, legal)
        yield s, side, action
        game.apply(s, side, action, trusted=True)


@dataclass
class Played:
    """One random game: its actions, the events it made and the positions kept on the way."""

    game: Game[Any]
    scenario: str
    seed: str
    options: dict[str, str]
    actions: list[tuple[Side, Action]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    samples: list[tuple[int, State]] = field(default_factory=list)  # how many actions came before, the position
    end: State | None = None

    def setup(self) -> Any:
        return self.game.setup(self.scenario, self.options, self.seed)


@lru_cache(maxsize=64)
def played(game_name: str, scenario: str, variant: int = 0) -> Played:
    """A random game of a scenario; variant 0 with the default options, others with options at random.

    Of as many games as the steps allow it is the one that met most rows, so that short games show their battles too.
    """
    game = find_game(game_name)
    steps = share(exceptions.STEPS.get(game_name, STEPS), game, 150)
    best, most = None, -1
    for number in range(20):
        game_played, rows = _one_game(game, scenario, variant, number, steps)
        steps -= len(game_played.actions)
        if rows > most:
            best, most = game_played, rows
        if steps < len(game_played.actions):
            break
    assert best is not None
    return best


def _one_game(game: Game[Any], scenario: str, variant: int, number: int, steps: int) -> tuple[Played, int]:
    """A game, and how many different rows asked somebody something in it."""
    random = Random(f"{game.name} {scenario} {variant} {number}")
    options = {o.name: random.choice(o.choices) for o in game.options} if variant else {}
    options = settled(game.options, options)
    out = Played(game, scenario, seed_from(f"contract {variant} {number}"), options)
    kept: dict[tuple[str, str, int], list[tuple[int, State]]] = {}
    s = out.setup()
    out.events = s.events
    for n, (now, side, action) in enumerate(play(game, s, random, steps, hopeful)):
        frame = now.frames[-1]
        row = kept.setdefault((frame.sequence_name, frame.at(), len(now.waiting)), [])
        if len(row) < 40 or n % 10 == 0:
            row.append((n, now.copy()))
        out.actions.append((side, action))
    out.end = s
    out.samples = varied(list(kept.values()), share(exceptions.SAMPLES.get(game.name, SAMPLES), game, 2), random)
    return out, len(kept)


def varied(rows: list[list[tuple[int, State]]], quota: int, random: Random) -> list[tuple[int, State]]:
    """One position of each row, then another of each, until there are enough."""
    for row in rows:
        random.shuffle(row)
    random.shuffle(rows)
    turns = [row[turn] for turn in range(max(map(len, rows), default=0)) for row in rows if turn < len(row)]
    return sorted(turns[:quota], key=lambda pair: pair[0])


def some(random: Random, things: Sequence[Any], most: int = MOST_TRIED) -> list[Any]:
    """All of a short list; of a long one the ends and a sample."""
    if len(things) <= most:
        return list(things)
    return [things[0], things[-1], *random.sample(list(things[1:-1]), most - 2)]


def candidates(game: Game[Any], s: State, side: Side) -> list[Action]:
    """What a player could reasonably try now."""
    decision = game.decision(s)
    if decision is None or side not in s.waiting:
        return []
    return [(verb, noun) for verb in decision.verbs for noun in decision.nouns(s, s.frames[-1], side, verb)]


def everything(game: Game[Any], s: State, side: Side, random: Random, most: int = 2000) -> list[Action]:
    """Every verb with every noun of its kind; of more than can be asked, all that is listed and a sample."""
    decision = game.decision(s)
    if decision is None or side not in s.waiting:
        return []
    out: list[Action] = []
    for verb, kind in decision.verbs.items():
        nouns = list(islice(kind.every(s, side), 200_000))
        sample = nouns if len(nouns) <= most else random.sample(nouns, most)
        listed = list(decision.nouns(s, s.frames[-1], side, verb))
        out += [(verb, noun) for noun in dict.fromkeys([*listed, *sample])]
    return out


def nonsense(game: Game[Any], s: State, random: Random, most: int) -> list[Order]:
    """Orders that nobody should give: unknown verbs, verbs of other decisions, targets that do not exist."""
    decision = game.decision(s)
    verbs = list(decision.verbs) if decision is not None else []
    others = sorted({verb for d in decisions(game) for verb in d.verbs} - set(verbs))
    actions = [(verb, target) for verb in verbs for target in GARBAGE]
    if game.fog is not None:
        actions += [(verb, name) for verb in verbs for name in some(random, game.fog.unit_names, 4)]
    actions += [(verb, random.choice(GARBAGE)) for verb in others[:5]]
    actions += [("no-such-verb", ""), ("", ""), ("undo", "1")]
    return some(random, actions, most)


def decisions(game: Game[Any]) -> list[Any]:
    """Every decision of every sequence."""
    return [row.decision for table in game.tables.values() for row in table.rows if row.decision is not None]


def everybody(game: Game[Any]) -> list[Side]:
    """The sides and the spectator."""
    return [*range(len(game.sides)), SPECTATOR]


def as_bytes(value: Any) -> bytes:
    """Canonical JSON; fails for anything that is not plain data."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False).encode()


def where(played: Played, number: int) -> str:
    """How to get there again, for messages."""
    tail = " ".join(f"{side}:{verb}:{noun}" for side, (verb, noun) in played.actions[max(0, number - 5) : number])
    return (
        f"{played.game.name} {played.scenario}, seed {played.seed}, options {played.options}, "
        f"after {number} actions (last: {tail})"
    )
