"""What a hostile or confused client sends: 4xx, never 5xx, and nothing changes."""

from __future__ import annotations

import json
import random
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from grognard.server.limits import Limiter
from tests.server.harness import Server, Visitor


def test_changes_need_our_header_and_our_origin(server: Server) -> None:
    order = {"game": "picket", "seats": {}}
    plain = httpx.post(f"{server.address}/api/tables", json=order)
    assert plain.status_code == 403
    foreign = httpx.post(
        f"{server.address}/api/tables", json=order, headers={"X-Grognard": "1", "Origin": "http://evil"}
    )
    assert foreign.status_code == 403


def test_cookies_and_headers_are_safe(server: Server) -> None:
    answer = httpx.get(f"{server.address}/api/me")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"


def ask_something(address: str, headers: dict[str, str]) -> None:
    with connect(address, additional_headers=headers) as socket:
        socket.send("{}")
        socket.recv(60)


def test_websockets_need_a_cookie_and_our_origin(server: Server) -> None:
    table, _ = server.visitor().open_table()
    address = f"ws://127.0.0.1:{server.port}/ws/tables/{table}"
    cookie = server.visitor().http.cookies["grognard"]
    for headers in ({}, {"Cookie": "grognard=nonsense"}, {"Cookie": f"grognard={cookie}", "Origin": "http://evil"}):
        with pytest.raises(WebSocketException):
            ask_something(address, headers)


def test_large_bodies_are_refused(server: Server) -> None:
    person = server.visitor()
    assert person.post("/api/tables", {"game": "picket", "title": "x" * 200_000}).status_code == 413
    live = person.watch(person.open_table()[0], "red")
    live.say(type="chat", text="y" * 20_000)
    assert live.wait("error")["code"] == "too-large"


WORDS = [
    "",
    "red",
    "picket",
    "raid",
    "../../etc/passwd",
    "%00",
    "é" * 300,
    "-1",
    "9" * 40,
    "null",
    "[]",
    "{}",
    "'; drop table--",
]
VALUES = [None, True, 0, -1, 10**30, 1.5, "", "x" * 500, [], {}, [[]], {"a": {"b": []}}, "\u0000", "\ud7ff"]


def test_fuzzed_requests_never_break_the_server(server: Server) -> None:
    luck = random.Random(11)
    person = server.visitor()
    table, _ = person.open_table()
    before = person.view(table, "red")["digest"]
    paths = ["/api/tables", "/api/join", "/api/import", "/api/account", "/api/login", "/api/me/notices",
             f"/api/tables/{table}/act", f"/api/tables/{table}/undo", f"/api/tables/{table}/takeback",
             f"/api/tables/{table}/draw2", f"/api/tables/{table}/sit", f"/api/tables/{table}/view",
             f"/api/tables/{table}/why", f"/api/tables/{table}/odds", f"/g/{table}.txt", f"/g/{table}.json",
             "/api/games/picket/art/x.svg", "/api/games/none/rules", "/assets/../app.py",
             "/api/tables/none"]  # fmt: skip
    keys = ["game", "scenario", "seats", "options", "title", "side", "verb", "target", "version", "to", "token", "name",
            "password", "email", "webhook", "time", "entropy"]  # fmt: skip
    seen = set()
    for _ in range(400):
        path, method = luck.choice(paths), luck.choice(["GET", "POST", "PUT", "DELETE"])
        body = {luck.choice(keys): luck.choice([*WORDS, *VALUES]) for _ in range(luck.randrange(6))}
        raw = luck.choice([json.dumps(body), json.dumps(body)[:-1], "\x00", "[" * 5000]) if luck.random() < 0.9 else ""
        params = {
            luck.choice(["as", "at", "side", "verb", "target", "lang", "list"]): luck.choice(WORDS) for _ in range(2)
        }
        try:
            answer = person.http.request(method, path, content=raw.encode(), params=params)
        except httpx.InvalidURL:
            continue
        seen.add(answer.status_code)
        assert answer.status_code < 500, (method, path, raw[:200], answer.text[:300])
        if answer.status_code == 429:
            person = person if luck.random() < 0.5 else Visitor(server)
    assert {400, 404, 422} <= seen
    assert server.visitor().get("/api/health").status_code == 200
    assert "Traceback" not in server.log()
    assert Visitor.view(person, table, "spectator")["digest"] == before


def test_fuzzed_messages_never_break_the_socket(server: Server) -> None:
    luck = random.Random(5)
    person = server.visitor()
    live = person.watch(person.open_table()[0], "red")
    for _ in range(150):
        message = {"type": luck.choice(["act", "undo", "watch", "takeback", "chat", "x", None, 5])}
        keys = luck.sample(["side", "verb", "target", "version", "id", "to", "as", "lang", "text"], 4)
        message |= {key: luck.choice([*WORDS, *VALUES]) for key in keys}
        live.socket.send(luck.choice([json.dumps(message), json.dumps(message)[:-3], "", "[]", "5"]))
    live.say(type="ping")
    assert live.wait("pong")
    assert "Traceback" not in server.log()


