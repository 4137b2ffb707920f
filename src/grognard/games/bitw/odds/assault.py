"""23, 24 What a typed case of a landing or a drop must fulfil; each refusal names the rule that it breaks.

In play the rules have seen to it; `rules.landings` and `rules.airborne` ask the same of a position.
"""

from __future__ import annotations

from typing import Any

from grognard.kit.cases import CaseError, Part, a_flag, a_part, a_word

from ..rules.airborne import IS_AIRBORNE
from ..rules.landings import IS_MARINE, IS_REGULAR
from ..rules.weather import KINDS
from ..world import UNITS
from .battle import DROPS, Fighter

ASHORE = ("shoals", "front_beach", "mediterranean")


def difficulties_of(data: Part) -> int:
    """24.3, 23.0-tech3 How many kinds of difficult ground the hex of a case has: rough terrain, major city, shoals."""
    hex: dict[str, Any] = data.get("hex") or {}
    rough = hex.get("terrain") not in (None, "", "clear")
    return rough + (hex.get("city") in ("major", "capital")) + bool(hex.get("shoals"))


def check_assault(data: Part, fighters: list[Fighter], steps: list[int], tier: str, hard: int) -> None:
    """9.2, 23, 24 Landings, drops and weather of a case; `steps` as the units set out."""
    from .cases import HEX_KEYS

    hex = a_part(data, "hex", "odds", HEX_KEYS)
    for key in ASHORE:
        a_flag(hex, key, "odds")
    weather = a_word(data, "weather", KINDS, "odds", "good")
    south, surprise = hex.get("mediterranean") is True, a_flag(data, "surprise", "odds")
    if south and weather in ("rain", "snow"):
        raise CaseError("9.0.1", "southern-weather", value=weather)
    if tier == "basic" and (south or surprise or data.get("recon") is not None):
        raise CaseError("7.0a", "advanced-words")
    for f, strength in zip(fighters, steps):
        unit = UNITS[f.unit]
        if weather == "rain" and unit.is_air and not f.grounded:
            raise CaseError("9.2b", "grounded-by-rain", unit=unit.id)
        if f.crossing not in ("sea", DROPS):
            continue
        if tier == "basic":
            raise CaseError("7.0a", "advanced-assault", unit=unit.id)
        check_lander(f, strength, weather, surprise, hard, hex.get("front_beach") is True)


def check_lander(f: Fighter, steps: int, weather: str, surprise: bool, hard: int, front: bool) -> None:
    """23.0, 24.0 One unit that lands or drops."""
    unit, drops = UNITS[f.unit], f.crossing == DROPS
    if drops and not IS_AIRBORNE[f.unit]:
        raise CaseError("23.0a", "not-airborne", unit=unit.id)
    if not drops and not (IS_MARINE[f.unit] or IS_REGULAR[f.unit]):
        raise CaseError("24.5-wave-d", "second-wave-only", unit=unit.id)
    if weather != "good":
        raise CaseError("23.0b" if drops else "24.1b", "needs-sunshine", unit=unit.id)
    if steps < unit.pattern.top:
        raise CaseError("23.0b" if drops else "24.1b", "not-full", unit=unit.id)
    if f.tech < 2:
        raise CaseError("23.0a" if drops else "24.0a", "assault-tech", unit=unit.id)
    marine = drops or IS_MARINE[f.unit] or surprise
    if not marine and not front:
        raise CaseError("24.0a", "not-front-beach", unit=unit.id)
    if hard > 1:
        raise CaseError("23.0-tech3" if drops else "24.3", "two-kinds")
    if hard and not (marine and (f.tech >= 3 or surprise)):
        raise CaseError("23.0-tech3" if drops else "24.3", "rough-ground", unit=unit.id)
