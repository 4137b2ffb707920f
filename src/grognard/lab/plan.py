"""An experiment as a file: what is asked, what is compared, when to stop; read, checked and locked before it begins.

The file says everything that decides the answer; running it twice gives the same games. What it says wrongly is refused
with its place: an unknown switch, a measure that does not exist, seeds that were tuned on.
"""

from __future__ import annotations

import hashlib
import json
import math
import tomllib
from pathlib import Path
from typing import Any, Literal

import msgspec

from grognard import __version__
from grognard.ai import player_named
from grognard.games import find_game
from grognard.kernel.errors import DataError, GrognardError, UnknownName
from grognard.kernel.game import Game
from grognard.lab.measures import EVENTS, check_measure
from grognard.lab.overlay import overlay_digest
from grognard.lab.selfplay import Match
from grognard.lab.stats import Stop


class Arm(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """One side of the comparison: switches, numbers or players that differ."""

    options: dict[str, str] = {}
    data: dict[str, int | bool | str] = {}
    players: list[str] | None = None


class Measure(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What is counted of each game: `points` of a side, `length`, `turns`, a fact of the game."""

    name: str = "points"
    side: str = ""


class StopTable(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The stopping rule as written."""

    least: float = 0.0
    worth: float = 0.10
    two_sided: bool = True
    alpha: float = 0.05
    beta: float = 0.05
    most: int = 4000


class Experiment(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A file, as it stands."""

    question: str
    game: str
    arms: dict[str, Arm]
    seeds: str
    scenarios: list[str] = []
    players: list[str] = []
    options: dict[str, str] = {}
    family: str = ""
    chance: Literal["keyed", "stream"] = "keyed"
    swap: bool = False
    measure: Measure = Measure()
    stop: StopTable = StopTable()
    question_fr: str = ""

    def asked(self, lang: str) -> str:
        """The question in a reader's language, where the file has it."""
        return (self.question_fr if lang == "fr" else "") or self.question

    @property
    def compared(self) -> tuple[str, str]:
        """The names of the two arms, the plain one first."""
        first, second = self.arms
        return first, second


class Plan:
    """A checked experiment: its games, its rule for stopping, its lock."""

    def __init__(self, name: str, text: str, experiment: Experiment) -> None:
        self.name, self.text, self.experiment = name, text, experiment
        self.game: Game[Any] = find_game(experiment.game)
        self.scenarios = tuple(experiment.scenarios) or self.game.scenarios
        self.stop = Stop(**msgspec.structs.asdict(experiment.stop))
        self.seats = [self._seats(arm) for arm in experiment.arms.values()]
        self._check()
        self.swapped = experiment.swap

    def _seats(self, arm: Arm) -> tuple[str, ...]:
        levels = arm.players or self.experiment.players or ["greedy"]
        if len(levels) == 1:
            levels = levels * len(self.game.sides)
        if len(levels) != len(self.game.sides):
            raise DataError(self.name, "players", f"{len(levels)} players for {len(self.game.sides)} sides")
        return tuple(levels)

    def _check(self) -> None:
        """Everything that can be wrong and that the types do not say."""
        e = self.experiment
        if len(e.arms) != 2:
            raise DataError(self.name, "arms", f"two arms are compared, not {len(e.arms)}")
        for scenario in self.scenarios:
            if scenario not in self.game.scenarios:
                raise DataError(self.name, "scenarios", str(UnknownName("scenario", scenario, self.game.scenarios)))
        for level in {level for seats in self.seats for level in seats}:
            try:
                player_named(level)
            except GrognardError as error:
                raise DataError(self.name, "players", str(error)) from None
        for key, arm in e.arms.items():
            try:
                for scenario in self.scenarios:
                    self.game.resolve_options(e.options | arm.options, scenario)
                overlay_digest(self.game.name, arm.data)
            except GrognardError as error:
                raise DataError(self.name, f"arms.{key}", str(error)) from None
        try:
            check_measure(self.game, e.measure.name, e.measure.side)
        except GrognardError as error:
            raise DataError(self.name, "measure", str(error)) from None
        stop = self.stop
        if not 0 < stop.alpha < 0.5 or not 0 < stop.beta < 0.5:
            raise DataError(self.name, "stop", "alpha and beta are error probabilities between 0 and 0.5")
        if not stop.worth > stop.least >= 0 or stop.most < 1 or not math.isfinite(stop.worth):
            raise DataError(self.name, "stop", "0 <= least < worth, and at least one pair")

    def matches(self, pair: int) -> list[tuple[str, Match]]:
        """The games of a pair, each with its arm: the same seed and scenario, both arms; seats exchanged if asked."""
        e = self.experiment
        counted = e.measure.name.startswith(EVENTS)
        scenario = self.scenarios[pair % len(self.scenarios)]
        seed = f"{e.seeds} {pair}"
        found = []
        for (name, arm), seats in zip(e.arms.items(), self.seats):
            options = tuple(sorted((e.options | arm.options).items()))
            for places in (seats, seats[1:] + seats[:1]) if self.swapped else (seats,):
                found.append((name, Match(e.game, scenario, places, options, seed, e.chance, counted)))
        return found

    def data_of(self, arm: str) -> dict[str, int | bool | str]:
        """The numbers that an arm lays over the files."""
        return dict(self.experiment.arms[arm].data)

    def lock(self) -> dict[str, str]:
        """What a run is made of. A changed file, rule or number cannot continue it."""
        game = self.game
        return {
            "file": hashlib.sha256(self.text.encode()).hexdigest(),
            "game": game.name,
            "rules": str(game.version),
            "sources": sources_digest(game.name),
            "grognard": __version__,
        }

    @property
    def run_id(self) -> str:
        """The name of the run: its lock, in short."""
        return hashlib.sha256(json.dumps(self.lock(), sort_keys=True).encode()).hexdigest()[:12]


def sources_digest(game: str) -> str:
    """Of all code and data that decide how a game of it goes."""
    package = Path(__file__).parent.parent
    found = hashlib.sha256()
    for folder in ("kernel", "hexes", "tabletop", "kit", "ai", f"games/{game}"):
        for file in sorted((package / folder).rglob("*")):
            if (
                file.suffix in (".py", ".toml", ".csv", ".json")
                and "text" not in file.parts
                and "art" not in file.parts
            ):
                found.update(str(file.relative_to(package)).encode() + b"\0" + file.read_bytes())
    return found.hexdigest()


def read_plan(path: Path) -> Plan:
    """The plan in a file; DataError names the file, the place and the way out."""
    name = path.name
    try:
        text = path.read_text("utf-8")
        table = tomllib.loads(text)
    except OSError as error:
        raise DataError(str(path), "", str(error.strerror or error)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataError(name, "", str(error)) from None
    return plan_of(name, text, table)


def plan_of(name: str, text: str, table: dict[str, Any]) -> Plan:
    """A plan from what stands in a file."""
    try:
        return Plan(name, text, msgspec.convert(table, Experiment))
    except msgspec.ValidationError as error:
        said, _, place = str(error).partition(" - at ")
        raise DataError(name, place.strip("`").removeprefix("$.") or "file", said) from None
