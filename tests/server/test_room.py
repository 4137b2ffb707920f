"""Tables in memory: bounded by bytes, none forgotten that somebody looks at, and a polite no when there is no room."""

from __future__ import annotations

import asyncio
import gc
import random
import tracemalloc
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from grognard.games import find_game, playable_names
from grognard.kernel.session import Session
from grognard.server import opening
from grognard.server.errors import Problem
from grognard.server.hall import Hall
from grognard.server.people import Person
from grognard.server.settings import Settings
from grognard.server.table import Table
from grognard.server.weight import weight_of
from tests.server.harness import Server
from tests.server.test_table import run

ME = Person("me", "me", "Me")
ORDER = {"game": "picket", "scenario": "raid", "seats": {"red": "me", "blue": "me"}}


def in_hall(folder: Path, memory: int, scene: Callable[[Hall], Awaitable[None]]) -> None:
    async def play() -> None:
        hall = Hall(Settings(database=f"sqlite:///{folder}/x.db", memory=memory))
        try:
            await scene(hall)
        finally:
            await hall.close()

    run(play)


def test_a_watched_table_is_never_forgotten_and_the_next_is_refused(tmp_path: Path) -> None:
    async def scene(hall: Hall) -> None:
        async def fill() -> None:
            for _ in range(20):
                table, _ = await opening.create(hall, ME, ORDER, "en")
                table.sockets.add(object())
                assert hall.tables[table.id] is table, "the table just opened is there"

        with pytest.raises(Problem, match="full") as refused:
            await fill()
        assert refused.value.status == 503
        watched = list(hall.tables.values())
        assert 3 <= len(watched) < 20, "about as many as were paid for"
        watched[1].sockets.clear()  # somebody leaves: there is room for one more
        await opening.create(hall, ME, ORDER, "en")
        assert watched[1].id not in hall.tables
        assert all(table.id in hall.tables for i, table in enumerate(watched) if i != 1)
        assert hall.room.weight() <= hall.room.most + watched[0].weight

    weight = weight_of(Session.new(find_game("picket"), "raid", seed="x"))
    in_hall(tmp_path, 5 * weight, scene)


def test_a_forgotten_table_that_a_request_still_holds_comes_back_as_the_same(tmp_path: Path) -> None:
    async def scene(hall: Hall) -> None:
        held, _ = await opening.create(hall, ME, ORDER, "en")
        for _ in range(3):
            await opening.create(hall, ME, ORDER, "en")
        assert held.id not in hall.tables
        assert await hall.find(held.id) is held
        name = held.id
        for _ in range(3):
            await opening.create(hall, ME, ORDER, "en")
        del held
        gc.collect()
        assert name not in hall.room.forgotten
        assert (await hall.find(name)).id == name, "from the store"

    in_hall(tmp_path, 1, scene)


def test_a_table_that_rests_is_left_to_the_store_unless_something_waits_there(tmp_path: Path) -> None:
    """So that a server which runs for years is as large as what is in use."""

    async def scene(hall: Hall) -> None:
        made = [(await opening.create(hall, ME, ORDER, "en"))[0] for _ in range(4)]
        rests, watched, offered, lately = made
        for table in (rests, watched, offered):
            table.used -= 100
        watched.sockets.add(object())  # type: ignore[arg-type]
        offered.session.draw_offers = (0,)
        ids = [table.id for table in made]
        del made, table
        await rests.act(ME, *first_order(rests))
        version, chain, rests.used = rests.version, rests.session.chain, rests.used - 200
        hall.room.let_rest(hall.thinking, 50)
        assert list(hall.tables) == ids[1:]
        del rests
        gc.collect()
        again = await hall.find(ids[0])
        assert (again.version, again.session.chain) == (version, chain)
        assert hall.tables[ids[3]] is lately

    def first_order(table: Table) -> tuple[int, tuple[str, str], int]:
        side = table.session.state.waiting[0]
        return side, table.session.game.orders(table.session.state, side)[0], table.version

    in_hall(tmp_path, 1 << 30, scene)


def test_ids_that_nobody_has_leave_nothing_behind(tmp_path: Path) -> None:
    async def scene(hall: Hall) -> None:
        for number in range(50):
            for name in (f"x{number}", "y" * 5000, "a\0b", "ü"):
                with pytest.raises(Problem):
                    await hall.find(name)
        with pytest.raises(Problem):
            await asyncio.gather(*(hall.find("same") for _ in range(5)))
        await asyncio.sleep(0.1)
        assert not hall.room.doors
        assert not hall.tables

    in_hall(tmp_path, 1 << 30, scene)


@pytest.mark.parametrize("name", playable_names())
def test_what_a_table_is_said_to_weigh_is_about_true(name: str) -> None:
    def play() -> Session:
        luck = random.Random(3)
        session = Session.new(game, game.scenarios[0], seed="weight")
        while session.result is None and len(session.entries) < 100:
            side = session.state.waiting[0]
            session.act(side, luck.choice(game.orders(session.state, side)))
        return session

    game = find_game(name)
    play()  # what the game itself remembers is not the table's
    gc.collect()
    tracemalloc.start()
    try:
        session = play()
        said = weight_of(session)
        gc.collect()
        with_it = tracemalloc.get_traced_memory()[0]
        del session  # what goes with it was its own; what the game remembers stays
        gc.collect()
        measured = with_it - tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert measured / 2.5 < said < measured * 2.5


def test_a_full_server_says_so_and_hurts_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROGNARD_MEMORY", "1")
    server = Server(f"sqlite:///{tmp_path}/x.db", tmp_path)
    server.start()
    try:
        host = server.visitor()
        order = {"game": "surrender", "seats": {}}
        first = None
        for _ in range(40):
            answer = host.post("/api/tables", order)
            if answer.status_code != 201:
                break
            live = host.watch(answer.json()["id"], "spectator")
            first = first or live
        assert answer.status_code == 503
        assert answer.json()["error"]["code"] == "full"
        assert answer.headers["retry-after"]
        assert first is not None
        first.say(type="ping")
        assert first.wait("pong")
        assert host.get("/api/health").status_code == 200
    finally:
        server.stop()
