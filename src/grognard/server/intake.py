"""Game files that come from outside: read and replayed beside the event loop, within bounds of length and time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

from grognard.games import find_game
from grognard.kernel.gamefile import GameFile, Line, from_json, from_text, replay
from grognard.kernel.session import Session
from grognard.server.errors import Problem
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
    header = sum(len(key) + len(value) for key, value in file.header.items())
    if len(file.lines) > settings.longest_import or dice > MOST_DICE:
        raise Problem(422, "import-too-long")
    if too_long or header > LONGEST_HEADER:
        raise Problem(422, "bad-message")
    check_words(*file.header.values(), *(word for line in file.lines for word in (line.verb, line.target)))
    return file


def play(file: GameFile, settings: Settings) -> Session:
    """The session that a file holds, if it can be had in time."""
    lines = Timed(file.lines)
    lines.until = time.thread_time() + settings.imports
    return replay(replace(file, lines=lines), find_game)
