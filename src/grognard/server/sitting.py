"""Sitting down at a table, and getting up: seats, invitations, terms; people who change their name, or leave."""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from grognard.kernel.errors import GrognardError
from grognard.server import belongings, ratings, seating
from grognard.server.errors import Problem
from grognard.server.old import OldRules
from grognard.server.people import Person, hashed
from grognard.server.standing import Seat
from grognard.server.table import Table
from grognard.server.terms import Terms, terms_from, terms_of
from grognard.server.titles import entitled

if TYPE_CHECKING:
    from grognard.server.hall import Hall

LOG = logging.getLogger("grognard.server")


async def invited(hall: Hall, token: str) -> dict[str, Any]:
    """What an invitation is to: game, scenario, side and who plays there already; it is not used up by looking."""
    row = await hall.run(hall.store.seat_by_invitation, hashed(token))
    if row is None:
        raise Problem(404, "bad-invitation")
    table = await hall.find(row["table_id"])
    header, host = table.session.header, [seat.name for seat in table.seats if seat.kind == "human" and seat.name]
    told = entitled(table.title, header.game, header.scenario)
    told |= {"game": header.game, "scenario": header.scenario, "options": header.options, "host": ", ".join(host)}
    return told | {"side": table.session.game.side_name(row["side"]), "mark": header.mark}


async def join(hall: Hall, person: Person, token: str) -> tuple[Table, str]:
    """Take the seat that an invitation is for."""
    row = await hall.run(hall.store.seat_by_invitation, hashed(token))
    if row is None:
        raise Problem(404, "bad-invitation")
    table = await hall.find(row["table_id"])
    side = table.session.game.side_name(row["side"])
    await sit(hall, table, person, row["side"], token)
    return table, side


async def sit(hall: Hall, table: Table, person: Person, side: int, token: str = "") -> None:
    """Take a free seat; coming back to one's own is fine. The store decides who was first."""
    async with table.lock:
        seat = table.seat_of(side)
        if seat.kind == "human" and seat.person == person.id:
            return
        if table.terms.rated:
            ratings.check_guest(person)
            if table.sides_of(person):
                raise Problem(409, "rated-seats")
        who, once = (person.id, person.name), table.terms.rated
        taken = await hall.run(seating.take_seat, hall.store, table.id, side, *who, token, once=once)
        await refresh_seats(hall, table)
        seat = table.seat_of(side)
        if not taken and not (seat.kind == "human" and seat.person == person.id):
            if table.terms.rated and table.sides_of(person):  # at another server, a moment ago
                raise Problem(409, "rated-seats")
            if token and seat.kind in seating.FREE:  # taken back while it was on its way
                raise Problem(404, "bad-invitation")
            code = "seat-reserved" if seat.kind == "invited" else "seat-taken"
            raise Problem(409, code, side=table.session.game.side_name(side))
        table.stage_at = time.time()
    table.tell_dice()
    hall.wake(table)


async def refresh_seats(hall: Hall, table: Table) -> None:
    """The seats as the store has them."""
    rows = await hall.run(hall.store.seats, table.id)
    table.seats = [Seat(r["side"], r["kind"], r["person"], r["name"], r["level"]) for r in rows]


async def reserve(hall: Hall, table: Table, person: Person, side: int, *, opened: bool) -> str:
    """The owner opens a free seat to everybody, or reserves it by a new invitation."""
    if person.id != table.owner:
        raise Problem(403, "not-owner")
    async with table.lock:
        token = await hall.run(seating.reserve, hall.store, table.id, side, opened=opened)
        await refresh_seats(hall, table)
    if token is None:
        raise Problem(409, "seat-taken", side=table.session.game.side_name(side))
    table.tell_dice()
    return f"/join#{token}" if token else ""


async def set_terms(hall: Hall, table: Table, person: Person, wish: Any) -> Terms:
    """The owner says who may see, watch and speak; every server that shows the table reads it again."""
    if person.id != table.owner:
        raise Problem(403, "not-owner")
    async with table.lock:
        await read_terms(hall, table)
        terms = terms_from(wish, table.terms)
        if terms.rated != table.terms.rated:
            raise Problem(422, "rated-fixed")
        others = {seat.person for seat in table.seats if seat.kind == "human"} - {person.id}
        if table.stage and others and terms.patience < table.terms.patience:
            raise Problem(422, "bad-terms")  # who sat down relied on it: their share must not be left out sooner
        await hall.run(seating.set_terms, hall.store, table.id, terms.listed, terms.kept())
        table.terms = terms
    keep_terms(table)
    table.pass_on({"terms": table.id})
    return terms


