"""The chronicle of a game: what each side saw and was told, so that it can be looked at under any later rules.

While a game goes on, a part is written now and then: the lines of log and file for every side, and at its end the
position and what each side sees. Such a part ends where undo ends; when the game rests, one more tells the rest,
which is written anew when the game has moved on. Of a finished game everything is told: every view at every entry, the
log in both languages, the result. Views are worked out beside the server, in a process of its own. Parts are packed
JSON.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Hashable
from dataclasses import asdict
from typing import Any, NamedTuple

import sqlalchemy as sa

from grognard.games import find_game
from grognard.kernel.ceremony import Share
from grognard.kernel.gamefile import draws_text, lines_of, note_of
from grognard.kernel.kept import Shared
from grognard.kernel.record import REFEREE, SPECTATOR, Side
from grognard.kernel.session import Header, Session
from grognard.server import intake, resume
from grognard.server.journal import Logged
from grognard.server.messages import Json, difference, log_lines, result_json
from grognard.server.packing import Parcel, parcel_of, unpacked
from grognard.server.schema import ACTIONS, CHRONICLES, TABLES
from grognard.server.store import Store

STEP = 64  # entries after which a part is written while the game goes on
PAGE = 256  # entries of a part of a finished game
LANGUAGES = ("en", "fr")


def audiences(session: Session) -> list[Side]:
    """Everybody who is told something of their own."""
    return [*range(len(session.game.sides)), SPECTATOR, REFEREE]


class Gathered(NamedTuple):
    """The next part of a game in play: which entries, and the game while nobody could change it, in plain bytes."""

    since: int
    upto: int
    game: Parcel


def gather(session: Session, since: int, *, whole: bool = False) -> Gathered | None:
    """What the next part after entry `since` is made of; None if nothing is new.

    `whole` tells also what could still be undone.
    """
    upto = len(session.entries) if whole else session.closed
    if upto < since or (upto == since and since):
        return None
    resume.complete(session)
    return Gathered(since, upto, parcel_of(session, upto))


def written_out(gathered: Gathered) -> tuple[int, bytes]:
    """A part as it is kept; in a process of its own, so that what it takes is not the server's."""
    since, upto, session = gathered.since, gathered.upto, unpacked(gathered.game)
    s, told = session.position(upto), {}
    for side in audiences(session):
        told[session.game.side_name(side)] = {
            "lines": session.log_for(side, since, upto),
            "file": [asdict(line) for line in lines_of(session, side, since, upto)],
            "view": session.game.view(s, side),
        } | _opening(session, side)
    return upto, _packed(_about(session, s), told)


def part_of(session: Session, since: int, *, whole: bool = False) -> tuple[int, bytes] | None:
    """The next part of a game: its last entry and its bytes; None if nothing is new."""
    gathered = gather(session, since, whole=whole)
    return None if gathered is None else written_out(gathered)


def parts_of_finished(game: str, header: Json, actions: list[tuple[Any, ...]]) -> list[tuple[int, int, bytes]]:
    """Every part of a finished game: since, upto, bytes. Runs in a process of its own, so it gets plain data."""
    shares = tuple(Share(**share) for share in header["shares"])
    found = Header(**header | {"entropy": tuple(header["entropy"]), "shares": shares})
    session = intake.play_again(find_game(game), found, [Logged(*action) for action in actions])
    return whole_chronicle(session)


def whole_chronicle(session: Session) -> list[tuple[int, int, bytes]]:
    """Everything, in pages."""
    game, everybody = session.game, audiences(session)
    s, pages = session.position(0), []
    latest: dict[Hashable, Any] = {}
    for since in range(0, max(1, len(session.entries)), PAGE):
        upto = min(since + PAGE, len(session.entries))
        s.shared = Shared(latest)
        known = {side: game.view(s, side) for side in everybody}
        told: dict[str, Json] = {}
        for side in everybody:
            told[game.side_name(side)] = {
                "first": known[side],
                "changes": [],
                "log": {lang: log_lines(session, side, lang, since, upto) for lang in LANGUAGES},
                "file": [asdict(line) for line in lines_of(session, side, since, upto)],
            } | _opening(session, side)
        for number in range(since + 1, upto + 1):
            s = session.position(number) if number in session.snapshots else session.after(s, number)
            s.shared = Shared(latest)
            for side in everybody:
                view = game.view(s, side)
                told[game.side_name(side)]["changes"].append(difference(known[side], view))
                known[side] = view
        pages.append((since, upto, _packed(_about(session, s), told)))
    return pages


