"""Months, seasons and weather."""

from __future__ import annotations

from typing import Any

from grognard.games.surrender.frames import Match
from grognard.games.surrender.loading import charts, setting
from grognard.games.surrender.rules.board import WEATHER
from grognard.games.surrender.scenarios import month_number
from grognard.games.surrender.state import Position, world
from grognard.games.surrender.theatre import WEATHER_ZONES
from grognard.games.surrender.world import AXIS
from grognard.kernel import emit, roll, rule

MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
          "november", "december")  # fmt: skip
SEASONS = ("winter", "winter", "spring", "spring", "spring", "summer", "summer", "summer", "autumn", "autumn", "autumn",
           "winter")  # fmt: skip


@rule("turn-month")
def date_of(s: Position, turn: int) -> tuple[int, int]:
    """turn-month Year and month of a turn: each turn is one month later."""
    year, month = world(s).start
    count = year * 12 + month - 1 + turn - 1
    return count // 12, count % 12 + 1


@rule("turn-month")
def season(month: int) -> str:
    """turn-month Winter December to February, spring, summer, autumn by three months each."""
    return SEASONS[month - 1]


@rule("turn-month", "turn-phases", "scenario-atlantic")
def start_month(s: Position, c: Match) -> None:
    """turn-phases A new month: every unit may be activated again. scenario-atlantic The USA joins on its date."""
    s.turn += 1
    s.year, s.month = date_of(s, s.turn)
    for unit in range(len(s.done)):
        s.done[unit] = s.restored[unit] = 0
    now = s.year * 12 + s.month - 1
    data = world(s).data
    s.usa_western = int("usa_western" in data and now >= month_number(data["usa_western"]))
    s.soviet_at_war = int("soviet_at_war" in data and now >= month_number(data["soviet_at_war"]))
    emit(s, "month", "turn-month", turn=s.turn, year=s.year, month=MONTHS[s.month - 1], season=season(s.month))


@rule("weather-roll")
def weather_for(zone: int, month: int, face: int) -> int:
    """weather-roll The chart of the month: up to one face good, up to another poor, above it severe."""
    good, poor = charts()["weather"][WEATHER_ZONES[zone]][month - 1]
    return 0 if face <= good else 1 if face <= poor else 2


@rule("weather-roll", "weather-words")
def roll_weather(s: Position, c: Match) -> None:
    """weather-roll One die a zone, rolled by the Axis, for the whole month."""
    for zone in range(3):
        face = roll(s, "weather-roll", 1, setting("die"), side=AXIS)[0]
        s.weather[zone] = weather_for(zone, s.month, face)
    told: dict[str, Any] = {zone: WEATHER[s.weather[i]] for i, zone in enumerate(WEATHER_ZONES)}
    emit(s, "weather", "weather-roll", **told)
