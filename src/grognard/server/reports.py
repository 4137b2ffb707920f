"""The report after a game and the hint during one: worked out by a worker, told in the asker's language."""

from __future__ import annotations

import asyncio
import logging
import re
from collections import OrderedDict
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from grognard.ai import aftermath
from grognard.ai.advice import advise
from grognard.games import find_game
from grognard.kernel.dice import seed_from
from grognard.kernel.flow import Order
from grognard.kernel.gamefile import from_session, from_text, replay, to_text
from grognard.kernel.record import REFEREE, Side
from grognard.kernel.session import Session
from grognard.server import resume, thinking
from grognard.server.errors import Problem
from grognard.server.messages import Json, log_lines, narrator_for, result_json
from grognard.server.table import Table

if TYPE_CHECKING:
    from grognard.server.hall import Hall

LOG = logging.getLogger("grognard.server")
KEPT = 200  # reports in memory
WAIT = 0.4  # seconds that the first question waits for a short report
DULL = ("roll", "turn", "month", "phase", "player", "weather")  # what would have come anyway
LISTS = ("turning", "rolls", "costly")


class Reports:
    """The reports of one hall, each made once."""

    def __init__(self) -> None:
        self.made: OrderedDict[str, Json] = OrderedDict()
        self.making: dict[str, tuple[asyncio.Task[Json], int]] = {}


HALLS: WeakKeyDictionary[Hall, Reports] = WeakKeyDictionary()


def reports_of(hall: Hall) -> Reports:
    """Where the reports of a hall are."""
    return HALLS.setdefault(hall, Reports())


def check_over(table: Table) -> None:
    """Stop at a game that goes on; ask it of a table that is `settled`."""
    if table.session.result is None:
        raise Problem(409, "not-over")


async def report(hall: Hall, table: Table, lang: str) -> Json:
    """The report of a finished game, or how far it is: `{"done", "total"}`."""
    check_over(table)
    kept = reports_of(hall)
    if table.id not in kept.made:
        if table.id not in kept.making:
            begin(hall, table, kept)
        task, slot = kept.making[table.id]
        await asyncio.wait({task}, timeout=WAIT)
        if not task.done():
            done, total, _ = hall.computer.slots.progress(slot) if hall.computer.slots else (0, 0, -1)
            return {"done": done, "total": total}
        if task.exception() is not None:
            raise Problem(500, "no-report")
    kept.made.move_to_end(table.id)
    return in_words(table.session, kept.made[table.id], lang)


def begin(hall: Hall, table: Table, kept: Reports) -> None:
    """Set a worker to it."""
    _, slots = hall.computer.workers()
    slot = slots.take()

    async def work() -> Json:
        try:
            await asyncio.to_thread(resume.complete, table.session)
            text = await asyncio.to_thread(lambda: to_text(from_session(table.session)))
            people = [seat.side for seat in table.seats if seat.kind == "human"]
            found: Json = await hall.computer.beside(write_report, text, people, slot)
            kept.made[table.id] = found
            while len(kept.made) > KEPT:
                kept.made.popitem(last=False)
            return found
        except Exception:
            LOG.exception("the report of table %s", table.id)
            raise
        finally:
            slots.give_back(slot)
            kept.making.pop(table.id, None)

    kept.making[table.id] = asyncio.create_task(work()), slot


def write_report(text: str, people: list[Side], slot: int) -> Json:
    """Runs in a worker."""

    def tell(done: int, total: int) -> None:
        if slot >= 0 and thinking.board is not None:
            thinking.board[4 * slot + thinking.DONE], thinking.board[4 * slot + thinking.TOTAL] = done, total

    return aftermath.report(replay(from_text(text), find_game), people, tell)


def in_words(session: Session, found: Json, lang: str) -> Json:
    """The report with its actions as sentences; the game is over, so nothing is a secret."""
    told = dict(found) | {"result": result_json(session, lang)}
    narrator = narrator_for(session.game.name, lang)
    for name in LISTS:
        told[name] = [row | what_happened(session, row["n"], lang) for row in found[name]]
    told["costly"] = [row | {"instead": bare(narrator.action(tuple(row["better"])))} for row in told["costly"]]
    return told


def what_happened(session: Session, n: int, lang: str) -> Json:
    """What was done at an entry, and the last thing that came of it."""
    line = log_lines(session, REFEREE, lang, n - 1, n)[0]  # the game is over: units have their names
    came = [event["text"] for event in line["events"] if event["kind"] not in DULL]
    return {"text": bare(line.get("text", "")), "came": came[-1] if came else ""}


def bare(action: str) -> str:
    """An action without the words that one would type for it."""
    return re.sub(r"\s*\[[^\]]*\]", "", action)


# The hint


async def hint(hall: Hall, table: Table, side: Side, lang: str) -> Json:
    """What the computer would do here: for somebody who plays against the computer alone."""
    if any(seat.kind != "ai" and seat.person != table.seat_of(side).person for seat in table.seats):
        raise Problem(403, "no-hint")
    async with table.settled():
        session, version = table.session, table.version
        if table.stage or side not in session.state.waiting or session.result is not None:
            raise Problem(409, "no-hint-now")
        game, s, luck = session.game, session.state, session.luck(side)
    found = await hall.computer.beside(find_hint, game.name, s.to_json(), side, luck)
    if table.version != version:
        raise Problem(409, "stale", yours=version, now=table.version)
    narrator = narrator_for(game.name, lang).looking_at(s, side)
    motive = narrator.say(f"motive.{found['motive'][0]}", **found["motive"][1]) if found["motive"] else ""
    return {
        "orders": found["orders"],
        "texts": [bare(narrator.action(order)) for order in found["orders"]],
        "motive": motive,
        "level": found["level"],
        "chance": found["chance"],
    }


def find_hint(game_name: str, position: Json, side: Side, seed: str) -> Json:
    """Runs in a worker: the advised action and, where it only picks something up, the next one."""
    game = find_game(game_name)
    s = game.load(position)
    advice = advise(game, s, side, seed)
    orders: list[Order] = [game.write(s, side, advice.action)]
    then = game.redeal(s, side, seed_from(f"{seed} hint"))
    drawn, depth = then.draws, len(then.frames)
    game.apply(then, side, advice.action, trusted=True)
    if side in then.waiting and then.draws == drawn and len(then.frames) >= depth and len(game.legal(then, side)) > 1:
        orders.append(game.write(then, side, advise(game, then, side, seed).action))
    return {"orders": orders, "motive": advice.motive, "level": advice.level, "chance": advice.chance}
