"""Time banks: they run by the server's own time, which stands still while no server runs and trusts no wall clock."""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from grognard.server import opening
from grognard.server.hall import Hall
from grognard.server.people import Person
from grognard.server.schema import TABLES
from grognard.server.settings import Settings
from grognard.server.store import Store
from grognard.server.table import Table
from grognard.server.uptime import Uptime
from tests.server.test_table import run

ME = Person("me", "me", "Me")
ORDER = {"game": "picket", "scenario": "raid", "seats": {"red": "me", "blue": "me"}, "time": {"bank_s": 100}}


def life(database: str, scene: Callable[[Hall], Awaitable[None]]) -> None:
    """A server from its start to its end."""

    async def play() -> None:
        hall = Hall(Settings(database=database))
        try:
            await scene(hall)
        finally:
            await hall.close()

    run(play)


def thought(table: Table) -> float:
    found: float = table.clock.for_clients(table.uptime())["thought"]
    return found


def later(hall: Hall, seconds: float) -> None:
    """As if so many seconds had passed on this server."""
    hall.uptime.base += seconds


def test_the_clock_stands_still_while_the_server_is_down(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    names: list[str] = []

    async def first(hall: Hall) -> None:
        table, _ = await opening.create(hall, ME, ORDER, "en")
        names.append(table.id)
        later(hall, 30)
        assert 30 <= thought(table) < 60

    async def second(hall: Hall) -> None:
        table = await hall.find(names[0])
        assert 30 <= thought(table) < 60, "what was thought before counts, the night between does not"
        later(hall, 20)
        side = table.session.state.waiting[0]
        await table.act(ME, side, table.session.game.orders(table.session.state, side)[0], table.version)
        assert 20 < table.clock.bank[side] <= 50

    life(database, first)
    tomorrow = time.time() + 86_400
    monkeypatch.setattr(time, "time", lambda: tomorrow)
    life(database, second)


def test_no_wall_clock_is_trusted(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(hall: Hall) -> None:
        table, _ = await opening.create(hall, ME, ORDER, "en")
        for jump in (1e6, -1e6):
            wrong = time.time() + jump
            monkeypatch.setattr(time, "time", lambda wrong=wrong: wrong)
            assert 0 <= thought(table) < 30
            await table.tick()
            assert table.session.result is None

    life(database, scene)


def test_the_flag_of_a_table_that_sleeps_falls(database: str) -> None:
    async def scene(hall: Hall) -> None:
        table, _ = await opening.create(hall, ME, ORDER, "en")
        name = table.id
        del table
        hall.tables.clear()
        assert await hall.look_at_clocks()
        assert not hall.tables, "nobody is woken before the time is up"
        later(hall, 200)
        await hall.look_at_clocks()
        assert hall.tables[name].session.result is not None

    life(database, scene)


def test_a_clock_of_wall_time_from_before_goes_on_from_now(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/x.db"
    names: list[str] = []

    async def first(hall: Hall) -> None:
        names.append((await opening.create(hall, ME, ORDER, "en"))[0].id)

    async def second(hall: Hall) -> None:
        table = await hall.find(names[0])
        assert 0 <= thought(table) < 30
        assert table.clock.bank == [77.0, 100.0]

    life(database, first)
    with sa.create_engine(database).begin() as db:
        old = json.dumps({"bank": [77.0, 100.0], "added": 0.0, "since": time.time() - 5000, "full": 100.0})
        db.execute(TABLES.update().values(clock=old))
    life(database, second)


def test_servers_on_one_database_agree_on_the_time(database: str) -> None:
    ticks = [0.0]
    store = Store(database)
    store.beat(1000.0)
    late, early = Uptime(1000.0, lambda: ticks[0]), Uptime(1000.0, lambda: ticks[0])
    late.base += 50
    late.agree(store.beat(late.now()))
    early.agree(store.beat(early.now()))
    assert early.now() == late.now() == 1050
    ticks[0] = 7
    assert early.now() == 1057
    assert store.beat(3.0) == 1050, "it never goes back"
    store.close()
