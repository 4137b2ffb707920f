"""Reading a combat case from plain data (JSON): every word checked, every refusal naming the rule it breaks."""

from __future__ import annotations

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
from grognard.kit.cases import REMARKS, CaseError, Part, a_flag, a_list, a_number, a_part, a_word, an_object, quoted

KINDS = ("ground", "air", "strategic")
ACTIONS = ("mobile", "assault", "amphibious")
UNIT_KEYS = ("name", "nation", "faction", "type", "elite", "reduced", "supply", "sorties", "in_england")


class OrderedHalving(Marker):
    """The half of a marker that acts on the other side: it divides there, but has no line of its own."""

    __slots__ = ()


def read_nation(data: Part) -> str:
    """The country a unit belongs to, by any of its names."""
    value = data.get("nation")
    known = ", ".join(countries())
    if value is None:
        raise CaseError("countries", "missing", where=data.place("nation"), known=known)
    words = country_words()
    name = value.lower().replace("_", " ").strip() if isinstance(value, str) else ""
    if name not in words:
        raise CaseError("countries", "unknown_nation", where=data.place("nation"), value=quoted(value), known=known)
    return words[name]


def read_army(data: Any, where: str) -> Army:
    """A ground unit; what only aircraft and ships have is checked and left aside."""
    unit = an_object(data, where, "unit-ground", UNIT_KEYS)
    nation = read_nation(unit)
    _read_wing_words(unit, nation)
    return Army(
        nation=nation,
        type=a_word(unit, "type", GROUND_TYPES, "unit-ground"),
        elite=a_flag(unit, "elite", "ground-drm-elite"),
        reduced=a_flag(unit, "reduced", "unit-strength"),
        supply=a_word(unit, "supply", SUPPLIES, "supply-states", "full"),
    )


def read_wing(data: Any, where: str) -> Wing:
    """An air or naval unit; what only ground units have is checked and left aside."""
    unit = an_object(data, where, "unit-air", UNIT_KEYS)
    nation = read_nation(unit)
    a_flag(unit, "elite", "ground-drm-elite")
    a_flag(unit, "reduced", "unit-strength")
    faction, sorties, in_england = _read_wing_words(unit, nation)
    return Wing(
        nation=nation,
        type=a_word(unit, "type", AIR_TYPES + SHIP_TYPES, "unit-air"),
        faction=faction,
        supply=a_word(unit, "supply", SUPPLIES, "supply-states", "full"),
        sorties=sorties,
        in_england=in_england,
    )


def _read_wing_words(unit: Part, nation: str) -> tuple[str, int, bool]:
    return (
        a_word(unit, "faction", FACTIONS, "factions", countries()[nation].faction),
        a_number(unit, "sorties", "sorties-max", 0, setting("sortie_limit")),
        a_flag(unit, "in_england", "england"),
    )


def read_events(data: Part, key: str) -> dict[str, tuple[Marker, ...]]:
    """Committed markers, listed with the side whose die they change."""
    sides = a_part(data, key, "seq-2-events", ROLES)
    events: dict[str, list[Marker]] = {role: [] for role in ROLES}
    for role in ROLES:
        for i, entry in enumerate(a_list(sides, role, "seq-2-events")):
            marker, halved = read_marker(entry, f"{key}.{role}[{i}]", role)
            events[role].append(marker)
            if halved and halved != role:
                events[halved].append(OrderedHalving(marker.name, 0, halve=True))
    return {role: tuple(markers) for role, markers in events.items()}


def read_marker(data: Any, where: str, role: str) -> tuple[Marker, str]:
    """One marker, and the side that it halves: the one it stands with (`true`) or the one it names."""
    marker = an_object(data, where, "seq-2-events", ("name", "drm", "halve", "bridges"))
    name, order = marker.get("name"), marker.get("halve")
    if not isinstance(name, str):
        reason = "missing_text" if name is None else "not_text"
        raise CaseError("seq-2-events", reason, where=marker.place("name"), value=quoted(name))
    if isinstance(order, str):
        halved = a_word(marker, "halve", ROLES, "strategic-halve-event")
    else:
        halved = role if a_flag(marker, "halve", "strategic-halve-event") else ""
    return Marker(
        name=name,
        drm=a_number(marker, "drm", "seq-2-events", -99, 99, otherwise=None),
        halve=halved == role,
        bridges=a_flag(marker, "bridges", "event-airdrop"),
    ), halved


def read_rulings(data: Part) -> Rulings:
    """The switches of the rulings; whatever is not named keeps our reading."""
    given = a_part(data, "rulings", "seq-4-own", tuple(f.name for f in fields(Rulings)))
    ours = Rulings()
    return Rulings(
        extra_armour_poor=a_number(
            given, "extra_armour_poor", "assault-drm-extra-tank-shock", 1, 2, ours.extra_armour_poor
        ),
        port_lines=a_word(given, "port_lines", ("line", "zone"), "strategic-drm-axis-stack", ours.port_lines),
        carrier_flies=a_flag(given, "carrier_flies", "air-drm-air-vs-naval", ours.carrier_flies),
        blocked_dd=a_word(given, "blocked_dd", ("eliminated", "reduced"), "result-DD-blocked", ours.blocked_dd),
    )


LAND_KEYS = ("city", "difficult", "fort", "island", "coastal")
HEX_KEYS = ("weather", *LAND_KEYS, "maritime_zone")
GROUND_KEYS = (
    "kind", "action", "hex", "hexside", "attacker", "defender", "additional", "isolated", "can_retreat", "fort_choice",
    "naval_support", "air_support", "air", "events", "air_events", "rulings",
)  # fmt: skip


