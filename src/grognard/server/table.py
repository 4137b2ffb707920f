"""One table: a session, its seats, its lock and everybody who watches. All changes go through here, one at a time."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from grognard.games import find_game
from grognard.kernel.flow import Order, where_are_we
from grognard.kernel.record import SPECTATOR, Side
from grognard.kernel.session import Session
from grognard.server.errors import Problem
from grognard.server.messages import (
    Json,
    difference,
    encode,
    past_message,
    shared_part,
    state_message,
    update_message,
)
from grognard.server.people import Person
from grognard.server.seating import FREE
from grognard.server.store import Change, Logged, StaleWrite
from grognard.server.terms import Terms

Play = Callable[[Session, Sequence[Logged]], None]  # plays what is left of a log
Record = Callable[[Change], Awaitable[None]]  # returns once the change is durable


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


@dataclass
class Clock:
    """A time bank per side, in seconds; runs while the side owes a decision, by the server's own time (`uptime`)."""

    bank: list[float] = field(default_factory=list)
    added: float = 0.0  # per action
    since: float = 0.0  # when the running sides began to think
    full: float = 0.0  # what each side began with

    def go_on(self, now: float) -> None:
        """Read again from the store: nobody can have begun to think in the future."""
        self.since = min(self.since, now)

    def spend(self, waiting: tuple[Side, ...], now: float) -> None:
        """Charge the sides that were thinking."""
        if self.bank and self.since:
            for side in waiting:
                self.bank[side] -= now - self.since
        self.since = now

    def fallen(self, waiting: tuple[Side, ...], now: float) -> Side | None:
        """A side whose time is up."""
        for side in waiting:
            if self.bank and self.since and self.bank[side] - (now - self.since) <= 0:
                return side
        return None

    def to_json(self) -> Json:
        """For the store."""
        if not self.bank:
            return {}
        left = [round(b, 1) for b in self.bank]
        return {"bank": left, "added": self.added, "since": self.since, "full": self.full}

    def anew(self) -> Json:
        """The same time for another game; none for a table kept since before its full time was."""
        return {"bank": [self.full] * len(self.bank), "added": self.added, "full": self.full} if self.full else {}

    def for_clients(self, now: float) -> Json:
        """For clients, whose own clocks may be wrong: how long the running sides have been thinking."""
        if not self.bank:
            return {}
        thought = round(max(0.0, now - self.since), 1) if self.since else 0.0
        return {"bank": [round(b, 1) for b in self.bank], "added": self.added, "thought": thought}


