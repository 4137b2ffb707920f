"""What the terminal shows of a position."""

from __future__ import annotations

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
