"""From a position to the parties of a fire: who could fire what at whom, in which stance, and why not."""

from __future__ import annotations

from grognard.games.blitzkrieg.doors import Book, question
from grognard.games.blitzkrieg.laws import fire, shot
from grognard.games.blitzkrieg.laws.parties import Firer, Shot, Target
from grognard.games.blitzkrieg.loading import WEAPONS, Gun, Team, Vehicle, Weapon
from grognard.games.blitzkrieg.state import (
    ABOARD,
    CONTINUOUS,
    CRAWLED,
    DUG_IN,
    EMPTY,
    HIDDEN,
    JAMMED,
    LEADERLESS,
    OUT,
    PIVOTED,
    RELOADS,
    SHAKEN,
    STUCK,
    SUPPRESSED,
    UNHITCHED,
    Position,
    has,
    stands,
)
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import IS_TEAM, IS_VEHICLE, KIND_OF, MODEL_OF, SIDE_OF, world
from grognard.kernel import No, no, rule

from .capabilities import why_no_faust
from .ground import (
    cm_between,
    cover_from,
    detection,
    detects,
    face_of,
    in_front,
    is_above,
    is_hull_down,
    line,
)

GUN, SECOND, DICE, FLAME, FAUST = range(5)  # main gun or hand weapon, second gun, dice, flamethrower, Panzerfaust
VERBS = {"shoot": GUN, "second": SECOND, "fire": DICE, "flame": FLAME, "panzerfaust": FAUST}

NOT_ENEMY = no("base-fire", "not-an-enemy")
GONE = no("base-fire", "target-gone")
RIDES = no("base-transport", "fire-at-the-vehicle")
NO_LINE = no("base-los", "no-line-of-sight")
NOT_SEEN = no(
    "003e",
    "not-detected",
    lambda s, c, side, noun: {"cm": cm_between(s, c.unit, noun), "most": detection(s, c.unit, noun)},
)
NO_WEAPON = no("base-fire", "no-such-weapon")
IS_JAMMED = no("base-support-weapon-jam", "weapon-jammed")
IS_EMPTY = no("base-gun-ammunition", "out-of-ammunition")
OUT_OF_ARC = no("base-arcs", "out-of-arc")
SHAKEN_NO_FIRE = no("base-demoralised", "demoralised")
HATCH = no("base-exposed-crew", "target-closed")
TWENTY = 200  # tenths of a millimetre


def weapon_of(unit: int, arm: int) -> Weapon | None:
    """The weapon behind an arm, if it is one that shoots with two dice."""
    model = MODEL_OF[unit]
    if isinstance(model, Vehicle):
        guns = model.guns
        return guns[arm] if arm in (GUN, SECOND) and arm < len(guns) else None
    if arm == FAUST and isinstance(model, Team):
        return WEAPONS["PF"]
    if arm != GUN:
        return None
    return model.weapon


def as_target(s: Position, unit: int, firer: int) -> Target:
    """A unit as somebody aims at it."""
    flags, origin, vehicle = s.flags[unit], s.at[firer], IS_VEHICLE[unit]
    return Target(
        MODEL_OF[unit],
        quality=world(s).quality[unit],
        demoralised=s.condition[unit] == SHAKEN,
        cover=cover_from(s, unit, origin),
        moving=(bool(s.moved[unit]) and not flags & CRAWLED) or bool(s.rounds[unit] & RELOADS),
        moved=s.moved[unit] if vehicle else 0,
        continuous=bool(flags & CONTINUOUS),
        immobilised=bool(flags & STUCK),
        out=bool(flags & OUT),
        lost=bool(flags & LEADERLESS),
        face=face_of(s, unit, origin) if vehicle else 0,
        hull_down=vehicle and is_hull_down(s, unit, origin),
        dug_in=bool(flags & DUG_IN),
        crawling=bool(flags & CRAWLED),
        shield=KIND_OF[unit] == "gun" and has_shield(unit) and in_front(s, unit, s.facing[unit], firer, 90),
    )


@rule("base-gun-target")
def has_shield(unit: int) -> bool:
    """Base-gun-target: anti-tank and infantry guns have a shield."""
    model = MODEL_OF[unit]
    return isinstance(model, Gun) and model.category in ("at", "infantry-gun", "field-gun")


