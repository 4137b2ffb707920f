"""A game in memory holds its log and its old positions packed: a twentieth of the bytes, and nothing is left out.

Only the last entries are open. Whoever looks further back gets copies, unpacked in blocks; who undoes so far has a
block opened again. What is packed is plain data (the compiled edition's own things could not be) and comes out as it
went in; it goes to no other process but our own workers.
"""

from __future__ import annotations

import pickle
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, MutableSequence
from typing import Any, NamedTuple, overload

from grognard.games import find_game
from grognard.kernel.ceremony import Salts
from grognard.kernel.events import Event
from grognard.kernel.record import Frame, Record, State
from grognard.kernel.session import Entry, Header, Session

BLOCK = 16  # entries that are packed together
OPEN = 4  # entries that stay open at least


def pack(session: Session) -> None:
    """Have a session hold its past packed."""
    if not isinstance(session.entries, Log):
        session.entries = Log(session.entries)
    if not isinstance(session.snapshots, Positions):
        session.snapshots = Positions(session.snapshots)


class Log(MutableSequence[Entry]):
    """The entries of a log."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.packed: list[bytes] = []  # blocks of `BLOCK` entries
        self.open: list[Entry] = []  # those after them
        self.before = 0  # how many are packed
        self.extend(entries)

    def __len__(self) -> int:
        return self.before + len(self.open)

    @overload
    def __getitem__(self, at: int) -> Entry: ...
    @overload
    def __getitem__(self, at: slice) -> list[Entry]: ...
    def __getitem__(self, at: int | slice) -> Entry | list[Entry]:
        if isinstance(at, int) and -len(self.open) <= at < 0:  # the last one, as a rule
            return self.open[at]
        before = self.before
        if isinstance(at, slice):
            start, stop, step = at.indices(before + len(self.open))
            if start >= before and step > 0:
                return self.open[start - before : max(start, stop) - before : step]
            if step != 1:
                return list(self)[at]
            first, stop = start // BLOCK, max(start, stop)  # the block to begin with
            found = [entry for block in self.packed[first : -(-stop // BLOCK)] for entry in opened(block)]
            found += self.open[: max(0, stop - before)]
            return found[start - first * BLOCK : stop - first * BLOCK]
        number = at + before + len(self.open) if at < 0 else at
        if number >= before:
            return self.open[number - before]
        if number < 0:
            raise IndexError(at)
        return opened(self.packed[number // BLOCK])[number % BLOCK]

    def __iter__(self) -> Iterator[Entry]:
        for block in self.packed:
            yield from opened(block)
        yield from self.open

    def __reversed__(self) -> Iterator[Entry]:
        yield from reversed(self.open)
        for block in reversed(self.packed):
            yield from reversed(opened(block))

    def insert(self, at: int, entry: Entry) -> None:
        """As of any list; at the end, which is the usual, it packs what has become old."""
        if at < len(self):
            self._open_from(at)
            self.open.insert(at - self.before, entry)
        else:
            self.open.append(entry)
        while len(self.open) >= BLOCK + OPEN:
            self.packed.append(closed_up(self.open[:BLOCK]))
            del self.open[:BLOCK]
            self.before += BLOCK

    def append(self, entry: Entry) -> None:
        """One more."""
        self.insert(len(self), entry)

    def __setitem__(self, at: Any, value: Any) -> None:
        everything = list(self)
        everything[at] = value
        self._start_with(everything)

    def __delitem__(self, at: Any) -> None:
        if isinstance(at, int) and at in (-1, len(self) - 1):
            self._open_from(len(self) - 1)
            del self.open[-1]
            return
        everything = list(self)
        del everything[at]
        self._start_with(everything)

    def _open_from(self, at: int) -> None:
        """Open the blocks from the one on that holds an entry."""
        while self.before > max(at, 0):
            self.open[:0] = list(opened(self.packed.pop()))
            self.before -= BLOCK

    def _start_with(self, entries: list[Entry]) -> None:
        self.packed, self.open, self.before = [], [], 0
        self.extend(entries)

    def bytes_packed(self) -> int:
        """What the blocks take."""
        return sum(map(sys.getsizeof, self.packed))


class Positions(MutableMapping[int, State]):
    """Snapshots by the number of the entry they follow; each look at one is a fresh copy."""

    def __init__(self, snapshots: Mapping[int, State]) -> None:
        self.packed: dict[int, bytes] = {}
        self.update(snapshots)

    def __getitem__(self, at: int) -> State:
        return state_of(self.packed[at])

    def __setitem__(self, at: int, s: State) -> None:
        self.packed[at] = packed_state(s)

    def __delitem__(self, at: int) -> None:
        del self.packed[at]

    def __iter__(self) -> Iterator[int]:
        return iter(self.packed)

    def __len__(self) -> int:
        return len(self.packed)

    def __contains__(self, at: object) -> bool:
        return at in self.packed

    def bytes_packed(self) -> int:
        """What they take."""
        return sum(map(sys.getsizeof, self.packed.values()))


class Parcel(NamedTuple):
    """A game as it stands, in plain bytes: to be looked at in another process."""

    header: Header
    opening: list[tuple[Any, ...]]
    opening_draws: list[tuple[int, int]]
    blocks: list[bytes]
    open: bytes
    snapshot: tuple[int, bytes]  # the last one before what is to be looked at
    state: bytes
    chain0: str
    closed: int


def parcel_of(session: Session, upto: int) -> Parcel:
    """A game, to be looked at as it was after an entry."""
    log = session.entries if isinstance(session.entries, Log) else Log(session.entries)
    start = max(k for k in session.snapshots if k <= upto)
    kept = session.snapshots
    snapshot = kept.packed[start] if isinstance(kept, Positions) else packed_state(kept[start])
    return Parcel(
        session.header,
        [plain_event(event) for event in session.opening],
        session.opening_draws,
        log.packed.copy(),
        closed_up(log.open),
        (start, snapshot),
        packed_state(session.state),
        session.chain0,
        session.closed,
    )


def unpacked(parcel: Parcel) -> Session:
    """The game of a parcel: to be looked at, not to be played on."""
    session = Session.__new__(Session)
    session.game, session.header, session.chain0 = find_game(parcel.header.game), parcel.header, parcel.chain0
    session.opening = [Event(*event) for event in parcel.opening]
    session.opening_draws = parcel.opening_draws
    log = session.entries = Log()
    log.packed, log.open, log.before = parcel.blocks, list(opened(parcel.open)), BLOCK * len(parcel.blocks)
    session.state = state_of(parcel.state)
    at, snapshot = parcel.snapshot
    session.snapshots = {at: state_of(snapshot)}
    session.closed, session.undone, session.takeback, session.draw_offers = parcel.closed, [], None, ()
    session.salts = Salts(parcel.header.shares)
    return session


def packed_state(s: State) -> bytes:
    """A position in few bytes."""
    frames = [(type(frame), values_of(frame), frame.row, frame.running) for frame in s.frames]
    return small((type(s), values_of(s), s.chosen, frames))


def state_of(packed: bytes) -> State:
    """A position out of its bytes: a fresh copy each time."""
    kind, values, chosen, frames = pickle.loads(zlib.decompress(packed))
    s: State = filled(kind, values)
    s.chosen, s.frames = chosen, []
    for sort, variables, row, running in frames:
        frame: Frame = filled(sort, variables)
        frame.row, frame.running = row, running
        s.frames.append(frame)
    return s


def small(plain: Any) -> bytes:
    """Plain data in few bytes; the fastest way there, since it is done while people play."""
    return zlib.compress(pickle.dumps(plain, 5), 1)


def closed_up(entries: list[Entry]) -> bytes:
    """Entries as a block."""
    return small(
        [
            (e.side, e.action, [plain_event(event) for event in e.events], e.chain, e.before, e.salt, e.drawn)
            for e in entries
        ]
    )


def plain_event(event: Event) -> tuple[Any, ...]:
    """An event as plain data."""
    return event.kind, event.rule, event.data, event.audience, event.reveals


_lately: tuple[bytes, list[Entry]] = (b"", [])  # who reads entry by entry asks for the same block many times


def opened(block: bytes) -> list[Entry]:
    """The entries of a block."""
    global _lately  # noqa: PLW0603
    known, entries = _lately
    if known is not block:
        entries = [
            Entry(side, action, [Event(*event) for event in events], *rest)
            for side, action, events, *rest in pickle.loads(zlib.decompress(block))
        ]
        _lately = block, entries
    return entries


def values_of(record: Record) -> list[Any]:
    """The fields of a record, in their order."""
    return [getattr(record, name) for name in record.fields]


def filled(kind: Any, values: list[Any]) -> Any:
    """A record of a kind with these values."""
    new = kind()
    for name, value in zip(kind.fields, values):
        setattr(new, name, value)
    return new
