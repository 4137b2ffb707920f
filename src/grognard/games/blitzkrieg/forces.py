"""Forces by points: what everything costs and what a force may not have, for buying in play and for lists in files."""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grognard.kernel import DataError, No, no, rule

from .doors import Book
from .loading import CHARTS, MODELS, NATIONS, QUALITIES, SUPPORTS, Gun, Model, Support, Team, Vehicle
from .switches import DEFAULTS

BUDGETS = (500, 1000, 1500)  # base-points
SCOUTS = ("scout", "moto")  # half-groups that are nothing else
OFF_MORTARS = ("off_m81h", "off_m81")
GUNS_OFF_TABLE = ("organic", "divisional")

TOO_DEAR = no("base-points", "too-dear")
NOT_THEIRS = no("base-points", "not-of-this-nation")
NOT_YET = no("base-points", "not-in-this-year")
NO_HALVES = no("001a", "no-half-groups")
NO_RECOILLESS = no("110", "no-recoilless")
NO_SNIPERS = no("701a", "no-snipers")
TWO_SNIPERS = no("701f", "two-snipers")
ONE_BATTERY = no("305", "one-battery")
MORTARS_THERE = no("302c", "mortars-on-table")
PIONEERS_ONLY = no("107a", "smoke-for-pioneers")
NO_FAUSTS = no("107bis-a", "fausts-for-groups")
NOT_SOLD = no("base-points", "not-for-sale")


@rule("base-points", "106b")
def price(points: int, quality: int) -> int:
    """Base-points: the points of the data by quality, 0.8 to 1.35 times; halves are rounded up."""
    return (points * int(CHARTS["quality"]["cost"][quality]) + 50) // 100


@dataclass
class Force:
    """What a side has bought so far: models with their quality, supports and capabilities."""

    nation: str
    year: int
    points: int
    units: Counter[tuple[str, int]] = field(default_factory=Counter)
    supports: Counter[str] = field(default_factory=Counter)

    def of_model(self, name: str) -> int:
        """How many of a model, whatever their quality."""
        return sum(count for (model, _), count in self.units.items() if model == name)

    @property
    def cost(self) -> int:
        """What it all costs."""
        men = sum(price(MODELS[model].points, level) * count for (model, level), count in self.units.items())
        return men + sum(SUPPORTS[name].points * count for name, count in self.supports.items())


def _nations(model: Model | Support) -> tuple[str, ...]:
    return (model.nation,) if isinstance(model, (Vehicle, Gun)) else model.nations


@rule("base-points", "001a", "110", "701f", "302c")
def why_not_unit(book: Book, force: Force, name: str, quality: int) -> No | None:
    """Base-points: one more of a model: its nation and year, what the proposals allow, and what is left to spend."""
    model = MODELS.get(name)
    if model is None or name == "crew":
        return NOT_SOLD
    if force.nation not in _nations(model):
        return NOT_THEIRS
    if force.year < model.first or (isinstance(model, Vehicle) and force.year > model.last):
        return NOT_YET
    if name in SCOUTS and not book.has("001"):
        return NO_HALVES
    if isinstance(model, Gun) and model.category == "recoilless" and not book.has("110"):
        return NO_RECOILLESS
    if name == "sniper":
        if not book.has("701"):
            return NO_SNIPERS
        if force.of_model("sniper") >= 2:
            return TWO_SNIPERS
    off = sum(force.supports[support] for support in OFF_MORTARS)
    if _is_81(name) and off and book.has("302"):
        return MORTARS_THERE
    return TOO_DEAR if force.cost + price(model.points, quality) > force.points else None


@rule("305", "302c", "107a", "107bis-a", "base-off-table-limit")
def why_not_support(book: Book, force: Force, name: str) -> No | None:
    """305, 302c, 107: one more battery, capability or work: one battery a side, but two for the Americans of 1944."""
    support = SUPPORTS.get(name)
    if support is None:
        return NOT_SOLD
    if force.nation not in support.nations:
        return NOT_THEIRS
    if force.year < support.first:
        return NOT_YET
    if support.level in GUNS_OFF_TABLE:
        have = sum(count for other, count in force.supports.items() if SUPPORTS[other].level in GUNS_OFF_TABLE)
        two = force.nation == "US" and force.year >= 1944 and book.has("305")
        if have >= 1 + int(two):
            return ONE_BATTERY
        if name in OFF_MORTARS and any(_is_81(model) for model, _ in force.units) and book.has("302"):
            return MORTARS_THERE
    if name == "cap_smoke" and not force.of_model("pioneer"):
        return PIONEERS_ONLY
    if name == "cap_pf" and not any(_is_group(model) for model, _ in force.units):
        return NO_FAUSTS
    return TOO_DEAR if force.cost + support.points > force.points else None


