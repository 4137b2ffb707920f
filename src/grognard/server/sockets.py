"""The websocket of uvicorn with a short way out: what is pushed needs no task, no queue, and leaves in one piece.

A table pushes three small messages for every action, to sockets that nearly always can take them. Through ASGI each
costs a task, four layers of calls and a call of the system, which together cost more than the rules of a small game.
"""

from __future__ import annotations

from struct import Struct
from time import monotonic

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import OPEN

PUSH = "grognard.push"  # the name of the short way among the ASGI extensions
PULL = "grognard.pull"  # and of the way in: what `receive` is before the layers of the application
TEXT, MIDDLE, LONG = 0x81, Struct("!BBH"), Struct("!BBQ")  # a whole message of text, and how the longer ones begin
FARTHEST = 1 << 20  # bytes that a slow client may be behind before it is sent away, to come back and start anew
WAITING = 16  # messages of one client that may wait before no more of them are read
PIECES = 64  # pieces in which a message may come: empty ones weigh nothing on the wire, and here
BEATS, BEATS_A_SECOND = 60, 2.0  # pings and pongs that a client may send at once, and after that


class PushSocket(WebSocketsSansIOProtocol):
    """One websocket."""

    leaving = False  # something was pushed and is about to leave
    beats, beaten = float(BEATS), 0.0  # what is left of them, and since when

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
        self.leaving = False
        self.transport.write(b"".join(self.conn.data_to_send()))
        if self.transport.get_write_buffer_size() > FARTHEST:
            self.transport.abort()

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
