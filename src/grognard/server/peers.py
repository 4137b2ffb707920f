"""Several servers on one PostgreSQL: who owns a table, and how the others hear of it.

A table is owned by the server that holds its advisory lock; only the owner changes it, thinks for its computer, watches
its clock and sends notices. The lock belongs to a connection: when its server dies, the database lets go of it, and
whoever wants the table next owns it. Any server shows any table: it keeps a copy that follows the log. What people at
such a copy want is sent to the owner and answered, by LISTEN and NOTIFY. Nothing that counts depends on a message:
every write says from which version it goes on, and a copy asks the database for its version before it is shown.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import secrets
import time
from dataclasses import asdict
from itertools import count
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from grognard.kernel.errors import GrognardError
from grognard.server import announcing, sitting
from grognard.server.errors import Problem, Told
from grognard.server.messages import Json
from grognard.server.people import Person
from grognard.server.speech import error_json
from grognard.server.table import Table
from grognard.server.tally import Tally

if TYPE_CHECKING:
    from grognard.server.hall import Hall

LOG = logging.getLogger("grognard.server")
CHANNEL = "grognard"
LONGEST = 7900  # bytes of a message; PostgreSQL takes less than 8000
CHORES = 3.0  # seconds
GONE = 12.0  # seconds of silence after which a server is thought to be gone
ANSWER = 1.0  # seconds to wait for an owner before looking whether it still is one
TRIES = 8


def lock_of(table_id: str) -> int:
    """The number of a table's lock."""
    return int.from_bytes(hashlib.blake2b(table_id.encode(), digest_size=8).digest(), "big", signed=True)


