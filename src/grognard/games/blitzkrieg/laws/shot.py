"""The 2D6 shot of guns, anti-tank rifles and hollow charges: may it be fired, and what does it need to hit?"""

from __future__ import annotations

from grognard.games.blitzkrieg.doors import Book, lines, question
from grognard.games.blitzkrieg.loading import CHARTS, HAND_WEAPONS, ROCKETS, Gun, Weapon
from grognard.kernel import No, Tally, no, rule

from .parties import LIGHT, OPEN, TRENCH, Shot, Target

HIT, MODS, MORE, OFF = CHARTS["to_hit"], CHARTS["to_hit_modifiers"], CHARTS["to_hit_more"], CHARTS["off"]
BASE = "base-to-hit-modifiers"
HULL_GUNS = (("b1bis", "75*"), ("m3lee", "75"))  # guns that do not turn with the turret
MIDDLING = ("L", "LL", "normal", "short")

NO_TRAVERSE = no("206f", "no-traverse")
NOT_HITCHED = no("404", "no-fire-hitched")
NARROW_MOVING = no("220b", "narrow-moving")
SUPPORT_MOVED = no("base-support-weapon-move", "support-weapon-moved")
ROCKETS_MOVED = no("406c", "rockets-moved")
MORTAR = no("410b", "mortar-shot")
DEMORALISED = no("base-demoralised", "demoralised")
TOO_EARLY = no("208n", "panzerfaust-early")
OUT_OF_RANGE = no("base-at-weapon-range", "out-of-range")
FAR_FOR_MG = no("base-fire-range", "out-of-range")
NOT_FROM_HILL = no("210a", "not-from-above")
NOT_FROM_FLOOR = no("210b", "not-from-floor")
WRONG_AMMO = no("base-he-direct", "wrong-ammunition")
CANNON = no("base-autocannon", "cannon-at-infantry")
NO_AMMO = no("401c", "no-such-ammunition")
TOO_FAR_LOW = no("212b", "too-far-low")
TOO_FAR_LOW_OLD = no("base-immobilisation-shot", "too-far-low")
NOT_LOW = no("base-immobilisation-shot", "not-at-tracks")
TOO_MANY_ROCKETS = no("406a", "too-many-rockets")
FLAME = no("base-flamethrower", "no-flamethrower")


# The base number


@question
@rule("base-to-hit")
def base_number(book: Book, row: str) -> tuple[int, str]:
    """Base-to-hit: the numbers without proposal 206."""
    return int(OFF["206"][row]), "base-to-hit"


def row_of(fired: Shot) -> str:
    """The row of the table for the stance of the firer."""
    firer = fired.firer
    if firer.kind == "infantry":
        return "weapon_moved" if firer.stance == "moving" else "weapon_still"
    if firer.stance == "moving":
        if firer.vehicle.is_narrow and firer.first_gun:
            return "narrow"
        return "stabilised" if "stabiliser" in firer.vehicle.traits else "moving"
    return "still" if firer.stance == "hitched" else firer.stance


# Modifiers


@question
@rule("base-to-hit-modifiers")
def range_band(book: Book, weapon: Weapon, nation: str, ammo: str, hitched: bool) -> tuple[int, str]:
    """The band of range: without proposal 207 it is 30 cm for every gun."""
    return int(OFF["207"]["band"]), BASE


@question
def crew_modifier(book: Book, fired: Shot) -> tuple[str, int]:
    """Without proposal 207 a commander who looks out helps, and a closed hatch does not hinder."""
    firer = fired.firer
    out = firer.kind == "vehicle" and not firer.vehicle.is_open and firer.out
    return BASE, int(OFF["207"]["commander_out"]) if out else 0


@question
def trait_modifier(book: Book, fired: Shot) -> tuple[str, int]:
    """Without proposal 220 bis the minor nations, the Russians and the French shoot worse (O-12)."""
    firer = fired.firer
    return BASE, int(MORE["nation"]) if firer.kind == "vehicle" and _nation(fired) not in ("DE", "US", "UK") else 0


