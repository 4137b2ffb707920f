"""How fast the engine is: real games, and yardsticks run in turns with them, so that figures of one run compare.

Rates are counted by processor time, in slices: a slice of enforced play, one of trusted play, one of each yardstick,
and so on round; a busy machine slows them alike. *Enforced* play has every action checked by the rules, as a table
does; *trusted* play takes actions from the legal list and skips the check, as computer players do.
"""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any, Protocol

from grognard.ai import GreedyPlayer, Seat
from grognard.games import find_game
from grognard.kernel import PUBLIC, Column, GrognardError, State, column, seed_from
from grognard.kernel.game import Game

REAL = {
    "bitw": "SBW3",
    "blitzkrieg": "stonne40",
    "normandie": "campaign",
    "picket": "crossing",
    "surrender": "barbarossa",
}
SLICES = 5
LONGEST_TURN = 3000  # decisions after which a turn is said to be over
Figures = dict[str, float]


def scenario_of(game: Game[Any]) -> str:
    """The scenario that is measured: a real one, not an exercise."""
    wanted = REAL.get(game.name, "")
    return wanted if wanted in game.scenarios else game.scenarios[0]


def microseconds(function: Callable[[], Any], repeat: int = 5, number: int = 0) -> float:
    """The best mean of several runs, in microseconds of processor time."""
    if not number:
        start = time.process_time()
        function()
        number = max(1, min(20_000, int(0.02 / max(time.process_time() - start, 1e-7))))
    best = float("inf")
    for _ in range(repeat):
        start = time.process_time()
        for _ in range(number):
            function()
        best = min(best, (time.process_time() - start) / number)
    return best * 1e6


# Things that go on and can be measured in slices


class Play(Protocol):
    """Something that makes decisions."""

    def run(self, seconds: float) -> tuple[int, float]:
        """Go on for so long; how many decisions were made, in how much processor time."""


class RandomPlay:
    """Random games of a scenario, one after the other."""

    def __init__(self, game: Game[Any], scenario: str, trusted: bool) -> None:
        self.game, self.scenario, self.trusted = game, scenario, trusted
        self.luck, self.games = random.Random(1), 0
        self.s: Any = self._next()

    def _next(self) -> Any:
        self.games += 1
        s = self.game.setup(self.scenario, {}, seed_from(self.games))
        s.events = None
        return s

    def run(self, seconds: float) -> tuple[int, float]:
        """Set-ups are not counted: they are not decisions."""
        game, luck, trusted, made, spent = self.game, self.luck, self.trusted, 0, 0.0
        while spent < seconds:
            if not self.s.waiting:
                self.s = self._next()
            s, start = self.s, time.process_time()
            for _ in range(50):
                side = s.waiting[0]
                legal = game.legal(s, side)
                game.apply(s, side, legal[int(luck.random() * len(legal))], trusted=trusted)
                made += 1
                if not s.waiting:
                    break
            spent += time.process_time() - start
        return made, spent


class ChessPlay:
    """Random games of python-chess."""

    def __init__(self, chess: Any) -> None:
        self.board_of, self.luck = chess.Board, random.Random(1)
        self.board = chess.Board()

    def run(self, seconds: float) -> tuple[int, float]:
        """List the legal moves, push one; a new game when nothing is legal or after 200 moves."""
        made, start = 0, time.process_time()
        while time.process_time() - start < seconds:
            for _ in range(20):
                moves = list(self.board.legal_moves)
                if not moves or self.board.ply() > 200:
                    self.board = self.board_of()
                    continue
                self.board.push(moves[int(self.luck.random() * len(moves))])
                made += 1
        return made, time.process_time() - start