@rule("base-arcs", "base-gun-move")
def stance_of(s: Position, unit: int, target: int, arm: int, moved: bool) -> str | None:
    """The row of the table: moved, still, traversed or pivoted; None if it cannot bear on the target."""
    model = MODEL_OF[unit]
    if isinstance(model, Team):
        return "moving" if moved else "still"
    if isinstance(model, Gun) and has(s, unit, ABOARD):
        return "hitched" if in_front(s, unit, s.facing[unit], target, 60) else None
    if isinstance(model, Gun) and has(s, unit, UNHITCHED):
        return "unhitched"
    if isinstance(model, Gun):
        if in_front(s, unit, s.facing[unit], target, 90 if model.mount else 60):
            turned = moved or has(s, unit, PIVOTED)
            return ("traverse" if model.mount else "pivot") if turned else "still"
        return "traverse" if model.mount else "pivot"
    weapon = weapon_of(unit, arm)
    turret = model.turret == "full" and weapon is not None and (model.id, weapon.id) not in shot.HULL_GUNS
    if moved:
        return "moving" if turret or in_front(s, unit, s.facing[unit], target, 45) else None
    if turret and in_front(s, unit, s.turret[unit], target, 90):
        return "pivot" if has(s, unit, PIVOTED) else "still"
    if turret:
        return "traverse"
    if in_front(s, unit, s.facing[unit], target, 45):
        return "pivot" if has(s, unit, PIVOTED) else "still"
    return None if has(s, unit, STUCK) else "pivot"


def as_firer(s: Position, unit: int, arm: int, stance: str, moved: bool) -> Firer:
    """A unit as it fires."""
    flags, model = s.flags[unit], MODEL_OF[unit]
    return Firer(
        model,
        weapon=weapon_of(unit, arm),
        stance=stance,
        quality=world(s).quality[unit],
        demoralised=s.condition[unit] == SHAKEN,
        suppressed=bool(flags & SUPPRESSED),
        moved=s.moved[unit] if moved else 0,
        crawl=bool(flags & CRAWLED),
        out=bool(flags & OUT),
        lost=bool(flags & LEADERLESS),
        second=arm == SECOND,
        spotted=not flags & HIDDEN,
        aboard=bool(flags & ABOARD),
    )


@question
def mg_arc(book: Book) -> bool:
    """Without proposal 104 machine-gun teams fire all round."""
    return False


def needs_relay(s: Position, unit: int, target: int) -> bool:
    """104 A machine-gun team must turn to bear on a target behind its front."""
    model = MODEL_OF[unit]
    if not isinstance(model, Team) or model.sort != "mg" or not mg_arc(book_of(s)):
        return False
    return not in_front(s, unit, s.facing[unit], target, 180)


@rule("base-arcs", "base-vehicle-mg", "base-commander-out")
def mgs_bearing(s: Position, unit: int, target: int) -> tuple[str, ...]:
    """The machine guns of a vehicle that bear on a target: hull to the front, coaxial with a turret, AA by hand."""
    model = MODEL_OF[unit]
    if not isinstance(model, Vehicle):
        return ()
    bearing = []
    if model.hull and in_front(s, unit, s.facing[unit], target, 90):
        bearing.append("hull")
    if model.coax and (model.turret == "full" or in_front(s, unit, s.facing[unit], target, 45)):
        bearing.append("coax")
    if model.aa and (model.is_open or has(s, unit, OUT)) and not has(s, unit, LEADERLESS):
        bearing.append("aa")
    return tuple(bearing)


def uses_dice(s: Position, unit: int, target: int, arm: int) -> str:
    """The dice weapon that an arm is against a target: "20mm", "mg", "team", "flame"; empty for a 2D6 shot."""
    weapon = weapon_of(unit, arm)
    if arm == FLAME:
        return "flame"
    if arm == DICE:
        return "mg" if IS_VEHICLE[unit] else "team"
    return "20mm" if weapon is not None and weapon.is_cannon and not IS_VEHICLE[target] else ""


def ammo_for(unit: int, target: int, arm: int) -> str:
    """HE at men, guns and nothing else, if the gun has it."""
    weapon = weapon_of(unit, arm)
    return "HE" if weapon is not None and weapon.he and not IS_VEHICLE[target] else "AP"


def make_shot(
    s: Position,
    unit: int,
    target: int,
    arm: int,
    moved: bool,
    *,
    low: bool = False,
    reaction: str = "none",
    already: bool = False,
    ammo: str = "",
    whole: bool = True,
) -> Shot | None:
    """A 2D6 shot as the laws need it; None if the gun cannot bear. Not `whole`: enough to know if it is allowed."""
    stance = stance_of(s, unit, target, arm, moved)
    if stance is None:
        return None
    if reaction == "close" and stance == "still":
        stance = "traverse" if IS_VEHICLE[unit] and getattr(MODEL_OF[unit], "turret", "") == "full" else "pivot"
    firer = as_firer(s, unit, arm, stance, moved)
    if not IS_TEAM[unit] and is_above(s, unit, target):
        firer.above = "hill"
    elif IS_TEAM[unit] and s.floor[unit] and IS_VEHICLE[target]:
        firer.above = "floor2"
    aimed = as_target(s, target, unit) if whole else Target(MODEL_OF[target], dug_in=has(s, target, DUG_IN))
    cm = cm_between(s, unit, target)
    return Shot(firer, aimed, cm, ammo or ammo_for(unit, target, arm), low, reaction, already, year=world(s).year)


