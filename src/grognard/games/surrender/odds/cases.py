"""Reading a combat case from plain data (JSON): every word checked, every refusal naming the rule it breaks."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from grognard.games.surrender.loading import (
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
LONGEST = 60  # characters of a value quoted in a refusal
REMARKS = ("id", "name", "title", "note", "comment")  # a case may carry them; nobody reads them


class CaseError(ValueError):
    """A case that the rules or the format refuse: the rule, a text key and the facts of the sentence."""

    def __init__(self, rule: str, reason: str, **data: Any) -> None:
        super().__init__(f"{reason} ({rule}) {data}")
        self.rule, self.reason, self.data = rule, reason, data


class Part(dict[str, Any]):
    """An object of the case that knows its place in it, so that a refusal can name `attacker.nation`."""

    where: str = ""

    def place(self, key: str) -> str:
        """The path of one of its fields."""
        return f"{self.where}.{key}" if self.where else key


class OrderedHalving(Marker):
    """The half of a marker that acts on the other side: it divides there, but has no line of its own."""

    __slots__ = ()


def quoted(value: Any) -> str:
    """A value as the case writes it, cut where it grows long.

    >>> quoted("tank"), quoted(None), quoted([1, 2])
    ('"tank"', 'null', '[1, 2]')
    """
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def known_keys(data: Any, where: str, rule: str, known: tuple[str, ...]) -> Part:
    """The object at `where` ("": the whole case), refused if it is none or holds a word that nobody reads."""
    if data is None and where:
        raise CaseError(rule, "missing_object", field=where, known=", ".join(known))
    if not isinstance(data, dict):
        raise CaseError(rule, "not_an_object", where=where, value=quoted(data))
    for key in data:
        if key not in known:
            raise CaseError(rule, "unknown_key", where=where, value=quoted(key), known=", ".join(known))
    part = Part(data)
    part.where = where
    return part


def optional(data: dict[str, Any], key: str, rule: str, known: tuple[str, ...]) -> Part:
    """An object that may be left out."""
    value = data.get(key)
    return known_keys({} if value is None else value, key, rule, known)


def listed(data: Part, key: str, rule: str) -> list[Any]:
    """A list that may be left out."""
    value = data.get(key)
    if value is None:
        return []
    if not isinstance(value, list | tuple):
        raise CaseError(rule, "not_a_list", field=data.place(key), value=quoted(value))
    return list(value)


def word(data: Part, key: str, known: tuple[str, ...], rule: str, default: str | None = None) -> str:
    """One of a few words."""
    value = data.get(key)
    if value is None:
        value = default
    if value is None:
        raise CaseError(rule, "missing", field=data.place(key), known=", ".join(known))
    if not isinstance(value, str) or value.lower() not in known:
        raise CaseError(rule, "unknown_word", field=data.place(key), value=quoted(value), known=", ".join(known))
    return value.lower()


def flag(data: Part, key: str, rule: str, default: bool = False) -> bool:
    """A yes or no."""
    value = data.get(key)
    if value is None:
        return default
    if not isinstance(value, bool):
        raise CaseError(rule, "not_a_flag", field=data.place(key), value=quoted(value))
    return value


def whole(data: Part, key: str, rule: str, low: int, high: int, default: int | None = 0) -> int:
    """A whole number within limits; without a default it must be given."""
    value = data.get(key)
    if value is None and default is not None:
        return default
    facts = {"field": data.place(key), "low": low, "high": high}
    if value is None:
        raise CaseError(rule, "missing_number", **facts)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise CaseError(rule, "not_in_range", value=quoted(value), **facts)
    return value


def read_nation(data: Part) -> str:
    """The country a unit belongs to, by any of its names."""
    value = data.get("nation")
    known = ", ".join(countries())
    if value is None:
        raise CaseError("countries", "missing", field=data.place("nation"), known=known)
    words = country_words()
    name = value.lower().replace("_", " ").strip() if isinstance(value, str) else ""
    if name not in words:
        raise CaseError("countries", "unknown_nation", field=data.place("nation"), value=quoted(value), known=known)
    return words[name]


def read_army(data: Any, where: str) -> Army:
    """A ground unit; what only aircraft and ships have is checked and left aside."""
    unit = known_keys(data, where, "unit-ground", UNIT_KEYS)
    nation = read_nation(unit)
    _read_wing_words(unit, nation)
    return Army(
        nation=nation,
        type=word(unit, "type", GROUND_TYPES, "unit-ground"),
        elite=flag(unit, "elite", "ground-drm-elite"),
        reduced=flag(unit, "reduced", "unit-strength"),
        supply=word(unit, "supply", SUPPLIES, "supply-states", "full"),
    )


def read_wing(data: Any, where: str) -> Wing:
    """An air or naval unit; what only ground units have is checked and left aside."""
    unit = known_keys(data, where, "unit-air", UNIT_KEYS)
    nation = read_nation(unit)
    flag(unit, "elite", "ground-drm-elite")
    flag(unit, "reduced", "unit-strength")
    faction, sorties, in_england = _read_wing_words(unit, nation)
    return Wing(
        nation=nation,
        type=word(unit, "type", AIR_TYPES + SHIP_TYPES, "unit-air"),
        faction=faction,
        supply=word(unit, "supply", SUPPLIES, "supply-states", "full"),
        sorties=sorties,
        in_england=in_england,
    )


def _read_wing_words(unit: Part, nation: str) -> tuple[str, int, bool]:
    return (
        word(unit, "faction", FACTIONS, "factions", countries()[nation].faction),
        whole(unit, "sorties", "sorties-max", 0, setting("sortie_limit")),
        flag(unit, "in_england", "england"),
    )


def read_events(data: Part, key: str) -> dict[str, tuple[Marker, ...]]:
    """Committed markers, listed with the side whose die they change."""
    sides = optional(data, key, "seq-2-events", ROLES)
    events: dict[str, list[Marker]] = {role: [] for role in ROLES}
    for role in ROLES:
        for i, entry in enumerate(listed(sides, role, "seq-2-events")):
            marker, halved = read_marker(entry, f"{key}.{role}[{i}]", role)
            events[role].append(marker)
            if halved and halved != role:
                events[halved].append(OrderedHalving(marker.name, 0, halve=True))
    return {role: tuple(markers) for role, markers in events.items()}


def read_marker(data: Any, where: str, role: str) -> tuple[Marker, str]:
    """One marker, and the side that it halves: the one it stands with (`true`) or the one it names."""
    marker = known_keys(data, where, "seq-2-events", ("name", "drm", "halve", "bridges"))
    name, order = marker.get("name"), marker.get("halve")
    if not isinstance(name, str):
        reason = "missing_text" if name is None else "not_text"
        raise CaseError("seq-2-events", reason, field=marker.place("name"), value=quoted(name))
    if isinstance(order, str):
        halved = word(marker, "halve", ROLES, "strategic-halve-event")
    else:
        halved = role if flag(marker, "halve", "strategic-halve-event") else ""
    return Marker(
        name=name,
        drm=whole(marker, "drm", "seq-2-events", -99, 99, default=None),
        halve=halved == role,
        bridges=flag(marker, "bridges", "event-airdrop"),
    ), halved


def read_rulings(data: Part) -> Rulings:
    """The switches of the rulings; whatever is not named keeps our reading."""
    given = optional(data, "rulings", "seq-4-own", tuple(f.name for f in fields(Rulings)))
    ours = Rulings()
    return Rulings(
        extra_armour_poor=whole(
            given, "extra_armour_poor", "assault-drm-extra-tank-shock", 1, 2, ours.extra_armour_poor
        ),
        port_lines=word(given, "port_lines", ("line", "zone"), "strategic-drm-axis-stack", ours.port_lines),
        carrier_flies=flag(given, "carrier_flies", "air-drm-air-vs-naval", ours.carrier_flies),
        blocked_dd=word(given, "blocked_dd", ("eliminated", "reduced"), "result-DD-blocked", ours.blocked_dd),
    )


LAND_KEYS = ("city", "difficult", "fort", "island", "coastal")
HEX_KEYS = ("weather", *LAND_KEYS, "maritime_zone")
GROUND_KEYS = (
    "kind", "action", "hex", "hexside", "attacker", "defender", "additional", "isolated", "can_retreat", "fort_choice",
    "naval_support", "air_support", "air", "events", "air_events", "rulings",
)  # fmt: skip


def read_ground(data: dict[str, Any]) -> GroundCase:
    """A ground case as far as the ground; its air battle is read by `read_air_battle`."""
    case = known_keys(data, "", "seq-6-type", GROUND_KEYS + REMARKS)
    action = word(case, "action", ACTIONS, "activation-choice")
    where = optional(case, "hex", "map-hex", HEX_KEYS)
    support = optional(case, "air_support", "seq-2-air", ROLES)
    additional = listed(case, "additional", "seq-1-cap")
    check_attackers(action, len(additional))
    isolated = flag(case, "isolated", "ground-isolated-def")
    ground = GroundCase(
        action=action,
        attacker=read_army(case.get("attacker"), "attacker"),
        defender=read_army(case.get("defender"), "defender"),
        weather=word(where, "weather", WEATHERS, "weather-words", "good"),
        city=flag(where, "city", "map-hex"),
        difficult=flag(where, "difficult", "map-hex"),
        fort=flag(where, "fort", "map-hex"),
        island=flag(where, "island", "map-hex"),
        coastal=flag(where, "coastal", "map-hex"),
        hexside=word(case, "hexside", HEXSIDES, "map-hexside", "none"),
        additional=tuple(read_army(unit, f"additional[{i}]") for i, unit in enumerate(additional)),
        isolated=isolated,
        can_retreat=flag(case, "can_retreat", "result-DR", default=not isolated),
        naval_support=flag(case, "naval_support", "amphib-drm-naval-good"),
        air_attacker=flag(support, "attacker", "seq-2-air"),
        air_defender=flag(support, "defender", "seq-2-air"),
        events=read_events(case, "events"),
        rulings=read_rulings(case),
    )
    if action == "mobile" and ground.fort:
        raise CaseError("fort-assault-only", "fort_needs_assault")
    return ground


def read_fort_choice(data: dict[str, Any]) -> str:
    """result-DR-fort What a fort's garrison does under DR; a garrison that says nothing retreats."""
    return word(Part(data), "fort_choice", ("retreat", "hold"), "result-DR-fort", "retreat")


