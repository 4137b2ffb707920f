"""Picket, wired: what the kernel asks of a game, answered by the rules and the tables."""

from grognard.kernel import Option, Side, option, rule
from grognard.kit import MapGame

from .loading import BASES, NUMBERS, RED, SCENARIOS, SIDE_OF, SIDES, TO_VILLAGE, UNITS, VILLAGES
from .odds import odds
from .sequence import BATTLE, MATCH, SIDE_TURN
from .state import FOG, Position


class Picket(MapGame[Position]):
    """The game."""

    name = "picket"
    sides = SIDES
    setups = SCENARIOS
    options = (Option("fog", "1.2", ("on", "off"), "on"),)
    state_type = Position
    sequences = (MATCH, SIDE_TURN, BATTLE)
    fog = FOG
    sight = ()
    stacking = NUMBERS["stacking"]  # 4.3
    faces = [{"kind": unit.kind, "full": unit.steps, "points": unit.points} for unit in UNITS]  # 1.2
    told = ("steps", "remembered", "moved", "cut_off")
    places, hit_worth = VILLAGES, 100  # 7.2
    signs = {hex: "^" for bases in BASES for hex in bases}  # 6.1

    @rule("1.1", "1.2")
    def begin(self, s: Position) -> None:
        """1.1 The scenario's blocks stand on the map at full strength, Blue holds the villages. 1.2 Or no fog."""
        super().begin(s)
        s.orders[:] = bytes([NUMBERS["orders"]] * len(SIDES))
        if option(s, "fog") == "off":
            s.revealed[:] = bytes(hex >= 0 for hex in s.at)

    def score(self, s: Position, side: Side) -> int:
        """Villages first, then steps, supply, the way to a village, and the strength brought into battle."""
        battles = {s.at[unit] for unit, came in enumerate(s.came) if came >= 0}
        total = sum(400 if holder == RED else -400 for holder in s.holder)
        for unit, hex in enumerate(s.at):
            if hex >= 0:
                worth = (100 if hex in battles else 60) * s.steps[unit] - 8 * TO_VILLAGE[hex] - 50 * s.cut_off[unit]
                total += worth if SIDE_OF[unit] == RED else -worth
        if s.outcome:
            total += 10_000 if s.outcome[0] == RED else -10_000
        return total if side == RED else -total

    odds = odds


GAME = Picket()
