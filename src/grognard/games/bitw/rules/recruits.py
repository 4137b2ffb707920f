"""10.0 The SS recruiting centre at Munich, and 40.0 the upgrade of a corps: two small rows after production."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from grognard.kernel import NOTHING, Decision, No, Side, emit, enter, no, rule

from ..frames import PlayerTurn, Recruiting
from ..loading import AXIS, charts
from ..nouns import FOG, UNIT, name_of
from ..state import NOWHERE, OFF, OOS, POOL, BitwState, month, on_map, put
from ..world import BLOCKS_OF, UNIT_IDS, UNITS
from .arrivals import new_token
from .definitions import why_not_own
from .opening import rule_is_on
from .production import BLUE_STEP, FULL_STRENGTH, NOT_IN_POOL, NOWHERE_TO_ARRIVE, UNSUPPLIED_REPAIR
from .sites import can_arrive
from .ss import MUNICH_LOST, is_ss, munich_recruits
from .supply import remove

FIRST_RECRUITS: Final = "1943-01"
NOT_SS, NOT_YET, ONE_A_TURN = (
    no("10.0-munich-b", "not-ss"),
    no("10.0-munich-b", "munich-not-yet"),
    no("10.0-munich-b", "munich-once"),
)
UPGRADES: Final = {UNIT_IDS[u["of"]]: (UNIT_IDS[u["to"]], u["month"]) for u in charts().upgrades}
NO_UPGRADE, UPGRADE_LATER = no("40.0b", "no-upgrade"), no("40.0a", "upgrade-later")
UPGRADE_WAITS, UPGRADE_DONE = no("40.0c", "upgrade-waits"), no("40.0c", "upgrade-done")


@rule("10.0-munich-b")
def why_not_recruit(s: BitwState, c: PlayerTurn, unit: int) -> No | None:
    """10.0-munich-b From January 1943, while Munich qualifies, one SS step a turn is free: a repair or a new unit."""
    if not is_ss(unit):
        return NOT_SS
    if month(s) < FIRST_RECRUITS:
        return NOT_YET
    if not munich_recruits(s):
        return MUNICH_LOST
    if c.recruited:
        return ONE_A_TURN
    u = UNITS[unit]
    if s.place[unit] < OFF:
        if s.flags[unit] & OOS:
            return UNSUPPLIED_REPAIR
        if s.steps[unit] == u.pattern.top:
            return FULL_STRENGTH
        return None if u.step_cost(s.steps[unit]) else BLUE_STEP
    if s.place[unit] != POOL:
        return NOT_IN_POOL
    return None if can_arrive(s, c, unit) else NOWHERE_TO_ARRIVE


@rule("10.0-munich-b")
class Recruit(Decision):
    """10.0-munich-b The free SS step of the Axis Production Phase."""

    verbs = {"done": NOTHING, "recruit": UNIT}

    def needed(self, s: BitwState, c: PlayerTurn, side: Side) -> bool:
        """While it may be had and has not been waived, whether a corps wants it or not: that is not told (1.3)."""
        if side != AXIS or c.finished == c.at() or not rule_is_on(s, "10.0-munich-b"):
            return False
        return month(s) >= FIRST_RECRUITS and not c.recruited and munich_recruits(s)

    def nouns(self, s: BitwState, c: PlayerTurn, side: Side, verb: str) -> Iterable[int]:
        """The SS units."""
        return (0,) if verb == "done" else [u for u in BLOCKS_OF[side] if is_ss(u)]

    def why_not(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> No | None:
        """One step a turn."""
        return None if verb == "done" else why_not_own(noun, side) or why_not_recruit(s, c, noun)

    def apply(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> None:
        """Turn the block, or take it in hand."""
        if verb == "done":
            c.finished = c.at()
            return
        c.recruited = 1
        if s.place[noun] < OFF:
            s.steps[noun] = UNITS[noun].pattern.above[s.steps[noun]]
            emit(s, "ss-raised", "10.0-munich-b", audience=(side,), unit=UNITS[noun].id, steps=s.steps[noun])
        else:
            enter(s, Recruiting(unit=noun, side=side))


# 40.0 Upgrades


@rule("40.0a", "40.0b", "40.0c")
def why_not_upgrade(s: BitwState, unit: int) -> No | None:
    """40.0a The 19th Panzer Corps becomes Guderian's group from June 1940; the others need the sister games (40.0b).

    It must be in play, at full strength and in supply, or wait (40.0c).
    """
    if unit not in UPGRADES:
        return NO_UPGRADE
    new, since = UPGRADES[unit]
    if s.place[new] < OFF or s.place[new] == POOL or s.lost[new]:
        return UPGRADE_DONE
    if month(s) < since:
        return UPGRADE_LATER
    ready = s.place[unit] < OFF and s.steps[unit] == UNITS[unit].pattern.top and not s.flags[unit] & OOS
    return None if ready else UPGRADE_WAITS


@rule("40.0a", "40.0c")
class Upgrade(Decision):
    """40.0c A corps at full strength and in supply is replaced for good by the group named; the player may decline."""

    verbs = {"done": NOTHING, "upgrade": UNIT}

    def needed(self, s: BitwState, c: PlayerTurn, side: Side) -> bool:
        """While an upgrade is due and the player has not declined this turn, ready or not: that is not told (1.3)."""
        if side != AXIS or c.finished == c.at() or not rule_is_on(s, "40.0a"):
            return False
        old = [u for u in UPGRADES if s.place[u] != NOWHERE]
        return any(why_not_upgrade(s, u) in (None, UPGRADE_WAITS) for u in old)

    def nouns(self, s: BitwState, c: PlayerTurn, side: Side, verb: str) -> Iterable[int]:
        """The corps on the map that can ever be upgraded."""
        return (0,) if verb == "done" else [u for u in on_map(s, side) if u in UPGRADES]

    def why_not(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> No | None:
        """In its month, whole and fed."""
        return None if verb == "done" else why_not_own(noun, side) or why_not_upgrade(s, noun)

    def apply(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> None:
        """One block for the other."""
        if verb == "done":
            c.finished = c.at()
            return
        new, node = UPGRADES[noun][0], s.place[noun]
        emit(s, "upgraded", "40.0a", unit=FOG.veil(s, noun), hex=name_of(s, node))
        remove(s, noun, NOWHERE)
        new_token(s, new)
        put(s, new, node)
        s.steps[new] = UNITS[new].pattern.top
