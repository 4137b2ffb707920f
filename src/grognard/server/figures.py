"""Figures of a running server for whoever watches it, in the text format of Prometheus."""

from __future__ import annotations

import asyncio
import ipaddress
import resource
import time
from collections import Counter
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from grognard import __version__
from grognard.server.asking import doors_of, hall_of
from grognard.server.errors import Problem

KIND = "text/plain; version=0.0.4; charset=utf-8"
PATIENCE = 5.0  # seconds that the store may take to answer


class Figures:
    """What is counted on the way."""

    def __init__(self) -> None:
        self.started = time.monotonic()
        self.answers: Counter[int] = Counter()  # by status
        self.remembered = 0  # bytes of what is remembered for speed, when it was last weighed


def is_near(address: str) -> bool:
    """True for this machine and private networks, where the watching is done."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    return found.is_loopback or found.is_private


async def metrics(request: Request) -> Response:
    """The figures; strangers have no use for them."""
    if not is_near(request.client.host if request.client else ""):
        raise Problem(404, "no-page")
    return PlainTextResponse(text(figures(request)), media_type=KIND)


def figures(request: Request) -> list[tuple[str, str, str, list[tuple[str, float]]]]:
    """Name, kind, meaning, and a value for each label."""
    hall, doors = hall_of(request), doors_of(request)
    counted: Figures = request.app.state.figures
    recorder = hall.recorder
    answers = [(f'{{status="{status}"}}', float(n)) for status, n in sorted(counted.answers.items())]
    return [
        ("grognard_info", "gauge", "The version that runs.", [(f'{{version="{__version__}"}}', 1.0)]),
        ("grognard_up_seconds", "gauge", "Since the start.", [("", time.monotonic() - counted.started)]),
        ("grognard_tables", "gauge", "Tables in memory.", [("", float(len(hall.tables)))]),
        ("grognard_tables_bytes", "gauge", "What they weigh, about.", [("", float(hall.room.weight()))]),
        ("grognard_tables_bytes_most", "gauge", "What they may weigh.", [("", float(hall.room.most))]),
        ("grognard_remembered_bytes", "gauge", "What is remembered for speed.", [("", float(counted.remembered))]),
        ("grognard_sockets", "gauge", "Open websockets.", [("", float(doors.sockets[""]))]),
        ("grognard_sockets_most", "gauge", "As many as there may be.", [("", float(doors.settings.most_sockets))]),
        ("grognard_thinking", "gauge", "Tables at which the computer thinks.", [("", float(len(hall.thinking)))]),
        ("grognard_changes_total", "counter", "Changes of tables stored.", [("", float(recorder.stored))]),
        ("grognard_changes_failed_total", "counter", "Changes that the store refused.", [("", float(recorder.failed))]),
        ("grognard_store_seconds_total", "counter", "Time spent storing them.", [("", recorder.seconds)]),
        ("grognard_changes_waiting", "gauge", "Changes that wait for the store.", [("", float(len(recorder.waiting)))]),
        ("grognard_answers_total", "counter", "Answers by status.", answers or [('{status="200"}', 0.0)]),
        ("process_cpu_seconds_total", "counter", "Processor time.", [("", time.process_time())]),
        ("process_resident_memory_bytes", "gauge", "Memory.", [("", float(resident()))]),
    ]


def resident() -> int:
    """Bytes of this process in memory, at most so far where the system does not say what they are now."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * resource.getpagesize()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def text(rows: list[tuple[str, str, str, list[tuple[str, float]]]]) -> str:
    """The figures as Prometheus reads them."""
    lines = []
    for name, kind, meaning, values in rows:
        lines += [f"# HELP {name} {meaning}", f"# TYPE {name} {kind}"]
        lines += [f"{name}{label} {value:.15g}" for label, value in values]
    return "\n".join(lines) + "\n"


async def health(request: Request) -> Response:
    """For whoever watches the server: the store answers, so people can play."""
    hall = hall_of(request)
    body: dict[str, Any] = {"ok": True, "tables": len(hall.tables), "version": __version__}
    try:
        await asyncio.wait_for(hall.run(hall.store.ping), PATIENCE)
    except Exception as error:
        return JSONResponse(body | {"ok": False, "store": type(error).__name__}, 503)
    return JSONResponse(body)
