"""The sequence of play of Picket: chapter 2 as tables, with the battle of chapter 5."""

from __future__ import annotations

from grognard.kernel import again, ask, call, do, rule, sequence

from .rules.battle import (
    PickBattle,
    StayOrRetreat,
    TakeLoss,
    attacker,
    defender,
    end_round,
    fire,
    hide_blocks,
    is_contested,
    reveal_blocks,
)
from .rules.movement import Move, Pledge, reveal_pledges
from .rules.supply import check_supply, check_survival, check_victory, mix_blocks, start_turn
from .state import Battle, Match, Position, SideTurn


def both(s: Position, c: Match) -> tuple[int, int]:
    """Red and Blue."""
    return (0, 1)


def mover(s: Position, c: SideTurn) -> tuple[int, ...]:
    """The side whose half turn it is."""
    return (c.side,)


@rule("2.2")
def first_half(s: Position, c: Match) -> SideTurn:
    """2.2 The side with the initiative has the first half of the turn."""
    return SideTurn(side=s.first)


@rule("2.2")
def second_half(s: Position, c: Match) -> SideTurn:
    """2.2 The other side has the second half."""
    return SideTurn(side=1 - s.first)


def is_over(s: Position, c: Battle) -> bool:
    """True when one side is gone."""
    return not is_contested(s, c)


MATCH = sequence(
    Match,
    do("2.1", start_turn),
    ask("3.1", Pledge, both),
    do("3.2", reveal_pledges),
    call("2.2a", first_half),
    do("7.3", check_survival),
    call("2.2b", second_half),
    do("7.1", check_victory),
    again("2.3", back_to="2.1"),
)

SIDE_TURN = sequence(
    SideTurn,
    ask("4.1", Move, mover),
    ask("5.1", PickBattle, mover),
    do("6.1", check_supply),
    do("4.5", mix_blocks),
)

BATTLE = sequence(
    Battle,
    do("5.1", reveal_blocks),
    do("5.2d", fire, defender),
    ask("5.3a", TakeLoss, attacker),
    do("5.2e", fire, attacker),
    ask("5.3d", TakeLoss, defender),
    ask("5.4a", StayOrRetreat, attacker),
    ask("5.4d", StayOrRetreat, defender),
    do("5.5", end_round),
    again("5.5a", back_to="5.2d", unless=is_over),
    do("5.6", hide_blocks),
)
