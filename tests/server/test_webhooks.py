"""Notices by webhook, against a receiver of our own: what it is told, what is tried again, what the log keeps."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.server.harness import Server, Visitor

SECRET = "s3cret-t0ken"


class Answer(BaseHTTPRequestHandler):
    """Answers as it was told to, and keeps what it heard."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        server: Any = self.server
        server.heard.append((self.path, self.headers["Content-Type"], json.loads(body)))
        status = server.answers.pop(0) if server.answers else 204
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args: Any) -> None:
        """Quiet."""


class Receiver(ThreadingHTTPServer):
    """A receiver on a free port."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.heard: list[tuple[str, str, dict[str, str]]] = []
        self.answers: list[int] = []  # the statuses to give, then 204

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/hook/{SECRET}"


@pytest.fixture(scope="module")
def receiver() -> Iterator[Receiver]:
    with Receiver() as receiver:
        threading.Thread(target=receiver.serve_forever, daemon=True).start()
        yield receiver
        receiver.shutdown()


@pytest.fixture(scope="module")
def hooking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that may call its own network, and does not wait long between two tries."""
    folder = tmp_path_factory.mktemp("hooks")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GROGNARD_WEBHOOKS", "local")
        patch.setenv("GROGNARD_NOTICE_WAITS", "0.05,0.05")
        patch.setenv("GROGNARD_ADDRESS", "https://table.example.org")
        running = Server(f"sqlite:///{folder}/tables.db", folder)
        running.start()
    yield running
    running.stop()


def until(what: Callable[[], Any]) -> Any:
    for _ in range(1200):
        if found := what():
            return found
        time.sleep(0.1)
    raise AssertionError("it never came")


def turn_passes(server: Server, hook: str) -> tuple[str, Visitor]:
    """Blue, who is away, comes to owe a decision; the table, and blue."""
    red, blue = server.visitor(), server.visitor()
    table, invitations = red.open_table(title="Le gué")
    blue.join(invitations["blue"])
    assert blue.http.put("/api/me/notices", json={"webhook": hook, "language": "en"}).status_code == 200
    state = red.view(table, "red")
    red.watch(table, "red")
    assert red.act(table, "red", *state["legal"][0], state["version"]).status_code == 200
    return table, blue


def status_of(person: Visitor) -> str:
    line = until(lambda: person.get("/api/me").json()["sent"])[0]
    assert line["how"] == "webhook"
    return str(line["status"])


@pytest.mark.parametrize(
    ("answers", "calls", "status"),
    [
        ([], 1, "sent: 204"),
        ([503, 200], 2, "sent: 200 (try 2)"),
        ([500, 429, 502], 3, "failed: HTTP Error 502: Bad Gateway (3 tries)"),
        ([404], 1, "failed: HTTP Error 404: Not Found"),
        ([302], 1, "failed: HTTP Error 302: Found"),
    ],
)
def test_a_webhook_is_called_and_called_again_if_it_is_out_of_order(
    hooking: Server, receiver: Receiver, answers: list[int], calls: int, status: str
) -> None:
    receiver.heard, receiver.answers = [], list(answers)
    table, blue = turn_passes(hooking, receiver.address)
    assert status_of(blue) == status
    assert len(receiver.heard) == calls
    path, kind, told = receiver.heard[-1]
    assert path == f"/hook/{SECRET}"
    assert kind == "application/json"
    assert told["table"] == table
    assert f"https://table.example.org/g/{table}" in told["text"]
    assert "Le gué" in told["subject"]


def test_a_webhook_that_nobody_answers_is_in_the_log_and_its_secret_is_not(hooking: Server, receiver: Receiver) -> None:
    gone = receiver.address.replace(str(receiver.server_address[1]), "9")  # nobody listens there
    _, blue = turn_passes(hooking, gone)
    status = status_of(blue)
    assert status.startswith("failed: ")
    assert status.endswith("(3 tries)")
    assert SECRET not in json.dumps(blue.get("/api/me").json()["sent"])
    assert SECRET not in hooking.log()


def test_without_leave_the_own_network_is_not_called(tmp_path: Path, receiver: Receiver) -> None:
    running = Server(f"sqlite:///{tmp_path}/tables.db", tmp_path)
    running.start()
    try:
        answer = running.visitor().http.put("/api/me/notices", json={"webhook": receiver.address})
        assert answer.status_code == 422
    finally:
        running.stop()
