"""Starting a server process and talking to it as browsers do."""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

from grognard.kernel.ceremony import chain_end, share_commitment
from tests.server.warm import Forked, Stove

ROOT = Path(__file__).resolve().parents[2]
HEADERS = {"X-Grognard": "1"}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Server:
    """`grognard serve` on a free port; can be killed and started again on the same database."""

    def __init__(self, database: str, folder: Path, limits: int = 100) -> None:
        self.database, self.folder, self.port, self.limits = database, folder, free_port(), limits
        self.process: subprocess.Popen[bytes] | Forked | None = None
        self.stove: Stove | None = None  # forks the server, instead of a new program
        self.environment: dict[str, str] = {}  # `GROGNARD_TEST_CHANGE`: start a program whose picket has changed
        self.secrets: dict[tuple[str, str], tuple[Visitor, str]] = {}  # by table and side: who committed to what
        self.open: list[Any] = []  # closed with the server

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        command = [
            sys.executable,
            "-m",
            "tests.server.changed" if self.environment else "grognard",
            "serve",
            "--port",
            str(self.port),
            "--database",
            self.database,
            "--no-open",
        ]
        environment = os.environ | {
            "PYTHONPATH": str(ROOT / "src"),
            "GROGNARD_HOME": str(self.folder),
            "GROGNARD_LIMITS": str(self.limits),
        }
        environment |= self.environment
        with (self.folder / "log.txt").open("ab") as log:
            if self.stove is not None:
                self.process = self.stove.start(command[3:], environment, log)
            else:
                self.process = subprocess.Popen(command, stdout=log, stderr=log, env=environment, cwd=ROOT)
        patience = time.monotonic() + 300  # a cold, busy machine may need minutes to read what the server imports
        while time.monotonic() < patience:
            if self.process.poll() is not None:
                raise AssertionError(f"the server ended: {self.log()}")
            try:
                if httpx.get(f"{self.address}/api/health", timeout=30).status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.05)
        raise AssertionError(f"the server does not answer: {self.log()}")

    def kill(self) -> None:
        """As a power cut would."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        for client in reversed(self.open):
            client.close()
        self.stop_process()

    def stop_process(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.kill()
        if self.stove is not None:
            self.stove.close()
            self.stove = None

    def log(self) -> str:
        return (self.folder / "log.txt").read_text("utf-8", "replace")

    def visitor(self) -> Visitor:
        return Visitor(self)


class Visitor:
    """A browser without a screen: cookies, requests, websockets."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.http = httpx.Client(base_url=server.address, headers=HEADERS, timeout=120)
        server.open.append(self)
        assert self.http.get("/api/me").status_code == 200

    def close(self) -> None:
        self.http.close()

    def get(self, path: str, **params: Any) -> httpx.Response:
        return self.http.get(path, params=params)

    def post(self, path: str, body: Any = None) -> httpx.Response:
        return self.http.post(path, json=body or {})

    def open_table(self, **order: Any) -> tuple[str, dict[str, str]]:
        order = {"game": "picket", "scenario": "raid", "seats": {"red": "me", "blue": "invited"}} | order
        answer = self.post("/api/tables", order)
        assert answer.status_code == 201, answer.text
        self.commit(answer.json()["id"])
        return answer.json()["id"], answer.json()["invitations"]

    def commit(self, table: str) -> None:
        """Take part in making the dice, as the page in the browser does by itself."""
        card = self.get(f"/api/tables/{table}").json()
        if card.get("stage") != "dice":
            return
        for side in card["mine"]:
            if (table, side) not in self.server.secrets:
                secret = secrets.token_hex(32)
                self.server.secrets[table, side] = (self, secret)
                word = share_commitment(card["dice"]["id"], side, chain_end(secret))
                answer = self.post(f"/api/tables/{table}/dice", {"side": side, "commitment": word})
                assert answer.status_code == 200, answer.text

    def make_dice(self, table: str) -> None:
        """Everybody who committed shows; the game begins."""
        for (of, side), (person, secret) in self.server.secrets.items():
            if of == table:
                answer = person.post(f"/api/tables/{table}/dice", {"side": side, "entropy": chain_end(secret)})
                assert answer.status_code == 200, answer.text

    def join(self, invitation: str) -> dict[str, Any]:
        answer = self.post("/api/join", {"token": invitation.partition("#")[2]})
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        self.commit(found["id"])
        card = self.get(f"/api/tables/{found['id']}").json()
        if card.get("stage") == "dice" and card["dice"]["step"] == "show":
            self.make_dice(found["id"])
        return found

    def view(self, table: str, side: str, **params: Any) -> dict[str, Any]:
        answer = self.get(f"/api/tables/{table}/view", **{"as": side}, **params)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def act(self, table: str, side: str, verb: str, target: str, version: int) -> httpx.Response:
        return self.post(f"/api/tables/{table}/act", {"side": side, "verb": verb, "target": target, "version": version})

    def watch(self, table: str, side: str | None = None, lang: str = "en") -> Live:
        return Live(self, table, side, lang)


class Live:
    """A websocket at a table."""

    def __init__(self, visitor: Visitor, table: str, side: str | None, lang: str = "en") -> None:
        cookie = visitor.http.cookies["grognard"]
        address = f"ws://127.0.0.1:{visitor.server.port}/ws/tables/{table}"
        self.stack = ExitStack()
        opened = connect(
            address, additional_headers={"Cookie": f"grognard={cookie}"}, open_timeout=120, ping_timeout=120
        )
        self.socket: ClientConnection = self.stack.enter_context(opened)
        visitor.server.open.append(self)
        self.raw: list[str] = []
        self.say(type="watch", **{"as": side}, lang=lang)
        self.state = self.wait("state")

    def say(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def hear(self, timeout: float = 90) -> dict[str, Any]:
        text = str(self.socket.recv(timeout))
        self.raw.append(text)
        message: dict[str, Any] = json.loads(text)
        return message

    def wait(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these kinds."""
        for _ in range(500):
            message = self.hear()
            if message["type"] in kinds:
                return message
        raise AssertionError(f"no {kinds} came")

    def act(self, side: str, action: list[str], version: int, number: int) -> dict[str, Any]:
        """Act, and wait for the acknowledgement or the refusal."""
        self.say(type="act", side=side, verb=action[0], target=action[1], version=version, id=number)
        while True:
            message = self.hear()
            if message["type"] in ("done", "error") and message.get("reply_to") == number:
                return message

    def close(self) -> None:
        self.stack.close()
