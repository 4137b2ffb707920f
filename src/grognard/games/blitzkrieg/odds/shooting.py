"""Kind `shot`: two dice to hit, then the destruction test or the burst."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from grognard.games.blitzkrieg.doors import Book
from grognard.games.blitzkrieg.laws import destruction, fire, quality, shot
from grognard.games.blitzkrieg.laws.parties import FACES, FLANK, Firer, Shot, Target
from grognard.games.blitzkrieg.loading import GUNS, HAND_WEAPONS, MODELS, ROCKETS, WEAPONS, Gun, Team, Vehicle

from .firing import INFANTRY, refuse
from .reading import INPUT, MOST_CM, YEARS, CaseError, Words, crew_of, need_recoilless, read_model, read_target
from .sums import (
    ONE,
    Law,
    after_test,
    binomial,
    chance,
    experience,
    items,
    mean,
    mixed,
    named,
    numbered,
    of_dice,
    reach,
    save_law,
    saves,
    text,
    times,
    worst,
)

AMMO = ("AP", "HE", "HEAT", "APCR", "APDS")
OUTCOMES = destruction.OUTCOMES


def read_firer(book: Book, words: Words) -> Firer:
    """Who shoots."""
    model = read_model(words, MODELS)
    stances: tuple[str, ...] = ("still", "moving")
    if isinstance(model, Vehicle):
        stances = ("still", "traverse", "pivot", "moving")
    elif isinstance(model, Gun):
        stances = ("still", "traverse", "pivot", "unhitched", "hitched")
    firer = Firer(model, stance=words.word("stance", stances, "still"), quality=words.quality())
    firer.demoralised, firer.suppressed = words.shaken(), words.flag("suppressed")
    firer.above = words.word("above", ("none", "hill", "floor2"), "none")
    if isinstance(model, Vehicle):
        _vehicle_words(book, words, model, firer)
    elif isinstance(model, Gun):
        firer.weapon = model.weapon
        _rockets(words, firer)
        words.done()
        need_recoilless(book, words, model)
    else:
        _team_words(words, model, firer)
    return firer


def _vehicle_words(book: Book, words: Words, model: Vehicle, firer: Firer) -> None:
    known = [gun.id for gun in model.guns] + (["FL"] if model.flame else [])
    name = words.word("weapon", known, known[0] if known else None)
    firer.weapon = WEAPONS[name]
    crew = words.word("crew", ("closed", "out"), "") if words.has("crew") else ""
    firer.lost, firer.second = words.flag("commander_lost"), words.flag("second")
    _rockets(words, firer)
    words.done()
    if firer.suppressed:
        raise CaseError(INPUT, "vehicles are not suppressed")
    if firer.second and len(model.guns) < 2:
        raise CaseError(INPUT, "second: a vehicle with two guns")
    firer.out = crew_of(book, words, model, crew, firer.lost)


def _team_words(words: Words, model: Team, firer: Firer) -> None:
    known = [model.weapon.id] if model.weapon is not None else []
    if model.sort == "group" and "PF" not in known:
        known.append("PF")
    default = model.weapon.id if model.weapon is not None else None
    firer.weapon = WEAPONS[words.word("weapon", known, default)]
    firer.later = words.flag("later")
    words.done()
    if words.has("later") and firer.weapon.id != "PF":
        raise CaseError(INPUT, "later: Panzerfausts only")


def _rockets(words: Words, firer: Firer) -> None:
    given = words.has("rockets")
    firer.rockets = words.number("rockets", 1, MOST_CM, 1)
    if given and (firer.weapon is None or firer.weapon.id not in ROCKETS):
        raise CaseError(INPUT, "rockets: for launchers")


def odds_shot(book: Book, case: Words) -> dict[str, Any]:
    """Exact chances of a shot."""
    firer = read_firer(book, case.inner("firer"))
    target = read_target(book, case.inner("target"))
    cm, year = case.number("cm", 0, MOST_CM), case.number("year", *YEARS, 1944)
    assert firer.weapon is not None
    default = "HE" if firer.weapon.id in ROCKETS or (target.kind != "vehicle" and firer.weapon.he) else "AP"
    fired = Shot(firer, target, cm, case.word("ammo", AMMO, default), year=year)
    fired.low = case.word("aim", ("kill", "immobilise"), "kill") == "immobilise"
    fired.reaction = case.word("reaction", ("none", "opportunity", "overrun", "close"), "none")
    fired.already, fired.outside_arc = case.flag("already"), case.flag("outside_arc")
    fired.others = tuple(read_target(book, words) for words in case.objects("others"))
    case.done()
    _check_words(fired)
    case.settle()
    _check_rules(book, fired)
    return answer_shot(book, fired)


def _check_words(fired: Shot) -> None:
    firer = fired.firer
    if fired.others and (fired.target.kind == "vehicle" or fired.ammo != "HE"):
        raise CaseError(INPUT, "others: with HE at infantry or guns")
    if any(other.kind == "vehicle" for other in fired.others):
        raise CaseError(INPUT, "others: infantry and guns")
    if fired.already and fired.reaction == "none":
        raise CaseError(INPUT, "already: in a reaction")
    if fired.outside_arc and (fired.reaction != "overrun" or firer.kind != "gun" or firer.stance != "pivot"):
        raise CaseError(INPUT, "outside_arc: a gun that pivots in reaction to an overrun")
    if fired.reaction == "close" and firer.kind == "vehicle" and firer.stance not in ("traverse", "pivot"):
        raise CaseError(INPUT, "close: traverse or pivot")


def _check_rules(book: Book, fired: Shot) -> None:
    firer, target = fired.firer, fired.target
    if target.camouflaged and book.has("306"):
        raise CaseError("306b", "a camouflaged observer cannot be aimed at")
    if fired.reaction != "none" and (firer.suppressed or (firer.kind == "vehicle" and firer.demoralised)):
        raise CaseError("base-opportunity-fire", "cannot-react")
    if fired.reaction == "opportunity" and fired.already:
        raise CaseError("base-opportunity-fire", "cannot-react")
    if fired.reaction == "overrun":
        if firer.kind == "vehicle" or not target.is_armoured:
            raise CaseError("214h", "only guns and infantry react to an armoured vehicle")
        if firer.kind == "infantry" and fired.weapon.id not in HAND_WEAPONS:
            raise CaseError("214c", "an anti-tank weapon is needed")
        if fired.outside_arc and not (isinstance(firer.model, Gun) and shot.may_swing(book, firer.model)):
            raise CaseError("214i", "too slow to turn")
    if fired.reaction == "close":
        near = firer.kind == "vehicle" and target.kind == "vehicle" and fired.cm <= 10
        if not near or not book.has("221"):
            raise CaseError("221a", "vehicles within 10 cm, with proposal 221")
    if fired.weapon.id in ROCKETS:
        most = 16 if firer.model.id == "bm13" else 6
        if firer.rockets > (most if book.has("406") else 1):
            raise CaseError("406a", "too-many-rockets")
    refuse(shot.why_no_shot(book, fired))


def answer_shot(book: Book, fired: Shot) -> dict[str, Any]:
    """The answer to a shot that is allowed."""
    firer, weapon, target = fired.firer, fired.weapon, fired.target
    base, base_rule, tally = shot.to_hit(book, fired)
    needed = base - tally.total()
    p_hit = chance(2, lambda dice: shot.hits(dice, needed))
    shots = firer.rockets if weapon.id in ROCKETS else shot.rate_of_fire(book, weapon)
    reacts, available = reaction_chance(fired), Fraction(1, 2) if firer.later and book.has("107bis") else ONE
    answer: dict[str, Any] = {"kind": "shot", "base": base, "base_rule": base_rule, "needed": needed}
    answer |= {"p_hit": text(p_hit), "items": items(tally), "shots": shots}
    answer |= {"reacts": text(reacts), "available": text(available)}
    comes = reacts * available
    if target.kind == "vehicle":
        answer |= _at_vehicle(book, fired, p_hit, shots, comes)
    else:
        answer |= _at_men(book, fired, p_hit, shots, comes)
    answer["coloured"] = _coloured(book, fired)
    return answer


def reaction_chance(fired: Shot) -> Fraction:
    """The chance of the test that a reaction needs."""
    if fired.reaction == "close" or fired.outside_arc:
        return experience(fired.firer.quality, -int(fired.firer.lost))
    return ONE


def per_hit_law(book: Book, fired: Shot) -> Law[int]:
    """What one hit does to a vehicle, the crew's test included."""
    if destruction.is_gone(fired) and not fired.low:
        return {destruction.DESTROYED: ONE}
    ap, lines = destruction.test_lines(book, fired)
    total, target = ap + lines.total(), fired.target
    if fired.low:
        law = of_dice(1, lambda dice: destruction.tested_low(total, target, dice[0]))
    else:
        armour = destruction.armour_met(fired, destruction.face_hit(book, fired))
        law = of_dice(destruction.test_dice(book), lambda dice: destruction.tested(book, total, armour, dice))
    return after_test(law, target.quality, target.lost)


