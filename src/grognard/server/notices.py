"""Notices: "it is your turn", by webhook and e-mail, to people who are not at the table. What was sent is logged."""

from __future__ import annotations

import asyncio
import smtplib
import time
import urllib.error
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any

from grognard.kernel.texts import texts_for
from grognard.server.errors import Problem
from grognard.server.mail import Mailer, ticket
from grognard.server.settings import Settings
from grognard.server.store import Store
from grognard.server.table import Table
from grognard.server.titles import titles_of
from grognard.server.webhook import Caller

QUIET = 600.0  # seconds between two notices about the same table to the same person
MOST_LAST = 20_000


class Notices:
    """Sends notices in the background; a failure is logged, never raised."""

    def __init__(self, settings: Settings, store: Store, run: Callable[..., Awaitable[Any]]) -> None:
        self.settings, self.store, self.run = settings, store, run
        self.caller, self.mailer = Caller(settings.local_webhooks), Mailer(settings)
        self.last: OrderedDict[tuple[str, str], tuple[int, float]] = OrderedDict()
        self.tasks: set[asyncio.Task[None]] = set()

    def turn_of(self, table: Table) -> None:
        """Tell the people who owe a decision and are not looking."""
        for side in table.owing():
            seat = table.seat_of(side)
            if seat.kind != "human" or table.is_here(seat.person):
                continue
            version, at = self.last.get((table.id, seat.person), (-1, 0.0))
            if version == table.version or (time.monotonic() - at < QUIET and version >= 0):
                continue
            self.last[table.id, seat.person] = (table.version, time.monotonic())
            if len(self.last) > MOST_LAST:
                self.last.popitem(last=False)
            header = table.session.header
            titles = titles_of(table.title, header.game, header.scenario)
            self._begin(self._send(table.id, table.title, titles, seat.person))

    def ask_to_confirm(self, person: str, email: str, lang: str) -> None:
        """The first letter to an address, with the link by which its owner says yes to the others."""
        self._begin(self._ask(person, email, lang))

    def send_reset(self, person: str, email: str, lang: str, path: str) -> None:
        """A letter by which a forgotten password can be chosen anew; its address was confirmed."""
        self._begin(self._reset(person, email, lang, f"{self.settings.public_address}{path}"))

    async def _reset(self, person: str, email: str, lang: str, address: str) -> None:
        say = texts_for("", lang).say
        letter = partial(
            self.mailer.send, email, say("server.reset-subject"), say("server.reset-letter", address=address)
        )
        await self.run(self.store.add_sent, "", person, "email", await self._try(letter))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def close(self) -> None:
        """Wait a moment for what is under way."""
        if self.tasks:
            _, late = await asyncio.wait(self.tasks, timeout=2)
            for task in late:
                task.cancel()
        self.caller.close()
        self.mailer.close()

    async def _send(self, table_id: str, title: str, titles: dict[str, str], person: str) -> None:
        wish = await self.run(self.store.notice_wish, person)
        if wish is None:
            self.last.pop((table_id, person), None)  # nothing was said: as soon as there is a wish, it is heard
            return
        say = texts_for("", wish["language"]).say
        title = titles.get(wish["language"], title)
        address = f"{self.settings.public_address}/g/{table_id}"
        subject, text = say("server.subject", title=title), say("server.your-turn", title=title, address=address)
        if wish["webhook"] and self.settings.webhooks:
            message = {"subject": subject, "text": text, "table": table_id}
            status = await self._try(partial(self.caller.call, wish["webhook"], message))
            await self.run(self.store.add_sent, table_id, person, "webhook", status)
        if wish["email"]:
            status = "not sent: the address is not confirmed"
            if wish["confirmed"]:
                status = await self._try(partial(self.mailer.send, wish["email"], subject, text))
            await self.run(self.store.add_sent, table_id, person, "email", status)

    async def _ask(self, person: str, email: str, lang: str) -> None:
        say = texts_for("", lang).say
        address = f"{self.settings.public_address}/confirm?lang={lang}&token={ticket(self.store.key, person, email)}"
        text = say("server.confirm-letter", address=address)
        status = await self._try(partial(self.mailer.send, email, say("server.confirm-subject"), text))
        await self.run(self.store.add_sent, "", person, "confirm", status)

    async def _try(self, send: Callable[[], Awaitable[str]]) -> str:
        """Send, and try again later if the other end is out of order; how it went, without the address."""
        for tries, wait in enumerate((*self.settings.notice_waits, None), 1):
            try:
                return await send() + (f" (try {tries})" if tries > 1 else "")
            except (OSError, smtplib.SMTPException, Problem) as error:
                if wait is None or not may_pass(error):
                    return f"failed: {error or type(error).__name__}" + (f" ({tries} tries)" if tries > 1 else "")
            await asyncio.sleep(wait)
        raise AssertionError


def may_pass(error: Exception) -> bool:
    """True for trouble that another try may not meet: no connection, a server out of order or too busy."""
    if isinstance(error, urllib.error.HTTPError):
        return error.code >= 500 or error.code in (408, 429)
    if isinstance(error, smtplib.SMTPResponseException):
        return 400 <= error.smtp_code < 500
    return isinstance(error, OSError) and not isinstance(error, smtplib.SMTPRecipientsRefused)
