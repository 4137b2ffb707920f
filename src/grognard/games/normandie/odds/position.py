"""From a position in play to a case: the combat that an action launches, or the one under way."""

from __future__ import annotations

from typing import Any

from grognard.kernel import Action

from ..frames import Combat, MoveStack
from ..rules.bombardment import drop_bombs, fire_ships, fleet_of
from ..rules.combat import allied_group, eligible, plane_for
from ..rules.definitions import units_in
from ..state import NormandieState
from ..world import AT, GERMAN, INDEX
from .law import Fire, law_of

LAUNCHES = ("fight", "fly", "no-air", "add", "enough", "count", "support", "no-support", "hold-fire")


def odds_of(s: NormandieState, action: Action) -> dict[str, Any] | None:
    """The law of the combat that an action launches, or of the one under way; a bombardment is counted first."""
    verb, target = action
    c = s.frames[-1] if s.frames else None
    if isinstance(c, MoveStack) and verb == "overrun":
        return law_of(s, Combat(kind="overrun", side=c.side, target=AT[target], attackers=c.units))
    if not isinstance(c, Combat) or c.die:
        return None
    fight = c.copy()
    fire: Fire | None = None
    if verb in ("ships", "bombers", "hold-fire"):  # nobody is committed yet: everybody who may
        fight.attackers = c.attackers or tuple(eligible(s, c))
    if verb in ("ships", "bombers"):
        fire = _planned(s, c, verb, target)
    elif verb not in LAUNCHES:
        return None
    elif verb == "fly":
        fight.plane = max(0, plane_for(s, allied_group(s, c)))
    elif verb == "add":
        fight.support = (*c.support, INDEX[target])
    elif verb == "support":
        fight.shield = INDEX[target]
    elif verb == "count":
        fight.cover = target
    return law_of(s, fight, fire) if fight.attackers and units_in(s, c.target, 1 - c.side) else None


def _planned(s: NormandieState, c: Combat, verb: str, target: str) -> Fire:
    """The bombardment that an action stands for."""
    codes, _, amounts = target.partition(":")
    hexes, used = [AT[code] for code in codes.split("+")], [int(n) for n in amounts.split("+")]
    group = allied_group(s, c)

    def fire(twin: NormandieState) -> None:
        if verb == "ships":
            fire_ships(twin, fleet_of(group), hexes[0], GERMAN, used[0], used[1])
        else:
            drop_bombs(twin, group, hexes, GERMAN, used[0], used[1], used[2])

    return fire
