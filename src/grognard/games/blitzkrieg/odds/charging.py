"""The chances of a charge of infantry, from where it would come into contact; fire on its way is left out."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from grognard.games.blitzkrieg.laws import close, fire, quality
from grognard.games.blitzkrieg.laws.parties import Firer
from grognard.games.blitzkrieg.loading import Team
from grognard.games.blitzkrieg.rules.aiming import as_target, mgs_bearing
from grognard.games.blitzkrieg.rules.capabilities import GIVEN, hand_weapon
from grognard.games.blitzkrieg.rules.ground import cover_from, ground_cover, is_broken
from grognard.games.blitzkrieg.rules.movement import contact, others_near
from grognard.games.blitzkrieg.state import LAUNCHER, SHAKEN, SUPPRESSED, Position, has
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import IS_VEHICLE, MODEL_OF, world
from grognard.kernel import Tally, rule

from .sums import ONE, Law, binomial, chance, experience, mixed, of_dice, reach, saves, text

OPEN_AT_MOST = 2  # grounds beyond heavy cover count as heavy


def charge_odds(s: Position, unit: int, target: int) -> dict[str, Any] | None:
    """Defensive fire and the fight; against armour nerve, its machine guns and the roll."""
    _, point = contact(s, unit, target)
    if not point:
        return None
    there = s.copy()
    there.at[unit] = point
    results = against_armour(there, unit, target) if IS_VEHICLE[target] else against_infantry(there, unit, target)
    return {"results": {name: text(p) for name, p in results.items() if p}}


@rule("base-defensive-fire")
def defensive_law(s: Position, unit: int, target: int) -> Law[int]:
    """Base-defensive-fire: what the saves of the charger come to."""
    book, model = book_of(s), MODEL_OF[target]
    if not isinstance(model, Team) or not model.dice:
        return {quality.SAFE: ONE}
    flame = model.id == "pioneer_ft"
    dice = fire.team_dice(book, model) + int(model.id == "smg") - int(_shaken(s, target)) - int(_pinned(s, target))
    ground = min(ground_cover(world(s), s.at[unit]), OPEN_AT_MOST)
    number, _ = fire.defensive_number(book, ground, s.covered[target], flame)
    if dice < 1:
        dice, number = 1, min(6, number + 1)
    save = int(fire.FIRE["flame_save"]) if flame else 0
    return saves(book, world(s).quality[unit], False, save, binomial(dice, reach(number)))


def _shaken(s: Position, unit: int) -> bool:
    return s.condition[unit] == SHAKEN


def _pinned(s: Position, unit: int) -> bool:
    return has(s, unit, SUPPRESSED)


def _nerve(s: Position, unit: int) -> Fraction:
    """The chance of a unit to pass the test before it attacks armour, a broken formation at -1."""
    book, w, tally = book_of(s), world(s), Tally()
    quality.experience_lines(book, tally, is_broken(s, unit))
    tally.add("215a", close.early_modifier(book, w.year))
    return experience(w.quality[unit], tally.total())


@rule("base-close-combat")
def against_infantry(s: Position, unit: int, target: int) -> dict[str, Fraction]:
    """Base-close-combat: a die each, for a charger whom the defensive fire has not stopped."""
    book, w, mine, theirs = book_of(s), world(s), MODEL_OF[unit], MODEL_OF[target]
    assert isinstance(mine, Team)
    law = defensive_law(s, unit, target)
    attack = close.melee_lines(book, mine, w.quality[unit], False, others_near(s, unit, target), None)
    if isinstance(theirs, Team):
        facts = w.quality[target], _shaken(s, target), others_near(s, target, unit), cover_from(s, target, s.at[unit])
        defence = close.melee_lines(book, theirs, *facts)
    else:
        defence = Tally([("base-close-combat", -1)])
        defence.add("base-quality", quality.QUALITY["close"][w.quality[target]])
    fight = of_dice(2, lambda dice: close.melee_result(dice[0] + attack.total(), dice[1] + defence.total()))
    through = law.get(quality.SAFE, Fraction(0))
    return {name: through * p for name, p in fight.items()} | {"charge_stopped": 1 - through}


@rule("base-infantry-v-armour", "215a", "215c")
def against_armour(s: Position, unit: int, target: int) -> dict[str, Fraction]:
    """215a Nerve, 215c then one roll, for a charger whom launcher and machine guns have not stopped."""
    book, w, team = book_of(s), world(s), MODEL_OF[unit]
    assert isinstance(team, Team)
    row = close.assault_row(team, hand_weapon(s, unit))
    nerve = _nerve(s, unit) if close.needs_test(row) else ONE
    hits: Law[int] = {0: ONE}
    if bearing := mgs_bearing(s, target, unit):
        firer = Firer(MODEL_OF[target], mgs=bearing)
        dice, _, _ = fire.dice_of(book, firer, "mg", 0)
        ground = min(ground_cover(w, s.at[unit]), OPEN_AT_MOST)
        hits = binomial(dice, reach(fire.defensive_number(book, ground, 0)[0]))
    if has(s, target, LAUNCHER):
        more = binomial(int(GIVEN["launcher_dice"]), reach(int(GIVEN["launcher_number"])))
        hits = mixed((p, {k + j: q for j, q in more.items()}) for k, p in hits.items())
    good = saves(book, w.quality[unit], False, 0, hits).get(quality.SAFE, Fraction(0))
    number = max(2, min(6, close.row_number(book, row) - close.tank_assault_lines(as_target(s, target, unit)).total()))
    wins = chance(2 if row == "flame" else 1, lambda dice: any(d == 6 or (d != 1 and d >= number) for d in dice))
    through = nerve * good
    return {"destroyed": through * wins, "none": through * (1 - wins), "charge_stopped": 1 - through}
