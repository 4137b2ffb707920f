"""The hall: opens tables, finds them again in the store, seats people and sets the computer to work."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from typing import Any

from grognard.ai import offered
from grognard.games import find_game, playable_names
from grognard.kernel.ceremony import Share
from grognard.kernel.errors import GrognardError, UnknownName
from grognard.kernel.gamefile import GameFile
from grognard.kernel.session import Header, Session, data_digest
from grognard.kernel.texts import texts_for
from grognard.server import belongings, chronicle, intake, old, resume, seating
from grognard.server.computer import Computer
from grognard.server.errors import Problem
from grognard.server.messages import Json
from grognard.server.notices import Notices
from grognard.server.old import OldRules, OldTable
from grognard.server.peers import Peers
from grognard.server.people import Person, hashed, new_id
from grognard.server.recorder import Recorder
from grognard.server.room import Room
from grognard.server.settings import Settings
from grognard.server.store import Logged, Store
from grognard.server.table import Clock, Seat, Table, action_rows, lobby_facts, summary_of_row
from grognard.server.terms import Terms, terms_from
from grognard.server.uptime import Uptime

LOG = logging.getLogger("grognard.server")
MOST_TITLE = 100
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
        self.computer = Computer()
        self.notices = Notices(settings, self.store, self.run)
        self.peers: Peers | None = None  # other servers on the same database
        self.thinking: dict[str, asyncio.Task[None]] = {}
        self.old: OrderedDict[str, OldTable] = OrderedDict()  # games of earlier rules that were looked at lately
        self.chroniclers: dict[str, asyncio.Task[None]] = {}

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
            rows = await self.run(self._fetch, table.id)
            table.become(await asyncio.to_thread(self._replay, *rows))

    async def close(self) -> None:
        """Stop thinking and let go of the store."""
        for task in self.thinking.values():
            task.cancel()
        await self.write_chronicles(idle=0, within=20)
        self.computer.close()
        if self.peers is not None:
            await self.peers.close()
        await self.beat()
        await self.notices.close()
        self.recorder.close()
        self.pool.shutdown()
        self.store.close()

    # Opening tables

    async def create(self, person: Person, order: Json, lang: str) -> tuple[Table, dict[str, str]]:
        """A new table; the invitations for its open seats, which are told only now."""
        game = find_game(str(order.get("game", "")))
        scenario = str(order.get("scenario") or game.scenarios[0])
        options = {str(k): str(v) for k, v in (order.get("options") or {}).items()}
        entropy = [" ".join(str(order["entropy"]).split())[:200]] if order.get("entropy") else []
        title = " ".join(str(order.get("title") or "").split())[:MOST_TITLE]
        session = Session.new(
            game, scenario, options, seed=secrets.token_hex(32), game_id=new_id(), entropy=entropy, title=title
        )
        clock = clock_from(order.get("time"), len(game.sides))
        seats, invitations = seats_from(session, order.get("seats") or {}, person)
        terms = terms_from(order.get("terms"))
        return await self._open(person, session, seats, invitations, title, clock, terms, lang)

    async def take_in(
        self, person: Person, file: GameFile, wishes: Json, lang: str, *, known_dice: bool = False
    ) -> tuple[Table, dict[str, str]]:
        """A table that goes on from a game file.

        Who imports a file may know its dice and everything hidden in it. Alone, that is nobody's business. Where others
        are to play, the game goes on from the file's last position with dice of its own, or keeps the file's dice if it
        is so wished; in both cases it bears a mark that everybody sees.
        """
        async with self.importing:
            session = await asyncio.to_thread(intake.play, file, self.settings)
            seats, invitations = seats_from(session, wishes, person)
            if invitations and session.result is None:
                session = await asyncio.to_thread(intake.go_on, session, new_id(), known_dice=known_dice)
        title = session.header.title[:MOST_TITLE]
        stage = "" if known_dice else None
        return await self._open(person, session, seats, invitations, title, {}, Terms(), lang, stage)

    async def rematch(self, table: Table, person: Person) -> Table:
        """The same again with the same people, the same time and new dice."""
        if table.session.result is None:
            raise Problem(409, "not-over")
        async with table.lock:
            if table.next_table:
                return await self.find(table.next_table)
            game, header = table.session.game, table.session.header
            session = Session.new(
                game, header.scenario, header.options, seed=secrets.token_hex(32), game_id=new_id(), title=table.title
            )
            seats = [Seat(s.side, s.kind, s.person, s.name, s.level) for s in table.seats]
            new = await self._keep(person, session, seats, table.title, table.clock.anew(), {}, table.terms)
            table.next_table = new.id
            await self.run(self.store.set_next, table.id, new.id)
        table.tell_all({"type": "rematch", "table": new.id})
        self.wake(new)
        return new

    async def _open(
        self,
        person: Person,
        session: Session,
        seats: list[Seat],
        tokens: dict[int, str],
        title: str,
        clock: Json,
        terms: Terms,
        lang: str,
        stage: str | None = None,
    ) -> tuple[Table, dict[str, str]]:
        """A new table, and the invitations to its seats."""
        title = title or plain_title(session, lang)
        table = await self._keep(person, session, seats, title, clock, tokens, terms, stage)
        self.wake(table)
        return table, {session.game.side_name(side): f"/join#{token}" for side, token in tokens.items() if token}

    async def _keep(
        self,
        person: Person,
        session: Session,
        seats: list[Seat],
        title: str,
        clock: Json,
        tokens: dict[int, str],
        terms: Terms,
        stage: str | None = None,
    ) -> Table:
        """Write a new table down, then hold it."""
        self.room.make_room(self.thinking)
        table_id, now = new_id(), time.time()
        if stage is None:
            stage = "dice" if needs_dice(seats) and session.result is None else ""
        if clock and not stage:
            clock["since"] = self.uptime.now()
        table = Table(table_id, title, session, seats, 0, clock, self.recorder.record, self.uptime.now)
        table.owner, table.terms, table.stage, table.stage_at = person.id, terms, stage, now
        row = {
            "id": table_id,
            "title": title,
            "game": session.game.name,
            "header": json.dumps(asdict(session.header)),
            "version": 0,
            "over": session.result is not None,
            "clock": json.dumps(clock),
            "created": now,
            "updated": now,
            "owner": person.id,
            "next_table": "",
            "lobby": json.dumps(lobby_facts(session, table.owing())),
            "stage": stage,
            "stage_at": now,
            "listed": terms.listed,
            "terms": json.dumps(terms.kept()),
        }
        hashes = {side: hashed(token) for side, token in tokens.items() if token}
        seat_rows = [asdict(seat) | {"table_id": table_id, "invitation": hashes.get(seat.side, "")} for seat in seats]
        await self.run(self.store.add_table, row, seat_rows, action_rows(table_id, session, 0, now))
        await self._hold(table)
        return table

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
                rows = await self.run(self._fetch, table_id)
                try:
                    table = await asyncio.to_thread(self._replay, *rows)  # not in the store's lane: others are writing
                except GrognardError as error:
                    await self._perhaps_old(error, *rows)
                    raise
                table.chronicled = await self.run(chronicle.chronicled, self.store, table_id, table.session)
                await self._hold(table)
                if old is not None:
                    table.take_over(old)
        self.wake(table)
        return table

    async def _hold(self, table: Table) -> None:
        """Keep a table in memory; it is ours unless another server has it."""
        self.room.put(table)
        if self.peers is not None:
            table.relay = self.peers.relay
            await self.peers.own(table)

    def _fetch(
        self, table_id: str
    ) -> tuple[Json, list[Json], list[Logged], list[Json], dict[int, tuple[str, str]], tuple[int, str]]:
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
        )

    def _replay(
        self,
        row: Json,
        seat_rows: list[Json],
        actions: list[Logged],
        chat: list[Json],
        shares: dict[int, tuple[str, str]],
        position: tuple[int, str],
    ) -> Table:
        """A table from its log; its dice and every digest must come out as they were kept."""
        header = header_from(row)
        session = resume.resume(find_game(header.game), header, actions, *position)
        seats = [Seat(r["side"], r["kind"], r["person"], r["name"], r["level"]) for r in seat_rows]
        clock = json.loads(row["clock"])
        table = Table(
            row["id"], row["title"], session, seats, row["version"], clock, self.recorder.record, self.uptime.now
        )
        table.kept_at = position[0]
        table.chat, table.next_table, table.owner = chat, row["next_table"], row["owner"]
        table.stage, table.stage_at, table.shares = row["stage"], row["stage_at"], shares
        table.terms = terms_from(json.loads(row["terms"]) | {"listed": bool(row["listed"])})
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
        terms = terms_from(json.loads(row["terms"]) | {"listed": bool(row["listed"])})
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

    async def go_on(self, table: OldTable, person: Person, *, agree: bool) -> tuple[str, list[int]]:
        """Agree to go on under the present rules; the id of the new table once all have, and who has agreed."""
        sides = table.sides_of(person)
        if not sides:
            raise Problem(403, "not-your-seat", side="")
        if table.row["next_table"]:
            return str(table.row["next_table"]), table.agreed
        if not await asyncio.to_thread(table.can_continue):
            raise Problem(409, "cannot-go-on")
        await self.run(old.consent, self.store, table.id, sides, agree=agree)
        table.agreed = await self.run(old.consents, self.store, table.id)
        people = {seat.side for seat in table.seats if seat.kind == "human"}
        if not people <= set(table.agreed):
            return "", table.agreed
        s = await asyncio.to_thread(table.position)
        session = Session(table.game, table.taken_up(s, secrets.token_hex(32)))
        seats = [Seat(x.side, x.kind, x.person, x.name, x.level) for x in table.seats]
        new = await self._keep(person, session, seats, table.row["title"], table.clock(), {}, table.terms)
        await self.run(self.store.set_next, table.id, new.id)
        self.old.pop(table.id, None)
        self.wake(new)
        return new.id, table.agreed

    # Chronicles

    def _chronicle_when_due(self, table: Table) -> None:
        """A part of the chronicle after so many entries, and the last one at the end; nobody waits for it."""
        session, behind = table.session, len(table.session.entries) - max(0, table.chronicled)
        due = behind >= chronicle.STEP or (session.result is not None and behind > 0)
        if due and not table.stage and table.id not in self.chroniclers:
            task = asyncio.create_task(self.write_chronicle(table))
            self.chroniclers[table.id] = task
            task.add_done_callback(lambda _: self.chroniclers.pop(table.id, None))

    async def write_chronicle(self, table: Table, *, whole: bool = False) -> None:
        """Write down what happened since the last part; with `whole` also what could still be undone."""
        if table.stage or table.broken:
            return
        try:
            if table.session.result is not None:
                await self._write_finished(table.id, table.session)
                table.written_down, table.chronicled = table.version, len(table.session.entries)
                return
            async with table.lock:
                session, since = table.session, max(0, table.chronicled)
                found = await asyncio.to_thread(chronicle.part_of, session, since, whole=whole)
                if found is not None:
                    await self.run(chronicle.write, self.store, table.id, since, *found)
                    if found[0] <= session.closed:
                        table.chronicled = found[0]
                table.written_down = table.version
        except Exception:
            LOG.exception("the chronicle of table %s", table.id)

    async def _write_finished(self, table_id: str, session: Session) -> None:
        """All of a finished game: worked out in another process, so that nobody here waits."""
        actions = [(e.side, *e.action, e.salt, e.chain) for e in session.entries]
        facts = session.game.name, asdict(session.header), actions
        try:
            pages = await self.computer.beside(chronicle.parts_of_finished, *facts)
        except BrokenExecutor:
            pages = await asyncio.to_thread(chronicle.parts_of_finished, *facts)
        await self.run(chronicle.write_finished, self.store, table_id, pages)

    async def write_what_is_missing(self) -> None:
        """Write down the games that an earlier program, or a sudden end, left without a chronicle; wakes nobody."""
        for table_id in await self.run(chronicle.missing, self.store):
            try:
                rows = await self.run(self._fetch, table_id)
                table = await asyncio.to_thread(self._replay, *rows)
                if table.session.result is not None:
                    await self._write_finished(table_id, table.session)
                    continue
                found = await asyncio.to_thread(chronicle.part_of, table.session, 0, whole=True)
                if found is not None and table_id not in self.tables:  # those who play write it themselves
                    await self.run(chronicle.write, self.store, table_id, 0, *found)
            except GrognardError:
                continue  # of other rules already, or damaged: it says so when it is opened
            await asyncio.sleep(0.05)

    async def write_chronicles(self, idle: float = 20.0, within: float = 3600.0) -> None:
        """Of the tables in memory at which nothing has happened for so many seconds, as long as there is time."""
        until = time.monotonic() + within
        for table in list(self.tables.values()):
            rests = time.monotonic() - table.used >= idle
            if table.version != table.written_down and not table.stage and rests and time.monotonic() < until:
                await self.write_chronicle(table, whole=True)

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
            table = self.tables.get(row["id"])
            awake = table is not None and not table.broken
            try:
                if awake or row["lobby"] == "{}":
                    line = (await self.find(row["id"])).summary(person)
                else:
                    line = summary_of_row(row, seats[row["id"]], person)
            except OldRules as error:
                line = error.table.summary(person)
            except (GrognardError, LookupError):
                continue  # a damaged table is no reason to show no lobby
            lines.append(line | {"updated": row["updated"]})
        return lines

    # Sitting down

    async def invited(self, token: str) -> dict[str, str]:
        """What an invitation is to: game, scenario, side and who plays there already; it is not used up by looking."""
        row = await self.run(self.store.seat_by_invitation, hashed(token))
        if row is None:
            raise Problem(404, "bad-invitation")
        table = await self.find(row["table_id"])
        header, host = table.session.header, [seat.name for seat in table.seats if seat.kind == "human" and seat.name]
        told = {"game": header.game, "scenario": header.scenario, "title": table.title, "host": ", ".join(host)}
        return told | {"side": table.session.game.side_name(row["side"]), "mark": header.mark}

    async def join(self, person: Person, token: str) -> tuple[Table, str]:
        """Take the seat that an invitation is for."""
        row = await self.run(self.store.seat_by_invitation, hashed(token))
        if row is None:
            raise Problem(404, "bad-invitation")
        table = await self.find(row["table_id"])
        side = table.session.game.side_name(row["side"])
        await self.sit(table, person, row["side"], token)
        return table, side

    async def sit(self, table: Table, person: Person, side: int, token: str = "") -> None:
        """Take a free seat; coming back to one's own is fine. The store decides who was first."""
        async with table.lock:
            seat = table.seat_of(side)
            if seat.kind == "human" and seat.person == person.id:
                return
            taken = await self.run(seating.take_seat, self.store, table.id, side, person.id, person.name, token)
            await self.refresh_seats(table)
            seat = table.seat_of(side)
            if not taken and not (seat.kind == "human" and seat.person == person.id):
                code = "seat-reserved" if seat.kind == "invited" else "seat-taken"
                raise Problem(409, code, side=table.session.game.side_name(side))
            table.stage_at = time.time()
        table.tell_dice()
        self.wake(table)

    async def refresh_seats(self, table: Table) -> None:
        """The seats as the store has them."""
        rows = await self.run(self.store.seats, table.id)
        table.seats = [Seat(r["side"], r["kind"], r["person"], r["name"], r["level"]) for r in rows]

    async def reserve(self, table: Table, person: Person, side: int, *, opened: bool) -> str:
        """The owner opens a free seat to everybody, or reserves it by a new invitation."""
        if person.id != table.owner:
            raise Problem(403, "not-owner")
        async with table.lock:
            token = await self.run(seating.reserve, self.store, table.id, side, opened=opened)
            await self.refresh_seats(table)
        if token is None:
            raise Problem(409, "seat-taken", side=table.session.game.side_name(side))
        table.tell_dice()
        return f"/join#{token}" if token else ""

    async def set_terms(self, table: Table, person: Person, wish: Any) -> Terms:
        """The owner says who may see, watch and speak."""
        if person.id != table.owner:
            raise Problem(403, "not-owner")
        terms = terms_from(wish, table.terms)
        async with table.lock:
            await self.run(seating.set_terms, self.store, table.id, terms.listed, terms.kept())
            table.terms = terms
        for watcher in list(table.watchers):
            if terms.watchers == "nobody" and not table.sides_of(watcher.person):
                table.watchers.discard(watcher)
        table.tell_states()
        return terms

    # People who change their name, or leave

    def rename(self, before: Person, after: Person) -> None:
        """A guest has opened an account: seats, tables and open sockets are the account's now."""
        for table in list(self.tables.values()):
            for seat in table.seats:
                if seat.person == before.id:
                    seat.person, seat.name = after.id, after.name
            if table.owner == before.id:
                table.owner = after.id
            for socket in list(table.sockets):
                socket.rename(before, after)
        for old_table in self.old.values():
            for seat in old_table.seats:
                if seat.person == before.id:
                    seat.person, seat.name = after.id, after.name

    async def hang_up(self, who: Callable[[Person], bool]) -> None:
        """Close the sockets of people who are no longer who they were."""
        for table in list(self.tables.values()):
            for socket in list(table.sockets):
                if who(socket.person):
                    await socket.hang_up()

    async def leave_everywhere(self, person: Person) -> None:
        """Resign every running game of an account that goes; seats at tables that have not begun are empty again."""
        for table_id, side in await self.run(belongings.running_seats, self.store, person.id):
            try:
                table = await self.find(table_id)
                if not table.stage and table.session.result is None:
                    await table.change(None, partial(table.session.resign, side))
            except GrognardError:
                LOG.exception("leaving table %s", table_id)
        for table in list(self.tables.values()):
            if not table.sides_of(person):
                continue
            table.chat = [
                line | {"author": belongings.GONE} if line["author"] == person.name else line for line in table.chat
            ]
            for seat in table.seats:
                if seat.person == person.id:
                    seat.person, seat.name = "", belongings.GONE

    # The computer

    def wake(self, table: Table) -> None:
        """Let the computer think if it is its turn, and tell people if it is theirs."""
        if not self.owns(table):
            return
        self._keep_position(table)
        self._chronicle_when_due(table)
        waiting = () if table.stage else table.session.state.waiting
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
            table.tell_all({"type": "error", "code": "computer-failed", "message": str(error), "reply_to": None})

    async def _think(self, table: Table) -> None:
        """Play the computer's sides until a person must decide."""
        while table.session.result is None and not table.broken:
            side = next((w for w in table.session.state.waiting if table.seat_of(w).kind == "ai"), None)
            if side is None:
                break
            version = table.version

            def wanted(at: int = version) -> bool:
                return table.version == at

            action = await self.computer.choose(table.session, side, table.seat_of(side).level, wanted)
            try:
                await table.act(None, side, action, version)
            except Problem as problem:
                if problem.code != "stale":
                    raise
        self.notices.turn_of(table)


