"""Lessons as data: what the coach says, what it points at, what it asks for, and what the others do.

```toml
title = "A first game"        # and `titre`, `about`, `propos`: both languages, always
minutes = 15
scenario = "raid"
side = "red"                  # the learner's
seed = "ford"                 # the dice
level = "greedy"              # who plays the other sides once the learner leaves the way
options = { fog = "off" }

[[step]]                      # something to read
say = "This is your horse."
dit = "Voici votre cavalerie."
point = ["piece red-horse-1"]
rule = "1.3"

[[step]]                      # something to do
at = "Pledge"                 # the decision that must be open then
say = "Pledge one order."
dit = "Engagez un ordre."
do = "pledge 1"
also = ["pledge 2"]           # as good: the rest of the lesson must work after it too
other = "Why the lesson would do otherwise."     # and `autre`
happens = ["pledges"]         # events that must come of it, so that the words stay true

[they]                        # written by `grognard learn GAME NAME --record`
blue = ["pledge 0"]
```

What is pointed at: `hex 0405`, `area KEY`, `piece ID`, `action VERB TARGET`, or a part of the screen (`part NAME`).
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from grognard.kernel.errors import DataError, UnknownName
from grognard.kernel.flow import Order

MARK = "lesson:"
PARTS = ("bar", "phase", "status", "log", "undo", "choices", "board", "odds", "report", "follow", "rules")
POINTS = ("hex", "area", "piece", "action", "part", "point")
Words = dict[str, str]  # by language


@dataclass(frozen=True)
class Step:
    """One thing that the coach says; with `do`, what it wants to be done."""

    says: Words
    do: Order | None = None
    also: tuple[Order, ...] = ()
    others: Words = field(default_factory=dict)
    point: tuple[str, ...] = ()
    rule: str = ""
    at: str = ""
    happens: tuple[str, ...] = ()

    @property
    def orders(self) -> tuple[Order, ...]:
        """Whatever carries the lesson on."""
        return () if self.do is None else (self.do, *self.also)


@dataclass(frozen=True)
class Lesson:
    """A guided game, or the beginning of one."""

    game: str
    name: str
    titles: Words
    abouts: Words
    minutes: int
    scenario: str
    side: str
    seed: str
    level: str
    options: dict[str, str]
    steps: tuple[Step, ...]
    they: dict[str, tuple[Order, ...]]

    def to_json(self, lang: str) -> dict[str, Any]:
        """For a page, in one language. What the others will do is not told."""
        return self.card(lang) | {
            "steps": [
                {
                    "say": step.says[lang],
                    "do": step.do,
                    "also": step.also,
                    "other": step.others.get(lang, ""),
                    "point": step.point,
                    "rule": step.rule,
                }
                for step in self.steps
            ]
        }

    def card(self, lang: str) -> dict[str, Any]:
        """What it is about."""
        told = {"name": self.name, "title": self.titles[lang], "about": self.abouts[lang], "minutes": self.minutes}
        return told | {"scenario": self.scenario, "side": self.side}


def folder_of(game: str) -> Traversable:
    """Where a game's lessons are."""
    return resources.files("grognard") / "games" / game / "lessons"


@lru_cache(maxsize=32)
def lesson_names(game: str) -> tuple[str, ...]:
    """The lessons of a game, by name; the first is where one begins."""
    folder = folder_of(game)
    if not folder.is_dir():
        return ()
    return tuple(sorted(f.name.removesuffix(".toml") for f in folder.iterdir() if f.name.endswith(".toml")))


@lru_cache(maxsize=32)
def lesson_of(game: str, name: str) -> Lesson:
    """A lesson; UnknownName if there is none, DataError if it is not well written."""
    if name not in lesson_names(game):
        raise UnknownName("lesson", name, lesson_names(game))
    file = folder_of(game) / f"{name}.toml"
    try:
        return read(game, name, tomllib.loads(file.read_text("utf-8")))
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise DataError(str(file), "", f"{type(error).__name__}: {error}") from error


def mark_of(lesson: Lesson) -> str:
    """What a game bears that is a lesson."""
    return MARK + lesson.name


def lesson_of_mark(game: str, mark: str) -> Lesson | None:
    """The lesson that a game is, by its mark."""
    if not mark.startswith(MARK) or mark.removeprefix(MARK) not in lesson_names(game):
        return None
    return lesson_of(game, mark.removeprefix(MARK))


KEYS = {"at", "say", "dit", "do", "also", "other", "autre", "point", "rule", "happens"}


def read(game: str, name: str, data: dict[str, Any]) -> Lesson:
    """A lesson from its file."""
    steps = tuple(_step(number, raw) for number, raw in enumerate(data["step"], 1))
    return Lesson(
        game=game,
        name=name,
        titles={"en": data["title"], "fr": data["titre"]},
        abouts={"en": data["about"], "fr": data["propos"]},
        minutes=int(data["minutes"]),
        scenario=data["scenario"],
        side=data["side"],
        seed=data["seed"],
        level=data.get("level", "greedy"),
        options=dict(data.get("options", {})),
        steps=steps,
        they={side: tuple(map(order_from, orders)) for side, orders in data.get("they", {}).items()},
    )


def _step(number: int, raw: dict[str, Any]) -> Step:
    unknown = set(raw) - KEYS
    if unknown:
        raise ValueError(f"step {number} has {', '.join(sorted(unknown))}")
    if "do" not in raw and ({"also", "other", "happens"} & set(raw)):
        raise ValueError(f"step {number} asks for nothing")
    if ("other" in raw) != ("autre" in raw):
        raise ValueError(f"step {number}: `other` and `autre` go together")
    for point in raw.get("point", ()):
        kind, _, noun = point.partition(" ")
        if kind not in POINTS or not noun or (kind == "part" and noun not in PARTS):
            raise ValueError(f"step {number} points at {point!r}")
    return Step(
        says={"en": raw["say"].strip(), "fr": raw["dit"].strip()},
        do=order_from(raw["do"]) if "do" in raw else None,
        also=tuple(map(order_from, raw.get("also", ()))),
        others={"en": raw["other"].strip(), "fr": raw["autre"].strip()} if "other" in raw else {},
        point=tuple(raw.get("point", ())),
        rule=raw.get("rule", ""),
        at=raw.get("at", ""),
        happens=tuple(raw.get("happens", ())),
    )


def order_from(text: str) -> Order:
    """An order in words: a verb, then its target."""
    verb, _, target = text.partition(" ")
    return verb, target
