"""Aircraft in close support: they come or not, attack once each, and are shot at."""

from __future__ import annotations

from typing import Any

from grognard.games.blitzkrieg.frames import NOBODY, Match, Sortie
from grognard.games.blitzkrieg.laws import air as law
from grognard.games.blitzkrieg.laws import barrage, destruction, fire
from grognard.games.blitzkrieg.loading import Gun, Vehicle
from grognard.games.blitzkrieg.state import (
    AT_AIRCRAFT,
    EMPTY,
    FIRED,
    FOG,
    GOOD,
    HIDDEN,
    JAMMED,
    LEADERLESS,
    OUT,
    SHOT_AT,
    SUPPRESSED,
    UNIT,
    Position,
    given,
    has,
    is_there,
    raise_flag,
    stands,
)
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import BASE_OF, IS_ARMOUR, IS_VEHICLE, MODEL_OF, SIDE_OF, world
from grognard.kernel import NOTHING, Decision, No, Side, emit, no, roll, rule
from grognard.tabletop import template

from .aiming import as_target
from .ground import cover_from, enemies, smoke_over, within
from .losses import lose, show, take_hits, wrecked
from .sights import may_ambush

AIR = law.MORE
BY_VERB = {
    "bomb": ("small-bomb", "large-bomb"),
    "rocket": ("rocket-su", "rocket-allied"),
    "strafe": ("20mm", "37mm", "mg"),
}
AREA = ("small-bomb", "large-bomb", "rocket-su", "rocket-allied")
NOT_ENEMY = no("base-fire", "not-an-enemy")
TARGET_GONE = no("base-fire", "target-gone")
NO_AIR_WEAPON = no("603c", "aircraft-without-it")
MG_AT_ARMOUR = no("603c", "mg-at-armour")
UNDER_SMOKE = no("base-smoke", "target-in-smoke")
NO_AA = no("base-aa-fire", "no-aa-weapon")
TOO_HEAVY = no("602", "heavy-aa")
OUT_OF_RANGE = no("base-aa-fire", "out-of-range")
AA_FIRED = no("base-aa-fire", "aa-fired-already")
NOT_YOURS = no("base-aa-fire", "not-your-unit")
NOT_STEADY = no("base-demoralised", "demoralised")


# Coming and going


def at_hand(s: Position, side: Side) -> list[int]:
    """The flights of a side that are over the table and have not attacked."""
    return [n for n, flight in enumerate(world(s).flights) if flight.side == side and s.aloft[n]]


@rule("base-air-request", "601", "base-air-scope")
def call_aircraft(s: Position, c: Match, side: Side) -> None:
    """Base-air-request: in the rally phase 5+, with superiority 4+; a support that attacked rests for a turn."""
    for number, flight in enumerate(world(s).flights):
        if flight.side != side:
            continue
        s.aloft[number] = 0
        if not s.planes[number] or s.turn < s.back[number]:
            continue
        needed = int(AIR["superiority" if flight.superiority else "arrives"])
        die = roll(s, "base-air-request", side=side)[0]
        if die >= needed:
            s.aloft[number] = min(s.planes[number], 2 if law.two_aircraft(book_of(s)) else 1)
        kind = "aircraft" if die >= needed else "no-aircraft"
        emit(s, kind, "base-air-request", flight=flight.name, die=die, number=needed)


def muster(s: Position) -> None:
    """601 Every support begins with its aircraft."""
    for number, flight in enumerate(world(s).flights):
        s.planes[number] = flight.support.pieces if given(s, number, "air", 1) else 0


# The run


def weapon_for(s: Position, flight: int, verb: str) -> str:
    """The weapon of a flight behind a verb; empty if it has none."""
    return next((w for w in world(s).flights[flight].weapons if w in BY_VERB[verb]), "")


@rule("base-air-attack", "603c", "base-smoke")
def why_no_run(s: Position, c: Sortie, verb: str, target: int) -> No | None:
    """Base-air-attack: at enemies that are known, with what the aircraft carry; nobody attacks what smoke covers."""
    weapon = weapon_for(s, c.flight, verb)
    if not weapon:
        return NO_AIR_WEAPON
    if SIDE_OF[target] == c.side or has(s, target, HIDDEN):
        return NOT_ENEMY
    if not stands(s, target) or not is_there(s, target):
        return TARGET_GONE
    if weapon == "mg" and IS_ARMOUR[target]:
        return MG_AT_ARMOUR
    return UNDER_SMOKE if smoke_over(s, s.at[target]) else None


