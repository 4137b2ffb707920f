"""The frames of the sequence of play: the few variables that live across a decision, declared once."""

from __future__ import annotations

from typing import Any

from grognard.kernel import PUBLIC, SECRET, Decision, Frame, Side, items, number, seen_by
from grognard.kernel.record import text

from .state import NONE, BitwState


def _decider(s: Any, side: Side, index: int) -> bool:
    return side in s.waiting


DECIDER = seen_by(_decider)  # the unit in hand: only the side that holds it may know which it is


class Match(Frame):
    """7.0a The whole game, turn by turn."""

    asked: int = number(PUBLIC)  # 1: France has answered in this Victory Phase
    moving: int = number(PUBLIC)  # 1: the German capital moves (guide-berlin)


class PlayerTurn(Frame):
    """7.0b The phases of one player. `finished` is the row that the player has declared done."""

    side: int = number(PUBLIC)
    finished: str = text(PUBLIC)
    shared: int = number(PUBLIC)
    arrivals: tuple[int, ...] = items(PUBLIC, names="hex")  # where units have been placed this phase (7.3.1a)
    repaired: tuple[int, ...] = items(SECRET, names="unit")  # who has gained a step this phase (6.6b)
    battles: tuple[int, ...] = items(PUBLIC, names="hex")
    carried: tuple[tuple[int, int], ...] = items(PUBLIC)  # points through port networks, by key (6.7.3)
    discs: tuple[tuple[int, int], ...] = items(PUBLIC)  # 29.1a free partisans left, by power
    rockets: int = number(PUBLIC)  # 1: the rockets of this turn have flown (26.2b)
    mustered: int = number(PUBLIC)  # 1: the free corps of this turn has come (28.0)
    aimed: int = number(PUBLIC)  # 35.2b 1 convoys, 2 the American route
    recruited: int = number(PUBLIC)  # 1: the free SS step of this turn is used (10.0-munich-b)
    enduring: tuple[int, ...] = items(SECRET, names="unit")  # who holds out in crowded sieges (12.1a)
    flown: tuple[int, ...] = items(
        PUBLIC, names="unit"
    )  # 32.0b aircraft that have flown in the Strategic Warfare Phase
    aided: int = number(PUBLIC)  # points handed to an ally this phase (5.4a, 5.7b)


class InHand(Frame):
    """A unit picked up, and whose it is. What is done with it is the frame's own name."""

    unit: int = number(DECIDER, NONE, names="unit")
    side: int = number(PUBLIC)


class Marching(InHand):
    """7.5a A ground unit on the move: `left` are its points, `started` says whether it has used any."""

    left: int = number(DECIDER)
    started: int = number(PUBLIC)
    limited: int = number(DECIDER)  # 13.5a 1: beyond `free` points, and for an attack, it needs an order of `hq`
    free: int = number(DECIDER)
    hq: int = number(DECIDER, NONE, names="unit")
    action: str = text(DECIDER)


class Moving(Marching):
    """7.5a In the Movement Phase."""


class Exploiting(Marching):
    """7.10 In the Exploitation Phase: it attacks nobody."""


class Flying(InHand):
    """7.5.2d An aircraft that goes on a mission or changes base."""


class Reacting(InHand):
    """7.6a An aircraft that flies to a battle of the other side's turn."""


class Landing(InHand):
    """7.7.16 An aircraft that looks for a base."""


class Railing(InHand):
    """7.4b A ground unit that goes by rail; `hq` is the leader who pays for it (13.8.1c)."""

    hq: int = number(DECIDER, NONE, names="unit")


class Sailing(InHand):
    """5.3-evac A corps that goes home by sea."""


class Placing(InHand):
    """7.3.1a A unit that is built, and arrives."""


class Mustering(InHand):
    """28.0 A corps of the Volkssturm, that appears."""


class Siting(Frame):
    """15.1b A finished factory that looks for its city: whose, which colour, and the die (0: any major city)."""

    side: int = number(PUBLIC)
    colour: int = number(PUBLIC)
    die: int = number(PUBLIC)


