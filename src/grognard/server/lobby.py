"""Lines of the lobby."""

from __future__ import annotations

import json

from grognard.games import find_game
from grognard.kernel.record import Side
from grognard.kernel.session import Session
from grognard.server.messages import Json
from grognard.server.people import Person
from grognard.server.titles import entitled

DRAW = "draw"


def lobby_facts(session: Session, waiting: tuple[Side, ...] | None = None) -> Json:
    """What the lobby shows of a position."""
    s = session.state
    return {
        "winner": winner_of(session),
        "waiting": [session.game.side_name(side) for side in (s.waiting if waiting is None else waiting)],
        "turn": getattr(s, "turn", None),
        "actions": len(session.entries),
    }


def winner_of(session: Session) -> str | None:
    """Who won a game that is over, or `draw`."""
    result = session.result
    if result is None:
        return None
    return DRAW if result.winner is None else session.game.side_name(result.winner)


def summary_of_row(row: Json, seats: list[Json], person: Person) -> Json:
    """One line of the lobby for a table that sleeps in the store."""
    sides = find_game(row["game"]).sides
    facts: Json = {"winner": None} | json.loads(row["lobby"])
    header = json.loads(row["header"])
    return facts | {
        "stage": row["stage"],
        "mark": header.get("mark", ""),
        "id": row["id"],
        **entitled(row["title"], row["game"], header["scenario"]),
        "game": row["game"],
        "scenario": header["scenario"],
        "seats": [
            {
                "side": sides[seat["side"]],
                "kind": seat["kind"],
                "name": seat["level"] if seat["kind"] == "ai" else seat["name"],
                "online": seat["kind"] == "ai",
            }
            for seat in seats
        ],
        "mine": [sides[seat["side"]] for seat in seats if seat["kind"] == "human" and seat["person"] == person.id],
        "over": row["over"],
        "version": row["version"],
    }
