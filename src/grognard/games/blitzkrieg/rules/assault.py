"""Contact: infantry assaults, overruns, infantry against armour."""

from __future__ import annotations

from typing import Any

from grognard.games.blitzkrieg.frames import NOBODY, Moving
from grognard.games.blitzkrieg.laws import close, fire, quality
from grognard.games.blitzkrieg.laws.parties import Firer
from grognard.games.blitzkrieg.loading import CHARTS, Team, Vehicle
from grognard.games.blitzkrieg.state import (
    FOG,
    GOOD,
    SHAKEN,
    SHOT_AT,
    SUPPRESSED,
    Position,
    has,
    is_there,
    raise_flag,
    stands,
)
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import IS_ARMOUR, IS_TEAM, IS_VEHICLE, MODEL_OF, SIDE_OF, world
from grognard.kernel import No, Tally, emit, no, roll, rule

from .aiming import as_target, mgs_bearing
from .capabilities import hand_weapon, launcher_fires, spend_charge
from .ground import cover_from, detects, ground_cover
from .losses import experience, fall_back, lose, shake, take_hits
from .movement import contact, others_near

NOT_ENEMY = no("base-assault", "not-an-enemy")
NOT_INFANTRY = no("base-assault", "only-infantry-charges")
NOT_VEHICLE = no("base-overrun", "only-vehicles-overrun")
FIRED_ALREADY = no("base-assault", "fired-already")
NOT_SEEN = no("base-assault", "charge-unseen")
TOO_FAR = no("base-assault", "charge-too-far")
SHAKEN_NO_CHARGE = no("base-demoralised", "demoralised")
NO_CHARGE = no("base-suppression", "suppressed")
SOFT_TARGET = no("base-assault", "shoot-soft-vehicles")


@rule("base-assault", "base-infantry-v-armour")
def why_no_charge(s: Position, unit: int, target: int) -> No | None:
    """Base-assault: who may charge whom: infantry in good order, at an enemy it sees within a charge move."""
    if not _is_enemy(s, unit, target):
        return NOT_ENEMY
    if not IS_TEAM[unit]:
        return NOT_INFANTRY
    if s.condition[unit] != GOOD:
        return SHAKEN_NO_CHARGE
    if has(s, unit, SUPPRESSED):
        return NO_CHARGE
    if IS_VEHICLE[target]:
        if not IS_ARMOUR[target]:
            return SOFT_TARGET
        row = close.assault_row(_team(unit), hand_weapon(s, unit))
        why = close.why_no_tank_assault(book_of(s), row, as_target(s, target, unit))
        if why is not None:
            return why
    if not detects(s, unit, target):
        return NOT_SEEN
    return None if contact(s, unit, target)[1] else TOO_FAR


@rule("base-overrun", "214a", "214d", "214g")
def why_no_overrun(s: Position, unit: int, target: int) -> No | None:
    """Base-overrun: armoured vehicles run over infantry, guns and light vehicles that they can reach."""
    if not _is_enemy(s, unit, target):
        return NOT_ENEMY
    model = MODEL_OF[unit]
    if not isinstance(model, Vehicle):
        return NOT_VEHICLE
    if s.condition[unit] != GOOD:
        return SHAKEN_NO_CHARGE
    why = close.why_no_overrun(book_of(s), model, as_target(s, target, unit))
    if why is not None:
        return why
    if not detects(s, unit, target):
        return NOT_SEEN
    return None if contact(s, unit, target)[1] else TOO_FAR


def _is_enemy(s: Position, unit: int, target: int) -> bool:
    there = SIDE_OF[target] != SIDE_OF[unit] and stands(s, target) and is_there(s, target)
    return there and FOG.knows(s, SIDE_OF[unit], target)


def _team(unit: int) -> Team:
    model = MODEL_OF[unit]
    assert isinstance(model, Team)
    return model


def in_contact(s: Position, c: Moving) -> bool:
    """A charge or overrun that reached its target."""
    return c.target != NOBODY and stands(s, c.unit) and stands(s, c.target) and not c.stopped


@rule("base-assault")
def resolve(s: Position, c: Moving) -> None:
    """Base-assault: defensive fire, then the fight; overruns and assaults on armour by their own rules."""
    raise_flag(s, c.target, SHOT_AT)
    if IS_VEHICLE[c.unit]:
        overrun(s, c.unit, c.target)
    elif IS_VEHICLE[c.target]:
        assault_armour(s, c.unit, c.target)
    else:
        assault(s, c.unit, c.target)
    c.stopped = 1


# Infantry against infantry


@rule("base-defensive-fire", "102a", "102c", "102d")
def defensive_fire(s: Position, unit: int, target: int) -> bool:
    """Base-defensive-fire: the defender fires at point blank, spoilt by covering fire; True if the charge goes on."""
    book, model = book_of(s), MODEL_OF[target]
    if not isinstance(model, Team) or not model.dice:
        return True
    firer = Firer(model, demoralised=s.condition[target] == SHAKEN, suppressed=has(s, target, SUPPRESSED))
    dice = fire.team_dice(book, model) + int(model.id == "smg") - int(firer.demoralised) - int(firer.suppressed)
    flame = model.id == "pioneer_ft"
    ground = ground_cover(world(s), s.at[unit])
    number, tally = fire.defensive_number(book, min(ground, 2), s.covered[target], flame)
    if dice < 1:
        dice, number = 1, min(6, number + 1)
    thrown = roll(s, "base-defensive-fire", dice, side=SIDE_OF[target])
    hits = sum(die >= number for die in thrown)
    facts: dict[str, Any] = {"dice": thrown, "number": number, "hits": hits, "tally": tally.lines, "cm": 0}
    emit(s, "fires", "base-defensive-fire", unit=FOG.veil(s, target), target=FOG.veil(s, unit), **facts)
    take_hits(s, unit, hits, fire.FIRE["flame_save"] if flame else 0, "base-defensive-fire", s.at[target])
    return s.condition[unit] == GOOD


