"""The short way out of a websocket: real uvicorn, real websockets, a wire of our own.

`PushSocket` leans on the inside of uvicorn. If these tests fail after uvicorn was changed, read
`grognard/server/sockets.py` beside the new `uvicorn/protocols/websockets/websockets_sansio_impl.py`.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from uvicorn.config import Config
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.uri import parse_uri

from grognard.server import sockets
from grognard.server.sockets import BEATS, FARTHEST, PIECES, PUSH, WAITING, PushSocket

Push = Callable[[bytes], bool]
Play = Callable[["Wire", PushSocket, ClientProtocol, list[Any]], Awaitable[None]]


class Wire:
    """A transport that keeps what it is given."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.behind = 0
        self.closed = self.aborted = self.paused = False

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def is_closing(self) -> bool:
        return self.closed or self.aborted

    def get_write_buffer_size(self) -> int:
        return self.behind

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return default

    def pause_reading(self) -> None:
        self.paused = True

    def resume_reading(self) -> None:
        self.paused = False

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.aborted = True


def play(scene: Play) -> None:
    """Open a websocket to an application that takes no message until it is told to, then play a scene with it."""

    async def run() -> None:
        read: list[Any] = []

        async def app(scope: Any, receive: Any, send: Any) -> None:
            await receive()
            await send({"type": "websocket.accept"})
            read.extend((scope["extensions"][PUSH], receive))
            await asyncio.Event().wait()  # to the end of the scene

        config = Config(app, ws=PushSocket, ws_per_message_deflate=False, lifespan="off")
        config.load()
        socket = PushSocket(config, ServerState(), {}, asyncio.get_running_loop())
        wire, client = Wire(), ClientProtocol(parse_uri("ws://table/"))
        socket.connection_made(wire)  # type: ignore[arg-type]
        client.send_request(client.connect())
        say(client, socket)
        for _ in range(20):
            await asyncio.sleep(0)
        hear(client, wire)
        await scene(wire, socket, client, read)

    with ThreadPoolExecutor(1) as thread:  # this thread may have a loop already: the browser's
        thread.submit(lambda: asyncio.run(run())).result()


def say(client: ClientProtocol, socket: PushSocket) -> None:
    socket.data_received(b"".join(client.data_to_send()))


def hear(client: ClientProtocol, wire: Wire) -> list[str]:
    """The messages that reached the client."""
    data, wire.written = b"".join(wire.written), []
    client.receive_data(data)
    found = [e for e in client.events_received() if isinstance(e, Frame)]
    return [bytes(frame.data).decode() for frame in found if frame.opcode is Opcode.TEXT]


def test_uvicorn_still_has_what_a_push_socket_leans_on() -> None:
    for name in ("handle_connect", "send_receive_event_to_app", "handle_cont", "handle_ping", "handle_pong", "receive"):
        assert callable(getattr(WebSocketsSansIOProtocol, name, None)), f"uvicorn has no {name} any more"

    async def scene(wire: Wire, socket: PushSocket, client: ClientProtocol, read: list[Any]) -> None:
        for name in ("scope", "conn", "transport", "queue", "close_sent", "disconnected", "read_paused"):
            assert hasattr(socket, name), f"the websocket of uvicorn has no {name} any more"
        assert read, "the application was offered the short way"

    play(scene)


def test_what_one_moment_brings_leaves_in_one_piece() -> None:
    async def scene(wire: Wire, socket: PushSocket, client: ClientProtocol, read: list[Any]) -> None:
        push: Push = read[0]
        long = "é" * 40_000
        assert all(push(text.encode()) for text in ("update", long, "done"))
        await asyncio.sleep(0)
        assert push(b"chat")
        await asyncio.sleep(0)
        assert len(wire.written) == 2
        assert hear(client, wire) == ["update", long, "done", "chat"]

    play(scene)


