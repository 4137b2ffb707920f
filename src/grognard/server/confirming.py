"""Saying yes to an address: the page behind the link in the letter. It needs no script and no cookie.

To look at the page changes nothing (mail programs do that by themselves); its button does.
"""

from __future__ import annotations

from html import escape
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from grognard.kernel.texts import texts_for
from grognard.server.asking import hall_of, lang_of, read_body
from grognard.server.errors import Problem
from grognard.server.mail import read_ticket
from grognard.server.words import check_words

PATH = "/confirm"
PAGE = """<!doctype html><html lang="{lang}"><meta charset="utf-8"><meta name="robots" content="noindex">
<meta name="viewport" content="width=device-width"><title>{title}</title>
<body style="font: 18px/1.5 sans-serif; max-width: 34em; margin: 3em auto; padding: 0 1em">
<h1>{title}</h1><p>{text}</p>{form}</body></html>"""
FORM = (
    '<form method="post" action="{path}?lang={lang}"><input type="hidden" name="token" value="{token}">{button}</form>'
)


def shown(lang: str, text: str, form: str = "", status: int = 200) -> Response:
    """A page."""
    title = escape(texts_for("", lang).say("server.confirm-title"))
    return HTMLResponse(PAGE.format(lang=lang, title=title, text=escape(text), form=form), status)


async def look(request: Request) -> Response:
    """The page with the button."""
    lang, token = lang_of(request), request.query_params.get("token", "")
    say = texts_for("", lang).say
    try:
        _, email = read_ticket(hall_of(request).store.key, token)
    except Problem as problem:
        return shown(lang, say(f"server.{problem.code}"), status=problem.status)
    button = f"<button>{escape(say('server.confirm-button'))}</button>"
    form = FORM.format(path=PATH, lang=lang, token=escape(token), button=button)
    return shown(lang, say("server.confirm-ask", email=email), form)


async def confirm(request: Request) -> Response:
    """The button."""
    hall, lang = hall_of(request), lang_of(request)
    say = texts_for("", lang).say
    fields = parse_qs((await read_body(request, 4096)).decode("utf-8", "replace"))
    try:
        check_words(fields)
        person, email = read_ticket(hall.store.key, (fields.get("token") or [""])[0])
        if not await hall.run(hall.store.confirm_mail, person, email):
            raise Problem(422, "bad-ticket")
    except Problem as problem:
        return shown(lang, say(f"server.{problem.code}"), status=problem.status)
    return shown(lang, say("server.confirmed", email=email))
