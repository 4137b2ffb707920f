"""3.6, 7.3a Income: what centres give, which of them are linked to the main source, what a turn brings in."""

from __future__ import annotations

from collections.abc import Callable

from grognard.kernel import emit, rule

from ..frames import PlayerTurn
from ..loading import HQ_KINDS
from ..scenarios import NOBODY
from ..state import (
    ARMISTICE,
    DISBANDED,
    HELD,
    NOWHERE,
    OFF,
    OUT,
    BitwState,
    is_battle,
    put,
)
from ..world import BLOCKS_OF, LIMITS, POWER_SIDE, POWERS, SIDE_OF, UNITS, world
from .colours import (
    collect_colours,
    in_colours,
    points_at_sea,
    stated,
)
from .convoys import convoy_losses
from .definitions import pool_of
from .discs import held_by_discs, partisans_count
from .production import FRANCE, FREE_FRANCE, GERMANY, withdraw_unit
from .supply import (
    joined_by_rail,
    lanes_from,
    main_source,
    open_ports,
    rail_nets,
    sources_of,
)
from .targets import centre_points

Arriving = Callable[[BitwState, int, int, int], int]  # how many points of a centre arrive (11.3a)


@rule("7.3a", "3.3b", "3.3c", "3.6a", "3.6b", "3.3.1", "11.1a", "11.1b", "11.2f", "16.2a", "16.2b")
def centre_income(s: BitwState, pool: int, arriving: Arriving = lambda s, power, node, value: value) -> int:
    """3.6b What population and mining centres give a pool this turn, in yellow points (3.6a).

    A centre pays its power while it can act as a source (7.3a); a lost one pays no more (3.3b). Of captured ones only
    Germany's count (3.3c, ruling A10), and none where the scenario forbids it (3.3.1).
    """
    w = world(s)
    total = 0
    for node in w.theatre.centres:
        value = centre_points(s, node)
        holder = s.owner[node]
        if holder == NOBODY or pool_of(s, holder) != pool or is_battle(s, node):
            continue
        first = w.scenario.owners[node]
        captured = first != NOBODY and POWER_SIDE[first] != POWER_SIDE[holder]
        if captured and (holder != GERMANY or "no-exploitation" in w.scenario.rules):
            continue
        if node in w.theatre.vichy and vichy_income(s):
            continue  # 5.1-armistice-h Vichy gives its mines only
        if is_linked(s, holder, node):
            total += arriving(s, holder, node, value)
    return total


@rule("7.3a")
def is_linked(s: BitwState, power: int, node: int) -> bool:
    """7.3a A centre pays if it can act as a source; a mine away from the rails, if a supply lane reaches it (0303)."""
    sources = sources_of(s, power)
    if partisans_count(s) and goods_are_cut(s, power, node):
        return False
    if node in sources:
        return True
    return not world(s).theatre.rail[node] and node in lanes_from(s, POWERS[power].side, sources)


@rule("11.2g", "29.1d")
def goods_are_cut(s: BitwState, power: int, node: int) -> bool:
    """11.2g Discs on a centre, or on every railway between it and the main source, stop its points.

    Ports that partisans leave alone carry them still.
    """
    side = POWERS[power].side
    held = held_by_discs(s, side, 1)
    start = main_source(s, POWERS[power].id, power)
    if not held or start is None:
        return False
    if node in held:
        return True
    free = joined_by_rail(s, frozenset(rail_nets(s, side)) - held)
    net = free.get(node)
    if net is None or start in net:
        return False
    return not any(n in net for n in open_ports(s, side))


@rule("5.1-armistice-h")
def vichy_income(s: BitwState) -> int:
    """5.1-armistice-h With the African game joined, neutral Vichy adds its mines to German income and nothing else."""
    if "bia" not in world(s).scenario.rules or not s.status[FRANCE] & ARMISTICE:
        return 0
    return LIMITS["vichy_les_baux"] + LIMITS["vichy_morocco"] + LIMITS["vichy_tunisia"]


@rule("7.3a", "7.3d", "7.3e", "3.13c", "5.6.2b", "5.4a", "5.7d", "17.0b", "11.2e")
def collect_income(s: BitwState, c: PlayerTurn) -> None:
    """7.3a Points of the turn: the scenario's and the centres', less research (3.13c) and debts (5.6.2b).

    The rest is saved.
    """
    w = world(s)
    for u in BLOCKS_OF[c.side]:
        s.flags[u] &= ~DISBANDED & 255
    for pool in w.scenario.pools:
        power = pool.nations[0]
        if POWERS[power].side != c.side or s.status[power] & OUT:
            continue
        gross = w.fixed_income[power] + centre_income(s, power, points_at_sea) - pool.research
        if in_colours(s):
            gross += stated(s, pool, "yellow") - pool.income - pool.upkeep - convoy_losses(s, power)
        if power == FREE_FRANCE and s.capital[power] == w.theatre.paris:
            gross += 3
        if power == pool_of(s, GERMANY):
            gross += vichy_income(s)
        gross = max(0, gross)
        total = s.pp[power] + gross + s.later[power]
        s.later[power] = min(0, total)
        s.pp[power] = max(0, total)
        emit(s, "income", "7.3a", power=POWERS[power].id, points=gross, saved=s.pp[power])
    collect_colours(s, c.side)
    for turn, unit in w.scenario.withdrawn:
        if turn == s.turn and SIDE_OF[unit] == c.side and s.place[unit] < OFF:
            withdraw_unit(s, unit)
    for stand in w.scenario.arriving:
        if stand.turn == s.turn and SIDE_OF[stand.unit] == c.side and s.place[stand.unit] == NOWHERE:
            staff = UNITS[stand.unit].kind in HQ_KINDS and s.chosen["advanced"] != "on"  # 6.4
            if not s.status[UNITS[stand.unit].power] & OUT and not staff:
                put(s, stand.unit, HELD)
                s.steps[stand.unit] = stand.steps