def _opening(session: Session, side: Side) -> Json:
    draws = draws_text(0, session.opening_draws) if side == REFEREE else ""
    return {"opening": [note_of(e, side) for e in session.opening if e.heard_by(side)], "opening_draws": draws}


def _about(session: Session, s: Any) -> Json:
    """What a part tells beside its sides."""
    game, over = session.game, session.result is not None
    return {
        "position": s.to_json() | {"seed": ""},
        "waiting": [game.side_name(side) for side in s.waiting],
        "results": {lang: result_json(session, lang) for lang in LANGUAGES} if over else {},
        "chain0": session.chain0,
    }


def _packed(part: Json, told: dict[str, Json]) -> bytes:
    return zlib.compress(json.dumps({"sides": told} | part, separators=(",", ":")).encode(), 6)


def write(store: Store, table_id: str, since: int, upto: int, part: bytes, *, missing: bool = False) -> None:
    """Keep a part, instead of any that told of the same entries; `missing`: unless somebody has been quicker."""
    with store.writing() as db:
        _lock(db, table_id)
        there = db.execute(sa.select(sa.func.max(CHRONICLES.c.upto)).where(CHRONICLES.c.table_id == table_id)).scalar()
        if missing and there is not None and there >= upto:
            return
        later = CHRONICLES.c.upto > since if since else sa.true()
        db.execute(CHRONICLES.delete().where(CHRONICLES.c.table_id == table_id, later))
        db.execute(CHRONICLES.insert().values(table_id=table_id, upto=upto, since=since, part=part))


def write_finished(store: Store, table_id: str, pages: list[tuple[int, int, bytes]]) -> None:
    """Keep the chronicle of a finished game, instead of what was written on the way."""
    with store.writing() as db:
        _lock(db, table_id)
        db.execute(CHRONICLES.delete().where(CHRONICLES.c.table_id == table_id))
        rows = [{"table_id": table_id, "since": since, "upto": upto, "part": part} for since, upto, part in pages]
        db.execute(CHRONICLES.insert(), rows)


def _lock(db: sa.Connection, table_id: str) -> None:
    """Hold a table's row until the end of the transaction: two servers may have found the same part missing."""
    db.execute(TABLES.update().where(TABLES.c.id == table_id).values(stage=TABLES.c.stage))


def missing(store: Store) -> list[str]:
    """The games that have begun and of which not everything is written down."""
    told = sa.select(CHRONICLES.c.table_id, sa.func.max(CHRONICLES.c.upto).label("upto"))
    told_of = told.group_by(CHRONICLES.c.table_id).subquery()
    done = sa.select(ACTIONS.c.table_id, sa.func.max(ACTIONS.c.n).label("n")).group_by(ACTIONS.c.table_id).subquery()
    joined = TABLES.outerjoin(told_of, told_of.c.table_id == TABLES.c.id)
    joined = joined.outerjoin(done, done.c.table_id == TABLES.c.id)
    behind = sa.func.coalesce(told_of.c.upto, -1) < sa.func.coalesce(done.c.n, 0)
    query = sa.select(TABLES.c.id).select_from(joined).where(TABLES.c.stage == "", behind)
    with store.engine.connect() as db:
        return list(db.execute(query.order_by(TABLES.c.updated)).scalars())


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
        told = part["sides"][side]
        if "view" in told and at == upto:
            return dict(told["view"])
        if "changes" in told and since <= at <= upto:
            view: Json = told["first"]
            for change in told["changes"][: at - since]:
                view = patched(view, change)
            return dict(view)
    return None


def log_of(
    found: list[tuple[int, int, Json]], side: str, lang: str, narrate: Callable[[Json], Json]
) -> dict[int, Json]:
    """The lines of the log that the chronicle has, by their number; `narrate` puts those of a game in play in words."""
    lines: dict[int, Json] = {}
    for _, _, part in found:
        told = part["sides"][side]
        for line in told["log"][lang] if "log" in told else [narrate(line) for line in told["lines"]]:
            lines[line["n"]] = line
    return lines
