"""What somebody who sets a table up may wish: seats, time, a title."""

from __future__ import annotations

import json
import secrets
from typing import Any

from grognard.ai import offered
from grognard.kernel.ceremony import ALL, Share
from grognard.kernel.errors import UnknownName
from grognard.kernel.session import Header, Session
from grognard.server import seating
from grognard.server.errors import Problem
from grognard.server.messages import Json
from grognard.server.people import Person
from grognard.server.standing import Seat

MOST_PLAYERS = 400  # letters for who plays which side, in an imported file


def seats_from(session: Session, wishes: Json, person: Person) -> tuple[list[Seat], dict[int, str]]:
    """Seats as asked for, and for each that others may take its invitation (empty for a seat that is open to all)."""
    game, seats, tokens = session.game, [], {}
    levels = offered(game.name, session.state.scenario)
    for name in wishes:
        if name not in game.sides:
            raise UnknownName("side", str(name), game.sides)
    for side in game.playing(session.state):  # a game may have a side that these options do not use
        wish = str(wishes.get(game.sides[side], "open"))
        if wish == "me":
            seats.append(Seat(side, "human", person.id, person.name))
        elif wish in seating.FREE:
            seats.append(Seat(side, wish))
            tokens[side] = "" if wish == "open" else secrets.token_urlsafe(18)
        elif wish.removeprefix("ai:") in levels:
            seats.append(Seat(side, "ai", level=wish.removeprefix("ai:")))
        else:
            raise UnknownName("player", wish, ["me", *seating.FREE, *(f"ai:{level}" for level in levels)])
    return seats, tokens


def needs_dice(seats: list[Seat]) -> bool:
    """True where more than one person may play: then all of them make the dice."""
    free = any(seat.kind in seating.FREE for seat in seats)
    people = {seat.person for seat in seats if seat.kind == "human"}
    return len(people) > 1 or (free and sum(1 for seat in seats if seat.kind != "ai") > 1)


def header_from(row: Json) -> Header:
    """The header of a table as it is kept."""
    data = json.loads(row["header"])
    shares = tuple(Share(**share) for share in data.get("shares", ()))
    return Header(**data | {"entropy": tuple(data["entropy"]), "shares": shares})


def dice_from(wish: Any) -> str:
    """Who has a part in every die: `all` players, or (unless said otherwise) the one who orders."""
    if wish not in (None, "", "own", ALL):
        raise Problem(422, "bad-terms")
    return ALL if wish == ALL else ""


def clock_from(wish: Any, sides: int) -> Json:
    """A time bank as asked for."""
    if not wish:
        return {}
    try:
        bank, added = float(wish["bank_s"]), float(wish.get("per_action_s", 0))
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
        raise Problem(422, "bad-clock") from None
    if not 10 <= bank <= 10_000_000 or not 0 <= added <= 100_000:
        raise Problem(422, "bad-clock")
    return {"bank": [bank] * sides, "added": added, "full": bank}
