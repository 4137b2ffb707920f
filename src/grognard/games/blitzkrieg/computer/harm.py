"""What one unit is likely to do to another, by the laws that play and odds ask: thousandths of it, remembered."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from grognard.games.blitzkrieg.doors import Book
from grognard.games.blitzkrieg.laws import destruction, fire, quality, shot
from grognard.games.blitzkrieg.laws.parties import FRONT, OPEN, REGULAR, Firer, Shot, Target
from grognard.games.blitzkrieg.loading import MODELS, WEAPONS, Gun, Team, Vehicle, Weapon
from grognard.games.blitzkrieg.odds.shooting import per_hit_law
from grognard.games.blitzkrieg.odds.sums import ONE, Law, binomial, chance, mixed, reach, saves, times, worst

WHOLE = 1000
MEN = (0, 100, 400, 500, WHOLE)  # by result of a save: what of a unit is as good as gone
MACHINE = (0, 400, WHOLE, WHOLE)  # nothing, immobilised, abandoned, destroyed
MORTAR, MORTAR_CM = 120, 60  # mortars in direct fire, roughly
ZERO = Fraction(0)


class Mark(NamedTuple):
    """Who is fired at, as far as it matters for the chance."""

    model: str
    quality: int = REGULAR
    shaken: bool = False
    cover: int = OPEN
    moving: bool = False
    crawling: bool = False
    face: int = FRONT
    hull_down: bool = False
    shield: bool = False


def rounded(cm: int) -> int:
    """Distances in steps of 5 cm, beyond 40 cm of 10."""
    return -(-cm // 5) * 5 if cm <= 40 else -(-cm // 10) * 10


def harm(book: Book, by: str, level: int, mark: Mark, cm: int, moved: bool = False, faust: bool = False) -> int:
    """Thousandths of the target that a model takes in one turn of fire; 0 out of range."""
    return _harm(book, by, level, mark, rounded(cm), moved, faust)


@lru_cache(maxsize=60_000)
def _harm(book: Book, by: str, level: int, mark: Mark, cm: int, moved: bool, faust: bool) -> int:
    model = MODELS[by]
    vehicle = isinstance(MODELS[mark.model], Vehicle)
    target = Target(
        MODELS[mark.model],
        quality=mark.quality,
        demoralised=mark.shaken,
        cover=mark.cover,
        moving=mark.moving,
        moved=10 if mark.moving and vehicle else 0,
        crawling=mark.crawling,
        face=mark.face,
        hull_down=mark.hull_down,
        shield=mark.shield,
    )
    if isinstance(model, Gun) and model.is_mortar:
        return MORTAR if not vehicle and cm <= MORTAR_CM else 0
    if isinstance(model, Vehicle):
        mgs = tuple(name for name in ("hull", "coax") if getattr(model, name))
        gun = max([_shots(book, model, level, weapon, target, cm, moved) for weapon in model.guns], default=0)
        dice = (
            _dice(book, Firer(model, quality=level, moved=10 if moved else 0, mgs=mgs), target, "mg", cm) if mgs else 0
        )
        return gun + dice * (WHOLE - gun) // WHOLE
    if isinstance(model, Gun):
        if model.weapon.is_cannon and not vehicle:
            return _dice(book, Firer(model, weapon=model.weapon, quality=level), target, "20mm", cm)
        return _shots(book, model, level, model.weapon, target, cm, False)
    if vehicle and (target.is_armoured or model.weapon is not None):
        best = _shots(book, model, level, model.weapon, target, cm, moved) if model.weapon is not None else 0
        return max(best, _shots(book, model, level, WEAPONS["PF"], target, cm, moved) if faust else 0)
    return _dice(book, Firer(model, quality=level, moved=10 if moved else 0, spotted=True), target, "team", cm)


def _dice(book: Book, firer: Firer, target: Target, weapon: str, cm: int) -> int:
    """Dice fire: men, machine guns, 20 mm."""
    if isinstance(firer.model, Team):
        why = fire.why_no_dice(book, firer)
    else:
        why = fire.why_no_weapon(book, firer, target, weapon)
    if why is not None or fire.why_out_of_range(firer, weapon, cm) is not None:
        return 0
    if target.is_armoured and target.is_closed:
        return 0
    dice, _, lost = fire.dice_of(book, firer, weapon, cm)
    number, _ = fire.number_of(book, firer, target, weapon, cm, lost)
    hits = binomial(dice, reach(number))
    modifier = 0 if target.kind == "vehicle" else fire.save_modifier(book, firer, weapon)
    return _weighed(saves(book, target.quality, target.demoralised, modifier, hits), MEN)


def _shots(
    book: Book, model: Team | Gun | Vehicle, level: int, weapon: Weapon, target: Target, cm: int, moved: bool
) -> int:
    """Two-dice shots: guns, anti-tank rifles, hollow charges."""
    firer = Firer(model, weapon=weapon, quality=level, stance="moving" if moved else "still")
    men = target.kind != "vehicle"
    fired = Shot(firer, target, cm, "HE" if men and weapon.he else "AP")
    if (men and weapon.is_cannon) or shot.why_no_shot(book, fired) is not None:
        return 0
    base, _, tally = shot.to_hit(book, fired)
    needed = base - tally.total()
    hit = chance(2, lambda dice: shot.hits(dice, needed))
    rate = shot.rate_of_fire(book, weapon)
    if not men:
        one: Law[int] = mixed([(hit, per_hit_law(book, fired)), (1 - hit, {0: ONE})])
        return _weighed(worst(one, rate), MACHINE)
    extra: Law[int] = {0: ONE}
    if fired.ammo == "HE":
        extra = binomial(weapon.he, reach(destruction.he_number(book, target.shelter)))
    hits = mixed([(hit, {k + 1: p for k, p in extra.items()}), (1 - hit, {0: ONE})])
    return _weighed(saves(book, target.quality, target.demoralised, 0, times(hits, rate)), MEN)


def _weighed(law: Law[int], worth: tuple[int, ...]) -> int:
    return int(sum((p * worth[result] for result, p in law.items()), ZERO))


assert len(MEN) == quality.ELIMINATED + 1
assert len(MACHINE) == destruction.DESTROYED + 1
