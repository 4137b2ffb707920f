"""Making the dice of a table: every player's program commits, then all show, then the game begins. See docs/dice.md."""

from __future__ import annotations

import time
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from grognard.kernel.ceremony import Share, is_word, share_commitment
from grognard.kernel.session import Session
from grognard.server import seating, sitting
from grognard.server.errors import Problem
from grognard.server.lobby import lobby_facts
from grognard.server.messages import Json
from grognard.server.packing import pack
from grognard.server.people import Person
from grognard.server.table import Table

if TYPE_CHECKING:
    from grognard.server.hall import Hall


async def obey(hall: Hall, table: Table, person: Person, order: Json) -> None:
    """A commitment, a share, or the wish to go on without the shares that do not come."""
    side = table.own_side(person, str(order.get("side", "")))
    async with table.lock:
        await look_again(hall, table)
        if table.stage != "dice":
            raise Problem(409, "dice-made")
        humans = len(table.humans)
        if "commitment" in order:
            await _commit(hall, table, side, order["commitment"], humans)
        elif "entropy" in order:
            await _show(hall, table, side, order["entropy"], humans)
        elif order.get("go_on") is True:
            await _go_on(hall, table, side)
        else:
            raise Problem(400, "bad-message")
        await look_again(hall, table)
        started = table.dice_step() == "made" and await begin(hall, table)
    table.tell_dice()
    if started:
        table.tell_states()
    hall.wake(table)


async def look_again(hall: Hall, table: Table) -> None:
    """The seats and shares as the store has them: another server may have written."""
    await sitting.refresh_seats(hall, table)
    row = await hall.run(hall.store.table, table.id)
    if row["stage"] != table.stage:
        table.broken = True  # the game has begun elsewhere
        raise Problem(409, "stale", yours=table.version, now=row["version"])
    table.stage_at = row["stage_at"]
    table.shares = await hall.run(seating.shares, hall.store, table.id)


async def _commit(hall: Hall, table: Table, side: int, commitment: object, humans: int) -> None:
    if not is_word(commitment):
        raise Problem(422, "bad-share")
    if not await hall.run(seating.commit_share, hall.store, table.id, side, commitment, humans):
        raise Problem(409, "share-late")


async def _show(hall: Hall, table: Table, side: int, entropy: object, humans: int) -> None:
    if table.dice_step() != "show":
        raise Problem(409, "share-early")
    commitment = table.shares[side][0]
    name, game_id = table.session.game.side_name(side), table.session.header.id
    if not is_word(entropy) or share_commitment(game_id, name, str(entropy)) != commitment:
        raise Problem(422, "other-share", side=name)
    if not await hall.run(seating.show_share, hall.store, table.id, side, commitment, entropy, humans):
        raise Problem(409, "share-early")


async def _go_on(hall: Hall, table: Table, side: int) -> None:
    """Without the shares that are missing: one's own at any time, those of others when patience is at an end."""
    step = table.dice_step()
    if step == "seats":
        raise Problem(409, "seats-first")
    missing = table.shares_missing()
    others = [other for other in missing if table.seat_of(other).person != table.seat_of(side).person]
    if others and time.time() < table.stage_at + table.terms.patience:
        raise Problem(409, "dice-patience")
    if step == "commit":
        await hall.run(seating.leave_out, hall.store, table.id, missing)
    else:
        table.without = set(missing)


async def begin(hall: Hall, table: Table) -> bool:
    """All that is wanted has come: the key is made and the game begins with it."""
    game = table.session.game
    made = [Share(game.side_name(side), *share) for side, share in sorted(table.shares.items())]
    session = Session(game, replace(table.session.header, shares=tuple(made)))
    if table.clock.bank:
        table.clock.since = table.uptime()
    facts = asdict(session.header), lobby_facts(session), table.clock.to_json(), session.chain0
    if not await hall.run(seating.begin, hall.store, table.id, *facts):
        table.broken = True
        raise Problem(409, "stale", yours=table.version, now="?")
    pack(session)
    table.session, table.stage, table.views = session, "", {}
    table.version += 1
    table.asked = table.version
    return True
