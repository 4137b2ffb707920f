"""The application: routes, and what is true of every request (limits, origin, cookies, headers, errors)."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import gc
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Any
from urllib.parse import unquote_to_bytes

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grognard.kernel.errors import GrognardError
from grognard.kernel.forgetting import forget_beyond
from grognard.server import confirming
from grognard.server.asking import SAFE
from grognard.server.doors import address_of
from grognard.server.errors import Problem
from grognard.server.figures import Figures
from grognard.server.hall import Hall
from grognard.server.people import COOKIE
from grognard.server.routes import ROUTES
from grognard.server.settings import Settings
from grognard.server.speech import error_json, language
from grognard.server.uptime import BEAT, LOOK
from grognard.server.words import check_words

LOG = logging.getLogger("grognard.server")
FORMS = (confirming.PATH,)  # posted by pages without a script; what they carry is a secret of its own
YEAR = 365 * 24 * 3600
TIDY_EVERY = 900  # seconds
FORGET_EVERY = 20
WRITE_DOWN_EVERY = 30
LARGE = 512 << 10  # bytes from which on a thing is taken from the system by itself; what a socket is read into is less
SPARE = 8 << 20  # free at the end of the heap before it is given back: else it goes and comes with every action
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8  # of <malloc.h>
FORGET_AFTER = 1800  # seconds without anybody, after which a table is left to the store
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


class Doorkeeper:
    """Before a request: limits and origin. After it: the visitor's cookie and the headers."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Plain ASGI, so that websockets and streams pass untouched."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope, receive)
        state = request.app.state

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                state.figures.answers[message["status"]] += 1
                headers = [(k.lower().encode(), v.encode()) for k, v in HEADERS.items()]
                cookie = getattr(request.state, "new_cookie", None)
                if cookie:
                    secure = "; Secure" if state.settings.secure_cookies else ""
                    value = f"{COOKIE}={cookie}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax{secure}"
                    headers.append((b"set-cookie", value.encode()))
                message["headers"] = [*message.get("headers", []), *headers]
            await send(message)

        problem = self.refusal(request)
        if problem is not None:
            await answer_problem(request, problem)(scope, receive, send_with_headers)
            return
        await self.app(scope, receive, send_with_headers)

    def refusal(self, request: Request) -> Problem | None:
        """Why a request is not even looked at."""
        try:
            request.app.state.doors.request(address_of(request))
            check_words(request.scope["path"], unquote_to_bytes(request.scope["query_string"]).decode("latin-1"))
        except Problem as problem:
            return problem
        if request.method in SAFE:
            return None
        origin = request.headers.get("origin")
        if "x-grognard" not in request.headers and request.scope["path"] not in FORMS:
            return Problem(403, "other-origin")
        if origin is not None and origin.split("://", 1)[-1] != request.headers.get("host"):
            return Problem(403, "other-origin")
        return None


def answer_problem(request: Request, error: GrognardError) -> Response:
    """An error as JSON in the asker's language."""
    game = ""
    table = request.app.state.hall.tables.get(request.path_params.get("table_id", ""))
    if table is not None:
        game = table.session.game.name
    lang = language(request.query_params.get("lang"), request.headers.get("accept-language", ""))
    status, body = error_json(error, game, lang)
    return JSONResponse(body, status, {"Retry-After": "30"} if status in (429, 503) else None)


async def on_error(request: Request, error: Exception) -> Response:
    """Ours are explained; HTTP errors keep their status."""
    if isinstance(error, HTTPException):
        code = {404: "no-page", 405: "no-method"}.get(error.status_code, "bad-request")
        return answer_problem(request, Problem(error.status_code, code))
    assert isinstance(error, GrognardError)
    return answer_problem(request, error)


async def on_crash(request: Request, error: Exception) -> Response:
    """A bug: the log has it, the client gets a plain answer."""
    LOG.error("error at %s %s", request.method, request.scope["path"][:200], exc_info=error)
    return JSONResponse({"error": {"code": "internal", "message": "an error on our side; nothing was changed"}}, 500)


