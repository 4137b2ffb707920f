"""The sequence of play of Picket as tables: chapter 2, and the battle of chapter 5. Each row cites its rule."""

from grognard.kernel import again, ask, call, do, sequence
from grognard.kit import is_contested

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
    ask("4.1", movement.Move, "side"),
    ask("5.1", battle.PickBattle, "side"),
    do("6.1", supply.check_supply),
    do("4.5", supply.mix_blocks),
    do("7.3", supply.check_survival),
)
BATTLE = sequence(
    Battle,
    do("5.1", battle.reveal_blocks),
    do("5.2d", battle.fire, "defender"),
    ask("5.3a", battle.TakeLoss, "attacker"),
    do("5.2e", battle.fire, "attacker"),
    ask("5.3d", battle.TakeLoss, "defender"),
    ask("5.4a", battle.StayOrRetreat, "attacker"),
    ask("5.4d", battle.StayOrRetreat, "defender"),
    do("5.5", battle.end_round),
    again("5.5a", back_to="5.2d", when=lambda s, c: is_contested(s, c.hex)),
    do("5.6", battle.hide_blocks),
)
