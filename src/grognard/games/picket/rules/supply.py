"""Chapters 2, 6 and 7: the turn, supply and victory."""

from grognard.hexes import Lanes, Stage, over_costs, trace
from grognard.kernel import Side, emit, finish, rule
from grognard.kit import stack_of, units_of

from ..loading import BASES, BLUE, NUMBERS, RED, SCENARIOS, STEPS, UNITS
from ..state import FOG, Match, Position, SideTurn
from .battle import lose_steps
from .movement import enemy_zone


@rule("2.1")
def start_turn(s: Position, c: Match) -> None:
    """2.1 A new turn begins; every block may move again."""
    s.turn += 1
    s.moved[:] = bytes(len(UNITS))
    emit(s, "turn", "2.1", turn=s.turn, turns=SCENARIOS[s.scenario]["turns"])


@rule("6.1")
def supply_lanes(s: Position, side: Side) -> Lanes:
    """6.1 Lanes from the side's bases, so many points long; an enemy zone stops them where no friend stands."""
    zone, friends = enemy_zone(s, side), {s.at[unit] for unit in units_of(s, side)}

    def is_open(hex: int) -> bool:
        return not zone[hex] or hex in friends

    return trace(filter(is_open, BASES[side]), Stage(over_costs(STEPS), NUMBERS["lane"], may_enter=is_open))


@rule("6.1", "6.2")
def check_supply(s: Position, c: SideTurn) -> None:
    """6.1 A side's blocks are checked at the end of its half. 6.2 Who was cut off already loses a step."""
    lanes = supply_lanes(s, c.side)
    for unit in FOG.in_token_order(s, units_of(s, c.side)):
        was, s.cut_off[unit] = s.cut_off[unit], s.at[unit] not in lanes
        if s.cut_off[unit]:
            emit(s, "cut-off", "6.1", unit=FOG.veil(s, unit))
        if was and s.cut_off[unit]:
            lose_steps(s, unit, 1, "6.2")


@rule("4.5")
def mix_blocks(s: Position, c: SideTurn) -> None:
    """4.5 Blocks of the side that share a hex are mixed at the end of its half: the enemy loses track of them."""
    for hex in sorted({s.at[unit] for unit in units_of(s, c.side)}):
        FOG.mix(s, stack_of(s, hex, c.side))


@rule("7.3")
def check_survival(s: Position, c: SideTurn) -> None:
    """7.3 A side without blocks has lost at once."""
    alive = [side for side in (RED, BLUE) if units_of(s, side)]
    if len(alive) < 2:
        finish(s, alive[0] if alive else None, "decisive", "7.3")


@rule("2.3", "7.1")
def check_victory(s: Position, c: Match) -> None:
    """7.1 After the last turn Red wins with the villages it needs, else Blue; decisively with more, or with none."""
    needs, held = SCENARIOS[s.scenario]["needs"], list(s.holder).count(RED)
    if s.turn >= SCENARIOS[s.scenario]["turns"]:
        level = "decisive" if held > needs or not held else "marginal"
        finish(s, RED if held >= needs else BLUE, level, "7.1")
