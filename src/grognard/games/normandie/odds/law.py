"""Exact chances of a combat, by running the game's own combat code over every fall of the dice. No rule lives here."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from grognard.kernel import explore

from ..frames import Combat
from ..rules.combat import reckon
from ..rules.combat_choices import fight
from ..rules.definitions import units_in
from ..rules.tables import COLUMNS
from ..state import NormandieState

Fire = Callable[[NormandieState], None]


def percent(chance: Fraction) -> str:
    """A share as text; never 0 or 100 unless it is certain.

    >>> percent(Fraction(1, 3)), percent(Fraction(1, 5000)), percent(Fraction(1))
    ('33.3 %', '< 0.1 %', '100 %')
    """
    if chance in (0, 1):
        return f"{int(chance) * 100} %"
    tenths = (chance * 2000 + 1) // 2  # rounded half up
    if tenths == 0:
        return "< 0.1 %"
    if tenths == 1000:
        return "> 99.9 %"
    return f"{tenths // 10}.{tenths % 10} %"


def bombarded(s: NormandieState, units: tuple[int, ...], bombard: Fire | None) -> list[tuple[NormandieState, Fraction]]:
    """The positions after a bombardment with their chances; those in which it did the same to the units are one."""
    if bombard is None:
        return [(s, Fraction(1))]

    def run(twin: NormandieState) -> None:
        twin.events = None
        bombard(twin)

    found: dict[tuple[int, ...], tuple[NormandieState, Fraction]] = {}
    for chance, twin in explore(s, run):
        key = tuple(n for u in units for n in (twin.steps[u], twin.disorder[u], twin.affected[u]))
        first, so_far = found.get(key, (twin, Fraction(0)))
        found[key] = first, so_far + chance
    return list(found.values())


def law_of(s: NormandieState, c: Combat, bombard: Fire | None = None) -> dict[str, Any]:
    """Everything that can come of a combat, with its exact chance: losses, retreat, exploitation, survivors."""
    defenders, attackers = tuple(units_in(s, c.target, 1 - c.side)), c.attackers
    before = reckon(s, c)
    rows: dict[tuple[Any, ...], Fraction] = {}

    def run(twin: NormandieState) -> None:
        combat = c.copy()
        twin.frames = [combat]
        twin.events = None
        combat.attackers = tuple(u for u in attackers if twin.steps[u])
        if combat.attackers:  # 6.5i else the attack is called off
            fight(twin, combat)

    for start, before_chance in bombarded(s, (*attackers, *defenders), bombard):
        for chance, twin in explore(start, run):
            chance *= before_chance
            end = twin.frames[0]
            assert isinstance(end, Combat)
            alive = any(twin.steps[u] for u in defenders)
            key = (
                end.column if end.die else -1, end.die,
                sum(s.steps[u] - twin.steps[u] for u in attackers), sum(s.steps[u] - twin.steps[u] for u in defenders),
                max((twin.disorder[u] for u in attackers if twin.steps[u]), default=0),
                max((twin.disorder[u] for u in defenders if twin.steps[u]), default=0),
                end.retreat if alive else 0, int(not alive), end.exploit,
            )  # fmt: skip
            rows[key] = rows.get(key, Fraction(0)) + chance
    names = ("column", "die", "attacker_steps", "defender_steps", "attacker_disorder", "defender_disorder", "retreat",
             "eliminated", "exploitation")  # fmt: skip
    law = [
        dict(zip(names, key)) | {"chance": str(chance), "percent": percent(chance)}
        for key, chance in sorted(rows.items())
    ]

    def share(test: Callable[[dict[str, Any]], bool]) -> Fraction:
        return sum((Fraction(row["chance"]) for row in law if test(row)), Fraction(0))

    def mean(name: str) -> Fraction:
        return sum((Fraction(row["chance"]) * row[name] for row in law), Fraction(0))

    for row in law:
        row["column"] = COLUMNS[row["column"]] if row["die"] else ""
    chances = {
        "gives_way": share(lambda r: bool(r["retreat"] or r["eliminated"])),
        "retreat": share(lambda r: r["retreat"] > 0),
        "eliminated": share(lambda r: bool(r["eliminated"])), "exploitation": share(lambda r: bool(r["exploitation"])),
        "attacker_loses_a_step": share(lambda r: r["attacker_steps"] > 0),
        "defender_loses_a_step": share(lambda r: r["defender_steps"] > 0),
    }  # fmt: skip
    columns: dict[str, Fraction] = {}
    for row in law:
        if row["die"]:  # a bombardment that leaves nobody to fight needs no die
            columns[row["column"]] = columns.get(row["column"], Fraction(0)) + Fraction(row["chance"])
    fired = [{"column": k, "chance": str(v), "percent": percent(v)} for k, v in columns.items()] if bombard else []
    return {
        "method": "exact",
        "reckoning": before.to_json(),
        **({"bombardment": fired} if fired else {}),
        "chances": {key: {"chance": str(value), "percent": percent(value)} for key, value in chances.items()},
        "mean_steps": {"attacker": str(mean("attacker_steps")), "defender": str(mean("defender_steps"))},
        "law": law,
    }
