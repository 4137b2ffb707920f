"""Fire carried out: dice thrown, hits dealt, weapons that jam or run dry."""

from __future__ import annotations

from grognard.games.blitzkrieg.doors import Book
from grognard.games.blitzkrieg.frames import Volley
from grognard.games.blitzkrieg.laws import destruction, shot
from grognard.games.blitzkrieg.laws import fire as law
from grognard.games.blitzkrieg.laws.parties import Shot
from grognard.games.blitzkrieg.loading import ROCKETS, Gun, Team, Vehicle
from grognard.games.blitzkrieg.state import (
    EMPTY,
    FIRED,
    FOG,
    JAMMED,
    PIVOTED,
    ROUNDS,
    SHOT_AT,
    Position,
    is_there,
    raise_flag,
    stands,
)
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import IS_ARMOUR, IS_TEAM, IS_VEHICLE, MODEL_OF, SIDE_OF, world
from grognard.kernel import Tally, emit, roll, rule

from .aiming import (
    DICE,
    FAUST,
    FLAME,
    GUN,
    SECOND,
    as_firer,
    as_target,
    make_shot,
    mgs_bearing,
    needs_relay,
    stance_of,
    uses_dice,
)
from .ground import bearing, cm_between, within
from .indirect import use_rockets
from .losses import exposed_hits, show, soft_hits, take_hits, wrecked
from .rounds import spend_round
from .shelling import mortar_fire
from .smoke import lay_marker

NEIGHBOURS = 5  # cm within which further hits of HE are dealt (407b)


@rule("base-fire-combine", "base-hidden")
def open_fire(
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
    rockets: int = 1,
) -> None:
    """Base-fire-combine: a unit fires an arm at the target it named. Base-hidden: firing shows it."""
    show(s, unit)
    dice = "" if ammo else uses_dice(s, unit, target, arm)
    raise_flag(s, unit, FIRED)
    if ammo != "smoke":
        raise_flag(s, target, SHOT_AT)
        note_cover(s, unit, target)
    model = MODEL_OF[unit]
    if isinstance(model, Gun) and model.is_mortar:
        mortar_fire(s, unit, target, smoke=ammo == "smoke")
    elif dice:
        if dice == "flame":
            _turn(s, unit, target, stance_of(s, unit, target, arm, moved) or "still")
        _dice_fire(s, unit, target, arm, dice, moved)
    else:
        fired = make_shot(s, unit, target, arm, moved, low=low, reaction=reaction, already=already, ammo=ammo)
        assert fired is not None
        fired.firer.rockets = rockets
        _turn(s, unit, target, fired.firer.stance)
        _shoot(s, unit, target, fired)


@rule("102a", "102b")
def note_cover(s: Position, unit: int, target: int) -> None:
    """102a Every unit that fires at another covers those of its formation who charge it; 102b some count double."""
    model = MODEL_OF[unit]
    value = model.covering if isinstance(model, Team) else 1
    s.covered[target] = min(255, s.covered[target] + value)


def _turn(s: Position, unit: int, target: int, stance: str) -> None:
    """A turret traverses, a hull or a gun pivots towards what it fires at."""
    model, way = MODEL_OF[unit], bearing(s, unit, target)
    if isinstance(model, Vehicle) and model.turret == "full":
        s.turret[unit] = way
    elif stance == "pivot" or isinstance(model, Gun):
        s.facing[unit] = s.turret[unit] = way
        raise_flag(s, unit, PIVOTED)


# Dice


