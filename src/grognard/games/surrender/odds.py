"""The odds book: one case in plain data, exact chances out, through the rules that the game itself plays by.

`odds_case(case, lang)` answers one case, `odds_table()` gives the law for every pair of modifiers, `render_case` and
`render_table` write them for a terminal. `CaseError` says which rule refuses a case.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from grognard.games.surrender.charts import CODES, setting
from grognard.games.surrender.reading import (
    KINDS,
    CaseError,
    air_case,
    in_maritime_zone,
    read_air,
    read_air_battle,
    read_fac_lost,
    read_ground,
    read_strategic,
    word,
)  # fmt: skip
from grognard.games.surrender.rules.cases import ATTACKER, DEFENDER, AirCase, Case, GroundCase, Wing
from grognard.games.surrender.rules.chances import Law, drm_law, result_law
from grognard.games.surrender.rules.effects import air_effects, ground_effects, strategic_effects
from grognard.games.surrender.rules.results import air_support
from grognard.games.surrender.rules.tally import Tally, tally
from grognard.games.surrender.wallchart import table_png, table_svg
from grognard.games.surrender.words import say, title_of
from grognard.odds.law import as_fractions, bar, fraction_text, law_of, mixture, percent

__all__ = ["CaseError", "odds_case", "odds_table", "render_case", "render_table", "table_png", "table_svg"]


def odds_case(case: dict[str, Any], lang: str = "en") -> dict[str, Any]:
    """The answer to one case; an illegal one gives `{"error": {"rule", "message"}}`."""
    try:
        return _answer(case)
    except CaseError as error:
        message = say(f"case.{error.reason}", lang, **error.data)
        return {"error": {"rule": error.rule, "message": message}}


def _answer(data: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise CaseError("seq-6-type", "not_an_object", where="case")
    kind = word(data, "kind", KINDS, "seq-6-type")
    if kind == "ground":
        return _ground(data)
    case: Case
    if kind == "air":
        case = read_air(data)
        law, answer = _both_sides(case)
        answer["effects"] = _plain(air_effects(case, law))
    else:
        case = read_strategic(data)
        law, answer = _both_sides(case)
        answer["effects"] = _plain(strategic_effects(case, law, *read_fac_lost(data)))
    return {"kind": kind} | answer | _notes(case)


def _both_sides(case: Case) -> tuple[Law, dict[str, Any]]:
    sides = {role: tally(case, role) for role in (ATTACKER, DEFENDER)}
    law = result_law(sides[ATTACKER], sides[DEFENDER])
    return law, {role: tally_json(side) for role, side in sides.items()} | {"results": as_fractions(law)}


def tally_json(side: Tally) -> dict[str, Any]:
    """A tally as plain data: the lines, their sum, what the cap leaves, the divisions."""
    return {
        "items": [{"rule": item.rule, "drm": item.drm} for item in side.items],
        "sum": side.sum,
        "drm": side.drm,
        "capped": side.is_capped,
        "halvings": list(side.halvings),
    }


def _ground(data: dict[str, Any]) -> dict[str, Any]:
    case = read_ground(data)
    wings = read_air_battle(data)
    maritime = in_maritime_zone(data.get("hex") or {})
    choice = word(data, "fort_choice", ("retreat", "hold"), "result-DR-fort", "retreat")
    if len(wings) == 2:
        return _with_air_battle(case, air_case(case, wings, data.get("air_events"), maritime), choice)
    case = _with_lone_support(case, wings)
    law, answer = _both_sides(case)
    return {"kind": "ground"} | answer | _ground_effects(case, [(Fraction(1), case, law)], choice) | _notes(case)


def _with_lone_support(case: GroundCase, wings: dict[str, Wing]) -> GroundCase:
    """seq-3-air-battle An air unit that nobody opposes keeps its support."""
    if not wings:
        return case
    return replace(case, air_attacker=ATTACKER in wings, air_defender=DEFENDER in wings)


def _with_air_battle(case: GroundCase, battle: AirCase, choice: str) -> dict[str, Any]:
    """seq-3-resume The air battle first; each of its awards makes a branch of the ground combat."""
    air_law, air = _both_sides(battle)
    awards = law_of((chance, air_support(code)) for code, chance in air_law.items() if chance)
    parts, branches = [], []
    for award, chance in awards.items():
        branch = replace(case, air_attacker=award[0], air_defender=award[1])
        law, answer = _both_sides(branch)
        parts.append((chance, branch, law))
        support = {ATTACKER: award[0], DEFENDER: award[1]}
        branches.append({"p": fraction_text(chance), "air_support": support} | answer)
    _, certain = _both_sides(case)
    law = mixture((chance, law) for chance, _, law in parts)
    answer = {"kind": "ground", ATTACKER: certain[ATTACKER], DEFENDER: certain[DEFENDER], "branches": branches}
    answer["air_battle"] = air | {"effects": _plain(air_effects(battle, air_law))}
    answer["results"] = as_fractions({code: law[code] for code in CODES})
    return answer | _ground_effects(case, parts, choice) | _notes(case)


def _ground_effects(case: GroundCase, parts: list[tuple[Fraction, GroundCase, Law]], choice: str) -> dict[str, Any]:
    """Consequences under the named choice of a fort's garrison, and under both when there is a choice (R-09)."""
    policies = {
        name: mixture((chance, ground_effects(part, law, name == "hold")) for chance, part, law in parts)
        for name in ("retreat", "hold")
    }
    effects: dict[str, Any] = {"effects": as_fractions(policies[choice])}
    if case.fort and case.can_retreat:
        effects["fort_choice"] = choice
        effects["effects_by_fort_choice"] = {name: as_fractions(law) for name, law in policies.items()}
    return effects