def read_ground(data: dict[str, Any]) -> GroundCase:
    """A ground case as far as the ground; its air battle is read by `read_air_battle`."""
    case = an_object(data, "", "seq-6-type", GROUND_KEYS + REMARKS)
    action = a_word(case, "action", ACTIONS, "activation-choice")
    where = a_part(case, "hex", "map-hex", HEX_KEYS)
    support = a_part(case, "air_support", "seq-2-air", ROLES)
    additional = a_list(case, "additional", "seq-1-cap")
    check_attackers(action, len(additional))
    isolated = a_flag(case, "isolated", "ground-isolated-def")
    ground = GroundCase(
        action=action,
        attacker=read_army(case.get("attacker"), "attacker"),
        defender=read_army(case.get("defender"), "defender"),
        weather=a_word(where, "weather", WEATHERS, "weather-words", "good"),
        city=a_flag(where, "city", "map-hex"),
        difficult=a_flag(where, "difficult", "map-hex"),
        fort=a_flag(where, "fort", "map-hex"),
        island=a_flag(where, "island", "map-hex"),
        coastal=a_flag(where, "coastal", "map-hex"),
        hexside=a_word(case, "hexside", HEXSIDES, "map-hexside", "none"),
        additional=tuple(read_army(unit, f"additional[{i}]") for i, unit in enumerate(additional)),
        isolated=isolated,
        can_retreat=a_flag(case, "can_retreat", "result-DR", otherwise=not isolated),
        naval_support=a_flag(case, "naval_support", "amphib-drm-naval-good"),
        air_attacker=a_flag(support, "attacker", "seq-2-air"),
        air_defender=a_flag(support, "defender", "seq-2-air"),
        events=read_events(case, "events"),
        rulings=read_rulings(case),
    )
    if action == "mobile" and ground.fort:
        raise CaseError("fort-assault-only", "fort_needs_assault")
    return ground


def read_fort_choice(data: dict[str, Any]) -> str:
    """result-DR-fort What a fort's garrison does under DR; a garrison that says nothing retreats."""
    return a_word(Part(data), "fort_choice", ("retreat", "hold"), "result-DR-fort", "retreat")


def check_attackers(action: str, additional: int) -> None:
    """seq-1-mobile, seq-1-cap A mobile attack has one attacker; an assault has three at most."""
    if action == "mobile" and additional:
        raise CaseError("seq-1-mobile", "mobile_is_alone", count=additional + 1)
    if additional > 2:
        raise CaseError("seq-1-cap", "too_many_attackers", count=additional + 1)


def read_air_battle(data: dict[str, Any]) -> dict[str, Wing]:
    """The air units committed to a ground combat, by role; at most one a side."""
    units = a_part(data, "air", "seq-2-air", ROLES)
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
    where = a_part(data, "hex", "map-hex", HEX_KEYS)
    value = where.get("maritime_zone")
    if value is None or isinstance(value, bool):
        return bool(value)
    return bool(a_number(where, "maritime_zone", "map-zones", 1, 32))


AIR_KEYS = ("kind", "mission", "hex", "attacker", "defender", "events", "rulings")


def read_air(data: dict[str, Any]) -> AirCase:
    """An air/naval case."""
    case = an_object(data, "", "seq-6-type", AIR_KEYS + REMARKS)
    where = a_part(case, "hex", "map-hex", HEX_KEYS)
    for key in LAND_KEYS:
        a_flag(where, key, "map-hex")
    air = AirCase(
        mission=a_word(case, "mission", MISSIONS, "air-effect-route"),
        attacker=read_wing(case.get("attacker"), "attacker"),
        defender=read_wing(case.get("defender"), "defender"),
        weather=a_word(where, "weather", WEATHERS, "weather-words", "good"),
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
    case = an_object(data, "", "seq-6-type", STRATEGIC_KEYS + REMARKS)
    zones = a_list(case, "axis_port_zones", "map-zones")
    return StrategicCase(
        versus=a_word(case, "versus", ("western", "soviet"), "strategic-sides"),
        axis_port_zones=frozenset(read_zone(zone, i) for i, zone in enumerate(zones)),
        usa_western=a_flag(case, "usa_western", "strategic-drm-west-usa"),
        western_in_13=a_flag(case, "western_in_13", "strategic-drm-west-13"),
        soviet_air_in_13=a_flag(case, "soviet_air_in_13", "strategic-drm-soviet-13"),
        conquered_allied=a_number(case, "conquered_allied", "strategic-drm-soviet-conquered", 0, 99),
        bombed_german_factories=a_number(case, "bombed_german_factories", "strategic-drm-west-bombed", 0, 99),
        events=read_events(case, "events"),
        rulings=read_rulings(case),
    )


def read_zone(zone: Any, index: int) -> int:
    """The number of a maritime zone."""
    place = f"axis_port_zones[{index}]"
    return a_number(Part({place: zone}), place, "map-zones", 1, 32, otherwise=None)


def read_fac_lost(data: dict[str, Any]) -> tuple[int | None, int | None]:
    """Where the two Fac Lost markers stand, when the case says so."""
    lost = a_part(data, "fac_lost", "strategic-fac-range", ("germany", "ally", "uk", "ussr"))
    given = [key for key in ("ally", "uk", "ussr") if lost.get(key) is not None]
    values = [a_number(lost, key, "strategic-fac-range", 1, 9) for key in given]
    germany = a_number(lost, "germany", "strategic-fac-range", 1, 9) if lost.get("germany") is not None else None
    return germany, values[0] if values else None
