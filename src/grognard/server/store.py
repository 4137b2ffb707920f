"""What is kept on disk: visitors, tables, seats, every action, chat, notes and sent notices.

SQLAlchemy Core on SQLite (write-ahead log, full synchronisation) or PostgreSQL, chosen by a URL. An action counts only
once it is committed here. The schema has a number; `MIGRATIONS` lead from each number to the next.
"""

from __future__ import annotations

import secrets
import time
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.schema import CreateColumn

from grognard.kernel.errors import GrognardError

METADATA = sa.MetaData()

SCHEMA = sa.Table("schema_version", METADATA, sa.Column("number", sa.Integer, primary_key=True))

VISITORS = sa.Table(
    "visitors",
    METADATA,
    sa.Column("id", sa.String(24), primary_key=True),
    sa.Column("cookie", sa.String(64), unique=True, nullable=False),  # a hash, never the cookie itself
    sa.Column("account", sa.String(24), sa.ForeignKey("accounts.id")),
    sa.Column("created", sa.Float, nullable=False),
)

ACCOUNTS = sa.Table(
    "accounts",
    METADATA,
    sa.Column("id", sa.String(24), primary_key=True),
    sa.Column("name", sa.String(40), unique=True, nullable=False),
    sa.Column("name_key", sa.String(40), unique=True, nullable=False),  # case-folded
    sa.Column("password", sa.String(200), nullable=False),  # argon2
    sa.Column("created", sa.Float, nullable=False),
)

NOTICE_WISHES = sa.Table(
    "notice_wishes",
    METADATA,
    sa.Column("person", sa.String(24), primary_key=True),
    sa.Column("email", sa.String(200), nullable=False, default=""),
    sa.Column("webhook", sa.String(500), nullable=False, default=""),
    sa.Column("language", sa.String(2), nullable=False, default="en"),
)

TABLES = sa.Table(
    "tables",
    METADATA,
    sa.Column("id", sa.String(24), primary_key=True),
    sa.Column("title", sa.String(120), nullable=False),
    sa.Column("game", sa.String(40), nullable=False, index=True),
    sa.Column("header", sa.Text, nullable=False),  # JSON of the session's header, seed included
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("over", sa.Boolean, nullable=False, default=False),
    sa.Column("clock", sa.Text, nullable=False, default="{}"),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("updated", sa.Float, nullable=False, index=True),
    sa.Column("owner", sa.String(24), nullable=False),
    sa.Column("next_table", sa.String(24), nullable=False, default=""),
    sa.Column("lobby", sa.Text, nullable=False, default="{}", server_default="{}"),  # JSON of what the lobby shows
    sa.Column("stage", sa.String(8), nullable=False, default="", server_default=""),  # `dice`: they are being made
    sa.Column("stage_at", sa.Float, nullable=False, default=0.0, server_default="0"),  # since when it waits
    sa.Column("listed", sa.Boolean, nullable=False, default=False, server_default=sa.false()),  # in everybody's lobby
    sa.Column("terms", sa.Text, nullable=False, default="{}", server_default="{}"),  # JSON: who may watch and speak
)

