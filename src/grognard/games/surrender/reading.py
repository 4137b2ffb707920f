"""Reading a combat case from plain data (JSON): every word checked, every refusal naming the rule it breaks."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from grognard.games.surrender.charts import (
    AIR_TYPES,
    FACTIONS,
    GROUND_TYPES,
    HEXSIDES,
    SHIP_TYPES,
    SUPPLIES,
    WEATHERS,
    countries,
    country_words,
    setting,
)  # fmt: skip
from grognard.games.surrender.rules.cases import (
    MISSIONS,
    ROLES,
    AirCase,
    Army,
    GroundCase,
    Marker,
    Rulings,
    StrategicCase,
    Wing,
)  # fmt: skip

KINDS = ("ground", "air", "strategic")
ACTIONS = ("mobile", "assault", "amphibious")
UNIT_KEYS = ("name", "nation", "faction", "type", "elite", "reduced", "supply", "sorties", "in_england")
REMARKS = ("id", "name", "title", "note", "comment")  # a case may carry them; nobody reads them


class CaseError(ValueError):
    """A case that the rules or the format refuse: the rule, a text key and the facts of the sentence."""

    def __init__(self, rule: str, reason: str, **data: Any) -> None:
        super().__init__(f"{reason} ({rule}) {data}")
        self.rule, self.reason, self.data = rule, reason, data


def known_keys(data: Any, where: str, rule: str, known: tuple[str, ...]) -> dict[str, Any]:
    """The object at `where`, refused if it is none or holds a word that nobody reads."""
    if not isinstance(data, dict):
        raise CaseError(rule, "not_an_object", where=where)
    for key in data:
        if key not in known:
            raise CaseError(rule, "unknown_key", where=where, field=str(key), known=", ".join(known))
    return data


def word(data: dict[str, Any], key: str, known: tuple[str, ...], rule: str, default: str | None = None) -> str:
    """One of a few words."""
    value = data.get(key)
    if value is None:
        value = default
    if value is None:
        raise CaseError(rule, "missing", field=key, known=", ".join(known))
    if not isinstance(value, str) or value.lower() not in known:
        raise CaseError(rule, "unknown_word", field=key, value=str(value), known=", ".join(known))
    return value.lower()


def flag(data: dict[str, Any], key: str, rule: str, default: bool = False) -> bool:
    """A yes or no."""
    value = data.get(key)
    if value is None:
        return default
    if not isinstance(value, bool):
        raise CaseError(rule, "not_a_flag", field=key, value=str(value))
    return value


def whole(data: dict[str, Any], key: str, rule: str, low: int, high: int, default: int = 0) -> int:
    """A whole number within limits."""
    value = data.get(key)
    if value is None:
        return default
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise CaseError(rule, "not_in_range", field=key, value=str(value), low=low, high=high)
    return value


def read_nation(data: dict[str, Any]) -> str:
    """The country a unit belongs to, by any of its names."""
    value = data.get("nation")
    words = country_words()
    name = value.lower().replace("_", " ").strip() if isinstance(value, str) else ""
    if name not in words:
        raise CaseError("countries", "unknown_nation", value=str(value), known=", ".join(countries()))
    return words[name]


def read_army(data: Any, where: str) -> Army:
    """A ground unit."""
    unit = known_keys(data, where, "unit-ground", UNIT_KEYS)
    return Army(
        nation=read_nation(unit),
        type=word(unit, "type", GROUND_TYPES, "unit-ground"),
        elite=flag(unit, "elite", "ground-drm-elite"),
        reduced=flag(unit, "reduced", "unit-strength"),
        supply=word(unit, "supply", SUPPLIES, "supply-states", "full"),
    )


def read_wing(data: Any, where: str) -> Wing:
    """An air or naval unit."""
    unit = known_keys(data, where, "unit-air", UNIT_KEYS)
    nation = read_nation(unit)
    return Wing(
        nation=nation,
        type=word(unit, "type", AIR_TYPES + SHIP_TYPES, "unit-air"),
        faction=word(unit, "faction", FACTIONS, "factions", countries()[nation].faction),
        supply=word(unit, "supply", SUPPLIES, "supply-states", "full"),
        sorties=whole(unit, "sorties", "sorties-max", 0, setting("sortie_limit")),
        in_england=flag(unit, "in_england", "england"),
    )


def read_events(data: Any, where: str) -> dict[str, tuple[Marker, ...]]:
    """Committed markers, listed with the side whose die they change."""
    sides = known_keys({} if data is None else data, where, "seq-2-events", ROLES)
    events: dict[str, list[Marker]] = {role: [] for role in ROLES}
    for role in ROLES:
        for entry in sides.get(role) or ():
            marker, halved = read_marker(entry, f"{where}.{role}", role)
            events[role].append(marker)
            if halved and halved != role:
                events[halved].append(Marker(marker.name, 0, halve=True))
    return {role: tuple(markers) for role, markers in events.items()}


def read_marker(data: Any, where: str, role: str) -> tuple[Marker, str]:
    """One marker, and the side that it halves: the one it stands with (`true`) or the one it names."""
    marker = known_keys(data, where, "seq-2-events", ("name", "drm", "halve", "bridges"))
    order = marker.get("halve")
    if isinstance(order, str):
        halved = word(marker, "halve", ROLES, "strategic-halve-event")
    else:
        halved = role if flag(marker, "halve", "strategic-halve-event") else ""
    return Marker(
        name=str(marker.get("name", "")),
        drm=whole(marker, "drm", "seq-2-events", -99, 99),
        halve=halved == role,
        bridges=flag(marker, "bridges", "event-airdrop"),
    ), halved


def read_rulings(data: Any) -> Rulings:
    """The switches of the rulings; whatever is not named keeps our reading."""
    names = tuple(f.name for f in fields(Rulings))
    given = known_keys({} if data is None else data, "rulings", "seq-4-own", names)
    rulings = Rulings()
    if "extra_armour_poor" in given:
        value = whole(given, "extra_armour_poor", "assault-drm-extra-tank-shock", 1, 2)
        rulings = replace(rulings, extra_armour_poor=value)
    if "port_lines" in given:
        value_ = word(given, "port_lines", ("line", "zone"), "strategic-drm-axis-stack")
        rulings = replace(rulings, port_lines=value_)
    if "carrier_flies" in given:
        rulings = replace(rulings, carrier_flies=flag(given, "carrier_flies", "air-drm-air-vs-naval"))
    if "blocked_dd" in given:
        value_ = word(given, "blocked_dd", ("eliminated", "reduced"), "result-DD-blocked")
        rulings = replace(rulings, blocked_dd=value_)
    return rulings


HEX_KEYS = ("weather", "city", "difficult", "fort", "island", "coastal", "maritime_zone")
GROUND_KEYS = (
    "kind", "action", "hex", "hexside", "attacker", "defender", "additional", "isolated", "can_retreat", "fort_choice",
    "naval_support", "air_support", "air", "events", "air_events", "rulings",
)  # fmt: skip


def read_ground(data: dict[str, Any]) -> GroundCase:
    """A ground case as far as the ground; its air battle is read by `read_air_battle`."""
    known_keys(data, "case", "seq-6-type", GROUND_KEYS + REMARKS)
    action = word(data, "action", ACTIONS, "activation-choice")
    where = known_keys(data.get("hex") or {}, "hex", "map-hex", HEX_KEYS)
    support = known_keys(data.get("air_support") or {}, "air_support", "seq-2-air", ROLES)
    additional = data.get("additional") or ()
    if not isinstance(additional, list | tuple):
        raise CaseError("seq-1-cap", "not_a_list", field="additional")
    check_attackers(action, len(additional))
    isolated = flag(data, "isolated", "ground-isolated-def")
    case = GroundCase(
        action=action,
        attacker=read_army(data.get("attacker"), "attacker"),
        defender=read_army(data.get("defender"), "defender"),
        weather=word(where, "weather", WEATHERS, "weather-words", "good"),
        city=flag(where, "city", "map-hex"),
        difficult=flag(where, "difficult", "map-hex"),
        fort=flag(where, "fort", "map-hex"),
        island=flag(where, "island", "map-hex"),
        coastal=flag(where, "coastal", "map-hex", default=action == "amphibious"),
        hexside=word(data, "hexside", HEXSIDES, "map-hexside", "none"),
        additional=tuple(read_army(unit, f"additional[{i}]") for i, unit in enumerate(additional)),
        isolated=isolated,
        can_retreat=flag(data, "can_retreat", "result-DR", default=not isolated),
        naval_support=flag(data, "naval_support", "amphib-drm-naval-good"),
        air_attacker=flag(support, "attacker", "seq-2-air"),
        air_defender=flag(support, "defender", "seq-2-air"),
        events=read_events(data.get("events"), "events"),
        rulings=read_rulings(data.get("rulings")),
    )
    if action == "mobile" and case.fort:
        raise CaseError("fort-assault-only", "fort_needs_assault")
    return case


def check_attackers(action: str, additional: int) -> None:
    """seq-1-mobile, seq-1-cap A mobile attack has one attacker; an assault has three at most."""
    if action == "mobile" and additional:
        raise CaseError("seq-1-mobile", "mobile_is_alone", count=additional + 1)
    if additional > 2:
        raise CaseError("seq-1-cap", "too_many_attackers", count=additional + 1)


def read_air_battle(data: dict[str, Any]) -> dict[str, Wing]:
    """The air units committed to a ground combat, by role; at most one a side."""
    units = known_keys(data.get("air") or {}, "air", "seq-2-air", ROLES)
    if units and data.get("air_support"):
        raise CaseError("seq-3-air-battle", "air_twice")
    wings = {role: read_wing(units[role], f"air.{role}") for role in ROLES if units.get(role)}
    for role, wing in wings.items():
        check_supporter(wing, role)
    return wings


def check_supporter(wing: Wing, role: str) -> None:
    """air-support-range Only air units, with a sortie to spare, support a ground combat."""
    if not wing.flies:
        raise CaseError("air-support-range", "ships_cannot_support", role=role, type=wing.type)
    if wing.sorties >= setting("sortie_limit"):
        raise CaseError("sorties-max", "worn_out", role=role, sorties=wing.sorties)


def air_case(ground: GroundCase, wings: dict[str, Wing], events: Any, maritime: bool) -> AirCase:
    """seq-3-air-battle The fight between the two committed air units, over the defender's hex."""
    return AirCase(
        mission="ground_support", attacker=wings["attacker"], defender=wings["defender"], weather=ground.weather,
        maritime=maritime, events=read_events(events, "air_events"), rulings=ground.rulings,
    )  # fmt: skip


