"""The tables of the database: visitors, tables, seats, every action, chat, notes and sent notices.

The schema has a number; `MIGRATIONS` lead from each number to the next.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.schema import CreateColumn

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
    sa.Column("begun", sa.String(32), nullable=False, default="", server_default=""),  # the chain before any action
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

ANNOUNCED = sa.Table(  # the order of a table that waits for the links of the others; see `announcing`
    "announced",
    METADATA,
    sa.Column("table_id", sa.String(24), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("n", sa.Integer, nullable=False),
    sa.Column("side", sa.Integer, nullable=False),
    sa.Column("verb", sa.String(80), nullable=False),
    sa.Column("target", sa.String(400), nullable=False),
    sa.Column("salt", sa.String(64), nullable=False),
    sa.Column("at", sa.Float, nullable=False),
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


def _add_announced(db: Connection) -> None:
    """Orders that wait for the links of the others."""
    METADATA.create_all(db, tables=[ANNOUNCED])


def _add_begun(db: Connection) -> None:
    """What binds header and set-up before there is an action that does."""
    _add_columns(db, TABLES.c.begun)


# MIGRATIONS[n] leads from schema n to n + 1.
MIGRATIONS: list[Callable[[Connection], None]] = [
    METADATA.create_all,
    _add_lobby,
    _add_doors,
    _add_ceremony,
    _add_positions,
    _add_announced,
    _add_begun,
]


def name_key(name: str) -> str:
    """What two names that are too alike have in common: width, case and composed letters do not count."""
    folded = unicodedata.normalize("NFKC", " ".join(name.split())).casefold()
    return unicodedata.normalize("NFKC", folded)
