"""The switchable rules: the number of players, and the readings that may be doubted (see docs/decisions/0401)."""

from __future__ import annotations

from grognard.kernel import Option

OPTIONS = (
    Option("players", "11a", ("2", "3"), "2", "basic"),
    Option("overrun-air", "4.3e", ("7", "8"), "8"),  # ruling A1
    Option("strict-supply", "7.3.1e", ("off", "on"), "off"),  # ruling A6
    Option("disorder-adds", "6.5d", ("off", "on"), "off"),  # ruling A8
    Option("defence-bonus", "5.3g", ("off", "on"), "off"),  # ruling A10
    Option("airborne-points", "11.3-vp-airborne", ("each", "flat"), "each"),  # ruling A25
    Option("beach-points", "11.3-vp-depot", ("out-of-zones", "always"), "out-of-zones"),  # ruling A5
    Option("d-day-points", "11.3-vp-ger-turn", ("off", "on"), "off"),  # ruling A27
    Option("beach-terrain", "10-A.1f", ("off", "on"), "off"),  # from the sea: the beach alone, or the hex too
    Option("first-supply", "11.3b", ("on", "off"), "on"),  # scenario 1: the free supply of turn 1
    Option("naval-points", "11.1-naval", ("turn", "phase"), "turn"),  # scenario 1: "each turn" against 1.1.4b
    Option("air-supply", "7.4a", ("division", "points"), "division"),  # ruling A30
)
DEFAULTS = tuple((option.name, option.default) for option in OPTIONS)