@rule("base-fire", "104a")
def _dice_fire(s: Position, unit: int, target: int, arm: int, dice: str, moved: bool) -> None:
    """Base-fire, 104a: so many dice against a number; a machine gun that has to be laid anew turns first."""
    book, cm = book_of(s), cm_between(s, unit, target)
    firer = as_firer(s, unit, arm, "still", moved)
    if dice == "mg":
        firer.mgs = mgs_bearing(s, unit, target)
    if needs_relay(s, unit, target):
        firer.relay = True
        s.facing[unit] = bearing(s, unit, target)
    aimed = as_target(s, target, unit)
    count, dice_lines, lost = law.dice_of(book, firer, dice, cm)
    number, number_lines = law.number_of(book, firer, aimed, dice, cm, lost)
    thrown = roll(s, "base-fire", count, side=SIDE_OF[unit])
    hits = sum(number is not None and die >= number for die in thrown)
    emit(
        s,
        "fires",
        "base-fire",
        unit=FOG.veil(s, unit),
        target=FOG.veil(s, target),
        cm=cm,
        dice=thrown,
        number=number or 0,
        hits=hits,
        tally=dice_lines.lines + number_lines.lines,
    )
    origin, modifier = s.at[unit], law.save_modifier(book, firer, dice)
    if IS_ARMOUR[target]:
        exposed_hits(s, target, hits)
    elif IS_VEHICLE[target]:
        soft_hits(s, target, hits, "base-soft-vehicle")
    else:
        take_hits(s, target, hits, modifier, "base-save", origin)
    coloured(s, unit, dice, thrown[0])


@rule("base-support-weapon-jam", "106a", "223")
def coloured(s: Position, unit: int, dice: str, die: int) -> None:
    """Base-support-weapon-jam: the first die is the coloured one: a 1 jams; 106a, 223 flamethrowers run dry."""
    firer = as_firer(s, unit, DICE, "still", False)
    if law.is_flame(firer, dice):
        if die <= law.fuel(book_of(s), firer):
            raise_flag(s, unit, EMPTY)
            emit(s, "empty", "106a" if IS_TEAM[unit] else "223", unit=FOG.veil(s, unit))
    elif die == 1 and law.jams(firer, dice):
        raise_flag(s, unit, JAMMED)
        emit(s, "jams", "base-support-weapon-jam", unit=FOG.veil(s, unit))


# Shots


def _shoot(s: Position, unit: int, target: int, fired: Shot) -> None:
    book = book_of(s)
    base, base_rule, tally = shot.to_hit(book, fired)
    needed = base - tally.total()
    for _ in range(shots_of(book, fired)):
        if not stands(s, target):
            break
        dice = roll(s, base_rule, 2, side=SIDE_OF[unit])
        hit = shot.hits(dice, needed)
        emit(
            s,
            "shoots",
            base_rule,
            unit=FOG.veil(s, unit),
            target=FOG.veil(s, target),
            cm=fired.cm,
            dice=dice,
            needed=needed,
            hit=hit,
            tally=tally.lines,
        )
        if hit and fired.ammo == "smoke":
            lay_marker(s, s.at[target], "base-special-ammo")
        elif hit:
            _strike(s, unit, target, fired)
    if fired.ammo in ROUNDS:
        spend_round(s, unit, fired.ammo)
    else:
        _ammunition(s, unit, fired)


def shots_of(book: Book, fired: Shot) -> int:
    """406a A shot a rocket (A-33); one special round; else by the rate of fire."""
    if fired.weapon.id in ROCKETS:
        return fired.firer.rockets
    return 1 if fired.ammo in ROUNDS else shot.rate_of_fire(book, fired.weapon)


@rule("406a", "406b")
def fire_rockets(s: Position, c: Volley) -> None:
    """406a All or some rockets at what the launcher sees, a roll for each."""
    use_rockets(s, c.unit, c.rockets)
    open_fire(s, c.unit, c.target, GUN, False, rockets=c.rockets)


