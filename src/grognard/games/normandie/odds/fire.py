"""Dice outside a combat: a bombardment by itself, coastal guns on who lands, an infiltration."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from grognard.kernel import Action, explore, rule

from ..frames import Barrage, DDay, MoveStack, Shelling
from ..rules.bombardment import MEANS, TB, fire_at, means_of
from ..rules.dday import support_group
from ..rules.definitions import units_in
from ..rules.losses import affect
from ..rules.tables import bombardment_level
from ..state import NormandieState
from ..world import CHARTS, CODES, COMMANDO, GERMAN, RANGER
from .law import Fire, percent

DIE = 6
INFILTRATION = {"cross": "cross", "slip": "leave", "storm": "assault"}


def other_dice(s: NormandieState, action: Action) -> dict[str, Any] | None:
    """The chances of dice that are no combat."""
    c, (verb, noun) = s.frames[-1], action
    if isinstance(c, DDay) and verb in MEANS:
        group = support_group(noun)
        used = means_of(s, verb, group, noun)
        return bombarded(s, noun, lambda twin: fire_at(twin, verb, group, (noun,), used))
    if isinstance(c, Barrage):
        used, places = c.used, c.places
        if verb == "also":
            places = (*places, noun)
        elif verb != "fire":
            index = MEANS[c.by].index(verb)
            used = (*used[:index], noun, *used[index + 1 :])
        return bombarded(s, places[0], lambda twin: fire_at(twin, c.by, c.group, places, used))
    if isinstance(c, Shelling) and verb in ("aim", "fire"):
        return shelled(s, c, len(c.guns) + (verb == "aim"))
    return infiltration(c, verb) if isinstance(c, MoveStack) and verb in INFILTRATION else None


def shaken(before: NormandieState, after: NormandieState, units: list[int]) -> str:
    """The worst that happened to a stack."""
    if any(after.disorder[u] > before.disorder[u] for u in units):
        return "disordered"
    return "affected" if any(after.affected[u] > before.affected[u] for u in units) else "unshaken"


@rule("6.2f", "6.2g")
def bombarded(s: NormandieState, place: int, fire: Fire) -> dict[str, Any]:
    """6.2f What a bombardment does to the stack in its first hex."""
    units = units_in(s, place, GERMAN)

    def run(twin: NormandieState) -> None:
        twin.events = None
        fire(twin)

    return told(place, ((p, shaken(s, twin, units)) for p, twin in explore(s, run)))


@rule("6.2j", "6.2k", "6.2l")
def shelled(s: NormandieState, c: Shelling, guns: int) -> dict[str, Any]:
    """6.2j What so many batteries do to the unit that lands."""
    ends = []
    for die in range(1, DIE + 1):
        twin = s.copy()
        twin.events = None
        affect(twin, [c.unit], bombardment_level(guns * TB["battery"], die), "6.2l")
        ends.append((Fraction(1, DIE), shaken(s, twin, [c.unit])))
    return told(c.place, ends)


@rule("4.4c")
def infiltration(c: MoveStack, verb: str) -> dict[str, Any]:
    """4.4c One die, with what special troops add; a natural one shakes the unit."""
    chart, u = CHARTS["infiltration"], c.units[0]
    bonus = chart["special_die"] if RANGER[u] or COMMANDO[u] else 0
    through = sum(die + bonus >= chart[INFILTRATION[verb]] for die in range(1, DIE + 1))
    shares = {
        "infiltrates": Fraction(through, DIE),
        "turned_back": 1 - Fraction(through, DIE),
        "mishap": Fraction(1, DIE),
    }
    return {"method": "exact", "chances": written(shares)}


def told(place: int, ends: Any) -> dict[str, Any]:
    """The answer."""
    shares = dict.fromkeys(("unshaken", "affected", "disordered"), Fraction(0))
    for p, what in ends:
        shares[what] += p
    return {"hex": CODES[place], "method": "exact", "chances": written(shares)}


def written(shares: dict[str, Fraction]) -> dict[str, dict[str, str]]:
    """Chances as the other answers have them."""
    return {key: {"chance": str(p), "percent": percent(p)} for key, p in shares.items()}
