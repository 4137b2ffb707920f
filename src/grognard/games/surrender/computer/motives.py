"""Why the computer does what it does, as keys and facts; the sentences are `motive.KEY`."""

from __future__ import annotations

from typing import Any

from grognard.games.surrender.computer.front import front_of, menace
from grognard.games.surrender.frames import GroundMove
from grognard.games.surrender.rules.board import hex_name
from grognard.games.surrender.state import Position, world
from grognard.kernel import Action, Game

SHOWS = 15  # points of the threat to our goals that a move must take away to be called a guard


def motive_of(game: Game[Any], s: Position, side: int, action: Action) -> tuple[str, dict[str, Any]] | None:
    """Of a march or an attack; other decisions speak for themselves."""
    verb, target = action
    c = s.frames[-1] if s.frames else None
    if not isinstance(c, GroundMove) or target < 0:
        return None
    w = world(s)
    if verb in ("attack", "assault"):
        return "attack", {"hex": hex_name(s, target)}
    if verb != "move":
        return None
    front = front_of(w)
    if front.aims.worth.get(target, 0) and s.control[target] != side + 1:
        return "take", {"hex": hex_name(s, target)}
    then = s.copy()
    game.apply(then, side, action, trusted=True)
    spared = sum(
        menace(s, front, front.aims, foe, side) - menace(then, front, front.aims, foe, side) for foe in w.foes_of[side]
    )
    if spared >= SHOWS:
        return "line", {"hex": hex_name(s, target)}
    pull = front.aims.pull(front.aims.holdings(s.control).great, side + 1)
    if pull[target] < pull[s.at[c.unit]]:
        enemies = [
            (table[target], goal)
            for table, goal in zip(front.aims.distances, front.aims.great)
            if s.control[goal] - 1 in w.foes_of[side]
        ]
        if enemies:
            return "march", {"hex": hex_name(s, min(enemies)[1])}
    return ("reserve", {"hex": hex_name(s, target)}) if spared > 0 else None
