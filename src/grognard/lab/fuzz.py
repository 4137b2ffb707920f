"""Fuzzing: random legal play to the end, with everything that must hold checked on the way.

Checked at every step: somebody can act or there is a result, the invariants, that a copy is left alone. At sampled
steps: the JSON twin, redealt views and legal lists, refusals of nonsense, undo. At the end: the log replays to the same
digest. A failure names the seed, the step and the actions that lead to it.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from typing import Any

from grognard.games import find_game
from grognard.kernel import SPECTATOR, seed_from, where_are_we
from grognard.kernel.game import Game
from grognard.kernel.session import Session
from grognard.lab.selfplay import LONGEST

EAGER = 10  # first steps that are all checked deeply, for games of few decisions
NONSENSE = (("", ""), ("no such verb", "x"), ("move", "nowhere"), ("done", "9999"))


@dataclass
class Found:
    """Something that does not hold, and how to see it again."""

    game: str
    scenario: str
    seed: str
    step: int
    what: str
    actions: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        tail = "\n".join(f"    {a}" for a in self.actions[-12:])
        where = f"{self.game} {self.scenario}, seed {self.seed!r}, step {self.step}"
        return f"{where}: {self.what}\n  the last actions:\n{tail}"


def fuzz_game(name: str, scenario: str, seed: str, every: int = 25) -> tuple[int, Found | None]:
    """Play one random game; the number of decisions and the first thing found.

    Every second game is played with its options drawn by lot.
    """
    game = find_game(name)
    luck = random.Random(seed)
    options = {o.name: o.choices[int(luck.random() * len(o.choices))] for o in game.options}
    if luck.random() * 2 < 1:
        options = {}
    s: Any = game.setup(scenario, options, seed_from(seed))
    s.events = None
    desk = Session.new(game, scenario, options, seed="fuzz")
    log: list[tuple[int, tuple[str, str]]] = []

    def found(what: str) -> tuple[int, Found]:
        lines = [f"{game.side_name(side)} {verb} {target}" for side, (verb, target) in log]
        switches = " ".join(f"{key}={value}" for key, value in options.items())
        return len(log), Found(name, scenario, seed, len(log), f"{what} ({switches or 'usual options'})", lines)

    try:
        while s.waiting:
            if len(log) >= LONGEST:
                return found(f"no end after {LONGEST} decisions")
            side = s.waiting[int(luck.random() * len(s.waiting))]
            legal = game.legal(s, side)
            if not legal:
                return found(f"{game.side_name(side)} owes a decision and has no legal action at {where_are_we(s)}")
            if problems := game.problems(s):
                return found(problems[0])
            action = legal[int(luck.random() * len(legal))]
            if len(log) < EAGER or len(log) % every == 0:
                what = deep_check(game, s, side, action, f"{seed}/{len(log)}") or check_undo(desk, s, side, action)
                if what:
                    return found(what)
            log.append((side, action))
            game.apply(s, side, action, trusted=True)
        if game.result(s) is None:
            return found("nobody can act and there is no result")
        twin: Any = game.setup(scenario, options, seed_from(seed))
        for side, action in log:
            game.apply(twin, side, action)
        if twin.digest() != s.digest():
            return found("the log replays to another position")
    except Exception as error:  # whatever it is, it is what we look for
        return found(f"{type(error).__name__}: {error}")
    return len(log), None


def deep_check(game: Game[Any], s: Any, side: int, action: tuple[str, str], seed: str) -> str:
    """The costly checks of one position; empty if all holds."""
    digest = s.digest()
    twin = game.load(json.loads(json.dumps(s.to_json())))
    if twin.digest() != digest:
        return "the JSON twin is another position"
    copy = s.copy()
    game.apply(copy, side, action)
    game.apply(twin, side, action)
    if s.digest() != digest:
        return f"applying {action} to a copy changed the original"
    if twin.digest() != copy.digest():
        return f"the JSON twin goes another way after {action}"
    for reader in (*range(len(game.sides)), SPECTATOR):
        dealt = game.redeal(s, reader, seed_from(seed))
        if json.dumps(game.view(dealt, reader)) != json.dumps(game.view(s, reader)):
            return f"the view of {game.side_name(reader)} tells a hidden thing: {difference(game, dealt, s, reader)}"
        if game.legal(dealt, reader) != game.legal(s, reader):
            return f"the legal list of {game.side_name(reader)} tells a hidden thing"
    for nonsense in NONSENSE:
        if nonsense not in game.legal(s, side):
            refusal = game.explain(s, side, nonsense)
            if refusal is None or not refusal.rule:
                return f"{nonsense} is not refused with a rule"
    return "" if s.digest() == digest else "looking changed the position"


def check_undo(session: Session, s: Any, side: int, action: tuple[str, str]) -> str:
    """Undo gives the position back to the byte, and is refused once a die fell or the decision passed on."""
    session.state, session.snapshots, session.entries, session.closed = s.copy(), {0: s.copy()}, [], 0
    session.act(side, action)
    after = session.state
    if not session.can_undo(side):
        return ""
    if after.draws != s.draws or after.waiting != s.waiting:
        return f"{action} could be undone after a die or a change of decider"
    session.undo(side)
    return "" if session.state.digest() == s.digest() else f"undoing {action} gives another position"


def difference(game: Game[Any], one: Any, other: Any, reader: int) -> str:
    """The first key in which two views differ."""
    a, b = game.view(one, reader), game.view(other, reader)
    key = next((k for k in a if a[k] != b.get(k)), "?")
    return f"{key}: {str(b.get(key))[:200]} became {str(a.get(key))[:200]}"
