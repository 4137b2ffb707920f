"""Kinds `barrage`, `mines` and `air`."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from grognard.games.blitzkrieg.doors import Book
from grognard.games.blitzkrieg.laws import air, barrage, destruction, fire, quality
from grognard.games.blitzkrieg.laws.parties import Target
from grognard.games.blitzkrieg.loading import CHARTS, GUNS, NATIONS, SUPPORTS, VEHICLES, Gun, Support, Vehicle, Weapon

from .firing import INFANTRY, refuse
from .reading import INPUT, MOST_CM, YEARS, CaseError, Words, need_recoilless, read_target
from .shooting import OUTCOMES, riders
from .sums import ONE, Law, after_test, binomial, mean, mixed, named, numbered, of_dice, plus, reach, saves, text, worst

TABLE = barrage.BARRAGE
SIXTH = Fraction(1, 6)
SOFT = {0: destruction.NONE, 1: destruction.DESTROYED}


def odds_barrage(book: Book, case: Words) -> dict[str, Any]:
    """Artillery on a zone."""
    mode = case.word("mode", ("off-table", "on-table", "direct"))
    known = [s.id for s in SUPPORTS.values() if s.he] if mode == "off-table" else [*GUNS, *VEHICLES]
    unit = case.word("unit", known)
    if case.has("cm") == (mode == "off-table"):
        raise CaseError(INPUT, "cm: for pieces on the table")
    if case.has("pieces") and mode == "off-table":
        raise CaseError(INPUT, "pieces: for pieces on the table")
    cm, pieces = case.number("cm", 0, MOST_CM, 0), case.number("pieces", 1, 6, 1)
    nation = case.word("nation", NATIONS, "") if case.has("nation") else ""
    year = case.number("year", *YEARS) if case.has("year") else 0
    case.asked |= {"nation", "year"}
    grouped, friends, opportunity = case.flag("grouped"), case.flag("friends"), case.flag("opportunity")
    attempt, mines = case.number("attempt", 1, 3, 1), case.number("mines", 0, 20, 0)
    rockets_given = case.has("rockets")
    rockets = case.number("rockets", 1, MOST_CM, 1)
    targets = [read_target(book, words) for words in case.objects("targets")]
    case.done()
    if mode != "off-table" and (nation or year or grouped):
        raise CaseError(INPUT, "nation, year and grouped: off the table")
    if bool(nation) != bool(year):
        raise CaseError(INPUT, "nation and year go together")
    if mode == "direct" and (pieces != 1 or attempt != 1 or friends):
        raise CaseError(INPUT, "direct fire has no ranging")
    model = GUNS.get(unit) or VEHICLES.get(unit)
    if mode != "off-table":
        assert model is not None
        if isinstance(model, Vehicle) and not model.guns:
            raise CaseError(INPUT, "unit: a vehicle with a gun")
        weapon = model.weapon if isinstance(model, Gun) else model.guns[0]
        if rockets_given and (not barrage.is_rocket(weapon) or pieces != 1):
            raise CaseError(INPUT, "rockets: of one launcher")
        need_recoilless(book, case, model)
    elif rockets_given:
        raise CaseError(INPUT, "rockets: of launchers on the table")
    case.settle()
    answer: dict[str, Any] = {"kind": "barrage", "mode": mode}
    if mode == "off-table":
        ranging = attempt, friends
        return answer | _off_table(book, SUPPORTS[unit], nation, year, grouped, opportunity, ranging, mines, targets)
    assert model is not None
    ranging = attempt, friends
    return answer | _on_table(book, mode, model, cm, pieces, opportunity, ranging, rockets, mines, targets)


def _check_again(book: Book, attempt: int, ranged: bool) -> None:
    if attempt > 1 and not ranged:
        raise CaseError("416a", "fires at once")
    if attempt > 1 and not barrage.may_try_again(book):
        raise CaseError("303c", "one attempt")


def schedule(book: Book, attempt: int, friends: bool) -> dict[str, Any]:
    """When the fire comes down, and where."""
    rows: list[dict[str, Any]] = []
    left, turn, mean_turns = ONE, 1, Fraction(0)
    danger = friends and barrage.friends_at_risk(book)
    while left:
        certain = barrage.may_try_again(book) and attempt >= TABLE["attempts"]
        hit = ONE if certain else reach(barrage.precision(book, attempt))
        shifted = Fraction(1, 12) if danger and not certain else Fraction(0)
        scattered = Fraction(0) if barrage.may_try_again(book) else left * (1 - hit - shifted)
        done = left * (hit + shifted) + scattered
        mean_turns += turn * done
        where = {"on_target": left * hit, "shifted": left * shifted, "scattered": scattered}
        rows.append({"turn": turn} | {name: text(p) for name, p in where.items()})
        left -= done
        turn, attempt = turn + 1, attempt + 1
    return {"schedule": rows, "mean_turns": text(mean_turns)}


def _off_table(
    book: Book,
    support: Support,
    nation: str,
    year: int,
    grouped: bool,
    opportunity: bool,
    ranging: tuple[int, bool],
    mines: int,
    targets: list[Target],
) -> dict[str, Any]:
    weapon, (attempt, friends) = support.weapon, ranging
    assert weapon is not None
    answer: dict[str, Any] = {}
    number = None
    if nation:
        number = barrage.request_number(book, nation, year, support.level)
        if number is None:
            raise CaseError("base-support-request", "no support for that nation in that year")
    if grouped and (nation not in ("", "US") or not book.has("409")):
        raise CaseError("409b", "grouped fire is American")
    if grouped and (not book.has("305") or (year and year < 1944)):
        raise CaseError("305", "two batteries from 1944")
    if opportunity and book.has("411"):
        raise CaseError("411", "no indirect fire in opportunity")
    _check_again(book, attempt, True)
    if number is not None:
        answer["request"] = {"number": number, "p": text(reach(number))}
    stays = barrage.support_number(book, number if number is not None else 0)
    if number is not None or not book.has("304"):
        answer["support_test"] = {"number": stays, "p": text(reach(stays))}
    answer |= schedule(book, attempt, friends)
    rolls = support.pieces if book.per_gun else 1
    rounds = 2 if grouped else 1
    answer["targets"] = [effect(book, t, support.he, weapon.he_ap, rolls, rounds) for t in targets]
    answer["coloured"] = {}
    return answer | _mines(book, weapon, mines)


def _on_table(
    book: Book,
    mode: str,
    model: Gun | Vehicle,
    cm: int,
    pieces: int,
    opportunity: bool,
    ranging: tuple[int, bool],
    rockets: int,
    mines: int,
    targets: list[Target],
) -> dict[str, Any]:
    weapon, (attempt, friends) = model.weapon if isinstance(model, Gun) else model.guns[0], ranging
    launcher = barrage.is_rocket(weapon)
    if mode == "direct":
        return _direct(book, model, weapon, targets)
    if opportunity and book.has("411"):
        raise CaseError("411", "no indirect fire in opportunity")
    refuse(barrage.why_not_indirect(book, model, cm))
    if weapon.id in ("m50", "m60") and len(targets) > 2:
        raise CaseError("417b", "two units at most")
    if rockets > (16 if model.id == "bm13" else 6):
        raise CaseError("408a", "too-many-rockets")
    ranged = barrage.is_ranged(book)
    _check_again(book, attempt, ranged)
    answer: dict[str, Any] = {}
    if ranged:
        answer |= schedule(book, attempt, friends)
    else:
        answer["schedule"] = [{"turn": 1, "on_target": "1", "shifted": "0", "scattered": "0"}]
        answer["mean_turns"] = "1"
    rolls = pieces
    if launcher:
        on = binomial(rockets, Fraction(1, 3)) if barrage.deviates(book) else {rockets: ONE}
        answer["rockets"] = numbered(on)
        rolls = 1 if barrage.deviates(book) else rockets
    answer["targets"] = [effect(book, t, weapon.he, weapon.he_ap, rolls, 1) for t in targets]
    answer["coloured"] = {"out": "1/18"} if book.has("417") and not launcher else {}
    return answer | _mines(book, weapon, mines)


def _direct(book: Book, model: Gun | Vehicle, weapon: Weapon, targets: list[Target]) -> dict[str, Any]:
    if not (isinstance(model, Gun) and model.is_mortar) or not barrage.direct_mortars(book):
        raise CaseError("108a", "mortars, with proposal 108")
    if weapon.id in ("m50", "m60") and len(targets) > 2:
        raise CaseError("108g", "two units at most")
    found = []
    for target in targets:
        if target.kind == "vehicle":
            found.append(effect(book, target, weapon.he, weapon.he_ap, 1, 1))
            continue
        number = barrage.direct_mortar_number(target.cover)
        found.append(_on_men(book, target, weapon.he, number))
    return {"targets": found, "coloured": {"jammed": "1/6"}, "mines_removed": {"0": "1"}}


def _on_men(book: Book, target: Target, dice: int, number: int, rounds: int = 1) -> dict[str, Any]:
    hits = binomial(dice * rounds, reach(number))
    law = saves(book, target.quality, target.demoralised, 0, hits)
    return {"dice": dice, "number": number, "hits": numbered(hits), "results": named(law, INFANTRY)}


def effect(book: Book, target: Target, he: int, he_ap: int, rolls: int, rounds: int) -> dict[str, Any]:
    """What indirect fire does to one target under it."""
    if target.kind != "vehicle":
        dice, number = barrage.effect_on_men(book, he, target.cover)
        return _on_men(book, target, dice * rolls, number, rounds)
    dice = he * rolls
    hits = binomial(dice, reach(int(TABLE["hit"])))
    found: dict[str, Any] = {"dice": dice, "number": int(TABLE["hit"]), "hits": numbered(hits)}
    if not target.is_armoured:
        one = {destruction.NONE: hits.get(0, Fraction(0)), destruction.DESTROYED: 1 - hits.get(0, Fraction(0))}
    else:
        least = barrage.hits_for_test(book)
        p_test = sum((p for k, p in hits.items() if k >= least), Fraction(0))
        power, armour = barrage.power_from_above(he_ap, target), barrage.armour_from_above(target)
        test = after_test(test_law(book, power, armour), target.quality, target.lost)
        one = mixed([(p_test, test), (1 - p_test, {destruction.NONE: ONE})])
        found |= {"p_test": text(p_test), "power": power, "armour": armour}
    results = worst(one, rounds)
    found["results"] = named(results, OUTCOMES)
    if target.passengers:
        destroyed = results.get(destruction.DESTROYED, Fraction(0))
        dies = target.vehicle.is_soft and not book.has("203") and not book.has("307")
        found["passengers"] = riders(book, target, destroyed, dies)
    return found


def test_law(book: Book, total: int, armour: int) -> Law[int]:
    """A destruction test."""
    return of_dice(destruction.test_dice(book), lambda dice: destruction.tested(book, total, armour, dice))


def _mines(book: Book, weapon: Weapon, mines: int) -> dict[str, Any]:
    p = SIXTH if barrage.breaches(book, weapon) else Fraction(0)
    return {"mines_removed": numbered(binomial(mines, p))}


def odds_mines(book: Book, case: Words) -> dict[str, Any]:
    """One section of a minefield."""
    target = read_target(book, case.inner("target"))
    case.done()
    table = CHARTS["mines"]
    answer: dict[str, Any] = {"kind": "mines"}
    if target.kind == "gun":
        raise CaseError(INPUT, "target: infantry or a vehicle")
    case.settle()
    if target.kind == "infantry":
        return answer | _on_men(book, target, int(table["dice"]), int(table["number"]))
    p = reach(int(table["explodes"]))
    if not target.is_armoured:
        law: Law[int] = {destruction.DESTROYED: ONE}
    else:
        test = test_law(book, int(table["ap"]), target.vehicle.armour[2])
        gone = test.get(destruction.DESTROYED, Fraction(0))
        law = after_test({destruction.DESTROYED: gone, destruction.DAMAGED: 1 - gone}, target.quality, target.lost)
    results = mixed([(p, law), (1 - p, {destruction.NONE: ONE})])
    answer |= {"p": text(p), "results": named(results, OUTCOMES)}
    if target.passengers:
        answer["passengers"] = riders(book, target, results.get(destruction.DESTROYED, Fraction(0)), False)
    return answer


def aa_law(book: Book, guns: list[Any]) -> tuple[Fraction, Fraction, Fraction]:
    """Through, aborted, shot down."""
    sixes: Law[int] = {0: ONE}
    for entry in guns:
        words = Words(entry, "aa")
        weapon = words.word("weapon", tuple(air.MORE["aa"]))
        cm = words.number("cm", 0, MOST_CM)
        words.done()
        dice, far = air.MORE["aa"][weapon]
        if weapon == "heavy" and not air.heavy_fires(book):
            raise CaseError("602", "heavy guns do not fire at close support")
        if cm > far:
            raise CaseError("base-aa-fire", "out-of-range")
        sixes = plus(sixes, binomial(dice, SIXTH))
    none, one = sixes.get(0, Fraction(0)), sixes.get(1, Fraction(0))
    return none, one, 1 - none - one


def odds_air(book: Book, case: Words) -> dict[str, Any]:
    """Attack runs of one or two aircraft."""
    weapon = case.word("weapon", air.WEAPONS)
    target = read_target(book, case.inner("target"))
    guns, aircraft = case.rows("aa"), case.number("aircraft", 1, 2, 1)
    case.done()
    for entry in guns:
        words = Words(entry, "aa")
        words.word("weapon", tuple(air.MORE["aa"]))
        words.number("cm", 0, MOST_CM)
        words.done()
    case.settle()
    if aircraft == 2 and not air.two_aircraft(book):
        raise CaseError("601", "one aircraft")
    if weapon == "mg" and target.is_armoured:
        raise CaseError("603c", "machine guns do nothing to armour")
    through, aborted, down = aa_law(book, guns)
    runs = air.attacks(weapon)
    answer: dict[str, Any] = {"kind": "air", "attacks": runs}
    answer["aa"] = {k: text(v) for k, v in zip(("through", "aborted", "shot_down"), (through, aborted, down)) if v}
    chances = [through] + [ONE] * (aircraft - 1)
    if target.is_armoured:
        return answer | _air_armour(book, weapon, target, runs, chances)
    return answer | _air_soft(book, weapon, target, runs, chances)


def air_run(book: Book, weapon: str, target: Target) -> dict[str, Any]:
    """One run that no anti-aircraft fire stops."""
    runs = air.attacks(weapon)
    if target.is_armoured:
        return _air_armour(book, weapon, target, runs, [ONE])
    return _air_soft(book, weapon, target, runs, [ONE])


def direct_mortar(book: Book, model: Gun, target: Target) -> dict[str, Any]:
    """108 A mortar that sees its target."""
    found: dict[str, Any] = _direct(book, model, model.weapon, [target])["targets"][0]
    return found


def _air_armour(book: Book, weapon: str, target: Target, runs: int, chances: list[Fraction]) -> dict[str, Any]:
    number = air.number_on_armour(book)
    ap = int(air.AIR["ap"][weapon])
    power = barrage.power_from_above(ap, target)
    bonus = 3 if "open-top" in target.vehicle.traits else 1
    armour = target.vehicle.armour[2]
    per_hit = after_test(test_law(book, power, armour), target.quality, target.lost)
    hit = reach(number)
    one = mixed([(hit, per_hit), (1 - hit, {destruction.NONE: ONE})])
    results: Law[int] = {destruction.NONE: ONE}
    for p in chances:
        run = mixed([(p, worst(one, runs)), (1 - p, {destruction.NONE: ONE})])
        results = mixed((q, _max(r, run)) for r, q in results.items())
    answer = {"number": number, "p_hit": text(hit), "ap": ap, "bonus": bonus, "armour": armour}
    answer |= {"per_hit": named(per_hit, OUTCOMES), "results": named(results, OUTCOMES)}
    if target.passengers:
        answer["passengers"] = riders(book, target, results.get(destruction.DESTROYED, Fraction(0)), False)
    return answer


def _max(least: int, law: Law[int]) -> Law[int]:
    found: Law[int] = {}
    for key, p in law.items():
        found[max(least, key)] = found.get(max(least, key), Fraction(0)) + p
    return found


def _air_soft(book: Book, weapon: str, target: Target, runs: int, chances: list[Fraction]) -> dict[str, Any]:
    dice, die = int(air.MORE["dice"][weapon]), air.soft_number(target.cover if target.kind != "vehicle" else 0)
    hit = reach(int(air.MORE["soft"]))
    one = mixed([(hit, binomial(dice, reach(die))), (1 - hit, {0: ONE})])
    total: Law[int] = {0: ONE}
    for p in chances:
        run: Law[int] = {0: ONE}
        for _ in range(runs):
            run = plus(run, one)
        total = plus(total, mixed([(p, run), (1 - p, {0: ONE})]))
    answer: dict[str, Any] = {"number": int(air.MORE["soft"]), "p_hit": text(hit), "dice": dice, "die": die}
    answer |= {"hits": numbered(total), "mean_hits": mean(total)}
    if target.kind == "vehicle":
        gone = 1 - total.get(0, Fraction(0))
        answer["results"] = named({destruction.NONE: 1 - gone, destruction.DESTROYED: gone}, OUTCOMES)
        if target.passengers:
            answer["passengers"] = riders(book, target, gone)
        return answer
    modifier = fire.cannon_save(book) if weapon == "20mm" else 0
    answer["save"] = {"number": quality.QUALITY["save"][target.quality], "mod": modifier}
    answer["results"] = named(saves(book, target.quality, target.demoralised, modifier, total), INFANTRY)
    return answer