def in_maritime_zone(where: dict[str, Any]) -> bool:
    """A hex of a maritime zone: true, or the number of the zone."""
    value = where.get("maritime_zone")
    if not value or isinstance(value, bool):
        return bool(value)
    if isinstance(value, int) and 1 <= value <= 32:
        return True
    raise CaseError("map-zones", "not_in_range", field="maritime_zone", value=str(value), low=1, high=32)


AIR_KEYS = ("kind", "mission", "hex", "attacker", "defender", "events", "rulings")


def read_air(data: dict[str, Any]) -> AirCase:
    """An air/naval case."""
    known_keys(data, "case", "seq-6-type", AIR_KEYS + REMARKS)
    where = known_keys(data.get("hex") or {}, "hex", "map-hex", HEX_KEYS)
    mission = word(data, "mission", MISSIONS, "air-effect-route")
    case = AirCase(
        mission=mission,
        attacker=read_wing(data.get("attacker"), "attacker"),
        defender=read_wing(data.get("defender"), "defender"),
        weather=word(where, "weather", WEATHERS, "weather-words", "good"),
        maritime=in_maritime_zone(where),
        events=read_events(data.get("events"), "events"),
        rulings=read_rulings(data.get("rulings")),
    )
    if mission == "ground_support":
        check_supporter(case.attacker, "attacker")
        check_supporter(case.defender, "defender")
    if case.attacker.sorties >= setting("sortie_limit"):
        raise CaseError("sorties-max", "worn_out", role="attacker", sorties=case.attacker.sorties)
    return case


