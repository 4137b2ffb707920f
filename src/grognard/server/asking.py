"""What every request is asked first: who, where, in which language, and what it carries."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from starlette.requests import Request
from starlette.websockets import WebSocket

from grognard.server import people
from grognard.server.doors import Doors, address_of
from grognard.server.errors import Problem
from grognard.server.hall import Hall
from grognard.server.old import OldTable
from grognard.server.people import Person
from grognard.server.speech import language
from grognard.server.table import Table
from grognard.server.words import check_words

SAFE = ("GET", "HEAD", "OPTIONS")


def hall_of(request: Request | WebSocket) -> Hall:
    """The hall of this server."""
    hall: Hall = request.app.state.hall
    return hall


def doors_of(request: Request | WebSocket) -> Doors:
    """The doors of this server."""
    doors: Doors = request.app.state.doors
    return doors


def lang_of(request: Request) -> str:
    """The language of an answer."""
    return language(request.query_params.get("lang"), request.headers.get("accept-language", ""))


async def person_of(request: Request) -> Person:
    """Who asks. A new guest gets a cookie with the answer, and is written down once it does something."""
    hall, doors = hall_of(request), doors_of(request)
    if not hasattr(request.state, "person"):
        token = people.bearer(request.headers.get("authorization"))
        person, known, cookie = await hall.run(
            people.recognise, hall.store, token or request.cookies.get(people.COOKIE)
        )
        if token and not known:
            raise Problem(401, "bad-token")
        if not known and request.method not in SAFE:
            doors.visitor(address_of(request))
            await hall.run(hall.store.add_visitor, person.id, people.hashed(cookie))
        if not known:
            request.state.new_cookie = cookie
        request.state.person = person
    found: Person = request.state.person
    doors.message(found.id)
    return found


async def body_of(request: Request) -> dict[str, Any]:
    """The JSON object in a request."""
    try:
        data = json.loads(await read_body(request, hall_of(request).settings.largest_body))
    except (ValueError, RecursionError):
        raise Problem(400, "not-json") from None
    if not isinstance(data, dict):
        raise Problem(400, "not-json")
    check_words(data)
    return data


async def read_body(request: Request, most: int) -> bytes:
    """The body, if it is not too large and comes soon."""
    parts, size = [], 0
    try:
        async with asyncio.timeout(hall_of(request).settings.slowest_body):
            async for chunk in request.stream():
                size += len(chunk)
                if size > most:
                    raise Problem(413, "too-large")
                parts.append(chunk)
    except TimeoutError:
        raise Problem(408, "too-slow") from None
    return b"".join(parts)


async def table_of(request: Request) -> Table:
    """The table that the address names."""
    return await hall_of(request).find(request.path_params["table_id"])


async def any_table_of(request: Request) -> Table | OldTable:
    """The same, also if it can only be looked at."""
    return await hall_of(request).find_any(request.path_params["table_id"])


def set_cookie(request: Request, cookie: str) -> None:
    """Send a cookie with the answer."""
    request.state.new_cookie = cookie


def text_field(body: dict[str, Any], key: str) -> str:
    """A string out of a request."""
    value = body.get(key, "")
    if not isinstance(value, str):
        raise Problem(400, "bad-message")
    return value
