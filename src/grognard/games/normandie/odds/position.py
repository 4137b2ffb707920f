"""From a position in play to a case: the combat that an action launches, or the one under way."""

from __future__ import annotations

from typing import Any

from grognard.kernel import Action

from ..frames import Barrage, Combat, MoveStack
from ..nouns import COVER_WORDS
from ..rules.bombardment import MEANS, fire_at, means_of
from ..rules.combat import allied_group, covers, eligible, has_real_choice, plane_for
from ..rules.combat_choices import COVERED
from ..rules.definitions import units_in
from ..state import NormandieState
from ..world import CODES
from .fire import other_dice
from .law import Fire, law_of

LAUNCHES = ("join", "fight", "fly", "no-air", "add", "enough", "count", "support", "no-support", "hold-fire")


def odds_of(s: NormandieState, action: Action) -> dict[str, Any] | None:
    """The law of the combat that an action launches, or of the one under way; a bombardment is counted first."""
    verb, noun = action
    c = s.frames[-1] if s.frames else None
    if isinstance(c, MoveStack) and verb == "overrun":
        return told(s, Combat(kind="overrun", side=c.side, target=noun, attackers=c.units))
    if isinstance(c, Barrage):
        under = s.frames[-2]
        if not isinstance(under, Combat):
            return other_dice(s, action)
        fight = under.copy()
        fight.attackers = fight.attackers or tuple(eligible(s, fight))
        used, places = list(c.used), list(c.places)
        if verb == "also":
            places.append(noun)
        elif verb != "fire":
            used[MEANS[c.by].index(verb)] = noun
        return told(s, fight, lambda twin: fire_at(twin, c.by, c.group, places, used))
    if not isinstance(c, Combat):
        return other_dice(s, action)
    if c.die or verb not in (*LAUNCHES, *MEANS):
        return None
    fight = c.copy()
    if verb in MEANS:  # with all that is there
        fight.attackers = c.attackers or tuple(eligible(s, c))
        group = allied_group(s, c)
        means = means_of(s, verb, group, noun)
        return told(s, fight, lambda twin: fire_at(twin, verb, group, (noun,), means))
    if verb == "hold-fire":  # nobody is committed yet: everybody who may
        fight.attackers = c.attackers or tuple(eligible(s, c))
    elif verb == "join":
        return joining(s, c, noun)
    elif verb == "fly":
        fight.plane = max(0, plane_for(s, allied_group(s, c)))
    elif verb == "add":
        fight.support = (*c.support, noun)
    elif verb == "support":
        fight.shield = noun
    elif verb == "count":
        fight.cover, fight.asked = COVER_WORDS[noun], c.asked | COVERED
    return told(s, fight)


def joining(s: NormandieState, c: Combat, unit: int) -> dict[str, Any] | None:
    """6.3i The law with the units chosen so far and this one; and the chances if all who can join."""
    fight, everybody = c.copy(), c.copy()
    fight.attackers = (*c.attackers, unit)
    everybody.attackers = (*c.attackers, *eligible(s, c))
    found = told(s, fight)
    if found is None or len(everybody.attackers) <= len(fight.attackers):
        return found
    alone = {} if c.attackers else {"alone": True}
    return found | alone | {"together": law_of(s, everybody)["chances"]}


def told(s: NormandieState, c: Combat, fire: Fire | None = None) -> dict[str, Any] | None:
    """The law with its hex, 2.2g and with what the defender is taken to count while he has not chosen."""
    if not c.attackers or not units_in(s, c.target, 1 - c.side):
        return None
    open_choice = c.kind != "drop" and not c.sea and not c.asked & COVERED and has_real_choice(c.target)
    assumes = {"assumes": [["2.2g", c.cover or covers(c.target)[0]]]} if open_choice else {}
    return {"hex": CODES[c.target]} | assumes | law_of(s, c, fire)