SEATS = sa.Table(
    "seats",
    METADATA,
    sa.Column("table_id", sa.String(24), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("side", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(8), nullable=False),  # open, invited, human, ai
    sa.Column("person", sa.String(24), nullable=False, default="", index=True),
    sa.Column("name", sa.String(40), nullable=False, default=""),
    sa.Column("level", sa.String(20), nullable=False, default=""),
    sa.Column("invitation", sa.String(64), nullable=False, default="", index=True),  # a hash
)

ACTIONS = sa.Table(
    "actions",
    METADATA,
    sa.Column("table_id", sa.String(24), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("n", sa.Integer, primary_key=True),
    sa.Column("side", sa.Integer, nullable=False),
    sa.Column("verb", sa.String(80), nullable=False),
    sa.Column("target", sa.String(400), nullable=False),
    sa.Column("chain", sa.String(32), nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("salt", sa.String(64), nullable=False, default="", server_default=""),  # of the player, for the dice
    sqlite_with_rowid=False,  # one tree instead of two to write
)

SHARES = sa.Table(  # what the players put into the dice, while they are being made; afterwards the header has it
    "shares",
    METADATA,
    sa.Column("table_id", sa.String(24), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("side", sa.Integer, primary_key=True),
    sa.Column("commitment", sa.String(64), nullable=False),  # `-`: the table went on without waiting for one
    sa.Column("entropy", sa.String(64), nullable=False, default=""),
)

CHRONICLES = sa.Table(  # what each side saw of a game, so that it can be looked at when the rules have changed
    "chronicles",
    METADATA,
    sa.Column("table_id", sa.String(24), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("upto", sa.Integer, primary_key=True),  # the last entry of the log that this part tells of
    sa.Column("since", sa.Integer, nullable=False),  # the last entry that it does not
    sa.Column("part", sa.LargeBinary, nullable=False),  # packed JSON: see `chronicle`
)

CONSENTS = sa.Table(  # who agrees to go on with a game of earlier rules
    "consents",
    METADATA,
    sa.Column("table_id", sa.String(24), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("side", sa.Integer, primary_key=True),
)

RESETS = sa.Table(  # passwords that somebody wants to choose anew
    "resets",
    METADATA,
    sa.Column("token", sa.String(64), primary_key=True),  # a hash
    sa.Column("account", sa.String(24), nullable=False),
    sa.Column("until", sa.Float, nullable=False),
)

CHAT = sa.Table(
    "chat",
    METADATA,
    sa.Column("table_id", sa.String(24), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("n", sa.Integer, primary_key=True),
    sa.Column("author", sa.String(40), nullable=False),
    sa.Column("text", sa.String(1000), nullable=False),
    sa.Column("at", sa.Float, nullable=False),
)

NOTES = sa.Table(
    "notes",
    METADATA,
    sa.Column("table_id", sa.String(24), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("person", sa.String(24), primary_key=True),
    sa.Column("text", sa.Text, nullable=False),
)

SENT = sa.Table(
    "sent_notices",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("table_id", sa.String(24), nullable=False),
    sa.Column("person", sa.String(24), nullable=False),
    sa.Column("how", sa.String(10), nullable=False),
    sa.Column("status", sa.String(200), nullable=False),
    sa.Column("at", sa.Float, nullable=False),
)

KEYS = sa.Table(
    "keys",
    METADATA,
    sa.Column("name", sa.String(24), primary_key=True),
    sa.Column("secret", sa.String(64), nullable=False),  # hexadecimal
)

DEVICES = sa.Table(  # browsers that have been logged in to an account
    "devices",
    METADATA,
    sa.Column("visitor", sa.String(24), primary_key=True),
    sa.Column("account", sa.String(24), primary_key=True),
)

CONFIRMED = sa.Table(  # addresses that their owners have said yes to
    "confirmed_mail",
    METADATA,
    sa.Column("person", sa.String(24), primary_key=True),
    sa.Column("email", sa.String(200), primary_key=True),
    sa.Column("at", sa.Float, nullable=False),
)

UPTIME = sa.Table(  # the server's own time; one row
    "uptime",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("seconds", sa.Float, nullable=False),
)

POSITIONS = sa.Table(  # one on the way of every long game, to open it from
    "positions",
    METADATA,
    sa.Column("table_id", sa.String(24), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("n", sa.Integer, nullable=False),
    sa.Column("position", sa.Text, nullable=False),
)

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


def _add_lobby(db: Connection) -> None:
    """Schema 2: what the lobby shows of a table, so that it need not be replayed for it."""
    if "lobby" not in {column["name"] for column in sa.inspect(db).get_columns("tables")}:
        db.execute(sa.text("alter table tables add column lobby text not null default '{}'"))


def _add_doors(db: Connection) -> None:
    """A key to sign cookies with, which browser has been in which account, which address is confirmed, our own time."""
    METADATA.create_all(db, tables=[KEYS, DEVICES, CONFIRMED, UPTIME])


def _add_columns(db: Connection, *columns: sa.Column[Any]) -> None:
    """Columns that an older database has not got."""
    for column in columns:
        table = column.table.name
        if column.name not in {known["name"] for known in sa.inspect(db).get_columns(table)}:
            told = CreateColumn(column).compile(dialect=db.dialect)
            db.execute(sa.text(f"alter table {table} add column {told}"))


def _add_ceremony(db: Connection) -> None:
    """Shares and salts of the dice, terms of a table, chronicles, new passwords; an invitation reserves its seat."""
    METADATA.create_all(db, tables=[SHARES, CHRONICLES, CONSENTS, RESETS])
    _add_columns(db, TABLES.c.stage, TABLES.c.stage_at, TABLES.c.listed, TABLES.c.terms, ACTIONS.c.salt)
    for row in db.execute(sa.select(ACCOUNTS.c.id, ACCOUNTS.c.name, ACCOUNTS.c.name_key)).all():
        key = name_key(row.name)
        taken = db.execute(sa.select(ACCOUNTS.c.id).where(ACCOUNTS.c.name_key == key)).first()
        if key != row.name_key and taken is None and len(key) <= 40:
            db.execute(ACCOUNTS.update().where(ACCOUNTS.c.id == row.id).values(name_key=key))
    invited = (SEATS.c.kind == "open") & (SEATS.c.invitation != "")
    db.execute(SEATS.update().where(invited).values(kind="invited"))


def _add_positions(db: Connection) -> None:
    """Positions on the way of long games."""
    METADATA.create_all(db, tables=[POSITIONS])


# MIGRATIONS[n] leads from schema n to n + 1.
MIGRATIONS: list[Callable[[Connection], None]] = [
    METADATA.create_all,
    _add_lobby,
    _add_doors,
    _add_ceremony,
    _add_positions,
]


def name_key(name: str) -> str:
    """What two names that are too alike have in common: width, case and composed letters do not count."""
    folded = unicodedata.normalize("NFKC", " ".join(name.split())).casefold()
    return unicodedata.normalize("NFKC", folded)


class Logged(NamedTuple):
    """An entry of a log as it is kept."""

    side: int
    verb: str
    target: str
    salt: str
    chain: str


@dataclass(frozen=True)
class Change:
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


def sqlite_url(path: Path) -> str:
    """The address of a SQLite file."""
    return f"sqlite:///{path}"


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


class Store:
    """The database. Every method is one transaction."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine = make_engine(url)
        self.add_actions = Prepared(ADD_ACTIONS, self.engine.dialect)
        self.drop_actions = Prepared(DROP_ACTIONS, self.engine.dialect)
        self.next_version = Prepared(NEXT_VERSION, self.engine.dialect)
        self.steady = "SERIALIZABLE" if self.engine.dialect.name == "sqlite" else "REPEATABLE READ"
        self.migrate()
        self.key = bytes.fromhex(self.secret("cookies"))
        local = self.engine.dialect.name == "sqlite"
        self.kept = self.engine.raw_connection() if local else None  # for the log; to a far server it could break

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that is durable when it ends."""
        with self.engine.begin() as connection:
            yield connection

    def migrate(self) -> None:
        """Bring the schema up to date, step by step."""
        with self.writing() as db:
            SCHEMA.create(db, checkfirst=True)
            row = db.execute(sa.select(SCHEMA.c.number)).first()
            number = row.number if row else 0
            if number > len(MIGRATIONS):
                raise GrognardError(f"the database has schema {number}; this program knows up to {len(MIGRATIONS)}")
            for step in MIGRATIONS[number:]:
                step(db)
            if number != len(MIGRATIONS):
                db.execute(SCHEMA.delete())
                db.execute(SCHEMA.insert().values(number=len(MIGRATIONS)))

    def secret(self, name: str) -> str:
        """A secret of this database, made when it is first asked for; all servers on it share it."""
        query = sa.select(KEYS.c.secret).where(KEYS.c.name == name)
        with suppress(sa.exc.IntegrityError), self.writing() as db:
            if db.execute(query).first() is None:
                db.execute(KEYS.insert().values(name=name, secret=secrets.token_hex(32)))
        with self.engine.connect() as db:
            return str(db.execute(query).scalar_one())

    def ping(self) -> None:
        """The database answers."""
        with self.engine.connect() as db:
            db.execute(sa.select(sa.literal(1)))

    def beat(self, seconds: float) -> float:
        """Note the server's own time; the latest that any server on this database has noted."""
        with suppress(sa.exc.IntegrityError), self.writing() as db:
            if db.execute(sa.select(UPTIME.c.seconds)).first() is None:
                db.execute(UPTIME.insert().values(id=1, seconds=seconds))
        with self.writing() as db:
            db.execute(UPTIME.update().where(UPTIME.c.seconds < seconds).values(seconds=seconds))
            return float(db.execute(sa.select(UPTIME.c.seconds)).scalar_one())

    def running_clocks(self) -> list[dict[str, Any]]:
        """Id, clock and what the lobby shows of every game that has a time bank and goes on."""
        query = sa.select(TABLES.c.id, TABLES.c.game, TABLES.c.clock, TABLES.c.lobby)
        with self.engine.connect() as db:
            rows = db.execute(query.where(sa.not_(TABLES.c.over), TABLES.c.clock != "{}"))
            return [dict(row._mapping) for row in rows]

    def close(self) -> None:
        """Let go of the database."""
        if self.kept is not None:
            self.kept.close()
        self.engine.dispose()

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
        connection: Any = self.engine.raw_connection() if self.kept is None else self.kept.driver_connection
        try:
            self._write(connection.cursor(), changes)
            connection.commit()
        except BaseException:
            if self.kept is not None:
                connection.rollback()
            raise
        finally:
            if self.kept is None:
                connection.close()  # what was not committed is rolled back

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

    def set_next(self, table_id: str, next_table: str) -> None:
        """Where the rematch is."""
        with self.writing() as db:
            db.execute(TABLES.update().where(TABLES.c.id == table_id).values(next_table=next_table))

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

    def chat(self, table_id: str) -> list[dict[str, Any]]:
        """All that was said at a table."""
        with self.engine.connect() as db:
            rows = db.execute(sa.select(CHAT).where(CHAT.c.table_id == table_id).order_by(CHAT.c.n))
            return [{"n": r.n, "author": r.author, "text": r.text, "at": r.at} for r in rows]

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

    # People

    def visitor(self, cookie_hash: str) -> dict[str, Any] | None:
        """A visitor by its cookie, with the account it is logged in to."""
        joined = VISITORS.outerjoin(ACCOUNTS, VISITORS.c.account == ACCOUNTS.c.id)
        query = sa.select(VISITORS.c.id, VISITORS.c.account, ACCOUNTS.c.name).select_from(joined)
        with self.engine.connect() as db:
            row = db.execute(query.where(VISITORS.c.cookie == cookie_hash)).first()
            return dict(row._mapping) if row else None

    def has_visitor(self, visitor_id: str) -> bool:
        """True if that visitor is written down, under whatever cookie."""
        with self.engine.connect() as db:
            return db.execute(sa.select(VISITORS.c.id).where(VISITORS.c.id == visitor_id)).first() is not None

    def add_visitor(self, visitor_id: str, cookie_hash: str) -> None:
        """Somebody new; no harm if another request of the same browser was quicker."""
        with suppress(sa.exc.IntegrityError), self.writing() as db:
            db.execute(VISITORS.insert().values(id=visitor_id, cookie=cookie_hash, created=time.time()))

    def has_device(self, visitor_id: str, name_key: str) -> bool:
        """True if this browser has been in the account of that name."""
        joined = DEVICES.join(ACCOUNTS, DEVICES.c.account == ACCOUNTS.c.id)
        query = sa.select(DEVICES.c.visitor).select_from(joined)
        with self.engine.connect() as db:
            known = query.where(DEVICES.c.visitor == visitor_id, ACCOUNTS.c.name_key == name_key)
            return db.execute(known).first() is not None

    def log_in(self, visitor_id: str, account: str | None, cookie_hash: str) -> None:
        """Tie a visitor to an account (or to none), under a fresh cookie."""
        with self.writing() as db:
            values = {"account": account, "cookie": cookie_hash}
            db.execute(VISITORS.update().where(VISITORS.c.id == visitor_id).values(**values))
            if account is not None:
                row = {"visitor": visitor_id, "account": account}
                db.execute(DEVICES.delete().where(DEVICES.c.visitor == visitor_id, DEVICES.c.account == account))
                db.execute(DEVICES.insert().values(**row))

    def account(self, name_key: str) -> dict[str, Any] | None:
        """An account by the key of its name."""
        with self.engine.connect() as db:
            row = db.execute(sa.select(ACCOUNTS).where(ACCOUNTS.c.name_key == name_key)).first()
            return dict(row._mapping) if row else None

    def add_account(self, account_id: str, name: str, password: str, visitor_id: str) -> bool:
        """A new account; everything that was the visitor's becomes its own. False if the name is taken."""
        try:
            with self.writing() as db:
                values = {"id": account_id, "name": name, "name_key": name_key(name), "password": password}
                db.execute(ACCOUNTS.insert().values(**values, created=time.time()))
                db.execute(SEATS.update().where(SEATS.c.person == visitor_id).values(person=account_id, name=name))
                db.execute(TABLES.update().where(TABLES.c.owner == visitor_id).values(owner=account_id))
                for table in (CONFIRMED, NOTES, NOTICE_WISHES, SENT):
                    db.execute(table.update().where(table.c.person == visitor_id).values(person=account_id))
        except sa.exc.IntegrityError:
            return False
        return True

    def notice_wish(self, person: str) -> dict[str, Any] | None:
        """How a person wants to be told that it is their turn, and whether the address is confirmed."""
        with self.engine.connect() as db:
            row = db.execute(sa.select(NOTICE_WISHES).where(NOTICE_WISHES.c.person == person)).first()
            if row is None:
                return None
        return dict(row._mapping) | {"confirmed": not row.email or self.is_confirmed(person, row.email)}

    def is_confirmed(self, person: str, email: str) -> bool:
        """True if the owner of an address has said yes to letters for this person."""
        query = sa.select(CONFIRMED.c.at).where(CONFIRMED.c.person == person, CONFIRMED.c.email == email)
        with self.engine.connect() as db:
            return db.execute(query).first() is not None

    def confirm_mail(self, person: str, email: str) -> None:
        """The owner of an address says yes; twice is no harm."""
        with suppress(sa.exc.IntegrityError), self.writing() as db:
            db.execute(CONFIRMED.insert().values(person=person, email=email, at=time.time()))

    def set_notice_wish(self, person: str, email: str, webhook: str, language: str) -> None:
        """Set it."""
        with self.writing() as db:
            db.execute(NOTICE_WISHES.delete().where(NOTICE_WISHES.c.person == person))
            values = {"person": person, "email": email, "webhook": webhook, "language": language}
            db.execute(NOTICE_WISHES.insert().values(**values))

    def add_sent(self, table_id: str, person: str, how: str, status: str) -> None:
        """The log of what was sent."""
        with self.writing() as db:
            values = {"table_id": table_id, "person": person, "how": how, "status": status[:200], "at": time.time()}
            db.execute(SENT.insert().values(**values))

    def sent(self, person: str) -> list[dict[str, Any]]:
        """What was sent to a person, the latest first."""
        with self.engine.connect() as db:
            rows = db.execute(sa.select(SENT).where(SENT.c.person == person).order_by(SENT.c.id.desc()).limit(50))
            return [dict(row._mapping) for row in rows]


def make_engine(url: str) -> Engine:
    """An engine with the settings that durability needs."""
    if not url.startswith("sqlite"):
        return sa.create_engine(url, pool_pre_ping=True, pool_size=8)
    engine = sa.create_engine(url, connect_args={"timeout": 30, "check_same_thread": False})

    @sa.event.listens_for(engine, "connect")
    def _settings(connection: Any, _record: Any) -> None:
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=30000"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    return engine
