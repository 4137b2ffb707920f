"""What a table weighs in memory, about: so many bytes that the hall can promise not to hold more than it was given."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from grognard.kernel.record import Record
from grognard.kernel.session import Session

SAMPLE = 16  # entries that are weighed for all
ANEW = 64  # actions after which a table is weighed again
PLAIN = 4096  # a table without its game: seats, lock, sets
GROUND = 256 << 20  # the least that a server is given
CONTAINER = Path("/sys/fs/cgroup/memory.max")


def weight_of(session: Session, views: Iterable[Any] = ()) -> int:
    """Bytes that a session and the views kept of it take, to within a factor of two."""
    here = deep(session.state)
    columns = (getattr(s, f.name) for s in session.snapshots.values() for f in s.fields.values() if f.kind == "column")
    held = sum({id(column): sys.getsizeof(column) for column in columns}.values())  # snapshots share what is the same
    positions = here + len(session.snapshots) * max(0, here - own_columns(session.state)) + held
    entries = session.entries
    weighed = entries[:: max(1, len(entries) // SAMPLE)]
    lines = sum(map(deep, weighed)) * len(entries) // len(weighed) if weighed else 0
    return PLAIN + positions + lines + deep(session.opening) + sum(map(deep, views))


def own_columns(s: Record) -> int:
    """Bytes of the columns of a position."""
    return sum(sys.getsizeof(getattr(s, f.name)) for f in s.fields.values() if f.kind == "column")


def deep(value: Any) -> int:
    """Bytes of a value and of all that it holds. What is shared counts each time, but short words and numbers not."""
    if isinstance(value, str | bytes | int | float | None):
        return sys.getsizeof(value) if isinstance(value, str) and len(value) > 20 else 0
    size = sys.getsizeof(value)
    if isinstance(value, dict):
        return size + sum(map(deep, value.values()))
    if isinstance(value, list | tuple | set):
        return size + sum(map(deep, value))
    if isinstance(value, Record):
        return size + sum(deep(getattr(value, name)) for name in (*value.fields, *value.extras) if name != "shared")
    if hasattr(value, "__dict__"):
        return size + deep(vars(value))
    return size


def memory_here() -> int:
    """Bytes of the machine, or of the container that we live in."""
    pages: int = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    try:
        return min(pages, int(CONTAINER.read_text()))
    except (OSError, ValueError):
        return pages


def default_share() -> int:
    """Half of it for tables, unless GROGNARD_MEMORY says otherwise (in megabytes)."""
    wanted = os.environ.get("GROGNARD_MEMORY", "")
    return int(wanted) << 20 if wanted else max(GROUND, memory_here() // 2)
