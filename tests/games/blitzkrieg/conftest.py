"""A table of Blitzkrieg for the tests: units put down by centimetres, loaded dice, orders in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.games.obeying import obey

from grognard.games.blitzkrieg.game import GAME
from grognard.games.blitzkrieg.state import AWAY, FOG, GOOD, HIDDEN, LOST, Position
from grognard.games.blitzkrieg.world import UNIT_IDS, world
from grognard.kernel import Event, Refusal, seed_from
from grognard.tabletop import FACING_NAMES

from .edges import made_range


class Table:
    """A scenario after set-up, with nobody on it but whom a test puts down."""

    def __init__(self, scenario: str, **options: str) -> None:
        names = {key.removeprefix("p"): value for key, value in options.items()}
        self.s: Position = GAME.setup(scenario, names, seed_from(7))
        self.s.events = []
        self.w = world(self.s)
        while type(GAME.decision(self.s)).__name__ != "WhoFirst":
            side = self.s.waiting[0]
            if type(GAME.decision(self.s)).__name__ == "Buy":
                GAME.obey(self.s, side, next(a for a in GAME.orders(self.s, side) if a[0] == "buy"))
                GAME.obey(self.s, side, ("mustered", ""))
                continue
            GAME.obey(self.s, side, ("ready", ""))
        for unit in self.w.units:
            self.s.condition[unit], self.s.at[unit], self.s.flags[unit] = AWAY, 0, 0

    def put(self, name: str, x: float, y: float, facing: str = "N", flags: int = 0, condition: int = GOOD) -> int:
        """Put a unit down near a place in centimetres."""
        unit = UNIT_IDS[name]
        self.s.at[unit] = self.w.table.point_at(round(x * 4), round(y * 4))
        self.s.facing[unit] = self.s.turret[unit] = FACING_NAMES.index(facing)
        self.s.flags[unit], self.s.condition[unit] = flags, condition
        self.s.stood[unit] = self.s.at[unit]  # it has not moved this turn
        return unit

    def hide(self, name: str) -> None:
        self.s.flags[UNIT_IDS[name]] |= HIDDEN

    def act(self, side: int, formation: str, unit: str) -> None:
        """Let a side begin, activate a formation and take up a unit."""
        winner = self.s.waiting[0]
        self.do("begin" if winner == side else "wait")
        self.do("activate", formation)
        self.do("unit", unit)

    def do(self, verb: str, word: str = "", *dice: int) -> list[Event]:
        """An order of whoever is to decide, with dice to come; what happened."""
        self.s.loaded = dice
        self.s.events = []
        obey(GAME, self.s, self.s.waiting[0], (verb, word))
        self.s.loaded = ()
        return self.s.events or []

    def let_pass(self) -> int:
        """The enemy lets a move go on to its end; how often it was asked."""
        asked = 0
        while self.decision == "React":
            self.do("let-pass")
            asked += 1
        return asked

    def why(self, verb: str, word: str = "") -> Refusal | None:
        return GAME.why(self.s, self.s.waiting[0], (verb, word))

    def rule(self, verb: str, word: str = "") -> str | None:
        """The rule that refuses, or None."""
        refusal = self.why(verb, word)
        return None if refusal is None else refusal.rule

    def can(self, verb: str) -> list[str]:
        """The words that may be said with a verb now."""
        return [word for v, word in GAME.orders(self.s, self.s.waiting[0]) if v == verb]

    def point(self, x: float, y: float) -> str:
        return self.w.table.names[self.w.table.point_at(round(x * 4), round(y * 4))]

    def is_lost(self, name: str) -> bool:
        return self.s.condition[UNIT_IDS[name]] >= LOST

    def kinds(self) -> list[str]:
        return [event.kind for event in self.s.events or []]

    def unit(self, name: str) -> int:
        return UNIT_IDS[name]

    @property
    def decision(self) -> str:
        return type(GAME.decision(self.s)).__name__


@pytest.fixture
def table() -> Callable[..., Table]:
    """Makes tables: `table("prokhorovka43", p222="off")`."""
    return Table


@pytest.fixture
def steppe(table: Any) -> Table:
    """The open steppe of Prokhorovka: hill in the west, ditch across, nothing in the east."""
    return table("prokhorovka43")


def known(s: Position, side: int, unit: int) -> bool:
    return FOG.knows(s, side, unit)


@pytest.fixture
def guns(table: Any) -> Table:
    """The range of `made_range`, with the usual switches."""
    made: Table = made_range(table)
    return made
