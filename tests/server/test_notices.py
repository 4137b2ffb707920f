"""Notices: a person who is not looking hears by mail that it is their turn. The mail server is real, and ours."""

from __future__ import annotations

import email
import email.policy
import re
import socketserver
import threading
import time
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import httpx
import pytest

from grognard.server.errors import Problem
from grognard.server.mail import read_ticket, ticket
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


def until_sent(person: Visitor, lines: int) -> list[dict[str, object]]:
    """What the server says it sent, once it says so much."""
    for _ in range(1200):
        log: list[dict[str, object]] = person.get("/api/me").json()["sent"]
        if len(log) >= lines:
            return log
        time.sleep(0.1)
    raise AssertionError("nothing is in the log")


def say_yes(person: Visitor, letter: EmailMessage) -> None:
    """Follow the link in a letter and press the button, as somebody without a cookie."""
    link = re.search(r"https://table\.example\.org(/confirm\S+)", letter.get_content())
    assert link is not None
    page = httpx.get(person.server.address + link.group(1))
    assert page.status_code == 200
    assert "<form" in page.text
    token = re.search(r'name="token" value="([^"]+)"', page.text)
    assert token is not None
    assert not person.get("/api/me").json()["notices"]["confirmed"], "to look changes nothing"
    done = httpx.post(person.server.address + "/confirm", data={"token": token.group(1)})
    assert done.status_code == 200, done.text
    assert person.get("/api/me").json()["notices"]["confirmed"]


def test_a_letter_says_whose_turn_it_is_and_the_log_says_it_was_sent(posting: Server, office: PostOffice) -> None:
    red, blue = posting.visitor(), posting.visitor()
    table, invitations = red.open_table(title="Le gué")
    blue.join(invitations["blue"])
    wish = {"email": "blue@example.org", "language": "fr"}
    answer = blue.http.put("/api/me/notices", json=wish)
    assert answer.status_code == 200
    assert answer.json()["confirmed"] is False
    asked = office.read(0)
    assert asked["To"] == "blue@example.org"
    assert asked["Subject"] == "Grognard : cette adresse est-elle la vôtre ?"
    say_yes(blue, asked)
    state = red.view(table, "red")
    red.watch(table, "red")  # red looks: only blue needs a letter
    assert red.act(table, "red", *state["legal"][0], state["version"]).status_code == 200
    letter = office.read(1)
    assert letter["To"] == "blue@example.org"
    assert letter["From"] == "table@example.org"
    assert letter["Subject"] == "Grognard : à vous de jouer à « Le gué »"
    assert f"https://table.example.org/g/{table}" in letter.get_content()
    log = until_sent(blue, 2)
    assert [(line["how"], line["status"]) for line in log] == [("email", "sent"), ("confirm", "sent")]
    assert log[0]["table_id"] == table
    assert red.get("/api/me").json()["sent"] == []
    assert len(office.letters) == 2
    assert blue.http.put("/api/me/notices", json=wish).json()["confirmed"] is True, "nobody is asked twice"


def test_a_stranger_gets_one_letter_and_no_more(posting: Server, office: PostOffice) -> None:
    codes = []
    for _ in range(6):  # six guests, one victim
        red, blue = posting.visitor(), posting.visitor()
        table, invitations = red.open_table()
        blue.join(invitations["blue"])
        codes.append(blue.http.put("/api/me/notices", json={"email": "victim@example.org"}).status_code)
        state = red.view(table, "red")
        assert red.act(table, "red", *state["legal"][0], state["version"]).status_code == 200
    assert codes == [200] * 3 + [429] * 3
    for _ in range(3):
        office.read(2)
    time.sleep(0.5)
    assert len(office.letters) == 3
    assert all("/confirm" in office.read(n).get_content() for n in range(3))


def test_a_ticket_is_for_one_person_and_one_address_and_not_for_ever() -> None:
    text = ticket(b"key", "person", "a@b.example", now=1000.0)
    assert read_ticket(b"key", text, now=2000.0) == ("person", "a@b.example")
    for key, wrong, now in [(b"other", text, 2000.0), (b"key", text, 1e9), (b"key", text[1:], 2000.0), (b"key", "", 0)]:
        with pytest.raises(Problem):
            read_ticket(key, wrong, now=now)


def test_wishes_that_cannot_be_met_are_refused(posting: Server) -> None:
    person = posting.visitor()
    for wish in (
        {"email": "nobody"},
        {"email": "a@b.c, d@e.f"},
        {"email": "a@b"},
        {"email": "a@b@c.org"},
        {"email": "a\r\nBcc: x@y.org"},
        {"webhook": "ftp://example.org"},
        {"webhook": "http://user@example.org/"},
        {"webhook": "http://example.org:25/"},
        {"webhook": "http://example.org:99999/"},
        {"webhook": "http://exa mple.org/"},
        {"webhook": f"{posting.address}/api/me"},  # a server must not be talked into asking its own network
        {"webhook": "http://[::1]/"},
    ):
        assert person.http.put("/api/me/notices", json=wish).status_code == 422, wish
