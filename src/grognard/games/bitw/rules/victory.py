"""7.11 The Victory Phase: sudden death, the scenario's conditions, the next turn."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from grognard.kernel import Side, emit, finish, rule

from ..frames import Match
from ..loading import ALLIES, charts
from ..scenarios import Condition, Scenario
from ..state import OFF, OUT, BitwState, side_holding
from ..world import IS_FORT, IS_GROUND, POWER_SIDE, world
from .italy import DECLARED
from .supply import check_supply, open_ports

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
        late = c.by_turn and (s.fallen[c.power] or s.turn) > c.by_turn
        number = int(bool(s.status[c.power] & OUT) and not late)
    elif c.kind == "in_play":
        number = int(not s.status[c.power] & OUT)
    else:
        number = FIGURES[c.kind](s, c)
    return (number <= c.at_most if c.at_most >= 0 else number >= c.at_least) != c.negate


def units_counted(s: BitwState, c: Condition) -> int:
    """`count`: ground units of a side in some hexes, forts apart; those in supply, where it says so."""
    ground, first = s.ground, c.side * len(s.first_in)
    number = sum([ground[first + n] for n in c.nodes])
    if not c.supplied or number < max(c.at_least, c.at_most + 1):  # too few, fed or not
        return number
    nodes = frozenset(c.nodes)
    hungry = [u for u in check_supply(s, c.side) if IS_GROUND[u] and not IS_FORT[u] and s.place[u] in nodes]
    return number - len(hungry)


def steps_counted(s: BitwState, c: Condition) -> int:
    """`steps`: the steps of some blocks on the map."""
    return sum(s.steps[u] for u in c.units if s.place[u] < OFF)


def net_loss(s: BitwState, c: Condition) -> int:
    """`net_loss`: how many steps fewer than at the set-up."""
    named = set(c.units)
    return sum(stand.steps for stand in world(s).scenario.standing if stand.unit in named) - steps_counted(s, c)


FIGURES: dict[str, Callable[[BitwState, Condition], int]] = {  # what the other kinds of conditions count
    "count": units_counted,
    "steps": steps_counted,
    "net_loss": net_loss,
    "radar": lambda s, c: radar_working(s),
    "morale": lambda s, c: s.us_losses,
    "event": lambda s, c: int(c.name == "rsi" and s.duce == DECLARED),
    "port": lambda s, c: sum([side_holding(s, n) == c.side and n in open_ports(s, c.side) for n in c.nodes]),
}
HIDDEN = frozenset({"steps", "net_loss", "count"})  # kinds that hang on what the other side does not see


def radar_working(s: BitwState) -> int:
    """13.8.1.2 Radar stations at work."""
    return sum(s.radar)


@lru_cache(maxsize=64)
def told_openly(scenario: Scenario) -> bool:
    """Whether everybody can see how the conditions of a scenario stand."""
    return not any(c.kind in HIDDEN for level in scenario.levels for way in level.ways for c in way)


def level_told(s: BitwState) -> tuple[int, str]:
    """Who would win now, as far as both sides can see; `open` where that hangs on what one of them hides."""
    return level_now(s) if told_openly(world(s).scenario) or s.outcome else (-1, "open")


@rule("7.11a")
def note_fallen(s: BitwState) -> None:
    """7.11a Note the turn in which a power left the war."""
    for power, status in enumerate(s.status):
        if status & OUT and not s.fallen[power]:
            s.fallen[power] = s.turn


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
    note_fallen(s)
    if s.turn >= world(s).scenario.turns:
        winner, level = level_now(s)
        finish(s, None if winner < 0 else winner, level, "7.11a")
        return
    s.turn += 1
    c.asked = 0
    emit(s, "turn", "7.11d", turn=s.turn, month=world(s).scenario.month(s.turn))