class PlainPlay:
    """The loop of `yardstick.mjs` in Python: lists of moves on a board, no engine."""

    WIDTH, UNITS, STACK = 40, 350, 2

    def __init__(self) -> None:
        width = self.WIDTH
        self.luck = random.Random(1)
        self.around = [self._around(divmod(hex, width)) for hex in range(width * width)]
        self.count = [bytearray(width * width), bytearray(width * width)]
        self.at = [0] * self.UNITS
        for unit in range(self.UNITS):
            mine, theirs = self.count[unit % 2], self.count[1 - unit % 2]
            hex = self.luck.choice([h for h in range(width * width) if mine[h] < self.STACK and not theirs[h]])
            self.at[unit] = hex
            mine[hex] += 1
        self.made = 0
        self.log: list[tuple[int, str, int]] = []

    def _around(self, place: tuple[int, int]) -> list[int]:
        row, column = place
        shift = row % 2
        beside = [(row, column - 1), (row, column + 1)]
        beside += [(r, column + d + shift) for r in (row - 1, row + 1) for d in (-1, 0)]
        return [r * self.WIDTH + c for r, c in beside if 0 <= r < self.WIDTH and 0 <= c < self.WIDTH]

    def legal(self, unit: int) -> list[tuple[str, int]]:
        """Where a counter may go."""
        mine, theirs, around = self.count[unit % 2], self.count[1 - unit % 2], self.around
        here = around[self.at[unit]]
        held = any(theirs[h] for h in here)
        moves = [("move", h) for h in here if not theirs[h] and mine[h] < self.STACK
                 and not (held and any(theirs[n] for n in around[h]))]  # fmt: skip
        moves.append(("stay", 0))
        return moves

    def run(self, seconds: float) -> tuple[int, float]:
        """Counter by counter."""
        before, start = self.made, time.process_time()
        while time.process_time() - start < seconds:
            for _ in range(100):
                unit = self.made % self.UNITS
                moves = self.legal(unit)
                verb, hex = moves[int(self.luck.random() * len(moves))]
                if verb == "move":
                    self.count[unit % 2][self.at[unit]] -= 1
                    self.at[unit] = hex
                    self.count[unit % 2][hex] += 1
                self.log.append((unit, verb, hex))
                if len(self.log) > 10_000:
                    self.log = []
                self.made += 1
        return self.made - before, time.process_time() - start


class NodePlay:
    """The same loop in Node, a process for each slice."""

    def __init__(self, node: str) -> None:
        self.node = node
        self.script = str(resources.files("grognard") / "lab" / "yardstick.mjs")

    def run(self, seconds: float) -> tuple[int, float]:
        """As the script says."""
        command = [self.node, self.script, str(max(0.05, seconds))]
        done = json.loads(subprocess.run(command, capture_output=True, check=True, timeout=600).stdout)
        return done["decisions"], done["milliseconds"] / 1000


class SqlitePlay:
    """A bare loop of inserts, each committed and synchronised: what a table must do for every action."""

    def __init__(self, folder: str) -> None:
        self.base = sqlite3.connect(Path(folder) / "bench.db", isolation_level=None)
        self.base.execute("pragma journal_mode=wal")
        self.base.execute("pragma synchronous=full")
        self.base.execute("create table log (n integer primary key, line text)")

    def run(self, seconds: float) -> tuple[int, float]:
        """By the clock on the wall: the disk takes no processor time."""
        made, start = 0, time.perf_counter()
        while time.perf_counter() - start < seconds:
            for _ in range(20):
                self.base.execute("insert into log (line) values ('red move x')")
                made += 1
        return made, time.perf_counter() - start


def rates(plays: dict[str, Play], seconds: float) -> Figures:
    """Decisions a second of each, in slices by turns; the median slice counts."""
    seen: dict[str, list[float]] = {name: [] for name in plays}
    for _ in range(SLICES):
        for name, play in plays.items():
            made, spent = play.run(seconds / SLICES)
            seen[name].append(made / spent)
    return {name: statistics.median(slices) for name, slices in seen.items()}


def yardstick_plays(folder: str) -> dict[str, Play]:
    """Those that this machine has."""
    plays: dict[str, Play] = {
        "plain Python board, decisions per second": PlainPlay(),
        "SQLite insert and commit, per second": SqlitePlay(folder),
    }
    try:
        import chess  # type: ignore[import-not-found,unused-ignore]

        plays["python-chess, decisions per second"] = ChessPlay(chess)
    except ImportError:
        pass
    if node := shutil.which("node"):
        plays["plain Node board, decisions per second"] = NodePlay(node)
    return plays


# The kernel on synthetic data


