"""Hostile players and strangers: made-up positions, work that costs much, words that never end."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from grognard.games import find_game, playable_names
from grognard.kernel import gamefile
from grognard.kernel.errors import GrognardError
from grognard.kernel.gamefile import from_session, to_json
from grognard.kernel.session import Session
from grognard.server import belongings, opening, probe
from grognard.server.doors import Doors
from grognard.server.errors import Problem
from grognard.server.hall import FAILED, Hall
from grognard.server.old import OldTable
from grognard.server.people import Person
from grognard.server.settings import Settings
from grognard.server.standing import Seat
from grognard.server.telling import MOST_CHAT
from grognard.server.terms import Terms
from grognard.server.words import DEEPEST, check_words
from tests.server.harness import Server
from tests.server.test_tables import play_out


def begun(name: str) -> Session:
    """A game that goes on from a position."""
    game = find_game(name)
    first = Session.new(game, game.scenarios[0], seed="1")
    for _ in range(8):
        side = first.state.waiting[0]
        first.act(side, game.orders(first.state, side)[0])
    start = json.dumps(first.state.to_json() | {"seed": "", "loaded": []}, separators=(",", ":"))
    return Session.new(game, game.scenarios[0], seed="2", game_id="x", start=start, origin="y 8")


MADE_UP: list[tuple[str, Any]] = [
    ("waiting", [7]),
    ("waiting", []),
    ("token", [1, 2]),
    ("token", [0] * 12),
    ("frames", []),
    ("turn", 10**40),
    ("scenario", "nowhere"),
]


def test_a_file_that_begins_at_a_position_can_be_taken_in(server: Server) -> None:
    me = server.visitor()
    answer = me.http.post("/api/import", content=json.dumps(to_json(from_session(begun("picket")))))
    assert answer.status_code == 201, answer.text
    assert me.get(f"/api/tables/{answer.json()['id']}/view").status_code == 200


@pytest.mark.parametrize("name", playable_names())
def test_a_sound_position_is_found_sound(name: str) -> None:
    session = begun(name)
    assert probe.is_sound(session.game, session.state, session.header.scenario)


@pytest.mark.parametrize(("field", "value"), MADE_UP)
def test_a_position_that_was_made_up_is_refused(server: Server, field: str, value: Any) -> None:
    me, file = server.visitor(), from_session(begun("picket"))
    position = json.loads(file.header["start"]) | {field: value}
    file.header["start"] = json.dumps(position, separators=(",", ":"))
    answer = me.http.post("/api/import", content=json.dumps(to_json(file)))
    assert answer.status_code == 422, answer.text
    assert me.get("/api/tables", list="mine").json() == []
    assert "Traceback" not in server.log()


def test_a_position_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    header = {"game": "picket", "scenario": "raid", "start": begun("picket").header.start}
    with pytest.raises(Problem) as refused:
        probe.check(header, 0.01)  # no position can be tried in that time
    assert refused.value.code == "bad-position"


def test_lists_in_lists_are_refused_before_they_break_anything(server: Server) -> None:
    deep: Any = "x"
    for _ in range(DEEPEST + 2):
        deep = [deep]
    with pytest.raises(Problem):
        check_words(deep)
    me = server.visitor()
    table, _ = me.open_table(seats={"red": "me", "blue": "me"})
    live = me.watch(table)
    for depth in (60, 500, 900, *range(940, 990)):
        live.socket.send('{"type":"chat","id":1,"x":' + "[" * depth + "]" * depth + "}")
        assert live.wait("error")["status"] == 400, depth


def nested(depth: int) -> Any:
    """Lists in lists."""
    value: Any = "x"
    for _ in range(depth):
        value = [value]
    return value


def signed(twin: dict[str, Any]) -> bytes:
    """A game file with the checksum that its reader will work out."""
    found: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        work_out = gamefile._twin_sum
        patch.setattr(gamefile, "_twin_sum", lambda file: found.append(work_out(file)) or found[0])
        with suppress(GrognardError):
            gamefile.from_json(json.dumps(twin))
    return json.dumps(twin | {"checksum": found[0] if found else ""}).encode()


def odd_files() -> Iterator[tuple[str, bytes]]:
    """Game files that are right but for one thing, which is far too long, too deep or too many."""
    session = Session.new(game := find_game("picket"), "raid", seed="known")
    side = session.state.waiting[0]
    session.act(side, game.orders(session.state, side)[0])
    twin = to_json(from_session(session))
    head, first = twin["header"], twin["actions"][0]
    odd = {
        "long": "x" * 200_000,
        "lengthy": "x" * 15_000,
        "deep": nested(100),
        "number": 10**400,
        "list": ["y"] * 50_000,
    }
    for how, value in odd.items():
        for key in head:
            yield f"{key} {how}", signed(twin | {"header": head | {key: value}})
        for key in first:
            yield f"action {key} {how}", signed(twin | {"actions": [first | {key: value}]})
        yield f"opening {how}", signed(twin | {"opening": [value]})
        yield f"draws {how}", signed(twin | {"opening_draws": value})
    for options in (" ".join(f"o{n}=1" for n in range(1500)), "a=" * 4000, "=" * 8000, "fog=on " * 2000):
        yield f"options {options[:20]}", signed(twin | {"header": head | {"options": options}})
    for start in ("[" * 3000 + "]" * 3000, json.dumps({"scenario": nested(80)}), json.dumps({"x" * 20_000: 1})):
        yield f"start {start[:20]}", signed(twin | {"header": head | {"start": start}})
    for depth in (90, 950, 990, 100_000):
        yield f"lists {depth}", b'{"header":' + b"[" * depth + b"]" * depth + b"}"
        yield f"objects {depth}", b'{"header":' + b'{"a":' * depth + b"1" + b"}" * depth + b"}"
    yield "the same key", b"{" + b",".join([b'"header":{}'] * 50_000) + b"}"


def test_game_files_with_endless_words_and_names_are_refused_in_short_words(server: Server) -> None:
    """A name of 200,000 letters was repeated whole, and compared with every known one."""
    me, taken = server.visitor(), []
    for what, file in odd_files():
        answer = me.http.post("/api/import", content=file)
        assert answer.status_code in (201, 404, 422), (what, answer.status_code)
        assert len(answer.content) < 4000, what
        if answer.status_code == 201:
            taken.append(answer.json()["id"])
            assert not what.startswith(("options", "start", "game", "scenario", "seed", "commitment")), what
    assert taken
    for table in taken:
        for path in (f"/api/tables/{table}", f"/api/tables/{table}/view?as=red", f"/g/{table}.txt"):
            shown = me.http.get(path)
            assert shown.status_code == 200, path
            assert len(shown.content) < 40_000, path
    wish = {"game": "picket", "scenario": "raid", "seats": {"red": "me", "blue": "me"}}
    long = "x" * 30_000
    for more in (
        *({"options": options} for options in ({long: "on"}, {"fog": long}, {"fog": nested(40)}, [1], long)),
        *({"options": {f"o{n}": "1" for n in range(3000)}}, {"seats": {"red": long}}, {"seats": {long: "me"}}),
        *({"seats": ["me"]}, {"seats": {"red": nested(40)}}, {"scenario": long}, {"scenario": nested(40)}),
        *({"game": long}, {"time": {"bank": nested(30)}}, {"terms": {"delay": nested(30)}}, {"terms": {long: 1}}),
    ):
        answer = me.post("/api/tables", wish | more)
        assert answer.status_code in (400, 404, 422), (str(more)[:60], answer.status_code)
        assert len(answer.content) < 4000, str(more)[:60]


def test_what_was_said_is_bounded_in_memory_and_in_number(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/t.db", tmp_path, limits=1)
    server.start()
    try:
        me = server.visitor()
        table, _ = me.open_table(seats={"red": "me", "blue": "me"})
        said = [me.post(f"/api/tables/{table}/chat", {"text": f"{n}"}).status_code for n in range(60)]
        assert said[:15] == [200] * 15
        assert said.count(429) >= 20, "nobody writes so much"
    finally:
        server.stop()


def test_a_table_remembers_the_latest_lines_only(server: Server) -> None:
    me = server.visitor()
    table, _ = me.open_table(seats={"red": "me", "blue": "me"})
    for n in range(MOST_CHAT + 20):
        assert me.post(f"/api/tables/{table}/chat", {"text": f"line {n}"}).status_code == 200
    chat = me.view(table, "red")["chat"]
    assert len(chat) == MOST_CHAT
    assert [chat[0]["n"], chat[-1]["n"], chat[-1]["text"]] == [21, MOST_CHAT + 20, f"line {MOST_CHAT + 19}"]


def test_who_may_not_look_has_no_verdict_and_writes_no_note(server: Server) -> None:
    me, stranger = server.visitor(), server.visitor()
    table, _ = me.open_table(seats={"red": "me", "blue": "me"}, terms={"watchers": "nobody"})
    play_out({"red": me, "blue": me}, table)
    assert me.get(f"/api/tables/{table}/verify").json()["ok"]
    assert stranger.get(f"/api/tables/{table}/verify").status_code == 403
    assert stranger.http.put(f"/api/tables/{table}/note", json={"text": "x"}).status_code == 403


def test_watching_anew_is_no_news_to_the_others(server: Server) -> None:
    me, other = server.visitor(), server.visitor()
    table, _ = me.open_table(seats={"red": "me", "blue": "me"})
    quiet, loud = me.watch(table, "red"), other.watch(table, "spectator")
    for _ in range(20):
        loud.say(type="watch", **{"as": "spectator"}, lang="en")
        loud.wait("state")
    quiet.say(type="ping")
    heard = 0
    while quiet.hear()["type"] != "pong":
        heard += 1
    assert heard <= 2


def test_messages_count_by_address_too(tmp_path: Path) -> None:
    """Guests cost nothing: many of them have no more to say than one household has."""
    settings = Settings(database=f"sqlite:///{tmp_path}/t.db")
    doors = Doors(settings)
    for guest in range(settings.messages_per_address[0]):
        doors.message(f"guest {guest}", "192.0.2.1")
    for _ in range(3):  # some may come back while we count
        doors.messages.buckets["192.0.2.1"] = (0.0, time.monotonic())
        with pytest.raises(Problem):
            doors.message("one more", "192.0.2.1")
    doors.message("guest", "192.0.2.2")


def test_right_passwords_are_looked_at_only_so_often(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/t.db", tmp_path, limits=1)
    server.start()
    try:
        me = server.visitor()
        assert me.post("/api/account", {"name": "Busy", "password": "a long enough one"}).status_code == 200
        me.post("/api/logout")
        answers = [me.post("/api/login", {"name": "Busy", "password": "a long enough one"}) for _ in range(26)]
        assert [answer.status_code for answer in answers].count(429) >= 3
    finally:
        server.stop()


def test_a_computer_that_fails_says_nothing_of_what_it_knows(tmp_path: Path) -> None:
    async def play() -> list[Any]:
        hall = Hall(Settings(database=f"sqlite:///{tmp_path}/t.db"))
        told: list[Any] = []
        try:
            order = {"game": "picket", "seats": {"red": "me", "blue": "me"}}
            table, _ = await opening.create(hall, Person("me", "me", "Me"), order, "en")
            table.tell_all = lambda message, relay=True: told.append(message)  # type: ignore[method-assign]

            async def fail() -> None:
                raise ValueError("blue-guns-1 stands at 0405")

            task = asyncio.create_task(fail())
            await asyncio.wait([task])
            hall._thought(table, task)
        finally:
            await hall.close()
        return told

    assert [message["message"] for message in asyncio.run(play())] == [FAILED]


def test_who_leaves_before_the_dice_are_made_leaves_the_seat_free(server: Server) -> None:
    me, other = server.visitor(), server.visitor()
    name = f"Early {server.port}"
    assert other.post("/api/account", {"name": name, "password": "a long enough one"}).status_code == 200
    table, invitations = me.open_table(game="picket", seats={"red": "me", "blue": "invited"})
    answer = other.post("/api/join", {"token": invitations["blue"].partition("#")[2]})
    assert answer.status_code == 200
    assert other.post("/api/account/delete", {"password": "a long enough one"}).status_code == 200
    seat = next(seat for seat in me.get(f"/api/tables/{table}").json()["seats"] if seat["side"] == "blue")
    assert seat["kind"] == "invited"
    assert seat["name"] not in (name, belongings.GONE)
    invitation = me.post(f"/api/tables/{table}/invite", {"side": "blue"}).json()["invitation"]
    assert server.visitor().join(invitation)["side"] == "blue"


def test_nobody_is_left_less_time_for_a_share_than_was_said_when_sitting_down(server: Server) -> None:
    me, other = server.visitor(), server.visitor()
    table, invitations = me.open_table(terms={"patience": 7200})
    assert me.http.put(f"/api/tables/{table}/terms", json={"patience": 3600}).status_code == 200, "nobody is there yet"
    other.post("/api/join", {"token": invitations["blue"].partition("#")[2]})
    assert me.http.put(f"/api/tables/{table}/terms", json={"patience": 60}).status_code == 422
    assert me.http.put(f"/api/tables/{table}/terms", json={"patience": 7200}).status_code == 200, "more is no harm"


def test_a_delay_holds_while_a_game_of_earlier_rules_may_go_on() -> None:
    game = find_game("picket")
    header = Session.new(game, "raid", seed="1").header
    row = {"id": "x", "over": False}
    seats = [Seat(0, "human", "me", "Me"), Seat(1, "ai", level="greedy")]
    table = OldTable(game, header, row, seats, [], [], [], [], Terms(delay=3))
    assert table.viewpoint(Person("me", "me", "Me"), None) == 0
    with pytest.raises(Problem):
        table.viewpoint(Person("you", "you", "You"), None)
    table.over = True
    assert table.viewpoint(Person("you", "you", "You"), None) == -1


def test_bytes_instead_of_words_are_answered(server: Server) -> None:
    """A binary message is no fault of ours: it is refused, and the connection goes on."""
    me = server.visitor()
    table, _ = me.open_table(seats={"red": "me", "blue": "me"})
    live = me.watch(table)
    live.socket.send(b"\x00\xff\x00")
    assert live.wait("error")["code"] == "not-json"
    live.say(type="ping")
    live.wait("pong")
    live.close()
    assert "Traceback" not in server.log()
