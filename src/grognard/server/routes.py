"""The requests of docs/protocol.md, each a few lines: read, check, ask the hall, answer."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from grognard.games import find_game
from grognard.kernel.gamefile import from_json, from_session, from_text, to_json, to_text, verify
from grognard.kernel.record import REFEREE
from grognard.server import files, people
from grognard.server.asking import body_of, hall_of, lang_of, person_of, read_body, set_cookie, table_of
from grognard.server.errors import Problem
from grognard.server.live import Connection, perform
from grognard.server.messages import past_message, state_message, with_titles
from grognard.server.notices import check_webhook
from grognard.server.people import Person
from grognard.server.speech import language, refusal_json

# People


async def who_am_i(request: Request) -> Response:
    """The visitor, and how it wants to be told."""
    person, hall = await person_of(request), hall_of(request)
    wish = await hall.run(hall.store.notice_wish, person.id) or {"email": "", "webhook": "", "language": "en"}
    sent = await hall.run(hall.store.sent, person.id)
    notices = {key: wish[key] for key in ("email", "webhook", "language")}
    log = [{key: row[key] for key in ("table_id", "how", "status", "at")} for row in sent]
    return JSONResponse({"name": person.name, "guest": person.is_guest, "notices": notices, "sent": log})


def limit_logins(request: Request) -> None:
    """Passwords are not for guessing."""
    if not request.app.state.logins.allows(request.client.host if request.client else ""):
        raise Problem(429, "too-many")


def text_field(body: dict[str, Any], key: str) -> str:
    """A string out of a request."""
    value = body.get(key, "")
    if not isinstance(value, str):
        raise Problem(400, "bad-message")
    return value


async def open_account(request: Request) -> Response:
    """A name and a password for a guest."""
    person, hall, body = await person_of(request), hall_of(request), await body_of(request)
    limit_logins(request)
    name, password = text_field(body, "name"), text_field(body, "password")
    set_cookie(request, await hall.run(people.open_account, hall.store, person, name, password))
    for table in hall.tables.values():
        for seat in table.seats:
            if seat.person == person.id:
                account = await hall.run(hall.store.account, " ".join(name.split()).casefold())
                seat.person, seat.name = account["id"], account["name"]
    return JSONResponse({"name": " ".join(name.split())})


async def log_in(request: Request) -> Response:
    """Come back to an account."""
    person, hall, body = await person_of(request), hall_of(request), await body_of(request)
    limit_logins(request)
    name, password = text_field(body, "name"), text_field(body, "password")
    set_cookie(request, await hall.run(people.log_in, hall.store, person, name, password))
    return JSONResponse({"name": name})


async def log_out(request: Request) -> Response:
    """Be a guest again."""
    person, hall = await person_of(request), hall_of(request)
    set_cookie(request, await hall.run(people.log_out, hall.store, person))
    return JSONResponse({})


async def set_notices(request: Request) -> Response:
    """Where to send notices."""
    person, hall, body = await person_of(request), hall_of(request), await body_of(request)
    email, webhook = text_field(body, "email")[:200].strip(), text_field(body, "webhook")[:500].strip()
    if email and ("@" not in email or not email.isprintable() or any(c in email for c in " ,;<>")):
        raise Problem(422, "bad-email")
    if webhook:
        await hall.run(check_webhook, webhook, allow_local=hall.settings.local_webhooks)
    lang = language(body.get("language"), request.headers.get("accept-language", ""))
    await hall.run(hall.store.set_notice_wish, person.id, email, webhook, lang)
    return JSONResponse({"email": email, "webhook": webhook, "language": lang})


# Tables


async def list_tables(request: Request) -> Response:
    """The lobby."""
    person, hall = await person_of(request), hall_of(request)
    which = request.query_params.get("list", "recent")
    if which not in ("mine", "open", "recent"):
        raise Problem(422, "bad-list")
    return JSONResponse(await hall.lobby(which, person))


async def create_table(request: Request) -> Response:
    """Open a table."""
    person, hall, body = await person_of(request), hall_of(request), await body_of(request)
    limit_tables(request, person)
    for key in ("seats", "options"):
        if not isinstance(body.get(key) or {}, dict):
            raise Problem(400, "bad-message")
    table, invitations = await hall.create(
        person, body, language(body.get("language"), request.headers.get("accept-language", ""))
    )
    return JSONResponse({"id": table.id, "invitations": invitations}, 201)


def limit_tables(request: Request, person: Person) -> None:
    """Tables cost memory."""
    if not request.app.state.new_tables.allows(person.id):
        raise Problem(429, "too-many")


async def import_table(request: Request) -> Response:
    """Go on from a game file."""
    person, hall = await person_of(request), hall_of(request)
    limit_tables(request, person)
    raw = await read_body(request, hall.settings.largest_import)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise Problem(422, "not-utf8") from None
    file = from_json(text) if text.lstrip().startswith("{") else from_text(text)
    game = find_game(file.header["game"])
    wishes = {side: request.query_params.get(side, "me") for side in game.sides}
    table, invitations = await hall.take_in(person, file, wishes, lang_of(request))
    return JSONResponse({"id": table.id, "invitations": invitations}, 201)


async def show_table(request: Request) -> Response:
    """One table of the lobby, with more."""
    person, table = await person_of(request), await table_of(request)
    return JSONResponse(table.summary(person) | table.around(person) | {"commitment": table.session.header.commitment})


async def look_at_invitation(request: Request) -> Response:
    """What an invitation is to, before it is taken up; the secret comes in the body, so that it reaches no log."""
    await person_of(request)
    return JSONResponse(await hall_of(request).invited(text_field(await body_of(request), "token")))


async def join_table(request: Request) -> Response:
    """Take the seat of an invitation."""
    person, hall, body = await person_of(request), hall_of(request), await body_of(request)
    table, side = await hall.join(person, text_field(body, "token"))
    return JSONResponse({"id": table.id, "side": side})


async def sit_down(request: Request) -> Response:
    """Take a seat that is open; the table's owner invites, so only the invited may sit."""
    person, table, body = await person_of(request), await table_of(request), await body_of(request)
    side = table.session.game.side_named(text_field(body, "side"))
    if side < 0:
        raise Problem(422, "bad-message")
    await hall_of(request).sit(table, person, side)
    return JSONResponse({"id": table.id, "side": table.session.game.side_name(side)})


