"""The websocket of a table: watch, act, hear. See docs/protocol.md."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from grognard.kernel.errors import GrognardError, IllegalAction
from grognard.kernel.flow import Order
from grognard.kernel.series import AGAIN, undo_series
from grognard.server import dicing, sitting
from grognard.server.doors import address_of
from grognard.server.errors import Problem
from grognard.server.hall import Hall
from grognard.server.messages import Json, encode
from grognard.server.old import OldRules, OldTable
from grognard.server.people import Person
from grognard.server.sockets import PULL, PUSH
from grognard.server.speech import error_json, language
from grognard.server.standing import Watcher
from grognard.server.table import Table
from grognard.server.words import check_message, check_words

MOST_SAID = 60  # orders that are said at once


class Connection:
    """One client at one table."""

    def __init__(self, hall: Hall, table: Table, person: Person, socket: WebSocket) -> None:
        self.hall, self.table, self.person, self.socket = hall, table, person, socket
        self.push: Callable[[bytes], bool] = socket.scope["extensions"][PUSH]  # the sockets that `grognard serve` uses
        self.pull: Callable[[], Awaitable[Json]] = socket.scope["extensions"][PULL]
        self.watcher = Watcher(person, self.send)
        self.address = address_of(socket)

    def post(self, message: Json) -> None:
        """Tell this client something."""
        self.send(encode(message))

    def send(self, text: bytes) -> None:
        """Send a message; a client that does not read is sent away."""
        if not self.push(text):
            self.table.watchers.discard(self.watcher)

    def rename(self, before: Person, after: Person) -> None:
        """The guest at the other end has an account now."""
        if self.person.visitor == before.visitor:
            self.person = self.watcher.person = after

    async def hang_up(self) -> None:
        """Close: the person at the other end has logged out, or in."""
        self.table.watchers.discard(self.watcher)
        with suppress(RuntimeError):
            await self.socket.close(4401)

    async def run(self) -> None:
        """Serve until the client leaves."""
        self.table.sockets.add(self)
        self.hall.lines.add(self)
        try:
            while (message := await self.pull())["type"] == "websocket.receive":
                await self._obey(message.get("text") or "")  # bytes say nothing
        except (WebSocketDisconnect, RuntimeError):  # gone, or sent away
            pass
        finally:
            self.hall.lines.discard(self)
            self.table.sockets.discard(self)
            self.table.watchers.discard(self.watcher)
            self.table.tell_presence()

    async def _obey(self, text: str) -> None:
        reply_to: Any = None
        try:
            if len(text) > self.hall.settings.largest_message:
                raise Problem(413, "too-large")
            self.hall.doors.message(self.person.id, self.address)
            try:
                message = msgspec.json.decode(text)
            except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
                raise Problem(400, "not-json") from None
            if not isinstance(message, dict):
                raise Problem(400, "not-json")
            check_message(text, message)
            reply_to = message.get("id")
            if not isinstance(reply_to, str | int | None):
                raise Problem(400, "bad-message")
            await self._handle(message)
        except GrognardError as error:
            game = self.table.session.game.name
            status_and_body = error_json(error, game, self.watcher.lang)
            self.post(
                {"type": "error", "reply_to": reply_to, "status": status_and_body[0]} | status_and_body[1]["error"]
            )

    async def _handle(self, message: Json) -> None:
        kind = message.get("type")
        if kind == "ping":
            self.post({"type": "pong", "version": self.table.version})
            return
        if kind == "watch":
            await self._watch(message)
            return
        if self.table.broken:
            self.table = await self.hall.find(self.table.id)
        await perform(self.hall, self.table, self.person, str(kind), message, self.watcher.lang)
        if "id" in message:
            self.post({"type": "done", "reply_to": message["id"], "version": self.table.version})

    async def _watch(self, message: Json) -> None:
        name = message.get("as")
        self.hall.doors.look(self.person.id, self.address)
        self.table = await self.hall.find(self.table.id)
        async with self.table.settled():
            self.watcher.side = self.table.viewpoint(self.person, None if name is None else str(name))
            self.watcher.lang = language(message.get("lang"))
            self.table.watchers.add(self.watcher)
            self.send(self.table.state_for(self.watcher, self.table.version))
        self.table.tell_presence()


class OldConnection:
    """One client at a game that can only be looked at: `watch` is answered, everything else is refused."""

    def __init__(self, hall: Hall, table: OldTable, person: Person, socket: WebSocket) -> None:
        self.hall, self.table, self.person, self.socket = hall, table, person, socket
        self.lang = "en"

    def rename(self, before: Person, after: Person) -> None:
        """The guest at the other end has an account now."""
        if self.person.visitor == before.visitor:
            self.person = after

    async def hang_up(self) -> None:
        """Close: the person at the other end has logged out, or in."""
        with suppress(RuntimeError):
            await self.socket.close(4401)

    async def run(self) -> None:
        """Serve until the client leaves."""
        self.hall.lines.add(self)
        try:
            while (message := await self.socket.receive())["type"] == "websocket.receive":
                text = message.get("text") or ""
                self.socket.app.state.doors.message(self.person.id, address_of(self.socket))
                await self.socket.send_text(encode(self.answer(text)).decode())
        except (WebSocketDisconnect, RuntimeError, Problem):
            return
        finally:
            self.hall.lines.discard(self)

    def answer(self, text: str) -> Json:
        """What is said to a message."""
        reply: Any = None
        try:
            if len(text) > self.hall.settings.largest_message:
                raise Problem(413, "too-large")
            try:
                message = msgspec.json.decode(text)
            except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
                raise Problem(400, "not-json") from None
            if not isinstance(message, dict):
                raise Problem(400, "not-json")
            check_words(message)
            reply = message.get("id") if isinstance(message.get("id"), str | int) else None
            if message.get("type") == "ping":
                return {"type": "pong", "version": self.table.row["version"]}
            if message.get("type") == "watch":
                self.lang, name = language(message.get("lang")), message.get("as")
                side = self.table.viewpoint(self.person, None if name is None else str(name))
                return self.table.state(self.person, side, self.lang)
            raise OldRules(self.table)
        except GrognardError as error:
            status, body = error_json(error, self.table.game.name, self.lang)
            told: Json = {"type": "error", "reply_to": reply, "status": status} | body["error"]
            return told


async def perform(hall: Hall, table: Table, person: Person, kind: str, order: Json, lang: str = "en") -> None:
    """Carry out one order of a person at a table, or have its owner do so; for websockets and plain requests."""
    peers = hall.peers
    if peers is not None and kind != "dice" and not await peers.own(table):
        if await peers.forward(table, person, kind, order, lang):
            return
    try:
        await carry_out(hall, table, person, kind, order)
    except Problem:
        if table.broken:  # another server was quicker: everybody here is shown where the table really stands
            await hall.find(table.id)
        raise


async def carry_out(hall: Hall, table: Table, person: Person, kind: str, order: Json) -> None:
    """One order."""
    version = order.get("version")
    if version is not None and (not isinstance(version, int) or isinstance(version, bool)):
        raise Problem(400, "bad-message")
    if kind == "chat":
        await say_in_chat(hall, table, person, str(order.get("text", "")))
        return
    try:
        side = table.own_side(person, str(order.get("side", "")))
    except Problem:  # seats that another server gave away are looked up once
        await sitting.refresh_seats(hall, table)
        side = table.own_side(person, str(order.get("side", "")))
    if kind == "dice":
        await dicing.obey(hall, table, person, order)
        return
    if kind == "act":
        verb, target, salt = order.get("verb"), order.get("target", ""), order.get("salt", "")
        if not isinstance(verb, str) or not isinstance(target, str) or not isinstance(salt, str):
            raise Problem(400, "bad-message")
        if version is None:
            raise Problem(400, "version-missing")
        await table.act(person, side, (verb, target), version, salt)
    elif kind == "witness":
        if order.get("go_on") is True:
            await table.go_on_without(person)
        else:
            await table.witness(side, str(order.get("link", "")))
    elif kind == "acts":
        if version is None:
            raise Problem(400, "version-missing")
        await table.act_in_series(side, *series_of(order), version)
    elif kind == "undo":
        to = order.get("to")
        if "to" in order and (not isinstance(to, int) or isinstance(to, bool)):
            raise Problem(400, "bad-message")
        await table.change(version, lambda: undo(table, side, to))
    elif kind == "redo":
        await table.change(version, lambda: table.session.redo(side))
    elif kind == "resign":
        await table.change(None, lambda: table.session.resign(side), ends=True)
    elif kind == "draw":
        await table.change(None, lambda: offer_draw(table, side), ends=True)
    elif kind == "takeback":
        to = order.get("to")
        if not isinstance(to, int) or isinstance(to, bool):
            raise Problem(400, "bad-message")
        await table.change(None, lambda: ask_takeback(table, side, to))
    elif kind == "takeback-answer":
        await table.change(None, lambda: table.session.answer_takeback(side, bool(order.get("agree"))))
    else:
        raise Problem(400, "unknown-order", order=kind[:40])
    hall.wake(table)


def series_of(order: Json) -> tuple[list[Order], str]:
    """The orders of a series, and whether it goes on with the last."""
    said, again = order.get("orders"), order.get("again", "")
    if not isinstance(said, list) or not 0 < len(said) <= MOST_SAID or again not in AGAIN:
        raise Problem(400, "bad-message")
    orders: list[Order] = []
    for one in said:
        if not isinstance(one, list) or len(one) != 2 or not all(isinstance(word, str) for word in one):
            raise Problem(400, "bad-message")
        orders.append((one[0], one[1]))
    return orders, again


def undo(table: Table, side: int, to: int | None) -> None:
    """Take back the last action, or all of one's own down to an entry."""
    session = table.session
    undo_series(session, side, len(session.entries) - 1 if to is None else to)


