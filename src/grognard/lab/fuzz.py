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
from grognard.kernel import SPECTATOR, Action, Order, seed_from, settled, where_are_we
from grognard.kernel.game import Game
from grognard.kernel.session import Session
from grognard.kernel.texts import Texts, texts_for
from grognard.lab.selfplay import LONGEST

EAGER = 10  # first steps that are all checked deeply, for games of few decisions
Wrong = tuple[str, dict[str, Any]]  # a text key and its facts
NONSENSE = (("", ""), ("no such verb", "x"), ("move", "nowhere"), ("done", "9999"))


@dataclass
class Found:
    """Something that does not hold (a text key `fuzz.KEY`, and its facts), and how to see it again."""

    game: str
    scenario: str
    seed: str
    step: int
    key: str
    facts: dict[str, Any]
    options: str
    actions: list[str] = field(default_factory=list)

    def told(self, texts: Texts) -> str:
        """In the reader's language."""
        tail = "\n".join(f"    {a}" for a in self.actions[-12:])
        options = self.options or texts.say("fuzz.usual-options")
        what = texts.say(f"fuzz.{self.key}", **self.facts)
        place = {"game": self.game, "scenario": self.scenario, "seed": self.seed, "step": self.step}
        return texts.say("fuzz.found", what=what, options=options, actions=tail, **place)

    def __str__(self) -> str:
        return self.told(texts_for(self.game, "en"))


def fuzz_game(name: str, scenario: str, seed: str, every: int = 25) -> tuple[int, Found | None]:
    """Play one random game; the number of decisions and the first thing found.

    Every second game is played with its options drawn by lot.
    """
    game = find_game(name)
    luck = random.Random(seed)
    options = {o.name: o.choices[int(luck.random() * len(o.choices))] for o in game.options}
    options = {} if luck.random() * 2 < 1 else settled(game.options, options)
    s: Any = game.setup(scenario, options, seed_from(seed))
    s.events = None
    desk = Session.new(game, scenario, options, seed="fuzz")
    log: list[tuple[int, Action]] = []
    said: list[Order] = []

    def found(key: str, /, **facts: Any) -> tuple[int, Found]:
        lines = [f"{game.side_name(side)} {verb} {word}".rstrip() for (side, _), (verb, word) in zip(log, said)]
        switches = " ".join(f"{key}={value}" for key, value in options.items())
        return len(log), Found(name, scenario, seed, len(log), key, facts, switches, lines)

    try:
        while s.waiting:
            if len(log) >= LONGEST:
                return found("no-end", decisions=LONGEST)
            side = s.waiting[int(luck.random() * len(s.waiting))]
            legal = game.legal(s, side)
            if not legal:
                return found("nothing-legal", side=game.side_name(side), where=where_are_we(s))
            if problems := game.problems(s):
                return found("problem", problem=problems[0])
            action = legal[int(luck.random() * len(legal))]
            if len(log) < EAGER or len(log) % every == 0:
                wrong = deep_check(game, s, side, action, f"{seed}/{len(log)}") or check_undo(desk, s, side, action)
                if wrong is not None:
                    return found(wrong[0], **wrong[1])
            log.append((side, action))
            said.append(game.write(s, side, action))
            game.apply(s, side, action, trusted=True)
        if game.result(s) is None:
            return found("no-result")
        twin: Any = game.setup(scenario, options, seed_from(seed))
        for side, action in log:
            game.apply(twin, side, action)
        if twin.digest() != s.digest():
            return found("other-replay")
    except Exception as error:  # whatever it is, it is what we look for
        return found("crash", kind=type(error).__name__, error=str(error))
    return len(log), None


def deep_check(game: Game[Any], s: Any, side: int, action: Action, seed: str) -> Wrong | None:
    """The costly checks of one position; None if all holds."""
    doing = {"action": " ".join(game.write(s, side, action)).strip()}
    digest = s.digest()
    twin = game.load(json.loads(json.dumps(s.to_json())))
    if twin.digest() != digest:
        return "other-twin", {}
    copy = s.copy()
    game.apply(copy, side, action)
    game.apply(twin, side, action)
    if s.digest() != digest:
        return "copy-changes", doing
    if twin.digest() != copy.digest():
        return "twin-strays", doing
    for reader in (*range(len(game.sides)), SPECTATOR):
        dealt = game.redeal(s, reader, seed_from(seed))
        name = game.side_name(reader)
        if json.dumps(game.view(dealt, reader)) != json.dumps(game.view(s, reader)):
            return "view-tells", {"side": name} | difference(game, dealt, s, reader)
        if game.orders(dealt, reader) != game.orders(s, reader):
            return "legal-tells", {"side": name}
    for nonsense in NONSENSE:
        if nonsense not in game.orders(s, side):
            refusal = game.why(s, side, nonsense)
            if refusal is None or not refusal.rule:
                return "not-refused", {"action": " ".join(nonsense)}
    return None if s.digest() == digest else ("looking-changes", {})


def check_undo(session: Session, s: Any, side: int, action: Action) -> Wrong | None:
    """Undo gives the position back to the byte, and is refused once a die fell or the decision passed on."""
    session.state, session.snapshots, session.entries, session.closed = s.copy(), {0: s.copy()}, [], 0
    order = session.game.write(s, side, action)
    session.act(side, order)
    after = session.state
    doing = {"action": " ".join(order).strip()}
    if not session.can_undo(side):
        return None
    if after.draws != s.draws or after.waiting != s.waiting:
        return "undo-cheats", doing
    session.undo(side)
    return None if session.state.digest() == s.digest() else ("undo-strays", doing)


def difference(game: Game[Any], one: Any, other: Any, reader: int) -> dict[str, str]:
    """The first key in which two views differ, and its values."""
    a, b = game.view(one, reader), game.view(other, reader)
    key = next((k for k in a if a[k] != b.get(k)), "?")
    return {"field": key, "was": str(b.get(key))[:200], "is": str(a.get(key))[:200]}