class Large(State):
    """Synthetic: 350 units on 1,600 hexes, thirteen columns."""

    at: Column = column("units", "h", PUBLIC)
    steps: Column = column("units", "B", PUBLIC)
    moved: Column = column("units", "B", PUBLIC)
    spent: Column = column("units", "B", PUBLIC)
    supply: Column = column("units", "B", PUBLIC)
    came: Column = column("units", "h", PUBLIC)
    token: Column = column("units", "H", PUBLIC)
    next_in: Column = column("units", "h", PUBLIC)
    first_in: Column = column("hexes", "h", PUBLIC)
    owner: Column = column("hexes", "b", PUBLIC)
    zone0: Column = column("hexes", "B", PUBLIC)
    zone1: Column = column("hexes", "B", PUBLIC)
    weather: Column = column("hexes", "B", PUBLIC)


def kernel_figures() -> Figures:
    """The kernel and the hexes on synthetic data."""
    from grognard.hexes import Grid, Numbering
    from grognard.hexes.paths import StepCosts, reach

    large = Large.blank(units=350, hexes=1600)
    grid = Grid(Numbering("pointy", 40, 40))
    steps = StepCosts.of_steps(grid, lambda a, b, side: 1 + (b % 7 == 0))
    zone = bytearray(1600)
    for hex in range(0, 1600, 37):
        zone[hex] = 1
    middle = 820
    return {
        "state copy, 350 units, 1,600 hexes (us)": microseconds(large.copy),
        "digest of the same (us)": microseconds(large.digest),
        "reach with zones, 1,600 hexes, 6 points (us)": microseconds(lambda: reach(steps, middle, 6, zoc=zone)),
        "reach with zones, 1,600 hexes, 12 points (us)": microseconds(lambda: reach(steps, middle, 12, zoc=zone)),
    } | table_figures()


def table_figures() -> Figures:
    """Measured tables, on the game's own: sight, fresh and kept, and the reach of a tank and on foot."""
    from grognard.tabletop import PER_CM, Sight, StepCosts, load_table, load_terrain, reach

    data = resources.files("grognard") / "games" / "blitzkrieg" / "data"
    table = load_table(data / "tables" / "stonne40.toml", load_terrain(data / "terrain.toml"))
    luck, sight = random.Random(1), Sight(table)
    pairs = [(luck.choice(table.points), luck.choice(table.points)) for _ in range(2000)]
    start = time.process_time()
    for a, b in pairs:
        sight.sees(a, b)
    fresh = (time.process_time() - start) / len(pairs) * 1e6
    kept = microseconds(lambda: [sight.sees(a, b) for a, b in pairs]) / len(pairs)
    tank, foot = StepCosts(table, "tracked", (2, 3)), StepCosts(table, "foot", hull=False)
    middle = table.point_named("091-101")
    return {
        "table: line of sight, fresh (us)": fresh,
        "table: line of sight, kept (us)": kept,
        "table: reach of a tank, 40 cm (us)": microseconds(lambda: reach(tank, middle, 0, 40 * PER_CM)),
        "table: reach on foot, 20 cm (us)": microseconds(lambda: reach(foot, middle, None, 20 * PER_CM)),
    }


# A game


