"""The requests of docs/protocol.md, each a few lines: read, check, ask the hall, answer."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from dataclasses import asdict
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from grognard.games import find_game
from grognard.kernel.errors import GrognardError
from grognard.kernel.flow import Order
from grognard.kernel.gamefile import GameFile, from_session, to_json, to_text, verify
from grognard.kernel.record import REFEREE
from grognard.server import (
    accounts,
    chances,
    confirming,
    counting,
    figures,
    files,
    foresight,
    intake,
    laboratory,
    lessons,
    opening,
    people,
    ratings,
    reports,
    resume,
    sitting,
)
from grognard.server.asking import (
    any_table_of,
    body_of,
    doors_of,
    hall_of,
    lang_of,
    person_of,
    read_body,
    table_of,
    text_field,
)
from grognard.server.doors import address_of
from grognard.server.errors import Problem
from grognard.server.live import Connection, OldConnection, perform
from grognard.server.messages import with_titles
from grognard.server.old import OldTable
from grognard.server.packing import parcel_of, unpacked
from grognard.server.people import Person
from grognard.server.speech import error_json, language, refusal_json
from grognard.server.table import Table

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
    table, invitations = await opening.create(
        hall, person, body, language(body.get("language"), request.headers.get("accept-language", ""))
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
    table, invitations = await opening.take_in(hall, person, file, wishes, lang_of(request), known_dice=known)
    return JSONResponse({"id": table.id, "invitations": invitations}, 201)


async def show_table(request: Request) -> Response:
    """One table of the lobby, with more for those who may watch it."""
    person, table = await person_of(request), await any_table_of(request)
    if isinstance(table, OldTable):
        table.viewpoint(person, None)
        return JSONResponse(table.summary(person))
    async with table.settled():
        card = table.summary(person)
        card |= {"commitment": table.session.header.commitment, "admitted": table.admits(person)}
        return JSONResponse(card | table.around(person) if card["admitted"] else card)


async def show_ratings(request: Request) -> Response:
    """How strong the players of a title are."""
    hall, game = hall_of(request), find_game(request.path_params["game"])
    return JSONResponse(await hall.run(ratings.ladder, hall.store, game.name))


async def look_at_invitation(request: Request) -> Response:
    """What an invitation is to, before it is taken up; the secret comes in the body, so that it reaches no log."""
    await person_of(request)
    return JSONResponse(await sitting.invited(hall_of(request), text_field(await body_of(request), "token")))


async def join_table(request: Request) -> Response:
    """Take the seat of an invitation."""
    person, hall, body = await person_of(request), hall_of(request), await body_of(request)
    table, side = await sitting.join(hall, person, text_field(body, "token"))
    return JSONResponse({"id": table.id, "side": side})


async def sit_down(request: Request) -> Response:
    """Take a seat that is open to everybody."""
    person, body = await person_of(request), await body_of(request)
    table = await table_of(request)  # after the body, which may take its time
    side = side_of(table, body)
    await sitting.sit(hall_of(request), table, person, side)
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
    invitation = await sitting.reserve(hall_of(request), table, person, side_of(table, body), opened=opened)
    return JSONResponse({"invitation": invitation or None})


async def set_terms(request: Request) -> Response:
    """The owner says who may see, watch and speak."""
    person, body = await person_of(request), await body_of(request)
    terms = await sitting.set_terms(hall_of(request), await table_of(request), person, body)
    return JSONResponse(asdict(terms))


async def table_view(request: Request) -> Response:
    """The position as a person may see it, now or in the past."""
    person, table = await person_of(request), await any_table_of(request)
    lang, at = lang_of(request), request.query_params.get("at")
    doors_of(request).look(person.id, address_of(request))
    if isinstance(table, OldTable):
        side = table.viewpoint(person, request.query_params.get("as"))
        if at is not None and (not at.isdecimal() or len(at) > 9):
            raise Problem(422, "bad-entry", most=len(table.actions))
        return JSONResponse(table.state(person, side, lang, None if at is None else int(at)))
    async with table.settled():
        side = table.viewpoint(person, request.query_params.get("as"))
        if at is not None and (not at.isdecimal() or len(at) > 9):
            raise Problem(422, "bad-entry", most=len(table.session.entries))
        return JSONResponse(table.state(person, side, lang, table.version, None if at is None else int(at)))


async def table_order(request: Request) -> Response:
    """An order without a websocket: act, undo, resign ..."""
    person, table, body = await person_of(request), await table_of(request), await body_of(request)
    side_name, side, view = body.get("side"), -1, {}
    async with table.settled():
        since = len(table.session.entries)
        if isinstance(side_name, str) and side_name in table.session.game.sides:
            side = table.own_side(person, side_name)
            view = table.view(side)
    order = request.path_params["order"]
    await perform(hall_of(request), table, person, order, body, lang_of(request))
    if order == "dice":
        return JSONResponse({"type": "dice", "dice": table.dice_json(), "seats": table.seats_json()})
    if side < 0:  # who talks, and looks from no side: what is to be seen, and when, is for `view` to say
        return JSONResponse({"type": "done", "version": table.version})
    lang = lang_of(request)
    async with table.settled():
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
    new, agreed = await opening.go_on(hall_of(request), table, person, agree=agree)
    return JSONResponse({"id": new or None, "agreed": [table.game.side_name(side) for side in agreed]})


async def rematch(request: Request) -> Response:
    """The same again."""
    person, table = await person_of(request), await table_of(request)
    if not table.sides_of(person):
        raise Problem(403, "not-your-seat", side="")
    new = await opening.rematch(hall_of(request), table, person)
    return JSONResponse({"id": new.id}, 201)


async def why_not(request: Request) -> Response:
    """The rule that forbids an action."""
    person, table = await person_of(request), await table_of(request)
    side = table.own_side(person, request.query_params.get("side", ""))
    action = (request.query_params.get("verb", ""), request.query_params.get("target", ""))
    async with table.settled():
        refusal, looks = table.why(side, action), (table.session.state, side)
    body = None if refusal is None else refusal_json(refusal, table.session.game.name, lang_of(request), looks)
    return JSONResponse({"refusal": body})


async def odds(request: Request) -> Response:
    """The chances of an action, now or after others (`after`)."""
    person, table = await person_of(request), await table_of(request)
    side = table.own_side(person, request.query_params.get("side", ""))
    action = (request.query_params.get("verb", ""), request.query_params.get("target", ""))
    async with table.settled():
        session = table.moment()
    async with hall_of(request).working:
        found = await asyncio.to_thread(chances.chances, session, side, action, orders_in(request, "after"))
    return JSONResponse(with_titles(found, session.game.name, lang_of(request)))


def orders_in(request: Request, key: str) -> list[Order]:
    """Orders that an address names in a row, `VERB TARGET` each; more than foresight walks are left out."""
    said = request.query_params.getlist(key)[: foresight.MOST]
    return [(verb, target) for verb, _, target in (one.partition(" ") for one in said)]


async def foresee(request: Request) -> Response:
    """Where an action would lead, as far as no die, no secret and nobody else has a say."""
    person, table = await person_of(request), await table_of(request)
    side = table.own_side(person, request.query_params.get("side", ""))
    orders = orders_in(request, "do")
    if not orders:
        raise Problem(400, "bad-message")
    async with table.settled():
        session = table.moment()
    async with hall_of(request).working:
        found = await asyncio.to_thread(foresight.foresee, session, side, orders, lang_of(request))
    return JSONResponse(found)


async def game_report(request: Request) -> Response:
    """The report of a finished game; while it is being made, how far it is."""
    person, table = await person_of(request), await table_of(request)
    async with table.settled():
        table.viewpoint(person, None)  # may this person look at all?
        reports.check_over(table)
    found = await reports.report(hall_of(request), table, lang_of(request))
    return JSONResponse(found, 202 if "done" in found else 200)


async def hint(request: Request) -> Response:
    """What the computer would do, for somebody who plays against it."""
    person, table = await person_of(request), await table_of(request)
    side = table.own_side(person, request.query_params.get("side", ""))
    return JSONResponse(await reports.hint(hall_of(request), table, side, lang_of(request)))


async def write_note(request: Request) -> Response:
    """A private note."""
    person, table, body = await person_of(request), await table_of(request), await body_of(request)
    hall = hall_of(request)
    table.viewpoint(person, None)  # no notes at tables that one may not look at
    await hall.run(hall.store.set_note, table.id, person.id, text_field(body, "text")[:20_000])
    return JSONResponse({})


async def read_note(request: Request) -> Response:
    """One's own note."""
    person, table, hall = await person_of(request), await table_of(request), hall_of(request)
    return JSONResponse({"text": await hall.run(hall.store.note, table.id, person.id)})


