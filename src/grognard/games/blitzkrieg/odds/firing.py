"""Kind `fire`: infantry, machine guns, 20 mm guns and flamethrowers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from grognard.games.blitzkrieg.doors import Book
from grognard.games.blitzkrieg.laws import fire, quality
from grognard.games.blitzkrieg.laws.parties import Firer, Target
from grognard.games.blitzkrieg.loading import Team
from grognard.kernel import No

from .reading import INPUT, MOST_CM, CaseError, Words, read_dice_firer, read_target
from .sums import ONE, Law, binomial, items, mean, mixed, named, numbered, reach, saves, text

INFANTRY = quality.RESULTS
SOFT = ("none", "stopped", "stopped", "stopped", "destroyed")
DEAD = quality.ELIMINATED


def refuse(why: No | None) -> None:
    """A refusal of the laws as one of the case."""
    if why is not None:
        raise CaseError(why.rule, why.reason)


def check_team(book: Book, firer: Firer) -> None:
    """What a team may not do."""
    team = firer.team
    if firer.crawl and (not book.has("101") or firer.moved > 5):
        raise CaseError("101a", "crawled-too-far")
    if firer.relay and team.sort != "mg":
        raise CaseError("104a", "no machine gun")
    refuse(fire.why_no_dice(book, firer))


def odds_fire(book: Book, case: Words) -> dict[str, Any]:
    """Exact chances of dice fire."""
    firer, weapon = read_dice_firer(book, case.inner("firer"))
    target = read_target(book, case.inner("target"))
    cm = case.number("cm", 0, MOST_CM)
    case.done()
    if target.is_armoured and target.passengers:
        raise CaseError(INPUT, "passengers of an armoured vehicle are not asked here")
    case.settle()
    if target.camouflaged and book.has("306"):
        raise CaseError("306b", "a camouflaged observer cannot be aimed at")
    if isinstance(firer.model, Team):
        check_team(book, firer)
        if firer.team.id == "pioneer_ft" and target.kind == "vehicle":
            refuse(fire.NO_FLAME)
    else:
        refuse(fire.why_no_weapon(book, firer, target, weapon))
        if "aa" in firer.mgs and firer.lost:
            raise CaseError("216b", "no-commander")
    refuse(fire.why_out_of_range(firer, weapon, cm))
    return answer_fire(book, firer, target, weapon, cm)


def answer_fire(book: Book, firer: Firer, target: Target, weapon: str, cm: int) -> dict[str, Any]:
    """The answer to a fire that is allowed."""
    dice, dice_lines, lost = fire.dice_of(book, firer, weapon, cm)
    number, lines = fire.number_of(book, firer, target, weapon, cm, lost)
    modifier = fire.save_modifier(book, firer, weapon)
    hits: Law[int] = binomial(dice, reach(number))
    law = saves(book, target.quality, target.demoralised, 0 if target.kind == "vehicle" else modifier, hits)
    answer = {"kind": "fire", "dice": dice, "dice_items": items(dice_lines), "number": number, "items": items(lines)}
    answer["save"] = {"number": quality.QUALITY["save"][target.quality], "mod": modifier}
    answer |= {"hits": numbered(hits), "mean_hits": mean(hits)}
    answer["results"] = fire_results(book, target, law)
    if target.passengers:
        answer["passengers"] = passenger_laws(book, target, hits, law)
    answer["coloured"] = coloured(book, firer, weapon)
    return answer


def fire_results(book: Book, target: Target, law: Law[int]) -> dict[str, str]:
    """What saves mean for infantry and guns, soft vehicles, and exposed crews."""
    if target.kind != "vehicle":
        return named(law, INFANTRY)
    if not target.is_armoured:
        return named(law, SOFT)
    if target.is_closed:
        return {"none": "1"}
    hard = "demoralised"
    if book.has("216"):
        hard = "destroyed" if target.vehicle.is_open else "commander_lost"
    names = ("none", "none", "demoralised", "demoralised", hard)
    return named(law, names)


def passenger_laws(book: Book, target: Target, hits: Law[int], law: Law[int]) -> list[dict[str, str]]:
    """203, O-09: the hits dealt to the passengers in turn; without proposal 203 they share the fate of the truck."""
    riders = target.passengers
    if not book.has("203"):
        dead = law.get(DEAD, Fraction(0))
        one = {k: v for k, v in ((0, ONE - dead), (DEAD, dead)) if v}
        return [named(one, INFANTRY) for _ in riders]
    found = []
    for place, (level, shaken) in enumerate(riders):
        share: Law[int] = mixed(
            (p, {(k - place + len(riders) - 1) // len(riders) if k > place else 0: ONE}) for k, p in hits.items()
        )
        found.append(named(saves(book, level, shaken, 0, share), INFANTRY))
    return found


def coloured(book: Book, firer: Firer, weapon: str) -> dict[str, str]:
    """What the coloured die may do."""
    if fire.is_flame(firer, weapon):
        return {"empty": text(Fraction(fire.fuel(book, firer), 6))}
    return {"jammed": "1/6"} if fire.jams(firer, weapon) else {}