def game_figures(game: Game[Any], scenario: str, seconds: float, beside: dict[str, Play]) -> Figures:
    """One scenario of one game; the yardsticks `beside` it go on in the same slices."""
    plays: dict[str, Play] = {
        "enforced decisions per second": RandomPlay(game, scenario, trusted=False),
        "trusted decisions per second": RandomPlay(game, scenario, trusted=True),
    }
    figures = rates(plays | beside, seconds)
    samples, lists = met(game, scenario, seconds)
    middle = samples[len(samples) // 2]
    side = middle.waiting[0]
    action = game.legal(middle, side)[0]
    view = game.view(middle, side)
    figures |= {
        "state copy (us)": microseconds(middle.copy),
        "copy and apply (us)": microseconds(lambda: game.apply(middle.copy(), side, action, trusted=True)),
        "digest (us)": microseconds(middle.digest),
        "legal list, median (us)": statistics.median(lists) / 1000,
        "legal list, 99th percentile (us)": sorted(lists)[len(lists) * 99 // 100] / 1000,
        "view (us)": microseconds(lambda: game.view(middle, side)),
        "view as JSON (bytes)": float(len(json.dumps(view, separators=(",", ":")))),
    }
    return figures | greedy_figures(game, scenario, seconds)


def met(game: Game[Any], scenario: str, seconds: float) -> tuple[list[Any], list[int]]:
    """Positions met on the way, and how long each legal list took the first time it was asked, in nanoseconds."""
    samples: list[Any] = []
    lists: list[int] = []
    luck, games = random.Random(2), 0
    until = time.process_time() + seconds
    while time.process_time() < until or not games:
        games += 1
        s: Any = game.setup(scenario, {}, seed_from(f"met {games}"))
        s.events = None
        while s.waiting and (time.process_time() < until or len(lists) < 200):
            side = s.waiting[0]
            before = time.thread_time_ns()
            legal = game.legal(s, side)
            lists.append(time.thread_time_ns() - before)
            if len(lists) % 29 == 0 and len(samples) < 200:
                samples.append(s.copy())
            game.apply(s, side, legal[int(luck.random() * len(legal))], trusted=True)
        if not samples and s.waiting:
            samples.append(s.copy())
    return samples or [game.setup(scenario, {}, "met")], lists


def turn_of(s: Any) -> tuple[Any, ...]:
    """Whose turn it is, as far as a game says it: the turn's number, and the side of the sequence inside the game."""
    inner = s.frames[1] if len(s.frames) > 1 else None
    return getattr(s, "turn", 0), inner and inner.sequence_name, getattr(inner, "side", None)


def greedy_figures(game: Game[Any], scenario: str, seconds: float) -> Figures:
    """The greedy player from the set-up on, to the end of the longest turn it finishes within ten times the seconds."""
    s: Any = game.setup(scenario, {}, seed_from("greedy"))
    s.events = None
    player, made, turns = GreedyPlayer(), 0, [0.0]
    begun, until = turn_of(s), time.process_time() + 10 * seconds
    start = time.process_time()
    while s.waiting and made < LONGEST_TURN and time.process_time() < until:
        before = time.process_time()
        side = s.waiting[0]
        game.apply(s, side, player.choose(Seat(game, s, side, str(made))).action, trusted=True)
        made += 1
        if turn_of(s) != begun:
            begun = turn_of(s)
            turns.append(0.0)
        turns[-1] += time.process_time() - before
    whole = turns[:-1] if len(turns) > 1 else turns
    rate = made / max(time.process_time() - start, 1e-9)
    return {"greedy decisions per second": rate, "greedy, the longest turn (s)": max(whole)}


def odds_figures(game: Game[Any], book_of: Callable[[str], Any]) -> Figures:
    """Exact chances of the cases that stand in `bench_cases.json`; nothing of an answer is remembered."""
    cases = json.loads((resources.files("grognard") / "lab" / "bench_cases.json").read_text("utf-8"))
    figures = {}
    for name, case in cases.get(game.name, {}).items():
        book = book_of(game.name)
        answer = book.odds_case(case, "en")
        if "error" in answer:
            raise GrognardError(f"bench_cases.json: {game.name}: {answer['error']}")
        figures[f"odds: {name} (us)"] = microseconds(lambda case=case, book=book: book.odds_case(case, "en"))  # type: ignore[misc]
    return figures


def ratios(rows: Figures) -> Figures:
    """A game's rates against the yardsticks that ran in its slices."""
    return {
        f"{kind} / {stick}": rows[f"{kind} decisions per second"] / rows[name]
        for kind in ("enforced", "trusted")
        for name, stick in STICKS.items()
        if rows.get(name)
    }


STICKS = {
    "python-chess, decisions per second": "python-chess",
    "plain Node board, decisions per second": "plain Node board",
    "plain Python board, decisions per second": "plain Python board",
}


def is_compiled() -> bool:
    """True if the kernel is the compiled edition."""
    from grognard.kernel import flow

    return not str(flow.__file__).endswith(".py")


def measure(
    games: list[str], seconds: float, told: Callable[[], None], book_of: Callable[[str], Any]
) -> dict[str, Figures]:
    """Everything; `told` after each part. `book_of` gives the odds book of a game."""
    figures: dict[str, Figures] = {}
    with tempfile.TemporaryDirectory() as folder:
        plays = yardstick_plays(folder)
        figures["yardsticks"] = rates(plays, seconds) | {"compiled (1 yes, 0 no)": float(is_compiled())}
        told()
        figures["kernel"] = kernel_figures()
        told()
        beside = {name: play for name, play in plays.items() if name in STICKS}
        for name in games:
            game = find_game(name)
            scenario = scenario_of(game)
            rows = game_figures(game, scenario, seconds, beside)
            figures[f"{name} {scenario}"] = rows | ratios(rows) | odds_figures(game, book_of)
            told()
    return figures