async def table_view(request: Request) -> Response:
    """The position as a person may see it, now or in the past."""
    person, table = await person_of(request), await table_of(request)
    lang, at = lang_of(request), request.query_params.get("at")
    async with table.lock:  # what is not stored yet must not be seen
        side = table.viewpoint(person, request.query_params.get("as"))
        if at is not None:
            if not at.isdecimal() or int(at) > len(table.session.entries):
                raise Problem(422, "bad-entry", most=len(table.session.entries))
            return JSONResponse(past_message(table.session, side, lang, table.version, int(at)) | table.around(person))
        acting = side in table.sides_of(person)
        message = state_message(table.session, side, lang, table.version, table.view(side), acting)
        return JSONResponse(message | table.around(person))


async def table_order(request: Request) -> Response:
    """An order without a websocket: act, undo, resign ..."""
    person, table, body = await person_of(request), await table_of(request), await body_of(request)
    since, view = len(table.session.entries), {}
    side_name = body.get("side")
    if isinstance(side_name, str) and side_name in table.session.game.sides:
        side = table.own_side(person, side_name)
        view = table.view(side)
    else:
        side = -1
    await perform(hall_of(request), table, person, request.path_params["order"], body)
    lang = lang_of(request)
    async with table.lock:  # what is not stored yet must not be seen
        acting = side in table.sides_of(person)
        shared = table.for_everybody(lang, table.version)
        return JSONResponse(table.update(side, lang, acting, view, since, shared, {}))


async def rematch(request: Request) -> Response:
    """The same again."""
    person, table = await person_of(request), await table_of(request)
    if not table.sides_of(person):
        raise Problem(403, "not-your-seat", side="")
    new = await hall_of(request).rematch(table, person)
    return JSONResponse({"id": new.id}, 201)


async def why_not(request: Request) -> Response:
    """The rule that forbids an action."""
    person, table = await person_of(request), await table_of(request)
    side = table.own_side(person, request.query_params.get("side", ""))
    action = (request.query_params.get("verb", ""), request.query_params.get("target", ""))
    refusal = table.why(side, action)
    body = None if refusal is None else refusal_json(refusal, table.session.game.name, lang_of(request))
    return JSONResponse({"refusal": body})


async def odds(request: Request) -> Response:
    """The chances of an action."""
    person, table = await person_of(request), await table_of(request)
    side = table.own_side(person, request.query_params.get("side", ""))
    action = (request.query_params.get("verb", ""), request.query_params.get("target", ""))
    game, s = table.session.game, table.session.state
    if game.why(s, side, action) is not None:
        return JSONResponse(None)
    chances = await asyncio.to_thread(game.odds, s, side, game.read(s, side, action))
    return JSONResponse(with_titles(chances, game.name, lang_of(request)))


async def write_note(request: Request) -> Response:
    """A private note."""
    person, table, body = await person_of(request), await table_of(request), await body_of(request)
    hall = hall_of(request)
    await hall.run(hall.store.set_note, table.id, person.id, text_field(body, "text")[:20_000])
    return JSONResponse({})


