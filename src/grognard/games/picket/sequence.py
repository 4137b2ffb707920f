"""The sequence of play of Picket as tables: chapter 2, and the battle of chapter 5. Each row cites its rule."""

from grognard.kernel import again, ask, call, do, sequence

from .loading import BLUE, RED
from .rules import battle, movement, supply
from .state import Battle, Match, SideTurn

MATCH = sequence(
    Match,
    do("2.1", supply.start_turn),
    ask("3.1", movement.Pledge, lambda s, c: (RED, BLUE)),
    do("3.2", movement.reveal_pledges),
    call("2.2a", lambda s, c: SideTurn(side=s.first)),
    call("2.2b", lambda s, c: SideTurn(side=1 - s.first)),
    do("7.1", supply.check_victory),
    again("2.3", back_to="2.1"),
)
SIDE_TURN = sequence(
    SideTurn,
    ask("4.1", movement.Move, lambda s, c: (c.side,)),
    ask("5.1", battle.PickBattle, lambda s, c: (c.side,)),
    do("6.1", supply.check_supply),
    do("4.5", supply.mix_blocks),
    do("7.3", supply.check_survival),
)
BATTLE = sequence(
    Battle,
    do("5.1", battle.reveal_blocks),
    do("5.2d", battle.fire, battle.defender),
    ask("5.3a", battle.TakeLoss, battle.attacker),
    do("5.2e", battle.fire, battle.attacker),
    ask("5.3d", battle.TakeLoss, battle.defender),
    ask("5.4a", battle.StayOrRetreat, battle.attacker),
    ask("5.4d", battle.StayOrRetreat, battle.defender),
    do("5.5", battle.end_round),
    again("5.5a", back_to="5.2d", when=battle.goes_on),
    do("5.6", battle.hide_blocks),
)
