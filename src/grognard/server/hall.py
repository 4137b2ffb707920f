"""The hall: opens tables, finds them again in the store, seats people and sets the computer to work."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import secrets
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from typing import Any

from grognard.ai import LEVELS
from grognard.games import find_game, playable_names
from grognard.kernel.errors import GrognardError, UnknownName
from grognard.kernel.gamefile import GameFile, replay
from grognard.kernel.session import TABLE, Header, Session
from grognard.kernel.texts import texts_for
from grognard.server.computer import Computer
from grognard.server.errors import Problem
from grognard.server.messages import Json
from grognard.server.notices import Notices
from grognard.server.people import Person, hashed, new_id
from grognard.server.recorder import Recorder
from grognard.server.settings import Settings
from grognard.server.store import Store
from grognard.server.table import Seat, Table, action_rows, lobby_facts, summary_of_row

LOG = logging.getLogger("grognard.server")
MOST_TITLE = 100


class Hall:
    """Everything that the server holds between requests."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = Store(settings.database)
        lanes = 1 if settings.database.startswith("sqlite") else 8
        self.pool = ThreadPoolExecutor(lanes, thread_name_prefix="store")
        self.recorder = Recorder(self.store.record)
        self.tables: dict[str, Table] = {}
        self.opening: dict[str, asyncio.Lock] = {}
        self.computer = Computer()
        self.notices = Notices(settings, self.store, self.run)
        self.thinking: dict[str, asyncio.Task[None]] = {}

    async def run(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Run a blocking function of the store beside the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self.pool, partial(function, *args, **kwargs))

    async def close(self) -> None:
        """Stop thinking and let go of the store."""
        for task in self.thinking.values():
            task.cancel()
        self.computer.close()
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
        return await self._open(
            person, session, order.get("seats") or {}, title, clock_from(order.get("time"), len(game.sides)), lang
        )

    async def take_in(self, person: Person, file: GameFile, seats: Json, lang: str) -> tuple[Table, dict[str, str]]:
        """A table that goes on from a game file."""
        session = await asyncio.to_thread(replay, file, find_game)
        return await self._open(person, session, seats, session.header.title, {}, lang)

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
            new = await self._keep(person, session, seats, table.title, table.clock.anew(), {})
            table.next_table = new.id
            await self.run(self.store.set_next, table.id, new.id)
        table.tell_all({"type": "rematch", "table": new.id})
        self.wake(new)
        return new

    async def _open(
        self, person: Person, session: Session, wishes: Json, title: str, clock: Json, lang: str
    ) -> tuple[Table, dict[str, str]]:
        game = session.game
        seats, invitations, hashes = [], {}, {}
        for name in wishes:
            if name not in game.sides:
                raise UnknownName("side", str(name), game.sides)
        for side in game.playing(session.state):  # a game may have a side that these options do not use
            name = game.sides[side]
            wish = str(wishes.get(name, "open"))
            if wish == "me":
                seats.append(Seat(side, "human", person.id, person.name))
            elif wish == "open":
                token = secrets.token_urlsafe(18)
                seats.append(Seat(side, "open"))
                invitations[name], hashes[side] = f"/join#{token}", hashed(token)
            elif wish.removeprefix("ai:") in LEVELS:
                seats.append(Seat(side, "ai", level=wish.removeprefix("ai:")))
            else:
                raise UnknownName("player", wish, ["me", "open", *(f"ai:{level}" for level in LEVELS)])
        table = await self._keep(person, session, seats, title or plain_title(session, lang), clock, hashes)
        self.wake(table)
        return table, invitations

    async def _keep(
        self, person: Person, session: Session, seats: list[Seat], title: str, clock: Json, hashes: dict[int, str]
    ) -> Table:
        """Write a new table down, then hold it."""
        table_id, now = new_id(), time.time()
        if clock:
            clock["since"] = now
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
            "lobby": json.dumps(lobby_facts(session)),
        }
        seat_rows = [asdict(seat) | {"table_id": table_id, "invitation": hashes.get(seat.side, "")} for seat in seats]
        await self.run(self.store.add_table, row, seat_rows, action_rows(table_id, session, 0, now))
        table = Table(table_id, title, session, seats, 0, clock, self.recorder.record)
        self.tables[table_id] = table
        self._make_room()
        return table

    # Finding tables

    async def find(self, table_id: str) -> Table:
        """A table by its id, from memory or from the store."""
        table = self.tables.get(table_id)
        if table is not None and not table.broken:
            table.used = time.monotonic()
            return table
        async with self.opening.setdefault(table_id, asyncio.Lock()):
            table = self.tables.get(table_id)
            if table is None or table.broken:
                watchers = set() if table is None else table.watchers
                rows = await self.run(self._fetch, table_id)
                table = await asyncio.to_thread(self._replay, *rows)  # not in the store's lane: others are writing
                table.watchers = watchers
                self.tables[table_id] = table
                self._make_room()
        self.opening.pop(table_id, None)
        self.wake(table)
        return table

    def _fetch(self, table_id: str) -> tuple[Json, list[Json], list[tuple[int, str, str]], list[Json]]:
        """All that the store has of a table."""
        row = self.store.table(table_id) if len(table_id) <= 24 else None
        if row is None:
            raise Problem(404, "no-table", table=table_id)
        return row, self.store.seats(table_id), self.store.actions(table_id), self.store.chat(table_id)

    def _replay(self, row: Json, seat_rows: list[Json], actions: list[tuple[int, str, str]], chat: list[Json]) -> Table:
        """A table from its log."""
        data = json.loads(row["header"])
        header = Header(**data | {"entropy": tuple(data["entropy"])})
        game = find_game(header.game)
        if header.rules != game.version:
            raise Problem(409, "other-rules", game=game.name, theirs=header.rules, ours=game.version)
        session = Session(game, header)
        for side, verb, target in actions:
            if side == TABLE:
                session.note((verb, target))
            else:
                session.act(side, (verb, target))
        seats = [Seat(r["side"], r["kind"], r["person"], r["name"], r["level"]) for r in seat_rows]
        clock = json.loads(row["clock"])
        table = Table(row["id"], row["title"], session, seats, row["version"], clock, self.recorder.record)
        table.chat, table.next_table = chat, row["next_table"]
        return table

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
            except (GrognardError, LookupError):
                continue  # a table of other rules (or other sides) is no reason to show no lobby
            lines.append(line | {"updated": row["updated"]})
        return lines

    def _make_room(self) -> None:
        """Forget tables that nobody watches; they are in the store."""
        if len(self.tables) <= self.settings.open_tables:
            return
        idle = [t for t in self.tables.values() if not t.watchers and not t.lock.locked() and t.id not in self.thinking]
        for table in sorted(idle, key=lambda t: t.used)[: len(self.tables) - self.settings.open_tables]:
            del self.tables[table.id]

    # Sitting down

    async def invited(self, token: str) -> dict[str, str]:
        """What an invitation is to: game, scenario, side and who plays there already; it is not used up by looking."""
        row = await self.run(self.store.seat_by_invitation, hashed(token))
        if row is None:
            raise Problem(404, "bad-invitation")
        table = await self.find(row["table_id"])
        header, host = table.session.header, [seat.name for seat in table.seats if seat.kind == "human" and seat.name]
        told = {"game": header.game, "scenario": header.scenario, "title": table.title, "host": ", ".join(host)}
        return told | {"side": table.session.game.side_name(row["side"])}

    async def join(self, person: Person, token: str) -> tuple[Table, str]:
        """Take the seat that an invitation is for."""
        row = await self.run(self.store.seat_by_invitation, hashed(token))
        if row is None:
            raise Problem(404, "bad-invitation")
        table = await self.find(row["table_id"])
        side = table.session.game.side_name(row["side"])
        await self.sit(table, person, row["side"])
        return table, side

    async def sit(self, table: Table, person: Person, side: int) -> None:
        """Take an open seat; coming back to one's own is fine."""
        async with table.lock:
            seat = table.seat_of(side)
            if seat.kind == "human" and seat.person == person.id:
                return
            if seat.kind != "open":
                raise Problem(409, "seat-taken", side=table.session.game.side_name(side))
            await self.run(self.store.set_seat, table.id, side, kind="human", person=person.id, name=person.name)
            seat.kind, seat.person, seat.name = "human", person.id, person.name
        table.tell_all({"type": "presence", "seats": table.seats_json()})

    # The computer

    def wake(self, table: Table) -> None:
        """Let the computer think if it is its turn, and tell people if it is theirs."""
        waiting = table.session.state.waiting
        if any(table.seat_of(side).kind == "ai" for side in waiting) and table.id not in self.thinking:
            task = asyncio.create_task(self._think(table))
            self.thinking[table.id] = task
            task.add_done_callback(partial(self._thought, table))
        self.notices.turn_of(table)

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
            action = await self.computer.choose(table.session, side, table.seat_of(side).level)
            try:
                await table.act(None, side, action, version)
            except Problem as problem:
                if problem.code != "stale":
                    raise
        self.notices.turn_of(table)


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
    except (KeyError, TypeError, ValueError):
        raise Problem(422, "bad-clock") from None
    if not 10 <= bank <= 10_000_000 or not 0 <= added <= 100_000:
        raise Problem(422, "bad-clock")
    return {"bank": [bank] * sides, "added": added, "full": bank}
