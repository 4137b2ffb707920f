"""The ladder: the levels of play by name, and where each is offered.

Names are plain words, `level.NAME` in the text files. `greedy-1` is the yardstick: the judgement `yardstick` where a
game froze one, else the plain one, one decision ahead; it does not change, so that figures of different years can be
compared. Which levels a scenario offers stands in the game's `data/computer.toml`, written by `grognard ladder GAME
--write` with the figures and the command: one that is not shown to be stronger is not offered.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from grognard.ai.greedy import GreedyPlayer
from grognard.ai.plan import PlanPlayer
from grognard.ai.player import Player, RandomPlayer
from grognard.ai.staff import StaffPlayer
from grognard.kernel.errors import UnknownName


@dataclass(frozen=True)
class Level:
    """A rung: who plays, whether everybody has it (the others must be shown to be stronger), what it needs."""

    name: str
    make: Callable[[], Player]
    given: bool = False  # offered without proof
    needs_mind: str = ""  # offered only where the game has this judgement
    listed: bool = True  # False: for measurements only
    needs_styles: bool = False  # without manners of play to choose from it is the level below


RUNGS = (
    Level("random", RandomPlayer, given=True),
    Level("careless", lambda: GreedyPlayer(slips=30), given=True),
    Level("greedy", GreedyPlayer, given=True),
    Level("steady", lambda: GreedyPlayer(samples=1, mind="front"), needs_mind="front"),
    Level("chief", StaffPlayer, needs_mind="front", needs_styles=True),
    Level("planner", PlanPlayer),
    Level("patient", lambda: PlanPlayer(plans=16, mutants=16, rollouts=128, ahead=2, battles=48)),
    Level("greedy-1", lambda: GreedyPlayer(mind="yardstick"), listed=False),
)
LEVELS: dict[str, Level] = {level.name: level for level in RUNGS}
YARDSTICK = "greedy-1"
SHOWN = 50  # the lower end of the interval against the yardstick, in hundredths, that shows a level stronger


def player_named(level: str) -> Player:
    """A computer player by its level."""
    if level not in LEVELS:
        raise UnknownName("level of play", level, LEVELS)
    return LEVELS[level].make()


@lru_cache(maxsize=64)
def measured(game: str) -> tuple[dict[str, Any], ...]:
    """The matches of a game that are on record: scenario, level, against, games, points, interval, command."""
    try:
        folder = resources.files(f"grognard.games.{game}").joinpath("data")
        text = folder.joinpath("computer.toml").read_text("utf-8")
    except (FileNotFoundError, ModuleNotFoundError):
        return ()
    return tuple(tomllib.loads(text).get("match", ()))


def offered(game: str, scenario: str = "") -> list[str]:
    """The levels that a scenario offers (any scenario of the game, without a name), weakest first."""
    found = []
    for level in RUNGS:
        rows = [row for row in measured(game) if row["level"] == level.name]
        places = {row["scenario"] for row in rows if row["scenario"] in (scenario or row["scenario"], "*")}
        shown = any(is_shown([row for row in rows if row["scenario"] == place]) for place in places)
        if level.listed and (level.given or shown):
            found.append(level.name)
    return found


def is_shown(rows: list[dict[str, Any]]) -> bool:
    """Stronger than the yardstick; and than `greedy` itself, where the two have met since it learnt more."""
    stronger = [row["low"] > SHOWN for row in rows if row["against"] == YARDSTICK]
    return any(stronger) and all(row["low"] > SHOWN for row in rows if row["against"] == "greedy")