def ask_takeback(table: Table, side: int, to: int) -> None:
    """Ask; the computer never minds. What counts for the ratings stands."""
    session = table.session
    if table.terms.rated:
        raise Problem(409, "rated-stands")
    session.ask_takeback(side, to)
    for seat in table.seats:
        if seat.kind == "ai" and session.takeback is not None:
            session.answer_takeback(seat.side, True)


def offer_draw(table: Table, side: int) -> None:
    """Offer; the computer plays on."""
    if table.session.result is not None:
        raise IllegalAction(table.session.game.why(table.session.state, side, ("", "")))  # type: ignore[arg-type]
    table.session.offer_draw(side)


async def say_in_chat(hall: Hall, table: Table, person: Person, text: str) -> None:
    """A line of chat, for everybody who may read it."""
    if not table.may_chat(person):
        raise Problem(403, "no-chat")
    text = " ".join(text.split())[:1000]
    if not text:
        raise Problem(422, "empty-chat")
    sides = table.sides_of(person)
    author = person.name or (table.session.game.side_name(sides[0]) if sides else "spectator")
    hall.doors.chat(person.id)
    async with table.lock:
        n = table.chat[-1]["n"] + 1 if table.chat else 1
        at = await hall.run(hall.store.add_chat, table.id, n, author, text)
        line = {"n": n, "author": author, "text": text, "at": at}
        table.add_chat(line)
    table.tell_chat({"type": "chat", **line})
