"""32.0a, 32.1-32.3 Strategic targets: what may be bombed where, and what is out of use until the turn is over.

`s.bombed` has an entry for each attack that hit: side, kind, node, hits. Production and rail stations add up what they
suffered; what a port lost hangs on a single attack (32.2). `s.ruins` has the factories that are gone for good.
"""

from __future__ import annotations

from typing import Any, Final

from grognard.kernel import Side, emit, rule

from ..loading import ALLIES, charts
from ..memo import remembered, unchanged
from ..nouns import STATIONS, TARGET_KINDS, name_of
from ..scenarios import COLOURED
from ..state import BitwState, month, side_holding
from ..world import LIMITS, POWERS, world
from .radar import chain_counts, station_hex

FACTORIES: Final = (*COLOURED, "white")  # kinds of targets that are factories, by colour
CENTRE, PORT, RAIL = (TARGET_KINDS.index(kind) for kind in ("centre", "port", "rail"))
MULBERRY: Final = TARGET_KINDS.index("mulberry")
FIRST_STATION: Final = TARGET_KINDS.index(STATIONS[0])


# What stands where


@rule("32.1", "15.1-active-a", "15.1d")
def printed_factories(s: BitwState, node: int, colour: str) -> int:
    """32.1 The printed factories of a colour that are at work in a hex: active by now, neither burnt nor bombed out."""
    number, since = world(s).theatre.factories.get(node, {}).get(colour, (0, ""))
    if not number or since > month(s) or s.burnt[node]:
        return 0
    return max(0, number - ruined(s, node, colour))


def new_factories(s: BitwState, node: int, colour: str) -> int:
    """15.1d The new ones."""
    if not s.plants or s.burnt[node]:
        return 0
    return sum(p[2] == node and COLOURED[p[1]] == colour and p[3] < s.turn for p in s.plants)


def ruined(s: BitwState, node: int, colour: str) -> int:
    """32.1 Printed factories of a colour that ten hits have destroyed."""
    return sum(number for at, which, number in s.ruins if at == node and FACTORIES[which] == colour) if s.ruins else 0


@rule("32.0a")
def kinds_at(s: BitwState, side: Side, node: int) -> list[int]:
    """32.0a The targets of a side in a hex: factories by colour, a centre, a port or Mulberry, its station, radar."""
    t = world(s).theatre
    if node >= t.hexes:
        return []
    found = []
    if side_holding(s, node) == side:
        made = [printed_factories(s, node, colour) + new_factories(s, node, colour) for colour in FACTORIES]
        found += [kind for kind, number in enumerate(made) if number]
        if t.yellow[node]:
            found.append(CENTRE)
        if t.port[node]:
            found.append(PORT)
        if t.city[node]:
            found.append(RAIL)
        if side == ALLIES and any(s.radar) and chain_counts(s):
            found += [FIRST_STATION + x for x in range(len(STATIONS)) if s.radar[x] and station_hex(t, x) == node]
    if side == ALLIES and node in s.harbour:
        found.append(MULBERRY)
    return sorted(found)


@remembered(lambda s, side: (s.scenario, side, unchanged("owner", s.owner), s.harbour.tobytes()))
@rule("32.0a")
def target_hexes(s: BitwState, side: Side) -> tuple[int, ...]:
    """32.0a The hexes of a side with something to bomb: every city is a rail station (32.3)."""
    t = world(s).theatre
    mine = [n for n in range(t.hexes) if side_holding(s, n) == side]
    found = {n for n in mine if t.city[n] or t.port[n] or t.yellow[n] or n in t.factories}
    return tuple(sorted(found | ({n for n in s.harbour if n < t.hexes} if side == ALLIES else set())))


# What is out of use


def hits_on(s: BitwState, kind: int, node: int) -> int:
    """Hits of this turn on a target, all attacks together."""
    return sum([e[3] for e in s.bombed if e[1] == kind and e[2] == node]) if s.bombed else 0


def worst_on(s: BitwState, kind: int, node: int) -> int:
    """Hits of the worst attack of this turn on a target."""
    return max([e[3] for e in s.bombed if e[1] == kind and e[2] == node], default=0) if s.bombed else 0