class Peers:
    """This server among the others on its database."""

    def __init__(self, hall: Hall, url: str) -> None:
        self.hall, self.name = hall, secrets.token_hex(6)
        address = sa.make_url(url).set(drivername="postgresql")
        self.address = address.render_as_string(hide_password=False)
        self.owned: set[str] = set()
        self.others: dict[str, float] = {}  # the other servers, and when they were last heard
        self.answers: dict[int, asyncio.Future[Json]] = {}
        self.numbers = count(1)
        self.hand: Any = None  # the connection that holds locks and speaks
        self.turn = asyncio.Lock()  # one thing at a time with it
        self.tasks: set[asyncio.Task[Any]] = set()
        self.tally = Tally(hall.doors, self.relay, self.alone)

    async def start(self) -> None:
        """Come in, and say hello."""
        await self._take_hand()
        ready = asyncio.Event()
        self._begin(self._listen(ready))
        await ready.wait()
        await self.say({"hello": self.name})
        self._begin(self._do_chores())

    async def close(self) -> None:
        """Leave; the database lets go of our locks."""
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        if self.hand is not None:
            await self.hand.close()

    def _begin(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            LOG.error("among the servers", exc_info=error)

    # The connection that holds the locks

    async def _take_hand(self) -> None:
        from psycopg import AsyncConnection

        self.hand = await AsyncConnection.connect(self.address, autocommit=True)

    async def _ask(self, statement: str, *values: Any) -> Any:
        """One statement; if the connection is gone, so are our locks: what we hold is only a copy from now on."""
        from psycopg import OperationalError

        async with self.turn:
            for last in (False, True):
                try:
                    if self.hand is None:
                        await self._take_hand()
                    cursor = await self.hand.execute(statement, values)
                    row = await cursor.fetchone()
                    return row[0] if row else None
                except OperationalError:
                    self.owned.clear()
                    self.hand = None
                    if last:
                        raise Problem(503, "try-again") from None
        raise AssertionError

    async def own(self, table: Table) -> bool:
        """True if the table is ours, from now on or already. A copy that becomes the truth is brought up to date."""
        if table.id in self.owned:
            return True
        async with table.following:
            if table.id not in self.owned:
                if not await self._ask("select pg_try_advisory_lock(%s)", lock_of(table.id)):
                    return False
                await self.hall.catch_up(table)
                self.owned.add(table.id)
        return True

    # Speaking

    async def say(self, message: Json) -> bool:
        """Tell the others; False if it is too long to be told."""
        text = json.dumps(message | {"from": self.name}, ensure_ascii=False)
        if len(text.encode("utf-8", "replace")) > LONGEST:
            return False
        await self._ask("select pg_notify(%s, %s)", CHANNEL, text)
        return True

    def alone(self) -> bool:
        """True if no other server was heard lately."""
        now = time.monotonic()
        return not any(now - heard < GONE for heard in self.others.values())

    def relay(self, message: Json) -> None:
        """Tell the others, if there are any, when there is time."""
        if not self.alone():
            self._begin(self.say(message))

    async def forward(self, table: Table, person: Person, kind: str, order: Json, lang: str) -> bool:
        """Have the owner carry an order out; False if the table has become ours meanwhile."""
        number = next(self.numbers)
        self.answers[number] = asyncio.get_running_loop().create_future()
        try:
            message = {"order": table.id, "kind": kind, "what": order, "person": asdict(person), "n": number}
            if not await self.say(message | {"lang": lang}):
                raise Problem(413, "too-large")
            for _ in range(TRIES):
                done, _ = await asyncio.wait([self.answers[number]], timeout=ANSWER)
                if done:
                    break
                if await self.own(table):
                    return False
            else:
                raise Problem(503, "try-again")
            answer = self.answers[number].result()
        finally:
            del self.answers[number]
        if "error" in answer:
            raise Told(answer["status"], answer["error"])
        await self.hall.follow(table)
        return True

    # Hearing

    async def _listen(self, ready: asyncio.Event) -> None:
        """For ever; after a break every copy looks again."""
        from psycopg import AsyncConnection, OperationalError

        while True:
            try:
                async with await AsyncConnection.connect(self.address, autocommit=True) as ear:
                    await ear.execute(f"listen {CHANNEL}")
                    if ready.is_set():
                        for table in list(self.hall.tables.values()):
                            self._begin(self._look_again(table))
                    ready.set()
                    async for notice in ear.notifies():
                        message = json.loads(notice.payload)
                        if message["from"] != self.name:
                            self._hear(message)
            except (OperationalError, OSError):
                LOG.warning("the ear is deaf; it listens again soon")
            await asyncio.sleep(1)

    def _hear(self, message: Json) -> None:
        sender = message["from"]
        known = sender in self.others
        self.others[sender] = time.monotonic()
        if not known:
            self._begin(self.say({"hello": self.name}))
            self.tally.welcome()
        if "reply" in message:
            waiting = self.answers.get(message["reply"]) if message["for"] == self.name else None
            if waiting is not None and not waiting.done():
                waiting.set_result(message)
            return
        if self._hear_of_people(message):
            return
        keys = ("order", "changed", "told", "said", "seen", "terms")
        table_id = next((message[key] for key in keys if key in message), "")
        table = self.hall.tables.get(table_id)
        if "order" in message:
            if table_id in self.owned:
                self._begin(self._obey(message))
        elif table is None:
            return
        elif "changed" in message:
            self._begin(self.hall.follow(table))
        elif "told" in message:
            self._begin(self._told(table, message["message"]))
        elif "terms" in message:
            self._begin(self._look_again(table))
        elif "said" in message:
            table.hear_chat(message["message"])
        elif "seen" in message:
            table.elsewhere[sender] = frozenset(message["people"])
            table.tell_all({"type": "presence", "seats": table.seats_json()}, relay=False)

    def _hear_of_people(self, message: Json) -> bool:
        """What happened to somebody at another server; False if the message is about something else."""
        if "limits" in message:
            self.tally.hear(message["from"], message)
        elif "away" in message:
            self._begin(sitting.hang_up_here(self.hall, message["away"], message["account"]))
        elif "renamed" in message:
            sitting.rename_here(self.hall, Person(**message["renamed"]), Person(**message["now"]))
        elif "gone" in message:
            sitting.forget_here(self.hall, message["gone"], message["name"])
        else:
            return False
        return True

    async def _look_again(self, table: Table) -> None:
        """The game, the seats and the terms as the store has them."""
        await self.hall.follow(table)
        await sitting.refresh_seats(self.hall, table)
        await sitting.read_terms(self.hall, table)
        async with table.settled():
            sitting.keep_terms(table)

    async def _obey(self, message: Json) -> None:
        """An order for a table of ours from somebody at another server."""
        from grognard.server.live import carry_out

        answer: Json = {"reply": message["n"], "for": message["from"]}
        game = ""
        try:
            table = await self.hall.find(message["order"])
            game = table.session.game.name
            await carry_out(self.hall, table, Person(**message["person"]), message["kind"], message["what"])
        except GrognardError as error:
            status, body = error_json(error, game, message["lang"])
            answer |= {"status": status, "error": body["error"]}
        except Exception:
            LOG.exception("an order for table %s", message["order"])
            answer |= {"status": 503, "error": {"code": "try-again", "message": "try again"}}
        if not await self.say(answer):
            await self.say({"reply": message["n"], "for": message["from"], "status": 422, "error": {"code": "refused"}})

    async def _told(self, table: Table, message: Json) -> None:
        """What somebody at another server's copy was told."""
        if message["type"] == "dice":
            await self.hall.follow(table)
            await sitting.refresh_seats(self.hall, table)
            table.order = await self.hall.run(announcing.kept, self.hall.store, table.id)
            async with table.settled():
                table.tell_all({"type": "dice", "dice": table.dice_json(), "seats": table.seats_json()}, relay=False)
                if table.id in self.owned:
                    self.hall.wake(table)
            return
        if message["type"] == "rematch":
            table.next_table = message["table"]
        table.tell_all(message, relay=False)

    # Chores

    async def _do_chores(self) -> None:
        """Say that we are here; take up what nobody owns any more; let go of what is not in memory."""
        while True:
            await asyncio.sleep(CHORES)
            try:
                await self.say({"hello": self.name})
                now = time.monotonic()
                for name in [name for name, heard in self.others.items() if now - heard > GONE]:
                    del self.others[name]
                    self.tally.forget(name)
                    for table in self.hall.tables.values():
                        table.elsewhere.pop(name, None)
                for table in list(self.hall.tables.values()):
                    if table.sockets and table.id not in self.owned and await self.own(table):
                        async with table.settled():
                            self.hall.wake(table)
                for table_id in [name for name in self.owned if self.hall.room.find(name, touch=False) is None]:
                    self.owned.discard(table_id)
                    await self._ask("select pg_advisory_unlock(%s)", lock_of(table_id))
            except GrognardError:
                LOG.warning("the chores among the servers wait")
