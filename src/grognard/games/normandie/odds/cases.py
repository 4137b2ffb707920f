"""Reading a typed case: a plain description becomes a position and a combat, without setting a map up."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from grognard.kernel import UnknownName
from grognard.kernel.options import set_options
from grognard.kernel.texts import error_text
from grognard.kit.cases import REMARKS, CaseError, Part, a_flag, a_list, a_number, a_part, an_object, refused

from ..frames import Combat
from ..options import DEFAULTS, OPTIONS
from ..rules.bombardment import drop_bombs, fire_ships, fleet_of
from ..rules.combat import covers, has_real_choice
from ..rules.definitions import put, rebuild, units_in
from ..state import AVAILABLE, SIZES, NormandieState
from ..world import (
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
from .law import Fire, law_of

CASE_WORDS = (
    "hex", "attackers", "defenders", "hqs", "defence_hq", "air", "cover", "sea", "bombardment", "turn", "options",
    *REMARKS,
)  # fmt: skip
UNIT_WORDS = ("id", "hex", "steps", "disorder", "affected", "unsupplied")
FIRE_WORDS = ("ships", "medium", "light", "heavy")
INPUT = "input"  # what is refused by no rule of the game


def _place(s: NormandieState, case: Part, side: str, default: int) -> list[int]:
    """The units of a side, each where the case says or at the place of most."""
    out: list[int] = []
    for number, row in enumerate(a_list(case, side, INPUT)):
        given = an_object({"id": row} if isinstance(row, str) else row, f"{side}[{number}]", INPUT, UNIT_WORDS)
        if given.get("id") not in INDEX or INDEX[given["id"]] in HQS:
            raise UnknownName("combat unit of normandie", str(given.get("id")), [n for n in INDEX if "-hq-" not in n])
        u = INDEX[given["id"]]
        code = str(given.get("hex", ""))
        if code and (code not in AT or AT[code] >= HEXES):
            raise UnknownName("hex of normandie", code, CODES[:HEXES])
        put(s, u, AT[code] if code else default)
        s.steps[u] = a_number(given, "steps", INPUT, 0, STEPS[u], STEPS[u]) or 1
        s.disorder[u] = a_number(given, "disorder", INPUT, 0, 2)
        s.affected[u] = a_number(given, "affected", INPUT, 0, 2)
        s.unsupplied[u] = a_flag(given, "unsupplied", INPUT)
        out.append(u)
    return out


def _fire_of(case: Part, target: int, group: int) -> Fire | None:
    plan = a_part(case, "bombardment", INPUT, FIRE_WORDS)
    ships, medium, light, heavy = (a_number(plan, word, INPUT, 0, 20) for word in FIRE_WORDS)
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
            raise CaseError("5.3b", "not-your-hq", hq=name)
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
        return _answer(an_object(case, "", INPUT, CASE_WORDS))
    except CaseError as error:
        return refused("normandie", error, lang)
    except UnknownName as error:
        return {"error": {"rule": "input", "message": error_text(error, lang)}}


@lru_cache
def _nobody() -> NormandieState:
    """A position without anybody in it."""
    s = NormandieState.blank(**SIZES)
    for u in range(COUNT):
        s.place[u], s.steps[u] = GONE, STEPS[u]
    rebuild(s)
    return s


def _answer(case: Part) -> dict[str, Any]:
    code = str(case.get("hex", ""))
    if code not in AT or AT[code] >= HEXES:
        raise UnknownName("hex of normandie", code, CODES[:HEXES])
    target = AT[code]
    s = _nobody().copy()
    wishes = a_part(case, "options", INPUT, tuple(name for name, _ in DEFAULTS))
    set_options(s, OPTIONS, {name: str(value) for name, value in wishes.items()})
    s.scenario, s.turn, s.phase = "cobra", a_number(case, "turn", INPUT, 0, 12, 7), "A"
    dry = [n for n in OPEN_NEXT[target] if n not in RIVER_NEXT[target]] or list(OPEN_NEXT[target])
    _place(s, case, "defenders", target)
    attackers = _place(s, case, "attackers", dry[0] if dry else target)
    if not attackers:
        raise CaseError("6.1a", "nobody-attacks")
    side = SIDE[attackers[0]]
    if any(SIDE[u] != side or GROUP[u] != GROUP[attackers[0]] for u in attackers):
        raise CaseError("8b", "mixed-attackers")
    if not units_in(s, target, 1 - side) or units_in(s, target, side):
        raise CaseError("6.1a", "nobody-there", hex=code)
    for u in attackers:
        if not case.get("sea") and s.place[u] not in OPEN_NEXT[target]:
            raise CaseError("6.1a", "not-next", hex=code, unit=COUNTERS[u].id)
    group = GROUP[attackers[0] if side == ALLIED else units_in(s, target, ALLIED)[0]]
    for a in range(len(AIR)):
        s.air[a] = AVAILABLE
    for i in range(4):
        s.ships[i] = 20
    plane = next(a for a, (kind, whose, _) in enumerate(AIR) if kind == FB and whose == group)
    cover = str(case.get("cover") or covers(target)[0])
    if cover not in covers(target):
        raise CaseError("2.2g", "no-such-cover", hex=code, cover=cover, covers=", ".join(covers(target)))
    c = Combat(
        side=side, hq=next(h for h in HQS if GROUP[h] == GROUP[attackers[0]]), target=target,
        attackers=tuple(attackers), support=_hqs(case, side), shield=_shield(case, 1 - side),
        plane=plane if case.get("air") else -1, cover=cover, sea=int(bool(case.get("sea"))),
    )  # fmt: skip
    fire = _fire_of(case, target if side == ALLIED else s.place[attackers[0]], group)
    open_choice = not case.get("cover") and not c.sea and has_real_choice(target)
    assumes = {"assumes": [["2.2g", cover]]} if open_choice else {}
    return {"hex": code} | assumes | law_of(s, c, fire)