def _at_vehicle(book: Book, fired: Shot, p_hit: Fraction, shots: int, comes: Fraction) -> dict[str, Any]:
    target = fired.target
    per_hit = per_hit_law(book, fired)
    one = mixed([(p_hit, per_hit), (1 - p_hit, {0: ONE})])
    results = mixed([(comes, worst(one, shots)), (1 - comes, {0: ONE})])
    test: dict[str, Any] | None = None
    if fired.low or not destruction.is_gone(fired):
        ap, lines = destruction.test_lines(book, fired)
        face = FLANK if fired.low else destruction.face_hit(book, fired)
        armour = target.vehicle.armour[FLANK] if fired.low else destruction.armour_met(fired, face)
        test = {"ap": ap, "items": items(lines), "armour": armour, "facing": FACES[face]}
    found: dict[str, Any] = {
        "destruction": test,
        "per_hit": named(per_hit, OUTCOMES),
        "results": named(results, OUTCOMES),
    }
    if target.passengers:
        found["passengers"] = riders(book, target, results.get(destruction.DESTROYED, Fraction(0)))
    return found


def riders(book: Book, target: Target, destroyed: Fraction, dead: bool | None = None) -> list[dict[str, str]]:
    """O-19: passengers of a destroyed vehicle save at -1; of a soft one they die with it without proposal 203."""
    dies = (target.vehicle.is_soft and not book.has("203")) if dead is None else dead
    found = []
    for level, shaken in target.passengers:
        law = {quality.ELIMINATED: ONE} if dies else save_law(book, level, shaken, -1)
        found.append(named(mixed([(destroyed, law), (1 - destroyed, {0: ONE})]), INFANTRY))
    return found


