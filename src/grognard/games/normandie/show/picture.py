"""The terminal's picture: the hexes around the place that matters now, with letters."""

from __future__ import annotations

from collections.abc import Callable

from ..frames import Activation, Barrage, Combat, CounterAttack, Exploitation, MoveStack, Shelling
from ..rules.definitions import counters_in
from ..state import NormandieState as S
from ..world import (
    AT,
    COLUMN,
    GROUP,
    HEXES,
    IS_HQ,
    LAND,
    NEXT,
    PLACE_COUNT,
    ROW,
    SETTLEMENT,
    TERRAIN,
    TERRAINS,
    TOWN_SIZE,
    VILLAGE,
)  # fmt: skip

ROWS, COLUMNS = 4, 6  # hexes shown on each side of the one that matters
GROUND = {"sea": "~", "clear": ".", "bocage": ":", "forest": "*", "marsh": "="}
LAST_COLUMN = max(COLUMN)


def focus_of(s: S) -> int:
    """The hex that matters: of the stack on the move, the battle, the headquarters at work; else the hottest front."""
    for c in reversed(s.frames):
        if isinstance(c, MoveStack):
            place = s.place[c.units[0]]
        elif isinstance(c, Combat | CounterAttack):
            place = c.target
        elif isinstance(c, Activation | Exploitation):
            place = s.place[c.hq]
        elif isinstance(c, Shelling):
            place = c.place
        elif isinstance(c, Barrage):
            place = c.places[0]
        else:
            continue
        return place if place < HEXES else -1
    return hottest(s)


def hottest(s: S) -> int:
    """The hex next to the most counters of an enemy who stands in it or faces it; -1 where nobody faces anybody."""
    best, most = -1, 0
    for h in range(HEXES):
        allied, german = s.there[h], s.there[PLACE_COUNT + h]
        if allied or german:
            near = [n for n in NEXT[h] if n >= 0]
            faced = (german if allied else 0) + sum([s.there[(PLACE_COUNT if allied else 0) + n] for n in near])
            if faced > most:
                best, most = h, faced
    return best


def cell(s: S, h: int, say: Callable[..., str]) -> str:
    """A hex in three letters: whose counters, how many, the ground. Both sides in one hex are `!`."""
    if SETTLEMENT[h] == TOWN_SIZE:
        ground = "O"
    else:
        ground = "o" if SETTLEMENT[h] == VILLAGE else GROUND[TERRAINS[TERRAIN[h]]]
    here = counters_in(s, h) if LAND[h] else []
    if not here:
        return ground * 3 if not LAND[h] else f" {ground} "
    units = [u for u in here if not IS_HQ[u]]
    letter = "!" if s.confusion[h] else say(f"screen.letter-{GROUP[here[0]]}")
    return f"{letter}{len(units) if units else 'x'}{ground}"


def picture(s: S, say: Callable[..., str]) -> list[str]:
    """The hexes around the focus, north up: columns grow to the west, odd rows stand half a hex west of the others."""
    focus = focus_of(s)
    if focus < 0:
        return []
    row, column = ROW[focus], COLUMN[focus]
    columns = range(min(LAST_COLUMN, column + COLUMNS), max(0, column - COLUMNS - 1), -1)
    lines = ["", "     " + "".join(f"{col:^6}" for col in columns).rstrip()]
    for r in range(row - ROWS, row + ROWS + 1):
        found = [AT.get(f"{r:02d}{col:02d}", -1) for col in columns]
        if any(h >= 0 for h in found):
            cells = [
                "     " if h < 0 else (f"[{cell(s, h, say)}]" if h == focus else f" {cell(s, h, say)} ") for h in found
            ]
            lines.append(f"  {r:02d} {'' if r % 2 else '   '}" + " ".join(cells).rstrip())
    return [*lines, "  " + say("screen.legend")]
