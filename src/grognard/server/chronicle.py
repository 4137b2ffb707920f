"""The chronicle of a game: what each side saw and was told, so that it can be looked at under any later rules.

A part tells of a run of entries: for every side, the spectators and the referee the view at its start, what each entry
changed, the lines of the log in both languages and the lines of the game file; and the position at its end, from which
a game may go on. While a game goes on, a part ends where undo ends; when it rests, one more tells the rest, which is
written anew when the game has moved on. Parts are packed JSON.
"""

from __future__ import annotations

import json
import zlib
from typing import Any

import sqlalchemy as sa

from grognard.kernel.gamefile import from_session, to_json
from grognard.kernel.record import REFEREE, SPECTATOR, Side
from grognard.kernel.session import Session
from grognard.server import resume
from grognard.server.messages import Json, difference, log_lines, result_json
from grognard.server.store import CHRONICLES, Store

STEP = 64  # entries after which a part is written while the game goes on
LANGUAGES = ("en", "fr")


def part_of(session: Session, since: int, *, whole: bool = False) -> tuple[int, bytes] | None:
    """The next part of a chronicle, after entry `since`: its last entry and its bytes; None if there is nothing new.

    `whole` tells also what could still be undone.
    """
    over = session.result is not None
    upto = len(session.entries) if over or whole else session.closed
    if upto <= since and not (upto == since == 0):
        return None
    resume.complete(session)
    game = session.game
    audiences: list[Side] = [*range(len(game.sides)), SPECTATOR, REFEREE]
    files = {side: to_json(from_session(session, side)) for side in audiences}
    told: dict[str, Json] = {}
    for side in audiences:
        told[game.side_name(side)] = {
            "changes": [],
            "log": {lang: log_lines(session, side, lang, since, upto) for lang in LANGUAGES},
            "file": files[side]["actions"][since:upto],
            "opening": files[side]["opening"],
            "opening_draws": files[side].get("opening_draws", ""),
        }
    s = session.position(since)
    known = {side: game.view(s, side) for side in audiences}
    for side in audiences:
        told[game.side_name(side)]["view"] = known[side]
    for number in range(since + 1, upto + 1):
        s = session.position(number) if number in session.snapshots else session.after(s, number)
        for side in audiences:
            view = game.view(s, side)
            told[game.side_name(side)]["changes"].append(difference(known[side], view))
            known[side] = view
    part = {
        "sides": told,
        "position": s.to_json() | {"seed": ""},
        "waiting": [game.side_name(side) for side in s.waiting],
        "results": {lang: result_json(session, lang) for lang in LANGUAGES} if over else {},
        "chain0": session.chain0,
    }
    return upto, zlib.compress(json.dumps(part, separators=(",", ":")).encode(), 6)


def write(store: Store, table_id: str, since: int, upto: int, part: bytes) -> None:
    """Keep a part, instead of any that told of the same entries."""
    with store.writing() as db:
        later = CHRONICLES.c.upto > since if since else sa.true()
        db.execute(CHRONICLES.delete().where(CHRONICLES.c.table_id == table_id, later))
        db.execute(CHRONICLES.insert().values(table_id=table_id, upto=upto, since=since, part=part))


def chronicled(store: Store, table_id: str, session: Session) -> int:
    """How many entries are in the chronicle for good; -1 for a game that has none."""
    firm = len(session.entries) if session.result is not None else session.closed
    with store.engine.connect() as db:
        query = sa.select(CHRONICLES.c.since, CHRONICLES.c.upto).where(CHRONICLES.c.table_id == table_id)
        row = db.execute(query.order_by(CHRONICLES.c.upto.desc())).first()
    if row is None:
        return -1
    return int(row.upto if row.upto <= firm else row.since)


def parts(store: Store, table_id: str) -> list[tuple[int, int, Json]]:
    """Every part in order: since, upto, what it tells."""
    with store.engine.connect() as db:
        rows = db.execute(sa.select(CHRONICLES).where(CHRONICLES.c.table_id == table_id).order_by(CHRONICLES.c.upto))
        return [(row.since, row.upto, json.loads(zlib.decompress(row.part))) for row in rows]


def patched(view: Json, change: Json) -> Json:
    """A view after a change: the inverse of `messages.difference`."""
    new: Json = {key: value for key, value in view.items() if key not in change.get("unset", ())} | change["set"]
    if "pieces" in view or change["pieces"]:
        fresh = {piece["id"]: piece for piece in change["pieces"]}
        gone = set(change["gone"])
        kept = [fresh.pop(piece["id"], piece) for piece in view.get("pieces", ()) if piece["id"] not in gone]
        new["pieces"] = sorted([*kept, *fresh.values()], key=lambda piece: str(piece["id"]))
    overlays = change.get("overlays")
    if overlays is not None:
        known = {overlay["key"]: overlay for overlay in [*view.get("overlays", ()), *overlays["changed"]]}
        new["overlays"] = [known[key] for key in overlays["order"]]
    return new


def view_at(found: list[tuple[int, int, Json]], side: str, at: int) -> Json | None:
    """What a side saw after entry `at`; None if no part tells it."""
    for since, upto, part in found:
        if since <= at <= upto:
            view: Any = part["sides"][side]["view"]
            for change in part["sides"][side]["changes"][: at - since]:
                view = patched(view, change)
            return dict(view)
    return None
