"""Chapters 3 and 4: orders and movement."""

from grognard.hexes import Reach, reach
from grognard.kernel import NUMBER, No, Side, emit, no, rule
from grognard.kit import MoveUnits, SecretChoice, place, sides_in, stack_of, units_of

from ..loading import BLUE, GRID, NUMBERS, RED, SIDE_OF, STEPS, UNITS, VILLAGES
from ..state import FOG, Match, Position, SideTurn

PLEDGE_LIMIT = no("3.1", "pledge-limit", lambda s, c, side, orders: {"most": NUMBERS["pledge"]})
NO_ORDERS_LEFT = no("3.1", "no-orders-left", lambda s, c, side, orders: {"left": s.orders[side]})
HAS_MOVED = no("4.1", "has-moved")
STACKING = no("4.3", "stacking", lambda s, c, side, hex: {"limit": NUMBERS["stacking"]})


@rule("3.1")
class Pledge(SecretChoice):
    """3.1 Both sides pledge orders for the turn, in secret and at once: orders that they have, and not too many."""

    verbs = {"pledge": NUMBER}
    field = "pledge"

    def nouns(self, s: Position, c: Match, side: Side, verb: str) -> range:
        return range(NUMBERS["pledge"] + 1)

    def why_not(self, s: Position, c: Match, side: Side, verb: str, noun: int) -> No | None:
        if noun > NUMBERS["pledge"]:
            return PLEDGE_LIMIT
        return NO_ORDERS_LEFT if noun > s.orders[side] else None

    def apply(self, s: Position, c: Match, side: Side, verb: str, noun: int) -> None:
        super().apply(s, c, side, verb, noun)
        emit(s, "pledged", "3.1", audience=(side,), orders=noun)


@rule("3.2", "3.3")
def reveal_pledges(s: Position, c: Match) -> None:
    """3.2 Both pledges are shown and spent. 3.3 The higher one has the last word; after a tie the order stays."""
    red, blue = s.pledge
    emit(s, "pledges", "3.2", reveals=True, red=red, blue=blue)
    for side in (RED, BLUE):
        s.orders[side] -= s.pledge[side]
        s.pledge[side] = -1
    s.first = BLUE if red > blue else RED if blue > red else s.first
    emit(s, "first", "3.3", side=s.first)


@rule("4.1")
class Move(MoveUnits):
    """4.1 Each block may move once: pick it up, put it down in reach and where there is room; `done` ends it."""

    rule_id = "4.1"
    reach_rule_id = "4.2"
    off_map_rule_id = "1.3"

    def why_not_move(self, s: Position, c: SideTurn, side: Side, unit: int) -> No | None:
        return HAS_MOVED if s.moved[unit] else None

    @rule("4.2")
    def reach_of(self, s: Position, unit: int) -> Reach:
        """4.2 How far a block gets with its movement points."""
        return reach(STEPS, s.at[unit], UNITS[unit].points, zoc=enemy_zone(s, SIDE_OF[unit]))

    def why_not_stop(self, s: Position, unit: int, hex: int) -> No | None:
        return None if hex == s.at[unit] else why_no_room(s, hex, SIDE_OF[unit])

    def put(self, s: Position, c: SideTurn, unit: int, hex: int) -> None:
        s.moved[unit] = 1
        if hex != (start := s.at[unit]):
            if stack_of(s, hex, 1 - c.side):
                s.came[unit] = start  # 5.4 its way back; who comes next to an enemy stops (4.4), so it is one step
            emit(s, "moved", "4.1", unit=FOG.veil(s, unit), start=GRID.names[start], hex=GRID.names[hex])
            place(s, unit, hex)
            occupy(s, hex)


@rule("4.3")
def why_no_room(s: Position, hex: int, side: Side, arriving: int = 1) -> No | None:
    """4.3 A side has at most two blocks in a hex."""
    return None if len(stack_of(s, hex, side)) + arriving <= NUMBERS["stacking"] else STACKING


@rule("4.4")
def enemy_zone(s: Position, side: Side) -> bytearray:
    """4.4 The hexes in which a block of `side` must stop: with an enemy block, or next to one."""
    return GRID.zone([s.at[unit] for unit in units_of(s, 1 - side)])


@rule("7.2")
def occupy(s: Position, hex: int) -> None:
    """7.2 A village belongs to the side that was last alone in it."""
    sides = sides_in(s, hex) if hex in VILLAGES else []
    if len(sides) == 1 and sides[0] != s.holder[VILLAGES[hex]]:
        s.holder[VILLAGES[hex]] = sides[0]
        emit(s, "village", "7.2", hex=GRID.names[hex], side=sides[0])
