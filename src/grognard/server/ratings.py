"""Ratings: how strong people and levels of the computer are in a title, from the rated games that they finished.

A rating is Glickman's (Glicko, each game a period of its own): a number and how sure it is. It is worked out from the
finished tables whenever it is asked for, so nothing can be written into it but games.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import sqlalchemy as sa

from grognard.games import find_game
from grognard.server.belongings import NOBODY
from grognard.server.errors import Problem
from grognard.server.people import Person
from grognard.server.schema import SEATS, TABLES
from grognard.server.standing import Seat
from grognard.server.store import Store

START, UNSURE, SUREST = 1500.0, 350.0, 50.0  # a newcomer; nobody is ever surer than the last
SCALE = math.log(10) / 400


class Game(NamedTuple):
    """A rated game: two players, and what the first of them made of it (1, a half, 0)."""

    first: str
    second: str
    points: float


@dataclass
class Rating:
    """How strong somebody is, give or take."""

    value: float = START
    deviation: float = UNSURE
    games: int = 0

    def after(self, other: Rating, points: float) -> Rating:
        """One game later."""
        weight = 1 / math.sqrt(1 + 3 * (SCALE * other.deviation / math.pi) ** 2)
        expected = 1 / (1 + math.exp(-SCALE * weight * (self.value - other.value)))
        known = 1 / self.deviation**2 + (SCALE * weight) ** 2 * expected * (1 - expected)
        value = self.value + SCALE / known * weight * (points - expected)
        return Rating(value, max(SUREST, math.sqrt(1 / known)), self.games + 1)


def rated(games: Iterable[Game]) -> dict[str, Rating]:
    """Everybody who played, after these games in this order."""
    found: dict[str, Rating] = {}
    for game in games:
        first, second = found.get(game.first, Rating()), found.get(game.second, Rating())
        found[game.first] = first.after(second, game.points)
        found[game.second] = second.after(first, 1 - game.points)
    return found


def ladder(store: Store, title: str) -> list[dict[str, Any]]:
    """The players of a title, the strongest first; levels of the computer among them."""
    query = (
        sa.select(TABLES.c.id, TABLES.c.lobby, SEATS.c.kind, SEATS.c.person, SEATS.c.name, SEATS.c.level, SEATS.c.side)
        .join(SEATS, SEATS.c.table_id == TABLES.c.id)
        .where(TABLES.c.game == title, TABLES.c.over, TABLES.c.terms.contains('"rated": true', autoescape=True))
        .order_by(TABLES.c.updated, TABLES.c.id, SEATS.c.side)
    )
    with store.engine.connect() as db:
        rows = [row._mapping for row in db.execute(query)]
    sides = find_game(title).sides
    names: dict[str, tuple[str, str]] = {}
    games = []
    for first, second in zip(rows[::2], rows[1::2], strict=True):
        winner = json.loads(first["lobby"]).get("winner")
        keys = [_key(first), _key(second)]
        if winner is None or keys[0] == keys[1] or "" in keys:
            continue
        for key, row in zip(keys, (first, second)):
            names[key] = (row["kind"], row["level"] if row["kind"] == "ai" else row["name"])
        won = sides.index(winner) == first["side"] if winner in sides else None
        games.append(Game(keys[0], keys[1], 0.5 if won is None else float(won)))
    ranked = sorted(rated(games).items(), key=lambda item: -item[1].value)
    found = [(key, r) for key, r in ranked if not key.startswith(NOBODY)]  # who has gone is ranked no more
    return [
        {"kind": names[key][0], "name": names[key][1], "rating": round(r.value), "deviation": round(r.deviation)}
        | {"games": r.games}
        for key, r in found
    ]


def _key(row: Any) -> str:
    """Who sat there: an account, somebody who has gone, or a level of the computer; nothing for a free seat."""
    return f"ai:{row['level']}" if row["kind"] == "ai" else row["person"]


def check_seats(seats: list[Seat], person: Person) -> None:
    """A rated game is between two, each an account or a level of the computer, not both the same."""
    people = [seat.kind != "ai" for seat in seats]
    if len(seats) != 2 or not any(people) or sum(seat.kind == "human" for seat in seats) > 1:
        raise Problem(422, "rated-seats")
    check_guest(person)


def check_guest(person: Person) -> None:
    """A guest has no rating."""
    if person.is_guest:
        raise Problem(409, "rated-guest")