async def check_dice(request: Request) -> Response:
    """Recompute the whole game, once it is over."""
    person, hall, table = await person_of(request), hall_of(request), await table_of(request)
    async with table.settled():
        table.viewpoint(person, None)  # may this person look at all?
        reports.check_over(table)
    async with hall.working:  # a long game takes a second: the others ask again
        if table.verdict is None:
            await asyncio.to_thread(resume.complete, table.session)
            verdict = await asyncio.to_thread(verify, from_session(table.session), find_game)
            table.verdict = {"ok": not verdict.problems} | verdict.to_json()
    return JSONResponse(table.verdict)


async def game_file(request: Request) -> Response:
    """The game file as a person may have it: whole once it is over, or for one who plays every side."""
    person, table = await person_of(request), await any_table_of(request)
    if isinstance(table, OldTable):
        return as_file(request, old_file(request, table, person), f"{table.game.name}-{table.id}")
    wish = request.query_params.get("as")
    async with hall_of(request).working:
        async with table.settled():
            all_seats = {seat.side for seat in table.seats}
            table.viewpoint(person, None)  # may this person look at all?
            alone = set(table.sides_of(person)) == all_seats and not table.stage
            everything = table.session.result is not None or alone
            side = REFEREE if everything and wish is None else table.viewpoint(person, wish)
            if table.delay_for(person):
                raise Problem(403, "delayed")
            await asyncio.to_thread(resume.complete, table.session)
            parcel = parcel_of(table.session, len(table.session.entries))
        file = await asyncio.to_thread(lambda: from_session(unpacked(parcel), side))  # those who play wait no longer
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
    with ExitStack() as counted:
        try:
            doors.request(address)
            shown = people.bearer(socket.headers.get("authorization")) or socket.cookies.get(people.COOKIE)
            person, known, cookie = await hall.run(people.recognise, hall.store, shown)
            if cookie != shown:
                raise Problem(401, "no-cookie")
            counted.enter_context(doors.socket(person.id, address))
            if not known:
                doors.visitor(address)
                await hall.run(hall.store.add_visitor, person.id, people.hashed(cookie))
            table = await hall.find_any(socket.path_params["table_id"])
        except GrognardError as error:
            await turn_away(socket, error)
            return
        await socket.accept()
        kind = OldConnection if isinstance(table, OldTable) else Connection
        line = kind(hall, table, person, socket)  # type: ignore[arg-type]
        hall.lines.add(line)  # before one looks again: who logs out now finds it
        again, _, _ = await hall.run(people.recognise, hall.store, cookie)
        if again == line.person:
            await asyncio.create_task(line.run())  # of its own: it wakes without the layers of the application
        else:
            hall.lines.discard(line)
            await line.hang_up()


