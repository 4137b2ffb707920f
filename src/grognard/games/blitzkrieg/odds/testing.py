"""Kinds `sniper`, `test` and `detect`."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from grognard.games.blitzkrieg.doors import Book
from grognard.games.blitzkrieg.laws import barrage, detect, fire, quality
from grognard.games.blitzkrieg.laws.parties import COVERS, LIGHT
from grognard.games.blitzkrieg.loading import CHARTS, NATIONS, VEHICLES
from grognard.kernel import Tally

from .firing import fire_results
from .reading import INPUT, MOST_CM, YEARS, CaseError, Words, read_target
from .sums import ONE, experience, items, named, numbered, reach, saves, text

SNIPER = CHARTS["sniper"]
HALF, SIXTH = Fraction(1, 2), Fraction(1, 6)


def odds_sniper(book: Book, case: Words) -> dict[str, Any]:
    """701: a sniper's fire, and the chance to be spotted."""
    target = read_target(book, case.inner("target"))
    cm, detected = case.number("cm", 0, MOST_CM), case.flag("detected")
    case.done()
    if target.kind == "vehicle" and (not target.is_armoured or target.passengers):
        raise CaseError(INPUT, "target: infantry, a gun or an exposed crew")
    case.settle()
    if not book.has("701"):
        raise CaseError("701a", "no snipers")
    if target.camouflaged:
        raise CaseError("701e", "a camouflaged observer is safe")
    if target.kind == "vehicle" and target.is_closed:
        raise CaseError("base-exposed-crew", "target-closed")
    if cm > SNIPER["far"]:
        raise CaseError("701b", "out-of-range")
    exposed = target.kind == "vehicle"
    tally = Tally()
    tally.add("701b", SNIPER["far_modifier"] if cm > SNIPER["near"] else 0)
    modifier = 0 if detected else int(SNIPER["save"])
    number: int
    if detected:
        base = fire.base_number(target)
        assert base is not None
        if exposed:
            tally = Tally()
        else:
            tally.add("base-fire-pointblank", fire.FIRE["point_blank"] if cm <= fire.FIRE["point_blank_cm"] else 0)
        number = fire.within(base - tally.total())
    else:
        base = int(SNIPER["heavy"] if exposed or target.shelter > LIGHT else SNIPER["number"])
        number = fire.within(base - tally.total())
    p = reach(number)
    law = saves(book, target.quality, target.demoralised, modifier, {0: 1 - p, 1: p})
    dead = law.get(quality.ELIMINATED, Fraction(0))
    if exposed and not (book.has("216") and target.vehicle.is_open):
        dead = Fraction(0)
    may = target.kind == "infantry" or (exposed and "open-top" in target.vehicle.traits)
    spotted = (1 - dead) * experience(target.quality, -int(target.lost)) if may and not detected else Fraction(0)
    answer: dict[str, Any] = {"kind": "sniper", "dice": 1, "number": number, "items": items(tally)}
    answer["save"] = {"number": quality.QUALITY["save"][target.quality], "mod": modifier}
    answer |= {"hits": numbered({0: 1 - p, 1: p}), "results": fire_results(book, target, law), "spotted": text(spotted)}
    return answer


EXPERIENCE = ("experience", "dig-in", "crew", "isolated", "reload-launcher", "unbog", "demine", "barricade", "rally")
WHAT = (*EXPERIENCE, "repair", "smoke", "panzerfaust", "bog", "breakdown", "request", "air", "coloured")


def odds_test(book: Book, case: Words) -> dict[str, Any]:
    """The tests of the rules, one by one."""
    what = case.word("what", WHAT)
    answer: dict[str, Any] = {"kind": "test", "what": what}
    return answer | (_experience(book, case, what) if what in EXPERIENCE else OTHERS[what](book, case))


def _two(passed: Fraction, good: str = "passed", bad: str = "failed") -> dict[str, Any]:
    return {"results": {name: text(p) for name, p in ((good, passed), (bad, 1 - passed)) if p}}


def _experience(book: Book, case: Words, what: str) -> dict[str, Any]:
    level, lost, broken = case.quality(), case.flag("commander_lost"), case.flag("formation_broken")
    pioneer = case.flag("pioneer") if what in ("demine", "barricade") else False
    rally = what == "rally"
    fired_at, commander, commissar = (case.flag(w) if rally else False for w in ("fired_at", "commander", "commissar"))
    case.done()
    if lost and not book.has("216"):
        raise CaseError("216b", "no lost commanders without proposal 216")
    if what == "dig-in" and not book.has("111"):
        raise CaseError("111a", "no-dig")
    free = {"isolated": "219", "reload-launcher": "217", "barricade": "502"}.get(what)
    number = quality.QUALITY["experience"][level]
    if (free and not book.has(free)) or (what == "barricade" and pioneer):
        return {"number": number, "items": []} | _two(ONE)
    tally = Tally()
    if rally:
        quality.rally_lines(book, tally, fired_at, commander, broken, lost)
    else:
        quality.experience_lines(book, tally, broken, lost)
    tally.add("base-immobilisation-test", -1 if what == "unbog" else 0)
    tally.add("base-demining", 2 if pioneer and what == "demine" else 0)
    passed = experience(level, tally.total())
    told: dict[str, Any] = {"number": number, "items": items(tally)}
    if not commissar:
        return told | _two(passed)
    failed = 1 - passed
    law = {"passed": passed + failed * passed, "eliminated": failed * SIXTH}
    law["failed"] = 1 - law["passed"] - law["eliminated"]
    return told | {"results": {name: text(p) for name, p in law.items() if p}}


