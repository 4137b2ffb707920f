"""Notices by webhook, against a receiver of our own: what it is told, what is tried again, what the log keeps."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from grognard.server import opening
from grognard.server.errors import Problem
from grognard.server.hall import Hall
from grognard.server.people import Person
from grognard.server.settings import Settings
from grognard.server.webhook import Caller, is_public
from tests.server.harness import Server, Visitor, free_port
from tests.server.test_table import run

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
    gone = receiver.address.replace(str(receiver.server_address[1]), str(free_port()))  # nobody listens there
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


# The way to the receiver


class Fake(Caller):
    """A caller with a resolver of ours."""

    def __init__(self, answers: list[list[str]], allow_local: bool = False) -> None:
        super().__init__(allow_local)
        self.answers, self.asked = answers, 0

    def look_up(self, host: str, port: int) -> list[str]:
        self.asked += 1
        return self.answers.pop(0)


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.1.2.3", "192.168.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255",
     "192.88.99.1", "198.18.0.1", "::1", "::", "fe80::1%eth0", "fc00::1", "fec0::1", "ff02::1", "::ffff:127.0.0.1",
     "::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::", "2001::1", "2001:db8::1",
     "100::1"],
)  # fmt: skip
def test_addresses_that_are_not_of_the_open_world_are_refused(address: str) -> None:
    assert not is_public(address)
    with pytest.raises(Problem):
        asyncio.run(Fake([[address]]).check("https://hook.example/x"))
    with pytest.raises(Problem):
        asyncio.run(Fake([["93.184.216.34", address]]).check("https://hook.example/x"))


@pytest.mark.parametrize("address", ["93.184.216.34", "8.8.8.8", "2606:2800:220:1::1", "2a00:1450:4007::5"])
def test_addresses_of_the_open_world_are_called(address: str) -> None:
    assert is_public(address)
    assert asyncio.run(Fake([[address]]).check("https://hook.example/x"))[1:] == (address, 443)


def test_the_address_that_was_checked_is_the_one_that_is_called(receiver: Receiver) -> None:
    """A name that points elsewhere the second time gains nothing: there is no second time."""
    receiver.heard = []
    caller = Fake([["127.0.0.1"], ["192.0.2.1"]], allow_local=True)
    port = receiver.server_address[1]
    assert asyncio.run(caller.call(f"http://rebinding.invalid:{port}/hook", {"text": "x"})) == "sent: 204"
    assert caller.asked == 1
    assert receiver.heard == [("/hook", "application/json", {"text": "x"})]


def test_a_slow_resolver_makes_nobody_wait(tmp_path: Path) -> None:
    """Ten look-ups that never end; meanwhile a table is opened, stored and read again."""
    gate = threading.Event()

    def stuck(host: str, port: int) -> list[str]:
        gate.wait(60)
        return []

    async def scene() -> None:
        hall = Hall(Settings(database=f"sqlite:///{tmp_path}/x.db"))
        hall.notices.caller.look_up = stuck  # type: ignore[method-assign]
        checks = [asyncio.create_task(hall.notices.caller.check("https://slow.example/")) for _ in range(10)]
        await asyncio.sleep(0.05)
        order = {"game": "picket", "scenario": "raid", "seats": {"red": "me", "blue": "me"}}
        table, _ = await opening.create(hall, Person("me", "me", "Me"), order, "en")
        hall.tables.clear()
        assert (await hall.find(table.id)).id == table.id
        assert not any(check.done() for check in checks)
        gate.set()
        await asyncio.gather(*checks, return_exceptions=True)
        await hall.close()

    run(scene)
