"""Notices: a person who is not looking hears by mail that it is their turn. The mail server is real, and ours."""

from __future__ import annotations

import email
import email.policy
import socketserver
import threading
import time
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.server.harness import Server, Visitor


class Post(socketserver.StreamRequestHandler):
    """As much of SMTP as a letter needs."""

    def handle(self) -> None:
        self.say("220 here")
        while line := self.rfile.readline():
            word = line[:4].upper().strip()
            if word == b"DATA":
                self.say("354 go on")
                self.server.letters.append(self.letter())  # type: ignore[attr-defined]
            self.say("221 bye" if word == b"QUIT" else "250 fine")
            if word == b"QUIT":
                return

    def letter(self) -> bytes:
        lines = []
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            lines.append(line)
        return b"".join(lines)

    def say(self, words: str) -> None:
        self.wfile.write(words.encode() + b"\r\n")


class PostOffice(socketserver.ThreadingTCPServer):
    """A mail server on a free port that keeps what it is given."""

    allow_reuse_address = daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Post)
        self.letters: list[bytes] = []

    def read(self, number: int) -> EmailMessage:
        """A letter, once it is there."""
        for _ in range(1200):
            if len(self.letters) > number:
                letter = email.message_from_bytes(self.letters[number], policy=email.policy.default)
                assert isinstance(letter, EmailMessage)
                return letter
            time.sleep(0.1)
        raise AssertionError("no letter came")


@pytest.fixture
def office() -> Iterator[PostOffice]:
    with PostOffice() as office:
        thread = threading.Thread(target=office.serve_forever, daemon=True)
        thread.start()
        yield office
        office.shutdown()


@pytest.fixture
def posting(office: PostOffice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server that knows the post office."""
    for key, value in {"HOST": "127.0.0.1", "PORT": str(office.server_address[1]), "FROM": "table@example.org"}.items():
        monkeypatch.setenv(f"GROGNARD_SMTP_{key}", value)
    monkeypatch.setenv("GROGNARD_ADDRESS", "https://table.example.org")
    running = Server(f"sqlite:///{tmp_path}/tables.db", tmp_path)
    running.start()
    yield running
    running.stop()


def sent_log(person: Visitor) -> list[dict[str, object]]:
    """What the server says it sent, once it says something."""
    for _ in range(1200):
        log: list[dict[str, object]] = person.get("/api/me").json()["sent"]
        if log:
            return log
        time.sleep(0.1)
    raise AssertionError("nothing is in the log")


def test_a_letter_says_whose_turn_it_is_and_the_log_says_it_was_sent(posting: Server, office: PostOffice) -> None:
    red, blue = posting.visitor(), posting.visitor()
    table, invitations = red.open_table(title="Le gué")
    blue.join(invitations["blue"])
    wish = {"email": "blue@example.org", "language": "fr"}
    assert blue.http.put("/api/me/notices", json=wish).status_code == 200
    state = red.view(table, "red")
    red.watch(table, "red")  # red looks: only blue needs a letter
    assert red.act(table, "red", *state["legal"][0], state["version"]).status_code == 200
    letter = office.read(0)
    assert letter["To"] == "blue@example.org"
    assert letter["From"] == "table@example.org"
    assert letter["Subject"] == "Grognard : à vous de jouer à « Le gué »"
    assert f"https://table.example.org/g/{table}" in letter.get_content()
    assert {key: sent_log(blue)[0][key] for key in ("table_id", "how", "status")} == {
        "table_id": table,
        "how": "email",
        "status": "sent",
    }
    assert red.get("/api/me").json()["sent"] == []
    assert len(office.letters) == 1


def test_wishes_that_cannot_be_met_are_refused(posting: Server) -> None:
    person = posting.visitor()
    for wish in (
        {"email": "nobody"},
        {"email": "a@b.c, d@e.f"},
        {"webhook": "ftp://example.org"},
        {"webhook": f"{posting.address}/api/me"},  # a server must not be talked into asking its own network
        {"webhook": "http://[::1]/"},
    ):
        assert person.http.put("/api/me/notices", json=wish).status_code == 422, wish
