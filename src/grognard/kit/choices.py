"""Decisions of a common shape: choices in secret, units moved one at a time, battles picked, hits taken, retreats.

A game names its rules and answers what only they can tell. All but the first want the positions of `Armies`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from grognard.hexes import Reach, StepCosts
from grognard.kernel import NOTHING, Decision, No, Side, draw, emit, no
from grognard.kernel.stacks import place

from .armies import HEX, UNIT, is_contested, sides_in, stack_of, units_of


class SecretChoice(Decision):
    """Sides choose at once and in secret. What each chose waits in the column `field` until a rule shows it.

    The column has one entry a side, is declared OWN and starts at -1: not chosen yet.
    """

    together = True
    field: str

    def needed(self, s: Any, c: Any, side: Side) -> bool:
        """Until the side has chosen."""
        return bool(getattr(s, self.field)[side] < 0)

    def apply(self, s: Any, c: Any, side: Side, verb: str, noun: int) -> None:
        """Note the choice."""
        getattr(s, self.field)[side] = noun

    def redeal(self, s: Any, c: Any, side: Side) -> None:
        """Each of the others may have made any choice that was open to it."""
        column = getattr(s, self.field)
        for other in [other for other, value in enumerate(column) if value >= 0 and other != side]:
            legal = self.legal(s, c, other)
            column[other] = legal[draw(s, len(legal))][1]


class MoveUnits(Decision):
    """Pick a unit up, put it down, as often as the rules allow; `done` ends it.

    The frame declares `unit`, the one in hand (OWN, -1: none), and `done`, 1 when the side has finished. The game gives
    the rules of moving and of reach. What no game allows (`pick-first`, `in-hand`, `not-yours`, `off-map`,
    `out-of-reach`) is refused here.
    """

    verbs = {"move": UNIT, "to": HEX, "done": NOTHING}
    rule_id: str
    reach_rule_id: str
    off_map_rule_id: str = ""  # who is off the map cannot move; by the rule of moving, unless a game says otherwise

    def __init__(self) -> None:
        self.far = no(self.reach_rule_id, "out-of-reach", lambda s, c, side, hex: {"points": self.points_of(s, c)})
        self.off_map = no(self.off_map_rule_id or self.rule_id, "off-map")
        self.in_hand = no(self.rule_id, "in-hand", lambda s, c, side, noun: {"unit": UNIT.word(s, side, c.unit)})
        self.pick_first, self.not_yours = no(self.rule_id, "pick-first"), no(self.rule_id, "not-yours")

    def why_not_move(self, s: Any, c: Any, side: Side, unit: int) -> No | None:
        """The rule that forbids this side to pick up this unit of its own, or None."""
        return None

    def reach_of(self, s: Any, unit: int) -> Reach:
        """Where a unit can get to."""
        raise NotImplementedError

    def points_of(self, s: Any, c: Any) -> int:
        """How many points the unit in hand has."""
        return self.reach_of(s, c.unit).points

    def why_not_stop(self, s: Any, unit: int, hex: int) -> No | None:
        """The rule that forbids a unit to end its move in a hex, were it in reach, or None."""
        return None

    def put(self, s: Any, c: Any, unit: int, hex: int) -> None:
        """Put a unit down."""
        raise NotImplementedError

    def needed(self, s: Any, c: Any, side: Side) -> bool:
        """Until the side has finished."""
        return not c.done

    def nouns(self, s: Any, c: Any, side: Side, verb: str) -> Iterable[int]:
        """Every unit of the side; with one in hand, where it can get to."""
        if verb == "to":
            return sorted(self.reach_of(s, c.unit).hexes) if c.unit >= 0 else ()
        if c.unit >= 0:
            return ()
        return units_of(s, side) if verb == "move" else (0,)

    def legal_nouns(self, s: Any, c: Any, side: Side, verb: str) -> list[int]:
        """The same without what is refused; reach is looked at once."""
        tried, unit = self.nouns(s, c, side, verb), c.unit
        if verb == "to":
            return [hex for hex in tried if self.why_not_stop(s, unit, hex) is None]
        return [noun for noun in tried if verb == "done" or self.why_not_move(s, c, side, noun) is None]

    def why_not(self, s: Any, c: Any, side: Side, verb: str, noun: int) -> No | None:
        """One unit at a time, one's own, to a hex in reach; and whatever the game adds."""
        if verb == "to":
            if c.unit < 0:
                return self.pick_first
            return self.why_not_stop(s, c.unit, noun) or (None if noun in self.reach_of(s, c.unit) else self.far)
        if c.unit >= 0:
            return self.in_hand
        if verb == "done":
            return None
        if s.side_of[noun] != side:
            return self.not_yours
        return self.off_map if s.at[noun] < 0 else self.why_not_move(s, c, side, noun)

    def apply(self, s: Any, c: Any, side: Side, verb: str, noun: int) -> None:
        """Pick up, put down, or finish."""
        if verb == "to":
            self.put(s, c, c.unit, noun)
        c.unit = noun if verb == "move" else -1
        c.done = int(verb == "done")


