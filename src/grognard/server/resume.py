"""Opening a long game: from a position that was kept on the way, instead of playing everything again.

The position is bound by the chain of digests: one that is not exactly what the log leads to is not used. What came of
the actions before it (events, for the log and the game file) is worked out if somebody asks.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from grognard.kernel.ceremony import Salts
from grognard.kernel.errors import GrognardError
from grognard.kernel.game import Game
from grognard.kernel.record import Side
from grognard.kernel.session import TABLE, Entry, Header, Session, chained, data_digest
from grognard.server import intake
from grognard.server.errors import Problem
from grognard.server.journal import Logged
from grognard.server.messages import LOG_LINES

WORTH_IT = 300  # actions from which on a position is kept
STEP = 128  # actions after which a later one is kept


class Resumed(Session):
    """A session of which the events of the first entries are not known yet."""

    begun = 0  # so many

    def log_for(self, side: Side, since: int = 0, until: int | None = None) -> list[dict[str, Any]]:
        """As ever; an old page of the log has the events worked out first."""
        if since < self.begun:
            complete(self)
        return super().log_for(side, since, until)

    def can_undo(self, side: Side) -> bool:
        """As ever; who has undone everything back to the kept position may go on if nothing was learnt before it."""
        if self.begun and len(self.entries) <= self.begun:
            complete(self)
        return super().can_undo(side)


def complete(session: Session) -> None:
    """Work out what came of every entry, if that is not known."""
    if not isinstance(session, Resumed) or not session.begun:
        return
    old = [Logged(e.side, *e.action, e.salt, e.chain) for e in session.entries[: session.begun]]
    again = intake.play_again(session.game, session.header, old)
    session.entries[: session.begun] = again.entries
    if session.closed == session.begun:  # nothing was learnt since, so it counts what was learnt before
        session.closed = again.closed
    session.snapshots.update(again.snapshots)
    session.begun = 0


def position_to_keep(session: Session, kept: int) -> tuple[int, str] | None:
    """A position worth keeping, later than the one that is kept: its entry and its data."""
    entries = len(session.entries)
    if entries < WORTH_IT:
        return None
    at = max(k for k in session.snapshots if k <= entries - LOG_LINES)
    return (at, json.dumps(session.snapshots[at].to_json())) if at >= kept + STEP else None


def resume(
    game: Game[Any], header: Header, actions: Sequence[Logged], at: int, position: str, begun: str = ""
) -> Session:
    """The session that a log leads to, from a position after entry `at` if it fits the log, else from the start.

    Before the first action nothing of a log binds header and set-up; then `begun` does, unless rules are others now.
    """
    intake.check_dice(header)
    if begun and not actions and (header.rules, header.data) == (game.version, data_digest(game)):
        new = Session(game, header)
        if new.chain0 != begun:
            raise Problem(409, "other-start")
        return new
    session = _from_position(game, header, actions, at, position) if 0 < at <= len(actions) else None
    return intake.play_again(game, header, actions) if session is None else session


def _from_position(
    game: Game[Any], header: Header, actions: Sequence[Logged], at: int, position: str
) -> Session | None:
    session = Resumed(game, header)
    try:
        s = game.load(json.loads(position))
    except (GrognardError, ValueError, TypeError, LookupError):
        return None
    last = actions[at - 1]
    author = "*" if last.side == TABLE else game.side_name(last.side)
    line = f"{author} {last.verb} {last.target}" + (f" +{last.salt}" if last.salt else "")
    before = actions[at - 2].chain if at > 1 else session.chain0
    if chained(before, line, s.digest()) != last.chain:
        return None
    session.entries = [Entry(a.side, (a.verb, a.target), chain=a.chain, salt=a.salt) for a in actions[:at]]
    names = ("*" if a.side == TABLE else game.side_name(a.side) for a in actions[:at])
    told = ((name, (a.verb, a.target), a.salt) for name, a in zip(names, actions[:at]))
    session.salts = Salts(header.shares, told)
    session.state, session.closed, session.begun = s, at, at
    session.snapshots[at] = s.copy()
    intake.play_on(session, actions[at:])
    return session
