"""Seats: nobody sits on another's, whichever server one asks; who may find, watch and hear a table."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

from grognard.server import opening, sitting
from grognard.server.errors import Problem
from grognard.server.hall import Hall
from grognard.server.people import Person
from grognard.server.settings import Settings
from tests.server.harness import Server, Visitor
from tests.server.test_table import run

RACES = 12


@pytest.fixture(scope="module")
def second(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Another server on the same database."""
    running = Server(server.database, tmp_path_factory.mktemp("second"))
    running.start()
    yield running
    running.stop()


def at_once(*deeds: Any) -> list[Any]:
    """Do several things at the same moment; what came of each."""
    gate, found = threading.Barrier(len(deeds)), [None] * len(deeds)

    def run(index: int) -> None:
        gate.wait()
        found[index] = deeds[index]()

    threads = [threading.Thread(target=run, args=(i,)) for i in range(len(deeds))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def owner_of(server: Server, table: str, side: str) -> str:
    """Who sits there, as the database has it."""
    from grognard.server.store import Store

    store = Store(server.database)
    row = next(r for r in store.seats(table) if r["side"] == ("red", "blue").index(side))
    store.close()
    return str(row["person"])


@pytest.mark.parametrize("way", ["open", "invited"])
def test_two_people_at_two_servers_race_for_one_seat(server: Server, second: Server, way: str) -> None:
    creator, one, two = server.visitor(), server.visitor(), second.visitor()
    for _ in range(RACES):
        table, invitations = creator.open_table(seats={"red": "me", "blue": way})
        for person in (one, two):
            assert person.get(f"/api/tables/{table}").status_code == 200, "both have the table in their memory"
        path, body = f"/api/tables/{table}/sit", {"side": "blue"}
        if way == "invited":
            path, body = "/api/join", {"token": invitations["blue"].partition("#")[2]}
        answers = at_once(partial(one.post, path, body), partial(two.post, path, body))
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        mine = [p.get(f"/api/tables/{table}").json()["mine"] for p in (one, two)]
        assert sorted(mine) == [[], ["blue"]]
        assert owner_of(server, table, "blue")


def test_a_seat_taken_at_one_server_is_not_free_at_the_other(server: Server, second: Server) -> None:
    creator, one, two = server.visitor(), server.visitor(), second.visitor()
    table, _ = creator.open_table(seats={"red": "me", "blue": "open"})
    assert two.get(f"/api/tables/{table}").json()["seats"][1]["kind"] == "open"
    assert one.post(f"/api/tables/{table}/sit", {"side": "blue"}).status_code == 200
    late = two.post(f"/api/tables/{table}/sit", {"side": "blue"})
    assert (late.status_code, late.json()["error"]["code"]) == (409, "seat-taken")
    assert one.post(f"/api/tables/{table}/sit", {"side": "blue"}).status_code == 200, "coming back is fine"


def test_a_body_that_comes_late_steals_no_seat(server: Server) -> None:
    """The request is there first, its body when somebody else sits: once the table had been looked at too early."""
    creator, thief, guest = server.visitor(), server.visitor(), server.visitor()
    table, _ = creator.open_table(seats={"red": "me", "blue": "open"})
    body = json.dumps({"side": "blue"}).encode()
    head = (
        f"POST /api/tables/{table}/sit HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nX-Grognard: 1\r\n"
        f"Cookie: grognard={thief.http.cookies['grognard']}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as slow:
        slow.sendall(head.encode() + body[:3])
        assert guest.post(f"/api/tables/{table}/sit", {"side": "blue"}).status_code == 200
        slow.sendall(body[3:])
        answer = slow.recv(65536)
    assert b" 409 " in answer.split(b"\r\n", 1)[0]
    assert guest.get(f"/api/tables/{table}").json()["mine"] == ["blue"]


def test_an_invitation_reserves_its_seat(server: Server) -> None:
    creator, stranger, friend = server.visitor(), server.visitor(), server.visitor()
    table, invitations = creator.open_table(seats={"red": "me", "blue": "invited"}, terms={"listed": True})
    assert table not in [t["id"] for t in stranger.get("/api/tables", list="open").json()], "no seat is open"
    refused = stranger.post(f"/api/tables/{table}/sit", {"side": "blue"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "seat-reserved")
    assert friend.join(invitations["blue"])["side"] == "blue"
    assert friend.post("/api/join", {"token": invitations["blue"].partition("#")[2]}).status_code == 200
    late = stranger.post("/api/join", {"token": invitations["blue"].partition("#")[2]})
    assert (late.status_code, late.json()["error"]["code"]) == (409, "seat-taken")


@pytest.mark.parametrize("opened", [False, True])
def test_an_invitation_is_taken_up_and_taken_back_at_the_same_moment(
    server: Server, second: Server, opened: bool
) -> None:
    """Either the guest sits and the owner hears that the seat is taken, or the invitation is none any more."""
    creator, guest = server.visitor(), second.visitor()
    for _ in range(RACES):
        table, invitations = creator.open_table(seats={"red": "me", "blue": "invited"})
        token = invitations["blue"].partition("#")[2]
        joined, withdrawn = at_once(
            partial(guest.post, "/api/join", {"token": token}),
            partial(creator.post, f"/api/tables/{table}/invite", {"side": "blue", "open": opened}),
        )
        outcome = joined.status_code, withdrawn.status_code
        assert outcome in {(200, 409), (404, 200)}, (joined.text, withdrawn.text)
        if outcome == (404, 200):
            assert joined.json()["error"]["code"] == "bad-invitation"
            assert guest.post("/api/join", {"token": token}).status_code == 404
        assert bool(owner_of(server, table, "blue")) == (joined.status_code == 200)


def test_an_invitation_that_was_taken_back_while_it_was_on_its_way_is_none(server: Server) -> None:
    """It was found and then withdrawn: nobody is told that somebody else has the seat, for it is free."""

    async def scene() -> None:
        hall = Hall(Settings(database=server.database))
        try:
            owner, guest = Person("owner", "owner", "Owner"), Person("guest", "guest", "Guest")
            wish = {"game": "picket", "seats": {"red": "me", "blue": "invited"}}
            table, invitations = await opening.create(hall, owner, wish, "en")
            token = invitations["blue"].partition("#")[2]
            await sitting.reserve(hall, table, owner, 1, opened=True)
            with pytest.raises(Problem, match="bad-invitation"):
                await sitting.sit(hall, table, guest, 1, token)
            await sitting.sit(hall, table, guest, 1)
            assert table.sides_of(guest) == [1]
        finally:
            await hall.close()

    run(scene)


def test_one_person_takes_both_seats_of_a_rated_table_at_the_same_moment(server: Server) -> None:
    """At two servers neither had heard of the other seat: the store decides."""
    from grognard.server.seating import take_seat
    from grognard.server.store import Store

    creator = server.visitor()
    stores = Store(server.database), Store(server.database)
    for number in range(RACES):
        table, _ = creator.open_table(seats={"red": "open", "blue": "open"})
        name = f"greedy{number}"
        taken = at_once(
            *(partial(take_seat, store, table, side, name, "G", once=True) for side, store in enumerate(stores))
        )
        assert sorted(taken) == [False, True]
        assert [owner_of(server, table, side) for side in ("red", "blue")].count(name) == 1
    for store in stores:
        store.close()


def test_the_owner_invites_anew_and_opens_and_nobody_else_does(server: Server) -> None:
    creator, stranger = server.visitor(), server.visitor()
    table, invitations = creator.open_table(seats={"red": "me", "blue": "invited"})
    assert stranger.post(f"/api/tables/{table}/invite", {"side": "blue"}).status_code == 403
    new = creator.post(f"/api/tables/{table}/invite", {"side": "blue"}).json()["invitation"]
    assert new.startswith("/join#")
    assert stranger.post("/api/join", {"token": invitations["blue"].partition("#")[2]}).status_code == 404, (
        "the old one"
    )
    assert creator.post(f"/api/tables/{table}/invite", {"side": "blue", "open": True}).json() == {"invitation": None}
    assert stranger.post(f"/api/tables/{table}/sit", {"side": "blue"}).status_code == 200
    taken = creator.post(f"/api/tables/{table}/invite", {"side": "blue"})
    assert (taken.status_code, taken.json()["error"]["code"]) == (409, "seat-taken")
    assert creator.post(f"/api/tables/{table}/invite", {"side": "spectator"}).status_code == 422


def closed(server: Server, **terms: Any) -> tuple[Visitor, Visitor, str]:
    """A game of two, on these terms."""
    red, blue = server.visitor(), server.visitor()
    table, invitations = red.open_table(terms=terms)
    blue.join(invitations["blue"])
    return red, blue, table


def test_watchers_may_be_refused(server: Server) -> None:
    red, _, table = closed(server, watchers="nobody")
    stranger = server.visitor()
    for path in (f"/api/tables/{table}/view", f"/g/{table}.txt", f"/g/{table}.json"):
        answer = stranger.get(path)
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "no-watchers"), path
    card = stranger.get(f"/api/tables/{table}").json()
    assert not card["admitted"]
    assert not {"chat", "terms", "dice", "offers"} & set(card)
    headers = {"Cookie": f"grognard={stranger.http.cookies['grognard']}"}
    with connect(f"ws://127.0.0.1:{server.port}/ws/tables/{table}", additional_headers=headers) as live:
        live.send(json.dumps({"type": "watch", "as": "spectator"}))
        assert json.loads(live.recv(60))["code"] == "no-watchers"
    assert red.get(f"/api/tables/{table}/view").status_code == 200


def test_watchers_may_be_kept_behind(server: Server) -> None:
    red, blue, table = closed(server, delay=3)
    stranger = server.visitor()
    live = stranger.watch(table, "spectator")
    for n in range(6):
        for side, person in (("red", red), ("blue", blue)):
            state = person.view(table, side)
            if state["legal"]:
                assert person.act(table, side, *state["legal"][-1], state["version"]).status_code == 200
                break
        entries = n + 1
        seen = stranger.view(table, "spectator")
        assert max([line["n"] for line in seen["log"]], default=0) == max(0, entries - 3)
        told = live.wait("state")
        assert max([line["n"] for line in told["log"]], default=0) == max(0, entries - 3)
        assert max(line["n"] for line in red.view(table, "red")["log"]) == entries
    assert stranger.get(f"/api/tables/{table}/view", at=5).status_code == 422
    assert stranger.get(f"/g/{table}.txt").status_code == 403
    red.post(f"/api/tables/{table}/resign", {"side": "red"})
    assert len(stranger.view(table, "spectator")["log"]) == 7, "at the end everything is shown"


def test_the_talk_of_players_is_theirs_unless_they_share_it(server: Server) -> None:
    red, blue, table = closed(server)
    stranger = server.visitor()
    quiet, heard = stranger.watch(table, "spectator"), blue.watch(table, "blue")
    assert red.post(f"/api/tables/{table}/chat", {"text": "A secret plan."}).status_code == 200
    assert heard.wait("chat")["text"] == "A secret plan."
    quiet.say(type="ping")
    quiet.wait("pong")  # all that was sent before has been heard
    assert not any("secret plan" in text for text in quiet.raw)
    refused = stranger.post(f"/api/tables/{table}/chat", {"text": "I say!"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "no-chat")
    assert stranger.view(table, "spectator")["chat"] == []
    assert stranger.http.put(f"/api/tables/{table}/terms", json={"chat": "all"}).status_code == 403
    assert red.http.put(f"/api/tables/{table}/terms", json={"chat": "all"}).json()["chat"] == "all"
    assert stranger.view(table, "spectator")["chat"], "now it is for all"
    assert stranger.post(f"/api/tables/{table}/chat", {"text": "I say!"}).status_code == 200


def test_who_only_talks_is_shown_nothing_of_the_game(server: Server) -> None:
    """The answer to a line of chat once was the whole board of now, past every delay and every closed door."""
    red, blue, table = closed(server, delay=3, chat="all")
    for _ in range(2):
        for side, person in (("red", red), ("blue", blue)):
            state = person.view(table, side)
            if state["legal"]:
                assert person.act(table, side, *state["legal"][-1], state["version"]).status_code == 200
                break
    said = server.visitor().post(f"/api/tables/{table}/chat", {"text": "Well played!"})
    assert said.status_code == 200
    assert said.json().keys() <= {"type", "version"}
    _, _, other = closed(server, watchers="nobody", chat="all")
    said = server.visitor().post(f"/api/tables/{other}/chat", {"text": "Let me in!"})
    assert (said.status_code, said.json()["error"]["code"]) == (403, "no-chat")


@pytest.mark.parametrize(
    "terms",
    [
        {"watchers": "some"}, {"chat": 1}, {"delay": -1}, {"delay": True}, {"delay": 501}, {"listed": "yes"},
        {"patience": 1}, {"patience": 10**12}, {"owner": "me"}, [], "open",
    ],
)  # fmt: skip
def test_terms_that_mean_nothing_are_refused(server: Server, terms: Any) -> None:
    order = {"game": "picket", "scenario": "raid", "seats": {"red": "me", "blue": "open"}, "terms": terms}
    assert server.visitor().post("/api/tables", order).status_code == 422


def test_terms_survive_a_restart(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/t.db", tmp_path)
    server.start()
    red = server.visitor()
    wish = {"listed": True, "watchers": "nobody", "delay": 7, "chat": "all", "patience": 600, "rated": False}
    table, _ = red.open_table(terms=wish)
    server.kill()
    server.start()
    assert red.view(table, "red")["terms"] == wish
    server.stop()
