"""The odds book: one case in, exact chances out, by the laws that the game itself plays by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grognard.games.blitzkrieg import proposals
from grognard.games.blitzkrieg.doors import Book
from grognard.kernel.texts import texts_for

from .closing import odds_assault, odds_overrun, odds_tank_assault
from .firing import odds_fire
from .raining import odds_air, odds_barrage, odds_mines
from .reading import FREE, INPUT, CaseError, Words, read_book
from .shooting import odds_shot
from .testing import odds_detect, odds_sniper, odds_test

OPENED = proposals.ALL  # the proposals answer once they are imported
KINDS: dict[str, Callable[[Book, Words], dict[str, Any]]] = {
    "fire": odds_fire,
    "shot": odds_shot,
    "barrage": odds_barrage,
    "overrun": odds_overrun,
    "assault": odds_assault,
    "tank-assault": odds_tank_assault,
    "mines": odds_mines,
    "air": odds_air,
    "sniper": odds_sniper,
    "test": odds_test,
    "detect": odds_detect,
}


def odds_case(case: Any, lang: str = "en") -> dict[str, Any]:
    """The answer to a case, or `{"error": {"rule", "message"}}`."""
    try:
        words = Words(case, "case", FREE)
        for name in FREE:
            if name in words.data and not isinstance(words.data[name], str):
                raise CaseError(INPUT, f"{name}: a text is wanted")
        kind = words.word("kind", KINDS)
        return KINDS[kind](read_book(words), words)
    except CaseError as error:
        return {"error": {"rule": error.rule, "message": message(error, lang)}}


def message(error: CaseError, lang: str) -> str:
    """The sentence of a refusal, where the game has one; else what is wrong."""
    found = texts_for("blitzkrieg", lang).find(f"refusal.{error.what}")
    return found if found and "{" not in found else error.what
