"""Exact chances of a combat, by running the game's own combat code over every fall of the dice.

`law_of` takes a position and a combat frame, as they stand in play; `odds_case` builds both from a plain description,
so that the owner of the printed game can ask without setting a map up. Nothing here knows a rule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from grognard.kernel import Refusal, UnknownName, explore
from grognard.kernel.texts import texts_for

from .frames import Combat
from .options import DEFAULTS
from .rules.bombardment import drop_bombs, fire_ships, fleet_of
from .rules.combat import covers, reckon, resolve
from .rules.definitions import put, rebuild, units_in
from .rules.tables import COLUMNS
from .state import AVAILABLE, SIZES, NormandieState
from .world import AIR, ALLIED, AT, COUNT, FB, GERMAN, GONE, GROUP, HEXES, HQS, INDEX, SIDE, STEPS

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


def law_of(s: NormandieState, c: Combat, bombard: Fire | None = None) -> dict[str, Any]:
    """Everything that can come of a combat, with its exact chance: losses, retreat, exploitation, survivors."""
    defenders, attackers = tuple(units_in(s, c.target, 1 - c.side)), c.attackers
    before = reckon(s, c)
    rows: dict[tuple[Any, ...], Fraction] = {}

    def run(twin: NormandieState) -> None:
        fight = c.copy()
        twin.frames = [fight]
        twin.events = None
        if bombard is not None:
            bombard(twin)
        resolve(twin, fight)

    for chance, twin in explore(s, run):
        fight = twin.frames[0]
        assert isinstance(fight, Combat)
        key = (
            fight.column, fight.die,
            sum(s.steps[u] - twin.steps[u] for u in attackers), sum(s.steps[u] - twin.steps[u] for u in defenders),
            max((twin.disorder[u] for u in attackers if twin.steps[u]), default=0),
            max((twin.disorder[u] for u in defenders if twin.steps[u]), default=0),
            fight.retreat if any(twin.steps[u] for u in defenders) else 0,
            int(not any(twin.steps[u] for u in defenders)), fight.exploit,
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
        row["column"] = COLUMNS[row["column"]]
    chances = {
        "gives_way": share(lambda r: bool(r["retreat"] or r["eliminated"])),
        "retreat": share(lambda r: r["retreat"] > 0),
        "eliminated": share(lambda r: bool(r["eliminated"])), "exploitation": share(lambda r: bool(r["exploitation"])),
        "attacker_loses_a_step": share(lambda r: r["attacker_steps"] > 0),
        "defender_loses_a_step": share(lambda r: r["defender_steps"] > 0),
    }  # fmt: skip
    return {
        "method": "exact",
        "reckoning": before.to_json(),
        "chances": {key: {"chance": str(value), "percent": percent(value)} for key, value in chances.items()},
        "mean_steps": {"attacker": str(mean("attacker_steps")), "defender": str(mean("defender_steps"))},
        "law": law,
    }


# --- a case typed in ----------------------------------------------------------------------------------------------


def _unit(row: Any) -> tuple[int, dict[str, Any]]:
    given: dict[str, Any] = {"id": row} if isinstance(row, str) else dict(row)
    if given.get("id") not in INDEX:
        raise UnknownName("counter of normandie", str(given.get("id")), INDEX)
    return INDEX[given["id"]], given


def _place(s: NormandieState, rows: Any, default: int) -> list[int]:
    out = []
    for row in rows:
        u, given = _unit(row)
        code = str(given.get("hex", ""))
        if code and code not in AT:
            raise UnknownName("place of normandie", code, AT)
        put(s, u, AT[code] if code else default)
        s.steps[u] = int(given.get("steps", STEPS[u]))
        s.disorder[u], s.affected[u] = int(given.get("disorder", 0)), int(given.get("affected", 0))
        s.unsupplied[u] = int(bool(given.get("unsupplied", False)))
        out.append(u)
    return out


def _fire_of(case: Mapping[str, Any], target: int, group: int) -> Fire | None:
    plan = case.get("bombardment") or {}
    ships = plan.get("ships", 0)
    medium, light, heavy = (int(plan.get(k, 0)) for k in ("medium", "light", "heavy"))
    if not ships and not (medium or light or heavy):
        return None

    def fire(s: NormandieState) -> None:
        if ships:
            fire_ships(s, fleet_of(group), target, GERMAN, int(ships), 0)
        if medium or light or heavy:
            drop_bombs(s, group, [target], GERMAN, medium, light, heavy)

    return fire


def odds_case(case: dict[str, Any], lang: str = "en") -> dict[str, Any]:
    """The chances of a described combat.

    `{"hex": "1218", "attackers": ["us-9-39", {"id": "us-9-47", "disorder": 1, "hex": "1118"}], "defenders": ["ge-353"],
    "hqs": ["us-hq-vii"], "defence_hq": true, "air": true, "cover": "bocage", "sea": false,
    "bombardment": {"ships": 2, "medium": 1}}`. Attackers without a hex stand on a neighbour without a river.
    """
    code = str(case.get("hex", ""))
    if code not in AT or AT[code] >= HEXES:
        raise UnknownName("hex of normandie", code, AT)
    target = AT[code]
    s = NormandieState.blank(**SIZES)
    s.options = DEFAULTS
    s.scenario, s.turn, s.phase = "cobra", int(case.get("turn", 7)), "A"
    for u in range(COUNT):
        s.place[u], s.steps[u] = GONE, STEPS[u]
    rebuild(s)
    from .world import OPEN_NEXT, RIVER_NEXT

    dry = [n for n in OPEN_NEXT[target] if n not in RIVER_NEXT[target]] or list(OPEN_NEXT[target])
    _place(s, case.get("defenders", ()), target)
    attackers = _place(s, case.get("attackers", ()), dry[0])
    if not attackers or not units_in(s, target, 1 - SIDE[attackers[0]]):
        refusal = Refusal("6.1a", "nobody-attacks" if not attackers else "nobody-there", {"place": code})
        say = texts_for("normandie", lang).say
        return {"error": say(f"refusal.{refusal.reason}", **refusal.data), "rule": refusal.rule}
    side = SIDE[attackers[0]]
    group = GROUP[attackers[0] if side == ALLIED else units_in(s, target, ALLIED)[0]]
    for a, (_, _, _) in enumerate(AIR):
        s.air[a] = AVAILABLE
    for i in range(4):
        s.ships[i] = 20
    plane = next(a for a, (kind, whose, _) in enumerate(AIR) if kind == FB and whose == group)
    c = Combat(
        side=side, hq=next(h for h in HQS if GROUP[h] == GROUP[attackers[0]]), target=target,
        attackers=tuple(attackers), support=tuple(INDEX[h] for h in case.get("hqs", ())),
        shield=0 if case.get("defence_hq") else -1, plane=plane if case.get("air") else -1,
        cover=str(case.get("cover") or covers(target)[0]), sea=int(bool(case.get("sea"))),
    )  # fmt: skip
    fire = _fire_of(case, target if side == ALLIED else s.place[attackers[0]], group)
    return {"hex": code} | law_of(s, c, fire)
