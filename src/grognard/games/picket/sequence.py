"""The sequence of play of Picket as tables: chapter 2, and the battle of chapter 5."""

from __future__ import annotations

from grognard.kernel import Side, again, ask, call, do, sequence

from .loading import BLUE, RED
from .rules.battle import (
    PickBattle, StayOrRetreat, TakeLoss, attacker, defender, end_round, fire, hide_blocks, is_contested, reveal_blocks,
)  # fmt: skip
from .rules.movement import Move, Pledge, reveal_pledges
from .rules.supply import (
    check_supply, check_survival, check_victory, first_half, mix_blocks, second_half, start_turn,
)  # fmt: skip
from .state import Battle, Match, Position, SideTurn


def both(s: Position, c: Match) -> tuple[Side, Side]:
    """Red and Blue."""
    return (RED, BLUE)


def mover(s: Position, c: SideTurn) -> tuple[Side]:
    """The side whose half turn it is."""
    return (c.side,)


def goes_on(s: Position, c: Battle) -> bool:
    """A battle lasts while both sides are there."""
    return is_contested(s, c.hex)


MATCH = sequence(
    Match,
    do("2.1", start_turn),
    ask("3.1", Pledge, both),
    do("3.2", reveal_pledges),
    call("2.2a", first_half),
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
    do("7.3", check_survival),
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
    again("5.5a", back_to="5.2d", when=goes_on),
    do("5.6", hide_blocks),
)
