"""7.7.12 How a round and a battle end: quick surrenders, the next round, who holds the hex, blocks hidden again."""

from __future__ import annotations

from grognard.kernel import emit, rule

from ..frames import Combat, PlayerTurn
from ..nouns import FOG, name_of
from ..state import (
    FOUGHT,
    GROUNDED,
    POOL,
    QUICK,
    BitwState,
    air_in,
    enemy_of,
    ground_in,
    is_battle,
    side_in,
)
from ..world import IS_COMBAT, SIDE_OF, UNITS
from .definitions import take_control
from .supply import remove, surrender_unit


@rule("5.6.1")
def quick_surrender(s: BitwState, c: Combat) -> None:
    """5.6.1 Where the scenario says so, a minor's units in a combat give in right after its first round.

    To combat units in their hex, that is: nobody lays down his arms before aircraft alone (decision 0305).
    """
    if c.round != 1 or not any(IS_COMBAT[u] for u in ground_in(s, c.hex, c.attacker)):
        return
    for u in side_in(s, c.hex, enemy_of(c.attacker)):
        if s.status[UNITS[u].power] & QUICK:
            surrender_unit(s, u)


@rule("7.7.5b", "7.7.12")
def close_round(s: BitwState, c: Combat) -> None:
    """7.7.12 The next round starts from the AA step; bombers caught on the ground take off."""
    c.round += 1
    for u in air_in(s, c.hex, enemy_of(c.attacker)):
        s.flags[u] &= ~GROUNDED & 255
    if not c.shots:
        break_off(s, c)
    c.shots = 0


def break_off(s: BitwState, c: Combat) -> None:
    """7.7.12 When nobody can hurt anybody the attacker's ground units, with nowhere to go on, are lost.

    Aircraft go home later.
    """
    c.blitz |= 2
    for u in ground_in(s, c.hex, c.attacker):
        if is_battle(s, c.hex) and ground_in(s, c.hex, enemy_of(c.attacker)):
            emit(s, "eliminated", "7.7.15c", unit=UNITS[u].id, hex=name_of(s, c.hex))
            remove(s, u, POOL)


@rule("7.7.12")
def is_over(s: BitwState, c: Combat) -> bool:
    """7.7.12 A combat goes on until one side is gone."""
    return not is_battle(s, c.hex) or bool(c.blitz & 2)


@rule("7.7.8b", "7.7.11", "3.3a")
def end_battle(s: BitwState, c: Combat) -> None:
    """7.7.11 Half-hits are forgotten; a hex cleared of the defender's ground units falls to the attacker's (3.3a)."""
    for u in [*side_in(s, c.hex, 0), *side_in(s, c.hex, 1)]:
        s.half[u] = 0
        s.flags[u] &= ~GROUNDED & 255
    mine = ground_in(s, c.hex, c.attacker)
    if mine and not ground_in(s, c.hex, enemy_of(c.attacker)):
        leader = next((u for u in mine if IS_COMBAT[u]), mine[0])
        take_control(s, c.hex, UNITS[leader].power)
        for u in mine:
            s.flags[u] |= FOUGHT
    emit(s, "battle-over", "7.7.12", hex=name_of(s, c.hex), rounds=c.round - 1)


@rule("1.3", "3.22")
def hide_all(s: BitwState, c: PlayerTurn) -> None:
    """1.3 When the player's turn reaches the final supply check, blocks stand up again.

    Both sides remember what they saw.
    """
    for u in range(len(s.revealed)):
        if s.revealed[u]:
            FOG.remember(s, enemy_of(SIDE_OF[u]), u, s.steps[u])
            s.revealed[u] = 0
