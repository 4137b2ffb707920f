"""The websocket of uvicorn with a short way out: what is pushed needs no task, no queue, and leaves in one piece.

And a short way in for what nearly every message is: one whole piece of text that arrives at once.

A table pushes three small messages for every action, to sockets that nearly always can take them. Through ASGI each
costs a task, four layers of calls and a call of the system, which together cost more than the rules of a small game.
"""

from __future__ import annotations

from asyncio import AbstractEventLoop, Future
from collections import deque
from struct import Struct
from time import monotonic
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, apply_mask  # type: ignore[attr-defined]
from websockets.http11 import Request
from websockets.protocol import OPEN
from websockets.streams import StreamReader

PUSH = "grognard.push"  # the name of the short way among the ASGI extensions
PULL = "grognard.pull"  # and of the way in: what `receive` is before the layers of the application
TEXT, WHOLE, MIDDLE, LONG = (
    0x81,
    b"\x81",
    Struct("!BBH"),
    Struct("!BBQ"),
)  # a whole message of text, and how the longer ones begin
FARTHEST = 1 << 20  # bytes that a slow client may be behind before it is sent away, to come back and start anew
ALL_BEHIND = 64 << 20  # the same of all clients together; then who is more than a little behind is sent away
LITTLE = FARTHEST >> 5
WAITING = 16  # messages of one client that may wait before no more of them are read
PIECES = 64  # pieces in which a message may come: empty ones weigh nothing on the wire, and here
BEATS, BEATS_A_SECOND = 60, 2.0  # pings and pongs that a client may send at once, and after that
BETWEEN = StreamReader.at_eof.__code__  # where the parser waits between two frames


class Mail:
    """What has come for one reader: no more than that, where the queue of asyncio is for many."""

    __slots__ = ("letters", "loop", "waiting")

    def __init__(self, loop: AbstractEventLoop) -> None:
        self.loop = loop
        self.letters: deque[Any] = deque()
        self.waiting: Future[None] | None = None

    def put_nowait(self, letter: Any) -> None:
        """Leave something."""
        self.letters.append(letter)
        if self.waiting is not None and not self.waiting.done():
            self.waiting.set_result(None)

    async def get(self) -> Any:
        """Wait for the next."""
        while not self.letters:
            self.waiting = self.loop.create_future()
            try:
                await self.waiting
            finally:
                self.waiting = None
        return self.letters.popleft()

    def empty(self) -> bool:
        """True if nothing is left."""
        return not self.letters

    def qsize(self) -> int:
        """How much is left."""
        return len(self.letters)


class PushSocket(WebSocketsSansIOProtocol):
    """One websocket."""

    leaving = False  # something was pushed and is about to leave
    pushed = 0  # bytes of it
    behind = 0  # bytes that the client had not read when something left last
    all_behind = 0  # of all clients
    beats, beaten = float(BEATS), 0.0  # what is left of them, and since when

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.queue = Mail(self.loop)  # type: ignore[assignment]

    def data_received(self, data: bytes) -> None:
        """What nearly always comes, one whole message, goes by the short way; all else as ever."""
        text = self.whole_text(data)
        if text is None:
            super().data_received(data)
            return
        self.curr_msg_data_type, self.frames = "text", [text]
        self.send_receive_event_to_app()

    def whole_text(self, data: bytes) -> bytes | None:
        """The text of a message that is just this, in one piece (RFC 6455, 5.2); None if it is anything else."""
        conn = self.conn
        if data[:1] != WHOLE or conn.state is not OPEN or conn.extensions or conn.current_size is not None:
            return None
        waits: Any = conn.parser
        while (inner := waits.gi_yieldfrom) is not None:
            waits = inner
        if waits.gi_code is not BETWEEN or len(data) < 6:
            return None  # in the midst of a frame
        length, start = data[1] - 128, 6
        if length == 126:
            length, start = int.from_bytes(data[2:4], "big"), 8
        if length < 0 or len(data) != start + length or length > (conn.max_message_size or length):
            return None
        return apply_mask(data[start:], data[start - 4 : start])

    def handle_connect(self, event: Request) -> None:
        """Offer the short way to the application."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope["extensions"][PUSH] = self.push  # type: ignore[assignment]
            self.scope["extensions"][PULL] = self.receive  # type: ignore[assignment]

    def push(self, text: bytes) -> bool:
        """Send a message, together with what else this moment brings; False if the client is gone or was sent away."""
        conn = self.conn
        if self.close_sent or self.disconnected or conn.state is not OPEN or self.transport.is_closing():
            return False
        if self.pushed > FARTHEST:
            self.transport.abort()
            return False
        self.pushed += len(text)
        if conn.extensions:
            conn.send_text(text)
        else:
            conn.writes += (head_of(len(text)), text)  # the same bytes, without an object for each
        if not self.leaving:
            self.leaving = True
            self.loop.call_soon(self.leave)
        return True

    def leave(self) -> None:
        """Hand over what was pushed: one call of the system for all of it (the transport itself writes at once)."""
        self.leaving, self.pushed = False, 0
        self.transport.write(b"".join(self.conn.data_to_send()))
        behind = self.transport.get_write_buffer_size()
        if behind or self.behind:
            self.count(behind)
            if behind > FARTHEST or (behind > LITTLE and PushSocket.all_behind > ALL_BEHIND):
                self.transport.abort()

    def count(self, behind: int) -> None:
        """So much has this client not read."""
        PushSocket.all_behind += behind - self.behind
        self.behind = behind

    def connection_lost(self, exc: Exception | None) -> None:
        """What was not read never will be."""
        self.count(0)
        super().connection_lost(exc)

    def handle_cont(self, event: Frame) -> None:
        """A piece of a message; who sends too many is sent away."""
        if len(self.frames) >= PIECES:
            self.transport.abort()
            return
        super().handle_cont(event)

    def handle_ping(self) -> None:
        """Answered, as often as anybody needs it."""
        if self.may_beat():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """The same of answers that nobody asked for."""
        if self.may_beat():
            super().handle_pong(event)

    def may_beat(self) -> bool:
        """Take one of the pings that are allowed; without any left the client is sent away. No message counts these."""
        now = monotonic()
        self.beats = min(float(BEATS), self.beats + (now - self.beaten) * BEATS_A_SECOND) - 1
        self.beaten = now
        if self.beats >= 0:
            return True
        self.transport.abort()
        return False

    def send_receive_event_to_app(self) -> None:
        """To stop and start reading around each message costs two calls of the system; here only a flood does."""
        if self.read_paused or self.queue.qsize() >= WAITING:
            super().send_receive_event_to_app()
            return
        self.read_paused = True  # as if: then it is not done
        try:
            super().send_receive_event_to_app()
        finally:
            self.read_paused = False


def head_of(length: int) -> bytes:
    """The bytes before a message of text, from a server (RFC 6455, 5.2)."""
    if length < 126:
        return bytes((TEXT, length))
    return MIDDLE.pack(TEXT, 126, length) if length < 65536 else LONG.pack(TEXT, 127, length)
