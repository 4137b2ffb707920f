"""Seats, shares and terms in the store. Who gets a seat, when dice are made: one conditional write decides.

Two servers may work on one database and a request may have looked at the table a second ago: what counts is only
whether the row was still as the write says. Each function is one transaction.
"""

from __future__ import annotations

import json
import secrets
import time
from typing import Any

import sqlalchemy as sa

from grognard.server.people import hashed
from grognard.server.schema import SEATS, SHARES, TABLES
from grognard.server.store import Store

FREE = ("open", "invited")


def take_seat(
    store: Store, table_id: str, side: int, person: str, name: str, token: str = "", *, once: bool = False
) -> bool:
    """Sit down, if the seat is still free: open to everybody, or reserved for who has this invitation.

    `once`: unless the person has another seat at this table, taken at the same moment perhaps.
    """
    here = (SEATS.c.table_id == table_id) & (SEATS.c.side == side)
    free = SEATS.c.kind == "open"
    if token:
        free = SEATS.c.kind.in_(FREE) & (SEATS.c.invitation == hashed(token))
    values = {"kind": "human", "person": person, "name": name}
    others = sa.select(SEATS.c.side).where(SEATS.c.table_id == table_id, SEATS.c.person == person)
    with store.writing() as db:
        if once:  # who comes second waits for the first here, and sees what they wrote
            db.execute(TABLES.update().where(TABLES.c.id == table_id).values(stage_at=TABLES.c.stage_at))
            if db.execute(others).first() is not None:
                return False
        taken = db.execute(SEATS.update().where(here, free).values(**values)).rowcount == 1
        if taken:
            db.execute(TABLES.update().where(TABLES.c.id == table_id).values(stage_at=time.time()))
        return taken


def reserve(store: Store, table_id: str, side: int, *, opened: bool) -> str | None:
    """Make a free seat open to everybody, or give it a new invitation; the invitation, or None if it is taken."""
    token = "" if opened else secrets.token_urlsafe(18)
    here = (SEATS.c.table_id == table_id) & (SEATS.c.side == side) & SEATS.c.kind.in_(FREE)
    values = {"kind": "open" if opened else "invited", "invitation": hashed(token) if token else ""}
    with store.writing() as db:
        return token if db.execute(SEATS.update().where(here).values(**values)).rowcount == 1 else None


def set_terms(store: Store, table_id: str, listed: bool, terms: dict[str, Any]) -> None:
    """Who may see, watch and speak."""
    with store.writing() as db:
        values = {"listed": listed, "terms": json.dumps(terms)}
        db.execute(TABLES.update().where(TABLES.c.id == table_id).values(**values))


def shares(store: Store, table_id: str) -> dict[int, tuple[str, str]]:
    """Commitment and entropy by side, as far as they have come."""
    with store.engine.connect() as db:
        rows = db.execute(sa.select(SHARES).where(SHARES.c.table_id == table_id).order_by(SHARES.c.side))
        return {row.side: (row.commitment, row.entropy) for row in rows}


def commit_share(store: Store, table_id: str, side: int, commitment: str, humans: int) -> bool:
    """Write a commitment down, or another one for the first; False once all have committed: then none may change."""
    mine = (SHARES.c.table_id == table_id) & (SHARES.c.side == side)
    with store.writing() as db:
        if not _lock(db, table_id):
            return False
        count = db.execute(sa.select(sa.func.count()).where(SHARES.c.table_id == table_id)).scalar_one()
        known = db.execute(sa.select(SHARES.c.side).where(mine)).first() is not None
        if count >= humans:
            return False
        if known:
            db.execute(SHARES.update().where(mine).values(commitment=commitment))
        else:
            db.execute(SHARES.insert().values(table_id=table_id, side=side, commitment=commitment, entropy=""))
            if count + 1 == humans:
                db.execute(TABLES.update().where(TABLES.c.id == table_id).values(stage_at=time.time()))
        return True


def show_share(store: Store, table_id: str, side: int, commitment: str, entropy: str, humans: int) -> bool:
    """Write a share down that was committed to; False unless all have committed and this one was not shown before."""
    mine = (SHARES.c.table_id == table_id) & (SHARES.c.side == side)
    wanted = (SHARES.c.commitment == commitment) & (SHARES.c.entropy == "")
    with store.writing() as db:
        if not _lock(db, table_id):
            return False
        count = db.execute(sa.select(sa.func.count()).where(SHARES.c.table_id == table_id)).scalar_one()
        if count < humans:
            return False
        return db.execute(SHARES.update().where(mine, wanted).values(entropy=entropy)).rowcount == 1


def leave_out(store: Store, table_id: str, sides: list[int]) -> None:
    """Wait no longer for commitments of these sides."""
    with store.writing() as db:
        if not _lock(db, table_id):
            return
        there = set(db.execute(sa.select(SHARES.c.side).where(SHARES.c.table_id == table_id)).scalars())
        for side in sides:
            if side not in there:
                db.execute(SHARES.insert().values(table_id=table_id, side=side, commitment="-", entropy=""))
        db.execute(TABLES.update().where(TABLES.c.id == table_id).values(stage_at=time.time()))


def begin(
    store: Store, table_id: str, header: dict[str, Any], lobby: dict[str, Any], clock: dict[str, Any], begun: str
) -> bool:
    """The dice are made and the game begins; False if another server was quicker."""
    waiting = (TABLES.c.id == table_id) & (TABLES.c.stage == "dice")
    values = {"header": json.dumps(header), "lobby": json.dumps(lobby), "clock": json.dumps(clock), "stage": ""}
    values["begun"] = begun
    with store.writing() as db:
        step = TABLES.update().where(waiting).values(**values, version=TABLES.c.version + 1, updated=time.time())
        return db.execute(step).rowcount == 1


def _lock(db: sa.Connection, table_id: str) -> bool:
    """Hold a table's row until the end of the transaction; False unless its dice are being made."""
    waiting = (TABLES.c.id == table_id) & (TABLES.c.stage == "dice")
    return db.execute(TABLES.update().where(waiting).values(stage="dice")).rowcount == 1
