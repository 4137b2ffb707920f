"""Settings of a server, from the environment; every one has a default that suits a player at home."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from grognard.server.store import sqlite_url


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


@dataclass
class Settings:
    """What a server needs to know."""

    database: str = field(default_factory=lambda: os.environ.get("GROGNARD_DATABASE") or default_database())
    public_address: str = field(default_factory=lambda: os.environ.get("GROGNARD_ADDRESS", ""))  # for links in notices
    secure_cookies: bool = field(default_factory=lambda: os.environ.get("GROGNARD_SECURE", "") == "1")
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
    logins: tuple[int, float] = (10, 0.1)
    new_tables: tuple[int, float] = field(default_factory=lambda: _limit(40, 0.1))
    largest_body: int = 64 * 1024
    largest_import: int = 8 * 1024 * 1024
    largest_message: int = 16 * 1024
    open_tables: int = 600  # kept in memory
    static: Path = field(default_factory=lambda: Path(__file__).parent / "static")