def test_a_client_that_does_not_read_is_sent_away() -> None:
    async def scene(wire: Wire, socket: PushSocket, client: ClientProtocol, read: list[Any]) -> None:
        push: Push = read[0]
        wire.behind = FARTHEST + 1
        assert push(b"one")
        await asyncio.sleep(0)
        assert wire.aborted
        assert not push(b"two")
        assert hear(client, wire) == ["one"]

    play(scene)


@pytest.mark.parametrize("way", ["closing", "gone"])
def test_nothing_is_pushed_to_who_has_left(way: str) -> None:
    async def scene(wire: Wire, socket: PushSocket, client: ClientProtocol, read: list[Any]) -> None:
        push: Push = read[0]
        if way == "closing":
            client.send_close(1000)
            say(client, socket)
        else:
            socket.connection_lost(None)
        wire.written.clear()
        assert not push(b"late")
        await asyncio.sleep(0)
        assert wire.written == []

    play(scene)


def test_only_a_flood_stops_the_reading() -> None:
    async def scene(wire: Wire, socket: PushSocket, client: ClientProtocol, read: list[Any]) -> None:
        receive = read[1]
        for number in range(WAITING + 1):
            assert not wire.paused, f"{number} messages wait"
            client.send_text(str(number).encode())
            say(client, socket)
        assert wire.paused
        found = [(await receive())["text"] for _ in range(WAITING + 1)]
        assert found == [str(number) for number in range(WAITING + 1)]
        assert not wire.paused

    play(scene)


def test_a_message_in_endless_pieces_is_given_up() -> None:
    """Empty pieces cost six bytes on the wire and ten times that here, and no limit of size ever ends them."""

    async def scene(wire: Wire, socket: PushSocket, client: ClientProtocol, read: list[Any]) -> None:
        client.send_text(b"", fin=False)
        for _ in range(PIECES * 2):
            client.send_continuation(b"", fin=False)
        say(client, socket)
        assert wire.aborted
        assert len(socket.frames) <= PIECES

    play(scene)


def test_pings_are_answered_but_not_without_end() -> None:
    async def scene(wire: Wire, socket: PushSocket, client: ClientProtocol, read: list[Any]) -> None:
        for number in range(BEATS // 2):
            client.send_ping(str(number).encode())
        say(client, socket)
        assert not wire.aborted
        client.receive_data(b"".join(wire.written))
        assert len([e for e in client.events_received() if e.opcode is Opcode.PONG]) == BEATS // 2  # type: ignore[union-attr]
        for number in range(BEATS):
            client.send_pong(str(number).encode())
        say(client, socket)
        assert wire.aborted

    play(scene)


def frame(head: int, data: bytes, mask: bool = True, long: bool = False) -> bytes:
    """A frame as a client may send it, right or wrong."""
    bit = 128 if mask else 0
    wide = long or len(data) > 125
    size = bytes((bit | 126,)) + len(data).to_bytes(2, "big") if wide else bytes((bit | len(data),))
    key = b"\x11\x92\x23\x84" if mask else b""
    return bytes((head,)) + size + key + (bytes(b ^ key[i % 4] for i, b in enumerate(data)) if mask else data)


ODD = [
    frame(0x81, b""),
    frame(0x81, "déjà".encode()),
    frame(0x81, b"x" * 125),
    frame(0x81, b"y" * 300),
    frame(0x81, b"z", long=True),
    frame(0x01, b"a") + frame(0x00, b"b") + frame(0x80, b"c"),
    frame(0x01, b"a") + frame(0x89, b"now") + frame(0x80, b"c"),
    frame(0x82, b"bytes"),
    frame(0x89, b"ping"),
    frame(0x8A, b"pong"),
    frame(0x81, b"two") + frame(0x81, b"at once"),
]
WRONG = [
    frame(0x81, b"\xff\xfe"),  # no text
    frame(0x81, b"open", mask=False),
    frame(0xC1, b"reserved"),
    frame(0x80, b"nothing to go on with"),
    frame(0x01, b"begun") + frame(0x81, b"and another"),
    frame(0x81, b"t" * 2001),
    frame(0x88, b"\x03\xe8bye") + frame(0x81, b"late"),
]


def heard(kind: type[WebSocketsSansIOProtocol], pieces: list[bytes]) -> tuple[list[Any], bytes, bool]:
    """What an application and the wire get of what a client sends."""
    found: list[Any] = []

    async def run() -> None:
        async def app(scope: Any, receive: Any, send: Any) -> None:
            await receive()
            await send({"type": "websocket.accept"})
            while True:
                found.append(await receive())

        config = Config(app, ws=kind, ws_per_message_deflate=False, ws_max_size=2000, lifespan="off")
        config.load()
        socket = kind(config, ServerState(), {}, asyncio.get_running_loop())
        wire, client = Wire(), ClientProtocol(parse_uri("ws://table/"))
        socket.connection_made(wire)  # type: ignore[arg-type]
        client.send_request(client.connect())
        socket.data_received(b"".join(client.data_to_send()))
        for _ in range(20):
            await asyncio.sleep(0)
        wire.written.clear()
        for piece in pieces:
            if not wire.is_closing():
                socket.data_received(piece)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        found.append((b"".join(wire.written), wire.is_closing()))

    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(run())).result()
    *messages, (written, closed) = [m for m in found if m != {"type": "websocket.disconnect"}]
    return messages, written, closed


