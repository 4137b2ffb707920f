"""More of the designer's page: the balance of a scenario with luck and history, reports, pictures, data sets.

The processes are `grognard balance` and `grognard dataset`: what the page did can be repeated by hand, and a run that
was stopped goes on when it is begun again with as many games or more.
"""

from __future__ import annotations

import asyncio
import io
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response

from grognard.games import find_game
from grognard.kernel.texts import texts_for
from grognard.lab.balance import balance_lock, balance_of, course_of, thinned
from grognard.lab.dataset import PART
from grognard.lab.png import raster
from grognard.lab.report import history_head, history_rows, length_rows, luck_rows, page, percent, pictures
from grognard.lab.store import Results, score_of
from grognard.server.asking import body_of, lang_of, person_of, text_field
from grognard.server.errors import Problem
from grognard.server.labwork import LOG, STORE, check_players, folder_of, launch, number_of, running, scenario_title

MOST_GAMES = 2000
SEEDS = "page"  # the word for the seeds of what the page counts
FILES = "datasets"
ALL = "all"  # every run of the store, where a report or a table of games is asked for
SAFE = re.compile(r"[A-Za-z0-9_.-]{1,200}")  # longer ones no disk has
TABLES = {"games.csv": "text/csv", "games.parquet": "application/octet-stream"}
REPORT_FILE = re.compile(r"[a-z0-9-]+\.(svg|png)")


# Balance


async def begin_balance(request: Request) -> Response:
    """Count a scenario between equals, or go on with it."""
    await person_of(request)
    folder, body = folder_of(request), await body_of(request)
    game, scenario, level = (text_field(body, key) for key in ("game", "scenario", "level"))
    check_players(game, scenario, level)
    games, luck = number_of(body, "games", 40, 1, MOST_GAMES), body.get("luck") is True
    run, _ = await asyncio.to_thread(balance_lock, find_game(game), scenario, level, SEEDS, lucky=luck)
    command = ["balance", game, scenario, "--level", level, "--games", str(games), "--seeds", SEEDS]
    await launch(run, [*command, "--store", str(folder / STORE), "--jobs", "1", *["--luck"] * luck], folder)
    await asyncio.to_thread((folder / f"{run}.json").write_text, json.dumps({"games": games}), "utf-8")
    return JSONResponse({"run": run}, 201)


def told(results: Results, folder: Path, wanted: str, lang: str) -> list[dict[str, Any]]:
    """What the page shows of runs of balance; of one that is asked for by name also luck and history."""
    found = []
    for row in results.runs([wanted] if wanted else ()):
        if row["kind"] != "balance":
            continue
        lock, game = json.loads(row["lock"]), find_game(row["game"])
        texts = texts_for(game.name, lang)
        balance = balance_of(game, lock["scenario"], lock["level"], map(score_of, results.games(row["id"])))
        note = folder / f"{row['id']}.json"
        total = json.loads(note.read_text("utf-8"))["games"] if note.exists() else balance.games
        one = {
            **{"run": row["id"], "kind": "balance", "game": game.name, "scenario": lock["scenario"]},
            **{"level": lock["level"], "games": balance.games, "most": max(total, balance.games)},
            "title": f"{texts.find('game.title') or game.name}, {scenario_title(texts, lock['scenario'])}",
            "verdict": row["verdict"] if balance.games >= total else "",
            "luck": "luck" in lock,
            "drawn": percent(balance.draws / max(1, balance.games), texts),
            "shares": [
                {"side": texts.find(f"side.{side}") or side, "share": share, "low": low, "high": high}
                for side, (share, low, high) in balance.points.items()
            ],
        }
        if wanted and balance.games:
            one["luck_rows"] = luck_rows(results, row, texts)
            one["history"] = {"head": history_head(texts), "rows": history_rows(results, row, texts)}
            keys = ("turns", "decisions", "lead-changes")
            spans = length_rows(texts, results, [row])[0][1:4]
            one["course"] = thinned(course_of(map(score_of, results.games(row["id"])), next(iter(balance.points))))
            one["length"] = [[texts.say(f"lab.{key}"), span] for key, span in zip(keys, spans)]
        found.append(one)
    return found


# Reports and pictures


@contextmanager
def store_with(path: Path, run: str) -> Iterator[Results]:
    """The store, if it has the run."""
    if not path.exists():
        raise Problem(404, "no-experiment")
    results = Results(path)
    try:
        if run != ALL and not any(row["id"] == run for row in results.runs()):
            raise Problem(404, "no-experiment")
        yield results
    finally:
        results.close()


def report_of(store: Path, run: str, lang: str) -> str:
    """The whole report of one run, or of `all`."""
    with store_with(store, run) as results:
        return page(results, texts_for("", lang), [] if run == ALL else [run])


def rows_of(store: Path, run: str, name: str) -> bytes:
    """The games of a run, or of `all`, as a table for other tools: a row a game, with all that repeats it."""
    with store_with(store, run) as results, TemporaryDirectory(prefix="grognard-lab-") as folder:
        path = Path(folder) / name
        results.export(path, [] if run == ALL else [run])
        return path.read_bytes()


