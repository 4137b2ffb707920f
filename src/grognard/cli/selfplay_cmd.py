"""`grognard selfplay` and `grognard fuzz`."""

from __future__ import annotations

import json
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import click

from grognard.cli.coverage import ROOT
from grognard.cli.main import language_option
from grognard.cli.seats import choose_scenario, read_options, read_seats
from grognard.games import find_game
from grognard.kernel.texts import texts_for
from grognard.lab.fuzz import fuzz_game
from grognard.lab.selfplay import matches_for, play_matches, table_of

JOBS = click.option("--jobs", type=click.IntRange(1, 64), default=os.cpu_count() or 1, help="Processes.")

MOST_TOLD = 5  # failures of a fuzz run that are printed in full
TELL_EVERY = float(os.environ.get("GROGNARD_TELL_EVERY", "15"))  # seconds between lines of progress in a log


def progress_bar(total: int, label: str) -> Any:
    """A bar on the error stream, silent when nobody watches."""
    hidden = not sys.stderr.isatty()
    return click.progressbar(length=total, label=label, file=sys.stderr, hidden=hidden)


class Told:
    """Progress of long work: the bar, or in a log a line every now and then."""

    def __init__(self, bar: Any, total: int, label: str) -> None:
        self.bar, self.total, self.label, self.done = bar, total, label, 0
        self.next = time.monotonic() + TELL_EVERY

    def update(self, steps: int) -> None:
        """So much more is done."""
        self.done += steps
        self.bar.update(steps)
        if not sys.stderr.isatty() and time.monotonic() >= self.next:
            self.next = time.monotonic() + TELL_EVERY
            click.echo(f"{self.label}: {self.done} / {self.total}", err=True)


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("game")
@click.argument("scenario", required=False)
@click.argument("sides", nargs=-1, type=click.UNPROCESSED)
@click.option("--games", "count", type=click.IntRange(1), default=100, help="How many games.")
@click.option("--seed", type=int, default=1, help="Equal seeds give equal tables.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="Play with an option.")
@click.option("--json", "as_json", is_flag=True, help="For programs; holds no times.")
@JOBS
@language_option
def selfplay_command(
    game: str,
    scenario: str | None,
    sides: tuple[str, ...],
    count: int,
    seed: int,
    options: tuple[str, ...],
    as_json: bool,
    jobs: int,
    lang: str,
) -> None:
    """Let computer players meet many times and count.

    Without a scenario all of them are played in turn; without players all sides are random.

    Example: grognard selfplay picket crossing --games 200 --seed 1 --red ai:greedy --blue ai:random
    """
    if scenario is not None and scenario.startswith("--"):
        sides, scenario = (scenario, *sides), None
    played = find_game(game)
    seats = read_seats(played, sides, "random")
    if "human" in seats:
        raise click.UsageError("selfplay is for computer players; use play")
    scenarios = played.scenarios if scenario is None else (choose_scenario(played, scenario),)
    played.resolve_options(read_options(options))
    matches = matches_for(game, scenarios, seats, read_options(options), count, seed)
    with progress_bar(len(matches), "selfplay") as bar:
        scores = list(play_matches(matches, jobs, Told(bar, len(matches), "selfplay").update))
    rows = table_of(scores, played.sides)
    if as_json:
        head = {"game": game, "players": dict(zip(played.sides, seats)), "seed": seed, "options": read_options(options)}
        click.echo(json.dumps(head | {"table": rows}, indent=1))
        return
    texts = texts_for(game, lang)
    click.echo(", ".join(f"{texts.find(f'side.{s}') or s}: {level}" for s, level in zip(played.sides, seats)))
    for row in rows:
        lengths = row["decisions"]
        click.echo(f"{row['scenario']}: {row['games']} {texts.say('cli.games')}")
        for side, wins in row["wins"].items():
            share = 1000 * wins // row["games"]
            name = texts.find(f"side.{side}") or texts.find(f"cli.{side}") or side
            click.echo(f"    {name:<16} {wins:>6}  {share // 10:>3}.{share % 10} %")
        for level, number in row["levels"].items():
            click.echo(f"        {level:<24} {number:>6}")
        click.echo(f"    {texts.say('cli.decisions')}: {lengths['least']} / {lengths['mean']} / {lengths['most']}")


@click.command()
@click.argument("game")
@click.argument("scenario", required=False)
@click.option("--games", "count", type=click.IntRange(1), default=100, help="How many games.")
@click.option("--seed", type=int, default=1, help="The first seed.")
@click.option("--guided", is_flag=True, help="Prefer what has been seen least instead of choosing at random.")
@click.option("--again", default=None, metavar="SEED", help="Play the one game of this seed again.")
@click.option("--out", type=click.Path(path_type=Path), default=None, help="Folder for the games that fail.")
@JOBS
@language_option
def fuzz_command(
    game: str,
    scenario: str | None,
    count: int,
    seed: int,
    guided: bool,
    again: str | None,
    out: Path | None,
    jobs: int,
    lang: str,
) -> None:
    """Play random games and check everything on the way; exit code 1 if something is found.

    A failure is told as soon as it is found, with its traceback, its seed and the last actions, and written as a game
    file that `grognard replay` opens.

    Example: grognard fuzz picket --games 500
    """
    played, texts = find_game(game), texts_for(game, lang)
    scenarios = played.scenarios if scenario is None else (choose_scenario(played, scenario),)
    work = [(scenarios[n % len(scenarios)], f"fuzz {seed} {n}") for n in range(count)]
    if again is not None:
        work = [(name, again) for name in scenarios]
    folder = out or ROOT / ".cache" / "fuzz"
    decisions, failures = 0, 0
    with progress_bar(len(work), "fuzz") as bar, ProcessPoolExecutor(min(jobs, len(work))) as pool:
        told = Told(bar, len(work), "fuzz")
        for done in as_completed([pool.submit(fuzz_game, game, name, word, guided=guided) for name, word in work]):
            steps, what = done.result()
            decisions += steps
            if what is not None:
                failures += 1
                if failures <= MOST_TOLD:  # at once: a run that is broken off has still told what it found
                    click.echo(what.told(texts, what.write(folder)))
            told.update(1)
    click.echo(texts.say("fuzz.done", games=len(work), decisions=decisions, failures=failures))
    if failures:
        sys.exit(1)