@pytest.mark.filterwarnings("ignore")
def test_the_short_way_in_takes_what_the_long_way_takes() -> None:
    """Frames right and wrong, whole, together and cut anywhere: as with uvicorn's own websocket."""
    luck = random.Random(5)
    for number in range(120):
        sent = luck.choices(ODD, k=luck.randint(1, 6)) + ([luck.choice(WRONG)] if number % 2 else [])
        pieces = []
        for data in sent:
            cut = luck.randint(1, len(data)) if luck.random() < 0.4 else len(data)
            pieces += [part for part in (data[:cut], data[cut:]) if part]
        assert heard(PushSocket, pieces) == heard(WebSocketsSansIOProtocol, pieces), sent


def test_a_whole_message_goes_by_the_short_way() -> None:
    """Else nothing would be wrong, only slower: something in websockets has another name now."""

    async def scene(wire: Wire, socket: PushSocket, client: ClientProtocol, read: list[Any]) -> None:
        for text in ("", "act", "ä" * 100, "x" * 60_000):
            client.send_text(text.encode())
            data = b"".join(client.data_to_send())
            assert socket.whole_text(data) == text.encode()
            assert socket.whole_text(data[:-1]) is None
            assert socket.whole_text(data + b"x") is None
        socket.data_received(data[:3])
        assert socket.whole_text(data) is None, "it is in the midst of one"

    play(scene)


def test_all_who_do_not_read_may_be_only_so_far_behind_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each may be a megabyte behind; thousands at once would fill the memory."""
    monkeypatch.setattr(sockets, "ALL_BEHIND", 3 * FARTHEST)
    monkeypatch.setattr(PushSocket, "all_behind", 3 * FARTHEST - 10)  # of others

    async def scene(wire: Wire, socket: PushSocket, client: ClientProtocol, read: list[Any]) -> None:
        push: Push = read[0]
        for behind in (0, sockets.LITTLE, 9):
            wire.behind = behind
            assert push(b"one")
            await asyncio.sleep(0)
            assert not wire.aborted, f"{behind} bytes are no reason"
        assert PushSocket.all_behind == 3 * FARTHEST - 1
        wire.behind = sockets.LITTLE + 1
        assert push(b"two")
        await asyncio.sleep(0)
        assert wire.aborted
        socket.connection_lost(None)
        assert PushSocket.all_behind == 3 * FARTHEST - 10, "what is gone is not behind"

    play(scene)


def test_one_moment_brings_only_so_much() -> None:
    """Whole tables asked for by dozens at once were gathered before the first was weighed."""

    async def scene(wire: Wire, socket: PushSocket, client: ClientProtocol, read: list[Any]) -> None:
        push: Push = read[0]
        assert push(b"x" * (FARTHEST + 1)), "one message may be as long as it must"
        assert not push(b"y")
        assert wire.aborted

    play(scene)
