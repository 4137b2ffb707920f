"""The doors: what strangers may do how often, from one address, with one name, and how slowly."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from grognard.games import find_game
from grognard.kernel.gamefile import from_session, to_text
from grognard.kernel.session import Session
from grognard.server import intake, patience, tally
from grognard.server.doors import Doors, household
from grognard.server.errors import Problem
from grognard.server.hall import Hall
from grognard.server.limits import Limiter
from grognard.server.live import Connection
from grognard.server.messages import Json
from grognard.server.people import Person
from grognard.server.schema import VISITORS
from grognard.server.settings import Settings
from grognard.server.sockets import PULL, PUSH
from grognard.server.store import Store
from grognard.server.tally import Tally
from tests.server.harness import HEADERS, Server, free_port
from tests.server.test_unstored import in_app


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the limits of a public one."""
    folder = tmp_path_factory.mktemp("strict")
    server = Server(f"sqlite:///{folder}/tables.db", folder, limits=1)
    server.start()
    yield server
    server.stop()


def ask(server: Server, address: str, method: str, path: str, cookie: str = "", **more: object) -> httpx.Response:
    """A request through the proxy that stands before the server, from an address of the world."""
    headers = HEADERS | {"X-Forwarded-For": address} | ({"Cookie": f"grognard={cookie}"} if cookie else {})
    return httpx.request(method, server.address + path, headers=headers, timeout=60, verify=False, **more)  # type: ignore[arg-type]


def visitors(server: Server) -> int:
    with sa.create_engine(server.database).connect() as db:
        return db.execute(sa.select(sa.func.count()).select_from(VISITORS)).scalar_one()


def test_tables_without_a_cookie_are_bounded_by_the_address(strict: Server) -> None:
    order = {"game": "picket", "seats": {}}
    codes = [ask(strict, "192.0.2.1", "POST", "/api/tables", json=order).status_code for _ in range(90)]
    assert codes.count(201) < 80
    assert codes[-1] == 429
    assert ask(strict, "192.0.2.2", "POST", "/api/tables", json=order).status_code == 201, "others are not hurt"


def test_made_up_cookies_write_nothing(strict: Server) -> None:
    before = visitors(strict)
    for number in range(60):
        ask(strict, "192.0.2.3", "GET", "/api/me", cookie=f"bogus{number}")
        ask(strict, "192.0.2.3", "GET", "/api/me", cookie=f"bogus{number}.{'A' * 16}")
    assert visitors(strict) == before


def test_a_guest_is_written_down_when_it_does_something(strict: Server) -> None:
    before = visitors(strict)
    guest = strict.visitor()
    cookie = guest.http.cookies["grognard"]
    assert guest.get("/api/me").status_code == 200
    assert visitors(strict) == before
    guest.open_table()
    assert visitors(strict) == before + 1
    assert guest.http.cookies["grognard"] == cookie, "and stays who it is"
    assert [line["mine"] for line in guest.get("/api/tables", list="mine").json()] == [["red"]]


def test_the_cookie_of_before_a_login_is_nobody_afterwards(strict: Server) -> None:
    guest = strict.visitor()
    table, _ = guest.open_table()
    old = guest.http.cookies["grognard"]
    assert guest.post("/api/account", {"name": "Colonel", "password": "long enough"}).status_code == 200
    assert guest.http.cookies["grognard"] != old
    answer = ask(strict, "192.0.2.9", "GET", f"/api/tables/{table}", cookie=old)
    assert answer.json()["mine"] == []
    assert "set-cookie" in answer.headers


def test_handshakes_are_bounded(strict: Server) -> None:
    guest = strict.visitor()
    table, _ = guest.open_table()
    address = f"ws://127.0.0.1:{strict.port}/ws/tables/{table}"
    headers = {"Cookie": f"grognard={guest.http.cookies['grognard']}", "X-Forwarded-For": "192.0.2.4"}
    opened = refused = 0
    with ExitStack() as stack:
        for _ in range(80):
            try:
                stack.enter_context(connect(address, additional_headers=headers, open_timeout=60))
                opened += 1
            except WebSocketException:
                refused += 1
    assert opened <= 65
    assert refused >= 15
    assert strict.visitor().get("/api/health").status_code == 200


def test_who_asks_too_slowly_is_sent_away() -> None:
    """Without the timer this reads for ever: the server never answers half a request."""
    code = "import grognard.server.patience as p; p.HEAD_SECONDS = 0.5; from grognard.cli.main import main; main()"
    assert patience.HEAD_SECONDS > 1
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        command = [sys.executable, "-c", code, "serve", "--no-open", "--port", str(port)]
        command += ["--database", f"sqlite:///{folder}/x.db"]
        process = subprocess.Popen(command)
        try:
            for _ in range(600):
                try:
                    httpx.get(f"http://127.0.0.1:{port}/api/health", timeout=30)
                    break
                except httpx.TransportError:
                    time.sleep(0.1)
            for said in (b"", b"GET /api/health HTTP/1.1\r\nHost: x\r\nX-Slow: "):
                with socket.create_connection(("127.0.0.1", port), timeout=60) as slow:
                    slow.sendall(said)
                    with suppress(ConnectionResetError):
                        assert slow.recv(100) == b""
            with socket.create_connection(("127.0.0.1", port), timeout=60) as wordy:
                try:
                    wordy.sendall(b"GET / HTTP/1.1\r\n" + b"X-Long: aaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n" * 3000)
                    assert wordy.recv(100).startswith(b"HTTP/1.1 400")
                except (ConnectionResetError, BrokenPipeError):
                    pass
            assert httpx.get(f"http://127.0.0.1:{port}/api/health", timeout=60).status_code == 200
        finally:
            process.terminate()
            process.wait(60)


