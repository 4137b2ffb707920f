"""Tables in memory: bounded by bytes, none forgotten that somebody looks at, and a polite no when there is no room."""

from __future__ import annotations

import asyncio
import gc
import platform
import random
import subprocess
import sys
import tracemalloc
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest

from grognard.games import find_game, playable_names
from grognard.kernel.forgetting import forget_beyond
from grognard.kernel.session import Session
from grognard.server import opening
from grognard.server.errors import Problem
from grognard.server.hall import Hall
from grognard.server.journal import Change
from grognard.server.messages import orders_now
from grognard.server.packing import pack
from grognard.server.people import Person
from grognard.server.settings import Settings
from grognard.server.standing import Seat, Watcher
from grognard.server.table import Table
from grognard.server.weight import A_SOCKET, SOON, weight_of
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
        hall.room.most -= A_SOCKET  # what the connection took is not enough
        await opening.create(hall, ME, ORDER, "en")
        assert watched[1].id not in hall.tables
        assert all(table.id in hall.tables for i, table in enumerate(watched) if i != 1)
        assert hall.room.weight() <= hall.room.most + hall.room.weight_of(watched[0])

    pack(session := Session.new(find_game("picket"), "raid", seed="x"))
    weight = weight_of(session)
    in_hall(tmp_path, 5 * (weight + A_SOCKET), scene)


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


async def play_at(table: Table, actions: int, then: Callable[[Table], None] = lambda table: None) -> None:
    """Random actions at a table that both sides look at."""
    luck, session = random.Random(3), table.session
    for side in session.game.playing(session.state)[:2]:
        watcher = Watcher(ME, lambda text: None, side)
        table.watchers.add(watcher)
        table.state_for(watcher, table.version)
    for _ in range(actions):
        if session.result is None:
            side = session.state.waiting[0]
            await table.act(ME, side, luck.choice(orders_now(session, side)), table.version)
            then(table)


def a_table(name: str, actions: int) -> Table:
    async def record(change: Change) -> None:
        pass

    session = Session.new(game := find_game(name), game.scenarios[0], seed="weight")
    seats = [Seat(side, "human", ME.id, ME.name) for side in game.playing(session.state)]
    table = Table("t", "t", session, seats, 0, {}, record)
    run(partial(play_at, table, actions))
    forget_beyond(0)  # pieces that are remembered are in the views too: alone they are the table's
    gc.collect()
    return table


def held(name: str, actions: int) -> tuple[int, int]:
    """What a table holds after so many actions, by the interpreter's own count, and what it is said to weigh."""
    a_table(name, actions)  # what the game itself remembers is not the table's
    tracemalloc.start()
    try:
        table = a_table(name, actions)
        said, with_it = weight_of(table.session, table.views.values()), tracemalloc.get_traced_memory()[0]
        del table
        gc.collect()
        return with_it - tracemalloc.get_traced_memory()[0], said
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", playable_names())
def test_what_a_table_is_said_to_weigh_is_about_true(name: str) -> None:
    few, said = held(name, 2)
    assert few / 1.8 < said < few * 1.8
    many, said = held(name, 66)
    assert many / 1.8 < said < many * 1.8
    assert (many - few) / 64 < 1000, "the last entries are open, the others packed"
    later, said = held(name, 150)
    assert later / 1.8 < said < later * 1.8
    assert (later - many) / 84 < 300, "from then on an action leaves its packed entry and a share of a snapshot behind"


def test_the_weight_follows_the_game(tmp_path: Path) -> None:
    """It was taken when a table came, before anybody had looked, and again after 64 actions."""

    async def scene(hall: Hall) -> None:
        table, _ = await opening.create(hall, ME, ORDER, "en")

        def look(table: Table) -> None:
            hall.wake(table)
            now = weight_of(table.session, table.views.values())
            if table.version >= SOON:
                assert 0.7 * now < hall.room.weight() < 1.4 * now

        await play_at(table, 40, look)
        assert table.version >= 20
        without = hall.room.weight()
        table.sockets |= {object(), object()}  # type: ignore[arg-type]
        assert hall.room.weight() == without + 2 * A_SOCKET
        table.sockets.clear()

    in_hall(tmp_path, 1 << 30, scene)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only of glibc")
def test_large_things_go_back_to_the_system_and_threads_share_a_heap() -> None:
    """The heaps of a server with many games had half as much again in holes as in things."""
    script = """if True:
        import ctypes, tempfile, threading
        from grognard.server.app import tend_memory

        class Heap(ctypes.Structure):
            _fields_ = [(n, ctypes.c_size_t) for n in "arena ordblks smblks hblks hblkhd a b used free keep".split()]

        libc = ctypes.CDLL(None)
        libc.mallinfo2.restype = Heap
        libc.fopen.restype = ctypes.c_void_p
        tend_memory()
        first = bytearray(16 << 20)
        del first  # from this the library would learn to put the next ones into its heap
        before = libc.mallinfo2().hblkhd
        second = [bytearray(1 << 20) for _ in range(8)]
        print(libc.mallinfo2().hblkhd - before >= 8 << 20)
        threads = [threading.Thread(target=lambda: [bytearray(2000 + n) for n in range(500)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        with tempfile.NamedTemporaryFile() as told:
            stream = ctypes.c_void_p(libc.fopen(told.name.encode(), b"w"))
            libc.malloc_info(0, stream)
            libc.fclose(stream)
            print(told.read().count(b"<heap nr="))
    """
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    large, heaps = done.stdout.split()
    assert large == "True"
    assert int(heaps) <= 2, "there is one for each thread otherwise"


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