class Shipping(InHand):
    """18.0a A unit that goes by sea, on the order of an HQ, which its owner knows."""

    hq: int = number(DECIDER, NONE, names="unit")


class Recruiting(InHand):
    """10.0-munich-b An SS unit raised for nothing, that arrives."""


class Entering(InHand):
    """7.3.2c A reinforcement that enters."""


class Retreating(InHand):
    """7.7.15 A ground unit that leaves a battle."""


class Blitzing(InHand):
    """7.8b Armour that goes on."""


class Following(InHand):
    """7.8c A unit that follows armour of its own battle."""


class Disembarking(InHand):
    """24.1b A unit that lands from the sea; `wave` 1 first, 2 second, 3 armour that follows (24.7)."""

    wave: int = number(PUBLIC, 1)


class Dropping(InHand):
    """23.0d An airborne unit that is dropped."""


class Committing(InHand):
    """31.0d A unit in reserve that goes to a battle; `at_hex` is the only one, if there is but one."""

    at_hex: int = number(PUBLIC, NONE, names="hex")


class Combat(Frame):
    """7.7 One battle. Hits wait by side until they are spread; `target` says on what."""

    hex: int = number(PUBLIC, names="hex")
    attacker: int = number(PUBLIC)
    round: int = number(PUBLIC, 1)
    hits: tuple[int, ...] = items(PUBLIC, (0, 0))
    target: str = text(PUBLIC)
    answered: tuple[int, ...] = items(PUBLIC, (0, 0))  # who has finished the retreat question of this row
    row_asked: str = text(PUBLIC)
    shots: int = number(PUBLIC)  # dice rolled this round that could hurt somebody
    air_rounds: int = number(PUBLIC)
    blitz: int = number(PUBLIC)  # 1 of a blitz, 2 broken off, 4 of a second wave (24.5)
    staying: tuple[int, ...] = items(PUBLIC, (0, 0))  # the round for which a side has said that it stays
    salvo: tuple[int, ...] = items(PUBLIC, names="unit")  # 13.1b HQs that fire with the guns this round
    charge: str = text(PUBLIC)  # 20.0, 21.0a what has been declared, or `none`
    ashore: int = number(PUBLIC)  # 23.0f 1: those who dropped are on the ground
    finished: str = text(PUBLIC)  # 31.0d the row that a player has declared done
    settled: tuple[int, ...] = items(PUBLIC, (0, 0))  # 13.1b which side has said so


class Raid(Combat):
    """32.0 A raid on one strategic target: what is bombed, who flies there, who rises against them."""

    aim: str = text(PUBLIC)  # which kind of target; empty: not said yet
    launched: int = number(PUBLIC)  # 1: the raid is on its way
    raiders: tuple[int, ...] = items(PUBLIC, names="unit")
    interceptors: tuple[int, ...] = items(PUBLIC, names="unit")


class Evacuation(Frame):
    """7.7.5-evac Aircraft caught on the ground by ground units look for another base."""

    hex: int = number(PUBLIC, names="hex")
    side: int = number(PUBLIC)


class Homecoming(Frame):
    """7.8.1 Aircraft that fought go back to a base, the defender's first."""

    side: int = number(PUBLIC)


def has_choice(decision: Decision, s: BitwState, c: Any, side: Side) -> bool:
    """True if anything but `done` is legal; stops at the first thing found."""
    for verb in decision.verbs:
        if verb != "done":
            for noun in decision.nouns(s, c, side, verb):
                if decision.why_not(s, c, side, verb, noun) is None:
                    return True
    return False


def mover(s: BitwState, c: Any) -> tuple[Side, ...]:
    """The side whose turn, or whose unit, it is."""
    return (c.side,)


def other(s: BitwState, c: Any) -> tuple[Side, ...]:
    """The side that is not phasing."""
    return (1 - c.side,)