async def tick_clocks(hall: Hall) -> None:
    """Look at the time banks once a second, and now and then at those of tables that sleep."""
    beaten = looked = float("-inf")
    running = False
    while True:
        now = hall.uptime.now()
        for table in list(hall.tables.values()):
            if table.clock.bank and table.session.result is None and hall.owns(table):
                running = True
                if table.clock.fallen(table.session.state.waiting, now) is not None:
                    await _try(f"clock of table {table.id}", table.tick)
        if now - looked >= LOOK:
            looked, running = now, bool(await _try("clocks of the store", hall.look_at_clocks))
        if running and now - beaten >= BEAT:
            beaten = now
            await _try("our own time", hall.beat)
        await asyncio.sleep(1)


async def _try(what: str, work: Callable[[], Awaitable[Any]]) -> Any:
    """A chore that fails is logged, and the others are done all the same."""
    try:
        return await work()
    except Exception:
        LOG.exception(what)
        return None


def tend_memory() -> None:
    """For a process that is nothing but this server: no full collection in the middle of a game.

    A full collection over some hundred tables stops everybody for a fifth of a second, and finds next to nothing; it
    is left to `tidy`. The small ones find no more: an action leaves hardly any cycle behind. What was loaded at the
    start is never looked at again.
    """
    keep_few_holes()
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 1_000_000)


def keep_few_holes() -> None:
    """Have the C library (glibc only) take large things from the system one by one, and all threads from one heap.

    Else it learns from the first large thing that is freed to put all such into its heaps, of which each thread has
    one; games and what is remembered of them then leave holes there that nobody can give back.
    """
    with contextlib.suppress(OSError, AttributeError):
        mallopt = ctypes.CDLL(None).mallopt
        for option, value in ((M_ARENA_MAX, 1), (M_MMAP_THRESHOLD, LARGE), (M_TRIM_THRESHOLD, SPARE)):
            mallopt(option, value)


async def tidy() -> None:
    """The full collection that `tend_memory` put off."""
    while True:
        await asyncio.sleep(TIDY_EVERY)
        gc.collect()
        await asyncio.to_thread(hand_back)


async def forget(app: Starlette) -> None:
    """Keep what is remembered for speed within its bytes, and no holes; beside the event loop, which goes on."""
    while True:
        await asyncio.sleep(FORGET_EVERY)
        most = app.state.settings.remembered
        now = await _try("forgetting", partial(asyncio.to_thread, forget_beyond, most)) or 0
        app.state.figures.remembered = now
        await asyncio.to_thread(hand_back)


def hand_back() -> None:
    """Give the system back what the C library keeps for later; elsewhere than with glibc nothing happens."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


async def write_down(hall: Hall) -> None:
    """Keep the chronicles of quiet tables up to date."""
    await _try("chronicles", hall.scribe.write_what_is_missing)
    while True:
        await asyncio.sleep(WRITE_DOWN_EVERY)
        await _try("chronicles", hall.scribe.write_chronicles)
        hall.room.let_rest(hall.thinking, FORGET_AFTER)


def make_app(settings: Settings | None = None) -> Starlette:
    """A server; each has its own hall, nothing is global."""
    settings = settings or Settings()

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        hall = app.state.hall
        await hall.start()
        chores = [asyncio.create_task(chore) for chore in (tick_clocks(hall), tidy(), forget(app), write_down(hall))]
        yield
        for chore in chores:
            chore.cancel()
        await app.state.hall.close()

    handlers: dict[Any, Any] = {GrognardError: on_error, HTTPException: on_error, 500: on_crash}
    middleware = [Middleware(Doorkeeper), Middleware(GZipMiddleware, minimum_size=1000)]
    app = Starlette(routes=ROUTES, lifespan=lifespan, exception_handlers=handlers, middleware=middleware)
    app.state.settings = settings
    app.state.hall = Hall(settings)
    app.state.doors = app.state.hall.doors
    app.state.figures = Figures()
    return app