def _is_81(name: str) -> bool:
    model = MODELS[name]
    return isinstance(model, Gun) and model.weapon.id == "m81"


def _is_group(name: str) -> bool:
    model = MODELS[name]
    return isinstance(model, Team) and model.sort == "group"


@dataclass(frozen=True)
class Refused:
    """A line of a list that a rule forbids."""

    line: str
    why: No


def read_force(path: Path) -> tuple[Force, list[tuple[str, str, int, int]]]:
    """A list in a file: `nation`, `year`, `points`, then `[[unit]]` and `[[support]]`; its lines, still unbought."""
    table: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
    try:
        force = Force(str(table["nation"]), int(table["year"]), int(table["points"]))
        lines = [
            ("unit", str(entry["model"]), QUALITIES.index(entry.get("quality", "regular")), int(entry.get("count", 1)))
            for entry in table.get("unit", ())
        ]
        lines += [("support", str(entry["id"]), 1, int(entry.get("count", 1))) for entry in table.get("support", ())]
    except (KeyError, ValueError, TypeError) as error:
        raise DataError(path.name, "", f"a force has nation, year, points, [[unit]] and [[support]]: {error}") from None
    if force.nation not in NATIONS:
        raise DataError(path.name, "nation", f"no nation {force.nation!r}; known: {', '.join(NATIONS)}")
    return force, lines


def muster(book: Book, force: Force, lines: list[tuple[str, str, int, int]]) -> list[Refused]:
    """Buy a list line by line; what is refused is not bought."""
    refused = []
    for sort, name, quality, count in lines:
        for _ in range(count):
            why = why_not_unit(book, force, name, quality) if sort == "unit" else why_not_support(book, force, name)
            if why is not None:
                refused.append(Refused(f"{name} ({QUALITIES[quality]})" if sort == "unit" else name, why))
            elif sort == "unit":
                force.units[name, quality] += 1
            else:
                force.supports[name] += 1
    return refused


def on_sale(nation: str, year: int) -> list[tuple[str, str, int]]:
    """What a nation may buy in a year: sort, name, points of regulars."""
    units = [
        ("unit", name, model.points)
        for name, model in MODELS.items()
        if nation in _nations(model) and name != "crew" and model.first <= year <= getattr(model, "last", year)
    ]
    supports = [
        ("support", name, support.points)
        for name, support in SUPPORTS.items()
        if nation in support.nations and support.first <= year
    ]
    return units + supports


def judge(path: Path, off: frozenset[str], more: frozenset[str]) -> dict[str, Any]:
    """A list in a file, bought by the rules: its cost, what is left, and each line that is refused with its rule."""
    force, lines = read_force(path)
    refused = muster(Book((DEFAULTS - off) | more), force, lines)
    wanted = Counter((sort, name, quality) for sort, name, quality, count in lines for _ in range(count))
    whole = sum(
        (price(MODELS[name].points, quality) if sort == "unit" else SUPPORTS[name].points) * count
        for (sort, name, quality), count in wanted.items()
        if name in (MODELS if sort == "unit" else SUPPORTS)
    )
    return {
        "nation": force.nation,
        "year": force.year,
        "points": force.points,
        "asked": whole,
        "cost": force.cost,
        "left": force.points - force.cost,
        "refused": [{"line": each.line, "rule": each.why.rule, "reason": each.why.reason} for each in refused],
    }


def fill(s: Any, side: int, path: Path) -> tuple[list[tuple[str, int]], list[str]]:
    """The orders with which a side buys the list of a file in a scenario that sells, and what is not on offer there."""
    from .rules.buying import orders_of

    _, lines = read_force(path)
    offers, missing = orders_of(s, side, lines)
    return [("buy", offer) for offer in offers], missing


def sells(s: Any) -> bool:
    """True while forces are being bought."""
    from .world import world

    return bool(world(s).offers) and bool(s.frames) and not s.turn and bool(s.waiting)


def buyer(s: Any, path: Path) -> int:
    """The side whose nation the list of a file is; -1 if nobody here has it."""
    from .world import world

    nation = read_force(path)[0].nation
    return world(s).muster_nation.index(nation) if nation in world(s).muster_nation else -1
