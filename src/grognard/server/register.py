"""People in the database: visitors, accounts, how they want to be told, and what was sent to them."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Any

import sqlalchemy as sa

from grognard.server.database import Database
from grognard.server.schema import (
    ACCOUNTS,
    CONFIRMED,
    DEVICES,
    NOTES,
    NOTICE_WISHES,
    SEATS,
    SENT,
    TABLES,
    VISITORS,
    name_key,
)


class Register(Database):
    """Every method is one transaction."""

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

    def confirm_mail(self, person: str, email: str) -> bool:
        """The owner of an address says yes; twice is no harm. False if nobody wants letters there any more.

        The person may have been a guest when the letter was written and have an account by now.
        """
        with self.writing() as db:
            account = sa.select(VISITORS.c.account).where(VISITORS.c.id == person).scalar_subquery()
            who = (NOTICE_WISHES.c.person == person) | (NOTICE_WISHES.c.person == account)
            wanted = db.execute(sa.select(NOTICE_WISHES.c.person).where(who, NOTICE_WISHES.c.email == email)).scalar()
            if wanted is not None:
                db.execute(CONFIRMED.delete().where(CONFIRMED.c.person == wanted, CONFIRMED.c.email == email))
                db.execute(CONFIRMED.insert().values(person=wanted, email=email, at=time.time()))
            return wanted is not None

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
