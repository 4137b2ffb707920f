"""What the laboratory's pages share: its folder, and the one process that is at work for them."""

from __future__ import annotations

import asyncio
import atexit
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from starlette.requests import Request

from grognard.ai import offered
from grognard.games import find_game
from grognard.kernel.errors import GrognardError
from grognard.kernel.texts import Texts
from grognard.server.asking import hall_of
from grognard.server.errors import Problem

STORE, LOG = "lab.sqlite", "last.log"
GIVING_WAY = ["nice", "-n", "10"] if shutil.which("nice") else []
running: dict[str, subprocess.Popen[bytes]] = {}  # by run, or by the name of a data set
beginning = asyncio.Lock()


def folder_of(request: Request) -> Path:
    """Where experiments and results are kept; 404 where there is no laboratory."""
    name = hall_of(request).settings.laboratory
    if not name:
        raise Problem(404, "no-laboratory")
    folder = Path(name)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def is_running() -> bool:
    """True while something is played; what has ended is forgotten."""
    for run in [run for run, process in running.items() if process.poll() is not None]:
        del running[run]
    return bool(running)


async def launch(run: str, command: list[str], folder: Path) -> None:
    """Begin the work of a run; one at a time, also if two ask in the same moment."""
    async with beginning:
        if is_running():
            raise Problem(409, "laboratory-busy")
        running[run] = await asyncio.to_thread(start, command, folder)


def start(command: list[str], folder: Path) -> subprocess.Popen[bytes]:
    """The process that plays; it gives way to the table, and tells its progress in the log."""
    whole = [*GIVING_WAY, sys.executable, "-m", "grognard", *command]
    with (folder / LOG).open("wb") as log:
        return subprocess.Popen(whole, stdout=log, stderr=log, env=os.environ | {"GROGNARD_TELL_EVERY": "1"})


@atexit.register
def send_home() -> None:
    """No experiment outlives the server that began it."""
    for process in running.values():
        process.terminate()


def number_of(body: dict[str, Any], key: str, usual: int, least: int, most: int) -> int:
    """A whole number of a request."""
    value = body.get(key, usual)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise Problem(422, "bad-experiment", reason=key)
    return value


def check_players(game: str, scenario: str, level: str) -> None:
    """A game, a scenario of it, and a level that is offered there."""
    try:
        found = find_game(game)
    except GrognardError as error:
        raise Problem(422, "bad-experiment", reason=error) from None
    if scenario not in found.scenarios:
        raise Problem(422, "bad-experiment", reason=scenario)
    if level not in offered(game, scenario):
        raise Problem(422, "bad-experiment", reason=level)


def scenario_title(texts: Texts, scenario: str) -> str:
    """The first words of a scenario's title."""
    return (texts.find(f"scenario.{scenario}") or scenario).split(":")[0].strip()
