"""Step 2 of every combat: each side commits markers and, on the ground, one air unit; both reveal together."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TypeVar

from grognard.games.surrender.frames import GroundCombat
from grognard.games.surrender.loading import charts, setting
from grognard.games.surrender.nouns import MARKER, UNIT
from grognard.games.surrender.rules.board import faction_name, unit_of, units_on_map
from grognard.games.surrender.rules.markers import (
    Combat,
    attacking_side,
    combat_kind,
    defending_side,
    spend,
    usable_markers,
    why_not_marker,
)  # fmt: skip
from grognard.games.surrender.rules.refusals import OUT_OF_RANGE, WORN_OUT
from grognard.games.surrender.state import Position, world
from grognard.games.surrender.world import MARKERS
from grognard.kernel import NOTHING, Decision, No, Side, draw, emit, no, rule

T = TypeVar("T")
ONLY_ON_THE_GROUND = no("seq-2-air-ground-only", "air-only-on-the-ground")
NOT_YOURS = no("air-support-range", "not-yours")
NOT_AN_AIR_UNIT = no("air-support-range", "not-an-air-unit")
ONE_AIR_UNIT = no("seq-2-air", "one-air-unit")


def both_sides(s: Position, c: Combat) -> tuple[Side, ...]:
    """Attacker, then defender."""
    return attacking_side(s, c), defending_side(s, c)


@cache
def air_range(kind: str) -> int:
    """air-range Fighter 5 hexes, bomber 16, carrier 4."""
    return int(charts()["ranges"][kind])


@rule("air-range")
def in_range(s: Position, unit: int, hex: int, reach: int = 0) -> bool:
    """air-range From its base to the combat hex."""
    grid = world(s).theatre.grid
    return s.at[unit] >= 0 and grid.distance(s.at[unit], hex) <= (reach or air_range(unit_of(s, unit).type))


@rule("seq-2-air", "seq-2-air-ground-only", "air-support-range", "sorties-max")
def why_not_air(s: Position, c: Combat, side: Side, unit: int) -> No | None:
    """seq-2-air One air unit a side, in ground combat only.

    air-support-range It is the faction's, in range of the defender's hex and under six sorties; carriers are ships.
    """
    kind = unit_of(s, unit)
    if not isinstance(c, GroundCombat):
        return ONLY_ON_THE_GROUND
    if kind.faction != side or s.at[unit] < 0:
        return NOT_YOURS
    if not kind.air:
        return NOT_AN_AIR_UNIT
    if c.sent[side] >= 0:
        return ONE_AIR_UNIT
    if s.sorties[unit] >= setting("sortie_limit"):
        return WORN_OUT
    return None if in_range(s, unit, c.hex) else OUT_OF_RANGE


def supporters(s: Position, c: Combat, side: Side) -> list[int]:
    """Air units that this side may still commit."""
    if not isinstance(c, GroundCombat):
        return []
    units = world(s).units
    return [u for u in units_on_map(s, side) if units[u].air and why_not_air(s, c, side, u) is None]


@rule("seq-2-secret", "no-solo-secret")
class Commit(Decision):
    """seq-2-secret Each side chooses in secret what it commits, then says it is ready.

    no-solo-secret Both owe the decision at once and neither sees the other's part, whoever plays them.
    """

    verbs = {"ready": NOTHING, "commit": MARKER, "send": UNIT}
    together = True

    def needed(self, s: Position, c: Combat, side: Side) -> bool:
        """Until it is ready, if it has anything to commit."""
        if side in c.ready:
            return False
        if c.committed[side] or (isinstance(c, GroundCombat) and c.sent[side] >= 0):
            return True
        return bool(usable_markers(s, c, side) or supporters(s, c, side))

    def nouns(self, s: Position, c: Combat, side: Side, verb: str) -> Iterable[int]:
        """Markers in hand, own air units, and no more."""
        if verb == "ready":
            return (0,)
        return usable_markers(s, c, side) if verb == "commit" else supporters(s, c, side)

    def why_not(self, s: Position, c: Combat, side: Side, verb: str, noun: int) -> No | None:
        """The marker's own terms, or the air unit's."""
        if verb == "ready":
            return None
        return why_not_marker(s, c, side, noun) if verb == "commit" else why_not_air(s, c, side, noun)

    def legal_nouns(self, s: Position, c: Combat, side: Side, verb: str) -> list[int]:
        """All of them: only what may be committed is looked at."""
        return list(self.nouns(s, c, side, verb))

    def apply(self, s: Position, c: Combat, side: Side, verb: str, noun: int) -> None:
        """Keep it to oneself."""
        if verb == "ready":
            c.ready = (*c.ready, side)
        elif verb == "commit":
            c.committed = with_entry(c.committed, side, (*c.committed[side], noun))
        else:
            assert isinstance(c, GroundCombat)
            c.sent = with_entry(c.sent, side, noun)

    def redeal(self, s: Position, c: Combat, side: Side) -> None:
        """no-solo-secret An enemy's commitment could be any that it can make."""
        for other in both_sides(s, c):
            if other != side:
                self.deal(s, c, other)

    def deal(self, s: Position, c: Combat, side: Side) -> None:
        """A commitment that this side could have made so far."""
        c.committed = with_entry(c.committed, side, ())
        if isinstance(c, GroundCombat):
            c.sent = with_entry(c.sent, side, -1)
        for _ in range(4):
            choices = self.legal(s, c, side)
            verb, noun = choices[draw(s, len(choices))]
            if verb == "ready":
                return
            self.apply(s, c, side, verb, noun)


def with_entry(entries: tuple[T, ...], side: Side, entry: T) -> tuple[T, ...]:
    """The same by faction, with another entry for one of them."""
    return (*entries[:side], entry, *entries[side + 1 :])


@rule("seq-2-reveal", "seq-2-events")
def reveal(s: Position, c: Combat) -> None:
    """seq-2-reveal Both commitments are shown in one event and the markers are spent."""
    sides = both_sides(s, c)
    flying = [c.sent[side] if isinstance(c, GroundCombat) else -1 for side in sides]
    shown = [
        [*(MARKERS[m].id for m in c.committed[side]), *(unit_of(s, u).id for u in (unit,) if u >= 0)] or ["nothing"]
        for side, unit in zip(sides, flying)
    ]
    emit(
        s, "commitments", "seq-2-reveal", reveals=True, combat=combat_kind(c),
        attacking=faction_name(sides[0]), attacker=shown[0], defending=faction_name(sides[1]), defender=shown[1],
    )  # fmt: skip
    c.ready = sides
    for side in sides:
        for marker in c.committed[side]:
            spend(s, side, marker, MARKERS[marker].rule)
    if isinstance(c, GroundCombat):
        c.air = (flying[0], flying[1])
