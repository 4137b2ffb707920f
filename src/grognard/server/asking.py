"""What every request is asked first: who, where, in which language, and what it carries."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request
from starlette.websockets import WebSocket

from grognard.server import people
from grognard.server.errors import Problem
from grognard.server.hall import Hall
from grognard.server.people import Person
from grognard.server.speech import language
from grognard.server.table import Table


def hall_of(request: Request | WebSocket) -> Hall:
    """The hall of this server."""
    hall: Hall = request.app.state.hall
    return hall


def lang_of(request: Request) -> str:
    """The language of an answer."""
    return language(request.query_params.get("lang"), request.headers.get("accept-language", ""))


async def person_of(request: Request) -> Person:
    """Who asks; a new guest gets a cookie with the answer."""
    if not hasattr(request.state, "person"):
        hall = hall_of(request)
        cookie = request.cookies.get(people.COOKIE)
        request.state.person, new_cookie = await hall.run(people.welcome, hall.store, cookie)
        if new_cookie:
            request.state.new_cookie = new_cookie
    person: Person = request.state.person
    if not request.app.state.per_person.allows(person.id):
        raise Problem(429, "too-many")
    return person


async def body_of(request: Request) -> dict[str, Any]:
    """The JSON object in a request."""
    try:
        data = json.loads(await read_body(request, hall_of(request).settings.largest_body))
    except (ValueError, RecursionError):
        raise Problem(400, "not-json") from None
    if not isinstance(data, dict):
        raise Problem(400, "not-json")
    return data


async def read_body(request: Request, most: int) -> bytes:
    """The body, if it is not too large."""
    parts, size = [], 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > most:
            raise Problem(413, "too-large")
        parts.append(chunk)
    return b"".join(parts)


async def table_of(request: Request) -> Table:
    """The table that the address names."""
    return await hall_of(request).find(request.path_params["table_id"])


def set_cookie(request: Request, cookie: str) -> None:
    """Send a cookie with the answer."""
    request.state.new_cookie = cookie
