"""The answer to a case: the law of hits of every fire step of the first round, and of the battle as a whole."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ..rules.fire import AA, AIR, BOMB, GROUND, GUNS, Shot
from ..world import UNITS
from .battle import CHARGE, LOST, SURRENDERED, Battle, Case, law_of_hits
from .cases import NAMES, read_case
from .law import Run, run_battle
from .packed import part


def share_of(p: Fraction) -> dict[str, Any]:
    """A chance as a fraction and in per cent."""
    return {"p": f"{p.numerator}/{p.denominator}", "percent": _percent(p)}


def _percent(p: Fraction) -> str:
    """A percentage that says 0 or 100 only when it is certain."""
    if p in (0, 1):
        return "100" if p else "0"
    shown = f"{float(100 * p):.1f}"
    return {"0.0": "<0.1", "100.0": ">99.9"}.get(shown, shown)


def first_round(b: Battle) -> list[dict[str, Any]]:
    """Dice, faces, tally and law of hits of every fire step of the first round, each from the starting strengths."""
    first = b.first()
    out = []
    fort = b.fort(part(first, 2))
    for kind, side in ([(AIR, 0), (AIR, 1)] if b.duel() else []) + list(FACED if b.case.field.landing else SHOWN):
        axis, target = b.axis(side, kind in (AIR, BOMB)), b.axis(1 - side, kind in (AIR, AA))
        if len(b.ends(target, part(first, target), kind, 1)) == 1:
            continue
        hunted = b.has_fighter(b.axis(1 - side, True), part(first, b.axis(1 - side, True)))
        state = b.states[axis][part(first, axis)]
        opened = kind not in (AIR, AA) and b.opens(part(first, 0))
        shots, locality = b.volley(axis, state, kind, 1, fort, hunted, opened), b.locality(axis, kind)
        if not shots and not locality[0]:
            continue
        law = law_of_hits(b.shots(axis, part(first, axis), kind, 1, fort, hunted, opened))
        out.append(
            {
                "step": kind,
                "rule": STEP_RULES[kind],
                "side": NAMES[side],
                "shots": [shot_told(x) for x in shots],
                "locality": {"dice": locality[0], "face": locality[1]} if locality[0] else None,
                "hits": {str(n): share_of(p) for n, p in enumerate(law)},
                "mean": str(sum((n * p for n, p in enumerate(law)), Fraction(0))),
            }
        )
    return out


def shot_told(shot: Shot) -> dict[str, Any]:
    """One unit's dice with the lines that made them."""
    mods = shot.modifiers
    tally = [{"rule": r, "malus": n} for r, n in mods.mali] + [{"rule": r, "bonus": n} for r, n in mods.boni]
    faces = f"{shot.face}-6" if shot.face < 6 else "6"
    return {"unit": shot.who.unit.id, "dice": shot.dice, "hits_on": faces, "tally": tally}


def outcome(run: Run) -> dict[str, Any]:
    """Who is left after the rounds of the case."""
    b, total = run.b, run.total
    results = {"attacker_wins": 0, "defender_holds": 0, "undecided": 0}
    ground = run.ground_law()
    for key, ways in ground.items():
        lost, won = (b.gone(axis, part(key, axis)) for axis in (0, 2))
        results["defender_holds" if lost else "attacker_wins" if won else "undecided"] += ways
    units: dict[tuple[int, int], dict[str, Any]] = {}
    for axis in range(4):
        found = run.part_law(axis)
        for i, (f, place) in enumerate(zip(b.units[axis], b.members[axis])):
            steps = {number: b.states[axis][number][i][0] for number in found}
            alive = sum(ways for number, ways in found.items() if steps[number] >= 0)
            left = sum(ways * steps[number] for number, ways in found.items() if steps[number] > 0)
            survives = share_of(Fraction(alive, total))
            mean = f"{float(Fraction(left, total)):.3f}"
            units[axis // 2, place] = {"unit": UNITS[f.unit].id, "survives": survives, "mean_steps": mean}
    return {
        "results": {k: share_of(Fraction(ways, total)) for k, ways in results.items()},
        "units": [units[at] for at in sorted(units)],
        "positions": len(ground),
    }


def positions_told(case: Case) -> dict[str, Any]:
    """The law position by position, if there are not too many: attackers | defenders, in the order of the case."""
    if len(case.fighters) > MOST_TOLD:
        return {}
    law: dict[str, Fraction] = {}
    for position, p in run_battle(case).items():
        key = " | ".join(",".join(standing(steps, half) for steps, half in side) for side in position)
        law[key] = law.get(key, Fraction(0)) + p
    return {"law": {key: share_of(p) for key, p in law.items()}} if len(law) <= MOST_POSITIONS else {}


def standing(steps: int, half: int) -> str:
    """A unit in a law: its steps, a half-hit after a mark, X when lost, S when it surrendered."""
    return {LOST: "X", SURRENDERED: "S"}.get(steps, f"{steps}'1" if half else str(steps))


def battle_answer(case: dict[str, Any], in_play: bool = False) -> dict[str, Any]:
    """The answer to the case of a battle."""
    checked = read_case(case, in_play)
    run = Run(checked)
    told = {} if in_play else positions_told(checked)
    policy = {"retreat": "nobody", "ties": "last" if checked.last_tie else "first", "air_rounds": checked.air_rounds}
    return {
        "game": "bitw",
        "exact": True,
        "arithmetic": "fractions",
        "policy": policy | {"rounds": checked.rounds},
        "first_round": first_round(run.b),
        "outcome": outcome(run) | told,
    }


STEP_RULES = {AIR: "7.7.1b", AA: "7.7.2a", BOMB: "7.7.3a", GUNS: "7.7.4b", CHARGE: "21.0a", GROUND: "7.7.5a"}
MOST_TOLD = 5  # units of a battle whose positions are told one by one
MOST_POSITIONS = 400  # of a law that is told position by position


GROUND_STEPS = ((CHARGE, 0), (GROUND, 1), (GROUND, 0))
FACED = ((AA, 0), (AA, 1), (BOMB, 0), (BOMB, 1), (GUNS, 1), (GUNS, 0), *GROUND_STEPS)  # 24.1d
SHOWN = ((AA, 0), (AA, 1), (BOMB, 0), (BOMB, 1), (GUNS, 0), (GUNS, 1), *GROUND_STEPS)  # 7.7-seq
