"""`grognard ab`, `balance`, `tune` and `report`: the laboratory."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import click

from grognard.ai import LEVELS
from grognard.cli.main import language_option
from grognard.cli.seats import choose_scenario
from grognard.games import find_game
from grognard.kernel.errors import LabError, UnknownName
from grognard.kernel.texts import Texts, texts_for
from grognard.lab.balance import Balance, balance_lock, balance_matches, balance_of
from grognard.lab.plan import Plan, read_plan
from grognard.lab.png import write_png
from grognard.lab.report import Answer, answers, balance_head, balance_rows, balances, page, pictures, replayed, signed
from grognard.lab.run import AHEAD, Here, Pool, State, Workers, carry_out, in_order
from grognard.lab.selfplay import Score
from grognard.lab.store import Results, score_of
from grognard.lab.tune import confirming, read_search, tune

STORE = click.option(
    "--store",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("grognard-lab.sqlite"),
    show_default=True,
    help="The file of results.",
)
JOBS = click.option("--jobs", type=click.IntRange(1, 256), default=os.cpu_count() or 1, help="Processes.")
RAY = click.option("--ray", "ray", default=None, metavar="ADDRESS", help="Play on a Ray cluster (`local` starts one).")
TELL_EVERY = 10.0  # seconds between lines of progress in a log


def workers_for(jobs: int, ray: str | None, plain: bool) -> tuple[Workers, int]:
    """Where to play, and how many matches to keep in flight."""
    if ray is not None:
        from grognard.lab.cluster import Cluster

        cluster = Cluster(ray, jobs)
        return cluster, cluster.ahead
    return (Here(), 1) if jobs == 1 and plain else (Pool(jobs), AHEAD * jobs)


class Watch:
    """The present estimate, on one line, or in a log every now and then."""

    def __init__(self, plan: Plan, texts: Texts) -> None:
        self.plan, self.texts, self.next = plan, texts, 0.0

    def __call__(self, state: State) -> None:
        """After each pair."""
        if time.monotonic() < self.next and not state.verdict:
            return
        self.next = time.monotonic() + (0.2 if sys.stderr.isatty() else TELL_EVERY)
        low, high = state.walk.interval()
        name = self.plan.experiment.measure.name
        told = self.texts.say(
            "lab.progress",
            pairs=state.walk.pairs,
            most=self.plan.stop.most,
            mean=signed(state.walk.mean, name, self.texts),
            low=signed(low, name, self.texts),
            high=signed(high, name, self.texts),
            touched=state.touched,
        )
        click.echo(f"\r{told}\033[K" if sys.stderr.isatty() else told, err=True, nl=not sys.stderr.isatty())


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@STORE
@JOBS
@RAY
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.option("--most", type=click.IntRange(1), help="Stop after so many pairs; call again to go on.")
@language_option
def ab_command(file: Path, store: Path, jobs: int, ray: str | None, as_json: bool, most: int | None, lang: str) -> None:
    """Compare two variants of a game until the file's stopping rule speaks; call again to go on.

    FILE may be a folder: all its experiments, one after the other. Exit code 0: an answer to each; 1: undecided.

    Example: grognard ab experiments/picket-river.toml
    """
    plans = [read_plan(f) for f in sorted(file.glob("[0-9]*.toml"))] if file.is_dir() else [read_plan(file)]
    verdicts = [_compare(plan, store, jobs, ray, as_json, most, lang) for plan in plans]
    if "undecided" in verdicts:
        sys.exit(1)


def _compare(plan: Plan, store: Path, jobs: int, ray: str | None, as_json: bool, most: int | None, lang: str) -> str:
    """One experiment, as far as it goes; its verdict."""
    texts = texts_for(plan.game.name, lang)
    results = Results(store)
    others = results.same_name(plan.name, plan.run_id)
    if others:
        click.echo(texts.say("lab.begun-otherwise", file=plan.name, run=others[0]), err=True)
    workers, ahead = workers_for(jobs, ray, not any(arm.data for arm in plan.experiment.arms.values()))
    try:
        state = carry_out(plan, results, workers, ahead, Watch(plan, texts), most)
    finally:
        workers.close()
    if sys.stderr.isatty():
        click.echo(err=True)
    answer = next((a for a in answers(results) if a.run == plan.run_id), Answer(plan.run_id, plan, state))
    if as_json:
        click.echo(json.dumps(answer.as_json(), indent=1))
    else:
        click.echo(plan.experiment.asked(lang))
        click.echo(answer.sentence(texts))
        for key, value in answer.rows(texts):
            click.echo(f"    {key:<34} {value}")
    return state.verdict


def balance_run(
    store: Results,
    game: str,
    scenario: str,
    level: str,
    seeds: str,
    games: int,
    workers: Workers,
    ahead: int,
    lucky: bool = False,
) -> Balance:
    """One row: what is stored of it is not played again."""
    played = find_game(game)
    run, lock = balance_lock(played, scenario, level, seeds, lucky=lucky)
    told = {"name": f"{game} {scenario} {level}", "family": "balance", "game": game, "question": "", "text": ""}
    store.take_seeds(seeds, "balance", run)
    store.begin(run, "balance", told, lock)
    matches = balance_matches(game, scenario, level, len(played.sides), seeds, games, lucky=lucky)
    done = store.pairs(run)
    for number, pair in in_order(workers, ahead, lambda n: [("", matches[n])], lambda _: {}, done, games):
        store.keep(run, number, pair)
    store.end(run, "counted")
    scores: list[Score] = [score_of(row) for row in store.games(run)]
    return balance_of(played, scenario, level, scores[:games])


@click.command()
@click.argument("game")
@click.argument("scenario", required=False)
@click.option("--level", "levels", multiple=True, default=("greedy",), help="Level of both players; may be repeated.")
@click.option("--games", "count", type=click.IntRange(1), default=40, show_default=True, help="Games a row.")
@click.option("--seeds", default="balance-1", show_default=True, help="A word for the seeds.")
@click.option("--luck", is_flag=True, help="Note what the dice gave each side (slower), for the report.")
@STORE
@JOBS
@RAY
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@language_option
def balance_command(
    game: str,
    scenario: str | None,
    levels: tuple[str, ...],
    count: int,
    seeds: str,
    luck: bool,
    store: Path,
    jobs: int,
    ray: str | None,
    as_json: bool,
    lang: str,
) -> None:
    """Is it fair? The share of each side in every scenario, between players of the same level, with intervals.

    Example: grognard balance picket --games 200 --level greedy
    """
    played, texts = find_game(game), texts_for(game, lang)
    for level in levels:
        if level not in LEVELS:
            raise UnknownName("level of play", level, LEVELS)
    scenarios = played.scenarios if scenario is None else (choose_scenario(played, scenario),)
    results = Results(store)
    workers, ahead = workers_for(jobs, ray, True)
    found: list[tuple[str, Balance]] = []
    try:
        for name in scenarios:
            for level in levels:
                found.append((game, balance_run(results, game, name, level, seeds, count, workers, ahead, luck)))
                if not as_json:
                    show(texts, found[-1:], head=len(found) == 1)
    finally:
        workers.close()
    if as_json:
        click.echo(json.dumps([vars_of(row) for _, row in found], indent=1))


def vars_of(row: Balance) -> dict[str, Any]:
    """A row for programs; holds no times."""
    return {key: value for key, value in row.__dict__.items() if key != "seconds"}


def show(texts: Texts, found: list[tuple[str, Balance]], *, head: bool) -> None:
    """A table in the terminal."""
    widths = (24, 12, 16, 28, 6, 6)
    lines = [balance_head(texts)] if head else []
    for row in lines + balance_rows(texts, found):
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


@click.command()
@click.argument("runs", nargs=-1)
@STORE
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), default=None, help="Write an HTML page.")
@click.option(
    "--export", type=click.Path(path_type=Path, dir_okay=False), default=None, help="Write a .parquet or .csv."
)
@click.option(
    "--pictures",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=None,
    help="Write each as .svg, and with --png as .png too.",
)
@click.option("--png", is_flag=True, help="With --pictures: for slides and papers that take no SVG.")
@click.option("--replay", type=float, default=None, metavar="SHARE", help="Play this part again (0.01) and compare.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@language_option
def report_command(
    runs: tuple[str, ...],
    store: Path,
    out: Path | None,
    export: Path | None,
    folder: Path | None,
    png: bool,
    replay: float | None,
    as_json: bool,
    lang: str,
) -> None:
    """Tell what the stored runs found: in the terminal, as a page, as a data set.

    Without names all runs are told. Questions of one family are corrected together.

    Example: grognard report --out report.html
    """
    texts = texts_for("", lang)
    if not store.exists():
        raise LabError("no-results", file=str(store))
    results = Results(store)
    known = {word for row in results.runs() for word in (row["id"], row["name"])}
    for name in runs:
        if name not in known:
            raise UnknownName("run", name, sorted(known))
    if out is not None:
        out.write_text(page(results, texts, runs), "utf-8")
        click.echo(str(out))
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        for name, drawn in pictures(page(results, texts, runs)).items():
            (folder / name).write_text(drawn, "utf-8")
            click.echo(str(folder / name))
            if png:
                write_png(drawn, (folder / name).with_suffix(".png"))
                click.echo(str((folder / name).with_suffix(".png")))
    if export is not None:
        click.echo(f"{export}: {results.export(export, runs)}")
    if replay is not None:
        count, wrong = replayed(results, replay, runs)
        click.echo(texts.say("lab.replayed", games=count, wrong=len(wrong)))
        for line in wrong:
            click.echo(f"    {line}")
        if wrong:
            sys.exit(1)
    if as_json:
        told = {
            "experiments": [answer.as_json() for answer in answers(results, runs)],
            "balance": [{"game": game} | vars_of(row) for game, row in balances(results, runs)],
        }
        click.echo(json.dumps(told, indent=1))
    elif out is None and export is None and folder is None and replay is None:
        for answer in answers(results, runs):
            words = texts_for(answer.plan.game.name, lang)
            click.echo(f"{answer.plan.experiment.asked(lang)}\n    {answer.sentence(words)}")
        found = balances(results, runs)
        if found:
            show(texts, found, head=True)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), default=None, help="The file for `grognard ab`."
)
@STORE
@JOBS
@language_option
def tune_command(file: Path, out: Path | None, store: Path, jobs: int, lang: str) -> None:
    """Seek proposed values that bring a measure to its aim; ends by writing the experiment that must prove it.

    Values that the rulebook states are never moved, and the seeds used here can never be counted with.

    Example: grognard tune experiments/picket-orders.toml --out proof.toml
    """
    search, plan = read_search(file)
    texts = texts_for(search.game, lang)
    best = None
    for tried in tune(search, plan, Results(store), jobs):
        values = ", ".join(f"{place} = {value}" for place, value in tried.values)
        mark = texts.say("lab.kept") if tried.kept else ""
        click.echo(f"{values}: {tried.mean:.3f} [{tried.low:.3f}, {tried.high:.3f}] {mark}".rstrip())
        if tried.kept:
            best = tried
    assert best is not None
    proof = confirming(search, plan, best)
    if out is None:
        click.echo(f"\n{proof}")
    else:
        out.write_text(proof, "utf-8")
        click.echo(texts.say("lab.prove", file=str(out)))
