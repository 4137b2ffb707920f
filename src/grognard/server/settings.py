"""Settings of a server, from the environment; every one has a default that suits a player at home."""

from __future__ import annotations

import os
import resource
from dataclasses import dataclass, field
from pathlib import Path

from grognard.server.database import sqlite_url
from grognard.server.weight import default_share

RESERVE = 400  # open files that are no websockets


def default_database() -> str:
    """A SQLite file in the player's data folder."""
    home = os.environ.get("GROGNARD_HOME")
    data = os.environ.get("XDG_DATA_HOME")
    folder = Path(home) if home else (Path(data) if data else Path.home() / ".local" / "share") / "grognard"
    folder.mkdir(parents=True, exist_ok=True)
    return sqlite_url(folder / "tables.db")


def _limit(burst: int, rate: float) -> tuple[int, float]:
    """A limit, widened by GROGNARD_LIMITS (a factor) for servers behind a proxy and for load tests."""
    factor = max(1, int(os.environ.get("GROGNARD_LIMITS", "1")))
    return burst * factor, rate * factor


def _waits(words: str) -> tuple[float, ...]:
    """Seconds to wait before each further try to send a notice: `5,60`."""
    return tuple(float(word) for word in words.split(",")) if words else (5.0, 60.0, 600.0)


def default_sockets() -> int:
    """As many as there are open files for, less what the database, plain requests and a restart need."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return max(100, min(most - RESERVE, 50_000)) if most != resource.RLIM_INFINITY else 50_000


def allow_files() -> None:
    """Ask for all the open files that we may have; each websocket is one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


@dataclass
class Settings:
    """What a server needs to know."""

    database: str = field(default_factory=lambda: os.environ.get("GROGNARD_DATABASE") or default_database())
    public_address: str = field(default_factory=lambda: os.environ.get("GROGNARD_ADDRESS", ""))  # for links in notices
    laboratory: str = field(default_factory=lambda: os.environ.get("GROGNARD_LAB", ""))  # folder of the designer's page
    secure_cookies: bool = field(default_factory=lambda: os.environ.get("GROGNARD_SECURE", "") == "1")
    proxy: str = field(
        default_factory=lambda: os.environ.get("GROGNARD_PROXY", "127.0.0.1")
    )  # whose word on addresses counts
    smtp_host: str = field(default_factory=lambda: os.environ.get("GROGNARD_SMTP_HOST", ""))
    smtp_port: int = field(default_factory=lambda: int(os.environ.get("GROGNARD_SMTP_PORT", "587")))
    smtp_user: str = field(default_factory=lambda: os.environ.get("GROGNARD_SMTP_USER", ""))
    smtp_password: str = field(default_factory=lambda: os.environ.get("GROGNARD_SMTP_PASSWORD", ""), repr=False)
    smtp_from: str = field(default_factory=lambda: os.environ.get("GROGNARD_SMTP_FROM", ""))
    webhooks: bool = field(default_factory=lambda: os.environ.get("GROGNARD_WEBHOOKS", "1") in ("1", "local"))
    local_webhooks: bool = field(default_factory=lambda: os.environ.get("GROGNARD_WEBHOOKS", "1") == "local")
    notice_waits: tuple[float, ...] = field(default_factory=lambda: _waits(os.environ.get("GROGNARD_NOTICE_WAITS", "")))
    per_address: tuple[int, float] = field(default_factory=lambda: _limit(300, 50.0))  # burst, requests a second
    per_person: tuple[int, float] = field(default_factory=lambda: _limit(200, 40.0))
    messages_per_address: tuple[int, float] = field(default_factory=lambda: _limit(1500, 300.0))  # over websockets
    looks: tuple[int, float] = field(default_factory=lambda: _limit(200, 10.0))  # whole positions, per person
    looks_per_address: tuple[int, float] = field(default_factory=lambda: _limit(500, 40.0))
    chats: tuple[int, float] = field(default_factory=lambda: _limit(20, 0.5))  # lines of chat, per person
    sign_ins: tuple[int, float] = field(default_factory=lambda: _limit(20, 0.1))  # right logins, per browser
    logins: tuple[int, float] = (10, 0.1)  # wrong ones, by account and address
    logins_wide: tuple[int, float] = (60, 0.5)  # by account, by address
    new_accounts: tuple[int, float] = field(default_factory=lambda: _limit(20, 0.05))  # per address
    new_tables: tuple[int, float] = field(default_factory=lambda: _limit(40, 0.1))
    new_tables_per_address: tuple[int, float] = field(default_factory=lambda: _limit(100, 0.3))
    new_visitors: tuple[int, float] = field(default_factory=lambda: _limit(60, 0.2))  # per address
    handshakes: tuple[int, float] = field(default_factory=lambda: _limit(60, 2.0))
    handshakes_per_address: tuple[int, float] = field(default_factory=lambda: _limit(300, 10.0))
    mails: tuple[int, float] = (3, 1 / 1200)  # that a person asks for
    mails_to_stranger: tuple[int, float] = (3, 1 / 86400)  # to an address that is not confirmed
    mails_per_address: tuple[int, float] = (10, 1 / 600)
    sockets: int = field(default_factory=lambda: int(_limit(50, 0)[0]))  # open at once, per person
    sockets_per_address: int = field(default_factory=lambda: int(_limit(500, 0)[0]))
    most_sockets: int = field(default_factory=default_sockets)
    slowest_body: float = 30.0  # seconds
    imports: float = 30.0  # seconds of processor time that an import may take
    longest_import: int = 20_000  # actions
    largest_body: int = 64 * 1024
    largest_import: int = 8 * 1024 * 1024
    largest_message: int = 16 * 1024
    memory: int = field(default_factory=default_share)  # bytes of tables to hold at once
    remembered: int = 32 << 20  # bytes of what is remembered for speed; see `kernel/forgetting.py`
    static: Path = field(default_factory=lambda: Path(__file__).parent / "static")