class FightBattles(Decision):
    """A side fights in every hex where it meets an enemy, in the order it likes; `apply` enters the battle."""

    verbs = {"fight": HEX}
    rule_id: str

    def __init__(self) -> None:
        self.no_battle = no(self.rule_id, "no-battle")

    def nouns(self, s: Any, c: Any, side: Side, verb: str) -> Iterable[int]:
        """Where units of the side stand."""
        return sorted({s.at[unit] for unit in units_of(s, side)})

    def why_not(self, s: Any, c: Any, side: Side, verb: str, noun: int) -> No | None:
        """Units of the side and of another must be there."""
        sides = sides_in(s, noun)
        return None if side in sides and len(sides) > 1 else self.no_battle


class TakeHits(Decision):
    """Hits are taken one by one, each by the strongest unit under fire; its owner chooses among equals.

    The frame declares `hits`, those still to be taken; the position has a column `steps`.
    """

    verbs = {"lose": UNIT}
    rule_id: str

    def __init__(self) -> None:
        self.not_under_fire = no(self.rule_id, "not-under-fire")
        self.not_strongest = no(self.rule_id, "not-strongest", self._strongest)

    def under_fire(self, s: Any, c: Any, side: Side) -> list[int]:
        """The units that can be hit."""
        raise NotImplementedError

    def hit(self, s: Any, c: Any, unit: int) -> None:
        """What a hit does to a unit."""
        raise NotImplementedError

    def nouns(self, s: Any, c: Any, side: Side, verb: str) -> Iterable[int]:
        """Every unit under fire, while there are hits to take."""
        return self.under_fire(s, c, side) if c.hits else ()

    def why_not(self, s: Any, c: Any, side: Side, verb: str, noun: int) -> No | None:
        """Only who is under fire, and of those the strongest."""
        units = self.under_fire(s, c, side)
        if noun not in units:
            return self.not_under_fire
        return None if s.steps[noun] == max(s.steps[u] for u in units) else self.not_strongest

    def _strongest(self, s: Any, c: Any, side: Side, noun: int) -> dict[str, Any]:
        units = self.under_fire(s, c, side)
        most = max(s.steps[u] for u in units)
        return {"strongest": [UNIT.word(s, side, u) for u in units if s.steps[u] == most]}

    def apply(self, s: Any, c: Any, side: Side, verb: str, noun: int) -> None:
        """One hit less to take."""
        c.hits -= 1
        self.hit(s, c, noun)


class StayOrGo(Decision):
    """After a round of battle a side stays, or all its units retreat to one hex next door where no enemy stands.

    The frame declares `hex`, the battle, and `stays`, the sides that have decided in this round.
    """

    verbs = {"stay": NOTHING, "retreat": HEX}
    rule_id: str
    costs: StepCosts

    def __init__(self) -> None:
        self.not_next, self.enemy_there = no(self.rule_id, "not-next"), no(self.rule_id, "enemy-there")

    def why_not_stay(self, s: Any, c: Any, side: Side) -> No | None:
        """The rule that drives the side out, or None."""
        return None

    def why_not_retreat(self, s: Any, c: Any, side: Side, hex: int) -> No | None:
        """The rule that forbids a retreat to a hex next door without enemies, or None."""
        return None

    def retreated(self, s: Any, units: list[int], hex: int) -> None:
        """What else a retreat changes."""

    def nouns(self, s: Any, c: Any, side: Side, verb: str) -> Iterable[int]:
        """Stay, or any hex next door, as long as there is a battle."""
        if side in c.stays or not is_contested(s, c.hex):
            return ()
        return (0,) if verb == "stay" else s.board.grid.neighbours[c.hex]

    def why_not(self, s: Any, c: Any, side: Side, verb: str, noun: int) -> No | None:
        """A step that can be made, no enemy there; and whatever the game adds."""
        if verb == "stay":
            return self.why_not_stay(s, c, side)
        if noun not in s.board.grid.neighbours[c.hex] or self.costs.cost(c.hex, noun) is None:
            return self.not_next
        if any(other != side for other in sides_in(s, noun)):
            return self.enemy_there
        return self.why_not_retreat(s, c, side, noun)

    def apply(self, s: Any, c: Any, side: Side, verb: str, noun: int) -> None:
        """Stay, or go together."""
        c.stays = (*c.stays, side)
        if verb == "retreat":
            units = stack_of(s, c.hex, side)
            emit(s, "retreat", self.rule_id, side=side, hex=HEX.word(s, side, noun))
            for unit in units:
                place(s, unit, noun)
            self.retreated(s, units, noun)
