"""Dice fire: infantry, machine guns, 20 mm guns and flamethrowers. Each die that reaches the number is a hit."""

from __future__ import annotations

from grognard.games.blitzkrieg.doors import Book, limits, lines, question
from grognard.games.blitzkrieg.loading import CHARTS, Team
from grognard.kernel import No, Tally, no, rule

from .parties import BUNKER, LIGHT, OPEN, Firer, Target

FIRE = CHARTS["fire"]
HALF_GROUPS = ("scout", "brencrew", "command", "commissar", "moto")  # 001
DEMORALISED = no("base-demoralised", "demoralised")
OUT_OF_RANGE = no("base-fire-range", "out-of-range")
NO_DICE = no("base-fire", "no-dice")
SNIPER = no("base-sniper", "sniper-fires-apart")
MOVED_TOO_FAR = no("base-infantry-move", "moved-too-far")
SUPPORT_MOVED = no("base-support-weapon-move", "support-weapon-moved")
NOT_EXPOSED = no("base-commander-out", "aa-mg-closed")
NO_CANNON = no("base-autocannon", "no-cannon")
CANNON_AT_VEHICLE = no("base-autocannon", "cannon-at-vehicle")
NO_FLAME = no("base-flamethrower", "no-flamethrower")


@question
@rule("base-fire")
def team_dice(book: Book, team: Team) -> int:
    """Base-fire: the dice of a team; half-groups count as groups without proposal 001 (O-01)."""
    return 2 if team.id in HALF_GROUPS else team.dice


@question
@rule("base-vehicle-mg")
def mg_dice(book: Book, dice: int, moved: bool, tally: Tally) -> int:
    """Base-vehicle-mg: without proposal 202 each machine gun has a die more, and one less on the move."""
    if moved:
        tally.add("base-vehicle-mg", -1)
    return dice + int(CHARTS["off"]["202"]["mg"]) if dice else 0


@question
def cannon_moved(book: Book, firer: Firer) -> bool:
    """Base-fire-reduced (O-07): a 20 mm gun that moved loses a die; those on vehicles as their machine guns do."""
    return firer.moved > 0


@question
@rule("base-autocannon")
def cannon_save(book: Book) -> int:
    """Base-autocannon: without proposal 105 a hit of 20 mm is saved like any other."""
    return 0


@lines
@rule("base-fire-reduced", "base-suppression")
def team_lines(book: Book, tally: Tally, firer: Firer) -> None:
    """Dice that a team loses: moved (base-fire-reduced), suppressed by a barrage (base-suppression)."""
    if firer.moved:
        tally.add("base-fire-reduced", FIRE["reduced"])
    if firer.suppressed:
        tally.add("base-suppression", -1)


@limits
@rule("base-infantry-move", "base-support-weapon-move")
def why_no_dice(book: Book, firer: Firer) -> No | None:
    """What keeps a team from firing: no dice, too far a move, a support weapon that moved."""
    team = firer.team
    if firer.demoralised:
        return DEMORALISED
    if team.id == "sniper" and not firer.spotted:
        return SNIPER
    if not team.dice:
        return NO_DICE
    if team.id in ("mmg", "hmg") and firer.moved:
        return SUPPORT_MOVED
    return MOVED_TOO_FAR if firer.moved > CHARTS["moves"]["step_fire"] else None


def is_flame(firer: Firer, weapon: str) -> bool:
    """A flamethrower, carried or mounted."""
    return weapon == "flame" or (firer.kind == "infantry" and firer.team.id == "pioneer_ft")


def ranges(firer: Firer, weapon: str) -> tuple[int, int]:
    """Base-fire-range: the two ranges of a weapon."""
    if firer.kind == "infantry":
        return firer.team.near, firer.team.far
    if weapon == "flame":
        return FIRE["flame_vehicle"], FIRE["flame_vehicle"]
    near, far = FIRE["cannon"] if weapon == "20mm" else FIRE["mg"]
    return near, far


@rule("base-fire-range")
def why_out_of_range(firer: Firer, weapon: str, cm: int) -> No | None:
    """Base-fire-range: nothing beyond the second range."""
    return OUT_OF_RANGE if cm > ranges(firer, weapon)[1] else None


def why_no_weapon(book: Book, firer: Firer, target: Target, weapon: str) -> No | None:
    """What a vehicle or gun cannot fire, or not at this."""
    if weapon == "20mm":
        has = any(w.is_cannon for w in (firer.vehicle.guns if firer.kind == "vehicle" else (firer.weapon,)) if w)
        if not has:
            return NO_CANNON
        if target.kind == "vehicle":
            return CANNON_AT_VEHICLE
    if is_flame(firer, weapon):
        if firer.kind == "vehicle" and not firer.vehicle.flame:
            return NO_FLAME
        if target.kind == "vehicle":
            return NO_FLAME
    if firer.demoralised and firer.kind != "vehicle":
        return DEMORALISED
    return NOT_EXPOSED if "aa" in firer.mgs and (firer.is_closed or firer.lost) else None


def dice_of(book: Book, firer: Firer, weapon: str, cm: int) -> tuple[int, Tally, Tally]:
    """The dice thrown, the lines that changed them, and what lost dice cost in the number (O-04)."""
    tally = Tally()
    if firer.kind == "infantry" and firer.aboard:
        dice = int(CHARTS["transport"]["dice"])
    elif firer.kind == "infantry":
        dice = team_dice(book, firer.team)
        if firer.team.id == "smg" and cm <= FIRE["smg_cm"]:
            tally.add("base-fire", 1)
        team_lines(book, tally, firer)
    elif weapon == "flame":
        dice = FIRE["flame_dice"]
    elif weapon == "20mm":
        dice = FIRE["quad_dice"] if firer.model.id == "wirbel" else FIRE["cannon_dice"]
        if cannon_moved(book, firer):
            tally.add("base-fire-reduced", -1)
        if firer.suppressed:
            tally.add("base-suppression", -1)
    else:
        dice = sum(mg_dice(book, getattr(firer.vehicle, mg), firer.moved > 0, tally) for mg in firer.mgs)
        if firer.lost and not firer.vehicle.guns:
            tally.add("216b", -1)
    return _kept(dice, tally)


