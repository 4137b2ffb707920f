"""An experiment as a file: what is asked, what is compared, when to stop; read, checked and locked before it begins.

The file says everything that decides the answer; running it twice gives the same games. What it says wrongly is refused
with its place: an unknown switch, a measure that does not exist, seeds that were tuned on.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import tomllib
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

import msgspec

from grognard import __version__
from grognard.ai import player_named
from grognard.games import find_game
from grognard.kernel.errors import GrognardError, LabError, UnknownName
from grognard.kernel.game import Game
from grognard.kernel.options import OptionConflict
from grognard.lab.measures import EVENTS, POINTS, check_measure
from grognard.lab.overlay import overlay_digest
from grognard.lab.selfplay import Match
from grognard.lab.stats import Stop

T = TypeVar("T")
UNEQUAL_COUNTS = 64  # unequal pairs that a test of counts waits for: with 16 a promised 5 % was 12 % of lopsided laws


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
        try:
            self.game: Game[Any] = find_game(experiment.game)
        except UnknownName as error:
            raise self._wrong("game", error) from None
        self.scenarios = tuple(experiment.scenarios) or self.game.scenarios
        self.stop = Stop(**msgspec.structs.asdict(experiment.stop), unequal=unequal_for(experiment.measure.name))
        self.seats = [self._seats(arm) for arm in experiment.arms.values()]
        self._check()
        self.swapped = experiment.swap

    def _wrong(self, where: str, reason: GrognardError) -> LabError:
        """An error with its place; names are told as they are written in files, but for the labels of options."""
        said = {"game": self.experiment.game} if isinstance(reason, OptionConflict) else {}
        return LabError("at", file=self.name, where=where, reason=reason, **said)

    def _seats(self, arm: Arm) -> tuple[str, ...]:
        levels, sides = arm.players or self.experiment.players or ["greedy"], len(self.game.sides)
        if len(levels) == 1:
            levels = levels * sides
        if len(levels) != sides:
            raise self._wrong("players", LabError("players", players=len(levels), sides=sides))
        return tuple(levels)

    def _check(self) -> None:
        """Everything that can be wrong and that the types do not say."""
        e = self.experiment
        if not e.seeds.strip():
            raise self._wrong("seeds", LabError("no-seeds"))
        if len(e.arms) != 2:
            raise self._wrong("arms", LabError("arms", arms=len(e.arms)))
        for scenario in self.scenarios:
            if scenario not in self.game.scenarios:
                raise self._wrong("scenarios", UnknownName("scenario", scenario, self.game.scenarios))
        for level in {level for seats in self.seats for level in seats}:
            try:
                player_named(level)
            except GrognardError as error:
                raise self._wrong("players", error) from None
        for key, arm in e.arms.items():
            try:
                for scenario in self.scenarios:
                    self.game.resolve_options(e.options | arm.options, scenario)
                overlay_digest(self.game.name, arm.data)
            except GrognardError as error:
                raise self._wrong(f"arms.{key}", error) from None
        try:
            check_measure(self.game, self.scenarios, e.measure.name, e.measure.side)
        except GrognardError as error:
            raise self._wrong("measure", error) from None
        stop = self.stop
        if not 0 < stop.alpha < 0.5 or not 0 < stop.beta < 0.5:
            raise self._wrong("stop", LabError("errors"))
        if not stop.worth > stop.least >= 0 or stop.most < 1 or not math.isfinite(stop.worth):
            raise self._wrong("stop", LabError("worth"))

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
    """The plan in a file; LabError names the file, the place and the way out."""
    text, table = read_table(path)
    return plan_of(path.name, text, table)


def plan_of(name: str, text: str, table: dict[str, Any]) -> Plan:
    """A plan from what stands in a file."""
    return Plan(name, text, converted(name, table, Experiment))


def read_table(path: Path) -> tuple[str, dict[str, Any]]:
    """A file of the laboratory as text and as TOML."""
    try:
        text = path.read_text("utf-8")
    except OSError:
        raise LabError("no-file", file=str(path)) from None
    except UnicodeDecodeError as error:
        raise LabError("whole", file=path.name, reason=LabError("not-text", byte=error.start)) from None
    try:
        return text, tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LabError("whole", file=path.name, reason=LabError("not-toml", said=str(error))) from None


def converted(name: str, table: dict[str, Any], into: type[T]) -> T:
    """A table of the right shape; LabError with its place if a key is missing, unknown or of another kind."""
    try:
        return msgspec.convert(table, into)
    except msgspec.ValidationError as error:
        said, _, place = str(error).partition(" - at ")
        keys = culprit(place.strip("`").removeprefix("$"), table, into)
        reason = misshapen(said, keys, into)
        if keys:
            raise LabError("at", file=name, where=".".join(keys), reason=reason) from None
        raise LabError("whole", file=name, reason=reason) from None


def culprit(place: str, table: dict[str, Any], into: type[Any]) -> list[str]:
    """The keys down to a place; where the reader of types tells of any entry, the first that is wrong by itself."""
    keys: list[str] = []
    for part in re.findall(r"\.?([^.\[\]]+|\.\.\.)", place.replace("[...]", "[?]")):
        inside: Any = table
        for key in keys:
            inside = inside[int(key)] if isinstance(inside, list) else inside[key]
        keys.append(part if part != "?" else next(key for key in inside if is_wrong(table, keys, key, into)))
    return keys


def is_wrong(table: dict[str, Any], keys: list[str], entry: str, into: type[Any]) -> bool:
    """True if the file would be wrong with this entry alone at that place."""
    alone: Any = json.loads(json.dumps(table, default=str))
    inside = alone
    for key in keys:
        inside = inside[key]
    for other in [key for key in inside if key != entry]:
        del inside[other]
    try:
        msgspec.convert(alone, into)
    except msgspec.ValidationError:
        return True
    return False


def misshapen(said: str, keys: list[str], into: type[Any]) -> GrognardError:
    """What the reader of types says, in words of ours: a key with those that there are, a kind with what it is."""
    if found := re.fullmatch(r"Object missing required field `(.*)`", said):
        return LabError("missing", key=found[1])
    if found := re.fullmatch(r"Object contains unknown field `(.*)`", said):
        return UnknownName("key", found[1], keys_at(keys, into))
    if found := re.fullmatch(r"Expected `(.*)`, got `(.*)`", said):
        wanted = [LabError(f"kind-{kind}") for kind in found[1].split(" | ") if kind != "null"]
        return LabError(f"kinds-{len(wanted)}", got=LabError(f"kind-{found[2]}"), **dict(zip("abc", wanted)))
    if found := re.fullmatch(r"Invalid enum value '(.*)'", said):
        return UnknownName("value", found[1], get_args(type_at(keys, into)))
    return LabError("said", said=said)


def type_at(keys: list[str], into: Any) -> Any:
    """What should stand at a place."""
    for key in keys:
        if isinstance(into, type) and issubclass(into, msgspec.Struct):
            into = {field.encode_name: field.type for field in msgspec.structs.fields(into)}[key]
        else:
            into = get_args(into)[-1]
    return into


def keys_at(keys: list[str], into: Any) -> list[str]:
    """The keys that may stand at a place."""
    return [field.encode_name for field in msgspec.structs.fields(type_at(keys, into))]


def unequal_for(measure: str) -> int:
    """How many unequal pairs a test waits for: more where one pair may differ by much, as counts do."""
    shares = (POINTS, "level:", "draws")
    return Stop.unequal if measure.startswith(shares) else UNEQUAL_COUNTS