@question
def french_modifier(book: Book, fired: Shot) -> tuple[str, int]:
    """Without proposal 220 French vehicles shoot worse by one more (O-12)."""
    return BASE, int(MORE["french"]) if fired.firer.kind == "vehicle" and _nation(fired) == "FR" else 0


@question
def size_modifier(book: Book, size: str) -> tuple[str, int]:
    """Without proposal 201 there are three sizes: very small counts as small, very large as large (O-16)."""
    return "201b", int(OFF["201"]["size"][size])


@question
def dug_modifier(book: Book) -> tuple[str, int]:
    """Entrenchments and bunkers without proposal 207."""
    return BASE, int(OFF["207"]["dug"])


@question
def gun_cover_modifier(book: Book, gun: Gun) -> tuple[str, int]:
    """Guns in cover without proposal 405: anti-tank guns -2, others -1."""
    return BASE, int(MODS["gun_cover"] if gun.category == "at" else MORE["gun_cover_other"])


@question
def gun_class(book: Book, gun: Gun) -> int:
    """The size of a gun as a target: without proposal 401 all are medium."""
    return 0


@question
def gun_size_modifier(book: Book, target: Target) -> tuple[str, int]:
    """Without proposal 207 bis the size always counts, and anti-tank guns are one class larger (O-17)."""
    return BASE, min(1, gun_class(book, target.gun) + (target.gun.category == "at"))


@question
def motion_modifier(book: Book, target: Target) -> tuple[str, int]:
    """A moving target without proposal 207."""
    return BASE, int(OFF["207"]["moving"]) if target.is_moving else 0


@question
def low_modifier(book: Book) -> tuple[str, int]:
    """An aimed immobilisation shot without proposal 212."""
    return "212a", int(OFF["212"]["aimed_low"])


@question
def hill_rule(book: Book) -> str:
    """Who is cited for fire from a hill: the base game without proposal 210."""
    return BASE


def _nation(fired: Shot) -> str:
    nation = getattr(fired.firer.model, "nation", "")
    return str(nation)


def short_range(weapon: Weapon) -> tuple[int, int]:
    """Base-at-weapon-range: the two ranges of a hand weapon; O-14 those of a 12.7 mm machine gun."""
    near, far = CHARTS["fire"]["heavy_mg"] if weapon.id == "12.7" else CHARTS["ranges"][weapon.id]
    return near, far


def has_ranges(weapon: Weapon) -> bool:
    """Hand weapons and the 12.7 mm have two ranges instead of bands."""
    return weapon.id in HAND_WEAPONS or weapon.id == "12.7"


