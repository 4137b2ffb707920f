"""The HTTP of uvicorn with a watch in its hand: who takes too long to ask, or asks too much at once, is sent away.

Uvicorn closes idle connections between two requests, but waits for ever for a request that began and never ends.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_SECONDS = 15.0  # from the first byte (or the connection) to the end of the headers
ANSWER_SECONDS = 180.0  # from there to the end of the answer, however slowly it is read
LARGEST_HEAD = 32 * 1024
KEEP_ALIVE = 75  # seconds between two requests; longer than a proxy keeps one (nginx 60), or it asks a closed door
GRACE = 0.2  # seconds: what came while the server was busy is read before the connection is called idle


class PatientHttp(HttpToolsProtocol):
    """One connection."""

    watch: asyncio.TimerHandle | None = None
    head = 0  # bytes of headers so far

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to count."""
        super().connection_made(transport)
        self._allow(HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing to wait for."""
        self._allow(None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """A new request begins, or goes on."""
        if self.watch is None:
            self._allow(HEAD_SECONDS)
        super().data_received(data)

    def on_message_begin(self) -> None:
        """Its headers come."""
        self.head = 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Count them."""
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count them."""
        self._count(len(name) + len(value))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """From here on the answer is awaited."""
        self._allow(ANSWER_SECONDS)
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        """Between two requests uvicorn itself looks at the time."""
        self._allow(None)
        super().on_response_complete()

    def timeout_keep_alive_handler(self) -> None:
        """Nothing was asked for a while: look once more, for the request may lie there unread.

        To close then would reset the connection under a request that was sent in time.
        """
        self.timeout_keep_alive_task = self.loop.call_later(GRACE, super().timeout_keep_alive_handler)

    def handle_websocket_upgrade(self) -> None:
        """A websocket stays as long as it likes."""
        self._allow(None)
        super().handle_websocket_upgrade()

    def _count(self, more: int) -> None:
        self.head += more
        if self.head > LARGEST_HEAD:
            raise ValueError("too many headers")  # the parser says 400

    def _allow(self, seconds: float | None) -> None:
        if self.watch is not None:
            self.watch.cancel()
        self.watch = None if seconds is None else self.loop.call_later(seconds, self._send_away)

    def _send_away(self) -> None:
        self.watch = None
        transport: Any = self.transport
        transport.abort()
