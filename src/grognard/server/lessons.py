"""Lessons in the browser: their words, and a table for one learner whose dice everybody knows."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from grognard.server import files
from grognard.server.asking import body_of, doors_of, hall_of, lang_of, person_of, text_field
from grognard.server.doors import address_of
from grognard.server.errors import Problem
from grognard.server.people import Person
from grognard.server.speech import language
from grognard.server.table import Table
from grognard.teach import lesson_of, play

if TYPE_CHECKING:
    from grognard.server.hall import Hall


@lru_cache(maxsize=64)
def words_of(game: str, name: str, lang: str) -> files.Kept:
    """A lesson, ready to be sent."""
    return files.keep_json(lesson_of(game, name).to_json(lang))


async def tell(request: Request) -> Response:
    """What the coach says, points at and asks for."""
    game, name = files.rules_name(request), request.path_params["lesson"]
    return files.answer(request, words_of(game, name, lang_of(request)))


async def learn(request: Request) -> Response:
    """Open a lesson: at its start, or at a step of it."""
    person, hall, body = await person_of(request), hall_of(request), await body_of(request)
    doors_of(request).table(person.id, address_of(request))
    step = body.get("step", 0)
    if not isinstance(step, int) or isinstance(step, bool) or not 0 <= step <= 10_000:
        raise Problem(400, "bad-message")
    lang = language(body.get("language"), request.headers.get("accept-language", ""))
    table = await open_lesson(hall, person, text_field(body, "game"), text_field(body, "lesson"), step, lang)
    return JSONResponse({"id": table.id}, 201)


async def open_lesson(hall: Hall, person: Person, game: str, name: str, step: int, lang: str) -> Table:
    """A table for one: the learner in the lesson's seat, the computer in the others, played up to a step."""
    from grognard.server import opening, wishes

    lesson = lesson_of(game, name)
    session = play(lesson, step, lesson.titles[lang])
    seats = {side: "me" if side == lesson.side else f"ai:{lesson.level}" for side in session.game.sides}
    playing = {session.game.side_name(side) for side in session.game.playing(session.state)}
    taken, _ = wishes.seats_from(session, {side: seat for side, seat in seats.items() if side in playing}, person)
    return await opening.open_for_one(hall, person, session, taken, lesson.titles[lang], lang)
