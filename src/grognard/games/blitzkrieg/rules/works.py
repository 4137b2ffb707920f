"""Barricades, wire, obstacles and bunkers; the wrecks in the way and how they are taken off it."""

from __future__ import annotations

from grognard.games.blitzkrieg.doors import Book, question
from grognard.games.blitzkrieg.frames import Acting, Match
from grognard.games.blitzkrieg.laws import destruction, shot
from grognard.games.blitzkrieg.laws.parties import FRONT, Target
from grognard.games.blitzkrieg.loading import CHARTS, SIZES, Vehicle
from grognard.games.blitzkrieg.state import (
    BOGGED,
    CONTINUOUS,
    FIRED,
    FOG,
    GOOD,
    IN_BUNKER,
    LOST,
    SHOT_AT,
    STUCK,
    SUPPRESSED,
    WRECK,
    Position,
    drop_flag,
    given,
    has,
    raise_flag,
)
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import IS_ARMOUR, IS_TEAM, MODEL_OF, SIDE_OF, world
from grognard.kernel import No, Side, emit, no, roll, rule

from .aiming import GUN, make_shot, why_not_fire
from .ground import face_of, within
from .losses import experience, show, take_hits
from .walking import in_contact

WORKS = CHARTS["works"]
PIONEERS = ("pioneer", "pioneer_ft")
CLIMBERS = ("tank", "assault-gun", "tank-destroyer")  # 502c, with tracks

NO_BARRICADE = no("502a", "no-barricade-here")
NOT_INFANTRY = no("502a", "only-infantry-dismantles")
TESTED = no("502a", "barricade-tested")
TAKES_A_TURN = no("502a", "takes-a-turn")
NOT_STEADY = no("base-demoralised", "demoralised")
NO_CLIMB = no("502c", "no-climb")
NO_WRECK = no("205d", "no-wreck-here")
NOT_THIS_WRECK = no("205d", "not-this-wreck")
WRECK_TOO_LARGE = no("205e", "wreck-too-large")
WRECKS_TAKE_A_TURN = no("205d", "takes-a-turn")
NO_BUNKER = no("base-fortification-cover", "no-bunker-there")
WEAPON_USED = no("base-vehicle-actions", "weapon-used")


# What stands


@question
@rule("503")
def may_block_road(book: Book) -> bool:
    """Without proposal 503 anti-tank obstacles stand on roads too."""
    return True


@rule("base-points", "base-minefield")
def lay_bought(s: Position) -> None:
    """Base-points: of the sections that a scenario offers as many lie as were bought, in the order of the list."""
    w = world(s)
    if not w.offers:
        return
    count: dict[tuple[Side, str], int] = {}
    for number, (side, kind) in enumerate([(m.side, "mines") for m in w.mines] + [(k.side, k.kind) for k in w.works]):
        count[side, kind] = count.get((side, kind), 0) + 1
        lies = int(count[side, kind] <= given(s, -1 - side, kind, 0))
        if kind == "mines":
            s.mined[number] = lies
        else:
            s.built[number - len(w.mines)] = lies


@rule("503", "base-barricade")
def put_up(s: Position, c: Match) -> None:
    """503 Obstacles that a scenario has on a road are not put up while the proposal is on; bought sections are laid."""
    lay_bought(s)
    for work in world(s).works:
        if s.built[work.number] and work.kind == "obstacle" and work.on_road and not may_block_road(book_of(s)):
            s.built[work.number] = 0
            emit(s, "not-on-roads", "503", work=work.name)


@rule("base-barricade")
def flatten_wire(s: Position, unit: int, before: int) -> None:
    """Base-barricade: a tracked vehicle that crosses wire removes it."""
    model = MODEL_OF[unit]
    if not s.built or not isinstance(model, Vehicle) or model.drive != "tracked":
        return
    table = world(s).table
    crossed = table.crossed.get(before << 4 | table.offsets.index(s.at[unit] - before), ())
    for work in world(s).works:
        if work.kind == "wire" and work.feature in crossed and s.built[work.number]:
            s.built[work.number] = 0
            emit(s, "flattened", "base-barricade", unit=FOG.veil(s, unit), work=work.name)


# Barricades


@question
@rule("502a", "502b")
def needs_test(book: Book, unit: int) -> bool:
    """Without proposal 502 a barricade comes down after a turn, whoever works at it."""
    return False


@question
@rule("502c")
def may_climb(book: Book, unit: int) -> bool:
    """Without proposal 502 no tank crosses a barricade."""
    return False


@rule("502a", "502b")
def why_no_dismantling(s: Position, c: Acting) -> No | None:
    """502a Infantry in contact that neither moved nor fired; one test a barricade, pioneers need none."""
    unit = c.unit
    if not IS_TEAM[unit]:
        return NOT_INFANTRY
    near = in_contact(s, unit, ("barricade",))
    if not near:
        return NO_BARRICADE
    if s.condition[unit] != GOOD or has(s, unit, SUPPRESSED):
        return NOT_STEADY
    if c.has_moved or c.shot:
        return TAKES_A_TURN
    return TESTED if needs_test(book_of(s), unit) and all(s.built[work.number] == 2 for work in near) else None


