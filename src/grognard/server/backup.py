"""Backups: all rows of the database in one file, from one moment, whichever database it is; and the way back.

The file is gzipped lines of JSON: a head with the schema and the number of rows of each table, the rows, and at the end
the digest of everything before it. It is taken in one transaction that sees one moment, while the server plays on; it
is read again before it gets its name. A backup of SQLite can be restored into PostgreSQL and the other way round.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import time
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from grognard.kernel.errors import GrognardError
from grognard.server.database import make_engine
from grognard.server.schema import METADATA, MIGRATIONS, SCHEMA
from grognard.server.store import Store

FORMAT = 1
SOME = 500  # rows handed over at a time
OF_A_NEW_ONE = ("keys", "uptime")  # what a database has in which nobody has played yet


class BackupError(GrognardError):
    """A backup that cannot be made, read or restored; `key` is a text `backup.KEY`."""

    def __init__(self, key: str, **facts: Any) -> None:
        super().__init__(f"{key} {facts or ''}".strip())
        self.key, self.facts = key, facts


def kept_tables() -> list[sa.Table]:
    """Every table in an order in which rows can be put back."""
    return [table for table in METADATA.sorted_tables if table is not SCHEMA]


@contextmanager
def one_moment(url: str) -> Iterator[Connection]:
    """A connection that sees the database as it is now, whatever is written meanwhile."""
    engine = make_engine(url)
    try:
        if engine.dialect.name == "sqlite":
            with engine.connect() as db:
                db.exec_driver_sql("BEGIN")
                yield db
        else:
            with engine.connect().execution_options(isolation_level="REPEATABLE READ") as db:
                yield db
    finally:
        engine.dispose()


def back_up(url: str, path: Path) -> dict[str, int]:
    """Write a backup and read it again; how many rows of each table it has."""
    part = path.with_name(path.name + ".part")
    try:
        with one_moment(url) as db:
            if not sa.inspect(db).has_table(SCHEMA.name):
                raise BackupError("no-database", database=shown(url))
            _write(db, part)
        counts = read_head(part)["rows"]
        check(part)
        os.replace(part, path)
    except OSError as error:
        raise BackupError("cannot-write", path=path, why=error.strerror or error) from error
    finally:
        with suppress(OSError):
            part.unlink()
    return dict(counts)


def _write(db: Connection, part: Path) -> None:
    digest = hashlib.sha256()
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)  # it holds password hashes and seeds
    with os.fdopen(handle, "wb") as raw:
        with gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=6) as file:

            def write(line: Any) -> None:
                data = json.dumps(line, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"
                digest.update(data)
                file.write(data)

            have = set(sa.inspect(db).get_table_names())
            tables = [table for table in kept_tables() if table.name in have]
            rows = {t.name: db.execute(sa.select(sa.func.count()).select_from(t)).scalar_one() for t in tables}
            number = db.execute(sa.select(SCHEMA.c.number)).scalar_one()
            if number != len(MIGRATIONS):
                raise BackupError("other-schema", theirs=number, ours=len(MIGRATIONS))
            write({"grognard-backup": FORMAT, "schema": number, "at": time.time(), "rows": rows})
            for table in tables:
                write({"table": table.name, "columns": [column.name for column in table.columns]})
                for row in db.execution_options(yield_per=SOME).execute(sa.select(table)):
                    write([{"b64": b64encode(v).decode()} if isinstance(v, bytes) else v for v in row])
            file.write(json.dumps({"sha256": digest.hexdigest()}).encode() + b"\n")
        raw.flush()
        os.fsync(raw.fileno())


def _lines(path: Path) -> Iterator[Any]:
    """The lines of a backup; the last is the digest, and it is checked."""
    digest = hashlib.sha256()
    try:
        with gzip.open(path, "rb") as file:
            last = b""
            for line in file:
                if last:
                    digest.update(last)
                    yield json.loads(last)
                last = line
            if json.loads(last or b"{}") != {"sha256": digest.hexdigest()}:
                raise BackupError("damaged", path=path)
    except FileNotFoundError:
        raise BackupError("no-file", path=path) from None
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise BackupError("damaged", path=path) from error


def read_head(path: Path) -> dict[str, Any]:
    """The first line."""
    head = next(_lines(path), None)
    if not isinstance(head, dict) or head.get("grognard-backup") != FORMAT:
        raise BackupError("damaged", path=path)
    return head


def check(path: Path) -> dict[str, int]:
    """Read a backup to its end; how many rows of each table it has. Says so if it is damaged."""
    head = read_head(path)
    counts: dict[str, int] = {}
    name = ""
    for line in list_after_head(path):
        if isinstance(line, dict):
            name = line["table"]
            counts[name] = 0
        else:
            counts[name] += 1
    if counts != head["rows"]:
        raise BackupError("damaged", path=path)
    return counts


def list_after_head(path: Path) -> Iterator[Any]:
    """All lines but the first."""
    lines = _lines(path)
    next(lines)
    return lines


def restore(path: Path, url: str) -> dict[str, int]:
    """Put a backup into a database that is empty or new; all of it or nothing."""
    counts = check(path)  # before anything is touched
    schema = read_head(path)["schema"]
    if schema > len(MIGRATIONS):
        raise BackupError("other-schema", theirs=schema, ours=len(MIGRATIONS))
    engine = make_engine(url)
    try:
        with engine.begin() as db:
            METADATA.create_all(db)
            for table in kept_tables():
                if table.name in OF_A_NEW_ONE:
                    db.execute(table.delete())
                elif db.execute(sa.select(sa.literal(1)).select_from(table).limit(1)).first():
                    raise BackupError("not-empty", database=shown(url))
            _fill(db, path)
            db.execute(SCHEMA.delete())
            db.execute(SCHEMA.insert().values(number=schema))
            if engine.dialect.name == "postgresql":
                last = "select setval(pg_get_serial_sequence('sent_notices', 'id'), max(id)) from sent_notices"
                db.execute(sa.text(last))
    finally:
        engine.dispose()
    Store(url).close()  # brings an older schema up to date
    return counts


def _fill(db: Connection, path: Path) -> None:
    name, columns = "", [""]
    rows: list[dict[str, Any]] = []
    for line in list_after_head(path):
        if rows and (isinstance(line, dict) or len(rows) >= SOME):
            db.execute(METADATA.tables[name].insert(), rows)
            rows = []
        if isinstance(line, dict):
            name, columns = line["table"], line["columns"]
        else:
            values = (b64decode(value["b64"]) if isinstance(value, dict) else value for value in line)
            rows.append(dict(zip(columns, values)))
    if rows:
        db.execute(METADATA.tables[name].insert(), rows)


def shown(url: str) -> str:
    """A database without its password."""
    return sa.make_url(url).render_as_string(hide_password=True)