def _repair(book: Book, case: Words) -> dict[str, Any]:
    case.done()
    return {"results": {"repaired": "1/2", "jammed": "1/3", "out": "1/6"}}


def _smoke(book: Book, case: Words) -> dict[str, Any]:
    case.done()
    return _two(HALF if book.has("107") else ONE, "kept", "lost")


def _panzerfaust(book: Book, case: Words) -> dict[str, Any]:
    later, year = case.flag("later"), case.number("year", *YEARS, 1944)
    case.done()
    if year < 1943:
        raise CaseError("208n", "panzerfaust-early")
    return _two(HALF if later and book.has("107bis") else ONE)


def _bog(book: Book, case: Words) -> dict[str, Any]:
    vehicle, barricade = VEHICLES[case.word("unit", VEHICLES)], case.flag("barricade")
    case.done()
    if barricade and not (vehicle.drive == "tracked" and vehicle.type in ("tank", "assault-gun") and book.has("502")):
        raise CaseError("502c", "tracked tanks and assault guns, with proposal 502")
    if vehicle.drive == "wheeled":
        raise CaseError("base-immobilisation-test", "wheels do not test")
    return _two(Fraction(2 if vehicle.drive == "half-track" else 1, 6), "bogged", "passed")


def _breakdown(book: Book, case: Words) -> dict[str, Any]:
    vehicle = VEHICLES[case.word("unit", VEHICLES)]
    speed, moves = case.word("speed", ("slow", "full")), case.number("moves", 1, 20, 1)
    case.done()
    if "unreliable" not in vehicle.traits:
        raise CaseError("218a", "a reliable vehicle")
    p = Fraction(6 if speed == "full" and book.has("218") else 3, 36)
    return _two(1 - (1 - p) ** moves, "breakdown", "passed")


def _request(book: Book, case: Words) -> dict[str, Any]:
    nation, year = case.word("nation", NATIONS), case.number("year", *YEARS)
    level = case.word("level", ("organic", "divisional"))
    case.done()
    number = barrage.request_number(book, nation, year, level)
    if number is None:
        raise CaseError("base-support-request", "no support for that nation in that year")
    return {"number": number} | _two(reach(number))


def _air(book: Book, case: Words) -> dict[str, Any]:
    superiority = case.flag("superiority")
    case.done()
    return _two(HALF if superiority else Fraction(1, 3))


def _coloured(book: Book, case: Words) -> dict[str, Any]:
    names = ("mg", "mortar", "gun-direct", "gun-indirect", "special", "flame-portable", "flame-vehicle")
    weapon = case.word("weapon", names)
    case.done()
    lost = {
        "mg": SIXTH,
        "mortar": SIXTH,
        "gun-direct": Fraction(1, 36),
        "gun-indirect": Fraction(1, 18) if book.has("417") else Fraction(0),
        "special": SIXTH if book.has("211") else Fraction(0),
        "flame-portable": Fraction(fire.portable_fuel(book), 6),
        "flame-vehicle": Fraction(fire.vehicle_fuel(book), 6),
    }[weapon]
    return _two(lost, "lost", "kept")


OTHERS = {
    "repair": _repair,
    "smoke": _smoke,
    "panzerfaust": _panzerfaust,
    "bog": _bog,
    "breakdown": _breakdown,
    "request": _request,
    "air": _air,
    "coloured": _coloured,
}


def odds_detect(book: Book, case: Words) -> dict[str, Any]:
    """003: how far, and whether at this distance."""
    observer, target = case.inner("observer"), case.inner("target")
    limited = observer.word("vision", ("normal", "limited")) == "limited"
    hill, recon, spotter = (observer.flag(word) for word in ("hill", "recon", "spotter"))
    observer.done()
    kind = target.word("type", ("infantry", "gun", "large-gun", "vehicle", "dug-in-tank"))
    action = target.word("action", ("still", "moving", "firing", "crawling"), "still")
    cover, camouflaged = target.word("cover", COVERS, "open") != "open", target.flag("camouflaged")
    target.done()
    cm = case.number("cm", 0, MOST_CM)
    case.done()
    if action == "crawling" and kind != "infantry":
        raise CaseError(INPUT, "crawling: infantry")
    if kind == "dug-in-tank" and action == "moving":
        raise CaseError(INPUT, "a dug-in tank does not move")
    if kind == "dug-in-tank" and not book.has("224"):
        raise CaseError("224a", "no tank is dug in without proposal 224")
    if action == "crawling" and not book.has("101"):
        raise CaseError("101c", "nobody crawls without proposal 101")
    hard = kind == "vehicle" or (kind == "large-gun" and detect.large_is_hard(book))
    limit = detect.range_of(
        book,
        hard=hard,
        cover=cover,
        action="still" if action == "crawling" else action,
        limited=limited,
        camouflaged=camouflaged,
        hill=hill,
        recon=recon,
        spotter=spotter,
    )
    far = limit >= detect.FAR
    return {"kind": "detect", "limit": "unlimited" if far else limit, "sees": far or cm <= limit}


__all__ = ["LIGHT", "named", "odds_detect", "odds_sniper", "odds_test"]