def seats_from(session: Session, wishes: Json, person: Person) -> tuple[list[Seat], dict[int, str]]:
    """Seats as asked for, and for each that others may take its invitation (empty for a seat that is open to all)."""
    game, seats, tokens = session.game, [], {}
    levels = offered(game.name, session.state.scenario)
    for name in wishes:
        if name not in game.sides:
            raise UnknownName("side", str(name), game.sides)
    for side in game.playing(session.state):  # a game may have a side that these options do not use
        wish = str(wishes.get(game.sides[side], "open"))
        if wish == "me":
            seats.append(Seat(side, "human", person.id, person.name))
        elif wish in seating.FREE:
            seats.append(Seat(side, wish))
            tokens[side] = "" if wish == "open" else secrets.token_urlsafe(18)
        elif wish.removeprefix("ai:") in levels:
            seats.append(Seat(side, "ai", level=wish.removeprefix("ai:")))
        else:
            raise UnknownName("player", wish, ["me", *seating.FREE, *(f"ai:{level}" for level in levels)])
    return seats, tokens


def needs_dice(seats: list[Seat]) -> bool:
    """True where more than one person may play: then all of them make the dice."""
    free = any(seat.kind in seating.FREE for seat in seats)
    people = {seat.person for seat in seats if seat.kind == "human"}
    return len(people) > 1 or (free and sum(1 for seat in seats if seat.kind != "ai") > 1)


def header_from(row: Json) -> Header:
    """The header of a table as it is kept."""
    data = json.loads(row["header"])
    shares = tuple(Share(**share) for share in data.get("shares", ()))
    return Header(**data | {"entropy": tuple(data["entropy"]), "shares": shares})


def plain_title(session: Session, lang: str) -> str:
    """A title for a table that was given none: the game and the first words of its scenario's title."""
    texts, scenario = texts_for(session.game.name, lang), session.header.scenario
    game = texts.find("game.title") or session.game.name.capitalize()
    name = re.split(r" ?[:,(]", texts.find(f"scenario.{scenario}") or scenario, maxsplit=1)[0]
    return f"{game}, {name}"[:MOST_TITLE]


def clock_from(wish: Any, sides: int) -> Json:
    """A time bank as asked for."""
    if not wish:
        return {}
    try:
        bank, added = float(wish["bank_s"]), float(wish.get("per_action_s", 0))
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
        raise Problem(422, "bad-clock") from None
    if not 10 <= bank <= 10_000_000 or not 0 <= added <= 100_000:
        raise Problem(422, "bad-clock")
    return {"bank": [bank] * sides, "added": added, "full": bank}
