"""Picket, wired: what the kernel asks of a game, answered by the rules and the tables."""

from collections.abc import Sequence
from typing import Any

from grognard.kernel import Game, Option, Side, draw, option, rule
from grognard.kernel.stacks import place, stacking_problems

from . import views
from .loading import BLUE, GRID, NUMBERS, RED, SCENARIOS, SHEET, SIDE_OF, SIDES, TO_VILLAGE, UNITS, VILLAGES
from .rules.movement import blocks_of
from .sequence import BATTLE, MATCH, SIDE_TURN
from .state import FOG, Match, Position


class Picket(Game[Position]):
    """The game."""

    name = "picket"
    sides = SIDES
    scenarios = tuple(SCENARIOS)
    options = (Option("fog", "1.2", ("on", "off"), "on"),)
    state_type = Position
    sequences = (MATCH, SIDE_TURN, BATTLE)
    fog = FOG
    situation = staticmethod(views.situation)
    odds = staticmethod(views.odds)

    def blank(self, scenario: str) -> Position:
        """Columns for the blocks, the hexes and the villages."""
        n = len(UNITS)
        return Position.blank(units=n, memory=2 * n, hexes=len(GRID), villages=len(VILLAGES))

    @rule("1.1", "1.2")
    def begin(self, s: Position) -> None:
        """1.1 The scenario's blocks stand on the map at full strength, Blue holds the villages. 1.2 Or no fog."""
        for unit, hex in SCENARIOS[s.scenario]["setup"]:
            place(s, unit, hex)
            s.steps[unit] = UNITS[unit].steps
            s.revealed[unit] = option(s, "fog") == "off"
        s.orders[:] = bytes([NUMBERS["orders"]] * len(SIDES))
        FOG.deal(s)
        s.frames.append(Match())

    def boards(self) -> dict[str, Any]:
        """The map, for clients that draw it."""
        return {"map": SHEET}

    def name_of(self, kind: str, value: int) -> Any:
        """Hexes by their printed numbers, blocks by their ids."""
        return None if value < 0 else GRID.names[value] if kind == "hex" else UNITS[value].id

    def unit_facts(self, unit: int, known: bool) -> dict[str, Any]:
        """1.2 The back of a block shows its colour only."""
        u = UNITS[unit]
        return {"side": SIDES[u.side]} | ({"kind": u.kind, "full": u.steps, "points": u.points} if known else {})

    def shows(self, s: Position, side: Side, unit: int) -> bool:
        """Blocks on the map, and the lost ones, which lie face up."""
        return s.at[unit] >= 0 or s.revealed[unit] == 1

    def interchangeable(self, s: Position, side: Side) -> list[Sequence[int]]:
        """The enemy's blocks on the map look alike."""
        return [[u for u, hex in enumerate(s.at) if hex >= 0 and SIDE_OF[u] == other] for other in (RED, BLUE)]

    def redeal_more(self, s: Position, side: Side) -> None:
        """A pledge made in secret could be any that the other side can afford."""
        for other in (RED, BLUE):
            if other != side and s.pledge[other] >= 0:
                s.pledge[other] = draw(s, min(NUMBERS["pledge"], s.orders[other]) + 1)

    def problems(self, s: Position) -> list[str]:
        """What no position may show: too many blocks in a hex, steps that do not fit the block."""
        found = stacking_problems(s)
        for hex, name in enumerate(GRID.names):
            crowded = [x for x in (RED, BLUE) if len(blocks_of(s, hex, x)) > NUMBERS["stacking"]]
            found += [f"too many {SIDES[x]} blocks in {name}" for x in crowded]
        for unit, steps in enumerate(s.steps):
            if steps > UNITS[unit].steps or (s.at[unit] >= 0) != (steps > 0):
                found.append(f"{UNITS[unit].id} has {steps} steps")
        return found

    def score(self, s: Position, side: Side) -> int:
        """Villages first, then steps, supply, the way to a village, and the strength brought into battle."""
        total = sum(400 if holder == RED else -400 for holder in s.holder)
        for unit, hex in enumerate(s.at):
            if hex >= 0:
                worth = 60 * s.steps[unit] - 8 * TO_VILLAGE[hex] - 50 * s.cut_off[unit]
                total += worth if SIDE_OF[unit] == RED else -worth
        for hex in {s.at[unit] for unit, came in enumerate(s.came) if came >= 0}:
            strength = [sum(s.steps[u] for u in blocks_of(s, hex, x)) for x in (RED, BLUE)]
            total += 40 * (strength[RED] - strength[BLUE])
        total += (10_000 if s.outcome[0] == RED else -10_000) if s.outcome else 0
        return total if side == RED else -total


GAME = Picket()
