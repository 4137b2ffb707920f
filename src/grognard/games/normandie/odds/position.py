"""From a position in play to a case: the combat that an action launches, or the one under way."""

from __future__ import annotations

from typing import Any

from grognard.kernel import Action

from ..frames import Combat, MoveStack
from ..rules.bombardment import drop_bombs, fire_ships, fleet_of
from ..rules.combat import allied_group, covers, eligible, has_real_choice, plane_for
from ..rules.combat_choices import COVERED
from ..rules.definitions import units_in
from ..state import NormandieState
from ..world import AT, CODES, GERMAN, INDEX
from .law import Fire, law_of

LAUNCHES = ("join", "fight", "fly", "no-air", "add", "enough", "count", "support", "no-support", "hold-fire")


def odds_of(s: NormandieState, action: Action) -> dict[str, Any] | None:
    """The law of the combat that an action launches, or of the one under way; a bombardment is counted first."""
    verb, target = action
    c = s.frames[-1] if s.frames else None
    if isinstance(c, MoveStack) and verb == "overrun":
        overrun = Combat(kind="overrun", side=c.side, target=AT[target], attackers=c.units)
        return _told(overrun, law_of(s, overrun), chosen=False) if units_in(s, overrun.target, 1 - c.side) else None
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
    elif verb == "join":
        fight.attackers = (*c.attackers, INDEX[target])
    elif verb == "fly":
        fight.plane = max(0, plane_for(s, allied_group(s, c)))
    elif verb == "add":
        fight.support = (*c.support, INDEX[target])
    elif verb == "support":
        fight.shield = INDEX[target]
    elif verb == "count":
        fight.cover = target
    if not fight.attackers or not units_in(s, c.target, 1 - c.side):
        return None
    return _told(fight, law_of(s, fight, fire), chosen=bool(c.asked & COVERED) or verb == "count")


def _told(c: Combat, law: dict[str, Any], chosen: bool) -> dict[str, Any]:
    """The law with its hex, 2.2g and with what the defender is taken to count while he has not chosen."""
    open_choice = c.kind != "drop" and not c.sea and has_real_choice(c.target) and not chosen
    assumes = {"assumes": [["2.2g", c.cover or covers(c.target)[0]]]} if open_choice else {}
    return {"hex": CODES[c.target]} | assumes | law


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
