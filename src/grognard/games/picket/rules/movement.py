"""Chapter 4: movement. Chapter 3 (the pledge) opens the turn and stands here too."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.hexes.paths import reach
from grognard.kernel import Action, Decision, Refusal, Side, emit, rule
from grognard.kernel.stacks import place, units_in

from ..loading import BOARD, NUMBERS, STEPS, UNIT_IDS, UNITS, VILLAGES
from ..state import FOG, Match, Position, SideTurn

GRID = BOARD.grid


@rule("3.1")
class Pledge(Decision):
    """3.1 Both sides pledge orders for the turn, in secret and at once."""

    verbs = ("pledge",)
    together = True

    def needed(self, s: Position, c: Match, side: Side) -> bool:
        """Until the side has pledged."""
        return s.pledge[side] < 0

    def candidates(self, s: Position, c: Match, side: Side) -> Iterator[Action]:
        """None up to the most that the rule allows."""
        return (("pledge", str(n)) for n in range(NUMBERS["pledge"] + 1))

    def why_not(self, s: Position, c: Match, side: Side, verb: str, target: str) -> Refusal | None:
        """Only orders that are left can be pledged, and not too many at once."""
        if not 0 <= int(target) <= NUMBERS["pledge"]:
            return Refusal("3.1", "pledge-limit", {"most": NUMBERS["pledge"]})
        if int(target) > s.orders[side]:
            return Refusal("3.1", "no-orders-left", {"left": s.orders[side]})
        return None

    def apply(self, s: Position, c: Match, side: Side, verb: str, target: str) -> None:
        """Note the pledge; only its owner hears of it."""
        s.pledge[side] = int(target)
        emit(s, "pledged", "3.1", audience=(side,), orders=int(target))


@rule("3.2", "3.3")
def reveal_pledges(s: Position, c: Match) -> None:
    """3.2 Both pledges are shown and spent. 3.3 The higher one takes the initiative; on a tie it stays where it is."""
    red, blue = s.pledge
    emit(s, "pledges", "3.2", reveals=True, red=red, blue=blue)
    for side in (0, 1):
        s.orders[side] -= s.pledge[side]
        s.pledge[side] = -1
    if red != blue:
        s.first = 0 if red > blue else 1
    emit(s, "initiative", "3.3", side=s.first)


@rule("4.4")
def zone_of_control(s: Position, side: Side) -> bytearray:
    """4.4 The hexes in which a block of `side` must stop: next to, or in, a hex with an enemy block."""
    zone = bytearray(len(GRID))
    for unit, hex in enumerate(s.at):
        if hex >= 0 and UNITS[unit].side != side:
            zone[hex] = 1
            for near in GRID.neighbours[hex]:
                zone[near] = 1
    return zone


def friends_in(s: Position, hex: int, side: Side) -> int:
    """How many blocks of a side stand in a hex."""
    return sum(UNITS[u].side == side for u in units_in(s, hex))


@rule("4.3")
def is_full(s: Position, hex: int, side: Side) -> bool:
    """4.3 A side has at most two blocks in a hex."""
    return friends_in(s, hex, side) >= NUMBERS["stacking"]


@rule("4.2")
def destinations(s: Position, unit: int) -> dict[int, int]:
    """4.2 Where a block can go, with the points it costs: terrain, rivers, and stops in zones of control."""
    start = s.at[unit]
    found = reach(STEPS, start, UNITS[unit].points, zoc=zone_of_control(s, UNITS[unit].side)).costs()
    found.pop(start)
    return {hex: cost for hex, cost in found.items() if not is_full(s, hex, UNITS[unit].side)}


@rule("4.1")
class Move(Decision):
    """4.1 Each block may move once: pick it up, put it down; `done` ends the movement."""

    verbs = ("move", "to", "done")

    def needed(self, s: Position, c: SideTurn, side: Side) -> bool:
        """Until the mover says that it is done."""
        return c.unit != DONE

    def candidates(self, s: Position, c: SideTurn, side: Side) -> Iterator[Action]:
        """Own blocks; or, with a block in hand, every hex."""
        if c.unit >= 0:
            yield from (("to", name) for name in GRID.names)
        else:
            yield from (("move", unit.id) for unit in UNITS if unit.side == side)
            yield ("done", "")

    def legal(self, s: Position, c: SideTurn, side: Side) -> list[Action]:
        """The same as the filtered candidates, from one search."""
        if c.unit >= 0:
            return [("to", GRID.names[hex]) for hex in sorted(destinations(s, c.unit))]
        return super().legal(s, c, side)

    def why_not(self, s: Position, c: SideTurn, side: Side, verb: str, target: str) -> Refusal | None:
        """One block at a time, once a turn, to a hex in reach with room in it."""
        if verb == "to":
            return self.why_not_to(s, c, GRID.hex_named(target))
        if c.unit >= 0:
            return Refusal("4.1", "block-in-hand", {"unit": UNITS[c.unit].id})
        if verb == "done":
            return None if not target else Refusal("4.1", "no-target", {"verb": verb})
        unit = UNIT_IDS[target]
        if UNITS[unit].side != side:
            return Refusal("4.1", "not-yours", {"unit": target})
        if s.at[unit] < 0:
            return Refusal("1.3", "off-map", {"unit": target})
        if s.moved[unit]:
            return Refusal("4.1", "has-moved", {"unit": target})
        return None if destinations(s, unit) else Refusal("4.2", "nowhere-to-go", {"unit": target})

    def why_not_to(self, s: Position, c: SideTurn, hex: int) -> Refusal | None:
        """Whether the block in hand can go there."""
        if c.unit < 0:
            return Refusal("4.1", "pick-first")
        if hex in destinations(s, c.unit):
            return None
        facts = {"unit": UNITS[c.unit].id, "hex": GRID.names[hex], "limit": NUMBERS["stacking"]}
        if hex != s.at[c.unit] and is_full(s, hex, UNITS[c.unit].side):
            return Refusal("4.3", "stacking", facts)
        return Refusal("4.2", "out-of-reach", facts | {"points": UNITS[c.unit].points})

    def apply(self, s: Position, c: SideTurn, side: Side, verb: str, target: str) -> None:
        """Pick up, put down, or end."""
        if verb == "done":
            c.unit = DONE
        elif verb == "move":
            c.unit = UNIT_IDS[target]
        else:
            move_block(s, c.unit, GRID.hex_named(target))
            c.unit = -1


DONE = -2  # in `SideTurn.unit`: the movement is over


def move_block(s: Position, unit: int, hex: int) -> None:
    """Put a block down; it remembers by which way it entered a battle."""
    found = reach(STEPS, s.at[unit], UNITS[unit].points, zoc=zone_of_control(s, UNITS[unit].side))
    path = found.path_to(hex)
    emit(s, "moved", "4.1", unit=FOG.veil(s, unit), hex=GRID.names[hex], path=[GRID.names[h] for h in path])
    s.came[unit] = path[-2]
    s.moved[unit] = 1
    place(s, unit, hex)
    occupy(s, hex)


@rule("7.2")
def occupy(s: Position, hex: int) -> None:
    """7.2 A village belongs to the side that was last alone in it."""
    if hex in VILLAGES:
        sides = {UNITS[u].side for u in units_in(s, hex)}
        if len(sides) == 1 and (side := sides.pop()) != s.holder[VILLAGES.index(hex)]:
            s.holder[VILLAGES.index(hex)] = side
            emit(s, "village", "7.2", hex=GRID.names[hex], side=side)