@rule("base-fire", "base-illegal")
def why_no_target(s: Position, unit: int, target: int) -> No | None:
    """What no weapon may be fired at: friends, the gone, the unseen."""
    if SIDE_OF[target] == SIDE_OF[unit] or has(s, target, HIDDEN):
        return NOT_ENEMY
    if not stands(s, target) or not s.at[target]:
        return GONE
    if has(s, target, ABOARD):
        return RIDES
    if s.condition[unit] == SHAKEN and not IS_VEHICLE[unit]:
        return SHAKEN_NO_FIRE
    return None


def why_not_fire(
    s: Position, unit: int, target: int, arm: int, moved: bool, low: bool = False, ammo: str = ""
) -> No | None:
    """Why a unit cannot fire an arm at a target now; None if it can. Cheap reasons first, sight last."""
    why = why_no_target(s, unit, target)
    if why is not None:
        return why
    return why_no_arm(s, unit, target, arm, moved, low, ammo=ammo) or why_unseen(s, unit, target)


def why_unseen(s: Position, unit: int, target: int) -> No | None:
    """Why a unit does not see a target: something in the way, or too far off (003e)."""
    if detects(s, unit, target):
        return None
    return NOT_SEEN if line(s, unit, target) else NO_LINE


@question
def mortar_arm(book: Book, s: Position, unit: int, target: int, moved: bool) -> No | None:
    """Without proposal 108 mortars only fire indirect."""
    return shot.MORTAR


def why_no_arm(
    s: Position, unit: int, target: int, arm: int, moved: bool, low: bool, reaction: str = "none", ammo: str = ""
) -> No | None:
    """What the weapon, its range, its arc and its state forbid."""
    book, model = book_of(s), MODEL_OF[unit]
    if has(s, unit, JAMMED):
        return IS_JAMMED
    if arm == FLAME and not (isinstance(model, Vehicle) and model.flame):
        return fire.NO_FLAME  # men with a flamethrower use it when they fire
    if isinstance(model, Gun) and model.is_mortar:
        return NO_WEAPON if arm != GUN else mortar_arm(book, s, unit, target, moved)
    dice = "" if ammo else uses_dice(s, unit, target, arm)
    if not dice:
        if weapon_of(unit, arm) is None:
            return NO_WEAPON
        if arm == FAUST:
            why = why_no_faust(s, unit)
            if why is not None:
                return why
        if has(s, unit, EMPTY):
            return IS_EMPTY
        fired = make_shot(s, unit, target, arm, moved, low=low, reaction=reaction, ammo=ammo, whole=False)
        if fired is None:
            return OUT_OF_ARC
        if IS_TEAM[unit] and moved and s.moved[unit] > 10:
            return fire.MOVED_TOO_FAR
        return shot.why_no_shot(book, fired)
    if low:
        return shot.NOT_LOW
    if has(s, unit, EMPTY) and dice in ("20mm", "flame"):
        return IS_EMPTY
    return _why_no_dice(s, unit, target, arm, dice, moved)


def _why_no_dice(s: Position, unit: int, target: int, arm: int, dice: str, moved: bool) -> No | None:
    book, model = book_of(s), MODEL_OF[unit]
    if arm == DICE and isinstance(model, Gun):
        return NO_WEAPON
    firer = as_firer(s, unit, arm, "still", moved)
    if dice == "mg":
        firer.mgs = mgs_bearing(s, unit, target)
        if not firer.mgs:
            has_any = isinstance(model, Vehicle) and (model.hull or model.coax or model.aa)
            return OUT_OF_ARC if has_any else NO_WEAPON
    if dice in ("20mm", "flame") and stance_of(s, unit, target, arm, moved) is None:
        return OUT_OF_ARC
    aimed = Target(MODEL_OF[target], out=has(s, target, OUT))
    if isinstance(model, Team):
        why = fire.why_no_dice(book, firer)
    else:
        why = fire.why_no_weapon(book, firer, aimed, dice)
    if why is None and aimed.is_armoured and aimed.is_closed:
        return HATCH
    if why is None and fire.is_flame(firer, dice) and IS_VEHICLE[target]:
        return fire.NO_FLAME
    return why or fire.why_out_of_range(firer, dice, cm_between(s, unit, target))
