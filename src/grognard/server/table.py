"""One table: all changes of its game go through here, one at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from grognard.kernel.flow import Order, where_are_we
from grognard.kernel.record import Side
from grognard.kernel.series import act_in_series
from grognard.kernel.session import Session
from grognard.server.clock import Clock
from grognard.server.errors import Problem
from grognard.server.journal import Change, Logged, StaleWrite
from grognard.server.lobby import lobby_facts
from grognard.server.messages import Json
from grognard.server.people import Person
from grognard.server.telling import Telling

Play = Callable[[Session, Sequence[Logged]], None]  # plays what is left of a log


class Table(Telling):
    """A game being played on the server."""

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

    async def act_in_series(self, side: Side, orders: Sequence[Order], again: str, version: int | None) -> None:
        """Several actions of a person, each as if it came alone; told and stored as one change."""
        async with self.lock:
            self._check_begun()
            self._check_version(version)
            self._check_clock()
            if self.session.salts.expects(self.session.game.side_name(side)):
                raise Problem(409, "salt-each")
            for order in orders:
                self._check_text(order)
            await self._change(lambda: act_in_series(self.session, side, orders, again), side)

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
        self.used = time.monotonic()
        if where_are_we(session.state) != where:
            self.asked = version
        for watcher, text in letters:
            watcher.send(text)
        self.pass_on({"changed": self.id, "version": version})

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
