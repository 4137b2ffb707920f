"""Letters: sent by the club's mail server, and to nobody who has not said yes to the address being theirs."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import smtplib
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from concurrent.futures import ThreadPoolExecutor
from email.message import EmailMessage

from grognard.server.errors import Problem
from grognard.server.settings import Settings

VALID = 3 * 24 * 3600.0  # seconds that a person has to say yes


class Mailer:
    """Sends letters from a few threads of its own."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.threads = ThreadPoolExecutor(2, thread_name_prefix="mail")

    def close(self) -> None:
        """Wait for no mail server."""
        self.threads.shutdown(wait=False, cancel_futures=True)

    async def send(self, to: str, subject: str, text: str) -> str:
        """How it went, or an OSError or SMTPException."""
        return await asyncio.get_running_loop().run_in_executor(self.threads, self._send, to, subject, text)

    def _send(self, to: str, subject: str, text: str) -> str:
        s = self.settings
        if not s.smtp_host:
            return "not sent: no mail server is set (GROGNARD_SMTP_HOST)"
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = s.smtp_from or s.smtp_user, to, subject
        message.set_content(text)
        with smtplib.SMTP(s.smtp_host, s.smtp_port, timeout=10) as server:
            if s.smtp_user:
                server.starttls()
                server.login(s.smtp_user, s.smtp_password)
            server.send_message(message)
        return "sent"


def is_address(word: str) -> bool:
    """True for something that a mail server takes: one name, one @, one domain, plain characters."""
    name, at, domain = word.partition("@")
    if not (name and at and "." in domain) or not word.isascii() or not word.isprintable():
        return False
    return len(word) <= 200 and not any(c in word for c in ' ,;<>()[]\\":') and "@" not in domain


def ticket(key: bytes, person: str, email: str, now: float | None = None) -> str:
    """What the letter to a new address holds; nothing need be stored for it."""
    until = int((time.time() if now is None else now) + VALID)
    words = urlsafe_b64encode(json.dumps([person, email, until]).encode())
    return (words + b"." + _seal(key, words)).decode()


def read_ticket(key: bytes, text: str, now: float | None = None) -> tuple[str, str]:
    """The person and the address that a ticket is for; refused if it is not ours or too old."""
    words, _, seal = text.encode("ascii", "replace").partition(b".")
    if not hmac.compare_digest(seal, _seal(key, words)):
        raise Problem(422, "bad-ticket")
    person, email, until = json.loads(urlsafe_b64decode(words))
    if until < (time.time() if now is None else now):
        raise Problem(422, "bad-ticket")
    return str(person), str(email)


def _seal(key: bytes, words: bytes) -> bytes:
    return urlsafe_b64encode(hashlib.blake2b(words, key=key, person=b"mail", digest_size=18).digest())