@rule("base-close-combat")
def assault(s: Position, unit: int, target: int) -> None:
    """Base-close-combat: a die each with what counts; the loser goes back or is no more, level sends the attacker."""
    if not defensive_fire(s, unit, target):
        return
    book, w, mine, theirs = book_of(s), world(s), _team(unit), MODEL_OF[target]
    attack = close.melee_lines(book, mine, w.quality[unit], False, others_near(s, unit, target), None)
    cover = cover_from(s, target, s.at[unit])
    if isinstance(theirs, Team):
        shaken = s.condition[target] == SHAKEN
        extra = others_near(s, target, unit)
        defence = close.melee_lines(book, theirs, w.quality[target], shaken, extra, cover)
    else:
        defence = Tally([("base-close-combat", -1)])
        defence.add("base-quality", quality.QUALITY["close"][w.quality[target]])
    mine_die, their_die = roll(s, "base-close-combat", 2)
    result = close.melee_result(mine_die + attack.total(), their_die + defence.total())
    emit(
        s,
        "melee",
        "base-close-combat",
        unit=FOG.veil(s, unit),
        target=FOG.veil(s, target),
        attack=mine_die + attack.total(),
        defence=their_die + defence.total(),
        result=result,
        tally=attack.lines,
        against=defence.lines,
    )
    _after(s, unit, target, result)


def _after(s: Position, unit: int, target: int, result: str) -> None:
    """Carry out the result of a fight."""
    back = int(CHARTS["close"]["back"])
    if result == "tie":
        fall_back(s, unit, s.at[target], int(CHARTS["close"]["tie"]), "base-close-combat")
        return
    loser, winner = (target, unit) if result.startswith("defender") else (unit, target)
    if result.endswith("eliminated"):
        lose(s, loser, "base-close-combat")
        return
    shake(s, loser, "base-close-combat", s.at[winner])
    fall_back(s, loser, s.at[winner], back, "base-close-combat")


# Overrun


@rule("214a", "214b", "214e", "base-overrun")
def overrun(s: Position, unit: int, target: int) -> None:
    """214a The vehicle crushes on 3+, in cover on 5+; 214b who survives is demoralised and goes back; 214e or flees."""
    number = close.overrun_number(as_target(s, target, unit))
    die = roll(s, "214a", side=SIDE_OF[unit])[0]
    emit(s, "overruns", "214a", unit=FOG.veil(s, unit), target=FOG.veil(s, target), die=die, number=number)
    if die >= number:
        lose(s, target, "214a")
        return
    if IS_VEHICLE[target]:
        fall_back(s, target, s.at[unit], int(close.RUN["flight"]), "214e")
        return
    shake(s, target, "214b", s.at[unit])
    if IS_TEAM[target]:
        fall_back(s, target, s.at[unit], int(close.RUN["back"]), "214b")


# Infantry against armour


@rule("base-infantry-v-armour", "215a", "215c", "215d")
def assault_armour(s: Position, unit: int, target: int) -> None:
    """Base-infantry-v-armour: nerve, the vehicle's machine guns, then one roll on the table of 215."""
    book, team = book_of(s), _team(unit)
    row = close.assault_row(team, hand_weapon(s, unit))
    year = close.early_modifier(book, world(s).year)
    if close.needs_test(row) and not experience(s, unit, "215a", year):
        return
    _defend(s, unit, target)
    if s.condition[unit] != GOOD:
        return
    aimed = as_target(s, target, unit)
    tally = close.tank_assault_lines(aimed)
    number = max(2, min(6, close.row_number(book, row) - tally.total()))
    dice = roll(s, "215c", 2 if row == "flame" else 1, side=SIDE_OF[unit])
    success = any(die == 6 or (die != 1 and die >= number) for die in dice)
    spend_charge(s, unit)
    facts: dict[str, Any] = {"dice": dice, "number": number, "tally": tally.lines}
    emit(s, "storms", "215c", unit=FOG.veil(s, unit), target=FOG.veil(s, target), success=success, **facts)
    if success:
        lose(s, target, "215c")


def _defend(s: Position, unit: int, target: int) -> None:
    """The machine guns of the vehicle that bear, at point blank."""
    book = book_of(s)
    launcher_fires(s, unit, target)
    bearing = mgs_bearing(s, target, unit)
    if not bearing or s.condition[unit] != GOOD:
        return
    firer = Firer(MODEL_OF[target], mgs=bearing)
    dice, _, _ = fire.dice_of(book, firer, "mg", 0)
    number, tally = fire.defensive_number(book, min(ground_cover(world(s), s.at[unit]), 2), 0)
    thrown = roll(s, "base-infantry-v-armour", dice, side=SIDE_OF[target])
    hits = sum(die >= number for die in thrown)
    facts: dict[str, Any] = {"dice": thrown, "number": number, "hits": hits, "tally": tally.lines, "cm": 0}
    emit(s, "fires", "base-infantry-v-armour", unit=FOG.veil(s, target), target=FOG.veil(s, unit), **facts)
    take_hits(s, unit, hits, 0, "base-infantry-v-armour", s.at[target])
