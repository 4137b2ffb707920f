"""What is kept of tables: themselves, their seats, chat and notes. Log and people: `journal`, `register`."""

from __future__ import annotations

import time
from typing import Any

import sqlalchemy as sa

from grognard.server.journal import Journal
from grognard.server.register import Register
from grognard.server.schema import ACTIONS, CHAT, NOTES, SEATS, TABLES


class Store(Journal, Register):
    """The database. Every method is one transaction."""

    # Tables

    def add_table(self, table: dict[str, Any], seats: list[dict[str, Any]], actions: list[dict[str, Any]]) -> None:
        """A new table with its seats, and the actions it begins with when it was imported."""
        with self.writing() as db:
            db.execute(TABLES.insert().values(**table))
            db.execute(SEATS.insert(), seats)
            if actions:
                db.execute(ACTIONS.insert(), actions)

    def table(self, table_id: str) -> dict[str, Any] | None:
        """One table, without its actions."""
        with self.engine.connect() as db:
            row = db.execute(sa.select(TABLES).where(TABLES.c.id == table_id)).first()
            return dict(row._mapping) if row else None

    def seats(self, table_id: str) -> list[dict[str, Any]]:
        """The seats of a table in the order of the sides."""
        with self.engine.connect() as db:
            rows = db.execute(sa.select(SEATS).where(SEATS.c.table_id == table_id).order_by(SEATS.c.side))
            return [dict(row._mapping) for row in rows]

    def running_clocks(self) -> list[dict[str, Any]]:
        """Id, clock and what the lobby shows of every game that has a time bank and goes on."""
        query = sa.select(TABLES.c.id, TABLES.c.game, TABLES.c.clock, TABLES.c.lobby)
        with self.engine.connect() as db:
            rows = db.execute(query.where(sa.not_(TABLES.c.over), TABLES.c.clock != "{}"))
            return [dict(row._mapping) for row in rows]

    def seats_of(self, table_ids: list[str]) -> dict[str, list[dict[str, Any]]]:
        """The seats of many tables."""
        found: dict[str, list[dict[str, Any]]] = {table_id: [] for table_id in table_ids}
        with self.engine.connect() as db:
            query = sa.select(SEATS).where(SEATS.c.table_id.in_(table_ids)).order_by(SEATS.c.table_id, SEATS.c.side)
            for row in db.execute(query):
                found[row.table_id].append(dict(row._mapping))
        return found

    def list_tables(self, where: str, person: str, limit: int = 50) -> list[dict[str, Any]]:
        """`mine`, `open` (somebody is wanted) or `recent`, the latest first."""
        query = sa.select(TABLES).order_by(TABLES.c.updated.desc()).limit(limit)
        if where == "mine":
            query = query.where(TABLES.c.id.in_(sa.select(SEATS.c.table_id).where(SEATS.c.person == person)))
        else:
            query = query.where(TABLES.c.listed)
        if where == "open":
            wanted = sa.select(SEATS.c.table_id).where(SEATS.c.kind == "open")
            query = query.where(TABLES.c.id.in_(wanted), sa.not_(TABLES.c.over))
        with self.engine.connect() as db:
            return [dict(row._mapping) for row in db.execute(query)]

    def set_next(self, table_id: str, next_table: str) -> bool:
        """Where the rematch, or the game that goes on, is; False if there is one."""
        free = (TABLES.c.id == table_id) & (TABLES.c.next_table == "")
        with self.writing() as db:
            return db.execute(TABLES.update().where(free).values(next_table=next_table)).rowcount == 1

    def drop_table(self, table_id: str) -> None:
        """A table that nobody has heard of."""
        with self.writing() as db:
            for kept in (SEATS, ACTIONS, TABLES):
                db.execute(kept.delete().where((kept.c.id if kept is TABLES else kept.c.table_id) == table_id))

    def seat_by_invitation(self, hashed: str) -> dict[str, Any] | None:
        """The seat that an invitation is for."""
        with self.engine.connect() as db:
            row = db.execute(sa.select(SEATS).where(SEATS.c.invitation == hashed)).first()
            return dict(row._mapping) if row else None

    # Chat and notes

    def add_chat(self, table_id: str, n: int, author: str, text: str) -> float:
        """A line of chat; the time it was said."""
        now = time.time()
        with self.writing() as db:
            db.execute(CHAT.insert().values(table_id=table_id, n=n, author=author, text=text, at=now))
        return now

    def chat(self, table_id: str, most: int = 100) -> list[dict[str, Any]]:
        """What was said last at a table."""
        with self.engine.connect() as db:
            rows = db.execute(sa.select(CHAT).where(CHAT.c.table_id == table_id).order_by(CHAT.c.n.desc()).limit(most))
            return [{"n": r.n, "author": r.author, "text": r.text, "at": r.at} for r in rows][::-1]

    def note(self, table_id: str, person: str) -> str:
        """A person's private note."""
        with self.engine.connect() as db:
            query = sa.select(NOTES.c.text).where(NOTES.c.table_id == table_id, NOTES.c.person == person)
            return db.execute(query).scalar() or ""

    def set_note(self, table_id: str, person: str, text: str) -> None:
        """Write it."""
        with self.writing() as db:
            db.execute(NOTES.delete().where(NOTES.c.table_id == table_id, NOTES.c.person == person))
            db.execute(NOTES.insert().values(table_id=table_id, person=person, text=text))
