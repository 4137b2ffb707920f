"""The log of actions in the database: an action counts only once it is committed here."""

from __future__ import annotations

from contextlib import closing, suppress
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine.interfaces import DBAPICursor

from grognard.kernel.errors import GrognardError
from grognard.server.database import Database
from grognard.server.schema import ACTIONS, POSITIONS, TABLES

# What every action needs; `Prepared` hands it to the driver as it is.
ADD_ACTIONS = ACTIONS.insert()
DROP_ACTIONS = ACTIONS.delete().where(ACTIONS.c.table_id == sa.bindparam("of"), ACTIONS.c.n > sa.bindparam("keep"))
NEXT_VERSION = (
    TABLES.update()
    .where(TABLES.c.id == sa.bindparam("of"), TABLES.c.version == sa.bindparam("was"))
    .values(
        version=sa.bindparam("now"),
        over=sa.bindparam("ends"),
        updated=sa.bindparam("at"),
        clock=sa.bindparam("time"),
        lobby=sa.bindparam("shown"),
    )
)


class Logged(NamedTuple):
    """An entry of a log as it is kept."""

    side: int
    verb: str
    target: str
    salt: str
    chain: str


class Change(NamedTuple):
    """A change of one table: entries after `keep` are forgotten, new ones added, the version set."""

    table_id: str
    version: int
    keep: int
    added: list[dict[str, Any]]
    over: bool
    clock: dict[str, Any]
    lobby: dict[str, Any]
    at: float

    def facts(self) -> dict[str, Any]:
        """What `NEXT_VERSION` needs."""
        facts: dict[str, Any] = {"of": self.table_id, "was": self.version - 1, "now": self.version}
        facts["ends"], facts["at"] = self.over, self.at
        facts["time"] = msgspec.json.encode(self.clock).decode() if self.clock else "{}"
        facts["shown"] = msgspec.json.encode(self.lobby).decode()
        return facts


class StaleWrite(GrognardError):
    """Somebody else has changed a table: another server on the same database."""


class Prepared:
    """A statement in the driver's own words: made once, since to make and run it by SQLAlchemy costs ten times more."""

    def __init__(self, statement: sa.Insert | sa.Update | sa.Delete, dialect: sa.Dialect) -> None:
        compiled = statement.compile(dialect=dialect)
        self.text = str(compiled)
        self.order: list[str] | None = getattr(compiled, "positiontup", None)

    def run(self, cursor: DBAPICursor, rows: list[dict[str, Any]]) -> int:
        """Run it for each row of values; how many rows of the database it touched."""
        values = rows if self.order is None else [[row[name] for name in self.order] for row in rows]
        if len(values) == 1:
            cursor.execute(self.text, values[0])
        else:
            cursor.executemany(self.text, values)
        return cursor.rowcount


class Journal(Database):
    """What is added to logs, and read from them. Every method is one transaction."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.add_actions = Prepared(ADD_ACTIONS, self.engine.dialect)
        self.drop_actions = Prepared(DROP_ACTIONS, self.engine.dialect)
        self.next_version = Prepared(NEXT_VERSION, self.engine.dialect)
        self.steady = "SERIALIZABLE" if self.engine.dialect.name == "sqlite" else "REPEATABLE READ"
        local = self.engine.dialect.name == "sqlite"
        self.kept = self.engine.raw_connection() if local else None  # for the log; to a far server it could break
        if self.kept is not None:
            self.kept.driver_connection.isolation_level = None  # type: ignore[union-attr]
            # transactions by statements of our own, which the driver prepares once: its own are read anew each time

    def close(self) -> None:
        """Let go of the database."""
        if self.kept is not None:
            self.kept.close()
        super().close()

    def record(self, changes: list[Change]) -> list[Exception | None]:
        """Make changes durable, in one transaction if none of them fails; for each, what went wrong."""
        try:
            self._record(changes)
        except Exception as error:
            if len(changes) == 1:
                return [error]
            return [result for change in changes for result in self.record([change])]
        return [None] * len(changes)

    def _record(self, changes: list[Change]) -> None:
        if self.kept is None:
            with closing(self.engine.raw_connection()) as far:  # what is not committed is rolled back
                self._write(far.cursor(), changes)
                far.commit()
            return
        near: Any = self.kept.driver_connection
        try:
            cursor = near.cursor()
            cursor.execute("BEGIN IMMEDIATE")
            self._write(cursor, changes)
            cursor.execute("COMMIT")
        except BaseException:
            near.rollback()
            raise

    def _write(self, cursor: DBAPICursor, changes: list[Change]) -> None:
        undone = [{"of": c.table_id, "keep": c.keep} for c in changes if not c.added]
        added = [row for c in changes for row in c.added]
        if undone:
            self.drop_actions.run(cursor, undone)
        if added:
            self.add_actions.run(cursor, added)
        if self.next_version.run(cursor, [c.facts() for c in changes]) != len(changes):
            told = ", ".join(f"{c.table_id} at version {c.version - 1}" for c in changes)
            raise StaleWrite(f"somebody else has changed table {told}")

    def actions(self, table_id: str) -> list[Logged]:
        """Every action of a table."""
        with self.engine.connect() as db:
            query = sa.select(ACTIONS.c.side, ACTIONS.c.verb, ACTIONS.c.target, ACTIONS.c.salt, ACTIONS.c.chain)
            rows = db.execute(query.where(ACTIONS.c.table_id == table_id).order_by(ACTIONS.c.n))
            return [Logged(*row) for row in rows]

    def version(self, table_id: str) -> int:
        """The version of a table now; -1 if it is gone."""
        with self.engine.connect() as db:
            found = db.execute(sa.select(TABLES.c.version).where(TABLES.c.id == table_id)).scalar()
            return -1 if found is None else int(found)

    def news(self, table_id: str, known: int) -> tuple[dict[str, Any], list[Logged]] | None:
        """A table as it is at one moment, and its actions from the last known one on."""
        columns = (ACTIONS.c.side, ACTIONS.c.verb, ACTIONS.c.target, ACTIONS.c.salt, ACTIONS.c.chain)
        query = sa.select(*columns).where(ACTIONS.c.table_id == table_id, ACTIONS.c.n >= known).order_by(ACTIONS.c.n)
        with self.engine.connect().execution_options(isolation_level=self.steady) as db:
            row = db.execute(sa.select(TABLES).where(TABLES.c.id == table_id)).first()
            return None if row is None else (dict(row._mapping), [Logged(*line) for line in db.execute(query)])

    def position(self, table_id: str) -> tuple[int, str]:
        """The position that is kept of a long game, after so many entries; 0 if there is none."""
        with self.engine.connect() as db:
            row = db.execute(sa.select(POSITIONS).where(POSITIONS.c.table_id == table_id)).first()
            return (row.n, row.position) if row else (0, "")

    def keep_position(self, table_id: str, n: int, position: str) -> None:
        """Keep another one; if two servers do so at once, either will do."""
        with suppress(sa.exc.IntegrityError), self.writing() as db:
            db.execute(POSITIONS.delete().where(POSITIONS.c.table_id == table_id))
            db.execute(POSITIONS.insert().values(table_id=table_id, n=n, position=position))