def _at_men(book: Book, fired: Shot, p_hit: Fraction, shots: int, comes: Fraction) -> dict[str, Any]:
    """HE or AP at infantry and guns: the aimed unit and the others."""
    target, units = fired.target, [*fired.others, fired.target]
    extra: Law[int] = {0: ONE}
    found: dict[str, Any] = {}
    if fired.ammo == "HE":
        number = destruction.he_number(book, target.shelter)
        extra = binomial(fired.weapon.he, reach(number))
        found["he"] = {"dice": fired.weapon.he, "number": number}
    modifier = fire.cannon_save(book) if fired.weapon.is_cannon else 0
    count = len(units)

    def share(place: int) -> Law[int]:
        """Hits on one unit from one shot: further hits go round, the aimed unit last."""
        law = mixed((p, {(k - place + count - 1) // count if k > place else 0: ONE}) for k, p in extra.items())
        if place == count - 1:
            law = {k + 1: p for k, p in law.items()}
        return mixed([(p_hit, law), (1 - p_hit, {0: ONE})])

    def whole(law: Law[int]) -> Law[int]:
        return mixed([(comes, times(law, shots)), (1 - comes, {0: ONE})])

    total = whole(mixed([(p_hit, {k + 1: p for k, p in extra.items()}), (1 - p_hit, {0: ONE})]))
    laws = [saves(book, u.quality, u.demoralised, modifier, whole(share(n))) for n, u in enumerate(units)]
    found |= {"hits": numbered(total), "mean_hits": mean(total)}
    found["save"] = {"number": quality.QUALITY["save"][target.quality], "mod": modifier}
    found["results"] = named(laws[-1], INFANTRY)
    if fired.others:
        found["others"] = [named(law, INFANTRY) for law in laws[:-1]]
    return found


def _coloured(book: Book, fired: Shot) -> dict[str, str]:
    weapon = fired.weapon
    if fired.firer.model.id == "hmg":
        return {"jammed": "1/6"}
    if weapon.id in ROCKETS or shot.has_ranges(weapon):
        return {}
    if fired.ammo in ("HEAT", "APCR", "APDS"):
        return {"exhausted": "1/6"} if book.has("211") else {}
    return {"out": "1/36"}


__all__ = ["GUNS", "answer_shot", "odds_shot", "per_hit_law", "riders"]
