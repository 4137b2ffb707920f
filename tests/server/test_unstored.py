"""What the store refuses has not happened: an end that is being stored, or could not be, opens nothing to anybody."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from grognard.games import find_game
from grognard.kernel.gamefile import to_json
from grognard.kernel.record import REFEREE
from grognard.server import chronicle, opening, routes, sitting
from grognard.server.app import make_app
from grognard.server.errors import Problem
from grognard.server.hall import Hall
from grognard.server.journal import Change
from grognard.server.live import Connection, carry_out
from grognard.server.messages import orders_now
from grognard.server.people import Person
from grognard.server.settings import Settings
from grognard.server.sockets import PULL, PUSH
from grognard.server.standing import Watcher
from grognard.server.table import Table
from tests.server.test_table import run

ME = Person("me", "me", "Me")
ALONE = {"game": "picket", "scenario": "raid", "seats": {"red": "me", "blue": "me"}}


def in_app(folder: Path, scene: Callable[[Hall, httpx.AsyncClient], Awaitable[None]], **settings: Any) -> None:
    async def play() -> None:
        app = make_app(Settings(database=f"sqlite:///{folder}/x.db", **settings))
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        try:
            async with httpx.AsyncClient(
                transport=transport, base_url="http://table", headers={"X-Grognard": "1"}
            ) as http:
                await scene(app.state.hall, http)
        finally:
            await app.state.hall.close()

    run(play)


def failing(table: Table) -> asyncio.Event:
    """Have the store take a change in and refuse it when the event is set."""
    go = asyncio.Event()

    async def record(change: Change) -> None:
        await go.wait()
        raise OSError("no space left on the disk")

    table.record = record
    return go


async def begun(table: Table) -> None:
    """Until a change is being stored."""
    while not table.lock.locked():
        await asyncio.sleep(0.001)


def test_an_end_that_the_store_refuses_opens_nothing(tmp_path: Path) -> None:
    async def scene(hall: Hall, http: httpx.AsyncClient) -> None:
        order = {"game": "picket", "scenario": "raid", "seats": {"red": "me", "blue": "ai:greedy"}}
        at = (await http.post("/api/tables", json=order)).json()["id"]
        table = hall.tables[at]
        seed, go = table.session.header.seed, failing(table)
        ending = asyncio.create_task(http.post(f"/api/tables/{at}/resign", json={"side": "red"}))
        await begun(table)
        assert table.session.result is not None, "in memory it is over"
        pages = [f"/api/tables/{at}", f"/api/tables/{at}/view?as=referee", f"/api/tables/{at}/view?as=blue"]
        pages += [f"/g/{at}.json", f"/g/{at}.txt?as=blue", f"/api/tables/{at}/verify", f"/api/tables/{at}/report"]
        asked = [asyncio.create_task(http.get(page)) for page in pages]
        asked.append(asyncio.create_task(http.post(f"/api/tables/{at}/rematch", json={})))
        await asyncio.wait(asked, timeout=0.3)
        go.set()
        answers = [await answer for answer in asked]
        assert (await ending).status_code >= 500
        assert [answer.status_code for answer in answers] == [503] * len(answers)
        assert not any(seed in answer.text for answer in answers)
        again = await http.get(f"/api/tables/{at}")
        assert again.status_code == 200
        assert again.json()["seed"] is None, "the game goes on, with dice that nobody knows"

    in_app(tmp_path, scene)


QUESTIONS = ("why?side=red&verb=wait", "odds?side=red&verb=wait", "foresee?side=red&do=wait", "hint?side=red")


def test_no_question_about_a_position_is_answered_from_one_that_the_store_refuses(tmp_path: Path) -> None:
    async def scene(hall: Hall, http: httpx.AsyncClient) -> None:
        order = {"game": "picket", "scenario": "raid", "seats": {"red": "me", "blue": "ai:greedy"}}
        at = (await http.post("/api/tables", json=order)).json()["id"]
        table = hall.tables[at]
        go = failing(table)
        ending = asyncio.create_task(http.post(f"/api/tables/{at}/resign", json={"side": "red"}))
        await begun(table)
        assert table.session.result is not None, "in memory it is over"
        asked = [asyncio.create_task(http.get(f"/api/tables/{at}/{question}")) for question in QUESTIONS]
        lobby = asyncio.create_task(http.get("/api/tables?list=mine"))
        await asyncio.wait([*asked, lobby], timeout=0.3)
        go.set()
        answers = [await answer for answer in asked]
        assert (await ending).status_code >= 500
        assert [answer.status_code for answer in answers] == [503] * len(answers)
        assert not any(line["over"] or line["winner"] for line in (await lobby).json())
        assert [line["id"] for line in (await http.get("/api/tables?list=mine")).json()] == [at]

    in_app(tmp_path, scene)


def test_a_question_holds_until_the_position_is_stored_and_keeps_to_it(tmp_path: Path) -> None:
    async def scene(hall: Hall, http: httpx.AsyncClient) -> None:
        at = (await http.post("/api/tables", json=ALONE)).json()["id"]
        table = hall.tables[at]
        session, stored, go = table.session, table.record, asyncio.Event()
        side = session.state.waiting[0]
        first = orders_now(session, side)[0]

        async def record(change: Change) -> None:
            await go.wait()
            await stored(change)

        before = table.moment()
        table.record = record
        acting = asyncio.create_task(table.act(ME, side, first, 0))
        await begun(table)
        assert before.chain == session.chain0, "what was taken before the action stays there"
        assert session.chain != session.chain0, "while in memory the game has gone on"
        assert before.luck(side) != session.luck(side)
        asked = asyncio.create_task(http.get(f"/api/tables/{at}/why?side={session.game.side_name(side)}&verb=nothing"))
        assert not (await asyncio.wait({asked}, timeout=0.1))[0], "nothing is said of it yet"
        go.set()
        await acting
        refusal = session.game.why(session.state, side, ("nothing", ""))
        assert (await asked).json()["refusal"]["reason"] == refusal.reason

    in_app(tmp_path, scene)


def test_the_computer_does_not_think_about_what_the_store_refuses(tmp_path: Path) -> None:
    async def scene(hall: Hall, http: httpx.AsyncClient) -> None:
        order = {"game": "picket", "scenario": "raid", "seats": {"red": "me", "blue": "ai:random"}}
        table, _ = await opening.create(hall, ME, order, "en")
        for task in list(hall.thinking.values()):
            await task
        thought: list[int] = []

        async def choose(*given: Any) -> Any:
            thought.append(table.version)
            raise AssertionError("the position is not stored")

        hall.computer.choose = choose  # type: ignore[method-assign]
        go, heard = failing(table), []
        table.watchers.add(Watcher(ME, heard.append))
        side = table.session.state.waiting[0]
        acting = asyncio.create_task(table.change(None, lambda: blue_is_to_act(table, side)))
        await begun(table)
        hall.wake(table)
        (thinking,) = hall.thinking.values()
        await asyncio.wait({thinking}, timeout=0.1)
        go.set()
        with pytest.raises(OSError, match="disk"):
            await acting
        await thinking
        assert (thought, heard) == ([], [])

    def blue_is_to_act(table: Table, side: int) -> None:
        luck = random.Random(1)
        while table.seat_of(table.session.state.waiting[0]).kind != "ai":
            table.session.act(side, luck.choice(table.session.game.orders(table.session.state, side)))

    in_app(tmp_path, scene)


def test_who_comes_to_watch_while_an_end_is_refused_is_shown_nothing(tmp_path: Path) -> None:
    async def scene(hall: Hall, http: httpx.AsyncClient) -> None:
        table, _ = await opening.create(hall, ME, ALONE, "en")
        go, said = failing(table), []

        def push(text: bytes) -> bool:
            said.append(text)
            return True

        ways: dict[str, Any] = {PUSH: push, PULL: None}
        line = Connection(hall, table, ME, SimpleNamespace(scope={"extensions": ways}, client=None))  # type: ignore[arg-type]
        ending = asyncio.create_task(table.change(None, lambda: table.session.resign(0), ends=True))
        await begun(table)
        coming = asyncio.create_task(line._watch({"type": "watch", "as": "referee"}))
        await asyncio.wait({coming}, timeout=0.1)
        go.set()
        with pytest.raises(OSError, match="disk"):
            await ending
        with pytest.raises(Problem, match="try-again"):
            await coming
        assert said == []

    in_app(tmp_path, scene)


def test_who_plays_does_not_wait_while_somebody_has_the_file_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = threading.Event(), threading.Event()
    whole = routes.from_session

    def slow(*given: Any) -> Any:
        begun.set()
        assert go_on.wait(60)
        return whole(*given)

    monkeypatch.setattr(routes, "from_session", slow)

    async def scene(hall: Hall, http: httpx.AsyncClient) -> None:
        at = (await http.post("/api/tables", json=ALONE)).json()["id"]
        table = hall.tables[at]
        me, side = Person(table.seats[0].person, "", ""), table.session.state.waiting[0]
        fetching = asyncio.create_task(http.get(f"/g/{at}.json"))
        await asyncio.to_thread(begun.wait, 60)
        orders = orders_now(table.session, side)
        await asyncio.wait_for(table.act(me, side, orders[0], 0), 60)  # with the lock held it would never end
        assert not fetching.done()
        go_on.set()
        assert (await fetching).json()["actions"] == [], "the game as it was when the file was asked for"
        monkeypatch.setattr(routes, "from_session", whole)
        assert (await http.get(f"/g/{at}.json")).json() == to_json(whole(table.session, REFEREE))

    in_app(tmp_path, scene)


def test_an_order_that_waited_while_the_table_was_read_again_is_carried_out_at_what_was_read(tmp_path: Path) -> None:
    async def scene(hall: Hall, http: httpx.AsyncClient) -> None:
        table, _ = await opening.create(hall, ME, ALONE, "en")
        async with table.lock:
            waiting = asyncio.create_task(carry_out(hall, table, ME, "resign", {"side": "red"}))
            await asyncio.sleep(0.05)
            rows = await hall.run(hall.fetch, table.id)
            table.become(hall.replay(*rows))
        await waiting
        assert table.session.result is not None
        assert [entry.verb for entry in await hall.run(hall.store.actions, table.id)] == ["resign"]

    in_app(tmp_path, scene)


def test_time_that_runs_out_at_a_table_that_the_store_refused_leaves_no_gap_in_the_log(tmp_path: Path) -> None:
    async def scene(hall: Hall, http: httpx.AsyncClient) -> None:
        table, _ = await opening.create(hall, ME, ALONE | {"time": {"bank_s": 10}}, "en")
        side, stored = table.session.state.waiting[0], table.record
        failing(table).set()
        with pytest.raises(OSError, match="disk"):
            await table.act(ME, side, orders_now(table.session, side)[0], 0)
        table.record = stored  # the disk has room again
        table.clock.bank = [0.0, 0.0]
        await table.tick()
        assert await hall.run(hall.store.actions, table.id) == [], "nothing that goes on from what was not stored"
        again = await hall.find(table.id)
        again.clock.bank = [0.0, 0.0]
        await again.tick()
        assert again.session.result is not None, "the table as it is stored loses on time"
        hall.tables.clear()
        assert (await hall.find(table.id)).session.result is not None

    in_app(tmp_path, scene)


def test_who_leaves_for_good_leaves_also_a_game_whose_end_is_refused_at_that_moment(tmp_path: Path) -> None:
    async def scene(hall: Hall, http: httpx.AsyncClient) -> None:
        table, _ = await opening.create(hall, ME, ALONE, "en")
        go = failing(table)
        ending = asyncio.create_task(table.change(None, lambda: table.session.resign(0), ends=True))
        await begun(table)
        assert table.session.result is not None, "in memory it is over"
        leaving = asyncio.create_task(sitting.leave_everywhere(hall, ME))
        await asyncio.wait({leaving}, timeout=0.1)
        go.set()
        with pytest.raises(OSError, match="disk"):
            await ending
        await leaving
        assert [entry.verb for entry in await hall.run(hall.store.actions, table.id)] == ["resign"]
        assert (await hall.find(table.id)).session.result is not None

    in_app(tmp_path, scene)


def test_a_chronicle_that_cannot_be_written_is_not_tried_after_every_action(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[int] = []

    def gather(session: Any, since: int, **_: Any) -> None:
        tries.append(len(session.entries))
        raise OSError("no more processes")

    async def scene(hall: Hall, http: httpx.AsyncClient) -> None:
        long = {"game": "bitw", "scenario": "SBW3", "seats": dict.fromkeys(find_game("bitw").sides, "me")}
        table, _ = await opening.create(hall, ME, long, "en")
        luck = random.Random(1)
        for _ in range(2 * chronicle.STEP + 8):
            side = table.session.state.waiting[0]
            await table.act(ME, side, luck.choice(orders_now(table.session, side)), table.version)
            hall.wake(table)
            await asyncio.gather(*hall.scribe.at_work.values())
        assert table.session.result is None
        assert tries == [chronicle.STEP, 2 * chronicle.STEP]

    monkeypatch.setattr(chronicle, "gather", gather)
    in_app(tmp_path, scene)
    assert len(tries) == 3, "and once more at the end"
