"""Exact chances of a combat, by running the game's own combat code over every fall of the dice.

`law_of` takes a position and a combat frame, as they stand in play; `odds_case` builds both from a plain description,
so that the owner of the printed game can ask without setting a map up. Nothing here knows a rule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from grognard.kernel import Action, UnknownName, explore
from grognard.kernel.texts import texts_for

from .frames import Combat, MoveStack
from .options import DEFAULTS
from .rules.bombardment import drop_bombs, fire_ships, fleet_of
from .rules.combat import allied_group, covers, eligible, plane_for, reckon, resolve
from .rules.definitions import put, rebuild, units_in
from .rules.tables import COLUMNS
from .state import AVAILABLE, SIZES, NormandieState
from .world import (
    AIR,
    ALLIED,
    AT,
    CODES,
    COUNT,
    COUNTERS,
    FB,
    GERMAN,
    GONE,
    GROUP,
    HEXES,
    HQS,
    INDEX,
    OPEN_NEXT,
    RIVER_NEXT,
    SIDE,
    STEPS,
)

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
    columns: dict[str, Fraction] = {}
    for row in law:
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


# --- in play --------------------------------------------------------------------------------------------------------

LAUNCHES = ("fight", "fly", "no-air", "add", "enough", "count", "support", "no-support", "hold-fire")


def odds_in_play(s: NormandieState, action: Action) -> dict[str, Any] | None:
    """The law of the combat that an action launches, or of the one under way; a bombardment is counted first."""
    verb, target = action
    c = s.frames[-1] if s.frames else None
    if isinstance(c, MoveStack) and verb == "overrun":
        return law_of(s, Combat(kind="overrun", side=c.side, target=AT[target], attackers=c.units))
    if not isinstance(c, Combat) or c.die:
        return None
    fight = c.copy()
    fire: Fire | None = None
    if verb in ("ships", "bombers", "hold-fire"):  # nobody is committed yet: everybody who may
        fight.attackers = c.attackers or tuple(eligible(s, c))
    if verb in ("ships", "bombers"):
        fire = _planned(s, c, verb, target)
    elif verb not in LAUNCHES:
        return None
    elif verb == "fly":
        fight.plane = max(0, plane_for(s, allied_group(s, c)))
    elif verb == "add":
        fight.support = (*c.support, INDEX[target])
    elif verb == "support":
        fight.shield = INDEX[target]
    elif verb == "count":
        fight.cover = target
    return law_of(s, fight, fire) if fight.attackers and units_in(s, c.target, 1 - c.side) else None


def _planned(s: NormandieState, c: Combat, verb: str, target: str) -> Fire:
    """The bombardment that an action stands for."""
    codes, _, amounts = target.partition(":")
    hexes, used = [AT[code] for code in codes.split("+")], [int(n) for n in amounts.split("+")]
    group = allied_group(s, c)

    def fire(twin: NormandieState) -> None:
        if verb == "ships":
            fire_ships(twin, fleet_of(group), hexes[0], GERMAN, used[0], used[1])
        else:
            drop_bombs(twin, group, hexes, GERMAN, used[0], used[1], used[2])

    return fire


# --- a case typed in ------------------------------------------------------------------------------------------------

CASE_WORDS = frozenset((
    "hex", "attackers", "defenders", "hqs", "defence_hq", "air", "cover", "sea", "bombardment", "turn", "options",
    "id", "name", "title", "note", "comment",
))  # fmt: skip
UNIT_WORDS = frozenset(("id", "hex", "steps", "disorder", "affected", "unsupplied"))
FIRE_WORDS = frozenset(("ships", "medium", "light", "heavy"))


def _known(given: Any, words: frozenset[str], where: str) -> dict[str, Any]:
    """A table of the case; an unknown word is refused, for it would cost a shift in silence."""
    if not isinstance(given, Mapping):
        raise CaseError("not-a-table", where=where)
    for word in given:
        if word not in words:
            raise CaseError("unknown-word", where=where, word=str(word), words=", ".join(sorted(words)))
    return dict(given)


def _number(given: Mapping[str, Any], word: str, where: str, default: int, most: int) -> int:
    value = given.get(word, default)
    if isinstance(value, bool):
        value = int(value)
    if not isinstance(value, int) or not 0 <= value <= most:
        raise CaseError("not-a-number", where=f"{where}.{word}", most=most, value=str(value))
    return value


class CaseError(Exception):
    """A case that cannot be answered: a key of [odds] and its facts."""

    def __init__(self, reason: str, rule: str = "input", **facts: Any) -> None:
        super().__init__(reason)
        self.reason, self.rule, self.facts = reason, rule, facts


def _place(s: NormandieState, rows: Any, default: int, where: str) -> list[int]:
    out: list[int] = []
    if not isinstance(rows, list | tuple):
        raise CaseError("not-a-list", where=where)
    for number, row in enumerate(rows):
        here = f"{where}[{number}]"
        given = _known({"id": row} if isinstance(row, str) else row, UNIT_WORDS, here)
        if given.get("id") not in INDEX or INDEX[given["id"]] in HQS:
            raise UnknownName("combat unit of normandie", str(given.get("id")), [n for n in INDEX if "-hq-" not in n])
        u = INDEX[given["id"]]
        code = str(given.get("hex", ""))
        if code and (code not in AT or AT[code] >= HEXES):
            raise UnknownName("hex of normandie", code, CODES[:HEXES])
        put(s, u, AT[code] if code else default)
        s.steps[u] = _number(given, "steps", here, STEPS[u], STEPS[u]) or 1
        s.disorder[u] = _number(given, "disorder", here, 0, 2)
        s.affected[u] = _number(given, "affected", here, 0, 2)
        s.unsupplied[u] = _number(given, "unsupplied", here, 0, 1)
        out.append(u)
    return out


def _fire_of(case: Mapping[str, Any], target: int, group: int) -> Fire | None:
    plan = _known(case.get("bombardment") or {}, FIRE_WORDS, "bombardment")
    ships, medium, light, heavy = (
        _number(plan, k, "bombardment", 0, 20) for k in ("ships", "medium", "light", "heavy")
    )
    if not ships and not (medium or light or heavy):
        return None

    def fire(s: NormandieState) -> None:
        if ships:
            fire_ships(s, fleet_of(group), target, GERMAN, ships, 0)
        if medium or light or heavy:
            drop_bombs(s, group, [target], GERMAN, medium, light, heavy)

    return fire


def _hqs(case: Mapping[str, Any], side: int) -> tuple[int, ...]:
    out = []
    for name in case.get("hqs", ()):
        if name not in INDEX or INDEX[name] not in HQS:
            raise UnknownName("headquarters of normandie", str(name), [COUNTERS[hq].id for hq in HQS])
        if SIDE[INDEX[name]] != side:
            raise CaseError("not-your-hq", "5.3b", hq=name)
        out.append(INDEX[name])
    return tuple(out)


def _shield(case: Mapping[str, Any], side: int) -> int:
    """The headquarters that supports the defence: named, or any."""
    wish = case.get("defence_hq") or ""
    if not wish:
        return -1
    if wish is True:
        return next(hq for hq in HQS if SIDE[hq] == side)
    return _hqs({"hqs": [wish]}, side)[0]


def odds_case(case: Any, lang: str = "en") -> dict[str, Any]:
    """The chances of a described combat; `docs/odds.md` has the words of a case."""
    try:
        return _answer(_known(case, CASE_WORDS, "case"))
    except CaseError as error:
        message = texts_for("normandie", lang).say(f"odds.{error.reason}", **error.facts)
        return {"error": {"rule": error.rule, "message": message}}
    except UnknownName as error:
        return {"error": {"rule": "input", "message": str(error)}}


def _answer(case: dict[str, Any]) -> dict[str, Any]:
    code = str(case.get("hex", ""))
    if code not in AT or AT[code] >= HEXES:
        raise UnknownName("hex of normandie", code, CODES[:HEXES])
    target = AT[code]
    s = NormandieState.blank(**SIZES)
    wishes = case.get("options") or {}
    s.options = tuple((name, str(wishes.get(name, default))) for name, default in DEFAULTS)
    s.scenario, s.turn, s.phase = "cobra", _number(case, "turn", "case", 7, 12), "A"
    for u in range(COUNT):
        s.place[u], s.steps[u] = GONE, STEPS[u]
    rebuild(s)
    dry = [n for n in OPEN_NEXT[target] if n not in RIVER_NEXT[target]] or list(OPEN_NEXT[target])
    _place(s, case.get("defenders", ()), target, "defenders")
    attackers = _place(s, case.get("attackers", ()), dry[0] if dry else target, "attackers")
    if not attackers:
        raise CaseError("nobody-attacks", "6.1a")
    side = SIDE[attackers[0]]
    if any(SIDE[u] != side or GROUP[u] != GROUP[attackers[0]] for u in attackers):
        raise CaseError("mixed-attackers", "8b")
    if not units_in(s, target, 1 - side) or units_in(s, target, side):
        raise CaseError("nobody-there", "6.1a", hex=code)
    for u in attackers:
        if not case.get("sea") and s.place[u] not in OPEN_NEXT[target]:
            raise CaseError("not-next", "6.1a", hex=code, unit=COUNTERS[u].id)
    group = GROUP[attackers[0] if side == ALLIED else units_in(s, target, ALLIED)[0]]
    for a in range(len(AIR)):
        s.air[a] = AVAILABLE
    for i in range(4):
        s.ships[i] = 20
    plane = next(a for a, (kind, whose, _) in enumerate(AIR) if kind == FB and whose == group)
    cover = str(case.get("cover") or covers(target)[0])
    if cover not in covers(target):
        raise CaseError("no-such-cover", "2.2g", hex=code, cover=cover, covers=", ".join(covers(target)))
    c = Combat(
        side=side, hq=next(h for h in HQS if GROUP[h] == GROUP[attackers[0]]), target=target,
        attackers=tuple(attackers), support=_hqs(case, side), shield=_shield(case, 1 - side),
        plane=plane if case.get("air") else -1, cover=cover, sea=int(bool(case.get("sea"))),
    )  # fmt: skip
    fire = _fire_of(case, target if side == ALLIED else s.place[attackers[0]], group)
    return {"hex": code} | law_of(s, c, fire)


def render_case(answer: dict[str, Any], lang: str = "en") -> str:
    """An answer for people: the column with every shift and its rule, the chances, the law."""
    texts = texts_for("normandie", lang)
    say = texts.say
    if "error" in answer:
        return say("odds.error", **answer["error"])
    r = answer["reckoning"]
    rows = [say("odds.head", hex=answer.get("hex", ""), attack=r["attack"], defence=r["defence"], ratio=r["ratio"])]
    for key in ("right", "left", "die"):
        for rule, amount, why in r[key]:
            what = texts.find(f"odds.why-{why}") or texts.name(why)
            rows.append("  " + say(f"odds.{key}", what=what, amount=amount, rule=rule))
    rows.append(say("odds.column", column=r["column"]))
    for row in answer.get("bombardment", ()):
        rows.append("  " + say("odds.bombarded", column=row["column"], percent=row["percent"]))
    for key, value in answer["chances"].items():
        rows.append("  " + say("odds.chance", what=say(f"odds.{key}"), percent=value["percent"]))
    mean = answer["mean_steps"]
    rows.append(say("odds.mean", attacker=mean["attacker"], defender=mean["defender"]))
    for row in answer["law"]:
        rows.append("  " + say("odds.row", **row))
    return "\n".join(rows)