def check_attackers(action: str, additional: int) -> None:
    """seq-1-mobile, seq-1-cap A mobile attack has one attacker; an assault has three at most."""
    if action == "mobile" and additional:
        raise CaseError("seq-1-mobile", "mobile_is_alone", count=additional + 1)
    if additional > 2:
        raise CaseError("seq-1-cap", "too_many_attackers", count=additional + 1)


def read_air_battle(data: dict[str, Any]) -> dict[str, Wing]:
    """The air units committed to a ground combat, by role; at most one a side."""
    units = optional(data, "air", "seq-2-air", ROLES)
    if units and data.get("air_support"):
        raise CaseError("seq-3-air-battle", "air_twice")
    wings = {role: read_wing(units[role], f"air.{role}") for role in ROLES if units.get(role) is not None}
    for role, wing in wings.items():
        check_supporter(wing, role)
    return wings


def check_supporter(wing: Wing, role: str) -> None:
    """air-support-range Only air units, with a sortie to spare, support a ground combat."""
    if not wing.flies:
        raise CaseError("air-support-range", "ships_cannot_support", role=role, value=quoted(wing.type))
    check_fresh(wing, role)


def check_fresh(wing: Wing, role: str) -> None:
    """sorties-max A unit at the limit starts, joins and escorts nothing."""
    if wing.sorties >= setting("sortie_limit"):
        raise CaseError("sorties-max", "worn_out", role=role, sorties=wing.sorties)


