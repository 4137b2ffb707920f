"""Webhooks: an address is looked up once, checked, and then called at that very address.

A name that is looked up again after the check may by then point into our own network; so it is not. Looking up has
threads of its own: a slow resolver makes nobody wait but those who want to call.
"""

from __future__ import annotations

import asyncio
import http
import ipaddress
import json
import socket
import ssl
import urllib.error
from concurrent.futures import ThreadPoolExecutor
from email.message import Message
from typing import Any
from urllib.parse import SplitResult, urlsplit

from grognard.server.errors import Problem

PATIENCE = 10.0  # seconds for all of a call
LOOKING_UP = 5.0
WORLD = ipaddress.ip_network("2000::/3")  # the part of IPv6 that is given out
NOT_WORLD = [ipaddress.ip_network(n) for n in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")]
RELAYS = ipaddress.ip_network("192.88.99.0/24")
PLAIN_PORTS = (80, 443)


def is_public(address: str) -> bool:
    """True for an address of the open Internet: nothing local, mapped, translated, tunnelled or reserved."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        return found in WORLD and not any(found in net for net in NOT_WORLD)
    return found.is_global and not (found.is_multicast or found.is_reserved or found in RELAYS)


def parts_of(target: str) -> SplitResult:
    """A target taken apart, if it is one that can be called."""
    if not target.isascii() or not target.isprintable() or " " in target:
        raise Problem(422, "bad-webhook")
    try:
        parts = urlsplit(target)
        port = parts.port or 443
    except ValueError:
        raise Problem(422, "bad-webhook") from None
    if parts.scheme not in ("https", "http") or not parts.hostname or "@" in parts.netloc:
        raise Problem(422, "bad-webhook")
    if port not in PLAIN_PORTS and port < 1024:
        raise Problem(422, "bad-webhook")
    return parts


class Caller:
    """Calls webhooks."""

    def __init__(self, allow_local: bool) -> None:
        self.allow_local = allow_local
        self.resolvers = ThreadPoolExecutor(4, thread_name_prefix="resolver")

    def close(self) -> None:
        """Wait for no resolver."""
        self.resolvers.shutdown(wait=False, cancel_futures=True)

    async def check(self, target: str) -> tuple[SplitResult, str, int]:
        """A target, with the address and the port to call it at; refused unless every address it has is public."""
        parts = parts_of(target)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        loop = asyncio.get_running_loop()
        looking = loop.run_in_executor(self.resolvers, self.look_up, str(parts.hostname), port)
        try:
            found = await asyncio.wait_for(looking, LOOKING_UP)
        except (OSError, UnicodeError, TimeoutError) as error:
            raise Problem(422, "bad-webhook") from error
        if not found or not (self.allow_local or all(map(is_public, found))):
            raise Problem(422, "bad-webhook")
        return parts, found[0], port

    def look_up(self, host: str, port: int) -> list[str]:
        """The addresses of a host; blocks."""
        return [str(entry[4][0]) for entry in socket.getaddrinfo(host, port, proto=socket.IPPROTO_TCP)]

    async def call(self, target: str, message: dict[str, Any]) -> str:
        """Post a message; how it went, or an OSError."""
        parts, address, port = await self.check(target)
        body = json.dumps(message).encode()
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        head = [f"POST {path} HTTP/1.1", f"Host: {parts.netloc}", "Content-Type: application/json"]
        head += [f"Content-Length: {len(body)}", "User-Agent: grognard", "Connection: close", "", ""]
        async with asyncio.timeout(PATIENCE):  # a TimeoutError is an OSError
            safe = ssl.create_default_context() if parts.scheme == "https" else None
            name = parts.hostname if safe else None
            reader, writer = await asyncio.open_connection(address, port, ssl=safe, server_hostname=name, limit=4096)
            try:
                writer.write("\r\n".join(head).encode() + body)
                answer = await reader.readline()
            except ValueError as error:
                raise OSError("no answer that we understand") from error
            finally:
                writer.close()
        words = answer.split(maxsplit=2)
        if len(words) < 2 or not words[0].startswith(b"HTTP/") or not words[1].isdigit():
            raise OSError("no answer that we understand")
        status = int(words[1])
        if 200 <= status < 300:
            return f"sent: {status}"
        known = {s.value: s.phrase for s in http.HTTPStatus}
        raise urllib.error.HTTPError("", status, known.get(status, "?"), Message(), None)