class Table:
    """A game being played on the server."""

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
        self.record = record
        self.lock = asyncio.Lock()  # held while a change is stored: who reads the position waits for it
        self.watchers: set[Watcher] = set()
        self.following = asyncio.Lock()  # held while a copy catches up with the store
        self.elsewhere: dict[str, frozenset[str]] = {}  # who watches at other servers; see `peers`
        self.relay: Callable[[Json], None] | None = None  # tells the other servers
        self.sockets: set[Line] = set()  # everybody who has a connection, watching or not
        self.views: dict[Side, Json] = {}
        self.chat: list[Json] = []
        self.uptime = uptime  # by which the clock runs
        self.clock = Clock(**clock)
        self.clock.go_on(uptime())
        self.used = time.monotonic()
        self.kept_at = 0  # the entry after which a position is kept in the store; see `resume`
        self.chronicled = -1  # the last entry that the chronicle tells of for good
        self.written_down = -1  # the version at which it was last written
        self.weight = self.weighed = 0  # bytes, and the version at which they were counted; see `room`
        self.next_table = ""
        self.asked = version  # the version at which the present decision was first asked for
        self.broken = False  # the store refused a change: this object must be loaded anew
        self.owner, self.terms = "", Terms()
        self.stage, self.stage_at = "", 0.0  # `dice`: the game has not begun, its dice are being made
        self.shares: dict[Side, tuple[str, str]] = {}  # commitment and entropy, while the dice are being made
        self.without: set[Side] = set()  # sides whose shares the table does not wait for any longer

    # Who may do what

    def sides_of(self, person: Person) -> list[Side]:
        """The sides that a person plays."""
        return [seat.side for seat in self.seats if seat.kind == "human" and seat.person == person.id]

    def acting(self, person: Person, side: Side) -> bool:
        """True if a person may act for a side: not before the dice are made."""
        return not self.stage and side in self.sides_of(person)

    def seat_of(self, side: Side) -> Seat:
        """The seat of a side that plays."""
        return next(seat for seat in self.seats if seat.side == side)

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
            self.views[side] = self.session.game.view(self.session.state, side)
        return self.views[side]

    # Changes

    async def act(self, person: Person | None, side: Side, action: Order, version: int | None, salt: str = "") -> None:
        """A person's (or, with None, the computer's) action; stored before anybody hears of it."""
        async with self.lock:
            self._check_begun()
            self._check_version(version)
            self._check_clock()
            if self.session.result is None and side in self.session.state.waiting:
                self._check_text(action)
            self._check_salt(side, salt)
            await self._change(lambda: self.session.act(side, action, salt), side)

    def _check_salt(self, side: Side, salt: str) -> None:
        name = self.session.game.side_name(side)
        wrong = self.session.salts.problem(name, salt)
        if wrong:
            raise Problem(422, wrong, side=name)

    def _check_begun(self) -> None:
        if self.stage:
            raise Problem(409, "dice-first")

    def _check_text(self, action: Order) -> None:
        if len(action[0]) > 80 or len(action[1]) > 400 or not (action[0] + action[1]).isprintable():
            raise Problem(422, "bad-action")

    def _check_version(self, version: int | None) -> None:
        if self.broken:
            raise Problem(503, "try-again")
        if version is None or version == self.version:
            return
        decision = self.session.game.decision(self.session.state)
        if decision is not None and decision.together and self.asked <= version < self.version:
            return  # all decide at once: another side's choice takes nothing from this one's
        raise Problem(409, "stale", yours=version, now=self.version)

    def _check_clock(self) -> None:
        """Nothing to do unless a bank is empty; the fall itself is recorded by `tick`."""
        if self.clock.fallen(self.session.state.waiting, self.uptime()) is not None:
            raise Problem(409, "time-up")

    async def tick(self) -> None:
        """Record the loss of a side whose time is up."""
        async with self.lock:
            side = self.clock.fallen(self.session.state.waiting, self.uptime())
            if side is not None and self.session.result is None:
                await self._change(lambda: self.session.resign(side), None)

    async def change(self, version: int | None, what: Callable[[], Any]) -> None:
        """Undo, redo, resign, draw, takeback: any other change of the session."""
        async with self.lock:
            self._check_begun()
            self._check_version(version)
            await self._change(what, None)

    async def _change(self, what: Callable[[], Any], mover: Side | None) -> None:
        session = self.session
        before, chain = len(session.entries), session.chain
        waiting, where = session.state.waiting, where_are_we(session.state)
        what()
        if session.chain == chain and len(session.entries) == before:
            self.broadcast_offers()
            return
        keep = min(before, len(session.entries))
        now = time.time()
        self.clock.spend(waiting, self.uptime())
        if mover is not None and self.clock.bank:
            self.clock.bank[mover] += self.clock.added
        added = action_rows(self.id, session, before, now)
        over, version = session.result is not None, self.version + 1
        change = Change(self.id, version, keep, added, over, self.clock.to_json(), lobby_facts(session), now)
        try:
            letters = self.letters(version, before)  # written while all is at hand, sent when it is stored
            await self.record(change)
        except StaleWrite:
            self.broken = True
            raise Problem(409, "stale", yours=version - 1, now="?") from None
        except BaseException:
            self.broken = True  # what is in memory is ahead of the store: never show it
            raise
        self.version = version
        if where_are_we(session.state) != where:
            self.asked = version
        for watcher, text in letters:
            watcher.send(text)
        self._pass_on({"changed": self.id, "version": version})

    async def follow(self, version: int, clock: Json, actions: Sequence[Logged], play: Play) -> bool:
        """Another server has added to the log: play it here too. False if this log is not the beginning of that one.

        `actions` begin with the last that is known here (if any is).
        """
        async with self.lock:
            session, before = self.session, len(self.session.entries)
            if self.broken or (before and (not actions or actions[0].chain != session.chain)):
                return False
            where = where_are_we(session.state)
            play(session, actions[1:] if before else actions)
            self.clock = Clock(**clock)
            self.clock.go_on(self.uptime())
            self.version = version
            if where_are_we(session.state) != where:
                self.asked = version
            if len(session.entries) > before:
                for watcher, text in self.letters(version, before):
                    watcher.send(text)
            else:
                self.views = {}
                self.tell_states()
        return True

    def become(self, other: Table) -> None:
        """All that another object of the same table has read from the store."""
        self.session, self.seats, self.version, self.clock = other.session, other.seats, other.version, other.clock
        self.chat, self.next_table, self.owner, self.terms = other.chat, other.next_table, other.owner, other.terms
        self.stage, self.stage_at, self.shares = other.stage, other.stage_at, other.shares
        self.kept_at, self.asked, self.views, self.broken = other.kept_at, other.version, {}, False
        self.tell_states()

    # Telling

    def _pass_on(self, message: Json) -> None:
        if self.relay is not None:
            self.relay(message)

    def hear_chat(self, message: Json) -> None:
        """A line that was said at another server."""
        line = {key: message[key] for key in ("n", "author", "text", "at")}
        if line["n"] == len(self.chat) + 1:
            self.chat.append(line)
        self._say_chat(message)

    def tell_presence(self) -> None:
        """Who is here, to everybody."""
        self.tell_all({"type": "presence", "seats": self.seats_json()}, relay=False)
        self._pass_on({"seen": self.id, "people": sorted({watcher.person.id for watcher in self.watchers})[:200]})

    @property
    def present(self) -> set[str]:
        """The people who watch, here or at another server."""
        return {watcher.person.id for watcher in self.watchers}.union(*self.elsewhere.values())

    def letters(self, version: int, since: int) -> list[tuple[Watcher, bytes]]:
        """For every watcher what is new at a version, if it knows so many entries; one message per audience."""
        known, self.views = self.views, {}
        undone = len(self.session.entries) <= since
        said: dict[tuple[Side, str, bool], bytes] = {}
        common: dict[str, tuple[Json, dict[bytes, str]]] = {}  # by language: what all are told, sentences so far
        letters = []
        for watcher in self.watchers:
            acting = self.acting(watcher.person, watcher.side)
            side, lang, _ = audience = watcher.side, watcher.lang, acting
            if undone or side not in known or self.delay_for(watcher.person):
                letters.append((watcher, self.state_for(watcher, version)))
                continue
            if lang not in common:
                common[lang] = self.for_everybody(lang, version), {}
            if audience not in said:
                said[audience] = encode(self.update(side, lang, acting, known[side], since, *common[lang]))
            letters.append((watcher, said[audience]))
        return letters

    def take_over(self, old: Table) -> None:
        """Those who looked at an object that was thrown away look at this one, and see where it really stands."""
        self.watchers, self.sockets = old.watchers, old.sockets
        for watcher in list(self.watchers):
            watcher.send(self.state_for(watcher, self.version))

    def broadcast_offers(self) -> None:
        """Takebacks asked and draws offered."""
        for message in self.offers():
            self.tell_all(message)

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
            return {"step": "made", "id": header.id, "commitment": header.commitment, "shares": told}
        shares = [
            {"side": game.side_name(side), "commitment": commitment, "shown": bool(entropy)}
            for side, (commitment, entropy) in sorted(self.shares.items())
        ]
        return {
            "step": self.dice_step(),
            "id": header.id,
            "commitment": header.commitment,
            "shares": shares,
            "missing": [game.side_name(side) for side in self.shares_missing()],
            "patience": round(max(0.0, self.stage_at + self.terms.patience - time.time())),
        }

    def owing(self) -> tuple[Side, ...]:
        """Who is waited for: to decide, or to come and see to the dice."""
        if not self.stage:
            return self.session.state.waiting
        return () if self.dice_step() == "seats" else tuple(self.shares_missing())

    def tell_dice(self) -> None:
        """How far the dice are, to everybody."""
        self.tell_all({"type": "dice", "dice": self.dice_json(), "seats": self.seats_json()})

    def tell_states(self) -> None:
        """Everything, to everybody."""
        for watcher in list(self.watchers):
            watcher.send(self.state_for(watcher, self.version))

    def tell_chat(self, message: Json) -> None:
        """A line of chat, to those who may read it."""
        self._say_chat(message)
        self._pass_on({"said": self.id, "message": message})

    def _say_chat(self, message: Json) -> None:
        text = encode(message)
        for watcher in list(self.watchers):
            if self.may_chat(watcher.person):
                watcher.send(text)

    def may_chat(self, person: Person) -> bool:
        """Players talk among themselves unless the terms say that all may."""
        return self.terms.chat == "all" or bool(self.sides_of(person))

    def tell_all(self, message: Json, relay: bool = True) -> None:
        """The same message for everybody; `relay`: at other servers too."""
        text = encode(message)
        for watcher in list(self.watchers):
            watcher.send(text)
        if relay:
            short = {"type": "dice"} if message["type"] == "dice" else message
            self._pass_on({"told": self.id, "message": short})

    def state_for(self, watcher: Watcher, version: int) -> bytes:
        """The whole table for one watcher."""
        return encode(self.state(watcher.person, watcher.side, watcher.lang, version))

    def state(self, person: Person, side: Side, lang: str, version: int, at: int | None = None) -> Json:
        """The whole table from a side, now or as it was; for watchers as late as the terms want it."""
        entries, delay = len(self.session.entries), self.delay_for(person)
        if at is not None or delay:
            latest = max(0, entries - delay)
            if at is not None and not 0 <= at <= latest:
                raise Problem(422, "bad-entry", most=latest)
            message = past_message(self.session, side, lang, version, latest if at is None else at)
            if at is None:
                del message["at"]
            return message | self.around(person)
        message = state_message(self.session, side, lang, version, self.view(side), self.acting(person, side))
        if self.stage:
            message["prompt"] = {"waiting": [], "decision": None, "rule": "", "text": ""}
        return message | self.around(person)

    def delay_for(self, person: Person) -> int:
        """How many actions behind this person is kept: none who plays, nobody once it is over."""
        return self.terms.delay if self.session.result is None and not self.sides_of(person) else 0

    def update(
        self, side: Side, lang: str, acting: bool, known: Json, since: int, shared: Json, said: dict[bytes, str]
    ) -> Json:
        """What changed since a side knew this view and so many entries of the log."""
        changed = difference(known, self.view(side))
        return update_message(self.session, side, lang, acting, changed, since, shared, said)

    def for_everybody(self, lang: str, version: int) -> Json:
        """The part of an update that is the same for all who read a language."""
        part = shared_part(self.session, lang)
        part["version"], part["clock"] = version, self.clock.for_clients(self.uptime())
        if self.session.result is not None:
            part["seed"] = self.session.header.seed
        return part

    def around(self, person: Person) -> Json:
        """What stands around the board."""
        game = self.session.game
        return {
            "table": self.id,
            "title": self.title,
            "game": game.name,
            "scenario": self.session.header.scenario,
            "options": self.session.header.options,
            "seats": self.seats_json(),
            "mine": [game.side_name(side) for side in self.sides_of(person)],
            "chat": self.chat[-100:] if self.may_chat(person) else [],
            "clock": self.clock.for_clients(self.uptime()),
            "offers": self.offers(),
            "actions": len(self.session.entries),
            "seed": self.session.header.seed if self.session.result is not None else None,
            "next_table": self.next_table,
            "dice": self.dice_json(),
            "mark": self.session.header.mark,
            "origin": self.session.header.origin,
            "terms": asdict(self.terms),
            "owner": bool(self.owner) and self.owner == person.id,
        }

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

    def summary(self, person: Person) -> Json:
        """One line of the lobby."""
        game = self.session.game
        return {
            "id": self.id,
            "title": self.title,
            "game": game.name,
            "scenario": self.session.header.scenario,
            "seats": self.seats_json(),
            "mine": [game.side_name(side) for side in self.sides_of(person)],
            "over": self.session.result is not None,
            "version": self.version,
            "stage": self.stage,
            "mark": self.session.header.mark,
        } | lobby_facts(self.session, self.owing())

    def why(self, side: Side, action: Order) -> Any:
        """The refusal of an action, or None."""
        return self.session.game.why(self.session.state, side, action)


