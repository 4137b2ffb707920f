"""`python -m grognard.server.probe`: is a position that somebody sent in one that can be played?

A game file may begin at a position instead of a set-up, and whoever made the file may have written anything into it:
columns of any length, chains that never end. So it is tried first in a process of its own, which can be stopped:
everything that a table would do with it is done once. The game's name and the position come in as JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from grognard.games import find_game
from grognard.kernel.fog import HiddenUnits
from grognard.kernel.game import Game
from grognard.kernel.record import REFEREE, SPECTATOR, State
from grognard.server.errors import Problem

TRIED = 40  # actions of each side that are tried
SOUND = "sound"
LARGEST = 1 << 96  # no number of a game comes near; blitzkrieg packs its 79 switches into one


def check(header: dict[str, str], seconds: float) -> None:
    """Refuse a file whose first position cannot be played, or not within that time."""
    start = header.get("start", "")
    if not start or start == "withheld":
        return
    told = json.dumps({"game": header.get("game", ""), "scenario": header.get("scenario", ""), "start": start})
    words = [sys.executable, "-m", "grognard.server.probe"]
    try:
        done = subprocess.run(words, check=False, input=told.encode(), capture_output=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise Problem(422, "bad-position") from None
    if done.stdout.decode(errors="replace").strip() != SOUND:
        raise Problem(422, "bad-position")


def is_sound(game: Game[Any], s: State, scenario: str) -> bool:
    """True if a position has the shape of one of this scenario, breaks no rule, and can be shown and gone on from."""
    model: State = game.blank(scenario)
    for name, f in s.fields.items():
        if f.kind == "column" and len(getattr(s, name)) != len(getattr(model, name)):
            return False
    numbers = [getattr(r, f.name) for r in (s, *s.frames) for f in r.fields.values() if f.kind == "number"]
    if any(abs(value) >= LARGEST for value in numbers):
        return False
    if isinstance(s, HiddenUnits) and len(set(s.token)) < len(s.token):
        return False  # two units under one token
    sides = range(len(game.sides))
    if s.scenario != scenario or s.outcome or not s.waiting or not all(side in sides for side in s.waiting):
        return False
    if tuple(game.actors(s)) != tuple(s.waiting) or game.problems(s):
        return False
    for side in (*sides, SPECTATOR, REFEREE):
        json.dumps(game.view(s, side))
    for side in s.waiting:
        orders = game.orders(s, side)
        if not orders:
            return False
        for order in orders[:TRIED]:
            new = s.copy()
            new.seed = "probe"
            game.obey(new, side, order)
            if game.problems(new):
                return False
    return True


def main() -> None:
    """Read, try, say so; whatever goes wrong, the position is to blame."""
    asked = json.loads(sys.stdin.read())
    game = find_game(asked["game"])
    s = game.load(json.loads(asked["start"]))
    if is_sound(game, s, asked["scenario"]):
        print(SOUND)


if __name__ == "__main__":
    main()
