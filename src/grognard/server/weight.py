"""What a table weighs in memory, about: so many bytes that the hall can promise not to hold more than it was given."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from grognard.kernel.record import Record
from grognard.kernel.session import Session
from grognard.server.packing import Log, Positions

SAMPLE = 16  # things of a long list that are weighed for all
SOON, LATE = 8, 128  # actions after which a table is weighed again: soon when it is new, then seldom
PLAIN = 4096  # a table without its game: seats, lock, sets
A_SOCKET = 36 << 10  # what a connection takes, as measured
AN_ACTION = 200  # what an action adds until the table is weighed again, as measured
GROUND = 256 << 20  # the least that a server is given
CONTAINER = Path("/sys/fs/cgroup/memory.max")
SMALL = frozenset((int, bool, float, bytes, type(None)))
LISTS = frozenset((list, tuple))


def weight_of(session: Session, views: Iterable[Any] = ()) -> int:
    """Bytes that the session of a table and the views kept of it take, to within a factor of two."""
    log, positions = session.entries, session.snapshots
    assert isinstance(log, Log)
    assert isinstance(positions, Positions)
    past = log.bytes_packed() + deep(log.open) + positions.bytes_packed()
    return PLAIN + deep(session.state) + past + deep(session.opening) + sum(map(deep, views))


def deep(value: Any) -> int:
    """Bytes of a value and of all that it holds. What is shared counts each time, but short words and numbers not."""
    kind = type(value)
    if kind is str:
        return sys.getsizeof(value) if len(value) > 20 else 0
    if kind in SMALL:
        return 0
    size = sys.getsizeof(value)
    if kind is dict:
        return size + sum(map(deep, value.values()))
    if kind in LISTS:
        return size + listed(value)
    if isinstance(value, Record):
        return size + sum(deep(getattr(value, name)) for name in (*value.fields, *value.extras) if name != "shared")
    if isinstance(value, tuple | dict):  # of a kind with a name
        return size + sum(map(deep, value.values() if isinstance(value, dict) else value))
    if hasattr(value, "__dict__"):
        return size + deep(vars(value))
    return size


def listed(values: Sequence[Any]) -> int:
    """Bytes of many values: by a sample, if they are too many."""
    if len(values) <= 2 * SAMPLE:
        return sum(map(deep, values))
    weighed = values[:: len(values) // SAMPLE]
    return sum(map(deep, weighed)) * len(values) // len(weighed)


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