async def turn_away(socket: WebSocket, error: GrognardError) -> None:
    """No websocket. A page is not told why a handshake fails, so one that asked well hears it in a message."""
    lang = language(socket.query_params.get("lang"), socket.headers.get("accept-language", ""))
    status, body = error_json(error, "", lang)
    if status in (409, 503):
        await socket.accept()
        await socket.send_json({"type": "error", "reply_to": None, "status": status} | body["error"])
    await socket.close(4000 + status)


ORDERS = "act|acts|undo|redo|resign|draw|takeback|takeback-answer|chat|dice|witness"

ROUTES = [
    Route("/api/games", files.list_games),
    Route("/api/games/{game}/seats", files.list_seats),
    Route("/api/games/{game}/map", files.game_map),
    Route("/api/games/{game}/sight", files.game_sight),
    Route("/api/games/{game}/art", files.art_list),
    Route("/api/games/{game}/art/{file}", files.game_art),
    Route("/api/games/{game}/rules", files.game_rules),
    Route("/api/games/{game}/figures", files.game_figures),
    Route("/api/games/{game}/texts", files.game_texts),
    Route("/api/games/{game}/lessons/{lesson}", lessons.tell),
    Route("/api/learn", lessons.learn, methods=["POST"]),
    Route("/api/me", accounts.who_am_i),
    Route("/api/me/notices", accounts.set_notices, methods=["PUT"]),
    Route("/api/account", accounts.open_account, methods=["POST"]),
    Route("/api/login", accounts.log_in, methods=["POST"]),
    Route("/api/logout", accounts.log_out, methods=["POST"]),
    Route("/api/me/export", accounts.export_data),
    Route("/api/me/token", accounts.new_token, methods=["POST"]),
    Route("/api/account/delete", accounts.delete_account, methods=["POST"]),
    Route("/api/reset", accounts.ask_reset, methods=["POST"]),
    Route("/api/reset/password", accounts.reset_password, methods=["POST"]),
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
    Route("/api/tables/{table_id}/foresee", foresee),
    Route("/api/tables/{table_id}/report", game_report),
    Route("/api/tables/{table_id}/hint", hint),
    Route("/api/tables/{table_id}/note", read_note),
    Route("/api/tables/{table_id}/note", write_note, methods=["PUT"]),
    Route("/api/tables/{table_id}/rematch", rematch, methods=["POST"]),
    Route("/api/tables/{table_id}/continue", go_on, methods=["POST"]),
    Route("/api/tables/{table_id}/verify", check_dice),
    Route("/api/tables/{table_id}/{order}", table_order, methods=["POST"]),
    Route("/api/ratings/{game}", show_ratings),
    Route("/api/lab", laboratory.look),
    Route("/api/lab", laboratory.begin, methods=["POST"]),
    Route("/api/lab/balance", counting.begin_balance, methods=["POST"]),
    Route("/api/lab/files", counting.begin_file, methods=["POST"]),
    Route("/api/lab/files/{name}", counting.send_file),
    Route("/api/lab/{run}", laboratory.look),
    Route("/api/lab/{run}/report", counting.send_report),
    Route("/api/lab/{run}/pictures/{name}", counting.send_picture),
    Route("/api/lab/{run}/rows/{name}", counting.send_rows),
    Route("/api/lab/{run}/stop", laboratory.stop, methods=["POST"]),
    Route("/api/lab/{run}/open", laboratory.open_game, methods=["POST"]),
    Route("/api/health", figures.health),
    Route("/metrics", figures.metrics),
    Route("/g/{table_id}.txt", game_file),
    Route("/g/{table_id}.json", game_file),
    Route("/", files.page),
    Route("/g/{table_id}", files.page),
    Route("/g/{table_id}/report", files.page),
    Route("/join", files.page),
    Route("/reset", files.page),
    Route("/new", files.page),
    Route("/lab", files.page),
    Route("/ratings", files.page),
    Route(confirming.PATH, confirming.look),
    Route(confirming.PATH, confirming.confirm, methods=["POST"]),
    Route("/rules/{game}", files.page),
    Route("/assets/{file:path}", files.asset),
    Route("/favicon.ico", files.icon),
    WebSocketRoute("/ws/tables/{table_id}", live),
]