@rule("base-at-weapon-range")
def _range_lines(book: Book, tally: Tally, fired: Shot) -> None:
    weapon = fired.weapon
    if has_ranges(weapon):
        rule_id = "base-fire-range" if weapon.id == "12.7" else "base-at-weapon-range"
        tally.add(rule_id, MORE["weapon_far"] if fired.cm > short_range(weapon)[0] else 0)
        return
    band, rule_id = range_band(book, weapon, _nation(fired), fired.ammo, fired.firer.stance == "hitched")
    tally.add(rule_id, -(max(0, fired.cm - band + band - 1) // band))


@rule("base-demoralised", "base-suppression", "base-vehicle-actions", "base-special-ammo")
def _firer_lines(book: Book, tally: Tally, fired: Shot) -> None:
    firer = fired.firer
    if firer.kind == "vehicle":
        tally.add(*crew_modifier(book, fired))
    tally.add(*trait_modifier(book, fired))
    tally.add(*french_modifier(book, fired))
    if firer.kind == "vehicle":
        tally.add("216b", MODS["commander"] if firer.lost else 0)
        tally.add("base-demoralised", MORE["demoralised"] if firer.demoralised else 0)
    elif firer.suppressed:
        tally.add("base-suppression", MORE["suppressed"])
    if firer.second:
        tally.add("base-vehicle-actions", MORE["second"])
    if fired.ammo == "APDS":
        tally.add("base-special-ammo", MORE["apds"])
    if firer.stance == "hitched":
        tally.add("404", MODS["hitched"])


@rule("base-hull-down", "base-cover-levels", "base-fortification-cover", "base-gun-target", "224c")
def _cover_lines(book: Book, tally: Tally, target: Target) -> None:
    """Only the best cover counts."""
    cover = target.shelter
    if target.kind == "vehicle":
        if target.dug_in:
            tally.add("224c", MODS["hull_down"])
        elif target.hull_down:
            tally.add("base-hull-down", MODS["hull_down"])
        elif cover:
            tally.add(BASE, MORE["light"] if cover == LIGHT else MORE["heavy"])
    elif cover >= TRENCH:
        tally.add(*dug_modifier(book))
    elif target.kind == "gun" and cover:
        tally.add(*gun_cover_modifier(book, target.gun))
    elif cover:
        tally.add(BASE, MORE["light"] if cover == LIGHT else MORE["heavy"])


def _size_lines(book: Book, tally: Tally, target: Target) -> None:
    if target.kind == "vehicle":
        tally.add(*size_modifier(book, target.vehicle.size))
    elif target.kind == "gun":
        tally.add(*gun_size_modifier(book, target))


@lines
@rule("base-to-hit-modifiers", "base-pointblank-vehicle")
def to_hit_lines(book: Book, tally: Tally, fired: Shot) -> None:
    """Base-to-hit-modifiers: everything that counts for or against a 2D6 shot."""
    _firer_lines(book, tally, fired)
    _range_lines(book, tally, fired)
    if fired.cm <= MODS["point_blank_cm"]:
        tally.add("base-pointblank-vehicle", MODS["point_blank"])
    if fired.firer.above != "none":
        tally.add(hill_rule(book) if fired.firer.above == "hill" else "210b", MODS["above"])
    _size_lines(book, tally, fired.target)
    _cover_lines(book, tally, fired.target)
    tally.add(*motion_modifier(book, fired.target))
    if fired.low:
        tally.add(*low_modifier(book))
    if fired.already and fired.reaction != "none":
        kind = fired.firer.kind
        tally.add("221c" if kind == "vehicle" else "214h" if kind == "gun" else "214c", MODS["already"])


def to_hit(book: Book, fired: Shot) -> tuple[int, str, Tally]:
    """The base number with its rule, and the modifiers: 2D6 + modifiers must reach it."""
    tally = Tally()
    to_hit_lines(book, tally, fired)
    return (*base_number(book, row_of(fired)), tally)


@rule("base-to-hit")
def hits(dice: tuple[int, ...], needed: int) -> bool:
    """Base-to-hit: two dice against the number; 2 always misses, 12 always hits."""
    total = sum(dice)
    return total != 2 and (total == 12 or total >= needed)


@question
@rule("base-rate-of-fire")
def rate_of_fire(book: Book, weapon: Weapon) -> int:
    """Base-rate-of-fire: without proposal 208 guns of 20 and 37 mm fire twice."""
    return 2 if weapon.calibre in (200, 370) and weapon.length != "none" else 1


# What refuses a shot


@question
@rule("base-special-ammo")
def low_limit(book: Book, weapon: Weapon) -> tuple[int, No]:
    """How far an immobilisation shot goes without proposal 212."""
    return int(OFF["212"]["short"]), TOO_FAR_LOW_OLD


@question
def narrow_may_move(book: Book) -> bool:
    """Without proposal 220 a narrow turret does not fire after a move."""
    return False


@question
def hitched_may_fire(book: Book) -> bool:
    """Without proposal 404 nothing fires hitched."""
    return False


@rule("base-he-direct", "base-autocannon")
def why_not_ammo(book: Book, fired: Shot) -> No | None:
    """What the weapon has, and what it is for."""
    weapon, ammo, target = fired.weapon, fired.ammo, fired.target
    gun = weapon.length != "none"
    if weapon.id in ROCKETS:
        return None if ammo == "HE" and not target.is_armoured else NO_AMMO if ammo != "HE" else WRONG_AMMO
    if ammo == "smoke":
        return None  # what carries it is in the table of special rounds
    if ammo == "HE":
        if not weapon.he:
            return NO_AMMO
        return WRONG_AMMO if target.is_armoured else None
    if ammo == "HEAT" and weapon.id not in CHARTS["destruction_more"]["heat"]:
        return NO_AMMO
    if ammo in ("APCR", "APDS") and (not gun or weapon.length == "short" or weapon.id.startswith("RR")):
        return NO_AMMO
    if target.kind != "vehicle":
        if ammo != "AP":
            return NO_AMMO
        if weapon.is_cannon and target.kind == "infantry":
            return CANNON
        return WRONG_AMMO if target.kind == "infantry" or has_ranges(weapon) else None
    return None


@rule("base-immobilisation-shot")
def why_not_low(book: Book, fired: Shot) -> No | None:
    """Base-immobilisation-shot: guns at the tracks of armour, near enough."""
    target, weapon = fired.target, fired.weapon
    is_gun = weapon.length in MIDDLING and not has_ranges(weapon) and weapon.id not in ROCKETS
    if not is_gun or fired.ammo in ("HE", "smoke") or not target.is_armoured or target.dug_in:
        return NOT_LOW
    most, why = low_limit(book, weapon)
    return why if fired.cm > most else None


@rule("base-arcs", "base-support-weapon-move", "208n", "410b", "406c")
def why_no_shot(book: Book, fired: Shot) -> No | None:
    """The first rule that refuses a shot, whatever the ground says."""
    firer, weapon = fired.firer, fired.weapon
    if firer.kind == "gun" and isinstance(firer.model, Gun) and firer.model.is_mortar:
        return MORTAR
    if weapon.id == "FL":
        return FLAME
    if firer.demoralised and firer.kind != "vehicle":
        return DEMORALISED
    if firer.stance == "hitched" and (firer.model.id != "flak88" or not hitched_may_fire(book)):
        return NOT_HITCHED
    if firer.stance == "traverse" and not can_traverse(fired):
        return NO_TRAVERSE
    if firer.stance == "moving" and firer.kind == "vehicle" and firer.vehicle.is_narrow and firer.first_gun:
        if not narrow_may_move(book):
            return NARROW_MOVING
    if firer.model.id == "hmg" and firer.stance == "moving":
        return SUPPORT_MOVED
    if weapon.id in ROCKETS and book.has("406") and (firer.stance != "still" or fired.reaction != "none"):
        return ROCKETS_MOVED
    if weapon.id == "PF" and fired.year < 1943:
        return TOO_EARLY
    if has_ranges(weapon) and fired.cm > short_range(weapon)[1]:
        return FAR_FOR_MG if weapon.id == "12.7" else OUT_OF_RANGE
    if firer.above == "hill" and firer.kind == "infantry":
        return NOT_FROM_HILL
    if firer.above == "floor2" and (firer.kind != "infantry" or fired.target.kind != "vehicle"):
        return NOT_FROM_FLOOR
    return why_not_ammo(book, fired) or (why_not_low(book, fired) if fired.low else None)


@question
def may_swing(book: Book, model: Gun) -> bool:
    """Without proposal 214 no gun is swung round in time."""
    return False


def can_traverse(fired: Shot) -> bool:
    """A turret or a 360 degree mount, not a gun in the hull."""
    firer = fired.firer
    if firer.kind == "vehicle":
        return firer.vehicle.turret == "full" and (firer.model.id, fired.weapon.id) not in HULL_GUNS
    return isinstance(firer.model, Gun) and firer.model.mount


def is_open(target: Target) -> bool:
    """In no cover at all."""
    return target.shelter == OPEN
