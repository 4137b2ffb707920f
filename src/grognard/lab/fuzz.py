"""Fuzzing: random or guided legal play to the end, with everything that must hold checked on the way.

Checked at every step: somebody can act or there is a result, the invariants, that a copy is left alone. At sampled
steps: the JSON twin, redealt views and legal lists, refusals of nonsense, undo. At the end: the log replays to the same
digest, something moved, and every side had a choice at some time: a game in which nobody can ever move ends too. A
failure names the seed, the options and the step, brings its traceback, and can be written as a game file.
"""

from __future__ import annotations

import json
import random
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grognard.games import find_game
from grognard.kernel import SPECTATOR, Action, Order, seed_from, settled, where_are_we
from grognard.kernel.game import Game
from grognard.kernel.gamefile import save
from grognard.kernel.session import Session
from grognard.kernel.texts import Texts, texts_for
from grognard.lab.guided import Explorer, any_action, guided_pick
from grognard.lab.selfplay import LONGEST

TOLD = 12  # actions printed with a failure; the file has all of them
STILL = 12  # decisions in which something should have moved
ASKED = 5  # times a side is asked before one wonders that it never had a choice
WINDOW = 2000  # decisions after which a game that stands still is not waited for any longer
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
    options: dict[str, str]
    actions: list[str] = field(default_factory=list)
    trace: str = ""  # of the crash, if it was one
    guided: bool = False

    def told(self, texts: Texts, file: Path | None = None) -> str:
        """In the reader's language: what, where, the traceback, the last actions, and how to see it again."""
        options = " ".join(f"{key}={value}" for key, value in self.options.items()) or texts.say("fuzz.usual-options")
        what = texts.say(f"fuzz.{self.key}", **self.facts)
        place = {"game": self.game, "scenario": self.scenario, "seed": self.seed, "step": self.step}
        lines = [texts.say("fuzz.found", what=what, options=options, **place)]
        lines += [f"    {line}" for line in self.trace.rstrip().splitlines()]
        lines += [texts.say("fuzz.last-actions"), *(f"    {action}" for action in self.actions[-TOLD:])]
        guided = " --guided" if self.guided else ""
        lines.append(
            texts.say("fuzz.again", command=f"grognard fuzz {self.game} {self.scenario} --again '{self.seed}'{guided}")
        )
        if file is not None:
            lines.append(texts.say("fuzz.file", file=file, actions=len(self.actions)))
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.told(texts_for(self.game, "en"))

    def write(self, folder: Path) -> Path | None:
        """The game up to the failure as a file that `replay` opens; None if not even the set-up works."""
        game = find_game(self.game)
        try:
            session = Session.new(
                game, self.scenario, self.options, seed=seed_from(self.seed), title=f"fuzz {self.seed}"
            )
            for line in self.actions:
                side, verb, *word = line.split(" ", 2)
                session.act(game.side_named(side), (verb, word[0] if word else ""))
        except Exception:  # the last action may be the one that breaks everything: the file ends before it
            if "session" not in locals():
                return None
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.game}-{self.scenario}-{seed_from(self.seed)[:8]}.txt"
        save(session, path)
        return path


class Stillness:
    """Notices a game that stands still: no unit ever moves, or a side never has a choice."""

    def __init__(self, s: Any) -> None:
        named = [f.name for f in s.fields.values() if f.per == "units" and f.names not in ("", "unit", "side")]
        self.places = {name: bytes(getattr(s, name)) for name in named}
        self.moves = not self.places  # a game without places has nothing to move
        self.asked: Counter[int] = Counter()
        self.choices: Counter[int] = Counter()

    def look(self, s: Any) -> None:
        """Has anything moved?"""
        self.moves = self.moves or any(bytes(getattr(s, name)) != was for name, was in self.places.items())

    def wrong(self, game: Game[Any], decisions: int) -> Wrong | None:
        """What is wrong with the game so far."""
        if not self.moves and decisions >= STILL:
            return "nobody-moves", {"decisions": decisions}
        for side, times in self.asked.items():
            if times >= ASKED and not self.choices[side]:
                return "no-choice", {"side": game.side_name(side), "times": times}
        return None


def fuzz_game(
    name: str, scenario: str, seed: str, every: int = 25, guided: bool = False, longest: int = LONGEST
) -> tuple[int, Found | None]:
    """Play one random game; the number of decisions and the first thing found.

    Every second game is played with its options drawn by lot.
    """
    game = find_game(name)
    luck = random.Random(seed)
    options = {o.name: o.choices[int(luck.random() * len(o.choices))] for o in game.options}
    options = {} if luck.random() * 2 < 1 else settled(game.options, options)
    log: list[tuple[int, Action]] = []
    said: list[Order] = []

    def found(key: str, /, trace: str = "", **facts: Any) -> tuple[int, Found]:
        lines = [f"{game.side_name(side)} {verb} {word}".rstrip() for (side, _), (verb, word) in zip(log, said)]
        return len(log), Found(name, scenario, seed, len(log), key, facts, options, lines, trace, guided)

    try:
        s: Any = game.setup(scenario, options, seed_from(seed))
        s.events = None
        desk = Session.new(game, scenario, options, seed="fuzz")
        pick = guided_pick(Explorer(game, seed)) if guided else any_action
        still = Stillness(s)
        while s.waiting:
            if len(log) >= longest:
                return found("no-end", decisions=longest)
            side = s.waiting[int(luck.random() * len(s.waiting))]
            legal = game.legal(s, side)
            if not legal:
                return found("nothing-legal", side=game.side_name(side), where=where_are_we(s))
            if problems := game.problems(s):
                return found("problem", problem=problems[0])
            still.asked[side] += 1
            still.choices[side] += len(legal) > 1
            action = pick(luck, game, s, side, legal)
            if len(log) < EAGER or len(log) % every == 0:
                still.look(s)
                wrong = deep_check(game, s, side, action, f"{seed}/{len(log)}") or check_undo(desk, s, side, action)
                wrong = wrong or (still.wrong(game, len(log)) if log and len(log) % WINDOW == 0 else None)
                if wrong is not None:
                    return found(wrong[0], **wrong[1])
            log.append((side, action))
            said.append(game.write(s, side, action))
            game.apply(s, side, action, trusted=True)
        if game.result(s) is None:
            return found("no-result")
        still.look(s)
        if (wrong := still.wrong(game, len(log))) is not None:
            return found(wrong[0], **wrong[1])
        twin: Any = game.setup(scenario, options, seed_from(seed))
        for side, action in log:
            game.apply(twin, side, action)
        if twin.digest() != s.digest():
            return found("other-replay")
    except Exception as error:  # whatever it is, it is what we look for
        return found("crash", traceback.format_exc(), kind=type(error).__name__, error=str(error))
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
