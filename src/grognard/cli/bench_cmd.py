"""`grognard bench`: how fast the engine is on this machine, beside small yardsticks run at the same time."""

from __future__ import annotations

import json
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from grognard.ai import GreedyPlayer, Seat
from grognard.cli.main import language_option
from grognard.cli.selfplay_cmd import progress_bar
from grognard.games import find_game, playable_names
from grognard.kernel import PUBLIC, Column, State, column, seed_from
from grognard.kernel.errors import UnknownName
from grognard.kernel.game import Game
from grognard.kernel.texts import texts_for

Figures = dict[str, float]


def microseconds(function: Callable[[], Any], repeat: int = 5, number: int = 0) -> float:
    """The best mean of several runs, in microseconds."""
    if not number:
        start = time.perf_counter()
        function()
        number = max(1, min(20_000, int(0.02 / max(time.perf_counter() - start, 1e-7))))
    best = float("inf")
    for _ in range(repeat):
        start = time.perf_counter()
        for _ in range(number):
            function()
        best = min(best, (time.perf_counter() - start) / number)
    return best * 1e6


# Yardsticks


def sqlite_commit() -> float:
    """One bare insert and commit with full synchronisation."""
    with tempfile.TemporaryDirectory() as folder:
        base = sqlite3.connect(Path(folder) / "bench.db", isolation_level=None)
        base.execute("pragma journal_mode=wal")
        base.execute("pragma synchronous=full")
        base.execute("create table log (n integer primary key, line text)")
        result = microseconds(lambda: base.execute("insert into log (line) values ('red move x')"), 3, 200)
        base.close()
        return result


def plain_monte_carlo() -> float:
    """A thousand pairs of dice, added in plain Python."""
    luck = random.Random(1)
    return microseconds(lambda: sum(int(luck.random() * 6) + int(luck.random() * 6) for _ in range(1000)), 3, 20)


def chess_push_pop() -> float | None:
    """A legal move list and a push and pop of python-chess, where it is installed."""
    try:
        import chess  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return None
    board = chess.Board()

    def one() -> None:
        move = next(iter(list(board.legal_moves)))
        board.push(move)
        board.pop()

    return microseconds(one)


# The engine


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
    }


def game_figures(game: Game[Any], scenario: str, seconds: float) -> Figures:
    """One scenario of one game."""
    samples: list[Any] = []
    spent: list[float] = []
    luck = random.Random(1)
    decisions = games = 0
    start = time.perf_counter()
    while time.perf_counter() - start < seconds or not games:
        s: Any = game.setup(scenario, {}, seed_from(games))
        s.events = None
        while s.waiting:
            side = s.waiting[0]
            before = time.perf_counter()
            legal = game.legal(s, side)
            spent.append(time.perf_counter() - before)
            if decisions % 97 == 0 and len(samples) < 200:
                samples.append(s.copy())
            game.apply(s, side, legal[int(luck.random() * len(legal))], trusted=True)
            decisions += 1
            if games and time.perf_counter() - start > seconds:
                break
        games += 1
    total = time.perf_counter() - start
    ordered = sorted(spent)
    middle = samples[len(samples) // 2]
    side = middle.waiting[0]
    action = game.legal(middle, side)[0]

    def copy_and_apply() -> None:
        game.apply(middle.copy(), side, action, trusted=True)

    view = game.view(middle, side)
    return {
        "state copy (us)": microseconds(middle.copy),
        "copy and apply (us)": microseconds(copy_and_apply),
        "digest (us)": microseconds(middle.digest),
        "legal list, median (us)": statistics.median(ordered) * 1e6,
        "legal list, 99th percentile (us)": ordered[len(ordered) * 99 // 100] * 1e6,
        "view (us)": microseconds(lambda: game.view(middle, side)),
        "view as JSON (bytes)": float(len(json.dumps(view, separators=(",", ":")))),
        "random decisions per second": decisions / total,
        "random games per second": games / total,
        "greedy decisions per second": greedy_rate(game, samples[:40], seconds),
    }


def greedy_rate(game: Game[Any], samples: list[Any], seconds: float) -> float:
    """How many decisions the greedy player makes in a second."""
    player, made = GreedyPlayer(), 0
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        s = samples[made % len(samples)]
        player.choose(Seat(game, s, s.waiting[0], str(made)))
        made += 1
    return made / (time.perf_counter() - start)


def start_time() -> float:
    """`grognard games` in a new process, in milliseconds."""

    def run() -> None:
        subprocess.run([sys.executable, "-m", "grognard", "games"], capture_output=True, check=True)

    return microseconds(run, 3, 1) / 1000


@click.command()
@click.argument("games", nargs=-1)
@click.option("--seconds", type=click.FloatRange(0.1, 60), default=2.0, help="Per figure that is counted by time.")
@click.option("--out", type=click.Path(path_type=Path), default=None, help="Write the figures as JSON.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON only.")
@language_option
def bench_command(games: tuple[str, ...], seconds: float, out: Path | None, as_json: bool, lang: str) -> None:
    """Measure the engine on this machine. Machines wander: compare figures of one run with each other.

    Example: grognard bench picket --out bench.json
    """
    for name in games:
        if name not in playable_names():
            raise UnknownName("game", name, playable_names())
    figures: dict[str, Figures] = {}
    chosen = [(game, scenario) for game in games or playable_names() for scenario in find_game(game).scenarios[:1]]
    with progress_bar(len(chosen) + 2, "bench") as bar:
        yardsticks = {
            "SQLite insert and commit (us)": sqlite_commit(),
            "1,000 pairs of plain dice (us)": plain_monte_carlo(),
        }
        chess = chess_push_pop()
        if chess is not None:
            yardsticks["python-chess moves, push, pop (us)"] = chess
        figures["yardsticks"] = yardsticks | {"grognard games (ms)": start_time()}
        bar.update(1)
        figures["kernel"] = kernel_figures()
        bar.update(1)
        for game, scenario in chosen:
            figures[f"{game} {scenario}"] = game_figures(find_game(game), scenario, seconds)
            bar.update(1)
    rounded = {part: {name: round(value, 2) for name, value in rows.items()} for part, rows in figures.items()}
    if out is not None:
        out.write_text(json.dumps(rounded, indent=1) + "\n", "utf-8")
    if as_json:
        click.echo(json.dumps(rounded, indent=1))
        return
    texts = texts_for("", lang)
    for part, rows in rounded.items():
        click.echo(texts.find(f"bench.{part}") or part)
        for name, value in rows.items():
            figure = f"{value:,.2f}" if lang == "en" else f"{value:,.2f}".replace(",", "\u202f").replace(".", ",")
            click.echo(f"    {texts.find(f'bench.{name}') or name:<56} {figure:>14}")
