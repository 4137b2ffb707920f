"""Whom the unit in hand may attack, and with what: every verb of fire, charge and overrun."""

from __future__ import annotations

from grognard.games.blitzkrieg.frames import Acting
from grognard.games.blitzkrieg.loading import Gun, Vehicle
from grognard.games.blitzkrieg.state import (
    AT_AIRCRAFT,
    CONTINUOUS,
    EMPTY,
    GOOD,
    JAMMED,
    THREW,
    Position,
    has,
)
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import IS_TEAM, IS_VEHICLE, MODEL_OF
from grognard.kernel import No, Side, no

from .aiming import DICE, FAUST, FLAME, GUN, VERBS, weapon_of, why_no_arm, why_no_target, why_unseen
from .assault import why_no_charge, why_no_overrun
from .capabilities import why_no_faust
from .ground import detects, enemies
from .indirect import NO_ROCKETS, has_tubes
from .rounds import VERBS as SPECIAL
from .rounds import why_no_round
from .snipers import is_sniper, why_no_snipe
from .transport import why_not_from_aboard

FIRED_ALREADY = no("base-vehicle-actions", "fired-already")
WEAPON_USED = no("base-vehicle-actions", "weapon-used")
THREW_SMOKE = no("107b", "threw-smoke")
AT_CLOSE_QUARTERS = ("charge", "overrun")
ATTACKS = frozenset({*VERBS, *SPECIAL, "tracks", "snipe", *AT_CLOSE_QUARTERS})


def has_moved(s: Position, c: Acting) -> bool:
    """The unit in hand fires as who has moved."""
    return bool(c.has_moved) or has(s, c.unit, CONTINUOUS)


def aa_arm(unit: int) -> int:
    """The arm with which a unit fires at aircraft: an AA gun, or the machine guns of other vehicles."""
    model = MODEL_OF[unit]
    return DICE if isinstance(model, Vehicle) and model.type != "aa" else GUN


def why_no_attack(s: Position, c: Acting, verb: str, noun: int) -> No | None:
    """Why the unit in hand may not snipe, fire, or fire a special round at a target; None if it may."""
    if verb == "snipe":
        return FIRED_ALREADY if c.shot else why_no_snipe(s, c.unit, noun, has_moved(s, c))
    return why_no_use(s, c, verb) or why_no_aim(s, c, verb, noun) or why_unseen(s, c.unit, noun)


def why_no_use(s: Position, c: Acting, verb: str) -> No | None:
    """What keeps the unit in hand from using a weapon at all: used already, thrown smoke, no such round."""
    unit, arm = c.unit, VERBS.get(verb, GUN)
    if c.shot & 1 << arm:
        return WEAPON_USED
    if c.shot and not IS_VEHICLE[unit]:
        return FIRED_ALREADY
    if s.rounds[unit] & THREW:
        return THREW_SMOKE
    if s.rounds[unit] & AT_AIRCRAFT and arm == aa_arm(unit):
        return WEAPON_USED
    if arm == GUN and has_tubes(unit) and not s.rockets[unit] and book_of(s).has("406"):
        return NO_ROCKETS
    return why_no_round(s, unit, SPECIAL[verb]) if verb in SPECIAL else None


def why_no_aim(s: Position, c: Acting, verb: str, noun: int) -> No | None:
    """What the target, the weapon, its range and its arc forbid; who is seen is asked apart."""
    why = why_no_target(s, c.unit, noun)
    if why is not None:
        return why
    arm, low, ammo = VERBS.get(verb, GUN), verb == "tracks", SPECIAL.get(verb, "")
    return why_no_arm(s, c.unit, noun, arm, has_moved(s, c), low, ammo=ammo)


# Whole lists, for speed


class Targets:
    """The targets of one unit, verb by verb: whom it detects is looked for once, and only if a weapon asks."""

    def __init__(self, s: Position, c: Acting, side: Side) -> None:
        self.known = enemies(s, side)
        self._seen: list[int] | None = None

    def seen(self, s: Position, unit: int) -> list[int]:
        """The known enemies that a unit detects."""
        if self._seen is None:
            self._seen = [u for u in self.known if detects(s, unit, u)]
        return self._seen

    def of(self, s: Position, c: Acting, verb: str) -> list[int]:
        """The same as asking for each enemy with each verb."""
        unit = c.unit
        if why_not_from_aboard(s, unit, verb) is not None or is_hopeless(s, c, verb):
            return []
        if verb == "snipe":
            return [u for u in self.known if why_no_snipe(s, unit, u, has_moved(s, c)) is None]
        if verb == "charge":
            return [u for u in self.seen(s, unit) if why_no_charge(s, unit, u) is None]
        if verb == "overrun":
            return [u for u in self.seen(s, unit) if why_no_overrun(s, unit, u) is None]
        if why_no_use(s, c, verb) is not None:
            return []
        return [u for u in self.seen(s, unit) if why_no_aim(s, c, verb, u) is None]


def is_hopeless(s: Position, c: Acting, verb: str) -> bool:
    """True if a verb is refused whatever the target: most verbs of most units."""
    unit = c.unit
    if verb in AT_CLOSE_QUARTERS:
        return s.condition[unit] != GOOD or not (IS_TEAM if verb == "charge" else IS_VEHICLE)[unit]
    if verb == "snipe":
        return bool(c.shot) or not is_sniper(unit)
    if has(s, unit, JAMMED):
        return True
    model, arm = MODEL_OF[unit], VERBS.get(verb, GUN)
    if isinstance(model, Gun):
        return arm != GUN
    if arm == FLAME:
        return not (isinstance(model, Vehicle) and model.flame) or has(s, unit, EMPTY)
    if arm == FAUST:
        return why_no_faust(s, unit) is not None
    return arm != DICE and (weapon_of(unit, arm) is None or has(s, unit, EMPTY))