def air_case(ground: GroundCase, wings: dict[str, Wing], events: dict[str, tuple[Marker, ...]], sea: bool) -> AirCase:
    """seq-3-air-battle The fight between the two committed air units, over the defender's hex."""
    return AirCase(
        mission="ground_support", attacker=wings["attacker"], defender=wings["defender"], weather=ground.weather,
        maritime=sea, events=events, rulings=ground.rulings,
    )  # fmt: skip


def in_maritime_zone(data: dict[str, Any]) -> bool:
    """Is the case's hex in a maritime zone: true, or the number of the zone."""
    where = optional(data, "hex", "map-hex", HEX_KEYS)
    value = where.get("maritime_zone")
    if value is None or isinstance(value, bool):
        return bool(value)
    return bool(whole(where, "maritime_zone", "map-zones", 1, 32))


AIR_KEYS = ("kind", "mission", "hex", "attacker", "defender", "events", "rulings")


def read_air(data: dict[str, Any]) -> AirCase:
    """An air/naval case."""
    case = known_keys(data, "", "seq-6-type", AIR_KEYS + REMARKS)
    where = optional(case, "hex", "map-hex", HEX_KEYS)
    for key in LAND_KEYS:
        flag(where, key, "map-hex")
    air = AirCase(
        mission=word(case, "mission", MISSIONS, "air-effect-route"),
        attacker=read_wing(case.get("attacker"), "attacker"),
        defender=read_wing(case.get("defender"), "defender"),
        weather=word(where, "weather", WEATHERS, "weather-words", "good"),
        maritime=in_maritime_zone(case),
        events=read_events(case, "events"),
        rulings=read_rulings(case),
    )
    if air.mission == "ground_support":
        check_supporter(air.attacker, "attacker")
        check_supporter(air.defender, "defender")
    check_fresh(air.attacker, "attacker")
    if air.mission == "escort":
        check_fresh(air.defender, "defender")
    return air


