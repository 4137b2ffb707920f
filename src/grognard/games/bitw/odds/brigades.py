"""29.1 The chances of a sweep: one disc goes without a roll, two and three fight as brigades."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from grognard.kit.cases import REMARKS, CaseError, a_list, a_number, a_word, an_object

from ..loading import AXIS
from ..rules.resistance import BRIGADES, brigades_of
from ..world import LIMITS, UNITS
from .answer import battle_answer, share_of
from .cases import CASE_KEYS, read_case, read_rulings

KEYS = ("discs", *(key for key in CASE_KEYS if key not in ("defender", "recon", "surprise", "air_rounds")))


def partisans_answer(case: dict[str, Any], in_play: bool = False) -> dict[str, Any]:
    """29.1d-f One disc is removed; brigades have 1 step each and fight as infantry of TECH 1 in that ground (P9)."""
    data = an_object(case, "", "odds", (*KEYS, *REMARKS))
    if a_word(data, "tier", ("basic", "advanced"), "odds", "advanced") == "basic":
        raise CaseError("7.0a", "advanced-words")
    discs = a_number(data, "discs", "odds", 1, LIMITS["discs_a_hex"], None)
    brigades = [{"unit": UNITS[u].id, "steps": 1, "tech": 1} for u in BRIGADES[: max(1, brigades_of(discs))]]
    one_round = read_rulings(data)["brigade_fight"]
    plain = {key: value for key, value in data.items() if key in CASE_KEYS}
    plain |= {"kind": "battle", "tier": "advanced", "defender": brigades, "air_rounds": 0}
    plain["rounds"] = 1 if one_round or data.get("rounds") is None else data["rounds"]
    read_case(plain, in_play)
    for entry in a_list(data, "attacker", "odds"):
        unit = next(u for u in UNITS if u.id == entry["unit"])
        if unit.side != AXIS or not unit.is_ground or entry.get("crossing") in ("sea", "air"):
            raise CaseError("29.1d", "not-a-sweeper", unit=unit.id)
    if discs == 1:
        return {"game": "bitw", "kind": "partisans", "exact": True, "rule": "29.1d", "removed": share_of(Fraction(1))}
    answer = battle_answer(plain)
    names = {UNITS[u].id: f"partisans-{i + 1}" for i, u in enumerate(BRIGADES)}
    return {
        "game": "bitw",
        "kind": "partisans",
        "exact": True,
        "policy": answer["policy"],
        "first_round": [renamed(step, names) for step in answer["first_round"]],
        "results": answer["outcome"]["results"],
        "units": [unit | {"unit": names.get(unit["unit"], unit["unit"])} for unit in answer["outcome"]["units"]],
        "law": answer["outcome"]["law"],
    }


def renamed(step: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """A fire step with brigades under their own names."""
    shots = [shot | {"unit": names.get(shot["unit"], shot["unit"])} for shot in step["shots"]]
    return step | {"shots": shots}
