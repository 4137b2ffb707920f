"""Two servers on one PostgreSQL: one owns a table, both show it, and when one dies the other goes on."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, WebSocketException

from tests.server.harness import Live, Server, Visitor

PASSWORD = "a long enough one"


@pytest.fixture(scope="module")
def both(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Server]]:
    if database.startswith("sqlite"):
        pytest.skip("one server to a file")
    servers = Server(database, tmp_path_factory.mktemp("one")), Server(database, tmp_path_factory.mktemp("two"))
    for server in servers:
        server.start()
    yield servers
    for server in servers:
        server.stop()


def same_person(person: Visitor, server: Server) -> Visitor:
    """The browser of a person, at another server."""
    other = server.visitor()
    other.http.cookies.clear()
    other.http.cookies.set("grognard", person.http.cookies["grognard"])
    return other


def until(what: Callable[[], Any]) -> Any:
    for _ in range(600):
        if found := what():
            return found
        time.sleep(0.05)
    raise AssertionError("it never came")


def hear_version(live: Live, version: int) -> dict[str, Any]:
    """The message that brings a client to a version."""
    for _ in range(200):
        message = live.hear()
        if message["type"] in ("state", "update") and message["version"] >= version:
            return message
    raise AssertionError("it never came")


def hot_seat(both: tuple[Server, Server], **order: Any) -> tuple[str, Visitor, Visitor]:
    one = both[0].visitor()
    table, _ = one.open_table(**{"seats": {"red": "me", "blue": "me"}} | order)
    return table, one, same_person(one, both[1])


def test_what_is_done_at_one_server_is_seen_at_the_other(both: tuple[Server, Server]) -> None:
    table, one, two = hot_seat(both)
    here, there = one.watch(table, "spectator"), two.watch(table, "spectator")
    luck = random.Random(3)
    for number in range(12):
        actor, watching = ((one, there), (two, here))[number % 2]  # in turn at the owner and at the copy
        state = actor.get(f"/api/tables/{table}").json()
        if not state["waiting"]:
            break
        view = actor.view(table, state["waiting"][0])
        assert view["version"] == number, "a copy is never behind"
        answer = actor.act(table, state["waiting"][0], *luck.choice(view["legal"]), view["version"])
        assert answer.status_code == 200, answer.text
        assert answer.json()["version"] == number + 1
        assert hear_version(watching, number + 1)["digest"] == answer.json()["digest"]
    assert one.view(table, "red")["view"] == two.view(table, "red")["view"]


def test_refusals_come_back_in_words(both: tuple[Server, Server]) -> None:
    table, _, two = hot_seat(both)
    answer = two.http.post(
        f"/api/tables/{table}/act?lang=fr", json={"side": "red", "verb": "fly", "target": "away", "version": 0}
    )
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "refused"
    assert answer.json()["error"]["message"]
    assert two.act(table, "red", "fly", "", 7).status_code == 409
    live = two.watch(table, "red")
    live.say(type="act", side="red", verb="fly", target="x", version=0, id=5)
    assert live.wait("error")["reply_to"] == 5


def test_offers_chat_undo_and_presence_pass_between_servers(both: tuple[Server, Server]) -> None:
    table, one, two = hot_seat(both)
    here, there = one.watch(table, "red"), two.watch(table, "blue")
    assert two.post(f"/api/tables/{table}/chat", {"text": "Bonjour « là-bas »"}).status_code == 200
    assert here.wait("chat")["text"] == "Bonjour « là-bas »"
    assert there.wait("chat")["n"] == 1
    assert one.post(f"/api/tables/{table}/chat", {"text": "Salut"}).status_code == 200
    assert there.wait("chat")["n"] == 2
    state = one.view(table, one.get(f"/api/tables/{table}").json()["waiting"][0])
    assert two.act(table, state["as"], *state["legal"][0], 0).status_code == 200
    hear_version(here, 1)
    if two.view(table, state["as"])["can_undo"]:
        assert two.post(f"/api/tables/{table}/undo", {"side": state["as"], "version": 1}).status_code == 200
        assert one.view(table, state["as"])["version"] == 2
    assert one.post(f"/api/tables/{table}/draw", {"side": "red"}).status_code == 200
    assert there.wait("offer")["kind"] == "draw"
    assert two.post(f"/api/tables/{table}/draw", {"side": "blue"}).status_code == 200
    for person in (one, two):
        assert person.get(f"/api/tables/{table}").json()["over"], "the offer was remembered where it counts"


def test_a_seat_taken_at_one_server_is_known_at_the_other(both: tuple[Server, Server]) -> None:
    host, guest = both[0].visitor(), both[1].visitor()
    table, invitations = host.open_table()
    here = host.watch(table, "red")
    if invitations:
        guest.join(invitations["blue"])
    else:
        assert guest.post(f"/api/tables/{table}/sit", {"side": "blue"}).status_code == 200
    told = here.wait("dice", "presence")
    until(lambda: all(seat["kind"] == "human" for seat in host.get(f"/api/tables/{table}").json()["seats"]))
    assert told["seats"]


def test_logging_out_at_one_server_closes_the_sockets_at_the_other(both: tuple[Server, Server]) -> None:
    one = both[0].visitor()
    assert one.post("/api/account", {"name": f"Both {both[0].port}", "password": PASSWORD}).status_code == 200
    table, _ = one.open_table(seats={"red": "me", "blue": "me"})
    there = same_person(one, both[1]).watch(table, "red")
    stranger = both[1].visitor().watch(table, "spectator")
    assert one.post("/api/logout").status_code == 200
    with pytest.raises(ConnectionClosed):
        there.wait("pong")
    stranger.say(type="ping")
    assert stranger.wait("pong"), "nobody else is sent away"


def test_an_account_opened_at_one_server_keeps_the_socket_at_the_other(both: tuple[Server, Server]) -> None:
    table, one, two = hot_seat(both)
    live = two.watch(table)
    name = f"Kept {both[0].port}"
    assert one.post("/api/account", {"name": name, "password": PASSWORD}).status_code == 200

    def can_act() -> bool:
        live.say(type="watch", **{"as": None}, lang="en")
        state = live.wait("state")
        if not state["legal"]:
            return False
        return bool(live.act(state["as"], state["legal"][0], state["version"], 7)["type"] == "done")

    until(can_act)


def test_terms_set_at_one_server_hold_at_the_other(both: tuple[Server, Server]) -> None:
    table, one, two = hot_seat(both)
    one.watch(table)
    stranger = both[1].visitor()
    watching = stranger.watch(table, "spectator")
    assert one.http.put(f"/api/tables/{table}/terms", json={"watchers": "nobody"}).status_code == 200
    until(lambda: stranger.get(f"/api/tables/{table}/view").status_code == 403)
    state = one.view(table, one.get(f"/api/tables/{table}").json()["waiting"][0])
    assert one.act(table, state["as"], *state["legal"][0], state["version"]).status_code == 200
    watching.say(type="ping")
    assert watching.wait("pong", "update", "state")["type"] == "pong", "who may not watch is told nothing more"
    answer = two.http.put(f"/api/tables/{table}/terms", json={"chat": "all"})
    assert answer.json()["watchers"] == "nobody", "what was set at the other server stays"


def test_an_account_that_goes_resigns_at_the_server_that_owns_the_table(both: tuple[Server, Server]) -> None:
    one, blue = both[0].visitor(), both[0].visitor()
    assert one.post("/api/account", {"name": f"Gone {both[0].port}", "password": PASSWORD}).status_code == 200
    table, invitations = one.open_table()
    blue.join(invitations["blue"])
    until(lambda: blue.get(f"/api/tables/{table}").json()["stage"] == "")
    watching = blue.watch(table, "blue")  # the first server owns the table
    away = same_person(one, both[1])
    assert away.post("/api/account/delete", {"password": PASSWORD}).status_code == 200
    while not (told := watching.wait("update", "state")).get("result"):
        pass
    assert told["result"]["winner"] == "blue"
    names = [seat["name"] for seat in blue.get(f"/api/tables/{table}").json()["seats"]]
    assert f"Gone {both[0].port}" not in names


def open_too_many_sockets(servers: list[Server]) -> None:
    """Fifty at once are for one person, however many servers there are; who closes one may open another."""
    one = servers[0].visitor()
    table, _ = one.open_table(seats={"red": "me", "blue": "me"})
    doors = [one, same_person(one, servers[1])]
    opened = [doors[number % 2].watch(table) for number in range(40)]
    time.sleep(0.5)  # word gets round
    for number in range(12):
        if not may_watch(doors[number % 2], table, opened):
            break
    else:
        raise AssertionError("52 sockets")
    for live in opened[1::2]:
        live.close()
    until(lambda: may_watch(doors[0], table, opened))


def may_watch(person: Visitor, table: str, opened: list[Live]) -> bool:
    time.sleep(0.1)
    try:
        opened.append(person.watch(table))
    except WebSocketException:
        return False
    return True


def test_what_is_rare_is_counted_by_all_servers_together(
    database: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Twice the servers are not twice the guesses at a password."""
    if database.startswith("sqlite"):
        pytest.skip("one server to a file")
    servers = [Server(database, tmp_path_factory.mktemp(name), limits=1) for name in ("c", "d")]
    for server in servers:
        server.start()
    try:
        owner = servers[0].visitor()
        name = f"Guessed {servers[0].port}"
        assert owner.post("/api/account", {"name": name, "password": PASSWORD}).status_code == 200
        strangers = [server.visitor() for server in servers]
        answers = []
        for number in range(14):
            guess = {"name": name, "password": f"wrong guess {number}"}
            answers.append(strangers[number % 2].post("/api/login", guess).status_code)
            time.sleep(0.1)  # word gets round
        assert 429 in answers[:13], answers
        servers[1].kill()
        servers[1].start()  # it knows nothing, and is told
        answers = []
        for number in range(8):
            time.sleep(0.2)
            guess = {"name": name, "password": f"another guess {number}"}
            answers.append(servers[1].visitor().post("/api/login", guess).status_code)
        assert 429 in answers, answers
        open_too_many_sockets(servers)
    finally:
        for server in servers:
            server.stop()


