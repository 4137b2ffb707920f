"""`grognard serve --check`: what is wrong with a set-up, before the players find out."""

from __future__ import annotations

import json
import resource
import shutil
import smtplib
import socket
from collections.abc import Callable, Iterator
from http.client import HTTPException
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import urlopen

import sqlalchemy as sa

from grognard.kernel.errors import GrognardError
from grognard.server.backup import shown
from grognard.server.settings import RESERVE, Settings
from grognard.server.store import Store
from grognard.server.weight import memory_here

GOOD, DOUBTFUL, WRONG = "good", "doubtful", "wrong"
LEAST_DISK = 500 << 20
FEW_FILES = 2048


class Finding(NamedTuple):
    """One line of the report; `key` is a text `checkup.KEY`."""

    grade: str
    key: str
    facts: dict[str, Any] = {}


def check_up(settings: Settings, host: str, port: int) -> list[Finding]:
    """Everything that can be known from here."""
    found: list[Finding] = []
    for look in (database, disk, address, files, memory, client, mail):
        found += look(settings)
    return [*found, *door(host, port)]


def database(settings: Settings) -> Iterator[Finding]:
    """It can be reached, written, and has a schema that we know."""
    try:
        store = Store(settings.database)
        store.beat(0.0)
        store.close()
    except (GrognardError, sa.exc.SQLAlchemyError, OSError, ValueError, ImportError) as error:
        why = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
        yield Finding(WRONG, "database", {"database": shown(settings.database), "why": why})
        return
    yield Finding(GOOD, "database-good", {"database": shown(settings.database)})


def disk(settings: Settings) -> Iterator[Finding]:
    """Room for the file of SQLite."""
    url = sa.make_url(settings.database)
    if url.get_backend_name() != "sqlite" or not url.database:
        return
    folder = Path(url.database).resolve().parent
    free = shutil.disk_usage(folder).free if folder.is_dir() else 0
    yield Finding(GOOD if free > LEAST_DISK else WRONG, "disk", {"folder": folder, "free": free >> 20})


def address(settings: Settings) -> Iterator[Finding]:
    """Links in letters lead somewhere, and cookies do not travel in the open."""
    if not settings.public_address:
        yield Finding(DOUBTFUL, "no-address")
    elif settings.public_address.startswith("https://") and not settings.secure_cookies:
        yield Finding(WRONG, "not-secure")
    elif not settings.public_address.startswith("https://") and settings.secure_cookies:
        yield Finding(WRONG, "secure-without-tls", {"address": settings.public_address})
    elif settings.public_address.endswith("/"):
        yield Finding(WRONG, "address-slash", {"address": settings.public_address})
    else:
        yield Finding(GOOD, "address", {"address": settings.public_address})


def files(settings: Settings) -> Iterator[Finding]:
    """Each websocket is an open file."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    few = hard != resource.RLIM_INFINITY and hard < FEW_FILES
    yield Finding(DOUBTFUL if few else GOOD, "files", {"files": hard, "sockets": max(100, hard - RESERVE)})


def memory(settings: Settings) -> Iterator[Finding]:
    """What tables may take is there."""
    have, share = memory_here(), settings.memory
    grade = WRONG if share > have else DOUBTFUL if share > 0.8 * have else GOOD
    yield Finding(grade, "memory", {"share": share >> 20, "memory": have >> 20})


def client(settings: Settings) -> Iterator[Finding]:
    """The page is built."""
    built = (settings.static / "index.html").is_file()
    yield Finding(GOOD if built else WRONG, "client" if built else "no-client")


def mail(settings: Settings) -> Iterator[Finding]:
    """The mail server answers and knows us; no letter is sent."""
    if not settings.smtp_host:
        yield Finding(DOUBTFUL, "no-mail")
        return
    facts = {"host": settings.smtp_host, "port": settings.smtp_port}
    if not (settings.smtp_from or settings.smtp_user):
        yield Finding(WRONG, "mail-from", facts)
    try:
        with smtplib.SMTP(settings.smtp_host, settings.smtp_port, timeout=10) as server:
            if settings.smtp_user:
                server.starttls()
                server.login(settings.smtp_user, settings.smtp_password)
            server.noop()
    except (OSError, smtplib.SMTPException) as error:
        yield Finding(WRONG, "mail", facts | {"why": str(error)})
        return
    yield Finding(GOOD, "mail-good", facts)


def door(host: str, port: int) -> Iterator[Finding]:
    """Nobody else listens there."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            version = running(host, port)
            facts = {"host": host, "port": port, "why": error.strerror, "version": version}
            yield Finding(GOOD if version else WRONG, "port-ours" if version else "port", facts)
            return
    yield Finding(GOOD, "port-good", {"host": host, "port": port})


def running(host: str, port: int) -> str:
    """The version of a server of ours that answers there already, if one does."""
    where = f"[{host}]" if ":" in host else host
    try:
        with urlopen(f"http://{where}:{port}/api/health", timeout=5) as answer:
            told = json.loads(answer.read(1000))
    except (OSError, ValueError, HTTPException):
        return ""
    return str(told.get("version", "")) if isinstance(told, dict) and told.get("ok") is True else ""


def report(found: list[Finding], say: Callable[..., str]) -> list[str]:
    """A line for each, marked."""
    return [f"{say(f'checkup.{finding.grade}')}  {say(f'checkup.{finding.key}', **finding.facts)}" for finding in found]
