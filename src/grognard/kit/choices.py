"""Decisions of a common shape: choices in secret, units moved one at a time, battles picked, hits taken, retreats.

A game names its rules and answers what only they can tell. All but the first want the positions of `Armies`.
"""

from __future__ import annotations

from typing import Any

from grognard.hexes import Reach, StepCosts
from grognard.kernel import Action, Decision, Refusal, Side, draw, emit
from grognard.kernel.stacks import place

from .armies import is_contested, sides_in, stack_of, units_of


class SecretChoice(Decision):
    """Sides choose at once and in secret. What each chose waits in the column `field` until a rule shows it.

    The column has one entry a side, is declared OWN and starts at -1: not chosen yet.
    """

    together = True
    field: str

    def chosen(self, target: str) -> int:
        """The number that stands for a target in the column."""
        return int(target)

    def needed(self, s: Any, c: Any, side: Side) -> bool:
        """Until the side has chosen."""
        return bool(getattr(s, self.field)[side] < 0)

    def apply(self, s: Any, c: Any, side: Side, verb: str, target: str) -> None:
        """Note the choice."""
        getattr(s, self.field)[side] = self.chosen(target)

    def redeal(self, s: Any, c: Any, side: Side) -> None:
        """Each of the others may have made any choice that was open to it."""
        column = getattr(s, self.field)
        for other in [other for other, value in enumerate(column) if value >= 0 and other != side]:
            legal = self.legal(s, c, other)
            column[other] = self.chosen(legal[draw(s, len(legal))][1])


class MoveUnits(Decision):
    """Pick a unit up, put it down, as often as the rules allow; `done` ends it.

    The frame declares `unit`, the one in hand (OWN, -1: none), and `done`, 1 when the side has finished. The game gives
    the rules of moving and of reach. What no game allows (`pick-first`, `in-hand`, `not-yours`, `off-map`,
    `out-of-reach`) is refused here.
    """

    verbs = ("move", "to", "done")
    rule_id: str
    reach_rule_id: str
    off_map_rule_id: str = ""  # who is off the map cannot move; by the rule of moving, unless a game says otherwise

    def why_not_move(self, s: Any, c: Any, side: Side, unit: int) -> Refusal | None:
        """The rule that forbids this side to pick up this unit of its own, or None."""
        return None

    def reach_of(self, s: Any, unit: int) -> Reach:
        """Where a unit can get to."""
        raise NotImplementedError

    def why_not_stop(self, s: Any, unit: int, hex: int) -> Refusal | None:
        """The rule that forbids a unit to end its move in a hex, were it in reach, or None."""
        return None

    def put(self, s: Any, c: Any, unit: int, hex: int) -> None:
        """Put a unit down."""
        raise NotImplementedError

    def needed(self, s: Any, c: Any, side: Side) -> bool:
        """Until the side has finished."""
        return not c.done

    def candidates(self, s: Any, c: Any, side: Side) -> list[Action]:
        """Every unit of the side; with one in hand, where it can get to."""
        if c.unit >= 0:
            return [("to", s.board.grid.names[hex]) for hex in sorted(self.reach_of(s, c.unit).hexes)]
        return [("move", s.unit_names[u]) for u, owner in enumerate(s.side_of) if owner == side] + [("done", "")]

    def legal(self, s: Any, c: Any, side: Side) -> list[Action]:
        """The same without what is refused, in one pass: reach is looked at once, and names need not be read back."""
        if c.unit < 0:
            mine, why_not = units_of(s, side), self.why_not_move
            return [("move", s.unit_names[u]) for u in mine if why_not(s, c, side, u) is None] + [("done", "")]
        names, unit, hexes = s.board.grid.names, c.unit, sorted(self.reach_of(s, c.unit).hexes)
        return [("to", names[hex]) for hex in hexes if self.why_not_stop(s, unit, hex) is None]

    def why_not(self, s: Any, c: Any, side: Side, verb: str, target: str) -> Refusal | None:
        """One unit at a time, one's own, to a hex in reach; and whatever the game adds."""
        if verb == "to":
            if c.unit < 0:
                return Refusal(self.rule_id, "pick-first")
            hex, reach = s.board.grid.hex_named(target), self.reach_of(s, c.unit)
            facts = {"unit": s.unit_names[c.unit], "hex": target, "points": reach.points}
            far = None if hex in reach else Refusal(self.reach_rule_id, "out-of-reach", facts)
            return self.why_not_stop(s, c.unit, hex) or far
        if c.unit >= 0:
            return Refusal(self.rule_id, "in-hand", {"unit": s.unit_names[c.unit]})
        if verb == "done":
            return None
        unit = s.unit_names.index(target)
        if s.side_of[unit] != side:
            return Refusal(self.rule_id, "not-yours", {"unit": target})
        if s.at[unit] < 0:
            return Refusal(self.off_map_rule_id or self.rule_id, "off-map", {"unit": target})
        return self.why_not_move(s, c, side, unit)

    def apply(self, s: Any, c: Any, side: Side, verb: str, target: str) -> None:
        """Pick up, put down, or finish."""
        if verb == "to":
            self.put(s, c, c.unit, s.board.grid.hex_named(target))
        c.unit = s.unit_names.index(target) if verb == "move" else -1
        c.done = int(verb == "done")


