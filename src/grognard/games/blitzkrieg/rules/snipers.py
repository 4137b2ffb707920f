"""Snipers: a fire of their own while nobody has spotted them."""

from __future__ import annotations

from grognard.games.blitzkrieg.doors import Book, question
from grognard.games.blitzkrieg.laws import fire
from grognard.games.blitzkrieg.laws.parties import LIGHT, Target
from grognard.games.blitzkrieg.loading import CHARTS
from grognard.games.blitzkrieg.state import FIRED, FOG, HIDDEN, SHOT_AT, Position, has, raise_flag, stands
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import IS_ARMOUR, IS_TEAM, IS_VEHICLE, MODEL_OF, SIDE_OF
from grognard.kernel import No, Tally, emit, no, roll, rule

from .aiming import HATCH, NO_LINE, NOT_SEEN, as_firer, as_target, why_no_target
from .ground import cm_between, detects, line
from .losses import experience, exposed_hits, show, take_hits

SNIPER = CHARTS["sniper"]
NOT_A_SNIPER = no("base-sniper", "not-a-sniper")
SPOTTED = no("701d", "sniper-spotted")
TOO_FAR = no("701b", "out-of-range")
NO_CREW = no("base-sniper", "sniper-at-men")


@question
def snipers_play(book: Book) -> bool:
    """Without proposal 701 there are no snipers."""
    return False


def is_sniper(unit: int) -> bool:
    """A sniper, spotted or not."""
    return MODEL_OF[unit].id == "sniper"


@rule("base-sniper", "701b", "701d", "701e")
def why_no_snipe(s: Position, unit: int, target: int, moved: bool) -> No | None:
    """Base-sniper: unspotted, at men, crews and commanders in view; 701b to 80 cm; 701e not at who is camouflaged."""
    if not is_sniper(unit):
        return NOT_A_SNIPER
    if not has(s, unit, HIDDEN):
        return SPOTTED
    why = why_no_target(s, unit, target)
    if why is not None:
        return why
    firer = as_firer(s, unit, 0, "still", moved)
    firer.spotted = True
    why = fire.why_no_dice(book_of(s), firer)
    if why is not None:
        return why
    if IS_VEHICLE[target]:
        if not IS_ARMOUR[target]:
            return NO_CREW
        if Target(MODEL_OF[target], out=as_target(s, target, unit).out).is_closed:
            return HATCH
    if cm_between(s, unit, target) > SNIPER["far"]:
        return TOO_FAR
    if not detects(s, unit, target):
        return NO_LINE if not line(s, unit, target) else NOT_SEEN
    return None


@rule("base-sniper", "701b")
def number_of(aimed: Target, cm: int) -> tuple[int, Tally]:
    """Base-sniper: 3+, in heavy cover or at an exposed crew 4+; 701b one worse beyond 40 cm."""
    tally = Tally()
    tally.add("701b", SNIPER["far_modifier"] if cm > SNIPER["near"] else 0)
    hard = aimed.kind == "vehicle" or aimed.shelter > LIGHT
    return fire.within(int(SNIPER["heavy" if hard else "number"]) - tally.total()), tally


@rule("base-sniper", "701c", "701d")
def snipe(s: Position, unit: int, target: int) -> None:
    """Base-sniper: one die, the save at -1; 701c who was aimed at, men or an open vehicle, may spot the sniper."""
    cm, aimed = cm_between(s, unit, target), as_target(s, target, unit)
    raise_flag(s, unit, FIRED)
    raise_flag(s, target, SHOT_AT)
    number, tally = number_of(aimed, cm)
    die = roll(s, "base-sniper", side=SIDE_OF[unit])[0]
    hits = int(die >= number)
    facts = {"die": die, "number": number, "tally": tally.lines}
    emit(s, "sniped", "base-sniper", target=FOG.veil(s, target), **facts)  # type: ignore[arg-type]
    if IS_VEHICLE[target]:
        exposed_hits(s, target, hits, int(SNIPER["save"]))
    else:
        take_hits(s, target, hits, int(SNIPER["save"]), "base-sniper", s.at[unit])
    looks = IS_TEAM[target] or (IS_VEHICLE[target] and "open-top" in aimed.vehicle.traits)
    if looks and stands(s, target) and experience(s, target, "701c"):
        show(s, unit, "701d")
