"""The requests of docs/protocol.md, each a few lines: read, check, ask the hall, answer."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from grognard.games import find_game
from grognard.kernel.errors import GrognardError
from grognard.kernel.gamefile import GameFile, from_session, to_json, to_text, verify
from grognard.kernel.record import REFEREE
from grognard.server import belongings, confirming, figures, files, intake, people, resume
from grognard.server.asking import (
    any_table_of,
    body_of,
    doors_of,
    hall_of,
    lang_of,
    person_of,
    read_body,
    set_cookie,
    table_of,
)
from grognard.server.doors import address_of
from grognard.server.errors import Problem
from grognard.server.live import Connection, perform, show_old
from grognard.server.mail import is_address
from grognard.server.messages import with_titles
from grognard.server.old import OldTable
from grognard.server.people import Person
from grognard.server.speech import error_json, language, refusal_json
from grognard.server.store import name_key
from grognard.server.table import Table

# People


async def who_am_i(request: Request) -> Response:
    """The visitor, and how it wants to be told."""
    person, hall = await person_of(request), hall_of(request)
    wish = await hall.run(hall.store.notice_wish, person.id) or {
        "email": "",
        "webhook": "",
        "language": "en",
        "confirmed": True,
    }
    sent = await hall.run(hall.store.sent, person.id)
    notices = {key: wish[key] for key in ("email", "webhook", "language", "confirmed")}
    log = [{key: row[key] for key in ("table_id", "how", "status", "at")} for row in sent]
    return JSONResponse({"name": person.name, "guest": person.is_guest, "notices": notices, "sent": log})


def text_field(body: dict[str, Any], key: str) -> str:
    """A string out of a request."""
    value = body.get(key, "")
    if not isinstance(value, str):
        raise Problem(400, "bad-message")
    return value


async def open_account(request: Request) -> Response:
    """A name and a password for a guest."""
    person, hall, body = await person_of(request), hall_of(request), await body_of(request)
    doors_of(request).account(address_of(request))
    name, password = text_field(body, "name"), text_field(body, "password")
    set_cookie(request, await hall.hashing(people.open_account, hall.store, person, name, password))
    account = await hall.run(hall.store.account, name_key(name))
    hall.rename(person, Person(person.visitor, account["id"], account["name"]))
    return JSONResponse({"name": account["name"]})


async def log_in(request: Request) -> Response:
    """Come back to an account."""
    person, hall, body = await person_of(request), hall_of(request), await body_of(request)
    name, password = text_field(body, "name"), text_field(body, "password")
    doors, key = doors_of(request), name_key(name)
    browser = person.visitor if await hall.run(hall.store.has_device, person.visitor, key) else ""
    doors.login(key, address_of(request), browser)
    try:
        cookie = await hall.hashing(people.log_in, hall.store, person, name, password)
    except Problem:
        doors.wrong_login(key, address_of(request), browser)
        raise
    set_cookie(request, cookie)
    await hall.hang_up(lambda who: who.visitor == person.visitor)
    return JSONResponse({"name": name})


async def log_out(request: Request) -> Response:
    """Be a guest again."""
    person, hall = await person_of(request), hall_of(request)
    set_cookie(request, await hall.run(people.log_out, hall.store, person))
    await hall.hang_up(lambda who: who.visitor == person.visitor)
    return JSONResponse({})


async def ask_reset(request: Request) -> Response:
    """A letter with which a forgotten password can be chosen anew; whether there is such an account is not told."""
    person, hall, body = await person_of(request), hall_of(request), await body_of(request)
    doors, key = doors_of(request), name_key(text_field(body, "name"))[:40]
    doors.mail(person.id, address_of(request), f"reset {key}")
    found = await hall.run(belongings.address_for_reset, hall.store, key)
    if found is not None:
        account, email, lang = found
        token = people.new_token()
        await hall.run(belongings.add_reset, hall.store, account, people.hashed(token))
        hall.notices.send_reset(account, email, lang, f"/reset#{token}")
    return JSONResponse({})


async def reset_password(request: Request) -> Response:
    """A new password, with the secret of the letter; every browser of the account has to log in again."""
    hall, body = hall_of(request), await body_of(request)
    doors_of(request).account(address_of(request))
    token, password = text_field(body, "token"), people.check_password(text_field(body, "password"))
    hashed = await hall.hashing(people.HASHER.hash, password)
    account = await hall.run(belongings.reset, hall.store, people.hashed(token), hashed)
    if account is None:
        raise Problem(404, "bad-reset")
    await hall.hang_up(lambda who: who.id == account)
    return JSONResponse({})


async def delete_account(request: Request) -> Response:
    """Take the account away: games that still run are resigned, what is private is deleted, the name goes."""
    person, hall, body = await person_of(request), hall_of(request), await body_of(request)
    if person.is_guest:
        raise Problem(409, "no-account")
    doors_of(request).account(address_of(request))
    if not await hall.hashing(people.is_password_of, hall.store, person, text_field(body, "password")):
        raise Problem(403, "wrong-login")
    await hall.leave_everywhere(person)
    await hall.run(belongings.take_away, hall.store, person.id, person.name)
    await hall.hang_up(lambda who: who.id == person.id)
    return JSONResponse({})


async def export_data(request: Request) -> Response:
    """Everything that is kept about the person who asks."""
    person, hall = await person_of(request), hall_of(request)
    told = await hall.run(belongings.export, hall.store, person.id, person.name)
    return JSONResponse(told, headers={"Content-Disposition": 'attachment; filename="grognard-me.json"'})


async def set_notices(request: Request) -> Response:
    """Where to send notices."""
    person, hall, body = await person_of(request), hall_of(request), await body_of(request)
    email, webhook = text_field(body, "email")[:200].strip(), text_field(body, "webhook")[:500].strip()
    if email and not is_address(email):
        raise Problem(422, "bad-email")
    if webhook:
        await hall.notices.caller.check(webhook)
    lang = language(body.get("language"), request.headers.get("accept-language", ""))
    confirmed = not email or await hall.run(hall.store.is_confirmed, person.id, email)
    if not confirmed:
        doors_of(request).mail(person.id, address_of(request), email)
    await hall.run(hall.store.set_notice_wish, person.id, email, webhook, lang)
    if not confirmed:
        hall.notices.ask_to_confirm(person.id, email, lang)
    return JSONResponse({"email": email, "webhook": webhook, "language": lang, "confirmed": confirmed})


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
    doors_of(request).table(person.id, address_of(request))


async def import_table(request: Request) -> Response:
    """Go on from a game file."""
    person, hall = await person_of(request), hall_of(request)
    limit_tables(request, person)
    raw = await read_body(request, hall.settings.largest_import)
    file = await asyncio.to_thread(intake.read, raw, hall.settings)
    game = find_game(file.header["game"])
    wishes = {side: request.query_params.get(side, "me") for side in game.sides}
    known = request.query_params.get("dice") == "known"
    table, invitations = await hall.take_in(person, file, wishes, lang_of(request), known_dice=known)
    return JSONResponse({"id": table.id, "invitations": invitations}, 201)


async def show_table(request: Request) -> Response:
    """One table of the lobby, with more for those who may watch it."""
    person, table = await person_of(request), await any_table_of(request)
    if isinstance(table, OldTable):
        table.viewpoint(person, None)
        return JSONResponse(table.summary(person))
    card = table.summary(person) | {"commitment": table.session.header.commitment, "admitted": table.admits(person)}
    return JSONResponse(card | table.around(person) if card["admitted"] else card)


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
    """Take a seat that is open to everybody."""
    person, body = await person_of(request), await body_of(request)
    table = await table_of(request)  # after the body, which may take its time
    side = side_of(table, body)
    await hall_of(request).sit(table, person, side)
    return JSONResponse({"id": table.id, "side": table.session.game.side_name(side)})


def side_of(table: Table, body: dict[str, Any]) -> int:
    """A side that is played at a table, by its name."""
    side = table.session.game.side_named(text_field(body, "side"))
    if side not in [seat.side for seat in table.seats]:
        raise Problem(422, "bad-message")
    return side


async def reserve_seat(request: Request) -> Response:
    """The owner gives a free seat a new invitation, or opens it to everybody."""
    person, body = await person_of(request), await body_of(request)
    table, opened = await table_of(request), body.get("open", False)
    if not isinstance(opened, bool):
        raise Problem(400, "bad-message")
    invitation = await hall_of(request).reserve(table, person, side_of(table, body), opened=opened)
    return JSONResponse({"invitation": invitation or None})


async def set_terms(request: Request) -> Response:
    """The owner says who may see, watch and speak."""
    person, body = await person_of(request), await body_of(request)
    terms = await hall_of(request).set_terms(await table_of(request), person, body)
    return JSONResponse(asdict(terms))


async def table_view(request: Request) -> Response:
    """The position as a person may see it, now or in the past."""
    person, table = await person_of(request), await any_table_of(request)
    lang, at = lang_of(request), request.query_params.get("at")
    if isinstance(table, OldTable):
        side = table.viewpoint(person, request.query_params.get("as"))
        if at is not None and (not at.isdecimal() or len(at) > 9):
            raise Problem(422, "bad-entry", most=len(table.actions))
        return JSONResponse(table.state(person, side, lang, None if at is None else int(at)))
    async with table.lock:  # what is not stored yet must not be seen
        side = table.viewpoint(person, request.query_params.get("as"))
        if at is not None and (not at.isdecimal() or len(at) > 9):
            raise Problem(422, "bad-entry", most=len(table.session.entries))
        return JSONResponse(table.state(person, side, lang, table.version, None if at is None else int(at)))


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
    order = request.path_params["order"]
    await perform(hall_of(request), table, person, order, body, lang_of(request))
    if order == "dice":
        return JSONResponse({"type": "dice", "dice": table.dice_json(), "seats": table.seats_json()})
    lang = lang_of(request)
    async with table.lock:  # what is not stored yet must not be seen
        acting = table.acting(person, side)
        shared = table.for_everybody(lang, table.version)
        return JSONResponse(table.update(side, lang, acting, view, since, shared, {}))


async def go_on(request: Request) -> Response:
    """Agree to go on with a game of earlier rules under the present ones."""
    person, body = await person_of(request), await body_of(request)
    table, agree = await any_table_of(request), body.get("agree", True)
    if not isinstance(table, OldTable):
        raise Problem(409, "not-old")
    if not isinstance(agree, bool):
        raise Problem(400, "bad-message")
    new, agreed = await hall_of(request).go_on(table, person, agree=agree)
    return JSONResponse({"id": new or None, "agreed": [table.game.side_name(side) for side in agreed]})


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
    await asyncio.to_thread(resume.complete, table.session)
    verdict = await asyncio.to_thread(verify, from_session(table.session), find_game)
    return JSONResponse({"ok": not verdict.problems} | verdict.to_json())


async def game_file(request: Request) -> Response:
    """The game file as a person may have it: whole once it is over, or for one who plays every side."""
    person, table = await person_of(request), await any_table_of(request)
    if isinstance(table, OldTable):
        return as_file(request, old_file(request, table, person), f"{table.game.name}-{table.id}")
    all_seats = {seat.side for seat in table.seats}
    table.viewpoint(person, None)  # may this person look at all?
    alone = set(table.sides_of(person)) == all_seats and not table.stage
    everything = table.session.result is not None or alone
    wish = request.query_params.get("as")
    side = REFEREE if everything and wish is None else table.viewpoint(person, wish)
    if table.delay_for(person):
        raise Problem(403, "delayed")
    async with table.lock:
        await asyncio.to_thread(resume.complete, table.session)
    file = from_session(table.session, side)
    return as_file(request, file, f"{table.session.game.name}-{table.id}")


def old_file(request: Request, table: OldTable, person: Person) -> GameFile:
    """The file of a game of earlier rules, as a person may have it."""
    wish = request.query_params.get("as")
    alone = {seat.side for seat in table.seats} == set(table.sides_of(person))
    own = table.viewpoint(person, wish)
    return table.file(REFEREE if wish is None and (table.over or alone) else own)


def as_file(request: Request, file: GameFile, name: str) -> Response:
    """A game file in the form that the address asks for."""
    ending = "json" if request.url.path.endswith(".json") else "txt"
    headers = {"Content-Disposition": f'attachment; filename="{name}.{ending}"'}
    if ending == "json":
        return JSONResponse(to_json(file), headers=headers)
    return PlainTextResponse(to_text(file), headers=headers)


# The rest


async def live(socket: WebSocket) -> None:
    """The websocket of a table; the page's origin must be ours."""
    hall = hall_of(socket)
    origin = socket.headers.get("origin")
    if origin is not None and origin.split("://", 1)[-1] != socket.headers.get("host"):
        await socket.close(4403)
        return
    doors, address = doors_of(socket), address_of(socket)
    try:
        doors.request(address)
        person, known, cookie = await hall.run(people.recognise, hall.store, socket.cookies.get(people.COOKIE))
        if cookie != socket.cookies.get(people.COOKIE):
            raise Problem(401, "no-cookie")
        doors.handshake(person.id, address)
        if not known:
            doors.visitor(address)
            await hall.run(hall.store.add_visitor, person.id, people.hashed(cookie))
        table = await hall.find_any(socket.path_params["table_id"])
    except GrognardError as error:
        await turn_away(socket, error)
        return
    await socket.accept()
    if isinstance(table, OldTable):
        with doors.socket(person.id, address):
            await show_old(socket, table, person)
        return
    with doors.socket(person.id, address):
        await Connection(hall, table, person, socket).run()


