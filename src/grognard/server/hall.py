"""The hall: finds tables in memory and in the store, follows their clocks and sets the computer to work."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from grognard.games import find_game, playable_names
from grognard.kernel.errors import GrognardError
from grognard.kernel.session import data_digest
from grognard.server import announcing, chronicle, intake, old, resume, seating
from grognard.server.announcing import Announced
from grognard.server.clock import Clock
from grognard.server.computer import Computer
from grognard.server.doors import Doors
from grognard.server.errors import Problem
from grognard.server.journal import Logged
from grognard.server.lobby import summary_of_row
from grognard.server.messages import Json
from grognard.server.notices import Notices
from grognard.server.old import OldRules, OldTable
from grognard.server.peers import Peers
from grognard.server.people import Person
from grognard.server.recorder import Recorder
from grognard.server.room import Room
from grognard.server.scribe import Scribe
from grognard.server.settings import Settings
from grognard.server.standing import Line, Seat
from grognard.server.store import Store
from grognard.server.table import Table
from grognard.server.terms import terms_of
from grognard.server.uptime import Uptime
from grognard.server.wishes import header_from

LOG = logging.getLogger("grognard.server")
FAILED = "the computer player has failed; the log of the server says why"  # not here: it may know what is hidden
MOST_OLD = 40  # games of earlier rules kept in memory
ID = re.compile(r"[A-Za-z0-9_-]{1,24}")  # of a table


class Hall:
    """Everything that the server holds between requests."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = Store(settings.database)
        lanes = 1 if settings.database.startswith("sqlite") else 8
        self.pool = ThreadPoolExecutor(lanes, thread_name_prefix="store")
        self.recorder = Recorder(self.store.record)
        self.uptime = Uptime(self.store.beat(0.0))
        self.room = Room(settings.memory)
        self.tables = self.room.tables
        self.importing = asyncio.Semaphore(1)  # one game file at a time is replayed
        self.hashers = asyncio.Semaphore(2)
        self.working = asyncio.Semaphore(2)  # odds, files and verdicts: long work that people wait for
        self.computer = Computer()
        self.notices = Notices(settings, self.store, self.run)
        self.doors = Doors(settings)
        self.peers: Peers | None = None  # other servers on the same database
        self.thinking: dict[str, asyncio.Task[None]] = {}
        self.old: OrderedDict[str, OldTable] = OrderedDict()  # games of earlier rules that were looked at lately
        self.scribe = Scribe(self)
        self.lines: set[Line] = set()  # every open websocket

    async def run(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Run a blocking function of the store beside the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self.pool, partial(function, *args, **kwargs))

    async def hashing(self, function: Callable[..., Any], *args: Any) -> Any:
        """Run a function that hashes a password: slow on purpose, so not in the store's lane, and few at a time."""
        async with self.hashers:
            return await asyncio.to_thread(function, *args)

    async def start(self) -> None:
        """Join the other servers, where there can be any."""
        if self.store.engine.driver == "psycopg":
            self.peers = Peers(self, self.settings.database)
            self.doors.tally = self.peers.tally
            await self.peers.start()

    def owns(self, table: Table) -> bool:
        """True if it is for us to change a table, to think at it and to watch its clock."""
        return self.peers is None or table.id in self.peers.owned

    async def follow(self, table: Table) -> None:
        """Bring a copy of a table up to what the store has; while its dice are being made anybody writes."""
        async with table.following:
            if table.stage or not self.owns(table):
                await self.catch_up(table)

    async def catch_up(self, table: Table) -> None:
        """The same for a table that is not being changed here."""
        if not table.broken and await self.run(self.store.version, table.id) == table.version:
            return
        news = await self.run(self.store.news, table.id, len(table.session.entries))
        if news is None:
            return
        row, actions = news
        if not table.stage and not table.broken:
            if await table.follow(row["version"], json.loads(row["clock"]), actions, intake.play_on):
                return
        async with table.lock:
            rows = await self.run(self.fetch, table.id)
            table.become(await asyncio.to_thread(self.replay, *rows))

    async def close(self) -> None:
        """Stop thinking and let go of the store."""
        for task in self.thinking.values():
            task.cancel()
        await self.scribe.write_chronicles(idle=0, within=20, here=True)
        self.computer.close()
        if self.peers is not None:
            await self.peers.close()
        await self.beat()
        await self.notices.close()
        self.recorder.close()
        self.pool.shutdown()
        self.store.close()

    # Finding tables

    async def find(self, table_id: str) -> Table:
        """A table by its id, from memory or from the store."""
        table = self.room.find(table_id)
        if table is not None:
            if not self.owns(table):
                await self.follow(table)
            return table
        if not ID.fullmatch(table_id):
            raise Problem(404, "no-table", table=table_id[:24])
        if table_id in self.old:
            raise OldRules(self.old[table_id])
        async with self.room.opening(table_id):
            table = self.room.find(table_id)
            if table is None:
                old = self.tables.get(table_id)
                if old is None:
                    self.room.make_room(self.thinking)
                rows = await self.run(self.fetch, table_id)
                try:
                    table = await asyncio.to_thread(self.replay, *rows)  # not in the store's lane: others are writing
                except GrognardError as error:
                    await self._perhaps_old(error, *rows)
                    raise
                table.chronicled = await self.run(chronicle.chronicled, self.store, table_id, table.session)
                await self.hold(table)
                if old is not None:
                    table.take_over(old)
        self.wake(table)
        return table

    async def hold(self, table: Table) -> None:
        """Keep a table in memory; it is ours unless another server has it."""
        self.room.put(table)
        table.keep_order = partial(self.run, announcing.keep, self.store, table.id)
        if self.peers is not None:
            table.relay = self.peers.relay
            await self.peers.own(table)

    def fetch(
        self, table_id: str
    ) -> tuple[
        Json, list[Json], list[Logged], list[Json], dict[int, tuple[str, str]], tuple[int, str], Announced | None
    ]:
        """All that the store has of a table."""
        row, store = self.store.table(table_id), self.store
        if row is None:
            raise Problem(404, "no-table", table=table_id)
        shares = seating.shares(store, table_id) if row["stage"] else {}
        return (
            row,
            store.seats(table_id),
            store.actions(table_id),
            store.chat(table_id),
            shares,
            store.position(table_id),
            announcing.kept(store, table_id) if '"dice": "all"' in row["header"] else None,
        )

    def replay(
        self,
        row: Json,
        seat_rows: list[Json],
        actions: list[Logged],
        chat: list[Json],
        shares: dict[int, tuple[str, str]],
        position: tuple[int, str],
        order: Announced | None,
    ) -> Table:
        """A table from its log; its dice and every digest must come out as they were kept."""
        header = header_from(row)
        session = resume.resume(find_game(header.game), header, actions, *position, begun=row["begun"])
        seats = [Seat(r["side"], r["kind"], r["person"], r["name"], r["level"]) for r in seat_rows]
        clock = json.loads(row["clock"])
        table = Table(
            row["id"], row["title"], session, seats, row["version"], clock, self.recorder.record, self.uptime.now
        )
        table.kept_at = position[0]
        table.chat, table.next_table, table.owner = chat, row["next_table"], row["owner"]
        table.stage, table.stage_at, table.shares = row["stage"], row["stage_at"], shares
        table.terms = terms_of(row)
        table.order = order
        return table

    async def _perhaps_old(
        self, error: GrognardError, row: Json, seat_rows: list[Json], actions: list[Logged], chat: list[Json], *_: Any
    ) -> None:
        """A game that the present rules play otherwise, because they are others, is shown as it was."""
        header = header_from(row)
        game = find_game(header.game)
        same = header.rules == game.version and header.data == data_digest(game)
        if same or getattr(error, "code", "") == "other-dice":
            return  # then somebody or something has changed the record
        parts = await self.run(chronicle.parts, self.store, row["id"])
        agreed = await self.run(old.consents, self.store, row["id"])
        seats = [Seat(r["side"], r["kind"], r["person"], r["name"], r["level"]) for r in seat_rows]
        terms = terms_of(row)
        table = OldTable(game, header, row, seats, actions, chat, parts, agreed, terms)
        self.old[row["id"]] = table
        if len(self.old) > MOST_OLD:
            self.old.popitem(last=False)
        raise OldRules(table) from error

    async def find_any(self, table_id: str) -> Table | OldTable:
        """A table to play at, or one to look at only."""
        try:
            return await self.find(table_id)
        except OldRules as error:
            return error.table

    # Time

    async def beat(self) -> None:
        """Note our own time."""
        self.uptime.agree(await self.run(self.store.beat, self.uptime.now()))

    async def look_at_clocks(self) -> bool:
        """Wake the tables that sleep while somebody's time runs out; True if any clock runs."""
        rows = await self.run(self.store.running_clocks)
        for row in rows:
            if row["id"] not in self.tables and row["game"] in playable_names():
                clock, game = Clock(**json.loads(row["clock"])), find_game(row["game"])
                waiting = tuple(game.side_named(name) for name in json.loads(row["lobby"]).get("waiting", ()))
                if clock.fallen(waiting, self.uptime.now()) is not None:
                    try:
                        table = await self.find(row["id"])
                        if self.owns(table):
                            await table.tick()
                    except GrognardError:
                        LOG.exception("clock of table %s", row["id"])
        return bool(rows)

    async def lobby(self, which: str, person: Person) -> list[Json]:
        """A list of tables; those that sleep are not woken for it."""
        rows = [r for r in await self.run(self.store.list_tables, which, person.id) if r["game"] in playable_names()]
        seats = await self.run(self.store.seats_of, [row["id"] for row in rows])
        lines = []
        for row in rows:
            known = self.tables.get(row["id"])
            awake = known is not None and not known.broken
            try:
                if awake or row["lobby"] == "{}":
                    table = await self.find(row["id"])
                    async with table.settled():
                        line = table.summary(person)
                else:
                    line = summary_of_row(row, seats[row["id"]], person)
            except OldRules as error:
                line = error.table.summary(person)
            except (GrognardError, LookupError):
                continue  # a damaged table is no reason to show no lobby
            lines.append(line | {"updated": row["updated"]})
        return lines

    # The computer

    def wake(self, table: Table) -> None:
        """Let the computer think if it is its turn, and tell people if it is theirs."""
        if not self.owns(table):
            return
        self._keep_position(table)
        self.room.weigh_anew(table)
        self.scribe.when_due(table)
        waiting = () if table.stage or table.announced else table.session.state.waiting
        if any(table.seat_of(side).kind == "ai" for side in waiting) and table.id not in self.thinking:
            task = asyncio.create_task(self._think(table))
            self.thinking[table.id] = task
            task.add_done_callback(partial(self._thought, table))
        self.notices.turn_of(table)

    def _keep_position(self, table: Table) -> None:
        """Of a long game, so that it opens quickly; only a cache, so nobody waits for it."""
        if len(table.session.entries) >= table.kept_at + resume.STEP and not table.lock.locked():
            found = resume.position_to_keep(table.session, table.kept_at)
            if found is not None:
                table.kept_at = found[0]
                self.pool.submit(self.store.keep_position, table.id, *found)

    def _thought(self, table: Table, task: asyncio.Task[None]) -> None:
        """The computer is done, or it failed: then the table says so and the log says why."""
        self.thinking.pop(table.id, None)
        if not task.cancelled() and (error := task.exception()) is not None:
            LOG.error("the computer failed at table %s", table.id, exc_info=error)
            table.tell_all({"type": "error", "code": "computer-failed", "message": FAILED, "reply_to": None})

    def _tell_progress(self, table: Table, side: int, done: int, total: int, best: object) -> None:
        """How far the computer's thinking is; never what it thinks of."""
        name = table.session.game.side_name(side)
        table.tell_all({"type": "thinking", "side": name, "done": done, "total": total}, relay=False)

    async def _think(self, table: Table) -> None:
        """Play the computer's sides until a person must decide."""
        while True:
            async with table.lock:  # a position that is being stored, or could not be, is none to think about
                if table.broken:
                    return
                over = table.session.result is not None or table.announced is not None
                waiting, version = () if over else table.session.state.waiting, table.version
            side = next((w for w in waiting if table.seat_of(w).kind == "ai"), None)
            if side is None:
                break
            action = await self.computer.choose(
                table.session,
                side,
                table.seat_of(side).level,
                partial(table.is_at, version),
                partial(self._tell_progress, table, side),
            )
            try:
                await table.act(None, side, action, version)
            except Problem as problem:
                if problem.code not in ("stale", "try-again"):
                    raise
        self.notices.turn_of(table)
