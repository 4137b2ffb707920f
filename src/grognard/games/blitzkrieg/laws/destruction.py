"""What a hit does to a vehicle: the destruction test, its modifiers, the crew."""

from __future__ import annotations

from grognard.games.blitzkrieg.doors import Book, question
from grognard.games.blitzkrieg.loading import CHARTS, HAND_WEAPONS, HOLLOW, Weapon
from grognard.kernel import Tally, rule

from .parties import FLANK, FRONT, REAR, Shot, Target
from .shot import has_ranges, short_range

TEST, MORE = CHARTS["destruction"], CHARTS["destruction_more"]
NONE, IMMOBILISED, ABANDONED, DESTROYED = range(4)  # what becomes of a vehicle, the worse the higher
OUTCOMES = ("none", "immobilised", "abandoned", "destroyed")
DAMAGED = -1  # immobilised, or abandoned if the crew fails its test
BASE = "base-destruction-modifiers"


@question
def power(book: Book, weapon: Weapon) -> int:
    """Anti-tank value of a weapon: the old one without proposal 208."""
    return weapon.ap_old


@question
def range_modifier(book: Book, weapon: Weapon, cm: int) -> tuple[str, int]:
    """Distance and destruction: nothing without proposal 209 bis."""
    return BASE, 0


@question
def hand_modifier(book: Book, weapon: Weapon, cm: int) -> tuple[str, int]:
    """Without proposal 209 a hand weapon destroys less well beyond its short range."""
    far = weapon.id in HAND_WEAPONS and cm > short_range(weapon)[0]
    return BASE, int(MORE["weapon_far"]) if far else 0


@question
def above_face(book: Book, face: int) -> int:
    """Without proposal 210 fire from above always meets the rear armour."""
    return REAR


@question
def above_rule(book: Book) -> str:
    """Who is cited for fire from a hill: the base game without proposal 210."""
    return BASE


@rule("base-facing", "210b", "224c")
def face_hit(book: Book, fired: Shot) -> int:
    """Base-facing: the roof from a second floor, the front of a dug-in tank, else the side that was hit."""
    if fired.firer.above == "floor2":
        return REAR
    if fired.target.dug_in:
        return FRONT
    return above_face(book, fired.target.face) if fired.firer.above == "hill" else fired.target.face


@rule("base-hollow-charge")
def armour_met(fired: Shot, face: int) -> int:
    """Base-hollow-charge: what is shot through by a hollow charge counts as 12 at most."""
    armour = fired.target.vehicle.armour[face]
    return min(armour, int(MORE["hollow"])) if fired.weapon.id in HOLLOW or fired.ammo == "HEAT" else armour


@rule("base-destruction-modifiers", "base-special-ammo")
def test_lines(book: Book, fired: Shot) -> tuple[int, Tally]:
    """Anti-tank value and its modifiers."""
    weapon, tally = fired.weapon, Tally()
    if fired.ammo == "HEAT":
        ap = int(MORE["heat"][weapon.id])
    else:
        ap = power(book, weapon)
        if fired.ammo == "APDS" or (fired.ammo == "APCR" and fired.cm <= MORE["special_cm"]):
            tally.add("base-special-ammo", MORE["special"])
        if not has_ranges(weapon) and weapon.length != "none":
            tally.add(*range_modifier(book, weapon, fired.cm))
    tally.add(*hand_modifier(book, weapon, fired.cm))
    if fired.firer.above != "none":
        tally.add("210b" if fired.firer.above == "floor2" else above_rule(book), TEST["above"])
    if fired.target.dug_in:
        tally.add("224c", TEST["dug_in"])
    return ap, tally


@rule("base-destruction", "base-damage")
def tested(book: Book, total: int, armour: int, dice: tuple[int, ...]) -> int:
    """Base-destruction: the die with the anti-tank value against the armour. `dice` is one die, or two (option)."""
    if book.destruction == "2d6":
        bonus, destroyed, damaged = MORE["two_dice"]
        sum_of = sum(dice)
        value = sum_of + total - armour + bonus
        return NONE if sum_of == 2 else DESTROYED if value >= destroyed else DAMAGED if value == damaged else NONE
    if dice[0] == 1 or dice[0] + total < armour:
        return NONE
    return DESTROYED if dice[0] + total > armour else DAMAGED


@rule("base-immobilisation-shot")
def tested_low(total: int, target: Target, die: int) -> int:
    """Base-immobilisation-shot: two more, against the side, and never more than damage."""
    return DAMAGED if die != 1 and die + total + MORE["low"] >= target.vehicle.armour[FLANK] else NONE


def test_dice(book: Book) -> int:
    """How many dice a destruction test takes."""
    return 2 if book.destruction == "2d6" else 1


@rule("base-soft-vehicle")
def is_gone(fired: Shot) -> bool:
    """Base-soft-vehicle: 20 mm or more destroys a soft vehicle outright; less tests it (O-18)."""
    return fired.target.vehicle.is_soft and fired.weapon.calibre >= 200


@question
@rule("base-he-direct")
def he_number(book: Book, cover: int) -> int:
    """Direct HE: 4 in the open, 5 in light cover, and without proposal 407 a 6 in heavier."""
    table = CHARTS["direct_he"]
    return int(table["open"] if cover == 0 else table["cover"] if cover == 1 else 6)
