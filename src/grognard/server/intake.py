"""Game files that come from outside: read and replayed beside the event loop, within bounds of length and time."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from grognard.games import find_game
from grognard.kernel.ceremony import check_shares
from grognard.kernel.errors import GameFileError, GrognardError
from grognard.kernel.flow import Order
from grognard.kernel.game import Game
from grognard.kernel.gamefile import GameFile, Line, from_json, from_text, replay
from grognard.kernel.record import Side
from grognard.kernel.session import TABLE, Header, Session
from grognard.server import probe
from grognard.server.errors import Problem
from grognard.server.journal import Logged
from grognard.server.settings import Settings
from grognard.server.words import check_words

MOST_DICE = 5000  # typed by hand
LONGEST_HEADER = 16 * 1024
LONGEST_VERB, LONGEST_TARGET = 80, 400  # as the store keeps them


class Timed(list[Line]):
    """Lines that are handed out while there is time."""

    until = 0.0

    def __iter__(self) -> Iterator[Line]:
        """As any list, with an eye on the processor time of this thread."""
        for line in super().__iter__():
            if time.thread_time() > self.until:
                raise Problem(422, "import-too-long")
            yield line


def read(raw: bytes, settings: Settings) -> GameFile:
    """The game file in a request, if it is not larger than a game can be."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise Problem(422, "not-utf8") from None
    if text.count("\n") > 40 * settings.longest_import:
        raise Problem(422, "import-too-long")
    file = from_json(text) if text.lstrip().startswith("{") else from_text(text)
    dice = sum(len(line.target.split()) for line in file.lines if line.side == "*" and line.verb == "dice")
    too_long = any(len(line.verb) > LONGEST_VERB or len(line.target) > LONGEST_TARGET for line in file.lines)
    header = sum(len(key) + len(value) for key, value in file.header.items() if key != "start")
    if len(file.lines) > settings.longest_import or dice > MOST_DICE:
        raise Problem(422, "import-too-long")
    if too_long or header > LONGEST_HEADER:
        raise Problem(422, "bad-message")
    check_words(*file.header.values(), *(word for line in file.lines for word in (line.verb, line.target)))
    return file


def play(file: GameFile, settings: Settings) -> Session:
    """The session that a file holds, if it can be had in time and its dice are those that it promised."""
    probe.check(file.header, settings.imports)
    lines = Timed(file.lines)
    lines.until = time.thread_time() + settings.imports
    session = replay(replace(file, lines=lines), find_game)
    h = session.header
    for problem in check_shares(h.id, h.commitment, h.seed, h.shares):
        raise problem
    for number, (entry, line) in enumerate(zip(session.entries, file.lines), 1):
        if line.chain and line.chain != entry.chain:
            raise GameFileError("other-position", number=number)
    return session


def go_on(session: Session, game_id: str, *, known_dice: bool) -> Session:
    """A session that others are to play on: from its last position with dice of its own, or as it is, and marked."""
    h = session.header
    if known_dice:
        again = Session(session.game, replace(h, mark="dice-known", dice=""))
        for entry in session.entries:
            take(again, entry.side, entry.action, entry.salt)
        return again
    start = json.dumps(session.state.to_json() | {"seed": "", "loaded": []}, separators=(",", ":"))
    more = {"start": start, "origin": f"{h.id or h.commitment[:12]} {len(session.entries)}", "mark": "position-known"}
    seed = secrets.token_hex(32)
    return Session.new(session.game, h.scenario, h.options, seed=seed, game_id=game_id, title=h.title, **more)


def take(session: Session, side: Side, action: Order, salt: str) -> None:
    """One entry of a log, once more."""
    if side == TABLE:
        session.note(action)
    else:
        session.act(side, action, salt)


def check_dice(header: Header) -> None:
    """Stop at a header whose secret or shares are not those that were committed to."""
    if check_shares(header.id, header.commitment, header.seed, header.shares):
        raise Problem(409, "other-dice")


def play_again(game: Game[Any], header: Header, actions: Sequence[Logged]) -> Session:
    """A session from its log in the store; if dice or digests are not as they were kept, it says so and stops."""
    check_dice(header)
    session = Session(game, header)
    play_on(session, actions)
    return session


def play_on(session: Session, actions: Sequence[Logged]) -> None:
    """Play what is left of a log."""
    for number, entry in enumerate(actions, len(session.entries) + 1):
        try:
            take(session, entry.side, (entry.verb, entry.target), entry.salt)
        except GrognardError as error:
            raise Problem(409, "other-log", number=number) from error
        if session.chain != entry.chain:
            raise Problem(409, "other-log", number=number)
