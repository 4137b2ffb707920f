"""A table of Picket for the tests: positions in a small text form, actions as text, loaded dice."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.picket.game import GAME
from grognard.games.picket.loading import GRID, SIDES, UNITS, VILLAGES
from grognard.games.picket.state import FOG, Match, Position, SideTurn
from grognard.kernel import Event, Refusal, option, seed_from
from grognard.kernel.stacks import place


class Table:
    """A position written as lines of `hex: block [steps] [<from] [cut], block ...`, with `side` to move in turn 1.

    `<0404` says from where an attacker came into the battle, `cut` that a block is cut off.
    """

    def __init__(self, text: str, side: str = "red", *, scenario: str = "crossing", fog: str = "on", turn: int = 1):
        s = self.s = GAME.setup(scenario, {"fog": fog}, seed_from("a test"))
        for unit in range(len(UNITS)):
            place(s, unit, -1)
            s.steps[unit] = s.revealed[unit] = 0
        for line in filter(str.strip, text.splitlines()):
            hex, blocks = line.split(":")
            for block in blocks.split(","):
                self.put(hex.strip(), *block.split())
        s.turn, s.first, s.waiting = turn, SIDES.index(side), (SIDES.index(side),)
        match = Match()
        match.row = match.labels.index("2.2b")  # it goes on there when this half is over
        match.running = match.labels.index("2.2a")
        s.frames = [match, SideTurn(side=s.first)]
        s.events = self.events = []

    def put(self, hex: str, unit: str, *words: str) -> None:
        u = FOG.unit_ids[unit]
        place(self.s, u, GRID.hex_named(hex))
        self.s.steps[u] = UNITS[u].steps
        self.s.revealed[u] = option(self.s, "fog") == "off"
        for word in words:
            if word.isdigit():
                self.s.steps[u] = int(word)
            elif word == "cut":
                self.s.cut_off[u] = 1
            else:
                self.s.came[u] = GRID.hex_named(word.removeprefix("<"))

    def play(self, *actions: str, dice: tuple[int, ...] = ()) -> list[Event]:
        """Carry the actions out, each by the side that is asked; what happened, from the first on."""
        self.s.loaded = dice
        start = len(self.events)
        for line in actions:
            verb, _, target = line.partition(" ")
            GAME.obey(self.s, self.s.waiting[0], (verb, target))
        return self.events[start:]

    def why(self, action: str, side: str | None = None) -> Refusal | None:
        verb, _, target = action.partition(" ")
        return GAME.why(self.s, SIDES.index(side) if side else self.s.waiting[0], (verb, target))

    def legal(self, side: str | None = None) -> list[str]:
        return [" ".join(a).strip() for a in GAME.orders(self.s, SIDES.index(side) if side else self.s.waiting[0])]

    def targets(self, verb: str) -> list[str]:
        return [line.split()[1] for line in self.legal() if line.startswith(verb + " ")]

    def steps(self, unit: str) -> int:
        return self.s.steps[FOG.unit_ids[unit]]

    def at(self, unit: str) -> str | None:
        hex = self.s.at[FOG.unit_ids[unit]]
        return GRID.names[hex] if hex >= 0 else None

    def is_cut_off(self, unit: str) -> bool:
        return bool(self.s.cut_off[FOG.unit_ids[unit]])

    def holder(self, hex: str) -> str:
        return SIDES[self.s.holder[VILLAGES[GRID.hex_named(hex)]]]

    def seen(self, side: str, unit: str) -> dict[str, Any] | None:
        """What a side's view says of a block, by its token or its name."""
        names = (unit, f"#{self.s.token[FOG.unit_ids[unit]]}")
        pieces = GAME.view(self.s, SIDES.index(side))["pieces"]
        return next((p for p in pieces if p["id"] in names), None)

    @property
    def position(self) -> Position:
        return self.s


@pytest.fixture
def table() -> type[Table]:
    return Table
