"""New tables: set up, taken in from a file, played again; and how one is written down."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from dataclasses import asdict
from typing import TYPE_CHECKING

from grognard.games import find_game
from grognard.kernel.gamefile import GameFile
from grognard.kernel.session import Session
from grognard.server import intake, old, ratings
from grognard.server.errors import Problem
from grognard.server.lobby import lobby_facts
from grognard.server.messages import Json
from grognard.server.old import OldTable
from grognard.server.people import Person, hashed, new_id
from grognard.server.standing import Seat
from grognard.server.table import Table, action_rows
from grognard.server.terms import Terms, terms_from
from grognard.server.titles import MOST_TITLE, plain_title, title_again
from grognard.server.wishes import MOST_PLAYERS, clock_from, dice_from, needs_dice, seats_from

if TYPE_CHECKING:
    from grognard.server.hall import Hall


async def create(hall: Hall, person: Person, order: Json, lang: str) -> tuple[Table, dict[str, str]]:
    """A new table; the invitations for its open seats, which are told only now."""
    game = find_game(str(order.get("game", "")))
    scenario = str(order.get("scenario") or game.scenarios[0])
    options = {str(k): str(v) for k, v in (order.get("options") or {}).items()}
    entropy = [" ".join(str(order["entropy"]).split())[:200]] if order.get("entropy") else []
    title = " ".join(str(order.get("title") or "").split())[:MOST_TITLE]
    session = Session.new(
        game,
        scenario,
        options,
        seed=secrets.token_hex(32),
        game_id=new_id(),
        entropy=entropy,
        title=title,
        dice=dice_from(order.get("dice")),
    )
    clock = clock_from(order.get("time"), len(game.sides))
    seats, invitations = seats_from(session, order.get("seats") or {}, person)
    terms = terms_from(order.get("terms"))
    if terms.rated:
        ratings.check_seats(seats, person)
    return await _open(hall, person, session, seats, invitations, title, clock, terms, lang)


async def take_in(
    hall: Hall, person: Person, file: GameFile, wishes: Json, lang: str, *, known_dice: bool = False
) -> tuple[Table, dict[str, str]]:
    """A table that goes on from a game file.

    Who imports a file may know its dice and everything hidden in it. Alone, that is nobody's business. Where others
    are to play, the game goes on from the file's last position with dice of its own, or keeps the file's dice if it
    is so wished; in both cases it bears a mark that everybody sees.
    """
    async with hall.importing:
        session = await asyncio.to_thread(intake.play, file, hall.settings)
        seats, invitations = seats_from(session, wishes, person)
        if invitations and session.result is None:
            session = await asyncio.to_thread(intake.go_on, session, new_id(), known_dice=known_dice)
    h = session.header
    h.title = title = h.title[:MOST_TITLE]
    h.players = h.players[:MOST_PLAYERS]
    stage = "" if known_dice else None
    return await _open(hall, person, session, seats, invitations, title, {}, Terms(), lang, stage)


async def open_for_one(hall: Hall, person: Person, session: Session, seats: list[Seat], title: str, lang: str) -> Table:
    """A table for one person and the computer, from a game that has begun already."""
    table, _ = await _open(hall, person, session, seats, {}, title, {}, Terms(watchers="nobody"), lang, "")
    return table


async def rematch(hall: Hall, table: Table, person: Person) -> Table:
    """The same again with the same people, the same time and new dice."""
    async with table.settled():
        if table.session.result is None:
            raise Problem(409, "not-over")
        if table.next_table:
            return await hall.find(table.next_table)
        game, header = table.session.game, table.session.header
        title = title_again(table.title, game.name, header.scenario)
        session = Session.new(
            game,
            header.scenario,
            header.options,
            seed=secrets.token_hex(32),
            game_id=new_id(),
            title=title,
            dice=header.dice,
        )
        seats = [Seat(s.side, s.kind, s.person, s.name, s.level) for s in table.seats]
        new = await _keep(hall, person.id, session, seats, title, table.clock.anew(), {}, table.terms)
        new = await _only_one(hall, table.id, new)
        table.next_table = new.id
    table.tell_all({"type": "rematch", "table": new.id})
    hall.wake(new)
    return new


async def _open(
    hall: Hall,
    person: Person,
    session: Session,
    seats: list[Seat],
    tokens: dict[int, str],
    title: str,
    clock: Json,
    terms: Terms,
    lang: str,
    stage: str | None = None,
) -> tuple[Table, dict[str, str]]:
    """A new table, and the invitations to its seats."""
    title = title or plain_title(session.game.name, session.header.scenario, lang)
    table = await _keep(hall, person.id, session, seats, title, clock, tokens, terms, stage)
    hall.wake(table)
    return table, {session.game.side_name(side): f"/join#{token}" for side, token in tokens.items() if token}


async def _only_one(hall: Hall, table_id: str, new: Table) -> Table:
    """What follows a table: this new one, unless somebody was quicker, perhaps at another server."""
    if await hall.run(hall.store.set_next, table_id, new.id):
        return new
    hall.tables.pop(new.id, None)
    await hall.run(hall.store.drop_table, new.id)
    row = await hall.run(hall.store.table, table_id)
    return await hall.find(row["next_table"])


async def _keep(
    hall: Hall,
    owner: str,
    session: Session,
    seats: list[Seat],
    title: str,
    clock: Json,
    tokens: dict[int, str],
    terms: Terms,
    stage: str | None = None,
) -> Table:
    """Write a new table down, then hold it."""
    hall.room.make_room(hall.thinking)
    table_id, now = new_id(), time.time()
    if stage is None:
        stage = "dice" if needs_dice(seats) and session.result is None else ""
    if clock and not stage:
        clock["since"] = hall.uptime.now()
    table = Table(table_id, title, session, seats, 0, clock, hall.recorder.record, hall.uptime.now)
    table.owner, table.terms, table.stage, table.stage_at = owner, terms, stage, now
    row = {
        "id": table_id,
        "title": title,
        "game": session.game.name,
        "header": json.dumps(asdict(session.header)),
        "version": 0,
        "over": session.result is not None,
        "clock": json.dumps(clock),
        "created": now,
        "updated": now,
        "owner": owner,
        "next_table": "",
        "lobby": json.dumps(lobby_facts(session, table.owing())),
        "stage": stage,
        "stage_at": now,
        "listed": terms.listed,
        "terms": json.dumps(terms.kept()),
        "begun": session.chain0,
    }
    hashes = {side: hashed(token) for side, token in tokens.items() if token}
    seat_rows = [asdict(seat) | {"table_id": table_id, "invitation": hashes.get(seat.side, "")} for seat in seats]
    await hall.run(hall.store.add_table, row, seat_rows, action_rows(table_id, session, 0, now))
    await hall.hold(table)
    return table


async def go_on(hall: Hall, table: OldTable, person: Person, *, agree: bool) -> tuple[str, list[int]]:
    """Agree to go on under the present rules; the id of the new table once all have, and who has agreed."""
    sides = table.sides_of(person)
    if not sides:
        raise Problem(403, "not-your-seat", side="")
    async with table.going_on:  # who presses twice, or together, gets one table
        row = await hall.run(hall.store.table, table.id)
        if row["next_table"]:
            table.row = row
            return str(row["next_table"]), table.agreed
        return await _when_all_agree(hall, table, person, sides, agree=agree)


async def _when_all_agree(
    hall: Hall, table: OldTable, person: Person, sides: list[int], *, agree: bool
) -> tuple[str, list[int]]:
    if not await asyncio.to_thread(table.can_continue):
        raise Problem(409, "cannot-go-on")
    await hall.run(old.consent, hall.store, table.id, sides, agree=agree)
    table.agreed = await hall.run(old.consents, hall.store, table.id)
    people = {seat.side for seat in table.seats if seat.kind == "human"}
    if not people <= set(table.agreed):
        return "", table.agreed
    s = await asyncio.to_thread(table.position)
    session = Session(table.game, table.taken_up(s, secrets.token_hex(32)))
    seats = [Seat(x.side, x.kind, x.person, x.name, x.level) for x in table.seats]
    owner = table.row["owner"] or person.id
    new = await _keep(hall, owner, session, seats, table.row["title"], table.clock(), {}, table.terms)
    new = await _only_one(hall, table.id, new)
    hall.old.pop(table.id, None)
    hall.wake(new)
    return new.id, table.agreed