async def read_terms(hall: Hall, table: Table) -> None:
    """The terms, and whose the table is, as the store has them."""
    row = await hall.run(hall.store.table, table.id)
    if row is not None:
        table.terms, table.owner = terms_of(row), row["owner"]
        table.next_table = row["next_table"]


def keep_terms(table: Table) -> None:
    """Who may no longer watch is told nothing more; the others see everything anew."""
    for watcher in list(table.watchers):
        if not table.admits(watcher.person):
            table.watchers.discard(watcher)
    table.tell_states()


# People who change their name, or leave; each of these is done at every server


async def rename(hall: Hall, before: Person, after: Person) -> None:
    """A guest has opened an account: seats, tables and open sockets are the account's now."""
    rename_here(hall, before, after)
    await tell_servers(hall, {"renamed": asdict(before), "now": asdict(after)})


def rename_here(hall: Hall, before: Person, after: Person) -> None:
    """The same, of the tables and sockets of this server."""
    for table in list(hall.tables.values()):
        for seat in table.seats:
            if seat.person == before.id:
                seat.person, seat.name = after.id, after.name
        if table.owner == before.id:
            table.owner = after.id
    for line in list(hall.lines):
        line.rename(before, after)
    for old_table in hall.old.values():
        for seat in old_table.seats:
            if seat.person == before.id:
                seat.person, seat.name = after.id, after.name


async def hang_up(hall: Hall, *, visitor: str = "", account: str = "") -> None:
    """Close the sockets of a browser, or of an account, that is no longer who it was."""
    await hang_up_here(hall, visitor, account)
    await tell_servers(hall, {"away": visitor, "account": account})


async def hang_up_here(hall: Hall, visitor: str, account: str) -> None:
    """The sockets of this server."""
    for line in list(hall.lines):
        if line.person.visitor == visitor or line.person.id == account:
            await line.hang_up()


async def leave_everywhere(hall: Hall, person: Person) -> None:
    """Resign every running game of an account that goes; whoever owns a table does it there."""
    for table_id, side in await hall.run(belongings.running_seats, hall.store, person.id):
        try:
            try:
                await leave_table(hall, person, table_id, side)
            except Problem:  # the store may have refused what was under way: then the game goes on, and is read again
                await leave_table(hall, person, table_id, side)
        except OldRules:
            continue  # a game of earlier rules is only looked at; it never ends
        except GrognardError:
            LOG.exception("leaving table %s", table_id)
    forget_here(hall, person.id, person.name)
    await tell_servers(hall, {"gone": person.id, "name": person.name})


async def leave_table(hall: Hall, person: Person, table_id: str, side: int) -> None:
    """Resign, unless the game has ended."""
    from grognard.server.live import perform

    table = await hall.find(table_id)
    async with table.settled():
        goes_on = not table.stage and table.session.result is None
    if goes_on:
        await perform(hall, table, person, "resign", {"side": table.session.game.side_name(side)})


def forget_here(hall: Hall, person: str, name: str) -> None:
    """The name of somebody who has left is at no table of this server any more."""
    for table in list(hall.tables.values()):
        table.chat = without_name(table.chat, name)
        sat = [seat for seat in table.seats if seat.person == person]
        if not sat:
            continue
        unlocked = len(table.shares) < len(table.humans)
        for seat in sat:
            seat.person, seat.name = "", "" if table.stage else belongings.GONE
            seat.kind = "invited" if table.stage else seat.kind
            if unlocked:
                table.shares.pop(seat.side, None)
        table.tell_seats()
    for old_table in hall.old.values():
        old_table.chat = without_name(old_table.chat, name)
        for seat in old_table.seats:
            if seat.person == person:
                seat.person, seat.name = "", belongings.GONE


def without_name(chat: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    """Lines of which those of somebody who has left are nobody's."""
    return [line | {"author": belongings.GONE} if name and line["author"] == name else line for line in chat]


async def tell_servers(hall: Hall, message: dict[str, Any]) -> None:
    """The other servers on the same database, if there are any; what cannot be told now, they read later."""
    if hall.peers is not None:
        with suppress(GrognardError):
            await hall.peers.say(message)