STRATEGIC_KEYS = (
    "kind", "versus", "axis_port_zones", "usa_western", "western_in_13", "soviet_air_in_13", "conquered_allied",
    "bombed_german_factories", "fac_lost", "events", "rulings",
)  # fmt: skip


def read_strategic(data: dict[str, Any]) -> StrategicCase:
    """A strategic case; the Axis attacks."""
    known_keys(data, "case", "seq-6-type", STRATEGIC_KEYS + REMARKS)
    zones = data.get("axis_port_zones") or ()
    if not isinstance(zones, list | tuple):
        raise CaseError("map-zones", "not_a_list", field="axis_port_zones")
    return StrategicCase(
        versus=word(data, "versus", ("western", "soviet"), "strategic-sides"),
        axis_port_zones=frozenset(whole({"zone": z}, "zone", "map-zones", 1, 32) for z in zones),
        usa_western=flag(data, "usa_western", "strategic-drm-west-usa"),
        western_in_13=flag(data, "western_in_13", "strategic-drm-west-13"),
        soviet_air_in_13=flag(data, "soviet_air_in_13", "strategic-drm-soviet-13"),
        conquered_allied=whole(data, "conquered_allied", "strategic-drm-soviet-conquered", 0, 99),
        bombed_german_factories=whole(data, "bombed_german_factories", "strategic-drm-west-bombed", 0, 99),
        events=read_events(data.get("events"), "events"),
        rulings=read_rulings(data.get("rulings")),
    )


def read_fac_lost(data: dict[str, Any]) -> tuple[int | None, int | None]:
    """Where the two Fac Lost markers stand, when the case says so."""
    lost = known_keys(data.get("fac_lost") or {}, "fac_lost", "strategic-fac-range", ("germany", "ally", "uk", "ussr"))
    ally = next((key for key in ("ally", "uk", "ussr") if key in lost), "ally")
    germany = whole(lost, "germany", "strategic-fac-range", 1, 9) if "germany" in lost else None
    return germany, whole(lost, ally, "strategic-fac-range", 1, 9) if ally in lost else None
