"""Strangers on every route and every message: an answer below 500, whatever they send, and nothing changes."""

from __future__ import annotations

import json
import os
import random
import re
import socket
from typing import Any
from urllib.parse import quote

import httpx
from starlette.routing import Route

from grognard.server.routes import ROUTES
from tests.server.harness import Server, Visitor

LONGER = int(os.environ.get("GROGNARD_FUZZ", "1"))  # a factor, for a long run by hand
SEED = os.environ.get("GROGNARD_FUZZ_SEED", "")
REQUESTS = 900 * LONGER  # on each database
MESSAGES = 400 * LONGER

NASTY = [
    "",
    "\0",
    "a\0b",
    "\ud800",
    "x\udfffy",
    "é" * 300,
    "ß" * 40,
    "\u202e\ufeff",
    "9" * 5000,
    "-1",
    "1e999",
    "NaN",
    "x" * 5000,
    "../../../etc/passwd",
    "..%2f..%2fx",
    "con",
    "'; drop table tables--",
    "%",
    "%00",
    "%ff%fe",
    "a/b",
    "٣",  # a digit of another script
    "😀" * 100,
    "\r\nSet-Cookie: x=y",
    "[::1",
]
VALUES: list[Any] = [
    None,
    True,
    -1,
    0,
    2**31,
    2**63,
    10**400,
    1.5,
    [],
    {},
    [[[]]],
    {"a": {"b": []}},
    ["me"],
    {"red": "\ud800"},
    {"\0": 1},
    {"bank_s": 10**400},
    {"bank_s": "nan"},
    {"red": "ai:greedy\0"},
    *NASTY,
]
KEYS = ["game", "scenario", "seats", "options", "title", "time", "entropy", "language", "side", "verb", "target",
        "version", "to", "token", "name", "password", "email", "webhook", "text", "agree", "private", "code",
        "new_password", "open", "watchers", "chat", "table", "secret", "commitment", "share"]  # fmt: skip
GOOD = {"game": "picket", "scenario": "raid", "side": "red", "verb": "move", "version": 0, "to": 0, "name": "A name",
        "password": "long enough", "text": "Hello", "seats": {"red": "me"}}  # fmt: skip


def body(luck: random.Random) -> bytes:
    """Something like an order, with something wrong in it."""
    order = {k: v for k, v in GOOD.items() if luck.random() < 0.6}
    order |= {luck.choice(KEYS): luck.choice(VALUES) for _ in range(luck.randrange(4))}
    whole = json.dumps(order)
    kind = luck.random()
    if kind < 0.8:
        return whole.encode()
    return luck.choice([whole[:-1].encode(), b"\xff\xfe\x00", b"[" * 20_000, b"", b"[]", b"5" * 6000, b'"x"'])


def path_of(luck: random.Random, pattern: str, table: str) -> str:
    """An address of this route, with something in the place of its names."""

    def fill(match: re.Match[str]) -> str:
        likely = {"table_id": table, "game": "picket", "order": "act", "file": "base.svg"}
        name = match.group(1).partition(":")[0]
        if luck.random() < 0.7 and name in likely:
            return likely[name]
        return quote(luck.choice(NASTY).encode("utf-8", "surrogatepass"), safe=luck.choice(["", "/%"]))

    return re.sub(r"\{([^}]*)\}", fill, pattern)


def query_of(luck: random.Random) -> str:
    words = ["as", "at", "side", "verb", "target", "lang", "list", "scenario", "red", "token", "since"]
    pairs = (
        f"{luck.choice(words)}={quote(luck.choice([*NASTY, 'red', '0']).encode('utf-8', 'surrogatepass'))}"
        for _ in range(luck.randrange(3))
    )
    return "&".join(pairs)


def no_client(path: str, answer: httpx.Response) -> bool:
    """Where Node.js is missing there is no page to show, and the server says so."""
    return answer.status_code == 503 and not path.startswith("/api")