def _kept(dice: int, tally: Tally) -> tuple[int, Tally, Tally]:
    """O-04: a die that would be the last stays, at -1 to hit under the same rule."""
    number = Tally()
    kept = Tally()
    for rule_id, change in tally.lines:
        if change > 0:
            dice += change
            kept.add(rule_id, change)
    for rule_id, change in tally.lines:
        for _ in range(-change):
            if dice > 1:
                dice -= 1
                kept.add(rule_id, -1)
            else:
                number.add(rule_id, -1)
    return dice, kept, number


@rule("base-fire", "base-gun-target", "base-soft-vehicle", "base-exposed-crew", "base-cover-levels", "101c")
def base_number(target: Target) -> int | None:
    """What a die must reach before modifiers: 3 moving, 4 still, 5 light, 6 heavy cover; None for a closed vehicle."""
    if target.kind == "vehicle":
        if target.is_armoured:
            return None if target.is_closed else int(FIRE["exposed"])
        return int(FIRE["soft_moving"] if target.is_moving else FIRE["soft_still"])
    cover = target.shelter
    if cover > LIGHT or (target.kind == "gun" and target.shield):
        return int(FIRE["heavy"])
    if cover == LIGHT:
        return int(FIRE["light"])
    return int(FIRE["moving"] if target.is_moving and not target.crawling else FIRE["still"])


@rule("base-fire-range", "base-fire-pointblank", "base-flamethrower")
def number_lines(book: Book, firer: Firer, target: Target, weapon: str, cm: int) -> Tally:
    """What changes the number: long range, point blank, a shaken or leaderless vehicle."""
    tally = Tally()
    if cm > ranges(firer, weapon)[0]:
        tally.add("base-fire-range", FIRE["far"])
    if cm <= FIRE["point_blank_cm"] and not is_flame(firer, weapon):
        tally.add("base-fire-pointblank", FIRE["point_blank"])
    if firer.kind == "vehicle" and firer.demoralised:
        tally.add("base-demoralised", -2)
    if firer.kind == "vehicle" and firer.lost and weapon == "20mm":
        tally.add("216b", -2)
    return tally


def within(number: int) -> int:
    """A number that dice can reach and miss: natural 6 hits, natural 1 misses."""
    return max(int(FIRE["best"]), min(int(FIRE["worst"]), number))


def number_of(
    book: Book, firer: Firer, target: Target, weapon: str, cm: int, lost: Tally | None = None
) -> tuple[int | None, Tally]:
    """The number that each die needs, and its lines. `lost` are the lines of dice that could not be taken away."""
    base = base_number(target)
    if target.is_armoured:
        return base, Tally()  # exposed crew: 6, whatever else
    if is_flame(firer, weapon):
        base = FIRE["flame_bunker"] if target.cover == BUNKER else FIRE["flame_number"]
    tally = number_lines(book, firer, target, weapon, cm)
    for line in lost.lines if lost is not None else ():
        tally.add(*line)
    return (None if base is None else within(base - tally.total())), tally


def save_modifier(book: Book, firer: Firer, weapon: str) -> int:
    """What the save suffers: flame, and 20 mm with proposal 105."""
    if is_flame(firer, weapon):
        return int(FIRE["flame_save"])
    return cannon_save(book) if weapon == "20mm" else 0


@rule("base-support-weapon-jam")
def jams(firer: Firer, weapon: str) -> bool:
    """Base-support-weapon-jam: machine-gun teams and 20 mm guns may jam; those of vehicles do not (O-10)."""
    return weapon == "20mm" or (firer.kind == "infantry" and firer.team.id in ("lmg", "mmg", "hmg"))


@question
@rule("base-flamethrower")
def portable_fuel(book: Book) -> int:
    """Without proposal 106 a portable flamethrower is empty on 1 only."""
    return 1


@question
def vehicle_fuel(book: Book) -> int:
    """Without proposal 223 a vehicle's flamethrower is empty on 1 to 3."""
    return 3


def fuel(book: Book, firer: Firer) -> int:
    """The highest coloured die that empties a flamethrower."""
    return portable_fuel(book) if firer.kind == "infantry" else vehicle_fuel(book)


@question
def covering_value(book: Book, value: int) -> int:
    """Without proposal 102 covering fire does nothing to defensive fire."""
    return 0


@rule("base-defensive-fire")
def defensive_number(book: Book, ground: int, covering: int, flame: bool = False) -> tuple[int, Tally]:
    """Base-defensive-fire: chargers count as moving, at point blank; covering fire spoils the aim down to 5+ (102c)."""
    tally = Tally()
    if flame:
        return int(FIRE["flame_number"]), tally
    base = FIRE["moving"] if ground == OPEN else FIRE["light"] if ground == LIGHT else FIRE["heavy"]
    tally.add("base-fire-pointblank", FIRE["point_blank"])
    number = within(base - FIRE["point_blank"])
    worst = int(CHARTS["fire_text"]["covering_worst"])
    if number < worst:
        raised = min(worst, number + covering_value(book, covering))
        tally.add("102a", number - raised)
        number = raised
    return number, tally
