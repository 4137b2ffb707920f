"""One server among others, with what they say put into its ear by hand: what it does, and what it leaves alone."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from grognard.server import announcing, live, peers
from grognard.server.announcing import Announced
from grognard.server.belongings import GONE as GONE_NAME
from grognard.server.errors import Problem, Told
from grognard.server.hall import Hall
from grognard.server.peers import GONE, LONGEST, Peers, lock_of
from grognard.server.people import Person
from grognard.server.schema import SEATS, TABLES
from grognard.server.standing import Watcher
from grognard.server.table import Table
from tests.server.test_unstored import ALONE, begun, failing, in_app

Scene = Callable[[Hall, "Ours", Table], Awaitable[None]]
STRANGER = Person("stranger", "stranger", "Stranger")


class Ours(Peers):
    """A server whose database says yes to every lock, unless told otherwise, and keeps what it was asked."""

    def __init__(self, hall: Hall) -> None:
        super().__init__(hall, "postgresql+psycopg://nobody@nowhere/x")
        self.asked: list[tuple[str, tuple[Any, ...]]] = []
        self.granted = True

    async def _ask(self, statement: str, *values: Any) -> Any:
        self.asked.append((statement, values))
        await asyncio.sleep(0)
        return self.granted if "try_advisory" in statement else None

    @property
    def said(self) -> list[dict[str, Any]]:
        return [json.loads(values[1]) for statement, values in self.asked if "pg_notify" in statement]

    async def hear(self, **message: Any) -> None:
        """A message of another server, and all that comes of it."""
        self._hear({"from": "other"} | message)
        while self.tasks:
            await asyncio.gather(*self.tasks, return_exceptions=True)


def among(folder: Path, scene: Scene) -> None:
    async def play(hall: Hall, http: httpx.AsyncClient) -> None:
        at = (await http.post("/api/tables", json=ALONE)).json()["id"]
        hall.peers = ours = Ours(hall)
        hall.tables[at].relay = ours.relay
        try:
            await scene(hall, ours, hall.tables[at])
        finally:
            hall.peers = None

    in_app(folder, play)


def looker(table: Table) -> list[dict[str, Any]]:
    """What somebody who watches here is told from now on."""
    heard: list[dict[str, Any]] = []
    table.watchers.add(Watcher(STRANGER, lambda text: heard.append(json.loads(text)), -1))
    return heard


def resigning(table: Table) -> asyncio.Task[None]:
    return asyncio.create_task(table.change(None, lambda: table.session.resign(0), ends=True))


@pytest.mark.parametrize("message", [{"terms": ""}, {"told": "", "message": {"type": "dice"}}])
def test_what_another_server_says_shows_no_position_that_the_store_refuses(
    tmp_path: Path, message: dict[str, Any]
) -> None:
    """New terms, or news of the dice, come while an end is being stored: it is told to nobody before it is one."""

    async def scene(hall: Hall, ours: Ours, table: Table) -> None:
        woken: list[Table] = []
        hall.wake = woken.append
        heard, go = looker(table), failing(table)
        ours.owned.add(table.id)
        ending = resigning(table)
        await begun(table)
        ours._hear({"from": "other"} | {key: value or table.id for key, value in message.items()})
        for _ in range(50):
            await asyncio.sleep(0.005)
        meanwhile = [*heard, *woken]
        go.set()
        with pytest.raises(OSError, match="no space"):
            await ending
        await asyncio.gather(*ours.tasks, return_exceptions=True)
        assert meanwhile == [], "nothing while it is being stored"
        assert (heard, woken) == ([], []), "and nothing of what was refused"

    among(tmp_path, scene)


def test_news_of_terms_and_dice_are_told_here_and_a_table_of_ours_wakes(tmp_path: Path) -> None:
    async def scene(hall: Hall, ours: Ours, table: Table) -> None:
        woken: list[Table] = []
        hall.wake = woken.append
        followed: list[Table] = []

        async def follow(one: Table) -> None:
            followed.append(one)

        hall.follow = follow
        heard = looker(table)
        order = Announced(1, 0, ("pledge", "0"), "a" * 64, 0.0)
        await hall.run(announcing.keep, hall.store, table.id, order, {})
        await hall.run(write, hall, SEATS, SEATS.c.table_id == table.id, name="Theirs")
        await ours.hear(told=table.id, message={"type": "dice"})
        assert table.order is not None, "what was announced there"
        assert [seat["name"] for seat in heard[0]["seats"]] == ["Theirs", "Theirs"], "who sat down there"
        assert followed == [table]
        heard.clear()
        await ours.hear(told=table.id, message={"type": "dice"})
        assert [m["type"] for m in heard] == ["dice"]
        assert heard[0]["dice"]["step"] == "made"
        assert woken == [], "a copy thinks of nothing"
        ours.owned.add(table.id)
        await ours.hear(told=table.id, message={"type": "dice"})
        assert woken == [table]
        await hall.run(write, hall, SEATS, SEATS.c.table_id == table.id, name="Another")
        followed.clear()
        await ours.hear(terms=table.id)
        assert (heard[-1]["type"], heard[-1]["seats"][0]["name"], followed) == ("state", "Another", [table])
        row = await hall.run(hall.store.table, table.id)
        closed = json.dumps(json.loads(row["terms"]) | {"watchers": "nobody"})
        await hall.run(write, hall, TABLES, TABLES.c.id == table.id, terms=closed)
        before = len(heard)
        await ours.hear(terms=table.id)
        assert len(heard) == before, "who may no longer watch is told nothing more"
        await ours.hear(told=table.id, message={"type": "rematch", "table": "next"})
        assert table.next_table == "next"
        await ours.hear(seen=table.id, people=["x"])
        await asyncio.gather(*ours.tasks)
        again = [m for m in ours.said if {"told", "terms", "seen"} & m.keys()]
        assert again == [], "what others told is not told to them again"

    among(tmp_path, scene)


def write(hall: Hall, kind: sa.Table, where: sa.ColumnElement[bool], **values: str) -> None:
    """As another server does."""
    with hall.store.writing() as db:
        db.execute(kind.update().where(where).values(**values))


def test_what_happened_to_people_and_tables_elsewhere_happens_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(hall: Hall, ours: Ours, table: Table) -> None:
        followed: list[Table] = []

        async def follow(one: Table) -> None:
            followed.append(one)

        hall.follow = follow
        await ours.hear(changed=table.id, version=7)
        await ours.hear(changed="not here", version=7)
        assert followed == [table]
        counted: list[Any] = []
        monkeypatch.setattr(ours.tally, "hear", lambda server, message: counted.append((server, message["rows"])))
        await ours.hear(limits="now", rows=[["table", "x", 1]])
        assert counted == [("other", [["table", "x", 1]])]
        line = {"n": 1, "author": "Ann", "text": "Salut", "at": 1.0}
        await ours.hear(said=table.id, message=line | {"type": "chat"})
        assert table.chat == [line]
        me, ann = Person("v", table.owner, ""), Person("v", "ann", "Ann")
        await ours.hear(renamed=asdict(me), now=asdict(ann))
        assert {(seat.person, seat.name) for seat in table.seats} == {("ann", "Ann")}
        assert table.owner == "ann"
        closed: list[Any] = []

        class Line:
            person = ann

            async def hang_up(self) -> None:
                closed.append(self)

        hall.lines.add(Line())
        await ours.hear(away="somebody else", account="")
        assert closed == []
        await ours.hear(away="", account="ann")
        assert len(closed) == 1
        hall.lines.clear()
        await ours.hear(gone="ann", name="Ann")
        assert {(seat.person, seat.name) for seat in table.seats} == {("", GONE_NAME)}
        assert table.chat[0]["author"] == GONE_NAME

    among(tmp_path, scene)


def test_orders_are_carried_out_by_the_owner_only_and_always_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(hall: Hall, ours: Ours, table: Table) -> None:
        owner = Person(table.owner, table.owner, "Me")
        order = {"order": table.id, "kind": "resign", "what": {"side": "red"}, "person": asdict(owner), "lang": "fr"}
        await ours.hear(**order, n=1)
        assert table.session.result is None, "not ours: another server does it"
        assert [m for m in ours.said if "reply" in m] == []
        ours.owned.add(table.id)
        stranger = order | {"person": asdict(STRANGER)}
        await ours.hear(**stranger, n=2)
        refused = ours.said[-1]
        assert (refused["reply"], refused["for"], refused["status"]) == (2, "other", 403)
        assert "invitation" in refused["error"]["message"]
        assert "prenez" in refused["error"]["message"], "in the asker's language"
        await ours.hear(**order, n=3)
        assert table.session.result is not None
        done = next(m for m in ours.said if m.get("reply") == 3)
        assert "error" not in done

        async def fails(*_: Any) -> None:
            raise RuntimeError("a fault of ours")

        monkeypatch.setattr(live, "carry_out", fails)
        await ours.hear(**order, n=4)
        failed = next(m for m in ours.said if m.get("reply") == 4)
        assert (failed["status"], failed["error"]["code"]) == (503, "try-again")
        assert "fault of ours" not in json.dumps(failed)

        async def at_length(*_: Any) -> None:
            raise Problem(422, "bad-entry", most="9" * LONGEST)

        monkeypatch.setattr(live, "carry_out", at_length)
        await ours.hear(**order, n=5)
        long = next(m for m in ours.said if m.get("reply") == 5)
        assert (long["status"], long["error"]) == (422, {"code": "refused"}), "answered, if in short words"

    among(tmp_path, scene)


def test_an_order_is_handed_on_and_its_answer_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "ANSWER", 0.01)

    async def scene(hall: Hall, ours: Ours, table: Table) -> None:
        ours.granted = False
        followed: list[Table] = []

        async def follow(one: Table) -> None:
            followed.append(one)

        hall.follow = follow

        async def forwarded(answer: dict[str, Any] | None, **more: Any) -> bool:
            going = asyncio.create_task(ours.forward(table, STRANGER, "chat", {"text": "?"} | more, "en"))
            await asyncio.sleep(0)
            if answer is not None:
                number = max(ours.answers)
                ours._hear({"from": "other", "reply": number, "for": "third"} | answer)
                assert not ours.answers[number].done(), "an answer for somebody else"
                ours._hear({"from": "other", "reply": number, "for": ours.name} | answer)
                ours._hear({"from": "other", "reply": number, "for": ours.name} | answer)  # twice is no fault
            return await going

        assert await forwarded({})
        assert followed == [table], "before the answer is told the copy is brought up to it"
        with pytest.raises(Told) as told:
            await forwarded({"status": 409, "error": {"code": "stale"}})
        assert (told.value.status, told.value.error) == (409, {"code": "stale"})
        with pytest.raises(Problem, match="try-again"):
            await forwarded(None)
        with pytest.raises(Problem, match="too-large"):
            await forwarded(None, more="é" * (LONGEST - 2000))
        assert ours.answers == {}, "nothing is waited for any more"
        ours.granted = True
        assert not await forwarded(None), "the owner is gone and the table is ours: we do it ourselves"
        assert table.id in ours.owned

    among(tmp_path, scene)


def test_a_table_that_becomes_ours_is_brought_up_to_date_first_and_asked_for_once(tmp_path: Path) -> None:
    async def scene(hall: Hall, ours: Ours, table: Table) -> None:
        caught: list[bool] = []

        async def catch_up(one: Table) -> None:
            caught.append(one.id in ours.owned)

        hall.catch_up = catch_up
        ours.granted = False
        assert not await ours.own(table)
        assert (ours.owned, caught) == (set(), [])
        ours.granted = True
        assert all(await asyncio.gather(ours.own(table), ours.own(table)))
        assert caught == [False], "before anybody may change it here"
        asked = [values for statement, values in ours.asked if "try_advisory" in statement]
        assert asked == [(lock_of(table.id),)] * 2
        assert await ours.own(table)
        assert len(caught) == 1

    among(tmp_path, scene)


def test_a_connection_that_breaks_takes_every_lock_along(tmp_path: Path) -> None:
    from psycopg import OperationalError

    class Hand:
        def __init__(self, breaks: int) -> None:
            self.breaks = breaks

        async def execute(self, *_: Any) -> Any:
            if self.breaks:
                raise OperationalError("gone")
            return self

        async def fetchone(self) -> tuple[int]:
            return (7,)

    async def scene(hall: Hall, ours: Ours, table: Table) -> None:
        hands = [Hand(1), Hand(0)]

        async def take_hand() -> None:
            ours.hand = hands.pop(0)

        ours._take_hand = take_hand
        ours.owned.add(table.id)
        assert await Peers._ask(ours, "select 7") == 7, "once more with a new one"
        assert ours.owned == set(), "but what we held is anybody's"
        hands[:] = [Hand(1)]
        ours.hand = Hand(1)
        ours.owned.add(table.id)
        with pytest.raises(Problem, match="try-again"):
            await Peers._ask(ours, "select 7")
        assert (ours.owned, ours.hand) == (set(), None)

    among(tmp_path, scene)


def test_who_is_new_is_greeted_who_is_silent_is_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "CHORES", 0.005)

    async def scene(hall: Hall, ours: Ours, table: Table) -> None:
        welcomed, forgotten = [], []
        monkeypatch.setattr(ours.tally, "welcome", lambda: welcomed.append(1))
        monkeypatch.setattr(ours.tally, "forget", forgotten.append)
        ours.relay({"changed": table.id})
        await asyncio.sleep(0)
        assert (ours.alone(), ours.said) == (True, []), "nobody is there to be told"
        await ours.hear(hello="other")
        await ours.hear(hello="other")
        assert ([m["hello"] for m in ours.said], len(welcomed)) == ([ours.name], 1)
        assert not ours.alone()
        ours.relay({"changed": table.id})
        await asyncio.gather(*ours.tasks)
        assert ours.said[-1] == {"changed": table.id, "from": ours.name}
        heard = looker(table)
        await ours.hear(seen=table.id, people=["stranger", "x"])
        assert table.elsewhere == {"other": frozenset({"stranger", "x"})}
        assert heard[-1]["type"] == "presence"
        ours.others["other"] = time.monotonic() - GONE - 1
        ours.others["lively"] = time.monotonic()
        ours.owned |= {table.id, "left"}
        doing = asyncio.create_task(ours._do_chores())
        await asyncio.sleep(0.05)
        doing.cancel()
        assert set(ours.others) == {"lively"}
        assert (set(forgotten), table.elsewhere) == ({"other"}, {})
        assert ours.owned == {table.id}, "what is not in memory is let go of"
        unlocked = [values for statement, values in ours.asked if "unlock" in statement]
        assert unlocked == [(lock_of("left"),)]

    among(tmp_path, scene)


def test_a_table_whose_owner_died_is_taken_up_where_somebody_is_and_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peers, "CHORES", 0.005)

    async def scene(hall: Hall, ours: Ours, table: Table) -> None:
        woken: list[Table] = []
        hall.wake = woken.append
        doing, own, trouble = asyncio.create_task(ours._do_chores()), ours.own, [1]

        async def own_later(one: Table) -> bool:
            if trouble:
                trouble.clear()
                raise Problem(503, "try-again")
            return await own(one)

        ours.own = own_later
        await asyncio.sleep(0.05)
        assert ours.owned == set(), "where nobody is, nobody waits"
        table.sockets.add(object())
        async with table.lock:
            await asyncio.sleep(0.05)
            assert woken == [], "not in the middle of a change"
        await asyncio.sleep(0.05)
        doing.cancel()
        assert (woken, ours.owned) == ([table], {table.id})
        table.sockets.clear()

    among(tmp_path, scene)
