"""Picket, wired: the contract's hooks over the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grognard.kernel import Game, Option, Side, draw, option, rule
from grognard.kernel.stacks import place, restack, stacking_problems, units_in

from .loading import BLUE, BOARD, NUMBERS, RED, SCENARIOS, SIDES, UNITS, VILLAGES
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

    def blank(self, scenario: str) -> Position:
        """Columns for the blocks, the hexes and the villages."""
        n = len(UNITS)
        return Position.blank(units=n, memory=2 * n, hexes=len(BOARD.grid), villages=len(VILLAGES))

    @rule("1.1", "1.3")
    def begin(self, s: Position) -> None:
        """1.1 The scenario's blocks on the map. 1.3 At full strength."""
        for unit, hex in SCENARIOS[s.scenario].setup:
            place(s, unit, hex)
            s.steps[unit] = UNITS[unit].steps
        for side in (RED, BLUE):
            s.orders[side] = NUMBERS["orders"]
        s.holder[:] = type(s.holder)("b", [BLUE] * len(VILLAGES))  # type: ignore[call-arg]
        FOG.deal(s)
        s.frames.append(Match())

    def name_of(self, kind: str, value: int) -> Any:
        """Hexes by their printed number."""
        return (BOARD.grid.names[value] if value >= 0 else None) if kind == "hex" else value

    def unit_facts(self, unit: int, known: bool) -> dict[str, Any]:
        """The back of a block shows its colour only."""
        u = UNITS[unit]
        return {"side": SIDES[u.side]} | ({"kind": u.kind, "full": u.steps, "points": u.points} if known else {})

    def shows(self, s: Position, side: Side, unit: int) -> bool:
        """Blocks on the map, and the lost ones, which lie face up."""
        return s.at[unit] >= 0 or bool(s.revealed[unit])

    def interchangeable(self, s: Position, side: Side) -> list[Sequence[int]]:
        """The enemy's blocks on the map look alike."""
        return [[u for u, h in enumerate(s.at) if h >= 0 and UNITS[u].side != side]] if option(s, "fog") == "on" else []

    def redeal_more(self, s: Position, side: Side) -> None:
        """A pledge made in secret could be any that the other side can afford."""
        for other in (RED, BLUE):
            if other != side and s.pledge[other] >= 0:
                s.pledge[other] = draw(s, min(NUMBERS["pledge"], s.orders[other]) + 1)

    def rebuild(self, s: Position) -> None:
        """Who stands where."""
        restack(s)

    def problems(self, s: Position) -> list[str]:
        """Stacking, steps within the block's own, no block on closed ground."""
        found = stacking_problems(s)
        for hex in range(len(BOARD.grid)):
            for side in (RED, BLUE):
                if sum(UNITS[u].side == side for u in units_in(s, hex)) > NUMBERS["stacking"]:
                    found.append(f"more than {NUMBERS['stacking']} {SIDES[side]} blocks in {BOARD.grid.names[hex]}")
        for unit, steps in enumerate(s.steps):
            if steps > UNITS[unit].steps or (s.at[unit] >= 0) != (steps > 0):
                found.append(f"{UNITS[unit].id} has {steps} steps")
        return found

    def score(self, s: Position, side: Side) -> int:
        """Villages first, then steps, then how near the blocks are to a village."""
        total = 0
        for village in range(len(VILLAGES)):
            total += 400 if s.holder[village] == RED else -400
        for unit, hex in enumerate(s.at):
            if hex >= 0:
                near = min(BOARD.grid.distance(hex, v) for v in VILLAGES)
                worth = 60 * s.steps[unit] - 8 * near - 50 * s.cut_off[unit]
                total += worth if UNITS[unit].side == RED else -worth
        total += 5 * (s.orders[RED] - s.orders[BLUE])
        if s.outcome:
            total += 10_000 if s.outcome[0] == RED else -10_000
        return total if side == RED else -total


GAME = Picket()
