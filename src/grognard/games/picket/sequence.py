"""The sequence of play of Picket as tables: chapter 2, and the battle of chapter 5. Each row cites its rule."""

from grognard.kernel import Side, again, ask, call, do, sequence

from .loading import BLUE, RED
from .rules import battle, movement, supply
from .rules.battle import attacker, defender
from .state import Battle, Match, Position, SideTurn


def both(s: Position, c: Match) -> tuple[Side, Side]:
    """Red and Blue."""
    return (RED, BLUE)


def mover(s: Position, c: SideTurn) -> tuple[Side]:
    """The side whose half turn it is."""
    return (c.side,)


MATCH = sequence(
    Match,
    do("2.1", supply.start_turn),
    ask("3.1", movement.Pledge, both),
    do("3.2", movement.reveal_pledges),
    call("2.2a", supply.first_half),
    call("2.2b", supply.second_half),
    do("7.1", supply.check_victory),
    again("2.3", back_to="2.1"),
)
SIDE_TURN = sequence(
    SideTurn,
    ask("4.1", movement.Move, mover),
    ask("5.1", battle.PickBattle, mover),
    do("6.1", supply.check_supply),
    do("4.5", supply.mix_blocks),
    do("7.3", supply.check_survival),
)
BATTLE = sequence(
    Battle,
    do("5.1", battle.reveal_blocks),
    do("5.2d", battle.fire, defender),
    ask("5.3a", battle.TakeLoss, attacker),
    do("5.2e", battle.fire, attacker),
    ask("5.3d", battle.TakeLoss, defender),
    ask("5.4a", battle.StayOrRetreat, attacker),
    ask("5.4d", battle.StayOrRetreat, defender),
    do("5.5", battle.end_round),
    again("5.5a", back_to="5.2d", when=battle.goes_on),
    do("5.6", battle.hide_blocks),
)
