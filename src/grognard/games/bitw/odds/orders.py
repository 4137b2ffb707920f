"""What a typed battle says besides who fights: supply, reserves, charges, aim, radar, the options of chapter 14.

Each is checked against the rule that allows it; the answers ride on the fighters of the case.
"""

from __future__ import annotations

from typing import Any

from grognard.kit.cases import CaseError, Part, a_flag, a_list, a_part, a_word, quoted

from ..rules.fire import BOMB, GUNS, fires_as_guns
from ..rules.radar import IS_BRITISH_FIGHTER
from ..world import UNIT_IDS, UNITS
from .battle import ATTACKER, DEFENDER, Fighter

WORDS = ("options", "radar", "declare", "target")
SUPPLY = ("full", "limited", "none")
DECLARED = {"panzers": "21.0a", "cavalry": "20.0"}


def with_orders(data: Part, entries: list[Any], fighters: list[Fighter], tier: str, in_play: bool) -> list[Fighter]:
    """The fighters with what the case says of them; `in_play` the rules have seen to it."""
    said = [key for key in WORDS if data.get(key) is not None]
    said += [key for entry in entries for key in ("supply", "reserve") if entry.get(key) is not None]
    if tier == "basic" and said:
        raise CaseError("7.0a", "advanced-words")
    check_ground(data, fighters)
    if a_flag(data, "radar", "odds"):
        fighters = [f._replace(tech=max(2, f.tech)) if IS_BRITISH_FIGHTER[f.unit] else f for f in fighters]
    fighters = [supplied(f, entry, in_play) for f, entry in zip(fighters, entries)]
    return charging(data, fighters) if data.get("declare") is not None else fighters


def check_ground(data: Part, fighters: list[Fighter]) -> None:
    """14.0-mountain-a, 24.2b What the ground forbids: armour in mountains, landings under the islands' Festung."""
    from .cases import HEX_KEYS

    hex = a_part(data, "hex", "odds", HEX_KEYS)
    options = a_list(data, "options", "odds")
    for i, name in enumerate(options):
        if name != "14.0":
            raise CaseError("odds", "unknown-value", where=f"options[{i}]", value=quoted(name), known="14.0")
    for f in fighters:
        unit = UNITS[f.unit]
        if options and f.side == ATTACKER and unit.is_armour and hex.get("terrain") == "mountain":
            raise CaseError("14.0-mountain-a", "no-armour-there", unit=unit.id)
        if f.crossing == "sea" and a_flag(hex, "channel_festung", "odds"):
            raise CaseError("24.2b", "festung-coast", unit=unit.id)


def supplied(f: Fighter, entry: Any, in_play: bool) -> Fighter:
    """12.4.1a, 13.5a, 31.0b The supply of an attacker; whether a defender is in reserve."""
    unit, where = UNITS[f.unit], Part(entry)
    supply = a_word(where, "supply", SUPPLY, "odds", "full")
    if a_flag(where, "reserve", "odds") and (f.side != DEFENDER or not unit.is_armour):
        raise CaseError("31.0b", "no-reserve", unit=unit.id)
    if f.side == DEFENDER or supply == "full":
        return f
    fuelled = unit.is_air or unit.is_armour
    if not in_play and supply == "limited" and fuelled:
        raise CaseError("13.5a", "no-fuel", unit=unit.id)
    if not in_play and supply == "none" and (unit.is_air or f.tech < 2):
        raise CaseError("4.4a", "no-supply", unit=unit.id)
    return f._replace(desperate=supply == "none" and unit.is_ground)


def charging(data: Part, fighters: list[Fighter]) -> list[Fighter]:
    """20.0, 21.0a A charge: open ground in sunshine, somebody to charge, nobody to meet it."""
    which = a_word(data, "declare", tuple(DECLARED), "odds")
    rule_id, hex = DECLARED[which], data.get("hex") or {}
    plain = hex.get("terrain") in (None, "", "clear") and hex.get("city") not in ("major", "capital")
    forts = any(UNITS[f.unit].is_fort for f in fighters)
    if not plain or forts or hex.get("works") not in (None, "", "none") or data.get("weather") not in (None, "good"):
        raise CaseError(rule_id, "no-open-ground")
    for f in fighters:
        if f.side == DEFENDER and stops(f, which):
            raise CaseError(rule_id, "met-by-armour", unit=UNITS[f.unit].id)
    found = [f._replace(charges=f.side == ATTACKER and can_charge(f, which)) for f in fighters]
    if not any(f.charges for f in found):
        raise CaseError(rule_id, "nobody-charges")
    return found


def can_charge(f: Fighter, which: str) -> bool:
    """21.0a Tanks, and tankettes from TECH 2; 20.0 cavalry."""
    kind = UNITS[f.unit].kind
    return kind == "cavalry" if which == "cavalry" else kind == "tank" or (kind == "tankette" and f.tech >= 2)


def stops(f: Fighter, which: str) -> bool:
    """21.0b Armour meets the Panzers, tankettes of TECH 1 do not; 20.0 armour and cavalry meet cavalry."""
    unit = UNITS[f.unit]
    if which == "panzers":
        return unit.is_armour and not (unit.kind == "tankette" and f.tech < 2)
    return unit.is_armour or unit.kind in ("cavalry", "motorised_cavalry")


def read_target(data: Part, fighters: list[Fighter]) -> int:
    """19.2 The defender aimed at, by its place among the defenders; -1 for nobody."""
    name = data.get("target")
    if name is None:
        return -1
    defenders = [f.unit for f in fighters if f.side == DEFENDER]
    if not isinstance(name, str) or UNIT_IDS.get(name) not in defenders:
        known = ", ".join(UNITS[u].id for u in defenders)
        raise CaseError("19.2", "no-such-target", value=quoted(name), known=known)
    if data.get("recon") is not True or data.get("weather") not in (None, "good"):
        raise CaseError("19.2", "aim-needs-recon")
    return defenders.index(UNIT_IDS[name])


def aimed_kinds(data: Part, fighters: list[Fighter]) -> tuple[str, ...]:
    """19.2 The fire that is aimed: where everybody who fires in the step has TECH 2 (P3)."""
    mine = [f for f in fighters if f.side == ATTACKER]
    bombers = [f for f in mine if UNITS[f.unit].is_air]
    guns = [f for f in mine if UNITS[f.unit].kind == "artillery" or fires_as_guns(UNITS[f.unit])]
    found = ((BOMB, bombers), (GUNS, guns))
    return tuple(kind for kind, units in found if units and all(f.tech >= 2 for f in units))
