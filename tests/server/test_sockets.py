"""What is pushed to a client leaves in one piece; a client that does not read is sent away."""

from __future__ import annotations

from typing import Any

from grognard.server.sockets import FARTHEST, PushSocket


class Wire:
    """A transport that keeps what it is given."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.behind = 0
        self.aborted = False

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def is_closing(self) -> bool:
        return self.aborted

    def get_write_buffer_size(self) -> int:
        return self.behind

    def abort(self) -> None:
        self.aborted = True


class Later:
    """As much of an event loop as a push needs."""

    def __init__(self) -> None:
        self.calls: list[Any] = []

    def call_soon(self, call: Any) -> None:
        self.calls.append(call)

    def turn(self) -> None:
        calls, self.calls = self.calls, []
        for call in calls:
            call()


class Frames:
    """As much of a websocket as a push needs: no headers."""

    def __init__(self) -> None:
        self.waiting: list[bytes] = []

    def send_text(self, text: bytes) -> None:
        self.waiting.append(text)

    def data_to_send(self) -> list[bytes]:
        found, self.waiting = self.waiting, []
        return found


def socket() -> tuple[PushSocket, Wire, Later]:
    made = PushSocket.__new__(PushSocket)
    wire, loop = Wire(), Later()
    made.transport, made.loop, made.conn = wire, loop, Frames()  # type: ignore[assignment]
    made.close_sent = made.disconnected = False
    return made, wire, loop


def test_what_one_moment_brings_leaves_in_one_piece() -> None:
    made, wire, loop = socket()
    assert made.push(b"update")
    assert made.push(b"done")
    loop.turn()
    assert made.push(b"chat")
    loop.turn()
    assert wire.written == [b"updatedone", b"chat"]


def test_a_client_that_does_not_read_is_sent_away() -> None:
    made, wire, loop = socket()
    assert made.push(b"one")
    wire.behind = FARTHEST + 1
    loop.turn()
    assert wire.aborted
    assert not made.push(b"two")
    loop.turn()
    assert wire.written == [b"one"]