def test_websocket_messages_count_against_the_limit(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/x.db", tmp_path, limits=1)
    server.start()
    person = server.visitor()
    table, _ = person.open_table()
    live = person.watch(table, "red")
    code = ""
    for _ in range(250):  # far more than the burst, far faster than the rate; read as we write, or the queue is cut
        for _ in range(20):
            live.say(type="ping")
        heard = [live.hear() for _ in range(20)]
        code = next((message["code"] for message in heard if message["type"] == "error"), "")
        if code:
            break
    assert code == "too-many"
    server.stop()


def test_limits_let_through_a_burst_and_then_a_rate() -> None:
    limiter = Limiter(3, 1.0)
    assert [limiter.allows("a", 0.0) for _ in range(4)] == [True, True, True, False]
    assert limiter.allows("b", 0.0), "each has a bucket of its own"
    assert limiter.allows("a", 1.0)
    assert not limiter.allows("a", 1.5)


def test_passwords_cannot_be_guessed_in_bulk(server: Server) -> None:
    person = server.visitor()
    tries = (person.post("/api/login", {"name": "nobody", "password": "x"}).status_code for _ in range(60))
    assert any(code == 429 for code in tries)  # ten at once, then one in ten seconds: a slow machine needs a few more


def test_invitations_stand_in_no_address_that_is_sent(server: Server) -> None:
    _, invitations = server.visitor().open_table()
    assert invitations["blue"].startswith("/join#")
    assert invitations["blue"].partition("#")[2] not in server.log()


def test_an_invitation_can_be_looked_at_before_it_is_taken(server: Server) -> None:
    owner, guest = server.visitor(), server.visitor()
    table, invitations = owner.open_table()
    token = invitations["blue"].partition("#")[2]
    told = guest.post("/api/invitation", {"token": token}).json()
    assert {key: told[key] for key in ("game", "side")} == {"game": "picket", "side": "blue"}
    assert told["options"] == owner.view(table, "red")["options"], "by which rules one would play"
    assert set(told) == {"game", "scenario", "options", "title", "titles", "side", "host", "mark"}, (
        "nothing of the seat"
    )
    assert guest.post("/api/invitation", {"token": "guess"}).status_code == 404
    assert guest.post("/api/join", {"token": token}).json()["id"] == table, "looking does not use it up"


def test_a_second_person_cannot_take_a_taken_seat(server: Server) -> None:
    owner, first, second = server.visitor(), server.visitor(), server.visitor()
    _, invitations = owner.open_table()
    token = invitations["blue"].partition("#")[2]
    assert first.post("/api/join", {"token": token}).status_code == 200
    assert first.post("/api/join", {"token": token}).status_code == 200, "coming back is fine"
    assert second.post("/api/join", {"token": token}).status_code == 409
    assert second.post("/api/join", {"token": "guess"}).status_code == 404


def test_a_database_of_a_later_schema_is_refused(tmp_path: Path) -> None:
    import sqlalchemy as sa

    from grognard.kernel.errors import GrognardError
    from grognard.server.schema import SCHEMA
    from grognard.server.store import Store

    url = f"sqlite:///{tmp_path}/x.db"
    store = Store(url)
    store.close()
    Store(url).close()
    with sa.create_engine(url).begin() as db:
        db.execute(SCHEMA.update().values(number=99))
    with pytest.raises(GrognardError, match="schema 99"):
        Store(url)


def test_a_database_of_the_first_schema_is_brought_up_to_date(tmp_path: Path) -> None:
    import sqlalchemy as sa

    from grognard.server.schema import SCHEMA, TABLES
    from grognard.server.store import Store

    url = f"sqlite:///{tmp_path}/x.db"
    Store(url).close()
    with sa.create_engine(url).begin() as db:
        db.execute(sa.text("alter table tables drop column lobby"))
        db.execute(SCHEMA.update().values(number=1))
        row = {
            "id": "old",
            "title": "Old",
            "game": "picket",
            "header": "{}",
            "version": 3,
            "over": False,
            "clock": "{}",
        }
        row |= {"created": 0.0, "updated": 0.0, "owner": "me", "next_table": ""}
        old = [column for column in TABLES.columns if column.name != "lobby"]
        db.execute(sa.insert(sa.table("tables", *(sa.column(c.name) for c in old))).values(row))
    store = Store(url)
    found = store.table("old")
    assert found is not None
    assert found["lobby"] == "{}"
    store.close()
