"""6.7 Mulberries: bought by instalments, deployed on a beach just won, ports for their own nation, bombed, destroyed.

The blocks A (American) and B (British) are the entries 0 and 1 of the columns `harbour`, `harbour_paid` and
`harbour_hits`. They need a landing (chapter 24, Advanced; ruling A59): scenarios with the rule `landings` have them,
and the landing notes its beach in `landed`. Supply through them is in `supply.harbour_networks`, stacking in
`definitions.why_not_stand`, what they carry overseas in `production.why_not_carry`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from grognard.kernel import NOTHING, Decision, No, Side, emit, no, rule

from ..frames import Combat, PlayerTurn
from ..loading import ALLIES, charts, tech_level
from ..nouns import BEACH, HARBOURS, name_of
from ..state import NONE, BitwState, enemy_in, ground_in, is_battle, month, side_holding
from ..world import LIMITS, POWERS, world
from .definitions import pool_of, take_control

NATION: Final = (charts().power_ids["US"], charts().power_ids["UK"])  # 6.7b whose harbour it is
SPENT: Final = 255  # in `harbour_paid`: deployed once, or destroyed

NO_HARBOUR, HARBOUR_TECH = no("6.7a", "no-harbour"), no("6.7a", "harbour-tech")
HARBOUR_PAID, HARBOUR_UNPAID = no("6.7d", "harbour-paid"), no("6.7d", "harbour-unpaid")
POINT_TOO_DEAR = no("7.3d", "too-dear", lambda s, c, side, noun: {"cost": 1, "points": 0})
NOT_YOUR_BEACH, BEACH_NOT_CLEAR = no("6.7.1a", "not-your-beach"), no("6.7.1b", "beach-not-clear")
NOT_THIS_BEACH = no("6.7.1b", "not-your-beach")


# Buying


@rule("6.7a", "6.7d")
def why_not_pay_harbour(s: BitwState, side: Side, which: int) -> No | None:
    """6.7a From Navy TECH 3 (January 1944) and where landings are played; 6.7d 30 points, at once or turn by turn."""
    nation = POWERS[NATION[which]]
    if side != ALLIES or "landings" not in world(s).scenario.rules or nation.index not in world(s).scenario.in_play:
        return NO_HARBOUR
    if tech_level(nation.id, "navy", month(s)) < LIMITS["harbour_tech"]:
        return HARBOUR_TECH
    if s.harbour_paid[which] >= LIMITS["harbour_cost"]:
        return HARBOUR_PAID
    return POINT_TOO_DEAR if s.pp[pool_of(s, nation.index)] < 1 else None


@rule("6.7d")
def pay_harbour(s: BitwState, which: int) -> None:
    """6.7d As many points as there are, up to what is still owed."""
    pool = pool_of(s, NATION[which])
    points = min(s.pp[pool], LIMITS["harbour_cost"] - s.harbour_paid[which])
    s.pp[pool] -= points
    s.harbour_paid[which] += points
    emit(s, "harbour-paid", "6.7d", harbour=HARBOURS[which], points=points, paid=s.harbour_paid[which])


# Deploying


@rule("6.7.1a", "6.7d")
def why_not_deploy(s: BitwState, which: int, node: int) -> No | None:
    """6.7.1a Paid in full, in a coastal hex that its own nation invaded this turn and holds, free of every enemy."""
    t = world(s).theatre
    if s.harbour_paid[which] != LIMITS["harbour_cost"]:
        return HARBOUR_UNPAID
    if (node, NATION[which]) not in s.landed:
        return NOT_YOUR_BEACH
    held = side_holding(s, node) == ALLIES or bool(ground_in(s, node, ALLIES))  # cleared, the battle not yet over
    return None if t.coastal[node] and held and not enemy_in(s, node, ALLIES) else BEACH_NOT_CLEAR


def deploy(s: BitwState, which: int, node: int) -> None:
    """6.7.1a The harbour is towed to the beach, which is conquered by then (3.3a); it is there once and for all."""
    take_control(s, node, NATION[which])
    s.harbour[which] = node
    s.harbour_paid[which], s.harbour_hits[which] = SPENT, 0
    emit(s, "harbour-deployed", "6.7.1a", harbour=HARBOURS[which], hex=name_of(s, node))


@rule("6.7.1b")
class DeployHarbour(Decision):
    """6.7.1b Only in the turn of the invasion: as exploitation opens, or right after a first round."""

    verbs = {"done": NOTHING, "deploy": BEACH}

    def beaches(self, s: BitwState, c: Any) -> list[int]:
        """The hexes that may receive one now."""
        return sorted({node for node, _ in s.landed})

    def needed(self, s: BitwState, c: Any, side: Side) -> bool:
        """While a harbour could be deployed and the player has not declined."""
        return bool(s.landed) and self.open(s, c) and bool(self.legal_nouns(s, c, side, "deploy"))

    def open(self, s: BitwState, c: Any) -> bool:
        """Whether the question still stands in this phase."""
        return bool(c.finished != c.at())

    def nouns(self, s: BitwState, c: Any, side: Side, verb: str) -> Iterable[int]:
        """Each harbour on each beach."""
        if verb == "done":
            return (0,)
        return [BEACH.of(node, which) for which in (0, 1) for node in self.beaches(s, c)]

    def why_not(self, s: BitwState, c: Any, side: Side, verb: str, noun: int) -> No | None:
        """Where it may go."""
        if verb == "done":
            return None
        node, which = BEACH.apart(noun)
        refusal = why_not_deploy(s, which, node)
        return NOT_THIS_BEACH if refusal is None and node not in self.beaches(s, c) else refusal

    def apply(self, s: BitwState, c: Any, side: Side, verb: str, noun: int) -> None:
        """Tow it there, or decline."""
        if verb == "done":
            self.decline(c)
            return
        node, which = BEACH.apart(noun)
        deploy(s, which, node)

    def decline(self, c: Any) -> None:
        """The question is answered."""
        c.finished = c.at()


class DeployInBattle(DeployHarbour):
    """6.7.1b After the first round of ground combat, in the hex just cleared."""

    def beaches(self, s: BitwState, c: Combat) -> list[int]:
        """The hex of the battle."""
        return [c.hex]

    def open(self, s: BitwState, c: Combat) -> bool:
        """Until the attacker declines."""
        return not c.answered[c.attacker]

    def decline(self, c: Combat) -> None:
        """No harbour here now."""
        c.answered = (1, c.answered[1]) if c.attacker == 0 else (c.answered[0], 1)


@rule("6.7.1b")
def beach_is_clear(s: BitwState, c: Combat) -> bool:
    """6.7.1b The first round is over and the beach holds no enemy unit, aircraft included."""
    return c.round == 2 and not is_battle(s, c.hex) and any(node == c.hex for node, _ in s.landed)


def forget_landings(s: BitwState, c: PlayerTurn) -> None:
    """6.7.1b The turn of the invasion is over; bombed harbours work again (6.7.2a)."""
    if c.side == ALLIES:
        s.landed = ()
        s.harbour_hits[0] = s.harbour_hits[1] = 0


# Bombing and destroying


@rule("6.7.2a", "6.7.2b")
def bomb_harbour(s: BitwState, which: int, hits: int) -> None:
    """6.7.2a Hits of the Strategic Warfare Phase count until its owner's turn is over; 6.7.2b ten destroy it."""
    if s.harbour[which] == NONE:
        return
    s.harbour_hits[which] = min(255, s.harbour_hits[which] + hits)
    emit(s, "harbour-hit", "6.7.2a", harbour=HARBOURS[which], hits=hits)
    if s.harbour_hits[which] >= LIMITS["harbour_sunk"]:
        s.harbour[which] = NONE
        emit(s, "harbour-destroyed", "6.7.2b", harbour=HARBOURS[which])


@rule("6.7.2a")
def takes_ships(s: BitwState, node: int) -> bool:
    """6.7.2a One hit closes a harbour to naval movement for a turn."""
    return any(s.harbour[x] == node and s.harbour_hits[x] < LIMITS["harbour_closed"] for x in (0, 1))
