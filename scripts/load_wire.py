"""The client's end of a websocket for `load.py`: it costs next to nothing, so that the server has the processor.

A driver that takes more processor than the server measures itself: the server idles between two actions, and each then
finds cold caches. So nothing is looked at here but where a message ends (RFC 6455, 5.2); servers do not mask.
"""

from __future__ import annotations

import asyncio
import base64
import os
from collections.abc import Callable

TEXT, CLOSE, PING, PONG = 0x81, 0x88, 0x89, 0x8A
UNMASKED = bytes(4)  # a mask that changes nothing


class Refused(Exception):
    """No handshake, and what was said instead."""


class Wire(asyncio.Protocol):
    """One websocket; `heard` is called with every message, and with None at the end."""

    def __init__(self, heard: Callable[[bytes | None], None]) -> None:
        self.heard, self.waiting, self.open = heard, bytearray(), False
        self.begun: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @classmethod
    async def to(cls, port: int, path: str, cookie: str, heard: Callable[[bytes | None], None]) -> Wire:
        """Connect and shake hands."""
        _, wire = await asyncio.get_running_loop().create_connection(lambda: cls(heard), "127.0.0.1", port)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Upgrade: websocket", "Connection: Upgrade"]
        lines += [f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", f"Cookie: grognard={cookie}", "", ""]
        wire.transport.write("\r\n".join(lines).encode())
        await asyncio.wait_for(wire.begun, 120)
        return wire

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember the way out."""
        self.transport: asyncio.Transport = transport  # type: ignore[assignment]

    def connection_lost(self, _: Exception | None) -> None:
        """The end."""
        self.open = False
        if self.begun.done():
            self.heard(None)
        else:
            self.begun.set_exception(Refused(bytes(self.waiting[:60]).decode("latin-1")))

    def data_received(self, data: bytes) -> None:
        """Cut what came into messages."""
        self.waiting += data
        if not self.open:
            head, end, rest = self.waiting.partition(b"\r\n\r\n")
            if not end or not head.startswith(b"HTTP/1.1 101"):
                if end:
                    self.transport.close()
                return
            self.waiting, self.open = rest, True
            self.begun.set_result(None)
        while (message := self.next()) is not None:
            kind, text = message
            if kind == TEXT:
                self.heard(text)
            elif kind == PING:
                self.post(PONG, text)
            elif kind == CLOSE:
                self.transport.close()

    def next(self) -> tuple[int, bytes] | None:
        """The next message, if all of it is there."""
        data = self.waiting
        if len(data) < 2:
            return None
        length, start = data[1], 2
        if length > 125:
            start = 4 if length == 126 else 10
            length = int.from_bytes(data[2:start], "big")
        if len(data) < max(start, start + length):
            return None
        message = data[0], bytes(data[start : start + length])
        del data[: start + length]
        return message

    def send(self, text: bytes) -> bool:
        """Say something; False if nobody is there any more."""
        return self.post(TEXT, text)

    def post(self, kind: int, text: bytes) -> bool:
        """Send a message of a kind."""
        if not self.open:
            return False
        size = len(text)
        head = bytes((kind, 128 + size)) if size < 126 else bytes((kind, 254)) + size.to_bytes(2, "big")
        self.transport.write(head + UNMASKED + text)
        return True

    def close(self) -> None:
        """Leave."""
        self.transport.close()
