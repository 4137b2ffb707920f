"""Kinds `overrun`, `assault` and `tank-assault`."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from grognard.games.blitzkrieg.doors import Book
from grognard.games.blitzkrieg.laws import close, destruction, fire, quality
from grognard.games.blitzkrieg.laws.parties import COVERS, Firer, Target
from grognard.games.blitzkrieg.loading import TEAMS, VEHICLES, Team
from grognard.kernel import Tally

from .firing import INFANTRY, refuse
from .reading import INPUT, YEARS, CaseError, Words, read_target
from .shooting import riders
from .sums import ONE, Law, binomial, chance, crew_law, experience, items, mixed, named, of_dice, reach, saves, text

GROUNDS = ("open", "light", "heavy")
GOOD = quality.SAFE


def odds_overrun(book: Book, case: Words) -> dict[str, Any]:
    """214: a vehicle runs over a target."""
    attacker = case.inner("attacker")
    vehicle = VEHICLES[attacker.word("unit", VEHICLES)]
    attacker.done()
    target = read_target(book, case.inner("target"))
    case.done()
    case.settle()
    if target.camouflaged and book.has("306"):
        raise CaseError("306b", "a camouflaged observer cannot be attacked")
    refuse(close.why_no_overrun(book, vehicle, target))
    number = close.overrun_number(target)
    p = reach(number)
    good, bad = {"infantry": ("eliminated", "demoralised"), "vehicle": ("destroyed", "flees")}.get(
        target.kind, ("destroyed", "demoralised")
    )
    answer = {"kind": "overrun", "number": number, "p": text(p), "results": {good: text(p), bad: text(1 - p)}}
    if target.passengers:
        answer["passengers"] = riders(book, target, p)
    return answer


class Fighter:
    """A team in an assault."""

    def __init__(self, words: Words, *more: str) -> None:
        self.team: Team = TEAMS[words.word("unit", TEAMS)]
        self.quality, self.shaken = words.quality(), words.shaken()
        self.suppressed = words.flag("suppressed")
        self.extra = words.number("extra", 0, 4, 0) if "extra" in more else 0
        self.cover = COVERS.index(words.word("cover", COVERS, "open")) if "cover" in more else 0
        words.asked |= set(more)
        self.weapon = ""
        if "weapon" in more and words.has("weapon"):
            self.weapon = words.word("weapon", ("charge", "magnetic", "flame", "molotov"))
        words.done()

    def refuse_if_shaken(self) -> None:
        """Nobody demoralised or suppressed attacks."""
        if self.shaken:
            raise CaseError("base-demoralised", "demoralised")
        if self.suppressed:
            raise CaseError("base-suppression", "suppressed")


def defensive(
    book: Book, defender: Fighter, ground: int, covering: int, charger: Fighter
) -> tuple[dict[str, Any], Law[int]]:
    """The defensive fire at a charger: what is thrown, and what the charger's saves come to."""
    team = defender.team
    tally = Tally()
    flame = team.id == "pioneer_ft"
    dice = fire.team_dice(book, team)
    tally.add("base-fire", int(team.id == "smg"))
    tally.add("base-defensive-fire", -int(defender.shaken))
    tally.add("base-suppression", -int(defender.suppressed))
    dice, kept, lost = fire._kept(dice, tally) if dice else (0, Tally(), Tally())
    number, lines = fire.defensive_number(book, ground, covering, flame)
    for line in lost.lines:
        lines.add(*line)
        number = min(6, number + 1)
    law = saves(book, charger.quality, False, -1 if flame else 0, binomial(dice, reach(number)))
    told = {"dice": dice, "dice_items": items(kept), "number": number, "items": items(lines)}
    return told | {"results": named(law, INFANTRY)}, law