@rule("32.1")
def centre_points(s: BitwState, node: int) -> int:
    """32.1 What a population or mining centre gives this turn: each hit costs a point."""
    return max(0, world(s).theatre.yellow[node] - hits_on(s, CENTRE, node))


@rule("32.1")
def lost_to_bombs(s: BitwState, node: int, colour: str, number: int) -> int:
    """32.1 How many of a hex's printed points of a colour are lost: each hit costs one for a turn, ruins for good."""
    if not s.bombed and not s.ruins:
        return 0
    return min(number, ruined(s, node, colour) + hits_on(s, FACTORIES.index(colour), node))


@rule("32.1", "15.1d")
def lost_plants(s: BitwState, side: Side, colour: str) -> int:
    """32.1 Points of new factories lost to hits that the printed ones of the hex did not take."""
    if not s.bombed:
        return 0
    kind, lost = FACTORIES.index(colour), 0
    for node in sorted({e[2] for e in s.bombed if e[0] == side and e[1] == kind}):
        over = hits_on(s, kind, node) - printed_factories(s, node, colour)
        lost += max(0, min(over, new_factories(s, node, colour)))
    return lost


@rule("32.2")
def is_shut_to_ships(s: BitwState, node: int) -> bool:
    """32.2 One hit: no landing is launched from the port, no ground unit goes by sea from or to it."""
    return worst_on(s, PORT, node) >= LIMITS["raid_port_shut"]


@rule("32.2")
def is_cut(s: BitwState, node: int) -> bool:
    """32.2 Three hits of the same attack: the port feeds nobody either."""
    return worst_on(s, PORT, node) >= LIMITS["raid_port_cut"]


@rule("32.3")
def is_blocked_station(s: BitwState, node: int) -> bool:
    """32.3 A station that was hit: no rail move starts, ends or passes there."""
    return hits_on(s, RAIL, node) > 0


@rule("32.3")
def locomotives_lost(s: BitwState, power: int) -> int:
    """32.3 How many rail moves hits cost the power that uses an allowance: the owner of the station (ruling A41)."""
    ids, found = charts().power_ids, 0
    for _, kind, node, hits in s.bombed:
        owner = s.owner[node]
        if kind == RAIL and owner < len(POWERS) and ids[POWERS[owner].rail_with] == power:
            found += hits
    return found


# Damage and repair


@rule("32.1", "32.2", "32.3")
def damage(s: BitwState, side: Side, kind: int, node: int, hits: int) -> None:
    """32.1-32.3 Note the hits of one attack on production, a port or a station."""
    s.bombed = (*s.bombed, (side, kind, node, hits))
    where = name_of(s, node)
    if kind == PORT:
        emit(s, "raid-port-cut" if is_cut(s, node) else "raid-port", "32.2", hex=where, hits=hits)
    elif kind == RAIL:
        emit(s, "raid-rail", "32.3", hex=where, hits=hits)
    else:
        emit(s, "raid-production", "32.1", hex=where, target=TARGET_KINDS[kind], hits=hits)
    if kind < len(FACTORIES) and hits >= LIMITS["raid_factory"]:
        destroy_factory(s, node, FACTORIES[kind])


@rule("32.1")
def destroy_factory(s: BitwState, node: int, colour: str) -> None:
    """32.1 Ten hits of one attack destroy a factory for good: a printed one first, then a new one (15.1)."""
    if printed_factories(s, node, colour):
        s.ruins = (*s.ruins, (node, FACTORIES.index(colour), 1))
    else:
        gone = next((p for p in s.plants if p[2] == node and COLOURED[p[1]] == colour), None)
        s.plants = tuple(p for p in s.plants if p is not gone)
    emit(s, "factory-destroyed", "32.1", hex=name_of(s, node))


@rule("32.0g")
def repair_targets(s: BitwState, c: Any) -> None:
    """32.0g At the end of its owner's turn everything that was not destroyed works again."""
    if any(e[0] == c.side for e in s.bombed):
        s.bombed = tuple(e for e in s.bombed if e[0] != c.side)
        emit(s, "raids-repaired", "32.0g", side=c.side)