def test_no_request_of_a_stranger_ends_in_a_fault_of_ours(server: Server) -> None:
    luck = random.Random(f"{SEED}13")
    host, person = server.visitor(), server.visitor()
    table, _ = host.open_table()
    before = host.view(table, "red")["digest"]
    routes = [route for route in ROUTES if isinstance(route, Route)]
    seen: dict[int, int] = {}
    for number in range(REQUESTS):
        route = routes[number % len(routes)]
        methods = sorted(route.methods or {"GET"})
        method = luck.choice(methods if luck.random() < 0.9 else ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD"])
        path, query = path_of(luck, route.path, table), query_of(luck)
        content = body(luck) if method in ("POST", "PUT") else b""
        headers = {"Accept-Language": luck.choice([b"fr", b"en;q=x", b"\xe9", b"*"])} if luck.random() < 0.2 else {}
        try:
            answer = person.http.request(method, f"{path}?{query}", content=content, headers=headers)
        except httpx.InvalidURL:
            continue
        assert answer.status_code < 500 or no_client(path, answer), (
            method,
            path,
            query,
            content[:300],
            answer.text[:300],
        )
        seen[answer.status_code] = seen.get(answer.status_code, 0) + 1
        if answer.status_code == 429 and luck.random() < 0.3:
            person = Visitor(server)
    assert {200, 400, 404, 422} <= set(seen), seen
    assert "Traceback" not in server.log(), server.log()[-3000:]
    assert host.view(table, "red")["digest"] == before


LINES = [
    b"GET //api//me HTTP/1.1",
    b"GET /api/tables/%00 HTTP/1.1",
    b"GET /api/tables/a%00b/view?as=%00 HTTP/1.1",
    b"GET /api/tables/\xff\xfe HTTP/1.1",
    b"GET http://[::1/api/me HTTP/1.1",
    b"GET http://evil:99999/api/me HTTP/1.1",
    b"GET /assets/" + b"a" * 3000 + b" HTTP/1.1",
    b"GET /assets/" + b"a/" * 3000 + b" HTTP/1.1",
    b"GET /assets/%00 HTTP/1.1",
    b"GET /assets/..%2f..%2fapp.py HTTP/1.1",
    b"GET /g/.txt HTTP/1.1",
    b"GET /g/" + b"x" * 9000 + b".json HTTP/1.1",
    b"GET /api/games/%ed%a0%80/map HTTP/1.1",
    b"GET ? HTTP/1.1",
    b"GET * HTTP/1.1",
    b"OPTIONS * HTTP/1.1",
    b"CONNECT x:1 HTTP/1.1",
    b"HEAD / HTTP/1.0",
    b"BREW /coffee HTTP/1.1",
    b"nonsense",
    b"GET /api/me?lang=%ff&lang=%00 HTTP/1.1",
    b"POST /api/tables HTTP/1.1\r\nContent-Length: -5",
    b"POST /api/tables HTTP/1.1\r\nContent-Length: 99999999999999999999",
    b"GET /api/me HTTP/1.1\r\nCookie: grognard=\xe9\x80; grognard=\x01",
    b"GET /ws/tables/x HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket",
    b"GET /ws/tables/%00 HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
]


def test_no_odd_line_of_a_stranger_ends_in_a_fault_of_ours(server: Server) -> None:
    for line in LINES:
        for host in (b"127.0.0.1", b"[::1", b"", b"a\xff"):
            with socket.create_connection(("127.0.0.1", server.port), timeout=60) as raw:
                raw.sendall(line + b"\r\nHost: " + host + b"\r\nX-Grognard: 1\r\nConnection: close\r\n\r\n")
                raw.shutdown(socket.SHUT_WR)
                first = raw.recv(4096)
            status = first.split(b" ", 2)[1] if first.startswith(b"HTTP/") else b"400"
            assert status < b"500" or b"not built" in first, (line[:200], host, first[:300])
    assert "Traceback" not in server.log(), server.log()[-3000:]


def test_no_message_of_a_stranger_ends_in_a_fault_of_ours(server: Server) -> None:
    luck = random.Random(f"{SEED}29")
    host, person = server.visitor(), server.visitor()
    table, _ = host.open_table()
    before = host.view(table, "red")["digest"]
    live = person.watch(table, "spectator")
    kinds = [
        "act",
        "undo",
        "redo",
        "resign",
        "draw",
        "takeback",
        "takeback-answer",
        "watch",
        "chat",
        "x",
        None,
        5,
        "\0",
    ]
    for _ in range(MESSAGES):
        order = {k: v for k, v in GOOD.items() if luck.random() < 0.5} | {"type": luck.choice(kinds)}
        order |= {luck.choice([*KEYS, "id", "as", "lang"]): luck.choice(VALUES) for _ in range(luck.randrange(4))}
        whole = json.dumps(order)
        live.socket.send(luck.choice([whole, whole, whole, whole[:-2], "", "[]", "5" * 6000, "[" * 5000])[:15_000])
    live.say(type="ping", id="last")
    assert live.wait("pong")
    assert "Traceback" not in server.log(), server.log()[-3000:]
    assert host.view(table, "red")["digest"] == before
