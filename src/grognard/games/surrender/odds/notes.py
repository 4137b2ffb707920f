"""Notes on an odds case: what it says that no rule reads there, and what could not happen in a game, by rule id.

The odds book answers hypothetical cases; a note warns where a refusal would be too strict.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from grognard.games.surrender.loading import AIR_TYPES, SHIP_TYPES, countries, country_words
from grognard.games.surrender.odds.cases import LAND_KEYS
from grognard.games.surrender.rules.cases import AirCase, Case, GroundCase, StrategicCase

GROUND_ONLY = {"elite": "ground-drm-elite", "reduced": "ground-drm-reduced"}  # keys of a unit, and who reads them
_WINGS = AIR_TYPES, "air-strike"
_ANY = AIR_TYPES + SHIP_TYPES, ""
_INTERCEPTORS = (*AIR_TYPES, "warship", "carrier"), "intercept"
_CONVOY = ("convoy",)
PARTS = {  # by mission: who can attack and who can defend, and the rule that says so
    "air_strike": (_WINGS, _ANY),
    "ground_support": (_ANY, _ANY),  # ships are refused when the case is read
    "escort": (_INTERCEPTORS, (("fighter", "warship", "carrier"), "escort-setup")),
    "interdiction_bombing": ((("fighter", "carrier"), "intercept"), (("bomber",), "bombing")),
    "interdiction_naval": (_INTERCEPTORS, (SHIP_TYPES, "naval-move")),
    "interdiction_invasion": (_INTERCEPTORS, (_CONVOY, "invasion")),
    "interdiction_supply": (_INTERCEPTORS, (_CONVOY, "supply-sea")),
}
WING_ONLY = {"sorties": "air-drm-sorties", "in_england": "air-drm-england"}


def notes_on(case: Case, data: dict[str, Any], battle: AirCase | None = None) -> dict[str, list[str]]:
    """The notes of a case that was read without complaint, each rule once; nothing when there are none."""
    notes = [*_from_ground(case, data, battle), *_from_markers(case, battle), *_from_keys(case, data)]
    notes += _from_mission(case)
    if not _factions_at_war(data):
        notes.append("factions")
    return {"notes": list(dict.fromkeys(notes))} if notes else {}


def _from_ground(case: Case, data: dict[str, Any], battle: AirCase | None) -> Iterator[str]:
    if not isinstance(case, GroundCase):
        return
    if case.isolated and case.can_retreat:
        yield "ground-isolated-def"
    if case.naval_support and not (case.action == "amphibious" and case.coastal):
        yield "amphib-drm-naval-good"
    if battle is None and any((data.get("air_events") or {}).values()):
        yield "seq-3-air-battle"


def _from_mission(case: Case) -> Iterator[str]:
    """Units that could not have this part in this mission: a convoy that intercepts, a warship that strikes."""
    if isinstance(case, AirCase):
        for unit, (types, rule) in zip((case.attacker, case.defender), PARTS[case.mission]):
            if unit.type not in types:
                yield rule


def _from_markers(case: Case, battle: AirCase | None) -> Iterator[str]:
    """strategic-halve-event Only strategic combat knows markers that halve."""
    for combat in (case, battle):
        if combat is None or isinstance(combat, StrategicCase):
            continue
        if any(marker.halve for side in combat.events.values() for marker in side):
            yield "strategic-halve-event"


def _from_keys(case: Case, data: dict[str, Any]) -> Iterator[str]:
    """Words of ground units on aircraft and ships, and the reverse; words of a land hex in an air case."""
    air = data.get("air") or {}
    wings = [unit for unit in air.values() if unit]
    armies: list[dict[str, Any]] = []
    if isinstance(case, GroundCase):
        armies = [data["attacker"], data["defender"], *(data.get("additional") or ())]
    elif isinstance(case, AirCase):
        wings = [data["attacker"], data["defender"]]
        if any((data.get("hex") or {}).get(key) for key in LAND_KEYS):
            yield "map-hex"
    yield from (rule for key, rule in WING_ONLY.items() if any(unit.get(key) for unit in armies))
    yield from (rule for key, rule in GROUND_ONLY.items() if any(unit.get(key) for unit in wings))


def _factions_at_war(data: dict[str, Any]) -> bool:
    """factions The Axis on one side and one of the Allied factions on the other, for every unit of the case."""
    air = data.get("air") or {}
    attackers = [data.get("attacker"), *(data.get("additional") or ()), air.get("attacker")]
    defenders = [data.get("defender"), air.get("defender")]
    pairs = product(filter(None, attackers), filter(None, defenders))
    return all((_faction(one) == "axis") != (_faction(other) == "axis") for one, other in pairs)


def _faction(unit: dict[str, Any]) -> str:
    named = unit.get("faction")
    nation = country_words()[unit["nation"].lower().replace("_", " ").strip()]
    return named.lower() if named else countries()[nation].faction