def _plain(effects: Mapping[str, Any]) -> dict[str, Any]:
    return {k: fraction_text(v) if isinstance(v, Fraction) else as_fractions(v) for k, v in effects.items()}


def _notes(case: Case) -> dict[str, Any]:
    """Things a case says that no line of the sheet reads, by rule."""
    notes = []
    if isinstance(case, GroundCase):
        if case.isolated and case.can_retreat:
            notes.append("ground-isolated-def")
        if case.naval_support and case.action != "amphibious":
            notes.append("amphib-drm-naval-good")
    if isinstance(case, GroundCase | AirCase) and any(m.halve for side in case.events.values() for m in side):
        notes.append("strategic-halve-event")
    return {"notes": notes} if notes else {}


def odds_table(low: int | None = None, high: int | None = None, halvings: tuple[int, int] = (0, 0)) -> dict[str, Any]:
    """The law of the results for every pair of modifiers, attacker by defender."""
    cap = setting("cap")
    drms = range(-cap if low is None else low, (cap if high is None else high) + 1)
    cells = {
        f"{attacker},{defender}": as_fractions(pair_law(attacker, defender, halvings))
        for attacker in drms
        for defender in drms
    }
    return {"attacker": list(drms), "defender": list(drms), "halvings": list(halvings), "cells": cells}


def pair_law(attacker: int, defender: int, halvings: tuple[int, int] = (0, 0)) -> Law:
    """The law for two capped modifiers and the number of divisions of each side."""
    return drm_law((attacker, halvings[0]), (defender, halvings[1]))


# ---- for a terminal ----------------------------------------------------------------------------------------------


def render_case(answer: dict[str, Any], lang: str = "en") -> str:
    """The answer as a table with bars, in English or French."""
    if "error" in answer:
        return say("odds.refused", lang, rule=answer["error"]["rule"], message=answer["error"]["message"])
    lines: list[str] = []
    if "air_battle" in answer:
        lines += [say("odds.air_battle", lang), *_render_sides(answer["air_battle"], lang)]
        lines += [*_render_results(answer["air_battle"]["results"], lang), ""]
    lines += [say(f"odds.kind.{answer['kind']}", lang)]
    if "branches" in answer:
        for branch in answer["branches"]:
            support = "".join("x" if branch["air_support"][role] else "-" for role in (ATTACKER, DEFENDER))
            chance = percent(Fraction(branch["p"]), say("odds.decimal", lang))
            lines += ["", say(f"odds.branch.{support}", lang, chance=chance), *_render_sides(branch, lang)]
        lines += ["", say("odds.together", lang)]
    else:
        lines += _render_sides(answer, lang)
    lines += _render_results(answer["results"], lang)
    lines += ["", say("odds.effects", lang), *_render_effects(answer["effects"], lang)]
    lines += [say("odds.note", lang, title=title_of(rule, lang), rule=rule) for rule in answer.get("notes", ())]
    return "\n".join(lines)


def _render_sides(answer: dict[str, Any], lang: str) -> list[str]:
    lines = []
    for role in (ATTACKER, DEFENDER):
        side = answer[role]
        cap = say("odds.capped", lang, sum=f"{side['sum']:+d}") if side["capped"] else ""
        lines.append(f"{say(f'odds.{role}', lang)}  {side['drm']:+d}{cap}")
        lines += [f"   {item['drm']:+3d}  {title_of(item['rule'], lang)}  [{item['rule']}]" for item in side["items"]]
        lines += [f"    ÷2  {title_of(rule, lang)}  [{rule}]" for rule in side["halvings"]]
    return lines


def _render_results(results: dict[str, str], lang: str) -> list[str]:
    return [_line(say(f"odds.code.{code}", lang), Fraction(results[code]), lang) for code in CODES]


def _render_effects(effects: dict[str, Any], lang: str) -> list[str]:
    lines = []
    for key, value in effects.items():
        if isinstance(value, dict):
            law = ", ".join(f"{k}: {percent(Fraction(v), say('odds.decimal', lang))}" for k, v in value.items())
            lines.append(f"  {say(f'odds.effect.{key}', lang):<38} {law}")
        elif Fraction(value):
            lines.append(_line(say(f"odds.effect.{key}", lang), Fraction(value), lang, width=38))
    return lines


def _line(label: str, chance: Fraction, lang: str, width: int = 26) -> str:
    share = percent(chance, say("odds.decimal", lang))
    return f"  {label:<{width}} {fraction_text(chance):>9} {share:>8}  {bar(chance)}".rstrip()


def render_table(table: dict[str, Any], lang: str = "en") -> str:
    """The wall chart in characters: for each pair, chance that the defender gives way / that the attacker is hurt."""
    drms = table["attacker"]
    lines = [say("odds.table.title", lang), say("odds.table.legend", lang), ""]
    lines.append("        " + "".join(f"{drm:+6d}" for drm in drms))
    for defender in table["defender"]:
        cells = []
        for attacker in drms:
            law = {code: Fraction(p) for code, p in table["cells"][f"{attacker},{defender}"].items()}
            good, bad = law["DR"] + law["DD"] + law["DE"], law["AS"] + law["AA"]
            cells.append(f" {_short(good)}/{_short(bad)}")
        lines.append(f"{defender:+6d}  " + "".join(f"{cell:>6}" for cell in cells))
    return "\n".join(lines)


def _short(chance: Fraction) -> str:
    """Two characters: a percentage that never says 0 or 100 unless it is certain."""
    if chance == 1:
        return "**"
    value = max(1, min(99, round(chance * 100))) if chance else 0
    return f"{value:02d}" if value else "--"
