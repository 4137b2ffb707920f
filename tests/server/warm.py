"""Servers forked from a process that has everything imported: for runs that kill hundreds of them.

Each is a process of its own that opens its database anew; only the reading of the program is spared.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import subprocess
import sys
import traceback
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).resolve().parents[2]
NEEDED = ("uvicorn", "uvloop", "httptools", "sqlalchemy", "sqlalchemy.dialects.sqlite", "grognard.cli.main")
NEEDED += ("grognard.cli.serve_cmd", "grognard.server.app", "grognard.server.checkup", "grognard.games.picket.game")
MAYBE = ("psycopg", "sqlalchemy.dialects.postgresql.psycopg")


class Stove:
    """The process that forks them."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.server.warm"]
        environment = os.environ | {"PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"}
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, env=environment, text=True
        )

    def ask(self, **order: Any) -> int | None:
        """Have it do something."""
        asked, told = self.process.stdin, self.process.stdout
        assert asked is not None
        assert told is not None
        print(json.dumps(order), file=asked, flush=True)
        answer: int | None = json.loads(told.readline())
        return answer

    def close(self) -> None:
        """There is no more to fork."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def start(self, args: list[str], environment: dict[str, str], log: IO[bytes]) -> Forked:
        """A server."""
        pid = self.ask(start=args, env=environment, log=log.name)
        assert pid is not None
        return Forked(self, pid)


class Forked:
    """A server that was forked; what a test wants of `Popen`."""

    def __init__(self, stove: Stove, pid: int) -> None:
        self.stove, self.pid = stove, pid
        self.code: int | None = None

    def send_signal(self, number: int) -> None:
        """Kill it, or ask it to stop."""
        os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to stop."""
        self.send_signal(signal.SIGTERM)

    def poll(self) -> int | None:
        """How it ended, if it has."""
        if self.code is None:
            self.code = self.stove.ask(look=self.pid)
        return self.code

    def wait(self, seconds: float | None = None) -> int:
        """Until it has ended."""
        if self.code is None:
            self.code = self.stove.ask(wait=self.pid)
        assert self.code is not None
        return self.code


def fork(args: list[str], environment: dict[str, str], log: str) -> int:
    """A child that serves."""
    pid = os.fork()
    if pid:
        return pid
    file = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for at, what in enumerate((nothing, file, file)):
        os.dup2(what, at)
    os.environ.clear()
    os.environ.update(environment)
    from grognard.cli.main import main as cli

    code = 1
    try:
        cli(args)
        code = 0
    except SystemExit as stop:
        code = int(stop.code or 0)
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def main() -> None:
    """Obey until there is nobody left who asks."""
    for name in NEEDED:
        importlib.import_module(name)
    for name in MAYBE:
        try:
            importlib.import_module(name)
        except ImportError:
            continue
    for line in sys.stdin:
        order = json.loads(line)
        if "start" in order:
            answer: int | None = fork(order["start"], order["env"], order["log"])
        else:
            pid, status = os.waitpid(order.get("look") or order["wait"], os.WNOHANG if "look" in order else 0)
            answer = os.waitstatus_to_exitcode(status) if pid else None
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
