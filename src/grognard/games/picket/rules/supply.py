"""Chapters 6 and 7: supply and victory; and the start of a turn (2.1)."""

from __future__ import annotations

from grognard.kernel import Side, emit, finish, rule

from ..loading import BASES, BOARD, NUMBERS, SCENARIOS, UNITS
from ..state import FOG, Match, Position, SideTurn
from .battle import lose_step
from .movement import friends_in, zone_of_control

GRID = BOARD.grid


@rule("2.1", "1.1")
def start_turn(s: Position, c: Match) -> None:
    """2.1 A new turn begins; every block may move again."""
    s.turn += 1
    for unit in range(len(UNITS)):
        s.moved[unit] = 0
        s.came[unit] = -1
    emit(s, "turn", "2.1", turn=s.turn)


@rule("6.1")
def supplied_hexes(s: Position, side: Side) -> dict[int, int]:
    """6.1 Hexes within a lane of the side's bases, with their distance; lanes stop at enemy zones without a friend."""
    zone = zone_of_control(s, side)
    open_hexes = [not zone[h] or friends_in(s, h, side) > 0 for h in range(len(GRID))]
    found = {h: 0 for h in BASES[side] if open_hexes[h]}
    edge = list(found)
    for distance in range(1, NUMBERS["lane"] + 1):
        edge = [n for h in edge for n in GRID.neighbours[h] if n not in found and open_hexes[n] and _passable(n)]
        found |= dict.fromkeys(edge, distance)
        edge = sorted(set(edge))
    return found


def _passable(hex: int) -> bool:
    return BOARD.terrain_of(hex) != "lake"


@rule("6.1", "6.2")
def check_supply(s: Position, c: SideTurn) -> None:
    """6.1 At the end of its half turn a side's blocks are checked. 6.2 Who was cut off already loses a step."""
    lanes = supplied_hexes(s, c.side)
    for unit, hex in enumerate(s.at):
        if hex < 0 or UNITS[unit].side != c.side:
            continue
        was = s.cut_off[unit]
        s.cut_off[unit] = hex not in lanes
        if s.cut_off[unit]:
            emit(s, "cut-off", "6.1", unit=FOG.veil(s, unit))
            if was:
                lose_step(s, unit, "6.2")


@rule("4.5")
def mix_blocks(s: Position, c: SideTurn) -> None:
    """4.5 Blocks of the side that share a hex are mixed at the end of its half turn: nobody can follow them."""
    for hex in range(len(GRID)):
        if friends_in(s, hex, c.side) > 1:
            FOG.mix(s, [u for u, h in enumerate(s.at) if h == hex and UNITS[u].side == c.side])


@rule("7.3")
def check_survival(s: Position, c: Match) -> None:
    """7.3 A side without blocks has lost at once."""
    alive = [any(h >= 0 for u, h in enumerate(s.at) if UNITS[u].side == side) for side in (0, 1)]
    if not all(alive):
        finish(s, 0 if alive[0] else 1 if alive[1] else None, "decisive", "7.3")


@rule("7.1")
def check_victory(s: Position, c: Match) -> None:
    """7.1 After the last turn Red wins with the villages it needs; with one more, or none at all, it is decisive."""
    check_survival(s, c)
    held = sum(holder == 0 for holder in s.holder)
    if not s.outcome and s.turn >= SCENARIOS[s.scenario].turns:
        margin = held - SCENARIOS[s.scenario].needs
        finish(s, 0 if margin >= 0 else 1, "decisive" if margin > 0 or not held else "marginal", "7.1")