STRATEGIC_KEYS = (
    "kind", "versus", "axis_port_zones", "usa_western", "western_in_13", "soviet_air_in_13", "conquered_allied",
    "bombed_german_factories", "fac_lost", "events", "rulings",
)  # fmt: skip


def read_strategic(data: dict[str, Any]) -> StrategicCase:
    """A strategic case; the Axis attacks."""
    case = known_keys(data, "", "seq-6-type", STRATEGIC_KEYS + REMARKS)
    zones = listed(case, "axis_port_zones", "map-zones")
    return StrategicCase(
        versus=word(case, "versus", ("western", "soviet"), "strategic-sides"),
        axis_port_zones=frozenset(read_zone(zone, i) for i, zone in enumerate(zones)),
        usa_western=flag(case, "usa_western", "strategic-drm-west-usa"),
        western_in_13=flag(case, "western_in_13", "strategic-drm-west-13"),
        soviet_air_in_13=flag(case, "soviet_air_in_13", "strategic-drm-soviet-13"),
        conquered_allied=whole(case, "conquered_allied", "strategic-drm-soviet-conquered", 0, 99),
        bombed_german_factories=whole(case, "bombed_german_factories", "strategic-drm-west-bombed", 0, 99),
        events=read_events(case, "events"),
        rulings=read_rulings(case),
    )


def read_zone(zone: Any, index: int) -> int:
    """The number of a maritime zone."""
    place = f"axis_port_zones[{index}]"
    return whole(Part({place: zone}), place, "map-zones", 1, 32, default=None)


def read_fac_lost(data: dict[str, Any]) -> tuple[int | None, int | None]:
    """Where the two Fac Lost markers stand, when the case says so."""
    lost = optional(data, "fac_lost", "strategic-fac-range", ("germany", "ally", "uk", "ussr"))
    given = [key for key in ("ally", "uk", "ussr") if lost.get(key) is not None]
    values = [whole(lost, key, "strategic-fac-range", 1, 9) for key in given]
    germany = whole(lost, "germany", "strategic-fac-range", 1, 9) if lost.get("germany") is not None else None
    return germany, values[0] if values else None
