"""20 Cavalry charges and 21 Panzers Attack: in sunshine and on clear ground chargers fire before the defenders.

They pay for it: the hits of the reply fall on them first. Declared for the first round; later rounds are ordinary.
"""

from __future__ import annotations

from collections.abc import Iterable

from grognard.kernel import NOTHING, Decision, No, Side, emit, no, rule

from ..frames import Combat
from ..nouns import CHARGE, CHARGES, name_of
from ..state import BitwState, enemy_of, ground_in
from ..theatre import MAJOR
from ..world import IS_FORT, UNITS, world
from .combat import chargers, settle, shoot, volley_of, works_in_force
from .definitions import tech_of
from .fire import GROUND
from .opening import rule_is_on
from .weather import is_sunny

RULES = ("21.0a", "20.0")  # of panzers, of cavalry
NO_CHARGE = tuple(no(r, "no-charge") for r in RULES)
NOT_CLEAR = tuple(no(r, "not-clear") for r in RULES)
NO_CHARGERS = tuple(no(r, "no-chargers") for r in RULES)
MET_BY_ARMOUR = tuple(no(r, "met-by-armour") for r in RULES)


@rule("20.0", "21.0a", "22.0")
def is_open_ground(s: BitwState, c: Combat) -> bool:
    """21.0a Plain ground in sunshine: no rough terrain, no major city, no works, no fort."""
    t = world(s).theatre
    plain = t.terrain[c.hex] == "clear" and t.city[c.hex] != MAJOR and not works_in_force(s, c)
    forts = any(IS_FORT[u] for u in ground_in(s, c.hex, enemy_of(c.attacker)))
    return plain and not forts and is_sunny(s, c.hex)


@rule("20.0", "21.0a", "21.0b")
def why_not_charge(s: BitwState, c: Combat, which: int) -> No | None:
    """21.0a Armour against none, 20.0 cavalry against neither cavalry nor armour, on open ground.

    21.0b For the Panzers tankettes of TECH 1 count on neither side.
    """
    if not rule_is_on(s, RULES[which]) or c.round != 1:
        return NO_CHARGE[which]
    if not is_open_ground(s, c):
        return NOT_CLEAR[which]
    if not chargers(s, c, CHARGES[which]):
        return NO_CHARGERS[which]
    return MET_BY_ARMOUR[which] if any(stops(s, u, which) for u in ground_in(s, c.hex, enemy_of(c.attacker))) else None


@rule("21.0b", "20.0")
def stops(s: BitwState, unit: int, which: int) -> bool:
    """21.0b Who among the defenders keeps chargers off."""
    u = UNITS[unit]
    if which == 0:
        return u.is_armour and not (u.kind == "tankette" and tech_of(s, unit) < 2)
    return u.is_armour or u.kind in ("cavalry", "motorised_cavalry")


class Declare(Decision):
    """21.0a The attacker may declare a charge of his armour, or of his cavalry."""

    verbs = {"plain": NOTHING, "charge": CHARGE}

    def needed(self, s: BitwState, c: Combat, side: Side) -> bool:
        """Once, while one is possible."""
        return not c.charge and any(True for _ in self.nouns(s, c, side, "charge"))

    def nouns(self, s: BitwState, c: Combat, side: Side, verb: str) -> Iterable[int]:
        """The charges that are possible."""
        if verb == "plain":
            return (0,)
        return [n for n in range(len(CHARGES)) if why_not_charge(s, c, n) is None]

    def why_not(self, s: BitwState, c: Combat, side: Side, verb: str, noun: int) -> No | None:
        """Why not."""
        return None if verb == "plain" else why_not_charge(s, c, noun)

    def apply(self, s: BitwState, c: Combat, side: Side, verb: str, noun: int) -> None:
        """Declare it, or fight as usual."""
        c.charge = "none" if verb == "plain" else CHARGES[noun]
        if verb == "charge":
            emit(s, "charges", RULES[noun], charge=CHARGES[noun], hex=name_of(s, c.hex))


def may_charge(s: BitwState, c: Combat) -> bool:
    """20.0, 21.0a In the first round, where charges are played."""
    return c.round == 1 and (rule_is_on(s, "21.0a") or rule_is_on(s, "20.0"))


def is_charging(s: BitwState, c: Combat) -> bool:
    """21.0a A charge has been declared for this round."""
    return c.round == 1 and c.charge in CHARGES


@rule("20.0", "21.0a")
def charge_fire(s: BitwState, c: Combat) -> None:
    """21.0a The chargers fire before the defenders."""
    c.target, c.row_asked = "ground", GROUND
    side = c.attacker
    hits = shoot(s, c, side, volley_of(s, c, chargers(s, c, c.charge), GROUND), RULES[CHARGES.index(c.charge)])
    c.hits = (hits, 0) if side == 1 else (0, hits)
    settle(s, c)