def test_a_request_that_lies_unread_is_answered_before_its_connection_is_called_idle() -> None:
    """To close at once would reset a connection under a request that came in time, while the server was busy."""
    assert patience.KEEP_ALIVE > 60, "a proxy keeps its connections for a minute"
    put_off: list[tuple[float, Callable[[], None]]] = []
    closed: list[bool] = []
    line = patience.PatientHttp.__new__(patience.PatientHttp)
    handle = SimpleNamespace(cancel=put_off.clear)
    line.loop = SimpleNamespace(call_later=lambda wait, call: put_off.append((wait, call)) or handle)  # type: ignore
    line.transport = SimpleNamespace(is_closing=lambda: False, close=lambda: closed.append(True))  # type: ignore
    line.timeout_keep_alive_handler()
    assert not closed
    assert [wait for wait, _ in put_off] == [patience.GRACE]
    line._unset_keepalive_if_required()  # what uvicorn does when something comes
    assert not put_off
    line.timeout_keep_alive_handler()
    put_off[0][1]()
    assert closed


def test_servers_on_one_database_count_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one lets through the other hears of, what is frequent too; who comes in late is told how things stand."""
    monkeypatch.setattr(tally, "LATER", 0.06)
    slow: Any = {"per_address": (300, 0.0), "handshakes": (60, 0.0), "handshakes_per_address": (1000, 0.0)}
    servers = [Doors(Settings(database="sqlite://", **slow)) for _ in range(3)]

    def linked(number: int, listening: list[Doors]) -> Tally:
        def relay(message: Json) -> None:
            assert len(json.dumps(message)) < 7000
            for other in listening:
                if other is not servers[number]:
                    assert other.tally is not None
                    other.tally.hear(f"server {number}", json.loads(json.dumps(message)))

        return Tally(servers[number], relay, lambda: False)

    def refused(what: Callable[[], object]) -> bool:
        try:
            what()
        except Problem as problem:
            return problem.status == 429
        return False

    async def run() -> None:
        one, two, late = servers
        there: list[Doors] = [one, two]
        for number in range(3):
            servers[number].tally = linked(number, there)
        for _ in range(300):
            one.request("1.2.3.4")
        for _ in range(60):
            with one.socket("somebody", "1.2.3.4"):
                pass
        for number in range(400):
            one.request(f"10.0.{number // 250}.{number % 250}")
        with ExitStack() as open_ones:
            for number in range(500):
                open_ones.enter_context([one, two][number % 2].socket(f"person {number // 10}", "5.6.7.8"))
            await asyncio.sleep(0.2)
            assert refused(lambda: two.request("1.2.3.4"))
            assert refused(lambda: open_ones.enter_context(two.socket("one more", "5.6.7.8")))
            open_ones.enter_context(two.socket("one more", "5.6.7.9"))
            assert refused(lambda: open_ones.enter_context(two.socket("somebody", "9.9.9.9"))), "handshakes of a person"
            there.append(late)
            assert one.tally is not None
            one.tally.welcome()
            assert late.elsewhere["server 0"]["a 5.6.7.8"] == 250
            assert refused(lambda: open_ones.enter_context(late.socket("somebody", "9.9.9.9")))
            assert refused(lambda: late.request("1.2.3.4"))
        await asyncio.sleep(0.2)
        assert not any(one.elsewhere["server 1"].values())
        one.tally.forget("server 1")
        assert not one.elsewhere

    asyncio.run(run())


def test_a_limit_hears_what_was_used_elsewhere() -> None:
    limit = Limiter(10, 1.0)
    limit.spend("me", 4, 0.0)
    assert limit.used(0.0) == {"me": 4}
    limit.at_least("me", 3, 0.0)
    assert limit.used(0.0) == {"me": 4}, "what was heard before is among them"
    limit.at_least("me", 8, 0.0)
    assert [limit.allows("me", 0.0) for _ in range(3)] == [True, True, False]
    limit.spend("me", 50, 0.0)
    assert limit.allows("me", 1.0), "nobody is locked out for longer than a limit takes to fill"
    assert limit.used(100.0) == {}


def test_wrong_logins_count_by_account_and_address_and_lock_no_known_browser_out() -> None:
    doors = Doors(Settings(database="sqlite://"))

    def tries(account: str, address: str, browser: str = "") -> int:
        for number in range(200):
            try:
                doors.login(account, address, browser)
            except Problem:
                return number
            doors.wrong_login(account, address, browser)
        return 200

    assert tries("anna", "192.0.2.1") == 10
    assert tries("bert", "192.0.2.1") == 10, "another account from the same house"
    assert tries("anna", "198.51.100.7") == 10, "the account from another house"
    assert sum(tries(f"guess{n}", "203.0.113.5") for n in range(30)) == 60, "many names from one address"
    assert sum(tries("carl", f"203.0.113.{n}") for n in range(30)) == 60, "one name from many addresses"
    doors.login("carl", "203.0.113.250", "his own browser")
    doors.login("anna", "203.0.113.5", "her own browser")
    with pytest.raises(Problem):
        doors.login("anna", "203.0.113.5", "")


def test_whole_positions_are_told_only_so_often(tmp_path: Path) -> None:
    async def scene(hall: Hall, http: httpx.AsyncClient) -> None:
        order = {"game": "picket", "scenario": "raid", "seats": {"red": "me", "blue": "me"}}
        table = hall.tables[(await http.post("/api/tables", json=order)).json()["id"]]
        views = [(await http.get(f"/api/tables/{table.id}/view?at=0")).status_code for _ in range(7)]
        assert views == [200] * 5 + [429] * 2
        assert (await http.get(f"/api/tables/{table.id}")).status_code == 200, "all else is answered still"
        said: list[bytes] = []
        ways: dict[str, Any] = {PUSH: lambda text: said.append(text) is None, PULL: None}
        socket = SimpleNamespace(scope={"extensions": ways}, client=None)
        line = Connection(hall, table, Person("other", "other", "Other"), socket)  # type: ignore[arg-type]
        for _ in range(7):
            await line._obey('{"type": "watch", "as": null}')
        kinds = [json.loads(text)["type"] for text in said]
        assert (kinds.count("state"), kinds.count("error")) == (5, 2)

    in_app(tmp_path, scene, looks=(5, 1e-9))


def test_positions_count_by_address_too() -> None:
    doors = Doors(Settings(database="sqlite://", looks=(10, 1e-9), looks_per_address=(25, 1e-9)))
    seen = 0
    for guest in range(10):
        with suppress(Problem):
            for _ in range(10):
                doors.look(f"guest {guest}", "192.0.2.1")
                seen += 1
    assert seen == 25
    doors.look("guest 0 elsewhere", "192.0.2.2")


def test_a_stranger_gets_few_letters_in_a_day_however_many_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    doors, now = Doors(Settings(database="sqlite://")), [1000.0]
    monkeypatch.setattr("grognard.server.limits.time", SimpleNamespace(monotonic=lambda: now[0]))
    sent = 0
    for asker in range(48):  # two a hour, each from another house
        with suppress(Problem):
            doors.mail_to_stranger(f"person {asker}", f"192.0.2.{asker}", "Victim@example.org")
            sent += 1
        now[0] += 1800
    assert sent == 3
    now[0] += 3600
    doors.mail_to_stranger("one", "198.51.100.1", "victim@example.org")
    doors.mail_to_stranger("one", "198.51.100.1", "another@example.org")


def test_right_logins_cost_nothing(server: Server) -> None:
    person = server.visitor()
    assert person.post("/api/account", {"name": "Often here", "password": "long enough"}).status_code == 200
    for _ in range(15):
        assert person.post("/api/logout").status_code == 200
        answer = person.post("/api/login", {"name": "often HERE", "password": "long enough"})
        assert answer.status_code == 200


@pytest.mark.parametrize(
    ("address", "house"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
    ],
)
def test_an_address_is_a_household(address: str, house: str) -> None:
    assert household(address) == house


# Imports


def game_text(title: str = "") -> str:
    session = Session.new(find_game("picket"), "raid", seed="known", title=title)
    for _ in range(4):
        side = session.state.waiting[0]
        session.act(side, session.game.orders(session.state, side)[0])
    return to_text(from_session(session))


def test_a_long_title_is_cut(server: Server) -> None:
    answer = server.visitor().http.post("/api/import", content=game_text("long " * 400))
    assert answer.status_code == 201, answer.text
    table = server.visitor().get(f"/api/tables/{answer.json()['id']}").json()
    assert len(table["title"]) <= 100


def test_imports_are_bounded_by_lines_dice_and_time() -> None:
    raw = game_text().encode()
    settings = Settings(database="sqlite://")
    assert len(intake.play(intake.read(raw, settings), settings).entries) == 4
    settings.longest_import = 3
    with pytest.raises(Problem, match="import-too-long"):
        intake.read(raw, settings)
    settings.longest_import, settings.imports = 20_000, -1.0
    with pytest.raises(Problem, match="import-too-long"):
        intake.play(intake.read(raw, settings), settings)
    session = Session.new(find_game("picket"), "raid", seed="known")
    session.type_dice([1] * 190)
    assert intake.read(to_text(from_session(session)).encode(), settings)
    session.type_dice([1] * 400)
    with pytest.raises(Problem, match="bad-message"):
        intake.read(to_text(from_session(session)).encode(), settings)


def test_two_servers_share_the_key_of_cookies(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/x.db"
    one, two = Store(url), Store(url)
    assert one.key == two.key
    assert len(one.key) == 32
    one.close()
    two.close()
