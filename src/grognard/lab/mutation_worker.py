"""The process that tries mutants in a copy of the sources: warm, with the rules not yet imported, it forks for each.

It reads jobs, one JSON line each, and answers each with a line. A job names the tests to run and, if it is not the
first look at the healthy sources, the file that is wrong for its time. What a child imported dies with it; the limits
are on processor time and memory, so that a busy machine changes no outcome.
"""

from __future__ import annotations

import json
import os
import resource
import select
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

MEMORY = 3 << 30  # bytes of address space that one run may take
PATIENCE = 20  # seconds on the wall for one of processor time, on a machine that has other things to do
SLOW = "took too long or too much"


class Watch:
    """A pytest plugin: chooses and orders the tests, notes what they cost and the first that fails."""

    def __init__(self, order: dict[str, float] | None, leave_out: set[str]) -> None:
        self.order, self.leave_out = order, leave_out
        self.costs: dict[str, float] = {}
        self.failed: list[str] = []
        self.started = 0.0

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """The quick ones first; a test that is not in the order did not pass on healthy sources or was not there."""
        items[:] = [i for i in items if i.nodeid not in self.leave_out]
        if self.order is not None:
            known = self.order
            items[:] = sorted((i for i in items if i.nodeid in known), key=lambda i: known[i.nodeid])

    def pytest_runtest_logstart(self) -> None:
        """The clock runs."""
        self.started = time.process_time()

    def pytest_runtest_logreport(self, report: Any) -> None:
        """The clock stands; what failed is noted."""
        self.costs[report.nodeid] = time.process_time() - self.started
        if report.outcome == "failed":
            self.failed.append(report.nodeid)

    def pytest_collectreport(self, report: Any) -> None:
        """A module that cannot even be imported."""
        if report.failed:
            self.failed.append(report.nodeid or "import")


def quiet_child(seconds: float) -> None:
    """A child says nothing, and has an end."""
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    sys.dont_write_bytecode = True
    limit = int(seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)


def run_tests(job: dict[str, Any], answer: int) -> None:
    """In the child: run the tests and write what came of it."""
    quiet_child(job["seconds"])
    sys.dont_write_bytecode = not job.get("healthy", False)
    import pytest

    watch = Watch(job.get("order"), set(job.get("leave_out", ())))
    words = [
        "-q",
        "--no-header",
        "-p",
        "no:cacheprovider",
        "--color=no",
        "-W",
        "ignore::pytest.PytestAssertRewriteWarning",
    ]
    if not job.get("healthy"):
        words.append(f"--maxfail={job.get('most', 1)}")
    if job.get("choose"):
        words += ["-k", str(job["choose"])]
    code = int(pytest.main([*words, *job["tests"]], plugins=[watch]))
    report = {"code": code, "failed": watch.failed, "costs": watch.costs, "seconds": time.process_time()}
    if not job.get("healthy"):
        report["costs"] = {}
    os.write(answer, json.dumps(report).encode())


def attend(pid: int, answer: int, seconds: float) -> dict[str, Any]:
    """In the parent: wait for the child's report, or its end, or the end of patience."""
    parts: list[bytes] = []
    until = time.monotonic() + seconds * PATIENCE
    try:
        while True:
            ready, _, _ = select.select([answer], [], [], max(0.0, until - time.monotonic()))
            part = os.read(answer, 1 << 16) if ready else b""
            if not part:
                break
            parts.append(part)
    finally:
        kill_group(pid)
        os.waitpid(pid, 0)
    try:
        report: dict[str, Any] = json.loads(b"".join(parts))
    except ValueError:
        return {"code": -1, "failed": [SLOW], "costs": {}, "seconds": seconds}
    return report


def kill_group(pid: int) -> None:
    """End the child and whatever it started."""
    for end in (os.killpg, os.kill):
        try:
            end(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            continue


def attempt(job: dict[str, Any], run: Callable[[dict[str, Any], int], None] = run_tests) -> dict[str, Any]:
    """One job, in a child of its own."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            os.close(read)
            run(job, write)
            code = 0
        except BaseException as error:  # also what a test lets out of pytest
            report = {"code": -2, "failed": [f"{type(error).__name__}: {error}"[:200]], "costs": {}, "seconds": 0.0}
            os.write(write, json.dumps(report).encode())
        finally:
            os._exit(code)
    os.close(write)
    try:
        return attend(pid, read, float(job["seconds"]))
    finally:
        os.close(read)


def warm() -> None:
    """Import what every run needs and no mutant touches."""
    import csv  # noqa: F401
    import tomllib  # noqa: F401

    import _pytest.assertion.rewrite  # noqa: F401
    import click.testing  # noqa: F401
    import hypothesis  # noqa: F401
    import pytest  # noqa: F401

    import grognard.hexes
    import grognard.hexes.loading
    import grognard.kernel.gamefile
    import grognard.kernel.narrate
    import grognard.kernel.session
    import grognard.kit  # noqa: F401

    strangers = [name for name in sys.modules if name.startswith("grognard.games.")]
    assert not strangers, f"warmed with what is to be changed: {strangers}"


def serve(root: Path) -> None:
    """Jobs in, answers out, until the input ends."""
    os.chdir(root)
    warm()
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        job = json.loads(line)
        file = root / "src" / "grognard" / job["file"] if job.get("file") else None
        healthy = file.read_bytes() if file is not None else b""
        try:
            if file is not None:
                file.write_text(job["text"], "utf-8")
            answer = attempt(job)
        finally:
            if file is not None:
                file.write_bytes(healthy)
        print(json.dumps(answer), flush=True)  # when all is as it was


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is told, and tells us
    try:
        serve(Path(sys.argv[1]))
    finally:
        shutil.rmtree(sys.argv[1], ignore_errors=True)  # also when the parent has died
