"""Assaults: one to three fresh armies next to the target, one of them the principal attacker."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from grognard.games.surrender.frames import AssaultPlan, GroundCombat, Invasion
from grognard.games.surrender.nouns import HEX, UNIT
from grognard.games.surrender.rules.board import army_in, at_war, unit_of
from grognard.games.surrender.state import Position, world
from grognard.games.surrender.theatre import IMPASSABLE
from grognard.kernel import NOTHING, Decision, No, Side, no, rule


def target_facts(s: Position, c: Any, side: Side, noun: int) -> dict[str, Any]:
    """The target of an assault or landing being gathered: there the noun is a unit."""
    return {"hex": HEX.word(s, side, c.target)} if isinstance(c, AssaultPlan | Invasion) else {}


NOT_ADJACENT = no("assault-setup", "not-adjacent", target_facts)
IMPASSABLE_SIDE = no("move-bans", "impassable-side", target_facts)
NOBODY_THERE = no("assault-setup", "nobody-there", target_facts)
NOT_AT_WAR = no("factions", "not-at-war", target_facts)
THREE_AT_MOST = no("seq-1-cap", "three-at-most")
ALREADY_IN = no("assault-setup", "already-in")
NOT_YOURS = no("factions", "not-yours")
ALREADY_ACTIVATED = no("activation-choice", "already-activated")
NOT_ATTACKING = no("seq-1-assault", "not-attacking")


@rule("factions", "assault-setup")
def why_not_target(s: Position, side: Side, start: int, hex: int) -> No | None:
    """assault-setup An adjacent army at war with us, across a passable hexside."""
    theatre = world(s).theatre
    if hex not in theatre.grid.neighbours[start]:
        return NOT_ADJACENT
    if not theatre.land[hex] or theatre.side(start, hex) == IMPASSABLE:
        return IMPASSABLE_SIDE
    army = army_in(s, hex)
    if army < 0:
        return NOBODY_THERE
    return None if at_war(side, unit_of(s, army).faction) else NOT_AT_WAR


@rule("activation-choice", "assault-setup", "factions", "seq-1-cap")
def why_not_join(s: Position, side: Side, target: int, unit: int, joined: tuple[int, ...]) -> No | None:
    """assault-setup A fresh unit of the same faction, adjacent to the target. seq-1-cap Three attackers at most."""
    kind = unit_of(s, unit)
    if len(joined) >= 3:
        return THREE_AT_MOST
    if unit in joined:
        return ALREADY_IN
    if kind.faction != side or not kind.ground or s.at[unit] < 0:
        return NOT_YOURS
    return ALREADY_ACTIVATED if s.done[unit] else why_not_target(s, side, s.at[unit], target)


class JoinAssault(Decision):
    """assault-setup One to three fresh units next to the target; then the assault is launched."""

    verbs = {"launch": NOTHING, "join": UNIT}

    def needed(self, s: Position, c: AssaultPlan, side: Side) -> bool:
        """Until launched, while another unit could join."""
        return not c.launched and bool(self.joiners(s, c, side))

    def joiners(self, s: Position, c: AssaultPlan, side: Side) -> list[int]:
        """Units that may still join."""
        return self.legal_nouns(s, c, side, "join")

    def nouns(self, s: Position, c: AssaultPlan, side: Side, verb: str) -> Iterable[int]:
        """Launch, or an army next to the target."""
        if verb == "launch":
            return (0,)
        if len(c.units) >= 3:
            return ()
        return sorted(a for h in world(s).theatre.grid.neighbours[c.target] if (a := army_in(s, h)) >= 0)

    def why_not(self, s: Position, c: AssaultPlan, side: Side, verb: str, noun: int) -> No | None:
        """The conditions of an assault."""
        return None if verb == "launch" else why_not_join(s, side, c.target, noun, c.units)

    def apply(self, s: Position, c: AssaultPlan, side: Side, verb: str, noun: int) -> None:
        """One more, or go."""
        if verb == "launch":
            c.launched = 1
        else:
            c.units = (*c.units, noun)


@rule("seq-1-assault")
class NamePrincipal(Decision):
    """seq-1-assault With several attackers the attacking side names the principal one."""

    verbs = {"lead": UNIT}

    def needed(self, s: Position, c: AssaultPlan | Invasion, side: Side) -> bool:
        """With two or three units, until named."""
        return len(c.units) > 1 and c.principal < 0

    def nouns(self, s: Position, c: AssaultPlan | Invasion, side: Side, verb: str) -> Iterable[int]:
        """The attackers."""
        return c.units

    def why_not(self, s: Position, c: AssaultPlan | Invasion, side: Side, verb: str, noun: int) -> No | None:
        """One of the attackers."""
        return None if noun in c.units else NOT_ATTACKING

    def apply(self, s: Position, c: AssaultPlan | Invasion, side: Side, verb: str, noun: int) -> None:
        """Name it."""
        c.principal = noun


@rule("assault-setup", "seq-1-assault")
def begin_assault(s: Position, c: AssaultPlan) -> GroundCombat:
    """assault-setup All who take part are activated by it; a lone attacker is the principal."""
    principal = c.principal if c.principal >= 0 else c.units[0]
    for unit in c.units:
        s.done[unit] = 1
    others = tuple(u for u in c.units if u != principal)
    return GroundCombat(
        action="assault", hex=c.target, attacker=principal, others=others, defender=army_in(s, c.target)
    )
