"""What belongs to an account, in the store: a password chosen anew, everything handed over, everything taken away."""

from __future__ import annotations

import time
from secrets import token_urlsafe
from typing import Any

import sqlalchemy as sa

from grognard.server.schema import (
    ACCOUNTS,
    CHAT,
    CONFIRMED,
    CONSENTS,
    DEVICES,
    NOTES,
    NOTICE_WISHES,
    RESETS,
    SEATS,
    SENT,
    SHARES,
    TABLES,
    VISITORS,
)
from grognard.server.store import Store

RESET_VALID = 3600.0  # seconds
GONE = "—"  # who said it, when the account is gone
NOBODY = "~"  # begins what stands for somebody who has gone: games that counted for the others go on counting


def address_for_reset(store: Store, key: str) -> tuple[str, str, str] | None:
    """Account, confirmed address and language, by the key of a name; None if no letter can be sent."""
    joined = ACCOUNTS.join(NOTICE_WISHES, NOTICE_WISHES.c.person == ACCOUNTS.c.id).join(
        CONFIRMED, (CONFIRMED.c.person == ACCOUNTS.c.id) & (CONFIRMED.c.email == NOTICE_WISHES.c.email)
    )
    query = sa.select(ACCOUNTS.c.id, NOTICE_WISHES.c.email, NOTICE_WISHES.c.language).select_from(joined)
    with store.engine.connect() as db:
        row = db.execute(query.where(ACCOUNTS.c.name_key == key)).first()
        return (row.id, row.email, row.language) if row else None


def add_reset(store: Store, account: str, token_hash: str) -> None:
    """Remember that somebody may choose a new password. An earlier letter stays good: else strangers could spoil it."""
    with store.writing() as db:
        db.execute(RESETS.delete().where(RESETS.c.until < time.time()))
        db.execute(RESETS.insert().values(token=token_hash, account=account, until=time.time() + RESET_VALID))


def reset(store: Store, token_hash: str, password: str) -> str | None:
    """Set a new password and log every browser out; the account, or None if the letter is too old. Once."""
    with store.writing() as db:
        row = db.execute(sa.select(RESETS).where(RESETS.c.token == token_hash)).first()
        used = db.execute(RESETS.delete().where(RESETS.c.token == token_hash)).rowcount
        if row is None or used != 1 or row.until < time.time():
            return None
        db.execute(RESETS.delete().where(RESETS.c.account == row.account))
        db.execute(ACCOUNTS.update().where(ACCOUNTS.c.id == row.account).values(password=password))
        db.execute(VISITORS.update().where(VISITORS.c.account == row.account).values(account=None))
        db.execute(DEVICES.delete().where(DEVICES.c.account == row.account))
        return str(row.account)


def running_seats(store: Store, person: str) -> list[tuple[str, int]]:
    """Tables and sides that a person still plays."""
    query = sa.select(SEATS.c.table_id, SEATS.c.side).join(TABLES, TABLES.c.id == SEATS.c.table_id)
    with store.engine.connect() as db:
        rows = db.execute(query.where(SEATS.c.person == person, SEATS.c.kind == "human", sa.not_(TABLES.c.over)))
        return [(row.table_id, row.side) for row in rows]


def take_away(store: Store, person: str, name: str) -> None:
    """Delete an account. Games stay, for those who played them; the name goes."""
    with store.writing() as db:
        db.execute(CHAT.update().where(CHAT.c.author == name).values(author=GONE))
        _take_promises_back(db, person)
        waiting = sa.select(TABLES.c.id).where(TABLES.c.stage != "")  # not begun: somebody else may sit there
        free = {"kind": "invited", "person": "", "name": "", "invitation": ""}
        db.execute(SEATS.update().where(SEATS.c.person == person, SEATS.c.table_id.in_(waiting)).values(**free))
        db.execute(SEATS.update().where(SEATS.c.person == person).values(person=NOBODY + token_urlsafe(9), name=GONE))
        db.execute(TABLES.update().where(TABLES.c.owner == person).values(owner=""))
        for table in (NOTES, NOTICE_WISHES, SENT, CONFIRMED):
            db.execute(table.delete().where(table.c.person == person))
        db.execute(DEVICES.delete().where(DEVICES.c.account == person))
        db.execute(RESETS.delete().where(RESETS.c.account == person))
        db.execute(VISITORS.update().where(VISITORS.c.account == person).values(account=None))
        db.execute(ACCOUNTS.delete().where(ACCOUNTS.c.id == person))


def _take_promises_back(db: sa.Connection, person: str) -> None:
    """What somebody who goes has agreed to counts no more, nor does a commitment while others may still give theirs.

    Once all have committed a share stays: to begin again would let those who know some of them draw twice.
    """
    for row in db.execute(sa.select(SEATS.c.table_id, SEATS.c.side).where(SEATS.c.person == person)).all():
        db.execute(CONSENTS.delete().where(CONSENTS.c.table_id == row.table_id, CONSENTS.c.side == row.side))
        here = SHARES.c.table_id == row.table_id
        given = db.execute(sa.select(sa.func.count()).where(here)).scalar_one()
        people = (SEATS.c.table_id == row.table_id) & (SEATS.c.kind != "ai")
        if given < db.execute(sa.select(sa.func.count()).select_from(SEATS).where(people)).scalar_one():
            db.execute(SHARES.delete().where(here, SHARES.c.side == row.side))


def export(store: Store, person: str, name: str) -> dict[str, Any]:
    """Everything that is kept about a person, in plain words."""

    def rows(query: Any) -> list[dict[str, Any]]:
        return [dict(row._mapping) for row in db.execute(query)]

    with store.engine.connect() as db:
        seats = sa.select(SEATS.c.table_id, SEATS.c.side, TABLES.c.title, TABLES.c.game, TABLES.c.over)
        seats = seats.join(TABLES, TABLES.c.id == SEATS.c.table_id).where(SEATS.c.person == person)
        said = sa.select(CHAT).where(CHAT.c.author == name) if name else None
        account = sa.select(ACCOUNTS.c.name, ACCOUNTS.c.created).where(ACCOUNTS.c.id == person)
        return {
            "account": rows(account),
            "seats": rows(seats),
            "tables": rows(sa.select(TABLES.c.id, TABLES.c.title, TABLES.c.created).where(TABLES.c.owner == person)),
            "notes": rows(sa.select(NOTES.c.table_id, NOTES.c.text).where(NOTES.c.person == person)),
            "chat": [] if said is None else rows(said),
            "notices": rows(sa.select(NOTICE_WISHES).where(NOTICE_WISHES.c.person == person)),
            "confirmed": rows(sa.select(CONFIRMED).where(CONFIRMED.c.person == person)),
            "sent": rows(sa.select(SENT).where(SENT.c.person == person)),
        }
