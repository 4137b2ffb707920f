"""Chapters 3 and 4: orders and movement."""

from grognard.hexes import Reach, reach
from grognard.kernel import Action, Decision, Refusal, Side, emit, rule
from grognard.kernel.stacks import place, units_in

from ..loading import AREA, BLUE, GRID, NUMBERS, RED, SIDE_OF, STEPS, UNIT_IDS, UNITS, VILLAGES
from ..state import FOG, Match, Position, SideTurn


@rule("3.1")
class Pledge(Decision):
    """3.1 Both sides pledge orders for the turn, in secret and at once: orders that they have, and not too many."""

    verbs = ("pledge",)
    together = True

    def needed(self, s: Position, c: Match, side: Side) -> bool:
        return s.pledge[side] < 0

    def candidates(self, s: Position, c: Match, side: Side) -> list[Action]:
        return [("pledge", str(n)) for n in range(NUMBERS["pledge"] + 1)]

    def why_not(self, s: Position, c: Match, side: Side, verb: str, target: str) -> Refusal | None:
        if not 0 <= int(target) <= NUMBERS["pledge"]:
            return Refusal("3.1", "pledge-limit", {"orders": target, "most": NUMBERS["pledge"]})
        if int(target) > s.orders[side]:
            return Refusal("3.1", "no-orders-left", {"orders": target, "left": s.orders[side]})
        return None

    def apply(self, s: Position, c: Match, side: Side, verb: str, target: str) -> None:
        s.pledge[side] = int(target)
        emit(s, "pledged", "3.1", audience=(side,), orders=int(target))


@rule("3.2", "3.3")
def reveal_pledges(s: Position, c: Match) -> None:
    """3.2 Both pledges are shown and spent. 3.3 The higher one has the last word; after a tie the order stays."""
    red, blue = s.pledge
    emit(s, "pledges", "3.2", reveals=True, red=red, blue=blue)
    for side in (RED, BLUE):
        s.orders[side] -= s.pledge[side]
        s.pledge[side] = -1
    if red != blue:
        s.first = BLUE if red > blue else RED
    emit(s, "first", "3.3", side=s.first)


def blocks_of(s: Position, hex: int, side: Side) -> list[int]:
    """The blocks of a side in a hex."""
    return [u for u in units_in(s, hex) if SIDE_OF[u] == side]


@rule("4.3")
def has_room(s: Position, hex: int, side: Side, arriving: int = 1) -> bool:
    """4.3 A side has at most two blocks in a hex."""
    return s.first_in[hex] < 0 or len(blocks_of(s, hex, side)) + arriving <= NUMBERS["stacking"]


@rule("4.4")
def enemy_zone(s: Position, side: Side) -> bytearray:
    """4.4 The hexes in which a block of `side` must stop: with an enemy block, or next to one."""
    zone = bytearray(len(GRID))
    for unit, hex in enumerate(s.at):
        if hex >= 0 and SIDE_OF[unit] != side:
            for near in AREA[hex]:
                zone[near] = 1
    return zone


@rule("4.2")
def reach_of(s: Position, unit: int) -> Reach:
    """4.2 How far a block gets with its movement points."""
    return reach(STEPS, s.at[unit], UNITS[unit].points, zoc=enemy_zone(s, SIDE_OF[unit]))


@rule("4.1")
class Move(Decision):
    """4.1 Each block may move once: pick it up, put it down in reach and where there is room; `done` ends it."""

    verbs = ("move", "to", "done")

    def needed(self, s: Position, c: SideTurn, side: Side) -> bool:
        return not c.done

    def candidates(self, s: Position, c: SideTurn, side: Side) -> list[Action]:
        if c.unit >= 0:
            return [("to", GRID.names[hex]) for hex in sorted(reach_of(s, c.unit).hexes)]
        return [("move", unit.id) for unit in UNITS if unit.side == side] + [("done", "")]

    def why_not(self, s: Position, c: SideTurn, side: Side, verb: str, target: str) -> Refusal | None:
        if verb == "to":
            return why_not_to(s, c.unit, GRID.hex_named(target)) if c.unit >= 0 else Refusal("4.1", "pick-first")
        if c.unit >= 0:
            return Refusal("4.1", "block-in-hand", {"unit": UNITS[c.unit].id})
        if verb == "done":
            return None
        unit = UNIT_IDS[target]
        if SIDE_OF[unit] != side:
            return Refusal("4.1", "not-yours", {"unit": target})
        if s.at[unit] < 0:
            return Refusal("1.3", "off-map", {"unit": target})
        return Refusal("4.1", "has-moved", {"unit": target}) if s.moved[unit] else None

    def legal(self, s: Position, c: SideTurn, side: Side) -> list[Action]:
        if c.unit < 0:
            return super().legal(s, c, side)
        found = sorted(reach_of(s, c.unit).hexes)  # one search for all
        return [("to", GRID.names[hex]) for hex in found if hex == s.at[c.unit] or has_room(s, hex, side)]

    def apply(self, s: Position, c: SideTurn, side: Side, verb: str, target: str) -> None:
        if verb == "to":
            move_block(s, c.unit, GRID.hex_named(target))
        c.unit = UNIT_IDS[target] if verb == "move" else -1
        c.done = int(verb == "done")


def why_not_to(s: Position, unit: int, hex: int) -> Refusal | None:
    """4.2, 4.3 Whether a block can be put down in a hex."""
    facts = {"unit": UNITS[unit].id, "hex": GRID.names[hex]}
    if hex != s.at[unit] and not has_room(s, hex, SIDE_OF[unit]):
        return Refusal("4.3", "stacking", facts | {"limit": NUMBERS["stacking"]})
    if hex not in reach_of(s, unit).hexes:
        return Refusal("4.2", "out-of-reach", facts | {"points": UNITS[unit].points})
    return None


def move_block(s: Position, unit: int, hex: int) -> None:
    """4.1 Put a block down. If that begins a battle, note by which way it came in."""
    s.moved[unit] = 1
    if hex != (start := s.at[unit]):
        if blocks_of(s, hex, 1 - SIDE_OF[unit]):
            s.came[unit] = reach_of(s, unit).path_to(hex)[-2]
        emit(s, "moved", "4.1", unit=FOG.veil(s, unit), start=GRID.names[start], hex=GRID.names[hex])
        place(s, unit, hex)
        occupy(s, hex)


@rule("7.2")
def occupy(s: Position, hex: int) -> None:
    """7.2 A village belongs to the side that was last alone in it."""
    sides = {SIDE_OF[u] for u in units_in(s, hex)}
    if hex in VILLAGES and len(sides) == 1 and (side := sides.pop()) != s.holder[VILLAGES[hex]]:
        s.holder[VILLAGES[hex]] = side
        emit(s, "village", "7.2", hex=GRID.names[hex], side=side)
