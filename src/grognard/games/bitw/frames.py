"""The frames of the sequence of play: the few variables that live across a decision, declared once."""

from __future__ import annotations

from typing import Any, Final

from grognard.kernel import PUBLIC, Decision, Fog, Frame, Side, items, number, seen_by
from grognard.kernel.record import text

from .state import NONE, BitwState, knows
from .world import UNITS

FOG: Final = Fog([u.id for u in UNITS], knows)


def _decider(s: Any, side: Side, index: int) -> bool:
    return side in s.waiting


DECIDER = seen_by(_decider)  # the unit in hand: only the side that holds it may know which it is


class Match(Frame):
    """7.0a The whole game, turn by turn."""

    asked: int = number(PUBLIC)  # 1: France has answered in this Victory Phase


class PlayerTurn(Frame):
    """7.0b The phases of one player. `finished` is the row that the player has declared done."""

    side: int = number(PUBLIC)
    finished: str = text(PUBLIC)
    shared: int = number(PUBLIC)
    arrivals: tuple[int, ...] = items(PUBLIC)  # where units have been placed this phase (7.3.1a)
    repaired: tuple[int, ...] = items(PUBLIC)
    battles: tuple[int, ...] = items(PUBLIC, names="node")
    carried: tuple[tuple[int, int], ...] = items(PUBLIC)  # points through port networks, by key (6.7.3)
    aided: int = number(PUBLIC)  # points handed to an ally this phase (5.4a, 5.7b)


class UnitInHand(Frame):
    """A unit picked up: to move, to rail, to fly, to place, to retreat. `mode` says which; `left` its points."""

    unit: int = number(DECIDER, NONE, names="unit")
    side: int = number(PUBLIC)
    mode: str = text(PUBLIC)
    left: int = number(PUBLIC)
    started: int = number(PUBLIC)


class Combat(Frame):
    """7.7 One battle. Hits wait by side until they are spread; `target` says on what."""

    hex: int = number(PUBLIC, names="node")
    attacker: int = number(PUBLIC)
    round: int = number(PUBLIC, 1)
    hits: tuple[int, ...] = items(PUBLIC, (0, 0))
    target: str = text(PUBLIC)
    answered: tuple[int, ...] = items(PUBLIC, (0, 0))  # who has finished the retreat question of this row
    row_asked: str = text(PUBLIC)
    shots: int = number(PUBLIC)  # dice rolled this round that could hurt somebody
    air_rounds: int = number(PUBLIC)
    blitz: int = number(PUBLIC)


class Evacuation(Frame):
    """7.7.5-evac Aircraft caught on the ground by ground units look for another base."""

    hex: int = number(PUBLIC, names="node")
    side: int = number(PUBLIC)


class Homecoming(Frame):
    """7.8.1 Aircraft that fought go back to a base, the defender's first."""

    side: int = number(PUBLIC)


def has_choice(decision: Decision, s: BitwState, c: Any, side: Side) -> bool:
    """True if anything but `done` is legal; stops at the first thing found."""
    tried = (a for a in decision.candidates(s, c, side) if a[0] != "done")
    return any(decision.why_not(s, c, side, *a) is None for a in tried)


def mover(s: BitwState, c: Any) -> tuple[Side, ...]:
    """The side whose turn, or whose unit, it is."""
    return (c.side,)


def other(s: BitwState, c: Any) -> tuple[Side, ...]:
    """The side that is not phasing."""
    return (1 - c.side,)