@rule("base-gun-ammunition", "base-support-weapon-jam")
def _ammunition(s: Position, unit: int, fired: Shot) -> None:
    """Base-gun-ammunition: a coloured 1 and another 1 leave a gun without rounds; a heavy machine gun jams on 1."""
    if fired.weapon.id in ROCKETS and book_of(s).has("406"):
        return  # 406a: rockets are counted
    if MODEL_OF[unit].id == "hmg":
        if roll(s, "base-support-weapon-jam", side=SIDE_OF[unit])[0] == 1:
            raise_flag(s, unit, JAMMED)
            emit(s, "jams", "base-support-weapon-jam", unit=FOG.veil(s, unit))
    elif not shot.has_ranges(fired.weapon) and roll(s, "base-gun-ammunition", side=SIDE_OF[unit])[0] == 1:
        if roll(s, "base-gun-ammunition", side=SIDE_OF[unit])[0] == 1:
            raise_flag(s, unit, EMPTY)
            emit(s, "empty", "base-gun-ammunition", unit=FOG.veil(s, unit))


def _strike(s: Position, unit: int, target: int, fired: Shot) -> None:
    """A hit: HE among men and guns, the destruction test on vehicles."""
    if not IS_VEHICLE[target]:
        _burst(s, unit, target, fired)
        return
    if destruction.is_gone(fired):
        wrecked(s, target, destruction.DESTROYED, "base-soft-vehicle")
        return
    book = book_of(s)
    ap, lines = destruction.test_lines(book, fired)
    if fired.low:
        die = roll(s, "base-immobilisation-shot", side=SIDE_OF[unit])
        result = destruction.tested_low(ap + lines.total(), fired.target, die[0])
        told(s, target, die, ap, lines, fired.target.vehicle.armour[1], "base-immobilisation-shot")
    else:
        face = destruction.face_hit(book, fired)
        armour = destruction.armour_met(fired, face)
        die = roll(s, "base-destruction", destruction.test_dice(book), side=SIDE_OF[unit])
        result = destruction.tested(book, ap + lines.total(), armour, die)
        told(s, target, die, ap, lines, armour, "base-destruction")
    wrecked(s, target, result, "base-immobilisation-shot" if fired.low else "base-destruction")


def told(s: Position, target: int, dice: tuple[int, ...], ap: int, lines: Tally, armour: int, why: str) -> None:
    """Say what a destruction test was."""
    emit(s, "tested", why, unit=FOG.veil(s, target), dice=dice, ap=ap, armour=armour, tally=lines.lines)


@rule("base-he-direct", "base-he-power", "407a", "407b", "base-gun-target")
def _burst(s: Position, unit: int, target: int, fired: Shot) -> None:
    """Base-he-direct: one hit, and the HE dice; 407b further hits are dealt among those within 5 cm."""
    book, origin = book_of(s), s.at[unit]
    hits = 1
    if fired.ammo == "HE":
        number = destruction.he_number(book, fired.target.shelter)
        dice = roll(s, "base-he-direct", fired.weapon.he, side=SIDE_OF[unit])
        hits += sum(die >= number for die in dice)
        emit(s, "bursts", "base-he-direct", target=FOG.veil(s, target), dice=dice, number=number, hits=hits)
    modifier = law.cannon_save(book) if fired.weapon.is_cannon else 0
    near = [
        u
        for u in world(s).of_side[SIDE_OF[target]]
        if u != target and is_there(s, u) and stands(s, u) and not IS_VEHICLE[u] and within(s, target, u, NEIGHBOURS)
    ]
    order = [*near, target]
    share = dict.fromkeys(order, 0)
    share[target] = 1
    for number in range(hits - 1):
        share[order[number % len(order)]] += 1
    for victim in [target, *FOG.in_token_order(s, near)]:
        if share[victim]:
            raise_flag(s, victim, SHOT_AT)
            take_hits(s, victim, share[victim], modifier, "base-save", origin)


# Who fires best


def best_arm(s: Position, unit: int, target: int) -> tuple[int, ...]:
    """The arms of a unit in the order in which it would fire them at a target."""
    if IS_ARMOUR[target]:
        return (GUN, SECOND, FAUST, DICE) if IS_TEAM[unit] else (GUN, SECOND, DICE)
    return (FLAME, GUN, DICE, SECOND) if IS_VEHICLE[unit] else (DICE, GUN) if IS_TEAM[unit] else (GUN,)