@rule("502a", "502b")
def dismantle(s: Position, c: Acting) -> None:
    """502a An experience test takes it away or has failed for good (A-38); 502b pioneers pass."""
    c.over, unit = 1, c.unit
    show(s, unit)
    near = in_contact(s, unit, ("barricade",))
    test = needs_test(book_of(s), unit)
    work = next((w for w in near if not test or s.built[w.number] == 1), near[0])
    if not test or experience(s, unit, "502a"):
        s.built[work.number] = 0
        emit(s, "dismantled", "502a" if test else "502b", unit=FOG.veil(s, unit), work=work.name)
    else:
        s.built[work.number] = 2


@rule("502c")
def why_no_climb(s: Position, c: Acting) -> No | None:
    """502c A tank or tracked assault gun that begins in contact with a barricade."""
    if not may_climb(book_of(s), c.unit) or not in_contact(s, c.unit, ("barricade",)):
        return NO_CLIMB
    return None


# Wrecks


def wrecks(s: Position) -> list[int]:
    """What is left of vehicles, of both sides."""
    return [u for u in world(s).units if s.condition[u] == WRECK and s.at[u]]


@question
@rule("205d", "205e", "205f")
def may_clear(book: Book) -> bool:
    """Without proposal 205 there are no wrecks to clear."""
    return False


@rule("205d", "205e", "205f")
def why_no_clearing(s: Position, c: Acting, wreck: int) -> No | None:
    """205d Men move a wheeled wreck; 205e armour an armoured one no larger than itself; a whole turn in contact."""
    unit = c.unit
    if s.condition[wreck] != WRECK or not may_clear(book_of(s)) or not within(s, unit, wreck, WORKS["contact"]):
        return NO_WRECK
    if s.condition[unit] != GOOD or has(s, unit, SUPPRESSED):
        return NOT_STEADY
    if c.has_moved or c.shot or has(s, unit, FIRED | STUCK | BOGGED):
        return WRECKS_TAKE_A_TURN
    model, dead = MODEL_OF[unit], MODEL_OF[wreck]
    assert isinstance(dead, Vehicle)
    if IS_TEAM[unit]:
        return None if dead.drive == "wheeled" else NOT_THIS_WRECK
    if not isinstance(model, Vehicle) or not IS_ARMOUR[unit] or not IS_ARMOUR[wreck]:
        return NOT_THIS_WRECK
    large = SIZES.index(model.size) >= SIZES.index(dead.size) or "bulldozer" in model.traits
    return None if large else WRECK_TOO_LARGE


@rule("205d", "205e", "205f")
def clear_wreck(s: Position, c: Acting, wreck: int) -> None:
    """205d It is dragged away: the passage is open again (205f)."""
    c.over = 1
    show(s, c.unit)
    emit(s, "cleared", "205d" if IS_TEAM[c.unit] else "205e", unit=FOG.veil(s, c.unit), wreck=FOG.veil(s, wreck))
    s.condition[wreck], s.at[wreck] = LOST, 0


# Bunkers


@rule("base-fortification-cover")
def why_no_demolition(s: Position, c: Acting, target: int) -> No | None:
    """Base-fortification-cover: a gun fires at the bunker itself, as it would at who is in it."""
    if not has(s, target, IN_BUNKER):
        return NO_BUNKER
    if c.shot & 1 << GUN:
        return WEAPON_USED
    return why_not_fire(s, c.unit, target, GUN, bool(c.has_moved) or has(s, c.unit, CONTINUOUS))


@rule("base-fortification-cover")
def demolish(s: Position, c: Acting, target: int) -> None:
    """Base-fortification-cover: a hit is a destruction test; when it falls who is in it saves at -1.

    A bunker is as large as a house: no cover and no size count for the roll to hit.
    """
    unit, book = c.unit, book_of(s)
    c.shot |= 1 << GUN
    show(s, unit)
    raise_flag(s, unit, FIRED)
    raise_flag(s, target, SHOT_AT)
    fired = make_shot(s, unit, target, GUN, bool(c.has_moved) or has(s, unit, CONTINUOUS))
    assert fired is not None
    fired.target = Target(None)
    base, base_rule, tally = shot.to_hit(book, fired)
    dice = roll(s, base_rule, 2, side=SIDE_OF[unit])
    needed, names = base - tally.total(), {"unit": FOG.veil(s, unit), "target": FOG.veil(s, target)}
    hit, told = shot.hits(dice, needed), {"cm": fired.cm, "dice": dice, "needed": needed, "tally": tally.lines}
    emit(s, "shoots", base_rule, **names, hit=hit, **told)  # type: ignore[arg-type]
    if not hit:
        return
    armour = int(WORKS["bunker_front" if face_of(s, target, s.at[unit]) == FRONT else "bunker_side"])
    ap = destruction.power(book, fired.weapon)
    die = roll(s, "base-destruction", destruction.test_dice(book), side=SIDE_OF[unit])
    facts = {"dice": die, "ap": ap, "armour": armour}
    emit(s, "tested", "base-fortification-cover", unit=FOG.veil(s, target), **facts)  # type: ignore[arg-type]
    if destruction.tested(book, ap, armour, die) == destruction.DESTROYED:
        drop_flag(s, target, IN_BUNKER)
        emit(s, "bunker-falls", "base-fortification-cover", unit=FOG.veil(s, target))
        take_hits(s, target, 1, -1, "base-fortification-cover", s.at[unit])
