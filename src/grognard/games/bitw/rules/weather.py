"""Chapters 9 and 39: the weather. One value for the map and one for the Mediterranean coast; everybody asks here.

The month decides, in April and October a die. `weather_at` is the weather of a hex, `exits_of` the steps and their
price in it. What is remembered elsewhere (`memo`) hangs on `s.conditions`, which `note_conditions` keeps.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from grognard.kernel import emit, no, roll, rule

from ..loading import ALLIES, AXIS, Unit, charts
from ..state import OUT, BitwState, month
from ..theatre import Theatre
from ..world import LIMITS, world
from .chapters import ADVANCED
from .readings import remembered_by
from .waters import ITALY, MAPLE, sea_counts

KINDS: Final = ("good", "light_rain", "rain", "snow")  # the values of `s.sky` and `s.south`
GOOD, LIGHT_RAIN, RAIN, SNOW = range(4)
DICED: Final = "die"  # in the table of months
UNROLLED: Final = 255  # `s.rolled_sky`: no variable month so far

NO_BLITZ_NOW = no("7.8e", "no-blitz-weather", lambda s, c, side, unit: {"weather": weather_at(s, s.place[unit])})
GROUNDED_BY_RAIN = no("9.2b", "rain-mission")

Steps = tuple[tuple[tuple[int, int], ...], ...]


@rule("9.0.1", "9.0.2")
def sky_at(s: BitwState, node: int) -> int:
    """9.0.1 The weather of a hex as a number; the Mediterranean coast and islands have their own.

    Without the eastern game there is one weather for everything else (9.0.2).
    """
    return s.south if world(s).theatre.southern[node] else s.sky


def weather_at(s: BitwState, node: int) -> str:
    """9.0 The weather of a hex: good, light_rain, rain or snow."""
    return KINDS[sky_at(s, node)]


def is_sunny(s: BitwState, node: int) -> bool:
    """9.0 True in good weather."""
    return sky_at(s, node) == GOOD


def note_conditions(s: BitwState) -> None:
    """Pack what remembered answers hang on, besides who stands where: weather, tier, terrain, closed seas, discs."""
    s.conditions = s.sky | s.south << 2 | (s.chosen[ADVANCED] == "on") << 4 | (s.chosen["terrain"] == "on") << 5
    s.conditions |= (s.chosen.get("partisans") == "on") << 8 | remembered_by(s)
    if sea_counts(s) or s.chosen.get("italy") == "on":
        s.conditions |= (month(s) >= MAPLE) << 6 | bool(s.status[ITALY] & OUT) << 7


@rule("9.0a", "9.0b")
def usual_weather(s: BitwState) -> str:
    """9.0b The weather of the month: as the scenario states it, or by the table; `die` where it is rolled for."""
    now = month(s)
    return world(s).scenario.weather.get(now) or charts().months[int(now[5:])]


@rule("9.0a", "9.0b", "39.0a")
def check_weather(s: BitwState, c: Any) -> None:
    """9.0a The Weather Determination Phase: fixed by the month, in April and October a die of the Axis.

    With light rain (39.0a) the Allies roll it.
    """
    if s.chosen[ADVANCED] != "on":
        return
    usual = usual_weather(s)
    if usual != DICED:
        s.sky, s.south = KINDS.index(usual), GOOD
    elif s.chosen.get("light-rain") == "on":
        roll_with_light_rain(s)
    else:
        (die,) = roll(s, "9.0a", 1, side=AXIS)
        s.sky, s.south = diced_sky(die, False), GOOD
    note_conditions(s)
    emit(s, "weather", "9.0b" if usual != DICED else "9.0a", weather=KINDS[s.sky], south=KINDS[s.south])


@rule("9.0a", "39.0a")
def diced_sky(die: int, light_rain: bool) -> int:
    """9.0a What a die brings in April and October: 1-3 good, else rain; 39.0a 1-2 good, 3-4 light rain, 5-6 rain."""
    return (GOOD, LIGHT_RAIN, RAIN)[(die - 1) // 2] if light_rain else GOOD if die <= 3 else RAIN


@rule("39.0a", "9.0.1")
def diced_south(die: int, light_rain: bool) -> int:
    """9.0.1 Always good in the Mediterranean; 39.0a light rain on a 6 of the same die (our reading)."""
    return LIGHT_RAIN if light_rain and die == 6 else GOOD


@rule("39.0a")
def roll_with_light_rain(s: BitwState) -> None:
    """39.0a 1-2 good, 3-4 light rain, 5-6 rain, never twice the same in variable months that follow each other.

    Such a die is rolled again. A 6 brings light rain to the Mediterranean coast, by the same die (our reading).
    """
    while True:
        (die,) = roll(s, "39.0a", 1, side=ALLIES)
        sky = diced_sky(die, True)
        if sky != s.rolled_sky:
            break
    s.sky, s.south, s.rolled_sky = sky, diced_south(die, True), sky


# 9.1 Supply


@rule("9.1", "39.0b")
def lane_length(s: BitwState, node: int) -> int:
    """9.1 How long the lane of a unit in this hex may be: 3, in bad weather 2."""
    return LIMITS["lane"] if sky_at(s, node) == GOOD else LIMITS["lane_bad_weather"]


# 9.2 Movement


@rule("9.2a", "9.2c", "39.0b")
def exits_of(s: BitwState) -> Steps:
    """9.2 The steps by land with their price in the weather of the hex entered; a red arrow costs 3 in any (7.5.5a)."""
    t = world(s).theatre
    return t.exits if not s.sky and not s.south else exits_in(t, s.sky, s.south)


@lru_cache(maxsize=32)
def exits_in(t: Theatre, sky: int, south: int) -> Steps:
    """9.2a In rain every hex costs 3; 9.2c in snow 2, hills and mountains 3; 39.0b in light rain clear ground 2."""
    table = charts().terrain
    kinds = [KINDS[south if t.southern[n] else sky] for n in range(t.nodes)]
    return tuple(
        tuple(
            (
                other,
                price if other in t.arrows[node] or other >= t.hexes else table[t.terrain[other]].cost[kinds[other]],
            )
            for other, price in steps
        )
        for node, steps in enumerate(t.exits)
    )


@rule("9.2d", "3.4-port-freeze")
def is_frozen_port(s: BitwState, node: int) -> bool:
    """9.2d Ports with a white anchor freeze in snow: no supply, no transport, no naval movement from or to them."""
    return s.sky == SNOW and node in world(s).theatre.freezing


# 9.3 Combat


@rule("9.3c", "3.19d")
def rivers_flow(s: BitwState, node: int) -> bool:
    """9.3c In snow rivers are frozen: no effect in combat, and zones of control cross them."""
    return sky_at(s, node) != SNOW


@rule("9.3d", "9.3e")
def is_hardy(s: BitwState, unit: Unit, node: int) -> bool:
    """9.3d Mountain units, northern nations and units in their home country fight in snow as in good weather.

    A crystal alone does not help (9.3e).
    """
    return stands_snow(unit, world(s).theatre.country[node])


def stands_snow(unit: Unit, land: str) -> bool:
    """9.3d The same for a country."""
    return unit.kind == "mountain" or unit.nation in NORTHERN or land in charts().powers[unit.power].home


NORTHERN: Final = frozenset({"NO", "FI", "SE", "SU"})
