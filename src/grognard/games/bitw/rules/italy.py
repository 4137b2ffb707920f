"""Chapter 36: the King dismisses Mussolini, Italy leaves the war, and a republic at Salò that Germany may raise.

`s.duce` says how far it has come: in office, dismissed (and in which turn), Italy out, freed, republic, or dead.
"""

from __future__ import annotations

from typing import Any, Final

from grognard.kernel import emit, roll, rule

from ..frames import Match
from ..loading import ALLIES, AXIS, charts
from ..state import HELD, NOWHERE, OFF, OUT, BitwState, on_map, put, side_holding, units_in
from ..world import IS_AIR, IS_GROUND, SIDE_OF, UNIT_IDS, UNITS, world
from .powers import hand_over
from .supply import remove
from .weather import note_conditions

IDS: Final = charts().power_ids
ITALY, GERMANY, REPUBLIC = IDS["IT"], IDS["DE"], IDS["RSI"]
MUSSOLINI, LIGURIA = UNIT_IDS["it-mus"], UNIT_IDS["rsi-lig"]
IN_OFFICE, DISMISSED, CAPTIVE, FREED, DECLARED, DEAD = range(6)  # values of `s.duce`
ENOUGH: Final = 7  # 36.0a units in Italy that need no die
HOME: Final = "ITA"


def italy_counts(s: BitwState) -> bool:
    """36.0 Whether the chapter is played and Italy is in the war."""
    return s.chosen.get("italy") == "on" and ITALY in world(s).scenario.in_play


@rule("36.0a", "5.4b")
def allies_in_italy(s: BitwState) -> int:
    """36.0a Allied ground units, and aircraft based there, in Italy with Sicily and Sardinia (ruling A44)."""
    country = world(s).theatre.country
    return sum(country[s.place[u]] == HOME for u in on_map(s, ALLIES) if IS_GROUND[u] or IS_AIR[u])


@rule("36.0a", "36.0b", "36.1a", "36.1b", "5.4b")
def italian_crisis(s: BitwState, c: Match) -> None:
    """36.0 What the Victory Phase brings: the republic, then Italy's surrender, then the King's decision.

    In this order each step waits for the Victory Phase after the one before.
    """
    if not italy_counts(s):
        return
    meet_duce(s, c)
    if s.duce == FREED:
        declare_republic(s)
    if s.duce == DISMISSED and s.duce_turn < s.turn and islands_lost(s) and not s.status[ITALY] & OUT:
        italy_surrenders(s)
    if s.duce == IN_OFFICE and not s.status[ITALY] & OUT:
        try_dismissal(s)


@rule("36.0a")
def dismisses(units: int, die: int) -> bool:
    """36.0a Whether so many Allied units in Italy are enough: more than the die shows, or 7 (ruling A44)."""
    return units >= ENOUGH or die < units


@rule("36.0a")
def try_dismissal(s: BitwState) -> None:
    """36.0a A die less than the Allied units in Italy dismisses Mussolini; with 7 units no die is needed."""
    count = allies_in_italy(s)
    if not count:
        return
    if count < ENOUGH:
        (die,) = roll(s, "36.0a", 1, side=ALLIES)
        if not dismisses(count, die):
            emit(s, "duce-stays", "36.0a", die=die, units=count)
            return
    s.duce, s.duce_turn = DISMISSED, s.turn
    if s.place[MUSSOLINI] < OFF:
        remove(s, MUSSOLINI, NOWHERE)
    emit(s, "duce-dismissed", "36.0a", units=count, hex=gran_sasso(s)[1])


def gran_sasso(s: BitwState) -> tuple[int, str]:
    """36.0a Where he is held, as a node and in words."""
    t = world(s).theatre
    node = t.find("gran-sasso") if t.has("gran-sasso") else 0
    return node, t.names[node]


@rule("36.0b")
def islands_lost(s: BitwState) -> bool:
    """36.0b Sicily, or both Sardinia and Corsica, wholly in Allied hands."""
    t = world(s).theatre

    def lost(region: str) -> bool:
        land = [n for n in range(t.hexes) if t.region[n] == region and t.playable[n]]
        return bool(land) and all(side_holding(s, n) == ALLIES for n in land)

    return lost("sicily") or (lost("sardinia") and lost("corsica"))


@rule("36.0c", "18.1.2")
def italy_surrenders(s: BitwState) -> None:
    """36.0c Italy is no more: its land is Germany's, its units leave without points; its ports feed no Axis unit."""
    emit(s, "italy-surrenders", "36.0c", reveals=True)
    s.status[ITALY] |= OUT
    s.duce = CAPTIVE
    for u in UNITS:
        if u.power == ITALY and s.place[u.index] != NOWHERE:
            remove(s, u.index, NOWHERE)
    hand_over(s, ITALY, GERMANY)
    note_conditions(s)


@rule("36.1a")
def meet_duce(s: BitwState, c: Any) -> None:
    """36.1a After the surrender: an Allied ground unit at the Gran Sasso ends him, a German one brings him to Salò.

    Looked at when units have moved, fought or exploited; where both stand nobody has him.
    """
    if s.duce != CAPTIVE:
        return
    node, name = gran_sasso(s)
    there = [u for u in units_in(s, node) if IS_GROUND[u]]
    if not there or len({SIDE_OF[u] for u in there}) > 1:
        return
    if SIDE_OF[there[0]] == ALLIES:
        s.duce = DEAD
        emit(s, "duce-dead", "36.1a", hex=name)
    elif any(UNITS[u].power == GERMANY for u in there):
        s.duce = FREED
        emit(s, "duce-freed", "36.1a", hex=name)


@rule("36.1b")
def declare_republic(s: BitwState) -> None:
    """36.1b The republic is declared in the Victory Phase after; Liguria comes in the next Axis Production Phase.

    Its points (1 yellow, 1 blue) are those of its pool; without Salò there is no republic yet.
    """
    t = world(s).theatre
    salo = t.find("salo") if t.has("salo") else -1
    if salo < 0 or side_holding(s, salo) != AXIS or REPUBLIC not in world(s).scenario.in_play:
        return
    s.duce = DECLARED
    s.status[REPUBLIC] &= ~OUT & 255
    s.capital[REPUBLIC] = salo
    s.owner[salo] = REPUBLIC
    if s.place[LIGURIA] == NOWHERE:
        put(s, LIGURIA, HELD)
        s.steps[LIGURIA] = UNITS[LIGURIA].pattern.top
    emit(s, "republic", "36.1b", hex=t.names[salo])


@rule("36.1b")
def republic_entry(s: BitwState, unit: int) -> int:
    """36.1b Where Liguria enters: Milano; -1 for other units."""
    t = world(s).theatre
    return t.find("milano") if unit == LIGURIA and italy_counts(s) and t.has("milano") else -1
