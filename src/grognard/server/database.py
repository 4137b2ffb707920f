"""The database: SQLAlchemy Core on SQLite (write-ahead log, full synchronisation) or PostgreSQL, chosen by a URL."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from grognard.kernel.errors import GrognardError
from grognard.server.schema import KEYS, MIGRATIONS, SCHEMA, UPTIME


def sqlite_url(path: Path) -> str:
    """The address of a SQLite file."""
    return f"sqlite:///{path}"


class Database:
    """A database with our schema."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine = make_engine(url)
        self.migrate()
        self.key = bytes.fromhex(self.secret("cookies"))

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

    def close(self) -> None:
        """Let go of the database."""
        self.engine.dispose()


def keep_private(path: str) -> None:
    """Make a new file for its owner only: it holds password hashes, addresses and the seeds of games under way."""
    if path and not path.startswith((":", "file:")):
        with suppress(OSError):  # it is there, or cannot be made: then opening it says why
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def make_engine(url: str) -> Engine:
    """An engine with the settings that durability needs."""
    if not url.startswith("sqlite"):
        return sa.create_engine(url, pool_pre_ping=True, pool_size=8)
    keep_private(sa.make_url(url).database or "")
    engine = sa.create_engine(url, connect_args={"timeout": 30, "check_same_thread": False})

    @sa.event.listens_for(engine, "connect")
    def _settings(connection: Any, _record: Any) -> None:
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=30000"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    return engine