class FightBattles(Decision):
    """A side fights in every hex where it meets an enemy, in the order it likes; `apply` enters the battle."""

    verbs = ("fight",)
    rule_id: str

    def candidates(self, s: Any, c: Any, side: Side) -> list[Action]:
        """Where units of the side and of another stand."""
        return [("fight", s.board.grid.names[hex]) for hex in sorted({s.at[unit] for unit in units_of(s, side)})]

    def why_not(self, s: Any, c: Any, side: Side, verb: str, target: str) -> Refusal | None:
        """Both must be there."""
        sides = sides_in(s, s.board.grid.hex_named(target))
        return None if side in sides and len(sides) > 1 else Refusal(self.rule_id, "no-battle", {"hex": target})


class TakeHits(Decision):
    """Hits are taken one by one, each by the strongest unit under fire; its owner chooses among equals.

    The frame declares `hits`, those still to be taken; the position has a column `steps`.
    """

    verbs = ("lose",)
    rule_id: str

    def under_fire(self, s: Any, c: Any, side: Side) -> list[int]:
        """The units that can be hit."""
        raise NotImplementedError

    def hit(self, s: Any, c: Any, unit: int) -> None:
        """What a hit does to a unit."""
        raise NotImplementedError

    def candidates(self, s: Any, c: Any, side: Side) -> list[Action]:
        """Every unit under fire, while there are hits to take."""
        return [("lose", s.unit_names[unit]) for unit in self.under_fire(s, c, side) if c.hits]

    def why_not(self, s: Any, c: Any, side: Side, verb: str, target: str) -> Refusal | None:
        """Only who is under fire, and of those the strongest."""
        unit, units = s.unit_names.index(target), self.under_fire(s, c, side)
        if unit not in units:
            return Refusal(self.rule_id, "not-under-fire", {"unit": target})
        most = max(s.steps[u] for u in units)
        facts = {"unit": target, "strongest": [s.unit_names[u] for u in units if s.steps[u] == most]}
        return None if s.steps[unit] == most else Refusal(self.rule_id, "not-strongest", facts)

    def apply(self, s: Any, c: Any, side: Side, verb: str, target: str) -> None:
        """One hit less to take."""
        c.hits -= 1
        self.hit(s, c, s.unit_names.index(target))


class StayOrGo(Decision):
    """After a round of battle a side stays, or all its units retreat to one hex next door where no enemy stands.

    The frame declares `hex`, the battle, and `stays`, the sides that have decided in this round.
    """

    verbs = ("stay", "retreat")
    rule_id: str
    costs: StepCosts

    def why_not_stay(self, s: Any, c: Any, side: Side) -> Refusal | None:
        """The rule that drives the side out, or None."""
        return None

    def why_not_retreat(self, s: Any, c: Any, side: Side, hex: int) -> Refusal | None:
        """The rule that forbids a retreat to a hex next door without enemies, or None."""
        return None

    def retreated(self, s: Any, units: list[int], hex: int) -> None:
        """What else a retreat changes."""

    def candidates(self, s: Any, c: Any, side: Side) -> list[Action]:
        """Stay, or any hex next door, as long as there is a battle."""
        if side in c.stays or not is_contested(s, c.hex):
            return []
        return [("stay", "")] + [("retreat", s.board.grid.names[hex]) for hex in s.board.grid.neighbours[c.hex]]

    def why_not(self, s: Any, c: Any, side: Side, verb: str, target: str) -> Refusal | None:
        """A step that can be made, no enemy there; and whatever the game adds."""
        if verb == "stay":
            return self.why_not_stay(s, c, side)
        hex = s.board.grid.hex_named(target)
        if self.costs.cost(c.hex, hex) is None:
            return Refusal(self.rule_id, "not-next", {"hex": target})
        if any(other != side for other in sides_in(s, hex)):
            return Refusal(self.rule_id, "enemy-there", {"hex": target})
        return self.why_not_retreat(s, c, side, hex)

    def apply(self, s: Any, c: Any, side: Side, verb: str, target: str) -> None:
        """Stay, or go together."""
        c.stays = (*c.stays, side)
        if verb == "retreat":
            units, hex = stack_of(s, c.hex, side), s.board.grid.hex_named(target)
            emit(s, "retreat", self.rule_id, side=side, hex=target)
            for unit in units:
                place(s, unit, hex)
            self.retreated(s, units, hex)