def drawn(results: Results, run: str, lang: str) -> dict[str, str]:
    """The pictures of a run's report by name."""
    return pictures(page(results, texts_for("", lang), [run]))


def picture_list(results: Results, run: str, lang: str) -> list[dict[str, str]]:
    """Their names and titles."""
    found = drawn(results, run, lang).items()
    titles = {name: re.search(r"<title>(.*?)</title>", svg, re.DOTALL) for name, svg in found}
    return [{"name": name, "title": unescape(title[1]) if title else name} for name, title in titles.items()]


def picture_of(store: Path, run: str, lang: str, name: str) -> bytes:
    """One picture of a run, as SVG or as PNG."""
    with store_with(store, run) as results:
        svg = drawn(results, run, lang).get(str(Path(name).with_suffix(".svg")))
    if svg is None:
        raise Problem(404, "no-experiment")
    if name.endswith(".svg"):
        return svg.encode()
    out = io.BytesIO()
    raster(svg).save(out, "PNG", optimize=True)
    return out.getvalue()


async def send_report(request: Request) -> Response:
    """The report as a page of its own, to read, keep and print."""
    await person_of(request)
    store, run = folder_of(request) / STORE, request.path_params["run"]
    html = await asyncio.to_thread(report_of, store, run, lang_of(request))
    kept = {"content-disposition": 'attachment; filename="report.html"'} if "keep" in request.query_params else {}
    return Response(html, media_type="text/html", headers=kept)


async def send_rows(request: Request) -> Response:
    """The games as a table of their own: CSV, or Parquet where its library is installed."""
    await person_of(request)
    store, run, name = folder_of(request) / STORE, request.path_params["run"], request.path_params["name"]
    if name not in TABLES or (name.endswith(".parquet") and "parquet" not in formats()):
        raise Problem(404, "no-experiment")
    data = await asyncio.to_thread(rows_of, store, run, name)
    return Response(data, media_type=TABLES[name], headers={"content-disposition": f'attachment; filename="{name}"'})


async def send_picture(request: Request) -> Response:
    """A picture of it."""
    await person_of(request)
    store, run, name = folder_of(request) / STORE, request.path_params["run"], request.path_params["name"]
    if not REPORT_FILE.fullmatch(name):
        raise Problem(404, "no-experiment")
    data = await asyncio.to_thread(picture_of, store, run, lang_of(request), name)
    return Response(data, media_type="image/svg+xml" if name.endswith(".svg") else "image/png")


# Data sets


def formats() -> list[str]:
    """What a data set can be written as: Parquet where its library is installed."""
    return ["jsonl", "parquet"] if find_spec("pyarrow") else ["jsonl"]


async def begin_file(request: Request) -> Response:
    """Play games and write them as a data set, a row a decision."""
    await person_of(request)
    folder, body = folder_of(request), await body_of(request)
    game, scenario, level = (text_field(body, key) for key in ("game", "scenario", "level"))
    check_players(game, scenario, level)
    kind, games = text_field(body, "format"), number_of(body, "games", 20, 1, MOST_GAMES)
    if kind not in formats():
        raise Problem(422, "bad-experiment", reason="format")
    name = f"{game}-{scenario}-{level}-{games}.{kind}"
    (folder / FILES).mkdir(exist_ok=True)
    command = ["dataset", game, scenario, "--games", str(games), "--level", level, "--out", str(folder / FILES / name)]
    await launch(name, command, folder)
    return JSONResponse({"name": name}, 201)


def files_in(folder: Path) -> list[dict[str, Any]]:
    """The data sets: those that can be fetched, and the one that is being written, with its progress."""
    place = folder / FILES
    if not place.is_dir():
        return []
    for part in place.glob(f"{PART}*"):
        if part.name.removeprefix(PART) not in running:
            part.unlink()  # it was stopped: half of it is nothing
    found = [
        {"name": file.name, "bytes": file.stat().st_size, "running": False}
        for file in sorted(place.iterdir())
        if file.name not in running and not file.name.startswith(PART)
    ]
    for name in running:
        if name.endswith((".jsonl", ".parquet")):
            steps = re.findall(r"dataset: (\d+) / (\d+)", (folder / LOG).read_text("utf-8", "replace"))
            done = int(steps[-1][0]) if steps else 0
            found.append({"name": name, "bytes": 0, "running": True, "done": done, "most": _wanted(name)})
    return found


def _wanted(name: str) -> int:
    """The number of games in the name of a data set."""
    return int(name.rpartition(".")[0].rpartition("-")[2])


async def send_file(request: Request) -> Response:
    """A finished data set."""
    await person_of(request)
    folder, name = folder_of(request), request.path_params["name"]
    path = folder / FILES / name
    if not SAFE.fullmatch(name) or name.startswith(PART) or not path.is_file():
        raise Problem(404, "no-experiment")
    return FileResponse(path, filename=name, media_type="application/octet-stream")