async def read_note(request: Request) -> Response:
    """One's own note."""
    person, table, hall = await person_of(request), await table_of(request), hall_of(request)
    return JSONResponse({"text": await hall.run(hall.store.note, table.id, person.id)})


async def check_dice(request: Request) -> Response:
    """Recompute the whole game, once it is over."""
    await person_of(request)
    table = await table_of(request)
    if table.session.result is None:
        raise Problem(409, "not-over")
    verdict = await asyncio.to_thread(verify, from_session(table.session), find_game)
    return JSONResponse({"ok": not verdict.problems} | verdict.to_json())


async def game_file(request: Request) -> Response:
    """The game file as a person may have it: whole once it is over, or for one who plays every side."""
    person, table = await person_of(request), await table_of(request)
    all_seats = {seat.side for seat in table.seats}
    everything = table.session.result is not None or set(table.sides_of(person)) == all_seats
    wish = request.query_params.get("as")
    side = REFEREE if everything and wish is None else table.viewpoint(person, wish)
    file = from_session(table.session, side)
    name = f"{table.session.game.name}-{table.id}"
    if request.url.path.endswith(".json"):
        headers = {"Content-Disposition": f'attachment; filename="{name}.json"'}
        return JSONResponse(to_json(file), headers=headers)
    headers = {"Content-Disposition": f'attachment; filename="{name}.txt"'}
    return PlainTextResponse(to_text(file), headers=headers)


# The rest


async def health(request: Request) -> Response:
    """For whoever watches the server."""
    return JSONResponse({"ok": True, "tables": len(hall_of(request).tables)})


async def live(socket: WebSocket) -> None:
    """The websocket of a table; the page's origin must be ours."""
    hall = hall_of(socket)
    origin = socket.headers.get("origin")
    if origin is not None and origin.split("://", 1)[-1] != socket.headers.get("host"):
        await socket.close(4403)
        return
    cookie = socket.cookies.get(people.COOKIE)
    if not cookie:
        await socket.close(4401)
        return
    person, new_cookie = await hall.run(people.welcome, hall.store, cookie)
    if new_cookie:
        await socket.close(4401)
        return
    try:
        table = await hall.find(socket.path_params["table_id"])
    except Problem:
        await socket.close(4404)
        return
    await socket.accept()
    await Connection(hall, table, person, socket).run()


ORDERS = "act|undo|redo|resign|draw|takeback|takeback-answer|chat"

ROUTES = [
    Route("/api/games", files.list_games),
    Route("/api/games/{game}/seats", files.list_seats),
    Route("/api/games/{game}/map", files.game_map),
    Route("/api/games/{game}/art", files.art_list),
    Route("/api/games/{game}/art/{file}", files.game_art),
    Route("/api/games/{game}/rules", files.game_rules),
    Route("/api/games/{game}/texts", files.game_texts),
    Route("/api/me", who_am_i),
    Route("/api/me/notices", set_notices, methods=["PUT"]),
    Route("/api/account", open_account, methods=["POST"]),
    Route("/api/login", log_in, methods=["POST"]),
    Route("/api/logout", log_out, methods=["POST"]),
    Route("/api/tables", list_tables),
    Route("/api/tables", create_table, methods=["POST"]),
    Route("/api/import", import_table, methods=["POST"]),
    Route("/api/invitation", look_at_invitation, methods=["POST"]),
    Route("/api/join", join_table, methods=["POST"]),
    Route("/api/tables/{table_id}", show_table),
    Route("/api/tables/{table_id}/sit", sit_down, methods=["POST"]),
    Route("/api/tables/{table_id}/view", table_view),
    Route("/api/tables/{table_id}/why", why_not),
    Route("/api/tables/{table_id}/odds", odds),
    Route("/api/tables/{table_id}/note", read_note),
    Route("/api/tables/{table_id}/note", write_note, methods=["PUT"]),
    Route("/api/tables/{table_id}/rematch", rematch, methods=["POST"]),
    Route("/api/tables/{table_id}/verify", check_dice),
    Route("/api/tables/{table_id}/{order}", table_order, methods=["POST"]),
    Route("/api/health", health),
    Route("/g/{table_id}.txt", game_file),
    Route("/g/{table_id}.json", game_file),
    Route("/", files.page),
    Route("/g/{table_id}", files.page),
    Route("/join", files.page),
    Route("/new", files.page),
    Route("/rules/{game}", files.page),
    Route("/assets/{file:path}", files.asset),
    Route("/favicon.ico", files.icon),
    WebSocketRoute("/ws/tables/{table_id}", live),
]