@rule("base-air-attack", "601")
class Run(Decision):
    """601 Each aircraft attacks once: a bomb, rockets or guns at one enemy; or it turns away."""

    verbs = {"bomb": UNIT, "rocket": UNIT, "strafe": UNIT, "break-off": NOTHING}

    def needed(self, s: Position, c: Sortie, side: Side) -> bool:
        """While an aircraft has not attacked."""
        return not c.over and c.target == NOBODY

    def nouns(self, s: Position, c: Sortie, side: Side, verb: str) -> list[int]:
        """Known enemies."""
        if verb == "break-off":
            return [0]
        return enemies(s, side) if weapon_for(s, c.flight, verb) else []

    def why_not(self, s: Position, c: Sortie, side: Side, verb: str, noun: int) -> No | None:
        """What forbids it."""
        return None if verb == "break-off" else why_no_run(s, c, verb, noun)

    def apply(self, s: Position, c: Sortie, side: Side, verb: str, noun: int) -> None:
        """It dives, or goes home."""
        c.held = c.hits = 0
        if verb == "break-off":
            c.over = 1
            return
        weapon = weapon_for(s, c.flight, verb)
        c.target, c.weapon = noun, law.WEAPONS.index(weapon)
        facts: dict[str, Any] = {"flight": world(s).flights[c.flight].name, "weapon": f"air-{weapon}"}
        emit(s, "dives", "base-air-attack", target=FOG.veil(s, noun), **facts)


# Anti-aircraft fire


def aa_kind(s: Position, unit: int) -> str:
    """What a unit fires at aircraft: mg, 20mm, 37mm, 40mm, heavy; empty for nothing."""
    model = MODEL_OF[unit]
    if isinstance(model, Gun):
        return _by_calibre(model.weapon.calibre) if model.category == "aa" else ""
    if not isinstance(model, Vehicle):
        return ""
    if model.type == "aa" and model.guns:
        return _by_calibre(model.guns[0].calibre)
    return "mg" if model.aa and (model.is_open or has(s, unit, OUT)) and not has(s, unit, LEADERLESS) else ""


def _by_calibre(tenths: int) -> str:
    names = (("mg", 199), ("20mm", 299), ("37mm", 399), ("40mm", 499))
    return next((name for name, most in names if tenths <= most), "heavy")


@rule("602", "base-aa-fire")
def why_no_flak(s: Position, c: Sortie, unit: int) -> No | None:
    """602 Machine guns and light guns; base-aa-fire: near the target, once a turn."""
    if SIDE_OF[unit] == c.side:
        return NOT_YOURS
    kind = aa_kind(s, unit)
    if not kind or not is_there(s, unit):
        return NO_AA
    if kind == "heavy" and not law.heavy_fires(book_of(s)):
        return TOO_HEAVY
    if s.condition[unit] != GOOD or has(s, unit, SUPPRESSED | JAMMED | EMPTY):
        return NOT_STEADY
    if s.rounds[unit] & AT_AIRCRAFT or has(s, unit, FIRED):
        return AA_FIRED
    return None if within(s, unit, c.target, int(AIR["aa"][kind][1])) else OUT_OF_RANGE


def gunners(s: Position, c: Sortie) -> list[int]:
    """Who can fire at the aircraft."""
    if c.target == NOBODY or not stands(s, c.target):
        return []
    return [u for u in world(s).of_side[1 - c.side] if why_no_flak(s, c, u) is None]


@rule("base-aa-fire")
class Flak(Decision):
    """Base-aa-fire: before the run each AA weapon near the target may fire, once a turn; or it keeps quiet."""

    verbs = {"flak": UNIT, "hold-fire": NOTHING}

    def needed(self, s: Position, c: Sortie, side: Side) -> bool:
        """While somebody can, or might as far as the attacker knows."""
        if c.held or c.target == NOBODY or not stands(s, c.target):
            return False
        return may_ambush(s, side) or bool(gunners(s, c))

    def nouns(self, s: Position, c: Sortie, side: Side, verb: str) -> list[int]:
        """Who could."""
        return gunners(s, c) if verb == "flak" else [0]

    def why_not(self, s: Position, c: Sortie, side: Side, verb: str, noun: int) -> No | None:
        """What forbids it."""
        return None if verb == "hold-fire" else why_no_flak(s, c, noun)

    def apply(self, s: Position, c: Sortie, side: Side, verb: str, noun: int) -> None:
        """Fire: every 6 hits."""
        if verb == "hold-fire":
            c.held = 1
            return
        show(s, noun)
        raise_flag(s, noun, FIRED)
        s.rounds[noun] |= AT_AIRCRAFT
        dice = roll(s, "base-aa-fire", int(AIR["aa"][aa_kind(s, noun)][0]), side=side)
        hits = sum(die == 6 for die in dice)
        c.hits += hits
        emit(s, "flak", "base-aa-fire", unit=FOG.veil(s, noun), dice=dice, hits=hits)


# What it does