async def turn_away(socket: WebSocket, error: GrognardError) -> None:
    """No websocket. A page is not told why a handshake fails, so one that asked well hears it in a message."""
    lang = language(socket.query_params.get("lang"), socket.headers.get("accept-language", ""))
    status, body = error_json(error, "", lang)
    if status in (409, 503):
        await socket.accept()
        await socket.send_json({"type": "error", "reply_to": None, "status": status} | body["error"])
    await socket.close(4000 + status)


ORDERS = "act|undo|redo|resign|draw|takeback|takeback-answer|chat|dice"

ROUTES = [
    Route("/api/games", files.list_games),
    Route("/api/games/{game}/seats", files.list_seats),
    Route("/api/games/{game}/map", files.game_map),
    Route("/api/games/{game}/sight", files.game_sight),
    Route("/api/games/{game}/art", files.art_list),
    Route("/api/games/{game}/art/{file}", files.game_art),
    Route("/api/games/{game}/rules", files.game_rules),
    Route("/api/games/{game}/texts", files.game_texts),
    Route("/api/me", who_am_i),
    Route("/api/me/notices", set_notices, methods=["PUT"]),
    Route("/api/account", open_account, methods=["POST"]),
    Route("/api/login", log_in, methods=["POST"]),
    Route("/api/logout", log_out, methods=["POST"]),
    Route("/api/me/export", export_data),
    Route("/api/account/delete", delete_account, methods=["POST"]),
    Route("/api/reset", ask_reset, methods=["POST"]),
    Route("/api/reset/password", reset_password, methods=["POST"]),
    Route("/api/tables", list_tables),
    Route("/api/tables", create_table, methods=["POST"]),
    Route("/api/import", import_table, methods=["POST"]),
    Route("/api/invitation", look_at_invitation, methods=["POST"]),
    Route("/api/join", join_table, methods=["POST"]),
    Route("/api/tables/{table_id}", show_table),
    Route("/api/tables/{table_id}/sit", sit_down, methods=["POST"]),
    Route("/api/tables/{table_id}/invite", reserve_seat, methods=["POST"]),
    Route("/api/tables/{table_id}/terms", set_terms, methods=["PUT"]),
    Route("/api/tables/{table_id}/view", table_view),
    Route("/api/tables/{table_id}/why", why_not),
    Route("/api/tables/{table_id}/odds", odds),
    Route("/api/tables/{table_id}/note", read_note),
    Route("/api/tables/{table_id}/note", write_note, methods=["PUT"]),
    Route("/api/tables/{table_id}/rematch", rematch, methods=["POST"]),
    Route("/api/tables/{table_id}/continue", go_on, methods=["POST"]),
    Route("/api/tables/{table_id}/verify", check_dice),
    Route("/api/tables/{table_id}/{order}", table_order, methods=["POST"]),
    Route("/api/health", figures.health),
    Route("/metrics", figures.metrics),
    Route("/g/{table_id}.txt", game_file),
    Route("/g/{table_id}.json", game_file),
    Route("/", files.page),
    Route("/g/{table_id}", files.page),
    Route("/join", files.page),
    Route("/reset", files.page),
    Route("/new", files.page),
    Route(confirming.PATH, confirming.look),
    Route(confirming.PATH, confirming.confirm, methods=["POST"]),
    Route("/rules/{game}", files.page),
    Route("/assets/{file:path}", files.asset),
    Route("/favicon.ico", files.icon),
    WebSocketRoute("/ws/tables/{table_id}", live),
]
