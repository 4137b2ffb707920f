"""Requests about people: who asks, accounts, passwords, notices; see docs/protocol.md."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from grognard.server import belongings, people, sitting
from grognard.server.asking import body_of, doors_of, hall_of, person_of, set_cookie, text_field
from grognard.server.doors import address_of
from grognard.server.errors import Problem
from grognard.server.mail import is_address
from grognard.server.people import Person
from grognard.server.schema import name_key
from grognard.server.speech import language


async def owner_of(request: Request) -> Person:
    """A person who decides about an account. A program's token does not: whoever finds one must not get the account."""
    person = await person_of(request)
    if person.is_program:
        raise Problem(403, "not-by-token")
    return person


async def who_am_i(request: Request) -> Response:
    """The visitor, and how it wants to be told."""
    person, hall = await person_of(request), hall_of(request)
    wish = (None if person.is_program else await hall.run(hall.store.notice_wish, person.id)) or {
        "email": "",
        "webhook": "",
        "language": "en",
        "confirmed": True,
    }
    sent = [] if person.is_program else await hall.run(hall.store.sent, person.id)
    notices = {key: wish[key] for key in ("email", "webhook", "language", "confirmed")}
    log = [{key: row[key] for key in ("table_id", "how", "status", "at")} for row in sent]
    return JSONResponse({"name": person.name, "guest": person.is_guest, "notices": notices, "sent": log})


async def open_account(request: Request) -> Response:
    """A name and a password for a guest."""
    person, hall, body = await owner_of(request), hall_of(request), await body_of(request)
    doors_of(request).account(address_of(request))
    name, password = text_field(body, "name"), text_field(body, "password")
    set_cookie(request, await hall.hashing(people.open_account, hall.store, person, name, password))
    account = await hall.run(hall.store.account, name_key(name))
    await sitting.rename(hall, person, Person(person.visitor, account["id"], account["name"]))
    return JSONResponse({"name": account["name"]})


async def log_in(request: Request) -> Response:
    """Come back to an account."""
    person, hall, body = await owner_of(request), hall_of(request), await body_of(request)
    name, password = text_field(body, "name"), text_field(body, "password")
    doors, key = doors_of(request), name_key(name)
    browser = person.visitor if await hall.run(hall.store.has_device, person.visitor, key) else ""
    doors.login(key, address_of(request), browser)
    doors.sign_in(person.visitor)
    try:
        cookie = await hall.hashing(people.log_in, hall.store, person, name, password)
    except Problem:
        doors.wrong_login(key, address_of(request), browser)
        raise
    set_cookie(request, cookie)
    await sitting.hang_up(hall, visitor=person.visitor)
    return JSONResponse({"name": name})


async def log_out(request: Request) -> Response:
    """Be a guest again."""
    person, hall = await person_of(request), hall_of(request)
    set_cookie(request, await hall.run(people.log_out, hall.store, person))
    await sitting.hang_up(hall, visitor=person.visitor)
    return JSONResponse({})


async def new_token(request: Request) -> Response:
    """A token for a program of this account; logging out with it ends it."""
    person, hall = await owner_of(request), hall_of(request)
    doors_of(request).account(address_of(request))
    return JSONResponse({"token": await hall.run(people.token_for, hall.store, person)}, 201)


async def ask_reset(request: Request) -> Response:
    """A letter with which a forgotten password can be chosen anew; whether there is such an account is not told."""
    person, hall, body = await person_of(request), hall_of(request), await body_of(request)
    doors, key = doors_of(request), name_key(text_field(body, "name"))[:40]
    doors.mail(person.id, address_of(request), key)
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
    await sitting.hang_up(hall, account=account)
    return JSONResponse({})


async def delete_account(request: Request) -> Response:
    """Take the account away: games that still run are resigned, what is private is deleted, the name goes."""
    person, hall, body = await owner_of(request), hall_of(request), await body_of(request)
    if person.is_guest:
        raise Problem(409, "no-account")
    doors_of(request).account(address_of(request))
    if not await hall.hashing(people.is_password_of, hall.store, person, text_field(body, "password")):
        raise Problem(403, "wrong-login")
    await sitting.leave_everywhere(hall, person)
    await hall.run(belongings.take_away, hall.store, person.id, person.name)
    await sitting.hang_up(hall, account=person.id)
    return JSONResponse({})


async def export_data(request: Request) -> Response:
    """Everything that is kept about the person who asks."""
    person, hall = await owner_of(request), hall_of(request)
    told = await hall.run(belongings.export, hall.store, person.id, person.name)
    return JSONResponse(told, headers={"Content-Disposition": 'attachment; filename="grognard-me.json"'})


async def set_notices(request: Request) -> Response:
    """Where to send notices."""
    person, hall, body = await owner_of(request), hall_of(request), await body_of(request)
    email, webhook = text_field(body, "email")[:200].strip(), text_field(body, "webhook")[:500].strip()
    if email and not is_address(email):
        raise Problem(422, "bad-email")
    if webhook:
        await hall.notices.caller.check(webhook)
    lang = language(body.get("language"), request.headers.get("accept-language", ""))
    confirmed = not email or await hall.run(hall.store.is_confirmed, person.id, email)
    if not confirmed:
        doors_of(request).mail_to_stranger(person.id, address_of(request), email)
    await hall.run(hall.store.set_notice_wish, person.id, email, webhook, lang)
    if not confirmed:
        hall.notices.ask_to_confirm(person.id, email, lang)
    return JSONResponse({"email": email, "webhook": webhook, "language": lang, "confirmed": confirmed})
