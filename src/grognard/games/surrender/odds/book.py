"""Answering a typed case, and the law for every pair of modifiers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from grognard.games.surrender.loading import CODES, setting
from grognard.games.surrender.odds.cases import (
    KINDS,
    OrderedHalving,
    air_case,
    in_maritime_zone,
    read_air,
    read_air_battle,
    read_events,
    read_fac_lost,
    read_fort_choice,
    read_ground,
    read_strategic,
)  # fmt: skip
from grognard.games.surrender.odds.effects import air_effects, ground_effects, strategic_effects
from grognard.games.surrender.odds.law import Law, drm_law, result_law
from grognard.games.surrender.odds.notes import notes_on
from grognard.games.surrender.odds.text import role_of
from grognard.games.surrender.rules.cases import ATTACKER, DEFENDER, AirCase, Case, GroundCase, Wing
from grognard.games.surrender.rules.results import air_support
from grognard.games.surrender.rules.tally import EVENT_RULE, Item, Tally, kind_of, tally
from grognard.kit.cases import CaseError, Part, a_word, quoted, refused
from grognard.odds.law import as_fractions, fraction_text, law_of, mixture


def odds_case(case: dict[str, Any], lang: str = "en") -> dict[str, Any]:
    """The answer to one case; an illegal one gives `{"error": {"rule", "message"}}`."""
    try:
        return _answer(case)
    except CaseError as error:
        return refused("surrender", error, lang, **role_of(error, lang))


def _answer(data: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise CaseError("seq-6-type", "not-an-object", where="", value=quoted(data))
    kind = a_word(Part(data), "kind", KINDS, "seq-6-type")
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
    return {"kind": kind} | answer | notes_on(case, data)


def _both_sides(case: Case) -> tuple[Law, dict[str, Any]]:
    sides = {role: full_tally(case, role) for role in (ATTACKER, DEFENDER)}
    law = result_law(sides[ATTACKER], sides[DEFENDER])
    return law, {role: tally_json(side) for role, side in sides.items()} | {"results": as_fractions(law)}


def full_tally(case: Case, role: str) -> Tally:
    """The tally with a line for every listed marker, even one that is worth 0."""
    side, rule = tally(case, role), EVENT_RULE[kind_of(case)]
    markers = [marker for marker in case.events.get(role, ()) if not isinstance(marker, OrderedHalving)]
    lines = [item for item in side.items if item.rule != rule]
    return Tally((*lines, *(Item(rule, m.drm, m.name) for m in markers)), side.halvings)


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
    at_sea = in_maritime_zone(data)
    events = read_events(Part(data), "air_events")
    choice = read_fort_choice(data)
    if len(wings) == 2:
        battle = air_case(case, wings, events, at_sea)
        answer = _with_air_battle(case, battle, choice)
    else:
        battle = None
        case = _with_lone_support(case, wings)
        law, answer = _both_sides(case)
        answer |= _ground_effects(case, [(Fraction(1), case, law)], choice)
    if "fort_choice" in answer and data.get("fort_choice") is None:
        answer["fort_choice_assumed"] = True
    return {"kind": "ground"} | answer | notes_on(case, data, battle)


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
    law = mixture((chance, law) for chance, _, law in parts)
    if len(branches) > 1:
        _, answer = _both_sides(case)
        answer["branches"] = branches
    else:
        _, answer = _both_sides(parts[0][1])
    answer["air_battle"] = air | {"effects": _plain(air_effects(battle, air_law))}
    answer["results"] = as_fractions({code: law[code] for code in CODES})
    return answer | _ground_effects(case, parts, choice)


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
