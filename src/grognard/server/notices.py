"""Notices: "it is your turn", by webhook and e-mail, to people who are not at the table. What was sent is logged."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import smtplib
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Awaitable, Callable
from email.message import EmailMessage
from functools import partial
from typing import Any

from grognard.kernel.texts import texts_for
from grognard.server.errors import Problem
from grognard.server.settings import Settings
from grognard.server.store import Store
from grognard.server.table import Table

QUIET = 600.0  # seconds between two notices about the same table to the same person


class Notices:
    """Sends notices in the background; a failure is logged, never raised."""

    def __init__(self, settings: Settings, store: Store, run: Callable[..., Awaitable[Any]]) -> None:
        self.settings, self.store, self.run = settings, store, run
        self.last: dict[tuple[str, str], tuple[int, float]] = {}
        self.tasks: set[asyncio.Task[None]] = set()

    def turn_of(self, table: Table) -> None:
        """Tell the people who owe a decision and are not looking."""
        present = {watcher.person.id for watcher in table.watchers}
        for side in table.owing():
            seat = table.seat_of(side)
            if seat.kind != "human" or seat.person in present:
                continue
            version, at = self.last.get((table.id, seat.person), (-1, 0.0))
            if version == table.version or (time.monotonic() - at < QUIET and version >= 0):
                continue
            self.last[table.id, seat.person] = (table.version, time.monotonic())
            task = asyncio.create_task(self._send(table.id, table.title, seat.person))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def close(self) -> None:
        """Wait a moment for what is under way."""
        if self.tasks:
            _, late = await asyncio.wait(self.tasks, timeout=2)
            for task in late:
                task.cancel()

    async def _send(self, table_id: str, title: str, person: str) -> None:
        wish = await self.run(self.store.notice_wish, person)
        if wish is None:
            self.last.pop((table_id, person), None)  # nothing was said: as soon as there is a wish, it is heard
            return
        say = texts_for("", wish["language"]).say
        address = f"{self.settings.public_address}/g/{table_id}"
        text = say("server.your-turn", title=title, address=address)
        for how, target in (("webhook", wish["webhook"]), ("email", wish["email"])):
            if not target or (how == "webhook" and not self.settings.webhooks):
                continue
            send = partial(self._post if how == "webhook" else self._mail, target, say("server.subject", title=title))
            status = await self._try(partial(send, text, table_id))
            await self.run(self.store.add_sent, table_id, person, how, status)

    async def _try(self, send: Callable[[], str]) -> str:
        """Send, and try again later if the other end is out of order; how it went, without the address."""
        for tries, wait in enumerate((*self.settings.notice_waits, None), 1):
            try:
                return await asyncio.to_thread(send) + (f" (try {tries})" if tries > 1 else "")
            except (OSError, smtplib.SMTPException, Problem) as error:
                if wait is None or not may_pass(error):
                    return f"failed: {error}" + (f" ({tries} tries)" if tries > 1 else "")
            await asyncio.sleep(wait)
        raise AssertionError

    def _post(self, target: str, subject: str, text: str, table_id: str) -> str:
        check_webhook(target, allow_local=self.settings.local_webhooks)
        body = json.dumps({"subject": subject, "text": text, "table": table_id}).encode()
        request = urllib.request.Request(target, body, {"Content-Type": "application/json"})
        with urllib.request.build_opener(_NoRedirect).open(request, timeout=10) as answer:
            return f"sent: {answer.status}"

    def _mail(self, target: str, subject: str, text: str, table_id: str) -> str:
        s = self.settings
        if not s.smtp_host:
            return "not sent: no mail server is set (GROGNARD_SMTP_HOST)"
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = s.smtp_from or s.smtp_user, target, subject
        message.set_content(text)
        with smtplib.SMTP(s.smtp_host, s.smtp_port, timeout=10) as server:
            if s.smtp_user:
                server.starttls()
                server.login(s.smtp_user, s.smtp_password)
            server.send_message(message)
        return "sent"


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        """A webhook must answer itself."""


def may_pass(error: Exception) -> bool:
    """True for trouble that another try may not meet: no connection, a server out of order or too busy."""
    if isinstance(error, urllib.error.HTTPError):
        return error.code >= 500 or error.code in (408, 429)
    if isinstance(error, smtplib.SMTPResponseException):
        return 400 <= error.smtp_code < 500
    return isinstance(error, OSError) and not isinstance(error, smtplib.SMTPRecipientsRefused)


def check_webhook(target: str, *, allow_local: bool = False) -> None:
    """Only public https (or http) addresses: a server must not be talked into asking its own network."""
    parts = urllib.parse.urlsplit(target)
    if parts.scheme not in ("https", "http") or not parts.hostname:
        raise Problem(422, "bad-webhook")
    try:
        found = socket.getaddrinfo(parts.hostname, parts.port or 443, proto=socket.IPPROTO_TCP)
    except OSError as error:
        raise Problem(422, "bad-webhook") from error
    for entry in found:
        if not ipaddress.ip_address(entry[4][0]).is_global and not allow_local:
            raise Problem(422, "bad-webhook")
