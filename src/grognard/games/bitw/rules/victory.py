"""7.11 The Victory Phase: sudden death, the scenario's conditions, the next turn."""

from __future__ import annotations

from grognard.kernel import Side, emit, finish, rule

from ..frames import Match
from ..loading import ALLIES, charts
from ..scenarios import Condition
from ..state import OUT, BitwState, side_holding
from ..world import POWER_SIDE, UNITS, world

GERMANY = charts().power_ids["DE"]


@rule("7.11c")
def sudden_death(s: BitwState, c: Match) -> None:
    """7.11c If Germany surrenders the Allies win decisively at once."""
    if s.status[GERMANY] & OUT:
        finish(s, ALLIES, "decisive", "7.11c")


HELD_BY = tuple(  # by side: 1 for the powers of that side, to be read with `translate`
    bytes(power < len(POWER_SIDE) and POWER_SIDE[power] == side for power in range(256)) for side in (0, 1)
)


@rule("7.11a", "3.3-victory")
def holds(s: BitwState, condition: Condition) -> bool:
    """7.11a Whether one condition of the scenario holds now."""
    c = condition
    if c.kind == "controls":
        number = sum(side_holding(s, n) == c.side for n in c.nodes)
    elif c.kind == "lost":
        number = sum(s.lost[u] > 0 for u in c.units)
    elif c.kind == "gained":
        number = gained(s, c.side)
    elif c.kind == "out":
        number = int(bool(s.status[c.power] & OUT))
    else:
        number = int(not s.status[c.power] & OUT)
    return (number >= c.at_least) != c.negate


def gained(s: BitwState, side: Side) -> int:
    """How many hexes a side controls that the other held at the start."""
    hexes = world(s).theatre.hexes
    theirs = bytes(world(s).scenario.owners[:hexes]).translate(HELD_BY[1 - side])
    mine = s.owner[:hexes].translate(HELD_BY[side])  # type: ignore[attr-defined]
    return (int.from_bytes(theirs, "big") & int.from_bytes(mine, "big")).bit_count()


def level_now(s: BitwState) -> tuple[int, str]:
    """7.11a Who would win, and how well, if the game ended now."""
    for level in world(s).scenario.levels:
        if any(all(holds(s, c) for c in way) for way in level.ways):
            return level.winner, level.level
    return -1, "draw"


@rule("7.11d", "7.11a", "0-scale")
def next_turn(s: BitwState, c: Match) -> None:
    """7.11d The marker advances one month; after the last turn the scenario's conditions decide."""
    if s.turn >= world(s).scenario.turns:
        winner, level = level_now(s)
        finish(s, None if winner < 0 else winner, level, "7.11a")
        return
    s.turn += 1
    c.asked = 0
    emit(s, "turn", "7.11d", turn=s.turn, month=world(s).scenario.month(s.turn))


def units_lost(s: BitwState, side: Side) -> int:
    """How many blocks of a side have been lost at least once."""
    return sum(1 for u in UNITS if u.side == side and s.lost[u.index])
