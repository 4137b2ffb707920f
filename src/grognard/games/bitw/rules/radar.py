"""13.8.1.2 The British radar chain: six stations, what they bring, how they are lost and mended.

`s.radar` has a 1 for each station at work, in the order of the printed list. The stations stand on the map; where there
are none (a small map) there is no chain.
"""

from __future__ import annotations

from typing import Any, Final

from grognard.kernel import No, Side, emit, no, rule

from ..loading import ALLIES, AXIS, charts
from ..nouns import STATION, STATIONS
from ..state import OUT, BitwState, enemy_in, side_holding
from ..theatre import Theatre
from ..world import LIMITS, SIDE_OF, UNITS, world
from .chapters import ADVANCED
from .readings import otherwise

UK: Final = charts().power_ids["UK"]
GREAT_BRITAIN: Final = frozenset(
    {"great-britain", "channel-islands"}
)  # Scapa Flow and Northern Ireland are in the first
IS_BRITISH_FIGHTER: Final = bytes(u.kind == "fighter" and u.power == UK for u in UNITS)
OUT_OF_SERVICE, ACTIVE, FULL_SERVICE = range(3)

NO_CHAIN, STATION_WORKS = no("13.8.1.2-radar-f", "no-radar"), no("13.8.1.2-radar-f", "radar-works")
STATION_LOST = no("13.8.1.2-radar-f", "radar-lost")
MENDING_TOO_DEAR = no(
    "7.3d", "too-dear", lambda s, c, side, noun: {"cost": LIMITS["radar_cost"], "points": s.pp[_pool(s)]}
)


def _pool(s: BitwState) -> int:
    return world(s).scenario.pool_of.get(UK, UK)


def station_hex(t: Theatre, station: int) -> int:
    """13.8.1.2-radar-a The hex of a station; -1 where the map has none."""
    return t.find(STATIONS[station]) if t.has(STATIONS[station]) else -1


def chain_counts(s: BitwState) -> bool:
    """13.8.1.2 The chain belongs to the Advanced game, while the United Kingdom fights."""
    return s.chosen[ADVANCED] == "on" and UK in world(s).scenario.in_play and not s.status[UK] & OUT


@rule("13.8.1.2-radar-a")
def set_up_radar(s: BitwState, table: Any) -> None:
    """13.8.1.2-radar-a The stations that the scenario says are at work; without a word, all that Britain holds."""
    t = world(s).theatre
    named = table.get("radar", {}).get("working")
    for station, name in enumerate(STATIONS):
        node = station_hex(t, station)
        working = name in named if named is not None else True
        s.radar[station] = int(node >= 0 and working and side_holding(s, node) == ALLIES)


@rule("13.8.1.2-radar-b", "13.8.1.2-radar-c", "13.8.1.2-radar-d")
def chain(s: BitwState) -> int:
    """13.8.1.2 In full service with all six; active with two neighbours in the list (A34); else out of service."""
    if not chain_counts(s):
        return OUT_OF_SERVICE
    if all(s.radar):
        return FULL_SERVICE
    return ACTIVE if any(a and b for a, b in zip(s.radar, s.radar[1:])) else OUT_OF_SERVICE


def in_great_britain(s: BitwState, node: int) -> bool:
    """13.8.1.2-radar-a Great Britain with the Channel Islands, Scapa Flow and Northern Ireland."""
    return world(s).theatre.region[node] in GREAT_BRITAIN


@rule("13.8.1.2-radar-b", "13.8.1.2-radar-c")
def with_radar(s: BitwState, unit: int, node: int, tech: int) -> int:
    """13.8.1.2-radar-c The tech with which a unit fights: British fighters over Great Britain at least 2 (A34).

    By the switch `radar-over` they are so wherever they fight.
    """
    if tech >= 2 or not IS_BRITISH_FIGHTER[unit] or chain(s) == OUT_OF_SERVICE:
        return tech
    return 2 if in_great_britain(s, node) or otherwise(s, "radar-over") else tech


@rule("13.8.1.2-radar-b")
def watch_the_sky(s: BitwState, unit: int, node: int) -> None:
    """13.8.1.2-radar-b In full service the chain shows enemy aircraft as soon as they come to Great Britain."""
    if SIDE_OF[unit] != AXIS or s.revealed[unit] or not in_great_britain(s, node) or chain(s) != FULL_SERVICE:
        return
    s.revealed[unit] = 1
    where = world(s).theatre.names[node]
    emit(s, "radar-sees", "13.8.1.2-radar-b", reveals=True, unit=UNITS[unit].id, hex=where, steps=s.steps[unit])


# Loss and repair


@rule("13.8.1.2-radar-e", "32.4")
def knock_out(s: BitwState, station: int, rule_id: str) -> None:
    """32.4 One hit, or an enemy in its hex, and a station is out of action until it is paid for."""
    if s.radar[station]:
        s.radar[station] = 0
        emit(s, "radar-out", rule_id, station=STATION.word(s, ALLIES, station))


@rule("13.8.1.2-radar-e")
def lose_stations(s: BitwState, node: int) -> None:
    """13.8.1.2-radar-e Enemy control of the hex destroys a station."""
    if side_holding(s, node) != AXIS or not any(s.radar):
        return
    for station in range(len(STATIONS)):
        if station_hex(world(s).theatre, station) == node:
            knock_out(s, station, "13.8.1.2-radar-e")


@rule("13.8.1.2-radar-f", "32.4")
def why_not_mend(s: BitwState, side: Side, station: int) -> No | None:
    """13.8.1.2-radar-f A station damaged or destroyed works again for 1 yellow point of Britain's, in its own hex."""
    node = station_hex(world(s).theatre, station)
    if side != ALLIES or not chain_counts(s) or node < 0:
        return NO_CHAIN
    if s.radar[station]:
        return STATION_WORKS
    if side_holding(s, node) != ALLIES or enemy_in(s, node, ALLIES):
        return STATION_LOST
    return MENDING_TOO_DEAR if s.pp[_pool(s)] < LIMITS["radar_cost"] else None


@rule("13.8.1.2-radar-f", "32.4")
def mend(s: BitwState, station: int) -> None:
    """13.8.1.2-radar-f Pay; it works at once."""
    s.pp[_pool(s)] -= LIMITS["radar_cost"]
    s.radar[station] = 1
    emit(s, "radar-mended", "13.8.1.2-radar-f", station=STATION.word(s, ALLIES, station))


def broken_stations(s: BitwState, side: Side) -> list[int]:
    """The stations that Britain could mend, points apart."""
    if side != ALLIES or all(s.radar) or not chain_counts(s):
        return []
    t = world(s).theatre
    return [x for x in range(len(STATIONS)) if not s.radar[x] and station_hex(t, x) >= 0]