def test_when_the_owner_is_killed_the_other_goes_on(database: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    if database.startswith("sqlite"):
        pytest.skip("one server to a file")
    servers = Server(database, tmp_path_factory.mktemp("a")), Server(database, tmp_path_factory.mktemp("b"))
    for server in servers:
        server.start()
    try:
        table, one, two = hot_seat(servers)
        versus, _, two_ = hot_seat(servers, seats={"red": "me", "blue": "ai:random"})
        there, beside = two.watch(table, "spectator"), two_.watch(versus, "spectator")
        luck, version = random.Random(7), 0
        for _ in range(5):
            side = one.get(f"/api/tables/{table}").json()["waiting"][0]
            view = one.view(table, side)
            assert one.act(table, side, *luck.choice(view["legal"]), view["version"]).status_code == 200
            version += 1
        hear_version(there, version)
        servers[0].kill()
        for _ in range(5):
            state = two.get(f"/api/tables/{table}").json()
            assert state["version"] == version, "nothing that was acknowledged is lost"
            view = two.view(table, state["waiting"][0])
            assert two.act(table, state["waiting"][0], *luck.choice(view["legal"]), version).status_code == 200
            version += 1
            hear_version(there, version)

        def my_turn() -> bool:
            state = two_.get(f"/api/tables/{versus}").json()
            if "red" in state["waiting"]:
                view = two_.view(versus, "red")
                two_.act(versus, "red", *luck.choice(view["legal"]), view["version"])
            return bool(state["version"] >= 12 or state["over"])

        until(my_turn)  # the computer thinks at the other server now
        servers[0].start()  # and the first comes back as a copy
        back = same_person(two, servers[0])
        assert back.view(table, "red")["view"] == two.view(table, "red")["view"]
        assert beside.state["table"] == versus
    finally:
        for server in servers:
            server.stop()
