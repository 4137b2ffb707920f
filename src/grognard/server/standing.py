"""Where a table stands: its game, its seats, who may do what, how far its dice are. Nothing here changes anything."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager
from copy import copy
from dataclasses import dataclass
from typing import Any, Protocol

from grognard.kernel.ceremony import ALL
from grognard.kernel.flow import Order
from grognard.kernel.kept import Shared
from grognard.kernel.record import SPECTATOR, Side
from grognard.kernel.session import Session
from grognard.server.announcing import Announced
from grognard.server.clock import Clock
from grognard.server.errors import Problem
from grognard.server.journal import Change
from grognard.server.messages import Json
from grognard.server.packing import pack
from grognard.server.people import Person
from grognard.server.seating import FREE
from grognard.server.terms import Terms

Record = Callable[[Change], Awaitable[None]]  # returns once the change is durable
KeepOrder = Callable[[Announced, Json], Awaitable[None]]  # the same of an announcement, and of the clock


@dataclass
class Seat:
    """Who plays a side: nobody yet, a person, or the computer."""

    side: Side
    kind: str
    person: str = ""
    name: str = ""
    level: str = ""


@dataclass(eq=False)
class Watcher:
    """One connection that looks at the table from one place."""

    person: Person
    send: Callable[[bytes], None]
    side: Side = SPECTATOR
    lang: str = "en"


class Line(Protocol):
    """A connection: who is at the other end, and how to end it."""

    person: Person

    def rename(self, before: Person, after: Person) -> None:
        """The guest at the other end has an account now."""

    async def hang_up(self) -> None:
        """Close it."""


class Standing:
    """A game on the server, to be asked about."""

    def __init__(
        self,
        table_id: str,
        title: str,
        session: Session,
        seats: list[Seat],
        version: int,
        clock: Json,
        record: Record,
        uptime: Callable[[], float] = time.monotonic,
    ) -> None:
        self.id, self.title, self.session, self.seats, self.version = table_id, title, session, seats, version
        pack(session)
        self.record = record
        self.lock = asyncio.Lock()  # held while a change is stored: who reads the position waits for it
        self.watchers: set[Watcher] = set()
        self.following = asyncio.Lock()  # held while a copy catches up with the store
        self.elsewhere: dict[str, frozenset[str]] = {}  # who watches at other servers; see `peers`
        self.relay: Callable[[Json], None] | None = None  # tells the other servers
        self.sockets: set[Line] = set()  # everybody who has a connection, watching or not
        self.views: dict[Side, Json] = {}
        self.latest: dict[Hashable, Any] = {}  # what the last views were made of; see `kernel/kept.py`
        self.chat: list[Json] = []  # the latest lines
        self.told_present: frozenset[str] | None = None  # who was said to be here
        self.uptime = uptime  # by which the clock runs
        self.clock = Clock(**clock)
        self.clock.go_on(uptime())
        self.used = time.monotonic()
        self.kept_at = 0  # the entry after which a position is kept in the store; see `resume`
        self.chronicled = -1  # the last entry that the chronicle tells of for good
        self.chronicle_after = 0  # entries behind after which it is tried again, when it could not be written
        self.written_down = -1  # the version at which it was last written
        self.weight = self.weighed = 0  # bytes, and the version at which they were counted; see `room`
        self.weigh_after = 0  # actions; set whenever it is weighed
        self.next_table = ""
        self.asked = version  # the version at which the present decision was first asked for
        self.broken = False  # the store refused a change: this object must be loaded anew
        self.owner, self.terms = "", Terms()
        self.stage, self.stage_at = "", 0.0  # `dice`: the game has not begun, its dice are being made
        self.shares: dict[Side, tuple[str, str]] = {}  # commitment and entropy, while the dice are being made
        self.verdict: Json | None = None  # on the dice, once the game is over
        self.without: set[Side] = set()  # sides whose shares the table does not wait for any longer
        self.order: Announced | None = None  # the last order that was announced; see `announced`
        self.keep_order: KeepOrder | None = None

    @asynccontextmanager
    async def settled(self) -> AsyncIterator[None]:
        """Where the game is as the store has it: no change is under way, and none was refused.

        An end that is not stored yet must open nothing: if the store refuses it, the game goes on.
        """
        async with self.lock:
            if self.broken:
                raise Problem(503, "try-again")
            yield

    def moment(self) -> Session:
        """The game as it stands, for a thread that thinks while the game goes on: no log but its last entry."""
        session = copy(self.session)
        session.entries = self.session.entries[-1:]
        return session

    # Who may do what

    def sides_of(self, person: Person) -> list[Side]:
        """The sides that a person plays."""
        return [seat.side for seat in self.seats if seat.kind == "human" and seat.person == person.id]

    def acting(self, person: Person, side: Side) -> bool:
        """True if a person may act for a side: not before the dice are made."""
        return not self.stage and side in self.sides_of(person)

    def is_at(self, version: int) -> bool:
        """True while nobody has acted since."""
        return self.version == version

    def seat_of(self, side: Side) -> Seat:
        """The seat of a side that plays."""
        for seat in self.seats:
            if seat.side == side:
                return seat
        raise LookupError(side)

    def own_side(self, person: Person, name: str) -> Side:
        """The side of that name, if the person plays it."""
        side = self.session.game.side_named(name)
        if side < 0 or side not in self.sides_of(person):
            raise Problem(403, "not-your-seat", side=name)
        return side

    def admits(self, person: Person) -> bool:
        """True for players, and for others where watchers are allowed."""
        return self.terms.watchers == "anyone" or bool(self.sides_of(person))

    def viewpoint(self, person: Person, name: str | None) -> Side:
        """Where a person may look from: an own side, or the spectators' bench; everywhere once it is over."""
        own = self.sides_of(person)
        if not self.admits(person):
            raise Problem(403, "no-watchers")
        if name is None:
            waiting = [side for side in own if side in self.session.state.waiting]
            return (waiting or own or [SPECTATOR])[0]
        side = self.session.game.side_named(name)
        if side == SPECTATOR or side in own or self.session.result is not None:
            return side
        raise Problem(403, "not-your-seat", side=name)

    def view(self, side: Side) -> Json:
        """The view of a side now; made once per version."""
        if side not in self.views:
            s = self.session.state
            if s.shared is None:
                s.shared = Shared(self.latest)  # the session does not change a position, it makes the next
            self.views[side] = self.session.game.view(s, side)
        return self.views[side]

    def delay_for(self, person: Person) -> int:
        """How many actions behind this person is kept: none who plays, nobody once it is over."""
        return self.terms.delay if self.session.result is None and not self.sides_of(person) else 0

    def may_chat(self, person: Person) -> bool:
        """Players talk among themselves unless the terms say that all may who watch."""
        return (self.terms.chat == "all" and self.admits(person)) or bool(self.sides_of(person))

    def why(self, side: Side, action: Order) -> Any:
        """The refusal of an action, or None."""
        return self.session.game.why(self.session.state, side, action)

    @property
    def present(self) -> set[str]:
        """The people who watch, here or at another server."""
        return {watcher.person.id for watcher in self.watchers}.union(*self.elsewhere.values())

    def is_here(self, person: str) -> bool:
        """True for somebody who watches, here or at another server."""
        if any(watcher.person.id == person for watcher in self.watchers):
            return True
        return any(person in people for people in self.elsewhere.values())

    def seats_json(self) -> list[Json]:
        """Seats with who is here now."""
        present = self.present
        return [
            {
                "side": self.session.game.side_name(seat.side),
                "kind": seat.kind,
                "name": seat.name if seat.kind != "ai" else seat.level,
                "online": seat.kind == "ai" or seat.person in present,
            }
            for seat in self.seats
        ]

    def offers(self) -> list[Json]:
        """What is on the table to be answered."""
        game, found = self.session.game, []
        if self.session.takeback is not None:
            asker, to, _ = self.session.takeback
            found.append({"type": "offer", "kind": "takeback", "side": game.side_name(asker), "to": to})
        for side in self.session.draw_offers:
            found.append({"type": "offer", "kind": "draw", "side": game.side_name(side)})
        return found

    # Making the dice

    @property
    def humans(self) -> list[Side]:
        """The sides that people play, or will."""
        return [seat.side for seat in self.seats if seat.kind != "ai"]

    def shares_missing(self) -> list[Side]:
        """Whose commitment, or whose share, the table waits for."""
        if len(self.shares) < len(self.humans):
            return [side for side in self.humans if side not in self.shares and self.seat_of(side).kind == "human"]
        return [
            side
            for side, (commitment, entropy) in self.shares.items()
            if commitment != "-" and not entropy and side not in self.without
        ]

    def dice_step(self) -> str:
        """`seats` (somebody is still to come), `commit`, `show` or `made`."""
        if any(seat.kind in FREE for seat in self.seats):
            return "seats"
        if len(self.shares) < len(self.humans):
            return "commit"
        return "show" if self.shares_missing() else "made"

    def dice_json(self) -> Json:
        """How far the dice are: commitments are for all to see and keep, shares when all are there."""
        game, header = self.session.game, self.session.header
        if not self.stage:
            told = [{"side": x.side, "commitment": x.commitment, "entropy": x.entropy} for x in header.shares]
            made = {
                "step": "made",
                "id": header.id,
                "commitment": header.commitment,
                "shares": told,
                "all": self.by_all,
            }
            order = self.announced
            return made if order is None else made | {"order": order.to_json(self.session, self.terms.patience)}
        shares = [
            {"side": game.side_name(side), "commitment": commitment, "shown": bool(entropy)}
            for side, (commitment, entropy) in sorted(self.shares.items())
        ]
        return {
            "step": self.dice_step(),
            "id": header.id,
            "commitment": header.commitment,
            "shares": shares,
            "all": self.by_all,
            "missing": [game.side_name(side) for side in self.shares_missing()],
            "patience": round(max(0.0, self.stage_at + self.terms.patience - time.time())),
        }

    @property
    def by_all(self) -> bool:
        """True where several people play who want every die to be made by all of them."""
        return self.session.header.dice == ALL and len({s.person for s in self.seats if s.kind != "ai"}) > 1

    @property
    def announced(self) -> Announced | None:
        """The order that waits for the links of the others."""
        return self.order if self.order is not None and self.order.stands(self.session) else None

    def owing(self) -> tuple[Side, ...]:
        """Who is waited for: to decide, or to come and see to the dice."""
        if not self.stage:
            order = self.announced
            return self.session.state.waiting if order is None else tuple(order.missing(self.session))
        return () if self.dice_step() == "seats" else tuple(self.shares_missing())
