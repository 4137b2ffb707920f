"""Errors in the asker's language."""

from __future__ import annotations

from typing import Any

from grognard.games import playable_names
from grognard.kernel.errors import GrognardError, IllegalAction, UnknownName
from grognard.kernel.record import Side
from grognard.kernel.rulebook import find_rule
from grognard.kernel.texts import error_text, texts_for
from grognard.server.errors import Problem, Told
from grognard.server.messages import Json, narrator_for


def language(wish: Any, accept: str = "") -> str:
    """`fr` or `en`, from a wish or from what the browser accepts."""
    if wish in ("en", "fr"):
        return str(wish)
    first = accept.split(",", maxsplit=1)[0].strip().lower()
    return "fr" if first.startswith("fr") else "en"


def refusal_json(refusal: Any, game: str, lang: str, looks: tuple[Any, Side] | None = None) -> Json:
    """A refusal with its sentence and the text of its rule; who looks reads hidden units by their backs."""
    narrator = narrator_for(game, lang) if looks is None else narrator_for(game, lang).looking_at(*looks)
    body: Json = refusal.to_json() | {"message": narrator.refusal(refusal)}
    try:
        title, text = find_rule(game, refusal.rule).in_language(lang)
        body["rule_title"], body["rule_text"] = title, text
    except GrognardError:
        pass
    return body


def error_json(error: GrognardError, game: str, lang: str) -> tuple[int, Json]:
    """Status and body of any error of ours."""
    if isinstance(error, IllegalAction):
        if game in playable_names():
            body = refusal_json(error.refusal, game, lang)
            return 422, {
                "error": {"code": "refused", "message": body["message"], "rule": body["rule"], "refusal": body}
            }
        return 422, {"error": {"code": "refused", "message": str(error), "rule": error.refusal.rule}}
    if isinstance(error, Told):
        return error.status, {"error": error.error}
    if isinstance(error, Problem):
        facts = {k: error_text(v, lang) if isinstance(v, Exception) else v for k, v in error.facts.items()}
        message = texts_for("", lang).say(f"server.{error.code}", **facts)
        return error.status, {"error": {"code": error.code, "message": message} | facts}
    if isinstance(error, UnknownName):
        return 404, {"error": {"code": "unknown-name", "message": error_text(error, lang, game)}}
    return 422, {"error": {"code": "bad-request", "message": error_text(error, lang, game)}}
