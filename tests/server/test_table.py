"""One table without a server: what it tells, to whom, and never before it is stored."""

from __future__ import annotations

import asyncio
import gc
import json
import random
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from grognard.games import find_game
from grognard.kernel.session import Session
from grognard.server.errors import Problem
from grognard.server.journal import Change
from grognard.server.messages import log_lines
from grognard.server.people import Person
from grognard.server.standing import Seat, Watcher
from grognard.server.table import Table

RED = Person("r", "r", "Red")
BLUE = Person("b", "b", "Blue")


class Sink:
    """A watcher and what it was sent."""

    def __init__(self, table: Table, person: Person, side: int, lang: str = "en") -> None:
        self.got: list[dict[str, Any]] = []
        self.watcher = Watcher(person, self.take, side, lang)
        table.watchers.add(self.watcher)
        table.state_for(self.watcher, table.version)  # it knows the position

    def take(self, text: bytes) -> None:
        self.got.append(json.loads(text))


def make_table(record: Callable[[Change], Awaitable[None]]) -> Table:
    session = Session.new(find_game("picket"), "crossing", seed="seed")
    seats = [Seat(0, "human", RED.id, RED.name), Seat(1, "human", BLUE.id, BLUE.name)]
    return Table("table", "A table", session, seats, 0, {}, record)


def choose(table: Table) -> tuple[Person, int, tuple[str, str]]:
    """The first thing that somebody can do."""
    side = table.session.state.waiting[0]
    return (RED, BLUE)[side], side, table.session.game.orders(table.session.state, side)[0]


def run(scene: Callable[[], Awaitable[None]]) -> None:
    with ThreadPoolExecutor(1) as thread:  # this thread may have a loop already: the browser's
        thread.submit(lambda: asyncio.run(scene())).result()  # type: ignore[arg-type]


async def refuse(change: Change) -> None:
    raise OSError("the disk is full")


def test_nobody_is_told_before_it_is_stored() -> None:
    async def scene() -> None:
        stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        changes: list[Change] = []

        def record(change: Change) -> asyncio.Future[None]:
            changes.append(change)
            return stored

        table = make_table(record)
        sinks = [Sink(table, RED, 0), Sink(table, BLUE, 1, "fr"), Sink(table, BLUE, -1)]
        acting = asyncio.create_task(table.act(*choose(table), 0))
        for _ in range(10):
            await asyncio.sleep(0)
        assert [change.version for change in changes] == [1]
        assert [sink.got for sink in sinks] == [[], [], []]
        assert table.version == 0
        stored.set_result(None)
        await acting
        assert table.version == 1
        assert [[(m["type"], m["version"]) for m in sink.got] for sink in sinks] == [[("update", 1)]] * 3
        red, blue, bench = (sink.got[0] for sink in sinks)
        assert red["prompt"]["text"] != blue["prompt"]["text"], "each in its language"
        assert bench["legal"] == []
        assert red["digest"] == blue["digest"] == bench["digest"] == table.session.chain

    run(scene)


def test_what_the_store_refuses_is_told_to_nobody() -> None:
    async def scene() -> None:
        table = make_table(refuse)
        sink = Sink(table, RED, 0)
        with pytest.raises(OSError, match="disk"):
            await table.act(*choose(table), 0)
        assert sink.got == []
        assert table.version == 0
        with pytest.raises(Problem) as found:
            await table.act(*choose(table), 0)
        assert found.value.code == "try-again", "this object is ahead of the store"

    run(scene)


def test_what_cannot_be_told_is_not_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        changes: list[Change] = []

        async def record(change: Change) -> None:
            changes.append(change)

        table = make_table(record)
        Sink(table, RED, 0)
        person, side, action = choose(table)

        def no_view(*_: Any) -> None:
            raise RuntimeError("a bug in a view")

        monkeypatch.setattr(type(table.session.game), "view", no_view)
        with pytest.raises(RuntimeError, match="bug"):
            await table.act(person, side, action, 0)
        assert changes == []
        assert table.broken

    run(scene)


def test_sentences_are_shared_only_by_those_who_may_know_the_same() -> None:
    session, luck = Session.new(find_game("bitw"), find_game("bitw").scenarios[0], seed="7"), random.Random(7)
    for _ in range(60):
        side = session.state.waiting[0]
        session.act(side, luck.choice(session.game.orders(session.state, side)))
    said: dict[bytes, str] = {}
    told = [log_lines(session, side, "en", 0, said=said) for side in (0, 1, -1)]
    assert told == [log_lines(session, side, "en", 0) for side in (0, 1, -1)]
    assert told[0] != told[1], "the two sides do not know the same"


def test_an_action_leaves_nothing_to_the_garbage_collector() -> None:
    """The server collects rarely: a cycle in a view would keep every past position until then."""

    async def scene() -> None:
        async def record(change: Change) -> None:
            pass

        table = make_table(record)
        Sink(table, RED, 0), Sink(table, BLUE, 1)
        await table.act(*choose(table), 0)
        gc.collect()
        gc.disable()
        try:
            for version in range(1, 9):
                await table.act(*choose(table), version)
            assert gc.collect() == 0
        finally:
            gc.enable()

    run(scene)


def test_games_that_come_and_go_leave_nothing_behind() -> None:
    """Memory is flat: after hundreds of actions at tables that were closed there are as many things as before them."""

    async def game() -> None:
        async def record(change: Change) -> None:
            pass

        table = make_table(record)
        Sink(table, RED, 0), Sink(table, BLUE, 1, "fr")
        while table.session.result is None and table.version < 80:
            person, side, _ = choose(table)
            orders = table.session.game.orders(table.session.state, side)
            await table.act(person, side, orders[table.version * 7 % len(orders)], table.version)

    def things() -> int:
        gc.collect()
        return len(gc.get_objects())

    async def scene() -> None:
        counts = []
        for _ in range(3):
            for _ in range(4):
                await game()
            counts.append(things())
        assert abs(counts[2] - counts[1]) < 200, counts  # a table of eighty actions has thousands

    run(scene)


def test_a_legal_list_is_made_once_however_many_look(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find_game("picket")
    asked: list[int] = []
    orders = type(game).orders

    def counted(self: Any, s: Any, side: int) -> Any:
        asked.append(side)
        return orders(self, s, side)

    async def store(change: Change) -> None:
        """At once."""

    async def scene() -> None:
        table = make_table(store)
        sinks = [Sink(table, person, side, lang) for person, side in ((RED, 0), (BLUE, 1)) for lang in ("en", "fr")]
        person, side, order = choose(table)
        monkeypatch.setattr(type(game), "orders", counted)
        await table.act(person, side, order, table.version)
        monkeypatch.undo()
        assert len(sinks[0].got) == 1
        assert sorted(asked) == sorted(set(asked)), "each side's list once, not once for each language"

    run(scene)


def test_a_table_that_is_played_at_does_not_rest() -> None:
    """Over a websocket nobody asks the hall for it; else its chronicle would be written after every action."""

    async def scene() -> None:
        async def record(change: Change) -> None:
            return None

        table = make_table(record)
        table.used -= 10_000
        before = table.used
        await table.act(*choose(table), 0)
        assert table.used >= before + 10_000

    run(scene)
