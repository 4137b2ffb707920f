"""`grognard bench`: how fast the engine is on this machine, beside small yardsticks run at the same time."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import click

from grognard.cli.main import language_option
from grognard.cli.odds_cmd import odds_module
from grognard.cli.selfplay_cmd import progress_bar
from grognard.games import playable_names
from grognard.kernel.errors import UnknownName
from grognard.kernel.texts import texts_for
from grognard.lab.bench import measure


def start_time() -> float:
    """`grognard games` in a new process, in milliseconds: the best of three."""
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-m", "grognard", "games"], capture_output=True, check=True)
        best = min(best, time.perf_counter() - start)
    return best * 1000


@click.command()
@click.argument("games", nargs=-1)
@click.option("--seconds", type=click.FloatRange(0.1, 60), default=2.0, help="Per figure that is counted by time.")
@click.option("--out", type=click.Path(path_type=Path), default=None, help="Write the figures as JSON.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON only.")
@language_option
def bench_command(games: tuple[str, ...], seconds: float, out: Path | None, as_json: bool, lang: str) -> None:
    """Measure the engine on this machine. Machines wander: compare figures of one run with each other.

    Every game is measured in a real scenario, with the yardsticks in turns beside it: python-chess (where the package
    `chess` is installed: pip install --require-hashes -r scripts/bench.lock), a plain board game in Node (where Node
    is) and in Python, a bare SQLite loop. Enforced and trusted play are told apart.

    Example: grognard bench picket --out bench.json
    """
    for name in games:
        if name not in playable_names():
            raise UnknownName("game", name, playable_names())
    chosen = list(games or playable_names())
    with progress_bar(len(chosen) + 2, "bench") as bar:
        figures = measure(chosen, seconds, lambda: bar.update(1), odds_module)
    figures["yardsticks"]["grognard games (ms)"] = start_time()
    rounded = {part: {name: rounded_to(value) for name, value in rows.items()} for part, rows in figures.items()}
    if out is not None:
        out.write_text(json.dumps(rounded, indent=1) + "\n", "utf-8")
    if as_json:
        click.echo(json.dumps(rounded, indent=1))
        return
    texts = texts_for("", lang)
    for part, rows in rounded.items():
        click.echo(texts.find(f"bench.{part}") or part)
        for name, value in rows.items():
            figure = f"{value:,.2f}" if value >= 1 or not value else f"{value:.4f}"
            if lang != "en":
                figure = figure.replace(",", "\u202f").replace(".", ",")
            click.echo(f"    {texts.find(f'bench.{name}') or name:<62} {figure:>14}")


def rounded_to(value: float) -> float:
    """Two decimals, four for small ratios."""
    return round(value, 2 if abs(value) >= 1 else 4)
