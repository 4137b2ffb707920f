"""One table: all changes of its game go through here, one at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from grognard.kernel.flow import Order, where_are_we
from grognard.kernel.record import Side
from grognard.kernel.series import act_in_series
from grognard.kernel.session import Session
from grognard.server.announcing import Announced
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
            self._check_free()
            self._check_salt(side, salt)
            if not self._wants_witnesses(side, action):
                await self._change(lambda: self.session.act(side, action, salt), side)
                return
            await self._announce(Announced(len(self.session.entries) + 1, side, action, salt, time.time()))
        self.tell_dice()

    def _wants_witnesses(self, side: Side, action: Order) -> bool:
        """True for an order that throws dice which others have a part in."""
        session = self.session
        if not self.by_all or not session.salts.witnesses(session.game.side_name(side)):
            return False
        return session.game.why(session.state, side, action) is None and session.throws_dice(side, action)

    async def _announce(self, order: Announced) -> None:
        """Write an order down that waits for the others; nobody's time runs meanwhile."""
        self.clock.spend(self.session.state.waiting, self.uptime())
        self.clock.since = 0.0
        assert self.keep_order is not None
        try:
            await self.keep_order(order, self.clock.to_json())
        except BaseException:
            self.broken = True
            raise
        self.order = order

    async def witness(self, side: Side, link: str) -> None:
        """A link for the order that waits; with the last one it is carried out."""
        async with self.lock:
            order = self._waiting_order()
            if side not in order.missing(self.session):
                raise Problem(409, "no-order")
            name = self.session.game.side_name(side)
            wrong = self.session.salts.problem(name, link or "?")
            if wrong:
                raise Problem(422, wrong, side=name)
            order.links[side] = link
            await self._when_all_are_there(order)
        self.tell_dice()

    async def go_on_without(self, person: Person) -> None:
        """Wait for no more links: of one's own sides at any time, of others when patience is at an end."""
        async with self.lock:
            order = self._waiting_order()
            missing = order.missing(self.session)
            own = [side for side in missing if side in self.sides_of(person)]
            if time.time() < order.at + self.terms.patience:
                if not own:
                    raise Problem(409, "dice-patience")
                missing = own
            order.without |= set(missing)
            await self._when_all_are_there(order)
        self.tell_dice()

    def _waiting_order(self) -> Announced:
        if self.broken:
            raise Problem(503, "try-again")
        order = self.announced
        if order is None:
            raise Problem(409, "no-order")
        return order

    async def _when_all_are_there(self, order: Announced) -> None:
        if not order.missing(self.session):
            await self._change(lambda: order.carry_out(self.session), order.side)

    def _check_free(self) -> None:
        """An order that was announced stands: nothing else is done, and nothing undone, before it is."""
        if self.announced is not None:
            raise Problem(409, "order-announced")

    async def act_in_series(self, side: Side, orders: Sequence[Order], again: str, version: int | None) -> None:
        """Several actions of a person, each as if it came alone; told and stored as one change."""
        async with self.lock:
            self._check_begun()
            self._check_version(version)
            self._check_clock()
            self._check_free()
            salts, name = self.session.salts, self.session.game.side_name(side)
            if salts.expects(name) or (self.by_all and salts.witnesses(name)):
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
            if side is not None and self.session.result is None and not self.broken:  # else the log would have a gap
                await self._change(lambda: self.session.resign(side), None)

    async def change(self, version: int | None, what: Callable[[], Any], *, ends: bool = False) -> None:
        """Undo, redo, resign, draw, takeback: any other change of the session; what `ends` it may come at any time."""
        async with self.lock:
            self._check_begun()
            self._check_version(version)
            if not ends:
                self._check_free()
            await self._change(what, None)

    async def _change(self, what: Callable[[], Any], mover: Side | None) -> None:
        session = self.session
        before, chain = len(session.entries), session.chain
        waiting, where = session.state.waiting, where_are_we(session.state)
        try:
            what()
        except BaseException:  # what is refused half way is in no store: read again from there
            self.broken |= session.chain != chain or len(session.entries) != before
            raise
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
        self.order = other.order
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