def lobby_facts(session: Session, waiting: tuple[Side, ...] | None = None) -> Json:
    """What the lobby shows of a position."""
    s = session.state
    return {
        "waiting": [session.game.side_name(side) for side in (s.waiting if waiting is None else waiting)],
        "turn": getattr(s, "turn", None),
        "actions": len(session.entries),
    }


def summary_of_row(row: Json, seats: list[Json], person: Person) -> Json:
    """One line of the lobby for a table that sleeps in the store."""
    sides = find_game(row["game"]).sides
    facts: Json = json.loads(row["lobby"])
    header = json.loads(row["header"])
    return facts | {
        "stage": row["stage"],
        "mark": header.get("mark", ""),
        "id": row["id"],
        "title": row["title"],
        "game": row["game"],
        "scenario": header["scenario"],
        "seats": [
            {
                "side": sides[seat["side"]],
                "kind": seat["kind"],
                "name": seat["level"] if seat["kind"] == "ai" else seat["name"],
                "online": seat["kind"] == "ai",
            }
            for seat in seats
        ],
        "mine": [sides[seat["side"]] for seat in seats if seat["kind"] == "human" and seat["person"] == person.id],
        "over": row["over"],
        "version": row["version"],
    }


def action_rows(table_id: str, session: Session, since: int, now: float) -> list[Json]:
    """The entries after the first `since`, as the store keeps them."""
    return [
        {
            "table_id": table_id,
            "n": n,
            "side": entry.side,
            "verb": entry.action[0],
            "target": entry.action[1],
            "chain": entry.chain,
            "at": now,
            "salt": entry.salt,
        }
        for n, entry in enumerate(session.entries[since:], since + 1)
    ]