@rule("base-aa-fire", "603a", "603b", "base-air-attack")
def attack(s: Position, c: Sortie) -> None:
    """Base-aa-fire: one hit drives the aircraft off, two bring it down; else 603 on armour, dice on all others."""
    c.flown += 1
    target, c.target = c.target, NOBODY
    if target == NOBODY:
        return
    flight = world(s).flights[c.flight]
    if c.hits:
        if c.hits > 1:
            s.planes[c.flight] -= 1
            s.points[1 - c.side] += int(AIR["points"])
        emit(s, "shot-down" if c.hits > 1 else "driven-off", "base-aa-fire", flight=flight.name)
        return
    weapon = law.WEAPONS[c.weapon]
    if IS_ARMOUR[target]:
        _on_armour(s, c.side, target, weapon)
    else:
        _on_others(s, c.side, target, weapon)


@rule("603a", "603b", "603c", "210b")
def _on_armour(s: Position, side: Side, target: int, weapon: str) -> None:
    """603a 3+ hits; 603b the rear armour, +1 from above, +3 on an open top; 603c the value of the weapon."""
    book = book_of(s)
    number = law.number_on_armour(book)
    raise_flag(s, target, SHOT_AT)
    for _ in range(law.attacks(weapon)):
        if not stands(s, target):
            return
        die = roll(s, "603a", side=side)[0]
        emit(s, "strikes", "603a", target=FOG.veil(s, target), die=die, number=number)
        if die >= number:
            aimed = as_target(s, target, target)
            ap = int(law.AIR["ap"][weapon])
            total, armour = barrage.power_from_above(ap, aimed), aimed.vehicle.armour[2]
            test = roll(s, "base-destruction", destruction.test_dice(book), side=side)
            facts: dict[str, Any] = {"dice": test, "ap": ap, "armour": armour, "tally": (("603b", total - ap),)}
            emit(s, "tested", "603b", unit=FOG.veil(s, target), **facts)
            wrecked(s, target, destruction.tested(book, total, armour, test), "603b")


@rule("base-air-attack")
def _on_others(s: Position, side: Side, target: int, weapon: str) -> None:
    """Base-air-attack: 3+ hits, then dice on each under 5 x 5 cm, for guns on the target; 5+, 6 under a roof."""
    book, table, here = book_of(s), world(s).table, s.at[target]
    number, modifier = int(AIR["soft"]), fire.cannon_save(book) if weapon == "20mm" else 0
    under = [target]
    if weapon in AREA:
        box = template(table, here, int(AIR["area"]), int(AIR["area"]))
        near = [
            u
            for u in world(s).units
            if u != target
            and not IS_ARMOUR[u]
            and stands(s, u)
            and is_there(s, u)
            and box.touches(BASE_OF[u], table.x[s.at[u]], table.y[s.at[u]], s.facing[u])
        ]
        under += FOG.in_token_order(s, near)
    for _ in range(law.attacks(weapon)):
        die = roll(s, "base-air-attack", side=side)[0]
        emit(s, "strikes", "base-air-attack", target=FOG.veil(s, target), die=die, number=number)
        if die >= number:
            for unit in under:
                if stands(s, unit) and s.at[unit]:
                    _dice_on(s, unit, int(AIR["dice"][weapon]), modifier, here)


def _dice_on(s: Position, unit: int, count: int, modifier: int, origin: int) -> None:
    raise_flag(s, unit, SHOT_AT)
    number = law.soft_number(0 if IS_VEHICLE[unit] else cover_from(s, unit, s.at[unit]))
    audience = (SIDE_OF[unit],) if has(s, unit, HIDDEN) else None
    dice = roll(s, "base-air-attack", count, audience=audience)
    hits = sum(die >= number for die in dice)
    facts: dict[str, Any] = {"dice": dice, "number": number, "hits": hits}
    emit(s, "shelled", "base-air-attack", audience=audience, unit=FOG.veil(s, unit), **facts)
    if not IS_VEHICLE[unit]:
        take_hits(s, unit, hits, modifier, "base-air-attack", origin)
    elif hits:
        lose(s, unit, "base-air-attack")


def has_flown(s: Position, c: Sortie) -> bool:
    """Every aircraft has attacked, or they have turned away."""
    return bool(c.over) or c.flown >= s.aloft[c.flight]


@rule("base-air-request")
def go_home(s: Position, c: Sortie) -> None:
    """Base-air-request: the support leaves, and may be back after one full turn."""
    s.aloft[c.flight] = 0
    s.back[c.flight] = s.turn + 2
    emit(s, "flies-home", "base-air-request", flight=world(s).flights[c.flight].name)


def defenders(s: Position, c: Sortie) -> tuple[Side, ...]:
    """The side that is attacked."""
    return (1 - c.side,)
