"""What the terminal shows of a position."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from grognard.kernel.game import Game
from grognard.kernel.narrate import Narrator
from grognard.kernel.record import Side


def situation(game: Game[Any], s: Any, side: Side, narrator: Narrator) -> str:
    """The game's own picture, or a plain listing of the view."""
    return game.situation(s, side, narrator.say) or listing(game.view(s, side), narrator)


def listing(view: dict[str, Any], narrator: Narrator) -> str:
    """Every game can be shown like this: the plain facts, then the pieces by place."""
    rows = []
    for key, value in view.items():
        if isinstance(value, int | str) and key not in ("game", "scenario", "draws", "decision"):
            rows.append(f"{narrator.texts.find(f'field.{key}') or key}: {narrator.texts.name(value)}")
    places: dict[str, list[str]] = {}
    for piece in view.get("pieces", []):
        facts = " ".join(
            f"{key} {narrator.texts.name(value)}"
            for key, value in piece.items()
            if key not in ("id", "known", "at") and value not in (None, 0, "")
        )
        places.setdefault(str(piece.get("at") or "-"), []).append(f"{narrator.texts.name(piece['id'])} ({facts})")
    rows += [f"  {place}: {', '.join(pieces)}" for place, pieces in sorted(places.items())]
    return "\n".join(rows)


def percent(chance: Fraction) -> str:
    """A chance to a tenth of a percent; 0 and 100 only when certain.

    >>> percent(Fraction(7, 36)), percent(Fraction(1, 10**6)), percent(Fraction(1))
    ('19.4 %', '< 0.1 %', '100 %')
    """
    if chance in (0, 1):
        return f"{int(100 * chance)} %"
    tenths = round(1000 * chance)
    if tenths == 0:
        return "< 0.1 %"
    if tenths == 1000:
        return "> 99.9 %"
    return f"{tenths // 10}.{tenths % 10} %"


def odds_text(odds: Any, narrator: Narrator, indent: int = 0) -> str:
    """A game's odds as lines; fractions as percentages with a bar, keys in words where the game has them."""
    if isinstance(odds, dict) and isinstance(odds.get("text"), str):
        return str(odds["text"])
    find = narrator.texts.find
    pad = "  " * indent
    if isinstance(odds, dict):
        rows = []
        for key, value in odds.items():
            word = find(f"odds.{key}") or find(f"side.{key}") or str(key)
            if isinstance(value, dict | list):
                rows.append(pad + narrator.say("play.says", who=word, what="").rstrip())
                rows.append(odds_text(value, narrator, indent + 1))
            else:
                rows.append(f"{pad}{word:<16} {_odds_word(value, narrator)}")
        return "\n".join(row for row in rows if row)
    if isinstance(odds, list):
        if all(not isinstance(item, dict | list) for item in odds):
            return pad + ", ".join(_odds_word(item, narrator) for item in odds)
        return "\n".join(odds_text(item, narrator, indent) for item in odds)
    return pad + _odds_word(odds, narrator)


def _odds_word(value: Any, narrator: Narrator) -> str:
    if isinstance(value, bool):
        return narrator.say("play.yes" if value else "play.no")
    if isinstance(value, str) and re.fullmatch(r"\d+/\d+", value):
        chance = Fraction(value)
        return f"{percent(chance):>8}  {'#' * round(30 * chance)}".rstrip()
    return "-" if value is None else str(value)