def odds_assault(book: Book, case: Words) -> dict[str, Any]:
    """Infantry against infantry: defensive fire, then the fight."""
    attacker = Fighter(case.inner("attacker"), "extra")
    defender = Fighter(case.inner("defender"), "extra", "cover")
    ground = GROUNDS.index(case.word("ground", GROUNDS, "open"))
    names = case.rows("covering")
    case.done()
    if any(name not in TEAMS for name in names):
        raise CaseError(INPUT, "covering: infantry units")
    attacker.refuse_if_shaken()
    covering = fire.covering_value(book, sum(TEAMS[name].covering for name in names))
    told, law = defensive(book, defender, ground, covering, attacker)
    mine = close.melee_lines(book, attacker.team, attacker.quality, False, attacker.extra, None)
    facts = defender.team, defender.quality, defender.shaken, defender.extra, defender.cover
    theirs = close.melee_lines(book, *facts)
    fight = of_dice(2, lambda dice: close.melee_result(dice[0] + mine.total(), dice[1] + theirs.total()))
    through = law.get(GOOD, Fraction(0))
    results = {name: through * p for name, p in fight.items()}
    dead = law.get(quality.ELIMINATED, Fraction(0))
    results |= {"stopped_eliminated": dead, "stopped_demoralised": 1 - through - dead}
    melee = {"attacker": items(mine), "defender": items(theirs), "results": {k: text(v) for k, v in fight.items()}}
    answer: dict[str, Any] = {"kind": "assault", "covering_value": covering, "defensive": told, "melee": melee}
    answer["results"] = {name: text(p) for name, p in results.items() if p}
    return answer


def odds_tank_assault(book: Book, case: Words) -> dict[str, Any]:
    """215: infantry against armour."""
    attacker = Fighter(case.inner("attacker"), "weapon")
    target = read_target(book, case.inner("target"))
    year, opportunity = case.number("year", *YEARS, 1944), case.flag("opportunity")
    mgs, launcher = case.rows("mgs"), case.flag("launcher")
    ground = GROUNDS.index(case.word("ground", GROUNDS, "open"))
    case.done()
    if target.kind != "vehicle" or target.passengers:
        raise CaseError(INPUT, "target: a vehicle without passengers")
    vehicle = target.vehicle
    if any(mg not in ("hull", "coax", "aa") or not getattr(vehicle, mg) for mg in mgs) or len(set(mgs)) < len(mgs):
        raise CaseError(INPUT, "mgs: some that the vehicle has")
    case.settle()
    attacker.refuse_if_shaken()
    if "aa" in mgs and (target.is_closed or target.lost):
        raise CaseError("216b" if target.lost else "base-commander-out", "aa-mg-closed")
    row = close.assault_row(attacker.team, attacker.weapon)
    refuse(close.why_no_tank_assault(book, row, target))
    early = close.early_modifier(book, year)
    test = experience(attacker.quality, early) if close.needs_test(row) else ONE
    guard, law = _vehicle_fire(book, target, tuple(mgs), launcher, ground, attacker)
    tally = close.tank_assault_lines(target)
    number = max(2, min(6, close.row_number(book, row) - tally.total()))
    success = chance(2 if row == "flame" else 1, lambda dice: any(d == 6 or (d != 1 and d >= number) for d in dice))
    ends = {destruction.DESTROYED: ONE}
    if opportunity and target.is_moving and close.only_immobilises(book, row):
        ends = crew_law(target.quality, target.lost)
    good = law.get(GOOD, Fraction(0))
    results = {"no_attack": 1 - test, "stopped": test * (1 - good), "none": test * good * (1 - success)}
    for outcome, p in ends.items():
        results[destruction.OUTCOMES[outcome]] = test * good * success * p
    answer: dict[str, Any] = {"kind": "tank-assault", "row": row, "test": text(test), "number": number}
    answer |= {"items": items(tally), "p_success": text(success), "defensive": guard}
    answer["attacker"] = named(mixed([(test, law), (1 - test, {0: ONE})]), INFANTRY)
    answer["results"] = {name: text(p) for name, p in results.items() if p}
    return answer


def _vehicle_fire(
    book: Book, target: Target, mgs: tuple[str, ...], launcher: bool, ground: int, attacker: Fighter
) -> tuple[dict[str, Any], Law[int]]:
    """The machine guns of the vehicle, then its launcher, at one charger; the worst of both counts."""
    number: int | None = None
    hits: Law[int] = {0: ONE}
    if mgs:
        firer = Firer(target.vehicle, mgs=mgs, moved=target.moved, lost=target.lost)
        dice, _, lost = fire.dice_of(book, firer, "mg", 0)
        number, _ = fire.defensive_number(book, ground, 0)
        for _ in lost.lines:
            number = min(6, number + 1)
        hits = binomial(dice, reach(number))
    if launcher:
        more = binomial(3, reach(4))
        hits = mixed((p, {k + j: q for j, q in more.items()}) for k, p in hits.items())
    law = saves(book, attacker.quality, False, 0, hits)
    return {"number": number, "results": named(law, INFANTRY)}, law
